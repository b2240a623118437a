//! Commands whose output has a known kind: `git branch --show-current` prints a branch, `mktemp` a path.

use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::SimpleCommand;
use crate::by_name::{NameTable, by_name};
use crate::prints;
use crate::word::{CommandOutput, Directory, MktempTemplate, PrintedValue, Word};

/// Returns the known properties of a command's output; `None` if the text may have replaced the program or its
/// environment.
pub(super) fn output(command: &SimpleCommand) -> Option<CommandOutput> {
    let is_plain = command.assignments.is_empty() && !command.is_shadowed;
    let new = if is_revision(&command.words) { CommandOutput::from_revision } else { CommandOutput::new };
    is_plain.then(|| new(&command.words, printed_value(command)))
}

/// The effect on a shell that evaluates the output of a program: `eval "$(brew shellenv)"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EvaluationEffect {
    /// It sets the program's own variables, or defines completions.
    Settings,
    /// It also changes where programs are found, or defines functions that replace them.
    Environment,
}

/// The record of a program whose output is known.
#[derive(Clone, Copy)]
struct PrintsRow {
    names: &'static [&'static str],
    /// The kind of output for each of these argument lists, which must match completely.
    commands: &'static [(&'static [&'static str], PrintedValue)],
    /// The beginnings of the arguments with which it prints code for a shell to evaluate, and the effect of that
    /// code.
    generates: &'static [(&'static [&'static str], EvaluationEffect)],
    /// Whether it prints only names, numbers or dates: nothing that could be a script.
    is_data: bool,
    /// A function that determines the kind of output for other arguments.
    by: Option<fn(&SimpleCommand) -> Option<PrintedValue>>,
}

// Defines `GROUPS`, the rows grouped by program.
include!(concat!(env!("OUT_DIR"), "/prints.rs"));

/// The rows by the name of the program.
static BY_NAME: NameTable<PrintsRow> = by_name!(PrintsRow, GROUPS);

fn find_row(name: &str) -> Option<&'static PrintsRow> {
    BY_NAME.find(name, |row| row.names)
}

/// Whether a program prints only names, numbers, dates and the like, which can be inserted into a script without
/// adding commands.
pub(super) fn is_data_program(name: &str) -> bool {
    find_row(name).is_some_and(|row| row.is_data)
}

/// Returns the effect of the output of a program with these arguments on a shell that evaluates it; `None` unless the
/// output is meant for that.
pub(super) fn evaluation_effect(name: &str, words: &[&str]) -> Option<EvaluationEffect> {
    let begin_with = |start: &[&str]| {
        // The program's own options may come first.
        let rest = words.iter().skip_while(|word| word.starts_with('-') && !start.contains(word));
        rest.take(start.len()).eq(start)
    };
    find_row(name)?.generates.iter().find(|(start, _)| begin_with(start)).map(|(_, effect)| *effect)
}

/// Returns the kind of output of a command; `None` if the output may be anything.
fn printed_value(command: &SimpleCommand) -> Option<PrintedValue> {
    if counts(&command.words) {
        return Some(PrintedValue::Numbers);
    }
    let words: Vec<&str> = command.words.iter().map(Word::known_text).collect::<Option<_>>()?;
    let (program, rest) = words.split_first()?;
    let row = find_row(program)?;
    let known = row.commands.iter().find(|(words, _)| *words == rest).map(|(_, prints)| prints.clone());
    known.or_else(|| row.by?(command))
}

/// Whether a command is a `seq` whose limits and step are integers, known or not: `seq 1 $n`, `seq -w 1 100`.
fn counts(words: &[Word]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    if !matches!(program.known_text(), Some("seq" | "gseq")) {
        return false;
    }
    let rest = match rest {
        [first, rest @ ..] if first.known_text() == Some("-w") => rest,
        _ => rest,
    };
    (1..=3).contains(&rest.len()) && rest.iter().all(Word::is_number)
}

/// Returns the path that `mktemp` prints, as a template with unknown letters; `None` if the arguments are unknown or
/// the template is not valid.
fn mktemp(command: &SimpleCommand) -> Option<PrintedValue> {
    let argv = command.argv();
    let has_prefix_option = argv.options_named("-t").next().is_some();
    let suffix =
        argv.options_named("--suffix").last().and_then(|given| given.value.as_ref()?.known_text()).unwrap_or_default();
    let directory_option = argv.options_named("-p").chain(argv.options_named("--tmpdir")).last();
    // `None` is the default directory for temporary files, which `-p` and `--tmpdir` mean without a value.
    let directory = match directory_option.map(|given| given.value.as_ref()) {
        Some(Some(directory)) => Some(directory.known_text()?),
        Some(None) => None,
        None if has_prefix_option => None,
        None => Some("."),
    };
    let template = match &*argv.operands {
        [] => "tmp.XXXXXXXXXX",
        [template] => template.known_text()?,
        _ => return None,
    };
    let (path, name) = template.rsplit_once('/').map_or(("", template), |(path, name)| (path, name));
    let path = if template.starts_with('/') && path.is_empty() { "/" } else { path };
    let directory = match directory {
        None if path.is_empty() => None,
        None => return None,
        Some(directory) => Some(path_below(command, directory, path)?),
    };
    let Some((before, after)) = name.rfind('X').and_then(|last| name.split_at_checked(last + 1)) else {
        // With `-t`, BSD's `mktemp` takes the prefix of a name instead of a template.
        return has_prefix_option.then(|| template_path(directory, format!("{name}."), 8, ""));
    };
    let prefix = before.trim_end_matches('X');
    let letters = before.len() - prefix.len();
    (letters >= 3).then(|| template_path(directory, prefix.to_owned(), letters, &format!("{after}{suffix}")))
}

/// Returns a path with `letters` random letters between two known texts.
fn template_path(directory: Option<PathBuf>, before: String, letters: usize, after: &str) -> PrintedValue {
    PrintedValue::FromTemplate(Arc::new(MktempTemplate { directory, before, letters, after: after.to_owned() }))
}

/// Resolves `path` against `directory`, and that against the command's directory; `None` if the result depends on an
/// unknown directory.
fn path_below(command: &SimpleCommand, directory: &str, path: &str) -> Option<PathBuf> {
    let cwd = match command.directory() {
        Directory::Known(cwd) => cwd,
        Directory::Unknown(_) if directory.starts_with('/') || path.starts_with('/') => PathBuf::from("/"),
        Directory::Unknown(_) => return None,
    };
    Some(crate::path::normalise(path, &crate::path::normalise(directory, &cwd, None), None))
}

/// Returns the kind of output of `date +FORMAT`: a plain name, for most formats.
fn date(command: &SimpleCommand) -> Option<PrintedValue> {
    match command.words.as_slice() {
        [_, format] if is_plain_date(format.known_text()?) => Some(PrintedValue::Plain),
        _ => None,
    }
}

/// Returns the kind of output of `Get-Date -Format FORMAT`: a plain name, for formats of several letters without a
/// time zone. A single letter stands for a format of the culture, which may contain slashes.
fn get_date(command: &SimpleCommand) -> Option<PrintedValue> {
    let words: Vec<&str> = command.words.iter().map(Word::known_text).collect::<Option<_>>()?;
    let is_plain = |format: &str| {
        format.len() > 1 && format.chars().all(|c| c.is_ascii_alphanumeric() && !"Kz".contains(c) || "_-".contains(c))
    };
    match words.as_slice() {
        [_, "-Format", format] if is_plain(format) => Some(PrintedValue::Plain),
        [_, "-UFormat", format] if is_plain_date(&format!("+{format}")) => Some(PrintedValue::Plain),
        _ => None,
    }
}

/// Returns the kind of output of a command that looks for one program: `which NAME`, `command -v NAME`, `type -p NAME`.
fn located_program(command: &SimpleCommand) -> Option<PrintedValue> {
    let words: Vec<&str> = command.words.iter().map(Word::known_text).collect::<Option<_>>()?;
    match words.as_slice() {
        ["which" | "gwhich", name] | ["command", "-v", name] | ["type", "-p" | "-P", name]
            if !name.contains('/') && !name.starts_with('-') =>
        {
            Some(PrintedValue::Program((*name).into()))
        }
        _ => None,
    }
}

/// Returns the kind of output of a command that lists containers or images by their names alone.
fn identifiers(command: &SimpleCommand) -> Option<PrintedValue> {
    const LISTINGS: &[&[&str]] =
        &[&["ps"], &["container", "ls"], &["container", "list"], &["compose", "ps"], &["images"], &["image", "ls"]];
    let words: Vec<&str> = command.words.iter().skip(1).map(Word::known_text).collect::<Option<_>>()?;
    let is_listing = LISTINGS.iter().any(|listing| words.starts_with(listing));
    let is_quiet = words.iter().any(|word| ["-q", "--quiet", "-aq", "-qa", "-lq", "-ql"].contains(word));
    // The whole name of an image is `sha256:` and the digits.
    let is_other =
        words.iter().any(|word| ["--format", "--no-trunc", "--digests"].iter().any(|it| word.starts_with(it)));
    (is_listing && is_quiet && !is_other).then_some(PrintedValue::Identifiers)
}

/// Returns the kind of output of a git command.
fn git(command: &SimpleCommand) -> Option<PrintedValue> {
    let (directories, words) = split_git_command(&command.words)?;
    let is_here = directories.iter().all(|directory| directory.known_text() == Some("."));
    let words: Vec<&str> = words.iter().map(Word::known_text).collect::<Option<_>>()?;
    Some(match words.as_slice() {
        ["rev-parse", "--show-toplevel"] => match command.directory() {
            Directory::Known(directory) => PrintedValue::Root(directory),
            Directory::Unknown(_) => return None,
        },
        // With `git -C`, the current branch would be that of another repository.
        ["branch", "--show-current"]
        | ["rev-parse", "--abbrev-ref", "HEAD"]
        | ["symbolic-ref", "--short", "HEAD"]
        | ["symbolic-ref", "--short", "-q", "HEAD"]
        | ["symbolic-ref", "-q", "--short", "HEAD"] => {
            return is_here.then_some(PrintedValue::Branch);
        }
        ["describe", "--tags"] => PrintedValue::Tag,
        ["merge-base", ..] => PrintedValue::Commits,
        ["rev-parse", rest @ ..] if rest.iter().all(|word| is_head(word) || ["--verify", "--short"].contains(word)) => {
            PrintedValue::Commits
        }
        ["rev-list", rest @ ..] if rest.iter().all(|word| is_limit(word) || is_head(word)) => PrintedValue::Commits,
        _ => return None,
    })
}

/// Splits the words of a git command into the directories of `-C` and the words after them; `None` for another
/// program.
fn split_git_command(words: &[Word]) -> Option<(Vec<&Word>, &[Word])> {
    let (_, mut rest) = words.split_first().filter(|(program, _)| program.known_text() == Some("git"))?;
    let mut directories = Vec::new();
    while let [option, directory, after @ ..] = rest
        && option.known_text() == Some("-C")
    {
        directories.push(directory);
        rest = after;
    }
    Some((directories, rest))
}

/// Whether a word means HEAD or one of its ancestors: `HEAD~2`, `@^`. Any other word may be the name of a file, which
/// `git rev-parse` prints unchanged.
fn is_head(word: &str) -> bool {
    let rest = word.strip_prefix("HEAD").or_else(|| word.strip_prefix('@'));
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || matches!(c, '~' | '^')))
}

/// Whether an option of `git rev-list` limits the number of commits that it prints, or prints only the number.
fn is_limit(word: &str) -> bool {
    let is_count = word.strip_prefix('-').is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()));
    is_count || ["--max-parents=0", "--max-count=1", "--count"].contains(&word)
}

/// Whether a format of `date` prints one name without slashes and dots, for any date and language. Other conversions
/// pad with blanks (`%e`), have several words (`%r`), or depend on the locale (`%x`).
fn is_plain_date(format: &str) -> bool {
    let Some(format) = format.strip_prefix('+') else { return false };
    let mut pieces = format.split('%');
    let is_literal = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "+_:-".contains(c));
    pieces.next().is_some_and(is_literal)
        && pieces.all(|piece| {
            let piece = piece.strip_prefix(['-', '0']).unwrap_or(piece);
            // `%3N` prints this many digits of a fraction of a second.
            let digits = piece.strip_prefix(|c: char| c.is_ascii_digit()).filter(|rest| rest.starts_with('N'));
            let piece = digits.unwrap_or(piece);
            piece.starts_with(DATE_SIGNS) && is_literal(piece)
        })
}

/// The conversions of `date` that consist of digits and dashes or colons only, and the time zone.
const DATE_SIGNS: &[char] = &[
    'C', 'F', 'G', 'H', 'I', 'M', 'N', 'R', 'S', 'T', 'U', 'V', 'W', 'Y', 'Z', 'd', 'g', 'j', 'm', 's', 'u', 'w', 'y',
    'z',
];

/// Whether the output of a command begins with a revision, which is not a file: `git rev-list HEAD`.
fn is_revision(words: &[Word]) -> bool {
    let Some((command, operands)) = split_git_command(words).and_then(|(_, rest)| rest.split_first()) else {
        return false;
    };
    match command.known_text() {
        Some("describe") => true,
        Some("merge-base" | "rev-list") => !operands.is_empty(),
        Some("rev-parse") => {
            !operands.is_empty() && !operands.iter().any(|word| word.known_text() == Some("--show-toplevel"))
        }
        Some("branch") => operands.first().and_then(Word::known_text) == Some("--show-current"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::analysis::StartDirectories;
    use crate::interpret::analyse;
    use crate::word::WordPart;

    /// Returns the kind of output of the substitution in the last word of a text.
    fn last(text: &str) -> String {
        let analysis = analyse(text, &StartDirectories { cwd: Path::new("/home/dev/proj"), home: None });
        let user = analysis.commands.iter().rev().find(|command| !command.in_substitution).unwrap();
        let Some(WordPart::Unknown(unknown)) = user.words.last().and_then(|word| word.parts.first()) else {
            panic!("{text}: {:?}", user.words)
        };
        match unknown.reason.source.printed_value() {
            Some(PrintedValue::Root(directory)) => format!("root of {}", directory.display()),
            Some(PrintedValue::FromTemplate(template)) => {
                let MktempTemplate { directory, before, letters, after } = &**template;
                let directory = directory.as_ref().map_or("-".into(), |directory| directory.display().to_string());
                format!("{directory} {before} {letters} {after}").trim_end().to_owned()
            }
            Some(other) => format!("{other:?}"),
            None => String::new(),
        }
    }

    #[test]
    fn a_substitution_gives_what_its_one_command_prints() {
        let rows = [
            ("rm $(git rev-parse --show-toplevel)/x", "root of /home/dev/proj"),
            // In any spelling.
            ("rm $(git  rev-parse   --show-toplevel)/x", "root of /home/dev/proj"),
            ("rm `git rev-parse --show-toplevel`/x", "root of /home/dev/proj"),
            ("rm \"$( git 'rev-parse' \"--show-toplevel\" )\"/x", "root of /home/dev/proj"),
            ("rm $(git rev-parse --show-toplevel 2>/dev/null)/x", "root of /home/dev/proj"),
            ("rm $(git -C . rev-parse --show-toplevel)/x", "root of /home/dev/proj"),
            ("rm $(git -C ../other rev-parse --show-toplevel)/x", "root of /home/dev/other"),
            ("cd /srv; rm $(git rev-parse --show-toplevel)/x", "root of /srv"),
            ("R=$(git rev-parse --show-toplevel); cd /srv; rm $R/x", "root of /home/dev/proj"),
            ("export GIT_DIR=/x; rm $(git rev-parse --show-toplevel)/x", ""),
            ("git push o $(git  branch --show-current)", "Branch"),
            ("git push o $(git -C . branch --show-current 2>/dev/null)", "Branch"),
            ("touch $(Get-Date -Format yyyyMMdd-HHmm)", "Plain"),
            ("touch $(Get-Date -Format d)", ""),
            ("touch $(Get-Date -Format HH:mm)", ""),
            ("touch $(Get-Date -UFormat %Y%m%d)", "Plain"),
            ("touch $(Get-Date)", ""),
            ("rm $(mktemp)", "TemporaryFile"),
            ("rm $(mktemp  -d)/x", "TemporaryDirectory"),
            ("rm $(mktemp /tmp/x.XXXX)", "/tmp x. 4"),
            ("rm $(mktemp -d -t x.XXXXXX)", "- x. 6"),
            ("rm $(mktemp -dt x)", "- x. 8"),
            ("rm $(mktemp x.XXXX.log)", "/home/dev/proj x. 4 .log"),
            ("cd /srv; rm $(mktemp --suffix=.c ./x-XXXX)", "/srv x- 4 .c"),
            ("rm $(mktemp -p /var/tmp)", "/var/tmp tmp. 10"),
            ("rm $(mktemp --tmpdir=/var/tmp y.XXXX)", "/var/tmp y. 4"),
            ("rm $(mktemp --tmpdir y.XXXX)", "- y. 4"),
            ("git show $(git rev-parse HEAD~1 2>/dev/null)", "Commits"),
            ("docker logs $(docker ps -q -f name=db)", "Identifiers"),
            ("docker rmi $(docker images -aq)", "Identifiers"),
            ("docker logs $(docker compose ps --quiet db)", "Identifiers"),
            ("git show $(git -C ../other rev-parse HEAD)", "Commits"),
            ("touch $(date '+%Y')", "Plain"),
            ("touch $(date +\"%Y\")", "Plain"),
            ("touch $(date +%Y-%m-%d_%H%M%S)", "Plain"),
            ("touch $(date +backup-%-d%3N)", "Plain"),
            ("touch $(date +%s%N)", "Plain"),
            ("touch $(uname  -s)", "Name"),
            ("touch $(seq 1 1000)", "Numbers"),
            ("touch $(seq -w 10 -1 1)", "Numbers"),
            ("n=$((x)); touch $(seq 1 $n)", "Numbers"),
        ];
        for (text, expected) in rows {
            assert_eq!(last(text), expected, "{text}");
        }
    }

    #[test]
    fn what_may_print_more_or_something_else_is_unknown() {
        let rows = [
            // Another program has the name.
            "git() { cat /tmp/x; }; rm $(git rev-parse --show-toplevel)/x",
            "alias git='echo'; rm $(git rev-parse --show-toplevel)/x",
            "PATH=/tmp:$PATH; rm $(git rev-parse --show-toplevel)/x",
            "rm $(./git rev-parse --show-toplevel)/x",
            "rm $(TMPDIR=/etc mktemp)",
            "rm $(mktemp /tmp/x.XX)",
            "rm $(mktemp /tmp/$X.XXXX)",
            "rm $(mktemp a.XXXX b.XXXX)",
            // With additional output.
            "rm $(git rev-parse --show-toplevel 2>&1)/x",
            "rm $(git rev-parse --show-toplevel 2>/dev/stdout)/x",
            "rm $(git rev-parse --show-toplevel; cat x)/x",
            "rm $(git rev-parse --show-toplevel | cat)/x",
            "rm $(git rev-parse --show-toplevel || cat x)/x",
            "rm $(for x in 1 2; do git rev-parse --show-toplevel; done)/x",
            "rm $(git rev-parse --show-toplevel --git-dir)/x",
            "f() { git rev-parse --show-toplevel; }; rm $(f)/x",
            // In another repository.
            "git push o $(git -C ../other branch --show-current)",
            "git push o $(GIT_DIR=x git branch --show-current)",
            "touch $(date +%D)",
            "touch $(date +%Ex)",
            "touch $(date +%-D)",
            "touch $(date +%r)",
            "touch $(date +%e)",
            "touch $(date +%n)",
            "touch $(date +%%%)",
            "touch $(date -d 'x/y' +%Y)",
            "rm $(git rev-parse $X)",
            "rm $(seq 1 $X)",
            "rm $(seq 1 0.5 3)",
            "rm $(seq -f /%g 3 1000)",
            "n=$(cat x); rm $(seq 1 $n)",
            "docker logs $(docker ps)",
            "docker logs $(docker ps -q --format {{.Names}})",
            "docker logs $(docker --context x ps -q)",
            "docker rmi $(docker images -q --no-trunc)",
            "docker logs $(docker ps -q -f $X)",
        ];
        for text in rows {
            assert_eq!(last(text), "", "{text}");
        }
    }
}
