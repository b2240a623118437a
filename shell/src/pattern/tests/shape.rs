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
fn an_equal_pattern_is_written_in_several_ways() {
    for (one, other) in [
        ("curl|wget", "(curl|wget)"),
        ("git push !--dry-run|!--porcelain", "git push !(--dry-run|--porcelain)"),
        ("npm run test:(a|b)", "npm run (test:a|test:b)"),
        ("  git   push ", "git push"),
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
