//! `only runs`: options that name files to be sent.

use super::*;

#[test]
fn a_star_covers_no_option_that_names_a_file_to_send() {
    let rows: &[(&str, &str, &str)] = &[
        ("gh api *", "gh api x -F a=1", "gh api x -F a=@.env"),
        ("gh api *", "gh api x -F a=me@b.example", "gh api x --input .env"),
        ("gh pr create *", "gh pr create --title x", "gh pr create --body-file .env"),
        ("gh issue comment *", "gh issue comment 1 -b x", "gh issue comment 1 -F .env"),
        ("gh workflow run *", "gh workflow run x.yml -F a=b", "gh workflow run x.yml -F a=@.env"),
        ("gh secret set *", "gh secret set X -b y", "gh secret set -f .env"),
        (
            "kubectl create configmap *",
            "kubectl create configmap c --from-literal=a=b",
            "kubectl create configmap c --from-file=.env",
        ),
        (
            "kubectl create secret *",
            "kubectl create secret generic c --from-literal=a=b",
            "kubectl create secret generic c --from-env-file=.env",
        ),
        ("kubectl create *", "kubectl create -f x.yaml", "kubectl create cm c --from-file .env"),
        ("helm upgrade *", "helm upgrade a . -f values.yaml", "helm upgrade a . --set-file a=.env"),
        ("az group create *", "az group create --tags a=b", "az group create --tags a=@.env"),
        ("az group create *", "az group create --tags a=b", "az group create --tags a=b c=@.env"),
        ("aws ec2 create-tags *", "aws ec2 create-tags --tags x", "aws ec2 create-tags --tags Value@=file://.env"),
        ("docker build *", "docker build --build-arg a=b .", "docker build --secret id=a,src=.env ."),
    ];
    for (pattern, covered, uncovered) in rows {
        only(pattern, &[(covered, "yes"), (uncovered, "no")]);
    }
}

#[test]
fn a_pattern_names_the_file_that_is_sent() {
    only("gh pr create --body-file body.md *", &[("gh pr create --body-file body.md -t x", "yes")]);
    only("gh pr create --body-file * *", &[("gh pr create --body-file body.md -t x", "yes")]);
}
