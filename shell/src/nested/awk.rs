//! The commands that an awk program runs: `system(…)`, a pipe from or to a command.
//!
//! This is not an awk parser: it distinguishes strings, regexes and comments from the rest, which suffices to find
//! out whether a program can run anything, and what it runs if the command is a literal.

use super::{CodeSource, Runnable, nested};
use crate::access::Verb;
use crate::escapes::digits;
use crate::word::{Cause, Unknown, Word, WordPart};

/// A token of an awk program.
#[derive(Clone, PartialEq, Eq, Debug)]
enum AwkToken {
    /// A name or a keyword.
    Name(String),
    /// A string literal, with its escapes resolved.
    Text(String),
    /// A regular expression between slashes.
    Regex,
    /// `|` or `|&`.
    Pipe,
    /// Any other character, including a digit and a newline.
    Sign(char),
    /// An unknown part of the program.
    Unknown,
}

/// Returns what an awk program runs. A program that is entirely unknown may run anything.
pub(super) fn runs(program: &Word) -> Vec<Runnable> {
    if program.parts.iter().all(|part| matches!(part, WordPart::Unknown(_))) && !program.parts.is_empty() {
        return vec![Runnable::foreign(program.clone())];
    }
    let tokens = join_strings(tokens(program));
    let at = |index: usize| tokens.get(index);
    let mut found = Vec::new();
    // A command that is not a literal may be any command.
    let mut may_run_anything = false;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(at);
        match (token, at(index + 1), at(index + 2), at(index + 3)) {
            (
                AwkToken::Name(name),
                Some(AwkToken::Sign('(')),
                Some(AwkToken::Text(text)),
                Some(AwkToken::Sign(')')),
            ) if name == "system" => {
                found.push(Runnable::script(Word::text(text.as_str())));
            }
            (AwkToken::Name(name), ..) if name == "system" => may_run_anything = true,
            // `"command" | getline`
            (AwkToken::Pipe, Some(AwkToken::Name(name)), ..) if name == "getline" => match before {
                Some(AwkToken::Text(text)) => found.push(Runnable::script(Word::text(text.as_str()))),
                _ => may_run_anything = true,
            },
            // `print | "command"`, with nothing concatenated to the command.
            (AwkToken::Pipe, Some(AwkToken::Text(text)), next, _) => match next {
                None | Some(AwkToken::Sign(';' | '}' | '\n')) => {
                    // The command may run the text that it gets.
                    may_run_anything |= runs_input(text, MAX_SEARCH_DEPTH);
                    found.push(Runnable::script(Word::text(text.as_str())));
                }
                _ => may_run_anything = true,
            },
            (AwkToken::Pipe, ..) => may_run_anything = true,
            // `@name(…)` calls a function by a computed name; `@load` and `@include` load code.
            (AwkToken::Sign('@'), ..) => may_run_anything = true,
            _ => {}
        }
    }
    if may_run_anything {
        found.push(Runnable::foreign(program.clone()));
    }
    found
}

/// The values that reach the commands which an awk program runs, apart from the literals in the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct AwkCommands {
    /// Whether text that the program reads reaches the commands.
    pub uses_input: bool,
    /// The variables of awk whose values reach the commands.
    pub variables: Vec<String>,
    /// The environment variables whose values reach the commands.
    pub environment: Vec<String>,
}

/// Returns the variables and fields of an awk program that can reach a command which it runs: all names and fields in
/// the statements that run a command.
#[must_use]
pub fn awk_commands(program: &Word) -> AwkCommands {
    let tokens = tokens(program);
    let mut commands = AwkCommands::default();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (AwkToken::Name(name), Some(AwkToken::Sign('('))) if name == "system" => {
                commands.add(rest_of_statement(&tokens, at + 1));
            }
            (AwkToken::Pipe, Some(AwkToken::Name(name))) if name == "getline" => {
                commands.add(statement_up_to(&tokens, at));
            }
            (AwkToken::Pipe, command) => {
                commands.add(rest_of_statement(&tokens, at + 1));
                let may_run_its_input = match command {
                    Some(AwkToken::Text(text)) => runs_input(text, MAX_SEARCH_DEPTH),
                    _ => true,
                };
                if may_run_its_input {
                    commands.add(statement_up_to(&tokens, at));
                }
            }
            _ => {}
        }
    }
    commands.follow_assignments(&tokens);
    commands
}

/// Whether a token ends a statement.
fn ends_statement(token: &AwkToken) -> bool {
    matches!(token, AwkToken::Sign(';' | '{' | '}' | '\n'))
}

/// Returns the tokens from an index to the end of the statement.
fn rest_of_statement(tokens: &[AwkToken], at: usize) -> &[AwkToken] {
    let rest = tokens.get(at..).unwrap_or_default();
    rest.get(..rest.iter().position(ends_statement).unwrap_or(rest.len())).unwrap_or_default()
}

/// Returns the tokens from the start of the statement to an index.
fn statement_up_to(tokens: &[AwkToken], at: usize) -> &[AwkToken] {
    let before = tokens.get(..at).unwrap_or_default();
    before.get(before.iter().rposition(ends_statement).map_or(0, |end| end + 1)..).unwrap_or_default()
}

impl AwkCommands {
    /// Adds the names and fields among some tokens.
    fn add(&mut self, tokens: &[AwkToken]) {
        for (at, token) in tokens.iter().enumerate() {
            match (token, tokens.get(at + 2)) {
                (AwkToken::Sign('$'), _) => self.uses_input = true,
                (AwkToken::Name(name), Some(AwkToken::Text(key))) if name == "ENVIRON" => {
                    self.environment.push(key.clone())
                }
                (AwkToken::Name(name), _) if !self.variables.contains(name) => self.variables.push(name.clone()),
                _ => {}
            }
        }
    }

    /// Adds the names and fields that the program assigns to the variables, and to the variables that this adds.
    fn follow_assignments(&mut self, tokens: &[AwkToken]) {
        let mut followed = 0;
        while let Some(name) = self.variables.get(followed).cloned() {
            followed += 1;
            for at in (0..tokens.len()).filter(|at| tokens.get(*at) == Some(&AwkToken::Name(name.clone()))) {
                match (at.checked_sub(1).and_then(|at| tokens.get(at)), tokens.get(at + 1), tokens.get(at + 2)) {
                    // `=` assigns, and `==` compares.
                    (_, Some(AwkToken::Sign('=')), next) if next != Some(&AwkToken::Sign('=')) => {
                        self.add(rest_of_statement(tokens, at + 2));
                    }
                    // `getline NAME` reads a line into the variable.
                    (Some(AwkToken::Name(reader)), ..) if reader == "getline" => self.uses_input = true,
                    _ => {}
                }
            }
        }
    }
}

/// The maximum depth of nested commands that are searched for one that runs its input.
const MAX_SEARCH_DEPTH: usize = 4;

/// Whether a text for a shell contains a command that runs its input.
fn runs_input(text: &str, depth: usize) -> bool {
    let commands = text.split(|c: char| "|&;()\n".contains(c));
    let words = |command: &str| command.split_whitespace().map(Word::text).collect::<Vec<Word>>();
    commands.map(words).any(|words| is_running_input(&words, depth))
}

/// Whether a command runs its input, or passes its input as arguments to a command. True if it is nested too deeply
/// to find out.
fn is_running_input(words: &[Word], depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    nested(words).iter().any(|nested| match &nested.runnable {
        Runnable::Input(_) | Runnable::Foreign(CodeSource::Input) => true,
        Runnable::Argv(inner) => inner.iter().any(|word| word.known_text().is_none()) || is_running_input(inner, depth),
        Runnable::Script(text, _) => text.known_text().is_none_or(|text| runs_input(text, depth)),
        Runnable::File(_) | Runnable::Foreign(CodeSource::Text(_) | CodeSource::File(_)) => false,
    })
}

/// Joins adjacent strings, as awk does.
fn join_strings(tokens: Vec<AwkToken>) -> Vec<AwkToken> {
    let mut joined: Vec<AwkToken> = Vec::with_capacity(tokens.len());
    for token in tokens {
        match (joined.last_mut(), token) {
            (Some(AwkToken::Text(before)), AwkToken::Text(more)) => before.push_str(&more),
            (_, token) => joined.push(token),
        }
    }
    joined
}

/// Returns the files that a program itself opens: after `>` in a `print`, and after `<` with `getline`. A name that
/// is not a literal is unknown.
pub(crate) fn files(program: &Word) -> Vec<(Verb, Word)> {
    let tokens = tokens(program);
    let mut found = Vec::new();
    let mut depth = 0_usize;
    // `>` opens a file only outside the parentheses of the statement; inside, it compares.
    let mut statement: Option<(Verb, usize)> = None;
    let unknown = || Word::unknown(Unknown::new(Cause::Foreign, program.display_text()));
    for (at, token) in tokens.iter().enumerate() {
        match token {
            // A program that assigns to `ARGV` opens files of its own choice.
            AwkToken::Name(name) if name == "ARGV" && sets_element(&tokens, at) => found.push((Verb::Reads, unknown())),
            AwkToken::Name(name) if name == "getline" => statement = Some((Verb::Reads, depth)),
            AwkToken::Name(name) if name == "print" || name == "printf" => statement = Some((Verb::Writes, depth)),
            AwkToken::Sign('(') => depth += 1,
            AwkToken::Sign(')') => depth = depth.saturating_sub(1),
            AwkToken::Sign(';' | '{' | '}' | '\n') => statement = None,
            AwkToken::Sign(sign @ ('<' | '>')) => {
                let verb = if *sign == '<' { Verb::Reads } else { Verb::Writes };
                if statement == Some((verb, depth)) {
                    found.push((verb, literal_file(&tokens, at).unwrap_or_else(unknown)));
                    statement = None;
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether the array name at an index is followed by a subscript and a `=`.
fn sets_element(tokens: &[AwkToken], at: usize) -> bool {
    let end = tokens.iter().skip(at).position(|token| *token == AwkToken::Sign(']')).map_or(at, |to| at + to);
    tokens.get(end + 1) == Some(&AwkToken::Sign('=')) && tokens.get(end + 2) != Some(&AwkToken::Sign('='))
}

/// Returns the file after the `<`, `>` or `>>` at an index; `None` if it is not one literal.
fn literal_file(tokens: &[AwkToken], at: usize) -> Option<Word> {
    let appends = tokens.get(at + 1) == Some(&AwkToken::Sign('>'));
    let name_at = at + 1 + usize::from(appends);
    let ends_after_name = matches!(tokens.get(name_at + 1), None | Some(AwkToken::Sign(';' | '}' | ')' | '\n')));
    match tokens.get(name_at) {
        Some(AwkToken::Text(text)) if ends_after_name => Some(Word::text(text.as_str())),
        _ => None,
    }
}

/// Splits a program into tokens; an unknown part is a token.
fn tokens(program: &Word) -> Vec<AwkToken> {
    let mut tokens = Vec::new();
    for part in &program.parts {
        match part {
            WordPart::Text(text) | WordPart::Glob(text) => scan(text, &mut tokens),
            WordPart::Unknown(_) => tokens.push(AwkToken::Unknown),
        }
    }
    tokens
}

/// Appends the tokens of a text.
fn scan(text: &str, tokens: &mut Vec<AwkToken>) {
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while let Some(first) = chars.get(at) {
        let (token, length) = match first {
            '#' => (None, chars.iter().skip(at).take_while(|c| **c != '\n').count()),
            '"' => string(&chars, at),
            '/' if begins_regex(tokens.last()) => regex(&chars, at),
            '|' if chars.get(at + 1) == Some(&'|') => (Some(AwkToken::Sign('|')), 2),
            '|' => (Some(AwkToken::Pipe), if chars.get(at + 1) == Some(&'&') { 2 } else { 1 }),
            '\\' if chars.get(at + 1) == Some(&'\n') => (None, 2),
            c if c.is_alphabetic() || *c == '_' => {
                let is_part = |c: &&char| c.is_alphanumeric() || **c == '_';
                let name: String = chars.iter().skip(at).take_while(is_part).collect();
                let length = name.chars().count();
                (Some(AwkToken::Name(name)), length)
            }
            '\n' => (Some(AwkToken::Sign('\n')), 1),
            c if c.is_whitespace() => (None, 1),
            c => (Some(AwkToken::Sign(*c)), 1),
        };
        tokens.extend(token);
        at += length.max(1);
    }
}

/// Reads the string at an index. Returns its token and its length in characters.
fn string(chars: &[char], start: usize) -> (Option<AwkToken>, usize) {
    let mut text = String::new();
    let mut at = start + 1;
    while let Some(c) = chars.get(at) {
        match (c, chars.get(at + 1)) {
            ('"', _) => return (Some(AwkToken::Text(text)), at + 1 - start),
            ('\\', Some(_)) => {
                let (decoded, length) = escape(chars.get(at + 1..).unwrap_or_default());
                text.extend(decoded);
                at += 1 + length;
            }
            _ => {
                text.push(*c);
                at += 1;
            }
        }
    }
    // The string continues after an unknown part of the program.
    (Some(AwkToken::Unknown), at - start)
}

/// Decodes the escape after a backslash; `rest` begins after the backslash. Returns its character and its length in
/// characters; awk removes a backslash before a newline together with the newline.
fn escape(rest: &[char]) -> (Option<char>, usize) {
    let number = |skip: usize, radix: u32, max_digits: usize| {
        let (value, length) = digits(rest.iter().skip(skip).copied(), radix, max_digits);
        let decoded = (length > 0).then(|| char::from_u32(value)).flatten();
        decoded.map(|decoded| (Some(decoded), skip + length))
    };
    let from_number = match rest.first() {
        Some('0'..='7') => number(0, 8, 3),
        Some('x') => number(1, 16, 2),
        Some('u') => number(1, 16, 8),
        _ => None,
    };
    let plain = |c: &char| match c {
        'a' => Some('\u{7}'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\u{b}'),
        '\n' => None,
        other => Some(*other),
    };
    from_number.unwrap_or_else(|| (rest.first().and_then(plain), 1))
}

/// Reads the regex at an index. Returns its token and its length in characters.
fn regex(chars: &[char], start: usize) -> (Option<AwkToken>, usize) {
    let mut at = start + 1;
    let mut in_class = false;
    while let Some(c) = chars.get(at) {
        match c {
            '\\' => at += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return (Some(AwkToken::Regex), at + 1 - start),
            '\n' => break,
            _ => {}
        }
        at += 1;
    }
    (Some(AwkToken::Unknown), at.min(chars.len()) - start)
}

/// Whether a `/` after a token begins a regex; after a value, it divides.
fn begins_regex(before: Option<&AwkToken>) -> bool {
    match before {
        None | Some(AwkToken::Pipe | AwkToken::Unknown) => true,
        Some(AwkToken::Name(name)) => matches!(name.as_str(), "print" | "return" | "in" | "case" | "printf"),
        Some(AwkToken::Sign(c)) => !matches!(c, ')' | ']' | '$' | '0'..='9'),
        Some(AwkToken::Text(_) | AwkToken::Regex) => false,
    }
}
