//! Finds the files that the commands of a policy name: in the words of an argv, of a shell text and of nested
//! commands.
//!
//! A superfluous path is harmless, because only existing files are pinned. So every word that could be a path counts,
//! except for files that a command only writes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::loaded::FileLoads;
use crate::ruleset::{ArgvWord, DerivedField, RunCommand, RunSpec, Template, TemplatePart, ValueReference};
use crate::shell_text::TemplatePiece;
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::files::Verb;
use hookrules_shell::interpret::analyse_with;
use hookrules_shell::path::{contains, normalise};
use hookrules_shell::word::Directory;
use hookrules_shell::{Analysis, StartDirectories, Word, file_accesses, quote};

/// The maximum number of paths that the commands of a policy may name.
const MAX_NAMES: usize = 512;

/// The maximum length of a word that is treated as a path, in bytes.
const MAX_PATH: usize = 4_096;

/// The shell variable that replaces the project's directory in a command.
const PROJECT_VARIABLE: &str = "RULES_PROJECT";
/// The shell variable that replaces a value that only an event has.
const VALUE_VARIABLE: &str = "RULES_VALUE";

/// The limit on the work of searching for names, in steps of the shell analysis and bytes of words: about a fifth of
/// a second.
const MAX_WORK: usize = 4_000_000;

/// The paths that the commands of a policy name.
pub(super) struct NamedPaths<'n> {
    /// The project directory.
    project: &'n Path,
    /// The root of the project's policy, which contains all paths that count.
    root: &'n Path,
    home: Option<&'n Path>,
    /// The work that may still be done.
    work_left: usize,
    /// The named paths that are in the project.
    pub(super) found: BTreeSet<PathBuf>,
    /// The files that the commands load without naming them.
    pub(super) loads: FileLoads,
}

impl<'n> NamedPaths<'n> {
    /// Creates an empty collection for a project directory and the root of its policy.
    pub(super) fn new(project: &'n Path, root: &'n Path, home: Option<&'n Path>) -> Self {
        Self { project, root, home, work_left: MAX_WORK, found: BTreeSet::new(), loads: FileLoads::default() }
    }

    /// Returns why the search was incomplete; `None` if it was complete.
    pub(super) fn problem(&self) -> Option<String> {
        if self.found.len() > MAX_NAMES {
            return Some(format!("its commands name more than {MAX_NAMES} paths"));
        }
        (self.work_left == 0).then(|| "its commands are too much to be looked through".to_owned())
    }

    /// Adds the paths that a command of the policy names.
    pub(super) fn add(&mut self, spec: &RunSpec) {
        let (project, home) = (self.project, self.home);
        let literal = |template: &Template| project_path_text(template, project);
        let cwd = spec.cwd.as_ref().and_then(literal).map(|cwd| normalise(&cwd, project, home));
        let cwd = cwd.as_deref().unwrap_or(project);
        let script = match &spec.command {
            RunCommand::Shell(template, sources) => {
                let piece = |piece: &TemplatePiece| match piece {
                    TemplatePiece::Literal(literal) => literal.clone(),
                    TemplatePiece::Value { placeholder, quoted, .. } => {
                        let quote = if *quoted { "" } else { "\"" };
                        format!("{quote}${{{}}}{quote}", sources.get(*placeholder).map_or(VALUE_VARIABLE, variable))
                    }
                };
                template.pieces.iter().map(piece).collect()
            }
            RunCommand::Argv(words) => words.iter().map(shell_word).collect::<Vec<_>>().join(" "),
        };
        let known_variable = |(name, value): (&String, &Template)| Some((name.clone(), literal(value)?));
        let environment: Vec<(String, String)> = spec.env.iter().filter_map(known_variable).collect();
        self.add_script_paths(&script, cwd, &environment);
        for (_, text) in &environment {
            self.add_word_paths(text, cwd, &BTreeSet::new());
            self.add_piece_paths(text, cwd, &BTreeSet::new());
        }
    }

    /// Deducts work from the limit, and returns whether more may be done.
    fn charge_work(&mut self, work: usize) -> bool {
        self.work_left = self.work_left.saturating_sub(work);
        self.work_left > 0 && self.found.len() <= MAX_NAMES
    }

    /// Adds the paths that a shell text names, and the files that its commands load.
    fn add_script_paths(&mut self, script: &str, cwd: &Path, environment: &[(String, String)]) {
        if !self.charge_work(script.len()) {
            return;
        }
        let project = self.project.to_str().map(str::to_owned);
        let variables = environment.iter().map(|(name, value)| (name.as_str(), Some(value.clone())));
        // A project directory whose name is not UTF-8 is unknown.
        let variables = variables.chain(project.map(|project| (PROJECT_VARIABLE, Some(project))));
        let analysis = analyse_with(script, &StartDirectories { cwd, home: self.home }, &variables.collect::<Vec<_>>());
        if !self.charge_work(analysis.steps) {
            return;
        }
        self.loads.add_all(&analysis, cwd, cwd, self.home);
        let base = |command: &SimpleCommand| match &command.cwd {
            Directory::Known(path) => path.clone(),
            Directory::Unknown(_) => cwd.to_path_buf(),
        };
        let outputs = |command: &SimpleCommand| outputs(&analysis, command, &base(command), self.home);
        let outputs: Vec<BTreeSet<PathBuf>> = analysis.iter().map(|(_, command)| outputs(command)).collect();
        let all_outputs: BTreeSet<PathBuf> = outputs.iter().flatten().cloned().collect();
        for ((_, command), own_outputs) in analysis.iter().zip(&outputs) {
            if !self.charge_work(1) {
                return;
            }
            let cwd = &base(command);
            for (at, word) in command.words.iter().filter_map(Word::known_text).enumerate() {
                // A program without a slash is searched in `PATH`, not in the project.
                if at > 0 || word.contains('/') {
                    self.add_word_paths(word, cwd, own_outputs);
                }
                // The word may be code in another language.
                self.add_piece_paths(word, cwd, &all_outputs);
            }
            let set = command.assignments.iter().chain(&command.environment);
            let values = set.filter_map(|set| set.value.as_ref());
            let targets = command.redirects.iter().map(|redirect| &*redirect.target);
            for word in values.chain(targets).filter_map(Word::known_text) {
                self.add_word_paths(word, cwd, own_outputs);
                self.add_piece_paths(word, cwd, &all_outputs);
            }
        }
        // The whole text is also searched, for parts that the analysis does not follow.
        self.add_piece_paths(script, cwd, &all_outputs);
    }

    /// Adds the paths that a word could be as a whole, or after its `=`.
    fn add_word_paths(&mut self, word: &str, cwd: &Path, outputs: &BTreeSet<PathBuf>) {
        self.add_path(word, cwd, outputs);
        if let Some((_, value)) = word.split_once('=') {
            self.add_path(value, cwd, outputs);
        }
    }

    /// Adds the pieces of a text that look like paths.
    fn add_piece_paths(&mut self, text: &str, cwd: &Path, outputs: &BTreeSet<PathBuf>) {
        if !self.charge_work(text.len()) {
            return;
        }
        let is_separator = |c: char| c.is_whitespace() || "'\"`;|&()<>{}[],:$=\\".contains(c);
        for piece in text.split(is_separator).filter(|piece| piece.contains(['/', '.'])) {
            self.add_path(piece, cwd, outputs);
        }
    }

    /// Adds a path, if it is in the project and not one of `outputs`, the files that the command only writes.
    fn add_path(&mut self, text: &str, cwd: &Path, outputs: &BTreeSet<PathBuf>) {
        let is_path = !text.is_empty() && text.len() <= MAX_PATH && !text.starts_with('-') && !text.contains('\0');
        if !is_path || !self.charge_work(text.len()) {
            return;
        }
        let path = normalise(text, cwd, self.home);
        if path != self.root && contains(self.root, &path) && !outputs.contains(&path) {
            self.found.insert(path);
        }
    }
}

/// Returns the files that a command only creates, changes or removes. They are not part of the policy.
fn outputs(analysis: &Analysis, command: &SimpleCommand, cwd: &Path, home: Option<&Path>) -> BTreeSet<PathBuf> {
    let (mut written, mut read) = (BTreeSet::new(), BTreeSet::new());
    for access in file_accesses(analysis, command) {
        let Some(path) = access.path.known_text() else { continue };
        let paths = if access.verb == Verb::Reads { &mut read } else { &mut written };
        paths.insert(normalise(path, cwd, home));
    }
    written.retain(|path| !read.contains(path));
    written
}

/// Returns the text of a template whose only placeholders stand for the project's directory; `None` for any other
/// template.
fn project_path_text(template: &Template, project: &Path) -> Option<String> {
    let text = |part: &TemplatePart| match part {
        TemplatePart::Text(text) => Some(text.clone()),
        TemplatePart::Value(ValueReference::Derived(DerivedField::Project)) => project.to_str().map(str::to_owned),
        TemplatePart::Value(_) | TemplatePart::Component(_) => None,
    };
    template.parts.iter().map(text).collect()
}

/// Returns the shell variable that replaces a value.
fn variable(source: &ValueReference) -> &'static str {
    if matches!(source, ValueReference::Derived(DerivedField::Project)) { PROJECT_VARIABLE } else { VALUE_VARIABLE }
}

/// Returns a word of an argv as shell text.
fn shell_word(word: &ArgvWord) -> String {
    let value = |source: &ValueReference| format!("\"${{{}}}\"", variable(source));
    let template = match word {
        ArgvWord::Text(template) => template,
        ArgvWord::Values(source) => return value(source),
    };
    let part = |part: &TemplatePart| match part {
        TemplatePart::Text(text) => quote(text),
        TemplatePart::Value(source) | TemplatePart::Component(source) => value(source),
    };
    let word: String = template.parts.iter().map(part).collect();
    if word.is_empty() { "''".to_owned() } else { word }
}
