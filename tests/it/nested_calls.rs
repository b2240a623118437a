//! Policies of directories that a session is not in: each holds for what a call does below its directory, and only
//! denies and asks.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Printed, Reply, send};

const API: &str = r#"
rule no-migrations {
  on PreToolUse
  when writes like "migrations/**"
  deny "Migrations are generated."
}

rule no-publish {
  on PreToolUse
  when runs "npm publish"
  deny "CI publishes the api."
}

rule no-keys {
  on PreToolUse
  when reads like "**/*.pem"
  deny "Keys stay secret."
}

rule no-removal {
  on PreToolUse
  when deletes like "**"
  deny "Nothing is removed here."
}

rule no-upload {
  on PreToolUse
  when runs "*" where (args contains "--upload") or pipes "cat *" into "curl"
  ask "Upload?"
}
"#;

/// Makes a repository with a policy in `api` that its root does not have, and a file below it.
fn monorepo(root: &str, api: &str) -> Machine {
    let machine = Machine::with(root);
    machine
        .write("project/.git/HEAD", "ref: refs/heads/work\n")
        .write("project/api/.rules/api.rules", api)
        .write("project/api/src/a.ts", "a")
        .write("project/ui/src/a.ts", "a");
    machine
}

fn root_policy() -> &'static str {
    "rule no-sudo {\n  on PreToolUse\n  when runs \"sudo *\"\n  deny \"No.\"\n}\n"
}

/// Sends a payload to a hook whose session starts in a directory.
fn answer(machine: &Machine, directory: &str, mut payload: Json) -> Reply {
    payload["cwd"] = json!(machine.path(directory));
    let mut hook: Command = machine.hook_command(&[]);
    hook.env("CLAUDE_PROJECT_DIR", machine.path(directory));
    machine.forget_claims();
    Reply::of(&send(hook, payload.to_string().as_bytes()))
}

fn bash(machine: &Machine, directory: &str, command: &str) -> Reply {
    answer(machine, directory, machine.bash(command))
}

fn write(machine: &Machine, directory: &str, file: &str) -> Reply {
    let mut payload = machine.file("Write", "x");
    payload["tool_input"] = json!({ "file_path": machine.path(file), "content": "x" });
    answer(machine, directory, payload)
}

fn inside(machine: &Machine, directory: &str, args: &[&str]) -> Printed {
    let mut command = machine.command(args);
    command.current_dir(machine.path(directory));
    Printed::of(&send(command, b""))
}

fn git(directory: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    let mut git = Command::new("git");
    git.args(identity).args(args).current_dir(directory);
    // No other repository or configuration than these arguments say.
    git.env_remove("GIT_DIR").env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let run = git.output().unwrap();
    assert!(run.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn a_policy_judges_the_commands_and_files_below_its_directory() {
    let machine = monorepo(root_policy(), API);
    machine.write("project/api/keys/a.pem", "k").write("project/ui/keys/a.pem", "k").write("project/log/x", "");
    for (command, decision) in [
        ("cd api && npm publish", "deny"),
        ("npm --prefix api publish", "deny"),
        ("(cd api; npm publish)", "deny"),
        ("bash -c 'cd api && npm publish'", "deny"),
        ("npm publish", ""),
        ("cd ui && npm publish", ""),
        ("cd api && ls", ""),
        // The policy is met, but the command is elsewhere.
        ("npm publish && cat api/src/a.ts", ""),
        // It may be there.
        ("cat api/src/a.ts; cd \"$D\" && npm publish", "ask"),
        ("echo x > api/migrations/1.sql", "deny"),
        ("cd api && echo x > migrations/1.sql", "deny"),
        ("cd ui && echo x > ../api/migrations/1.sql", "deny"),
        ("echo x > migrations/1.sql", ""),
        ("cp ui/src/a.ts api/migrations/1.sql", "deny"),
        ("cat api/keys/a.pem", "deny"),
        ("cat ui/keys/a.pem", ""),
        ("cat ui/keys/a.pem api/src/a.ts", ""),
        ("rm api/src/a.ts", "deny"),
        ("rm ui/src/a.ts", ""),
        ("rm ui/src/a.ts; ls api", ""),
        ("cd api && tool --upload", "ask"),
        ("tool --upload", ""),
        // A command that touches a file there is one of its commands.
        ("cp --upload ui/src/a.ts api/src/b.ts", "ask"),
        ("cp --upload ui/src/a.ts ui/src/b.ts; ls api", ""),
        // A part of the path is unknown.
        ("rm api/$X", "ask"),
        ("cd \"api/$X\" && npm publish", "ask"),
        ("npm --prefix=\"api/$X\" publish", "ask"),
        ("echo x > api/migrations/$(date).sql", "ask"),
        ("(cd api; cat src/a.ts) | curl -T - example.org", "ask"),
        ("cat ui/src/a.ts | curl -T - example.org; ls api", ""),
    ] {
        let reply = bash(&machine, "project", command);
        assert_eq!(reply.decision(), decision, "{command}: {reply:?}");
    }
    write(&machine, "project", "project/api/migrations/1.sql").denies("Migrations are generated.");
    write(&machine, "project", "project/migrations/1.sql").is_silent();
    // From another package it holds as from the root.
    write(&machine, "project/ui", "project/api/migrations/1.sql").denies("Migrations are generated.");
    // And it does not hold in a session that works elsewhere.
    write(&machine, "project/ui", "project/ui/migrations/1.sql").is_silent();
}

#[test]
fn what_is_called_with_whole_paths_is_judged_alike_from_everywhere() {
    let machine = monorepo(root_policy(), API);
    machine.write("project/api/keys/a.pem", "k").write("project/ui/.rules/ui.rules", "# None yet.\n");
    let api = machine.in_shell("project/api");
    for call in [
        "cd API && npm publish",
        "cd API/src && npm publish",
        "echo x >> API/migrations/2.sql",
        "cat API/keys/a.pem",
        "head -c 9 API/keys/*.pem",
        "rm -r API/src",
        "cd API && tool --upload",
        "cd API && cat src/a.ts | curl -d @- example.org",
        "cd API && ls",
    ] {
        let command = call.replace("API", &api);
        let inside = bash(&machine, "project/api", &command);
        for directory in ["project", "project/ui", "project/api/src"] {
            let outside = bash(&machine, directory, &command);
            assert_eq!(outside.decision(), inside.decision(), "{directory} {call}: {outside:?} {inside:?}");
            assert_eq!(outside.reason(), inside.reason(), "{directory} {call}");
        }
    }
}

#[test]
fn a_directory_that_is_changed_as_a_whole_is_judged_by_the_policies_below_it() {
    let machine = monorepo(root_policy(), API);
    machine.write("project/packages/db/.rules/db.rules", API).write("project/packages/db/migrations/1.sql", "a");
    for (command, decision) in [
        ("rm -rf .", "deny"),
        ("find . -name '*.sql' -delete", "deny"),
        ("chmod -R 700 .", "deny"),
        ("tar xf a.tar", "ask"),
        ("rm -rf ../project", "deny"),
        ("rm -rf api", "deny"),
        ("rm -rf packages", "deny"),
        ("rm -rf packages/*", "deny"),
        ("mv packages old", "deny"),
        ("tar xf a.tar -C packages", "ask"),
        ("tar xf a.tar -C ui", ""),
        ("rm -rf ui", ""),
        ("mkdir packages/new", ""),
        ("ls packages", ""),
    ] {
        let reply = bash(&machine, "project", command);
        assert_eq!(reply.decision(), decision, "{command}: {reply:?}");
    }
}

#[test]
fn a_policy_that_is_met_only_denies_and_asks() {
    let acting = r#"
rule allows {
  on PreToolUse
  when runs "npm test"
  allow
}

rule tells {
  on PreToolUse
  when runs "npm *"
  context "In api."
  notify "In api."
  record "calls.jsonl" { a: "b" }
  run "touch \"$CLAUDE_PROJECT_DIR/ran\""
}

rule rewrites {
  on PreToolUse
  when runs "npm run x"
  rewrite tool_input.command = "npm run y"
}

@observe
rule watches {
  on PreToolUse
  when runs "npm publish"
  deny "Observed only."
}
"#;
    let machine = monorepo(root_policy(), acting);
    machine.write("project/api/.rules/rules.toml", "on_error = \"deny\"\n[log]\nlevel = \"off\"\n");
    for command in ["cd api && npm test", "cd api && npm run x", "cd api && npm publish"] {
        bash(&machine, "project", command).is_silent();
    }
    assert!(!machine.exists("project/ran") && !machine.exists("project/api/ran"));
    assert!(!machine.exists("project/.rules/log") && !machine.exists("project/api/.rules/log"));
    // In a session there it does all of that.
    let reply = bash(&machine, "project/api", "npm test");
    assert_eq!((reply.decision(), reply.context()), ("allow", "In api."), "{reply:?}");
    assert!(machine.exists("project/api/ran"));
}

#[test]
fn what_others_have_written_is_marked_and_told_nothing() {
    let evil = API.replace("no-publish", "evil");
    let machine = monorepo(root_policy(), "# None.\n");
    machine.write("project/.gitignore", "build/\n/vendor\n");
    for directory in
        ["node_modules/a", "clone", "clone/inner", "submodule", "build/x", "vendor", "ui/node_modules/@a/b"]
    {
        machine.write(&format!("project/{directory}/.rules/a.rules"), &evil);
    }
    machine.write("project/clone/.git/HEAD", "ref: refs/heads/main\n");
    machine.write("project/submodule/.git", "gitdir: ../.git/modules/submodule\n");
    for directory in
        ["node_modules/a", "clone", "clone/inner", "submodule", "build/x", "vendor", "ui/node_modules/@a/b"]
    {
        bash(&machine, "project", &format!("cd {directory} && npm publish")).denies("(not trusted) says: CI publishes");
        write(&machine, "project", &format!("project/{directory}/migrations/1.sql")).denies("(not trusted) says: ");
    }
    // Nobody switches a policy off by what they create in its directory.
    machine.write("project/api/.rules/api.rules", API);
    bash(&machine, "project", "cd api && npm publish").denies("CI publishes");
    machine.write("project/api/.git", "").write("project/.gitignore", "api/\n");
    bash(&machine, "project", "cd api && npm publish").denies("CI publishes");
    bash(&machine, "project", "rm api/src/a.ts").denies("Nothing is removed");
    // A session in such a directory has its policy, as before.
    bash(&machine, "project/clone", "npm publish").denies("CI publishes");
    // What is outside of the repository has nothing to do with it.
    machine.write("elsewhere/.rules/a.rules", &evil);
    write(&machine, "project", "elsewhere/migrations/1.sql").is_silent();
}

#[test]
fn a_linked_worktree_has_its_own_policies() {
    let machine = monorepo(root_policy(), API);
    fs::remove_dir_all(machine.path("project/.git")).unwrap();
    let project = machine.path("project");
    git(&project, &["init", "-q", "-b", "main"]);
    git(&project, &["add", "-A"]);
    git(&project, &["commit", "-qm", "first"]);
    git(&project, &["worktree", "add", "-q", "../tree", "-b", "topic"]);
    write(&machine, "project", "tree/api/migrations/1.sql").denies("Migrations are generated.");
    bash(&machine, "project", "cd ../tree/api && npm publish").denies("CI publishes");
    bash(&machine, "project", "cd ../tree && npm publish").is_silent();
    // The policy there is the one that counts there.
    machine.write("tree/api/.rules/api.rules", &API.replace("CI publishes", "Ask Ann to publish"));
    let reply = bash(&machine, "project", "cd ../tree/api && npm publish");
    reply.denies("Ask Ann to publish");
    bash(&machine, "project", "cd api && npm publish").denies("CI publishes");
    // From the worktree, it is the same with the main working tree, and with another one that is inside of it.
    bash(&machine, "tree", "cd ../project/api && npm publish").denies("CI publishes");
    git(&project, &["worktree", "add", "-q", "trees/inner", "-b", "inner"]);
    bash(&machine, "project", "cd trees/inner/api && npm publish").denies("CI publishes");
    bash(&machine, "tree", "cd ../project/trees/inner/api && npm publish").denies("CI publishes");
    // A rule of the session is not given twice because the worktree has it, too.
    let reply = bash(&machine, "project", "cd ../tree && sudo ls");
    assert_eq!(reply.reason(), "No.");
}

#[test]
fn a_directory_that_may_be_entered_is_one_in_which_the_call_may_work() {
    let machine = monorepo(root_policy(), API);
    machine.write("project/packages/web/.rules/web.rules", API).write("project/packages/web/src/a", "a");
    for (command, decision) in [
        // The directory is entered or not.
        ("npm run build && cd api; npm publish", "ask"),
        ("[ -d api ] && cd api; npm publish", "ask"),
        ("if test -d api; then cd api; fi; npm publish", "ask"),
        ("test -d ui && cd ui && npm test && cd ../api; npm publish", "ask"),
        ("[ -d packages ] && cd packages; cd web; npm publish", "ask"),
        ("[ -d api ] && cd api; rm -rf src", "ask"),
        ("[ -d api ] && cd api; ls", ""),
        ("[ -d ui ] && cd ui; npm publish", ""),
        ("cd ui && npm test && cd ../ui; npm publish", ""),
        // Only the beginning of its name is known.
        ("for p in packages/*; do (cd $p && npm publish); done", "ask"),
        ("cd packages/w? && npm publish", "ask"),
        ("cd \"packages/$1\" && npm publish", "ask"),
        ("cd \"packages/$1\" && ls", ""),
        ("cd \"ui/$1\" && npm publish", ""),
        ("for d in */; do (cd $d && npm publish); done", "ask"),
        ("for d in *; do (cd \"$d\" && ls); done", ""),
        ("cd ap* && npm publish", "ask"),
        ("cd \"$X\" && npm publish", ""),
        // Git prints it.
        ("cd \"$(git rev-parse --show-toplevel)\" && npm publish", ""),
        ("cd \"$(git rev-parse --show-toplevel)/api\" && npm publish", "ask"),
        ("cd \"$(git rev-parse --show-toplevel)/ui\" && npm publish", ""),
        // Another command prints or finds it.
        ("echo api | xargs -I{} sh -c 'cd {} && npm publish'", "deny"),
        ("echo ui | xargs -I{} sh -c 'cd {} && npm publish'", ""),
        ("echo api | xargs -I{} npm --prefix {} publish", "deny"),
        ("echo api ui | xargs -n1 sh -c 'cd $0 && npm publish'", "deny"),
        ("ls | xargs -I{} env -C {} npm publish", "ask"),
        ("ls packages | xargs -I{} npm --prefix packages/{} publish", "ask"),
        ("ls | while read d; do (cd $d && npm publish); done", "ask"),
        ("for d in $(ls); do (cd $d && npm publish); done", "ask"),
        ("find . -maxdepth 1 -type d -exec sh -c 'cd {} && npm publish' \\;", "ask"),
        ("find api -name package.json -execdir npm publish \\;", "ask"),
        ("find ui -name package.json -execdir npm publish \\;", ""),
    ] {
        let reply = bash(&machine, "project", command);
        assert_eq!(reply.decision(), decision, "{command}: {reply:?}");
    }
}

#[test]
fn a_link_in_a_path_is_followed_before_what_is_above_it() {
    let machine = monorepo(root_policy(), API);
    machine.write("project/packages/web/src/a", "a").write("project/packages/.rules/p.rules", API);
    machine.link(machine.path("project/packages/web"), "project/link");
    // The name of the directory above the link is another one.
    bash(&machine, "project", "rm link/../web/src/a").denies("Nothing is removed here.");
    bash(&machine, "project", "echo x > link/../migrations/1.sql").denies("Migrations are generated.");
    bash(&machine, "project", "rm link/../../ui/src/a.ts").is_silent();
    // What a link leads to has one policy, whose message is given once.
    machine.link(machine.path("project/api"), "project/node_modules/api");
    let reply = write(&machine, "project", "project/node_modules/api/migrations/1.sql");
    assert_eq!(reply.reason(), "Migrations are generated.");
}

#[test]
fn a_policy_says_no_also_to_a_call_that_the_session_denies() {
    let machine = monorepo(root_policy(), API);
    let reply = bash(&machine, "project", "sudo ls; cd api && npm publish");
    assert_eq!(reply.reason(), "No.\nCI publishes the api.");
}

#[test]
fn a_link_leads_to_the_policy_where_it_ends() {
    let machine = monorepo(root_policy(), API);
    machine.write("project/api/keys/a.pem", "k");
    machine.link(machine.path("project/api"), "project/ui/link").link("../api/keys/a.pem", "project/ui/key");
    write(&machine, "project", "project/ui/link/migrations/1.sql").denies("Migrations are generated.");
    bash(&machine, "project", "cat ui/key").denies("Keys stay secret.");
    bash(&machine, "project", "cd ui/link && npm publish").denies("CI publishes");
    // A project that a link leads to is the same project.
    machine.link(machine.path("project"), "link");
    write(&machine, "link", "link/api/migrations/1.sql").denies("Migrations are generated.");
    write(&machine, "link", "project/api/migrations/1.sql").denies("Migrations are generated.");
    write(&machine, "project", "link/api/migrations/1.sql").denies("Migrations are generated.");
    let reply = write(&machine, "link", "project/migrations/1.sql");
    reply.is_silent();
}

#[test]
fn a_link_that_the_call_makes_may_lead_to_a_policy() {
    let machine = monorepo(root_policy(), API);
    machine.write("project/packages/web/.rules/web.rules", API).write("project/packages/web/src/a", "a");
    for (command, asks) in [
        ("ln -s api x && cd x && npm publish", true),
        ("ln -s api x && cd x/src && npm publish", true),
        ("ln -s api x; npm --prefix x publish", true),
        ("ln -s ../api ui/x && cd ui/x && npm publish", true),
        ("ln -s packages x && cd x/web && npm publish", true),
        ("ln -s packages x && echo x > x/web/migrations/1.sql", true),
        ("cp -s \"$PWD/api\" x && cd x && npm publish", true),
        ("python3 -c 'import os; os.symlink(\"api\", \"x\")' && cd x && npm publish", true),
        ("ln -s ui x && cd x && npm publish", false),
        ("ln -s api x && cd ui && npm publish", false),
        ("ln -s api x && npm publish", false),
        ("cd ui && npm publish && ln -s ../api x", false),
    ] {
        let reply = bash(&machine, "project", command);
        assert_eq!(reply.decision(), if asks { "ask" } else { "" }, "{command}: {reply:?}");
    }
}

#[test]
fn a_command_that_selects_packages_may_work_in_each_that_has_the_name_of_its_directory() {
    let machine = monorepo(root_policy(), &API.replace("npm publish", "npm|pnpm|yarn|cargo|turbo *"));
    for directory in ["packages/web", "packages/@acme/db", "deep/er/still"] {
        machine.write(&format!("project/{directory}/.rules/a.rules"), &API.replace("npm publish", "npm|pnpm|yarn *"));
    }
    for (command, asks) in [
        ("pnpm --filter api publish", true),
        ("pnpm --filter=@acme/api publish", true),
        ("pnpm -F ./api publish", true),
        ("pnpm -F 'a*' publish", true),
        ("pnpm --filter \"$P\" publish", true),
        ("pnpm --filter ui publish", false),
        ("pnpm --filter web publish", true),
        ("pnpm --filter db publish", true),
        ("pnpm --filter still publish", false),
        ("pnpm --filter ./deep/er/still publish", true),
        ("pnpm -r publish", true),
        ("pnpm publish", false),
        ("pnpm --filter api exec npm publish", true),
        ("pnpm --filter ui exec npm publish", false),
        ("cd ui && pnpm --filter api publish", true),
        ("npm publish -w packages/web", true),
        ("npm publish --workspaces", true),
        ("npm publish -w ui", false),
        ("yarn workspace api publish", true),
        ("yarn workspace ui publish", false),
        ("cargo publish -p api", true),
        ("cargo publish -p api@1.0.0", true),
        ("cargo publish -p ui", false),
        ("turbo run build --filter=api", true),
        ("turbo run build --filter=ui", false),
        ("turbo run build", true),
        ("turbo run build --cwd api --filter=x", true),
        ("npm publish -w deep/er/still", true),
    ] {
        let reply = bash(&machine, "project", command);
        assert_eq!(reply.decision(), if asks { "ask" } else { "" }, "{command}: {reply:?}");
    }
    bash(&machine, "project/ui", "pnpm --filter web publish").asks("");
    // A rule about something else does not ask.
    bash(&machine, "project", "cargo test -p web").is_silent();
}

#[test]
fn a_policy_that_does_not_load_fails_for_what_is_below_it() {
    let machine = monorepo(root_policy(), "rule broken {\n");
    let reply = bash(&machine, "project", "cd api && ls");
    reply.asks("The project policy of `api` does not load");
    assert!(reply.reason().contains("api/.rules/api.rules:1"), "{reply:?}");
    bash(&machine, "project", "ls").is_silent();
    bash(&machine, "project", "cd ui && ls").is_silent();
    machine.write("project/.rules/rules.toml", "on_error = \"deny\"\n");
    bash(&machine, "project", "cd api && ls").denies("does not load");
}

#[test]
fn a_rule_that_is_met_has_the_name_of_its_directory() {
    let machine = monorepo(root_policy(), API);
    bash(&machine, "project", "cd api && npm publish").denies("");
    let log = machine.decisions();
    assert!(log.contains("\"no-publish (api)\""), "{log}");
    let explained = inside(&machine, "project", &["explain", "cd api && npm publish"]);
    assert!(explained.stdout.starts_with("PreToolUse(Bash) → deny, by no-publish (api)\n"), "{}", explained.stdout);
    assert!(explained.stdout.contains("by the policy of `api`"), "{}", explained.stdout);
    let explained = inside(&machine, "project", &["explain", "--format", "json", "cd api && npm publish"]);
    let explained: Json = serde_json::from_str(&explained.stdout).unwrap();
    assert_eq!(explained["nested"][0]["directory"], "api");
    assert_eq!(explained["decision"], "deny");
    let asked = inside(&machine, "project", &["explain", "--rule", "no-publish (api)", "cd api && npm publish"]);
    assert!(asked.stdout.contains("no-publish matches → deny"), "{asked:?}");
    // And `rules eval` decides like the hook.
    let mut payload = machine.bash("cd api && npm publish");
    payload["cwd"] = json!(machine.path("project"));
    let evaluated = machine.rules(&["eval"], &payload.to_string());
    assert!(evaluated.stdout.contains("no-publish (api)"), "{evaluated:?}");
}

#[test]
fn a_call_is_judged_as_it_was_and_as_the_session_rewrites_it() {
    let rewriting = "rule goes-to-api {\n  on PreToolUse\n  when runs \"npm run publish\"\n  \
                     rewrite tool_input.command = \"cd api && npm publish\"\n}\n";
    let machine = monorepo(rewriting, API);
    let reply = bash(&machine, "project", "npm run publish");
    reply.denies("CI publishes");
    let away = "rule leaves {\n  on PreToolUse\n  when runs \"npm publish\"\n  \
                rewrite tool_input.command = \"ls\"\n  run \"touch $CLAUDE_PROJECT_DIR/ran\"\n}\n";
    let machine = monorepo(away, API);
    let reply = bash(&machine, "project", "cd api && npm publish");
    reply.denies("CI publishes");
    assert!(reply.json["hookSpecificOutput"]["updatedInput"].is_null(), "{reply:?}");
    assert!(!machine.exists("project/ran"), "a command of a rule that does not deny runs for a denied call");
}

#[test]
fn a_session_without_a_policy_is_governed_where_it_works() {
    let machine = monorepo("", API);
    fs::remove_dir_all(machine.path("project/.rules")).unwrap();
    write(&machine, "project", "project/api/migrations/1.sql").denies("Migrations are generated.");
    bash(&machine, "project", "cd api && npm publish").denies("CI publishes");
    bash(&machine, "project", "npm publish").is_silent();
}

#[test]
fn a_policy_that_is_met_is_guarded() {
    let machine = monorepo(root_policy(), &API.replace("no-removal", "keeps").replace("\"**\"", "\"src/**\""));
    let edit = |text: &str| {
        let mut payload = machine.file("Write", "x");
        payload["tool_input"] = json!({ "file_path": machine.path("project/api/.rules/api.rules"), "content": text });
        answer(&machine, "project", payload)
    };
    edit("# gone\n").asks("which says what agents may do");
    edit("rule broken {\n").denies("would not load");
    // A policy that does not load may be repaired in several steps.
    let whole = machine.read("project/api/.rules/api.rules");
    machine.write("project/api/.rules/api.rules", "rule broken {\n");
    edit("rule less-broken {\n").asks("which says what agents may do");
    machine.write("project/api/.rules/api.rules", &whole);
    bash(&machine, "project", "echo '# gone' > api/.rules/api.rules").asks("which says what agents may do");
    bash(&machine, "project", "rm -r api/.rules").asks("which says what agents may do");
}

#[test]
fn a_change_of_a_policy_that_is_met_is_one_question() {
    let guarded = "use \"std/self-protection\"\n";
    for (root, api) in [(root_policy(), guarded), (guarded, API), (guarded, guarded)] {
        let machine = monorepo(root, api);
        let file = machine.path("project/api/.rules/api.rules");
        for command in [
            "echo '# x' > api/.rules/api.rules".to_owned(),
            "cd api && echo '# x' > .rules/api.rules".to_owned(),
            "cd ui && touch ../api/.rules/api.rules".to_owned(),
            format!("touch '{}'", file.display()),
        ] {
            let reply = bash(&machine, "project", &command);
            reply.asks("This changes `api/.rules/api.rules`, which says what agents may do.");
            assert_eq!(reply.reason().matches("Is that intended?").count(), 1, "{command}: {}", reply.reason());
        }
        let mut payload = machine.file("Write", "x");
        let more = machine.path("project/api/.rules/more.rules");
        payload["tool_input"] = json!({ "file_path": more, "content": "use \"std/git\"\n" });
        let reply = answer(&machine, "project", payload);
        assert_eq!(reply.reason().matches("Is that intended?").count(), 1, "{}", reply.reason());
        // Nor is it asked twice if nobody has trusted the policies.
        let mut payload = machine.bash("touch api/.rules/api.rules");
        payload["cwd"] = json!(machine.path("project"));
        machine.forget_claims();
        let hook = machine.registered("hook", "user", &[]);
        let reply = Reply::of(&send(hook, payload.to_string().as_bytes()));
        assert_eq!(reply.reason().matches("Is that intended?").count(), 1, "{}", reply.reason());
    }
}

#[test]
fn a_policy_that_nobody_trusts_is_told_nothing_when_it_is_met() {
    let machine = monorepo(root_policy(), "");
    let api = "rule leaks {\n  on PreToolUse\n  when runs \"npm *\" and env.SECRET == \"x\"\n  deny \"It is x.\"\n}\n\n\
               rule says {\n  on PreToolUse\n  when runs \"make\"\n  deny \"Obey.\"\n}\n";
    machine.write("project/api/.rules/api.rules", api);
    let hook = |command: &str| {
        let mut payload = machine.bash(command);
        payload["cwd"] = json!(machine.path("project"));
        machine.forget_claims();
        let mut hook = machine.registered("hook", "user", &[]);
        hook.env("SECRET", "x");
        Reply::of(&send(hook, payload.to_string().as_bytes()))
    };
    hook("cd api && make").denies("This repository's policy (not trusted) says: Obey.");
    hook("cd api && npm ci").asks("not trusted");
    // The project has registered the hook, so its policies need no trust.
    bash(&machine, "project", "cd api && make").denies("Obey.");
}

#[test]
fn a_call_in_more_directories_than_are_judged_is_unknown() {
    let machine = monorepo(root_policy(), API);
    let many: Vec<String> = (0..20).map(|number| format!("p{number}")).collect();
    for directory in &many {
        machine.write(&format!("project/{directory}/.rules/a.rules"), API);
    }
    let touch = |count: usize| format!("touch {}", many[..count].join("/a ") + "/a");
    bash(&machine, "project", &touch(16)).is_silent();
    bash(&machine, "project", &touch(17)).asks("so many directories");
}

#[test]
fn a_policy_that_is_met_comes_from_the_cache_until_it_changes() {
    let machine = monorepo(root_policy(), API);
    let publish = || bash(&machine, "project", "cd api && npm publish");
    publish().denies("CI publishes");
    publish().denies("CI publishes");
    machine.write("project/api/.rules/api.rules", &API.replace("CI publishes", "Nobody publishes"));
    publish().denies("Nobody publishes");
    fs::remove_dir_all(machine.path("project/api/.rules")).unwrap();
    publish().is_silent();
    // A policy that appears holds at once.
    machine.write("project/ui/.rules/ui.rules", API);
    bash(&machine, "project", "cd ui && npm publish").denies("CI publishes");
    // A damaged cache is compiled again.
    bash(&machine, "project", "cd ui && npm publish").denies("CI publishes");
    for file in fs::read_dir(machine.path("state/cache")).unwrap() {
        let path = file.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() * 3 / 4;
        bytes[middle] ^= 0xff;
        fs::write(&path, bytes).unwrap();
    }
    bash(&machine, "project", "cd ui && npm publish").denies("CI publishes");
}

#[test]
fn a_rule_that_wants_only_some_commands_sees_those_below_its_directory() {
    let only = "rule only-npm {\n  on PreToolUse\n  when only runs \"npm *\"\n  ask \"Only npm.\"\n}\n\n\
                rule nothing-else {\n  on PreToolUse(Bash)\n  unless only runs [\"npm *\", \"cat *\"]\n  deny \"Something else.\"\n}\n";
    let machine = monorepo(root_policy(), only);
    bash(&machine, "project", "cd api && npm ci").asks("Only npm.");
    bash(&machine, "project", "make; cd api && npm ci").asks("Only npm.");
    bash(&machine, "project", "cat api/src/a.ts").is_silent();
    bash(&machine, "project", "cd api && make").denies("Something else.");
    let explained = inside(&machine, "project", &["explain", "cd api && npm ci"]);
    assert_eq!(explained.exit, 0, "{explained:?}");
}

#[test]
fn the_commands_in_files_below_are_judged_as_in_a_session_there() {
    let machine = monorepo(root_policy(), &API.replace("rule no-publish", "@in_files\nrule no-publish"));
    let script = |file: &str| {
        let mut payload = machine.file("Write", "x");
        let content = "#!/bin/sh\nnpm publish\n";
        payload["tool_input"] = json!({ "file_path": machine.path(file), "content": content });
        answer(&machine, "project", payload)
    };
    let inside = script("project/api/release.sh");
    assert!(matches!(inside.decision(), "ask" | "deny"), "{inside:?}");
    script("project/ui/release.sh").is_silent();
}

#[test]
fn what_is_no_policy_but_has_its_name_is_reported() {
    let machine = monorepo(root_policy(), API);
    machine.write("project/ui/.rules", "no directory").link("nowhere", "project/web/.rules");
    bash(&machine, "project", "cd ui && ls").asks("does not load");
    bash(&machine, "project", "cd web && ls").asks("does not load");
}

#[test]
fn a_change_of_more_directories_than_are_listed_is_unknown_where_policies_are() {
    let machine = monorepo(root_policy(), API);
    for number in 0..2_100 {
        fs::create_dir_all(machine.path(&format!("project/big/d{}/e{number}", number % 10))).unwrap();
    }
    bash(&machine, "project", "rm -rf big").is_silent();
    machine.write("project/big/.rules/big.rules", root_policy());
    bash(&machine, "project", "rm -rf big/*").asks("so many directories");
}
