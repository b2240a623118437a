//! The handler of `rules EVENT`, which takes the payload and the registration from this process.

use super::Registration;
use super::process::PayloadInput;
use super::strict::{HandlerResult, HookError, HookResult, handle};
use crate::schema::Event;

/// Reads the payload on standard input and handles it as [`handle`] does.
///
/// # Errors
///
/// Fails if the payload is not a complete payload of this event. The error has the reason.
pub async fn handle_event(event: Event) -> HandlerResult<HookResult> {
    let input = PayloadInput::for_process();
    match &input.problem {
        Some(problem) => Err(HookError::Unreadable(problem.clone())),
        None => handle(event, &input.bytes, Registration::for_process()),
    }
}
