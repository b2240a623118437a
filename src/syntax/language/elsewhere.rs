//! Recognises configuration files of other programs: systemd units, AppArmor profiles, code owners, SQL grants.

use super::{SURE, Text};

/// `strings:` and `condition:` in a rule
pub(super) fn is_yara(text: &Text<'_>) -> bool {
    let has = |key: &str| text.any(|line| line == key || line.starts_with(key));
    let names_text = text.any(|line| line.starts_with('$') && line.contains('='));
    has("condition:") && (has("strings:") && names_text || has("meta:")) && text.any(|line| line.starts_with("rule "))
}

/// `[Service]`
pub(super) fn is_unit(text: &Text<'_>) -> bool {
    let sections =
        ["[Unit]", "[Service]", "[Install]", "[Socket]", "[Timer]", "[Path]", "[Mount]", "[Slice]", "[Scope]"];
    text.lines.first().is_some_and(|line| sections.contains(line)) && text.any(|line| line.contains('='))
}

/// `profile agent /usr/bin/agent {`
pub(super) fn is_profile(text: &Text<'_>) -> bool {
    let begins = |line: &str| line.ends_with('{') && (line.starts_with("profile ") || line.starts_with('/'));
    let is_rule = |line: &str| line.ends_with(',') && (line.contains(" /") || line.starts_with(['/', '@', 'n', 'c']));
    text.any(begins) && text.any(is_rule)
}

/// `location ~ \.env$ {`
pub(super) fn is_server(text: &Text<'_>) -> bool {
    let is_block = |line: &str| {
        line.ends_with('{') && ["location ", "server ", "http ", "upstream "].iter().any(|word| line.starts_with(word))
    };
    text.any(is_block) && text.any(|line| line.ends_with(';'))
}

/// `GRANT SELECT ON users TO reviewer;`
pub(super) fn is_grants(text: &Text<'_>) -> bool {
    let words = |line: &str| line.split_whitespace().map(str::to_ascii_uppercase).collect::<Vec<_>>();
    let is_statement = |line: &str| match words(line).as_slice() {
        [first, rest @ ..] => {
            let has = |word: &str| rest.iter().any(|other| other == word);
            let is_grant = matches!(first.as_str(), "GRANT" | "REVOKE") && has("ON") && (has("TO") || has("FROM"));
            is_grant
                || first == "CREATE" && rest.first().is_some_and(|word| word == "POLICY" || word == "ROLE")
                || first == "SELECT" && has("FROM")
        }
        [] => false,
    };
    text.lines.first().is_some_and(|line| is_statement(line)) && text.whole.contains(';')
}

/// `/infra/ @org/platform`
pub(super) fn is_owners(text: &Text<'_>) -> bool {
    let is_owned = |line: &str| {
        let mut words = line.split_whitespace();
        let glob = words.next().is_some_and(|glob| !glob.starts_with('@') && !glob.contains(['"', '(', '{', '=']));
        let owners: Vec<&str> = words.collect();
        glob && !owners.is_empty() && owners.iter().all(|owner| owner.contains('@') && !owner.contains(['"', '(']))
    };
    text.all(is_owned)
}

/// `main = rule { all x as y { … } }`
pub(super) fn is_sentinel(text: &Text<'_>) -> bool {
    let signs = [
        text.any(|line| line.contains("= rule {")),
        text.any(|line| line.starts_with("import \"")),
        text.any(|line| line.contains(" as ") && line.contains('{')),
    ];
    signs.iter().filter(|sign| **sign).count() >= SURE
}
