//! Code in languages without a parser (Lua, R, Julia, awk), and invalid code in a language with one.
//!
//! The names of the files that such code touches are usually literals in it. If a function that opens, changes or runs
//! something has an argument that is not a literal, the code may touch any file.

mod words;

pub(crate) use words::compiled_literals;
pub use words::words_of_code;

use crate::access::Verb;
use crate::argv::base_name;
use crate::programs::{InterpreterLanguage, language};

/// Code that changes files contains at least one of these texts, after blanks are removed: a file mode such as `,'w`,
/// or the name of a function.
const CHANGES: &[&str] = &[
    ",'w", ",\"w", ",'a", ",\"a", ",'x", ",\"x", "'>", "\">", "write", "Write", "append", "unlink", "remove", "rm",
    "rename", "move", "copy", "truncate", "touch", "mkdir", "chmod", "chown", "dump", "save", "delete", "link",
];

/// Whether code may change files, judged by the texts in it.
pub(crate) fn may_change(code: &str) -> bool {
    let dense: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    CHANGES.iter().any(|word| dense.contains(word))
}

/// Returns the quoted texts that may be paths: without blanks and backslashes, with a dot or a slash, and not URLs.
pub(crate) fn literals(code: &str) -> impl Iterator<Item = &str> {
    let is_path =
        |literal: &&str| literal.contains(['.', '/']) && !literal.contains(|c: char| c.is_whitespace() || c == '\\');
    let is_path = move |literal: &&str| is_path(literal) && !literal.contains("://");
    // In Perl, the mode may be at the beginning of the path: `'>file'`.
    quoted(code).filter(is_path).map(|literal| literal.trim_start_matches(['<', '>', '+']))
}

/// Returns the texts between quotes of any kind.
fn quoted(code: &str) -> impl Iterator<Item = &str> {
    let mut rest = code;
    let next = move || {
        loop {
            let start = rest.find(['"', '\'', '`'])?;
            let quote = rest.get(start..)?.chars().next()?;
            let after_quote = rest.get(start + 1..)?;
            let Some(end) = after_quote.find(quote) else {
                rest = after_quote;
                continue;
            };
            let literal = after_quote.get(..end)?;
            rest = after_quote.get(end + 1..)?;
            return Some(literal);
        }
    };
    std::iter::from_fn(next)
}

/// The maximum number of paths of one program that are returned.
const MAX_PATHS: usize = 256;

/// The maximum length of code that is examined, in bytes. Longer code may do anything.
const MAX_CODE_BYTES: usize = 1 << 16;

/// Functions of Perl, Ruby, PHP, Lua, R, Julia and awk that change files, or that run a program on them.
const CHANGING: &[&str] = &[
    "open",
    "sysopen",
    "unlink",
    "rename",
    "rmdir",
    "truncate",
    "link",
    "symlink",
    "chmod",
    "chown",
    "utime",
    "mkdir",
    "remove",
    "delete",
    "write",
    "binwrite",
    "write_file",
    "spew",
    "spurt",
    "copy",
    "cp",
    "move",
    "mv",
    "rm",
    "rm_f",
    "file_put_contents",
    "fopen",
    "touch",
    "tempnam",
    "move_uploaded_file",
    "popen",
    "pclose",
    "copy_file",
];

/// Functions that change the files below a directory.
const CHANGING_TREES: &[&str] =
    &["rmtree", "remove_tree", "rm_r", "rm_rf", "rm_tree", "remove_dir", "remove_entry", "dircopy", "cp_r", "mkpath"];

/// Functions that read files.
const READING: &[&str] = &[
    "open",
    "sysopen",
    "read",
    "readlines",
    "foreach",
    "binread",
    "read_file",
    "slurp",
    "file_get_contents",
    "readfile",
    "fopen",
    "file",
    "copy",
    "cp",
    "readLines",
    "readRDS",
    "scan",
    "source",
    "lines",
    "readline",
    "parse_ini_file",
    "show_source",
    "getline",
    "highlight_file",
    "popen",
    "File::Slurp",
    "load_file",
];

/// Functions that run commands or code.
const RUNNING: &[&str] = &[
    "system",
    "exec",
    "qx",
    "spawn",
    "eval",
    "instance_eval",
    "class_eval",
    "shell_exec",
    "passthru",
    "proc_open",
    "pcntl_exec",
    "execute",
    "system2",
    "loadstring",
    "dofile",
    "loadfile",
    "public_send",
    "__send__",
    "const_get",
    "create_function",
    "call_user_func",
    "pipeline",
    "open3",
    "open2",
    "capture2",
    "capture3",
    "popen3",
    "syscall",
];

/// A function of Lua that runs a text as code. In other languages, the name is also that of harmless functions.
const LOADING: &[&str] = &["load"];

/// Returns the files that code in a language without a parser may touch: the literals in it. `None` if the code
/// computes a name.
#[must_use]
pub fn files_touched_by_program(code: &str, verb: Verb) -> Option<Vec<&str>> {
    let functions = match verb {
        Verb::Reads | Verb::Sends => READING,
        Verb::Writes | Verb::Deletes => CHANGING,
    };
    let is_changing = matches!(verb, Verb::Writes | Verb::Deletes);
    let is_computed = code.len() > MAX_CODE_BYTES
        || is_changing && calls(code, CHANGING_TREES).next().is_some()
        || calls(code, functions).any(has_computed)
        || is_changing && redirects(code).any(has_computed)
        || !is_changing && argument_lists(code).any(has_computed);
    if is_computed { None } else { files_touched_by_code(code, verb) }
}

/// Returns the files that a piece of code may touch: the literals in it. `None` if there are too many; empty if
/// nothing in the code touches files.
#[must_use]
pub fn files_touched_by_code(code: &str, verb: Verb) -> Option<Vec<&str>> {
    let contains_any = |names: &[&str]| names.iter().any(|name| code.contains(name));
    let touches = match verb {
        Verb::Reads | Verb::Sends => true,
        Verb::Writes | Verb::Deletes => {
            // A function that opens a file changes it only in a mode for writing, which [`may_change`] finds.
            may_change(code)
                || CHANGING.iter().any(|name| !name.ends_with("open") && code.contains(name))
                || contains_any(CHANGING_TREES)
                || contains_any(RUNNING)
                || code.contains(['`', '>', '|'])
        }
    };
    if !touches {
        return Some(Vec::new());
    }
    let mut found: Vec<&str> = Vec::new();
    let is_separator = |c: char| c.is_whitespace() || "\"'`(){}[]<>,;|&=".contains(c);
    let texts = quoted(code).flat_map(|text| text.split(is_separator)).chain(other_quoted_texts(code));
    for text in texts.map(|text| text.trim_start_matches(['<', '>', '+'])) {
        if text.is_empty() || text.contains("://") || found.contains(&text) {
            continue;
        }
        if found.len() == MAX_PATHS {
            return None;
        }
        found.push(text);
    }
    Some(found)
}

/// The languages whose functions are in the tables above.
const LANGUAGES: &[InterpreterLanguage] = &[
    InterpreterLanguage::Perl,
    InterpreterLanguage::Ruby,
    InterpreterLanguage::Php,
    InterpreterLanguage::Lua,
    InterpreterLanguage::R,
    InterpreterLanguage::Awk,
];

/// Whether code for an interpreter may run a command or code that is not a literal in it. A search of the code does not
/// find such a command.
pub(crate) fn runs_computed(program: &str, code: &str) -> bool {
    if !language(base_name(program)).is_some_and(|language| LANGUAGES.contains(&language)) {
        return false;
    }
    let mut ticks = code.split('`').skip(1).step_by(2);
    let is_lua = language(base_name(program)) == Some(InterpreterLanguage::Lua);
    code.len() > MAX_CODE_BYTES
        || is_lua && calls(code, LOADING).any(has_computed)
        || ticks.any(|text| text.contains(['$', '@', '#']))
        || calls(code, RUNNING).any(has_computed)
        || piped_texts(code).any(has_computed)
}

/// Returns the text after each `>` that redirects a `print` into a file, as in awk.
fn redirects(code: &str) -> impl Iterator<Item = &str> {
    print_statements(code).filter_map(|statement| {
        let (before, target) = statement.split_once('>')?;
        let is_operator = before.ends_with(['-', '=']) || target.starts_with('=');
        (!is_operator).then(|| target.trim_start_matches('>'))
    })
}

/// Returns the text after each `|` that pipes a `print` into a program, as in awk.
fn piped_texts(code: &str) -> impl Iterator<Item = &str> {
    print_statements(code).filter_map(|statement| {
        let (before, program) = statement.rsplit_once('|')?;
        (!before.ends_with('|')).then_some(program)
    })
}

/// Returns the code from each `print` to the end of its statement.
fn print_statements(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("print").filter_map(|(start, _)| {
        let statement = code.get(start..)?;
        statement.get(..statement.find([';', '}', '\n']).unwrap_or(statement.len()))
    })
}

/// Returns the texts that a program assigns to its own arguments, which are then its input files: `@ARGV = …`,
/// `ARGV[1] = …`.
fn argument_lists(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("ARGV").filter_map(|(start, name)| {
        let after_name = code.get(start + name.len()..)?;
        let (index, value) = after_name.split_once('=')?;
        let is_assigned =
            index.trim().is_empty() || index.trim_start().starts_with('[') && index.trim_end().ends_with(']');
        (is_assigned && !value.starts_with(['=', '~'])).then_some(value)
    })
}

/// Returns the words of texts in the other quotes of Perl and Ruby: `q(x)`, `qw/x y/`, `%q{x}`.
fn other_quoted_texts(code: &str) -> impl Iterator<Item = &str> {
    let starts = code
        .match_indices(['q', '%'])
        .filter(|(at, _)| !code.get(..*at).unwrap_or_default().ends_with(|c: char| c.is_alphanumeric()));
    starts.flat_map(move |(at, _)| {
        let after_prefix = code.get(at + 1..).unwrap_or_default().trim_start_matches(['q', 'w', 'Q', 'W', 'i']);
        let inner = after_prefix.strip_prefix(['(', '{', '[', '<', '/', '|', '!', '~', '#']).unwrap_or_default();
        let end = inner.find([')', '}', ']', '>', '/', '|', '!', '~', '#', '\n']);
        inner.get(..end.unwrap_or(0)).unwrap_or_default().split_whitespace()
    })
}

/// Returns, for each call of one of these functions, the code after its name.
fn calls<'c>(code: &'c str, names: &'static [&'static str]) -> impl Iterator<Item = &'c str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    names.iter().flat_map(move |name| {
        code.match_indices(name).filter_map(move |(at, _)| {
            let (before, after) = (code.get(..at)?, code.get(at + name.len()..)?);
            let is_whole_name =
                !before.ends_with(|c| is_name(c) || matches!(c, '$' | '@' | '%' | '&')) && !after.starts_with(is_name);
            // The name of a hash key or a block, or one in a comparison, is not a call.
            let next = after.trim_start();
            let is_call = !(next.starts_with(['=', ':', '{']) || next.starts_with('}') && before.ends_with('{'));
            (is_whole_name && is_call).then_some(after)
        })
    })
}

/// Whether the arguments of a call contain anything other than literals and file handles, or no literal at all.
/// `after_name` is the code after the function's name.
fn has_computed(after_name: &str) -> bool {
    let mut rest = after_name.trim_start().trim_start_matches(['?', '!']);
    let mut depth = 0_usize;
    let mut had_literal = false;
    // In awk, two adjacent literals are concatenated, so the name is computed.
    let mut follows_literal = false;
    loop {
        let Some(c) = rest.chars().next() else { return !had_literal };
        let start = rest;
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '"' | '\'' => {
                let Some((text, after_quote)) = rest.split_once(c) else { return true };
                if follows_literal || is_interpolated(c, text) {
                    return true;
                }
                (had_literal, follows_literal) = (true, true);
                rest = after_quote;
            }
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return !had_literal;
                }
            }
            ';' | '\n' | '}' if depth == 0 => return !had_literal,
            ',' => follows_literal = false,
            ' ' | '\t' | '\n' | '0'..='9' | '<' | '>' | '-' => {}
            // A name is accepted if it is a file handle (`FH`, `$fh,`) or declares one.
            '$' | '*' | '_' | 'A'..='Z' | 'a'..='z' => {
                let word = start.trim_start_matches(['$', '*']);
                let end = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
                let (name, after_word) = word.split_at_checked(end).unwrap_or((word, ""));
                let is_handle = c != '$' && (name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
                    || !had_literal && after_word.trim_start().starts_with(',');
                match name {
                    "my" | "our" | "local" if !had_literal => {}
                    "or" | "and" | "if" | "unless" | "for" | "foreach" | "while" if had_literal && depth == 0 => {
                        return false;
                    }
                    _ if is_handle => {}
                    _ => return true,
                }
                rest = after_word;
            }
            _ => return true,
        }
    }
}

/// Whether the value of a quoted text differs from its source: it has an escape, or a variable is inserted.
fn is_interpolated(quote: char, text: &str) -> bool {
    text.contains('\\') || quote == '"' && (text.contains(['$', '@']) || text.contains("#{"))
}
