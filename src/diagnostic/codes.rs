//! The codes: stable for ever, never reused. Names are what `@allow(name, "reason")` takes.

/// How much a finding weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Probably not meant.
    Warning,
    /// Fails `rules check`; the policy still loads.
    Deny,
    /// The layer does not load.
    Error,
}

impl Severity {
    /// Returns the word that is printed.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Deny => "deny",
            Self::Error => "error",
        }
    }
}

/// A kind of finding.
#[derive(PartialEq, Eq, Debug)]
pub struct Code {
    /// `R0103`.
    pub id: &'static str,
    /// `unknown-field`.
    pub name: &'static str,
    /// Its weight.
    pub severity: Severity,
}

macro_rules! codes {
    ($($ident:ident $id:literal $name:literal $severity:ident $doc:literal;)*) => {
        impl Code {
            $(#[doc = $doc] pub const $ident: &'static Code = &Code { id: $id, name: $name, severity: Severity::$severity };)*
        }
        /// Every code with one sentence about it, in the order of the ids.
        pub const CODES: &[(&Code, &str)] = &[$((Code::$ident, $doc)),*];
    };
}

codes! {
    SYNTAX "R0001" "syntax" Error "A syntax error; the rest of the file is still checked.";
    UNTERMINATED "R0002" "unterminated" Error "A string, block string, regex or body is not closed.";
    FOREIGN_OPERATOR "R0003" "foreign-operator" Error "Syntax of another language, for which this language has its own.";
    TOO_DEEP "R0004" "too-deep-or-big" Error "Nesting, a file or a list exceeds its limit.";
    ENCODING "R0005" "encoding" Error "The file is not plain UTF-8 text.";
    INDENTED_ITEM "R0008" "indented-item" Warning "An item does not start in the first column, where the parser resumes after a mistake.";
    UNKNOWN_EVENT "R0101" "unknown-event" Error "No event has this name.";
    UNKNOWN_FIELD "R0103" "unknown-field" Error "No event or tool has this field.";
    FIELD_NOT_CARRIED "R0104" "field-not-carried-by-event" Error "None of the rule's events carries this field.";
    TYPE_MISMATCH "R0106" "type-mismatch" Error "The two sides of a test have different types.";
    ENUM_VALUE "R0107" "enum-value-unknown" Deny "The field never has this value.";
    UNKNOWN_TOOL "R0108" "unknown-tool" Warning "No built-in tool has this name, and it is not the name of an MCP tool.";
    UNKNOWN_NAME "R0110" "unknown-name" Error "No `let`, `def`, pack or rule has this name.";
    NO_SELECTOR "R0112" "event-takes-no-selector" Error "The event has nothing to select by, or does not say who acts.";
    BAD_JSONPATH "R0113" "bad-jsonpath" Error "Not a JSONPath of RFC 9535 with at most one descendant segment.";
    UNKNOWN_PLACEHOLDER "R0114" "unknown-placeholder" Deny "Braces in a message that look like a field but name none.";
    UNKNOWN_OPTION "R0115" "unknown-option" Error "No option or annotation has this name.";
    UNKNOWN_KEY "R0117" "unknown-key" Error "No key of rules.toml has this name.";
    BAD_SETTING "R0118" "bad-setting" Error "An invalid value in rules.toml.";
    BAD_VALUE "R0119" "bad-value" Error "A value of the wrong type, or out of range.";
    DUPLICATE_NAME "R0201" "duplicate-name" Error "Two rules, lets or defs have the same name.";
    UNREACHABLE "R0206" "unreachable-rule" Deny "No call that the rule selects can make the condition true.";
    AMBIGUOUS_AND_OR "R0210" "ambiguous-and-or" Error "`and` and `or` are mixed without parentheses.";
    EMPTY_LIST "R0214" "empty-list" Error "A list that matches nothing.";
    BAD_PATTERN "R0401" "invalid-pattern" Error "An invalid regex, glob or command pattern.";
    REGEX_UNSUPPORTED "R0402" "regex-unsupported-feature" Error "Look-around and back-references, which are not supported: they can take unbounded time.";
    EXCLUSIONS_ONLY "R0411" "exclusions-only" Error "A list of globs that only excludes.";
    BAD_PROGRAM "R0421" "bad-program-record" Error "A mistake in the record of a program.";
    PROGRAM_UNUSED "R0422" "program-record-unused" Deny "The record of a program that has one already, which counts.";
    NO_DENY "R0501" "deny-in-non-blocking-event" Error "The host does not let this event be denied.";
    NO_SUCH_ANSWER "R0502" "action-not-supported-by-event" Error "The event cannot carry this effect.";
    MISSING_MESSAGE "R0503" "missing-message" Error "The effect needs a message that says why.";
    INCOMPLETE_RULE "R0505" "incomplete-rule" Error "A rule needs an `on` clause and an effect.";
    CONTRADICTORY "R0506" "contradictory-actions-in-rule" Error "Two effects of one rule contradict each other.";
    REWRITE_TARGET "R0510" "rewrite-target" Error "This field cannot be rewritten this way.";
    DUPLICATE_CLAUSE "R0511" "duplicate-clause" Error "A clause that a rule may have only once.";
    UNSAFE_PLACEHOLDER "R0512" "unsafe-placeholder" Error "A value of the payload would be read as code here.";
    OPTION_INJECTION "R0513" "option-injection" Error "A value of the payload could be read as an option here.";
    UNKNOWN_CANNOT_ASK "R0514" "unknown-vote-not-possible" Error "The event cannot carry the vote of this `unknown` clause.";
    RECORD_PLACE "R0515" "record-place" Error "A record outside `.rules/log/` and the state directory.";
    BAD_USE "R0516" "bad-use" Error "A file or pack that cannot be used.";
    NOT_CARRIED "R0520" "not-carried-by-host" Warning "The host that `rules check --host` names cannot carry this effect, and does something else instead.";
    NOT_SENT "R0521" "not-sent-by-host" Warning "The host that `rules check --host` names never sends an event that this rule names.";
    NOT_TOLD "R0522" "not-told-by-host" Warning "The host that `rules check --host` names never fills in a field that this rule uses.";
    SUBSTRING_GUARD "R0606" "substring-guard-evadable" Deny "A guard that compares the text of a command: other spellings evade it.";
    RAW_COMMAND_REGEX "R0615" "raw-command-regex" Warning "A regex on the text of a command: other spellings evade it, and quoted words trigger it.";
    ALLOW_ON_PART "R0616" "allow-on-part" Deny "An `allow` that tests one command of a text, and lets the others through.";
    DIALOG_ONLY "R0618" "guard-on-permission-request-only" Deny "A guard on PermissionRequest alone: calls without a dialog bypass it.";
    BESIDE_WHERE "R0620" "whole-call-beside-where" Warning "A test of files after a `where`, which applies to the whole call and not to the command.";
    TEXT_TOO_LONG "R0630" "text-too-long" Warning "A text that is longer than what its reader is shown.";
    REGISTRATION "R0701" "hook-registration" Deny "The host's settings register the hook in a way that lets calls through.";
    REGISTRATION_RISK "R0702" "hook-registration-risk" Warning "The host's settings register the hook in a way that may let calls through.";
    EVENT_UNREGISTERED "R0703" "event-not-registered" Warning "A rule names an event for which no hook is registered here.";
    WRONG_EXAMPLE "R0806" "example-wrong" Error "An example or a test fails.";
    BAD_EXAMPLE "R0807" "bad-example" Error "An example that is not a valid payload of its event.";
    RESERVED_NAME "R0903" "reserved-name" Error "A `let` or `def` takes the name of a field, a fact or a reserved word.";
    CIRCULAR "R0907" "circular-definition" Error "A `def` or `use` depends on itself.";
    LAYER_REFUSED "R0921" "layer-refused" Error "A policy directory or file that cannot be trusted or read.";
    INTERNAL "R0999" "internal" Error "A bug in rules.";
    YAML_SYNTAX "R1001" "yaml-syntax" Error "An imported file is not YAML, or not YAML that is supported.";
    YAML_KIND "R1002" "yaml-wrong-kind" Error "A value of an imported file has the wrong type.";
    YAML_MISSING "R1003" "yaml-missing-key" Error "An imported file lacks a key that its own program requires.";
    YAML_VALUE "R1004" "yaml-bad-value" Error "An invalid value in an imported file.";
}
