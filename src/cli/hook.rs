//! `rules hook`: one event in, one answer out. It is the command that hosts run.
//!
//! Every failure here is answered by the failure policy: if the hook merely failed, the host would let the action
//! proceed.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, FromArgMatches, Parser};

use super::{Color, reflow};
use crate::added_hosts::AddedHosts;
use crate::escape::line;
use crate::files::reason;
use crate::hooks::{
    Answer, Fuse, PAYLOAD_LIMIT, PayloadInput, Registration, answer_engine_failure, answer_event, host_of_environment,
    own_directory, places, project_of_environment,
};
use crate::host::{DecodedPayload, Host, HostOutput, decode};
use crate::host_settings::SettingsScope;
use crate::platform::process::hold_signals_of_limits;
use crate::platform::stream;
use crate::project::MachinePlaces;
use crate::schema::Event;

/// Answer one event of a host, with the payload on standard input
///
/// Register it with the host for every event, by the absolute path of this binary.
/// For Claude Code it exits only with 0 or 2; for Wave also with 1, or the code of
/// an `exit`, to show a text to the user.
#[derive(clap::Args, Clone, Default, PartialEq, Eq, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct HookArgs {
    /// The calling host
    #[arg(
        value_name = "HOST",
        default_value = Host::CLAUDE_CODE.name(),
        value_parser = PossibleValuesParser::new(Host::names())
    )]
    pub(super) host: String,

    #[command(flatten)]
    pub(super) registered: RegistrationArgs,
}

// The options of a registration. It has no doc comment: clap would use that as the command's.
#[derive(clap::Args, Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct RegistrationArgs {
    /// Whose settings name the hook: user, project or local. For the user, which
    /// is the default, the policy of a project needs `rules trust`
    #[arg(long, value_name = "SCOPE", value_parser = scope)]
    pub(super) scope: Option<SettingsScope>,

    /// What tells this registration from others: up to 32 hexadecimal digits
    #[arg(long, value_name = "HEX", value_parser = parse_registration_id)]
    pub(super) id: Option<String>,

    /// Treat a project without any policy as one whose policy does not load
    #[arg(long)]
    pub(super) require_policy: bool,

    /// The directory of the account's policy, instead of ~/.config/rules
    #[arg(long, value_name = "DIR")]
    pub(super) config_dir: Option<PathBuf>,

    /// The directory of state and log, instead of ~/.local/state/rules
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,

    /// The directory of the administrator's policy, instead of /etc/rules
    #[arg(long, value_name = "DIR")]
    pub(super) managed_dir: Option<PathBuf>,

    /// The directory of compiled policies, instead of ~/.cache/rules, or of
    /// `cache` in the state directory if that is given
    #[arg(long, value_name = "DIR")]
    pub(super) cache_dir: Option<PathBuf>,

    /// The seconds after which the host stops waiting, if its registration sets
    /// a `timeout`: what is not decided shortly before that counts as failed
    #[arg(long, value_name = "SECONDS", value_parser = HostTimeout::read)]
    pub(super) timeout: Option<HostTimeout>,
}

/// Parses the value of `--scope`.
fn scope(text: &str) -> Result<SettingsScope, String> {
    SettingsScope::from_name(text).ok_or_else(|| "expected `user`, `project` or `local`".to_owned())
}

/// Parses the value of `--id`: 1 to 32 hexadecimal digits.
fn parse_registration_id(text: &str) -> Result<String, String> {
    let is_hex = (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex { Ok(text.to_owned()) } else { Err("expected 1 to 32 hexadecimal digits".to_owned()) }
}

/// The value of `--timeout`: how long the host waits for the hook, according to the registration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HostTimeout(Duration);

impl HostTimeout {
    /// Parses a number of seconds, with a fraction if any: more than 0, and at most a day.
    fn read(text: &str) -> Result<Self, String> {
        let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 86_400.0);
        // `parse::<f64>` also accepts `inf`, `1e3` and a sign.
        let seconds = seconds.filter(|_| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
        let seconds = seconds.ok_or_else(|| "expected seconds, more than 0 and at most a day".to_owned())?;
        Duration::try_from_secs_f64(seconds).map(Self).map_err(|error| error.to_string())
    }

    fn duration(self) -> Duration {
        self.0
    }
}

#[derive(Parser, Debug)]
#[command(name = "rules hook", bin_name = "rules hook", max_term_width = 80)]
pub(super) struct HookCommand {
    #[command(flatten)]
    pub(super) args: HookArgs,

    /// Accepted by every command; this one prints no colours
    #[arg(long, value_enum, value_name = "WHEN", hide = true)]
    color: Option<Color>,
}

/// Runs the hook on the words from `hook` on: `hook wave --state-dir /s`.
///
/// The records of added hosts are read only if the words are not those of a built-in host.
pub(super) fn run(words: &[OsString]) -> ExitCode {
    if let Some(args) = parse_plain_args(words) {
        return run_with_args(Ok(args), words);
    }
    run_with_added_hosts(words)
}

/// Runs the hook of an added host, or explains what is wrong with the arguments.
///
/// Not inlined: the hook of a built-in host would touch the memory that clap needs on the stack.
#[inline(never)]
fn run_with_added_hosts(words: &[OsString]) -> ExitCode {
    AddedHosts::read(&machine_places(&parse_words_leniently(words).args.registered)).add_to_process();
    run_with_args(parse_plain_args(words).map_or_else(|| parse_with_clap(words), Ok), words)
}

/// Parses the arguments of a hook with clap, which explains every mistake.
fn parse_with_clap(words: &[OsString]) -> Result<HookArgs, clap::Error> {
    // The help is for people, so it fits their terminal.
    let matches = reflow::for_terminal(HookCommand::command()).try_get_matches_from(words)?;
    HookCommand::from_arg_matches(&matches).map(|command| command.args)
}

/// Parses the arguments of a hook without clap, because building clap's parser takes a tenth of a hook's instructions.
/// Returns `None` if a word is not a host or a valid option, or is given twice: the caller then needs clap.
pub(super) fn parse_plain_args(words: &[OsString]) -> Option<HookArgs> {
    let ParsedArgs { mut args, is_whole, .. } = parse_words_leniently(words);
    if args.host.is_empty() {
        args.host = Host::CLAUDE_CODE.name().to_owned();
    }
    is_whole.then_some(args)
}

/// The result of parsing a hook's arguments without clap.
struct ParsedArgs {
    /// The arguments that were understood; `host` is empty if none was given.
    args: HookArgs,
    /// Whether every word was understood, so clap would return the same.
    is_whole: bool,
    /// The word that is in the place of a host's name and is not one.
    unknown_host: Option<String>,
}

/// Parses a hook's arguments without clap, and skips the invalid ones. Clap stops at the first error, but answering
/// that error still needs the host and the policy's directories.
fn parse_words_leniently(words: &[OsString]) -> ParsedArgs {
    let mut args = HookArgs::default();
    let mut is_whole = true;
    let mut unknown_host = None;
    // The next word may be the value of an unknown option.
    let mut is_after_unknown_option = false;
    let mut remaining = words.iter().skip(1).peekable();
    while let Some(word) = remaining.next() {
        let text = word.to_string_lossy();
        is_whole &= word.to_str().is_some();
        let (name, attached) = text.split_once('=').map_or((&*text, None), |(name, value)| (name, Some(value)));
        if name == "--require-policy" {
            is_whole &= attached.is_none() && !args.registered.require_policy;
            args.registered.require_policy = true;
            continue;
        }
        if args.host.is_empty() && Host::from_name(&text).is_some() {
            args.host = text.into_owned();
            continue;
        }
        let Some(option) = ValueOption::from_name(name) else {
            is_whole = false;
            let is_option = text.starts_with('-') || text.is_empty();
            if !is_option && !is_after_unknown_option && args.host.is_empty() && unknown_host.is_none() {
                unknown_host = Some(text.into_owned());
            }
            is_after_unknown_option = is_option;
            continue;
        };
        is_after_unknown_option = false;
        // A word that looks like an option is not a value, but a mistake that clap explains.
        let value = match attached {
            Some(value) => Some(OsStr::new(value)),
            None => remaining
                .next_if(|next| *next == "-" || !next.as_encoded_bytes().starts_with(b"-"))
                .map(OsString::as_os_str),
        };
        is_whole &= value.is_some_and(|value| option.set_value(&mut args.registered, value));
    }
    ParsedArgs { args, is_whole, unknown_host }
}

/// An option of a registration that takes a value.
enum ValueOption {
    /// The option sets a directory, in the field that the function returns.
    Directory(fn(&mut RegistrationArgs) -> &mut Option<PathBuf>),
    /// `--timeout SECONDS`.
    Timeout,
    /// `--scope SCOPE`.
    Scope,
    /// `--id HEX`.
    Id,
}

impl ValueOption {
    /// Returns the option of this name (`--timeout`); `None` if no option with a value has it.
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "--config-dir" => Self::Directory(|args| &mut args.config_dir),
            "--state-dir" => Self::Directory(|args| &mut args.state_dir),
            "--managed-dir" => Self::Directory(|args| &mut args.managed_dir),
            "--cache-dir" => Self::Directory(|args| &mut args.cache_dir),
            "--timeout" => Self::Timeout,
            "--scope" => Self::Scope,
            "--id" => Self::Id,
            _ => return None,
        })
    }

    /// Sets the option, and returns whether it was unset before and the value is valid.
    fn set_value(self, args: &mut RegistrationArgs, value: &OsStr) -> bool {
        /// Parses and sets an option; returns `false` if the value is invalid or the option was set before.
        fn put<T, E>(slot: &mut Option<T>, value: &OsStr, read: impl Fn(&str) -> Result<T, E>) -> bool {
            let value = value.to_str().and_then(|value| read(value).ok());
            value.is_some_and(|value| slot.replace(value).is_none())
        }
        match self {
            Self::Directory(_) if value.is_empty() => false,
            Self::Directory(field) => field(args).replace(PathBuf::from(value)).is_none(),
            Self::Timeout => put(&mut args.timeout, value, HostTimeout::read),
            Self::Scope => put(&mut args.scope, value, scope),
            Self::Id => put(&mut args.id, value, parse_registration_id),
        }
    }
}

/// Returns the options in the words of a registered hook, from `hook` on; `None` if clap rejects them.
pub(super) fn parse_registration_words(words: &[OsString]) -> Option<RegistrationArgs> {
    parse_with_clap(words).ok().map(|args| args.registered)
}

/// Returns clap's message about the words of a registered hook, from `hook` on; `None` if they are correct.
pub(super) fn mistake_in(words: &[OsString]) -> Option<String> {
    parse_with_clap(words).err().map(|error| clap_error_sentence(&error))
}

/// Answers one event on standard input: writes the answer, then performs the records, notifications and the log line
/// of the verdict. If clap rejected the arguments, the valid ones are used, and the failure policy answers.
pub(super) fn run_with_args(args: Result<HookArgs, clap::Error>, words: &[OsString]) -> ExitCode {
    let (args, problem) = match args {
        Ok(args) => (args, None),
        // `--help` and `--version`.
        Err(error) if !error.use_stderr() => {
            let _unprintable = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => match parse_words_leniently(words) {
            ParsedArgs { args, unknown_host: Some(name), .. } => return block_for_unknown_host(&name, &args),
            ParsedArgs { args, .. } => (args, Some(describe_argument_error(&error))),
        },
    };
    let host = calling_host(&args);
    let fuse = fuse(host, &args);
    let PayloadInput { bytes, problem: input_problem } =
        PayloadInput::read_in_time(stream::stdin(), PAYLOAD_LIMIT, fuse);
    let problem = problem.or(input_problem);
    // A panic is answered below; its message would mix with the answer on standard error.
    std::panic::set_hook(Box::new(|_| {}));
    let answer = guarded(
        host,
        &bytes,
        || registration(host, &args.registered, SettingsScope::User, problem),
        |registration| answer_event(&bytes, registration),
        Answer::without_follow_up,
    );
    let exit = answer_with(fuse, &answer.output);
    // The payload, which may be long, is no longer needed.
    drop(bytes);
    // The answer is written; a panic from here on must not change the exit code.
    let _ignored = catch_unwind(AssertUnwindSafe(|| {
        let mut answer = answer;
        answer.settle();
        // The process ends now: to free the answer's memory would only take time.
        mem::forget(answer);
    }));
    exit
}

/// Blocks an event because there is no usable record of the host. Nobody knows in which form this host would read the
/// answer of a failure policy, so it is the exit code by which nearly every host blocks. At the end of a turn, that
/// code would make the agent go on, so there it is 0: any other would become it in a shell line with `|| exit 2`.
fn block_for_unknown_host(name: &str, args: &HookArgs) -> ExitCode {
    let fuse = fuse(Host::CLAUDE_CODE, args);
    let input = PayloadInput::read_in_time(stream::stdin(), PAYLOAD_LIMIT, fuse);
    let places = machine_places(&args.registered);
    let added = AddedHosts::read(&places);
    let why = added.why_unusable(name, &places);
    let mut vocabularies = added.host_as_far_as_read(name).into_iter().chain([Host::CLAUDE_CODE]);
    let (effect, exit) =
        if vocabularies.any(|host| ends_turn(host, &input.bytes)) { ("not judged", 0) } else { ("blocked", 2) };
    let name = line(name, NAME_WIDTH);
    let stderr = format!("rules: this event is {effect}, because the host `{name}` cannot be used: {why}\n");
    answer_with(fuse, &HostOutput { stderr, exit, ..HostOutput::default() })
}

/// The maximum width of an unknown name in a message.
const NAME_WIDTH: usize = 60;

/// Whether a payload is about the end of a turn, in the words of a host.
fn ends_turn(host: Host, bytes: &[u8]) -> bool {
    match decode(host, bytes) {
        DecodedPayload::Event { payload, .. } => matches!(payload.event, Event::Stop | Event::SubagentStop),
        DecodedPayload::UnknownEvent(_) | DecodedPayload::Unreadable { .. } => false,
    }
}

/// Returns the fuse of this process, which answers and exits if the decision takes too long.
pub(super) fn fuse(host: Host, args: &HookArgs) -> &'static Fuse {
    Fuse::new(host, args.registered.timeout.map(HostTimeout::duration), write_and_exit).set_for_process()
}

/// Writes the answer and returns its exit code. If the fuse is already answering, waits for the fuse to end the
/// process.
pub(super) fn answer_with(fuse: &Fuse, output: &HostOutput) -> ExitCode {
    while !fuse.claim_answer(output.exit) {
        std::thread::park();
    }
    let exit = write(output);
    fuse.note_written();
    exit
}

#[expect(
    clippy::disallowed_methods,
    clippy::exit,
    reason = "the fuse chooses the exit code, because nothing else goes on"
)]
/// Writes the fuse's answer and ends the process at once, while the judging thread is still at work.
fn write_and_exit(output: &HostOutput) {
    let exit = output.exit;
    std::process::exit(if write(output) == ExitCode::from(exit) { exit.into() } else { 2 });
}

/// The message of an answer after a panic.
const BUG: &str = "A bug in rules: it could not judge this event. Please report it with the payload.";

/// Returns the answer to an event, even if the code that computes it panics. After a panic, the failure policy of the
/// registration answers; if that panics too, the failure policy without any registration; and if that panics, the
/// event is blocked with exit code 2. `to_answer` converts what those policies write to the answer's type.
pub(super) fn guarded<A>(
    host: Host,
    bytes: &[u8],
    register: impl FnOnce() -> Registration,
    answer: impl FnOnce(&Registration) -> A,
    to_answer: impl Fn(HostOutput) -> A,
) -> A {
    hold_signals_of_limits();
    let registration = unless_panicking(register);
    let registration = registration.as_ref();
    let by_failure_policy =
        |registration| unless_panicking(|| to_answer(answer_engine_failure(host, bytes, registration, BUG)));
    registration
        .and_then(|registration| unless_panicking(|| answer(registration)))
        .or_else(|| by_failure_policy(registration))
        .or_else(|| by_failure_policy(None))
        .unwrap_or_else(|| {
            to_answer(HostOutput { stderr: format!("rules: {BUG}\n"), exit: 2, ..HostOutput::default() })
        })
}

/// Returns the result of some work; `None` if it panics.
fn unless_panicking<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Returns the calling host: the one in the arguments, else the one that the environment indicates, else Claude Code.
/// A host does not understand an answer in another host's format.
fn calling_host(args: &HookArgs) -> Host {
    Host::from_name(&args.host).or_else(host_of_environment).unwrap_or(Host::CLAUDE_CODE)
}

/// Returns the directories of policies and state that a registration names, else the default ones.
fn machine_places(args: &RegistrationArgs) -> MachinePlaces {
    places(
        args.managed_dir.as_deref(),
        args.config_dir.as_deref(),
        args.state_dir.as_deref(),
        args.cache_dir.as_deref(),
    )
}

/// Returns the registration of a hook with these arguments. `default_scope` is its scope if the arguments have none,
/// and `problem` is a mistake that the failure policy answers.
pub(super) fn registration(
    host: Host,
    args: &RegistrationArgs,
    default_scope: SettingsScope,
    problem: Option<String>,
) -> Registration {
    let places = machine_places(args);
    Registration {
        host,
        project: project_of_environment(host),
        start_directory: own_directory(),
        places: MachinePlaces { trust: args.scope.unwrap_or(default_scope).trust_requirement(), ..places },
        requires_policy: args.require_policy,
        problem,
    }
}

/// Returns the message for the user about a registration whose arguments clap rejects.
fn describe_argument_error(error: &clap::Error) -> String {
    format!("The hook is registered with arguments that rules does not know: {}.", clap_error_sentence(error))
}

/// Returns the first line of clap's error message, without the leading `error: `.
pub(super) fn clap_error_sentence(error: &clap::Error) -> String {
    let rendered = error.to_string();
    rendered.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// Writes the answer and returns its exit code. If standard output does not take all of it, reports the reason on
/// standard error and returns 2, which blocks the event: the host cannot parse half an answer.
pub(super) fn write(output: &HostOutput) -> ExitCode {
    let written = stream::write_out(output.stdout.as_bytes());
    let mut stderr = io::stderr().lock();
    if let Err(error) = written {
        let _nobody_reads = writeln!(stderr, "rules: the answer could not be written: {}", reason(&error));
        return ExitCode::from(2);
    }
    let _nobody_reads = stderr.write_all(output.stderr.as_bytes());
    ExitCode::from(output.exit)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests write settings")]

    use super::*;

    /// A payload that every test can judge.
    const CALL: &[u8] = br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;

    /// A registration whose only policy is the account's, with these settings.
    fn registered(user: &tempfile::TempDir, settings: &str) -> Registration {
        std::fs::write(user.path().join("rules.toml"), settings).unwrap();
        let nowhere = user.path().join("nowhere");
        Registration {
            host: Host::CLAUDE_CODE,
            project: None,
            start_directory: None,
            places: places(Some(&nowhere), Some(user.path()), Some(&nowhere), None),
            requires_policy: false,
            problem: None,
        }
    }

    fn panicking(bytes: &[u8], settings: &str) -> HostOutput {
        let user = tempfile::tempdir().unwrap();
        guarded(
            Host::CLAUDE_CODE,
            bytes,
            || registered(&user, settings),
            |_| panic!("a bug"),
            Answer::without_follow_up,
        )
        .output
    }

    #[test]
    fn a_panic_is_answered_by_the_failure_policy() {
        let output = panicking(CALL, "");
        assert!(output.stdout.contains(r#""permissionDecision":"ask""#), "{output:?}");
        assert!(output.stdout.contains("A bug in rules") && output.exit == 0, "{output:?}");
        let output = panicking(CALL, "on_error = \"deny\"");
        assert!(output.stdout.contains(r#""permissionDecision":"deny""#) && output.exit == 2, "{output:?}");
        let output = panicking(CALL, "on_error = \"allow\"");
        assert!(!output.stdout.contains("permissionDecision") && output.exit == 0, "{output:?}");
    }

    #[test]
    fn a_panic_on_another_event_warns() {
        let output = panicking(br#"{"hook_event_name":"Stop"}"#, "");
        assert!(output.stdout.starts_with(r#"{"systemMessage":"A bug in rules"#) && output.exit == 0, "{output:?}");
    }

    #[test]
    fn a_panic_gives_no_allow_to_a_permission_request() {
        let request = br#"{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{}}"#;
        let output = panicking(request, "on_error = \"allow\"");
        assert!(!output.stdout.contains("behavior") && output.exit == 0, "{output:?}");
    }

    #[test]
    fn a_panic_on_what_cannot_be_read_blocks() {
        let output = panicking(b"nonsense", "");
        assert!(output.stdout.is_empty() && output.exit == 2, "{output:?}");
        assert!(output.stderr.contains("A bug in rules"), "{output:?}");
    }

    #[test]
    fn a_panic_before_the_registration_is_known_asks() {
        let output = |host| {
            guarded(
                host,
                CALL,
                || panic!("a bug"),
                |_| Answer::without_follow_up(HostOutput::default()),
                Answer::without_follow_up,
            )
            .output
        };
        let claude_code = output(Host::CLAUDE_CODE);
        assert!(claude_code.stdout.contains(r#""permissionDecision":"ask""#), "{claude_code:?}");
        // A host that cannot ask would take an answer in the other's form for consent.
        let wave = output(Host::from_name("wave").unwrap());
        assert!(wave.stderr.contains("A bug in rules") && wave.exit == 2 && wave.stdout.is_empty(), "{wave:?}");
    }

    #[test]
    fn a_payload_over_the_limit_is_cut_and_answered_by_the_failure_policy() {
        let PayloadInput { bytes, problem } = PayloadInput::read(CALL, CALL.len() - 8);
        assert!(problem.is_some());
        let user = tempfile::tempdir().unwrap();
        for (settings, decision) in [("", "ask"), ("on_error = \"deny\"", "deny")] {
            let registration = Registration { problem: problem.clone(), ..registered(&user, settings) };
            let output = answer_event(&bytes, &registration).output;
            assert!(output.stdout.contains(&format!(r#""permissionDecision":"{decision}""#)), "{output:?}");
            assert!(output.stdout.contains("longer than"), "{output:?}");
        }
    }

    #[test]
    fn arguments_are_understood_as_far_as_they_can_be() {
        let understood =
            |words: &[&str]| parse_words_leniently(&words.iter().map(OsString::from).collect::<Vec<_>>()).args;
        let args = understood(&["hook", "--state-dir", "/s", "--bogus", "--require-policy"]);
        assert_eq!(args.registered.state_dir.as_deref(), Some(std::path::Path::new("/s")));
        assert!(args.registered.require_policy);
        let args = understood(&["hook", "nohost", "--config-dir=/c", "--managed-dir"]);
        assert_eq!(args.registered.config_dir.as_deref(), Some(std::path::Path::new("/c")));
        assert_eq!(args.registered.managed_dir, None);
        assert_eq!(args.host, "");
        let args = understood(&["hook", "--state-dir", "claude-code", "--bogus", "wave", "more"]);
        assert_eq!(args.host, "wave");
        let args = understood(&["hook", "--config-dir", "--require-policy", "--state-dir=", "--timeout", "soon"]);
        let registered = RegistrationArgs { require_policy: true, ..RegistrationArgs::default() };
        assert_eq!(args, HookArgs { registered, ..HookArgs::default() });
    }

    #[test]
    fn an_unknown_host_is_no_value_of_an_option() {
        for (words, name) in [
            (&["acme"][..], Some("acme")),
            (&["--config-dir", "/c", "acme", "--require-policy"], Some("acme")),
            (&["acme", "other"], Some("acme")),
            (&["--log-dir", "x"], None),
            (&["--color", "sometimes"], None),
            (&["claude-code", "more"], None),
            (&["", "-", "--state-dir", "s"], None),
        ] {
            let words: Vec<OsString> = std::iter::once(&"hook").chain(words).map(OsString::from).collect();
            assert_eq!(parse_words_leniently(&words).unknown_host.as_deref(), name, "{words:?}");
        }
    }

    #[test]
    fn what_is_read_without_the_parser_is_what_the_parser_reads() {
        const WORDS: &[&str] = &[
            "claude-code",
            "wave",
            "nohost",
            "",
            "-",
            "--",
            "--require-policy",
            "--require-policy=yes",
            "--config-dir",
            "--config-dir=/c",
            "--config-dir=",
            "--state-dir",
            "--state-dir=a=b",
            "--managed-dir",
            "--managed-dir=-x",
            "--timeout",
            "--timeout=2.5",
            "9",
            "--scope",
            "--scope=user",
            "local",
            "--id=0a9F",
            "--color",
            "--color=never",
            "never",
            "--help",
            "-h",
            "/a b",
        ];
        let reads = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            let plain = parse_plain_args(&words);
            // To parse less is only slow; to parse something else would be another registration.
            if let Some(plain) = &plain {
                assert_eq!(parse_with_clap(&words).ok().as_ref(), Some(plain), "{words:?}");
            }
            // The same function parses what clap rejects.
            if let Ok(args) = parse_with_clap(&words)
                && !words.iter().any(|word| word == "--")
            {
                let understood = parse_words_leniently(&words).args;
                let host = Some(understood.host.clone()).filter(|host| !host.is_empty());
                let host = host.unwrap_or_else(|| Host::CLAUDE_CODE.name().to_owned());
                assert_eq!(HookArgs { host, ..understood }, args, "{words:?}");
            }
            plain.is_some()
        };
        let mut taken = 0;
        for a in WORDS {
            for b in WORDS {
                for c in WORDS {
                    taken += usize::from(reads(&["hook", a, b, c]));
                }
                taken += usize::from(reads(&["hook", a, b]));
            }
            taken += usize::from(reads(&["hook", a]));
        }
        assert!(taken > 50, "{taken}");
        assert!(reads(&["hook"]));
        assert!(reads(&[
            "hook",
            "wave",
            "--config-dir",
            "/c",
            "--require-policy",
            "--state-dir=/s",
            "--managed-dir",
            "m"
        ]));
    }

    #[test]
    fn every_option_of_the_hook_is_read_without_the_parser() {
        for option in HookCommand::command().get_opts() {
            let name = format!("--{}", option.get_long().unwrap());
            if name == "--color" {
                continue;
            }
            let value = match name.as_str() {
                "--timeout" | "--id" => "9",
                "--scope" => "project",
                _ => "/d",
            };
            let value = option.get_action().takes_values().then_some(value);
            let words: Vec<OsString> =
                [Some("hook"), Some(&name), value].into_iter().flatten().map(Into::into).collect();
            assert!(parse_plain_args(&words).is_some(), "{name} is not");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_directory_need_not_be_text() {
        use std::os::unix::ffi::OsStringExt;

        let odd = OsString::from_vec(b"/\xff".to_vec());
        let words = ["hook".into(), "--config-dir".into(), odd.clone()];
        assert_eq!(parse_plain_args(&words).and_then(|args| args.registered.config_dir), Some(PathBuf::from(odd)));
        assert_eq!(parse_plain_args(&words), parse_with_clap(&words).ok());
    }
}
