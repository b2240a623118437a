//! The programs whose machines a function finds in their words, because data cannot describe the notation.

use super::Peer;
use super::peers::Peers;
use crate::files::call::ParsedCommand;
use crate::word::{Cause, Unknown, Word};

/// Returns a word without its first `count` bytes; `None` if these are not known text.
fn skip_bytes(word: &Word, count: usize) -> Option<Word> {
    word.strip_prefix(word.prefix().get(..count)?)
}

/// Adds the machines of `curl`: its URLs, and the targets of `--connect-to` and `--resolve`.
pub(super) fn curl(call: &ParsedCommand<'_>, peers: &mut Peers) {
    // A connection through a local socket reaches no other machine.
    if call.has_option(&["--unix-socket", "--abstract-unix-socket"]) {
        return;
    }
    for url in call.operands() {
        peers.url(url);
    }
    // `HOST1:PORT1:HOST2:PORT2` connects to the second host. If that is empty, the URL names the host.
    for value in call.values(&["--connect-to"]) {
        match value.known_text().map(|text| split_outside_brackets(text, ':')).as_deref() {
            Some([_, _, "", _]) => {}
            Some([_, _, host, port]) => {
                peers.socket(&Word::text(*host), Some(&Word::text(*port)).filter(|port| port.known_text() != Some("")))
            }
            _ => peers.add(Peer::Unknown(Unknown::for_word(Cause::AmbiguousWord, value))),
        }
    }
    // The value is `[+]HOST:PORT:ADDRESS[,ADDRESS]…`, or begins with `-` to remove such an entry.
    for value in call.values(&["--resolve"]) {
        match value.known_text().and_then(|text| text.splitn(3, ':').nth(2).zip(text.split(':').nth(1))) {
            Some((addresses, port)) => addresses.split(',').for_each(|address| {
                let address = address.trim_matches(['[', ']']);
                peers.socket(&Word::text(address), Some(&Word::text(port)));
            }),
            None if value.prefix().starts_with('-') => {}
            None => peers.add(Peer::Unknown(Unknown::for_word(Cause::AmbiguousWord, value))),
        }
    }
    // The configuration file may contain URLs.
    for file in call.values(&["--config"]) {
        peers.add(Peer::Unknown(Unknown::new(Cause::FileText, file.display_text())));
    }
}

/// Splits a text at a separator that is not in brackets: `[::1]:80` at its last colon.
fn split_outside_brackets(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0_u32;
    let is_split = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == separator && depth == 0
    };
    text.split(is_split).collect()
}

/// Adds the machines of `http [METHOD] URL ITEM…`, where a URL without a host is on this machine (`:3000/x`).
pub(super) fn httpie(call: &ParsedCommand<'_>, peers: &mut Peers) {
    let is_method = |word: &&&Word| {
        word.known_text().is_some_and(|text| {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic()) && text.to_ascii_uppercase() == text
        })
    };
    let has_method = call.operands().first().as_ref().is_some_and(is_method);
    let Some(url) = call.operands().get(usize::from(has_method)) else { return };
    match url.known_text().and_then(|text| text.strip_prefix(':')) {
        Some(rest) => {
            let port = rest.split('/').next().filter(|port| !port.is_empty()).unwrap_or("80");
            peers.socket(&Word::text("localhost"), Some(&Word::text(port)));
        }
        None => peers.url(url),
    }
    for proxy in call.values(&["--proxy"]) {
        // `http:http://proxy:3128` is the proxy for a scheme.
        let url = proxy.known_text().and_then(|text| text.split_once(':')).map(|(_, url)| Word::text(url));
        peers.url(url.as_ref().unwrap_or(proxy));
    }
}

/// Adds the server of a database client: a URL, `host=HOST port=PORT`, or `-h HOST -p PORT`. Without these, it is a
/// local socket.
pub(super) fn database(call: &ParsedCommand<'_>, peers: &mut Peers) {
    for word in call.operands().iter().copied().chain(call.values(&["--dbname"])) {
        if word.literal().contains("://") {
            peers.url(word);
        } else if word.literal().contains("host=") || word.literal().contains("hostaddr=") {
            add_setting_hosts(word, peers);
        }
    }
    for host in call.values(&["--host"]).filter(|host| !host.prefix().starts_with('/')) {
        peers.socket(host, call.value(&["--port"]));
    }
}

/// Adds the hosts of connection settings such as `host=a,b port=5432 dbname=x`. The client uses the first host that
/// answers.
fn add_setting_hosts(word: &Word, peers: &mut Peers) {
    let Some(text) = word.known_text() else {
        peers.add(Peer::Unknown(Unknown::for_word(Cause::AmbiguousWord, word)));
        return;
    };
    let value = |name: &str| {
        let mut pairs = text.split_whitespace().filter_map(|pair| pair.split_once('='));
        pairs.find_map(|(key, value)| (key == name).then(|| value.trim_matches('\'')))
    };
    let port = value("port").filter(|ports| !ports.contains(',')).map(Word::text);
    let hosts = ["host", "hostaddr"].into_iter().filter_map(value).flat_map(|hosts| hosts.split(','));
    for host in hosts.filter(|host| !host.is_empty() && !host.starts_with('/')) {
        peers.socket(&Word::text(host), port.as_ref());
    }
}

/// Adds the machine of `nc HOST PORT`.
pub(super) fn nc(call: &ParsedCommand<'_>, peers: &mut Peers) {
    if call.has_option(&["--unixsock", "-U"]) {
        return;
    }
    if let [host, rest @ ..] = call.operands() {
        peers.socket(host, rest.first().copied());
    }
}

/// Adds the machine of `telnet HOST [PORT]` or `ftp HOST [PORT]`, or of a URL.
pub(super) fn host_and_port(call: &ParsedCommand<'_>, peers: &mut Peers) {
    match call.operands() {
        [host, ..] if host.prefix().contains("://") => peers.url(host),
        [host, rest @ ..] => peers.socket(host, rest.first().copied()),
        [] => {}
    }
}

/// Adds the machines of `ssh [-p PORT] [USER@]HOST`: the host, which a setting `-o` may replace, the hosts of `-J`,
/// and the targets of forwarded ports.
pub(super) fn ssh(call: &ParsedCommand<'_>, peers: &mut Peers) {
    let setting = |name: &str| {
        call.values(&["-o"]).filter_map(|word| word.known_text()).find_map(|text| {
            let (key, value) = text.split_once(['=', ' '])?;
            key.trim().eq_ignore_ascii_case(name).then(|| Word::text(value.trim()))
        })
    };
    let port = call.value(&["-p"]).cloned().or_else(|| setting("Port"));
    if let [place, ..] = call.operands() {
        match (setting("HostName"), place.prefix().contains("://")) {
            (Some(host), _) => peers.socket(&host, port.as_ref()),
            (None, true) => peers.url(place),
            (None, false) => peers.socket(place, port.as_ref()),
        }
    }
    let jumps = call.values(&["-J"]).cloned().chain(setting("ProxyJump"));
    for jump in jumps.collect::<Vec<_>>() {
        match jump.known_text() {
            Some("none") => {}
            Some(text) => text.split(',').for_each(|jump| peers.host(&Word::text(jump))),
            None => peers.host(&jump),
        }
    }
    for forwarded in call.values(&["-W"]) {
        peers.host(forwarded);
    }
    // Data that enters at one end of a forwarded port leaves at the other: the value is `[ADDRESS:]PORT:HOST:PORT`,
    // names a socket, or has no target.
    let entering_here = call.values(&["-L"]).map(|word| (word, ForwardSide::Here));
    for (forwarded, entrance) in entering_here.chain(call.values(&["-R"]).map(|word| (word, ForwardSide::There))) {
        match forwarded.known_text().map(|text| split_outside_brackets(text, ':')).as_deref() {
            Some([.., host, port]) if !host.contains('/') && !port.contains('/') && host.parse::<u16>().is_err() => {
                peers.socket(&Word::text(*host), Some(&Word::text(*port)));
            }
            // Without a target, ssh is a proxy for programs on the other machine.
            Some([_] | [_, _]) if entrance == ForwardSide::There => add_proxy(forwarded, peers),
            Some(_) => {}
            None => add_proxy(forwarded, peers),
        }
    }
    for opened in call.values(&["-D"]) {
        add_proxy(opened, peers);
    }
}

/// The machine on which a forwarded port listens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ForwardSide {
    /// This machine: `-L`.
    Here,
    /// The machine that ssh connects to: `-R`.
    There,
}

/// Adds an unknown machine for a proxy, because the clients of the proxy choose the target.
fn add_proxy(proxy: &Word, peers: &mut Peers) {
    peers.add(Peer::Unknown(Unknown::for_word(Cause::AmbiguousWord, proxy)));
}

/// Adds the server of SQL Server clients: `-S [tcp:]HOST[\\INSTANCE][,PORT]`.
pub(super) fn sql_server(call: &ParsedCommand<'_>, peers: &mut Peers) {
    let servers = call.words.windows(2).filter_map(|words| match words {
        [option, server] if matches!(option.known_text(), Some("-S" | "--server")) => Some(server.clone()),
        [_, word] => word.strip_prefix("-S").filter(|rest| !rest.parts.is_empty()),
        _ => None,
    });
    for server in servers.collect::<Vec<_>>() {
        let Some(text) = server.known_text() else {
            peers.host(&server);
            continue;
        };
        let text = text.strip_prefix("tcp:").unwrap_or(text);
        let (host, port) = text.split_once(',').map_or((text, None), |(host, port)| (host, Some(Word::text(port))));
        let host = host.split('\\').next().unwrap_or(host);
        peers.socket(&Word::text(if host == "." { "localhost" } else { host }), port.as_ref());
    }
}

/// Adds the machines of `--endpoints HOST:PORT,HOST:PORT`.
pub(super) fn endpoints(call: &ParsedCommand<'_>, peers: &mut Peers) {
    for endpoints in call.values(&["--endpoints"]) {
        match endpoints.known_text() {
            Some(text) => text.split(',').for_each(|endpoint| peers.url(&Word::text(endpoint))),
            None => peers.url(endpoints),
        }
    }
}

/// Adds the hosts of `-i HOST,HOST`. A value without a comma is a file, which is not read.
pub(super) fn inventory(call: &ParsedCommand<'_>, peers: &mut Peers) {
    if call.values(&["-c"]).any(|connection| connection.known_text() == Some("local")) {
        return;
    }
    let mut is_named = false;
    for inventory in call.values(&["-i", "--inventory"]) {
        if let Some(hosts) = inventory.known_text().filter(|text| text.contains(',')) {
            is_named = true;
            hosts.split(',').filter(|host| !host.is_empty()).for_each(|host| peers.host(&Word::text(host)));
        }
    }
    if !is_named {
        peers.add_configured(call.program().unwrap_or_default());
    }
}

/// Adds the machines of `scp` and `sftp`: those of the remote operands, with the port of `-P`, and the hosts of `-J`.
pub(super) fn scp(call: &ParsedCommand<'_>, peers: &mut Peers) {
    let is_sftp = call.is_program(&["sftp"]);
    for place in call.operands() {
        match is_sftp {
            // The only operand of sftp is a host, with or without a path.
            true if !place.prefix().contains([':', '/']) => peers.host(place),
            _ => peers.remote(place),
        }
    }
    let port = call.value(&["-P"]).cloned();
    if let Some(port) = port {
        for found in &mut peers.found {
            if let Peer::Remote(place) | Peer::Host(place) = &found.peer
                && let Some((host, _)) = place.known_text().and_then(|text| text.split_once(':').or(Some((text, ""))))
            {
                found.peer = Peer::Socket { host: Word::text(host), port: port.clone() };
            }
        }
    }
    for jump in call.values(&["-J"]) {
        peers.host(jump);
    }
}

/// The kinds of addresses of socat that name a host: `TCP:HOST:PORT`.
const TO_HOST: &[&str] = &[
    "tcp",
    "tcp4",
    "tcp6",
    "tcp-connect",
    "tcp4-connect",
    "tcp6-connect",
    "udp",
    "udp4",
    "udp6",
    "udp-connect",
    "udp4-connect",
    "udp6-connect",
    "udp-sendto",
    "udp4-sendto",
    "udp6-sendto",
    "udp-datagram",
    "udp4-datagram",
    "udp6-datagram",
    "openssl",
    "openssl-connect",
    "ssl",
    "sctp",
    "sctp-connect",
    "openssl-dtls-client",
    "dtls",
    "dccp-connect",
    "inet",
    "inet4",
    "inet6",
    "websocket-connect",
];
/// The kinds of addresses of socat that name a proxy and a host: `SOCKS:PROXY:HOST:PORT`.
const TO_PROXY: &[&str] = &["socks4", "socks4a", "socks5", "socks5-connect", "proxy", "proxy-connect", "socks"];

/// Adds the machines of the addresses of `socat`: `TCP:HOST:PORT` and similar.
pub(super) fn socat(call: &ParsedCommand<'_>, peers: &mut Peers) {
    // `A!!B` is two addresses: data is read from the first and written to the second.
    let addresses = call.operands().iter().flat_map(|word| match word.known_text() {
        Some(text) => text.split("!!").map(Word::text).collect(),
        None => vec![(*word).clone()],
    });
    addresses.collect::<Vec<_>>().iter().for_each(|address| socat_address(address, peers));
}

/// Adds the machine that an address of `socat` names, and the proxy if it names one.
fn socat_address(address: &Word, peers: &mut Peers) {
    let Some((kind, _)) = address.prefix().split_once(':') else {
        if let Some(why) = address.unknown_reason().filter(|_| address.prefix().is_empty()) {
            peers.add(Peer::Unknown(why));
        }
        return;
    };
    let lower = kind.to_ascii_lowercase();
    let is_proxy = TO_PROXY.contains(&lower.as_str());
    if !is_proxy && !TO_HOST.contains(&lower.as_str()) {
        return;
    }
    let rest = skip_bytes(address, kind.len() + 1).unwrap_or_default();
    let Some(text) = rest.known_text() else { return peers.host(&rest) };
    let parts = split_outside_brackets(text.split(',').next().unwrap_or(text), ':');
    let word = |part: Option<&&str>| part.map(|part| Word::text(*part));
    if let Some(host) = word(parts.first()) {
        peers.socket(&host, word(parts.get(1)).filter(|_| !is_proxy).as_ref());
    }
    if is_proxy && let Some(host) = word(parts.get(1)) {
        peers.socket(&host, word(parts.get(2)).as_ref());
    }
}

/// Adds the machines of `dig @SERVER NAME TYPE +OPTION`: the server, and the name, whose servers learn about the
/// query.
pub(super) fn names(call: &ParsedCommand<'_>, peers: &mut Peers) {
    for word in call.operands() {
        let text = word.prefix();
        let is_type =
            !text.is_empty() && word.known_text().is_some() && text.bytes().all(|byte| byte.is_ascii_uppercase());
        match text.strip_prefix('@') {
            Some(_) => skip_bytes(word, 1).iter().for_each(|server| peers.host(server)),
            None if text.starts_with('+') || is_type => {}
            None => peers.host(word),
        }
    }
}

/// Adds the machine of `git clone URL` and other subcommands that connect to a remote repository. A name such as
/// `origin` refers to the configuration.
pub(super) fn git(call: &ParsedCommand<'_>, peers: &mut Peers) {
    let command = call.argv.subcommands.first().copied().or_else(|| call.operands().first().copied());
    let command = call.argv.subcommand_in_name.or_else(|| command.and_then(Word::known_text));
    let places: Vec<&Word> = call.argv.operands.iter().copied().chain(call.values(&["--repo"])).collect();
    let shown = || format!("git {}", command.unwrap_or_default());
    match command {
        Some("clone" | "ls-remote" | "push" | "fetch" | "pull") => {
            let Some(place) = places.first() else {
                if command != Some("clone") {
                    peers.add_configured(&shown());
                }
                return;
            };
            let before = peers.found.len();
            peers.remote(place);
            let is_path = place.prefix().starts_with(['/', '.', '~']) || command == Some("clone");
            if peers.found.len() == before && !is_path && place.unknown_reason().is_none() {
                peers.add_configured(&shown());
            }
        }
        Some("submodule") if places.first().and_then(|word| word.known_text()) == Some("add") => {
            places.iter().skip(1).for_each(|place| peers.remote(place));
        }
        Some("submodule") if places.first().and_then(|word| word.known_text()) == Some("update") => {
            peers.add_configured(&shown())
        }
        Some("remote")
            if matches!(places.first().and_then(|word| word.known_text()), Some("update" | "show" | "prune")) =>
        {
            peers.add_configured(&shown());
        }
        Some("lfs") if matches!(places.first().and_then(|word| word.known_text()), Some("push" | "pull" | "fetch")) => {
            peers.add_configured(&shown());
        }
        Some("send-email" | "imap-send" | "svn" | "p4" | "fetch-pack" | "send-pack") => peers.add_configured(&shown()),
        _ => {}
    }
}

/// Adds the unknown machine of a cloud tool, if an operand is a remote place such as `s3://bucket/x`.
pub(super) fn cloud(call: &ParsedCommand<'_>, peers: &mut Peers) {
    let is_elsewhere = |word: &&&Word| crate::files::paths::is_remote(word) || word.prefix().is_empty();
    let named = call.operands().iter().find(is_elsewhere);
    if let Some(place) = named {
        peers.add_configured(&place.display_text());
    }
}
