//! The policy that results from the conversion: `let`s and rules as parts of their source text, and how they are
//! printed.

use crate::span::Span;
use crate::syntax::{WIDTH, escape_double_quoted, format_list, string_literal, wrap_text};

/// The policy and the settings that a configuration is converted to.
#[derive(Debug, Default)]
pub(super) struct MappedPolicy {
    pub(super) draft: PolicyDraft,
    /// The lines of rules.toml after its edition.
    pub(super) settings: Option<String>,
}

/// The `let`s and rules of the resulting policy, in order.
#[derive(Debug, Default)]
pub(super) struct PolicyDraft {
    /// The name of each `let`, and the elements of its list.
    pub(super) lets: Vec<(String, Vec<String>)>,
    pub(super) rules: Vec<DraftRule>,
}

/// A rule, as the parts of its source text.
#[derive(Clone, Debug, Default)]
pub(super) struct DraftRule {
    /// The span in the configuration that the rule was converted from.
    pub(super) source: Span,
    /// The comments above the rule.
    pub(super) comments: Vec<String>,
    /// The documentation of the rule.
    pub(super) docs: Vec<String>,
    /// The annotations without arguments: `off`, `observe`.
    pub(super) annotations: Vec<&'static str>,
    /// The lints that the rule accepts with `@allow`, each with the reason.
    pub(super) accepted_lints: Vec<(&'static str, String)>,
    pub(super) name: String,
    /// The events and selectors after `on`.
    pub(super) on: String,
    /// The agents after `by`.
    pub(super) by: Option<String>,
    /// The condition after `when`.
    pub(super) when: Option<String>,
    /// The condition after `unless`.
    pub(super) unless: Option<String>,
    pub(super) effects: Vec<String>,
    pub(super) examples: Vec<DraftExample>,
}

/// An example of a rule: a call, as source text of the policy, and what the rule does with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DraftExample {
    pub(super) claim: ExampleClaim,
    /// The tool and its text, as source: `Bash "git push"`.
    pub(super) call: String,
}

impl DraftExample {
    /// Returns an example that a rule matches.
    pub(super) fn fires(call: &str) -> Self {
        Self { claim: ExampleClaim::Fires, call: call.to_owned() }
    }
}

/// What a rule does with the call of an example, in the order in which examples are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ExampleClaim {
    Fires,
    Quiet,
    Unknown,
}

impl ExampleClaim {
    const ALL: [Self; 3] = [Self::Fires, Self::Quiet, Self::Unknown];

    /// Returns the words with which the clause of such examples begins.
    fn words(self) -> &'static str {
        match self {
            Self::Fires => "fires on",
            Self::Quiet => "quiet on",
            Self::Unknown => "unknown on",
        }
    }
}

impl PolicyDraft {
    /// Returns the text of the policy.
    pub(super) fn text(&self) -> String {
        let mut blocks = Vec::new();
        if !self.lets.is_empty() {
            let lets = self.lets.iter().map(|(name, globs)| format!("let {name} = {}\n", format_list(globs, "")));
            blocks.push(lets.collect::<String>());
        }
        blocks.extend(self.rules.iter().map(DraftRule::text));
        blocks.join("\n")
    }
}

impl DraftRule {
    /// Returns the source text of the rule.
    fn text(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.comments.iter().flat_map(|comment| wrap_text(comment, "# ", "# ")));
        lines.extend(self.docs.iter().flat_map(|doc| wrap_text(doc, "## ", "## ")));
        lines.extend(self.annotations.iter().map(|mark| format!("@{mark}")));
        lines.extend(
            self.accepted_lints.iter().map(|(lint, why)| format!("@allow({lint}, {})", string_literal(why, ""))),
        );
        lines.push(format!("rule {} {{", self.name));
        lines.push(format!("  on {}", self.on));
        lines.extend(self.by.iter().map(|by| format!("  by {by}")));
        lines.extend(self.when.iter().map(|when| format!("  when {when}")));
        lines.extend(self.unless.iter().map(|unless| format!("  unless {unless}")));
        lines.extend(self.effects.iter().map(|effect| format!("  {effect}")));
        let clauses: Vec<String> = ExampleClaim::ALL.iter().filter_map(|claim| self.examples_text(*claim)).collect();
        if !clauses.is_empty() {
            lines.push(String::new());
            lines.extend(clauses);
        }
        lines.push("}\n".to_owned());
        lines.join("\n")
    }

    /// Returns the clause with all examples of one claim, one example per line; `None` if there are none.
    fn examples_text(&self, claim: ExampleClaim) -> Option<String> {
        let calls: Vec<&str> = self
            .examples
            .iter()
            .filter(|example| example.claim == claim)
            .map(|example| example.call.as_str())
            .collect();
        let words = claim.words();
        let indent = " ".repeat(words.len() + 3);
        (!calls.is_empty()).then(|| format!("  {words} {}", calls.join(&format!(",\n{indent}"))))
    }
}

/// The options of a `run` effect, in the order in which they are written.
#[derive(Debug, Default)]
pub(super) struct DraftRunOptions(Vec<String>);

impl DraftRunOptions {
    /// Adds an option.
    pub(super) fn add(&mut self, name: &str, value: impl Into<String>) {
        self.0.push(format!("{name}: {}", value.into()));
    }

    /// Returns an effect followed by its options, on several lines if one line would be too long.
    pub(super) fn effect_with_options(&self, effect: &str) -> String {
        if self.0.is_empty() {
            return effect.to_owned();
        }
        let line = format!("{effect} {{ {} }}", self.0.join(", "));
        if line.chars().count() + 2 <= WIDTH && !line.contains('\n') {
            return line;
        }
        let options = self.0.iter().map(|option| format!("    {option},\n"));
        format!("{effect} {{\n{}  }}", options.collect::<String>())
    }
}

/// A part of an effect's text: literal text, or the name of a field, which is written as the placeholder `{field}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum DraftTextPart<'t> {
    Text(&'t str),
    Field(&'t str),
}

/// Writes parts as a string literal: `"edits {path}"`.
pub(super) fn template(parts: &[DraftTextPart<'_>]) -> String {
    if let [] | [DraftTextPart::Text(_)] = parts {
        let text = parts.first().map_or("", |part| if let DraftTextPart::Text(text) = part { text } else { "" });
        return string_literal(text, "  ");
    }
    let inside = parts.iter().map(|part| match part {
        DraftTextPart::Text(text) => escape_double_quoted(text),
        DraftTextPart::Field(name) => format!("{{{name}}}"),
    });
    format!("\"{}\"", inside.collect::<String>())
}

/// Splits a text at conclaude's placeholders, such as `{tool}`. `fields_of_placeholders` lists them with the field that
/// replaces each; an unknown one stays part of the text.
///
/// A placeholder after a `$` is a parameter of the shell, and stays part of the text.
pub(super) fn split_placeholders<'t>(
    text: &'t str,
    fields_of_placeholders: &[(&str, &'static str)],
) -> Vec<DraftTextPart<'t>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut search_from = 0;
    while let Some(at) = rest.get(search_from..).and_then(|after| after.find('{')).map(|at| at + search_from) {
        let (before, at_brace) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let placeholder =
            fields_of_placeholders.iter().find(|(name, _)| at_brace.starts_with(name) && !before.ends_with('$'));
        let Some((name, field)) = placeholder else {
            search_from = at + 1;
            continue;
        };
        if !before.is_empty() {
            parts.push(DraftTextPart::Text(before));
        }
        parts.push(DraftTextPart::Field(field));
        rest = at_brace.get(name.len()..).unwrap_or_default();
        search_from = 0;
    }
    if !rest.is_empty() {
        parts.push(DraftTextPart::Text(rest));
    }
    parts
}

/// Writes globs as selectors: `a|b`. Each gets the prefix `excludes` (`!` or nothing), and quotes if it contains
/// special characters.
pub(super) fn format_selectors(globs: &[String], excludes: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_-.:*?[]!".contains(c);
    let written = globs.iter().map(|glob| {
        if !glob.is_empty() && !glob.starts_with('!') && glob.chars().all(bare) {
            format!("{excludes}{glob}")
        } else {
            format!("{excludes}\"{}\"", escape_double_quoted(glob))
        }
    });
    written.collect::<Vec<_>>().join("|")
}
