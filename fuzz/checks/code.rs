//! Any text as a program in each supported language: the shell texts that run it.

use hookrules_shell::quote;

/// The interpreters of the languages that are parsed.
const INTERPRETERS: &[&str] = &["python3 -c", "node -e", "ruby -e", "php -r", "perl -e", "perl -ne"];

/// Returns a shell text for each interpreter that takes the program as an argument.
pub fn commands(program: &str) -> Vec<String> {
    // An argument cannot contain NUL.
    let program = program.replace('\0', "");
    INTERPRETERS.iter().map(|interpreter| format!("{interpreter} {}", quote(&program))).collect()
}
