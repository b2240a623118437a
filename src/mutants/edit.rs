//! The change of a mutant, with the texts of its finding.

use crate::span::Span;

/// The maximum length of a source text in a message, in characters.
const SHOWN: usize = 36;

/// A change, and its place.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) span: Span,
    pub(super) kind: EditKind,
}

/// The kinds of changes.
#[derive(Clone, Debug)]
pub(super) enum EditKind {
    /// The source text is removed.
    Removed,
    /// A rule is removed.
    RuleRemoved,
    /// A clause, or the `where` after a pattern, is removed.
    ClauseRemoved(&'static str),
    /// An effect is removed.
    EffectRemoved(&'static str),
    /// A word is replaced by another.
    Replaced { word: &'static str, by: &'static str },
    /// An effect is replaced by a weaker one.
    Weakened { word: &'static str, by: &'static str },
    /// A condition is negated.
    Negated,
}

impl Edit {
    pub(super) fn new(span: Span, kind: EditKind) -> Self {
        Self { span, kind }
    }

    /// Returns the message that nothing notices the change, given the source text.
    pub(super) fn message(&self, written: &str) -> String {
        let what = match &self.kind {
            EditKind::Removed => format!("that `{}` is removed", short(written)),
            EditKind::RuleRemoved => format!("that the rule `{}` is removed", short(written)),
            EditKind::ClauseRemoved(clause) => format!("that the `{clause}` is removed"),
            EditKind::EffectRemoved(word) => format!("that the effect `{word}` is removed"),
            EditKind::Replaced { word, by } | EditKind::Weakened { word, by } => format!("`{by}` in place of `{word}`"),
            EditKind::Negated => format!("the opposite of `{}`", short(written)),
        };
        format!("nothing notices {what}")
    }

    /// Returns the label of the place.
    pub(super) fn label(&self) -> String {
        match &self.kind {
            EditKind::Replaced { by, .. } | EditKind::Weakened { by, .. } => {
                format!("with `{by}`, all of them still pass")
            }
            EditKind::Negated => "with the opposite, all of them still pass".to_owned(),
            _ => "without this, all of them still pass".to_owned(),
        }
    }

    /// Returns the general help, if there is no proposal.
    pub(super) fn help(&self) -> &'static str {
        match &self.kind {
            EditKind::EffectRemoved(_) | EditKind::Weakened { .. } => {
                "add a `test` that expects it: `given …` `expect …`"
            }
            EditKind::RuleRemoved => "add an example on which the rule fires",
            _ => "add an example that comes out otherwise then, or write what is not needed out of the rule",
        }
    }
}

/// Shortens a text to one line.
fn short(written: &str) -> String {
    let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace('`', "'");
    if line.chars().count() <= SHOWN {
        return line;
    }
    format!("{}…", line.chars().take(SHOWN - 1).collect::<String>())
}
