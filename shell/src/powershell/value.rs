//! The value of an expression, as far as it is known, and its bash form.

use super::{UNKNOWN, quoted};

/// A part of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ValuePiece {
    Text(String),
    /// The value of a variable, by its name in the translation.
    Variable(String),
    /// The output of commands.
    Output(String),
    /// An unknown part.
    Unknown,
}

/// One object.
pub(super) type PowerShellObject = Vec<ValuePiece>;

/// The value of an expression.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PowerShellValue {
    pub(super) items: Vec<PowerShellObject>,
    pub(super) kind: PowerShellValueKind,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum PowerShellValueKind {
    #[default]
    Plain,
    /// Code: `{ … }`, `[ScriptBlock]::Create(…)`.
    Code,
    /// Files that a command found (`Get-Item x`): the items are its operands.
    Files,
    /// The output of a command in parentheses, or of a call translated to one.
    Commands,
    /// `[Text.Encoding]::UTF8`, `[Text.Encoding]::Unicode`.
    Utf8,
    Utf16,
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

    /// Returns the output of commands.
    pub(super) fn output(script: String) -> Self {
        Self { items: vec![vec![ValuePiece::Output(script)]], kind: PowerShellValueKind::Commands }
    }

    pub(super) fn single(item: PowerShellObject) -> Self {
        Self { items: vec![item], kind: PowerShellValueKind::Plain }
    }

    /// Returns the text of a single, fully known item.
    pub(super) fn known_text(&self) -> Option<String> {
        match self.items.as_slice() {
            [item] => known_object_text(item),
            _ => None,
        }
    }

    /// Returns the texts of the items, if all of them are known.
    pub(super) fn known_texts(&self) -> Option<Vec<String>> {
        self.items.iter().map(|item| known_object_text(item)).collect()
    }

    /// Returns the value as one object: the items of a list are joined with a separator.
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

    /// Returns an unknown value that is computed from others. It still runs their commands and refers to their
    /// variables.
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

    /// Returns the commands that must run to compute it.
    pub(super) fn commands(&self) -> String {
        let outputs = self.items.iter().flatten().filter_map(|piece| match piece {
            ValuePiece::Output(script) => Some(script.as_str()),
            _ => None,
        });
        let mut text = String::new();
        for script in outputs {
            text.push_str(script);
            text.push('\n');
        }
        text
    }

    /// Writes it as words.
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

    /// Writes it as one word.
    pub(super) fn word(&self) -> String {
        write_word(&self.join_items(" "))
    }
}

/// Returns all elements of a variable, each a word.
fn all_elements(name: &str) -> String {
    match is_list(name) {
        true => format!("\"${{{name}[@]}}\""),
        false => format!("\"${{{name}}}\""),
    }
}

/// Whether a variable may be a list: PowerShell variables are in lower case, environment variables are not.
fn is_list(name: &str) -> bool {
    name.chars().all(|c| !c.is_ascii_uppercase())
}

/// Returns the text of an object, if it is fully known.
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

/// Writes an object as one word.
pub(super) fn write_word(item: &[ValuePiece]) -> String {
    if item.is_empty() {
        return "''".to_owned();
    }
    item.iter().map(piece).collect()
}

fn piece(piece: &ValuePiece) -> String {
    match piece {
        ValuePiece::Text(text) => quoted(text),
        ValuePiece::Variable(name) if is_list(name) => format!("\"${{{name}[*]}}\""),
        ValuePiece::Variable(name) => format!("\"${{{name}}}\""),
        ValuePiece::Output(script) => format!("\"$({script}\n)\""),
        ValuePiece::Unknown => format!("\"${{{UNKNOWN}}}\""),
    }
}

/// Whether wildcard characters are expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WildcardMode {
    Count,
    AreText,
}

/// Writes an object as path words: with slashes, and with drives as directories of the root. A wildcard at the
/// beginning of a name also matches hidden names.
pub(super) fn paths(item: &[ValuePiece], wildcards: WildcardMode) -> Vec<String> {
    if let [ValuePiece::Variable(name)] = item {
        // It may contain a list.
        return vec![all_elements(name)];
    }
    let item = with_slashes(item);
    let mut words = vec![path_word(&item, wildcards, "")];
    if wildcards == WildcardMode::Count && begins_with_wildcard(&item) {
        words.push(path_word(&item, wildcards, "."));
    }
    words
}

/// Returns a path with slashes; its drive or home becomes a directory.
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

/// Returns the beginning of a path.
fn path_start(text: &str) -> PowerShellObject {
    // `Microsoft.PowerShell.Core/FileSystem::C:/x`
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
        // After a parameter, a word that looks like an option is not one.
        None if text.starts_with('-') => format!("./{text}"),
        None => text.to_owned(),
    };
    vec![ValuePiece::Text(text)]
}

fn begins_with_wildcard(item: &[ValuePiece]) -> bool {
    let last = match item.last() {
        Some(ValuePiece::Text(text)) => text.rsplit('/').next().unwrap_or(text),
        _ => return false,
    };
    let is_name_whole = item.len() == 1
        || item.last().is_some_and(|piece| matches!(piece, ValuePiece::Text(text) if text.contains('/')));
    is_name_whole && last.starts_with(['*', '?'])
}

/// Writes a path as one word; `hidden` precedes its last name.
fn path_word(item: &[ValuePiece], wildcards: WildcardMode, hidden: &str) -> String {
    let mut word = String::new();
    for (at, one) in item.iter().enumerate() {
        let ValuePiece::Text(text) = one else {
            word.push_str(&piece(one));
            continue;
        };
        let text = match text.rsplit_once('/') {
            _ if hidden.is_empty() || at + 1 < item.len() => text.clone(),
            Some((before, name)) => format!("{before}/{hidden}{name}"),
            None => format!("{hidden}{text}"),
        };
        match wildcards {
            WildcardMode::AreText => word.push_str(&quoted(&text)),
            WildcardMode::Count => with_wildcards(&text, &mut word),
        }
    }
    if word.is_empty() { "''".to_owned() } else { word }
}

/// Writes a text with active wildcards. Brackets that do not form a set are literal.
fn with_wildcards(text: &str, word: &mut String) {
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
