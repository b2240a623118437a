//! The findings of `rules check` about the registration of the hook in the host's settings.

use std::sync::Arc;

use crate::cli::registration;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::host_settings::{RegistrationFinding, RegistrationProblem, SettingsFile, policy_events};
use crate::policy::Policy;
use crate::ruleset::Rule;
use crate::span::{Sources, Span};

/// Adds the findings about the registration in the host's settings around the current directory. Returns whether any
/// hook is registered.
pub(super) fn add_registration_findings(policy: &mut Policy, findings: &mut Vec<Diagnostic>) -> bool {
    let settings = registration::settings(None);
    let events = policy_events(policy);
    let review = registration::review(&settings, &events, None);
    let mut without_rule = Vec::new();
    for finding in review.findings() {
        let code = match finding.problem.severity() {
            Severity::Deny | Severity::Error => Code::REGISTRATION,
            Severity::Warning => Code::REGISTRATION_RISK,
            Severity::Info => continue,
        };
        let diagnostic = |code| Diagnostic::new(code, finding.problem.message()).help(finding.problem.help());
        if let RegistrationProblem::Missing(event) = finding.problem {
            let is_on_event = |rule: &&Arc<Rule>| rule.head.event_set().contains(&event);
            match policy.rules.rules().iter().find(is_on_event) {
                Some(rule) => {
                    let unregistered = diagnostic(Code::EVENT_UNREGISTERED);
                    findings.push(unregistered.label(rule.name_span, "this rule cannot fire"));
                }
                None => without_rule.push(event.name()),
            }
            continue;
        }
        let place = finding_span(&finding, &settings, &mut policy.sources);
        findings.push(match place {
            Some(span) => diagnostic(code).label(span, "here"),
            None => diagnostic(code),
        });
    }
    if !without_rule.is_empty() {
        let message = format!("no hook is registered for {}, which any policy needs", without_rule.join(", "));
        findings.push(Diagnostic::new(Code::EVENT_UNREGISTERED, message).help("run `rules install claude-code` again"));
    }
    review.is_registered()
}

/// Returns the position of a finding in its settings file, which is added to the sources; `None` if the finding has
/// no position.
fn finding_span(finding: &RegistrationFinding, settings: &[SettingsFile], sources: &mut Sources) -> Option<Span> {
    let path = finding.file.as_deref()?;
    let file = settings.iter().find(|settings| settings.path == path)?;
    let name = registration::display_path(path);
    let known = sources.iter().find(|source| source.name == name).map(|source| source.id);
    let id = known.unwrap_or_else(|| sources.add(name, None, file.text.clone()));
    let place = finding.place.clone()?;
    Some(Span::new(id, place.start, place.end))
}
