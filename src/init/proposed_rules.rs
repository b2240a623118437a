//! Makes the proposed rules from the findings about a project; its authors can extend them.

use std::collections::BTreeSet;

use super::findings::ProjectFindings;
use super::generated::GeneratedFiles;
use super::known_paths::KnownPaths;
use crate::syntax::{format_list, string_literal};

/// The maximum number of globs that the description of a rule names.
const SHOWN: usize = 3;

/// Paths of files that are hardly ever generated, for examples of edits that stay allowed.
const NEVER_GENERATED: &[&str] = &["README.md", "src/main.rs", "notes.txt", "a/b.c"];

/// A proposed rule, as the parts of its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProposedRule {
    /// The name of the rule.
    pub name: String,
    /// The documentation of the rule: why it exists.
    pub docs: String,
    /// What the rule does, for people who have not read it.
    pub effect: String,
    /// The `let` that the rule uses: its documentation, its name and its value as source text.
    pub(super) list: Option<(String, String, String)>,
    /// The clauses as source text, without the examples.
    pub(super) clauses: Vec<String>,
    /// The examples as source text: `fires on …`, `quiet on …`.
    pub(super) examples: Vec<String>,
}

/// Builds the proposed rules, except those whose names are in `existing_names`.
///
/// If `packs` contains `std/edits`, generated files that the list of that pack matches need no rule.
pub(super) fn propose_rules(
    findings: &ProjectFindings,
    packs: &BTreeSet<&str>,
    existing_names: &BTreeSet<String>,
) -> Vec<ProposedRule> {
    let mut rules = generated_rules(findings, packs.contains("std/edits"));
    rules.push(briefing(findings));
    rules.retain(|rule| !existing_names.contains(&rule.name));
    rules
}

/// Builds a rule for the generated files of each generator command, and one for those without a known command.
fn generated_rules(findings: &ProjectFindings, knows_generated: bool) -> Vec<ProposedRule> {
    let known = KnownPaths::from_pack("std/edits", "generated");
    let is_new = |one: &&GeneratedFiles| one.command.is_some() || !knows_generated || !known.matches(&one.example);
    let mut commands: Vec<Option<&'static str>> = Vec::new();
    for one in findings.generated.iter().filter(is_new) {
        if !commands.contains(&one.command) {
            commands.push(one.command);
        }
    }
    // The rules with a command come first, because their messages say how to regenerate the files.
    commands.sort_by_key(Option::is_none);
    let files_of = |command: Option<&'static str>| {
        let files = findings.generated.iter().filter(is_new).filter(|files| files.command == command);
        files.collect::<Vec<_>>()
    };
    commands.into_iter().filter_map(|command| generated_rule(command, &files_of(command))).collect()
}

/// Builds the rule that denies edits of the files that one command generates; `None` without files.
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
    let allowed_edit = NEVER_GENERATED
        .iter()
        .find(|path| !known.matches(path))
        .map(|path| format!("Edit {}", string_literal(path, "  ")));
    let mut quiet = vec![format!("Read {example}")];
    quiet.extend(allowed_edit);
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

/// Builds the rule that tells each session what it should know from the start: which documents to read, and how to run
/// the tests.
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

/// Returns the first globs as text, and the number of further ones.
fn enumerate_globs(globs: &[String]) -> String {
    let named: Vec<String> = globs.iter().take(SHOWN).map(|glob| format!("`{glob}`")).collect();
    match globs.len().saturating_sub(SHOWN) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
