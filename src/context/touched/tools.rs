//! The files that a tool itself touches, according to its input.

use std::borrow::Cow;
use std::path::PathBuf;

use super::{TouchLocation, TouchReach, TouchedFile, is_device};
use crate::context::derived::{PATH_BYTES, files_of_member};
use crate::context::{Context, PathForm, Reason};
use crate::schema::{ToolSpec, tool_spec};
use crate::syntax::ast::FileVerb;
use crate::tool_records::{MemberUsage, own_name};
use hookrules_shell::files::{FileFilter, FileSkipping};

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
        let has_verb = |reads: bool, writes: bool| match verb {
            FileVerb::Reads => reads,
            FileVerb::Writes => writes,
            FileVerb::Deletes | FileVerb::Sends => false,
        };
        let glob_filter = tool.files.iter().filter(|file| file.glob && has_verb(file.reads, file.writes));
        let glob_filter = glob_filter.filter_map(|file| input.get(file.member)?.as_str()).map(str::to_owned).next();
        let unknown_files = self.call.files_of_unknown_members();
        let members = tool.files.iter().filter(|file| !file.glob && has_verb(file.reads, file.writes));
        let mut touched = Vec::new();
        for file in members {
            let names = files_of_member(input, file.member);
            // A search without a path searches the working directory.
            let names = if names.is_empty() && file.recursive && file.reads { vec![".".into()] } else { names };
            // Devices are excluded before links are resolved: `/dev/fd/3` would lead to a file of this process.
            let names = names.into_iter().filter(|text| !is_device(&self.absolute(text, PathForm::Lexical)));
            touched.extend(names.map(|text| match glob_filter.as_deref().filter(|_| file.recursive) {
                // The pattern of `Glob` is relative to its directory, but may also be absolute or contain `..`.
                Some(pattern) if tool.name == "Glob" => self.resolve_glob(&text, pattern, form),
                glob_filter => TouchedFile::from_tool(
                    self.absolute(&text, form),
                    match (file.recursive, glob_filter) {
                        (true, None) if tool.name == "Grep" => TouchReach::Below(grep_default_filter()),
                        (true, glob_filter) => TouchReach::MatchingGlob(glob_filter.map(str::to_owned)),
                        (false, _) => TouchReach::PathOnly,
                    },
                ),
            }));
        }
        if unknown_files.is_empty() {
            return touched;
        }
        // A tool is assumed to touch the files in an unknown member like those in its known members, if it has any.
        let mut touching_members = tool.files.iter().filter(|file| has_verb(file.reads, file.writes)).peekable();
        if tool.files.is_empty() {
            let names: Vec<String> = unknown_files.into_iter().map(Cow::into_owned).collect();
            touched.extend(self.unlisted_tool_touches(tool.name, verb, form, || &names));
        } else if touching_members.peek().is_some() {
            let is_recursive = touching_members.any(|file| file.recursive);
            let reach = if is_recursive { TouchReach::MatchingGlob(glob_filter) } else { TouchReach::PathOnly };
            let paths = unknown_files.iter().map(|text| self.absolute(text, form));
            touched.extend(paths.map(|path| TouchedFile::from_tool(path, reach.clone())));
        }
        touched
    }

    /// Joins a glob to a directory. The components before the first wildcard become a part of the directory.
    fn resolve_glob(&self, directory: &str, pattern: &str, form: PathForm) -> TouchedFile {
        // A pattern that is too long for any tool may match anything.
        if pattern.len() > PATH_BYTES {
            return TouchedFile::from_tool(PathBuf::from("/"), TouchReach::MatchingGlob(None));
        }
        let has_wildcard = |part: &str| part.contains(['*', '?', '[', '{', '(', '!', '\\']);
        let parts: Vec<&str> = pattern.split('/').collect();
        let leading = parts.iter().take_while(|part| !has_wildcard(part)).count().min(parts.len().saturating_sub(1));
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
        let path = self.machine.normal_path(&start, &base, self.machine.home());
        TouchedFile::from_tool(self.machine.convert_to_form(path, form), TouchReach::MatchingGlob(Some(tail)))
    }

    /// Returns the files that an unlisted tool seems to touch. It is unknown whether the tool reads or writes them,
    /// so they count as read and as written; they count as deleted if the tool's name suggests that. Files below a
    /// directory may be touched, too; a deletion of the directory certainly includes them.
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
        // If a tool connects to a host, it may send the files in its input there.
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

    /// Returns the files in members that records describe, and those that other members seem to name.
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
                // If a call connects to a host, it may send the files that it reads there.
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

    /// Returns the files that the input of the call seems to name, without use of the records. An untrusted server
    /// may give its tool the name of one with a record, so no allow may depend on the record.
    pub(super) fn touches_by_input_shape(&self, verb: FileVerb, form: PathForm) -> Vec<TouchedFile> {
        let touched = self
            .call
            .tool_name
            .map(|name| self.unlisted_tool_touches(name, verb, form, || self.call.files_by_shape()))
            .unwrap_or_default();
        touched.into_iter().filter(is_file).collect()
    }
}

/// Whether a touched file is a file with contents, not a device.
fn is_file(file: &TouchedFile) -> bool {
    !matches!(&file.location, TouchLocation::Path(path) if is_device(path))
}

/// Returns the filter of `Grep` without a glob: it skips ignored files and the directories of version control, but
/// not hidden files.
fn grep_default_filter() -> FileFilter {
    let version_control = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"].map(str::to_owned).to_vec();
    FileFilter { except: version_control.into(), ignored: FileSkipping::Yes, ..FileFilter::default() }
}

/// Whether the name of an unlisted tool suggests that it deletes or moves files.
fn is_deleting_name(name: &str) -> bool {
    const ANYWHERE: &[&str] = &["delete", "remove", "unlink", "trash", "move", "rename"];
    const IN_TOOL_PART: &[&str] = &["erase", "purge", "clean", "drop", "destroy", "wipe"];
    let tool_part = own_name(name);
    let lower = name.to_ascii_lowercase();
    let tool_part_lower = tool_part.to_ascii_lowercase();
    // `rm` is part of many words, so it only counts at the start of one: `rmFile`, `repo_rm`.
    let mut previous = '_';
    let begins_word = tool_part.char_indices().any(|(at, c)| {
        let starts = !previous.is_ascii_alphanumeric() || (previous.is_ascii_lowercase() && c.is_ascii_uppercase());
        previous = c;
        starts && tool_part_lower.get(at..).is_some_and(|rest| rest.starts_with("rm"))
    });
    begins_word
        || ANYWHERE.iter().any(|word| lower.contains(word))
        || IN_TOOL_PART.iter().any(|word| tool_part_lower.contains(word))
}
