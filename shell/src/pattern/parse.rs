//! Parses the text of a pattern.

use std::borrow::Cow;

use smallvec::{SmallVec, smallvec};

use crate::glob::Glob;
use crate::powershell::canonical_cmdlet;
use crate::programs::Programs;

use super::{FlagSpelling, Looks, Pattern, PatternEnd, PatternFlag, PatternOperand, Presence, ProgramPlace};

/// The reason why a text is not a pattern, with the word that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadPattern {
    /// A group is in another one: `(a (b))`.
    NestedGroup,
    /// A `)` closes no group.
    StrayClose,
    /// A `(` is not closed.
    OpenGroup,
    /// A word has two groups: `(a|b)(c|d)`, `a|(b|c)`.
    TwoGroups(String),
    /// The text has no words.
    Empty,
    /// The text begins with a flag or a `!` instead of a program.
    NoProgram(String),
    /// The program is given as a path.
    PathAsProgram(String),
    /// The text has operators of a shell: `a && b`, `a > f`.
    ShellSyntax,
    /// One alternative is a flag and another one is not: `(push|--force)`.
    MixedAlternatives(String),
    /// An alternative is empty: `(a||b)`.
    EmptyAlternative(String),
    /// A `!` precedes a word that is neither a flag nor a trailing `*`.
    StrayNot(String),
}

/// Parses the program: returns the alternatives for its name, and where a strict test expects it. Fails if the name is
/// invalid, or if the pattern has operators of a shell.
fn parse_program<'t>(text: &'t str, words: &[&'t str]) -> Result<(Alternatives<'t>, ProgramPlace), BadPattern> {
    let word = *words.first().ok_or(BadPattern::Empty)?;
    let (program, place) = match word.rsplit_once('/') {
        Some((directory, name)) => {
            let directory = directory_in_project(directory).filter(|_| !name.is_empty());
            (name, ProgramPlace::Project(directory.ok_or_else(|| BadPattern::PathAsProgram(word.to_owned()))?))
        }
        None => (word, ProgramPlace::Installed),
    };
    if program.starts_with(['-', '!']) {
        return Err(BadPattern::NoProgram(program.to_owned()));
    }
    if has_byte(text, |byte| matches!(byte, b'&' | b';' | b'>' | b'<')) || words.contains(&"|") {
        return Err(BadPattern::ShellSyntax);
    }
    let mut names = alternatives(program)?;
    normalise_cmdlets(&mut names);
    if names.iter().any(|name| name.starts_with(['-', '!'])) {
        return Err(BadPattern::MixedAlternatives(program.to_owned()));
    }
    Ok((names, place))
}

/// Returns the directory of a program's path, relative to the project: `scripts` of `./scripts`, and an empty text of
/// `.`. `None` if it is not below the project, or not a plain path.
fn directory_in_project(path: &str) -> Option<String> {
    let names = path.strip_prefix("./").unwrap_or(if path == "." { "" } else { path });
    let is_name = |name: &str| !name.is_empty() && name != "." && name != "..";
    let is_plain = |c: char| c.is_alphanumeric() || "._-+@".contains(c);
    let is_path = names.is_empty() && path.starts_with('.') || names.split('/').all(is_name);
    (is_path && !names.starts_with('-') && names.chars().all(|c| c == '/' || is_plain(c))).then(|| names.to_owned())
}

impl Pattern {
    /// Parses a pattern, with the built-in records.
    ///
    /// # Errors
    ///
    /// The first error in the text.
    pub fn new(text: &str) -> Result<Self, BadPattern> {
        Self::with_programs(text, &Programs::default())
    }

    /// Parses a pattern whose commands are parsed by the built-in records and by `programs`.
    ///
    /// # Errors
    ///
    /// The first error in the text.
    pub fn with_programs(text: &str, programs: &Programs) -> Result<Self, BadPattern> {
        let words = words(text)?;
        let (names, place) = parse_program(text, &words)?;
        let rest = words.get(1..).unwrap_or_default();
        let mut pattern = Self {
            text: text.to_owned(),
            added: Programs::default(),
            programs: globs(&names),
            place,
            front: Vec::new(),
            after_dashes: None,
            flags: Vec::new(),
            end: PatternEnd::Open,
        };
        let mut after_flag = None;
        for (at, &word) in rest.iter().enumerate() {
            let is_last = at + 1 == rest.len();
            if word == "--" && pattern.after_dashes.is_none() {
                pattern.after_dashes = Some(Vec::new());
            } else if word == "!*" && is_last {
                pattern.end = PatternEnd::Nothing;
            } else if let Some(which) = Looks::at_end(rest, at) {
                pattern.end = PatternEnd::Looks(which);
            } else {
                let operand = match parse_word(word)? {
                    PatternWord::Flag(mut flag) if pattern.after_dashes.is_none() => {
                        flag.set_place(&pattern.front);
                        after_flag = (flag.presence == Presence::Given).then_some(pattern.flags.len());
                        pattern.flags.push(flag);
                        continue;
                    }
                    // After `--` a word with a dash is not a flag, and a `!` has no meaning.
                    PatternWord::Flag(_) => globs(&alternatives(word)?),
                    PatternWord::Operand(alternatives) => globs(&alternatives),
                };
                let operand = PatternOperand { alternatives: operand, preceding_flag: after_flag };
                pattern.after_dashes.as_mut().unwrap_or(&mut pattern.front).push(operand);
            }
            after_flag = None;
        }
        pattern.mark_end();
        pattern.normalise_parameters();
        // Keep only the records that can affect a command of these programs.
        if !programs.is_empty() {
            let added =
                pattern.program_names().map_or_else(|| programs.clone(), |names| programs.affecting_programs(&names));
            pattern.added = added;
        }
        Ok(pattern)
    }

    /// Changes the flags of cmdlets to the spelling in their records, since PowerShell ignores case.
    fn normalise_parameters(&mut self) {
        let is_cmdlet = |glob: &Glob| glob.literal().and_then(canonical_cmdlet).is_some();
        if !self.programs.iter().any(is_cmdlet) {
            return;
        }
        let records: Vec<_> =
            self.programs.iter().filter_map(|glob| crate::programs::program(glob.literal()?)).collect();
        let names = || {
            let options =
                records.iter().flat_map(|record| record.options.iter().chain(record.shared.iter().copied().flatten()));
            options.flat_map(|option| option.names.iter().copied())
        };
        for spelled in self.flags.iter_mut().flat_map(|flag| &mut flag.alternatives) {
            if let Some(recorded) = names().find(|recorded| recorded.eq_ignore_ascii_case(&spelled.name)) {
                recorded.clone_into(&mut spelled.name);
            }
        }
    }

    /// Removes a trailing `*` from the operands, and marks the end of the pattern instead.
    fn mark_end(&mut self) {
        let words = self.after_dashes.as_mut().unwrap_or(&mut self.front);
        let is_any = |operand: &PatternOperand| matches!(operand.alternatives.as_slice(), [glob] if glob.is_any());
        if self.end == PatternEnd::Open && words.last().is_some_and(is_any) {
            words.pop();
            self.end = PatternEnd::Anything;
        }
    }
}

/// The alternatives of a word; most words have one.
type Alternatives<'t> = SmallVec<[Cow<'t, str>; 1]>;

/// Changes the names of cmdlets to their canonical spelling, since PowerShell ignores case.
fn normalise_cmdlets(names: &mut [Cow<'_, str>]) {
    for name in names {
        if let Some(canonical) = canonical_cmdlet(name) {
            *name = Cow::Borrowed(canonical);
        }
    }
}

fn globs(alternatives: &[Cow<'_, str>]) -> Vec<Glob> {
    alternatives.iter().map(|word| Glob::new(word)).collect()
}

/// Whether a text contains a byte for which `is_sign` holds.
fn has_byte(text: &str, is_sign: impl Fn(u8) -> bool) -> bool {
    text.bytes().any(is_sign)
}

/// A word of a pattern after its program.
enum PatternWord<'t> {
    /// A word with a leading dash.
    Flag(PatternFlag),
    /// The alternatives of any other word.
    Operand(Alternatives<'t>),
}

/// Parses a word after the program.
fn parse_word(word: &str) -> Result<PatternWord<'_>, BadPattern> {
    let (presence, bare) = match word.strip_prefix('!') {
        Some(bare) => (Presence::Absent, bare),
        None => (Presence::Given, word),
    };
    let alternatives = alternatives(bare)?;
    // `!--a|!--b` is `!(--a|--b)`.
    let names = || {
        alternatives.iter().map(|word| {
            let negated = presence == Presence::Absent && word.starts_with("!-");
            if negated { word.trim_start_matches('!') } else { word }
        })
    };
    let flags = names().filter(|name| name.trim_start_matches('!').starts_with('-')).count();
    if flags != 0 && flags != alternatives.len() {
        return Err(BadPattern::MixedAlternatives(word.to_owned()));
    }
    let is_stray = flags == 0 && presence == Presence::Absent;
    if is_stray || names().any(|name| name.starts_with("!-")) {
        return Err(BadPattern::StrayNot(word.to_owned()));
    }
    if flags == 0 {
        // A `!` before an operand has been rejected above.
        return Ok(PatternWord::Operand(alternatives));
    }
    Ok(PatternWord::Flag(PatternFlag { presence, alternatives: names().map(parse_spelling).collect() }))
}

impl PatternFlag {
    /// Sets how many of the operands precede the flag.
    fn set_place(&mut self, operands: &[PatternOperand]) {
        let count = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
        let plain = operands.iter().filter(|operand| operand.is_plain()).count();
        for spelled in &mut self.alternatives {
            spelled.precedes_operands = operands.is_empty();
            spelled.operands_before = count(operands.len());
            spelled.plain_before = count(plain);
        }
    }
}

/// Parses one alternative of a flag: `--depth=*`.
fn parse_spelling(text: &str) -> FlagSpelling {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(Glob::new(value))),
        None => (text, None),
    };
    let glob = Some(Glob::new(name)).filter(|glob| !glob.is_literal());
    FlagSpelling { name: name.to_owned(), glob, value, precedes_operands: false, operands_before: 0, plain_before: 0 }
}

/// Splits the text of a pattern into words at blanks outside groups: `git`, `(log|show)` and `*` of `git (log|show) *`.
///
/// # Errors
/// A group is not closed, not opened, or in another one.
pub fn words(pattern: &str) -> Result<Vec<&str>, BadPattern> {
    // Nearly all patterns are ASCII, whose characters are fast to iterate over.
    match pattern.is_ascii() {
        true => split_words(pattern, pattern.bytes().map(char::from).enumerate()),
        false => split_words(pattern, pattern.char_indices()),
    }
}

/// Splits a pattern into words; `chars` are its characters with their offsets.
fn split_words(pattern: &str, chars: impl Iterator<Item = (usize, char)>) -> Result<Vec<&str>, BadPattern> {
    let (mut words, mut start, mut in_group) = (Vec::new(), 0, false);
    let mut add_word = |start: usize, end: usize| words.extend(pattern.get(start..end).filter(|word| !word.is_empty()));
    for (at, c) in chars {
        match c {
            '(' if in_group => return Err(BadPattern::NestedGroup),
            '(' => in_group = true,
            ')' if !in_group => return Err(BadPattern::StrayClose),
            ')' => in_group = false,
            c if !in_group && c.is_whitespace() => {
                add_word(start, at);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    if in_group {
        return Err(BadPattern::OpenGroup);
    }
    add_word(start, pattern.len());
    Ok(words)
}

/// Returns the alternatives of a word: `a|b`, `(a|b)`, `test:(a|b)`.
fn alternatives(word: &str) -> Result<Alternatives<'_>, BadPattern> {
    if !has_byte(word, |byte| matches!(byte, b'(' | b'|')) {
        let alone = word.trim();
        return if alone.is_empty() {
            Err(BadPattern::EmptyAlternative(word.to_owned()))
        } else {
            Ok(smallvec![Cow::Borrowed(alone)])
        };
    }
    let (before, inner, after) =
        match word.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(')')?))) {
            Some((before, (inner, after))) => (before, inner, after),
            None => ("", word, ""),
        };
    if before.contains('|') || has_byte(after, |byte| matches!(byte, b'(' | b'|')) {
        return Err(BadPattern::TwoGroups(word.to_owned()));
    }
    let is_plain = before.is_empty() && after.is_empty();
    let alternatives = inner.split('|').map(str::trim).map(|alternative| match alternative {
        "" => Err(BadPattern::EmptyAlternative(word.to_owned())),
        alternative if is_plain => Ok(Cow::Borrowed(alternative)),
        alternative => Ok(Cow::Owned([before, alternative, after].concat())),
    });
    alternatives.collect()
}
