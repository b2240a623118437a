//! The change of a mutant, with the texts of its finding.

use crate::span::Span;

/// The maximum length of a source text in a message, in characters.
const MAX_SHOWN_CHARS: usize = 36;

/// A change, and its place.
#[derive(Clone, Debug)]
pub(super) struct MutantEdit {
    pub(super) span: Span,
    pub(super) kind: EditKind,
}

/// The kinds of changes.
#[derive(Clone, Debug)]
pub(super) enum EditKind {
    /// The source text is removed.
    TextRemoval,
    /// A rule is removed.
    RuleRemoval,
    /// A clause, or the `where` after a pattern, is removed.
    ClauseRemoval(&'static str),
    /// An effect is removed.
    EffectRemoval(&'static str),
    /// A word is replaced by another.
    WordReplacement { word: &'static str, by: &'static str },
    /// An effect is replaced by a weaker one.
    EffectWeakening { word: &'static str, by: &'static str },
    /// A condition is negated.
    Negation,
}

impl MutantEdit {
    pub(super) fn new(span: Span, kind: EditKind) -> Self {
        Self { span, kind }
    }

    /// Returns the message that nothing notices the change, given the source text.
    pub(super) fn message(&self, written: &str) -> String {
        let what = match &self.kind {
            EditKind::TextRemoval => format!("that `{}` is removed", shorten(written)),
            EditKind::RuleRemoval => format!("that the rule `{}` is removed", shorten(written)),
            EditKind::ClauseRemoval(clause) => format!("that the `{clause}` is removed"),
            EditKind::EffectRemoval(word) => format!("that the effect `{word}` is removed"),
            EditKind::WordReplacement { word, by } | EditKind::EffectWeakening { word, by } => {
                format!("`{by}` in place of `{word}`")
            }
            EditKind::Negation => format!("the opposite of `{}`", shorten(written)),
        };
        format!("nothing notices {what}")
    }

    /// Returns the label of the place.
    pub(super) fn label(&self) -> String {
        match &self.kind {
            EditKind::WordReplacement { by, .. } | EditKind::EffectWeakening { by, .. } => {
                format!("with `{by}`, all of them still pass")
            }
            EditKind::Negation => "with the opposite, all of them still pass".to_owned(),
            _ => "without this, all of them still pass".to_owned(),
        }
    }

    /// Returns the general help, if there is no proposal.
    pub(super) fn help(&self) -> &'static str {
        match &self.kind {
            EditKind::EffectRemoval(_) | EditKind::EffectWeakening { .. } => {
                "add a `test` that expects it: `given …` `expect …`"
            }
            EditKind::RuleRemoval => "add an example on which the rule fires",
            _ => "add an example that comes out otherwise then, or write what is not needed out of the rule",
        }
    }
}

/// Shortens a text to one line.
fn shorten(written: &str) -> String {
    let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace('`', "'");
    if line.chars().count() <= MAX_SHOWN_CHARS {
        return line;
    }
    format!("{}…", line.chars().take(MAX_SHOWN_CHARS - 1).collect::<String>())
}
