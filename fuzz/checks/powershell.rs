//! Any text as PowerShell's, as that of `cmd`, and as fish's: its translation ends, and what it comes to can be asked about.

use std::path::Path;

use hookrules_shell::{Analysis, Start, analyse, analyse_powershell, file_accesses, quote};

/// Panics where that is not so.
pub fn check(text: &str) {
    let start = Start { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) };
    ask(&analyse_powershell(text, &start));
    for shell in ["cmd /c", "fish -c", "zsh -c", "pwsh -Command"] {
        ask(&analyse(&format!("{shell} {}", quote(text)), &start));
    }
}

fn ask(analysis: &Analysis) {
    for (id, command) in analysis.iter() {
        assert!(command.via.iter().all(|outer| *outer < id), "{command:?}");
        let _ = (command.program(), command.operands(), command.directory());
        let _ = file_accesses(analysis, command);
    }
}
