//! The past of a session as its marks remember it: which events happened, how certainly, and in which order.
//!
//! Plain data without I/O: `journal` reads a history from a file, and an example can state one.
//!
//! Where it is not certain what happened, a condition is judged for every possibility: it holds if it holds for all of
//! them, and does not hold if it holds for none.

mod certainty;

use std::collections::{BTreeMap, BTreeSet};

use crate::fingerprint::Fingerprint;
use crate::schema::Event;

pub use certainty::{Certainty, EventDoubt};

/// Identifies a mark: a digest of its layer, its name and its definition. If the definition changes, it is another
/// mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct MarkId(pub u64);

/// The digest of a key, so that a journal holds no names of files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyDigest(pub u64);

/// Identifies an event of the host within a history: a digest of its name and its call. Two registrations of one event
/// compute the same digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EventDigest(pub u64);

/// Identifies a call by its tool and input: 60 bits of a digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputDigest(u64);

impl InputDigest {
    /// Makes a digest from the lowest 60 bits.
    #[must_use]
    pub const fn new(bits: u64) -> Self {
        Self(bits & (u64::MAX >> 4))
    }

    /// Returns the bits.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

/// A place in the order of a session: the number of the line in its journal.
pub type Moment = u64;

/// The agent that acted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Actor {
    /// The main agent, or a subagent by its id.
    Known(KeyDigest),
    /// The host does not say.
    Unknown,
}

/// The keys of an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// The keys that it certainly has.
    pub certain: BTreeSet<KeyDigest>,
    /// Whether it may have others.
    pub has_others: bool,
}

/// The keys of an event before they are digested.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeyTexts {
    /// The keys that it certainly has.
    pub certain: BTreeSet<String>,
    /// Whether it may have others.
    pub has_others: bool,
}

impl KeyTexts {
    /// Digests each key with the function `key`.
    pub fn digested(&self, key: impl Fn(&str) -> KeyDigest) -> Keys {
        Keys { certain: self.certain.iter().map(|text| key(text)).collect(), has_others: self.has_others }
    }
}

/// An event of the past that a mark names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastEvent {
    /// The mark of which it is an event.
    pub mark: MarkId,
    /// How certainly it happened.
    pub certainty: Certainty,
    /// Who acted.
    pub actor: Actor,
    /// The keys that distinguish it from other events of the mark.
    pub keys: Keys,
    /// The event of the host.
    pub event: EventDigest,
    /// The tool and the input of a call that was about to run; `None` for any other event.
    pub input: Option<InputDigest>,
    /// When its call began; `None` if that is not known.
    pub began: Option<Moment>,
    /// When it was reported.
    pub reported: Moment,
    /// Whether it may have ended later than it was reported, as a command in the background may.
    pub may_end_later: bool,
    /// The number of the mark's pattern that its command matches, from 0; `None` if that is not known.
    pub pattern: Option<usize>,
    /// The time of the report, in milliseconds since 1970.
    pub time: u64,
}

/// What a mark is going to remember of an event.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedMark {
    /// The mark's full name.
    pub name: String,
    /// Its identity.
    pub id: MarkId,
    /// Whether the event is one of the mark, or the beginning of a call whose end may be one.
    pub moment: PlannedMoment,
    /// Who acts, by the id of the agent; `None` if that is not known.
    pub actor: Option<String>,
}

/// The part of a call that is remembered.
#[derive(Clone, PartialEq, Debug)]
pub enum PlannedMoment {
    /// A call begins in this directory.
    Begins(String),
    /// An event of the mark.
    Happens {
        /// How certain it is.
        certainty: Certainty,
        /// Its keys.
        keys: KeyTexts,
        /// Whether it may end later than it is reported.
        may_end_later: bool,
        /// The number of the mark's pattern that its command matches, from 0; `None` if that is not known.
        pattern: Option<usize>,
    },
}

/// The digest of a call, which its beginning and its end share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallDigest(pub u64);

impl CallDigest {
    /// Returns the digest of the id that a host gives a call.
    #[must_use]
    pub fn of(id: &str) -> Self {
        Self(short_digest([id.as_bytes()]))
    }
}

/// The past of a session.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// The events, in the order of their reports.
    pub events: Vec<PastEvent>,
    /// For each mark, the moment from which its events are known. Nothing is known of a mark that is missing here.
    pub known_from: BTreeMap<MarkId, Moment>,
    /// The ends of the gaps in this history: times in which events of any mark may have been missed.
    pub unseen_until: Vec<Moment>,
    /// The bytes that are digested in front of each key.
    pub salt: Vec<u8>,
    /// The time of the event that is judged, in milliseconds since 1970; `None` if it is not known.
    pub now: Option<u64>,
    /// For each mark, the numbers of its certain and possible events that were dropped, and the moment until which.
    pub dropped: BTreeMap<MarkId, (usize, usize, Moment)>,
    /// When the calls of each mark began.
    pub beginnings: BTreeMap<(MarkId, CallDigest), Moment>,
    /// The directories in which calls began.
    pub directories: BTreeMap<CallDigest, String>,
    /// When the session began, in milliseconds since 1970; `None` if its beginning was not seen.
    pub started: Option<u64>,
    /// The marks of each nested policy, as it was last seen; the key is its directory.
    pub nested: BTreeMap<KeyDigest, BTreeSet<MarkId>>,
    /// Whether a nested policy may have missed an event.
    pub has_nested_gap: bool,
}

/// Since when a nested policy has looked for its marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PolicyAge {
    /// Since the session began, at each call in the directory.
    WholeSession,
    /// Unknown: the policy may have missed earlier events.
    Unclear,
}

/// The marks of a nested policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestedMarks {
    /// The directory of the policy.
    pub directory: String,
    /// The marks that the policy defines.
    pub marks: BTreeSet<MarkId>,
    /// Since when the policy looks for them.
    pub age: PolicyAge,
}

/// A question about the past: which events of a mark count.
#[derive(Clone, Copy, Debug)]
pub struct PastQuery<'q> {
    /// The mark whose events count.
    pub mark: MarkId,
    /// The keys of which an event must have one; `None` for any.
    pub keys: Option<&'q Keys>,
    /// Whose events count; `None` for those of any agent.
    pub actor: Option<ActorQuery<'q>>,
    /// The mark after whose last event they must have begun; `None` for no such limit.
    pub since: Option<MarkId>,
    /// The maximum age of the events, in milliseconds before the judged event; `None` for any age.
    pub within: Option<u64>,
    /// The judged event, which is not in its own past.
    pub judged: Option<EventDigest>,
}

/// Whose events count, compared with the agent that acts now.
#[derive(Clone, Copy, Debug)]
pub struct ActorQuery<'q> {
    /// The agent that acts now.
    pub now: &'q Actor,
    /// Whether the events of this agent count, or else those of all others.
    pub is_same: bool,
}

/// How many events of the past count for a query, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally<'h> {
    /// The number of events that certainly count.
    pub least: usize,
    /// The number of events that may count; `None` if there may be any number.
    pub most: Option<usize>,
    /// The last event that certainly counts.
    pub last: Option<&'h PastEvent>,
    /// The last certain event of the mark after `since`; `None` if there is none.
    pub since: Option<&'h PastEvent>,
    /// Why the numbers differ; `None` if they are equal.
    pub doubt: Option<TallyDoubt<'h>>,
}

/// Why it is not certain how many events count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TallyDoubt<'h> {
    /// Nothing is known of a part of the session.
    Unseen,
    /// An event may not have happened.
    Possible(&'h PastEvent, EventDoubt),
    /// An event may have ended later than it was reported.
    Later(&'h PastEvent),
    /// It is not known when an event began.
    Order(&'h PastEvent),
    /// It is not known whether an event has the key.
    Key(&'h PastEvent),
    /// It is not known who acted.
    Actor(&'h PastEvent),
    /// The time of an event is not known.
    Time(&'h PastEvent),
}

/// Whether an event counts for a query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted<'h> {
    Yes,
    No,
    Maybe(TallyDoubt<'h>),
}

impl<'h> Counted<'h> {
    /// Combines the answers for two conditions, both of which must hold.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, other) => other,
            (maybe, _) => maybe,
        }
    }
}

/// When the last event of a mark began, as far as it is known.
#[derive(Clone, Copy)]
struct LastBeginning<'h> {
    /// The earliest that it may be.
    earliest: Option<Moment>,
    /// The latest that it may be.
    latest: Option<Moment>,
    /// Why they differ.
    doubt: Option<TallyDoubt<'h>>,
    /// The last certain event.
    event: Option<&'h PastEvent>,
}

impl History {
    /// Returns the digest of a key.
    #[must_use]
    pub fn key(&self, text: &str) -> KeyDigest {
        key_digest(&self.salt, text)
    }

    /// Returns a history without events in which the marks are known from the beginning of the session.
    #[must_use]
    pub fn known_from_start(marks: impl IntoIterator<Item = MarkId>) -> Self {
        Self { known_from: marks.into_iter().map(|mark| (mark, 0)).collect(), ..Self::default() }
    }

    /// Records that a call begins whose end may be an event of a mark, and in which directory, if that is known.
    pub fn begin(&mut self, mark: MarkId, call: CallDigest, directory: Option<String>, at: Moment) {
        self.beginnings.entry((mark, call)).or_insert(at);
        if let Some(directory) = directory {
            self.directories.entry(call).or_insert(directory);
        }
    }

    /// Records the marks of a nested policy. They are known from the beginning of the session if the policy has looked
    /// for them at every call in its directory, otherwise from `moment` on.
    pub fn note_nested(&mut self, directory: KeyDigest, marks: &BTreeSet<MarkId>, age: PolicyAge, moment: Moment) {
        let is_known_from_start = self.may_know_nested(directory) && age == PolicyAge::WholeSession;
        let known_from = if is_known_from_start { 0 } else { moment };
        let earlier_marks = self.nested.insert(directory, marks.clone());
        for id in marks {
            let first_known = self.known_from.entry(*id).or_insert(known_from);
            // An earlier policy of the directory did not look for the mark.
            if earlier_marks.as_ref().is_some_and(|marks| !marks.contains(id)) {
                *first_known = moment;
            }
        }
    }

    /// Whether the policy of a directory may have seen every event of the session in that directory.
    #[must_use]
    pub fn may_know_nested(&self, directory: KeyDigest) -> bool {
        self.started.is_some() && !self.has_nested_gap && !self.nested.contains_key(&directory)
    }

    /// Records that a nested policy may have missed an event: the marks of nested policies are known only from `moment`
    /// on.
    pub fn note_nested_gap(&mut self, moment: Moment) {
        self.has_nested_gap = true;
        let missed = self.nested.values().flatten();
        missed.for_each(|id| _ = self.known_from.insert(*id, moment));
    }

    /// Adds an event of a mark, or the beginning of a call whose end may be one.
    pub fn add(
        &mut self,
        mark: &PlannedMark,
        (event, digest): (Event, Option<EventDigest>),
        (call, input): (Option<CallDigest>, Option<InputDigest>),
        (moment, time): (Moment, u64),
    ) {
        let (certainty, keys, may_end_later, pattern) = match &mark.moment {
            PlannedMoment::Happens { certainty, keys, may_end_later, pattern } => {
                (certainty, keys, may_end_later, pattern)
            }
            PlannedMoment::Begins(directory) => {
                let directory = || Some(directory.clone());
                call.into_iter().for_each(|call| self.begin(mark.id, call, directory(), moment));
                return;
            }
        };
        let keys = keys.digested(|key| self.key(key));
        self.events.push(PastEvent {
            mark: mark.id,
            certainty: *certainty,
            actor: mark.actor.as_ref().map_or(Actor::Unknown, |id| Actor::Known(self.key(id))),
            keys,
            event: digest.unwrap_or(EventDigest(moment)),
            input,
            began: match (event.ends_call(), call) {
                (true, Some(call)) => self.beginning(mark.id, call),
                (true, None) => None,
                (false, _) => Some(moment),
            },
            reported: moment,
            may_end_later: *may_end_later,
            pattern: *pattern,
            time,
        });
    }

    /// Returns the last event before a call with this tool and input.
    #[must_use]
    pub fn last_before_call(&self, input: InputDigest) -> Option<EventDigest> {
        self.events.iter().rev().find(|event| event.input == Some(input)).map(|event| event.event)
    }

    /// Returns when a call of a mark began; `None` if that is not known.
    #[must_use]
    pub fn beginning(&self, mark: MarkId, call: CallDigest) -> Option<Moment> {
        self.beginnings.get(&(mark, call)).copied()
    }

    /// Counts the events that a question is about.
    #[must_use]
    pub fn tally(&self, query: &PastQuery<'_>) -> Tally<'_> {
        let since = query.since.map(|mark| self.last_beginning(mark, query));
        let last_since = since.and_then(|since| since.event);
        let (mut least, mut most, mut last, mut doubt) = (0, 0, None, None);
        for event in self.of_mark(query.mark, query) {
            match self.counted(event, query, since) {
                Counted::Yes => {
                    (least, most) = (least + 1, most + 1);
                    last = Some(event);
                }
                // The last doubt is kept: about its event, an agent can still do something.
                Counted::Maybe(why) => (most, doubt) = (most + 1, Some(why)),
                Counted::No => {}
            }
        }
        let counts_all =
            query.keys.is_none() && query.actor.is_none() && query.since.is_none() && query.within.is_none();
        let mut unseen = self.unseen_until(query.mark);
        match self.dropped.get(&query.mark) {
            // Of dropped events, only their number is known.
            Some((certain, possible, _)) if counts_all => {
                (least, most) = (least + certain, most + certain + possible);
                doubt = doubt.or((*possible > 0).then_some(TallyDoubt::Unseen));
            }
            Some((_, _, until)) => unseen = unseen.max(Some(*until)),
            None => {}
        }
        // Events in a gap may count, unless the gap ended before the times that the query is about.
        let is_too_old = |until| query.within.is_some_and(|within| self.is_before(until, within));
        let may_count_unseen = match (unseen, since.and_then(|since| since.earliest)) {
            (None, _) => false,
            (Some(until), _) if is_too_old(until) => false,
            (Some(until), Some(since)) => since <= until,
            (Some(_), None) => true,
        };
        if may_count_unseen {
            return Tally { least, most: None, last, since: last_since, doubt: doubt.or(Some(TallyDoubt::Unseen)) };
        }
        Tally { least, most: Some(most), last, since: last_since, doubt }
    }

    /// Whether a moment is certainly more than `time` milliseconds ago: even an event that was reported after it is.
    fn is_before(&self, moment: Moment, time: u64) -> bool {
        let later = self.events.iter().find(|event| event.reported > moment);
        let ago = later.and_then(|event| self.now?.checked_sub(event.time));
        ago.is_some_and(|ago| ago > time)
    }

    /// Returns the events of a mark before the judged one.
    fn of_mark<'h>(&'h self, mark: MarkId, query: &PastQuery<'_>) -> impl Iterator<Item = &'h PastEvent> {
        let judged = query.judged;
        self.events.iter().filter(move |event| event.mark == mark && Some(event.event) != judged)
    }

    /// Returns the ends of a mark's gaps: times whose events are not known, or of which only the number is known.
    pub(crate) fn ends_of_unknown(&self, mark: MarkId) -> Vec<Moment> {
        let dropped = self.dropped.get(&mark).map(|(_, _, until)| *until);
        self.unseen_until(mark).into_iter().chain(dropped).collect()
    }

    /// Returns the end of a mark's last gap; `None` if all its events are known.
    fn unseen_until(&self, mark: MarkId) -> Option<Moment> {
        let unknown_until = match self.known_from.get(&mark) {
            None => Some(Moment::MAX),
            Some(0) => None,
            Some(from) => Some(*from),
        };
        unknown_until.into_iter().chain(self.unseen_until.iter().copied()).max()
    }

    /// Returns when the last event of a mark began.
    fn last_beginning(&self, mark: MarkId, query: &PastQuery<'_>) -> LastBeginning<'_> {
        let dropped = self.dropped.get(&mark).map(|(_, _, until)| *until);
        let (mut earliest, mut latest) = (None, self.unseen_until(mark).max(dropped));
        let mut last_certain = None;
        let mut doubt = latest.map(|_| TallyDoubt::Unseen);
        for event in self.of_mark(mark, query) {
            if event.certainty.counts() {
                last_certain = Some(event);
                earliest = earliest.max(event.began);
            }
            // A call began before it was reported, even if its beginning was not seen.
            let latest_beginning = event.began.unwrap_or(event.reported);
            if latest.is_none_or(|latest| latest_beginning >= latest) {
                latest = Some(latest_beginning);
                doubt = match (event.certainty, event.began) {
                    (Certainty::Possible(why), _) => Some(TallyDoubt::Possible(event, why)),
                    (Certainty::Certain | Certainty::Counted(_), None) => Some(TallyDoubt::Order(event)),
                    (Certainty::Certain | Certainty::Counted(_), Some(_)) => None,
                };
            }
        }
        LastBeginning { earliest, latest, doubt, event: last_certain }
    }

    /// Whether an event counts for a query.
    fn counted<'h>(
        &self,
        event: &'h PastEvent,
        query: &PastQuery<'_>,
        since: Option<LastBeginning<'h>>,
    ) -> Counted<'h> {
        let happened = match event.certainty {
            Certainty::Certain | Certainty::Counted(_) => Counted::Yes,
            Certainty::Possible(why) => Counted::Maybe(TallyDoubt::Possible(event, why)),
        };
        let order = since.map_or(Counted::Yes, |since| is_after(event, since));
        // That it may end later is the doubt that no call of the agent removes.
        let happened_in_order = match order {
            Counted::Maybe(TallyDoubt::Later(_)) => order.and(happened),
            _ => happened.and(order),
        };
        happened_in_order
            .and(query.keys.map_or(Counted::Yes, |keys| has_key(event, keys)))
            .and(query.actor.map_or(Counted::Yes, |actor| is_by(event, actor)))
            .and(query.within.map_or(Counted::Yes, |within| self.is_within(event, within)))
    }

    /// Whether an event happened at most `within` milliseconds before the judged one.
    fn is_within<'h>(&self, event: &'h PastEvent, within: u64) -> Counted<'h> {
        match self.now.and_then(|now| now.checked_sub(event.time)) {
            Some(ago) if ago <= within => Counted::Yes,
            Some(_) if event.may_end_later => Counted::Maybe(TallyDoubt::Later(event)),
            Some(_) => Counted::No,
            // The clock is not known, or it was set back.
            None => Counted::Maybe(TallyDoubt::Time(event)),
        }
    }
}

/// Whether an event ended after the last event of another mark began.
fn is_after<'h>(event: &'h PastEvent, since: LastBeginning<'h>) -> Counted<'h> {
    let certainly = since.latest.is_none_or(|latest| event.reported > latest);
    let possibly = since.earliest.is_none_or(|earliest| event.reported > earliest);
    match (certainly, possibly) {
        (true, _) => Counted::Yes,
        (false, _) if event.may_end_later => Counted::Maybe(TallyDoubt::Later(event)),
        (false, true) => Counted::Maybe(since.doubt.unwrap_or(TallyDoubt::Order(event))),
        (false, false) => Counted::No,
    }
}

/// Whether an event has one of some keys.
fn has_key<'h>(event: &'h PastEvent, keys: &Keys) -> Counted<'h> {
    if keys.certain.iter().any(|key| event.keys.certain.contains(key)) {
        return Counted::Yes;
    }
    let may_be = event.keys.has_others && (keys.has_others || !keys.certain.is_empty())
        || keys.has_others && !event.keys.certain.is_empty();
    if may_be { Counted::Maybe(TallyDoubt::Key(event)) } else { Counted::No }
}

/// Whether an event is by an agent that the query is about.
fn is_by<'h>(event: &'h PastEvent, query: ActorQuery<'_>) -> Counted<'h> {
    match (&event.actor, query.now) {
        (Actor::Unknown, _) | (_, Actor::Unknown) => Counted::Maybe(TallyDoubt::Actor(event)),
        (actor, now) if (actor == now) == query.is_same => Counted::Yes,
        _ => Counted::No,
    }
}

/// Returns the digest of a salt followed by a key.
#[must_use]
pub fn key_digest(salt: &[u8], text: &str) -> KeyDigest {
    KeyDigest(short_digest([salt, text.as_bytes()]))
}

/// Returns the first 64 bits of a fingerprint of pieces.
#[must_use]
pub fn short_digest<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> u64 {
    Fingerprint::digest_pieces(pieces).first_bits()
}

#[cfg(test)]
mod tests;
