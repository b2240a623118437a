//! The meaning of exit codes, `on_fail`, `output` and attempts, and law 7.

use std::fs::Permissions;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;

use super::*;

#[test]
fn success_says_nothing_unless_its_output_is_context() {
    check(Event::PreToolUse, sh("echo out; echo err >&2"), "");
    check(Event::Stop, sh("echo out"), "");
    check(Event::UserPromptSubmit, sh("echo out; echo err >&2"), "r context: out");
    check(Event::SessionStart, sh("echo out"), "r context: out");
    check(
        Event::PostToolUse,
        Run { options: RunOptions { output: OutputKind::Context, ..PLAIN }, ..sh("echo out") },
        "r context: out",
    );
    check(Event::UserPromptSubmit, sh("true"), "");
}

#[test]
fn exit_code_2_denies_where_the_event_can_be_denied() {
    check(Event::PreToolUse, sh("echo out; echo no >&2; exit 2"), "r deny: no");
    check(Event::UserPromptSubmit, sh("echo out; echo no >&2; exit 2"), "r deny: no");
    check(Event::Stop, sh("echo no >&2; exit 2"), "r deny: no");
    check(Event::PostToolUse, sh("echo no >&2; exit 2"), "r context: no");
    check(Event::SessionEnd, sh("echo no >&2; exit 2"), "r warn: no");
    check(Event::PreToolUse, sh("exit 2"), "r deny: `check` refused");
    check(Event::WorktreeCreate, sh("exit 2"), "r deny: `check` refused");
    check(Event::PreToolUse, Run { message: Some("M".to_owned()), ..sh("echo no >&2; exit 2") }, "r deny: M\nno");
}

#[test]
fn exit_code_2_without_a_word_is_a_failure_where_nothing_is_refused() {
    let failed = "`check` failed with exit code 2";
    check(Event::SubagentStart, sh("exit 2"), &format!("r context: {failed}"));
    check(Event::PostToolUse, sh("exit 2"), &format!("r context: {failed}"));
    check(Event::SessionEnd, sh("exit 2"), &format!("r warn: {failed}"));
    check(Event::SubagentStop, sh("exit 2"), &format!("r warn: {failed}"));
    // A script that prints `block` refuses, even if the event cannot be denied.
    check(Event::PostToolUse, hook(r#"printf '{"decision":"block"}'"#), "r context: `check` refused");
}

#[test]
fn any_other_exit_code_is_shown_to_the_user() {
    check(Event::PreToolUse, sh("echo out; echo bad >&2; exit 1"), "r warn: bad");
    check(Event::Stop, sh("exit 7"), "r warn: `check` failed with exit code 7");
    check(Event::PostToolUse, Run { message: Some("M".to_owned()), ..sh("exit 1") }, "r warn: M");
}

#[test]
fn on_fail_takes_the_place_of_the_contract() {
    let script = "echo out; echo err >&2; exit 2";
    check(Event::PreToolUse, on_fail(OnFail::Ignore, sh(script)), "");
    check(Event::PreToolUse, on_fail(OnFail::Warn, sh(script)), "r warn: `check` failed with exit code 2\nout\nerr");
    check(Event::PreToolUse, on_fail(OnFail::Ask, sh(script)), "r ask: `check` failed with exit code 2\nout\nerr");
    check(Event::Stop, on_fail(OnFail::Ask, sh(script)), "r warn: `check` failed with exit code 2\nout\nerr");
    check(
        Event::PostToolUse,
        on_fail(OnFail::Context, sh(script)),
        "r context: `check` failed with exit code 2\nout\nerr",
    );
    let message = Some("Tests fail.".to_owned());
    check(Event::Stop, on_fail(OnFail::Deny, Run { message, ..sh("echo out; exit 1") }), "r deny: Tests fail.\nout");
}

#[test]
#[cfg(unix)]
fn a_program_that_may_not_run_is_told_from_one_that_is_not_there() {
    let scene = Scene::new(Event::PreToolUse);
    let directory = |name: &str, mode| {
        let path = scene.project().join(name);
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("plain"), "").unwrap();
        std::fs::set_permissions(path.join("plain"), Permissions::from_mode(0o644)).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path
    };
    let (open, closed) = (directory("open", 0o755), directory("closed", 0o000));
    // The superuser can search every directory, so the test needs to know whether this one is closed.
    let is_closed = std::fs::metadata(closed.join("plain")).is_err();
    let nowhere = "program not found";
    let unseen = "program not found in those directories of PATH that may be searched";
    let table = [
        ("no-such-program-here", vec![&open], nowhere),
        ("no-such-program-here", vec![&closed, &open], if is_closed { unseen } else { nowhere }),
        ("plain", vec![&closed, &open], "the program is not executable"),
    ];
    for (program, path, expected) in table {
        let path = std::env::join_paths(path).unwrap().into_string().unwrap();
        let run = Run { env: [("PATH".to_owned(), path)].into(), ..argv(&[program]) };
        assert_eq!(said(&scene.run(run)), format!("r ask: `check` could not be started: {expected}"));
    }
    std::fs::set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[cfg(unix)]
fn a_guard_that_could_not_judge_asks() {
    check(Event::PreToolUse, argv(&["no-such-program-here"]), "r ask: `check` could not be started: program not found");
    check(
        Event::PreToolUse,
        sh("./guard.sh 2>/dev/null"),
        "r ask: `check` could not be started: program not found (exit code 127)",
    );
    check(Event::PreToolUse, sh("kill -9 $$"), "r ask: `check` was ended by signal 9");
    check(Event::PreToolUse, sh("exit 137"), "r ask: `check` was ended by signal 9 (exit code 137)");
    let slow = || Run { timeout: Duration::from_millis(100), ..sh("sleep 20") };
    check(Event::PreToolUse, slow(), "r ask: `check` did not end within 100ms");
    check(Event::PreToolUse, on_fail(OnFail::Deny, slow()), "r deny: `check` did not end within 100ms");
    check(Event::PreToolUse, on_fail(OnFail::Warn, slow()), "r warn: `check` did not end within 100ms");
    check(Event::PreToolUse, on_fail(OnFail::Ask, slow()), "r ask: `check` did not end within 100ms");
    check(Event::PreToolUse, on_fail(OnFail::Ignore, slow()), "");
    check(Event::Stop, slow(), "r warn: `check` did not end within 100ms");
    check(Event::PostToolUse, slow(), "r warn: `check` did not end within 100ms");
    check(
        Event::PreToolUse,
        Run {
            cwd: Some("gone".to_owned()),
            options: RunOptions { on_fail: Some(OnFail::Ignore), ..PLAIN },
            ..sh("true")
        },
        "",
    );
}

#[test]
fn a_missing_directory_is_named() {
    let scene = Scene::new(Event::PreToolUse);
    let verdict = scene.run(Run { cwd: Some("gone".to_owned()), ..sh("true") });
    let expected = format!(
        "r ask: `check` could not be started: there is no directory `{}`",
        crate::platform::paths::shown(&scene.project().join("gone"))
    );
    assert_eq!(said(&verdict), expected);
}

#[test]
fn a_hook_votes_by_exit_code_and_json() {
    check(Event::PreToolUse, hook("echo no >&2; exit 2"), "r deny: no");
    let block = r#"printf '{"decision":"block","reason":"no"}'"#;
    check(Event::PreToolUse, hook(block), "r deny: no");
    check(Event::PostToolUse, hook(block), "r context: no");
    let ask = r#"printf '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}'"#;
    check(Event::PreToolUse, hook(ask), "r ask: sure?");
    check(Event::Stop, hook(ask), "r warn: sure?");
    let allow = r#"printf '{"hookSpecificOutput":{"permissionDecision":"allow"},"systemMessage":"x"}'"#;
    check(Event::PreToolUse, hook(allow), "");
    check(Event::UserPromptSubmit, hook("echo plain text"), "");
}

#[test]
fn a_hook_that_crashes_or_prints_garbage_asks() {
    check(Event::PreToolUse, hook("exit 1"), "r ask: `check` failed with exit code 1");
    let verdict = Scene::new(Event::PreToolUse).run(hook(r#"printf '{"decision":"block"'"#));
    assert!(said(&verdict).starts_with("r ask: the result of `check` is unusable"), "{}", said(&verdict));
    check(Event::PreToolUse, on_fail(OnFail::Deny, hook("exit 1")), "r deny: `check` failed with exit code 1");
}

#[test]
fn output_is_shown_where_the_rule_says_so() {
    let shown = |script| Run { options: RunOptions { show_stdout: true, show_stderr: true, ..PLAIN }, ..sh(script) };
    check(Event::PreToolUse, shown("echo out; echo err >&2"), "r warn: out | r warn: err");
    check(Event::PreToolUse, shown("echo bad >&2; exit 1"), "r warn: bad");
    let lines = shown("seq 9");
    let lines = Run { options: RunOptions { max_output_lines: Some(2), ..lines.options }, ..lines };
    check(Event::SubagentStop, lines, "r warn: 1\n[7 lines left out]\n9");
}

#[test]
fn output_that_looks_like_what_is_told_is_shown_as_well() {
    let shown = |script| Run { options: RunOptions { show_stdout: true, show_stderr: true, ..PLAIN }, ..sh(script) };
    check(
        Event::SubagentStop,
        shown("echo exit code 1; exit 1"),
        "r warn: `check` failed with exit code 1 | r warn: exit code 1",
    );
    check(Event::SubagentStop, shown("printf 'a\\nb\\n'; echo b >&2"), "r warn: a\nb | r warn: b");
    let scene = Scene::new(Event::SubagentStop);
    assert_eq!(said(&scene.runs(vec![shown("echo done"), shown("echo done")])), "r warn: done | r warn: done");
    check(
        Event::PostToolUse,
        on_fail(OnFail::Warn, shown("echo out; exit 1")),
        "r warn: `check` failed with exit code 1\nout",
    );
}

#[test]
fn what_fails_is_kept_for_the_log() {
    let failures = |event: Event, run: Run| {
        let PerformedVerdict { failures, .. } =
            Scene::new(event).performed(Verdict { runs: vec![run], ..Verdict::pass(event) });
        failures.into_iter().map(|note| format!("{}: {}", note.author, note.text)).collect::<Vec<_>>()
    };
    for event in [Event::SubagentStop, Event::PostToolUse, Event::Stop] {
        assert_eq!(failures(event, sh("true")), Vec::<String>::new());
        assert_eq!(failures(event, sh("exit 3")), ["r: `check` failed with exit code 3"]);
        let quiet = on_fail(OnFail::Ignore, Run { message: Some("M".to_owned()), ..sh("exit 3") });
        assert_eq!(failures(event, quiet), ["r: `check` failed with exit code 3"]);
        let gone = "r: `check` could not be started: program not found";
        assert_eq!(failures(event, argv(&["no-such-program-here"])), [gone]);
        assert_eq!(
            failures(
                event,
                Run { options: RunOptions { background: true, ..PLAIN }, ..argv(&["no-such-program-here"]) }
            ),
            [gone]
        );
    }
    assert_eq!(failures(Event::SubagentStop, sh("exit 2")), ["r: `check` failed with exit code 2"]);
    assert_eq!(failures(Event::Stop, sh("exit 2")), Vec::<String>::new(), "it is a refusal");
}

#[test]
fn subagent_events_report_failures_and_run_everything() {
    for event in [Event::SubagentStart, Event::SubagentStop] {
        let scene = Scene::new(event);
        let verdict = scene.runs(vec![
            by("a", argv(&["no-such-program-here"])),
            by("b", sh("echo bad >&2; exit 1")),
            by("c", Run { timeout: Duration::from_millis(100), ..sh("sleep 20") }),
            by("d", sh("touch ran")),
        ]);
        assert_eq!(
            said(&verdict),
            "a warn: `check` could not be started: program not found | \
             b warn: `check` failed with exit code 1 | c warn: `check` did not end within 100ms"
        );
        assert!(scene.project().join("ran").exists());
    }
    check(Event::SubagentStart, sh("echo no >&2; exit 2"), "r context: no");
    check(Event::SubagentStop, sh("echo no >&2; exit 2"), "r warn: `check` failed with exit code 2");
    check(Event::SubagentStop, hook("echo no >&2; exit 2"), "r warn: no");
}

#[test]
fn subagent_stop_is_denied_by_on_fail_and_the_rest_still_runs() {
    let scene = Scene::new(Event::SubagentStop);
    let verdict = scene.runs(vec![by("a", on_fail(OnFail::Deny, sh("exit 1"))), by("b", sh("touch ran"))]);
    assert_eq!(said(&verdict), "a deny: `check` failed with exit code 1");
    assert!(scene.project().join("ran").exists());
    let hook = on_fail(OnFail::Deny, hook(r#"printf '{"decision":"block","reason":"no"}'"#));
    check(Event::SubagentStop, hook, "r deny: no");
}

fn denial(rule: &str, decision: Decision) -> Vote {
    Vote::from_rule(rule, decision, "no")
}

#[test]
fn a_denial_skips_the_commands_of_rules_that_did_not_vote_for_it() {
    let scene = Scene::new(Event::PreToolUse);
    scene.perform(Verdict {
        votes: vec![denial("a", Decision::Deny)],
        runs: vec![by("a", Run { denies: true, ..sh("touch a") }), by("b", sh("touch b"))],
        ..Verdict::pass(Event::PreToolUse)
    });
    assert!(scene.project().join("a").exists());
    assert!(!scene.project().join("b").exists());
}

#[test]
fn a_denial_by_the_program_skips_the_commands_of_a_rule_that_is_named_as_it_is_shown() {
    for (denial, is_run) in [(Vote::from_program(Decision::Deny, "no"), false), (denial("rules", Decision::Deny), true)]
    {
        let scene = Scene::new(Event::PreToolUse);
        scene.perform(Verdict {
            votes: vec![denial],
            runs: vec![by("rules", sh("touch ran"))],
            ..Verdict::pass(Event::PreToolUse)
        });
        assert_eq!(scene.project().join("ran").exists(), is_run);
    }
}

#[test]
fn a_command_that_denies_skips_those_after_it_except_its_own_rules() {
    let scene = Scene::new(Event::PreToolUse);
    let verdict = scene.runs(vec![
        by("a", sh("touch first")),
        by("b", sh("exit 2")),
        by("c", sh("touch c")),
        by("b", sh("touch b")),
    ]);
    assert_eq!(verdict.decision(), Decision::Deny);
    let exists = |name: &str| scene.project().join(name).exists();
    assert!(exists("first") && exists("b") && !exists("c"));
    assert_eq!(verdict.runs.len(), 4, "the commands stay in the verdict");
}

#[test]
fn a_question_skips_nothing() {
    let scene = Scene::new(Event::PreToolUse);
    scene.perform(Verdict {
        votes: vec![denial("a", Decision::Ask)],
        runs: vec![by("b", sh("touch b"))],
        ..Verdict::pass(Event::PreToolUse)
    });
    assert!(scene.project().join("b").exists());
}

/// Returns the result of a stop that is, or is not, the continuation of a refused one.
fn stop(scene: &mut Scene, active: bool, run: Run) -> String {
    scene.payload.json.insert("stop_hook_active".to_owned(), json!(active));
    said(&scene.run(run))
}

#[test]
fn a_gate_releases_after_its_attempts() {
    let mut scene = Scene::new(Event::Stop);
    let gate = || Run {
        message: Some("Tests fail.".to_owned()),
        options: RunOptions { attempts: 2, on_fail: Some(OnFail::Deny), ..PLAIN },
        ..sh("exit 1")
    };
    assert_eq!(stop(&mut scene, false, gate()), "r deny: Tests fail.");
    assert_eq!(stop(&mut scene, true, gate()), "r deny: Tests fail.");
    assert_eq!(stop(&mut scene, true, gate()), "r warn: r: not met after 2 refusals\nTests fail.");
    assert_eq!(stop(&mut scene, false, gate()), "r deny: Tests fail.", "a stop by itself begins anew");
}

/// The host sends no `stop_hook_active`.
#[test]
fn where_the_host_does_not_say_refusals_in_a_row_are_counted() {
    let mut scene = Scene::new(Event::Stop);
    let gate = || Run { options: RunOptions { attempts: 2, ..PLAIN }, ..sh("test -e met || { echo no >&2; exit 2; }") };
    let ends = |scene: &Scene| said(&scene.run(gate()));
    assert_eq!(ends(&scene), "r deny: no");
    assert_eq!(ends(&scene), "r deny: no");
    assert_eq!(ends(&scene), "r warn: r: not met after 2 refusals\nno");
    assert_eq!(ends(&scene), "r deny: no", "the stop went through, so this is another");
    std::fs::write(scene.project().join("met"), "").unwrap();
    assert_eq!(ends(&scene), "");
    std::fs::remove_file(scene.project().join("met")).unwrap();
    assert_eq!((ends(&scene), ends(&scene)), ("r deny: no".to_owned(), "r deny: no".to_owned()));
    scene.payload.event = Event::UserPromptSubmit;
    scene.runs(Vec::new());
    scene.payload.event = Event::Stop;
    assert_eq!(ends(&scene), "r deny: no", "a prompt begins anew");
}

#[test]
fn refusals_are_counted_by_rule_and_agent() {
    let mut scene = Scene::new(Event::Stop);
    let gate = |rule: &str| by(rule, Run { options: RunOptions { attempts: 1, ..PLAIN }, ..sh("echo no >&2; exit 2") });
    assert_eq!(stop(&mut scene, false, gate("a")), "a deny: no");
    assert_eq!(stop(&mut scene, true, gate("b")), "b deny: no");
    assert_eq!(stop(&mut scene, true, gate("a")), "a warn: a: not met after 1 refusal\nno");
    scene.payload.json.insert("agent_id".to_owned(), json!("../../x"));
    assert_eq!(stop(&mut scene, true, gate("a")), "a deny: no");
    scene.payload.json.insert("session_id".to_owned(), json!("s2"));
    assert_eq!(stop(&mut scene, true, gate("a")), "a deny: no");
}

#[test]
fn two_refusals_of_a_rule_at_one_stop_count_once() {
    let mut scene = Scene::new(Event::Stop);
    scene.payload.json.insert("stop_hook_active".to_owned(), json!(true));
    let gate = || Run { options: RunOptions { attempts: 2, ..PLAIN }, ..sh("exit 2") };
    let decisions: Vec<Decision> = (0..3).map(|_| scene.runs(vec![gate(), gate()]).decision()).collect();
    assert_eq!(decisions, [Decision::Deny, Decision::Deny, Decision::Pass]);
}

#[test]
fn counters_go_with_the_session() {
    let mut scene = Scene::new(Event::Stop);
    stop(&mut scene, false, sh("exit 2"));
    let counters = scene.state().join("attempts/s1");
    assert!(counters.join("main/r").is_file());
    scene.payload.event = Event::SessionEnd;
    scene.runs(Vec::new());
    assert!(!counters.exists());
}

#[test]
fn worktree_create_prints_the_path() {
    let verdict = Scene::new(Event::WorktreeCreate).run(sh("echo making; echo ' /tmp/w '; echo"));
    assert_eq!(verdict.worktree_path.as_deref(), Some("/tmp/w"));
    assert_eq!(said(&verdict), "");
    check(Event::WorktreeCreate, sh("true"), "r deny: `check` printed no path");
    check(Event::WorktreeCreate, sh("echo /tmp/w; echo no >&2; exit 1"), "r deny: `check` failed with exit code 1\nno");
}

#[test]
fn a_run_can_tell_when_it_is_done() {
    let notified = |run: Run| Run { options: RunOptions { notify: true, ..run.options }, ..run };
    let verdict = Scene::new(Event::PostToolUse)
        .runs(vec![notified(sh("true")), notified(on_fail(OnFail::Ignore, sh("exit 3")))]);
    let bodies: Vec<&str> = verdict.notifications.iter().map(|n| n.body.as_str()).collect();
    assert_eq!(bodies, ["`check` is done", "`check` failed with exit code 3"]);
}

#[test]
fn the_settings_announce_what_fails_and_what_succeeds() {
    let scene = Scene::new(Event::PostToolUse);
    let announced = |announces_failures: bool, announces_successes: bool| {
        let runs = vec![sh("true"), on_fail(OnFail::Ignore, sh("exit 3"))];
        let verdict = Verdict { runs, ..Verdict::pass(Event::PostToolUse) };
        let act = |world: &EffectEnvironment<'_>| {
            perform(verdict, &EffectEnvironment { announces_failures, announces_successes, ..*world })
        };
        let PerformedVerdict { verdict, .. } = scene.in_world(act);
        verdict.notifications.into_iter().map(|notification| notification.body).collect::<Vec<_>>()
    };
    assert_eq!(announced(false, false), Vec::<String>::new());
    assert_eq!(announced(true, false), ["`check` failed with exit code 3"]);
    assert_eq!(announced(false, true), ["`check` is done"]);
}
