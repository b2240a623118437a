//! Finds a pattern of `only runs` that spells out a command, and yet does not hold for this very command: what it runs
//! is not seen, or needs a pattern of its own. The help is tried before it is given.

use std::path::{Path, PathBuf};

use super::glob_as_text::shortened;
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::text_fit;
use crate::ruleset::Patterns;
use crate::span::Span;
use crate::syntax::format_one_or_list;
use hookrules_shell::analysis::CommandId;
use hookrules_shell::glob::Fit;
use hookrules_shell::path::Roots;
use hookrules_shell::{Analysis, Pattern, StartDirectories, Word, analyse};

/// The project in which commands are tried, and their working directory.
pub(super) const PROJECT: &str = "/home/user/project";

/// The maximum number of patterns that the help adds for what a command runs.
const MAX_ADDED: usize = 4;

/// Analyses a command in a fixed working and home directory.
pub(super) fn analysis(command: &str) -> Analysis {
    analyse(command, &StartDirectories { cwd: Path::new(PROJECT), home: Some(Path::new("/home/user")) })
}

/// Tests a command by patterns of `only runs`, and also returns the first command that keeps them from holding.
pub(super) fn fit(patterns: &Patterns, analysis: &Analysis) -> (Fit, Option<CommandId>) {
    let roots = Roots { project: Some(PathBuf::from(PROJECT)), ..Roots::default() };
    let tried = text_fit(patterns, analysis, &roots);
    (tried.fit, tried.misfit)
}

/// Whether patterns of `only runs` hold for a command.
pub(super) fn approves(patterns: &[&str], like: &Pattern, command: &str) -> bool {
    let parsed = patterns.iter().map(|text| Pattern::with_programs(text, like.programs()).ok());
    let parsed: Option<Vec<Pattern>> = parsed.collect();
    parsed.is_some_and(|patterns| fit(&Patterns::new(patterns), &analysis(command)).0 == Fit::Yes)
}

/// Returns the finding about a pattern, in a list of patterns, that does not hold for the command that it spells out;
/// `None` if it holds, or does not spell out a command.
pub(super) fn finding(patterns: &Patterns, pattern: &Pattern, command: &str, place: Span) -> Option<Diagnostic> {
    if !pattern.is_spelled_out() || pattern.is_universal() {
        return None;
    }
    let analysis = analysis(command);
    let (result, misfit) = fit(patterns, &analysis);
    if result == Fit::Yes {
        return None;
    }
    let inner = misfit.and_then(|id| analysis.command(id)).filter(|command| !command.outer_commands.is_empty());
    let label = match (inner, &result) {
        (Some(inner), _) => format!("it runs {} too, which no pattern names", shortened_words(&inner.words)),
        _ if analysis.commands.is_empty() => "a shell runs no command here".to_owned(),
        (None, Fit::Maybe(why)) => format!("nobody knows what it runs: `{}`", why.word),
        (None, _) => "it is not known what it runs".to_owned(),
    };
    Some(
        Diagnostic::new(Code::DEAD_PATTERN, shortened("`only runs \"", pattern.text(), "\"` never holds"))
            .label(place, label)
            .help(help(pattern, command, &analysis)),
    )
}

/// Returns a help that leads to a rule that holds: the patterns that are missing, if these are enough.
fn help(pattern: &Pattern, command: &str, analysis: &Analysis) -> String {
    let mut texts = vec![pattern.text().to_owned()];
    for inner in analysis.commands.iter().skip(1).take(MAX_ADDED) {
        texts.extend(inner.words.iter().map(Word::known_text).collect::<Option<Vec<_>>>().map(|words| words.join(" ")));
        let known: Vec<&str> = texts.iter().map(String::as_str).collect();
        if approves(&known, pattern, command) {
            return format!("name what it runs, too: `only runs {}`", format_one_or_list(&texts));
        }
    }
    script_help(pattern)
}

/// Returns the help for a pattern if no other pattern approves what it is about.
pub(super) fn script_help(pattern: &Pattern) -> String {
    let name = pattern.text().split_whitespace().next().unwrap_or_default();
    let base = name.rsplit('/').next().unwrap_or(name).split(|c: char| !(c.is_alphanumeric() || "._-+".contains(c)));
    let base = base.into_iter().find(|name| !name.is_empty()).unwrap_or("run");
    format!(
        "no pattern approves this command: write it into a script of the project, and approve that by its path, \
         `\"./scripts/{base}.sh\"`"
    )
}

/// Returns the words of a command for a label.
fn shortened_words(words: &[Word]) -> String {
    let words: Vec<String> = words.iter().map(Word::display_text).collect();
    shortened("`", &words.join(" "), "`")
}
