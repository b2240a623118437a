//! The branches that pushes update, in rows.

use crate::glob::{Fit, Glob};
use crate::tests::simple;
use crate::values::FieldValues;
use crate::word::Word;

/// Returns the values for display, with `?` and the word if there may be others.
fn shown(values: &FieldValues) -> String {
    let words = values.words.iter().map(|word| word.display_text());
    let others = values.others.iter().map(|why| format!("?{}", why.word));
    words.chain(others).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shown(&simple(text).push_target(Some("topic"), None)), expected, "{text}");
}

#[test]
fn refspecs_name_the_branches() {
    check("git push origin main", "main");
    check("git push origin main release/1", "main release/1");
    check("git push origin HEAD:main", "main");
    check("git push origin HEAD:refs/heads/main", "main");
    check("git push origin refs/heads/main", "main");
    check("git push origin +topic:main", "main");
    check("git push origin +main", "main");
    check("git push origin :main", "main");
    check("git push origin --delete main", "main");
    check("git push -d origin a b", "a b");
    check("git push origin HEAD~2:main", "main");
    check("git -C x push origin -- main", "main");
    check("git-push origin main", "main");
    check("sudo git push origin main", "");
}

#[test]
fn without_a_refspec_it_is_the_branch_that_is_checked_out() {
    check("git push", "topic");
    check("git push origin", "topic");
    check("git push -u origin HEAD", "topic");
    check("git push origin @", "topic");
    check("git push --follow-tags", "topic");
    let unknown = simple("git push").push_target(None, None);
    assert_eq!(shown(&unknown), "?HEAD");
}

#[test]
fn a_tag_that_is_named_is_a_target() {
    // All tags are targets, and no branch.
    check("git push --tags", "refs/tags/*");
    check("git push origin --tags", "refs/tags/*");
    check("git push origin refs/tags/v1", "v1");
    check("git push origin HEAD:refs/tags/v1", "v1");
    check("git push origin :tags/v1", "v1");
    check("git push origin tag v1", "v1");
    check("git push origin tag v1 main", "v1 main");
    check("git push --tags origin main", "refs/tags/* main");
}

#[test]
fn a_tag_that_is_not_known_is_no_branch() {
    for text in ["git push origin refs/tags/%V", "git push origin 'refs/tags/*'", "git push origin tag %V"] {
        let values = simple(text).push_target(Some("topic"), None);
        assert_eq!(values.test_any(|word| Glob::new("main").test(word)), Fit::No, "{text}");
    }
}

#[test]
fn all_of_them_are_any() {
    check("git push --all", "?--all");
    check("git push --branches origin", "?--all");
    check("git push --mirror", "?--mirror");
    check("git push origin :", "?:");
    check("git push origin +:", "?:");
    check("git push origin refs/heads/*:refs/heads/*", "*");
    check("git push origin refs/heads/*", "*");

    check("git push origin refs/heads/~x", "~x");
}

#[test]
fn what_is_not_known_may_be_any() {
    check("git push origin %B", "%B");
    check("git push origin HEAD:%B", "%B");
    check("git push origin %A:main", "main");
    check("git push origin $X", "?$X");
    check("git push $X", "?$X");
    check("git push origin main $X", "main ?$X");
}

#[test]
fn settings_in_the_text_may_lead_anywhere() {
    check("git -c push.default=matching push", "?push.default=matching");
    check("git -c Push.Default=matching push origin", "?Push.Default=matching");
    check("git -c remote.origin.push=HEAD:main push", "?remote.origin.push=HEAD:main");
    check("git -c remote.origin.push=topic:main push origin topic", "topic ?remote.origin.push=topic:main");
    check("git -c remote.origin.push=topic:main push origin topic:x", "x");
    check("git -c user.name=me push", "topic");
    check("git -c color.ui=%X push", "topic");
    check("git -c %X push", "?%X");
    let mut command = simple("git push");
    let value = Some(Word::text("1"));
    command.environment = vec![crate::analysis::Assignment { name: "GIT_CONFIG_COUNT".to_owned(), value }];
    assert_eq!(shown(&command.push_target(Some("topic"), None)), "?GIT_CONFIG_COUNT");
}

#[test]
fn other_commands_push_nothing() {
    check("git status", "");
    check("git stash push x y", "");
    check("hg push origin main", "");
    check("git push --help", "");
}

#[test]
fn a_pattern_of_refspecs_is_any_branch_like_it() {
    let mut command = simple("git push origin");
    command.words.push(Word::text("refs/heads/*:refs/heads/r*"));
    let values = command.push_target(Some("topic"), None);
    for (branch, expected) in [("main", "no"), ("release", "maybe")] {
        let fit = values.test_any(|word| Glob::new(branch).test(word));
        assert_eq!(matches!(fit, Fit::Maybe(_)), expected == "maybe", "{branch}");
        assert_ne!(fit, Fit::Yes, "{branch}");
    }
}
