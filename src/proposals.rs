//! Proposes values and commands that may satisfy a test, derived only from its text. Only judging a proposal shows
//! whether a rule then matches.

use std::path::Path;

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Number, Value as Json};

use crate::domain::HostRange;
use crate::ruleset::{
    Condition, ConditionExpr, DirOperand, HostTest, Literal, Measure, OrderOperator, Patterns, PolicyValue,
    ValueReference, ValueTest, WhereField,
};
use crate::syntax::ast::{FileVerb, OperandPosition};
use crate::time::Weekday;
use hookrules_shell::quote::quote_unless;

/// The maximum number of proposals from one list of values or patterns.
const MAX_PROPOSALS: usize = 4;

/// The length in bytes above which building a text for a regex is abandoned.
const MAX_REGEX_TEXT: usize = 200;

/// The maximum length in bytes of a text for `length F`.
const MAX_TEXT_LENGTH: usize = 400;
/// The maximum number of elements or files for `count F`.
const MAX_LIST_LENGTH: usize = 50;

/// The text that is proposed where any text satisfies the test.
const ANY_TEXT: &str = "x";

/// Returns values that satisfy a test. If the member has a text now, values that extend this text come first; `home`
/// and `project` are the directories that `under` may name.
pub(crate) fn satisfying_values(
    test: &ValueTest,
    now: Option<&str>,
    home: Option<&Path>,
    project: Option<&Path>,
) -> Vec<Json> {
    let with_extended = |text: String, joined: String| match now {
        Some(_) => vec![Json::from(joined), Json::from(text)],
        None => vec![Json::from(text)],
    };
    let now_text = now.unwrap_or_default();
    match test {
        ValueTest::Equal(value) => literal_json(value).into_iter().collect(),
        ValueTest::In(values) => values.iter().filter_map(literal_json).take(MAX_PROPOSALS).collect(),
        ValueTest::Order(order, value) => value_in_order(*order, value).into_iter().collect(),
        ValueTest::Contains(value) => literal_text(value)
            .map(|part| with_extended(part.clone(), format!("{now_text} {part}")))
            .unwrap_or_default(),
        ValueTest::StartsWith(value) => {
            literal_text(value).map(|part| with_extended(part.clone(), format!("{part}{now_text}"))).unwrap_or_default()
        }
        ValueTest::EndsWith(value) => {
            literal_text(value).map(|part| with_extended(part.clone(), format!("{now_text}{part}"))).unwrap_or_default()
        }
        ValueTest::LikeText(globs) => texts_for_globs(globs.patterns()),
        ValueTest::LikePath(globs) => texts_for_globs(globs.patterns()),
        ValueTest::Matches(regex) => text_for_regex(regex.pattern()).map(Json::from).into_iter().collect(),
        ValueTest::Under(dirs) => {
            dirs.iter().filter_map(|dir| path_in_dir(dir, home, project)).take(MAX_PROPOSALS).collect()
        }
        ValueTest::Outside(_) => vec![Json::from("/elsewhere/x")],
        ValueTest::InTime(range) => vec![Json::from(range.from.to_string())],
        // Which values satisfy it depends on the event.
        ValueTest::LikeFilled(_) => Vec::new(),
    }
}

/// Returns values that do not satisfy a test; `None` means that the member is absent.
pub(crate) fn failing_values(test: &ValueTest) -> Vec<Option<Json>> {
    let other = match test {
        ValueTest::Order(..) => Json::from(0),
        ValueTest::Outside(_) => Json::from("x"),
        ValueTest::InTime(range) => Json::from(range.to.on_a_clock().to_string()),
        _ => Json::from(other_text(test)),
    };
    vec![None, Some(other)]
}

/// Returns a text that differs from all texts that the test compares with: another day if these are days.
fn other_text(test: &ValueTest) -> &'static str {
    let compared: Vec<&str> = match test {
        ValueTest::Equal(value) => value.as_text().into_iter().collect(),
        ValueTest::In(values) => values.iter().filter_map(PolicyValue::as_text).collect(),
        _ => Vec::new(),
    };
    let is_of_days = compared.first().is_some_and(|first| Weekday::from_name(first).is_some());
    let other_day = Weekday::NAMES.iter().copied().find(|day| !compared.contains(day));
    other_day.filter(|_| is_of_days).unwrap_or("other")
}

/// Returns the text of a literal; `None` for any other value.
fn literal_text(value: &PolicyValue) -> Option<String> {
    match value {
        PolicyValue::Literal(Literal::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Returns a literal as JSON; `None` for a value that only an event determines.
fn literal_json(value: &PolicyValue) -> Option<Json> {
    match value {
        PolicyValue::Literal(literal) => to_json(literal),
        PolicyValue::Source(_) | PolicyValue::FileName(_) => None,
    }
}

/// Converts a literal to JSON.
fn to_json(literal: &Literal) -> Option<Json> {
    Some(match literal {
        Literal::Text(text) => Json::from(text.as_str()),
        Literal::Number(number) => json_number(*number)?,
        Literal::Boolean(truth) => Json::from(*truth),
    })
}

/// Converts a number to JSON, as an integer if it has no fraction.
pub(crate) fn json_number(number: f64) -> Option<Json> {
    let written = format!("{number}");
    written.parse::<i64>().map(Json::from).ok().or_else(|| Number::from_f64(number).map(Json::Number))
}

/// Returns a text of the given length, for `length F`; `None` if it would be too long.
pub fn text_of_length(length: &Json) -> Option<Json> {
    let length = usize::try_from(length.as_u64()?).ok().filter(|length| *length <= MAX_TEXT_LENGTH)?;
    Some(Json::from(ANY_TEXT.repeat(length)))
}

/// Returns a list with the given number of elements, for `count F`; `None` if it would be too long.
pub fn list_of_length(length: &Json) -> Option<Json> {
    let length = usize::try_from(length.as_u64()?).ok().filter(|length| *length <= MAX_LIST_LENGTH)?;
    Some(vec![Json::from(ANY_TEXT); length].into())
}

/// Returns a command that accesses the given number of files, for `count deletes`; `None` for no file or too many.
pub fn command_for_files(verb: FileVerb, count: &Json) -> Option<String> {
    let count = count.as_u64().filter(|count| (1..=MAX_LIST_LENGTH as u64).contains(count))?;
    let files: Vec<String> = (1..=count).map(|number| format!("{ANY_TEXT}{number}")).collect();
    Some(command_for_access(verb, &files.join(" ")))
}

/// Returns a number that satisfies a comparison such as `< 5`.
fn value_in_order(order: OrderOperator, value: &PolicyValue) -> Option<Json> {
    let PolicyValue::Literal(Literal::Number(number)) = value else { return None };
    json_number(match order {
        OrderOperator::Less => number - 1.0,
        OrderOperator::LessEqual | OrderOperator::GreaterEqual => *number,
        OrderOperator::Greater => number + 1.0,
    })
}

/// Returns a path in a directory; `None` if the directory is unknown or depends on the event.
fn path_in_dir(dir: &DirOperand, home: Option<&Path>, project: Option<&Path>) -> Option<Json> {
    let directory = match dir {
        DirOperand::Project => project?.to_path_buf(),
        DirOperand::Home => home?.to_path_buf(),
        DirOperand::Tmp => "/tmp".into(),
        DirOperand::Literal(path) => path.clone(),
        DirOperand::Source(_) | DirOperand::Filled(_) => return None,
    };
    Some(Json::from(directory.join(ANY_TEXT).to_string_lossy().into_owned()))
}

/// Returns a text for each glob that is not negated.
fn texts_for_globs<'g>(globs: impl Iterator<Item = &'g str>) -> Vec<Json> {
    globs
        .filter(|glob| !glob.starts_with('!'))
        .take(MAX_PROPOSALS)
        .map(|glob| Json::from(text_for_glob(glob)))
        .collect()
}

/// Returns a text that a glob matches: `x.pem` for `**/*.pem`.
pub(crate) fn text_for_glob(glob: &str) -> String {
    let mut out = String::new();
    let mut chars = glob.chars().peekable();
    // Of `{a,b}`, the first alternative is taken: the rest, from the comma to the closing brace, is skipped.
    let mut open_braces = 0_usize;
    while let Some(c) = chars.next() {
        match c {
            '*' if chars.peek() == Some(&'*') => {
                chars.next();
                if chars.peek() == Some(&'/') {
                    chars.next();
                } else {
                    out.push_str(ANY_TEXT);
                }
            }
            '*' | '?' => out.push_str(ANY_TEXT),
            '[' => {
                let class: String = chars.by_ref().take_while(|c| *c != ']').collect();
                let is_negated = class.starts_with(['!', '^']);
                out.push(if is_negated { '_' } else { class.chars().next().unwrap_or('_') });
            }
            '{' => open_braces += 1,
            ',' if open_braces > 0 => {
                let mut depth = 1_usize;
                for c in chars.by_ref() {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                }
                open_braces -= 1;
            }
            '}' if open_braces > 0 => open_braces -= 1,
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}

/// Returns a text that a regex probably matches; `None` if it would be long or empty.
fn text_for_regex(pattern: &str) -> Option<String> {
    let mut out = String::new();
    append_match(&regex_syntax::parse(pattern).ok()?, &mut out)?;
    (!out.is_empty()).then_some(out)
}

/// Appends a text that a part of a regex matches; `None` if there is none, or it would be too long.
fn append_match(hir: &Hir, out: &mut String) -> Option<()> {
    if out.len() > MAX_REGEX_TEXT {
        return None;
    }
    match hir.kind() {
        // Assertions such as word boundaries are ignored: they hold only if the surrounding text happens to fit.
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let contains =
                |wanted: char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&wanted));
            let readable = ['x', 'a', '1', ' ', '-', '/'].into_iter().find(|c| contains(*c));
            out.push(readable.or_else(|| class.ranges().first().map(|range| range.start()))?);
        }
        HirKind::Class(Class::Bytes(class)) => out.push(char::from(class.ranges().first()?.start())),
        HirKind::Repetition(repetition) => {
            // The fewest repetitions that the regex allows.
            for _ in 0..repetition.min {
                append_match(&repetition.sub, out)?;
            }
        }
        HirKind::Capture(capture) => append_match(&capture.sub, out)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| append_match(part, out))?,
        HirKind::Alternation(parts) => append_match(parts.first()?, out)?,
    }
    Some(())
}

/// Returns commands that match the patterns and may satisfy the filter of `where`. If there is a command now, some of
/// the proposals extend it.
pub(crate) fn commands(patterns: &Patterns, filter: Option<&ConditionExpr>, now: Option<&str>) -> Vec<String> {
    let (before, after) = filter.map(words_around_command).unwrap_or_default();
    let mut out = Vec::new();
    for pattern in patterns.iter().take(MAX_PROPOSALS * 2) {
        let words = pattern_words(&pattern.text_of_look());
        let Some(program) = words.first() else { continue };
        let mut proposed = before.clone();
        proposed.extend(words.iter().cloned());
        proposed.extend(after.iter().cloned());
        let whole = proposed.join(" ");
        if let Some(now) = now.filter(|now| !now.trim().is_empty()) {
            // If the present command runs the program, adds only the words that it lacks.
            let has = |word: &String| now.split_whitespace().any(|known| known == word);
            let missing: Vec<&String> = words.iter().chain(&after).filter(|word| !has(word)).collect();
            if has(program) {
                let mut longer = before.clone();
                longer.push(now.trim().to_owned());
                longer.extend(missing.into_iter().cloned());
                out.push(longer.join(" "));
                if let Some((rest, last)) = now.trim().rsplit_once(' ') {
                    let edited = filter.and_then(|filter| edit_last_word(filter, last));
                    out.extend(edited.map(|word| format!("{rest} {word}")));
                }
            }
            out.push(whole.clone());
            out.push(format!("{} && {whole}", now.trim()));
        } else {
            out.push(whole);
        }
    }
    out
}

/// Returns commands that the patterns match, one for each alternative, and commands that they exclude, one for each
/// word after `!`.
pub(crate) fn every_command(patterns: &Patterns) -> (Vec<String>, Vec<String>) {
    let (mut matching, mut excluded) = (Vec::new(), Vec::new());
    for pattern in patterns.iter() {
        let words = split_pattern(pattern.text());
        let simplest = pattern_words(&pattern.text_of_look()).join(" ");
        matching.push(simplest.clone());
        for (index, word) in words.iter().enumerate() {
            let (is_excluded, word_text) = word.strip_prefix('!').map_or((false, word.as_str()), |rest| (true, rest));
            let (head, alternatives) = match word_text.split_once('(') {
                Some((head, rest)) => (head, rest.split_once(')').map_or(rest, |(inner, _)| inner)),
                None => ("", word_text),
            };
            if !is_excluded && !alternatives.contains('|') {
                continue;
            }
            for alternative in alternatives
                .split('|')
                .map(|alternative| text_for_glob(&format!("{head}{alternative}")))
                .filter(|alternative| !alternative.is_empty())
            {
                if is_excluded {
                    excluded.push(format!("{simplest} {}", if alternative == "*" { ANY_TEXT } else { &alternative }));
                } else {
                    let others = words.iter().enumerate().filter_map(|(other, word)| match other == index {
                        true => Some(alternative.clone()),
                        false => pattern_words(word).into_iter().next(),
                    });
                    matching.push(others.collect::<Vec<_>>().join(" "));
                }
            }
        }
    }
    (matching, excluded)
}

/// Returns a pipeline from the first pattern of `from` into the first pattern of `into`.
pub(crate) fn piped_command(from: &Patterns, into: &Patterns) -> Option<String> {
    let first =
        |patterns: &Patterns| patterns.iter().next().map(|pattern| pattern_words(&pattern.text_of_look()).join(" "));
    Some(format!("{} | {}", first(from)?, first(into)?))
}

/// Returns the words of the simplest command that a pattern matches: the first alternative of each group, and no
/// optional words.
fn pattern_words(pattern: &str) -> Vec<String> {
    let written = |word: &String| {
        if word.starts_with('!') || word == "*" || word.is_empty() {
            return None;
        }
        let (head, group) = match word.split_once('(') {
            Some((head, rest)) => (head, rest.split_once(')').map_or(rest, |(group, _)| group)),
            None => ("", word.as_str()),
        };
        let first = group.split('|').next().unwrap_or_default();
        Some(text_for_glob(&format!("{head}{first}")))
    };
    split_pattern(pattern).iter().filter_map(written).collect()
}

/// Splits a pattern at the white space outside parentheses.
fn split_pattern(pattern: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut depth = 0_usize;
    for c in pattern.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && depth == 0 {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words
}

/// Returns words to put before and after a command so that a filter may be true for it.
fn words_around_command(filter: &ConditionExpr) -> (Vec<String>, Vec<String>) {
    let mut words = (Vec::new(), Vec::new());
    collect_words(filter, &mut words);
    words
}

/// Returns commands that match the first pattern and for which one comparison of the filter is just true or just false:
/// a value at its limit, another value, or the value at another position among the operands.
pub(crate) fn commands_at_limits(patterns: &Patterns, filter: &Condition) -> Vec<String> {
    let Some(pattern) = patterns.iter().next() else { return Vec::new() };
    let words = pattern_words(&pattern.text_of_look());
    let mut comparisons = Vec::new();
    filter.visit_tests(&mut |test, _| {
        if let ConditionExpr::Compare { source, test, .. } = &test.kind {
            comparisons.push((source, test));
        }
    });
    let mut out = Vec::new();
    for (at, (source, test)) in comparisons.iter().enumerate() {
        let satisfying = satisfying_values(test, None, None, None).into_iter();
        let values: Vec<Json> =
            satisfying.chain(limit_values(test)).chain(failing_values(test).into_iter().flatten()).collect();
        for value in values.iter().take(MAX_LIMITS) {
            let mut around = (Vec::new(), Vec::new());
            for (_, (source, test)) in comparisons.iter().enumerate().filter(|(other, _)| *other != at) {
                if let Some(value) = satisfying_values(test, None, None, None).first() {
                    place_value(source, value, &mut around);
                }
            }
            place_value(source, value, &mut around);
            let (before, after) = around;
            let joined = |after: &[String]| [before.as_slice(), words.as_slice(), after].concat().join(" ");
            out.push(joined(&after));
            if matches!(source, ValueReference::Where(WhereField::Operand(_))) {
                out.push(joined(&[after.clone(), vec![ANY_TEXT.to_owned()]].concat()));
                out.push(joined(&[vec![ANY_TEXT.to_owned()], after].concat()));
            }
        }
    }
    out
}

/// The maximum number of values that are tried for one comparison of a filter.
const MAX_LIMITS: usize = 6;

/// Returns the numbers around the bound of a comparison such as `> 5`.
pub(crate) fn limit_values(test: &ValueTest) -> Vec<Json> {
    let ValueTest::Order(_, PolicyValue::Literal(Literal::Number(number))) = test else { return Vec::new() };
    [-1.0, 0.0, 1.0].iter().filter_map(|more| json_number(number + more)).collect()
}

/// Adds the words that give what a comparison tests this value.
fn place_value(source: &ValueReference, value: &Json, words: &mut (Vec<String>, Vec<String>)) {
    match source {
        ValueReference::Measured(measure) => add_measured(measure, value, words),
        ValueReference::Where(field) => {
            if let Some(text) = value.as_str() {
                place_where_value(field, &quote_word(text), words);
            }
        }
        _ => {}
    }
}

/// Adds the words that a part of a filter requires before or after the command.
fn collect_words(filter: &ConditionExpr, words: &mut (Vec<String>, Vec<String>)) {
    match filter {
        ConditionExpr::And(parts) => parts.iter().for_each(|part| collect_words(&part.kind, words)),
        ConditionExpr::Or(parts) => parts.iter().take(1).for_each(|part| collect_words(&part.kind, words)),
        ConditionExpr::Def(inner) => collect_words(&inner.kind, words),
        ConditionExpr::Exists(ValueReference::Where(field)) => place_where_value(field, ANY_TEXT, words),
        ConditionExpr::Compare { source: ValueReference::Measured(measure), negated: false, test, .. } => {
            if let Some(number) = satisfying_values(test, None, None, None).first() {
                add_measured(measure, number, words);
            }
        }
        ConditionExpr::Compare { source: ValueReference::Where(field), negated: false, test, .. } => {
            let value = satisfying_values(test, None, None, None).into_iter().next();
            if let Some(text) = value.as_ref().and_then(Json::as_str) {
                // A prefix without letters and digits is an unlikely word, so a letter is appended.
                let is_sign = !text.contains(char::is_alphanumeric);
                let text = if is_sign && matches!(test, ValueTest::StartsWith(_)) {
                    format!("{text}{ANY_TEXT}")
                } else {
                    text.to_owned()
                };
                place_where_value(field, &quote_word(&text), words);
            }
        }
        _ => {}
    }
}

/// Returns the last word of a command, changed so that a filter on operands may be true; `None` if the filter has no
/// such test.
fn edit_last_word(filter: &ConditionExpr, last: &str) -> Option<String> {
    match filter {
        ConditionExpr::And(parts) | ConditionExpr::Or(parts) => {
            parts.iter().find_map(|part| edit_last_word(&part.kind, last))
        }
        ConditionExpr::Def(inner) => edit_last_word(&inner.kind, last),
        ConditionExpr::Compare {
            source:
                ValueReference::Where(
                    WhereField::Args | WhereField::Operands | WhereField::Operand(_) | WhereField::PushTarget,
                ),
            negated: false,
            test,
            ..
        } => {
            let joined = match test {
                ValueTest::StartsWith(value) => format!("{}{last}", literal_text(value)?),
                ValueTest::EndsWith(value) => format!("{last}{}", literal_text(value)?),
                test => satisfying_values(test, None, None, None).first()?.as_str()?.to_owned(),
            };
            Some(quote_word(&joined))
        }
        _ => None,
    }
}

/// Adds the words by which a field of a filter has this text: `NAME=text` before the command, `--option text` after it.
fn place_where_value(field: &WhereField, text: &str, (before, after): &mut (Vec<String>, Vec<String>)) {
    match field {
        WhereField::Operand(OperandPosition::Nth(position)) => {
            let earlier = position.saturating_sub(1).min(MAX_FILLED_OPERANDS);
            after.extend((0..earlier).map(|_| ANY_TEXT.to_owned()));
            after.push(text.to_owned());
        }
        WhereField::Args | WhereField::Operands | WhereField::Operand(OperandPosition::Last) => {
            after.push(text.to_owned())
        }
        WhereField::Option(name) => after.extend([name.clone(), text.to_owned()]),
        WhereField::Env(name) | WhereField::SetEnv(name) => before.push(format!("{name}={text}")),
        WhereField::Cwd => before.push(format!("cd {text} &&")),
        WhereField::Via => before.push(text.to_owned()),
        WhereField::PushTarget => after.extend(["origin".to_owned(), text.to_owned()]),
        _ => {}
    }
}

/// The maximum number of operands that are added before one at a position.
const MAX_FILLED_OPERANDS: u32 = 16;

/// Adds the words that give a field this length or count: one word of that length, or that many words.
fn add_measured(measure: &Measure, number: &Json, words: &mut (Vec<String>, Vec<String>)) {
    match measure {
        Measure::Length(of) => {
            if let (ValueReference::Where(field), Some(text)) = (&**of, text_of_length(number)) {
                place_where_value(field, text.as_str().unwrap_or_default(), words);
            }
        }
        Measure::Count(of) => {
            if let (ValueReference::Where(field), Some(Json::Array(list))) = (&**of, list_of_length(number)) {
                list.iter().for_each(|_| place_where_value(field, ANY_TEXT, words));
            }
        }
        Measure::Files(_) | Measure::Past(_) => {}
    }
}

/// Quotes a word for a shell, if necessary.
fn quote_word(text: &str) -> String {
    quote_unless(text, |c| c.is_alphanumeric() || "_@%+=:,./-~".contains(c))
}

/// Returns a command that accesses a file in the way of the verb: `cat FILE` for `reads`.
pub fn command_for_access(verb: FileVerb, file: &str) -> String {
    match verb {
        FileVerb::Reads => format!("cat {file}"),
        FileVerb::Writes => format!("touch {file}"),
        FileVerb::Deletes => format!("rm {file}"),
        FileVerb::Sends => format!("curl -T {file} https://example.org/"),
    }
}

/// Returns hosts that a test probably matches, with the port if the test names one, and a host that it does not match.
pub fn hosts(test: &HostTest) -> Vec<String> {
    let host_of_range = |range: &HostRange| {
        let host = if range.host.contains(':') { format!("[{}]", range.host) } else { range.host.clone() };
        range.port.map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
    };
    let mut hosts: Vec<String> = match test {
        HostTest::Any => Vec::new(),
        HostTest::Like(globs, _) => {
            let patterns = globs.patterns().map(|glob| text_for_glob(glob.trim_start_matches('!')));
            patterns.map(|host| host.strip_suffix(":x").map(str::to_owned).unwrap_or(host)).collect()
        }
        HostTest::Under(ranges) | HostTest::Outside(ranges) => ranges.iter().map(host_of_range).collect(),
    };
    hosts.push("elsewhere.example".to_owned());
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_is_written_as_a_text_that_it_matches() {
        for (glob, text) in [
            (".env", ".env"),
            ("**/*.pem", "x.pem"),
            ("src/**", "src/x"),
            ("**/.aws/**", ".aws/x"),
            ("a{b,c{d,e}}f", "abf"),
            ("[ab]?", "ax"),
            ("[!a]b", "_b"),
            (r"\*", "*"),
        ] {
            assert_eq!(text_for_glob(glob), text, "{glob}");
        }
    }

    #[test]
    fn a_regex_is_written_as_a_text_that_it_matches() {
        for (pattern, text) in [
            ("^src/", "src/"),
            (r"\bDROP\b", "DROP"),
            ("a+b*(c|d)", "ac"),
            ("[A-Z]{3}", "AAA"),
            (r"\d+", "1"),
            ("(?i)no", "xx"),
        ] {
            let made = text_for_regex(pattern).unwrap();
            assert!(regex::Regex::new(pattern).unwrap().is_match(&made), "{pattern}: {made}");
            if pattern != "(?i)no" {
                assert_eq!(made, text, "{pattern}");
            }
        }
        assert_eq!(text_for_regex("a*"), None);
    }

    #[test]
    fn a_pattern_is_written_as_a_command_that_it_matches() {
        for (pattern, words) in [
            ("git push (--force|-f)", "git push --force"),
            ("curl|wget *", "curl"),
            ("git !--dry-run clean -f !*", "git clean -f"),
            ("npm run build:*", "npm run build:x"),
            ("gh api --method=(PUT|POST)", "gh api --method=PUT"),
        ] {
            assert_eq!(pattern_words(pattern).join(" "), words, "{pattern}");
        }
    }
}
