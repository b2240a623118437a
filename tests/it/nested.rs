//! Policies of directories in one another: each is a policy of its own, and nothing is merged.

use std::process::Command;

use serde_json::json;

use crate::machine::{Machine, Printed, Reply, send};

const PROTECTED_BY_ROOT: &str = "use \"std/git\"\n";
const PROTECTED_BY_API: &str = "use \"std/git\" with { protected_branches: [\"release\"] }\n";

fn deny(name: &str, message: &str) -> String {
    format!(
        "rule {name} {{\n  on PreToolUse\n  when runs \"make\"\n  deny \"{message}\"\n\n  fires on Bash \"make\"\n  quiet on Bash \"ls\"\n}}\n"
    )
}

fn inside(machine: &Machine, directory: &str, args: &[&str]) -> Printed {
    let mut command = machine.command(args);
    command.current_dir(machine.path(directory));
    Printed::of(&send(command, b""))
}

/// Answers a shell command in a session that starts in a directory.
fn hook(machine: &Machine, directory: &str, command: &str) -> Reply {
    let mut payload = machine.bash(command);
    payload["cwd"] = json!(machine.path(directory));
    let mut hook: Command = machine.hook_command(&[]);
    hook.env("CLAUDE_PROJECT_DIR", machine.path(directory));
    machine.forget_claims();
    Reply::of(&send(hook, payload.to_string().as_bytes()))
}

#[test]
fn a_pack_that_two_directories_configure_differently_is_judged_for_both() {
    let machine = Machine::with(PROTECTED_BY_ROOT);
    machine
        .write("project/api/.rules/api.rules", PROTECTED_BY_API)
        .write("project/.git/HEAD", "ref: refs/heads/work\n");
    // Before, the policy did not load in `api`, and a forced push fell from deny to ask.
    hook(&machine, "project", "git push --force origin main").denies("");
    hook(&machine, "project/api", "git push --force origin main").denies("");
    hook(&machine, "project/api", "git push --force origin release").denies("");
    let checked = inside(&machine, "project/api", &["check"]);
    assert_eq!(checked.exit, 0, "{checked:?}");
    // An equal message is given once.
    let reply = hook(&machine, "project/api", "git push --force origin main release");
    let reason = reply.reason();
    let first = reason.lines().next().unwrap();
    assert_eq!(reason.matches(first).count(), 1, "{reason}");
}

#[test]
fn a_pack_that_two_directories_use_alike_is_one() {
    let machine = Machine::with(PROTECTED_BY_ROOT);
    machine.write("project/api/.rules/api.rules", PROTECTED_BY_ROOT);
    let alone = inside(&machine, "project", &["list", "-q"]);
    let nested = inside(&machine, "project/api", &["list", "-q"]);
    assert_eq!(alone.stdout, nested.stdout);
    // With one other value, the rules that have it are shown with their directories.
    machine.write("project/api/.rules/api.rules", PROTECTED_BY_API);
    let nested = inside(&machine, "project/api", &["list", "-q"]);
    let both: Vec<&str> = nested.stdout.lines().filter(|name| name.ends_with(')')).collect();
    assert_eq!(both, ["std/git/no-push-to-protected (.)", "std/git/no-push-to-protected (api)"]);
}

#[test]
fn a_rule_has_its_directory_where_its_name_alone_is_not_unique() {
    let machine = Machine::with(&deny("no-make", "Root says no."));
    let api = deny("no-make", "The service says no.")
        + &deny("no-build", "No.").replace("make", "build")
        + "test \"both\" {\n  given Bash \"make\"\n  expect deny by no-make, ../no-make, ./no-make, \"../api/no-make\"\n}\n";
    machine.write("project/api/.rules/user.rules", &api);
    let checked = inside(&machine, "project/api", &["check"]);
    assert_eq!(checked.exit, 0, "{}{}", checked.stdout, checked.stderr);
    let listed = inside(&machine, "project/api", &["list", "-q"]);
    assert_eq!(listed.stdout, "no-make (.)\nno-make (api)\nno-build\n");
    let reply = hook(&machine, "project/api", "make");
    assert!(reply.reason().contains("Root says no.") && reply.reason().contains("The service says no."));
    for (directory, name, shown) in [
        ("project/api", "no-make", "no-make (api)"),
        ("project/api", "../no-make", "no-make (.)"),
        ("project", "no-make", "no-make"),
    ] {
        let explained = inside(&machine, directory, &["explain", "--rule", name, "make"]);
        assert!(explained.stdout.contains(shown), "{directory} {name}: {explained:?}");
    }
}

#[test]
fn two_uses_in_one_directory_must_agree_and_two_rules_must_differ() {
    let machine = Machine::with(PROTECTED_BY_ROOT);
    machine.write("project/.rules/other.rules", PROTECTED_BY_API);
    let checked = inside(&machine, "project", &["check"]);
    assert!(checked.stderr.contains("R0516") || checked.stdout.contains("R0516"), "{checked:?}");
    let machine = Machine::with(&deny("no-make", "No."));
    machine.write("project/.rules/other.rules", &deny("no-make", "Not here."));
    let checked = inside(&machine, "project", &["check"]);
    assert!(checked.stderr.contains("R0201") || checked.stdout.contains("R0201"), "{checked:?}");
}

#[test]
fn a_test_is_judged_by_the_rules_that_hold_in_its_directory() {
    let test = "test \"passes\" {\n  given Bash \"cargo build\"\n  expect pass\n}\n";
    let machine = Machine::with(&(deny("no-make", "No.") + test));
    machine.write("project/api/.rules/api.rules", &deny("no-cargo", "No.").replace("make", "cargo"));
    for directory in ["project", "project/api"] {
        let tested = inside(&machine, directory, &["test"]);
        assert_eq!(tested.exit, 0, "{directory}: {}{}", tested.stdout, tested.stderr);
    }
}

#[test]
fn the_same_command_of_a_pack_in_two_directories_starts_once() {
    let shared = "let who = \"you\"\nrule count {\n  on Stop\n  when stop_hook_active == false\n  warn \"Stopped.\"\n  run \"echo x >> $CLAUDE_PROJECT_DIR/ran\"\n}\n";
    let machine = Machine::with("use \"../shared/stop.rules\"\n");
    machine
        .write("project/shared/stop.rules", shared)
        .write("project/api/.rules/api.rules", "use \"../../shared/stop.rules\" with { who: \"me\" }\n");
    let mut payload = machine.event("Stop");
    payload["stop_hook_active"] = json!(false);
    payload["cwd"] = json!(machine.path("project/api"));
    let mut hook = machine.hook_command(&[]);
    hook.env("CLAUDE_PROJECT_DIR", machine.path("project/api"));
    let _answered = send(hook, payload.to_string().as_bytes());
    assert_eq!(machine.read("project/api/ran"), "x\n");
}

/// Answers an edit of a file in a session that starts in a directory; relative paths are relative to the machine.
fn edit(machine: &Machine, directory: &str, file: &str) -> Reply {
    let mut payload = machine.file("Write", "x");
    payload["tool_input"] = json!({ "file_path": machine.path(file), "content": "x" });
    payload["cwd"] = json!(machine.path(directory));
    let mut hook = machine.hook_command(&[]);
    hook.env("CLAUDE_PROJECT_DIR", machine.path(directory));
    machine.forget_claims();
    Reply::of(&send(hook, payload.to_string().as_bytes()))
}

const RELATIVE: &str = r#"
rule of-api {
  on PreToolUse
  when writes like "api/**"
  deny "A service."

  fires on Write "api/src/a"
  quiet on Write "src/a", Write "web/api/a"
}

rule of-src {
  on PreToolUse
  when writes like ["{src,lib}/**", "!src/free/**"]
  deny "The root's sources."

  fires on Write "src/a", Write "lib/b"
  quiet on Write "src/free/a", Write "api/src/a"
}

rule of-generated {
  on PreToolUse
  when writes under "gen" or path == "one.txt"
  deny "Generated."

  fires on Write "gen/a", Write "one.txt"
  quiet on Write "api/gen/a", Write "a/one.txt"
}

rule of-frozen {
  on PreToolUse
  when file_exists "FROZEN" and writes like "**/*.md"
  deny "Frozen."

  fires on Write "a.md" with { file_exists "FROZEN": true }
  quiet on Write "a.md" with { file_exists "FROZEN": false }
}

rule of-others {
  on PreToolUse
  when writes like "../outside/**"
  deny "Not ours."

  fires on Write "../outside/a"
  quiet on Write "outside/a"
}

test "all" {
  given Write "api/a"
  expect deny by of-api

  given Write "/project/src/a"
  expect deny by of-src
}
"#;

#[test]
fn a_relative_name_is_relative_to_the_directory_that_holds_the_policy() {
    let machine = Machine::with(RELATIVE);
    machine
        .write("project/api/v1/x", "")
        .write("project/FROZEN", "")
        .write("project/web/.rules/web.rules", &deny("no-make", "No."));
    for directory in ["project", "project/api", "project/api/v1", "project/web"] {
        for (file, rule) in [
            ("project/api/src/a", "A service."),
            ("project/api/v1/a", "A service."),
            ("project/src/a", "The root's sources."),
            ("project/lib/a", "The root's sources."),
            ("project/gen/a", "Generated."),
            ("project/one.txt", "Generated."),
            ("project/web/a.md", "Frozen."),
            ("outside/a", "Not ours."),
        ] {
            println!("{file} from {directory}");
            edit(&machine, directory, file).denies(rule);
        }
        for file in
            ["project/web/src/a", "project/web/gen/a", "project/src/free/a", "project/web/one.txt", "project/outside/a"]
        {
            println!("{file} from {directory}");
            assert_ne!(edit(&machine, directory, file).decision(), "deny");
        }
    }
    // The examples and tests of the root are about a session there, wherever they are run.
    for directory in ["project", "project/api", "project/web"] {
        let tested = inside(&machine, directory, &["test"]);
        assert_eq!(tested.exit, 0, "{directory}: {}{}", tested.stdout, tested.stderr);
        assert!(tested.stdout.contains("of-src"), "{}", tested.stdout);
        let checked = inside(&machine, directory, &["check"]);
        assert_eq!(checked.exit, 0, "{directory}: {}{}", checked.stdout, checked.stderr);
    }
    let mutated = inside(&machine, "project/web", &["mutate"]);
    assert!(!mutated.stderr.contains("fails before"), "{mutated:?}");
}

#[test]
fn a_pack_with_relative_names_is_one_for_each_directory() {
    let machine = Machine::with("use \"std/edits\"\n");
    machine.write("project/api/.rules/api.rules", "use \"std/edits\"\n").write("project/api/README.md", "");
    let listed = inside(&machine, "project/api", &["list", "-q"]);
    let of_both: Vec<&str> = listed.stdout.lines().filter(|name| name.ends_with(" (api)")).collect();
    assert!(!of_both.is_empty() && of_both.len() < listed.stdout.lines().count() / 2, "{}", listed.stdout);
    // A new file at the top of either directory.
    for file in ["project/notes.txt", "project/api/notes.txt"] {
        let reply = edit(&machine, "project/api", file);
        assert!(!reply.decision().is_empty(), "{file}: {reply:?}");
    }
    assert!(edit(&machine, "project/api", "project/api/src/notes.txt").decision().is_empty());
}

#[test]
fn a_test_in_a_package_is_about_a_session_in_the_package() {
    let machine = Machine::with(RELATIVE);
    let api = "test \"of the package\" {\n  given Write \"src/a\"\n  expect deny by of-api\n\n  given Write \"/project/src/a\"\n  expect deny by ../of-src\n\n  given Write \"../web/src/a\"\n  expect pass\n}\n";
    machine.write("project/api/.rules/api.rules", api);
    let tested = inside(&machine, "project/api", &["test"]);
    assert_eq!(tested.exit, 0, "{}{}", tested.stdout, tested.stderr);
    assert!(tested.stdout.contains("of the package"), "{}", tested.stdout);
}

#[test]
fn in_a_linked_worktree_a_relative_name_is_relative_to_the_same_directory_there() {
    let machine = Machine::with(RELATIVE);
    machine
        .write("project/.git/HEAD", "ref: refs/heads/main\n")
        .write("project/.git/config", "")
        .write("project/.git/worktrees/w/HEAD", "ref: refs/heads/topic\n")
        .write("project/.git/worktrees/w/commondir", "../..\n")
        .write("project/.git/worktrees/w/gitdir", &format!("{}\n", machine.path("tree/.git").display()))
        .write("tree/.git", &format!("gitdir: {}\n", machine.path("project/.git/worktrees/w").display()))
        .write("tree/api/x", "")
        .write("project/api/x", "");
    for directory in ["project", "project/api"] {
        edit(&machine, directory, "tree/api/src/a").denies("A service.");
        edit(&machine, directory, "tree/src/a").denies("The root's sources.");
        assert_ne!(edit(&machine, directory, "tree/web/src/a").decision(), "deny");
    }
}

#[test]
fn a_check_at_the_root_checks_each_policy_below_with_those_above_it() {
    let machine = Machine::with(&deny("no-make", "No."));
    machine
        .write("project/.git/HEAD", "ref: refs/heads/main\n")
        .write("project/.gitignore", "/out/\nignored\n")
        .write("project/api/.rules/api.rules", &deny("no-build", "No.").replace("\"make\"", "\"build\""))
        .write("project/api/v1/.rules/v1.rules", "rule broken {\n  on PreToolUse\n  dney \"x\"\n}\n")
        .write(
            "project/web/.rules/web.rules",
            &deny("no-web", "No.").replace("fires on Bash \"make\"", "fires on Bash \"ls\""),
        )
        .write("project/out/.rules/out.rules", "broken")
        .write("project/deep/ignored/.rules/x.rules", "broken")
        .write("project/vendor/clone/.git/HEAD", "ref: refs/heads/main\n")
        .write("project/vendor/clone/.rules/clone.rules", "broken")
        .write("project/node_modules/left/.rules/left.rules", "broken");
    let checked = inside(&machine, "project", &["check"]);
    assert_eq!(checked.exit, 1, "{}{}", checked.stdout, checked.stderr);
    let out = &checked.stdout;
    assert_eq!(out.matches("[api/v1/.rules/v1.rules:3:3]").count(), 1, "{out}");
    assert_eq!(out.matches("an example of `no-web` fails").count(), 1, "{out}");
    assert!(out.contains("web/.rules/web.rules"), "{out}");
    assert!(!out.contains("out.rules") && !out.contains("x.rules") && !out.contains("left.rules:"), "{out}");
    assert!(out.contains("also checked the policies of `api`, `api/v1`, `web`"), "{out}");
    assert!(out.contains("not checked, in a working tree of its own: `vendor/clone`"), "{out}");
    assert!(out.contains("not checked, in `node_modules`: `node_modules/left`"), "{out}");

    // What is wrong only in a session below is found at the root, with both places.
    let machine = Machine::with("use \"std/git\"\n");
    machine
        .write("project/api/.rules/a.rules", "use \"std/git\" with { protected_branches: [\"a\"] }\n")
        .write("project/api/.rules/b.rules", "use \"std/git\" with { protected_branches: [\"b\"] }\n");
    let checked = inside(&machine, "project", &["check", "--format", "short"]);
    assert_eq!(checked.exit, 1, "{checked:?}");
    assert!(checked.stdout.contains("api/.rules/b.rules:1:5: error R0516"), "{}", checked.stdout);
    machine.write("project/api/.rules/b.rules", "# nothing\n");
    let checked = inside(&machine, "project", &["check"]);
    assert_eq!(checked.exit, 0, "{}{}", checked.stdout, checked.stderr);
    assert!(checked.stdout.contains("also checked the policy of `api`"), "{}", checked.stdout);
}

#[test]
fn a_check_of_a_directory_is_the_check_of_a_session_there() {
    let machine = Machine::with(PROTECTED_BY_ROOT);
    machine
        .write("project/packages/api/.rules/api.rules", &deny("no-build", "No.").replace("\"make\"", "\"build\""))
        .write("project/packages/web/.rules/a.rules", "use \"std/git\" with { protected_branches: [\"a\"] }\n")
        .write("project/packages/web/.rules/b.rules", "use \"std/git\" with { protected_branches: [\"b\"] }\n")
        .write("project/docs/readme.md", "");
    let check = |paths: &[&str]| inside(&machine, "project", &[&["check", "--format", "short"], paths].concat());
    let here = check(&[]);
    assert!(here.exit == 1 && here.stdout.contains("packages/web/.rules/b.rules:1:5: error R0516"), "{here:?}");
    // All of these are the project that the command is in.
    for paths in [&["."][..], &["./"], &["packages/.."], &["../project"]] {
        assert_eq!(check(paths).stdout, here.stdout, "{paths:?}");
    }
    let web = check(&["packages/web"]);
    assert!(web.exit == 1 && web.stdout.contains("packages/web/.rules/b.rules:1:5: error R0516"), "{web:?}");
    assert_eq!((check(&["packages/api"]).exit, check(&["packages"]).exit), (0, 1));
    assert_eq!(check(&["packages/api", "packages/web"]).stdout, web.stdout);
    let told = inside(&machine, "project", &["check", "packages"]).stdout;
    assert!(told.contains("also checked the policies of `packages/api`, `packages/web`"), "{told}");
    // The policy above holds in a directory without one.
    assert_eq!(check(&["docs"]).exit, 0);
    // A file is checked alone.
    assert_eq!(check(&["packages/web/.rules/a.rules"]).exit, 0);
}

#[test]
fn a_check_names_the_other_agents_that_are_used_in_the_project() {
    let machine = Machine::with(&deny("no-make", "No.").replace("  deny", "  ask"));
    let check = || inside(&machine, "project", &["check"]).stdout;
    assert!(!check().contains("--host"), "{}", check());
    machine.write("project/.codex/config.toml", "").write("project/.qwen/settings.json", "{}");
    assert!(check().contains("`rules check --host codex`"), "{}", check());
}

#[test]
fn a_rule_of_a_directory_below_is_explained_from_above() {
    let machine = Machine::with(PROTECTED_BY_ROOT);
    machine.write("project/api/.rules/api.rules", &deny("no-make", "Not here."));
    let explain = |option: &str, name: &str, call: &str| inside(&machine, "project", &["explain", option, name, call]);
    for name in ["./api/no-make", "no-make (api)", "no-make"] {
        let matched = explain("--rule", name, "cd api && make");
        assert!(matched.stdout.contains("no-make matches → deny"), "{name}: {matched:?}");
        let unmatched = explain("--why-not", name, "cd api && ls");
        assert!(unmatched.stdout.contains("no-make does not match"), "{name}: {unmatched:?}");
    }
    let json =
        inside(&machine, "project", &["explain", "--rule", "./api/no-make", "--format", "json", "cd api && make"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["rules"], json!([]));
    assert_eq!(json["nested"][0]["rules"][0]["rule"], "no-make");
    // The call does nothing there.
    for name in ["./api/no-make", "no-make (api)", "no-make"] {
        let other = explain("--rule", name, "make");
        assert_eq!(other.exit, 2);
        assert_eq!(
            other.stderr.split_whitespace().collect::<Vec<_>>().join(" "),
            "rules: `no-make` of `api` does not judge this call, which is not known to do anything there"
        );
    }
    let unknown = explain("--rule", "./api/no-maek", "cd api && make");
    assert!(unknown.exit == 2 && unknown.stderr.contains("unknown rule `./api/no-maek`"), "{unknown:?}");
}

#[test]
fn init_names_the_policies_above_and_below() {
    let machine = Machine::with(PROTECTED_BY_ROOT);
    machine.write("project/api/.rules/api.rules", &deny("no-make", "No.")).write("project/web/src/x.js", "");
    let above = inside(&machine, "project/web", &["init", "--dry-run"]).stdout;
    assert!(above.contains("- the policy of `..` also holds here, and what it uses is not proposed again"), "{above}");
    assert!(!above.contains("use \"std/git\""), "{above}");
    let below = inside(&machine, "project", &["init", "--dry-run"]).stdout;
    assert!(below.contains("- `api` has a policy of its own, for what is below it"), "{below}");
    let alone = Machine::with("");
    assert!(!inside(&alone, "project", &["init", "--dry-run"]).stdout.contains("Other policies"));
}

#[test]
fn a_path_that_only_a_directory_below_has_is_found() {
    let machine = Machine::with(RELATIVE);
    machine.write("project/web/src/a", "").write("project/api/a", "").write("project/gen/a", "");
    let checked = inside(&machine, "project", &["check", "--format", "short"]);
    let about = "R0636 path-in-subdirectory: there is no `src` in the directory of this policy";
    // `{src,lib}/**` begins with no certain name.
    assert!(!checked.stdout.contains("R0636"), "{}", checked.stdout);
    machine.write(
        "project/.rules/project.rules",
        &RELATIVE.replace("{src,lib}/**", "src/**").replace(", Write \"lib/b\"", ""),
    );
    let checked = inside(&machine, "project", &["check"]);
    assert!(
        checked.stdout.contains("`web/src` exists") && checked.stdout.contains("\"web/src/**\""),
        "{}",
        checked.stdout
    );
    let from_web = inside(&machine, "project/web", &["check", "--format", "short"]);
    assert_eq!(from_web.stdout.matches(about).count(), 1, "{}", from_web.stdout);
    machine.write("project/src/a", "");
    let checked = inside(&machine, "project", &["check", "--format", "short"]);
    assert!(!checked.stdout.contains("R0636"), "{}", checked.stdout);
}

#[test]
fn a_session_that_a_link_leads_to_has_the_same_directories() {
    let machine = Machine::with(RELATIVE);
    machine.write("project/api/v1/x", "").write("project/FROZEN", "").write("links/x", "");
    machine.link(machine.path("project/api"), "links/api").link(machine.path("project"), "links/whole");
    for directory in ["links/api", "links/api/v1", "links/whole", "links/whole/api"] {
        for file in ["project/api/a", "project/src/a", "project/gen/a", "project/one.txt", "project/q.md"] {
            println!("{file} from {directory}");
            edit(&machine, directory, file).denies("");
        }
        for file in ["links/src/a", "links/gen/a", "links/one.txt"] {
            println!("{file} from {directory}");
            assert_ne!(edit(&machine, directory, file).decision(), "deny");
        }
    }
    edit(&machine, "links/whole/api", "links/whole/gen/a").denies("Generated.");
}

#[test]
fn a_file_that_two_directories_use_is_tried_in_each() {
    let shared = "let sources = [\"src/**\"]\nrule shared-sources {\n  on PreToolUse\n  when writes like sources\n  deny \"Not here.\"\n\n  fires on Write \"src/a\"\n  quiet on Write \"../src/a\"\n}\n";
    let machine = Machine::with("use \"../shared/x.rules\"\n");
    machine
        .write("project/shared/x.rules", shared)
        .write("project/api/.rules/a.rules", "use \"../../shared/x.rules\"\n");
    for directory in ["project", "project/api"] {
        let checked = inside(&machine, directory, &["check"]);
        assert_eq!(checked.exit, 0, "{directory}: {}{}", checked.stdout, checked.stderr);
    }
    edit(&machine, "project/api", "project/api/src/a").denies("Not here.");
    edit(&machine, "project/api", "project/src/a").denies("Not here.");
    let mutated = inside(&machine, "project/api", &["mutate"]);
    assert!(!mutated.stderr.contains("fails before"), "{mutated:?}");
    // With another value, the copies are no mistake, and each is tried once.
    machine.write(
        "project/api/.rules/a.rules",
        "use \"../../shared/x.rules\" with { sources: [\"src/**\", \"lib/**\"] }\n",
    );
    let checked = inside(&machine, "project/api", &["check"]);
    assert_eq!(checked.exit, 0, "{}{}", checked.stdout, checked.stderr);
    assert!(checked.stdout.starts_with("no findings"), "{}", checked.stdout);
    let tested = inside(&machine, "project/api", &["test"]);
    assert_eq!(tested.stdout.matches("shared-sources").count(), 2, "{}", tested.stdout);
}

#[test]
fn in_a_linked_worktree_a_directory_and_a_path_are_those_there() {
    let machine = Machine::with(RELATIVE);
    machine
        .write("project/.git/HEAD", "ref: refs/heads/main\n")
        .write("project/.git/config", "")
        .write("project/.git/worktrees/w/HEAD", "ref: refs/heads/topic\n")
        .write("project/.git/worktrees/w/commondir", "../..\n")
        .write("project/.git/worktrees/w/gitdir", &format!("{}\n", machine.path("tree/.git").display()))
        .write("tree/.git", &format!("gitdir: {}\n", machine.path("project/.git/worktrees/w").display()));
    edit(&machine, "project", "tree/gen/a").denies("Generated.");
    edit(&machine, "project", "tree/one.txt").denies("Generated.");
    assert_ne!(edit(&machine, "project", "tree/two.txt").decision(), "deny");
    // `FROZEN` is the file of the working tree that is written to.
    machine.write("project/FROZEN", "").write("project/api/x", "").write("tree/web/x", "");
    for directory in ["project", "project/api"] {
        edit(&machine, directory, "project/web/a.md").denies("Frozen.");
        assert_ne!(edit(&machine, directory, "tree/web/a.md").decision(), "deny");
    }
    std::fs::rename(machine.path("project/FROZEN"), machine.path("tree/FROZEN")).unwrap();
    for directory in ["project", "project/api"] {
        assert_ne!(edit(&machine, directory, "project/web/a.md").decision(), "deny");
        edit(&machine, directory, "tree/web/a.md").denies("Frozen.");
    }
}

#[test]
fn eval_judges_a_payload_of_another_directory_as_its_hook_does() {
    let machine = Machine::with(RELATIVE);
    machine.write("project/api/v1/x", "").write("project/gen/a", "");
    let payload = |directory: &str, file: &str| {
        let mut payload = machine.file("Write", "x");
        payload["tool_input"] = json!({ "file_path": machine.path(file), "content": "x" });
        payload["cwd"] = json!(machine.path(directory));
        payload.to_string() + "\n"
    };
    let lines: String = ["project", "project/api", "project/api/v1"]
        .iter()
        .flat_map(|from| ["project/src/a", "project/gen/a", "project/api/src/a"].map(|file| payload(from, file)))
        .collect();
    for directory in ["project", "project/api"] {
        let mut command = machine.command(&["eval"]);
        command.current_dir(machine.path(directory));
        let judged = Printed::of(&send(command, lines.as_bytes()));
        assert_eq!(judged.stdout.matches("\"decision\":\"deny\"").count(), 9, "{directory}: {}", judged.stdout);
    }
}

#[test]
fn what_two_directories_use_alike_keeps_its_names_and_its_records() {
    let shared = deny("no-make", "No.");
    let machine = Machine::with("use \"../shared.rules\"\n");
    machine
        .write("project/shared.rules", &shared)
        .write("project/api/.rules/a.rules", &format!("use \"../../shared.rules\"\n{}", deny("no-make", "Not here.")));
    let checked = inside(&machine, "project/api", &["check", "--format", "short"]);
    assert!(checked.stdout.contains("R0201"), "{checked:?}");
    let test = "test \"t\" {\n  given Bash \"make\"\n  expect deny by ./no-make, ../no-make, no-make\n}\n";
    machine.write("project/api/.rules/a.rules", &format!("use \"../../shared.rules\"\n{test}"));
    let tested = inside(&machine, "project/api", &["test"]);
    assert_eq!(tested.exit, 0, "{}{}", tested.stdout, tested.stderr);

    let roles = "use \"std/roles\"\n";
    let machine = Machine::with("use \"std/roles\" with { most_subagents: 2 }\n");
    machine.write("project/api/.rules/api.rules", roles);
    let mut payload = machine.event("SubagentStart");
    payload["agent_id"] = json!("a1");
    payload["agent_type"] = json!("coder");
    payload["cwd"] = json!(machine.path("project/api"));
    let mut hook = machine.hook_command(&[]);
    hook.env("CLAUDE_PROJECT_DIR", machine.path("project/api"));
    let _answered = send(hook, payload.to_string().as_bytes());
    let log = "project/api/.rules/log/subagents.jsonl";
    assert!(!machine.exists(log) || machine.read(log).lines().count() == 1, "{}", machine.read(log));
}

#[test]
fn an_untrusted_policy_knows_the_files_of_its_own_directory_only() {
    let rule = |name: &str, file: &str| {
        format!(
            "rule {name} {{\n  on PreToolUse\n  when runs \"ls\" and file_exists \"{file}\"\n  deny \"{name}.\"\n}}\n"
        )
    };
    let machine = Machine::with(&rule("of-root", "FROZEN"));
    machine
        .write("project/FROZEN", "")
        .write("project/api/.rules/api.rules", &rule("of-api", "../FROZEN"))
        .write("project/web/x", "");
    let user = |directory: &str| {
        let mut payload = machine.bash("ls");
        payload["cwd"] = json!(machine.path(directory));
        let mut hook = machine.registered("hook", "user", &[]);
        hook.env("CLAUDE_PROJECT_DIR", machine.path(directory));
        machine.forget_claims();
        Reply::of(&send(hook, payload.to_string().as_bytes()))
    };
    for directory in ["project", "project/web"] {
        user(directory).denies("of-root.");
    }
    // What is above the directory of `api` is not for its policy to know.
    let reply = user("project/api");
    reply.denies("of-root.");
    assert!(!reply.reason().contains("of-api."), "{}", reply.reason());
}

#[test]
fn an_installation_below_the_root_of_a_repository_says_which_sessions_read_it() {
    let machine = Machine::with(&deny("no-make", "No."));
    machine.write("project/.git/HEAD", "ref: refs/heads/main\n").write("project/api/x", "");
    let sentences = |printed: &Printed| {
        let text = printed.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        ["elsewhere in the repository", "in its packages and linked worktrees"].map(|sentence| text.contains(sentence))
    };
    for (directory, told) in [("project", [false; 2]), ("project/api", [true; 2])] {
        let shown = inside(&machine, directory, &["install", "claude-code", "--dry-run"]);
        assert!(shown.exit == 0 && sentences(&shown) == told, "{shown:?}");
        let installed = inside(&machine, directory, &["install", "claude-code", "--yes"]);
        assert_eq!(installed.exit, 0, "{installed:?}");
        assert_eq!(sentences(&installed), told, "{installed:?}");
    }
}

#[test]
fn a_command_that_one_rule_names_twice_starts_twice() {
    let rule = "rule count {\n  on Stop\n  run \"echo x >> $CLAUDE_PROJECT_DIR/ran\"\n  run \"echo x >> $CLAUDE_PROJECT_DIR/ran\"\n}\n";
    let machine = Machine::with(rule);
    machine.hook(&machine.event("Stop"));
    assert_eq!(machine.read("project/ran"), "x\nx\n");
}

/// Commands with a directory stop at no link of a workspace: pnpm and npm link the packages into `node_modules`.
#[test]
fn a_command_with_a_directory_follows_no_link_in_node_modules() {
    let machine = Machine::with(PROTECTED_BY_ROOT);
    machine
        .write("project/.git/HEAD", "ref: refs/heads/work\n")
        .write("project/packages/web/package.json", "{}")
        .write("project/packages/ui/.rules/ui.rules", &deny("no-make", "No."))
        .write("project/policies/own.rules", &deny("no-own", "No."))
        .write("project/policies/node_modules/other/a.rules", "rule {");
    for holder in ["packages/web", "policies"] {
        let directory = machine.path(&format!("project/{holder}/node_modules/@acme"));
        std::fs::create_dir_all(&directory).unwrap();
        crate::system::link("../../../packages/ui", directory.join("ui"));
    }
    for args in [["test", "policies"], ["list", "policies"], ["fmt", "policies"], ["check", "packages/web"]] {
        let printed = inside(&machine, "project", &args);
        assert_eq!(printed.exit, 0, "{args:?}: {}{}", printed.stdout, printed.stderr);
    }
    let listed = inside(&machine, "project", &["list", "-q", "policies"]);
    assert_eq!(listed.stdout, "no-own\n");
    // The link itself is the package.
    let listed = inside(&machine, "project", &["list", "-q", "policies/node_modules/@acme/ui"]);
    assert_eq!(listed.stdout, "no-make\n");
    // `packages/web` has no policy, and a link does not hide that.
    let tested = inside(&machine, "project", &["test", "packages/web"]);
    assert!(tested.exit == 3 && tested.stderr.contains("no policy"), "{tested:?}");
}
