//! The shape of a built-in tool's input, compared with the schema: unknown members, and required members that are
//! missing.
//!
//! Hosts add members in every release. So an unknown member adds the files, hosts and commands that it seems to name,
//! and makes a value unknown only if it may be a command. Values that are derived from a missing required member are
//! unknown.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::derived::{foreign_files, is_file_name_value, texts_in};
use super::{CallView, Reason, probable_commands};
use crate::schema::{Field, FieldType, FileInput, ToolSpec, tool_spec};

/// The schema of a call's built-in tool, if it has one, and whether the input has another shape.
#[derive(Clone, Copy, Default)]
pub(super) struct InputShape {
    row: Option<&'static ToolSpec>,
    is_foreign: bool,
}

impl<'a> CallView<'a> {
    /// Returns the shape of the input, cached.
    fn input_shape(&self) -> InputShape {
        *self.input_shape.get_or_init(|| {
            let Some(row) = self.tool_name.and_then(tool_spec) else { return InputShape::default() };
            let is_foreign = match self.tool_input {
                Some(Json::Object(members)) => {
                    members.keys().any(|name| !self.is_known_member(row, name)) || has_unknown_parts(row, members)
                }
                None | Some(Json::Null) => false,
                Some(_) => true,
            };
            InputShape { row: Some(row), is_foreign }
        })
    }

    /// Returns the schema of a built-in tool whose input has members that the schema lacks, or is not an object;
    /// `None` for any other input.
    fn tool_in_foreign_shape(&self) -> Option<&'static ToolSpec> {
        let InputShape { row, is_foreign } = self.input_shape();
        row.filter(|_| is_foreign)
    }

    /// Returns the first required member of a built-in tool for which `is_meant` holds and that is missing, or that
    /// has no text although its type is a text.
    pub(super) fn missing_member(&self, is_meant: impl Fn(&ToolSpec, &str) -> bool) -> Option<&'static str> {
        let row = self.input_shape().row?;
        let mut required = row.input.iter().filter(|field| field.required && is_meant(row, field.name));
        let missing = required.find(|field| !self.input_member(field.name).is_some_and(|value| is_given(field, value)));
        missing.map(|field| field.name).filter(|_| self.has_whole_input())
    }

    /// Returns why a file of a built-in tool is unknown, among the members for which `is_meant` holds; `None` if all
    /// are known.
    pub(super) fn unknown_files(&self, is_meant: impl Fn(&FileInput) -> bool) -> Option<Reason> {
        let row = self.input_shape().row?;
        row.files.iter().filter(|file| is_meant(file)).find_map(|file| {
            let value = self.input_member(file.member);
            match value.filter(|value| !value.as_array().is_some_and(Vec::is_empty)) {
                Some(value) if is_file_name_value(value) => None,
                Some(_) => Some(Reason::unreadable_member(file.member)),
                None => {
                    let is_required = || row.input.iter().any(|field| field.name == file.member && field.required);
                    (is_required() && self.has_whole_input()).then(|| Reason::missing_member(file.member))
                }
            }
        })
    }

    /// Returns a member of the tool's input that is not null.
    fn input_member(&self, name: &str) -> Option<&'a Json> {
        self.tool_input?.get(name).filter(|value| !value.is_null())
    }

    /// Whether the payload has all of the tool's input. An example in a policy has only the members that matter for
    /// it.
    fn has_whole_input(&self) -> bool {
        let carries_input = || self.payload.event.spec().fields.iter().any(|field| field.name == "tool_input");
        self.input_shape().is_foreign || !self.payload.is_example && carries_input()
    }

    /// Returns the files that the unknown members of a built-in tool's input name, also in the objects of its known
    /// lists.
    pub(super) fn files_of_unknown_members(&self) -> Vec<Cow<'a, str>> {
        let (Some(row), Some(input)) = (self.tool_in_foreign_shape(), self.tool_input) else { return Vec::new() };
        let mut files = foreign_files(input, &|name| self.is_known_member(row, name));
        for (part, known) in input.as_object().into_iter().flat_map(|members| parts(row, members)) {
            files.extend(foreign_files(part, &|name| has_field(known, name)));
        }
        files
    }

    /// Returns the text in the unknown members of a built-in tool's input that looks like a shell command.
    pub(super) fn command_of_unknown_members(&self) -> Option<Cow<'a, str>> {
        let row = self.tool_in_foreign_shape()?;
        probable_commands::probable_shell_text(self.tool_input?.as_object()?, &|name| self.is_known_member(row, name))
    }

    /// Whether an unknown member of a shell tool's input may be a command in addition to the known one.
    #[must_use]
    pub fn has_possible_command(&self) -> bool {
        let row = self.tool_in_foreign_shape().filter(|row| row.command.is_some() && self.declared_commands.is_empty());
        let (Some(row), Some(Json::Object(members))) = (row, self.tool_input) else { return false };
        let is_known = |name: &str| self.is_known_member(row, name);
        let is_read = || self.shell_command().is_some();
        probable_commands::has_possible_code(members, &is_known)
            || is_read() && probable_commands::has_possible_command(members, &is_known)
    }

    /// Returns the unknown members of a built-in tool's input.
    pub(super) fn unknown_members(&self) -> Option<Map<String, Json>> {
        let row = self.tool_in_foreign_shape()?;
        let members = self.tool_input?.as_object()?;
        let unknown = members.iter().filter(|(name, _)| !self.is_known_member(row, name));
        Some(unknown.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// Whether a member is in the schema of a tool, or declared as a command by a layer.
    fn is_known_member(&self, row: &ToolSpec, name: &str) -> bool {
        has_field(row.input, name) || self.declared_commands.contains(&name)
    }
}

/// Whether a schema has a field of a name.
fn has_field(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|field| field.name == name)
}

/// Whether a required member has a usable value: a member of a text type must contain a text.
fn is_given(field: &Field, value: &Json) -> bool {
    match (field.ty, value) {
        (_, Json::String(_)) => true,
        (FieldType::String | FieldType::Path, value) => {
            let mut texts = Vec::new();
            texts_in(value, &mut texts);
            !texts.is_empty()
        }
        _ => true,
    }
}

/// Returns the objects in the list members of a tool with files, each with the fields that the schema has for them.
fn parts<'j>(
    row: &'static ToolSpec,
    members: &'j Map<String, Json>,
) -> impl Iterator<Item = (&'j Json, &'static [Field])> {
    let lists = row.input.iter().filter(|_| !row.files.is_empty()).filter_map(|field| match field.ty {
        FieldType::List(FieldType::Object(known)) => Some((members.get(field.name)?.as_array()?, *known)),
        _ => None,
    });
    lists.flat_map(|(list, known)| list.iter().filter(|part| part.is_object()).map(move |part| (part, known)))
}

/// Whether an object in such a list has a member that the schema lacks.
fn has_unknown_parts(row: &'static ToolSpec, members: &Map<String, Json>) -> bool {
    parts(row, members)
        .any(|(part, known)| part.as_object().into_iter().flatten().any(|(name, _)| !has_field(known, name)))
}
