//! What interpreters of other languages run, and programs that run the value of an option in addition to their own
//! work.

use super::call::OuterCommand;
use super::{NestedCommand, NestedSetting, Runnable, awk, runners, sed, words};
use crate::escapes;
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
        let has_name = |names: &[&str]| option.names.iter().any(|name| names.contains(name));
        if runs && has_name(CODE) {
            found.push(CodeSource::Text(value.clone()));
        } else if reads && has_name(&["-l"]) && call.has_name_at(0, &["lua"]) {
            libraries.extend(library_files(call, value, ".lua"));
        } else if reads && has_name(FILES) {
            found.push(CodeSource::File(value.clone()));
        } else if reads && has_name(&["-r"]) {
            // `-r ./file` loads a library.
            libraries.extend(library_files(call, value, ".rb"));
        }
    }
    if call.has_name_at(0, &["perl"]) {
        libraries.extend(perl_modules(call));
    }
    if call.has_name_at(0, &["perl", "ruby"]) {
        found = joined_texts(found);
    }
    if let Some(command) = perl_command(call) {
        return vec![NestedCommand::new(Runnable::Argv(command), setting)];
    }
    let mut programs = Vec::new();
    if found.is_empty() {
        let code = operand_or_input(call);
        if let CodeSource::File(file) = &code {
            programs.extend(runners::installed_program(file, call.tail(1), setting));
        }
        found.push(code);
    }
    // The debugger evaluates the lines of its standard input.
    if call.has_name_at(0, &["perl"]) && call.has_option("-d") && !found.contains(&CodeSource::Input) {
        found.push(CodeSource::Input);
    }
    let code = libraries.into_iter().chain(found).map(|code| foreign_code(code, setting));
    let settings = call.values("-d").filter(|_| call.has_name_at(0, &["php"])).filter_map(php_setting);
    settings.map(|what| NestedCommand::new(what, setting)).chain(programs).chain(code).collect()
}

/// Returns the command that `perl -MExtUtils::Command -e NAME FILE…` is equivalent to.
fn perl_command(call: &OuterCommand<'_>) -> Option<Vec<Word>> {
    const COMMANDS: &[(&str, &[&str])] = &[
        ("cp", &["cp"]),
        ("mv", &["mv"]),
        ("rm_f", &["rm", "-f"]),
        ("rm_rf", &["rm", "-rf"]),
        ("touch", &["touch"]),
        ("mkpath", &["mkdir", "-p"]),
        ("cat", &["cat"]),
        ("chmod", &["chmod"]),
        ("eqtime", &["touch"]),
        ("dos2unix", &["dos2unix"]),
    ];
    if !call.has_name_at(0, &["perl"])
        || !call.values("-M").any(|module| module.prefix().starts_with("ExtUtils::Command"))
    {
        return None;
    }
    let name = call.value("-e").or_else(|| call.value("-E"))?.known_text()?.trim().trim_end_matches([';', '(', ')']);
    let (_, words) = COMMANDS.iter().find(|(function, _)| *function == name)?;
    let operands = call.argv.operands.iter().map(|word| (*word).clone());
    Some(words.iter().map(|word| Word::text(*word)).chain(operands).collect())
}

/// Returns the files that a library may be: in each directory of `-I`, with the extension of the language or without,
/// or at its path.
fn library_files(call: &OuterCommand<'_>, library: &Word, extension: &str) -> Vec<CodeSource> {
    let Some(name) = library.known_text() else { return vec![CodeSource::File(library.clone())] };
    let mut directories: Vec<String> = call.values("-I").filter_map(Word::known_text).map(str::to_owned).collect();
    if name.starts_with(['.', '/']) || call.has_name_at(0, &["lua"]) {
        directories.push(String::new());
    }
    let with_extension = (!name.ends_with(extension)).then(|| format!("{name}{extension}"));
    let names: Vec<String> = std::iter::once(name.to_owned()).chain(with_extension).collect();
    let path_of = |directory: &str, name: &str| match directory {
        "" => Word::text(name),
        directory => Word::text(format!("{}/{name}", directory.trim_end_matches('/'))),
    };
    let files_in =
        |directory: &String| names.iter().map(|name| CodeSource::File(path_of(directory, name))).collect::<Vec<_>>();
    directories.iter().flat_map(files_in).collect()
}

/// Returns what PHP runs because of a setting: a file before or after each page, or the command that sends mail.
fn php_setting(setting: &Word) -> Option<Runnable> {
    let (name, value) = setting.split_at_equals()?;
    match name.trim() {
        "auto_prepend_file" | "auto_append_file" | "opcache.preload" | "extension" | "zend_extension" => {
            Some(Runnable::Foreign(CodeSource::File(words::unquoted(&value))))
        }
        "sendmail_path" => Some(Runnable::script(words::unquoted(&value))),
        _ => None,
    }
}

/// Returns the code of perl's `-M` and `-m`: the whole value of `-M` comes after `use`, and may be more than a name.
/// With `-I`, the module may be a file in the working directory.
fn perl_modules(call: &OuterCommand<'_>) -> Vec<CodeSource> {
    let modules = call.values("-M").chain(call.values("-m"));
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, ':' | '_' | '=' | ',' | '-' | '.' | '/' | ' ');
    let code = modules.flat_map(|module| match module.known_text() {
        Some(name) if name.chars().all(is_name) => {
            let name = name.split(['=', ' ']).next().unwrap_or_default();
            if call.has_option("-I") { perl_module_files(call, name) } else { Vec::new() }
        }
        _ => {
            let mut text = Word::text("use ");
            module.parts.iter().for_each(|part| text.push(part.clone()));
            vec![CodeSource::Text(text)]
        }
    });
    code.collect()
}

/// Returns the files that a module of Perl may be, in the working directory and those of `-I`.
fn perl_module_files(call: &OuterCommand<'_>, module: &str) -> Vec<CodeSource> {
    let path = format!("{}.pm", module.replace("::", "/"));
    let directories = call.values("-I").filter_map(Word::known_text).filter(|directory| *directory != ".");
    let below = directories.map(|directory| format!("{}/{path}", directory.trim_end_matches('/')));
    std::iter::once(path.clone()).chain(below).map(|path| CodeSource::File(Word::text(path))).collect()
}

/// Joins the texts of several options into one program, a line for each. Files stay separate.
fn joined_texts(found: Vec<CodeSource>) -> Vec<CodeSource> {
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
fn operand_or_input(call: &OuterCommand<'_>) -> CodeSource {
    match call.operand(0) {
        Some(file) if file.known_text() != Some("-") => CodeSource::File(file.clone()),
        _ => CodeSource::Input,
    }
}

/// Returns the code that `python` runs. `-c` and `-m` end the options, and `-m` runs a module as a program.
pub(super) fn python(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let ends_options = |given: &&crate::argv::GivenOption| matches!(&*given.name, "-c" | "-m");
    let Some(given) = call.argv.options.iter().find(ends_options) else {
        let code = operand_or_input(call);
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
    let arguments = call.words.get(at..).unwrap_or_default();
    program.extend(arguments.iter().cloned());
    let mut found = vec![NestedCommand::new(Runnable::Argv(program), setting)];
    match value.known_text() {
        Some("asyncio" | "code") => found.push(foreign_code(CodeSource::Input, setting)),
        // Each argument of `timeit` is a statement.
        Some("timeit") => {
            found.extend(arguments.iter().map(|text| foreign_code(CodeSource::Text(text.clone()), setting)))
        }
        Some(module) => found.extend(files_of_module(module, setting)),
        None => {}
    }
    found
}

/// Returns the files that a Python module may be, relative to the working directory, and those of its packages, which
/// run first: `a.b` is `a/b.py` or `a/b/__main__.py`, after `a/__init__.py`.
fn files_of_module(module: &str, setting: &NestedSetting) -> Vec<NestedCommand> {
    let path = module.replace('.', "/");
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    let packages = ends.filter_map(|end| path.get(..end)).map(|package| format!("{package}/__init__.py"));
    let files = packages.chain([format!("{path}.py"), format!("{path}/__main__.py")]);
    files.map(|file| foreign_code(CodeSource::File(Word::text(file)), setting)).collect()
}

/// Returns what a launcher runs: a Python script, a module with `-m`, or any program with `--no-python`.
pub(super) fn launched(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    let Some(first) = tail.first() else { return Vec::new() };
    let is_module = call.has_option("-m");
    let is_text = first.known_text().is_none_or(|text| text.contains(char::is_whitespace));
    if is_text && call.has_name_at(0, &["pm2"]) {
        return vec![NestedCommand::new(Runnable::script(first.clone()), setting)];
    }
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
        .map(|file| foreign_code(data_url(file).unwrap_or_else(|| CodeSource::File(file.clone())), setting))
        .collect();
    let text = call.values("-e").last().cloned();
    let printed = call.has_option("-p").then(|| call.operand(0).cloned()).flatten();
    let code = text.or(printed).map_or_else(|| operand_or_input(call), CodeSource::Text);
    // The name of a script may lack its extension.
    if let CodeSource::File(file) = &code
        && let Some(path) = file.known_text().filter(|path| !crate::argv::base_name(path).contains('.'))
    {
        found.push(foreign_code(CodeSource::File(Word::text(format!("{path}.js"))), setting));
    }
    if let CodeSource::File(file) = &code {
        found.extend(runners::installed_program(file, call.tail(1), setting));
    }
    found.push(foreign_code(code, setting));
    found
}

/// Returns the code in a URL that contains it: `data:text/javascript,CODE`; `None` for any other word.
fn data_url(url: &Word) -> Option<CodeSource> {
    let rest = url.strip_prefix("data:")?;
    let (kind, code) = rest.known_text().and_then(|text| text.split_once(',')).unwrap_or_default();
    if rest.known_text().is_none() || kind.ends_with(";base64") {
        let decoded = crate::base64::decode(code, crate::base64::Base64Alphabet::Standard)
            .and_then(|bytes| String::from_utf8(bytes).ok());
        return Some(CodeSource::Text(decoded.map_or(rest, Word::text)));
    }
    let (bytes, _) = escapes::percent(code);
    Some(CodeSource::Text(Word::text(String::from_utf8_lossy(&bytes))))
}

/// Returns what `deno` runs without a subcommand: the file or the package of its first word, or its standard input.
pub(super) fn deno(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_any_option(&["--version", "--help"]) {
        return Vec::new();
    }
    let is_own = |word: &Word| !word.prefix().starts_with('-') || word.known_text() == Some("-");
    let own = call.words.iter().skip(1).position(is_own).and_then(|at| call.words.get(at + 1..)).unwrap_or_default();
    if let [word, rest @ ..] = own
        && let Some(package) = word.strip_prefix("npm:")
    {
        return super::versioned_program(&package, rest, setting);
    }
    let code = match own.first() {
        Some(word) if word.known_text() == Some("-") => CodeSource::Input,
        Some(file) if file.known_text().is_some_and(|file| file.contains(['.', '/'])) => CodeSource::File(file.clone()),
        Some(_) => return Vec::new(),
        None => CodeSource::Input,
    };
    vec![foreign_code(code, setting)]
}

/// Returns what `deno run` runs: a file, or the program of a package (`npm:prisma`).
pub(super) fn deno_run(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let package = call.operand(0).and_then(|word| word.strip_prefix("npm:"));
    let Some(package) = package else { return interpreted(call, setting) };
    super::versioned_program(&package, call.tail(1), setting)
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
    let mut sources = Vec::new();
    let mut is_given = call.has_any_option(&["-f", "-E", "-e"]);
    for code in named_awk_programs(call) {
        is_given = true;
        match code {
            CodeSource::Text(text) => sources.push(text),
            code => found.push(foreign_code(code, setting)),
        }
    }
    let programs = call.values("-e").chain(&sources).chain(call.operand(0).filter(|_| !is_given));
    for program in programs {
        found.extend(awk::runs(program).into_iter().map(|what| NestedCommand::new(add_variables(call, what), setting)));
    }
    found
}

/// Returns the programs that options of awk after `-W` give: `mawk -W exec FILE`, `gawk -W source=TEXT`.
fn named_awk_programs(call: &OuterCommand<'_>) -> Vec<CodeSource> {
    let abbreviates = |name: &str, whole: &str| !name.is_empty() && whole.starts_with(&name.to_ascii_lowercase());
    let program = |option: &Word| match option.split_at_equals() {
        Some((name, file)) if abbreviates(name, "exec") || abbreviates(name, "file") => Some(CodeSource::File(file)),
        Some((name, text)) if abbreviates(name, "source") => Some(CodeSource::Text(text)),
        Some(_) => None,
        None if option.known_text().is_some_and(|name| abbreviates(name, "exec")) => {
            call.operand(0).map(|file| CodeSource::File(file.clone()))
        }
        None => None,
    };
    call.values("-W").filter_map(program).collect()
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

/// Returns the code of an editor whose commands come from standard input, in which `!` begins a shell command.
pub(super) fn of_input(_: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    vec![foreign_code(CodeSource::Input, setting)]
}

/// Returns the code that a processor of templates or macros runs: each file that an operand names, and otherwise
/// standard input; also the definitions of `-D`.
pub(super) fn files_or_input(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = documents(call);
    found.extend(call.values("-D").map(|definition| CodeSource::Text(definition.clone())));
    found.into_iter().map(|code| foreign_code(code, setting)).collect()
}

/// Returns the files that the operands name, and standard input without an operand.
pub(super) fn documents(call: &OuterCommand<'_>) -> Vec<CodeSource> {
    match &*call.argv.operands {
        [] => vec![CodeSource::Input],
        operands => operands.iter().map(|word| CodeSource::of_operand(word)).collect(),
    }
}

/// Returns what `prove` runs: each test by perl, or by the command of `--exec`.
pub(super) fn tested(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let command = call.value("-e").map(words::split);
    let tests = call.argv.operands.iter();
    let run = tests.map(|test| match &command {
        Some(command) => Runnable::Argv(command.iter().chain([*test]).cloned().collect()),
        None => Runnable::Foreign(CodeSource::File((*test).clone())),
    });
    run.map(|what| NestedCommand::new(what, setting)).collect()
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
    vec![foreign_code(operand_or_input(call), setting)]
}

/// Returns the shell command in the first command of a pager, `+!ls`: after a `!`, or after a `|` and the letter of a
/// bookmark.
pub(super) fn less(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let commands =
        call.words.iter().skip(1).filter_map(|word| word.strip_prefix("++").or_else(|| word.strip_prefix("+")));
    let shell = commands.filter_map(|command| {
        let sign = command.prefix().find(['!', '|', '#'])?;
        let start = command.prefix().get(..=sign)?.to_owned();
        let rest = command.strip_prefix(&start)?;
        // `|m command` pipes the text up to the bookmark `m`.
        match start.ends_with('|') {
            true => rest.strip_prefix(&rest.prefix().chars().take(1).collect::<String>()),
            false => Some(rest),
        }
    });
    shell.map(|text| NestedCommand::new(Runnable::script(text), setting)).collect()
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
