//! The fields that the engine derives from a payload.

use serde_json::Value as Json;

use super::domain::domain;
use super::{Context, Form, Reason, Scalar, Values};
use crate::ruleset::Derived;
use crate::schema::tool;

/// Members of an MCP tool's input that name files.
pub(super) const PATH_MEMBERS: &[&str] =
    &["path", "paths", "file", "files", "file_path", "filename", "uri", "source", "destination", "directory"];

impl Context<'_> {
    pub(super) fn derived(&self, derived: Derived, form: Form) -> Result<Values<'_>, Reason> {
        let text = |text: Option<&str>| text.map(|text| Scalar::text(text.to_owned())).into_iter().collect();
        let payload = self.payload;
        // Where the event has a raw field of the name, that one is meant: `event` of FileChanged.
        if let Some(name) = derived.shadowed()
            && let Some(field) = payload.event.spec().fields.iter().find(|field| field.name == name)
        {
            return Ok(self.raw(&[name.to_owned()], field.ty, form));
        }
        Ok(match derived {
            Derived::Event => text(Some(payload.event.name())),
            Derived::Host => text(Some(self.host)),
            Derived::AgentType => text(payload.agent_type()),
            Derived::ToolName => text(payload.tool_name()),
            Derived::Agent => match (payload.is_by_subagent(), payload.agent_type()) {
                (false, _) => text(Some("main")),
                (true, Some(agent)) => text(Some(agent)),
                (true, None) => return Err(Reason::nameless_agent()),
            },
            Derived::Project => self.dirs(self.roots().project.iter(), form),
            Derived::Home => self.dirs(self.roots().home.iter(), form),
            Derived::Tmp => self.dirs(self.roots().tmp.iter(), form),
            Derived::Path => {
                let files = self.input_paths().into_iter();
                files.map(|file| Scalar::path(&self.absolute(file, form))).collect()
            }
            Derived::Content => self.contents().into_iter().map(|text| Scalar::Text(text.into())).collect(),
            Derived::Command => self.commands().into_iter().map(|text| Scalar::Text(text.into())).collect(),
            Derived::Url => self.urls().into_iter().map(|text| Scalar::Text(text.into())).collect(),
            Derived::Domain => {
                let domain = |url| domain(url).map_err(|reason| Reason::host(reason, url));
                let domains = self.urls().into_iter().map(domain).collect::<Result<Vec<_>, _>>()?;
                domains.into_iter().flatten().map(Scalar::text).collect()
            }
            // `match` and `now` are words of texts; the renderer fills them in.
            Derived::Match | Derived::Now => Vec::new(),
        })
    }

    fn dirs<'d>(&self, dirs: impl Iterator<Item = &'d std::path::PathBuf>, form: Form) -> Values<'static> {
        dirs.map(|dir| Scalar::path(&self.in_form(dir.clone(), form))).collect()
    }

    /// Returns the file names in the input of a file tool, as the host wrote them.
    pub(super) fn input_paths(&self) -> Vec<&str> {
        let Some(input) = self.payload.tool_input() else { return Vec::new() };
        let known = self.payload.tool_name().and_then(tool);
        let mut paths = Vec::new();
        match known {
            Some(tool) => {
                for file in tool.files.iter().filter(|file| !file.glob) {
                    paths.extend(input.get(file.member).into_iter().flat_map(strings));
                }
            }
            None => {
                for member in PATH_MEMBERS {
                    paths.extend(input.get(member).into_iter().flat_map(strings).filter_map(file_uri));
                }
            }
        }
        paths
    }

    /// Returns the texts being written, one an edit.
    fn contents(&self) -> Vec<&str> {
        let Some(input) = self.payload.tool_input() else { return Vec::new() };
        let mut texts = Vec::new();
        for member in ["content", "new_string", "new_source"].iter().filter_map(|member| input.get(member)) {
            texts_in(member, &mut texts);
        }
        let edits = match input.get("edits") {
            Some(Json::Array(edits)) => edits.as_slice(),
            other => other.map(std::slice::from_ref).unwrap_or_default(),
        };
        edits.iter().filter_map(|edit| edit.get("new_string")).for_each(|text| texts_in(text, &mut texts));
        texts
    }

    /// Returns the texts in the member that holds the shell command: one, where the host keeps to its schema.
    fn commands(&self) -> Vec<&str> {
        let mut texts = Vec::new();
        if let (Some(input), Some(member)) = (self.payload.tool_input(), self.command_member()) {
            input.get(member).into_iter().for_each(|command| texts_in(command, &mut texts));
        }
        texts
    }

    fn urls(&self) -> Vec<&str> {
        let member = self.payload.tool_name().and_then(tool).and_then(|tool| tool.url).unwrap_or("url");
        let mut texts = Vec::new();
        if let Some(url) = self.payload.tool_input().and_then(|input| input.get(member)) {
            texts_in(url, &mut texts);
        }
        texts
    }
}

/// Collects the texts in a value where one text belongs: itself, those of a list, the `text` of a content block,
/// else all in an object.
pub(super) fn texts_in<'j>(json: &'j Json, out: &mut Vec<&'j str>) {
    match json {
        Json::String(text) => out.push(text),
        Json::Array(items) => items.iter().for_each(|item| texts_in(item, out)),
        Json::Object(members) => match block_text(json) {
            Some(text) => out.push(text),
            None => members.values().for_each(|member| texts_in(member, out)),
        },
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// Returns the text of a content block.
pub(super) fn block_text(json: &Json) -> Option<&str> {
    json.get("type").filter(|kind| *kind == "text").and_then(|_| json.get("text")?.as_str())
}

/// Returns a string, or the strings of a list (also of a list of objects with a path in each).
pub(super) fn strings(json: &Json) -> Vec<&str> {
    match json {
        Json::String(text) => vec![text],
        Json::Array(items) => items.iter().flat_map(strings).collect(),
        Json::Object(members) => {
            PATH_MEMBERS.iter().filter_map(|member| members.get(*member)).flat_map(strings).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the path of a `file:` URI, a plain path as it is, and nothing for another URI.
pub(super) fn file_uri(text: &str) -> Option<&str> {
    match text.split_once("://") {
        Some(("file", path)) => Some(path.strip_prefix("localhost").unwrap_or(path)),
        Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) => None,
        _ => Some(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_file_uris_name_files() {
        assert_eq!(file_uri("file:///etc/passwd"), Some("/etc/passwd"));
        assert_eq!(file_uri("https://example.com/x"), None);
        assert_eq!(file_uri("src/a.rs"), Some("src/a.rs"));
    }
}
