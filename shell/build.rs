//! Compiles the records of programs, one TOML file each in `programs/`, into the statics that `src/programs.rs`,
//! `src/files/rows.rs`, `src/files/contents.rs`, `src/network/rows.rs`, `src/nested/runner.rs`,
//! `src/nested/run_variables.rs`, `src/startup.rs`, `src/prints.rs` and `src/project.rs` include, and `variables.toml`
//! into the static that `src/analysis/variables.rs` includes.
#![expect(clippy::disallowed_methods, reason = "a build script reads its files and its environment")]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[path = "src/records.rs"]
#[expect(dead_code, unreachable_pub, reason = "the library asks more of it, and shows some of it")]
mod records;
#[path = "src/records/write.rs"]
mod write;

use records::compile;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/records.rs");
    println!("cargo::rerun-if-changed=src/records");
    println!("cargo::rerun-if-changed=programs");
    println!("cargo::rerun-if-changed=variables.toml");
    let mut files = Vec::new();
    collect(Path::new("programs"), &mut files)?;
    files.sort();
    let texts: io::Result<Vec<_>> =
        files.into_iter().map(|file| Ok((name(&file), fs::read_to_string(file)?))).collect();
    match compile(&texts?, None) {
        Ok(compiled) => {
            let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
            fs::write(out.join("harmless.rs"), harmless_variables(&fs::read_to_string("variables.toml")?))?;
            let tables = write::write(&compiled.programs);
            fs::write(out.join("programs.rs"), tables.programs)?;
            fs::write(out.join("files.rs"), tables.files)?;
            fs::write(out.join("contents.rs"), tables.contents)?;
            fs::write(out.join("network.rs"), tables.network)?;
            fs::write(out.join("runs.rs"), tables.runs)?;
            fs::write(out.join("variables.rs"), tables.variables)?;
            fs::write(out.join("startup.rs"), tables.startup)?;
            fs::write(out.join("prints.rs"), tables.prints)?;
            fs::write(out.join("project.rs"), tables.project)
        }
        Err(mistakes) => {
            for mistake in mistakes {
                println!("cargo::error=shell/programs/{mistake}");
            }
            Ok(())
        }
    }
}

/// Returns the texts in the list of this name.
fn list<'t>(group: &'t toml::Value, key: &str) -> Option<Vec<&'t str>> {
    group.get(key)?.as_array()?.iter().map(toml::Value::as_str).collect()
}

/// Returns the static for the groups of variables in a text.
#[expect(clippy::panic, reason = "a mistake in the file ends the build")]
fn harmless_variables(text: &str) -> String {
    let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("shell/variables.toml: {error}"));
    let groups = table.get("group").and_then(toml::Value::as_array).unwrap_or_else(|| panic!("no [[group]]"));
    let rows = groups.iter().map(|group| {
        let known = ["names", "signs", "only"];
        let table = group.as_table().filter(|table| table.keys().all(|key| known.contains(&key.as_str())));
        let names = table.and_then(|_| list(group, "names")).unwrap_or_else(|| panic!("not a group: {group:?}"));
        let values = match (list(group, "only"), group.get("signs").map(|signs| signs.as_str())) {
            (Some(only), None) => format!("HarmlessValues::Only(&{only:?})"),
            (None, None) => "HarmlessValues::Signs(\"\")".to_owned(),
            (None, Some(Some(signs))) => format!("HarmlessValues::Signs({signs:?})"),
            _ => panic!("not the values of a group: {group:?}"),
        };
        format!("HarmlessVariables {{ names: &{names:?}, values: {values} }},")
    });
    format!("static HARMLESS: &[HarmlessVariables] = &[{}];", rows.collect::<String>())
}

/// Collects the records below a directory.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns the path of a file relative to `programs/`, with slashes.
fn name(file: &Path) -> String {
    let parts: Vec<_> = file.iter().skip(1).map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}
