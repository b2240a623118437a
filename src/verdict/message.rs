//! The messages of votes, individual and combined: each text once, and each doubt, with its reason, once for all rules
//! that share it.
//!
//! A message is data until it is displayed, and no text is ever parsed back. The reason for a doubt is determined
//! elsewhere.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::excerpt::{Excerpt, concatenated};

use super::Author;

/// The maximum number of rules named in a message; the rest is counted.
const NAMED_RULES: usize = 3;

/// The maximum length of the displayed text of a rule in doubt, in characters.
const OWN: usize = 120;

/// The message of a vote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// A text to display; may be empty.
    Plain(Excerpt),
    /// A rule that cannot judge the call.
    Doubt(Doubt),
}

/// The reason why a rule cannot judge the call. The vote names the rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// What cannot be judged, and why, on one line.
    reason: Excerpt,
    /// The first sentence of the rule's own message, if it has any.
    guards_against: Option<String>,
}

impl Message {
    /// Makes a doubt from its reason and the beginning of the rule's own message.
    ///
    /// The rule's own message is not a statement about this call, so it is quoted.
    #[must_use]
    pub fn doubt(why: &str, own: &str) -> Self {
        let guards_against = Some(first_sentence_or_beginning(own)).filter(|own| !own.is_empty());
        Self::Doubt(Doubt { reason: why.replace('\n', " ").into(), guards_against })
    }

    /// Whether the message is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Plain(text) if text.is_empty())
    }

    /// Returns the text to display if no other vote has the same.
    #[must_use]
    pub fn displayed_text(&self, by: &Author) -> Cow<'_, str> {
        match self {
            Self::Plain(text) => text.as_str().into(),
            Self::Doubt(_) => Statement::new(by, self).show().into_string().into(),
        }
    }

    /// Cuts it to this many units. In a doubt only the reason may be long.
    #[must_use]
    pub fn shorten(&self, room: usize) -> Self {
        match self {
            Self::Plain(text) => Self::Plain(text.shorten_to(None, room)),
            Self::Doubt(doubt) => Self::Doubt(Doubt { reason: doubt.reason.shorten_to(None, room), ..doubt.clone() }),
        }
    }
}

impl From<Excerpt> for Message {
    fn from(text: Excerpt) -> Self {
        Self::Plain(text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::Plain(text.into())
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::Plain(text.into())
    }
}

/// Returns the first sentence of a text, on one line.
#[must_use]
pub fn first_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = line.match_indices(['.', '?', '!']).map(|(at, end)| at.saturating_add(end.len()));
    let mut ends = ends.filter(|end| line.get(*end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')));
    ends.next().and_then(|end| line.get(..end)).map(str::to_owned).unwrap_or(line)
}

/// Returns the first sentence of a text, or the beginning of a long one.
fn first_sentence_or_beginning(own: &str) -> String {
    let sentence = first_sentence(own);
    match sentence.char_indices().nth(OWN) {
        None => sentence,
        Some((at, _)) => format!("{}…", sentence.get(..at).unwrap_or_default().trim_end()),
    }
}

/// A text of one author, or a doubt that several rules share.
struct Statement<'a> {
    /// The text; for a doubt, its reason.
    text: &'a Excerpt,
    is_doubt: bool,
    /// The first authors, with their own messages.
    named: Vec<(&'a Author, Option<&'a str>)>,
    all: BTreeSet<&'a Author>,
}

impl<'a> Statement<'a> {
    fn new(by: &'a Author, message: &'a Message) -> Self {
        let (text, is_doubt, own) = match message {
            Message::Plain(text) => (text, false, None),
            Message::Doubt(doubt) => (&doubt.reason, true, doubt.guards_against.as_deref()),
        };
        Self { text, is_doubt, named: vec![(by, own)], all: BTreeSet::from([by]) }
    }

    fn add(&mut self, other: Self) {
        for (by, own) in other.named {
            if self.all.insert(by) && self.named.len() < NAMED_RULES {
                self.named.push((by, own));
            }
        }
    }

    fn show(&self) -> Excerpt {
        let mut out = self.text.clone();
        match self.named.as_slice() {
            _ if !self.is_doubt => {}
            [(by, None)] => out.push_str(&format!("\nIt may be what `{by}` guards against.")),
            [(by, Some(own))] => out.push_str(&format!("\nIt may be what `{by}` guards against: \"{own}\"")),
            several => {
                out.push_str("\nIt may be what one of these rules guards against:");
                for (by, own) in several {
                    let own = own.map(|own| format!(": \"{own}\"")).unwrap_or_default();
                    out.push_str(&format!("\n- `{by}`{own}"));
                }
                match self.all.len().saturating_sub(several.len()) {
                    0 => {}
                    1 => out.push_str("\n- and 1 more rule"),
                    more => out.push_str(&format!("\n- and {more} more rules")),
                }
            }
        }
        out
    }
}

/// Joins messages: each text once, certain ones before doubts; past three authors the rest is counted. A doubt that
/// several rules share is written once for all of them.
#[must_use]
pub fn join_messages<'a>(messages: impl Iterator<Item = (&'a Author, &'a Message)>) -> Excerpt {
    let mut statements: Vec<Statement<'a>> = Vec::new();
    let mut places = BTreeMap::new();
    for (by, message) in messages.filter(|(_, message)| !message.is_empty()) {
        let statement = Statement::new(by, message);
        let place = *places.entry((statement.is_doubt, statement.text.as_str())).or_insert(statements.len());
        match statements.get_mut(place) {
            Some(known) => known.add(statement),
            None => statements.push(statement),
        }
    }
    statements.sort_by_key(|statement| statement.is_doubt);
    let (shown, counted) = statements.split_at(statements.len().min(NAMED_RULES));
    let mut out = concatenated(shown.iter().map(|statement| Cow::Owned(statement.show())), "\n");
    let more: BTreeSet<_> = counted.iter().flat_map(|statement| &statement.all).collect();
    if !more.is_empty() {
        let rules = if more.len() == 1 { "rule says" } else { "rules say" };
        out.push_str(&format!("\n(and {} more {rules} so)", more.len()));
    }
    out
}

#[cfg(test)]
mod tests;
