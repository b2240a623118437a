//! The scripts of a `package.json` that a package manager runs, found in its text without a full parser of JSON.

use super::call::OuterCommand;
use crate::word::Word;

/// Subcommands that install the dependencies, and then run the scripts of the stages of an installation.
const INSTALLS: &[&str] = &["install", "ci", "rebuild", "link"];

/// The stages of an installation, in order.
const INSTALLATION: &[&str] =
    &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare", "dependencies"];

/// The stages of packing and publishing.
const PUBLICATION: &[&str] = &[
    "prepublishOnly",
    "prepack",
    "prepare",
    "postpack",
    "publish",
    "postpublish",
    "prepublish",
    "version",
    "preversion",
];

/// Returns the names of the scripts of the project that a package manager runs; empty if it runs none.
pub(crate) fn package_stages(words: &[Word]) -> Vec<String> {
    let call = OuterCommand::new(words);
    if call.has_option("--ignore-scripts") {
        return Vec::new();
    }
    // The record of npm knows all names of its subcommands, most of which the other managers have, too.
    let npm = crate::programs::program("npm");
    let canonical = |name| npm.and_then(|npm| npm.same_commands(name).first().copied()).unwrap_or(name);
    let known: Vec<&str> = call.words.iter().skip(1).filter_map(Word::known_text).collect();
    let mut names = known.iter().copied().filter(|word| !word.starts_with('-'));
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let given = names.next();
    match given.map(canonical) {
        // `yarn` alone installs.
        None if call.has_name_at(0, &["yarn"]) => owned(INSTALLATION),
        None => Vec::new(),
        Some("run") => names.next().map(with_neighbours).unwrap_or_default(),
        Some("publish" | "pack" | "version") => owned(PUBLICATION),
        Some("install-test" | "install-ci-test") => {
            owned(INSTALLATION).into_iter().chain(with_neighbours("test")).collect()
        }
        Some(name) if INSTALLS.contains(&name) => owned(INSTALLATION),
        // A script of the project may have the name that is given, too: `yarn t`.
        Some(name) => [Some(name), given].into_iter().flatten().flat_map(with_neighbours).collect(),
    }
}

/// Returns a script's name with those of the scripts before and after it.
fn with_neighbours(name: &str) -> Vec<String> {
    vec![format!("pre{name}"), name.to_owned(), format!("post{name}")]
}

/// Returns the members with text values of the first object with this name.
pub(crate) fn json_members(text: &str, name: &str) -> Vec<(String, String)> {
    let Some(mut rest) = after_name(text, name).and_then(|rest| rest.strip_prefix('{')) else { return Vec::new() };
    let mut found = Vec::new();
    while let Some((key, after)) = json_string(rest.trim_start_matches([',', ' ', '\n', '\t', '\r'])) {
        let Some(value) = after.trim_start().strip_prefix(':') else { break };
        let Some((value, after)) = json_string(value.trim_start()) else { break };
        found.push((key, value));
        rest = after.trim_start();
    }
    found
}

/// Returns the text value of the first member with this name.
pub(crate) fn json_text(text: &str, name: &str) -> Option<String> {
    after_name(text, name).and_then(json_string).map(|(value, _)| value)
}

/// Returns the text after `"name":`; `None` if the name is not a key.
fn after_name<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, after) = text.split_once(&format!("\"{name}\""))?;
    Some(after.trim_start().strip_prefix(':')?.trim_start())
}

/// Reads a string at the beginning of a text. Returns its value and the text after it; `None` if there is no complete
/// string.
fn json_string(text: &str) -> Option<(String, &str)> {
    let mut chars = text.strip_prefix('"')?.chars();
    let mut value = String::new();
    loop {
        match chars.next()? {
            '"' => return Some((value, chars.as_str())),
            '\\' => match chars.next()? {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'u' => {
                    let digits = chars.as_str().get(..4)?;
                    value.extend(u32::from_str_radix(digits, 16).ok().and_then(char::from_u32));
                    chars = chars.as_str().get(4..)?.chars();
                }
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
}
