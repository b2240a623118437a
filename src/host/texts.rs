//! The texts of an answer on every host: the deciding reason, and texts cut to the length that their reader is shown.

use crate::excerpt::{Excerpt, READER_LIMIT, join, utf16_len};
use crate::verdict::{Author, Decision, Message, Verdict, join_messages};

/// The number of rules whose messages a reason shows; the others are counted.
const SHOWN: usize = 3;

/// The longest new input that is quoted, in units: with a line before it, it is all that its reader gets.
pub(super) const MAX_INPUT: usize = READER_LIMIT - 500;

/// The units that are reserved for the text around several rules' messages.
const AROUND: usize = 1_000;

/// Returns the deciding rules' message. A denial without a message names the rule, since an empty reason makes the host
/// invent one.
pub(super) fn reason(verdict: &Verdict) -> Excerpt {
    let whole = verdict.reason();
    match verdict.winning_votes().next() {
        Some(vote) if whole.is_empty() && vote.decision > Decision::Allow => {
            format!("The rule {} says {}.", vote.author, vote.decision.keyword()).into()
        }
        _ if utf16_len(&whole) <= READER_LIMIT => whole,
        // No message may crowd out the others.
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

/// Joins the texts for one reader, each once and on lines of its own; `None` if all are empty.
pub(super) fn lines<'t>(texts: impl IntoIterator<Item = &'t Excerpt>) -> Option<String> {
    Some(join(texts, "\n", READER_LIMIT).into_string()).filter(|text| !text.is_empty())
}

/// Joins the texts for the agent, with blank lines in between.
pub(super) fn paragraphs<'t>(texts: impl IntoIterator<Item = &'t Excerpt>) -> Excerpt {
    join(texts, "\n\n", READER_LIMIT)
}
