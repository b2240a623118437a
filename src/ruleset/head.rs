//! Heads of rules: events, subjects and acting agents. The head alone determines which rules can apply to an event
//! (law 10).

use crate::schema::Event;
use crate::span::Span;
use crate::types::Payload;
use crate::wire::Lazy;
use hookrules_shell::path::glob_matches;

/// The head of a rule: `on …` and `by …`.
#[derive(Clone, Debug)]
pub struct Head {
    /// The selected events. An event occurs twice if the head names it twice.
    pub events: Vec<EventSelector>,
    /// Whether the head is `on *`.
    pub every_event: bool,
    /// The selected agents, `by …`; `None` selects all.
    pub agents: Option<AgentSelectors>,
}

/// An event with the subjects that the head selects: `PreToolUse(Bash, Edit)`.
#[derive(Clone, Debug)]
pub struct EventSelector {
    /// The selected event.
    pub event: Event,
    /// The list in the parentheses; `None` without parentheses, which selects every subject.
    pub subjects: Option<SelectorList>,
}

/// A list of globs. It selects a subject if an include matches (or there are no includes) and no exclude matches.
#[derive(Clone, Debug, Default)]
pub struct SelectorList {
    /// `SEL`
    pub includes: Vec<String>,
    /// `!SEL`
    pub excludes: Vec<String>,
    /// All selectors in source order, with their spans, for findings.
    pub written: Lazy<Vec<(String, Span)>>,
}

/// The selectors of `by …`.
#[derive(Clone, Debug)]
pub struct AgentSelectors(pub SelectorList);

/// Whether a head selects an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadMatch {
    /// It selects the event.
    Yes,
    /// It does not select the event.
    No,
    /// The acting agent has no known name that a selector could be compared with.
    Unknown,
}

/// The selector of the main agent.
pub(super) const MAIN: &str = "main";

impl SelectorList {
    /// Whether the list selects everything because it consists of `*`.
    #[must_use]
    pub fn is_star(&self) -> bool {
        self.excludes.is_empty() && !self.includes.is_empty() && self.includes.iter().all(|glob| glob == "*")
    }

    /// Whether one of the `!SEL` entries matches a subject.
    #[must_use]
    pub fn is_excluded(&self, subject: &str) -> bool {
        self.excludes.iter().any(|glob| glob_matches(glob, subject))
    }

    /// Whether the list selects a subject.
    fn is_match(&self, subject: &str) -> bool {
        (self.includes.is_empty() || self.includes.iter().any(|glob| glob_matches(glob, subject)))
            && !self.is_excluded(subject)
    }
}

impl AgentSelectors {
    /// Whether the selectors select the acting agent. Unknown if that depends on a name that the payload lacks.
    fn select(&self, payload: &Payload) -> HeadMatch {
        if self.0.is_star() {
            return HeadMatch::Yes;
        }
        let is_main = !payload.is_by_subagent();
        let agent = payload.agent_type();
        // In a subagent without a name, the result of every glob except `*` is unknown, even of `is_main` if the actor
        // may be either.
        let is_unclear = payload.is_actor_unclear();
        let glob_result = |glob: &String| match (glob.as_str(), agent) {
            ("*", _) => Some(true),
            _ if is_unclear => None,
            (MAIN, _) => Some(is_main),
            (glob, Some(agent)) => Some(glob_matches(glob, agent)),
            (_, None) if is_main => Some(false),
            (_, None) => None,
        };
        // Whether some glob matches; `None` if none certainly does, and the result of one is unknown.
        let any_glob = |globs: &[String]| {
            let results: Vec<Option<bool>> = globs.iter().map(glob_result).collect();
            if results.contains(&Some(true)) {
                Some(true)
            } else if results.contains(&None) {
                None
            } else {
                Some(false)
            }
        };
        let included = if self.0.includes.is_empty() { Some(true) } else { any_glob(&self.0.includes) };
        match (included, any_glob(&self.0.excludes)) {
            (Some(false), _) | (_, Some(true)) => HeadMatch::No,
            (Some(true), Some(false)) => HeadMatch::Yes,
            _ => HeadMatch::Unknown,
        }
    }
}

impl Head {
    /// Returns the events without duplicates, in the schema's order.
    #[must_use]
    pub fn event_set(&self) -> std::collections::BTreeSet<Event> {
        self.events.iter().map(|selector| selector.event).collect()
    }

    /// Whether the head selects every subject and agent of its events: no selector but `*`, and no `by` but `by *`.
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        let subjects = |event: &EventSelector| event.subjects.as_ref().is_none_or(SelectorList::is_star);
        self.events.iter().all(subjects) && self.agents.as_ref().is_none_or(|agents| agents.0.is_star())
    }

    /// Whether a `!SEL` entry for an event matches a subject.
    #[must_use]
    pub fn is_excluded(&self, event: Event, subject: &str) -> bool {
        let mut of_event = self.events.iter().filter(|selector| selector.event == event);
        of_event.any(|selector| selector.subjects.as_ref().is_some_and(|list| list.is_excluded(subject)))
    }

    /// Whether the head selects the event of a payload. `subject` is called only if a selector needs the subject,
    /// which may have to be read from a file.
    #[must_use]
    pub fn select<'s>(&self, payload: &Payload, subject: impl Fn() -> Option<&'s str>) -> HeadMatch {
        let mut of_event = self.events.iter().filter(|selector| selector.event == payload.event);
        let selects_subject = of_event.any(|selector| match &selector.subjects {
            None => true,
            Some(list) => list.is_star() || subject().is_some_and(|subject| list.is_match(subject)),
        });
        match (&self.agents, selects_subject) {
            (_, false) => HeadMatch::No,
            (None, true) => HeadMatch::Yes,
            (Some(agents), true) => agents.select(payload),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_select_and_exclude() {
        let selector = |entries: &[&str]| {
            let mut list = SelectorList::default();
            for entry in entries {
                match entry.strip_prefix('!') {
                    Some(glob) => list.excludes.push(glob.to_owned()),
                    None => list.includes.push((*entry).to_owned()),
                }
            }
            list
        };
        assert!(selector(&["Edit", "mcp__*"]).is_match("mcp__x__y"));
        assert!(!selector(&["Edit", "mcp__*"]).is_match("Write"));
        assert!(selector(&["!main"]).is_match("reviewer"));
        assert!(!selector(&["!main"]).is_match("main"));
        assert!(!selector(&["!a*", "*"]).is_match("ab"));
        assert!(selector(&["*"]).is_star());
        assert!(!selector(&["*", "!a"]).is_star());
    }
}
