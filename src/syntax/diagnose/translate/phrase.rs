//! Tests and calls that are rows of the phrasebook, with holes for their parts: `$field.startsWith($texts)`.

use super::calls::{each, field_of, literals};
use super::reader::{TestReader, escaped};
use super::{ForeignConstruct, LeftOperandKind, Translation, left};
use crate::phrases::{self, PhrasePlace};
use crate::syntax::token::tokenise;

/// The author's texts for the holes of a row.
#[derive(Default)]
struct Filling<'p> {
    field: String,
    /// The other holes by name. One for several texts has several.
    holes: Vec<(&'p str, Vec<String>)>,
}

/// Translates a whole test: `"text" in field`, `field|contains: "text"`, `/regex/.test(field)`
pub(super) fn test(reader: &mut TestReader<'_>) -> Option<Translation> {
    let start = reader.position();
    // Most rows begin with a field, which may contain calls itself, so it is read once.
    let field = left(reader).filter(|left| matches!(left.kind, LeftOperandKind::Field)).map(|left| left.text);
    let behind = reader.position();
    phrases::phrases_of_place(PhrasePlace::Test).iter().filter(|row| call_parts(row.written).is_none()).find_map(
        |row| {
            let (filling, rest) = match row.written.strip_prefix("$field") {
                Some(rest) => (Filling { field: field.clone()?, ..Filling::default() }, rest),
                None => (Filling::default(), row.written),
            };
            reader.return_to(if rest.len() < row.written.len() { behind } else { start });
            let (filling, function) = read(filling, rest, reader)?;
            let right = filling.right(row.means);
            reader
                .is_done()
                .then(|| Translation { what: function.map_or(ForeignConstruct::Form, ForeignConstruct::Call), right })
        },
    )
}

/// Translates a call of a function or method, given its name in the form of the phrasebook.
pub(super) fn call(receiver: Option<&str>, function: &str, arguments: &[&str]) -> Option<(String, LeftOperandKind)> {
    // An argument may contain calls itself, so each is read once.
    let fields: Vec<Option<String>> = arguments.iter().map(|argument| field_of(argument)).collect();
    let of_place = |place: PhrasePlace| {
        let rows = || phrases::phrases_of_place(place).iter();
        // `os.path.exists` is another function than `exists`.
        let named = rows().find_map(|row| Some((row, named_call(row.written, receiver, function)?)));
        let (row, filling) = named
            .into_iter()
            .chain(rows().filter_map(|row| Some((row, any_call(row.written, receiver, function)?))))
            .find_map(|(row, filling)| Some((row, filling.with_arguments(row.written, arguments, &fields)?)))?;
        Some(filling.right(row.means))
    };
    of_place(PhrasePlace::Value)
        .map(|field| (field, LeftOperandKind::Field))
        .or_else(|| of_place(PhrasePlace::Test).map(|test| (test, LeftOperandKind::Test)))
        .or_else(|| of_place(PhrasePlace::Length).map(|field| (field, LeftOperandKind::Length)))
        .or_else(|| of_place(PhrasePlace::LowerCase).map(|field| (field, LeftOperandKind::Lowered)))
}

/// Splits a row for a call into its object, its function and its holes; a row that begins with a value is not one.
fn call_parts(written: &str) -> Option<(Option<&str>, &str, &str)> {
    let (head, holes) = written.strip_suffix(')')?.split_once('(')?;
    let (object, function) = head.rsplit_once('.').map_or((None, head), |(object, function)| (Some(object), function));
    let is_call = object.is_none_or(|object| object == "$field" || !object.starts_with('$'));
    (is_call && !head.contains(' ')).then_some((object, function, holes))
}

/// Returns an empty filling if a row is a call of this function of this object.
fn named_call<'p>(written: &'p str, receiver: Option<&str>, function: &str) -> Option<Filling<'p>> {
    let (object, name, _) = call_parts(written)?;
    let receiver = PhrasePlace::Value.folded(receiver?);
    (name == function && object == Some(receiver.as_str())).then(Filling::default)
}

/// Returns a filling with the receiver if a row is a call of this method of any field, or of this function of a module.
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

/// Reads a test in the form of a row, or of the rest of one. Returns the filling, and the function if there is one.
fn read<'p>(
    mut filling: Filling<'p>,
    written: &'p str,
    reader: &mut TestReader<'_>,
) -> Option<(Filling<'p>, Option<String>)> {
    let mut function = None;
    let mut parts = tokenise(written);
    while let Some(part) = parts.next() {
        if part.text(written) != "$" {
            reader.eat_folded(part.text(written))?;
            continue;
        }
        let hole = parts.next()?.text(written);
        // `$regex.test`
        let (hole, method) = hole.split_once('.').map_or((hole, None), |(hole, method)| (hole, Some(method)));
        filling.read(hole, reader)?;
        if let Some(method) = method {
            reader.eat(".").then_some(())?;
            function = Some(reader.text(0).to_owned());
            reader.eat_folded(method)?;
        }
    }
    Some((filling, function))
}

impl<'p> Filling<'p> {
    /// Reads the text for a hole.
    fn read(&mut self, hole: &'p str, reader: &mut TestReader<'_>) -> Option<()> {
        let texts = match hole {
            "field" => {
                let field = left(reader)?;
                matches!(field.kind, LeftOperandKind::Field).then_some(())?;
                self.field = field.text;
                return Some(());
            }
            "text" => vec![reader.quoted_text()?],
            "texts" | "all" => reader.texts()?,
            "regex" => vec![reader.regex()?],
            "list" => vec![reader.list()?],
            _ => return None,
        };
        self.holes.push((hole, texts));
        Some(())
    }

    /// Fills the holes between the parentheses of a row with the arguments of a call.
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
            "regex" => vec![TestReader::new(argument).regex()?],
            "value" => vec![TestReader::new(argument).value()?.0],
            "name" => vec![name(argument)?],
            "rest" => vec![argument.to_owned()],
            _ => return None,
        };
        self.holes.push((hole, texts));
        Some(self)
    }

    /// Returns the meaning of a row with its holes filled.
    fn right(&self, means: &str) -> String {
        let (not, means) = means.strip_prefix("not ").map_or(("", means), |means| ("not ", means));
        for (hole, texts) in &self.holes {
            let operator = means.strip_prefix("$field ").and_then(|rest| rest.strip_suffix(hole)?.strip_suffix(" $"));
            if let ("text" | "texts" | "all", Some(operator)) = (*hole, operator) {
                let join = if *hole == "all" { "and" } else { "or" };
                return format!("{not}{}", each(&self.field, operator, texts, join));
            }
        }
        let mut right = means.replace("$field", &self.field);
        for (hole, texts) in &self.holes {
            let text = match *hole {
                // Between slashes.
                "text" => texts.iter().map(|text| escaped(text.trim_matches(['"', '\'']))).collect(),
                _ => texts.join(", "),
            };
            right = right.replace(&format!("${hole}"), &text);
        }
        format!("{not}{right}")
    }
}

/// Returns the name that an argument quotes.
fn name(argument: &str) -> Option<String> {
    let name = argument.trim_matches(['"', '\'']);
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then(|| name.to_owned())
}
