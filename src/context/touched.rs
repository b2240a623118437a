//! The files that a call reads, writes and deletes.

use std::path::{Path, PathBuf};

use super::derived::{PATH_BYTES, files_in, foreign_files};
use super::{Context, Form, Reason};
use crate::path::normalise;
use crate::schema::tool;
use crate::syntax::ast::FileVerb;

/// A file that a call touches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touched {
    /// Absolute.
    pub path: PathBuf,
    /// Everything below is touched too.
    pub recursive: bool,
    /// Only names below that match this glob (Grep's `glob`, Glob's `pattern`).
    pub filter: Option<String>,
    /// Below, what does not exist counts too: a deletion leaves nothing.
    pub whole: bool,
    /// That it is recursive is a guess.
    pub guessed: bool,
}

/// What a call touches, as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub struct Touches {
    /// These for sure.
    pub files: Vec<Touched>,
    /// Maybe others.
    pub unknown: Option<Reason>,
}

impl Context<'_> {
    /// Returns the files that the call touches in the way of the verb.
    #[must_use]
    pub fn touched(&self, verb: FileVerb, form: Form) -> Touches {
        let is_shell = self.shell_command().is_some() || self.likely_command().is_some();
        let unreadable = self.has_unreadable_command().then(Reason::unreadable_command);
        let unknown = unreadable.or_else(|| is_shell.then(Reason::shell));
        if self.names_too_much() {
            return Touches { files: Vec::new(), unknown: Some(Reason::too_many_paths()) };
        }
        let mut files = match self.payload.tool_name() {
            None => Vec::new(),
            Some(name) => match tool(name) {
                Some(_) => self.built_in(verb, form),
                None => self.foreign(name, verb, form),
            },
        };
        let mut seen = std::collections::BTreeSet::new();
        files.retain(|file| !is_device(&file.path) && seen.insert((file.path.clone(), file.filter.clone())));
        Touches { files, unknown }
    }

    fn built_in(&self, verb: FileVerb, form: Form) -> Vec<Touched> {
        let (Some(tool), Some(input)) = (self.payload.tool_name().and_then(tool), self.payload.tool_input()) else {
            return Vec::new();
        };
        let meant = |reads: bool, writes: bool| match verb {
            FileVerb::Reads => reads,
            FileVerb::Writes => writes,
            FileVerb::Deletes => false,
        };
        let filter = tool.files.iter().filter(|file| file.glob && meant(file.reads, file.writes));
        let filter = filter.filter_map(|file| input.get(file.member)?.as_str()).map(str::to_owned).next();
        let members = tool.files.iter().filter(|file| !file.glob && meant(file.reads, file.writes));
        let mut touched = Vec::new();
        for file in members {
            let named = files_in(input, file.member);
            // A search without a path is one of the working directory.
            let named = if named.is_empty() && file.recursive && file.reads { vec![".".into()] } else { named };
            touched.extend(named.into_iter().map(|text| match filter.as_deref().filter(|_| file.recursive) {
                // Glob's pattern is a path from there: it may be absolute, or lead up.
                Some(pattern) if tool.name == "Glob" => self.matching(&text, pattern, form),
                filter => Touched {
                    path: self.absolute(&text, form),
                    recursive: file.recursive,
                    filter: filter.map(str::to_owned),
                    whole: false,
                    guessed: false,
                },
            }));
        }
        touched
    }

    /// Reads a glob from a directory: the components without a wildcard lead to where it begins.
    fn matching(&self, directory: &str, pattern: &str, form: Form) -> Touched {
        // What no tool would follow may lead anywhere.
        if pattern.len() > PATH_BYTES {
            let path = PathBuf::from("/");
            return Touched { path, recursive: true, filter: None, whole: false, guessed: false };
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
        // Behind a wildcard `..` leads anywhere, and so does an alternative that is absolute.
        let tail = rest.join("/");
        if rest.contains(&"..") || ["{..", ",..", "{/", ",/", "{~", ",~"].iter().any(|start| tail.contains(start)) {
            let path = PathBuf::from("/");
            return Touched { path, recursive: true, filter: None, whole: false, guessed: false };
        }
        let base = self.absolute(directory, Form::Lexical);
        let path = normalise(&start, &base, self.roots().home.as_deref());
        Touched { path: self.in_form(path, form), recursive: true, filter: Some(tail), whole: false, guessed: false }
    }

    /// The direction is not known of a tool that no table has: it reads and writes, and a tool whose name says so
    /// deletes. Given a directory it may go on below, and a deletion takes what is below with it.
    fn foreign(&self, name: &str, verb: FileVerb, form: Form) -> Vec<Touched> {
        let deletes = verb == FileVerb::Deletes;
        if deletes && !says_it_deletes(name) {
            return Vec::new();
        }
        let Some(input) = self.payload.tool_input() else { return Vec::new() };
        let touched = |text: std::borrow::Cow<'_, str>| Touched {
            path: self.absolute(&text, form),
            recursive: true,
            filter: None,
            whole: deletes,
            guessed: true,
        };
        foreign_files(input).into_iter().map(touched).collect()
    }
}

/// Tells whether a path names a device that is no file of anybody's.
fn is_device(path: &Path) -> bool {
    ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"].iter().any(|device| path == Path::new(device))
        || path.starts_with("/dev/fd")
}

/// Returns a tool's own name, without its server's.
fn own_name(name: &str) -> &str {
    name.rsplit("__").next().unwrap_or(name)
}

/// Tells whether the name of a tool that no table has speaks of deleting or moving.
fn says_it_deletes(name: &str) -> bool {
    const ANYWHERE: &[&str] = &["delete", "remove", "unlink", "trash", "move", "rename"];
    const OF_THE_TOOL: &[&str] = &["erase", "purge", "clean", "drop", "destroy", "wipe"];
    let own = own_name(name);
    let lower = name.to_ascii_lowercase();
    let own_lower = own.to_ascii_lowercase();
    // `rm` is part of many words: only one that begins with it counts.
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
