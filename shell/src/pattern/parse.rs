//! From the text of a pattern to its words.

use crate::glob::Glob;
use crate::programs::Programs;

use super::{End, Flag, Operand, Pattern, Presence, Spelled};

/// Why a text is no pattern. A text in it is the word that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadPattern {
    /// `(a (b))`
    NestedGroup,
    /// A `)` that closes nothing.
    StrayClose,
    /// A `(` that is not closed.
    OpenGroup,
    /// `(a|b)(c|d)`, `a|(b|c)`
    TwoGroups(String),
    /// There is no word.
    Empty,
    /// It begins with a flag or a `!`.
    NoProgram(String),
    /// The program is named by a path.
    PathAsProgram(String),
    /// `a && b`, `a > f`
    ShellSyntax,
    /// `(push|--force)`
    MixedAlternatives(String),
    /// `(a||b)`
    EmptyAlternative(String),
    /// A `!` in front of what is neither a flag nor a last `*`.
    StrayNot(String),
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// The first thing in the text that cannot be meant.
    pub fn new(text: &str) -> Result<Self, BadPattern> {
        Self::with(text, &Programs::default())
    }

    /// Reads a pattern of commands whose words are read by the built-in table and by these records.
    ///
    /// # Errors
    ///
    /// The first thing in the text that cannot be meant.
    pub fn with(text: &str, programs: &Programs) -> Result<Self, BadPattern> {
        let words = words(text)?;
        let Some((program, rest)) = words.split_first() else { return Err(BadPattern::Empty) };
        if program.starts_with('-') || program.starts_with('!') {
            return Err(BadPattern::NoProgram(program.clone()));
        }
        if program.contains('/') {
            return Err(BadPattern::PathAsProgram(program.clone()));
        }
        if text.contains(['&', ';', '>', '<']) || words.iter().any(|word| word == "|") {
            return Err(BadPattern::ShellSyntax);
        }
        let names = alternatives(program)?;
        if names.iter().any(|name| name.starts_with(['-', '!'])) {
            return Err(BadPattern::MixedAlternatives(program.clone()));
        }
        let mut pattern = Self {
            text: text.to_owned(),
            added: Programs::default(),
            programs: globs(&names),
            front: Vec::new(),
            behind: None,
            flags: Vec::new(),
            end: End::Open,
        };
        let mut after_flag = None;
        for (at, word) in rest.iter().enumerate() {
            let is_last = at + 1 == rest.len();
            if word == "--" && pattern.behind.is_none() {
                pattern.behind = Some(Vec::new());
            } else if word == "!*" && is_last {
                pattern.end = End::Nothing;
            } else if let Some(mut flag) = flag(word)?.filter(|_| pattern.behind.is_none()) {
                flag.alternatives.iter_mut().for_each(|spelled| spelled.leads = pattern.front.is_empty());
                after_flag = (flag.presence == Presence::Given).then_some(pattern.flags.len());
                pattern.flags.push(flag);
                continue;
            } else {
                let operand = Operand { alternatives: globs(&alternatives(word)?), behind: after_flag };
                pattern.behind.as_mut().unwrap_or(&mut pattern.front).push(operand);
            }
            after_flag = None;
        }
        pattern.mark_end();
        if !programs.is_empty() {
            let names = pattern.program_names();
            pattern.added = names.map_or_else(|| programs.clone(), |names| programs.named(&names));
        }
        Ok(pattern)
    }

    /// Makes a `*` that stands last among the words their end.
    fn mark_end(&mut self) {
        let words = self.behind.as_mut().unwrap_or(&mut self.front);
        let is_any = |operand: &Operand| matches!(operand.alternatives.as_slice(), [glob] if glob.is_any());
        if self.end == End::Open && words.last().is_some_and(is_any) {
            words.pop();
            self.end = End::Anything;
        }
    }
}

fn globs(alternatives: &[String]) -> Vec<Glob> {
    alternatives.iter().map(|word| Glob::new(word)).collect()
}

/// Reads a word with a dash; nothing for one without.
fn flag(word: &str) -> Result<Option<Flag>, BadPattern> {
    let (presence, bare) = match word.strip_prefix('!') {
        Some(bare) => (Presence::Absent, bare),
        None => (Presence::Given, word),
    };
    let alternatives = alternatives(bare)?;
    // `!--a|!--b` is `!(--a|--b)`.
    let negated = |word: &String| presence == Presence::Absent && word.starts_with("!-");
    let names: Vec<&str> =
        alternatives.iter().map(|word| if negated(word) { word.trim_start_matches('!') } else { word }).collect();
    let flags = names.iter().filter(|name| name.trim_start_matches('!').starts_with('-')).count();
    if flags != 0 && flags != names.len() {
        return Err(BadPattern::MixedAlternatives(word.to_owned()));
    }
    let is_stray = flags == 0 && presence == Presence::Absent;
    if is_stray || names.iter().any(|name| name.starts_with("!-")) {
        return Err(BadPattern::StrayNot(word.to_owned()));
    }
    let alternatives = names.iter().map(|name| spelled(name)).collect();
    Ok((flags != 0).then_some(Flag { presence, alternatives }))
}

fn spelled(text: &str) -> Spelled {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(Glob::new(value))),
        None => (text, None),
    };
    let glob = Some(Glob::new(name)).filter(|glob| !glob.is_literal());
    Spelled { name: name.to_owned(), glob, value, leads: false }
}

/// Cuts a pattern into words; a group in parentheses is part of its word.
fn words(pattern: &str) -> Result<Vec<String>, BadPattern> {
    let (mut words, mut word, mut open) = (Vec::new(), String::new(), false);
    for c in pattern.chars() {
        match c {
            '(' if open => return Err(BadPattern::NestedGroup),
            '(' => open = true,
            ')' if !open => return Err(BadPattern::StrayClose),
            ')' => open = false,
            c if c.is_whitespace() && !open => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                continue;
            }
            _ => {}
        }
        word.push(c);
    }
    if open {
        return Err(BadPattern::OpenGroup);
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

/// Returns the alternatives of a word: `a|b`, `(a|b)`, `test:(a|b)`.
fn alternatives(word: &str) -> Result<Vec<String>, BadPattern> {
    let (before, inner, after) =
        match word.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(')')?))) {
            Some((before, (inner, after))) => (before, inner, after),
            None => ("", word, ""),
        };
    if before.contains('|') || after.contains(['|', '(']) {
        return Err(BadPattern::TwoGroups(word.to_owned()));
    }
    let alternatives: Vec<&str> = inner.split('|').map(str::trim).collect();
    if alternatives.iter().any(|alternative| alternative.is_empty()) {
        return Err(BadPattern::EmptyAlternative(word.to_owned()));
    }
    Ok(alternatives.into_iter().map(|alternative| format!("{before}{alternative}{after}")).collect())
}
