//! Renders findings as SARIF 2.1.0, the format of code scanning tools.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html> defines the format. The section numbers below
//! are from there.

use serde_json::{Value as Json, json};

use crate::diagnostic::{CODES, Code, Diagnostic, Label, Severity, page};
use crate::span::{Sources, Span};

/// Returns the SARIF log of one run with these findings.
pub(super) fn document(findings: &[&Diagnostic], sources: &Sources) -> String {
    let is_found = |code: &Code| findings.iter().any(|finding| finding.code == code);
    let rules: Vec<Json> = CODES.iter().map(|(code, sentence)| rule(code, sentence, is_found(code), BOOK)).collect();
    let results: Vec<Json> = findings.iter().map(|finding| result(finding, sources)).collect();
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "rules",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

/// The address of the book, which `homepage` in Cargo.toml has; empty until one is published.
const BOOK: &str = env!("CARGO_PKG_HOMEPAGE");

/// Returns the SARIF description of a code (3.49). Only a code that is found has its whole page, which all together
/// would be longer than most reports.
fn rule(code: &Code, sentence: &str, is_found: bool, book: &str) -> Json {
    let mut help = json!({ "text": format!("`rules explain {}` shows the page of this code.", code.id) });
    let mut rule = json!({
        "id": code.id,
        "name": code.name,
        "shortDescription": { "text": sentence },
        "defaultConfiguration": { "enabled": code.is_on, "level": level(code.severity) },
    });
    if let Some(members) = help.as_object_mut().filter(|_| is_found) {
        members.insert("markdown".to_owned(), with_absolute_links(page(code), book).into());
    }
    if let Some(members) = rule.as_object_mut() {
        members.insert("help".to_owned(), help);
        // A URI must be absolute (3.49.12), and there is none without a published book.
        if !book.is_empty() {
            let address = format!("{}/codes/{}.html", book.trim_end_matches('/'), code.name);
            members.insert("helpUri".to_owned(), address.into());
        }
    }
    rule
}

/// Returns the page of a code with links that lead somewhere outside of the book: to the published book or, without
/// one, nowhere, so that only their text is left.
fn with_absolute_links(page: &str, book: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some(at) = rest.find("](") {
        let (before, behind) = rest.split_at(at);
        let target = behind.get(2..).and_then(|behind| behind.split_once(')'));
        let (Some((target, after)), Some(open)) = (target, before.rfind('[')) else { break };
        let is_relative = target.contains(".md") && !target.contains("://");
        let text = before.get(open + 1..).unwrap_or_default();
        let link = match (is_relative, book.is_empty()) {
            (false, _) => format!("[{text}]({target})"),
            (true, true) => text.to_owned(),
            (true, false) => {
                let path = match target.strip_prefix("../") {
                    Some(path) => path.to_owned(),
                    None => format!("codes/{target}"),
                };
                format!("[{text}]({}/{})", book.trim_end_matches('/'), path.replacen(".md", ".html", 1))
            }
        };
        out.push_str(before.get(..open).unwrap_or_default());
        out.push_str(&link);
        rest = after;
    }
    out + rest
}

/// Returns the SARIF result of one finding.
fn result(finding: &Diagnostic, sources: &Sources) -> Json {
    let text = match &finding.help {
        Some(help) => format!("{}: {help}", finding.message),
        None => finding.message.clone(),
    };
    let mut result = json!({
        "ruleId": finding.code.id,
        "level": level(finding.severity),
        "message": { "text": text },
        "locations": finding.labels.first().and_then(|label| location(label, sources)).into_iter().collect::<Vec<_>>(),
    });
    let Some(members) = result.as_object_mut() else { return result };
    if let Some(index) = CODES.iter().position(|(code, _)| *code == finding.code) {
        members.insert("ruleIndex".to_owned(), index.into());
    }
    let related: Vec<Json> = finding.labels.iter().skip(1).filter_map(|label| location(label, sources)).collect();
    if !related.is_empty() {
        members.insert("relatedLocations".to_owned(), related.into());
    }
    if let Some(fix) = &finding.fix
        && let Some((uri, region)) = uri_and_region(fix.span, sources)
    {
        let description = finding.help.as_deref().unwrap_or(&finding.message);
        let change = json!({
            "artifactLocation": { "uri": uri },
            "replacements": [{ "deletedRegion": region, "insertedContent": { "text": fix.replacement } }],
        });
        members.insert(
            "fixes".to_owned(),
            json!([{ "description": { "text": description }, "artifactChanges": [change] }]),
        );
    }
    result
}

/// Returns the SARIF level of a severity. A severity without an equivalent is an error if it fails the check
/// (3.27.10).
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error | Severity::Deny => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Returns the SARIF location of a label; `None` if its file is not in the sources.
fn location(label: &Label, sources: &Sources) -> Option<Json> {
    let (uri, region) = uri_and_region(label.span, sources)?;
    let mut location = json!({ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region } });
    if let Some(members) = location.as_object_mut().filter(|_| !label.text.is_empty()) {
        members.insert("message".to_owned(), json!({ "text": label.text }));
    }
    Some(location)
}

/// Returns the file of a span as a URI reference (3.4.3), and the region in the file.
fn uri_and_region(span: Span, sources: &Sources) -> Option<(String, Json)> {
    let file = sources.file(span)?;
    let ((line, column), (end_line, end_column)) = (file.line_column(span.start), file.line_column(span.end));
    let region = json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column });
    Some((uri(&file.name), region))
}

/// Returns a file name as a URI reference (RFC 3986): relative to the project, or absolute.
fn uri(name: &str) -> String {
    let scheme = if name.starts_with('/') { "file://" } else { "" };
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escaped = name
        .bytes()
        .map(|byte| if is_unreserved(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    format!("{scheme}{}", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_the_published_book_or_is_a_text() {
        let page = "See [items](../reference/items.md#allow), [url](url-as-text.md) and [x](https://x.example).";
        let published = "See [items](https://b.example/reference/items.html#allow), \
                         [url](https://b.example/codes/url-as-text.html) and [x](https://x.example).";
        assert_eq!(with_absolute_links(page, "https://b.example/"), published);
        assert_eq!(with_absolute_links(page, ""), "See items, url and [x](https://x.example).");
    }

    /// Returns the targets of the links in a page.
    fn links(page: &str) -> impl Iterator<Item = &str> {
        page.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
    }

    #[test]
    fn a_code_has_its_page_and_an_address_where_the_book_has_one() {
        for (code, sentence) in CODES {
            let published = rule(code, sentence, true, "https://book.example/");
            assert_eq!(published["helpUri"], format!("https://book.example/codes/{}.html", code.name));
            let markdown = published["help"]["markdown"].as_str().unwrap();
            assert!(links(markdown).all(|target| target.starts_with("https://")), "{}: {markdown}", code.name);
            let alone = rule(code, sentence, true, "");
            let markdown = alone["help"]["markdown"].as_str().unwrap();
            assert!(links(markdown).all(|target| target.starts_with("https://")), "{}: {markdown}", code.name);
            let file = format!("{}/book/src/codes/{}.md", env!("CARGO_MANIFEST_DIR"), code.name);
            assert!(std::path::Path::new(&file).exists(), "the address is that of no page: {file}");
            let other = rule(code, sentence, false, "");
            assert!(other.get("helpUri").is_none() && other["help"].get("markdown").is_none());
            let text = other["help"]["text"].as_str().unwrap();
            assert!(text.contains(&format!("`rules explain {}`", code.id)), "{text}");
        }
    }
}
