//! Calls that run a command, or open something that may be one.

use std::rc::Rc;

use super::arguments::{Given, LibraryCall};
use super::call::any_of;
use super::effects::command;
use super::evaluate::{At, Evaluator, computed};
use super::library::{At as Place, row};
use super::returns::{replaced, stripped};
use super::value::{Held, Origin, Value};
use super::{Effect, Language};
use crate::nested::What;
use crate::word::{Cause, Part, Word};

impl Evaluator<'_> {
    /// Runs the arguments of a call from an index on: several are a program and its arguments, a single one is a
    /// script.
    ///
    /// A dictionary before them sets the environment; a list in the place of the program has its path and its
    /// `argv[0]`.
    pub(super) fn command(&mut self, at: At, from: usize, given: &Given) {
        let mut plain: Vec<Value> = given.plain.iter().skip(from).cloned().collect();
        let mut with = given.clone();
        while let Some(keys @ Value::Keys(_)) = plain.first().cloned() {
            with.named.push(("env".into(), keys));
            plain.remove(0);
        }
        if let Some(Value::Keys(place)) = plain.last()
            && let Some(Held::Keys(options)) = self.state.held(*place).cloned()
        {
            with.named.extend(options);
            plain.pop();
        }
        plain.retain(|value| !matches!(value, Value::Function(_) | Value::Nothing));
        self.redirected(at, &with);
        let is_list = matches!(plain.first(), Some(Value::List(_)));
        match plain.as_slice() {
            [] => {}
            [list @ Value::List(_)] => {
                let mut words = self.listed(list);
                while let Some(keys @ Value::Keys(_)) = words.first().cloned() {
                    with.named.push(("env".into(), keys));
                    words.remove(0);
                }
                let words = words.iter().map(|value| self.word(value, at)).collect();
                self.nested(What::Argv(words), &with, at);
            }
            [text] if !given.is_open || !matches!(text, Value::Each(_)) => self.script(at, text, &with),
            [program, rest @ ..] => {
                self.runs_what_came(program.origin());
                let program = match program {
                    list if is_list => self.listed(list).first().cloned().unwrap_or(Value::Nothing),
                    program => program.clone(),
                };
                let mut words = vec![self.word(&program, at)];
                words.extend(rest.iter().map(|value| self.argument_word(at, value)));
                self.nested(What::Argv(words), &with, at);
            }
        }
    }

    /// `out: "file"`, `err: ["file", "w"]`
    fn redirected(&mut self, at: At, given: &Given) {
        for (name, value) in &given.named {
            let verb = match &**name {
                "out" | "err" | "STDOUT" | "STDERR" | "1" | "2" => "tee",
                "in" | "STDIN" | "0" => "cat",
                _ => continue,
            };
            let file = match value {
                Value::List(_) => self.listed(value).first().cloned(),
                value => Some(value.clone()),
            };
            let Some(file @ (Value::Text(..) | Value::Path(_))) = file else { continue };
            let name = file.known().unwrap_or_default();
            // `:out`, `:close`
            if matches!(name, "out" | "err" | "in" | "close" | "child") {
                continue;
            }
            let path = self.state.anchored(&self.word(&file, at));
            self.done(Effect::Act(command(&[verb, "--"], &path)));
        }
    }

    /// Opens something that may be a command or a URL.
    pub(super) fn open_any(&mut self, call: LibraryCall<'_>, path: Place, mode: Place) {
        let LibraryCall { at, given, .. } = call;
        let Some(value) = call.argument(path) else { return };
        let word = self.word(&value, at);
        let has_commands = self.language != Language::Php;
        match word.prefix().trim_start() {
            start if has_commands && start.starts_with('|') => {
                let text = word.after(word.prefix().split_inclusive('|').next().unwrap_or_default());
                let text = Value::Text(text.unwrap_or_default(), value.origin());
                self.script(at, &text, given);
            }
            start if is_url(start) => self.fetch(word),
            start if !has_commands && start.starts_with("expect://") => {
                let text = Value::Text(word.after("expect://").unwrap_or_default(), value.origin());
                self.script(at, &text, given);
            }
            start => {
                let is_found = |part: &Part| match part {
                    Part::Glob(_) => true,
                    Part::Unknown(part) => part.why.cause == Cause::Glob,
                    Part::Text(_) => true,
                };
                if has_commands && start.is_empty() && !word.parts.first().is_some_and(is_found) {
                    let source = self.source(at);
                    self.unseen(computed(&source), None);
                }
                self.open(call, path, mode);
            }
        }
    }

    /// Calls a function whose name is passed as text: `send(:system, "ls")`, `method(:system)`.
    pub(super) fn reflected_by_name(&mut self, at: At, name: &str, given: &Given) -> Option<Value> {
        let (object, method) = name.rsplit_once('.').unwrap_or(("", name));
        if let ("" | "this", "include" | "extend", [Value::Library(module)]) = (object, method, given.plain.as_slice())
        {
            Rc::make_mut(&mut self.state.stars).push(Rc::clone(module));
            return Some(Value::Nothing);
        }
        let is_call = matches!(method, "send" | "__send__" | "public_send");
        let is_value = matches!(method, "method" | "public_method" | "instance_method" | "const_get");
        if !is_call && !is_value || self.language != Language::Ruby {
            return None;
        }
        let [first, rest @ ..] = given.plain.as_slice() else { return None };
        let Some(meant) = first.known().map(str::to_owned) else {
            return Some(if is_call { self.unknown_call(at) } else { Value::Dynamic });
        };
        let callee = match object {
            "" => self.named(&meant),
            object => self.library(&format!("{object}.{meant}")),
        };
        if is_value {
            return Some(callee);
        }
        Some(self.call(at, &callee, &Given { plain: rest.to_vec(), ..given.clone() }))
    }

    /// Calls a method that every Ruby value has.
    pub(super) fn called_of(&mut self, at: At, name: &str, this: &Value, given: &Given) -> Option<Value> {
        let (_, method) = name.rsplit_once('.')?;
        match (method, given.plain.first()) {
            ("send" | "__send__" | "public_send", _) => Some(self.sent(at, this, given)),
            ("instance_eval" | "class_eval" | "module_eval" | "instance_exec" | "eval", Some(text)) => {
                self.code(at, &text.clone());
                Some(self.evaluated.take().unwrap_or(Value::Dynamic))
            }
            ("method" | "public_method", Some(name)) => {
                Some(name.known().map(str::to_owned).map_or(Value::Dynamic, |name| self.member(this, &name)))
            }
            ("tap" | "then" | "yield_self", None) => {
                let block = given.named(super::ruby::BLOCK).cloned()?;
                let given = Given { is_open: true, ..Given::of(vec![this.clone()]) };
                let value = self.call(at, &block, &given);
                Some(if method == "tap" { this.clone() } else { value })
            }
            _ => None,
        }
    }

    /// Calls functions that are methods in other languages.
    pub(super) fn called_as_method(&mut self, at: At, name: &str, given: &Given) -> Option<Value> {
        match self.language {
            Language::Php => self.php_function(at, name, given),
            Language::Perl => self.perl_function(at, name, given),
            Language::Python | Language::JavaScript | Language::Ruby => None,
        }
    }

    fn perl_function(&mut self, at: At, name: &str, given: &Given) -> Option<Value> {
        let rest = |from: usize| Given::of(given.plain.iter().skip(from).cloned().collect());
        match (name, given.plain.as_slice()) {
            ("join", [by, ..]) => {
                let list = self.new_list(rest(1).plain);
                Some(self.joined_by(at, Some(by.clone()), Some(list)))
            }
            ("split", [by, text, ..]) => Some(self.split(Some(text), Some(by))),
            ("pack", [format, values @ ..]) => Some(self.packed_values(format, values)),
            ("reverse" | "uniq" | "shuffle", plain) if plain.len() > 1 || plain.iter().any(Value::is_several) => {
                Some(self.new_list(plain.to_vec()))
            }
            _ => None,
        }
    }

    /// `pack(format, values)`
    fn packed_values(&mut self, format: &Value, values: &[Value]) -> Value {
        let list = self.new_list(values.to_vec());
        self.packed(Some(list), Some(format.clone()))
    }

    fn php_function(&mut self, at: At, name: &str, given: &Given) -> Option<Value> {
        let rest = |from: usize| Given::of(given.plain.iter().skip(from).cloned().collect());
        match (name, given.plain.as_slice()) {
            ("explode", [by, text, ..]) => Some(self.split(Some(text), Some(by))),
            ("str_replace", [from, to, text, ..]) => Some(replaced(Some(text), Some(from), Some(to))),
            ("implode" | "join", [list]) => Some(self.joined_by(at, Some(Value::text("")), Some(list.clone()))),
            ("trim" | "rtrim" | "ltrim", [text, rest @ ..]) => Some(stripped(Some(text), rest.first())),
            ("pack", [format, values @ ..]) => Some(self.packed_values(format, values)),
            ("array_push" | "array_unshift", [list, ..]) => {
                for value in rest(1).plain {
                    self.pushed(Some(list), &Given::of(vec![value]));
                }
                Some(Value::COMPUTED)
            }
            (
                "call_user_func" | "forward_static_call" | "register_shutdown_function" | "func_overload",
                [function, ..],
            ) => Some(self.call(at, &function.clone(), &rest(1))),
            ("call_user_func_array" | "forward_static_call_array", [function, list, ..]) => {
                let plain = self.listed(list);
                Some(self.call(at, &function.clone(), &Given { is_open: true, ..Given::of(plain) }))
            }
            // A function that takes the name of another may call it.
            (name, plain) if takes_functions(name) => {
                let is_named = |value: &&Value| {
                    value
                        .known()
                        .and_then(|name| row(self.language, &name.to_ascii_lowercase()))
                        .is_some_and(|row| !row.does.is_empty())
                };
                let named: Vec<Value> = plain.iter().filter(is_named).cloned().collect();
                let all: Vec<Value> = plain.iter().filter(|value| value.is_several()).cloned().collect();
                for function in named {
                    let argument = match all.first() {
                        Some(list) => any_of(self.listed(list)),
                        None => Value::COMPUTED,
                    };
                    self.call(at, &function, &Given { is_open: true, ..Given::of(vec![argument]) });
                }
                None
            }
            _ => None,
        }
    }

    /// Calls a method by its name: one that the value lacks may be one that all values have.
    pub(super) fn sent(&mut self, at: At, this: &Value, given: &Given) -> Value {
        let [first, rest @ ..] = given.plain.as_slice() else { return Value::Nothing };
        let Some(meant) = first.known().map(str::to_owned) else { return self.unknown_call(at) };
        let callee = match row(self.language, &meant) {
            Some(_) => Value::Library(Rc::from(meant.as_str())),
            None => self.member(this, &meant),
        };
        self.call(at, &callee, &Given { plain: rest.to_vec(), ..given.clone() })
    }
}

/// Whether a PHP function takes other functions by name, besides those in the rows.
fn takes_functions(name: &str) -> bool {
    let beginnings = [
        "array_u",
        "array_diff_u",
        "array_intersect_u",
        "preg_replace_callback",
        "ob_start",
        "set_",
        "spl_autoload",
        "header_register",
        "register_tick",
        "iterator_",
        "session_set",
        "pcntl_signal",
    ];
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// Whether a text begins like the URL of a remote host.
pub(super) fn is_url(text: &str) -> bool {
    ["http://", "https://", "ftp://", "ftps://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// Returns the file that a PHP stream wrapper names: `php://filter/resource=x`, `file:///x`; `None` if it names none.
pub(super) fn unwrapped(word: Word) -> Option<Word> {
    let Some((scheme, rest)) = word.prefix().split_once("://") else {
        let is_data = word.prefix().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"));
        return (!is_data).then_some(word);
    };
    let start = format!("{scheme}://");
    match scheme.to_ascii_lowercase().as_str() {
        "php" if rest.starts_with("filter") => {
            let text = word.known()?;
            text.split_once("resource=").map(|(_, path)| Word::text(path))
        }
        "php" | "data" => None,
        "file" | "glob" | "phar" | "zip" | "compress.zlib" | "compress.bzip2" => word.after(&start),
        _ => Some(word),
    }
}

/// The origin of what is read from here.
pub(super) fn origin_of(word: &Word) -> Origin {
    match is_url(word.prefix()) {
        true => Origin::Network,
        false => Origin::File,
    }
}
