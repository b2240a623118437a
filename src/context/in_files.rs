//! The commands in files that a call writes, such as scripts, for rules that also apply to these.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::Path;
use std::rc::Rc;

use super::shell::STEP_UNITS;
use super::{Context, PathForm, ShellRole, ShellText};
use crate::embedded::{self, RunDirectory};
use crate::schema::tool_spec;
use hookrules_shell::{analyse, quote};

/// The maximum number of files of one call that are searched for commands.
const MAX_FILES: usize = 64;

impl Context<'_> {
    /// Makes the context in which the call runs only the commands in the files that it writes; `None` if they have
    /// none. With `below`, only files below this directory count, and their commands start there, as in a session
    /// there.
    #[must_use]
    pub fn for_written_files(&self, below: Option<&Path>) -> Option<Context<'_>> {
        let texts = self.commands_in_files(below);
        if texts.is_empty() {
            return None;
        }
        let text = texts.join("\n");
        let analysis = analyse(&text, &self.shell_start());
        self.machine.budget.take_each(STEP_UNITS, analysis.steps);
        // The commands run later or never, so they must not lead to an allow.
        let shell = ShellText::new(text, Rc::new(analysis), ShellRole::Likely);
        let mut context = self.share();
        context.commands.shell = Rc::new(OnceCell::from(Some(shell)));
        Some(context)
    }

    /// Returns a shell text for each written file with commands, which changes to the directory in which they run.
    fn commands_in_files(&self, below: Option<&Path>) -> Vec<String> {
        let mut texts = Vec::new();
        for (path, text) in self.written_texts().into_iter().take(MAX_FILES) {
            let path = self.absolute(&path, PathForm::Lexical);
            if below.is_some_and(|directory| !self.machine.is_in_directory(directory, &path)) {
                continue;
            }
            let Some((commands, run_directory)) = embedded::commands(&path, &text) else { continue };
            let directory = match run_directory {
                RunDirectory::FileDirectory => path.parent().unwrap_or(Path::new("/")),
                RunDirectory::SessionDirectory => {
                    below.or_else(|| self.machine.project()).unwrap_or_else(|| self.cwd())
                }
            };
            texts.push(format!("cd {}\n{commands}", quote(&directory.to_string_lossy())));
        }
        texts
    }

    /// Returns the files that the call writes, each with its new text, if the payload contains it.
    fn written_texts(&self) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
        let Some(name) = self.call.tool_name else { return Vec::new() };
        if self.call.shell_command().is_some() {
            let shell = self.shell_text().map(|shell| shell.analysis.written_files()).unwrap_or_default();
            let path_and_text =
                |(path, text): (std::path::PathBuf, String)| (path.to_string_lossy().into_owned().into(), text.into());
            return shell.into_iter().map(path_and_text).collect();
        }
        let paths = match tool_spec(name) {
            Some(tool) if !tool.files.iter().any(|file| file.writes) => return Vec::new(),
            _ => self.call.input_paths(),
        };
        let texts = self.call.contents();
        // If there are as many texts as files, each text belongs to one file. If not, any text may go into any file.
        if paths.len() == texts.len() {
            return paths.into_iter().zip(texts).map(|(path, text)| (path, text.into())).collect();
        }
        let with_each_text = |path: &Cow<'_, str>| {
            texts.iter().map(move |text| (path.clone().into_owned().into(), (*text).into())).collect::<Vec<_>>()
        };
        paths.iter().flat_map(with_each_text).take(MAX_FILES).collect()
    }
}
