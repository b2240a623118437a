//! Why it is not certain how often events with a mark happened, as a sentence with advice for the agent.

use crate::escape::shell_word;
use crate::history::{EventDoubt, PastEvent, TallyDoubt};
use crate::ruleset::{MarkedEvents, PastTest};

/// What an agent is told about a doubt that no call of it can remove.
const STAYS: &str = "that stays so in this session: tell the user";

/// Returns the sentence that explains why it is not certain how often events with a mark happened, with advice for
/// the agent.
pub(super) fn past_sentence(test: &PastTest, doubt: &TallyDoubt<'_>) -> String {
    let mark_of = |event: &PastEvent| {
        let of_since = test.since.as_ref().filter(|since| since.id == event.mark);
        of_since.unwrap_or(&test.mark)
    };
    let since = test.since.as_ref();
    let name = &test.mark.name;
    let (clause, advice) = match doubt {
        TallyDoubt::Unseen => (
            format!("it is not known what happened before `{name}` was first looked for"),
            since.and_then(advice_to_renew),
        ),
        TallyDoubt::Possible(event, doubt) => {
            let mark = mark_of(event);
            let clause =
                format!("it is not certain that `{}` happened, as {}", mark.name, clause_of(mark, event, *doubt));
            let advice = match since {
                // What was before no longer counts once the other mark happens again, if the host then reports it.
                Some(since) if since.id != mark.id => Some(since)
                    .filter(|since| *doubt != EventDoubt::Result || since.counts_possible)
                    .and_then(advice_to_renew),
                _ => advice(mark, event, *doubt),
            };
            (clause, advice)
        }
        TallyDoubt::Later(event) => {
            let clause = format!("`{}` may still happen, as a command was left in the background", mark_of(event).name);
            (clause, None)
        }
        TallyDoubt::Order(event) => (
            format!("it is not known when `{}` began", mark_of(event).name),
            since.and_then(advice_to_renew).map(|advice| advice + " again"),
        ),
        TallyDoubt::Key(event) => {
            return format!("it is not known what `{}` was about", mark_of(event).name);
        }
        TallyDoubt::Actor(event) => {
            return format!("it is not known which agent `{}` is by", mark_of(event).name);
        }
        TallyDoubt::Time(event) => {
            return format!("it is not known how long ago `{}` was", mark_of(event).name);
        }
    };
    format!("{clause}; {}", advice.unwrap_or_else(|| STAYS.to_owned()))
}

/// Returns the advice to let an event of a mark happen, which makes the time before it irrelevant; `None` if only the
/// user or the host can.
fn advice_to_renew(mark: &MarkedEvents) -> Option<String> {
    match commands_of(mark, None) {
        Some(commands) => Some(format!("run {commands}")),
        None => (!mark.is_of_user).then(|| format!("do what `{}` means", mark.name)),
    }
}

/// The number of commands that a message names.
const SHOWN_COMMANDS: usize = 2;

/// Returns the commands that cause an event of a mark, as a part of a sentence: the one that an earlier event was about,
/// or else the first ones. `None` if they are not known.
fn commands_of(mark: &MarkedEvents, event: Option<&PastEvent>) -> Option<String> {
    let there = match &mark.directory {
        Some(directory) => format!("cd {} && ", shell_word(directory)),
        None => String::new(),
    };
    let quoted = |command: &String| format!("`{there}{command}`");
    let of_event = event.and_then(|event| mark.commands.get(event.pattern?)?.as_ref());
    if let Some(command) = of_event {
        return Some(quoted(command));
    }
    let known: Vec<String> = mark.commands.iter().flatten().map(quoted).collect();
    match known.as_slice() {
        [] => None,
        few if few.len() <= SHOWN_COMMANDS => Some(few.join(" or ")),
        many => Some(format!("{} or the like", many.get(..SHOWN_COMMANDS)?.join(", "))),
    }
}

/// Returns a clause that explains why it is not certain that an event happened.
pub(in crate::context) fn doubt_clause(doubt: EventDoubt) -> &'static str {
    match doubt {
        EventDoubt::Chain => "other commands were joined to it by more than `&&`",
        EventDoubt::Pipe => "a pipe hides whether its command failed",
        EventDoubt::Background => "its command ran in the background",
        EventDoubt::Shell => "the shell may have run something else",
        EventDoubt::MoreWords => "its command was not exactly the one that is meant",
        EventDoubt::Directory => "its command ran in another directory",
        EventDoubt::Result => "the host does not say whether the call succeeded",
        EventDoubt::Condition => "its call could not be judged",
        EventDoubt::Interrupted => "its call was interrupted",
        EventDoubt::Failed => "its call failed, perhaps after it had changed files",
        EventDoubt::Text => "the text of a call does not say which command ran",
    }
}

/// Returns a clause that explains why it is not certain that an event of a mark happened, with the mark's command.
fn clause_of(mark: &MarkedEvents, event: &PastEvent, doubt: EventDoubt) -> String {
    match (commands_of(mark, Some(event)), doubt) {
        (Some(commands), EventDoubt::MoreWords) => format!("its command was not exactly {commands}"),
        _ => doubt_clause(doubt).to_owned(),
    }
}

/// Returns advice for the agent on how to make a marked event certain: to run its command without a pipe, say. `None`
/// if the agent cannot make it certain.
fn advice(mark: &MarkedEvents, event: &PastEvent, doubt: EventDoubt) -> Option<String> {
    let command = match commands_of(mark, Some(event)) {
        Some(commands) => commands,
        None if mark.names_commands => format!("a command that `{}` means", mark.name),
        None => return None,
    };
    match doubt {
        EventDoubt::Pipe => {
            Some(format!("run {command} by itself, without a pipe, or with `set -o pipefail;` in front"))
        }
        EventDoubt::Background => Some(format!("run {command} by itself, in the foreground")),
        EventDoubt::Directory if mark.directory.is_some() => Some(format!("run {command} by itself")),
        EventDoubt::Directory => Some(format!("run {command} by itself, in the project's directory")),
        EventDoubt::Chain | EventDoubt::Shell => Some(format!("run {command} by itself")),
        EventDoubt::MoreWords => Some(format!("run {command} without further words")),
        EventDoubt::Interrupted | EventDoubt::Failed => Some(format!("run {command} again")),
        EventDoubt::Condition => Some(format!("run {command}")),
        EventDoubt::Result | EventDoubt::Text => None,
    }
}
