//! Texts for an answer to any host: the reason of the decision, and joined texts, cut to the length that their reader
//! gets to see.

use crate::excerpt::{Excerpt, READER_LIMIT, join, utf16_len};
use crate::verdict::{Author, Decision, Message, Verdict, join_messages};

/// The maximum number of rules whose messages a reason contains. Of further rules, it only gives the number.
const MAX_SHOWN_RULES: usize = 3;

/// The maximum length of a rewritten input that is shown, in UTF-16 units. It leaves room for the text before the
/// input.
pub(super) const MAX_INPUT: usize = READER_LIMIT - 500;

/// How many UTF-16 units are reserved for the text around the messages of several rules.
const RESERVED_UNITS: usize = 1_000;

/// Returns the messages of the rules that decided, cut to the length that the reader gets to see. If there is no
/// message, the text names the first of the rules, because the host would invent a reason in place of an empty one.
pub(super) fn reason(verdict: &Verdict) -> Excerpt {
    let whole = verdict.reason();
    match verdict.winning_votes().next() {
        Some(vote) if whole.is_empty() && vote.decision > Decision::Allow => {
            format!("The rule {} says {}.", vote.author, vote.decision.keyword()).into()
        }
        _ if utf16_len(&whole) <= READER_LIMIT => whole,
        // Each message is shortened to an equal share, so that no message displaces another.
        _ => {
            let count = verdict.winning_votes().take(MAX_SHOWN_RULES).count().max(1);
            let share = if count == 1 { READER_LIMIT } else { (READER_LIMIT - RESERVED_UNITS) / count };
            let messages: Vec<(&Author, Message)> =
                verdict.winning_votes().map(|vote| (&vote.author, vote.message.shorten(share))).collect();
            let joined = join_messages(messages.iter().map(|(author, message)| (*author, message)));
            joined.shorten_to(None, READER_LIMIT)
        }
    }
}

/// Joins texts for one reader, each on lines of its own. `None` if all are empty.
pub(super) fn lines<'t>(texts: impl IntoIterator<Item = &'t Excerpt>) -> Option<String> {
    Some(join(texts, "\n", READER_LIMIT).into_string()).filter(|text| !text.is_empty())
}

/// Joins texts for the agent, with blank lines between them.
pub(super) fn paragraphs<'t>(texts: impl IntoIterator<Item = &'t Excerpt>) -> Excerpt {
    join(texts, "\n\n", READER_LIMIT)
}
