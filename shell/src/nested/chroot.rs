//! Programs that run their arguments in a namespace, under another root, or as if on another machine.

use super::call::OuterCommand;
use super::{NestedCommand, NestedSetting, argv, shell, words};
use crate::analysis::{Assignment, CommandScope};
use crate::word::{Cause, Word};

/// Returns the command of `chroot`. Under another root the files are different ones; under `/` they are the same.
pub(super) fn chroot(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_same = |root: &str| root.starts_with('/') && root.trim_matches(['/', '.']).is_empty();
    let mut setting = setting.clone();
    setting.directory = Some(Word::text("/"));
    if call.operand(0).and_then(Word::known_text).is_some_and(is_same) {
        setting.scope = None;
    }
    match call.tail(1) {
        [] => shell(&setting),
        words => argv(words, &setting),
    }
}

/// Returns the command of `nsenter` or `unshare`. In another mount namespace or under another root, the files may be
/// different ones.
pub(super) fn namespace(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut setting = setting.clone();
    // The options that select another mount namespace or root.
    let other_files: &[&str] = if call.has_name_at(0, &["nsenter"]) { &["-m", "-a", "-r"] } else { &["-R"] };
    // The files of the first process are those of the machine.
    let is_of_machine = call.value("-t").is_some_and(|target| target.known_text() == Some("1"));
    if call.has_any_option(other_files) && !is_of_machine {
        setting.scope = Some(CommandScope::Container);
    }
    if call.has_any_option(other_files) || call.has_any_option(&["-w", "-W"]) {
        let given = call.value("-w").or_else(|| call.value("-W")).cloned();
        setting.directory =
            Some(given.unwrap_or_else(|| words::inserted_word(Cause::Directory, call.program().unwrap_or_default())));
    }
    match call.tail(0) {
        [] => shell(&setting),
        words => argv(words, &setting),
    }
}

/// Returns the command of `setarch`. The architecture is the first word, or part of the program's name (`linux32`),
/// or omitted.
pub(super) fn setarch(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let has_arch = call.program() == Some("setarch")
        && call.words.get(1).and_then(Word::known_text).is_some_and(|word| ARCHITECTURES.contains(&word));
    if !has_arch {
        return match call.tail(0) {
            [] => shell(setting),
            words => argv(words, setting),
        };
    }
    let without_arch: Vec<Word> = call.words.iter().take(1).chain(call.words.iter().skip(2)).cloned().collect();
    argv(OuterCommand::new(&without_arch).tail(0), setting)
}

/// The architectures that `setarch` accepts as its first word.
const ARCHITECTURES: &[&str] = &[
    "uname26", "linux32", "linux64", "i386", "i486", "i586", "i686", "athlon", "x86_64", "arm", "armv7l", "armv8l",
    "arm64", "aarch64", "ppc", "ppc64", "ppc64le", "s390", "s390x", "mips", "mips64", "sparc", "sparc64", "ia64",
    "riscv32", "riscv64",
];

/// The options of bwrap that take no word.
const FLAGS: &[&str] = &[
    "--help",
    "--version",
    "--unshare-all",
    "--share-net",
    "--unshare-user",
    "--unshare-user-try",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
    "--unshare-cgroup",
    "--unshare-cgroup-try",
    "--disable-userns",
    "--assert-userns-disabled",
    "--clearenv",
    "--new-session",
    "--die-with-parent",
    "--as-pid-1",
];
/// The options of bwrap that take two words.
const PAIRS: &[&str] = &[
    "--bind",
    "--bind-try",
    "--dev-bind",
    "--dev-bind-try",
    "--ro-bind",
    "--ro-bind-try",
    "--bind-fd",
    "--ro-bind-fd",
    "--symlink",
    "--setenv",
    "--file",
    "--bind-data",
    "--ro-bind-data",
    "--chmod",
];

/// Returns the command of `bwrap`, whose options take up to three words each.
pub(super) fn bwrap(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut setting = setting.clone();
    let mut rest = call.words.get(1..).unwrap_or_default();
    while let [option, after_option @ ..] = rest {
        let Some(name) = option.known_text().filter(|name| name.starts_with("--")) else { break };
        let value_count = match name {
            "--" => {
                rest = after_option;
                break;
            }
            name if FLAGS.contains(&name) => 0,
            name if PAIRS.contains(&name) => 2,
            "--overlay" => 3,
            _ => 1,
        };
        match (name, after_option) {
            ("--setenv", [name, value, ..]) => {
                let name = name.known_text().unwrap_or_default().to_owned();
                setting.environment.push(Assignment { name, value: Some(value.clone()) });
            }
            ("--chdir", [directory, ..]) => setting.directory = Some(directory.clone()),
            _ => {}
        }
        rest = after_option.get(value_count..).unwrap_or_default();
    }
    argv(rest, &setting)
}

/// Returns the command of `proot`. With another root, it runs as in a container.
pub(super) fn proot(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut setting = setting.clone();
    if call.has_any_option(&["-r", "-R", "-S"]) {
        setting.scope = Some(CommandScope::Container);
    }
    argv(call.tail(0), &setting)
}
