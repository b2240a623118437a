//! The example `examples/monorepo`, with a policy at its root and one in each package. The project is its working tree
//! on `main`, next to the linked worktrees `topic` and `release`.
//!
//! The same calls have the same outcome wherever a session starts. What the host does in a monorepo:
//!
//! - It names the directory in which it is started, a package or a linked worktree, as `CLAUDE_PROJECT_DIR`. A `cd` does
//!   not change that. After a `cd` to a place outside that directory the host resets its shell.
//! - It reads the `settings.json` and `settings.local.json` in the `.claude` of that directory, and of none above it.
//!   2.1.330 and 2.1.332 also read the `settings.local.json` at the root of the main working tree, from each package and
//!   each linked worktree. 2.1.197 does not.
//! - `--worktree` starts the session at the root of the new worktree, also from a package: that is the `cwd` and
//!   `CLAUDE_PROJECT_DIR`.
//! - After EnterWorktree, and for a subagent with a worktree, only the `cwd` is the worktree: `CLAUDE_PROJECT_DIR` is
//!   still where the session started.

use serde_json::json;

use super::installations::INSTALL;
use crate::api::Turn;
use crate::case::{Case, Expect, MAIN, bash, case, edit, read, write};
use crate::host::Version;
use crate::registration::Place;

/// The prompt of a subagent.
const SUB: &str = "SUB-ONE";

const TOKENS: &str = "{root}/project/topic/packages/ui/tokens.json";

/// Returns a session in the example, in a directory relative to the root of its main working tree.
fn session(name: &'static str, directory: &'static str) -> Case {
    case(name).versions(&[Version::New]).example("monorepo").directory(directory)
}

pub(super) fn cases() -> Vec<Case> {
    [starts(), worktrees(), settings()].concat()
}

/// Returns a session with a remote repository that makes calls in several packages and worktrees. Besides their
/// outcomes, it expects this project directory, and these calls of programs that only note them.
fn start(name: &'static str, directory: &'static str, ran: &'static str) -> Case {
    let case = session(name, directory)
        .git(&["init", "--quiet", "--bare", "{root}/remote"])
        .git(&["remote", "add", "origin", "{root}/remote"])
        // `pnpm` is not among them, so it only runs if a policy allows it.
        .allowed("Bash(git *),Bash(npm *),Bash(rm *),Read,Write,Edit")
        .model([
            bash("cd {root}/project/topic/packages/api && npm publish"),
            bash("npm --prefix {root}/project/topic/packages/ui publish"),
            write("{root}/project/topic/packages/api/migrations/0002_orders.sql", "text"),
            write("{root}/project/topic/packages/api/src/orders.ts", "text"),
            write("{root}/project/main/packages/api/src/orders.ts", "text"),
            read(TOKENS),
            edit(TOKENS, "brand", "trade"),
            bash("rm -r {root}/project/topic/packages"),
            bash("git -C {root}/project/topic push origin HEAD"),
            bash("git -C {root}/project/release push origin HEAD"),
            bash("cd {root}/project/topic/packages/ui && pnpm test"),
        ]);
    case.expects([
        Expect::ProjectDirectory(directory),
        Expect::Is("../../ran", ran),
        Expect::Told(MAIN, "CI publishes this package."),
        Expect::Absent("../topic/packages/api/migrations/0002_orders.sql"),
        Expect::Told(MAIN, "migrations/0002_orders.sql` is generated."),
        Expect::Is("../topic/packages/api/src/orders.ts", "text"),
        Expect::Absent("packages/api/src/orders.ts"),
        Expect::Told(MAIN, "packages/api/src/orders.ts` on main?"),
        Expect::Holds("../topic/packages/ui/tokens.json", "brand"),
        Expect::Told(MAIN, "Change the design tokens,"),
        Expect::Made("../topic/packages/api/migrations/0001_users.sql"),
        Expect::Made("../topic/packages/ui/src/generated/icons.ts"),
        Expect::Made("../../remote/refs/heads/topic"),
        Expect::Absent("../../remote/refs/heads/release"),
        Expect::Told(MAIN, "updates a protected branch."),
    ])
}

/// Returns the sessions that start in different directories.
fn starts() -> Vec<Case> {
    let installed = |case: Case| case.place(Place::Nowhere).before(INSTALL);
    let untrusted = start(
        "packages_are_guarded_from_a_package_of_a_linked_worktree",
        "../topic/packages/ui",
        "npm --prefix topic/packages/ui publish in topic/packages/ui\n",
    );
    let marked = Expect::Told(MAIN, "policy (not trusted) says: CI publishes this package.");
    vec![
        start(
            "packages_are_guarded_from_the_root_of_a_monorepo",
            "",
            "npm --prefix topic/packages/ui publish in main\n",
        ),
        // Its policy allows the tests of the same package in each worktree.
        installed(start(
            "packages_are_guarded_from_another_package",
            "packages/ui",
            "npm --prefix topic/packages/ui publish in main/packages/ui\npnpm test in topic/packages/ui\n",
        )),
        installed(start(
            "packages_are_guarded_from_a_linked_worktree",
            "../topic",
            "npm --prefix topic/packages/ui publish in topic\n",
        )),
        // By the user's settings, nobody trusts the policy, and it allows nothing.
        Case { expects: [untrusted.expects.clone(), vec![marked]].concat(), ..untrusted }.place(Place::User),
    ]
}

/// Returns the sessions that work in a worktree that the host makes below the project.
fn worktrees() -> Vec<Case> {
    const LIST: &str = "ls packages/api/migrations packages/api/src >{root}/listed";
    let calls = || {
        [
            write("packages/api/src/orders.ts", "text"),
            write("packages/api/migrations/0002_orders.sql", "text"),
            bash("git rm pnpm-lock.yaml"),
            bash("cd packages/api && npm publish"),
            bash(LIST),
        ]
    };
    let expects = |conversation, project| {
        [
            Expect::ProjectDirectory(project),
            Expect::Told(conversation, "packages/api/migrations/0002_orders.sql` is generated."),
            Expect::Told(conversation, "pnpm writes `"),
            Expect::Told(conversation, "CI publishes this package."),
            Expect::Absent("../../ran"),
            Expect::Is(
                "../../listed",
                "packages/api/migrations:\n0001_users.sql\n\npackages/api/src:\norders.ts\nserver.ts\n",
            ),
        ]
    };
    let input =
        json!({ "description": "Do it", "prompt": SUB, "subagent_type": "general-purpose", "isolation": "worktree" });
    let [first, second, third, fourth, fifth] = calls();
    let enter = Turn::Calls(vec![("EnterWorktree", json!({ "name": "tree" }))]);
    vec![
        session("packages_are_guarded_in_a_worktree_that_the_session_starts_in", "packages/ui")
            .place(Place::Nowhere)
            .before(INSTALL)
            .options(&["--worktree", "tree"])
            .model(calls())
            .expects(expects(MAIN, ".claude/worktrees/tree")),
        session("packages_are_guarded_in_a_worktree_that_the_session_enters", "")
            .model([enter, first, second, third, fourth, fifth])
            .expects(expects(MAIN, "")),
        session("packages_are_guarded_in_a_worktree_of_a_subagent", "")
            .model([Turn::Calls(vec![("Agent", input)])])
            .model_in(SUB, calls())
            .expects(expects(SUB, "")),
    ]
}

/// Returns the cases about the settings at the root of the main working tree.
fn settings() -> Vec<Case> {
    let local = "{root}/project/main/.claude/settings.local.json";
    // In this mode the host asks nobody, so the hook has to deny.
    let shared = session("the_settings_that_register_the_hook_are_guarded_in_a_linked_worktree", "../topic")
        .place(Place::Nowhere)
        .before(INSTALL)
        .options(&["--permission-mode", "bypassPermissions"])
        .model([read(local), write(local, "{}"), bash("cd {root}/project/topic/packages/api && npm publish")])
        .expects([
            Expect::Holds(".claude/settings.local.json", "onFailure"),
            Expect::Denied("Write"),
            Expect::Absent("../../ran"),
        ]);
    // The session starts below the directory whose settings register the hook.
    let unread = session("the_settings_at_the_root_of_a_monorepo_guard_no_session_in_a_package", "packages/ui")
        .model([write("src/generated/arrows.ts", "text"), bash("npm publish")])
        .expects([
            Expect::ProjectDirectory("packages/ui"),
            Expect::Is("packages/ui/src/generated/arrows.ts", "text"),
            Expect::Is("../../ran", "npm publish in main/packages/ui\n"),
        ]);
    vec![shared, unread]
}
