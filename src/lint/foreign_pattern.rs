//! Finds notations of shells, regexes and manual pages in command patterns, where they have no special meaning.

use super::comparison::{visit_patterns, visit_tests};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts, as_pattern};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Rule, ValueTest};
use crate::syntax::string_literal;
use hookrules_shell::Pattern;
use hookrules_shell::programs::{Program, UnlistedSubcommand, program};

pub(super) const LINT: Lint = Lint { codes: &[Code::FOREIGN_PATTERN], check };

/// Reports the first word with a foreign notation in each command pattern.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_patterns(rule, &mut |seen, pattern| {
        // Where a command is compared exactly, `.venv/bin/pytest` is about that file of the project.
        let is_exact =
            rule.mark().is_some() || matches!(seen.test.kind, ConditionExpr::Command(CommandTest::OnlyRuns { .. }));
        let text = pattern.text();
        let directory = text.split_whitespace().next().and_then(|program| program.rfind('/'));
        let words = directory.filter(|_| is_exact).and_then(|end| text.trim_start().get(end + 1..)).unwrap_or(text);
        // Another finding is about a capture in a pattern.
        let sign = first_foreign_word(words).filter(|sign| !is_capture(rule, sign.word));
        findings.extend(sign.map(|sign| finding(written, seen.test, pattern, &sign)));
    });
}

/// Whether a word is a capture of a rule in braces: `{ticket}`.
fn is_capture(rule: &Rule, word: &str) -> bool {
    let Some(name) = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else { return false };
    let mut is_captured = false;
    visit_tests(rule, &mut |seen| {
        if let ConditionExpr::Compare { test: ValueTest::Matches(regex), .. } = &seen.test.kind {
            let mut names = regex.pattern().split("?<").skip(1).filter_map(|rest| Some(rest.split_once('>')?.0));
            is_captured |= names.any(|captured| captured == name);
        }
    });
    is_captured
}

/// A notation that has no meaning in a command pattern.
enum ForeignNotation {
    /// Quotes around words: `"a b"`.
    Quotes,
    /// An expansion of the shell: `$HOME`, `~`.
    ShellExpansion,
    /// A placeholder of a manual page: `...`, `{package}`, `[package]`.
    Placeholder,
    /// Syntax of a regex: `^git`, `\s+`, `.*`.
    Regex,
    /// Alternatives in braces: `{--force,-f}`.
    Braces,
    /// A permission of Claude Code: `rm:*`.
    Permission,
    /// The directory of a program: `./manage.py`.
    ProgramPath,
}

/// A word of a pattern that no command contains literally.
struct ForeignWord<'p> {
    notation: ForeignNotation,
    word: &'p str,
    /// The word to write instead; `None` if a pattern cannot express the meaning.
    replacement: Option<String>,
}

/// Returns the first word of a pattern's text that has a foreign notation.
fn first_foreign_word(pattern: &str) -> Option<ForeignWord<'_>> {
    let words: Vec<&str> = pattern.split_whitespace().collect();
    (0..words.len()).find_map(|at| foreign_word_at(&words, at))
}

/// Returns the word at an index if it has a foreign notation.
fn foreign_word_at<'p>(words: &[&'p str], index: usize) -> Option<ForeignWord<'p>> {
    let word = *words.get(index)?;
    let is_first = index == 0;
    let program = words.first().and_then(|first| program(first));
    let bare = word.trim_start_matches('!');
    let any_word = (!is_first).then(|| "*".to_owned());
    let foreign =
        |notation: ForeignNotation, instead: Option<String>| Some(ForeignWord { notation, word, replacement: instead });
    let value = bare.split_once('=').map_or(bare, |(_, value)| value);
    if value.starts_with(['"', '\'', '`']) || value.len() > 1 && value.ends_with(['"', '\'', '`']) {
        let inner = value.trim_matches(['"', '\'', '`']);
        let is_whole = value.starts_with(['"', '\'']) && value.len() > 2 && value.ends_with(['"', '\'']);
        return foreign(ForeignNotation::Quotes, is_whole.then(|| word.replace(value, inner)));
    }
    if matches!(bare, "..." | "…") {
        return foreign(ForeignNotation::Placeholder, any_word);
    }
    // A script of a package may have a colon in its name: `npm run lint:fix`.
    let may_be_command = is_first || index == 1 && program.is_some_and(has_listed_subcommands);
    if let Some(command) = bare.strip_suffix(":*").filter(|command| may_be_command && !command.is_empty()) {
        return foreign(ForeignNotation::Permission, Some(command.to_owned()));
    }
    let in_brackets = |open, close| value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some(inner) = in_brackets('{', '}').filter(|inner| inner.contains(',')) {
        let words: Vec<&str> = inner.split(',').collect();
        let is_whole = words.iter().all(|word| !word.is_empty() && !word.contains(['{', '}', '|']));
        return foreign(
            ForeignNotation::Braces,
            is_whole.then(|| word.replace(value, &format!("({})", words.join("|")))),
        );
    }
    if in_brackets('{', '}').or_else(|| in_brackets('[', ']')).is_some_and(is_placeholder_name) {
        return foreign(ForeignNotation::Placeholder, any_word.map(|any_word| word.replace(value, &any_word)));
    }
    if !is_first && is_expanded(value) {
        return foreign(ForeignNotation::ShellExpansion, None);
    }
    // In an operand, `.*` may be the end of a file's name.
    let is_rest = matches!(bare, ".*" | ".+") && program.is_some_and(|it| !it.commands.is_empty());
    // A program is found in any directory by its name: `./manage.py` is that of the project.
    if let Some(name) = bare.strip_prefix("./").filter(|_| is_first) {
        let base = name.rsplit('/').next().unwrap_or(name);
        let is_name =
            !base.is_empty() && base.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.*".contains(&byte));
        return foreign(ForeignNotation::ProgramPath, is_name.then(|| base.to_owned()));
    }
    let begins_regex = is_first && bare.starts_with(['^', '.']) && bare.len() > 1;
    if is_rest || begins_regex || is_regex(bare) {
        return foreign(ForeignNotation::Regex, is_rest.then(|| "*".to_owned()));
    }
    None
}

/// Whether the text in braces or brackets looks like the name of a placeholder: `package`.
fn is_placeholder_name(name: &str) -> bool {
    name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_' | b' '))
}

/// Whether a shell would expand a variable or `~` in a word.
fn is_expanded(word: &str) -> bool {
    let is_variable = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '{' | '(' | '_' | '@' | '*' | '1'))
    };
    word == "~" || word.starts_with("~/") || word.split('$').skip(1).any(is_variable)
}

/// Whether a word contains syntax that only a regex has.
fn is_regex(word: &str) -> bool {
    let has_class = ["\\s", "\\b", "\\d", "\\w", "\\S", "(?"].iter().any(|class| word.contains(class));
    let ends_line = word.len() > 1 && word.ends_with('$');
    has_class || ends_line || word.starts_with("^(")
}

/// Whether the word after a program is one of the program's own subcommands, not a script of the project.
fn has_listed_subcommands(program: &Program) -> bool {
    !program.commands.is_empty() && program.unlisted != UnlistedSubcommand::Script
}

/// Returns the finding about a foreign word, with the corrected pattern if there is one.
fn finding(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern, foreign: &ForeignWord<'_>) -> Diagnostic {
    let ForeignWord { notation, word, replacement: instead } = foreign;
    let literal_span = written.pattern_span(test, pattern.text());
    let label = match notation {
        ForeignNotation::Quotes => "the quotes are letters here: no command has them",
        ForeignNotation::ShellExpansion => "compared as it stands, with words in which the shell has replaced it",
        ForeignNotation::Placeholder => "stands for itself here, not for any word",
        ForeignNotation::Regex => "a pattern is words, not a regex: this matches nothing",
        ForeignNotation::Braces => "the braces are letters here: no command has them",
        ForeignNotation::Permission => "any arguments in a permission of the host; here these are letters",
        ForeignNotation::ProgramPath => "`runs` finds a program in any directory, by its name",
    };
    let finding = Diagnostic::new(Code::FOREIGN_PATTERN, shortened("`", word, "` in a command pattern"))
        .label(literal_span.unwrap_or(test.span), label);
    let corrected = instead.as_ref().map(|instead| pattern.text().replacen(word, instead, 1));
    let as_words =
        || matches!(notation, ForeignNotation::Regex).then(|| as_pattern::command_pattern(pattern.text())).flatten();
    let is_valid = |corrected: &String| {
        Pattern::with_programs(corrected, pattern.programs())
            .is_ok_and(|corrected| self::first_foreign_word(corrected.text()).is_none())
    };
    if let Some(corrected) = corrected.or_else(as_words).filter(is_valid) {
        let finding = finding.help(format!("write `{corrected}`"));
        return match literal_span {
            Some(literal_span) => finding.fix_that_changes(literal_span, string_literal(&corrected, "")),
            None => finding,
        };
    }
    finding.help(match notation {
        ForeignNotation::Quotes => {
            "test a word with blanks behind `where`: `option \"-m\" == \"a b\"`, `operands == \"a b\"`"
        }
        ForeignNotation::ShellExpansion => {
            "test the files: `reads`, `writes` or `deletes` with `like \"~/…\"`, or write `*` for any word"
        }
        ForeignNotation::ProgramPath => "write the name of the program, which is found in any directory",
        ForeignNotation::Permission => "leave out the `:*`: anything may follow a pattern of `runs`",
        ForeignNotation::Placeholder => "leave it out: anything may follow, and `*` stands for one word",
        ForeignNotation::Braces => "write the alternatives as `(--force|-f)`",
        ForeignNotation::Regex => {
            "write the words, `*` for any one, `(a|b)` for one of some; what an operand is like goes behind `where`"
        }
    })
}
