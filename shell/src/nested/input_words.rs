//! The words that `xargs` and `parallel` read from a known standard input. What is not known here is told by `None`.

use super::call::OuterCommand;
use crate::word::Word;

/// The maximum number of commands that are made from one input.
const MAX_COMMANDS: usize = 32;

/// The maximum number of words that are read from one input.
const MAX_WORDS: usize = 512;

/// How `xargs` divides its input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InputDivision {
    /// At blanks and newlines, outside quotes.
    Blanks,
    /// At newlines, outside quotes: one word is a whole line.
    Lines,
    /// At each such character, where quotes mean nothing.
    Delimiter(char),
}

/// Returns the words that each command of an `xargs` gets, with `-I` one word each; `None` if they are not known.
pub(super) fn xargs_batches(call: &OuterCommand<'_>, has_placeholder: bool) -> Option<Vec<Vec<Word>>> {
    if call.has_any_option(&["-a", "-E", "-e", "-L", "-l", "-s", "-J", "-R", "-S"]) {
        return None;
    }
    let text = call.stdin?;
    let division = match (call.has_option("-0"), call.value("-d")) {
        (true, _) => InputDivision::Delimiter('\0'),
        (false, Some(word)) => InputDivision::Delimiter(delimiter(word.known_text()?)?),
        (false, None) if has_placeholder => InputDivision::Lines,
        (false, None) => InputDivision::Blanks,
    };
    if division != InputDivision::Delimiter('\0') && text.contains('\0') {
        return None;
    }
    let words: Vec<Word> = match division {
        InputDivision::Delimiter(delimiter) => {
            text.strip_suffix(delimiter).unwrap_or(text).split(delimiter).map(Word::text).collect()
        }
        InputDivision::Blanks | InputDivision::Lines => quoted_words(text, division)?,
    };
    let per_command = match (has_placeholder, call.value("-n")) {
        (true, _) => 1,
        (false, Some(count)) => count.known_text()?.parse::<usize>().ok().filter(|count| *count > 0)?,
        (false, None) => MAX_WORDS,
    };
    if words.is_empty() {
        // GNU's runs the command once without any words, and BSD's not at all.
        return Some(if has_placeholder || call.has_option("-r") { Vec::new() } else { vec![Vec::new()] });
    }
    let batches: Vec<Vec<Word>> = words.chunks(per_command).map(<[Word]>::to_vec).collect();
    (words.len() <= MAX_WORDS && batches.len() <= MAX_COMMANDS).then_some(batches)
}

/// Returns the character that the value of `-d` means.
fn delimiter(text: &str) -> Option<char> {
    match text {
        "\\n" => Some('\n'),
        "\\t" => Some('\t'),
        "\\0" => Some('\0'),
        _ => {
            let mut characters = text.chars();
            characters.next().filter(|c| *c != '\\' && characters.next().is_none())
        }
    }
}

/// Splits an input at blanks or lines, with quotes and backslashes resolved; `None` if a quote is not closed.
fn quoted_words(text: &str, division: InputDivision) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\n' => words.extend(word.take().map(Word::text)),
            ' ' | '\t' if division == InputDivision::Blanks => words.extend(word.take().map(Word::text)),
            // Blanks in front of a line are left out.
            ' ' | '\t' if word.is_none() => {}
            '\\' => word.get_or_insert_default().push(characters.next()?),
            '\'' | '"' => {
                let quoted = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        end if end == c => break,
                        '\n' => return None,
                        inner => quoted.push(inner),
                    }
                }
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word.map(Word::text));
    Some(words)
}

/// Returns the lines that `parallel` reads, each of which is an argument; `None` if they are not known.
pub(super) fn parallel_lines(call: &OuterCommand<'_>) -> Option<Vec<Word>> {
    if call.has_any_option(&["-a", "-n", "-N", "-L", "-X", "-m", "-0", "-d", "--recstart", "--recend"]) {
        return None;
    }
    let lines: Vec<Word> = call.stdin?.lines().map(Word::text).collect();
    (lines.len() <= MAX_COMMANDS).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_divided_as_xargs_does() {
        let check = |text: &str, division: InputDivision, expected: Option<&[&str]>| {
            let words = quoted_words(text, division);
            let words: Option<Vec<String>> =
                words.map(|words| words.iter().map(|word| word.known_text().unwrap().to_owned()).collect());
            assert_eq!(
                words.as_deref(),
                expected.map(|words| words.iter().map(ToString::to_string).collect::<Vec<_>>()).as_deref(),
                "{text}"
            );
        };
        check("a  b\tc\nd\n", InputDivision::Blanks, Some(&["a", "b", "c", "d"]));
        check("  a b \n c", InputDivision::Lines, Some(&["a b ", "c"]));
        check("'a b' \"c'd\" e\\ f", InputDivision::Blanks, Some(&["a b", "c'd", "e f"]));
        check("'' x", InputDivision::Blanks, Some(&["", "x"]));
        check("it's", InputDivision::Blanks, None);
        check("'a\nb'", InputDivision::Blanks, None);
    }

    #[test]
    fn a_delimiter_is_one_character() {
        assert_eq!(
            (delimiter("\\n"), delimiter(","), delimiter("ab"), delimiter("\\x2c")),
            (Some('\n'), Some(','), None, None)
        );
    }
}
