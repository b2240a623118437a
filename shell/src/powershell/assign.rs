//! Translates assignments: to variables, to members and elements, to the files and functions that a variable of a
//! drive names.

use super::blocks::is_block;
use super::statement::Statement;
use super::strings::{VariableTranslation, variable};
use super::types::file_command;
use super::value::{PowerShellValue, PowerShellValueKind, ValuePiece, WildcardMode, paths};
use super::{PowerShellTranslator, ReturnScope, TranslationResult, UNKNOWN, quoted};

/// The properties of an object for a file whose assignment writes the file.
const FILE_PROPERTIES: &[&str] = &[
    "isreadonly",
    "attributes",
    "creationtime",
    "creationtimeutc",
    "lastaccesstime",
    "lastaccesstimeutc",
    "lastwritetime",
    "lastwritetimeutc",
    "unixfilemode",
];

/// The cmdlets that output objects for files.
pub(super) const FILE_CMDLETS: &[&str] = &[
    "Get-ChildItem",
    "Get-Item",
    "Resolve-Path",
    "New-Item",
    "Copy-Item",
    "Move-Item",
    "Rename-Item",
    "Invoke-Command",
    "Receive-Job",
    "Import-Clixml",
];

/// A property that an expression reads, or whose value a statement assigns.
pub(super) struct PropertyAccess {
    /// The object.
    pub(super) owner: PowerShellValue,
    /// The name of the property.
    pub(super) name: String,
}

impl PowerShellTranslator {
    /// Consumes an assignment operator, and returns it.
    pub(super) fn take_assignment_operator(&mut self) -> Option<&'static str> {
        const SIGNS: &[&str] = &["+=", "-=", "*=", "/=", "%=", "??=", "="];
        SIGNS.iter().copied().find(|sign| self.cursor.take_text(sign))
    }

    /// Reads the variables before an assignment operator, and the operator; `None` if this is not an assignment.
    pub(super) fn assignment_targets(&mut self) -> TranslationResult<Option<(Vec<String>, &'static str)>> {
        let mut names = Vec::new();
        loop {
            self.cursor.skip_blanks();
            while self.cursor.peek() == Some('[') {
                if self.type_name().is_err() {
                    return Ok(None);
                }
                self.cursor.skip_blanks();
            }
            let Some(name) = self.target_name() else { return Ok(None) };
            names.push(name);
            self.cursor.skip_blanks();
            if self.cursor.peek() == Some(',') {
                self.cursor.next();
                continue;
            }
            return Ok(self.take_assignment_operator().map(|sign| (names, sign)));
        }
    }

    /// Reads `$name` or `${name}` and returns the name; `None` if there is none.
    pub(super) fn target_name(&mut self) -> Option<String> {
        if self.cursor.peek() != Some('$') {
            return None;
        }
        self.cursor.next();
        let is_braced = self.cursor.take_text("{");
        let name = self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':') || is_braced && c != '}');
        if is_braced && !self.cursor.take_text("}") {
            return None;
        }
        (!name.is_empty()).then_some(name)
    }

    /// Translates an assignment to these variables, from after its operator. With several variables, each becomes
    /// unknown. The statement begins at `from`.
    pub(super) fn assignment(
        &mut self,
        (names, sign): &(Vec<String>, &'static str),
        from: usize,
    ) -> TranslationResult<Statement> {
        let (value, commands) = self.assigned_value()?;
        let mut text = commands;
        for name in names {
            match variable(name) {
                VariableTranslation::Variable(variable) => {
                    self.note_files(&variable, self.may_hold_files(&value));
                    self.assigned.insert(variable.clone());
                    let one = Some(&value).filter(|_| names.len() == 1);
                    text.push_str(&self.set_variable(&variable, name, sign, one));
                    text.push('\n');
                    if names.len() > 1 {
                        text = format!("{}{text}", value.commands());
                    }
                }
                VariableTranslation::Nothing => text = format!("{}{text}", value.commands()),
                VariableTranslation::File(path) => text.push_str(&write_file(&path, sign, &value)),
                VariableTranslation::Function(function) => text.push_str(&self.set_function(&function, &value)),
                VariableTranslation::Alias(alias) => {
                    text.push_str(&value.commands());
                    self.aliases.insert(alias, value.known_text());
                }
                VariableTranslation::Drive => {
                    text.push_str(&value.commands());
                    self.unread.push(self.cursor.slice(from, self.cursor.position()));
                }
                VariableTranslation::Text(_) | VariableTranslation::Unknown => text.push_str(&value.commands()),
            }
        }
        Ok(Statement::commands(text))
    }

    /// Translates an assignment to a member or an element, `target`, from after its operator. The variables in the
    /// target are unknown after it, and the right side runs. The statement begins at `from`.
    pub(super) fn member_assignment(
        &mut self,
        target: &PowerShellValue,
        property: Option<PropertyAccess>,
        from: usize,
    ) -> TranslationResult<Statement> {
        let (value, before) = self.assigned_value()?;
        let mut text = format!("{}{before}", target.commands());
        let pieces = target.items.iter().flatten();
        let mut names: Vec<String> = pieces
            .filter_map(|piece| match piece {
                ValuePiece::Variable(name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        names.dedup();
        if value.kind == PowerShellValueKind::Code && names.is_empty() {
            // A member of a type or of the engine may be a callback.
            self.unread.push(self.cursor.slice(from, self.cursor.position()));
        }
        let value = match is_block(&value) {
            true => self.with_block_commands(PowerShellValue::default(), std::slice::from_ref(&value)),
            false => value,
        };
        if let Some(property) = property.filter(|property| self.is_of_file(property)) {
            text.push_str(&format!("{}{}\n", value.commands(), file_command("Set-ItemProperty", &property.owner)));
            return Ok(Statement::commands(text));
        }
        let mut right = Some(value);
        for name in names {
            self.note_files(&name, true);
            text.push_str(&format!("{name}={}\n", PowerShellValue::unknown_from(&right.take()).word()));
            self.assigned.insert(name);
        }
        text.push_str(&right.map_or_else(String::new, |value| value.commands()));
        Ok(Statement::commands(text))
    }

    /// Whether an assignment to this property writes the attributes of a file.
    fn is_of_file(&self, property: &PropertyAccess) -> bool {
        let name = property.name.to_ascii_lowercase();
        let owner = &property.owner;
        let is_object = owner.kind == PowerShellValueKind::Files
            || owner.known_text().is_some()
            || matches!(owner.items.as_slice(), [item] if matches!(item.as_slice(), [ValuePiece::Variable(_)]));
        FILE_PROPERTIES.contains(&name.as_str()) && is_object && self.may_hold_files(owner)
    }

    /// Translates the definition of a function by its drive: `$function:name = { … }`.
    pub(super) fn set_function(&mut self, name: &str, value: &PowerShellValue) -> String {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        if name.is_empty() || !is_plain {
            self.unread.push(name.to_owned());
            return value.commands();
        }
        if let Some(block) = value.known_text().filter(|_| is_block(value)) {
            if let Ok(text) = self.translate_nested(&format!("{name} {block}"), Self::function) {
                return format!("{text}\n");
            }
            self.unread.push(block);
        }
        self.functions.insert(name.to_owned(), Vec::new());
        format!("function {name} {{\nInvoke-Expression {}\n}}\n", value.word())
    }

    /// Records whether a variable may hold files from now on. A variable that once did may do so again.
    pub(super) fn note_files(&mut self, name: &str, may_hold: bool) {
        *self.file_variables.entry(name.to_owned()).or_default() |= may_hold;
    }

    /// Whether a value may be objects for files, and not texts or other objects.
    pub(super) fn may_hold_files(&self, value: &PowerShellValue) -> bool {
        value.kind == PowerShellValueKind::Files
            || value.items.iter().flatten().any(|piece| match piece {
                ValuePiece::Variable(name) => self.file_variables.get(name).copied().unwrap_or(true),
                ValuePiece::Output(script) => self.outputs_files(script),
                ValuePiece::Text(_) | ValuePiece::Unknown => false,
            })
    }

    /// Whether commands in bash may output objects for files.
    pub(super) fn outputs_files(&self, script: &str) -> bool {
        FILE_CMDLETS.iter().any(|cmdlet| script.contains(cmdlet))
            || self.functions.keys().any(|name| script.contains(&quoted(name)))
    }

    /// Translates the right side of an assignment. Returns its value, and the commands that run before it.
    fn assigned_value(&mut self) -> TranslationResult<(PowerShellValue, String)> {
        self.cursor.skip_lines();
        Ok(match self.read_statement()? {
            Statement::Value(value) => (value, String::new()),
            Statement::Commands { text, files: Some(files) } => (files, format!("{text}\n")),
            Statement::Commands { text, files: None } => (PowerShellValue::output(text), String::new()),
        })
    }

    /// Returns the right side of an assignment in bash. If the variable is or was a list, it is written as a list, so
    /// that all elements are replaced.
    pub(super) fn replacement_value(&mut self, variable: &str, right: String) -> String {
        if right.starts_with('(') {
            self.lists.insert(variable.to_owned());
            return right;
        }
        if self.lists.contains(variable) { format!("({right})") } else { right }
    }

    /// Returns an assignment in bash. `written` is the name in the source, with its scope. If `value` is `None`, the
    /// variable becomes unknown.
    fn set_variable(&mut self, variable: &str, written: &str, sign: &str, value: Option<&PowerShellValue>) -> String {
        let is_environment = variable.chars().any(|c| c.is_ascii_uppercase());
        let has_scope = written.contains(':');
        let to_words = |value: &PowerShellValue| match value.kind {
            PowerShellValueKind::Files => {
                value.items.iter().flat_map(|item| paths(item, WildcardMode::Expanded)).collect::<Vec<_>>()
            }
            _ => value.words(),
        };
        let words = value.map(to_words);
        let right = match (words.as_deref(), sign) {
            (Some([one]), "=" | "+=") if value.is_some_and(|value| value.kind != PowerShellValueKind::Files) => {
                one.clone()
            }
            (Some(words), "=" | "+=") if !is_environment => format!("({})", words.join(" ")),
            (Some(_), "=") => value.map(PowerShellValue::word).unwrap_or_default(),
            _ => format!("\"${{{UNKNOWN}}}\"{}", value.map(PowerShellValue::word).unwrap_or_default()),
        };
        let right = if sign == "=" { self.replacement_value(variable, right) } else { right };
        let sign = if sign == "+=" { "+=" } else { "=" };
        let is_local = self.return_scopes.contains(&ReturnScope::Function) && !has_scope && !is_environment;
        let declaration = match (is_environment, is_local) {
            (true, _) => "export ",
            // A compound assignment may refer to an outer variable, so it does not declare a local one.
            (_, true) if sign == "=" => "local ",
            _ => "",
        };
        format!("{declaration}{variable}{sign}{right}")
    }
}

/// Returns the command that writes a value into a file: `${C:\x.txt} = 1`.
fn write_file(path: &str, sign: &str, value: &PowerShellValue) -> String {
    let command = if sign == "=" { "Set-Content" } else { "Add-Content" };
    let file = paths(&[ValuePiece::Text(path.to_owned())], WildcardMode::Literal).concat();
    let lines: Vec<String> = value.words().into_iter().map(|line| format!("-Value {line}")).collect();
    format!("{command} {} {file}\n", lines.join(" "))
}
