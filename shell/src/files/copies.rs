//! Programs that copy, move and link files: `cp`, `mv`, `ln`, `install`, `rsync`, `scp`, `robocopy`, `unison`.

use std::sync::Arc;

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::network::{add_copy_there, add_there};
use super::paths::{any_name, append_text, base_name, ends_in_slash, extend, is_directory, is_remote, join, parent};
use super::search;
use crate::access::{AccessCertainty, AccessExtent, FileAccess, FileFilter, Verb};
use crate::word::{Cause, Unknown, Word};

/// Options of `rsync` that leave out files in a way that the words do not show.
const SELECTION_OPTIONS: &[&str] = &[
    "--include",
    "--include-from",
    "--exclude-from",
    "--filter",
    "-f",
    "-F",
    "-C",
    "--cvs-exclude",
    "--files-from",
    "--existing",
    "--max-size",
    "--min-size",
];

const TARGET_OPTIONS: &[&str] = &["-t", "--target-directory"];

/// The files that a command copies or moves, and their target.
struct CopyOperands<'a> {
    sources: Vec<&'a Word>,
    target: CopyTarget<'a>,
}

/// The target of a copy, by whether the words show that it is a directory.
enum CopyTarget<'a> {
    /// It is a directory, which contains the copies.
    Directory(&'a Word),
    /// It is either the path of the copy, or a directory that contains the copy.
    Path(&'a Word),
    /// It is the path of the copy.
    ExactPath(&'a Word),
}

impl<'a> CopyOperands<'a> {
    /// Parses the operands; `None` if a source or the target is missing.
    fn from_call(call: &'a ParsedCommand<'_>) -> Option<Self> {
        let operands = call.operands();
        if let Some(directory) = call.value(TARGET_OPTIONS) {
            return Some(Self { sources: operands.to_vec(), target: CopyTarget::Directory(directory) });
        }
        let (last, before) = operands.split_last()?;
        let target = match before {
            // A single word that splits may be all sources and the target.
            [] if last.may_split() => return Some(Self { sources: vec![last], target: CopyTarget::ExactPath(last) }),
            [] => return None,
            _ if call.has_option(&["-T", "--no-target-directory"]) => CopyTarget::ExactPath(last),
            [_] if !is_directory(last) => CopyTarget::Path(last),
            _ => CopyTarget::Directory(last),
        };
        Some(Self { sources: before.to_vec(), target })
    }

    /// Adds the writes of the copies: in a directory, a file with the name of each source; otherwise the target itself.
    fn add_targets(&self, depth: CopyDepth, accesses: &mut FileAccesses) {
        for source in &self.sources {
            let extent = match depth {
                CopyDepth::File => AccessExtent::PathOnly,
                CopyDepth::Tree => AccessExtent::Mirror((*source).clone(), FileFilter::default()),
            };
            let access = |path: Word, certainty: AccessCertainty| FileAccess {
                verb: Verb::Writes,
                path,
                extent: extent.clone(),
                certainty,
            };
            let path_in = |directory: &Word| path_in_directory(directory, source);
            match &self.target {
                CopyTarget::Directory(directory) => match path_in(directory) {
                    Some(path) => accesses.add(access(path, AccessCertainty::Certain)),
                    // The source is `src/.`, which copies the contents of a directory, or its name is unknown.
                    None => accesses.add(access((*directory).clone(), AccessCertainty::Certain)),
                },
                CopyTarget::ExactPath(path) => accesses.add(access((*path).clone(), AccessCertainty::Certain)),
                CopyTarget::Path(path) => {
                    accesses.add(access((*path).clone(), AccessCertainty::Certain));
                    if let Some(path) = path_in(path) {
                        accesses.add(access(path, AccessCertainty::IfDirectoryExists));
                    }
                }
            }
        }
    }
}

/// Whether directories are copied, with everything in them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CopyDepth {
    /// Only files are copied.
    File,
    /// Directories are copied with everything in them.
    Tree,
}

/// Returns the path of the copy of a file in a directory; `None` if the source has no name, as in `src/..`.
fn path_in_directory(directory: &Word, source: &Word) -> Option<Word> {
    let name = base_name(source)?;
    Some(if directory.known_text() == Some(".") { name } else { join(directory, &name) })
}

/// Adds the accesses of `cp`, which copies directories only with an option such as `-r`.
pub(super) fn copy(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let is_tree = call.has_option(&["-r", "-R", "-a", "--recursive", "--archive", "-Recurse"]);
    add_copy(call, if is_tree { CopyDepth::Tree } else { CopyDepth::File }, accesses);
}

/// Adds the accesses of a program that copies directories without needing an option for it.
pub(super) fn copy_below(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    add_copy(call, CopyDepth::Tree, accesses);
}

/// Adds reads of the sources and writes of the targets of a copy.
fn add_copy(call: &ParsedCommand<'_>, depth: CopyDepth, accesses: &mut FileAccesses) {
    let Some(copy) = CopyOperands::from_call(call) else { return };
    for source in &copy.sources {
        match depth {
            CopyDepth::File => accesses.add_read(source),
            CopyDepth::Tree => accesses.add_below(Verb::Reads, source, &FileFilter::default()),
        }
    }
    if call.has_option(&["--parents"]) {
        // With `--parents`, the whole path of a source is recreated below the directory.
        for source in &copy.sources {
            let (CopyTarget::Directory(directory) | CopyTarget::Path(directory) | CopyTarget::ExactPath(directory)) =
                &copy.target;
            let mut path = append_text(directory, "/");
            extend(&mut path, source);
            accesses.add_write(&path);
        }
        return;
    }
    copy.add_targets(depth, accesses);
}

/// Adds the accesses of `mv`: a directory moves with everything in it, and the source is deleted.
pub(super) fn shift(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let Some(moved) = CopyOperands::from_call(call) else { return };
    for source in &moved.sources {
        accesses.add_below(Verb::Reads, source, &FileFilter::default());
        accesses.add_with_extent(Verb::Deletes, source, AccessExtent::Everything);
    }
    moved.add_targets(CopyDepth::Tree, accesses);
}

/// Adds the accesses of `ln`: the link is written, and its target counts as read, because its content can be read
/// through the link.
pub(super) fn link(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let is_symbolic = call.has_option(&["-s", "--symbolic"]) && !call.has_option(&["-r", "--relative"]);
    if let [only] = call.operands()
        && call.value(TARGET_OPTIONS).is_none()
        && !only.may_split()
    {
        accesses.add_below(Verb::Reads, only, &FileFilter::default());
        base_name(only).iter().for_each(|name| accesses.add_write(name));
        return;
    }
    let Some(link) = CopyOperands::from_call(call) else { return };
    let directory = match &link.target {
        CopyTarget::Directory(directory) => Some((*directory).clone()),
        CopyTarget::Path(path) | CopyTarget::ExactPath(path) => parent(path),
    };
    for source in &link.sources {
        // The target of a symbolic link is relative to the directory of the link.
        let path = match directory.as_ref().filter(|_| is_symbolic) {
            Some(directory) => join(directory, source),
            None => (*source).clone(),
        };
        accesses.add_below(Verb::Reads, &path, &FileFilter::default());
        if is_symbolic && matches!(link.target, CopyTarget::Path(_)) {
            accesses.add_below(Verb::Reads, source, &FileFilter::default());
        }
    }
    link.add_targets(CopyDepth::File, accesses);
}

/// Adds the accesses of `install`: copies, or with `-d` new directories.
pub(super) fn install(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if call.has_option(&["-d", "--directory"]) {
        return call.operands().iter().for_each(|directory| accesses.add_write(directory));
    }
    add_copy(call, CopyDepth::File, accesses);
}

/// Adds the accesses of `scp`.
pub(super) fn scp(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let is_tree = call.has_option(&["-r"]);
    let depth = if is_tree { CopyDepth::Tree } else { CopyDepth::File };
    add_transfer(call, depth, &FileFilter::default(), accesses);
}

/// Adds the accesses of `rsync`: reads and writes on this machine, and the deletions of `--delete` and
/// `--remove-source-files`.
pub(super) fn rsync(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let is_tree = call.has_option(&["-a", "--archive", "-r", "--recursive"]);
    let doubt = call
        .options_named(SELECTION_OPTIONS)
        .next()
        .map(|given| Unknown::new(Cause::FileSelection, given.name.to_string()));
    // An inclusion takes precedence over later exclusions. So if there may be one, no exclusion is certain.
    let may_include_again = call.has_option(&["--include", "--include-from", "--filter", "-f"]);
    let except = if may_include_again { Arc::default() } else { search::excluded_globs(call, &["--exclude"]) };
    let filter = FileFilter { except, ..FileFilter::default() };
    let depth = if is_tree { CopyDepth::Tree } else { CopyDepth::File };
    let accesses_before = accesses.found.len();
    add_transfer(call, depth, &filter, accesses);
    if let Some(why) = doubt {
        accesses.make_uncertain(accesses_before, &why);
    }
    let operands = call.operands();
    let (Some((target, sources)), true) = (operands.split_last(), operands.len() > 1) else { return };
    // If no operand names another machine, the other side is this machine, too.
    if !operands.iter().any(|word| is_remote(word)) {
        let options = call.values(&["-M", "--remote-option"]);
        options.filter_map(|option| option.strip_prefix("--log-file=")).for_each(|log| accesses.add_write(&log));
    }
    let deletes = |given: &crate::argv::GivenOption| given.name.starts_with("--del");
    match (call.argv.options.iter().any(deletes), is_remote(target)) {
        (false, _) => {}
        (true, true) => add_there(Verb::Deletes, target, accesses),
        (true, false) => {
            let why =
                Unknown::new(Cause::Contents, sources.first().map(|source| source.display_text()).unwrap_or_default());
            accesses.add_with_extent(Verb::Deletes, target, AccessExtent::UnknownPart(why));
        }
    }
    if call.has_option(&["--remove-source-files", "--remove-sent-files"]) {
        for source in sources.iter().filter(|source| !is_remote(source)) {
            accesses.add_below(Verb::Deletes, source, &filter);
        }
    }
}

/// Adds the accesses of a copy between machines. Only files on this machine are included.
fn add_transfer(call: &ParsedCommand<'_>, depth: CopyDepth, filter: &FileFilter, accesses: &mut FileAccesses) {
    let places: Vec<Word> = call.operands().iter().map(|place| local_place(place)).collect();
    let Some((target, sources)) = places.split_last() else { return };
    for source in sources.iter().filter(|source| !is_remote(source)) {
        match depth {
            CopyDepth::File => accesses.add_read(source),
            CopyDepth::Tree => accesses.add_below(Verb::Reads, source, filter),
        }
    }
    if is_remote(target) {
        sources.iter().for_each(|source| add_copy_there(target, source, accesses));
        return;
    }
    for source in sources {
        let name = host_path(source).as_ref().and_then(base_name);
        let copies_contents = ends_in_slash(source);
        let may_be_path_of_copy = sources.len() == 1 && !is_directory(target);
        let extent = match depth {
            CopyDepth::File => AccessExtent::PathOnly,
            CopyDepth::Tree if is_remote(source) => {
                AccessExtent::UnknownPart(Unknown::new(Cause::Contents, source.display_text()))
            }
            CopyDepth::Tree => AccessExtent::Mirror(source.clone(), filter.clone()),
        };
        let access = |path: Word, certainty: AccessCertainty| FileAccess {
            verb: Verb::Writes,
            path,
            extent: extent.clone(),
            certainty,
        };
        match name.filter(|_| !copies_contents) {
            Some(name) => {
                if may_be_path_of_copy {
                    accesses.add(access(target.clone(), AccessCertainty::Certain));
                }
                let certainty =
                    if may_be_path_of_copy { AccessCertainty::IfDirectoryExists } else { AccessCertainty::Certain };
                let path = if target.known_text() == Some(".") { name } else { join(target, &name) };
                accesses.add(access(path, certainty));
            }
            None => accesses.add(access(target.clone(), AccessCertainty::Certain)),
        }
    }
}

/// Returns the path in `localhost:path`, which is a file of this machine; any other word is returned unchanged.
fn local_place(place: &Word) -> Word {
    let host = place.prefix().split_once(':').map(|(host, _)| host).filter(|_| is_remote(place));
    let path = host
        .filter(|host| Word::text(*host).is_this_machine())
        .and_then(|host| place.strip_prefix(&format!("{host}:")));
    path.unwrap_or_else(|| place.clone())
}

/// Returns the path in `host:path`. A word without a host is returned unchanged. If the colon is not in the known
/// beginning of the word, the path has any name. `None` if the path cannot be separated.
fn host_path(word: &Word) -> Option<Word> {
    if !is_remote(word) {
        return Some(word.clone());
    }
    match word.prefix().split_once(':') {
        Some((host, _)) => word.strip_prefix(&format!("{host}:")),
        None => Some(Word::of(any_name())),
    }
}

/// The switches of `robocopy` and `xcopy`, without their values and numbers. Another word with a slash in front is a
/// path: `/etc`.
const SWITCHES: &[&str] = &[
    "?",
    "a",
    "a+",
    "a-",
    "b",
    "bytes",
    "c",
    "compress",
    "copy",
    "copyall",
    "create",
    "d",
    "dcopy",
    "dst",
    "e",
    "efsraw",
    "eta",
    "exclude",
    "f",
    "fat",
    "fft",
    "fp",
    "g",
    "h",
    "i",
    "ia",
    "if",
    "im",
    "iomaxsize",
    "iorate",
    "ipg",
    "is",
    "it",
    "j",
    "job",
    "k",
    "l",
    "lev",
    "lfsm",
    "log",
    "log+",
    "m",
    "max",
    "maxage",
    "maxlad",
    "min",
    "minage",
    "minlad",
    "mir",
    "mon",
    "mot",
    "mov",
    "move",
    "mt",
    "n",
    "nc",
    "ndl",
    "nfl",
    "njh",
    "njs",
    "nocopy",
    "nodcopy",
    "nodd",
    "nooffload",
    "nosd",
    "np",
    "ns",
    "o",
    "p",
    "pf",
    "purge",
    "q",
    "quit",
    "r",
    "reg",
    "rh",
    "s",
    "save",
    "sec",
    "secfix",
    "sj",
    "sl",
    "sparse",
    "t",
    "tbd",
    "tee",
    "threshold",
    "timfix",
    "ts",
    "u",
    "unicode",
    "unilog",
    "unilog+",
    "v",
    "w",
    "x",
    "xa",
    "xc",
    "xd",
    "xf",
    "xj",
    "xjd",
    "xjf",
    "xl",
    "xn",
    "xo",
    "xx",
    "y",
    "-y",
    "z",
    "zb",
];

/// Adds the accesses of `robocopy SOURCE TARGET [FILE…] [/MIR]`. `/MIR` and `/PURGE` delete files that only the target
/// has; `/MOV` and `/MOVE` delete the sources.
pub(super) fn robocopy(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let switch_name = |word: &Word| Some(word.prefix().strip_prefix('/')?.split(':').next()?.to_ascii_lowercase());
    // A letter and a colon with a path behind them are a drive.
    let is_drive = |word: &Word| word.prefix().get(2..4) == Some(":/");
    let is_switch = |word: &Word| {
        let name = switch_name(word).filter(|_| !is_drive(word));
        name.is_some_and(|name| SWITCHES.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit())))
    };
    let has = |names: &[&str]| {
        let mut switches = call.operands().iter();
        switches.any(|word| word.known_text().is_some_and(|text| names.contains(&text.to_ascii_lowercase().as_str())))
    };
    let mut operands = call.operands().iter().filter(|word| !is_switch(word));
    let (Some(source), Some(target)) = (operands.next(), operands.next()) else { return };
    let (source, target) = (&drive_path(source), &drive_path(target));
    if call.is_program(&["xcopy"]) {
        accesses.add_write(target);
    }
    accesses.add_below(Verb::Reads, source, &FileFilter::default());
    let why = || Unknown::new(Cause::Contents, source.display_text());
    accesses.add_with_extent(Verb::Writes, target, AccessExtent::UnknownPart(why()));
    if has(&["/mir", "/purge"]) {
        accesses.add_with_extent(Verb::Deletes, target, AccessExtent::UnknownPart(why()));
    }
    if has(&["/mov", "/move"]) {
        accesses.add_below(Verb::Deletes, source, &FileFilter::default());
    }
}

/// Returns a path of Windows with slashes, and one that begins with a drive as a path below the root: `/C:/x` for
/// `C:\x`.
fn drive_path(word: &Word) -> Word {
    let Some(text) = word.known_text() else { return word.clone() };
    let mut chars = text.chars();
    let is_drive = chars.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && chars.next() == Some(':');
    let root = if is_drive { "/" } else { "" };
    match is_drive || text.contains('\\') {
        true => Word { span: word.span.clone(), ..Word::text(format!("{root}{}", text.replace('\\', "/"))) },
        false => word.clone(),
    }
}

/// Adds the accesses of `unison ROOT ROOT`, which repeats the changes and deletions in each directory in the other one.
/// With `-force ROOT`, it does not change that directory.
pub(super) fn unison(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    let kept = call.value(&["-force"]).and_then(|root| root.known_text());
    for root in operands.iter().filter(|root| operands.len() > 1 && !is_remote(root)) {
        accesses.add_below(Verb::Reads, root, &FileFilter::default());
        if kept.is_none() || kept != root.known_text() {
            let why = Unknown::new(Cause::Contents, root.display_text());
            accesses.add_with_extent(Verb::Writes, root, AccessExtent::UnknownPart(why.clone()));
            accesses.add_with_extent(Verb::Deletes, root, AccessExtent::UnknownPart(why));
        }
    }
}
