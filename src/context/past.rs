//! Conditions about the past of the session: how often marked events happened, and with which keys.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use serde_json::Value as Json;

use super::charge::CachedLookup;
use super::reason::past::doubt_clause;
use super::{Context, PathForm, Reason, Scalar, ScalarValues, ShellText};
use crate::history::{
    Actor, ActorQuery, CallDigest, Certainty, EventDigest, History, InputDigest, KeyTexts, Keys, PastEvent, PastQuery,
    Tally, short_digest,
};
use crate::ruleset::{KeySource, PastTest, ValueReference};
use crate::schema::Event;
use crate::syntax::ast::PastActor;
use crate::time::rfc3339;
use crate::types::Payload;
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::word::WordPart;
use hookrules_shell::{plain_chain, without_idle_blanks};

/// The member of a payload with the id of its call.
pub const CALL_ID: &str = "tool_use_id";

/// The id that stands for the main agent. Subagents have ids from the host.
const MAIN_AGENT: &str = "";

/// Where a call began that has ended: a `cd` in it has changed the directory that its end reports.
#[derive(Debug)]
pub enum CallStart {
    /// In the directory of the payload.
    Here,
    /// In another directory, which this payload names.
    Elsewhere(Box<Payload>),
    /// In a directory that is not known.
    Unknown,
}

/// Describes past events for `rules explain`, as far as a journal remembers them.
#[derive(Clone, Copy, Debug)]
pub struct EventDescriber<'h> {
    history: &'h History,
    /// Who acts now.
    now: &'h Actor,
}

/// The digests of an event by which its session's history knows it, each computed when it is first asked for.
#[derive(Default)]
pub(super) struct PastIdentity {
    event: OnceCell<Option<EventDigest>>,
    actor: OnceCell<Actor>,
    /// The key that represents the whole call.
    call: OnceCell<CachedLookup<Keys>>,
}

impl EventDescriber<'_> {
    /// Returns when an event was reported, by whom, and why it may not have happened: `at 2026-01-01T12:00:01Z by the
    /// main agent`.
    #[must_use]
    pub fn describe(self, event: &PastEvent) -> String {
        let by = match &event.actor {
            Actor::Unknown => "an agent that is not known",
            Actor::Known(id) if *id == self.history.key(MAIN_AGENT) => "the main agent",
            actor if actor == self.now => "this subagent",
            Actor::Known(_) => "another subagent",
        };
        let doubt = match event.certainty {
            Certainty::Certain => String::new(),
            Certainty::Counted(doubt) => format!(", counted although {}", doubt_clause(doubt)),
            Certainty::Possible(doubt) => format!(", not certain as {}", doubt_clause(doubt)),
        };
        format!("at {} by {by}{doubt}", rfc3339(Duration::from_millis(event.time)))
    }
}

impl Context<'_> {
    /// Returns where an ended call began.
    pub fn call_start(&self) -> &CallStart {
        self.call_start.get_or_init(|| self.find_call_start())
    }

    /// Makes the context of an ended call as it was where it began; `None` if it did not begin elsewhere.
    #[must_use]
    pub fn where_begun(&self) -> Option<Context<'_>> {
        match self.call_start() {
            CallStart::Elsewhere(payload) => Some(self.with_payload(payload)),
            CallStart::Here | CallStart::Unknown => None,
        }
    }

    /// Returns the directory in which the call began, by the event before it; `None` if that was not noted.
    fn noted_directory(&self) -> Option<String> {
        let call = self.payload().nonempty_text(CALL_ID)?;
        self.machine().session_past().ok()?.directory(CallDigest::of(call))
    }

    /// Whether the call certainly began in another directory than the one that its end reports.
    pub fn began_elsewhere(&self) -> bool {
        self.noted_directory().is_some_and(|directory| Path::new(&directory) != self.cwd())
    }

    fn find_call_start(&self) -> CallStart {
        let payload = self.payload();
        // A command whose program is not known may be `cd`, too.
        let moves = |shell: &ShellText| {
            shell.analysis.iter().any(|(_, command)| command.only_moves() || command.argv().name.is_none())
        };
        if !payload.event.ends_call() || !self.shell_text().is_some_and(moves) {
            return CallStart::Here;
        }
        match self.noted_directory() {
            None => CallStart::Unknown,
            Some(directory) if Path::new(&directory) == self.cwd() => CallStart::Here,
            Some(directory) => {
                let mut before = payload.clone();
                before.json.insert("cwd".to_owned(), directory.into());
                CallStart::Elsewhere(Box::new(before))
            }
        }
    }

    /// Counts the past events that a test asks about, and passes the result to `see`. `matched` returns the files for
    /// which the tests of the rule hold, which are the keys for `match`.
    ///
    /// # Errors
    /// The past, or a key, is not known.
    pub fn tally<T>(
        &self,
        test: &PastTest,
        matched: impl FnOnce() -> KeyTexts,
        see: impl FnOnce(&Tally<'_>, EventDescriber<'_>) -> T,
    ) -> Result<T, Reason> {
        let past = self.machine().session_past().map_err(Reason::no_history)?;
        let history = past.history();
        std::iter::once(&test.mark).chain(&test.since).for_each(|mark| past.note_question(mark.id));
        self.machine().charge(u64::try_from(past.size()).unwrap_or(u64::MAX))?;
        let keys = match &test.of {
            None => None,
            Some(KeySource::Match) => Some(matched().digested(|key| history.key(key))),
            Some(KeySource::Call) => Some(self.call_keys(&history).clone()),
            Some(source) => Some(self.key_texts(source)?.digested(|key| history.key(key))),
        };
        let identify = || actor(self.payload()).map_or(Actor::Unknown, |id| Actor::Known(history.key(id)));
        let now = self.in_past.actor.get_or_init(identify);
        let actor = test.by.map(|by| ActorQuery { now, is_same: by == PastActor::Same });
        let query = PastQuery {
            mark: test.mark.id,
            keys: keys.as_ref(),
            actor,
            since: test.since.as_ref().map(|since| since.id),
            within: test.within,
            judged: self.judged_event().or_else(|| past.last_before_call(self.asked_input()?)),
        };
        Ok(see(&past.history_for(&query).tally(&query), EventDescriber { history: &history, now }))
    }

    /// Returns the digest of the event that is judged.
    fn judged_event(&self) -> Option<EventDigest> {
        *self.in_past.event.get_or_init(|| event_digest(self.payload()))
    }

    /// Returns the key that represents the whole call in the history of its session.
    fn call_keys(&self, history: &History) -> &Keys {
        let digest = || KeyTexts { certain: BTreeSet::from([self.call_text()]), has_others: false };
        self.machine().cached(&self.in_past.call, || digest().digested(|key| history.key(key)))
    }

    /// Returns the tool and the input of a call that the user is asked about: hosts do not send the call's id with it.
    fn asked_input(&self) -> Option<InputDigest> {
        let payload = self.payload();
        let is_asked = self.call.is_permission_request || payload.event == Event::PermissionRequest;
        is_asked.then(|| InputDigest::of(payload)).flatten()
    }

    /// Returns the number of past events, or the lowest possible number if it is uncertain.
    pub(super) fn past_count(&self, test: &PastTest) -> Result<ScalarValues<'_>, Reason> {
        #[expect(clippy::cast_precision_loss, reason = "a journal has fewer events than 2^53")]
        let count = self.tally(test, KeyTexts::default, |tally, _| match &tally.doubt {
            Some(doubt) if tally.most != Some(tally.least) => {
                Scalar::AtLeast(tally.least as f64, Reason::past(test, doubt).into())
            }
            _ => Scalar::Number(tally.least as f64),
        })?;
        Ok(vec![count])
    }

    /// Returns the keys by which marks remember the call: the values of a field, or a text that represents the whole
    /// call.
    ///
    /// # Errors
    /// The values are not known.
    pub fn key_texts(&self, source: &KeySource) -> Result<KeyTexts, Reason> {
        match source {
            KeySource::Value(source) => self.value_texts(source),
            KeySource::Match => Ok(KeyTexts { certain: BTreeSet::new(), has_others: true }),
            KeySource::Call => Ok(KeyTexts { certain: BTreeSet::from([self.call_text()]), has_others: false }),
        }
    }

    /// Returns the values of a reference as texts. The links of paths are resolved.
    fn value_texts(&self, source: &ValueReference) -> Result<KeyTexts, Reason> {
        let mut keys = KeyTexts::default();
        for value in self.lookup(source, PathForm::Physical)? {
            match value {
                Scalar::PartlyKnown(_) | Scalar::AtLeast(..) => keys.has_others = true,
                known => {
                    keys.certain.insert(known.show());
                }
            }
        }
        Ok(keys)
    }

    /// Returns a text that is equal for calls that do the same: the words of its command if it consists of one plain
    /// command, else its shell text without the blanks that say nothing, or its whole input.
    fn call_text(&self) -> String {
        let payload = self.payload();
        let name = payload.tool_name().unwrap_or_else(|| payload.event.name());
        let commands = self.shell_text().and_then(|shell| {
            let words = |words: &[hookrules_shell::Word]| {
                let texts = words.iter().map(|word| match word.parts.as_slice() {
                    [] => Some(String::new()),
                    [WordPart::Text(text)] => Some(text.clone()),
                    _ => None,
                });
                texts.collect::<Option<Vec<_>>>().map(|words| words.join("\u{1f}"))
            };
            // The words tell everything only about a command without redirections, assignments and `&`.
            let is_plain = |command: &SimpleCommand| {
                command.redirects.is_empty() && command.assignments.is_empty() && !command.in_background
            };
            let commands = shell.analysis.iter().map(|(_, command)| {
                words(&command.words).filter(|_| is_plain(command) && plain_chain(&shell.text).is_ok())
            });
            commands.collect::<Option<Vec<_>>>().filter(|commands| commands.len() == 1).map(|all| all.join("\u{1e}"))
        });
        let input = || payload.tool_input().map_or_else(|| sorted(&Json::Object(payload.json.clone())), sorted);
        let text = commands.unwrap_or_else(|| match self.shell_text() {
            Some(shell) => without_idle_blanks(&shell.text),
            None => input(),
        });
        format!("{name}\u{1e}{text}")
    }
}

/// Prints JSON with the members of objects in the order of their names.
fn sorted(json: &Json) -> String {
    match json {
        Json::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            let member = |name: &&String| format!("{name:?}:{}", members.get(*name).map(sorted).unwrap_or_default());
            format!("{{{}}}", names.iter().map(member).collect::<Vec<_>>().join(","))
        }
        Json::Array(items) => format!("[{}]", items.iter().map(sorted).collect::<Vec<_>>().join(",")),
        scalar => scalar.to_string(),
    }
}

/// Returns the id of the agent that acts: empty for the main agent, `None` if it is unknown.
#[must_use]
pub fn actor(payload: &Payload) -> Option<&str> {
    if payload.is_actor_unclear() || payload.origin.hides_agents {
        return None;
    }
    match payload.agent_id() {
        Some(id) => Some(id),
        None if payload.is_by_subagent() || payload.event.is_about_subagent() => None,
        None => Some(MAIN_AGENT),
    }
}

/// Returns a digest that identifies an event, the same in the hooks of all registrations; `None` if the host sends no
/// id of the call.
#[must_use]
pub fn event_digest(payload: &Payload) -> Option<EventDigest> {
    payload.nonempty_text(CALL_ID).map(|call| event_of_call(payload.event, call))
}

/// Returns the digest that identifies an event of the call with this id.
#[must_use]
pub fn event_of_call(event: Event, call: &str) -> EventDigest {
    // The question about a call is the same event as the one before it.
    let event = if event == Event::PermissionRequest { Event::PreToolUse } else { event };
    EventDigest(short_digest([event.name().as_bytes(), call.as_bytes()]))
}

/// Returns the tool and the input of a call that is about to run; `None` for any other event.
#[must_use]
pub fn input_digest(payload: &Payload) -> Option<InputDigest> {
    (payload.event == Event::PreToolUse).then(|| InputDigest::of(payload)).flatten()
}

impl InputDigest {
    fn of(payload: &Payload) -> Option<Self> {
        let input = sorted(payload.tool_input()?);
        Some(Self::new(short_digest([payload.tool_name()?.as_bytes(), &[0], input.as_bytes()])))
    }
}
