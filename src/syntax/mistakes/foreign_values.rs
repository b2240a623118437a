//! Placeholders and variables in texts in the notation of other languages (`${path}`, `{{path}}`, `$path`, `%path%`),
//! and what to write instead.

use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic};
use crate::phrases::{self, PhrasePlace};
use crate::span::Span;
use crate::syntax::ast::{QuoteStyle, StringLiteral};
use crate::syntax::quote::string_literal;

/// A foreign placeholder in a text.
#[derive(Debug)]
pub struct ForeignPlaceholder<'t> {
    /// The byte range in the value of the text.
    pub range: Range<usize>,
    /// The name between the signs: `path` for `${path}`.
    pub name: &'t str,
    /// How certain it is that a placeholder is meant.
    pub form: PlaceholderCertainty,
}

/// The maximum length of a name in bytes, which keeps the search linear in the length of the text.
const MAX_NAME_BYTES: usize = 100;

/// How certain it is that a placeholder is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceholderCertainty {
    /// `${path}`, `{{path}}`, `%(path)s`
    Certain,
    /// `$path`, `%path%`, `{ path }`: a placeholder only if a field has exactly this name.
    Likely,
    /// `{path}` between single quotes: a placeholder only if a field has exactly this name.
    Raw,
}

/// Returns the span in the file of a range of a string's value. `None` if escapes or a block string make the offsets in
/// the value differ from those in the file.
fn place(text: &StringLiteral, range: Range<usize>) -> Option<Span> {
    let (start, end) = (text.span.start as usize, text.span.end as usize);
    let is_as_written = text.quote != QuoteStyle::Block && end - start == text.value.len() + 2;
    is_as_written.then(|| Span::new(text.span.file, start + 1 + range.start, start + 1 + range.end))
}

/// The kind of text in which a foreign placeholder or variable was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueContext {
    /// A text that is shown, or an argument.
    Text,
    /// A text that is shown, or an argument, between single quotes.
    Raw,
    /// A command, in which a variable is used that nothing sets.
    Command,
    /// A command, in which a variable is used that other systems set for their hooks.
    HookCommand,
    /// A word of a list, which no shell expands.
    List,
}

/// Returns the finding about a foreign placeholder or variable at a range of a text. `right` is what to write
/// instead; `None` if that needs a shell.
#[must_use]
pub fn foreign_value(
    text: &StringLiteral,
    range: Range<usize>,
    context: ValueContext,
    right: Option<String>,
) -> Diagnostic {
    let written = text.value.get(range.clone()).unwrap_or_default();
    let shown = "would be shown with its signs";
    let unset = "empty when the command runs";
    let (what, label) = match context {
        ValueContext::Text | ValueContext::Raw => ("is not how a value gets into a text", shown),
        ValueContext::Command => ("is a variable of the shell, which nothing sets", unset),
        ValueContext::HookCommand => ("is not set where a rule runs a command", unset),
        ValueContext::List => ("among the words of a list", "the program gets these letters: no shell reads a list"),
    };
    let place = place(text, range);
    let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("`{written}` {what}"))
        .label(place.unwrap_or(text.span), label);
    let Some(right) = right else {
        return found.help("write the command as one text, which a shell reads: `run \"…\"`");
    };
    let found = found.help(match context {
        ValueContext::Text | ValueContext::List => format!("write `{right}`"),
        ValueContext::Raw => {
            let whole = format!("\"{}\"", text.value.replace('\\', "\\\\").replace('"', "\\\""));
            let is_short = whole.len() <= 60 && text.value.matches('{').count() == 1;
            let whole = if is_short { format!("`{whole}`") } else { format!("the whole text with `{right}`") };
            format!("write {whole} between double quotes: `'…'` takes all literally")
        }
        ValueContext::Command | ValueContext::HookCommand => {
            format!("write `{right}`, which becomes one word whatever is in it")
        }
    });
    match place.filter(|_| context != ValueContext::Raw) {
        Some(place) => found.fix_that_changes(place, right),
        None => found,
    }
}

/// Returns the foreign placeholders in a text, in order.
#[must_use]
pub fn placeholders(text: &StringLiteral) -> Vec<ForeignPlaceholder<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut in_code = false;
    while let Some(sign) = text.value.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.value.get(at..).unwrap_or_default();
        in_code ^= sign == '`';
        // An expression of a GitHub workflow (`${{ … }}`) is left alone.
        if rest.starts_with("${{") {
            at += 3;
            continue;
        }
        let placeholder = match sign {
            '$' => dollar(rest),
            '%' if rest.starts_with("%(") => between(rest, "%(", ")s", PlaceholderCertainty::Certain),
            '%' => between(rest, "%", "%", PlaceholderCertainty::Likely).filter(|(_, inner, _)| !inner.contains('.')),
            '{' if rest.starts_with("{{") => between(rest, "{{", "}}", PlaceholderCertainty::Certain),
            '{' if text.quote == QuoteStyle::Raw && !in_code => between(rest, "{", "}", PlaceholderCertainty::Raw),
            '{' if rest.starts_with("{ ") && !in_code => between(rest, "{", "}", PlaceholderCertainty::Likely),
            _ => None,
        };
        match placeholder {
            Some((length, name, form)) => {
                found.push(ForeignPlaceholder { range: at..at + length, name, form });
                at += length;
            }
            None => at += sign.len_utf8(),
        }
    }
    found
}

/// Parses `${name}` or `$name` at the start of a text: returns its length, its name, and how certain it is that a
/// placeholder is meant.
fn dollar(rest: &str) -> Option<(usize, &str, PlaceholderCertainty)> {
    if let Some(braced) = between(rest, "${", "}", PlaceholderCertainty::Certain) {
        return Some(braced);
    }
    let name = rest.strip_prefix('$')?;
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(name.len());
    let name = name.get(..end)?.trim_end_matches('.');
    // A name in capitals is a variable of the shell.
    let is_field = name.starts_with(|c: char| c.is_ascii_lowercase()) && is_dotted_name(name);
    is_field.then_some((1 + name.len(), name, PlaceholderCertainty::Likely))
}

/// Parses a name between two delimiters at the start of a text: returns the length with the delimiters, the name, and
/// `form`; `None` if anything other than a dotted name is between them.
fn between<'t>(
    rest: &'t str,
    open: &str,
    close: &str,
    form: PlaceholderCertainty,
) -> Option<(usize, &'t str, PlaceholderCertainty)> {
    let inner = rest.strip_prefix(open)?;
    let last = *close.as_bytes().first()?;
    let end = inner.bytes().take(MAX_NAME_BYTES).position(|byte| byte == last)?;
    let name = inner.get(..end).filter(|_| inner.get(end..).is_some_and(|rest| rest.starts_with(close)))?;
    // A placeholder has at most spaces around its name.
    let trimmed = name.trim_matches(' ');
    is_dotted_name(trimmed).then_some((open.len() + end + close.len(), trimmed, form))
}

/// Whether a text consists of names joined by dots.
fn is_dotted_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.split('.').all(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

/// A variable in a command that another system may set for its hooks: `$FILE`.
#[derive(Debug)]
pub struct HookVariable<'t> {
    /// The byte range in the value of the text.
    pub range: Range<usize>,
    /// The variable's name, without the `$` and braces.
    pub name: &'t str,
    /// The field with the same meaning; `None` if it is not a known variable.
    pub meant: Option<&'static str>,
}

/// Returns the variables in capitals (`$FILE`, `${FILE}`) and the arguments (`$1`, `$@`) in a command, outside single
/// quotes.
#[must_use]
pub fn variables(text: &str) -> Vec<HookVariable<'_>> {
    let mut found = Vec::new();
    let mut is_quoted = false;
    for (at, sign) in text.char_indices() {
        is_quoted ^= sign == '\'';
        if sign != '$' || is_quoted || text.get(..at).is_some_and(|before| before.ends_with('\\')) {
            continue;
        }
        let rest = text.get(at + 1..).unwrap_or_default();
        let (open, name) = match rest.strip_prefix('{') {
            Some(inner) => (2, inner),
            None => (1, rest),
        };
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = name.find(|c: char| !is_part(c)).unwrap_or(name.len()).max(usize::from(name.starts_with('@')));
        let end = if name.starts_with(|c: char| c.is_ascii_digit()) { 1 } else { end };
        let Some((name, after)) = name.split_at_checked(end).filter(|(name, _)| !name.is_empty()) else { continue };
        // `${FILE:-x}` is left to the shell; a name in lower case is a variable of the script.
        if open == 2 && !after.starts_with('}') || name.starts_with(|c: char| c.is_ascii_lowercase()) {
            continue;
        }
        let meant = phrases::meaning(PhrasePlace::Variable, name);
        found.push(HookVariable { range: at..at + open + end + usize::from(open == 2), name, meant });
    }
    found
}

/// Returns the finding about a text that is shown and contains a command substitution (`$(date)`), or is the name of
/// a file (`@NOTES.md`); `None` for any other text.
#[must_use]
pub fn foreign_output(text: &StringLiteral) -> Option<Diagnostic> {
    let output = output(&text.value)?;
    let right = format!("run {} {{ output: context }}", string_literal(&output.command, ""));
    let place = place(text, output.range).unwrap_or(text.span);
    let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, output.what).label(place, "would be shown as it stands");
    Some(found.help(format!("leave it out; to tell the agent what a command prints, write `{right}`")))
}

/// Returns the findings about forms in braces that no placeholder has, and about groups of a regex: `{length command}`,
/// `{path | upper}`, `{path:20}`, `{ticket-id}`, `\\1`. They would be shown as they stand.
#[must_use]
pub fn unfilled_forms(text: &StringLiteral, captures: bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut is_code = false;
    let is_placeholder = |at: usize| text.placeholders.iter().any(|placeholder| placeholder.range.start == at);
    for (at, sign) in text.value.char_indices() {
        is_code ^= sign == '`';
        let rest = text.value.get(at..).unwrap_or_default();
        let before = text.value.get(..at).unwrap_or_default();
        let is_brace =
            sign == '{' && !before.ends_with(['{', '$', '\\']) && text.quote != QuoteStyle::Raw && !is_placeholder(at);
        let form = match sign {
            _ if is_code || found.len() >= 4 => None,
            '{' if is_brace && let Some(form) = form_in_braces(rest) => Some(form),
            '\\' | '$' | '{' if let Some(length) = group_of_regex(rest, captures) => {
                Some((length, "name the group, as in `(?<ticket>…)`, and write `{ticket}`".to_owned()))
            }
            _ => None,
        };
        let Some((length, help)) = form else { continue };
        found.push(unfilled(text, at..at + length, "would be shown literally").help(help));
    }
    found
}

/// Returns the findings about lengths and places of operands in braces: `file_exists "{operand 2}"`.
#[must_use]
pub fn measures_in_braces(text: &StringLiteral) -> Vec<Diagnostic> {
    let places = text.value.match_indices('{').filter_map(|(at, _)| {
        let length = measure_in_braces(text.value.get(at..)?)?;
        Some(at..at + length)
    });
    let finding = |range: Range<usize>| {
        unfilled(text, range, "compared as it stands").help(
            "only fields, facts and captures are filled in; `operands` are all words, as in `file_exists operands`",
        )
    };
    places.take(4).map(finding).collect()
}

/// Returns the text in braces at the start of a text, and its length with the braces.
fn in_braces(rest: &str) -> Option<(&str, usize)> {
    let inner = rest.strip_prefix('{')?;
    let end = inner.bytes().take(MAX_NAME_BYTES).position(|byte| byte == b'}')?;
    Some((inner.get(..end)?, end + 2))
}

/// Returns the finding about a part of a text that nothing fills in; `label` says what becomes of it.
fn unfilled(text: &StringLiteral, range: Range<usize>, label: &str) -> Diagnostic {
    let written = text.value.get(range.clone()).unwrap_or_default();
    let what = format!("nothing fills in `{written}`");
    Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, what).label(place(text, range).unwrap_or(text.span), label)
}

/// Returns the length of `{length F}`, `{operand N}`, `{last operand}` or `{option "-m"}` at the start of a text.
fn measure_in_braces(rest: &str) -> Option<usize> {
    let (inner, length) = in_braces(rest)?;
    let is_length = inner.strip_prefix("length ").is_some_and(is_dotted_name);
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_place = inner.strip_prefix("operand ").is_some_and(is_number) || inner == "last operand";
    let is_option = inner.starts_with("option \"-") && inner.ends_with('"');
    (is_length || is_place || is_option).then_some(length)
}

/// Returns the length of a group of a regex in the notation of another language at the start of a text: `\\1`, and in a
/// rule whose regex has groups also `$1`, `{1}` and `{ticket-id}`.
fn group_of_regex(rest: &str, captures: bool) -> Option<usize> {
    let sign = rest.chars().next()?;
    if sign == '{' {
        let (inner, length) = in_braces(rest)?;
        let is_number = matches!(inner, "0" | "1" | "2" | "3");
        let is_name = inner.contains('-') && is_dotted_name(&inner.replace('-', "_"));
        return (captures && (is_number || is_name)).then_some(length);
    }
    let inner = rest.get(1..)?;
    let after = inner.get(1..).unwrap_or_default();
    let is_digit = inner.starts_with(|c: char| ('1'..='9').contains(&c));
    // `$1.50` is a price.
    let rest = after.trim_start_matches(['.', ',']);
    let is_alone = !after.starts_with(|c: char| c.is_ascii_alphanumeric())
        && (rest.len() == after.len() || !rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_group = is_digit && is_alone && (captures || sign == '\\');
    is_group.then_some(2)
}

/// The forms of a value in placeholders of other languages: `{command:json}`.
const FORMS: [&str; 8] = ["json", "shell", "quote", "quoted", "raw", "upper", "lower", "url"];

/// Returns the dotted name of a member in another notation: `tool_input.x` for `tool_input["x"]` and `$.tool_input.x`.
fn member_in_braces(inner: &str) -> Option<String> {
    let name = match inner.strip_prefix("$.") {
        Some(name) => name.to_owned(),
        None => {
            let (object, member) = inner.split_once(['[', '.']).filter(|_| inner.contains('['))?;
            let member = member.replace("][", ".").replace(['"', '\'', ']'], "").replace('[', ".");
            format!("{object}.{member}")
        }
    };
    (is_dotted_name(&name) && name.starts_with("tool_")).then_some(name)
}

/// Returns the mark of a question about earlier events in braces that are no placeholder: `happened m`, `count m by
/// main`.
fn events_in_braces(inner: &str) -> Option<&str> {
    let mut words = inner.split_ascii_whitespace();
    let (verb, mark) = (words.next()?, words.next().filter(|mark| is_dotted_name(mark))?);
    let part = words.next();
    let is_part = part.is_some_and(|part| matches!(part, "of" | "by" | "since" | "within" | "in" | "per" | "for"));
    let is_question = match verb {
        "count" => is_part,
        "happened" => part.is_none() || is_part,
        _ => false,
    };
    is_question.then_some(mark)
}

/// Returns the length of a form in braces at the start of a text, and the help for it; `None` for a placeholder and for
/// anything that may be meant literally, such as JSON.
fn form_in_braces(rest: &str) -> Option<(usize, String)> {
    let (inner, length) = in_braces(rest)?;
    let as_it_stands = "`\\{` is the brace itself";
    if measure_in_braces(rest).is_some() {
        let help = format!(
            "a text has values of fields and counts of marks, and no lengths, places and options; {as_it_stands}"
        );
        return Some((length, help));
    }
    if let Some(right) = member_in_braces(inner) {
        return Some((length, format!("write `{{{right}}}`; {as_it_stands}")));
    }
    if let Some(mark) = events_in_braces(inner) {
        let parts = "[of FIELD] [by same agent|by another agent] [since MARK] [within 10m]";
        return Some((length, format!("a text has counts of marks, as `{{count {mark} {parts}}}`; {as_it_stands}")));
    }
    if let Some(name) = inner.strip_prefix(['#', '$']).filter(|name| is_dotted_name(name)) {
        return Some((length, format!("write `{{{name}}}`; {as_it_stands}")));
    }
    let (name, sign) = match inner.find([':', '|', '#']) {
        Some(at) => (inner.get(..at)?.trim(), inner.get(at..)?),
        None => return None,
    };
    let is_filter = sign.starts_with('|') && is_dotted_name(sign.trim_start_matches(['|', ' ']));
    let is_width =
        sign.strip_prefix(':').is_some_and(|width| width.bytes().all(|b| b.is_ascii_digit()) && !width.is_empty());
    let is_form = sign.strip_prefix(':').is_some_and(|form| FORMS.contains(&form));
    (is_dotted_name(name) && (is_filter || is_width || is_form))
        .then(|| (length, format!("a value is shown whole: write `{{{name}}}`; {as_it_stands}")))
}

/// A part of a text by which its author means the output of a command or the contents of a file.
struct Output {
    /// The byte range in the value of the text.
    range: Range<usize>,
    /// The description for the message.
    what: &'static str,
    /// The command that prints it.
    command: String,
}

/// Returns the first command substitution in a text, `$(date)`, outside backticks; or the whole text if it is a file
/// name after `@`, the notation of hosts for including a file.
fn output(text: &str) -> Option<Output> {
    let file = text.trim().strip_prefix('@').filter(|file| {
        file.contains('.') && file.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '-' | '_'))
    });
    if let Some(file) = file {
        let what = "the name of a file as a text, which nothing reads";
        return Some(Output { range: 0..text.len(), what, command: format!("cat {file}") });
    }
    let (start, _) = text.match_indices("$(").find(|(at, _)| {
        let before = text.get(..*at).unwrap_or_default();
        before.matches('`').count() % 2 == 0 && !before.ends_with(['\\', '$'])
    })?;
    let inner = text.get(start + 2..)?;
    // `$((1 + 1))` is arithmetic, and a command that contains parentheses is too complex for a fix.
    let end = inner.find(')').filter(|end| inner.get(..*end).is_some_and(|inner| !inner.contains('(')))?;
    let command = inner.get(..end)?.trim();
    let is_command = command.starts_with(|c: char| c.is_ascii_lowercase());
    is_command.then(|| Output {
        range: start..start + 2 + end + 1,
        what: "a command in a text, which nothing runs",
        command: command.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_in_a_text_is_found() {
        let found = |text| output(text).map(|output| output.command);
        assert_eq!(found("It is $(date +%F).").as_deref(), Some("date +%F"));
        assert_eq!(found("@docs/NOTES.md").as_deref(), Some("cat docs/NOTES.md"));
        for text in ["Write `$(date)`.", "$((1 + 1))", "Ask @ann.", "$(", "costs $(5)", "@ann"] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[track_caller]
    fn check(value: &str, quote: QuoteStyle, expected: &[&str]) {
        let text = StringLiteral { value: value.to_owned(), placeholders: Vec::new(), quote, span: Span::default() };
        let found: Vec<&str> = placeholders(&text).iter().map(|one| value.get(one.range.clone()).unwrap()).collect();
        assert_eq!(found, expected, "{value}");
    }

    #[test]
    fn placeholders_of_other_languages_are_found() {
        check(
            "no ${path}, {{path}}, {{ path }} or $path.",
            QuoteStyle::Double,
            &["${path}", "{{path}}", "{{ path }}", "$path"],
        );
        check("no %path% and { path }", QuoteStyle::Double, &["%path%", "{ path }"]);
        check("no {path}", QuoteStyle::Raw, &["{path}"]);
        check("${tool_input.file_path}", QuoteStyle::Double, &["${tool_input.file_path}"]);
    }

    #[test]
    fn what_is_meant_as_it_stands_is_left_alone() {
        check("$PATH, $1, ${{ env.X }}, 100% of 5%, `import { path } from` and {}", QuoteStyle::Double, &[]);
        check("no {path}", QuoteStyle::Double, &[]);
    }
}
