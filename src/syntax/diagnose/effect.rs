//! Effects.

use super::Cursor;
use crate::diagnostic::Fix;
use crate::syntax::token::Kind;

impl Cursor<'_> {
    /// Reads what follows the word of an effect.
    pub(super) fn effect(&mut self, verb: &str) {
        match verb {
            "exit" => self.exit(),
            "rewrite" => self.rewrite(),
            "notify" => {
                if self.string("a title", "notify \"title\" \"text\"") && !self.stopped && self.at_value() {
                    self.string("a text", "notify \"title\" \"text\"");
                }
            }
            "run" => self.run(),
            "record" => {
                self.string("a file", "record \".rules/log/x.jsonl\" { … }");
            }
            _ => {
                let optional = matches!(self.text(), "" | "{" | "}") || self.starts_clause();
                if !optional {
                    self.message(verb);
                }
            }
        }
        self.options();
    }

    fn starts_clause(&self) -> bool {
        // A message without quotes may begin with any word; a clause on the same line has more behind it.
        let clause = matches!(
            self.text(),
            "on" | "by"
                | "when"
                | "unless"
                | "fires"
                | "quiet"
                | "unknown"
                | "exit"
                | "run"
                | "record"
                | "notify"
                | "rewrite"
        );
        let effect = matches!(self.text(), "deny" | "ask" | "allow" | "halt" | "context" | "warn");
        clause || effect && self.nth(1).is_none_or(|next| next.kind == Kind::Text)
    }

    fn message(&mut self, verb: &str) {
        if self.text() == "(" {
            let span = self.here();
            let help = format!("write `{verb} \"…\"`");
            self.syntax(span, "parentheses around a message", "a message needs none", help);
            return self.stop();
        }
        if !self.string("the message", &format!("{verb} \"…\"")) || self.stopped {
            return;
        }
        if matches!(self.text(), "+" | "++") || (self.kind() == Some(Kind::Text) && !self.first_on_line()) {
            let span = self.here();
            let help = "write one string; `{field}` puts a value into it, `\"\"\"…\"\"\"` spans lines";
            self.syntax(span, "two strings for one message", "a message is one string", help);
            self.stop();
        }
    }

    fn options(&mut self) {
        if !self.stopped && self.text() == "{" {
            self.map();
        }
    }

    fn exit(&mut self) {
        if self.kind() == Some(Kind::Number) {
            let text = self.text();
            if !text.bytes().all(|b| b.is_ascii_digit()) {
                let span = self.here();
                self.syntax(span, format!("`{text}` is no exit code"), "not a whole number", "write `exit 2 \"…\"`");
            }
            self.at += 1;
        } else if self.text() == "-" {
            self.at += 2;
        }
        if self.kind() == Some(Kind::Word) && self.nth(1).is_some_and(|next| next.kind == Kind::Text) {
            let span = self.here();
            let message = format!("`{}` is no exit code", self.text());
            self.syntax(span, message, "not a whole number", "write `exit 2 \"…\"`");
            self.at += 1;
        }
        if !matches!(self.text(), "" | "{" | "}") {
            self.message("exit 2");
        }
    }

    fn rewrite(&mut self) {
        if self.eat("runs") {
            if !self.string("a pattern", "rewrite runs \"npm\" to \"pnpm\"") || self.stopped {
                return;
            }
            self.keyword("to", "rewrite runs \"npm\" to \"pnpm\"");
            if !self.stopped {
                self.string("the new words", "rewrite runs \"npm\" to \"pnpm\"");
            }
            return;
        }
        let form = "rewrite command = \"…\"";
        if self.kind() != Some(Kind::Word) {
            let place = self.after();
            let help =
                "write `rewrite FIELD = V`, `rewrite FIELD replace /re/ with \"…\"` or `rewrite runs \"P\" to \"Q\"`";
            self.syntax(place, "`rewrite` without a field", "a field is expected here", help);
            return self.stop();
        }
        self.at += 1;
        let span = self.here();
        match self.text() {
            "=" => {
                self.at += 1;
                if self.kind() == Some(Kind::Word) {
                    self.at += 1;
                } else {
                    self.value("=");
                }
            }
            "replace" => {
                self.at += 1;
                self.value("replace");
                if self.stopped {
                    return;
                }
                self.keyword("with", "rewrite command replace /a/ with \"b\"");
                if !self.stopped {
                    self.string("the replacement", "rewrite command replace /a/ with \"b\"");
                }
            }
            mark @ ("==" | ":" | ":=" | "to" | "=>" | "->") => {
                self.foreign(span, format!("`{mark}` after the field of a rewrite"), "a rewrite sets with `=`", "=");
                self.at += 1;
                self.value("=");
            }
            _ => {
                let place = self.after();
                self.syntax(
                    place,
                    "a rewrite without a value",
                    "`=` or `replace` is missing here",
                    format!("write `{form}`"),
                );
                self.stop();
            }
        }
    }

    /// Reads a word that has to stand here.
    fn keyword(&mut self, word: &str, form: &str) {
        if self.eat(word) {
            return;
        }
        let place = self.after();
        let span = self.here();
        if matches!(self.text(), "to" | "with" | "into" | "by" | "->" | "=>" | "as" | "," | "=") {
            self.foreign(span, format!("`{}` where `{word}` should stand", self.text()), "the wrong word", word);
            self.at += 1;
            return;
        }
        let fix = Fix { span: place, replacement: format!(" {word}") };
        self.syntax_fix(place, format!("`{word}` is missing"), "expected here", format!("write `{form}`"), fix);
        if self.kind() != Some(Kind::Text) {
            self.stop();
        }
    }

    fn run(&mut self) {
        if self.text() != "[" {
            self.string("a command", "run \"cargo fmt\"");
            return;
        }
        self.bracketed("]", |cursor| {
            if matches!(cursor.kind(), Some(Kind::Text | Kind::OpenText | Kind::OpenBlock | Kind::SmartText)) {
                return cursor.literal();
            }
            let span = cursor.here();
            let text = cursor.text();
            if matches!(cursor.kind(), Some(Kind::Word | Kind::Number)) {
                let right = format!("\"{text}\"");
                let fix = Fix { span, replacement: right.clone() };
                cursor.syntax_fix(
                    span,
                    "an argument without quotes",
                    "arguments are strings",
                    format!("write `{right}`"),
                    fix,
                );
                cursor.at += 1;
            } else {
                let message = format!("{} is no argument", cursor.describe());
                cursor.syntax(span, message, "arguments are strings", "write `run [\"cargo\", \"fmt\"]`");
                cursor.stop();
            }
        });
    }

    /// Reads `FIELD to V` after `rewrites`.
    pub(super) fn rewritten(&mut self) {
        if self.kind() != Some(Kind::Word) {
            let place = self.after();
            self.syntax(
                place,
                "`rewrites` without a field",
                "a field is expected here",
                "write `rewrites command to \"…\"`",
            );
            return self.stop();
        }
        self.at += 1;
        self.keyword("to", "rewrites command to \"…\"");
        if self.stopped {
            return;
        }
        if self.kind() == Some(Kind::Word) {
            self.at += 1;
        } else {
            self.value("to");
        }
    }
}
