//! The forms of a line of input: a payload, a payload with what is stated about it, a line of the log.

use serde_json::{Map, Value as Json};

use super::sessions::StatedEvent;
use crate::decision_log::{LogEntry, is_line_of_log, replay};
use crate::host::{DecodedPayload, Host, decode, parse_json};
use crate::time::{parse_rfc3339, whole_milliseconds};

/// The parts of an input line that are needed to decide it.
#[derive(Default)]
pub(super) struct LineParts {
    /// The bytes of the payload; `None` if the whole line is the payload.
    pub(super) bytes: Option<Vec<u8>>,
    /// The facts that the line gives; `None` if it gives none.
    pub(super) stated: Option<Map<String, Json>>,
    /// All that happened in the session before, if the facts state it.
    pub(super) history: Option<Vec<StatedEvent>>,
    /// The time of the event, in milliseconds since 1970, if it is stated.
    pub(super) time: Option<u64>,
    /// The parsed line, if it is one of the log.
    pub(super) entry: Option<Box<LogEntry>>,
}

/// Which forms of lines are accepted; any other is an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AcceptedLines {
    /// Lines of every form.
    Any,
    /// Only lines of the log of decisions, with `--recheck`.
    OfLog,
}

impl LineParts {
    /// Parses a line into its parts. `host` is the sender of the payloads in it.
    ///
    /// # Errors
    /// A log line that is damaged or lacks the call, a line that is not accepted, an unknown member next to `payload`,
    /// or one with a value of another type.
    pub(super) fn parse(line: &[u8], host: Host, accepted: AcceptedLines) -> Result<Self, String> {
        let outer = outer_members(line);
        if let Some(outer) = outer.as_ref().filter(|outer| is_line_of_log(outer)) {
            let entry: LogEntry = serde_json::from_value(Json::Object(outer.clone()))
                .map_err(|error| format!("a damaged line of the log: {error}"))?;
            let replayed = replay(&entry).ok_or("this line of the log holds no call")?;
            let bytes = Json::Object(replayed.payload).to_string().into_bytes();
            let time = entry.event_time().map(whole_milliseconds);
            return Ok(Self { bytes: Some(bytes), time, entry: Some(Box::new(entry)), ..Self::default() });
        }
        if accepted == AcceptedLines::OfLog {
            return Err("not a line of the log of decisions".to_owned());
        }
        match outer.filter(|outer| !outer.contains_key("hook_event_name") && outer.contains_key("payload")) {
            None => Ok(Self::default()),
            Some(outer) => Self::parse_stated(outer, host),
        }
    }

    /// Parses a line such as `{"payload": …, "facts": {…}}`.
    fn parse_stated(mut outer: Map<String, Json>, host: Host) -> Result<Self, String> {
        let (bytes, time) = payload_and_time(&outer, &["payload", "facts", "time"])?;
        let mut facts = match outer.remove("facts") {
            Some(Json::Object(facts)) => facts,
            None => return Ok(Self { bytes: Some(bytes), time, ..Self::default() }),
            Some(_) => return Err("`facts` is not an object".to_owned()),
        };
        let history = match facts.remove("history") {
            None | Some(Json::Null) => None,
            Some(Json::Array(events)) => {
                let events = events.into_iter().map(|event| stated_event(event, host));
                Some(events.collect::<Result<Vec<_>, _>>().map_err(|error| format!("`history`: {error}"))?)
            }
            Some(_) => return Err("`history` is not a list of payloads".to_owned()),
        };
        Ok(Self { bytes: Some(bytes), stated: Some(facts), history, time, entry: None })
    }
}

/// Returns the members of a line that may be more than a bare payload; `None` if it certainly is one, or cannot be
/// parsed.
fn outer_members(line: &[u8]) -> Option<Map<String, Json>> {
    // JSON can spell a member's name literally or with escapes such as `\u0070`. A line without any of `marks` is a
    // bare payload, and need not be parsed both here and by `decode`.
    let text = std::str::from_utf8(line);
    let marks = ["\"payload\"", "\"decision\"", "\\u"];
    if text.is_ok_and(|text| !marks.iter().any(|mark| text.contains(mark))) {
        return None;
    }
    parse_json(line).ok().map(|read| read.members)
}

/// Returns the members `payload` and `time` of an object that may have only the members in `known`.
fn payload_and_time(outer: &Map<String, Json>, known: &[&str]) -> Result<(Vec<u8>, Option<u64>), String> {
    if let Some(unknown) = outer.keys().find(|key| !known.contains(&key.as_str())) {
        let others: Vec<String> = known.iter().skip(1).map(|name| format!("`{name}`")).collect();
        return Err(format!("unexpected `{unknown}` beside `payload`: only {} may be there", others.join(" and ")));
    }
    let time = match outer.get("time") {
        None | Some(Json::Null) => None,
        Some(time) => {
            let parsed = time.as_str().and_then(parse_rfc3339);
            let parsed = parsed.ok_or("`time` is not a time in UTC such as \"2026-11-21T08:05:09.042Z\"")?;
            Some(whole_milliseconds(parsed))
        }
    };
    Ok((outer.get("payload").map(Json::to_string).unwrap_or_default().into_bytes(), time))
}

/// Parses an event of a stated history: a payload, or `{"payload": …, "time": "…"}`.
fn stated_event(event: Json, host: Host) -> Result<StatedEvent, String> {
    let (bytes, time) = match &event {
        Json::Object(outer) if outer.contains_key("payload") && !outer.contains_key("hook_event_name") => {
            payload_and_time(outer, &["payload", "time"])?
        }
        payload => (payload.to_string().into_bytes(), None),
    };
    match decode(host, &bytes) {
        DecodedPayload::Event { payload, damage: None } => Ok(StatedEvent { payload, time }),
        DecodedPayload::Event { damage: Some(problem), .. } => Err(problem),
        DecodedPayload::UnknownEvent(event) => Err(format!("`{event}` is no event of the host")),
        DecodedPayload::Unreadable { reason, .. } => Err(reason),
    }
}
