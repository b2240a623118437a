//! Ruby's texts, and here-documents of any language.

use std::ops::Range;

use tree_sitter::Node as Syntax;

use crate::code::literal::{self, Escapes, Needless};
use crate::code::reader::{Reader, children};
use crate::code::tree::{Argument, Node, Piece};

impl Reader<'_> {
    pub(in crate::code) fn ruby_text(&mut self, syntax: Syntax<'_>) -> Node {
        let start = self.text(syntax).chars().take(2).collect::<String>();
        let is_raw = start.starts_with('\'') || start == "%q" || start == "%w" || start == "%i" || start == ":'";
        let escapes = if is_raw { Escapes::Kept } else { Escapes::Decoded };
        let mut pieces = Vec::new();
        match syntax.kind() {
            "simple_symbol" | "character" => {
                let text = self.text(syntax).get(1..).unwrap_or_default().to_owned();
                literal::plain(&text, &mut pieces);
            }
            "hash_key_symbol" => literal::plain(self.text(syntax), &mut pieces),
            _ => self.ruby_pieces(syntax, escapes, &mut pieces),
        }
        Node::Text(pieces)
    }

    /// Reads the pieces of a text. Interpolations (`#{}`) are evaluated.
    pub(in crate::code) fn ruby_pieces(&mut self, syntax: Syntax<'_>, escapes: Escapes, pieces: &mut Vec<Piece>) {
        for child in children(syntax) {
            match child.kind() {
                "interpolation" => pieces.push(Piece::Value(self.only(child, Self::ruby))),
                "string_content" | "heredoc_content" | "escape_sequence" => {
                    let text = self.text(child).to_owned();
                    match () {
                        () if escapes == Escapes::Kept => {
                            literal::plain(&text.replace("\\'", "'").replace("\\\\", "\\"), pieces);
                        }
                        () if text == "\\s" => literal::plain(" ", pieces),
                        // A control character, or one of another character set.
                        () if text.starts_with("\\c") || text.starts_with("\\C") || text.starts_with("\\M") => {
                            pieces.push(Piece::Value(self.make(Node::Plain(Vec::new()), child)));
                        }
                        () => literal::decoded(&text, Needless::Dropped, pieces),
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads a here-document.
    pub(in crate::code) fn ruby_heredoc(&mut self, syntax: Syntax<'_>) -> Node {
        let Some(body) = self.heredoc_body(syntax, "heredoc_body") else { return Node::Plain(Vec::new()) };
        let start = self.text(syntax).to_owned();
        let mut pieces = Vec::new();
        let escapes = if start.contains('\'') { Escapes::Kept } else { Escapes::Decoded };
        self.ruby_pieces(body, escapes, &mut pieces);
        // The newline after the mark is not part of it.
        if let Some(Piece::Text(first)) = pieces.first_mut() {
            *first = first.strip_prefix('\n').unwrap_or(first).to_owned();
        }
        if start.starts_with("<<~") {
            let margin = margin(&pieces);
            remove_margin(&mut pieces, margin);
        }
        let text = Node::Text(pieces);
        if !start.contains('`') {
            return text;
        }
        let text = self.make(text, syntax);
        self.library_call("`", vec![Argument::Plain(text)], syntax)
    }

    /// Returns the body of a here-document.
    pub(in crate::code) fn heredoc_body<'s>(&self, mark: Syntax<'s>, kind: &str) -> Option<Syntax<'s>> {
        let heredocs = &self.scopes.heredocs;
        let at = heredocs.binary_search_by_key(&mark.start_byte(), |(at, _)| *at).ok()?;
        let (_, place) = heredocs.get(at)?;
        let mut root = mark;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        let body = root.descendant_for_byte_range(place.start, place.end)?;
        if body.kind() == kind { Some(body) } else { body.parent() }
    }
}

/// Returns the here-documents: the position of each mark, and the range of its body.
pub(in crate::code) fn heredocs(root: Syntax<'_>, marks: &[&str], body: &str) -> Vec<(usize, Range<usize>)> {
    let (mut found, mut bodies) = (Vec::new(), Vec::new());
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if marks.contains(&node.kind()) {
            found.push(node.start_byte());
        } else if node.kind() == body {
            bodies.push(node.byte_range());
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found.into_iter().zip(bodies).collect();
            }
        }
    }
}

/// Returns the smallest indentation of the lines of a text.
pub(in crate::code) fn margin(pieces: &[Piece]) -> usize {
    let texts = pieces.iter().filter_map(|piece| match piece {
        Piece::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let lines = texts.flat_map(str::lines).filter(|line| !line.trim().is_empty());
    lines.map(|line| line.len() - line.trim_start().len()).min().unwrap_or_default()
}

/// Removes the indentation that all lines of a text share.
pub(in crate::code) fn remove_margin(pieces: &mut [Piece], margin: usize) {
    let cut = |line: &str| {
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(margin.min(blank)..).unwrap_or(line).to_owned()
    };
    for piece in pieces {
        if let Piece::Text(text) = piece {
            *text = text.split_inclusive('\n').map(cut).collect();
        }
    }
}
