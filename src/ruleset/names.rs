//! The names by which people refer to rules.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::PolicyBase;
use crate::syntax::string_literal;
use hookrules_shell::path::{join, normalise};

use super::Rule;

/// The names of rules as people write them in one place: in a test, or on a command line.
///
/// A rule can be called by its name (`no-force-push`, `std/git/no-force-push`), its displayed name (`user/no-sudo`), or
/// the last part of its name. With its directory, it is a path relative to the place: `./api/brief-the-session`.
#[derive(Clone, Debug, Default)]
pub struct RuleNames {
    /// The directories with policies.
    directories: Vec<(PolicyBase, PathBuf)>,
    /// The directory that paths are relative to; `None` if paths cannot be used.
    from: Option<PathBuf>,
}

impl RuleNames {
    /// Creates the names as written in the directory `from`, given the directories with policies.
    #[must_use]
    pub fn new(directories: Vec<(PolicyBase, PathBuf)>, from: Option<PathBuf>) -> Self {
        Self { directories, from }
    }

    /// Whether a text is a path to a rule: `./api/brief-the-session`.
    #[must_use]
    pub fn is_path(text: &str) -> bool {
        text.starts_with("./") || text.starts_with("../")
    }

    /// Returns the rules that a name may mean: those with exactly this name, or else those with this last part. Among
    /// rules of several directories, one of the directory in which the name is written comes first.
    #[must_use]
    pub fn find<'r>(&self, rules: &'r [Arc<Rule>], name: &str) -> Vec<(usize, &'r Arc<Rule>)> {
        let all = || rules.iter().enumerate();
        let mut matches: Vec<_> = all().filter(|(_, rule)| self.is_full_name(rule, name)).collect();
        if matches.is_empty() {
            matches = all().filter(|(_, rule)| Self::is_last_part(rule, name)).collect();
        }
        if matches.len() > 1 && matches.iter().any(|(_, rule)| self.is_here(rule)) {
            matches.retain(|(_, rule)| self.is_here(rule));
        }
        matches
    }

    /// Whether a name is a rule's full name, or the last part of its name.
    #[must_use]
    pub fn may_be(&self, rule: &Rule, name: &str) -> bool {
        self.is_full_name(rule, name) || Self::is_last_part(rule, name)
    }

    /// Returns a name that no other rule has: a path with its directory if the displayed name includes that, else the
    /// displayed name.
    #[must_use]
    pub fn unique_name(&self, rule: &Rule) -> String {
        let is_shown_alone = rule.display_name.ends_with(&rule.name);
        match (is_shown_alone, self.path(rule), &self.from) {
            (false, Some(path), Some(from)) => relative_path(&path, from),
            _ => rule.display_name.clone(),
        }
    }

    /// Returns the unique name as a test writes it: in quotes if a plain word cannot have one of its characters.
    #[must_use]
    pub fn name_in_test(&self, rule: &Rule) -> String {
        let name = self.unique_name(rule);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        if name.chars().all(is_plain) { name } else { string_literal(&name, "") }
    }

    fn is_full_name(&self, rule: &Rule, name: &str) -> bool {
        match (&self.from, Self::is_path(name)) {
            (Some(from), true) => {
                let path = normalise(name, from, None);
                let last = rule.name.rsplit('/').next().unwrap_or_default();
                self.directories_of(rule).any(|dir| path == dir.join(&rule.name) || path == dir.join(last))
            }
            (None, true) => false,
            (_, false) => {
                let of_layer = name.strip_prefix(rule.layer.prefix());
                rule.display_name == name || rule.name == name || of_layer == Some(rule.name.as_str())
            }
        }
    }

    fn is_last_part(rule: &Rule, name: &str) -> bool {
        rule.name.rsplit('/').next() == Some(name)
    }

    /// Whether a rule belongs to the directory in which names are written.
    fn is_here(&self, rule: &Rule) -> bool {
        self.from.as_deref().is_some_and(|from| self.directories_of(rule).any(|directory| directory == from))
    }

    fn directories_of(&self, rule: &Rule) -> impl Iterator<Item = &Path> {
        let is_meant = |base: &PolicyBase| *base == rule.base || rule.also_of.contains(base);
        self.directories.iter().filter(move |(base, _)| is_meant(base)).map(|(_, path)| path.as_path())
    }

    fn path(&self, rule: &Rule) -> Option<PathBuf> {
        let directory = self.directories.iter().find(|(base, _)| *base == rule.base);
        Some(join(&directory?.1, rule.name.as_ref()))
    }
}

/// Returns a path relative to a directory, with `./` or `../` at its start.
fn relative_path(path: &Path, from: &Path) -> String {
    let shared = from.ancestors().position(|above| path.starts_with(above)).unwrap_or_default();
    let above = from.ancestors().nth(shared).unwrap_or(from);
    let inner = path.strip_prefix(above).unwrap_or(path).to_string_lossy();
    match shared {
        0 => format!("./{inner}"),
        levels => format!("{}{inner}", "../".repeat(levels)),
    }
}
