//! Reads Perl's texts and regexes, and the values that they interpolate.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::super::literal::{self, EscapeHandling, UnknownEscape};
use super::super::reader::TreeReader;
use super::super::ruby::texts::{remove_margin, smallest_indent};
use super::super::tree::{AssignmentTarget, CallArgument, CodeNode, TextPiece};
use crate::code::tree::CodeNodeId;

/// Escapes that change the text after them or name a character. A text that contains one is unknown.
const CHANGING: &[&str] = &["\\u", "\\l", "\\U", "\\L", "\\Q", "\\F", "\\N", "\\c"];

impl TreeReader<'_> {
    /// Reads a text literal, a command in backticks or a here-document.
    pub(super) fn perl_text(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let is_heredoc = syntax.kind().ends_with("heredoc_token");
        let body = match is_heredoc {
            true => self.heredoc_body(syntax, "heredoc_content"),
            false => syntax.child_by_field_name("content"),
        };
        let Some(body) = body else { return CodeNode::Text(Vec::new()) };
        let start = self.text(syntax).to_owned();
        // In single quotes, neither escapes nor variables have a meaning.
        let is_raw = match syntax.kind() {
            "string_literal" => true,
            "command_string" => start.starts_with("qx'"),
            _ => is_heredoc && start.contains('\''),
        };
        let mut pieces =
            self.perl_pieces(body, if is_raw { EscapeHandling::Kept } else { EscapeHandling::Decoded }, syntax);
        if is_heredoc && start.starts_with("<<~") {
            let margin = smallest_indent(&pieces);
            remove_margin(&mut pieces, margin);
        }
        CodeNode::Text(pieces)
    }

    /// Returns the pieces of a text. An interpolated variable becomes a value.
    fn perl_pieces(&mut self, body: Syntax<'_>, escapes: EscapeHandling, syntax: Syntax<'_>) -> Vec<TextPiece> {
        let mut pieces = Vec::new();
        let mut cursor = body.walk();
        let (mut start, mut end) = (body.start_byte(), body.end_byte());
        for child in body.named_children(&mut cursor) {
            match child.kind() {
                "escape_sequence" => continue,
                "heredoc_end" => {
                    end = child.start_byte();
                    break;
                }
                _ if escapes == EscapeHandling::Kept => continue,
                _ => {
                    self.perl_piece(start, child.start_byte(), escapes, syntax, &mut pieces);
                    pieces.push(TextPiece::Value(self.perl_interpolated(child)));
                    start = child.end_byte();
                }
            }
        }
        self.perl_piece(start, end, escapes, syntax, &mut pieces);
        pieces
    }

    /// Reads an interpolated value. The elements of an array are joined by blanks.
    fn perl_interpolated(&mut self, child: Syntax<'_>) -> CodeNodeId {
        let value = self.read_perl(child);
        if !matches!(child.kind(), "array" | "array_deref_expression" | "slice_expression") {
            return value;
        }
        let by = self.add_node(CodeNode::Text(vec![TextPiece::Text(" ".to_owned())]), child);
        let call =
            self.perl_library_call("join", vec![CallArgument::Positional(by), CallArgument::Flattened(value)], child);
        self.add_node(call, child)
    }

    /// Appends the text between two offsets to the pieces, with its escapes decoded.
    fn perl_piece(
        &mut self,
        start: usize,
        end: usize,
        escapes: EscapeHandling,
        syntax: Syntax<'_>,
        pieces: &mut Vec<TextPiece>,
    ) {
        let text = self.tree.text.get(start..end).unwrap_or_default().to_owned();
        if escapes == EscapeHandling::Kept {
            return literal::push_raw(&text.replace("\\\\", "\\").replace("\\'", "'"), pieces);
        }
        if CHANGING.iter().any(|escape| text.contains(escape)) {
            return pieces.push(TextPiece::Value(self.add_node(CodeNode::Computed(Vec::new()), syntax)));
        }
        // `push_decoded` knows `\x{76}` by its spelling in other languages, `\u{76}`.
        literal::push_decoded(&text.replace("\\x{", "\\u{").replace("\\e", "\\x1b"), UnknownEscape::Dropped, pieces);
    }

    /// Reads a regex that is applied to `subject`. A substitution makes `target` unknown. With the modifier `e`, its
    /// replacement is evaluated as code; with `ee`, so is the result.
    pub(super) fn perl_regex(
        &mut self,
        syntax: Syntax<'_>,
        subject: CodeNodeId,
        target: Option<AssignmentTarget>,
    ) -> CodeNode {
        let text = self.text(syntax).to_owned();
        let mut parts = vec![subject];
        // Code within the regex.
        if text.contains("(?{") || text.contains("(??{") {
            let call = self.perl_library_call("perl.code", Vec::new(), syntax);
            parts.push(self.add_node(call, syntax));
        }
        if let Some(content) = syntax.child_by_field_name("content") {
            parts.extend(self.read_all(content, Self::read_perl));
        }
        let modifiers = syntax.child_by_field_name("modifiers").map_or("", |it| self.text(it)).to_owned();
        let mut cursor = syntax.walk();
        let replacement = syntax.named_children(&mut cursor).find(|it| it.kind() == "replacement");
        if let Some(replacement) = replacement.filter(|_| syntax.kind() == "substitution_regexp") {
            let evaluations = modifiers.matches('e').count();
            if evaluations == 0 {
                parts.extend(self.read_all(replacement, Self::read_perl));
            }
            let code = self.text(replacement).to_owned();
            let mut code = self.add_node(CodeNode::Text(vec![TextPiece::Text(code)]), replacement);
            for _ in 0..evaluations {
                let call = self.perl_library_call("eval", vec![CallArgument::Positional(code)], replacement);
                code = self.add_node(call, replacement);
            }
            if evaluations > 0 {
                parts.push(code);
            }
        }
        let result = self.add_node(CodeNode::Computed(parts), syntax);
        match target {
            Some(target)
                if syntax.kind() != "match_regexp" && syntax.kind() != "quoted_regexp" && !modifiers.contains('r') =>
            {
                CodeNode::Assign(Rc::new(target), result)
            }
            _ => CodeNode::Sequence(vec![result]),
        }
    }
}
