//! fish's builtins that differ from bash: `set`, `function`, `alias`, `eval`, `source`, `read`.

use super::words::FishWord;
use super::{Bounded, Fault, Outcome, Translator, UNKNOWN, Variables};
use crate::parse::is_name;
use crate::quote::quote;

/// The options that declare a handler: when it is called is unknown.
const HANDLERS: &[&str] =
    &["--on-event", "-e", "--on-variable", "-v", "--on-signal", "-s", "--on-job-exit", "-j", "--on-process-exit", "-p"];

/// Functions that fish calls automatically.
const CALLED: &[&str] = &["fish_command_not_found", "fish_prompt", "fish_right_prompt", "fish_greeting", "fish_title"];

impl Translator<'_> {
    /// Translates a builtin; `None` if bash has the same one, or it is a program.
    pub(super) fn builtin(&mut self, name: &str, words: &[FishWord], written: &str) -> Outcome<Option<String>> {
        let arguments = words.get(1..).unwrap_or_default();
        let text = match name {
            "set" => self.set(arguments),
            "alias" => self.alias(arguments, written)?,
            "eval" => self.eval(arguments)?,
            "source" | "." => source(arguments),
            "read" => self.read(arguments),
            "trap" => return self.trap(arguments),
            "functions" => return Ok(copied(arguments)),
            "funcsave" | "fish_add_path" => {
                let all: Vec<&str> = words.iter().map(|word| word.bash.as_str()).collect();
                format!("{}; > ~/.config/fish/fish_variables", all.join(" "))
            }
            _ => return Ok(None),
        };
        Ok(Some(text))
    }

    fn set(&mut self, words: &[FishWord]) -> String {
        let is_option = |word: &&FishWord| word.literal.as_deref().is_some_and(|text| text.starts_with('-'));
        let options: Vec<&str> =
            words.iter().take_while(is_option).filter_map(|word| word.literal.as_deref()).collect();
        let has = |letter: char, long: &str| {
            options.iter().any(|option| *option == long || !option.starts_with("--") && option.contains(letter))
        };
        let behind = words.get(options.len()..).unwrap_or_default();
        let Some((target, values)) = behind.split_first() else { return "set".to_owned() };
        let written: Vec<&str> = values.iter().map(|word| word.bash.as_str()).collect();
        let written = written.join(" ");
        let Some(name) = target.literal.clone().filter(|name| is_name(name)) else {
            let name = target.literal.as_deref().and_then(|name| name.split('[').next()).filter(|name| is_name(name));
            return match name {
                Some(name) => {
                    self.note_list(name);
                    format!("{name}=(${UNKNOWN}); : {written}")
                }
                // The name of the variable is unknown.
                None => format!("export ${UNKNOWN}; : {} {written}", target.bash),
            };
        };
        if has('e', "--erase") {
            return format!("unset {name}");
        }
        if has('q', "--query") || has('S', "--show") || has('n', "--names") {
            return format!("test -n \"${name}\"");
        }
        // The elements of a list go with it. In bash the environment contains no lists.
        let was_list = self.known.lists.contains(&name) && !has('x', "--export");
        let is_list = was_list || values.len() != 1 || values.iter().any(|word| word.is_several);
        match is_list || has('a', "--append") {
            true => self.note_list(&name),
            false => self.note(&name),
        }
        let is_local = has('l', "--local") || has('f', "--function");
        let in_function = self.functions > 0 && self.locals.len() <= self.functions;
        if is_local
            && !in_function
            && let Some(block) = self.locals.last_mut()
        {
            block.push(name.clone());
        }
        let start_up = if has('U', "--universal") { "\n> ~/.config/fish/fish_variables" } else { "" };
        if name == "argv" {
            return format!("set -- {written}");
        }
        let declares = match () {
            () if has('x', "--export") => "export ",
            () if is_local && in_function => "local ",
            () => "",
        };
        match () {
            () if has('p', "--prepend") => format!("{name}=(${UNKNOWN}); : {written}"),
            () if has('a', "--append") => format!("{name}+=({written})"),
            () if is_list => format!("{declares}{name}=({written}){start_up}"),
            () => format!("{declares}{name}={written}{start_up}"),
        }
    }

    fn note(&mut self, name: &str) {
        self.found.set.insert(name.to_owned());
    }

    fn note_list(&mut self, name: &str) {
        self.note(name);
        self.found.lists.insert(name.to_owned());
    }

    /// Translates `alias name text` or `alias name=text`, which defines a function.
    fn alias(&mut self, words: &[FishWord], written: &str) -> Outcome<String> {
        let known: Option<Vec<&str>> = words.iter().map(|word| word.literal.as_deref()).collect();
        let known: Vec<&str> =
            known.into_iter().flatten().skip_while(|word| word.starts_with('-') && word.len() > 1).collect();
        let (name, text) = match known.as_slice() {
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
        let saves = words.iter().any(|word| matches!(word.literal.as_deref(), Some("-s" | "--save")));
        let own = text.split_whitespace().next() == Some(name);
        let text = if own { format!("command {text} $argv") } else { format!("{text} $argv") };
        let body = self.inner(&text)?;
        let saved = if saves { format!("\n> ~/.config/fish/functions/{name}.fish") } else { String::new() };
        Ok(format!("{name}() {{ {body}\n}}{saved}"))
    }

    /// Translates a nested text.
    fn inner(&mut self, text: &str) -> Outcome<String> {
        self.deeper(|outer| {
            let known = Variables { set: outer.known.set.clone(), lists: outer.known.lists.clone() };
            let mut translator = Translator::new(text, known, outer.bounds.within(text));
            let script = translator.whole();
            outer.unread.append(&mut translator.unread);
            outer.found.set.append(&mut translator.found.set);
            outer.found.lists.append(&mut translator.found.lists);
            outer.substitutes |= translator.substitutes;
            outer.written(if script.is_empty() { ":".to_owned() } else { script })
        })
    }

    fn eval(&mut self, words: &[FishWord]) -> Outcome<String> {
        let known: Option<Vec<&str>> = words.iter().map(|word| word.literal.as_deref()).collect();
        if let Some(known) = known {
            let body = self.inner(&known.join(" "))?;
            return Ok(format!("{{ {body}\n}}"));
        }
        // Another fish evaluates it, and afterwards any variable may have changed.
        let joined: Vec<String> =
            words.iter().map(|word| word.bash.replace("[@]}", "[*]}").replace("\"$@\"", "\"$*\"")).collect();
        Ok(format!("fish -c {}; export ${UNKNOWN}", joined.join("\" \"")))
    }

    /// Translates `trap text signals`, whose text is fish code.
    fn trap(&mut self, words: &[FishWord]) -> Outcome<Option<String>> {
        let [text, signals @ ..] = words else { return Ok(None) };
        let Some(known) = text.literal.as_deref().filter(|text| !text.starts_with('-')) else { return Ok(None) };
        let body = self.inner(known)?;
        let signals: Vec<&str> = signals.iter().map(|word| word.bash.as_str()).collect();
        Ok(Some(format!("trap {} {}", quote(&body), signals.join(" "))))
    }

    fn read(&mut self, words: &[FishWord]) -> String {
        let mut names = Vec::new();
        let mut takes_line = true;
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match word.literal.as_deref() {
                Some(option) if option.starts_with('-') && option.len() > 1 => {
                    let valued = matches!(
                        option,
                        "-P" | "--prompt-str"
                            | "-p"
                            | "--prompt"
                            | "-R"
                            | "--right-prompt"
                            | "-c"
                            | "--command"
                            | "-d"
                            | "--delimiter"
                            | "-n"
                            | "--nchars"
                    );
                    takes_line &= matches!(
                        option,
                        "-l" | "--local"
                            | "-g"
                            | "--global"
                            | "-U"
                            | "--universal"
                            | "-x"
                            | "--export"
                            | "-P"
                            | "--prompt-str"
                            | "-s"
                            | "--silent"
                    );
                    if valued {
                        rest.next();
                    }
                }
                Some(name) if is_name(name) => names.push(name.to_owned()),
                _ => return format!("export ${UNKNOWN}"),
            }
        }
        for name in &names {
            match takes_line {
                true => self.note(name),
                false => self.note_list(name),
            }
        }
        let option = if takes_line && names.len() == 1 { "-r" } else { "-d x" };
        format!("read {option} {}", names.join(" "))
    }

    /// `function name options; …; end`
    pub(super) fn function(&mut self) -> Outcome<String> {
        self.expect("function")?;
        let words = self.words()?;
        let known: Option<Vec<&str>> = words.iter().map(|word| word.literal.as_deref()).collect();
        let known = known.ok_or(Fault::Syntax)?;
        let mut name = None;
        let mut arguments: Vec<String> = Vec::new();
        let mut is_handler = false;
        let mut takes_names = false;
        let mut rest = known.iter().copied();
        while let Some(word) = rest.next() {
            let long = word.split('=').next().unwrap_or(word);
            match word {
                _ if HANDLERS.contains(&long) => {
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
                    takes_names = false;
                    if let Some(named) = option.strip_prefix("--argument-names=") {
                        arguments.push(named.to_owned());
                        takes_names = true;
                    }
                }
                argument if takes_names => arguments.push(argument.to_owned()),
                own if name.is_none() => name = Some(own.to_owned()),
                argument => arguments.push(argument.to_owned()),
            }
        }
        let name = name.filter(|name| is_function_name(name)).ok_or(Fault::Syntax)?;
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
        let handler = match is_handler || CALLED.contains(&name.as_str()) {
            true => format!("\ntrap {} EXIT", quote(&name)),
            false => String::new(),
        };
        Ok(format!("{name}() {{ {head}{body}\n}}{handler}"))
    }
}

/// Translates `source file`, which runs a file, or its input, in this shell.
fn source(words: &[FishWord]) -> String {
    match words {
        [] => "fish".to_owned(),
        [one, ..] if one.literal.as_deref() == Some("-") => "fish".to_owned(),
        words => {
            let all: Vec<&str> = words.iter().map(|word| word.bash.as_str()).collect();
            let all = all.join(" ");
            format!("{{ source {all}\nfish {all}\nexport ${UNKNOWN}\n}}")
        }
    }
}

/// `functions -c from to`
fn copied(words: &[FishWord]) -> Option<String> {
    match words {
        [option, from, to] if matches!(option.literal.as_deref(), Some("-c" | "--copy")) => {
            let name = to.literal.as_deref().filter(|name| is_function_name(name))?;
            Some(format!("{name}() {{ {} \"$@\"\n}}", from.bash))
        }
        _ => None,
    }
}

fn is_function_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.:+".contains(c)) && !name.starts_with('-')
}
