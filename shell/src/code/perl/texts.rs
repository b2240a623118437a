//! Perl's texts, its regexes, and what they interpolate.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::super::literal::{self, Escapes, Needless};
use super::super::reader::Reader;
use super::super::ruby::texts::{margin, remove_margin};
use super::super::tree::{Argument, Node, Piece, Target};
use crate::code::tree::Id;

/// Escapes that change the text after them, or name a character.
const CHANGING: &[&str] = &["\\u", "\\l", "\\U", "\\L", "\\Q", "\\F", "\\N", "\\c"];

impl Reader<'_> {
    pub(super) fn perl_text(&mut self, syntax: Syntax<'_>) -> Node {
        let is_heredoc = syntax.kind().ends_with("heredoc_token");
        let body = match is_heredoc {
            true => self.heredoc_body(syntax, "heredoc_content"),
            false => syntax.child_by_field_name("content"),
        };
        let Some(body) = body else { return Node::Text(Vec::new()) };
        let start = self.text(syntax).to_owned();
        let is_raw = match syntax.kind() {
            "string_literal" => true,
            "command_string" => start.starts_with("qx'"),
            _ => is_heredoc && start.contains('\''),
        };
        let mut pieces = self.perl_pieces(body, if is_raw { Escapes::Kept } else { Escapes::Decoded }, syntax);
        if is_heredoc && start.starts_with("<<~") {
            let margin = margin(&pieces);
            remove_margin(&mut pieces, margin);
        }
        Node::Text(pieces)
    }

    /// Reads the pieces of a text. What it interpolates is evaluated.
    fn perl_pieces(&mut self, body: Syntax<'_>, escapes: Escapes, syntax: Syntax<'_>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut cursor = body.walk();
        let (mut at, mut end) = (body.start_byte(), body.end_byte());
        for child in body.named_children(&mut cursor) {
            match child.kind() {
                "escape_sequence" => continue,
                "heredoc_end" => {
                    end = child.start_byte();
                    break;
                }
                _ if escapes == Escapes::Kept => continue,
                _ => {
                    self.perl_piece(at, child.start_byte(), escapes, syntax, &mut pieces);
                    pieces.push(Piece::Value(self.perl_interpolated(child)));
                    at = child.end_byte();
                }
            }
        }
        self.perl_piece(at, end, escapes, syntax, &mut pieces);
        pieces
    }

    /// Reads an interpolated value. A list has blanks between its elements.
    fn perl_interpolated(&mut self, child: Syntax<'_>) -> Id {
        let value = self.perl(child);
        if !matches!(child.kind(), "array" | "array_deref_expression" | "slice_expression") {
            return value;
        }
        let by = self.make(Node::Text(vec![Piece::Text(" ".to_owned())]), child);
        let call = self.perl_library_call("join", vec![Argument::Plain(by), Argument::Flat(value)], child);
        self.make(call, child)
    }

    fn perl_piece(&mut self, start: usize, end: usize, escapes: Escapes, syntax: Syntax<'_>, pieces: &mut Vec<Piece>) {
        let text = self.tree.text.get(start..end).unwrap_or_default().to_owned();
        if escapes == Escapes::Kept {
            return literal::plain(&text.replace("\\\\", "\\").replace("\\'", "'"), pieces);
        }
        if CHANGING.iter().any(|escape| text.contains(escape)) {
            return pieces.push(Piece::Value(self.make(Node::Plain(Vec::new()), syntax)));
        }
        // Other languages write `\x{76}` as `\u{76}`.
        literal::decoded(&text.replace("\\x{", "\\u{").replace("\\e", "\\x1b"), Needless::Dropped, pieces);
    }

    /// Reads a regex: with `e` it runs code, and the text that it changes becomes unknown.
    pub(super) fn perl_regex(&mut self, syntax: Syntax<'_>, subject: Id, target: Option<Target>) -> Node {
        let text = self.text(syntax).to_owned();
        let mut parts = vec![subject];
        if text.contains("(?{") || text.contains("(??{") {
            let call = self.perl_library_call("perl.code", Vec::new(), syntax);
            parts.push(self.make(call, syntax));
        }
        if let Some(content) = syntax.child_by_field_name("content") {
            parts.extend(self.all(content, Self::perl));
        }
        let modifiers = syntax.child_by_field_name("modifiers").map_or("", |it| self.text(it)).to_owned();
        let mut cursor = syntax.walk();
        let replacement = syntax.named_children(&mut cursor).find(|it| it.kind() == "replacement");
        if let Some(replacement) = replacement.filter(|_| syntax.kind() == "substitution_regexp") {
            let runs = modifiers.matches('e').count();
            if runs == 0 {
                parts.extend(self.all(replacement, Self::perl));
            }
            let code = self.text(replacement).to_owned();
            let mut code = self.make(Node::Text(vec![Piece::Text(code)]), replacement);
            for _ in 0..runs {
                let call = self.perl_library_call("eval", vec![Argument::Plain(code)], replacement);
                code = self.make(call, replacement);
            }
            if runs > 0 {
                parts.push(code);
            }
        }
        let changed = self.make(Node::Plain(parts), syntax);
        match target {
            Some(target)
                if syntax.kind() != "match_regexp" && syntax.kind() != "quoted_regexp" && !modifiers.contains('r') =>
            {
                Node::Assign(Rc::new(target), changed)
            }
            _ => Node::Sequence(vec![changed]),
        }
    }
}
