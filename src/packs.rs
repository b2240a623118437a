//! The packs: policies that are part of the binary, for `use "std/NAME"`.

use crate::syntax::Outline;

/// The name of every pack, as in `use "std/git"`, and its text.
pub const PACKS: &[(&str, &str)] = &[
    ("std/backup", include_str!("../rules/std/backup.rules")),
    ("std/brokers", include_str!("../rules/std/brokers.rules")),
    ("std/ci", include_str!("../rules/std/ci.rules")),
    ("std/cloud", include_str!("../rules/std/cloud.rules")),
    ("std/commits", include_str!("../rules/std/commits.rules")),
    ("std/containers", include_str!("../rules/std/containers.rules")),
    ("std/devices", include_str!("../rules/std/devices.rules")),
    ("std/edits", include_str!("../rules/std/edits.rules")),
    ("std/filesystem", include_str!("../rules/std/filesystem.rules")),
    ("std/git", include_str!("../rules/std/git.rules")),
    ("std/habits", include_str!("../rules/std/habits.rules")),
    ("std/lifecycle", include_str!("../rules/std/lifecycle.rules")),
    ("std/machine", include_str!("../rules/std/machine.rules")),
    ("std/network", include_str!("../rules/std/network.rules")),
    ("std/pace", include_str!("../rules/std/pace.rules")),
    ("std/packages", include_str!("../rules/std/packages.rules")),
    ("std/read-only", include_str!("../rules/std/read-only.rules")),
    ("std/release", include_str!("../rules/std/release.rules")),
    ("std/roles", include_str!("../rules/std/roles.rules")),
    ("std/secret-stores", include_str!("../rules/std/secret-stores.rules")),
    ("std/secrets", include_str!("../rules/std/secrets.rules")),
    ("std/self-protection", include_str!("../rules/std/self-protection.rules")),
    ("std/sql", include_str!("../rules/std/sql.rules")),
    ("std/subagents", include_str!("../rules/std/subagents.rules")),
];

/// The BLAKE2b-256 digest of each pack, by name, computed by the build script.
const FINGERPRINTS: &[(&str, [u8; 32])] = include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// The outline of each pack, by name, computed by the build script.
const OUTLINES: &[(&str, Outline)] = include!(concat!(env!("OUT_DIR"), "/outlines.rs"));

/// Returns the outline of a pack: the positions of its examples and the number of its parts.
#[must_use]
pub fn pack_outline(name: &str) -> Option<&'static Outline> {
    OUTLINES.iter().find(|(known, _)| *known == name).map(|(_, outline)| outline)
}

/// Returns the fingerprint of a text, if it is that of a pack.
#[must_use]
pub fn fingerprint(text: &str) -> Option<&'static [u8; 32]> {
    let (name, _) = PACKS.iter().find(|(_, pack)| *pack == text)?;
    FINGERPRINTS.iter().find(|(known, _)| known == name).map(|(_, fingerprint)| fingerprint)
}

/// Returns the purpose of a pack: the first paragraph of its leading comment, on one line.
#[must_use]
pub fn pack_purpose(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("# "));
    lines.take_while(|line| !line.starts_with(' ')).collect::<Vec<_>>().join(" ")
}

/// Returns the text of the pack with this name.
#[must_use]
pub fn pack(name: &str) -> Option<&'static str> {
    PACKS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a policy that uses the pack is written first")]
pub(crate) mod tests {
    use super::*;
    use crate::compile::{CompiledLayer, compile};
    use crate::diagnostic::{DiagnosticFormat, render_all};
    use crate::examples::judge_examples;
    use crate::project::{self, LoadedSources};
    use crate::span::Sources;
    use crate::syntax;
    use crate::syntax::ast::{Clause, ClauseKind, ExampleKind, ItemKind};

    /// Loads a policy that only uses the pack.
    pub(crate) fn using(name: &str, with: &str) -> (LoadedSources, CompiledLayer) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("policy.rules");
        std::fs::write(&path, format!("use \"{name}\"{with}\n")).unwrap();
        let loaded = project::load_paths(&[path]);
        let compiled = compile(loaded.layers.first().unwrap());
        (loaded, compiled)
    }

    #[test]
    fn every_pack_has_its_fingerprint() {
        for (name, text) in PACKS {
            let hex = |bytes: &[u8; 32]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            let expected = crate::fingerprint::Fingerprint::digest(text.as_bytes()).hex();
            assert_eq!(fingerprint(text).map(hex), Some(expected), "{name}");
        }
        assert_eq!(fingerprint("# A policy."), None);
    }

    #[test]
    fn every_pack_compiles_as_it_stands() {
        for (name, _) in PACKS {
            let (loaded, compiled) = using(name, "");
            assert_eq!(render_all(&compiled.diagnostics, &loaded.sources, DiagnosticFormat::Short), "", "{name}");
            assert!(!compiled.rules.is_empty(), "{name}");
        }
    }

    #[test]
    fn no_example_of_a_pack_comes_out_otherwise() {
        for (name, _) in PACKS {
            let (loaded, compiled) = using(name, "");
            let report = judge_examples(&compiled.rules);
            assert_eq!(render_all(&report.failed, &loaded.sources, DiagnosticFormat::Short), "", "{name}");
            assert!(report.passed > 0, "{name}");
        }
    }

    /// Checks every `use` that a pack's comment shows, with its replacements and exceptions.
    #[test]
    fn a_pack_is_used_as_it_says() {
        for (name, text) in PACKS {
            let head = text.lines().take_while(|line| line.starts_with('#'));
            for line in head.filter_map(|line| line.strip_prefix("#   ")) {
                let rest = line.strip_prefix(&format!("use \"{name}\""));
                let rest = rest.unwrap_or_else(|| panic!("{name} shows another policy: {line}"));
                let (loaded, compiled) = using(name, rest);
                assert_eq!(render_all(&compiled.diagnostics, &loaded.sources, DiagnosticFormat::Short), "", "{line}");
            }
        }
    }

    #[test]
    fn the_protected_branches_can_be_replaced() {
        let (_, compiled) = using("std/git", " with { protected_branches: [\"trunk\"] }");
        assert_eq!(compiled.diagnostics, []);
        let (_, compiled) = using("std/git", " with { protected_branches: true }");
        assert!(compiled.diagnostics.iter().any(|found| found.is_error()));
    }

    #[test]
    fn every_rule_of_a_pack_says_why_and_shows_when() {
        for (name, text) in PACKS {
            let mut sources = Sources::default();
            let id = sources.add(*name, None, *text);
            let (file, _) = syntax::parse(sources.file_by_id(id).unwrap());
            for item in &file.items {
                let ItemKind::Rule(rule) = &item.kind else { continue };
                assert!(!item.docs.is_empty(), "{name}/{}", rule.name.text);
                let fires = |clause: &Clause| matches!(clause.kind, ClauseKind::Examples(ExampleKind::Fires, _));
                assert!(rule.clauses.iter().any(fires), "{name}/{}", rule.name.text);
            }
        }
    }

    #[test]
    fn every_rule_of_a_pack_shows_its_edges() {
        let mut few = Vec::new();
        // Rules for events, which apply to every payload, have no edge cases, and neither have rules without a
        // condition.
        let on_events = ["std/lifecycle", "std/pace", "std/roles", "std/subagents"];
        for (name, text) in PACKS.iter().filter(|(name, _)| !on_events.contains(name)) {
            let mut sources = Sources::default();
            let id = sources.add(*name, None, *text);
            let (file, _) = syntax::parse(sources.file_by_id(id).unwrap());
            for item in &file.items {
                let ItemKind::Rule(rule) = &item.kind else { continue };
                if !rule.clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::When(_) | ClauseKind::Unless(_)))
                {
                    continue;
                }
                let shown = |kind| {
                    let examples = rule.clauses.iter().filter_map(|clause| match &clause.kind {
                        ClauseKind::Examples(of, examples) if *of == kind => Some(examples.len()),
                        _ => None,
                    });
                    examples.sum::<usize>()
                };
                if shown(ExampleKind::Fires) < 3 || shown(ExampleKind::Quiet) < 3 {
                    few.push(format!("{name}/{}", rule.name.text));
                }
            }
        }
        assert!(few.is_empty(), "fewer than three examples of what fires or what is quiet: {few:#?}");
    }

    #[test]
    fn every_pack_says_what_it_is_for() {
        for (name, text) in PACKS {
            let purpose = pack_purpose(text);
            assert!(purpose.len() > 20 && purpose.ends_with('.'), "{name}: {purpose:?}");
        }
        assert_eq!(pack_purpose("# Look\n# twice.\n#\n#   use \"std/x\"\n"), "Look twice.");
        assert_eq!(pack_purpose("# Look.\n#   use \"std/x\"\n"), "Look.");
    }

    #[test]
    fn a_pack_is_found_by_its_whole_name() {
        assert!(pack("std/git").is_some());
        assert!(pack("git").is_none());
    }
}
