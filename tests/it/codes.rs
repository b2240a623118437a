//! The pages of codes: each describes its finding, and its examples cause the finding or do not.
//!
//! A page is its code's fixture. `RULES_BLESS=1` writes the line below its title.

use std::{env, fs};

use hookrules::added_hosts::AddedHosts;
use hookrules::diagnostic::{CODES, Code, Diagnostic, Fix, FixSafety, Level, Levels, apply, page};
use hookrules::host::Host;
use hookrules::policy::Policy;
use hookrules::project::{self, MachinePlaces};
use hookrules::span::Sources;
use hookrules::{examples, import, lint};

use crate::book::fences;
use crate::generated::{is_current, is_current_page};
use crate::machine::Machine;
use crate::mistakes::leaves_no_gap;
use crate::source::{files, read, root};

/// The form in which a page shows its finding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// A policy of one file.
    Policy,
    /// A policy for another host.
    On(&'static str),
    /// A file next to the policy, whose first line names it.
    Toml,
    /// The record of a host in the user's directory, whose first line names it.
    HostRecord,
    /// Settings of the host, with the policy that they are for.
    Settings,
    /// A file to import.
    Yaml,
    /// In words only.
    Not,
}

/// The codes that a single file of rules cannot show.
const OTHERWISE: &[(&Code, Shown, &str)] = &[
    (Code::ENCODING, Shown::Not, "a page is plain text itself"),
    (Code::TEXT_TOO_LONG, Shown::Not, "nobody would read the page"),
    (Code::LAYER_REFUSED, Shown::Not, "is about the owner and the rights of a file"),
    (Code::FILE_NOT_READ, Shown::Not, "is about the name of a file"),
    (Code::INTERNAL, Shown::Not, "a bug, which nobody can write down"),
    (Code::UNKNOWN_KEY, Shown::Toml, "is about rules.toml"),
    (Code::BAD_SETTING, Shown::Toml, "is about rules.toml"),
    (Code::FAIL_OPEN_GUARD, Shown::Toml, "is about rules.toml"),
    (Code::BAD_PROGRAM, Shown::Toml, "is about the record of a program"),
    (Code::PROGRAM_UNUSED, Shown::Toml, "is about the record of a program"),
    (Code::NOT_CARRIED, Shown::On("wave"), "depends on the host"),
    (Code::NOT_SENT, Shown::On("wave"), "depends on the host"),
    (Code::NOT_TOLD, Shown::On("wave"), "depends on the host"),
    (Code::UNKNOWN_AGENT, Shown::Not, "depends on the agents of the project"),
    (Code::PROGRAM_NOT_FOUND, Shown::Not, "depends on the machine"),
    (Code::SCRIPT_MISSING, Shown::Not, "depends on the files of the project"),
    (Code::PATH_IN_SUBDIRECTORY, Shown::Not, "depends on the directories of the project"),
    (Code::UNKNOWN_ZONE, Shown::Not, "depends on the machine"),
    (Code::SURVIVING_MUTANT, Shown::Not, "is found by `rules mutate`"),
    (Code::REGISTRATION, Shown::Settings, "is about the host's settings"),
    (Code::REGISTRATION_RISK, Shown::Settings, "is about the host's settings"),
    (Code::EVENT_UNREGISTERED, Shown::Settings, "is about the host's settings"),
    (Code::BAD_HOST, Shown::HostRecord, "is about the record of a host"),
    (Code::IMPORT_SYNTAX, Shown::Yaml, "is about a file that is imported"),
    (Code::IMPORT_KIND, Shown::Yaml, "is about a file that is imported"),
    (Code::IMPORT_MISSING, Shown::Yaml, "is about a file that is imported"),
    (Code::IMPORT_VALUE, Shown::Yaml, "is about a file that is imported"),
];

impl Shown {
    fn of(code: &Code) -> Self {
        OTHERWISE.iter().find(|(other, ..)| *other == code).map_or(Self::Policy, |(_, shown, _)| *shown)
    }

    fn language(self) -> &'static str {
        match self {
            Self::Policy | Self::On(_) | Self::Not => "rules",
            Self::Toml | Self::HostRecord => "toml",
            Self::Settings => "json",
            Self::Yaml => "yaml",
        }
    }

    fn host(self) -> Host {
        if let Self::On(name) = self { Host::from_name(name).unwrap() } else { Host::CLAUDE_CODE }
    }

    /// Returns the path of a block's content, from the project.
    #[track_caller]
    fn path(self, text: &str) -> &str {
        match self {
            Self::Toml | Self::HostRecord => {
                text.lines().next().unwrap().strip_prefix("# ").expect("the first line names the file")
            }
            Self::Settings => ".claude/settings.json",
            Self::Yaml => ".conclaude.yaml",
            Self::Policy | Self::On(_) | Self::Not => ".rules/block.rules",
        }
    }

    /// Returns the findings in a block, including those of a code that is off by default.
    #[track_caller]
    fn findings(self, code: &'static Code, text: &str) -> Vec<Diagnostic> {
        if self == Self::Yaml {
            let mut sources = Sources::default();
            sources.add(self.path(text), None, text);
            let format = import::ImportFormat::by_name("conclaude").unwrap();
            return import::import(format, &sources).err().unwrap_or_default();
        }
        let machine = Machine::new();
        if self == Self::HostRecord {
            let path = format!("user/{}", self.path(text));
            machine.write(&path, text);
            return AddedHosts::read_paths(&[machine.path(&path)]).findings(&mut Sources::default());
        }
        // Settings may be accompanied by the policy that they are for.
        let policies = if self == Self::Toml { blocks(code, "rules") } else { Vec::new() };
        let policy = policies.first().map_or("\n", |block| block.text.as_str());
        machine.write("project/.rules/block.rules", policy).write(&format!("project/{}", self.path(text)), text);
        let (nowhere, project) = (machine.path("nowhere"), Some(machine.path("project")));
        let loaded = project::load(&MachinePlaces {
            managed: nowhere,
            user: None,
            project,
            ..MachinePlaces::on_this_machine(None)
        });
        let policy = Policy::new(loaded.sources, &loaded.layers);
        let mut levels = Levels::default();
        levels.set(code, Level::On(code.severity));
        let mut found = lint::check_policy(&policy, &[self.host()], &levels);
        policy.layers.iter().for_each(|layer| found.extend(examples::judge_layer(layer).failed));
        found
    }
}

/// A block of a page.
struct Block {
    place: String,
    text: String,
}

fn path(code: &Code) -> String {
    format!("book/src/codes/{}.md", code.name)
}

/// Returns the blocks of a page with an info string.
#[track_caller]
fn blocks(code: &Code, info: &str) -> Vec<Block> {
    let found = fences(page(code)).into_iter().filter(|(_, other, _)| other == info);
    found.map(|(line, _, text)| Block { place: format!("{}:{line}", path(code)), text }).collect()
}

fn told(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(|found| format!("{} {}: {}", found.code.id, found.code.name, found.message)).collect()
}

#[test]
fn every_page_is_that_of_a_code() {
    let pages: Vec<String> = files("book/src/codes", &["md"]).iter().map(|page| page.display().to_string()).collect();
    let mut expected: Vec<String> = CODES.iter().map(|(code, _)| path(code)).collect();
    expected.sort();
    assert_eq!(pages, expected);
}

#[test]
fn a_page_shows_what_brings_its_finding_about_and_what_does_not() {
    for (code, _) in CODES {
        let shown = Shown::of(code);
        let count = |kind: &str| blocks(code, &format!("{},{kind}", shown.language())).len();
        let (fires, quiet) = (count("fires"), count("quiet"));
        let of_others = fences(page(code)).into_iter().filter(|(_, info, _)| info.contains(',')).count();
        assert_eq!(of_others, fires + quiet, "{}: a block of another kind", path(code));
        match shown {
            Shown::Not => assert_eq!(fires, 0, "{}: it can be shown", path(code)),
            // The quiet counterpart is what `rules install` writes.
            Shown::Settings => assert!(fires > 0 && quiet == 0, "{}", path(code)),
            _ => assert!(fires > 0 && quiet > 0, "{}: {fires} fire, {quiet} are quiet", path(code)),
        }
    }
}

#[test]
fn what_a_page_says_to_fire_gives_this_finding_and_no_other() {
    let mut wrong = Vec::new();
    for (code, _) in CODES.iter().filter(|(code, _)| Shown::of(code) != Shown::Settings) {
        let shown = Shown::of(code);
        for Block { place, text } in blocks(code, &format!("{},fires", shown.language())) {
            let found = shown.findings(code, &text);
            if found.is_empty() || found.iter().any(|found| found.code != *code) {
                wrong.push((place, told(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_page_says_to_be_quiet_has_no_finding() {
    let mut wrong = Vec::new();
    for (code, _) in CODES {
        let shown = Shown::of(code);
        for Block { place, text } in blocks(code, &format!("{},quiet", shown.language())) {
            let found = shown.findings(code, &text);
            if !found.is_empty() {
                wrong.push((place, told(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the fixes of a code in a text, the last one first.
fn fixes(shown: Shown, code: &'static Code, text: &str) -> Vec<Fix> {
    let found = shown.findings(code, text).into_iter().filter(|found| found.code == code);
    let mut fixes: Vec<Fix> = found.filter_map(|found| found.fix.map(|fix| *fix)).collect();
    fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span.start));
    fixes
}

#[test]
fn a_fix_mends_what_a_page_shows() {
    let mut mended = 0;
    for (code, _) in CODES.iter().filter(|(code, _)| Shown::of(code) != Shown::Settings) {
        let shown = Shown::of(code);
        for Block { place, text } in blocks(code, &format!("{},fires", shown.language())) {
            let fixes = fixes(shown, code, &text);
            let (mut fixed, _) = apply(&text, &fixes);
            if !fixes.is_empty() {
                leaves_no_gap(&place, &text, &fixed);
                // Edits that were blocked by another one follow, and then there are no more.
                for _ in 0..3 {
                    fixed = apply(&fixed, &self::fixes(shown, code, &fixed)).0;
                }
                assert_eq!(apply(&fixed, &self::fixes(shown, code, &fixed)).0, fixed, "{place}: edits without end");
                let found = shown.findings(code, &fixed);
                let stays = found.iter().any(|found| found.code == *code || found.is_error());
                assert!(!stays, "{place}: {:#?}\n{fixed}", told(&found));
                mended += 1;
            }
        }
    }
    assert!(mended > 5, "only {mended}");
}

#[test]
fn registrations_on_the_pages_are_found_out_and_mended_by_an_installation() {
    let mut tried = 0;
    for (code, _) in CODES.iter().filter(|(code, _)| Shown::of(code) == Shown::Settings) {
        let policies = blocks(code, "rules");
        let [policy] = policies.as_slice() else { panic!("{}: one policy", path(code)) };
        for Block { place, text } in blocks(code, "json,fires") {
            let machine = Machine::with(&policy.text);
            machine.write(&format!("project/{}", Shown::Settings.path(&text)), &text);
            let printed = machine.rules(&["check", "--format", "short"], "").stdout;
            assert!(printed.contains(&format!(" {} {}: ", code.id, code.name)), "{place}: {printed}");
            machine.write(&format!("project/{}", Shown::Settings.path(&text)), "{}");
            let installed = machine.rules(&["install", "claude-code", "--yes"], "");
            assert_eq!(installed.exit, 0, "{place}: {installed:?}");
            let printed = machine.rules(&["check", "--format", "short"], "").stdout;
            assert!(!printed.contains(code.id), "{place}: {printed}");
            tried += 1;
        }
    }
    assert!(tried > 2, "only {tried}");
}

/// Describes the level of a code, its first version, whether the example on its page can be fixed automatically, and
/// which other findings it hides.
fn head(code: &'static Code) -> String {
    let shown = Shown::of(code);
    let blocks = match shown {
        Shown::Settings => Vec::new(),
        _ => blocks(code, &format!("{},fires", shown.language())),
    };
    let meanings = blocks.iter().flat_map(|block| fixes(shown, code, &block.text)).map(|fix| fix.meaning);
    let fix = match meanings.max_by_key(|meaning| *meaning == FixSafety::Unsafe) {
        None => "",
        Some(FixSafety::Safe) => ", with a fix",
        Some(FixSafety::Unsafe) => ", with a fix that changes what the rule decides",
    };
    let on = if code.is_on { "" } else { ", reported only where a setting asks for it" };
    let hides = match code.supersedes {
        [] => String::new(),
        others => {
            let links: Vec<String> = others.iter().map(|it| format!("[{0}]({0}.md)", it.code.name)).collect();
            format!(" Until it is mended or accepted, {} at the same place is not reported.", links.join(" or "))
        }
    };
    format!("{}, {}, since {}{on}{fix}.{hides}", code.id, code.severity.name(), code.since)
}

/// A version of the future has no code yet.
#[test]
fn a_code_is_not_newer_than_the_program() {
    let parts = |version: &str| version.split('.').map(|part| part.parse::<u32>().unwrap()).collect::<Vec<_>>();
    for (code, _) in CODES {
        let since = parts(code.since);
        assert_eq!(since.len(), 3, "{}", code.id);
        assert!(since <= parts(env!("CARGO_PKG_VERSION")), "{} is since {}", code.id, code.since);
    }
}

#[test]
fn a_page_says_what_its_code_weighs() {
    for (code, _) in CODES {
        let text = read(path(code));
        let title = format!("# {}\n\n", code.name);
        let body = text.strip_prefix(&title).unwrap_or_else(|| panic!("{}: it begins otherwise", path(code)));
        // The line may be missing, or outdated.
        let body = match body.split_once("\n\n") {
            Some((line, rest)) if line.starts_with('R') && line.contains(", ") && !line.contains('\n') => rest,
            _ => body,
        };
        is_current_page(&path(code), &format!("{title}{}\n\n{body}", head(code)));
    }
}

#[test]
fn the_page_of_codes_is_current() {
    let mut table = "| code | name | severity | means |\n|---|---|---|---|\n".to_owned();
    for (code, doc) in CODES {
        let doc = doc.replace('|', "\\|");
        let severity =
            if code.is_on { code.severity.name().to_owned() } else { format!("{}, off", code.severity.name()) };
        let Code { id, name, .. } = code;
        table.push_str(&format!("| {id} | [`{name}`](codes/{name}.md) | {severity} | {doc} |\n"));
    }
    is_current("book/src/codes.md", "codes", &table);
}

/// The pages are below that of the codes; SUMMARY.md takes no comments, so the place itself is the mark.
#[test]
fn the_summary_lists_the_pages_of_codes() {
    const CHAPTER: &str = "- [Codes](codes.md)\n";
    let summary = read("book/src/SUMMARY.md");
    let (before, after) = summary.split_once(CHAPTER).expect("the page of codes");
    let rest: String =
        after.lines().skip_while(|line| line.starts_with("  - ")).map(|line| format!("{line}\n")).collect();
    let pages: String = CODES.iter().map(|(code, _)| format!("  - [{0}](codes/{0}.md)\n", code.name)).collect();
    let expected = format!("{before}{CHAPTER}{pages}{rest}");
    if summary != expected && env::var_os("RULES_BLESS").is_some() {
        fs::write(root().join("book/src/SUMMARY.md"), &expected).unwrap();
        return;
    }
    assert!(summary == expected, "`RULES_BLESS=1 cargo test --test it` lists them");
}
