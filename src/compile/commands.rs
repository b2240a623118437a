//! Compiles command patterns (`runs "git push"`), and reports mistakes in them.

use std::borrow::Cow;

use crate::diagnostic::{Code, Diagnostic};
use crate::limits::parts_of_bytes;
use crate::ruleset::Patterns;
use crate::span::Span;
use crate::syntax::ast::{self, ValueKind};
use hookrules_shell::pattern::BadPattern;
use hookrules_shell::programs::ProgramRecord;
use hookrules_shell::{Pattern, Programs};

use super::account::ChargeReason;
use super::approved_texts::approval_help;
use super::field::WHERE_WORDS;
use super::names::{LayerNames, ScopedValue};
use super::values::{empty_list, is_literally_empty, kind_noun};

/// The number of bytes of a pattern that count as one part. A word may be as short as that.
const BYTES_PER_PART: usize = 2;

/// The help for a pattern whose program has a path. For `only runs`, a script of the project is not the program with
/// the same base name.
const PROGRAM_PATH_HELP: &str = "write the base name, which `runs` finds in any directory; `only runs` names a program \
                                 of the project by its path from the project's directory: `\"./scripts/NAME\"`";

/// Which programs a test finds by the path of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramPaths {
    /// The base name alone counts, so a directory in front of it would be ignored.
    Ignored,
    /// The path names a file of the project.
    OfProject,
}

/// Compiles a pattern or a list of patterns, or returns them from the cache; `None` if a mistake was reported.
pub(super) fn compile_patterns<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    paths: ProgramPaths,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Patterns> {
    let patterns = names.patterns.get_or_compile(scoped, &names.account, diagnostics, |diagnostics| {
        compile_uncached_patterns(names, scoped, paths, diagnostics)
    })?;
    if paths == ProgramPaths::OfProject {
        return Some(patterns);
    }
    let with_path = patterns.iter().find_map(|pattern| Some((pattern.text(), pattern.program_in_directory()?)));
    let Some((text, program)) = with_path else { return Some(patterns) };
    let span = names
        .elements(scoped, diagnostics)
        .into_iter()
        .find_map(|element| match &element.value.kind {
            ValueKind::Text(written) if written.value == text => Some(written.span),
            _ => None,
        })
        .unwrap_or(scoped.value.span);
    diagnostics.push(path_in_generous_test(text, program, span));
    None
}

/// Returns the finding about a program with a directory in a test that finds a program in any directory.
fn path_in_generous_test(pattern: &str, program: &str, span: Span) -> Diagnostic {
    let (_, base) = program.rsplit_once('/').unwrap_or(("", program));
    let right = quoted(&pattern.replacen(program, base, 1));
    Diagnostic::new(Code::BAD_PATTERN, format!("a program with a path: `{program}`"))
        .label(span, "in this pattern")
        .help(format!("write `{right}`, which finds the program in any directory; only `only runs` looks at its path"))
        .fix(span, right)
}

/// Compiles a pattern or a list of patterns.
fn compile_uncached_patterns<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    paths: ProgramPaths,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Patterns> {
    let elements = names.elements(scoped, diagnostics);
    if is_literally_empty(scoped.value) {
        diagnostics.push(empty_list(scoped.value.span));
        return None;
    }
    let bytes = elements.iter().map(|element| match &element.value.kind {
        ValueKind::Text(text) => text.value.len(),
        _ => 0,
    });
    names.account.charge(parts_of_bytes(bytes.sum(), BYTES_PER_PART), ChargeReason::Patterns, scoped.value.span)?;
    if let Some(found) = one_command_as_list(scoped.value, names.programs(scoped.value.span)) {
        diagnostics.push(found);
        return None;
    }
    let mut patterns = Vec::with_capacity(elements.len());
    let before = diagnostics.len();
    let several = elements.len() > 1;
    for element in elements {
        match &element.value.kind {
            ValueKind::Text(text) if several && is_exclusion(&text.value) => {
                diagnostics.push(exclusion_finding(scoped.value, text))
            }
            ValueKind::Text(text) => match compile_pattern(&text.value, text.span, names.programs(text.span), paths) {
                Ok(pattern) => {
                    let parts = program_parts(pattern.programs());
                    names.account.charge(parts, ChargeReason::Patterns, text.span)?;
                    patterns.push(pattern);
                }
                Err(diagnostic) => diagnostics.push(*diagnostic),
            },
            ValueKind::Name(name) => {
                diagnostics.extend(name.as_single_name().map(|name| names.unknown_name(element.file, name)))
            }
            kind => diagnostics.push(
                Diagnostic::new(Code::TYPE_MISMATCH, format!("a command pattern is a string, not {}", kind_noun(kind)))
                    .label(element.value.span, format!("this is {}", kind_noun(kind)))
                    .help("write the command's words in quotes: \"git push --force\""),
            ),
        }
    }
    (diagnostics.len() == before).then(|| Patterns::new(patterns))
}

/// Whether a pattern looks like an exclusion in a list of another language: `!terraform plan`.
fn is_exclusion(pattern: &str) -> bool {
    pattern.strip_prefix('!').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// Returns the finding about an exclusion in a list of patterns, such as `["terraform *", "!terraform plan"]`.
fn exclusion_finding(list: &ast::AstValue, text: &ast::StringLiteral) -> Diagnostic {
    let word = text.value.split_whitespace().next().unwrap_or_default();
    let texts = list.texts().unwrap_or_default();
    let (excluded, included): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| is_exclusion(text));
    let format_list = |texts: Vec<String>| crate::syntax::format_one_or_list(&texts);
    let meant = format_list(included.iter().map(|text| (*text).to_owned()).collect());
    let without_sign = |text: &&str| {
        let words = text.trim_start_matches('!').trim_end_matches(['*', ' ']);
        format!("{words} *")
    };
    let excluded = format_list(excluded.iter().map(without_sign).collect());
    let found = Diagnostic::new(Code::BAD_PATTERN, format!("a command pattern that begins with `{word}`"))
        .label(text.span, "a list of command patterns has no exceptions");
    match included.is_empty() || meant.len() + excluded.len() > 60 {
        true => found.help("add a test of its own: `and not only runs …`"),
        false => found.help(format!("write `runs {meant} and not only runs {excluded}`")),
    }
}

/// Returns the finding about a list of the words of one command, such as `["git", "push", "--force"]`. It is
/// recognised by an option among the words, because no command begins with an option.
fn one_command_as_list(value: &ast::AstValue, programs: &Programs) -> Option<Diagnostic> {
    let words = value.texts().filter(|_| matches!(value.kind, ValueKind::List(_)))?;
    let (first, rest) = words.split_first()?;
    let is_one_command = !first.starts_with('-') && words.iter().all(|word| !word.contains(' '));
    if !is_one_command || !rest.iter().any(|word| word.starts_with('-')) {
        return None;
    }
    let joined = words.join(" ");
    Pattern::with_programs(&joined, programs).ok()?;
    let right = quoted(&joined);
    Some(
        Diagnostic::new(Code::BAD_PATTERN, "the words of one command as a list")
            .label(value.span, "each element is a pattern of its own")
            .help(format!("write `{right}`"))
            .fix(value.span, right),
    )
}

/// Returns the number of parts that the program records of a pattern count for: each rule with the pattern includes
/// them.
pub(super) fn program_parts(programs: &Programs) -> u64 {
    let mut parts = 0_u64;
    let mut remaining: Vec<&ProgramRecord> = programs.records().map(AsRef::as_ref).collect();
    while let Some(record) = remaining.pop() {
        let options = record.options.len() + record.shared.iter().map(Vec::len).sum::<usize>();
        parts = parts.saturating_add(parts_of_bytes(record.names.len() + options, 1));
        remaining.extend(&record.commands);
    }
    parts
}

/// Compiles a single pattern, or returns the finding about its mistake.
pub(super) fn compile_pattern(
    text: &str,
    span: Span,
    programs: &Programs,
    paths: ProgramPaths,
) -> Result<Pattern, Box<Diagnostic>> {
    // `contains` is cheaper than preparing a split, and most patterns have no `where`.
    let filtered = text.contains(" where ").then(|| text.split_once(" where ")).flatten();
    if let Some((front, filter)) = filtered.filter(|(_, filter)| is_filter_start(filter)) {
        return Err(Box::new(
            Diagnostic::new(Code::BAD_PATTERN, "`where` inside a command pattern")
                .label(span, "part of the command's words")
                .help(format!("close the quotes before it: `runs \"{}\" where {filter}`", front.trim_end())),
        ));
    }
    if let Some(inner) = command_of_permission(text) {
        let right = format!("\"{inner}\"");
        return Err(Box::new(
            Diagnostic::new(Code::BAD_PATTERN, "a permission of the host as a command pattern")
                .label(span, "a tool and what it is called with")
                .help(format!("write `{right}`"))
                .fix(span, right),
        ));
    }
    Pattern::with_programs(text, programs).map_err(|bad| match bad {
        BadPattern::ShellSyntax => Box::new(shell_syntax(text, span, paths)),
        bad => bad_pattern(&bad, span),
    })
}

/// Returns the finding about a pattern with shell syntax, and how to express the same in a policy.
fn shell_syntax(text: &str, span: Span, paths: ProgramPaths) -> Diagnostic {
    let finding = |message: &str| Diagnostic::new(Code::BAD_PATTERN, message).label(span, "in this pattern");
    if text.contains("(){") || text.contains("() {") {
        return finding("a shell function in a command pattern")
            .help("a pattern is one command; test the shape of the text: `command matches /…/`, with `@allow(raw-command-regex, \"…\")`");
    }
    if let Some(right) = without_group_names(text).filter(|right| Pattern::new(right).is_ok()) {
        let right = quoted(&right);
        return finding("a group of a regex in a command pattern")
            .help(format!("a pattern captures nothing: write `{right}`, and `{{match}}` shows the command"))
            .fix(span, right);
    }
    if let Some(right) = placeholders_as_wildcards(text) {
        let finding = finding("a placeholder in a command pattern");
        let help = format!("`*` stands for any word: write `{right}`");
        let is_pattern = Pattern::new(right.trim_matches('"')).is_ok();
        return if is_pattern { finding.help(help).fix(span, right) } else { finding.help(help) };
    }
    finding("shell syntax in a command pattern").help(match paths {
        ProgramPaths::OfProject => approval_help(text),
        ProgramPaths::Ignored => help_for_shell_syntax(text),
    })
}

/// Returns a pattern whose regex groups are groups of alternatives: `(major|minor)` for `(?<kind>major|minor)`. `None` if
/// it has no named group.
fn without_group_names(text: &str) -> Option<String> {
    let mut right = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("(?") {
        let (_, inner) = behind.trim_start_matches('P').strip_prefix('<')?.split_once('>')?;
        let (alternatives, after) = inner.split_once(')')?;
        // A group that is no list of words is any word.
        let is_words = alternatives.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"|-_.:/".contains(&byte));
        right.push_str(before);
        right.push_str(&match is_words {
            true if alternatives.contains('|') => format!("({alternatives})"),
            true => alternatives.to_owned(),
            false => "*".to_owned(),
        });
        rest = after;
    }
    (!right.is_empty()).then(|| right + rest)
}

/// Returns a text in quotes with `*` for each word such as `<branch>`; `None` if it has no such word.
fn placeholders_as_wildcards(text: &str) -> Option<String> {
    let is_placeholder = |word: &str| {
        let inner = word.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        inner
            .is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')))
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().any(|word| is_placeholder(word)).then(|| {
        let as_pattern_word = |word: &&str| if is_placeholder(word) { "*" } else { *word }.to_owned();
        quoted(&words.iter().map(as_pattern_word).collect::<Vec<String>>().join(" "))
    })
}

/// Returns help that expresses a redirection, a change of directory or several commands as tests of a policy.
fn help_for_shell_syntax(text: &str) -> String {
    // A group of commands means what is in it.
    let group = |open, close| text.trim().strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
    let text = group('(', ')').or_else(|| group('{', '}')).unwrap_or(text).trim().trim_end_matches(';');
    let commands = |sign: &str| -> Vec<String> {
        text.split(sign).map(|part| quoted(part.trim())).filter(|part| part.len() > 2).collect()
    };
    let redirected = text.split_once('>').map(|(_, file)| file.trim_start_matches(['>', '&', '|']).trim());
    if let Some(file) = redirected.filter(|file| !file.is_empty() && !file.contains(char::is_whitespace)) {
        return format!("what a call writes is a test of its own: `writes like {}`", quoted(file));
    }
    if let Some(meant) = in_directory(text) {
        return format!("a pattern is one command, and its directory a property of it: `{meant}`");
    }
    for (sign, join) in [(" && ", " and "), (" || ", " or "), ("; ", " and ")] {
        if let [first, second, ..] = commands(sign).as_slice() {
            return format!("a pattern is one command: `runs {first}{join}runs {second}`");
        }
    }
    match commands(" | ").as_slice() {
        [from, into] => format!("write `pipes {from} into {into}` in place of `runs`"),
        _ => {
            "a pattern is one command: join tests with `and`, `or`, or use `pipes … into …`, `writes like …`".to_owned()
        }
    }
}

/// Translates `cd DIR && COMMAND` to the test `runs "COMMAND" where cwd under "DIR"`. `None` for any other text.
fn in_directory(text: &str) -> Option<String> {
    let rest = text.trim().strip_prefix("cd ").or_else(|| text.trim().strip_prefix("pushd "))?;
    let (directory, command) = rest.split_once("&&").or_else(|| rest.split_once(';'))?;
    let (directory, command) = (directory.trim(), command.trim());
    let is_one_word = !directory.is_empty() && !directory.contains(char::is_whitespace);
    if !is_one_word || Pattern::new(command).is_err() {
        return None;
    }
    let test = match directory.contains(['*', '?']) {
        true => format!("cwd like {}", quoted(directory)),
        false => format!("cwd under {}", quoted(directory.trim_end_matches('/'))),
    };
    Some(format!("runs {} where {test}", quoted(command)))
}

/// Formats a text as a string of a policy.
fn quoted(text: &str) -> String {
    crate::syntax::string_literal(text, "")
}

/// Returns the command in a permission of Claude Code: `git push` for `Bash(git push:*)`. `None` for any other text.
fn command_of_permission(text: &str) -> Option<&str> {
    let (tool, inner) = text.strip_suffix(')')?.split_once('(')?;
    let is_tool = tool.starts_with(|c: char| c.is_ascii_uppercase()) && tool.bytes().all(|b| b.is_ascii_alphanumeric());
    let inner = inner.trim_end_matches(":*").trim_end_matches(" *").trim();
    (is_tool && !inner.is_empty() && !inner.contains('"')).then_some(inner)
}

/// Whether a text begins like the test after a `where`.
fn is_filter_start(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let word = words.next().unwrap_or_default().trim_start_matches('(');
    let is_field = WHERE_WORDS.contains(&word) || word.starts_with("env.");
    let is_prefix = matches!(word, "not" | "option" | "reads" | "writes" | "deletes" | "sends" | "connects" | "exists");
    (is_field || is_prefix) && words.next().is_some()
}

/// Returns the finding about an invalid pattern.
pub(super) fn bad_pattern(bad: &BadPattern, span: Span) -> Box<Diagnostic> {
    let (message, help) = explain_bad_pattern(bad);
    Box::new(Diagnostic::new(Code::BAD_PATTERN, message).label(span, "in this pattern").help(help.into_owned()))
}

/// Returns the message and the help of the finding about an invalid pattern.
fn explain_bad_pattern(bad: &BadPattern) -> (String, Cow<'static, str>) {
    let group = "write the alternatives of a word as (a|b), closed before the next word";
    let (message, help) = match bad {
        BadPattern::NestedGroup => ("a group inside a group".to_owned(), group),
        BadPattern::StrayClose => ("a `)` without its `(`".to_owned(), group),
        BadPattern::OpenGroup => ("a `(` that is not closed".to_owned(), group),
        BadPattern::TwoGroups(word) => {
            (format!("more than one group of alternatives in `{word}`"), "write out each word: (ac|ad|bc|bd)")
        }
        BadPattern::Empty => ("a command pattern without a word".to_owned(), "write the program first: \"git push\""),
        BadPattern::NoProgram(word) => {
            let help = match word.strip_prefix('!') {
                Some("") => "negate the test: `not runs \"…\"`".to_owned(),
                Some(negated) if !negated.starts_with('-') => format!("negate the test: `not runs \"{negated} …\"`"),
                _ => format!("write the program first: `\"PROGRAM {word} …\"`"),
            };
            return (format!("a command pattern that begins with `{word}`"), Cow::Owned(help));
        }
        BadPattern::PathAsProgram(word) => (format!("a program with a path: `{word}`"), PROGRAM_PATH_HELP),
        BadPattern::ShellSyntax => (
            "shell syntax in a command pattern".to_owned(),
            "a pattern is a single command: join tests with `and`, `or`, or use `pipes … into …`",
        ),
        BadPattern::MixedAlternatives(word) => {
            (format!("`{word}` mixes flags and other words"), "write only flags, or no flags, as alternatives")
        }
        BadPattern::EmptyAlternative(word) => {
            (format!("an empty alternative in `{word}`"), "write a word on each side of `|`")
        }
        BadPattern::StrayNot(word) => (
            format!("`!` in `{word}` is neither `!--flag` nor a final `!*`"),
            "`!--flag` means that a flag is absent, a final `!*` that there are no more operands",
        ),
    };
    (message, Cow::Borrowed(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_pattern(text: &str) -> bool {
        compile_pattern(text, Span::default(), &Programs::default(), ProgramPaths::Ignored).is_ok()
    }

    #[test]
    fn patterns_of_the_language_are_fine() {
        for pattern in [
            "git push (--force|--mirror)",
            "git push !--dry-run",
            "git push !*",
            "curl|wget",
            "rm -r -f",
            "git (status|diff|log|show) *",
            "rg *",
            "sh|bash|zsh|python*",
            "npm run test:* -- --watch",
            "chmod (777|0777|a+rwx)",
            "npm run test:(unit|e2e)",
            "git push !(--dry-run|-n)",
        ] {
            assert!(is_pattern(pattern), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_cannot_be_meant_are_refused() {
        for pattern in [
            "",
            "--force",
            "git (push",
            "git push)",
            "git (push|--force)",
            "/bin/rm x",
            "a && b",
            "a | b",
            "git !x y",
            "git (a||b)",
            "git|",
            "(git|--push)",
            "git (a|b)(c|d)",
            "git --a|!--b",
        ] {
            assert!(!is_pattern(pattern), "{pattern}");
        }
    }
}
