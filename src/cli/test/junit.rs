//! Formats the results of tests as JUnit XML, which CI services read.

use std::collections::BTreeMap;

use super::SuiteResults;
use super::problem::LoadProblem;
use crate::diagnostic::{DiagnosticFormat, render};
use crate::examples::{ExampleSuite, SuiteReport};

/// A suite, the number of its line, and its result.
type Case<'r> = (&'r ExampleSuite<'r>, usize, &'r SuiteReport);

/// Returns the XML document: a `testsuite` for each file, and in it a `testcase` for each rule with examples and each
/// test.
pub(super) fn document(results: &SuiteResults<'_>) -> String {
    let mut files: Vec<(&str, Vec<Case<'_>>)> = Vec::new();
    for (suite, report) in &results.suites {
        let (name, line) = results.suite_location(suite);
        match files.iter_mut().find(|(known, _)| *known == name) {
            Some((_, cases)) => cases.push((suite, line, report)),
            None => files.push((name, vec![(suite, line, report)])),
        }
    }
    let is_failed = |report: &SuiteReport| !report.failures.is_empty();
    let failed = results.suites.iter().filter(|(_, report)| is_failed(report)).count();
    let counts = |tests: usize, failures: usize| format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"");
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    out.push_str(&format!("<testsuites name=\"rules test\" {}>\n", counts(results.suites.len(), failed)));
    for (file, cases) in files {
        let failures = cases.iter().filter(|(_, _, report)| is_failed(report)).count();
        let file = escape_xml(file);
        out.push_str(&format!("  <testsuite name=\"{file}\" {} skipped=\"0\">\n", counts(cases.len(), failures)));
        for (suite, line, report) in cases {
            let name = format!("{} {}", suite.kind.noun(), suite.name);
            let name = escape_xml(&name);
            out.push_str(&format!(
                "    <testcase name=\"{name}\" classname=\"{file}\" file=\"{file}\" line=\"{line}\""
            ));
            match report.failures.first() {
                None => out.push_str("/>\n"),
                Some(first) => {
                    let text: String = report
                        .failures
                        .iter()
                        .map(|failure| render(&failure.diagnostic, &results.policy.sources, DiagnosticFormat::PLAIN))
                        .collect();
                    let message = escape_xml(&first.diagnostic.message);
                    let code = first.diagnostic.code.id;
                    out.push_str(&format!(
                        ">\n      <failure message=\"{message}\" type=\"{code}\">{}</failure>\n    </testcase>\n",
                        escape_xml(&text)
                    ));
                }
            }
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Returns the XML document for a policy that cannot be tested, each problem as an error: a `testsuite` for each file.
pub(super) fn document_of_problems(problems: &[LoadProblem]) -> String {
    let mut files: Vec<(&str, Vec<&LoadProblem>)> = Vec::new();
    for problem in problems {
        match files.iter_mut().find(|(known, _)| *known == problem.file) {
            Some((_, of_file)) => of_file.push(problem),
            None => files.push((&problem.file, vec![problem])),
        }
    }
    let counts = |errors: usize| format!("tests=\"{errors}\" failures=\"0\" errors=\"{errors}\"");
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    out.push_str(&format!("<testsuites name=\"rules test\" {}>\n", counts(problems.len())));
    for (file, problems) in files {
        let name = escape_xml(if file.is_empty() { "policy" } else { file });
        out.push_str(&format!("  <testsuite name=\"{name}\" {} skipped=\"0\">\n", counts(problems.len())));
        // CI services tell cases by their names.
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for LoadProblem { line, message, code, text, .. } in problems {
            let of_code = code.map(|code| format!(": no {code}")).unwrap_or_default();
            let of_line = line.map(|line| format!(" in line {line}")).unwrap_or_default();
            let case = format!("the policy loads{of_code}{of_line}");
            let count = names.entry(case.clone()).or_default();
            *count += 1;
            let case = if *count > 1 { format!("{case} ({count})") } else { case };
            let place = line.map(|line| format!(" file=\"{name}\" line=\"{line}\"")).unwrap_or_default();
            let code = code.unwrap_or("not-found");
            out.push_str(&format!(
                "    <testcase name=\"{case}\" classname=\"{name}\"{place}>\n      <error \
                 message=\"{}\" type=\"{code}\">{}</error>\n    </testcase>\n",
                escape_xml(message),
                escape_xml(text)
            ));
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Escapes a text for XML content and attributes. Characters that XML cannot represent become U+FFFD.
fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape_xml;

    #[test]
    fn xml_holds_every_text() {
        for (text, expected) in [
            ("a <b> & \"c\" 'd'", "a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;"),
            ("two\nlines\tand é", "two\nlines\tand é"),
            ("\u{0}\u{1b}[31m\u{85}\u{fffe}", "\u{fffd}\u{fffd}[31m\u{fffd}\u{fffd}"),
            ("]]>", "]]&gt;"),
        ] {
            assert_eq!(escape_xml(text), expected);
        }
    }
}
