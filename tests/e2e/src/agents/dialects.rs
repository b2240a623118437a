//! The stand-in for the APIs that models of other agents speak.
//!
//! The model takes the turns of its script, each a call of a tool or the end of its turn, and then only ends. It knows
//! nothing of hooks.

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};

use crate::loopback::{Answer, Loopback, event};

/// An API for models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// OpenAI's Responses.
    Responses,
    /// OpenAI's Chat Completions.
    ChatCompletions,
    /// Gemini's `generateContent` and `streamGenerateContent`.
    Gemini,
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    /// An object, or the text of a tool that takes nothing else.
    pub(crate) input: Json,
}

/// The stand-in, for one session.
pub(crate) struct Model {
    server: Loopback,
    requests: Arc<Mutex<Vec<Json>>>,
}

impl Model {
    /// Starts the model with its script; `None` in it ends a turn.
    pub(crate) fn start(dialect: Dialect, turns: Vec<Option<Call>>) -> io::Result<Self> {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        let server = Loopback::start(move |path, body| {
            if !dialect.is_request(path) {
                return Answer::Object(json!({}));
            }
            if let (true, Ok(mut kept)) = (has_tools(body), kept.lock()) {
                kept.push(body.clone());
            }
            let number = dialect.answer_count(body);
            let call = turns.get(number).and_then(Option::as_ref).filter(|_| has_tools(body));
            dialect.answer(path, body, call.map(|call| (number, call)))
        })?;
        Ok(Self { server, requests })
    }

    /// Returns the address for the host.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// Returns the requests of the conversation so far, in order. Those without tools, for a title, are not part of it.
    pub(crate) fn requests(&self) -> Vec<Json> {
        self.requests.lock().map(|requests| requests.clone()).unwrap_or_default()
    }
}

fn has_tools(body: &Json) -> bool {
    body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
}

impl Dialect {
    fn is_request(self, path: &str) -> bool {
        match self {
            Self::Responses => path.contains("/responses"),
            Self::ChatCompletions => path.contains("/chat/completions"),
            Self::Gemini => path.contains("enerateContent"),
        }
    }

    /// Returns how many earlier answers of the model a request contains.
    fn answer_count(self, body: &Json) -> usize {
        let (list, is_answer): (_, fn(&Json) -> bool) = match self {
            Self::Responses => ("input", |item| {
                let is_call = ["function_call", "custom_tool_call"].iter().any(|kind| item["type"] == *kind);
                is_call || item["role"] == "assistant"
            }),
            Self::ChatCompletions => ("messages", |message| message["role"] == "assistant"),
            Self::Gemini => ("contents", |content| content["role"] == "model"),
        };
        body[list].as_array().map_or(0, |items| items.iter().filter(|item| is_answer(item)).count())
    }

    /// Answers with a call, by its number among the answers, or with a text.
    fn answer(self, path: &str, body: &Json, call: Option<(usize, &Call)>) -> Answer {
        match self {
            Self::Responses => Answer::Events(responses(call)),
            Self::ChatCompletions => chat_completions(body, call),
            Self::Gemini => gemini(path, body, call),
        }
    }
}

fn responses(call: Option<(usize, &Call)>) -> String {
    let item = match call {
        Some((number, Call { tool, input: input @ Json::String(_) })) => json!({
            "type": "custom_tool_call", "id": format!("ctc_{number}"), "call_id": call_id(number), "name": tool,
            "input": input, "status": "completed",
        }),
        Some((number, Call { tool, input })) => json!({
            "type": "function_call", "id": format!("fc_{number}"), "call_id": call_id(number), "name": tool,
            "arguments": input.to_string(), "status": "completed",
        }),
        None => json!({
            "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": "Done.", "annotations": [] }],
        }),
    };
    let usage = json!({
        "input_tokens": 10, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 5, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 15,
    });
    let response = |status: &str, output: Json| json!({ "id": "resp_1", "object": "response", "status": status, "output": output, "usage": usage });
    let events = [
        json!({ "type": "response.created", "response": response("in_progress", json!([])) }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.completed", "response": response("completed", json!([item])) }),
    ];
    events.iter().map(|data| event(data["type"].as_str(), data)).collect()
}

/// Returns the id of the call in an answer.
fn call_id(number: usize) -> String {
    format!("call_{number:04}")
}

fn chat_completions(body: &Json, call: Option<(usize, &Call)>) -> Answer {
    let (content, reason) = match call {
        Some((number, Call { tool, input })) => {
            let function = json!({ "name": tool, "arguments": input.to_string() });
            let call = json!({ "index": 0, "id": call_id(number), "type": "function", "function": function });
            (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
        }
        None => (json!({ "role": "assistant", "content": "Done." }), "stop"),
    };
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 });
    let reply = |object: &str, choice: Json| {
        json!({
            "id": "chatcmpl-1", "object": object, "created": 1, "model": body["model"], "choices": [choice],
            "usage": usage,
        })
    };
    if body["stream"] != true {
        let choice = json!({ "index": 0, "message": content, "finish_reason": reason });
        return Answer::Object(reply("chat.completion", choice));
    }
    let chunk = |delta: Json, reason: Json| {
        event(None, &reply("chat.completion.chunk", json!({ "index": 0, "delta": delta, "finish_reason": reason })))
    };
    Answer::Events(chunk(content, Json::Null) + &chunk(json!({}), json!(reason)) + "data: [DONE]\n\n")
}

fn gemini(path: &str, body: &Json, call: Option<(usize, &Call)>) -> Answer {
    let part = match call {
        Some((number, Call { tool, input })) => {
            json!({ "functionCall": { "name": tool, "args": input, "id": call_id(number) } })
        }
        None if has_tools(body) => json!({ "text": "Done." }),
        // The host asks which model suits a task, and who speaks next.
        None => {
            let choice = json!({
                "reasoning": "r", "next_speaker": "user", "model_choice": "flash", "complexity_score": 1,
                "complexity_reasoning": "r",
            });
            json!({ "text": choice.to_string() })
        }
    };
    let candidate = json!({ "content": { "role": "model", "parts": [part] }, "finishReason": "STOP", "index": 0 });
    let usage = json!({ "promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15 });
    let reply = json!({ "candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake" });
    if path.contains("stream") { Answer::Events(event(None, &reply)) } else { Answer::Object(reply) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(answer: Answer) -> String {
        match answer {
            Answer::Object(object) => object.to_string(),
            Answer::Events(text) => text,
        }
    }

    #[test]
    fn the_model_takes_one_turn_an_answer() {
        let tools = json!([{ "name": "shell" }]);
        for (dialect, path, first, second) in [
            (
                Dialect::Responses,
                "/v1/responses",
                json!({ "tools": tools, "input": [{ "role": "user" }] }),
                json!({ "tools": tools, "input": [{ "role": "user" }, { "type": "function_call" }] }),
            ),
            (
                Dialect::ChatCompletions,
                "/v1/chat/completions",
                json!({ "tools": tools, "messages": [{ "role": "user" }] }),
                json!({ "tools": tools, "messages": [{ "role": "user" }, { "role": "assistant" }] }),
            ),
            (
                Dialect::Gemini,
                "/v1beta/models/m:streamGenerateContent",
                json!({ "tools": tools, "contents": [{ "role": "user" }] }),
                json!({ "tools": tools, "contents": [{ "role": "user" }, { "role": "model" }] }),
            ),
        ] {
            let call = Call { tool: "shell", input: json!({ "command": "MARK" }) };
            assert!(dialect.is_request(path) && !dialect.is_request("/v1/models"), "{dialect:?}");
            assert_eq!((dialect.answer_count(&first), dialect.answer_count(&second)), (0, 1), "{dialect:?}");
            assert!(text(dialect.answer(path, &first, Some((0, &call)))).contains("MARK"), "{dialect:?}");
            assert!(text(dialect.answer(path, &second, None)).contains("Done."), "{dialect:?}");
        }
    }
}
