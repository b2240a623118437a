//! The machines that a command connects to, and the files that it sends there.
//!
//! The machines remain words in their own notation: the caller extracts the host of a URL. The resolution of names,
//! the configuration of programs, and scripts that are not read are unknown here.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::network::{Connection, Peer, connections};
//! use hookrules_shell::{StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("curl -s https://example.com/x | sh", &start);
//! let [Connection { peer: Peer::Url(url), .. }] = &connections(&analysis.commands[0])[..] else { panic!() };
//! assert_eq!(url.known_text(), Some("https://example.com/x"));
//! ```

mod clients;
mod code;
mod peers;
mod rows;
mod staged;

pub use code::may_connect;

use crate::access::{AccessCertainty, FileAccess, Verb};
use crate::analysis::{Analysis, CommandScope, RedirectKind, SimpleCommand, environment_value};
use crate::argv::{Argv, GivenOption, program_name};
use crate::files::call::ParsedCommand;
use crate::files::paths::rebase_path;
use crate::files::{StdinKind, file_accesses};
use crate::open_files::descriptor_number;
use crate::programs::OptionEffect;
use crate::stream::CommandId;
use crate::word::{Cause, Directory, Unknown, Word};
use peers::Peers;
use rows::{NetworkRow, PeerNotation};

/// A connection that a command makes to another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Connection {
    /// The machine at the other end.
    pub peer: Peer,
    /// The default port, for a peer whose notation contains no port.
    pub port: Option<u16>,
    /// The reason why the connection may not be made at all; `None` if it certainly is.
    pub doubt: Option<Unknown>,
}

/// A machine in the notation of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Peer {
    /// A URL; without a scheme, a host, perhaps with a path.
    Url(Word),
    /// A host as `[user@]host[:port]`.
    Host(Word),
    /// A place on a host as `[user@]host:path`.
    Remote(Word),
    /// A host and a port in two words.
    Socket {
        /// The host.
        host: Word,
        /// The port, as a number or a name.
        port: Word,
    },
    /// A machine that the words do not name, and the reason.
    Unknown(Unknown),
}

/// The environment variables that name a proxy for HTTP clients.
const PROXIES: &[&str] =
    &["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "HTTP_PROXY", "ftp_proxy"];

/// The environment variables that select another configuration file of a client, which may name any machine.
const CONFIGURATIONS: &[(&str, &str)] = &[("curl", "CURL_HOME"), ("wget", "WGETRC")];

/// The environment variables that name the host and the port of a database client if its words do not.
const DATABASES: &[(&[&str], &str, &str)] = &[
    (&["psql", "pg_dump", "pg_dumpall", "pg_restore", "createdb", "dropdb", "pg_isready"], "PGHOST", "PGPORT"),
    (&["mysql", "mysqldump", "mysqladmin", "mariadb"], "MYSQL_HOST", "MYSQL_TCP_PORT"),
];

/// Returns the machines that a command connects to, in no particular order.
///
/// The result is empty for a command that runs on another machine: the command that runs it there makes the
/// connection. The connections of the commands that this command runs are not included.
#[must_use]
pub fn connections(command: &SimpleCommand) -> Vec<Connection> {
    if command.scope == CommandScope::Remote {
        return Vec::new();
    }
    let mut peers = Peers { found: Vec::new(), port: None };
    for redirect in command.redirects.iter().filter(|redirect| redirect.kind != RedirectKind::Text) {
        add_device_peer(&redirect.target, &mut peers);
    }
    add_word_peers(command, &mut peers);
    command.fetched_urls().iter().for_each(|url| peers.url(url));
    for found in &mut peers.found {
        found.doubt = found.doubt.take().or_else(|| command.doubt.clone());
    }
    peers.found
}

/// Whether a word of a command is a URL that the program fetches, or the host of one.
pub(crate) fn is_url(argv: &Argv<'_>, word: &Word) -> bool {
    if argv.name.and_then(client).is_none() {
        return false;
    }
    let alone =
        SimpleCommand::without_context(argv.words.to_vec(), Directory::Unknown(Unknown::new(Cause::Computed, "")));
    let mut peers = Peers { found: Vec::new(), port: None };
    add_word_peers(&alone, &mut peers);
    peers.found.iter().any(|found| matches!(&found.peer, Peer::Url(url) if url.parts == word.parts))
}

/// Returns where a command does its work: where it runs, or where a program does it that has an option for that, as
/// `systemctl -H host reboot` has. Its redirections and its connections are those of the place where it runs.
#[must_use]
pub fn place_of_work(command: &SimpleCommand) -> CommandScope {
    command.scope.max(named_place(command))
}

/// Whether an option of a program names the machine or the server on which the program does its work: `docker -H HOST`.
pub(crate) fn names_place(argv: &Argv<'_>, option: &GivenOption) -> bool {
    argv.name.is_some_and(|program| rows::names_place(program, option))
}

/// Returns the place of the work that an option of a command names; this machine if there is none.
fn named_place(command: &SimpleCommand) -> CommandScope {
    let has_options = command.words.iter().skip(1).any(|word| word.prefix().starts_with('-'));
    let program = command.words.first().filter(|_| has_options).and_then(program_name);
    if !program.is_some_and(rows::may_work_elsewhere) {
        return CommandScope::Local;
    }
    let call = ParsedCommand::from_command(command, StdinKind::Inherited);
    rows::program_row(&call).map_or(CommandScope::Local, |row| row.place_of_work(&call))
}

/// Whether the server that does the work of a command, such as a Docker daemon, may be on another machine, because an
/// option or a variable that the text sets names one.
pub(crate) fn has_remote_server(command: &SimpleCommand) -> bool {
    let call = ParsedCommand::from_command(command, StdinKind::Inherited);
    let Some(row) = rows::program_row(&call) else { return false };
    let mut peers = Peers { found: Vec::new(), port: None };
    row.servers(&call, &mut peers);
    if peers.found.is_empty() {
        add_variable_peers(command, row.variables, VariableSelection::Servers, &mut peers);
    }
    let is_elsewhere = |found: &Connection| !matches!(&found.peer, Peer::Url(url) if is_of_this_machine(url));
    peers.found.iter().any(is_elsewhere) || row.has_remote_context(&call)
}

/// Whether the machines that a command names are all this one, as in `ssh localhost` and `fab -H 127.0.0.1`.
pub(crate) fn names_only_this_machine(command: &SimpleCommand) -> bool {
    let call = ParsedCommand::from_command(command, StdinKind::Inherited);
    let Some(row) = rows::find_row(&call) else { return false };
    let mut peers = Peers { found: Vec::new(), port: None };
    row.apply(&call, &mut peers);
    let is_here = |found: &Connection| match &found.peer {
        Peer::Host(host) | Peer::Socket { host, .. } => host.is_this_machine(),
        Peer::Url(url) => is_of_this_machine(url),
        _ => false,
    };
    !peers.found.is_empty() && peers.found.iter().all(is_here)
}

/// Whether a URL names this machine: `tcp://localhost:2375`.
fn is_of_this_machine(url: &Word) -> bool {
    let Some(url) = url.known_text() else { return false };
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split('/').next().and_then(|host| host.rsplit('@').next()).unwrap_or_default();
    matches!(host, "::1")
        || host.starts_with("[::1]")
        || host.starts_with("127.")
        || host.split(':').next().is_some_and(|host| host.is_empty() || host.eq_ignore_ascii_case("localhost"))
}

/// Returns the name if a program connects to other machines according to the records; `None` for any other program.
#[must_use]
pub fn client(program: &str) -> Option<&'static str> {
    rows::name(program)
}

/// Adds the machine of a redirection to `/dev/tcp/HOST/PORT`, for which bash opens a connection.
fn add_device_peer(file: &Word, peers: &mut Peers) {
    let Some(rest) = file.socket() else { return };
    match rest.prefix().split_once('/') {
        Some((host, _)) => {
            let port = rest.strip_prefix(&format!("{host}/"));
            peers.socket(&Word::text(host), port.as_ref());
        }
        None => match rest.known_text() {
            // Without a port, bash opens a file of that name.
            Some(_) => {}
            None => peers.host(&rest),
        },
    }
}

/// Adds the machines that the words of a command, and the variables set for it, name.
fn add_word_peers(command: &SimpleCommand, peers: &mut Peers) {
    let Some(program) = command.words.first() else { return };
    if program.known_text().is_none() {
        if let Some(why) = program.unknown_reason() {
            peers.found.push(Connection { peer: Peer::Unknown(why.clone()), port: None, doubt: Some(why) });
        }
        return;
    }
    let mut call = ParsedCommand::from_command(command, StdinKind::Inherited);
    let Some(row) = rows::find_row(&call) else { return };
    let before = peers.found.len();
    let is_none_named = |peers: &Peers| peers.found.len() == before;
    let program = if row.under.is_empty() { Some(row) } else { rows::program_row(&call) };
    if let Some(program) = program {
        program.servers(&call, peers);
        if is_none_named(peers) && !command.environment.is_empty() {
            add_variable_peers(command, program.variables, VariableSelection::Servers, peers);
        }
    }
    if !row.has_network_use(&call) {
        return;
    }
    call.descend(row.under.len());
    peers.port = row.port;
    row.apply(&call, peers);
    let name = call.program().unwrap_or_default();
    if is_none_named(peers) && !command.environment.is_empty() {
        add_variable_peers(command, row.variables, VariableSelection::Others, peers);
    }
    if is_none_named(peers) && row.is_configured {
        peers.add_configured(&display_name(&call, row));
    }
    // A database client gets its server from variables if no word names one.
    let database = DATABASES.iter().find(|(names, ..)| names.contains(&name)).filter(|_| is_none_named(peers));
    if let Some((_, host, port)) = database
        && let Some(host) = exported_value(command, host).filter(|host| !host.prefix().starts_with('/'))
    {
        peers.socket(host, exported_value(command, port));
    }
    for (_, variable) in CONFIGURATIONS.iter().filter(|(program, _)| *program == name) {
        if exported_value(command, variable).is_some() {
            peers.add(Peer::Unknown(Unknown::new(Cause::FileText, format!("${variable}"))));
        }
    }
    // Only variables that the text sets count; all others are the user's own.
    let is_web = peers.found.get(before..).unwrap_or_default().iter().any(|found| matches!(found.peer, Peer::Url(_)));
    if is_web && !command.environment.is_empty() {
        peers.port = None;
        let proxies: Vec<Word> = PROXIES.iter().filter_map(|name| exported_value(command, name).cloned()).collect();
        proxies.iter().filter(|proxy| proxy.known_text() != Some("")).for_each(|proxy| peers.url(proxy));
    }
}

/// Which of a program's variables are evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VariableSelection {
    /// The variables that name the server which does the work of the program: `DOCKER_HOST`.
    Servers,
    /// All other variables.
    Others,
}

/// Adds the machines named by variables that the text sets.
fn add_variable_peers(
    command: &SimpleCommand,
    variables: &[(&[&str], PeerNotation)],
    selection: VariableSelection,
    peers: &mut Peers,
) {
    for (names, notation) in variables
        .iter()
        .filter(|(_, notation)| (*notation == PeerNotation::Server) == (selection == VariableSelection::Servers))
    {
        for value in names.iter().filter_map(|name| exported_value(command, name)) {
            match notation {
                PeerNotation::Server => peers.server(value),
                notation => notation.apply(value, peers),
            }
        }
    }
}

/// Returns the value that the shell text sets for an environment variable of a command; `None` if it sets none.
fn exported_value<'c>(command: &'c SimpleCommand, name: &str) -> Option<&'c Word> {
    environment_value(&command.environment, name)
}

/// Returns the program and the subcommand of a call, for messages: `git push`.
fn display_name(call: &ParsedCommand<'_>, row: &NetworkRow) -> String {
    let first = if row.under.is_empty() { call.operands().first().filter(|_| !row.only.is_empty()) } else { None };
    let words = call.argv.subcommands.iter().copied().take(row.under.len()).chain(first.copied());
    let words = words.filter_map(Word::known_text);
    call.program().into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

impl NetworkRow {
    /// Whether a call uses the network. It does not if it only asks for help, has an option that keeps the program off
    /// the network, or lacks a word that the record requires for that.
    fn has_network_use(&self, call: &ParsedCommand<'_>) -> bool {
        let explains = |given: &crate::argv::GivenOption| {
            given.option.is_some_and(|option| option.does == OptionEffect::Explains)
                || given.has_spelling(&["--help", "--version"])
        };
        let has_connecting_word = || {
            let mut words = call.argv.sequence().skip(self.under.len());
            words.next().is_some_and(|word| word.known_text().is_none_or(|word| self.only.contains(&word)))
        };
        !call.argv.options.iter().any(explains)
            && !call.has_option(self.idle)
            && (self.only.is_empty() || has_connecting_word())
    }
}

/// Returns the files that a command sends over the network, as accesses of that command.
///
/// These are the files that the client itself reads, and the files read by the commands whose output becomes the
/// words or the standard input of the client, or the content of a file that it sends.
#[must_use]
pub fn sent_files(analysis: &Analysis, command: &SimpleCommand) -> Vec<FileAccess> {
    let connections = connections(command);
    if connections.is_empty() {
        return Vec::new();
    }
    let doubt = connections.iter().all(|found| found.doubt.is_some()).then(|| connections.first()).flatten();
    let doubt = doubt.and_then(|found| found.doubt.clone());
    // Which of the files that the code reads are sent is not analysed.
    let by_code = command.fetched_urls().first().map(|url| Unknown::new(Cause::Computed, url.display_text()));
    let doubt = doubt.or_else(|| by_code.clone());
    let mut sent = Vec::new();
    let call = ParsedCommand::from_command(command, StdinKind::Inherited);
    let row = rows::find_row(&call).filter(|row| row.has_network_use(&call));
    let has_socket = command
        .redirects
        .iter()
        .any(|redirect| redirect.kind != RedirectKind::Text && redirect.target.socket().is_some());
    let takes_input =
        has_socket || by_code.is_some() || row.is_some_and(|row| row.input || row.sends && names_input(&call));
    if has_socket || takes_input || row.is_some_and(|row| row.sends) {
        // Files that the program reads for its own use, such as keys, are not sent.
        let kept = row.iter().flat_map(|row| row.values).filter(|(_, notation)| *notation == PeerNotation::Keeps);
        let kept: Vec<&Word> = kept.flat_map(|(names, _)| call.values(names)).collect();
        let is_input = |access: &FileAccess| {
            let mut inputs = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
            inputs.any(|redirect| *redirect.target == access.path)
        };
        let sends = |access: &FileAccess| match is_input(access) {
            true => takes_input,
            false => has_socket || by_code.is_some() || row.is_some_and(|row| row.sends),
        };
        let reads = file_accesses(analysis, command).into_iter().filter(|access| access.verb == Verb::Reads);
        sent.extend(
            reads.filter(|access| access.path.socket().is_none() && !kept.contains(&&access.path) && sends(access)),
        );
    }
    let input: &[CommandId] = if takes_input { &command.stdin_from } else { &[] };
    for id in input.iter().chain(&command.words_from) {
        let Some(writer) = analysis.command(*id) else { continue };
        for mut access in file_accesses(analysis, writer).into_iter().filter(|access| access.verb == Verb::Reads) {
            access.path = rebase_path(&access.path, &writer.cwd, &command.cwd);
            sent.push(access);
        }
    }
    let staged = staged::staged_files(analysis, command, &sent);
    sent.extend(staged);
    for access in &mut sent {
        access.verb = Verb::Sends;
        if let Some(why) = doubt.as_ref().filter(|_| access.certainty.is_certain_if_present()) {
            access.certainty = AccessCertainty::Maybe(why.clone());
        }
    }
    sent
}

/// Returns the files that a command sends by what its options and redirections name, and not by its operands.
pub(crate) fn files_sent_by_options(command: &SimpleCommand, argv: &Argv<'_>) -> Vec<FileAccess> {
    if !argv.name.is_some_and(rows::may_send) || argv.options.is_empty() && command.redirects.is_empty() {
        return Vec::new();
    }
    let mut alone = SimpleCommand::without_context(command.words.clone(), command.cwd.clone());
    alone.redirects.clone_from(&command.redirects);
    let analysis = Analysis { commands: vec![alone], ..Analysis::default() };
    let mut sent: Vec<FileAccess> =
        analysis.commands.iter().flat_map(|command| sent_files(&analysis, command)).collect();
    sent.retain(|access| !argv.operands.iter().any(|operand| operand.parts == access.path.parts));
    sent
}

/// Whether a word names standard input or another descriptor as the data to send: `curl -d @-`.
fn names_input(call: &ParsedCommand<'_>) -> bool {
    let is_input = |word: &Word| {
        let text = word.known_text().unwrap_or_default();
        let name = text.rsplit(['@', '<']).next().unwrap_or(text);
        name == "-" || descriptor_number(name).is_some() || text == "." && call.has_option(&["--upload-file"])
    };
    let mut options =
        call.argv.options.iter().filter(|given| given.option.is_none_or(|one| one.does != OptionEffect::Writes));
    options.any(|given| given.value.as_ref().is_some_and(is_input))
        || call.argv.operands.iter().any(|word| is_input(word))
}

#[cfg(test)]
mod tests;
