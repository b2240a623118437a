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
    pub base: Base,
    /// The directories, from the base on.
    pub directories: Vec<&'f str>,
    /// The file's name.
    pub name: &'f str,
}

/// The base of a record's directories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// The project; the first directories are [`IN_PROJECT`].
    Project,
    /// The user's state directory.
    State,
}

/// The reason why a record cannot be at a place: what the name would refer to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misplaced {
    /// An absolute path, or one from a home directory.
    Absolute,
    /// A path with `..`.
    LeadsOut,
    /// No file name, or a directory.
    Nameless,
    /// A name with a backslash or NUL.
    Odd,
    /// Something in `.rules/` that is not a record.
    InPolicy,
    /// A directory of the program in the state directory.
    OwnDirectory,
    /// A name that the program reserves for its own files.
    OwnName,
}

impl Misplaced {
    /// Returns what to write instead.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Absolute | Self::LeadsOut | Self::Nameless | Self::Odd | Self::InPolicy => {
                "write a path below `.rules/log/`, or a plain name for a file in your state directory"
            }
            Self::OwnDirectory => {
                "choose another directory than `attempts`, `cache`, `claims`, `held`, `log`, `said` and `trust`"
            }
            Self::OwnName => {
                "choose a name without `.side` that is not the name of a lock, a temporary file or `.gitignore`"
            }
        }
    }
}

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absolute => "an absolute path",
            Self::LeadsOut => "a path to the outside",
            Self::Nameless => "no file name",
            Self::Odd => "an invalid character in the file name",
            Self::InPolicy => "`.rules/` outside `.rules/log/`",
            Self::OwnDirectory => "a directory of rules itself",
            Self::OwnName => "a name that rules itself uses",
        })
    }
}

/// Parses the place of a record.
///
/// # Errors
///
/// No record can be there, regardless of the values of its placeholders.
pub fn locate(file: &str) -> Result<RecordPlace<'_>, Misplaced> {
    if file.starts_with(['/', '~']) || file.contains(":\\") {
        return Err(Misplaced::Absolute);
    }
    let mut directories: Vec<&str> = file.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if directories.contains(&"..") {
        return Err(Misplaced::LeadsOut);
    }
    let Some(name) = directories.pop().filter(|_| !file.ends_with('/')) else { return Err(Misplaced::Nameless) };
    if file.contains(['\0', '\\']) {
        return Err(Misplaced::Odd);
    }
    let base = if directories.starts_with(&IN_PROJECT) { Base::Project } else { Base::State };
    let first = directories.first().copied().unwrap_or(name);
    if base == Base::State && first == IN_PROJECT[0] {
        return Err(Misplaced::InPolicy);
    }
    if base == Base::State && [ATTEMPTS, CACHE, CLAIMS, HELD, LOG, SAID, TRUST].contains(&first) {
        return Err(Misplaced::OwnDirectory);
    }
    if directories.iter().any(|directory| is_own(directory)) || is_own(name) {
        return Err(Misplaced::OwnName);
    }
    Ok(RecordPlace { base, directories, name })
}

/// Whether the program reserves this name for its own files next to records.
fn is_own(name: &str) -> bool {
    let of_array = |suffix: &str| {
        name.strip_prefix('.').and_then(|name| name.strip_suffix(suffix)).is_some_and(|name| name.ends_with(".json"))
    };
    name == GITIGNORE || side_target(name).is_some() || claim(name).is_some() || of_array(LOCK) || of_array(NEW)
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
pub enum Writer {
    /// A process that did not get the lock in time.
    Process(u32),
    /// Any process that got the lock but found a file that accepts no records; there may be many of them over time.
    Anyone,
}

/// Returns the name of a side file.
#[must_use]
pub fn side_of(target: &str, writer: Writer) -> String {
    match writer {
        Writer::Process(id) => format!("{target}.side-{id}.jsonl"),
        Writer::Anyone => format!("{target}.side.jsonl"),
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
pub fn claim(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix('.')?.rsplit_once('.').filter(|(origin, _)| side_target(origin).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_taken_apart() {
        for (file, base, directories, name) in [
            (".rules/log/a.jsonl", Base::Project, &[".rules", "log"][..], "a.jsonl"),
            ("./.rules//log/{agent}/a.json", Base::Project, &[".rules", "log", "{agent}"], "a.json"),
            ("a.jsonl", Base::State, &[], "a.jsonl"),
            ("sub/log/a.lock", Base::State, &["sub", "log"], "a.lock"),
            (".rules/log/attempts/log", Base::Project, &[".rules", "log", "attempts"], "log"),
        ] {
            assert_eq!(locate(file), Ok(RecordPlace { base, directories: directories.to_vec(), name }), "{file}");
        }
    }

    #[test]
    fn no_record_lies_outside_or_among_the_programs_own() {
        for (misplaced, files) in [
            (Misplaced::Absolute, &["/abs", "~/x", "C:\\x"][..]),
            (Misplaced::LeadsOut, &["../up", "a/../b", ".rules/log/../../x"]),
            (Misplaced::Nameless, &["", "dir/", "."]),
            (Misplaced::Odd, &["a\\b", "a\0"]),
            (Misplaced::InPolicy, &[".rules/x.jsonl", ".rules", ".rules/log", ".rules/local/x"]),
            (
                Misplaced::OwnDirectory,
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
                Misplaced::OwnName,
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
        let side = side_of("a.json", Writer::Process(7));
        let claimed = format!(".{side}.12");
        for name in [lock_of_array("a.json"), new_of_array("a.json"), side_of("x", Writer::Anyone), claimed, side] {
            assert_eq!(locate(&name), Err(Misplaced::OwnName), "{name}");
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
        assert_eq!(claim(".a.json.side-7.jsonl.1-2-3"), Some(("a.json.side-7.jsonl", "1-2-3")));
        assert_eq!(claim(".a.json.side-7.jsonl"), None);
        assert_eq!(claim("a.json.side-7.jsonl.1"), None);
        for (target, writer) in [("a.json", Writer::Process(12)), ("x.jsonl", Writer::Anyone)] {
            assert_eq!(side_target(&side_of(target, writer)), Some(target));
        }
    }
}
