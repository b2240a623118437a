//! The role of each word of a simple command: the program, code, an option, or an argument.
//!
//! Words are added one by one. This module knows where options end, and which words builtins and interpreters treat
//! as code, variables or assignments. When the command is complete, `code` finds what else is run according to the
//! records. The words are already split and unquoted; quoting is unknown here.

use crate::syntax::ast::FieldName;

use super::PlaceholderProblemKind;
use hookrules_shell::Word as ShellWord;
use hookrules_shell::argv::{GivenOption, parse_argv};
use hookrules_shell::nested::{CodeSource, Runnable, is_run_variable, is_wrapper, nested, reads_statements};
use hookrules_shell::programs::{OperandEffect, OptionEffect, Program, WordSyntax, program};

/// A word of a template, as far as it is known before the command runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplateWord<'a> {
    /// The literal text up to the first value or expansion.
    pub(super) prefix: &'a str,
    /// Whether `prefix` is the whole word.
    pub(super) is_literal: bool,
    /// The name of the placeholder at the start of the word.
    pub(super) first: Option<&'a FieldName>,
    /// Whether the word contains a placeholder.
    pub(super) has_values: bool,
    /// The whole word, with values and expansions as unknown parts.
    pub(super) whole: &'a ShellWord,
    /// Whether a shell parses the word, so that assignments and reserved words count.
    pub(super) from_shell: bool,
}

impl<'a> TemplateWord<'a> {
    /// Returns the text of a word without values and expansions.
    fn literal_text(&self) -> Option<&'a str> {
        self.is_literal.then_some(self.prefix)
    }

    /// Whether the word begins with a value that may begin with `-`. Values of `path` and `project` are absolute paths.
    fn is_possible_option(&self) -> bool {
        self.first.is_some_and(|name| !is_absolute(name))
    }
}

/// Whether a value is the directory of the project.
pub(super) fn is_project(name: Option<&FieldName>) -> bool {
    name.is_some_and(|name| name.text() == "project")
}

/// Whether a value is an absolute path.
pub(super) fn is_absolute(name: &FieldName) -> bool {
    name.as_single_name().is_some_and(|name| matches!(name.text.as_str(), "path" | "project"))
}

/// The role of a word in its command, as far as it matters for the values in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WordUsage {
    /// The word is an argument, or its role does not matter.
    Plain,
    /// The word is an argument that must remain a single word.
    Single,
    /// The value in the word names the program.
    Program,
    /// The value in the word is in code that this program runs.
    Code(String),
    /// The value in the word could be an option.
    Option,
    /// The same, for a word after this option, of which it is not known that it takes a value.
    AfterOption(String),
}

impl WordUsage {
    /// Returns the problem of the values in a word of this role, if there is one.
    pub(super) fn problem(self) -> Option<PlaceholderProblemKind> {
        match self {
            Self::Plain | Self::Single => None,
            Self::Program => Some(PlaceholderProblemKind::Program),
            Self::Code(program) => Some(PlaceholderProblemKind::ProgramCode(program)),
            Self::Option => Some(PlaceholderProblemKind::Option),
            Self::AfterOption(option) => Some(PlaceholderProblemKind::AfterOption(option)),
        }
    }
}

/// The reserved words after which a command begins.
const RESERVED: [&str; 16] = [
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}", "esac", "coproc", "function",
    "in",
];

/// The commands and reserved words that take no options.
const WITHOUT_OPTIONS: [&str; 6] = ["exit", "return", "true", "for", "select", "case"];

/// How a program takes code, if its words must be examined one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Runner {
    /// Every argument is code.
    All,
    /// The first operand is code, unless `-f` or `-e` gives the program: `awk`, `sed`.
    Script,
    /// The operands after the first, which is a database, are statements.
    Statements,
    /// The first operand is a file with code, and the others are its arguments.
    File,
    /// An operand can be an assignment, whose value is expanded: `make`.
    Assignments,
    /// Each operand is the name of a variable, whose subscript is evaluated: `export NAME`. The text after `NAME=` is
    /// not evaluated.
    Names,
    /// The word after one of these one-letter options is the name of a variable: `printf -v NAME`.
    NameOf(&'static str),
}

/// Returns how a program takes code; `None` if it takes none, or if its record suffices.
fn runner(name: &str) -> Option<Runner> {
    // The builtins have no records, since they are part of the shell's language.
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
                _ if record.operands == OperandEffect::Runs && reads_statements(&[ShellWord::text(name)]) => {
                    Runner::Statements
                }
                _ => return None,
            }
        }
    })
}

/// The options of `jq` with two values: the name of a variable, and its value or file. The records have no such kind.
const OPTIONS_OF_PAIRS: [&str; 5] = ["--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile"];

/// Whether a program has the options in [`OPTIONS_OF_PAIRS`], and takes a filter as its first operand.
pub(super) fn takes_pairs(program: &str) -> bool {
    matches!(program, "jq" | "jaq" | "gojq" | "yq")
}

/// What the words of a command have of [`OPTIONS_OF_PAIRS`].
#[derive(Clone, Copy)]
struct Pairs {
    /// Whether the next word is the name or the value of a pair.
    is_in_pair: bool,
    /// Whether the words have a filter.
    has_filter: bool,
}

/// The maximum number of words in front of a word that is examined, since all of them are parsed each time.
const MAX_WORDS_BEFORE: usize = 64;

/// A simple command of a template, to which words are added one by one.
#[derive(Default)]
pub(super) struct TemplateCommand {
    /// The words so far, from the outermost program on.
    words: Vec<ShellWord>,
    /// Whether the words contain values.
    has_values: bool,
    /// Whether the words begin with a wrapper such as `sudo`, whose operands are a command.
    is_wrapped: bool,
    /// The base name of the program; empty if it is unknown, `None` before the program.
    program: Option<String>,
    /// The number of words after the program.
    arguments: usize,
    /// The number of words after the program that are not options.
    operands: usize,
    /// Whether a `--` has ended the options.
    after_dashes: bool,
    /// How the program takes code, and its name.
    runner: Option<(Runner, String)>,
    /// The name of the program if the next word is code for it.
    code_next: Option<String>,
    /// Whether the next word is the value of an option of the program.
    value_next: bool,
    /// Whether an earlier word has given the code.
    code_given: bool,
    /// Whether the value of an earlier option may be missing, so that the words after it have other roles then.
    has_optional_value: bool,
}

impl TemplateCommand {
    /// Adds the next word, and returns its role.
    pub(super) fn add_word(&mut self, word: &TemplateWord<'_>) -> WordUsage {
        let usage = self.usage(word);
        if self.has_begun() {
            self.words.push(word.whole.clone());
            self.has_values |= word.has_values;
        }
        usage
    }

    /// Returns the role of the next word, and updates the state.
    fn usage(&mut self, word: &TemplateWord<'_>) -> WordUsage {
        if self.program.is_some() {
            return self.argument(word);
        }
        if let Some(usage) = self.wrapper_word(word) {
            return usage;
        }
        let is_prefix = !self.is_wrapped && word.from_shell;
        if is_prefix && is_assignment(word.prefix) {
            return assignment_usage(word);
        }
        if is_prefix && word.literal_text().is_some_and(|text| RESERVED.contains(&text)) {
            return WordUsage::Plain;
        }
        // The author of the policy has chosen the programs in the project.
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

    /// Whether a program has been added, even if it is a wrapper.
    pub(super) fn has_begun(&self) -> bool {
        self.program.is_some() || self.is_wrapped
    }

    /// Returns the base name of the program: empty if it is unknown, `None` before the program.
    pub(super) fn program(&self) -> Option<&str> {
        self.program.as_deref()
    }

    /// Returns the number of words after the program.
    pub(super) fn argument_count(&self) -> usize {
        self.arguments
    }

    /// Whether the words contain values.
    pub(super) fn has_values(&self) -> bool {
        self.has_values
    }

    /// Returns the words, from the outermost program on.
    pub(super) fn words(&self) -> &[ShellWord] {
        &self.words
    }

    /// Returns the name of the program if it runs the files among its operands.
    pub(super) fn runs_files(&self) -> Option<&str> {
        self.program().filter(|name| matches!(*name, "." | "source") || is_interpreter(name))
    }

    /// Returns the role of a word between a wrapper and the program that the wrapper starts; `None` if the word is
    /// that program.
    fn wrapper_word(&mut self, word: &TemplateWord<'_>) -> Option<WordUsage> {
        if !self.is_wrapped || self.words.len() > MAX_WORDS_BEFORE {
            return None;
        }
        if word.prefix.starts_with('-') {
            return Some(WordUsage::Plain);
        }
        match word_role(&self.words) {
            WordRole::Program if is_assignment(word.prefix) && !is_started_program(&self.words, word.whole) => {
                Some(assignment_usage(word))
            }
            WordRole::Program => None,
            WordRole::Value => Some(if word.is_possible_option() { WordUsage::Single } else { WordUsage::Plain }),
            WordRole::Operand => Some(if word.is_possible_option() { WordUsage::Option } else { WordUsage::Plain }),
        }
    }

    /// Returns the role of a word after the program.
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
        if self.is_filter(word) {
            return WordUsage::Code(self.program().unwrap_or_default().to_owned());
        }
        if word.is_possible_option() && takes_options && !self.after_dashes {
            return self.possible_option();
        }
        self.has_optional_value |= word.first.is_some_and(|name| !is_project(Some(name))) && self.is_option_value();
        WordUsage::Plain
    }

    /// Returns the role of a word that may begin with `-`: harmless as the value of an option, which a program takes
    /// as it is.
    fn possible_option(&self) -> WordUsage {
        if !self.has_optional_value && self.is_option_value() {
            return WordUsage::Single;
        }
        let words = self.program_words();
        let last = words.last().and_then(ShellWord::known_text).unwrap_or_default();
        let is_known = |given: &GivenOption| given.option.is_some() && given.word_index + 1 == words.len();
        let is_unknown_option = last.len() > 1
            && last.starts_with('-')
            && !last.contains('=')
            && !parse_argv(words).options.iter().any(is_known);
        if is_unknown_option { WordUsage::AfterOption(last.to_owned()) } else { WordUsage::Option }
    }

    /// Returns the words of the innermost program, as far as its name is among them.
    fn program_words(&self) -> &[ShellWord] {
        let is_program = |word: &ShellWord| word.known_text().map(base_name) == self.program();
        let at = self.words.iter().rposition(is_program).unwrap_or_default();
        self.words.get(at..).unwrap_or_default()
    }

    /// Whether the next word would be the value of an option.
    fn is_option_value(&self) -> bool {
        if self.words.len() > MAX_WORDS_BEFORE {
            return false;
        }
        match self.pairs() {
            Some(pairs) if pairs.is_in_pair => true,
            _ => word_role(&self.words) == WordRole::Value,
        }
    }

    /// Whether a word is the filter of `jq`, whose text is code.
    fn is_filter(&self, word: &TemplateWord<'_>) -> bool {
        let is_candidate = word.has_values && (word.prefix.is_empty() || !word.prefix.starts_with('-'));
        is_candidate
            && self.words.len() <= MAX_WORDS_BEFORE
            && self.pairs().is_some_and(|pairs| !pairs.is_in_pair && !pairs.has_filter)
            && word_role(&self.words) != WordRole::Value
    }

    /// Returns what the words so far have of the options of `jq` with two values; `None` for other programs.
    fn pairs(&self) -> Option<Pairs> {
        if !takes_pairs(self.program()?) {
            return None;
        }
        let words = self.program_words();
        let texts: Vec<&str> = words.iter().map(|word| word.known_text().unwrap_or_default()).collect();
        let mut single: Vec<ShellWord> = Vec::new();
        let mut rest = texts.as_slice();
        let mut at = 0;
        while let [text, after @ ..] = rest {
            if OPTIONS_OF_PAIRS.contains(text) && at > 0 {
                if after.len() < 2 {
                    return Some(Pairs { is_in_pair: true, has_filter: true });
                }
                rest = after.get(2..).unwrap_or_default();
                at += 3;
                continue;
            }
            single.extend(words.get(at).cloned());
            rest = after;
            at += 1;
        }
        let argv = parse_argv(&single);
        let has_file = argv.options_named("--from-file").next().is_some();
        Some(Pairs { is_in_pair: false, has_filter: has_file || !argv.operands.is_empty() })
    }

    /// Returns the role of a word for a program that takes code; `None` if the word has nothing to do with code.
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
            // The author of the policy has chosen the programs in the project.
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
            Runner::Names => Some(if is_assignment(word.prefix) { assignment_usage(word) } else { code() }),
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

    /// Returns the role of a word for a program whose record determines which words are code. The words after the
    /// code are its arguments. When all words are known, [`Finder`] finds the values in the code, and those attached
    /// to an option.
    ///
    /// [`Finder`]: super::code::Finder
    fn usage_by_record(&self, word: &TemplateWord<'_>) -> Option<WordUsage> {
        if !word.has_values || self.words.len() > MAX_WORDS_BEFORE {
            return None;
        }
        program_running_next_word(&self.words)
            .map(WordUsage::Code)
            .or_else(|| has_code(&self.words).then_some(WordUsage::Plain))
    }

    /// Whether the word after an option would be its value.
    fn is_option_with_value(&self, option: &TemplateWord<'_>) -> bool {
        let words: Vec<ShellWord> = self.words.iter().chain([option.whole]).cloned().collect();
        self.words.len() < MAX_WORDS_BEFORE && word_role(&words) == WordRole::Value
    }

    /// Returns the role of a word for `awk` or `sed`.
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

/// The role that the next word of a command would have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WordRole {
    /// The word would be the program that the command starts.
    Program,
    /// The word would be the value of an option.
    Value,
    /// The word would be an operand, or an option.
    Operand,
}

/// Returns the role that a next word would have in a command, according to the records.
fn word_role(words: &[ShellWord]) -> WordRole {
    let (marker, words) = append_marker_word(words);
    let is_value =
        |words: &[ShellWord]| parse_argv(words).options.iter().any(|given| given.value.as_ref() == Some(&marker));
    let mut role = if is_value(&words) { WordRole::Value } else { WordRole::Operand };
    visit_inner(&words, &mut |inner| {
        role = match inner {
            NestedRun::Command([program, ..]) if *program == marker => WordRole::Program,
            NestedRun::Command(words) if is_value(words) => WordRole::Value,
            NestedRun::Command(_) => WordRole::Operand,
            NestedRun::Text(..) | NestedRun::Input(_) => role,
        };
    });
    role
}

/// Whether a word, appended to a command, would be the program that the command starts.
fn is_started_program(words: &[ShellWord], word: &ShellWord) -> bool {
    let words: Vec<ShellWord> = words.iter().chain([word]).cloned().collect();
    let mut found = false;
    visit_inner(&words, &mut |inner| found |= matches!(inner, NestedRun::Command([program, ..]) if program == word));
    found
}

/// Returns the name of the program that would run a next word as code; `None` if the word would not be code.
fn program_running_next_word(words: &[ShellWord]) -> Option<String> {
    let (marker, words) = append_marker_word(words);
    let mut found = None;
    visit_inner(&words, &mut |inner| match inner {
        NestedRun::Text(program, text) if text.literal().contains(&marker.literal()) => {
            found = Some(program.to_owned())
        }
        _ => {}
    });
    found
}

/// Whether a command already has all code that an interpreter runs, so that the next words are arguments of the code.
fn has_code(words: &[ShellWord]) -> bool {
    let mut found = false;
    visit_inner(words, &mut |inner| found |= matches!(inner, NestedRun::Text(name, _) if is_interpreter(name)));
    found
}

/// Whether a program is an interpreter of scripts.
fn is_interpreter(name: &str) -> bool {
    program(name).is_some_and(Program::is_interpreter)
}

/// Returns the name of the program that runs the standard input of a command; `None` if none does.
pub(super) fn runs_standard_input(words: &[ShellWord]) -> Option<String> {
    let mut found = takes_statements(words);
    visit_inner(words, &mut |inner| match inner {
        NestedRun::Input(program) => found = Some(program.to_owned()),
        NestedRun::Command(words) => found = takes_statements(words).or_else(|| found.take()),
        NestedRun::Text(..) => {}
    });
    found
}

/// Returns the name of a database client that reads statements from its standard input, because its words contain none.
fn takes_statements(words: &[ShellWord]) -> Option<String> {
    if !reads_statements(words) {
        return None;
    }
    let argv = parse_argv(words);
    let is_statement = |given: &GivenOption| given.option.is_some_and(|option| option.does == OptionEffect::Runs);
    let has_statements =
        argv.table().is_some_and(|table| table.operands == OperandEffect::Runs) && argv.operands.len() > 1;
    let name = argv.name.filter(|_| !has_statements && !argv.options.iter().any(is_statement));
    name.map(str::to_owned)
}

/// Returns a marker word that is different from all words of a command, and the command with the marker appended.
fn append_marker_word(words: &[ShellWord]) -> (ShellWord, Vec<ShellWord>) {
    let is_new = |marker: &ShellWord| !words.iter().any(|word| word.literal().contains(&marker.literal()));
    let mut markers = (0_usize..).map(|number| ShellWord::text(format!("x{number}x")));
    let marker = markers.find(is_new).unwrap_or_default();
    let words = words.iter().chain([&marker]).cloned().collect();
    (marker, words)
}

/// What a command runs: one step of [`visit_inner`].
enum NestedRun<'w> {
    /// A command of these words.
    Command(&'w [ShellWord]),
    /// The name of a program, and the text that it runs.
    Text(&'w str, &'w ShellWord),
    /// The name of a program, which runs its standard input.
    Input(&'w str),
}

/// Calls `each` with what a command certainly runs, and with what that command runs in turn.
fn visit_inner(words: &[ShellWord], each: &mut dyn FnMut(NestedRun<'_>)) {
    let mut next = Some(words.to_vec());
    for _ in 0..super::code::MAX_DEPTH {
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

/// Returns the last name of a path.
fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Returns the role of an assignment, whose value may be in a variable that programs run.
fn assignment_usage(word: &TemplateWord<'_>) -> WordUsage {
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
