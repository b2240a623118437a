//! Bash as the reference for which texts are valid. It only parses them: `-n`.

use std::io;
use std::process::{Command, Stdio};

/// The bash on the path, version 5 or newer.
pub struct Bash;

impl Bash {
    /// Finds bash.
    pub fn find() -> io::Result<Option<Self>> {
        let version = command().args(["-c", "echo \"${BASH_VERSINFO[0]}\""]).stdin(Stdio::null()).output();
        match version {
            Ok(output) => {
                let version = String::from_utf8_lossy(&output.stdout).trim().parse::<u32>().unwrap_or_default();
                Ok((version >= 5).then_some(Self))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether a text is valid, with or without patterns such as `@(a)`: only the running shell knows which of them
    /// applies, so either suffices.
    ///
    /// `None` if bash does not report it.
    pub fn accepts(&self, text: &str) -> io::Result<Option<bool>> {
        Ok(match self.reads(text, "+O")? {
            Some(false) => self.reads(text, "-O")?,
            told => told,
        })
    }

    fn reads(&self, text: &str, patterns: &str) -> io::Result<Option<bool>> {
        if complains(text, patterns)? {
            return Ok(Some(false));
        }
        // At some invalid conditions, such as `[[ a && ]]`, bash stops without an error: it then does not notice the
        // error after it. Nor does it if a here-document contains that error.
        if !text.contains("[[") || complains(&format!("{text}\n)"), patterns)? {
            return Ok(Some(true));
        }
        Ok((!text.contains("<<")).then_some(false))
    }
}

/// Whether bash reports an error in a text. Its exit code is less precise: it is 0 after an error in `[[ … ]]`.
fn complains(text: &str, patterns: &str) -> io::Result<bool> {
    let output = command()
        .args(["-n", patterns, "extglob", "-c", text])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    // An unterminated here-document is only a warning.
    let is_error = |line: &str| line.starts_with("bash: ") && !line.contains(": warning: ");
    Ok(!output.status.success() || told.lines().any(is_error))
}

fn command() -> Command {
    let mut command = Command::new("bash");
    // Nothing in the environment may change what bash reads or how it behaves.
    command.env_remove("BASH_ENV").env_remove("POSIXLY_CORRECT").env_remove("SHELLOPTS").env_remove("BASHOPTS");
    command.env("LC_ALL", "C");
    command
}
