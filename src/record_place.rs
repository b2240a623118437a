//! The places where records may be written, and the names that the program reserves there.
//!
//! Pure. Applied to a policy when it loads, with the placeholders still in the name, and again by the writer to the
//! final name.

use std::fmt;

/// The directory of records in a project.
pub const IN_PROJECT: [&str; 2] = [".rules", "log"];

/// The directory of the counters of refused stops, in the state directory.
pub const ATTEMPTS: &str = "attempts";

/// The directory of the logs, in the state directory.
pub const LOG: &str = "log";

/// The directory of compiled policies, if it is in the state directory.
pub const CACHE: &str = "cache";

/// The directory of the trusted states of policies, in the state directory.
pub const TRUST: &str = "trust";

/// The directory of messages that were sent once, in the state directory.
pub const SAID: &str = "said";

/// The directory of messages deferred to a later event, in the state directory.
pub const HELD: &str = "held";

/// The directory of claims, which record what was done for an event that several hooks answer, in the state directory.
pub const CLAIMS: &str = "claims";

/// The parsed place of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordPlace<'f> {
    /// The base of the directories.
    pub base: RecordBase,
    /// The directories, from the base on.
    pub directories: Vec<&'f str>,
    /// The file's name.
    pub name: &'f str,
}

/// The base of a record's directories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordBase {
    /// The project; the first directories are [`IN_PROJECT`].
    Project,
    /// The user's state directory.
    State,
}

/// The reason why a record cannot be at a place: what the name would refer to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misplacement {
    /// An absolute path, or one from a home directory.
    Absolute,
    /// A path with `..`.
    ParentPath,
    /// No file name, or a directory.
    Nameless,
    /// A name with a backslash or NUL.
    InvalidName,
    /// Something in `.rules/` that is not a record.
    PolicyFile,
    /// A directory of the program in the state directory.
    ProgramDirectory,
    /// A name that the program reserves for its own files.
    ReservedName,
}

impl Misplacement {
    /// Returns what to write instead.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Absolute | Self::ParentPath | Self::Nameless | Self::InvalidName | Self::PolicyFile => {
                "write a path below `.rules/log/`, or a plain name for a file in your state directory"
            }
            Self::ProgramDirectory => {
                "choose another directory than `attempts`, `cache`, `claims`, `held`, `log`, `said` and `trust`"
            }
            Self::ReservedName => {
                "choose a name without `.side` that is not the name of a lock, a temporary file or `.gitignore`"
            }
        }
    }
}

impl fmt::Display for Misplacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absolute => "an absolute path",
            Self::ParentPath => "a path to the outside",
            Self::Nameless => "no file name",
            Self::InvalidName => "an invalid character in the file name",
            Self::PolicyFile => "`.rules/` outside `.rules/log/`",
            Self::ProgramDirectory => "a directory of rules itself",
            Self::ReservedName => "a name that rules itself uses",
        })
    }
}

/// Parses the place of a record.
///
/// # Errors
///
/// No record can be there, regardless of the values of its placeholders.
pub fn locate(file: &str) -> Result<RecordPlace<'_>, Misplacement> {
    if file.starts_with(['/', '~']) || file.contains(":\\") {
        return Err(Misplacement::Absolute);
    }
    let mut directories: Vec<&str> = file.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if directories.contains(&"..") {
        return Err(Misplacement::ParentPath);
    }
    let Some(name) = directories.pop().filter(|_| !file.ends_with('/')) else { return Err(Misplacement::Nameless) };
    if file.contains(['\0', '\\']) {
        return Err(Misplacement::InvalidName);
    }
    let base = if directories.starts_with(&IN_PROJECT) { RecordBase::Project } else { RecordBase::State };
    let first = directories.first().copied().unwrap_or(name);
    if base == RecordBase::State && first == IN_PROJECT[0] {
        return Err(Misplacement::PolicyFile);
    }
    if base == RecordBase::State && [ATTEMPTS, CACHE, CLAIMS, HELD, LOG, SAID, TRUST].contains(&first) {
        return Err(Misplacement::ProgramDirectory);
    }
    if directories.iter().any(|directory| is_own(directory)) || is_own(name) {
        return Err(Misplacement::ReservedName);
    }
    Ok(RecordPlace { base, directories, name })
}

/// Whether the program reserves this name for its own files next to records.
fn is_own(name: &str) -> bool {
    let of_array = |suffix: &str| {
        name.strip_prefix('.').and_then(|name| name.strip_suffix(suffix)).is_some_and(|name| name.ends_with(".json"))
    };
    name == GITIGNORE
        || side_target(name).is_some()
        || parse_claim_name(name).is_some()
        || of_array(LOCK)
        || of_array(NEW)
}

/// The file that keeps a project's records out of git.
pub const GITIGNORE: &str = ".gitignore";

const LOCK: &str = ".lock";
const NEW: &str = ".new";

/// Returns the name of the lock file of an array.
#[must_use]
pub fn lock_of_array(array: &str) -> String {
    format!(".{array}{LOCK}")
}

/// Returns the name of the file that replaces an array.
#[must_use]
pub fn new_of_array(array: &str) -> String {
    format!(".{array}{NEW}")
}

/// The writer of a side file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SideFileWriter {
    /// A process that did not get the lock in time.
    Process(u32),
    /// Any process that got the lock but found a file that accepts no records; there may be many of them over time.
    Anyone,
}

/// Returns the name of a side file.
#[must_use]
pub fn side_of(target: &str, writer: SideFileWriter) -> String {
    match writer {
        SideFileWriter::Process(id) => format!("{target}.side-{id}.jsonl"),
        SideFileWriter::Anyone => format!("{target}.side.jsonl"),
    }
}

/// Returns the file that a side file of this name belongs to.
#[must_use]
pub fn side_target(name: &str) -> Option<&str> {
    let (target, writer) = name.strip_suffix(".jsonl")?.rsplit_once(".side")?;
    let id = writer.strip_prefix('-');
    let is_side = writer.is_empty() || id.is_some_and(|id| !id.is_empty() && id.bytes().all(|c| c.is_ascii_digit()));
    (is_side && !target.is_empty()).then_some(target)
}

/// Returns the side file's name and the mark of a claim.
#[must_use]
pub fn parse_claim_name(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix('.')?.rsplit_once('.').filter(|(origin, _)| side_target(origin).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_taken_apart() {
        for (file, base, directories, name) in [
            (".rules/log/a.jsonl", RecordBase::Project, &[".rules", "log"][..], "a.jsonl"),
            ("./.rules//log/{agent}/a.json", RecordBase::Project, &[".rules", "log", "{agent}"], "a.json"),
            ("a.jsonl", RecordBase::State, &[], "a.jsonl"),
            ("sub/log/a.lock", RecordBase::State, &["sub", "log"], "a.lock"),
            (".rules/log/attempts/log", RecordBase::Project, &[".rules", "log", "attempts"], "log"),
        ] {
            assert_eq!(locate(file), Ok(RecordPlace { base, directories: directories.to_vec(), name }), "{file}");
        }
    }

    #[test]
    fn no_record_lies_outside_or_among_the_programs_own() {
        for (misplaced, files) in [
            (Misplacement::Absolute, &["/abs", "~/x", "C:\\x"][..]),
            (Misplacement::ParentPath, &["../up", "a/../b", ".rules/log/../../x"]),
            (Misplacement::Nameless, &["", "dir/", "."]),
            (Misplacement::InvalidName, &["a\\b", "a\0"]),
            (Misplacement::PolicyFile, &[".rules/x.jsonl", ".rules", ".rules/log", ".rules/local/x"]),
            (
                Misplacement::ProgramDirectory,
                &[
                    "log/x.jsonl",
                    "log",
                    "attempts/{agent}/x",
                    "./said/x",
                    "cache/x",
                    "held/x",
                    "claims/x",
                    "trust/x.jsonl",
                ],
            ),
            (
                Misplacement::ReservedName,
                &[
                    ".rules/log/a.side-1.jsonl",
                    "{agent}.side.jsonl",
                    ".a.json.side-7.jsonl.1-2-3",
                    ".rules/log/a.side-1.jsonl/x",
                    ".rules/log/.gitignore",
                    ".a.json.lock",
                    "sub/.{agent}.json.new",
                ],
            ),
        ] {
            for file in files {
                assert_eq!(locate(file), Err(misplaced), "{file}");
            }
        }
        for file in ["a.side", ".side.jsonl", "a.side-x.jsonl", "aside-1.jsonl", ".a.lock", ".lock", "gitignore"] {
            assert!(locate(file).is_ok(), "{file}");
        }
    }

    #[test]
    fn every_name_of_the_programs_own_is_kept() {
        let side = side_of("a.json", SideFileWriter::Process(7));
        let claimed = format!(".{side}.12");
        for name in
            [lock_of_array("a.json"), new_of_array("a.json"), side_of("x", SideFileWriter::Anyone), claimed, side]
        {
            assert_eq!(locate(&name), Err(Misplacement::ReservedName), "{name}");
        }
    }

    #[test]
    fn names_of_side_files_and_claims_are_told_from_others() {
        for (text, expected) in [
            ("a.json.side-7.jsonl", Some("a.json")),
            ("a.json.side.jsonl", Some("a.json")),
            ("a.side-1.jsonl.side-2.jsonl", Some("a.side-1.jsonl")),
            ("a.json.side-.jsonl", None),
            ("a.json.side-7a.jsonl", None),
            ("a.json.sides.jsonl", None),
            (".side.jsonl", None),
            ("a.json", None),
        ] {
            assert_eq!(side_target(text), expected, "{text}");
        }
        assert_eq!(parse_claim_name(".a.json.side-7.jsonl.1-2-3"), Some(("a.json.side-7.jsonl", "1-2-3")));
        assert_eq!(parse_claim_name(".a.json.side-7.jsonl"), None);
        assert_eq!(parse_claim_name("a.json.side-7.jsonl.1"), None);
        for (target, writer) in [("a.json", SideFileWriter::Process(12)), ("x.jsonl", SideFileWriter::Anyone)] {
            assert_eq!(side_target(&side_of(target, writer)), Some(target));
        }
    }
}
