//! Facts of git compared with git itself: each text is executed in real working trees, and the decision about it with
//! the branch of each place in which something happened.

use std::fmt::Write;

use hookrules::eval::RuleOutcome;
use hookrules::facts::MachineFacts;
use serde_json::json;

use crate::kit::{Given, bash, call, judge, policy};

mod properties;
mod world;

use world::{BRANCHES, Record, World};

/// What a rule against calls on a branch is about.
#[derive(Clone, Copy, PartialEq, Debug)]
enum About {
    Writes,
    Deletes,
    /// A program and its subcommand.
    Runs(&'static str),
    /// A script, and the command that it runs.
    Script(&'static str, &'static str),
}

use About::{Deletes, Runs, Script, Writes};

/// The decision of a rule against calls on `main`, and whether the call really acts there.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Expected {
    /// Denied, and it does.
    Deny,
    /// No answer, and it does not.
    Quiet,
    /// Asked, and it does.
    AskActs,
    /// Asked, and it does not.
    AskIdle,
}

use Expected::{AskActs, AskIdle, Deny, Quiet};

/// The directory of the session, the command, and what is expected.
type Row = (&'static str, &'static str, About, Expected);

/// The rows whose decision is wrong: the text, what is wrong, and why. It must still be wrong.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "cd ../main && sh commit.sh; :",
        "pass on main, and acts there: true; NoMatch on main, and acts there: true",
        "a script that the call does not write is not read",
    ),
    (
        "rm ../main/src/a.ts; GIT_WORK_TREE=../main git checkout -q main -- src",
        "Match on topic, and acts there: false",
        "git's operands are located in its directory also if another working tree is named",
    ),
    (
        "rm ../main/src/a.ts; git --work-tree=../main checkout -q topic -- src",
        "Match on topic, and acts there: false",
        "git's operands are located in its directory also if another working tree is named",
    ),
];

impl About {
    fn test(self) -> String {
        match self {
            Writes => r#"writes like "**""#.to_owned(),
            Deletes => r#"deletes like "**""#.to_owned(),
            Runs(command) | Script(command, _) => format!("runs \"{command}\""),
        }
    }

    fn names(self, record: &Record) -> bool {
        match self {
            Writes => record.verb == "writes",
            Deletes => record.verb == "deletes",
            Runs(command) | Script(_, command) => record.verb == "runs" && record.subject == command,
        }
    }
}

/// The decisions about a call, made before it runs.
struct Judged {
    about: About,
    /// The decision of the rule against calls on `main`.
    decision: &'static str,
    /// For each branch, the results of the rule against calls there, and of the one that allows what only acts there.
    outcomes: Vec<[RuleOutcome; 2]>,
}

impl Judged {
    fn new(given: &Given, about: About) -> Self {
        let test = about.test();
        let allowed = r#"(writes like "**" or not writes like "**")"#;
        let main =
            format!("rule r {{\n  on PreToolUse\n  when {test} and git.branch == \"main\"\n  deny \"No.\"\n}}\n");
        let rules = BRANCHES.iter().map(|branch| {
            let rule = |name: &str, test: &str, effect: &str| {
                let condition = format!("{test} and git.branch == \"{branch}\"");
                format!("rule {name}-{branch} {{\n  on PreToolUse\n  when {condition}\n  {effect}\n}}\n")
            };
            rule("against", &test, "deny \"No.\"") + &rule("for", allowed, "allow")
        });
        let judged = judge(&policy(&rules.collect::<String>()), given).trace.rules;
        let outcome = |name: String| {
            let rule = judged.iter().find(|rule| rule.display_name.ends_with(&name));
            rule.map_or(RuleOutcome::NoMatch, |rule| rule.outcome.clone())
        };
        let outcomes = BRANCHES.iter().map(|branch| ["against", "for"].map(|name| outcome(format!("{name}-{branch}"))));
        let decision = judge(&policy(&main), given).verdict.decision().keyword();
        Self { about, decision, outcomes: outcomes.collect() }
    }

    /// Compares the decisions with what happened; returns what is wrong.
    fn compare(&self, expected: Expected, records: &[Record]) -> String {
        let mut wrong = String::new();
        let acts_on = |branch: &str| records.iter().any(|it| self.about.names(it) && it.branch == branch);
        let (decision, acts) = match expected {
            Deny => ("deny", true),
            Quiet => ("pass", false),
            AskActs => ("ask", true),
            AskIdle => ("ask", false),
        };
        if (self.decision, acts_on("main")) != (decision, acts) {
            writeln!(wrong, "  {} on main, and acts there: {}", self.decision, acts_on("main")).unwrap();
        }
        for (branch, [against, allowing]) in BRANCHES.iter().zip(&self.outcomes) {
            let is_wrong = match against {
                RuleOutcome::Match => !acts_on(branch),
                RuleOutcome::NoMatch => acts_on(branch),
                RuleOutcome::Unknown(_) => false,
            };
            if is_wrong {
                writeln!(wrong, "  {against:?} on {branch}, and acts there: {}", acts_on(branch)).unwrap();
            }
            if *allowing == RuleOutcome::Match && records.iter().any(|record| record.branch != *branch) {
                writeln!(wrong, "  allowed on {branch}, and acts elsewhere").unwrap();
            }
        }
        wrong
    }
}

/// Compares rows with what happens when they run.
#[track_caller]
fn hold(rows: &[Row]) {
    let world = World::new();
    let mut wrong = String::new();
    for (directory, text, about, expected) in rows {
        let run = world.text(text);
        let judged = Judged::new(&given(&world, directory, bash(&run)), *about);
        let records = world.execute(directory, &run);
        let found = judged.compare(*expected, &records);
        let known = KNOWN.iter().find(|(known, ..)| known == text);
        let is_known = known.map_or("", |(_, what, _)| what) == found.trim().replace("\n  ", "; ");
        if !is_known {
            writeln!(wrong, "{directory}: {text}: {expected:?} expected, known: {known:?}\n{found}").unwrap();
            records.iter().for_each(|record| writeln!(wrong, "    {record:?}").unwrap());
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Returns a call of a session that works in a directory, with the facts of this machine.
fn given(world: &World, directory: &str, call: Given) -> Given {
    let directory = world.path(directory);
    call.set(json!({ "cwd": directory })).with(MachineFacts::new(Some(directory)))
}

#[test]
fn a_redirection_writes_on_the_branch_of_its_file() {
    hold(&[
        ("main", "echo x > new", Writes, Deny),
        ("topic", "echo x > new", Writes, Quiet),
        ("topic", "echo x > ../main/src/a.ts", Writes, Deny),
        ("main", "echo x > ../topic/src/a.ts", Writes, Quiet),
        ("topic", "cd ../main && echo x > src/a.ts", Writes, Deny),
        ("main", "cd ../topic && echo x > src/a.ts", Writes, Quiet),
        ("topic", "echo x > {root}/main/new", Writes, Deny),
        ("main", "echo x > {root}/topic/new", Writes, Quiet),
        ("main", "cd {root}/topic/src && echo x > ../../main/new", Writes, Deny),
        ("topic", "echo x > new; echo y >> ../main/new", Writes, Deny),
        ("main", "cat < src/a.ts > ../topic/new", Writes, Quiet),
        ("main", "cat > ../topic/new <<END\ntext\nEND", Writes, Quiet),
        ("topic", "cd ../main; cd -; echo x > new", Writes, Quiet),
        ("topic", "cd ../main && cd src && cd - > /dev/null && echo x > new", Writes, Deny),
        ("topic", "pushd ../main > /dev/null; echo x > new; popd", Writes, Deny),
        ("topic", "pushd ../main > /dev/null; popd > /dev/null; echo x > new", Writes, Quiet),
        ("topic", "exec 3> ../main/new; echo x >&3", Writes, Deny),
        ("main", "{ echo x; echo y; } > ../topic/new", Writes, Quiet),
        ("topic", "echo x | tee ../main/new > /dev/null", Writes, Deny),
        ("main", "echo x | tee -a ../topic/src/a.ts ../clone/new > /dev/null", Writes, Deny),
        ("plain", "echo x > ../main/new", Writes, Deny),
        ("plain", "echo x | tee new", Writes, Quiet),
        ("main", "echo x | tee ../plain/new", Writes, Deny),
        ("topic", "echo x | tee ../plain/new", Writes, Quiet),
    ]);
}

#[test]
fn files_are_copied_moved_and_removed_on_the_branch_of_each() {
    hold(&[
        ("main", "cp src/a.ts ../topic/b.ts", Writes, Quiet),
        ("topic", "cp src/a.ts ../main/b.ts", Writes, Deny),
        ("topic", "cp -r src ../main/copy", Writes, Deny),
        ("main", "cp -t ../topic src/a.ts commit.sh", Writes, Quiet),
        ("main", "mv src/a.ts ../topic/b.ts", Deletes, Deny),
        ("topic", "mv src/a.ts ../main/b.ts", Deletes, Quiet),
        ("topic", "mv src/a.ts ../main/b.ts", Writes, Deny),
        ("main", "rm ../topic/src/a.ts", Deletes, Quiet),
        ("topic", "rm -rf ../main/src", Deletes, Deny),
        ("topic", "touch ../main/new", Writes, Deny),
        ("main", "mkdir -p ../topic/a/b", Writes, Quiet),
        ("topic", "mkdir -p ../main/a/b", Writes, Deny),
        ("main", "sed -i s/a/b/ ../topic/src/a.ts", Writes, Quiet),
        ("topic", "sed -i s/a/b/ ../main/src/a.ts", Writes, Deny),
        ("topic", "find ../main/src -name '*.ts' -exec sed -i s/a/b/ {} +", Writes, Deny),
        ("main", "find ../topic/src -name '*.ts' -exec sed -i s/a/b/ {} ';'", Writes, AskIdle),
        ("main", "find ../topic/src -name '*.ts' -exec touch ../topic/new ';'", Writes, Quiet),
        ("topic", "find ../main/src -name '*.ts' -delete", Deletes, Deny),
        ("topic", "echo ../main/new | xargs touch", Writes, Deny),
        ("main", "echo ../topic/new | xargs touch", Writes, Quiet),
        ("main", "ls ../topic/src/*.ts | xargs sed -i s/a/b/", Writes, AskIdle),
        ("topic", "for file in ../main/src/*.ts; do sed -i s/a/b/ \"$file\"; done", Writes, Deny),
        ("main", "for tree in ../topic inner; do touch \"$tree/new\"; done", Writes, Quiet),
        ("topic", "for tree in ../topic ../main; do touch \"$tree/new\"; done", Writes, Deny),
        ("topic", "touch ../{topic,main}/new", Writes, Deny),
    ]);
}

#[test]
fn a_link_leads_to_the_branch_where_it_ends() {
    hold(&[
        ("main", "echo x > to-topic/new", Writes, Quiet),
        ("topic", "echo x > to-main/new", Writes, Deny),
        ("main", "cd to-topic && git commit -qm x", Runs("git commit"), Quiet),
        ("topic", "cd to-main && git commit -qm x", Runs("git commit"), Deny),
        ("plain", "git -C to-main commit -qm x", Runs("git commit"), Deny),
        ("topic", "cd to-main/.. && touch new", Writes, Quiet),
        ("plain", "cd -P to-main/.. && touch main/new", Writes, AskActs),
    ]);
}

#[test]
fn git_works_on_the_branch_of_its_directory() {
    const COMMIT: About = Runs("git commit");
    const SCRIPT: About = Script("commit.sh", "git commit");
    hold(&[
        ("main", "git commit -qm x", COMMIT, Deny),
        ("topic", "git commit -qm x", COMMIT, Quiet),
        ("main", "git -C ../topic commit -qm x", COMMIT, Quiet),
        ("topic", "git -C ../main commit -qm x", COMMIT, Deny),
        ("topic", "git -C .. -C main commit -qm x", COMMIT, Deny),
        ("topic", "git -C ../main/src commit -qm x", COMMIT, Deny),
        ("main", "(cd ../topic; git commit -qm x)", COMMIT, Quiet),
        ("main", "(cd ../topic); git commit -qm x", COMMIT, Deny),
        ("topic", "{ cd ../main; git commit -qm x; }", COMMIT, Deny),
        ("topic", "{ cd ../main; }; git commit -qm x", COMMIT, Deny),
        ("main", "env -C ../topic git commit -qm x", COMMIT, Quiet),
        ("topic", "env -C ../main git commit -qm x", COMMIT, Deny),
        ("topic", "bash -c 'cd ../main && git commit -qm x'", COMMIT, Deny),
        ("main", "sh -c 'cd ../topic && git commit -qm x'", COMMIT, Quiet),
        ("main", "cd ../topic && bash commit.sh", SCRIPT, Quiet),
        ("topic", "cd ../main && sh commit.sh", SCRIPT, Deny),
        ("topic", "cd ../main && . ./commit.sh", SCRIPT, AskActs),
        ("topic", "sh ../main/commit.sh", SCRIPT, Quiet),
        // The commands in a script are read if the call writes it.
        ("topic", "echo 'git commit -qm x' > s.sh; cd ../main && sh ../topic/s.sh", COMMIT, Deny),
        ("main", "echo 'git commit -qm x' > s.sh; cd ../topic && sh ../main/s.sh", COMMIT, Quiet),
        ("topic", "cd ../main && sh commit.sh; :", COMMIT, Deny),
        ("topic", "f() { cd ../main; git commit -qm x; }; f", COMMIT, Deny),
        ("main", "f() { git commit -qm x; }; cd ../topic; f", COMMIT, Quiet),
        ("main", "f() ( cd ../topic; ); f; git commit -qm x", COMMIT, Deny),
        ("topic", "if cd ../main; then git commit -qm x; fi", COMMIT, Deny),
        ("topic", "cd ../nowhere || cd ../main; git commit -qm x", COMMIT, AskActs),
        ("main", "while cd ../topic; do git commit -qm x; break; done", COMMIT, AskIdle),
        ("topic", "for tree in ../main; do git -C \"$tree\" commit -qm x; done", COMMIT, Deny),
        ("topic", "tree=../main; git -C \"$tree\" commit -qm x", COMMIT, Deny),
        ("topic", "eval 'cd ../main; git commit -qm x'", COMMIT, Deny),
        ("topic", "echo ../main | xargs -I{} git -C {} commit -qm x", COMMIT, Deny),
        ("topic", "find ../main -maxdepth 0 -exec git -C {} commit -qm x ';'", COMMIT, AskActs),
        ("main", "cd src && cd \"$(git rev-parse --show-toplevel)\" && git commit -qm x", COMMIT, Deny),
        ("topic", "cd \"$(git rev-parse --show-toplevel)\" && git commit -qm x", COMMIT, Quiet),
        ("topic", "cd \"$(git -C ../main/src rev-parse --show-toplevel)\" && git commit -qm x", COMMIT, Deny),
        ("main", "root=$(git rev-parse --show-toplevel); cd ..; git -C \"$root\" commit -qm x", COMMIT, Deny),
        ("main", "cd \"$(git rev-parse --show-toplevel)/../topic\" && git commit -qm x", COMMIT, AskIdle),
        ("topic", "git -C \"$(git rev-parse --show-toplevel)/../main\" commit -qm x", COMMIT, AskActs),
        ("topic", "cd \"$(git rev-parse --show-toplevel)\" && git -C ../main commit -qm x", COMMIT, AskActs),
        ("main", "cd \"$(git rev-parse --show-toplevel)\" && git -C {root}/topic commit -qm x", COMMIT, Quiet),
        ("plain", "cd \"$(git rev-parse --show-toplevel)\"; git -C ../main commit -qm x", COMMIT, AskActs),
        (
            "topic",
            "git init -q -b main n; cd n; cd \"$(git rev-parse --show-toplevel)\"; git commit -qm x",
            COMMIT,
            AskActs,
        ),
        (
            "main",
            "git checkout -q -b x && cd \"$(git rev-parse --show-toplevel)\" && git commit -qm x",
            COMMIT,
            AskIdle,
        ),
        (
            "topic",
            "git checkout -q -b x; cd \"$(git -C ../main rev-parse --show-toplevel)\"; git commit -qm x",
            COMMIT,
            AskActs,
        ),
        ("topic", "CDPATH=.. ; cd main > /dev/null && git commit -qm x", COMMIT, AskActs),
        ("topic", "git commit -qm x; git -C ../main commit -qm y", COMMIT, Deny),
        ("topic", "git commit -qm x & git -C ../main commit -qm y; wait", COMMIT, Deny),
        ("topic", "git -C ../main status; git commit -qm x", COMMIT, Quiet),
        ("plain", "git commit -qm x", COMMIT, Quiet),
        ("main", "cd ../plain && git -C ../clone commit -qm x", COMMIT, Deny),
    ]);
}

#[test]
fn a_repository_that_is_named_otherwise_is_found_or_unknown() {
    const COMMIT: About = Runs("git commit");
    hold(&[
        ("topic", "GIT_DIR=../main/.git git commit -qm x", COMMIT, AskActs),
        ("main", "GIT_DIR=../topic/.git git commit -qm x", COMMIT, AskIdle),
        ("topic", "export GIT_DIR=../main/.git; git commit -qm x", COMMIT, AskActs),
        ("topic", "git --git-dir=../main/.git --work-tree=../main commit -qm x", COMMIT, AskActs),
        ("topic", "git --git-dir ../main/.git commit -qm x", COMMIT, AskActs),
        ("main", "git --work-tree=../topic commit -qm x", COMMIT, AskActs),
        ("topic", "git -C \"$NOT_SET../main\" commit -qm x", COMMIT, AskActs),
        ("plain", "git -C ../bare.git push . main:copy", Runs("git push"), Deny),
        ("plain", "cd ../bare.git && git push . main:copy", Runs("git push"), Deny),
        ("main", "git -C ../detached commit -qm x", COMMIT, Quiet),
        ("detached", "git commit -qm x; touch ../main/new", COMMIT, Quiet),
        ("main", "git -C nested commit -qm x", COMMIT, Quiet),
        ("main", "cd module && git commit -qm x", COMMIT, Quiet),
        ("main/module", "git -C .. commit -qm x", COMMIT, Deny),
        ("main", "touch nested/new module/new inner/new", Writes, Quiet),
        ("main/nested", "touch ../src/new", Writes, Deny),
        ("main/inner", "touch ../new", Writes, Deny),
        ("main", "touch .git/../inner/new", Writes, Quiet),
        ("main", "git submodule --quiet foreach 'touch new'", Writes, AskIdle),
    ]);
}

#[test]
fn a_branch_that_the_call_checks_out_counts_from_there() {
    const COMMIT: About = Runs("git commit");
    hold(&[
        ("topic", "git checkout -q -b x && git commit -qm x", COMMIT, Quiet),
        ("main", "git checkout -q -b x && git commit -qm x", COMMIT, Quiet),
        ("main", "git switch -q -c x; git commit -qm x", COMMIT, AskIdle),
        ("main", "git switch -q other && git commit -qm x", COMMIT, Quiet),
        ("topic", "cd ../main && git checkout -q -b x && git commit -qm x", COMMIT, Quiet),
        ("main", "cd ../topic && git checkout -q -b x && cd - && git commit -qm x", COMMIT, AskActs),
        ("main", "git commit -q --allow-empty -m x && git checkout -q -b x", COMMIT, Deny),
        ("main", "git checkout -q other && git checkout -q main && git commit -qm x", COMMIT, AskActs),
        ("main", "git checkout -q -b x && echo x > new", Writes, Quiet),
        ("main", "git checkout -q -b \"x$$\" && git commit -qm x", COMMIT, AskIdle),
        ("topic", "git -C ../main checkout -q -b x && git -C ../main commit -qm x", COMMIT, Quiet),
        ("clone", "git checkout -q -b x && git -C ../main commit -qm x", COMMIT, AskActs),
        ("main", "git worktree add -q -b n ../n && cd ../n && git commit -qm x", COMMIT, AskIdle),
        ("topic", "git init -q -b main ../n && cd ../n && git commit -qm x", COMMIT, AskActs),
        ("topic", "git clone -q ../bare.git ../n && git -C ../n commit -qm x", COMMIT, AskActs),
        ("topic", "ln -s ../main l && cd l && git commit -qm x", COMMIT, AskActs),
        ("main", "git branch -m renamed && git commit -qm x", COMMIT, AskIdle),
        ("topic", "git symbolic-ref HEAD refs/heads/other && git commit -qm x", COMMIT, AskIdle),
    ]);
}

#[test]
fn other_programs_work_on_the_branch_of_their_directory() {
    const PUSH: About = Runs("git push");
    hold(&[
        ("main", "(cd ../topic; git push -q origin HEAD)", PUSH, Quiet),
        ("topic", "(cd ../main; git push -q origin HEAD:x)", PUSH, Deny),
        ("main", "npm --prefix ../topic publish", Runs("npm"), Quiet),
        ("topic", "npm --prefix=../main publish", Runs("npm"), Deny),
        ("topic", "npm -C ../main publish", Runs("npm"), Deny),
        ("main", "make -C ../topic all", Runs("make"), Quiet),
        ("topic", "make -C ../main all", Runs("make"), Deny),
        ("topic", "make --directory=../main all", Runs("make"), Deny),
        ("topic", "env -C ../main make", Runs("make"), Deny),
        ("topic", "cd ../main && env A=b timeout 5 nice make", Runs("make"), Deny),
    ]);
}

#[test]
fn a_tool_writes_on_the_branch_of_its_file() {
    let world = World::new();
    let mut wrong = String::new();
    for (directory, file, expected) in [
        ("main", "src/a.ts", Deny),
        ("topic", "src/a.ts", Quiet),
        ("main", "../topic/src/a.ts", Quiet),
        ("topic", "../main/new/deep/a.ts", Deny),
        ("topic", "{root}/main/src/a.ts", Deny),
        ("main", "{root}/topic/src/a.ts", Quiet),
        ("main", "{root}/clone/src/a.ts", Deny),
        ("topic", "to-main/src/a.ts", Deny),
        ("main", "to-topic/src/a.ts", Quiet),
        ("main", "nested/a", Quiet),
        ("main", "module/a", Quiet),
        ("main", "inner/a", Quiet),
        ("main/nested", "../a", Deny),
        ("plain", "a", Quiet),
        ("detached", "src/a.ts", Quiet),
        ("plain", "to-main/a", Deny),
    ] {
        let file = file.replace("{root}", world.path("").to_str().unwrap().trim_end_matches('/'));
        for (tool, input) in [
            ("Write", json!({ "file_path": file, "content": "x" })),
            ("Edit", json!({ "file_path": file, "old_string": "a", "new_string": "b" })),
            ("MultiEdit", json!({ "file_path": file, "edits": [{ "old_string": "a", "new_string": "b" }] })),
        ] {
            let judged = Judged::new(&given(&world, directory, call(tool, input)), Writes);
            let records = world.write(directory, &file);
            let found = judged.compare(expected, &records);
            if !found.is_empty() {
                writeln!(wrong, "{directory}: {tool} {file}: {expected:?} expected\n{found}  {records:?}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_shell_enters_a_directory_in_many_ways() {
    const COMMIT: About = Runs("git commit");
    hold(&[
        ("topic", "cd ../topic/../main/. && command git commit -qm x", COMMIT, Deny),
        ("topic", "cd ../main\n! git commit -qm x", COMMIT, Deny),
        ("topic", "cd ../main & git commit -qm x; wait", COMMIT, Quiet),
        ("topic", "cd ../main | git commit -qm x", COMMIT, Quiet),
        ("topic", "true || cd ../main; git commit -qm x", COMMIT, Quiet),
        ("topic", "false && cd ../main; git commit -qm x", COMMIT, AskIdle),
        ("topic", "HOME=../main; cd; git commit -qm x", COMMIT, Deny),
        ("topic", "OLDPWD=../main; cd - > /dev/null; git commit -qm x", COMMIT, Deny),
        ("topic", "cd ../main; cd \"$OLDPWD\"; git commit -qm x", COMMIT, Quiet),
        ("topic", "cd \"$PWD/../main\" && git commit -qm x", COMMIT, Deny),
        ("topic", "trap 'git -C ../main commit -qm x' EXIT", COMMIT, Deny),
        ("topic", "case a in a) cd ../main;; esac; git commit -qm x", COMMIT, AskActs),
        ("topic", "bash <<END\ncd ../main\ngit commit -qm x\nEND", COMMIT, Deny),
        ("topic", "echo $(cd ../main; git commit -qm x)", COMMIT, Deny),
        ("topic", "echo `cd ../main; git commit -qm x`", COMMIT, Deny),
        ("topic", "cat <(cd ../main; git commit -qm x)", COMMIT, Deny),
        ("topic", "printf ../main | xargs -I{} sh -c 'cd {} && git commit -qm x'", COMMIT, Deny),
        ("topic", "find ../main -maxdepth 1 -name src -execdir git commit -qm x ';'", COMMIT, AskActs),
        ("topic", "env GIT_DIR=../main/.git git commit -qm x", COMMIT, AskActs),
        ("topic", "GIT_COMMON_DIR=../main/.git git commit -qm x", COMMIT, Quiet),
        ("topic", "git -c alias.c=commit -C ../main c -qm x", Runs("git c"), Deny),
        ("topic", "exec git -C ../main commit -qm x", COMMIT, Deny),
        ("topic", "coproc git -C ../main commit -qm x; wait", COMMIT, Deny),
        ("topic", "d=main; until cd ../$d; do :; done; git commit -qm x", COMMIT, AskActs),
        ("topic", "[ -d ../main ] && cd ../main && git commit -qm x", COMMIT, Deny),
        ("topic", "tree() { echo ../main; }; git -C \"$(tree)\" commit -qm x", COMMIT, Deny),
        ("topic", "read tree <<< ../main; git -C \"$tree\" commit -qm x", COMMIT, Deny),
        ("topic", "set -- ../main; git -C \"$1\" commit -qm x", COMMIT, Deny),
        ("topic", "trees=(../topic ../main); cd \"${trees[1]}\"; git commit -qm x", COMMIT, Deny),
    ]);
}

#[test]
fn a_working_tree_that_the_call_changes_is_unknown() {
    const COMMIT: About = Runs("git commit");
    hold(&[
        ("topic", "ln -s ../main l && echo x > l/new", Writes, AskActs),
        ("topic", "mv ../main ../m && cd ../m && git commit -qm x", COMMIT, AskActs),
        ("plain", "mv ../topic ../t; mv ../main ../topic; git -C ../topic commit -qm x", COMMIT, AskActs),
        ("topic", "cp -r ../main copy; git -C copy commit -qm x", COMMIT, AskActs),
        ("main", "echo 'ref: refs/heads/x' > .git/HEAD && git commit -qm x", COMMIT, AskIdle),
        ("main", "git -C nested commit -qm x; rm -rf nested/.git; git -C nested commit -qm x", COMMIT, AskActs),
        ("main", "rm -rf nested/.git; echo x > nested/new", Writes, AskActs),
        ("main", "git worktree move ../topic ../t && git -C ../t commit -qm x", COMMIT, AskIdle),
        ("main/nested", "mv .git .g; git commit -qm x", COMMIT, AskActs),
        ("plain", "rm -rf ../topic; cp -r ../main ../topic; git -C ../topic commit -qm x", COMMIT, AskActs),
        ("main", "rm -rf nested/*; git commit -qm x", COMMIT, Deny),
        ("main", "rm -rf *; git -C ../topic commit -qm x", COMMIT, Quiet),
        ("topic", "rm -rf src; mv commit.sh c.sh; git commit -qm x", COMMIT, Quiet),
        ("topic", "rm -rf *; git commit -qm x", COMMIT, Quiet),
        ("topic", "git init -q -b main n; echo x > n/new", Writes, AskActs),
        ("topic", "rm .git && git init -q -b main && git commit -qm x", COMMIT, AskActs),
        ("topic", "git checkout -q --ignore-other-worktrees main && git commit -qm x", COMMIT, AskActs),
        ("topic", "git -C ../main checkout -q other && echo x > ../main/new", Writes, Deny),
    ]);
}

#[test]
fn git_that_is_sent_to_its_own_directory_changes_no_other_repository() {
    hold(&[("main", "git -C . fetch -q", Writes, Quiet), ("main", "git -C . branch --show-current", Writes, Quiet)]);
}

#[test]
fn git_that_only_looks_into_a_repository_writes_nothing_there() {
    hold(&[
        ("main", "git -C module fetch -q", Writes, Quiet),
        ("topic", "git -C ../main fetch -q origin", Writes, Quiet),
        ("topic", "git -C ../main remote -v", Writes, Quiet),
        ("topic", "git -C ../main branch -a", Writes, Quiet),
        ("topic", "git -C ../main stash list", Writes, Quiet),
    ]);
    let world = World::new();
    let on_main =
        "rule r {\n  on PreToolUse\n  when writes like \"**\" and git.branch == \"main\"\n  deny \"No.\"\n}\n";
    for (directory, text, expected) in [
        ("main", "git -C nested commit -qm x", "pass"),
        ("main", "git -C module config user.name x", "pass"),
        ("main", "git -C src commit -qm x", "deny"),
        ("topic", "git -C ../main commit -qm x", "deny"),
    ] {
        let judged = judge(&policy(on_main), &given(&world, directory, bash(text)));
        assert_eq!(judged.verdict.decision().keyword(), expected, "{directory}: {text}");
    }
}

#[test]
fn programs_write_on_the_branch_of_the_files_that_they_name() {
    hold(&[
        ("topic", "git -C ../main rm -q src/a.ts", Deletes, Deny),
        ("main", "git -C ../topic mv src/a.ts src/b.ts", Writes, Quiet),
        ("topic", "git -C ../main mv src/a.ts src/b.ts", Writes, Deny),
        ("topic", "rm ../main/src/a.ts; GIT_WORK_TREE=../main git checkout -q main -- src", Writes, Deny),
        ("topic", "rm ../main/src/a.ts; git --work-tree=../main checkout -q topic -- src", Writes, Deny),
        ("topic", "dd if=src/a.ts of=../main/new 2> /dev/null", Writes, Deny),
        ("main", "sort -o ../topic/new src/a.ts", Writes, Quiet),
        ("topic", "sort -o ../main/new src/a.ts", Writes, Deny),
        ("topic", "split -l 1 src/a.ts ../main/part", Writes, Deny),
        ("topic", "truncate -s 3 ../main/new", Writes, Deny),
        ("topic", "install -m 600 src/a.ts ../main/new", Writes, Deny),
        ("topic", "ln -s a.ts ../main/src/l", Writes, Deny),
        ("main", "ln src/a.ts ../topic/l", Writes, Quiet),
        ("topic", "tar cf - src | tar xf - -C ../main/nested", Writes, Quiet),
        ("topic", "tar cf ../main/new src", Writes, Deny),
        ("topic", "awk '{ print > \"../main/new\" }' src/a.ts", Writes, Deny),
        ("topic", "sed -n 'w ../main/new' src/a.ts", Writes, Deny),
        ("topic", "mkdir ../main/a && rmdir ../main/a", Writes, Deny),
        ("main", "cd ../topic && { echo x; cd ../main; echo y > new; } > new", Writes, Deny),
        ("main", "cd ../topic && > new", Writes, Quiet),
        ("main", "cd ../topic && echo x > \"$PWD/new\"", Writes, Quiet),
        ("topic", "echo x > ../main/$(date +%Y)", Writes, Deny),
        ("topic", "echo x > \"$(git rev-parse --show-toplevel)/new\"", Writes, Quiet),
        ("main", "echo x > \"$(git rev-parse --show-toplevel)/new\"", Writes, Deny),
        ("topic", "echo x > \"$(git -C ../main rev-parse --show-toplevel)/new\"", Writes, Deny),
        ("topic", "cd \"$(git rev-parse --show-toplevel)\" && echo x > ../main/new", Writes, Deny),
        ("main", "cd \"$(git rev-parse --show-toplevel)\" && env -C ../topic touch new", Writes, AskIdle),
        ("topic", "cd \"$(git rev-parse --show-toplevel)\" && env -C ../main touch new", Writes, AskActs),
    ]);
}
