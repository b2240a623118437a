//! Texts of an answer to any host: the reason of the decision, and texts cut to the length that their reader is
//! shown.

use crate::excerpt::{Excerpt, READER_LIMIT, join, utf16_len};
use crate::verdict::{Author, Decision, Message, Verdict, join_messages};

/// The number of rules whose messages a reason contains; of further rules, only the number is given.
const SHOWN: usize = 3;

/// The most UTF-16 units of a rewritten input that is shown. The rest of what a reader gets is for the text before
/// it.
pub(super) const MAX_INPUT: usize = READER_LIMIT - 500;

/// The UTF-16 units that are kept free for the text around the messages of several rules.
const AROUND: usize = 1_000;

/// Returns the messages of the rules that decided, cut to what the reader is shown. If they have no message, the text
/// names the first of them, because the host would invent a reason for an empty one.
pub(super) fn reason(verdict: &Verdict) -> Excerpt {
    let whole = verdict.reason();
    match verdict.winning_votes().next() {
        Some(vote) if whole.is_empty() && vote.decision > Decision::Allow => {
            format!("The rule {} says {}.", vote.author, vote.decision.keyword()).into()
        }
        _ if utf16_len(&whole) <= READER_LIMIT => whole,
        // Each message is shortened to an equal share, so that none takes the place of another.
        _ => {
            let several = verdict.winning_votes().take(SHOWN).count().max(1);
            let share = if several == 1 { READER_LIMIT } else { (READER_LIMIT - AROUND) / several };
            let messages: Vec<(&Author, Message)> =
                verdict.winning_votes().map(|vote| (&vote.author, vote.message.shorten(share))).collect();
            let joined = join_messages(messages.iter().map(|(by, message)| (*by, message)));
            joined.shorten_to(None, READER_LIMIT)
        }
    }
}

/// Joins different texts for one reader, each on separate lines. `None` if all are empty.
pub(super) fn lines<'t>(texts: impl IntoIterator<Item = &'t Excerpt>) -> Option<String> {
    Some(join(texts, "\n", READER_LIMIT).into_string()).filter(|text| !text.is_empty())
}

/// Joins different texts for the agent, with blank lines between them.
pub(super) fn paragraphs<'t>(texts: impl IntoIterator<Item = &'t Excerpt>) -> Excerpt {
    join(texts, "\n\n", READER_LIMIT)
}
