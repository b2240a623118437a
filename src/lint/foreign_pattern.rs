//! Special characters of a shell, a regex or a manual page in a command pattern, where they are literal.

use super::comparison::each_pattern;
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, Written, as_pattern};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, Rule};
use crate::syntax::literal;
use hookrules_shell::{Pattern, Program, Unlisted, program};

pub(super) const LINT: Lint = Lint { codes: &[Code::FOREIGN_PATTERN], check };

fn check(written: &Written<'_>, rule: &Rule, findings: &mut FindingSink) {
    each_pattern(rule, &mut |seen, pattern| {
        findings.extend(sign(pattern).map(|sign| finding(written, seen.test, pattern, &sign)));
    });
}

/// A notation of another language.
enum Sign {
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
struct Foreign<'p> {
    sign: Sign,
    word: &'p str,
    /// Its replacement, if a pattern can express it.
    instead: Option<String>,
}

fn sign(pattern: &Pattern) -> Option<Foreign<'_>> {
    let text = pattern.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let is_first = at == 0;
        let bare = word.trim_start_matches('!');
        let blank = (!is_first).then(|| "*".to_owned());
        let sign = |sign: Sign, instead: Option<String>| Some(Foreign { sign, word, instead });
        let value = bare.split_once('=').map_or(bare, |(_, value)| value);
        if value.starts_with(['"', '\'', '`']) || value.len() > 1 && value.ends_with(['"', '\'', '`']) {
            let inner = value.trim_matches(['"', '\'', '`']);
            let is_whole = value.starts_with(['"', '\'']) && value.len() > 2 && value.ends_with(['"', '\'']);
            return sign(Sign::Quotes, is_whole.then(|| word.replace(value, inner)));
        }
        if matches!(bare, "..." | "…") {
            return sign(Sign::Blank, blank);
        }
        // A package's script may have a colon in its name.
        let begins = is_first || at == 1 && words.first().and_then(|first| program(first)).is_some_and(has_own_names);
        if let Some(command) = bare.strip_suffix(":*").filter(|command| begins && !command.is_empty()) {
            return sign(Sign::Permission, Some(command.to_owned()));
        }
        let is_name = |name: &str| {
            name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_' | b' '))
        };
        let in_braces = |open, close| value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = in_braces('{', '}').filter(|inner| inner.contains(',')) {
            let words: Vec<&str> = inner.split(',').collect();
            let is_whole = words.iter().all(|word| !word.is_empty() && !word.contains(['{', '}', '|']));
            return sign(Sign::Braces, is_whole.then(|| word.replace(value, &format!("({})", words.join("|")))));
        }
        if in_braces('{', '}').is_some_and(is_name) || in_braces('[', ']').is_some_and(is_name) {
            return sign(Sign::Blank, blank.map(|blank| word.replace(value, &blank)));
        }
        let has_variable = value.split('$').skip(1).any(|rest| {
            rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '{' | '(' | '_' | '@' | '*' | '1'))
        });
        if !is_first && (has_variable || value == "~" || value.starts_with("~/")) {
            return sign(Sign::Expanded, None);
        }
        let has_class = ["\\s", "\\b", "\\d", "\\w", "\\S", "(?"].iter().any(|class| bare.contains(class));
        let ends_line = bare.len() > 1 && bare.ends_with('$');
        // A file name may have a dot before its star.
        let has_subcommands =
            || words.first().and_then(|first| program(first)).is_some_and(|it| !it.commands.is_empty());
        let is_rest = matches!(bare, ".*" | ".+") && has_subcommands();
        if has_class
            || ends_line
            || bare.starts_with("^(")
            || is_rest
            || is_first && bare.starts_with(['^', '.']) && bare.len() > 1
        {
            return sign(Sign::Regex, is_rest.then(|| "*".to_owned()));
        }
        None
    })
}

/// Whether the word after a program is one of its own subcommands rather than a script of the project.
fn has_own_names(program: &Program) -> bool {
    !program.commands.is_empty() && program.unlisted != Unlisted::Script
}

fn finding(written: &Written<'_>, test: &Condition, pattern: &Pattern, foreign: &Foreign<'_>) -> Diagnostic {
    let Foreign { sign, word, instead } = foreign;
    let place = written.pattern(test, pattern.text());
    let label = match sign {
        Sign::Quotes => "the quotes are letters here: no command has them",
        Sign::Expanded => "compared as it stands, with words in which the shell has replaced it",
        Sign::Blank => "stands for itself here, not for any word",
        Sign::Regex => "a pattern is words, not a regex: this matches nothing",
        Sign::Braces => "the braces are letters here: no command has them",
        Sign::Permission => "any arguments in a permission of the host; here these are letters",
    };
    let finding = Diagnostic::new(Code::FOREIGN_PATTERN, shortened("`", word, "` in a command pattern"))
        .label(place.unwrap_or(test.span), label);
    let mended = instead.as_ref().map(|instead| pattern.text().replacen(word, instead, 1));
    let as_words = || matches!(sign, Sign::Regex).then(|| as_pattern::pattern(pattern.text())).flatten();
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
        Sign::Quotes => "test a word with blanks behind `where`: `option \"-m\" == \"a b\"`, `operands == \"a b\"`",
        Sign::Expanded => {
            "test the files: `reads`, `writes` or `deletes` with `like \"~/…\"`, or write `*` for any word"
        }
        Sign::Permission => "leave out the `:*`: anything may follow a pattern of `runs`",
        Sign::Blank => "leave it out: anything may follow, and `*` stands for one word",
        Sign::Braces => "write the alternatives as `(--force|-f)`",
        Sign::Regex => {
            "write the words, `*` for any one, `(a|b)` for one of some; what an operand is like goes behind `where`"
        }
    })
}
