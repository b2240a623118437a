//! Hooks that use a policy that an earlier hook compiled.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::json;

use crate::machine::{Machine, Reply, send};
use crate::system::file_number;

fn deny(reason: &str) -> String {
    format!("rule a {{\n  on PreToolUse(Bash)\n  when runs \"git push\"\n  deny \"{reason}\"\n}}\n")
}

/// Returns the files in the cache directory.
fn kept(machine: &Machine) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(machine.path("state/cache"))
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths
}

#[test]
fn a_second_hook_answers_as_the_first_and_writes_nothing() {
    let machine = Machine::with(&deny("No."));
    machine.hook(&machine.bash("git push")).denies("No.");
    let paths = kept(&machine);
    assert_eq!(paths.len(), 1, "{paths:?}");
    let before = fs::read(&paths[0]).unwrap();
    machine.hook(&machine.bash("git push")).denies("No.");
    machine.hook(&machine.bash("git status")).is_silent();
    assert_eq!((kept(&machine), fs::read(&paths[0]).unwrap()), (paths, before));
}

#[test]
fn a_change_is_seen_by_the_next_hook() {
    let machine = Machine::with(&deny("No."));
    machine.hook(&machine.bash("git push")).denies("No.");
    // The same length as before, written in the same second.
    machine.write("project/.rules/project.rules", &deny("On."));
    machine.hook(&machine.bash("git push")).denies("On.");
    machine.write("project/.rules/rules.toml", "on_error = \"deny\"\n");
    machine.write("project/.rules/broken.rules", "rule {");
    let reply = machine.hook(&machine.bash("ls"));
    reply.denies("does not load");
    machine.hook(&machine.bash("ls")).denies("does not load");
    fs::remove_file(machine.path("project/.rules/broken.rules")).unwrap();
    machine.hook(&machine.bash("ls")).is_silent();
    machine.hook(&machine.bash("git push")).denies("On.");
}

#[test]
fn hooks_that_begin_at_once_agree() {
    let machine = Machine::with(&deny("No."));
    let payload = machine.bash("git push").to_string();
    let replies: Vec<Reply> = std::thread::scope(|scope| {
        let hook = || Reply::of(&send(machine.hook_command(&["claude-code"]), payload.as_bytes()));
        let started: Vec<_> = (0..6).map(|_| scope.spawn(hook)).collect();
        started.into_iter().map(|hook| hook.join().unwrap()).collect()
    });
    replies.iter().for_each(|reply| reply.denies("No."));
    assert_eq!(kept(&machine).len(), 1);
}

#[test]
fn another_binary_compiles_for_itself() {
    let machine = Machine::with(&deny("No."));
    machine.hook(&machine.bash("git push")).denies("No.");
    let other = machine.path("rules");
    // `cp`, because a file that any process has open for writing cannot be executed, and a child that another test
    // starts meanwhile would inherit the descriptor from this process.
    let copied = std::process::Command::new("cp").arg(crate::system::program()).arg(&other).status().unwrap();
    assert!(copied.success());
    let hook = machine.hook_command(&["claude-code"]);
    let mut command = std::process::Command::new(&other);
    command.args(hook.get_args()).env("CLAUDE_PROJECT_DIR", machine.path("project")).stdin(Stdio::piped());
    Reply::of(&send(command, machine.bash("git push").to_string().as_bytes())).denies("No.");
    assert_eq!(kept(&machine).len(), 2);
}

#[test]
fn what_is_kept_has_a_place_of_its_own_if_it_is_named() {
    let machine = Machine::with(&deny("No."));
    let directory = machine.path("compiled");
    let directory = directory.to_str().unwrap();
    for _ in 0..2 {
        let command = machine.hook_command(&["claude-code", "--cache-dir", directory]);
        Reply::of(&send(command, machine.bash("git push").to_string().as_bytes())).denies("No.");
    }
    assert_eq!(kept(&machine).len(), 0);
    assert_eq!(fs::read_dir(directory).unwrap().count(), 1);
}

#[test]
fn a_tool_that_writes_a_compiled_policy_is_denied() {
    let machine = Machine::with(&deny("No."));
    machine.hook(&machine.file("Write", "state/cache/x.policy")).denies("only rules itself writes");
    machine.hook(&machine.file("Write", "stated/cache")).is_silent();
    machine.hook(&machine.file("Read", "state/cache/x.policy")).is_silent();
    machine.link(machine.path("state/cache"), "project/innocent");
    machine.hook(&machine.file("Write", "project/innocent/x.policy")).denies("only rules itself writes");
    let mut foreign = machine.file("Read", "state/cache/x.policy");
    foreign["tool_name"] = json!("mcp__files__write_file");
    foreign["tool_input"] = json!({ "path": machine.path("state/cache/x.policy"), "content": "x" });
    machine.hook(&foreign).denies("only rules itself writes");
    let cache = machine.in_shell("state/cache");
    for command in [format!("cp a {cache}/x.policy"), format!("cd {cache} && echo > x.policy")] {
        machine.hook(&machine.bash(&command)).denies("only rules itself writes");
    }
    for command in [format!("ls {cache}"), format!("rm -rf {cache}"), format!("cp {cache}/x.policy .")] {
        machine.hook(&machine.bash(&command)).is_silent();
    }
}

#[test]
fn where_no_policy_guards_anything_nothing_is_denied() {
    let machine = Machine::new();
    machine.hook(&machine.file("Write", "state/cache/x.policy")).is_silent();
    machine.hook(&machine.bash(&format!("cp a {}/x.policy", machine.in_shell("state/cache")))).is_silent();
    machine.write("project/.rules/a.rules", &deny("No."));
    machine.hook(&machine.file("Write", "state/cache/x.policy")).denies("only rules itself writes");
}

#[test]
fn no_way_of_writing_among_compiled_policies_is_open() {
    let machine = Machine::with(&deny("No."));
    machine.hook(&machine.bash("git push")).denies("No.");
    machine.write("project/d/cache/x.policy", "").write("project/d/other/x", "").write("other/x", "");
    machine.write("project/plain/a", "").write("project/f", "").write("state/cache/x.policy", "");
    machine.link(machine.path("state/cache"), "project/innocent").link(machine.path("state"), "project/above");
    let state = machine.in_shell("state");
    let denied = [
        format!("cp f {state}/ca\"\"che/x.policy"),
        format!("cp f {state}/c'ac'he/x.policy"),
        format!("cp f {state}/cach?/x.policy"),
        format!("cp f {state}/[a-d]ache/x.policy"),
        format!("N=cache; cp f {state}/$N/x.policy"),
        format!("shopt -s dotglob; cp f {state}/c*/new.policy"),
        "cp f innocent/x.policy".to_owned(),
        "cp f above/c\"\"ache/x.policy".to_owned(),
        "echo > above/cach?/x.policy".to_owned(),
        format!("rsync -a d/ {state}/"),
        "rsync -a d/ above/".to_owned(),
        format!("cp -r d/. {state}"),
        format!("tar xf f -C {state}"),
        format!("cd {state} && tar xf f"),
        "tar xf f -C above".to_owned(),
        format!("tar xf f -C {state}/cach?"),
        format!("chmod -R u+x {state}"),
        format!("ln -s ../../project/d {state}/c\"\"ache"),
        format!("bash -c 'cp f {state}/ca\"\"che/x'"),
    ];
    let quiet = [
        "rm -rf \"$X\"".to_owned(),
        "cp f \"$X\"".to_owned(),
        "cp f $X/x.policy".to_owned(),
        "cp -r d \"$X/cache\"".to_owned(),
        "tar xf f -C \"$X\"".to_owned(),
        "eval \"$X\"".to_owned(),
        "$P f > \"$(mktemp)\"".to_owned(),
        "tar xf f".to_owned(),
        "tar xf f -C plain".to_owned(),
        "tar xf f -C \"$(mktemp -d)\"".to_owned(),
        format!("unzip f -d {state}/.."),
        format!("mkdir -p {state}"),
        format!("touch {state}"),
        format!("touch {state}/other {state}/cached/x {state}/x?"),
        format!("rsync -a plain/ {state}/"),
        format!("cp -r d/other {state}"),
        format!("cp -r d/. {state}/log"),
        format!("tar cf x.tar {state}"),
        format!("grep -r x {state}"),
        format!("find {state} -name '*.jsonl' -exec sed -i s/a/b/ {{}} +"),
        "make -C plain && cargo build && npm install && git checkout . && git pull".to_owned(),
    ];
    let told = |command: &String| machine.hook(&machine.bash(command)).reason().contains("only rules itself writes");
    let open: Vec<&String> = denied.iter().filter(|command| !told(command)).collect();
    let loud: Vec<&String> = quiet.iter().filter(|command| told(command)).collect();
    // Whether an unknown tool accesses anything below the path that it is given would be a guess.
    let mut foreign = machine.file("Read", "state");
    foreign["tool_name"] = json!("mcp__files__list_directory");
    foreign["tool_input"] = json!({ "path": machine.path("state") });
    machine.hook(&foreign).is_silent();
    assert!(open.is_empty() && loud.is_empty(), "open: {open:#?}\nloud: {loud:#?}");
}

#[test]
fn a_record_cannot_lie_among_compiled_policies() {
    let machine = Machine::with("rule a {\n  on PreToolUse\n  record \"cache/a.jsonl\" { tool_name }\n}\n");
    machine.hook(&machine.bash("ls")).asks("does not load");
}

#[test]
fn a_session_leaves_what_is_right_and_mends_what_is_damaged() {
    let machine = Machine::with(&deny("No."));
    machine.hook(&machine.bash("git push")).denies("No.");
    let paths = kept(&machine);
    let before = fs::metadata(&paths[0]).unwrap();
    machine.hook(&machine.event("SessionStart")).is_silent();
    machine.hook(&machine.bash("git push")).denies("No.");
    let after = fs::metadata(&paths[0]).unwrap();
    assert_eq!((paths.len(), file_number(&after)), (1, file_number(&before)), "what is right stays");
    let bytes = fs::read(&paths[0]).unwrap();
    fs::write(&paths[0], [&bytes[..bytes.len() - 1], b"x"].concat()).unwrap();
    machine.hook(&machine.event("SessionStart")).is_silent();
    machine.hook(&machine.bash("git push")).denies("No.");
}
