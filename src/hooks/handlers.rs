//! The strict handler of `rules EVENT`, with the payload and the registration of this process.

use super::Registration;
use super::process::PayloadInput;
use super::strict::{HandlerResult, HookError, HookResult, handle};
use crate::schema::Event;

/// Handles the event on standard input, as [`handle`] does.
///
/// # Errors
///
/// Fails if the payload is not a complete one of this event; the error says what is wrong with it.
pub async fn handle_event(event: Event) -> HandlerResult<HookResult> {
    let input = PayloadInput::for_process();
    match &input.problem {
        Some(problem) => Err(HookError::Unreadable(problem.clone())),
        None => handle(event, &input.bytes, Registration::for_process()),
    }
}
