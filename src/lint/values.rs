//! Finds values that a field never has in this form, such as `refs/heads/main` for a branch, and comparisons of a
//! boolean with `true` or `false`.

use std::net::IpAddr;

use super::comparison::{is_condition, visit_tests};
use super::glob_as_text::shortened;
use super::selectors::{branch_in_reference, compared_names};
use super::sources::compared_texts;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::host::Host;
use crate::ruleset::{
    Condition, ConditionExpr, DerivedField, FactName, Literal, PolicyValue, Rule, ValueReference, ValueTest, WhereField,
};
use crate::syntax::{format_one_or_list, string_literal};

pub(super) const LINT: Lint = Lint { codes: &[Code::BOOL_COMPARE, Code::CASE_IMPOSSIBLE, Code::ENUM_VALUE], check };

/// Reports comparisons with values that a field never has, and comparisons of booleans.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, all, test, .. } = &seen.test.kind else { return };
        match test {
            ValueTest::Equal(PolicyValue::Literal(Literal::Boolean(true))) if !all => {
                findings.extend(comparison_with_true(written, seen.test))
            }
            ValueTest::Equal(PolicyValue::Literal(Literal::Boolean(false))) if !all && can_be_missing(source) => {
                findings.extend(comparison_with_false(written, seen.test));
            }
            test if is_host(source) && compared_texts(test).into_iter().any(is_network) => {
                findings.push(network_finding(written, seen.test, source, test));
            }
            test if is_host(source) => {
                compared_texts(test)
                    .into_iter()
                    .for_each(|text| findings.extend(domain_finding(written, seen.test, text)));
            }
            test if matches!(
                source,
                ValueReference::Fact(FactName::GitBranch) | ValueReference::Where(WhereField::PushTarget)
            ) =>
            {
                let field = if matches!(source, ValueReference::Fact(_)) {
                    BranchField::CheckedOut
                } else {
                    BranchField::Pushed
                };
                // The lint `selectors` reports a reference that is compared with a whole name.
                let is_reference = |text: &str| {
                    field == BranchField::CheckedOut
                        && compared_names(test).contains(&text)
                        && branch_in_reference(text).is_some()
                };
                let texts = compared_texts(test).into_iter().filter(|text| !is_reference(text));
                findings.extend(texts.filter_map(|text| branch_name_finding(written, seen.test, text, field)));
            }
            test if is_program(source) => {
                compared_texts(test)
                    .into_iter()
                    .for_each(|text| findings.extend(program_path_finding(written, seen.test, text)));
            }
            test => report_other_names(written, seen.test, source, test, findings),
        }
    });
}

/// Reports names of agent programs and URLs of remotes that no value has.
fn report_other_names(
    written: &SourceTexts<'_>,
    condition: &Condition,
    source: &ValueReference,
    test: &ValueTest,
    findings: &mut FindingSink,
) {
    match (source, test) {
        (
            ValueReference::Where(WhereField::Variables | WhereField::Env(_)) | ValueReference::Fact(FactName::Env(_)),
            test,
        ) => {
            let texts = compared_texts(test).into_iter();
            findings.extend(texts.filter_map(|text| variable_finding(written, condition, source, text)));
        }
        (ValueReference::Derived(DerivedField::Host), test) => {
            let texts = compared_names(test);
            findings.extend(texts.into_iter().filter_map(|text| agent_host_finding(written, condition, text)));
        }
        (
            ValueReference::Fact(FactName::GitRemote),
            ValueTest::Equal(_) | ValueTest::In(_) | ValueTest::StartsWith(_),
        ) => {
            let texts = compared_texts(test).into_iter();
            findings.extend(texts.filter_map(|text| remote_finding(written, condition, text)));
        }
        _ => {}
    }
}

/// Returns the finding about a variable with its `$`, which neither a name in `variables` nor a value has.
fn variable_finding(
    written: &SourceTexts<'_>,
    test: &Condition,
    source: &ValueReference,
    text: &str,
) -> Option<Diagnostic> {
    let braced = |rest: &'_ str| rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).map(str::to_owned);
    let rest = text.strip_prefix('$')?;
    let name = braced(rest).unwrap_or_else(|| rest.to_owned());
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name {
        return None;
    }
    if matches!(source, ValueReference::Where(WhereField::Variables)) {
        let message = (shortened("no variable is named `", text, "`"), "names have no `$` here");
        return Some(other_name_finding(written, test, text, message, &name));
    }
    let literal_span = written.comparison(test).and_then(|it| it.text_span(text)).unwrap_or(test.span);
    let finding = Diagnostic::new(Code::ENUM_VALUE, shortened("a variable is never `", text, "`"))
        .label(literal_span, "no shell replaces it");
    // A variable that is compared with itself shows that its author looks for the value.
    let is_itself = match source {
        ValueReference::Where(WhereField::Env(own)) | ValueReference::Fact(FactName::Env(own)) => *own == name,
        _ => false,
    };
    Some(match is_itself {
        true => finding.help("write the value that is meant, in quotes"),
        false => finding.help(format!("write `env.{name}`")).fix_that_changes(literal_span, format!("env.{name}")),
    })
}

/// Returns the finding about a name that no known agent has, but that means one: `Claude Code`, `gemini-cli`. Any other
/// name may be that of a host which a record of the user adds.
fn agent_host_finding(written: &SourceTexts<'_>, test: &Condition, text: &str) -> Option<Diagnostic> {
    let lower = text.to_ascii_lowercase().replace([' ', '_'], "-");
    let first = |name: &str| name.split('-').next().unwrap_or_default().to_owned();
    let is_known = Host::names().any(|name| name == text);
    let near =
        Host::names().find(|name| *name == lower).or_else(|| Host::names().find(|name| first(name) == first(&lower)));
    let near = near.filter(|_| !is_known && !text.contains(['*', '?']))?;
    let message = shortened("`host` is never `", text, "`");
    Some(other_name_finding(written, test, text, (message, "not the name of an agent program"), near))
}

/// Returns the finding about a text that no value has, and for which `name` is meant.
fn other_name_finding(
    written: &SourceTexts<'_>,
    test: &Condition,
    text: &str,
    (message, label): (String, &str),
    name: &str,
) -> Diagnostic {
    let literal_span = written.comparison(test).and_then(|it| it.text_span(text));
    let finding = Diagnostic::new(Code::ENUM_VALUE, message)
        .label(literal_span.unwrap_or(test.span), label)
        .help(format!("write `{}`", string_literal(name, "")));
    match literal_span {
        Some(literal_span) => finding.fix_that_changes(literal_span, string_literal(name, "")),
        None => finding,
    }
}

/// Returns the finding about the start of a URL of `origin` without its scheme: `github.com/acme/x`.
fn remote_finding(written: &SourceTexts<'_>, test: &Condition, text: &str) -> Option<Diagnostic> {
    let is_url = text.contains(':') || text.starts_with(['/', '.', '~']);
    let host = text.split('/').next().unwrap_or_default();
    if is_url || !host.contains('.') || host.contains(' ') {
        return None;
    }
    let comparison = written.comparison(test)?;
    let span = comparison.text_span(text).unwrap_or(test.span);
    Some(
        Diagnostic::new(Code::ENUM_VALUE, shortened("`git.remote` never begins with `", text, "`"))
            .label(span, "a URL has a scheme, or a colon behind its host")
            .help(format!("write `git.remote {}contains {}`", comparison.negation_prefix(), string_literal(text, ""))),
    )
}

/// Whether the values of a source are names of programs.
fn is_program(source: &ValueReference) -> bool {
    use WhereField::{PipedFrom, PipedTo, Program, Via};
    matches!(source, ValueReference::Where(Program | Via | PipedFrom | PipedTo))
}

/// Returns the finding about a path that a program's name is compared with: the name has no directory.
fn program_path_finding(written: &SourceTexts<'_>, test: &Condition, text: &str) -> Option<Diagnostic> {
    let (_, base) = text.rsplit_once('/').filter(|(_, base)| !base.is_empty())?;
    let message = shortened("no program is called `", text, "` here");
    let label = "programs have their base names, whatever their directory";
    Some(other_name_finding(written, test, text, (message, label), base))
}

/// A field whose values are names of branches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BranchField {
    /// `git.branch`: the branch that is checked out.
    CheckedOut,
    /// `push_target`: the branch that a `git push` changes.
    Pushed,
}

/// Returns the finding about a full reference or a refspec that the name of a branch is compared with:
/// `refs/heads/main`, `a:main`.
fn branch_name_finding(
    written: &SourceTexts<'_>,
    test: &Condition,
    text: &str,
    branch_field: BranchField,
) -> Option<Diagnostic> {
    let field = if branch_field == BranchField::Pushed { "push_target" } else { "git.branch" };
    let bare = text.strip_prefix('+').filter(|_| branch_field == BranchField::Pushed).unwrap_or(text);
    let target = bare.rsplit_once(':').map_or(bare, |(_, target)| target);
    let prefixes: &[&str] = match branch_field {
        BranchField::CheckedOut => &["refs/heads/", "heads/", "refs/remotes/origin/", "origin/"],
        BranchField::Pushed => &["refs/heads/", "heads/", "tags/", "refs/remotes/origin/", "origin/"],
    };
    let short = prefixes.iter().find_map(|prefix| target.strip_prefix(prefix)).unwrap_or(target);
    if short == text || short.is_empty() {
        return None;
    }
    let literal_span = written.comparison(test).and_then(|it| it.text_span(text));
    let label = if text.contains(':') { "a branch, not a refspec" } else { "a branch has its short name here" };
    let finding = Diagnostic::new(Code::ENUM_VALUE, shortened(&format!("`{field}` is never `"), text, "`"))
        .label(literal_span.unwrap_or(test.span), label)
        .help(format!("write `{short}`"));
    Some(match literal_span {
        Some(literal_span) => finding.fix_that_changes(literal_span, string_literal(short, "")),
        None => finding,
    })
}

/// Returns a host without its user and port; the colons of an IPv6 address are kept.
fn bare_host(text: &str) -> &str {
    let host = text.rsplit_once('@').map_or(text, |(_, host)| host);
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*');
    host.split_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(host, _)| host)
}

/// Returns the finding about `x == true`, which means the same as `x`.
fn comparison_with_true(written: &SourceTexts<'_>, test: &Condition) -> Option<Diagnostic> {
    let comparison = written.comparison(test)?;
    let negation = if comparison.negated { "not " } else { "" };
    let instead = format!("{negation}{}", comparison.operand);
    Some(
        Diagnostic::new(Code::BOOL_COMPARE, "a boolean is compared with `true`")
            .label(test.span, "a boolean is a test by itself")
            .help(format!("write `{instead}`"))
            .fix(test.span, instead),
    )
}

/// Whether a call may lack the value of a source: most members of a tool's input are optional.
fn can_be_missing(source: &ValueReference) -> bool {
    matches!(source, ValueReference::Raw { path, .. } if path.first().is_some_and(|first| first == "tool_input") && path.len() == 2)
}

/// Returns the finding about `tool_input.run_in_background == false`, which is false if the call does not have the
/// member.
fn comparison_with_false(written: &SourceTexts<'_>, test: &Condition) -> Option<Diagnostic> {
    let comparison = written.comparison(test)?;
    let negation = if comparison.negated { "" } else { "not " };
    let instead = format!("{negation}{}", comparison.operand);
    Some(
        Diagnostic::new(Code::BOOL_COMPARE, "a boolean is compared with `false`")
            .label(test.span, "false of a call that does not have it")
            .help(format!("write `{instead}`, which is true of a call without it, too"))
            .fix_that_changes(test.span, instead),
    )
}

/// Whether the values of a source are names of hosts.
fn is_host(source: &ValueReference) -> bool {
    matches!(source, ValueReference::Derived(DerivedField::Domain) | ValueReference::Where(WhereField::Domain))
}

/// Whether a text is a range of IP addresses: `10.0.0.0/8`.
fn is_network(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    address.parse::<IpAddr>().is_ok() && bits.parse::<u8>().is_ok()
}

/// Returns the finding about a range of IP addresses that a host is compared with.
fn network_finding(
    written: &SourceTexts<'_>,
    condition: &Condition,
    source: &ValueReference,
    test: &ValueTest,
) -> Diagnostic {
    let texts = compared_texts(test);
    let network = texts.iter().copied().find(|text| is_network(text)).unwrap_or_default();
    let comparison = written.comparison(condition);
    let network_span = comparison.as_ref().and_then(|it| it.text_span(network)).unwrap_or(condition.span);
    let addresses: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let word = if comparison.as_ref().is_some_and(|it| it.negated) { "outside" } else { "under" };
    let right = format!("connects {word} {}", format_one_or_list(&addresses));
    let is_whole = comparison.is_some_and(|it| matches!(source, ValueReference::Derived(_)) && !it.all);
    let finding = Diagnostic::new(Code::ENUM_VALUE, shortened("`domain` is never `", network, "`"))
        .label(network_span, "a range of addresses: `domain` is one host")
        .help(format!("write `{right}`, which knows ranges"));
    match is_whole && addresses.iter().all(|text| !text.contains('*') && is_condition(&right)) {
        true => finding.fix_that_changes(condition.span, right),
        false => finding,
    }
}

/// Returns the finding about a text that no domain equals, because it has capital letters, a scheme, a path, a port or
/// a user.
fn domain_finding(written: &SourceTexts<'_>, test: &Condition, text: &str) -> Option<Diagnostic> {
    let literal_span = written.comparison(test).and_then(|it| it.text_span(text));
    let span = literal_span.unwrap_or(test.span);
    let bare = bare_host(text);
    let (finding, instead) = if bare != text && !text.contains('/') {
        let finding = Diagnostic::new(Code::ENUM_VALUE, shortened("`domain` is never `", text, "`"))
            .label(span, "a domain has no port and no user")
            .help(format!("write `{}`; `connects like` knows ports", string_literal(&bare.to_ascii_lowercase(), "")));
        (finding, bare.to_ascii_lowercase())
    } else if text.contains('/') || text.contains("://") {
        let host = text.split_once("://").map_or(text, |(_, rest)| rest);
        let host = host.split('/').next().unwrap_or_default();
        let finding = Diagnostic::new(Code::ENUM_VALUE, shortened("`domain` is never `", text, "`"))
            .label(span, "a domain has no scheme and no path");
        let instead = host.to_ascii_lowercase();
        let help = match instead.trim_matches('*') {
            "" => "write the domain alone; `url` is the whole address".to_owned(),
            _ => format!("write `{}`; `url` is the whole address", string_literal(&instead, "")),
        };
        (finding.help(help), instead)
    } else if text.contains(|c: char| c.is_ascii_uppercase()) && !text.contains(['[', '\\']) {
        let finding = Diagnostic::new(Code::CASE_IMPOSSIBLE, shortened("`domain` is never `", text, "`"))
            .label(span, "`domain` is in lower case")
            .help("write it in lower case");
        (finding, text.to_ascii_lowercase())
    } else {
        return None;
    };
    Some(match literal_span.filter(|_| !instead.trim_matches('*').is_empty()) {
        Some(literal_span) => finding.fix_that_changes(literal_span, string_literal(&instead, "")),
        None => finding,
    })
}
