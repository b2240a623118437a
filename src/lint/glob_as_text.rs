//! Finds globs with an operator that compares literally, and `like` with a text that has no wildcard.

use super::command_text::is_command;
use super::comparison::{SourceComparison, visit_tests};
use super::path_text::option_directory;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    Condition, ConditionExpr, DerivedField, FactName, PolicyValue, Rule, ValueReference, ValueTest, WhereField,
};
use crate::schema::WRITTEN_TEXTS;
use crate::syntax::ast::FileFact;
use crate::syntax::{format_one_or_list, string_literal};

pub(super) const LINT: Lint = Lint { codes: &[Code::GLOB_AS_TEXT, Code::LIKE_WITHOUT_WILDCARD], check };

/// Reports globs that are compared literally, and `like` without a wildcard.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        if let ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source) | ConditionExpr::Truth(source) =
            &seen.test.kind
        {
            findings.extend(glob_for_file(seen.test, source));
        }
        let ConditionExpr::Compare { source, test, .. } = &seen.test.kind else { return };
        // `option_directory` recognises a path in a directory, for which another lint suggests a better test.
        let is_reported_elsewhere = |name: &str| option_directory(&seen, name, test).is_some();
        if matches!(source, ValueReference::Where(WhereField::Option(name)) if is_reported_elsewhere(name)) {
            return;
        }
        let any_value = any_value_finding(written, seen.test, source, test);
        let is_any_value = any_value.is_some();
        findings.extend(any_value);
        if !is_any_value {
            findings.extend(glob_as_text(written, seen.test, source, test));
        }
        findings.extend(without_wildcard(written, seen.test, source, test));
    });
}

/// Returns the finding about a wildcard in the name of the file that a fact is about: `file_exists "*.lock"`.
fn glob_for_file(condition: &Condition, source: &ValueReference) -> Option<Diagnostic> {
    let ValueReference::Fact(FactName::File(fact, value) | FactName::OwnFile(fact, _, value)) = source else {
        return None;
    };
    let name = value.as_text().filter(|name| name.contains(['*', '?']))?;
    let word = match fact {
        FileFact::Exists => "file_exists",
        FileFact::Size => "file_size",
    };
    let help =
        format!("name each file: `{word} \"a.lock\" or {word} \"b.lock\"`; what is touched is tested by `writes like`");
    Some(
        Diagnostic::new(Code::GLOB_AS_TEXT, shortened("`", name, "` is the name of one file here"))
            .label(condition.span, format!("`*` is no wildcard behind `{word}`"))
            .help(help),
    )
}

/// Returns the finding about a variable that is compared with `*`, which stands for any value elsewhere.
fn any_value_finding(
    written: &SourceTexts<'_>,
    condition: &Condition,
    source: &ValueReference,
    test: &ValueTest,
) -> Option<Diagnostic> {
    let is_variable = matches!(
        source,
        ValueReference::Fact(FactName::Env(_)) | ValueReference::Where(WhereField::Env(_) | WhereField::Option(_))
    );
    let ValueTest::Equal(value) = test else { return None };
    if !is_variable || value.as_text() != Some("*") {
        return None;
    }
    let comparison = written.comparison(condition)?;
    let negation = if comparison.negated { "not " } else { "" };
    let instead = format!("{negation}exists {}", comparison.operand);
    Some(
        Diagnostic::new(Code::GLOB_AS_TEXT, "`*` is compared letter by letter")
            .label(condition.span, format!("`*` is no wildcard behind `{}`", comparison.operator.as_str()))
            .help(format!("write `{instead}` for any value"))
            .fix_that_changes(condition.span, instead),
    )
}

/// The part of a value that an operator without wildcards compares: the start for `starts_with`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparedPart {
    Whole,
    Start,
    End,
    Middle,
}

/// Returns the finding about an asterisk in a value that is compared literally, unless the value may really contain
/// one.
fn glob_as_text(
    written: &SourceTexts<'_>,
    at: &Condition,
    source: &ValueReference,
    test: &ValueTest,
) -> Option<Diagnostic> {
    let (part, values) = match test {
        ValueTest::Equal(value) => (ComparedPart::Whole, std::slice::from_ref(value)),
        ValueTest::In(values) => (ComparedPart::Whole, values.as_slice()),
        ValueTest::StartsWith(value) => (ComparedPart::Start, std::slice::from_ref(value)),
        ValueTest::EndsWith(value) => (ComparedPart::End, std::slice::from_ref(value)),
        ValueTest::Contains(value) => (ComparedPart::Middle, std::slice::from_ref(value)),
        _ => return None,
    };
    // Another lint reports globs in tests of a command.
    if is_command(source) {
        return None;
    }
    let is_host =
        matches!(source, ValueReference::Derived(DerivedField::Domain) | ValueReference::Where(WhereField::Domain));
    // Prose may well contain an asterisk.
    let is_probably_glob = |text: &str| match part {
        ComparedPart::Whole => {
            // But a whole text rarely begins or ends with an asterisk, except for the `**` of Markdown.
            let has_outer_star = text.starts_with('*') != text.starts_with("**") || text.ends_with('*');
            is_name(source) || (text.contains(char::is_alphanumeric) && (!is_free_text(source) || has_outer_star))
        }
        _ => is_name(source),
    };
    // Reported by other lints: a domain with a path after it, and a permission such as `Bash(git:*)` as the name of a
    // tool.
    let is_tool = matches!(source, ValueReference::Derived(DerivedField::ToolName));
    let is_reported_elsewhere = |value: &str| is_host && value.contains('/') || is_tool && value.ends_with(')');
    let is_glob = |value: &&str| value.contains('*') && is_probably_glob(value) && !is_reported_elsewhere(value);
    let glob = values.iter().filter_map(PolicyValue::as_text).find(is_glob)?;
    let comparison = written.comparison(at);
    let span = comparison.as_ref().and_then(|it| it.text_span(glob)).unwrap_or(at.span);
    let operator = comparison.as_ref().map_or("==", |it| it.operator.as_str());
    let finding = Diagnostic::new(Code::GLOB_AS_TEXT, shortened("`", glob, "` is compared letter by letter"))
        .label(span, format!("`*` is no wildcard behind `{operator}`"));
    if is_tool && glob.starts_with("mcp__") {
        return Some(finding.help(format!("select it in the head: `on PreToolUse({glob})`")));
    }
    let globs = |it: &SourceComparison| {
        if is_host {
            like_comparison(it, host_globs)
        } else {
            like_comparison(it, |text| vec![glob_around(text, part)])
        }
    };
    Some(match comparison.and_then(|it| Some((globs(&it)?, it))) {
        Some((like, it)) => {
            let help = format!("write `{} {}`", it.operand, if like.len() < 60 { &like } else { "like …" });
            finding.help(help).fix_that_changes(it.operator_and_value_span(), like)
        }
        None => finding.help("write `like`, which knows globs"),
    })
}

/// Returns the operator and value of a `like` with the intended meaning of a comparison. `None` if the globs contain
/// other special characters.
fn like_comparison(comparison: &SourceComparison, globs_of: impl Fn(&str) -> Vec<String>) -> Option<String> {
    let texts = comparison.texts.as_ref()?;
    let mut globs: Vec<String> = Vec::new();
    for glob in texts.iter().flat_map(|written| globs_of(&written.text)) {
        if !globs.contains(&glob) {
            globs.push(glob);
        }
    }
    // Whether other special characters are meant as wildcards is for a person to decide.
    let is_plain = |glob: &String| !glob.contains(['[', ']', '{', '}', '\\', '?']) && !glob.starts_with('!');
    globs.iter().all(is_plain).then(|| format!("{}like {}", comparison.negation_prefix(), format_one_or_list(&globs)))
}

/// Returns the glob that compares this part of a value with a text that contains an asterisk.
fn glob_around(text: &str, part: ComparedPart) -> String {
    match part {
        ComparedPart::Whole => text.to_owned(),
        ComparedPart::Start => format!("{}*", text.trim_end_matches('*')),
        ComparedPart::End => format!("*{}", text.trim_start_matches('*')),
        ComparedPart::Middle => format!("*{}*", text.trim_matches('*')),
    }
}

/// Returns the globs for a host with a leading asterisk: `*.docs.rs` becomes `docs.rs` and `*.docs.rs`, because the
/// latter does not match `docs.rs` itself.
fn host_globs(text: &str) -> Vec<String> {
    let bare = text.strip_prefix("*.").filter(|host| !host.contains('*'));
    bare.map(str::to_owned).into_iter().chain([text.to_owned()]).collect()
}

/// Whether the values of a source are names or paths, which contain no asterisk.
fn is_name(source: &ValueReference) -> bool {
    use DerivedField::{Agent, AgentType, Domain, Event, Host, ToolName};
    source.is_path() || matches!(source, ValueReference::Derived(ToolName | Agent | AgentType | Domain | Event | Host))
}

/// Returns the finding about a `like` without a wildcard on a branch or on prose, where the author probably means only
/// a part of the text.
fn without_wildcard(
    written: &SourceTexts<'_>,
    condition: &Condition,
    source: &ValueReference,
    test: &ValueTest,
) -> Option<Diagnostic> {
    let ValueTest::LikeText(globs) = test else { return None };
    let has_none = |glob: &str| !glob.contains(['*', '?', '[', '{', '!']);
    let first = globs.patterns().next()?;
    if !globs.patterns().all(has_none) {
        return None;
    }
    if globs.patterns().all(is_sql_pattern) {
        return Some(sql_pattern_finding(written, condition, globs.patterns().map(str::to_owned).collect()));
    }
    let comparison = written.comparison(condition);
    let is_name = !MAIN_BRANCHES.contains(&first) && !first.contains(['|', ',', '/']);
    if is_branch(source) && globs.patterns().len() == 1 && is_name {
        return Some(branch_finding(condition, first, comparison.as_ref()));
    }
    if !is_free_text(source) {
        return None;
    }
    let span = comparison.as_ref().and_then(|it| it.text_span(first)).unwrap_or(condition.span);
    let name = comparison.as_ref().map_or("the text", |it| it.operand.as_str());
    let message = shortened("`like` compares the whole text with `", first, "`");
    let finding = Diagnostic::new(Code::LIKE_WITHOUT_WILDCARD, message)
        .label(span, format!("true only if `{name}` is exactly this"));
    Some(match comparison.as_ref().and_then(|it| Some((it, it.texts.as_ref()?))) {
        Some((it, texts)) => {
            let instead = match texts.as_slice() {
                [only] => format!("{}contains {}", it.negation_prefix(), string_literal(&only.text, "")),
                several => {
                    let globs: Vec<String> = several.iter().map(|text| format!("*{}*", text.text)).collect();
                    format!("{}like {}", it.negation_prefix(), format_one_or_list(&globs))
                }
            };
            let help = match instead.len() {
                ..60 => format!("write `{name} {instead}`; `==` says that the whole text is meant"),
                _ => "write `*` around it, or `matches`; `==` says that the whole text is meant".to_owned(),
            };
            finding.help(help).fix_that_changes(it.operator_and_value_span(), instead)
        }
        None => finding.help("write `contains`, or `*` around it; `==` says that the whole text is meant"),
    })
}

/// Returns the finding about `like "release"` on a branch, where `release/**` may be meant.
fn branch_finding(condition: &Condition, branch: &str, comparison: Option<&SourceComparison>) -> Diagnostic {
    let name = comparison.map_or("the branch", |it| it.operand.as_str());
    let negation = comparison.map_or("", SourceComparison::negation_prefix);
    let below = string_literal(&format!("{}/**", branch.trim_end_matches('/')), "");
    let message = shortened("`like` compares the whole name with `", branch, "`");
    Diagnostic::new(Code::LIKE_WITHOUT_WILDCARD, message)
        .label(condition.span, format!("false of `{branch}/1.2`"))
        .help(format!(
            "write `{name} {negation}like {below}` for the branches below it; `==` says that this one is meant"
        ))
}

/// The names of main branches: each is a single branch, never a prefix of branches such as `release/`.
const MAIN_BRANCHES: &[&str] = &["main", "master", "trunk", "develop", "development", "HEAD"];

fn is_branch(source: &ValueReference) -> bool {
    matches!(source, ValueReference::Fact(FactName::GitBranch) | ValueReference::Where(WhereField::PushTarget))
}

/// Whether a text begins or ends with `%`, the wildcard of SQL.
fn is_sql_pattern(text: &str) -> bool {
    let inner = text.trim_matches('%');
    inner.len() < text.len() && !inner.is_empty() && !inner.contains('%')
}

/// Returns the finding about wildcards of SQL: `like "%salary%"`.
fn sql_pattern_finding(written: &SourceTexts<'_>, condition: &Condition, texts: Vec<String>) -> Diagnostic {
    let globs: Vec<String> = texts.iter().map(|text| text.replace('%', "*")).collect();
    let comparison = written.comparison(condition);
    let name = comparison.as_ref().map_or("…", |it| it.operand.as_str());
    let negation = comparison.as_ref().map_or("", SourceComparison::negation_prefix);
    let right = match (texts.as_slice(), globs.as_slice()) {
        ([text], _) if text.len() > 2 && text.starts_with('%') && text.ends_with('%') => {
            format!("{negation}contains {}", string_literal(text.trim_matches('%'), ""))
        }
        (_, globs) => format!("{negation}like {}", format_one_or_list(globs)),
    };
    let first = texts.first().map_or("", String::as_str);
    let literal_span = comparison.as_ref().and_then(|it| it.text_span(first)).unwrap_or(condition.span);
    let finding = Diagnostic::new(Code::LIKE_WITHOUT_WILDCARD, shortened("`%` is a letter in `", first, "`"))
        .label(literal_span, "a wildcard of SQL: `like` has `*`")
        .help(format!("write `{name} {right}`"));
    match comparison {
        Some(it) => finding.fix_that_changes(it.operator_and_value_span(), right),
        None => finding,
    }
}

/// The members of payloads and of tools' inputs that contain prose or several lines, besides the texts that tools
/// write.
const FREE_TEXTS: &[&str] = &[
    "custom_instructions",
    "description",
    "error",
    "last_assistant_message",
    "message",
    "old_string",
    "plan",
    "prompt",
    "tool_response",
    "tool_result",
];

/// Whether the values of a source are prose or several lines.
pub(super) fn is_free_text(source: &ValueReference) -> bool {
    match source {
        ValueReference::Derived(DerivedField::Content) | ValueReference::Where(WhereField::Input) => true,
        ValueReference::Raw { path, .. } => {
            path.last().is_some_and(|name| WRITTEN_TEXTS.iter().chain(FREE_TEXTS).any(|free| free == name))
        }
        _ => false,
    }
}

/// The maximum width of a message with an author's text, in columns.
const MAX_MESSAGE_COLUMNS: usize = 72;

/// Joins a message from a text of the policy's author and the parts around it. Only the first line of the text is used,
/// shortened so that the message is not too wide.
pub(super) fn shortened(before: &str, text: &str, after: &str) -> String {
    let room = MAX_MESSAGE_COLUMNS.saturating_sub(before.chars().count() + after.chars().count());
    let text = text.split('\n').next().unwrap_or_default();
    match text.chars().count() {
        length if length <= room => format!("{before}{text}{after}"),
        _ => format!("{before}{}…{after}", text.chars().take(room.saturating_sub(1)).collect::<String>()),
    }
}
