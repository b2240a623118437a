//! The machines found so far.

use super::{Connection, Peer};
use crate::files::paths::is_remote;
use crate::word::{Cause, Unknown, Word};

/// The maximum number of machines listed for one command. Beyond it, the machine is unknown.
const LIMIT: usize = 256;

/// Collects machines.
pub(super) struct Peers {
    pub(super) found: Vec<Connection>,
    /// The port if none is named.
    pub(super) port: Option<u16>,
}

impl Peers {
    pub(super) fn add(&mut self, to: Peer) {
        let to = if self.found.len() == LIMIT { Peer::Unknown(Unknown::new(Cause::TooLong, "")) } else { to };
        if self.found.len() <= LIMIT {
            self.found.push(Connection { peer: to, port: self.port, doubt: None });
        }
    }

    pub(super) fn url(&mut self, url: &Word) {
        self.add(Peer::Url(url.clone()));
    }

    /// Adds the server that does the work of a program, unless it is a local socket.
    pub(super) fn server(&mut self, url: &Word) {
        const OWN: &[&str] = &["unix:", "npipe:", "fd:", "/"];
        if !OWN.iter().any(|start| url.prefix().starts_with(start)) && url.known_text() != Some("local") {
            self.url(url);
        }
    }

    pub(super) fn host(&mut self, host: &Word) {
        self.add(Peer::Host(host.clone()));
    }

    pub(super) fn socket(&mut self, host: &Word, port: Option<&Word>) {
        match port {
            Some(port) => self.add(Peer::Socket { host: host.clone(), port: port.clone() }),
            None => self.host(host),
        }
    }

    /// Adds a place in the notation of `scp`, unless it is local.
    pub(super) fn remote(&mut self, place: &Word) {
        match place.unknown_reason() {
            _ if place.literal().contains("://") => self.url(place),
            _ if is_remote(place) => self.add(Peer::Remote(place.clone())),
            // It may be either.
            Some(why) if !place.prefix().contains('/') && place.prefix().is_empty() => {
                self.found.push(Connection { peer: Peer::Unknown(why.clone()), port: self.port, doubt: Some(why) });
            }
            _ => {}
        }
    }

    /// Adds a machine that the words do not name.
    pub(super) fn add_configured(&mut self, by: &str) {
        self.add(Peer::Unknown(Unknown::new(Cause::Peer, by)));
    }
}
