//! The change that makes a mutant, and the texts of the finding about it.

use crate::span::Span;

/// The maximum length of source text in a message, in characters.
const MAX_SHOWN_CHARS: usize = 36;

/// The change that makes a mutant, and where it is in the source.
#[derive(Clone, Debug)]
pub(super) struct MutantEdit {
    /// The span of the source text that is changed.
    pub(super) span: Span,
    pub(super) kind: EditKind,
    /// Whether only a `test` can notice the change, because it is in a `use` and affects a rule of another file.
    needs_test: bool,
}

/// How a mutant differs from the policy.
#[derive(Clone, Debug)]
pub(super) enum EditKind {
    /// The text at the span is removed: an operand, a list element, a part of a pattern.
    TextRemoval,
    /// A whole rule is removed.
    RuleRemoval,
    /// A clause of a rule is removed, or the `where` or `all` of a test.
    ClauseRemoval(&'static str),
    /// An effect with this keyword is removed.
    EffectRemoval(&'static str),
    /// A keyword or operator is replaced by another: `and` by `or`.
    WordReplacement { word: &'static str, by: &'static str },
    /// An effect is replaced by the next weaker one: `deny` by `ask`.
    EffectWeakening { word: &'static str, by: &'static str },
    /// A condition is negated.
    Negation,
    /// The marks around `since` are swapped.
    Swap,
}

impl MutantEdit {
    pub(super) fn new(span: Span, kind: EditKind) -> Self {
        Self { span, kind, needs_test: false }
    }

    /// Marks the change as one of an exception of a `use`, which affects a rule of another file.
    pub(super) fn of_exception(self) -> Self {
        Self { needs_test: true, ..self }
    }

    /// Whether a `test` is proposed for the change, not an example.
    pub(super) fn needs_test(&self) -> bool {
        self.needs_test || matches!(self.kind, EditKind::EffectRemoval(_) | EditKind::EffectWeakening { .. })
    }

    /// Returns the finding's message, that nothing notices the change; `written` is the source text at its span.
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
            EditKind::Swap => format!("that the marks of `{}` are swapped", shorten(written)),
        };
        format!("nothing notices {what}")
    }

    /// Returns the label of the finding, which is shown at the changed text.
    pub(super) fn label(&self) -> String {
        match &self.kind {
            EditKind::WordReplacement { by, .. } | EditKind::EffectWeakening { by, .. } => {
                format!("with `{by}`, all of them still pass")
            }
            EditKind::Negation => "with the opposite, all of them still pass".to_owned(),
            EditKind::Swap => "with the marks swapped, all of them still pass".to_owned(),
            _ => "without this, all of them still pass".to_owned(),
        }
    }

    /// Returns the help of the finding if there is no example or test to propose.
    pub(super) fn help(&self) -> &'static str {
        match &self.kind {
            EditKind::EffectRemoval(_) | EditKind::EffectWeakening { .. } => {
                "add a `test` that expects it: `given …` `expect …`"
            }
            _ if self.needs_test => "add a `test` that fails with this change, or remove what the `use` does not need",
            EditKind::RuleRemoval => "add an example on which the rule fires",
            _ => "add an example that fails with this change, or remove what the rule does not need",
        }
    }
}

/// Returns a source text on one line, cut to `MAX_SHOWN_CHARS`.
fn shorten(written: &str) -> String {
    let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace('`', "'");
    if line.chars().count() <= MAX_SHOWN_CHARS {
        return line;
    }
    format!("{}…", line.chars().take(MAX_SHOWN_CHARS - 1).collect::<String>())
}
