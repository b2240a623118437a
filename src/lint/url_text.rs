//! Finds tests that look for a host in the text of a URL. The same text may also be elsewhere in a URL, and a host has
//! other spellings.
//!
//! A test that lets calls through may match the URL of another host, and a test that stops calls may miss another
//! spelling of the host. Which host a regex is meant to match is guessed from its literal text; a doubtful guess is not
//! reported.

mod letters;

use super::comparison::{MatchEffect, RuleTest, visit_tests};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, DerivedField, PolicyValue, Rule, ValueReference, ValueTest, WhereField};
use crate::syntax::{format_one_or_list, string_literal};
use letters::{ANYTHING, has_path, hosts_in_letters, is_host_end, is_name_start, literal_letters};

pub(super) const LINT: Lint = Lint { codes: &[Code::URL_AS_TEXT], check };

/// Reports tests of URLs, domains and words that look for a host as text.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, test, negated, all } = &seen.test.kind else { return };
        // A test that lets calls through must not match another host; a test that stops calls must not miss a
        // spelling.
        let Some(effect) = seen.match_effect(rule) else { return };
        let wrong = match (source, effect) {
            _ if is_url(source) => url_problem(test, effect),
            (ValueReference::Derived(DerivedField::Domain), MatchEffect::LetsThrough) => domain_problem(test),
            (ValueReference::Where(WhereField::Operands | WhereField::Args), MatchEffect::LetsThrough) => {
                word_problem(test)
            }
            _ => None,
        };
        findings.extend(wrong.map(|wrong| finding(written, seen, wrong, *negated, *all)));
    });
}

/// A problem with a test that looks for a host as text, with the texts of the finding.
struct WrongHostTest {
    /// The message of the finding.
    message: String,
    /// The label, which shows a URL that matches too, or another spelling that does not match.
    label: String,
    /// The test to write instead, without the `not` of the original; `None` if no host is certain.
    replacement: Option<Replacement>,
    /// The source text of a path or port that must be tested too.
    additional_test: Option<String>,
}

/// A test to write instead, as its parts.
struct Replacement {
    /// What is tested instead: `domain`, or the `operands` of a command.
    operand: &'static str,
    operator: &'static str,
    value: String,
}

impl Replacement {
    /// Returns the source text of the test.
    fn text(&self, negated: bool) -> String {
        let Self { operand, operator, value } = self;
        match (negated, *operator) {
            // Without `all`, one word of several would exempt the others.
            (true, _) if *operand == "operands" => format!("not all {operand} {operator} {value}"),
            (true, "==") => format!("{operand} != {value}"),
            (true, _) => format!("{operand} not {operator} {value}"),
            (false, _) => format!("{operand} {operator} {value}"),
        }
    }
}

/// Returns the finding about a problem, with the replacement of the test.
fn finding(
    written: &SourceTexts<'_>,
    seen: RuleTest<'_>,
    wrong: WrongHostTest,
    negated: bool,
    all: bool,
) -> Diagnostic {
    let finding = Diagnostic::new(Code::URL_AS_TEXT, wrong.message).label(seen.test.span, wrong.label);
    let Some(instead) = &wrong.replacement else {
        return finding.help("name the whole host: `domain == \"example.org\"`, `domain like \"*.example.org\"`");
    };
    let right = instead.text(negated);
    if let Some(path_or_port) = wrong.additional_test {
        return finding.help(format!("test the host by itself: `{right}`, and with it `url contains {path_or_port}`"));
    }
    let help = match instead.operand {
        "domain" => format!("test the host: `{right}`"),
        _ => format!("end the text behind the host: `{right}`"),
    };
    let is_written_here = written.comparison(seen.test).is_some();
    let finding = finding.help(if right.len() < 90 { help } else { "test the host with `domain`".to_owned() });
    // No fix for words, which are compared one by one, and none if the test is not a literal comparison in this rule's
    // source.
    if all || !is_written_here || instead.operand != "domain" {
        return finding;
    }
    finding.fix_that_changes(seen.test.span, right)
}

/// Whether the values of a source are the URLs of a call.
pub(super) fn is_url(source: &ValueReference) -> bool {
    match source {
        ValueReference::Derived(DerivedField::Url) => true,
        ValueReference::Raw { path, .. } => path.iter().map(String::as_str).eq(["tool_input", "url"]),
        ValueReference::JsonPath(path) => path.text == "$.tool_input.url",
        _ => false,
    }
}

/// The host in a text that a URL is compared with.
struct UrlHost<'t> {
    /// The name of the host, perhaps with asterisks.
    name: &'t str,
    /// The text after the name.
    rest: &'t str,
    /// Whether a scheme such as `https://` precedes the name, so that the text begins where the URL begins.
    has_scheme: bool,
    /// Whether an asterisk precedes the name, so that the name may be the end of a longer one.
    is_after_asterisk: bool,
}

impl<'t> UrlHost<'t> {
    /// Parses a text or a glob that begins with a host, or with a scheme and a host; `None` if it does not.
    fn parse(text: &'t str, reading: HostCertainty) -> Option<Self> {
        let (scheme, after_scheme) = text.split_once("://").map_or((None, text), |(scheme, rest)| (Some(scheme), rest));
        // After an asterisk, the first character may not be the first one of the host's name.
        let (trimmed, is_after_asterisk) = match after_scheme.strip_prefix('*') {
            Some(rest) => (rest.trim_start_matches('.'), true),
            None => (after_scheme, scheme.is_some_and(|scheme| scheme.contains('*'))),
        };
        let trimmed = if scheme.is_none() { trimmed.trim_start_matches(['/', '.']) } else { trimmed };
        let end = trimmed.find(['/', '?', '#', ':', '*']).unwrap_or(trimmed.len());
        let (name, rest) = trimmed.split_at_checked(end)?;
        let is_host = match scheme {
            Some("" | "http" | "https" | "http*" | "*") => {
                is_host_name(name) && (name.contains('.') || name == "localhost")
            }
            Some(_) => false,
            None => reading.is_accepted(name),
        };
        is_host.then_some(Self { name, rest, has_scheme: scheme.is_some(), is_after_asterisk })
    }

    /// Whether the name is complete even if any text follows: a slash ends it.
    fn is_complete_name(&self) -> bool {
        self.rest.starts_with('/')
    }

    /// Returns the port or the path after the name, without a final asterisk; `None` if there is none, or if it has
    /// another asterisk.
    fn port_or_path(&self) -> Option<&'t str> {
        let after_name = self.rest.trim_end_matches('*');
        (after_name.starts_with(['/', ':']) && after_name.len() > 1 && !after_name.contains('*')).then_some(after_name)
    }
}

/// Whether a text has the form of a host's name: its parts between dots are not empty.
fn is_host_name(name: &str) -> bool {
    !name.is_empty()
        && name.split('.').all(|part| !part.is_empty())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// Top-level domains that show that a name is a host, because none of them is a file extension.
const LAST_PARTS: &[&str] = &[
    "ai", "app", "at", "au", "be", "biz", "blog", "br", "ca", "ch", "cloud", "club", "cn", "co", "com", "corp", "cz",
    "de", "dev", "dk", "edu", "es", "eu", "example", "fi", "fr", "fun", "gg", "gov", "host", "in", "info", "int",
    "internal", "intranet", "io", "it", "jp", "kr", "lan", "land", "live", "local", "lol", "me", "mil", "net",
    "network", "nl", "no", "nz", "one", "online", "org", "pt", "ro", "ru", "se", "shop", "site", "software", "space",
    "store", "studio", "systems", "team", "tech", "test", "tools", "tv", "ua", "uk", "us", "wiki", "work", "world",
    "wtf", "xyz", "zone",
];

/// Top-level domains that are also file extensions: `docs.rs` and `bun.sh` are hosts, but `main.rs` and `install.sh`
/// are not.
const SHARED_LAST_PARTS: &[&str] = &["cc", "md", "pl", "ps", "py", "rs", "sh", "so", "st", "vi"];

/// Whether a text is certainly the name of a host.
fn looks_like_host(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    name == "localhost" || (is_host_name(name) && name.contains('.') && LAST_PARTS.contains(&last.as_str()))
}

/// Whether a text is the name of a host, or of a file whose extension is also a top-level domain.
fn can_be_host(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    looks_like_host(name) || is_host_name(name) && name.contains('.') && SHARED_LAST_PARTS.contains(&last.as_str())
}

/// Which texts count as hosts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HostCertainty {
    /// Only texts that are certainly hosts.
    Certain,
    /// Also texts that may be files. This is used for tests that let calls through, where a text that can be anywhere
    /// in a URL is wrong, host or not.
    Possible,
}

impl HostCertainty {
    fn from_match_effect(effect: MatchEffect) -> Self {
        if effect == MatchEffect::LetsThrough { Self::Possible } else { Self::Certain }
    }

    /// Whether a text counts as the name of a host.
    fn is_accepted(self, name: &str) -> bool {
        match self {
            Self::Certain => looks_like_host(name),
            Self::Possible => can_be_host(name),
        }
    }
}

/// The part of a URL that a text is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UrlPart {
    Whole,
    Start,
    End,
    Anywhere,
}

/// Returns the problem with a comparison of a URL; `None` if it is not with a host, or if it is correct.
fn url_problem(test: &ValueTest, effect: MatchEffect) -> Option<WrongHostTest> {
    let texts = |values: &[PolicyValue]| -> Option<Vec<String>> {
        values.iter().map(|value| value.as_text().map(str::to_owned)).collect()
    };
    let (part, texts) = match test {
        ValueTest::Equal(value) => (UrlPart::Whole, texts(std::slice::from_ref(value))?),
        ValueTest::In(values) => (UrlPart::Whole, texts(values)?),
        ValueTest::StartsWith(value) => (UrlPart::Start, texts(std::slice::from_ref(value))?),
        ValueTest::EndsWith(value) => (UrlPart::End, texts(std::slice::from_ref(value))?),
        ValueTest::Contains(value) => (UrlPart::Anywhere, texts(std::slice::from_ref(value))?),
        ValueTest::LikeText(globs) => return globs_problem(&globs.patterns().collect::<Vec<_>>(), effect),
        ValueTest::Matches(regex) => return regex_problem(regex.pattern(), effect),
        _ => return None,
    };
    let parts: Vec<(UrlPart, &str)> = texts.iter().map(|text| (part, text.as_str())).collect();
    texts_problem(&parts, effect)
}

/// Returns the problem with globs that a URL is compared with; `None` if they are correct, or if one of them is too
/// complex to judge.
fn globs_problem(globs: &[&str], effect: MatchEffect) -> Option<WrongHostTest> {
    let parts = globs.iter().map(|glob| anchored_text(glob));
    texts_problem(&parts.collect::<Option<Vec<_>>>()?, effect)
}

/// Returns the part of a URL that a glob is compared with, and its text; `None` if the glob is an exclusion, or has
/// wildcards other than asterisks.
fn anchored_text(glob: &str) -> Option<(UrlPart, &str)> {
    if glob.starts_with('!') || glob.contains(['{', '[', '?', '\\']) {
        return None;
    }
    // An asterisk for the scheme, `*://example.org/*`, still fixes where the URL begins.
    let starts_open = glob.starts_with('*') && !glob.starts_with("*://");
    Some(match (starts_open, glob.ends_with('*')) {
        (true, true) => (UrlPart::Anywhere, glob.trim_matches('*')),
        (true, false) => (UrlPart::End, glob.trim_start_matches('*')),
        (false, true) => (UrlPart::Start, glob),
        (false, false) => (UrlPart::Whole, glob),
    })
}

/// Returns the problem with the texts that a URL is compared with; `None` if one of them is not a host, or if all are
/// correct.
fn texts_problem(texts: &[(UrlPart, &str)], effect: MatchEffect) -> Option<WrongHostTest> {
    let hosts: Vec<(UrlPart, &str, UrlHost<'_>)> = texts
        .iter()
        .map(|(part, text)| Some((*part, *text, UrlHost::parse(text, HostCertainty::from_match_effect(effect))?)))
        .collect::<Option<_>>()?;
    let is_wrong = |(part, _, host): &&(UrlPart, &str, UrlHost<'_>)| match part {
        // In an `allow`, the exact URL of a page is correct; a guard by the URL of a host probably means the whole
        // host.
        UrlPart::Whole if !host.is_after_asterisk => effect == MatchEffect::Stops && matches!(host.rest, "" | "/"),
        _ if effect == MatchEffect::Stops || host.is_after_asterisk => true,
        UrlPart::Whole | UrlPart::Start => !(host.has_scheme && host.is_complete_name()),
        UrlPart::End | UrlPart::Anywhere => true,
    };
    let (part, text, host) = hosts.iter().find(is_wrong)?;
    let name = host.name.to_ascii_lowercase();
    let (message, label) = match (effect, part) {
        (MatchEffect::Stops, _) => (
            shortened("`", text, "` is one spelling of a URL"),
            format!("`HTTPS://{}` and `https://x@{name}` are the same host", name.to_ascii_uppercase()),
        ),
        (MatchEffect::LetsThrough, UrlPart::Start | UrlPart::Whole) if !host.is_after_asterisk => (
            shortened("`", text, "` is the beginning of other hosts too"),
            format!("`https://{name}.evil.example` matches too"),
        ),
        (MatchEffect::LetsThrough, _) => (
            shortened("`", text, "` may stand anywhere in a URL"),
            format!("`https://evil.example/?{name}` matches too"),
        ),
    };
    let path_or_port =
        if hosts.len() == 1 { host.port_or_path().map(|behind| string_literal(behind, "")) } else { None };
    Some(WrongHostTest { message, label, replacement: Some(domain_replacement(&hosts)), additional_test: path_or_port })
}

/// Returns the test of the domain to write instead. It includes subdomains if other characters can precede the text.
fn domain_replacement(hosts: &[(UrlPart, &str, UrlHost<'_>)]) -> Replacement {
    let mut names: Vec<String> = Vec::new();
    let mut is_glob = false;
    for (part, _, host) in hosts {
        let name = host.name.to_ascii_lowercase();
        let subdomains = match part {
            _ if host.is_after_asterisk && host.has_scheme => Some(format!("*.{name}")),
            UrlPart::End | UrlPart::Anywhere if !host.has_scheme => Some(format!("*.{name}")),
            _ => None,
        };
        is_glob |= subdomains.is_some();
        for name in std::iter::once(name).chain(subdomains) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let operator = match (is_glob, names.len()) {
        (true, _) => "like",
        (false, 1) => "==",
        (false, _) => "in",
    };
    Replacement { operand: "domain", operator, value: format_one_or_list(&names) }
}

/// Returns the problem with a comparison of the domain that other hosts match too; `None` if no other host does.
fn domain_problem(test: &ValueTest) -> Option<WrongHostTest> {
    let (part, text) = match test {
        ValueTest::StartsWith(value) => (UrlPart::Start, value.as_text()?),
        ValueTest::EndsWith(value) => (UrlPart::End, value.as_text()?),
        ValueTest::Contains(value) => (UrlPart::Anywhere, value.as_text()?),
        ValueTest::Matches(regex) => return domain_regex_problem(regex.pattern()),
        ValueTest::LikeText(globs) => {
            let is_open = |glob: &&str| open_host_glob(glob).is_some();
            open_host_glob(globs.patterns().find(is_open)?)?
        }
        _ => return None,
    };
    if text.is_empty() || (part == UrlPart::End && text.starts_with('.')) {
        return None;
    }
    let evil_host = match part {
        UrlPart::Start => format!("{text}.evil.example"),
        UrlPart::Whole | UrlPart::End => format!("evil{text}"),
        UrlPart::Anywhere => format!("evil{text}.example"),
    };
    let name = text.trim_matches('.').to_ascii_lowercase();
    // A name without a known top-level domain counts too, because it is compared with a host.
    let instead = (is_host_name(&name) && name.contains('.') || looks_like_host(&name)).then(|| Replacement {
        operand: "domain",
        operator: "like",
        value: format_one_or_list(&[name.clone(), format!("*.{name}")]),
    });
    let message = shortened("`", text, "` is a part of other hosts too");
    Some(WrongHostTest {
        message,
        label: format!("`{}` matches too", evil_host.replace("..", ".")),
        replacement: instead,
        additional_test: None,
    })
}

/// Returns the problem with a regex on the domain that other hosts match too; `None` if no other host does, or if the
/// regex contains no host.
fn domain_regex_problem(pattern: &str) -> Option<WrongHostTest> {
    let letters = literal_letters(pattern);
    let names = hosts_in_letters(&letters, HostCertainty::Possible);
    let (name, start, _) = names.first()?;
    let before = letters.get(..*start).unwrap_or_default().trim_end_matches(['(', '?', ':']);
    let has_start = before.ends_with(['^', '.', '|', ')', '*', '+']);
    if has_start && letters.ends_with('$') {
        return None;
    }
    let evil_host = if letters.ends_with('$') { format!("evil{name}") } else { format!("{name}.evil.example") };
    let hosts: Vec<String> = names.iter().flat_map(|(name, ..)| [name.clone(), format!("*.{name}")]).collect();
    Some(WrongHostTest {
        message: shortened("this regex matches other hosts than `", name, "`"),
        label: format!("`{evil_host}` matches too"),
        replacement: Some(Replacement { operand: "domain", operator: "like", value: format_one_or_list(&hosts) }),
        additional_test: None,
    })
}

/// Returns the text that a glob requires of a host's name, and its position in the name, if other hosts can have it
/// too: `*example.org`, `example.*`. `None` if only hosts of one domain match.
fn open_host_glob(glob: &str) -> Option<(UrlPart, &str)> {
    let text = glob.trim_matches('*');
    if glob.starts_with('!') || text.is_empty() || text.contains(['*', '?', '[', '{', '\\']) {
        return None;
    }
    match (glob.starts_with('*'), glob.ends_with('*')) {
        (true, false) if !text.starts_with('.') => Some((UrlPart::End, text)),
        (true, true) => Some((UrlPart::Anywhere, text)),
        (false, true) => Some((UrlPart::Start, text)),
        _ => None,
    }
}

/// Returns the problem with a test such as `operands starts_with "https://example.org"`, which
/// `https://example.org.evil.example` meets too; `None` for any other test.
fn word_problem(test: &ValueTest) -> Option<WrongHostTest> {
    let ValueTest::StartsWith(value) = test else { return None };
    let text = value.as_text()?;
    UrlHost::parse(text, HostCertainty::Certain)
        .filter(|host| host.has_scheme && host.rest.is_empty() && !host.is_after_asterisk)?;
    Some(WrongHostTest {
        message: shortened("`", text, "` is the beginning of other hosts too"),
        label: format!("`{text}.evil.example` matches too"),
        replacement: Some(Replacement {
            operand: "operands",
            operator: "starts_with",
            value: string_literal(&format!("{text}/"), ""),
        }),
        additional_test: None,
    })
}

/// Returns the problem with a regex on a URL that matches other hosts, or only one spelling of the host. `None` if it
/// matches exactly its host, or contains none.
fn regex_problem(pattern: &str, effect: MatchEffect) -> Option<WrongHostTest> {
    let letters = literal_letters(pattern);
    let names = hosts_in_letters(&letters, HostCertainty::from_match_effect(effect));
    let (first_host, start, _) = names.first()?;
    let is_anchored = letters.trim_start_matches("(?i)").starts_with('^');
    let between_scheme_and_host =
        letters.get(..*start).and_then(|before| before.split_once("://")).map(|(_, between)| between);
    let is_from_start = is_anchored && between_scheme_and_host.is_some_and(|between| !between.contains(ANYTHING));
    let is_complete_start = between_scheme_and_host.is_some_and(is_name_start);
    let is_closed = names.iter().all(|(_, _, end)| is_host_end(letters.get(*end..).unwrap_or_default()));
    if effect == MatchEffect::LetsThrough && is_from_start && is_complete_start && is_closed {
        return None;
    }
    let message = match effect {
        MatchEffect::LetsThrough => shortened("this regex matches other hosts than `", first_host, "`"),
        MatchEffect::Stops => shortened("a regex for one spelling of `", first_host, "`"),
    };
    let label = match (effect, is_from_start, is_closed) {
        (MatchEffect::Stops, ..) => {
            format!("`HTTPS://{}` and `https://x@{first_host}` are the same host", first_host.to_ascii_uppercase())
        }
        (_, false, _) => format!("`https://evil.example/?{first_host}` matches too"),
        (_, true, false) => format!("`https://{first_host}.evil.example` matches too"),
        (_, true, true) => format!("`https://evil{first_host}` matches too"),
    };
    let mut hosts: Vec<String> = Vec::new();
    let is_exact_host = names.len() == 1 && is_from_start && between_scheme_and_host == Some("");
    for name in names.iter().flat_map(|(name, ..)| [Some(name.clone()), (!is_exact_host).then(|| format!("*.{name}"))])
    {
        hosts.extend(name.filter(|name| !hosts.contains(name)));
    }
    let operator = if is_exact_host { "==" } else { "like" };
    let instead = Replacement { operand: "domain", operator, value: format_one_or_list(&hosts) };
    // A path in the regex must be tested too, because the test of the domain ignores it.
    let has_path = names.iter().any(|(_, _, end)| has_path(letters.get(*end..).unwrap_or_default()));
    let path_test = has_path.then(|| "\"/…\"".to_owned());
    Some(WrongHostTest { message, label, replacement: Some(instead), additional_test: path_test })
}
