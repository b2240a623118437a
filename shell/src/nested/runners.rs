//! Programs that run another one in a special environment: package runners, version managers, virtual environments,
//! stores of secrets.

use std::path::Path;

use super::call::OuterCommand;
use super::forwarders::{handed_on, possibly_handed_on};
use super::words::{self, join, without_version};
use super::{NestedCommand, NestedSetting, Runnable, argv, versioned_program};
use crate::nested::CodeSource;
use crate::path::normalise;
use crate::word::Word;

/// Returns a text as a script for a shell.
fn script(text: &Word, setting: &NestedSetting) -> Vec<NestedCommand> {
    vec![NestedCommand::new(Runnable::script(text.clone()), setting)]
}

/// Returns the program of a package, without its version: `npx cowsay@1.5 hi`. The value of `--call` is a text for a
/// shell.
pub(super) fn package(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let takes_code = !call.has_name_at(0, &["pnpm", "uv", "uvx"]);
    if let Some(text) = call.value("--call").filter(|_| takes_code) {
        return script(text, setting);
    }
    let tail = call.tail(0);
    let Some((name, rest)) = tail.split_first() else { return Vec::new() };
    let mut words = vec![without_version(name)];
    // npm parses options up to the first `--`.
    let is_npm = call.has_name_at(0, &["npm"]);
    let dashes = rest.iter().position(|word| word.known_text() == Some("--")).filter(|_| is_npm);
    words.extend(rest.iter().enumerate().filter(|(at, _)| Some(*at) != dashes).map(|(_, word)| word.clone()));
    if call.has_name_at(0, &["pnpm"]) && call.has_option("-c") {
        script(&join(&words), setting)
    } else {
        argv(&words, setting)
    }
}

/// Returns the command in `npm pkg set scripts.NAME=COMMAND` or `npm set-script NAME COMMAND`, which runs whenever
/// the script does.
pub(super) fn scripts(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let named =
        |word: &Word| word.strip_prefix("scripts.").and_then(|word| word.split_at_equals().map(|(_, command)| command));
    let commands: Vec<Word> = match call.operand(0).and_then(Word::known_text) {
        Some("set") => call.tail(1).iter().filter_map(named).collect(),
        _ if call.has_name_at(1, &["set-script"]) && !call.has_name_at(1, &["pkg"]) => {
            call.operand(1).into_iter().cloned().collect()
        }
        _ => Vec::new(),
    };
    commands.iter().flat_map(|command| script(command, setting)).collect()
}

/// Returns the call of Terraform in `terragrunt apply`, `terragrunt run-all apply` or
/// `terragrunt run --all -- apply`.
pub(super) fn terragrunt(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_terragrunt_word = |word: &&Word| {
        matches!(word.known_text(), Some("run" | "run-all" | "--"))
            || word.prefix().starts_with('-') && word.known_text().is_some()
    };
    let Some(from) = call.argv.subcommands.first().and_then(|command| call.word_index(command)) else {
        return Vec::new();
    };
    let words: Vec<&Word> = call.words.iter().skip(from).skip_while(is_terragrunt_word).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let terraform: Vec<Word> = std::iter::once(Word::text("terraform")).chain(words.into_iter().cloned()).collect();
    argv(&terraform, setting)
}

/// Returns the words after `--` as a command; empty without a `--`.
pub(super) fn dashed(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    argv(call.words_after_dashes().unwrap_or_default(), setting)
}

/// Returns the program that `yarn run prisma` runs unless the project defines a task of that name.
pub(super) fn task(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    program_or_task(call.tail(0), setting)
}

/// Returns the program that `pnpm prisma` runs unless the project defines a task of that name. The word before it may
/// be the program as well, if it is behind an option without a record.
pub(super) fn unlisted_task(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = program_or_task(handed_on(call, 0), setting);
    if let Some((words, why)) = possibly_handed_on(call, 0) {
        let possible = program_or_task(words, setting).into_iter();
        found.extend(possible.map(|nested| NestedCommand { doubt: Some(why.clone()), ..nested }));
    }
    found
}

/// Returns the command of `pnpm exec prisma reset`, which is a text for a shell with `-c`.
pub(super) fn words_or_text(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_option("-c") { shell_text(call, setting) } else { argv(call.tail(0), setting) }
}

/// Returns the words behind a `--`, or else all operands, as a text for a shell: `lerna exec "prisma reset"`.
pub(super) fn shell_text(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.words_after_dashes().unwrap_or_else(|| call.tail(0)) {
        [] => Vec::new(),
        words => script(&join(words), setting),
    }
}

fn program_or_task(words: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    argv(words, &NestedSetting { may_be_task: true, ..setting.clone() })
}

/// Returns the code or the file that `bun` runs, or else the program that may also be a task: `bun prisma`,
/// `bun run prisma`.
pub(super) fn bun(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = file(call, setting);
    let named = found.iter().find_map(|nested| match &nested.runnable {
        Runnable::Foreign(CodeSource::File(file)) => call.words.iter().position(|word| word == file),
        _ => None,
    });
    if let Some((file, arguments)) = named.and_then(|at| call.words.get(at..)?.split_first()) {
        found.extend(installed_program(file, arguments, setting));
    }
    match found.is_empty() {
        true if call.has_name_at(1, &["run"]) => task(call, setting),
        true => unlisted_task(call, setting),
        false => found,
    }
}

/// Returns the program of a package that an interpreter runs by its path: `node node_modules/prisma/build/index.js`.
/// The package of a scope that is called `cli` has the program of that scope: `@prisma/cli`.
pub(crate) fn installed_program(file: &Word, arguments: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    const DIRECTORY: &str = "node_modules";
    let Some(path) = file.known_text().filter(|path| path.contains(DIRECTORY)) else { return Vec::new() };
    let path = normalise(path, Path::new("/"), None);
    let names: Vec<&str> = path.iter().filter_map(|name| name.to_str()).collect();
    let Some(at) = names.iter().rposition(|name| *name == DIRECTORY) else { return Vec::new() };
    let name = match names.get(at + 1..).unwrap_or_default() {
        [".bin", name, ..] => name,
        [scope, "cli", ..] if scope.starts_with('@') => scope.trim_start_matches('@'),
        [scope, name, ..] if scope.starts_with('@') => name,
        [name, ..] => name,
        [] => return Vec::new(),
    };
    let words: Vec<Word> = [Word::text(name)].into_iter().chain(arguments.iter().cloned()).collect();
    program_or_task(&words, setting)
}

/// Returns the program of a package that `deno x npm:prisma` or `deno x prisma` runs.
pub(super) fn deno_x(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    // The subcommands of Dioxus, whose program has the same name as `deno x`.
    const DIOXUS: &[&str] = &[
        "build",
        "bundle",
        "check",
        "clean",
        "components",
        "config",
        "doctor",
        "fmt",
        "help",
        "hotpatch",
        "init",
        "new",
        "print",
        "run",
        "self-update",
        "serve",
        "tools",
        "translate",
        "update",
    ];
    let Some(name) = call.operand(0) else { return Vec::new() };
    if call.has_name_at(0, &["dx"]) && name.known_text().is_some_and(|name| DIOXUS.contains(&name)) {
        return Vec::new();
    }
    let package = name.strip_prefix("npm:").unwrap_or_else(|| name.clone());
    versioned_program(&package, call.tail(1), setting)
}

/// Returns what `start-server-and-test start http://localhost:3000 test` runs: scripts of the project, or texts with
/// several words.
pub(super) fn scripts_or_texts(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_address = |word: &Word| {
        let start = word.prefix();
        start.starts_with("http")
            || start.starts_with("tcp:")
            || start.trim_start_matches(':').starts_with(|c: char| c.is_ascii_digit())
    };
    let named = call.argv.operands.iter().copied().filter(|word| !is_address(word));
    let of_one = |word: &Word| match word.known_text() {
        Some(text) if !text.contains(char::is_whitespace) => {
            argv(&[Word::text("npm"), Word::text("run"), word.clone()], setting)
        }
        _ => script(word, setting),
    };
    named.flat_map(of_one).collect()
}

/// Returns the command of `rvm 3.3 do COMMAND`.
pub(super) fn rvm(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let at = call.words.iter().position(|word| word.known_text() == Some("do"));
    argv(at.and_then(|at| call.words.get(at + 1..)).unwrap_or_default(), setting)
}

/// Returns the code that `bun FILE`, `bun run FILE` or `bun -e CODE` runs, and likewise `dart` and `swift`. A name
/// without a dot or slash is no file.
pub(super) fn file(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let text = call.values("-e").chain(call.values("--print")).cloned().map(CodeSource::Text);
    let mut found: Vec<CodeSource> = text.collect();
    let run = usize::from(call.argv.subcommands.first().is_some_and(|word| word.known_text() == Some("run")));
    let first = call.argv.subcommands.get(run).copied().or_else(|| call.operand(0)).filter(|_| found.is_empty());
    let is_file = |word: &&Word| word.known_text().is_none_or(|text| text == "-" || text.contains(['.', '/']));
    if first.is_none() && found.is_empty() && call.has_name_at(0, &["swift"]) {
        found.push(CodeSource::Input);
    }
    found.extend(first.filter(is_file).map(CodeSource::of_operand));
    found.into_iter().map(|code| NestedCommand::new(Runnable::Foreign(code), setting)).collect()
}

/// Returns the package manager that `corepack yarn@3 add x` runs; empty for a subcommand of corepack.
pub(super) fn corepack(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const MANAGERS: &[&str] = &["npm", "npx", "pnpm", "pnpx", "yarn", "yarnpkg", "bun"];
    let words = words::package_program(call.tail(0));
    let is_manager = |word: &Word| word.known_text().is_none_or(|name| MANAGERS.contains(&name));
    if words.first().is_some_and(is_manager) { argv(&words, setting) } else { Vec::new() }
}

/// Returns the command of `cross-env A=1 COMMAND`; `cross-env-shell` runs it as a text.
pub(super) fn cross_env(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    let assigned = tail.iter().take_while(|word| words::assignment(word).is_some()).count();
    let words = tail.get(assigned..).unwrap_or_default();
    if call.program() == Some("cross-env-shell") && !words.is_empty() {
        return script(&join(words), setting);
    }
    argv(words, setting)
}

/// Returns the command of the tools called dotenv: `dotenv [-e file] [--] command`,
/// `dotenv [-f file] run [--] command`.
pub(super) fn dotenv(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if let Some(text) = call.value("-c").filter(|_| call.argv.operands.is_empty()) {
        return script(text, setting);
    }
    let mut words = call.tail(0);
    let is_run = words.first().is_some_and(|word| word.known_text() == Some("run"));
    if is_run {
        let again = OuterCommand::new(words);
        let at = again.words.iter().skip(1).take_while(|word| word.prefix().starts_with('-')).count();
        let dashes = words.iter().position(|word| word.known_text() == Some("--")).map(|at| at + 1);
        words = words.get(dashes.unwrap_or(at + 1)..).unwrap_or_default();
    }
    // Subcommands of these tools that run nothing.
    let idle_subcommands = ["get", "set", "unset", "list", "encrypt", "decrypt"];
    let runs_nothing = call.argv.after_dashes.is_none()
        && words.first().and_then(Word::known_text).is_some_and(|word| idle_subcommands.contains(&word));
    if runs_nothing { Vec::new() } else { argv(words, setting) }
}

/// Returns what `uv run` runs: `-s` or a name that ends in `.py` is a script, `-` is standard input, and any other
/// name a program.
pub(super) fn uv_run(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    let Some(first) = tail.first() else { return Vec::new() };
    let is_script = call.has_option("-s")
        || call.has_option("--gui-script")
        || first.known_text().is_some_and(|name| name.ends_with(".py"));
    match first.known_text() {
        Some("-") => vec![NestedCommand::new(Runnable::Foreign(CodeSource::Input), setting)],
        _ if is_script && !call.has_option("-m") => {
            vec![NestedCommand::new(Runnable::Foreign(CodeSource::File(first.clone())), setting)]
        }
        _ => argv(tail, setting),
    }
}

/// Returns the command of `hatch run env:command`.
pub(super) fn hatch(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let Some((name, rest)) = call.tail(0).split_first() else { return Vec::new() };
    let name = match name.known_text().and_then(|name| name.split_once(':')) {
        Some((_, name)) => Word::text(name),
        None => name.clone(),
    };
    let words: Vec<Word> = [name].into_iter().chain(rest.iter().cloned()).collect();
    argv(&words, setting)
}

/// Returns the command of `nvm exec [version] command`; `nvm run` passes the words to node.
pub(super) fn nvm(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_version = |word: &Word| {
        let text = word.prefix().trim_start_matches('v');
        text.starts_with(|c: char| c.is_ascii_digit())
            || text.starts_with("lts")
            || matches!(text, "node" | "stable" | "system")
    };
    let tail = call.tail(0);
    let version = usize::from(tail.first().is_some_and(|word| is_version(word) && tail.len() > 1));
    let words = tail.get(version..).unwrap_or_default();
    if call.argv.subcommands.first().is_some_and(|word| word.known_text() == Some("run")) {
        let node: Vec<Word> = [Word::text("node")].into_iter().chain(words.iter().cloned()).collect();
        return argv(&node, setting);
    }
    argv(words, setting)
}

/// Returns the command of `mise exec tool@version -- command` or `mise exec -c text`.
pub(super) fn mise(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if let Some(text) = call.value("-c") {
        return script(text, setting);
    }
    let is_tool = |word: &&Word| word.prefix().contains('@');
    let tools = call.tail(0).iter().take_while(is_tool).count();
    argv(call.words_after_dashes().unwrap_or_else(|| call.tail(tools)), setting)
}

/// Returns the command of `nix`: all words after `-c`.
pub(super) fn nix(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_command = |word: &Word| matches!(word.known_text(), Some("-c" | "--command" | "--run"));
    let at = call.words.iter().position(is_command).map_or(call.words.len(), |at| at + 1);
    match call.words.get(at..).unwrap_or_default() {
        // `nix-shell --run` takes one text.
        [text] if call.has_option("--run") => script(text, setting),
        words => argv(words, setting),
    }
}

/// Returns the program of `nix run nixpkgs#hello -- arguments`, which usually has the name after the `#`; empty without
/// a `#`, since the default program is unknown.
pub(super) fn flake(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let flake = call.operand(0).filter(|_| call.argv.after_dashes != Some(0));
    let Some((_, name)) = flake.and_then(|word| word.known_text()).and_then(|name| name.rsplit_once('#')) else {
        return Vec::new();
    };
    let program = Word::text(name.rsplit('.').next().unwrap_or(name));
    let words: Vec<Word> =
        [program].into_iter().chain(call.words_after_dashes().unwrap_or_default().iter().cloned()).collect();
    argv(&words, setting)
}

/// Returns the command after the profile of `aws-vault` or a similar tool; a shell if there is no command.
pub(super) fn vault(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.words_after_dashes().unwrap_or_else(|| call.tail(1)) {
        [] if call.operand(0).is_some() => vec![NestedCommand::new(Runnable::Input(Vec::new()), setting)],
        words => argv(words, setting),
    }
}
