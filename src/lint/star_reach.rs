//! Finds a `*` in an `allow` that covers more than its author may think: any file, or an option that deletes.

use std::path::Path;

use super::comparison::{self, visit_tests};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Rule};
use hookrules_shell::files::{AccessExtent, FileAccess, Verb, all_accesses_known};
use hookrules_shell::glob::Fit;
use hookrules_shell::path::Roots;
use hookrules_shell::programs::{Arity, Program};
use hookrules_shell::{Analysis, Pattern, StartDirectories, analyse, file_accesses};

pub(super) const LINT: Lint = Lint { codes: &[Code::STAR_FOR_ANY_FILE, Code::STAR_FOR_DELETION], check };

/// Options that delete or move what the command otherwise lists, or discard work.
const HARMFUL_OPTIONS: &[&str] =
    &["--delete", "--remove", "--prune", "--purge", "--move", "--hard", "--mirror", "--discard-changes"];

/// The subcommands of git that with `--force` lose commits or changes that nothing else has.
const FORCED: &[&str] = &["push", "checkout", "switch", "branch", "tag"];

/// The file name that a pattern is tried with.
const SAMPLE_FILE: &str = "first-file";

/// The words that a pattern is tried with: a file alone, or after what a program searches for or does with it.
const SAMPLE_WORDS: &[&str] =
    &["first-file", "x first-file", "1p first-file", ". first-file", "--no-index x first-file"];

/// A pattern of an `allow` whose last word is a `*`, and the test that it is in.
struct StarReach<'c> {
    written: &'c SourceTexts<'c>,
    test: &'c Condition,
    pattern: &'c Pattern,
    /// The pattern for the command that a runner runs (`git *` of `rtk git *`), or the pattern itself.
    inner: &'c Pattern,
}

/// Reports patterns in an `allow` whose `*` stands for any file, in a rule that tests no files, or for an option that
/// deletes.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_allow {
        return;
    }
    let mut tests_files = false;
    visit_tests(rule, &mut |seen| tests_files |= is_about_files(&seen.test.kind));
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Command(CommandTest::OnlyRuns { patterns }) = &seen.test.kind else { return };
        if seen.is_exception {
            return;
        }
        for pattern in patterns.iter().filter(|pattern| pattern.text().ends_with(" *")) {
            let inner = comparison::pattern_of_inner(pattern);
            let reach = StarReach { written, test: seen.test, pattern, inner: inner.as_ref().unwrap_or(pattern) };
            findings.extend(reach.deletion_finding());
            if !tests_files {
                let shown = SAMPLE_WORDS.iter().find_map(|words| files_shown(reach.inner, words));
                findings.extend(shown.map(|shown| reach.any_file_finding(shown)));
            }
        }
    });
}

/// Whether a test is about the files of a call, or about the operands of a command.
fn is_about_files(test: &ConditionExpr) -> bool {
    match test {
        ConditionExpr::Touches { .. } | ConditionExpr::TouchesFilled { .. } => true,
        ConditionExpr::Command(CommandTest::Runs { filter, .. }) => filter.is_some(),
        _ => false,
    }
}

/// Returns the analysis of the command that a pattern spells out, with a word in place of the `*`. `None` if the
/// pattern does not allow this command, or if the text runs more than one.
fn approved_analysis(pattern: &Pattern, word: &str) -> Option<Analysis> {
    let text = format!("{} {word}", comparison::plainest_command(pattern.text().trim_end_matches(" *")));
    let analysis = analyse(&text, &StartDirectories { cwd: Path::new("/"), home: None });
    let [command] = analysis.commands.as_slice() else { return None };
    (pattern.runs_only(command, &Roots::default()) == Fit::Yes).then_some(analysis)
}

/// Which files a command shows that is given one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShownFiles {
    /// That one.
    Named,
    /// That one, and others that are not known, so that a test of what it reads never holds certainly.
    NotAllKnown,
}

/// Returns which files a command with these words shows if a pattern allows it; `None` if it does not show
/// `SAMPLE_FILE`.
fn files_shown(pattern: &Pattern, words: &str) -> Option<ShownFiles> {
    let analysis = approved_analysis(pattern, words)?;
    let command = analysis.commands.first()?;
    // What an interpreter reads is code.
    let is_code = command.argv_with(pattern.programs()).table().is_none_or(Program::is_interpreter);
    let is_shown = |access: &FileAccess| {
        let is_file = access.verb == Verb::Reads && access.extent == AccessExtent::PathOnly;
        is_file && access.path.known_text().is_some_and(|path| path.ends_with(SAMPLE_FILE))
    };
    let shows = !is_code && file_accesses(&analysis, command).iter().any(is_shown);
    shows.then(|| if all_accesses_known(command) { ShownFiles::Named } else { ShownFiles::NotAllKnown })
}

/// Whether the first command of an analysis deletes files.
fn deletes(analysis: &Analysis) -> bool {
    let mut commands = analysis.commands.first().into_iter();
    commands.any(|command| file_accesses(analysis, command).iter().any(|access| access.verb == Verb::Deletes))
}

impl StarReach<'_> {
    /// Returns the finding about a pattern of a program that shows any file.
    fn any_file_finding(&self, shown: ShownFiles) -> Diagnostic {
        let words = self.pattern.text().trim_end_matches(" *");
        Diagnostic::new(Code::STAR_FOR_ANY_FILE, format!("the `*` of `{}` stands for any file", self.pattern.text()))
            .label(self.span(), format!("`{words} ~/.ssh/id_rsa` is allowed too"))
            .help(match shown {
                ShownFiles::Named => {
                    "say which files: `and not reads outside project and not reads like [\".env\", \"*.key\"]`".to_owned()
                }
                ShownFiles::NotAllKnown => format!(
                    "which files it opens is not known, so name what it may get, as in `\"{words} src\"`, or accept any \
                     file: `@allow({}, \"…\")` above the rule",
                    Code::STAR_FOR_ANY_FILE.name
                ),
            })
    }

    /// Returns the finding about a pattern whose `*` stands for an option that deletes.
    fn deletion_finding(&self) -> Option<Diagnostic> {
        let analysis = approved_analysis(self.inner, "")?;
        let argv = analysis.commands.first()?.argv_with(self.inner.programs());
        // A program without subcommands does one thing, and its options change how.
        let subcommand = argv.table().filter(|_| argv.records.len() > 1)?;
        let flags = subcommand.options.iter().filter(|option| option.arity == Arity::None);
        let by_effect = flags.filter_map(|option| option.names.first().copied());
        let deletes_by = |option: &&str| approved_analysis(self.inner, option).is_some_and(|with| deletes(&with));
        let deletes_anyway = deletes(&analysis);
        let by_effect = by_effect.filter(|option| !deletes_anyway && deletes_by(option));
        let is_reached =
            |option: &&str| subcommand.option(option).is_some() && approved_analysis(self.inner, option).is_some();
        let is_forced = argv.is_program("git") && argv.subcommand().is_some_and(|name| FORCED.contains(&name));
        let options = HARMFUL_OPTIONS.iter().copied().chain(is_forced.then_some("--force"));
        let mut harmful_options: Vec<&str> = options.filter(is_reached).collect();
        for option in by_effect {
            if !harmful_options.contains(&option) {
                harmful_options.push(option);
            }
        }
        let first = harmful_options.first()?;
        let exclusions: Vec<String> = harmful_options.iter().map(|option| format!("!{option}")).collect();
        let text = self.pattern.text();
        let words = text.trim_end_matches(" *");
        Some(
            Diagnostic::new(Code::STAR_FOR_DELETION, format!("the `*` of `{text}` also stands for `{first}`"))
                .label(self.span(), format!("`{words} {first}` is allowed too"))
                .help(format!("leave it out: `\"{words} {} *\"`", exclusions.join(" "))),
        )
    }

    fn span(&self) -> crate::span::Span {
        self.written.pattern_span(self.test, self.pattern.text()).unwrap_or(self.test.span)
    }
}
