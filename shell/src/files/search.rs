//! Programs that search in files (`grep`, `rg`, `ag`), and the results of programs such as `find` and `fd`, which
//! further commands process.

mod entered;
mod expression;
mod find;
mod listed;

use std::sync::Arc;

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::paths::{GlobSigns, as_exclusion, as_glob, in_any_case};
use crate::access::{FileFilter, FileSkipping, Verb};
use crate::files::StdinKind;
use crate::word::{Cause, Unknown, Word};

pub use entered::{EnteredDepth, EnteredDirectory, entered_directories};
pub(super) use find::{FileSearch, fd, find, running_search};
pub(crate) use listed::is_line_filter;
pub use listed::prints_operands;
pub(super) use listed::{names_from_input, names_in_redirect};

/// Adds the accesses of `grep`: reads of its files or, with `-r`, of the files below them.
pub(super) fn grep(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let is_recursive = call.has_option(&["-r", "-R", "--recursive", "--dereference-recursive"])
        || call.values(&["-d", "--directories"]).any(|value| value.known_text() == Some("recurse"));
    if is_recursive {
        return grep_below(call, accesses);
    }
    for file in files(call) {
        accesses.add_read(file);
    }
}

/// Adds the accesses of a `grep` that searches directories.
pub(super) fn grep_below(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let filter = FileFilter {
        only: globs(call, &["--include"]).unwrap_or_default().into(),
        except: excluded_globs(call, &["--exclude", "--exclude-dir"]),
        ..FileFilter::default()
    };
    add_operand_trees(call, &filter, accesses);
}

/// Whether a word is a switch of Windows: `/i`, and `//i` where Git's bash would take `/i` for a path.
fn is_slash_switch(word: &Word) -> bool {
    word.known_text().is_some_and(|text| text.starts_with('/') && !text.trim_start_matches('/').contains('/'))
}

/// Adds the accesses of `comp` and `fc` of Windows: reads of the files that they compare.
pub(super) fn comp(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    call.operands().iter().filter(|word| !is_slash_switch(word)).for_each(|file| accesses.add_read(file));
}

/// Adds the accesses of `findstr` and `find` of Windows: reads of their files. The first operand is the text that is
/// searched for, unless a switch states it.
pub(super) fn findstr(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let states_text = |word: &&Word| {
        let switch = word.known_text().map(|text| text.trim_start_matches('/').to_ascii_lowercase());
        is_slash_switch(word) && switch.is_some_and(|text| text.starts_with("c:") || text.starts_with("g:"))
    };
    let has_text = call.operands().iter().any(states_text);
    let files = call.operands().iter().filter(|word| !is_slash_switch(word)).skip(usize::from(!has_text));
    files.for_each(|file| accesses.add_read(file));
}

/// Adds the accesses of `rg`.
pub(super) fn rg(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let filter = rg_filter(call);
    let accesses_before = accesses.found.len();
    add_operand_trees(call, &filter, accesses);
    if let Some(kind) = types(call).err() {
        accesses.make_uncertain(accesses_before, &Unknown::new(Cause::AmbiguousWord, kind));
    }
    // A file that is named is searched even if its name does not match the globs.
    if !filter.only.is_empty() {
        files(call).iter().for_each(|file| accesses.add_read(file));
    }
}

/// Returns the globs of the file types that `rg -t` names.
///
/// # Errors
/// Returns the name of a type whose globs are not known here.
fn types(call: &ParsedCommand<'_>) -> Result<Vec<String>, String> {
    let mut globs = Vec::new();
    let changes = call.has_option(&["--type-add", "--type-clear"]);
    for kind in call.values(&["-t", "--type"]) {
        let row = TYPES.iter().find(|(names, _)| kind.known_text().is_some_and(|kind| names.contains(&kind)));
        let (_, row) = row.filter(|_| !changes && call.is_program(&["rg"])).ok_or_else(|| kind.display_text())?;
        globs.extend(row.iter().map(|glob| (*glob).to_owned()));
    }
    Ok(globs)
}

/// File types of ripgrep, with all of their names and their globs. Types with other globs than those of extensions and
/// plain names are left out.
const TYPES: &[(&[&str], &[&str])] = &[
    (&["rust"], &["*.rs"]),
    (&["py", "python"], &["*.py", "*.pyi"]),
    (&["js"], &["*.js", "*.jsx", "*.cjs", "*.mjs", "*.vue"]),
    (&["ts", "typescript"], &["*.ts", "*.tsx", "*.cts", "*.mts"]),
    (&["go"], &["*.go"]),
    (&["java"], &["*.java", "*.jsp", "*.jspx", "*.properties"]),
    (&["kotlin"], &["*.kt", "*.kts"]),
    (&["swift"], &["*.swift"]),
    (&["zig"], &["*.zig"]),
    (&["css"], &["*.css", "*.scss"]),
    (&["html"], &["*.htm", "*.html", "*.ejs"]),
    (&["json"], &["*.json", "*.sarif", "composer.lock"]),
    (&["toml"], &["*.toml", "Cargo.lock"]),
    (&["yaml"], &["*.yaml", "*.yml"]),
    (&["md", "markdown"], &["*.md", "*.markdown", "*.mdown", "*.mdwn", "*.mdx", "*.mkd", "*.mkdn"]),
];

/// Adds reads of the files below these paths or, without any, below the working directory.
fn add_paths_below(call: &ParsedCommand<'_>, files: &[&Word], accesses: &mut FileAccesses) {
    let filter = rg_filter(call);
    let here = Word::text(".");
    let files = if files.is_empty() { &[&here][..] } else { files };
    files.iter().for_each(|file| accesses.add_below(Verb::Reads, file, &filter));
}

/// Returns the filter of the files that `rg` selects below a directory.
fn rg_filter(call: &ParsedCommand<'_>) -> FileFilter {
    let unrestricted = call.options_named(&["-u", "--unrestricted"]).count();
    let skipping_unless = |seen| if seen { FileSkipping::No } else { FileSkipping::Yes };
    let is_folded = call.has_option(&["--glob-case-insensitive"]);
    let folded: Vec<Word> = call
        .values(&["-g", "--glob"])
        .filter(|_| is_folded)
        .chain(call.values(&["--iglob"]))
        .map(glob_in_any_case)
        .collect();
    let globs = call.values(&["-g", "--glob"]).filter(|_| !is_folded);
    let globs: Vec<&Word> = globs.chain(&folded).collect();
    let (exclusions, inclusions): (Vec<&Word>, Vec<&Word>) =
        globs.into_iter().partition(|glob| glob.prefix().starts_with('!'));
    let is_readable = |word: &&Word| as_glob(word).is_some();
    // An unknown glob may include or exclude files, and takes precedence over the globs before it. So if one is
    // unknown, none is used.
    let is_known = exclusions.iter().chain(&inclusions).all(is_readable);
    let only: Vec<String> = inclusions.into_iter().filter(|_| is_known).filter_map(rg_glob).collect();
    let except = exclusions.into_iter().filter(|_| is_known).filter_map(as_exclusion);
    // A file that a glob includes is searched even if it is hidden or ignored.
    let has_inclusions = !only.is_empty();
    // If a glob includes files, the options for types have no effect.
    let only = if has_inclusions { only } else { types(call).unwrap_or_default() };
    FileFilter {
        only: only.into(),
        except: except.map(|glob| glob.trim_start_matches('!').to_owned()).collect(),
        hidden: skipping_unless(has_inclusions || unrestricted > 1 || call.has_option(&["--hidden", "-."])),
        ignored: skipping_unless(
            has_inclusions || unrestricted > 0 || call.has_option(&["--no-ignore", "--no-ignore-vcs"]),
        ),
        ..FileFilter::default()
    }
}

/// Returns a glob that matches at least the names that this glob matches if case is ignored. An exclusion is returned
/// unchanged.
fn glob_in_any_case(word: &Word) -> Word {
    let text = word.known_text().filter(|text| !text.starts_with('!'));
    text.map_or_else(|| word.clone(), |text| Word::text(in_any_case(text, GlobSigns::Active).display_text()))
}

/// Returns a glob that matches at least what a glob of ripgrep matches. ripgrep has no named classes: in
/// `[[:alpha:]`, the `]` ends the class.
fn rg_glob(word: &Word) -> Option<String> {
    let glob = as_glob(word)?;
    let named = ["[[:", "[[.", "[[="].into_iter().filter_map(|sign| glob.find(sign)).min();
    Some(match named.and_then(|at| glob.get(..at)) {
        Some(before) => format!("{before}*"),
        None => glob,
    })
}

/// Adds the accesses of `ag`.
pub(super) fn ag(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let is_unrestricted = call.has_option(&["-u", "--unrestricted", "-a", "--all-types"]);
    let skipping_unless = |seen| if seen { FileSkipping::No } else { FileSkipping::Yes };
    let filter = FileFilter {
        hidden: skipping_unless(is_unrestricted || call.has_option(&["--hidden"])),
        ignored: skipping_unless(is_unrestricted || call.has_option(&["-U", "--skip-vcs-ignores"])),
        ..FileFilter::default()
    };
    add_operand_trees(call, &filter, accesses);
}

/// Adds reads of the files below the operands. Without operands, it is those below the working directory, unless the
/// program searches its standard input.
fn add_operand_trees(call: &ParsedCommand<'_>, filter: &FileFilter, accesses: &mut FileAccesses) {
    let files = files(call);
    if files.is_empty() && (call.input == StdinKind::Inherited || call.is_program(&["rgrep", "grep", "egrep", "fgrep"]))
    {
        accesses.add_below(Verb::Reads, &Word::text("."), filter);
    }
    for file in files {
        accesses.add_below(Verb::Reads, file, filter);
    }
}

/// Returns the operands that are files: all except the first one, which is the pattern, unless an option states the
/// pattern.
fn files<'c>(call: &'c ParsedCommand<'_>) -> &'c [&'c Word] {
    let has_pattern = call.has_option(&["-e", "--regexp", "-f", "--file"]);
    call.operands().get(usize::from(!has_pattern)..).unwrap_or_default()
}

/// Returns the globs that are values of these options; `None` if one of them is unknown.
fn globs(call: &ParsedCommand<'_>, names: &[&str]) -> Option<Vec<String>> {
    call.values(names).map(as_glob).collect()
}

/// Returns the globs of exclusions that are values of these options. Unknown ones are left out, because they do not
/// certainly exclude anything.
pub(super) fn excluded_globs(call: &ParsedCommand<'_>, names: &[&str]) -> Arc<[String]> {
    call.values(names).filter_map(as_exclusion).collect()
}
