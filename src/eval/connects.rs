//! Tests of the hosts that a call connects to: `connects`.

use crate::context::{Contact, Contacts, Context, Reason, ShellRole};
use crate::ruleset::HostTest;
use hookrules_shell::glob::Fit;

use super::condition::{ConditionJudge, kleene_and, kleene_or};
use super::message::quote;
use super::{Matched, Truth, scope};

/// The cost of comparing a host with one glob or range of a test, in units of the budget.
const HOST_COMPARISON_UNITS: u64 = 8;

impl ConditionJudge<'_> {
    /// Returns why a result must not depend on the call's commands: the rule can allow, and it is only probable that
    /// the tool runs a command. `None` if it may depend on them.
    pub(super) fn uncertain_commands(&self) -> Option<Reason> {
        let is_likely = || self.context.shell_text().is_some_and(|shell| shell.role == ShellRole::Likely);
        let must_not_depend = self.rule.can_allow && is_likely();
        must_not_depend.then(|| Reason::likely_command(self.context.payload().tool_name().unwrap_or_default()))
    }

    /// Weakens a negative result about all effects of a call. If the rule can allow, false becomes unknown unless the
    /// effects of every command are known.
    pub(super) fn weaken_for_allow(&self, result: Truth) -> Truth {
        let must_be_certain = result == Truth::False && self.rule.can_allow;
        must_be_certain.then(|| self.context.unseen_program()).flatten().map_or(result, Truth::unknown)
    }

    /// Judges a test of the hosts that the call connects to. Also returns a note on the host that decided.
    pub(super) fn judge_connects(&mut self, test: &HostTest) -> (Truth, Option<String>) {
        let context = self.context;
        if let Some(reason) = self.uncertain_commands() {
            return (Truth::unknown(reason), None);
        }
        let contacts = context.contacts();
        if let Err(reason) =
            context.machine().charge_each(HOST_COMPARISON_UNITS, contacts.hosts.len().saturating_mul(test.host_count()))
        {
            return (Truth::unknown(reason), None);
        }
        let mut result = contacts.unknown.clone().map_or(Truth::False, Truth::unknown);
        let visibility = |contact: &Contact| {
            let shell = context.shell_text();
            shell.map_or(Fit::Yes, |shell| scope::visibility_of(self.rule, context, shell, contact.command))
        };
        for contact in &contacts.hosts {
            let truth = kleene_and(contact_truth(test, contact), Truth::from(visibility(contact)));
            if truth == Truth::True {
                let host = display_contact(contact);
                let note = self.note(|| contact_note(context, contact, &host));
                self.matched.get_or_insert(Matched::here(host));
                return (Truth::True, note);
            }
            result = kleene_or(result, truth);
        }
        let result = self.weaken_for_allow(result);
        let note = self.note(|| match &result {
            Truth::Unknown(reason) => reason.sentence(),
            _ => contacts_note(context, &contacts),
        });
        (result, note)
    }
}

/// Whether a host satisfies the test. Unknown if the host or its port is unknown, or the call may not connect to it.
fn contact_truth(test: &HostTest, contact: &Contact) -> Truth {
    let truth = match (test, &contact.host) {
        (HostTest::Any, _) => Truth::True,
        (test, Ok(host)) => {
            test.match_endpoint(host).map_or_else(|| Truth::unknown(Reason::unknown_port(&host.host)), Truth::from)
        }
        (_, Err(reason)) => Truth::unknown(reason.clone()),
    };
    match (&truth, &contact.doubt) {
        (Truth::True, Some(doubt)) => Truth::unknown(doubt.clone()),
        _ => truth,
    }
}

/// Returns the name of a host as messages show it.
fn display_contact(contact: &Contact) -> String {
    match &contact.host {
        Ok(host) => host.host.clone(),
        Err(_) => "an unknown host".to_owned(),
    }
}

/// Returns a note on a host, and on the command that connects to it.
fn contact_note(context: &Context<'_>, contact: &Contact, host: &str) -> String {
    let command = contact.command.and_then(|id| context.shown_command(id));
    let subject = command.map_or_else(|| "it".to_owned(), |command| quote(&command));
    match &contact.host {
        Ok(_) => format!("{subject} connects to {}", quote(host)),
        Err(_) => format!("{subject} connects to {host}"),
    }
}

/// Returns a note on the hosts that were examined.
fn contacts_note(context: &Context<'_>, contacts: &Contacts<'_>) -> String {
    match contacts.hosts.as_slice() {
        [] => "it connects to no host".to_owned(),
        [first, rest @ ..] => {
            let first = contact_note(context, first, &display_contact(first));
            if rest.is_empty() { first } else { format!("{first} and {} more", rest.len()) }
        }
    }
}
