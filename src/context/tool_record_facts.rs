//! The tool records that match a call of an unlisted tool, and the files and commands that they describe. Results are
//! cached, since several rules and guards look them up.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde_json::Value as Json;

use super::derived::foreign_files;
use super::{CallView, Contact, probable_commands};
use crate::config::RecordId;
use crate::embedded;
use crate::schema::tool_spec;
use crate::tool_records::{self, MemberUsage, ToolRecord, UnexpectedObject};

/// The cached results for one call.
#[derive(Default)]
pub(super) struct ToolRecordFacts {
    /// The records that match the call.
    records: OnceCell<Vec<RecordId>>,
    /// The names of the members of the input whose usage a record describes.
    members: OnceCell<Vec<String>>,
    /// The commands that the call runs according to the records.
    commands: OnceCell<Result<Vec<String>, UnexpectedObject>>,
    /// The files that the input seems to name, found without the records.
    files: OnceCell<Vec<String>>,
    /// Those of `files` that are in members that no record describes.
    other_files: OnceCell<Vec<String>>,
    /// The hosts that code in a browser page connects to.
    pub(super) pages: OnceCell<Vec<Contact>>,
}

impl<'a> CallView<'a> {
    /// Returns the records that match the call; none if the tool is in the schema.
    pub fn tool_records(&self) -> impl Iterator<Item = &'a ToolRecord> {
        let tools = self.shell_tools;
        self.record_ids().iter().filter_map(|id| tools.record(*id))
    }

    /// Returns the ids of the records that match the call, cached.
    fn record_ids(&self) -> &[RecordId] {
        self.recorded.records.get_or_init(|| match (self.tool_name, self.tool_input) {
            (Some(name), Some(input)) if tool_spec(name).is_none() => {
                self.shell_tools.records(name, input, self.seen_by)
            }
            _ => Vec::new(),
        })
    }

    /// Returns the origins of the matching records, without adjacent repetitions: the name of a built-in file, or
    /// `rules.toml`.
    #[must_use]
    pub fn record_origins(&self) -> Vec<&'a str> {
        let mut origins: Vec<&str> = self.tool_records().map(|record| &*record.origin).collect();
        origins.dedup();
        origins
    }

    /// Returns the commands that the call runs according to the records, as shell text; none if a record cannot be
    /// applied.
    #[must_use]
    pub fn recorded_commands(&self) -> Vec<String> {
        self.commands_of_records().clone().unwrap_or_default()
    }

    /// Whether a record matches the call.
    pub(super) fn has_tool_record(&self) -> bool {
        !self.record_ids().is_empty()
    }

    /// Whether a record describes how the tool uses this member of its input.
    pub(super) fn is_recorded(&self, member: &str) -> bool {
        let members = || self.tool_records().flat_map(ToolRecord::described_members).map(str::to_owned).collect();
        self.recorded.members.get_or_init(members).iter().any(|described| described == member)
    }

    /// Returns the values of the members of the input that the records describe with this usage.
    pub(super) fn recorded_values(&self, usage: MemberUsage) -> Vec<&'a Json> {
        let Some(input) = self.tool_input else { return Vec::new() };
        let paths = self.tool_records().flat_map(|record| record.members_used_as(usage));
        paths.flat_map(|path| tool_records::values(input, path)).collect()
    }

    /// Returns the values in the input that the records describe as content: text that is written to a file or shown
    /// to people.
    #[must_use]
    pub fn recorded_contents(&self) -> Vec<&'a Json> {
        self.recorded_values(MemberUsage::Content)
    }

    /// Returns the distinct commands that the call runs according to the records, as shell text. `Err` if there is an
    /// object where a record expects a text.
    pub(super) fn commands_of_records(&self) -> &Result<Vec<String>, UnexpectedObject> {
        self.recorded.commands.get_or_init(|| {
            let mut lines: Vec<String> = Vec::new();
            let Some(input) = self.tool_input else { return Ok(lines) };
            for template in self.tool_records().flat_map(|record| record.commands.iter()) {
                if let Some(line) = tool_records::command(template, input)?
                    && !lines.contains(&line)
                {
                    lines.push(line);
                }
            }
            Ok(lines)
        })
    }

    /// Returns the files that the input of an unlisted tool seems to name, found without the records.
    pub(super) fn files_by_shape(&self) -> &[String] {
        self.recorded.files.get_or_init(|| self.files_without(&|_| false))
    }

    /// Returns the files that the input seems to name in members that no record describes.
    pub(super) fn unrecorded_files(&self) -> &[String] {
        if !self.has_tool_record() {
            return self.files_by_shape();
        }
        self.recorded.other_files.get_or_init(|| self.files_without(&|member| self.is_recorded(member)))
    }

    /// Returns the files that the input seems to name, without the members for which `is_known` holds.
    fn files_without(&self, is_known: &dyn Fn(&str) -> bool) -> Vec<String> {
        let files = self.tool_input.map(|input| foreign_files(input, is_known));
        files.into_iter().flatten().map(Cow::into_owned).collect()
    }

    /// Returns, as shell text, the commands that a call probably runs; `None` if there are none, or if a policy states
    /// which member has the command.
    ///
    /// For an unlisted tool, these are the commands in its record, or those of the program that its server is named
    /// after, and any text that looks like a command in members that no record describes. For a built-in tool, it is
    /// such a text in unknown members. A program and its arguments are quoted so that each remains one word.
    #[must_use]
    pub fn likely_command(&self) -> Option<Cow<'a, str>> {
        let name = self.tool_name?;
        if !self.declared_commands.is_empty() {
            return None;
        }
        if tool_spec(name).is_some() {
            return self.command_of_unknown_members();
        }
        let members = self.tool_input?.as_object()?;
        let is_known = |member: &str| self.is_recorded(member);
        let unrecorded = match probable_commands::parse_json_strings(members, &is_known) {
            Some(parsed) => {
                probable_commands::probable_shell_text(&parsed, &is_known).map(|text| Cow::Owned(text.into_owned()))
            }
            None => probable_commands::probable_shell_text(members, &is_known),
        };
        // The tool runs the commands in this directory.
        let directory = self.recorded_values(MemberUsage::Directory).into_iter().find_map(Json::as_str);
        let mut lines: Vec<String> = directory.map(probable_commands::cd_line).into_iter().collect();
        if self.has_tool_record() {
            lines.extend(self.recorded_commands());
        } else if let Some(program) = tool_records::program_of_server(name) {
            lines.extend(probable_commands::of_program(program, name, members));
        } else {
            return unrecorded;
        }
        lines.extend(self.recorded_values(MemberUsage::Shell).into_iter().filter_map(probable_commands::line));
        lines.extend(
            self.recorded_values(MemberUsage::Cell)
                .into_iter()
                .filter_map(Json::as_str)
                .flat_map(embedded::notebook_cell_lines),
        );
        lines.extend(unrecorded.map(Cow::into_owned));
        // A change of the directory alone is no command.
        let has_command = lines.len() > usize::from(directory.is_some());
        has_command.then(|| Cow::Owned(lines.join("\n")))
    }
}
