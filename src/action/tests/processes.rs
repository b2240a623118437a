//! Streams, process groups, environment, directories.

use super::*;

#[test]
fn a_script_gets_its_values_as_parameters() {
    let nasty = vec!["$(touch pwned)".to_owned(), "'; \"x\n".to_owned()];
    let command = Command::Shell { script: "printf '%s|' \"$0\" \"${1}\" \"${2}\"".to_owned(), parameters: nasty };
    let scene = Scene::new(Event::UserPromptSubmit);
    let verdict = scene.run(Run { command, ..sh("") });
    assert_eq!(said(&verdict), "r context: rules|$(touch pwned)|'; \"x\n|");
}

#[test]
fn the_payload_is_on_standard_input() {
    let scene = Scene::new(Event::UserPromptSubmit);
    let verdict = scene.run(sh("cat"));
    assert_eq!(said(&verdict), format!("r context: {}", String::from_utf8_lossy(&scene.stdin)));
    check(
        Event::UserPromptSubmit,
        Run { options: RunOptions { stdin: Stdin::None, ..PLAIN }, ..sh("cat; echo end") },
        "r context: end",
    );
}

#[test]
#[cfg(unix)]
fn a_payload_that_nobody_reads_does_not_hang() {
    let mut scene = Scene::new(Event::PreToolUse);
    scene.stdin = vec![b'x'; 3_000_000];
    let began = Instant::now();
    assert_eq!(said(&scene.run(sh("true"))), "");
    assert_eq!(said(&scene.run(sh("head -c 10 >/dev/null; exit 2"))), "r deny: `check` refused");
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_large_payload_arrives_whole() {
    let mut scene = Scene::new(Event::UserPromptSubmit);
    scene.stdin = vec![b'x'; 3_000_000];
    assert_eq!(said(&scene.run(sh("wc -c | tr -d ' '"))), "r context: 3000000");
}

#[test]
fn a_grandchild_that_keeps_the_pipe_does_not_hang() {
    let began = Instant::now();
    check(Event::UserPromptSubmit, sh("sleep 20 & echo early; echo $! > pid"), "r context: early");
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
#[cfg(unix)]
fn a_timeout_ends_the_whole_group() {
    let scene = Scene::new(Event::PreToolUse);
    // Both processes ignore SIGTERM, and the grandchild would survive if only the child were killed.
    let script = "trap '' TERM; (trap '' TERM; sleep 30) & echo $! > pid; echo ready; wait; sleep 30";
    let run = Run { timeout: Duration::from_millis(150), ..on_fail(OnFail::Warn, sh(script)) };
    assert_eq!(said(&scene.run(run)), "r warn: `check` did not end within 150ms\nready");
    let pid = std::fs::read_to_string(scene.project().join("pid")).unwrap();
    let pid = nix::unistd::Pid::from_raw(pid.trim().parse().unwrap());
    let until = Instant::now() + Duration::from_secs(5);
    while is_running(pid) {
        assert!(Instant::now() < until, "the grandchild still runs");
        std::thread::yield_now();
    }
}

/// Whether a process runs. A zombie that its new parent has not reaped yet does not.
#[cfg(unix)]
fn is_running(pid: nix::unistd::Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next().unwrap_or_default().chars().next();
    nix::sys::signal::kill(pid, None).is_ok() && state != Some('Z')
}

#[test]
fn a_timeout_lets_a_command_clean_up() {
    let scene = Scene::new(Event::PreToolUse);
    let script = "trap 'echo cleaned; touch cleaned; exit 1' TERM; sleep 30 & wait";
    let run = Run { timeout: Duration::from_millis(150), ..on_fail(OnFail::Warn, sh(script)) };
    assert_eq!(said(&scene.run(run)), "r warn: `check` did not end within 150ms\ncleaned");
    assert!(scene.project().join("cleaned").exists());
}

#[test]
fn a_command_that_has_ended_is_not_waited_for() {
    let scene = Scene::new(Event::PreToolUse);
    let began = Instant::now();
    // If an end of a pipe stayed open, each command would cost the wait for more output.
    scene.runs((0..20).map(|_| sh("true")).collect());
    assert!(began.elapsed() < Duration::from_millis(1_500), "{:?}", began.elapsed());
}

#[test]
fn the_hosts_deadline_shortens_a_timeout() {
    let mut scene = Scene::new(Event::Stop);
    scene.deadline = Some(Instant::now() + Duration::from_millis(150));
    let began = Instant::now();
    let verdict = scene.runs(vec![by("a", sh("sleep 20")), by("b", sh("true"))]);
    assert!(began.elapsed() < Duration::from_secs(5));
    let said = said(&verdict);
    assert!(said.starts_with("a warn: `check` did not end within 1"), "{said}");
    assert!(said.ends_with("b warn: `check` could not be started: the host leaves it no time"), "{said}");
}

#[test]
fn endless_output_is_bounded() {
    let run = Run { timeout: Duration::from_millis(300), ..on_fail(OnFail::Warn, sh("echo first; yes")) };
    let verdict = Scene::new(Event::Stop).run(run);
    let said = said(&verdict);
    assert!(said.starts_with("r warn: `check` did not end within 300ms\nfirst\ny\n"), "{said}");
    assert!(said.contains(" lines left out]") && said.len() < 10_100, "{}", said.len());
}

#[test]
fn output_that_is_no_text_is_shown_as_far_as_it_is() {
    check(Event::UserPromptSubmit, sh(r"printf 'a\377b\033[1mc'"), "r context: a\u{fffd}bc");
}

#[test]
fn the_standard_environment_says_what_happened() {
    let json = json!({
        "session_id": "s1", "transcript_path": "/t.jsonl", "hook_event_name": "SubagentStop", "cwd": "/c",
        "agent_id": "a7", "agent_type": "coder", "agent_transcript_path": "/t/a7.jsonl",
    });
    let mut scene = Scene::with(Event::SubagentStop, json);
    let names = "SESSION_ID TRANSCRIPT_PATH HOOK_EVENT CWD AGENT_ID SUBAGENT_TYPE SUBAGENT_NAME AGENT_TRANSCRIPT_PATH";
    let script =
        format!("for n in {names}; do eval \"printf '%s|' \\\"\\${{CONCLAUDE_$n-unset}}\\\"\"; done; printf %s \"$X\"");
    let env: BTreeMap<_, _> = [("X", "mine"), ("CONCLAUDE_CWD", "/evil")].map(|(k, v)| (k.into(), v.into())).into();
    let run = || Run { env: env.clone(), options: RunOptions { show_stdout: true, ..PLAIN }, ..sh(&script) };
    assert_eq!(said(&scene.run(run())), "r warn: s1|/t.jsonl|SubagentStop|/c|a7|coder|coder|/t/a7.jsonl|mine");

    scene.agent_name = Some("the coder".to_owned());
    assert!(said(&scene.run(run())).contains("|coder|the coder|"));

    scene.agent_name = None;
    scene.payload.json.insert("agent_type".to_owned(), json!(""));
    assert!(said(&scene.run(run())).contains("|a7|unset|unknown|"));

    for name in ["agent_id", "agent_type", "agent_transcript_path"] {
        scene.payload.json.remove(name);
    }
    scene.payload.event = Event::Stop;
    assert!(said(&scene.run(run())).ends_with("|/c|unset|unset|unset|unset|mine"));
}

#[test]
fn commands_run_in_the_project() {
    let scene = Scene::new(Event::UserPromptSubmit);
    std::fs::create_dir(scene.project().join("sub")).unwrap();
    let project = scene.project().canonicalize().unwrap();
    assert_eq!(said(&scene.run(sh("pwd -P"))), format!("r context: {}", project.display()));
    let run = Run { cwd: Some("sub".to_owned()), ..argv(&["pwd", "-P"]) };
    assert_eq!(said(&scene.run(run)), format!("r context: {}/sub", project.display()));
}

#[test]
#[cfg(unix)]
fn a_relative_program_is_found_from_the_directory_of_the_command() {
    let scene = Scene::new(Event::UserPromptSubmit);
    let path = scene.project().join("hello.sh");
    std::fs::write(&path, "#!/bin/sh\necho hello \"$1\"\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).unwrap();
    assert_eq!(said(&scene.run(argv(&["./hello.sh", "$(x)"]))), "r context: hello $(x)");
}

#[test]
fn a_background_command_is_not_waited_for_and_gets_the_payload() {
    let mut scene = Scene::new(Event::PreToolUse);
    scene.stdin = vec![b'x'; 300_000];
    let began = Instant::now();
    let script = "wc -c > size.tmp; echo noise; mv size.tmp size; sleep 20";
    let verdict = scene.run(Run { options: RunOptions { background: true, ..PLAIN }, ..sh(script) });
    assert_eq!(said(&verdict), "");
    assert!(began.elapsed() < Duration::from_secs(5));
    let size = scene.project().join("size");
    while !size.exists() {
        assert!(began.elapsed() < Duration::from_secs(10), "the payload did not arrive");
        std::thread::yield_now();
    }
    assert_eq!(std::fs::read_to_string(size).unwrap().trim(), "300000");
}

#[test]
fn a_background_command_that_cannot_start_is_told() {
    let run = Run { options: RunOptions { background: true, ..PLAIN }, ..argv(&["no-such-program-here"]) };
    check(Event::PreToolUse, run, "r warn: `check` could not be started: program not found");
}
