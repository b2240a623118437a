//! Rules on one line each: permissions, globs, firewalls; and the lines of a Sigma rule.

use super::super::super::diagnose::translate;
use super::super::super::quote::literal;
use super::{Guard, keyed, listed, said};

/// `Bash(npm run test:*)` on every line, with or without `allow` or `deny` before it.
pub(super) fn permissions(source: &str) -> Vec<Guard> {
    let bare = source
        .lines()
        .map(|line| line.trim().trim_start_matches("- ").trim_end_matches(',').trim_matches('"'))
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_word = |word: &str| matches!(word, "allow" | "deny" | "ask");
    let mut lines: Vec<(&str, &str)> = Vec::new();
    // A heading above a list, or a word before each line, determines the effect.
    let mut heading = "allow";
    for line in bare {
        match (line.strip_suffix(':'), line.split_once(' ').filter(|(word, _)| is_word(word))) {
            (Some(word), _) => heading = if is_word(word) { word } else { heading },
            (None, Some((word, rest))) => lines.push((word, rest.trim())),
            (None, None) => lines.push((heading, line)),
        }
    }
    let of = |word: &'static str| {
        keyed::of_permissions(lines.iter().filter(|(known, _)| *known == word).map(|(_, text)| *text), word)
    };
    ["deny", "ask", "allow"].into_iter().flat_map(of).collect()
}

/// Converts a list of globs to a rule about files that must not be read.
pub(super) fn ignored(source: &str) -> Vec<Guard> {
    let lines = source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let globs: Vec<String> = lines
        .map(|line| line.strip_suffix('/').map_or_else(|| line.to_owned(), |directory| format!("{directory}/**")))
        .collect();
    let when = vec![format!("reads like {}", listed(&globs))];
    let message = Some("\"`{match}` is on the list of files to leave alone.\"".to_owned());
    vec![Guard { name: "leave-alone".to_owned(), when, effect: "deny", message, ..Guard::default() }]
}

/// Converts the hosts that a firewall's rules for outgoing packets name.
pub(super) fn firewall(source: &str, left: &mut Vec<String>) -> Vec<Guard> {
    let (mut denied, mut allowed, mut denies_others) = (Vec::new(), Vec::new(), false);
    for line in source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let behind = |names: &[&str]| {
            let at = words.iter().position(|word| names.contains(word))?;
            words.get(at + 1).copied()
        };
        let is_outgoing = words.iter().any(|word| matches!(*word, "OUTPUT" | "out"));
        let host = behind(&["-d", "--destination", "to"]);
        let target = behind(&["-j", "--jump"]).or_else(|| behind(&["ufw"]));
        let port = behind(&["--dport", "--destination-port", "port"]);
        let policy = behind(&["-P", "--policy"]).and(words.last().copied());
        let denies = |word: &str| matches!(word.to_ascii_uppercase().as_str(), "DROP" | "REJECT" | "DENY");
        match (host, target.or(policy)) {
            (Some(host), Some(word)) if is_outgoing => {
                let host = host.strip_suffix("/32").unwrap_or(host);
                let host = port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
                if denies(word) { denied.push(host) } else { allowed.push(host) }
            }
            (None, Some(word)) if is_outgoing && denies(word) && port.is_none() => denies_others = true,
            _ if matches!(line, "COMMIT") || line.starts_with(['*', ':']) && !line.contains("DROP") => {}
            _ if line.starts_with(":OUTPUT DROP") => denies_others = true,
            _ => left.push(format!("`{line}`")),
        }
    }
    let guard = |name: &str, when: String, message: &str| Guard {
        name: name.to_owned(),
        when: vec![when],
        effect: "deny",
        message: Some(format!("\"{message}\"")),
        ..Guard::default()
    };
    let mut guards = Vec::new();
    if !denied.is_empty() {
        guards.push(guard(
            "forbidden-hosts",
            format!("connects under {}", listed(&denied)),
            "`{match}` is off limits.",
        ));
    }
    if denies_others && !allowed.is_empty() {
        guards.push(guard(
            "only-known-hosts",
            format!("connects outside {}", listed(&allowed)),
            "`{match}` is not on the list.",
        ));
    }
    guards
}

/// Converts the selection of a Sigma rule.
pub(super) fn sigma(source: &str, left: &mut Vec<String>) -> Vec<Guard> {
    let mut guard = Guard { effect: "ask", ..Guard::default() };
    for line in source.lines().filter(|line| line.trim_start().contains(':')) {
        let (key, value) = line.trim().split_once(':').unwrap_or_default();
        let value = value.trim();
        match key {
            "title" => guard.name = value.to_owned(),
            "description" => guard.message = said(value.trim_matches(['"', '\''])),
            "id" | "status" | "author" | "date" | "logsource" | "detection" | "product" | "category" | "service" => {}
            "condition" if !value.contains(' ') => {}
            _ if value.is_empty() => {}
            _ => {
                let field = key.strip_prefix("CommandLine").map(|rest| format!("command{rest}"));
                let quoted = literal(value.trim_matches(['"', '\'']), "");
                match field.and_then(|field| translate(&format!("{field}: {quoted}"))) {
                    Some(test) => guard.when.push(test.right),
                    None => {
                        guard.is_partial |= !matches!(key, "level" | "tags" | "falsepositives" | "references");
                        left.push(format!("`{}`", line.trim()));
                    }
                }
            }
        }
    }
    vec![guard]
}
