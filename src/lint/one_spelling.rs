//! Finds guards that name a file, a branch, a script or a mode in only one of its spellings: `runs "git push origin
//! main"`, `runs "chmod 777"`.

use std::path::Path;

use super::comparison::{RuleTest, visit_tests};
use super::{FindingSink, Lint, SourceTexts, no_command};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, ConditionExpr, Patterns, PolicyValue, Rule, ValueReference, ValueTest, WhereField};
use crate::span::Span;
use crate::syntax::format_one_or_list;
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::files::{AccessCertainty, FileAccess};
use hookrules_shell::nested::is_wrapper;
use hookrules_shell::programs::program as program_record;
use hookrules_shell::{Pattern, StartDirectories, Word, analyse, file_accesses};

pub(super) const LINT: Lint = Lint { codes: &[Code::ONE_SPELLING], check };

/// The names of branches that are usually guarded. Any other word that a `git push` is compared with may also be a
/// remote.
const GUARDED_BRANCHES: &[&str] =
    &["main", "master", "trunk", "develop", "development", "staging", "production", "prod", "release"];

/// The spellings of the working directory as an operand of git.
const WORKING_DIRECTORY_SPELLINGS: &str = "[\".\", \"./\", \":/\", \"*\"]";

/// Reports patterns and operands in one spelling, in a rule that blocks.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    // In an exception, one spelling makes the guard stricter; in an `allow`, it makes the permission narrow. Neither
    // is reported.
    if !rule.can_block || rule.can_allow {
        return;
    }
    let mut found = Vec::new();
    visit_tests(rule, &mut |seen| {
        if seen.is_exception {
            return;
        }
        match &seen.test.kind {
            ConditionExpr::Command(CommandTest::Runs { patterns, filter }) => {
                let is_alone = patterns.count() == 1 && filter.is_none();
                for pattern in patterns.iter() {
                    // A pack names a part of a name on purpose.
                    let is_meant = |spelling: &OneSpelling| rule.name.contains('/') && spelling.name.contains('*');
                    let spelling = single_spelling(pattern)
                        .filter(|spelling| !is_program_of(patterns, &spelling.name) && !is_meant(spelling));
                    found.extend(spelling.map(|spelling| finding(written, rule, &seen, is_alone, pattern, spelling)));
                }
            }
            _ => found.extend(push_operand_finding(written, &seen).or_else(|| reader_operand_finding(&seen))),
        }
    });
    // Few rules have such a finding, and to list the calls that a rule selects takes longer than to look for one.
    if !found.is_empty() && !no_command::has_no_commands(rule) {
        findings.extend(found);
    }
}

/// What a pattern names in one spelling only, and the test that matches every spelling.
struct OneSpelling {
    /// The kind of thing that the pattern names: `the branch`.
    what: &'static str,
    /// The thing as the pattern names it: `main`.
    name: String,
    /// The source text of the test to write instead.
    instead: String,
    /// Whether `instead` consists of several tests, and so needs parentheses next to another test.
    is_several: bool,
}

/// Returns the finding about a pattern, with the test that matches every spelling.
fn finding(
    written: &SourceTexts<'_>,
    rule: &Rule,
    seen: &RuleTest<'_>,
    is_alone: bool,
    pattern: &Pattern,
    spelled: OneSpelling,
) -> Diagnostic {
    let OneSpelling { what, name, instead, is_several } = spelled;
    let literal_span = written.pattern_span(seen.test, pattern.text());
    let finding = message(literal_span.unwrap_or(seen.test.span), what, &name).help(format!("write `{instead}`"));
    let is_whole_condition = rule.when.as_ref().is_some_and(|when| when.span == seen.test.span);
    match literal_span.filter(|_| is_alone) {
        Some(_) if is_several && !is_whole_condition => {
            finding.fix_that_changes(seen.test.span, format!("({instead})"))
        }
        Some(_) => finding.fix_that_changes(seen.test.span, instead),
        None => finding,
    }
}

/// Returns the finding without its help; `what` is the kind of thing that is named, `name` its spelling.
fn message(at: Span, what: &str, name: &str) -> Diagnostic {
    Diagnostic::new(
        Code::ONE_SPELLING,
        super::glob_as_text::shortened(&format!("a guard that names {what} `"), name, "` in one spelling only"),
    )
    .label(at, "other spellings of it, and other commands, evade this")
}

/// Returns what a pattern names in one spelling only, with a better test; `None` if there is nothing to improve.
fn single_spelling(pattern: &Pattern) -> Option<OneSpelling> {
    let mut words: Vec<&str> = pattern.text().split_whitespace().collect();
    // A final `*` or `!*` says only whether further words may follow.
    if matches!(words.last(), Some(&("*" | "!*"))) {
        words.pop();
    }
    if let Some(spelling) = directory_option_spelling(&words) {
        return Some(spelling);
    }
    match words.first() {
        Some(&"git") => git_spelling(&words),
        Some(&"chmod") => mode_spelling(&words).or_else(|| file_spelling(&words)),
        _ => script_spelling(&words).or_else(|| wrapper_spelling(&words)).or_else(|| file_spelling(&words)),
    }
}

/// The options that name the directory in which a program works, each with the program.
const DIRECTORY_OPTIONS: &[(&str, &str)] = &[
    ("git", "-C"),
    ("make", "-C"),
    ("make", "--directory"),
    ("npm", "--prefix"),
    ("pnpm", "-C"),
    ("pnpm", "--dir"),
    ("tar", "-C"),
    ("terraform", "-chdir"),
    ("tofu", "-chdir"),
    ("yarn", "--cwd"),
];

/// Returns a better test for a pattern that names the directory by an option: `runs "git push" where cwd under "infra"`
/// for `runs "git -C infra push"`, which `cd infra` evades.
fn directory_option_spelling(words: &[&str]) -> Option<OneSpelling> {
    let program = *words.first()?;
    let is_option = |word: &str| {
        let name = word.split('=').next().unwrap_or(word);
        DIRECTORY_OPTIONS.iter().any(|(of, option)| *of == program && *option == name)
    };
    let at = words.iter().position(|word| is_option(word))?;
    let (directory, length) = match words.get(at)?.split_once('=') {
        Some((_, directory)) => (directory, 1),
        None => (*words.get(at + 1)?, 2),
    };
    let is_plain = |text: &str| !text.is_empty() && !text.contains(['*', '?', '(', '|', '!', '[', '$']);
    if !is_plain(directory) {
        return None;
    }
    let rest: Vec<&str> = words.get(..at)?.iter().chain(words.get(at + length..)?).copied().collect();
    let directory = directory.trim_end_matches('/');
    let instead = format!("runs \"{}\" where cwd under \"{directory}\"", rest.join(" "));
    Some(OneSpelling { what: "the directory", name: directory.to_owned(), instead, is_several: false })
}

/// Whether a pattern of the list begins with the program that another pattern names after a wrapper or an interpreter.
fn is_program_of(patterns: &Patterns, name: &str) -> bool {
    let programs = patterns.iter().filter_map(|other| other.text().split_whitespace().next());
    programs.flat_map(|programs| programs.trim_matches(['(', ')']).split('|')).any(|program| program == name)
}

/// Returns a better test for a script after its interpreter: `runs "train.py"` for `runs "python train.py"`. It matches
/// the script after any interpreter.
fn script_spelling(words: &[&str]) -> Option<OneSpelling> {
    let [program, script, rest @ ..] = words else { return None };
    let interpreter = program.trim_start_matches('(').split(['|', ')']).next()?.trim_end_matches('*');
    let name = script_name(script)?;
    let text = format!("{interpreter} {name}");
    let analysis = analyse(&text, &StartDirectories { cwd: Path::new("/"), home: None });
    let is_run = |(_, run): (_, &SimpleCommand)| run.words.first().and_then(Word::known_text) == Some(name);
    if interpreter.contains(['*', '?', '[']) || !analysis.scripts().any(is_run) {
        return None;
    }
    let instead = format!("runs {}", crate::syntax::string_literal(&[&[name], rest].concat().join(" "), ""));
    Some(OneSpelling { what: "the script", name: name.to_owned(), instead, is_several: false })
}

/// Returns the name of a script that a word names in any directory: `train.py` of `train.py`, `*train.py` or
/// `(x.py|*/x.py)`. `None` if the word is anything else.
fn script_name(word: &str) -> Option<&str> {
    let alternatives = word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(word).split('|');
    let mut names =
        alternatives.map(|one| one.trim_start_matches("**/").trim_start_matches("*/").trim_start_matches('*'));
    let name = names.next()?;
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let is_file = name.contains('.') && name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (is_plain && is_file && names.all(|other| other == name)).then_some(name)
}

/// Returns a better test for a command after a wrapper: `runs "rm" where via == "sudo"` for `runs "sudo rm"`, which
/// compares the words literally.
fn wrapper_spelling(words: &[&str]) -> Option<OneSpelling> {
    let (wrapper, command_words) = words.split_first()?;
    let program = *command_words.first().filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))?;
    program_record(program).filter(|_| is_wrapper(wrapper))?;
    // Only if the wrapper is a program that starts the command: `time` is a shell keyword.
    let analysis = analyse(&words.join(" "), &StartDirectories { cwd: Path::new("/"), home: None });
    let is_started = analysis.commands.first()?.words.first()?.known_text() == Some(wrapper);
    if !is_started {
        return None;
    }
    let command = command_words.join(" ");
    let instead = format!("runs \"{command}\" where via == \"{wrapper}\"");
    Some(OneSpelling { what: "the command", name: command, instead, is_several: false })
}

/// Returns a better test for the branch of a `git push`, or for `.` as the operand of some git commands.
fn git_spelling(words: &[&str]) -> Option<OneSpelling> {
    // No command contains words in brackets literally: another lint reports these. A set of letters is a wildcard.
    if words.iter().any(|word| word.starts_with('[') && (word.ends_with(']') || word.contains('<'))) {
        return None;
    }
    // The word after an option before the subcommand may be the value of the option.
    let command = *words.get(1).filter(|word| !word.starts_with(['-', '(', '!']))?;
    let after_command = words.get(2..)?;
    let operands: Vec<&str> = after_command.iter().copied().filter(|word| !word.starts_with(['-', '!'])).collect();
    let flags: Vec<&str> =
        after_command.iter().copied().filter(|word| word.starts_with(['-', '!']) && *word != "--").collect();
    let pattern = ["git", command].into_iter().chain(flags).collect::<Vec<&str>>().join(" ");
    match (command, operands.as_slice()) {
        ("push", [remote, branch]) if !remote.starts_with('(') || remote.ends_with(')') => {
            let branches = refspec_branches(branch)?;
            let target = match branches.as_slice() {
                globs if globs.iter().any(|branch| branch.contains(['*', '?', '['])) => {
                    format!("like {}", format_one_or_list(globs))
                }
                [one] => format!("== {}", crate::syntax::string_literal(one, "")),
                several => format!("in {}", format_one_or_list(several)),
            };
            let instead = format!("runs \"{pattern}\" where push_target {target}");
            Some(OneSpelling { what: "the branch", name: (*branch).to_owned(), instead, is_several: false })
        }
        ("add" | "stage", ["." | "./"]) => {
            let instead = format!(
                "runs \"git {command} --all\" or runs \"{pattern}\" where operands in {WORKING_DIRECTORY_SPELLINGS}"
            );
            Some(OneSpelling { what: "the directory", name: operands.concat(), instead, is_several: true })
        }
        ("checkout" | "restore" | "reset" | "rm" | "clean", ["." | "./"]) => {
            let instead = format!("runs \"{pattern}\" where operands in {WORKING_DIRECTORY_SPELLINGS}");
            Some(OneSpelling { what: "the directory", name: operands.concat(), instead, is_several: false })
        }
        _ => None,
    }
}

/// Whether a word is the option for a whole directory: `-r`, `-R`, `-rf`, `--recursive`.
fn is_recursive(word: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    word == "--recursive" || letters.is_some_and(|letters| letters.contains(['r', 'R']))
}

/// Returns the branches that a refspec, or a group of refspecs, names; `None` if one of them may not be a branch.
fn refspec_branches(refspec: &str) -> Option<Vec<String>> {
    let inner = refspec.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(refspec);
    let branch_of = |one: &str| {
        let target = one.rsplit_once(':').map_or(one, |(_, target)| target);
        let target = target.strip_prefix('+').unwrap_or(target);
        let short = target.strip_prefix("refs/heads/").unwrap_or(target);
        let is_branch = short.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '*' | '?' | '['))
            && short.contains(|c: char| c.is_ascii_alphabetic())
            && short != "HEAD"
            && !short.starts_with("refs/")
            && short.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./*?[]".contains(&byte));
        // A name such as `v1` is probably a tag.
        let is_tag =
            short == "tag" || short.starts_with('v') && short.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        (is_branch && !is_tag).then(|| short.to_owned())
    };
    inner.split('|').map(branch_of).collect()
}

/// Returns a pattern with the other spellings of an octal mode: `chmod (777|0777|a+rwx|…)`.
fn mode_spelling(words: &[&str]) -> Option<OneSpelling> {
    let mode_index = words.iter().skip(1).position(|word| !word.starts_with(['-', '!']))? + 1;
    let mode = *words.get(mode_index)?;
    let is_octal = mode.len() == 3 && mode.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
    if !is_octal {
        return None;
    }
    let others = match mode {
        "777" => "|a+rwx|a=rwx|ugo+rwx|+rwx",
        "666" => "|a+rw|a=rw|ugo+rw|+rw",
        _ => "",
    };
    let group = format!("({mode}|0{mode}{others})");
    let replaced =
        words.iter().enumerate().map(|(index, word)| if index == mode_index { group.as_str() } else { word });
    let instead = format!("runs \"{}\"", replaced.collect::<Vec<_>>().join(" "));
    Some(OneSpelling { what: "the mode", name: mode.to_owned(), instead, is_several: false })
}

/// Returns a better test for a file that a pattern names and that its program accesses.
fn file_spelling(words: &[&str]) -> Option<OneSpelling> {
    let pattern = FilePattern::new(words)?;
    let (file, verb) = pattern.accessed_file()?;
    let directory = file.trim_end_matches('/');
    let is_whole_directory = matches!(directory, "" | "~" | ".." | "../..") && verb != "reads";
    let test = match directory {
        _ if is_whole_directory => format!("{verb} outside [project, tmp]"),
        "." | ".." | "~" | "" => return working_directory_spelling(words, file),
        // `under` takes no wildcards.
        name if name.contains('*') && pattern.required.iter().any(|word| is_recursive(word)) => {
            format!("{verb} like {}", format_one_or_list(&[name.to_owned(), format!("{name}/**")]))
        }
        // The name of a directory with `-r` stands for everything in the directory.
        name if !looks_like_path(name) && pattern.required.iter().any(|word| is_recursive(word)) => {
            format!("{verb} under {}", crate::syntax::string_literal(name, ""))
        }
        _ => format!("{verb} like {}", crate::syntax::string_literal(file, "")),
    };
    let further_words = pattern.required.iter().filter(|word| **word != file).count();
    let instead =
        match pattern.has_one_operand() && !pattern.can_run_others() && (is_whole_directory || further_words <= 1) {
            true => test,
            false => format!("runs \"{}\" where {test}", pattern.without_file(file)),
        };
    Some(OneSpelling { what: "the file", name: file.to_owned(), instead, is_several: false })
}

/// A command pattern of literal words, one of which may be a file.
struct FilePattern<'w> {
    /// All words of the pattern.
    words: &'w [&'w str],
    /// The program, or the first of alternative programs.
    program: &'w str,
    /// The words after the program, without forbidden ones.
    required: Vec<&'w str>,
}

impl<'w> FilePattern<'w> {
    /// Returns the pattern with these words; `None` if they have wildcards other than `*`, or other special characters.
    fn new(words: &'w [&'w str]) -> Option<Self> {
        let (programs, behind) = words.split_first()?;
        let required: Vec<&str> = behind.iter().copied().filter(|word| !word.starts_with('!')).collect();
        let first = programs.trim_start_matches('(').split(['|', ')']).next().unwrap_or_default();
        let program = first.trim_end_matches('*');
        let is_plain =
            |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./~:@=+,".contains(&byte));
        // A `*` at the end or at the beginning of a name matches a part of it.
        let is_name = |word: &str| is_plain(word.strip_suffix('*').unwrap_or(word).trim_start_matches('*'));
        let is_literal = required.iter().all(|word| *word == "*" || is_name(word)) && is_plain(program);
        is_literal.then_some(Self { words, program, required })
    }

    /// Whether a word may be a file: it looks like a path, or follows a program that only deletes files.
    fn can_be_file(&self, word: &str) -> bool {
        let only_deletes = matches!(self.program, "rm" | "rmdir" | "unlink" | "shred");
        let is_name = only_deletes && word.len() > 1 && word != "*";
        !word.starts_with('-') && (looks_like_path(word) || is_name)
    }

    /// Returns the first word that the program certainly accesses as a file, with the verb of the access.
    fn accessed_file(&self) -> Option<(&'w str, &'static str)> {
        if !self.required.iter().any(|word| self.can_be_file(word)) {
            return None;
        }
        let text: Vec<&str> = [self.program].into_iter().chain(self.required.iter().copied()).collect();
        let home = Path::new("/home/user");
        let start = StartDirectories { cwd: Path::new("/home/user/project"), home: Some(home) };
        let analysis = analyse(&text.join(" ").replace('*', "x"), &start);
        let [command] = analysis.commands.as_slice() else { return None };
        let accesses = file_accesses(&analysis, command);
        // Returns the strongest certain access to a file.
        let verb = |file: &str| {
            let is_of_file = |access: &&FileAccess| {
                let path = access.path.known_text();
                let file = &*file.replace('*', "x");
                let at_home = file.strip_prefix('~').map(|rest| format!("/home/user{rest}"));
                let is_same_path = path == Some(file) || path.is_some() && path == at_home.as_deref();
                is_same_path && matches!(access.certainty, AccessCertainty::Certain)
            };
            accesses.iter().filter(is_of_file).map(|access| access.verb).max()
        };
        let mut files = self.required.iter().filter(|word| self.can_be_file(word));
        files.find_map(|word| Some((*word, verb(word)?.word())))
    }

    fn has_one_operand(&self) -> bool {
        self.required.iter().filter(|word| !word.starts_with('-')).count() == 1
    }

    /// Whether the program is an interpreter or has subcommands, and so may do different things with the file.
    fn can_run_others(&self) -> bool {
        program_record(self.program).is_some_and(|it| it.is_interpreter() || !it.commands.is_empty())
    }

    /// Returns the words of the pattern without a file. If operands follow the file, a `*` replaces it.
    fn without_file(&self, file: &str) -> String {
        let is_last = self.required.iter().rfind(|word| !word.starts_with('-')) == Some(&file);
        let is_interpreter = program_record(self.program).is_some_and(|it| it.is_interpreter());
        let mut is_after_file = false;
        let mut rest = Vec::new();
        for word in self.words.iter().copied() {
            is_after_file |= word == file;
            // An option after a script is an option of the script.
            let is_left_out =
                if word == file { is_last } else { is_interpreter && is_after_file && word.starts_with('-') };
            if !is_left_out {
                rest.push(if word == file { "*" } else { word });
            }
        }
        rest.join(" ")
    }
}

fn looks_like_path(word: &str) -> bool {
    word.contains(['/', '.', '~']) && !word.contains("://")
}

/// Returns a better test for a pattern with `.` as an operand; `None` for any other directory.
fn working_directory_spelling(words: &[&str], file: &str) -> Option<OneSpelling> {
    let rest: Vec<&str> = words.iter().copied().filter(|word| *word != file).collect();
    let spellings = match file.trim_end_matches('/') {
        "." => "[\".\", \"./\", \"*\", \"./*\"]",
        _ => return None,
    };
    let instead = format!("runs \"{}\" where operands in {spellings}", rest.join(" "));
    Some(OneSpelling { what: "the directory", name: file.to_owned(), instead, is_several: false })
}

/// Returns the finding about a guarded branch among the operands of a push:
/// `runs "git push" where operands == "main"`.
fn push_operand_finding(written: &SourceTexts<'_>, seen: &RuleTest<'_>) -> Option<Diagnostic> {
    let ConditionExpr::Compare {
        source: ValueReference::Where(WhereField::Operands | WhereField::Operand(_) | WhereField::Args),
        negated: false,
        test,
        ..
    } = &seen.test.kind
    else {
        return None;
    };
    if !seen.filtered_patterns.is_some_and(is_push) {
        return None;
    }
    let texts: Vec<&str> = match test {
        ValueTest::Equal(value) | ValueTest::Contains(value) | ValueTest::EndsWith(value) => {
            value.as_text().into_iter().collect()
        }
        ValueTest::In(values) => values.iter().map(PolicyValue::as_text).collect::<Option<_>>()?,
        ValueTest::LikeText(globs) => globs.patterns().collect(),
        _ => return None,
    };
    let guarded_branch = |text: &&str| {
        let name = text.trim_matches('*').rsplit([':', '/']).next().unwrap_or_default();
        GUARDED_BRANCHES.contains(&name).then(|| name.to_owned())
    };
    let names = texts.iter().map(guarded_branch).collect::<Option<Vec<String>>>()?;
    let instead = match (test, names.as_slice()) {
        (ValueTest::Equal(_) | ValueTest::In(_), _) => {
            let comparison = written.comparison(seen.test)?;
            format!("push_target {}", written.text(comparison.operator_and_value_span()))
        }
        (_, [one]) => format!("push_target == {}", crate::syntax::string_literal(one, "")),
        (_, several) => format!("push_target in {}", format_one_or_list(several)),
    };
    let finding = message(seen.test.span, "the branch", names.first()?);
    let is_short = !instead.contains('\n') && instead.len() <= 60;
    let help = if is_short { format!("write `{instead}`") } else { "test `push_target`".to_owned() };
    Some(finding.help(help).fix_that_changes(seen.test.span, instead))
}

/// Returns the finding about a file among the operands of a program that reads them as files: `runs "cat" where
/// operands == ".env"`.
fn reader_operand_finding(seen: &RuleTest<'_>) -> Option<Diagnostic> {
    let ConditionExpr::Compare {
        source: ValueReference::Where(WhereField::Operands | WhereField::Operand(_)),
        negated: false,
        all: false,
        test,
    } = &seen.test.kind
    else {
        return None;
    };
    let ValueTest::Equal(value) = test else { return None };
    let file = value.as_text()?;
    let is_read = |pattern: &Pattern| {
        let words: Vec<&str> = pattern.text().split_whitespace().chain([file]).collect();
        file_spelling(&words).is_some_and(|spelled| spelled.name == file && spelled.instead.starts_with("reads "))
    };
    if !seen.filtered_patterns?.iter().all(is_read) {
        return None;
    }
    let instead = format!("reads like {}", crate::syntax::string_literal(file, ""));
    Some(
        message(seen.test.span, "the file", file).help(format!("test the files, whatever the command is: `{instead}`")),
    )
}

fn is_push(patterns: &Patterns) -> bool {
    let mut patterns_words = patterns.iter().map(|pattern| pattern.text().split_whitespace());
    patterns_words.all(|mut words| words.next() == Some("git") && words.next() == Some("push"))
}
