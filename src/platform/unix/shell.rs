//! The shells that run the scripts of policies and the command lines of hosts.

use std::ffi::OsString;

/// Returns the words that run a script of a policy, with values as its positional parameters.
///
/// # Errors
/// Never; on other systems, if no shell there can run the script.
pub fn script_words(script: &str, parameters: &[String]) -> Result<Vec<OsString>, String> {
    let fixed = ["/bin/sh", "-c", script, "rules"];
    Ok(fixed.into_iter().chain(parameters.iter().map(String::as_str)).map(OsString::from).collect())
}

/// Returns the words that run a command line as hosts do.
#[must_use]
pub fn command_line_words(line: &str) -> Vec<OsString> {
    ["sh", "-c", line].map(OsString::from).to_vec()
}

/// Returns a sentence about the shell that runs scripts of policies; `None` for the one that every machine has.
#[must_use]
pub fn unusual_shell() -> Option<String> {
    None
}
