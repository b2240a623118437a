//! The environment and directory of commands.
//!
//! A command inherits the whole environment. The standard variables describe the event, and the `env` of a rule
//! cannot override them. The environment is never written anywhere, because it contains the user's keys.

use std::path::{Path, PathBuf};

use crate::verdict::{Run, STANDARD_VARIABLES};

use super::EffectEnvironment;

/// Returns the changes that a command's environment makes to the inherited one: pairs of a variable and its value. The
/// value `None` removes the variable.
///
/// A standard variable without a value is removed: an agent that a command starts must not see the values of its
/// parent.
pub(super) fn changes(run: &Run, world: &EffectEnvironment<'_>) -> Vec<(String, Option<String>)> {
    let rule_variables = run.env.iter().filter(|(name, _)| !STANDARD_VARIABLES.contains(&name.as_str()));
    let rule_variables = rule_variables.map(|(name, value)| (name.clone(), Some(value.clone())));
    // A NUL would prevent the command from starting, and no host uses one in a value on purpose.
    let standard = STANDARD_VARIABLES.iter().map(|name| (*name).to_owned());
    let standard = standard.zip(standard_values(world)).map(|(name, value)| (name, value.map(|v| v.replace('\0', ""))));
    rule_variables.chain(standard).collect()
}

/// Returns the values of the standard variables, in the order of [`STANDARD_VARIABLES`]. Those about a subagent are
/// `None` unless a subagent acts, starts or stops.
fn standard_values(world: &EffectEnvironment<'_>) -> [Option<String>; 8] {
    let payload = world.payload;
    let text = |name: &str| payload.nonempty_text(name).map(str::to_owned);
    let event = text("hook_event_name").unwrap_or_else(|| format!("{:?}", payload.event));
    let base = [text("session_id"), text("transcript_path"), Some(event), text("cwd")];
    let [session, transcript, event, cwd] = base;
    if payload.agent_id().is_none() && !payload.event.is_about_subagent() {
        return [session, transcript, event, cwd, None, None, None, None];
    }
    let kind = payload.agent_type().map(str::to_owned);
    let name = world.agent_name.map(str::to_owned).or_else(|| kind.clone());
    let name = name.unwrap_or_else(|| "unknown".to_owned());
    [session, transcript, event, cwd, text("agent_id"), kind, Some(name), text("agent_transcript_path")]
}

/// Returns the directory in which a command runs: the project, or without one the payload's `cwd`. The rule's `cwd` is
/// relative to it. `None` means the directory of this process.
pub(super) fn directory(run: &Run, world: &EffectEnvironment<'_>) -> Option<PathBuf> {
    let base = world.project.map(Path::to_path_buf).or_else(|| world.payload.nonempty_text("cwd").map(PathBuf::from));
    match (base, &run.cwd) {
        (Some(base), Some(cwd)) => Some(base.join(cwd)),
        (None, Some(cwd)) => Some(PathBuf::from(cwd)),
        (base, None) => base,
    }
}
