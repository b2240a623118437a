//! Code formatters: accesses to the files that are named, and to those that a formatter finds below a directory.
//!
//! Below a directory, a formatter changes the files of its languages, except those that git ignores. Hidden files are
//! included only if they are named, because formatting does not change the meaning of a settings file.

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::paths::as_exclusion;
use super::rows::FileUse;
use crate::access::{AccessExtent, FileFilter, FileSkipping, Verb};
use crate::word::{Cause, Unknown, Word};

/// Globs of the files that prettier formats.
const PRETTIER_GLOBS: &[&str] = &[
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

/// The directories and files that prettier skips or does not change. It does not change lock files, because package
/// managers format them in the same style.
const PRETTIER_EXCEPTIONS: &[&str] = &["node_modules/", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml"];

const PYTHON_GLOBS: &[&str] = &["*.py", "*.pyi", "*.ipynb"];

/// How a formatter treats its operands.
struct Formatter {
    /// The files that the formatter selects below a directory.
    filter: FileFilter,
    /// Why the formatter may skip some of these files; `None` if it formats all of them.
    doubt: Option<Unknown>,
    /// Whether the formatter writes the files, rather than only checking them.
    changes: bool,
}

impl Formatter {
    /// Adds the accesses to a named file or, if it is a directory, to the files below it.
    fn format(&self, file: &Word, accesses: &mut FileAccesses) {
        self.add_file(file, accesses);
        self.add_tree(file, &self.filter, accesses);
    }

    /// Returns the kinds of access to each file.
    fn verbs(&self) -> &'static [Verb] {
        if self.changes { &[Verb::Reads, Verb::Writes] } else { &[Verb::Reads] }
    }

    fn add_file(&self, file: &Word, accesses: &mut FileAccesses) {
        self.verbs().iter().for_each(|verb| accesses.add_certain(*verb, file));
    }

    /// Adds the accesses to the files below a directory that pass a filter.
    fn add_tree(&self, directory: &Word, filter: &FileFilter, accesses: &mut FileAccesses) {
        let known = accesses.found.len();
        self.verbs().iter().for_each(|verb| accesses.add_below(*verb, directory, filter));
        if let Some(why) = &self.doubt {
            accesses.make_uncertain(known, why);
        }
    }
}

/// Returns the operands with known names. Unknown ones are left out, because a formatter skips files that are not code.
fn files<'c>(call: &'c ParsedCommand<'_>) -> impl Iterator<Item = &'c Word> {
    let is_listed = |file: &Word| file.known_text().is_none();
    call.operands().iter().copied().filter(move |file| !is_listed(file))
}

fn globs(globs: &[&str]) -> Vec<String> {
    globs.iter().map(|glob| (*glob).to_owned()).collect()
}

/// Returns why the formatter may skip files: one of these options, which select files, is given. `None` if there is
/// none.
fn selection_reason(call: &ParsedCommand<'_>, names: &[&str]) -> Option<Unknown> {
    call.options_named(names).next().map(|given| Unknown::new(Cause::FileSelection, given.name.to_string()))
}

/// Adds the accesses of `prettier`.
pub(super) fn prettier(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    // An ignore list that is given replaces that of git.
    let doubt = selection_reason(call, &["--ignore-path"]);
    let mut except = globs(PRETTIER_EXCEPTIONS);
    if call.has_option(&["--with-node-modules"]) {
        except.retain(|glob| glob != "node_modules/");
    }
    except.extend(files(call).filter_map(|file| as_exclusion(&file.strip_prefix("!")?)));
    let filter = FileFilter {
        only: globs(PRETTIER_GLOBS).into(),
        except: except.into(),
        hidden: FileSkipping::Yes,
        ignored: if doubt.is_some() { FileSkipping::No } else { FileSkipping::Yes },
        ..FileFilter::default()
    };
    let formatter = Formatter { filter, doubt, changes: call.has_option(&["--write", "-w"]) };
    for file in files(call).filter(|file| !file.prefix().starts_with('!')) {
        match pattern(file) {
            None => formatter.format(file, accesses),
            Some((directory, name)) => {
                let only =
                    if matches!(name, "*" | "*.*") { formatter.filter.only.clone() } else { [name.to_owned()].into() };
                // If the pattern names hidden files, they are formatted too.
                let names_hidden = file.prefix().trim_start_matches("./").split('/').any(|name| name.starts_with('.'));
                let hidden = if names_hidden { FileSkipping::No } else { FileSkipping::Yes };
                let filter = FileFilter { only, hidden, ..formatter.filter.clone() };
                formatter.add_tree(&Word::text(directory), &filter, accesses);
            }
        }
    }
}

/// Splits a pattern into the directory above its first wildcard, and the glob of the name: `src/**/*.ts` into `src` and
/// `*.ts`. `None` if it has no wildcard.
fn pattern(file: &Word) -> Option<(&str, &str)> {
    let text = file.known_text()?;
    let is_pattern = |text: &str| text.contains(['*', '?', '[', '{']);
    if !is_pattern(text) {
        return None;
    }
    let (above, name) = text.rsplit_once('/').unwrap_or((".", text));
    let first = above.find(['*', '?', '[', '{']).and_then(|at| above.get(..at));
    let directory = first.map_or(above, |first| first.rsplit_once('/').map_or(".", |(directory, _)| directory));
    Some((if directory.is_empty() { "/" } else { directory }, name))
}

/// Adds the accesses of `black`.
pub(super) fn black(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let doubt = selection_reason(call, &["--include", "--exclude", "--extend-exclude", "--force-exclude"]);
    // With `--exclude`, black does not read git's ignore lists.
    let reads_all = call.has_option(&["--exclude"]);
    let filter = FileFilter {
        only: if call.has_option(&["--include"]) { Vec::new() } else { globs(PYTHON_GLOBS) }.into(),
        // With `--include`, hidden files may be selected.
        hidden: if call.has_option(&["--include"]) { FileSkipping::No } else { FileSkipping::Yes },
        ignored: if reads_all { FileSkipping::No } else { FileSkipping::Yes },
        ..FileFilter::default()
    };
    let formatter = Formatter { filter, doubt, changes: !call.has_option(&["--check", "--diff"]) };
    files(call).for_each(|file| formatter.format(file, accesses));
}

/// Returns what becomes of files that a program changes with one of these options.
fn change_with(call: &ParsedCommand<'_>, names: &[&str]) -> FileUse {
    if call.has_option(names) { FileUse::Change } else { FileUse::Read }
}

/// Returns what becomes of files that a program changes unless one of these options is given.
fn change_without(call: &ParsedCommand<'_>, names: &[&str]) -> FileUse {
    if call.has_option(names) { FileUse::Read } else { FileUse::Change }
}

/// Adds the accesses of a formatter that reads git's ignore lists and changes the files of its language.
fn format_named(call: &ParsedCommand<'_>, only: &[&str], file_use: FileUse, accesses: &mut FileAccesses) {
    let filter = FileFilter { only: globs(only).into(), ignored: FileSkipping::Yes, ..FileFilter::default() };
    let formatter = Formatter { filter, doubt: None, changes: file_use == FileUse::Change };
    files(call).for_each(|file| formatter.format(file, accesses));
}

/// Adds the accesses of a program that changes its operands with an option, and only shows the result without it.
pub(super) fn in_place(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let file_use = change_with(call, &["-i", "-w"]);
    call.operands().iter().for_each(|file| file_use.apply(file, &AccessExtent::PathOnly, accesses));
}

/// Adds the accesses of `qpdf IN [PAGES] OUT`, of which `.` is the input again, and of `--replace-input`.
pub(super) fn qpdf(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    if call.has_option(&["--replace-input"]) {
        return operands.iter().take(1).for_each(|file| FileUse::Change.apply(file, &AccessExtent::PathOnly, accesses));
    }
    match operands.split_last() {
        Some((target, sources)) if !sources.is_empty() || call.has_option(&["--empty"]) => {
            sources.iter().for_each(|source| accesses.add_read(source));
            accesses.add_write(target);
        }
        _ => operands.iter().for_each(|source| accesses.add_read(source)),
    }
}

/// Adds the accesses of `pdftk IN… cat 1-3 output OUT`: the word behind `output` is written.
pub(super) fn pdftk(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    let at = operands.iter().position(|word| word.known_text() == Some("output")).unwrap_or(operands.len());
    let is_verb =
        |word: &&&Word| word.known_text().is_some_and(|text| text.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
    let inputs = operands.get(..at).unwrap_or_default().iter().take_while(|word| !is_verb(word));
    inputs.for_each(|input| FileUse::Named.apply(input, &AccessExtent::PathOnly, accesses));
    operands.iter().skip(at + 1).take(1).for_each(|file| accesses.add_write(file));
}

/// Adds the accesses of `gofmt`, which changes files with `-w`.
pub(super) fn gofmt(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    format_named(call, &["*.go"], change_with(call, &["-w"]), accesses);
}

/// Adds the accesses of `shfmt`, which changes files with `-w`.
pub(super) fn shfmt(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    format_named(call, &["*.sh", "*.bash"], change_with(call, &["-w", "--write"]), accesses);
}

/// Adds the accesses of `isort`.
pub(super) fn isort(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    format_named(
        call,
        PYTHON_GLOBS,
        change_without(call, &["--check-only", "--check", "-c", "--diff", "-d"]),
        accesses,
    );
}

/// Adds the accesses of `ruff check`, which changes files with `--fix`.
pub(super) fn ruff_check(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let file_use = match change_without(call, &["--diff"]) {
        FileUse::Change => change_with(call, &["--fix", "--fix-only", "--add-noqa"]),
        read => read,
    };
    format_named(call, PYTHON_GLOBS, file_use, accesses);
}

/// Adds the accesses of `ruff format`.
pub(super) fn ruff_format(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    format_named(call, PYTHON_GLOBS, change_without(call, &["--check", "--diff"]), accesses);
}

/// Adds the accesses of `clang-format`, which formats only the named files, and changes them with `-i`.
pub(super) fn clang_format(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let file_use = match change_without(call, &["--dry-run", "-n"]) {
        FileUse::Change => change_with(call, &["-i"]),
        read => read,
    };
    files(call).for_each(|file| file_use.apply(file, &crate::access::AccessExtent::PathOnly, accesses));
}

/// Adds the accesses of `sd FIND REPLACEMENT FILES`.
pub(super) fn sd(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let file_use = change_without(call, &["--preview", "-p"]);
    for file in call.operands().get(2..).unwrap_or_default() {
        file_use.apply(file, &crate::access::AccessExtent::PathOnly, accesses);
    }
}

/// Adds the accesses of `rustfmt` to the named files. It does not format directories. The files of modules, which it
/// finds itself, are left out.
pub(super) fn rustfmt(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let file_use = if call.has_option(&["--check"]) { FileUse::Read } else { FileUse::Change };
    files(call).for_each(|file| file_use.apply(file, &crate::access::AccessExtent::PathOnly, accesses));
}

/// Adds the accesses of `rules check`, which changes policies with `--fix`.
pub(super) fn rules_check(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let changes = call.has_option(&["--fix"]) && !call.has_option(&["--diff"]);
    policies(call, if changes { FileUse::Change } else { FileUse::Read }, accesses);
}

/// Adds the accesses of `rules fmt`.
pub(super) fn rules_fmt(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let reads = call.has_option(&["--check", "--diff", "--stdin-filename"]);
    policies(call, if reads { FileUse::Read } else { FileUse::Change }, accesses);
}

/// Adds the accesses to the policies that are named or, if none is, to those in `.rules`.
fn policies(call: &ParsedCommand<'_>, file_use: FileUse, accesses: &mut FileAccesses) {
    let filter = FileFilter { only: globs(&["*.rules"]).into(), ..FileFilter::default() };
    let formatter = Formatter { filter, doubt: None, changes: file_use == FileUse::Change };
    let project = Word::text(".rules");
    let named = call.operands().iter().copied().filter(|file| file.known_text() != Some("-"));
    let default = call.operands().is_empty().then_some(&project);
    named.chain(default).for_each(|file| formatter.format(file, accesses));
}
