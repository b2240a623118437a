//! Programs that a command gives to an interpreter of another language: what they do to files, and what they run.
//!
//! A text is parsed by tree-sitter, made a [`tree::Tree`] that is the same for all languages, and evaluated as far as its
//! values are known: literals, variables, joined paths, functions, loops over known lists. Everything that could run
//! counts, whatever a condition says. What cannot be told is [`Unseen`], with its place in the text. Nothing is known here
//! of what the command stands in: it asks its [`Outside`].

mod act;
mod bind;
mod call;
mod commands;
mod decode;
mod ends;
mod evaluate;
mod gives;
mod handles;
mod javascript;
mod library;
mod literal;
mod members;
mod names;
mod operators;
mod others;
mod perl;
mod php;
mod python;
mod reader;
mod results;
mod ruby;
mod scopes;
mod state;
mod tree;
mod value;

use tree_sitter::Parser;

use crate::nested::Nested;
use crate::word::{Cause, Part, Unknown, Word};
use evaluate::Evaluator;
use reader::Reader;
use tree::Tree;

/// How long a program may be, in bytes.
const LONGEST: usize = 1 << 16;

/// What a program costs to be parsed, in steps for each byte.
const PARSING: usize = 16;

/// What a program may cost beside that: as much as two lines of Perl of 2,000 bytes.
const MOST_SQUARES: usize = 2_000_000;

/// The languages that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// Python, of any version.
    Python,
    /// JavaScript, as Node.js, Bun and Deno run it.
    JavaScript,
    /// Ruby.
    Ruby,
    /// PHP.
    Php,
    /// Perl 5.
    Perl,
}

/// How an interpreter runs a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// As it is.
    Whole,
    /// Once for each line that it reads: `-n`, `-p`.
    EachLine,
    /// What stands between the marks of its language: a page of PHP's.
    Page,
}

/// What is known of where a program runs.
pub(crate) trait Outside {
    /// Returns the value of a variable of the environment, as far as it is known.
    fn variable(&self, name: &str) -> Word;
    /// Returns the account's home directory.
    fn home(&self) -> Option<String>;
    /// Returns the directory that it runs in.
    fn directory(&self) -> Option<String>;
    /// Returns the words behind the program.
    fn arguments(&self) -> Vec<Word>;
    /// Returns what is on its standard input, if that is known.
    fn input(&self) -> Option<Word>;
    /// Returns what a file holds, if that is known.
    fn file(&self, path: &Word) -> Option<Word>;
}

/// What a program does.
#[derive(Default, Debug)]
pub(crate) struct Effects {
    /// In order.
    pub done: Vec<Effect>,
    /// What is not seen.
    pub unseen: Vec<Unseen>,
    /// It runs what it reads from standard input.
    pub runs_input: bool,
    /// The URLs that it asks for something, or sends something to.
    pub fetched: Vec<Word>,
    /// Those of which it runs what it got.
    pub runs_downloads: Vec<Word>,
    /// How much was done to find that out, in steps.
    pub steps: usize,
}

/// One thing that a program does.
#[derive(Debug)]
pub(crate) enum Effect {
    /// It does by itself what this command does.
    Act(Vec<Word>),
    /// It runs something, with this on its standard input where it says so.
    Run(Box<Nested>, Option<Word>),
    /// A file holds this from here on, or what is not known.
    Over(Word, Option<Word>),
    /// A file holds this besides.
    Behind(Word, Option<Word>),
}

/// What of a program is not seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unseen {
    /// Why, and where.
    pub why: Unknown,
    /// Only what this text names can be meant; none: anything.
    pub text: Option<String>,
}

/// Returns what a program does, within so many steps.
///
/// What is not known of its text stands in literals as what it is; elsewhere it may be any code.
pub(crate) fn read(language: Language, form: Form, text: &Word, outside: &dyn Outside, steps: usize) -> Effects {
    let (source, holes) = source(text);
    let source = framed(language, form, &source);
    let whole = |cause| Effects {
        unseen: vec![Unseen { why: Unknown::new(cause, shortened(&source)), text: Some(text.literal()) }],
        ..Effects::default()
    };
    let cost = parsing(language, &source);
    if source.len() > LONGEST || cost > steps {
        return whole(Cause::Long);
    }
    let Some(tree) = parsed(language, source.clone()) else { return whole(Cause::Foreign) };
    let fault = tree.fault.clone();
    let mut evaluator = Evaluator::new(language, outside, &holes, steps - cost);
    evaluator.form = form;
    evaluator.begin();
    evaluator.program(tree);
    let mut effects = evaluator.finish();
    effects.steps += cost;
    if let Some(place) = fault {
        let shown = shortened(source.get(place).unwrap_or_default());
        effects.unseen.push(Unseen { why: Unknown::new(Cause::Foreign, shown), text: Some(text.literal()) });
    }
    // What takes the place of a variable may end the literal that it stands in.
    if let Some(hole) = holes.first().and_then(Word::why) {
        effects.unseen.push(Unseen { why: hole, text: Some(text.literal()) });
    }
    effects
}

/// Returns what it costs to parse a text, in steps. The parser of Perl asks for the column of most of what it reads, and
/// counts it from the beginning of the line; those of Perl and Ruby look for the end of every list of words that is open.
fn parsing(language: Language, text: &str) -> usize {
    let squares = match language {
        Language::Perl => {
            let lines = text.lines().map(|line| line.len().saturating_pow(2)).fold(0, usize::saturating_add);
            (lines / 4).saturating_add(deepest(text).saturating_pow(2))
        }
        Language::Ruby => deepest(text).saturating_pow(2),
        Language::Python | Language::JavaScript | Language::Php => 0,
    };
    // What takes this long is not read.
    let cost = PARSING.saturating_mul(text.len()).saturating_add(squares);
    if squares > MOST_SQUARES { usize::MAX } else { cost }
}

/// Returns how many brackets of a text are open at most.
fn deepest(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => open += 1,
            b')' | b']' | b'}' | b'>' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// Returns a text as its interpreter takes it.
fn framed(language: Language, form: Form, text: &str) -> String {
    match (language, form) {
        // A here-document ends with its line.
        (Language::Ruby, Form::Whole) => format!("{text}\n"),
        (Language::Ruby, Form::EachLine) => format!("while gets\n{text}\nend\n"),
        (Language::Php, Form::Whole) => format!("<?php {text}"),
        (Language::Php, Form::EachLine) => format!("<?php $argn = readline(); {text}"),
        (Language::Perl, Form::EachLine) => format!("while (<>) {{{text}\n}}\n"),
        (Language::Perl, _) => format!("{text}\n"),
        (_, Form::Page) | (Language::Python | Language::JavaScript, _) => text.to_owned(),
    }
}

/// Returns a text with a character for each of its parts that is not known.
fn source(text: &Word) -> (String, Vec<Word>) {
    let mut source = String::new();
    let mut holes = Vec::new();
    for part in &text.parts {
        match part {
            // A stand-in that the text has by itself is not one of ours: it is read as any other character that is
            // neither in a name nor an operator.
            Part::Text(known) | Part::Glob(known) => {
                source.extend(known.chars().map(|c| if literal::hole(c).is_some() { '\u{FFFD}' } else { c }));
            }
            Part::Unknown(_) => {
                source.extend(literal::stand_in(holes.len()));
                let mut word = Word::default();
                word.push(part.clone());
                holes.push(word);
            }
        }
    }
    (source, holes)
}

/// Makes a tree of a text; nothing where the parser gives none.
fn parsed(language: Language, text: String) -> Option<Tree> {
    let mut parser = Parser::new();
    let grammar = match language {
        Language::Python => tree_sitter_python::LANGUAGE,
        Language::JavaScript => tree_sitter_javascript::LANGUAGE,
        Language::Ruby => tree_sitter_ruby::LANGUAGE,
        Language::Php => tree_sitter_php::LANGUAGE_PHP,
        Language::Perl => ts_parser_perl::LANGUAGE,
    };
    parser.set_language(&grammar.into()).ok()?;
    let syntax = parser.parse(&text, None)?;
    let mut tree = Tree::new(text);
    let root = syntax.root_node();
    tree.fault = root.has_error().then(|| first_fault(root).unwrap_or_else(|| root.byte_range()));
    let mut reader = Reader::new(&mut tree);
    let id = match language {
        Language::Python => reader.python(root),
        Language::JavaScript => reader.javascript(root),
        Language::Ruby => reader.ruby_program(root),
        Language::Php => reader.php(root),
        Language::Perl => reader.perl_program(root),
    };
    tree.root = Some(id);
    Some(tree)
}

/// Returns where a text begins to be no code of the language.
fn first_fault(root: tree_sitter::Node<'_>) -> Option<std::ops::Range<usize>> {
    let mut node = root;
    loop {
        if node.is_error() || node.is_missing() {
            return Some(node.byte_range());
        }
        let mut cursor = node.walk();
        let next = node.children(&mut cursor).find(tree_sitter::Node::has_error);
        node = next?;
    }
}

/// Returns the beginning of a text, for people.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    let text = text.lines().next().unwrap_or_default().trim_end();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
