//! The shells that run the scripts of policies and the command lines of hosts: Git's bash where it is installed, or
//! else PowerShell, or else `cmd`.
//!
//! They are looked for in directories that only administrators and the account can change. `PATH` is ignored, because
//! the settings of a project can set it, and because it names another `bash`, of the Linux subsystem, which does not
//! see the project at the same path.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use known_folders::KnownFolder;

use super::account::known;

/// The options of `cmd` before its script.
pub(super) const CMD_OPTIONS: &[&str] = &["/d", "/s", "/c"];

/// The options of PowerShell before its script.
const POWERSHELL_OPTIONS: &[&str] = &["-NoProfile", "-NonInteractive", "-Command"];

/// A shell of this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shell {
    Bash(PathBuf),
    PowerShell(PathBuf),
    Cmd(PathBuf),
}

impl Shell {
    /// Returns the first shell that is installed.
    fn of_machine() -> Option<&'static Self> {
        static SHELL: OnceLock<Option<Shell>> = OnceLock::new();
        SHELL.get_or_init(Self::find).as_ref()
    }

    fn find() -> Option<Self> {
        let below = |folder, path: &str| known(folder).map(|folder| folder.join(path)).filter(|path| path.is_file());
        let bash = below(KnownFolder::ProgramFiles, "Git/bin/bash.exe")
            .or_else(|| below(KnownFolder::ProgramFilesX86, "Git/bin/bash.exe"))
            .or_else(|| below(KnownFolder::LocalAppData, "Programs/Git/bin/bash.exe"));
        bash.map(Self::Bash)
            .or_else(|| system_program("WindowsPowerShell/v1.0/powershell.exe").map(Self::PowerShell))
            .or_else(|| system_program("cmd.exe").map(Self::Cmd))
    }
}

/// Returns the path of a program of the system, if it is installed.
pub(super) fn system_program(name: &str) -> Option<PathBuf> {
    known(KnownFolder::System).map(|system| system.join(name)).filter(|path| path.is_file())
}

/// Returns the words that run a script of a policy, with values as its positional parameters.
///
/// # Errors
/// No shell here can run the script.
pub fn script_words(script: &str, parameters: &[String]) -> Result<Vec<OsString>, String> {
    words(Shell::of_machine(), script, parameters)
}

/// Returns the words that run a script in a shell. Only bash has the notation for parameters.
fn words(shell: Option<&Shell>, script: &str, parameters: &[String]) -> Result<Vec<OsString>, String> {
    let (program, options, last) = match shell {
        None => return Err("this machine has no shell".to_owned()),
        Some(Shell::Bash(program)) => {
            let last = [script, "rules"].into_iter().chain(parameters.iter().map(String::as_str)).collect();
            (program, &["-c"][..], last)
        }
        Some(_) if !parameters.is_empty() => {
            return Err("its values need bash: install Git for Windows, or write the command as a list".to_owned());
        }
        Some(Shell::PowerShell(program)) => (program, POWERSHELL_OPTIONS, vec![script]),
        Some(Shell::Cmd(program)) => (program, CMD_OPTIONS, vec![script]),
    };
    let arguments = options.iter().copied().chain(last).map(OsString::from);
    Ok([program.clone().into_os_string()].into_iter().chain(arguments).collect())
}

/// Returns the words that run a command line as hosts do: they also use Git's bash.
#[must_use]
pub fn command_line_words(line: &str) -> Vec<OsString> {
    script_words(line, &[]).unwrap_or_else(|_| ["cmd", "/d", "/s", "/c", line].map(OsString::from).to_vec())
}

/// Returns a sentence about the shell that runs scripts of policies.
#[must_use]
pub fn unusual_shell() -> Option<String> {
    Some(match Shell::of_machine() {
        None => "no shell was found, so a script of `run` fails".to_owned(),
        Some(Shell::Bash(program)) => format!("scripts of `run` are run by {}", program.display()),
        Some(Shell::PowerShell(_)) => {
            "scripts of `run` are run by PowerShell, those with values fail: bash of Git for Windows is not installed"
                .to_owned()
        }
        Some(Shell::Cmd(_)) => {
            "scripts of `run` are run by cmd, those with values fail: bash of Git for Windows is not installed"
                .to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bash_takes_values() {
        let shown = |shell: &Shell, parameters: &[String]| {
            words(Some(shell), "echo", parameters).map(|words| words.join(" ".as_ref()).into_string().unwrap())
        };
        let value = ["a b".to_owned()];
        let bash = Shell::Bash("C:/b".into());
        assert_eq!(shown(&bash, &value).as_deref(), Ok("C:/b -c echo rules a b"));
        for (shell, expected) in [
            (Shell::PowerShell("C:/p".into()), "C:/p -NoProfile -NonInteractive -Command echo"),
            (Shell::Cmd("C:/c".into()), "C:/c /d /s /c echo"),
        ] {
            assert_eq!(shown(&shell, &[]).as_deref(), Ok(expected));
            assert!(shown(&shell, &value).unwrap_err().contains("need bash"));
        }
        assert!(words(None, "echo", &[]).is_err());
    }
}
