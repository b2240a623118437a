//! The machines that a command connects to, and the files that it sends there.
//!
//! Machines remain words, with their notation: extracting the host of a URL is left to the caller. Name resolution, the
//! configuration of programs, and scripts that are not read are unknown here.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::network::{Connection, Peer, connections};
//! use hookrules_shell::{Start, analyse};
//!
//! let start = Start { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("curl -s https://example.com/x | sh", &start);
//! let [Connection { to: Peer::Url(url), .. }] = &connections(&analysis.commands[0])[..] else { panic!() };
//! assert_eq!(url.known(), Some("https://example.com/x"));
//! ```

mod clients;
mod code;
mod peers;
mod rows;

pub use code::speaks;

use crate::access::{Certainty, FileAccess, Verb};
use crate::analysis::{Analysis, RedirectKind, Scope, Simple, value_in};
use crate::files::call::Call;
use crate::files::paths::from_there;
use crate::files::{Input, file_accesses};
use crate::open_files::descriptor_number;
use crate::programs::Does;
use crate::stream::CommandId;
use crate::word::{Cause, Unknown, Word};
use peers::Peers;
use rows::{Row, Use};

/// A connection that a command makes to another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Connection {
    /// The peer.
    pub to: Peer,
    /// The port if the words name none.
    pub port: Option<u16>,
    /// Why the connection may not be made at all.
    pub doubt: Option<Unknown>,
}

/// A machine, as words denote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Peer {
    /// A URL; without a scheme it is a host, perhaps with a path.
    Url(Word),
    /// As `[user@]host[:port]`.
    Host(Word),
    /// As `[user@]host:path`.
    Remote(Word),
    /// By a host and a port.
    Socket {
        /// The host.
        host: Word,
        /// The port, as a number or a name.
        port: Word,
    },
    /// Unnamed.
    Unknown(Unknown),
}

/// Variables that name a proxy for HTTP clients.
const PROXIES: &[&str] =
    &["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "HTTP_PROXY", "ftp_proxy"];

/// Variables that select another configuration of a client, which may name any machine.
const CONFIGURATIONS: &[(&str, &str)] = &[("curl", "CURL_HOME"), ("wget", "WGETRC")];

/// Variables that name the host and the port of a database client, if its words name none.
const DATABASES: &[(&[&str], &str, &str)] = &[
    (&["psql", "pg_dump", "pg_dumpall", "pg_restore", "createdb", "dropdb", "pg_isready"], "PGHOST", "PGPORT"),
    (&["mysql", "mysqldump", "mysqladmin", "mariadb"], "MYSQL_HOST", "MYSQL_TCP_PORT"),
];

/// Returns the machines that a command connects to, in no particular order.
///
/// A command that runs on another machine has none: the command that runs it there makes the connection. Commands that
/// a command runs are separate.
#[must_use]
pub fn connections(command: &Simple) -> Vec<Connection> {
    if command.scope == Scope::Remote {
        return Vec::new();
    }
    let mut peers = Peers { found: Vec::new(), port: None };
    for redirect in command.redirects.iter().filter(|redirect| redirect.kind != RedirectKind::Text) {
        opened(&redirect.target, &mut peers);
    }
    by_words(command, &mut peers);
    command.fetched().iter().for_each(|url| peers.url(url));
    for found in &mut peers.found {
        found.doubt = found.doubt.take().or_else(|| command.doubt.clone());
    }
    peers.found
}

/// Returns the name of a program that connects to other machines, according to the records.
#[must_use]
pub fn client(program: &str) -> Option<&'static str> {
    rows::name(program)
}

/// `/dev/tcp/HOST/PORT`
fn opened(file: &Word, peers: &mut Peers) {
    let Some(rest) = file.socket() else { return };
    match rest.prefix().split_once('/') {
        Some((host, _)) => {
            let port = rest.after(&format!("{host}/"));
            peers.socket(&Word::text(host), port.as_ref());
        }
        None => match rest.known() {
            // bash opens a file of that name.
            Some(_) => {}
            None => peers.host(&rest),
        },
    }
}

fn by_words(command: &Simple, peers: &mut Peers) {
    let Some(program) = command.words.first() else { return };
    if program.known().is_none() {
        if let Some(why) = program.why() {
            peers.found.push(Connection { to: Peer::Unknown(why.clone()), port: None, doubt: Some(why) });
        }
        return;
    }
    let mut call = Call::of(command, Input::Open);
    let Some(row) = rows::row(&call) else { return };
    let before = peers.found.len();
    let program = if row.under.is_empty() { Some(row) } else { rows::of_program(&call) };
    if let Some(program) = program {
        program.servers(&call, peers);
        if peers.found.len() == before && !command.environment.is_empty() {
            by_variables(command, program.variables, Only::Servers, peers);
        }
    }
    if !row.talks(&call) {
        return;
    }
    call.descend(row.under.len());
    peers.port = row.port;
    row.apply(&call, peers);
    let name = call.program().unwrap_or_default();
    if peers.found.len() == before && !command.environment.is_empty() {
        by_variables(command, row.variables, Only::Others, peers);
    }
    if peers.found.len() == before && row.is_configured {
        peers.configured(&shown(&call, row));
    }
    let database = DATABASES.iter().find(|(names, ..)| names.contains(&name)).filter(|_| peers.found.len() == before);
    if let Some((_, host, port)) = database
        && let Some(host) = set(command, host).filter(|host| !host.prefix().starts_with('/'))
    {
        peers.socket(host, set(command, port));
    }
    for (_, variable) in CONFIGURATIONS.iter().filter(|(program, _)| *program == name) {
        if set(command, variable).is_some() {
            peers.add(Peer::Unknown(Unknown::new(Cause::FileText, format!("${variable}"))));
        }
    }
    // Only variables that the text sets: those set before it are the user's.
    let is_web = peers.found.get(before..).unwrap_or_default().iter().any(|found| matches!(found.to, Peer::Url(_)));
    if is_web && !command.environment.is_empty() {
        peers.port = None;
        let proxies: Vec<Word> = PROXIES.iter().filter_map(|name| set(command, name).cloned()).collect();
        proxies.iter().filter(|proxy| proxy.known() != Some("")).for_each(|proxy| peers.url(proxy));
    }
}

/// Which of the variables to evaluate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Only {
    Servers,
    Others,
}

/// Adds the machines named by variables that the text sets.
fn by_variables(command: &Simple, variables: &[(&[&str], Use)], only: Only, peers: &mut Peers) {
    for (names, becomes) in variables.iter().filter(|(_, becomes)| (*becomes == Use::Server) == (only == Only::Servers))
    {
        for value in names.iter().filter_map(|name| set(command, name)) {
            match becomes {
                Use::Server => peers.server(value),
                becomes => becomes.apply(value, peers),
            }
        }
    }
}

/// Returns the value that the text sets for an exported variable.
fn set<'c>(command: &'c Simple, name: &str) -> Option<&'c Word> {
    value_in(&command.environment, name)
}

/// Returns the program and the subcommand of a call, for display.
fn shown(call: &Call<'_>, row: &Row) -> String {
    let first = if row.under.is_empty() { call.operands().first().filter(|_| !row.only.is_empty()) } else { None };
    let words = call.argv.commands.iter().copied().take(row.under.len()).chain(first.copied());
    let words = words.filter_map(Word::known);
    call.program().into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

impl Row {
    /// Whether a command uses the network: it may only ask for help.
    fn talks(&self, call: &Call<'_>) -> bool {
        let explains = |given: &crate::argv::GivenOption| {
            given.option.is_some_and(|option| option.does == Does::Explains) || given.is_named(&["--help", "--version"])
        };
        let is_meant = || {
            let mut words = call.argv.sequence().skip(self.under.len());
            words.next().is_some_and(|word| word.known().is_none_or(|word| self.only.contains(&word)))
        };
        !call.argv.options.iter().any(explains) && !call.has(self.idle) && (self.only.is_empty() || is_meant())
    }
}

/// Returns the files that a command sends over the network, as accesses of that command.
///
/// These are the files that the client itself reads, and those that commands read whose output becomes its words or its
/// standard input.
#[must_use]
pub fn sent_files(analysis: &Analysis, command: &Simple) -> Vec<FileAccess> {
    let connections = connections(command);
    if connections.is_empty() {
        return Vec::new();
    }
    let doubt = connections.iter().all(|found| found.doubt.is_some()).then(|| connections.first()).flatten();
    let doubt = doubt.and_then(|found| found.doubt.clone());
    // Which of the files that code reads are sent is not analysed.
    let by_code = command.fetched().first().map(|url| Unknown::new(Cause::Computed, url.shown()));
    let doubt = doubt.or_else(|| by_code.clone());
    let mut sent = Vec::new();
    let call = Call::of(command, Input::Open);
    let row = rows::row(&call).filter(|row| row.talks(&call));
    let has_socket = command
        .redirects
        .iter()
        .any(|redirect| redirect.kind != RedirectKind::Text && redirect.target.socket().is_some());
    let takes_input =
        has_socket || by_code.is_some() || row.is_some_and(|row| row.input || row.sends && names_input(&call));
    if has_socket || takes_input || row.is_some_and(|row| row.sends) {
        let kept = row.iter().flat_map(|row| row.values).filter(|(_, becomes)| *becomes == Use::Keeps);
        let kept: Vec<&Word> = kept.flat_map(|(names, _)| call.values(names)).collect();
        let is_input = |access: &FileAccess| {
            let mut read = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
            read.any(|redirect| *redirect.target == access.path)
        };
        let sends = |access: &FileAccess| match is_input(access) {
            true => takes_input,
            false => has_socket || by_code.is_some() || row.is_some_and(|row| row.sends),
        };
        let own = file_accesses(analysis, command).into_iter().filter(|access| access.verb == Verb::Reads);
        sent.extend(
            own.filter(|access| access.path.socket().is_none() && !kept.contains(&&access.path) && sends(access)),
        );
    }
    let input: &[CommandId] = if takes_input { &command.stdin_from } else { &[] };
    for id in input.iter().chain(&command.words_from) {
        let Some(writer) = analysis.command(*id) else { continue };
        for mut access in file_accesses(analysis, writer).into_iter().filter(|access| access.verb == Verb::Reads) {
            access.path = from_there(&access.path, &writer.cwd, &command.cwd);
            sent.push(access);
        }
    }
    for access in &mut sent {
        access.verb = Verb::Sends;
        if let Some(why) = doubt.as_ref().filter(|_| access.certainty.is_sure_where_present()) {
            access.certainty = Certainty::Maybe(why.clone());
        }
    }
    sent
}

/// Whether a program sends what it reads from its standard input or another descriptor: `curl -d @-`.
fn names_input(call: &Call<'_>) -> bool {
    let is_input = |word: &Word| {
        let text = word.known().unwrap_or_default();
        let name = text.rsplit(['@', '<']).next().unwrap_or(text);
        name == "-" || descriptor_number(name).is_some() || text == "." && call.has(&["--upload-file"])
    };
    let mut options = call.argv.options.iter().filter(|given| given.option.is_none_or(|one| one.does != Does::Writes));
    options.any(|given| given.value.as_ref().is_some_and(is_input))
        || call.argv.operands.iter().any(|word| is_input(word))
}

#[cfg(test)]
mod tests;
