//! Reads the state of git in a directory only from files: HEAD, the files `.git` and `commondir`, and the remote
//! `origin` in the config without its includes. `GIT_*` variables are ignored.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Fact, GitState, read_metadata, resolve};
use crate::files::{self, ReadError};
use crate::platform::paths::{portable, shown};
use hookrules_shell::path::normalise;

/// The maximum number of bytes that are read of HEAD, `.git` and `commondir`; all are smaller.
const MAX_SMALL_FILE: u64 = 64 * 1024;
/// The maximum number of bytes that are read of a config, more than people write.
const MAX_CONFIG: u64 = 1024 * 1024;
/// The maximum number of entries of `worktrees` that are read.
const MAX_WORKTREES: usize = 1_000;

/// The directories of one working tree.
#[derive(Clone, Debug)]
pub(super) struct Repository {
    /// The root of the working tree.
    pub(super) root: PathBuf,
    /// The git directory of this working tree.
    git_dir: PathBuf,
    /// The git directory that all working trees of the repository share.
    common_dir: PathBuf,
}

/// Reads the state of git in a working tree.
pub(super) fn read(repository: &Repository) -> Fact<GitState> {
    let branch = read_branch(&repository.git_dir)?;
    let remote = match read_text(&repository.common_dir.join("config"), MAX_CONFIG)? {
        Some(config) => origin_url(&config).map(|url| strip_user_info(&url)),
        None => None,
    };
    let worktree = is_linked(repository);
    let root = (!repository.is_bare()).then(|| repository.root.clone());
    Ok(Some(GitState { branch, remote, worktree, root }))
}

/// Returns the directories in the linked worktrees of a project's repository that correspond to the project, whose links
/// are resolved.
///
/// The agent can write into a git directory. So a worktree only counts if its `.git` file names the entry of
/// `worktrees` that names the worktree; otherwise an agent could make any directory part of the project by adding an
/// entry.
pub(super) fn linked_worktrees(repository: &Repository, project: &Path) -> Vec<PathBuf> {
    if repository.is_bare() {
        return Vec::new();
    }
    if repository.git_dir != repository.common_dir && !is_mutually_linked(&repository.root, &repository.git_dir) {
        return Vec::new();
    }
    let Ok(below_root) = project.strip_prefix(&repository.root) else { return Vec::new() };
    let Ok(entries) = fs::read_dir(repository.common_dir.join("worktrees")) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .take(MAX_WORKTREES)
        .filter_map(|entry| {
            let entry = entry.ok()?.path();
            let root = worktree_of(&entry)?;
            is_mutually_linked(&root, &entry)
                .then(|| portable(root.components().chain(below_root.components()).collect()))
        })
        .filter(|dir| dir != project)
        .collect();
    found.sort();
    found
}

/// Returns the main working tree of a repository, given the root of a linked worktree. `None` for any other
/// directory, and if the repository has no main working tree.
#[must_use]
pub fn main_worktree(root: &Path) -> Option<PathBuf> {
    let repository = repository_at(&resolve(root)).ok().flatten()?;
    let main = repository.common_dir.parent().filter(|_| repository.common_dir.ends_with(".git"))?;
    let is_genuine = is_linked(&repository) && is_mutually_linked(&repository.root, &repository.git_dir);
    is_genuine.then(|| main.to_path_buf())
}

impl Repository {
    /// Whether the repository has no working tree.
    fn is_bare(&self) -> bool {
        self.git_dir == self.root
    }
}

/// Returns the repository whose root is this directory, whose links are resolved; `None` if there is none. It is the
/// `.git` in the directory, or the directory if that is a bare repository, since git also uses the settings of that.
pub(super) fn repository_at(root: &Path) -> Fact<Repository> {
    if let Some(repository) = repository_from_dot_git(root)? {
        return Ok(Some(repository));
    }
    let root_path = || root.to_owned();
    Ok(is_repository(root)?.then(|| Repository { root: root_path(), git_dir: root_path(), common_dir: root_path() }))
}

/// Returns the repository that `.git` in a directory is, or names. `None` if there is no `.git`, or if it is an
/// ordinary directory.
fn repository_from_dot_git(root: &Path) -> Fact<Repository> {
    let dot_git = root.join(".git");
    let Some(metadata) = read_metadata(&dot_git)? else { return Ok(None) };
    let git_dir = match metadata.is_dir() {
        // The links of the root are resolved.
        true if !dot_git.is_symlink() => dot_git.clone(),
        true => resolve(&dot_git),
        false => match git_dir_of(root)? {
            Some(named) => named,
            None => return Ok(None),
        },
    };
    // Like git, continue with the ancestors if the directory `.git` is not a repository.
    if fs::symlink_metadata(git_dir.join("HEAD")).is_err() {
        if metadata.is_dir() {
            return Ok(None);
        }
        return Err(format!("{} does not lead to a repository", shown(&dot_git)));
    }
    let common = match read_text(&git_dir.join("commondir"), MAX_SMALL_FILE)? {
        Some(text) => resolve(&normalise(text.trim_end_matches(['\n', '\r']), &git_dir, None)),
        None => git_dir.clone(),
    };
    Ok(Some(Repository { root: root.to_path_buf(), git_dir, common_dir: common }))
}

/// Whether git treats a directory as a repository: it has `HEAD`, `objects` and `refs`.
fn is_repository(directory: &Path) -> Result<bool, String> {
    let has_directory =
        |name: &str| read_metadata(&directory.join(name)).map(|found| found.is_some_and(|found| found.is_dir()));
    Ok(fs::symlink_metadata(directory.join("HEAD")).is_ok() && has_directory("objects")? && has_directory("refs")?)
}

/// Returns the git directory that the file `.git` of a working tree names; `None` if there is no such file.
fn git_dir_of(root: &Path) -> Fact<PathBuf> {
    let path = root.join(".git");
    let Some(text) = read_text(&path, MAX_SMALL_FILE)? else { return Ok(None) };
    let named = text.strip_prefix("gitdir: ").map(|named| named.trim_end_matches(['\n', '\r']));
    let named = named.filter(|named| !named.is_empty());
    let named = named.ok_or_else(|| format!("{} does not name a git directory", shown(&path)))?;
    Ok(Some(resolve(&normalise(named, root, None))))
}

/// Returns the working tree that an entry of a repository's `worktrees` names in its file `gitdir`.
fn worktree_of(entry: &Path) -> Option<PathBuf> {
    let text = read_text(&entry.join("gitdir"), MAX_SMALL_FILE).ok().flatten()?;
    let dot_git = normalise(text.trim_end_matches(['\n', '\r']), entry, None);
    (dot_git.file_name()? == ".git").then_some(())?;
    dot_git.parent().map(resolve)
}

/// Whether the `.git` file of a working tree and an entry of `worktrees` name each other.
fn is_mutually_linked(root: &Path, entry: &Path) -> bool {
    let entry = resolve(entry);
    worktree_of(&entry).is_some_and(|named| named == *root)
        && git_dir_of(root).is_ok_and(|named| named.is_some_and(|named| named == entry))
}

/// Whether the working tree is a linked worktree: its git directory is an entry of `worktrees`. That of a submodule
/// is not, since it is a separate repository.
fn is_linked(repository: &Repository) -> bool {
    repository.git_dir.parent().is_some_and(|parent| parent == repository.common_dir.join("worktrees"))
}

/// Returns the branch that HEAD names; `None` if HEAD is a commit, or a ref that is not a branch.
fn read_branch(git_dir: &Path) -> Fact<String> {
    let head = git_dir.join("HEAD");
    let target = match files::read(&head, MAX_SMALL_FILE) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| "HEAD is not UTF-8".to_owned())?;
            let text = text.trim_end();
            match text.strip_prefix("ref:") {
                Some(target) => target.trim_start().to_owned(),
                None if is_commit(text) => return Ok(None),
                None => return Err("HEAD is neither a branch nor a commit".to_owned()),
            }
        }
        // In old repositories, HEAD is a symbolic link to the ref.
        Err(ReadError::Link) => {
            let target =
                fs::read_link(&head).map_err(|error| format!("HEAD cannot be read: {}", files::reason(&error)))?;
            target.to_str().ok_or("HEAD is not UTF-8")?.to_owned()
        }
        Err(error) => return Err(format!("HEAD {error}")),
    };
    if target == "refs/heads/.invalid" {
        return Err("the repository keeps its refs in a reftable, which is not read".to_owned());
    }
    Ok(target.strip_prefix("refs/heads/").filter(|branch| !branch.is_empty()).map(str::to_owned))
}

/// Whether a text is the hexadecimal name of a commit.
fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the text of a file; `None` if there is no file.
fn read_text(path: &Path, limit: u64) -> Fact<String> {
    match files::read(path, limit) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| format!("{} is not UTF-8", shown(&path))),
        Err(ReadError::NotFound) => Ok(None),
        Err(error) => Err(format!("{} {error}", shown(&path))),
    }
}

/// Returns the first `url` in the section `[remote "origin"]`, which is the one that git displays.
fn origin_url(config: &str) -> Option<String> {
    let mut lines = config.lines();
    let mut in_origin = false;
    while let Some(line) = lines.next() {
        let mut rest = line.trim();
        if rest.starts_with('[') {
            let end = section_end(rest)?;
            in_origin = is_origin(rest.get(1..end)?);
            rest = rest.get(end + 1..)?.trim();
        }
        let mut logical = rest.to_owned();
        // A backslash at the end of a line continues the value.
        while !logical.starts_with(['#', ';']) && trailing_backslashes(&logical) % 2 == 1 {
            logical.pop();
            logical.push_str(lines.next().unwrap_or_default());
        }
        if let Some((key, value)) = logical.split_once('=').filter(|_| in_origin)
            && key.trim().eq_ignore_ascii_case("url")
        {
            return Some(config_value(value));
        }
    }
    None
}

/// Returns the number of backslashes at the end of a text.
fn trailing_backslashes(text: &str) -> usize {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count()
}

/// Returns the index of the `]` that ends a section header, not counting those in quotes.
fn section_end(line: &str) -> Option<usize> {
    let mut in_quotes = false;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_quotes => escaped = true,
            '"' => in_quotes = !in_quotes,
            ']' if !in_quotes => return Some(at),
            _ => {}
        }
    }
    None
}

/// Whether a section header is `remote "origin"`, or `remote.origin` in the old format.
fn is_origin(header: &str) -> bool {
    match header.split_once(char::is_whitespace) {
        Some((name, sub)) => name.eq_ignore_ascii_case("remote") && sub.trim() == "\"origin\"",
        None => header.eq_ignore_ascii_case("remote.origin"),
    }
}

/// Decodes the value of a setting: removes quotes and comments, and resolves escapes.
fn config_value(text: &str) -> String {
    let mut value = String::new();
    // The length of the value without blanks at its end; blanks in quotes are kept.
    let mut length_to_keep = 0;
    let mut in_quotes = false;
    let mut chars = text.trim_start().chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => in_quotes = !in_quotes,
            '\\' => match chars.next() {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some(other) => value.push(other),
                None => {}
            },
            '#' | ';' if !in_quotes => break,
            other => value.push(other),
        }
        if in_quotes || !c.is_whitespace() {
            length_to_keep = value.len();
        }
    }
    value.truncate(length_to_keep);
    value
}

/// Returns a URL without `user:password@`. The form `git@host:path` of ssh contains no password and is unchanged.
fn strip_user_info(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match authority.rfind('@').and_then(|at| rest.get(at + 1..)) {
        Some(host) => format!("{scheme}://{host}"),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests;
