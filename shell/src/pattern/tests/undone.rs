//! `only runs`: options that change what an option of the pattern says.

use super::*;

#[test]
fn a_star_covers_no_other_value_of_an_option_that_the_pattern_names() {
    let rows: &[(&str, &str, &str)] = &[
        ("npm publish --dry-run *", "npm publish --dry-run --tag x", "npm publish --dry-run --dry-run=false"),
        (
            "kubectl apply --dry-run=client *",
            "kubectl apply --dry-run=client -f x.yaml",
            "kubectl apply --dry-run=client -f x.yaml --dry-run=none",
        ),
        ("gh api -X GET *", "gh api -X GET x --paginate", "gh api -X GET x -X DELETE"),
        ("gh api -X GET *", "gh api --method=GET x", "gh api -X GET x --method=DELETE"),
        ("psql --host=localhost -c *", "psql --host=localhost -c x", "psql --host=localhost -c x --host=a.example"),
        (
            "terraform fmt -write=false *",
            "terraform fmt -write=false -recursive",
            "terraform fmt -write=false -write=true",
        ),
        ("tsc --noEmit *", "tsc --noEmit -p web", "tsc --noEmit --noEmit false"),
        ("tsc --noEmit *", "tsc --noEmit", "tsc --noEmit false"),
    ];
    for (pattern, covered, uncovered) in rows {
        only(pattern, &[(covered, "yes"), (uncovered, "no")]);
    }
    only("gh api -X GET *", &[("gh api -X GET x -X %METHOD", "maybe %METHOD"), ("gh api -X GET x -X GET", "yes")]);
    only("git log --author=* *", &[("git log --author=a --author=b", "yes")]);
    only("tar -tzf *", &[("tar -tzf a.tgz -v", "yes")]);
    only("git log -n 5 *", &[("git log -n 5 --oneline", "yes"), ("git log -n 5 -n 6", "no")]);
}

#[test]
fn a_star_covers_no_option_that_undoes_one_of_the_pattern() {
    let rows: &[(&str, &str, &str)] = &[
        ("aws ec2 terminate-instances --dry-run *", "--instance-ids i", "--no-dry-run"),
        ("git apply --check *", "x.diff", "--apply x.diff"),
        ("rm -i *", "x", "-f x"),
        ("cp -n *", "-r a b", "-f a b"),
        ("cp -rn *", "a b", "-f a b"),
        ("mv -n *", "a b", "-f a b"),
        ("git merge --no-commit *", "topic", "--commit topic"),
    ];
    for (pattern, covered, uncovered) in rows {
        let call = |rest: &str| pattern.replace('*', rest);
        only(pattern, &[(&call(covered), "yes"), (&call(uncovered), "no")]);
    }
    only("mv *", &[("mv -f a b", "yes"), ("mv -n -f a b", "yes")]);
}
