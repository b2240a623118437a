//! Parses hosts with ports, in the notations of shell programs.

use super::normalize_host_name;
use std::net::{IpAddr, Ipv6Addr};

/// A host, and the port of the connection, if that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// The host in lower case; an address in its canonical form, without brackets.
    pub host: String,
    /// The port; `None` if unknown.
    pub port: Option<u16>,
}

/// The default ports of schemes.
const DEFAULT_PORTS: &[(&str, u16)] = &[
    ("http", 80),
    ("https", 443),
    ("ws", 80),
    ("wss", 443),
    ("ftp", 21),
    ("ftps", 990),
    ("ssh", 22),
    ("sftp", 22),
    ("scp", 22),
    ("git", 9418),
    ("svn", 3690),
    ("svn+ssh", 22),
    ("git+ssh", 22),
    ("ssh+git", 22),
    ("rsync", 873),
    ("telnet", 23),
    ("tftp", 69),
    ("ldap", 389),
    ("ldaps", 636),
    ("smtp", 25),
    ("smtps", 465),
    ("imap", 143),
    ("imaps", 993),
    ("pop3", 110),
    ("pop3s", 995),
    ("mqtt", 1883),
    ("mqtts", 8883),
    ("redis", 6379),
    ("rediss", 6379),
    ("postgres", 5432),
    ("postgresql", 5432),
    ("mysql", 3306),
    ("mongodb", 27017),
    ("amqp", 5672),
    ("amqps", 5671),
    ("gopher", 70),
    ("dict", 2628),
    ("smb", 445),
    ("smbs", 445),
    ("socks4", 1080),
    ("socks4a", 1080),
    ("socks5", 1080),
    ("socks5h", 1080),
    ("nats", 4222),
];

/// The schemes of URLs that name no other machine.
const LOCAL_SCHEMES: &[&str] = &["file", "data", "about", "blob", "unix", "javascript"];

/// The names of services that `nc HOST https` and the like accept as a port, with their numbers.
const SERVICES: &[(&str, u16)] =
    &[("http", 80), ("https", 443), ("ssh", 22), ("ftp", 21), ("telnet", 23), ("smtp", 25), ("domain", 53)];

/// Whether the text of a host is complete, or continues with an unknown part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HostEnd {
    /// The text is complete.
    Whole,
    /// An unknown part follows the text, as in `https://host$X`.
    Open,
}

/// Parses a URL as curl does: without a scheme, the text is a host, perhaps with a port and a path. Returns `None`
/// for a URL that names no other machine, such as `file:///x`.
///
/// `port` is used if the URL has no port and its scheme has no default port. `is_whole` is false if an unknown part
/// follows the text.
///
/// # Errors
/// The reason why the host cannot be determined.
pub fn parse_url(text: &str, port: Option<u16>, is_whole: bool) -> Result<Option<Endpoint>, &'static str> {
    let text: String = text.trim().chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => match text.split_once(':') {
            Some((scheme, _)) if LOCAL_SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) => return Ok(None),
            // `http:host` and `http:/host` are read as if they had both slashes.
            Some((scheme, rest)) if matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https" | "ftp") => {
                (scheme.to_ascii_lowercase(), rest)
            }
            _ => (String::new(), text.as_str()),
        },
    };
    if LOCAL_SCHEMES.contains(&scheme.as_str()) {
        return Ok(None);
    }
    let is_scheme = scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if !is_scheme {
        return Err("a scheme that is not known");
    }
    let default_port = DEFAULT_PORTS.iter().find(|(name, _)| *name == scheme).map(|(_, port)| *port);
    let default_port = default_port.or(port).or(if scheme.is_empty() { Some(80) } else { None });
    let rest = rest.trim_start_matches(['/', '\\']);
    let authority_end = rest.find(['/', '\\', '?', '#']);
    // If the unknown part is after the first `/`, `?` or `#`, the host is complete.
    let host_end = if is_whole || authority_end.is_some() { HostEnd::Whole } else { HostEnd::Open };
    let authority = authority_end.and_then(|authority_end| rest.get(..authority_end)).unwrap_or(rest);
    if authority.is_empty() && host_end == HostEnd::Whole {
        return Ok(None);
    }
    host_and_port(authority, default_port, host_end).map(Some)
}

/// Parses `[user@]host[:port]`. `port` is used if the text has no port. `is_whole` is false if an unknown part
/// follows the text, which is an error.
///
/// # Errors
/// The reason why the host cannot be determined.
pub fn parse_host(text: &str, port: Option<u16>, is_whole: bool) -> Result<Option<Endpoint>, &'static str> {
    host_and_port(text, port, if is_whole { HostEnd::Whole } else { HostEnd::Open }).map(Some)
}

/// Parses a remote of `scp` or `git`, `[user@]host:path`. `port` is the port of the connection. The path may be cut
/// off before an unknown part.
///
/// # Errors
/// The error says why the host cannot be determined: a text without a colon may continue with more of the host.
pub fn parse_remote(text: &str, port: Option<u16>) -> Result<Option<Endpoint>, &'static str> {
    // A colon in the brackets of an IPv6 address does not end the host.
    let after_brackets = text.rsplit_once(']').map_or(text, |(_, after_brackets)| after_brackets);
    let Some((before, _)) = after_brackets.split_once(':') else { return Err(INCOMPLETE_HOST) };
    let host = text.get(..text.len() - after_brackets.len() + before.len()).unwrap_or(text);
    host_and_port(host, port, HostEnd::Whole).map(Some)
}

/// Parses a host and its port, which is a number or the name of a service, as in `nc HOST PORT`. Any other port is
/// unknown.
///
/// # Errors
/// The reason why the host cannot be determined.
pub fn parse_socket(host: &str, port: Option<&str>) -> Result<Option<Endpoint>, &'static str> {
    let service = |port: &str| SERVICES.iter().find(|(name, _)| *name == port).map(|(_, port)| *port);
    // A range of ports, such as `1-100`, is not a number and counts as unknown.
    let port = port.and_then(|port| port.parse().ok().or_else(|| service(port)));
    let host = host.rsplit('@').next().unwrap_or(host);
    Ok(Some(Endpoint { host: normalize_host(host.trim_matches(['[', ']']))?, port }))
}

/// The error for a host that continues with an unknown part.
const INCOMPLETE_HOST: &str = "not all of the host is known";

/// Parses `[user@]host[:port]`; the port is `default_port` if the text has none. Fails if the text is incomplete.
fn host_and_port(authority: &str, default_port: Option<u16>, end: HostEnd) -> Result<Endpoint, &'static str> {
    if end == HostEnd::Open {
        return Err(INCOMPLETE_HOST);
    }
    let host = authority.rsplit('@').next().unwrap_or_default();
    let (host, port) = match host.strip_prefix('[') {
        Some(literal) => {
            let (address, rest) = literal.split_once(']').ok_or("a bracket that is not closed")?;
            (address, rest.strip_prefix(':'))
        }
        None if host.matches(':').count() > 1 => (host, None),
        None => match host.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (host, None),
        },
    };
    let port = match port.filter(|port| !port.is_empty()) {
        Some(port) => Some(port.parse().map_err(|_| "a port that is not a number")?),
        None => default_port,
    };
    Ok(Endpoint { host: normalize_host(host)?, port })
}

/// Normalises the name of a host or an address. Fails if the text cannot be a host, or contains characters that
/// programs expand, such as `{a,b}` in curl.
pub(super) fn normalize_host(host: &str) -> Result<String, &'static str> {
    if host.contains(':') {
        let bare = host.split('%').next().unwrap_or(host);
        let address: Ipv6Addr = bare.parse().map_err(|_| "a host that is not an IPv6 address")?;
        return Ok(comparable_address(IpAddr::V6(address)));
    }
    if host.is_empty() {
        return Err("a host without a name");
    }
    if host.contains(['{', '}', '$', '`', '*', ',', '"', '\'', '(', ')']) {
        return Err("a host with an invalid character");
    }
    normalize_host_name(host)
}

/// Formats an address for comparison: an IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) becomes the IPv4 address.
pub(super) fn comparable_address(address: IpAddr) -> String {
    address.to_canonical().to_string()
}
