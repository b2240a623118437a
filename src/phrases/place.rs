//! Where a phrase may be, and how its words are compared there. The build script uses it as well.

/// Creates the enum from rows: a place, its name in the files, and the function for the form of its words.
macro_rules! places {
    ($($(#[$doc:meta])* $place:ident $name:literal $folded:ident;)*) => {
        /// A place of a policy where authors write what another language has.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum PhrasePlace {
            $($(#[$doc])* $place,)*
        }

        impl PhrasePlace {
            /// All places with their names in the files, in the order of the table.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$place, $name)),*];

            /// Returns the form in which words are compared here.
            #[must_use]
            pub fn folded(self, written: &str) -> String {
                match self {
                    $(Self::$place => $folded(written),)*
                }
            }
        }
    };
}

places! {
    /// The name of a tool, in a selector.
    Tool "tool" letters;
    /// An event, after `on`.
    Event "event" letters;
    /// A field or fact, in a condition. `now.*` is `now` with or without more after it, `*.size` with or without more
    /// before it.
    Field "field" exact;
    /// The name of a part of a path, alone or after the path.
    PartOfPath "part of a path" exact;
    /// A word after `where`, with `*` as in a field.
    Where "where" exact;
    /// The name of a command's option, after `where`.
    CommandOption "option of a command" exact;
    /// A placeholder of a text.
    Placeholder "placeholder" exact;
    /// A variable of a shell, in the command of a `run`.
    Variable "variable" exact;
    /// An operator: a word, a mark, or several words separated by spaces. `$text` at its end is a text that follows.
    Operator "operator" lower_case;
    /// An operator that needs no value, like [`PhrasePlace::Operator`].
    Comparison "comparison" exact;
    /// A whole test, or a call that is one, with holes: `$field.startsWith($texts)`. Marks as in a whole clause.
    Test "test" word;
    /// A call that is a field.
    Value "value" word;
    /// A call that is the length of a field.
    Length "length" word;
    /// A call that is a field, compared without regard to case.
    LowerCase "lower case" word;
    /// A directory without quotes, alone; the braces of a variable do not count.
    Directory "directory" name;
    /// A variable for a directory at the beginning of a path, which then does not load.
    PathPrefix "beginning of a path" exact;
    /// A word or mark between two tests.
    Joint "joint" lower_case;
    /// The verb of a test of files or hosts.
    Verb "verb" exact;
    /// An operator after such a verb.
    VerbOperator "operator after a verb" exact;
    /// The first word of a clause: a keyword of programming languages.
    Keyword "keyword" lower_case;
    /// The first word of a clause.
    Clause "clause" lower_case;
    /// A whole clause with holes: `continue: false`. A `:` is also `=`, `=>` or nothing; `=>` is also any mark or `is`.
    WholeClause "whole clause" word;
    /// The first word of a line of a `test`.
    TestLine "line of a test" exact;
    /// The first word of an item.
    Item "item" lower_case;
    /// The name of an option of an effect.
    EffectOption "option of an effect" lower_case;
    /// The name of an option of `run` with its value, `wait: true`, or alone; `$outcome` is a row of the next place.
    OptionWithValue "option with a value" key;
    /// The value of an option like `on_fail`.
    Outcome "outcome of a command" lower_case;
    /// The name of an annotation.
    Annotation "annotation" letters;
    /// A level after the name of a rule.
    Level "level of a rule" lower_case;
    /// A value of a field that has a fixed list of values.
    FieldValue "value of a field" lower_case;
    /// A boolean without quotes.
    Boolean "boolean" lower_case;
    /// The name of a decision.
    Decision "decision" lower_case;
    /// A word that says nothing, with its place: `then $effect`, `$verb the`.
    Filler "superfluous word" exact;
    /// The keyword of a block of definitions.
    Block "block of definitions" exact;
    /// The event of a rule that is keys and values, which may imply tools.
    EventKey "event as a key" letters;
    /// A key of a rule that is keys and values; the meaning is what it says.
    RuleKey "key of a rule" exact;
    /// A line of a file that is entirely in another language, and that no policy has; `*` is any text.
    Line "line of another file" exact;
}

fn exact(written: &str) -> String {
    written.to_owned()
}

fn lower_case(written: &str) -> String {
    written.to_ascii_lowercase()
}

/// The letters and digits, in lower case.
fn letters(written: &str) -> String {
    written.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The same in lower case, with underscores for dashes.
fn key(written: &str) -> String {
    lower_case(written).replace('-', "_")
}

/// The same in lower case, without underscores.
fn word(written: &str) -> String {
    lower_case(written).replace('_', "")
}

/// The same without the brackets of a variable.
fn name(written: &str) -> String {
    written.replace(['{', '}', '(', ')'], "")
}
