//! What an answer says on every host: the deciding reason, and texts cut to what their reader is shown.

use crate::excerpt::{Excerpt, READER_LIMIT, join, units};
use crate::verdict::{Decision, Message, Speaker, Verdict, join_messages};

/// Rules whose messages a reason shows; more are counted.
const SHOWN: usize = 3;

/// A new input that takes more units than this is not told: with a line in front it is all that its reader gets.
pub(super) const MAX_INPUT: usize = READER_LIMIT - 500;

/// Units that are set aside for what is said of several rules together.
const AROUND: usize = 1_000;

/// Returns the deciding rules' message; a denial without one names the rule, since an empty reason makes the host
/// invent one.
pub(super) fn reason(verdict: &Verdict) -> Excerpt {
    let whole = verdict.reason();
    match verdict.winners().next() {
        Some(vote) if whole.is_empty() && vote.decision > Decision::Allow => {
            format!("The rule {} says {}.", vote.by, vote.decision.word()).into()
        }
        _ if units(&whole) <= READER_LIMIT => whole,
        // No message may keep the others from being read.
        _ => {
            let several = verdict.winners().take(SHOWN).count().max(1);
            let share = if several == 1 { READER_LIMIT } else { (READER_LIMIT - AROUND) / several };
            let messages: Vec<(&Speaker, Message)> =
                verdict.winners().map(|vote| (&vote.by, vote.message.cut(share))).collect();
            let joined = join_messages(messages.iter().map(|(by, message)| (*by, message)));
            joined.cut(None, READER_LIMIT)
        }
    }
}

/// Joins what one reader gets, each text on lines of its own and once; nothing if none says anything.
pub(super) fn lines<'t>(texts: impl IntoIterator<Item = &'t Excerpt>) -> Option<String> {
    Some(join(texts, "\n", READER_LIMIT).into_string()).filter(|text| !text.is_empty())
}

/// Joins what the agent gets to know, with a blank line between.
pub(super) fn paragraphs<'t>(texts: impl IntoIterator<Item = &'t Excerpt>) -> Excerpt {
    join(texts, "\n\n", READER_LIMIT)
}
