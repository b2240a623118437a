//! The effects on files of tools whose input names paths.

use std::borrow::Cow;
use std::path::PathBuf;

use super::{TouchLocation, TouchReach, TouchedFile, is_device};
use crate::context::derived::{PATH_BYTES, files_of_member};
use crate::context::{Context, PathForm, Reason};
use crate::schema::{ToolSpec, tool_spec};
use crate::syntax::ast::FileVerb;
use crate::tool_records::{MemberUsage, own_name};
use hookrules_shell::files::{FileFilter, FileSkipping};
use hookrules_shell::path::normalise;

impl Context<'_> {
    /// Returns the files that the tool itself touches, not its commands, cached.
    pub(super) fn tool_touches(&self, verb: FileVerb, form: PathForm) -> &[TouchedFile] {
        let Some(name) = self.call.tool_name else { return &[] };
        let find = || -> Vec<TouchedFile> {
            let files = match tool_spec(name) {
                Some(tool) => self.built_in(tool, verb, form),
                None => self.recorded_or_guessed_touches(name, verb, form),
            };
            files.into_iter().filter(is_file).collect()
        };
        self.machine.cached(self.by_tool.cache_cell(verb, form), find).as_slice()
    }

    /// Returns the files that a built-in tool touches.
    fn built_in(&self, tool: &ToolSpec, verb: FileVerb, form: PathForm) -> Vec<TouchedFile> {
        let Some(input) = self.call.tool_input else { return Vec::new() };
        let meant = |reads: bool, writes: bool| match verb {
            FileVerb::Reads => reads,
            FileVerb::Writes => writes,
            FileVerb::Deletes | FileVerb::Sends => false,
        };
        let filter = tool.files.iter().filter(|file| file.glob && meant(file.reads, file.writes));
        let filter = filter.filter_map(|file| input.get(file.member)?.as_str()).map(str::to_owned).next();
        let foreign = self.call.files_of_unknown_members();
        let members = tool.files.iter().filter(|file| !file.glob && meant(file.reads, file.writes));
        let mut touched = Vec::new();
        for file in members {
            let named = files_of_member(input, file.member);
            // A search without a path searches the working directory.
            let named = if named.is_empty() && file.recursive && file.reads { vec![".".into()] } else { named };
            // The check precedes the resolution of links: the link of an open descriptor would lead to a file of this
            // process.
            let named = named.into_iter().filter(|text| !is_device(&self.absolute(text, PathForm::Lexical)));
            touched.extend(named.map(|text| match filter.as_deref().filter(|_| file.recursive) {
                // The pattern of Glob is relative to that directory, but may also be absolute or contain `..`.
                Some(pattern) if tool.name == "Glob" => self.resolve_glob(&text, pattern, form),
                filter => TouchedFile::from_tool(
                    self.absolute(&text, form),
                    match (file.recursive, filter) {
                        (true, None) if tool.name == "Grep" => TouchReach::Below(grep_default_filter()),
                        (true, filter) => TouchReach::MatchingGlob(filter.map(str::to_owned)),
                        (false, _) => TouchReach::PathOnly,
                    },
                ),
            }));
        }
        if foreign.is_empty() {
            return touched;
        }
        // A tool touches the files in an unknown member like those in its known members, if it has any.
        let mut own = tool.files.iter().filter(|file| meant(file.reads, file.writes)).peekable();
        if tool.files.is_empty() {
            let names: Vec<String> = foreign.into_iter().map(Cow::into_owned).collect();
            touched.extend(self.unlisted_tool_touches(tool.name, verb, form, || &names));
        } else if own.peek().is_some() {
            let is_recursive = own.any(|file| file.recursive);
            let reach = if is_recursive { TouchReach::MatchingGlob(filter) } else { TouchReach::PathOnly };
            let paths = foreign.iter().map(|text| self.absolute(text, form));
            touched.extend(paths.map(|path| TouchedFile::from_tool(path, reach.clone())));
        }
        touched
    }

    /// Resolves a glob against a directory: the components before the first wildcard become part of the directory.
    fn resolve_glob(&self, directory: &str, pattern: &str, form: PathForm) -> TouchedFile {
        // A pattern that is too long for any tool may match anything.
        if pattern.len() > PATH_BYTES {
            return TouchedFile::from_tool(PathBuf::from("/"), TouchReach::MatchingGlob(None));
        }
        let wild = |part: &str| part.contains(['*', '?', '[', '{', '(', '!', '\\']);
        let parts: Vec<&str> = pattern.split('/').collect();
        let leading = parts.iter().take_while(|part| !wild(part)).count().min(parts.len().saturating_sub(1));
        let (start, rest) = parts.split_at(leading);
        let start = match start {
            [] => ".".to_owned(),
            [""] => "/".to_owned(),
            several => several.join("/"),
        };
        // After a wildcard, `..` and an absolute alternative may lead anywhere.
        let tail = rest.join("/");
        if rest.contains(&"..") || ["{..", ",..", "{/", ",/", "{~", ",~"].iter().any(|start| tail.contains(start)) {
            return TouchedFile::from_tool(PathBuf::from("/"), TouchReach::MatchingGlob(None));
        }
        let base = self.absolute(directory, PathForm::Lexical);
        let path = normalise(&start, &base, self.machine.home());
        TouchedFile::from_tool(self.machine.convert_to_form(path, form), TouchReach::MatchingGlob(Some(tail)))
    }

    /// Returns the files that an unlisted tool seems to touch. Whether it reads or writes is unknown, so it counts as
    /// both, and as deleting if its name suggests that. The files below a directory may be touched, too, and a
    /// deletion of the directory certainly includes them.
    fn unlisted_tool_touches<'f>(
        &self,
        name: &str,
        verb: FileVerb,
        form: PathForm,
        files: impl FnOnce() -> &'f [String],
    ) -> Vec<TouchedFile> {
        let deletes = verb == FileVerb::Deletes;
        if deletes && !is_deleting_name(name) {
            return Vec::new();
        }
        // A file in the input of a tool that connects to a host may be sent there.
        let sends = verb == FileVerb::Sends;
        if sends && self.contacts_of_tool().is_empty() {
            return Vec::new();
        }
        let doubt = sends.then(|| Reason::possible_upload(name));
        let touched = |text: &String| TouchedFile {
            guessed: true,
            doubt: doubt.clone(),
            ..TouchedFile::from_tool(
                self.absolute(text, form),
                if deletes { TouchReach::Everything } else { TouchReach::MatchingGlob(None) },
            )
        };
        files().iter().map(touched).collect()
    }

    /// Returns the files that the records describe, and those that members without a description seem to name.
    fn recorded_or_guessed_touches(&self, name: &str, verb: FileVerb, form: PathForm) -> Vec<TouchedFile> {
        let mut touched = Vec::new();
        if self.call.has_tool_record() {
            let uses: &[(MemberUsage, TouchReach)] = match verb {
                FileVerb::Reads => &[
                    (MemberUsage::Reads, TouchReach::PathOnly),
                    (MemberUsage::ReadsBelow, TouchReach::MatchingGlob(None)),
                ],
                FileVerb::Writes => &[(MemberUsage::Writes, TouchReach::PathOnly)],
                FileVerb::Deletes => &[(MemberUsage::Deletes, TouchReach::Everything)],
                // A file that is read by a call which connects to a host may be sent there.
                FileVerb::Sends if self.contacts_of_tool().is_empty() => &[],
                FileVerb::Sends => &[(MemberUsage::Reads, TouchReach::PathOnly)],
            };
            let doubt = (verb == FileVerb::Sends).then(|| Reason::possible_upload(name));
            for (usage, reach) in uses {
                let files = self.call.recorded_files_used_as(*usage).into_iter();
                touched.extend(files.map(|text| TouchedFile {
                    doubt: doubt.clone(),
                    ..TouchedFile::from_tool(self.absolute(&text, form), reach.clone())
                }));
            }
        }
        touched.extend(self.unlisted_tool_touches(name, verb, form, || self.call.unrecorded_files()));
        touched
    }

    /// Returns the files that the input of the call seems to name, without use of the records. An untrusted tool may
    /// have the name of one with a record, so no allow may depend on the record.
    pub(super) fn touches_by_input_shape(&self, verb: FileVerb, form: PathForm) -> Vec<TouchedFile> {
        let found = self
            .call
            .tool_name
            .map(|name| self.unlisted_tool_touches(name, verb, form, || self.call.files_by_shape()))
            .unwrap_or_default();
        found.into_iter().filter(is_file).collect()
    }
}

/// Whether a touch is of a file, and not of a device.
fn is_file(file: &TouchedFile) -> bool {
    !matches!(&file.location, TouchLocation::Path(path) if is_device(path))
}

/// Returns the filter of Grep without a glob: it skips ignored files and version control directories, and includes
/// hidden files.
fn grep_default_filter() -> FileFilter {
    let of_git_and_others = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"].map(str::to_owned).to_vec();
    FileFilter { except: of_git_and_others.into(), ignored: FileSkipping::Yes, ..FileFilter::default() }
}

/// Whether the name of an unlisted tool suggests that it deletes or moves files.
fn is_deleting_name(name: &str) -> bool {
    const ANYWHERE: &[&str] = &["delete", "remove", "unlink", "trash", "move", "rename"];
    const OF_THE_TOOL: &[&str] = &["erase", "purge", "clean", "drop", "destroy", "wipe"];
    let own = own_name(name);
    let lower = name.to_ascii_lowercase();
    let own_lower = own.to_ascii_lowercase();
    // `rm` is part of many words, so it only counts at the start of one: `rmFile`, `repo_rm`.
    let mut previous = '_';
    let begins_word = own.char_indices().any(|(at, c)| {
        let starts = !previous.is_ascii_alphanumeric() || (previous.is_ascii_lowercase() && c.is_ascii_uppercase());
        previous = c;
        starts && own_lower.get(at..).is_some_and(|rest| rest.starts_with("rm"))
    });
    begins_word
        || ANYWHERE.iter().any(|word| lower.contains(word))
        || OF_THE_TOOL.iter().any(|word| own_lower.contains(word))
}
