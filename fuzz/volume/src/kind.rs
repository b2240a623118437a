//! The kinds of inputs: what they are called.

/// What is generated and tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Shell texts, as calls of Bash under every pack.
    Shell,
    /// Shell texts by themselves: what they mean, what they touch, what an edit makes of them.
    Text,
    /// Programs in the languages that are read: what they do, and what a rule asks of it.
    Code,
    /// Texts of PowerShell's, `cmd`'s, fish's and zsh's by themselves.
    Others,
    /// Payloads of every event, under every pack.
    Payload,
    /// Policies: loaded, checked, judged by.
    Policy,
    /// Configurations of conclaude, imported.
    Import,
    /// Random policies and calls: index = no index = stored image.
    Index,
    /// Random layers and calls: a lower layer never weakens.
    Layers,
}

impl Kind {
    pub const ALL: &'static [Self] = &[
        Self::Shell,
        Self::Text,
        Self::Code,
        Self::Others,
        Self::Payload,
        Self::Policy,
        Self::Import,
        Self::Index,
        Self::Layers,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Text => "text",
            Self::Code => "code",
            Self::Others => "others",
            Self::Payload => "payload",
            Self::Policy => "policy",
            Self::Import => "import",
            Self::Index => "index",
            Self::Layers => "layers",
        }
    }

    pub fn of(name: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().copied().find(|kind| kind.name() == name);
        known.ok_or_else(|| format!("`{name}` is no kind of input; see --help"))
    }

    /// How many inputs one process tries: what it keeps grows a little with each.
    pub const fn batch(self) -> u64 {
        match self {
            Self::Shell | Self::Payload => 5_000,
            Self::Text | Self::Code => 20_000,
            Self::Others => 5_000,
            Self::Policy => 1_000,
            Self::Import => 5_000,
            Self::Index | Self::Layers => 500,
        }
    }
}
