//! Code in other languages, as far as it goes: it is not parsed, but what opens a connection goes by few names.

/// What code that talks to other machines holds one of, in lower case.
const SPEAKS: &[&str] = &[
    "://",
    "socket",
    "urllib",
    "requests",
    "http",
    "fetch(",
    "aiohttp",
    "ftplib",
    "smtplib",
    "telnetlib",
    "paramiko",
    "tcpclient",
    "webclient",
    "xmlrpc",
    "net::",
    "net.connect",
    "net.create",
    "fsockopen",
    "curl",
    "dns.",
    "urlopen",
    "open-uri",
    "lwp",
    "websocket",
    "/inet/",
    "invoke-webrequest",
    "invoke-restmethod",
    "iwr ",
    "irm ",
];

/// Tells whether code may talk to other machines, by the words in it.
#[must_use]
pub fn speaks(code: &str) -> bool {
    let lower = code.to_ascii_lowercase();
    SPEAKS.iter().any(|word| lower.contains(word))
}
