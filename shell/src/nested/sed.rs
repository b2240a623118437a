//! What a sed script runs: GNU sed's command `e`, and the flag `e` of `s`.

use super::Runnable;
use super::words::inserted_word;
use crate::access::Verb;
use crate::word::{Cause, Word, WordPart};

/// The character that replaces an unknown part of a script while the script is scanned.
const UNKNOWN: char = '\u{fffc}';

/// Returns what a script runs. A script that is entirely unknown may run anything.
pub(super) fn runs(script: &Word) -> Vec<Runnable> {
    if script.parts.iter().all(|part| matches!(part, WordPart::Unknown(_))) && !script.parts.is_empty() {
        return vec![Runnable::foreign(script.clone())];
    }
    scan_script(script).found
}

/// Returns the files that a script reads and writes: `r`, `R`, `w`, `W`, and the flag `w` of `s`.
pub(crate) fn files(script: &Word) -> Vec<(Verb, Word)> {
    scan_script(script).files
}

/// Scans a script for the commands that it runs and the files that it opens.
fn scan_script(script: &Word) -> SedScanner {
    let text: String = script
        .parts
        .iter()
        .flat_map(|part| match part {
            WordPart::Text(text) | WordPart::Glob(text) => text.chars().collect::<Vec<_>>(),
            WordPart::Unknown(_) => vec![UNKNOWN],
        })
        .collect();
    let unknowns = script.parts.iter().filter(|part| matches!(part, WordPart::Unknown(_))).cloned().collect();
    let mut scanner =
        SedScanner { chars: text.chars().collect(), unknowns, at: 0, found: Vec::new(), files: Vec::new() };
    scanner.script();
    scanner
}

/// A scanner of sed scripts.
struct SedScanner {
    chars: Vec<char>,
    /// The unknown parts that [`UNKNOWN`] replaces, in order.
    unknowns: Vec<WordPart>,
    /// The index of the next character.
    at: usize,
    /// The commands that the script runs.
    found: Vec<Runnable>,
    /// The files that the script opens.
    files: Vec<(Verb, Word)>,
}

impl SedScanner {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next_char(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += 1;
        next
    }

    /// Skips characters as long as `test` holds.
    fn skip(&mut self, test: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&test) {
            self.at += 1;
        }
    }

    /// Returns the rest of the line, and moves after it. A backslash before the end of the line continues it.
    fn line(&mut self) -> String {
        let mut line = String::new();
        while let Some(c) = self.next_char() {
            match c {
                '\n' => break,
                '\\' => {
                    line.push(c);
                    line.extend(self.next_char());
                }
                _ => line.push(c),
            }
        }
        line
    }

    /// Scans all commands.
    fn script(&mut self) {
        while self.peek().is_some() {
            self.skip(|c| c.is_whitespace() || matches!(c, ';' | '}' | '{'));
            self.skip_addresses();
            self.skip(|c| c.is_whitespace() || c == '!');
            let Some(command) = self.next_char() else { return };
            self.command(command);
        }
    }

    /// Skips the addresses before a command: `1,/end/`.
    fn skip_addresses(&mut self) {
        loop {
            match self.peek() {
                Some('/') => {
                    self.at += 1;
                    self.regex('/');
                    self.skip(|c| matches!(c, 'I' | 'M'));
                }
                Some('\\') => {
                    self.at += 1;
                    if let Some(delimiter) = self.next_char() {
                        self.regex(delimiter);
                        self.skip(|c| matches!(c, 'I' | 'M'));
                    }
                }
                Some(c) if c.is_ascii_digit() || matches!(c, '$' | '~' | '+' | ',' | UNKNOWN) => self.at += 1,
                Some(' ') if matches!(self.chars.get(self.at + 1), Some(',' | '/' | '$' | '0'..='9')) => self.at += 1,
                _ => return,
            }
        }
    }

    /// Skips a regex up to its delimiter, which may be part of a bracket expression before that.
    fn regex(&mut self, delimiter: char) {
        while let Some(c) = self.next_char() {
            match c {
                '\\' => self.at += 1,
                c if c == delimiter => return,
                '[' => self.class(),
                _ => {}
            }
        }
    }

    /// Skips a bracket expression: a leading `]` is a member, and so is the `]` in `[:alpha:]`.
    fn class(&mut self) {
        self.skip_one('^');
        self.skip_one(']');
        while let Some(c) = self.next_char() {
            match (c, self.peek()) {
                (']', _) => return,
                ('[', Some(kind @ (':' | '.' | '='))) => {
                    self.at += 1;
                    while self.peek().is_some() && !(self.next_char() == Some(kind) && self.peek() == Some(']')) {}
                    self.at += 1;
                }
                _ => {}
            }
        }
    }

    fn skip_one(&mut self, one: char) {
        if self.peek() == Some(one) {
            self.at += 1;
        }
    }

    /// Skips a replacement up to its delimiter, which a backslash escapes.
    fn skip_until(&mut self, delimiter: char) {
        while let Some(c) = self.next_char() {
            match c {
                '\\' => self.at += 1,
                c if c == delimiter => return,
                _ => {}
            }
        }
    }

    /// Scans the rest of a command after its letter.
    fn command(&mut self, command: char) {
        match command {
            '#' | ':' | 'r' | 'R' | 'w' | 'W' | 'a' | 'i' | 'c' | 'b' | 't' | 'T' => self.argument(command),
            's' => {
                let Some(delimiter) = self.next_char() else { return };
                self.regex(delimiter);
                self.skip_until(delimiter);
                self.flags();
            }
            'y' => {
                let Some(delimiter) = self.next_char() else { return };
                self.skip_until(delimiter);
                self.skip_until(delimiter);
            }
            'e' => {
                let text = self.rest_of_line();
                self.found.push(Runnable::script(match text.parts.as_slice() {
                    // Without a text, `e` runs the contents of the pattern space.
                    [] => inserted_word(Cause::Input, "e"),
                    _ => text,
                }));
            }
            _ => {}
        }
    }

    /// Skips the text or name after a command, and records it if it is a file.
    fn argument(&mut self, command: char) {
        if matches!(command, 'b' | 't' | 'T') {
            // A label ends at a `;`.
            return self.skip(|c| !matches!(c, '\n' | ';' | '}'));
        }
        if command == ':' {
            // GNU sed ends this label there too, and others at the end of the line.
            return self.skip(|c| !matches!(c, '\n' | ';'));
        }
        let text = self.rest_of_line();
        let verb = match command {
            'r' | 'R' => Verb::Reads,
            'w' | 'W' => Verb::Writes,
            _ => return,
        };
        self.files.push((verb, text));
    }

    /// Returns the rest of the line with its unknown parts restored, without leading spaces and tabs.
    fn rest_of_line(&mut self) -> Word {
        self.skip(|c| c == ' ' || c == '\t');
        let before = self.chars.iter().take(self.at).filter(|c| **c == UNKNOWN).count();
        let text = self.line();
        restore_unknowns(&text, self.unknowns.get(before..).unwrap_or_default())
    }

    /// Scans the flags of `s`.
    fn flags(&mut self) {
        while let Some(flag) = self.peek() {
            match flag {
                'e' => {
                    self.found.push(Runnable::script(inserted_word(Cause::Input, "s///e")));
                    self.at += 1;
                }
                // A file name extends to the end of the line.
                'w' => {
                    self.at += 1;
                    let file = self.rest_of_line();
                    return self.files.push((Verb::Writes, file));
                }
                c if c.is_ascii_alphanumeric() || c == UNKNOWN => self.at += 1,
                _ => return,
            }
        }
    }
}

/// Returns a text with [`UNKNOWN`] replaced by the unknown parts, in order.
fn restore_unknowns(text: &str, unknowns: &[WordPart]) -> Word {
    let mut word = Word::default();
    let mut unknowns = unknowns.iter();
    for (at, piece) in text.split(UNKNOWN).enumerate() {
        if at > 0 {
            unknowns.by_ref().take(1).for_each(|unknown| word.push(unknown.clone()));
        }
        word.push(WordPart::Text(piece.to_owned()));
    }
    word
}
