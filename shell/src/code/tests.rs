//! Tests of the effects of programs: one line for each program, with its file accesses, the commands that it runs,
//! and the parts that are not analysed.

use std::path::Path;

use crate::access::{AccessCertainty, AccessExtent, FileSkipping};
use crate::analysis::{Analysis, StartDirectories};
use crate::files::file_accesses;
use crate::interpret::analyse;
use crate::quote::quote;
use crate::word::Word;

mod javascript;
mod limits;
mod perl;
mod php;
mod python;
mod ruby;

fn analysed(text: &str) -> Analysis {
    analyse(text, &StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) })
}

/// Returns a summary of a command line: its accesses, what it runs, and the reasons for parts that are not analysed.
fn shown(text: &str) -> String {
    let analysis = analysed(text);
    let mut all = Vec::new();
    for command in &analysis.commands {
        if !command.outer_commands.is_empty() {
            let words: Vec<String> = command.words.iter().map(Word::display_text).collect();
            all.push(format!("runs {}", words.join(" ")));
        }
        for access in file_accesses(&analysis, command) {
            let verb = access.verb.word();
            let maybe = if access.certainty == AccessCertainty::Certain { "" } else { " maybe" };
            let below = match &access.extent {
                AccessExtent::Below(filter) if filter.directories == FileSkipping::Yes => {
                    let names: String = filter.only.iter().map(|name| format!(" +{name}")).collect();
                    format!(" below{names}")
                }
                _ => String::new(),
            };
            all.push(format!("{verb} {}{below}{maybe}", access.path.display_text()));
        }
        all.extend(command.downloads_that_run().iter().map(|it| {
            let words: Vec<String> = it.words.iter().map(Word::display_text).collect();
            format!("executes {}", words.join(" "))
        }));
    }
    for opaque in &analysis.opaque {
        let text = opaque.text.as_ref().map_or("anything", |_| "named");
        all.push(format!("? {:?} {text}", opaque.reason.cause));
    }
    let mut each: Vec<String> = Vec::new();
    for one in all {
        if !each.contains(&one) {
            each.push(one);
        }
    }
    each.join("; ")
}

/// Compares each program of a table, before `=>`, with its summary, after it. A `⏎` is a newline.
#[track_caller]
fn table(interpreter: &str, rows: &str) {
    let mut wrong = Vec::new();
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (code, expected) = row.rsplit_once(" =>").unwrap_or((row, ""));
        let code = code.replace('⏎', "\n");
        let found = shown(&format!("{interpreter} {}", quote(&code)));
        if found != expected.trim() {
            wrong.push(format!("{row}\n      found: {found}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
