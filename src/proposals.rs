//! Proposes values and commands that may satisfy a test, derived only from its text. Whether a rule then matches
//! shows only when a proposal is judged.

use std::path::Path;

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Number, Value as Json};

use crate::domain::HostRange;
use crate::ruleset::{
    ConditionExpr, DirOperand, HostTest, Literal, Measure, OrderOperator, Patterns, PolicyValue, ValueReference,
    ValueTest, WhereField,
};
use crate::syntax::ast::FileVerb;
use crate::time::Weekday;
use hookrules_shell::quote::quote_unless;

/// The most proposals from one list of values or patterns.
const SEVERAL: usize = 4;

/// The length above which the text for a regex is abandoned, in bytes.
const LONGEST: usize = 200;

/// The length above which no text is proposed for `length F`, in bytes, and the number above which no list is for
/// `count F`.
const LONGEST_MEASURED: usize = 400;
const MOST_COUNTED: usize = 50;

/// The text that is proposed where any text will do.
const ANY: &str = "x";

/// Returns values that satisfy a test. If the member has a text now, values that extend this text come first.
pub(crate) fn satisfying_values(
    test: &ValueTest,
    now: Option<&str>,
    home: Option<&Path>,
    project: Option<&Path>,
) -> Vec<Json> {
    let beside = |text: String, joined: String| match now {
        Some(_) => vec![Json::from(joined), Json::from(text)],
        None => vec![Json::from(text)],
    };
    let now_text = now.unwrap_or_default();
    match test {
        ValueTest::Equal(value) => literal_json(value).into_iter().collect(),
        ValueTest::In(values) => values.iter().filter_map(literal_json).take(SEVERAL).collect(),
        ValueTest::Order(order, value) => value_in_order(*order, value).into_iter().collect(),
        ValueTest::Contains(value) => {
            literal_text(value).map(|part| beside(part.clone(), format!("{now_text} {part}"))).unwrap_or_default()
        }
        ValueTest::StartsWith(value) => {
            literal_text(value).map(|part| beside(part.clone(), format!("{part}{now_text}"))).unwrap_or_default()
        }
        ValueTest::EndsWith(value) => {
            literal_text(value).map(|part| beside(part.clone(), format!("{now_text}{part}"))).unwrap_or_default()
        }
        ValueTest::LikeText(globs) => texts_for_globs(globs.patterns()),
        ValueTest::LikePath(globs) => texts_for_globs(globs.patterns()),
        ValueTest::Matches(regex) => text_for_regex(regex.pattern()).map(Json::from).into_iter().collect(),
        ValueTest::Under(dirs) => dirs.iter().filter_map(|dir| path_in_dir(dir, home, project)).take(SEVERAL).collect(),
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

/// Returns a text that is none of those that a test compares with; another day if they are days.
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

/// Returns a literal as JSON; `None` for a value that is known only during an event.
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
fn json_number(number: f64) -> Option<Json> {
    let written = format!("{number}");
    written.parse::<i64>().map(Json::from).ok().or_else(|| Number::from_f64(number).map(Json::Number))
}

/// Returns a text of a length, for `length F`; `None` if it would be long.
pub fn text_of_length(length: &Json) -> Option<Json> {
    let length = usize::try_from(length.as_u64()?).ok().filter(|length| *length <= LONGEST_MEASURED)?;
    Some(Json::from(ANY.repeat(length)))
}

/// Returns a list of a length, for `count F`; `None` if it would be long.
pub fn list_of_length(length: &Json) -> Option<Json> {
    let length = usize::try_from(length.as_u64()?).ok().filter(|length| *length <= MOST_COUNTED)?;
    Some(vec![Json::from(ANY); length].into())
}

/// Returns a command that accesses a number of files in the given manner, for `count deletes`.
pub fn command_for_files(verb: FileVerb, count: &Json) -> Option<String> {
    let count = count.as_u64().filter(|count| (1..=MOST_COUNTED as u64).contains(count))?;
    let files: Vec<String> = (1..=count).map(|number| format!("{ANY}{number}")).collect();
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

/// Returns a path in a directory; `None` if the directory is not known.
fn path_in_dir(dir: &DirOperand, home: Option<&Path>, project: Option<&Path>) -> Option<Json> {
    let directory = match dir {
        DirOperand::Project => project?.to_path_buf(),
        DirOperand::Home => home?.to_path_buf(),
        DirOperand::Tmp => "/tmp".into(),
        DirOperand::Literal(path) => path.clone(),
        DirOperand::Source(_) | DirOperand::Filled(_) => return None,
    };
    Some(Json::from(directory.join(ANY).to_string_lossy().into_owned()))
}

/// Returns a text for each glob that is not negated.
fn texts_for_globs<'g>(globs: impl Iterator<Item = &'g str>) -> Vec<Json> {
    globs.filter(|glob| !glob.starts_with('!')).take(SEVERAL).map(|glob| Json::from(text_for_glob(glob))).collect()
}

/// Returns a text that a glob matches: `x.pem` for `**/*.pem`.
pub(crate) fn text_for_glob(glob: &str) -> String {
    let mut out = String::new();
    let mut chars = glob.chars().peekable();
    // Of `{a,b}`, the first alternative is taken: the rest, from the comma to the closing brace, is skipped.
    let mut braces = 0_usize;
    while let Some(c) = chars.next() {
        match c {
            '*' if chars.peek() == Some(&'*') => {
                chars.next();
                if chars.peek() == Some(&'/') {
                    chars.next();
                } else {
                    out.push_str(ANY);
                }
            }
            '*' | '?' => out.push_str(ANY),
            '[' => {
                let class: String = chars.by_ref().take_while(|c| *c != ']').collect();
                let is_negated = class.starts_with(['!', '^']);
                out.push(if is_negated { '_' } else { class.chars().next().unwrap_or('_') });
            }
            '{' => braces += 1,
            ',' if braces > 0 => {
                let mut open = 1_usize;
                for c in chars.by_ref() {
                    match c {
                        '{' => open += 1,
                        '}' => open -= 1,
                        _ => {}
                    }
                    if open == 0 {
                        break;
                    }
                }
                braces -= 1;
            }
            '}' if braces > 0 => braces -= 1,
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}

/// Returns a text that a regex probably matches; `None` if it would be long or empty.
fn text_for_regex(pattern: &str) -> Option<String> {
    let mut out = String::new();
    write(&regex_syntax::parse(pattern).ok()?, &mut out)?;
    (!out.is_empty()).then_some(out)
}

/// Appends a text that a part of a regex matches; `None` if there is none, or it would be too long.
fn write(hir: &Hir, out: &mut String) -> Option<()> {
    if out.len() > LONGEST {
        return None;
    }
    match hir.kind() {
        // Assertions such as word boundaries are ignored: they hold only if the surrounding text happens to fit.
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let has = |wanted: char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&wanted));
            let readable = ['x', 'a', '1', ' ', '-', '/'].into_iter().find(|c| has(*c));
            out.push(readable.or_else(|| class.ranges().first().map(|range| range.start()))?);
        }
        HirKind::Class(Class::Bytes(class)) => out.push(char::from(class.ranges().first()?.start())),
        HirKind::Repetition(repetition) => {
            // As few repetitions as are allowed.
            for _ in 0..repetition.min {
                write(&repetition.sub, out)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, out)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(part, out))?,
        HirKind::Alternation(parts) => write(parts.first()?, out)?,
    }
    Some(())
}

/// Returns commands that match the patterns and may satisfy a filter. If there is a command now, some of them extend
/// it.
pub(crate) fn commands(patterns: &Patterns, filter: Option<&ConditionExpr>, now: Option<&str>) -> Vec<String> {
    let (before, behind) = filter.map(words_around_command).unwrap_or_default();
    let mut out = Vec::new();
    for pattern in patterns.iter().take(SEVERAL * 2) {
        let words = pattern_words(pattern.text());
        let Some(program) = words.first() else { continue };
        let mut all = before.clone();
        all.extend(words.iter().cloned());
        all.extend(behind.iter().cloned());
        let whole = all.join(" ");
        if let Some(now) = now.filter(|now| !now.trim().is_empty()) {
            // If the present command has the program, only the missing words are added to it.
            let has = |word: &String| now.split_whitespace().any(|known| known == word);
            let missing: Vec<&String> = words.iter().chain(&behind).filter(|word| !has(word)).collect();
            if has(program) {
                let mut longer = before.clone();
                longer.push(now.trim().to_owned());
                longer.extend(missing.into_iter().cloned());
                out.push(longer.join(" "));
            }
            if let Some((last, place)) =
                now.trim().rsplit_once(' ').filter(|_| has(program)).map(|(head, last)| (last, head))
            {
                out.extend(
                    filter.and_then(|filter| edit_last_word(filter, last)).map(|word| format!("{place} {word}")),
                );
            }
            out.push(whole.clone());
            out.push(format!("{} && {whole}", now.trim()));
        } else {
            out.push(whole);
        }
    }
    out
}

/// Returns one command for each alternative of each pattern, and one for each word that a pattern excludes.
pub(crate) fn every_command(patterns: &Patterns) -> (Vec<String>, Vec<String>) {
    let (mut plain, mut excluded) = (Vec::new(), Vec::new());
    for pattern in patterns.iter() {
        let words = split(pattern.text());
        let first = pattern_words(pattern.text()).join(" ");
        plain.push(first.clone());
        for (at, word) in words.iter().enumerate() {
            let (is_not, group) = word.strip_prefix('!').map_or((false, word.as_str()), |rest| (true, rest));
            let (head, alternatives) = match group.split_once('(') {
                Some((head, rest)) => (head, rest.split_once(')').map_or(rest, |(inner, _)| inner)),
                None => ("", group),
            };
            if !is_not && !alternatives.contains('|') {
                continue;
            }
            for one in
                alternatives.split('|').map(|one| text_for_glob(&format!("{head}{one}"))).filter(|one| !one.is_empty())
            {
                if is_not {
                    excluded.push(format!("{first} {}", if one == "*" { ANY } else { &one }));
                } else {
                    let others = words.iter().enumerate().filter_map(|(other, word)| match other == at {
                        true => Some(one.clone()),
                        false => pattern_words(word).into_iter().next(),
                    });
                    plain.push(others.collect::<Vec<_>>().join(" "));
                }
            }
        }
    }
    (plain, excluded)
}

/// Returns a command that is piped into another, by the first pattern of each side.
pub(crate) fn piped_command(from: &Patterns, into: &Patterns) -> Option<String> {
    let first = |patterns: &Patterns| patterns.iter().next().map(|pattern| pattern_words(pattern.text()).join(" "));
    Some(format!("{} | {}", first(from)?, first(into)?))
}

/// Returns the words of a command that a pattern matches: the first of several alternatives, and no optional words.
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
    split(pattern).iter().filter_map(written).collect()
}

/// Splits a pattern at its blanks outside parentheses.
fn split(pattern: &str) -> Vec<String> {
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

/// Returns words to put before and after a command so that a filter may hold.
fn words_around_command(filter: &ConditionExpr) -> (Vec<String>, Vec<String>) {
    let mut words = (Vec::new(), Vec::new());
    add(filter, &mut words);
    words
}

/// Adds the words that a part of a filter requires, to those before and after the command.
fn add(filter: &ConditionExpr, words: &mut (Vec<String>, Vec<String>)) {
    match filter {
        ConditionExpr::And(parts) => parts.iter().for_each(|part| add(&part.kind, words)),
        ConditionExpr::Or(parts) => parts.iter().take(1).for_each(|part| add(&part.kind, words)),
        ConditionExpr::Def(inner) => add(&inner.kind, words),
        ConditionExpr::Exists(ValueReference::Where(field)) => place_where_value(field, ANY, words),
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
                    format!("{text}{ANY}")
                } else {
                    text.to_owned()
                };
                place_where_value(field, &quote_word(&text), words);
            }
        }
        _ => {}
    }
}

/// Returns the last word of a command, changed so that a filter on operands may hold; `None` if the filter has no
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

/// Adds the words that give a field of a filter this text: `NAME=text` before the command, `--option text` after it.
fn place_where_value(field: &WhereField, text: &str, (before, behind): &mut (Vec<String>, Vec<String>)) {
    match field {
        WhereField::Args | WhereField::Operands | WhereField::Operand(_) => behind.push(text.to_owned()),
        WhereField::Option(name) => behind.extend([name.clone(), text.to_owned()]),
        WhereField::Env(name) | WhereField::SetEnv(name) => before.push(format!("{name}={text}")),
        WhereField::Cwd => before.push(format!("cd {text} &&")),
        WhereField::Via => before.push(text.to_owned()),
        WhereField::PushTarget => behind.extend(["origin".to_owned(), text.to_owned()]),
        _ => {}
    }
}

/// Adds the words that a number about a field of a command requires: one word of that length, or that many words.
fn add_measured(measure: &Measure, number: &Json, words: &mut (Vec<String>, Vec<String>)) {
    match measure {
        Measure::Length(of) => {
            if let (ValueReference::Where(field), Some(text)) = (&**of, text_of_length(number)) {
                place_where_value(field, text.as_str().unwrap_or_default(), words);
            }
        }
        Measure::Count(of) => {
            if let (ValueReference::Where(field), Some(Json::Array(list))) = (&**of, list_of_length(number)) {
                list.iter().for_each(|_| place_where_value(field, ANY, words));
            }
        }
        Measure::Files(_) | Measure::Past(_) => {}
    }
}

/// Quotes a word for a shell, if necessary.
fn quote_word(text: &str) -> String {
    quote_unless(text, |c| c.is_alphanumeric() || "_@%+=:,./-~".contains(c))
}

/// Returns a command that accesses a file in the given manner.
pub fn command_for_access(verb: FileVerb, file: &str) -> String {
    match verb {
        FileVerb::Reads => format!("cat {file}"),
        FileVerb::Writes => format!("touch {file}"),
        FileVerb::Deletes => format!("rm {file}"),
        FileVerb::Sends => format!("curl -T {file} https://example.org/"),
    }
}

/// Returns hosts that a test probably matches, with the port if it matters, and one that it does not match.
pub fn hosts(test: &HostTest) -> Vec<String> {
    let of_range = |range: &HostRange| {
        let host = if range.host.contains(':') { format!("[{}]", range.host) } else { range.host.clone() };
        range.port.map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
    };
    let mut hosts: Vec<String> = match test {
        HostTest::Any => Vec::new(),
        HostTest::Like(globs, _) => {
            let patterns = globs.patterns().map(|glob| text_for_glob(glob.trim_start_matches('!')));
            patterns.map(|host| host.strip_suffix(":x").map(str::to_owned).unwrap_or(host)).collect()
        }
        HostTest::Under(ranges) | HostTest::Outside(ranges) => ranges.iter().map(of_range).collect(),
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
