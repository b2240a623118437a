//! Tests of the split into lines, and of the check for `sh`.

use super::*;

#[test]
fn lines_are_commands_and_the_rest_a_script() {
    let lines = |run: &str| match split_commands(run) {
        SplitCommands::Lines(lines) => lines,
        SplitCommands::Script(script) => panic!("a script: {script}"),
    };
    assert_eq!(lines("npm test\n"), ["npm test"]);
    assert_eq!(lines("a\n\n  # why\n b 'x y'\n"), ["a", " b 'x y'"]);
    assert_eq!(
        lines("for x in a b; do echo $x; done\nif a; then b; fi"),
        ["for x in a b; do echo $x; done", "if a; then b; fi"]
    );
    assert!(lines("# nothing\n").is_empty());
    for script in [
        "if a; then\n  b\nfi",
        "cargo test \\\n  --all",
        "a &&\nb",
        "cat <<EOF\nx\nEOF",
        "echo 'a\nb'",
        "f() {\n  a\n}\nf",
        "(a\nb)",
        "while a\ndo b; done",
    ] {
        assert_eq!(split_commands(&format!("{script}\n")), SplitCommands::Script(script.to_owned()), "{script}");
    }
}

#[test]
fn a_single_line_is_a_command_whatever_it_is() {
    assert_eq!(split_commands("if a; then"), SplitCommands::Lines(vec!["if a; then".to_owned()]));
}

#[test]
fn plain_commands_go_to_sh() {
    for text in [
        "cargo test --quiet",
        "npm test",
        "cd docs && bun run build",
        "! rg -n FIX src 2>&1",
        "FOO=1 make check || exit 1",
        "echo \"${CONCLAUDE_AGENT_ID} done\" >> log.txt",
        "test -f Cargo.toml && [ -d src ]",
        "printenv | sort > out 2>/dev/null",
    ] {
        assert!(is_portable_sh(text), "{text}");
    }
}

#[test]
fn what_only_bash_reads_goes_to_bash() {
    for text in [
        "[[ -f a ]]",
        "source .venv/bin/activate && pytest",
        "set -o pipefail; a | b",
        "diff <(a) <(b)",
        "echo {a,b}",
        "echo -e 'a\\tb'",
        "echo 'a\\nb'",
        "a &> log",
        "x=(1 2)",
        "echo ${x:0:1}",
        "echo $RANDOM",
        "cat <<< a",
        "[ $a == b ]",
        "read -p x y",
        "a\nb",
    ] {
        assert!(!is_portable_sh(text), "{text}");
    }
}

#[test]
fn programs_of_a_file_are_told_from_others() {
    for text in [".claude/scripts/log.sh", "./gradlew x", "bash check.sh", "cd a && python3 b.py", "/opt/x/run"] {
        assert!(can_run_script(text), "{text}");
    }
    for text in ["npm test", "cargo fmt --check > /dev/null", "echo hi", "make -C docs"] {
        assert!(!can_run_script(text), "{text}");
    }
}
