//! Inputs of built-in tools in the shape of another agent's tool: unknown members, or missing required ones.
//!
//! Hosts add members in every release, so an unknown member adds what its shape names but makes nothing unknown. If a
//! required member is missing, an unknown one may hold its value.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::derived::foreign_files;
use super::{CallView, Reason, likely};
use crate::schema::{FileInput, ToolSpec, tool};

impl<'a> CallView<'a> {
    /// Returns the row of the built-in tool if its input has members that the row does not list, or is not an object.
    fn tool_in_foreign_shape(&self) -> Option<&'static ToolSpec> {
        *self.foreign.get_or_init(|| {
            let spec = tool(self.tool_name?)?;
            let is_foreign = match self.tool_input? {
                Json::Object(members) => members.keys().any(|name| !self.is_stated_or_known(spec, name)),
                Json::Null => false,
                _ => true,
            };
            is_foreign.then_some(spec)
        })
    }

    /// Returns the first required member that satisfies `is_meant` and is missing, if the input has unknown members,
    /// which may hold its value.
    pub(super) fn missing_member(&self, is_meant: impl Fn(&ToolSpec, &str) -> bool) -> Option<&'static str> {
        let spec = self.tool_in_foreign_shape()?;
        let input = self.tool_input?;
        let lacks = |name: &str| input.get(name).is_none_or(Json::is_null);
        let mut required = spec.input.iter().filter(|field| field.required).map(|field| field.name);
        required.find(|name| is_meant(spec, name) && lacks(name))
    }

    /// Returns why some file of a built-in tool is unknown, among those that satisfy `is_meant`; `None` if all are
    /// known.
    pub(super) fn unknown_files(&self, is_meant: impl Fn(&FileInput) -> bool) -> Option<Reason> {
        let is_file = |spec: &ToolSpec, name: &str| spec.files.iter().any(|file| file.member == name && is_meant(file));
        self.missing_member(is_file).map(Reason::missing_member)
    }

    /// Returns the files that the unknown members of a built-in tool's input name.
    pub(super) fn files_of_unknown_members(&self) -> Vec<Cow<'a, str>> {
        let (Some(spec), Some(input)) = (self.tool_in_foreign_shape(), self.tool_input) else { return Vec::new() };
        foreign_files(input, &|name| self.is_stated_or_known(spec, name))
    }

    /// Returns the text that looks like a shell command among the unknown members of a built-in tool's input.
    pub(super) fn command_of_unknown_members(&self) -> Option<Cow<'a, str>> {
        let spec = self.tool_in_foreign_shape()?;
        likely::text(self.tool_input?.as_object()?, &|name| self.is_stated_or_known(spec, name))
    }

    /// Returns the unknown members of a built-in tool's input.
    pub(super) fn unknown_members(&self) -> Option<Map<String, Json>> {
        let spec = self.tool_in_foreign_shape()?;
        let members = self.tool_input?.as_object()?;
        let unknown = members.iter().filter(|(name, _)| !self.is_stated_or_known(spec, name));
        Some(unknown.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    fn is_stated_or_known(&self, spec: &ToolSpec, name: &str) -> bool {
        spec.input.iter().any(|field| field.name == name) || self.stated.contains(&name)
    }
}
