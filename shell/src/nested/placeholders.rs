//! Programs that insert words into the command that they run: `find`, `fd`, `xargs`, `parallel`.

use super::call::OuterCommand;
use super::words::{self, PlaceholderPresence, inserted_word, join, quoted, replace};
use super::{NestedCommand, NestedSetting, Runnable};
use crate::analysis::CommandScope;
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// Returns the words with every placeholder `mark` replaced.
fn fill_placeholders(words: &[Word], mark: &str, by: &Word) -> Vec<Word> {
    words.iter().map(|word| replace(word, mark, by).0).collect()
}

/// Returns the commands of all actions of `find START…`: `-exec COMMAND ;` and `-exec COMMAND {} +`.
pub(super) fn find(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let mut rest = call.words.get(1..).unwrap_or_default();
    let starts = find_starts(rest);
    while let [word, behind @ ..] = rest {
        rest = behind;
        let Some(action) = word.known_text() else { continue };
        let in_place = match action {
            "-exec" | "-ok" => true,
            "-execdir" | "-okdir" => false,
            _ => continue,
        };
        let (command, several) = action_words(behind);
        rest = behind.get(command.len() + 1..).unwrap_or_default();
        let file = file(if in_place { &starts } else { &[] }, several);
        let mut setting = setting.clone();
        if !in_place {
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
    while let [word, behind @ ..] = words {
        match word.known_text() {
            Some("-H" | "-L" | "-P") => words = behind,
            Some("-D" | "-O") => words = behind.get(1..).unwrap_or_default(),
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
fn file(starts: &[Word], files: PlaceholderFiles) -> Word {
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
    const MARKS: [&str; 5] = ["{}", "{/}", "{//}", "{.}", "{/.}"];
    let mut found = Vec::new();
    let mut rest = call.words.get(1..).unwrap_or_default();
    while let [word, behind @ ..] = rest {
        rest = behind;
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
        let length = behind.iter().take_while(|word| word.known_text() != Some(";")).count();
        let command: Vec<Word> =
            attached.map(|(_, first)| first).into_iter().chain(behind.iter().take(length).cloned()).collect();
        rest = behind.get(length + 1..).unwrap_or_default();
        let file = Word::of(WordPart::Unknown(file_placeholder(files)));
        let mut marked = command.clone();
        for mark in MARKS {
            marked = fill_placeholders(&marked, mark, &file);
        }
        if marked == command {
            marked.push(file);
        }
        found.extend(Runnable::argv(&marked).map(|what| NestedCommand::new(what, setting)));
    }
    found
}

/// Returns the command of `xargs`, with the input appended, or in place of the placeholder of `-I`, `-i` or `-J`. The
/// default command is `echo`.
pub(super) fn xargs(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let input = || Word::unknown_words(Unknown::with_source(Cause::Input, "xargs", ValueSource::InputWords));
    let tail = call.tail(0);
    let [program, arguments @ ..] = tail else {
        return vec![NestedCommand::new(Runnable::Argv(vec![Word::text("echo"), input()]), setting)];
    };
    // With `-I`, a whole line replaces each placeholder, but not in the name of the program.
    let by_default = || call.has_option("-i").then(|| "{}".to_owned());
    let attached = || call.value("-i").map(Word::display_text).filter(|mark| !mark.is_empty());
    let mark = call.value("-I").map(Word::display_text).or_else(attached).or_else(by_default);
    let mut words = vec![program.clone()];
    match (mark, call.value("-J").map(Word::display_text)) {
        (Some(mark), _) if !mark.is_empty() => {
            words.extend(fill_placeholders(arguments, &mark, &inserted_word(Cause::Input, &mark)));
        }
        (_, Some(mark)) => words.extend(fill_placeholders(arguments, &mark, &input())),
        _ => {
            words.extend(arguments.iter().cloned());
            words.push(input());
        }
    }
    vec![NestedCommand::new(Runnable::Argv(words), setting)]
}

/// The most bytes of all texts together that `parallel` makes of one command; beyond them, the inserted words are
/// unknown.
const TEXTS: usize = 64 * 1024;

/// Returns what `parallel COMMAND ::: words` runs: a shell runs the joined command once for each word. Without a
/// command, the words are the commands.
pub(super) fn parallel(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_option("--dry-run") {
        return Vec::new();
    }
    let mut setting = setting.clone();
    if call.has_any_option(&["-S", "--slf"]) {
        setting.scope = Some(CommandScope::Remote);
    }
    let is_list = |word: &Word| matches!(word.known_text(), Some(":::" | "::::" | ":::+" | "::::+"));
    let tail = call.tail(0);
    let command = tail.iter().take_while(|word| !is_list(word)).count();
    let (command, lists) = tail.split_at(command);
    let given = match lists {
        [mark, words @ ..] if mark.known_text() == Some(":::") && !words.iter().any(is_list) => Some(words),
        _ => None,
    };
    let length: usize = command.iter().map(|word| word.display_text().len() + 1).sum();
    let given = given.filter(|words| length.saturating_mul(words.len()) <= TEXTS);
    let run = |text: Word| NestedCommand::new(Runnable::script(text), &setting);
    // The input goes to the standard input of the command, and not into its words.
    let keeps_input = call.has_option("--pipe")
        || call.has_option("--pipepart")
        || call.has_name_at(0, &["sem"]) && call.program() == Some("sem");
    let quotes = |word: &Word| if call.has_option("-q") { quoted(word) } else { word.clone() };
    let command: Vec<Word> = command.iter().map(quotes).collect();
    match (command.as_slice(), given) {
        ([], Some(words)) => words.iter().cloned().map(run).collect(),
        ([], None) if lists.is_empty() && !call.has_option("-a") => {
            vec![NestedCommand::new(Runnable::Input(Vec::new()), &setting)]
        }
        ([], None) => vec![run(inserted_word(Cause::Input, "parallel"))],
        (command, _) if keeps_input => vec![run(join(command))],
        (command, Some(words)) => words.iter().map(|word| run(join_for_shell(command, &quoted(word)))).collect(),
        // `parallel` quotes the input, so that it remains one word.
        (command, None) => vec![run(join_for_shell(command, &inserted_word(Cause::Input, "{}")))],
    }
}

/// Joins the words of a command into a text for a shell, with `word` in place of each placeholder, or at the end if
/// there is none.
fn join_for_shell(command: &[Word], word: &Word) -> Word {
    const MARKS: [&str; 9] = ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}", "{4}"];
    let mut text = join(command);
    let mut is_in_force = PlaceholderPresence::No;
    for mark in MARKS {
        let (replaced, found) = replace(&text, mark, word);
        if found == PlaceholderPresence::Yes {
            is_in_force = PlaceholderPresence::Yes;
            text = replaced;
        }
    }
    if is_in_force == PlaceholderPresence::No {
        text.push(WordPart::Text(" ".to_owned()));
        words::append(&mut text, word);
    }
    text
}
