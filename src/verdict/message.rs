//! The messages of votes, and their combination into one text: each message once, and the reason of each doubt once
//! for all rules that share it.
//!
//! A message is data until it is displayed, and no displayed text is parsed. `eval` determines the reason of a doubt.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::excerpt::{Excerpt, concatenated};

use super::Author;

/// The maximum number of messages in a combined text, and of rules named in a doubt; the other rules are counted.
const NAMED_RULES: usize = 3;

/// The beginning of the message of a rule that the user does not trust.
pub const UNTRUSTED: &str = "This repository's policy (not trusted) says: ";

/// The maximum length of the sentence that is quoted from a doubting rule's message, in characters.
const MAX_QUOTED_SENTENCE: usize = 120;

/// The maximum length of a message that a doubt about the past quotes in full, in characters.
const MAX_QUOTED_MESSAGE: usize = 200;

/// The message of a vote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// A text to display; may be empty.
    Plain(Excerpt),
    /// The statement that the rule of the vote cannot judge the call.
    Doubt(Doubt),
}

/// The statement that a rule cannot judge a call, with the reason. The vote names the rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// What cannot be judged, and why, on one line: "`cmd` cannot be judged: …".
    reason: Excerpt,
    /// The first sentence of the message that the rule would have had for a match; `None` if that message is empty.
    guards_against: Option<String>,
    /// What the call has in common with the rule.
    suspicion: Suspicion,
}

/// What a call has in common with a rule that cannot judge it, from most to least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Suspicion {
    /// A program, a file or another fact that the rule names.
    Particular,
    /// A subcommand of a program that the rule names, after an unknown program: `$X push`.
    SharedWord,
    /// Nothing: an unknown program may be any program.
    AnyProgram,
}

impl Message {
    /// Creates a doubt from its reason (`why`) and the message that the rule would have had for a match.
    ///
    /// Only the first sentence of `match_message` is kept, as a quotation of what the rule guards against: it is not a
    /// statement about this call.
    #[must_use]
    pub fn doubt(why: &str, match_message: &str, suspicion: Suspicion) -> Self {
        Self::doubt_with_quote(why, first_sentence_or_beginning(match_message), suspicion)
    }

    /// Makes the message of a vote for a condition that is unknown because of what happened before. A short message of
    /// the rule is quoted in full, since it says what the agent has to do.
    #[must_use]
    pub fn doubt_about_past(why: &str, match_message: &str, suspicion: Suspicion) -> Self {
        let line = match_message.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_short = line.chars().count() <= MAX_QUOTED_MESSAGE;
        let quote = if is_short { line } else { first_sentence_or_beginning(match_message) };
        Self::doubt_with_quote(why, quote, suspicion)
    }

    fn doubt_with_quote(why: &str, quote: String, suspicion: Suspicion) -> Self {
        let guards_against = Some(quote).filter(|quote| !quote.is_empty());
        Self::Doubt(Doubt { reason: why.replace('\n', " ").into(), guards_against, suspicion })
    }

    /// Whether the message is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Plain(text) if text.is_empty())
    }

    /// Returns the message of a vote by `by`, as it is displayed if no other vote has the same one.
    #[must_use]
    pub fn displayed_text(&self, by: &Author) -> Cow<'_, str> {
        match self {
            Self::Plain(text) => text.as_str().into(),
            Self::Doubt(_) => Statement::new(by, self).show().into_string().into(),
        }
    }

    /// Returns the message shortened to this many UTF-16 units. In a doubt, only the reason is shortened.
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

/// Returns the first sentence of a text, with all whitespace replaced by single spaces; the whole text if no sentence
/// ends.
#[must_use]
pub fn first_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = line.match_indices(['.', '?', '!']).map(|(at, end)| at.saturating_add(end.len()));
    // A full stop ends a sentence only before a space or at the end: not in `a.rs`.
    let mut ends = ends.filter(|end| line.get(*end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')));
    ends.next().and_then(|end| line.get(..end)).map(str::to_owned).unwrap_or(line)
}

/// Returns the first sentence of a text, cut after [`MAX_QUOTED_SENTENCE`] characters.
fn first_sentence_or_beginning(text: &str) -> String {
    let sentence = first_sentence(text);
    match sentence.char_indices().nth(MAX_QUOTED_SENTENCE) {
        None => sentence,
        Some((at, _)) => format!("{}…", sentence.get(..at).unwrap_or_default().trim_end()),
    }
}

/// A message with the authors of all votes that have it.
struct Statement<'a> {
    /// The text; for a doubt, its reason.
    text: &'a Excerpt,
    /// Whether the text is the reason of a doubt.
    is_doubt: bool,
    /// The authors. Each is listed with what its rule has in common with the call, and the quoted sentence of its
    /// doubt.
    named: Vec<(Suspicion, &'a Author, Option<&'a str>)>,
    /// The authors of all votes with the message.
    all: BTreeSet<&'a Author>,
}

impl<'a> Statement<'a> {
    /// Creates the statement of one vote.
    fn new(by: &'a Author, message: &'a Message) -> Self {
        let (text, is_doubt, suspicion, quoted_sentence) = match message {
            Message::Plain(text) => (text, false, Suspicion::Particular, None),
            Message::Doubt(doubt) => (&doubt.reason, true, doubt.suspicion, doubt.guards_against.as_deref()),
        };
        Self { text, is_doubt, named: vec![(suspicion, by, quoted_sentence)], all: BTreeSet::from([by]) }
    }

    /// Adds the authors of another statement with the same text, each once.
    fn add(&mut self, other: Self) {
        for one in other.named {
            if self.all.insert(one.1) {
                self.named.push(one);
            }
        }
    }

    /// Returns the text to display. A doubt is followed by the names of the first few rules that have it.
    fn show(&self) -> Excerpt {
        let mut out = self.text.clone();
        let mut named = self.named.clone();
        named.sort_by_key(|(suspicion, ..)| *suspicion);
        match named.as_slice() {
            _ if !self.is_doubt => {}
            [(_, by, None)] => out.push_str(&format!("\nIt may be what `{by}` guards against.")),
            [(_, by, Some(sentence))] => {
                out.push_str(&format!("\nIt may be what `{by}` guards against: \"{sentence}\""))
            }
            all @ [(Suspicion::AnyProgram, ..), ..] if all.len() > NAMED_RULES => {
                out.push_str(&format!("\nIt may be what any of {} rules guards against.", all.len()));
            }
            several => {
                out.push_str("\nIt may be what one of these rules guards against:");
                let several = several.get(..NAMED_RULES).unwrap_or(several);
                for (_, by, sentence) in several {
                    let sentence = sentence.map(|sentence| format!(": \"{sentence}\"")).unwrap_or_default();
                    out.push_str(&format!("\n- `{by}`{sentence}"));
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

/// Combines the messages of several votes into one text: each message once, certain ones before doubts.
///
/// At most `NAMED_RULES` messages are included; of the other messages, only the number of authors is given.
#[must_use]
pub fn join_messages<'a>(messages: impl Iterator<Item = (&'a Author, &'a Message)>) -> Excerpt {
    let mut statements: Vec<Statement<'a>> = Vec::new();
    // The position in `statements` of each message. A doubt and a plain text are different, even with equal texts.
    let mut positions = BTreeMap::new();
    for (by, message) in messages.filter(|(_, message)| !message.is_empty()) {
        let statement = Statement::new(by, message);
        let position = *positions.entry((statement.is_doubt, statement.text.as_str())).or_insert(statements.len());
        match statements.get_mut(position) {
            Some(existing) => existing.add(statement),
            None => statements.push(statement),
        }
    }
    // If the program itself asks a question, the same question from a policy that is not trusted is left out.
    let program_texts: BTreeSet<&str> =
        statements.iter().filter(|it| it.all.contains(&Author::Program)).map(|it| it.text.as_str()).collect();
    statements.retain(|it| {
        it.is_doubt || it.text.as_str().strip_prefix(UNTRUSTED).is_none_or(|rest| !program_texts.contains(rest))
    });
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
