//! Compiles the right sides of tests: literals, lists, globs, regexes, directories.

mod directories;
mod globs;
mod hosts;

use std::path::PathBuf;

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::limits::REGEX_BYTES;
use crate::phrases::{self, PhrasePlace};
use crate::ruleset::{DirOperand, LazyRegex, Literal, PolicyValue, Template, ValueReference};
use crate::schema::{FieldType, is_milliseconds};
use crate::span::Span;
use crate::syntax::ast::{self, AstElement, ValueKind};
use crate::syntax::{quantity_with_unit, string_literal as quoted};

use super::names::{LayerNames, NameDefinition, ScopedValue};
use super::regex_advice;
pub(super) use globs::{GlobList, compile_path_globs, compile_text_globs, listed_texts};
pub(super) use hosts::compile_host_test;

/// The approximate maximum sizes of the character classes `\w`, `\p…` (wide) and `\d`, `\s` (narrow).
const WIDE_CLASS: u64 = 1_900;
const NARROW_CLASS: u64 = 250;

/// The factor by which a class costs more if case may be ignored, because each of its letters is then looked up.
const FOLDING: u64 = 4;

/// A function that resolves a name that is not a `let` to a reference and its type. It reports an unknown name.
pub(super) type NameResolver<'r, T> =
    &'r mut dyn FnMut(&T, &mut Vec<Diagnostic>) -> Option<(ValueReference, FieldType)>;

/// Returns the noun for the type of a value, for messages: "a string".
pub(super) fn kind_noun(kind: &ValueKind) -> &'static str {
    match kind {
        ValueKind::Text(_) => "a string",
        ValueKind::Number(..) => "a number",
        ValueKind::Boolean(_) => "a boolean",
        ValueKind::Null => "`null`",
        ValueKind::Duration(..) => "a duration",
        ValueKind::Size(..) => "a size",
        ValueKind::TimeRange(..) => "a part of the day",
        ValueKind::Regex(_) => "a regex",
        ValueKind::List(_) => "a list",
        ValueKind::Map(_) => "a map",
        ValueKind::Name(_) => "a name",
        ValueKind::JsonPath(_) => "a JSONPath",
    }
}

/// Returns the literal; `None` for a value that is not a literal. A duration becomes a number of milliseconds, a size
/// a number of bytes.
pub(super) fn compile_literal(kind: &ValueKind) -> Option<Literal> {
    match kind {
        ValueKind::Text(text) => Some(Literal::Text(text.value.clone())),
        ValueKind::Number(number, _) => Some(Literal::Number(*number)),
        ValueKind::Boolean(truth) => Some(Literal::Boolean(*truth)),
        #[expect(clippy::cast_precision_loss, reason = "milliseconds and bytes that people write are below 2^53")]
        ValueKind::Duration(duration, _) => Some(Literal::Number(duration.as_millis() as f64)),
        #[expect(clippy::cast_precision_loss, reason = "as above")]
        ValueKind::Size(bytes, _) => Some(Literal::Number(*bytes as f64)),
        _ => None,
    }
}

/// Reports a literal whose type does not fit the field that it is compared with.
pub(super) fn check_type(field: &str, ty: FieldType, value: &ast::AstValue, diagnostics: &mut Vec<Diagnostic>) {
    let ty = match ty {
        FieldType::List(inner) => *inner,
        other => other,
    };
    let (wanted, fits) = match (ty, &value.kind) {
        (FieldType::Any, _) => return,
        (FieldType::String | FieldType::Path, kind) => ("a string", matches!(kind, ValueKind::Text(_))),
        (FieldType::Enum(words), ValueKind::Text(text)) => {
            if !words.contains(&text.value.as_str()) {
                diagnostics.push(impossible_value(field, words, &text.value, value.span));
            }
            return;
        }
        (FieldType::Enum(_), _) => ("a string", false),
        (FieldType::Number, ValueKind::Duration(..)) => ("a number", field.ends_with("_ms")),
        (FieldType::Number, kind) => ("a number", matches!(kind, ValueKind::Number(..) | ValueKind::Size(..))),
        (FieldType::Boolean, kind) => ("a boolean", matches!(kind, ValueKind::Boolean(_))),
        (FieldType::Object(_) | FieldType::List(_), _) => ("an object", false),
    };
    if fits {
        return;
    }
    let is = kind_noun(&value.kind);
    let found = Diagnostic::new(Code::TYPE_MISMATCH, format!("`{field}` is {wanted}, not {is}"))
        .label(value.span, format!("this is {is}"));
    diagnostics.push(match (ty, &value.kind) {
        (FieldType::Number, ValueKind::Text(text)) => match number_in(field, &text.value) {
            Some(number) => found.help(format!("write `{number}`")).fix(value.span, number),
            None => found.help(format!("give it {wanted}")),
        },
        (_, kind) => found.help(misfit_help(field, ty, kind).unwrap_or_else(|| format!("give it {wanted}"))),
    });
}

/// Returns the number that a text in quotes contains: `"5"`, or for a file's size also `"5 MB"`. `None` if it is not
/// a number.
fn number_in(field: &str, text: &str) -> Option<String> {
    if text.parse::<f64>().is_ok() {
        return Some(text.to_owned());
    }
    quantity_with_unit(text).filter(|_| ["file_size", "length "].iter().any(|measure| field.starts_with(measure)))
}

/// Returns a specific help for a value whose type does not fit the field; `None` if only the type can be named.
fn misfit_help(field: &str, ty: FieldType, kind: &ValueKind) -> Option<String> {
    Some(match (ty, kind) {
        (FieldType::Boolean, ValueKind::Text(text)) if matches!(text.value.as_str(), "true" | "yes") => {
            format!("write `{field}`")
        }
        (FieldType::Boolean, ValueKind::Text(text)) if matches!(text.value.as_str(), "false" | "no") => {
            format!("write `not {field}`")
        }
        (FieldType::Boolean, _) => format!("write `{field}` or `not {field}`"),
        (FieldType::Number, ValueKind::Duration(duration, _)) => {
            let last = field.rsplit('.').next().unwrap_or(field);
            match is_milliseconds(last) {
                true => format!("write `{}`: it counts milliseconds", duration.as_millis()),
                false => "write it without a unit".to_owned(),
            }
        }
        (FieldType::Object(_) | FieldType::List(_), _) => {
            format!("name one of its members, such as `{field}.…`, or use `exists`")
        }
        // The error message of a failed command begins with its exit code.
        (FieldType::String, ValueKind::Number(_, number)) if field == "error" => {
            format!("it is a text: write `error starts_with \"Exit code {number}\"`")
        }
        (FieldType::Enum(words), ValueKind::Number(..)) if words.contains(&"mon") => {
            format!("days have names: `{field} in [{}]`", words.join(", "))
        }
        (FieldType::String | FieldType::Path | FieldType::Enum(_), kind) => match kind {
            // A flag has no value that could be compared.
            ValueKind::Boolean(true) if is_option(field) => format!("write `exists {field}`"),
            ValueKind::Boolean(false) if is_option(field) => format!("write `not exists {field}`"),
            ValueKind::Boolean(truth) => format!("write `\"{truth}\"`"),
            ValueKind::Number(_, number) => format!("write \"{number}\""),
            ValueKind::Regex(_) => "use `matches` with a regex".to_owned(),
            ValueKind::List(_) => "use `in` with a list".to_owned(),
            _ => return None,
        },
        _ => return None,
    })
}

/// Whether the source form of a field is that of an option: `option "--force"`.
fn is_option(field: &str) -> bool {
    field.starts_with("option ")
}

/// Returns the finding about a value that a field with fixed values never has.
pub(super) fn impossible_value(field: &str, words: &[&str], value: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::ENUM_VALUE, format!("`{field}` is never `{value}`"))
        .label(span, "not one of its values")
        .help_if_any(suggest("value", value, words.iter().copied()));
    let meant = phrases::meaning(PhrasePlace::FieldValue, value);
    if let Some(ours) = meant.filter(|ours| words.contains(ours)) {
        return diagnostic.help(format!("write \"{ours}\"")).fix_that_changes(span, format!("\"{ours}\""));
    }
    match crate::diagnostic::nearest_name(value, words.iter().copied()) {
        Some(near) => diagnostic.fix_that_changes(span, format!("\"{near}\"")),
        None => diagnostic,
    }
}

/// A string in a list, or the only string of a value.
pub(super) struct ListedText<'a> {
    pub(super) literal: &'a ast::StringLiteral,
    /// The index of the file that it is in.
    pub(super) file: usize,
}

/// Returns the strings of a value that is a string or a list of strings; `None` if a mistake was reported. `what` is
/// the noun for a string, such as "a glob".
fn string_list<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    what: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<ListedText<'a>>> {
    let elements = names.elements(scoped, diagnostics);
    let (mut out, mut failed) = (Vec::new(), false);
    for element in elements {
        match &element.value.kind {
            ValueKind::Text(text) => out.push(ListedText { literal: text, file: element.file }),
            ValueKind::Name(name) if name.as_single_name().is_some() => {
                failed = true;
                diagnostics.extend(name.as_single_name().map(|name| names.unknown_name(element.file, name)));
            }
            // `local.secrets`, `var.secrets`: the prefix that other languages require for a name of the file.
            ValueKind::Name(name) if let_without_prefix(names, element.file, name).is_some() => {
                failed = true;
                let meant = let_without_prefix(names, element.file, name).unwrap_or_default();
                diagnostics.push(
                    Diagnostic::new(Code::UNKNOWN_NAME, format!("unknown name `{}`", name.text()))
                        .label(name.span, "not a `let`")
                        .help(format!("write `{meant}`: a `let` is named without anything in front"))
                        .fix(name.span, meant),
                );
            }
            kind => {
                failed = true;
                let help = match kind {
                    ValueKind::Regex(regex) => match regex_as_glob(&regex.pattern) {
                        Some(glob) => format!("write a glob: `\"{glob}\"`"),
                        None => {
                            "write a glob in quotes: `\"src/**\"`; a field takes a regex behind `matches`".to_owned()
                        }
                    },
                    _ => format!("write {what} in quotes"),
                };
                diagnostics.push(
                    Diagnostic::new(Code::TYPE_MISMATCH, format!("{what} is a string, not {}", kind_noun(kind)))
                        .label(element.value.span, format!("this is {}", kind_noun(kind)))
                        .help(help),
                );
            }
        }
    }
    if !failed && is_literally_empty(scoped.value) {
        diagnostics.push(empty_list(scoped.value.span));
        return None;
    }
    (!failed).then_some(out)
}

/// Returns the `let` that a name with a prefix of another language means: `secrets` for `local.secrets`. `None` if
/// there is no such `let`.
fn let_without_prefix<'a>(names: &LayerNames<'a>, file: usize, name: &'a ast::FieldName) -> Option<&'a str> {
    let [first, last] = name.segments.as_slice() else { return None };
    let is_foreign_prefix =
        matches!(first.text.as_str(), "const" | "data" | "let" | "local" | "locals" | "var" | "vars");
    let is_let = matches!(names.definition(file, &last.text), Some(NameDefinition::Let(_)));
    (is_foreign_prefix && is_let).then_some(last.text.as_str())
}

/// Whether a value is an empty list that is written out in a test. A list from a `let` may be empty: so a user can
/// disable a part of a pack.
pub(super) fn is_literally_empty(value: &ast::AstValue) -> bool {
    matches!(&value.kind, ValueKind::List(elements) if elements.is_empty())
}

/// Returns the finding about an empty list.
pub(super) fn empty_list(span: Span) -> Diagnostic {
    Diagnostic::new(Code::EMPTY_LIST, "an empty list matches nothing")
        .label(span, "no elements")
        .help("add an element, or remove the test")
}

/// Compiles the regex of a `matches`. Another value is reported with a suggestion.
pub(super) fn compile_regex<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<LazyRegex> {
    let value = names.resolve_lets(scoped, diagnostics);
    match &value.value.kind {
        ValueKind::Regex(regex) => check_regex(names, regex, diagnostics),
        ValueKind::Name(name) => {
            let unknown = name.as_single_name().map(|name| {
                let unknown = names.unknown_name(value.file, name);
                // A name that is similar to another is a typing error; any other is probably a regex without its
                // slashes.
                if unknown.fix.is_none() {
                    unknown
                } else {
                    let right = format!("/{}/", name.text);
                    unknown.help(format!("write `{right}`, a regex between slashes")).fix_that_changes(name.span, right)
                }
            });
            diagnostics.extend(unknown);
            None
        }
        kind => {
            let help = match kind {
                ValueKind::Text(text) if is_glob(&text.value) => {
                    let finding = Diagnostic::new(Code::TYPE_MISMATCH, "`matches` takes a regex, not a glob")
                        .label(value.value.span, "a glob is compared with `like`");
                    let shown = quoted(&text.value, "");
                    diagnostics.push(finding.help(match shown.len() {
                        ..60 => format!("write `like {shown}`"),
                        _ => "write `like` in place of `matches`".to_owned(),
                    }));
                    return None;
                }
                ValueKind::Text(text)
                    if text.value.len() > 2 && text.value.starts_with('/') && has_regex_end(&text.value) =>
                {
                    format!("write `{}` without the quotes", text.value)
                }
                ValueKind::Text(text) => {
                    format!("write `/{}/`, or `contains` for a plain text", text.value.replace('/', "\\/"))
                }
                ValueKind::List(_) => "write one regex with `|` between the alternatives".to_owned(),
                _ => "write a regex between slashes".to_owned(),
            };
            diagnostics.push(
                Diagnostic::new(Code::TYPE_MISMATCH, format!("`matches` takes a regex, not {}", kind_noun(kind)))
                    .label(value.value.span, format!("this is {}", kind_noun(kind)))
                    .help(help),
            );
            None
        }
    }
}

/// Whether a text ends like a regex between slashes: with `/` and perhaps flags.
fn has_regex_end(text: &str) -> bool {
    text.rsplit_once('/')
        .is_some_and(|(before, flags)| !before.is_empty() && flags.bytes().all(|flag| b"imsux".contains(&flag)))
}

/// Whether a text is probably a glob: it has no regex notation, but a slash and an asterisk, or an asterisk where no
/// regex would have one (at the beginning, or after `/`, `*`, `,` or `{`).
fn is_glob(text: &str) -> bool {
    let is_no_repetition =
        |at: usize| text.get(..at).is_none_or(|before| before.is_empty() || before.ends_with(['/', '*', ',', '{']));
    let regex_notation = ["^", "$", "\\", "(", "|", "+", ".*"];
    text.match_indices('*').any(|(at, _)| is_no_repetition(at))
        && !regex_notation.iter().any(|notation| text.contains(notation))
        || text.contains('/') && text.contains('*') && !regex_notation.iter().any(|notation| text.contains(notation))
}

/// Checks a regex literal, and returns the regex; `None` if a mistake was reported or a limit is exceeded. The regex
/// is not compiled: its size is computed from its tree.
pub(super) fn check_regex(
    names: &LayerNames<'_>,
    regex: &ast::RegexLiteral,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<LazyRegex> {
    if let Some(flag) = regex.flags.chars().find(|flag| !"imsx".contains(*flag)) {
        diagnostics.push(
            Diagnostic::new(Code::BAD_PATTERN, format!("unknown regex flag `{flag}`"))
                .label(regex.span, "the flags are `i`, `m`, `s` and `x`")
                .help(
                    "`i` ignores case, `m` makes ^ and $ match at lines, `s` lets . match a newline, `x` ignores space",
                ),
        );
        return None;
    }
    if regex.pattern.len() > REGEX_BYTES {
        diagnostics.push(
            Diagnostic::new(Code::BAD_PATTERN, format!("a regex of more than {} KiB", REGEX_BYTES >> 10))
                .label(regex.pattern_span, "too long")
                .help("write `F in [...]` or `F like [...]` for a list of texts, or several rules"),
        );
        return None;
    }
    let pattern = LazyRegex::inline_flags(&regex.pattern, &regex.flags);
    // A class takes more if case is ignored, which a flag within the pattern may require, too.
    let folds = if regex.flags.contains('i') || pattern.contains("(?") { FOLDING } else { 1 };
    // Parsing a class takes a thousand times its length in the pattern, so the size of the classes is checked before.
    let classes = classes_size(&pattern).saturating_mul(folds);
    names.account.check_regex_fits(classes, regex.pattern_span)?;
    match names.regexes.parse(pattern) {
        Ok((parsed, size)) => {
            if let Some(found) = names.account.oversized_regex(size, regex.pattern_span) {
                let fits = |size: u64| names.account.oversized_regex(size, regex.pattern_span).is_none();
                diagnostics.push(regex_advice::with_size_advice(found, regex, fits));
                return None;
            }
            names.account.charge_regex(size.max(classes), regex.pattern_span)?;
            Some(parsed)
        }
        Err(error) => {
            diagnostics.push(bad_regex(regex, &error));
            None
        }
    }
}

/// Returns the sum of the sizes of the classes in a pattern: the cost of parsing them.
fn classes_size(pattern: &str) -> u64 {
    let mut size = 0_u64;
    let mut signs = pattern.bytes();
    while let Some(sign) = signs.next() {
        if sign == b'\\' {
            size = size.saturating_add(match signs.next() {
                Some(b'w' | b'W' | b'p' | b'P') => WIDE_CLASS,
                Some(b'd' | b'D' | b's' | b'S') => NARROW_CLASS,
                _ => 0,
            });
        }
    }
    size
}

/// Returns the finding about an invalid regex, with help for features that are not supported.
fn bad_regex(regex: &ast::RegexLiteral, error: &regex_syntax::Error) -> Diagnostic {
    use regex_syntax::ast::ErrorKind;
    let (message, unsupported, at) = match error {
        regex_syntax::Error::Parse(error) => {
            let unsupported = Some(error.kind())
                .filter(|kind| matches!(kind, ErrorKind::UnsupportedLookAround | ErrorKind::UnsupportedBackreference));
            (error.kind().to_string(), unsupported, Some(error.span().start.offset..error.span().end.offset))
        }
        regex_syntax::Error::Translate(error) => {
            (error.kind().to_string(), None, Some(error.span().start.offset..error.span().end.offset))
        }
        _ => ("it cannot be read".to_owned(), None, None),
    };
    // The offsets of the error are offsets in the source only if no flags were prepended and no slash was unescaped.
    let offsets_match = regex.flags.is_empty() && !regex.pattern.contains("\\/");
    let span = match at.filter(|at| offsets_match && at.end <= regex.pattern.len() && at.start < at.end) {
        Some(at) => {
            let start = regex.pattern_span.start as usize;
            Span::new(regex.pattern_span.file, start + at.start, start + at.end)
        }
        None => regex.pattern_span,
    };
    // Without matching offsets, the help for a back-reference is a general one.
    let reference_at = (span.start - regex.pattern_span.start) as usize;
    let reference_at = if offsets_match { reference_at } else { usize::MAX };
    let unsupported = match unsupported {
        Some(ErrorKind::UnsupportedBackreference) => {
            Some(("a regex with a back-reference", regex_advice::back_reference_help(&regex.pattern, reference_at)))
        }
        Some(_) => Some(("a regex with look-around", regex_advice::look_around_help(&regex.pattern, &regex.flags))),
        None => None,
    };
    if let Some((message, help)) = unsupported {
        let label = "not supported, so that no text can make matching slow";
        return Diagnostic::new(Code::REGEX_UNSUPPORTED, message).label(span, label).help(help);
    }
    let message = message.lines().next().unwrap_or_default().trim_end_matches('.').to_owned();
    let found = Diagnostic::new(Code::BAD_PATTERN, format!("invalid regex: {message}")).label(span, "here");
    if let Some(name) = value_in_braces(&regex.pattern) {
        return found.help(format!(
            "a regex fills in no value: write `like \"*{{{name}}}*\"`, or `contains {name}`; `\\{{` is the brace itself"
        ));
    }
    found.help("escape a literal ( ) [ { . * + ? | with a backslash")
}

/// Returns the name in braces of a regex, which its author may want to be filled in: `git.branch` of `{git.branch}-`.
fn value_in_braces(pattern: &str) -> Option<&str> {
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'.') || byte.is_ascii_digit())
    };
    pattern.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).find(is_name)
}

/// Returns the glob that a regex of plain letters probably means: the contents of a directory (`src/**` for `^src`),
/// or a file name. `None` if the regex has other notation.
fn regex_as_glob(pattern: &str) -> Option<String> {
    let bare = pattern.trim_start_matches('^').trim_end_matches('$').replace("\\/", "/").replace("\\.", ".");
    let name = bare.trim_start_matches('/').trim_end_matches('/');
    let is_plain = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/'));
    let is_file = name.rsplit('/').next().is_some_and(|last| last.contains('.'));
    is_plain.then(|| match is_file {
        true if name.starts_with('.') && pattern.ends_with('$') && !pattern.starts_with('^') => format!("*{name}"),
        true => name.to_owned(),
        false => format!("{name}/**"),
    })
}

/// Compiles the directories of `under` and `outside`. `resolve` resolves names that are not `let`s.
pub(super) fn compile_directories<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    resolve: NameResolver<'_, ast::FieldName>,
    filled: &dyn Fn(&ast::StringLiteral) -> Option<Template>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<DirOperand> {
    let mut dirs = Vec::new();
    let elements = names.elements(scoped, diagnostics);
    if is_literally_empty(scoped.value) {
        diagnostics.push(empty_list(scoped.value.span));
    }
    for element in elements {
        match &element.value.kind {
            ValueKind::Text(text) if let Some(found) = directories::misread_directory(text, scoped.value) => {
                diagnostics.push(found)
            }
            ValueKind::Text(text) if let Some(path) = filled(text) => dirs.push(DirOperand::Filled(path)),
            ValueKind::Text(text) if text.value.contains(['*', '?', '[', '{']) => diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, "a directory, not a glob")
                    .label(text.span, "`under` and `outside` take a directory and everything in it")
                    .help("write only the directory, or use `like`"),
            ),
            ValueKind::Text(text) => {
                let path = names.base(element.file).in_session(&text.value);
                dirs.push(DirOperand::Literal(PathBuf::from(path.as_ref())));
            }
            ValueKind::Name(name) => match name.text().as_str() {
                "project" => dirs.push(DirOperand::Project),
                "tmp" => dirs.push(DirOperand::Tmp),
                "home" => dirs.push(DirOperand::Home),
                _ => dirs.extend(resolve(name, diagnostics).map(|(source, _)| DirOperand::Source(source))),
            },
            kind => diagnostics.push(
                Diagnostic::new(Code::TYPE_MISMATCH, format!("a directory is a path, not {}", kind_noun(kind)))
                    .label(element.value.span, format!("this is {}", kind_noun(kind)))
                    .help("write `project`, `tmp`, `home`, a path in quotes, or a list of these"),
            ),
        }
    }
    dirs
}

/// Compiles the right side of a comparison: a literal, or a reference that `resolve` resolves. Also returns the value
/// after its `let`s have been resolved. `None` if it is neither.
pub(super) fn compile_single_value<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    resolve: NameResolver<'_, ast::AstValue>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(PolicyValue, ScopedValue<'a>)> {
    let followed = names.resolve_lets(scoped, diagnostics);
    match &followed.value.kind {
        ValueKind::Name(_) | ValueKind::JsonPath(_) => {
            resolve(followed.value, diagnostics).map(|(source, _)| (PolicyValue::Source(source), followed))
        }
        kind => compile_literal(kind).map(|literal| (PolicyValue::Literal(literal), followed)),
    }
}

/// Reports mistakes in a `let`, even if nothing uses it.
pub(super) fn check_let<'a>(
    names: &LayerNames<'a>,
    file: usize,
    item: &'a ast::Let,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let value = &item.value;
    match &value.kind {
        ValueKind::Regex(regex) => {
            let _checked = check_regex(names, regex, diagnostics);
        }
        ValueKind::List(elements) if elements.iter().all(|element| matches!(element, AstElement::Value(_))) => {
            for element in elements {
                if let AstElement::Value(value) = element
                    && matches!(
                        names.resolve_lets(ScopedValue { file, value }, diagnostics).value.kind,
                        ValueKind::Map(_)
                    )
                {
                    diagnostics.push(not_a_value(value));
                }
            }
        }
        ValueKind::List(_) => {
            for element in names.elements(ScopedValue { file, value }, diagnostics) {
                if matches!(element.value.kind, ValueKind::Map(_)) {
                    diagnostics.push(not_a_value(element.value));
                }
            }
        }
        ValueKind::Name(name) => match name.as_single_name() {
            Some(single) if names.definition(file, &single.text).is_some() => {}
            Some(single) => diagnostics.push(names.unknown_name(file, single)),
            None => diagnostics.push(not_a_value(value)),
        },
        ValueKind::Map(_) | ValueKind::JsonPath(_) | ValueKind::Null => diagnostics.push(not_a_value(value)),
        _ => {}
    }
}

/// Returns the finding about a `let` whose value is not a constant.
fn not_a_value(value: &ast::AstValue) -> Diagnostic {
    let help = match value.kind {
        ValueKind::Name(_) | ValueKind::JsonPath(_) => "a `let` cannot use the payload: use `def` for a condition",
        _ => "a `let` is a string, number, boolean, duration, size, regex or list",
    };
    Diagnostic::new(Code::BAD_VALUE, format!("a `let` cannot be {}", kind_noun(&value.kind)))
        .label(value.span, "not a constant")
        .help(help)
}
