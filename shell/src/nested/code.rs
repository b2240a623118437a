//! What interpreters of other languages run, and programs that run the value of an option in addition to their own
//! work.

use super::call::OuterCommand;
use super::{NestedCommand, NestedSetting, Runnable, awk, sed, words};
use crate::nested::CodeSource;
use crate::word::{Word, WordPart};

/// Returns code in another language as a nested command.
fn foreign_code(code: CodeSource, setting: &NestedSetting) -> NestedCommand {
    NestedCommand::new(Runnable::Foreign(code), setting)
}

/// Returns the code that an interpreter runs: the texts of options, in order, and the files that options name;
/// without these, the file of the first operand, or standard input.
pub(super) fn interpreted(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    // `CODE` options give code, `FILES` options a file with code.
    const CODE: &[&str] = &["-e", "-E", "-r", "-B", "-R", "-c"];
    const FILES: &[&str] = &["-f", "-F", "-L", "-l", "-pr", "--load"];
    let mut found = Vec::new();
    let mut libraries = Vec::new();
    for given in call.argv.options.iter() {
        let Some((option, value)) = given.option.zip(given.value.as_ref()) else { continue };
        let runs = option.does == crate::programs::OptionEffect::Runs;
        let reads = option.does == crate::programs::OptionEffect::Reads;
        let is = |names: &[&str]| option.names.iter().any(|name| names.contains(name));
        if runs && is(CODE) {
            found.push(CodeSource::Text(value.clone()));
        } else if reads && is(FILES) {
            found.push(CodeSource::File(value.clone()));
        } else if reads && is(&["-r"]) && value.prefix().starts_with(['.', '/']) {
            // `-r ./file` loads a library.
            libraries.push(CodeSource::File(value.clone()));
        }
    }
    if call.has_name_at(0, &["perl"]) {
        libraries.extend(perl_modules(call));
    }
    if call.has_name_at(0, &["perl", "ruby"]) {
        found = lines(found);
    }
    if found.is_empty() {
        found.push(operand(call));
    }
    libraries.into_iter().chain(found).map(|code| foreign_code(code, setting)).collect()
}

/// Returns the code of perl's `-M` and `-m`: the whole value of `-M` comes after `use`, and may be more than a name.
/// With `-I`, the module may be a file in the working directory.
fn perl_modules(call: &OuterCommand<'_>) -> Vec<CodeSource> {
    let modules = call.values("-M").chain(call.values("-m"));
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, ':' | '_' | '=' | ',' | '-' | '.' | '/' | ' ');
    let code = modules.filter_map(|module| match module.known_text() {
        Some(name) if name.chars().all(is_name) => {
            let name = name.split(['=', ' ']).next().unwrap_or_default();
            call.has_option("-I").then(|| CodeSource::File(Word::text(format!("{}.pm", name.replace("::", "/")))))
        }
        _ => {
            let mut text = Word::text("use ");
            module.parts.iter().for_each(|part| text.push(part.clone()));
            Some(CodeSource::Text(text))
        }
    });
    code.collect()
}

/// Joins the texts of several options into one program, a line for each. Files stay separate.
fn lines(found: Vec<CodeSource>) -> Vec<CodeSource> {
    let mut whole: Option<Word> = None;
    let mut others = Vec::new();
    for code in found {
        match (code, &mut whole) {
            (CodeSource::Text(text), None) => whole = Some(text),
            (CodeSource::Text(text), Some(whole)) => {
                whole.push(WordPart::Text("\n".to_owned()));
                text.parts.into_iter().for_each(|part| whole.push(part));
            }
            (code, _) => others.push(code),
        }
    }
    whole.map(CodeSource::Text).into_iter().chain(others).collect()
}

/// Returns the code in the file of the first operand, or on standard input if there is none or it is `-`.
fn operand(call: &OuterCommand<'_>) -> CodeSource {
    match call.operand(0) {
        Some(file) if file.known_text() != Some("-") => CodeSource::File(file.clone()),
        _ => CodeSource::Input,
    }
}

/// Returns the code that `python` runs. `-c` and `-m` end the options, and `-m` runs a module as a program.
pub(super) fn python(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let ends = |given: &&crate::argv::GivenOption| matches!(&*given.name, "-c" | "-m");
    let Some(given) = call.argv.options.iter().find(ends) else {
        let code = operand(call);
        // The program of a directory is the file `__main__.py` in it.
        let main = match &code {
            CodeSource::File(file) => {
                file.known_text().filter(|file| !file.ends_with(".py")).map(|file| format!("{file}/__main__.py"))
            }
            _ => None,
        };
        let main = main.map(|file| foreign_code(CodeSource::File(Word::text(file)), setting));
        return std::iter::once(foreign_code(code, setting)).chain(main).collect();
    };
    let Some(value) = &given.value else { return Vec::new() };
    if *given.name == *"-c" {
        return vec![foreign_code(CodeSource::Text(value.clone()), setting)];
    }
    // All words after the name are arguments of the module, even those that the record parsed as options.
    let at = call.argv.value_index(given).unwrap_or(given.word_index) + 1;
    let mut program = vec![value.clone()];
    let behind = call.words.get(at..).unwrap_or_default();
    program.extend(behind.iter().cloned());
    let mut found = vec![NestedCommand::new(Runnable::Argv(program), setting)];
    match value.known_text() {
        // Each argument of `timeit` is a statement.
        Some("timeit") => found.extend(behind.iter().map(|text| foreign_code(CodeSource::Text(text.clone()), setting))),
        Some(module) => found.extend(files_of_module(module, setting)),
        None => {}
    }
    found
}

/// Returns the two files that a Python module may be, relative to the working directory: `a.b` is `a/b.py` or
/// `a/b/__main__.py`.
fn files_of_module(module: &str, setting: &NestedSetting) -> [NestedCommand; 2] {
    let path = module.replace('.', "/");
    let files = [format!("{path}.py"), format!("{path}/__main__.py")];
    files.map(|file| foreign_code(CodeSource::File(Word::text(file)), setting))
}

/// Returns what a launcher runs: a Python script, a module with `-m`, or any program with `--no-python`.
pub(super) fn launched(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    let Some(first) = tail.first() else { return Vec::new() };
    let is_module = call.has_option("-m");
    if !is_module && !call.has_option("--no-python") {
        return vec![foreign_code(CodeSource::File(first.clone()), setting)];
    }
    let files = first.known_text().filter(|_| is_module).map(|module| files_of_module(module, setting));
    std::iter::once(NestedCommand::new(Runnable::Argv(tail.to_vec()), setting))
        .chain(files.into_iter().flatten())
        .collect()
}

/// Returns the code that `node` runs. `-p` and `-pe` take code like `-e`; `-r` and `--import` load a file first.
pub(super) fn node(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found: Vec<NestedCommand> = ["-r", "--import", "--loader"]
        .iter()
        .flat_map(|option| call.values(option))
        .map(|file| foreign_code(CodeSource::File(file.clone()), setting))
        .collect();
    let text = call.values("-e").last().cloned();
    let printed = call.has_option("-p").then(|| call.operand(0).cloned()).flatten();
    let code = text.or(printed).map_or_else(|| operand(call), CodeSource::Text);
    // The name of a script may lack its extension.
    if let CodeSource::File(file) = &code
        && let Some(path) = file.known_text().filter(|path| !crate::argv::base_name(path).contains('.'))
    {
        found.push(foreign_code(CodeSource::File(Word::text(format!("{path}.js"))), setting));
    }
    found.push(foreign_code(code, setting));
    found
}

/// Returns the code of `deno eval CODE`.
pub(super) fn deno_eval(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    call.operand(0).map(|text| foreign_code(CodeSource::Text(text.clone()), setting)).into_iter().collect()
}

/// Returns what `awk` runs. The program is the first operand, unless options give it.
pub(super) fn awk(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    for file in call.values("-f").chain(call.values("-E")).chain(call.values("-i")).chain(call.values("-l")) {
        // The value `inplace` of `-i` is a library of gawk's own.
        if file.known_text() != Some("inplace") {
            found.push(foreign_code(CodeSource::File(file.clone()), setting));
        }
    }
    let is_given = call.has_option("-f") || call.has_option("-E") || call.has_option("-e");
    let programs = call.values("-e").chain(call.operand(0).filter(|_| !is_given));
    for program in programs {
        found.extend(awk::runs(program).into_iter().map(|what| NestedCommand::new(add_variables(call, what), setting)));
    }
    found
}

/// Adds the values of `-v` to the text of a program that may run them.
fn add_variables(call: &OuterCommand<'_>, what: Runnable) -> Runnable {
    match what {
        Runnable::Foreign(CodeSource::Text(text)) => {
            let values: Vec<Word> = std::iter::once(text).chain(call.values("-v").cloned()).collect();
            Runnable::Foreign(CodeSource::Text(words::join(&values)))
        }
        what => what,
    }
}

/// Returns what `sed` runs. The script is the first operand, unless options give it.
pub(super) fn sed(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found: Vec<NestedCommand> =
        call.values("-f").map(|file| foreign_code(CodeSource::File(file.clone()), setting)).collect();
    let is_given = call.has_option("-f") || call.has_option("-e");
    for script in call.values("-e").chain(call.operand(0).filter(|_| !is_given)) {
        found.extend(sed::runs(script).into_iter().map(|what| NestedCommand::new(what, setting)));
    }
    found
}

/// Returns what `tar` runs: the action of a checkpoint if it is `exec=…`, and the programs that options name.
pub(super) fn tar(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let actions = call.values("--checkpoint-action").filter_map(|action| action.strip_prefix("exec="));
    let scripts = ["--to-command", "-I", "-F", "--rsh-command", "--rmt-command"]
        .into_iter()
        .flat_map(|option| call.values(option).cloned());
    let repeated = NestedSetting { repeats: true, ..setting.clone() };
    actions.chain(scripts).map(|text| NestedCommand::new(Runnable::script(text), &repeated)).collect()
}

/// Returns what `scp` runs: the program of `-S`, and the commands of ssh options that run on this machine.
pub(super) fn scp(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let programs = call.values("-S").chain(call.values("-D")).filter_map(|word| Runnable::argv(&words::split(word)));
    let mut found: Vec<NestedCommand> = programs.map(|what| NestedCommand::new(what, setting)).collect();
    found.extend(super::containers_and_remote::ssh_options(call));
    found
}

/// Returns what `rg` runs: the program of `--pre`, once for each file, with the name of the file.
pub(super) fn ripgrep(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let setting = NestedSetting { repeats: true, ..setting.clone() };
    let file = words::inserted_word(crate::word::Cause::Glob, "--pre");
    let programs = call.values("--pre").filter(|word| !word.parts.is_empty());
    let mut found: Vec<NestedCommand> =
        programs.map(|word| NestedCommand::new(Runnable::Argv(vec![word.clone(), file.clone()]), &setting)).collect();
    found.extend(
        call.values("--hostname-bin").map(|word| NestedCommand::new(Runnable::Argv(vec![word.clone()]), &setting)),
    );
    found
}

/// Returns what `vim` runs because of editor commands in `-c`, `--cmd` or `+`, in which `!` begins a shell command.
pub(super) fn vim(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let mut words = call.words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.known_text() {
            Some("--") => break,
            Some("-c" | "--cmd") => found.extend(words.next().and_then(ex_command)),
            Some("-S" | "-l" | "-u") => {
                found.extend(words.next().cloned().map(|file| Runnable::Foreign(CodeSource::File(file))))
            }
            Some(cluster) if is_ex_cluster(cluster) => found.extend(words.next().and_then(ex_command)),
            _ => {
                found.extend(word.strip_prefix("+").as_ref().or(word.strip_prefix("-c").as_ref()).and_then(ex_command))
            }
        }
    }
    let is_ex = |word: &Word| {
        word.known_text()
            .is_some_and(|text| text.starts_with('-') && !text.starts_with("--") && text.contains(['e', 'E']))
    };
    if call.program() == Some("ex") || call.words.iter().skip(1).any(is_ex) {
        // In this mode without a screen, more commands come from standard input.
        found.push(Runnable::Foreign(CodeSource::Input));
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}

/// Whether a word is a cluster of flags whose last letter, `c`, takes a command: `-sc`, `-esc`.
fn is_ex_cluster(text: &str) -> bool {
    let letters = text.strip_prefix('-').and_then(|letters| letters.strip_suffix('c'));
    letters.is_some_and(|flags| !flags.is_empty() && flags.chars().all(|c| "bdeEhlmnRsvVyZ".contains(c)))
}

/// Returns the code of an editor whose commands come from standard input, in which `!` begins a shell command.
pub(super) fn of_input(_: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    vec![foreign_code(CodeSource::Input, setting)]
}

/// Returns the notebooks that are executed; `jupyter nbconvert` executes them only with `--execute`.
pub(super) fn notebooks(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let count = match call.program() {
        Some("papermill") => 1,
        _ if call.has_name_at(1, &["nbconvert"]) && !call.has_option("--execute") => 0,
        _ => usize::MAX,
    };
    call.argv.operands.iter().take(count).map(|file| foreign_code(CodeSource::File((*file).clone()), setting)).collect()
}

/// Returns the schedule that `crontab` installs, a file or standard input, whose commands run later.
pub(super) fn crontab(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_any_option(&["-l", "-r", "-e", "-T"]) {
        return Vec::new();
    }
    vec![foreign_code(operand(call), setting)]
}

/// Returns the shell command in the first command of a pager, `+!ls`: after a `!`, or after a `|` and the letter of a
/// mark.
pub(super) fn less(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let commands =
        call.words.iter().skip(1).filter_map(|word| word.strip_prefix("++").or_else(|| word.strip_prefix("+")));
    let shell = commands.filter_map(|command| {
        let mark = command.prefix().find(['!', '|', '#'])?;
        let start = command.prefix().get(..=mark)?.to_owned();
        let rest = command.strip_prefix(&start)?;
        // `|m command` pipes the text up to the mark `m`.
        match start.ends_with('|') {
            true => rest.strip_prefix(&rest.prefix().chars().take(1).collect::<String>()),
            false => Some(rest),
        }
    });
    shell.map(|text| NestedCommand::new(Runnable::script(text), setting)).collect()
}

/// Returns what an editor command of `vim` runs; `None` if it runs nothing.
fn ex_command(text: &Word) -> Option<Runnable> {
    let bare = text.prefix().trim_start_matches([':', ' ', '%']);
    let bare = ["silent!", "silent", "sil!", "sil"]
        .iter()
        .find_map(|word| bare.strip_prefix(word))
        .unwrap_or(bare)
        .trim_start();
    let shell = ["!", "r!", "r !", "read !", "w !", "write !"].iter().find_map(|start| bare.strip_prefix(start));
    if let Some(command) = shell {
        let done = text.prefix().len() - command.len();
        return text.strip_prefix(text.prefix().get(..done)?).map(Runnable::script);
    }
    // The command may run code of another language, or a function that starts a shell.
    let may_run = ["system", "lua", "py", "perl", "ruby", "exe", "norm", "term", "call", "source", "so "];
    (text.known_text().is_none() || may_run.iter().any(|word| text.has_known_text(word)) || text.has_known_text("!"))
        .then(|| Runnable::foreign(text.clone()))
}

/// Returns what `gdb` or `lldb` runs.
pub(super) fn debugger(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.program() == Some("lldb") { lldb(call, setting) } else { gdb(call, setting) }
}

/// Returns what `gdb` runs: the program after `--args`, and the gdb commands of `-ex` that run a shell, `shell ls`
/// and `!ls`.
fn gdb(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let mut at = 1;
    while let Some(word) = call.words.get(at) {
        at += 1;
        match word.known_text().map(|text| text.trim_start_matches('-')) {
            Some("args") if word.prefix().starts_with('-') => {
                let rest = call.words.get(at..).unwrap_or_default();
                let own = rest
                    .iter()
                    .take_while(|word| word.prefix().starts_with('-') && word.known_text() != Some("--"))
                    .count();
                let program = rest.get(own..).unwrap_or_default();
                found.extend(Runnable::argv(program));
                break;
            }
            Some(text)
                if text
                    .split_once('=')
                    .is_some_and(|(name, _)| matches!(name, "ex" | "eval-command" | "iex" | "init-eval-command")) =>
            {
                let name = word.prefix().split_inclusive('=').next().unwrap_or_default().to_owned();
                found.extend(word.strip_prefix(&name).as_ref().and_then(debugger_command));
            }
            Some("ex" | "eval-command" | "iex" | "init-eval-command") => {
                let command = call.words.get(at);
                at += 1;
                found.extend(command.and_then(debugger_command));
            }
            Some("x" | "command" | "ix" | "init-command") => {
                found.extend(call.words.get(at).cloned().map(|file| Runnable::Foreign(CodeSource::File(file))));
                at += 1;
            }
            _ => {}
        }
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}

/// Returns what a command of a debugger runs: a shell command, or code that may run anything; `None` for any other
/// command.
fn debugger_command(text: &Word) -> Option<Runnable> {
    let starts = ["shell ", "!", "platform shell ", "pipe ", "make "];
    let shell = starts.iter().find_map(|start| text.strip_prefix(start)).map(Runnable::script);
    let has_code =
        || ["python", "py ", "script", "call", "guile", "|", "compile"].iter().any(|word| text.has_known_text(word));
    shell.or_else(|| (text.known_text().is_none() || has_code()).then(|| Runnable::foreign(text.clone())))
}

/// Returns what `lldb` runs: the commands of `-o` and `-O`, and the program after `--`.
fn lldb(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let mut words = call.words.iter().enumerate().skip(1);
    while let Some((at, word)) = words.next() {
        match word.known_text() {
            Some("-o" | "--one-line" | "-O" | "--one-line-before-file") => {
                found.extend(words.next().and_then(|(_, text)| debugger_command(text)));
            }
            Some("--") => {
                found.extend(Runnable::argv(call.words.get(at + 1..).unwrap_or_default()));
                break;
            }
            _ => {}
        }
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}

/// Returns what the addresses of `socat` run: `EXEC:` runs words, and `SYSTEM:` and `SHELL:` run a text. A comma
/// begins the options of the address.
pub(super) fn socat(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    for word in call.words.iter().skip(1) {
        let start = word.prefix();
        let Some((kind, _)) = start.split_once(':') else { continue };
        let Some(text) = start.get(..=kind.len()).and_then(|start| word.strip_prefix(start)) else { continue };
        let text = match text.known_text().and_then(|text| text.split_once(',')) {
            Some((text, _)) => Word::text(text),
            None => text,
        };
        found.extend(match kind.to_ascii_lowercase().as_str() {
            "exec" => Runnable::argv(&words::split(&text)),
            "system" | "shell" => Some(Runnable::script(text)),
            _ => None,
        });
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}
