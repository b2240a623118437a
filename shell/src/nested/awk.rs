//! The commands that an awk program runs: `system(…)`, a pipe from or to a command.
//!
//! This is not an awk parser: it distinguishes strings, regexes and comments from the rest, which suffices to see
//! whether a program can run anything, and what, if that is a literal.

use super::{Code, What, nested};
use crate::access::Verb;
use crate::word::{Cause, Part, Unknown, Word};

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Name(String),
    Text(String),
    Regex,
    /// `|` or `|&`.
    Pipe,
    Sign(char),
    /// An unknown part of the program.
    Unknown,
}

/// Returns what a program runs. An entirely unknown program may run anything.
pub(super) fn runs(program: &Word) -> Vec<What> {
    if program.parts.iter().all(|part| matches!(part, Part::Unknown(_))) && !program.parts.is_empty() {
        return vec![What::foreign(program.clone())];
    }
    let tokens = joined(tokens(program));
    let at = |index: usize| tokens.get(index);
    let mut found = Vec::new();
    let mut is_open = false;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(at);
        match (token, at(index + 1), at(index + 2), at(index + 3)) {
            (Token::Name(name), Some(Token::Sign('(')), Some(Token::Text(text)), Some(Token::Sign(')')))
                if name == "system" =>
            {
                found.push(What::script(Word::text(text.as_str())));
            }
            (Token::Name(name), ..) if name == "system" => is_open = true,
            // `"command" | getline`
            (Token::Pipe, Some(Token::Name(name)), ..) if name == "getline" => match before {
                Some(Token::Text(text)) => found.push(What::script(Word::text(text.as_str()))),
                _ => is_open = true,
            },
            // `print | "command"`, with nothing concatenated to it.
            (Token::Pipe, Some(Token::Text(text)), behind, _) => match behind {
                None | Some(Token::Sign(';' | '}' | '\n')) => {
                    // The output may be what the command runs.
                    is_open |= runs_input(text, DEPTH);
                    found.push(What::script(Word::text(text.as_str())));
                }
                _ => is_open = true,
            },
            (Token::Pipe, ..) => is_open = true,
            // `@name(…)` calls a function by name, `@load` and `@include` load code.
            (Token::Sign('@'), ..) => is_open = true,
            _ => {}
        }
    }
    if is_open {
        found.push(What::foreign(program.clone()));
    }
    found
}

/// The data that the commands of an awk program are made of, apart from its own literals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct AwkCommands {
    /// Whether they contain what the program reads.
    pub uses_input: bool,
    /// The variables that they contain.
    pub variables: Vec<String>,
    /// The environment variables that they contain.
    pub environment: Vec<String>,
}

/// Returns the data that the commands of a program are made of.
#[must_use]
pub fn awk_commands(program: &Word) -> AwkCommands {
    let tokens = tokens(program);
    let ends = |token: &Token| matches!(token, Token::Sign(';' | '{' | '}' | '\n'));
    let behind = |at: usize| {
        let rest = tokens.get(at..).unwrap_or_default();
        rest.get(..rest.iter().position(ends).unwrap_or(rest.len())).unwrap_or_default()
    };
    let before = |at: usize| {
        let all = tokens.get(..at).unwrap_or_default();
        all.get(all.iter().rposition(ends).map_or(0, |end| end + 1)..).unwrap_or_default()
    };
    let mut commands = AwkCommands::default();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (Token::Name(name), Some(Token::Sign('('))) if name == "system" => commands.add(behind(at + 1)),
            (Token::Pipe, Some(Token::Name(name))) if name == "getline" => commands.add(before(at)),
            (Token::Pipe, command) => {
                commands.add(behind(at + 1));
                // A command may run what it reads.
                if !matches!(command, Some(Token::Text(text)) if !runs_input(text, DEPTH)) {
                    commands.add(before(at));
                }
            }
            _ => {}
        }
    }
    // A variable may contain others.
    let mut seen = 0;
    while let Some(name) = commands.variables.get(seen).cloned() {
        seen += 1;
        for at in (0..tokens.len()).filter(|at| tokens.get(*at) == Some(&Token::Name(name.clone()))) {
            match (at.checked_sub(1).and_then(|at| tokens.get(at)), tokens.get(at + 1), tokens.get(at + 2)) {
                (_, Some(Token::Sign('=')), next) if next != Some(&Token::Sign('=')) => commands.add(behind(at + 2)),
                (Some(Token::Name(reader)), ..) if reader == "getline" => commands.uses_input = true,
                _ => {}
            }
        }
    }
    commands
}

impl AwkCommands {
    fn add(&mut self, tokens: &[Token]) {
        for (at, token) in tokens.iter().enumerate() {
            match (token, tokens.get(at + 2)) {
                (Token::Sign('$'), _) => self.uses_input = true,
                (Token::Name(name), Some(Token::Text(key))) if name == "ENVIRON" => self.environment.push(key.clone()),
                (Token::Name(name), _) if !self.variables.contains(name) => self.variables.push(name.clone()),
                _ => {}
            }
        }
    }
}

/// The nesting depth of commands that are searched in what awk starts.
const DEPTH: usize = 4;

/// Whether a text for a shell runs its input.
fn runs_input(text: &str, depth: usize) -> bool {
    let commands = text.split(|c: char| "|&;()\n".contains(c));
    let words = |command: &str| command.split_whitespace().map(Word::text).collect::<Vec<Word>>();
    commands.map(words).any(|words| is_fed(&words, depth))
}

/// Whether a command runs its input, or passes it as arguments to what it runs.
fn is_fed(words: &[Word], depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    nested(words).iter().any(|nested| match &nested.what {
        What::Input(_) | What::Foreign(Code::Input) => true,
        What::Argv(inner) => inner.iter().any(|word| word.known().is_none()) || is_fed(inner, depth),
        What::Script(text, _) => text.known().is_none_or(|text| runs_input(text, depth)),
        What::File(_) | What::Foreign(Code::Text(_) | Code::File(_)) => false,
    })
}

/// Joins adjacent strings, as awk does.
fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        match (joined.last_mut(), token) {
            (Some(Token::Text(before)), Token::Text(more)) => before.push_str(&more),
            (_, token) => joined.push(token),
        }
    }
    joined
}

/// Returns the files that a program itself opens: with `>` after a `print`, with `<` after a `getline`. A name that is
/// not a literal is unknown.
pub(crate) fn files(program: &Word) -> Vec<(Verb, Word)> {
    let tokens = tokens(program);
    let mut found = Vec::new();
    let mut depth = 0_usize;
    // Inside parentheses, `>` compares.
    let mut statement: Option<(Verb, usize)> = None;
    let unknown = || Word::unknown(Unknown::new(Cause::Foreign, program.shown()));
    for (at, token) in tokens.iter().enumerate() {
        match token {
            // Operands that it sets itself.
            Token::Name(name) if name == "ARGV" && sets_element(&tokens, at) => found.push((Verb::Reads, unknown())),
            Token::Name(name) if name == "getline" => statement = Some((Verb::Reads, depth)),
            Token::Name(name) if name == "print" || name == "printf" => statement = Some((Verb::Writes, depth)),
            Token::Sign('(') => depth += 1,
            Token::Sign(')') => depth = depth.saturating_sub(1),
            Token::Sign(';' | '{' | '}' | '\n') => statement = None,
            Token::Sign(sign @ ('<' | '>')) => {
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

/// Whether the array at an index is followed by a subscript and a `=`.
fn sets_element(tokens: &[Token], at: usize) -> bool {
    let end = tokens.iter().skip(at).position(|token| *token == Token::Sign(']')).map_or(at, |to| at + to);
    tokens.get(end + 1) == Some(&Token::Sign('=')) && tokens.get(end + 2) != Some(&Token::Sign('='))
}

/// Returns the file after the `<`, `>` or `>>` at an index, if it is a literal and nothing else.
fn literal_file(tokens: &[Token], at: usize) -> Option<Word> {
    let appends = tokens.get(at + 1) == Some(&Token::Sign('>'));
    let name = at + 1 + usize::from(appends);
    let is_over = matches!(tokens.get(name + 1), None | Some(Token::Sign(';' | '}' | ')' | '\n')));
    match tokens.get(name) {
        Some(Token::Text(text)) if is_over => Some(Word::text(text.as_str())),
        _ => None,
    }
}

fn tokens(program: &Word) -> Vec<Token> {
    let mut tokens = Vec::new();
    for part in &program.parts {
        match part {
            Part::Text(text) | Part::Glob(text) => scan(text, &mut tokens),
            Part::Unknown(_) => tokens.push(Token::Unknown),
        }
    }
    tokens
}

fn scan(text: &str, tokens: &mut Vec<Token>) {
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while let Some(first) = chars.get(at) {
        let (token, length) = match first {
            '#' => (None, chars.iter().skip(at).take_while(|c| **c != '\n').count()),
            '"' => string(&chars, at),
            '/' if begins_regex(tokens.last()) => regex(&chars, at),
            '|' if chars.get(at + 1) == Some(&'|') => (Some(Token::Sign('|')), 2),
            '|' => (Some(Token::Pipe), if chars.get(at + 1) == Some(&'&') { 2 } else { 1 }),
            '\\' if chars.get(at + 1) == Some(&'\n') => (None, 2),
            c if c.is_alphabetic() || *c == '_' => {
                let is_part = |c: &&char| c.is_alphanumeric() || **c == '_';
                let name: String = chars.iter().skip(at).take_while(is_part).collect();
                let length = name.chars().count();
                (Some(Token::Name(name)), length)
            }
            '\n' => (Some(Token::Sign('\n')), 1),
            c if c.is_whitespace() => (None, 1),
            c => (Some(Token::Sign(*c)), 1),
        };
        tokens.extend(token);
        at += length.max(1);
    }
}

fn string(chars: &[char], start: usize) -> (Option<Token>, usize) {
    let mut text = String::new();
    let mut at = start + 1;
    while let Some(c) = chars.get(at) {
        match (c, chars.get(at + 1)) {
            ('"', _) => return (Some(Token::Text(text)), at + 1 - start),
            ('\\', Some(next)) => {
                text.push(match next {
                    'n' => '\n',
                    't' => '\t',
                    other => *other,
                });
                at += 2;
            }
            _ => {
                text.push(*c);
                at += 1;
            }
        }
    }
    // The string continues with an unknown part.
    (Some(Token::Unknown), at - start)
}

fn regex(chars: &[char], start: usize) -> (Option<Token>, usize) {
    let mut at = start + 1;
    let mut in_class = false;
    while let Some(c) = chars.get(at) {
        match c {
            '\\' => at += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return (Some(Token::Regex), at + 1 - start),
            '\n' => break,
            _ => {}
        }
        at += 1;
    }
    (Some(Token::Unknown), at.min(chars.len()) - start)
}

/// Whether a `/` begins a regex: after a value, it divides.
fn begins_regex(before: Option<&Token>) -> bool {
    match before {
        None | Some(Token::Pipe | Token::Unknown) => true,
        Some(Token::Name(name)) => matches!(name.as_str(), "print" | "return" | "in" | "case" | "printf"),
        Some(Token::Sign(c)) => !matches!(c, ')' | ']' | '$' | '0'..='9'),
        Some(Token::Text(_) | Token::Regex) => false,
    }
}
