//! Machines simulated in a temporary directory: what is found, in which order, and what is rejected.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::config::OnError;
use crate::diagnostic::Code;
use crate::limits::{FILE_PARTS, SETTINGS_BYTES};

/// A simulated machine: `etc`, `user` and a repository `repo` with the project in it.
pub(crate) struct Machine {
    _guard: tempfile::TempDir,
    pub(crate) dir: PathBuf,
    pub(crate) places: MachinePlaces,
}

const RULE: &str = "rule a {\n  on Stop\n  warn \"w\"\n}\n";

impl Machine {
    /// The project is the directory `project`, relative to the machine.
    pub(crate) fn new(project: &str, files: &[(&str, &str)]) -> Self {
        let guard = tempfile::tempdir().unwrap();
        let dir = crate::platform::paths::canonicalize(guard.path()).unwrap();
        let places = MachinePlaces {
            managed: dir.join("etc"),
            user: Some(dir.join("user")),
            state: Some(dir.join("state")),
            cache: None,
            project: Some(dir.join(project)),
            missing_projects: Vec::new(),
            trust: TrustRequirement::NotRequired,
        };
        let machine = Self { _guard: guard, dir, places };
        fs::create_dir_all(machine.dir.join(project)).unwrap();
        for (path, text) in files {
            machine.write(path, text);
        }
        machine
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[cfg(unix)]
    fn mode(&self, path: &str, mode: u32) -> &Self {
        fs::set_permissions(self.dir.join(path), fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    fn load(&self) -> LoadedSources {
        load(&self.places)
    }
}

fn layer(loaded: &LoadedSources, kind: LayerKind) -> &Layer {
    loaded.layers.iter().find(|layer| layer.kind == kind).unwrap()
}

/// Returns how a path of a machine is displayed: temporary directories may be in the home of the account that runs the
/// tests.
fn called(machine: &Machine, path: &str) -> String {
    let path = machine.dir.join(path);
    let in_home = account_home().and_then(|home| Some(Path::new("~").join(path.strip_prefix(home).ok()?)));
    shown(&in_home.unwrap_or(path)).to_string()
}

fn names(loaded: &LoadedSources, kind: LayerKind) -> Vec<&str> {
    layer(loaded, kind).files.iter().map(|file| loaded.sources.file_by_id(file.id).unwrap().name.as_str()).collect()
}

#[track_caller]
fn codes(loaded: &LoadedSources, kind: LayerKind) -> Vec<&'static str> {
    layer(loaded, kind).diagnostics.iter().map(|found| found.code.name).collect()
}

#[track_caller]
fn check_project(files: &[(&str, &str)], wanted: &[&str]) {
    let machine = Machine::new("repo", files);
    let loaded = machine.load();
    assert_eq!(codes(&loaded, LayerKind::Project), Vec::<&str>::new(), "{:?}", loaded.layers);
    assert_eq!(names(&loaded, LayerKind::Project), wanted);
}

/// Checks the only finding of the project layer: its code and a part of its message.
#[track_caller]
fn check_problem(files: &[(&str, &str)], code: &'static Code, message: &str) {
    let machine = Machine::new("repo", files);
    let loaded = machine.load();
    let [found] = layer(&loaded, LayerKind::Project).diagnostics.as_slice() else {
        panic!("{:?}", layer(&loaded, LayerKind::Project).diagnostics)
    };
    assert_eq!(found.code, code, "{found:?}");
    assert!(found.message.contains(message), "{found:?}");
}

#[test]
fn a_machine_without_policy_has_four_empty_layers() {
    let loaded = Machine::new("repo", &[]).load();
    assert_eq!(loaded.layers.iter().map(|layer| layer.kind).collect::<Vec<_>>(), LayerKind::ALL);
    assert!(loaded.layers.iter().all(|layer| !layer.exists && layer.files.is_empty()));
}

#[test]
fn each_layer_has_its_directory() {
    let machine = Machine::new(
        "repo",
        &[
            ("etc/m.rules", RULE),
            ("user/u.rules", RULE),
            ("repo/.git/HEAD", ""),
            ("repo/.rules/p.rules", RULE),
            ("repo/.rules/local/l.rules", RULE),
        ],
    );
    let loaded = machine.load();
    let called = |path: &str| called(&machine, path);
    for (kind, name) in [
        (LayerKind::Managed, called("etc/m.rules").as_str()),
        (LayerKind::User, &called("user/u.rules")),
        (LayerKind::Project, ".rules/p.rules"),
        (LayerKind::Local, ".rules/local/l.rules"),
    ] {
        assert_eq!(names(&loaded, kind), [name]);
        assert!(layer(&loaded, kind).exists);
        assert_eq!(layer(&loaded, kind).files.first().unwrap().ast.items.len(), 1);
    }
}

#[test]
fn files_load_by_path_in_byte_order() {
    check_project(
        &[
            ("repo/.rules/b.rules", RULE),
            ("repo/.rules/B.rules", RULE),
            ("repo/.rules/a/z.rules", RULE),
            ("repo/.rules/a.rules", RULE),
            ("repo/.rules/notes.md", ""),
        ],
        &[".rules/B.rules", ".rules/a.rules", ".rules/a/z.rules", ".rules/b.rules"],
    );
}

#[test]
fn local_log_and_hidden_entries_are_not_the_projects() {
    check_project(
        &[
            ("repo/.rules/a.rules", RULE),
            ("repo/.rules/local/b.rules", RULE),
            ("repo/.rules/log/c.rules", RULE),
            ("repo/.rules/.hidden/d.rules", RULE),
            ("repo/.rules/.e.rules", RULE),
        ],
        &[".rules/a.rules"],
    );
}

#[test]
fn every_directory_above_counts_and_none_below() {
    let machine = Machine::new(
        "above/repo/sub/project",
        &[
            ("above/.rules/top.rules", RULE),
            ("above/repo/.git/HEAD", ""),
            ("above/repo/.rules/outer.rules", RULE),
            ("above/repo/sub/project/.rules/inner.rules", RULE),
            ("above/repo/sub/project/below/.rules/no.rules", RULE),
            ("above/repo/.rules/local/mine.rules", RULE),
        ],
    );
    let loaded = machine.load();
    assert_eq!(
        names(&loaded, LayerKind::Project),
        ["../../../.rules/top.rules", "../../.rules/outer.rules", ".rules/inner.rules"]
    );
    assert_eq!(names(&loaded, LayerKind::Local), ["../../.rules/local/mine.rules"]);
}

/// The agent can write into `.git`.
#[test]
fn no_repository_ends_the_way_up() {
    let machine = Machine::new("mono/pkg", &[("mono/.rules/x.rules", RULE), ("mono/pkg/.rules/y.rules", RULE)]);
    let all = ["../.rules/x.rules", ".rules/y.rules"];
    assert_eq!(names(&machine.load(), LayerKind::Project), all);
    machine.write("mono/.git/HEAD", "ref: refs/heads/main\n");
    machine.write("mono/pkg/.git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(names(&machine.load(), LayerKind::Project), all);
    fs::remove_dir_all(machine.dir.join("mono/pkg/.git")).unwrap();
    machine.write("mono/pkg/.git", "gitdir: ../.git\n");
    assert_eq!(names(&machine.load(), LayerKind::Project), all);
}

#[test]
#[cfg(unix)]
fn the_directories_above_the_name_of_the_project_count_too() {
    let machine = Machine::new("mono/pkg", &[("mono/.rules/x.rules", RULE), ("mono/pkg/.rules/y.rules", RULE)]);
    fs::create_dir(machine.dir.join("away")).unwrap();
    fs::rename(machine.dir.join("mono/pkg"), machine.dir.join("away/pkg")).unwrap();
    symlink(machine.dir.join("away/pkg"), machine.dir.join("mono/pkg")).unwrap();
    let outer = called(&machine, "mono/.rules/x.rules");
    let loaded = machine.load();
    assert_eq!(codes(&loaded, LayerKind::Project), Vec::<&str>::new());
    assert_eq!(names(&loaded, LayerKind::Project), [outer.as_str(), ".rules/y.rules"]);
    // A link in the path leads to the same directories, each of which counts once.
    symlink(machine.dir.join("mono"), machine.dir.join("link")).unwrap();
    let places = MachinePlaces { project: Some(machine.dir.join("link/pkg")), ..machine.places.clone() };
    assert_eq!(names(&load(&places), LayerKind::Project), [outer.as_str(), ".rules/y.rules"]);
}

#[test]
fn a_project_that_is_not_there_has_the_policy_of_the_directories_above() {
    let machine = Machine::new("mono", &[("mono/.rules/x.rules", RULE)]);
    let gone = machine.dir.join("mono/gone/pkg");
    let places = MachinePlaces { project: Some(gone.clone()), ..machine.places.clone() };
    assert_eq!(names(&load(&places), LayerKind::Project), [".rules/x.rules"]);
    // Another directory replaces it, such as the one where the agent is.
    machine.write("away/.rules/y.rules", RULE);
    let places = MachinePlaces {
        project: Some(machine.dir.join("away")),
        missing_projects: vec![gone],
        ..machine.places.clone()
    };
    let outer = called(&machine, "mono/.rules/x.rules");
    assert_eq!(names(&load(&places), LayerKind::Project), [outer.as_str(), ".rules/y.rules"]);
}

/// Changes the owner of a path; returns whether this account may.
#[cfg(unix)]
fn give_away(machine: &Machine, path: &str) -> bool {
    std::os::unix::fs::lchown(machine.dir.join(path), Some(12_345), Some(12_345)).is_ok()
}

#[test]
#[cfg(unix)]
fn what_a_stranger_puts_above_the_project_is_passed_over() {
    let machine = Machine::new("shared/mine", &[("shared/.rules/x.rules", RULE), ("shared/mine/.rules/y.rules", RULE)]);
    machine.mode("shared", 0o1777);
    if !give_away(&machine, "shared/.rules") {
        return;
    }
    let is_passed_over = |why: &str| {
        let loaded = machine.load();
        assert_eq!(codes(&loaded, LayerKind::Project), Vec::<&str>::new(), "{why}");
        assert_eq!(codes(&loaded, LayerKind::Local), Vec::<&str>::new(), "{why}");
        assert_eq!(names(&loaded, LayerKind::Project), [".rules/y.rules"], "{why}");
    };
    is_passed_over("everybody can write the directory that it is in");
    // Only its owner could have created it in a directory that others cannot write to.
    machine.mode("shared", 0o755);
    assert_eq!(codes(&machine.load(), LayerKind::Project), ["layer-refused"]);
    assert!(give_away(&machine, "shared"));
    is_passed_over("the directory that it is in is the stranger's");
    // A policy in a project owned by that account is rejected, too.
    assert!(give_away(&machine, "shared/mine"));
    assert_eq!(codes(&machine.load(), LayerKind::Project), ["layer-refused"]);
    fs::remove_dir_all(machine.dir.join("shared/.rules")).unwrap();
    symlink("mine/.rules", machine.dir.join("shared/.rules")).unwrap();
    assert!(give_away(&machine, "shared/.rules"));
    machine.mode("shared", 0o777);
    is_passed_over("a link of the stranger's");
}

#[test]
#[cfg(unix)]
fn what_is_ones_own_counts_however_open_the_directory_is() {
    let machine = Machine::new("mono/pkg", &[("mono/.rules/x.rules", RULE)]);
    machine.mode("mono", 0o777);
    assert_eq!(names(&machine.load(), LayerKind::Project), ["../.rules/x.rules"]);
    machine.mode("mono/.rules", 0o777);
    assert_eq!(codes(&machine.load(), LayerKind::Project), ["layer-refused"]);
}

#[test]
fn a_used_file_comes_before_the_first_that_uses_it_and_once() {
    let machine = Machine::new(
        "repo",
        &[
            ("repo/.rules/a.rules", "use \"./z.rules\"\nuse \"std/git\"\n"),
            ("repo/.rules/b.rules", "use \"z.rules\"\nuse \"std/git\"\n"),
            ("repo/.rules/z.rules", RULE),
        ],
    );
    let loaded = machine.load();
    let project = layer(&loaded, LayerKind::Project);
    assert_eq!(project.diagnostics, []);
    assert_eq!(names(&loaded, LayerKind::Project), [".rules/z.rules", "std/git", ".rules/a.rules", ".rules/b.rules"]);
    let uses: Vec<&[Option<usize>]> = project.files.iter().map(|file| file.uses.as_slice()).collect();
    assert_eq!(uses, [&[][..], &[], &[Some(0), Some(1)], &[Some(0), Some(1)]]);
    let packs: Vec<Option<&str>> = project.files.iter().map(|file| file.pack.as_deref()).collect();
    assert_eq!(packs, [None, Some("std/git"), None, None]);
}

#[test]
fn a_project_may_use_files_beside_its_policy() {
    check_project(
        &[("repo/.rules/a.rules", "use \"../policies/x.rules\"\n"), ("repo/policies/x.rules", RULE)],
        &["policies/x.rules", ".rules/a.rules"],
    );
    let machine = Machine::new(
        "mono/pkg",
        &[
            ("mono/.rules/o.rules", RULE),
            ("mono/policies/x.rules", RULE),
            ("mono/pkg/.rules/a.rules", "use \"../../policies/x.rules\"\n"),
        ],
    );
    assert_eq!(
        names(&machine.load(), LayerKind::Project),
        ["../.rules/o.rules", "../policies/x.rules", ".rules/a.rules"]
    );
}

#[test]
fn a_use_that_cannot_be_is_reported_at_its_place() {
    let using = |text: &'static str| [("repo/.rules/a.rules", text), ("secret.rules", RULE), ("secret", "key")];
    check_problem(&using("use \"./missing.rules\"\n"), Code::BAD_USE, "does not exist");
    check_problem(&using("use \"../../secret.rules\"\n"), Code::BAD_USE, "is outside");
    check_problem(&using("use \"../../secret\"\n"), Code::BAD_USE, "does not name a `.rules` file");
    check_problem(&using("use \"git\"\n"), Code::BAD_USE, "does not name a `.rules` file");
    check_problem(&using("use \"/etc/x.rules\"\n"), Code::BAD_USE, "relative");
    check_problem(&using("use \"~/x.rules\"\n"), Code::BAD_USE, "relative");
    check_problem(&using("use \"std/gti\"\n"), Code::UNKNOWN_NAME, "unknown pack");
}

#[test]
fn an_unknown_pack_is_answered_with_the_nearest() {
    let machine = Machine::new("repo", &[("repo/.rules/a.rules", "use \"std/gti\"\n")]);
    let loaded = machine.load();
    let found = layer(&loaded, LayerKind::Project).diagnostics.first().unwrap();
    assert_eq!(found.help.as_deref(), Some("a pack named `std/git` exists"));
    assert_eq!(loaded.sources.location(found.span().unwrap()), ".rules/a.rules:1:5");
}

#[test]
#[cfg(unix)]
fn links_cannot_lead_a_use_out_of_the_project() {
    let machine = Machine::new("repo", &[("repo/.rules/a.rules", "use \"./out/x.rules\"\n"), ("other/x.rules", RULE)]);
    symlink(machine.dir.join("other"), machine.dir.join("repo/.rules/.out")).unwrap();
    machine.write("repo/.rules/a.rules", "use \"./.out/x.rules\"\n");
    let loaded = machine.load();
    assert_eq!(codes(&loaded, LayerKind::Project), ["bad-use"]);
    assert_eq!(names(&loaded, LayerKind::Project), [".rules/a.rules"]);
}

#[test]
fn files_that_use_each_other_are_circular() {
    check_problem(
        &[("repo/.rules/a.rules", "use \"./b.rules\"\n"), ("repo/.rules/b.rules", "use \"./a.rules\"\n")],
        Code::CIRCULAR,
        "leads back",
    );
    check_problem(&[("repo/.rules/a.rules", "use \"./a.rules\"\n")], Code::CIRCULAR, "leads back");
}

#[test]
fn a_chain_of_uses_is_bounded() {
    let texts: Vec<(String, String)> = (0..100)
        .map(|n| (format!("repo/.rules/f{n:03}.rules"), format!("use \"./f{:03}.rules\"\n", (n + 1) % 200)))
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let loaded = Machine::new("repo", &files).load();
    assert!(codes(&loaded, LayerKind::Project).contains(&"too-deep-or-big"));
}

#[test]
#[cfg(unix)]
fn sources_are_plain_files_of_text_within_their_limits() {
    let big = "#".repeat(1024 * 1024 + 1);
    check_problem(&[("repo/.rules/a.rules", &big)], Code::TOO_DEEP, "1 MiB");
    let machine = Machine::new("repo", &[("repo/.rules/ok.rules", RULE)]);
    let rules = machine.dir.join("repo/.rules");
    fs::write(rules.join("latin.rules"), b"# \xe9\n").unwrap();
    nix::unistd::mkfifo(&rules.join("fifo.rules"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    symlink("/dev/zero", rules.join("link.rules")).unwrap();
    symlink("/etc", rules.join("directory")).unwrap();
    let loaded = machine.load();
    let mut found = codes(&loaded, LayerKind::Project);
    found.sort_unstable();
    assert_eq!(found, ["encoding", "layer-refused", "layer-refused", "layer-refused"]);
    assert_eq!(names(&loaded, LayerKind::Project), [".rules/ok.rules"]);
}

#[test]
fn a_layer_has_a_bound_of_bytes() {
    let text = "#".repeat(1_000_000);
    let paths: Vec<String> = (0..4).map(|n| format!("repo/.rules/{n}.rules")).collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), text.as_str())).collect();
    check_project(&files, &[".rules/0.rules", ".rules/1.rules", ".rules/2.rules", ".rules/3.rules"]);
    let one_more: Vec<(&str, &str)> = files.iter().copied().chain([("repo/.rules/4.rules", text.as_str())]).collect();
    check_problem(&one_more, Code::TOO_DEEP, "4 MiB");
}

#[test]
fn a_layer_has_a_bound_of_parts() {
    // Each comment is a part.
    let file = |comments: u64| "#\n".repeat(usize::try_from(comments).unwrap());
    let most = LayerKind::Local.limits().parts - 2 * FILE_PARTS;
    let (half, rest) = (file(most / 2), file(most - most / 2));
    check_project(
        &[("repo/.rules/a.rules", &half), ("repo/.rules/b.rules", &rest)],
        &[".rules/a.rules", ".rules/b.rules"],
    );
    let machine = Machine::new("repo", &[("repo/.rules/local/a.rules", &half), ("repo/.rules/local/b.rules", &rest)]);
    assert_eq!(codes(&machine.load(), LayerKind::Local), [""; 0]);
    machine.write("repo/.rules/local/c.rules", RULE);
    let loaded = machine.load();
    let [found] = layer(&loaded, LayerKind::Local).diagnostics.as_slice() else { panic!("{loaded:?}") };
    assert_eq!(found.message, "`.rules/local/c.rules` takes the local policy over its limit of parts");
}

#[test]
fn settings_have_a_bound_of_bytes() {
    let most = "#".repeat(SETTINGS_BYTES);
    check_project(&[("repo/.rules/rules.toml", &most)], &[]);
    check_problem(&[("repo/.rules/rules.toml", &format!("{most}#"))], Code::TOO_DEEP, "64 KiB");
}

#[test]
#[cfg(unix)]
fn a_directory_that_others_can_write_is_refused() {
    let machine = Machine::new("repo", &[("repo/.rules/a.rules", RULE), ("repo/.rules/local/b.rules", RULE)]);
    fs::set_permissions(machine.dir.join("repo/.rules"), fs::Permissions::from_mode(0o777)).unwrap();
    let loaded = machine.load();
    assert_eq!(codes(&loaded, LayerKind::Project), ["layer-refused"]);
    assert_eq!(codes(&loaded, LayerKind::Local), ["layer-refused"]);
    assert!(layer(&loaded, LayerKind::Project).files.is_empty());
}

#[test]
#[cfg(unix)]
fn a_source_that_others_can_write_is_refused() {
    let files = [
        ("repo/.rules/a.rules", "use \"../policies/x.rules\"\n"),
        ("repo/.rules/more/b.rules", RULE),
        ("repo/.rules/rules.toml", "on_error = \"deny\"\n"),
        ("repo/policies/x.rules", RULE),
    ];
    for (path, shown, mode) in [
        ("repo/.rules/a.rules", ".rules/a.rules", 0o646),
        ("repo/.rules/rules.toml", ".rules/rules.toml", 0o646),
        ("repo/.rules/more", ".rules/more", 0o777),
        ("repo/policies/x.rules", "policies/x.rules", 0o666),
    ] {
        let machine = Machine::new("repo", &files);
        machine.mode(path, mode);
        let loaded = machine.load();
        let [found] = layer(&loaded, LayerKind::Project).diagnostics.as_slice() else { panic!("{path}: {loaded:?}") };
        assert_eq!(found.message, format!("`{shown}` is not read: world-writable"));
        assert_eq!(found.help, Some(format!("run `chmod o-w {}`", machine.dir.join(path).display())));
        // Group write access is accepted for a file of `umask 002`, as for a directory.
        machine.mode(path, mode & 0o775);
        assert_eq!(codes(&machine.load(), LayerKind::Project), Vec::<&str>::new(), "{path}");
        if give_away(&machine, path) {
            let loaded = machine.load();
            let [found] = layer(&loaded, LayerKind::Project).diagnostics.as_slice() else { panic!("{path}") };
            assert_eq!(found.message, format!("`{shown}` is not read: owned by another user"));
        }
    }
}

#[test]
#[cfg(unix)]
fn whose_a_named_file_is_nobody_asks() {
    let machine = Machine::new("repo", &[("repo/.rules/a.rules", RULE)]);
    machine.mode("repo/.rules/a.rules", 0o666).mode("repo/.rules", 0o777);
    let loaded = load_paths(&[machine.dir.join("repo")]);
    assert_eq!(codes(&loaded, LayerKind::Project), Vec::<&str>::new());
    assert_eq!(names(&loaded, LayerKind::Project).len(), 1);
}

#[test]
fn the_name_of_a_source_is_one_line() {
    let machine = Machine::new("repo", &[("repo/.rules/a\nSYSTEM: b\u{2028}\u{1b}[1m.rules", "rule {")]);
    let loaded = machine.load();
    assert_eq!(names(&loaded, LayerKind::Project), [".rules/a\\nSYSTEM: b\\u{2028}\\u{1b}[1m.rules"]);
}

#[test]
fn a_policy_directory_that_is_no_directory_is_refused() {
    check_problem(&[("repo/.rules", "text")], Code::LAYER_REFUSED, "not a directory");
}

#[test]
#[cfg(unix)]
fn a_policy_directory_that_leads_elsewhere_is_refused() {
    let machine = Machine::new("repo", &[("other/a.rules", RULE)]);
    symlink(machine.dir.join("other"), machine.dir.join("repo/.rules")).unwrap();
    assert_eq!(codes(&machine.load(), LayerKind::Project), ["layer-refused"]);
}

#[test]
fn a_broken_layer_hides_no_other() {
    let machine = Machine::new("repo", &[("user/u.rules", RULE), ("repo/.rules/p.rules", "rule {{{\n")]);
    let loaded = machine.load();
    assert!(!codes(&loaded, LayerKind::Project).is_empty());
    assert_eq!(codes(&loaded, LayerKind::User), Vec::<&str>::new());
    assert_eq!(layer(&loaded, LayerKind::User).files.len(), 1);
}

#[test]
fn settings_of_a_layer_add_up_from_the_outermost() {
    let machine = Machine::new(
        "repo/sub",
        &[
            ("repo/.git/HEAD", ""),
            ("repo/.rules/rules.toml", "on_error = \"deny\"\n"),
            ("repo/sub/.rules/rules.toml", "on_error = \"ask\"\n[log]\nlevl = 1\n"),
        ],
    );
    let loaded = machine.load();
    assert_eq!(layer(&loaded, LayerKind::Project).settings.on_error, Some(OnError::Deny));
    assert_eq!(codes(&loaded, LayerKind::Project), ["unknown-key"]);
    let found = layer(&loaded, LayerKind::Project).diagnostics.first().unwrap();
    assert_eq!(loaded.sources.location(found.span().unwrap()), ".rules/rules.toml:3:1");
    assert!(layer(&loaded, LayerKind::Project).exists);
}

#[test]
fn a_layer_without_a_time_zone_has_that_of_the_project_around_it() {
    let machine = Machine::new(
        "repo",
        &[
            ("user/rules.toml", "zone = \"Asia/Kathmandu\"\n"),
            ("user/u.rules", RULE),
            ("repo/.rules/rules.toml", "zone = \"Europe/Berlin\"\n"),
            ("repo/.rules/a.rules", RULE),
            ("repo/.rules/local/b.rules", RULE),
            ("repo/api/.rules/c.rules", RULE),
            ("repo/ui/.rules/rules.toml", "zone = \"America/Lima\"\n"),
            ("repo/ui/.rules/d.rules", RULE),
        ],
    );
    let zone = |loaded: &LoadedSources, kind| layer(loaded, kind).settings.zone.clone().map(|zone| zone.name);
    let loaded = machine.load();
    assert_eq!(zone(&loaded, LayerKind::User).as_deref(), Some("Asia/Kathmandu"));
    assert_eq!(zone(&loaded, LayerKind::Project).as_deref(), Some("Europe/Berlin"));
    assert_eq!(zone(&loaded, LayerKind::Local).as_deref(), Some("Europe/Berlin"));
    for (directory, expected) in [("repo/api", "Europe/Berlin"), ("repo/ui", "America/Lima")] {
        let directory = NestedDirectory { path: machine.dir.join(directory), is_foreign: false };
        let loaded = discover_nested(&machine.places, &directory).load();
        assert_eq!(zone(&loaded, LayerKind::Project).as_deref(), Some(expected));
    }
}

#[test]
fn an_edit_is_seen_as_if_it_were_written() {
    let machine = Machine::new("repo", &[("repo/.rules/a.rules", RULE)]);
    let edited = |path: &str, text: &str| load_with_edit(&machine.places, &machine.dir.join(path), text);
    assert!(!codes(&edited("repo/.rules/a.rules", "rule {"), LayerKind::Project).is_empty());
    let loaded = edited("repo/.rules/b.rules", RULE);
    assert_eq!(names(&loaded, LayerKind::Project), [".rules/a.rules", ".rules/b.rules"]);
    assert_eq!(codes(&edited("repo/.rules/rules.toml", "x = 1"), LayerKind::Project), ["unknown-key"]);
    assert_eq!(names(&edited("repo/.rules/local/c.rules", RULE), LayerKind::Local), [".rules/local/c.rules"]);
    assert_eq!(names(&edited("repo/src/x.rules", RULE), LayerKind::Project), [".rules/a.rules"]);
    assert!(!machine.dir.join("repo/.rules/b.rules").exists());
}

#[test]
fn named_paths_are_layers_of_their_own() {
    let machine = Machine::new(
        "repo",
        &[
            ("repo/.rules/a.rules", RULE),
            ("repo/.rules/rules.toml", "on_error = \"deny\"\n"),
            ("packs/one.rules", "use \"./two.rules\"\n"),
            ("packs/two.rules", RULE),
        ],
    );
    let path = |path: &str| machine.dir.join(path);
    let loaded = load_paths(&[path("repo"), path("packs"), path("packs/one.rules"), path("missing")]);
    let files: Vec<usize> = loaded.layers.iter().map(|layer| layer.files.len()).collect();
    assert_eq!(files, [1, 2, 2, 0]);
    let problems: Vec<usize> = loaded.layers.iter().map(|layer| layer.diagnostics.len()).collect();
    assert_eq!(problems, [0, 0, 0, 1]);
    assert_eq!(loaded.layers.first().unwrap().settings.on_error, Some(OnError::Deny));
}

#[test]
#[cfg(unix)]
fn a_named_directory_without_a_policy_leaves_out_what_is_not_its_project() {
    let machine = Machine::new(
        "repo",
        &[
            ("repo/.git/HEAD", "ref: refs/heads/main\n"),
            ("repo/.gitignore", "dist/\n"),
            ("repo/web/own.rules", RULE),
            ("repo/web/dist/built.rules", "rule {"),
            ("repo/web/clone/.git", "gitdir: elsewhere\n"),
            ("repo/web/clone/other.rules", "rule {"),
            ("repo/web/node_modules/dependency/its.rules", "rule {"),
            ("repo/ui/ui.rules", RULE),
        ],
    );
    let path = |path: &str| machine.dir.join(path);
    symlink("../../ui", path("repo/web/node_modules/ui")).unwrap();
    symlink("../ui", path("repo/web/dist/ui")).unwrap();
    let check = |named: &str, expected: &[&str]| {
        let loaded = load_paths(&[path(named)]);
        let [layer] = loaded.layers.as_slice() else { panic!("{loaded:?}") };
        let names = layer.texts.iter().filter_map(|id| loaded.sources.file_by_id(*id)).filter_map(|it| it.path.clone());
        let names: Vec<String> = names.filter_map(|it| Some(it.file_name()?.to_string_lossy().into_owned())).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!((names.as_slice(), layer.diagnostics.len()), (expected, 0), "{layer:?}");
    };
    check("repo/web", &["own.rules"]);
    // A link that is named is the directory to which it leads.
    check("repo/web/node_modules/ui", &["ui.rules"]);
    // A link in a part of the project still stops the command.
    symlink("../ui", path("repo/web/shared")).unwrap();
    let loaded = load_paths(&[path("repo/web")]);
    assert_eq!(codes(&loaded, LayerKind::Project), ["layer-refused"]);
}

#[test]
fn a_named_directory_that_git_ignores_is_read() {
    let machine = Machine::new(
        "repo",
        &[
            ("repo/.git/HEAD", "ref: refs/heads/main\n"),
            ("repo/.gitignore", "dist/\n"),
            ("repo/dist/packs/one.rules", RULE),
        ],
    );
    for named in ["repo/dist", "repo/dist/packs"] {
        let loaded = load_paths(&[machine.dir.join(named)]);
        assert_eq!(names(&loaded, LayerKind::Project).len(), 1, "{named}");
    }
}

#[test]
fn the_machines_places_do_not_come_from_the_environment() {
    let places = MachinePlaces::on_this_machine(None);
    let managed = if cfg!(windows) { "C:/Program Files/rules" } else { "/etc/rules" };
    assert_eq!(places.managed, Path::new(managed));
    assert_eq!(places.user, account_home().map(|home| home.join(".config/rules")));
}
