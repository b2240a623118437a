//! Reads Ruby's texts, and finds the here-documents of Ruby and Perl.

use std::ops::Range;

use tree_sitter::Node as Syntax;

use crate::code::literal::{self, EscapeHandling, UnknownEscape};
use crate::code::reader::{TreeReader, children};
use crate::code::tree::{CallArgument, CodeNode, TextPiece};

impl TreeReader<'_> {
    /// Reads a text, a symbol or a character.
    pub(in crate::code) fn ruby_text(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let start = self.text(syntax).chars().take(2).collect::<String>();
        let is_raw = start.starts_with('\'') || start == "%q" || start == "%w" || start == "%i" || start == ":'";
        let escapes = if is_raw { EscapeHandling::Kept } else { EscapeHandling::Decoded };
        let mut pieces = Vec::new();
        match syntax.kind() {
            "simple_symbol" | "character" => {
                let text = self.text(syntax).get(1..).unwrap_or_default().to_owned();
                literal::push_raw(&text, &mut pieces);
            }
            "hash_key_symbol" => literal::push_raw(self.text(syntax), &mut pieces),
            _ => self.ruby_pieces(syntax, escapes, &mut pieces),
        }
        CodeNode::Text(pieces)
    }

    /// Appends the pieces of a text. An interpolation, `#{…}`, becomes a value.
    pub(in crate::code) fn ruby_pieces(
        &mut self,
        syntax: Syntax<'_>,
        escapes: EscapeHandling,
        pieces: &mut Vec<TextPiece>,
    ) {
        for child in children(syntax) {
            match child.kind() {
                "interpolation" => pieces.push(TextPiece::Value(self.read_only_child(child, Self::read_ruby))),
                "string_content" | "heredoc_content" | "escape_sequence" => {
                    let text = self.text(child).to_owned();
                    match () {
                        () if escapes == EscapeHandling::Kept => {
                            literal::push_raw(&text.replace("\\'", "'").replace("\\\\", "\\"), pieces);
                        }
                        () if text == "\\s" => literal::push_raw(" ", pieces),
                        // A control character, or a character of another character set, is unknown.
                        () if text.starts_with("\\c") || text.starts_with("\\C") || text.starts_with("\\M") => {
                            pieces.push(TextPiece::Value(self.add_node(CodeNode::Computed(Vec::new()), child)));
                        }
                        () => literal::push_decoded(&text, UnknownEscape::Dropped, pieces),
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads a here-document, given its mark (`<<NAME`). If the name is in backticks, the text runs in a shell.
    pub(in crate::code) fn ruby_heredoc(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let Some(body) = self.heredoc_body(syntax, "heredoc_body") else { return CodeNode::Computed(Vec::new()) };
        let start = self.text(syntax).to_owned();
        let mut pieces = Vec::new();
        let escapes = if start.contains('\'') { EscapeHandling::Kept } else { EscapeHandling::Decoded };
        self.ruby_pieces(body, escapes, &mut pieces);
        // The newline after the mark is not part of the text.
        if let Some(TextPiece::Text(first)) = pieces.first_mut() {
            *first = first.strip_prefix('\n').unwrap_or(first).to_owned();
        }
        if start.starts_with("<<~") {
            let margin = smallest_indent(&pieces);
            remove_margin(&mut pieces, margin);
        }
        let text = CodeNode::Text(pieces);
        if !start.contains('`') {
            return text;
        }
        let text = self.add_node(text, syntax);
        self.library_call("`", vec![CallArgument::Positional(text)], syntax)
    }

    /// Returns the body of the here-document with this mark; `None` if the grammar found none.
    pub(in crate::code) fn heredoc_body<'s>(&self, mark: Syntax<'s>, kind: &str) -> Option<Syntax<'s>> {
        let heredocs = &self.scopes.heredocs;
        // The marks are sorted by position, because `heredocs` finds them in the order of the text.
        let index = heredocs.binary_search_by_key(&mark.start_byte(), |(position, _)| *position).ok()?;
        let (_, range) = heredocs.get(index)?;
        let mut root = mark;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        let body = root.descendant_for_byte_range(range.start, range.end)?;
        if body.kind() == kind { Some(body) } else { body.parent() }
    }
}

/// Returns all here-documents: the position of each mark, and the range of its body. The marks and the bodies are in
/// the same order.
pub(in crate::code) fn heredocs(root: Syntax<'_>, mark_kinds: &[&str], body_kind: &str) -> Vec<(usize, Range<usize>)> {
    let (mut mark_positions, mut bodies) = (Vec::new(), Vec::new());
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if mark_kinds.contains(&node.kind()) {
            mark_positions.push(node.start_byte());
        } else if node.kind() == body_kind {
            bodies.push(node.byte_range());
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return mark_positions.into_iter().zip(bodies).collect();
            }
        }
    }
}

/// Returns the smallest number of blanks at the beginning of the non-empty lines of a text.
pub(in crate::code) fn smallest_indent(pieces: &[TextPiece]) -> usize {
    let texts = pieces.iter().filter_map(|piece| match piece {
        TextPiece::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let lines = texts.flat_map(str::lines).filter(|line| !line.trim().is_empty());
    lines.map(|line| line.len() - line.trim_start().len()).min().unwrap_or_default()
}

/// Removes up to `margin` blanks at the beginning of each line of a text.
pub(in crate::code) fn remove_margin(pieces: &mut [TextPiece], margin: usize) {
    let cut = |line: &str| {
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(margin.min(blank)..).unwrap_or(line).to_owned()
    };
    for piece in pieces {
        if let TextPiece::Text(text) = piece {
            *text = text.split_inclusive('\n').map(cut).collect();
        }
    }
}
