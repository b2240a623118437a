//! Ranges of hosts, for `under` and `outside`: a domain with its subdomains (`example.org`), or a network
//! (`10.0.0.0/8`).

use std::net::IpAddr;

use super::Endpoint;
use super::endpoint::{comparable_address, normalize_host};

/// A domain with its subdomains, or a network of addresses, on one port or on all ports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostRange {
    /// The domain, or any address of the network.
    pub host: String,
    /// The number of significant bits of the address; `None` for a domain.
    pub bits: Option<u8>,
    /// The port; `None` for all.
    pub port: Option<u16>,
}

impl HostRange {
    /// Parses a range: `example.org`, `10.0.0.0/8` or `[fd00::]/8`, each with an optional port (`:22`). A leading dot
    /// is ignored.
    ///
    /// # Errors
    /// The error says what is wrong with the text, as a noun phrase: "a URL".
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.contains("://") {
            return Err("a URL");
        }
        let (range, port) = split_port(text);
        let port = match port {
            Some(port) => Some(port.parse().map_err(|_| "a port that is not a number")?),
            None => None,
        };
        let (host, bits) = match range.split_once('/') {
            Some((host, bits)) => (host, Some(bits.parse::<u8>().map_err(|_| "a host with a path")?)),
            None => (range, None),
        };
        if host.contains(['*', '?']) {
            return Err("a glob");
        }
        let host = normalize_host(host.trim_matches(['[', ']']).trim_start_matches('.'))?;
        let address: Option<IpAddr> = host.parse().ok();
        // The maximum number of significant bits; `None` for a domain.
        let max_bits = address.map(|address| if address.is_ipv4() { 32 } else { 128 });
        let bits = match (max_bits, bits) {
            (None, None) => None,
            (None, Some(_)) => return Err("a host with a path"),
            (Some(max_bits), bits) => Some(bits.unwrap_or(max_bits)).filter(|bits| *bits <= max_bits),
        };
        if bits.is_none() && max_bits.is_some() {
            return Err("a network of more bits than an address has");
        }
        Ok(Self { host, bits, port })
    }

    /// Whether a host with its port is in the range; `None` if that depends on the port, which is unknown.
    #[must_use]
    pub fn contains(&self, endpoint: &Endpoint) -> Option<bool> {
        if !self.has_host(&endpoint.host) {
            return Some(false);
        }
        match (self.port, endpoint.port) {
            (None, _) => Some(true),
            (Some(port), Some(endpoint_port)) => Some(port == endpoint_port),
            (Some(_), None) => None,
        }
    }

    /// Whether a host is in the range, on any port.
    fn has_host(&self, host: &str) -> bool {
        let Some(bits) = self.bits else {
            let below = host.strip_suffix(self.host.as_str());
            return below.is_some_and(|below| below.is_empty() || below.ends_with('.'));
        };
        match (self.host.parse::<IpAddr>(), host.parse::<IpAddr>()) {
            (Ok(IpAddr::V4(network)), Ok(IpAddr::V4(address))) => {
                // A shift by the full width would overflow: a network of 0 bits has the mask 0.
                let mask = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
                network.to_bits() & mask == address.to_bits() & mask
            }
            (Ok(IpAddr::V6(network)), Ok(IpAddr::V6(address))) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0);
                network.to_bits() & mask == address.to_bits() & mask
            }
            _ => false,
        }
    }
}

/// Normalises a glob on a host for comparison with `HOST:PORT`: removes brackets, converts it to lower case, and adds
/// the port `*` if it has none. Also returns whether the glob has a port other than `*`.
#[must_use]
pub fn glob_without_port(glob: &str) -> (String, bool) {
    let (host, port) = split_port(glob);
    let (sign, bare) = match host.strip_prefix('!') {
        Some(bare) => ("!", bare),
        None => ("", host),
    };
    let bare = bare
        .strip_prefix('[')
        .and_then(|bare| bare.strip_suffix(']'))
        .filter(|bare| bare.contains(':'))
        .unwrap_or(bare);
    let bare = match bare.parse::<IpAddr>() {
        Ok(address) => comparable_address(address),
        Err(_) => bare.to_lowercase(),
    };
    (format!("{sign}{bare}:{}", port.unwrap_or("*")), port.is_some())
}

/// Splits the port from a host. A port consists of digits, or is `*`, after the only colon or after `]`. The port is
/// `None` if there is none, or if it is `*`.
fn split_port(text: &str) -> (&str, Option<&str>) {
    let is_port = |port: &str| !port.is_empty() && (port == "*" || port.bytes().all(|byte| byte.is_ascii_digit()));
    match text.rsplit_once(':') {
        Some((host, port)) if is_port(port) && (!host.contains(':') || host.ends_with(']')) => {
            (host, Some(port).filter(|port| *port != "*"))
        }
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{parse_host, parse_remote, parse_socket, parse_url};

    #[test]
    fn a_range_holds_what_is_below_it() {
        let rows = [
            ("github.com", "github.com", true),
            ("GitHub.com", "api.github.com", true),
            ("github.com", "notgithub.com", false),
            (".github.com", "x.github.com", true),
            ("169.254.0.0/16", "169.254.169.254", true),
            ("169.254.0.0/16", "169.253.0.1", false),
            ("0.0.0.0/0", "8.8.8.8", true),
            ("fd00::/8", "fd00:ec2::254", true),
            ("fd00::/8", "fe80::1", false),
            ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.10", false),
            ("127.0.0.0/8", "localhost", false),
        ];
        for (range, host, expected) in rows {
            let range = HostRange::parse(range).unwrap();
            let endpoint = Endpoint { host: host.to_owned(), port: None };
            assert_eq!(range.contains(&endpoint), Some(expected), "{range:?} {host}");
        }
    }

    #[test]
    fn a_port_counts_where_one_is_named() {
        let range = HostRange::parse("example.org:22").unwrap();
        let at = |port| Endpoint { host: "a.example.org".to_owned(), port };
        assert_eq!(range.contains(&at(Some(22))), Some(true));
        assert_eq!(range.contains(&at(Some(80))), Some(false));
        assert_eq!(range.contains(&at(None)), None);
        assert_eq!(HostRange::parse("[::1]:80").unwrap().port, Some(80));
        assert_eq!(HostRange::parse("::1").unwrap().port, None);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["https://a", "a/b", "*.a", "", "10.0.0.0/33", "a b"] {
            assert!(HostRange::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn endpoints_are_read_as_programs_read_them() {
        let shown = |found: Result<Option<Endpoint>, &'static str>| match found {
            Ok(Some(Endpoint { host, port: Some(port) })) => format!("{host} {port}"),
            Ok(Some(Endpoint { host, port: None })) => host,
            Ok(None) => "none".to_owned(),
            Err(_) => "unknown".to_owned(),
        };
        let rows = [
            ("https://A.example/x", true, "a.example 443"),
            ("https://a.example/x", false, "a.example 443"),
            ("https://a.example", false, "unknown"),
            ("https://u:p@a.example:8443?x", true, "a.example 8443"),
            ("a.example", true, "a.example 80"),
            ("a.example:8080/x", true, "a.example 8080"),
            ("http:a.example", true, "a.example 80"),
            ("http://2852039166/latest", true, "169.254.169.254 80"),
            ("http://0xA9FEA9FE/", true, "169.254.169.254 80"),
            ("http://0251.0376.0251.0376/", true, "169.254.169.254 80"),
            ("http://[fd00:ec2::254]/", true, "fd00:ec2::254 80"),
            ("http://[::ffff:169.254.169.254]/", true, "169.254.169.254 80"),
            ("http://①②⑦.0.0.1/", true, "127.0.0.1 80"),
            ("file:///etc/passwd", true, "none"),
            ("FILE:/etc/passwd", true, "none"),
            ("ssh://git@a.example/x", true, "a.example 22"),
            ("https://{a,b}.example/", true, "unknown"),
        ];
        for (url, is_whole, expected) in rows {
            assert_eq!(shown(parse_url(url, None, is_whole)), expected, "{url}");
        }
        assert_eq!(shown(parse_remote("git@a.example:b/c.git", Some(22))), "a.example 22");
        assert_eq!(shown(parse_remote("[::1]:x", Some(22))), "::1 22");
        assert_eq!(shown(parse_host("u@a.example", Some(22), true)), "a.example 22");
        assert_eq!(shown(parse_socket("u@h", Some("https"))), "h 443");
        assert_eq!(shown(parse_socket("h", Some("1-100"))), "h");
    }

    #[test]
    fn globs_of_hosts_have_a_port() {
        for (glob, expected) in [
            ("*.A.example", "*.a.example:*"),
            ("!a:22", "!a:22"),
            ("*:22", "*:22"),
            ("[::1]:80", "::1:80"),
            ("::1", "::1:*"),
            ("a:*", "a:*"),
        ] {
            assert_eq!(glob_without_port(glob).0, expected);
        }
    }
}
