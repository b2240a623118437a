//! `rules list --tools`: the built-in records of tools, by MCP server.

use serde_json::{Map, Value as Json, json};

use super::{ListArgs, Output};
use crate::cli::print::{Printer, Style};
use crate::tool_records::{MemberUsage, ToolRecord, built_in};

/// Prints the built-in records of tools: only the tools' names, as JSON, or with a summary.
pub(super) fn list(args: &ListArgs, printer: &mut Printer) {
    if args.format == Output::Json {
        let records: Vec<Json> = built_in().iter().map(object).collect();
        printer.out(&format!("{}\n", json!({ "tools": records })));
        return;
    }
    let mut origin = "";
    for record in built_in() {
        if args.quiet {
            record.names.iter().for_each(|name| printer.out(&format!("{name}\n")));
            continue;
        }
        if record.origin != origin {
            printer.out(&format!("{}\n", printer.paint(Style::Bold, &record.origin)));
            origin = &record.origin;
        }
        printer.out(&printer.wrapped("  ", "      ", &record.names.join(", ")));
        printer.out(&printer.wrapped("      ", "        ", &record_summary(record)));
    }
}

/// Returns a summary of a record on one line: its shell commands, then the members by their use.
fn record_summary(record: &ToolRecord) -> String {
    let mut parts: Vec<String> = record.commands.iter().map(|command| format!("`{command}`")).collect();
    parts.extend(uses(record).map(|(word, members)| format!("{word} {}", members.join(", "))));
    parts.join("; ")
}

/// Returns each use of members that occurs in a record (such as a path that is read), with the names of those
/// members.
fn uses(record: &ToolRecord) -> impl Iterator<Item = (&'static str, Vec<&str>)> {
    let members_by_use =
        |(word, usage): (&'static str, MemberUsage)| (word, record.members_used_as(usage).collect::<Vec<_>>());
    MemberUsage::KEYS.into_iter().map(members_by_use).filter(|(_, members)| !members.is_empty())
}

/// Returns the JSON object of a record.
fn object(record: &ToolRecord) -> Json {
    let uses: Map<String, Json> = uses(record).map(|(word, members)| (word.to_owned(), json!(members))).collect();
    json!({
        "record": record.origin,
        "names": record.names,
        "servers": record.servers,
        "by_server": record.by_server,
        "needs": record.needs,
        "commands": record.commands,
        "members": uses,
    })
}
