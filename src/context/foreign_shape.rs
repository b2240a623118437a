//! Compares a built-in tool's input with the schema: which members the schema lacks, and which required members are
//! missing.
//!
//! Hosts add members in every release. So a member that the schema lacks (an unknown member) adds the files, hosts
//! and commands that it seems to name, and makes a value unknown only if it may be a command. Values that are derived
//! from a missing required member are unknown.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::derived::{foreign_files, is_file_name_value, texts_in};
use super::{CallView, Reason, probable_commands};
use crate::schema::{Field, FieldType, FileInput, ToolSpec, tool_spec};

/// The schema of a call's tool, if it is a built-in one, and how the input differs from it.
#[derive(Clone, Copy, Default)]
pub(super) struct InputShape {
    spec: Option<&'static ToolSpec>,
    /// Whether the input has members that the schema lacks, or is not an object.
    has_unknown_members: bool,
}

impl<'a> CallView<'a> {
    /// Compares the input with the schema; cached.
    fn input_shape(&self) -> InputShape {
        *self.input_shape.get_or_init(|| {
            let Some(spec) = self.tool_name.and_then(tool_spec) else { return InputShape::default() };
            let has_unknown_members = match self.tool_input {
                Some(Json::Object(members)) => {
                    members.keys().any(|name| !self.is_known_member(spec, name))
                        || has_unknown_listed_members(spec, members)
                }
                None | Some(Json::Null) => false,
                Some(_) => true,
            };
            InputShape { spec: Some(spec), has_unknown_members }
        })
    }

    /// Returns the schema of a built-in tool whose input has members that the schema lacks, or is not an object;
    /// `None` for any other input.
    fn spec_of_foreign_input(&self) -> Option<&'static ToolSpec> {
        let InputShape { spec, has_unknown_members } = self.input_shape();
        spec.filter(|_| has_unknown_members)
    }

    /// Returns the first required member of a built-in tool, among those for which `is_meant` holds, that is missing,
    /// or that has no text although its type is a text. `None` if the payload need not have the whole input.
    pub(super) fn missing_member(&self, is_meant: impl Fn(&ToolSpec, &str) -> bool) -> Option<&'static str> {
        let spec = self.input_shape().spec?;
        let mut required = spec.input.iter().filter(|field| field.required && is_meant(spec, field.name));
        let missing = required.find(|field| !self.input_member(field.name).is_some_and(|value| is_given(field, value)));
        missing.map(|field| field.name).filter(|_| self.has_whole_input())
    }

    /// Returns why one of the files that a built-in tool's input must name is unknown; `None` if all are known. Only
    /// the members for which `is_meant` holds are examined.
    pub(super) fn unknown_files(&self, is_meant: impl Fn(&FileInput) -> bool) -> Option<Reason> {
        let spec = self.input_shape().spec?;
        spec.files.iter().filter(|file| is_meant(file)).find_map(|file| {
            let value = self.input_member(file.member);
            match value.filter(|value| !value.as_array().is_some_and(Vec::is_empty)) {
                Some(value) if is_file_name_value(value) => None,
                Some(_) => Some(Reason::unreadable_member(file.member)),
                None => {
                    let is_required = || spec.input.iter().any(|field| field.name == file.member && field.required);
                    (is_required() && self.has_whole_input()).then(|| Reason::missing_member(file.member))
                }
            }
        })
    }

    /// Returns a member of the tool's input that is not null.
    fn input_member(&self, name: &str) -> Option<&'a Json> {
        self.tool_input?.get(name).filter(|value| !value.is_null())
    }

    /// Whether the payload should have the tool's whole input. An example in a policy has only the members that
    /// matter for it.
    fn has_whole_input(&self) -> bool {
        let carries_input = || self.payload.event.spec().fields.iter().any(|field| field.name == "tool_input");
        self.input_shape().has_unknown_members || !self.payload.is_example && carries_input()
    }

    /// Returns the files that unknown members of a built-in tool's input name, also unknown members of the objects in
    /// its known lists.
    pub(super) fn files_of_unknown_members(&self) -> Vec<Cow<'a, str>> {
        let (Some(spec), Some(input)) = (self.spec_of_foreign_input(), self.tool_input) else { return Vec::new() };
        let mut files = foreign_files(input, &|name| self.is_known_member(spec, name));
        for (object, fields) in input.as_object().into_iter().flat_map(|members| listed_objects(spec, members)) {
            files.extend(foreign_files(object, &|name| has_field(fields, name)));
        }
        files
    }

    /// Returns the text in the unknown members of a built-in tool's input that looks like a shell command.
    pub(super) fn command_of_unknown_members(&self) -> Option<Cow<'a, str>> {
        let spec = self.spec_of_foreign_input()?;
        probable_commands::probable_shell_text(self.tool_input?.as_object()?, &|name| self.is_known_member(spec, name))
    }

    /// Whether an unknown member of a shell tool's input may be a command in addition to the known one.
    #[must_use]
    pub fn has_possible_command(&self) -> bool {
        let spec =
            self.spec_of_foreign_input().filter(|spec| spec.command.is_some() && self.declared_commands.is_empty());
        let (Some(spec), Some(Json::Object(members))) = (spec, self.tool_input) else { return false };
        let is_known = |name: &str| self.is_known_member(spec, name);
        let is_read = || self.shell_command().is_some();
        probable_commands::has_possible_code(members, &is_known)
            || is_read() && probable_commands::has_possible_command(members, &is_known)
    }

    /// Returns the unknown members of a built-in tool's input.
    pub(super) fn unknown_members(&self) -> Option<Map<String, Json>> {
        let spec = self.spec_of_foreign_input()?;
        let members = self.tool_input?.as_object()?;
        let unknown = members.iter().filter(|(name, _)| !self.is_known_member(spec, name));
        Some(unknown.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// Whether a member is in the schema of the tool, or is declared as a command by a layer.
    fn is_known_member(&self, spec: &ToolSpec, name: &str) -> bool {
        has_field(spec.input, name) || self.declared_commands.contains(&name)
    }
}

/// Whether one of the fields has this name.
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

/// Returns the objects in the lists of a tool's input, each with the fields that the schema has for it: the edits of
/// `MultiEdit`. Only for a tool that names files.
fn listed_objects<'j>(
    spec: &'static ToolSpec,
    members: &'j Map<String, Json>,
) -> impl Iterator<Item = (&'j Json, &'static [Field])> {
    let lists = spec.input.iter().filter(|_| !spec.files.is_empty()).filter_map(|field| match field.ty {
        FieldType::List(FieldType::Object(fields)) => Some((members.get(field.name)?.as_array()?, *fields)),
        _ => None,
    });
    lists.flat_map(|(list, fields)| list.iter().filter(|item| item.is_object()).map(move |item| (item, fields)))
}

/// Whether one of the [`listed_objects`] has a member that the schema lacks.
fn has_unknown_listed_members(spec: &'static ToolSpec, members: &Map<String, Json>) -> bool {
    listed_objects(spec, members)
        .any(|(object, fields)| object.as_object().into_iter().flatten().any(|(name, _)| !has_field(fields, name)))
}
