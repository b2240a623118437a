//! git.

use super::{Does, Opt, Program, Reading, attached, flag, value};

pub(super) const PROGRAMS: &[Program] =
    &[Program { names: &["git"], reading: Reading::Leading, options: GLOBAL, commands: COMMANDS }];

const GLOBAL: &[Opt] = &[
    value(&["-C"]).does(Does::Enters),
    value(&["-c"]).does(Does::Runs),
    value(&["--config-env"]).does(Does::Runs),
    attached(&["--exec-path"]).does(Does::Runs),
    value(&["--git-dir"]),
    value(&["--work-tree"]),
    value(&["--namespace"]),
    flag(&["--no-pager", "-P"]),
    flag(&["--paginate", "-p"]),
    flag(&["--help", "-h"]),
    flag(&["--version", "-v"]),
];

const COMMANDS: &[Program] = &[Program {
    names: &["push"],
    options: &[
        flag(&["--force", "-f"]),
        flag(&["--no-force"]).undoes("--force"),
        attached(&["--force-with-lease"]),
        flag(&["--mirror"]),
        flag(&["--dry-run", "-n"]),
        value(&["--repo"]),
        value(&["--push-option", "-o"]),
        value(&["--receive-pack", "--exec"]).does(Does::Runs),
    ],
    ..Program::GNU
}];
