//! Random rules, and calls that they may concern.
//!
//! The search at volume uses this file too.

use std::path::{Path, PathBuf};

use hookrules::config::LayerKind;
use hookrules::facts::{Fact, Facts, StatedFacts};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

use crate::kit::*;

/// Programs, some with two names, some unknown to the tables.
const PROGRAMS: &[&str] = &["git", "rm", "ls", "curl", "sh", "source", ".", "test", "[", "python3", "zap", "npm"];

/// Words of commands and patterns.
const WORDS: &[&str] = &["push", "-f", "x", "origin", "*", "build", "--force", "main"];

/// Names of files, some of which fold alike, lead elsewhere, or contain glob characters.
const NAMES: &[&str] = &[
    "a.rs",
    "A.RS",
    "b.toml",
    ".env",
    ".env.local",
    "src",
    "Src",
    "\u{17f}rc",
    "link",
    "real.key",
    "README",
    "x",
    "é.rs",
    "data.tar.gz",
    "\u{212a}ey.rs",
    "Straße.rs",
    "e\u{301}.rs",
];

/// Texts of fields, and parts of them.
const TEXTS: &[&str] = &[
    "secret",
    "SECRET",
    "\u{17f}ecret",
    "token-12345",
    "FROM",
    "the secret token-12345",
    "a",
    "",
    "production",
    "https://example.com/x",
    "example.com",
    "Bash",
    "plan",
    "default",
    "main",
    "coder",
    "résumé",
    "x secre t",
];

const GLOBS: &[&str] = &[
    "*.rs",
    "src/**",
    "**/.env*",
    ".env",
    "!a.rs",
    "~/.ssh/**",
    "/etc/*",
    "*.{toml,gz}",
    "**",
    "real.key",
    "*",
    "src/*.rs",
    "{a,b}.*",
    "./*",
    "[ab].rs",
    "K*",
    "*e\u{301}*",
    "straSSe.rs",
    "src/",
    "lin?",
];

fn quoted(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(texts).prop_map(|text| format!("{text:?}").replace("\\u{301}", "\u{301}"))
}

/// Returns a list; an empty one must be named.
fn list(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(quoted(texts), 0..4).prop_map(listed)
}

fn listed(all: Vec<String>) -> String {
    if all.is_empty() { "nothing".to_owned() } else { format!("[{}]", all.join(", ")) }
}

fn globs() -> impl Strategy<Value = String> {
    prop_oneof![quoted(GLOBS), list(GLOBS)].prop_filter("not only exclusions", |globs| {
        globs.split(", ").any(|glob| !glob.trim_start_matches('[').starts_with("\"!"))
    })
}

fn pattern() -> impl Strategy<Value = String> {
    let program = prop_oneof![
        8 => select(PROGRAMS).prop_map(str::to_owned),
        1 => Just("py*".to_owned()),
        1 => (select(PROGRAMS), select(PROGRAMS)).prop_map(|(a, b)| format!("({a}|{b})")),
    ];
    (program, prop::collection::vec(select(WORDS), 0..3)).prop_map(|(program, words)| {
        let words: String = words.iter().map(|word| format!(" {word}")).collect();
        format!("\"{program}{words}\"")
    })
}

/// Returns a test, of every kind that the index examines, and of some that it does not.
fn test() -> impl Strategy<Value = String> {
    let field = select(
        &[
            "tool_input.note",
            "content",
            "command",
            "tool_input.description",
            "session_id",
            "permission_mode",
            "tool_name",
            "domain",
            "url",
            "cwd",
            "agent",
            "tool_input.deep.er",
            "path",
            "event",
        ][..],
    );
    let operator =
        select(&["==", "!=", "contains", "starts_with", "ends_with", "like", "not contains", "not like"][..]);
    let regex = select(
        &[
            "/secret/",
            "/(?i)SECRET/",
            "/tok[a-z]+-\\d{5}/",
            "/^(secret|FROM)/",
            "/a?/",
            "/\\bSecre t\\b/i",
            "/(x|é)sum/",
            "/[sS]ecret+/",
            "/(ask|tas)k/i",
        ][..],
    );
    let all = select(&["", "", "all "][..]);
    prop_oneof![
        4 => (all, field.clone(), operator, quoted(TEXTS)).prop_map(|(all, field, operator, text)| {
            let all = if operator.starts_with("not") || operator == "!=" { "" } else { all };
            format!("{all}{field} {operator} {text}")
        }),
        1 => (field.clone(), list(TEXTS)).prop_map(|(field, list)| format!("{field} in {list}")),
        2 => (field.clone(), regex).prop_map(|(field, regex)| format!("{field} matches {regex}")),
        3 => (select(&["path", "cwd", "reads", "writes", "deletes"][..]), globs()).prop_map(|(what, globs)| format!("{what} like {globs}")),
        2 => (select(&["path", "reads", "writes", "deletes"][..]), select(&[
            "under project", "outside project", "under home", "under \"src\"", "under \"link\"", "under \"src/link\"",
            "under \"link/src\"", "under [\"src\", \"./x\"]", "under [\"src\", tmp]", "outside \"src\"", "under \"/etc\"",
            "under \"real.key\"", "under \"~/x\"", "under \"x/../src\"", "under \"SRC\"", "under nothing",
            "outside nothing",
        ][..])).prop_map(|(what, place)| format!("{what} {place}")),
        1 => select(&["a.rs", "src/link", "link", "./src/x", "/etc/x", "real.key", "SRC/a.rs"][..]).prop_map(|file| format!("path == {file:?}")),
        1 => Just("path in [\"src/a.rs\", \"link\"]".to_owned()),
        1 => Just("runs nothing".to_owned()),
        4 => (pattern(), select(&["", "", " where operands contains \"x\"", " where env.X == \"1\""][..]))
            .prop_map(|(pattern, filter)| format!("runs {pattern}{filter}")),
        2 => prop::collection::vec(pattern(), 0..3).prop_map(|all| format!("only runs {}", listed(all))),
        1 => (pattern(), pattern()).prop_map(|(from, into)| format!("pipes {from} into {into}")),
        2 => select(&[
            "git.branch == \"main\"", "env.X == \"1\"", "file_exists \"a\"", "writes like \"src/{agent}/*\"", "exists path", "`$.tool_input.n` >= 2",
            "`$.tool_input.note` == \"secret\"", "no", "tool_input.n == 3", "tool_input.flag == true", "git.worktree",
        ][..]).prop_map(str::to_owned),
    ]
}

fn condition() -> impl Strategy<Value = String> {
    test().prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| format!("not ({one})")),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|all| format!("({})", all.join(" and "))),
            prop::collection::vec(inner, 2..4).prop_map(|all| format!("({})", all.join(" or "))),
        ]
    })
}

const HEADS: &[&str] = &[
    "PreToolUse",
    "PreToolUse",
    "PreToolUse",
    "PreToolUse(*)",
    "PreToolUse, PermissionRequest",
    "PreToolUse, PermissionRequest(*)",
    "PreToolUse(Bash)",
    "PreToolUse(Write|Edit|Read)",
    "PreToolUse(!Bash)",
    "PreToolUse(mcp__fs*|Grep)",
    "PreToolUse, PermissionRequest",
    "PreToolUse(Bash), PermissionRequest(Write)",
    "PermissionRequest(Bash|mcp__shell__run)",
    "PreToolUse\n  by main",
    "PreToolUse\n  by coder|revi*",
    "PreToolUse\n  by !coder",
];

const EFFECTS: &[&str] = &[
    "deny \"M {match}\"",
    "ask \"M\"",
    "allow",
    "halt \"M\"",
    "warn \"M {match}\"",
    "unknown deny\n  warn \"M\"",
    "unknown ignore\n  deny \"M\"",
    "run \"check {match}\" { on_fail: deny }",
];

pub(crate) fn rule() -> impl Strategy<Value = String> {
    let annotation = select(&["", "", "", "", "@observe\n", "@off\n"][..]);
    let clauses = prop_oneof![
        1 => Just(String::new()),
        8 => condition().prop_map(|when| format!("  when {when}\n")),
        1 => condition().prop_map(|unless| format!("  unless {unless}\n")),
        2 => (condition(), condition()).prop_map(|(when, unless)| format!("  when {when}\n  unless {unless}\n")),
    ];
    (annotation, select(HEADS), clauses, select(EFFECTS)).prop_map(|(annotation, head, clauses, effect)| {
        format!("{annotation}rule NAME {{\n  on {head}\n{clauses}  {effect}\n}}\n")
    })
}

fn path() -> impl Strategy<Value = String> {
    let start =
        select(&["", "", "./", "/project/", "/etc/", "~/.ssh/", "../", "/project/src/", "/data/real/", "Src/Gen/"][..]);
    (start, prop::collection::vec(select(NAMES), 1..3)).prop_map(|(start, names)| format!("{start}{}", names.join("/")))
}

fn command() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => select(WORDS).prop_map(str::to_owned),
        1 => path(),
        1 => Just("$X".to_owned()),
        1 => Just("\"$(zap x)\"".to_owned()),
    ];
    let program = prop_oneof![
        8 => select(PROGRAMS).prop_map(str::to_owned),
        1 => select(&["sudo git", "/usr/bin/git", "git-push", "$P", "X=1", "\"$D\"/rm", "bash -c 'rm x' ;", "eval", "./git"][..]).prop_map(str::to_owned),
        1 => select(&["python3 -c 'import git; rm'", "xargs rm", "if $c; then git", "cd sub && git"][..]).prop_map(str::to_owned),
    ];
    let one = (program, prop::collection::vec(word, 0..3))
        .prop_map(|(program, words)| std::iter::once(program).chain(words).collect::<Vec<_>>().join(" "));
    (prop::collection::vec(one, 1..4), select(&[" && ", " | ", "; ", " || "][..]))
        .prop_map(|(all, between)| all.join(between))
}

pub(crate) fn input() -> impl Strategy<Value = (&'static str, Json)> {
    let text = || select(TEXTS);
    prop_oneof![
        5 => (select(&["Bash", "Bash", "mcp__shell__run", "PowerShell", "Unknown"][..]), command(), text())
            .prop_map(|(tool, command, text)| (tool, json!({"command": command, "description": text, "note": text}))),
        1 => select(&["Bash", "Unknown"][..]).prop_map(|tool| (tool, json!({"command": ["rm", "x"]}))),
        4 => (select(&["Write", "Edit", "Read", "NotebookEdit"][..]), path(), text()).prop_map(|(tool, path, text)| {
            (tool, json!({"file_path": path, "notebook_path": path, "content": text, "new_string": text}))
        }),
        2 => (select(&["Grep", "Glob", "mcp__fs__delete", "mcp__fs__move"][..]), path(), path()).prop_map(|(tool, path, other)| {
            (tool, json!({"path": path, "pattern": other, "glob": "*.rs", "destination": other}))
        }),
        1 => (text(), text()).prop_map(|(url, note)| ("WebFetch", json!({"url": url, "prompt": note}))),
        1 => (text(), any::<bool>(), 0..5).prop_map(|(text, flag, n)| {
            ("mcp__fs__note", json!({"note": [text, {"type": "text", "text": "secret"}], "deep": [{"er": text}], "n": n, "flag": flag}))
        }),
    ]
}

/// Returns rules and calls about few paths, so that they often coincide: through links, and under names that fold.
pub(crate) fn about_paths() -> impl Strategy<Value = (String, (&'static str, Json))> {
    let globs = select(&["real.key", "*.key", "lin*", "src/**", "*.rs", "real*", "./src/*", "k*.rs"][..]);
    let places = select(&["src", "link", "src/link", "link/src", "real.key", "./SRC"][..]);
    let what = select(&["path", "reads", "writes"][..]);
    let test = prop_oneof![
        (what.clone(), globs).prop_map(|(what, glob)| format!("{what} like {glob:?}")),
        (what, places.clone()).prop_map(|(what, place)| format!("{what} under {place:?}")),
        places.prop_map(|place| format!("path == {place:?}")),
        select(&["real.key", "/src/", ".rs"][..]).prop_map(|text| format!("path contains {text:?}")),
    ];
    let name = || select(&["link", "real.key", "src", "a.rs", "\u{17f}rc", "\u{212a}ey.rs", "e\u{301}.rs", "Src"][..]);
    let path = prop_oneof![name().prop_map(str::to_owned), (name(), name()).prop_map(|(a, b)| format!("{a}/{b}"))];
    let call = prop_oneof![
        4 => (select(&["Write", "Read"][..]), path.clone()).prop_map(|(tool, path)| (tool, json!({"file_path": path, "content": "x"}))),
        1 => path.clone().prop_map(|path| ("Bash", json!({"command": format!("cat {path} > {path}")}))),
        1 => path.prop_map(|path| ("mcp__fs__move", json!({"path": path}))),
    ];
    (test, call)
}

/// The same for a link below a directory with upper case in its name.
pub(crate) fn about_links() -> impl Strategy<Value = (String, (&'static str, Json))> {
    let place = select(&["Src/Gen", "src/gen", "Src/Gen/a.rs", "Src/Gen/../link"][..]);
    let test = (select(&["path under", "path ==", "writes under", "reads under"][..]), place)
        .prop_map(|(what, place)| format!("{what} {place:?}"));
    let path =
        select(&["/data/real/a.rs", "/data/real", "/data/x", "Src/Gen/x", "src/gen/x", "src/link/x", "real.key"][..]);
    let call = (select(&["Write", "Read", "Bash"][..]), path).prop_map(|(tool, path)| match tool {
        "Bash" => (tool, json!({"command": format!("cat {path} > {path}")})),
        _ => (tool, json!({"file_path": path, "content": "x"})),
    });
    (test, call)
}

/// The same for few programs, many of them unknown, doubtful, or under another name.
pub(crate) fn about_programs() -> impl Strategy<Value = (String, (&'static str, Json))> {
    let program = || select(&["git", "rm", "source", "test"][..]);
    let test = prop_oneof![
        3 => program().prop_map(|program| format!("runs {program:?}")),
        2 => program().prop_map(|program| format!("only runs {:?}", format!("{program} *"))),
        1 => (program(), program()).prop_map(|(a, b)| format!("pipes {a:?} into {b:?}")),
        2 => program().prop_map(|program| format!("runs {program:?} and git.branch == \"main\"")),
        1 => program().prop_map(|program| format!("tool_input.note == \"n\" and runs {program:?} and git.branch != \"main\"")),
    ];
    let command = select(
        &[
            "git x",
            "$P x",
            "\"$D\"/rm x",
            "git-push",
            ". x",
            "source x",
            "[ x ]",
            "test x",
            "eval \"$X\"",
            "rm x | $P",
            "X=1",
            "xargs $P rm",
            "if $c; then rm x; fi",
            "f() { git x; }; f",
            "sudo $OPTS git x",
            "bash ./x.sh",
            "git log",
            "find . -exec $P rm +",
            "cd a && git x; cd ../b && git x; cd ../c && git x; cd ../d && git x; cd ../e && git x; cd ../f && git x; cd ../g && git x; \
             cd ../h && git x; cd ../i && git x; cd ../j && git x",
            "env -S \"$X\"",
            "$P | git x",
            "timeout $T rm x",
            "command $C",
        ][..],
    );
    let tool = select(&["Bash", "Bash", "Bash", "Unknown", "PowerShell"][..]);
    let note = select(&["n", "m"][..]);
    (test, (tool, command, note).prop_map(|(tool, command, note)| (tool, json!({"command": command, "note": note}))))
}

/// The links of a disk, and their targets.
const LINKS: &[(&str, &str)] = &[
    ("/project/link", "/project/real.key"),
    ("/project/src/link", "/project/src/real.key"),
    ("/project/Src/link", "/project/Src/real.key"),
    ("/project/Src/Gen", "/data/real"),
    ("/etc/link", "/etc/real.key"),
];

/// Facts of a machine with links.
struct Linked {
    facts: Box<dyn Facts>,
    /// Whether its disk ignores letter case in names.
    folds: bool,
}

impl Linked {
    fn is(&self, one: &Path, other: &Path) -> bool {
        let folded = |path: &Path| PathBuf::from(path.to_str().unwrap().to_ascii_lowercase());
        if self.folds { folded(one) == folded(other) } else { one == other }
    }
}

impl Facts for Linked {
    fn base(&self) -> Option<&dyn Facts> {
        Some(&*self.facts)
    }
    fn links(&self, directory: &Path) -> Fact<Vec<String>> {
        let links = LINKS.iter().map(|(link, _)| Path::new(link));
        let here = links.filter(|link| self.is(link.parent().unwrap(), directory));
        let names: Vec<String> = here.map(|link| link.file_name().unwrap().to_str().unwrap().to_owned()).collect();
        // A directory without links may as well not exist.
        Ok(Some(names).filter(|names| !names.is_empty()))
    }
    fn resolve(&self, path: &Path) -> PathBuf {
        let mut real = PathBuf::new();
        for name in path {
            real.push(name);
            if let Some((_, target)) = LINKS.iter().find(|(link, _)| self.is(Path::new(link), &real)) {
                real = PathBuf::from(target);
            }
        }
        real
    }
}

fn facts() -> impl Strategy<Value = (bool, bool, &'static str)> {
    (any::<bool>(), any::<bool>(), select(&["linux", "macos"][..]))
}

pub(crate) fn calls(input: impl Strategy<Value = (&'static str, Json)>) -> impl Strategy<Value = Vec<Given>> {
    let agent = select(&[None, None, Some(""), Some("coder"), Some("reviewer")][..]);
    let one = (input, agent, select(&["default", "plan"][..]), facts());
    let one = one.prop_map(|((tool, input), agent, mode, (readable, linked, os))| {
        ["PreToolUse", "PermissionRequest"].map(|name| {
            let mut fields = json!({"tool_name": tool, "tool_input": input, "permission_mode": mode});
            if let (Some(agent), Json::Object(fields)) = (agent, &mut fields) {
                fields.insert("agent_id".to_owned(), json!("a1"));
                fields.insert("agent_type".to_owned(), json!(agent));
            }
            let stated =
                StatedFacts::for_examples().with_file("a", true).with_env("X", "1").with_git_branch("main").with_os(os);
            let facts: Box<dyn Facts> = if readable { Box::new(stated) } else { Box::new(Unreadable(stated)) };
            let given = event(name, fields);
            let folds = os == "macos";
            if linked { given.with(Linked { facts, folds }) } else { Given { facts, ..given } }
        })
    });
    prop::collection::vec(one, 1..4).prop_map(|calls| calls.into_iter().flatten().collect())
}

/// Returns rules and calls that have only their subject in common.
pub(crate) fn near() -> impl Strategy<Value = (Vec<String>, Vec<Given>)> {
    let about = prop_oneof![
        prop::collection::vec(about_paths(), 4..8).boxed(),
        prop::collection::vec(about_links(), 4..8).boxed(),
        prop::collection::vec(about_programs(), 4..8).boxed(),
    ];
    let tests_and_calls = about.prop_flat_map(|all| {
        let (tests, inputs): (Vec<String>, Vec<(&'static str, Json)>) = all.into_iter().unzip();
        (Just(tests), calls(select(inputs)))
    });
    let heads = select(&["PreToolUse", "PreToolUse, PermissionRequest", "PreToolUse\n  by coder"][..]);
    let effects = select(&["warn \"M {match}\"", "deny \"M\"", "allow"][..]);
    let around = prop::collection::vec((heads, effects), 8);
    (tests_and_calls, around).prop_map(|((tests, calls), around)| {
        let rule = |(test, (head, effect)): (&String, &(&str, &str))| {
            format!("rule NAME {{\n  on {head}\n  when {test}\n  {effect}\n}}\n")
        };
        (tests.iter().zip(&around).map(rule).collect(), calls)
    })
}

/// Returns rules and calls of every kind.
pub(crate) fn anything() -> impl Strategy<Value = (Vec<String>, Vec<Given>)> {
    (prop::collection::vec(rule(), 1..12), calls(input()))
}

/// A setting of a layer, in addition to its rules.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Setting {
    Nothing,
    /// This tool takes a shell command in this member.
    ShellTool(&'static str, &'static str),
}

/// Tools for which a layer may set that they take a shell command, and the members that it may name.
pub(crate) const SHELL_TOOLS: &[&str] = &["mcp__shell__run", "Unknown", "mcp__fs__note", "Write", "Bash"];
pub(crate) const COMMAND_MEMBERS: &[&str] = &["command", "note", "cmd", "description"];

/// A rule, or a setting, with its layer.
pub(crate) type Placed = (LayerKind, String, Setting);

/// Effects by which a lower layer might try to get a call through.
const CHANGES: &[&str] = &[
    "rewrite command = \"ls\"",
    "rewrite command = \"git x\"\n  allow",
    "rewrite tool_input.note = \"x\"",
    "rewrite path = \"/project/x\"\n  allow",
    "rewrite runs \"git\" to \"ls\"",
    "rewrite tool_input.command = null",
    "unknown ignore\n  allow",
    "exit 0 \"M\"",
    "exit 1 \"M\"",
    "context \"M\"",
    "run \"true\" { output: hook }",
];

/// Returns rules and settings of several layers, and calls.
pub(crate) fn layered() -> impl Strategy<Value = (Vec<Placed>, Vec<Given>)> {
    let change = (select(HEADS), prop::option::of(condition()), select(CHANGES)).prop_map(|(head, when, effect)| {
        let when = when.map(|when| format!("  when {when}\n")).unwrap_or_default();
        format!("rule NAME {{\n  on {head}\n{when}  {effect}\n}}\n")
    });
    let setting = || {
        let stated = (select(SHELL_TOOLS), select(COMMAND_MEMBERS));
        prop_oneof![
            8 => Just(Setting::Nothing),
            1 => stated.prop_map(|(tool, member)| Setting::ShellTool(tool, member)),
        ]
    };
    let text = prop_oneof![3 => rule().boxed(), 1 => change.boxed()];
    let placed = (select(&LayerKind::ALL[..]), text, setting());
    let around = (select(&LayerKind::ALL[..]), 0..CHANGES.len() * 2, setting());
    let of_near = (near(), prop::collection::vec(around, 8)).prop_map(|((rules, calls), around)| {
        let placed = rules.into_iter().zip(around).map(|(rule, (layer, effect, setting))| {
            // The same test, with one of these effects instead of its own.
            let text = match (CHANGES.get(effect), rule.rsplit_once("\n  ")) {
                (Some(effect), Some((rest, _))) => format!("{rest}\n  {effect}\n}}\n"),
                _ => rule,
            };
            (layer, text, setting)
        });
        (placed.collect(), calls)
    });
    prop_oneof![(prop::collection::vec(placed, 2..10), calls(input())), of_near]
}
