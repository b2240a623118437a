//! Recognises other languages in which a whole file may be written, by the structure of the file.
//!
//! Used only if nothing in a file could be parsed as ours, and no line begins like a clause of ours.

pub(super) mod draft;
mod elsewhere;

use super::ast::{File, ItemKind};
use super::mistakes::languages::{self, Language};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// The maximum number of lines examined: the beginning shows what a file is.
const LINES: usize = 400;

/// The number of signs that identify a language, if each of them alone also occurs in others.
const SURE: usize = 2;

/// Returns the language of a file, given the tree of everything that could be parsed.
pub(super) fn of(source: &str, file: &File) -> Option<&'static Language> {
    if file.items.iter().any(|item| is_valid(&item.kind)) {
        return None;
    }
    let raw: Vec<&str> = source.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(LINES).collect();
    let lines: Vec<&str> = raw.iter().copied().filter(|line| !line.trim_start().starts_with('#')).collect();
    let text = Text { whole: source.trim(), raw, lines };
    // Its rules begin like ours.
    if elsewhere::is_yara(&text) {
        return Some(languages::YARA);
    }
    if text.lines.is_empty() || text.any(is_ours) {
        return None;
    }
    let tests: [Recognised; 21] = [
        (is_settings, languages::SETTINGS),
        (is_json, languages::JSON),
        (is_front_matter, languages::HOOKIFY),
        (is_cedar, languages::CEDAR),
        (is_rego, languages::REGO),
        (is_python, languages::PYTHON),
        (is_shell, languages::SHELL),
        (is_firewall, languages::FIREWALL),
        (elsewhere::is_unit, languages::UNIT),
        (elsewhere::is_profile, languages::PROFILE),
        (elsewhere::is_server, languages::SERVER),
        (elsewhere::is_grants, languages::GRANTS),
        (elsewhere::is_owners, languages::OWNERS),
        (elsewhere::is_sentinel, languages::SENTINEL),
        (is_permissions, languages::PERMISSIONS),
        (is_conclaude, languages::CONCLAUDE),
        (is_sigma, languages::SIGMA),
        (is_yaml, languages::YAML),
        (is_toml, languages::TOML),
        (is_script, languages::SCRIPT),
        (is_ignore, languages::IGNORE),
    ];
    tests.into_iter().find(|(is, _)| is(&text)).map(|(_, language)| language)
}

/// Returns the finding about a file in another language, with its rules translated as far as possible.
pub(super) fn found(language: &Language, source: &str, span: Span) -> Diagnostic {
    match draft::of(language, source) {
        Some(draft) => language.translated(&draft, span),
        None => language.at(span),
    }
}

/// Returns the range of the first line that is not a comment.
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

/// A test of a file, and the language that it identifies.
type Recognised = (fn(&Text<'_>) -> bool, &'static Language);

/// A file, prepared for the tests.
struct Text<'a> {
    whole: &'a str,
    /// Every line that is not empty.
    raw: Vec<&'a str>,
    /// The lines that are not comments.
    lines: Vec<&'a str>,
}

impl Text<'_> {
    fn any(&self, test: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().any(|line| test(line.trim_start()))
    }

    fn all(&self, test: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().all(|line| test(line.trim()))
    }

    fn count(&self, test: impl Fn(&str) -> bool) -> usize {
        self.lines.iter().filter(|line| test(line.trim())).count()
    }

    fn interpreter(&self) -> &str {
        self.raw.first().and_then(|line| line.strip_prefix("#!")).unwrap_or_default()
    }
}

fn is_valid(item: &ItemKind) -> bool {
    match item {
        ItemKind::Rule(rule) => !rule.broken && !rule.clauses.is_empty(),
        ItemKind::Test(test) => !test.cases.is_empty(),
        _ => true,
    }
}

/// Whether a line begins like a clause of ours and of no other language.
fn is_ours(line: &str) -> bool {
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

fn is_json(text: &Text<'_>) -> bool {
    let inner = text.whole.strip_prefix(['{', '[']).map(str::trim_start);
    let begins = inner.is_some_and(|inner| inner.starts_with(['"', '{', '[', '}', ']']));
    begins && text.whole.ends_with(['}', ']']) && (text.whole.contains("\":") || text.whole.contains("\" :"))
}

fn is_settings(text: &Text<'_>) -> bool {
    is_json(text) && ["\"hooks\"", "\"permissions\""].iter().any(|key| text.whole.contains(key))
}

fn is_cedar(text: &Text<'_>) -> bool {
    let begins = |line: &str| {
        let rest = line.strip_prefix("permit").or_else(|| line.strip_prefix("forbid"));
        rest.is_some_and(|rest| rest.trim_start().starts_with('('))
    };
    text.any(begins) && (text.whole.contains("principal") || text.whole.ends_with(';'))
}

fn is_rego(text: &Text<'_>) -> bool {
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
    package && text.lines.len() > 1 || signs.iter().filter(|sign| **sign).count() > SURE
}

fn is_front_matter(text: &Text<'_>) -> bool {
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

fn is_shell(text: &Text<'_>) -> bool {
    let interpreter = text.interpreter();
    if interpreter.ends_with("sh") || interpreter.contains("sh ") {
        return true;
    }
    let signs = [
        text.any(|line| matches!(line, "fi" | "done" | "esac" | "then" | "do")),
        text.any(|line| line.starts_with("if [") || line.starts_with("case ") && line.ends_with(" in")),
        text.any(|line| line.starts_with("echo ") || line.starts_with("printf ")),
        text.any(|line| line.contains("=$(") || line.contains("\"$")),
        text.any(|line| line.starts_with("set -") || line.starts_with("export ")),
        text.any(|line| matches!(line, "exit 0" | "exit 1" | "exit 2")),
    ];
    signs.iter().filter(|sign| **sign).count() >= SURE
}

fn is_python(text: &Text<'_>) -> bool {
    if text.interpreter().contains("python") {
        return true;
    }
    let imports = |line: &str| {
        (line.starts_with("import ") && !line.contains(['"', '\'', ';', '{', '.']))
            || line.starts_with("from ") && line.contains(" import ")
    };
    let signs = [
        text.any(imports),
        text.any(|line| line.starts_with("def ") && line.ends_with("):")),
        text.any(|line| line.starts_with("if __name__")),
        text.any(|line| line.starts_with("print(") || line.starts_with("sys.exit(") || line.contains("json.load")),
    ];
    signs.iter().filter(|sign| **sign).count() >= SURE
}

fn is_script(text: &Text<'_>) -> bool {
    let begins = |front: &str| text.lines.first().is_some_and(|line| line.starts_with(front));
    if text.interpreter().contains("node") || begins("module.exports") || begins("export default") {
        return true;
    }
    let signs = [
        text.any(|line| line.starts_with("const ") && line.contains('=')),
        text.any(|line| line.starts_with("import ") && line.contains(['"', '\''])),
        text.any(|line| line.starts_with("export ") || line.starts_with("module.exports")),
        text.any(|line| line.ends_with("=> {") || line.starts_with("function ")),
        text.count(|line| line.ends_with(';')) >= SURE,
        text.any(|line| line.contains("process.") || line.contains("console.")),
    ];
    signs.iter().filter(|sign| **sign).count() > SURE
}

fn is_firewall(text: &Text<'_>) -> bool {
    let appends = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let chain = |at: usize| {
            words.get(at).is_some_and(|word| matches!(*word, "-A" | "-I" | "-P" | "-N"))
                && words.get(at + 1).is_some_and(|chain| chain.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
        };
        chain(0) || words.first().is_some_and(|word| matches!(*word, "iptables" | "ip6tables" | "ufw" | "nft"))
    };
    let table = |line: &str| line.starts_with("table ") && line.ends_with('{');
    text.any(appends) || text.any(table) && text.any(|line| line.starts_with("chain "))
}

/// `Bash(npm run test:*)` on every line, with or without `allow` or `deny` before it.
fn is_permissions(text: &Text<'_>) -> bool {
    let is_heading = |line: &str| matches!(line, "ask:" | "allow:" | "deny:" | "permissions:");
    !text.all(is_heading)
        && text.all(|line| {
            if is_heading(line) {
                return true;
            }
            let line = line.trim_start_matches("- ").trim_end_matches(',').trim_matches('"');
            let line = ["allow ", "deny ", "ask "].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
            let tool = line.split('(').next().unwrap_or_default();
            line.ends_with(')')
                && line.contains('(')
                && tool.starts_with(|c: char| c.is_ascii_uppercase())
                && tool.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        })
}

fn is_conclaude(text: &Text<'_>) -> bool {
    let keys = ["preToolUse:", "uneditableFiles:", "preventRootAdditions:", "subagentStop:", "toolUsageValidation:"];
    let stop =
        text.any(|line| line == "stop:") && text.any(|line| line.starts_with("commands:") || line.starts_with("run:"));
    is_yaml(text) && (stop || text.any(|line| keys.iter().any(|key| line.starts_with(key))))
}

fn is_sigma(text: &Text<'_>) -> bool {
    is_yaml(text) && text.any(|line| line == "detection:") && text.any(|line| line.starts_with("condition:"))
}

fn is_yaml(text: &Text<'_>) -> bool {
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
    keys >= SURE && others == 0
}

/// `key:` or `key: value`
fn is_key(line: &str) -> bool {
    let Some((key, rest)) = line.trim().split_once(':') else { return false };
    let key = key.trim_matches(['"', '\'']);
    let is_name =
        !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'|'));
    is_name && (rest.is_empty() || rest.starts_with(' ')) && !rest.trim_end().ends_with('{')
}

fn is_toml(text: &Text<'_>) -> bool {
    let header = |line: &str| line.starts_with('[') && line.ends_with(']') && !line.contains([',', '(', '"', '$']);
    let pair = |line: &str| {
        line.split_once('=').is_some_and(|(key, value)| {
            let key = key.trim();
            let is_name = !key.is_empty()
                && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'"'));
            is_name && !value.starts_with(['=', '~', '>'])
        })
    };
    let (headers, pairs) = (text.count(header), text.count(pair));
    let continued = |line: &str| line.starts_with(['"', '\'', ']', '{', '}', '[']);
    pairs > 0 && headers + pairs >= SURE && text.all(|line| header(line) || pair(line) || continued(line))
}

fn is_ignore(text: &Text<'_>) -> bool {
    let glob = |line: &str| !line.contains([' ', '"', '\'', '{', '}', '(', ')', '=', ':', ',', '@']);
    let marked = |line: &str| line.starts_with(['.', '/', '!', '*']) || line.contains('*') || line.ends_with('/');
    text.lines.len() >= SURE && text.all(glob) && text.count(marked) >= SURE
}
