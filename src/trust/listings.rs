//! Directories in which a command runs every file, or each file that matches a glob: `sh hooks/*.sh`.

use std::path::{Path, PathBuf};

use hookrules_shell::Word;
use hookrules_shell::path::{glob_matches, normalise};
use hookrules_shell::word::WordPart;

/// The files in one directory that a command runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DirectoryFiles {
    pub(super) directory: PathBuf,
    /// The glob that the names of these files match.
    names: String,
}

impl DirectoryFiles {
    /// Creates the listing of every file in a directory.
    pub(super) fn every_file(directory: PathBuf) -> Self {
        Self { directory, names: "*".to_owned() }
    }

    /// Whether the listing contains a file of this name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        glob_matches(&self.names, name)
    }
}

/// Returns the glob in a word: the word itself or, for an unknown word, the glob that it matched (`$f` in `for f in
/// *.sh`). `None` if there is no glob.
pub(super) fn glob_in(word: &Word) -> Option<&Word> {
    let word = match word.parts.as_slice() {
        [WordPart::Unknown(part)] => part.matched_glob()?,
        _ => word,
    };
    let is_text = |part: &WordPart| matches!(part, WordPart::Text(_) | WordPart::Glob(_));
    let has_glob = word.parts.iter().any(|part| matches!(part, WordPart::Glob(_)));
    (has_glob && word.parts.iter().all(is_text)).then_some(word)
}

/// Returns the listing for a glob; `None` if the name of its directory also has a glob, or is unknown.
pub(super) fn listing_for_glob(glob: &Word, cwd: &Path, home: Option<&Path>) -> Option<DirectoryFiles> {
    let (mut directory, mut names) = (String::new(), String::new());
    let mut in_directory = true;
    for part in glob.parts.iter().rev() {
        let (WordPart::Text(text) | WordPart::Glob(text)) = part else { return None };
        if !in_directory {
            // The name of the directory has a glob, so the directory is unknown.
            if matches!(part, WordPart::Glob(_)) {
                return None;
            }
            directory.insert_str(0, text);
            continue;
        }
        match text.rsplit_once('/') {
            Some((before, name)) => {
                names.insert_str(0, name);
                directory = if before.is_empty() { "/".to_owned() } else { before.to_owned() };
                in_directory = false;
            }
            None => names.insert_str(0, text),
        }
    }
    let directory = if in_directory { "." } else { &directory };
    Some(DirectoryFiles { directory: normalise(directory, cwd, home), names })
}
