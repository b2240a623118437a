//! Reports facts about files, git and the environment in the notation of other languages.

use super::ClauseCursor;
use crate::syntax::mistakes::{SyntaxMistake, forms};
use crate::syntax::token::{Token, TokenKind};

impl ClauseCursor<'_> {
    /// Reports `file_exists ["a", "b"]`: each file needs a separate test. Returns whether there was a list.
    pub(super) fn list_of_files(&mut self, fact: Token) -> bool {
        let word = fact.text(self.source);
        let Some((list, length)) = self.text_or_list(0).filter(|(list, _)| list.starts_with('[')) else { return false };
        let files: Vec<&str> =
            list.trim_matches(['[', ']']).split(',').map(str::trim).filter(|file| !file.is_empty()).collect();
        let before = self.back(2);
        let not = before.filter(|not| not.text(self.source) == "not");
        let (negation, joint, other_connective) =
            if not.is_some() { ("not ", " and ", "or") } else { ("", " or ", "and") };
        let tests: Vec<String> = files.iter().map(|file| format!("{negation}{word} {file}")).collect();
        let has_other = self.tokens.iter().any(|token| token.text(self.source) == other_connective);
        let right = tests.join(joint);
        let right = if has_other && files.len() > 1 { format!("({right})") } else { right };
        let last = self.nth(length - 1).unwrap_or(fact);
        let place = self.span_of(not.unwrap_or(fact)).joined_with(self.span_of(last));
        let mistake = SyntaxMistake::ListOfFiles { word, right: &right };
        match word == "file_exists" {
            true => self.report_with_fix_at(mistake, self.here(), place, &right),
            false => self.report(mistake, self.here()),
        }
        self.at += length;
        true
    }

    /// Reports `file_size > 1MB`, where the file is missing. Returns whether it is missing.
    pub(super) fn size_without_file(&mut self, fact: Token) -> bool {
        if fact.text(self.source) != "file_size" || !matches!(self.text(), "<" | "<=" | ">" | ">=" | "==" | "!=") {
            return false;
        }
        let right = forms::size_of_path(self.text(), self.text_at(1));
        let span = self.end_of_previous();
        self.report_with_fix_at(SyntaxMistake::SizeWithoutFile { right: &right }, self.span_of(fact), span, " path");
        true
    }

    /// Reports a fact in several words: `git branch == "main"`, `env "CI" == "1"`, `on main`. Returns whether there
    /// was one.
    pub(super) fn read_fact_in_words(&mut self) -> bool {
        let (Some(first), Some(second)) = (self.peek(), self.nth(1)) else { return false };
        let name = second.text(self.source).trim_matches(['"', '\'']);
        let whole = self.across(first, second);
        let right = match first.text(self.source) {
            "git" if matches!(name, "branch" | "remote" | "worktree" | "root") => format!("git.{name}"),
            "env" if second.kind == TokenKind::Text && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => {
                format!("env.{name}")
            }
            "on" if second.kind != TokenKind::OpenBracket
                && !name.starts_with(|c: char| c.is_ascii_uppercase())
                && self.at > 0 =>
            {
                if self.first_on_line() || self.at_operator(1) || matches!(name, "" | "*" | "=" | "==" | ":") {
                    return false;
                }
                let skip = 1 + usize::from(name == "branch");
                let Some(branch) =
                    self.nth(skip).filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Text))
                else {
                    return false;
                };
                let right = format!("git.branch == \"{}\"", branch.text(self.source).trim_matches(['"', '\'']));
                let whole = self.across(first, branch);
                let written = self.written(whole);
                self.report_with_fix(SyntaxMistake::ForeignTest { written, right: &right }, whole, &right);
                self.at += skip + 1;
                return true;
            }
            _ => return false,
        };
        if self.first_on_line_ahead(1) {
            return false;
        }
        self.report_with_fix(SyntaxMistake::SpacedField { right: &right }, whole, &right);
        self.at += 2;
        self.comparison(&right);
        true
    }
}
