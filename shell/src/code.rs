//! Programs in other languages that a command passes to an interpreter: what they do to files, and what they run.
//!
//! tree-sitter parses the text, a reader turns it into a [`tree::CodeTree`] that is the same for all languages, and
//! an evaluator computes its values where they are known: literals, variables, joined paths, functions, loops over
//! known lists. Every branch that could run counts, regardless of conditions. A part that cannot be evaluated becomes
//! an [`UnanalysedCode`]. This module knows nothing of the surrounding command; it asks its [`ProgramEnvironment`]
//! for variables, arguments and files.

mod arguments;
mod assign;
mod call;
mod commands;
mod decode;
mod effects;
mod evaluate;
mod handles;
mod javascript;
mod library;
mod literal;
mod members;
mod names;
mod operators;
mod perl;
mod php;
mod python;
mod reader;
mod returns;
mod ruby;
mod scopes;
mod state;
mod suffix_facts;
mod tree;
mod uncalled_functions;
mod value;

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser};

use crate::nested::NestedCommand;
use crate::unseen::UnseenText;
use crate::word::{Cause, Unknown, Word, WordPart};
use evaluate::Evaluator;
use reader::TreeReader;
use tree::CodeTree;

/// The maximum length of a program that is analysed, in bytes.
const MAX_LENGTH: usize = 1 << 16;

/// The cost of parsing, in steps per byte.
const PARSING_COST: usize = 16;

/// The maximum of the part of the parsing cost that grows with the square of the text, in steps. A text above it is not
/// parsed. Two lines of Perl of 2,000 bytes each reach it.
const MAX_QUADRATIC_COST: usize = 2_000_000;

/// The minimum number of bytes by which a parser advances in 100 operations, unless it recovers from errors.
const MIN_ADVANCE: usize = 8;

/// The number of times that a parser may report an advance of less than [`MIN_ADVANCE`] bytes. One more stops it.
const MAX_SLOW_REPORTS: usize = 32;

/// The supported languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CodeLanguage {
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

/// How an interpreter runs the text of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExecutionMode {
    /// Once, as it is: `python -c '…'`.
    Whole,
    /// Once for each line of input: `ruby -n`, `perl -p`.
    EachLine,
    /// Only the code between the language's tags: a PHP page.
    Page,
}

/// The surroundings of a program, as its evaluator needs them: variables, directories, arguments and files.
pub(crate) trait ProgramEnvironment {
    /// Returns the value of an environment variable, as far as it is known.
    fn variable(&self, name: &str) -> Word;
    /// Returns the account's home directory; `None` if it is unknown.
    fn home(&self) -> Option<String>;
    /// Returns the working directory in which the program starts; `None` if it is unknown.
    fn directory(&self) -> Option<String>;
    /// Returns the arguments of the program. The first is the name of the program itself, as in `sys.argv`, except
    /// for `node -e`.
    fn arguments(&self) -> Vec<Word>;
    /// Returns the text on standard input; `None` if it is unknown.
    fn input(&self) -> Option<Word>;
    /// Returns the contents of a file; `None` if they are unknown.
    fn file(&self, path: &Word) -> Option<Word>;
    /// Whether the caller wants `CodeEffects::evaluated`, the texts that the program evaluates as code.
    fn follows_values(&self) -> bool {
        false
    }
}

/// The effects of a program.
#[derive(Default, Debug)]
pub(crate) struct CodeEffects {
    /// The known effects, in order.
    pub effects: Vec<CodeEffect>,
    /// The parts that could not be analysed.
    pub unanalysed: Vec<UnanalysedCode>,
    /// Whether the program runs what it reads from standard input, as code or as a command.
    pub runs_input: bool,
    /// The URLs and `host:port` addresses that the program connects to.
    pub fetched: Vec<Word>,
    /// The URLs whose response the program may run: all that it fetched before it ran data from the network.
    pub runs_downloads: Vec<Word>,
    /// The texts that the program evaluates as code of its language, if the caller wants them.
    pub evaluated: Vec<Word>,
    /// The work that the analysis took, in steps.
    pub steps: usize,
}

/// One effect of a program on files, or a command that it runs.
#[derive(Debug)]
pub(crate) enum CodeEffect {
    /// The program does to files what the command with these words would do: `shutil.rmtree(x)` is `rm -rf -- x`.
    LikeCommand(Vec<Word>),
    /// The program runs a command, a script or code. The word is the text on its standard input; `None` if the
    /// program does not set it.
    Run(Box<NestedCommand>, Option<Word>),
    /// The file at this path now has this content; `None` if the content is unknown.
    Overwrite(Word, Option<Word>),
    /// This content is appended to the file at this path; `None` if the content is unknown.
    Append(Word, Option<Word>),
}

/// A part of a program that could not be analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnanalysedCode {
    /// The reason, with the beginning of the code for display.
    pub reason: Unknown,
    /// The text that names all files and commands that the code can affect. `None` if the code can affect anything.
    pub text: Option<UnseenText>,
}

/// Returns the effects of a program, computed in at most `step_limit` steps.
///
/// An unknown part of the program's text is evaluated as an unknown part of a literal. The first such part is also
/// reported as unanalysed code, because its value could end the literal.
pub(crate) fn read(
    language: CodeLanguage,
    mode: ExecutionMode,
    text: &Word,
    environment: &dyn ProgramEnvironment,
    step_limit: usize,
) -> CodeEffects {
    let (source, holes) = source_with_stand_ins(text);
    let source = compiled_text(language, mode, &source);
    // The result for a text that is not analysed at all.
    let nothing_analysed = |cause| CodeEffects {
        unanalysed: vec![UnanalysedCode {
            reason: Unknown::new(cause, excerpt(&source)),
            text: Some(text.literal().into()),
        }],
        ..CodeEffects::default()
    };
    let cost = parsing_cost(language, &source);
    if source.len() > MAX_LENGTH || cost > step_limit {
        return nothing_analysed(Cause::TooLong);
    }
    let Some(tree) = parse_code(language, source.clone()) else { return nothing_analysed(Cause::TooLong) };
    let fault = tree.fault.clone();
    let mut evaluator = Evaluator::new(language, environment, &holes, step_limit - cost);
    evaluator.mode = mode;
    evaluator.begin();
    evaluator.program(tree);
    let mut effects = evaluator.finish();
    effects.steps += cost;
    if let Some(range) = fault {
        let shown = excerpt(source.get(range).unwrap_or_default());
        effects
            .unanalysed
            .push(UnanalysedCode { reason: Unknown::new(Cause::Foreign, shown), text: Some(text.literal().into()) });
    }
    // The parser does not read the expressions in the lines of a Perl format.
    let is_format = |line: &str| line.starts_with("format ") && line.trim_end().ends_with('=');
    if language == CodeLanguage::Perl && source.lines().any(is_format) {
        let why = Unknown::new(Cause::Foreign, excerpt(&source));
        effects.unanalysed.push(UnanalysedCode { reason: why, text: Some(text.literal().into()) });
    }
    // The value of a shell variable may contain a quote, which ends the literal and begins code.
    if let Some(reason) = holes.first().and_then(Word::unknown_reason) {
        effects.unanalysed.push(UnanalysedCode { reason, text: Some(text.literal().into()) });
    }
    effects
}

/// Returns the cost of parsing a text, in steps; `usize::MAX` if its quadratic part exceeds [`MAX_QUADRATIC_COST`].
///
/// Two things make the cost quadratic: the Perl parser computes the column of most tokens by counting from the
/// beginning of the line, and the Perl and Ruby parsers search for the end of every open word list.
fn parsing_cost(language: CodeLanguage, text: &str) -> usize {
    let quadratic_cost = match language {
        CodeLanguage::Perl => {
            let squares = text.lines().map(|line| line.len().saturating_pow(2)).fold(0, usize::saturating_add);
            (squares / 4).saturating_add(bracket_depth(text).saturating_pow(2))
        }
        CodeLanguage::Ruby => bracket_depth(text).saturating_pow(2),
        CodeLanguage::Python | CodeLanguage::JavaScript | CodeLanguage::Php => 0,
    };
    // `usize::MAX` exceeds every budget, so that the text is not parsed.
    let cost = PARSING_COST.saturating_mul(text.len()).saturating_add(quadratic_cost);
    if quadratic_cost > MAX_QUADRATIC_COST { usize::MAX } else { cost }
}

/// Returns the maximum nesting depth of the brackets in a text. `<` and `>` count as brackets, as in Perl's `qw<…>`.
fn bracket_depth(text: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => open += 1,
            b')' | b']' | b'}' | b'>' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

/// Returns the source text that the interpreter compiles: with `<?php` before a PHP text, and in a `while` loop for
/// `-n` and `-p`.
fn compiled_text(language: CodeLanguage, mode: ExecutionMode, text: &str) -> String {
    match (language, mode) {
        // The grammar accepts a here-document at the end of the text only with a newline after it.
        (CodeLanguage::Ruby, ExecutionMode::Whole) => format!("{text}\n"),
        (CodeLanguage::Ruby, ExecutionMode::EachLine) => format!("while gets\n{text}\nend\n"),
        (CodeLanguage::Php, ExecutionMode::Whole) => format!("<?php {text}"),
        (CodeLanguage::Php, ExecutionMode::EachLine) => format!("<?php $argn = readline(); {text}"),
        (CodeLanguage::Perl, ExecutionMode::EachLine) => format!("while (<>) {{{text}\n}}\n"),
        (CodeLanguage::Perl, _) => format!("{text}\n"),
        (_, ExecutionMode::Page) | (CodeLanguage::Python | CodeLanguage::JavaScript, _) => text.to_owned(),
    }
}

/// Returns the text with a stand-in character for each unknown part, and the unknown parts in the same order.
fn source_with_stand_ins(text: &Word) -> (String, Vec<Word>) {
    let mut source = String::new();
    let mut holes = Vec::new();
    for part in &text.parts {
        match part {
            // The text itself may contain stand-in characters. They are replaced by another character that is neither
            // part of a name nor an operator, so that they are not confused with ours.
            WordPart::Text(known) | WordPart::Glob(known) => {
                source.extend(known.chars().map(|c| if literal::stand_in_index(c).is_some() { '\u{FFFD}' } else { c }));
            }
            WordPart::Unknown(_) => {
                source.extend(literal::stand_in_char(holes.len()));
                let mut word = Word::default();
                word.push(part.clone());
                holes.push(word);
            }
        }
    }
    (source, holes)
}

/// The progress of a parser. The parser reports its offset after every 100 operations.
struct Progress {
    /// The length of the text, in bytes.
    length: usize,
    /// The greatest offset that the parser has reached, in bytes.
    furthest: usize,
    /// The number of reports in which the offset had advanced by less than [`MIN_ADVANCE`] bytes.
    slow: usize,
}

impl Progress {
    /// Counts a report of the parser, and stops a parser that too often advanced too slowly. The Perl parser needs
    /// this: its time to recover from errors grows with the square of the text.
    fn advance(&mut self, offset: usize) -> ControlFlow<()> {
        // After the end of the text, the parser only balances the tree.
        if offset < self.length && offset < self.furthest + MIN_ADVANCE {
            self.slow += 1;
        }
        self.furthest = self.furthest.max(offset);
        if self.slow > MAX_SLOW_REPORTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Parses a text into a tree; `None` if the parser is stopped, because it takes too long to recover from errors.
fn parse_code(language: CodeLanguage, text: String) -> Option<CodeTree> {
    let mut parser = Parser::new();
    let grammar = match language {
        CodeLanguage::Python => tree_sitter_python::LANGUAGE,
        CodeLanguage::JavaScript => tree_sitter_javascript::LANGUAGE,
        CodeLanguage::Ruby => tree_sitter_ruby::LANGUAGE,
        CodeLanguage::Php => tree_sitter_php::LANGUAGE_PHP,
        CodeLanguage::Perl => ts_parser_perl::LANGUAGE,
    };
    parser.set_language(&grammar.into()).ok()?;
    let mut progress = Progress { length: text.trim_end().len(), furthest: 0, slow: 0 };
    let mut watch = |state: &ParseState| progress.advance(state.current_byte_offset());
    let options = ParseOptions::new().progress_callback(&mut watch);
    let read = &mut |at, _| text.as_bytes().get(at..).unwrap_or_default();
    let syntax = parser.parse_with_options(read, None, Some(options))?;
    let mut tree = CodeTree::new(text);
    let root = syntax.root_node();
    tree.fault = root.has_error().then(|| first_fault(root).unwrap_or_else(|| root.byte_range()));
    let mut reader = TreeReader::new(&mut tree);
    let id = match language {
        CodeLanguage::Python => reader.read_python(root),
        CodeLanguage::JavaScript => reader.read_javascript(root),
        CodeLanguage::Ruby => reader.ruby_program(root),
        CodeLanguage::Php => reader.read_php(root),
        CodeLanguage::Perl => reader.perl_program(root),
    };
    tree.root = Some(id);
    Some(tree)
}

/// Returns the range of the first part of a text that is not valid code of the language; `None` if there is none.
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

/// Returns the first line of a text, shortened to 60 characters, for display.
fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    let text = text.lines().next().unwrap_or_default().trim_end();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
