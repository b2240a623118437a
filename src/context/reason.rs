//! Why something is unknown: a kind, which is data, and a sentence for people.

use std::borrow::Cow;
use std::fmt;

use crate::budget::Spent;
use hookrules_shell::{Obstacle, Unknown};

/// How many characters of a word a reason names.
const WORD: usize = 80;

/// Why something cannot be known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    kind: Kind,
    /// The word that it is about, where the text does not name it.
    word: Option<String>,
}

/// What keeps something from being known.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// The account of the event does not suffice.
    Spent(Spent),
    /// The payload is too big for a JSONPath to be followed in it.
    BigPayload,
    /// More files would have to be looked at than one event may list.
    ManyFiles(usize),
    /// The call names more or longer paths than any call needs.
    ManyPaths,
    /// The commands of the call run in more places than are looked at.
    ManyPlaces(usize),
    /// The condition takes more steps than any rule needs.
    ManySteps,
    /// The shell text does not say, and why is said where it is read.
    Shell { text: &'static str, help: Option<&'static str> },
    /// A command of the call may change a fact before it is asked for.
    Changed { fact: &'static str, by: Box<Kind> },
    /// A fact cannot be read.
    Unreadable { fact: &'static str, why: Unread },
    /// The transcript cannot be read that says who has stopped.
    Transcript(Unread),
    /// A directory cannot be listed.
    Unlisted(Unread),
    /// No table says what a program does to files.
    UnseenProgram,
    /// Whether a member of a tool without a table goes to a shell is not known.
    LikelyCommand,
    /// A tool that no table knows may go below a directory.
    MaybeBelow,
    /// Whether a tool that no table knows sends a file that it is given.
    MaybeSent,
    /// The port that is talked to is not known.
    Port,
    /// A tool that runs commands got something that is no text where the command belongs.
    UnreadableCommand,
    /// The rewrites made a call for which a gate was not started.
    NeedsCommand,
    /// A permission request does not repeat a field of the call.
    Lacking,
    /// The host that a URL names cannot be told.
    Host(&'static str),
    /// A required member of a built-in tool's input is missing, and another one may hold its value.
    MissingMember,
    /// A skill's command runs, and nothing says for whom.
    OpenAgent,
    /// A subagent without a type acts.
    NamelessAgent,
    /// A subagent without a type has stopped.
    NamelessStop,
    /// A directory of conditions has no place on this machine.
    Homeless(&'static str),
    /// A field of `where` is asked for outside of one.
    OutsideWhere,
    /// A command runs elsewhere, with an environment of its own.
    EnvironmentElsewhere,
    /// A command runs elsewhere, in a repository of its own.
    GitElsewhere,
    /// Whether there is a directory at a path that is not known.
    NoDirectory,
    /// The call makes a link, through which it may then go.
    Link,
    /// A regex cannot be compiled.
    Regex(String),
    /// A JSONPath cannot be compiled.
    JsonPath,
    /// A rewrite would remove a member that this tool requires.
    Removes(&'static str),
    /// A rewrite would give a member of this tool a value of another type.
    Misfits(&'static str),
}

/// Why something on the machine was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// The account of the event does not suffice.
    Spent(Spent),
    /// The system, or whoever states the fact, says why.
    Failed(String),
}

impl From<Spent> for Unread {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl From<String> for Unread {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spent(spent) => spent.fmt(f),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl Kind {
    /// Returns the reason, a lowercase fragment without the word.
    fn text(&self) -> Cow<'_, str> {
        let text = match self {
            Self::Spent(spent) => return spent.to_string().into(),
            Self::BigPayload => "the payload is too big for this JSONPath",
            Self::ManyFiles(most) => return format!("more than {most} files would have to be examined").into(),
            Self::ManyPaths => "the call names too many files, or one with too long a name",
            Self::ManyPlaces(most) => return format!("commands run in more than {most} places").into(),
            Self::ManySteps => "the condition takes too many steps",
            Self::Shell { text, .. } | Self::Host(text) => text,
            Self::Changed { fact, by } => return format!("`{fact}` may have changed by then, as {}", by.text()).into(),
            Self::Unreadable { fact, why } => return format!("`{fact}` cannot be read: {why}").into(),
            Self::Transcript(why) => return format!("`agent_type` cannot be read: {why}").into(),
            Self::Unlisted(why) => return why.to_string().into(),
            Self::UnseenProgram => "which files the program opens is not known",
            Self::LikelyCommand => "it is not known whether this tool runs a shell command",
            Self::MaybeBelow => "this tool may also act on what is below its directory",
            Self::MaybeSent => "it is not known whether this tool sends the file",
            Self::Port => "the port it talks to is not known",
            Self::UnreadableCommand => "the command is not a plain text",
            Self::NeedsCommand => "only a command can judge the rewritten call",
            Self::Lacking => "a permission request does not repeat it",
            Self::MissingMember => "the call lacks a member that its tool requires",
            Self::OpenAgent => "the host does not say for whom the skill's command runs",
            Self::NamelessAgent => "the host does not say which type the acting subagent has",
            Self::NamelessStop => "neither the host nor the transcript says which type the stopped subagent has",
            Self::Homeless(directory) => return format!("`{directory}` is not known here").into(),
            Self::OutsideWhere => "only `where` looks at a command",
            Self::EnvironmentElsewhere => "the environment there is not known",
            Self::GitElsewhere => "the state of git there is not known",
            Self::NoDirectory => "it is not known whether this directory exists",
            Self::Link => "the call itself creates a link there",
            Self::Regex(why) => why,
            Self::JsonPath => "the JSONPath cannot be read",
            Self::Removes(tool) => return format!("the rewrite would remove a member that `{tool}` requires").into(),
            Self::Misfits(tool) => {
                return format!("the rewrite would give a member of `{tool}` a value of another type").into();
            }
        };
        text.into()
    }

    /// Says how to write it so that it is known, if there is a way.
    fn help(&self) -> Option<&'static str> {
        match self {
            Self::Shell { help, .. } => *help,
            Self::Changed { by, .. } => by.help(),
            Self::LikelyCommand => Some("name it under `[shell]` in rules.toml"),
            Self::NamelessAgent => Some("`by !main` selects every subagent"),
            Self::NamelessStop | Self::Transcript(_) => Some("`on SubagentStop(unknown)` selects it"),
            _ => None,
        }
    }

    fn is_of_budget(&self) -> bool {
        match self {
            Self::Spent(_) | Self::BigPayload | Self::ManyFiles(_) => true,
            Self::Unreadable { why, .. } | Self::Transcript(why) | Self::Unlisted(why) => {
                matches!(why, Unread::Spent(_))
            }
            _ => false,
        }
    }
}

impl Reason {
    fn of(kind: Kind) -> Self {
        Self { kind, word: None }
    }

    fn of_shell(text: &'static str, word: &str, help: Option<&'static str>) -> Self {
        let word: String = word.chars().take(WORD).collect();
        Self { kind: Kind::Shell { text, help }, word: Some(word).filter(|word| !word.is_empty()) }
    }

    /// Returns the same reason about a word.
    #[must_use]
    pub(super) fn about(self, word: impl Into<String>) -> Self {
        Self { word: Some(word.into()), ..self }
    }

    /// Returns the same reason about the beginning of a word.
    fn about_beginning(self, word: &str) -> Self {
        self.about(word.chars().take(WORD).collect::<String>())
    }

    /// Returns the reason, a lowercase fragment.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        self.kind.text()
    }

    /// Says how to write it so that it is known, if there is a way.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        self.kind.help()
    }

    /// Returns the reason, its word and its help as one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let word = self.word.as_ref().map(|word| format!(": `{word}`")).unwrap_or_default();
        let help = self.help().map(|help| format!("; {help}")).unwrap_or_default();
        format!("{}{word}{help}", self.text())
    }

    /// Tells whether it is that the event takes more work than one may, whatever is asked here.
    #[must_use]
    pub fn is_of_budget(&self) -> bool {
        self.kind.is_of_budget()
    }

    /// Tells whether it is the permission request alone that does not say it.
    #[must_use]
    pub fn is_lacking(&self) -> bool {
        self.kind == Kind::Lacking
    }

    /// The payload is too big for a JSONPath to be followed in it.
    pub(super) fn big_payload() -> Self {
        Self::of(Kind::BigPayload)
    }

    /// More files would have to be looked at than one event may list.
    pub(super) fn too_many_files(most: usize) -> Self {
        Self::of(Kind::ManyFiles(most))
    }

    /// More or longer paths than any call needs.
    #[must_use]
    pub fn too_many_paths() -> Self {
        Self::of(Kind::ManyPaths)
    }

    /// The commands of the call run in more places than are looked at.
    #[must_use]
    pub fn too_many_places(most: usize) -> Self {
        Self::of(Kind::ManyPlaces(most))
    }

    /// The condition takes more steps than any rule needs.
    #[must_use]
    pub fn too_many_steps() -> Self {
        Self::of(Kind::ManySteps)
    }

    /// No table says what a program does to files.
    #[must_use]
    pub fn unseen(command: &str) -> Self {
        Self::of(Kind::UnseenProgram).about_beginning(command)
    }

    /// Whether a member of a tool without a table goes to a shell is not known.
    #[must_use]
    pub fn likely_command(tool: &str) -> Self {
        Self::of(Kind::LikelyCommand).about_beginning(tool)
    }

    /// A command of the call may change a fact before it is asked for.
    #[must_use]
    pub fn changed(fact: &'static str, why: Unknown) -> Self {
        let Self { kind, word } = why.into();
        Self { kind: Kind::Changed { fact, by: Box::new(kind) }, word }
    }

    /// The rewrites made a call for which a gate was not started.
    #[must_use]
    pub fn needs_command() -> Self {
        Self::of(Kind::NeedsCommand)
    }

    /// A fact cannot be read.
    #[must_use]
    pub fn fact(fact: &'static str, why: impl Into<Unread>) -> Self {
        Self::of(Kind::Unreadable { fact, why: why.into() })
    }

    /// The transcript does not say who has stopped, for this reason.
    #[must_use]
    pub fn transcript(why: &Unread) -> Self {
        Self::of(Kind::Transcript(why.clone()))
    }

    /// A directory cannot be listed.
    pub(super) fn unlisted(why: Unread) -> Self {
        Self::of(Kind::Unlisted(why))
    }

    /// A permission request does not repeat a field of the call.
    #[must_use]
    pub fn lacking(name: &str) -> Self {
        Self::of(Kind::Lacking).about(name)
    }

    /// The host that a URL names cannot be told.
    #[must_use]
    pub fn host(reason: &'static str, url: &str) -> Self {
        Self::of(Kind::Host(reason)).about_beginning(url)
    }

    /// A tool that no table knows may go below a directory.
    #[must_use]
    pub fn maybe_below(path: &str) -> Self {
        Self::of(Kind::MaybeBelow).about(path)
    }

    /// Whether a tool that no table knows sends a file that it is given.
    #[must_use]
    pub fn maybe_sent(tool: &str) -> Self {
        Self::of(Kind::MaybeSent).about(tool)
    }

    /// The port that is talked to on a host is not known.
    #[must_use]
    pub fn unknown_port(host: &str) -> Self {
        Self::of(Kind::Port).about(host)
    }

    /// A tool that runs commands got something that is no text where the command belongs.
    #[must_use]
    pub fn unreadable_command() -> Self {
        Self::of(Kind::UnreadableCommand)
    }

    /// A subagent without a type acts.
    #[must_use]
    pub fn nameless_agent() -> Self {
        Self::of(Kind::NamelessAgent).about("agent_type")
    }

    /// A built-in tool's input lacks a required member, and has members that the schema does not know.
    #[must_use]
    pub fn missing_member(name: &str) -> Self {
        Self::of(Kind::MissingMember).about(name)
    }

    /// Nothing says for whom a skill's command runs.
    #[must_use]
    pub fn open_agent() -> Self {
        Self::of(Kind::OpenAgent).about("invoked_by")
    }

    /// Nothing says who has stopped.
    #[must_use]
    pub fn nameless_stop() -> Self {
        Self::of(Kind::NamelessStop).about("agent_type")
    }

    /// A directory of conditions has no place on this machine.
    #[must_use]
    pub fn homeless(directory: &'static str) -> Self {
        Self::of(Kind::Homeless(directory))
    }

    /// A field of `where` is asked for outside of one.
    pub(super) fn outside_where() -> Self {
        Self::of(Kind::OutsideWhere)
    }

    /// A command runs elsewhere, with an environment of its own.
    pub(super) fn environment_elsewhere(name: &str) -> Self {
        Self::of(Kind::EnvironmentElsewhere).about(name)
    }

    /// A command runs elsewhere, in a repository of its own.
    pub(super) fn git_elsewhere() -> Self {
        Self::of(Kind::GitElsewhere)
    }

    /// Whether there is a directory at a path that is not known.
    pub(super) fn no_directory() -> Self {
        Self::of(Kind::NoDirectory)
    }

    /// The call makes a link, through which it may then go.
    pub(super) fn link(path: String) -> Self {
        Self::of(Kind::Link).about(path)
    }

    /// A regex cannot be compiled.
    #[must_use]
    pub fn regex(why: impl Into<String>, pattern: Option<&str>) -> Self {
        Self { kind: Kind::Regex(why.into()), word: pattern.map(str::to_owned) }
    }

    /// A JSONPath cannot be compiled.
    pub(super) fn json_path() -> Self {
        Self::of(Kind::JsonPath)
    }

    /// A rewrite would remove a member that a tool requires.
    #[must_use]
    pub fn removes(tool: &'static str, member: String) -> Self {
        Self::of(Kind::Removes(tool)).about(member)
    }

    /// A rewrite would give a member of a tool a value of another type.
    #[must_use]
    pub fn misfits(tool: &'static str, member: String) -> Self {
        Self::of(Kind::Misfits(tool)).about(member)
    }
}

impl From<Spent> for Reason {
    fn from(spent: Spent) -> Self {
        Self::of(Kind::Spent(spent))
    }
}

impl From<Unknown> for Reason {
    fn from(why: Unknown) -> Self {
        Self::of_shell(why.text(), &why.word, why.help())
    }
}

impl From<Obstacle> for Reason {
    fn from(obstacle: Obstacle) -> Self {
        Self::of_shell(obstacle.text, &obstacle.word, obstacle.help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookrules_shell::Cause;

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
                Reason::changed("git", Unknown::new(Cause::Earlier, "git switch a")),
                "`git` may have changed by then, as an earlier command may change it: `git switch a`; run that command in a separate call",
            ),
            (Reason::fact("env", failed()), "`env` cannot be read: no such file"),
            (
                Reason::transcript(&failed().into()),
                "`agent_type` cannot be read: no such file; `on SubagentStop(unknown)` selects it",
            ),
            (Reason::homeless("home"), "`home` is not known here"),
            (Reason::git_elsewhere(), "the state of git there is not known"),
            (
                Reason::unlisted(Unread::Spent(Spent::Work)).about("/d"),
                "judging this event takes more work than is allowed for one event: `/d`",
            ),
        ] {
            assert_eq!(reason.sentence(), expected);
        }
    }

    #[test]
    fn a_word_is_said_though_the_reason_happens_to_hold_its_letters() {
        for (reason, expected) in [
            (Reason::unseen("a"), "which files the program opens is not known: `a`"),
            (Unknown::new(Cause::ScriptFile, "script").into(), "what a script file runs is not seen: `script`"),
            (
                Reason::misfits("Grep", "type".to_owned()),
                "the rewrite would give a member of `Grep` a value of another type: `type`",
            ),
            (Reason::link("link".to_owned()), "the call itself creates a link there: `link`"),
            (Reason::lacking("a"), "a permission request does not repeat it: `a`"),
        ] {
            assert_eq!(reason.sentence(), expected);
        }
    }

    #[test]
    fn a_reason_is_told_by_its_kind_and_not_by_its_text() {
        let spent = Spent::Work;
        let lacking = Reason::lacking("tool_use_id");
        for (reason, is_of_budget) in [
            (Reason::from(spent), true),
            (Reason::from(spent).about("/d"), true),
            (Reason::big_payload(), true),
            (Reason::too_many_files(1), true),
            (Reason::fact("file_exists", spent), true),
            (Reason::transcript(&spent.into()), true),
            (Reason::unlisted(spent.into()), true),
            (Reason::fact("file_exists", spent.to_string()), false),
            (Reason::unlisted(spent.to_string().into()), false),
            (Reason::regex(spent.to_string(), None), false),
            (Reason::regex(lacking.text(), Some("x")), false),
            (Reason::too_many_paths(), false),
            (Reason::too_many_places(1), false),
            (Reason::too_many_steps(), false),
        ] {
            assert_eq!((reason.is_of_budget(), reason.is_lacking()), (is_of_budget, false), "{reason:?}");
        }
        assert!(lacking.is_lacking() && !lacking.is_of_budget());
    }
}
