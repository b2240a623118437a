//! The host of an example: the one that it names after `on`, or the default for all examples. Removes from the payload
//! what that host does not send.

use serde_json::Value as Json;

use super::ExampleHost;
use super::input::key_path;
use crate::diagnostic::{Code, Diagnostic};
use crate::host::{self, Host};
use crate::schema::Event;
use crate::span::Span;
use crate::syntax::ast::{Example, Name};
use crate::types::Payload;

/// The members that an example's payload has even if the example does not state them.
pub(super) const BASE_MEMBERS: &[&str] =
    &["session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "stop_hook_active"];

/// Returns the payload of an example as its host sends it, and the host.
///
/// # Errors
/// The example states an unknown host, or one that never sends the event or a field of the example.
pub(super) fn sent_by_host(
    example: &Example,
    payload: Payload,
    default: ExampleHost,
) -> Result<(Payload, Host), Diagnostic> {
    let (host, host_span) = match (&example.host, default) {
        (Some(name), _) => (named_host(name)?, name.span),
        (None, ExampleHost::Required(host)) => (host, example.span),
        (None, ExampleHost::Preferred(host)) => {
            let sent = adapted(host, payload.clone(), example, example.span);
            return Ok(sent.map_or((payload, Host::CLAUDE_CODE), |payload| (payload, host)));
        }
        (None, ExampleHost::Default) => return Ok((payload, Host::CLAUDE_CODE)),
    };
    Ok((adapted(host, payload, example, host_span)?, host))
}

/// Returns the host that an example names after `on`, or the finding about an unknown name.
fn named_host(name: &Name) -> Result<Host, Diagnostic> {
    Host::from_name(&name.text).ok_or_else(|| {
        Diagnostic::new(Code::BAD_EXAMPLE, format!("unknown host `{}`", name.text))
            .label(name.span, "not a host")
            .help("`rules list --hosts` lists the hosts")
            .suggest_name(name.span, "host", &name.text, Host::names())
    })
}

/// Returns a payload as a host sends it. Findings about the host are reported at `host_span`.
fn adapted(host: Host, mut payload: Payload, example: &Example, host_span: Span) -> Result<Payload, Diagnostic> {
    let name = host.name();
    if let Some(why) = host.not_called() {
        let message = format!("`{name}` never calls a hook");
        return Err(Diagnostic::new(Code::BAD_EXAMPLE, message).label(host_span, "guarded by no policy").help(why));
    }
    let event = payload.event;
    let unsent: Vec<String> =
        payload.json.keys().filter(|field| !host.has_field_value(event, field)).cloned().collect();
    for field in unsent {
        match field_span(example, &field, &payload) {
            Some(span) => {
                return Err(Diagnostic::new(Code::BAD_EXAMPLE, format!("`{name}` never sends `{field}`"))
                    .label(span, format!("not sent on {}", event.name()))
                    .help("leave it out, or state another host"));
            }
            None => payload.json.remove(&field),
        };
    }
    host::sent_payload(host, payload).ok_or_else(|| {
        let sent = Event::ALL.iter().filter(|event| host.capabilities(**event).is_some());
        let sent: Vec<String> = sent.map(|event| format!("`{}`", event.name())).collect();
        Diagnostic::new(Code::BAD_EXAMPLE, format!("`{name}` never sends `{}`", event.name()))
            .label(host_span, "no such event there")
            .help(format!("it sends {}", sent.join(", ")))
    })
}

/// Returns the span of what sets a field in an example: its entry, its `by`, or the whole example. `None` for a member
/// that the example does not state.
fn field_span(example: &Example, field: &str, payload: &Payload) -> Option<Span> {
    let entries = example.fields.iter().flat_map(|map| &map.entries);
    let names_field = |path: Vec<String>| path.first().is_some_and(|first| first == field);
    let entry = entries.into_iter().find(|entry| key_path(&entry.key).is_some_and(names_field));
    let by = example.by.as_ref().filter(|_| matches!(field, "agent_id" | "agent_type"));
    let is_null = payload.json.get(field).is_none_or(Json::is_null);
    let elsewhere = (!BASE_MEMBERS.contains(&field) && !is_null).then_some(example.span);
    entry.map(|entry| entry.span).or(by.map(|by| by.span)).or(elsewhere)
}
