//! Tests of files and hosts: `reads`, `writes`, `deletes`, `sends`, `connects`, and what people write behind them.

use super::Cursor;
use crate::syntax::mistakes::{CONNECTS_LIKE, CONNECTS_UNDER, Mistake};
use crate::syntax::token::{Kind, Token};

impl Cursor<'_> {
    /// `connects` may stand alone.
    pub(super) fn connects(&mut self) {
        const TESTS: &[&str] = &[
            "like",
            "under",
            "outside",
            "not",
            "==",
            "=",
            "=~",
            ":",
            "in",
            "to",
            "is",
            "host",
            "matches",
            "contains",
            "starts_with",
            "ends_with",
            "[",
            "!",
        ];
        let is_bare = self.nth(1).is_some_and(|next| next.kind == Kind::Word && next.text(self.source).contains('.'));
        if is_bare || self.text_at(1) == "*" {
            self.at += 1;
            let Some(first) = self.advance() else { return };
            let last = self.end_of_bare_text(first);
            let right = format!("like \"{}\"", self.slice(first, last));
            let span = self.span_of(first).to(self.span_of(last));
            return self.mend(Mistake::BareText { after: "connects", right: &right }, span, &right);
        }
        let is_text = self.nth(1).is_some_and(|next| next.kind == Kind::Text);
        if is_text || TESTS.contains(&self.text_at(1)) {
            return self.touches();
        }
        self.at += 1;
        self.port_after(None);
    }

    /// Reports `connects port 22` and `connects like "*.org" port 22`.
    fn port_after(&mut self, host: Option<Token>) -> bool {
        let port = self.nth(1).filter(|port| self.text() == "port" && port.kind == Kind::Number);
        let Some(port) = port.filter(|_| !self.first_on_line()) else { return false };
        let number = port.text(self.source);
        let named = host.map_or("*", |host| host.text(self.source).trim_matches(['"', '\'']));
        let written = format!("\"{named}:{number}\"");
        let operator = if named.contains('*') { CONNECTS_LIKE } else { CONNECTS_UNDER };
        let right = format!("{operator} {written}");
        let span = self.here().to(self.span_of(port));
        match host {
            Some(host) => {
                let place = self.span_of(host).to(self.span_of(port));
                self.mend_at(Mistake::PortAfterHosts { right: &right }, span, place, &written);
            }
            None => self.mend(Mistake::PortAfterHosts { right: &right }, span, format!("like {written}")),
        }
        self.at += 2;
        true
    }

    pub(super) fn touches(&mut self) {
        let verb = self.text();
        self.at += 1;
        if self.value_in_parentheses(&format!("{verb} like")) {
            return;
        }
        if matches!(self.text(), "not" | "!") && self.text_at(1) == "under" {
            self.report(Mistake::NotUnderAfterVerb { verb, word: self.text() }, self.here());
            return self.stop_unless_joined();
        }
        if matches!(self.text(), "not" | "!") {
            self.report(Mistake::NotAfterVerb { verb }, self.here());
            self.at += 1;
        }
        if matches!(self.text(), "like" | "under" | "outside") {
            let operator = self.text();
            self.at += 1;
            let host = self.peek().filter(|host| verb == "connects" && host.kind == Kind::Text);
            self.value(operator);
            if self.port_after(host) {
                return;
            }
            return self.exception_in_test(verb, operator);
        }
        if self.foreign_after_verb(verb) {
            return;
        }
        let place = self.after();
        if self.at_value() {
            self.mend(Mistake::VerbWithoutLike { verb }, place, " like");
            return self.literal();
        }
        self.report(Mistake::VerbWithoutOperator { verb }, self.here());
        self.stop_unless_joined();
    }

    /// Reports `writes under "src" except "src/generated"`.
    fn exception_in_test(&mut self, verb: &str, operator: &str) {
        let is_exception = matches!(self.text(), "except" | "excluding" | "but") && !self.first_on_line();
        let skip = usize::from(self.text() == "but" && self.text_at(1) == "not") + 1;
        let back = |by: usize| self.at.checked_sub(by).and_then(|at| self.tokens.get(at)).copied();
        let (Some(first), Some(except)) = (back(1), self.nth(skip)) else { return };
        if self.stopped || !is_exception || first.kind != Kind::Text || except.kind != Kind::Text {
            return;
        }
        let inner = |token: Token| token.text(self.source).trim_matches(['"', '\'']).trim_end_matches('/');
        let deep = if operator == "under" { "/**" } else { "" };
        let right = format!("{verb} like [\"{}{deep}\", \"!{}{deep}\"]", inner(first), inner(except));
        let place = back(3).map_or(self.span_of(first), |verb| self.span_of(verb)).to(self.span_of(except));
        let mistake = Mistake::ExceptAfterTest { right: &right };
        if operator == "outside" {
            self.report(mistake, self.here());
        } else {
            self.mend_at(mistake, self.here(), place, &right);
        }
        self.at += skip + 1;
    }

    /// Reports `reads glob "…"`.
    fn foreign_after_verb(&mut self, verb: &str) -> bool {
        let word = self.text();
        let is_mark = matches!(word, "==" | "=" | "=~" | ":");
        if !(is_mark || self.kind() == Some(Kind::Word)) {
            return false;
        }
        let list = self.text_at(1) == "[";
        // With the words of which a glob says the same, what follows stays as it is.
        let (right, is_same) = match word {
            "glob" | "globs" | "host" | "file" | "files" | "path" | "paths" | "from" | "to" | "any" | "of" | "is" => {
                ("like", true)
            }
            "in" if list => ("like", true),
            "==" | "=" | "equals" | ":" => ("like", true),
            "in" | "inside" | "within" | "below" | "beneath" | "dir" | "directory" | "folder" => ("under", true),
            "contains" | "matches" | "match" | "starts_with" | "ends_with" | "=~" => ("like", false),
            _ => return false,
        };
        let (span, value) = (self.here(), self.nth(1));
        if !value.is_some_and(|value| matches!(value.kind, Kind::Text | Kind::Regex) || value.text(self.source) == "[")
        {
            return false;
        }
        // A host with all that is below it is said by `under`; a glob has an asterisk.
        let is_host = |value: &Token| value.kind == Kind::Text && !value.text(self.source).contains('*');
        let named = value.filter(is_host).map(|value| value.text(self.source));
        if let Some(host) = named.filter(|host| verb == "sends" && word == "to" && !host.contains('/')) {
            let right = format!("{CONNECTS_UNDER} {host}");
            self.report(Mistake::SentTo { word, right: &right }, span);
            self.at += 2;
            return true;
        }
        let has_glob = |at: usize| self.nth(at).is_some_and(|token| token.text(self.source).contains('*'));
        let is_plain = named.is_some() || list && !(2..8).any(has_glob);
        let right = if verb == "connects" && is_same && is_plain { "under" } else { right };
        let mistake = Mistake::ForeignAfterVerb { verb, word, right };
        if is_same {
            self.mend(mistake, span, right)
        } else {
            self.report(mistake, span)
        }
        self.at += 1;
        if self.kind() == Some(Kind::Regex) {
            self.at += 1
        } else {
            self.value(right)
        }
        true
    }
}
