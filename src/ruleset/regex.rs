//! A regex that is checked when it is made and compiled when it is first asked.

use std::sync::OnceLock;

use regex::Regex;

/// The most memory that one compiled regex may take, in bytes.
const SIZE_LIMIT: usize = 4 << 20;

/// A regex of a policy.
#[derive(Clone, Debug)]
pub struct LazyRegex {
    pattern: String,
    compiled: OnceLock<Result<Regex, String>>,
}

impl LazyRegex {
    /// Makes a regex of a pattern whose flags stand inline; the syntax is the compiler's to check.
    #[must_use]
    pub fn new(pattern: String) -> Self {
        Self { pattern, compiled: OnceLock::new() }
    }

    /// Returns the pattern.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Returns the compiled regex.
    ///
    /// # Errors
    /// The regex is too big once compiled. What uses it is then unknown, never false.
    pub fn get(&self) -> Result<&Regex, &str> {
        let compile = || {
            regex::RegexBuilder::new(&self.pattern).size_limit(SIZE_LIMIT).build().map_err(|error| match error {
                regex::Error::CompiledTooBig(_) => "the regex is too big once compiled".to_owned(),
                other => other.to_string(),
            })
        };
        self.compiled.get_or_init(compile).as_ref().map_err(String::as_str)
    }
}
