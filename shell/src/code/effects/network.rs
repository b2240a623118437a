//! Effects of calls on the network: requests, connections, downloads.

use super::super::arguments::LibraryCall;
use super::super::commands::is_url;
use super::super::evaluate::{Evaluator, NodeRef, computed_reason};
use super::super::library::ArgumentRef;
use super::super::value::{CodeValue, HeapCell};
use super::MAX_FETCHED;
use crate::word::{Cause, Unknown, Word, WordPart};

impl Evaluator<'_> {
    /// Records a request for the URL in an argument.
    pub(super) fn fetch_argument(&mut self, call: LibraryCall<'_>, url: ArgumentRef) {
        if let Some(url) = call.argument(url) {
            let url = self.word(&url, call.at);
            self.fetch(url);
        }
    }

    /// Records a request for an argument, if it is a URL.
    pub(super) fn fetch_if_url(&mut self, call: LibraryCall<'_>, url: ArgumentRef) {
        let url = call.argument(url).map(|url| self.word(&url, call.at));
        url.filter(|url| is_url(url.prefix())).into_iter().for_each(|url| self.fetch(url));
    }

    /// Records that a call downloads a URL into a file.
    pub(super) fn download(&mut self, call: LibraryCall<'_>, url: ArgumentRef, path: ArgumentRef) {
        self.fetch_argument(call, url);
        self.write_anything(call, path);
    }

    /// Records a connection to the host and the port in two arguments, or in a pair: `connect(("host", 80))`.
    pub(super) fn connect(&mut self, call: LibraryCall<'_>, host: ArgumentRef, port: ArgumentRef) {
        let Some(host) = call.argument(host) else {
            // Without any argument, the host is this machine. Another argument may contain the host:
            // `connect("host=x")`.
            if !call.given.positional.is_empty() {
                let source = self.source(call.at);
                self.fetch(Word::unknown(computed_reason(&source)));
            }
            return;
        };
        // Python passes an address as a pair.
        let (host, port) = match self.pair(&host) {
            Some((host, port)) => (host, Some(port)),
            None => (host, call.argument(port)),
        };
        let port = port.filter(|port| !matches!(port, CodeValue::Dictionary(_) | CodeValue::Nothing));
        self.connect_to(call.at, &host, port.as_ref());
    }

    /// Records a connection to a host. Without `port`, the text of the host may contain the port.
    pub(in super::super) fn connect_to(&mut self, at: NodeRef, host: &CodeValue, port: Option<&CodeValue>) {
        let mut peer = self.word(host, at);
        if let Some(port) = port {
            peer.push(WordPart::Text(":".to_owned()));
            self.word(port, at).parts.into_iter().for_each(|part| peer.push(part));
        }
        self.fetch(peer);
    }

    /// Returns the first two values of a list; `None` if the value is not a list with two known values.
    fn pair(&self, value: &CodeValue) -> Option<(CodeValue, CodeValue)> {
        let CodeValue::List(address) = value else { return None };
        match self.state.cell(*address)? {
            HeapCell::List(values) => values.first().cloned().zip(values.get(1).cloned()),
            _ => None,
        }
    }

    /// Records a request for a URL or a connection to a `host:port`, each once. If there are too many, the rest is
    /// recorded as not analysed.
    pub(in super::super) fn fetch(&mut self, url: Word) {
        // A path without a host is requested over a connection that is already recorded.
        if url.prefix().starts_with('/') && !url.prefix().starts_with("//") {
            return;
        }
        if self.fetched.len() >= MAX_FETCHED {
            self.add_unanalysed(Unknown::new(Cause::TooLong, ""), None);
        } else if !self.fetched.contains(&url) {
            self.fetched.push(url);
        }
    }
}
