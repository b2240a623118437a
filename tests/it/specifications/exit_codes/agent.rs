//! The agent of the document, as far as hooks are concerned: its messages, and how the end of a hook changes them.
//!
//! It applies the document's table to an exit code and two streams and knows nothing of rules, so its messages show
//! exactly what the host received.

use hookrules::schema::Event;

use crate::hook::wave::Heard;

/// The author of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    User,
    Assistant,
}

/// A part of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Block {
    Text(String),
    /// A call, with the result that the model reads.
    Tool {
        result: Option<String>,
    },
    /// Shown to the user only.
    Error(String),
}

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) blocks: Vec<Block>,
}

/// Whether the announced action happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Happens,
    IsPrevented,
}

/// An agent in one turn of a conversation.
#[derive(Default, Debug)]
pub(super) struct Agent {
    pub(super) messages: Vec<Message>,
    /// The messages of each request to the model.
    pub(super) requests: Vec<Vec<Message>>,
    /// How often the tool ran.
    pub(super) calls: usize,
    /// How often the agent wanted to stop.
    pub(super) stops: usize,
}

/// The result of the tool.
pub(super) const RESULT: &str = "14 passed";

impl Agent {
    /// Runs one turn for a prompt: the model calls a tool once and then wants to stop. The second time it stops
    /// regardless.
    pub(super) fn send_message(&mut self, prompt: &str, hook: &dyn Fn(Event) -> Heard) {
        self.say(Role::User, Block::Text(prompt.to_owned()));
        if self.end(Event::UserPromptSubmit, &hook(Event::UserPromptSubmit)) == Next::IsPrevented {
            return;
        }
        self.ask_model();
        self.say(Role::Assistant, Block::Tool { result: None });
        if self.end(Event::PreToolUse, &hook(Event::PreToolUse)) == Next::Happens {
            self.calls += 1;
            self.set_result(RESULT);
            self.end(Event::PostToolUse, &hook(Event::PostToolUse));
        }
        for _ in 0..2 {
            self.ask_model();
            self.say(Role::Assistant, Block::Text("Done.".to_owned()));
            self.stops += 1;
            if self.end(Event::Stop, &hook(Event::Stop)) == Next::Happens {
                return;
            }
        }
    }

    /// Applies the document's rule for an exit code, a stream and an event.
    fn end(&mut self, event: Event, hook: &Heard) -> Next {
        // The newline at the end of a stream is not part of its text.
        let stderr = || hook.stderr.strip_suffix('\n').unwrap_or(&hook.stderr).to_owned();
        match (event, hook.exit) {
            (Event::UserPromptSubmit, 0) if !hook.stdout.is_empty() => {
                self.say(Role::User, Block::Text(hook.stdout.clone()));
                Next::Happens
            }
            (_, 0) => Next::Happens,
            (Event::PreToolUse, 2) => {
                self.set_result(&stderr());
                Next::IsPrevented
            }
            (Event::PostToolUse, 2) => {
                self.say(Role::User, Block::Text(stderr()));
                Next::Happens
            }
            (Event::UserPromptSubmit, 2) => {
                let prompt = self.messages.pop();
                assert_eq!(prompt.map(|message| message.role), Some(Role::User), "the prompt is what is erased");
                self.say(Role::Assistant, Block::Error(stderr()));
                Next::IsPrevented
            }
            (Event::Stop, 2) => {
                self.say(Role::User, Block::Text(stderr()));
                Next::IsPrevented
            }
            (other, 2) => panic!("the document says nothing of {other:?}"),
            (_, _) => {
                self.say(Role::Assistant, Block::Error(stderr()));
                Next::Happens
            }
        }
    }

    fn say(&mut self, role: Role, block: Block) {
        self.messages.push(Message { role, blocks: vec![block] });
    }

    fn set_result(&mut self, text: &str) {
        let blocks = self.messages.iter_mut().rev().flat_map(|message| &mut message.blocks);
        for block in blocks {
            if let Block::Tool { result } = block {
                *result = Some(text.to_owned());
                return;
            }
        }
        panic!("no call is under way");
    }

    fn ask_model(&mut self) {
        self.requests.push(for_model(&self.messages));
    }

    /// Returns the texts that the user sees and the model does not.
    pub(super) fn errors(&self) -> Vec<&str> {
        let blocks = self.messages.iter().flat_map(|message| &message.blocks);
        blocks.filter_map(|block| if let Block::Error(text) = block { Some(text.as_str()) } else { None }).collect()
    }

    /// Returns the texts of the user role.
    pub(super) fn user_says(&self) -> Vec<&str> {
        let of_user = self.messages.iter().filter(|message| message.role == Role::User);
        let blocks = of_user.flat_map(|message| &message.blocks);
        blocks.filter_map(|block| if let Block::Text(text) = block { Some(text.as_str()) } else { None }).collect()
    }

    /// Returns the result of the call.
    pub(super) fn result(&self) -> Option<&str> {
        let blocks = self.messages.iter().flat_map(|message| &message.blocks);
        blocks.filter_map(|block| if let Block::Tool { result } = block { result.as_deref() } else { None }).next()
    }

    /// Whether the user can see a text: all messages are shown.
    pub(super) fn user_sees(&self, text: &str) -> bool {
        self.messages.iter().flat_map(|message| &message.blocks).any(|block| block.contains(text))
    }

    /// Whether a request to the model has a text.
    pub(super) fn model_sees(&self, text: &str) -> bool {
        self.requests.iter().flatten().flat_map(|message| &message.blocks).any(|block| block.contains(text))
    }
}

impl Block {
    fn contains(&self, part: &str) -> bool {
        match self {
            Self::Text(text) | Self::Error(text) => text.contains(part),
            Self::Tool { result } => result.as_ref().is_some_and(|result| result.contains(part)),
        }
    }
}

/// Converts messages for the model: without error blocks, and without messages that have no other block.
pub(super) fn for_model(messages: &[Message]) -> Vec<Message> {
    let without_errors = |message: &Message| {
        let blocks = message.blocks.iter().filter(|block| !matches!(block, Block::Error(_))).cloned().collect();
        Message { role: message.role, blocks }
    };
    messages.iter().map(without_errors).filter(|message| !message.blocks.is_empty()).collect()
}
