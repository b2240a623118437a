//! Reads strings and variables.

use super::value::{PowerShellObject, PowerShellValue, ValuePiece, WildcardMode, paths};
use super::{LimitedTranslator, PowerShellTranslator, TranslationError, TranslationResult, UNKNOWN};

impl PowerShellTranslator {
    /// Reads the string that begins here: `'…'`, `"…"`, `@'…'@` or `@"…"@`.
    pub(super) fn string(&mut self) -> TranslationResult<PowerShellObject> {
        match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (Some('\''), _) => self.verbatim().map(|text| vec![ValuePiece::Text(text)]),
            (Some('"'), _) => self.expandable(),
            (Some('@'), Some('\'')) => self.here_string('\'').map(|text| vec![ValuePiece::Text(text)]),
            (Some('@'), Some('"')) => {
                let text = self.here_string('"')?;
                self.translate_nested(&text, |translator| translator.expanded(QuoteMeaning::AreText))
            }
            _ => Err(TranslationError::Syntax),
        }
    }

    /// Reads `'…'`, in which two quotes in a row are one literal quote.
    fn verbatim(&mut self) -> TranslationResult<String> {
        self.cursor.next();
        let mut text = String::new();
        while let Some(c) = self.cursor.next() {
            if c != '\'' {
                text.push(c);
            } else if self.cursor.peek() == Some('\'') {
                self.cursor.next();
                text.push('\'');
            } else {
                return Ok(text);
            }
        }
        Err(TranslationError::Syntax)
    }

    /// Reads `"…"`.
    fn expandable(&mut self) -> TranslationResult<PowerShellObject> {
        self.cursor.next();
        self.read_deeper(|translator| translator.expanded(QuoteMeaning::End))
    }

    /// Reads a here-string and returns its lines. It ends with a quote and `@` at the beginning of a line.
    fn here_string(&mut self, quote: char) -> TranslationResult<String> {
        self.cursor.next();
        self.cursor.next();
        self.cursor.take_while(|c| matches!(c, ' ' | '\t'));
        self.cursor.take_text("\r");
        if !self.cursor.take_text("\n") {
            return Err(TranslationError::Syntax);
        }
        let mut text = String::new();
        let mut at_start = true;
        while let Some(c) = self.cursor.peek() {
            if at_start && c == quote && self.cursor.peek_at(1) == Some('@') {
                self.cursor.next();
                self.cursor.next();
                let text =
                    text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
                return Ok(text.to_owned());
            }
            at_start = c == '\n';
            text.push(c);
            self.cursor.next();
        }
        Err(TranslationError::Syntax)
    }

    /// Reads a text with variables and `$(…)` in it.
    fn expanded(&mut self, quotes: QuoteMeaning) -> TranslationResult<PowerShellObject> {
        let mut item = Vec::new();
        let mut text = String::new();
        loop {
            let Some(c) = self.cursor.peek() else {
                return match quotes {
                    QuoteMeaning::End => Err(TranslationError::Syntax),
                    QuoteMeaning::AreText => Ok(with_text(item, text)),
                };
            };
            match c {
                '"' if quotes == QuoteMeaning::End => {
                    self.cursor.next();
                    if self.cursor.peek() != Some('"') {
                        return Ok(with_text(item, text));
                    }
                    self.cursor.next();
                    text.push('"');
                }
                '`' => {
                    self.cursor.next();
                    text.extend(self.escaped());
                }
                '$' => match self.variable_or_output()? {
                    Some(value) => {
                        item = with_text(item, std::mem::take(&mut text));
                        item.extend(value.join_items(" "));
                    }
                    None => {
                        self.cursor.next();
                        text.push('$');
                    }
                },
                c => {
                    self.cursor.next();
                    text.push(c);
                }
            }
        }
    }

    /// Reads the character after a backtick, and returns the one that it represents; `None` for NUL and invalid
    /// codes.
    pub(super) fn escaped(&mut self) -> Option<char> {
        Some(match self.cursor.next()? {
            '0' => '\u{1}',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'e' => '\u{1b}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'u' if self.cursor.peek() == Some('{') => {
                self.cursor.next();
                let digits = self.cursor.take_while(|c| c.is_ascii_hexdigit());
                self.cursor.take_text("}");
                u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).filter(|c| *c != '\0')?
            }
            c => c,
        })
    }

    /// Reads `$name`, `${name}`, `$(…)` or `$scope:name`; `None` if the dollar sign is literal.
    pub(super) fn variable_or_output(&mut self) -> TranslationResult<Option<PowerShellValue>> {
        let start = self.cursor.position();
        self.cursor.next();
        match self.cursor.peek() {
            Some('(') => {
                self.cursor.next();
                let script = self.read_deeper(|translator| translator.statements(')'))?;
                Ok(Some(output_of(script)))
            }
            Some('{') => {
                self.cursor.next();
                let name = self.cursor.take_while(|c| c != '}');
                if !self.cursor.take_text("}") {
                    return Err(TranslationError::Syntax);
                }
                Ok(Some(variable_value(&name)))
            }
            Some(c) if is_name_char(c) || c == '?' || c == '$' || c == '^' => {
                let name = self.name();
                Ok(Some(variable_value(&name)))
            }
            _ => {
                self.cursor.seek(start);
                Ok(None)
            }
        }
    }

    /// Reads the name of a variable, with its scope.
    fn name(&mut self) -> String {
        if let Some(c) = self.cursor.peek().filter(|c| matches!(c, '?' | '$' | '^')) {
            self.cursor.next();
            return c.to_string();
        }
        let mut name = self.cursor.take_while(is_name_char);
        if self.cursor.peek() == Some(':') && self.cursor.peek_at(1).is_some_and(is_name_char) {
            self.cursor.next();
            name.push(':');
            name.push_str(&self.cursor.take_while(is_name_char));
        }
        name
    }
}

/// The meaning of a double quote in a text with variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuoteMeaning {
    /// It ends the text.
    End,
    /// It is an ordinary character, in a here-string.
    AreText,
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Appends a text to an object.
fn with_text(mut item: PowerShellObject, text: String) -> PowerShellObject {
    if !text.is_empty() || item.is_empty() {
        item.push(ValuePiece::Text(text));
    }
    item
}

/// Returns the output of statements as a value; an empty value if there are none.
pub(super) fn output_of(script: String) -> PowerShellValue {
    if script.trim().is_empty() { PowerShellValue::default() } else { PowerShellValue::output(script) }
}

/// Returns the value of a variable, given its name in PowerShell.
pub(super) fn variable_value(name: &str) -> PowerShellValue {
    match variable(name) {
        VariableTranslation::Text(text) => PowerShellValue::text(text),
        VariableTranslation::Variable(name) => PowerShellValue::variable(name),
        VariableTranslation::Nothing => PowerShellValue::default(),
        VariableTranslation::File(path) => {
            let words = paths(&[ValuePiece::Text(path)], WildcardMode::Literal);
            PowerShellValue::output(format!("Get-Content {}", words.concat()))
        }
        VariableTranslation::Function(_)
        | VariableTranslation::Alias(_)
        | VariableTranslation::Drive
        | VariableTranslation::Unknown => PowerShellValue::unknown(),
    }
}

/// The translation of a variable of PowerShell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum VariableTranslation {
    /// A constant text: `$true`.
    Text(&'static str),
    /// The variable of bash with this name.
    Variable(String),
    /// No objects: `$null`.
    Nothing,
    /// The contents of a file, which a variable of a drive names: `${C:\x.txt}`.
    File(String),
    /// The body of a function, given its name in lower case: `$function:prompt`.
    Function(String),
    /// The target of an alias, given its name in lower case: `$alias:ls`.
    Alias(String),
    /// An item of a drive with unknown contents: `$HKCU:x`.
    Drive,
    /// An unknown value: the variable has no counterpart.
    Unknown,
}

/// Returns the translation of a variable. Names ignore case: they become lower case, and those of environment
/// variables upper case.
pub(super) fn variable(name: &str) -> VariableTranslation {
    let whole = without_scopes(name);
    let has_scope = whole.len() < name.len();
    match whole.split_once(':') {
        Some((drive, item)) if drive.eq_ignore_ascii_case("env") => environment_variable(&item.to_lowercase()),
        Some((drive, item)) => drive_item(drive, item, whole),
        None => shell_variable(&whole.to_lowercase(), has_scope),
    }
}

/// Removes the scopes before the name of a variable: `global:`, `using:`.
fn without_scopes(name: &str) -> &str {
    const SCOPES: &[&str] = &["global", "script", "local", "private", "using", "variable"];
    match name.split_once(':') {
        Some((scope, rest)) if SCOPES.iter().any(|own| own.eq_ignore_ascii_case(scope)) => without_scopes(rest),
        _ => name,
    }
}

/// Returns the translation of an environment variable, given its name in lower case.
fn environment_variable(name: &str) -> VariableTranslation {
    let upper = name.to_uppercase();
    match name {
        "userprofile" | "home" => VariableTranslation::Variable("HOME".to_owned()),
        _ if is_plain(&upper) && upper != UNKNOWN => VariableTranslation::Variable(upper),
        _ => VariableTranslation::Unknown,
    }
}

/// Returns the translation of an item of a drive; `whole` is the name with the drive.
fn drive_item(drive: &str, item: &str, whole: &str) -> VariableTranslation {
    let name = item.trim_start_matches(['\\', '/']).to_lowercase();
    let drive = drive.to_lowercase();
    match drive.as_str() {
        "function" => VariableTranslation::Function(name),
        "alias" => VariableTranslation::Alias(name),
        _ if item.starts_with(':') && drive.ends_with("filesystem") => VariableTranslation::File(whole.to_owned()),
        _ if drive.len() == 1 && drive.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            VariableTranslation::File(whole.to_owned())
        }
        _ => VariableTranslation::Drive,
    }
}

/// Returns the translation of a variable of the shell, given its name in lower case without its scope.
fn shell_variable(name: &str, has_scope: bool) -> VariableTranslation {
    match name {
        name if has_scope => match is_plain(name) {
            true => VariableTranslation::Variable(name.to_owned()),
            false => VariableTranslation::Unknown,
        },
        "home" => VariableTranslation::Variable("HOME".to_owned()),
        "null" => VariableTranslation::Nothing,
        "true" => VariableTranslation::Text("True"),
        "false" => VariableTranslation::Text("False"),
        "pwd" => VariableTranslation::Variable("PWD".to_owned()),
        "_" => VariableTranslation::Variable("psitem".to_owned()),
        // PowerShell sets these variables, to values that are not known.
        "?" | "$" | "^" | "args" | "error" | "input" | "matches" | "this" | "psscriptroot" | "pscommandpath"
        | "myinvocation" | "profile" | "pshome" | "psboundparameters" | "psversiontable" | "host" | "pid" | "ofs"
        | "lastexitcode" | "switch" | "foreach" | "stacktrace" | "executioncontext" | "pscmdlet" => {
            VariableTranslation::Unknown
        }
        name if is_plain(name) => VariableTranslation::Variable(name.to_owned()),
        _ => VariableTranslation::Unknown,
    }
}

/// Whether a name is valid for a variable of bash.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
