//! Recognises a file that is written in another language (YAML, Rego, …), by its structure.
//!
//! This is used only if nothing in a file could be parsed as a policy, and no line begins like a clause of a policy.

pub(super) mod draft;

use super::ast::{AstFile, ItemKind};
use super::mistakes::languages::{self, ForeignLanguage, LanguageRemedy};
use crate::diagnostic::Diagnostic;
use crate::phrases::{self, PhrasePlace};
use crate::span::Span;

/// The maximum number of lines that are examined: the beginning of a file shows its language.
const MAX_LINES: usize = 400;

/// The number of keys by which a file is recognised as YAML. Rego needs more signs than this number, since each of its
/// signs also occurs in other languages.
const MIN_SIGNS: usize = 2;

/// Returns the language of a file; `None` if it is unknown, or if the file is a policy with mistakes. `file` is the
/// tree of everything that could be parsed as a policy.
pub(super) fn identify(source: &str, file: &AstFile) -> Option<ForeignLanguage> {
    if file.items.iter().any(|item| is_valid(&item.kind)) {
        return None;
    }
    let raw: Vec<&str> = source.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(MAX_LINES).collect();
    let lines: Vec<&str> = raw.iter().copied().filter(|line| !line.trim_start().starts_with('#')).collect();
    let text = ForeignText { whole: source.trim(), raw, lines };
    let is_header = |line: &str| line.starts_with("rule ") || line.starts_with("test ");
    if text.lines.is_empty() || text.any(|line| begins_like_policy(line) && !is_header(line)) {
        return None;
    }
    let tests: [LanguageTest; 9] = [
        (is_settings, languages::SETTINGS),
        (is_json, languages::JSON),
        (is_front_matter, languages::HOOKIFY),
        (is_cedar, languages::CEDAR),
        (is_rego, languages::REGO),
        (is_codex, languages::CODEX),
        (is_gemini, languages::GEMINI),
        (is_conclaude, languages::CONCLAUDE),
        (is_yaml, languages::YAML),
    ];
    // The rules of some other languages begin like those of a policy (`rule NAME {`), so a line like a policy's
    // excludes these tests.
    let recognised = tests.into_iter().filter(|_| !text.any(begins_like_policy)).find(|(is, _)| is(&text));
    recognised.map(|(_, language)| *language).or_else(|| phrasebook_language(&text))
}

/// Returns a language that the phrasebook recognises by a single line, with the help of its row; `None` if no line of
/// the file matches.
fn phrasebook_language(text: &ForeignText<'_>) -> Option<ForeignLanguage> {
    let interpreter = text.raw.first().filter(|line| line.starts_with("#!"));
    let row_of = |line: &&str| {
        phrases::phrases_of_place(PhrasePlace::Line).iter().find(|row| has_form(line.trim(), row.written))
    };
    let row = interpreter.into_iter().chain(&text.lines).find_map(row_of)?;
    let LanguageRemedy::Rewrite { rule, .. } = languages::OTHER.remedy else { return None };
    Some(ForeignLanguage { remedy: LanguageRemedy::Rewrite { note: row.help, rule }, ..*languages::OTHER })
}

/// Whether a line matches a form of the phrasebook, in which each `*` represents any text.
fn has_form(line: &str, form: &str) -> bool {
    let mut parts = form.split('*');
    let Some(mut rest) = parts.next().and_then(|front| line.strip_prefix(front)) else { return false };
    let Some(end) = parts.next_back() else { return rest.is_empty() };
    let between = parts.all(|part| rest.split_once(part).map(|(_, after)| rest = after).is_some());
    between && rest.ends_with(end)
}

/// Returns the finding about a file in another language, with the command that converts it, its rules translated as far
/// as possible, or a sample rule. `name` is the name of the file.
pub(super) fn language_finding(language: &ForeignLanguage, name: &str, source: &str, span: Span) -> Diagnostic {
    language.report(draft::translate_file(language, source).as_ref(), name, span)
}

/// Returns the byte range of the first line that is neither blank nor a comment, without its indentation; empty if
/// there is none.
pub(super) fn first_line(source: &str) -> std::ops::Range<usize> {
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let trimmed = line.trim();
        if !trimmed.is_empty() && (!trimmed.starts_with('#') || trimmed.starts_with("#!")) {
            let indent = line.len() - line.trim_start().len();
            return start + indent..start + indent + trimmed.len();
        }
        start += line.len();
    }
    0..0
}

/// A test of a file, and the language that it recognises.
type LanguageTest = (fn(&ForeignText<'_>) -> bool, &'static ForeignLanguage);

/// A file, split into lines for the tests.
struct ForeignText<'a> {
    /// The whole text, without white space around it.
    whole: &'a str,
    /// The lines that are not empty, including comments, at most `MAX_LINES`.
    raw: Vec<&'a str>,
    /// The lines in `raw` that are not comments.
    lines: Vec<&'a str>,
}

impl ForeignText<'_> {
    /// Whether a line that is not a comment satisfies a test; the line is given without its indentation.
    fn any(&self, test: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().any(|line| test(line.trim_start()))
    }
}

/// Whether a file is a policy of Gemini CLI: tables of rules with a decision.
fn is_gemini(text: &ForeignText<'_>) -> bool {
    text.any(|line| line == "[[rule]]") && text.any(|line| line.starts_with("decision = "))
}

/// Whether an item was parsed with all its clauses, which shows that the file is a policy.
fn is_valid(item: &ItemKind) -> bool {
    match item {
        ItemKind::Rule(rule) => !rule.has_unparsed_clause && !rule.clauses.is_empty(),
        ItemKind::Test(test) => !test.cases.is_empty(),
        _ => true,
    }
}

/// Whether a line begins like an item or a clause of a policy, and not like a line of another language: `when runs
/// "…"`, but not `when {`.
fn begins_like_policy(line: &str) -> bool {
    let Some((word, rest)) = line.split_once([' ', '\t']) else { return false };
    let rest = rest.trim_start();
    let first = rest.split([' ', '(', ',']).next().unwrap_or_default();
    match word {
        "on" => rest.starts_with('*') || first.starts_with(|c: char| c.is_ascii_uppercase()) && !first.ends_with(':'),
        "when" | "unless" if rest.starts_with('{') => false,
        "when" | "unless" => {
            let verbs = ["runs", "only", "reads", "writes", "deletes", "sends", "connects", "pipes", "exists", "not"];
            let operators = [" == ", " != ", " like ", " matches ", " in ", " contains ", " under "];
            verbs.contains(&first) || operators.iter().any(|operator| rest.contains(operator))
        }
        "deny" | "ask" | "warn" | "context" | "halt" => rest.starts_with(['"', '\'']),
        "fires" | "quiet" => first == "on",
        "run" | "notify" | "record" => rest.starts_with(['"', '[']),
        "rewrite" | "given" | "expect" => !rest.starts_with(['{', '(', '=', ':']),
        "rule" | "test" => rest.ends_with('{'),
        "let" => rest.contains('=') && !rest.ends_with(';'),
        "def" => rest.contains(" = "),
        "use" => rest.starts_with('"'),
        _ => false,
    }
}

/// Whether a file looks like one JSON object or array.
fn is_json(text: &ForeignText<'_>) -> bool {
    let inner = text.whole.strip_prefix(['{', '[']).map(str::trim_start);
    let begins = inner.is_some_and(|inner| inner.starts_with(['"', '{', '[', '}', ']']));
    begins && text.whole.ends_with(['}', ']']) && (text.whole.contains("\":") || text.whole.contains("\" :"))
}

/// Whether a file looks like settings of Claude Code: JSON with `hooks` or `permissions`.
fn is_settings(text: &ForeignText<'_>) -> bool {
    is_json(text) && ["\"hooks\"", "\"permissions\""].iter().any(|key| text.whole.contains(key))
}

/// Whether a file looks like a Cedar policy: it contains `permit (` or `forbid (`.
fn is_cedar(text: &ForeignText<'_>) -> bool {
    let begins = |line: &str| {
        let rest = line.strip_prefix("permit").or_else(|| line.strip_prefix("forbid"));
        rest.is_some_and(|rest| rest.trim_start().starts_with('('))
    };
    text.any(begins) && (text.whole.contains("principal") || text.whole.ends_with(';'))
}

/// Whether a file looks like a Rego policy: it begins with `package NAME`, or has at least three of the other signs.
fn is_rego(text: &ForeignText<'_>) -> bool {
    let package = text.lines.first().is_some_and(|line| {
        line.strip_prefix("package ").is_some_and(|name| !name.contains([' ', ';', '"']) && !name.is_empty())
    });
    let signs = [
        text.any(|line| line.starts_with("default ") && line.contains('=')),
        text.any(|line| line.starts_with("import rego") || line.starts_with("import data.")),
        text.any(|line| {
            ["deny[", "violation[", "allow {", "allow if", "deny contains"].iter().any(|s| line.starts_with(s))
        }),
        text.any(|line| line.contains(" := ")),
        text.whole.contains("input."),
    ];
    package && text.lines.len() > 1 || signs.iter().filter(|sign| **sign).count() > MIN_SIGNS
}

/// Whether a file has rules of Codex: `prefix_rule(pattern = ["git", "push"], decision = "prompt")`
fn is_codex(text: &ForeignText<'_>) -> bool {
    text.any(|line| line.starts_with("prefix_rule("))
}

/// Whether a file begins with front matter: keys between two lines `---`.
fn is_front_matter(text: &ForeignText<'_>) -> bool {
    let mut lines = text.raw.iter();
    if lines.next() != Some(&"---") {
        return false;
    }
    let mut keys = 0;
    for line in lines {
        if *line == "---" {
            return keys > 0;
        }
        if is_key(line) {
            keys += 1;
        }
    }
    false
}

/// Whether a file looks like a configuration of conclaude: YAML with one of its keys.
fn is_conclaude(text: &ForeignText<'_>) -> bool {
    let keys = ["preToolUse:", "uneditableFiles:", "preventRootAdditions:", "subagentStop:", "toolUsageValidation:"];
    let stop =
        text.any(|line| line == "stop:") && text.any(|line| line.starts_with("commands:") || line.starts_with("run:"));
    is_yaml(text) && (stop || text.any(|line| keys.iter().any(|key| line.starts_with(key))))
}

/// Whether a file looks like YAML: it has several keys, and each line that is not indented is a key or an element of
/// a list.
fn is_yaml(text: &ForeignText<'_>) -> bool {
    let mut keys = 0;
    let mut others = 0;
    for line in &text.lines {
        let trimmed = line.trim();
        let item = trimmed.strip_prefix("- ").map_or(trimmed, str::trim_start);
        if is_key(item) {
            keys += 1;
        } else if trimmed != "---" && !trimmed.starts_with("- ") && !line.starts_with(' ') {
            others += 1;
        }
    }
    keys >= MIN_SIGNS && others == 0
}

/// Whether a line is a key of YAML: `key:` or `key: value`.
fn is_key(line: &str) -> bool {
    let Some((key, rest)) = line.trim().split_once(':') else { return false };
    let key = key.trim_matches(['"', '\'']);
    let is_name =
        !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'|'));
    is_name && (rest.is_empty() || rest.starts_with(' ')) && !rest.trim_end().ends_with('{')
}
