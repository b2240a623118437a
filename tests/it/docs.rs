//! Every policy that is shown or shipped is valid: it compiles without findings, and its examples hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hookrules::config::LayerKind;
use hookrules::diagnostic::{DiagnosticFormat, Levels, render_all};
use hookrules::examples::{self, ExampleReport};
use hookrules::lint;
use hookrules::policy::Policy;
use hookrules::project;
use hookrules::span::Sources;
use serde_json::Value as Json;

use crate::book::{blocks, fenced};
use crate::machine::{Machine, Reply, send};
use crate::source::{files, is_left_out, read, root};

/// Loads a policy by its path and checks that it has no findings and no wrong examples or tests.
#[track_caller]
fn holds(place: &str, path: &Path) -> ExampleReport {
    let loaded = project::load_paths(&[path.to_path_buf()]);
    let policy = Policy::new(loaded.sources, &loaded.layers);
    let found = lint::check_policy(&policy, &[], &Levels::default());
    assert!(found.is_empty(), "{place}:\n{}", render_all(&found, &policy.sources, DiagnosticFormat::PLAIN));
    let mut report = ExampleReport::default();
    policy.layers.iter().for_each(|layer| report.add(examples::judge_layer(layer)));
    assert!(
        report.failed.is_empty(),
        "{place}:\n{}",
        render_all(&report.failed, &policy.sources, DiagnosticFormat::PLAIN)
    );
    report
}

/// Returns the path in the first line of a record.
#[track_caller]
fn named(record: &str) -> &str {
    record.lines().next().unwrap().strip_prefix("# ").expect("the first line is the path")
}

#[test]
fn the_books_tables_of_records_are_those_of_the_built_in_ones() {
    // An interpreter only depends on its code, which no record describes; the others are for built-in records.
    const BUILT_IN: [&str; 17] = [
        "| `interpreter`",
        "| `as-written`",
        "| `[files]`",
        "| `[runs]`",
        "| `[variables]`",
        "| `[prints]`",
        "| `[project]`",
        "| `input`",
        "| `looks`",
        "| `asks`",
        "| `behind-dashes`",
        "| `plain-values`",
        "| `incidental`",
        "| `incidental-call`",
        "| `language`",
        "| `dialect`",
        "| `[startup]`",
    ];
    let rows = |page: &str| -> Vec<String> {
        let text = read(page);
        let (text, _) = text.split_once("\n## Files\n").unwrap_or((&text, ""));
        let is_row = |line: &&str| line.starts_with('|') && !BUILT_IN.iter().any(|start| line.starts_with(start));
        text.lines().filter(is_row).map(str::to_owned).collect()
    };
    let page = rows("book/src/reference/programs.md");
    assert!(page.len() > 20, "{page:?}");
    assert_eq!(page, rows("shell/programs/README.md"));
}

#[test]
fn the_books_words_of_where_are_those_of_the_language() {
    let source = read("src/compile/field.rs");
    let words = source.split_once("WHERE_WORDS: &[&str] = &[").and_then(|(_, rest)| rest.split_once("];")).unwrap().0;
    let mut known: Vec<&str> = words.split('"').skip(1).step_by(2).collect();
    known.extend([
        "operand 1",
        "last operand",
        "option \"-m\"",
        "env.NAME",
        "reads T",
        "writes T",
        "deletes T",
        "sends T",
        "connects",
        "connects H",
    ]);
    let page = read("book/src/reference/where.md");
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" | ")).map(|(cell, _)| cell);
    let mut listed: Vec<&str> = cells
        .take_while(|cell| !cell.starts_with("operands in"))
        .flat_map(|cell| cell.trim_end_matches('`').split("`, `"))
        .collect();
    known.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, known);
}

#[test]
fn every_policy_of_the_book_holds() {
    let machine = Machine::new();
    let mut judged = 0;
    for block in blocks() {
        let place = format!("{}:{}", block.page.display(), block.line);
        machine.write("project/.rules/block.rules", &block.text);
        let records = fenced(&block.page.display().to_string(), "toml,program");
        for record in &records {
            machine.write(&format!("project/{}", named(record)), record);
        }
        let report = holds(&place, &machine.path("project"));
        for record in &records {
            std::fs::remove_file(machine.path(&format!("project/{}", named(record)))).unwrap();
        }
        judged += report.passed;
    }
    assert!(judged > 50, "only {judged} examples");
}

#[test]
fn every_shipped_policy_holds() {
    let mut policies: Vec<PathBuf> = files("rules/std", &["rules"]);
    policies.extend(files("examples", &["rules"]));
    assert!(policies.len() > 5);
    for policy in policies {
        let report = holds(&policy.display().to_string(), &root().join(&policy));
        assert!(report.passed > 0, "{}: no example", policy.display());
    }
}

#[test]
fn the_overview_of_the_language_holds() {
    let machine = Machine::new();
    for name in ["overview.rules", "paths.rules"] {
        machine.write(&format!("project/.rules/{name}"), &read(format!("tests/fixtures/language/{name}")));
    }
    let report = holds("overview.rules", &machine.path("project"));
    assert!(report.passed > 8, "{report:?}");
}

#[test]
fn every_settings_file_of_the_book_loads() {
    let mut checked = 0;
    for page in files("book/src", &["md"]) {
        let text = read(&page);
        for block in text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let mut sources = Sources::default();
            let id = sources.add(page.display().to_string(), None, block.to_owned());
            let found_in = |layer| hookrules::config::parse(sources.file_by_id(id).unwrap(), layer).1;
            let found = found_in(LayerKind::Project);
            let is_of_one_layer = found.is_empty() || found_in(LayerKind::User).is_empty();
            assert!(is_of_one_layer, "{}:\n{}", page.display(), render_all(&found, &sources, DiagnosticFormat::PLAIN));
            checked += 1;
        }
    }
    assert!(checked > 0);
}

/// `rules eval` returns for each payload what the quick start's README.md states.
#[test]
fn the_quick_start_comes_out_as_its_table_says() {
    let machine = Machine::new();
    let readme = read("examples/quickstart/README.md");
    let policy = root().join("examples/quickstart/.rules");
    let policy = policy.to_str().unwrap();
    let mut checked = 0;
    for row in readme.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" |").map(|cell| cell.trim().trim_matches('`')).collect();
        let [name, result, rule] = cells[..] else { panic!("{row}") };
        let payload: Json = serde_json::from_str(&read(format!("examples/quickstart/payloads/{name}.json"))).unwrap();
        let printed = machine.rules(&["eval", "--policy", policy], &format!("{payload}\n"));
        assert_eq!(printed.exit, 0, "{printed:?}");
        let said: Json = serde_json::from_str(&printed.stdout).unwrap();
        let (decision, effect) =
            result.split_once(", with a ").map_or((result, None), |(it, effect)| (it, Some(effect)));
        assert_eq!(said["decision"], decision, "{row}: {said}");
        let matched: Vec<&str> = said["rules"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|judged| judged["outcome"] == "match")
            .map(|judged| judged["rule"].as_str().unwrap())
            .collect();
        assert_eq!(matched, rule.split_terminator(", ").collect::<Vec<_>>(), "{row}: {said}");
        let effects: Vec<&str> =
            said["effects"].as_array().unwrap().iter().map(|effect| effect["effect"].as_str().unwrap()).collect();
        assert_eq!(effects, effect.into_iter().collect::<Vec<_>>(), "{row}: {said}");
        checked += 1;
    }
    assert_eq!(checked, files("examples/quickstart/payloads", &["json"]).len());
}

/// The README pipes the payloads, one per file, into `rules eval`.
#[test]
fn the_commands_of_the_quick_start_work_as_they_stand() {
    let machine = Machine::new();
    let directory = root().join("examples/quickstart");
    let program = crate::system::program();
    let binary = Path::new(&program).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let readme = read("examples/quickstart/README.md");
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    assert!(commands.len() >= 4, "{commands:?}");
    for command in commands {
        let hook = format!(
            "rules hook claude-code --config-dir {0}/user --managed-dir {0}/managed --state-dir {0}/state",
            machine.in_shell("").trim_end_matches('/')
        );
        let output = std::process::Command::new("sh")
            .args(["-c", &command.replace("rules hook claude-code", &hook)])
            .current_dir(&directory)
            .env("PATH", &path)
            .env("HOME", machine.path("home"))
            .env("COLUMNS", "80")
            .output()
            .unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let expected = if command.contains("rules hook") { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(expected), "{command}: {stdout}");
        if command.contains("eval") {
            assert_eq!(stdout.lines().count(), 6, "{stdout}");
        } else if command.contains("check") {
            assert!(readme.contains(&format!("It answers `{}`.", stdout.trim_end())), "{stdout}");
        } else {
            assert!(!stdout.is_empty(), "{command}");
        }
    }
}

/// The book's quick start shows the exact output.
#[test]
fn the_books_quick_start_prints_what_it_shows() {
    let machine = Machine::new();
    let page = read("book/src/quick-start.md");
    let shown: Vec<&str> = page.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let [check, explain] = shown[..] else { panic!("{shown:#?}") };
    let policy = blocks().into_iter().filter(|block| block.page.ends_with("quick-start.md")).nth(1).unwrap();
    machine.write("project/.rules/project.rules", &policy.text);
    let printed = machine.rules(&["check", "."], "");
    assert_eq!((printed.exit, printed.stdout.as_str(), printed.stderr.as_str()), (0, check, ""));
    let call = page.split("rules explain '").nth(1).and_then(|rest| rest.split('\'').next()).unwrap();
    let printed = machine.rules(&["explain", "--policy", ".", call], "");
    let stdout = printed.stdout.replace(&machine.path("project").display().to_string(), "/srv/app");
    assert_eq!((printed.exit, stdout.as_str(), printed.stderr.as_str()), (0, explain, ""));
    for (from, to) in [("  deny \"", "  dney \""), ("quiet on Read \".env.example\"", "quiet on Read \".env\"")] {
        assert!(policy.text.contains(from));
        machine.write("project/.rules/project.rules", &policy.text.replace(from, to));
        assert_eq!(machine.rules(&["check", "."], "").exit, 1, "{from}");
    }
}

/// `rules help` shows every page of the reference.
#[test]
fn the_reference_can_be_read_in_a_terminal() {
    let machine = Machine::new();
    let pages = files("book/src/reference", &["md"]);
    assert!(pages.len() > 10, "{pages:?}");
    for page in pages {
        let topic = page.file_stem().unwrap().to_str().unwrap();
        let printed = machine.rules(&["help", topic], "");
        let title = read(&page).lines().next().unwrap().trim_start_matches("# ").to_owned();
        assert!(printed.exit == 0 && printed.stdout.starts_with(&title), "{topic}: {printed:?}");
    }
}

/// Returns the command lines of `rules` on a page, in its text and in its blocks.
fn command_lines(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            found.push(line.strip_prefix("$ ").unwrap_or(line));
        } else {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found.retain(|line| line.starts_with("rules ") && line.chars().nth(6).is_some_and(char::is_alphabetic));
    // The part after a pipe belongs to another program.
    found.into_iter().map(|line| line.split(" | jq ").next().unwrap_or(line)).collect()
}

#[test]
fn commands_and_options_that_the_book_names_exist() {
    let machine = Machine::new();
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let (mut wrong, mut tried) = (Vec::new(), 0);
    let skills = if is_left_out(Path::new("plugin")) { Vec::new() } else { files("plugin/skills", &["md"]) };
    for page in files("book/src", &["md"]).into_iter().chain([PathBuf::from("README.md")]).chain(skills) {
        for line in command_lines(&read(&page)) {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
            let mut words = line.split(|c| !is_word(c)).filter(|word| !word.is_empty()).skip(1).peekable();
            let command = words.next().unwrap_or_default();
            // `rules EVENT` represents all events.
            if command.chars().all(|c| c.is_ascii_uppercase()) {
                continue;
            }
            let is_format =
                |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-');
            let below = words
                .peek()
                .filter(|word| command == "import" && is_format(word) || (command, **word) == ("log", "verify"));
            let args: Vec<&str> = [command].into_iter().chain(below.copied()).chain(["--help"]).collect();
            let help = helps.entry(args.join(" ")).or_insert_with(|| {
                let printed = machine.rules(&args, "");
                if printed.exit == 0 { printed.stdout } else { String::new() }
            });
            if help.is_empty() {
                wrong.push(format!("{}: {line}: no such command", page.display()));
            }
            let options = words.filter(|word| word.starts_with("--") && word.len() > 2);
            for option in options.filter(|option| !help.split(|c| !is_word(c)).any(|word| word == *option)) {
                wrong.push(format!("{}: {line}: no `{option}`", page.display()));
            }
            tried += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tried > 150, "only {tried}");
}

/// The book is right about the exit codes of `rules check`, and every command accepts `--color`.
#[test]
fn the_books_page_of_commands_is_true() {
    let machine = Machine::new();
    let page = read("book/src/command-line.md");
    assert!(page.starts_with("# Command line\n\nEvery command takes `--color auto|always|never`"));
    machine.write("project/.rules/project.rules", "rule a {\n  on PreToolUse(Bash)\n  deny \"No.\"\n}\n");
    for command in ["check .", "test .", "list .", "eval --policy .", "explain --policy ."] {
        for color in ["auto", "always", "never"] {
            let args: Vec<&str> = command.split(' ').chain(["--color", color]).collect();
            let printed = machine.rules(&args, "{\"hook_event_name\":\"Stop\"}\n");
            assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""), "{args:?}");
        }
    }
    let mut hook = machine.hook_command(&["--color", "always"]);
    hook.env_remove("NO_COLOR");
    Reply::of(&send(hook, machine.bash("ls").to_string().as_bytes())).denies("No.");
}
