//! Programs that run a command on another machine or in a container.

use super::call::OuterCommand;
use super::words::{self, join};
use super::{CodeSource, NestedCommand, NestedSetting, Runnable, argv, settings};
use crate::analysis::CommandScope;
use crate::word::{Cause, Word};

/// Returns what `ssh [options] host [options] [command]` runs: a shell on the host reads the joined words.
pub(super) fn ssh(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    // Options with which ssh only prints information, or connects for other programs.
    const IDLE: &[&str] = &["-N", "-O", "-Q", "-V", "-W", "-G", "-s"];
    let mut found = ssh_options(call);
    if call.operand(0).is_none() {
        return found;
    }
    // Further options may come after the host.
    let without_host: Vec<Word> = call.words.iter().take(1).chain(call.tail(1)).cloned().collect();
    let after_host = OuterCommand::new(&without_host);
    found.extend(ssh_options(&after_host));
    if call.has_any_option(IDLE) || after_host.has_any_option(IDLE) {
        return found;
    }
    let mut setting = setting.clone();
    if call.operand(0).is_some_and(Word::is_this_machine) {
        // The files are those of this machine, but the shell is a new one, in the home directory of the account.
        setting.scope = None;
    }
    setting.in_background = call.has_option("-f") || after_host.has_option("-f");
    found.push(match after_host.tail(0) {
        [] => NestedCommand::new(Runnable::Input(Vec::new()), &setting),
        words => NestedCommand::new(Runnable::script(join(words)), &setting),
    });
    found
}

/// Returns what runs because of settings `-o`: the commands that a shell of this machine runs, and `RemoteCommand`.
pub(super) fn ssh_options(call: &OuterCommand<'_>) -> Vec<NestedCommand> {
    const RUN: &[&str] = &["proxycommand", "localcommand", "knownhostscommand"];
    let here = NestedSetting::default();
    let mut found: Vec<NestedCommand> = settings::code_files(call, &["-F"], &here).collect();
    for (name, text) in call.values("-o").filter_map(words::ssh_setting) {
        match &*name.to_ascii_lowercase() {
            name if RUN.contains(&name) => {
                let command = Some(text).filter(|text| text.known_text() != Some("none"));
                found.extend(command.map(|text| NestedCommand::from(Runnable::script(text))));
            }
            "include" => found.push(NestedCommand::from(Runnable::Foreign(CodeSource::File(text)))),
            // The value runs in place of the words.
            "remotecommand" => {
                let setting = NestedSetting {
                    scope: Some(CommandScope::Remote),
                    directory: Some(words::inserted_word(Cause::Directory, "ssh")),
                    ..NestedSetting::default()
                };
                found.push(NestedCommand::new(Runnable::script(text), &setting));
            }
            _ => {}
        }
    }
    found
}

/// Returns the command of `mosh`, which runs the words after the host without a shell.
pub(super) fn mosh(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(1);
    let words = match tail.split_first() {
        Some((dashes, rest)) if dashes.known_text() == Some("--") => rest,
        _ => tail,
    };
    let mut setting = setting.clone();
    if call.operand(0).is_some_and(Word::is_this_machine) {
        setting.scope = None;
    }
    match words {
        [] if call.operand(0).is_some() => vec![NestedCommand::new(Runnable::Input(Vec::new()), &setting)],
        words => argv(words, &setting),
    }
}

/// Common images whose entry point is a single program, and that program.
const ENTRYPOINTS: &[(&str, &str)] = &[
    ("alpine/curl", "curl"),
    ("alpine/git", "git"),
    ("alpine/helm", "helm"),
    ("alpine/socat", "socat"),
    ("amazon/aws-cli", "aws"),
    ("bitnami/git", "git"),
    ("bitnami/kubectl", "kubectl"),
    ("curlimages/curl", "curl"),
    ("hashicorp/terraform", "terraform"),
    ("minio/mc", "mc"),
    ("opentofu/opentofu", "tofu"),
    ("pulumi/pulumi", "pulumi"),
    ("rclone/rclone", "rclone"),
    ("restic/restic", "restic"),
];

/// Returns the entry point of an image, `docker.io/alpine/git:latest`; `None` if it is not one of the common images.
fn entrypoint(image: &Word) -> Option<Word> {
    let name = image.known_text()?.split('@').next()?;
    let at = name.rfind('/').unwrap_or_default();
    let name = name.get(..name.get(at..)?.find(':').map_or(name.len(), |tag| at + tag))?;
    let is_image = |common: &str| name.strip_suffix(common).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    ENTRYPOINTS.iter().find(|(common, _)| is_image(common)).map(|(_, program)| Word::text(*program))
}

/// Returns the command that runs in a container: the value of `--entrypoint` or the entry point of the image, which
/// is known only for common images, and the words after the image.
pub(super) fn image(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let given = call.value("--entrypoint");
    let of_image = || call.operand(0).filter(|_| given.is_none()).and_then(entrypoint);
    let given_program = given.filter(|word| !word.parts.is_empty()).cloned();
    let mut words: Vec<Word> = given_program.or_else(of_image).into_iter().collect();
    if call.operand(0).is_some() {
        words.extend(call.tail(1).iter().cloned());
    }
    let mut found = argv(&words, setting);
    let repeated = NestedSetting { repeats: true, ..setting.clone() };
    found.extend(call.values("--health-cmd").map(|text| NestedCommand::new(Runnable::script(text.clone()), &repeated)));
    found
}

/// Returns the command after `--`, or after the name of the pod.
pub(super) fn pod(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    argv(call.words_after_dashes().unwrap_or_else(|| call.tail(1)), setting)
}

/// Returns the command of `distrobox enter NAME -- COMMAND` or `-e COMMAND`.
pub(super) fn distrobox(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let by_option = || {
        let at = call.words.iter().position(|word| matches!(word.known_text(), Some("-e" | "--exec")))?;
        call.words.get(at + 1..)
    };
    argv(call.words_after_dashes().or_else(by_option).unwrap_or_default(), setting)
}

/// Returns what `vagrant ssh` or `gcloud compute ssh` runs: the words after `--` are arguments of ssh, which lack the
/// name of the machine. It is a shell if no option gives a command.
pub(super) fn vagrant(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let arguments = call.words_after_dashes().unwrap_or_default();
    if arguments.is_empty() {
        return if call.has_any_option(&["-c", "--command"]) { Vec::new() } else { super::shell(setting) };
    }
    ssh_to("vagrant", arguments.iter(), setting)
}

/// Returns what ssh runs with these arguments, which lack the name of the machine.
pub(super) fn ssh_to<'a>(
    machine: &str,
    arguments: impl Iterator<Item = &'a Word>,
    setting: &NestedSetting,
) -> Vec<NestedCommand> {
    let words: Vec<Word> = ["ssh", machine].map(Word::text).into_iter().chain(arguments.cloned()).collect();
    ssh(&OuterCommand::new(&words), setting)
}

/// Returns the command of `salt TARGET cmd.run COMMAND`; `salt-call` has no target.
pub(super) fn salt(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let at = usize::from(!call.has_name_at(0, &["salt-call"]));
    let function = call.operand(at).and_then(Word::known_text).unwrap_or_default();
    let is_command = matches!(function, "cmd.run" | "cmd.run_all" | "cmd.run_stdout" | "cmd.shell" | "cmd.exec_code");
    call.operand(at + 1)
        .filter(|_| is_command)
        .map(|text| NestedCommand::new(Runnable::script(text.clone()), setting))
        .into_iter()
        .collect()
}

/// Returns what `ansible` runs: the arguments of a module that runs commands, by default `command`, and the removal
/// of a file.
pub(super) fn ansible(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let module = call.value("-m").map_or("command".to_owned(), Word::display_text);
    let is_local = |connection: &Word| connection.known_text() == Some("local");
    let is_here = call.operand(0).is_some_and(Word::is_this_machine)
        || call.value("-i").is_some_and(Word::is_this_machine)
        || call.value("-c").is_some_and(is_local);
    let mut setting = setting.clone();
    if is_here {
        setting.scope = None;
    }
    let module = module.rsplit('.').next().unwrap_or_default();
    if matches!(module, "reboot" | "shutdown" | "win_reboot") {
        let program = if module == "shutdown" { "shutdown" } else { "reboot" };
        return argv(&[Word::text(program)], &setting);
    }
    let Some(text) = call.value("-a") else { return Vec::new() };
    match Some(module) {
        Some("command" | "shell" | "raw" | "script" | "win_shell" | "win_command") => {
            vec![NestedCommand::new(Runnable::script(text.clone()), &setting)]
        }
        // `path=/srv/data state=absent` removes a file.
        Some("file") if text.has_known_text("state=absent") => {
            let named = words::split(text)
                .iter()
                .find_map(|word| ["path=", "dest=", "name="].iter().find_map(|start| word.strip_prefix(start)));
            let words: Vec<Word> = [Word::text("rm"), Word::text("-rf")].into_iter().chain(named).collect();
            argv(&words, &setting)
        }
        // `name=nginx state=stopped` ends a service.
        Some("service" | "systemd" | "systemd_service" | "sysvinit") => {
            let verbs = [("stopped", "stop"), ("restarted", "restart"), ("reloaded", "reload"), ("started", "start")];
            let fields = words::split(text);
            let verb =
                verbs.iter().find(|(state, _)| text.has_known_text(&format!("state={state}"))).map(|(_, verb)| *verb);
            let name = fields.iter().find_map(|word| word.strip_prefix("name="));
            let words = verb.zip(name).map(|(verb, name)| [Word::text("systemctl"), Word::text(verb), name]);
            words.map(|words| argv(&words, &setting)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Returns the command of `flatpak run --command=sh APPLICATION -c TEXT`; without the option, the application is not
/// known.
pub(super) fn flatpak(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let words: Vec<Word> = call.value("--command").into_iter().chain(call.tail(1)).cloned().collect();
    match call.has_option("--command") {
        true => argv(&words, setting),
        false => Vec::new(),
    }
}
