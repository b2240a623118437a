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

/// Programs that write nothing to their output.
const SILENT: &[&str] = &[
    "true", "false", ":", "cd", "test", "[", "export", "unset", "set", "shopt", "declare", "local", "readonly",
    "typeset", "read", "sleep", "shift", "exit", "return", "break", "continue",
];

/// Tells whether a program may read its standard input.
pub(super) fn reads_input(name: &str) -> bool {
    !DEAF.contains(&name.rsplit('/').next().unwrap_or(name))
}

/// Returns what a command writes to its standard output, if that is certain or a file's content.
pub(super) fn known(frame: &Frame<'_>, made: &Made<'_>) -> Option<Content> {
    let name = made.name()?;
    let name = name.rsplit('/').next().unwrap_or(name);
    let arguments = made.values.get(1..).unwrap_or_default();
    match name {
        "echo" => echo(frame, arguments).map(Content::Known),
        // PowerShell's: each object on a line.
        "Write-Output" => Some(Content::Known(lines(arguments))),
        "Get-Content" if made.values.len() > 1 => Some(passed(frame, made, name)),
        "printf" if arguments.first().and_then(|first| first.word.known()) != Some("-v") => {
            printf(arguments).map(Content::Known)
        }
        "pwd" if arguments.is_empty() => {
            directory(&frame.state.cwd).map(|path| Content::Known(Value::text(format!("{path}\n"))))
        }
        "cat" | "tee" => Some(passed(frame, made, name)),
        _ if SILENT.contains(&name) => Some(Content::Known(Value::default())),
        _ => None,
    }
}

/// `cat` and `tee` pass on what they read.
fn passed(frame: &Frame<'_>, made: &Made<'_>, name: &str) -> Content {
    let operands = made.values.iter().skip(1).map(|value| &value.word);
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
        if value.word.parts.iter().any(|part| part.matched().is_some() || matches!(part, Part::Glob(_))) {
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
