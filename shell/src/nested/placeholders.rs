//! Programs that insert words into the command that they run: `find`, `fd`, `xargs`, `parallel`.

use super::call::Call;
use super::words::{self, Replaced, join, placed, quoted, replace};
use super::{Nested, Setting, What};
use crate::analysis::Scope;
use crate::word::{Cause, Part, Source, Unknown, UnknownPart, Word};

/// Replaces every placeholder in a command.
fn filled(words: &[Word], mark: &str, by: &Word) -> Vec<Word> {
    words.iter().map(|word| replace(word, mark, by).0).collect()
}

/// `find START… -exec COMMAND ;` and `-exec COMMAND {} +`, for every occurrence.
pub(super) fn find(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let mut found = Vec::new();
    let mut rest = call.words.get(1..).unwrap_or_default();
    let starts = starts(rest);
    while let [word, behind @ ..] = rest {
        rest = behind;
        let Some(action) = word.known() else { continue };
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
            setting.directory = Some(placed(Cause::Directory, "find"));
        }
        found.extend(What::argv(&filled(command, "{}", &file)).map(|what| Nested::with(what, &setting)));
    }
    found
}

/// Returns the starts of `find`: the words before its first test.
fn starts(words: &[Word]) -> Vec<Word> {
    let is_test = |word: &Word| word.prefix().starts_with(['-', '(', '!']);
    let mut words = words;
    while let [word, behind @ ..] = words {
        match word.known() {
            Some("-H" | "-L" | "-P") => words = behind,
            Some("-D" | "-O") => words = behind.get(1..).unwrap_or_default(),
            _ => break,
        }
    }
    words.iter().take_while(|word| !is_test(word)).cloned().collect()
}

/// How many files replace a placeholder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Files {
    One,
    Several,
}

/// Returns the words of an action up to its `;`, or to a `+` after `{}`.
fn action_words(words: &[Word]) -> (&[Word], Files) {
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        match word.known() {
            Some(";") => return (words.get(..at).unwrap_or_default(), Files::One),
            Some("+") if before.is_some_and(|word| word.known() == Some("{}")) => {
                return (words.get(..at).unwrap_or_default(), Files::Several);
            }
            _ => {}
        }
    }
    (words, Files::One)
}

/// Returns the word that replaces `{}`: a path at or below the start.
fn file(starts: &[Word], files: Files) -> Word {
    let mut word = match starts {
        [] => Word::text("./"),
        [start] if start.known().is_some() => Word::text(format!("{}/", start.shown().trim_end_matches('/'))),
        _ => Word::default(),
    };
    word.push(Part::Unknown(each_file(files)));
    word
}

/// The unknown part that represents the files.
fn each_file(files: Files) -> UnknownPart {
    UnknownPart { why: Unknown::of(Cause::Glob, "{}", Source::Found), splits: files == Files::Several }
}

/// `fd … -x COMMAND ;`, `-X COMMAND`. Without a placeholder, the file is appended.
pub(super) fn fd(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    const MARKS: [&str; 5] = ["{}", "{/}", "{//}", "{.}", "{/.}"];
    let mut found = Vec::new();
    let mut rest = call.words.get(1..).unwrap_or_default();
    while let [word, behind @ ..] = rest {
        rest = behind;
        let attached = ["--exec-batch=", "--exec="].iter().find_map(|start| Some((start.len(), word.after(start)?)));
        let files = match word.known() {
            Some("--") => break,
            Some("-x" | "--exec") => Files::One,
            Some("-X" | "--exec-batch") => Files::Several,
            _ => match &attached {
                Some((length, _)) if *length == "--exec=".len() => Files::One,
                Some(_) => Files::Several,
                None => continue,
            },
        };
        let length = behind.iter().take_while(|word| word.known() != Some(";")).count();
        let command: Vec<Word> =
            attached.map(|(_, first)| first).into_iter().chain(behind.iter().take(length).cloned()).collect();
        rest = behind.get(length + 1..).unwrap_or_default();
        let file = Word::of(Part::Unknown(each_file(files)));
        let mut marked = command.clone();
        for mark in MARKS {
            marked = filled(&marked, mark, &file);
        }
        if marked == command {
            marked.push(file);
        }
        found.extend(What::argv(&marked).map(|what| Nested::with(what, setting)));
    }
    found
}

/// `xargs` appends its input to the command, or replaces the placeholder of `-I`, `-i` or `-J` by it. The default
/// command is `echo`.
pub(super) fn xargs(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let input = || Word::several(Unknown::of(Cause::Input, "xargs", Source::Listed));
    let tail = call.tail(0);
    let [program, arguments @ ..] = tail else {
        return vec![Nested::with(What::Argv(vec![Word::text("echo"), input()]), setting)];
    };
    // The line is one word, in place of every placeholder but one that is the program.
    let by_default = || call.has("-i").then(|| "{}".to_owned());
    let attached = || call.value("-i").map(Word::shown).filter(|mark| !mark.is_empty());
    let mark = call.value("-I").map(Word::shown).or_else(attached).or_else(by_default);
    let mut words = vec![program.clone()];
    match (mark, call.value("-J").map(Word::shown)) {
        (Some(mark), _) if !mark.is_empty() => {
            words.extend(filled(arguments, &mark, &placed(Cause::Input, &mark)));
        }
        (_, Some(mark)) => words.extend(filled(arguments, &mark, &input())),
        _ => {
            words.extend(arguments.iter().cloned());
            words.push(input());
        }
    }
    vec![Nested::with(What::Argv(words), setting)]
}

/// The most bytes of all texts together that `parallel` makes of one command; beyond it, the words are not known.
const TEXTS: usize = 64 * 1024;

/// `parallel COMMAND ::: words`: a shell runs the joined command once for each word. Without a command, the words are
/// the commands.
pub(super) fn parallel(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    if call.has("--dry-run") {
        return Vec::new();
    }
    let mut setting = setting.clone();
    if call.has_any(&["-S", "--slf"]) {
        setting.scope = Some(Scope::Remote);
    }
    let is_list = |word: &Word| matches!(word.known(), Some(":::" | "::::" | ":::+" | "::::+"));
    let tail = call.tail(0);
    let command = tail.iter().take_while(|word| !is_list(word)).count();
    let (command, lists) = tail.split_at(command);
    let given = match lists {
        [mark, words @ ..] if mark.known() == Some(":::") && !words.iter().any(is_list) => Some(words),
        _ => None,
    };
    let length: usize = command.iter().map(|word| word.shown().len() + 1).sum();
    let given = given.filter(|words| length.saturating_mul(words.len()) <= TEXTS);
    let run = |text: Word| Nested::with(What::script(text), &setting);
    let keeps_input =
        call.has("--pipe") || call.has("--pipepart") || call.is(0, &["sem"]) && call.program() == Some("sem");
    let quotes = |word: &Word| if call.has("-q") { quoted(word) } else { word.clone() };
    let command: Vec<Word> = command.iter().map(quotes).collect();
    match (command.as_slice(), given) {
        ([], Some(words)) => words.iter().cloned().map(run).collect(),
        ([], None) if lists.is_empty() && !call.has("-a") => vec![Nested::with(What::Input(Vec::new()), &setting)],
        ([], None) => vec![run(placed(Cause::Input, "parallel"))],
        (command, _) if keeps_input => vec![run(join(command))],
        (command, Some(words)) => words.iter().map(|word| run(joined(command, &quoted(word)))).collect(),
        // Its words are quoted, so no word is split.
        (command, None) => vec![run(joined(command, &placed(Cause::Input, "{}")))],
    }
}

/// Joins a command for a shell, with a word in place of the placeholders or at the end.
fn joined(command: &[Word], word: &Word) -> Word {
    const MARKS: [&str; 9] = ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}", "{4}"];
    let mut text = join(command);
    let mut is_in_force = Replaced::No;
    for mark in MARKS {
        let (replaced, found) = replace(&text, mark, word);
        if found == Replaced::Yes {
            is_in_force = Replaced::Yes;
            text = replaced;
        }
    }
    if is_in_force == Replaced::No {
        text.push(Part::Text(" ".to_owned()));
        words::append(&mut text, word);
    }
    text
}
