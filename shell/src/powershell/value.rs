//! The values of expressions, as far as they are known, and how they are written in bash.

use super::{UNKNOWN, quoted};

/// A part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ValuePiece {
    /// A known text.
    Text(String),
    /// The value of a variable, given its name in bash.
    Variable(String),
    /// The output of commands in bash.
    Output(String),
    /// An unknown part.
    Unknown,
}

/// One object, which is written as one word: a sequence of parts.
pub(super) type PowerShellObject = Vec<ValuePiece>;

/// The value of an expression: a list of objects, or a single one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PowerShellValue {
    /// The objects.
    pub(super) items: Vec<PowerShellObject>,
    /// The type, which all of them have.
    pub(super) kind: PowerShellValueKind,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum PowerShellValueKind {
    /// Texts, numbers and any other objects.
    #[default]
    Plain,
    /// A block or a text of code: `{ … }`, `[ScriptBlock]::Create(…)`.
    Code,
    /// Files that a command finds (`Get-Item x`): the objects are their paths, possibly with wildcards.
    Files,
    /// The output of commands in parentheses, or of a call that is translated into a command.
    Commands,
    /// The encoding `[Text.Encoding]::UTF8`, with which bytes are decoded.
    Utf8Encoding,
    /// The encoding `[Text.Encoding]::Unicode`.
    Utf16Encoding,
}

impl PowerShellValue {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { items: vec![vec![ValuePiece::Text(text.into())]], kind: PowerShellValueKind::Plain }
    }

    pub(super) fn variable(name: impl Into<String>) -> Self {
        Self { items: vec![vec![ValuePiece::Variable(name.into())]], kind: PowerShellValueKind::Plain }
    }

    pub(super) fn unknown() -> Self {
        Self { items: vec![vec![ValuePiece::Unknown]], kind: PowerShellValueKind::Plain }
    }

    /// Returns the output of commands in bash as a value.
    pub(super) fn output(script: String) -> Self {
        Self { items: vec![vec![ValuePiece::Output(script)]], kind: PowerShellValueKind::Commands }
    }

    /// Returns a value of one object.
    pub(super) fn single(item: PowerShellObject) -> Self {
        Self { items: vec![item], kind: PowerShellValueKind::Plain }
    }

    /// Returns the text of the value, if it is a single known object.
    pub(super) fn known_text(&self) -> Option<String> {
        match self.items.as_slice() {
            [item] => known_object_text(item),
            _ => None,
        }
    }

    /// Returns the texts of all objects, if they are known.
    pub(super) fn known_texts(&self) -> Option<Vec<String>> {
        self.items.iter().map(|item| known_object_text(item)).collect()
    }

    /// Returns the value as one object: the objects of a list are joined with a separator.
    pub(super) fn join_items(&self, between: &str) -> PowerShellObject {
        let mut joined = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            if at > 0 {
                joined.push(ValuePiece::Text(between.to_owned()));
            }
            joined.extend(item.iter().cloned());
        }
        joined
    }

    /// Returns an unknown value that is computed from others. Writing it still runs the commands of the others and
    /// refers to their variables.
    pub(super) fn unknown_from<'v>(values: impl IntoIterator<Item = &'v Self>) -> Self {
        let mut item = vec![ValuePiece::Unknown];
        for piece in values.into_iter().flat_map(|value| &value.items).flatten() {
            match piece {
                ValuePiece::Variable(_) | ValuePiece::Output(_) => item.push(piece.clone()),
                ValuePiece::Text(_) | ValuePiece::Unknown => {}
            }
        }
        item.push(ValuePiece::Unknown);
        item.dedup();
        Self::single(item)
    }

    /// Returns the scripts that must run to compute the value.
    pub(super) fn scripts(&self) -> impl Iterator<Item = &str> {
        self.items.iter().flatten().filter_map(|piece| match piece {
            ValuePiece::Output(script) => Some(script.as_str()),
            _ => None,
        })
    }

    /// Returns the commands that must run to compute the value.
    pub(super) fn commands(&self) -> String {
        let mut text = String::new();
        for script in self.scripts() {
            text.push_str(script);
            text.push('\n');
        }
        text
    }

    /// Returns the value as words of bash: one for each object.
    pub(super) fn words(&self) -> Vec<String> {
        match self.items.as_slice() {
            // A variable may contain a list.
            [item] => vec![match item.as_slice() {
                [ValuePiece::Variable(name)] => all_elements(name),
                _ => write_word(item),
            }],
            items => items.iter().map(|item| write_word(item)).collect(),
        }
    }

    /// Returns the value as one word of bash.
    pub(super) fn word(&self) -> String {
        write_word(&self.join_items(" "))
    }
}

/// Returns the expansion in bash that has one word for each element of a variable.
fn all_elements(name: &str) -> String {
    match is_list(name) {
        true => format!("\"${{{name}[@]}}\""),
        false => format!("\"${{{name}}}\""),
    }
}

/// Whether a variable may be a list. Variables of PowerShell are translated into lower case; environment variables
/// have capitals and are not lists.
fn is_list(name: &str) -> bool {
    name.chars().all(|c| !c.is_ascii_uppercase())
}

/// Returns the text of an object, if it is known.
pub(super) fn known_object_text(item: &[ValuePiece]) -> Option<String> {
    let mut text = String::new();
    for piece in item {
        match piece {
            ValuePiece::Text(more) => text.push_str(more),
            _ => return None,
        }
    }
    Some(text)
}

/// Returns an object as one word of bash.
pub(super) fn write_word(item: &[ValuePiece]) -> String {
    if item.is_empty() {
        return "''".to_owned();
    }
    item.iter().map(write_piece).collect()
}

/// Returns a part of an object in bash, quoted.
fn write_piece(piece: &ValuePiece) -> String {
    match piece {
        ValuePiece::Text(text) => quoted(text),
        ValuePiece::Variable(name) if is_list(name) => format!("\"${{{name}[*]}}\""),
        ValuePiece::Variable(name) => format!("\"${{{name}}}\""),
        ValuePiece::Output(script) => format!("\"$({script}\n)\""),
        ValuePiece::Unknown => format!("\"${{{UNKNOWN}}}\""),
    }
}

/// Whether the wildcards in a path are expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WildcardMode {
    /// Wildcards are expanded.
    Expanded,
    /// Wildcards are ordinary characters.
    Literal,
}

/// Returns an object as paths in bash, with slashes and with a drive as a directory of the root: `/C:/x` for `C:\x`. If
/// wildcards are expanded and the last name begins with one, a second path matches hidden names.
pub(super) fn paths(item: &[ValuePiece], wildcards: WildcardMode) -> Vec<String> {
    if let [ValuePiece::Variable(name)] = item {
        // The variable may contain a list.
        return vec![all_elements(name)];
    }
    let item = with_slashes(item);
    let mut words = vec![path_word(&item, wildcards, "")];
    if wildcards == WildcardMode::Expanded && begins_with_wildcard(&item) {
        words.push(path_word(&item, wildcards, "."));
    }
    words
}

/// Returns a path with slashes. A drive becomes a directory of the root, and `~` becomes `$HOME`.
pub(super) fn with_slashes(item: &[ValuePiece]) -> PowerShellObject {
    let mut pieces: PowerShellObject = Vec::new();
    for (at, piece) in item.iter().enumerate() {
        match piece {
            ValuePiece::Text(text) => {
                let text = text.replace('\\', "/");
                match at {
                    0 => pieces.extend(path_start(&text)),
                    _ => pieces.push(ValuePiece::Text(text)),
                }
            }
            piece => pieces.push(piece.clone()),
        }
    }
    pieces
}

/// Returns the beginning of a path, with its drive or `~` replaced.
fn path_start(text: &str) -> PowerShellObject {
    // A provider may come before the path: `Microsoft.PowerShell.Core/FileSystem::C:/x`.
    let text = text.split_once("::").map_or(text, |(_, path)| path);
    if text == "~" || text.starts_with("~/") {
        let rest = text.get(1..).unwrap_or_default();
        let home = ValuePiece::Variable("HOME".to_owned());
        return if rest.is_empty() { vec![home] } else { vec![home, ValuePiece::Text(rest.to_owned())] };
    }
    let drive = text.split_once(':').filter(|(name, _)| {
        !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric())
            && !name.starts_with(|c: char| c.is_ascii_digit())
    });
    let text = match drive {
        Some((name, rest)) => format!("/{}:/{}", name.to_ascii_uppercase(), rest.trim_start_matches('/')),
        // In PowerShell, the value of a parameter may begin with `-`; `./` keeps bash from reading it as an option.
        None if text.starts_with('-') => format!("./{text}"),
        None => text.to_owned(),
    };
    vec![ValuePiece::Text(text)]
}

/// Whether the last name of a path begins with a wildcard.
fn begins_with_wildcard(item: &[ValuePiece]) -> bool {
    let last = match item.last() {
        Some(ValuePiece::Text(text)) => text.rsplit('/').next().unwrap_or(text),
        _ => return false,
    };
    let is_name_whole = item.len() == 1
        || item.last().is_some_and(|piece| matches!(piece, ValuePiece::Text(text) if text.contains('/')));
    is_name_whole && last.starts_with(['*', '?'])
}

/// Returns a path as one word of bash; `hidden` is inserted before its last name.
fn path_word(item: &[ValuePiece], wildcards: WildcardMode, hidden: &str) -> String {
    let mut word = String::new();
    for (at, piece) in item.iter().enumerate() {
        let ValuePiece::Text(text) = piece else {
            word.push_str(&write_piece(piece));
            continue;
        };
        let text = match text.rsplit_once('/') {
            _ if hidden.is_empty() || at + 1 < item.len() => text.clone(),
            Some((before, name)) => format!("{before}/{hidden}{name}"),
            None => format!("{hidden}{text}"),
        };
        match wildcards {
            WildcardMode::Literal => word.push_str(&quoted(&text)),
            WildcardMode::Expanded => push_with_wildcards(&text, &mut word),
        }
    }
    if word.is_empty() { "''".to_owned() } else { word }
}

/// Appends a text with its wildcards unquoted and the rest quoted. Brackets that do not form a set are literal.
fn push_with_wildcards(text: &str, word: &mut String) {
    let has_set = text.contains('[') && text.contains(']');
    let is_wild = |c: char| matches!(c, '*' | '?') || has_set && matches!(c, '[' | ']');
    let mut plain = String::new();
    for c in text.chars() {
        if is_wild(c) {
            if !plain.is_empty() {
                word.push_str(&quoted(&std::mem::take(&mut plain)));
            }
            word.push(c);
        } else {
            plain.push(c);
        }
    }
    if !plain.is_empty() {
        word.push_str(&quoted(&plain));
    }
}
