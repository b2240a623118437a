//! The text of patterns.

use super::*;

#[track_caller]
fn refused(pattern: &str, expected: BadPattern) {
    assert_eq!(Pattern::new(pattern), Err(expected), "{pattern}");
}

#[test]
fn what_cannot_be_meant_is_named() {
    let word = str::to_owned;
    refused("", BadPattern::Empty);
    refused("--force", BadPattern::NoProgram(word("--force")));
    refused("!x", BadPattern::NoProgram(word("!x")));
    refused("/bin/rm x", BadPattern::PathAsProgram(word("/bin/rm")));
    for program in ["../x", "a/../b", "~/x", "a//b", "(a|b)/x", "*/x", "$HOME/x", "a/", "./"] {
        refused(&format!("{program} y"), BadPattern::PathAsProgram(word(program)));
    }
    refused("git (push", BadPattern::OpenGroup);
    refused("git push)", BadPattern::StrayClose);
    refused("git ((push))", BadPattern::NestedGroup);
    refused("git (a|b)(c|d)", BadPattern::TwoGroups(word("(a|b)(c|d)")));
    refused("git a|(b|c)", BadPattern::TwoGroups(word("a|(b|c)")));
    refused("git (push|--force)", BadPattern::MixedAlternatives(word("(push|--force)")));
    refused("git (a||b)", BadPattern::EmptyAlternative(word("(a||b)")));
    refused("git|", BadPattern::EmptyAlternative(word("git|")));
    refused("git !x y", BadPattern::StrayNot(word("!x")));
    refused("git !* y", BadPattern::StrayNot(word("!*")));
    refused("git --a|!--b", BadPattern::StrayNot(word("--a|!--b")));
    refused("a && b", BadPattern::ShellSyntax);
    refused("a | b", BadPattern::ShellSyntax);
}

#[test]
fn a_program_of_the_project_is_named_by_its_path() {
    for (pattern, expected) in [
        ("git push", None),
        ("./gradlew test", Some("")),
        ("./scripts/test.sh", Some("scripts")),
        (".venv/bin/(pytest|ruff) *", Some(".venv/bin")),
        ("node_modules/.bin/@a", Some("node_modules/.bin")),
    ] {
        assert_eq!(Pattern::new(pattern).unwrap().project_directory(), expected, "{pattern}");
    }
}

#[test]
fn an_equal_pattern_is_written_in_several_ways() {
    for (one, other) in [
        ("curl|wget", "(curl|wget)"),
        ("git push !--dry-run|!--porcelain", "git push !(--dry-run|--porcelain)"),
        ("npm run test:(a|b)", "npm run (test:a|test:b)"),
        ("  git   push ", "git push"),
        ("./bin/rails test", "bin/rails test"),
    ] {
        assert_eq!(Pattern::new(one), Pattern::new(other), "{one}");
    }
}

#[test]
fn a_text_names_a_pattern_by_program_and_subcommands() {
    for (pattern, text, expected) in [
        ("rm -r -f", "os.system('rm -rf build')", true),
        ("rm -r -f", "print(1)", false),
        ("rm -r -f", "shutil.rmtree('build')", false),
        ("git push --force", "subprocess.run(['git', 'push'])", true),
        ("git push --force", "git status", false),
        ("git (push|fetch)", "/usr/bin/git fetch", true),
        ("git * x", "git", true),
        ("chmod 777", "chmod u+x f", true),
        ("python*", "exec python3.11 x", true),
        ("os", "os.system", true),
        ("npm", "scripts/npm.js", false),
        ("npm", "/usr/bin/npm run x", true),
        ("run.sh", "bin/run.sh", true),
    ] {
        assert_eq!(
            Pattern::new(pattern).unwrap().is_named_in(&text.to_owned().into()),
            expected,
            "{pattern} in {text}"
        );
    }
}
