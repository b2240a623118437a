//! A collector of the machines that a command connects to.

use super::{Connection, Peer};
use crate::files::paths::is_remote;
use crate::word::{Cause, Unknown, Word};

/// The maximum number of machines that are listed for one command. If there are more, one unknown machine is added.
const MAX_PEERS: usize = 256;

/// A collector of the machines that a command connects to.
pub(super) struct Peers {
    pub(super) found: Vec<Connection>,
    /// The default port of the machines that are added next.
    pub(super) port: Option<u16>,
}

impl Peers {
    /// Adds a machine. After [`MAX_PEERS`] machines, adds one unknown machine for all further ones.
    pub(super) fn add(&mut self, peer: Peer) {
        let peer = if self.found.len() == MAX_PEERS { Peer::Unknown(Unknown::new(Cause::TooLong, "")) } else { peer };
        if self.found.len() <= MAX_PEERS {
            self.found.push(Connection { peer, port: self.port, doubt: None });
        }
    }

    pub(super) fn url(&mut self, url: &Word) {
        self.add(Peer::Url(url.clone()));
    }

    /// Adds the server that does the work of a program, such as a Docker daemon, unless it is a local socket.
    pub(super) fn server(&mut self, url: &Word) {
        const LOCAL: &[&str] = &["unix:", "npipe:", "fd:", "/"];
        if !LOCAL.iter().any(|start| url.prefix().starts_with(start)) && url.known_text() != Some("local") {
            self.url(url);
        }
    }

    pub(super) fn host(&mut self, host: &Word) {
        self.add(Peer::Host(host.clone()));
    }

    /// Adds a host with a port, if there is one.
    pub(super) fn socket(&mut self, host: &Word, port: Option<&Word>) {
        match port {
            Some(port) => self.add(Peer::Socket { host: host.clone(), port: port.clone() }),
            None => self.host(host),
        }
    }

    /// Adds a place in the notation of `scp` unless it is a local path; an unknown word may be either.
    pub(super) fn remote(&mut self, place: &Word) {
        match place.unknown_reason() {
            _ if place.literal().contains("://") => self.url(place),
            _ if is_remote(place) => self.add(Peer::Remote(place.clone())),
            // An unknown word may be a local path or a remote place.
            Some(why) if !place.prefix().contains('/') && place.prefix().is_empty() => {
                self.found.push(Connection { peer: Peer::Unknown(why.clone()), port: self.port, doubt: Some(why) });
            }
            _ => {}
        }
    }

    /// Adds the unknown machine that the configuration of a program names. `program` is shown as the reason.
    pub(super) fn add_configured(&mut self, program: &str) {
        self.add(Peer::Unknown(Unknown::new(Cause::Peer, program)));
    }
}
