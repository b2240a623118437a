//! The kinds of inputs, and their names.

/// A kind of input to generate and try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Shell texts, as calls of Bash under every pack.
    Shell,
    /// Shell texts on their own: their meaning, their file accesses, and edits of them.
    Text,
    /// Programs in the supported languages: their effects, and queries about them.
    Code,
    /// Texts of PowerShell, `cmd`, fish and zsh on their own.
    Others,
    /// Payloads of every event, under every pack.
    Payload,
    /// Policies: loaded, checked, and used to judge events.
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

    /// The number of inputs that one process tries: its caches grow a little with each.
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
