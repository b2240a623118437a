//! Variables that hold what a program runs: `GIT_SEQUENCE_EDITOR`, `PAGER`, `BASH_ENV`.

use super::call::Call;
use super::words::{is_open, placed};
use super::{Nested, Setting, What};
use crate::analysis::Assignment;
use crate::word::{Cause, Word};

/// What the value of a variable is.
#[derive(Clone, Copy)]
enum Held {
    /// A text for a shell.
    Script,
    /// A file that a shell reads first.
    File,
    /// A text for a shell, if it begins with `|`.
    Piped,
}

/// Programs, and what of their variables they run.
const ROWS: &[(&[&str], &[&str], Held)] = &[
    (
        &["git"],
        &[
            "GIT_SSH_COMMAND",
            "GIT_SSH",
            "GIT_EDITOR",
            "GIT_SEQUENCE_EDITOR",
            "GIT_PAGER",
            "GIT_EXTERNAL_DIFF",
            "GIT_ASKPASS",
            "GIT_PROXY_COMMAND",
        ],
        Held::Script,
    ),
    (
        &["git", "gh", "hg", "svn", "crontab", "kubectl", "oc", "systemctl", "sudo", "less", "vipw", "jj", "visudo"],
        &["EDITOR", "VISUAL"],
        Held::Script,
    ),
    (&["git", "gh", "man", "systemctl", "journalctl", "psql", "mysql", "aws", "bat", "jj"], &["PAGER"], Held::Script),
    (&["gh"], &["GH_PAGER", "GH_EDITOR", "GH_BROWSER", "BROWSER"], Held::Script),
    (&["man"], &["MANPAGER"], Held::Script),
    (&["aws"], &["AWS_PAGER"], Held::Script),
    (&["psql"], &["PSQL_PAGER", "PSQL_EDITOR"], Held::Script),
    (&["systemctl", "journalctl"], &["SYSTEMD_PAGER", "SYSTEMD_EDITOR"], Held::Script),
    (&["bat"], &["BAT_PAGER"], Held::Script),
    (&["kubectl", "oc"], &["KUBE_EDITOR", "KUBECTL_EXTERNAL_DIFF"], Held::Script),
    (&["sudo"], &["SUDO_EDITOR", "SUDO_ASKPASS"], Held::Script),
    (&["ssh", "git", "scp", "sftp", "ssh-add"], &["SSH_ASKPASS"], Held::Script),
    (&["rsync"], &["RSYNC_RSH"], Held::Script),
    (&["fzf"], &["FZF_DEFAULT_COMMAND"], Held::Script),
    (&["less"], &["LESSOPEN", "LESSCLOSE"], Held::Piped),
    (&["sh"], &["PROMPT_COMMAND"], Held::Script),
    (&["sh"], &["BASH_ENV", "ENV"], Held::File),
];

/// Returns what a command runs because of variables that are set for it.
#[must_use]
pub fn by_environment(words: &[Word], environment: &[Assignment]) -> Vec<Nested> {
    if environment.is_empty() || words.is_empty() {
        return Vec::new();
    }
    let call = Call::new(words);
    // What works from the top of its tree, or is on its way elsewhere.
    let directory = call.is(0, &["git"]).then(|| placed(Cause::Directory, "git", false));
    let setting = Setting { directory, ..Setting::default() };
    let mut found = Vec::new();
    for (at, Assignment { name, value }) in environment.iter().enumerate() {
        let is_last = environment.iter().skip(at + 1).all(|later| later.name != *name);
        let Some(value) = value.as_ref().filter(|value| is_last && !value.parts.is_empty()) else { continue };
        let held = ROWS.iter().find(|(programs, names, _)| call.is(0, programs) && names.contains(&name.as_str()));
        found.extend(held.and_then(|(_, _, held)| what(*held, value)).map(|what| Nested::with(what, &setting)));
    }
    found
}

fn what(held: Held, value: &Word) -> Option<What> {
    match held {
        Held::Script => Some(What::script(value.clone())),
        Held::File => Some(What::File(value.clone())),
        Held::Piped if is_open(value) => Some(What::script(value.clone())),
        Held::Piped => value.after("|").map(|text| What::script(text.after("-").unwrap_or(text))),
    }
}
