//! The record of a host, as `hosts/NAME.toml` states it.
//!
//! The build script compiles this file too, and writes the records as statics. So these types borrow all their data,
//! and use no other module of the crate: an event is only a name here.

/// The record of a host: everything that the engine knows about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostRecord {
    /// The name in commands, settings and logs, which is also that of the file: `claude-code`.
    pub(crate) name: &'static str,
    /// The name in sentences: `Claude Code`.
    pub(crate) title: &'static str,
    /// The versions of the host with which the record was tested; empty if it is based on documentation only.
    pub(crate) measured: &'static [&'static str],
    /// The documentation on which the untested parts are based, with its date; empty if everything was tested.
    pub(crate) documented: &'static str,
    /// A sentence with the reason why the host never calls its hooks; `None` if it does call them.
    pub(crate) not_called: Option<&'static str>,
    /// Programs whose presence in `PATH` shows that the host is installed.
    pub(crate) programs: &'static [&'static str],
    /// Directories whose presence in a home or a project shows that the host is used there.
    pub(crate) directories: &'static [&'static str],
    /// The scopes (`user`, `project`, `local`) in which the host also calls the hooks in the settings of Claude Code.
    pub(crate) reads_others: &'static [&'static str],
    /// The settings in which the hook is registered; `None` if `rules install` does not write them.
    pub(crate) settings: Option<HostSettings>,
    /// The directories of plugins that call the hook. A path is in the project or, with `~/`, in the user's home.
    pub(crate) plugins: &'static [&'static str],
    /// A sentence with the reason why `rules install` does not write the settings, and with what to do instead.
    pub(crate) not_installable: Option<&'static str>,
    /// The environment variable in which the host passes the project directory, if there is one.
    pub(crate) project_variable: Option<&'static str>,
    /// Whether the host starts its hooks in the project directory. The payload's `cwd` may be another one, for a single
    /// call.
    pub(crate) starts_in_project: bool,
    /// How the host reads answers.
    pub(crate) encoding: HostEncoding,
    /// Whether the host ignores exit codes, so that a call refused only by one would run.
    pub(crate) is_deaf_to_exit_codes: bool,
    /// How long the commands of rules may take if the registration sets no timeout, in milliseconds.
    pub(crate) wait: u32,
    /// Whether other agents read the settings of this host and call the hooks in them.
    pub(crate) is_read_by_others: bool,
    /// Whether the user sees the texts of events inside a subagent at once.
    pub(crate) is_shown_in_subagents: bool,
    /// Whether the path of a subagent's transcript can be derived from that of the session's.
    pub(crate) has_agent_transcripts: bool,
    /// The members of a payload that may name its event; the first of them that the payload has is used.
    pub(crate) event_members: &'static [&'static str],
    /// The signs by which a payload of this host is recognised. One of them is enough.
    pub(crate) signs: &'static [PayloadSign],
    /// The members of the schema that the payload has under another name or path.
    pub(crate) members: &'static [MemberSource],
    /// Whether the host sends PostToolUse only for calls that succeeded.
    pub(crate) tells_failures: bool,
    /// The member that only payloads about a subagent have. Without it, `agent_id` is the id of the main agent.
    pub(crate) subagent_member: Option<&'static str>,
    /// The only fields of the schema that the host ever sends; empty if there is no such restriction.
    pub(crate) fields: &'static [&'static str],
    /// The fields of the schema that the host never sends, on any event.
    pub(crate) unsent: &'static [&'static str],
    /// The paths in a payload at which the names of an MCP server and its tool may be, as pairs: the server's, and the
    /// tool's.
    pub(crate) mcp_members: &'static [(&'static str, &'static str)],
    /// The texts that may separate the name of an MCP server from that of its tool: `/` in `server/tool`.
    pub(crate) mcp_joints: &'static [&'static str],
    /// The tools whose names or members of the input differ from the schema's.
    pub(crate) tools: &'static [HostTool],
    /// The answer that prevents the action if the payload cannot be read, so that its event is not known.
    pub(crate) closed: AnswerForm,
    /// The events that the host sends. An event has several rows if its forms differ.
    pub(crate) events: &'static [HostEvent],
    /// All names that the host has for events, sorted, each with the index of the first row that has it.
    pub(crate) event_names: &'static [(&'static str, usize)],
}

/// The settings of a host in which the hook is registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostSettings {
    /// How the hooks of the host are written in its settings.
    pub(crate) form: SettingsForm,
    /// Whether the host reads comments in a JSON file.
    pub(crate) takes_comments: bool,
    /// Whether the host reads a JSON file in which a comma follows the last member or element.
    pub(crate) takes_trailing_commas: bool,
    /// The settings of the user for every project.
    pub(crate) user: Option<SettingsPlace>,
    /// The settings of a project, which are committed and shared.
    pub(crate) project: Option<SettingsPlace>,
    /// The member at the top of a file that contains the registered hooks: `hooks`.
    pub(crate) under: &'static str,
    /// The further members that a new file gets: `version = 1`.
    pub(crate) head: &'static [(&'static str, EntryValue)],
    /// The only members that the host accepts at the top of a file, since it ignores a file with others. Empty if it
    /// accepts any.
    pub(crate) only: &'static [&'static str],
    /// The members of the entry for one event.
    pub(crate) entry: &'static [(&'static str, EntryValue)],
    /// The unit of a timeout in an entry.
    pub(crate) time_unit: TimeUnit,
    /// Whether exit code 2 of the shell line blocks the event. Then `|| exit 2` after the command makes a failed hook
    /// block.
    pub(crate) is_closed_by_exit_2: bool,
    /// The events whose names in the settings differ from those in payloads, with the names. An event with an empty
    /// list of names is never registered.
    pub(crate) event_names: &'static [(&'static str, &'static [&'static str])],
    /// A sentence about a case in which the registration does not help.
    pub(crate) limit: Option<&'static str>,
}

/// How the hooks of a host are written in its settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SettingsForm {
    /// A JSON file with a list of entries for each event.
    JsonLists,
    /// A TOML file with a table for each entry.
    TomlTables,
    /// A directory with an executable file for each event, named like the event.
    Executables,
    /// A plugin for a host that starts no programs, with this text: one file, with the command and the events in it. In
    /// TOML, it is the name of a file in the same directory.
    Bridge(&'static str),
}

/// Where the settings of one scope are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SettingsPlace {
    /// The directory in the user's home; empty for the settings of a project.
    pub(crate) directory: &'static str,
    /// The environment variable that replaces the directory.
    pub(crate) variable: Option<&'static str>,
    /// The path of the file, or of the directory with executables, relative to the directory or the project.
    pub(crate) file: &'static str,
    /// A sentence about what the user must do before the host calls the hook; `None` if nothing is needed.
    pub(crate) trust: Option<&'static str>,
}

/// The unit of a timeout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

/// A value in the entry of a hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EntryValue {
    /// The same text in every entry.
    Fixed(&'static str),
    /// The same number in every entry.
    Count(u32),
    /// An object with these members.
    Object(&'static [(&'static str, EntryValue)]),
    /// A list with these elements.
    List(&'static [EntryValue]),
    /// A value of the event's registration. If the registration does not have it, the member is left out.
    Hole(EntryHole),
}

/// A value that differs from one registered event to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EntryHole {
    /// The line that a shell runs.
    CommandLine,
    /// How long the host waits.
    TimeLimit,
    /// The name of the event.
    EventName,
    /// Whether the host blocks the event if the hook fails.
    Closes,
}

impl HostRecord {
    /// Returns the paths of the files and directories in which the hook is registered. Those in the user's home begin
    /// with `~/`; the others are relative to the project.
    pub(crate) fn registration_paths(&self) -> Vec<String> {
        let places = self.settings.iter().flat_map(|settings| {
            let of_user = settings.user.iter().map(|place| format!("~/{}/{}", place.directory, place.file));
            of_user.chain(settings.project.iter().map(|place| place.file.to_owned()))
        });
        places.chain(self.plugins.iter().map(|plugin| (*plugin).to_owned())).collect()
    }
}

/// How a host reads answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HostEncoding {
    /// In the forms that the record states: JSON, text, and an exit code.
    Forms,
    /// As an exit code and text on one of two streams, which is for either the agent or the user.
    Streams,
}

/// A sign by which a payload is recognised as one of a certain host, or of a certain event. The path of a member in an
/// object is `object.member`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PayloadSign {
    /// The members that the payload must have, neither null nor empty.
    pub(crate) has: &'static [&'static str],
    /// The members that the payload must not have.
    pub(crate) lacks: &'static [&'static str],
    /// The names of events, one of which the payload must have; empty if any will do.
    pub(crate) events: &'static [&'static str],
}

/// A member of the schema, and where the payload of a host has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemberSource {
    /// The name in the schema.
    pub(crate) member: &'static str,
    /// The paths in the payload (`tool_call.name`, `workspaceRoots.0`). The first that exists is used.
    pub(crate) from: &'static [&'static str],
    /// Values of the member, as pairs: the host's word, and the schema's.
    pub(crate) words: &'static [(&'static str, &'static str)],
}

/// A tool of the schema, and the names that a host has for it and its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostTool {
    /// The name in the schema.
    pub(crate) tool: &'static str,
    /// The names that the host has for the tool.
    pub(crate) names: &'static [&'static str],
    /// Those of the names whose tools do only a part of what the schema's tool does. They are translated in payloads,
    /// but the heads of rules do not take them for the schema's tool, because an `allow` would permit more than it
    /// says.
    pub(crate) narrower: &'static [&'static str],
    /// The members of the input whose names differ, as pairs: the host's name, and the schema's.
    pub(crate) members: &'static [(&'static str, &'static str)],
    /// The member of the input with the list of commands, if a denial is to be sent as a command that prints the reason
    /// and fails. Then the agent reads the reason and goes on, whereas a real denial would end its run.
    pub(crate) refusal: Option<&'static str>,
}

/// An event that a host sends, and the answers that it obeys on it. An answer whose form is `None` cannot be carried
/// out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostEvent {
    /// The name in the schema.
    pub(crate) event: &'static str,
    /// The names that the host has for the event.
    pub(crate) names: &'static [&'static str],
    /// The sign by which a payload without the name of an event is recognised as this event, if there is one.
    pub(crate) sign: Option<PayloadSign>,
    /// A member without which the payload is not about the schema's event, so that it passes.
    pub(crate) needs: Option<&'static str>,
    /// The members of the schema that the payload of this event has under another name or path.
    pub(crate) members: &'static [MemberSource],
    /// The tool of every call, if the payload does not name one. Any further names are those by which the heads of
    /// rules can select it too.
    pub(crate) tools: &'static [&'static str],
    /// Whether calls on this event already have the schema's names of tools and members, although on other events they
    /// do not.
    pub(crate) has_schema_tools: bool,
    /// The text with which the host prefixes the name of a tool on other events, but not on this one.
    pub(crate) tool_prefix: Option<&'static str>,
    /// Those of the names under which the host sends only calls of the tools of MCP servers.
    pub(crate) server_names: &'static [&'static str],
    /// The members of the payload that make up the input of the call, if the payload has no object with the input.
    pub(crate) input: &'static [&'static str],
    /// The fields of the schema that the host never sends on this event.
    pub(crate) unsent: &'static [&'static str],
    /// The values of the member `source` that mean that a person typed the prompt; empty if the host has no such
    /// member.
    pub(crate) typed_sources: &'static [&'static str],
    /// The text with which a prompt begins that the host has generated.
    pub(crate) generated_prompt: Option<&'static str>,
    /// How long the commands of rules may take on this event, in milliseconds; `None` if as long as on others.
    pub(crate) wait: Option<u32>,
    /// Whether the user, and not the agent, reads the reason of a denial.
    pub(crate) is_reason_for_user: bool,
    /// Whether nobody reads the reason of a denial.
    pub(crate) is_reason_unread: bool,
    /// Whether plain text on standard output becomes context.
    pub(crate) is_stdout_context: bool,
    /// Whether the host carries out a rewrite only together with an allow.
    pub(crate) rewrite_needs_allow: bool,
    /// Whether the host reads the path of a worktree from standard output.
    pub(crate) is_path_read: bool,
    /// The sentence that follows the reason if a question becomes a denial.
    pub(crate) cannot_ask: Option<&'static str>,
    /// The beginning of the reason if a rewrite becomes a denial: "A command in a skill cannot be changed".
    pub(crate) cannot_rewrite: Option<&'static str>,
    /// The form of a denial.
    pub(crate) deny: Option<AnswerForm>,
    /// The form of a question to the user.
    pub(crate) ask: Option<AnswerForm>,
    /// The form of an allow.
    pub(crate) allow: Option<AnswerForm>,
    /// The form of a halt.
    pub(crate) halt: Option<AnswerForm>,
    /// The form of a context.
    pub(crate) context: Option<AnswerForm>,
    /// The form of a rewritten input.
    pub(crate) rewrite: Option<AnswerForm>,
    /// The form of a rewritten output.
    pub(crate) output: Option<AnswerForm>,
    /// The form of a text for the user.
    pub(crate) warn: Option<AnswerForm>,
    /// The form of the text of an `exit 2` that does not deny.
    pub(crate) exit_2: Option<AnswerForm>,
    /// The form that is added to a denial if it interrupts the agent.
    pub(crate) interrupt: Option<AnswerForm>,
}

impl HostEvent {
    /// An event without a name, on which the host obeys no answer.
    pub(crate) const EMPTY: Self = Self {
        event: "",
        names: &[],
        sign: None,
        needs: None,
        members: &[],
        tools: &[],
        has_schema_tools: false,
        tool_prefix: None,
        server_names: &[],
        input: &[],
        unsent: &[],
        typed_sources: &[],
        generated_prompt: None,
        wait: None,
        is_reason_for_user: false,
        is_reason_unread: false,
        is_stdout_context: false,
        rewrite_needs_allow: false,
        is_path_read: false,
        cannot_ask: None,
        cannot_rewrite: None,
        deny: None,
        ask: None,
        allow: None,
        halt: None,
        context: None,
        rewrite: None,
        output: None,
        warn: None,
        exit_2: None,
        interrupt: None,
    };
}

/// The form in which one answer, such as a denial, is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AnswerForm {
    /// The members of the object on standard output.
    pub(crate) json: &'static [(&'static str, AnswerValue)],
    /// The text on standard output, if there is no object and the exit code is 0.
    pub(crate) stdout: Option<AnswerSlot>,
    /// The text on standard error.
    pub(crate) stderr: Option<AnswerSlot>,
    /// The exit code.
    pub(crate) exit: u8,
}

impl AnswerForm {
    /// A form without any content: exit code 0.
    pub(crate) const EMPTY: Self = Self { json: &[], stdout: None, stderr: None, exit: 0 };
}

/// A value in the object of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnswerValue {
    /// A value of the verdict. If the verdict does not have it, or its text is empty, the member is left out.
    Slot(AnswerSlot),
    /// The same text in every answer.
    Text(&'static str),
    /// The same truth value in every answer.
    Flag(bool),
    /// An object with these members.
    Members(&'static [(&'static str, AnswerValue)]),
}

/// A value that the verdict provides for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnswerSlot {
    /// The reason of the decision.
    Reason,
    /// The context for the agent.
    Context,
    /// The texts for the user, or the text of `exit 2`.
    Message,
    /// The name of the event, in the words of the host.
    Event,
    /// The rewritten input of the call.
    Input,
    /// The rewritten output of the call.
    Output,
}
