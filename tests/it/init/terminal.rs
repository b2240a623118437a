//! The questions, in a terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;

use nix::pty::{Winsize, openpty};

use super::machine;
use crate::machine::Machine;

/// Runs `rules init …` in a terminal and answers each question that appears. Returns the output and the exit code.
fn answered(machine: &Machine, args: &[&str], answers: &[(&str, &str)]) -> (String, i32) {
    answered_within(machine, (60, 80), args, answers)
}

/// Like [`answered`], in a terminal with so many rows and columns.
fn answered_within(
    machine: &Machine,
    (ws_row, ws_col): (u16, u16),
    args: &[&str],
    answers: &[(&str, &str)],
) -> (String, i32) {
    let size = Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).unwrap();
    let slave = |end: &OwnedFd| std::process::Stdio::from(end.try_clone().unwrap());
    let args: Vec<&str> = ["init"].iter().chain(args).copied().collect();
    let mut command = machine.command(&args);
    command.current_dir(machine.path("project")).env("TERM", "xterm");
    command.stdin(slave(&terminal.slave)).stdout(slave(&terminal.slave)).stderr(slave(&terminal.slave));
    let mut child = command.spawn().unwrap();
    // The command holds the ends of the child too: reading ends when they are all closed.
    drop((command, terminal.slave));
    let mut master = File::from(terminal.master);
    let mut answers = answers.iter();
    let mut next = answers.next();
    let (mut shown, mut asked_from) = (String::new(), 0);
    let mut bytes = [0; 4096];
    while let Ok(read @ 1..) = master.read(&mut bytes) {
        shown.push_str(&String::from_utf8_lossy(&bytes[..read]));
        if let Some((question, answer)) = next
            && let Some(at) = shown.get(asked_from..).and_then(|rest| rest.find(question))
        {
            asked_from += at + question.len();
            master.write_all(answer.as_bytes()).unwrap();
            next = answers.next();
        }
    }
    assert_eq!(next, None, "a question was not asked:\n{shown}");
    (shown, child.wait().unwrap().code().unwrap())
}

fn rust() -> Machine {
    machine(&[("Cargo.toml", ""), (".git/HEAD", "ref: refs/heads/main\n")])
}

const FILE: &str = "project/.rules/project.rules";

#[test]
fn it_asks_which_packs_shows_the_file_and_asks_whether_to_write_it() {
    let machine = rust();
    // The first pack of the list is `std/git`: a blank deselects it.
    let answers = [("Which packs?", " \r"), ("Write .rules/project.rules?", "y"), ("Register the hook?", "y")];
    let (shown, exit) = answered(&machine, &[], &answers);
    assert_eq!(exit, 0, "{shown}");
    let policy = machine.read(FILE);
    assert!(!policy.contains("std/git") && policy.contains("use \"std/secrets\""), "{policy}");
    let before_the_question = shown.split("Write .rules/project.rules?").next().unwrap();
    assert!(before_the_question.contains("use \"std/secrets\""), "{shown}");
    assert!(machine.read("project/.claude/settings.local.json").contains("PreToolUse"), "{shown}");
}

#[test]
fn no_and_escape_write_nothing() {
    let no = [("Which packs?", "\r"), ("Write .rules/project.rules?", "n")];
    let escape = [("Which packs?", "\u{1b}")];
    for answers in [&no[..], &escape[..]] {
        let machine = rust();
        let (shown, exit) = answered(&machine, &[], answers);
        assert_eq!((exit, machine.exists("project/.rules")), (1, false), "{shown}");
        assert!(shown.contains("nothing was written"), "{shown}");
    }
}

#[test]
fn what_a_policy_lacks_is_added_beside_it_after_a_question() {
    let machine = rust();
    machine.write(FILE, "use \"std/git\"\n");
    let answers = [
        ("Which packs?", "\r"),
        ("Add .rules/init.rules to the policy that is there?", "y"),
        ("Register the hook?", "n"),
    ];
    let (shown, exit) = answered(&machine, &[], &answers);
    assert_eq!(exit, 0, "{shown}");
    assert_eq!(machine.read(FILE), "use \"std/git\"\n");
    let added = machine.read("project/.rules/init.rules");
    assert!(!added.contains("std/git") && added.contains("std/secrets"), "{added}");
    assert!(!machine.exists("project/.claude") && shown.contains("rules install claude-code"), "{shown}");
}

/// A line that is wider than the terminal is broken within a word, and the list then clears too few lines.
#[test]
fn the_list_fits_a_small_terminal_and_its_echo_is_short() {
    let machine = rust();
    let answers = [("Which packs?", "\r"), ("Write .rules/project.rules?", "n")];
    let (shown, exit) = answered_within(&machine, (24, 60), &[], &answers);
    assert_eq!(exit, 1, "{shown}");
    let (before, after) = shown.split_once("Which packs?").unwrap();
    let (list, echo) = after.split_once(" chosen: ").unwrap();
    let is_entry = |line: &&str| line.contains("[x] ") || line.contains("[ ] ");
    let entries: Vec<&str> = list.lines().filter(is_entry).collect();
    assert!(entries.len() > 10 && entries.len() <= 22, "{entries:#?}");
    for line in entries {
        assert!(line.chars().count() < 60, "{line}");
        assert!(!line.contains('…') || line.trim_end().ends_with('…'), "{line}");
    }
    let colourless = before.replace("\u{1b}[36m", "").replace("\u{1b}[0m", "");
    for line in colourless.lines().filter(|line| line.trim().contains(' ') && !line.starts_with("Looked at")) {
        assert!(line.chars().count() <= 60, "{line}");
    }
    let echo = echo.split(".rules/project.rules").next().unwrap();
    assert!(echo.contains("std/git, std/secrets") && !echo.contains('…'), "{echo}");
    assert!(echo.lines().all(|line| line.chars().count() <= 60), "{echo}");
}
