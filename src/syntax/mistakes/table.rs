//! Every mistake that a policy's text can have, as rows: what it says and, behind `//`, a text that has it.
//!
//! A row is a name with its placeholders, a code, a message, a label, and a help. A message stands alone; a label says
//! what is here; a help says what to write.

use super::{Code, Diagnostic, Span};

mistakes! {
    // The bytes of a file.
    TooLarge { bytes } TOO_DEEP // a file of 2 MiB
        "the file is larger than 1 MiB", "{bytes} bytes",
        "split it into several `.rules` files; all files of the directory are read";
    ByteOrderMark {} ENCODING // U+FEFF at the beginning
        "the file begins with a byte order mark", "three bytes that no editor shows",
        "save the file as UTF-8 without a byte order mark";
    Nul {} ENCODING // U+0000
        "the file holds a NUL character", "this is no text", "delete it";
    LoneReturn {} ENCODING // \r without \n
        "a carriage return without a line feed", "ends no line here, but looks as if it did",
        "save the file with LF or CRLF line ends";
    NotUtf8 {} ENCODING // latin-1
        "the file is not UTF-8", "bytes here could not be read as text", "save the file as UTF-8";
    OddSpace {} ENCODING // U+00A0
        "a space that is no plain space", "looks like a space, is another character", "type a plain space";
    MixedIndentation {} ENCODING // a block string indented by tabs and spaces
        "tabs and spaces are mixed in the indentation of a block", "indented differently than the lines above",
        "indent every line of the block with spaces";

    // Nesting and length.
    TooManyBrackets { most } TOO_DEEP // ((((… more than are read
        "more than {most} brackets within each other", "one too many", "name parts of it with `def` or `let`";
    TooManyNots { most } TOO_DEEP // not not not …
        "more than {most} times `not` behind each other", "one too many", "write one, or none: two say nothing";
    TooDeep {} TOO_DEEP // where the tree is built
        "nested too deeply to be read", "here", "name parts of it with `def` or `let`";
    TooDeepForGrammar {} TOO_DEEP // where the grammar gives up
        "nested too deeply to be read", "here", "split it";
    TooManyElements { what, count } TOO_DEEP // [1, 2, 3, …]
        "a {what} has more than 65,536 elements", "{count} elements",
        "say what they have in common with a glob or a regex";

    // What is not closed.
    Unclosed { open, close } UNTERMINATED // (a == 1
        "`{open}` is not closed", "opened here", "write `{close}` where it ends";
    UnclosedItem { what } UNTERMINATED // rule a {
        "the {what} is not closed", "opened here", "write `}}` on a line of its own at its end";
    OpenRaw {} UNTERMINATED // 'text
        "a string is not closed", "opened here", "close it with `'` on the same line";
    OpenText {} UNTERMINATED // "text
        "a string is not closed", "opened here", "close it with `\"` on the same line";
    OpenBlock {} UNTERMINATED // """text
        "a block string is not closed", "opened here", "close it with `\"\"\"`";
    OpenRegex {} UNTERMINATED // /regex
        "a regex is not closed", "opened here", "close it with `/` on the same line; a path stands in quotes";
    OpenJsonPath {} UNTERMINATED // `$.path
        "a JSONPath is not closed", "opened here", "close it with a backtick on the same line";
    TextAfterRaw {} UNTERMINATED // 'a'b
        "text directly after a closing quote", "still meant as part of the string?",
        "write it between double quotes: a `'…'` string ends at the next `'`";
    TextAfterQuote {} UNTERMINATED // "a"b
        "text directly after a closing quote", "still meant as part of the string?",
        "write `\\\"` for a quote inside of the string, or close the string where it should end";

    // What is left over.
    StrayClose { close, open } SYNTAX // )
        "a `{close}` too many", "closes nothing", "delete it, or write the `{open}` that it closes";
    TrailingComma { after } SYNTAX // when a == 1,
        "a comma after {after}", "nothing follows it", "delete it";
    Backslash {} FOREIGN_OPERATOR // when a == 1 \
        "a backslash does not continue a line", "end of the line", "leave it out";
    TrailingText { found, after } SYNTAX // when a == 1 b
        "{found} after {after}", "not expected here", "end the line before it, or delete it";
    AfterItem {} SYNTAX // rule a { … } b
        "text after the end of an item", "belongs to nothing", "start a new line before it, or delete it";
    Unexpected { found, form } SYNTAX // what nothing else here describes
        "unexpected {found}", "cannot be read from here on", "the form is `{form}`";
    Unparsed {} INTERNAL // the grammar and the tree disagree
        "this text is in the grammar but not in the tree", "read, but not understood",
        "this is a bug in rules; please report it with this line";

    // Comments and quotes of other languages.
    ForeignComment { mark } FOREIGN_OPERATOR // // text
        "`{mark}` begins no comment", "a comment of another language", "write `#`";
    Semicolon {} FOREIGN_OPERATOR // deny "No.";
        "a semicolon at the end of a line", "ends nothing here", "delete it";
    SmartQuotes { right } FOREIGN_OPERATOR // “text”
        "typographic quotes", "quotes of a word processor", "write `{right}`";

    // Items.
    UnknownItem { word } SYNTAX // banana
        "unknown item `{word}`", "no item begins so", "items: `rule` `let` `def` `use` `test`";
    UnknownItemNear { word, near } SYNTAX // rul a {
        "unknown item `{word}`", "no item begins so", "an item named `{near}` exists";
    ForeignFunction { word } SYNTAX // function f() {
        "unknown item `{word}`", "no item begins so", "write `def name = condition`; it takes no parameters";
    NotAnItem { found } SYNTAX // == 1
        "{found} where an item should begin", "no item begins so", "items: `rule` `let` `def` `use` `test`";
    IndentedItem {} INDENTED_ITEM // a blank before `rule`
        "an item is indented", "white space before the item",
        "start it in column 1: that is where reading picks up again after a mistake";
    ClauseOutside { word, owner } SYNTAX // deny "No." outside of a rule
        "`{word}` outside of a {owner}", "stands by itself", "move it into the `{{ … }}` of a {owner}";
    RuleWithoutName {} SYNTAX // rule {
        "a rule without a name", "its name is missing here", "write `rule what-it-does {{`";
    QuotedRuleHeader { form } SYNTAX // rule "a" {
        "the name of a rule in quotes", "names have no quotes", "write `rule {form} {{`";
    SpacedRuleName { form } SYNTAX // rule no push {
        "the name of a rule is several words", "names have no spaces", "write `rule {form} {{`";
    NotKebabCase { form } SYNTAX // rule noPush {
        "the name of a rule is kebab-case", "lower-case words joined by `-`", "write `rule {form} {{`";
    TestWithoutName {} SYNTAX // test {
        "a test without a name", "its name is missing here", "write `test \"what it shows\" {{`";
    HeaderColon { after } FOREIGN_OPERATOR // rule a:
        "`:` after {after}", "begins a body elsewhere", "write `{{`";
    HeaderText { found, after, form } SYNTAX // test "a" b {
        "{found} after {after}", "`{{` is expected here", "write `{form}`";
    MissingBrace { after, form } SYNTAX // rule a
        "`{{` is missing after {after}", "expected here", "write `{form}`";
    BraceOnOwnLine {} SYNTAX // a line break before the brace
        "`{{` on a line of its own", "not expected here", "write it behind the name, on the same line";
    BrokenItem {} SYNTAX // lines broken where they may not be
        "this item cannot be read", "not expected here", "write one clause on each line";
    DefinitionWithoutName { keyword, form } SYNTAX // let = 1
        "a `{keyword}` without a name", "a name is expected here", "write `{form}`";
    NotSnakeCase { keyword, right } SYNTAX // let a-name = 1
        "the name of a `{keyword}` is snake_case", "words joined by `_`", "write `{right}`";
    ReservedName { name } RESERVED_NAME // let deny = 1
        "`{name}` is a word of the language", "could never be read as a name",
        "choose another name, such as `{name}_list` or `is_{name}`";
    DefWithParameters {} SYNTAX // def f(x) = …
        "a `def` with parameters", "takes none", "write a `def` for each case, without parentheses";
    ForeignAssignment { mark, keyword } FOREIGN_OPERATOR // let a := 1
        "`{mark}` after the name of a `{keyword}`", "expected `=`", "write `=`";
    MissingAssignment { part, form } SYNTAX // let a 1
        "`=` is missing", "before {part}", "write `{form}`";
    NotConstant {} BAD_VALUE // let a = { … }
        "a `let` names a constant", "not a constant",
        "give a string, number, boolean, duration, size, regex or list; a `def` names a condition";
    UseWithoutBraces {} SYNTAX // use "a" with b
        "`with` without braces", "`{{` is expected here", "write `with {{ name: value }}`";
    ExceptAfterWith {} SYNTAX // use "a" with { … } except b
        "`except` after `with`", "comes first", "write `use \"…\" except NAME with {{ … }}`";
    AnnotationWithoutName {} SYNTAX // @
        "an annotation without a name", "expected here", "write `@off`, `@severity(high)`, …";
    AnnotationArgument { found } SYNTAX // @tags(=)
        "{found} in an annotation", "not expected here", "an annotation takes words and strings";
    AnnotationWithoutBrackets { found, name, argument } SYNTAX // @severity high
        "{found} after `@{name}`", "arguments stand in parentheses", "write `@{name}({argument})`";
    LooseAnnotation {} SYNTAX // @off at the end of the file
        "an annotation without an item below it", "says something about nothing",
        "write it on the line above the `rule` that it is about";

    // Clauses.
    ForeignWord { word, help } FOREIGN_OPERATOR // if a == 1
        "`{word}` is no clause", "a word of another language", "{help}";
    NotAClauseWord { word, help } SYNTAX // message "No."
        "`{word}` is no clause", "begins no clause", "{help}";
    UnknownClause { word } SYNTAX // banana
        "unknown clause `{word}`", "no clause begins so",
        "clauses: `on` `by` `when` `unless` `unknown` `fires on` `quiet on`, or an effect such as `deny`";
    UnknownClauseNear { word, near } SYNTAX // whne a == 1
        "unknown clause `{word}`", "no clause begins so", "a clause named `{near}` exists";
    NotAClause { found } SYNTAX // == 1
        "{found} where a clause should begin", "no clause begins so",
        "begin with `on`, `when`, an effect or `fires on`";
    ItemInRule { item } SYNTAX // let a = 1 inside a rule
        "`{item}` inside of a rule", "an item, not a clause",
        "close the rule with `}}` first, and start `{item}` at the beginning of a line";
    AnnotationInRule {} SYNTAX // @off inside a rule
        "an annotation inside of a rule", "stands above the rule, not in it", "write it on the line above the `rule`";
    BlockInRule {} SYNTAX // { inside a rule
        "a block inside of a rule", "nothing takes a block here",
        "clauses stand on lines of their own, without braces around them";
    StringInRule {} SYNTAX // "No."
        "a string without an effect", "says nothing by itself", "write the effect in front of it: `deny \"…\"`";
    DashBeforeClause {} FOREIGN_OPERATOR // - deny "No."
        "a dash in front of a clause", "a list of another language", "leave it out";
    ClauseMark { mark, word } FOREIGN_OPERATOR // when: a == 1
        "`{mark}` after `{word}`", "a clause has none", "write `{word} …`";
    TwoClauses { word } SYNTAX // on Stop deny "No."
        "two clauses on one line", "the second one", "start a new line before `{word}`";
    UnknownWithoutVote {} SYNTAX // unknown
        "`unknown` without a vote", "a vote is missing here",
        "write `unknown deny`, `unknown ask` or `unknown ignore`";

    // Events, selectors and names of rules.
    BetweenEvents { word } FOREIGN_OPERATOR // on PreToolUse or Stop
        "`{word}` between events", "events are separated by commas", "write `,`";
    MissingEventComma {} SYNTAX // on PreToolUse Stop
        "a comma is missing between events", "after this event", "write `,` here";
    QuotedEvent { name } SYNTAX // on "Stop"
        "an event in quotes", "events are plain names", "write `{name}`";
    BracketedEvents {} SYNTAX // on [PreToolUse, Stop]
        "a list of events in brackets", "events need no brackets",
        "write the events behind each other: `on PreToolUse, Stop`";
    MissingEvent {} SYNTAX // on
        "an event is missing", "expected here", "write `on PreToolUse`, or `on *` for every event";
    EventColon {} SYNTAX // on PreToolUse: Bash
        "`:` after an event", "a selector stands in parentheses",
        "write what follows in parentheses: `on PreToolUse(Bash)`";
    EmptyParentheses {} SYNTAX // on PreToolUse()
        "parentheses without a selector", "a selector is missing here", "write a selector, or delete the parentheses";
    InSelector { found } SYNTAX // on PreToolUse(Bash =)
        "{found} inside of a selector", "not a part of a glob",
        "put the selector in quotes if it holds more than letters, digits and `_-.:*?[]!`";
    BashPermission { pattern } SYNTAX // on PreToolUse(Bash(git push:*))
        "a permission pattern of the host", "a selector is the name of a tool",
        "write `on PreToolUse(Bash)` and `when runs \"{pattern}\"`";
    Permission { tool } SYNTAX // on PreToolUse(Read(.env))
        "a permission pattern of the host", "a selector is the name of a tool",
        "write `on PreToolUse({tool})` and say the rest in a `when` clause";
    BetweenSelectors { word } FOREIGN_OPERATOR // on PreToolUse(Edit, Write)
        "`{word}` between selectors", "selectors are separated by `|`", "write `|`";
    NotSelector {} FOREIGN_OPERATOR // by not reviewer
        "`not` in front of a selector", "a selector is excluded by `!`", "write `!`";
    RegexSelector { right } SYNTAX // by /review.*/
        "a regex as a selector", "not a glob", "a selector is a glob: write `{right}`";
    MissingSelector {} SYNTAX // on PreToolUse(Bash|)
        "a selector is missing", "expected here", "write `PreToolUse(Bash)`";
    MissingAgent {} SYNTAX // by
        "a selector is missing", "expected here", "write `by reviewer`";
    BareSelector { right } SYNTAX // on PreToolUse(a@b)
        "a selector that needs quotes", "more than letters, digits and `_-.:*?[]!`", "write `{right}`";
    QuotedRuleName { name } SYNTAX // expect deny by "a"
        "the name of a rule in quotes", "rules are plain names", "write `{name}`";
    MissingRuleName {} SYNTAX // expect deny by
        "the name of a rule is missing", "expected here", "write the name as it stands behind `rule`";

    // Examples and tests.
    MissingOn { word } SYNTAX // fires "git push"
        "`{word}` without `on`", "`on` is missing here", "write `{word} on \"…\"`";
    OnColon { word } FOREIGN_OPERATOR // fires on: "git push"
        "`:` after `{word} on`", "a clause has none", "leave it out";
    MissingExampleComma {} SYNTAX // fires on "a" "b"
        "a comma is missing between examples", "after this example", "write `,` here";
    MissingCommaAtEnd {} SYNTAX // fires on "a", and "b" on the next line without a comma
        "a comma is missing between examples", "after this example", "write `,` at the end of the line";
    InSubject { found } SYNTAX // fires on SubagentStop(a b)
        "{found} in the subject of an example", "not expected here",
        "an example names one subject: `SubagentStop(coder)`; quote it if it holds other characters";
    FactsWithoutBraces {} SYNTAX // fires on "a" with b
        "`with` without braces", "facts stand in braces", "write `with {{ git.branch: \"main\" }}`";
    ExampleOrder { word } SYNTAX // fires on "a" { … } by b
        "`{word}` in the wrong place", "comes earlier",
        "the order is: tool or event, text, `by`, `with {{ facts }}`, `{{ fields }}`";
    MissingExample { after } SYNTAX // fires on
        "`{after}` without an example", "expected here", "write `{after} \"git push\"`, `{after} Read \".env\"`";
    MissingExampleBefore { after, found } SYNTAX // fires on ==
        "`{after}` without an example", "expected here, before {found}",
        "write `{after} \"git push\"`, `{after} Read \".env\"`";
    LoneGiven {} SYNTAX // given "a"
        "`given` without `expect`", "stands alone", "write `expect …` on the line below";
    LoneExpect {} SYNTAX // expect deny
        "`expect` without `given`", "stands alone", "write `given …` on the line above";
    InTest { word } SYNTAX // deny "No." in a test
        "`{word}` in a test", "neither `given` nor `expect`",
        "a test has `given …` lines, each followed by an `expect …`";
    InTestNear { word, near } SYNTAX // gven "a"
        "`{word}` in a test", "neither `given` nor `expect`", "write `{near} …`";
    MissingDecision {} SYNTAX // expect
        "`expect` without a decision", "a decision is missing here",
        "write `expect pass`, `expect allow`, `expect ask`, `expect deny` or `expect halt`";
    MissingContains { word } SYNTAX // expect deny message "a"
        "`{word}` without `contains`", "`contains` is missing here", "write `{word} contains \"…\"`";
    BetweenExpectations { word } FOREIGN_OPERATOR // expect deny and message contains "a"
        "`{word}` between expectations", "they simply follow each other", "leave it out";
    InExpectation { found } SYNTAX // expect deny banana
        "{found} in an expectation", "not expected here",
        "write `by RULE`, `message contains \"…\"`, `context contains \"…\"`, `rewrites FIELD to V` or `run \"…\"`";
    InExpectationNear { found, near } SYNTAX // expect deny mesage contains "a"
        "{found} in an expectation", "not expected here", "an expectation named `{near}` exists";

    // Conditions.
    MissingCondition { before } SYNTAX // when
        "`{before}` without a condition", "a condition is missing here",
        "write `{before} runs \"git push\"`, or delete `{before}`";
    NotATest { found } SYNTAX // when ]
        "{found} where a test should begin", "not a test",
        "begin with a field, `runs`, `reads`, `writes`, `deletes` or `(`";
    ReservedField { word } SYNTAX // when on == 1
        "`{word}` where a test should begin", "a word of the language, not a field",
        "begin with a field, `runs`, `reads`, `writes`, `deletes` or `(`";
    UnknownTest { word, near } SYNTAX // when rus "git"
        "unknown test `{word}`", "not a word of this language", "a test named `{near}` exists";
    RunsMeant { word } FOREIGN_OPERATOR // when run "git push"
        "`{word}` is no test", "an effect, not a test", "write `runs`";
    CommaBetweenTests {} SYNTAX // when a == 1, b == 2
        "a comma between tests", "tests are joined by words", "write `and` or `or`";
    ForeignJoint { word, right } FOREIGN_OPERATOR // when a == 1 && b == 2
        "`{word}` is no word of this language", "joins two tests elsewhere", "write `{right}`";
    ForeignNot { word } FOREIGN_OPERATOR // when !a
        "`{word}` is no word of this language", "negates elsewhere", "write `not`";
    MixedAndOr { right } AMBIGUOUS_AND_OR // when a and b or c
        "`and` and `or` are mixed without parentheses", "which of them goes first is anybody's guess",
        "write `{right}`, or put the parentheses around the `or`";
    MixedAndOrLong {} AMBIGUOUS_AND_OR // the same, too long to be shown
        "`and` and `or` are mixed without parentheses", "which of them goes first is anybody's guess",
        "put parentheses around the tests that belong together";
    InParentheses { found } SYNTAX // when (a == 1 b)
        "{found} inside of parentheses", "not expected here",
        "join the tests with `and` or `or`, and close the parentheses with `)`";
    WordAfterCondition { word } FOREIGN_OPERATOR // when a == 1 then deny "No."
        "`{word}` after a condition", "not needed", "start a new line instead";
    BodyAfterCondition { word } FOREIGN_OPERATOR // when a == 1 {
        "`{word}` after a condition", "begins a body elsewhere",
        "end the line after the condition, and write the effect on the next one";
    UnlessInCondition {} SYNTAX // when a == 1 and unless b == 2
        "`unless` inside a condition", "begins a clause of its own",
        "write `not`, or put `unless …` on a line of its own";
    OfList { word } SYNTAX // when any of […]
        "`{word} of` is no form of this language", "lists stand behind `in`",
        "write `field in [\"a\", \"b\"]`, or join the tests with `or`";
    AnyBeforeField { word } SYNTAX // when any tags == 1
        "`{word}` is no word of this language", "not needed",
        "leave it out: a comparison is true when one of the values makes it true";
    NoneBeforeField { word } SYNTAX // when none tags == 1
        "`{word}` is no word of this language", "not needed",
        "write `not` in front of the test: it is true when no value makes it true";

    // Commands and files.
    TestOfOtherCommands { word } SYNTAX // when runs "a" where pipes "b" into "c"
        "`{word}` after `where`", "not a test of one command",
        "`where` is about the command that `runs` found; join with `and` for another test";
    NotAfterRuns {} SYNTAX // when runs not "a"
        "`not` after `runs`", "stands on the wrong side", "write `not runs \"…\"`";
    OnlyWithoutRuns {} SYNTAX // when only "a"
        "`only` without `runs`", "`runs` is missing here", "write `only runs \"…\"`";
    WhereAfterOnlyRuns {} SYNTAX // when only runs "a" where …
        "`where` after `only runs`", "takes no `where`",
        "`only runs` reads its patterns to the letter; say it in the pattern";
    PipesWithoutInto {} SYNTAX // when pipes "curl"
        "`pipes` without `into`", "`into` is missing here", "write `pipes \"curl\" into \"sh\"`";
    RegexPattern { after } SYNTAX // when runs /git/
        "a regex after `{after}`", "a pattern is no regex",
        "write a pattern in quotes, word by word: `runs \"git push (--force|--mirror)\"`";
    BareCommand { after, words } SYNTAX // when runs git push
        "a command pattern without quotes", "the words of a command", "write it in quotes: `{after} \"{words}\"`";
    NotAfterVerb { verb } SYNTAX // when writes not like "a"
        "`not` after `{verb}`", "could mean \"no file is\" or \"some file is not\"",
        "write `not {verb} like …` for \"no file\", or negate in the list: `[\"**\", \"!…\"]`";
    VerbWithoutLike { verb } SYNTAX // when writes "a"
        "`{verb}` without `like`", "an operator is missing here",
        "write `{verb} like \"…\"`, `{verb} under …` or `{verb} outside …`";
    VerbWithoutOperator { verb } SYNTAX // when writes
        "`{verb}` takes `like`, `under` or `outside`", "expected one of them here",
        "write `{verb} like \"…\"`, `{verb} under …` or `{verb} outside …`";

    // Comparisons.
    NotAField { word, right } SYNTAX // when tool-name == "a"
        "`{word}` is no name of a field", "fields are snake_case", "write `{right}`, or a string in quotes";
    MissingField { after } SYNTAX // when exists
        "`{after}` without a field", "a field is expected here", "write `{after} tool_input.url`";
    IndexedField { right } SYNTAX // when a[0] == 1
        "an index on a field", "fields have no index", "write it as a JSONPath: {right}";
    FunctionMeant { word, right } SYNTAX // when a.startsWith("b")
        "a call of `{word}`", "there are no functions", "write `{right}`";
    FunctionCall { word } SYNTAX // when f(a)
        "a call of `{word}`", "there are no functions",
        "write a test, such as `field contains \"…\"`; a `def` is named without parentheses";
    BareJsonPath { right } SYNTAX // when $.a == 1
        "a JSONPath without backticks", "a path into the payload", "write {right}";
    JsonPathWithoutRoot { right } SYNTAX // when `a.b` == 1
        "a JSONPath begins with `$`", "backticks hold a JSONPath", "write {right}, or a string in quotes";
    LoneRegex {} SYNTAX // when /a/
        "a regex without a field", "compared with nothing", "write `command matches /…/`";
    LoneValue {} SYNTAX // when "a"
        "a value where a test should begin", "not compared with anything",
        "begin with a field: `command contains \"…\"`, `runs \"…\"`";
    LooseAlternative { right } SYNTAX // when a == "b" or "c"
        "a value where a test should stand", "compared with nothing", "write `{right}`";
    LooseValue {} SYNTAX // when not a or "c"
        "a value where a test should stand", "compared with nothing",
        "write a whole test, or all values in one list: `x in [\"a\", \"b\"]`";
    ValueOnLeft {} SYNTAX // when "a" == "b"
        "a value on the left side", "a test begins with a field", "write `field == \"…\"`";
    Mirrored { right } SYNTAX // when "a" == b
        "the value stands on the left side", "a test begins with its field", "write `{right}`";
    NotWithoutOperator { operand } SYNTAX // when a not "b"
        "`not` without an operator", "negates nothing", "write `not {operand} …`, or `{operand} not in […]`";
    ExistsBehind { word, right } SYNTAX // when a exists
        "`{word}` stands behind the field", "goes in front", "write `{right}`";
    MissingOperator { operand } SYNTAX // when a "b"
        "an operator is missing", "between the field and the value",
        "write `{operand} == …`, `{operand} like …` or `{operand} contains …`";
    UnknownOperatorNear { word, near } SYNTAX // when a contians "b"
        "unknown operator `{word}`", "not a word of this language", "an operator named `{near}` exists";
    UnknownOperator { word } SYNTAX // when a banana "b"
        "unknown operator `{word}`", "not a word of this language",
        "operators: `==` `!=` `<` `<=` `>` `>=` `in` `contains` `starts_with` `ends_with` `like` `matches` `under` `outside`";
    ForeignOperator { word, right } FOREIGN_OPERATOR // when a equals "b"
        "`{word}` is no operator of this language", "compares elsewhere", "write `{right}`";
    Assignment { word, right } FOREIGN_OPERATOR // when a = "b"
        "`{word}` is no operator of this language", "assigns elsewhere", "write `{right}`";
    NotAfterOperator {} SYNTAX // when a == not "b"
        "`not` after an operator", "stands on the wrong side", "write `!=`, or `not` in front of the test";
    BarBetweenValues { operator } SYNTAX // when a in "b" | "c"
        "`|` between values", "alternatives stand in a list", "write `{operator} [\"a\", \"b\"]`";

    // Effects.
    MessageInParentheses { verb } SYNTAX // deny("No.")
        "parentheses around a message", "a message needs none", "write `{verb} \"…\"`";
    TwoStrings {} SYNTAX // deny "No" "."
        "two strings for one message", "a message is one string",
        "write one string; `{{field}}` puts a value into it, `\"\"\"…\"\"\"` spans lines";
    NotAnExitCode { word } SYNTAX // exit two "No."
        "`{word}` is no exit code", "not a whole number", "write `exit 2 \"…\"`";
    RewriteWithoutField {} SYNTAX // rewrite
        "`rewrite` without a field", "a field is expected here",
        "write `rewrite FIELD = V`, `rewrite FIELD replace /re/ with \"…\"` or `rewrite runs \"P\" to \"Q\"`";
    RewriteMark { mark } FOREIGN_OPERATOR // rewrite command == "a"
        "`{mark}` after the field of a rewrite", "a rewrite sets with `=`", "write `=`";
    RewriteWithoutValue {} SYNTAX // rewrite command
        "a rewrite without a value", "`=` or `replace` is missing here", "write `rewrite command = \"…\"`";
    RewritesWithoutField {} SYNTAX // expect allow rewrites
        "`rewrites` without a field", "a field is expected here", "write `rewrites command to \"…\"`";
    WrongKeyword { found, word } FOREIGN_OPERATOR // rewrite runs "a" with "b"
        "`{found}` where `{word}` should stand", "the wrong word", "write `{word}`";
    MissingKeyword { word, form } SYNTAX // rewrite runs "a" "b"
        "`{word}` is missing", "expected here", "write `{form}`";
    BareArgument { right } SYNTAX // run [cargo, fmt]
        "an argument without quotes", "arguments are strings", "write `{right}`";
    NotAnArgument { found } SYNTAX // run [=]
        "{found} is no argument", "arguments are strings", "write `run [\"cargo\", \"fmt\"]`";

    // Values.
    MissingElement {} SYNTAX // [and]
        "an element is missing", "a value is missing here", "write `\"…\"`";
    MissingValue { after, example } SYNTAX // when a ==
        "`{after}` without a value", "a value is missing here", "write `{example}`";
    BarePath { after, right } SYNTAX // when writes under /etc
        "a path without quotes after `{after}`", "a path stands in quotes", "write `{right}`";
    BarePathInList { right } SYNTAX // [/etc]
        "a path without quotes in a list", "a path stands in quotes", "write `{right}`";
    BareText { after, right } SYNTAX // when writes under ~/a
        "text without quotes after `{after}`", "a string stands in quotes", "write `{right}`";
    BareString { what, right } SYNTAX // deny No
        "{what} without quotes", "text stands in quotes", "write `{right}`";
    BareLongString { what } SYNTAX // the same, too long to be shown
        "{what} without quotes", "text stands in quotes", "put it in double quotes";
    MissingString { what, form } SYNTAX // notify
        "{what} is missing", "missing here", "write `{form}`";
    MissingStringBefore { what, found, form } SYNTAX // notify {
        "{what} is missing", "expected here, not {found}", "write `{form}`";
    NotAKey { found } SYNTAX // { =: 1 }
        "{found} where a key should stand", "no key", "write `key: value`, with a comma between the entries";
    ForeignColon { mark } FOREIGN_OPERATOR // { a = 1 }
        "`{mark}` between a key and its value", "a map has colons", "write `:`";
    MissingColon {} SYNTAX // { a 1 }
        "a colon is missing in a map", "after the key", "write `key: value`";
    KeyWithoutValue {} SYNTAX // { a: }
        "a key without a value", "the value is missing here", "write `key: value`";
    LeadingComma {} SYNTAX // [, 1]
        "a comma with nothing before it", "nothing to separate", "delete it";
    BetweenElements { mark } FOREIGN_OPERATOR // [1; 2]
        "`{mark}` between elements", "elements are separated by commas", "write `,`";
    NotAnElement { found } SYNTAX // [= 1]
        "{found} is no element", "not expected here", "separate the elements with commas";
    MissingComma {} SYNTAX // [1 2]
        "a comma is missing", "between this and the next element", "write `,` here";
    UnknownUnit { unit } BAD_VALUE // 5 parsecs
        "`{unit}` is no unit", "neither a duration nor a size",
        "durations end in `ms`, `s`, `m` or `h`, sizes in `KB` or `MB`, numbers have no unit";
    ForeignUnit { unit, right } BAD_VALUE // 5sec
        "`{unit}` is no unit", "neither a duration nor a size", "write `{right}`";
    NotWhole { written, unit } BAD_VALUE // 1.5m
        "`{written}` is not a whole number of `{unit}`", "not a whole number",
        "durations and sizes are whole numbers: `90s` instead of `1.5m`, `500KB` instead of `0.5MB`";
    OutOfRange { written } BAD_VALUE // 99999999999999999999h
        "`{written}` is out of range", "too large", "write a smaller number";
    UnknownEscape { escape } SYNTAX // "\d"
        "`{escape}` is no escape", "not an escape of this language",
        "double the backslash, or use '…', where a backslash is itself";
    UnicodeEscape { escape, right } SYNTAX // "\u00e9"
        "`{escape}` is no escape", "not an escape of this language", "write `{right}`";
    EscapeForRaw { escape, right } SYNTAX // "\d", where '…' would do
        "`{escape}` is no escape", "not an escape of this language",
        "write `{right}`, where a backslash is itself, or double the backslash";
}
