//! Code in a program's own language (Tcl, an editor's commands, a debugger's, macros, C): any word of it may name a
//! file, with or without quotes.

use std::collections::BTreeSet;

use crate::escapes::digits;

/// The maximum number of words of one text that are returned.
const WORDS: usize = 1024;

/// The longest word, in bytes.
const LONGEST: usize = 1024;

/// The functions with which a language changes files, runs code or loads it.
struct OwnLanguage {
    /// The programs that run code in the language.
    programs: &'static [&'static str],
    /// The names of the functions.
    functions: &'static [&'static str],
    /// The signs that compute a word where the function is called.
    computes: &'static [&'static str],
}

/// The languages that can assemble a name from parts. Those of other programs take names as they are written.
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
    if found.len() > WORDS {
        // Among so many words, those with a dot or a slash are the ones that look like files.
        found.retain(|word| word.contains(['.', '/']) || word.starts_with('~'));
    }
    Some(found.into_iter().take(WORDS).map(str::to_owned).collect())
}

/// Whether a line of the code calls one of the language's functions with a word that it computes.
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

/// Returns the words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let between = |c: char| c.is_whitespace() || c.is_control() || "\"'`(){}[]<>,;|&=!".contains(c);
    let parts = text.split(between).flat_map(|word| {
        // `:` ends the name of a command or a target, and begins no path but that of a Windows drive.
        let name = word.trim_end_matches(['.', ':', '\\']).trim_start_matches(['@', '\\', ':', '+', '%']);
        let behind = name.rsplit_once(':').map(|(_, behind)| behind.trim_start_matches(['@', '\\', '+', '%']));
        [Some(name), behind]
    });
    parts.flatten().filter(|word| {
        !word.is_empty() && word.len() <= LONGEST && !word.contains("://") && word.contains(char::is_alphanumeric)
    })
}

/// Returns the text with its backslash escapes decoded (`\x76`, `\166`, `\u0076`), and other backslashes removed;
/// `None` if it has none.
fn without_escapes(text: &str) -> Option<String> {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        decoded.push_str(before);
        let (c, length) = escape(behind);
        decoded.extend(c);
        rest = behind.get(length..).unwrap_or_default();
    }
    (rest.len() < text.len()).then(|| decoded + rest)
}

/// Returns the character of the escape behind a backslash, and the length of the escape in bytes.
fn escape(behind: &str) -> (Option<char>, usize) {
    let number = |skip: usize, radix: u32, most: usize| {
        let (value, length) = digits(behind.chars().skip(skip), radix, most);
        (length > 0).then(|| (char::from_u32(value), skip + length))
    };
    let first = behind.chars().next();
    let found = match first {
        Some('x') => number(1, 16, 2),
        Some('u') => number(1, 16, 4),
        Some('0'..='7') => number(0, 8, 3),
        _ => None,
    };
    match (found, first) {
        (Some(found), _) => found,
        (None, Some('n' | 't' | 'r')) => (Some(' '), 1),
        // A backslash before another character is removed, and the character is read as it is.
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
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        joined.push_str(before);
        let mut chars = behind.chars();
        let quote = chars.next();
        let gap = chars.as_str().trim_start();
        let next = OPERATORS.iter().find_map(|operator| {
            let operand = gap.strip_prefix(operator)?.trim_start();
            operand.strip_prefix(['"', '\''])
        });
        match next {
            Some(next) if !joined.ends_with(['"', '\'']) => {
                is_changed = true;
                rest = next;
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
    let opens = ["\"w", "\"a", "\"r+"].iter().any(|mode| code.contains(mode)) && code.contains("fopen");
    if !opens && !names.any(|name| CHANGING.contains(&name)) {
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
