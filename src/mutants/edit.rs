//! What a mutant changes, in the words of the policy.

use crate::span::Span;

/// How many characters of the author's text a message repeats.
const SHOWN: usize = 36;

/// A change, and where it is made.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) span: Span,
    pub(super) kind: EditKind,
}

/// The kinds of changes.
#[derive(Clone, Debug)]
pub(super) enum EditKind {
    /// What stands there is gone.
    Removed,
    /// A rule is gone.
    RuleRemoved,
    /// A clause, or the `where` behind a pattern, is gone.
    ClauseRemoved(&'static str),
    /// An effect is gone.
    EffectRemoved(&'static str),
    /// A word stands for another.
    Replaced { word: &'static str, by: &'static str },
    /// An effect stands for another.
    Weakened { word: &'static str, by: &'static str },
    /// A condition says the opposite.
    Negated,
}

impl Edit {
    pub(super) fn new(span: Span, kind: EditKind) -> Self {
        Self { span, kind }
    }

    /// Says what nothing notices, given the text that stands there.
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

    /// Says what is here.
    pub(super) fn label(&self) -> String {
        match &self.kind {
            EditKind::Replaced { by, .. } | EditKind::Weakened { by, .. } => {
                format!("with `{by}`, all of them still pass")
            }
            EditKind::Negated => "with the opposite, all of them still pass".to_owned(),
            _ => "without this, all of them still pass".to_owned(),
        }
    }

    /// Says what to write where nothing better is known.
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

/// Makes a text one line that is not long.
fn short(written: &str) -> String {
    let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace('`', "'");
    if line.chars().count() <= SHOWN {
        return line;
    }
    format!("{}…", line.chars().take(SHOWN - 1).collect::<String>())
}
