//! How much of a rule the guard examines.

use super::*;
use crate::layer::Layer;
use crate::policy::Policy;
use crate::span::Sources;
use crate::syntax;

/// Returns the number of atoms that the only rule needs, and whether it is listed under more selective ones than the
/// presence of a value.
fn atoms(text: &str) -> (usize, bool) {
    atoms_after(0, text)
}

/// Like [`atoms`], after other rules have created this number of atoms.
fn atoms_after(others: usize, text: &str) -> (usize, bool) {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, text);
    let layer = Layer::from_single_file(id, syntax::parse(sources.file_by_id(id).unwrap()));
    let policy = Policy::new(sources, &[layer]);
    let [rule] = policy.rules.rules() else { panic!("{:?}", policy.diagnostics().collect::<Vec<_>>()) };
    let need = need_of_rule(rule, Event::PreToolUse, &mut CallFacets { atoms: others, ..CallFacets::default() });
    let mut all = 0;
    need.atoms(&mut |_| all += 1);
    (all, need.choose(&|atom| (atom.kind != AtomKind::Any).then_some(1), &mut Vec::new()).is_some())
}

#[test]
fn what_stands_in_lists_counts() {
    for test in [
        "path like [\"*.x{n}\"]",
        "path like [\"{a,b}.x{n}\"]",
        "path under [\"d{n}\"]",
        "writes like [\"f{n}\"]",
        "tool_input.note in [\"n{n}\"]",
        "tool_input.note like [\"note{n}*\"]",
        "runs [\"p{n}\"]",
        "only runs [\"p{n}\"]",
        "pipes [\"p{n}\"] into \"sh\"",
    ] {
        let (before, element) = test.split_once('[').unwrap();
        let (element, after) = element.split_once(']').unwrap();
        let rule = |elements: usize, uses: usize| {
            let list: Vec<String> = (0..elements).map(|n| element.replace("{n}", &n.to_string())).collect();
            let uses = vec!["listed"; uses].join(" or ");
            let list = list.join(", ");
            format!(
                "def listed = {before}[{list}]{after}\nrule a {{\n  on PreToolUse\n  when {uses}\n  warn \"M\"\n}}\n"
            )
        };
        let (few, is_found) = atoms(&rule(50, 3));
        assert!(is_found && few >= 150, "{test}: {few}");
        for (elements, uses) in [(600, 40), (11_000, 2)] {
            let (many, is_found) = atoms(&rule(elements, uses));
            assert!(!is_found && many <= 20_000, "{test}: {many}");
        }
    }
}

#[test]
fn what_the_rules_of_an_event_need_is_bounded_together() {
    let rule = "rule a {\n  on PreToolUse\n  when runs [\"a\", \"b\"] or writes like \"*.x\"\n  warn \"M\"\n}\n";
    let (few, is_found) = atoms_after(MAX_ATOMS / 2, rule);
    assert!(is_found && few >= 3, "{few}");
    assert_eq!(atoms_after(MAX_ATOMS - 1, rule), (1, false));
    assert_eq!(atoms_after(MAX_ATOMS, rule), (0, false));
}
