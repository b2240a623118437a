//! The role of each word of a simple command: a program, code, an option, a plain argument.
//!
//! Word by word: where options end, and what builtins and interpreters treat as code, variables or assignments. Once
//! the command is complete, `code` finds what else programs run, by their records. The words are already split and
//! unquoted; this module knows nothing about quoting.

use crate::syntax::ast::FieldName;

use super::ProblemKind;
use hookrules_shell::Word as ShellWord;
use hookrules_shell::argv::{GivenOption, read};
use hookrules_shell::nested::{Code, What, is_run_variable, is_wrapper, nested, reads_statements};
use hookrules_shell::programs::{Does, Program, Reading, program};

/// A word as far as it is known before the command runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
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

impl<'a> Word<'a> {
    fn literal(&self) -> Option<&'a str> {
        self.is_literal.then_some(self.prefix)
    }

    /// Whether the value can begin with `-`: those of `path` and `project` are absolute.
    fn may_be_option(&self) -> bool {
        self.first.is_some_and(|name| !is_absolute(name))
    }
}

/// Whether a value is the project's directory.
pub(super) fn is_project(name: Option<&FieldName>) -> bool {
    name.is_some_and(|name| name.text() == "project")
}

/// Whether a value is an absolute path.
pub(super) fn is_absolute(name: &FieldName) -> bool {
    name.single().is_some_and(|name| matches!(name.text.as_str(), "path" | "project"))
}

/// The role of a word in its command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Usage {
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

impl Usage {
    pub(super) fn problem(self) -> Option<ProblemKind> {
        match self {
            Self::Plain | Self::Single => None,
            Self::Program => Some(ProblemKind::Program),
            Self::Code(program) => Some(ProblemKind::CodeOf(program)),
            Self::Option => Some(ProblemKind::Option),
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
                _ if record.operands == Does::Runs && reads_statements(&[ShellWord::text(name)]) => Runner::Statements,
                _ => return None,
            }
        }
    })
}

/// The most words before one that is still examined: each time, all words before it are parsed.
const ASKED: usize = 64;

/// A simple command whose words arrive one by one.
#[derive(Default)]
pub(super) struct Simple {
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

impl Simple {
    /// Takes the next word.
    pub(super) fn word(&mut self, word: &Word<'_>) -> Usage {
        let usage = self.usage(word);
        if self.has_begun() {
            self.words.push(word.whole.clone());
            self.has_values |= word.has_values;
        }
        usage
    }

    fn usage(&mut self, word: &Word<'_>) -> Usage {
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
        if is_prefix && word.literal().is_some_and(|text| RESERVED.contains(&text)) {
            return Usage::Plain;
        }
        // The policy's author chose the programs below the project.
        let is_chosen = word.prefix.is_empty() && word.has_values;
        if is_chosen && !is_project(word.first) {
            self.program = Some(String::new());
            return Usage::Program;
        }
        let name = word.literal().map(base_name).unwrap_or_default();
        let runs_others = || program(name).is_some_and(|record| !record.is_alone());
        if runs_others() && is_wrapper(name) {
            self.is_wrapped = true;
            return Usage::Plain;
        }
        self.runner = runner(name).map(|runner| (runner, name.to_owned()));
        self.program = Some(name.to_owned());
        Usage::Plain
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
    pub(super) fn arguments(&self) -> usize {
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
    fn wrapper_word(&mut self, word: &Word<'_>) -> Option<Usage> {
        if !self.is_wrapped || self.words.len() > ASKED {
            return None;
        }
        if word.prefix.starts_with('-') {
            return Some(Usage::Plain);
        }
        match place(&self.words) {
            Place::Program if is_assignment(word.prefix) && !starts(&self.words, word.whole) => Some(assigned(word)),
            Place::Program => None,
            Place::Value => Some(Usage::Plain),
            Place::Operand => Some(if word.may_be_option() { Usage::Option } else { Usage::Plain }),
        }
    }

    fn argument(&mut self, word: &Word<'_>) -> Usage {
        self.arguments += 1;
        if let Some(usage) = self.code_argument(word) {
            return usage;
        }
        if word.literal() == Some("--") {
            self.after_dashes = true;
            return Usage::Plain;
        }
        if !word.prefix.starts_with('-') {
            self.operands += 1;
        }
        if self.program() == Some("case") {
            return Usage::Single;
        }
        let takes_options = match self.program() {
            Some("printf") => self.arguments <= 1,
            Some(name) => {
                !WITHOUT_OPTIONS.contains(&name)
                    && program(name).is_none_or(|record| record.reading != Reading::Operands)
            }
            None => true,
        };
        if word.may_be_option() && takes_options && !self.after_dashes { Usage::Option } else { Usage::Plain }
    }

    /// Returns the role of a word for a program that takes code, if that decides.
    fn code_argument(&mut self, word: &Word<'_>) -> Option<Usage> {
        if let Some(program) = self.code_next.take() {
            self.code_given = true;
            return Some(if word.has_values { Usage::Code(program) } else { Usage::Plain });
        }
        if std::mem::take(&mut self.value_next) {
            return Some(Usage::Plain);
        }
        let is_option = word.prefix.starts_with('-') && word.prefix.len() > 1 && !self.after_dashes;
        let Some((runner, name)) = self.runner.clone() else { return self.recorded(word) };
        let code = || if word.has_values { Usage::Code(name.clone()) } else { Usage::Plain };
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
                self.value_next = !evaluates && word.is_literal && self.takes_value(word);
                Some(if evaluates { code() } else { Usage::Plain })
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
    fn recorded(&self, word: &Word<'_>) -> Option<Usage> {
        if !word.has_values || self.words.len() > ASKED {
            return None;
        }
        code_behind(&self.words).map(Usage::Code).or_else(|| has_code(&self.words).then_some(Usage::Plain))
    }

    /// Whether the word after an option is its value.
    fn takes_value(&self, option: &Word<'_>) -> bool {
        let words: Vec<ShellWord> = self.words.iter().chain([option.whole]).cloned().collect();
        self.words.len() < ASKED && place(&words) == Place::Value
    }

    /// Returns the role of a word for awk and sed.
    fn script_argument(&mut self, word: &Word<'_>, is_option: bool, name: &str, code: Usage) -> Option<Usage> {
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
                return Some(Usage::Plain);
            }
            self.value_next = word.is_literal && self.takes_value(word);
            return Some(Usage::Plain);
        }
        if self.code_given || word.literal() == Some("--") {
            return None;
        }
        self.code_given = true;
        Some(code)
    }
}

/// The role of a further word in a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// The program that it starts.
    Program,
    /// The value of an option.
    Value,
    /// Something else.
    Operand,
}

/// Returns the role of a further word in a command, according to the records of its programs.
fn place(words: &[ShellWord]) -> Place {
    let (mark, words) = marked(words);
    let is_value = |words: &[ShellWord]| read(words).options.iter().any(|given| given.value.as_ref() == Some(&mark));
    let mut place = if is_value(&words) { Place::Value } else { Place::Operand };
    each_inner(&words, &mut |inner| {
        place = match inner {
            Inner::Command([program, ..]) if *program == mark => Place::Program,
            Inner::Command(words) if is_value(words) => Place::Value,
            Inner::Command(_) => Place::Operand,
            Inner::Text(..) | Inner::Input(_) => place,
        };
    });
    place
}

/// Whether a word would be the program that a command starts.
fn starts(words: &[ShellWord], word: &ShellWord) -> bool {
    let words: Vec<ShellWord> = words.iter().chain([word]).cloned().collect();
    let mut found = false;
    each_inner(&words, &mut |inner| found |= matches!(inner, Inner::Command([program, ..]) if program == word));
    found
}

/// Returns the name of the program that would run a further word as code.
fn code_behind(words: &[ShellWord]) -> Option<String> {
    let (mark, words) = marked(words);
    let mut found = None;
    each_inner(&words, &mut |inner| match inner {
        Inner::Text(program, text) if text.literal().contains(&mark.literal()) => found = Some(program.to_owned()),
        _ => {}
    });
    found
}

/// Whether a command already has all the code that an interpreter runs: no options follow that.
fn has_code(words: &[ShellWord]) -> bool {
    let mut found = false;
    each_inner(words, &mut |inner| found |= matches!(inner, Inner::Text(name, _) if is_interpreter(name)));
    found
}

fn is_interpreter(name: &str) -> bool {
    program(name).is_some_and(Program::is_interpreter)
}

/// Returns the name of the program that runs a command's standard input.
pub(super) fn runs_standard_input(words: &[ShellWord]) -> Option<String> {
    let mut found = takes_statements(words);
    each_inner(words, &mut |inner| match inner {
        Inner::Input(program) => found = Some(program.to_owned()),
        Inner::Command(words) => found = takes_statements(words).or_else(|| found.take()),
        Inner::Text(..) => {}
    });
    found
}

/// Returns the name of a client that reads statements from its standard input, if its words contain no statements.
fn takes_statements(words: &[ShellWord]) -> Option<String> {
    if !reads_statements(words) {
        return None;
    }
    let argv = read(words);
    let gives = |given: &GivenOption| given.option.is_some_and(|option| option.does == Does::Runs);
    let has_statements = argv.table().is_some_and(|table| table.operands == Does::Runs) && argv.operands.len() > 1;
    let name = argv.name.filter(|_| !has_statements && !argv.options.iter().any(gives));
    name.map(str::to_owned)
}

/// Returns a new word, different from all others, and the command with it appended.
fn marked(words: &[ShellWord]) -> (ShellWord, Vec<ShellWord>) {
    let is_new = |mark: &ShellWord| !words.iter().any(|word| word.literal().contains(&mark.literal()));
    let mut marks = (0_usize..).map(|number| ShellWord::text(format!("x{number}x")));
    let mark = marks.find(is_new).unwrap_or_default();
    let words = words.iter().chain([&mark]).cloned().collect();
    (mark, words)
}

/// What a command runs.
enum Inner<'w> {
    /// These words.
    Command(&'w [ShellWord]),
    /// A text, and the name of the program that runs it.
    Text(&'w str, &'w ShellWord),
    /// Its standard input, and the name of the program that runs it.
    Input(&'w str),
}

/// Visits what a command certainly runs, and in turn what that runs.
fn each_inner(words: &[ShellWord], each: &mut dyn FnMut(Inner<'_>)) {
    let mut next = Some(words.to_vec());
    for _ in 0..super::code::DEPTH {
        let Some(words) = next.take() else { return };
        let name = read(&words).name.unwrap_or_default().to_owned();
        for found in nested(&words).into_iter().filter(|found| found.doubt.is_none()) {
            match found.what {
                What::Argv(inner) => {
                    each(Inner::Command(&inner));
                    next.get_or_insert(inner);
                }
                What::Script(text, _) | What::Foreign(Code::Text(text)) => each(Inner::Text(&name, &text)),
                What::Input(_) | What::Foreign(Code::Input) => each(Inner::Input(&name)),
                What::File(_) | What::Foreign(Code::File(_)) => {}
            }
        }
    }
}

fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Returns the role of an assignment's value: programs run the contents of some variables.
fn assigned(word: &Word<'_>) -> Usage {
    let name = word.prefix.split_once('=').map_or("", |(name, _)| name.trim_end_matches('+'));
    if word.has_values && is_run_variable(name) { Usage::Code(name.to_owned()) } else { Usage::Plain }
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
