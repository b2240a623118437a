//! Any text as a program in Python and in JavaScript: what it would do is worked out, and what a rule asks of it has an
//! answer.

#[path = "shell.rs"]
mod shell;

use hookrules_shell::quote;

/// The interpreters that read what is parsed.
const INTERPRETERS: &[&str] = &["python3 -c", "node -e"];

/// Panics where that is not so.
pub fn check(text: &str) {
    // No program gets a NUL in its words.
    let text = text.replace('\0', "");
    for interpreter in INTERPRETERS {
        shell::check(&format!("{interpreter} {}", quote(&text)));
    }
}
