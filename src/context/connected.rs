//! The hosts that a call connects to.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::derived::{is_url as is_url_member, texts_in};
use super::shell::STEP_UNITS;
use super::{Context, Machine, Reason, ShellText};
use crate::domain::{Endpoint, parse_host, parse_remote, parse_socket, parse_url};
use crate::schema::tool_spec;
use crate::tool_records::MemberUsage;
use hookrules_shell::analysis::{CommandId, CommandScope};
use hookrules_shell::network::{Connection, Peer};
use hookrules_shell::word::{Cause, WordPart};
use hookrules_shell::{Unknown, Word, analyse, quote};

/// The cost of parsing the host of one connection, in units of the budget.
const CONTACT_UNITS: u64 = 20;

/// The maximum number of texts in the input of an unlisted tool that are examined for hosts.
const MAX_TEXTS: usize = 1_000;

/// A host that a call connects to, with its port.
#[derive(Clone, PartialEq, Debug)]
pub struct Contact {
    /// The host and the port, or the reason why they are unknown.
    pub host: Result<Endpoint, Reason>,
    /// The reason why it is uncertain that the connection is made; `None` if it certainly is.
    pub doubt: Option<Reason>,
    /// The command that makes the connection; `None` if the tool itself does.
    pub command: Option<CommandId>,
}

/// The hosts that a call connects to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Contacts<'c> {
    /// The hosts that were found, known or not.
    pub hosts: Vec<Cow<'c, Contact>>,
    /// The reason why the call may also connect to any other host; `None` if it does not.
    pub unknown: Option<Reason>,
}

impl Context<'_> {
    /// Returns the hosts that the call connects to; in a `where`, those that the selected command connects to.
    #[must_use]
    pub fn contacts(&self) -> Contacts<'_> {
        let mut contacts = Contacts::default();
        if let Some(selected) = &self.commands.selected {
            self.machine.add_shell_contacts(selected.shell, Some(selected.id), &mut contacts);
            return contacts;
        }
        contacts.unknown = self.call.has_unreadable_command().then(Reason::unreadable_command);
        let missing = self.call.missing_member(is_url_member).map(Reason::missing_member);
        contacts.unknown = contacts.unknown.take().or(missing);
        contacts.hosts.extend(self.contacts_of_tool().into_iter().map(Cow::Owned));
        if let Some(shell) = self.shell_text() {
            self.machine.add_shell_contacts(shell, None, &mut contacts);
        }
        contacts
    }

    /// Returns the hosts that the tool itself connects to, not its commands.
    pub(super) fn contacts_of_tool(&self) -> Vec<Contact> {
        let (Some(name), Some(input)) = (self.call.tool_name, self.call.tool_input) else { return Vec::new() };
        match tool_spec(name) {
            Some(tool) if tool.searches => {
                vec![contact(Err(Unknown::new(Cause::Peer, name).into()))]
            }
            Some(tool) => {
                let urls = tool.url.map(|_| self.call.urls()).unwrap_or_default();
                let unknown =
                    self.call.unknown_members().map(|members| self.contacts_of_unlisted(&Json::Object(members)));
                urls.into_iter().filter_map(contact_from_url).chain(unknown.into_iter().flatten()).collect()
            }
            None => self.contacts_of_unlisted(input),
        }
    }

    /// Returns the hosts that an unlisted tool connects to: those in members that its records describe as URLs, those
    /// that code in a browser page names, and those in other members with the text of a URL or the name of a host.
    fn contacts_of_unlisted(&self, input: &Json) -> Vec<Contact> {
        let is_unrecorded = |member: &&String| !self.call.is_recorded(member);
        let members = || input.as_object().into_iter().flatten().filter(|(name, _)| is_unrecorded(name));
        let mut texts = Vec::new();
        members().for_each(|(_, member)| texts_in(member, &mut texts));
        let mut urls: Vec<&str> = texts.into_iter().take(MAX_TEXTS).filter(|text| is_url(text)).collect();
        self.call.recorded_values(MemberUsage::Url).into_iter().for_each(|url| texts_in(url, &mut urls));
        let hosts = members().filter(|(name, _)| HOST_MEMBERS.contains(&name.as_str()));
        let hosts =
            hosts.filter_map(|(_, member)| member.as_str()).filter(|host| !is_url(host)).filter_map(contact_from_host);
        let named =
            urls.iter().filter(|url| script(url).is_none()).filter_map(|url| contact_from_url(url)).chain(hosts);
        let named: Vec<Contact> = named.collect();
        named.into_iter().chain(self.contacts_of_pages(&urls).iter().cloned()).collect()
    }

    /// Returns the hosts that code in a browser page connects to, including the code of `javascript:` URLs; cached.
    fn contacts_of_pages(&self, urls: &[&str]) -> &[Contact] {
        self.call.recorded.pages.get_or_init(|| {
            let mut texts: Vec<&str> = urls.iter().copied().filter_map(script).collect();
            self.call.recorded_values(MemberUsage::Page).into_iter().for_each(|code| texts_in(code, &mut texts));
            texts.into_iter().flat_map(|code| self.contacts_of_page(code)).collect()
        })
    }

    /// Returns the hosts that one piece of code in a browser page connects to. Code that cannot be read connects to
    /// an unknown host.
    fn contacts_of_page(&self, code: &str) -> Vec<Contact> {
        // The network requests of a page look like those of any JavaScript program, so the code is analysed as one.
        // If it is a function, it is called, as the browser does.
        let code = if is_function(code) { format!("({code})()") } else { code.to_owned() };
        let analysis = analyse(&format!("node -e {}", quote(&code)), &self.shell_start());
        self.machine.budget.take_each(STEP_UNITS, analysis.steps);
        let connections = analysis.iter().flat_map(|(_, command)| hookrules_shell::network::connections(command));
        let connections = connections.filter(|found| !is_relative(found));
        let opaque = analysis.opaque.iter().map(|opaque| contact(Err(opaque.reason.clone().into())));
        connections.filter_map(|found| endpoint(&found).transpose()).map(contact).chain(opaque).collect()
    }
}

impl Machine<'_> {
    /// Adds the hosts that the commands of a text connect to, or only those of the command `only`.
    fn add_shell_contacts<'s>(&self, shell: &'s ShellText, only: Option<CommandId>, contacts: &mut Contacts<'s>) {
        let is_meant = |by: Option<CommandId>| only.is_none() || only == by;
        let found = self.contacts_by_words(shell).iter().filter(|contact| is_meant(contact.command));
        contacts.hosts.extend(found.map(Cow::Borrowed));
        for opaque in shell.analysis.opaque.iter().filter(|opaque| is_meant(opaque.runner)) {
            if opaque.scope == CommandScope::Remote || opaque.reason.cause == Cause::ScriptFile {
                continue;
            }
            match &opaque.text {
                Some(text) if !hookrules_shell::network::may_connect(text.as_str()) => {}
                _ => {
                    contacts.unknown.get_or_insert_with(|| opaque.reason.clone().into());
                }
            }
        }
    }

    /// Returns the hosts that the commands connect to according to their words, cached.
    fn contacts_by_words<'s>(&self, shell: &'s ShellText) -> &'s [Contact] {
        let find = || -> Vec<Contact> {
            let read = |(id, connection): &(CommandId, Connection)| {
                self.charge(CONTACT_UNITS).ok()?;
                let host = endpoint(connection).transpose()?;
                Some(Contact { host, doubt: connection.doubt.clone().map(Reason::from), command: Some(*id) })
            };
            shell.connections().iter().filter_map(read).collect()
        };
        self.cached(&shell.contacts, find).as_slice()
    }
}

/// Makes the contact of a tool itself, not of a command, with a host.
fn contact(host: Result<Endpoint, Reason>) -> Contact {
    Contact { host, doubt: None, command: None }
}

/// Makes the contact with the host of a URL; `None` if the URL leads to no other machine.
fn contact_from_url(url: &str) -> Option<Contact> {
    parse_url(url, None, true).map_err(|reason| Reason::host(reason, url)).transpose().map(contact)
}

/// Makes the contact with a host that is given by its name; `None` if it is no other machine.
fn contact_from_host(host: &str) -> Option<Contact> {
    parse_host(host, None, true).map_err(|reason| Reason::host(reason, host)).transpose().map(contact)
}

/// Returns the code of a `javascript:` URL; `None` for any other URL.
fn script(url: &str) -> Option<&str> {
    let (scheme, code) = url.trim_start().split_once(':')?;
    scheme.eq_ignore_ascii_case("javascript").then_some(code)
}

/// Whether a connection of a browser page has a relative URL, and so leads to the host of the page itself.
fn is_relative(connection: &Connection) -> bool {
    let Peer::Url(word) = &connection.peer else { return false };
    let text = word.parts.first().and_then(|part| if let WordPart::Text(text) = part { Some(text) } else { None });
    text.is_some_and(|text| !text.contains("://") && !text.starts_with("//"))
}

/// Whether code in a browser page is a single function, which the browser calls.
fn is_function(code: &str) -> bool {
    let code = code.trim();
    let is_arrow = || code.split_once("=>").is_some_and(|(front, _)| !front.contains([';', '{', '\n', '.']));
    !code.ends_with(';') && (code.starts_with("function") || code.starts_with("async") || is_arrow())
}

/// The members of an unlisted tool's input that name a host.
const HOST_MEMBERS: &[&str] = &["host", "hostname", "domain"];

/// Whether a text begins with a URL scheme and `://`.
fn is_url(text: &str) -> bool {
    text.trim_start().split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Parses the host of a connection; `None` if it leads to no other machine.
fn endpoint(connection: &Connection) -> Result<Option<Endpoint>, Reason> {
    let port = connection.port;
    match &connection.peer {
        Peer::Url(word) => parse_start(word, |text, is_whole| parse_url(text, port, is_whole)),
        Peer::Host(word) => parse_start(word, |text, is_whole| parse_host(text, port, is_whole)),
        Peer::Remote(word) => parse_start(word, |text, _| parse_remote(text, port)),
        Peer::Socket { host, port } => parse_start(host, |text, is_whole| match is_whole {
            true => parse_socket(text, port.known_text()),
            false => Err("not all of the host is known"),
        }),
        Peer::Unknown(why) => Err(why.clone().into()),
    }
}

/// Parses the known start of a word with `parse`, whose second argument is whether the word is fully known. A glob
/// counts as text: a glob that matches no file is passed on unchanged, and so is a URL with a `?`.
fn parse_start(
    word: &Word,
    parse: impl Fn(&str, bool) -> Result<Option<Endpoint>, &'static str>,
) -> Result<Option<Endpoint>, Reason> {
    let mut text = String::new();
    let mut unknown = None;
    for part in &word.parts {
        match part {
            WordPart::Text(known) | WordPart::Glob(known) => text.push_str(known),
            WordPart::Unknown(part) => {
                unknown = Some(part.reason.clone());
                break;
            }
        }
    }
    parse(&text, unknown.is_none()).map_err(|reason| match unknown {
        Some(why) => why.into(),
        None => Reason::host(reason, &text),
    })
}
