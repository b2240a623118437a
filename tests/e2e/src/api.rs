//! The stand-in for the Messages API: answers from one script per conversation, and keeps every request.
//!
//! It knows nothing of hooks. The requests show what the model was told.

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};

use crate::loopback::{Answer, Loopback, event};

/// One answer of the model.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    /// Parallel calls of tools.
    Calls(Vec<(&'static str, Json)>),
    /// A text, which ends the turn.
    Says(&'static str),
}

/// The model's answers in one conversation: the k-th turn answers the request that contains k answers.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// The text that identifies the conversation: it occurs before the first answer.
    pub(crate) key: &'static str,
    pub(crate) turns: Vec<Turn>,
}

impl Script {
    /// Returns the script of a session in a directory, whose path replaces `{root}` in the calls.
    pub(crate) fn within(&self, root: &str) -> Self {
        let placed = |input: &Json| match input {
            Json::String(text) => Json::from(text.replace("{root}", root)),
            other => other.clone(),
        };
        let placed = |input: &Json| match input.as_object() {
            Some(members) => members.iter().map(|(name, value)| (name.clone(), placed(value))).collect(),
            None => input.clone(),
        };
        let turns = self.turns.iter().map(|turn| match turn {
            Turn::Calls(calls) => Turn::Calls(calls.iter().map(|(tool, input)| (*tool, placed(input))).collect()),
            Turn::Says(text) => Turn::Says(text),
        });
        Self { key: self.key, turns: turns.collect() }
    }
}

/// A request for a message.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The key of its conversation; `None` for other requests of the host, such as those for titles.
    pub(crate) conversation: Option<&'static str>,
    pub(crate) body: Json,
}

/// The stand-in, for one session of the host.
pub(crate) struct Api {
    server: Loopback,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Api {
    pub(crate) fn start(scripts: &[Script]) -> io::Result<Self> {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (kept, scripts) = (Arc::clone(&requests), scripts.to_vec());
        let server = Loopback::start(move |path, body| answer(path, body, &scripts, &kept))?;
        Ok(Self { server, requests })
    }

    /// Returns the address for the host.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// Returns the requests for messages so far, in order.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().map(|requests| requests.clone()).unwrap_or_default()
    }
}

fn answer(path: &str, body: &Json, scripts: &[Script], kept: &Mutex<Vec<Request>>) -> Answer {
    let path = path.split('?').next().unwrap_or_default();
    if path.ends_with("/count_tokens") {
        return Answer::Object(json!({ "input_tokens": 10 }));
    }
    if !path.ends_with("/messages") {
        return Answer::Object(json!({}));
    }
    let script = script_of(body, scripts);
    let turn = script.and_then(|script| script.turns.get(answers_in(body)).cloned()).unwrap_or(Turn::Says("Done."));
    let reply = message(&turn, body);
    if let Ok(mut kept) = kept.lock() {
        kept.push(Request { conversation: script.map(|script| script.key), body: body.clone() });
    }
    match body["stream"].as_bool() {
        Some(true) => Answer::Events(stream(&reply)),
        _ => Answer::Object(reply),
    }
}

/// Finds the script of a request's conversation. A request without tools belongs to no conversation.
fn script_of<'a>(body: &Json, scripts: &'a [Script]) -> Option<&'a Script> {
    body["tools"].as_array().filter(|tools| !tools.is_empty())?;
    let messages = body["messages"].as_array()?;
    let before = messages.iter().take_while(|message| message["role"] != "assistant");
    let begin: String = before.map(|message| message["content"].to_string()).collect();
    scripts.iter().find(|script| begin.contains(script.key))
}

fn answers_in(body: &Json) -> usize {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    messages.iter().filter(|message| message["role"] == "assistant").count()
}

/// Builds a message. The ids of calls are derived from their place in the conversation.
fn message(turn: &Turn, body: &Json) -> Json {
    let at = answers_in(body);
    let (content, reason) = match turn {
        Turn::Says(text) => (vec![json!({ "type": "text", "text": text })], "end_turn"),
        Turn::Calls(calls) => {
            let blocks = calls.iter().enumerate().map(|(number, (tool, input))| {
                json!({ "type": "tool_use", "id": format!("toolu_{at}_{number}_{}", body_id(body)), "name": tool, "input": input })
            });
            (blocks.collect(), "tool_use")
        }
    };
    json!({
        "id": format!("msg_{at}"), "type": "message", "role": "assistant", "model": body["model"], "content": content,
        "stop_reason": reason, "stop_sequence": null, "usage": { "input_tokens": 10, "output_tokens": 5 },
    })
}

/// Returns a part of call ids that differs between conversations: the host expects unique ids.
fn body_id(body: &Json) -> String {
    let first = body["messages"][0]["content"].to_string();
    let sum = first.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("{sum:08x}")
}

/// Encodes a message as a stream of events.
fn stream(message: &Json) -> String {
    let mut events = Vec::new();
    let mut start = message.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Json::Null;
    events.push(json!({ "type": "message_start", "message": start }));
    for (index, block) in message["content"].as_array().into_iter().flatten().enumerate() {
        let mut empty = block.clone();
        let delta = if block["type"] == "tool_use" {
            empty["input"] = json!({});
            json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() })
        } else {
            empty["text"] = json!("");
            json!({ "type": "text_delta", "text": block["text"] })
        };
        events.push(json!({ "type": "content_block_start", "index": index, "content_block": empty }));
        events.push(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    let delta = json!({ "stop_reason": message["stop_reason"], "stop_sequence": null });
    events.push(json!({ "type": "message_delta", "delta": delta, "usage": message["usage"] }));
    events.push(json!({ "type": "message_stop" }));
    events.iter().map(|data| event(data["type"].as_str(), data)).collect()
}
