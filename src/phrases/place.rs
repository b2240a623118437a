//! The places in a policy for which the phrasebook has rows, and how words are compared in each. The build script
//! uses this too.

/// Declares the enum from rows: a place, its name in `grammar/phrases/*.toml`, and the function that returns the form
/// in which its words are compared.
macro_rules! places {
    ($($(#[$doc:meta])* $place:ident $name:literal $folded:ident;)*) => {
        /// A place in a policy where authors may write a word of another language.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum PhrasePlace {
            $($(#[$doc])* $place,)*
        }

        impl PhrasePlace {
            /// All places with their names in `grammar/phrases/*.toml`, in the order of the table.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$place, $name)),*];

            /// Returns the form in which words are compared in this place, for example in lower case.
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
    /// The name of a tool in a selector: `run_shell_command`.
    Tool "tool" letters;
    /// The name of an event after `on`: `tool.execute.before`.
    Event "event" letters;
    /// The name of a field or fact in a condition. `now.*` in a row also matches `now` and `now.hour`, and `*.size`
    /// also matches `size` and `file.size`.
    Field "field" exact;
    /// The name of a part of a path, alone (`extension`) or after the path (`path.suffix`).
    PartOfPath "part of a path" exact;
    /// The name of a property of a command after `where`, with `*` as in [`PhrasePlace::Field`].
    Where "where" exact;
    /// The name of a command's option, after `where`.
    CommandOption "option of a command" exact;
    /// The name in a placeholder of a text.
    Placeholder "placeholder" exact;
    /// The name of a shell variable in the command of a `run`.
    Variable "variable" exact;
    /// An operator: a word, a sign, or several words separated by spaces. A `$text` at its end represents a string
    /// after the operator.
    Operator "operator" lower_case;
    /// An operator that needs no value, such as `is empty`, in the form of [`PhrasePlace::Operator`].
    Comparison "comparison" exact;
    /// A whole test, which may be a call, with holes for its parts: `$field.startsWith($texts)`. Signs are compared as
    /// in [`PhrasePlace::WholeClause`].
    Test "test" word;
    /// A call that returns a field: `env.get($name)`.
    Value "value" word;
    /// A call that returns the length of a field.
    Length "length" word;
    /// A call that returns a field in lower case, so that it is compared without regard to case.
    LowerCase "lower case" word;
    /// A directory without quotes that is the whole value: `$HOME`. The braces of a variable are ignored.
    Directory "directory" name;
    /// A variable for a directory at the beginning of a path, `$HOME/…`; a policy with such a path does not load.
    PathPrefix "beginning of a path" exact;
    /// A word or sign between two tests: `&&`.
    Joint "joint" lower_case;
    /// The verb of a test of files or hosts: `edits`.
    Verb "verb" exact;
    /// An operator after the verb of a test of files or hosts: `glob` in `reads glob "…"`.
    VerbOperator "operator after a verb" exact;
    /// The first word of a clause, if it is a keyword of programming languages: `if`.
    Keyword "keyword" lower_case;
    /// The first word or words of a clause, if they are not a keyword of programming languages.
    Clause "clause" lower_case;
    /// A whole clause with holes for its parts: `continue: false`. In a row, `:` also matches `=`, `=>` or nothing,
    /// and `=>` also matches `->`, `:`, `=`, `==` or `is`.
    WholeClause "whole clause" word;
    /// The first word of a line in a `test`.
    TestLine "line of a test" exact;
    /// The first word of an item: `const`.
    Item "item" lower_case;
    /// The name of an option of an effect.
    EffectOption "option of an effect" lower_case;
    /// The name of an option of `run`, alone or with its value: `wait: true`. `$outcome` in a row is a value that is
    /// looked up in [`PhrasePlace::Outcome`].
    OptionWithValue "option with a value" key;
    /// The value of an option such as `on_fail`.
    Outcome "outcome of a command" lower_case;
    /// The name of an annotation.
    Annotation "annotation" letters;
    /// A level after the name of a rule: `"error"`.
    Level "level of a rule" lower_case;
    /// A value of a field that has a fixed set of values.
    FieldValue "value of a field" lower_case;
    /// A boolean without quotes: `yes`.
    Boolean "boolean" lower_case;
    /// The name of a decision: `forbid`.
    Decision "decision" lower_case;
    /// A superfluous word, with its position relative to a part of the policy: `then $effect`, `$verb the`.
    Filler "superfluous word" exact;
    /// The keyword of a block of definitions: `locals`.
    Block "block of definitions" exact;
    /// The event of a foreign rule that consists of keys and values, which may imply tools.
    EventKey "event as a key" letters;
    /// A key of a foreign rule that consists of keys and values. The equivalent is the part of the translated rule to
    /// which its value belongs.
    RuleKey "key of a rule" exact;
    /// A line that shows that the whole file is in another language, since no policy contains it. A `*` represents
    /// any text.
    Line "line of another file" exact;
}

/// Returns the text unchanged.
fn exact(written: &str) -> String {
    written.to_owned()
}

/// Returns the text in lower case.
fn lower_case(written: &str) -> String {
    written.to_ascii_lowercase()
}

/// Returns the letters and digits of the text, in lower case.
fn letters(written: &str) -> String {
    written.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns the text in lower case, with underscores in place of dashes.
fn key(written: &str) -> String {
    lower_case(written).replace('-', "_")
}

/// Returns the text in lower case, without underscores.
fn word(written: &str) -> String {
    lower_case(written).replace('_', "")
}

/// Returns the text without braces and parentheses.
fn name(written: &str) -> String {
    written.replace(['{', '}', '(', ')'], "")
}
