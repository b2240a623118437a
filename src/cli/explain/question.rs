//! What `rules explain` is asked: the event, the policy, and the registration of the hook that would judge it.

use std::path::PathBuf;
use std::sync::Arc;

use super::input::ExplainInput;
use super::{ExplainArgs, ExplainOutput, json, layers};
use crate::cli::CommandOutcome;
use crate::cli::hook::{self, RegistrationArgs};
use crate::cli::load::{ProjectLocator, load_whole_around};
use crate::cli::print::Printer;
use crate::cli::registration::{self as here, NearestRegistration};
use crate::context::Context;
use crate::eval::Evaluation;
use crate::examples::{ExampleHost, ExampleSetting, marks_of, past_of_example};
use crate::facts::SessionPast;
use crate::hooks::{Completed, Guard, NestedPolicySource, Received, Registration};
use crate::host::DecodedPayload;
use crate::host_settings::SettingsScope;
use crate::policy::Policy;
use crate::project::{MachinePlaces, discover};
use crate::trust;
use crate::types::Payload;

/// The event to explain, and the policy by which it is judged.
pub(super) struct Question<'a> {
    pub(super) args: &'a ExplainArgs,
    pub(super) input: ExplainInput,
    /// The project and the directories of the layers.
    pub(super) places: MachinePlaces,
    pub(super) policy: Policy,
    /// The registration of the hook that would judge the event.
    registration: Registration,
}

impl<'a> Question<'a> {
    /// Reads the event and loads the policy.
    pub(super) fn from_args(args: &'a ExplainArgs, printer: &mut Printer) -> Result<Self, CommandOutcome> {
        // `--state-dir` is also allowed without `--as-hook` when the event comes from the log, which is in that
        // directory.
        let of_log = args.last.is_some() || args.line.is_some();
        let state_dir = args.registered.state_dir.clone().filter(|_| of_log);
        if !args.as_hook && args.registered != (RegistrationArgs { state_dir, ..RegistrationArgs::default() }) {
            printer.err("rules: the options of a registration need `--as-hook`\n");
            return Err(CommandOutcome::Usage);
        }
        let input = ExplainInput::from_args(args, printer)?;
        // With `--as-hook` and no other option of a registration, the hook is the one in the settings here, if any.
        let uses_settings = args.as_hook && args.registered == RegistrationArgs::default();
        let nearest = if uses_settings { here::nearest_registration() } else { None };
        let registered = nearest.as_ref().map_or(&args.registered, |nearest| &nearest.registered);
        let default_scope = if args.as_hook { SettingsScope::User } else { SettingsScope::Project };
        let registration = hook::registration(input.host, registered, default_scope, None);
        let fixed = args.project.as_deref().or(input.project.as_deref());
        let locator = ProjectLocator::for_registration(fixed, registration.clone());
        let places = match input.payload() {
            Some(payload) => locator.places(payload),
            None => locator.places_without_payload(),
        };
        let policy = if args.as_hook {
            let discovery = discover(&places);
            let (policy, _) = trust::load(&discovery, &places);
            if args.format == ExplainOutput::Human && !args.quiet {
                print_hook(args, nearest.as_ref(), printer);
                layers::print((&registration, input.payload()), &places, &discovery, &policy, printer);
            }
            policy
        } else {
            load_whole_around(&places, args.policy.as_slice(), printer)?
        };
        Ok(Self { args, input, places, policy, registration })
    }

    /// Returns the past that the typed call states (`after […]`); `None` if the event was not typed.
    ///
    /// # Errors
    /// The outcome with which the program ends if a stated step is no event; the message is already printed.
    pub(super) fn past_of_typed_call(&self, printer: &mut Printer) -> Result<Option<SessionPast>, CommandOutcome> {
        let Some(example) = &self.input.typed else { return Ok(None) };
        let setting = ExampleSetting {
            directory: self.places.project.clone().unwrap_or_else(|| PathBuf::from("/")),
            tools: Arc::new(self.policy.settings.shell_tools.clone()),
            host: ExampleHost::Default,
            marks: marks_of(self.policy.rules.rules()),
        };
        past_of_example(example, &setting).map(Some).map_err(|finding| {
            printer.err(&format!("rules: {}\n", finding.message));
            CommandOutcome::Usage
        })
    }

    /// Returns the payload and the damage to it, if any.
    ///
    /// # Errors
    /// The outcome with which the program ends if there is no known event; the message is already printed.
    pub(super) fn event(&self, printer: &mut Printer) -> Result<(&Payload, Option<&str>), CommandOutcome> {
        let problem = match &self.input.decoded {
            Ok(DecodedPayload::Event { payload, damage }) => {
                if let Some(damage) = damage {
                    printer.err(&format!("rules: the payload is damaged: {damage}\n"));
                }
                return Ok((payload, damage.as_deref()));
            }
            Ok(DecodedPayload::UnknownEvent(event)) => {
                printer.out(&match self.args.format {
                    ExplainOutput::Human => format!("`{event}` is unknown to this version: it passes\n"),
                    ExplainOutput::Json => json::unknown_event_json(event),
                });
                return Err(CommandOutcome::Clean);
            }
            Ok(DecodedPayload::Unreadable { reason, .. }) => reason,
            Err(error) => error,
        };
        printer.err(&format!("rules: {problem}\n"));
        Err(CommandOutcome::Findings)
    }

    /// Adds the votes of the hook to those of the rules: with `--as-hook` or for a damaged payload also those of the
    /// failure policy, otherwise only those of the guard, and none for a policy given by `--policy`.
    pub(super) fn complete(
        &self,
        (payload, damage): (&Payload, Option<&str>),
        context: &Context<'_>,
        evaluation: Evaluation,
    ) -> Completed {
        let Self { args, policy, places, registration, .. } = self;
        // A policy given by `--policy` is not the one in force, so the guard need not protect it.
        if args.as_hook || (damage.is_some() && args.policy.is_none()) {
            return Received { payload, damage, registration, places }.explain(policy, context, evaluation);
        }
        if args.policy.is_some() {
            return Completed::from_rules_only(evaluation);
        }
        let sources = || policy.files();
        let guard = Guard { payload, context, policy: Some(policy), sources: &sources, places, nested: &[] };
        let Ok(completed) =
            Completed::with_guard_only(evaluation, guard, &policy.rules, NestedPolicySource::FOR_EXPLANATION);
        completed
    }
}

/// Prints which registration is explained: the one in a settings file here, or an assumed one in the user's settings.
fn print_hook(args: &ExplainArgs, nearest: Option<&NearestRegistration>, printer: &mut Printer) {
    match nearest {
        Some(nearest) => {
            let place = here::display_path(&nearest.file);
            printer.out(&format!("the hook is the one that {place}:{} registers\n", nearest.line));
        }
        None if args.registered == RegistrationArgs::default() => {
            printer.out("no hook is registered here; this is what one in the user's settings would do\n");
        }
        None => {}
    }
}
