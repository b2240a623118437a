//! Reads the table `[settings]` of a host's record.

use toml::de::DeValue;

use super::kinds::{EntryHole, EntryValue, HostSettings, SettingsForm, SettingsPlace, TimeUnit};
use super::read::{RecordReader, TomlValue, leak, leak_text};

/// The placeholders in an entry that the registration of an event fills in.
const HOLES: &[(&str, EntryHole)] = &[
    ("$command", EntryHole::CommandLine),
    ("$timeout", EntryHole::TimeLimit),
    ("$event", EntryHole::EventName),
    ("$closes", EntryHole::Closes),
];

impl<'d> RecordReader<'d> {
    pub(super) fn settings(&mut self, value: &'d TomlValue<'d>) -> HostSettings {
        let mut settings = HostSettings {
            form: SettingsForm::JsonLists,
            takes_comments: false,
            takes_trailing_commas: false,
            user: None,
            project: None,
            under: "hooks",
            head: &[],
            only: &[],
            entry: &[],
            time_unit: TimeUnit::Seconds,
            is_closed_by_exit_2: false,
            event_names: &[],
            limit: None,
        };
        for (key, value) in self.entries(value) {
            match key.get_ref().as_ref() {
                "form" => settings.form = self.settings_form(value),
                "bridge" => settings.form = self.plugin(value),
                "comments" => settings.takes_comments = self.flag(value),
                "trailing_commas" => settings.takes_trailing_commas = self.flag(value),
                "user" => settings.user = Some(self.settings_place(value)),
                "project" => settings.project = Some(self.settings_place(value)),
                "under" => settings.under = self.text(value),
                "head" => settings.head = self.entry_members(value),
                "only" => settings.only = self.texts(value),
                "entry" => settings.entry = self.entry_members(value),
                "time_unit" => settings.time_unit = self.time_unit(value),
                "closed_by_exit_2" => settings.is_closed_by_exit_2 = self.flag(value),
                "events" => settings.event_names = self.event_names(value),
                "limit" => settings.limit = Some(self.text(value)),
                _ => self.unknown_key(key),
            }
        }
        let has_entries = matches!(settings.form, SettingsForm::JsonLists | SettingsForm::TomlTables);
        if has_entries && !has_command(settings.entry) {
            self.mistake(value, "the `entry` needs a `$command`");
        }
        settings
    }

    fn plugin(&mut self, value: &'d TomlValue<'d>) -> SettingsForm {
        let name = self.text(value);
        let text = (self.vocabulary.plugin)(name);
        if text.is_none() {
            self.mistake(value, &format!("there is no plugin `{name}`: only those of built-in hosts can be written"));
        }
        SettingsForm::Bridge(text.as_deref().map_or("", leak_text))
    }

    fn settings_form(&mut self, value: &TomlValue<'_>) -> SettingsForm {
        match value.get_ref().as_str() {
            Some("json") => SettingsForm::JsonLists,
            Some("toml") => SettingsForm::TomlTables,
            Some("executables") => SettingsForm::Executables,
            _ => {
                self.mistake(value, "a form is `json`, `toml` or `executables`");
                SettingsForm::JsonLists
            }
        }
    }

    fn settings_place(&mut self, value: &'d TomlValue<'d>) -> SettingsPlace {
        let mut place = SettingsPlace { directory: "", variable: None, file: "", trust: None };
        for (key, value) in self.entries(value) {
            match key.get_ref().as_ref() {
                "directory" => place.directory = self.text(value),
                "variable" => place.variable = Some(self.text(value)),
                "file" => place.file = self.text(value),
                "trust" => place.trust = Some(self.text(value)),
                _ => self.unknown_key(key),
            }
        }
        if place.file.is_empty() {
            self.mistake(value, "a place needs a `file`");
        }
        let is_below = |path: &str| !path.starts_with(['/', '~', '$']) && !path.split('/').any(|name| name == "..");
        if !is_below(place.directory) || !is_below(place.file) {
            self.mistake(value, "a place is relative to the home or the project, without `~`, `$` and `..`");
        }
        place
    }

    fn time_unit(&mut self, value: &TomlValue<'_>) -> TimeUnit {
        match value.get_ref().as_str() {
            Some("seconds") => TimeUnit::Seconds,
            Some("milliseconds") => TimeUnit::Milliseconds,
            _ => {
                self.mistake(value, "a unit is `seconds` or `milliseconds`");
                TimeUnit::Seconds
            }
        }
    }

    fn event_names(&mut self, value: &'d TomlValue<'d>) -> &'static [(&'static str, &'static [&'static str])] {
        let entries = self.entries(value);
        for (key, _) in &entries {
            self.check_event(key);
        }
        leak(entries.into_iter().map(|(key, value)| (leak_text(key.get_ref()), self.text_or_texts(value))).collect())
    }

    fn entry_members(&mut self, value: &'d TomlValue<'d>) -> &'static [(&'static str, EntryValue)] {
        let entries = self.entries(value);
        leak(entries.into_iter().map(|(key, value)| (leak_text(key.get_ref()), self.entry_value(value))).collect())
    }

    fn entry_value(&mut self, value: &'d TomlValue<'d>) -> EntryValue {
        match value.get_ref() {
            DeValue::String(text) if text.starts_with('$') => match HOLES.iter().find(|(name, _)| name == text) {
                Some((_, hole)) => EntryValue::Hole(*hole),
                None => {
                    let names: Vec<&str> = HOLES.iter().map(|(name, _)| *name).collect();
                    self.mistake(value, &format!("expected one of {}", names.join(", ")));
                    EntryValue::Fixed("")
                }
            },
            DeValue::String(text) => EntryValue::Fixed(leak_text(text)),
            DeValue::Integer(number) => EntryValue::Count(number.as_str().parse().unwrap_or_default()),
            DeValue::Table(_) => EntryValue::Object(self.entry_members(value)),
            DeValue::Array(items) => EntryValue::List(leak(items.iter().map(|item| self.entry_value(item)).collect())),
            _ => {
                self.mistake(value, "a value of an entry is a text, a number, a table or a list");
                EntryValue::Fixed("")
            }
        }
    }
}

/// Whether an entry with these members has a placeholder for the command, at any depth.
fn has_command(members: &[(&str, EntryValue)]) -> bool {
    members.iter().any(|(_, value)| match value {
        EntryValue::Hole(hole) => *hole == EntryHole::CommandLine,
        EntryValue::Object(members) => has_command(members),
        EntryValue::List(items) => items.iter().any(|item| match item {
            EntryValue::Object(members) => has_command(members),
            _ => false,
        }),
        EntryValue::Fixed(_) | EntryValue::Count(_) => false,
    })
}
