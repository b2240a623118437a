//! Code in a program's own language (Tcl, an editor's commands, a debugger's, macros, C): any word of it may name a
//! file, with or without quotes.

use std::collections::BTreeSet;

use crate::escapes::digits;

/// The maximum number of words of one text that are returned.
const MAX_WORDS: usize = 1024;

/// The maximum length of a word, in bytes; longer ones are left out.
const MAX_WORD_BYTES: usize = 1024;

/// The functions with which a language changes files, runs code or loads it.
struct OwnLanguage {
    /// The programs that run code in the language.
    programs: &'static [&'static str],
    /// The names of the functions.
    functions: &'static [&'static str],
    /// The texts by which code computes a word, if they are near the call of a function.
    computes: &'static [&'static str],
}

/// The languages in which code can assemble a name from parts. In those of other programs, names are literal.
const LANGUAGES: &[OwnLanguage] = &[
    OwnLanguage {
        programs: &["tclsh", "wish", "expect", "jimsh"],
        functions: &[
            "exec",
            "open",
            "file",
            "eval",
            "source",
            "subst",
            "uplevel",
            "interp",
            "load",
            "spawn",
            "apply",
            "trace",
            "namespace",
            "chan",
            "after",
            "system",
        ],
        computes: &["[", "$", "{*}"],
    },
    OwnLanguage {
        programs: &["vim", "vi", "nvim", "ex", "gvim", "rvim", "view", "rview", "rgvim"],
        functions: &["delete", "rename", "writefile", "system", "systemlist", "execute", "exe", "libcall", "feedkeys"],
        computes: &["reverse(", "nr2char(", "substitute(", "tr(", "join(", "printf(", "expand(", "getline(", "\\<"],
    },
    OwnLanguage {
        programs: &["m4", "gm4"],
        functions: &["syscmd", "esyscmd", "include", "sinclude", "undivert"],
        computes: &["translit(", "substr(", "patsubst(", "format(", "define(", "eval("],
    },
    OwnLanguage {
        programs: &["gdb", "lldb"],
        functions: &["eval", "python", "py", "script", "guile", "compile"],
        computes: &["%", "[::-1]", "chr(", "bytes", "join("],
    },
];

/// Returns the words of code in a program's own language that may name files; `None` if the code assembles a name.
#[must_use]
pub fn words_of_code(program: &str, code: &str) -> Option<Vec<String>> {
    if assembles_names(program, code) {
        return None;
    }
    let decoded = without_escapes(code);
    let joined = joined_literals(decoded.as_deref().unwrap_or(code));
    let mut found = BTreeSet::new();
    for text in [Some(code), decoded.as_deref(), joined.as_deref()].into_iter().flatten() {
        found.extend(words(text));
    }
    if found.len() > MAX_WORDS {
        // Among so many words, those with a dot or a slash are the ones that look like files.
        found.retain(|word| word.contains(['.', '/']) || word.starts_with('~'));
    }
    Some(found.into_iter().take(MAX_WORDS).map(str::to_owned).collect())
}

/// Whether a line of the code has a call of one of the language's functions and a computed word.
fn assembles_names(program: &str, code: &str) -> bool {
    let Some(language) = LANGUAGES.iter().find(|language| language.programs.contains(&program)) else { return false };
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let calls = |line: &str| line.split(|c| !is_name(c)).any(|word| language.functions.contains(&word));
    let computes = |text: &str| language.computes.iter().any(|sign| text.contains(sign));
    // A macro or a variable may be defined on another line than the one that uses it.
    match program {
        "m4" | "gm4" => calls(code) && computes(code),
        _ => code.lines().any(|line| calls(line) && computes(line)),
    }
}

/// Returns the words of a text that may name files.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_separator = |c: char| c.is_whitespace() || c.is_control() || "\"'`(){}[]<>,;|&=!".contains(c);
    let parts = text.split(is_separator).flat_map(|word| {
        // A colon ends the name of a command or a target; in a path, it only follows a Windows drive.
        let name = word.trim_end_matches(['.', ':', '\\']).trim_start_matches(['@', '\\', ':', '+', '%']);
        let after_colon = name.rsplit_once(':').map(|(_, rest)| rest.trim_start_matches(['@', '\\', '+', '%']));
        [Some(name), after_colon]
    });
    parts.flatten().filter(|word| {
        !word.is_empty()
            && word.len() <= MAX_WORD_BYTES
            && !word.contains("://")
            && word.contains(char::is_alphanumeric)
    })
}

/// Returns the text with its backslash escapes decoded (`\x76`, `\166`, `\u0076`), and other backslashes removed;
/// `None` if it has none.
fn without_escapes(text: &str) -> Option<String> {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after_backslash)) = rest.split_once('\\') {
        decoded.push_str(before);
        let (c, length) = escape(after_backslash);
        decoded.extend(c);
        rest = after_backslash.get(length..).unwrap_or_default();
    }
    (rest.len() < text.len()).then(|| decoded + rest)
}

/// Returns the character that an escape means, and the length of the escape in bytes without its backslash.
fn escape(after_backslash: &str) -> (Option<char>, usize) {
    let number = |skip: usize, radix: u32, max_digits: usize| {
        let (value, length) = digits(after_backslash.chars().skip(skip), radix, max_digits);
        (length > 0).then(|| (char::from_u32(value), skip + length))
    };
    let first = after_backslash.chars().next();
    let numeric = match first {
        Some('x') => number(1, 16, 2),
        Some('u') => number(1, 16, 4),
        Some('0'..='7') => number(0, 8, 3),
        _ => None,
    };
    match (numeric, first) {
        (Some(numeric), _) => numeric,
        (None, Some('n' | 't' | 'r')) => (Some(' '), 1),
        // A backslash before any other character is removed, and the character stays.
        (None, _) => (None, 0),
    }
}

/// Returns the text with adjacent literals joined: `"a" "b"` of C, `'a'.'b'` of Vim, `"a"+"b"`, `'a'||'b'`; `None` if
/// there are none.
fn joined_literals(text: &str) -> Option<String> {
    const OPERATORS: &[&str] = &["..", ".", "+", "||", "&", "~", "*", ""];
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_changed = false;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, from_quote) = rest.split_at_checked(at).unwrap_or((rest, ""));
        joined.push_str(before);
        let mut chars = from_quote.chars();
        let quote = chars.next();
        let after_quote = chars.as_str().trim_start();
        let next_literal = OPERATORS.iter().find_map(|operator| {
            let operand = after_quote.strip_prefix(operator)?.trim_start();
            operand.strip_prefix(['"', '\''])
        });
        match next_literal {
            Some(next_literal) if !joined.ends_with(['"', '\'']) => {
                is_changed = true;
                rest = next_literal;
            }
            _ => {
                joined.extend(quote);
                rest = chars.as_str();
            }
        }
    }
    joined.push_str(rest);
    is_changed.then_some(joined)
}

/// Functions of compiled languages that change files or run programs.
const CHANGING: &[&str] = &[
    "remove",
    "unlink",
    "unlinkat",
    "rmdir",
    "rename",
    "renameat",
    "open",
    "openat",
    "freopen",
    "creat",
    "truncate",
    "ftruncate",
    "system",
    "popen",
    "execl",
    "execlp",
    "execle",
    "execv",
    "execvp",
    "execve",
    "posix_spawn",
    "ofstream",
    "fstream",
    "mkdir",
    "symlink",
    "link",
    "chmod",
    "syscall",
    "remove_all",
    "remove_file",
    "remove_dir_all",
    "write",
    "create",
    "Command",
    "asm",
    "RemoveAll",
    "Remove",
    "WriteFile",
    "Create",
    "Truncate",
    "Rename",
    "OpenFile",
];

/// Returns the literals in the source of a compiled program, a line for each, if the program may change files or run
/// programs; empty otherwise.
pub(crate) fn compiled_literals(code: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = code.split(|c| !is_name(c));
    // `fopen` only reads unless a literal is a mode for writing.
    let opens_for_writing = ["\"w", "\"a", "\"r+"].iter().any(|mode| code.contains(mode)) && code.contains("fopen");
    if !opens_for_writing && !names.any(|name| CHANGING.contains(&name)) {
        return String::new();
    }
    let joined = joined_literals(code);
    let text = joined.as_deref().unwrap_or(code);
    let lines = text.lines().flat_map(|line| line.split('"').skip(1).step_by(2));
    lines.filter(|literal| !literal.is_empty()).map(|literal| format!("\"{literal}\"\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(program: &str, code: &str) -> String {
        words_of_code(program, code).map_or_else(|| "any".to_owned(), |words| words.join(" "))
    }

    #[test]
    fn every_word_may_be_a_file() {
        for (program, code, words) in [
            ("tclsh", "file delete notes", "delete file notes"),
            ("tclsh", "file delete not\\x65s", "delete file not\\x65s notes"),
            ("tclsh", "exec r[]m n[]otes", "any"),
            ("tclsh", "file delete $x", "any"),
            ("tclsh", "puts $x; puts [info version]", "$x info puts version"),
            ("ed", "w notes\nq", "notes q w"),
            ("vim", "call delete('no'.'tes')", "call delete no notes tes"),
            ("vim", "call delete(join(x))", "any"),
            ("make", "a:b;touch $@\n$(file >notes)", "a:b b file notes touch"),
            ("m4", "syscmd(rm notes)", "notes rm syscmd"),
            ("m4", "define(x,n)syscmd(rm x`'otes)", "any"),
            ("./a", "unlink(\"no\" \"tes\")", "no notes tes unlink"),
        ] {
            let mut expected: Vec<&str> = words.split(' ').collect();
            expected.sort_unstable();
            assert_eq!(found(program, code), expected.join(" "), "{code}");
        }
    }
}
