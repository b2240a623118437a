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
    /// Runs the command that is in the arguments of a call from the index `from` on: a program and its arguments, a
    /// list of these, or a single text, which is a script.
    ///
    /// A dictionary before them sets the environment, and one after them has options. If the first of several
    /// arguments is a list, it consists of the program's path and its `argv[0]`.
    pub(super) fn run_command(&mut self, at: NodeRef, from: usize, given: &CallArguments) {
        let mut words_given: Vec<CodeValue> = given.positional.iter().skip(from).cloned().collect();
        let mut options = given.clone();
        while let Some(keys @ CodeValue::Dictionary(_)) = words_given.first().cloned() {
            options.named.push(("env".into(), keys));
            words_given.remove(0);
        }
        // `spawn("ls", { chdir: "x" })`
        if let Some(CodeValue::Dictionary(address)) = words_given.last()
            && let Some(HeapCell::Dictionary(entries)) = self.state.cell(*address).cloned()
        {
            options.named.extend(entries);
            words_given.pop();
        }
        // A block, and arguments without a value, are not words of the command.
        words_given.retain(|value| !matches!(value, CodeValue::Function(_) | CodeValue::Nothing));
        self.redirect_streams(at, &options);
        let has_argv0 = matches!(words_given.first(), Some(CodeValue::List(_)));
        match words_given.as_slice() {
            [] => {}
            [list @ CodeValue::List(_)] => {
                let mut words = self.list_values(list);
                while let Some(keys @ CodeValue::Dictionary(_)) = words.first().cloned() {
                    options.named.push(("env".into(), keys));
                    words.remove(0);
                }
                let words = words.iter().map(|value| self.word(value, at)).collect();
                self.record_run(Runnable::Argv(words), &options, at);
            }
            [script] if !given.may_have_more || !matches!(script, CodeValue::Several(_)) => {
                self.script(at, script, &options)
            }
            [program, rest @ ..] => {
                self.record_run_origin(program.origin());
                let program = match program {
                    list if has_argv0 => self.list_values(list).first().cloned().unwrap_or(CodeValue::Nothing),
                    program => program.clone(),
                };
                let mut words = vec![self.word(&program, at)];
                words.extend(rest.iter().map(|value| self.argument_word(at, value)));
                self.record_run(Runnable::Argv(words), &options, at);
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

    /// Opens the command, URL or file that an argument names. The text of a command begins with `|`; in PHP, with
    /// `expect://`.
    pub(super) fn open_any(&mut self, call: LibraryCall<'_>, path: ArgumentRef, mode: ArgumentRef) {
        let LibraryCall { at, given, .. } = call;
        let Some(value) = call.argument(path) else { return };
        let word = self.word(&value, at);
        let has_pipes = self.language != CodeLanguage::Php;
        match word.prefix().trim_start() {
            start if has_pipes && start.starts_with('|') => {
                let text = word.strip_prefix(word.prefix().split_inclusive('|').next().unwrap_or_default());
                let text = CodeValue::Text(text.unwrap_or_default(), value.origin());
                self.script(at, &text, given);
            }
            start if is_url(start) => self.fetch(word),
            start if !has_pipes && start.starts_with("expect://") => {
                let text = CodeValue::Text(word.strip_prefix("expect://").unwrap_or_default(), value.origin());
                self.script(at, &text, given);
            }
            start => {
                // The name of an existing file does not begin with a `|`.
                let cannot_be_pipe = |part: &WordPart| match part {
                    WordPart::Glob(_) => true,
                    WordPart::Unknown(part) => part.reason.cause == Cause::Glob,
                    WordPart::Text(_) => true,
                };
                // Any other unknown beginning may be a `|` and a command.
                if has_pipes && start.is_empty() && !word.parts.first().is_some_and(cannot_be_pipe) {
                    let source = self.source(at);
                    self.add_unanalysed(computed_reason(&source), None);
                }
                self.open_file(call, path, mode);
            }
        }
    }

    /// Evaluates a Ruby call whose first argument names a function: calls it, as for `send(:system, "ls")`, or returns
    /// it, as for `method(:system)`. Also evaluates `include FileUtils`. Returns `None` for any other call.
    pub(super) fn call_by_name(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        let (object, method) = name.rsplit_once('.').unwrap_or(("", name));
        if let ("" | "this", "include" | "extend", [CodeValue::Library(module)]) =
            (object, method, given.positional.as_slice())
        {
            Rc::make_mut(&mut self.state.imported_modules).push(Rc::clone(module));
            return Some(CodeValue::Nothing);
        }
        let calls_named = matches!(method, "send" | "__send__" | "public_send");
        // These return the function or the constant without calling it.
        let returns_named = matches!(method, "method" | "public_method" | "instance_method" | "const_get");
        if !calls_named && !returns_named || self.language != CodeLanguage::Ruby {
            return None;
        }
        let [first, rest @ ..] = given.positional.as_slice() else { return None };
        let Some(function_name) = first.known_text().map(str::to_owned) else {
            return Some(if calls_named { self.unknown_call(at) } else { CodeValue::Dynamic });
        };
        let callee = match object {
            "" => self.value_named(&function_name),
            object => self.library(&format!("{object}.{function_name}")),
        };
        if returns_named {
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
                self.evaluate_code(at, &text.clone());
                Some(self.evaluated.take().unwrap_or(CodeValue::Dynamic))
            }
            ("method" | "public_method", Some(name)) => {
                Some(name.known_text().map(str::to_owned).map_or(CodeValue::Dynamic, |name| self.member(this, &name)))
            }
            ("tap" | "then" | "yield_self", None) => {
                let block = given.named_value(super::ruby::BLOCK).cloned()?;
                let given = CallArguments { may_have_more: true, ..CallArguments::from_values(vec![this.clone()]) };
                let value = self.call(at, &block, &given);
                Some(if method == "tap" { this.clone() } else { value })
            }
            _ => None,
        }
    }

    /// Calls a function of PHP or Perl for which other languages have a method, such as `join`; `None` for any other
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

    /// Calls a function of Perl that takes as an argument what is the receiver in other languages, such as `join`;
    /// `None` for any other function.
    fn perl_function(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        let arguments_from =
            |from: usize| CallArguments::from_values(given.positional.iter().skip(from).cloned().collect());
        match (name, given.positional.as_slice()) {
            ("join", [separator, ..]) => {
                let list = self.new_list(arguments_from(1).positional);
                Some(self.join_text(at, Some(separator.clone()), Some(list)))
            }
            ("split", [separator, text, rest @ ..]) => {
                // The separator is a regex. A blank means any number of blanks in `' '` but not in `/ /`.
                let is_literal = |separator: &str| {
                    separator
                        .chars()
                        .all(|c| !c.is_ascii_punctuation() || matches!(c, ',' | ':' | ';' | '/' | '-' | '_'))
                };
                let is_certain =
                    rest.is_empty() && separator.known_text().is_some_and(|by| is_literal(by) && by != " ");
                Some(match is_certain {
                    true => self.split(Some(text), std::slice::from_ref(separator), TextSplit::AtBlanksOrSpace),
                    false => unknown_parts(Some(text)),
                })
            }
            ("pack", [format, values @ ..]) => Some(self.packed_values(format, values)),
            ("reverse" | "uniq" | "shuffle", values)
                if values.len() > 1 || values.iter().any(CodeValue::is_collection) =>
            {
                Some(self.new_list(values.to_vec()))
            }
            _ => None,
        }
    }

    /// Evaluates `pack(format, values)`.
    fn packed_values(&mut self, format: &CodeValue, values: &[CodeValue]) -> CodeValue {
        let list = self.new_list(values.to_vec());
        self.pack(Some(list), Some(format.clone()))
    }

    /// Calls a function of PHP for which other languages have a method, or that calls the function in its argument;
    /// `None` for any other function.
    ///
    /// If it is a function such as `array_udiff($a, $b, "f")`, the functions that its arguments name are called, too.
    fn php_function(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        let arguments_from =
            |from: usize| CallArguments::from_values(given.positional.iter().skip(from).cloned().collect());
        match (name, given.positional.as_slice()) {
            ("pack", [format, values @ ..]) => Some(self.packed_values(format, values)),
            ("array_push" | "array_unshift", [list, ..]) => {
                for value in arguments_from(1).positional {
                    self.update_collection(Some(list), &CallArguments::from_values(vec![value]));
                }
                Some(CodeValue::COMPUTED)
            }
            (
                "call_user_func" | "forward_static_call" | "register_shutdown_function" | "func_overload",
                [function, ..],
            ) => Some(self.call(at, &function.clone(), &arguments_from(1))),
            ("call_user_func_array" | "forward_static_call_array", [function, list, ..]) => {
                let values = self.list_values(list);
                Some(self.call(
                    at,
                    &function.clone(),
                    &CallArguments { may_have_more: true, ..CallArguments::from_values(values) },
                ))
            }
            // One of the arguments may be the name of a function, which this one calls.
            (name, values) if has_function_parameter(name) => {
                let names_effective_function = |value: &&CodeValue| {
                    value
                        .known_text()
                        .and_then(|name| find_row(self.language, &name.to_ascii_lowercase()))
                        .is_some_and(|row| !row.effects.is_empty())
                };
                let callbacks: Vec<CodeValue> = values.iter().filter(names_effective_function).cloned().collect();
                let lists: Vec<CodeValue> = values.iter().filter(|value| value.is_collection()).cloned().collect();
                for function in callbacks {
                    let argument = match lists.first() {
                        Some(list) => either_of(self.list_values(list)),
                        None => CodeValue::COMPUTED,
                    };
                    self.call(
                        at,
                        &function,
                        &CallArguments { may_have_more: true, ..CallArguments::from_values(vec![argument]) },
                    );
                }
                None
            }
            _ => self.php_text_function(at, name, given),
        }
    }

    /// Calls a function of PHP on texts, such as `explode`; `None` for any other function.
    fn php_text_function(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        match (name, given.positional.as_slice()) {
            ("explode", [separator, text, rest @ ..]) => Some(match rest {
                [] => self.split(Some(text), std::slice::from_ref(separator), TextSplit::AtSeparator),
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

    /// Calls the method of `this` that the first argument names: `x.send(:system, "ls")`. If a table lists a function
    /// of that name, the function is called instead.
    pub(super) fn send_method(&mut self, at: NodeRef, this: &CodeValue, given: &CallArguments) -> CodeValue {
        let [name, rest @ ..] = given.positional.as_slice() else { return CodeValue::Nothing };
        let Some(method_name) = name.known_text().map(str::to_owned) else { return self.unknown_call(at) };
        let callee = match find_row(self.language, &method_name) {
            Some(_) => CodeValue::Library(Rc::from(method_name.as_str())),
            None => self.member(this, &method_name),
        };
        self.call(at, &callee, &CallArguments { positional: rest.to_vec(), ..given.clone() })
    }
}

/// Whether a PHP function may call a function that an argument names: `array_udiff`, `set_error_handler`. Always false
/// for functions whose rows in the tables say what they call.
fn has_function_parameter(name: &str) -> bool {
    let prefixes = [
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
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a text begins like the URL of a remote host.
pub(super) fn is_url(text: &str) -> bool {
    ["http://", "https://", "ftp://", "ftps://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// Returns the file that a file name of PHP refers to: without a stream wrapper such as `php://filter/resource=` or
/// `file://`, if there is one. Returns `None` if it is no file: `php://stdin`, `data:…`.
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
