//! The hosts that a call talks to.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::derived::texts_in;
use super::{Context, Reason, ShellText};
use crate::domain::{Endpoint, of_host, of_remote, of_socket, of_url};
use crate::schema::tool;
use hookrules_shell::{self, Cause, CommandId, Connection, Part, Peer, Scope, Unknown, Word};

/// What reading the host of one connection takes.
const CONTACT: u64 = 20;

/// How many texts in the input of a tool without a table are looked at.
const TEXTS: usize = 1_000;

/// A host that a call talks to.
#[derive(Clone, PartialEq, Debug)]
pub struct Contact {
    /// The host, or why it is not known.
    pub host: Result<Endpoint, Reason>,
    /// Why the call may not talk to it at all.
    pub doubt: Option<Reason>,
    /// The command that does.
    pub by: Option<CommandId>,
}

/// The hosts that a call talks to, as far as they are known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Contacts<'c> {
    /// These.
    pub hosts: Vec<Cow<'c, Contact>>,
    /// Maybe any.
    pub unknown: Option<Reason>,
}

impl Context<'_> {
    /// Returns the hosts that the call talks to; in a `where`, the command at hand.
    #[must_use]
    pub fn contacts(&self) -> Contacts<'_> {
        let mut contacts = Contacts::default();
        if let Some(selected) = &self.selected {
            self.contacts_of(selected.shell, Some(selected.id), &mut contacts);
            return contacts;
        }
        contacts.unknown = self.has_unreadable_command().then(Reason::unreadable_command);
        contacts.hosts.extend(self.contacts_of_tool().into_iter().map(Cow::Owned));
        if let Some(shell) = self.shell_text() {
            self.contacts_of(shell, None, &mut contacts);
        }
        contacts
    }

    /// Adds the hosts that the commands of a text talk to, or one of them.
    fn contacts_of<'s>(&self, shell: &'s ShellText, only: Option<CommandId>, contacts: &mut Contacts<'s>) {
        let is_meant = |by: Option<CommandId>| only.is_none() || only == by;
        let found = self.contacts_by_words(shell).iter().filter(|contact| is_meant(contact.by));
        contacts.hosts.extend(found.map(Cow::Borrowed));
        for opaque in shell.analysis.opaque.iter().filter(|opaque| is_meant(opaque.by)) {
            if opaque.scope == Scope::Remote || opaque.why.cause == Cause::ScriptFile {
                continue;
            }
            match &opaque.text {
                Some(text) if !hookrules_shell::speaks(text) => {}
                _ => {
                    contacts.unknown.get_or_insert_with(|| opaque.why.clone().into());
                }
            }
        }
    }

    fn contacts_by_words<'s>(&self, shell: &'s ShellText) -> &'s [Contact] {
        let find = || -> Vec<Contact> {
            let read = |(id, connection): &(CommandId, Connection)| {
                self.charge(CONTACT).ok()?;
                let host = endpoint(connection).transpose()?;
                Some(Contact { host, doubt: connection.doubt.clone().map(Reason::from), by: Some(*id) })
            };
            shell.connections().iter().filter_map(read).collect()
        };
        self.kept(&shell.contacts, find).as_slice()
    }

    /// Returns the hosts that the tool of the call itself talks to.
    pub(super) fn contacts_of_tool(&self) -> Vec<Contact> {
        let (Some(name), Some(input)) = (self.tool_name, self.tool_input) else { return Vec::new() };
        let contact = |host| Contact { host, doubt: None, by: None };
        let by_url = |url: &str| {
            let host = of_url(url, None, true).map_err(|reason| Reason::host(reason, url));
            host.transpose().map(contact)
        };
        match tool(name) {
            Some(tool) if tool.searches => {
                vec![contact(Err(Unknown::new(Cause::Peer, name).into()))]
            }
            Some(tool) if tool.url.is_some() => self.urls().into_iter().filter_map(by_url).collect(),
            Some(_) => Vec::new(),
            None => {
                let mut texts = Vec::new();
                texts_in(input, &mut texts);
                let urls = texts.into_iter().take(TEXTS).filter(|text| is_url(text)).filter_map(by_url);
                let hosts = HOST_MEMBERS.iter().filter_map(|member| input.get(*member).and_then(Json::as_str));
                let by_host = |host: &str| {
                    let host = of_host(host, None, true).map_err(|reason| Reason::host(reason, host));
                    host.transpose().map(contact)
                };
                urls.chain(hosts.filter(|host| !is_url(host)).filter_map(by_host)).collect()
            }
        }
    }
}

/// Members of the input of a tool without a table that name a host.
const HOST_MEMBERS: &[&str] = &["host", "hostname", "domain"];

/// Tells whether a text is a URL from its beginning on.
fn is_url(text: &str) -> bool {
    text.trim_start().split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Reads the host of a connection; none where it leads to no other machine.
fn endpoint(connection: &Connection) -> Result<Option<Endpoint>, Reason> {
    let port = connection.port;
    match &connection.to {
        Peer::Url(word) => read(word, |text, is_whole| of_url(text, port, is_whole)),
        Peer::Host(word) => read(word, |text, is_whole| of_host(text, port, is_whole)),
        Peer::Remote(word) => read(word, |text, _| of_remote(text, port)),
        Peer::Socket { host, port } => read(host, |text, is_whole| match is_whole {
            true => of_socket(text, port.known()),
            false => Err("not all of the host is known"),
        }),
        Peer::Unknown(why) => Err(why.clone().into()),
    }
}

/// Reads what is known of a word from its beginning. A glob that no file matches stays as it is written, and a URL with a
/// `?` is one.
fn read(
    word: &Word,
    read: impl Fn(&str, bool) -> Result<Option<Endpoint>, &'static str>,
) -> Result<Option<Endpoint>, Reason> {
    let mut text = String::new();
    let mut unknown = None;
    for part in &word.parts {
        match part {
            Part::Text(known) | Part::Glob(known) => text.push_str(known),
            Part::Unknown(part) => {
                unknown = Some(part.why.clone());
                break;
            }
        }
    }
    read(&text, unknown.is_none()).map_err(|reason| match unknown {
        Some(why) => why.into(),
        None => Reason::host(reason, &text),
    })
}
