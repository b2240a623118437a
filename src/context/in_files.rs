//! The commands in files that a call writes, for rules that also apply to these.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::Path;
use std::rc::Rc;

use super::shell::STEP;
use super::{Context, PathForm, ShellRole, ShellText};
use crate::embedded::{self, RunDirectory};
use crate::schema::tool_spec;
use hookrules_shell::{analyse, quote};

/// The most files of one call that are searched for commands.
const FILES: usize = 64;

impl Context<'_> {
    /// Makes the context in which the call runs only the commands in the files that it writes; `None` if there are no
    /// such commands. With a directory, only the files below it count, as in a session there.
    #[must_use]
    pub fn for_written_files(&self, below: Option<&Path>) -> Option<Context<'_>> {
        let texts = self.commands_in_files(below);
        if texts.is_empty() {
            return None;
        }
        let text = texts.join("\n");
        let analysis = analyse(&text, &self.shell_start());
        self.machine.budget.take_each(STEP, analysis.steps);
        // The commands run later or never, so they can only count against the call.
        let shell = ShellText::new(text, Rc::new(analysis), ShellRole::Likely);
        let mut context = self.share();
        context.commands.shell = Rc::new(OnceCell::from(Some(shell)));
        Some(context)
    }

    /// Returns, for each written file with commands, a shell text that enters the right directory and runs the
    /// commands.
    fn commands_in_files(&self, below: Option<&Path>) -> Vec<String> {
        let mut found = Vec::new();
        for (path, text) in self.written_texts().into_iter().take(FILES) {
            let path = self.absolute(&path, PathForm::Lexical);
            if below.is_some_and(|directory| !self.machine.is_in_directory(directory, &path)) {
                continue;
            }
            let Some((commands, place)) = embedded::commands(&path, &text) else { continue };
            let directory = match place {
                RunDirectory::FileDirectory => path.parent().unwrap_or(Path::new("/")),
                RunDirectory::SessionDirectory => {
                    below.or_else(|| self.machine.project()).unwrap_or_else(|| self.cwd())
                }
            };
            found.push(format!("cd {}\n{commands}", quote(&directory.to_string_lossy())));
        }
        found
    }

    /// Returns the files that the call writes, each with the new text, as far as the payload contains it.
    fn written_texts(&self) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
        let Some(name) = self.call.tool_name else { return Vec::new() };
        if self.call.shell_command().is_some() {
            let shell = self.shell_text().map(|shell| shell.analysis.written_files()).unwrap_or_default();
            let named =
                |(path, text): (std::path::PathBuf, String)| (path.to_string_lossy().into_owned().into(), text.into());
            return shell.into_iter().map(named).collect();
        }
        let paths = match tool_spec(name) {
            Some(tool) if !tool.files.iter().any(|file| file.writes) => return Vec::new(),
            _ => self.call.input_paths(),
        };
        let texts = self.call.contents();
        // If there are as many texts as files, each text belongs to one file; if not, any text may go into any file.
        if paths.len() == texts.len() {
            return paths.into_iter().zip(texts).map(|(path, text)| (path, text.into())).collect();
        }
        let each = |path: &Cow<'_, str>| {
            texts.iter().map(move |text| (path.clone().into_owned().into(), (*text).into())).collect::<Vec<_>>()
        };
        paths.iter().flat_map(each).take(FILES).collect()
    }
}
