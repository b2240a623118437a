//! Finds tests that compare a path, as text, with something that no path contains: when a path is compared, it is
//! absolute and has no `..`.

use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::comparison::{RegexSource, RuleTest, visit_tests};
use super::glob_as_text::shortened;
use super::project_globs::without_variable;
use super::sources::compared_texts;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, Rule, ValueReference, ValueTest, WhereField};
use crate::syntax::string_literal;
use hookrules_shell::Pattern;
use hookrules_shell::programs::OptionEffect;

pub(super) const LINT: Lint = Lint { codes: &[Code::PATH_NOT_NORMALISED], check };

/// Reports tests that compare a path, or an option's value that is a path, as text.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, test, .. } = &seen.test.kind else { return };
        match source {
            ValueReference::Where(WhereField::Option(name)) => {
                findings.extend(option_finding(written, &seen, name, test))
            }
            _ if source.is_path() => findings.extend(path_finding(written, seen.test, test)),
            _ => {}
        }
    });
}

/// Returns the finding about an option whose value is a path, but which is compared as text:
/// `option "--dir" like "packages/*"`.
fn option_finding(written: &SourceTexts<'_>, seen: &RuleTest<'_>, name: &str, test: &ValueTest) -> Option<Diagnostic> {
    let (effect, dir) = option_directory(seen, name, test)?;
    let comparison = written.comparison(seen.test)?;
    let under = format!("{}under {}", comparison.negation_prefix(), string_literal(dir, ""));
    let finding = Diagnostic::new(Code::PATH_NOT_NORMALISED, "a path is compared letter by letter")
        .label(seen.test.span, "`./`, `..` and absolute paths are other letters");
    Some(match effect {
        OptionEffect::Enters => {
            let finding = finding.help(format!("write `cwd {under}`, which follows `{name}`"));
            if comparison.all { finding } else { finding.fix_that_changes(seen.test.span, format!("cwd {under}")) }
        }
        _ => finding
            .help(format!("write `{} {under}`", comparison.operand))
            .fix_that_changes(comparison.operator_and_value_span(), under),
    })
}

/// Returns what the commands of a test do with the path in the value of an option, and the directory that the test
/// requires. `None` if the commands do different things, or if the test does not require a directory.
pub(super) fn option_directory<'t>(
    seen: &RuleTest<'_>,
    option: &str,
    test: &'t ValueTest,
) -> Option<(OptionEffect, &'t str)> {
    let texts = compared_texts(test);
    let [text] = texts.as_slice() else { return None };
    let dir = text.trim_start_matches("./").trim_end_matches('*').strip_suffix('/')?;
    let is_part = matches!(test, ValueTest::EndsWith(_) | ValueTest::Contains(_));
    if dir.is_empty() || dir.contains(['*', '?', '[', '{', '$']) || is_part {
        return None;
    }
    let mut uses = seen.filtered_patterns?.iter().map(|pattern| option_use(pattern, option));
    let effect = uses.next().flatten().filter(|effect| uses.all(|other| other == Some(*effect)))?;
    Some((effect, dir))
}

/// Returns what the command of a pattern does with the path in the value of an option; `None` if the value is no
/// path.
fn option_use(pattern: &Pattern, option: &str) -> Option<OptionEffect> {
    let mut words = pattern.text().split_whitespace();
    let mut program = pattern.programs().program(words.next()?)?;
    let mut effect = program.option(option).map(|option| option.does);
    for word in words {
        let Some(command) = program.command(word) else { break };
        program = command;
        effect = program.option(option).map(|option| option.does).or(effect);
    }
    effect.filter(|effect| matches!(effect, OptionEffect::Reads | OptionEffect::Writes | OptionEffect::Enters))
}

/// A problem with a test of a path, with the texts of the finding.
struct WrongPathTest {
    message: String,
    label: &'static str,
    help: String,
    /// The operator and the value to write instead, if they are certain.
    instead: Option<String>,
}

/// The label for a relative text.
const ABSOLUTE: &str = "never matches: paths are absolute when they are compared";
/// The label for a text with `..`.
const RESOLVED: &str = "never matches: `..` is resolved before paths are compared";

/// Returns the finding about a test that compares a path as text; `None` if the test may match a path.
fn path_finding(written: &SourceTexts<'_>, condition: &Condition, test: &ValueTest) -> Option<Diagnostic> {
    let wrong = match test {
        ValueTest::StartsWith(value) => prefix_problem(value.as_text()?),
        ValueTest::Contains(value) => substring_problem(value.as_text()?, "contains"),
        ValueTest::EndsWith(value) => substring_problem(value.as_text()?, "ends_with")
            .filter(|_| value.as_text().is_some_and(has_unnormalised_part)),
        ValueTest::Matches(regex) => regex_problem(written, regex.pattern()),
        _ => None,
    }?;
    let finding = Diagnostic::new(Code::PATH_NOT_NORMALISED, wrong.message).label(condition.span, wrong.label);
    let Some(comparison) = written.comparison(condition) else { return Some(finding.help(wrong.help)) };
    // No other operator captures a text, and the rule uses it.
    if let Some(regex) = comparison.regex.as_ref().and_then(anchored_capture) {
        let instead = format!("{}matches {regex}", comparison.negation_prefix());
        let finding = finding.help(format!("write `{} {instead}`", comparison.operand));
        return Some(finding.fix_that_changes(comparison.operator_and_value_span(), instead));
    }
    let finding = finding.help(wrong.help.replace("path ", &format!("{} ", comparison.operand)));
    Some(match wrong.instead {
        Some(instead) if comparison.regex.is_some() || comparison.texts.is_some() => finding.fix_that_changes(
            comparison.operator_and_value_span(),
            format!("{}{instead}", comparison.negation_prefix()),
        ),
        _ => finding,
    })
}

/// Returns a regex with a capture that searches in the middle of a path, `/\/src\/(?<name>…)/`, in place of one that is
/// anchored at a relative path. `None` for any other regex.
fn anchored_capture(regex: &RegexSource) -> Option<String> {
    let rest = regex.pattern.strip_prefix('^')?;
    let has_capture = rest.contains("(?P<")
        || rest.match_indices("(?<").any(|(at, _)| {
            rest.get(at + 3..).is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        });
    let rest = rest.strip_prefix("\\.\\/").unwrap_or(rest);
    let is_relative = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (has_capture && is_relative).then(|| format!("/\\/{rest}/{}", regex.flags))
}

/// Returns the problem with a text that a test requires a path to begin with; `None` if the text is exact.
fn prefix_problem(text: &str) -> Option<WrongPathTest> {
    let message = shortened("a path is compared with the text `", text, "`");
    if let Some(rest) = text.strip_prefix('/') {
        // `/etc` also matches `/etcetera`; `/etc/` means the same as `under "/etc"`, except for letter case.
        let is_exact = rest.is_empty() || rest.ends_with('/');
        let under = format!("under {}", string_literal(text, ""));
        let help = format!("write `path {under}`");
        let label = "also matches what only begins with these letters";
        return (!is_exact).then_some(WrongPathTest { message, label, help, instead: Some(under) });
    }
    let without_variable = without_variable(text);
    let text = without_variable.as_deref().unwrap_or(text);
    let dir = text.strip_prefix("./").unwrap_or(text);
    let name = dir.strip_suffix('/');
    match name.filter(|name| !name.is_empty() && !name.contains("..")) {
        Some(name) => {
            let under = format!("under {}", string_literal(name, ""));
            let help = format!("write `path {under}`");
            Some(WrongPathTest { message, label: ABSOLUTE, help, instead: Some(under) })
        }
        None => Some(WrongPathTest { message, label: ABSOLUTE, help: relative_prefix_help(dir), instead: None }),
    }
}

/// Returns the help for a test that requires a path to begin with a relative text.
fn relative_prefix_help(text: &str) -> String {
    let is_plain = !text.is_empty() && !text.contains("..") && !text.contains(['*', '?', '[', '{', '\\']);
    match text.strip_suffix('/') {
        _ if !is_plain => "write `path under …` with a directory, or `path like …` with a glob".to_owned(),
        Some(dir) => format!("write `path under {}`", string_literal(dir, "")),
        None => format!(
            "write `path under {}` for the directory, `path like {}` for files that begin so",
            string_literal(text, ""),
            string_literal(&format!("{}{text}*", if text.contains('/') { "" } else { "./" }), "")
        ),
    }
}

/// Whether a text contains the component `.` or `..`, which no normalised path does.
fn has_unnormalised_part(text: &str) -> bool {
    text.starts_with("./") || text.starts_with("../") || text.contains("/../") || text.contains("/./")
}

/// Returns the problem with a text that a test requires a path to contain or end with; `None` if a path can contain it.
fn substring_problem(text: &str, operator: &str) -> Option<WrongPathTest> {
    let has_parent = text == ".." || text == "/.." || text.contains("../");
    let has_current = text.starts_with("./") || text.contains("/./");
    let begins_with_home = text.starts_with("~/") || text.starts_with("$HOME") || text.starts_with("${HOME}");
    let message =
        shortened(&format!("a path never {operator} `"), text, "`").replace("never ends_with", "never ends with");
    let (label, help) = if has_parent {
        (RESOLVED, "write `path outside project` for what leaves the project")
    } else if begins_with_home {
        (
            "never matches: `~` is filled in before paths are compared",
            "write `path under \"~/…\"`, or `path like \"~/…/**\"`",
        )
    } else if has_current {
        (
            "never matches: `.` is taken out before paths are compared",
            "write `path like \"…\"`, from the project's root",
        )
    } else {
        return None;
    };
    Some(WrongPathTest { message, label, help: help.to_owned(), instead: None })
}

/// Returns the problem with a regex that matches no absolute path; `None` if it may match one.
fn regex_problem(written: &SourceTexts<'_>, pattern: &str) -> Option<WrongPathTest> {
    let regex = written.regex(pattern)?;
    let message = shortened("no path matches `/", &pattern.replace('/', "\\/"), "/`");
    let parts = match regex.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(&*regex),
    };
    // A regex that is a single text searches for this text.
    if let [HirKind::Literal(only)] = parts.iter().map(Hir::kind).collect::<Vec<_>>().as_slice()
        && let Ok(text) = std::str::from_utf8(&only.0)
    {
        return substring_problem(text, "contains");
    }
    // Without `^`, the regex may match in the middle of a path.
    if !regex.properties().look_set_prefix().contains(Look::Start) {
        return None;
    }
    let beginnings = Extractor::new().extract(&regex);
    let beginnings = beginnings.literals().filter(|all| !all.is_empty())?;
    // An empty text does not say how a path begins.
    if beginnings.iter().any(|literal| literal.as_bytes().first().is_none_or(|first| *first == b'/')) {
        return None;
    }
    let prefix_text = match parts.iter().map(Hir::kind).collect::<Vec<_>>().as_slice() {
        [HirKind::Look(Look::Start), HirKind::Literal(only)] => std::str::from_utf8(&only.0).ok(),
        _ => None,
    };
    let glob = anchored_regex_as_glob(parts).map(|glob| format!("like {}", string_literal(&glob, "")));
    let dir = prefix_text.and_then(|text| text.strip_suffix('/')).filter(|dir| !dir.is_empty());
    let instead = dir.map(|dir| format!("under {}", string_literal(dir, ""))).or(glob);
    let help = match (&instead, prefix_text, beginnings) {
        (Some(instead), ..) => format!("write `path {instead}`"),
        (None, Some(text), _) => relative_prefix_help(text),
        (None, None, [only]) => relative_prefix_help(std::str::from_utf8(only.as_bytes()).unwrap_or_default()),
        _ => "write `path under …` with a directory, or `path like …` with a glob".to_owned(),
    };
    Some(WrongPathTest { message, label: ABSOLUTE, help, instead })
}

/// Returns the glob, relative to the project's root, with the same meaning as a regex with `^` and `$`; `None` if no
/// glob has it.
fn anchored_regex_as_glob(parts: &[Hir]) -> Option<String> {
    let (first, rest) = parts.split_first()?;
    let (last, middle) = rest.split_last()?;
    let is_anchor = |part: &Hir, look| matches!(part.kind(), HirKind::Look(other) if *other == look);
    if !is_anchor(first, Look::Start) || !is_anchor(last, Look::End) {
        return None;
    }
    let mut glob = String::new();
    let mut parts = middle.iter().peekable();
    while let Some(part) = parts.next() {
        match part.kind() {
            HirKind::Literal(text) => {
                let text = std::str::from_utf8(&text.0).ok()?;
                if text.contains(['*', '?', '[', '{', '\\', '!']) || text.contains("..") {
                    return None;
                }
                glob.push_str(text);
            }
            HirKind::Repetition(repetition) if repetition.max.is_none() => match is_name_class(&repetition.sub)? {
                true => glob.push('*'),
                false if !glob.ends_with('/') => return None,
                false => {
                    let name_continues = parts
                        .peek()
                        .is_some_and(|next| matches!(next.kind(), HirKind::Literal(text) if !text.0.starts_with(b"/")));
                    glob.push_str(if name_continues { "**/*" } else { "**" });
                }
            },
            _ => return None,
        }
    }
    // A glob without a slash would match at any depth.
    Some(if glob.contains('/') { glob } else { format!("./{glob}") })
}

/// Whether a character class excludes the slash; `None` unless it includes the other usual characters of names.
fn is_name_class(class: &Hir) -> Option<bool> {
    let HirKind::Class(Class::Unicode(class)) = class.kind() else { return None };
    let includes = |c: char| class.iter().any(|range| range.start() <= c && c <= range.end());
    (includes('a') && includes('Z') && includes('.') && includes('~') && includes('0')).then(|| !includes('/'))
}
