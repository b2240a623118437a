//! A server on loopback for one session: it answers each POST with what a function makes of it.

use std::io;
use std::sync::Arc;
use std::thread;

use serde_json::Value as Json;
use tiny_http::{Header, Method, Response, Server};

/// The number of requests that are answered at a time. Hosts send some in parallel.
const THREADS: usize = 3;

/// The answer to a request.
pub(crate) enum Answer {
    Object(Json),
    /// Server-sent events, encoded.
    Events(String),
}

/// The server, which stops when it is dropped.
pub(crate) struct Loopback {
    server: Arc<Server>,
}

impl Loopback {
    /// Starts a server. The function gets the path of each POST, with its query, and its body.
    pub(crate) fn start(answer: impl Fn(&str, &Json) -> Answer + Send + Sync + 'static) -> io::Result<Self> {
        let server = Arc::new(Server::http(("127.0.0.1", 0)).map_err(io::Error::other)?);
        let answer = Arc::new(answer);
        for _ in 0..THREADS {
            let (server, answer) = (Arc::clone(&server), Arc::clone(&answer));
            thread::spawn(move || {
                while let Ok(request) = server.recv() {
                    // A host that hangs up gets no answer.
                    let _gone = respond(request, &*answer);
                }
            });
        }
        Ok(Self { server })
    }

    /// Returns the address for the host.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.server.server_addr())
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        for _ in 0..THREADS {
            self.server.unblock();
        }
    }
}

fn respond(mut request: tiny_http::Request, answer: &dyn Fn(&str, &Json) -> Answer) -> io::Result<()> {
    let mut bytes = Vec::new();
    request.as_reader().read_to_end(&mut bytes)?;
    let answer = match request.method() {
        Method::Post => answer(request.url(), &serde_json::from_slice(&bytes).unwrap_or_default()),
        _ => Answer::Object(Json::Object(serde_json::Map::new())),
    };
    let (kind, body) = match answer {
        Answer::Object(object) => ("application/json", object.to_string()),
        Answer::Events(text) => ("text/event-stream", text),
    };
    let kind = Header::from_bytes("content-type", kind).map_err(|()| io::Error::other("no header"))?;
    request.respond(Response::from_string(body).with_header(kind))
}

/// Encodes an event. A name is for the APIs whose events have one.
pub(crate) fn event(name: Option<&str>, data: &Json) -> String {
    let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{name}data: {data}\n\n")
}
