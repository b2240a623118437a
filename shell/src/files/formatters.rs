//! Code formatters: the files that they pick on their own, and those that are named.
//!
//! Below a directory, they format the files in their languages, and skip those that git ignores. Hidden files there are
//! reported only if they are named: a settings file means the same after formatting.

use super::accesses::FileAccesses;
use super::call::Call;
use super::paths::as_exclusion;
use super::rows::Use;
use crate::access::{Filter, Skipped, Verb};
use crate::word::{Cause, Unknown, Word};

/// The endings of the files that prettier formats.
const WEB: &[&str] = &[
    "*.js",
    "*.cjs",
    "*.mjs",
    "*.jsx",
    "*.ts",
    "*.cts",
    "*.mts",
    "*.tsx",
    "*.vue",
    "*.json",
    "*.json5",
    "*.jsonc",
    "*.css",
    "*.scss",
    "*.less",
    "*.html",
    "*.htm",
    "*.hbs",
    "*.handlebars",
    "*.md",
    "*.mdx",
    "*.markdown",
    "*.yaml",
    "*.yml",
    "*.graphql",
    "*.gql",
];

/// The files that it skips, and those that package managers format as it does.
const KEPT: &[&str] = &["node_modules/", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml"];

const PYTHON: &[&str] = &["*.py", "*.pyi", "*.ipynb"];

/// What a formatter does with its operands.
struct Formatter {
    /// The files that it formats below a directory.
    filter: Filter,
    /// Why it may skip some of them.
    doubt: Option<Unknown>,
    changes: bool,
}

impl Formatter {
    /// Adds the named file, and the files below it.
    fn format(&self, file: &Word, accesses: &mut FileAccesses) {
        self.named(file, accesses);
        self.below(file, &self.filter, accesses);
    }

    fn verbs(&self) -> &'static [Verb] {
        if self.changes { &[Verb::Reads, Verb::Writes] } else { &[Verb::Reads] }
    }

    fn named(&self, file: &Word, accesses: &mut FileAccesses) {
        self.verbs().iter().for_each(|verb| accesses.at(*verb, file));
    }

    fn below(&self, directory: &Word, filter: &Filter, accesses: &mut FileAccesses) {
        let known = accesses.found.len();
        self.verbs().iter().for_each(|verb| accesses.below(*verb, directory, filter));
        if let Some(why) = &self.doubt {
            accesses.doubt(known, why);
        }
    }
}

/// Returns the operands with known names: a formatter skips those of an unknown list that are not code.
fn files<'c>(call: &'c Call<'_>) -> impl Iterator<Item = &'c Word> {
    let is_listed = |file: &Word| file.known().is_none();
    call.operands().iter().copied().filter(move |file| !is_listed(file))
}

fn globs(globs: &[&str]) -> Vec<String> {
    globs.iter().map(|glob| (*glob).to_owned()).collect()
}

/// Returns why files may be left out, if an option that picks files is given.
fn picked(call: &Call<'_>, names: &[&str]) -> Option<Unknown> {
    call.given(names).next().map(|given| Unknown::new(Cause::Picked, given.name.to_string()))
}

pub(super) fn prettier(call: &Call<'_>, accesses: &mut FileAccesses) {
    // Its own ignore list replaces git's.
    let doubt = picked(call, &["--ignore-path"]);
    let mut except = globs(KEPT);
    if call.has(&["--with-node-modules"]) {
        except.retain(|glob| glob != "node_modules/");
    }
    except.extend(files(call).filter_map(|file| as_exclusion(&file.after("!")?)));
    let filter = Filter {
        only: globs(WEB).into(),
        except: except.into(),
        hidden: Skipped::Yes,
        ignored: if doubt.is_some() { Skipped::No } else { Skipped::Yes },
        ..Filter::default()
    };
    let formatter = Formatter { filter, doubt, changes: call.has(&["--write", "-w"]) };
    for file in files(call).filter(|file| !file.prefix().starts_with('!')) {
        match pattern(file) {
            None => formatter.format(file, accesses),
            Some((directory, name)) => {
                let only =
                    if matches!(name, "*" | "*.*") { formatter.filter.only.clone() } else { [name.to_owned()].into() };
                // A file named by a pattern is formatted even if it is hidden.
                let names_hidden = file.prefix().trim_start_matches("./").split('/').any(|name| name.starts_with('.'));
                let hidden = if names_hidden { Skipped::No } else { Skipped::Yes };
                let filter = Filter { only, hidden, ..formatter.filter.clone() };
                formatter.below(&Word::text(directory), &filter, accesses);
            }
        }
    }
}

/// Splits a pattern into the directory that it begins in and the glob of a name; anything may be between them.
fn pattern(file: &Word) -> Option<(&str, &str)> {
    let text = file.known()?;
    let is_pattern = |text: &str| text.contains(['*', '?', '[', '{']);
    if !is_pattern(text) {
        return None;
    }
    let (above, name) = text.rsplit_once('/').unwrap_or((".", text));
    let first = above.find(['*', '?', '[', '{']).and_then(|at| above.get(..at));
    let directory = first.map_or(above, |first| first.rsplit_once('/').map_or(".", |(directory, _)| directory));
    Some((if directory.is_empty() { "/" } else { directory }, name))
}

pub(super) fn black(call: &Call<'_>, accesses: &mut FileAccesses) {
    let doubt = picked(call, &["--include", "--exclude", "--extend-exclude", "--force-exclude"]);
    // With `--exclude`, it does not read git's ignore lists.
    let reads_all = call.has(&["--exclude"]);
    let filter = Filter {
        only: if call.has(&["--include"]) { Vec::new() } else { globs(PYTHON) }.into(),
        // Files to include may be hidden.
        hidden: if call.has(&["--include"]) { Skipped::No } else { Skipped::Yes },
        ignored: if reads_all { Skipped::No } else { Skipped::Yes },
        ..Filter::default()
    };
    let formatter = Formatter { filter, doubt, changes: !call.has(&["--check", "--diff"]) };
    files(call).for_each(|file| formatter.format(file, accesses));
}

/// `rustfmt`: it formats no directories, and finds the modules of a file on its own.
pub(super) fn rustfmt(call: &Call<'_>, accesses: &mut FileAccesses) {
    let becomes = if call.has(&["--check"]) { Use::Read } else { Use::Change };
    files(call).for_each(|file| becomes.apply(file, &crate::access::Extent::Alone, accesses));
}

pub(super) fn rules_check(call: &Call<'_>, accesses: &mut FileAccesses) {
    let changes = call.has(&["--fix"]) && !call.has(&["--diff"]);
    policies(call, if changes { Use::Change } else { Use::Read }, accesses);
}

pub(super) fn rules_fmt(call: &Call<'_>, accesses: &mut FileAccesses) {
    let reads = call.has(&["--check", "--diff", "--stdin-filename"]);
    policies(call, if reads { Use::Read } else { Use::Change }, accesses);
}

/// Adds the named policies, or that of the project.
fn policies(call: &Call<'_>, becomes: Use, accesses: &mut FileAccesses) {
    let filter = Filter { only: globs(&["*.rules"]).into(), ..Filter::default() };
    let formatter = Formatter { filter, doubt: None, changes: becomes == Use::Change };
    let project = Word::text(".rules");
    let named = call.operands().iter().copied().filter(|file| file.known() != Some("-"));
    let default = call.operands().is_empty().then_some(&project);
    named.chain(default).for_each(|file| formatter.format(file, accesses));
}
