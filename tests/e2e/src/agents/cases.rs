//! The cases that every agent plays: what the policy says of one call, and what must happen to it.
//!
//! Each is judged by the files that the call leaves and by what the model was told, not by the output of the hook.

use std::{fmt, io};

use hookrules::host::{EffectFate, Host};
use hookrules::schema::{Capability, Event};

use super::Agent;
use super::session::Session;
use crate::cases::GATE;

/// One call of a command under one policy.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The head of its column in the table.
    pub(crate) title: &'static str,
    /// The agents that play it by default; the others on demand.
    pub(crate) by_default: &'static [&'static str],
    /// The only agents that play it at all; empty if all do.
    pub(super) only: &'static [&'static str],
    pub(super) policy: &'static str,
    pub(super) hook: Hook,
    pub(super) action: Action,
    /// Whether the session is continued by another process once it has ended.
    pub(super) is_continued: bool,
    /// The text that the model, or the user, is told if the answer arrives.
    mark: &'static str,
    is_for_user: bool,
    expects: Expects,
}

/// What the model does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// Runs a command.
    Runs(&'static str),
    /// Writes a file of the project.
    Writes(&'static str),
    /// Takes several turns.
    Takes(&'static [Step]),
}

/// What the model does in one of several turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Runs(&'static str),
    Writes(&'static str),
    /// Ends its turn, which raises Stop.
    Ends,
}

/// The program that the agent is given as a hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hook {
    /// The program under test.
    Ours,
    /// A path without a file.
    Missing,
    /// A program that is killed by a signal.
    Killed,
}

/// Where the expected outcome comes from.
enum Expects {
    Always(Outcome),
    /// That it was held and then let go, after so many requests.
    LetGo(usize),
    /// The record of the agent.
    Record(Event, Capability),
    /// The description of the agent.
    Agent(fn(&Agent) -> Outcome),
}

/// What happened to the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// It ran, and the text was not seen.
    Runs,
    /// It ran, and the model was told the text.
    RunsTold,
    /// It ran, and the user was shown the text.
    RunsShown,
    /// The other command ran.
    Rewritten,
    /// It did not run, and the model was told why and went on.
    Denied,
    /// It did not run, and the model went on without the reason.
    DeniedUntold,
    /// It did not run, and the run ended.
    Ends,
    /// The model was told the text, did something else, and then nothing held it.
    LetGo,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Runs => "runs",
            Self::RunsTold => "runs, told",
            Self::RunsShown => "runs, shown",
            Self::Rewritten => "rewritten",
            Self::Denied => "denied",
            Self::DeniedUntold => "denied, no reason",
            Self::Ends => "run ends",
            Self::LetGo => "held, then let go",
        })
    }
}

const DENY: &str = "rule no-made {\n  on PreToolUse(Bash|Write|Edit)\n  when writes like \"made*\"\n  deny \"MARK-DENY: nothing of that name.\"\n}\n";

const USUAL: Case = Case {
    name: "",
    title: "",
    by_default: &[],
    only: &[],
    policy: DENY,
    hook: Hook::Ours,
    action: Action::Runs("touch made"),
    is_continued: false,
    mark: "",
    is_for_user: false,
    expects: Expects::Always(Outcome::Denied),
};

/// The agents that tell hooks which commands failed, so that a mark can be certain, and that a hook can hold at Stop.
const HELD_BY_GATES: &[&str] = &["qwen"];

const CONTINUED: &str = r#"mark first {
  on PreToolUse(Bash)
  when command == "printf x >first"
}
rule later {
  on PreToolUse(Bash)
  when command == "touch made" and happened first
  deny "MARK-PAST"
}
"#;

const LOOP: &str = r#"mark called {
  on PreToolUse(Bash)
  key call
}
rule no-loop {
  on PreToolUse(Bash)
  when count called of call >= 2
  deny "MARK-LOOP"
}
"#;

/// The cases, in the order of the table. The files that they may leave are `harmless`, `made` and `made-instead`.
pub(crate) const CASES: &[Case] = &[
    Case {
        name: "a_harmless_call_runs",
        title: "harmless command",
        action: Action::Runs("printf 'MARK-%s' 42; touch harmless"),
        mark: "MARK-42",
        expects: Expects::Always(Outcome::RunsTold),
        ..USUAL
    },
    Case {
        name: "a_denied_call_does_not_run",
        title: "denied command",
        by_default: &["gemini"],
        mark: "MARK-DENY",
        ..USUAL
    },
    Case {
        name: "a_harmless_file_is_written",
        title: "harmless file",
        action: Action::Writes("harmless"),
        mark: "MARK-DENY",
        expects: Expects::Always(Outcome::Runs),
        ..USUAL
    },
    Case {
        name: "a_denied_file_is_not_written",
        title: "denied file",
        action: Action::Writes("made"),
        mark: "MARK-DENY",
        expects: Expects::Agent(|agent| agent.outcomes.denied_file),
        ..USUAL
    },
    Case {
        name: "a_rewritten_call_runs_instead",
        title: "rewrite",
        policy: "rule new {\n  on PreToolUse(Bash)\n  when command == \"touch made\"\n  rewrite tool_input.command = \"touch made-instead\"\n}\n",
        // Only a denial has to name the other command.
        mark: "made-instead",
        expects: Expects::Record(Event::PreToolUse, Capability::Rewrite),
        ..USUAL
    },
    Case {
        name: "a_context_is_told",
        title: "context",
        policy: "rule hint {\n  on PreToolUse(Bash)\n  context \"MARK-CONTEXT\"\n}\n",
        mark: "MARK-CONTEXT",
        expects: Expects::Record(Event::PreToolUse, Capability::Context),
        ..USUAL
    },
    Case {
        name: "an_ask_that_nobody_answers_is_a_denial",
        title: "ask",
        by_default: &["gemini"],
        policy: "rule sure {\n  on PreToolUse(Bash)\n  ask \"MARK-ASK\"\n}\n",
        mark: "MARK-ASK",
        ..USUAL
    },
    Case {
        name: "a_warning_is_for_the_user",
        title: "warn",
        policy: "rule careful {\n  on PreToolUse(Bash)\n  warn \"MARK-WARN\"\n}\n",
        mark: "MARK-WARN",
        is_for_user: true,
        expects: Expects::Agent(|agent| agent.outcomes.warned),
        ..USUAL
    },
    Case {
        name: "a_stop_is_held_once",
        title: "stop",
        policy: "rule more {\n  on Stop\n  when not stop_hook_active\n  deny \"MARK-STOP\"\n}\n",
        mark: "MARK-STOP",
        expects: Expects::Record(Event::Stop, Capability::Deny),
        ..USUAL
    },
    Case {
        name: "a_stop_remembers_the_call",
        title: "memory",
        policy: "mark made {\n  on PreToolUse(Bash)\n  when runs \"touch made\"\n}\nrule more {\n  on Stop\n  when happened made and not stop_hook_active\n  deny \"MARK-PAST\"\n}\n",
        mark: "MARK-PAST",
        expects: Expects::Record(Event::Stop, Capability::Deny),
        ..USUAL
    },
    Case {
        name: "an_edit_holds_the_stop_until_the_tests_have_run",
        title: "gate",
        by_default: &["qwen"],
        only: HELD_BY_GATES,
        policy: GATE,
        action: Action::Takes(&[
            Step::Writes("src/a.txt"),
            Step::Ends,
            Step::Runs("ls src | cat"),
            Step::Ends,
            Step::Runs("ls src"),
            Step::Ends,
        ]),
        mark: "MARK-TESTS",
        expects: Expects::LetGo(6),
        ..USUAL
    },
    Case {
        name: "a_session_that_is_continued_has_its_past",
        title: "memory, continued",
        by_default: &["qwen"],
        policy: CONTINUED,
        action: Action::Takes(&[Step::Runs("printf x >first"), Step::Ends, Step::Runs("touch made"), Step::Ends]),
        is_continued: true,
        mark: "MARK-PAST",
        ..USUAL
    },
    Case {
        name: "the_third_identical_call_does_not_run",
        title: "loop",
        by_default: &["qwen"],
        policy: LOOP,
        action: Action::Takes(&[
            Step::Runs("printf x >>count"),
            Step::Runs("printf x >>count"),
            Step::Runs("printf x >>count"),
        ]),
        mark: "MARK-LOOP",
        expects: Expects::LetGo(4),
        ..USUAL
    },
    Case {
        name: "a_broken_policy_runs_nothing",
        title: "broken policy",
        policy: "rule broken {\n  on PreToolUse(Bash)\n  when comand == \"x\"\n  deny \"no\"\n}\n",
        mark: "rules check",
        ..USUAL
    },
    Case {
        name: "a_missing_program",
        title: "program missing",
        hook: Hook::Missing,
        mark: "gone/rules",
        expects: Expects::Agent(|agent| agent.outcomes.missing),
        ..USUAL
    },
    Case {
        name: "a_killed_program",
        title: "program killed",
        hook: Hook::Killed,
        mark: "SIGKILL",
        expects: Expects::Agent(|agent| agent.outcomes.killed),
        ..USUAL
    },
];

impl Case {
    /// Whether an agent plays the case at all.
    pub(crate) fn is_for(&self, agent: &Agent) -> bool {
        let is_known = self.only.is_empty() || self.only.contains(&agent.name);
        is_known && (!self.is_continued || !agent.again.is_empty())
    }

    /// Returns what happened to the call in a session.
    pub(super) fn outcome(&self, session: &Session) -> Outcome {
        let is_told = session.requests.iter().any(|request| request.to_string().contains(self.mark));
        if matches!(self.expects, Expects::LetGo(count) if is_told && session.requests.len() == count) {
            return Outcome::LetGo;
        }
        if session.has_file("made") || session.has_file("harmless") {
            match (self.is_for_user, is_told) {
                (true, _) if session.output.contains(self.mark) => Outcome::RunsShown,
                (false, true) => Outcome::RunsTold,
                _ => Outcome::Runs,
            }
        } else if session.has_file("made-instead") {
            Outcome::Rewritten
        } else {
            match (session.requests.len(), is_told) {
                (0 | 1, _) => Outcome::Ends,
                (_, true) => Outcome::Denied,
                (_, false) => Outcome::DeniedUntold,
            }
        }
    }

    /// Returns what must happen to the call.
    pub(super) fn expected(&self, agent: &Agent) -> io::Result<Outcome> {
        let (event, answer) = match self.expects {
            Expects::Always(outcome) => return Ok(outcome),
            Expects::LetGo(_) => return Ok(Outcome::LetGo),
            Expects::Agent(outcome) => return Ok(outcome(agent)),
            Expects::Record(event, answer) => (event, answer),
        };
        let host = Host::from_name(agent.name);
        let host = host.ok_or_else(|| io::Error::other(format!("no record is named {:?}", agent.name)))?;
        Ok(match (host.fate(event, answer), answer) {
            (Some(EffectFate::Carried), Capability::Rewrite) => Outcome::Rewritten,
            (Some(EffectFate::Carried), _) => Outcome::RunsTold,
            (Some(EffectFate::Denied(_)), _) => Outcome::Denied,
            // The host does not raise the event, or cannot carry the answer.
            _ => Outcome::Runs,
        })
    }
}
