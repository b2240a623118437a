//! Any text as PowerShell, `cmd` and fish: the translation terminates, and its result can be queried.

use std::path::Path;

use hookrules_shell::interpret::analyse_powershell;
use hookrules_shell::{Analysis, StartDirectories, analyse, file_accesses, quote};

/// Panics if this does not hold.
pub fn check(text: &str) {
    let start = StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) };
    ask(&analyse_powershell(text, &start));
    for shell in ["cmd /c", "fish -c", "zsh -c", "pwsh -Command"] {
        ask(&analyse(&format!("{shell} {}", quote(text)), &start));
    }
}

fn ask(analysis: &Analysis) {
    for (id, command) in analysis.iter() {
        assert!(command.outer_commands.iter().all(|outer| *outer < id), "{command:?}");
        let _ = (command.program(), command.operands(), command.directory());
        let _ = file_accesses(analysis, command);
    }
}
