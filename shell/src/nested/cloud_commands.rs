//! Command-line clients of clouds (`aws`, `az`) that send a command to a machine or a container, as the value of an
//! option.

use super::call::OuterCommand;
use super::{NestedCommand, NestedSetting, containers_and_remote, script};
use crate::analysis::CommandScope;
use crate::word::{Cause, Word};

/// Whether the operands of a call begin with these words.
fn is_call(call: &OuterCommand<'_>, names: &[&str]) -> bool {
    let words = call.argv.sequence().take(names.len()).map(|word| word.known_text());
    words.eq(names.iter().map(|name| Some(*name)))
}

/// Returns the setting of a command that runs elsewhere.
fn setting_elsewhere(scope: CommandScope, program: &str) -> NestedSetting {
    NestedSetting {
        scope: Some(scope),
        directory: Some(super::words::inserted_word(Cause::Directory, program)),
        ..NestedSetting::default()
    }
}

/// Returns the values of options as scripts.
fn scripts(call: &OuterCommand<'_>, options: &[&str], setting: &NestedSetting) -> Vec<NestedCommand> {
    options.iter().flat_map(|option| call.values(option)).map(|text| script(text.clone(), setting)).collect()
}

/// Returns the command of `aws ecs execute-command --command TEXT`, and those of `aws ssm send-command` and
/// `start-session`.
pub(super) fn aws(call: &OuterCommand<'_>, _setting: &NestedSetting) -> Vec<NestedCommand> {
    if is_call(call, &["ecs", "execute-command"]) {
        return scripts(call, &["--command"], &setting_elsewhere(CommandScope::Container, "aws"));
    }
    if !is_call(call, &["ssm", "send-command"]) && !is_call(call, &["ssm", "start-session"]) {
        return Vec::new();
    }
    let remote = setting_elsewhere(CommandScope::Remote, "aws");
    let parameter_operands = call.argv.operands.iter().copied().filter(|word| word.prefix().starts_with("command"));
    let texts = call.values("--parameters").chain(parameter_operands).flat_map(parameter_commands);
    texts.map(|text| script(text, &remote)).collect()
}

/// Returns the commands of `az vm run-command invoke --scripts TEXT TEXT`, `az container exec`, `az containerapp exec`
/// and `az aks command invoke`, and what `az ssh vm` runs.
pub(super) fn az(call: &OuterCommand<'_>, _setting: &NestedSetting) -> Vec<NestedCommand> {
    let remote = setting_elsewhere(CommandScope::Remote, "az");
    let container = setting_elsewhere(CommandScope::Container, "az");
    if is_call(call, &["vm", "run-command"]) || is_call(call, &["vmss", "run-command"]) {
        let mut found = scripts(call, &["--scripts", "--script"], &remote);
        // The texts after the first one are operands.
        let further = call.argv.sequence().skip(3).filter(|word| !call.argv.may_be_value(word));
        found.extend(further.map(|text| script(text.clone(), &remote)));
        return found;
    }
    if is_call(call, &["container", "exec"]) {
        return scripts(call, &["--exec-command"], &container);
    }
    if is_call(call, &["containerapp", "exec"]) {
        return scripts(call, &["--command"], &container);
    }
    if is_call(call, &["aks", "command", "invoke"]) {
        let option = call.argv.options.iter().position(|given| given.name == "-c" && given.value.is_none());
        let after = option.and_then(|at| call.words.get(call.argv.options.get(at)?.word_index + 1));
        let cluster = setting_elsewhere(CommandScope::Cluster, "az");
        let mut found = scripts(call, &["--command"], &cluster);
        found.extend(after.map(|text| script(text.clone(), &cluster)));
        return found;
    }
    let is_ssh = is_call(call, &["ssh", "vm"]) || is_call(call, &["ssh", "arc"]);
    let ssh_arguments = call.words_after_dashes().unwrap_or_default();
    if !is_ssh || ssh_arguments.is_empty() {
        return Vec::new();
    }
    containers_and_remote::ssh_to("machine", ssh_arguments.iter(), &remote)
}

/// Returns the commands in one of the parameters; the whole word if it is not known.
fn parameter_commands(value: &Word) -> Vec<Word> {
    let Some(text) = value.known_text() else { return vec![value.clone()] };
    let Some(at) = text.find("command") else { return Vec::new() };
    let rest = text.get(at + "command".len()..).unwrap_or_default();
    let rest = rest.strip_prefix('s').unwrap_or(rest).trim_start_matches(['"', '=', ':', ' ']);
    let Some(list) = rest.strip_prefix('[') else {
        return vec![Word::text(rest.trim_matches('"'))];
    };
    let list = list.split(']').next().unwrap_or_default();
    let quoted = list.contains('"');
    let parts: Vec<&str> =
        if quoted { list.split('"').skip(1).step_by(2).collect() } else { list.split(',').map(str::trim).collect() };
    parts.into_iter().map(Word::text).collect()
}
