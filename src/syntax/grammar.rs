//! The parser that pest generates from the grammar. Only `syntax` uses its types.

use pest_derive::Parser;

/// The parser that pest derives from `grammar/`.
#[derive(Parser)]
#[grammar = "grammar/lexical.pest"]
#[grammar = "grammar/rules.pest"]
pub(super) struct Grammar;

/// A node of pest's tree.
pub(super) type Pair<'a> = pest::iterators::Pair<'a, Rule>;

/// The children of a node.
pub(super) type Pairs<'a> = pest::iterators::Pairs<'a, Rule>;
