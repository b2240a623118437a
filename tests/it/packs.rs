//! The pages of the packs agree with their texts; `RULES_BLESS=1` writes them.
//!
//! A page has the pack's purpose, its use, the `let`s that can be replaced, and each rule with its reason, its decision
//! and its examples. Nothing about a pack is written twice.

use std::fmt::Write;

use hookrules::diagnostic::{DiagnosticFormat, render_all};
use hookrules::examples::{self, Coverage, KeptResults, ObservedResults};
use hookrules::packs::{PACKS, pack_purpose};
use hookrules::policy::Policy;
use hookrules::project::{load_paths, load_text};
use hookrules::span::{Sources, Span};
use hookrules::syntax;
use hookrules::syntax::ast::{
    Annotation, AnnotationArg, AstRule, Clause, ClauseKind, EffectKind, Example, ExampleKind, Item, ItemKind,
    StringLiteral,
};

use crate::generated::{is_current, is_current_page};
use crate::source::{read, root};

/// A pack, parsed.
struct Pack {
    name: &'static str,
    text: &'static str,
    items: Vec<Item>,
}

impl Pack {
    fn all() -> Vec<Self> {
        let parsed = |(name, text): &(&'static str, &'static str)| {
            let mut sources = Sources::default();
            let id = sources.add(*name, None, *text);
            let (file, found) = syntax::parse(sources.file_by_id(id).unwrap());
            assert!(found.is_empty(), "{name}: {found:?}");
            Self { name, text, items: file.items }
        };
        PACKS.iter().map(parsed).collect()
    }

    /// The name without `std/`, which is the page's name.
    fn short(&self) -> &'static str {
        self.name.strip_prefix("std/").unwrap()
    }

    fn rules(&self) -> impl Iterator<Item = (&Item, &AstRule)> {
        self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Rule(rule) => Some((item, rule)),
            _ => None,
        })
    }

    fn written(&self, span: Span) -> &'static str {
        self.text.get(span.range()).unwrap()
    }

    fn page(&self) -> String {
        let mut page = format!("# {}\n\n{}\n\n", self.name, self.head());
        let lets: Vec<&Item> = self.items.iter().filter(|item| matches!(item.kind, ItemKind::Let(_))).collect();
        if !lets.is_empty() {
            writeln!(page, "## What you can replace\n\nWith `use \"{}\" with {{ NAME: VALUE }}`.\n", self.name)
                .unwrap();
        }
        for item in lets {
            paragraph(&mut page, &item.docs);
            block(&mut page, "rules,fragment", self.written(item.span));
        }
        page.push_str("## Rules\n\n");
        self.rules().for_each(|(item, rule)| self.rule(&mut page, item, rule));
        format!("{}\n", page.trim_end())
    }

    /// Returns the text of the leading comment; its indented lines are policy.
    fn head(&self) -> String {
        let mut head = String::new();
        let mut code = false;
        for line in self.text.lines().map_while(|line| line.strip_prefix('#')) {
            let indented = line.starts_with("   ");
            if indented != code && !line.is_empty() {
                head.push_str(if indented { "```rules,fragment\n" } else { "```\n\n" });
                code = indented;
            }
            if !(code && line.is_empty()) {
                writeln!(head, "{}", line.trim_start()).unwrap();
            }
        }
        if code {
            head.push_str("```\n");
        }
        head.trim_end().to_owned()
    }

    fn rule(&self, page: &mut String, item: &Item, rule: &AstRule) {
        writeln!(page, "### {}\n", rule.name.text).unwrap();
        paragraph(page, &item.docs);
        let effects: Vec<(&str, Option<&StringLiteral>)> = rule.clauses.iter().filter_map(effect).collect();
        let mut does: Vec<&str> = effects.iter().map(|(word, _)| *word).collect();
        does.dedup();
        let facts: Vec<String> = item.annotations.iter().filter_map(annotation).collect();
        writeln!(page, "{}.\n", [vec![does.join(", ")], facts].concat().join("; ")).unwrap();
        for message in effects.iter().filter_map(|(_, message)| *message) {
            writeln!(page, "> {}\n", message.value.trim().replace('\n', "\n> ")).unwrap();
        }
        let judged = |clause: &&Clause| !matches!(clause.kind, ClauseKind::Effect(_) | ClauseKind::Examples(..));
        let clauses: Vec<&str> = rule.clauses.iter().filter(judged).map(|clause| self.written(clause.span)).collect();
        block(page, "rules,fragment", &dedented(&clauses.join("\n")));
        for (kind, title) in
            [(ExampleKind::Fires, "Fires on"), (ExampleKind::Quiet, "Quiet on"), (ExampleKind::Unknown, "Unknown on")]
        {
            let examples = rule.clauses.iter().filter_map(|clause| match &clause.kind {
                ClauseKind::Examples(of, examples) if *of == kind => Some(examples),
                _ => None,
            });
            let shown: Vec<String> =
                examples.flat_map(|list| list.iter()).map(|example| self.example(example)).collect();
            if !shown.is_empty() {
                writeln!(page, "{title}\n").unwrap();
                block(page, "text,wrap", &shown.join("\n"));
            }
        }
    }

    /// Returns an example as written; a command alone without its quotes.
    fn example(&self, example: &Example) -> String {
        match example {
            Example { head: None, text: Some(text), by: None, host: None, with: None, fields: None, .. }
                if !text.value.contains('\n') =>
            {
                text.value.clone()
            }
            _ => self.written(example.span).lines().map(str::trim).collect::<Vec<_>>().join(" "),
        }
    }
}

/// Describes an effect, with its message.
fn effect(clause: &Clause) -> Option<(&'static str, Option<&StringLiteral>)> {
    let ClauseKind::Effect(effect) = &clause.kind else { return None };
    Some(match &effect.kind {
        EffectKind::Deny(message) => ("Denies", message.as_ref()),
        EffectKind::Ask(message) => ("Asks", message.as_ref()),
        EffectKind::Allow(message) => ("Allows", message.as_ref()),
        EffectKind::Halt(message) => ("Halts", message.as_ref()),
        EffectKind::Exit(_, _, message) => ("Exits", message.as_ref()),
        EffectKind::Context(message) => ("Tells the agent", message.as_ref()),
        EffectKind::Warn(message) => ("Warns", message.as_ref()),
        EffectKind::RewriteSet(..) | EffectKind::RewriteReplace(..) | EffectKind::RewriteRuns(..) => ("Rewrites", None),
        EffectKind::Notify(..) => ("Notifies", None),
        EffectKind::RunShell(_) | EffectKind::RunArgv(..) => ("Runs a command", None),
        EffectKind::Record(_) => ("Records", None),
    })
}

/// Describes an annotation.
fn annotation(annotation: &Annotation) -> Option<String> {
    let word = annotation.args.first().map(|arg| match arg {
        AnnotationArg::Word(name) => name.text.clone(),
        AnnotationArg::Text(text) => text.value.clone(),
    });
    match annotation.name.text.as_str() {
        "severity" => word.map(|word| format!("severity {word}")),
        "url" => word.map(|url| format!("[more about it]({url})")),
        "observe" => Some("only recorded".to_owned()),
        "off" => Some("off".to_owned()),
        _ => None,
    }
}

fn paragraph(page: &mut String, docs: &[String]) {
    if !docs.is_empty() {
        writeln!(page, "{}\n", docs.join("\n").trim()).unwrap();
    }
}

fn block(page: &mut String, kind: &str, text: &str) {
    writeln!(page, "```{kind}\n{}\n```\n", text.trim_end()).unwrap();
}

/// Removes the indentation of a rule's body from the continuation lines of a clause.
fn dedented(text: &str) -> String {
    text.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_pages_of_the_packs_are_current() {
    for pack in Pack::all() {
        is_current_page(&format!("book/src/packs/{}.md", pack.short()), &pack.page());
    }
}

#[test]
fn the_table_of_packs_is_current() {
    let mut table = "| pack | is for |\n|---|---|\n".to_owned();
    for pack in Pack::all() {
        let (name, short) = (pack.name, pack.short());
        writeln!(table, "| [{name}](packs/{short}.md) | {} |", pack_purpose(pack.text)).unwrap();
    }
    is_current("book/src/packs.md", "packs", &table);
}

/// The list of the packs' pages is below that of the overview.
#[test]
fn the_summary_lists_the_packs() {
    let summary = read("book/src/SUMMARY.md");
    let is_pack = |line: &&str| line.contains("](packs/");
    let overview = "- [Packs](packs.md)";
    let mut expected = String::new();
    for line in summary.lines().filter(|line| !is_pack(line)) {
        writeln!(expected, "{line}").unwrap();
        if line == overview {
            for (name, _) in PACKS {
                writeln!(expected, "  - [{name}](packs/{}.md)", name.strip_prefix("std/").unwrap()).unwrap();
            }
        }
    }
    is_current_page("book/src/SUMMARY.md", &expected);
}

#[test]
fn packs_stand_in_the_order_of_their_names() {
    assert!(PACKS.is_sorted(), "sort PACKS of src/packs.rs by name");
}

/// The examples of a pack and the tests next to the packs, `rules/NAME.rules`, cover every rule as shipped.
#[test]
fn every_rule_of_a_pack_matches_in_some_example() {
    for (name, text) in PACKS {
        let loaded = load_text(name, text);
        let policy = Policy::new(loaded.sources, &loaded.layers);
        let suites: Vec<_> = policy.layers.iter().flat_map(examples::suites).collect();
        let mut seen = ObservedResults::default();
        for report in examples::judge_suites(&suites, KeptResults::All) {
            assert!(report.failures.is_empty(), "{name}: {:?}", report.failures);
            seen.add(report.results);
        }
        let coverage = Coverage::from_rules(policy.layers.iter().flat_map(examples::own_rules), &seen);
        assert!(coverage.rules().total > 0 && coverage.rules().is_at_least(100), "{name}: {:?}", coverage.rules());
    }
}

#[test]
fn what_is_tested_beside_a_pack_comes_out_as_written() {
    let mut tested = 0;
    for (name, _) in PACKS {
        let path = root().join(format!("rules/{}.rules", name.strip_prefix("std/").unwrap()));
        if !path.exists() {
            continue;
        }
        let loaded = load_paths(&[path]);
        let policy = Policy::new(loaded.sources, &loaded.layers);
        assert!(policy.layers.iter().all(|layer| layer.is_loaded() && !layer.tests.is_empty()), "{name}");
        let failed: Vec<_> = policy.layers.iter().flat_map(|layer| examples::judge_layer(layer).failed).collect();
        assert_eq!(render_all(&failed, &policy.sources, DiagnosticFormat::Short), "", "{name}");
        tested += 1;
    }
    assert!(tested >= 16, "{tested} packs have tests beside them");
}
