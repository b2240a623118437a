//! What commands write that is certain, and where some of them put it.

use super::Frame;
use super::simple::{Made, directory};
use crate::dialect::Feature;
use crate::escapes::{Decoder, decoded};
use crate::stream::{Content, LONGEST, Value};
use crate::word::{Part, Word};

/// Programs that never look at their standard input.
const DEAF: &[&str] = &[
    "echo", "printf", "true", "false", ":", "ls", "pwd", "date", "cd", "which", "type", "test", "[", "whoami", "id",
    "uname", "hostname", "seq", "mkdir", "touch", "rm", "cp", "mv", "ln", "chmod", "chown", "basename", "dirname",
    "printenv", "export", "sleep", "kill", "find",
];

/// Builtins that write nothing to their output, whatever their words are. A program by such a name has a `--help`.
const SILENT: &[&str] = &["true", "false", ":", "test", "[", "unset", "read", "shift", "exit", "return"];

/// Builtins that write nothing to standard error either.
const QUIET: &[&str] = &["true", "false", ":", "echo", "printf"];

/// Tells whether a program may read its standard input.
pub(super) fn reads_input(name: &str) -> bool {
    !DEAF.contains(&name.rsplit('/').next().unwrap_or(name))
}

/// Returns what a command writes to its standard output, if that is certain or a file's content.
pub(super) fn known(frame: &Frame<'_>, made: &Made<'_>) -> Option<Content> {
    let written = made.name()?;
    let name = written.rsplit('/').next().unwrap_or(written);
    let is_bare = written == name;
    let arguments = made.values.get(1..).unwrap_or_default();
    match name {
        "echo" if is_bare || !asks_for_help(arguments) => echo(frame, arguments).map(Content::Known),
        // PowerShell's: each object on a line.
        "Write-Output" => Some(Content::Known(lines(arguments))),
        "Get-Content" if made.values.len() > 1 => Some(passed(frame, made, name)),
        "printf" if !is_bare && asks_for_help(arguments) => None,
        "printf" if arguments.first().and_then(|first| first.word.known()) != Some("-v") => {
            printf(arguments).map(Content::Known)
        }
        "pwd" if arguments.is_empty() && is_bare && !frame.state.options.physical => {
            directory(&frame.state.cwd).map(|path| Content::Known(Value::text(format!("{path}\n"))))
        }
        "cat" | "tee" => Some(passed(frame, made, name)),
        _ if is_bare && is_silent(frame, name, arguments) => Some(Content::Known(Value::default())),
        _ => None,
    }
}

/// Tells whether a builtin writes nothing to standard error, whatever it does.
pub(super) fn is_quiet(frame: &Frame<'_>, made: &Made<'_>) -> bool {
    made.name().is_some_and(|name| QUIET.contains(&name)) && !frame.state.options.traces
}

/// Tells whether a file's name stands for what is open already: `/dev/stdout`, `/dev/fd/3`.
pub(super) fn opens_descriptor(file: &str) -> bool {
    matches!(file, "/dev/stdin" | "/dev/stdout" | "/dev/stderr") || super::opened::numbered(file).is_some()
}

fn asks_for_help(arguments: &[Value]) -> bool {
    matches!(arguments, [one] if one.word.known().is_none_or(|word| word.starts_with("--")))
}

/// Tells whether a builtin certainly writes nothing to its output.
fn is_silent(frame: &Frame<'_>, name: &str, arguments: &[Value]) -> bool {
    let is_option = |value: &&Value| value.word.prefix().starts_with(['-', '+']);
    // What is not known may be an option.
    let is_clear = |value: &Value| !value.word.prefix().is_empty() || value.word.parts.is_empty();
    let options: Vec<&str> = arguments.iter().filter(is_option).map(|value| value.word.prefix()).collect();
    let names: Vec<&Value> = arguments.iter().filter(|value| !is_option(value)).collect();
    let is_among = |known: &[&str]| options.iter().all(|option| known.contains(option));
    match name {
        "cd" => match names.as_slice() {
            // With `CDPATH` it says where it went.
            [place] => {
                let is_plain = place.word.prefix().starts_with(['/', '.']);
                is_among(&["-P", "-L", "--"]) && is_clear(place) && (is_plain || !frame.may_search())
            }
            [] => is_among(&["-P", "-L"]),
            _ => false,
        },
        // Without names they list them; so does zsh with names that are set.
        "declare" | "local" | "typeset" | "export" | "readonly" => {
            let lists = |option: &&str| option.contains(['p', 'f', 'F']);
            let sets = |value: &&Value| value.word.prefix().contains('=');
            !options.iter().any(lists)
                && !names.is_empty()
                && names.iter().all(|value| is_clear(value))
                && (names.iter().all(sets) || !frame.state.reading.has(Feature::OfZsh))
        }
        "shopt" => !names.is_empty() && !options.is_empty() && is_among(&["-s", "-u", "-q"]),
        "set" => {
            let ends = arguments.last().is_none_or(|value| is_option(&value) && value.word.prefix().contains('o'));
            !ends && arguments.iter().take(1).all(is_clear)
        }
        "sleep" => arguments.iter().all(|value| value.word.prefix().starts_with(|c: char| c.is_ascii_digit())),
        // Of several loops it ends more than this one.
        "break" | "continue" => arguments.is_empty(),
        _ => SILENT.contains(&name),
    }
}

/// `cat` and `tee` pass on what they read.
fn passed(frame: &Frame<'_>, made: &Made<'_>, name: &str) -> Content {
    let words = || made.values.iter().skip(1).map(|value| &value.word);
    let changes = |word: &Word| match name {
        // Other options number lines or show what is not seen.
        "cat" => word.prefix().starts_with('-') && !matches!(word.known(), Some("-" | "-u" | "--")),
        // What it writes to its output as to a file is there twice.
        "tee" => word.known().is_none_or(|word| word == "-" || opens_descriptor(word)),
        _ => false,
    };
    if words().any(changes) {
        return Content::Unknown;
    }
    let operands = words();
    let operands: Vec<&Word> =
        operands.filter(|word| !word.prefix().starts_with('-') || word.known() == Some("-")).collect();
    let input = || match &made.input.content {
        Content::Unsaid => Content::Unknown,
        content => content.clone(),
    };
    if name == "tee" || operands.is_empty() {
        return input();
    }
    let mut content = Content::Known(Value::default());
    for operand in operands {
        if content == Content::Unknown {
            break;
        }
        let next = match operand.known() {
            Some("-" | "/dev/stdin") => input(),
            _ => match (frame.process_of(operand), frame.written(operand)) {
                (Some(process), _) => process.content,
                (None, Some(written)) => written.content.clone(),
                (None, None) => Content::File(operand.clone()),
            },
        };
        content = content.then(next);
    }
    content
}

/// Each word on a line of its own.
fn lines(words: &[Value]) -> Value {
    let mut text = Value::default();
    for value in words {
        text.append(value);
        text.word.push(Part::Text("\n".to_owned()));
    }
    text
}

fn echo(frame: &Frame<'_>, arguments: &[Value]) -> Option<Value> {
    let is_option = |value: &&Value| {
        value.word.known().is_some_and(|word| {
            word.len() > 1 && word.strip_prefix('-').is_some_and(|letters| letters.chars().all(|c| "neE".contains(c)))
        })
    };
    let reading = &frame.state.reading;
    let count = arguments.iter().take_while(is_option).count();
    let options: String = arguments.iter().take(count).filter_map(|value| value.word.known()).collect();
    let is_plain = count == 0 || count == 1 && options == "-n";
    let (count, options) = match is_plain || reading.has(Feature::EchoOptions) {
        true => (count, options),
        // What is an option here and a word there.
        false => return None,
    };
    let words = arguments.iter().skip(count);
    let mut text = Value::default();
    for (at, value) in words.enumerate() {
        if value.word.parts.iter().any(|part| matches!(part, Part::Glob(_))) {
            return None;
        }
        if at > 0 {
            text.word.push(Part::Text(" ".to_owned()));
        }
        text.append(value);
    }
    let mut is_over = false;
    if text.word.mentions("\\") && frame.state.options.xpg_echo {
        return None;
    }
    if options.contains('e') {
        (text, is_over) = escaped(&text, Decoder::Echo);
    } else if text.word.mentions("\\") && !options.contains('E') && !reading.has(Feature::PlainEcho) {
        // Which of them it decodes differs from shell to shell.
        return None;
    }
    if !options.contains('n') && !is_over {
        text.word.push(Part::Text("\n".to_owned()));
    }
    Some(text)
}

/// Formats as `printf` does, with `%s`, `%d`, `%b` and `%%` alone.
pub(super) fn printf(arguments: &[Value]) -> Option<Value> {
    let arguments = match arguments.first()?.word.known() {
        Some("--") => arguments.get(1..)?,
        _ => arguments,
    };
    let (format, values) = arguments.split_first()?;
    let (format, _) = decoded(format.word.known()?, Decoder::Format);
    if values.iter().any(|value| value.word.splits()) {
        return None;
    }
    let mut text = Value::default();
    let mut values = values.iter();
    let mut left = LONGEST;
    loop {
        // It is written out once for every few arguments.
        left = left.checked_sub(format.len() + 1)?;
        let mut rest = format.as_str();
        let mut took = false;
        while let Some((before, behind)) = rest.split_once('%') {
            text.word.push(Part::Text(before.to_owned()));
            let kind = behind.chars().next()?;
            rest = behind.get(kind.len_utf8()..)?;
            match kind {
                '%' => text.word.push(Part::Text("%".to_owned())),
                's' | 'd' | 'b' => {
                    took = true;
                    let value = values.next().cloned().unwrap_or_default();
                    if kind != 'b' {
                        text.append(&value);
                        continue;
                    }
                    let (value, is_over) = escaped(&value, Decoder::Argument);
                    text.append(&value);
                    if is_over {
                        return Some(text);
                    }
                }
                _ => return None,
            }
        }
        text.word.push(Part::Text(rest.to_owned()));
        if !took || values.len() == 0 {
            return Some(text);
        }
    }
}

/// Decodes what is known of a value, and tells whether the output ends there.
fn escaped(value: &Value, reader: Decoder) -> (Value, bool) {
    let mut result = Value { from: value.from.clone(), ..Value::default() };
    for part in &value.word.parts {
        let Part::Text(text) = part else {
            result.word.push(part.clone());
            continue;
        };
        let (text, is_over) = decoded(text, reader);
        result.word.push(Part::Text(text));
        if is_over {
            return (result, true);
        }
    }
    (result, false)
}

/// Returns the files that a download is saved to.
pub(super) fn saved(name: &str, words: &[&Word]) -> Vec<Word> {
    let mut files = Vec::new();
    let mut urls: Vec<&Word> = Vec::new();
    let mut by_url = name == "wget";
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let start = word.prefix();
        let (letter, long) = if name == "curl" { ('o', "--output") } else { ('O', "--output-document") };
        if name == "dd" {
            files.extend(word.after("of="));
        } else if start == long {
            files.extend(words.next().map(|file| (*file).clone()));
        } else if let Some(file) = word.after(&format!("{long}=")) {
            files.push(file);
        } else if matches!(start, "--remote-name" | "--remote-name-all") {
            by_url = true;
        } else if start.starts_with('-') && !start.starts_with("--") {
            // Letters up to one that takes a value.
            let valued = if name == "curl" { "HdXuAebFTKmxyYCwrQPUtEcDhz" } else { "aieBtTwQPUlADRIXSo" };
            let end = start.find(|c| c == letter || valued.contains(c));
            let found = end.and_then(|at| start.get(at..)).and_then(|rest| rest.chars().next());
            by_url |=
                name == "curl" && start.get(..end.unwrap_or(start.len())).is_some_and(|flags| flags.contains('O'));
            let attached = end.and_then(|at| word.after(start.get(..=at)?)).filter(|rest| !rest.parts.is_empty());
            let value =
                if found.is_some() { attached.or_else(|| words.next().map(|word| (*word).clone())) } else { None };
            if found == Some(letter) {
                files.extend(value);
            }
        } else if !start.starts_with('-') {
            urls.push(word);
        }
    }
    if by_url && files.is_empty() {
        let names = urls.iter().filter_map(|url| url.known()?.trim_end_matches('/').rsplit('/').next());
        files.extend(names.map(Word::text));
    }
    files.retain(|file| file.known() != Some("-"));
    files
}
