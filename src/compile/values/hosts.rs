//! Compiles the hosts on the right side of a test: globs, domains, addresses and networks.

use super::globs::{bad_glob, charge_globs};
use super::string_list;
use crate::compile::names::{LayerNames, ScopedValue};
use crate::diagnostic::{Code, Diagnostic};
use crate::domain::{HostRange, glob_without_port};
use crate::ruleset::HostTest;
use crate::span::Span;
use crate::syntax::{ast, string_literal};
use hookrules_shell::path::TextGlobs;

/// Compiles a test of hosts; `None` if a mistake was reported.
pub(in crate::compile) fn compile_host_test<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    operator: ast::Operator,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<HostTest> {
    Some(match operator {
        ast::Operator::Under => HostTest::Under(compile_hosts(names, scoped, diagnostics)?.into()),
        ast::Operator::Outside => HostTest::Outside(compile_hosts(names, scoped, diagnostics)?.into()),
        _ => {
            let (globs, names_port) = compile_host_globs(names, scoped, diagnostics)?;
            HostTest::Like(globs.into(), names_port)
        }
    })
}

/// Compiles the globs of a `like` on hosts. Also returns whether one of them has a port.
fn compile_host_globs<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(TextGlobs, bool)> {
    let texts = string_list(names, scoped, "a host", diagnostics)?;
    for ast::StringLiteral { value: text, span, .. } in texts.iter().map(|listed| listed.literal) {
        if text.contains('/') {
            diagnostics.push(bad_host("a URL or a network", text, *span));
            return None;
        }
        let port = text.rsplit_once(':').map_or("", |(_, port)| port);
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if port.split_once('-').is_some_and(|(first, last)| is_number(first) && is_number(last)) {
            diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, format!("`{text}` matches no host"))
                    .label(*span, "a range of ports, where one is compared as a text")
                    .help("write a glob of the port, such as \"*:80??\", or each port"),
            );
            return None;
        }
    }
    let globs: Vec<(String, bool)> = texts.iter().map(|listed| glob_without_port(&listed.literal.value)).collect();
    let names_port = globs.iter().any(|(_, names_port)| *names_port);
    let patterns: Vec<String> = globs.into_iter().map(|(glob, _)| glob).collect();
    if patterns.is_empty() {
        return Some((TextGlobs::default(), false));
    }
    charge_globs(names, &patterns, scoped.value.span)?;
    let globs = TextGlobs::new(&patterns);
    let globs = globs.map_err(|error| diagnostics.push(bad_glob(&error, &texts, scoped.value.span))).ok()?;
    Some((globs, names_port))
}

/// Compiles the domains and networks of an `under` or `outside` on hosts.
fn compile_hosts<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<HostRange>> {
    let texts = string_list(names, scoped, "a host", diagnostics)?;
    let mut ranges = Vec::new();
    let before = diagnostics.len();
    for ast::StringLiteral { value: text, span, .. } in texts.iter().map(|listed| listed.literal) {
        match HostRange::parse(text) {
            Ok(range) => ranges.push(range),
            Err(what) => diagnostics.push(bad_host(what, text, *span)),
        }
    }
    (diagnostics.len() == before).then_some(ranges)
}

/// Returns the finding about a text that is not a host; `what` describes what the text is. The host of a URL is
/// proposed.
fn bad_host(what: &str, text: &str, span: Span) -> Diagnostic {
    let found = Diagnostic::new(Code::BAD_VALUE, format!("`{text}` is no host")).label(span, what.to_owned());
    // The host of a URL is meant.
    let host = text.split_once("://").map(|(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or_default());
    if let Some(host) = host.filter(|host| !host.is_empty() && !host.contains(['@', '{'])) {
        let right = string_literal(host, "");
        return found.help(format!("write `{right}`: a host has no scheme and no path")).fix(span, right);
    }
    found.help(
        "`under` and `outside` take domains and networks, such as \"example.org\", \"10.0.0.0/8\" and \"example.org:22\"; \
         `like` takes globs, such as \"*.example.org\"",
    )
}
