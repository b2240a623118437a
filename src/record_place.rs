//! Decides to which files records may be written, and which names are reserved there.
//!
//! The file of a record is checked when a policy loads, with the placeholders still in its name, and again by the
//! writer of a record, with the final name. Nothing here has side effects.

use std::fmt;

/// The directory of records in a project, below the project directory.
pub const IN_PROJECT: [&str; 2] = [".rules", "log"];

/// The directory of the counters of refused stops, in the state directory.
pub const ATTEMPTS: &str = "attempts";

/// The directory of the logs, in the state directory.
pub const LOG: &str = "log";

/// The directory of compiled policies, in the state directory if no other is given.
pub const CACHE: &str = "cache";

/// The directory of the trusted states of policies, in the state directory.
pub const TRUST: &str = "trust";

/// The directory of markers for texts that a session shows only once, in the state directory.
pub const SAID: &str = "said";

/// The directory of texts that wait for a later event, in the state directory.
pub const HELD: &str = "held";

/// The directory of files by which several registrations for one event agree on which of them acts, in the state
/// directory.
pub const CLAIMS: &str = "claims";

/// The directory of the journals of sessions, in the state directory.
pub const JOURNALS: &str = "journals";

/// The file of a record, parsed from the name in a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordPlace<'f> {
    /// The directory to which the other directories are relative.
    pub base: RecordBase,
    /// The directories below the base.
    pub directories: Vec<&'f str>,
    /// The file's name.
    pub name: &'f str,
}

/// The directory to which the file of a record is relative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordBase {
    /// The project directory. The first of the other directories are [`IN_PROJECT`].
    Project,
    /// The user's state directory.
    State,
}

/// Why records must not be written to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misplacement {
    /// The path is absolute, or begins with a home directory: `~/x`.
    Absolute,
    /// The path contains `..`.
    ParentPath,
    /// The path has no file name, or ends with a slash.
    Nameless,
    /// The path contains a backslash or NUL.
    InvalidName,
    /// The path is in `.rules/` but not in `.rules/log/`.
    PolicyFile,
    /// The path is in a directory of the state directory that the program itself uses.
    ProgramDirectory,
    /// The name is reserved for the program's own files, such as locks.
    ReservedName,
}

impl Misplacement {
    /// Returns advice for the author of the policy: in which file the records may be written instead.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Absolute | Self::ParentPath | Self::Nameless | Self::InvalidName | Self::PolicyFile => {
                "write a path below `.rules/log/`, or a plain name for a file in your state directory"
            }
            Self::ProgramDirectory => {
                "choose another directory than `attempts`, `cache`, `claims`, `held`, `journals`, `log`, `said` and `trust`"
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

/// Parses the name of a record's file.
///
/// # Errors
///
/// Fails if no record may be written to the file, whatever the values of its placeholders.
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
    if base == RecordBase::State && [ATTEMPTS, CACHE, CLAIMS, HELD, JOURNALS, LOG, SAID, TRUST].contains(&first) {
        return Err(Misplacement::ProgramDirectory);
    }
    if directories.iter().any(|directory| is_reserved(directory)) || is_reserved(name) {
        return Err(Misplacement::ReservedName);
    }
    Ok(RecordPlace { base, directories, name })
}

/// Whether a name is reserved for the program's own files in a directory of records: side files, locks and the like.
fn is_reserved(name: &str) -> bool {
    let is_file_of_array = |suffix: &str| {
        name.strip_prefix('.').and_then(|name| name.strip_suffix(suffix)).is_some_and(|name| name.ends_with(".json"))
    };
    name == GITIGNORE
        || side_target(name).is_some()
        || parse_claim_name(name).is_some()
        || is_file_of_array(LOCK_SUFFIX)
        || is_file_of_array(NEW_SUFFIX)
}

/// The file that keeps a project's records out of git.
pub const GITIGNORE: &str = ".gitignore";

/// The suffix of the lock file of an array, a file of records that is one JSON array.
const LOCK_SUFFIX: &str = ".lock";
/// The suffix of the file that is written to replace an array.
const NEW_SUFFIX: &str = ".new";

/// Returns the name of the lock file of an array.
#[must_use]
pub fn lock_of_array(array: &str) -> String {
    format!(".{array}{LOCK_SUFFIX}")
}

/// Returns the name of the file that is written to replace an array.
#[must_use]
pub fn new_of_array(array: &str) -> String {
    format!(".{array}{NEW_SUFFIX}")
}

/// Who writes a side file, in which records wait if they cannot be added to their own file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SideFileWriter {
    /// The process with this id, which did not get the lock of the file in time.
    Process(u32),
    /// Every process that found that the file accepts no records, such as a damaged array. All of them share one side
    /// file.
    Anyone,
}

/// Returns the name of the side file that belongs to a file: `a.json.side-7.jsonl`.
#[must_use]
pub fn side_of(target: &str, writer: SideFileWriter) -> String {
    match writer {
        SideFileWriter::Process(id) => format!("{target}.side-{id}.jsonl"),
        SideFileWriter::Anyone => format!("{target}.side.jsonl"),
    }
}

/// Returns the name of the file to which a side file belongs; `None` if the name is not that of a side file.
#[must_use]
pub fn side_target(name: &str) -> Option<&str> {
    let (target, writer) = name.strip_suffix(".jsonl")?.rsplit_once(".side")?;
    let id = writer.strip_prefix('-');
    let is_side = writer.is_empty() || id.is_some_and(|id| !id.is_empty() && id.bytes().all(|c| c.is_ascii_digit()));
    (is_side && !target.is_empty()).then_some(target)
}

/// Splits the name of a claim, `.a.json.side-7.jsonl.MARK`, into the name of the side file and the mark; `None` for
/// any other name.
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
