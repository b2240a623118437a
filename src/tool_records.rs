//! Records of tools that are not in the schema: built-in records of widely used MCP servers, and records from
//! rules.toml. A record describes which members of the tool's input are files, commands, texts and URLs, and which
//! shell command is equivalent to a call.
//!
//! A record decides nothing. This module selects the records that apply to a call, by the tool's name, by the members
//! that the call has, and by the server's name if there is a record for that server.

mod call;
mod kinds;
mod read;
mod table;
mod template;

use hookrules_shell::network::client;
use hookrules_shell::programs::program;
use serde_json::Value as Json;

use crate::wire::{wire_enum, wire_struct};

pub use call::{UnexpectedObject, command, values};
pub(crate) use kinds::comparable_name;
pub use kinds::{MemberUsage, RecordMember, ToolRecord};
pub use read::{ToolRecordMistake, keys, records};

wire_struct!(ToolRecord { origin, names, servers, by_server, needs, commands, members });
wire_struct!(RecordMember { path, usage });
wire_enum!(MemberUsage {
    0 = Reads,
    1 = ReadsBelow,
    2 = Writes,
    3 = Deletes,
    4 = Untouched,
    5 = Shell,
    6 = Directory,
    7 = Content,
    8 = Url,
    9 = Cell,
    10 = Page,
});

/// The prefix of the name of a tool of an MCP server: `mcp__SERVER__TOOL`.
const SERVER_PREFIX: &str = "mcp__";

/// The length from which a record's word for a server may be any part of the server's name. A shorter one must be a
/// whole word of the name.
const MIN_PARTIAL_WORD: usize = 4;

/// Returns all built-in records, in the order of their files.
#[must_use]
pub fn built_in() -> &'static [ToolRecord] {
    table::RECORDS
}

/// Returns the indices of the built-in records that apply to a call.
#[must_use]
pub fn built_in_for(tool: &str, input: &Json) -> Vec<usize> {
    if !tool.starts_with(SERVER_PREFIX) {
        return Vec::new();
    }
    let by_full_name = records_by_name(tool, input);
    if !by_full_name.is_empty() {
        return by_full_name;
    }
    // The `push` of a git server is the same as the `git_push` of other servers.
    let (server, tool_part) = (server_name(tool), own_name(tool));
    program_of_server(tool)
        .map(|program| records_by_name(&format!("{SERVER_PREFIX}{server}__{program}_{tool_part}"), input))
        .unwrap_or_default()
}

/// Returns the indices of the built-in records that have the name of a tool and apply to a call.
fn records_by_name(tool: &str, input: &Json) -> Vec<usize> {
    let comparable: String = kinds::comparable_name(own_name(tool)).collect();
    let start = table::INDEX.partition_point(|(name, _)| *name < comparable.as_str());
    let matching = table::INDEX.iter().skip(start).take_while(|(name, _)| *name == comparable);
    applicable_records(matching.filter_map(|(_, number)| Some((*number, table::RECORDS.get(*number)?))), tool, input)
}

/// Returns the program that a tool's server wraps, if a word of the server's name identifies one. The word is listed
/// in a file of records, or it is the name of a program with subcommands, or of one that connects to other machines
/// and runs no other program.
#[must_use]
pub fn program_of_server(tool: &str) -> Option<&'static str> {
    server_name(tool).split(|c: char| !c.is_ascii_alphanumeric()).find_map(|word| {
        let word = word.to_ascii_lowercase();
        let listed = table::PROGRAMS.iter().find(|(server, _)| *server == word).map(|(_, program)| *program);
        listed.or_else(|| match program(&word) {
            Some(own) if !own.commands.is_empty() => {
                own.names.iter().copied().find(|name| *name == word && !own.is_interpreter())
            }
            Some(own) => client(&word).filter(|_| own.is_self_contained()),
            None => client(&word),
        })
    })
}

/// Returns the indices of the given records that apply to a call. If a record names the tool's server, records of
/// other servers are excluded.
pub fn applicable_records<'r>(
    records: impl Iterator<Item = (usize, &'r ToolRecord)>,
    tool: &str,
    input: &Json,
) -> Vec<usize> {
    let server = server_name(tool);
    let fits = |(_, record): &(usize, &ToolRecord)| record.is_named(tool) && record.has_required_members(input);
    let applicable: Vec<_> = records.filter(fits).collect();
    let has_own_record = applicable.iter().any(|(_, record)| record.is_of(server));
    let is_meant = |record: &ToolRecord| if has_own_record { record.is_of(server) } else { !record.by_server };
    applicable.into_iter().filter(|(_, record)| is_meant(record)).map(|(number, _)| number).collect()
}

/// Returns the name of a tool without the name of its server: `push` for `mcp__git__push`.
#[must_use]
pub fn own_name(tool: &str) -> &str {
    tool.rsplit("__").next().unwrap_or(tool)
}

/// Returns the name of a tool's server; empty if the tool belongs to none.
fn server_name(tool: &str) -> &str {
    let Some(rest) = tool.strip_prefix(SERVER_PREFIX) else { return "" };
    rest.rsplit_once("__").map_or("", |(server, _)| server)
}

impl ToolRecord {
    /// Whether the record has the name of a tool.
    #[must_use]
    pub fn is_named(&self, tool: &str) -> bool {
        let tool_part = own_name(tool);
        self.names.iter().any(|name| match name.contains("__") {
            true => name == tool,
            false => kinds::comparable_name(name).eq(kinds::comparable_name(tool_part)),
        })
    }

    /// Whether a call has every member that the record requires, in `needs` or in its commands.
    fn has_required_members(&self, input: &Json) -> bool {
        let is_given = |path: &str| values(input, path).iter().any(|value| !value.is_null());
        let of_commands = self.commands.iter().filter_map(|command| template::parse(command).ok());
        self.needs.iter().all(|path| is_given(path))
            && of_commands.flat_map(|command| template::required_members(&command)).all(is_given)
    }

    /// Whether a server's name contains one of the record's words for its servers.
    fn is_of(&self, server: &str) -> bool {
        let whole: String = kinds::comparable_name(server).collect();
        let words = || server.split(|c: char| !c.is_ascii_alphanumeric());
        self.servers.iter().any(|known| {
            let known: String = kinds::comparable_name(known).collect();
            let is_long_enough = known.len() >= MIN_PARTIAL_WORD;
            words().any(|word| word.eq_ignore_ascii_case(&known)) || (is_long_enough && whole.contains(&known))
        })
    }

    /// Returns the names of the top-level members of the input that the record describes, about which nothing is
    /// guessed.
    #[must_use]
    pub fn described_members(&self) -> Vec<&str> {
        let of_commands = self.commands.iter().filter_map(|command| template::parse(command).ok());
        let of_commands = of_commands.flat_map(|command| template::members(&command));
        let paths = self.members.iter().map(|member| &*member.path).chain(self.needs.iter().map(|path| &**path));
        paths.chain(of_commands).filter_map(|path| path.split('.').next()).collect()
    }

    /// Returns the paths of the members that the tool uses in this way.
    pub fn members_used_as(&self, usage: MemberUsage) -> impl Iterator<Item = &str> {
        self.members.iter().filter(move |member| member.usage == usage).map(|member| &*member.path)
    }
}

#[cfg(test)]
mod tests;
