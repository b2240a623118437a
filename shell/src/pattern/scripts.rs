//! Code of `sed` and `awk` that only reads and prints.

use crate::argv::{Argv, GivenOption};

/// Whether the code of a command only reads and prints: a sed script that selects lines and changes text, or an awk
/// program that neither starts a command nor opens a file.
pub(super) fn is_harmless_script(argv: &Argv<'_>) -> bool {
    let script = argv.operands.first().and_then(|word| word.known_text());
    let is_named = |name: &str| argv.records.first().is_some_and(|table| table.names.contains(&name));
    // If an option gives the script, all operands are files.
    let is_script_first = !argv.options.iter().any(|given| matches!(&*given.name, "--expression" | "--file"));
    let is_harmless = |given: &GivenOption| matches!(&*given.name, "--field-separator" | "--assign");
    match script {
        Some(script) if is_named("sed") => is_script_first && is_read_only_script(script),
        Some(script) if is_named("awk") => argv.options.iter().all(is_harmless) && is_read_only_program(script),
        _ => false,
    }
}

/// Whether a sed script consists of addresses, the commands `p`, `d`, `q`, `n` and `=`, and `s/…/…/` without the
/// flags `e` and `w`.
fn is_read_only_script(script: &str) -> bool {
    let mut rest = script;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let after = match c {
            '0'..='9' | '$' | ',' | '+' | '~' | '!' | ';' | ' ' | '{' | '}' | 'p' | 'd' | 'q' | 'n' | '=' => Some(rest),
            '/' => after_delimiter(rest),
            's' => rest.strip_prefix('/').and_then(after_delimiter).and_then(after_delimiter).and_then(|flags| {
                let rest = flags.trim_start_matches(|flag: char| flag.is_ascii_digit() || "gpiI".contains(flag));
                (rest.is_empty() || rest.starts_with([';', ' ', '}'])).then_some(rest)
            }),
            _ => None,
        };
        match after {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

/// Returns the text after the next `/` without a backslash before it. Returns `None` if there is none, or if a newline
/// or an unescaped `[` comes first, after which versions of sed end at different slashes.
fn after_delimiter(text: &str) -> Option<&str> {
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '/' => return text.get(at + 1..),
            '\\' => drop(characters.next().filter(|(_, quoted)| *quoted != '\n')?),
            '[' | '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Names by which an awk program starts commands, reads other files or the environment, or refers to such a name
/// indirectly.
const AWK_NAMES: &[&str] = &["system", "getline", "ENVIRON", "PROCINFO", "SYMTAB", "FUNCTAB", "ARGV", "ARGC"];

/// Whether an awk program only reads its input: it has no name of [`AWK_NAMES`], no pipe, no redirection (`||` and `>=`
/// are neither), no `@`, and no backslash at the end of a line, which could divide a name.
fn is_read_only_program(program: &str) -> bool {
    let mut rest = program.bytes().peekable();
    while let Some(byte) = rest.next() {
        let pair = match byte {
            b'|' => b'|',
            b'>' => b'=',
            b'\\' if matches!(rest.peek(), Some(b'\n' | b'\r')) => return false,
            b'@' => return false,
            _ => continue,
        };
        if rest.next_if_eq(&pair).is_none() {
            return false;
        }
    }
    !AWK_NAMES.iter().any(|name| program.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sed_script_that_prints_only_reads() {
        for script in ["1,5p", "/a/,/b/p", "s/a/b/g", r"/\[x\]/,/^\[/p", r"s/\//x/", "$d", r"s/a/\n/"] {
            assert!(is_read_only_script(script), "{script}");
        }
        for script in
            ["w f", "s/a/b/e", "s/a/b/w f", "1e x", "r f", "/[/]/p", r"s/a\/b/e", r"s/a/b\", r"/\", "/a\nw f/p"]
        {
            assert!(!is_read_only_script(script), "{script}");
        }
    }

    #[test]
    fn an_awk_program_that_prints_only_reads() {
        for program in ["{print $1}", "NR>=2 && NR<=5", "$1 || $2", r#"/x/ {print NR": "$0}"#, "END { print s }"] {
            assert!(is_read_only_program(program), "{program}");
        }
        let others = [
            r#"{print > "f"}"#,
            r#"{print >> "f"}"#,
            r#"{print >>= "f"}"#,
            r#"{print | "sh"}"#,
            r#"{print ||| "sh"}"#,
            r#"{print |& "sh"}"#,
            r#"BEGIN{system("x")}"#,
            r#"BEGIN{"x" | getline}"#,
            r#"{getline < "f"}"#,
            r#"@load "x""#,
            "BEGIN{ARGV[1]=0}",
            "{print ENVIRON[0]}",
            "{@f()}",
            "$1 > 5",
            "BEGIN{sys\\\ntem(\"x\")}",
        ];
        for program in others {
            assert!(!is_read_only_program(program), "{program}");
        }
    }
}
