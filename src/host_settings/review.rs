//! Reviews how Claude Code's settings register this program, and finds problems because of which calls may pass
//! unjudged.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::installation::is_guarding_event;
use super::settings_schema::has_event_name;
use super::version::{BLOCKS_FAILURES, SALVAGES_HOOKS};
use super::{
    EventRegistrations, Handler, IgnoredPart, JsonDocument, OnFailure, RegisteredHook, SettingsFile, SettingsScope,
    StartForm, UnreadableSettings, Violation, violations,
};
use crate::diagnostic::Severity;
use crate::host::{DEFAULT_WAIT, Host};
use crate::schema::{Event, HostVersion};

/// A problem with the registration, and its position.
#[derive(Clone, PartialEq, Debug)]
pub struct RegistrationFinding {
    /// The problem.
    pub problem: RegistrationProblem,
    /// The settings file, if the problem is in one.
    pub file: Option<PathBuf>,
    /// The byte range in the file, if the problem has one.
    pub place: Option<Range<usize>>,
}

/// A problem with the registration.
#[derive(Clone, PartialEq, Debug)]
pub enum RegistrationProblem {
    /// The file cannot be read or is not JSON, so the host ignores it. The text is the reason.
    Unreadable(String),
    /// `disableAllHooks` switches off every hook.
    Disabled,
    /// `allowManagedHooksOnly` switches off every hook outside the organisation's settings, and those do not register
    /// this program.
    ManagedOnly,
    /// No hook of ours is registered for this event, which the policy or every registration needs.
    Missing(Event),
    /// The host's schema does not allow a value, so the host ignores this part: the whole file, or all hooks in it. The
    /// text describes the value.
    Invalid(String, IgnoredPart),
    /// The host's schema does not allow a value in an entry of ours, so the host ignores the entry.
    InvalidEntry(String),
    /// The host's schema does not allow a value in the entry of another program. The part is what the host may ignore:
    /// an older version may ignore the whole file.
    InvalidOther(String, IgnoredPart),
    /// An entry runs this program without arguments, so that it judges nothing.
    NoArguments(String),
    /// The host may stop waiting before the commands of the policy have ended.
    ShortTimeout {
        /// How long the host waits, in seconds.
        waits: f64,
        /// How long the commands of the policy may take, in seconds.
        needs: u64,
    },
    /// The host waits only this number of seconds, and the hook does not know, because its `--timeout` is missing or
    /// longer. So it may answer too late.
    UnstatedTimeout(f64),
    /// The entry is `async`, so the host does not wait for the answer.
    Async,
    /// The entry has this `if` or matcher, so the hook is called only for some calls.
    PartialMatcher(String),
    /// If the hook fails, the call passes, although the event needs a block then under every policy.
    FailsOpen,
    /// If the hook fails, the call passes, because this version of the host ignores `onFailure`.
    OnFailureUnknown(HostVersion),
    /// A rule can stop this event, but if the hook fails, the event passes.
    OpenGate(Event),
    /// No rule can stop the event, but if the hook fails, the event is blocked.
    ClosedRecorder,
    /// The program is not an absolute path, so a repository could provide another program instead.
    RelativeProgram(String),
    /// The file of the program does not exist.
    MissingProgram(String),
    /// The hook rejects its arguments, with this message.
    Arguments(String),
    /// The hook is registered for WorktreeCreate, but no rule provides a path, so no worktree can be created.
    Worktrees,
    /// The `--scope` of the entry is not that of its file, so the hook may trust more policies than it should.
    OtherScope(String),
    /// The entry has no `--id`, so a repository could replace it by registering the same command line.
    NoId,
    /// The file has a second entry of ours for this event.
    Duplicate(String),
    /// For this event, a project's settings have the same command line as the user's settings, so that the host drops
    /// the user's entry.
    ReplacedHook(String),
    /// A project's settings set this variable for every hook, which could change what our hook does.
    Variable(String),
    /// A hook of another program, with this command line, may change a call after our hook has judged the call.
    OtherHook(String),
    /// The host itself denies this tool, so no rule about the tool decides.
    HostDenies(String),
}

/// The inputs of a review.
#[derive(Clone, Copy)]
pub struct RegistrationReview<'r> {
    /// The settings files of the host that exist.
    pub settings: &'r [SettingsFile],
    /// The events that must be registered.
    pub events: &'r EventRegistrations,
    /// Returns a message about a mistake in a hook's arguments, which begin with `hook` or an event; `None` if they are
    /// valid.
    pub arguments: &'r dyn Fn(&[String]) -> Option<String>,
    /// Reports whether a path is a file.
    pub exists: &'r dyn Fn(&Path) -> bool,
    /// The version of the host; `None` is treated like the newest.
    pub version: Option<HostVersion>,
}

impl RegistrationProblem {
    /// Returns the severity of the problem.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Self::Unreadable(_)
            | Self::Disabled
            | Self::ManagedOnly
            | Self::Invalid(..)
            | Self::InvalidEntry(_)
            | Self::NoArguments(_)
            | Self::Async
            | Self::PartialMatcher(_)
            | Self::RelativeProgram(_)
            | Self::MissingProgram(_)
            | Self::Arguments(_)
            | Self::FailsOpen
            | Self::OnFailureUnknown(_)
            | Self::Worktrees
            | Self::OtherScope(_)
            | Self::ReplacedHook(_) => Severity::Deny,
            Self::Missing(event) if *event == Event::PreToolUse => Severity::Deny,
            Self::Missing(_)
            | Self::OpenGate(_)
            | Self::ShortTimeout { .. }
            | Self::UnstatedTimeout(_)
            | Self::NoId
            | Self::Duplicate(_)
            | Self::Variable(_) => Severity::Warning,
            Self::InvalidOther(..) | Self::ClosedRecorder | Self::OtherHook(_) | Self::HostDenies(_) => Severity::Info,
        }
    }

    /// Describes the problem as a phrase that can be understood without its file.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Unreadable(why) => format!("{why}, so the host ignores the whole file"),
            Self::Disabled => "`disableAllHooks` switches every hook off".to_owned(),
            Self::ManagedOnly => "`allowManagedHooksOnly` switches off every hook but the organisation's".to_owned(),
            Self::Missing(event) => format!("no hook is registered for {}", event.name()),
            Self::Invalid(what, IgnoredPart::Hooks) => format!("{what}, so the host ignores every hook of the file"),
            Self::Invalid(what, _) => format!("{what}, so the host ignores the whole file"),
            Self::InvalidEntry(what) => format!("{what}, so the host ignores this entry of ours"),
            Self::InvalidOther(what, IgnoredPart::File) => {
                format!("{what}: the host ignores it, and before {SALVAGES_HOOKS} the whole file")
            }
            Self::InvalidOther(what, _) => format!("{what}: the host ignores it"),
            Self::NoArguments(program) => format!("`{program}` without arguments judges nothing"),
            Self::ShortTimeout { waits, needs } => {
                format!("the host waits {waits} s, and the commands of the policy may take {needs} s")
            }
            Self::UnstatedTimeout(waits) => format!("the host waits {waits} s, and the hook is not told"),
            Self::Async => "`async`: the host does not wait for the decision".to_owned(),
            Self::PartialMatcher(what) => format!("the hook is asked about {what} only"),
            Self::FailsOpen => "a hook that fails lets the call pass".to_owned(),
            Self::OnFailureUnknown(version) => {
                format!("Claude Code {version} does not know `onFailure`, so a hook that fails lets the call pass")
            }
            Self::OpenGate(event) => {
                let event = event.name();
                format!("a rule can stop {event}, and a hook that fails there lets it pass")
            }
            Self::ClosedRecorder => "a hook that fails blocks an event that no rule can stop".to_owned(),
            Self::RelativeProgram(program) => {
                format!("`{program}` is looked up where a repository can put another program")
            }
            Self::MissingProgram(program) => format!("`{program}` is not there"),
            Self::Arguments(why) => why.clone(),
            Self::Worktrees => {
                "WorktreeCreate is registered and no rule names it, so no worktree can be made".to_owned()
            }
            Self::OtherScope(scope) => format!("`--scope {scope}` in settings of another scope"),
            Self::NoId => "a repository that registers the same command line replaces this entry".to_owned(),
            Self::Duplicate(event) => format!("a second entry for {event}"),
            Self::ReplacedHook(event) => {
                format!("the same command line as the user's entry for {event}, which it replaces")
            }
            Self::Variable(name) => format!("`{name}` reaches every hook, ours too"),
            Self::OtherHook(program) => format!("`{program}` runs beside ours, and may change what was judged"),
            Self::HostDenies(tool) => format!("the host itself denies `{tool}`, so no rule about it decides"),
        }
    }

    /// Returns what the user should do about the problem.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "mend the file; nothing in it counts until then",
            Self::Disabled => "remove it",
            Self::ManagedOnly => "ask your administrator to register `rules` in the managed settings",
            Self::Missing(_) => "run `rules install claude-code` again",
            Self::Invalid(..) => "mend the value or remove it; no hook of the file runs until then",
            Self::InvalidOther(..) => "mend the value or remove it",
            Self::OpenGate(_) => "run `rules install claude-code` again",
            Self::ClosedRecorder => {
                "run `rules install claude-code` again; in your own settings the entry may be for another project"
            }
            Self::InvalidEntry(_)
            | Self::NoArguments(_)
            | Self::OnFailureUnknown(_)
            | Self::ShortTimeout { .. }
            | Self::UnstatedTimeout(_)
            | Self::Async
            | Self::PartialMatcher(_)
            | Self::FailsOpen
            | Self::RelativeProgram(_)
            | Self::MissingProgram(_)
            | Self::Arguments(_)
            | Self::OtherScope(_)
            | Self::NoId => "run `rules install claude-code` for these settings, and remove an entry written by hand",
            Self::Worktrees => "remove the entry, or write a rule on WorktreeCreate",
            Self::Duplicate(_) => "remove one of them: `rules uninstall` removes what `rules install` wrote",
            Self::ReplacedHook(_) => "remove it from the project, and run `rules install claude-code --user` again",
            Self::Variable(_) => "remove it, unless you know why the project needs it",
            Self::OtherHook(_) => "run `rules install claude-code --audit`: then the deny rules judge what ran, too",
            Self::HostDenies(_) => "leave it to the host, or remove it there and write a rule that says why",
        }
    }
}

impl RegistrationReview<'_> {
    /// Returns the findings about all files, in the order of the files, and then those about missing events.
    #[must_use]
    pub fn findings(&self) -> Vec<RegistrationFinding> {
        let mut findings = Vec::new();
        for settings in self.settings {
            self.review_file(settings, &mut findings);
        }
        findings.extend(self.missing());
        findings
    }

    /// Whether this program is registered anywhere.
    #[must_use]
    pub fn is_registered(&self) -> bool {
        self.settings.iter().any(|settings| !settings.own_hooks().is_empty())
    }

    /// Adds the findings about one file.
    fn review_file(&self, settings: &SettingsFile, findings: &mut Vec<RegistrationFinding>) {
        let file = Some(settings.path.clone());
        let problems = match &settings.document {
            Err(UnreadableSettings::File(why)) => vec![(RegistrationProblem::Unreadable(why.clone()), None)],
            Err(UnreadableSettings::Text(mistake)) => {
                vec![(RegistrationProblem::Unreadable(mistake.message.clone()), Some(mistake.offset..mistake.offset))]
            }
            Ok(document) => {
                let problems = self.document_problems(settings, document).into_iter();
                problems.map(|(problem, place)| (problem, Some(place))).collect()
            }
        };
        findings.extend(problems.into_iter().map(|(problem, place)| RegistrationFinding {
            problem,
            file: file.clone(),
            place,
        }));
    }

    /// Returns the problems in a file whose text is valid JSON, with their byte ranges.
    fn document_problems(
        &self,
        settings: &SettingsFile,
        document: &JsonDocument,
    ) -> Vec<(RegistrationProblem, Range<usize>)> {
        let mut problems = self.schema_problems(settings, document);
        let invalid: Vec<Range<usize>> = problems.iter().map(|(_, place)| place.clone()).collect();
        problems.extend(settings.switch("disableAllHooks").map(|place| (RegistrationProblem::Disabled, place)));
        if settings.scope == SettingsScope::Managed && settings.own_hooks().is_empty() {
            problems.extend(
                settings.switch("allowManagedHooksOnly").map(|place| (RegistrationProblem::ManagedOnly, place)),
            );
        }
        if matches!(settings.scope, SettingsScope::Project | SettingsScope::Local) {
            let variables = settings.misleading_variables().into_iter();
            problems.extend(variables.map(|(name, place)| (RegistrationProblem::Variable(name), place)));
        }
        let mut seen_events = BTreeSet::new();
        for (handler, registered) in settings.own_hooks() {
            let own_problems = self.own_entry_problems(settings, &handler, &registered).into_iter();
            problems.extend(own_problems.map(|problem| (problem, handler.range.clone())));
            if !seen_events.insert(handler.event.clone()) {
                problems.push((RegistrationProblem::Duplicate(handler.event.clone()), handler.range.clone()));
            }
        }
        let is_in = |handler: &Handler, place: &Range<usize>| {
            handler.range.start <= place.start && place.end <= handler.range.end
        };
        let others = settings.handlers().into_iter().filter(|handler| handler.own_registration().is_none());
        let others = others.filter(|handler| !invalid.iter().any(|place| is_in(handler, place)));
        problems.extend(others.filter_map(|handler| Some((self.other_hook_problem(&handler)?, handler.range.clone()))));
        let denied = settings.permissions("deny").into_iter().filter(|(rule, _)| !rule.contains('('));
        problems.extend(denied.map(|(rule, place)| (RegistrationProblem::HostDenies(rule), place)));
        problems
    }

    /// Returns the problem with a hook that is not a valid one of ours: it runs this program without arguments, or it
    /// may change a call that our hook has judged.
    fn other_hook_problem(&self, handler: &Handler) -> Option<RegistrationProblem> {
        if handler.is_bare() {
            return Some(RegistrationProblem::NoArguments(handler.command.clone().unwrap_or_default()));
        }
        let judges_again = self.settings.iter().any(|settings| settings.has_own(Event::PostToolUse));
        let changes_input = handler.event == Event::PreToolUse.name() && !judges_again && self.is_registered();
        changes_input.then(|| RegistrationProblem::OtherHook(handler.command_line()))
    }

    /// Returns the values that the host's schema does not allow, with their byte ranges.
    fn schema_problems(
        &self,
        settings: &SettingsFile,
        document: &JsonDocument,
    ) -> Vec<(RegistrationProblem, Range<usize>)> {
        // Leaves out an entry for an event that this version of the host does not have: if the host ignores it, nothing
        // is missing.
        let is_for_known_event = |(handler, _): &(Handler, RegisteredHook)| {
            Event::from_name(&handler.event).is_none() || has_event_name(&handler.event, self.version)
        };
        let own: Vec<Range<usize>> =
            settings.own_hooks().into_iter().filter(is_for_known_event).map(|(handler, _)| handler.range).collect();
        // Other users of the file may have an older version of the host, which ignores more.
        let older_violations = violations(document, settings.scope, Some(HostVersion::new(2, 1, 0)));
        let makes_older_ignore_file = |violation: &Violation| {
            older_violations.iter().any(|other| other.place == violation.place && other.ignored == IgnoredPart::File)
        };
        let problem = |violation: Violation| {
            let is_own = own.iter().any(|own| violation.entry.start <= own.start && own.end <= violation.entry.end);
            let is_in_older = makes_older_ignore_file(&violation);
            let Violation { message, place, ignored, .. } = violation;
            let problem = match ignored {
                IgnoredPart::File | IgnoredPart::Hooks => RegistrationProblem::Invalid(message, ignored),
                _ if is_own => RegistrationProblem::InvalidEntry(message),
                _ => RegistrationProblem::InvalidOther(
                    message,
                    if is_in_older { IgnoredPart::File } else { IgnoredPart::Entry },
                ),
            };
            (problem, place)
        };
        violations(document, settings.scope, self.version).into_iter().map(problem).collect()
    }

    /// Returns a problem if the host does not react to a failure of the hook as the event requires.
    fn failure_problem(&self, handler: &Handler, registered: &RegisteredHook) -> Option<RegistrationProblem> {
        let event = Event::from_name(&handler.event)?;
        let needs = self.events.get(&event).map(|needs| needs.on_failure);
        let blocks = handler.is_blocking_on_failure();
        let is_guarded = matches!(registered.form, StartForm::Shell { guarded: true, .. });
        match (needs, blocks) {
            (Some(OnFailure::Passes), true) => event.spec().answers.deny.then_some(RegistrationProblem::ClosedRecorder),
            (Some(OnFailure::Passes), false) => None,
            (None, _) if !is_guarding_event(event) => None,
            (_, true) => {
                let version = self.version.filter(|version| *version < BLOCKS_FAILURES && !is_guarded)?;
                Some(RegistrationProblem::OnFailureUnknown(version))
            }
            (_, false) if is_guarding_event(event) => Some(RegistrationProblem::FailsOpen),
            (_, false) => Some(RegistrationProblem::OpenGate(event)),
        }
    }

    /// Returns the problems of an entry that runs this program.
    fn own_entry_problems(
        &self,
        settings: &SettingsFile,
        handler: &Handler,
        registered: &RegisteredHook,
    ) -> Vec<RegistrationProblem> {
        let mut problems = Vec::new();
        if handler.is_async {
            problems.push(RegistrationProblem::Async);
        }
        if !handler.is_for_all() {
            let restriction = handler.condition.as_ref().or(handler.matcher.as_ref());
            problems.push(RegistrationProblem::PartialMatcher(format!("`{}`", restriction.map_or("", String::as_str))));
        }
        problems.extend(self.failure_problem(handler, registered));
        problems.extend(self.program_problem(settings.scope, registered));
        let host = registered.words.get(1).filter(|_| registered.words.first().is_some_and(|word| word == "hook"));
        match host {
            Some(host) if !host.starts_with('-') && Host::from_name(host).is_none() => {
                problems.push(RegistrationProblem::Arguments(format!("`{host}` is no host that rules knows")));
            }
            _ => problems.extend((self.arguments)(&registered.words).map(RegistrationProblem::Arguments)),
        }
        if let Some(scope) = registered.option("--scope").filter(|scope| *scope != settings.scope.name()) {
            problems.push(RegistrationProblem::OtherScope(scope.to_owned()));
        }
        // A project's shared entry has no id, because all members of a team use it.
        let personal = matches!(settings.scope, SettingsScope::User | SettingsScope::Local);
        if personal && registered.option("--id").is_none() {
            problems.push(RegistrationProblem::NoId);
        }
        let event = Event::from_name(&handler.event);
        let needs = event.and_then(|event| self.events.get(&event));
        if event == Some(Event::WorktreeCreate) && needs.is_none() {
            problems.push(RegistrationProblem::Worktrees);
        }
        if let Some(waits) = handler.timeout.filter(|seconds| *seconds > 0.0) {
            let stated_timeout = registered.option("--timeout").and_then(|seconds| seconds.parse::<f64>().ok());
            // The time that the commands of rules may take, in seconds.
            let needs =
                needs.map_or(0, |needs| needs.wait.as_secs().saturating_sub(super::installation::BASE_WAIT.as_secs()));
            if Duration::try_from_secs_f64(waits).is_ok_and(|waits| waits.as_secs() < needs) {
                problems.push(RegistrationProblem::ShortTimeout { waits, needs });
            } else if stated_timeout.is_none_or(|stated_timeout| stated_timeout > waits)
                && waits < DEFAULT_WAIT.as_secs_f64()
            {
                problems.push(RegistrationProblem::UnstatedTimeout(waits));
            }
        }
        if matches!(settings.scope, SettingsScope::Project | SettingsScope::Local)
            && self.is_replacing_users(settings, handler)
        {
            problems.push(RegistrationProblem::ReplacedHook(handler.event.clone()));
        }
        problems
    }

    /// Returns a problem if the program is not a path from the root, or does not exist. On Windows, such a path may leave
    /// out the drive, which no repository chooses.
    fn program_problem(&self, scope: SettingsScope, registered: &RegisteredHook) -> Option<RegistrationProblem> {
        let program = Path::new(&registered.program);
        let is_name = program.components().count() == 1 && !registered.program.is_empty();
        // In a project's shared settings, a name is right: it is looked up in the `PATH` of each member of the team.
        if !program.has_root() {
            let by_name = is_name && scope == SettingsScope::Project;
            return (!by_name).then(|| RegistrationProblem::RelativeProgram(registered.program.clone()));
        }
        (!(self.exists)(program)).then(|| RegistrationProblem::MissingProgram(registered.program.clone()))
    }

    /// Whether a less specific scope, such as the user's, has the same command line for the same event. The host then
    /// runs only one of the two.
    fn is_replacing_users(&self, settings: &SettingsFile, handler: &Handler) -> bool {
        let has_same_command_line = |other: &Handler| {
            other.event == handler.event && other.command == handler.command && other.args == handler.args
        };
        let less_specific =
            self.settings.iter().filter(|other| other.scope < settings.scope && other.scope != SettingsScope::Managed);
        less_specific.flat_map(SettingsFile::own_hooks).any(|(other, _)| has_same_command_line(&other))
    }

    /// Returns a finding for each required event for which no file registers a hook of ours. Empty if no hook of ours
    /// is registered at all.
    fn missing(&self) -> Vec<RegistrationFinding> {
        if !self.is_registered() {
            return Vec::new();
        }
        let lacks = |event: &&Event| !self.settings.iter().any(|settings| settings.has_own(**event));
        let missing = self.events.keys().filter(lacks);
        missing
            .map(|event| RegistrationFinding { problem: RegistrationProblem::Missing(*event), file: None, place: None })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::installation::EventRegistration;
    use super::*;

    const GOOD: &str = r#""type": "command", "command": "/b/rules", "args": ["hook", "claude-code", "--scope", "user", "--id", "1", "--timeout", "60"], "timeout": 60, "onFailure": "block""#;

    fn settings(scope: SettingsScope, entries: &[(&str, &str, &str)], more: &str) -> SettingsFile {
        let entry = |(event, matcher, handler): &(&str, &str, &str)| {
            format!("\"{event}\": [{{\"matcher\": \"{matcher}\", \"hooks\": [{{{handler}}}]}}]")
        };
        let hooks: Vec<String> = entries.iter().map(entry).collect();
        let text = format!("{{{more}\"hooks\": {{{}}}}}", hooks.join(","));
        SettingsFile::from_text(scope, PathBuf::from(format!("/{}.json", scope.name())), text)
    }

    fn problems_of(all: &[SettingsFile], events: &[(Event, u64)]) -> Vec<RegistrationProblem> {
        let registration =
            |seconds| EventRegistration { wait: Duration::from_secs(seconds), on_failure: OnFailure::Blocks };
        let events = events.iter().map(|(event, seconds)| (*event, registration(*seconds))).collect();
        let arguments =
            |words: &[String]| words.iter().find(|word| *word == "--bogus").map(|word| format!("`{word}` is unknown"));
        let exists = |path: &Path| path == Path::new("/b/rules");
        let review = RegistrationReview {
            settings: all,
            events: &events,
            arguments: &arguments,
            exists: &exists,
            version: None,
        };
        review.findings().into_iter().map(|finding| finding.problem).collect()
    }

    fn of_user(handler: &str) -> Vec<RegistrationProblem> {
        problems_of(&[settings(SettingsScope::User, &[("PreToolUse", "*", handler)], "")], &[(Event::PreToolUse, 60)])
    }

    #[test]
    fn what_install_writes_has_no_findings() {
        assert_eq!(of_user(GOOD), []);
    }

    #[test]
    fn each_way_to_be_wrong_is_found() {
        let invalid = |what: &str| {
            RegistrationProblem::Invalid(format!("`hooks.PreToolUse[0].hooks[0].{what}"), IgnoredPart::File)
        };
        for (from, to, expected) in [
            ("\"/b/rules\"", "\"rules\"", RegistrationProblem::RelativeProgram("rules".to_owned())),
            ("\"/b/rules\"", "\"./rules\"", RegistrationProblem::RelativeProgram("./rules".to_owned())),
            ("\"/b/rules\"", "\"/c/rules\"", RegistrationProblem::MissingProgram("/c/rules".to_owned())),
            (
                "claude-code",
                "claude_code",
                RegistrationProblem::Arguments("`claude_code` is no host that rules knows".to_owned()),
            ),
            ("\"--id\"", "\"--bogus\", \"--id\"", RegistrationProblem::Arguments("`--bogus` is unknown".to_owned())),
            ("\"timeout\": 60", "\"timeout\": 0", invalid("timeout` must be a number above 0")),
            ("\"timeout\": 60", "\"timeout\": \"5\"", invalid("timeout` must be a number above 0")),
            ("\"timeout\": 60", "\"timeout\": 0.5", RegistrationProblem::UnstatedTimeout(0.5)),
            ("\"timeout\": 60", "\"timeout\": 60, \"async\": true", RegistrationProblem::Async),
            (
                "\"timeout\": 60",
                "\"timeout\": 60, \"if\": \"Bash(ls:*)\"",
                RegistrationProblem::PartialMatcher("`Bash(ls:*)`".to_owned()),
            ),
            ("\"block\"", "\"continue\"", RegistrationProblem::FailsOpen),
            ("\"user\"", "\"project\"", RegistrationProblem::OtherScope("project".to_owned())),
            ("\"--id\", \"1\", ", "", RegistrationProblem::NoId),
        ] {
            let handler = GOOD.replace(from, to);
            assert_ne!(handler, GOOD, "{from}");
            assert_eq!(of_user(&handler), [expected], "{handler}");
        }
        let narrow = settings(SettingsScope::User, &[("PreToolUse", "Bash", GOOD)], "");
        assert_eq!(problems_of(&[narrow], &[]), [RegistrationProblem::PartialMatcher("`Bash`".to_owned())]);
    }

    #[test]
    fn an_invalid_value_of_another_hook_costs_what_the_schema_says() {
        let other = |event: &'static str, handler: &'static str| {
            let all = [settings(SettingsScope::User, &[("PreToolUse", "*", GOOD), (event, "*", handler)], "")];
            problems_of(&all, &[(Event::PreToolUse, 60), (Event::PostToolUse, 60)])
        };
        let place = |event: &str, what: &str| format!("`hooks.{event}[0].hooks[0]` {what}");
        let file = RegistrationProblem::Invalid(place("PermissionRequest", "has no `command`"), IgnoredPart::File);
        assert_eq!(other("PermissionRequest", "\"type\": \"command\"")[0], file);
        let entry = RegistrationProblem::InvalidOther(place("Stop", "has no `command`"), IgnoredPart::File);
        let found = other("Stop", "\"type\": \"command\"");
        assert_eq!(found[0], entry);
        assert_eq!((entry.severity(), file.severity()), (Severity::Info, Severity::Deny));
        let unknown = RegistrationProblem::InvalidOther(
            "`hooks.PreToolUsed` is no event of the host".to_owned(),
            IgnoredPart::Entry,
        );
        assert_eq!(other("PreToolUsed", "\"type\": \"command\"")[0], unknown);
        let misspelled = other("PreToolUsed", GOOD);
        assert_eq!(
            misspelled[0],
            RegistrationProblem::InvalidEntry("`hooks.PreToolUsed` is no event of the host".to_owned())
        );
        let own = other("Stop", &*Box::leak(GOOD.replace("\"timeout\": 60", "\"timeout\": 0").into_boxed_str()));
        let expected = "`hooks.Stop[0].hooks[0].timeout` must be a number above 0";
        assert_eq!(own[0], RegistrationProblem::InvalidEntry(expected.to_owned()));
    }

    #[test]
    fn a_failure_blocks_where_a_rule_can_stop_the_event_and_nowhere_else() {
        let open = GOOD.replace(", \"onFailure\": \"block\"", "");
        let closed_in_shell = r#""type": "command", "command": "/b/rules hook claude-code --scope user --id 1 --timeout 60 || exit 2", "timeout": 60"#;
        let found = |event: Event, needs: Option<OnFailure>, handler: &str, version: Option<HostVersion>| {
            let registration = |on_failure| EventRegistration { wait: Duration::from_secs(60), on_failure };
            let events: EventRegistrations = needs.map(|needs| (event, registration(needs))).into_iter().collect();
            let all = [settings(SettingsScope::User, &[(event.name(), "*", handler)], "")];
            let (arguments, exists) = (|_: &[String]| None, |_: &Path| true);
            let review =
                RegistrationReview { settings: &all, events: &events, arguments: &arguments, exists: &exists, version };
            review.findings().into_iter().map(|finding| finding.problem).collect::<Vec<_>>()
        };
        let (blocks, passes) = (Some(OnFailure::Blocks), Some(OnFailure::Passes));
        let old = Some(HostVersion::new(2, 1, 197));
        for (event, needs, handler, version, expected) in [
            (Event::PreToolUse, blocks, &*open, None, Some(RegistrationProblem::FailsOpen)),
            (Event::PreToolUse, None, &*open, None, Some(RegistrationProblem::FailsOpen)),
            (Event::PreToolUse, blocks, GOOD, None, None),
            (
                Event::PreToolUse,
                blocks,
                GOOD,
                old,
                Some(RegistrationProblem::OnFailureUnknown(HostVersion::new(2, 1, 197))),
            ),
            (Event::PreToolUse, blocks, GOOD, Some(HostVersion::new(2, 1, 295)), None),
            (Event::PreToolUse, blocks, closed_in_shell, old, None),
            (Event::Stop, blocks, &*open, None, Some(RegistrationProblem::OpenGate(Event::Stop))),
            (Event::Stop, blocks, GOOD, None, None),
            (Event::Stop, blocks, GOOD, old, Some(RegistrationProblem::OnFailureUnknown(HostVersion::new(2, 1, 197)))),
            (Event::Stop, passes, &*open, None, None),
            (Event::SubagentStop, passes, GOOD, None, Some(RegistrationProblem::ClosedRecorder)),
            (Event::SubagentStop, passes, closed_in_shell, old, Some(RegistrationProblem::ClosedRecorder)),
            // Another project may be the reason for either.
            (Event::SubagentStop, None, GOOD, None, None),
            (Event::SubagentStop, None, &*open, None, None),
            // A failure blocks nothing there.
            (Event::SessionStart, passes, GOOD, None, None),
        ] {
            let found = found(event, needs, handler, version);
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{event:?} {needs:?} {version:?} {handler}");
        }
    }

    #[test]
    fn an_entry_for_an_event_that_an_older_host_lacks_is_a_note() {
        let all = [settings(SettingsScope::User, &[("PreModelSwitch", "*", GOOD)], "")];
        let events = EventRegistrations::new();
        let found = |version| {
            let (arguments, exists) = (|_: &[String]| None, |_: &Path| true);
            RegistrationReview { settings: &all, events: &events, arguments: &arguments, exists: &exists, version }
                .findings()
        };
        assert_eq!(found(Some(HostVersion::new(2, 1, 251))), []);
        let older: Vec<Severity> =
            found(Some(HostVersion::new(2, 1, 250))).iter().map(|finding| finding.problem.severity()).collect();
        assert_eq!(older, [Severity::Info]);
    }

    #[test]
    fn the_program_without_arguments_is_found() {
        let of =
            |handler: &str| problems_of(&[settings(SettingsScope::Local, &[("PreToolUse", "*", handler)], "")], &[]);
        for (handler, program) in [
            (r#""type": "command", "command": "/b/rules", "args": []"#, "/b/rules"),
            (r#""type": "command", "command": "rules""#, "rules"),
            (r#""type": "command", "command": "/b/rules || exit 2""#, "/b/rules || exit 2"),
        ] {
            assert_eq!(of(handler), [RegistrationProblem::NoArguments(program.to_owned())], "{handler}");
        }
        for handler in [r#""type": "command", "command": "rules check""#, r#""type": "command", "command": "ruler""#] {
            assert_eq!(of(handler), [], "{handler}");
        }
    }

    #[test]
    fn an_invalid_hook_does_not_run_beside_ours() {
        for handler in [
            r#""type": "command", "command": "/b/rules", "args": "x""#,
            r#""type": "command", "command": "/b/rules hook claude-code || exit 2", "args": "x""#,
            r#""type": "command", "command": "other.sh", "args": [5]"#,
        ] {
            let user = settings(SettingsScope::User, &[("PreToolUse", "*", GOOD)], "");
            let project = settings(SettingsScope::Project, &[("PreToolUse", "*", handler)], "");
            let found = problems_of(&[user, project], &[]);
            let expected = "`hooks.PreToolUse[0].hooks[0].args` must be a list of texts".to_owned();
            assert_eq!(found.first(), Some(&RegistrationProblem::Invalid(expected, IgnoredPart::File)), "{handler}");
            let is_said_to_run = |problem: &RegistrationProblem| {
                matches!(problem, RegistrationProblem::OtherHook(_) | RegistrationProblem::NoArguments(_))
            };
            assert!(!found.iter().any(is_said_to_run), "{handler}: {found:?}");
        }
    }

    #[test]
    fn an_event_without_a_hook_is_missing_and_one_too_many_is_found() {
        let all = [settings(SettingsScope::User, &[("PreToolUse", "*", GOOD), ("WorktreeCreate", "*", GOOD)], "")];
        let found = problems_of(&all, &[(Event::PreToolUse, 60), (Event::Stop, 60)]);
        assert_eq!(found, [RegistrationProblem::Worktrees, RegistrationProblem::Missing(Event::Stop)]);
        assert_eq!(problems_of(&[], &[(Event::Stop, 60)]), [], "nobody has installed anything");
    }

    #[test]
    fn commands_that_take_longer_than_the_host_waits_are_found() {
        let all = [settings(SettingsScope::User, &[("Stop", "*", GOOD)], "")];
        assert_eq!(
            problems_of(&all, &[(Event::Stop, 360)]),
            [RegistrationProblem::ShortTimeout { waits: 60.0, needs: 300 }]
        );
    }

    #[test]
    fn what_a_project_does_to_the_users_hook_is_found() {
        let user = settings(SettingsScope::User, &[("PreToolUse", "*", GOOD)], "");
        let hostile = settings(
            SettingsScope::Project,
            &[("PreToolUse", "*", GOOD), ("Stop", "*", "\"type\": \"command\", \"command\": \"x\"")],
            "\"disableAllHooks\": true, \"env\": {\"PATH\": \".\", \"A\": \"b\"}, \"permissions\": {\"deny\": [\"Bash\", \"Read(x)\"]},",
        );
        let found = problems_of(&[user, hostile], &[]);
        let expected = [
            RegistrationProblem::Disabled,
            RegistrationProblem::Variable("PATH".to_owned()),
            RegistrationProblem::OtherScope("user".to_owned()),
            RegistrationProblem::ReplacedHook("PreToolUse".to_owned()),
            RegistrationProblem::HostDenies("Bash".to_owned()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_file_that_the_host_ignores_is_found() {
        let found = problems_of(
            &[SettingsFile::from_text(SettingsScope::Local, PathBuf::from("/l"), "{ // no\n}".to_owned())],
            &[],
        );
        assert!(
            matches!(found.as_slice(), [RegistrationProblem::Unreadable(why)] if why.contains("comment")),
            "{found:?}"
        );
    }

    #[test]
    fn another_hook_on_calls_is_told_until_ours_sees_what_ran() {
        let other = ("PreToolUse", "*", "\"type\": \"command\", \"command\": \"other.sh\"");
        let project = settings(SettingsScope::Project, &[other], "");
        let user = settings(SettingsScope::User, &[("PreToolUse", "*", GOOD)], "");
        assert_eq!(problems_of(&[user, project.clone()], &[]), [RegistrationProblem::OtherHook("other.sh".to_owned())]);
        let user = settings(SettingsScope::User, &[("PreToolUse", "*", GOOD), ("PostToolUse", "*", GOOD)], "");
        assert_eq!(problems_of(&[user, project], &[]), []);
    }
}
