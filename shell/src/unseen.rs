//! The known text of code that is not analysed.

/// The text of code that is not analysed: only commands that it names may run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnseenText {
    whole: String,
    /// The literals in the code, if its language names programs only by literals: in `np.dot("a")`, `np` is an imported
    /// module. `None` for other code.
    literals: Option<String>,
}

impl UnseenText {
    /// Creates the text of code that names programs by its literals alone.
    pub(crate) fn with_literals(whole: String, literals: String) -> Self {
        Self { whole, literals: Some(literals) }
    }

    /// Returns the whole text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.whole
    }

    /// Whether a word of the text may name a program that `is_program` accepts. It is for programs without a
    /// subcommand; identifiers may also name a program with its subcommand: `repository.git.push()`.
    pub(crate) fn names_program_alone(&self, is_program: impl Fn(&str) -> bool) -> bool {
        match &self.literals {
            // In a literal, `a.nc` is a file.
            Some(literals) => words_of(literals).flat_map(|path| path.split('/')).any(is_program),
            None => possible_program_names(&self.whole).any(is_program),
        }
    }
}

impl From<String> for UnseenText {
    fn from(whole: String) -> Self {
        Self { whole, literals: None }
    }
}

/// Returns the words of a text that are names or paths: runs of letters, digits, `_`, `-`, `.` and `/`.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')))
}

/// Returns the words of a text that may be names of programs: runs of letters, digits, `_`, `-`, `.`, and the parts
/// between the dots. The names in a path are not split at dots, since they are names of files: `npm` is not a word of
/// `bin/npm.js`.
pub fn possible_program_names(text: &str) -> impl Iterator<Item = &str> {
    words_of(text).flat_map(|path| {
        let names = path.split('/').filter(|word| !word.is_empty());
        names.flat_map(move |word| {
            let is_alone = word.len() == path.len();
            let parts = word.split('.').filter(move |part| is_alone && part.len() < word.len() && !part.is_empty());
            std::iter::once(word).chain(parts)
        })
    })
}
