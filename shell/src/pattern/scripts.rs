//! Code of `sed`, `awk`, `jq`, `yq` and `printf` that only reads and prints.

use crate::argv::{Argv, GivenOption};
use crate::word::{ValueSource, Word, WordPart};

/// Whether the code of a command only reads and prints: a sed script that selects lines and changes text, an awk
/// program that neither starts a command nor opens a file, a filter of `jq` or `yq` that only sees its input, or a
/// format of `printf` that computes nothing. For `sysctl`, that no operand has a value, and for `test`, that none is
/// computed.
pub(super) fn is_harmless_script(argv: &Argv<'_>) -> bool {
    let is_named = |name: &str| argv.records.first().is_some_and(|table| table.names.contains(&name));
    let Some((first, rest)) = argv.operands.split_first() else { return is_named("sed") && has_harmless_scripts(argv) };
    let is_harmless = |given: &GivenOption| matches!(&*given.name, "--field-separator" | "--assign");
    match first.known_text() {
        _ if is_named("sed") && has_script_options(argv) => has_harmless_scripts(argv),
        Some(script) if is_named("sed") => is_read_only_script(script),
        Some(program) if is_named("awk") => argv.options.iter().all(is_harmless) && is_read_only_program(program),
        Some(format) if is_named("printf") => is_plain_format(format, rest),
        Some(_) if is_named("jq") => has_plain_filter(argv),
        _ if is_named("sqlite3") => {
            !rest.is_empty() && rest.iter().all(|word| word.known_text().is_some_and(is_listing))
        }
        Some(_) if is_named("yq") => has_plain_expression(argv),
        _ if is_named("sysctl") => {
            argv.operands.iter().all(|word| word.known_text().is_some_and(|text| !text.contains('=')))
        }
        _ if is_named("test") => argv.operands.iter().all(|word| is_plain_operand_of_test(word)),
        _ => false,
    }
}

/// Whether a word is no file with more words, `@FILE`, and no switch such as `/p:x=y`.
pub(super) fn is_no_argument_file(word: &Word) -> bool {
    let is_switch = |text: &str| {
        let name = text.strip_prefix('/').and_then(|text| text.split_once(':')).map(|(name, _)| name);
        name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic()))
    };
    match word.parts.first() {
        Some(WordPart::Text(text)) => !text.starts_with('@') && !is_switch(text),
        Some(WordPart::Glob(_)) | None => true,
        Some(part @ WordPart::Unknown(_)) => part.matched_glob().is_some() && !word.prefix().starts_with('@'),
    }
}

/// Whether an operand of `test` runs nothing. zsh computes the operands of `-eq`, and bash the index behind `-v`, to
/// which an unknown word without quotes may expand.
fn is_plain_operand_of_test(word: &Word) -> bool {
    match word.known_text() {
        Some(text) => !text.contains("$("),
        None => !word.may_split_at_blanks() || is_number(word),
    }
}

/// Whether each unknown part of a word is a number: `$((n + 1))`.
fn is_number(word: &Word) -> bool {
    word.parts.iter().all(|part| match part {
        WordPart::Text(_) => true,
        WordPart::Unknown(unknown) => unknown.reason.source == ValueSource::Number,
        WordPart::Glob(_) => false,
    })
}

/// Whether the filter of a `jq` sees nothing but its input: neither the environment nor other files. With `--arg`, the
/// filter may come after its value.
fn has_plain_filter(argv: &Argv<'_>) -> bool {
    let pairs = argv.options.iter().filter(|given| matches!(&*given.name, "--arg" | "--argjson")).count();
    argv.operands.iter().take(pairs + 1).all(|word| word.known_text().is_some_and(is_plain_filter))
}

/// Whether a text is one command of `sqlite3` that lists: `.schema users`. Of a query it is not certain what it calls: a
/// name in brackets may be that of a function that starts a program.
fn is_listing(text: &str) -> bool {
    const LISTINGS: &[&str] = &["tables", "schema", "indexes", "indices", "databases", "fullschema", "dbinfo", "show"];
    text.trim().strip_prefix('.').is_some_and(|command| {
        let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
        LISTINGS.contains(&name) && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.% -".contains(&byte))
    })
}

/// Whether the expression of a `yq` sees nothing but its input. There are two programs of this name: one is `jq` for
/// other formats, the other also has subcommands, and operators that load files.
fn has_plain_expression(argv: &Argv<'_>) -> bool {
    const OPERATORS: &[&str] = &["load", "strenv", "envsubst", "eval", "system"];
    let commands = argv.operands.first().and_then(|word| word.known_text());
    let skipped = usize::from(commands.is_some_and(|name| matches!(name, "eval" | "e" | "eval-all" | "ea")));
    has_plain_filter(argv)
        && argv.operands.iter().skip(skipped).take(1).all(|word| {
            word.known_text()
                .is_some_and(|text| is_plain_filter(text) && !OPERATORS.iter().any(|operator| text.contains(operator)))
        })
}

/// Whether a filter of `jq` has none of the words `env`, `$ENV`, `import`, `include` and `$__prog_args`, except as the
/// name of a member: `.scripts.env`, `{env: .x}`.
fn is_plain_filter(filter: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut before = ' ';
    // What is before a name without the blanks between them.
    let mut before_blanks = ' ';
    let mut rest = filter;
    while let Some(first) = rest.chars().next() {
        let length = match is_name(first) {
            true => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        // Behind a comma, it may be the start of a slice: `.[1, env:2]`. A comment may end in a brace.
        let is_key = before_blanks == '{' && after.trim_start().starts_with(':') && !filter.contains('#');
        let is_member = before == '.' || before == '"' && after.starts_with('"') || is_key;
        match word {
            "ENV" | "__prog_args" if before_blanks == '$' => return false,
            "env" | "import" | "include" | "get_search_list" | "modulemeta" if !is_member => return false,
            _ => {}
        }
        before = word.chars().next_back().unwrap_or(' ');
        before_blanks = if before.is_whitespace() { before_blanks } else { before };
        rest = after;
    }
    true
}

/// Whether options give the script of a `sed`, so that all of its operands are files.
fn has_script_options(argv: &Argv<'_>) -> bool {
    argv.options.iter().any(|given| matches!(&*given.name, "--expression" | "--file"))
}

/// Whether all scripts that the options of a `sed` give only read.
fn has_harmless_scripts(argv: &Argv<'_>) -> bool {
    let scripts = argv.options.iter().filter(|given| matches!(&*given.name, "--expression" | "--file"));
    has_script_options(argv) && scripts.into_iter().all(is_read_only_expression)
}

/// Whether an option gives a script of `sed` that only reads.
pub(super) fn is_read_only_expression(given: &GivenOption) -> bool {
    given.name == "--expression" && given.value.as_ref().and_then(Word::known_text).is_some_and(is_read_only_script)
}

/// Whether a sed script consists of addresses, commands that print, delete and move lines between its buffers, and
/// `s/…/…/` without the flags `e` and `w`.
fn is_read_only_script(script: &str) -> bool {
    let mut rest = script;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let after = match c {
            '0'..='9' | '$' | ',' | '+' | '~' | '!' | ';' | ' ' | '\n' | '{' | '}' => Some(rest),
            'p' | 'd' | 'q' | 'n' | '=' | 'N' | 'P' | 'D' | 'h' | 'H' | 'g' | 'G' | 'x' => Some(rest),
            ':' | 'b' | 't' | 'T' => Some(after_label(rest)),
            '/' => after_delimiter(rest, '/'),
            's' => after_substitution(rest),
            _ => None,
        };
        match after {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

/// Returns the script after a label. What some versions of sed take for the rest of it is read as further commands.
fn after_label(script: &str) -> &str {
    script.trim_start_matches(' ').trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the script after the delimiters and the flags of an `s`; `None` if these do more than print.
fn after_substitution(script: &str) -> Option<&str> {
    let delimiter = script.chars().next().filter(|c| "/|#,:@%!".contains(*c))?;
    let parts = after_delimiter(script.get(1..)?, delimiter)?;
    let flags = after_delimiter(parts, delimiter)?;
    let rest = flags.trim_start_matches(|flag: char| flag.is_ascii_digit() || "gpiI".contains(flag));
    (rest.is_empty() || rest.starts_with([';', ' ', '}', '\n'])).then_some(rest)
}

/// Returns the text after the next delimiter without a backslash before it. Returns `None` if there is none, or if a
/// newline or a `[…]` comes first, after which versions of sed end at different delimiters. They do not if the `[…]`
/// has neither the delimiter nor a further bracket or a backslash in it.
fn after_delimiter(text: &str, delimiter: char) -> Option<&str> {
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            c if c == delimiter => return text.get(at + 1..),
            '\\' => drop(characters.next().filter(|(_, quoted)| *quoted != '\n')?),
            '[' => {
                let inner = text.get(at + 1..)?;
                let inner = inner.strip_prefix('^').unwrap_or(inner);
                let (class, _) = inner.split_once(']').filter(|(class, _)| !class.is_empty())?;
                if class.contains(['[', '\\', '\n', delimiter]) {
                    return None;
                }
                characters.by_ref().find(|(_, c)| *c == ']')?;
            }
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a format of `printf` only prints its operands: as text, or as numbers that are written out. Shells compute
/// other numbers, and some assign variables.
fn is_plain_format(format: &str, operands: &[&Word]) -> bool {
    let mut characters = format.chars();
    let mut numbers = Vec::new();
    while let Some(c) = characters.next() {
        if c != '%' {
            continue;
        }
        let conversion = characters.by_ref().find(|c| !(c.is_ascii_digit() || "-+ #.'".contains(*c)));
        match conversion {
            Some('%') => {}
            Some('s' | 'c' | 'b') => numbers.push(false),
            Some('d' | 'i' | 'u' | 'x' | 'X' | 'o' | 'f' | 'F' | 'e' | 'g') => numbers.push(true),
            _ => return false,
        }
    }
    let is_number = |word: &&Word| {
        word.known_text().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte)))
    };
    // The conversions are used again for further operands. A word that may be several ones moves those behind it.
    let is_aligned = operands.iter().all(|word| !word.may_split());
    let mut conversions = operands.iter().zip(numbers.iter().cycle());
    !numbers.contains(&true) || is_aligned && conversions.all(|(word, is_for_number)| !is_for_number || is_number(word))
}

/// Names by which an awk program starts commands, reads other files or the environment, or refers to such a name
/// indirectly.
const AWK_NAMES: &[&str] = &["system", "getline", "ENVIRON", "PROCINFO", "SYMTAB", "FUNCTAB", "ARGV", "ARGC"];

/// Whether an awk program only reads its input: it has no name of [`AWK_NAMES`], no pipe, no redirection (`||` and `>=`
/// are neither), no `@`, and no backslash at the end of a line, which could divide a name. A `>` with no `print` in
/// front of it compares. What is in quotes and in regular expressions only has no such name.
fn is_read_only_program(program: &str) -> bool {
    let code = code_outside_literals(program);
    let code = code.as_deref().unwrap_or(program);
    let before_print = code.find("print").unwrap_or(code.len());
    let mut rest = code.bytes().enumerate().map(|(at, byte)| (at < before_print, byte)).peekable();
    while let Some((is_before_print, byte)) = rest.next() {
        let pair = match byte {
            b'|' => b'|',
            b'>' if is_before_print && rest.peek().is_some_and(|(_, next)| *next != b'>') => continue,
            b'>' => b'=',
            b'\\' if matches!(rest.peek(), Some((_, b'\n' | b'\r'))) => return false,
            b'@' => return false,
            _ => continue,
        };
        if rest.next_if(|(_, next)| *next == pair).is_none() {
            return false;
        }
    }
    !AWK_NAMES.iter().any(|name| program.contains(name))
}

/// Words of awk behind which an expression may begin.
const AWK_KEYWORDS: &[&str] =
    &["print", "printf", "return", "exit", "delete", "in", "else", "do", "getline", "case", "nextfile", "next"];

/// Returns an awk program without the content of its strings and regular expressions. `None` if where they end depends
/// on more than the next delimiter: they have a backslash, a bracket or a newline, the program has a comment, or it is
/// not certain that a slash divides.
fn code_outside_literals(program: &str) -> Option<String> {
    let mut code = String::with_capacity(program.len());
    let mut rest = program;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..)?;
        code.push(c);
        let is_regex = c == '/' && begins_regex(code.trim_end_matches([' ', '/']))?;
        match c {
            '"' | '/' if c == '"' || is_regex => {
                let (literal, after) = rest.split_once(c)?;
                if literal.contains(['\\', '\n']) || is_regex && literal.contains('[') {
                    return None;
                }
                code.push(c);
                rest = after;
            }
            '#' | '\\' => return None,
            _ => {}
        }
    }
    Some(code)
}

/// Whether a slash behind this part of an awk program begins a regular expression, and does not divide; `None` if that
/// is not certain.
fn begins_regex(before: &str) -> Option<bool> {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    match before.chars().next_back() {
        None | Some('~' | '(' | ',' | '!' | '&' | '|' | '{' | ';' | '\n') => Some(true),
        Some(']') => Some(false),
        Some(last) if is_of_name(last) => {
            let word = before.rsplit(|c| !is_of_name(c)).next()?;
            (!AWK_KEYWORDS.contains(&word)).then_some(false)
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sed_script_that_prints_only_reads() {
        for script in [
            "1,5p",
            "/a/,/b/p",
            "s/a/b/g",
            r"/\[x\]/,/^\[/p",
            r"s/\//x/",
            "$d",
            r"s/a/\n/",
            "s#a/b#c#g",
            "s/[0-9]*//",
            "N;P;D",
            "1p\n5p",
        ] {
            assert!(is_read_only_script(script), "{script}");
        }
        for script in [
            "w f",
            "s/a/b/e",
            "s/a/b/w f",
            "1e x",
            "r f",
            "/[/]/p",
            r"s/a\/b/e",
            r"s/a/b\",
            r"/\",
            "/a\nw f/p",
            "s/[/]/x/",
            "s#a#b#w f",
            "s/[[:x:]]/b/",
        ] {
            assert!(!is_read_only_script(script), "{script}");
        }
    }

    #[test]
    fn a_filter_that_sees_its_input_alone() {
        for filter in
            [".scripts.env", ".environment", ".[\"env\"]", "keys[] | ascii_downcase", ".a.import", "{env: .a, b}"]
        {
            assert!(is_plain_filter(filter), "{filter}");
        }
        for filter in [
            "env",
            "$ENV.PATH",
            "env.HOME",
            "\"\\(env)\"",
            "import \"x\" as y; .",
            "{env}",
            "..|env",
            "{a: env}",
            "{(env): 1}",
            "path(.[env:1])",
            ".[1, env:2]",
            ".[ # {\n env:1]",
            "$ ENV",
            "$\n__prog_args",
        ] {
            assert!(!is_plain_filter(filter), "{filter}");
        }
    }

    #[test]
    fn a_format_of_text_computes_nothing() {
        let check = |format: &str, operands: &[&str], expected: bool| {
            let words: Vec<Word> = operands.iter().copied().map(Word::text).collect();
            assert_eq!(is_plain_format(format, &words.iter().collect::<Vec<_>>()), expected, "{format} {operands:?}");
        };
        check("%s: %-10s\\n", &["a[$(rm x)]", "b"], true);
        check("%5.2f %d %%", &["3", "-4.5"], true);
        check("%s %d", &["count", "3", "more", "4"], true);
        check("%s %d", &["count", "x"], false);
        check("%d", &["a[$(rm x)]"], false);
        check("%*s", &["1", "x"], false);
        check("%n", &["x"], false);
        check("%(%s)T", &[], false);
    }

    #[test]
    fn an_awk_program_that_prints_only_reads() {
        for program in [
            "{print $1}",
            "NR>=2 && NR<=5",
            "$1 || $2",
            r#"/x/ {print NR": "$0}"#,
            "END { print s }",
            "$3>5",
            "length > 100",
            "$3>5 {print $1}",
            "$3 ~ /D|Z/",
            "/a|b/ && $2 > 3 {print \"x > y\"}",
            "{print $1 / 2, \"a|b\"}",
        ] {
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
            "{print $1 > 5}",
            "$1 > 5 {print} $2 > 6 {print}",
            "$1 >> 5",
            "BEGIN{sys\\\ntem(\"x\")}",
            "/a\\/b/ {print | \"sh\"}",
            "{print /\"/ $0 > \"src/f\"; x = y ~ /a\"b/}",
            "/[/]/ {print | \"/\"}",
            "{x = 1 / 2; print | \"a / b\"}",
            "if (x) /a/ | \"sh\"",
            "{print \"x\" | \"sh\"}",
            "# \"\n{print | \"sh\"}",
        ];
        for program in others {
            assert!(!is_read_only_program(program), "{program}");
        }
    }
}
