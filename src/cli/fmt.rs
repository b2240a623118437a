//! `rules fmt`: formats policies in the one canonical layout.
#![expect(clippy::disallowed_methods, reason = "a command is about files that the user names")]

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::CommandOutcome;
use super::load::{STANDARD_INPUT, missing_policy_message, read_standard_input};
use super::print::{Printer, Style, count};
use super::write::Roots;
use crate::diagnostic::render_all;
use crate::escape::line;
use crate::platform::paths::{canonicalize, portable, shown};
use crate::project::{self, LoadedSources, MachinePlaces};
use crate::span::{SourceFile, Sources};
use crate::syntax::format;

/// Format policies
///
/// There is one layout and nothing to choose: two spaces, one clause on a line,
/// lines of at most 100 columns where they can be broken. What a policy means does
/// not change, and every comment stays. A file with a syntax error is not changed.
///
/// Exits with 0 if every file is formatted, 1 if `--check` or `--diff` found one
/// that is not, 2 on a usage error, and 3 if there is no policy, or a file does
/// not parse or cannot be read or written.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct FmtArgs {
    /// Files or directories, or `-` for standard input. Default: the policy of this project
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Write nothing; list the files that are not formatted
    #[arg(long)]
    check: bool,

    /// Write nothing; print what would change
    #[arg(long)]
    diff: bool,

    /// Do not say which files and how many were formatted
    #[arg(short, long)]
    quiet: bool,

    /// Format standard input to standard output, with this as the file's name in messages
    #[arg(long, value_name = "FILE")]
    stdin_filename: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &FmtArgs, printer: &mut Printer) -> CommandOutcome {
    let is_input = |path: &PathBuf| path == Path::new(STANDARD_INPUT);
    if args.stdin_filename.is_some() || args.paths.iter().any(is_input) {
        if args.paths.iter().any(|path| !is_input(path)) {
            printer.err("rules: standard input is formatted alone, without a PATH\n");
            return CommandOutcome::Usage;
        }
        return standard_input(args, printer);
    }
    let files = match files(&args.paths, printer) {
        Ok(files) => files,
        Err(outcome) => return outcome,
    };
    let mut counts = Counts::default();
    // A file may be loaded twice, as an argument and by a `use` of another file.
    let mut seen = BTreeSet::new();
    let wanted = files.sources.iter().filter(|source| files.is_wanted(source));
    for source in wanted.filter(|source| seen.insert(source.path.as_deref())) {
        format_file(args, source, &files, &mut counts, printer);
    }
    counts.failed += files.unread;
    counts.report(args, printer)
}

/// The numbers of files by result.
#[derive(Default)]
struct Counts {
    /// Files that already are in the canonical layout.
    same: usize,
    /// Files that were formatted, or would be.
    changed: usize,
    /// Files that do not parse, or cannot be read or written.
    failed: usize,
}

impl Counts {
    /// Prints the counts, and returns the outcome.
    fn report(&self, args: &FmtArgs, printer: &mut Printer) -> CommandOutcome {
        let dry = args.check || args.diff;
        let mut parts = Vec::new();
        let changed = if dry { "would be formatted" } else { "formatted" };
        let same = if dry { "already formatted" } else { "unchanged" };
        for (number, word) in [(self.changed, changed), (self.same, same), (self.failed, "with errors")] {
            if number > 0 {
                parts.push(format!("{} {word}", count(number, "file")));
            }
        }
        // Other programs may read what `--check` and `--diff` print on standard output.
        let summary = format!("{}\n", parts.join(", "));
        match (args.quiet, dry) {
            (true, _) => {}
            (false, true) => printer.err(&summary),
            (false, false) => printer.out(&summary),
        }
        match () {
            () if self.failed > 0 => CommandOutcome::Unreadable,
            () if dry && self.changed > 0 => CommandOutcome::Findings,
            () => CommandOutcome::Clean,
        }
    }
}

/// The loaded files, and those among them to format.
struct Files {
    /// All files that were loaded, also packs and settings.
    sources: Sources,
    /// The paths of the files to format.
    wanted: BTreeSet<PathBuf>,
    /// The projects of the files. A file outside them, reached by a link, is not written.
    roots: Roots,
    /// The number of files that could not be read.
    unread: usize,
}

impl Files {
    /// Whether a file is to be formatted.
    fn is_wanted(&self, source: &SourceFile) -> bool {
        source.path.as_ref().is_some_and(|path| self.wanted.contains(path))
    }
}

/// Loads the files to format: the given ones, or those of the project's and the local policy. Prints the errors of
/// files that cannot be read.
fn files(paths: &[PathBuf], printer: &mut Printer) -> Result<Files, CommandOutcome> {
    let LoadedSources { sources, layers, .. } = match paths {
        [] => project::load(&MachinePlaces::on_this_machine(std::env::current_dir().map(portable).ok())),
        paths => project::load_paths(paths),
    };
    let layers: Vec<_> = layers.into_iter().filter(|layer| layer.kind.is_of_project()).collect();
    // Formatting reports the errors in a file again, so they are left out here; an error without a position is about
    // a file that could not be read.
    let findings = layers.iter().flat_map(|layer| &layer.diagnostics);
    let unread: Vec<_> = findings.filter(|finding| finding.is_error() && finding.span().is_none()).cloned().collect();
    if !unread.is_empty() {
        printer.err(&render_all(&unread, &sources, printer.format()));
    }
    let is_policy = |path: &Path| path.extension().is_some_and(|extension| extension == "rules");
    let texts = layers.iter().flat_map(|layer| &layer.texts).filter_map(|id| sources.file_by_id(*id));
    // A file that the user names is formatted with any extension except `.toml`.
    let is_named = |path: &Path| paths.iter().any(|named| canonicalize(named).is_ok_and(|named| named == path));
    let is_settings = |path: &Path| path.extension().is_some_and(|extension| extension == "toml");
    let wanted: BTreeSet<PathBuf> = texts
        .filter_map(|source| source.path.clone())
        .filter(|path| is_policy(path) || is_named(path) && !is_settings(path))
        .collect();
    if wanted.is_empty() && unread.is_empty() {
        printer.err(&missing_policy_message(paths, printer));
        return Err(CommandOutcome::Unreadable);
    }
    Ok(Files { sources, wanted, roots: Roots::from_paths(paths), unread: unread.len() })
}

/// Formats a file: prints what would change with `--check` or `--diff`, otherwise writes the file. Adds the result to
/// `counts`.
fn format_file(args: &FmtArgs, source: &SourceFile, files: &Files, counts: &mut Counts, printer: &mut Printer) {
    let formatted = match format(source) {
        Ok(formatted) => formatted,
        Err(found) => {
            printer.err(&render_all(&found, &files.sources, printer.format()));
            counts.failed += 1;
            return;
        }
    };
    if formatted == source.text {
        counts.same += 1;
        return;
    }
    if args.check || args.diff {
        counts.changed += 1;
        show(args, source, &formatted, printer);
        return;
    }
    let path = source.path.as_deref().unwrap_or(Path::new(""));
    match files.roots.replace(path, &source.text, &formatted) {
        Ok(()) => {
            counts.changed += 1;
            if !args.quiet {
                printer.out(&format!("formatted {}\n", source.name));
            }
        }
        Err(problem) => {
            counts.failed += 1;
            printer.err(&format!("rules: `{}` is not changed: {problem}\n", source.name));
        }
    }
}

/// Prints the name of a file that is not formatted (`--check`), or the difference (`--diff`).
fn show(args: &FmtArgs, source: &SourceFile, formatted: &str, printer: &mut Printer) {
    if args.check {
        printer.out(&format!("{}\n", source.name));
    }
    if args.diff {
        let diff = TextDiff::from_lines(source.text.as_str(), formatted);
        let after = format!("{} (formatted)", source.name);
        let unified = diff.unified_diff().header(&source.name, &after).to_string();
        let shown: Vec<String> = unified.split_inclusive('\n').map(|text| paint_difference(text, printer)).collect();
        printer.out(&shown.concat());
    }
}

/// Returns a line of a unified diff in the colour of its first character.
fn paint_difference(text: &str, printer: &Printer) -> String {
    let style = match text.as_bytes().first() {
        Some(b'-') => Style::Red,
        Some(b'+') => Style::Green,
        Some(b'@') => Style::Cyan,
        _ => return text.to_owned(),
    };
    let (line, end) = text.strip_suffix('\n').map_or((text, ""), |line| (line, "\n"));
    format!("{}{end}", printer.paint(style, line))
}

/// Formats standard input to standard output, or with `--check` or `--diff` only reports whether it is formatted.
fn standard_input(args: &FmtArgs, printer: &mut Printer) -> CommandOutcome {
    let text = match read_standard_input(std::io::stdin().lock().by_ref()) {
        Ok(text) => text,
        Err(problem) => {
            printer.err(&format!("rules: {problem}\n"));
            return CommandOutcome::Unreadable;
        }
    };
    let name = args.stdin_filename.as_deref().map_or_else(|| "<stdin>".to_owned(), |path| shown(&path).to_string());
    let mut sources = Sources::default();
    let id = sources.add(line(&name, 200), None, text);
    let Some(source) = sources.file_by_id(id) else { return CommandOutcome::Unreadable };
    match format(source) {
        Ok(formatted) if args.check || args.diff => {
            let is_same = formatted == source.text;
            if !is_same {
                show(args, source, &formatted, printer);
            }
            if is_same { CommandOutcome::Clean } else { CommandOutcome::Findings }
        }
        Ok(formatted) => match printer.write(formatted.as_bytes()) {
            Ok(()) => CommandOutcome::Clean,
            Err(_) => CommandOutcome::Unreadable,
        },
        Err(found) => {
            printer.err(&render_all(&found, &sources, printer.format()));
            CommandOutcome::Unreadable
        }
    }
}
