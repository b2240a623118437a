//! The comparison of a session with the expectations of its case.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value as Json;

use crate::case::{Case, Expect};
use crate::registration::Binary;
use crate::session::Session;

/// Returns the problems of a session and the expectations of its case that it does not meet.
pub(crate) fn failures(case: &Case, session: &Session) -> Vec<String> {
    let expected = case.expects.iter().filter_map(|expect| failure(expect, session));
    session.problems.iter().cloned().chain(complaint(case, session)).chain(expected).collect()
}

/// Returns the host's own report of an answer that it could not use. Our program must never cause one.
fn complaint(case: &Case, session: &Session) -> Option<String> {
    let is_one = |line: &&serde_json::Value| line["subtype"] == "hook_no_verdict";
    let found = session.stream.iter().find(is_one).filter(|_| case.registration.binary == Binary::Ours)?;
    Some(format!("the host cannot use an answer: {found}"))
}

fn failure(expect: &Expect, session: &Session) -> Option<String> {
    let at = |name: &str| session.scratch.project().join(name);
    let has = |request: &crate::api::Request, text: &str| request.body["messages"].to_string().contains(text);
    let (holds, seen) = match expect {
        Expect::In(version, inner) => {
            return (*version == session.version).then(|| failure(inner, session)).flatten();
        }
        Expect::Made(name) => (at(name).exists(), "it is not there".to_owned()),
        Expect::Absent(name) => (!at(name).exists(), "it is there".to_owned()),
        Expect::Holds(name, text) => {
            let content = fs::read_to_string(at(name)).unwrap_or_default();
            (content.contains(text), format!("it has {content:?}"))
        }
        Expect::Is(name, text) => {
            let content = fs::read_to_string(at(name)).unwrap_or_default();
            (content == *text, format!("it has {content:?}"))
        }
        Expect::Lines(name, count) => {
            let content = fs::read_to_string(at(name)).unwrap_or_default();
            (content.lines().count() == *count, format!("it has {content:?}"))
        }
        Expect::Each(name, member, events) => {
            let content = fs::read_to_string(at(name)).unwrap_or_default();
            let mut by_member: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for line in content.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok()) {
                let event = line["hook_event_name"].as_str().unwrap_or_default().to_owned();
                by_member.entry(line[*member].to_string()).or_default().push(event);
            }
            (!by_member.is_empty() && by_member.values().all(|came| came == events), format!("it has {content:?}"))
        }
        Expect::Denied(tool) => (session.denied().contains(tool), format!("denied: {:?}", session.denied())),
        Expect::NothingDenied => (session.denied().is_empty(), format!("denied: {:?}", session.denied())),
        Expect::Told(conversation, text) => {
            let count = session.requests_of(conversation).count();
            (
                session.requests_of(conversation).any(|request| has(request, text)),
                format!("in none of {count} requests"),
            )
        }
        Expect::NeverTold(text) => {
            let found = session.requests.iter().find(|request| request.body.to_string().contains(text));
            (found.is_none(), format!("in a request of {:?}", found.and_then(|request| request.conversation)))
        }
        Expect::Requests(conversation, count) => {
            let came = session.requests_of(conversation).count();
            (came == *count, format!("{came} came"))
        }
        Expect::Raised(event, least) => {
            let count = session.payloads.iter().filter(|seen| seen.event == *event).count();
            (count >= *least, format!("{count} times"))
        }
        Expect::ProjectDirectory(name) => {
            let expected = at(name).canonicalize().unwrap_or_default();
            let other = session.payloads.iter().find(|seen| seen.project != expected);
            (other.is_none() && !session.payloads.is_empty(), format!("other: {other:?}"))
        }
        Expect::Order(first, then) => {
            let (first, then) = (session.first(first), session.first(then));
            (first.is_some() && then.is_some() && first < then, format!("at {first:?} and {then:?}"))
        }
        Expect::Result(member, text) => {
            let value = session.results().last().map(|result| result[*member].to_string()).unwrap_or_default();
            (value.contains(text), format!("it is {value}"))
        }
    };
    (!holds).then(|| format!("{expect:?}: {seen}"))
}
