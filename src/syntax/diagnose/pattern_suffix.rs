//! Reports words in spoken language after a test of commands: the directory in which the command runs, the account,
//! exceptions, and flags.

use super::ClauseCursor;
use super::behind::EXCEPTIONS;
use crate::phrases;
use crate::span::Span;
use crate::syntax::mistakes::{ROOTS, SyntaxMistake, forms};
use crate::syntax::token::{Token, TokenKind};

/// The meaning of the words after the pattern of a test, with the correct form of what they mean.
enum PatternSuffix {
    /// A property of the command: `where cwd under "src"`.
    Filter(String),
    /// A directory where the command runs, or whose files it changes: which of both is not certain, so there is no fix.
    /// The form is that of a property.
    Place(String),
    /// Another test, joined by `and`: `and not runs "b"`.
    Test(String),
    /// A flag or operand that belongs in the pattern; the form is the whole test with it.
    Pattern(String),
}

impl ClauseCursor<'_> {
    /// Reports words after a pattern: `runs "a" in "src"`, `runs "a" as "root"`, `runs "a" except "b"`, `runs "a"
    /// with "-f"`. `from` is the index of the token `runs`.
    pub(super) fn words_after_pattern(&mut self, from: usize) {
        if self.is_done() || self.first_on_line() {
            return;
        }
        if self.test_behind_pattern() {
            return;
        }
        if self.excluded_word(from) {
            return;
        }
        let Some((meant, length)) = self.pattern_suffix(from) else { return };
        let (Some(first), Some(last), Some(runs)) = (self.peek(), self.nth(length - 1), self.tokens.get(from).copied())
        else {
            return;
        };
        let word = first.text(self.source);
        let span = self.span_of(first);
        let place = span.joined_with(self.span_of(last));
        // A second filter would have to be joined to the first in parentheses, so there is no fix for it.
        let is_last = self.text_at(length) != "where";
        let (mistake, place, right) = match &meant {
            PatternSuffix::Filter(right) => (SyntaxMistake::FilterWithoutWhere { word, right }, place, right),
            PatternSuffix::Place(right) => (SyntaxMistake::PlaceBehindPattern { word, right }, place, right),
            PatternSuffix::Test(right) => (SyntaxMistake::TestWithoutAnd { word, right }, place, right),
            PatternSuffix::Pattern(right) => {
                (SyntaxMistake::FlagBehindPattern { word, right }, self.span_of(runs).joined_with(place), right)
            }
        };
        match is_last && !matches!(meant, PatternSuffix::Place(_)) {
            true => self.report_with_fix_at(mistake, span, place, right),
            false => self.report(mistake, span),
        }
        self.at += length;
    }

    /// Returns the meaning of the next words and their number; `None` if they have no known meaning. `from` is the
    /// index of the token `runs`.
    fn pattern_suffix(&self, from: usize) -> Option<(PatternSuffix, usize)> {
        let word = self.text();
        let second = self.text_at(1);
        match word {
            "in" | "inside" | "within" | "below" | "under" | "at" => self.directory_suffix("under"),
            "outside" => self.directory_suffix("outside"),
            "from" if self.is_about(from, "git") && !second.contains('/') => self.branch_suffix(1),
            "from" => self.directory_suffix("under"),
            "as" | "via" | "using" | "through" | "with" if self.wrapper(1).is_some() => {
                Some((PatternSuffix::Filter(forms::where_via(self.wrapper(1)?)), 2))
            }
            word if EXCEPTIONS.contains(&word) => {
                self.exception_suffix(from, 1 + usize::from(matches!(second, "for" | "runs" | "when" | "if")))
            }
            "but" if second == "not" && self.text_at(2) != "runs" => self.exception_suffix(from, 2),
            "with" | "containing" | "including" | "having" | "using" => self.with_flags(from),
            "to" if self.is_about(from, forms::GIT_PUSH) => {
                let skip = 1 + usize::from(second == "branch");
                let branch = self.named(skip)?;
                Some((PatternSuffix::Filter(forms::where_pushed(branch)), skip + 1))
            }
            "on" => self.branch_suffix(1 + usize::from(second == "branch")),
            _ => None,
        }
    }

    /// Returns the content of a string or lower-case word, `ahead` tokens ahead; `None` for any other token.
    fn named(&self, ahead: usize) -> Option<&str> {
        let token = self.nth(ahead)?;
        let text = token.text(self.source);
        let is_name = token.kind == TokenKind::Word && text.starts_with(|c: char| c.is_ascii_lowercase());
        (token.kind == TokenKind::Text || is_name).then(|| text.trim_matches(['"', '\'']))
    }

    /// Returns the program, such as `sudo`, by which another program is run, named `ahead` tokens ahead. An account
    /// with all permissions is `sudo`.
    fn wrapper(&self, ahead: usize) -> Option<&str> {
        let name = self.named(ahead)?;
        let introduces_wrapper = |word: &str| matches!(word, "via" | "using" | "through");
        match name {
            _ if ROOTS.contains(&name) => Some("sudo"),
            "sudo" | "doas" | "su" | "xargs" | "env" | "nohup" | "time" | "watch" => Some(name),
            _ if introduces_wrapper(self.text()) && name.bytes().all(|b| b.is_ascii_alphanumeric()) => Some(name),
            _ => None,
        }
    }

    /// Returns the meaning of a word for a location, such as `in "src"`; `operator` is `under` or `outside`.
    fn directory_suffix(&self, operator: &str) -> Option<(PatternSuffix, usize)> {
        let token = self.nth(1)?;
        let text = token.text(self.source);
        let is_place = matches!(text, "project" | "tmp" | "home");
        let value = match token.kind {
            TokenKind::Text => format!("\"{}\"", text.trim_matches(['"', '\'']).trim_end_matches(['/', '*'])),
            TokenKind::Word if is_place => text.to_owned(),
            _ => return None,
        };
        let right = forms::where_cwd(operator, &value);
        let is_certain = operator == "under" && token.kind == TokenKind::Text;
        Some((if is_certain { PatternSuffix::Filter(right) } else { PatternSuffix::Place(right) }, 2))
    }

    /// Returns the meaning of `on main`, where the name of the branch is `skip` tokens ahead.
    fn branch_suffix(&self, skip: usize) -> Option<(PatternSuffix, usize)> {
        let branch = self.named(skip)?;
        Some((PatternSuffix::Test(forms::and_branch(branch)), skip + 1))
    }

    /// Returns the meaning of an exception, `skip` tokens ahead: a flag belongs in the pattern as `!-f`, commands
    /// need a separate test.
    fn exception_suffix(&self, from: usize, skip: usize) -> Option<(PatternSuffix, usize)> {
        let (value, length) = self.text_or_list(skip)?;
        let flag = value.trim_matches(['"', '\'']);
        if flag.starts_with('-') && !flag.contains(' ') {
            return Some((PatternSuffix::Pattern(self.with_words(from, &format!("!{flag}"))?), skip + length));
        }
        let right = match self.tokens.get(from + 1) {
            Some(pattern) if self.is_part_of(flag, *pattern) => format!("and {}", forms::not_only_runs(flag)),
            _ => forms::and_not_runs(value),
        };
        Some((PatternSuffix::Test(right), skip + length))
    }

    /// Reports an exception for single words, `runs "rm" except "build"`: of several words, a command is meant. Returns
    /// whether there was one.
    fn excluded_word(&mut self, from: usize) -> bool {
        let word = self.text();
        if !EXCEPTIONS.contains(&word) {
            return false;
        }
        let (Some(first), Some((value, length))) = (self.peek(), self.text_or_list(1)) else { return false };
        let words: Vec<&str> =
            value.trim_matches(['[', ']']).split(',').map(|word| word.trim().trim_matches(['"', '\''])).collect();
        let is_word = |word: &&str| !word.is_empty() && !word.starts_with('-') && !word.contains([' ', '*']);
        let pattern = self.tokens.get(from + 1).filter(|_| from + 2 == self.at);
        let Some(pattern) = pattern.filter(|pattern| pattern.kind == TokenKind::Text && words.iter().all(is_word))
        else {
            return false;
        };
        let pattern = pattern.text(self.source).trim_matches(['"', '\'']);
        let Some(last) = self.nth(length) else { return false };
        let operands = forms::where_other_operands(value);
        let excluded: Vec<String> = words.iter().map(|word| format!("!{word}")).collect();
        let subcommand = format!("runs \"{pattern} {}\"", excluded.join(" "));
        let span = self.across(first, last);
        self.report(SyntaxMistake::ExcludedWord { word, operands: &operands, subcommand: &subcommand }, span);
        self.at += 1 + length;
        true
    }

    /// Whether a pattern matches a command and others, as `make` matches `make test`. Then `and not runs "make test"`
    /// would exempt every other command of the same call, and `not only runs` is needed.
    fn is_part_of(&self, command: &str, pattern: Token) -> bool {
        let words = pattern.text(self.source).trim_matches(['"', '\'']);
        let rest = command.strip_prefix(words).and_then(|rest| rest.strip_prefix(' '));
        pattern.kind == TokenKind::Text && !words.is_empty() && rest.is_some_and(|rest| !rest.contains(['*', '|']))
    }

    /// Returns the meaning of `with "--no-verify"` and `with args ["push"]`: the words belong in the pattern.
    fn with_flags(&self, from: usize) -> Option<(PatternSuffix, usize)> {
        let is_named = phrases::says_nothing(&format!("with {}", self.text_at(1)));
        let skip = 1 + usize::from(is_named);
        let (value, length) = self.text_or_list(skip)?;
        let words: Vec<&str> = value
            .trim_matches(['[', ']'])
            .split(',')
            .map(|word| word.trim().trim_matches(['"', '\'']))
            .filter(|word| !word.is_empty())
            .collect();
        let is_certain = is_named || words.iter().all(|word| word.starts_with('-'));
        let right = self.with_words(from, &words.join(" ")).filter(|_| is_certain && !words.is_empty())?;
        Some((PatternSuffix::Pattern(right), skip + length))
    }

    /// Returns a string, or a list of strings, `ahead` tokens ahead, and the number of its tokens; `None` if there is
    /// neither.
    pub(super) fn text_or_list(&self, ahead: usize) -> Option<(&str, usize)> {
        let first = self.nth(ahead)?;
        if first.kind == TokenKind::Text {
            return Some((first.text(self.source), 1));
        }
        let rest = self.tokens.get(self.at + ahead + 1..)?;
        let is_plain = |token: &&Token| token.kind == TokenKind::Text || token.text(self.source) == ",";
        let length = rest.iter().take_while(is_plain).count();
        let close = rest.get(length).filter(|close| close.text(self.source) == "]")?;
        (first.text(self.source) == "[" && length > 0).then(|| (self.slice(first, *close), length + 2))
    }

    /// Returns the test whose `runs` is at the index `from`, with more words in its pattern; `None` if it has several
    /// patterns.
    fn with_words(&self, from: usize, words: &str) -> Option<String> {
        let (runs, pattern) = (self.tokens.get(from)?, self.tokens.get(from + 1)?);
        let is_plain = runs.text(self.source) == "runs" && pattern.kind == TokenKind::Text && from + 2 == self.at;
        let text = pattern.text(self.source).strip_suffix(['"', '\''])?;
        let quote = pattern.text(self.source).get(..1)?;
        (is_plain && !text.contains('|')).then(|| format!("runs {text} {words}{quote}"))
    }

    /// Whether the test whose `runs` is at the index `from` has one pattern that begins with a command.
    fn is_about(&self, from: usize, command: &str) -> bool {
        let pattern = self.tokens.get(from + 1).filter(|_| from + 2 == self.at);
        pattern.is_some_and(|pattern| {
            let text = pattern.text(self.source).trim_matches(['"', '\'']);
            text == command || text.strip_prefix(command).is_some_and(|rest| rest.starts_with(' '))
        })
    }

    /// Reports `runs "a" and not "b"`, where the verb of the previous test is missing. `from` is the index at which
    /// that test begins. Returns whether it reported this.
    pub(super) fn loose_exclusion(&mut self, from: usize) -> bool {
        if self.text() != "not" || !self.is_loose_value(1) {
            return false;
        }
        let joint = self.at.saturating_sub(1);
        let test = self.tokens.get(from..joint).unwrap_or_default();
        let (Some(first), Some(not), Some(value)) = (test.first().copied(), self.peek(), self.nth(1)) else {
            return false;
        };
        // What `not runs "a" and not "b"` means is not certain.
        if first.text(self.source) == "not" {
            return false;
        }
        let Some(first_value) = self.first_value(test) else { return false };
        let verb = self.source.get(first.start..first_value.start).unwrap_or_default();
        let text = value.text(self.source);
        let command = text.trim_matches(['"', '\'']);
        let is_part_of_pattern =
            first.text(self.source) == "runs" && test.len() == 2 && self.is_part_of(command, first_value);
        // `runs "git" and not "git push"` is meant to exclude texts that run nothing of git but `git push`.
        let corrected = if is_part_of_pattern { forms::not_only_runs(command) } else { format!("not {verb}{text}") };
        let before = self.source.get(first.start..not.start).unwrap_or_default();
        let right = format!("{before}{corrected}");
        let place = self.across(not, value);
        let mistake = SyntaxMistake::LooseAlternative { right: &right };
        self.report_with_fix_at(mistake, self.span_of(value), place, &corrected);
        self.at += 2;
        true
    }

    /// Returns the first value of a test that consists of one to three words and then only values.
    fn first_value(&self, test: &[Token]) -> Option<Token> {
        let is_value =
            |token: &Token| token.kind == TokenKind::Text || matches!(token.text(self.source), "[" | "]" | ",");
        let verb_length = test.iter().take_while(|token| !is_value(token)).count();
        let has_only_values = test.iter().skip(verb_length).all(is_value);
        test.get(verb_length).copied().filter(|_| (1..=3).contains(&verb_length) && has_only_values)
    }

    /// Reports and skips a superfluous subject before a verb: `command runs "a"`. Returns whether there was one.
    pub(super) fn skip_subject_of_test(&mut self) -> bool {
        let (Some(first), Some(verb)) = (self.peek(), self.nth(1)) else { return false };
        let word = first.text(self.source);
        let text = verb.text(self.source);
        let is_verb = matches!(text, "runs" | "pipes" | "reads" | "writes" | "deletes" | "sends" | "connects");
        let has_value = self.nth(2).is_some_and(|next| next.kind == TokenKind::Text)
            || matches!(self.text_at(2), "[" | "like" | "under" | "outside" | "only");
        let is_subject = phrases::says_nothing(&format!("{word} $test"));
        if !is_verb || !has_value || !is_subject || self.first_on_line_ahead(1) {
            return false;
        }
        let gap = Span::new(self.file, first.start, verb.start);
        self.report_with_fix_at(SyntaxMistake::SubjectBeforeTest { word, verb: text }, self.span_of(first), gap, "");
        self.at += 1;
        true
    }
}
