//! Rewrites of commands in the text that runs them:
//! `rewrite runs "git push --force" to "git push --force-with-lease"`.
//!
//! A command is edited in place, word by word, and the text around it stays. The result is analysed again: it must be
//! the old text with the intended commands changed as intended, and nothing else. If it is not, or if a word to
//! change is not in the text itself, the result is an [`Obstacle`], never a guess.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::{Edit, StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let text = "cd api && npm  install # both";
//! let edit = Edit::new("npm install", "npm ci").expect("an edit");
//! let edited = edit.apply(text, &analyse(text, &start), &start).expect("no obstacle");
//! assert_eq!(edited.as_deref(), Some("cd api && npm  ci # both"));
//! ```

mod align;
mod change;
mod flags;
mod place;
mod verify;

use crate::analysis::{Analysis, SimpleCommand, StartDirectories};
use crate::argv::program_name;
use crate::glob::Fit;
use crate::interpret::analyse;
use crate::pattern::{BadPattern, Pattern};
use crate::programs::Programs;
use crate::unseen::UnseenText;
use crate::word::{Directory, Unknown, Word};
use change::CommandChange;
use std::path::PathBuf;

/// A rewrite: the pattern of the commands to change, and the new command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The pattern of the commands to change.
    pattern: Pattern,
    /// The words of the new command, the program first.
    words: Vec<Word>,
    /// The pattern that a rewritten command matches.
    result: Pattern,
    /// The records, in addition to the built-in ones, by which the old and the new command are parsed.
    programs: Programs,
    /// Whether the new command no longer matches the pattern, so that a rewritten command is not rewritten again.
    is_final: bool,
}

/// The reason why a pattern and a command are not a valid edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadEdit {
    /// The first text is not a pattern.
    Pattern(BadPattern),
    /// The second text is not a command.
    Command(BadPattern),
    /// This word of the second text is a glob, has alternatives or a `!`, so that it is not a single word to insert.
    Choice(String),
    /// This word of the second text has quotes, an escape or an expansion, which would be inserted verbatim.
    Syntax(String),
    /// Both texts are the same.
    Same,
}

/// The reason why a text cannot be edited.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Obstacle {
    /// The reason, as a lowercase fragment that does not repeat the word.
    pub text: &'static str,
    /// The word of the text that the reason concerns.
    pub word: String,
    /// Advice on how to avoid the obstacle.
    pub help: Option<&'static str>,
}

impl Obstacle {
    fn new(text: &'static str, word: impl Into<String>) -> Self {
        Self { text, word: word.into(), help: None }
    }

    /// Adds advice to the obstacle.
    fn help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }
}

impl From<Unknown> for Obstacle {
    fn from(why: Unknown) -> Self {
        Self { text: why.text(), help: why.help(), word: why.word }
    }
}

impl Edit {
    /// Parses the pattern of the commands to change, and the new command.
    ///
    /// # Errors
    ///
    /// The first error in either text.
    pub fn new(from: &str, to: &str) -> Result<Self, BadEdit> {
        Self::with_programs(from, to, &Programs::default())
    }

    /// Parses the pattern of the commands to change, and the new command; words are parsed by the built-in records
    /// and by `programs`.
    ///
    /// # Errors
    ///
    /// The first error in either text.
    pub fn with_programs(from: &str, to: &str, programs: &Programs) -> Result<Self, BadEdit> {
        let pattern = Pattern::with_programs(from, programs).map_err(BadEdit::Pattern)?;
        // A generous match finds a program in any directory.
        if let Some(program) = pattern.program_in_directory() {
            return Err(BadEdit::Pattern(BadPattern::PathAsProgram(program.to_owned())));
        }
        let texts: Vec<&str> = to.split_whitespace().collect();
        let word_with =
            |signs: &'static [char]| texts.iter().find(|text| text.contains(signs)).map(|text| (*text).to_owned());
        if let Some(word) = word_with(&['*', '?', '[', '|', '(', ')', '!']) {
            return Err(BadEdit::Choice(word));
        }
        let home_word = || texts.iter().find(|text| text.starts_with('~')).map(|text| (*text).to_owned());
        if let Some(word) = word_with(&['\'', '"', '\\', '$', '`']).or_else(home_word) {
            return Err(BadEdit::Syntax(word));
        }
        if from.split_whitespace().eq(texts.iter().copied()) {
            return Err(BadEdit::Same);
        }
        // The program may be a path here, but not in a pattern.
        let (program, rest) = texts.split_first().ok_or(BadEdit::Command(BadPattern::Empty))?;
        let base = program.rsplit('/').next().unwrap_or(program);
        let pattern_text = [base].into_iter().chain(rest.iter().copied()).collect::<Vec<_>>().join(" ");
        let result = Pattern::with_programs(&pattern_text, programs).map_err(BadEdit::Command)?;
        let words: Vec<Word> = texts.into_iter().map(Word::text).collect();
        let is_final = pattern.runs(&command_without_context(words.clone())) == Fit::No;
        let mut programs = pattern.programs().clone();
        programs.extend(result.programs());
        Ok(Self { pattern, words, result, programs, is_final })
    }

    /// Returns the source text of the pattern and the new command.
    #[must_use]
    pub fn texts(&self) -> (&str, String) {
        let words: Vec<&str> = self.words.iter().filter_map(Word::known_text).collect();
        (self.pattern.text(), words.join(" "))
    }

    /// Returns the records, in addition to the built-in ones, by which the old and the new command are parsed.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Returns a text with every matching command changed; `None` if there is nothing to change.
    ///
    /// # Errors
    ///
    /// The reason why a command cannot be changed: it is unknown whether the command matches, a word is not in the
    /// text itself, or another command would change, too.
    pub fn apply(
        &self,
        text: &str,
        analysis: &Analysis,
        start: &StartDirectories<'_>,
    ) -> Result<Option<String>, Obstacle> {
        let mut changes: Vec<Option<CommandChange>> = Vec::new();
        for command in &analysis.commands {
            changes.push(self.change(analysis, command)?);
        }
        for (_, script) in analysis.scripts() {
            if self.change(analysis, script)?.is_some() {
                return Err(Obstacle::new("another program runs the script", display_words(script)));
            }
        }
        for opaque in &analysis.opaque {
            if opaque.text.as_ref().is_none_or(|text| self.pattern.is_named_in(text)) {
                return Err(opaque.reason.clone().into());
            }
        }
        let Some(first) = changes.iter().position(Option::is_some) else { return Ok(None) };
        let edits = place::edits(text, analysis, &changes)?;
        let edited = place::apply(text, &edits);
        if edited == text {
            return Ok(None);
        }
        let expected = place::expected_words(analysis, &changes, &edits);
        let is_as_intended = verify::is_as_expected(analysis, &changes, &expected, &analyse(&edited, start));
        let shown = || analysis.commands.get(first).map(display_words).unwrap_or_default();
        let obstacle = || {
            Obstacle::new("the rewrite would change more than this command", shown())
                .help("write it in a line of its own")
        };
        if is_as_intended { Ok(Some(edited)) } else { Err(obstacle()) }
    }

    /// Whether some command of an analysed text matches the pattern or may match it.
    #[must_use]
    pub fn can_apply(&self, analysis: &Analysis) -> bool {
        let is_named = |text: &UnseenText| self.pattern.is_named_in(text);
        let mut commands = analysis.iter().chain(analysis.scripts());
        commands.any(|(_, command)| self.pattern.runs(command) != Fit::No)
            || analysis.opaque.iter().any(|opaque| opaque.text.as_ref().is_none_or(is_named))
    }

    /// Returns the change of one command; `None` if it does not match or needs no change.
    fn change(&self, analysis: &Analysis, command: &SimpleCommand) -> Result<Option<CommandChange>, Obstacle> {
        let fit = self.pattern.runs(command);
        if fit == Fit::No || self.is_run_by_new_command(analysis, command) {
            return Ok(None);
        }
        match fit.and(command.doubt.clone().map_or(Fit::Yes, Fit::Maybe)) {
            Fit::No => Ok(None),
            Fit::Maybe(why) => Err(why.into()),
            Fit::Yes => change::change(self, &command.words),
        }
    }

    /// Whether the new command already runs this command: `python` in `uv run python`, for a rewrite of `python`.
    fn is_run_by_new_command(&self, analysis: &Analysis, command: &SimpleCommand) -> bool {
        let mut around = command.outer_commands.iter().filter_map(|id| analysis.command(*id));
        around.any(|outer| self.result.runs(outer) == Fit::Yes)
    }
}

/// Returns a command of these words, without a context such as redirections or variables.
fn command_without_context(words: Vec<Word>) -> SimpleCommand {
    SimpleCommand::without_context(words, Directory::Known(PathBuf::from("/")))
}

/// Returns the words of a command for messages.
fn display_words(command: &SimpleCommand) -> String {
    command.words.iter().map(Word::display_text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
