//! Programs that insert words into the command that they run: `find`, `fd`, `xargs`, `parallel`.

use super::call::OuterCommand;
use super::words::{self, inserted_word, join, quoted, replace};
use super::{NestedCommand, NestedSetting, Runnable, input_words};
use crate::analysis::CommandScope;
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// Returns the words with every `placeholder` replaced by the word `by`.
fn fill_placeholders(words: &[Word], placeholder: &str, by: &Word) -> Vec<Word> {
    words.iter().map(|word| replace(word, placeholder, by).0).collect()
}

/// Returns the commands of all actions of `find START…`: `-exec COMMAND ;` and `-exec COMMAND {} +`.
pub(super) fn find(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let mut rest = call.words.get(1..).unwrap_or_default();
    let starts = find_starts(rest);
    while let [word, after_word @ ..] = rest {
        rest = after_word;
        let Some(action) = word.known_text() else { continue };
        let in_start_directory = match action {
            "-exec" | "-ok" => true,
            "-execdir" | "-okdir" => false,
            _ => continue,
        };
        let (command, several) = action_words(after_word);
        rest = after_word.get(command.len() + 1..).unwrap_or_default();
        let file = placeholder_word(if in_start_directory { &starts } else { &[] }, several);
        let mut setting = setting.clone();
        if !in_start_directory {
            setting.directory = Some(inserted_word(Cause::Directory, "find"));
        }
        found.extend(
            Runnable::argv(&fill_placeholders(command, "{}", &file)).map(|what| NestedCommand::new(what, &setting)),
        );
    }
    found
}

/// Returns the directories in which `find` starts: the words before its first test.
fn find_starts(words: &[Word]) -> Vec<Word> {
    let is_test = |word: &Word| word.prefix().starts_with(['-', '(', '!']);
    let mut words = words;
    while let [word, rest @ ..] = words {
        match word.known_text() {
            Some("-H" | "-L" | "-P") => words = rest,
            Some("-D" | "-O") => words = rest.get(1..).unwrap_or_default(),
            _ => break,
        }
    }
    words.iter().take_while(|word| !is_test(word)).cloned().collect()
}

/// The number of files that replace a placeholder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlaceholderFiles {
    One,
    Several,
}

/// Returns the words of an action up to its `;`, or up to a `+` after `{}`, and how many files replace the `{}`.
fn action_words(words: &[Word]) -> (&[Word], PlaceholderFiles) {
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        match word.known_text() {
            Some(";") => return (words.get(..at).unwrap_or_default(), PlaceholderFiles::One),
            Some("+") if before.is_some_and(|word| word.known_text() == Some("{}")) => {
                return (words.get(..at).unwrap_or_default(), PlaceholderFiles::Several);
            }
            _ => {}
        }
    }
    (words, PlaceholderFiles::One)
}

/// Returns the word that replaces `{}`: a path below the only start, or an unknown path if there are several or an
/// unknown one. Without a start, as for `-execdir`, it is a path below `./`.
fn placeholder_word(starts: &[Word], files: PlaceholderFiles) -> Word {
    let mut word = match starts {
        [] => Word::text("./"),
        [start] if start.known_text().is_some() => {
            Word::text(format!("{}/", start.display_text().trim_end_matches('/')))
        }
        _ => Word::default(),
    };
    word.push(WordPart::Unknown(file_placeholder(files)));
    word
}

/// Returns the unknown part that represents the files.
fn file_placeholder(files: PlaceholderFiles) -> UnknownPart {
    UnknownPart {
        reason: Unknown::with_source(Cause::Glob, "{}", ValueSource::SearchResult),
        may_split: files == PlaceholderFiles::Several,
    }
}

/// Returns the commands of `fd … -x COMMAND ;` and `-X COMMAND`. Without a placeholder, the file is appended.
pub(super) fn fd(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const PLACEHOLDERS: [&str; 5] = ["{}", "{/}", "{//}", "{.}", "{/.}"];
    let mut found = Vec::new();
    let mut rest = call.words.get(1..).unwrap_or_default();
    while let [word, after_option @ ..] = rest {
        rest = after_option;
        let attached =
            ["--exec-batch=", "--exec="].iter().find_map(|start| Some((start.len(), word.strip_prefix(start)?)));
        let files = match word.known_text() {
            Some("--") => break,
            Some("-x" | "--exec") => PlaceholderFiles::One,
            Some("-X" | "--exec-batch") => PlaceholderFiles::Several,
            _ => match &attached {
                Some((length, _)) if *length == "--exec=".len() => PlaceholderFiles::One,
                Some(_) => PlaceholderFiles::Several,
                None => continue,
            },
        };
        let command_length = after_option.iter().take_while(|word| word.known_text() != Some(";")).count();
        let command: Vec<Word> = attached
            .map(|(_, attached_word)| attached_word)
            .into_iter()
            .chain(after_option.iter().take(command_length).cloned())
            .collect();
        rest = after_option.get(command_length + 1..).unwrap_or_default();
        let file = Word::of(WordPart::Unknown(file_placeholder(files)));
        let mut filled = command.clone();
        for placeholder in PLACEHOLDERS {
            filled = fill_placeholders(&filled, placeholder, &file);
        }
        if filled == command {
            filled.push(file);
        }
        found.extend(Runnable::argv(&filled).map(|what| NestedCommand::new(what, setting)));
    }
    found
}

/// Returns the command of `forfiles /m MASK /c COMMAND`, in which each file replaces `@file`, `@path` and others.
pub(super) fn forfiles(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const PLACEHOLDERS: [&str; 4] = ["@file", "@path", "@relpath", "@fname"];
    let value = |letter: &str| {
        let is_option = |word: &Word| word.known_text().is_some_and(|text| text.eq_ignore_ascii_case(letter));
        call.words.iter().position(is_option).and_then(|at| call.words.get(at + 1))
    };
    let mask = value("/m").cloned().unwrap_or_else(|| Word::text("*"));
    let file = mask.known_text().map_or(mask.clone(), crate::glob::glob_word);
    let file =
        if value("/p").is_some() { Word::of(WordPart::Unknown(file_placeholder(PlaceholderFiles::One))) } else { file };
    let Some(command) = value("/c") else { return Vec::new() };
    let mut words = words::split(command);
    for placeholder in PLACEHOLDERS.iter().flat_map(|name| [(*name).to_owned(), name.to_uppercase()]) {
        words = fill_placeholders(&words, &placeholder, &file);
    }
    Runnable::argv(&words).map(|what| NestedCommand::new(what, setting)).into_iter().collect()
}

/// Returns the commands of `xargs`, with the input appended, or in place of the placeholder of `-I`, `-i` or `-J`. The
/// default command is `echo`. The input is known words, or one word that represents any number of them.
pub(super) fn xargs(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let setting = &NestedSetting { takes_input_words: true, ..setting.clone() };
    // With `-a`, the words come from a file and not from the standard input.
    let source = if call.has_option("-a") { ValueSource::Any } else { ValueSource::InputWords };
    let cause = if call.has_option("-a") { Cause::Contents } else { Cause::Input };
    let input = || Word::unknown_words(Unknown::with_source(cause, "xargs", source.clone()));
    let tail = call.tail(0);
    let echo = Word::text("echo");
    let (program, arguments) = tail.split_first().unwrap_or((&echo, &[]));
    let run = |words: Vec<Word>| NestedCommand::new(Runnable::Argv(words), setting);
    let with = |further: Vec<Word>| std::iter::once(program).chain(arguments).cloned().chain(further).collect();
    // With `-I`, a whole line replaces each placeholder, but not in the name of the program.
    let by_default = || call.has_option("-i").then(|| "{}".to_owned());
    let attached = || call.value("-i").map(Word::display_text).filter(|placeholder| !placeholder.is_empty());
    let placeholder = call.value("-I").map(Word::display_text).or_else(attached).or_else(by_default);
    let filled = |placeholder: &str, by: &Word| {
        let filled = fill_placeholders(arguments, placeholder, by);
        std::iter::once(program.clone()).chain(filled).collect::<Vec<_>>()
    };
    let placeholder = placeholder.filter(|placeholder| !placeholder.is_empty());
    let batches = input_words::xargs_batches(call, placeholder.is_some());
    match (placeholder, call.value("-J").map(Word::display_text), batches) {
        (Some(placeholder), _, Some(lines)) => {
            lines.iter().flatten().map(|line| run(filled(&placeholder, line))).collect()
        }
        (Some(placeholder), _, None) => vec![run(filled(&placeholder, &inserted_word(cause, &placeholder)))],
        (None, Some(placeholder), _) => vec![run(filled(&placeholder, &input()))],
        (None, None, Some(batches)) => batches.into_iter().map(|words| run(with(words))).collect(),
        (None, None, None) => vec![run(with(vec![input()]))],
    }
}

/// The maximum size of all texts together that `parallel` makes from one command, in bytes. If they would be larger,
/// the inserted words are unknown.
const MAX_TEXT_BYTES: usize = 64 * 1024;

/// Returns what `parallel COMMAND ::: words` runs: a shell runs the joined command once for each word. Without a
/// command, the words are the commands.
pub(super) fn parallel(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_option("--dry-run") {
        return Vec::new();
    }
    let mut setting = setting.clone();
    // The host `:` is this machine.
    let is_here = |host: &Word| host.known_text() == Some(":") || host.is_this_machine();
    if call.has_option("--slf") || call.values("-S").any(|host| !is_here(host)) {
        setting.scope = Some(CommandScope::Remote);
    }
    let is_list = |word: &Word| matches!(word.known_text(), Some(":::" | "::::" | ":::+" | "::::+"));
    let tail = call.tail(0);
    let command = tail.iter().take_while(|word| !is_list(word)).count();
    let (command, lists) = tail.split_at(command);
    let given = match lists {
        [separator, words @ ..] if separator.known_text() == Some(":::") && !words.iter().any(is_list) => Some(words),
        _ => None,
    };
    let length: usize = command.iter().map(|word| word.display_text().len() + 1).sum();
    let given = given.filter(|words| length.saturating_mul(words.len()) <= MAX_TEXT_BYTES);
    let run = |text: Word| NestedCommand::new(Runnable::script(text), &setting);
    // The input goes to the standard input of the command, and not into its words.
    let keeps_input = call.has_option("--pipe")
        || call.has_option("--pipepart")
        || call.has_name_at(0, &["sem"]) && call.program() == Some("sem");
    let quotes = |word: &Word| if call.has_option("-q") { quoted(word) } else { word.clone() };
    let command: Vec<Word> = command.iter().map(quotes).collect();
    let columns = ColumnSeparator::from_call(call);
    let forms = ReplacementForms::from_call(call);
    match (command.as_slice(), given) {
        ([], Some(words)) => words.iter().cloned().map(run).collect(),
        ([], None) if lists.is_empty() && !call.has_option("-a") => {
            vec![NestedCommand::new(Runnable::Input(Vec::new()), &setting)]
        }
        ([], None) => vec![run(inserted_word(Cause::Input, "parallel"))],
        (command, _) if keeps_input => vec![run(join(command))],
        (command, Some(words)) => {
            words.iter().map(|word| run(fill_template(command, forms, &columns.split(word)))).collect()
        }
        // `parallel` quotes the input, so that it remains one word.
        (command, None)
            if lists.is_empty() && !call.has_option("-a") && input_words::parallel_lines(call).is_some() =>
        {
            let lines = input_words::parallel_lines(call).unwrap_or_default();
            lines.iter().map(|line| run(fill_template(command, forms, &columns.split(line)))).collect()
        }
        // With `-a` or `::::`, it comes from a file and not from the standard input.
        (command, None) if call.has_option("-a") || !lists.is_empty() => {
            vec![run(fill_template(command, forms, &[inserted_word(Cause::Contents, "{}")]))]
        }
        (command, None) => vec![run(fill_template(command, forms, &[inserted_word(Cause::Input, "{}")]))],
    }
}

/// How `parallel` splits an argument into columns.
enum ColumnSeparator {
    /// The argument is one column.
    None,
    /// A text separates the columns.
    Text(String),
    /// A regex, or an option that is not interpreted here, determines the columns.
    Unknown,
}

impl ColumnSeparator {
    /// Returns the separator that the options give.
    fn from_call(call: &OuterCommand<'_>) -> Self {
        if call.has_any_option(&["-I", "-N", "-n", "-i", "-U", "--rpl", "-X", "-m", "-L"]) {
            return Self::Unknown;
        }
        match call.value("-C").map(Word::known_text) {
            None => Self::None,
            Some(Some("\\t")) => Self::Text("\t".to_owned()),
            Some(Some(text)) if !text.is_empty() && text.chars().all(|c| !"\\.[](){}*+?|^$".contains(c)) => {
                Self::Text(text.to_owned())
            }
            Some(_) => Self::Unknown,
        }
    }

    /// Returns the columns of an argument.
    fn split(&self, word: &Word) -> Vec<Word> {
        match (self, word.known_text()) {
            (Self::None, _) => vec![word.clone()],
            (Self::Text(separator), Some(text)) => text.split(separator.as_str()).map(Word::text).collect(),
            (Self::Text(_) | Self::Unknown, _) => vec![inserted_word(Cause::Input, "{}")],
        }
    }
}

/// Which replacement strings `parallel` has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReplacementForms {
    /// Those that it has without an option.
    Usual,
    /// Any text in braces may be one: `--plus`, `--rpl`.
    Extended,
}

impl ReplacementForms {
    /// Returns the forms that the options allow.
    fn from_call(call: &OuterCommand<'_>) -> Self {
        if call.has_any_option(&["--plus", "--rpl"]) { Self::Extended } else { Self::Usual }
    }
}

/// Joins the words of a command into a text for a shell, with the columns of an argument in place of the replacement
/// strings, or all of the argument at the end if there are none.
fn fill_template(command: &[Word], forms: ReplacementForms, columns: &[Word]) -> Word {
    let template = join(command);
    let mut text = Word::default();
    let mut is_filled = false;
    for part in &template.parts {
        let WordPart::Text(known) = part else {
            text.push(part.clone());
            continue;
        };
        let mut rest = known.as_str();
        while let Some((before, inner, after)) = next_braces(rest) {
            text.push(WordPart::Text(before.to_owned()));
            match replacement(inner, forms, columns) {
                Some(word) => {
                    is_filled = true;
                    words::append(&mut text, &quoted(&word));
                }
                None => text.push(WordPart::Text(format!("{{{inner}}}"))),
            }
            rest = after;
        }
        text.push(WordPart::Text(rest.to_owned()));
    }
    if !is_filled {
        for column in columns {
            text.push(WordPart::Text(" ".to_owned()));
            words::append(&mut text, &quoted(column));
        }
    }
    text
}

/// Returns what a replacement string takes of the names that a glob matches, as a glob; `None` if it is not known.
fn part_of_glob(word: &Word, form: &str) -> Option<Word> {
    if word.parts.iter().any(|part| matches!(part, WordPart::Unknown(_))) {
        return None;
    }
    let is_name = |part: &&WordPart| !matches!(part, WordPart::Text(text) if text.contains('/'));
    let names = word.parts.iter().rev().take_while(is_name).count();
    let (before, after) = word.parts.split_at_checked(word.parts.len().checked_sub(names)?)?;
    let (directory, start) = match before {
        [] => (".", ""),
        [WordPart::Text(text)] => text.rsplit_once('/')?,
        _ => return None,
    };
    let mut name = Word::text(start);
    after.iter().for_each(|part| name.push(part.clone()));
    let without_end = |mut word: Word| match word.parts.last_mut() {
        Some(WordPart::Text(text)) => {
            text.truncate(text.rfind('.')?);
            Some(word)
        }
        _ => None,
    };
    match form {
        "" => Some(word.clone()),
        "/" => Some(name),
        "/." => without_end(name),
        "//" => Some(Word::text(directory)),
        _ => without_end(word.clone()),
    }
}

/// Returns the text before the next pair of braces, the text between them, and the text after them.
fn next_braces(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    // The Perl code in `{= … =}` may contain braces.
    let end = if rest.starts_with('=') { "=}" } else { "}" };
    let at = rest.find(end)?;
    let (inner, after) = rest.split_at_checked(at + end.len() - 1)?;
    Some((before, inner, after.strip_prefix('}')?))
}

/// Returns the word that replaces `{inner}`; `None` if `parallel` leaves the text as it is.
fn replacement(inner: &str, forms: ReplacementForms, columns: &[Word]) -> Option<Word> {
    let unknown = || inserted_word(Cause::Input, "{}");
    let digits = inner.trim_start_matches('-').bytes().take_while(u8::is_ascii_digit).count();
    let (number, form) = match digits {
        0 => (None, inner),
        _ => inner.split_at_checked(digits + usize::from(inner.starts_with('-'))).map(|(n, form)| (Some(n), form))?,
    };
    if !matches!(form, "" | "." | "/" | "//" | "/.") {
        // The code in `{= … =}` is Perl's.
        let is_other = matches!(inner, "#" | "%") || form.starts_with('=') || forms == ReplacementForms::Extended;
        return is_other.then(unknown);
    }
    let word = match number {
        None if columns.len() > 1 => return Some(unknown()),
        None => columns.first()?,
        Some(number) => match number.parse::<usize>().ok().and_then(|number| columns.get(number.checked_sub(1)?)) {
            Some(word) => word,
            None => return Some(unknown()),
        },
    };
    let Some(text) = word.known_text() else { return Some(part_of_glob(word, form).unwrap_or_else(unknown)) };
    let name = |text: &str| text.rsplit('/').next().unwrap_or_default().to_owned();
    let without_end = |text: &str| match text.rsplit_once('.') {
        Some((start, end)) if !end.contains('/') => start.to_owned(),
        _ => text.to_owned(),
    };
    Some(Word::text(match form {
        "." => without_end(text),
        "/" => name(text),
        "/." => without_end(&name(text)),
        "//" => text.rsplit_once('/').map_or_else(|| ".".to_owned(), |(directory, _)| directory.to_owned()),
        _ => text.to_owned(),
    }))
}
