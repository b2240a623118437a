//! Reads effects, and reports mistakes in them.

use super::ClauseCursor;
use super::answers;
use super::translate::test_for_permission;
use crate::phrases;
use crate::syntax::mistakes::{REWRITES_FORM, RequiredString, SyntaxMistake, forms};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

impl ClauseCursor<'_> {
    /// Reads an effect after its keyword.
    pub(super) fn effect(&mut self, verb: &str) {
        match verb {
            "exit" => self.exit(),
            "rewrite" => self.rewrite(),
            "notify" => {
                self.text_of_notification();
                if self.stopped {
                    return;
                }
                if self.string(RequiredString::NOTIFY_TITLE) && !self.stopped && self.at_value() {
                    self.string(RequiredString::NOTIFY_TEXT);
                }
            }
            "run" => self.run(),
            "record" => {
                self.string(RequiredString::RECORD_FILE);
                self.fields_without_braces();
            }
            _ => {
                let condition_follows = matches!(self.text(), "if" | "where")
                    && self.nth(1).is_some_and(|next| next.kind == TokenKind::Word);
                let has_no_message =
                    condition_follows || matches!(self.text(), "" | "{" | "}" | ",") || self.starts_clause();
                if !has_no_message {
                    self.message(verb);
                }
            }
        }
        self.often_behind_effect(verb);
        self.options();
        self.often_behind_effect(verb);
    }

    /// Reports a text of a notification that has a name: `notify title="a"`, `notify "a" title="b"`.
    fn text_of_notification(&mut self) {
        let at = usize::from(self.kind() == Some(TokenKind::Text));
        let word = self.text_at(at);
        let is_named = matches!(word, "title" | "text" | "body" | "message" | "subtitle");
        if is_named && matches!(self.text_at(at + 1), "=" | ":") {
            let span = self.nth(at).map_or_else(|| self.here(), |token| self.span_of(token));
            self.report(SyntaxMistake::NamedText { word }, span);
            self.stop();
        }
    }

    /// Reports the fields of a record without braces: `record "a.jsonl" [agent_id]`, `record "a.jsonl" agent_id,
    /// agent_type`.
    fn fields_without_braces(&mut self) {
        let is_list = self.text() == "[";
        if self.stopped
            || self.first_on_line()
            || !is_list && (self.kind() != Some(TokenKind::Word) || self.starts_clause())
        {
            return;
        }
        let Some(first) = self.peek() else { return };
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let is_field = |token: &&Token| token.kind == TokenKind::Word || matches!(token.text(self.source), "," | "[");
        let length = rest.iter().take_while(is_field).count();
        let close = rest.get(length).filter(|token| is_list && token.text(self.source) == "]");
        let Some(last) = close.or_else(|| length.checked_sub(1).and_then(|at| rest.get(at))).copied() else { return };
        let names: Vec<&str> = rest
            .iter()
            .take(length)
            .filter(|token| token.kind == TokenKind::Word)
            .map(|token| token.text(self.source))
            .collect();
        let right = format!("{{ {} }}", names.join(", "));
        let span = self.across(first, last);
        self.at += length + usize::from(close.is_some());
        self.report_with_fix(SyntaxMistake::RecordWithoutBraces { right: &right }, span, &right);
    }

    /// Reports a list in place of a message, `deny ["Read(./.env)"]`, whose content belongs in the condition. Returns
    /// whether there was one.
    fn list_as_message(&mut self, verb: &str) -> bool {
        let Some(opener) = self.peek().filter(|token| token.text(self.source) == "[") else { return false };
        let span = self.span_of(opener);
        let first =
            self.nth(1).filter(|token| token.kind == TokenKind::Text).map_or("", |token| token.text(self.source));
        let permission = first.trim_matches(['"', '\'']).strip_suffix(')').and_then(|text| text.split_once('('));
        match permission.filter(|(tool, _)| tool.starts_with(|c: char| c.is_ascii_uppercase())) {
            Some((tool, inner)) => {
                let test = test_for_permission(tool, inner);
                let place = self.nth(1).map_or(span, |token| self.span_of(token));
                self.report(SyntaxMistake::PermissionAsMessage { verb, tool, test: &test }, place);
            }
            None => self.report(SyntaxMistake::ListAsMessage { verb }, span),
        }
        self.stop();
        true
    }

    /// Whether a clause begins at the next token, so that the effect before it has no message.
    fn starts_clause(&self) -> bool {
        // A message without quotes may begin with any word, even with the keyword of an effect. If that keyword begins
        // a clause, a string follows it.
        let is_effect = words::MESSAGE_EFFECTS.contains(&self.text());
        let is_clause = words::CLAUSES.contains(&self.text()) && !is_effect;
        is_clause || is_effect && self.nth(1).is_none_or(|next| next.kind == TokenKind::Text)
    }

    /// Reads the message of an effect, and reports other things in its place.
    fn message(&mut self, verb: &str) {
        if answers::file_as_message(self, verb) {
            return;
        }
        if self.in_parentheses(verb)
            || self.path_as_message(verb)
            || self.called_message()
            || self.permission_as_message(verb)
            || self.list_as_message(verb)
        {
            return;
        }
        if matches!(self.text(), "once" | "first" | "always" | "only")
            && self.nth(1).is_some_and(|next| next.kind == TokenKind::Text)
        {
            self.report(SyntaxMistake::OnceBeforeMessage { word: self.text(), verb }, self.here());
            self.at += 1;
        }
        // A word before the message: `deny with "No."`, `deny reason: "No."`, `deny 403 "No."`
        let is_named = matches!(self.text(), "with" | "because" | "message" | "reason" | "saying" | "msg" | "as");
        // Two words before the message: `deny with message "No."`
        let is_double = is_named && matches!(self.text_at(1), "message" | "reason" | "text" | "a" | "the");
        let skipped = usize::from(is_double || is_named && matches!(self.text_at(1), ":" | "="));
        let is_before_text = self.nth(1 + skipped).is_some_and(|next| next.kind == TokenKind::Text);
        // The audience before the message is superfluous: `ask user "Really?"`
        let says_nothing = phrases::says_nothing(&format!("$effect {}", self.text()));
        if is_before_text && (is_named || says_nothing || self.kind() == Some(TokenKind::Number)) {
            let span = self.here();
            let gap = crate::span::Span { start: self.end_of_previous().end, ..span };
            let message = if self.text_at(1 + skipped).len() > 50 { "\"…\"" } else { self.text_at(1 + skipped) };
            let right = format!("{verb} {message}");
            let gap = self.nth(skipped).map_or(gap, |last| gap.joined_with(self.span_of(last)));
            self.report_with_fix_at(
                SyntaxMistake::WordBeforeMessage { word: self.text(), right: &right },
                span,
                gap,
                "",
            );
            self.at += 1 + skipped;
        }
        if !self.string(RequiredString::for_message(&format!("{verb} \"…\""))) || self.stopped {
            return;
        }
        if matches!(self.text(), "+" | "++" | "%" | ".")
            || (self.kind() == Some(TokenKind::Text) && !self.first_on_line())
        {
            self.report(SyntaxMistake::TwoStrings {}, self.here());
            self.stop();
        }
    }

    /// Reports a message in parentheses: `deny("No.")`. Returns whether there was one.
    fn in_parentheses(&mut self, verb: &str) -> bool {
        let Some(opener) = self.peek().filter(|token| token.text(self.source) == "(") else { return false };
        let span = self.span_of(opener);
        let close = self.nth(2).filter(|close| close.text(self.source) == ")");
        match (self.nth(1).filter(|inner| inner.kind == TokenKind::Text), close) {
            (Some(inner), Some(close)) => {
                let right = format!(" {}", inner.text(self.source));
                let whole =
                    crate::span::Span { start: self.end_of_previous().end, ..span.joined_with(self.span_of(close)) };
                let shown = format!("{verb}{}", if right.len() > 50 { " \"…\"" } else { &right });
                self.report_with_fix_at(
                    SyntaxMistake::InParenthesesAfterEffect { verb, right: &shown },
                    span,
                    whole,
                    right,
                );
                self.at += 3;
            }
            _ => {
                let right = format!("{verb} \"…\"");
                self.report(SyntaxMistake::InParenthesesAfterEffect { verb, right: &right }, span);
                self.stop();
            }
        }
        true
    }

    /// Reports a call in place of a message: `deny sprintf("no %s", [path])`. Returns whether there was one.
    fn called_message(&mut self) -> bool {
        let word = self.text();
        let is_call = self.kind() == Some(TokenKind::Word) && self.text_at(1) == "(" && self.glued(1);
        if !is_call || !word.starts_with(|c: char| c.is_ascii_lowercase()) {
            return false;
        }
        self.report(SyntaxMistake::CalledMessage { word }, self.here());
        self.stop();
        true
    }

    /// Reports a permission of the host in place of a message: `deny Read(./.env)`. Returns whether there was one.
    fn permission_as_message(&mut self, verb: &str) -> bool {
        let is_tool = self.kind() == Some(TokenKind::Word) && self.text_at(1) == "(" && self.glued(1);
        let Some(tool) = self.peek().filter(|_| is_tool) else { return false };
        let Some((inner, last)) = self.permission(self.at + 2) else { return false };
        let word = tool.text(self.source);
        let test = test_for_permission(word, inner);
        let span = self.span_of(tool).joined_with(last);
        self.report(SyntaxMistake::PermissionAsMessage { verb, tool: word, test: &test }, span);
        self.stop();
        true
    }

    /// Reads the options of an effect in braces, if there are any.
    fn options(&mut self) {
        if !self.stopped && self.text() == "{" {
            self.map();
        }
    }

    /// Reads the code and the message of an `exit`.
    fn exit(&mut self) {
        if self.kind() == Some(TokenKind::Number) {
            let text = self.text();
            if !text.bytes().all(|b| b.is_ascii_digit()) {
                self.report(SyntaxMistake::NotAnExitCode { word: text }, self.here());
            }
            self.at += 1;
        } else if self.text() == "-" {
            // The sign of a negative code, and the code.
            self.at += 2;
        }
        if self.kind() == Some(TokenKind::Word) && self.nth(1).is_some_and(|next| next.kind == TokenKind::Text) {
            self.report(SyntaxMistake::NotAnExitCode { word: self.text() }, self.here());
            self.at += 1;
        }
        if !matches!(self.text(), "" | "{" | "}") {
            self.message("exit 2");
        }
    }

    /// Reads a `rewrite` after its keyword.
    fn rewrite(&mut self) {
        if self.eat("runs") {
            if !self.string(RequiredString::REWRITE_PATTERN) || self.stopped {
                return;
            }
            self.keyword("to", RequiredString::REWRITE_PATTERN.form);
            if !self.stopped {
                self.string(RequiredString::REWRITE_WORDS);
            }
            return;
        }
        if self.rewrite_of_texts(None) {
            return;
        }
        if self.kind() != Some(TokenKind::Word) {
            let place = self.end_of_previous();
            self.report(SyntaxMistake::RewriteWithoutField {}, place);
            return self.stop();
        }
        self.at += 1;
        if !self.rewrite_as_sed() {
            self.new_value();
        }
    }

    /// Reports `rewrite "npm" to "pnpm"`, or with a field before it, `rewrite command "npm" to "pnpm"`. Returns
    /// whether there was one.
    fn rewrite_of_texts(&mut self, field: Option<Token>) -> bool {
        let (Some(from), Some(to)) = (self.peek(), self.nth(2)) else { return false };
        let joins = matches!(self.text_at(1), "to" | "with" | "into" | "by" | "->" | "=>");
        if !joins || from.kind != TokenKind::Text || to.kind != TokenKind::Text {
            return false;
        }
        let edit = format!("runs {} to {}", from.text(self.source), to.text(self.source));
        let right = &format!("rewrite {edit}");
        let first = field.unwrap_or(from);
        let mistake = match field {
            Some(_) => SyntaxMistake::RewriteOfCommand { right },
            None => SyntaxMistake::RewriteOfTexts { right },
        };
        self.report_with_fix_at(mistake, self.span_of(first), self.across(first, to), edit);
        self.at += 3;
        true
    }

    /// Reads the text after the field of a rewrite: `= V` or `replace /re/ with "T"`.
    fn new_value(&mut self) {
        let (mark, span) = (self.text(), self.here());
        let field = self
            .back(1)
            .filter(|field| matches!(field.text(self.source), "command" | "commands" | "cmd" | "tool_input.command"));
        match mark {
            "=" => {
                self.at += 1;
                if self.kind() == Some(TokenKind::Word) {
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
                self.keyword("with", RequiredString::REPLACEMENT.form);
                if !self.stopped {
                    self.string(RequiredString::REPLACEMENT);
                }
            }
            "==" | ":" | ":=" | "to" | "=>" | "->" => {
                self.report_with_fix(SyntaxMistake::RewriteMark { mark }, span, "=");
                self.at += 1;
                self.value("=");
            }
            _ if field.is_some() && self.rewrite_of_texts(field) => {}
            _ => {
                let place = self.end_of_previous();
                self.report(SyntaxMistake::RewriteWithoutValue {}, place);
                self.stop();
            }
        }
    }

    /// Reports a substitution in the notation of sed and perl: `rewrite command s/a/b/`. Returns whether there was
    /// one.
    fn rewrite_as_sed(&mut self) -> bool {
        let operator_count = usize::from(matches!(self.text(), "=" | "=~" | ":"));
        let before = self.back(1);
        let (Some(field), Some(value)) = (before, self.nth(operator_count)) else { return false };
        let line = self.source.get(value.start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let end = line.find([' ', '\t', '{']).unwrap_or(line.len());
        let bare = line.get(..end).unwrap_or_default();
        let written = bare.trim_matches(['"', '\'']);
        let parts: Vec<&str> = written.strip_prefix("s/").map(|rest| rest.split('/').collect()).unwrap_or_default();
        let [from, to, flags] = parts.as_slice() else { return false };
        if from.is_empty() || !flags.bytes().all(|b| matches!(b, b'g' | b'i')) {
            return false;
        }
        let is_plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_ .".contains(&b));
        let is_command = matches!(field.text(self.source), "command" | "cmd" | "tool_input.command");
        // Replacing in the text of a command would also change other commands and quoted words.
        let replaces_words = is_command && is_plain(from) && is_plain(to) && !to.is_empty();
        let right = match replaces_words {
            true => forms::rewrite_of_commands(&forms::quoted_text(from), &forms::quoted_text(to)),
            false => forms::rewrite_with_replacement(field.text(self.source), from, to),
        };
        let span = crate::span::Span::new(self.file, value.start, value.start + bare.len());
        let place = self.span_of(field).joined_with(span);
        let edit = right.trim_start_matches("rewrite ").to_owned();
        self.report_with_fix_at(SyntaxMistake::RewriteAsSed { written, right: &right }, span, place, edit);
        while self.peek().is_some_and(|token| token.start < span.end as usize) {
            self.at += 1;
        }
        true
    }

    /// Reads the keyword `word`, or reports that it is missing or that another word is in its place. `form` is the
    /// correct form of the whole effect.
    fn keyword(&mut self, word: &str, form: &str) {
        if self.eat(word) {
            return;
        }
        let place = self.end_of_previous();
        let span = self.here();
        if matches!(self.text(), "to" | "with" | "into" | "by" | "->" | "=>" | "as" | "," | "=") {
            self.report_with_fix(SyntaxMistake::WrongKeyword { found: self.text(), word }, span, word);
            self.at += 1;
            return;
        }
        self.report_with_fix(SyntaxMistake::MissingKeyword { word, form }, place, format!(" {word}"));
        if self.kind() != Some(TokenKind::Text) {
            self.stop();
        }
    }

    /// Reads the command of a `run`: a string or a list of strings.
    fn run(&mut self) {
        if self.in_parentheses("run") || answers::run_in_braces(self) {
            return;
        }
        if self.text() != "[" {
            self.string(RequiredString::RUN_COMMAND);
            return answers::several_runs(self);
        }
        self.bracketed("]", |cursor| {
            if matches!(
                cursor.kind(),
                Some(TokenKind::Text | TokenKind::UnclosedText | TokenKind::UnclosedBlock | TokenKind::TypographicText)
            ) {
                return cursor.literal();
            }
            let span = cursor.here();
            let text = cursor.text();
            // A word without quotes in the list is taken for a field only if it looks like one; `fmt` is a plain
            // word.
            let is_name = text.contains(['.', '_'])
                || matches!(text, "path" | "command" | "content" | "url" | "prompt" | "match");
            let previous_element = cursor.back(2);
            let is_field = is_name && previous_element.is_some_and(|before| before.kind == TokenKind::Text);
            if is_field
                && cursor.kind() == Some(TokenKind::Word)
                && matches!(cursor.text_at(1), "," | "]")
                && !text.contains(['-', '/'])
            {
                let right = format!("\"{{{text}}}\"");
                cursor.report_with_fix(SyntaxMistake::FieldAsArgument { word: text, right: &right }, span, &right);
                cursor.at += 1;
            } else if matches!(cursor.kind(), Some(TokenKind::Word | TokenKind::Number)) {
                let right = format!("\"{text}\"");
                cursor.report_with_fix(SyntaxMistake::BareArgument { right: &right }, span, &right);
                cursor.at += 1;
            } else {
                let found = cursor.describe();
                cursor.report(SyntaxMistake::NotAnArgument { found: &found }, span);
                cursor.stop();
            }
        });
    }

    /// Reads `FIELD to V` after `rewrites` in an expectation.
    pub(super) fn expected_rewrite(&mut self) {
        if self.kind() != Some(TokenKind::Word) {
            let place = self.end_of_previous();
            self.report(SyntaxMistake::RewritesWithoutField {}, place);
            return self.stop();
        }
        self.at += 1;
        self.keyword("to", REWRITES_FORM);
        if self.stopped {
            return;
        }
        if self.kind() == Some(TokenKind::Word) {
            self.at += 1;
        } else {
            self.value("to");
        }
    }
}
