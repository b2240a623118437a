//! Parses hosts: that of a URL as browsers and the agent's own fetch do (WHATWG URL, UTS 46), and hosts in other
//! notations that programs use.
//!
//! Different spellings of a host result in the same text. If a host cannot be determined, that is an error: it is
//! never taken for another host, and its URL never for one without a host.

mod endpoint;
mod range;

pub use endpoint::{Endpoint, parse_host, parse_remote, parse_socket, parse_url};
pub use range::{HostRange, glob_without_port};

use std::net::{Ipv4Addr, Ipv6Addr};

use unicode_normalization::UnicodeNormalization;

/// The schemes whose URLs contain a network host.
const SCHEMES: &[&str] = &["http", "https", "ws", "wss", "ftp"];

/// Returns the host of a URL in lower case, without user info, port, brackets and trailing dot. `None` for a URL with
/// another scheme than `SCHEMES`, such as `file:`.
///
/// # Errors
/// The error says why the host cannot be determined.
pub fn domain(url: &str) -> Result<Option<String>, &'static str> {
    let trimmed = url.trim_matches(|c: char| c <= ' ');
    let url: String = trimmed.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let Some((scheme, rest)) = url.split_once(':') else { return Err("a URL without a scheme") };
    let scheme = scheme.to_ascii_lowercase();
    if !SCHEMES.contains(&scheme.as_str()) {
        return check_other_scheme(&scheme, rest).map(|()| None);
    }
    // In these schemes, a backslash counts as a slash, and any number of slashes precedes the host.
    let rest = rest.trim_start_matches(['/', '\\']);
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if let Some(literal) = host.strip_prefix('[') {
        let (address, port) = literal.split_once(']').ok_or("a bracket that is not closed")?;
        check_port(port)?;
        let address: Ipv6Addr = address.parse().map_err(|_| "brackets without an IPv6 address")?;
        return Ok(Some(address.to_string()));
    }
    let (host, port) = host.find(':').and_then(|at| host.split_at_checked(at)).unwrap_or((host, ""));
    check_port(port)?;
    normalize_host_name(host).map(Some)
}

/// Fails unless a URL whose scheme is not in `SCHEMES` certainly has no network host. A URL within a URL
/// (`view-source:https:…`) fails.
fn check_other_scheme(scheme: &str, rest: &str) -> Result<(), &'static str> {
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_lowercase())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-'));
    // Some programs take the beginning of `example.com:80` and `localhost:80` for a host, others for a scheme.
    if !is_scheme || rest.starts_with(|c: char| c.is_ascii_digit()) {
        return Err("a URL without a scheme");
    }
    let inner = rest.to_ascii_lowercase();
    if SCHEMES.iter().any(|scheme| inner.strip_prefix(scheme).is_some_and(|rest| rest.starts_with(':'))) {
        return Err("a URL in a URL");
    }
    Ok(())
}

/// Fails unless a text is empty, a colon alone, or a colon and a port number.
fn check_port(port: &str) -> Result<(), &'static str> {
    match port.strip_prefix(':') {
        None if port.is_empty() => Ok(()),
        Some("") => Ok(()),
        Some(digits) if digits.chars().all(|c| c.is_ascii_digit()) && digits.parse::<u16>().is_ok() => Ok(()),
        _ => Err("a port that is not a number"),
    }
}

/// Normalises the host name or IPv4 address of a URL: decodes `%XX`, folds case and width, and removes a trailing
/// dot. Fails if a character or a part is invalid.
fn normalize_host_name(written: &str) -> Result<String, &'static str> {
    let decoded = String::from_utf8(percent_decoded(written)).map_err(|_| "a host that is not UTF-8")?;
    let without_ignored = decoded.chars().filter(|c| !is_ignored(*c));
    let folded: String =
        without_ignored.nfkc().flat_map(char::to_lowercase).nfkc().filter(|c| !is_ignored(*c)).collect();
    let name = folded.replace('。', ".");
    if !name.is_ascii() {
        return Err("a host that is not written in ASCII (`xn--…`)");
    }
    if name.chars().any(|c| c.is_ascii_control() || " #%/:<>?@[\\]^|".contains(c)) {
        return Err("a host with an invalid character");
    }
    let name = name.strip_suffix('.').unwrap_or(&name);
    if name.split('.').any(str::is_empty) {
        return Err("a host with an empty part");
    }
    // As in browsers, a host whose last part is a number must be an IPv4 address.
    let last = name.rsplit('.').next().unwrap_or_default();
    if last.starts_with(|c: char| c.is_ascii_digit()) && parse_number(last).is_ok()
        || last.chars().all(|c| c.is_ascii_digit())
    {
        return parse_ipv4_address(name).map(|address| address.to_string());
    }
    Ok(name.to_owned())
}

/// Decodes the `%XX` escapes of a text.
pub fn percent_decoded(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = code.filter(|hex| hex.chars().all(|c| c.is_ascii_hexdigit()));
        match byte.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    out
}

/// Whether UTS 46 ignores this character.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}' | '\u{2064}' | '\u{feff}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Parses an IPv4 address of one to four numbers, decimal, octal or hexadecimal. The last number fills all remaining
/// bytes: `127.1` is `127.0.0.1`.
fn parse_ipv4_address(name: &str) -> Result<Ipv4Addr, &'static str> {
    let parts = name.split('.').map(parse_number).collect::<Result<Vec<u64>, _>>()?;
    let Some((last, leading)) = parts.split_last() else { return Err(NO_ADDRESS) };
    // `last_width` is the number of bytes that the last number fills: 4 minus the numbers before it.
    let last_width = 4_usize.checked_sub(leading.len()).filter(|last_width| *last_width > 0).ok_or(NO_ADDRESS)?;
    // Each leading number must fit into one byte, and the last one into the remaining bytes.
    if leading.iter().any(|part| *part > 255) || last.checked_shr(8 * u32::try_from(last_width).unwrap_or(4)) != Some(0)
    {
        return Err(NO_ADDRESS);
    }
    let leading_bytes = leading.iter().fold(0_u64, |sum, part| (sum << 8) | part);
    let whole = (leading_bytes << (8 * last_width)) | last;
    u32::try_from(whole).map(Ipv4Addr::from).map_err(|_| NO_ADDRESS)
}

/// The error for a host such as `1.2.3.4.5` or `256.1`.
const NO_ADDRESS: &str = "a host that ends in a number but is not an IPv4 address";

/// Parses a part of an IPv4 address: hexadecimal after `0x`, octal after `0`, else decimal. `0x` alone is 0.
fn parse_number(text: &str) -> Result<u64, &'static str> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some("") => return Ok(0),
        Some(digits) => (digits, 16),
        None if text.len() > 1 && text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    // `from_str_radix` would accept a plus sign.
    if digits.starts_with('+') {
        return Err(NO_ADDRESS);
    }
    u64::from_str_radix(digits, radix).map_err(|_| NO_ADDRESS)
}

#[cfg(test)]
mod tests;
