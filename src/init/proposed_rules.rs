//! The proposed rules, made from the findings: examples that the project's authors can extend.

use std::collections::BTreeSet;

use super::findings::ProjectFindings;
use super::generated::GeneratedFiles;
use super::known_paths::KnownPaths;
use crate::syntax::{format_list, string_literal};

/// The maximum number of globs named in the description of a rule.
const SHOWN: usize = 3;

/// Files that are never generated, for examples of other edits.
const NEVER_GENERATED: &[&str] = &["README.md", "src/main.rs", "notes.txt", "a/b.c"];

/// A proposed rule, in parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProposedRule {
    /// Its name.
    pub name: String,
    /// The reason for the rule.
    pub docs: String,
    /// Its effect, for people who have not read it.
    pub effect: String,
    /// The `let` that it uses: its documentation, its name and its source text.
    pub(super) list: Option<(String, String, String)>,
    /// The clauses, without the examples.
    pub(super) clauses: Vec<String>,
    /// The examples: `fires on`, `quiet on`.
    pub(super) examples: Vec<String>,
}

/// Makes the rules.
///
/// A rule whose name is in `taken` already exists. If `packs` contains `std/edits`, that pack guards generated code
/// with the usual names.
pub(super) fn propose_rules(
    findings: &ProjectFindings,
    packs: &BTreeSet<&str>,
    taken: &BTreeSet<String>,
) -> Vec<ProposedRule> {
    let mut rules = generated_rules(findings, packs.contains("std/edits"));
    rules.push(briefing(findings));
    rules.retain(|rule| !taken.contains(&rule.name));
    rules
}

fn generated_rules(findings: &ProjectFindings, knows_generated: bool) -> Vec<ProposedRule> {
    let known = KnownPaths::from_pack("std/edits", "generated");
    let is_new = |one: &&GeneratedFiles| one.command.is_some() || !knows_generated || !known.matches(&one.example);
    let mut commands: Vec<Option<&'static str>> = Vec::new();
    for one in findings.generated.iter().filter(is_new) {
        if !commands.contains(&one.command) {
            commands.push(one.command);
        }
    }
    // Groups with a known command are the most valuable.
    commands.sort_by_key(Option::is_none);
    let of = |command: Option<&'static str>| {
        let of_command = findings.generated.iter().filter(is_new).filter(|one| one.command == command);
        of_command.collect::<Vec<_>>()
    };
    commands.into_iter().filter_map(|command| generated_rule(command, &of(command))).collect()
}

fn generated_rule(command: Option<&'static str>, files: &[&GeneratedFiles]) -> Option<ProposedRule> {
    let globs: Vec<String> = files.iter().map(|one| one.glob.clone()).collect();
    let example = &files.first()?.example;
    let sed = string_literal(&format!("sed -i s/a/b/ {example}"), "  ");
    let example = string_literal(example, "  ");
    let (name, let_name, docs, list_docs, advice) = match command {
        Some(command) => {
            let program = command.split(' ').find(|word| *word != "npx").unwrap_or("generator");
            (
                format!("{program}-output-stays"),
                format!("{program}_output"),
                format!("The next `{command}` overwrites whatever is edited here."),
                format!("Written by `{command}`."),
                format!("`{{match}}` is written by `{command}`. Change what it is made from, and run that again."),
            )
        }
        None => (
            "generated-code-stays".to_owned(),
            "generated_code".to_owned(),
            "Whatever is edited here is lost when the files are made anew.".to_owned(),
            "Written by programs, as `.gitattributes`, `.gitignore` or the files themselves say.".to_owned(),
            "`{match}` is generated. Change what it is made from, and generate it again.".to_owned(),
        ),
    };
    let known = KnownPaths::from_globs(&globs);
    let elsewhere = NEVER_GENERATED
        .iter()
        .find(|path| !known.matches(path))
        .map(|path| format!("Edit {}", string_literal(path, "  ")));
    let mut quiet = vec![format!("Read {example}")];
    quiet.extend(elsewhere);
    quiet.extend(command.map(|command| format!("Bash {}", string_literal(command, "  "))));
    Some(ProposedRule {
        name,
        docs,
        effect: format!("Denies edits of {}.", enumerate_globs(&globs)),
        list: Some((list_docs, let_name.clone(), format_list(&globs, ""))),
        clauses: vec![
            "on PreToolUse".to_owned(),
            format!("when writes like {let_name}"),
            r#"  and (tool_name in ["Edit", "MultiEdit", "Write", "NotebookEdit"]"#.to_owned(),
            r#"    or runs ["sed", "perl", "tee"])"#.to_owned(),
            "unknown ignore".to_owned(),
            format!("deny \"{advice}\""),
        ],
        examples: vec![format!("fires on Edit {example}, Bash {sed}"), format!("quiet on {}", quiet.join(", "))],
    })
}

/// Returns the rule with the information that every session should have from its first turn on.
fn briefing(findings: &ProjectFindings) -> ProposedRule {
    let quoted = |texts: &[&str]| texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(" and ");
    let mut texts = Vec::new();
    if !findings.guides.is_empty() {
        texts.push(format!("Read {} before the first change.", findings.guides.join(" and ")));
    }
    if !findings.tests.is_empty() {
        texts.push(format!("Run {} before you call something done.", quoted(&findings.tests)));
    }
    if texts.is_empty() {
        texts.push("What agents may do here is in `.rules`; `rules list` shows it.".to_owned());
    }
    let contexts = texts.iter().map(|text| format!("context {}", string_literal(text, "  ")));
    ProposedRule {
        name: "brief-the-session".to_owned(),
        docs: "What is said at the start need not be found out. Add what newcomers ask first.".to_owned(),
        effect: format!("Tells each session: {}", texts.join(" ")),
        list: None,
        clauses: std::iter::once("on SessionStart(startup|clear)".to_owned()).chain(contexts).collect(),
        examples: vec!["fires on SessionStart(startup)".to_owned(), "quiet on SessionStart(resume)".to_owned()],
    }
}

/// Returns some of the globs, as a list.
fn enumerate_globs(globs: &[String]) -> String {
    let named: Vec<String> = globs.iter().take(SHOWN).map(|glob| format!("`{glob}`")).collect();
    match globs.len().saturating_sub(SHOWN) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
