//! The table of all mistakes that a policy's text can have, except for those in `effects.rs`. The comment after each
//! name is an example.
//!
//! A row consists of a name with its placeholders, a code, a message, a label, and a help. A message must be
//! understood without the source; a label describes the position in the source; a help shows what to write.

use super::{Code, Diagnostic, Span};

with_effects! {
    // The bytes of a file.
    TooLarge { bytes } TOO_DEEP // a file of 2 MiB
        "the file is larger than 1 MiB", "{bytes} bytes",
        "split it into several `.rules` files: every one in the directory is read";
    ByteOrderMark {} ENCODING // U+FEFF at the beginning
        "the file begins with a byte order mark", "three bytes that most editors hide",
        "save the file as UTF-8 without a byte order mark";
    Nul {} ENCODING // U+0000
        "the file contains a NUL character", "not text", "delete it";
    LoneReturn {} ENCODING // \r without \n
        "a carriage return without a line feed", "looks like the end of a line, but is not",
        "save the file with LF or CRLF line ends";
    NotUtf8 {} ENCODING // latin-1
        "the file is not UTF-8", "these bytes are not valid UTF-8", "save the file as UTF-8";
    OddSpace {} ENCODING // U+00A0
        "a space character other than U+0020", "looks like a plain space", "type a plain space";
    MixedIndentation {} ENCODING // a block string indented by tabs and spaces
        "tabs and spaces are mixed in the indentation of a block", "indented differently from the lines above",
        "indent every line of the block with spaces";

    // Nesting and length.
    TooManyBrackets { most } TOO_DEEP // ((((… more than are read
        "brackets are nested more than {most} deep", "one too many", "give parts of it a name with `def` or `let`";
    TooManyNots { most } TOO_DEEP // not not not …
        "more than {most} `not`s in a row", "one too many", "write one or none: two cancel out";
    TooDeep {} TOO_DEEP // where the tree is built
        "nested too deeply to be read", "too deep here", "give parts of it a name with `def` or `let`";
    TooDeepForGrammar {} TOO_DEEP // where the grammar gives up
        "nested too deeply to be read", "too deep here", "give parts of it a name with `def` or `let`";
    TooManyElements { what, count } TOO_DEEP // [1, 2, 3, …]
        "a {what} has more than 65,536 elements", "{count} elements",
        "use a glob or a regex for what they have in common";

    // Unclosed constructs.
    Unclosed { open, close } UNTERMINATED // (a == 1
        "`{open}` is not closed", "opened here", "add the closing `{close}`";
    UnclosedItem { what } UNTERMINATED // rule a {
        "the {what} is not closed", "opened here", "add the closing `}}` on a line of its own";
    OpenRaw {} UNTERMINATED // 'text
        "a string is not closed", "opened here", "close it with `'` on the same line";
    OpenText {} UNTERMINATED // "text
        "a string is not closed", "opened here", "close it with `\"` on the same line";
    OpenBlock {} UNTERMINATED // """text
        "a block string is not closed", "opened here", "close it with `\"\"\"`";
    OpenRegex {} UNTERMINATED // /regex
        "a regex is not closed", "opened here", "close it with `/` on the same line; put a path in quotes";
    OpenJsonPath {} UNTERMINATED // `$.path
        "a JSONPath is not closed", "opened here", "close it with a backtick on the same line";
    TextAfterRaw {} UNTERMINATED // 'a'b
        "unexpected text after a closing quote", "meant as part of the string?",
        "use double quotes: a `'…'` string ends at the next `'`";
    TextAfterQuote {} UNTERMINATED // "a"b
        "unexpected text after a closing quote", "meant as part of the string?",
        "write `\\\"` for a quote inside the string, or close the string where it should end";

    // Superfluous text.
    StrayClose { close, open } SYNTAX // )
        "unmatched `{close}`", "nothing to close", "delete it, or add the `{open}` that it closes";
    TrailingComma { after } SYNTAX // when a == 1,
        "unexpected comma after {after}", "nothing follows it", "delete it";
    Repeated { word } SYNTAX // unknown unknown deny
        "`{word}` is written twice", "the second", "delete it";
    Swapped { right } SYNTAX // fires Read on "a"
        "two words in the wrong order", "the other way round", "write `{right}`";
    Backslash {} FOREIGN_OPERATOR // when a == 1 \
        "a backslash does not continue a line", "at the end of a line", "delete it";
    TrailingText { found, after } SYNTAX // when a == 1 b
        "unexpected {found} after {after}", "not expected here", "delete it, or start a new line before it";
    AfterItem {} SYNTAX // rule a { … } b
        "unexpected text after the end of an item", "not part of an item", "start a new line before it, or delete it";
    Unexpected { found, form } SYNTAX // what nothing else here describes
        "unexpected {found}", "not expected here", "the form is `{form}`";
    Unparsed {} INTERNAL // the grammar and the tree disagree
        "the grammar accepts this text and the tree does not", "parsed, but not understood",
        "this is a bug in rules: please report it with this line";
    Unformatted {} INTERNAL // a layout that reads back as something else
        "the file cannot be formatted", "formatted, it would be another policy",
        "this is a bug in rules: please report it with this file; the file is unchanged";

    // Comments and quotes of other languages.
    ForeignComment { mark } FOREIGN_OPERATOR // // text
        "`{mark}` does not start a comment", "comment syntax of another language", "write `#`";
    Semicolon {} FOREIGN_OPERATOR // deny "No.";
        "a semicolon at the end of a line", "not needed", "delete it";
    Semicolons { count } FOREIGN_OPERATOR // deny "No."; at the end of several lines
        "semicolons at the ends of {count} lines", "the first: not needed", "delete them";
    SmartQuotes { right } FOREIGN_OPERATOR // “text”
        "typographic quotes", "not plain quotes", "write `{right}`";

    // Items.
    MissingLet { right } SYNTAX // secrets = [".env"]
        "missing `let` before a name", "not an item", "write `{right} = …`";
    ForeignDefinition { word, right } FOREIGN_OPERATOR // const a = ["b"]
        "`{word}` does not begin a definition", "a keyword of other languages", "write `{right} = …`";
    UnknownItem { word } SYNTAX // banana
        "unknown item `{word}`", "not an item", "an item begins with `rule`, `let`, `def`, `use` or `test`";
    ForeignItem { word, right } FOREIGN_OPERATOR // policy a {
        "`{word}` does not begin an item", "a keyword of other languages", "write `{right}`";
    DefinitionsInBlock { word, right } FOREIGN_OPERATOR // locals { a = "b" }
        "`{word}` does not begin an item", "a block of definitions in other languages", "write {right}";
    TypedDefinition { keyword, written } FOREIGN_OPERATOR // let a: list = ["b"]
        "a type after the name of a `{keyword}`", "a value has its type", "delete `{written}`";
    SeveralSources { right } SYNTAX // use "a", "b"
        "several sources in one `use`", "one `use` takes one", "write {right}, each on its line";
    UnknownItemNear { word, near } SYNTAX // rul a {
        "unknown item `{word}`", "not an item", "an item named `{near}` exists";
    WordBeforeItem { word, item } FOREIGN_OPERATOR // export rule a {
        "`{word}` before `{item}`", "a keyword of other languages", "delete it: an item begins with `{item}`";
    OtherFile { right } FOREIGN_OPERATOR // include "./a.rules"
        "another file is taken in by `use`", "a keyword of other languages", "write `{right}`";
    ShellLine { word } FOREIGN_OPERATOR // set -e
        "`{word}` is not an item", "a line of a shell script", "delete the line: a policy is no script";
    FileHeader { word } FOREIGN_OPERATOR // package x
        "`{word}` at the head of a file", "a keyword of other languages", "delete the line: a policy has no header";
    ForeignImport { word } FOREIGN_OPERATOR // import data.lib
        "`{word}` is not an item", "of another language", "delete the line, or take a pack in with `use \"std/git\"`";
    ImportedPack { word, right } FOREIGN_OPERATOR // import std/git
        "`{word}` is not an item", "a keyword of other languages", "write `{right}`";
    ForeignFunction { word } SYNTAX // function f() {
        "unknown item `{word}`", "not an item", "write `def name = condition`: a `def` takes no parameters";
    NotAnItem { found } SYNTAX // == 1
        "expected an item, found {found}", "not an item", "an item begins with `rule`, `let`, `def`, `use` or `test`";
    IndentedItem {} INDENTED_ITEM // a blank before `rule`
        "an item is indented", "white space before it", "start it in column 1: after a mistake, reading resumes there";
    ClauseOutside { word, owner } SYNTAX // deny "No." outside of a rule
        "`{word}` outside a {owner}", "not inside a {owner}", "move it into the `{{ … }}` of a {owner}";
    RuleWithoutName {} SYNTAX // rule {
        "missing rule name", "expected a name here", "write `rule what-it-does {{`";
    QuotedRuleHeader { form } SYNTAX // rule "a" {
        "a rule name takes no quotes", "quoted", "write `rule {form} {{`";
    SpacedRuleName { form } SYNTAX // rule no push {
        "a rule name has no spaces", "several words", "write `rule {form} {{`";
    InheritingRule { word, name } SYNTAX // rule a extends b {
        "a rule does not extend another", "`{word}` of another language",
        "write `rule {name} {{`, and put what both look for in a `def` that each of them names";
    PriorityBehindName { word } FOREIGN_OPERATOR // rule a priority 10 {
        "`{word}` after the name of a rule", "a keyword of other languages",
        "delete it: order decides nothing, the strictest decision wins";
    NotKebabCase { form } SYNTAX // rule noPush {
        "a rule name must be kebab-case", "expected lower-case words joined by `-`", "write `rule {form} {{`";
    TestWithoutName {} SYNTAX // test {
        "missing test name", "expected a string here", "write `test \"what it shows\" {{`";
    HeaderColon { after } FOREIGN_OPERATOR // rule a:
        "unexpected `:` after {after}", "expected `{{`", "write `{{`";
    HeaderText { found, after, form } SYNTAX // test "a" b {
        "expected `{{` after {after}, found {found}", "expected `{{` here", "write `{form}`";
    MissingBrace { after, form } SYNTAX // rule a
        "missing `{{` after {after}", "expected `{{` here", "write `{form}`";
    MarkBehindName { mark } FOREIGN_OPERATOR // rule a = {
        "unexpected `{mark}` after the name of the rule", "not needed", "delete it";
    ClausesInHeader { clauses } SYNTAX // rule a on Stop {
        "clauses in front of `{{`", "belong inside the braces", "write {clauses} on the line below the name";
    RuleOnOneLine { rule } SYNTAX // rule a on Stop deny "No."
        "a rule without braces", "each clause has a line of its own", "write it like this:\n\n{rule}";
    BraceOnOwnLine {} SYNTAX // a line break before the brace
        "`{{` on a line of its own", "not expected here", "write it after the name, on the same line";
    BrokenItem {} SYNTAX // lines broken where they may not be
        "this item cannot be read", "not expected here", "write one clause on each line";
    DefinitionWithoutName { keyword, form } SYNTAX // let = 1
        "missing name after `{keyword}`", "expected a name here", "write `{form}`";
    NotSnakeCase { keyword, right } SYNTAX // let a-name = 1
        "the name of a `{keyword}` must be snake_case", "expected words joined by `_`", "write `{right}`";
    ReservedName { name } RESERVED_NAME // let deny = 1
        "`{name}` is a reserved word", "reserved", "choose another name, such as `{name}_list` or `is_{name}`";
    DefWithParameters { form } SYNTAX // def f(x) = …
        "a `def` takes no parameters", "not expected here", "write `{form}`: it sees every field of the event, such as `path`";
    ForeignAssignment { mark, keyword } FOREIGN_OPERATOR // let a := 1
        "expected `=`, found `{mark}`", "after the name of a `{keyword}`", "write `=`";
    MissingAssignment { part, form } SYNTAX // let a 1
        "missing `=`", "expected `=` before {part}", "write `{form}`";
    NotConstant {} BAD_VALUE // let a = { … }
        "the value of a `let` must be a constant", "not a constant",
        "write a string, number, boolean, duration, size, regex or list; use `def` for a condition";
    UseAs { word } SYNTAX // use "a" as b
        "unexpected `{word}` after the source of a `use`", "a pack takes no other name", "delete `{word}`";
    ColonsInSource { right } SYNTAX // use std::git
        "the source of a `use` without quotes", "not quoted", "write `use {right}`";
    BracedDefinition { right } SYNTAX // def a { b == 1 }
        "a definition takes no braces", "expected `=`", "write `{right}`";
    SumOfLists { right } FOREIGN_OPERATOR // let a = b + ["c"]
        "`+` does not join lists", "syntax of another language", "write `{right}`";
    SetInBraces { right } FOREIGN_OPERATOR // let a = {"b", "c"}
        "a list takes brackets", "syntax of another language", "write `{right}`";
    DefaultDecision { word } FOREIGN_OPERATOR // default deny
        "`{word}` is not an item", "there is no default decision",
        "write a rule about what is not on a list of yours:\n\nrule only-what-is-listed {{\n  on PreToolUse(Bash)\n  unless only runs [\"git status\", \"npm test\"]\n  ask \"This command is not on the list.\"\n}}";
    DefaultPermission { word } FOREIGN_OPERATOR // default allow = true
        "`{word}` is not an item", "there is no default decision", "delete it: where no rule decides, the host does as it would without rules";
    UseWithoutBraces {} SYNTAX // use "a" with b
        "missing `{{` after `with`", "expected `{{` here", "write `with {{ name: value }}`";
    BracketedNames { right } SYNTAX // use "a" except [b]
        "a list of names takes no brackets", "not expected here", "write `{right}`";
    ExceptionWord { word, right } SYNTAX // use "a" except b if cwd == "c"
        "`{word}` behind the name of a rule", "not a word of an exception", "write `{right}` for events, or `where` for commands";
    ExceptionOfUse { word, right } SYNTAX // use "a" unless agent == "b"
        "`{word}` behind the source of a `use`", "an exception is one of a rule", "write `except NAME when {right}`";
    ContinuedUse { word } SYNTAX // except a-name on a line of its own
        "`{word}` on a line of its own", "a `use` ends with its line", "write it on the line of its `use`";
    ExceptAfterWith {} SYNTAX // use "a" with { … } except b
        "`except` comes before `with`", "after `with`", "write `use \"…\" except NAME with {{ … }}`";
    AnnotationWithoutName {} SYNTAX // @
        "missing annotation name", "expected a name here", "write `@off`, `@severity(high)`, …";
    BareAnnotation { name, right } SYNTAX // @owner(@a/b)
        "a text without quotes in an annotation", "not quoted", "write `@{name}({right})`";
    AnnotationArgument { found } SYNTAX // @tags(=)
        "unexpected {found} in an annotation", "not a word or a string", "an annotation takes words and strings";
    AnnotationWithoutBrackets { found, name, argument } SYNTAX // @severity high
        "unexpected {found} after `@{name}`", "put the arguments in parentheses", "write `@{name}({argument})`";
    LooseAnnotation {} SYNTAX // @off at the end of the file
        "an annotation without an item", "no item below it", "write it on the line above its `rule`";

    // Clauses.
    ForeignWord { word, help } FOREIGN_OPERATOR // if a == 1
        "`{word}` is not a clause", "a keyword of other languages", "{help}";
    NotAClauseWord { word, help } SYNTAX // message "No."
        "`{word}` is not a clause", "not a clause", "{help}";
    UnknownClause { word } SYNTAX // banana
        "unknown clause `{word}`", "not a clause",
        "write `on`, `by`, `when`, `unless`, `unknown`, `fires on`, `quiet on` or an effect such as `deny`";
    UnknownClauseNear { word, near } SYNTAX // whne a == 1
        "unknown clause `{word}`", "not a clause", "a clause named `{near}` exists";
    NotAClause { found } SYNTAX // == 1
        "expected a clause, found {found}", "not a clause",
        "begin with `on`, `when`, `fires on` or an effect such as `deny`";
    ItemInRule { item } SYNTAX // let a = 1 inside a rule
        "`{item}` inside a rule", "an item, not a clause",
        "close the rule with `}}` first, and start `{item}` at the beginning of a line";
    AnnotationInRule {} SYNTAX // @off inside a rule
        "an annotation inside a rule", "belongs above the rule", "write it on the line above the `rule`";
    BlockInRule {} SYNTAX // { inside a rule
        "a block inside a rule", "not expected here", "write each clause on a line of its own, without braces";
    StringInRule {} SYNTAX // "No."
        "expected a clause, found a string", "no effect before it", "write the effect before it: `deny \"…\"`";
    Docstring {} SYNTAX // rule a { "Why it is there."
        "a string at the head of a rule", "not a clause", "write it as `## …` on the line above the rule";
    MessageApart { word, right } SYNTAX // deny, and below it reason: "No."
        "`{word}` is not a clause", "the message of an effect", "write `{right}`";
    ClosedByWord { word } FOREIGN_OPERATOR // end
        "`{word}` does not close a rule", "a keyword of other languages", "write `}}`";
    DashBeforeClause {} FOREIGN_OPERATOR // - deny "No."
        "a dash before a clause", "list syntax of another language", "delete it";
    ClauseMark { mark, word, right } FOREIGN_OPERATOR // when: a == 1
        "unexpected `{mark}` after `{word}`", "not needed", "write `{right}`";
    OptionAsClause { word, right } SYNTAX // timeout: 30
        "`{word}` is not a clause", "an option of an effect", "write it in braces behind the effect: `{right}`";
    OptionWithoutBraces { word, right } SYNTAX // run "a" timeout 5s
        "`{word}` without braces", "an option of an effect", "write `{right}`";
    OptionBehindBraces { word, right } SYNTAX // run "a" { timeout: 5s } stdin: none
        "`{word}` behind the options", "belongs inside the braces", "write it inside of them: `{right}`";
    NoSuchOption { word, near } SYNTAX // run "a" async=true
        "`{word}` after an effect", "not an option", "the option is called `{near}`: write it in braces, `{{ {near}: … }}`";
    NotAnOption { word } SYNTAX // run "a" banana=true
        "`{word}` after an effect", "options stand in braces, and this is none",
        "delete it, or write an option of the effect: `run \"…\" {{ timeout: 30s }}`";
    ConditionBehind { word, right } SYNTAX // deny "No." if a == 1
        "`{word}` after an effect", "a condition is a clause of its own", "write `{right}` on a line of its own";
    ConditionInEffect { word, verb, right } SYNTAX // deny if a == 1
        "`{word}` after an effect", "a condition is a clause of its own",
        "write `{right}` on a line of its own, and `{verb} \"…\"` below it";
    ConditionAndMessage { word, right, effect } SYNTAX // deny when a == 1 with "No."
        "`{word}` after an effect", "a condition is a clause of its own",
        "write `{right}` on a line of its own, and `{effect}` below it";
    TestAsClause { right } SYNTAX // git.branch == "main"
        "a test without `when`", "a condition is a clause of its own",
        "write `{right}`; a second test follows `and`, behind the first";
    VariableInRule { word, right } FOREIGN_OPERATOR // cmd := tool_input.command
        "`{word}` is not a clause", "a variable of other languages", "delete it, and write `{right}` where `{word}` stands";
    ExamplesAsList { right } FOREIGN_OPERATOR // fires: ["a", "b"]
        "examples as a list of another language", "list syntax of another language", "write `{right}`";
    TwoClauses { word } SYNTAX // on Stop deny "No."
        "two clauses on one line", "the second clause", "start a new line before `{word}`";
    UnknownWithoutVote {} SYNTAX // unknown
        "missing vote after `unknown`", "expected a vote here",
        "write `unknown deny`, `unknown ask` or `unknown ignore`";

    // Events, selectors and names of rules.
    BetweenEvents { word } FOREIGN_OPERATOR // on PreToolUse or Stop
        "expected `,` between events, found `{word}`", "separate events with `,`", "write `,`";
    MissingEventComma {} SYNTAX // on PreToolUse Stop
        "missing comma between events", "expected `,` here",
        "write `,` before another event; a tool stands in parentheses: `PreToolUse(Bash)`";
    ToolBehindEvent { right } SYNTAX // on PreToolUse Bash
        "a tool after an event", "put the tool in parentheses", "write `on {right}`";
    ExamplesWithoutWord {} SYNTAX // on "git push -f"
        "an example after `on`", "not an event", "write `fires on` or `quiet on` for examples";
    QuotedEvent { name } SYNTAX // on "Stop"
        "an event name takes no quotes", "quoted", "write `{name}`";
    EventsAsList { right } FOREIGN_OPERATOR // on: with a dash before each event
        "events as a list of another language", "list syntax of another language", "write `{right}`";
    TestsAsList { right } FOREIGN_OPERATOR // when: with a dash before each test
        "tests as a list of another language", "list syntax of another language", "write `{right}`";
    BracketedEvents { right } SYNTAX // on [PreToolUse, Stop]
        "a list of events takes no brackets", "not expected here", "write `on {right}`";
    MissingEvent {} SYNTAX // on
        "missing event", "expected an event here", "write `on PreToolUse`, or `on *` for every event";
    SelectorMark { mark, right } SYNTAX // on PreToolUse: Bash
        "unexpected `{mark}` after an event", "put the selector in parentheses", "write `{right}`";
    EmptyParentheses {} SYNTAX // on PreToolUse()
        "missing selector in parentheses", "expected a selector here", "write a selector, or delete the parentheses";
    InSelector { found } SYNTAX // on PreToolUse(Bash =)
        "unexpected {found} in a selector", "not part of a glob",
        "quote a selector with characters other than letters, digits and `_-.:*?[]!`";
    BashPermission { pattern } SYNTAX // on PreToolUse(Bash(git push:*))
        "a permission pattern of the host", "a tool and what it is called with",
        "write `on PreToolUse(Bash)`, and `when runs \"{pattern}\"` on a line of its own";
    Permission { tool, test } SYNTAX // on PreToolUse(Read(.env))
        "a permission pattern of the host", "a tool and what it is called with",
        "write `on PreToolUse({tool})`, and `when {test}` on a line of its own";
    BetweenSelectors { word, what, right } FOREIGN_OPERATOR // on PreToolUse(Edit, Write)
        "expected `|` between {what}, found `{word}`", "separate {what} with `|`", "write `{right}`";
    SpacedExclusion { right } SYNTAX // by ! reviewer
        "a blank behind `!`", "expected the name at once", "write `{right}`";
    BracketedAgents { right } FOREIGN_OPERATOR // by [coder, tester]
        "a list of agents takes no brackets", "list syntax of another language", "write `{right}`";
    ConditionBehindEvents { word } SYNTAX // on PreToolUse if git.branch == "main"
        "`{word}` after the events", "a condition is a clause of its own", "write `when …` on the next line";
    NotSelector {} FOREIGN_OPERATOR // by not reviewer
        "expected `!` before a selector, found `not`", "exclude a selector with `!`", "write `!`";
    RegexSelector { instead } SYNTAX // by /review.*/
        "expected a selector, found a regex", "not a glob", "write {instead}";
    MissingSelector {} SYNTAX // on PreToolUse(Bash|)
        "missing selector", "expected a selector here", "write `PreToolUse(Bash)`";
    ComparedAgent { right } SYNTAX // by agent == "reviewer"
        "a comparison behind `by`", "`by` takes names", "write `{right}`";
    MissingAgent {} SYNTAX // by
        "missing agent after `by`", "expected an agent here", "write `by reviewer`";
    BareSelector { right } SYNTAX // on PreToolUse(a@b)
        "this selector needs quotes", "contains more than letters, digits and `_-.:*?[]!`", "write `{right}`";
    QuotedRuleName { name } SYNTAX // expect deny by "a"
        "a rule name takes no quotes", "quoted", "write `{name}`";
    MissingRuleName {} SYNTAX // expect deny by
        "missing rule name", "expected a name here", "write the name that follows `rule`";

    // Examples and tests.
    MissingOn { word } SYNTAX // fires "git push"
        "missing `on` after `{word}`", "expected `on` here", "write `{word} on \"…\"`";
    OnColon { word } FOREIGN_OPERATOR // fires on: "git push"
        "unexpected `:` after `{word} on`", "not needed", "delete it";
    MissingExampleComma {} SYNTAX // fires on "a" "b"
        "missing comma between examples", "expected `,` here", "write `,`";
    MissingCommaAtEnd {} SYNTAX // fires on "a", and "b" on the next line without a comma
        "missing comma between examples", "expected `,` here", "write `,` at the end of the line";
    InSubject { found } SYNTAX // fires on SubagentStop(a b)
        "unexpected {found} in the subject of an example", "not expected here",
        "an example has one subject: `SubagentStop(coder)`; quote one with other characters";
    FactsWithoutBraces {} SYNTAX // fires on "a" with b
        "missing `{{` after `with`", "put the facts in braces", "write `with {{ git.branch: \"main\" }}`";
    ExampleOrder { word } SYNTAX // fires on "a" { … } by b
        "`{word}` in the wrong place", "comes earlier in an example",
        "the order is: tool or event, text, `by`, `on`, `with {{ facts }}`, `{{ fields }}`";
    ExampleMisordered { word, right } SYNTAX // fires on Bash "a" { b: 1 } by c
        "`{word}` in the wrong place", "comes earlier in an example", "write `{right}`: the fields come last";
    MissingHost {} SYNTAX // fires on "a" on
        "missing host after `on`", "expected a host here", "write the name of an agent: `on codex`";
    WrittenHost { right } SYNTAX // fires on "a" on "codex"
        "a host is one word in lower case", "in quotes or with capitals", "write `{right}`";
    AgentFirst { right } SYNTAX // fires on by "coder" "ls"
        "an example that begins with `by`", "comes behind the call", "write `{right}`";
    BareExample { right } SYNTAX // fires on git push -f
        "an example without quotes", "not quoted", "write `{right}`";
    MissingExample { after, found } SYNTAX // fires on
        "expected an example after `{after}`, found {found}", "expected an example here",
        "write `{after} \"git push\"` or `{after} Read \".env\"`";
    LoneGiven {} SYNTAX // given "a"
        "`given` without `expect`", "no `expect` after it", "write `expect …` on the line below";
    LoneExpect {} SYNTAX // expect deny
        "`expect` without `given`", "no `given` before it", "write `given …` on the line above";
    CallBehindExpectation { given } SYNTAX // expect deny on Bash "rm x"
        "a call behind `expect`", "the call is on a line of its own", "write `{given}` on the line above";
    InTest { word } SYNTAX // deny "No." in a test
        "unexpected `{word}` in a test", "expected `given` or `expect`",
        "a test has `given …` lines, each followed by an `expect …`, and perhaps by `then …` between them";
    InTestNear { word, near } SYNTAX // gven "a"
        "unexpected `{word}` in a test", "expected `given` or `expect`", "write `{near} …`";
    MissingDecision {} SYNTAX // expect
        "missing decision after `expect`", "expected a decision here",
        "write `expect pass`, `expect allow`, `expect ask`, `expect deny` or `expect halt`";
    MissingAnswer {} SYNTAX // expect ask sends
        "missing answer after `sends`", "expected an answer here",
        "write a decision, `rewrite` or `context`: `sends deny`";
    MissingContains { word } SYNTAX // expect deny message "a"
        "missing `contains` after `{word}`", "expected `contains` here", "write `{word} contains \"…\"`";
    BetweenExpectations { word } FOREIGN_OPERATOR // expect deny and message contains "a"
        "unexpected `{word}` between expectations", "not needed", "delete it";
    InExpectation { found } SYNTAX // expect deny banana
        "unexpected {found} in an expectation", "not expected here",
        "write `by RULE`, `sends ANSWER`, `message contains \"…\"`, `context contains \"…\"`, `rewrites FIELD to V` or `run \"…\"`";
    InExpectationNear { found, near } SYNTAX // expect deny mesage contains "a"
        "unexpected {found} in an expectation", "not expected here", "an expectation named `{near}` exists";

    // Conditions.
    MissingCondition { before } SYNTAX // when
        "missing condition after `{before}`", "expected a condition here",
        "write `{before} runs \"git push\"`, or delete `{before}`";
    MissingCommandTest {} SYNTAX // use "a" except b where
        "missing condition after `where`", "expected a test of the command here",
        "write `where operands == \"main\"`, or delete `where`";
    AgentTest { right } SYNTAX // unless by main
        "`by` in a condition", "a clause of its own, and no test", "write `{right}`, or `by` on a line of its own";
    NotATest { found } SYNTAX // when ]
        "expected a condition, found {found}", "not a condition",
        "begin with a field, `runs`, `reads`, `writes`, `deletes`, `sends`, `connects` or `(`";
    ReservedField { word } SYNTAX // when on == 1
        "expected a condition, found `{word}`", "a reserved word, not a field",
        "begin with a field, `runs`, `reads`, `writes`, `deletes`, `sends`, `connects` or `(`";
    AlwaysTrue {} SYNTAX // when true
        "a condition that is always true", "says nothing",
        "delete the clause: without `when` a rule matches every event of its `on`";
    UnknownTest { word, near } SYNTAX // when rus "git"
        "unknown test `{word}`", "not a test", "a test named `{near}` exists";
    RunsMeant { word } FOREIGN_OPERATOR // when run "git push"
        "`{word}` is not a test", "expected `runs`", "write `runs`";
    CommaBetweenTests {} SYNTAX // when a == 1, b == 2
        "unexpected comma between tests", "join tests with `and` or `or`", "write `and` or `or`";
    ForeignJoint { word, right } FOREIGN_OPERATOR // when a == 1 && b == 2
        "`{word}` is not an operator", "syntax of another language", "write `{right}`";
    ForeignNot { word } FOREIGN_OPERATOR // when !a
        "`{word}` is not an operator", "syntax of another language", "write `not`";
    MixedAndOr { right } AMBIGUOUS_AND_OR // when a and b or c
        "`and` and `or` are mixed without parentheses", "ambiguous without parentheses",
        "write `{right}`, or put the parentheses around the other operator";
    MixedAndOrLong {} AMBIGUOUS_AND_OR // the same, too long to be shown
        "`and` and `or` are mixed without parentheses", "ambiguous without parentheses",
        "put the tests that belong together in parentheses";
    InParentheses { found } SYNTAX // when (a == 1 b)
        "unexpected {found} in parentheses", "expected `and`, `or` or `)`",
        "join the tests with `and` or `or`, and close the parentheses with `)`";
    WordAfterCondition { word } FOREIGN_OPERATOR // when a == 1 then deny "No."
        "unexpected `{word}` after a condition", "not needed", "start a new line instead";
    BodyAfterCondition { word } FOREIGN_OPERATOR // when a == 1 =>
        "unexpected `{word}` after a condition", "not needed", "delete it, and write the effect on the next line";
    ColonAfterCondition {} FOREIGN_OPERATOR // when a == 1:
        "unexpected `:` after a condition", "not needed", "delete it";
    BlockAfterCondition {} FOREIGN_OPERATOR // when a == 1 {
        "a block after a condition", "a condition takes no block",
        "delete the `{{` and its `}}`: every effect is a clause of the rule";
    BlockStatement { word, right } FOREIGN_OPERATOR // if a == 1 {
        "`{word}` with a block", "a keyword of other languages",
        "write `{right}`, and the effects below it without braces";
    UnlessInCondition {} SYNTAX // when a == 1 and unless b == 2
        "`unless` inside a condition", "a clause, not an operator",
        "write `not`, or put `unless …` on a line of its own";
    OfList { word } SYNTAX // when any of […]
        "`{word}` is not an operator", "expected a field and `in`",
        "write `field in [\"a\", \"b\"]`, or join the tests with `or`";
    AnyBeforeField { word } SYNTAX // when any tags == 1
        "`{word}` is not an operator", "not needed",
        "delete it: a comparison is true when it holds for any of the values";
    NoneBeforeField { word } SYNTAX // when none tags == 1
        "`{word}` is not an operator", "expected `not`",
        "write `not`: the test is then true when it holds for none of the values";

    // Commands and files.
    TestOfOtherCommands { word } SYNTAX // when runs "a" where pipes "b" into "c"
        "`{word}` after `where`", "not a test of one command",
        "`where` tests the command that `runs` found; use `and` for another test";
    TestInParentheses { right } FOREIGN_OPERATOR // when runs("a")
        "a test takes no parentheses", "call syntax of another language", "write `{right}`";
    NotAfterRuns {} SYNTAX // when runs not "a"
        "`not` after `runs`", "belongs before `runs`", "write `not runs \"…\"`";
    OnlyWithoutRuns {} SYNTAX // when only "a"
        "missing `runs` after `only`", "expected `runs` here", "write `only runs \"…\"`";
    WhereAfterOnlyRuns {} SYNTAX // when only runs "a" where …
        "`only runs` takes no `where`", "not expected here",
        "put it into the pattern: `only runs` takes its patterns literally";
    PipesWithoutInto {} SYNTAX // when pipes "curl"
        "missing `into` after `pipes`", "expected `into` here", "write `pipes \"curl\" into \"sh\"`";
    RegexPattern { after } SYNTAX // when runs /git/
        "expected a command pattern after `{after}`, found a regex", "not a command pattern",
        "write the words of the command in quotes: `runs \"git push (--force|--mirror)\"`";
    WordAfterRuns { word, right } SYNTAX // when runs any ["a", "b"]
        "`{word}` after a test of commands", "a pattern or a list of them follows directly", "write `{right}`";
    VerbElsewhere { word, right } SYNTAX // when edits "a"
        "`{word}` is not a test", "a verb of other programs", "write `{right}`";
    FilterWithoutWhere { word, right } SYNTAX // when runs "a" in "src"
        "`{word}` after a test of commands", "what else holds for the command follows `where`", "write `{right}`";
    PlaceBehindPattern { word, right } SYNTAX // when runs "a" outside project
        "`{word}` after a test of commands", "where it runs, or which files it changes?",
        "write `{right}` for the directory that it runs in, and for its files `where writes …` or `where deletes …`";
    TestWithoutAnd { word, right } SYNTAX // when runs "a" except "b"
        "`{word}` after a test of commands", "another test follows `and`", "write `{right}`";
    FlagBehindPattern { word, right } SYNTAX // when runs "a" with "-f"
        "`{word}` after a test of commands", "flags and operands stand in the pattern", "write `{right}`";
    SpacedField { right } SYNTAX // when git branch == "main"
        "a field in two words", "one name, with a dot", "write `{right}`";
    ListOfFiles { word, right } SYNTAX // when file_exists ["a", "b"]
        "`{word}` takes one file", "several files", "write `{right}`";
    SizeWithoutFile { right } SYNTAX // when file_size > 1MB
        "missing file after `file_size`", "of which file?", "write `{right}`";
    SubjectBeforeTest { word, verb } SYNTAX // when command runs "a"
        "`{word}` before `{verb}`", "`{verb}` begins the test", "delete it: `{verb} …` is about the whole call";
    BareCommand { after, words } SYNTAX // when runs git push
        "a command pattern without quotes", "not quoted", "write `{after} \"{words}\"`";
    NotAfterVerb { verb } SYNTAX // when writes not like "a"
        "`not` after `{verb}`", "ambiguous: \"no file is\" or \"some file is not\"",
        "write `not {verb} like …` for \"no file\", or negate in the list: `[\"**\", \"!…\"]`";
    NotUnderAfterVerb { verb, word } SYNTAX // when writes not under "src"
        "`{word} under` after `{verb}`", "ambiguous: \"none is\" or \"some is not\"",
        "write `{verb} outside …` for \"some is not\", `not {verb} under …` for \"none is\"";
    ExceptAfterTest { right } SYNTAX // when writes under "src" except "src/gen"
        "an exception inside a test", "not part of a test", "write `{right}`";
    ForeignAfterVerb { verb, word, right } SYNTAX // when reads glob "a"
        "`{word}` after `{verb}`", "tested with `like`, `under` or `outside`", "write `{verb} {right} …`";
    SentTo { word, right } SYNTAX // when sends to "example.org"
        "`{word}` after `sends`", "`sends` tests which files leave, not where to",
        "write `{right}`, and `sends like …` for the files";
    PortAfterHosts { right } SYNTAX // when connects port 22
        "a port after `connects`", "a port stands behind the host, with a colon", "write `{right}`";
    TernaryTest {} FOREIGN_OPERATOR // when a ? b : false
        "unexpected `?` after a condition", "syntax of another language",
        "join the tests: `a and b`; for the other case write a second rule";
    ListOfRegexes { right } SYNTAX // when a matches any [/b/, /c/]
        "`matches` takes one regex", "several regexes", "write `{right}`";
    VerbWithoutLike { verb, right } SYNTAX // when writes "a"
        "missing operator after `{verb}`", "expected `like`, `under` or `outside` here", "write `{right}`";
    AnythingAfterVerb { verb, word, right } SYNTAX // when deletes anything
        "`{word}` after `{verb}`", "says nothing here", "write `{right}`";
    VerbWithoutOperator { verb } SYNTAX // when writes
        "missing operator after `{verb}`", "expected `like`, `under` or `outside` here",
        "write `{verb} like \"…\"`, `{verb} under …` or `{verb} outside …`";

    // Comparisons.
    NotAField { word, right } SYNTAX // when tool-name == "a"
        "`{word}` is not the name of a field", "fields are snake_case", "write `{right}`, or a string in quotes";
    MissingField { after } SYNTAX // when exists
        "missing field after `{after}`", "expected a field here", "write `{after} tool_input.url`";
    IndexedField { right } SYNTAX // when a["b"] == 1
        "a field takes no index", "not expected here", "write `{right}`";
    IndexedJsonPath { right } SYNTAX // when a[0] == 1
        "a field takes no index", "not expected here", "write the JSONPath {right}";
    IndexedOperand { right } SYNTAX // when runs "a" where operands[0] == "b"
        "`operands` takes no index", "operands stand in the pattern, in their order", "write `{right}`";
    FunctionMeant { word, right } FOREIGN_OPERATOR // when a.startsWith("b")
        "a call of `{word}`", "the language has no functions", "write `{right}`";
    ForeignTest { written, right } FOREIGN_OPERATOR // when a IS NOT NULL
        "`{written}` is not a test", "syntax of another language", "write `{right}`";
    LongForeignTest { right } FOREIGN_OPERATOR // the same, too long to be shown
        "a test in the syntax of another language", "not a test of this language", "write `{right}`";
    RunMeant { written, right } FOREIGN_OPERATOR // when command "npm test" fails
        "`{written}` is not a test", "a test runs nothing", "write `{right}` as the effect, without this test";
    LongRunMeant { right } FOREIGN_OPERATOR // the same, too long to be shown
        "a test that would have to run a command", "a test runs nothing", "write `{right}` as the effect, without this test";
    BracedCondition { right } FOREIGN_OPERATOR // when { runs "a" }
        "braces around a condition", "a condition takes no braces", "write `{right}`";
    LongBracedCondition {} FOREIGN_OPERATOR // the same, too long to be shown
        "braces around a condition", "a condition takes no braces", "delete the `{{` and its `}}`";
    CallOfField { word } SYNTAX // when git.branch() == "main"
        "a call of `{word}`", "a field takes no parentheses", "write `{word}`";
    CallOfDef { word } SYNTAX // when is_test(path)
        "a call of `{word}`", "a `def` takes no arguments", "write `{word}`";
    FunctionCall { word, name, field, test } SYNTAX // when f(a)
        "a call of `{word}`", "the language has no functions",
        "write the test itself, such as `{field} {test}`, or name it: `def {name} = …` above the rule, and `{name}` here";
    BareJsonPath { right } SYNTAX // when $.a == 1
        "a JSONPath without backticks", "not in backticks", "write {right}";
    JsonPathWithoutRoot { right } SYNTAX // when `a.b` == 1
        "a JSONPath must begin with `$`", "no `$` at the beginning", "write {right}, or a string in quotes";
    LoneRegex {} SYNTAX // when /a/
        "expected a condition, found a regex", "no field to match", "write `content matches /…/`, or another field";
    LoneValue {} SYNTAX // when "a"
        "expected a condition, found a value", "not compared with anything",
        "begin with a field: `command contains \"…\"`, `runs \"…\"`";
    LoneGlob { right } SYNTAX // when "src/**"
        "expected a condition, found a value", "not compared with anything", "write `{right}`, or `reads`";
    LooseAlternative { right } SYNTAX // when a == "b" or "c"
        "a value without a test", "not compared with anything", "write `{right}`";
    LooseValue {} SYNTAX // when not a or "c"
        "expected a condition, found a value", "not compared with anything",
        "write a whole test, or put all values in a list: `x in [\"a\", \"b\"]`";
    ValueOnLeft {} SYNTAX // when "a" == "b"
        "expected a field, found a value", "a comparison begins with a field", "write `field == \"…\"`";
    Mirrored { right } SYNTAX // when "a" == b
        "a value on the left of a comparison", "a comparison begins with its field", "write `{right}`";
    NotWithoutOperator { operand } SYNTAX // when a not "b"
        "missing operator after `not`", "expected an operator after this", "write `{operand} not in […]`, or `not` before the whole test";
    ExistsCompared { right } SYNTAX // when exists a == 1
        "`exists` in front of a comparison", "a comparison needs a value anyway", "write `{right}`";
    FileMeant { right } SYNTAX // when exists "Cargo.toml"
        "`exists` in front of a text", "a file, and no field", "write `{right}`";
    ExistsBehind { word, right } SYNTAX // when a exists
        "`{word}` after a field", "`exists` comes before the field", "write `{right}`";
    EarlierCommand { word, pattern } SYNTAX // when not ran "npm test"
        "`{word}`: only a mark knows which commands ran before", "expected a test of this call",
        "write `runs {pattern}` for a command of this call; for an earlier one, `mark NAME {{ on PostToolUse(Bash) when \
         runs {pattern} }}` above the rule, and `happened NAME` here";
    MissingOperator { operand } SYNTAX // when a "b"
        "missing operator", "expected an operator here",
        "write `{operand} == …`, `{operand} like …` or `{operand} contains …`";
    UnknownOperatorNear { word, near } SYNTAX // when a contians "b"
        "unknown operator `{word}`", "not an operator", "an operator named `{near}` exists";
    UnknownOperator { word } SYNTAX // when a banana "b"
        "unknown operator `{word}`", "not an operator",
        "operators: `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `contains`, `starts_with`, `ends_with`, `like`, `matches`, `under`, `outside`";
    ForeignOperator { word, right } FOREIGN_OPERATOR // when a equals "b"
        "`{word}` is not an operator", "syntax of another language", "write `{right}`";
    Assignment { word, right } FOREIGN_OPERATOR // when a = "b"
        "`{word}` is not an operator", "an assignment in other languages", "write `{right}`";
    NotAfterOperator { word, right } SYNTAX // when a == not "b"
        "`{word}` after an operator", "not expected here", "write `{right}` in place of the two";
    BarBetweenValues { operator } SYNTAX // when a in "b" | "c"
        "unexpected `|` between values", "put alternatives in a list", "write `{operator} [\"a\", \"b\"]`";
}
