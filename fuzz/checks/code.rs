//! Any text as a program in each language that is read: the shell texts that run it.

use hookrules_shell::quote;

/// The interpreters that read what is parsed.
const INTERPRETERS: &[&str] = &["python3 -c", "node -e", "ruby -e", "php -r", "perl -e", "perl -ne"];

/// Returns a shell text for each interpreter that gets the program as a word.
pub fn commands(program: &str) -> Vec<String> {
    // No program gets a NUL in its words.
    let program = program.replace('\0', "");
    INTERPRETERS.iter().map(|interpreter| format!("{interpreter} {}", quote(&program))).collect()
}
