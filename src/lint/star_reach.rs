//! Finds a `*` in an `allow` that covers more than its author may think: any file, or an option that deletes or that
//! skips checks.

use super::alternatives::single_patterns;
use super::comparison::{plainest_command, visit_tests};
use super::{FindingSink, Lint, SourceTexts, never_fires};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::is_plain_runner;
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Patterns, Rule};
use crate::syntax::{format_one_or_list, string_literal};
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::files::{AccessExtent, FileAccess, Verb, all_accesses_known};
use hookrules_shell::glob::Fit;
use hookrules_shell::programs::{Arity, Program};
use hookrules_shell::{Analysis, Pattern, file_accesses};

pub(super) const LINT: Lint = Lint { codes: &[Code::STAR_FOR_ANY_FILE, Code::STAR_FOR_DELETION], check };

/// Options that delete or move what the command otherwise lists, discard work, or skip the checks of the project.
const HARMFUL_OPTIONS: &[&str] =
    &["--delete", "--remove", "--prune", "--purge", "--move", "--hard", "--mirror", "--discard-changes", "--no-verify"];

/// The subcommands of git that with `--force` lose commits or changes that nothing else has.
const FORCED: &[&str] = &["push", "checkout", "switch", "branch", "tag"];

/// The end of the path of the file outside the project that a pattern is tried with.
const SAMPLE_FILE: &str = "/.ssh/id_rsa";

/// The words that a pattern is tried with: the file after what a program searches for or does with it, or alone.
const SAMPLE_WORDS: &[&str] =
    &["--no-index x ~/.ssh/id_rsa", "~/.ssh/id_rsa", "x ~/.ssh/id_rsa", "1p ~/.ssh/id_rsa", ". ~/.ssh/id_rsa"];

/// The test that limits which files a command may read.
const FILE_LIMIT: &str = "reads outside project and not reads like [\".env\", \"*.key\"]";

/// A pattern of an `allow` whose last word is a `*` or `@looks`, and the test that it is in.
struct StarReach<'c> {
    written: &'c SourceTexts<'c>,
    rule: &'c Rule,
    test: &'c Condition,
    patterns: &'c Patterns,
    pattern: &'c Pattern,
    /// The patterns that it stands for, each without alternatives.
    singles: Vec<Pattern>,
}

/// Reports patterns in an `allow` whose `*` stands for any file, unless the rule tests the files, or for an option that
/// deletes or skips checks.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_allow {
        return;
    }
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Command(CommandTest::OnlyRuns { patterns }) = &seen.test.kind else { return };
        if seen.is_exception {
            return;
        }
        for pattern in patterns.iter() {
            let has_star = pattern.text().ends_with(" *");
            if has_star || pattern.text().ends_with(" @looks") {
                let singles = single_patterns(pattern);
                let reach = StarReach { written, rule, test: seen.test, patterns, pattern, singles };
                findings.extend(reach.deletion_finding().filter(|_| has_star));
                findings.extend(reach.any_file_finding());
            }
        }
    });
}

/// Returns the words in front of the `*` or `@looks` of a pattern.
fn front(pattern: &Pattern) -> &str {
    pattern.text().trim_end_matches(" *").trim_end_matches(" @looks")
}

/// Returns the analysis of the command that a pattern spells out, with words in place of the `*`. `None` if the pattern
/// does not allow this command.
fn approved_analysis(pattern: &Pattern, words: &str) -> Option<Analysis> {
    let analysis = never_fires::analysis(&format!("{} {words}", plainest_command(front(pattern))));
    let patterns = Patterns::new(vec![pattern.clone()]);
    (never_fires::fit(&patterns, &analysis).0 == Fit::Yes).then_some(analysis)
}

/// A command that shows a file.
struct ShownFile {
    /// The text of the command.
    command: String,
    /// The program.
    program: String,
    /// Whether all files that it reads are known, so that a test of these may hold certainly.
    are_all_known: bool,
    analysis: Analysis,
}

/// Returns the command with these words that shows `SAMPLE_FILE`, if a pattern allows it.
fn shown_file(pattern: &Pattern, words: &str) -> Option<ShownFile> {
    let analysis = approved_analysis(pattern, words)?;
    let shows = |command: &SimpleCommand| {
        // What an interpreter reads is code.
        let is_code = command.argv_with(pattern.programs()).table().is_none_or(Program::is_interpreter);
        // What else is below a path is shown by a program that only searches: git commits what it reads there.
        let searches = all_accesses_known(command);
        let is_shown = |access: &FileAccess| {
            let is_read = access.verb == Verb::Reads && (searches || access.extent == AccessExtent::PathOnly);
            is_read && access.path.known_text().is_some_and(|path| path.ends_with(SAMPLE_FILE))
        };
        !is_code && file_accesses(&analysis, command).iter().any(is_shown)
    };
    let command = analysis.commands.iter().find(|command| shows(command))?;
    let program = command.words.first()?.known_text()?.to_owned();
    let are_all_known = all_accesses_known(command);
    Some(ShownFile {
        command: format!("{} {words}", plainest_command(front(pattern))),
        program,
        are_all_known,
        analysis,
    })
}

/// Whether a command of an analysis deletes files.
fn deletes(analysis: &Analysis) -> bool {
    let is_deletion = |access: &FileAccess| access.verb == Verb::Deletes;
    analysis.commands.iter().any(|command| file_accesses(analysis, command).iter().any(is_deletion))
}

/// Returns the options that a `*` of a pattern covers and that delete, move, overwrite or skip checks.
fn harmful_options(pattern: &Pattern) -> Option<Vec<&'static str>> {
    let analysis = approved_analysis(pattern, "")?;
    let argv = analysis.commands.last()?.argv_with(pattern.programs());
    // A program without subcommands does one thing, and its options change how.
    let subcommand = argv.table().filter(|_| argv.records.len() > 1)?;
    let flags = subcommand.options.iter().filter(|option| option.arity == Arity::None);
    let by_effect = flags.filter_map(|option| option.names.first().copied());
    let deletes_anyway = deletes(&analysis);
    let deletes_by = |option: &&str| approved_analysis(pattern, option).is_some_and(|with| deletes(&with));
    let by_effect = by_effect.filter(|option| !deletes_anyway && deletes_by(option));
    // An option of the same name that takes a value is another one: `uv tree --prune PACKAGE` hides a package.
    let is_flag = |name: &str| subcommand.option(name).is_some_and(|option| option.arity == Arity::None);
    let is_reached = |option: &&str| is_flag(option) && approved_analysis(pattern, option).is_some();
    let is_forced = argv.is_program("git") && argv.subcommand().is_some_and(|name| FORCED.contains(&name));
    let options = HARMFUL_OPTIONS.iter().copied().chain(is_forced.then_some("--force"));
    let mut harmful: Vec<&str> = options.filter(is_reached).collect();
    for option in by_effect {
        if !harmful.contains(&option) {
            harmful.push(option);
        }
    }
    Some(harmful).filter(|harmful| !harmful.is_empty())
}

impl StarReach<'_> {
    /// Returns the finding about a pattern of a program that shows any file, unless the rule limits the files of this
    /// program.
    fn any_file_finding(&self) -> Option<Diagnostic> {
        let shown_by = |single: &Pattern| {
            let shown = SAMPLE_WORDS.iter().find_map(|words| shown_file(single, words));
            shown.filter(|shown| !self.limits_files_of(shown))
        };
        let (single, shown) = self.singles.iter().find_map(|single| Some((single, shown_by(single)?)))?;
        let words = front(single);
        let text = self.pattern.text();
        let end = text.rsplit(' ').next().unwrap_or_default();
        let runs = string_literal(&shown.program, "");
        let help = match (shown.are_all_known, self.are_others_known(single)) {
            (true, true) => format!("say which files: `and not {FILE_LIMIT}`"),
            (true, false) => format!(
                "say which files this program may read: `and not runs {runs} where ({})`",
                FILE_LIMIT.replace("and not", "or")
            ),
            (false, _) => format!(
                "which files it opens is not known, so name what it may get, as in `\"{words} src\"`, or say where: `and \
                 not runs {runs} where operands outside project`"
            ),
        };
        let message = format!("the `{end}` of `{text}` stands for any file");
        let label = format!("`{}` is allowed too", shown.command);
        Some(Diagnostic::new(Code::STAR_FOR_ANY_FILE, message).label(self.span(), label).help(help))
    }

    /// Whether it is known of the programs in all other patterns which files they read, so that a test of the files of
    /// the whole call may hold.
    fn are_others_known(&self, own: &Pattern) -> bool {
        let singles = self.patterns.iter().flat_map(single_patterns);
        singles.filter(|single| single.text() != own.text()).all(|single| {
            let analysis = never_fires::analysis(&plainest_command(front(&single)));
            // The operands of what `xargs` runs come from a stream.
            let is_runner = single.text().split(' ').next().is_some_and(is_plain_runner);
            !is_runner && analysis.commands.iter().all(all_accesses_known)
        })
    }

    /// Whether a test of the rule is about the files of the call, or about the files or operands of this command.
    fn limits_files_of(&self, shown: &ShownFile) -> bool {
        let matches =
            |pattern: &Pattern| shown.analysis.commands.iter().any(|command| pattern.runs(command) != Fit::No);
        let mut limits = false;
        visit_tests(self.rule, &mut |seen| {
            limits |= match &seen.test.kind {
                ConditionExpr::Touches { .. } | ConditionExpr::TouchesFilled { .. } => match seen.filtered_patterns {
                    Some(patterns) => patterns.iter().any(matches),
                    None => true,
                },
                ConditionExpr::Command(CommandTest::Runs { patterns, filter: Some(_) }) => patterns.iter().any(matches),
                _ => false,
            }
        });
        limits
    }

    /// Returns the finding about a pattern whose `*` stands for an option that deletes, moves, overwrites or skips
    /// checks.
    fn deletion_finding(&self) -> Option<Diagnostic> {
        let harmful: Vec<Option<Vec<&str>>> = self.singles.iter().map(harmful_options).collect();
        let (words, first) = self.singles.iter().zip(&harmful).find_map(|(single, options)| {
            let first = options.as_ref()?.first()?;
            Some((front(single), first))
        })?;
        let without = |(single, options): (&Pattern, &Option<Vec<&str>>)| match options {
            Some(options) => {
                let exclusions: Vec<String> = options.iter().map(|option| format!("!{option}")).collect();
                format!("{} {} *", front(single), exclusions.join(" "))
            }
            None => single.text().to_owned(),
        };
        let instead: Vec<String> = self.singles.iter().zip(&harmful).map(without).collect();
        let text = self.pattern.text();
        Some(
            Diagnostic::new(Code::STAR_FOR_DELETION, format!("the `*` of `{text}` also stands for `{first}`"))
                .label(self.span(), format!("`{words} {first}` is allowed too"))
                .help(format!("leave it out: `{}`", format_one_or_list(&instead))),
        )
    }

    fn span(&self) -> crate::span::Span {
        self.written.pattern_span(self.test, self.pattern.text()).unwrap_or(self.test.span)
    }
}
