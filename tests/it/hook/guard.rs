//! Guards that need no rule: settings that change during a session, the files of a cached policy, calls that ran.

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Reply, send};

const POLICY: &str = "rule no-push {\n  on PreToolUse\n  when runs \"git push\"\n  deny \"Do not push.\"\n}\n";

const SETTINGS: &str = "project/.claude/settings.json";

/// Returns a machine with a registration, whose session has begun.
fn machine() -> Machine {
    let machine = Machine::with(POLICY);
    machine.register();
    assert_eq!(start(&machine, "startup"), "");
    machine
}

/// Begins a session; returns the warning for the user.
fn start(machine: &Machine, source: &str) -> String {
    let mut start = machine.event("SessionStart");
    start["source"] = json!(source);
    machine.hook(&start).warning().to_owned()
}

fn change(machine: &Machine, path: &str) -> Json {
    let mut change = machine.event("ConfigChange");
    change["source"] = json!("project_settings");
    change["file_path"] = json!(machine.path(path));
    change
}

#[test]
fn settings_that_take_the_hooks_away_do_not_count() {
    let machine = machine();
    let good = machine.read(SETTINGS);
    machine.hook(&change(&machine, SETTINGS)).is_silent();
    let handler = |edit: &dyn Fn(&mut Json)| {
        let mut settings: Json = serde_json::from_str(&good).unwrap();
        edit(&mut settings);
        settings.to_string()
    };
    let own = |member: &'static str, value: Json| {
        handler(&move |settings| settings["hooks"]["PreToolUse"][0]["hooks"][0][member] = value.clone())
    };
    for (name, text, expected) in [
        ("disabled", handler(&|settings| settings["disableAllHooks"] = json!(true)), "`disableAllHooks`"),
        ("removed", "{}".to_owned(), "no settings register `rules`"),
        ("emptied", String::new(), "would guard no more"),
        ("cut off", good.chars().take(good.len() / 2).collect(), "so the host ignores the whole file"),
        ("commented", good.replacen('{', "{ // x\n", 1), "so the host ignores the whole file"),
        (
            "narrowed",
            handler(&|settings| settings["hooks"]["PreToolUse"][0]["matcher"] = json!("Write")),
            "`Write` only",
        ),
        ("conditional", own("if", json!("Bash(ls:*)")), "`Bash(ls:*)` only"),
        ("async", own("async", json!(true)), "does not wait"),
        ("without time", own("timeout", json!(0)), "must be a number above 0"),
        ("open", own("onFailure", json!("continue")), "lets the call pass"),
        ("another program", own("command", json!("/nowhere/rules")), "is not there"),
        ("a program of the repository", own("command", json!("./rules")), "another program"),
        ("more trusted", own("args", json!(["hook", "claude-code", "--scope", "user"])), "another scope"),
        (
            "doubled",
            handler(&|settings| {
                let group = settings["hooks"]["PreToolUse"][0].clone();
                settings["hooks"]["PreToolUse"].as_array_mut().unwrap().push(group);
            }),
            "a second entry",
        ),
        ("misled", handler(&|settings| settings["env"] = json!({"LD_PRELOAD": "/tmp/x.so"})), "`LD_PRELOAD`"),
        ("led elsewhere", handler(&|settings| settings["env"] = json!({"GIT_DIR": "x"})), "`GIT_DIR`"),
    ] {
        machine.write(SETTINGS, &text);
        let reply = machine.hook(&change(&machine, SETTINGS));
        assert_eq!((reply.exit, reply.decision()), (2, "block"), "{name}: {reply:?}");
        assert!(reply.reason().contains(expected), "{name}: {}", reply.reason());
        assert!(reply.reason().contains("still in the file"), "{name}: {}", reply.reason());
        assert!(reply.warning().contains(expected), "{name}: the user reads it later: {reply:?}");
    }
    let mut skill = change(&machine, "project/.claude/skills/a/SKILL.md");
    skill["source"] = json!("skills");
    machine.hook(&skill).is_silent();
    machine.write(SETTINGS, &handler(&|settings| settings["permissions"] = json!({"allow": ["Bash(ls)"]})));
    machine.hook(&change(&machine, SETTINGS)).is_silent();
}

#[test]
fn a_failure_may_pass_where_no_rule_can_stop_the_event() {
    let gate = "rule gate {\n  on Stop\n  deny \"Not yet.\"\n}\n";
    for (rules, is_denied) in [(gate, true), ("rule seen {\n  on Stop\n  record \"s.jsonl\" { cwd }\n}\n", false)] {
        let machine = Machine::with(&format!("{POLICY}\n{rules}"));
        machine.register();
        let mut settings: Json = serde_json::from_str(&machine.read(SETTINGS)).unwrap();
        settings["hooks"]["Stop"] = settings["hooks"]["PreToolUse"].clone();
        machine.write(SETTINGS, &settings.to_string());
        start(&machine, "startup");
        settings["hooks"]["Stop"][0]["hooks"][0].as_object_mut().unwrap().remove("onFailure");
        machine.write(SETTINGS, &settings.to_string());
        // Once with the compiled policy, once with the cached one.
        for _ in 0..2 {
            let reply = machine.hook(&change(&machine, SETTINGS));
            assert_eq!(reply.decision() == "block", is_denied, "{rules}: {reply:?}");
            assert_eq!(reply.reason().contains("a rule can stop Stop"), is_denied, "{reply:?}");
        }
    }
}

#[test]
fn another_file_can_take_the_hooks_away_too() {
    let machine = machine();
    let local = "project/.claude/settings.local.json";
    machine.write(local, "{\"disableAllHooks\": true}");
    machine.hook(&change(&machine, local)).denies("`disableAllHooks`");
    // Here another file changed.
    machine.hook(&change(&machine, SETTINGS)).is_silent();
    machine.write(local, "{");
    machine.hook(&change(&machine, local)).is_silent();
}

#[test]
fn what_the_settings_said_as_the_session_began_is_no_change() {
    let machine = machine();
    let narrow = machine.read(SETTINGS).replace("\"*\"", "\"Bash\"");
    machine.write(SETTINGS, &narrow);
    assert!(start(&machine, "compact").contains("`Bash` only"));
    machine.hook(&change(&machine, SETTINGS)).denies("`Bash` only");
    assert!(start(&machine, "resume").contains("`Bash` only"));
    machine.hook(&change(&machine, SETTINGS)).is_silent();
    machine.write(SETTINGS, &narrow.replacen('{', "{\"disableAllHooks\": true, ", 1));
    machine.hook(&change(&machine, SETTINGS)).denies("`disableAllHooks`");
}

#[test]
fn what_the_host_asks_about_itself_is_denied_where_it_asks_nobody() {
    let asks = "rule sure {\n  on PreToolUse\n  ask \"Sure?\"\n}\n";
    for policy in [POLICY, asks] {
        let machine = Machine::with(policy);
        for (mut payload, is_asked_by_host) in [
            (machine.file("Write", "project/.claude/settings.local.json"), true),
            (machine.bash("cp a .claude/settings.json"), true),
            (machine.bash("echo x > .git/hooks/pre-commit"), true),
            (machine.bash("touch .rules/more.rules"), false),
            (machine.bash("rules trust --yes"), false),
            (machine.bash("echo x > \"$SOMEWHERE/settings.json\""), false),
        ] {
            let first = machine.hook(&payload);
            assert_ne!(first.decision(), "deny", "{first:?}");
            payload["permission_mode"] = json!("bypassPermissions");
            let reply = machine.hook(&payload);
            if is_asked_by_host {
                reply.denies("In the mode bypassPermissions the host asks nobody about it");
            } else {
                assert_eq!(reply.decision(), first.decision(), "{payload}");
            }
        }
    }
}

#[test]
fn where_no_policy_guards_anything_settings_are_not_looked_at() {
    let machine = Machine::new();
    machine.write(SETTINGS, "{\"disableAllHooks\": true}");
    machine.hook(&change(&machine, SETTINGS)).is_silent();
}

#[test]
fn a_policy_that_was_kept_guards_the_files_that_it_uses() {
    let machine = Machine::with("use \"../policies/team.rules\"\n");
    machine.write("project/policies/team.rules", POLICY);
    // The second and third time the policy comes from the cache.
    for _ in 0..3 {
        machine.hook(&machine.file("Write", "project/policies/other.rules")).is_silent();
        machine.hook(&machine.bash("rm -rf policies")).asks("`policies/team.rules`");
        machine.hook(&machine.bash("echo > policies/team.rules")).asks("which says what agents may do");
    }
    machine.link(machine.path("project/policies"), "project/innocent");
    machine.hook(&machine.bash("echo > innocent/team.rules")).asks("which says what agents may do");
}

#[test]
fn an_edit_of_the_policy_is_asked_about_in_words_of_rules() {
    let rule = |name: &str, body: &str| format!("rule {name} {{\n  on PreToolUse\n  {body}\n}}\n");
    let before = [
        rule("a", "when runs [\"x\", \"y\"]\n  deny \"No.\""),
        rule("b", "when runs \"x\"\n  unknown deny\n  deny \"No.\""),
        format!("@in_files\n{}", rule("c", "when runs \"x\"\n  deny \"No.\"")),
    ];
    let machine = Machine::with(&before.concat());
    let edit = |text: &str| {
        let mut payload = machine.file("Write", "project/.rules/project.rules");
        payload["tool_input"]["content"] = json!(text);
        machine.hook(&payload).reason().lines().nth(1).unwrap().to_owned()
    };
    let with = |from: &str, to: &str| {
        let text = before.concat();
        assert!(text.contains(from));
        text.replacen(from, to, 1)
    };
    for (text, expected) in [
        (before[..2].concat(), "removes `c`"),
        (with("rule b", "@off\nrule b"), "switches off `b`"),
        (with("rule b", "@observe\nrule b"), "only observes `b`"),
        (with("deny \"No.\"", "ask \"No?\""), "weakens `a (deny to ask)`"),
        (with("[\"x\", \"y\"]", "[\"x\"]"), "narrows `a (smaller `when`)`"),
        (with("deny \"No.\"", "unless runs \"z\"\n  deny \"No.\""), "narrows `a (new `unless`)`"),
        (with("unknown deny", "unknown ignore"), "weakens `b (where it is unknown, deny to pass)`"),
        (with("@in_files\n", ""), "narrows `c (no commands in files)`"),
        (with("rule b", "@in_files\nrule b"), "changes `b`"),
        (with("\"y\"", "\"z\""), "changes `a`"),
        (with("No.", "Never."), "changes no rule"),
        (format!("# first\n\n{}", before.concat()), "changes no rule"),
        (format!("{}{}", before.concat(), rule("d", "deny \"No.\"")), "adds `d`"),
        (format!("{}{}", before[1..].concat(), rule("d", "deny \"No.\"")), "removes `a`; adds `d`"),
    ] {
        assert_eq!(edit(&text), format!("The edit {expected}."), "{text}");
    }
    let mut settings = machine.file("Write", "project/.rules/rules.toml");
    settings["tool_input"]["content"] = json!("on_error = \"deny\"\n");
    machine.hook(&settings).asks("The edit changes `on_error` from `ask` to `deny`.");
}

#[test]
fn the_user_and_the_agent_read_that_a_call_ran_although_it_is_denied() {
    let machine = Machine::with(POLICY);
    let ran = |command: &str| {
        let mut payload = machine.captured("2.1.330/PostToolUse.Bash");
        payload["tool_input"]["command"] = json!(command);
        machine.hook(&payload)
    };
    for _ in 0..2 {
        let reply = ran("git push");
        assert!(reply.warning().contains("This call ran although `no-push` denies it"), "{reply:?}");
        assert_eq!(reply.warning(), reply.context());
        ran("git pull").is_silent();
    }
}

#[test]
fn what_a_link_at_a_guarded_place_leads_to_is_guarded() {
    let machine = Machine::with(POLICY);
    machine
        .write("dotfiles/settings.json", "{}")
        .write("dotfiles/hooks/pre-commit", "")
        .write("dotfiles/other.json", "{}");
    machine.link(machine.path("dotfiles/settings.json"), "project/.claude/settings.json");
    machine.link(machine.path("dotfiles/hooks"), "project/.git/hooks");
    machine.hook(&machine.file("Write", "dotfiles/settings.json")).asks("hooks, tools and helpers");
    machine.hook(&machine.file("Write", "dotfiles/hooks/pre-push")).asks("what git runs automatically");
    machine.hook(&machine.bash("rm -rf ../dotfiles")).asks("Is that intended?");
    machine.hook(&machine.file("Write", "dotfiles/other.json")).is_silent();
}

#[test]
fn the_settings_of_the_main_working_tree_are_guarded_in_its_packages_and_worktrees() {
    let machine = Machine::new();
    let main = machine.path("main/.git/worktrees/topic");
    machine
        .write("main/.rules/a.rules", POLICY)
        .write("main/.git/HEAD", "ref: refs/heads/main\n")
        .write("main/.git/worktrees/topic/HEAD", "ref: refs/heads/topic\n")
        .write("main/.git/worktrees/topic/commondir", "../..\n")
        .write("main/.git/worktrees/topic/gitdir", &format!("{}\n", machine.path("topic/.git").display()))
        .write("main/.claude/settings.local.json", "{}")
        .write("main/api/package.json", "{}")
        .write("topic/.rules/a.rules", POLICY)
        .write("topic/.git", &format!("gitdir: {}\n", main.display()))
        .write("topic/api/package.json", "{}");
    for session in ["main/api", "topic", "topic/api"] {
        let hook = |mut payload: Json| {
            payload["cwd"] = json!(machine.path(session));
            let mut hook = machine.hook_command(&[]);
            hook.env("CLAUDE_PROJECT_DIR", machine.path(session));
            Reply::of(&send(hook, payload.to_string().as_bytes()))
        };
        let settings = machine.path("main/.claude/settings.local.json");
        hook(machine.file("Write", "main/.claude/settings.local.json")).asks("hooks, tools and helpers");
        hook(machine.bash(&format!("rm '{}'", settings.display()))).asks("Is that intended?");
        hook(machine.bash(&format!("rm -r '{}'", settings.parent().unwrap().display()))).asks("Is that intended?");
        hook(machine.file("Write", "main/.claude/notes.md")).is_silent();
        // A command that nobody can foresee may have changed them.
        let mut change = change(&machine, "main/.claude/settings.local.json");
        change["source"] = json!("local_settings");
        machine.write("main/.claude/settings.local.json", "{ \"disableAllHooks\": true }");
        hook(change.clone()).denies("`disableAllHooks`");
        machine.write("main/.claude/settings.local.json", "{}");
    }
}

#[test]
fn the_registrations_of_all_agents_are_guarded() {
    let machine = machine();
    machine.write("project/.codex/hooks.json", "{}");
    for command in [
        "rm .codex/hooks.json",
        "echo '{}' > ~/.codex/hooks.json",
        "mv .gemini/settings.json x",
        "rm -rf .cline/hooks",
        "chmod -x .cline/hooks/PreToolUse",
        "sed -i s/rules/true/ .github/hooks/rules.json",
        "rm .opencode/plugins/*.js",
        "rm -rf .qwen",
    ] {
        machine.hook(&machine.bash(command)).asks("");
    }
    for command in ["cat .codex/hooks.json", "echo x > .codex/notes.md", "echo x > .github/workflows/ci.yml"] {
        machine.hook(&machine.bash(command)).is_silent();
    }
    let reply = machine.hook(&machine.bash("rm .codex/hooks.json"));
    assert!(reply.reason().contains("in which hooks of an agent are registered"), "{reply:?}");
}

#[test]
fn the_hooks_that_git_is_told_to_run_are_guarded() {
    let machine = Machine::with(POLICY);
    machine.hook(&machine.file("Write", "project/tools/hooks/pre-commit")).is_silent();
    machine.write("project/.git/config", "[core]\n\thooksPath = tools/hooks\n");
    machine.hook(&machine.file("Write", "project/tools/hooks/pre-commit")).asks("what git runs automatically");
    let tree = Machine::with(POLICY);
    tree.write("main/.git/config", "").write("main/.git/hooks/pre-commit", "");
    std::fs::remove_dir_all(tree.path("project/.git")).unwrap();
    let main = tree.path("main/.git/worktrees/x");
    tree.write("project/.git", &format!("gitdir: {}\n", main.display()));
    tree.hook(&tree.file("Write", "main/.git/hooks/pre-push")).asks("what git runs automatically");
    tree.hook(&tree.file("Write", "main/.git/description")).is_silent();
}
