//! The role of each word of a simple command: a program, code, an option, a plain argument.
//!
//! Word by word: where options end, and what builtins and interpreters take for code, variables or assignments. What
//! programs run beside that, `code` finds by their records once the command is whole. It gets words that are already
//! split and unquoted, and knows nothing about quoting.

use crate::syntax::ast::FieldName;

use super::ProblemKind;
use hookrules_shell::{is_run_variable, is_shell};

/// A word as far as it is known before the command runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    /// The literal text up to the first value or expansion.
    pub(super) prefix: &'a str,
    /// The prefix is all of it.
    pub(super) is_literal: bool,
    /// The placeholder that it begins with.
    pub(super) first: Option<&'a FieldName>,
    /// It holds a placeholder.
    pub(super) has_values: bool,
    /// It is read by a shell, so that assignments and reserved words count.
    pub(super) from_shell: bool,
}

impl<'a> Word<'a> {
    fn literal(&self) -> Option<&'a str> {
        self.is_literal.then_some(self.prefix)
    }

    /// The value can begin with `-`: one of `path` and `project` is absolute.
    fn may_be_option(&self) -> bool {
        self.first.is_some_and(|name| !is_absolute(name))
    }
}

/// Tells whether a value is the project's directory.
pub(super) fn is_project(name: Option<&FieldName>) -> bool {
    name.is_some_and(|name| name.text() == "project")
}

/// Tells whether a value is an absolute path.
pub(super) fn is_absolute(name: &FieldName) -> bool {
    name.single().is_some_and(|name| matches!(name.text.as_str(), "path" | "project"))
}

/// What a word is to its command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Usage {
    /// An argument, or nothing that matters.
    Plain,
    /// An argument that has to stay one word.
    Single,
    /// The value names the program.
    Program,
    /// The value is in the code that this program takes.
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

/// A program that starts the program its operands name.
struct Wrapper {
    name: &'static str,
    /// Options that take the next word.
    valued: &'static str,
    /// Operands before the program.
    operands: usize,
}

const WRAPPERS: [Wrapper; 16] = [
    Wrapper { name: "sudo", valued: "ugpCrtTUDRh", operands: 0 },
    Wrapper { name: "doas", valued: "uC", operands: 0 },
    Wrapper { name: "env", valued: "uCS", operands: 0 },
    Wrapper { name: "nohup", valued: "", operands: 0 },
    Wrapper { name: "setsid", valued: "", operands: 0 },
    Wrapper { name: "nice", valued: "n", operands: 0 },
    Wrapper { name: "ionice", valued: "cnp", operands: 0 },
    Wrapper { name: "stdbuf", valued: "ioe", operands: 0 },
    Wrapper { name: "timeout", valued: "sk", operands: 1 },
    Wrapper { name: "gtimeout", valued: "sk", operands: 1 },
    Wrapper { name: "time", valued: "fo", operands: 0 },
    Wrapper { name: "xargs", valued: "IndPaELs", operands: 0 },
    Wrapper { name: "exec", valued: "a", operands: 0 },
    Wrapper { name: "command", valued: "", operands: 0 },
    Wrapper { name: "builtin", valued: "", operands: 0 },
    Wrapper { name: "busybox", valued: "", operands: 0 },
];

/// Words behind which a command still begins.
const RESERVED: [&str; 16] = [
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}", "esac", "coproc", "function",
    "in",
];

/// Programs that read no harm out of a value that begins with `-`.
const WITHOUT_OPTIONS: [&str; 11] =
    ["echo", "test", "[", ":", "true", "false", "exit", "return", "for", "select", "case"];

/// How a program takes code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Runner {
    /// Every argument is code.
    All,
    /// A shell: `-c`, alone or in a cluster; what follows the code is data.
    Shell,
    /// An interpreter: these letters, alone, in a cluster or with the code attached, or these long options.
    Flags(&'static str, &'static [&'static str]),
    /// The first operand, unless `-f` or `-e` gives the program. The letters take the next word.
    Script(&'static str),
    /// Everything behind the host, or the database.
    Remote,
    /// The file that is named first; what follows is data.
    File,
    /// make: an operand can be an assignment, and what is assigned is expanded.
    Assignments,
    /// Each name of a variable: the shell evaluates its subscript. Behind `NAME=` stands data.
    Names,
    /// The word behind one of these options is the name of a variable.
    NameOf(&'static str),
}

fn runner(program: &str) -> Option<Runner> {
    // What is only dots is a program too.
    if program == "." {
        return Some(Runner::File);
    }
    let versionless = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(match versionless {
        "eval" | "trap" | "alias" | "let" | "declare" | "typeset" | "[[" | "watch" | "parallel" | "read" | "unset"
        | "mapfile" | "readarray" | "getopts" | "enable" | "bind" | "complete" | "compgen" => Runner::All,
        "export" | "readonly" | "local" => Runner::Names,
        "printf" => Runner::NameOf("v"),
        "test" | "[" => Runner::NameOf("vR"),
        "source" => Runner::File,
        "make" | "gmake" => Runner::Assignments,
        "psql" => Runner::Flags("c", &["--command"]),
        "mysql" | "mariadb" => Runner::Flags("e", &["--execute", "--init-command"]),
        "sqlite" => Runner::Remote,
        "fish" | "csh" | "tcsh" | "su" | "script" | "flock" => Runner::Shell,
        name if is_shell(name) => Runner::Shell,
        "python" | "pypy" => Runner::Flags("c", &[]),
        "perl" | "ruby" | "lua" | "luajit" | "Rscript" | "groovy" | "osascript" => Runner::Flags("eE", &[]),
        "julia" | "elixir" => Runner::Flags("eE", &["--eval", "--print"]),
        "node" | "nodejs" | "bun" => Runner::Flags("ep", &["--eval", "--print"]),
        "deno" => Runner::Flags("", &["eval"]),
        "php" => Runner::Flags("rBRE", &["--run", "--process-begin", "--process-code", "--process-end"]),
        "pwsh" | "powershell" => Runner::Flags("cC", &["-Command", "-command", "-EncodedCommand"]),
        "vi" | "vim" | "nvim" | "ex" => Runner::Flags("cS", &["--cmd"]),
        "emacs" => Runner::Flags("", &["--eval", "--execute", "-eval"]),
        "awk" | "gawk" | "mawk" | "nawk" => Runner::Script("Fvil"),
        "sed" | "gsed" => Runner::Script("l"),
        "ssh" | "autossh" | "mosh" | "rsh" => Runner::Remote,
        _ => return None,
    })
}

/// make's options that take the next word.
const MAKE_VALUED: &str = "CfIojlW";

/// ssh's options that take the next word.
const REMOTE_VALUED: &str = "BbcDEeFIiJLlmOoPpQRSWw";

/// One simple command while its words come.
#[derive(Default)]
pub(super) struct Simple {
    wrapper: Option<&'static Wrapper>,
    /// The next word belongs to an option of the wrapper.
    wrapper_value: bool,
    wrapper_operands: usize,
    program: Option<String>,
    /// Words behind the program.
    arguments: usize,
    /// Words behind the program that are no option.
    operands: usize,
    after_dashes: bool,
    runner: Option<(Runner, String)>,
    /// The next word is code.
    code_next: bool,
    /// The next word belongs to an option of a runner.
    value_next: bool,
    code_given: bool,
}

impl Simple {
    /// Takes the next word.
    pub(super) fn word(&mut self, word: &Word<'_>) -> Usage {
        if self.program.is_some() {
            return self.argument(word);
        }
        if let Some(usage) = self.wrapper_word(word) {
            return usage;
        }
        let is_prefix = self.wrapper.is_none() && word.from_shell;
        if is_prefix && is_assignment(word.prefix) {
            return assigned(word);
        }
        if is_prefix && word.literal().is_some_and(|text| RESERVED.contains(&text)) {
            return Usage::Plain;
        }
        // Below the project is what the policy's author put there.
        let is_chosen = word.prefix.is_empty() && word.has_values;
        if is_chosen && !is_project(word.first) {
            self.program = Some(String::new());
            return Usage::Program;
        }
        let name = word.literal().map(base_name).unwrap_or_default();
        if let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.name == name) {
            self.wrapper = Some(wrapper);
            self.wrapper_operands = wrapper.operands;
            return Usage::Plain;
        }
        self.runner = runner(name).map(|runner| (runner, name.to_owned()));
        self.program = Some(name.to_owned());
        Usage::Plain
    }

    /// Tells whether a program has come, be it one that starts another.
    pub(super) fn has_begun(&self) -> bool {
        self.program.is_some() || self.wrapper.is_some()
    }

    /// Returns the program's base name: empty where it is not known, `None` before it came.
    pub(super) fn program(&self) -> Option<&str> {
        self.program.as_deref()
    }

    /// Returns how many words came behind the program.
    pub(super) fn arguments(&self) -> usize {
        self.arguments
    }

    /// Returns the program's name if it runs what it reads on standard input.
    pub(super) fn runs_standard_input(&self) -> Option<&str> {
        let (runner, name) = self.runner.as_ref()?;
        let reads = match runner {
            Runner::Shell | Runner::Flags(..) => !self.code_given && self.operands == 0,
            Runner::Remote => self.operands <= 1,
            _ => false,
        };
        reads.then_some(name)
    }

    /// Returns the program's name if it runs the files it is given.
    pub(super) fn runs_files(&self) -> Option<&str> {
        match &self.runner {
            Some((Runner::Shell | Runner::Flags(..), name)) => Some(name),
            _ => self.program().filter(|program| matches!(*program, "." | "source")),
        }
    }

    /// A word between a wrapper and the program it starts.
    fn wrapper_word(&mut self, word: &Word<'_>) -> Option<Usage> {
        let wrapper = self.wrapper?;
        if std::mem::take(&mut self.wrapper_value) {
            return Some(Usage::Plain);
        }
        if word.prefix.starts_with('-') {
            let mut letters = word.prefix.chars().skip(1);
            if let (Some(letter), None, true) = (letters.next(), letters.next(), word.is_literal) {
                self.wrapper_value = wrapper.valued.contains(letter);
            }
            return Some(Usage::Plain);
        }
        if wrapper.name == "env" && is_assignment(word.prefix) {
            return Some(assigned(word));
        }
        if self.wrapper_operands > 0 {
            self.wrapper_operands -= 1;
            return Some(if word.may_be_option() { Usage::Option } else { Usage::Plain });
        }
        None
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
        // `find -exec sh -c`, `docker exec x python -c`, `xargs bash -c`.
        if self.runner.is_none() {
            let name = word.literal().map(base_name).unwrap_or_default();
            let starts = runner(name).filter(|runner| matches!(runner, Runner::Shell | Runner::Flags(..)));
            self.runner = starts.map(|runner| (runner, name.to_owned()));
        }
        if self.program() == Some("case") {
            return Usage::Single;
        }
        let takes_options = match self.program() {
            Some("printf") => self.arguments <= 1,
            Some(program) => !WITHOUT_OPTIONS.contains(&program),
            None => true,
        };
        if word.may_be_option() && takes_options && !self.after_dashes { Usage::Option } else { Usage::Plain }
    }

    /// What a word is to a program that takes code, where that decides.
    fn code_argument(&mut self, word: &Word<'_>) -> Option<Usage> {
        let (runner, name) = self.runner.clone()?;
        let code = || if word.has_values { Usage::Code(name.clone()) } else { Usage::Plain };
        if std::mem::take(&mut self.code_next) {
            self.code_given = true;
            return Some(code());
        }
        if std::mem::take(&mut self.value_next) {
            // ssh runs the values of some options.
            return Some(if runner == Runner::Remote { code() } else { Usage::Plain });
        }
        let is_option = word.prefix.starts_with('-') && word.prefix.len() > 1 && !self.after_dashes;
        match runner {
            Runner::All => Some(code()),
            // Behind its code a shell reads no options, and what it gets is `$0`, `$1`, ….
            Runner::Shell if self.code_given => Some(Usage::Plain),
            Runner::Shell => {
                if is_option && !word.prefix.starts_with("--") && word.prefix.contains('c') {
                    return Some(self.flag_then_code(word, code()));
                }
                None
            }
            Runner::Flags(letters, long) => {
                let flag = word.prefix.split('=').next().unwrap_or_default();
                let is_long = long.contains(&flag);
                let is_cluster =
                    is_option && !word.prefix.starts_with("--") && word.prefix.contains(|c| letters.contains(c));
                if is_long || is_cluster {
                    return Some(self.flag_then_code(word, code()));
                }
                (self.code_given && word.has_values).then_some(Usage::Plain)
            }
            // Below the project is what the policy's author put there.
            Runner::File if self.operands == 0 && word.prefix.is_empty() && is_project(word.first) => None,
            Runner::File => (self.operands == 0 && word.has_values).then(|| {
                self.operands += 1;
                code()
            }),
            Runner::Assignments if is_option => {
                let evaluates = word.prefix.starts_with("-E") || word.prefix.starts_with("--eval");
                self.code_next = evaluates && word.is_literal && !word.prefix.contains('=');
                self.value_next = word.is_literal && is_valued(word.prefix, MAKE_VALUED);
                Some(if evaluates { code() } else { Usage::Plain })
            }
            Runner::Assignments => Some(code()),
            Runner::Names => Some(if is_assignment(word.prefix) { assigned(word) } else { code() }),
            Runner::NameOf(letters) => {
                let mut flag = word.prefix.chars();
                let names = flag.next() == Some('-') && flag.next().is_some_and(|letter| letters.contains(letter));
                (names && !self.after_dashes).then(|| {
                    self.code_next = word.is_literal && flag.next().is_none();
                    code()
                })
            }
            Runner::Script(valued) => self.script_argument(word, is_option, valued, code()),
            Runner::Remote => {
                if is_option && word.prefix != "--" {
                    self.value_next = word.is_literal && is_valued(word.prefix, REMOTE_VALUED);
                    return Some(code());
                }
                (self.operands >= 1 && word.prefix != "--").then(|| {
                    self.operands += 1;
                    code()
                })
            }
        }
    }

    /// A flag whose code is attached to it, or else the next word.
    fn flag_then_code(&mut self, word: &Word<'_>, code: Usage) -> Usage {
        self.code_next = word.is_literal && !word.prefix.contains('=');
        self.code_given = true;
        code
    }

    /// awk and sed.
    fn script_argument(&mut self, word: &Word<'_>, is_option: bool, valued: &str, code: Usage) -> Option<Usage> {
        if is_option {
            let has = |short: &str, long: &str| {
                (word.prefix.starts_with(short) && !word.prefix.starts_with("--")) || word.prefix.starts_with(long)
            };
            if has("-e", "--expression") || has("-e", "--source") {
                let attached = !matches!(word.prefix, "-e" | "--expression" | "--source") || !word.is_literal;
                self.code_next = !attached;
                self.code_given = true;
                return Some(code);
            }
            if has("-f", "--file") {
                self.code_given = true;
                self.value_next = word.is_literal && matches!(word.prefix, "-f" | "--file");
                return Some(Usage::Plain);
            }
            self.value_next = word.is_literal && is_valued(word.prefix, valued);
            return Some(Usage::Plain);
        }
        if self.code_given || word.literal() == Some("--") {
            return None;
        }
        self.code_given = true;
        Some(code)
    }
}

/// Tells whether an option is one letter of these, so that its value is the next word.
fn is_valued(option: &str, letters: &str) -> bool {
    let mut chars = option.chars().skip(1);
    matches!((chars.next(), chars.next()), (Some(letter), None) if letters.contains(letter))
}

fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Returns what the value of an assignment is: programs run what some variables hold.
fn assigned(word: &Word<'_>) -> Usage {
    let name = word.prefix.split_once('=').map_or("", |(name, _)| name.trim_end_matches('+'));
    if word.has_values && is_run_variable(name) { Usage::Code(name.to_owned()) } else { Usage::Plain }
}

/// Tells whether a word begins as `NAME=`.
fn is_assignment(prefix: &str) -> bool {
    prefix.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
