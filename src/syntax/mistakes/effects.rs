//! The rows about effects, values and other events of the session, which follow the rows of `sentences.rs`.

/// Creates the table of mistakes from the given rows and the rows in this file.
macro_rules! with_effects {
    ($($above:tt)*) => {
        mistakes! {
            $($above)*

            // Other events of the session.
            ExpectAfterEnd { end } SYNTAX // given Bash "ls" done, and then expect
                "`{end}` before an `expect`", "an `expect` is about the call before it ran",
                "delete `{end}`, or write the event that is judged on a line of its own: `then Stop`";
            ExpectAfterSeveral {} SYNTAX // given 3 Bash "ls", and then expect
                "several calls before an `expect`", "an `expect` is about one call",
                "write the last one on a line of its own: `then Bash \"…\"`";
            ExpectAfterWait {} SYNTAX // wait 5m, and then expect
                "`expect` after `wait`", "no event to judge", "write the event between them: `then Stop`";
            PastPartOrder { word, question } SYNTAX // when happened a within 1h of path
                "`{word}` in the wrong place", "comes earlier, and once",
                "write `{question} NAME`, and behind it `of`, `by`, `since` and `within`, in this order";
            PastActorWords {} SYNTAX // when happened a by main
                "whose events are meant is not clear", "expected `same agent` or `another agent`",
                "write `by same agent` or `by another agent`";
            PastPartEmpty { word } SYNTAX // when happened a within
                "nothing after `{word}`", "expected something here",
                "write `of path`, `since NAME` or `within 10m`";
            TimeInWords { written, right } BAD_VALUE // when happened a within 10 minutes
                "`{written}` after `within`", "a number and its unit are one word", "write `{right}`";
            WordsBehindEvents { written, right } SYNTAX // when happened a in the last 10m
                "`{written}` behind a question about the past", "narrows it, in other words", "write `{right}`";
            EventsWithoutWord { mark, right } SYNTAX // when edited since tested
                "`{mark}` without `happened`", "a mark, and no field", "write `{right}`";
            EventsBefore { mark, other } SYNTAX // when happened a before b
                "`before` behind a question about the past", "the order of two events",
                "name the later one first: `happened {other} since {mark}`";
            EventsAgo { mark, time } SYNTAX // when happened a ago > 5m
                "how long ago `{mark}` happened", "a question about the past has an end, and no age",
                "write `happened {mark} within {time}` for a later one, `not happened {mark} within {time}` for none";
            ExceptAllRules {} SYNTAX // use "a" except *
                "an exception for every rule of a pack", "which rule?",
                "name each rule, as in `except no-force-push when env.CI == \"true\"`, or leave the `use` out";
            ClausesInMarkHeader { right } SYNTAX // mark a on Read
                "clauses in front of `{{`", "belong inside the braces", "write it like this:\n\n{right}";
            WordsBehindTest { found } SYNTAX // when a == 1 b
                "unexpected {found} after the condition", "not part of the test before it",
                "write a further test behind `and` or `or`, or start a new line before it";
            ExceptionBehindPattern { word } SYNTAX // when runs "a" except path under "b"
                "`{word}` after a test of commands", "which commands are excepted?",
                "write `where not …` for a word of the command, as in `where not all operands == \"a\"`, or `and not …` for anything else";
            TestBehindPattern { written } SYNTAX // when runs "a" path under "b"
                "`{written}` after a test of commands", "a test of its own",
                "write `where …` for the command and its files, as in `where deletes under \"src\"`, or `and …` for anything else";
            ExcludedWord { word, operands, subcommand } SYNTAX // when runs "a" except "b"
                "`{word}` after a test of commands", "a word of the command?",
                "write `{operands}` behind the pattern for an operand, `{subcommand}` for a subcommand";
            HappenedCompared {} SYNTAX // when happened a >= 3
                "`happened` is true or false", "not a number", "write `count`, which is the number of events";
            SincePart { word, mark, start } SYNTAX // when happened a since b of path
                "`{word}` after `since {start}`", "`since` takes the name of a mark alone",
                "write it before `since` if it narrows `{mark}`; for some events of `{start}`, define a mark that has only these";
            SinceSeveral {} SYNTAX // when happened a since (b or c)
                "several marks after `since`", "`since` takes the name of one mark",
                "define one mark for the events of both: `mark begun {{ on PostToolUse(Bash), UserPromptSubmit }}`, and write `since begun`";
            PartBehindNumber { word, right } SYNTAX // when count a >= 3 since b
                "`{word}` after the comparison", "belongs before the operator", "write `{right}`";
            CountsCompared {} SYNTAX // when count a - count b >= 2
                "two counts in one comparison", "a count is compared with a number",
                "write a number for each, and join the cases by `or`: `count a >= 3 and not count b >= 2`";
            AfterWithoutList {} SYNTAX // fires on Stop after Edit "a"
                "`after` without a list", "expected `[` after it", "write `after [Edit \"src/a.ts\" done]`";
            LoneThen { word } SYNTAX // then Stop, first in a test
                "`{word}` without `given`", "no session to go on in", "write `given …` on the line above";

            PartOfTime { right } SYNTAX // when time in 22:00..06:00
                "a part of the day or of the week in another notation", "written differently here", "write `{right}`";

            // Forms of other languages.
            LooseOperator { word, right } SYNTAX // when path == "a" or under "b"
                "`{word}` without a field in front", "of which field?", "write `{right}`";
            CountOfCalls { written } FOREIGN_OPERATOR // when count(WebFetch) > 20
                "`{written}` is not known to a condition", "only a mark counts what happened before",
                "write `mark NAME {{ on PreToolUse(…) }}` above the rule, and `count NAME > 20` in it";
            VariableMeant { written, name } FOREIGN_OPERATOR // when content contains $a
                "`{written}` is not a value", "a variable of another language",
                "write the text in quotes, or `{name}` after `let {name} = \"…\"` above the rule";
            ListBehindContains { operator, right } SYNTAX // when prompt contains any of words
                "`{operator}` takes one text", "any of several", "write `{right}`";
            Comprehension { right } FOREIGN_OPERATOR // let a = [for b in ["c"] : "d/${b}"]
                "`for` inside a list", "a list that another language computes", "write each element: `{right}`";
            YamlAnchor { written, right } FOREIGN_OPERATOR // let a = &a ["b"]
                "`{written}` is not a value", "an anchor of YAML", "write `{right}`";
            BareAbsolute { right } SYNTAX // when /etc/** rw
                "a path without a test", "not compared with anything", "write `{right}`";
            PathAsMessage { verb, right } FOREIGN_OPERATOR // deny /etc/shadow r,
                "a path after `{verb}`", "what is meant is a condition",
                "write `{right}` on a line of its own, and `{verb} \"…\"` below it";
            SeverityBehindName { written, right } FOREIGN_OPERATOR // rule a "error" {
                "`{written}` after the name of a rule", "a level of another language",
                "delete it, and write `{right}` on the line above the rule";
            PriorityAnnotation { name } SYNTAX // @priority(10)
                "unknown annotation `@{name}`", "there is no order to set",
                "delete it: order decides nothing, the strictest decision wins";
            NamedArgument { right } FOREIGN_OPERATOR // fires on Edit(file_path="a")
                "a named argument in an example", "call syntax of another language", "write `{right}`";
            RewriteAsSed { written, right } FOREIGN_OPERATOR // rewrite command s/a/b/
                "`{written}` is not a value", "a substitution of sed", "write `{right}`";
            KeyOutside { word } FOREIGN_OPERATOR // owner: me
                "`{word}:` outside a rule", "a key of another language", "delete the line, or write it as a comment: `# …`";
            CaseOutside {} FOREIGN_OPERATOR // case x in
                "`case` is not an item", "a statement of a shell", "write a rule for each case: all rules that match apply";

            // Effects.
            InParenthesesAfterEffect { verb, right } SYNTAX // deny("No.")
                "`{verb}` takes no parentheses", "not expected here", "write `{right}`";
            ClauseElsewhere { word, label, help } FOREIGN_OPERATOR // permissionDecision: deny
                "`{word}` is not a clause", "{label}", "{help}";
            WordBeforeEffect { word, effect } FOREIGN_OPERATOR // then deny "No."
                "unexpected `{word}` before `{effect}`", "not needed", "delete it";
            FiringCondition { word, right } SYNTAX // fires when runs "a"
                "`{word}` after `fires`", "an example is a call, and no condition", "write `{right}`";
            FileAsMessage { right } SYNTAX // context file "NOTES.md"
                "a file as the message", "a message is a text", "write `{right}`";
            RunInBraces { right } FOREIGN_OPERATOR // run { command: "a" }
                "the command of a `run` inside braces", "the command comes first", "write `{right}`";
            SeveralRuns { right } SYNTAX // run "a" && "b"
                "several commands after `run`", "one text holds them all", "write `{right}`";
            RewriteOfTexts { right } SYNTAX // rewrite "a" to "b"
                "missing `runs` after `rewrite`", "commands are edited by `rewrite runs`", "write `{right}`";
            WordBeforeMessage { word, right } SYNTAX // deny with "No."
                "unexpected `{word}` before a message", "not needed", "write `{right}`";
            OnceBeforeMessage { word, verb } SYNTAX // context once "Hello."
                "`{word}` before a message", "the effects of a rule follow every event that matches",
                "delete it, and add `not happened NAME` of a mark for the same event; at the beginning of a session, write the rule `on SessionStart` with `{verb} \"…\"`";
            OnceBehindEffect { word, verb } SYNTAX // context "Hello." once
                "`{word}` after an effect", "the effects of a rule follow every event that matches",
                "delete it, and add `not happened NAME` of a mark for the same event; at the beginning of a session, write the rule `on SessionStart` with `{verb} \"…\"`";
            AlwaysBehindEffect { word } SYNTAX // deny "No." always
                "`{word}` after an effect", "the effects of a rule follow every event that matches", "delete it";
            MessageAsBlock { right } FOREIGN_OPERATOR // deny: |
                "a block of text as in YAML", "text syntax of another language", "write `{right}`";
            PermissionAsMessage { verb, tool, test } SYNTAX // deny Read(./.env)
                "a permission pattern of the host", "a tool and what it is called with",
                "write `on PreToolUse({tool})`, `when {test}` and `{verb} \"…\"`, each on its line";
            ListAsMessage { verb } SYNTAX // deny ["git push", "npm publish"]
                "a list as the message", "a message is one text",
                "write `{verb} \"…\"`, and what the rule is about after `when`";
            RecordWithoutBraces { right } SYNTAX // record "a.jsonl" [agent_id]
                "the fields of a record without braces", "not in braces", "write `{right}`";
            CalledMessage { word } FOREIGN_OPERATOR // deny sprintf("no %s", [path])
                "a call of `{word}`", "the language has no functions",
                "write one string, in which `{{field}}` inserts a value: `deny \"… {{path}} …\"`";
            TwoStrings {} SYNTAX // deny "No" "."
                "a message must be one string", "a second string",
                "write one string: `{{field}}` inserts a value, `\"\"\"…\"\"\"` spans lines";
            NamedText { word } SYNTAX // notify "a" title="b"
                "`{word}` after `notify`", "the two texts have no names",
                "write the title and then the text: `notify \"title\" \"text\"`";
            NotAnExitCode { word } SYNTAX // exit two "No."
                "`{word}` is not an exit code", "not a whole number", "write `exit 2 \"…\"`";
            RewriteOfCommand { right } SYNTAX // rewrite command "a" to "b"
                "two texts after `rewrite command`", "commands are edited by `rewrite runs`", "write `{right}`";
            RewriteWithoutField {} SYNTAX // rewrite
                "missing field after `rewrite`", "expected a field here",
                "write `rewrite FIELD = V`, `rewrite FIELD replace /re/ with \"…\"` or `rewrite runs \"P\" to \"Q\"`";
            RewriteMark { mark } FOREIGN_OPERATOR // rewrite command == "a"
                "expected `=`, found `{mark}`", "after the field of a rewrite", "write `=`";
            RewriteWithoutValue {} SYNTAX // rewrite command
                "missing value in a rewrite", "expected `=` or `replace` here", "write `rewrite command = \"…\"`";
            RewritesWithoutField {} SYNTAX // expect allow rewrites
                "missing field after `rewrites`", "expected a field here", "write `rewrites command to \"…\"`";
            WrongKeyword { found, word } FOREIGN_OPERATOR // rewrite runs "a" with "b"
                "expected `{word}`, found `{found}`", "expected `{word}`", "write `{word}`";
            MissingKeyword { word, form } SYNTAX // rewrite runs "a" "b"
                "missing `{word}`", "expected `{word}` here", "write `{form}`";
            BareArgument { right } SYNTAX // run [cargo, fmt]
                "an argument without quotes", "not quoted", "write `{right}`";
            FieldAsArgument { word, right } SYNTAX // run ["ruff", path]
                "a field as an argument", "a string, in which a placeholder stands for the field",
                "write `{right}`, or `\"{word}\"` for the word itself";
            NotAnArgument { found } SYNTAX // run [=]
                "expected an argument, found {found}", "not a string", "write `run [\"cargo\", \"fmt\"]`";

            // Values.
            GlobInSlashes { right } SYNTAX // when path matches /*.pem/
                "a glob between slashes", "not a regex", "write `{right}`";
            SlashInRegex { right } SYNTAX // when path matches /^/etc/
                "a slash inside a regex ends it", "meant as one regex",
                "write `\\/` for a slash that is meant: `{right}`";
            SlashInUrlRegex { right, host } SYNTAX // when url matches /^https://example.com/
                "a slash inside a regex ends it", "meant as one regex",
                "write `domain == \"{host}\"` for a host; in a regex a slash is `\\/`: `{right}`";
            SlashInUnknownRegex {} SYNTAX // when path matches /^/.a b/
                "a slash inside a regex ends it", "ends here", "write `\\/` for each slash that is part of the regex";
            NegatedGlob { right } SYNTAX // when path like !docs/**
                "`!` in front of a glob", "not in quotes", "write `{right}`";
            BareList { right } SYNTAX // [src/**, lib/**]
                "globs without quotes", "not quoted", "write `{right}`";
            MissingElement {} SYNTAX // [and]
                "missing element", "expected a value here", "write `\"…\"`";
            MissingValue { after, example } SYNTAX // when a ==
                "missing value after `{after}`", "expected a value here", "write `{example}`";
            BarePath { after, right } SYNTAX // when writes under /etc
                "a path without quotes after `{after}`", "not quoted", "write `{right}`";
            BarePathInList { right } SYNTAX // [/etc]
                "a path without quotes in a list", "not quoted", "write `{right}`";
            BareText { after, right } SYNTAX // when writes under ~/a
                "text without quotes after `{after}`", "not quoted", "write `{right}`";
            TextInBackticks { what, right } FOREIGN_OPERATOR // deny `No.`
                "{what} in backticks", "not in quotes", "write `{right}`";
            BareString { what, right } SYNTAX // deny No
                "{what} without quotes", "not quoted", "write `{right}`";
            BareLongString { what } SYNTAX // the same, too long to be shown
                "{what} without quotes", "not quoted", "put it in double quotes";
            PrefixedString { word } FOREIGN_OPERATOR // deny f"No."
                "`{word}` in front of a string", "a string takes no prefix",
                "delete it: `{{field}}` inserts a value as it is";
            HereDocument { what } FOREIGN_OPERATOR // deny <<EOF
                "{what} as a here-document", "syntax of a shell",
                "write `\"…\"`, or `\"\"\"…\"\"\"` over several lines";
            MissingString { what, found, form } SYNTAX // notify
                "expected {what}, found {found}", "expected {what} here", "write `{form}`";
            NotAKey { found } SYNTAX // { =: 1 }
                "expected a key, found {found}", "not a key",
                "write `key: value`, and separate the entries with commas";
            ForeignColon { mark } FOREIGN_OPERATOR // { a = 1 }
                "expected `:` after a key, found `{mark}`", "expected `:`", "write `:`";
            MissingColon {} SYNTAX // { a 1 }
                "missing colon in a map", "expected `:` here", "write `key: value`";
            KeyWithoutValue {} SYNTAX // { a: }
                "missing value after a key", "expected a value here", "write `key: value`";
            LeadingComma {} SYNTAX // [, 1]
                "unexpected comma", "nothing to separate", "delete it";
            BetweenElements { mark } FOREIGN_OPERATOR // [1; 2]
                "expected `,` between elements, found `{mark}`", "separate elements with `,`", "write `,`";
            NotAnElement { found } SYNTAX // [= 1]
                "expected an element, found {found}", "not an element", "separate the elements with commas";
            MissingComma {} SYNTAX // [1 2]
                "missing comma between elements", "expected `,` here", "write `,`";
            DigitGroups { right } BAD_VALUE // 1_000_000
                "a number with `_` in it", "syntax of another language", "write `{right}`";
            UnknownUnit { unit } BAD_VALUE // 5 parsecs
                "unknown unit `{unit}`", "not a unit",
                "a duration ends in `ms`, `s`, `m` or `h`, a size in `KB`, `MB` or `GB`; a number has no unit";
            SpacedUnit { unit, right } BAD_VALUE // 5 minutes
                "`{unit}` behind a number", "a number and its unit are one word", "write `{right}`";
            MeasureInWords { written, right } SYNTAX // when size of content > 8KB
                "`{written}` in a condition", "a number about a value", "write `{right}`";
            PlaceInWords { written, right } SYNTAX // where first operand == "a"
                "`{written}` in a condition", "operands are counted from 1", "write `{right}`";
            OperandAsValue { written } SYNTAX // where operand 1 == operand 2
                "`{written}` as a value", "an operand by its place is on the left of a comparison alone",
                "write the word that is meant, or `operands` for any of them, as in `file_exists operands`";
            CountOfSomeFiles { verb, files, number } SYNTAX // when count deletes like "a" > 5
                "`count {verb}` of some files", "nothing counts a part of the files",
                "decide on one: `{files}` for any of them, `{number}` for all files together";
            CountOfCommands {} SYNTAX // when count runs "rm" > 5
                "`count` of commands", "counts values, files and events, not commands",
                "count the operands of one: `runs \"rm\" where count operands > 5`; calls of a session are events of a mark: `count NAME within 1h > 5`";
            ForeignUnit { unit, right } BAD_VALUE // 5sec
                "unknown unit `{unit}`", "not a unit", "write `{right}`";
            NotWhole { written, unit } BAD_VALUE // 1.5m
                "`{written}` is not a whole number of `{unit}`", "not a whole number",
                "use a whole number: `90s` instead of `1.5m`, `500KB` instead of `0.5MB`";
            OutOfRange { written } BAD_VALUE // 99999999999999999999h
                "`{written}` is out of range", "too large", "write a smaller number";
            UnknownEscape { escape } SYNTAX // "\d"
                "unknown escape `{escape}`", "not an escape",
                "double the backslash, or use '…', where a backslash is plain text";
            UnicodeEscape { escape, right } SYNTAX // "\u00e9"
                "unknown escape `{escape}`", "not an escape", "write `{right}`";
            BackslashInPath { escape, right } SYNTAX // "src\lib"
                "unknown escape `{escape}`", "not an escape", "write `{right}`: a path has slashes on every system";
            EscapeForRaw { escape, right } SYNTAX // "\d", where '…' would do
                "unknown escape `{escape}`", "not an escape",
                "write `{right}`, where a backslash is plain text, or double the backslash";
        }
    };
}
