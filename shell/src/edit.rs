//! Rewriting commands in the text that runs them: `rewrite runs "git push --force" to "git push --force-with-lease"`.
//!
//! A command is edited by the places of its words, and all around it stays as it is written. What comes out is analysed
//! again: it has to be the old text with the intended commands changed, each as intended, and nothing else. Where that
//! is not so, or a word that has to change does not stand in the text itself, there is an [`Obstacle`], never a guess.

mod align;
mod change;
mod flags;
mod place;
mod verify;

use crate::analysis::{Analysis, Simple, Start};
use crate::argv::program_name;
use crate::glob::Fit;
use crate::interpret::analyse;
use crate::pattern::{BadPattern, Pattern};
use crate::programs::Programs;
use crate::word::{Directory, Unknown, Word};
use change::Change;
use std::path::PathBuf;

/// What commands are to become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    pattern: Pattern,
    /// The new words, the program first.
    words: Vec<Word>,
    /// What a command that has been rewritten matches.
    result: Pattern,
    /// The records beside the built-in table that both are read by.
    programs: Programs,
    /// The new words are not themselves what is rewritten.
    is_final: bool,
}

/// Why a pair of texts is no edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadEdit {
    /// The first is no pattern.
    Pattern(BadPattern),
    /// The second is no command.
    Command(BadPattern),
    /// This word of the second is a glob, an alternative or a `!`: there is no one word to write.
    Choice(String),
    /// This word of the second has quotes, an escape or an expansion, which would be put in as they are.
    Syntax(String),
    /// Both are the same.
    Same,
}

/// Why a text is not edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// Why: a lowercase fragment without the word.
    pub text: &'static str,
    /// The word that it is about, as written.
    pub word: String,
    /// What could be done about it.
    pub help: Option<&'static str>,
}

impl Obstacle {
    fn new(text: &'static str, word: impl Into<String>) -> Self {
        Self { text, word: word.into(), help: None }
    }

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
    /// Reads what is rewritten, and what it becomes.
    ///
    /// # Errors
    ///
    /// The first thing in either that cannot be meant.
    pub fn new(from: &str, to: &str) -> Result<Self, BadEdit> {
        Self::with(from, to, &Programs::default())
    }

    /// Reads what is rewritten, and what it becomes, where words are read by the built-in table and by these records.
    ///
    /// # Errors
    ///
    /// The first thing in either that cannot be meant.
    pub fn with(from: &str, to: &str, programs: &Programs) -> Result<Self, BadEdit> {
        let pattern = Pattern::with(from, programs).map_err(BadEdit::Pattern)?;
        let texts: Vec<&str> = to.split_whitespace().collect();
        let has =
            |signs: &'static [char]| texts.iter().find(|text| text.contains(signs)).map(|text| (*text).to_owned());
        if let Some(word) = has(&['*', '?', '[', '|', '(', ')', '!']) {
            return Err(BadEdit::Choice(word));
        }
        let home = || texts.iter().find(|text| text.starts_with('~')).map(|text| (*text).to_owned());
        if let Some(word) = has(&['\'', '"', '\\', '$', '`']).or_else(home) {
            return Err(BadEdit::Syntax(word));
        }
        if from.split_whitespace().eq(texts.iter().copied()) {
            return Err(BadEdit::Same);
        }
        // The program may have a path here, which a pattern has not.
        let (program, rest) = texts.split_first().ok_or(BadEdit::Command(BadPattern::Empty))?;
        let base = program.rsplit('/').next().unwrap_or(program);
        let pattern_text = [base].into_iter().chain(rest.iter().copied()).collect::<Vec<_>>().join(" ");
        let result = Pattern::with(&pattern_text, programs).map_err(BadEdit::Command)?;
        let words: Vec<Word> = texts.into_iter().map(Word::text).collect();
        let is_final = pattern.runs(&alone(words.clone())) == Fit::No;
        let mut programs = pattern.programs().clone();
        programs.extend(result.programs());
        Ok(Self { pattern, words, result, programs, is_final })
    }

    /// Returns the texts that it was made of.
    #[must_use]
    pub fn texts(&self) -> (&str, String) {
        let words: Vec<&str> = self.words.iter().filter_map(Word::known).collect();
        (self.pattern.text(), words.join(" "))
    }

    /// Returns the records beside the built-in table that commands are read by, before and after.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Rewrites every command of a text that matches; `None` where there is nothing to change.
    ///
    /// # Errors
    ///
    /// Why it cannot be done: a command may match or not, does not stand in the text itself, or cannot be changed
    /// without changing another one.
    pub fn apply(&self, text: &str, analysis: &Analysis, start: &Start<'_>) -> Result<Option<String>, Obstacle> {
        let mut changes: Vec<Option<Change>> = Vec::new();
        for command in &analysis.commands {
            changes.push(self.change(analysis, command)?);
        }
        for (_, script) in analysis.scripts() {
            if self.change(analysis, script)?.is_some() {
                return Err(Obstacle::new("another program runs the script", shown(script)));
            }
        }
        for opaque in &analysis.opaque {
            if opaque.text.as_ref().is_none_or(|text| self.pattern.is_named_in(text)) {
                return Err(opaque.why.clone().into());
            }
        }
        let Some(first) = changes.iter().position(Option::is_some) else { return Ok(None) };
        let edits = place::edits(text, analysis, &changes)?;
        let edited = place::apply(text, &edits);
        if edited == text {
            return Ok(None);
        }
        let expected = place::expected(analysis, &changes, &edits);
        let is_meant = verify::is_meant(analysis, &changes, &expected, &analyse(&edited, start));
        let shown = || analysis.commands.get(first).map(shown).unwrap_or_default();
        let obstacle = || {
            Obstacle::new("the rewrite would change more than this command", shown())
                .help("write it in a line of its own")
        };
        if is_meant { Ok(Some(edited)) } else { Err(obstacle()) }
    }

    /// Tells whether some command of a text matches, or may.
    #[must_use]
    pub fn concerns(&self, analysis: &Analysis) -> bool {
        let is_named = |text: &String| self.pattern.is_named_in(text);
        let mut commands = analysis.iter().chain(analysis.scripts());
        commands.any(|(_, command)| self.pattern.runs(command) != Fit::No)
            || analysis.opaque.iter().any(|opaque| opaque.text.as_ref().is_none_or(is_named))
    }

    /// Returns what one command becomes.
    fn change(&self, analysis: &Analysis, command: &Simple) -> Result<Option<Change>, Obstacle> {
        let fit = self.pattern.runs(command);
        if fit == Fit::No || self.is_within(analysis, command) {
            return Ok(None);
        }
        match fit.and(command.doubt.clone().map_or(Fit::Yes, Fit::Maybe)) {
            Fit::No => Ok(None),
            Fit::Maybe(why) => Err(why.into()),
            Fit::Yes => change::change(self, &command.words),
        }
    }

    /// Tells whether a command is what the new words run already: `python` in `uv run python`.
    fn is_within(&self, analysis: &Analysis, command: &Simple) -> bool {
        let mut around = command.via.iter().filter_map(|id| analysis.command(*id));
        around.any(|outer| self.result.runs(outer) == Fit::Yes)
    }
}

/// Makes a command of words that nothing is known about.
fn alone(words: Vec<Word>) -> Simple {
    Simple::alone(words, Directory::Known(PathBuf::from("/")))
}

fn shown(command: &Simple) -> String {
    command.words.iter().map(Word::shown).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
