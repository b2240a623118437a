//! Calls that run a command or open something that may be one, and calls of functions by their names.

use std::rc::Rc;

use super::arguments::{CallArguments, LibraryCall};
use super::call::either_of;
use super::effects::command;
use super::evaluate::{Evaluator, NodeRef, computed_reason};
use super::library::returned::{TextEnds, TextReplacement, TextSplit};
use super::library::{ArgumentRef, find_row};
use super::returns::{replace_text, strip_text, unknown_parts};
use super::value::{CodeValue, DataOrigin, HeapCell};
use super::{CodeEffect, CodeLanguage};
use crate::nested::Runnable;
use crate::word::{Cause, Word, WordPart};

impl Evaluator<'_> {
    /// Runs the arguments of a call from an index on: several are a program and its arguments, a single one is a
    /// script or the list of a program and its arguments.
    ///
    /// A dictionary before them sets the environment, and one after them has options. If the first of several
    /// arguments is a list, it consists of the program's path and its `argv[0]`.
    pub(super) fn command(&mut self, at: NodeRef, from: usize, given: &CallArguments) {
        let mut plain: Vec<CodeValue> = given.positional.iter().skip(from).cloned().collect();
        let mut with = given.clone();
        while let Some(keys @ CodeValue::Dictionary(_)) = plain.first().cloned() {
            with.named.push(("env".into(), keys));
            plain.remove(0);
        }
        // `spawn("ls", { chdir: "x" })`
        if let Some(CodeValue::Dictionary(place)) = plain.last()
            && let Some(HeapCell::Dictionary(options)) = self.state.cell(*place).cloned()
        {
            with.named.extend(options);
            plain.pop();
        }
        // A block, and arguments without a value, are not words of the command.
        plain.retain(|value| !matches!(value, CodeValue::Function(_) | CodeValue::Nothing));
        self.redirect_streams(at, &with);
        let is_list = matches!(plain.first(), Some(CodeValue::List(_)));
        match plain.as_slice() {
            [] => {}
            [list @ CodeValue::List(_)] => {
                let mut words = self.list_values(list);
                while let Some(keys @ CodeValue::Dictionary(_)) = words.first().cloned() {
                    with.named.push(("env".into(), keys));
                    words.remove(0);
                }
                let words = words.iter().map(|value| self.word(value, at)).collect();
                self.nested(Runnable::Argv(words), &with, at);
            }
            [text] if !given.is_open || !matches!(text, CodeValue::Several(_)) => self.script(at, text, &with),
            [program, rest @ ..] => {
                self.record_run_origin(program.origin());
                let program = match program {
                    list if is_list => self.list_values(list).first().cloned().unwrap_or(CodeValue::Nothing),
                    program => program.clone(),
                };
                let mut words = vec![self.word(&program, at)];
                words.extend(rest.iter().map(|value| self.argument_word(at, value)));
                self.nested(Runnable::Argv(words), &with, at);
            }
        }
    }

    /// Records the files that named arguments redirect a stream to or from: `out: "file"`, `err: ["file", "w"]`.
    fn redirect_streams(&mut self, at: NodeRef, given: &CallArguments) {
        for (name, value) in &given.named {
            let verb = match &**name {
                "out" | "err" | "STDOUT" | "STDERR" | "1" | "2" => "tee",
                "in" | "STDIN" | "0" => "cat",
                _ => continue,
            };
            let file = match value {
                CodeValue::List(_) => self.list_values(value).first().cloned(),
                value => Some(value.clone()),
            };
            let Some(file @ (CodeValue::Text(..) | CodeValue::Path(_))) = file else { continue };
            let name = file.known_text().unwrap_or_default();
            // Names of streams and of actions are not files: `err: :out`, `in: :close`.
            if matches!(name, "out" | "err" | "in" | "close" | "child") {
                continue;
            }
            let path = self.state.path_from_start(&self.word(&file, at));
            self.add_effect(CodeEffect::LikeCommand(command(&[verb, "--"], &path)));
        }
    }

    /// Opens what an argument names: a command, a URL or a file. A command follows a `|`; in PHP, it follows
    /// `expect://`.
    pub(super) fn open_any(&mut self, call: LibraryCall<'_>, path: ArgumentRef, mode: ArgumentRef) {
        let LibraryCall { at, given, .. } = call;
        let Some(value) = call.argument(path) else { return };
        let word = self.word(&value, at);
        let has_commands = self.language != CodeLanguage::Php;
        match word.prefix().trim_start() {
            start if has_commands && start.starts_with('|') => {
                let text = word.strip_prefix(word.prefix().split_inclusive('|').next().unwrap_or_default());
                let text = CodeValue::Text(text.unwrap_or_default(), value.origin());
                self.script(at, &text, given);
            }
            start if is_url(start) => self.fetch(word),
            start if !has_commands && start.starts_with("expect://") => {
                let text = CodeValue::Text(word.strip_prefix("expect://").unwrap_or_default(), value.origin());
                self.script(at, &text, given);
            }
            start => {
                // The name of an existing file does not begin with a `|`.
                let is_found = |part: &WordPart| match part {
                    WordPart::Glob(_) => true,
                    WordPart::Unknown(part) => part.reason.cause == Cause::Glob,
                    WordPart::Text(_) => true,
                };
                // Any other unknown beginning may be a `|` and a command.
                if has_commands && start.is_empty() && !word.parts.first().is_some_and(is_found) {
                    let source = self.source(at);
                    self.add_unanalysed(computed_reason(&source), None);
                }
                self.open_file(call, path, mode);
            }
        }
    }

    /// Calls the Ruby function that a text names, as in `send(:system, "ls")`, or returns it, as in
    /// `method(:system)`. Also includes a module: `include FileUtils`. Returns `None` for any other call.
    pub(super) fn call_by_name(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        let (object, method) = name.rsplit_once('.').unwrap_or(("", name));
        if let ("" | "this", "include" | "extend", [CodeValue::Library(module)]) =
            (object, method, given.positional.as_slice())
        {
            Rc::make_mut(&mut self.state.imported_modules).push(Rc::clone(module));
            return Some(CodeValue::Nothing);
        }
        let is_call = matches!(method, "send" | "__send__" | "public_send");
        // These return the function or the constant, and do not call it.
        let is_value = matches!(method, "method" | "public_method" | "instance_method" | "const_get");
        if !is_call && !is_value || self.language != CodeLanguage::Ruby {
            return None;
        }
        let [first, rest @ ..] = given.positional.as_slice() else { return None };
        let Some(meant) = first.known_text().map(str::to_owned) else {
            return Some(if is_call { self.unknown_call(at) } else { CodeValue::Dynamic });
        };
        let callee = match object {
            "" => self.value_named(&meant),
            object => self.library(&format!("{object}.{meant}")),
        };
        if is_value {
            return Some(callee);
        }
        Some(self.call(at, &callee, &CallArguments { positional: rest.to_vec(), ..given.clone() }))
    }

    /// Calls a method that every Ruby value has, such as `send`, `instance_eval` or `tap`; `None` for any other
    /// method.
    pub(super) fn call_object_method(
        &mut self,
        at: NodeRef,
        name: &str,
        this: &CodeValue,
        given: &CallArguments,
    ) -> Option<CodeValue> {
        let (_, method) = name.rsplit_once('.')?;
        match (method, given.positional.first()) {
            ("send" | "__send__" | "public_send", _) => Some(self.send_method(at, this, given)),
            ("instance_eval" | "class_eval" | "module_eval" | "instance_exec" | "eval", Some(text)) => {
                self.code(at, &text.clone());
                Some(self.evaluated.take().unwrap_or(CodeValue::Dynamic))
            }
            ("method" | "public_method", Some(name)) => {
                Some(name.known_text().map(str::to_owned).map_or(CodeValue::Dynamic, |name| self.member(this, &name)))
            }
            ("tap" | "then" | "yield_self", None) => {
                let block = given.named_value(super::ruby::BLOCK).cloned()?;
                let given = CallArguments { is_open: true, ..CallArguments::from_values(vec![this.clone()]) };
                let value = self.call(at, &block, &given);
                Some(if method == "tap" { this.clone() } else { value })
            }
            _ => None,
        }
    }

    /// Calls a function of PHP or Perl that is a method in other languages, such as `join`; `None` for any other
    /// function.
    pub(super) fn call_function_as_method(
        &mut self,
        at: NodeRef,
        name: &str,
        given: &CallArguments,
    ) -> Option<CodeValue> {
        match self.language {
            CodeLanguage::Php => self.php_function(at, name, given),
            CodeLanguage::Perl => self.perl_function(at, name, given),
            CodeLanguage::Python | CodeLanguage::JavaScript | CodeLanguage::Ruby => None,
        }
    }

    /// Calls a function of Perl whose arguments are the text and the list that other languages have as a receiver;
    /// `None` for any other function.
    fn perl_function(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        let rest = |from: usize| CallArguments::from_values(given.positional.iter().skip(from).cloned().collect());
        match (name, given.positional.as_slice()) {
            ("join", [by, ..]) => {
                let list = self.new_list(rest(1).positional);
                Some(self.join_text(at, Some(by.clone()), Some(list)))
            }
            ("split", [by, text, rest @ ..]) => {
                // The separator is a regex, and a blank means any number of them in `' '` but not in `/ /`.
                let is_plain = |by: &str| {
                    by.chars().all(|c| !c.is_ascii_punctuation() || matches!(c, ',' | ':' | ';' | '/' | '-' | '_'))
                };
                let is_certain = rest.is_empty() && by.known_text().is_some_and(|by| is_plain(by) && by != " ");
                Some(match is_certain {
                    true => self.split(Some(text), std::slice::from_ref(by), TextSplit::AtBlanksOrSpace),
                    false => unknown_parts(Some(text)),
                })
            }
            ("pack", [format, values @ ..]) => Some(self.packed_values(format, values)),
            ("reverse" | "uniq" | "shuffle", plain)
                if plain.len() > 1 || plain.iter().any(CodeValue::is_collection) =>
            {
                Some(self.new_list(plain.to_vec()))
            }
            _ => None,
        }
    }

    /// Evaluates `pack(format, values)`.
    fn packed_values(&mut self, format: &CodeValue, values: &[CodeValue]) -> CodeValue {
        let list = self.new_list(values.to_vec());
        self.pack(Some(list), Some(format.clone()))
    }

    /// Calls a function of PHP that is a method in other languages, or that calls the function in its argument;
    /// `None` for any other function.
    ///
    /// The functions that a text names among other arguments are called as well: `array_udiff($a, $b, "f")`.
    fn php_function(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        let rest = |from: usize| CallArguments::from_values(given.positional.iter().skip(from).cloned().collect());
        match (name, given.positional.as_slice()) {
            ("pack", [format, values @ ..]) => Some(self.packed_values(format, values)),
            ("array_push" | "array_unshift", [list, ..]) => {
                for value in rest(1).positional {
                    self.update_collection(Some(list), &CallArguments::from_values(vec![value]));
                }
                Some(CodeValue::COMPUTED)
            }
            (
                "call_user_func" | "forward_static_call" | "register_shutdown_function" | "func_overload",
                [function, ..],
            ) => Some(self.call(at, &function.clone(), &rest(1))),
            ("call_user_func_array" | "forward_static_call_array", [function, list, ..]) => {
                let plain = self.list_values(list);
                Some(self.call(
                    at,
                    &function.clone(),
                    &CallArguments { is_open: true, ..CallArguments::from_values(plain) },
                ))
            }
            // Among the arguments of this function may be the name of another one, which it calls.
            (name, plain) if has_function_parameter(name) => {
                let is_named = |value: &&CodeValue| {
                    value
                        .known_text()
                        .and_then(|name| find_row(self.language, &name.to_ascii_lowercase()))
                        .is_some_and(|row| !row.effects.is_empty())
                };
                let named: Vec<CodeValue> = plain.iter().filter(is_named).cloned().collect();
                let all: Vec<CodeValue> = plain.iter().filter(|value| value.is_collection()).cloned().collect();
                for function in named {
                    let argument = match all.first() {
                        Some(list) => either_of(self.list_values(list)),
                        None => CodeValue::COMPUTED,
                    };
                    self.call(
                        at,
                        &function,
                        &CallArguments { is_open: true, ..CallArguments::from_values(vec![argument]) },
                    );
                }
                None
            }
            _ => self.php_text_function(at, name, given),
        }
    }

    /// Calls a function of PHP about texts that is a method in other languages; `None` for any other function.
    fn php_text_function(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        match (name, given.positional.as_slice()) {
            ("explode", [by, text, rest @ ..]) => Some(match rest {
                [] => self.split(Some(text), std::slice::from_ref(by), TextSplit::AtSeparator),
                _ => unknown_parts(Some(text)),
            }),
            ("str_replace", [from, to, text, ..]) => {
                Some(replace_text(Some(text), Some(from), Some(to), TextReplacement::AllByText))
            }
            ("implode" | "join", [list]) => Some(self.join_text(at, Some(CodeValue::text("")), Some(list.clone()))),
            ("trim" | "rtrim" | "ltrim", [text, rest @ ..]) => {
                let ends = match name {
                    "ltrim" => TextEnds::Start,
                    "rtrim" => TextEnds::End,
                    _ => TextEnds::Both,
                };
                Some(strip_text(Some(text), rest.first(), ends))
            }
            _ => None,
        }
    }

    /// Calls the method of a value that the first argument names: `x.send(:system, "ls")`. A name that a table lists
    /// without a receiver is that function.
    pub(super) fn send_method(&mut self, at: NodeRef, this: &CodeValue, given: &CallArguments) -> CodeValue {
        let [first, rest @ ..] = given.positional.as_slice() else { return CodeValue::Nothing };
        let Some(meant) = first.known_text().map(str::to_owned) else { return self.unknown_call(at) };
        let callee = match find_row(self.language, &meant) {
            Some(_) => CodeValue::Library(Rc::from(meant.as_str())),
            None => self.member(this, &meant),
        };
        self.call(at, &callee, &CallArguments { positional: rest.to_vec(), ..given.clone() })
    }
}

/// Whether a PHP function may call a function that an argument names: `array_udiff`, `set_error_handler`. Functions
/// with a row of their own are not included.
fn has_function_parameter(name: &str) -> bool {
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

/// Returns the file that a file name of PHP refers to: the file within a stream wrapper such as
/// `php://filter/resource=x` or `file:///x`, else the name itself. Returns `None` if there is no file: `php://stdin`,
/// `data:…`.
pub(super) fn wrapped_file(word: Word) -> Option<Word> {
    let Some((scheme, rest)) = word.prefix().split_once("://") else {
        let is_data = word.prefix().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"));
        return (!is_data).then_some(word);
    };
    let start = format!("{scheme}://");
    match scheme.to_ascii_lowercase().as_str() {
        "php" if rest.starts_with("filter") => {
            let text = word.known_text()?;
            text.split_once("resource=").map(|(_, path)| Word::text(path))
        }
        "php" | "data" => None,
        "file" | "glob" | "phar" | "zip" | "compress.zlib" | "compress.bzip2" => word.strip_prefix(&start),
        _ => Some(word),
    }
}

/// Returns the origin of the data that is read from a URL or a file with this name.
pub(super) fn data_origin(word: &Word) -> DataOrigin {
    match is_url(word.prefix()) {
        true => DataOrigin::Network,
        false => DataOrigin::File,
    }
}
