//! The accesses of git to files that its words name. Accesses to the repository itself, and changes of the working tree
//! by checking out a branch, merging or pulling, are not reported, because otherwise every ordinary step of work would
//! be a write.

mod pathspecs;
mod reading;

use pathspecs::{has_own_glob, is_dots};

use super::accesses::FileAccesses;
use super::call::{ParsedCommand, join_directory};
use super::patches::{self, StripLevel};
use super::paths::{any_name, append_text, base_name, is_remote, join, strip_ending};
use crate::access::{AccessCertainty, AccessExtent, FileAccess, FileFilter, FileSkipping, Verb};
use crate::git_settings::{GitSettings, git_settings};
use crate::word::{Cause, Unknown, Word};

/// A git command whose words are parsed.
struct GitCall<'a> {
    /// The call of git.
    call: &'a ParsedCommand<'a>,
    /// The directory of `-C`, if there is one.
    directory: Option<Word>,
    /// The operands after the subcommand and before a `--`.
    before_dashes: Vec<&'a Word>,
    /// The operands after a `--`, if there is one.
    after_dashes: Option<Vec<&'a Word>>,
}

/// Adds the accesses of git.
pub(super) fn git(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let (before, after) = call.split_at_dashes();
    let (name, before) = match before.split_first() {
        Some((command, before)) => (command.known_text(), before),
        None => (None, [].as_slice()),
    };
    let directories =
        call.options_named(&["-C"]).filter(|given| given.is_global).filter_map(|given| given.value.as_ref());
    let directory = directories.cloned().reduce(|first, next| join(&first, &next));
    let git = GitCall { call, directory, before_dashes: before.to_vec(), after_dashes: after.map(<[_]>::to_vec) };
    git.add_variable_files(name, accesses);
    let Some(name) = name else { return };
    git.add_other_repository(name, accesses);
    let accesses_before = accesses.found.len();
    git.subcommand(name, accesses);
    // A glob that git expands matches whole paths of files. It does not select everything in a directory.
    for access in accesses.found.iter_mut().skip(accesses_before).filter(|access| has_own_glob(&access.path)) {
        if let AccessExtent::Below(_) = access.extent {
            access.extent = AccessExtent::PathOnly;
        }
    }
}

impl GitCall<'_> {
    /// Adds the accesses of a subcommand.
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
            "merge-file" if !self.has(&["-p", "--stdout"]) => self.directories(self.before_dashes.get(..1), accesses),
            "interpret-trailers" if self.has(&["--in-place"]) => {
                self.add_files(Verb::Writes, AccessExtent::PathOnly, accesses);
            }
            "mailinfo" => self.directories(Some(&self.before_dashes), accesses),
            "mailsplit" | "index-pack" => self.values(&["-o"], Verb::Writes, accesses),
            "pack-objects" if !self.has(&["--stdout"]) => {
                let packs = self.before_dashes.iter().map(|name| append_text(&self.path(name), "-"));
                packs.for_each(|mut pack| {
                    pack.push(any_name());
                    accesses.add_write(&pack);
                });
            }
            "credential-store" => self.values(&["--file"], Verb::Writes, accesses),
            "bugreport" | "diagnose" | "format-patch" => {
                self.values(&["-o", "--output-directory"], Verb::Writes, accesses);
            }
            "daemon" => self.values(&["--pid-file"], Verb::Writes, accesses),
            _ => {}
        }
        self.values(&["--output"], Verb::Writes, accesses);
        self.values(&["--pathspec-from-file"], Verb::Reads, accesses);
        self.add_list_files(name, accesses);
    }

    /// Adds accesses to unknown files, whose names git reads from a file because of `--pathspec-from-file`.
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

    /// Joins a path to the directory of `-C`, to which it is relative.
    fn path(&self, word: &Word) -> Word {
        join_directory(self.directory.as_ref(), word)
    }

    /// Returns the directory in which git works: that of `-C`, or the working directory.
    fn work_directory(&self) -> Word {
        self.directory.clone().unwrap_or_else(|| Word::text("."))
    }

    /// Adds an access to each operand.
    fn add_files(&self, verb: Verb, extent: AccessExtent, accesses: &mut FileAccesses) {
        for path in self.files() {
            accesses.add_with_extent(verb, &path, extent.clone());
        }
    }

    /// Adds accesses to the files that are the values of these options.
    fn values(&self, names: &[&str], verb: Verb, accesses: &mut FileAccesses) {
        for value in self.call.values(names) {
            accesses.add_certain(verb, &self.path(value));
        }
    }

    /// Adds writes of directories.
    fn directories(&self, words: Option<&[&Word]>, accesses: &mut FileAccesses) {
        for word in words.unwrap_or_default() {
            accesses.add_write(&self.path(word));
        }
    }

    fn has(&self, names: &[&str]) -> bool {
        self.call.has_option(names)
    }

    /// Adds writes of the files that environment variables name: the logs of `GIT_TRACE` and similar variables, the
    /// index, and the outputs of git on Windows.
    fn add_variable_files(&self, name: Option<&str>, accesses: &mut FileAccesses) {
        // A trace goes to a file only if its value is an absolute path.
        let is_path = |value: &&Word| value.prefix().starts_with('/') || value.prefix().is_empty();
        for log in self.call.variables_named(&["GIT_TRACE*"]).filter(is_path) {
            accesses.add_write(log);
        }
        for output in self.call.variables_named(&["GIT_REDIRECT_STDOUT", "GIT_REDIRECT_STDERR"]) {
            accesses.add_write(output);
        }
        for index in self.call.variables_named(&["GIT_INDEX_FILE"]) {
            accesses.add_write(&self.path(index));
        }
        for objects in self.call.variables_named(&["GIT_OBJECT_DIRECTORY"]).filter(|_| name.is_some_and(writes_objects))
        {
            accesses.add_write(&self.path(objects));
        }
        if name == Some("config") && !matches!(git_settings(&self.call.argv), None | Some(GitSettings::Shows)) {
            for file in self.call.variables_named(&["GIT_CONFIG"]) {
                accesses.add_write(&self.path(file));
            }
        }
    }

    /// If the command changes another repository than that of the working directory, adds a write of its directory.
    /// `-C`, `--git-dir`, `--work-tree` or a variable names it.
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
        if !CHANGES.contains(&name) || self.leaves_repository(name) {
            return;
        }
        let named_directories = self.call.options_named(&["--git-dir", "--work-tree"]).filter(|given| given.is_global);
        let variables = ["GIT_DIR", "GIT_WORK_TREE"].into_iter().filter_map(|name| self.call.variable(name));
        let named_directories =
            named_directories.filter_map(|given| given.value.as_ref()).chain(variables).map(|word| self.path(word));
        let is_here = |directory: &&Word| matches!(directory.known_text(), Some("." | "./"));
        let other_directory = self.directory.iter().filter(|directory| !is_here(directory));
        for directory in other_directory.cloned().chain(named_directories) {
            accesses.add_write(&directory);
        }
    }

    /// Adds the accesses of `git add`, which skips ignored files unless `--force` is given.
    fn add(&self, accesses: &mut FileAccesses) {
        if self.has(&["-n", "--dry-run"]) {
            return;
        }
        let ignored = if self.has(&["-f", "--force"]) { FileSkipping::No } else { FileSkipping::Yes };
        let filter = self.filter(ignored);
        let is_all = self.has(&["-A", "--all", "--no-ignore-removal"]);
        let files = self.files();
        // Without a path, `-u` only adds changes of tracked files, like `git commit -a`.
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

    /// Adds the accesses of `git commit`: reads of the files that are named. If the whole tree is named, nothing is
    /// reported, because only tracked files are committed.
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

    /// Adds the accesses of `git rm`.
    fn rm(&self, accesses: &mut FileAccesses) {
        if self.has(&["--cached", "-n", "--dry-run"]) {
            return;
        }
        let extent = if self.has(&["-r"]) { AccessExtent::Everything } else { AccessExtent::PathOnly };
        self.add_files(Verb::Deletes, extent, accesses);
    }

    /// Adds the accesses of `git mv`.
    fn mv(&self, accesses: &mut FileAccesses) {
        let files = self.files();
        let Some((target, sources)) = files.split_last() else { return };
        if self.has(&["-n", "--dry-run"]) {
            return;
        }
        for source in sources {
            accesses.add_below(Verb::Reads, source, &FileFilter::default());
            accesses.add_with_extent(Verb::Deletes, source, AccessExtent::Everything);
            let path_in_target = base_name(source).map(|name| join(target, &name));
            let is_directory = sources.len() > 1 || super::paths::is_directory(target);
            let extent = AccessExtent::Mirror(source.clone(), FileFilter::default());
            if !is_directory {
                accesses.add_with_extent(Verb::Writes, target, extent.clone());
            }
            if let Some(path) = path_in_target {
                let certainty =
                    if is_directory { AccessCertainty::Certain } else { AccessCertainty::IfDirectoryExists };
                accesses.add(FileAccess { verb: Verb::Writes, path, extent, certainty });
            }
        }
    }

    /// Adds the accesses of `git clean`, which deletes untracked files. Which ones is unknown.
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

    /// Adds the writes of `git restore` to the working tree.
    fn restore(&self, accesses: &mut FileAccesses) {
        if self.has(&["--staged", "-S"]) && !self.has(&["--worktree", "-W"]) {
            return;
        }
        self.add_files(Verb::Writes, AccessExtent::Below(self.tracked_filter()), accesses);
    }

    /// Adds the accesses of `git checkout [TREE] -- FILES`, and possible ones of `git checkout WORD`, whose operand may
    /// be a file or a branch.
    fn checkout(&self, accesses: &mut FileAccesses) {
        if self.has(&["-b", "-B", "--orphan", "--detach", "-t", "--track"]) {
            return;
        }
        let filter = self.tracked_filter();
        let only_conflicts = self.call.options_named(&["--ours", "--theirs"]).next();
        let only_conflicts = only_conflicts.map(|given| Unknown::new(Cause::FileSelection, given.name.to_string()));
        for (path, certainty) in self.pathspecs() {
            // A branch cannot have such a name.
            let is_path = path.prefix().starts_with("./") || path.prefix().starts_with("../") || is_dots(&path);
            let certainty = match &only_conflicts {
                // `--ours` and `--theirs` only change files in conflict.
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

    /// Adds the accesses of `git stash` to the files that are named, and to untracked files.
    fn stash(&self, accesses: &mut FileAccesses) {
        let is_push = matches!(self.before_dashes.first().map(|word| word.known_text()), None | Some(Some("push")));
        let files = self.after_dashes.iter().flatten().copied();
        let named = self.before_dashes.iter().skip(1).copied();
        let filter = self.tracked_filter();
        let mut files: Vec<Word> =
            named.chain(files).filter(|_| is_push).filter_map(|word| self.pathspec(word)).collect();
        files.extend(self.everything_else().filter(|_| is_push));
        let files: Vec<Word> = files.iter().map(|file| self.path(file)).collect();
        for file in &files {
            accesses.add_below(Verb::Reads, file, &filter);
            accesses.add_below(Verb::Writes, file, &filter);
        }
        // Stashing removes untracked files from the working tree. Only those that are named, and with `--all` the
        // ignored ones, are reported. The others can be restored from the stash, so stashing them is an ordinary step
        // of work.
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

    /// Adds reads of the files that are named as `TREE:path`, that is, as a file in a commit.
    fn objects(&self, name: &str, accesses: &mut FileAccesses) {
        for word in &self.before_dashes {
            let tree = word.prefix().split_once(':').map(|(tree, _)| tree);
            if let Some(path) = tree.and_then(|tree| word.strip_prefix(&format!("{tree}:"))) {
                accesses.add_read(&self.path(&path));
            }
        }
        // With `--batch`, the objects to print are named on standard input.
        if let Some(given) = self.call.options_named(&["--batch", "--batch-command"]).next() {
            let why = Unknown::new(Cause::Input, given.name.to_string());
            accesses.add_possible(Verb::Reads, &Word::unknown(why.clone()), why);
        }
        if name == "show" {
            for file in self.after_dashes.iter().flatten().filter_map(|word| self.pathspec(word)) {
                accesses.add_read(&self.path(&file));
            }
        }
        if name == "archive" {
            self.values(&["-o"], Verb::Writes, accesses);
        }
    }

    /// Adds reads of the files whose contents a subcommand such as `git diff`, `git grep` or `git blame` prints.
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
            let mut files: Vec<Word> =
                named.into_iter().filter_map(|word| self.pathspec(word)).map(|word| self.path(&word)).collect();
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

    /// Adds the accesses of `git apply` and `git am`: reads of the patches, and writes of the files that the patch on
    /// standard input names. If that patch is not known, unknown files below the directory are written.
    fn apply(&self, name: &str, accesses: &mut FileAccesses) {
        const LOOKS: &[&str] = &["--check", "--stat", "--numstat", "--summary"];
        self.add_files(Verb::Reads, AccessExtent::PathOnly, accesses);
        let only_shows = self.has(LOOKS) && !self.has(&["--apply"]);
        if name == "apply" && (only_shows || self.has(&["--cached"])) || self.has(&["--abort", "--quit"]) {
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

    /// Adds the accesses of `git clone`: a read of a local repository, and a write of the new directory.
    fn clone(&self, accesses: &mut FileAccesses) {
        let Some(url) = self.before_dashes.first() else { return };
        if !is_remote(url) {
            accesses.add_below(Verb::Reads, &self.path(url), &FileFilter::default());
        }
        let without_slash = || strip_ending(url, "/").unwrap_or_else(|| (*url).clone());
        let default_directory =
            || base_name(&without_slash()).map(|name| path_in_revision(&strip_ending(&name, ".git").unwrap_or(name)));
        if let Some(directory) = self.before_dashes.get(1).map(|word| (*word).clone()).or_else(default_directory) {
            accesses.add_write(&self.path(&directory));
        }
    }

    /// Adds the accesses of commands with two subcommands: `git worktree add`, `git submodule add`, `git bundle
    /// create`.
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
                let default_directory = rest.first().and_then(|url| base_name(url));
                let default_directory = default_directory.map(|name| strip_ending(&name, ".git").unwrap_or(name));
                let path = rest.get(1).map(|path| (*path).clone()).or(default_directory);
                path.iter().for_each(|path| accesses.add_write(&self.path(path)));
            }
            ("bundle", Some("create")) => self.directories(rest.get(..1), accesses),
            _ => {}
        }
    }

    /// Adds the access of `git config --file F` to the file: a write if the command sets or removes a value, and
    /// otherwise a read.
    fn config(&self, accesses: &mut FileAccesses) {
        let shows = matches!(git_settings(&self.call.argv), None | Some(GitSettings::Shows));
        let verb = if shows { Verb::Reads } else { Verb::Writes };
        self.values(&["-f", "--file"], verb, accesses);
    }
}

/// Whether a subcommand adds objects to the repository.
fn writes_objects(name: &str) -> bool {
    matches!(
        name,
        "add"
            | "am"
            | "cherry-pick"
            | "commit"
            | "fast-import"
            | "fetch"
            | "gc"
            | "hash-object"
            | "merge"
            | "notes"
            | "pull"
            | "rebase"
            | "repack"
            | "revert"
            | "stage"
            | "stash"
            | "tag"
            | "unpack-objects"
            | "write-tree"
    )
}

/// Returns the name after the last `:` in `host:name`, or the whole name if it has no `:`.
fn path_in_revision(name: &Word) -> Word {
    match name.prefix().rsplit_once(':') {
        Some((before, _)) => name.strip_prefix(&format!("{before}:")).unwrap_or_else(|| name.clone()),
        None => name.clone(),
    }
}
