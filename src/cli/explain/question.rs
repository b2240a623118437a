//! What is judged and by what: the event, the policy, and the hook that would judge it.

use super::input::Input;
use super::{Args, Output, json, layers};
use crate::cli::Outcome;
use crate::cli::hook::{self, Registered};
use crate::cli::load::{Around, load_whole_around};
use crate::cli::print::Printer;
use crate::cli::registration::{self as here, Present};
use crate::context::Context;
use crate::eval::Evaluation;
use crate::hooks::{Completed, Guard, Received, Registration};
use crate::host::Decoded;
use crate::host_settings::Scope;
use crate::policy::Policy;
use crate::project::{Places, discover};
use crate::trust;
use crate::types::Payload;

/// What is judged and by what.
pub(super) struct Question<'a> {
    pub(super) args: &'a Args,
    pub(super) input: Input,
    pub(super) places: Places,
    pub(super) policy: Policy,
    registration: Registration,
}

impl<'a> Question<'a> {
    /// Reads the event and loads the policy.
    pub(super) fn of(args: &'a Args, printer: &mut Printer) -> Result<Self, Outcome> {
        // The log is in the state directory of a registration.
        let of_log = args.last.is_some() || args.line.is_some();
        let state_dir = args.registered.state_dir.clone().filter(|_| of_log);
        if !args.as_hook && args.registered != (Registered { state_dir, ..Registered::default() }) {
            printer.err("rules: the options of a registration need `--as-hook`\n");
            return Err(Outcome::Usage);
        }
        let input = Input::of(args, printer)?;
        // Without options, the registration is the existing one.
        let is_asked = args.as_hook && args.registered == Registered::default();
        let present = if is_asked { here::present() } else { None };
        let registered = present.as_ref().map_or(&args.registered, |present| &present.registered);
        let otherwise = if args.as_hook { Scope::User } else { Scope::Project };
        let registration = hook::registration(input.host, registered, otherwise, None);
        let fixed = args.project.as_deref().or(input.project.as_deref());
        let around = Around::of(fixed, registration.clone());
        let places = match input.payload() {
            Some(payload) => around.places(payload),
            None => around.without_payload(),
        };
        let policy = if args.as_hook {
            let discovery = discover(&places);
            let (policy, _) = trust::load(&discovery, &places);
            if args.format == Output::Human && !args.quiet {
                print_hook(args, present.as_ref(), printer);
                layers::print((&registration, input.payload()), &places, &discovery, &policy, printer);
            }
            policy
        } else {
            load_whole_around(&places, args.policy.as_slice(), printer)?
        };
        Ok(Self { args, input, places, policy, registration })
    }

    /// Returns the event and any damage to its payload; an outcome if there is no event.
    pub(super) fn event(&self, printer: &mut Printer) -> Result<(&Payload, Option<&str>), Outcome> {
        let refused = match &self.input.decoded {
            Ok(Decoded::Event { payload, damage }) => {
                if let Some(damage) = damage {
                    printer.err(&format!("rules: the payload is damaged: {damage}\n"));
                }
                return Ok((payload, damage.as_deref()));
            }
            Ok(Decoded::UnknownEvent(event)) => {
                printer.out(&match self.args.format {
                    Output::Human => format!("`{event}` is unknown to this version: it passes\n"),
                    Output::Json => json::unknown(event),
                });
                return Err(Outcome::Clean);
            }
            Ok(Decoded::Unreadable { reason, .. }) => reason,
            Err(error) => error,
        };
        printer.err(&format!("rules: {refused}\n"));
        Err(Outcome::Findings)
    }

    /// Adds the hook's own votes to an evaluation: all of them with `--as-hook` or for a damaged payload, else only
    /// those of the guard.
    pub(super) fn completed(
        &self,
        (payload, damage): (&Payload, Option<&str>),
        context: &Context<'_>,
        evaluation: Evaluation,
    ) -> Completed {
        let Self { args, policy, places, registration, .. } = self;
        // A policy given by path is not where an edit could break it.
        if args.as_hook || (damage.is_some() && args.policy.is_none()) {
            return Received { payload, damage, registration, places }.explain(policy, context, evaluation);
        }
        if args.policy.is_some() {
            return Completed::by_rules(evaluation);
        }
        let sources = || policy.files();
        let guard = Guard { payload, context, policy: Some(policy), sources: &sources, places };
        let Ok(completed) = Completed::by_guard(evaluation, &guard, &policy.rules);
        completed
    }
}

/// Prints which hook it is.
fn print_hook(args: &Args, present: Option<&Present>, printer: &mut Printer) {
    match present {
        Some(present) => {
            let place = here::shown(&present.file);
            printer.out(&format!("the hook is the one that {place}:{} registers\n", present.line));
        }
        None if args.registered == Registered::default() => {
            printer.out("no hook is registered here; this is what one in the user's settings would do\n");
        }
        None => {}
    }
}
