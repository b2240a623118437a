//! The role of each word of a simple command: a program, code, an option, a plain argument.
//!
//! Word by word: where options end, and what builtins and interpreters treat as code, variables or assignments. Once
//! the command is complete, `code` finds what else programs run, by their records. The words are already split and
//! unquoted; this module knows nothing about quoting.

use crate::syntax::ast::FieldName;

use super::PlaceholderProblemKind;
use hookrules_shell::Word as ShellWord;
use hookrules_shell::argv::{GivenOption, parse_argv};
use hookrules_shell::nested::{CodeSource, Runnable, is_run_variable, is_wrapper, nested, reads_statements};
use hookrules_shell::programs::{OptionEffect, Program, WordSyntax, program};

/// A word as far as it is known before the command runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplateWord<'a> {
    /// The literal text up to the first value or expansion.
    pub(super) prefix: &'a str,
    /// Whether the prefix is the whole word.
    pub(super) is_literal: bool,
    /// The placeholder at its beginning.
    pub(super) first: Option<&'a FieldName>,
    /// Whether it contains a placeholder.
    pub(super) has_values: bool,
    /// The whole word, as the shell builds it.
    pub(super) whole: &'a ShellWord,
    /// Whether a shell parses it, so that assignments and reserved words count.
    pub(super) from_shell: bool,
}

impl<'a> TemplateWord<'a> {
    fn literal_text(&self) -> Option<&'a str> {
        self.is_literal.then_some(self.prefix)
    }

    /// Whether the value can begin with `-`: those of `path` and `project` are absolute.
    fn is_possible_option(&self) -> bool {
        self.first.is_some_and(|name| !is_absolute(name))
    }
}

/// Whether a value is the project's directory.
pub(super) fn is_project(name: Option<&FieldName>) -> bool {
    name.is_some_and(|name| name.text() == "project")
}

/// Whether a value is an absolute path.
pub(super) fn is_absolute(name: &FieldName) -> bool {
    name.as_single_name().is_some_and(|name| matches!(name.text.as_str(), "path" | "project"))
}

/// The role of a word in its command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WordUsage {
    /// An argument, or a word that does not matter.
    Plain,
    /// An argument that has to stay one word.
    Single,
    /// The value names the program.
    Program,
    /// The value is in code that this program runs.
    Code(String),
    /// The value could be an option.
    Option,
}

impl WordUsage {
    pub(super) fn problem(self) -> Option<PlaceholderProblemKind> {
        match self {
            Self::Plain | Self::Single => None,
            Self::Program => Some(PlaceholderProblemKind::Program),
            Self::Code(program) => Some(PlaceholderProblemKind::ProgramCode(program)),
            Self::Option => Some(PlaceholderProblemKind::Option),
        }
    }
}

/// Words after which a command still begins.
const RESERVED: [&str; 16] = [
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}", "esac", "coproc", "function",
    "in",
];

/// Words of the shell's grammar that no options follow.
const WITHOUT_OPTIONS: [&str; 6] = ["exit", "return", "true", "for", "select", "case"];

/// How a program takes code, if its words have to be examined one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Runner {
    /// Every argument is code.
    All,
    /// The first operand, unless `-f` or `-e` gives the program.
    Script,
    /// Statements follow the database.
    Statements,
    /// The first operand is a file with code; what follows is data.
    File,
    /// make: an operand can be an assignment, whose value is expanded.
    Assignments,
    /// Each operand is the name of a variable, whose subscript the shell evaluates. After `NAME=`, there is data.
    Names,
    /// The word after one of these options is the name of a variable.
    NameOf(&'static str),
}

fn runner(name: &str) -> Option<Runner> {
    // Builtins are a part of the shell's language.
    Some(match name {
        "." | "source" => Runner::File,
        "eval" | "trap" | "alias" | "let" | "declare" | "typeset" | "[[" | "read" | "unset" | "mapfile"
        | "readarray" | "getopts" | "enable" | "bind" | "complete" | "compgen" => Runner::All,
        "export" | "readonly" | "local" => Runner::Names,
        "printf" => Runner::NameOf("v"),
        "test" | "[" => Runner::NameOf("vR"),
        _ => {
            let record = program(name)?;
            match record.names.first().copied() {
                Some("make") => Runner::Assignments,
                Some("awk" | "sed") => Runner::Script,
                _ if record.operands == OptionEffect::Runs && reads_statements(&[ShellWord::text(name)]) => {
                    Runner::Statements
                }
                _ => return None,
            }
        }
    })
}

/// The most words before one that is still examined: each time, all words before it are parsed.
const ASKED: usize = 64;

/// A simple command of a template; its words arrive one by one.
#[derive(Default)]
pub(super) struct TemplateCommand {
    /// The words so far, from the outermost program on.
    words: Vec<ShellWord>,
    /// Whether there are values in them.
    has_values: bool,
    /// Whether they begin with a wrapper, which starts the program that its operands name.
    is_wrapped: bool,
    program: Option<String>,
    /// The number of words after the program.
    arguments: usize,
    /// The number of words after the program that are not options.
    operands: usize,
    after_dashes: bool,
    runner: Option<(Runner, String)>,
    /// The program, if the next word is code for it.
    code_next: Option<String>,
    /// Whether the next word is the value of a runner's option.
    value_next: bool,
    code_given: bool,
}

impl TemplateCommand {
    /// Takes the next word.
    pub(super) fn add_word(&mut self, word: &TemplateWord<'_>) -> WordUsage {
        let usage = self.usage(word);
        if self.has_begun() {
            self.words.push(word.whole.clone());
            self.has_values |= word.has_values;
        }
        usage
    }

    fn usage(&mut self, word: &TemplateWord<'_>) -> WordUsage {
        if self.program.is_some() {
            return self.argument(word);
        }
        if let Some(usage) = self.wrapper_word(word) {
            return usage;
        }
        let is_prefix = !self.is_wrapped && word.from_shell;
        if is_prefix && is_assignment(word.prefix) {
            return assigned(word);
        }
        if is_prefix && word.literal_text().is_some_and(|text| RESERVED.contains(&text)) {
            return WordUsage::Plain;
        }
        // The policy's author chose the programs below the project.
        let is_chosen = word.prefix.is_empty() && word.has_values;
        if is_chosen && !is_project(word.first) {
            self.program = Some(String::new());
            return WordUsage::Program;
        }
        let name = word.literal_text().map(base_name).unwrap_or_default();
        let runs_others = || program(name).is_some_and(|record| !record.is_self_contained());
        if runs_others() && is_wrapper(name) {
            self.is_wrapped = true;
            return WordUsage::Plain;
        }
        self.runner = runner(name).map(|runner| (runner, name.to_owned()));
        self.program = Some(name.to_owned());
        WordUsage::Plain
    }

    /// Whether there has been a program, even a wrapper.
    pub(super) fn has_begun(&self) -> bool {
        self.program.is_some() || self.is_wrapped
    }

    /// Returns the program's base name: empty if it is unknown, `None` before the program.
    pub(super) fn program(&self) -> Option<&str> {
        self.program.as_deref()
    }

    /// Returns the number of words after the program.
    pub(super) fn argument_count(&self) -> usize {
        self.arguments
    }

    /// Whether there are values in its words.
    pub(super) fn has_values(&self) -> bool {
        self.has_values
    }

    /// Returns its words, from the outermost program on.
    pub(super) fn words(&self) -> &[ShellWord] {
        &self.words
    }

    /// Returns the program's name if it runs its file operands.
    pub(super) fn runs_files(&self) -> Option<&str> {
        self.program().filter(|name| matches!(*name, "." | "source") || is_interpreter(name))
    }

    /// Returns the role of a word between a wrapper and the program that it starts.
    fn wrapper_word(&mut self, word: &TemplateWord<'_>) -> Option<WordUsage> {
        if !self.is_wrapped || self.words.len() > ASKED {
            return None;
        }
        if word.prefix.starts_with('-') {
            return Some(WordUsage::Plain);
        }
        match word_role(&self.words) {
            WordRole::Program if is_assignment(word.prefix) && !is_started_program(&self.words, word.whole) => {
                Some(assigned(word))
            }
            WordRole::Program => None,
            WordRole::Value => Some(WordUsage::Plain),
            WordRole::Operand => Some(if word.is_possible_option() { WordUsage::Option } else { WordUsage::Plain }),
        }
    }

    fn argument(&mut self, word: &TemplateWord<'_>) -> WordUsage {
        self.arguments += 1;
        if let Some(usage) = self.code_argument(word) {
            return usage;
        }
        if word.literal_text() == Some("--") {
            self.after_dashes = true;
            return WordUsage::Plain;
        }
        if !word.prefix.starts_with('-') {
            self.operands += 1;
        }
        if self.program() == Some("case") {
            return WordUsage::Single;
        }
        let takes_options = match self.program() {
            Some("printf") => self.arguments <= 1,
            Some(name) => {
                !WITHOUT_OPTIONS.contains(&name)
                    && program(name).is_none_or(|record| record.reading != WordSyntax::Operands)
            }
            None => true,
        };
        if word.is_possible_option() && takes_options && !self.after_dashes {
            WordUsage::Option
        } else {
            WordUsage::Plain
        }
    }

    /// Returns the role of a word for a program that takes code, if that decides.
    fn code_argument(&mut self, word: &TemplateWord<'_>) -> Option<WordUsage> {
        if let Some(program) = self.code_next.take() {
            self.code_given = true;
            return Some(if word.has_values { WordUsage::Code(program) } else { WordUsage::Plain });
        }
        if std::mem::take(&mut self.value_next) {
            return Some(WordUsage::Plain);
        }
        let is_option = word.prefix.starts_with('-') && word.prefix.len() > 1 && !self.after_dashes;
        let Some((runner, name)) = self.runner.clone() else { return self.usage_by_record(word) };
        let code = || if word.has_values { WordUsage::Code(name.clone()) } else { WordUsage::Plain };
        match runner {
            Runner::All => Some(code()),
            Runner::Statements => (self.operands >= 1 && !is_option && word.has_values).then(code),
            // The policy's author chose the programs below the project.
            Runner::File if self.operands == 0 && word.prefix.is_empty() && is_project(word.first) => None,
            Runner::File => (self.operands == 0 && word.has_values).then(|| {
                self.operands += 1;
                code()
            }),
            Runner::Assignments if is_option => {
                let evaluates = word.prefix.starts_with("-E") || word.prefix.starts_with("--eval");
                self.code_next = (evaluates && word.is_literal && !word.prefix.contains('=')).then(|| name.clone());
                self.value_next = !evaluates && word.is_literal && self.is_option_with_value(word);
                Some(if evaluates { code() } else { WordUsage::Plain })
            }
            Runner::Assignments => Some(code()),
            Runner::Names => Some(if is_assignment(word.prefix) { assigned(word) } else { code() }),
            Runner::NameOf(letters) => {
                let mut flag = word.prefix.chars();
                let names = flag.next() == Some('-') && flag.next().is_some_and(|letter| letters.contains(letter));
                (names && !self.after_dashes).then(|| {
                    self.code_next = (word.is_literal && flag.next().is_none()).then(|| name.clone());
                    code()
                })
            }
            Runner::Script => self.script_argument(word, is_option, &name, code()),
        }
    }

    /// Returns the role of a word for a program whose record determines what is code. The words after the code are its
    /// arguments. [`Finder`] finds a value in the code itself, or attached to an option, once all words are known.
    ///
    /// [`Finder`]: super::code::Finder
    fn usage_by_record(&self, word: &TemplateWord<'_>) -> Option<WordUsage> {
        if !word.has_values || self.words.len() > ASKED {
            return None;
        }
        code_behind(&self.words).map(WordUsage::Code).or_else(|| has_code(&self.words).then_some(WordUsage::Plain))
    }

    /// Whether the word after an option is its value.
    fn is_option_with_value(&self, option: &TemplateWord<'_>) -> bool {
        let words: Vec<ShellWord> = self.words.iter().chain([option.whole]).cloned().collect();
        self.words.len() < ASKED && word_role(&words) == WordRole::Value
    }

    /// Returns the role of a word for awk and sed.
    fn script_argument(
        &mut self,
        word: &TemplateWord<'_>,
        is_option: bool,
        name: &str,
        code: WordUsage,
    ) -> Option<WordUsage> {
        if is_option {
            let has = |short: &str, long: &str| {
                (word.prefix.starts_with(short) && !word.prefix.starts_with("--")) || word.prefix.starts_with(long)
            };
            if has("-e", "--expression") || has("-e", "--source") {
                let attached = !matches!(word.prefix, "-e" | "--expression" | "--source") || !word.is_literal;
                self.code_next = (!attached).then(|| name.to_owned());
                self.code_given = true;
                return Some(code);
            }
            if has("-f", "--file") {
                self.code_given = true;
                self.value_next = word.is_literal && matches!(word.prefix, "-f" | "--file");
                return Some(WordUsage::Plain);
            }
            self.value_next = word.is_literal && self.is_option_with_value(word);
            return Some(WordUsage::Plain);
        }
        if self.code_given || word.literal_text() == Some("--") {
            return None;
        }
        self.code_given = true;
        Some(code)
    }
}

/// The role of a further word in a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WordRole {
    /// The program that it starts.
    Program,
    /// The value of an option.
    Value,
    /// Something else.
    Operand,
}

/// Returns the role of a further word in a command, according to the records of its programs.
fn word_role(words: &[ShellWord]) -> WordRole {
    let (mark, words) = append_marker_word(words);
    let is_value =
        |words: &[ShellWord]| parse_argv(words).options.iter().any(|given| given.value.as_ref() == Some(&mark));
    let mut place = if is_value(&words) { WordRole::Value } else { WordRole::Operand };
    visit_inner(&words, &mut |inner| {
        place = match inner {
            NestedRun::Command([program, ..]) if *program == mark => WordRole::Program,
            NestedRun::Command(words) if is_value(words) => WordRole::Value,
            NestedRun::Command(_) => WordRole::Operand,
            NestedRun::Text(..) | NestedRun::Input(_) => place,
        };
    });
    place
}

/// Whether a word would be the program that a command starts.
fn is_started_program(words: &[ShellWord], word: &ShellWord) -> bool {
    let words: Vec<ShellWord> = words.iter().chain([word]).cloned().collect();
    let mut found = false;
    visit_inner(&words, &mut |inner| found |= matches!(inner, NestedRun::Command([program, ..]) if program == word));
    found
}

/// Returns the name of the program that would run a further word as code.
fn code_behind(words: &[ShellWord]) -> Option<String> {
    let (mark, words) = append_marker_word(words);
    let mut found = None;
    visit_inner(&words, &mut |inner| match inner {
        NestedRun::Text(program, text) if text.literal().contains(&mark.literal()) => found = Some(program.to_owned()),
        _ => {}
    });
    found
}

/// Whether a command already has all the code that an interpreter runs: no options follow that.
fn has_code(words: &[ShellWord]) -> bool {
    let mut found = false;
    visit_inner(words, &mut |inner| found |= matches!(inner, NestedRun::Text(name, _) if is_interpreter(name)));
    found
}

fn is_interpreter(name: &str) -> bool {
    program(name).is_some_and(Program::is_interpreter)
}

/// Returns the name of the program that runs a command's standard input.
pub(super) fn runs_standard_input(words: &[ShellWord]) -> Option<String> {
    let mut found = takes_statements(words);
    visit_inner(words, &mut |inner| match inner {
        NestedRun::Input(program) => found = Some(program.to_owned()),
        NestedRun::Command(words) => found = takes_statements(words).or_else(|| found.take()),
        NestedRun::Text(..) => {}
    });
    found
}

/// Returns the name of a client that reads statements from its standard input, if its words contain no statements.
fn takes_statements(words: &[ShellWord]) -> Option<String> {
    if !reads_statements(words) {
        return None;
    }
    let argv = parse_argv(words);
    let gives = |given: &GivenOption| given.option.is_some_and(|option| option.does == OptionEffect::Runs);
    let has_statements =
        argv.table().is_some_and(|table| table.operands == OptionEffect::Runs) && argv.operands.len() > 1;
    let name = argv.name.filter(|_| !has_statements && !argv.options.iter().any(gives));
    name.map(str::to_owned)
}

/// Returns a new word, different from all others, and the command with it appended.
fn append_marker_word(words: &[ShellWord]) -> (ShellWord, Vec<ShellWord>) {
    let is_new = |mark: &ShellWord| !words.iter().any(|word| word.literal().contains(&mark.literal()));
    let mut marks = (0_usize..).map(|number| ShellWord::text(format!("x{number}x")));
    let mark = marks.find(is_new).unwrap_or_default();
    let words = words.iter().chain([&mark]).cloned().collect();
    (mark, words)
}

/// What a command runs.
enum NestedRun<'w> {
    /// These words.
    Command(&'w [ShellWord]),
    /// A text, and the name of the program that runs it.
    Text(&'w str, &'w ShellWord),
    /// Its standard input, and the name of the program that runs it.
    Input(&'w str),
}

/// Visits what a command certainly runs, and in turn what that runs.
fn visit_inner(words: &[ShellWord], each: &mut dyn FnMut(NestedRun<'_>)) {
    let mut next = Some(words.to_vec());
    for _ in 0..super::code::DEPTH {
        let Some(words) = next.take() else { return };
        let name = parse_argv(&words).name.unwrap_or_default().to_owned();
        for found in nested(&words).into_iter().filter(|found| found.doubt.is_none()) {
            match found.runnable {
                Runnable::Argv(inner) => {
                    each(NestedRun::Command(&inner));
                    next.get_or_insert(inner);
                }
                Runnable::Script(text, _) | Runnable::Foreign(CodeSource::Text(text)) => {
                    each(NestedRun::Text(&name, &text))
                }
                Runnable::Input(_) | Runnable::Foreign(CodeSource::Input) => each(NestedRun::Input(&name)),
                Runnable::File(_) | Runnable::Foreign(CodeSource::File(_)) => {}
            }
        }
    }
}

fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Returns the role of an assignment's value: programs run the contents of some variables.
fn assigned(word: &TemplateWord<'_>) -> WordUsage {
    let name = word.prefix.split_once('=').map_or("", |(name, _)| name.trim_end_matches('+'));
    if word.has_values && is_run_variable(name) { WordUsage::Code(name.to_owned()) } else { WordUsage::Plain }
}

/// Whether a word begins with `NAME=`.
fn is_assignment(prefix: &str) -> bool {
    prefix.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
