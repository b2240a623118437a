//! Approvals by `only runs`: what an author writes holds for the call that it says, or a finding leads to one that does.
//!
//! The calls are those of `tests/fixtures/approvals.txt`, and some of every record that runs something.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use hookrules::diagnostic::Diagnostic;

use crate::mistakes::ITEMS;
use crate::source::{files, is_left_out, read};

/// A literal approval and a call for which it should hold.
#[derive(Clone)]
struct Approval {
    /// The value of `only runs`: a string, or a list of them.
    value: String,
    call: String,
}

impl Approval {
    fn new(pattern: &str, call: &str) -> Self {
        Self { value: quoted(pattern), call: call.to_owned() }
    }

    fn rule(&self, index: usize) -> String {
        let Self { value, call } = self;
        format!(
            "rule r{index} {{\n  on PreToolUse(Bash)\n  when only runs {value}\n  allow\n\n  fires on {}\n}}\n\n",
            quoted(call)
        )
    }
}

/// How `rules check` sees an approval.
struct Seen {
    holds: bool,
    /// The helps of the findings about its pattern.
    helps: Vec<String>,
}

/// The findings that say that an approval does not hold.
const ABOUT_PATTERNS: &[&str] = &["R0401", "R0424", "R0426", "R0427", "R0682"];

/// How many rules one policy has here.
const BATCH: usize = 60;

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Checks approvals, many in one policy.
fn seen(approvals: &[Approval]) -> Vec<Seen> {
    approvals.chunks(BATCH).flat_map(seen_together).collect()
}

fn seen_together(approvals: &[Approval]) -> Vec<Seen> {
    let mut text = String::new();
    let mut places: Vec<Range<usize>> = Vec::new();
    for (index, approval) in approvals.iter().enumerate() {
        let start = text.len();
        text.push_str(&approval.rule(index));
        places.push(start..text.len());
    }
    let (found, _) = ITEMS.check(&text);
    let is_at = |found: &Diagnostic, place: &Range<usize>| {
        found.labels.first().is_some_and(|label| place.contains(&(label.span.start as usize)))
    };
    let see = |place: &Range<usize>| {
        let own: Vec<&Diagnostic> = found.iter().filter(|found| is_at(found, place)).collect();
        let about: Vec<&&Diagnostic> = own.iter().filter(|found| ABOUT_PATTERNS.contains(&found.code.id)).collect();
        Seen {
            holds: !own.iter().any(|found| found.is_error()),
            helps: about.iter().flat_map(|found| found.help.clone()).collect(),
        }
    };
    // A policy that does not load says nothing of its other rules.
    match found.iter().any(|found| found.code.id == "R0401") && approvals.len() > 1 {
        true => approvals.chunks(1).flat_map(seen_together).collect(),
        false => places.iter().map(see).collect(),
    }
}

/// Returns the approval to which a help leads, and whether it is one of the same call; `None` if the help names none.
fn followed(help: &str, call: &str) -> Option<Approval> {
    let after = |start: &str| help.split_once(start).and_then(|(_, rest)| rest.split('`').next()).map(str::to_owned);
    if let Some(value) = after("`only runs ") {
        return Some(Approval { value, call: call.to_owned() });
    }
    for start in ["by its path, `", "and write `\"", "as in `\""] {
        if let Some(pattern) = after(start) {
            let pattern = pattern.trim_matches('"');
            return Some(Approval::new(pattern, pattern));
        }
    }
    after("write `").map(|pattern| Approval::new(pattern.trim_matches('"'), call))
}

/// Returns the call with the first of the alternatives in a pattern: `make test` for `make (test|lint)`.
fn first_call(pattern: &str) -> String {
    match pattern.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(')')?))) {
        Some((before, (inner, after))) => [before, inner.split('|').next().unwrap(), after].concat(),
        None => pattern.to_owned(),
    }
}

/// Returns the calls of the fixture, some with alternatives.
fn ordinary_calls() -> Vec<String> {
    let text = read("tests/fixtures/approvals.txt");
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect()
}

/// Returns calls of every record with a `[runs]`, and of its subcommands: alone, and with a command behind.
fn calls_of_records() -> BTreeSet<String> {
    let mut calls = BTreeSet::new();
    for path in files("shell/programs", &["toml"]) {
        let record: toml::Table = read(&path).parse().unwrap();
        // The records in a directory are those of subcommands.
        let program = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let front = program.filter(|name| *name != "programs").map(|name| format!("{name} ")).unwrap_or_default();
        add_calls(&front, &record, &mut calls);
    }
    calls
}

fn add_calls(front: &str, record: &toml::Table, calls: &mut BTreeSet<String>) {
    let name = record.get("names").and_then(|names| names.get(0)?.as_str()).unwrap_or_default();
    let words = format!("{front}{name}");
    if record.contains_key("runs") && !name.is_empty() {
        calls.insert(words.clone());
        calls.insert(format!("{words} make test"));
    }
    for command in record.get("command").and_then(toml::Value::as_array).into_iter().flatten() {
        add_calls(&format!("{words} "), command.as_table().unwrap(), calls);
    }
}

#[test]
fn a_literal_approval_holds_or_its_finding_leads_to_one_that_does() {
    if is_left_out(Path::new("shell")) {
        return;
    }
    let of_records = calls_of_records();
    assert!(of_records.len() > 1000, "{}", of_records.len());
    let calls: Vec<String> = ordinary_calls().into_iter().chain(of_records).collect();
    let literal: Vec<Approval> = calls.iter().map(|call| Approval::new(call, &first_call(call))).collect();
    let mut problems = Vec::new();
    let mut helped: Vec<(String, Approval)> = Vec::new();
    for (approval, seen) in literal.iter().zip(seen(&literal)) {
        let call = &approval.call;
        match seen.helps.as_slice() {
            [] if seen.holds => {}
            [] => problems.push(format!("{call}: never holds, and nothing says so")),
            _ if seen.holds => problems.push(format!("{call}: holds, and {:?}", seen.helps)),
            helps => match helps.iter().find_map(|help| followed(help, call)) {
                Some(approval) => helped.push((call.clone(), approval)),
                None => problems.push(format!("{call}: nothing to follow in {helps:?}")),
            },
        }
    }
    // Whoever follows a help is done.
    let approvals: Vec<Approval> = helped.iter().map(|(_, approval)| approval.clone()).collect();
    for ((call, approval), seen) in helped.iter().zip(seen(&approvals)) {
        if !seen.holds || !seen.helps.is_empty() {
            problems.push(format!("{call}: {} is what its help says, and does not hold", approval.value));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(helped.len() * 10 < calls.len(), "{} of {} approvals are refused", helped.len(), calls.len());
}

#[test]
fn an_approval_with_a_star_holds_or_has_a_finding() {
    let calls = ordinary_calls();
    let with_star = |suffix: &str| {
        let approve = |call: &String| Approval::new(&format!("{call} *"), &format!("{}{suffix}", first_call(call)));
        seen(&calls.iter().map(approve).collect::<Vec<_>>())
    };
    let (bare, further) = (with_star(""), with_star(" x"));
    let is_silent = |(bare, further): (&Seen, &Seen)| !bare.holds && !further.holds && bare.helps.is_empty();
    let silent: Vec<&String> = calls
        .iter()
        .zip(bare.iter().zip(&further))
        .filter(|(_, seen)| is_silent(*seen))
        .map(|(call, _)| call)
        .collect();
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn an_approval_holds_for_the_call_that_it_says_and_no_other() {
    // The pattern, calls that it approves, and near neighbours.
    let cases: &[(&str, &[&str], &[&str])] = &[
        (
            "./scripts/test.sh",
            &["scripts/test.sh", "/project/scripts/test.sh", "CI=1 ./scripts/test.sh"],
            &[
                "./scripts/test.sh x",
                "scripts/../scripts/test.sh",
                "/tmp/scripts/test.sh",
                "./test.sh",
                "test.sh",
                "cd scripts && ./test.sh",
                "cd /tmp && ./scripts/test.sh",
                "./scripts/sub/test.sh",
                "./scripts/test.sh > src/a",
                "PATH=. ./scripts/test.sh",
                "cp /tmp/x scripts/test.sh && ./scripts/test.sh",
                "bash scripts/test.sh",
            ],
        ),
        (
            ".venv/bin/pytest *",
            &["./.venv/bin/pytest -x tests", ".venv/bin/pytest"],
            &[".venv/bin/pytest -p evil", "pytest", "/tmp/.venv/bin/pytest", ".venv/bin/python x.py"],
        ),
        ("bin/rails test", &["./bin/rails test"], &["bin/rails db:drop", "rails test", "sub/bin/rails test"]),
        (
            "vendor/bin/(phpunit|phpstan) analyse",
            &["vendor/bin/phpstan analyse", "./vendor/bin/phpunit analyse"],
            &["vendor/bin/other analyse", "phpstan analyse"],
        ),
        (
            "yarn workspace api test",
            &["yarn workspace api test"],
            &[
                "yarn workspace web test",
                "yarn workspace api deploy",
                "yarn test",
                "yarn workspace api test --config=x",
            ],
        ),
        ("pnpm -r test", &["pnpm -r test", "pnpm --recursive test"], &["pnpm test", "pnpm -r publish"]),
        ("pnpm --filter api test", &["pnpm -F api test"], &["pnpm --filter web test", "pnpm test", "pnpm -C x test"]),
        (
            "sail artisan test *",
            &["sail artisan test", "sail artisan test x"],
            &["sail artisan migrate", "sail php x.php", "php artisan test"],
        ),
        ("terragrunt plan", &["terragrunt plan"], &["terragrunt apply", "terraform plan", "terragrunt plan -out=x"]),
        (
            "python -m unittest *",
            &["python -m unittest -v tests.a"],
            &["python -m unittest -s /tmp/x", "python -m pip"],
        ),
        ("npx nx test api *", &["npx nx test api", "npx nx test api --watch"], &["npx nx build api", "npx evil"]),
        (
            "docker compose up *",
            &["docker compose up -d", "docker compose --profile dev up"],
            &[
                "docker compose -f /tmp/x.yml up",
                "docker compose down",
                "docker compose --project-directory /tmp/x up",
                "docker -H tcp://evil:2375 compose up",
                "docker --context evil compose up",
            ],
        ),
        (
            "docker compose -f compose.yml up *",
            &["docker compose -f compose.yml up -d"],
            &["docker compose -f x.yml up"],
        ),
        (
            "cargo test",
            &["CI=1 cargo test", "RUST_BACKTRACE=1 RUST_LOG=debug cargo test"],
            &["FOO=1 cargo test", "CI=$(x) cargo test", "RUSTC_WRAPPER=./x cargo test", "CI=1 PATH=. cargo test"],
        ),
        (
            "npm test",
            &["NODE_ENV=test npm test", "FORCE_COLOR=0 npm test"],
            &["NODE_ENV=production npm test", "NODE_OPTIONS=--require=./x npm test"],
        ),
        // A `*` covers no option that names where the work is done.
        ("docker build *", &["docker build -t a ."], &["docker -H tcp://evil:2375 build .", "docker -c evil build ."]),
        (
            "docker -H tcp://ci:2375 build *",
            &["docker -H tcp://ci:2375 build ."],
            &["docker -H tcp://evil:2375 build ."],
        ),
        ("systemctl status *", &["systemctl status nginx"], &["systemctl -H evil status nginx"]),
        // What a stream says is none of the words of a pattern.
        ("psql app", &["psql app"], &["psql app <<< 'DROP TABLE t'", "psql app < x"]),
        ("bash", &["bash"], &["bash <<< 'rm -rf src'", "echo 'rm -rf src' | bash", "bash < x", "bash -c 'rm -rf src'"]),
        ("xargs rm", &[], &["xargs rm", "ls | xargs rm", "xargs rm < files"]),
        ("sh -c", &[], &["sh -c 'rm -rf src'", "sh -c rm"]),
        ("npx *", &[], &["npx evil", "npx cowsay@1 hi"]),
        ("yarn workspace *", &[], &["yarn workspace api deploy"]),
        ("sail *", &[], &["sail artisan migrate:fresh", "sail php x.php"]),
    ];
    let mut problems = Vec::new();
    for (pattern, approved, others) in cases {
        // What is next to the program needs a pattern of its own.
        let value = format!("[{}, \"cd *\", \"cp *\", \"ls\", \"echo *\"]", quoted(pattern));
        for (calls, expected) in [(approved, true), (others, false)] {
            let approvals: Vec<Approval> =
                calls.iter().map(|call| Approval { value: value.clone(), call: (*call).to_owned() }).collect();
            let wrong = approvals.iter().zip(seen(&approvals)).filter(|(_, seen)| seen.holds != expected);
            problems.extend(wrong.map(|(approval, _)| format!("{pattern}: {} is not {expected}", approval.call)));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
