//! Reads the record of a host from TOML, and reports every mistake with its position.
//!
//! The build script compiles this file too. Everything that is read is leaked, so that the records are `'static`: each
//! text is read once, by the build script or by `added`.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::kinds::{
    AnswerForm, AnswerSlot, AnswerValue, HostEncoding, HostEvent, HostRecord, HostTool, MemberSource, PayloadSign,
};

/// A TOML value with its byte range in the text.
pub(super) type TomlValue<'i> = Spanned<DeValue<'i>>;

/// A member of an event, and its values as pairs: the host's word, and the schema's.
type MemberWords<'i> = (&'i str, &'static [(&'static str, &'static str)]);

/// A mistake in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HostRecordMistake {
    /// The byte range of the mistake in the text.
    pub(crate) at: Range<usize>,
    /// What is wrong, or what is valid instead.
    pub(crate) message: String,
}

/// The names that a record may use. The build script has no schema, so it accepts every name of one, and a test reads
/// the built-in records with the names of the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordVocabulary {
    /// Whether the schema has an event of this name.
    pub(crate) has_event: fn(&str) -> bool,
    /// Whether the schema has a tool of this name.
    pub(crate) has_tool: fn(&str) -> bool,
    /// Whether an event of the schema has a field of this name.
    pub(crate) has_field: fn(&str) -> bool,
    /// Returns the text of the plugin in a file of this name; `None` if there is none.
    pub(crate) plugin: fn(&str) -> Option<String>,
}

/// The placeholders in an answer that the verdict fills in.
const SLOTS: &[(&str, AnswerSlot)] = &[
    ("$reason", AnswerSlot::Reason),
    ("$context", AnswerSlot::Context),
    ("$message", AnswerSlot::Message),
    ("$event", AnswerSlot::Event),
    ("$input", AnswerSlot::Input),
    ("$output", AnswerSlot::Output),
];

/// The answer to a payload that cannot be read, unless the record has another one: exit code 2 with the reason.
const CLOSED: AnswerForm = AnswerForm { json: &[], stdout: None, stderr: Some(AnswerSlot::Reason), exit: 2 };

/// Reads the record of the host with this name. A record with mistakes is returned as far as it could be read.
#[must_use]
pub(crate) fn read_record(
    name: &str,
    text: &str,
    vocabulary: RecordVocabulary,
) -> (HostRecord, Vec<HostRecordMistake>) {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut reader = RecordReader { mistakes: Vec::new(), answers: None, vocabulary };
    for error in errors {
        let (at, message) = (error.span().unwrap_or(0..0), error.message().to_owned());
        reader.mistakes.push(HostRecordMistake { at, message });
    }
    let record = reader.record(name, document.get_ref());
    reader.check_whole(&record, document.get_ref());
    (record, reader.mistakes)
}

/// The state of reading one record.
pub(super) struct RecordReader<'d> {
    mistakes: Vec<HostRecordMistake>,
    /// The table of named sets of answers.
    answers: Option<&'d DeTable<'d>>,
    pub(super) vocabulary: RecordVocabulary,
}

impl<'d> RecordReader<'d> {
    fn record(&mut self, name: &str, table: &'d DeTable<'d>) -> HostRecord {
        self.answers = table.get("answers").and_then(|answers| answers.get_ref().as_table());
        let mut record = empty_record(name);
        for (key, value) in in_source_order(table) {
            match key.get_ref().as_ref() {
                "title" => record.title = self.text(value),
                "measured" => record.measured = self.texts(value),
                "documented" => record.documented = self.text(value),
                "not_called" => record.not_called = Some(self.text(value)),
                "programs" => record.programs = self.texts(value),
                "directories" => record.directories = self.texts(value),
                "reads_others" => record.reads_others = self.texts(value),
                "settings" => record.settings = Some(self.settings(value)),
                "not_installable" => record.not_installable = Some(self.text(value)),
                "project_variable" => record.project_variable = Some(self.text(value)),
                "starts_in_project" => record.starts_in_project = self.flag(value),
                "encoding" => record.encoding = self.encoding(value),
                "ignores_exit_codes" => record.is_deaf_to_exit_codes = self.flag(value),
                "wait" => record.wait = self.milliseconds(value),
                "read_by_others" => record.is_read_by_others = self.flag(value),
                "shown_in_subagents" => record.is_shown_in_subagents = self.flag(value),
                "tells_failures" => record.tells_failures = self.flag(value),
                "agent_transcripts" => record.has_agent_transcripts = self.flag(value),
                "event_members" => record.event_members = self.texts(value),
                "signs" => record.signs = leak(self.list(value).map(|sign| self.sign(sign)).collect()),
                "members" => record.members = self.members(value, &[]),
                "subagent_member" => record.subagent_member = Some(self.text(value)),
                "fields" => record.fields = self.fields(value),
                "plugins" => record.plugins = self.texts(value),
                "unsent" => record.unsent = self.fields(value),
                "mcp_members" => record.mcp_members = leak(self.list(value).map(|pair| self.pair(pair)).collect()),
                "mcp_joints" => record.mcp_joints = self.texts(value),
                "tools" => record.tools = self.tools(value),
                "closed" => record.closed = self.form(value),
                "answers" => {}
                "events" => {
                    record.events = self.events(value);
                    record.event_names = sorted_names(record.events);
                }
                _ => self.unknown_key(key),
            }
        }
        record
    }

    fn encoding(&mut self, value: &TomlValue<'_>) -> HostEncoding {
        match value.get_ref().as_str() {
            Some("forms") => HostEncoding::Forms,
            Some("streams") => HostEncoding::Streams,
            _ => {
                self.mistake(value, "an encoding is `forms` or `streams`");
                HostEncoding::Forms
            }
        }
    }

    fn sign(&mut self, value: &'d TomlValue<'d>) -> PayloadSign {
        let mut sign = PayloadSign { has: &[], lacks: &[], events: &[] };
        for (key, value) in self.entries(value) {
            match key.get_ref().as_ref() {
                "has" => sign.has = self.texts(value),
                "lacks" => sign.lacks = self.texts(value),
                "events" => sign.events = self.texts(value),
                _ => self.unknown_key(key),
            }
        }
        sign
    }

    /// Reads where a payload has members of the schema: `{ cwd = "workspaceRoots.0", tool_name = ["tool", "toolName"]
    /// }`. `words` are those of the same event.
    fn members(&mut self, value: &'d TomlValue<'d>, words: &[MemberWords<'d>]) -> &'static [MemberSource] {
        let source = |reader: &mut Self, member: &str, value: &'d TomlValue<'d>| MemberSource {
            member: leak_text(member),
            from: reader.text_or_texts(value),
            words: words.iter().find(|(of, _)| *of == member).map_or(&[], |(_, words)| words),
        };
        let mut members: Vec<MemberSource> =
            self.entries(value).into_iter().map(|(key, value)| source(self, key.get_ref(), value)).collect();
        for (member, words) in
            words.iter().filter(|(member, _)| members.iter().all(|known| known.member != *member)).collect::<Vec<_>>()
        {
            members.push(MemberSource { member: leak_text(member), from: &[], words });
        }
        leak(members)
    }

    fn tools(&mut self, value: &'d TomlValue<'d>) -> &'static [HostTool] {
        let entries = self.entries(value);
        for (key, _) in &entries {
            self.check_tool(key);
        }
        leak(entries.into_iter().map(|(key, value)| self.tool(key.get_ref(), value)).collect())
    }

    fn tool(&mut self, name: &str, value: &'d TomlValue<'d>) -> HostTool {
        let mut tool = HostTool { tool: leak_text(name), names: &[], narrower: &[], members: &[], refusal: None };
        for (key, value) in self.entries(value) {
            match key.get_ref().as_ref() {
                "names" => tool.names = self.texts(value),
                "members" => tool.members = self.renames(value),
                "narrower" => tool.narrower = self.texts(value),
                "refusal" => tool.refusal = Some(self.text(value)),
                _ => self.unknown_key(key),
            }
        }
        tool
    }

    /// Reads pairs of names, the host's and the schema's, from `{ schema = "host" }` or `{ schema = ["host", "other"]
    /// }`.
    fn renames(&mut self, value: &'d TomlValue<'d>) -> &'static [(&'static str, &'static str)] {
        let mut pairs = Vec::new();
        for (key, value) in self.entries(value) {
            let ours = leak_text(key.get_ref());
            pairs.extend(self.text_or_texts(value).iter().map(|theirs| (*theirs, ours)));
        }
        leak(pairs)
    }

    fn events(&mut self, value: &'d TomlValue<'d>) -> &'static [HostEvent] {
        let mut events = Vec::new();
        for (key, value) in self.entries(value) {
            self.check_event(key);
            match value.get_ref() {
                // An event with several rows, which differ in name, form or answers.
                DeValue::Array(rows) => {
                    for row in rows {
                        events.push(self.event(key.get_ref(), row));
                    }
                }
                _ => events.push(self.event(key.get_ref(), value)),
            }
        }
        leak(events)
    }

    fn event(&mut self, name: &str, value: &'d TomlValue<'d>) -> HostEvent {
        let mut event = HostEvent { event: leak_text(name), ..HostEvent::EMPTY };
        let entries = self.entries(value);
        let words = self.words(&entries);
        for (key, value) in &entries {
            if key.get_ref() == "answers" {
                for set in self.text_or_texts(value) {
                    self.apply_answers(set, value, &mut event);
                }
            }
        }
        let mut members: &[MemberSource] = &[];
        for (key, value) in &entries {
            match key.get_ref().as_ref() {
                "names" => event.names = self.text_or_texts(value),
                "sign" => event.sign = Some(self.sign(value)),
                "needs" => event.needs = Some(self.text(value)),
                "members" => members = self.members(value, &words),
                "words" | "answers" => {}
                "tool" => event.tools = self.text_or_texts(value),
                "tool_prefix" => event.tool_prefix = Some(self.text(value)),
                "servers" => event.server_names = self.text_or_texts(value),
                "input" => event.input = self.texts(value),
                "unsent" => event.unsent = self.fields(value),
                "typed_sources" => event.typed_sources = self.texts(value),
                "generated_prompt" => event.generated_prompt = Some(self.text(value)),
                "wait" => event.wait = Some(self.milliseconds(value)),
                "reason_for_user" => event.is_reason_for_user = self.flag(value),
                "reason_unread" => event.is_reason_unread = self.flag(value),
                "stdout_is_context" => event.is_stdout_context = self.flag(value),
                "rewrite_needs_allow" => event.rewrite_needs_allow = self.flag(value),
                "schema_tools" => event.has_schema_tools = self.flag(value),
                "path_read" => event.is_path_read = self.flag(value),
                "cannot_ask" => event.cannot_ask = Some(self.text(value)),
                "cannot_rewrite" => event.cannot_rewrite = Some(self.text(value)),
                _ => self.answer(key, value, &mut event),
            }
        }
        if members.is_empty() && !words.is_empty() {
            let words =
                words.iter().map(|(member, words)| MemberSource { member: leak_text(member), from: &[], words });
            members = leak(words.collect());
        }
        event.members = members;
        if event.names.is_empty() && event.sign.is_none() {
            event.names = leak(vec![event.event]);
        }
        event
    }

    /// Reads the table `words` of an event, in which each member has a table from the host's words to the schema's.
    fn words(&mut self, event: &[TableEntry<'d>]) -> Vec<MemberWords<'d>> {
        let mut words = Vec::new();
        if let Some((_, table)) = event.iter().find(|(key, _)| key.get_ref() == "words") {
            for (member, table) in self.entries(table) {
                let pairs = self.entries(table).into_iter();
                let pairs = pairs.map(|(theirs, ours)| (leak_text(theirs.get_ref()), self.text(ours))).collect();
                words.push((member.get_ref().as_ref(), leak(pairs)));
            }
        }
        words
    }

    /// Adds the answers of the named set, `[answers.NAME]`, to an event.
    fn apply_answers(&mut self, set: &str, place: &TomlValue<'_>, event: &mut HostEvent) {
        match self.answers.and_then(|answers| answers.get(set)) {
            Some(answers) => {
                for (key, value) in self.entries(answers) {
                    self.answer(key, value, event);
                }
            }
            None => self.mistake(place, &format!("there is no `[answers.{set}]`")),
        }
    }

    /// Reads one answer of an event. The value `false` removes an answer that came from a named set.
    fn answer(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>, value: &'d TomlValue<'d>, event: &mut HostEvent) {
        let answer = match key.get_ref().as_ref() {
            "deny" => &mut event.deny,
            "ask" => &mut event.ask,
            "allow" => &mut event.allow,
            "halt" => &mut event.halt,
            "context" => &mut event.context,
            "rewrite" => &mut event.rewrite,
            "output" => &mut event.output,
            "warn" => &mut event.warn,
            "exit_2" => &mut event.exit_2,
            "interrupt" => &mut event.interrupt,
            _ => return self.unknown_key(key),
        };
        *answer = match value.get_ref() {
            DeValue::Boolean(false) => None,
            _ => Some(self.form(value)),
        };
    }

    fn form(&mut self, value: &'d TomlValue<'d>) -> AnswerForm {
        let mut form = AnswerForm::EMPTY;
        for (key, value) in self.entries(value) {
            match key.get_ref().as_ref() {
                "json" => form.json = self.answer_members(value),
                "stdout" => form.stdout = self.slot(value),
                "stderr" => form.stderr = self.slot(value),
                "exit" => match value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok()) {
                    Some(code) => form.exit = code,
                    None => self.mistake(value, "an exit code is a number from 0 to 255"),
                },
                _ => self.unknown_key(key),
            }
        }
        form
    }

    fn answer_members(&mut self, value: &'d TomlValue<'d>) -> &'static [(&'static str, AnswerValue)] {
        let entries = self.entries(value);
        leak(entries.into_iter().map(|(key, value)| (leak_text(key.get_ref()), self.answer_value(value))).collect())
    }

    fn answer_value(&mut self, value: &'d TomlValue<'d>) -> AnswerValue {
        match value.get_ref() {
            DeValue::Boolean(flag) => AnswerValue::Flag(*flag),
            DeValue::String(text) if text.starts_with('$') => {
                self.slot(value).map_or(AnswerValue::Flag(false), AnswerValue::Slot)
            }
            DeValue::String(text) => AnswerValue::Text(leak_text(text)),
            DeValue::Table(_) => AnswerValue::Members(self.answer_members(value)),
            _ => {
                self.mistake(value, "a value of an answer is a text, `true`, `false` or a table");
                AnswerValue::Flag(false)
            }
        }
    }

    fn slot(&mut self, value: &TomlValue<'_>) -> Option<AnswerSlot> {
        let found = value.get_ref().as_str().and_then(|text| SLOTS.iter().find(|(name, _)| *name == text));
        if found.is_none() {
            let names: Vec<&str> = SLOTS.iter().map(|(name, _)| *name).collect();
            self.mistake(value, &format!("expected one of {}", names.join(", ")));
        }
        found.map(|(_, slot)| *slot)
    }

    fn pair(&mut self, value: &TomlValue<'_>) -> (&'static str, &'static str) {
        match self.texts(value) {
            [one, other] => (*one, *other),
            _ => {
                self.mistake(value, "expected two texts");
                ("", "")
            }
        }
    }

    pub(super) fn text(&mut self, value: &TomlValue<'_>) -> &'static str {
        match value.get_ref().as_str() {
            Some(text) => leak_text(text),
            None => {
                self.mistake(value, "expected a text");
                ""
            }
        }
    }

    pub(super) fn texts(&mut self, value: &TomlValue<'_>) -> &'static [&'static str] {
        match value.get_ref().as_array() {
            Some(items) => leak(items.iter().map(|item| self.text(item)).collect()),
            None => {
                self.mistake(value, "expected a list of texts");
                &[]
            }
        }
    }

    pub(super) fn text_or_texts(&mut self, value: &TomlValue<'_>) -> &'static [&'static str] {
        if value.get_ref().is_array() { self.texts(value) } else { leak(vec![self.text(value)]) }
    }

    pub(super) fn flag(&mut self, value: &TomlValue<'_>) -> bool {
        value.get_ref().as_bool().unwrap_or_else(|| {
            self.mistake(value, "expected `true` or `false`");
            false
        })
    }

    fn milliseconds(&mut self, value: &TomlValue<'_>) -> u32 {
        value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok()).unwrap_or_else(|| {
            self.mistake(value, "expected a number of milliseconds");
            0
        })
    }

    pub(super) fn list(&mut self, value: &'d TomlValue<'d>) -> std::slice::Iter<'d, TomlValue<'d>> {
        match value.get_ref().as_array() {
            Some(items) => items.iter(),
            None => {
                self.mistake(value, "expected a list");
                [].iter()
            }
        }
    }

    /// Returns the entries of a table in the order of the source.
    pub(super) fn entries(&mut self, value: &'d TomlValue<'d>) -> Vec<TableEntry<'d>> {
        match value.get_ref().as_table() {
            Some(table) => in_source_order(table),
            None => {
                self.mistake(value, "expected a table");
                Vec::new()
            }
        }
    }

    pub(super) fn unknown_key(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>) {
        self.mistakes.push(HostRecordMistake { at: key.span(), message: format!("unknown key `{}`", key.get_ref()) });
    }

    pub(super) fn mistake(&mut self, value: &TomlValue<'_>, message: &str) {
        self.mistake_at(value.span(), message);
    }

    pub(super) fn mistake_at(&mut self, at: Range<usize>, message: &str) {
        self.mistakes.push(HostRecordMistake { at, message: message.to_owned() });
    }
}

/// A key of a table and its value.
pub(super) type TableEntry<'d> = (&'d Spanned<std::borrow::Cow<'d, str>>, &'d TomlValue<'d>);

/// Returns the entries of a table in the order of the source, which is also that of the members in an answer.
fn in_source_order<'d>(table: &'d DeTable<'d>) -> Vec<TableEntry<'d>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Returns all names of events, sorted, each with the index of the first row that has it.
fn sorted_names(events: &[HostEvent]) -> &'static [(&'static str, usize)] {
    let rows = events.iter().enumerate();
    let mut names: Vec<_> = rows.flat_map(|(index, row)| row.names.iter().map(move |name| (*name, index))).collect();
    names.sort_unstable();
    names.dedup_by_key(|(name, _)| *name);
    leak(names)
}

pub(super) fn leak<T>(values: Vec<T>) -> &'static [T] {
    Vec::leak(values)
}

pub(super) fn leak_text(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

fn empty_record(name: &str) -> HostRecord {
    HostRecord {
        name: leak_text(name),
        title: "",
        measured: &[],
        documented: "",
        not_called: None,
        programs: &[],
        directories: &[],
        reads_others: &[],
        settings: None,
        not_installable: None,
        project_variable: None,
        starts_in_project: false,
        encoding: HostEncoding::Forms,
        is_deaf_to_exit_codes: false,
        wait: 0,
        is_read_by_others: false,
        is_shown_in_subagents: false,
        has_agent_transcripts: false,
        tells_failures: false,
        event_members: &["hook_event_name"],
        signs: &[],
        members: &[],
        subagent_member: None,
        fields: &[],
        plugins: &[],
        unsent: &[],
        mcp_members: &[],
        mcp_joints: &[],
        tools: &[],
        closed: CLOSED,
        events: &[],
        event_names: &[],
    }
}
