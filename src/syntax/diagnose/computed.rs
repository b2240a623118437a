//! Reports values that are named or computed as in another language: YAML anchors, list comprehensions.

use super::ClauseCursor;
use crate::span::Span;
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::token::{Token, TokenKind};

impl ClauseCursor<'_> {
    /// Reports an anchor or alias of YAML: `&dirs ["a"]` names a value, `*dirs` refers to it. Returns whether there
    /// was one.
    pub(super) fn yaml_anchor(&mut self) -> bool {
        let (Some(sign), Some(name)) = (self.peek(), self.nth(1)) else { return false };
        let is_name = name.kind == TokenKind::Word && self.glued(1);
        let word = name.text(self.source);
        let is_whole_word = self.nth(2).is_none_or(|next| next.start != name.end);
        let span = self.across(sign, name);
        let written = self.slice(sign, name);
        match sign.text(self.source) {
            "&" if is_name => match self.nth(2).zip(self.last()) {
                Some((value, last)) if !self.first_on_line_ahead(2) => {
                    let gap = Span { end: self.span_of(value).start, ..span };
                    let rest = self.slice(value, last);
                    let right = if rest.chars().count() > 40 || rest.contains('\n') { "[…]" } else { rest };
                    self.report_with_fix_at(SyntaxMistake::YamlAnchor { written, right }, span, gap, "");
                    self.at += 2;
                    self.literal();
                }
                _ => {
                    self.report_with_fix(SyntaxMistake::YamlAnchor { written, right: word }, span, word);
                    self.at += 2;
                }
            },
            "*" if is_name && is_whole_word && self.defines_list(word) => {
                self.report_with_fix(SyntaxMistake::YamlAnchor { written, right: word }, span, word);
                self.at += 2;
            }
            _ => return false,
        }
        true
    }

    /// Whether the file has a `let` with this name.
    fn defines_list(&self, name: &str) -> bool {
        self.source
            .lines()
            .filter_map(|line| line.strip_prefix("let "))
            .any(|line| line.trim_start().strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('=')))
    }

    /// Reports a list comprehension, `[for d in ["a", "b"] : "x/${d}"]`, and proposes its elements. The cursor is
    /// after the bracket. Returns whether there was one.
    pub(super) fn comprehension(&mut self) -> bool {
        let is_terraform = self.text() == "for";
        let for_ahead = if is_terraform { 0 } else { 1 };
        let is_loop = self.text_at(for_ahead) == "for" && self.text_at(for_ahead + 2) == "in";
        if !is_loop {
            return false;
        }
        let variable = self.text_at(for_ahead + 1);
        let opener = self.at.saturating_sub(1);
        let Some(inside) = self.inside(opener).filter(|inside| inside.close.text(self.source) == "]") else {
            return false;
        };
        let length = inside.length - 2;
        let texts = |tokens: &[Token]| -> Vec<&str> {
            let texts = tokens.iter().filter(|token| token.kind == TokenKind::Text);
            texts.map(|token| token.text(self.source).trim_matches(['"', '\''])).collect()
        };
        let strings = texts(self.tokens.get(self.at..self.at + length).unwrap_or_default());
        // In Terraform, the computed value follows the list; in Python, it precedes the list.
        let (template, elements) = match (is_terraform, strings.split_first(), strings.split_last()) {
            (true, _, Some((last, rest))) => (*last, rest.to_vec()),
            (false, Some((first, rest)), _) => (*first, rest.to_vec()),
            _ => return false,
        };
        let (braced, bare) = (format!("${{{variable}}}"), format!("{{{variable}}}"));
        let fill = |element: &&str| format!("\"{}\"", template.replace(&braced, element).replace(&bare, element));
        let filled_elements: Vec<String> = elements.iter().map(fill).collect();
        let is_computable = !filled_elements.is_empty() && template.contains(&bare);
        let right =
            if is_computable { format!("[{}]", filled_elements.join(", ")) } else { "[\"…\", \"…\"]".to_owned() };
        let Some(first) = self.tokens.get(opener).copied() else { return false };
        let whole = self.across(first, inside.close);
        let span = self.here();
        match is_computable && right.chars().count() <= 60 {
            true => self.report_with_fix_at(SyntaxMistake::Comprehension { right: &right }, span, whole, &right),
            false => self.report(SyntaxMistake::Comprehension { right: &right }, span),
        }
        self.at += length;
        true
    }
}
