//! The fields that the engine derives from a payload.

use serde_json::Value as Json;

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
            Derived::Agent => match (payload.agent_id(), payload.agent_type()) {
                (None, _) => text(Some("main")),
                (Some(_), Some(agent)) => text(Some(agent)),
                (Some(_), None) => return Err(Reason::nameless_agent()),
            },
            Derived::Project => self.dirs(self.roots().project.iter(), form),
            Derived::Home => self.dirs(self.roots().home.iter(), form),
            Derived::Tmp => self.dirs(self.roots().tmp.iter(), form),
            Derived::Path => {
                let files = self.input_paths().into_iter();
                files.map(|file| Scalar::path(&self.absolute(file, form))).collect()
            }
            Derived::Content => self.contents().into_iter().map(|text| Scalar::Text(text.into())).collect(),
            Derived::Command => text(self.shell_command().map(|(command, _)| command)),
            Derived::Url => text(self.url()),
            Derived::Domain => self.url().and_then(domain).map(Scalar::text).into_iter().collect(),
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
        let mut texts: Vec<&str> =
            ["content", "new_string", "new_source"].iter().filter_map(|member| input.get(member)?.as_str()).collect();
        let edits = input.get("edits").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        texts.extend(edits.iter().filter_map(|edit| edit.get("new_string")?.as_str()));
        texts
    }

    fn url(&self) -> Option<&str> {
        let member = self.payload.tool_name().and_then(tool).and_then(|tool| tool.url).unwrap_or("url");
        self.payload.tool_input()?.get(member)?.as_str()
    }
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

/// Returns the host of a URL in lower case, without user info, port and brackets.
fn domain(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next()?,
        None => host.split(':').next()?,
    };
    Some(host.trim_end_matches('.').to_ascii_lowercase()).filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_domain_is_the_host_alone() {
        let cases = [
            ("https://user:p@Example.COM:8443/a?b#c", Some("example.com")),
            ("https://example.com\\@evil.org/", Some("example.com")),
            ("http://[::1]:80/", Some("::1")),
            ("https://example.com./x", Some("example.com")),
            ("no url", None),
        ];
        for (url, expected) in cases {
            assert_eq!(domain(url).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn only_file_uris_name_files() {
        assert_eq!(file_uri("file:///etc/passwd"), Some("/etc/passwd"));
        assert_eq!(file_uri("https://example.com/x"), None);
        assert_eq!(file_uri("src/a.rs"), Some("src/a.rs"));
    }
}
