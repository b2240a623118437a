//! The host of a URL is the one that a browser uses.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// Parts of host names, and other characters that may be in one.
const PARTS: &[&str] = &[
    "evil",
    "com",
    "Evil",
    ".",
    ".",
    ".",
    "。",
    "｡",
    "%69",
    "%2e",
    "%2f",
    "%00",
    "%",
    "\u{ad}",
    "\u{200b}",
    "\u{200d}",
    "\u{fe0f}",
    "\u{34f}",
    "\u{180e}",
    "ｅ",
    "ß",
    "ü",
    "ﬁ",
    "\u{212a}",
    "Ⅷ",
    "①",
    "xn--bcher-kva",
    "0x7f",
    "0x",
    "1",
    "127",
    "255",
    "256",
    "08",
    "017",
    "4294967295",
    "4294967296",
    "-",
    "_",
    "*",
    "!",
    "+1",
    "~",
    "&",
    "=",
    ",",
    "'",
    "(",
    "^",
    "|",
    "<",
    "[",
    "]",
    " ",
    "\t",
    "\u{7f}",
];

/// Addresses in brackets, and invalid ones.
const LITERALS: &[&str] =
    &["[::1]", "[0:0::1]", "[::ffff:1.2.3.4]", "[1:2:3:4:5:6:7:8]", "[::1", "[good.com]", "[::1%25eth0]"];

/// Returns URLs, most of them with a host, in spellings that parsers interpret differently.
fn urls() -> impl Strategy<Value = String> {
    let scheme = ["https", "HTTP", "wss", "ftp", "ht\ttps", "file", "x-y", "mailto", "view-source", " https"];
    let slashes = ["://", "://", "://", ":", ":/", ":////", ":\\\\", ":\\/", ":/\n/"];
    let user = ["", "", "", "good.com@", "a:b@", "a@b@", "%40@", "good.com\\@", "@"];
    let host = prop_oneof![
        8 => vec(select(PARTS), 1..6).prop_map(|parts| parts.concat()),
        1 => select(LITERALS).prop_map(str::to_owned),
    ];
    let port = ["", "", "", ":", ":80", ":0080", ":65536", ":x"];
    let rest = ["", "/", "/x", "\\x", "?q", "#f", "/@good.com", "\\@good.com", "#@good.com", "/x:1"];
    let choice = |words: &[&'static str]| select(words.to_vec());
    (choice(&scheme), choice(&slashes), choice(&user), host, choice(&port), choice(&rest))
        .prop_map(|(scheme, slashes, user, host, port, rest)| [scheme, slashes, user, &host, port, rest].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    /// The host that is judged is the one that a browser connects to, or it is unknown.
    #[test]
    fn a_host_that_is_told_is_the_one_that_a_browser_reads(url in urls()) {
        let Ok(read) = url::Url::parse(&url) else { return Ok(()) };
        match domain(&url) {
            Ok(Some(host)) => {
                let browsers = match read.host() {
                    // The standard writes no dots in the last four bytes of an address; it is the same address.
                    Some(url::Host::Ipv6(address)) => address.to_string(),
                    host => host.map(|host| host.to_string()).unwrap_or_default(),
                };
                prop_assert_eq!(host.as_str(), browsers.strip_suffix('.').unwrap_or(&browsers), "{:?}", url);
            }
            Ok(None) => prop_assert!(!SCHEMES.contains(&read.scheme()), "{url:?} goes to {read}"),
            Err(_) => {}
        }
    }

    /// A plain host is always known.
    #[test]
    fn a_plain_host_is_told(
        scheme in select(SCHEMES),
        host in "[a-zA-Z][a-z0-9-]{0,8}[a-z0-9](\\.[a-z0-9]{1,8}){0,3}\\.[a-z]{2,6}",
        port in select(vec!["", ":1", ":8080"]),
        rest in "(/[a-z@:?#]{0,8})?",
    ) {
        // This prefix is decoded, possibly to nothing.
        prop_assume!(!host.to_ascii_lowercase().starts_with("xn--"));
        let url = format!("{scheme}://{host}{port}{rest}");
        let read = url::Url::parse(&url).unwrap();
        prop_assert_eq!(domain(&url), Ok(read.host_str().map(str::to_owned)), "{}", url);
    }
}

#[test]
fn spellings_of_one_host_are_one_host() {
    let urls = [
        "https://evil.com/x",
        "https://user:p@EVIL.com:8443/a?b#c",
        "https:\\\\evil.com/x",
        "https:/evil.com",
        "https:evil.com",
        "https:////evil.com",
        "https://ev%69l.com/x",
        "https://e\tvil.c\nom/x",
        "\u{1} https://evil.com ",
        "https://ｅｖｉｌ.com",
        "https://evil。com",
        "https://evil｡com",
        "https://ev\u{ad}il.c\u{200b}om",
        "https://evil.com\\@good.com/",
        "https://good.com@evil.com/",
        "https://evil.com./x",
        "HTTPS://evil.com:",
        "wss://evil.com",
    ];
    for url in urls {
        assert_eq!(domain(url), Ok(Some("evil.com".to_owned())), "{url}");
    }
}

#[test]
fn spellings_of_one_address_are_one_address() {
    for url in ["http://127.0.0.1", "http://0x7f.1/", "http://2130706433", "http://0177.0.0.01", "http://127.1."] {
        assert_eq!(domain(url), Ok(Some("127.0.0.1".to_owned())), "{url}");
    }
    for url in ["http://[::1]:80/", "http://[0:0::1]"] {
        assert_eq!(domain(url), Ok(Some("::1".to_owned())), "{url}");
    }
}

#[test]
fn a_url_of_another_scheme_has_no_domain() {
    for url in ["xhttps://good.com", "file://good.com/etc/passwd", "mailto:a@good.com", "data:text/plain,x"] {
        assert_eq!(domain(url), Ok(None), "{url}");
    }
}

#[test]
fn a_host_that_cannot_be_told_is_an_error() {
    let urls = [
        "https://[good.com]",
        "https://[::1",
        "https://",
        "good.com/x",
        "good.com:80/x",
        "localhost:80",
        "https://good.com:x/",
        "https://good.com%00.evil.com",
        "https://good.com%2fevil.com",
        "https://b%FCcher.de",
        "https://bücher.de",
        "https://a..com",
        "https://1.2.3.4.5",
        "https://256.1.1.1",
        "view-source:https://good.com",
    ];
    for url in urls {
        assert!(domain(url).is_err(), "{url}: {:?}", domain(url));
    }
}
