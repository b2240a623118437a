//! Translates tests, calls and clauses by the rows of the phrasebook, whose holes are the author's parts:
//! `$field.startsWith($texts)`.

use super::super::reader::{ForeignReader, reading};
use super::calls::{field_of, literals, test_each_text};
use super::values::escaped;
use super::{ForeignConstruct, LeftOperandKind, Translation, left_operand};
use crate::phrases::{self, PhrasePlace};
use crate::syntax::language::draft;
use crate::syntax::mistakes::forms;
use crate::syntax::token::{TokenKind, tokenise};

/// The author's texts for the holes of a row.
#[derive(Default)]
struct Filling<'p> {
    /// The field for the hole `$field`, in the syntax of policies; empty if the row has no such hole.
    field: String,
    /// The names of the other holes, each with its texts; only a hole for a list has several.
    holes: Vec<(&'p str, Vec<String>)>,
}

/// Translates a whole test by a row: `"text" in field`, `field|contains: "text"`, `/regex/.test(field)`
pub(super) fn test(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    let start = reader.at;
    // Most rows begin with a field, which may itself contain calls. So the field is read once, and not for each row.
    let field = left_operand(reader).filter(|left| matches!(left.kind, LeftOperandKind::Field)).map(|left| left.text);
    let after_field = reader.at;
    phrases::phrases_of_place(PhrasePlace::Test).iter().filter(|row| call_parts(row.written).is_none()).find_map(
        |row| {
            let (filling, rest) = match row.written.strip_prefix("$field") {
                Some(rest) => (Filling { field: field.clone()?, ..Filling::default() }, rest),
                None => (Filling::default(), row.written),
            };
            reader.at = if rest.len() < row.written.len() { after_field } else { start };
            let (filling, function) = read(filling, rest, reader)?;
            let right = filling.fill(row.means);
            reader
                .is_done()
                .then(|| Translation { what: function.map_or(ForeignConstruct::Form, ForeignConstruct::Call), right })
        },
    )
}

/// Translates a call by a row. `function` is its name in the form of the phrasebook, `receiver` the object of a
/// method. Returns the translation, and whether it is a field, a test or a length.
pub(super) fn call(receiver: Option<&str>, function: &str, arguments: &[&str]) -> Option<(String, LeftOperandKind)> {
    // An argument may itself contain calls, so each is read once, and not for each row.
    let fields: Vec<Option<String>> = arguments.iter().map(|argument| field_of(argument)).collect();
    let of_place = |place: PhrasePlace| {
        let rows = || phrases::phrases_of_place(place).iter();
        // A row with the object takes precedence: `os.path.exists` is another function than `exists`.
        let named = rows().find_map(|row| Some((row, named_call(row.written, receiver, function)?)));
        let (row, filling) = named
            .into_iter()
            .chain(rows().filter_map(|row| Some((row, any_call(row.written, receiver, function)?))))
            .find_map(|(row, filling)| Some((row, filling.with_arguments(row.written, arguments, &fields)?)))?;
        Some(filling.fill(row.means))
    };
    of_place(PhrasePlace::Value)
        .map(|field| (field, LeftOperandKind::Field))
        .or_else(|| of_place(PhrasePlace::Test).map(|test| (test, LeftOperandKind::Test)))
        .or_else(|| of_place(PhrasePlace::Length).map(|field| (field, LeftOperandKind::Length)))
        .or_else(|| of_place(PhrasePlace::LowerCase).map(|field| (field, LeftOperandKind::CaseInsensitive)))
}

/// The advice for a clause of another language.
pub(in crate::syntax) struct ForeignClause {
    /// The label that describes the mistake.
    pub(in crate::syntax) label: &'static str,
    /// The help that proposes what to do instead.
    pub(in crate::syntax) help: String,
    /// The clause that replaces it, with `…` for a part that only the author knows; empty if the clause is to be
    /// deleted, `None` if there is no replacement.
    pub(in crate::syntax) right: Option<String>,
}

/// Reads a whole clause of another language, such as `continue: false`, and returns the advice for it; `None` if no
/// row matches.
pub(in crate::syntax) fn clause(reader: &mut ForeignReader<'_>) -> Option<ForeignClause> {
    let start = reader.at;
    // The table is sorted, and `$` sorts before letters. In reverse, a row with a word is tried before a row with a
    // hole in its place.
    phrases::phrases_of_place(PhrasePlace::WholeClause).iter().rev().find_map(|row| {
        reader.at = start;
        let (filling, _) = read(Filling::default(), row.written, reader)?;
        matches!(reader.text(), "" | "," | ";").then_some(())?;
        let right = filling.fill(row.means);
        let help = if right.is_empty() { filling.fill(row.help) } else { format!("write `{right}`") };
        let is_known = !right.is_empty() || help == "delete it";
        Some(ForeignClause { label: row.label, help, right: is_known.then_some(right) })
    })
}

/// Splits a row for a call into its object, its function and its holes: `$field`, `startsWith` and `$texts`. `None`
/// if the row is not a call.
fn call_parts(written: &str) -> Option<(Option<&str>, &str, &str)> {
    let (head, holes) = written.strip_suffix(')')?.split_once('(')?;
    let (object, function) = head.rsplit_once('.').map_or((None, head), |(object, function)| (Some(object), function));
    let is_call = object.is_none_or(|object| object == "$field" || !object.starts_with('$'));
    (is_call && !head.contains(' ')).then_some((object, function, holes))
}

/// Returns an empty filling if a row is a call of this function of this object: `os.path.exists($file)`.
fn named_call<'p>(written: &'p str, receiver: Option<&str>, function: &str) -> Option<Filling<'p>> {
    let (object, name, _) = call_parts(written)?;
    let receiver = PhrasePlace::Value.folded(receiver?);
    (name == function && object == Some(receiver.as_str())).then(Filling::default)
}

/// Returns a filling with the receiver if a row is a call of this method of a field, or an empty one if it is a call
/// of this function without an object. The module of a function is ignored, as in `strings.contains`.
fn any_call<'p>(written: &'p str, receiver: Option<&str>, function: &str) -> Option<Filling<'p>> {
    let (object, name, _) = call_parts(written)?;
    (name == function).then_some(())?;
    let receiver = receiver.filter(|receiver| !phrases::says_nothing(&format!("{receiver}.$function")));
    match (object, receiver) {
        (Some("$field"), Some(field)) => Some(Filling { field: field.to_owned(), ..Filling::default() }),
        (None, None) => Some(Filling::default()),
        _ => None,
    }
}

/// Reads the text at the reader in the form of a row, or of the rest of a row. Returns the filling, and the method
/// that is called, if there is one; `None` if the text has another form.
fn read<'p>(
    mut filling: Filling<'p>,
    written: &'p str,
    reader: &mut ForeignReader<'_>,
) -> Option<(Filling<'p>, Option<String>)> {
    let mut function = None;
    let mut parts = tokenise(written);
    while let Some(part) = parts.next() {
        let word = part.text(written);
        if word != "$" {
            // Some punctuation of a row also matches other punctuation that means the same, or none.
            match (word, reader.text()) {
                (":", ":" | "=" | "=>") | ("=>", "->" | ":" | "=" | "==" | "is") => reader.at += 1,
                (":", _) => {}
                _ => reader.eat_folded(word)?,
            }
            continue;
        }
        let hole = parts.next()?.text(written);
        // A hole with a method: `$regex.test`
        let (hole, method) = hole.split_once('.').map_or((hole, None), |(hole, method)| (hole, Some(method)));
        filling.read(hole, reader)?;
        if let Some(method) = method {
            reader.eat(".").then_some(())?;
            function = Some(reader.text().to_owned());
            reader.eat_folded(method)?;
        }
    }
    Some((filling, function))
}

impl<'p> Filling<'p> {
    /// Reads the text for a hole and adds it; `None` if the text does not fit the hole.
    fn read(&mut self, hole: &'p str, reader: &mut ForeignReader<'_>) -> Option<()> {
        let texts = match hole {
            "field" => {
                let field = left_operand(reader)?;
                matches!(field.kind, LeftOperandKind::Field).then_some(())?;
                self.field = field.text;
                return Some(());
            }
            "text" | "from" | "to" => vec![reader.quoted_text()?],
            "texts" | "all" => reader.texts()?,
            "regex" => vec![reader.regex()?],
            "list" => vec![reader.list()?],
            "file" => vec![reader.bare_value().map(field_or_text)?],
            "operator" | "unequal" => {
                let operator = reader.operator()?;
                ((hole == "unequal") == matches!(operator, "!=" | "is not")).then(|| vec![operator.to_owned()])?
            }
            _ => vec![part_of_clause(hole, reader)?],
        };
        self.holes.push((hole, texts));
        Some(())
    }

    /// Fills the holes between the parentheses of a row with the arguments of a call. `fields` has the field that
    /// each argument names. `None` if they do not fit.
    fn with_arguments(mut self, written: &'p str, arguments: &[&str], fields: &[Option<String>]) -> Option<Self> {
        let (_, _, holes) = call_parts(written)?;
        let holes = || holes.split(", ").filter_map(|hole| hole.strip_prefix('$'));
        let mut field_at = None;
        if holes().any(|hole| hole == "field") {
            let (at, field) = fields.iter().enumerate().find_map(|(at, field)| Some((at, field.clone()?)))?;
            (self.field, field_at) = (field, Some(at));
        }
        let mut rest = arguments.iter().enumerate().filter(|(at, _)| Some(*at) != field_at).map(|(_, other)| *other);
        let Some(hole) = holes().find(|hole| *hole != "field") else { return rest.next().is_none().then_some(self) };
        let argument = rest.find(|argument| *argument != "[]")?;
        let texts = match hole {
            "texts" => literals(argument)?,
            "text" => literals(argument).filter(|texts| texts.len() == 1)?,
            "regex" => vec![reading(argument, |reader| reader.regex())?],
            "value" => vec![reading(argument, |reader| reader.value())?.0],
            "name" => vec![name(argument)?],
            "rest" => vec![argument.to_owned()],
            _ => return None,
        };
        self.holes.push((hole, texts));
        Some(self)
    }

    /// Returns the meaning of a row, `means`, with its holes filled.
    fn fill(&self, means: &str) -> String {
        let (not, means) = means.strip_prefix("not ").map_or(("", means), |means| ("not ", means));
        for (hole, texts) in &self.holes {
            // In a row whose meaning is a field, an operator and this hole, each text becomes a test.
            let operator = means.strip_prefix("$field ").and_then(|rest| rest.strip_suffix(hole)?.strip_suffix(" $"));
            if let ("text" | "texts" | "all", Some(operator)) = (*hole, operator) {
                let join = if *hole == "all" { "and" } else { "or" };
                return format!("{not}{}", test_each_text(&self.field, operator, texts, join));
            }
        }
        let mut right = means.replace("$field", &self.field);
        for (hole, texts) in &self.holes {
            let text = match *hole {
                // A single text in another position than after an operator is within a regex.
                "text" => texts.iter().map(|text| escaped(text.trim_matches(['"', '\'']))).collect(),
                _ => texts.join(", "),
            };
            right = right.replace(&format!("${hole}"), &text);
        }
        format!("{not}{right}")
    }
}

/// Returns a text, or the field `path` or `cwd` if the text is that name.
fn field_or_text(text: String) -> String {
    match text.trim_matches('"') {
        field @ ("path" | "cwd") => field.to_owned(),
        _ => text,
    }
}

/// Returns the name that an argument is, without quotes; `None` if it contains other characters.
fn name(argument: &str) -> Option<String> {
    let name = argument.trim_matches(['"', '\'']);
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then(|| name.to_owned())
}

/// Reads the text for a hole of a clause, and returns it in the syntax of policies; `None` if it does not fit the
/// hole.
fn part_of_clause(hole: &str, reader: &mut ForeignReader<'_>) -> Option<String> {
    let (kind, text) = (reader.kind()?, reader.text());
    let inner = text.trim_matches(['"', '\'']);
    let is_name = matches!(kind, TokenKind::Word | TokenKind::Text) && !inner.is_empty();
    let is_tool_selector = is_name && inner.bytes().all(|b| b.is_ascii_alphanumeric() || b"_|*".contains(&b));
    let part = match hole {
        "value" | "other" => text.to_owned(),
        "number" if kind == TokenKind::Number => text.to_owned(),
        "word" if kind == TokenKind::Word => text.to_owned(),
        "message" if kind == TokenKind::Text && text.chars().count() > 50 => "\"…\"".to_owned(),
        "message" if kind == TokenKind::Text => text.to_owned(),
        "key" if is_name => inner.to_owned(),
        "tools" if is_tool_selector => inner.to_owned(),
        "decision" if is_name => match draft::effect_for_word(inner)? {
            "allow" => "allow".to_owned(),
            effect => format!("{effect} \"…\""),
        },
        _ => return rest_of_clause(hole, reader),
    };
    reader.at += 1;
    Some(part)
}

/// Reads the rest of a clause for a hole, and returns it in the syntax of policies; `None` if it does not fit the
/// hole.
fn rest_of_clause(hole: &str, reader: &mut ForeignReader<'_>) -> Option<String> {
    let rest = reader.slice(reader.peek()?, reader.last()?).trim_matches(['"', '\'']);
    let is_short = rest.chars().count() <= 60 && !rest.contains('\n');
    let part = match hole {
        "event" if !rest.contains(|c: char| c.is_ascii_uppercase()) => draft::event_for_word(rest)?.to_owned(),
        "searched" if is_short => draft::test_for_regex("command", rest),
        // An absolute path without quotes that must not be written, or must be neither read nor written.
        "protected" => forms::test_for_permissions(absolute(reader)?, "w"),
        "hidden" => forms::test_for_permissions(absolute(reader)?, "rw"),
        "rest" => rest.to_owned(),
        _ => return None,
    };
    reader.skip_rest();
    Some(part)
}

/// Returns the absolute path without quotes at the reader; `None` if there is none.
fn absolute<'a>(reader: &ForeignReader<'a>) -> Option<&'a str> {
    reader.rest().split_whitespace().next().filter(|path| path.starts_with('/'))
}
