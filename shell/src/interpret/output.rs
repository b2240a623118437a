//! Computes the output of commands whose output is certain, such as `echo`, `pwd` and `cat`.

use super::Frame;
use super::printf::printf;
use super::simple::{ExpandedCommand, directory};
use crate::argv::base_name;
use crate::dialect::DialectFeature;
use crate::escapes::{EscapeDecoder, decode};
use crate::expand::base_name_of_match;
use crate::integer;
use crate::open_files::descriptor_number;
use crate::programs::{main_name, program};
use crate::stream::{ShellValue, StreamContent};
use crate::word::{Word, WordPart};

/// Builtins that never write to standard output, with any arguments. A program of the same name may print a `--help`.
const SILENT: &[&str] = &["true", "false", ":", "test", "[", "unset", "read", "shift", "exit", "return"];

/// Builtins that never write to standard error, whatever their arguments are.
const QUIET: &[&str] = &["true", "false", ":", "echo", "printf"];

/// Whether a program may read its standard input.
pub(super) fn reads_input(name: &str) -> bool {
    program(base_name(name)).is_none_or(|record| record.reads_input)
}

/// Returns the standard output of a command: a known text, or the content of a file. `None` if the output is not
/// certain.
pub(super) fn known_output(frame: &Frame<'_>, command: &ExpandedCommand<'_>) -> Option<StreamContent> {
    let program = command.name()?;
    let name = program.rsplit('/').next().unwrap_or(program);
    let has_no_directory = program == name;
    let arguments = command.values.get(1..).unwrap_or_default();
    if matches!(name, "echo" | "printf") {
        frame.state.note_escapes(arguments);
    }
    match name {
        "echo" if has_no_directory || !asks_for_help(arguments) => echo(frame, arguments).map(StreamContent::Known),
        // PowerShell prints each object on its own line.
        "Write-Output" => Some(StreamContent::Known(lines(arguments))),
        "Get-Content" if command.values.len() > 1 => Some(passed_input(frame, command, name)),
        "printf" if !has_no_directory && asks_for_help(arguments) => None,
        "printf" if arguments.first().and_then(|first| first.word.known_text()) != Some("-v") => {
            printf(arguments, &frame.state.reading).map(StreamContent::Known)
        }
        "pwd" if arguments.is_empty() && has_no_directory && !frame.state.options.physical => {
            directory(&frame.state.cwd).map(|path| StreamContent::Known(ShellValue::text(format!("{path}\n"))))
        }
        _ if has_no_directory && is_silent(frame, name, arguments) => Some(StreamContent::Known(ShellValue::default())),
        _ => match main_name(name) {
            name @ ("cat" | "tee") => Some(passed_input(frame, command, name)),
            name @ ("seq" | "basename") if has_no_directory && is_plain_call(frame, command) => {
                let value = if name == "seq" { numbers(arguments) } else { last_component(arguments) };
                value.map(StreamContent::Known)
            }
            _ => None,
        },
    }
}

/// Whether a command certainly writes nothing to standard error: it is a builtin that never does, and there is no trace
/// of commands (`set -x`).
pub(super) fn is_quiet(frame: &Frame<'_>, command: &ExpandedCommand<'_>) -> bool {
    command.name().is_some_and(|name| QUIET.contains(&name)) && !frame.state.options.traces
}

/// Whether the only argument is an option such as `--help`, or may be one.
fn asks_for_help(arguments: &[ShellValue]) -> bool {
    matches!(arguments, [one] if one.word.known_text().is_none_or(|word| word.starts_with("--")))
}

/// Whether a builtin certainly writes nothing to standard output.
fn is_silent(frame: &Frame<'_>, name: &str, arguments: &[ShellValue]) -> bool {
    let is_option = |value: &&ShellValue| value.word.prefix().starts_with(['-', '+']);
    // A word with an unknown beginning may be an option.
    let has_known_start = |value: &ShellValue| !value.word.prefix().is_empty() || value.word.parts.is_empty();
    let options: Vec<&str> = arguments.iter().filter(is_option).map(|value| value.word.prefix()).collect();
    let names: Vec<&ShellValue> = arguments.iter().filter(|value| !is_option(value)).collect();
    let has_only = |known: &[&str]| options.iter().all(|option| known.contains(option));
    match name {
        "cd" => match names.as_slice() {
            // With `CDPATH`, it prints the new directory.
            [directory] => {
                let is_path = directory.word.prefix().starts_with(['/', '.']);
                has_only(&["-P", "-L", "--"]) && has_known_start(directory) && (is_path || !frame.cd_may_search())
            }
            [] => has_only(&["-P", "-L"]),
            _ => false,
        },
        // Without names, these builtins list variables; in zsh, they also list set variables that are named.
        "declare" | "local" | "typeset" | "export" | "readonly" => {
            let lists = |option: &&str| option.contains(['p', 'f', 'F']);
            let sets = |value: &&ShellValue| value.word.prefix().contains('=');
            !options.iter().any(lists)
                && !names.is_empty()
                && names.iter().all(|value| has_known_start(value))
                && (names.iter().all(sets) || !frame.state.reading.has(DialectFeature::ZshSyntax))
        }
        "shopt" => !names.is_empty() && !options.is_empty() && has_only(&["-s", "-u", "-q"]),
        "set" => {
            let ends_in_option =
                arguments.last().is_none_or(|value| is_option(&value) && value.word.prefix().contains('o'));
            !ends_in_option && arguments.iter().take(1).all(has_known_start)
        }
        "sleep" => arguments.iter().all(|value| value.word.prefix().starts_with(|c: char| c.is_ascii_digit())),
        // With a count, it may leave more loops than this one.
        "break" | "continue" => arguments.is_empty(),
        _ => SILENT.contains(&name),
    }
}

/// Returns the output of `cat`, `tee` or `Get-Content`: the content of its input or of its files.
fn passed_input(frame: &Frame<'_>, command: &ExpandedCommand<'_>, name: &str) -> StreamContent {
    let words = || command.values.iter().skip(1).map(|value| &value.word);
    let changes_output = |word: &Word| match name {
        // Options other than `-u` number the lines or show non-printing characters.
        "cat" => word.prefix().starts_with('-') && !matches!(word.known_text(), Some("-" | "-u" | "--")),
        // If a file of `tee` is its own standard output, the content is in it twice.
        "tee" => word.known_text().is_none_or(|word| word == "-" || descriptor_number(word).is_some()),
        _ => false,
    };
    if words().any(changes_output) {
        return StreamContent::Unknown;
    }
    let operands = words();
    let operands: Vec<&Word> =
        operands.filter(|word| !word.prefix().starts_with('-') || word.known_text() == Some("-")).collect();
    let input = || match &command.input.content {
        StreamContent::Unset => StreamContent::Unknown,
        content => content.clone(),
    };
    if name == "tee" || operands.is_empty() {
        return input();
    }
    let mut content = StreamContent::Known(ShellValue::default());
    for operand in operands {
        if content == StreamContent::Unknown {
            break;
        }
        let next = match operand.known_text() {
            Some("-") => input(),
            Some(name) if descriptor_number(name) == Some(0) && !command.has_file_input() => input(),
            _ => match (frame.process_input(operand), frame.written_file(operand)) {
                (Some(process), _) => process.content,
                (None, Some(written)) => written.content.clone(),
                (None, None) => StreamContent::File(operand.clone()),
            },
        };
        content = content.concat(next);
    }
    content
}

/// Whether the text has replaced neither the program of a command nor its environment.
fn is_plain_call(frame: &Frame<'_>, command: &ExpandedCommand<'_>) -> bool {
    let record = frame.interpreter.commands.get(command.id.0);
    record.is_some_and(|record| record.assignments.is_empty() && !record.is_shadowed && frame.state.hidden.is_none())
}

/// Returns the output of `seq`; `None` if it is not certain.
fn numbers(arguments: &[ShellValue]) -> Option<ShellValue> {
    let numbers = integer::sequence(arguments.iter().map(|value| value.word.known_text()))?;
    Some(ShellValue::text(numbers.map(|number| format!("{number}\n")).collect::<String>()))
}

/// Returns the output of `basename PATH [SUFFIX]`; `None` if it is not certain.
fn last_component(arguments: &[ShellValue]) -> Option<ShellValue> {
    let (path, suffix) = match arguments {
        [path] => (path, ""),
        [path, suffix] => (path, suffix.word.known_text()?),
        _ => return None,
    };
    let mut value = match path.word.known_text() {
        Some(text) if !text.starts_with('-') => {
            let name = text.rsplit('/').next().filter(|name| !name.is_empty())?;
            let rest = name.strip_suffix(suffix).filter(|rest| !rest.is_empty());
            ShellValue { word: Word::text(rest.unwrap_or(name)), writers: path.writers.clone() }
        }
        Some(_) => return None,
        None => base_name_of_match(path, suffix)?,
    };
    value.word.push(WordPart::Text("\n".to_owned()));
    Some(value)
}

/// Returns the words as text, each on its own line.
fn lines(words: &[ShellValue]) -> ShellValue {
    let mut text = ShellValue::default();
    for value in words {
        text.append(value);
        text.word.push(WordPart::Text("\n".to_owned()));
    }
    text
}

/// Returns the output of `echo`; `None` if shells differ, or if a glob makes the words unknown.
fn echo(frame: &Frame<'_>, arguments: &[ShellValue]) -> Option<ShellValue> {
    let is_option = |value: &&ShellValue| {
        value.word.known_text().is_some_and(|word| {
            word.len() > 1 && word.strip_prefix('-').is_some_and(|letters| letters.chars().all(|c| "neE".contains(c)))
        })
    };
    let reading = &frame.state.reading;
    let count = arguments.iter().take_while(is_option).count();
    let options: String = arguments.iter().take(count).filter_map(|value| value.word.known_text()).collect();
    let is_portable = count == 0 || count == 1 && options == "-n";
    if !is_portable && !reading.has(DialectFeature::EchoOptions) {
        // In some shells these words are options, in others they are printed.
        return None;
    }
    let words = arguments.iter().skip(count);
    let mut text = ShellValue::default();
    for (index, value) in words.enumerate() {
        if value.word.parts.iter().any(|part| part.matched_glob().is_some() || matches!(part, WordPart::Glob(_))) {
            return None;
        }
        if index > 0 {
            text.word.push(WordPart::Text(" ".to_owned()));
        }
        text.append(value);
    }
    let mut is_over = false;
    if text.word.has_known_text("\\") && frame.state.options.xpg_echo {
        return None;
    }
    if options.contains('e') {
        (text, is_over) = decode_escapes(&text, EscapeDecoder::Echo);
    } else if text.word.has_known_text("\\") && !options.contains('E') && !reading.has(DialectFeature::PlainEcho) {
        // Which escapes are decoded differs between shells.
        return None;
    }
    if !options.contains('n') && !is_over {
        text.word.push(WordPart::Text("\n".to_owned()));
    }
    Some(text)
}

/// Decodes the escapes in the known parts of a value. Also returns whether an escape (`\c`) ends the output there.
pub(super) fn decode_escapes(value: &ShellValue, reader: EscapeDecoder) -> (ShellValue, bool) {
    let mut result = ShellValue { writers: value.writers.clone(), ..ShellValue::default() };
    for part in &value.word.parts {
        let WordPart::Text(text) = part else {
            result.word.push(part.clone());
            continue;
        };
        let (text, is_over) = decode(text, reader);
        result.word.push(WordPart::Text(text));
        if is_over {
            return (result, true);
        }
    }
    (result, false)
}
