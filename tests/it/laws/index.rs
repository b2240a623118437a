//! Law 10: whatever the engine looks at first, nobody can tell. With the index and without it a call is judged alike.

use hookrules::context::{Context, ShellTools};
use hookrules::eval::{Detail, Evaluation, Judged, Outcome, evaluate};
use hookrules::facts::{Entry, Fact, Facts, Git, MachineFacts, StatedFacts};
use hookrules::image::Section;
use hookrules::policy::Policy;
use hookrules::ruleset::RuleSet;
use hookrules::ruleset::index::Index;
use hookrules::schema::Event;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

use crate::kit::*;

/// Programs, some under two names, some unknown to the tables.
const PROGRAMS: &[&str] = &["git", "rm", "ls", "curl", "sh", "source", ".", "test", "[", "python3", "zap", "npm"];

/// Words of commands and patterns.
const WORDS: &[&str] = &["push", "-f", "x", "origin", "*", "build", "--force", "main"];

/// Names of files, of which some fold alike, lead elsewhere, or hold what globs hold.
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

/// A list; one without elements has to have a name.
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

/// One test, of every kind that an index looks at, and of some that it does not.
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
            "git.branch == \"main\"", "env.X == \"1\"", "file_exists \"a\"", "exists path", "`$.tool_input.n` >= 2",
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

fn rule() -> impl Strategy<Value = String> {
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

fn input() -> impl Strategy<Value = (&'static str, Json)> {
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

/// Rules and calls about few paths, so that they often meet: through links, and under names that fold.
fn about_paths() -> impl Strategy<Value = (String, (&'static str, Json))> {
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

/// The same about a link below a directory whose name has upper case.
fn about_links() -> impl Strategy<Value = (String, (&'static str, Json))> {
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

/// The same about few programs, many of them not known, doubtful, or under another name.
fn about_programs() -> impl Strategy<Value = (String, (&'static str, Json))> {
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

/// The links of a disk, and where they lead.
const LINKS: &[(&str, &str)] = &[
    ("/project/link", "/project/real.key"),
    ("/project/src/link", "/project/src/real.key"),
    ("/project/Src/link", "/project/Src/real.key"),
    ("/project/Src/Gen", "/data/real"),
    ("/etc/link", "/etc/real.key"),
];

/// Facts of a machine that has links.
struct Linked {
    facts: Box<dyn Facts>,
    /// Its disk has one name for all that differ in case alone.
    folds: bool,
}

impl Linked {
    fn is(&self, one: &Path, other: &Path) -> bool {
        let folded = |path: &Path| PathBuf::from(path.to_str().unwrap().to_ascii_lowercase());
        if self.folds { folded(one) == folded(other) } else { one == other }
    }
}

impl Facts for Linked {
    fn project(&self) -> Option<PathBuf> {
        self.facts.project()
    }
    fn worktrees(&self) -> Vec<PathBuf> {
        self.facts.worktrees()
    }
    fn home(&self) -> Option<PathBuf> {
        self.facts.home()
    }
    fn tmp(&self) -> Vec<PathBuf> {
        self.facts.tmp()
    }
    fn os(&self) -> Fact<String> {
        self.facts.os()
    }
    fn host_pids(&self) -> Fact<Vec<u32>> {
        self.facts.host_pids()
    }
    fn env(&self, name: &str) -> Fact<String> {
        self.facts.env(name)
    }
    fn git(&self, cwd: &Path) -> Fact<Git> {
        self.facts.git(cwd)
    }
    fn file_exists(&self, path: &Path) -> Fact<bool> {
        self.facts.file_exists(path)
    }
    fn file_size(&self, path: &Path) -> Fact<u64> {
        self.facts.file_size(path)
    }
    fn entries(&self, directory: &Path) -> Fact<Vec<Entry>> {
        self.facts.entries(directory)
    }
    fn is_directory(&self, path: &Path) -> Fact<bool> {
        self.facts.is_directory(path)
    }
    fn ignores(&self, file: &Path) -> Fact<String> {
        self.facts.ignores(file)
    }
    fn called_agent(&self, transcript: &Path) -> Fact<String> {
        self.facts.called_agent(transcript)
    }
    fn links(&self, directory: &Path) -> Fact<Vec<String>> {
        let links = LINKS.iter().map(|(link, _)| Path::new(link));
        let here = links.filter(|link| self.is(link.parent().unwrap(), directory));
        let names: Vec<String> = here.map(|link| link.file_name().unwrap().to_str().unwrap().to_owned()).collect();
        // A directory without links may as well be none.
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

fn calls(input: impl Strategy<Value = (&'static str, Json)>) -> impl Strategy<Value = Vec<Given>> {
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

fn judged(rules: &RuleSet, given: &Given, detail: Detail) -> Evaluation {
    let tools = ShellTools::from([("mcp__shell__run".to_owned(), vec!["command".to_owned()])]);
    evaluate(rules, &Context::new(&given.payload, "claude-code", &*given.facts, &tools), detail)
}

/// What came of a rule, as far as anybody can tell.
fn told(judged: &Judged) -> (usize, &Outcome, Option<&str>, String) {
    (judged.index, &judged.outcome, judged.matched.as_deref(), format!("{:?}", judged.role))
}

fn alike(policy: &Policy, given: &Given) -> Result<(), TestCaseError> {
    let plain = judged(&policy.rules.without_index(), given, Detail::Outcomes);
    for detail in [Detail::Outcomes, Detail::Conditions] {
        let indexed = judged(&policy.rules, given, detail);
        let shape = |evaluation: &Evaluation| format!("{:#?} {:#?}", evaluation.verdict, evaluation.observed);
        for (one, other) in [(&indexed.trace.rules, &plain.trace.rules), (&indexed.trace.again, &plain.trace.again)] {
            let one: Vec<_> = one.iter().map(told).collect();
            let other: Vec<_> = other.iter().map(told).collect();
            prop_assert_eq!(one, other);
        }
        prop_assert_eq!(shape(&indexed), shape(&plain));
    }
    Ok(())
}

/// The rules that load, each under a name of its own.
fn policy_of(rules: &[String]) -> Policy {
    let named = |rule: &String, number: usize| rule.replace("NAME", &format!("r{number}"));
    let with_names = |text: &str| format!("let no = false\nlet nothing = []\n{text}");
    let loads = |rule: &&String| one_file(&with_names(&named(rule, 0))).layers.iter().all(|layer| layer.loads());
    let text: String = rules.iter().filter(loads).enumerate().map(|(number, rule)| named(rule, number)).collect();
    policy(&with_names(&text))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn law_10_the_index_leaves_out_nothing_that_is_near(
        (tests, calls) in prop_oneof![
            prop::collection::vec(about_paths(), 4..8).boxed(),
            prop::collection::vec(about_links(), 4..8).boxed(),
            prop::collection::vec(about_programs(), 4..8).boxed(),
        ].prop_flat_map(|all| {
            let (tests, inputs): (Vec<String>, Vec<(&'static str, Json)>) = all.into_iter().unzip();
            (Just(tests), calls(select(inputs)))
        }),
        heads in prop::collection::vec(select(&["PreToolUse", "PreToolUse, PermissionRequest", "PreToolUse\n  by coder"][..]), 8),
        effects in prop::collection::vec(select(&["warn \"M {match}\"", "deny \"M\"", "allow"][..]), 8),
    ) {
        let rule = |((test, head), effect): ((&String, &&str), &&str)| format!("rule NAME {{\n  on {head}\n  when {test}\n  {effect}\n}}\n");
        let rules: Vec<String> = tests.iter().zip(&heads).zip(&effects).map(rule).collect();
        let policy = policy_of(&rules);
        for given in &calls {
            alike(&policy, given)?;
        }
    }

    #[test]
    fn law_10_the_index_cannot_be_observed(rules in prop::collection::vec(rule(), 1..12), calls in calls(input())) {
        let policy = policy_of(&rules);
        for given in &calls {
            alike(&policy, given)?;
        }
    }
}

/// What is looked through for links is what the policy's path leads to, however that is spelled.
#[test]
fn a_link_in_a_directory_of_any_spelling_is_found() {
    let machine = tempfile::tempdir().unwrap();
    let root = machine.path().canonicalize().unwrap();
    let (project, real) = (root.join("project"), root.join("data/real"));
    std::fs::create_dir_all(project.join("Src")).unwrap();
    std::fs::create_dir_all(&real).unwrap();
    std::os::unix::fs::symlink(&real, project.join("Src/Gen")).unwrap();
    let policy = policy_of(&[
        "rule NAME {\n  on PreToolUse\n  when path under \"Src/Gen\"\n  deny \"M\"\n}\n".to_owned(),
        "rule NAME {\n  on PreToolUse\n  when writes under \"Src/Gen\"\n  deny \"M\"\n}\n".to_owned(),
        "rule NAME {\n  on PreToolUse\n  when path == \"src/gen\"\n  deny \"M\"\n}\n".to_owned(),
    ]);
    let path = real.join("a");
    let given = write(path.to_str().unwrap(), "x").set(json!({"cwd": project}));
    let given = given.with(MachineFacts::new(Some(project)));
    let outcomes: Vec<Outcome> =
        judged(&policy.rules, &given, Detail::Outcomes).trace.rules.into_iter().map(|judged| judged.outcome).collect();
    assert_eq!(outcomes, [Outcome::Match, Outcome::Match, Outcome::NoMatch]);
    alike(&policy, &given).unwrap();
}

/// Nothing is in an empty list, for certain, unless what is asked about is not known.
#[test]
fn a_test_of_an_empty_list_is_unknown_where_its_subject_is() {
    let tests = [
        "runs nothing",
        "only runs nothing",
        "pipes nothing into nothing",
        "writes like nothing",
        "deletes under nothing",
        "path like nothing",
        "path under nothing",
        "agent in nothing",
        "command like nothing",
    ];
    for effect in ["deny \"M\"", "allow"] {
        let rules = tests.map(|test| format!("rule NAME {{\n  on PreToolUse\n  when {test}\n  {effect}\n}}\n"));
        let policy = policy_of(&rules);
        assert_eq!(policy.rules.rules().len(), tests.len());
        for command in ["eval \"$X\"", "git push", "rm -rf \"$X\"", "$P | $Q"] {
            alike(&policy, &bash(command)).unwrap();
        }
        alike(&policy, &write("/project/x", "x")).unwrap();
    }
}

/// A call that has more atoms than are looked up is one of which not all is known.
#[test]
fn what_a_call_has_is_looked_up_within_bounds() {
    let text = "rule a {\n  on PreToolUse\n  when tool_input.note == \"n-199999\"\n  deny \"M\"\n}\n\
                rule b {\n  on PreToolUse\n  when tool_input.note == \"other\"\n  deny \"M\"\n}\n\
                rule c {\n  on PreToolUse\n  when tool_input.title == \"n\"\n  deny \"M\"\n}\n";
    let policy = policy(text);
    let of = |note: Vec<String>, title: &str| {
        let given = call("mcp__fs__note", json!({"note": note, "title": title}));
        let evaluation = judged(&policy.rules, &given, Detail::Outcomes);
        let matched = evaluation.trace.rules.iter().map(|judged| judged.outcome == Outcome::Match).collect::<Vec<_>>();
        (evaluation.cost.looked[0].1, matched)
    };
    let (looked, matched) = of((0..200_000).map(|at| format!("n-{at}")).collect(), "n");
    assert_eq!((looked.candidates, looked.unknown), (3, 2), "{looked:?}");
    assert!(looked.atoms < 100, "{looked:?}");
    assert_eq!(matched, [true, false, true]);
    // The same thing many times is one.
    let (looked, matched) = of((0..300_000).map(|at| ["n", "m"][at % 2].to_owned()).collect(), "m");
    assert_eq!((looked.candidates, looked.unknown, looked.atoms), (0, 0, 3), "{looked:?}");
    assert_eq!(matched, [false, false, false]);
}

/// Conditions of rules that tell each other apart by a number, and a call that the seventh of each is about.
const NUMBERED: &[(&str, &str)] = &[
    ("tool_input.note == \"note-{n}\"", "note-7"),
    ("tool_input.note contains \"mark-{n}.\"", "a mark-7. here"),
    ("tool_input.note matches /\\bticket-{n}\\b/i", "see TICKET-7"),
    ("tool_input.note like \"draft-{n}-*\"", "draft-7-x"),
    ("tool_name == \"mcp__fs__note\" and tool_input.note in [\"a{n}\", \"b{n}\"]", "b7"),
    ("runs \"tool{n} push\"", "cd x && sudo tool7 push"),
    ("only runs [\"tool{n} x\"]", "tool7 x"),
    ("pipes \"tool{n}\" into \"sh\"", "tool7 x | sh"),
    ("path like [\"**/*.ext{n}\", \"!*.md\"]", "src/a.ext7"),
    ("path like \"pkg{n}/**\"", "pkg7/b/c.rs"),
    ("path under \"gen/part{n}\"", "gen/part7/c.rs"),
    ("writes like \"**/name{n}\"", "a/name7"),
    ("writes under \"made{n}\"", "made7/x"),
    ("(env.X == \"1\" or true_let) and not path like \"*.md\" and content contains \"word-{n}-\"", "a word-7- b"),
];

#[test]
fn of_many_rules_those_are_judged_that_a_call_is_about() {
    const RULES: usize = 300;
    let mut text = String::from("let true_let = true\n");
    for (number, (condition, _)) in (0..RULES).flat_map(|number| NUMBERED.iter().map(move |row| (number, row))) {
        let condition = condition.replace("{n}", &number.to_string());
        text.push_str(&format!("rule NAME{} {{\n  on PreToolUse\n  when {condition}\n  warn \"M\"\n}}\n", text.len()));
    }
    let policy = policy(&text.replace("NAME", "r-"));
    for (condition, value) in NUMBERED {
        let given = match condition {
            condition if condition.contains("note") => call("mcp__fs__note", json!({"note": value})),
            condition if condition.contains("content") => write("/project/x", value),
            condition if condition.starts_with("path") || condition.starts_with("writes") => write(value, "x"),
            _ => bash(value),
        };
        let evaluation = judged(&policy.rules, &given, Detail::Outcomes);
        let matched = evaluation.trace.rules.iter().filter(|judged| judged.outcome == Outcome::Match).count();
        assert_eq!(matched, 1, "{condition}");
        // What a shell is given to run is not known, and neither is what that does to files: the rules of the four kinds
        // that are about either count.
        let of_unknown = if condition.starts_with("pipes") { 4 * RULES as u32 } else { 0 };
        assert!(evaluation.cost.rules <= 3 + of_unknown, "{condition}: {:?}", evaluation.cost);
    }
}

/// Where commands run in too many places, a rule about one of them is unknown, whatever else it needs.
#[test]
fn a_rule_about_commands_in_many_places_is_not_left_out() {
    let policy = policy(
        "rule a {\n  on PreToolUse\n  when tool_input.note == \"n\" and runs \"git\" and git.branch == \"main\"\n  deny \"M\"\n}\n\
         rule b {\n  on PreToolUse\n  when not runs \"git\" and not tool_input.note == \"m\"\n  deny \"M\"\n}\n",
    );
    let places: Vec<String> = (0..12).map(|at| format!("cd /project/d{at} && git x")).collect();
    for command in [places.join("; "), "rm x".to_owned()] {
        for note in ["n", "m"] {
            alike(&policy, &call("Bash", json!({"command": command, "note": note}))).unwrap();
        }
    }
}

#[test]
fn an_index_is_the_same_each_time() {
    let text = "rule a {\n  on PreToolUse, Stop\n  when runs \"git\" or path like [\"*.rs\", \"src/**\"]\n  warn \"M\"\n}\n\
                rule b {\n  on *\n  when session_id contains \"abcdef\" or cwd under \"x/y\"\n  warn \"M\"\n}\n";
    let (one, other) = (policy(text), policy(text));
    for event in Event::ALL {
        assert_eq!(one.rules.index_bytes(*event), other.rules.index_bytes(*event), "{event:?}");
    }
    assert!(!one.rules.index_bytes(Event::Stop).is_empty());
}

/// A damaged index is refused, or finds other rules: it never panics, and never goes on for ever.
#[test]
fn a_damaged_index_harms_nothing() {
    let policy = policy(
        "rule a {\n  on PreToolUse\n  when runs \"git\" or path like [\"*.rs\", \"src/**\"]\n  warn \"M\"\n}\n\
         rule b {\n  on PreToolUse(Bash|Write)\n  when command contains \"abcdef\" or path under \"x/y\"\n  warn \"M\"\n}\n\
         rule c {\n  on PreToolUse\n  when content matches /secret-[0-9]+/\n  warn \"M\"\n}\n",
    );
    let given = [bash("git push abcdef"), write("x/y/a.rs", "a secret-1")];
    let tools = ShellTools::new();
    let contexts = given.each_ref().map(|given| Context::new(&given.payload, "claude-code", &*given.facts, &tools));
    let bytes = policy.rules.index_bytes(Event::PreToolUse);
    let found = |bytes: &[u8]| {
        let len = u64::try_from(bytes.len()).unwrap();
        let index = Index::open(bytes, Section { at: 0, len }).ok()?;
        Some(contexts.each_ref().map(|context| index.candidates(bytes, context).map(|found| found.ids)))
    };
    assert_eq!(found(bytes), Some([Ok(vec![0, 2]), Ok(vec![0, 1, 2])]));
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= flip;
            found(&bytes);
        }
        found(&bytes[..at]);
    }
}
