//! The codes of findings. A code is never reused and never changes its meaning. `@allow(name, "reason")` uses the
//! names.

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The finding is worth knowing.
    Info,
    /// The finding is probably unintended.
    Warning,
    /// The finding fails `rules check`, but the policy loads.
    Deny,
    /// The finding keeps its layer from loading.
    Error,
}

impl Severity {
    /// Returns the severity's name in the output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Deny => "deny",
            Self::Error => "error",
        }
    }
}

/// The code of a kind of finding.
#[derive(Debug)]
pub struct Code {
    /// The id, such as `R0103`.
    pub id: &'static str,
    /// The name, such as `unknown-field`.
    pub name: &'static str,
    /// The default severity.
    pub severity: Severity,
    /// Whether findings with the code are reported by default.
    pub is_on: bool,
    /// The version that introduced the code.
    #[cfg_attr(not(feature = "internals"), expect(dead_code, reason = "the pages of the codes show it"))]
    pub since: &'static str,
    /// The codes whose findings are superfluous while a finding with this code about the same rule is reported. A
    /// cycle does not compile.
    pub supersedes: &'static [SupersededCode],
}

/// A code that another code supersedes.
#[derive(Debug)]
pub struct SupersededCode {
    /// The superseded code.
    pub code: &'static Code,
    /// How the places of the two findings must overlap.
    pub at: Overlap,
}

/// How the spans of two findings must overlap for one to supersede the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    /// The spans are equal.
    Same,
    /// One span is within the other.
    Nested,
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Code {}

// A row has: the constant, the id, the name, the severity, `off` if it is not reported by default, the first version,
// a sentence, and the superseded codes with their overlaps.
macro_rules! codes {
    ($(
        $ident:ident $id:literal $name:literal $severity:ident $($off:ident)? $since:literal $doc:literal
        $({ $($at:ident $other:ident),+ })?;
    )*) => {
        impl Code {
            $(
                #[doc = $doc]
                pub const $ident: &'static Code = &Code {
                    id: $id,
                    name: $name,
                    severity: Severity::$severity,
                    is_on: codes!(@is_on $($off)?),
                    since: $since,
                    supersedes: &[$($(SupersededCode { code: Code::$other, at: Overlap::$at }),+)?],
                };
            )*
        }
        /// All codes with a one-sentence description, in the order of the ids.
        pub const CODES: &[(&Code, &str)] = &[$((Code::$ident, $doc)),*];

        /// The page of each code in the book. A code without a page does not compile.
        const PAGES: &[(&Code, &str)] =
            &[$((Code::$ident, include_str!(concat!("../../book/src/codes/", $name, ".md")))),*];
    };
    (@is_on off) => { false };
    (@is_on) => { true };
}

/// Returns the page of a code, as Markdown: the problem and its reason, an example, and what to write instead.
#[must_use]
pub fn page(code: &Code) -> &'static str {
    PAGES.iter().find(|(known, _)| *known == code).map_or("", |(_, page)| page)
}

codes! {
    SYNTAX "R0001" "syntax" Error "0.1.0" "A syntax error; the rest of the file is still checked.";
    UNTERMINATED "R0002" "unterminated" Error "0.1.0" "A string, block string, regex or body is not closed.";
    FOREIGN_OPERATOR "R0003" "foreign-operator" Error "0.1.0" "Syntax of another language, for which this language has its own.";
    TOO_DEEP "R0004" "too-deep-or-big" Error "0.1.0" "Nesting, a file or a list exceeds its limit.";
    ENCODING "R0005" "encoding" Error "0.1.0" "The file is not plain UTF-8 text.";
    LOOKALIKE "R0006" "lookalike-character" Deny "0.1.0" "A dash, a quote or a blank that only looks like the ASCII character." { Nested DEAD_PATTERN, Nested PATH_WITHOUT_COMMANDS };
    INDENTED_ITEM "R0008" "indented-item" Warning "0.1.0" "An item does not start in the first column, where the parser resumes after a mistake.";
    UNKNOWN_EVENT "R0101" "unknown-event" Error "0.1.0" "No event has this name.";
    UNKNOWN_FIELD "R0103" "unknown-field" Error "0.1.0" "No event or tool has this field.";
    FIELD_NOT_CARRIED "R0104" "field-not-carried-by-event" Error "0.1.0" "None of the rule's events carries this field.";
    ABSENT_UNDER_NEGATION "R0105" "absent-under-negation" Warning "0.1.0" "A negated test of a value that a call may lack: without the value it is true, and allows or stops the call." { Nested ONE_EXEMPTS_ALL, Nested DEAD_PATTERN };
    TYPE_MISMATCH "R0106" "type-mismatch" Error "0.1.0" "The two sides of a test have different types.";
    ENUM_VALUE "R0107" "enum-value-unknown" Deny "0.1.0" "The field never has this value.";
    UNKNOWN_TOOL "R0108" "unknown-tool" Warning "0.1.0" "No built-in tool has this name, and it is not the name of an MCP tool.";
    UNKNOWN_AGENT "R0109" "unknown-agent" Warning "0.1.0" "A rule names an undefined agent, and a defined agent has a similar name.";
    UNKNOWN_NAME "R0110" "unknown-name" Error "0.1.0" "No `let`, `def`, pack or rule has this name.";
    NO_SELECTOR "R0112" "event-takes-no-selector" Error "0.1.0" "The event has no subject for a selector, or its payload does not identify the acting agent.";
    BAD_JSONPATH "R0113" "bad-jsonpath" Error "0.1.0" "Not a JSONPath of RFC 9535 with at most one descendant segment.";
    UNKNOWN_PLACEHOLDER "R0114" "unknown-placeholder" Deny "0.1.0" "Braces that look like a placeholder, but that nothing fills in.";
    UNKNOWN_OPTION "R0115" "unknown-option" Error "0.1.0" "No option or annotation has this name.";
    UNKNOWN_KEY "R0117" "unknown-key" Error "0.1.0" "No key of rules.toml has this name.";
    BAD_SETTING "R0118" "bad-setting" Error "0.1.0" "An invalid value in rules.toml.";
    BAD_VALUE "R0119" "bad-value" Error "0.1.0" "A value of the wrong type, or out of range.";
    NO_VALUE "R0120" "field-without-value" Deny "0.1.0" "A test of a field that none of the selected tools fills in." { Same URL_AS_TEXT };
    MISSPELLED_MEMBER "R0121" "misspelled-member" Warning "0.1.0" "A member of a tool's input that no built-in tool has, or a length in place of a number of elements.";
    PLACEHOLDER_WITHOUT_VALUE "R0122" "placeholder-without-value" Warning "0.1.0" "A placeholder without a value for tools whose calls the rule matches.";
    MISNAMED_TOOL "R0123" "misnamed-tool" Deny "0.1.0" "A tool's name in another letter case, another agent's name for a tool, or a permission in place of a tool.";
    HOST_NAME "R0124" "host-name" Warning "0.1.0" "The name that some agents have for an event, a tool or a field.";
    PLUGIN_TOOL "R0125" "plugin-tool" Warning "0.1.0" "A test of `tool_name` by the name of an MCP server, which is longer for a plugin's server.";
    MEMBER_AS_FIELD "R0126" "member-as-field" Warning "0.1.0" "A field of the event in a rule on tools that have a member with the same name.";
    DUPLICATE_NAME "R0201" "duplicate-name" Error "0.1.0" "Two rules, lets or defs have the same name.";
    DUPLICATE_RULE "R0202" "duplicate-rule" Warning "0.1.0" "Two rules apply to the same events and have the same effects.";
    CONTRADICTORY_CONDITION "R0203" "contradictory-condition" Deny "0.1.0" "A condition that is never true.";
    TAUTOLOGY "R0204" "tautology" Warning "0.1.0" "A condition that is always true.";
    CONSTANT_SUBCONDITION "R0205" "constant-subcondition" Warning "0.1.0" "A redundant part of a condition: the result is the same without it.";
    UNREACHABLE "R0206" "unreachable-rule" Deny "0.1.0" "No call that the rule selects can make the condition true." { Nested DEAD_PATTERN };
    SHADOWED_RULE "R0207" "shadowed-rule" Warning "0.1.0" "A rule that another rule for the same events always outvotes.";
    SUBSUMED_RULE "R0208" "subsumed-rule" Info "0.1.0" "A rule with the same vote as another rule for the same events.";
    DOUBLE_NEGATIVE "R0209" "double-negative" Warning "0.1.0" "A negation of a negation.";
    AMBIGUOUS_AND_OR "R0210" "ambiguous-and-or" Error "0.1.0" "`and` and `or` are mixed without parentheses.";
    CASE_IMPOSSIBLE "R0211" "case-impossible" Deny "0.1.0" "A text with capitals, compared with a field in lower case.";
    UNLESS_COVERS_WHEN "R0213" "unless-covers-when" Deny "0.1.0" "An exception that is true for every call to which the rule would apply.";
    EMPTY_LIST "R0214" "empty-list" Error "0.1.0" "A list that matches nothing.";
    BOOL_COMPARE "R0215" "bool-compare-true" Info "0.1.0" "A comparison of a boolean with `true` or `false`: the boolean alone is a test.";
    DEAD_NAME "R0216" "dead-name" Warning "0.1.0" "A name in `on` or `by` that the condition rules out.";
    UNCONDITIONAL_STOP_GATE "R0217" "unconditional-stop-gate" Deny "0.1.0" "A rule that refuses every end of a turn, regardless of what the agent does.";
    MILLISECONDS "R0218" "seconds-for-milliseconds" Warning "0.1.0" "A test of milliseconds with a number that is meant in seconds.";
    NEVER_SINCE "R0219" "never-since" Warning "0.1.0" "A test that one thing did not happen since another, which is true if the other never happened.";
    CONFLICTING_DECISIONS "R0301" "conflicting-decisions" Warning "0.1.0" "Two rules for the same events, of which only one allows.";
    ANY_COMMAND "R0303" "any-command" Deny "0.1.0" "An `allow` of every command." { Nested DEAD_PATTERN };
    REWRITE_CONFLICT "R0304" "rewrite-conflict" Deny "0.1.0" "Two rewrites set the same member to different values.";
    REWRITE_REPEATS "R0306" "rewrite-not-idempotent" Warning "0.1.0" "A rewrite that matches its own result, and changes it again.";
    SUBCOMMAND_DROPPED "R0307" "subcommand-dropped" Deny "0.1.0" "A rewrite of a command that removes its subcommand.";
    BAD_PATTERN "R0401" "invalid-pattern" Error "0.1.0" "An invalid regex, glob or command pattern.";
    REGEX_UNSUPPORTED "R0402" "regex-unsupported-feature" Error "0.1.0" "Look-around and back-references, which are not supported: they can take unbounded time.";
    REGEX_NEVER "R0404" "regex-never-matches" Deny "0.1.0" "A regex that matches no text." { Nested PATH_WITHOUT_COMMANDS };
    REGEX_EVERYTHING "R0405" "regex-matches-everything" Warning "0.1.0" "A regex that matches every text, such as one with an empty alternative.";
    REGEX_UNANCHORED "R0406" "regex-unanchored-for-equality" Warning "0.1.0" "A regex of whole names that also matches longer names that contain them.";
    REGEX_LITERAL "R0407" "regex-could-be-literal" Info off "0.1.0" "A regex of one literal text: `contains`, `starts_with`, `ends_with` or `==` is equivalent.";
    REGEX_DOT "R0408" "regex-unescaped-dot" Warning "0.1.0" "An unescaped `.` in a regex that is meant as a literal dot, as in `/.env/`.";
    REGEX_LINES "R0409" "regex-multiline-gap" Warning "0.1.0" "A `^` or `$` in a regex on a multi-line text: it matches the start or the end of the text, not of a line.";
    GLOB_CANNOT_MATCH "R0410" "glob-cannot-match" Deny "0.1.0" "A glob in another program's notation, which matches nothing in the project here." { Same DEAD_EXCLUSION, Nested PATH_WITHOUT_COMMANDS };
    EXCLUSIONS_ONLY "R0411" "exclusions-only" Error "0.1.0" "A list of globs that only excludes.";
    REDUNDANT_ALTERNATIVE "R0413" "redundant-alternative" Info "0.1.0" "An element of a list that another element covers, or a duplicate.";
    DOUBLE_WILDCARD "R0414" "double-wildcard" Warning "0.1.0" "A `**` next to other characters, which matches no slash.";
    GLOB_AS_TEXT "R0415" "glob-as-text" Deny "0.1.0" "A glob, or several texts in one, after an operator that supports neither wildcards nor `|`." { Nested ONE_EXEMPTS_ALL, Nested PATH_WITHOUT_COMMANDS };
    LIKE_WITHOUT_WILDCARD "R0416" "like-without-wildcard" Warning "0.1.0" "A `like` without a wildcard on a branch, prose or a multi-line text: it compares the whole value.";
    DEAD_EXCLUSION "R0417" "dead-exclusion" Deny "0.1.0" "An entry with `!` in a list of globs that excludes nothing, because of its position." { Nested PATH_WITHOUT_COMMANDS };
    REGEX_ON_NUMBERS "R0418" "regex-on-numbers" Info "0.1.0" "A regex of digits on every value of an input: numbers are not texts, so it does not match them.";
    BAD_PROGRAM "R0421" "bad-program-record" Error "0.1.0" "A mistake in the record of a program.";
    PROGRAM_UNUSED "R0422" "program-record-unused" Deny "0.1.0" "A second record of a program: the existing one applies.";
    ASSIGNMENT_IN_PATTERN "R0423" "assignment-in-pattern" Deny "0.1.0" "A pattern of commands that begins with an assignment: no command matches it.";
    STAR_WITHOUT_RECORD "R0424" "star-without-record" Deny "0.1.0" "A `*` in `only runs` for a program without a record: it matches no word.";
    MISSPELLED_PATTERN "R0425" "misspelled-pattern" Warning "0.1.0" "A word of a command pattern that its program does not have, but that is similar to one that it has." { Nested DEAD_PATTERN };
    FOREIGN_PATTERN "R0426" "foreign-pattern" Deny "0.1.0" "Notation of a shell, a regex or a manual page in a command pattern, which takes it literally." { Nested DEAD_PATTERN };
    STAR_FOR_NOTHING "R0427" "star-for-nothing" Deny "0.1.0" "A `*` in `only runs` after a program that executes or overwrites its operands: it matches no word.";
    NOT_AN_OPERAND "R0428" "not-an-operand" Deny "0.1.0" "A test for a subcommand or an option among the operands, which include neither.";
    WORDS_AS_ONE "R0429" "words-as-one" Warning "0.1.0" "An option and the words after it as one text, in a test that compares single words.";
    SPLIT_COMMAND "R0455" "split-command" Deny "0.1.0" "An alternative in a command pattern that was meant to begin another command: it matches one word." { Nested DEAD_PATTERN };
    PLACE_AS_TEXT "R0456" "place-as-text" Warning "0.1.0" "`project`, `home` or `tmp` in quotes: then it is a directory with that name.";
    ANY_PLACE "R0457" "word-in-any-place" Warning "0.1.0" "A guard on a task that its program accepts in any position, as in `make build deploy`.";
    NO_RECORD "R0458" "program-without-record" Info "0.1.0" "An option of a program without a record: no other spelling of it is found.";
    WORDS_AS_PATTERNS "R0459" "words-as-patterns" Deny "0.1.0" "The words of one command as a list of patterns: each pattern is a separate command.";
    NO_DENY "R0501" "deny-in-non-blocking-event" Error "0.1.0" "The host does not support denying this event.";
    NO_SUCH_ANSWER "R0502" "action-not-supported-by-event" Error "0.1.0" "The event cannot carry this effect.";
    MISSING_MESSAGE "R0503" "missing-message" Error "0.1.0" "The effect requires a message with the reason.";
    VAGUE_MESSAGE "R0504" "vague-message" Info off "0.1.0" "A denial whose message has neither a reason nor an alternative.";
    INCOMPLETE_RULE "R0505" "incomplete-rule" Error "0.1.0" "A rule needs an `on` clause and an effect.";
    CONTRADICTORY "R0506" "contradictory-actions-in-rule" Error "0.1.0" "Two effects of one rule contradict each other.";
    EXIT_WITHOUT_VOTE "R0507" "exit-without-vote" Warning "0.1.0" "An `exit 1`, the failure of a shell, which stops nothing here.";
    REWRITE_TARGET "R0510" "rewrite-target" Error "0.1.0" "This field cannot be rewritten this way.";
    DUPLICATE_CLAUSE "R0511" "duplicate-clause" Error "0.1.0" "A clause that a rule may have only once.";
    UNSAFE_PLACEHOLDER "R0512" "unsafe-placeholder" Error "0.1.0" "A value of the payload would be read as code here.";
    OPTION_INJECTION "R0513" "option-injection" Error "0.1.0" "A value of the payload could be read as an option here.";
    UNKNOWN_CANNOT_ASK "R0514" "unknown-vote-not-possible" Error "0.1.0" "The event cannot carry the vote of this `unknown` clause.";
    RECORD_PLACE "R0515" "record-place" Error "0.1.0" "A record outside `.rules/log/` and the state directory.";
    BAD_USE "R0516" "bad-use" Error "0.1.0" "A file or pack that cannot be used.";
    DENIED_ADVICE "R0518" "denied-advice" Warning "0.1.0" "A message that advises the agent to run a command that the policy denies.";
    UNWRITTEN_MESSAGE "R0519" "unwritten-message" Warning "0.1.0" "A message that is still the `…` of an example.";
    NOT_CARRIED "R0520" "not-carried-by-host" Warning "0.1.0" "The host that `rules check --host` names cannot carry this effect, and does something else instead.";
    NOT_SENT "R0521" "not-sent-by-host" Warning "0.1.0" "The host that `rules check --host` names never sends an event that this rule names.";
    NOT_TOLD "R0522" "not-told-by-host" Warning "0.1.0" "The host that `rules check --host` names never fills in a field that this rule uses.";
    JSON_BY_HAND "R0523" "json-by-hand" Warning "0.1.0" "A placeholder inside JSON text of a command, or that is sent as JSON: a quote or a line break in the value breaks it.";
    RUN_DIRECTORY "R0524" "run-directory" Deny "0.1.0" "A `cwd` of a `run` that is a value, but never a directory.";
    PROGRAM_NOT_FOUND "R0601" "command-not-on-path" Warning "0.1.0" "A `run` of a program that is not on this machine.";
    SCRIPT_MISSING "R0602" "script-missing" Deny "0.1.0" "A `run` of a script that does not exist or cannot be executed.";
    TIMEOUT_BEYOND_HOST "R0604" "timeout-beyond-host" Warning "0.1.0" "A `timeout` that is longer than the host waits on this event.";
    RUN_AT_EVERY_CALL "R0605" "run-at-every-call" Warning "0.1.0" "A command that delays every call of every tool.";
    SUBSTRING_GUARD "R0606" "substring-guard-evadable" Deny "0.1.0" "A rule that tests the text of a command: other spellings evade it, and the text can hide other commands.";
    COMMAND_AS_TEXT "R0607" "command-rewritten-as-text" Warning "0.1.0" "A `rewrite` of the text of a command, where the command itself can be edited.";
    PATH_NOT_NORMALISED "R0608" "path-not-normalised" Deny "0.1.0" "A test of a path as a text that does not fit how paths are compared: absolute, without `..`, name by name." { Nested PATH_WITHOUT_COMMANDS };
    SECRET_IN_POLICY "R0609" "secret-in-policy" Deny "0.1.0" "A key or token in the text of the policy itself.";
    SECRET_IN_RECORD "R0610" "secret-in-record" Warning "0.1.0" "A record or a notification of a whole text, which may contain keys.";
    OTHER_SHELLS "R0611" "commands-of-other-tools" Warning off "0.1.0" "A guard on commands that selects only some of the tools that run commands.";
    FAIL_OPEN_GUARD "R0614" "fail-open-guard" Warning "0.1.0" "A guard in a layer whose settings allow every call if the layer does not load.";
    RAW_COMMAND_REGEX "R0615" "raw-command-regex" Warning "0.1.0" "A regex on the text of a command: other spellings evade it, and quoted words trigger it.";
    ALLOW_ON_PART "R0616" "allow-on-part" Deny "0.1.0" "An `allow` that tests only a part of a call, and lets the rest through." { Nested DEAD_PATTERN };
    DIALOG_ONLY "R0618" "guard-on-permission-request-only" Deny "0.1.0" "A guard on PermissionRequest alone: calls without a dialog bypass it.";
    BY_ALLOWS "R0619" "by-does-not-authenticate" Warning "0.1.0" "An `allow` for an agent by its name, or an exception of a `use` by a name or a variable: neither proves who acts.";
    BESIDE_WHERE "R0620" "whole-call-beside-where" Warning "0.1.0" "A test of files after a `where`, which applies to the whole call and not to the command.";
    OWN_WORD "R0621" "agents-own-word" Warning "0.1.0" "An exception or an `allow` that tests the agent's own explanation of its call.";
    ONE_EXEMPTS_ALL "R0625" "one-exempts-all" Warning "0.1.0" "An exception that lets all operands, files or commands through if one of them meets it." { Nested DEAD_PATTERN };
    ONE_SPELLING "R0626" "one-spelling" Warning "0.1.0" "A guard that names a file, a branch or an option in one of its spellings: the others evade it." { Same FOREIGN_PATTERN, Nested DEAD_PATTERN };
    TEXT_TOO_LONG "R0630" "text-too-long" Warning "0.1.0" "A text that is longer than the part that its reader sees.";
    URL_AS_TEXT "R0631" "url-as-text" Deny "0.1.0" "A host that is searched for in the text of a URL: other hosts match too, and other spellings do not." { Same ONE_EXEMPTS_ALL, Nested REGEX_DOT };
    PATH_WITHOUT_COMMANDS "R0632" "path-without-commands" Warning "0.1.0" "A guard on `path` that also selects commands, which have no `path`: `cat .env` passes it.";
    OTHER_WAY_TO_FILE "R0633" "other-way-to-file" Info off "0.1.0" "A guard on files that commands can still read or change, or that can still be deleted.";
    GUARD_IN_HALVES "R0634" "guard-in-halves" Warning "0.1.0" "A guard in two rules, one for tools and one for commands, neither of which covers some other tools.";
    REWRITE_WITHOUT_ALLOW "R0635" "rewrite-without-allow" Warning "0.1.0" "A `rewrite` on PermissionRequest that no rule allows: the host ignores it.";
    PATH_IN_SUBDIRECTORY "R0636" "path-in-subdirectory" Warning "0.1.0" "A relative path that names nothing in the directory of its policy, but something in a directory below.";
    COMMAND_LINE_AS_PROGRAM "R0640" "command-line-as-program" Deny "0.1.0" "A list for `run` that requires a shell: a whole command line in one word, or `&&` among the words.";
    GATE_WITHOUT_ON_FAIL "R0655" "gate-without-on-fail" Warning "0.1.0" "A command that checks something, but decides nothing when it fails, because it has no `on_fail`.";
    VOTE_BESIDE_CHECK "R0656" "vote-beside-check" Deny "0.1.0" "A vote next to a command that checks something: it does not wait for the command.";
    STAR_FOR_SCRIPT "R0657" "star-for-script" Deny "0.1.0" "A `*` in an `allow` in place of a script or a target of the project, or after one: it allows every task, or any words.";
    ALLOW_ANYWHERE "R0658" "allow-in-any-directory" Deny "0.1.0" "An `allow` of `cd` to any directory, next to a command that runs files of that directory.";
    STAR_FOR_SUBCOMMAND "R0670" "star-for-subcommand" Deny "0.1.0" "A `*` in an `allow` in place of a subcommand: it allows every subcommand.";
    STAR_FOR_ANY_FILE "R0671" "star-for-any-file" Warning "0.1.0" "A `*` or `@looks` in an `allow` after a program that shows files: it allows every file that the account can read.";
    GATE_OPEN_ON_UNKNOWN "R0672" "gate-open-on-unknown" Warning "0.1.0" "A script that denies by `exit 2`, in a rule that does nothing if its condition is unknown.";
    STAR_FOR_DELETION "R0673" "star-for-deletion" Warning "0.1.0" "A `*` in an `allow` that also stands for an option that deletes, moves, overwrites or skips checks.";
    GATE_OPEN_ON_PAST "R0674" "gate-open-on-past" Deny "0.1.0" "A gate where nobody is asked, such as at the end of a turn, that opens if it is not certain what happened before.";
    BUDGET_AFTERWARDS "R0675" "budget-afterwards" Warning "0.1.0" "A budget of calls that counts only those that have ended: calls at the same time pass it together.";
    NEVER_CERTAIN "R0676" "never-certain" Warning "0.1.0" "A mark that opens a gate, although no event of it is ever certain.";
    DEAD_PATTERN "R0682" "dead-pattern" Deny "0.1.0" "A command pattern that no command matches, not even the command that it spells out.";
    UNKNOWN_ZONE "R0683" "unknown-zone" Warning "0.1.0" "A time zone of which this machine has no file, so that the time there is unknown.";
    REGISTRATION "R0701" "hook-registration" Deny "0.1.0" "The host's settings register the hook in a way that lets calls through.";
    REGISTRATION_RISK "R0702" "hook-registration-risk" Warning "0.1.0" "The host's settings register the hook in a way that may let calls through.";
    EVENT_UNREGISTERED "R0703" "event-not-registered" Warning "0.1.0" "A rule names an event for which no hook is registered here.";
    SLOW_REGEX "R0704" "slow-regex" Warning "0.1.0" "A regex that takes longer to compile than everything else that a hook does.";
    BAD_HOST "R0705" "bad-host-record" Error "0.1.0" "A mistake in the record of a host, which makes its hook block every event.";
    RULE_UNTESTED "R0801" "rule-untested" Info off "0.1.0" "A rule without an example or a test in which it fires.";
    RULE_TESTED_ONE_SIDED "R0802" "rule-tested-one-sided" Info off "0.1.0" "A rule without an example in which it is quiet.";
    DUPLICATE_TEST "R0803" "duplicate-test" Warning "0.1.0" "A repeated example, or a repeated case of a test.";
    WRONG_EXAMPLE "R0806" "example-wrong" Error "0.1.0" "An example or a test fails.";
    BAD_EXAMPLE "R0807" "bad-example" Error "0.1.0" "An example that is not a valid payload of its event.";
    SURVIVING_MUTANT "R0808" "surviving-mutant" Warning off "0.1.0" "A change of the policy that no example or test notices; `rules mutate` reports it.";
    UNUSED_DEFINITION "R0902" "unused-definition" Warning "0.1.0" "A `let` or `def` that nothing uses.";
    RESERVED_NAME "R0903" "reserved-name" Error "0.1.0" "A `let` or `def` takes the name of a field, a fact or a reserved word.";
    UNUSED_ALLOW "R0906" "unused-allow" Warning "0.1.0" "An `@allow` of a code without a finding there.";
    CIRCULAR "R0907" "circular-definition" Error "0.1.0" "A `def` or `use` depends on itself.";
    DUPLICATED_GUARD "R0909" "duplicated-guard" Info off "0.1.0" "Three rules or more have the same condition.";
    METASYNTACTIC_NAME "R0910" "metasyntactic-name" Info "0.1.0" "A meaningless name, such as `foo`.";
    HIDDEN_NAME "R0913" "hidden-name" Warning "0.1.0" "A `let` or `def` with the name of one in a file that is used.";
    HIDDEN_FIELD "R0914" "hidden-field" Warning "0.1.0" "A `let` or `def` with the name of a field of an event that a rule in the same file names.";
    LAYER_REFUSED "R0921" "layer-refused" Error "0.1.0" "A policy directory or file that cannot be trusted or read.";
    FILE_NOT_READ "R0922" "file-not-read" Warning "0.1.0" "A file in the directory of a policy that looks like a policy, and does not count.";
    INTERNAL "R0999" "internal" Error "0.1.0" "A bug in rules.";
    IMPORT_SYNTAX "R1001" "import-syntax" Error "0.1.0" "An imported file is not in its language, or uses a part of it that is not supported.";
    IMPORT_KIND "R1002" "import-wrong-kind" Error "0.1.0" "A value of an imported file has the wrong type.";
    IMPORT_MISSING "R1003" "import-missing-key" Error "0.1.0" "An imported file lacks a key that its own program requires.";
    IMPORT_VALUE "R1004" "import-bad-value" Error "0.1.0" "An invalid value in an imported file.";
}
