//! The directories for the inputs: a project with files, and a policy with every pack.
//!
//! Rules that start commands or notify are left out: an input must not choose what runs here.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use hookrules::hooks::Registration;
use hookrules::host::Host;
use hookrules::packs::PACKS;
use hookrules::project::{MachinePlaces, TrustRequirement};
use hookrules::span::Sources;
use hookrules::syntax;
use hookrules::syntax::ast::{ClauseKind, EffectKind, ItemKind};

/// The directories.
pub struct Machine {
    root: PathBuf,
}

/// The files in the project.
const FILES: &[(&str, &str)] = &[
    (".git/HEAD", "ref: refs/heads/main\n"),
    (".git/config", "[remote \"origin\"]\n\turl = https://example.com/x.git\n[branch \"main\"]\n\tremote = origin\n"),
    (".gitignore", ".env\n/target\nnode_modules/\n"),
    (".env", "TOKEN=1\n"),
    ("Cargo.toml", "[package]\nname = \"x\"\n"),
    ("README.md", "# x\n"),
    ("src/main.rs", "fn main() {}\n"),
    ("src/a.rs", "// a\n"),
    ("x.sh", "rm -rf \"$1\"\ngit push --force\n"),
    ("scripts/clean.sh", "#!/bin/sh\ncd build && rm -rf *\n. ./x.sh\n"),
    ("package.json", "{\"scripts\": {\"test\": \"rm -rf dist && jest\"}}\n"),
    ("Makefile", "clean:\n\trm -rf build\n"),
];

impl Machine {
    /// Creates the directories.
    pub fn make(root: &Path) -> std::io::Result<Self> {
        let machine = Self { root: root.to_path_buf() };
        for directory in ["project", "cache", "managed", "policies"] {
            fs::create_dir_all(root.join(directory))?;
        }
        // The cache must be accessible to this account only.
        fs::set_permissions(root.join("cache"), fs::Permissions::from_mode(0o700))?;
        let policy = packs();
        let rules = [(".rules/project.rules", policy.as_str())];
        for (path, text) in FILES.iter().chain(&rules) {
            let path = root.join("project").join(path);
            fs::create_dir_all(path.parent().unwrap_or(root))?;
            fs::write(path, text)?;
        }
        Ok(machine)
    }

    /// Uses existing directories.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// Returns the registration of a hook in this project. It caches compiled policies, and writes no records and no
    /// log.
    pub fn registration(&self, host: Host) -> Registration {
        let places = MachinePlaces {
            managed: self.root.join("managed"),
            user: None,
            state: None,
            cache: Some(self.root.join("cache")),
            project: None,
            missing_projects: Vec::new(),
            trust: TrustRequirement::NotRequired,
        };
        Registration {
            host,
            project: Some(self.project()),
            start_directory: None,
            places,
            requires_policy: false,
            problem: None,
        }
    }

    /// Returns the project of the policy under test, one for each process.
    pub fn policy_project(&self) -> PathBuf {
        self.root.join(format!("policies/{}", std::process::id()))
    }
}

/// Returns a policy that uses every pack.
fn packs() -> String {
    let mut text = String::new();
    for (name, pack) in PACKS {
        let mut sources = Sources::default();
        let id = sources.add(*name, None, *pack);
        let Some(source) = sources.file_by_id(id) else { continue };
        let (file, _) = syntax::parse(source);
        let rules = file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Rule(rule) => Some(rule),
            _ => None,
        });
        let acts = |clause: &ClauseKind| match clause {
            ClauseKind::Effect(effect) => {
                matches!(effect.kind, EffectKind::RunShell(_) | EffectKind::RunArgv(..) | EffectKind::Notify(..))
            }
            _ => false,
        };
        let acting = rules.filter(|rule| rule.clauses.iter().any(|clause| acts(&clause.kind)));
        let acting: Vec<&str> = acting.map(|rule| rule.name.text.as_str()).collect();
        let except = if acting.is_empty() { String::new() } else { format!(" except {}", acting.join(", ")) };
        text.push_str(&format!("use \"{name}\"{except}\n"));
    }
    text
}
