//! git, as far as its words name files. Its accesses to its own files, and the changes of a checkout, a merge or a pull
//! of everything, are not reported: every step of a day's work would be a write.

use super::accesses::FileAccesses;
use super::call::{ParsedCommand, join_directory};
use super::patches::{self, StripLevel};
use super::paths::{as_exclusion, base_name, glob_word, is_remote, join, strip_ending};
use crate::access::{AccessCertainty, AccessExtent, FileAccess, FileFilter, FileSkipping, Verb};
use crate::git_settings::{GitSettings, git_settings};
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// A call of git, without its subcommand.
struct GitCall<'a> {
    call: &'a ParsedCommand<'a>,
    /// The directory that `-C` names.
    directory: Option<Word>,
    /// The operands after the subcommand and before a `--`, and those after it.
    before_dashes: Vec<&'a Word>,
    after_dashes: Option<Vec<&'a Word>>,
}

pub(super) fn git(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let (before, behind) = call.split_at_dashes();
    let Some((command, before)) = before.split_first() else { return };
    let Some(name) = command.known_text() else { return };
    let directories =
        call.options_named(&["-C"]).filter(|given| given.is_global).filter_map(|given| given.value.as_ref());
    let directory = directories.cloned().reduce(|first, next| join(&first, &next));
    let git = GitCall { call, directory, before_dashes: before.to_vec(), after_dashes: behind.map(<[_]>::to_vec) };
    git.add_other_repository(name, accesses);
    let known = accesses.found.len();
    git.subcommand(name, accesses);
    // A glob matches the whole paths of files, and no directory with all its contents.
    for access in accesses.found.iter_mut().skip(known).filter(|access| has_own_glob(&access.path)) {
        if let AccessExtent::Below(_) = access.extent {
            access.extent = AccessExtent::PathOnly;
        }
    }
}

impl GitCall<'_> {
    fn subcommand(&self, name: &str, accesses: &mut FileAccesses) {
        match name {
            "add" | "stage" => self.add(accesses),
            "rm" => self.rm(accesses),
            "mv" => self.mv(accesses),
            "clean" => self.clean(accesses),
            "restore" => self.restore(accesses),
            "checkout" => self.checkout(accesses),
            "stash" => self.stash(accesses),
            "reset" => {}
            "show" | "cat-file" | "archive" | "ls-tree" => self.objects(name, accesses),
            "diff" | "log" | "blame" | "annotate" | "grep" | "difftool" => self.contents(name, accesses),
            "apply" | "am" => self.apply(name, accesses),
            "clone" => self.clone(accesses),
            "init" if self.before_dashes.is_empty() => {
                accesses.add_write(&join(&self.work_directory(), &Word::text(".git")))
            }
            "init" => self.directories(self.before_dashes.get(..1), accesses),
            "worktree" | "submodule" | "bundle" | "sparse-checkout" => self.nested(name, accesses),
            "commit" => self.commit(accesses),
            "tag" | "notes" | "merge" => self.values(&["-F", "--file"], Verb::Reads, accesses),
            "config" => self.config(accesses),
            "hash-object" => self.add_files(Verb::Reads, AccessExtent::PathOnly, accesses),
            "format-patch" => self.values(&["-o", "--output-directory"], Verb::Writes, accesses),
            _ => {}
        }
        self.values(&["--output"], Verb::Writes, accesses);
        self.values(&["--pathspec-from-file"], Verb::Reads, accesses);
        self.add_list_files(name, accesses);
    }

    /// Adds the files of a list that is not read.
    fn add_list_files(&self, name: &str, accesses: &mut FileAccesses) {
        let verb = match name {
            "checkout" => Verb::Writes,
            "restore" if !self.has(&["-S", "--staged"]) || self.has(&["-W", "--worktree"]) => Verb::Writes,
            "rm" => Verb::Deletes,
            "add" | "stage" | "commit" | "stash" => Verb::Reads,
            _ => return,
        };
        for list in self.call.values(&["--pathspec-from-file"]) {
            let why = Unknown::new(Cause::Input, list.display_text());
            accesses.add_with_extent(verb, &self.work_directory(), AccessExtent::UnknownPart(why));
        }
    }

    fn path(&self, word: &Word) -> Word {
        join_directory(self.directory.as_ref(), word)
    }

    fn work_directory(&self) -> Word {
        self.directory.clone().unwrap_or_else(|| Word::text("."))
    }

    /// Returns the operands, all of which are files.
    fn files(&self) -> Vec<Word> {
        let all = self.before_dashes.iter().chain(self.after_dashes.iter().flatten());
        all.filter_map(|word| pathspec(word)).map(|word| self.path(&word)).collect()
    }

    /// Returns the filter of a subcommand below a directory, which skips what a pathspec excludes.
    fn filter(&self, ignored: FileSkipping) -> FileFilter {
        let all = self.before_dashes.iter().chain(self.after_dashes.iter().flatten());
        // git never tracks its own files.
        let except: Vec<String> = all.filter_map(|word| excluded_glob(word)).chain([".git".to_owned()]).collect();
        FileFilter { except: except.into(), ignored, ..FileFilter::default() }
    }

    /// The filter of tracked files: an ignored file is rarely tracked.
    fn tracked_filter(&self) -> FileFilter {
        self.filter(FileSkipping::Yes)
    }

    /// Returns the operands after `--`, which are certainly files, and those before, which may be commits.
    fn pathspecs(&self) -> Vec<(Word, AccessCertainty)> {
        let why = |word: &Word| AccessCertainty::IfFileExists(Unknown::new(Cause::AmbiguousWord, word.display_text()));
        let before = if self.after_dashes.is_some() { &[][..] } else { &self.before_dashes };
        let before = before.iter().filter(|word| !is_revision(word));
        let maybe = before.filter_map(|word| Some((self.path(&pathspec(word)?), why(word))));
        let behind = self.after_dashes.iter().flatten().filter_map(|word| pathspec(word));
        maybe.chain(behind.map(|word| (self.path(&word), AccessCertainty::Certain))).collect()
    }

    fn add_files(&self, verb: Verb, extent: AccessExtent, accesses: &mut FileAccesses) {
        for path in self.files() {
            accesses.add_with_extent(verb, &path, extent.clone());
        }
    }

    fn values(&self, names: &[&str], verb: Verb, accesses: &mut FileAccesses) {
        for value in self.call.values(names) {
            accesses.add_certain(verb, &self.path(value));
        }
    }

    fn directories(&self, words: Option<&[&Word]>, accesses: &mut FileAccesses) {
        for word in words.unwrap_or_default() {
            accesses.add_write(&self.path(word));
        }
    }

    fn has(&self, names: &[&str]) -> bool {
        self.call.has_option(names)
    }

    /// A repository named with `-C`, other than the current one, is written as a directory.
    fn add_other_repository(&self, name: &str, accesses: &mut FileAccesses) {
        const CHANGES: &[&str] = &[
            "add",
            "am",
            "apply",
            "bisect",
            "branch",
            "checkout",
            "cherry-pick",
            "clean",
            "commit",
            "config",
            "fetch",
            "gc",
            "init",
            "merge",
            "mv",
            "notes",
            "prune",
            "pull",
            "rebase",
            "reflog",
            "remote",
            "repack",
            "reset",
            "restore",
            "revert",
            "rm",
            "stash",
            "submodule",
            "switch",
            "symbolic-ref",
            "tag",
            "update-index",
            "update-ref",
            "worktree",
        ];
        if !CHANGES.contains(&name) {
            return;
        }
        let named = self.call.options_named(&["--git-dir", "--work-tree"]).filter(|given| given.is_global);
        let named = named.filter_map(|given| given.value.as_ref()).map(|word| self.path(word));
        for directory in self.directory.iter().cloned().chain(named) {
            accesses.add_write(&directory);
        }
    }

    /// `git add`: ignored files are added only with `--force`.
    fn add(&self, accesses: &mut FileAccesses) {
        if self.has(&["-n", "--dry-run"]) {
            return;
        }
        let ignored = if self.has(&["-f", "--force"]) { FileSkipping::No } else { FileSkipping::Yes };
        let filter = self.filter(ignored);
        let is_all = self.has(&["-A", "--all", "--no-ignore-removal"]);
        let files = self.files();
        // Without a path, only changed files that git tracks already, as with `commit -a`.
        if self.has(&["-u", "--update"]) && files.iter().all(is_dots) {
            return;
        }
        if files.is_empty() && is_all {
            accesses.add_below(Verb::Reads, &self.work_directory(), &filter);
        }
        for file in files {
            accesses.add_below(Verb::Reads, &file, &filter);
        }
    }

    /// `git commit`: it reads the named files from the work tree. For the whole tree, these are only files that git
    /// tracks already.
    fn commit(&self, accesses: &mut FileAccesses) {
        self.values(&["-F", "--file"], Verb::Reads, accesses);
        if self.has(&["--dry-run"]) {
            return;
        }
        let filter = self.tracked_filter();
        for file in self.files().iter().filter(|file| !is_dots(file)) {
            accesses.add_below(Verb::Reads, file, &filter);
        }
    }

    fn rm(&self, accesses: &mut FileAccesses) {
        if self.has(&["--cached", "-n", "--dry-run"]) {
            return;
        }
        let extent = if self.has(&["-r"]) { AccessExtent::Everything } else { AccessExtent::PathOnly };
        self.add_files(Verb::Deletes, extent, accesses);
    }

    fn mv(&self, accesses: &mut FileAccesses) {
        let files = self.files();
        let Some((target, sources)) = files.split_last() else { return };
        if self.has(&["-n", "--dry-run"]) {
            return;
        }
        for source in sources {
            accesses.add_below(Verb::Reads, source, &FileFilter::default());
            accesses.add_with_extent(Verb::Deletes, source, AccessExtent::Everything);
            let into = base_name(source).map(|name| join(target, &name));
            let is_directory = sources.len() > 1 || super::paths::is_directory(target);
            let extent = AccessExtent::Mirror(source.clone(), FileFilter::default());
            if !is_directory {
                accesses.add_with_extent(Verb::Writes, target, extent.clone());
            }
            if let Some(path) = into {
                let certainty =
                    if is_directory { AccessCertainty::Certain } else { AccessCertainty::IfDirectoryExists };
                accesses.add(FileAccess { verb: Verb::Writes, path, extent, certainty });
            }
        }
    }

    /// `git clean`: only untracked files are deleted, and ignored ones only with `-x`.
    fn clean(&self, accesses: &mut FileAccesses) {
        if self.has(&["-n", "--dry-run"]) || !self.has(&["-f", "--force", "-i", "--interactive"]) {
            return;
        }
        let why = Unknown::new(Cause::Contents, "git clean");
        let mut files = self.files();
        if files.is_empty() {
            files.push(self.work_directory());
        }
        for file in files {
            accesses.add_with_extent(Verb::Deletes, &file, AccessExtent::UnknownPart(why.clone()));
        }
    }

    fn restore(&self, accesses: &mut FileAccesses) {
        if self.has(&["--staged", "-S"]) && !self.has(&["--worktree", "-W"]) {
            return;
        }
        self.add_files(Verb::Writes, AccessExtent::Below(self.tracked_filter()), accesses);
    }

    /// `git checkout [TREE] -- FILES`, and `git checkout FILE` if no branch has the name.
    fn checkout(&self, accesses: &mut FileAccesses) {
        if self.has(&["-b", "-B", "--orphan", "--detach", "-t", "--track"]) {
            return;
        }
        let filter = self.tracked_filter();
        let of_conflict = self.call.options_named(&["--ours", "--theirs"]).next();
        let of_conflict = of_conflict.map(|given| Unknown::new(Cause::FileSelection, given.name.to_string()));
        for (path, certainty) in self.pathspecs() {
            // No branch has such a name.
            let is_path = path.prefix().starts_with("./") || path.prefix().starts_with("../") || is_dots(&path);
            let certainty = match &of_conflict {
                // Only files in conflict.
                Some(why) => AccessCertainty::Maybe(why.clone()),
                None if is_path => AccessCertainty::Certain,
                None => certainty,
            };
            accesses.add(FileAccess {
                verb: Verb::Writes,
                path,
                extent: AccessExtent::Below(filter.clone()),
                certainty,
            });
        }
    }

    fn stash(&self, accesses: &mut FileAccesses) {
        let is_push = matches!(self.before_dashes.first().map(|word| word.known_text()), None | Some(Some("push")));
        let files = self.after_dashes.iter().flatten().copied();
        let named = self.before_dashes.iter().skip(1).copied();
        let filter = self.tracked_filter();
        let files: Vec<Word> = named.chain(files).filter(|_| is_push).filter_map(pathspec).collect();
        let files: Vec<Word> = files.iter().map(|file| self.path(file)).collect();
        for file in &files {
            accesses.add_below(Verb::Reads, file, &filter);
            accesses.add_below(Verb::Writes, file, &filter);
        }
        // Untracked files leave the tree: the named ones, and with `--all` the ignored ones. The stash has a copy of
        // everything else, which is a step of a day's work.
        let takes_all = self.has(&["-a", "--all"]);
        if !is_push || !takes_all && !self.has(&["-u", "--include-untracked"]) {
            return;
        }
        let filter = if takes_all { self.filter(FileSkipping::No) } else { filter };
        if files.is_empty() && takes_all {
            let why = Unknown::new(Cause::Contents, "git stash --all");
            accesses.add_with_extent(Verb::Deletes, &self.work_directory(), AccessExtent::UnknownPart(why));
        }
        for file in files.iter().filter(|file| !is_dots(file)) {
            accesses.add_below(Verb::Deletes, file, &filter);
        }
    }

    /// `TREE:path` is the file as it is in a commit.
    fn objects(&self, name: &str, accesses: &mut FileAccesses) {
        for word in &self.before_dashes {
            let tree = word.prefix().split_once(':').map(|(tree, _)| tree);
            if let Some(path) = tree.and_then(|tree| word.strip_prefix(&format!("{tree}:"))) {
                accesses.add_read(&self.path(&path));
            }
        }
        // The objects to print are named on the standard input.
        if let Some(given) = self.call.options_named(&["--batch", "--batch-command"]).next() {
            let why = Unknown::new(Cause::Input, given.name.to_string());
            accesses.add_possible(Verb::Reads, &Word::unknown(why.clone()), why);
        }
        if name == "show" {
            for file in self.after_dashes.iter().flatten().filter_map(|word| pathspec(word)) {
                accesses.add_read(&self.path(&file));
            }
        }
        if name == "archive" {
            self.values(&["-o"], Verb::Writes, accesses);
        }
    }

    /// Subcommands that print the contents of files.
    fn contents(&self, name: &str, accesses: &mut FileAccesses) {
        let prints = name != "log" || self.has(&["-p", "-u", "--patch", "-L"]);
        if !prints {
            return;
        }
        // `-L 1,2:file`, `-L :function:file`.
        let ranges = self.call.values(&["-L"]).filter(|_| name == "log").filter_map(|range| match range.known_text() {
            Some(text) => text.rsplit_once(':').map(|(_, file)| Word::text(file)),
            None => Some(Word { span: None, ..range.clone() }),
        });
        ranges.for_each(|file| accesses.add_read(&self.path(&file)));
        if name == "grep" {
            let has_pattern = self.has(&["-e", "-f"]);
            let skipped = usize::from(!has_pattern);
            let named: Vec<&Word> =
                self.before_dashes.iter().skip(skipped).chain(self.after_dashes.iter().flatten()).copied().collect();
            let ignored = if self.has(&["--no-index"]) { FileSkipping::No } else { FileSkipping::Yes };
            let filter = self.filter(ignored);
            let mut files: Vec<Word> = named.into_iter().filter_map(pathspec).map(|word| self.path(&word)).collect();
            if files.is_empty() {
                files.push(self.work_directory());
            }
            for file in files {
                accesses.add_below(Verb::Reads, &file, &filter);
            }
            return;
        }
        if self.has(&["--no-index"]) || matches!(name, "blame" | "annotate") {
            return self.add_files(Verb::Reads, AccessExtent::PathOnly, accesses);
        }
        let filter = self.tracked_filter();
        for (path, certainty) in self.pathspecs() {
            accesses.add(FileAccess {
                verb: Verb::Reads,
                path,
                extent: AccessExtent::Below(filter.clone()),
                certainty,
            });
        }
    }

    /// A patch names the files that it changes.
    fn apply(&self, name: &str, accesses: &mut FileAccesses) {
        const LOOKS: &[&str] = &["--check", "--stat", "--numstat", "--summary"];
        self.add_files(Verb::Reads, AccessExtent::PathOnly, accesses);
        let only_looks = self.has(LOOKS) && !self.has(&["--apply"]);
        if name == "apply" && (only_looks || self.has(&["--cached"])) || self.has(&["--abort", "--quit"]) {
            return;
        }
        let patch = self.files().first().map(Word::display_text).unwrap_or_default();
        let why = Unknown::new(Cause::ArchiveContents, patch);
        let directory =
            self.call.value(&["--directory"]).map_or_else(|| self.work_directory(), |directory| self.path(directory));
        let text =
            self.call.stdin.filter(|_| name == "apply" && self.files().is_empty() && !self.has(&["-R", "--reverse"]));
        let strip = patches::strip(self.call.value(&["-p"]), StripLevel::Leading(1));
        if text.zip(strip).is_some_and(|(text, strip)| patches::apply_text(text, strip, Some(&directory), accesses)) {
            return;
        }
        accesses.add_with_extent(Verb::Writes, &directory, AccessExtent::UnknownPart(why));
    }

    fn clone(&self, accesses: &mut FileAccesses) {
        let Some(url) = self.before_dashes.first() else { return };
        if !is_remote(url) {
            accesses.add_below(Verb::Reads, &self.path(url), &FileFilter::default());
        }
        let own = || strip_ending(url, "/").unwrap_or_else(|| (*url).clone());
        let named = || base_name(&own()).map(|name| path_in_revision(&strip_ending(&name, ".git").unwrap_or(name)));
        if let Some(directory) = self.before_dashes.get(1).map(|word| (*word).clone()).or_else(named) {
            accesses.add_write(&self.path(&directory));
        }
    }

    fn nested(&self, name: &str, accesses: &mut FileAccesses) {
        let Some((verb, rest)) = self.before_dashes.split_first() else { return };
        match (name, verb.known_text()) {
            ("worktree", Some("add")) => self.directories(rest.get(..1), accesses),
            ("worktree", Some("remove")) => {
                for path in rest.iter().take(1) {
                    accesses.add_with_extent(Verb::Deletes, &self.path(path), AccessExtent::Everything);
                }
            }
            ("worktree", Some("move")) => {
                for path in rest.iter().take(1) {
                    accesses.add_with_extent(Verb::Deletes, &self.path(path), AccessExtent::Everything);
                }
                self.directories(rest.get(1..2), accesses);
            }
            ("submodule", Some("add")) => {
                let own = rest.first().and_then(|url| base_name(url));
                let own = own.map(|name| strip_ending(&name, ".git").unwrap_or(name));
                let path = rest.get(1).map(|path| (*path).clone()).or(own);
                path.iter().for_each(|path| accesses.add_write(&self.path(path)));
            }
            ("bundle", Some("create")) => self.directories(rest.get(..1), accesses),
            _ => {}
        }
    }

    /// `git config --file F name value` writes a file; without a value, or with `--get`, it reads it.
    fn config(&self, accesses: &mut FileAccesses) {
        let shows = matches!(git_settings(&self.call.argv), None | Some(GitSettings::Shows));
        let verb = if shows { Verb::Reads } else { Verb::Writes };
        self.values(&["-f", "--file"], verb, accesses);
    }
}

/// Whether a word begins with git's output about revisions, and so is not a file.
fn is_revision(word: &Word) -> bool {
    let is_asked = |why: &Unknown| why.cause == Cause::Output && why.source.is_revision();
    matches!(word.parts.first(), Some(WordPart::Unknown(unknown)) if is_asked(&unknown.reason))
}

/// Returns the path of a pathspec, without a prefix such as `:/` or `:(top)`. `None` if the pathspec excludes files.
fn pathspec(word: &Word) -> Option<Word> {
    let (magic, path) = split_magic(word);
    let is_exclusion = magic.contains(['!', '^']) || magic.contains("exclude");
    let path = if path.parts.is_empty() && !magic.is_empty() { Word::text(".") } else { path };
    let path = if magic.contains("literal") || is_dots(&path) { path } else { expand_git_globs(path) };
    (!is_exclusion).then_some(path)
}

/// Whether a path has a glob that git itself expands.
fn has_own_glob(path: &Word) -> bool {
    let is_own = |part: &WordPart| {
        matches!(part, WordPart::Unknown(UnknownPart { reason, may_split: false })
        if reason.cause == Cause::Glob && reason.source == ValueSource::Any)
    };
    path.parts.iter().any(is_own)
}

/// Returns a path with the globs that git itself expands, which quotes do not prevent.
fn expand_git_globs(path: Word) -> Word {
    let has_globs = |part: &WordPart| matches!(part, WordPart::Text(text) if text.contains(['*', '?', '[']));
    // A glob for a kind of files (`*.rs`) could be every file that rules are about; `*nv` is meant for one.
    let is_kind = |rest: &str| rest.is_empty() || rest.starts_with('.') && !rest.contains(['*', '?', '[']);
    let begins_open = |text: &str| {
        let name = text.rsplit('/').next().unwrap_or_default();
        name.strip_prefix('*').is_some_and(is_kind)
    };
    let is_open = matches!(path.parts.last(), Some(WordPart::Text(text)) if begins_open(text));
    if is_open || !path.parts.iter().any(has_globs) {
        return path;
    }
    let mut word = Word { span: path.span.clone(), ..Word::default() };
    for part in path.parts {
        let WordPart::Text(text) = part else {
            word.push(part);
            continue;
        };
        for part in glob_word(&text).parts {
            match part {
                // It matches names in subdirectories too.
                WordPart::Glob(sign) if sign == "*" => {
                    if word.parts.is_empty() {
                        word.push(WordPart::Text("./".to_owned()));
                    }
                    let why = Unknown::new(Cause::Glob, sign);
                    word.push(WordPart::Unknown(UnknownPart { reason: why, may_split: false }));
                }
                part => word.push(part),
            }
        }
    }
    word
}

/// Returns the glob that a pathspec excludes.
fn excluded_glob(word: &Word) -> Option<String> {
    if pathspec(word).is_some() { None } else { as_exclusion(&split_magic(word).1) }
}

/// Splits a pathspec into its magic prefix and the path.
fn split_magic(word: &Word) -> (&str, Word) {
    let start = word.prefix();
    let length = match start.strip_prefix(':') {
        Some(rest) if rest.starts_with('(') => start.find(')').map_or(0, |end| end + 1),
        Some(rest) => 1 + rest.bytes().take_while(|byte| matches!(byte, b'/' | b'!' | b'^')).count(),
        None => 0,
    };
    let magic = start.get(..length).unwrap_or_default();
    (magic, word.strip_prefix(magic).unwrap_or_else(|| word.clone()))
}

fn is_dots(path: &Word) -> bool {
    matches!(path.known_text(), Some("." | ".." | "*"))
}

/// Returns the part of `host:name` after the `:`.
fn path_in_revision(name: &Word) -> Word {
    match name.prefix().rsplit_once(':') {
        Some((before, _)) => name.strip_prefix(&format!("{before}:")).unwrap_or_else(|| name.clone()),
        None => name.clone(),
    }
}
