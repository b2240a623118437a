//! The record of a host, as `hosts/NAME.toml` states it.
//!
//! The build script writes the records as statics, so these types borrow everything and know nothing of the crate: an
//! event is a name here.

/// Everything that the engine knows about a host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostRecord {
    /// The name in commands, settings and logs: the name of the file.
    pub(crate) name: &'static str,
    /// The name in sentences.
    pub(crate) title: &'static str,
    /// The versions in which the record was measured; empty if it is only from documentation.
    pub(crate) measured: &'static [&'static str],
    /// The date of the documentation of what was not measured; empty if everything was.
    pub(crate) documented: &'static str,
    /// The sentence that says why the host never calls its hooks; `None` if it does.
    pub(crate) not_called: Option<&'static str>,
    /// The programs on the `PATH` that show that the host is installed.
    pub(crate) programs: &'static [&'static str],
    /// The directories in a home or a project that show that the host is used there.
    pub(crate) directories: &'static [&'static str],
    /// The scopes in which the host also reads the settings of the host that is read by others.
    pub(crate) reads_others: &'static [&'static str],
    /// The settings in which the hook is registered; `None` if `rules install` does not write them.
    pub(crate) settings: Option<HostSettings>,
    /// The directories of plugins that call the hook, in a project and, with `~/`, in the user's home.
    pub(crate) plugins: &'static [&'static str],
    /// The sentence that says why `rules install` does not write the settings, and what to do instead.
    pub(crate) not_installable: Option<&'static str>,
    /// The environment variable that contains the project's directory, if there is one.
    pub(crate) project_variable: Option<&'static str>,
    /// Whether hooks start in the project's directory, while `cwd` may be that of one call.
    pub(crate) starts_in_project: bool,
    /// The kind of answers.
    pub(crate) encoding: HostEncoding,
    /// Whether a refusal by the exit code lets the call run.
    pub(crate) is_deaf_to_exit_codes: bool,
    /// How long the commands of rules may take if the registration sets no timeout, in milliseconds.
    pub(crate) wait: u32,
    /// Whether other agents read the settings of this host and run the hooks in them.
    pub(crate) is_read_by_others: bool,
    /// Whether the user sees the texts of events inside a subagent at once.
    pub(crate) is_shown_in_subagents: bool,
    /// Whether the path of a subagent's transcript is derived from that of the session.
    pub(crate) has_agent_transcripts: bool,
    /// The members of a payload that name its event; the first of them that is there counts.
    pub(crate) event_members: &'static [&'static str],
    /// The signs of a payload of this host; one of them is enough.
    pub(crate) signs: &'static [PayloadSign],
    /// The schema's members that the payload has elsewhere.
    pub(crate) members: &'static [MemberSource],
    /// Whether a PostToolUse is sent only for a call that succeeded.
    pub(crate) tells_failures: bool,
    /// The member that only the payload of a subagent has; without it, `agent_id` is the main agent's.
    pub(crate) subagent_member: Option<&'static str>,
    /// The only fields of the schema that are ever sent; empty if all of an event's are.
    pub(crate) fields: &'static [&'static str],
    /// The fields of the schema that no event ever has, though others do.
    pub(crate) unsent: &'static [&'static str],
    /// Where the names of an MCP tool and its server are, each with the path of the server's and of the tool's name.
    pub(crate) mcp_members: &'static [(&'static str, &'static str)],
    /// What joins the names of an MCP server and its tool in the name of a tool.
    pub(crate) mcp_joints: &'static [&'static str],
    /// The tools whose names or inputs differ from the schema's.
    pub(crate) tools: &'static [HostTool],
    /// The answer that keeps an action from happening if nothing is known of its event.
    pub(crate) closed: AnswerForm,
    /// The events that the host sends.
    pub(crate) events: &'static [HostEvent],
    /// The host's names of the events, sorted, each with the index of the first row that has it.
    pub(crate) event_names: &'static [(&'static str, usize)],
}

/// The settings of a host in which the hook is registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostSettings {
    /// The form of the settings.
    pub(crate) form: SettingsForm,
    /// The settings of the user for every project.
    pub(crate) user: Option<SettingsPlace>,
    /// The settings of a project, which are committed and shared.
    pub(crate) project: Option<SettingsPlace>,
    /// The member of a file that contains the events or the entries.
    pub(crate) under: &'static str,
    /// The members that a new file has in addition.
    pub(crate) head: &'static [(&'static str, EntryValue)],
    /// The only members that the host accepts at the top of a file; empty if it accepts any.
    pub(crate) only: &'static [&'static str],
    /// The members of the entry for one event.
    pub(crate) entry: &'static [(&'static str, EntryValue)],
    /// The unit of a timeout in an entry.
    pub(crate) time_unit: TimeUnit,
    /// Whether a shell line that ends with exit code 2 stops what a failed hook would let pass.
    pub(crate) is_closed_by_exit_2: bool,
    /// The events whose names in the settings differ from those in payloads; one without a name is never registered.
    pub(crate) event_names: &'static [(&'static str, &'static [&'static str])],
    /// The sentence about what the registration does not reach.
    pub(crate) limit: Option<&'static str>,
}

/// The form of the settings of a host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SettingsForm {
    /// A JSON file with a list of entries for each event.
    JsonLists,
    /// A TOML file with a table for each entry.
    TomlTables,
    /// A directory with an executable file for each event, which has its name.
    Executables,
}

/// Where the settings of one scope are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SettingsPlace {
    /// The directory in the user's home; empty for the settings of a project.
    pub(crate) directory: &'static str,
    /// The environment variable that names another directory.
    pub(crate) variable: Option<&'static str>,
    /// The path of the file, or of the directory with executables.
    pub(crate) file: &'static str,
    /// The sentence about what the user must do before the host runs the hook; `None` if it runs it at once.
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
    /// An object.
    Object(&'static [(&'static str, EntryValue)]),
    /// A list.
    List(&'static [EntryValue]),
    /// What the registration of the event has there. The member is left out if it has nothing.
    Hole(EntryHole),
}

/// What the registration of an event puts into its entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EntryHole {
    /// The line that a shell runs.
    CommandLine,
    /// How long the host waits.
    TimeLimit,
    /// The name of the event.
    EventName,
    /// Whether the host stops the event if the hook fails.
    Closes,
}

impl HostRecord {
    /// Returns the paths of the files and directories in which the hook is registered; those in the user's home begin with
    /// `~/`.
    pub(crate) fn registration_paths(&self) -> Vec<String> {
        let places = self.settings.iter().flat_map(|settings| {
            let of_user = settings.user.iter().map(|place| format!("~/{}/{}", place.directory, place.file));
            of_user.chain(settings.project.iter().map(|place| place.file.to_owned()))
        });
        places.chain(self.plugins.iter().map(|plugin| (*plugin).to_owned())).collect()
    }
}

/// How a host is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HostEncoding {
    /// By the forms of the record: JSON, text, and an exit code.
    Forms,
    /// By an exit code and two streams, of which one reader gets one.
    Streams,
}

/// What the payload of a host has and lacks. A member of an object is `object.member`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PayloadSign {
    /// The members that are all there, and not null or empty.
    pub(crate) has: &'static [&'static str],
    /// The members of which none is there.
    pub(crate) lacks: &'static [&'static str],
    /// The events of which the payload names one; empty for any.
    pub(crate) events: &'static [&'static str],
}

/// A member of the schema, and where a payload has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemberSource {
    /// The name in the schema.
    pub(crate) member: &'static str,
    /// The paths in the payload, of which the first that is there counts: `tool_call.name`, `workspaceRoots.0`.
    pub(crate) from: &'static [&'static str],
    /// The host's words for values of the schema, each before the schema's.
    pub(crate) words: &'static [(&'static str, &'static str)],
}

/// A tool of the schema, and what a host calls it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostTool {
    /// The name in the schema.
    pub(crate) tool: &'static str,
    /// The host's names.
    pub(crate) names: &'static [&'static str],
    /// The members of the input that have other names: the host's before the schema's.
    pub(crate) members: &'static [(&'static str, &'static str)],
    /// The list of commands in the input, if a denied call is to run one that prints the reason and fails: then the agent
    /// reads the reason and goes on, while the host's denial would end its run.
    pub(crate) refusal: Option<&'static str>,
}

/// An event that a host sends, and the answers that it obeys there. An answer that is `None` cannot be carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostEvent {
    /// The name in the schema.
    pub(crate) event: &'static str,
    /// The host's names.
    pub(crate) names: &'static [&'static str],
    /// How a payload that names no event is known as one of this event; `None` if it is not.
    pub(crate) sign: Option<PayloadSign>,
    /// A member without which the payload is none of the schema's event, and passes.
    pub(crate) needs: Option<&'static str>,
    /// The schema's members that the payload of this event has elsewhere.
    pub(crate) members: &'static [MemberSource],
    /// The tool of each call, if the payload names none; the further names are those by which the heads of rules select
    /// the tool as well.
    pub(crate) tools: &'static [&'static str],
    /// Whether a call has the schema's names for its tool and input, although other events have the host's.
    pub(crate) has_schema_tools: bool,
    /// What the host writes before the name of the same tool on its other events.
    pub(crate) tool_prefix: Option<&'static str>,
    /// The members of the payload that are the input of the call, if the payload has no object for it.
    pub(crate) input: &'static [&'static str],
    /// The fields of the event that are never sent, though they are on others.
    pub(crate) unsent: &'static [&'static str],
    /// The only values of the member `source` with which a person typed a prompt; empty if the host has no such member.
    pub(crate) typed_sources: &'static [&'static str],
    /// How a prompt begins that the host wrote.
    pub(crate) generated_prompt: Option<&'static str>,
    /// How long the commands of rules may take on this event, in milliseconds; `None` as long as on others.
    pub(crate) wait: Option<u32>,
    /// Whether the user, and not the agent, reads the reason of a denial.
    pub(crate) is_reason_for_user: bool,
    /// Whether nobody reads the reason of a denial.
    pub(crate) is_reason_unread: bool,
    /// Whether plain text on standard output becomes context.
    pub(crate) is_stdout_context: bool,
    /// Whether a rewrite counts only with an allow.
    pub(crate) rewrite_needs_allow: bool,
    /// Whether the host reads the path of a worktree on standard output.
    pub(crate) is_path_read: bool,
    /// The sentence after the reason of a question that becomes a denial.
    pub(crate) cannot_ask: Option<&'static str>,
    /// The beginning of the reason of a rewrite that becomes a denial: "A command in a skill cannot be changed".
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
    /// The form of the text of `exit 2` that denies nothing.
    pub(crate) exit_2: Option<AnswerForm>,
    /// What a denial has in addition if it interrupts the agent.
    pub(crate) interrupt: Option<AnswerForm>,
}

impl HostEvent {
    /// An event without a name, on which nothing is obeyed.
    pub(crate) const EMPTY: Self = Self {
        event: "",
        names: &[],
        sign: None,
        needs: None,
        members: &[],
        tools: &[],
        has_schema_tools: false,
        tool_prefix: None,
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

/// What is sent for one effect.
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

/// A value in the object of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnswerValue {
    /// What the verdict has there. A member whose text is empty is left out.
    Slot(AnswerSlot),
    /// The same text in every answer.
    Text(&'static str),
    /// The same truth value in every answer.
    Flag(bool),
    /// An object.
    Members(&'static [(&'static str, AnswerValue)]),
}

/// What a verdict puts into an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnswerSlot {
    /// The reason of the decision.
    Reason,
    /// The context for the agent.
    Context,
    /// The texts for the user, or the text of `exit 2`.
    Message,
    /// The name of the event, as the host has it.
    Event,
    /// The rewritten input of the call.
    Input,
    /// The rewritten output of the call.
    Output,
}
