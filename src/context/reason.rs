//! The reasons why something is unknown: a kind, as data, and a sentence for messages.

pub(in crate::context) mod past;

use std::borrow::Cow;
use std::fmt;

use crate::budget::Exhaustion;
use crate::history::TallyDoubt;
use crate::ruleset::{LazyRegex, PastTest, SearchFailure};
use hookrules_shell::edit::Obstacle;
use hookrules_shell::word::Cause;
use hookrules_shell::{Unknown, Word};

use past::past_sentence;

/// The maximum number of characters of a word that are shown in a reason.
const MAX_WORD_CHARS: usize = 80;

/// The reason why a value or a fact is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    kind: ReasonKind,
    /// The word of the command or payload that the reason is about, if the sentence does not contain it.
    word: Option<String>,
}

/// Why something is unknown, as data from which the sentence is made.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ReasonKind {
    /// The budget of the event is spent.
    Budget(Exhaustion),
    /// The payload has too many values to evaluate a JSONPath on it.
    BigPayload,
    /// More files would have to be examined than one event may list. The number is that limit.
    ManyFiles(usize),
    /// The call names more paths, or longer ones, than are examined.
    ManyPaths,
    /// The placeholders of a text have more combinations of values than a test compares with. The number is that
    /// limit.
    ManyValues(usize),
    /// The value of a placeholder in a path is not the name of one file: it is empty, `..` or has a slash.
    NoComponent,
    /// The commands of the call run in more directories than are examined. The number is that limit.
    ManyPlaces(usize),
    /// The condition takes more steps than are allowed for one rule.
    ManySteps,
    /// A value is unknown to the analysis of the shell text, which gives this reason.
    Shell { text: &'static str, help: Option<&'static str> },
    /// An earlier command of the call may change a fact before the command that the condition is about runs.
    ChangedFact { fact: &'static str, by: Box<ReasonKind> },
    /// A fact cannot be read.
    Unreadable { fact: &'static str, why: UnreadCause },
    /// The transcript that would name the stopped agent cannot be read.
    Transcript(UnreadCause),
    /// A directory cannot be listed.
    UnlistableDirectory(UnreadCause),
    /// The records do not list the effects of a program on files.
    UnseenProgram,
    /// It is unknown whether a member in the input of an unlisted tool goes to a shell.
    LikelyCommand,
    /// An unlisted tool may also act on the files below a directory that its input names.
    PossibleFilesBelow,
    /// The call has ended, and the files that it deleted no longer exist.
    DeletedFiles,
    /// The number of files below a directory, or in an archive, is unknown.
    UncountedFiles,
    /// It is not certain what happened earlier in the session, as this sentence explains.
    Past(String),
    /// The journal of the session cannot be read, for this reason.
    NoHistory(String),
    /// A measure (a count, a size) is tested where only a rule can evaluate it.
    OutsideRule,
    /// It is unknown whether an unlisted tool uploads a file that its input names.
    PossibleUpload,
    /// The port of a connection is unknown.
    Port,
    /// The command in the input of a shell tool is not a plain string.
    UnreadableCommand,
    /// A rewrite produced a call that only a command of the policy (`run`) could judge, and that command was not
    /// started.
    NeedsCommand,
    /// The field is in the payload of PreToolUse, and the permission request for the same call does not repeat it.
    LackingField,
    /// The host of a URL is unknown.
    Host(&'static str),
    /// The input of a built-in tool lacks a required member.
    MissingMember,
    /// A member of a built-in tool's input that names files is neither a text nor a list of texts.
    UnreadableMember,
    /// A command of a skill runs, and the payload does not say for which agent.
    OpenAgent,
    /// A subagent acts, and the payload does not name its type.
    NamelessAgent,
    /// A subagent has stopped, and neither the payload nor the transcript names its type.
    NamelessStop,
    /// The location of `project`, `home` or `tmp` is unknown on this machine.
    UnknownDir(&'static str),
    /// A field that only `where` has, such as `operands`, is used outside a `where`.
    OutsideWhere,
    /// A command runs on another machine or in a container, whose environment is not known.
    EnvironmentElsewhere,
    /// A command runs on another machine or in a container, whose repository is not known.
    GitElsewhere,
    /// It is unknown whether the directory of a path exists.
    NoDirectory,
    /// The path leads through a link that the call itself creates.
    Link,
    /// A regex cannot be compiled.
    Regex(String),
    /// A JSONPath cannot be compiled.
    JsonPath,
    /// A rewrite would remove a member that this tool requires.
    RemovedMember(&'static str),
    /// A rewrite would give a member of this tool a value of another type.
    MisfitMember(&'static str),
}

/// Why a fact of the machine was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnreadCause {
    /// The budget of the event is spent.
    Budget(Exhaustion),
    /// The provider of the facts, such as the system, reports this error.
    Error(String),
}

impl From<Exhaustion> for UnreadCause {
    fn from(spent: Exhaustion) -> Self {
        Self::Budget(spent)
    }
}

impl From<String> for UnreadCause {
    fn from(why: String) -> Self {
        Self::Error(why)
    }
}

impl fmt::Display for UnreadCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Budget(spent) => spent.fmt(f),
            Self::Error(why) => f.write_str(why),
        }
    }
}

impl ReasonKind {
    /// Returns the reason as a clause in lower case, without the word that it is about.
    fn fragment(&self) -> Cow<'_, str> {
        let text = match self {
            Self::Budget(spent) => return spent.to_string().into(),
            Self::BigPayload => "the payload is too big for this JSONPath",
            Self::ManyFiles(most) => return format!("more than {most} files would have to be examined").into(),
            Self::ManyPaths => "the call names too many files, or one with too long a name",
            Self::ManyValues(most) => return format!("more than {most} values would be filled in").into(),
            Self::NoComponent => "a value that is filled in is not the name of a file",
            Self::ManyPlaces(most) => return format!("commands run in more than {most} places").into(),
            Self::ManySteps => "the condition takes too many steps",
            Self::Shell { text, .. } | Self::Host(text) => text,
            Self::ChangedFact { fact, by } => {
                return format!("`{fact}` may have changed by then, as {}", by.fragment()).into();
            }
            Self::Unreadable { fact, why } => return format!("`{fact}` cannot be read: {why}").into(),
            Self::Transcript(why) => return format!("`agent_type` cannot be read: {why}").into(),
            Self::UnlistableDirectory(why) => return why.to_string().into(),
            Self::UnseenProgram => "which files the program opens is not known",
            Self::LikelyCommand => "it is not known whether this tool runs a shell command",
            Self::PossibleFilesBelow => "this tool may also act on what is below its directory",
            Self::DeletedFiles => "what it has deleted can no longer be found",
            Self::UncountedFiles => "how many files are there is not known",
            Self::Past(text) => text,
            Self::NoHistory(why) => return format!("what happened before in the session is not known: {why}").into(),
            Self::OutsideRule => "only a rule can count this",
            Self::PossibleUpload => "it is not known whether this tool sends the file",
            Self::Port => "the port it talks to is not known",
            Self::UnreadableCommand => "the command is not a plain text",
            Self::NeedsCommand => "only a command can judge the rewritten call",
            Self::LackingField => "a permission request does not repeat it",
            Self::MissingMember => "the call lacks a member that its tool requires",
            Self::UnreadableMember => "a member of the call names a file in a form that is not known",
            Self::OpenAgent => "the host does not say for whom the skill's command runs",
            Self::NamelessAgent => "the host does not say which type the acting subagent has",
            Self::NamelessStop => "neither the host nor the transcript says which type the stopped subagent has",
            Self::UnknownDir(directory) => return format!("`{directory}` is not known here").into(),
            Self::OutsideWhere => "only `where` looks at a command",
            Self::EnvironmentElsewhere => "the environment there is not known",
            Self::GitElsewhere => "the state of git there is not known",
            Self::NoDirectory => "it is not known whether this directory exists",
            Self::Link => "the call itself creates a link there",
            Self::Regex(why) => why,
            Self::JsonPath => "the JSONPath cannot be read",
            Self::RemovedMember(tool) => {
                return format!("the rewrite would remove a member that `{tool}` requires").into();
            }
            Self::MisfitMember(tool) => {
                return format!("the rewrite would give a member of `{tool}` a value of another type").into();
            }
        };
        text.into()
    }

    /// Returns advice on how to make the value known (`write the value itself`), if there is any.
    fn help(&self) -> Option<&'static str> {
        match self {
            Self::Shell { help, .. } => *help,
            Self::ChangedFact { by, .. } => by.help(),
            Self::LikelyCommand => Some("name it under `[shell]` in rules.toml"),
            Self::NamelessAgent => Some("`by !main` selects every subagent"),
            Self::NamelessStop | Self::Transcript(_) => Some("`on SubagentStop(unknown)` selects it"),
            _ => None,
        }
    }

    /// Whether the value is unknown because of a limit on the work for one event.
    fn is_of_budget(&self) -> bool {
        match self {
            Self::Budget(_) | Self::BigPayload | Self::ManyFiles(_) => true,
            Self::Unreadable { why, .. } | Self::Transcript(why) | Self::UnlistableDirectory(why) => {
                matches!(why, UnreadCause::Budget(_))
            }
            _ => false,
        }
    }
}

impl Reason {
    /// Makes the reason that the journal of the session cannot be read.
    #[must_use]
    pub fn no_history(why: String) -> Self {
        Self::from_kind(ReasonKind::NoHistory(why))
    }

    /// Makes the reason that it is not certain how often events with a mark happened.
    #[must_use]
    pub fn past(test: &PastTest, doubt: &TallyDoubt<'_>) -> Self {
        Self::from_kind(ReasonKind::Past(past_sentence(test, doubt)))
    }

    /// Makes a reason that is not about a certain word.
    fn from_kind(kind: ReasonKind) -> Self {
        Self { kind, word: None }
    }

    /// Makes a reason that the shell analysis gives. Of the word that it is about, only the start is kept.
    fn from_shell(text: &'static str, word: &str, help: Option<&'static str>) -> Self {
        let word: String = word.chars().take(MAX_WORD_CHARS).collect();
        Self { kind: ReasonKind::Shell { text, help }, word: Some(word).filter(|word| !word.is_empty()) }
    }

    /// Returns why the number of words is not known if one of them is a glob. A path in front of a glob says that it
    /// gives no options, but not how many words it gives.
    #[must_use]
    pub(crate) fn uncounted(why: &Unknown) -> Self {
        match why.cause {
            Cause::Glob => Self::from_shell(
                "a glob expands to as many words as files match",
                &why.word,
                Some("write the names, which can be counted"),
            ),
            _ => Self::from(why.clone()),
        }
    }

    /// Adds the word that the reason is about.
    #[must_use]
    pub(super) fn about_word(self, word: impl Into<String>) -> Self {
        Self { word: Some(word.into()), ..self }
    }

    /// Adds the start of the word that the reason is about, which may be long.
    fn about_beginning(self, word: &str) -> Self {
        self.about_word(word.chars().take(MAX_WORD_CHARS).collect::<String>())
    }

    /// Returns the reason as a clause in lower case, without the word that it is about.
    #[must_use]
    pub fn fragment(&self) -> Cow<'_, str> {
        self.kind.fragment()
    }

    /// Returns advice on how to make the value known (`write the value itself`), if there is any.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        self.kind.help()
    }

    /// Returns the reason with its word and its advice as one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let word = self.word.as_ref().map(|word| format!(": `{word}`")).unwrap_or_default();
        let help = self.help().map(|help| format!("; {help}")).unwrap_or_default();
        format!("{}{word}{help}", self.fragment())
    }

    /// Whether it is the past of the session that is not certain.
    #[must_use]
    pub fn is_of_past(&self) -> bool {
        matches!(self.kind, ReasonKind::Past(_) | ReasonKind::NoHistory(_))
    }

    /// Whether the value is unknown because of a limit on the work for one event, not because of the value itself.
    #[must_use]
    pub fn is_of_budget(&self) -> bool {
        self.kind.is_of_budget()
    }

    /// Whether the value is unknown only because a permission request does not repeat it.
    #[must_use]
    pub fn is_lacking(&self) -> bool {
        self.kind == ReasonKind::LackingField
    }

    /// Makes the reason that the payload has too many values to evaluate a JSONPath on it.
    pub(super) fn big_payload() -> Self {
        Self::from_kind(ReasonKind::BigPayload)
    }

    /// Makes the reason that more files would have to be examined than one event may list.
    pub(super) fn too_many_files(most: usize) -> Self {
        Self::from_kind(ReasonKind::ManyFiles(most))
    }

    /// Makes the reason that the call names more paths, or longer ones, than are examined.
    #[must_use]
    pub fn too_many_paths() -> Self {
        Self::from_kind(ReasonKind::ManyPaths)
    }

    /// Makes the reason why a part of a word is unknown.
    pub(crate) fn of_word(word: &Word) -> Self {
        word.unknown_reason().map_or_else(Self::too_many_paths, Self::from)
    }

    /// Makes the reason that the placeholders of a text have more combinations of values than a test compares with.
    pub(super) fn too_many_values(most: usize) -> Self {
        Self::from_kind(ReasonKind::ManyValues(most))
    }

    /// Makes the reason that the value of a placeholder in a path is not the name of one file: it is empty, `.`, `..`,
    /// too long, or has a slash.
    pub(super) fn no_component(value: &str) -> Self {
        Self::from_kind(ReasonKind::NoComponent).about_beginning(value)
    }

    /// Makes the reason that the commands of the call run in more directories than are examined.
    #[must_use]
    pub fn too_many_places(most: usize) -> Self {
        Self::from_kind(ReasonKind::ManyPlaces(most))
    }

    /// Makes the reason that the condition takes more steps than are allowed for one rule.
    #[must_use]
    pub fn too_many_steps() -> Self {
        Self::from_kind(ReasonKind::ManySteps)
    }

    /// Makes the reason that the records do not list the effects of a command on files.
    #[must_use]
    pub fn unseen_effects(command: &str) -> Self {
        Self::from_kind(ReasonKind::UnseenProgram).about_beginning(command)
    }

    /// Makes the reason that it is unknown whether a member in the input of an unlisted tool goes to a shell.
    #[must_use]
    pub fn likely_command(tool: &str) -> Self {
        Self::from_kind(ReasonKind::LikelyCommand).about_beginning(tool)
    }

    /// Makes the reason that an earlier command of the call may change a fact before the command that the condition is
    /// about runs.
    #[must_use]
    pub fn changed_fact(fact: &'static str, why: Unknown) -> Self {
        let Self { kind, word } = why.into();
        Self { kind: ReasonKind::ChangedFact { fact, by: Box::new(kind) }, word }
    }

    /// Makes the reason that only a command of the policy (`run`) could judge a rewritten call, and was not started.
    #[must_use]
    pub fn needs_command() -> Self {
        Self::from_kind(ReasonKind::NeedsCommand)
    }

    /// Makes the reason that a fact cannot be read.
    #[must_use]
    pub fn fact(fact: &'static str, why: impl Into<UnreadCause>) -> Self {
        Self::from_kind(ReasonKind::Unreadable { fact, why: why.into() })
    }

    /// Makes the reason that the transcript, which would name the stopped agent, cannot be read.
    #[must_use]
    pub fn transcript(why: &UnreadCause) -> Self {
        Self::from_kind(ReasonKind::Transcript(why.clone()))
    }

    /// Makes the reason that a directory cannot be listed.
    pub(super) fn unlisted(why: UnreadCause) -> Self {
        Self::from_kind(ReasonKind::UnlistableDirectory(why))
    }

    /// Makes the reason that a permission request does not repeat a field of its call's PreToolUse.
    #[must_use]
    pub fn lacking_field(name: &str) -> Self {
        Self::from_kind(ReasonKind::LackingField).about_word(name)
    }

    /// Makes the reason that the host of a URL is unknown.
    #[must_use]
    pub fn host(reason: &'static str, url: &str) -> Self {
        Self::from_kind(ReasonKind::Host(reason)).about_beginning(url)
    }

    /// Makes the reason that an unlisted tool may also act on the files below a directory.
    #[must_use]
    pub fn possible_files_below(path: &str) -> Self {
        Self::from_kind(ReasonKind::PossibleFilesBelow).about_word(path)
    }

    /// Makes the reason that a call which has ended may have deleted files that a search found.
    #[must_use]
    pub fn deleted_files(path: &str) -> Self {
        Self::from_kind(ReasonKind::DeletedFiles).about_word(path)
    }

    /// Makes the reason that the number of files below a directory is unknown.
    #[must_use]
    pub fn uncounted_files(path: &str) -> Self {
        Self::from_kind(ReasonKind::UncountedFiles).about_word(path)
    }

    /// Makes the reason that a measure (a count, a size) is tested where only a rule can evaluate it.
    pub(super) fn measured_outside_rule() -> Self {
        Self::from_kind(ReasonKind::OutsideRule)
    }

    /// Makes the reason that it is unknown whether an unlisted tool uploads a file that its input names.
    #[must_use]
    pub fn possible_upload(tool: &str) -> Self {
        Self::from_kind(ReasonKind::PossibleUpload).about_word(tool)
    }

    /// Makes the reason that the port of a connection to a host is unknown.
    #[must_use]
    pub fn unknown_port(host: &str) -> Self {
        Self::from_kind(ReasonKind::Port).about_word(host)
    }

    /// Makes the reason that the command in the input of a shell tool is not a plain string.
    #[must_use]
    pub fn unreadable_command() -> Self {
        Self::from_kind(ReasonKind::UnreadableCommand)
    }

    /// Makes the reason that the payload does not name the type of the subagent that acts.
    #[must_use]
    pub fn nameless_agent() -> Self {
        Self::from_kind(ReasonKind::NamelessAgent).about_word("agent_type")
    }

    /// Makes the reason that the input of a built-in tool lacks a required member.
    #[must_use]
    pub fn missing_member(name: &str) -> Self {
        Self::from_kind(ReasonKind::MissingMember).about_word(name)
    }

    /// Makes the reason that a member of a built-in tool's input names files in an unknown form.
    #[must_use]
    pub fn unreadable_member(name: &str) -> Self {
        Self::from_kind(ReasonKind::UnreadableMember).about_word(name)
    }

    /// Makes the reason that the payload does not say for which agent a command of a skill runs.
    #[must_use]
    pub fn open_agent() -> Self {
        Self::from_kind(ReasonKind::OpenAgent).about_word("invoked_by")
    }

    /// Makes the reason that the type of a stopped subagent is unknown.
    #[must_use]
    pub fn nameless_stop() -> Self {
        Self::from_kind(ReasonKind::NamelessStop).about_word("agent_type")
    }

    /// Makes the reason that the location of `project`, `home` or `tmp` is unknown on this machine.
    #[must_use]
    pub fn unknown_dir(directory: &'static str) -> Self {
        Self::from_kind(ReasonKind::UnknownDir(directory))
    }

    /// Makes the reason that a field that only `where` has is used outside a `where`.
    pub(super) fn where_field_without_command() -> Self {
        Self::from_kind(ReasonKind::OutsideWhere)
    }

    /// Makes the reason that a command runs on another machine or in a container, whose environment is not known.
    pub(super) fn foreign_environment(name: &str) -> Self {
        Self::from_kind(ReasonKind::EnvironmentElsewhere).about_word(name)
    }

    /// Makes the reason that a command runs on another machine or in a container, whose repository is not known.
    pub(super) fn foreign_repository() -> Self {
        Self::from_kind(ReasonKind::GitElsewhere)
    }

    /// Makes the reason that it is unknown whether the directory of a path exists.
    pub(super) fn no_directory() -> Self {
        Self::from_kind(ReasonKind::NoDirectory)
    }

    /// Makes the reason that a path leads through a link that the call itself creates.
    pub(super) fn link(path: String) -> Self {
        Self::from_kind(ReasonKind::Link).about_word(path)
    }

    /// Makes the reason that a regex cannot be compiled; `pattern` is its source.
    #[must_use]
    pub fn regex(why: impl Into<String>, pattern: Option<&str>) -> Self {
        Self { kind: ReasonKind::Regex(why.into()), word: pattern.map(str::to_owned) }
    }

    /// Makes the reason why a text was not searched for a regex. The reason names `regex` if it is given.
    #[must_use]
    pub fn from_search(why: SearchFailure, regex: Option<&LazyRegex>) -> Self {
        match why {
            SearchFailure::Regex(reason) => Self::regex(reason, regex.map(LazyRegex::pattern)),
            SearchFailure::Budget(spent) => spent.into(),
        }
    }

    /// Makes the reason that a JSONPath cannot be compiled.
    pub(super) fn json_path() -> Self {
        Self::from_kind(ReasonKind::JsonPath)
    }

    /// Makes the reason that a rewrite would remove a member that a tool requires.
    #[must_use]
    pub fn removed_member(tool: &'static str, member: String) -> Self {
        Self::from_kind(ReasonKind::RemovedMember(tool)).about_word(member)
    }

    /// Makes the reason that a rewrite would give a member of a tool a value of another type.
    #[must_use]
    pub fn misfit_member(tool: &'static str, member: String) -> Self {
        Self::from_kind(ReasonKind::MisfitMember(tool)).about_word(member)
    }
}

impl From<Exhaustion> for Reason {
    fn from(spent: Exhaustion) -> Self {
        Self::from_kind(ReasonKind::Budget(spent))
    }
}

impl From<Unknown> for Reason {
    fn from(why: Unknown) -> Self {
        Self::from_shell(why.text(), &why.word, why.help())
    }
}

impl From<Obstacle> for Reason {
    fn from(obstacle: Obstacle) -> Self {
        Self::from_shell(obstacle.text, &obstacle.word, obstacle.help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_says_the_reason_then_its_word_then_a_way_out() {
        let failed = || "no such file".to_owned();
        for (reason, expected) in [
            (Reason::too_many_steps(), "the condition takes too many steps"),
            (
                Unknown::new(Cause::Variable, "$X").into(),
                "the value of a variable is not known before it runs: `$X`; write the value itself",
            ),
            (
                Reason::likely_command("mcp__x__run"),
                "it is not known whether this tool runs a shell command: `mcp__x__run`; name it under `[shell]` in rules.toml",
            ),
            (
                Reason::changed_fact("git", Unknown::new(Cause::EarlierCommand, "git switch a")),
                "`git` may have changed by then, as an earlier command may change it: `git switch a`; run that command in a separate call",
            ),
            (Reason::fact("env", failed()), "`env` cannot be read: no such file"),
            (
                Reason::transcript(&failed().into()),
                "`agent_type` cannot be read: no such file; `on SubagentStop(unknown)` selects it",
            ),
            (Reason::unknown_dir("home"), "`home` is not known here"),
            (Reason::foreign_repository(), "the state of git there is not known"),
            (
                Reason::unlisted(UnreadCause::Budget(Exhaustion::Work)).about_word("/d"),
                "judging this event takes more work than is allowed for one event: `/d`",
            ),
        ] {
            assert_eq!(reason.sentence(), expected);
        }
    }

    #[test]
    fn a_word_is_said_though_the_reason_happens_to_hold_its_letters() {
        for (reason, expected) in [
            (Reason::unseen_effects("a"), "which files the program opens is not known: `a`"),
            (Unknown::new(Cause::ScriptFile, "script").into(), "what a script file runs is not seen: `script`"),
            (
                Reason::misfit_member("Grep", "type".to_owned()),
                "the rewrite would give a member of `Grep` a value of another type: `type`",
            ),
            (Reason::link("link".to_owned()), "the call itself creates a link there: `link`"),
            (Reason::lacking_field("a"), "a permission request does not repeat it: `a`"),
        ] {
            assert_eq!(reason.sentence(), expected);
        }
    }

    #[test]
    fn a_reason_is_told_by_its_kind_and_not_by_its_text() {
        let spent = Exhaustion::Work;
        let lacking = Reason::lacking_field("tool_use_id");
        for (reason, is_of_budget) in [
            (Reason::from(spent), true),
            (Reason::from(spent).about_word("/d"), true),
            (Reason::big_payload(), true),
            (Reason::too_many_files(1), true),
            (Reason::fact("file_exists", spent), true),
            (Reason::transcript(&spent.into()), true),
            (Reason::unlisted(spent.into()), true),
            (Reason::fact("file_exists", spent.to_string()), false),
            (Reason::unlisted(spent.to_string().into()), false),
            (Reason::regex(spent.to_string(), None), false),
            (Reason::regex(lacking.fragment(), Some("x")), false),
            (Reason::too_many_paths(), false),
            (Reason::too_many_places(1), false),
            (Reason::too_many_steps(), false),
        ] {
            assert_eq!((reason.is_of_budget(), reason.is_lacking()), (is_of_budget, false), "{reason:?}");
        }
        assert!(lacking.is_lacking() && !lacking.is_of_budget());
    }
}
