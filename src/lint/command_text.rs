//! Finds tests of a command's text where its commands should be tested: `command contains "rm -rf"`.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::comparison::{SourceComparison, visit_tests};
use super::sources::compared_texts;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, DerivedField, Effect, PolicyValue, Rule, ValueReference, ValueTest,
};
use crate::syntax::ast::Operator;
use crate::syntax::format_one_or_list;
use crate::verdict::Decision;
use hookrules_shell::Pattern;
use hookrules_shell::programs::program;

pub(super) const LINT: Lint = Lint { codes: &[Code::SUBSTRING_GUARD, Code::RAW_COMMAND_REGEX], check };

/// Reports the first test of the text or a part of it, and the first regex. Further tests of the rule are not reported:
/// whoever corrects the first one will correct them too.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_allow && !rule.can_block || is_unparsed(rule) {
        return;
    }
    // A rule that only asks is a reminder, which may be easy to evade; a denial or an `allow` must not be.
    let is_strict = rule.can_allow || can_deny(rule);
    let (mut evadable, mut regex) = (None, None);
    for (clause, is_unless) in [(&rule.when, false), (&rule.unless, true)] {
        let Some(condition) = clause else { continue };
        condition.visit_tests(&mut |test, is_negated| {
            let is_exception = is_negated != is_unless;
            // Whether the compared text exempts a call from the rule: an exception and a `not` cancel each other.
            let tested = text_test(test).map(|(compared, is_negated_test)| (compared, is_exception != is_negated_test));
            match tested {
                // An exact regex that lets calls through matches only that one text. Any other regex leaves open what
                // follows its match.
                Some((compared, exempts)) if is_anchored(compared) && rule.can_allow != exempts => {}
                Some((ValueTest::Matches(_), exempts)) if is_strict && rule.can_allow != exempts => {
                    evadable = evadable.or(Some((test, exempts)));
                }
                Some((ValueTest::Matches(_), exempts)) => regex = regex.or(Some((test, exempts))),
                Some((compared, exempts))
                    if is_partial_match(compared) || (is_whole_match(compared) && !rule.can_allow && !exempts) =>
                {
                    evadable = evadable.or(Some((test, exempts)));
                }
                _ => {}
            }
        });
    }
    if let Some((test, is_exception)) = evadable.filter(|_| is_strict) {
        findings.push(finding(written, rule, test, is_exception));
    }
    // A regex that lets calls through is the worse mistake, and whoever corrects it corrects this one too.
    let is_reported = evadable.is_some_and(|(test, _)| matches!(text_test(test), Some((ValueTest::Matches(_), _))));
    if let Some((test, is_exception)) = regex.filter(|_| !is_reported) {
        let finding = Diagnostic::new(Code::RAW_COMMAND_REGEX, "a regex on the text of a command")
            .label(test.span, "other spellings evade this, and quoted words trigger it");
        let verb = CommandVerb::from_rule(rule, is_exception);
        findings.push(match command_test_of_regex(written, verb, test) {
            Some(instead) => {
                finding.help(format!("test the commands: `{instead}`")).fix_that_changes(test.span, instead)
            }
            None => finding.help(match text_test(test) {
                Some((ValueTest::Matches(regex), _)) => shell_shape(regex.pattern()).help(),
                _ => ShellShape::Words.help(),
            }),
        });
    }
}

/// The help if only the author knows which commands are meant.
const NAMED: &str = "name the program, and test its words or its files: `runs \"…\" where operands == \"…\"`, `deletes \
                     outside \"…\"`; for an allow `only runs \"…\"`";

/// The help for a test that lets calls through.
const ONLY: &str = "ask it of every command, with its words written out: `only runs [\"git status\", \"ls *\"]`";

/// The help for a test that lets calls through, in a rule with an `only runs`.
const BESIDE_ONLY: &str = "delete it: the patterns of the `only runs` say which words may follow; behind a script any \
                           may with `*` and `@allow(star-for-script, \"…\")`";

/// Whether `only runs` is a condition of a rule.
fn has_only_runs(rule: &Rule) -> bool {
    let mut found = false;
    visit_tests(rule, &mut |seen| {
        found |= !seen.is_exception && matches!(seen.test.kind, ConditionExpr::Command(CommandTest::OnlyRuns { .. }));
    });
    found
}

/// The test of commands that should replace a test of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommandVerb {
    /// `runs`: one matching command is enough.
    Runs,
    /// `only runs`: every command must match, because a match lets the call through.
    OnlyRuns,
}

impl CommandVerb {
    /// Returns the verb that replaces a test. A match lets the call through if the test is in an `allow`, or is an
    /// exception of a guard.
    fn from_rule(rule: &Rule, is_exception: bool) -> Self {
        if rule.can_allow == is_exception { Self::Runs } else { Self::OnlyRuns }
    }
}

/// Returns the finding about a test that can be evaded, with a replacement if the compared texts determine one.
fn finding(written: &SourceTexts<'_>, rule: &Rule, test: &Condition, is_exception: bool) -> Diagnostic {
    let verb = CommandVerb::from_rule(rule, is_exception);
    let tested = text_test(test).map(|(compared, _)| compared);
    let has_literal_star = tested.is_some_and(|compared| {
        is_whole_match(compared) && whole_text_values(compared).iter().any(|text| text.contains('*'))
    });
    // A test of a part of the text leaves the rest open: anything may be before or after that part.
    let is_open = tested.is_some_and(|compared| !is_whole_match(compared));
    let label = match verb {
        _ if has_literal_star => "compares the whole text, and `*` is a letter here",
        CommandVerb::OnlyRuns if is_open => "lets through whatever else is in the text: `…; rm -r x`",
        _ => "quotes, the order of flags and wrappers evade this",
    };
    let message = match (verb, rule.can_allow) {
        (CommandVerb::OnlyRuns, false) => "an exception by the text of a command",
        (CommandVerb::OnlyRuns, true) if is_open => "an `allow` by the text of a command",
        _ => "a guard on the text of a command",
    };
    let finding = Diagnostic::new(Code::SUBSTRING_GUARD, message).label(test.span, label);
    let instead = match tested {
        Some(ValueTest::Matches(_)) => command_test_of_regex(written, verb, test),
        _ => written.comparison(test).and_then(|comparison| command_test(verb, &comparison)),
    };
    let in_pattern = tested.filter(|_| verb == CommandVerb::OnlyRuns && !rule.can_allow);
    if let Some(right) = in_pattern.and_then(|test| pattern_without_flag(rule, test)) {
        return finding.help(format!("write it into the pattern: `{right}`"));
    }
    match instead {
        Some(instead) => finding.help(format!("test the commands: `{instead}`")).fix_that_changes(test.span, instead),
        None if verb == CommandVerb::OnlyRuns && has_only_runs(rule) => finding.help(BESIDE_ONLY),
        None if verb == CommandVerb::OnlyRuns && !has_literal_star => finding.help(ONLY),
        None => finding.help(match tested.map(compared_texts) {
            Some(texts) if !texts.is_empty() && texts.iter().all(|text| is_file(text)) => {
                "test the files: `reads`, `writes` or `deletes` with `like`, whatever the command is"
            }
            Some(texts) if !texts.is_empty() => match shell_shape(texts.first().copied().unwrap_or_default()) {
                ShellShape::Words => NAMED,
                shape => shape.help(),
            },
            _ => NAMED,
        }),
    }
}

/// Returns the only pattern of a rule, extended by the option that an exception looks for in the text: `runs "git push
/// !--dry-run"` replaces `unless command contains "--dry-run"`.
fn pattern_without_flag(rule: &Rule, exception: &ValueTest) -> Option<String> {
    let texts = compared_texts(exception);
    let [flag] = texts.as_slice() else { return None };
    let flag = flag.trim();
    let is_flag =
        flag.starts_with('-') && flag.len() > 1 && flag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let mut patterns: Vec<&str> = Vec::new();
    visit_tests(rule, &mut |seen| {
        if let ConditionExpr::Command(CommandTest::Runs { patterns: own, .. }) = &seen.test.kind
            && !seen.is_exception
        {
            patterns.extend(own.iter().map(Pattern::text));
        }
    });
    let [pattern] = patterns.as_slice() else { return None };
    let words = pattern.trim_end_matches('*').trim_end();
    (is_flag && !words.is_empty()).then(|| format!("runs \"{words} !{flag}\""))
}

/// What a shell text, or a regex on shell texts, describes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShellShape {
    /// The definition of a function: `:(){ :|:& };:`.
    Function,
    /// A pipe: `curl x | sh`.
    Pipe,
    /// A redirection to a file: `> /dev/sda`.
    Redirection,
    /// A command in a directory: `cd a && b`.
    InDirectory,
    /// Several commands: `a && b`.
    SeveralCommands,
    /// The words of one command.
    Words,
}

impl ShellShape {
    /// Returns the help: how the policy language tests a text of this kind.
    fn help(self) -> &'static str {
        match self {
            Self::Function => "no test of commands sees the shape of a function: keep it, with `@allow`",
            Self::Pipe => "test what flows where: `pipes \"curl|wget\" into \"sh|bash\"`",
            Self::Redirection => "test the files that are written: `writes like \"/dev/sd*\"`, `writes under \"/etc\"`",
            Self::InDirectory => "a directory is a property of a command: `runs \"a\" where cwd under \"dir\"`",
            Self::SeveralCommands => "test each command: `runs \"a\" and runs \"b\"`",
            Self::Words => "test the commands: `runs \"git push --force\"`, with `where` for their words",
        }
    }
}

/// Returns what a shell text, or a regex on shell texts, describes.
fn shell_shape(text: &str) -> ShellShape {
    let plain: String =
        text.replace("\\s", " ").chars().filter(|c| !matches!(c, '\\' | '*' | '+' | '?' | ' ')).collect();
    let has_pipe = |text: &str| text.contains("\\|") || text.contains("[|") || text.contains(" | ");
    if plain.contains("(){") {
        ShellShape::Function
    } else if plain.contains("&&") && text.trim_start_matches('^').trim_start().starts_with("cd") {
        ShellShape::InDirectory
    } else if plain.contains("&&") {
        ShellShape::SeveralCommands
    } else if has_pipe(text) {
        ShellShape::Pipe
    } else if plain.contains(">/") || plain.trim_start_matches('^').starts_with('>') {
        ShellShape::Redirection
    } else {
        ShellShape::Words
    }
}

/// Whether a text looks like a file name rather than the words of a command.
fn is_file(text: &str) -> bool {
    let name = text.trim_matches([' ', '*', '"', '\'']);
    let is_one = !name.is_empty() && !name.contains(char::is_whitespace) && !name.starts_with('-');
    is_one && !name.contains("://") && (name.starts_with('.') || name.contains('/') || name.contains('.'))
}

/// Returns the test of commands with the intended meaning of a test of the text. `None` if its texts are not words that
/// begin with a known program.
fn command_test(verb: CommandVerb, comparison: &SourceComparison) -> Option<String> {
    let is_whole = matches!(comparison.operator, Operator::Equal | Operator::NotEqual | Operator::In);
    let patterns = comparison.texts.as_ref()?.iter().map(|text| command_pattern(&text.text, is_whole));
    build_test(verb, comparison, &patterns.collect::<Option<Vec<_>>>()?)
}

/// Like [`command_test`], for a regex that consists only of words and white space.
fn command_test_of_regex(written: &SourceTexts<'_>, verb: CommandVerb, test: &Condition) -> Option<String> {
    let Some((ValueTest::Matches(regex), _)) = text_test(test) else { return None };
    let comparison = written.comparison(test).filter(|it| it.regex.is_some())?;
    let hir = written.regex(regex.pattern())?;
    let mut text = String::new();
    collect_words(&hir, &mut text)?;
    build_test(verb, &comparison, &[command_pattern(&text, false)?])
}

/// Returns a test with these command patterns; `None` if the comparison has `all`.
fn build_test(verb: CommandVerb, comparison: &SourceComparison, patterns: &[String]) -> Option<String> {
    let (verb, suffix) = match verb {
        CommandVerb::OnlyRuns => ("only runs", " *"),
        CommandVerb::Runs => ("runs", ""),
    };
    let patterns: Vec<String> = patterns.iter().map(|pattern| format!("{pattern}{suffix}")).collect();
    (!comparison.all).then(|| format!("{}{verb} {}", comparison.negation_prefix(), format_one_or_list(&patterns)))
}

/// Appends the words that a regex consists of, without assertions around them; `None` if it contains anything else.
fn collect_words(hir: &Hir, text: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Look(Look::Start | Look::WordAscii | Look::WordUnicode) => {}
        HirKind::Class(_) if is_blank(hir) => text.push(' '),
        HirKind::Repetition(repetition) if repetition.min == 1 && is_blank(&repetition.sub) => text.push(' '),
        HirKind::Capture(capture) => collect_words(&capture.sub, text)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| collect_words(part, text).ok_or(())).ok()?,
        _ => return None,
    }
    Some(())
}

/// Whether a part of a regex matches only white space.
fn is_blank(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => &*literal.0 == b" ",
        HirKind::Class(Class::Unicode(class)) => {
            class.iter().all(|range| range.start().is_whitespace() && range.end().is_whitespace())
        }
        _ => false,
    }
}

/// Returns the pattern for commands that begin with this text; `None` if the text does not begin with a known program,
/// or if its last word may be incomplete.
fn command_pattern(text: &str, is_whole: bool) -> Option<String> {
    let words: Vec<&str> = text.trim_matches('*').split_whitespace().collect();
    let (first, last) = (words.first()?, words.last()?);
    let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || "_./:@=+,-".contains(c));
    // The text may end within a word, but a pattern matches whole words.
    let is_complete = is_whole || last.starts_with('-') || last.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let pattern = words.join(" ");
    let is_certain = is_complete && words.iter().all(is_word) && program(first).is_some();
    (is_certain && Pattern::new(&pattern).is_ok()).then_some(pattern)
}

/// Whether a rule can deny: by its vote, or by a command whose failure denies.
fn can_deny(rule: &Rule) -> bool {
    rule.effects.iter().any(|effect| match effect {
        Effect::Run(run) => run.is_gate(),
        other => other.decision() >= Some(Decision::Deny),
    })
}

/// Whether a rule selects only PowerShell, whose texts `runs` cannot parse.
fn is_unparsed(rule: &Rule) -> bool {
    let only = |selector: &crate::ruleset::EventSelector| {
        let list = selector.subjects.as_ref();
        list.is_some_and(|list| !list.includes.is_empty() && list.includes.iter().all(|name| name == "PowerShell"))
    };
    !rule.head.events.is_empty() && rule.head.events.iter().all(only)
}

/// Returns the test if a condition tests a command's text, and whether it is negated; `None` for any other condition.
fn text_test(condition: &Condition) -> Option<(&ValueTest, bool)> {
    let ConditionExpr::Compare { source, test, negated, .. } = &condition.kind else { return None };
    is_command(source).then_some((test, *negated))
}

/// Whether the values of a source are the texts of shell commands.
pub(super) fn is_command(source: &ValueReference) -> bool {
    match source {
        ValueReference::Derived(DerivedField::Command) => true,
        ValueReference::Raw { path, .. } => path.iter().map(String::as_str).eq(["tool_input", "command"]),
        ValueReference::JsonPath(path) => matches!(path.text.as_str(), "$.tool_input.command" | "$..command"),
        _ => false,
    }
}

/// Whether a test is true if a part of the text matches.
fn is_partial_match(test: &ValueTest) -> bool {
    match test {
        ValueTest::Contains(_) | ValueTest::StartsWith(_) | ValueTest::EndsWith(_) => true,
        ValueTest::LikeText(globs) => globs.patterns().any(|glob| has_wildcard(glob) && glob.contains(|c| c != '*')),
        _ => false,
    }
}

/// Whether a regex matches exactly one whole text: `^git status$`.
fn is_anchored(test: &ValueTest) -> bool {
    let ValueTest::Matches(regex) = test else { return false };
    let inner = regex.pattern().strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    inner.is_some_and(|inner| !inner.contains(['.', '[', '\\', '|', '*', '+', '?', '(']))
}

/// Whether a test compares the whole text with literal texts.
fn is_whole_match(test: &ValueTest) -> bool {
    match test {
        ValueTest::LikeText(globs) => !globs.patterns().any(has_wildcard),
        _ => !whole_text_values(test).is_empty(),
    }
}

/// Returns the literal texts that the whole text is compared with by `==` or `in`; empty for any other test.
fn whole_text_values(test: &ValueTest) -> Vec<&str> {
    let values = match test {
        ValueTest::Equal(value) => std::slice::from_ref(value),
        ValueTest::In(values) => values.as_slice(),
        _ => &[],
    };
    values.iter().filter_map(PolicyValue::as_text).collect()
}

fn has_wildcard(glob: &str) -> bool {
    glob.contains(['*', '?', '['])
}
