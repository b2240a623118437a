//! Special characters of a shell, a regex or a manual page in a command pattern, where they are literal.

use super::comparison::each_pattern;
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts, as_pattern};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, Rule};
use crate::syntax::literal;
use hookrules_shell::Pattern;
use hookrules_shell::programs::{Program, Unlisted, program};

pub(super) const LINT: Lint = Lint { codes: &[Code::FOREIGN_PATTERN], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    each_pattern(rule, &mut |seen, pattern| {
        findings.extend(sign(pattern).map(|sign| finding(written, seen.test, pattern, &sign)));
    });
}

/// A notation of another language.
enum ForeignNotation {
    /// Quotes around words.
    Quotes,
    /// `$HOME`, `~`
    Expanded,
    /// `...`, `{package}`, `[package]`
    Blank,
    /// `^git`, `\s+`, `.*`
    Regex,
    /// `{--force,-f}`
    Braces,
    /// `rm:*`
    Permission,
}

/// A word of a pattern that no command has.
struct ForeignWord<'p> {
    sign: ForeignNotation,
    word: &'p str,
    /// Its replacement, if a pattern can express it.
    instead: Option<String>,
}

fn sign(pattern: &Pattern) -> Option<ForeignWord<'_>> {
    let words: Vec<&str> = pattern.text().split_whitespace().collect();
    (0..words.len()).find_map(|at| of_word(&words, at))
}

fn of_word<'p>(words: &[&'p str], at: usize) -> Option<ForeignWord<'p>> {
    let word = *words.get(at)?;
    let is_first = at == 0;
    let program = words.first().and_then(|first| program(first));
    let bare = word.trim_start_matches('!');
    let blank = (!is_first).then(|| "*".to_owned());
    let sign = |sign: ForeignNotation, instead: Option<String>| Some(ForeignWord { sign, word, instead });
    let value = bare.split_once('=').map_or(bare, |(_, value)| value);
    if value.starts_with(['"', '\'', '`']) || value.len() > 1 && value.ends_with(['"', '\'', '`']) {
        let inner = value.trim_matches(['"', '\'', '`']);
        let is_whole = value.starts_with(['"', '\'']) && value.len() > 2 && value.ends_with(['"', '\'']);
        return sign(ForeignNotation::Quotes, is_whole.then(|| word.replace(value, inner)));
    }
    if matches!(bare, "..." | "…") {
        return sign(ForeignNotation::Blank, blank);
    }
    // A package's script may have a colon in its name.
    let begins = is_first || at == 1 && program.is_some_and(has_own_names);
    if let Some(command) = bare.strip_suffix(":*").filter(|command| begins && !command.is_empty()) {
        return sign(ForeignNotation::Permission, Some(command.to_owned()));
    }
    let in_brackets = |open, close| value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some(inner) = in_brackets('{', '}').filter(|inner| inner.contains(',')) {
        let words: Vec<&str> = inner.split(',').collect();
        let is_whole = words.iter().all(|word| !word.is_empty() && !word.contains(['{', '}', '|']));
        return sign(ForeignNotation::Braces, is_whole.then(|| word.replace(value, &format!("({})", words.join("|")))));
    }
    if in_brackets('{', '}').or_else(|| in_brackets('[', ']')).is_some_and(is_placeholder_name) {
        return sign(ForeignNotation::Blank, blank.map(|blank| word.replace(value, &blank)));
    }
    if !is_first && is_expanded(value) {
        return sign(ForeignNotation::Expanded, None);
    }
    // A file name may have a dot before its star.
    let is_rest = matches!(bare, ".*" | ".+") && program.is_some_and(|it| !it.commands.is_empty());
    let begins_regex = is_first && bare.starts_with(['^', '.']) && bare.len() > 1;
    if is_rest || begins_regex || is_regex(bare) {
        return sign(ForeignNotation::Regex, is_rest.then(|| "*".to_owned()));
    }
    None
}

fn is_placeholder_name(name: &str) -> bool {
    name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_' | b' '))
}

/// Whether a shell replaces a variable or the home directory in a word.
fn is_expanded(word: &str) -> bool {
    let is_variable = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '{' | '(' | '_' | '@' | '*' | '1'))
    };
    word == "~" || word.starts_with("~/") || word.split('$').skip(1).any(is_variable)
}

fn is_regex(word: &str) -> bool {
    let has_class = ["\\s", "\\b", "\\d", "\\w", "\\S", "(?"].iter().any(|class| word.contains(class));
    let ends_line = word.len() > 1 && word.ends_with('$');
    has_class || ends_line || word.starts_with("^(")
}

/// Whether the word after a program is one of its own subcommands rather than a script of the project.
fn has_own_names(program: &Program) -> bool {
    !program.commands.is_empty() && program.unlisted != Unlisted::Script
}

fn finding(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern, foreign: &ForeignWord<'_>) -> Diagnostic {
    let ForeignWord { sign, word, instead } = foreign;
    let place = written.pattern(test, pattern.text());
    let label = match sign {
        ForeignNotation::Quotes => "the quotes are letters here: no command has them",
        ForeignNotation::Expanded => "compared as it stands, with words in which the shell has replaced it",
        ForeignNotation::Blank => "stands for itself here, not for any word",
        ForeignNotation::Regex => "a pattern is words, not a regex: this matches nothing",
        ForeignNotation::Braces => "the braces are letters here: no command has them",
        ForeignNotation::Permission => "any arguments in a permission of the host; here these are letters",
    };
    let finding = Diagnostic::new(Code::FOREIGN_PATTERN, shortened("`", word, "` in a command pattern"))
        .label(place.unwrap_or(test.span), label);
    let mended = instead.as_ref().map(|instead| pattern.text().replacen(word, instead, 1));
    let as_words = || matches!(sign, ForeignNotation::Regex).then(|| as_pattern::pattern(pattern.text())).flatten();
    let is_good =
        |mended: &String| Pattern::with(mended, pattern.programs()).is_ok_and(|mended| self::sign(&mended).is_none());
    if let Some(mended) = mended.or_else(as_words).filter(is_good) {
        let finding = finding.help(format!("write `{mended}`"));
        return match place {
            Some(place) => finding.fix_that_changes(place, literal(&mended, "")),
            None => finding,
        };
    }
    finding.help(match sign {
        ForeignNotation::Quotes => {
            "test a word with blanks behind `where`: `option \"-m\" == \"a b\"`, `operands == \"a b\"`"
        }
        ForeignNotation::Expanded => {
            "test the files: `reads`, `writes` or `deletes` with `like \"~/…\"`, or write `*` for any word"
        }
        ForeignNotation::Permission => "leave out the `:*`: anything may follow a pattern of `runs`",
        ForeignNotation::Blank => "leave it out: anything may follow, and `*` stands for one word",
        ForeignNotation::Braces => "write the alternatives as `(--force|-f)`",
        ForeignNotation::Regex => {
            "write the words, `*` for any one, `(a|b)` for one of some; what an operand is like goes behind `where`"
        }
    })
}
