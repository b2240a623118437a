//! The texts of the fixtures.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

/// Returns every text once, in a stable order.
pub fn of(fixtures: &[PathBuf]) -> io::Result<Vec<String>> {
    let mut texts = BTreeSet::new();
    let mut files = Vec::new();
    for directory in fixtures {
        for entry in std::fs::read_dir(directory)? {
            files.push(entry?.path());
        }
    }
    files.sort();
    for file in files {
        let text = || std::fs::read_to_string(&file);
        match file.file_name().and_then(|name| name.to_str()) {
            Some("routes.txt") => texts.extend(blocks(&text()?)),
            Some(name) if name.ends_with(".txt") => texts.extend(lines(&text()?)),
            Some(name) if name.ends_with(".jsonl") => {
                for line in text()?.lines() {
                    let row: serde_json::Value = serde_json::from_str(line)?;
                    texts.extend(row.get("command").and_then(|command| command.as_str()).map(str::to_owned));
                }
            }
            _ => {}
        }
    }
    Ok(texts.into_iter().collect())
}

/// Returns a text for each line, with `⏎` for newlines in it.
fn lines(file: &str) -> impl Iterator<Item = String> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).map(|line| line.replace('⏎', "\n"))
}

/// Returns a text for each block; its first line is a description.
fn blocks(file: &str) -> impl Iterator<Item = String> {
    let bodies = file.split("\n%% ").skip(1).filter_map(|block| Some(block.split_once('\n')?.1));
    bodies.map(|text| text.trim_end_matches('\n').to_owned())
}
