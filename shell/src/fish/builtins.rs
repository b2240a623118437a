//! Builtins of fish that differ from those of bash: `set`, `function`, `alias`, `eval`, `source`, `read`.

use super::words::FishWord;
use super::{FishTranslator, FishVariables, LimitedTranslator, TranslationError, TranslationResult, UNKNOWN};
use crate::parse::is_name;
use crate::quote::quote;

/// Options of `function` that make it the handler of an event, which calls it at an unknown time.
const EVENT_OPTIONS: &[&str] =
    &["--on-event", "-e", "--on-variable", "-v", "--on-signal", "-s", "--on-job-exit", "-j", "--on-process-exit", "-p"];

/// Functions that fish itself calls, to print a prompt for example.
const CALLED_BY_FISH: &[&str] =
    &["fish_command_not_found", "fish_prompt", "fish_right_prompt", "fish_greeting", "fish_title"];

/// The options of `read` that take a value.
const READ_VALUE_OPTIONS: &[&str] = &[
    "-P",
    "--prompt-str",
    "-p",
    "--prompt",
    "-R",
    "--right-prompt",
    "-c",
    "--command",
    "-d",
    "--delimiter",
    "-n",
    "--nchars",
];

/// The options with which `read` still reads a whole line.
const READ_LINE_OPTIONS: &[&str] =
    &["-l", "--local", "-g", "--global", "-U", "--universal", "-x", "--export", "-P", "--prompt-str", "-s", "--silent"];

/// The options at the beginning of the arguments of `set`.
struct SetOptions<'w>(Vec<&'w str>);

impl<'w> SetOptions<'w> {
    /// Returns the options among the first words.
    fn of(words: &'w [FishWord]) -> Self {
        let literals = words.iter().map_while(|word| word.literal.as_deref());
        Self(literals.take_while(|text| text.starts_with('-')).collect())
    }

    /// Whether an option is given, by its letter or its long name.
    fn has(&self, letter: char, long: &str) -> bool {
        self.0.iter().any(|option| *option == long || !option.starts_with("--") && option.contains(letter))
    }
}

/// The words after `function`: the name and the options.
struct FunctionHead<'w> {
    /// The name of the function.
    name: &'w str,
    /// The names of the variables that get its arguments.
    arguments: Vec<&'w str>,
    /// Whether an event calls the function.
    is_handler: bool,
}

impl<'w> FunctionHead<'w> {
    /// Parses the words; `None` without a valid name.
    fn of(words: &[&'w str]) -> Option<Self> {
        let mut name = None;
        let mut arguments = Vec::new();
        let mut is_handler = false;
        let mut takes_names = false;
        let mut rest = words.iter().copied();
        while let Some(word) = rest.next() {
            let long = word.split('=').next().unwrap_or(word);
            match word {
                _ if EVENT_OPTIONS.contains(&long) => {
                    is_handler = true;
                    takes_names = false;
                    if long == word {
                        rest.next();
                    }
                }
                "-a" | "--argument-names" => takes_names = true,
                "-d" | "--description" | "-w" | "--wraps" | "-V" | "--inherit-variable" => {
                    takes_names = false;
                    rest.next();
                }
                option if option.starts_with('-') => {
                    let named = option.strip_prefix("--argument-names=");
                    arguments.extend(named);
                    takes_names = named.is_some();
                }
                function_name if name.is_none() && !takes_names => name = Some(function_name),
                argument => arguments.push(argument),
            }
        }
        let name = name.filter(|name| is_function_name(name))?;
        Some(Self { name, arguments, is_handler })
    }
}

impl FishTranslator<'_> {
    /// Translates a builtin that bash lacks or that behaves differently; `None` for any other command. `written` is
    /// the source of the command.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        words: &[FishWord],
        written: &str,
    ) -> TranslationResult<Option<String>> {
        let arguments = words.get(1..).unwrap_or_default();
        let text = match name {
            "set" => self.set_builtin(arguments),
            "alias" => self.alias(arguments, written)?,
            "eval" => self.eval(arguments)?,
            "source" | "." => source(arguments),
            "read" => self.read(arguments),
            "trap" => return self.trap(arguments),
            "functions" => return Ok(function_copy(arguments)),
            "complete" => return self.completions(arguments),
            "funcsave" | "fish_add_path" => {
                format!("{}; > ~/.config/fish/fish_variables", joined(words))
            }
            _ => return Ok(None),
        };
        Ok(Some(text))
    }

    /// Translates `set`.
    fn set_builtin(&mut self, words: &[FishWord]) -> String {
        let options = SetOptions::of(words);
        let operands = words.get(options.0.len()..).unwrap_or_default();
        let Some((target, values)) = operands.split_first() else { return "set".to_owned() };
        let Some(name) = target.literal.as_deref().filter(|name| is_name(name)) else {
            return self.set_element(target, &joined(values));
        };
        if options.has('e', "--erase") {
            return format!("unset {name}");
        }
        if options.has('q', "--query") || options.has('S', "--show") || options.has('n', "--names") {
            return format!("test -n \"${name}\"");
        }
        self.set_variable(name, values, &options)
    }

    /// Translates `set` of an element, or of a variable with an unknown name.
    fn set_element(&mut self, target: &FishWord, written: &str) -> String {
        let name = target.literal.as_deref().and_then(|name| name.split('[').next()).filter(|name| is_name(name));
        match name {
            Some(name) => {
                self.note_list(name);
                format!("{name}=(${UNKNOWN}); : {written}")
            }
            // The name of the variable is unknown.
            None => format!("export ${UNKNOWN}; : {} {written}", target.bash),
        }
    }

    /// Translates `set` of a whole variable, and records whether it is a list.
    fn set_variable(&mut self, name: &str, values: &[FishWord], options: &SetOptions<'_>) -> String {
        // An exported variable of bash cannot be an array, so its elements are lost there.
        let was_list = self.known.lists.contains(name) && !options.has('x', "--export");
        let is_list = was_list || values.len() != 1 || values.iter().any(|word| word.is_several);
        match is_list || options.has('a', "--append") {
            true => self.note_list(name),
            false => self.note(name),
        }
        let is_local = options.has('l', "--local") || options.has('f', "--function");
        let in_function = self.functions > 0 && self.locals.len() <= self.functions;
        if is_local
            && !in_function
            && let Some(block) = self.locals.last_mut()
        {
            block.push(name.to_owned());
        }
        let written = joined(values);
        if name == "argv" {
            return format!("set -- {written}");
        }
        let start_up = if options.has('U', "--universal") { "\n> ~/.config/fish/fish_variables" } else { "" };
        let declares = match () {
            () if options.has('x', "--export") => "export ",
            () if is_local && in_function => "local ",
            () => "",
        };
        match () {
            () if options.has('p', "--prepend") => format!("{name}=(${UNKNOWN}); : {written}"),
            () if options.has('a', "--append") => format!("{name}+=({written})"),
            () if is_list => format!("{declares}{name}=({written}){start_up}"),
            () => format!("{declares}{name}={written}{start_up}"),
        }
    }

    /// Records that the text sets a variable.
    fn note(&mut self, name: &str) {
        self.found.names.insert(name.to_owned());
    }

    /// Records that the text sets a variable that may be a list.
    fn note_list(&mut self, name: &str) {
        self.note(name);
        self.found.lists.insert(name.to_owned());
    }

    /// Translates `alias name text` or `alias name=text` into the definition of a function.
    fn alias(&mut self, words: &[FishWord], written: &str) -> TranslationResult<String> {
        let literals: Option<Vec<&str>> = words.iter().map(|word| word.literal.as_deref()).collect();
        let literals: Vec<&str> =
            literals.into_iter().flatten().skip_while(|word| word.starts_with('-') && word.len() > 1).collect();
        let (name, text) = match literals.as_slice() {
            [] if words.is_empty() => return Ok("alias".to_owned()),
            [one] => one.split_once('=').map_or((*one, String::new()), |(name, text)| (name, text.to_owned())),
            [name, text @ ..] => (*name, text.join(" ")),
            [] => {
                self.unread.push(written.to_owned());
                return Ok(":".to_owned());
            }
        };
        if text.is_empty() || !is_function_name(name) {
            self.unread.push(written.to_owned());
            return Ok(":".to_owned());
        }
        let is_saved = words.iter().any(|word| matches!(word.literal.as_deref(), Some("-s" | "--save")));
        // `alias ls "ls -l"` calls the program, not the function that it defines.
        let calls_own_name = text.split_whitespace().next() == Some(name);
        let text = if calls_own_name { format!("command {text} $argv") } else { format!("{text} $argv") };
        let body = self.translate_nested(&text)?;
        let saved = if is_saved { format!("\n> ~/.config/fish/functions/{name}.fish") } else { String::new() };
        Ok(format!("{name}() {{ {body}\n}}{saved}"))
    }

    /// Translates a text in fish that is nested in this one, such as the text of an alias.
    fn translate_nested(&mut self, text: &str) -> TranslationResult<String> {
        self.read_deeper(|outer| {
            let known = FishVariables { names: outer.known.names.clone(), lists: outer.known.lists.clone() };
            let mut translator = FishTranslator::new(text, known, outer.bounds.nested(text));
            let script = translator.translate_all();
            outer.unread.append(&mut translator.unread);
            outer.found.names.append(&mut translator.found.names);
            outer.found.lists.append(&mut translator.found.lists);
            outer.has_substitutions |= translator.has_substitutions;
            outer.charged(if script.is_empty() { ":".to_owned() } else { script })
        })
    }

    /// Translates `eval`. An unknown text becomes a call of `fish -c`, after which any variable may have changed.
    fn eval(&mut self, words: &[FishWord]) -> TranslationResult<String> {
        let known: Option<Vec<&str>> = words.iter().map(|word| word.literal.as_deref()).collect();
        if let Some(known) = known {
            let body = self.translate_nested(&known.join(" "))?;
            return Ok(format!("{{ {body}\n}}"));
        }
        // The text is not known.
        let joined: Vec<String> =
            words.iter().map(|word| word.bash.replace("[@]}", "[*]}").replace("\"$@\"", "\"$*\"")).collect();
        Ok(format!("fish -c {}; export ${UNKNOWN}", joined.join("\" \"")))
    }

    /// Translates `complete -a words -n condition`, whose values are code that runs when something is completed.
    fn completions(&mut self, words: &[FishWord]) -> TranslationResult<Option<String>> {
        let mut code = String::new();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let Some(option) = word.literal.as_deref() else { continue };
            let (name, attached) = match option.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ => (option, None),
            };
            let is_condition = matches!(name, "-n" | "--condition");
            if !is_condition && !matches!(name, "-a" | "--arguments") {
                continue;
            }
            let value = attached.or_else(|| rest.next().and_then(|word| word.literal.clone()));
            let Some(value) = value.filter(|value| is_condition || value.contains(['(', '$'])) else { continue };
            let body = if is_condition { value } else { format!("echo {value}") };
            code.push_str(&format!("{{ {}\n}}; ", self.translate_nested(&body)?));
        }
        Ok((!code.is_empty()).then(|| format!("{code}complete")))
    }

    /// Translates `trap text signals`, in which the text is fish code.
    fn trap(&mut self, words: &[FishWord]) -> TranslationResult<Option<String>> {
        let [text, signals @ ..] = words else { return Ok(None) };
        let Some(known) = text.literal.as_deref().filter(|text| !text.starts_with('-')) else { return Ok(None) };
        let body = self.translate_nested(known)?;
        Ok(Some(format!("trap {} {}", quote(&body), joined(signals))))
    }

    /// Translates `read`, and records the variables that it sets.
    fn read(&mut self, words: &[FishWord]) -> String {
        let mut names = Vec::new();
        let mut reads_line = true;
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match word.literal.as_deref() {
                Some(option) if option.starts_with('-') && option.len() > 1 => {
                    reads_line &= READ_LINE_OPTIONS.contains(&option);
                    if READ_VALUE_OPTIONS.contains(&option) {
                        rest.next();
                    }
                }
                Some(name) if is_name(name) => names.push(name.to_owned()),
                _ => return format!("export ${UNKNOWN}"),
            }
        }
        for name in &names {
            match reads_line {
                true => self.note(name),
                false => self.note_list(name),
            }
        }
        let option = if reads_line && names.len() == 1 { "-r" } else { "-d x" };
        format!("read {option} {}", names.join(" "))
    }

    /// Translates the rest of `function name options; …; end`. A handler also becomes a trap, so that its body is
    /// analysed.
    pub(super) fn function(&mut self) -> TranslationResult<String> {
        self.expect("function")?;
        let words = self.words()?;
        let known: Option<Vec<&str>> = words.iter().map(|word| word.literal.as_deref()).collect();
        let known = known.ok_or(TranslationError::Syntax)?;
        let FunctionHead { name, arguments, is_handler } = FunctionHead::of(&known).ok_or(TranslationError::Syntax)?;
        let mut head = String::new();
        for (at, argument) in arguments.iter().enumerate().filter(|(_, argument)| is_name(argument)) {
            self.note(argument);
            head.push_str(&format!("local {argument}=\"${{{}}}\"\n", at + 1));
        }
        let outer = std::mem::take(&mut self.locals);
        let functions = std::mem::replace(&mut self.functions, 1);
        let body = self.block();
        self.locals = outer;
        self.functions = functions;
        let body = body?;
        self.expect("end")?;
        let handler = match is_handler || CALLED_BY_FISH.contains(&name) {
            true => format!("\ntrap {} EXIT", quote(name)),
            false => String::new(),
        };
        Ok(format!("{name}() {{ {head}{body}\n}}{handler}"))
    }
}

/// Joins the translations of words with blanks.
fn joined(words: &[FishWord]) -> String {
    words.iter().map(|word| word.bash.as_str()).collect::<Vec<_>>().join(" ")
}

/// Translates `source file`, which runs the file, or the standard input, in this shell.
fn source(words: &[FishWord]) -> String {
    match words {
        [] => "fish".to_owned(),
        [one, ..] if one.literal.as_deref() == Some("-") => "fish".to_owned(),
        words => {
            let all = joined(words);
            format!("{{ source {all}\nfish {all}\nexport ${UNKNOWN}\n}}")
        }
    }
}

/// Translates `functions -c from to` into a function that calls the other one; `None` for any other call.
fn function_copy(words: &[FishWord]) -> Option<String> {
    match words {
        [option, from, to] if matches!(option.literal.as_deref(), Some("-c" | "--copy")) => {
            let name = to.literal.as_deref().filter(|name| is_function_name(name))?;
            Some(format!("{name}() {{ {} \"$@\"\n}}", from.bash))
        }
        _ => None,
    }
}

/// Whether a text can be the name of a function in bash.
fn is_function_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.:+".contains(c)) && !name.starts_with('-')
}
