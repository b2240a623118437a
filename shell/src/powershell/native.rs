//! Translates calls of programs, and the words that they receive.

use std::borrow::Cow;

use super::arguments::{CommandArgument, CommandArguments};
use super::command::single_command;
use super::pipeline::PowerShellPipeline;
use super::value::{
    PowerShellObject, PowerShellValue, ValuePiece, WildcardMode, known_object_text, paths, with_slashes, write_word,
};
use super::{PowerShellTranslator, UNKNOWN, quoted};
use crate::programs::program;

impl PowerShellTranslator {
    /// Translates a call of a program, whose arguments stay the same except for the slashes of Windows paths.
    pub(super) fn call_program(
        &self,
        flow: PowerShellPipeline,
        name: &str,
        arguments: &CommandArguments,
    ) -> PowerShellPipeline {
        let name = known_object_text(&with_slashes(&[ValuePiece::Text(name.to_owned())]))
            .filter(|_| name.contains('\\'))
            .unwrap_or_else(|| name.to_owned());
        // A program in the current directory is called by the whole name of its file.
        let called = if name.starts_with('.') { &name } else { windows_name(program_name(&name), &name) };
        let called = recorded_name(called);
        let mut words = vec![quoted(&called)];
        if self.functions.contains_key(&called.to_lowercase()) {
            // `git.exe` is the program, also where `git` is a function.
            words.insert(0, "command".to_owned());
        }
        words.extend(program_words(arguments));
        single_command(flow, &words.join(" "), arguments)
    }
}

/// Returns the name of a program as in its record: without an extension such as `.exe`.
pub(super) fn program_name(name: &str) -> &str {
    let end = name.len().saturating_sub(4);
    match (name.get(..end), name.get(end..)) {
        (Some(stem), Some(end)) if [".exe", ".cmd", ".bat", ".com"].iter().any(|own| own.eq_ignore_ascii_case(end)) => {
            stem
        }
        _ => name,
    }
}

/// Returns the name of a program in lower case if only that one has a record: Windows ignores case.
pub(super) fn recorded_name(name: &str) -> Cow<'_, str> {
    let lower = name.to_lowercase();
    match program(name).is_none() && program(&lower).is_some() {
        true => Cow::Owned(lower),
        false => Cow::Borrowed(name),
    }
}

/// Returns the name for a program of Windows, given its `stem` without the extension, where the stem alone names
/// another program elsewhere: `fc.exe` compares files, and `find.exe` searches them.
fn windows_name<'n>(stem: &'n str, whole: &str) -> &'n str {
    match stem.to_ascii_lowercase().as_str() {
        _ if stem.len() == whole.len() => stem,
        "fc" => "comp",
        "find" => "findstr",
        _ => stem,
    }
}

/// Returns arguments in bash, as a program receives them.
pub(super) fn program_words(arguments: &CommandArguments) -> Vec<String> {
    let mut words = Vec::new();
    for argument in &arguments.items {
        match argument {
            CommandArgument::Parameter { written: item, .. } => words.push(write_word(item)),
            CommandArgument::Value(value) => match value.known_text().filter(|text| is_windows_path(text)) {
                Some(text) => words.extend(paths(&[ValuePiece::Text(text)], WildcardMode::Literal)),
                None => words.extend(with_homes(value).words()),
            },
            CommandArgument::Splat => words.push(format!("${{{UNKNOWN}}}")),
            CommandArgument::Dashes => words.push("--".to_owned()),
            CommandArgument::Rest(rest) => words.extend(rest.iter().map(|word| quoted(word))),
        }
    }
    words
}

/// Returns a value with the home of the user for a `~` at the beginning of a word, as programs receive it.
fn with_homes(value: &PowerShellValue) -> PowerShellValue {
    let with_home = |item: &PowerShellObject| match item.first() {
        Some(ValuePiece::Text(text))
            if text.starts_with("~/") || text.starts_with("~\\") || text == "~" && item.len() == 1 =>
        {
            with_slashes(item)
        }
        _ => item.clone(),
    };
    PowerShellValue { items: value.items.iter().map(with_home).collect(), kind: value.kind }
}

/// Whether a text is a Windows path: `.\x`, `~\x`, `C:\x`, `\\server\x`.
fn is_windows_path(text: &str) -> bool {
    let mut chars = text.chars();
    let drive = (chars.next(), chars.next(), chars.next());
    text.starts_with(".\\")
        || text.starts_with("..\\")
        || text.starts_with("\\\\")
        || matches!(drive, (Some(letter), Some(':'), Some('\\' | '/')) if letter.is_ascii_alphabetic())
}
