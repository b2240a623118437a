//! Where a phrase may be, and how its words are compared there. The build script uses it as well.

/// A place of a policy where authors write what another language has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PhrasePlace {
    /// The name of a tool, in a selector.
    Tool,
    /// An event, after `on`.
    Event,
    /// A field or fact, in a condition. `now.*` is `now` with or without more after it, `*.size` with or without more
    /// before it.
    Field,
    /// The name of a part of a path, alone or after the path.
    PartOfPath,
    /// A word after `where`, with `*` as in a field.
    Where,
    /// The name of a command's option, after `where`.
    CommandOption,
    /// A placeholder of a text.
    Placeholder,
    /// A variable of a shell, in the command of a `run`.
    Variable,
    /// An operator: a word, a mark, or several words separated by spaces. `$text` at its end is a text that follows.
    Operator,
    /// An operator that needs no value, like [`PhrasePlace::Operator`].
    Comparison,
    /// A whole test, or a call that is one, with holes: `$field.startsWith($texts)`.
    Test,
    /// A call that is a field.
    Value,
    /// A call that is the length of a field.
    Length,
    /// A call that is a field, compared without regard to case.
    LowerCase,
    /// A directory without quotes, alone; the braces of a variable do not count.
    Directory,
    /// A variable for a directory at the beginning of a path, which then does not load.
    PathPrefix,
    /// The verb of a test of files or hosts.
    Verb,
    /// The first word of a clause: a keyword of programming languages.
    Keyword,
    /// The first word of a clause.
    Clause,
    /// The first word of an item.
    Item,
    /// The name of an option of an effect.
    EffectOption,
    /// The name of a decision.
    Decision,
    /// A word that says nothing, with its place: `then $effect`, `$verb the`.
    Filler,
    /// The keyword of a block of definitions.
    Block,
    /// The event of a rule that is keys and values, which may imply tools.
    EventKey,
    /// A line of a file that is entirely in another language, and that no policy has; `*` is any text.
    Line,
}

impl PhrasePlace {
    /// All places, in the order of the table.
    pub const ALL: [Self; 26] = [
        Self::Tool,
        Self::Event,
        Self::Field,
        Self::PartOfPath,
        Self::Where,
        Self::CommandOption,
        Self::Placeholder,
        Self::Variable,
        Self::Operator,
        Self::Comparison,
        Self::Test,
        Self::Value,
        Self::Length,
        Self::LowerCase,
        Self::Directory,
        Self::PathPrefix,
        Self::Verb,
        Self::Keyword,
        Self::Clause,
        Self::Item,
        Self::EffectOption,
        Self::Decision,
        Self::Filler,
        Self::Block,
        Self::EventKey,
        Self::Line,
    ];

    /// Returns the form in which words are compared here.
    pub fn folded(self, written: &str) -> String {
        match self {
            Self::Tool | Self::Event | Self::EventKey => {
                written.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
            }
            Self::Operator | Self::Keyword | Self::Clause | Self::Item | Self::EffectOption | Self::Decision => {
                written.to_ascii_lowercase()
            }
            Self::Test | Self::Value | Self::Length | Self::LowerCase => written.to_ascii_lowercase().replace('_', ""),
            Self::Directory => written.replace(['{', '}', '(', ')'], ""),
            Self::Field
            | Self::PathPrefix
            | Self::PartOfPath
            | Self::Where
            | Self::CommandOption
            | Self::Placeholder
            | Self::Variable
            | Self::Comparison
            | Self::Verb
            | Self::Filler
            | Self::Block
            | Self::Line => written.to_owned(),
        }
    }
}
