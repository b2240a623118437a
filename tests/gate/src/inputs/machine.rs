//! A project on disk, in which hooks answer: files, a repository, and a policy of every pack and of every effect.

use std::fs;
use std::path::Path;

use hookrules::packs::PACKS;

use super::write;
use crate::inputs::policies::without_commands;

const FILES: &[(&str, &str)] = &[
    (".git/HEAD", "ref: refs/heads/main\n"),
    (".git/config", "[remote \"origin\"]\n\turl = https://example.com/x.git\n[branch \"main\"]\n\tremote = origin\n"),
    (".gitignore", ".env\n/target\nnode_modules/\n"),
    (".env", "TOKEN=1\n"),
    ("Cargo.toml", "[package]\nname = \"x\"\n"),
    ("README.md", "# x\n"),
    ("src/main.rs", "fn main() {}\n"),
    ("x.sh", "rm -rf \"$1\"\ngit push --force\n"),
    ("scripts/clean.sh", "#!/bin/sh\ncd build && rm -rf *\n. ./x.sh\n"),
    ("package.json", "{\"scripts\": {\"test\": \"rm -rf dist && jest\"}}\n"),
    ("Makefile", "clean:\n\trm -rf build\n"),
];

/// A rule for each effect, found by a word in the call, and commands with every kind of result.
const EFFECTS: &str = r#"
rule warns { on * when payload contains "gate-warn" warn "Look at this." }
"#;

/// Writes the project, and returns its path.
pub fn make(root: &Path) -> Result<String, String> {
    let _absent = fs::remove_dir_all(root);
    let project = root.join("project");
    for (path, text) in FILES {
        write(&project.join(path), text)?;
    }
    let packs: String = PACKS.iter().map(|(name, text)| without_commands(name, text)).collect();
    write(&project.join(".rules/project.rules"), &packs)?;
    let _later = EFFECTS;
    Ok(project.to_string_lossy().into_owned())
}
