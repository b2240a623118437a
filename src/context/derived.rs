//! The fields that the engine derives from a payload.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::probable_commands::is_same_name;
use super::{CallView, Context, PathForm, Reason, Scalar, ScalarValues};
use crate::domain::{domain, percent_decoded};
use crate::ruleset::{DerivedField, ValueReference};
use crate::schema::{ToolSpec, WRITTEN_TEXTS, tool_spec};
use crate::tool_records::MemberUsage;
use hookrules_shell::word::Cause;
use hookrules_shell::{Unknown, Word};

/// The members of an unlisted tool's input that name files, in any spelling: `filePath`, `file_path`.
pub(super) const PATH_MEMBERS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "file_path",
    "file_paths",
    "filename",
    "uri",
    "source",
    "destination",
    "directory",
    "absolute_path",
    "relative_path",
    "old_path",
    "new_path",
    "dir",
    "folder",
    "local_path",
    "local_file_path",
    "path_in_project",
    "input_file",
    "output_file",
    "body_file",
    "attachments",
    "attachment",
    "src",
    "dst",
    "target_file",
    "target_path",
    "source_file",
    "source_path",
    "destination_file",
    "destination_path",
    "dest",
    "dest_path",
    "notebook_path",
    "file_name",
];

/// The members of an unlisted tool's input that may name a file, but also a branch or a person. A value counts as a
/// file if it looks like a path.
const PLACE_MEMBERS: &[&str] = &["target", "from", "to", "name", "location", "resource", "entry", "inputs", "input"];

/// The number of levels of nested objects that are searched for files.
const MAX_LEVELS: usize = 3;

/// The longest path that a file can have on Linux, in bytes.
pub(super) const PATH_BYTES: usize = 4_096;

/// The maximum number of files of one call that conditions see.
const MAX_PATHS: usize = 1_000;
/// The maximum length of all their names together, in bytes.
const MAX_TOTAL_PATH_BYTES: usize = 128 << 10;

/// The files that a call names, up to the limits.
pub(super) struct CallFiles {
    /// The names of the first files, as the host sends them.
    names: Vec<String>,
    /// The number of all names in the call.
    count: usize,
    /// The length of all names in the call, in bytes.
    bytes: usize,
}

/// The cost of comparing one file, apart from its name, in units of the budget.
const FILE_UNITS: u64 = 20;
/// How many times a comparison reads the name of a file.
const FILE_NAME_PASSES: usize = 8;

impl Context<'_> {
    /// Returns the values of a field as messages show them; none if they are unknown. Of too many files, the first
    /// ones are returned.
    #[must_use]
    pub fn shown_values(&self, source: &ValueReference) -> ScalarValues<'_> {
        match source {
            ValueReference::Derived(DerivedField::Path) => self
                .call
                .files()
                .names
                .iter()
                .map(|file| Scalar::path(&self.absolute(file, PathForm::Lexical)))
                .collect(),
            source => self.lookup(source, PathForm::Lexical).unwrap_or_default(),
        }
    }

    /// Returns the values of a field that is computed from the payload, such as `path` and `content`.
    pub(super) fn derived(&self, derived: DerivedField, form: PathForm) -> Result<ScalarValues<'_>, Reason> {
        let text = |text: Option<&str>| text.map(|text| Scalar::from_text(text.to_owned())).into_iter().collect();
        let payload = self.call.payload;
        // A raw field of the event takes precedence over a derived field of the same name: `event` of FileChanged.
        if let Some(name) = derived.shadowed_field()
            && let Some(field) = payload.event.spec().fields.iter().find(|field| field.name == name)
        {
            return Ok(self.raw_values(&[name.to_owned()], field.ty, form));
        }
        let missing = match derived {
            DerivedField::Content => self.call.missing_member(|_, name| is_written_text(name)),
            DerivedField::Command => self.call.missing_member(is_command),
            DerivedField::Url | DerivedField::Domain => self.call.missing_member(is_url),
            _ => None,
        };
        if let Some(missing) = missing {
            return Err(Reason::missing_member(missing));
        }
        Ok(match derived {
            DerivedField::Event => text(Some(payload.event.name())),
            DerivedField::Host => text(Some(self.call.host)),
            DerivedField::AgentType if payload.is_actor_unclear() => return Err(Reason::open_agent()),
            DerivedField::AgentType => text(self.agent_type().map_err(Reason::transcript)?),
            DerivedField::ToolName => text(self.call.tool_name),
            DerivedField::Agent => text(Some(self.agent()?)),
            DerivedField::Project => self.dirs(self.machine.project().into_iter(), form),
            DerivedField::Home => self.dirs(self.machine.home().into_iter(), form),
            DerivedField::Tmp => self.dirs(self.machine.roots().tmp.iter().map(PathBuf::as_path), form),
            DerivedField::Path => self.paths(form)?,
            DerivedField::Content => self.call.contents().into_iter().map(|text| Scalar::Text(text.into())).collect(),
            DerivedField::Command => {
                let texts = self.call.commands().into_iter().map(|text| Scalar::Text(text.into()));
                let another = self.call.has_possible_command().then(|| unknown_values("command"));
                texts.chain(another).collect()
            }
            DerivedField::Url => self.call.urls().into_iter().map(|text| Scalar::Text(text.into())).collect(),
            DerivedField::Domain => {
                let domain = |url| domain(url).map_err(|reason| Reason::host(reason, url));
                let domains = self.call.urls().into_iter().map(domain).collect::<Result<Vec<_>, _>>()?;
                domains.into_iter().flatten().map(Scalar::from_text).collect()
            }
            // These occur only in texts, where `eval` replaces them.
            DerivedField::Match | DerivedField::Place | DerivedField::Now => Vec::new(),
        })
    }

    /// Returns the files that the call names. If some of its files are unknown, the last value represents any number
    /// of them.
    fn paths(&self, form: PathForm) -> Result<ScalarValues<'_>, Reason> {
        // `lookup` has already rejected calls with more files than the limits.
        let CallFiles { names, count, bytes } = self.call.files();
        self.machine.charge_each(FILE_UNITS, *count)?;
        self.machine.charge_text(*bytes, FILE_NAME_PASSES)?;
        let unknown = self.call.unknown_files(|_| true);
        if names.is_empty()
            && let Some(reason) = unknown
        {
            return Err(reason);
        }
        let named = names.iter().map(|file| Scalar::path(&self.absolute(file, form)));
        let unknown_paths = unknown.map(|_| unknown_values("path"));
        Ok(named.chain(unknown_paths).collect())
    }

    /// Converts directories to values, in the given form of paths.
    fn dirs<'d>(&self, dirs: impl Iterator<Item = &'d Path>, form: PathForm) -> ScalarValues<'static> {
        dirs.map(|dir| Scalar::path(&self.machine.convert_to_form(dir.to_path_buf(), form))).collect()
    }
}

impl CallView<'_> {
    /// Whether the call names more files, or longer ones, than conditions see. Each file takes time, and whoever
    /// writes the payload must not control how much.
    pub(super) fn has_too_many_files(&self) -> bool {
        self.files().names.len() < self.files().count
    }

    /// Returns the files that the call names, up to the limits.
    fn files(&self) -> &CallFiles {
        self.files.get_or_init(|| {
            let paths = self.input_paths();
            let mut bytes_left = MAX_TOTAL_PATH_BYTES;
            let fits = |path: &&Cow<'_, str>| {
                let rest = bytes_left.checked_sub(path.len()).filter(|_| path.len() <= PATH_BYTES);
                bytes_left = rest.unwrap_or(0);
                rest.is_some()
            };
            let names: Vec<String> =
                paths.iter().take(MAX_PATHS).take_while(fits).map(|path| path.clone().into_owned()).collect();
            CallFiles { names, count: paths.len(), bytes: paths.iter().map(|path| path.len()).sum() }
        })
    }

    /// Returns the names of files in the tool's input, as the host sends them.
    #[must_use]
    pub fn input_paths(&self) -> Vec<Cow<'_, str>> {
        let Some(input) = self.tool_input else { return Vec::new() };
        match self.tool_name.and_then(tool_spec) {
            Some(tool) => {
                let members = tool.files.iter().filter(|file| !file.glob).map(|file| file.member);
                let files = members.flat_map(|member| files_of_member(input, member));
                files.chain(self.files_of_unknown_members()).collect()
            }
            None => {
                let mut files: Vec<_> = self.files_by_shape().iter().map(|file| Cow::Borrowed(file.as_str())).collect();
                let mut distinct: BTreeSet<_> = files.iter().cloned().collect();
                files.extend(self.recorded_files().into_iter().filter(|file| distinct.insert(file.clone())));
                files
            }
        }
    }

    /// Returns the files in the members of the input that the tool's records describe as files.
    fn recorded_files(&self) -> Vec<Cow<'_, str>> {
        const USAGES: [MemberUsage; 5] = [
            MemberUsage::Reads,
            MemberUsage::ReadsBelow,
            MemberUsage::Writes,
            MemberUsage::Deletes,
            MemberUsage::Untouched,
        ];
        USAGES.into_iter().flat_map(|usage| self.recorded_files_used_as(usage)).collect()
    }

    /// Returns the files in the members that the tool's records describe with this usage.
    pub(super) fn recorded_files_used_as(&self, usage: MemberUsage) -> Vec<Cow<'_, str>> {
        self.recorded_values(usage).into_iter().flat_map(string_members).filter_map(file_uri).collect()
    }

    /// Returns the texts that the call writes to files, one for each edit.
    pub(super) fn contents(&self) -> Vec<&str> {
        let Some(input) = self.tool_input else { return Vec::new() };
        let mut texts = Vec::new();
        for member in WRITTEN_TEXTS.iter().filter_map(|member| input.get(*member)) {
            texts_in(member, &mut texts);
        }
        let edits = match input.get("edits") {
            Some(Json::Array(edits)) => edits.as_slice(),
            other => other.map(std::slice::from_ref).unwrap_or_default(),
        };
        edits.iter().filter_map(|edit| edit.get("new_string")).for_each(|text| texts_in(text, &mut texts));
        // A record may describe a member that was already collected by its name. Compare addresses, since two equal
        // texts may be different edits.
        let collected: BTreeSet<*const str> = texts.iter().map(|text| std::ptr::from_ref(*text)).collect();
        for text in self.recorded_values(MemberUsage::Content) {
            let mut recorded = Vec::new();
            texts_in(text, &mut recorded);
            texts.extend(recorded.into_iter().filter(|text| !collected.contains(&std::ptr::from_ref(*text))));
        }
        texts
    }

    /// Returns the texts in the member for the command: a single one if the host keeps to its schema.
    fn commands(&self) -> Vec<&str> {
        let mut texts = Vec::new();
        if let (Some(input), Some(member)) = (self.tool_input, self.command_member()) {
            input.get(member).into_iter().for_each(|command| texts_in(command, &mut texts));
        }
        texts
    }

    /// Returns the URLs in the input of the tool.
    pub(super) fn urls(&self) -> Vec<&str> {
        let member = self.tool_name.and_then(tool_spec).and_then(|tool| tool.url).unwrap_or("url");
        let mut texts = Vec::new();
        if let Some(url) = self.tool_input.and_then(|input| input.get(member)) {
            texts_in(url, &mut texts);
        }
        if texts.is_empty() {
            self.recorded_values(MemberUsage::Url).into_iter().for_each(|url| texts_in(url, &mut texts));
        }
        texts
    }
}

/// Returns the value that represents any number of unknown values of a field.
fn unknown_values(field: &str) -> Scalar<'static> {
    Scalar::PartlyKnown(Word::unknown_words(Unknown::new(Cause::FileSelection, field)))
}

/// Whether a member of the input contains text that is written to a file.
fn is_written_text(member: &str) -> bool {
    WRITTEN_TEXTS.contains(&member) || member == "edits"
}

/// Whether a member of a built-in tool's input is its shell command.
fn is_command(spec: &ToolSpec, member: &str) -> bool {
    spec.command == Some(member)
}

/// Whether a member of a built-in tool's input is its URL.
pub(super) fn is_url(spec: &ToolSpec, member: &str) -> bool {
    spec.url == Some(member)
}

/// Collects the texts in a JSON value: a string, the texts in a list, the `text` of a content block, or all texts in
/// any other object.
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

/// Returns the text of a content block, `{"type": "text", "text": …}`; `None` for any other value.
pub(super) fn block_text(json: &Json) -> Option<&str> {
    json.get("type").filter(|kind| *kind == "text").and_then(|_| json.get("text")?.as_str())
}

/// Returns a string, the strings in a list, or those in the members of an object that name files.
pub(super) fn string_members(json: &Json) -> Vec<&str> {
    match json {
        Json::String(text) => vec![text],
        Json::Array(items) => items.iter().flat_map(string_members).collect(),
        Json::Object(members) => {
            members_by_name(members.iter(), PATH_MEMBERS).0.into_iter().flat_map(string_members).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether [`string_members`] returns every file name in a value: it is a string, or there is a string wherever a
/// file name is expected.
pub(super) fn is_file_name_value(json: &Json) -> bool {
    match json {
        Json::String(_) => true,
        Json::Array(items) => items.iter().all(is_file_name_value),
        Json::Object(members) => {
            let (named, _) = members_by_name(members.iter(), PATH_MEMBERS);
            !named.is_empty() && named.into_iter().all(is_file_name_value)
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

/// Returns the string in a value, or the strings in its list, that look like paths.
fn path_like_texts(json: &Json) -> Vec<&str> {
    let texts = match json {
        Json::String(text) => vec![text.as_str()],
        Json::Array(items) => items.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    texts.into_iter().filter(|text| is_like_path(text)).collect()
}

/// Whether a text looks like the path of a file: it starts like one, is the name of a hidden file, or contains a `/`
/// and is not a URL, a package (`@scope/name`) or another kind of address.
fn is_like_path(text: &str) -> bool {
    let begins_like_path = ["/", "./", "../", "~/", "file:", "."].iter().any(|start| text.starts_with(start));
    let contains_names = || text.contains('/') && !text.starts_with('@') && !text.contains(':');
    !text.contains([' ', '\n', '?', '*', '<']) && (begins_like_path || contains_names())
}

/// Splits members into those with one of `names`, as values in the order of `names`, and all others.
fn members_by_name<'j>(
    members: impl Iterator<Item = (&'j String, &'j Json)>,
    names: &[&str],
) -> (Vec<&'j Json>, Vec<(&'j str, &'j Json)>) {
    let (mut named, mut others) = (Vec::new(), Vec::new());
    for (member, value) in members {
        match names.iter().position(|name| is_same_name(member, name)) {
            Some(position) => named.push((position, value)),
            None => others.push((member.as_str(), value)),
        }
    }
    named.sort_by_key(|(position, _)| *position);
    (named.into_iter().map(|(_, value)| value).collect(), others)
}

/// Whether a member has one of these names, in any spelling.
fn is_one_of(member: &str, names: &[&str]) -> bool {
    names.iter().any(|name| is_same_name(member, name))
}

/// Returns the files that a member of the input names.
pub(super) fn files_of_member<'j>(input: &'j Json, member: &str) -> Vec<Cow<'j, str>> {
    let named = input.get(member).map(string_members).unwrap_or_default().into_iter();
    if member == "uri" { named.filter_map(file_uri).collect() } else { named.map(Cow::Borrowed).collect() }
}

/// Returns the files that the input of an unlisted tool names, in members at up to [`MAX_LEVELS`] levels. The members
/// for which `is_known` holds are skipped.
pub(super) fn foreign_files<'j>(input: &'j Json, is_known: &dyn Fn(&str) -> bool) -> Vec<Cow<'j, str>> {
    let mut texts = Vec::new();
    match input.as_object() {
        Some(members) => {
            let unknown = members.iter().filter(|(name, _)| !is_known(name));
            let (paths, others) = members_by_name(unknown, PATH_MEMBERS);
            texts.extend(paths.into_iter().flat_map(string_members));
            others.into_iter().for_each(|(name, inner)| add_files_below(name, inner, MAX_LEVELS, &mut texts));
        }
        None => texts.extend(string_members(input)),
    }
    texts.into_iter().filter_map(file_uri).collect()
}

/// Adds the files in a member whose name does not say that it is a path, and in the objects in it.
fn add_files_below<'j>(name: &str, inner: &'j Json, levels: usize, texts: &mut Vec<&'j str>) {
    let add_object = |object: &'j Json, texts: &mut Vec<&'j str>| {
        texts.extend(string_members(object));
        let members = object.as_object().into_iter().flatten();
        for (name, inner) in members.filter(|(name, _)| levels > 0 && !is_one_of(name, PATH_MEMBERS)) {
            add_files_below(name, inner, levels - 1, texts);
        }
    };
    match inner {
        Json::Object(_) => add_object(inner, texts),
        Json::Array(items) if items.iter().any(Json::is_object) => {
            items.iter().filter(|item| item.is_object()).for_each(|item| add_object(item, texts));
        }
        value if is_one_of(name, PLACE_MEMBERS) => texts.extend(path_like_texts(value)),
        _ => {}
    }
}

/// Returns the path of a `file:` URI, or the text itself if it is not a URI; `None` for any other URI.
#[must_use]
pub fn file_uri(text: &str) -> Option<Cow<'_, str>> {
    if let Some((scheme, rest)) = text.split_once(':')
        && scheme.trim_start().eq_ignore_ascii_case("file")
    {
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let path = match rest.strip_prefix("//") {
            // The part before the next slash is the name of a host.
            Some(rest) => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/"),
            None => rest,
        };
        return Some(String::from_utf8_lossy(&percent_decoded(path)).into_owned().into());
    }
    match text.split_once("://") {
        Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) => None,
        _ => Some(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_file_uris_name_files() {
        let uris =
            ["file:///etc/passwd", "FILE:///etc/%70asswd", "file:/etc/passwd", "file://localhost/etc/passwd?x#y"];
        for uri in uris {
            assert_eq!(file_uri(uri).as_deref(), Some("/etc/passwd"), "{uri}");
        }
        assert_eq!(file_uri("https://example.com/x"), None);
        assert_eq!(file_uri("src/a.rs").as_deref(), Some("src/a.rs"));
    }
}
