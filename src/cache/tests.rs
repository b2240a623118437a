//! Valid caches, and everything that invalidates one.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use serde_json::json;

use super::*;
use crate::context::{Context, ShellTools};
use crate::eval::{self, TraceDetail};
use crate::facts::StatedFacts;
use crate::host::{DecodedPayload, Host, decode};
use crate::image::ByteSource;
use crate::platform::file::write_all_at;
use crate::project::tests::Machine;
use crate::ruleset::{RuleSet, Rules};

/// A policy with one message for every call.
fn says(message: &str) -> String {
    format!("rule a {{\n  on PreToolUse(Bash)\n  when runs \"git\"\n  deny \"{message}\"\n}}\n")
}

const SOURCE: &str = "repo/.rules/a.rules";

impl Machine {
    /// A machine whose project is the repository `repo`, with a cache.
    fn caching(files: &[(&str, &str)]) -> Self {
        let mut machine = Self::new("repo", files);
        machine.places.cache = Some(machine.dir.join("cache"));
        machine.write("repo/.git/HEAD", "ref: refs/heads/main\n");
        machine
    }

    /// A machine whose policy was requested once.
    fn kept(message: &str) -> Self {
        let machine = Self::caching(&[(SOURCE, &says(message))]);
        machine.ask();
        assert!(machine.is_kept());
        machine
    }

    fn policy(&self) -> ReadyPolicy {
        policy(&self.places, CacheMode::Cached)
    }

    fn is_kept(&self) -> bool {
        matches!(self.policy(), ReadyPolicy::Cached(_))
    }

    /// Requests the policy as a hook does, and caches it if necessary.
    fn ask(&self) -> String {
        let compiled = match self.policy() {
            ReadyPolicy::Compiled(compiled) => compiled,
            ReadyPolicy::Cached(kept) => match message(&kept.rules) {
                Ok(said) => {
                    ReadyPolicy::Cached(kept).keep();
                    return said;
                }
                Err(DamagedImage) => Box::new(CompiledPolicy::from_sources(&self.places)),
            },
        };
        let Ok(said) = message(&compiled.policy.rules);
        ReadyPolicy::Compiled(compiled).keep();
        said
    }

    /// Returns the only file in the cache directory.
    fn file(&self) -> PathBuf {
        let names: Vec<PathBuf> = fs::read_dir(self.dir.join("cache")).unwrap().map(|it| it.unwrap().path()).collect();
        let [only] = names.as_slice() else { panic!("{names:?}") };
        only.clone()
    }
}

/// Returns the message for a call.
fn message<R: Rules>(rules: &R) -> Result<String, R::Error> {
    let call = json!({
        "session_id": "s", "cwd": "/project", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "git push" },
    });
    let DecodedPayload::Event { payload, .. } = decode(Host::CLAUDE_CODE, call.to_string().as_bytes()) else {
        panic!()
    };
    let (facts, tools) = (StatedFacts::for_examples(), ShellTools::default());
    let context = Context::new(&payload, Host::CLAUDE_CODE.name(), &facts, &tools);
    Ok(eval::decide(rules, &context, TraceDetail::Outcomes)?.verdict.message())
}

#[test]
#[cfg(unix)]
fn a_policy_is_kept_and_says_the_same() {
    let machine = Machine::kept("no");
    assert_eq!(machine.ask(), "no");
    assert_eq!(fs::metadata(machine.dir.join("cache")).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(machine.file()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn the_settings_are_kept_too() {
    let machine = Machine::kept("no");
    let settings = "on_error = \"deny\"\n[log]\nlevel = \"all\"\n[shell.tools]\n\"mcp__x\" = \"script\"\n\
                    [notifications]\nenabled = true\nchannel = \"command\"\ncommand = [\"say\"]\n";
    machine.write("user/rules.toml", settings);
    let mut made = machine.policy();
    let expected = made.settings().clone();
    made.keep();
    assert!(machine.is_kept());
    assert_eq!(*machine.policy().settings(), expected);
    assert_eq!(expected.shell_tools.members("mcp__x", LayerKind::Local), ["script"]);
}

/// A change of a machine.
type Change = fn(&Machine);

#[test]
fn whatever_changes_is_seen() {
    let changes: [(&str, Change); 9] = [
        ("the same size in the same second", |machine| machine.write(SOURCE, &says("ON"))),
        ("another file in its place", |machine| {
            machine.write("repo/.rules/b", &says("ON"));
            fs::rename(machine.dir.join("repo/.rules/b"), machine.dir.join(SOURCE)).unwrap();
        }),
        ("a new file", |machine| {
            machine.write("repo/.rules/b.rules", &says("ON").replace("rule a", "rule b"));
            machine.write(SOURCE, &says("ON"));
        }),
        ("a new directory", |machine| {
            machine.write("repo/.rules/sub/b.rules", &says("and").replace("rule a", "rule b"));
        }),
        ("a layer", |machine| machine.write("user/b.rules", &says("and"))),
        ("a local layer", |machine| machine.write("repo/.rules/local/b.rules", &says("and"))),
        ("settings", |machine| machine.write("repo/.rules/rules.toml", "on_error = \"deny\"\n")),
        ("what was above", |machine| {
            fs::remove_dir_all(machine.dir.join("repo/.git")).unwrap();
            machine.write(".git/HEAD", "ref: refs/heads/main\n");
            machine.write(".rules/b.rules", &says("above").replace("rule a", "rule b"));
        }),
        ("what it uses", |machine| machine.write("repo/used.rules", "let word = \"used\"\n")),
    ];
    for (what, change) in changes {
        let machine = Machine::caching(&[(SOURCE, &says("no"))]);
        if what == "what it uses" {
            machine.write(SOURCE, &format!("use \"../used.rules\"\n{}", says("no")));
            machine.write("repo/used.rules", "let word = \"not\"\n");
        }
        machine.ask();
        assert!(machine.is_kept(), "{what}");
        change(&machine);
        let ReadyPolicy::Compiled(compiled) = machine.policy() else { panic!("{what}: what was kept is used") };
        let Ok(expected) = message(&compiled.policy.rules);
        machine.policy().keep();
        assert!(machine.is_kept(), "{what}: not kept again");
        assert_eq!(machine.ask(), expected, "{what}");
    }
}

#[test]
#[cfg(unix)]
fn what_is_written_beside_the_sources_makes_nothing_anew() {
    let machine = Machine::kept("no");
    let written = fs::metadata(machine.file()).unwrap();
    for path in ["repo/.rules/log/a.jsonl", "repo/.rules/log/.gitignore", "repo/.rules/notes.md"] {
        machine.write(path, "x");
        assert!(machine.is_kept(), "{path}");
        assert_eq!(machine.ask(), "no", "{path}");
    }
    assert!(same_file(&fs::metadata(machine.file()).unwrap(), &written), "it may be written into once more");
    // Once its times are reliable, they are used.
    let ReadyPolicy::Cached(kept) = machine.policy() else { panic!() };
    let touched = kept.inputs.iter().find(|seen| matches!(seen.check(), InputCheck::NewTimes(_)));
    assert!(touched.is_some());
    machine.write("repo/.rules/b.rules", &says("and").replace("rule a", "rule b"));
    assert!(!machine.is_kept());
}

#[cfg(unix)]
fn same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.ino(), one.mtime(), one.mtime_nsec()) == (other.ino(), other.mtime(), other.mtime_nsec())
}

#[test]
fn a_clock_that_jumps_changes_no_answer() {
    let machine = Machine::kept("no");
    let path = machine.dir.join(SOURCE);
    let hours = |hours: u64| std::time::Duration::from_secs(3600 * hours);
    let now = fs::metadata(&path).unwrap().modified().unwrap();
    for time in [now + hours(24), now - hours(24), now + hours(24 * 365 * 300), now] {
        for text in ["on", "no"] {
            machine.write(SOURCE, &says(text));
            fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
            assert_eq!(machine.ask(), text);
            assert!(machine.is_kept());
            assert_eq!(machine.ask(), text);
        }
    }
}

#[test]
fn no_byte_can_change_unseen() {
    let machine = Machine::kept("no");
    let path = machine.file();
    let file = fs::File::options().read(true).write(true).open(&path).unwrap();
    let whole = fs::read(&path).unwrap();
    let (header, image) = open(file.try_clone().unwrap()).unwrap();
    let image = image.read_whole().unwrap();
    for (at, byte) in (0..).zip(&whole) {
        write_all_at(&file, &[byte ^ (1 << (at % 8))], at).unwrap();
        if let Ok((changed, blocks)) = open(file.try_clone().unwrap()) {
            assert_eq!(changed, header, "{at}");
            assert!(blocks.read_whole().is_err() && blocks.read(0, image.len()).is_err(), "{at}");
            let entries = (0..image.len() as u64 / 8).map(|number| blocks.entry(8 * number));
            assert!(entries.clone().any(|entry| entry.is_err()), "{at}");
            for (expected, entry) in image.as_chunks::<8>().0.iter().zip(entries) {
                assert!(entry.is_err() || entry == Ok(*expected), "{at}");
            }
        }
        write_all_at(&file, &[*byte], at).unwrap();
    }
}

#[test]
fn a_damaged_byte_changes_no_answer() {
    let machine = Machine::kept("no");
    let whole = fs::read(machine.file()).unwrap();
    for at in (0..whole.len()).step_by(61) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(machine.file(), &damaged).unwrap();
        assert_eq!(machine.ask(), "no", "{at}");
        assert!(machine.is_kept());
        assert_eq!(machine.ask(), "no", "{at}");
    }
}

#[test]
fn one_that_was_cut_off_or_grew_is_passed_over() {
    let machine = Machine::kept("no");
    let path = machine.file();
    let whole = fs::read(&path).unwrap();
    let file = fs::File::options().read(true).write(true).open(&path).unwrap();
    for length in (0..whole.len()).rev() {
        file.set_len(length as u64).unwrap();
        assert!(open(file.try_clone().unwrap()).is_err(), "{length}");
    }
    drop(file);
    for bytes in [&b""[..], b"rules 03", &[0; 4096], &[whole.as_slice(), &[0; 4096]].concat()] {
        fs::write(&path, bytes).unwrap();
        assert!(!machine.is_kept());
        assert_eq!(machine.ask(), "no");
        assert!(machine.is_kept());
    }
}

#[test]
fn a_block_of_another_file_or_place_is_refused() {
    let machine = Machine::kept("no");
    let whole = fs::read(machine.file()).unwrap();
    let blocks = whole.len() / 4096;
    machine.write(SOURCE, &says("on"));
    machine.ask();
    let other = fs::read(machine.file()).unwrap();
    for at in 0..blocks {
        let mut mixed = other.clone();
        mixed[at * 4096..][..4096].copy_from_slice(&whole[at * 4096..][..4096]);
        fs::write(machine.file(), &mixed).unwrap();
        assert_eq!(machine.ask(), "on", "{at}");
        let mut swapped = other.clone();
        swapped.copy_within(4096.., 0);
        fs::write(machine.file(), &swapped).unwrap();
        assert_eq!(machine.ask(), "on", "{at}");
    }
}

#[test]
#[cfg(unix)]
fn a_directory_that_others_can_write_is_not_used() {
    let machine = Machine::kept("no");
    let directory = machine.dir.join("cache");
    for mode in [0o777, 0o720, 0o702] {
        fs::set_permissions(&directory, fs::Permissions::from_mode(mode)).unwrap();
        assert!(!machine.is_kept(), "{mode:o}");
        assert_eq!(machine.ask(), "no");
    }
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(machine.file(), fs::Permissions::from_mode(0o666)).unwrap();
    assert!(!machine.is_kept());
    assert_eq!(machine.ask(), "no");
    assert!(machine.is_kept(), "it was replaced");
}

#[test]
#[cfg(unix)]
fn what_another_account_owns_is_not_used() {
    // Only root can change the owner of a file.
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let machine = Machine::kept("no");
    let (directory, file) = (machine.dir.join("cache"), machine.file());
    for path in [&directory, &file] {
        std::os::unix::fs::lchown(path, Some(65534), None).unwrap();
        assert!(!machine.is_kept());
        assert_eq!(machine.ask(), "no");
        if path == &file {
            assert!(machine.is_kept(), "it was replaced");
        }
        std::os::unix::fs::lchown(path, Some(0), None).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn a_directory_that_cannot_be_used_does_no_harm() {
    let machine = Machine::caching(&[(SOURCE, &says("no"))]);
    machine.write("file", "");
    let mut places = machine.places.clone();
    for place in [Some("file"), Some("file/cache"), Some("/dev/null"), Some("/proc/rules"), None] {
        places.cache = place.map(|place| machine.dir.join(place));
        let ReadyPolicy::Compiled(compiled) = policy(&places, CacheMode::Cached) else { panic!("{place:?}") };
        assert_eq!(message(&compiled.policy.rules), Ok("no".to_owned()));
        ReadyPolicy::Compiled(compiled).keep();
    }
    // Root can write even without permission.
    if !nix::unistd::geteuid().is_root() {
        fs::create_dir(machine.dir.join("cache")).unwrap();
        fs::set_permissions(machine.dir.join("cache"), fs::Permissions::from_mode(0o500)).unwrap();
        assert_eq!(machine.ask(), "no");
        assert_eq!(machine.ask(), "no");
    }
}

#[test]
#[cfg(unix)]
fn no_link_is_followed() {
    let machine = Machine::kept("no");
    let (directory, moved) = (machine.dir.join("cache"), machine.dir.join("moved"));
    fs::rename(&directory, &moved).unwrap();
    symlink(&moved, &directory).unwrap();
    assert!(!machine.is_kept());
    assert_eq!(machine.ask(), "no");
    fs::remove_file(&directory).unwrap();
    fs::rename(&moved, &directory).unwrap();
    let (file, elsewhere) = (machine.file(), machine.dir.join("elsewhere"));
    fs::rename(&file, &elsewhere).unwrap();
    symlink(&elsewhere, &file).unwrap();
    assert!(!machine.is_kept());
    let before = fs::read(&elsewhere).unwrap();
    machine.ask();
    assert!(machine.is_kept(), "the link was replaced");
    assert_eq!(fs::read(&elsewhere).unwrap(), before);
}

#[test]
fn nothing_is_kept_of_nothing_or_of_what_does_not_load() {
    for files in [&[][..], &[("repo/.rules/rules.toml", "")], &[(SOURCE, "rule {")]] {
        let machine = Machine::caching(files);
        machine.policy().keep();
        assert!(!machine.is_kept());
        let left = fs::read_dir(machine.dir.join("cache")).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{files:?}");
    }
}

/// A file that is made and removed would be the most expensive part of a hook without a policy.
#[test]
fn directories_without_files_cost_no_file() {
    let machine = Machine::caching(&[]);
    fs::create_dir_all(machine.dir.join("repo/.rules")).unwrap();
    assert!(matches!(machine.policy(), ReadyPolicy::Compiled(_)));
    assert!(!machine.dir.join("cache").exists());
    machine.write(SOURCE, &says("m"));
    machine.ask();
    assert!(machine.is_kept());
}

#[test]
fn the_administrators_policy_is_made_of_its_sources_each_time() {
    let machine = Machine::kept("no");
    fs::create_dir(machine.dir.join("etc")).unwrap();
    machine.ask();
    assert!(machine.is_kept(), "a directory without anything in it is no policy");
    machine.write("etc/managed.rules", &says("managed"));
    assert!(!machine.is_kept());
    machine.ask();
    assert!(!machine.is_kept());
    assert!(machine.ask().contains("managed"));
}

/// Replaces a cached policy by one without rules, so that it is valid.
pub(crate) fn forge(kept: &Path) {
    let (header, _) = open(fs::File::open(kept).unwrap()).unwrap();
    let forged = RuleSet::default().image();
    blocks::write(&mut fs::File::create(kept).unwrap(), &to_bytes(&header), &forged).unwrap();
}

#[test]
fn a_forged_policy_is_found_out_when_a_session_begins() {
    let machine = Machine::kept("no");
    forge(&machine.file());
    let ReadyPolicy::Compiled(compiled) = policy(&machine.places, CacheMode::Recompiled) else { panic!() };
    assert!(compiled.was_forged);
    ReadyPolicy::Compiled(compiled).keep();
    assert_eq!(machine.ask(), "no");
    let ReadyPolicy::Compiled(compiled) = policy(&machine.places, CacheMode::Recompiled) else { panic!() };
    assert!(!compiled.was_forged);
    // A stale cache is not a forgery.
    machine.write(SOURCE, &says("on"));
    let ReadyPolicy::Compiled(compiled) = policy(&machine.places, CacheMode::Recompiled) else { panic!() };
    assert!(!compiled.was_forged);
}

#[test]
fn those_who_write_at_once_leave_one_whole_policy() {
    let machine = Machine::caching(&[(SOURCE, &says("no"))]);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(machine.ask(), "no");
                    let _gone = fs::remove_dir_all(machine.dir.join("cache"));
                }
            });
        }
    });
    machine.ask();
    assert!(machine.is_kept());
    machine.file();
}

/// A process that was killed while writing leaves a file whose name the next process with that id wants.
#[test]
fn what_was_left_half_written_is_in_nobodys_way() {
    let machine = Machine::kept("no");
    let kept = machine.file();
    let name = kept.file_stem().unwrap().to_str().unwrap().to_owned();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * 3600);
    for number in 0..2_000 {
        let path = format!("cache/.{name}.{}-{number}.new", std::process::id());
        machine.write(&path, "");
        fs::File::options().write(true).open(machine.dir.join(path)).unwrap().set_modified(old).unwrap();
    }
    fs::remove_file(&kept).unwrap();
    machine.ask();
    assert!(machine.is_kept());
    assert_eq!(machine.file(), kept, "the others are gone too");
    // A file that may still be written is kept.
    for number in 0..2_000 {
        machine.write(&format!("cache/.{name}.{}-{number}.new", std::process::id()), "");
    }
    fs::remove_file(&kept).unwrap();
    assert_eq!(machine.ask(), "no");
    assert_eq!(fs::read_dir(machine.dir.join("cache")).unwrap().count(), 2_000);
}

#[test]
fn old_policies_go() {
    let machine = Machine::kept("no");
    let kept = machine.file();
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    for number in 0..100 {
        machine.write(&format!("cache/{number:032}.policy"), "");
        let path = machine.dir.join(format!("cache/{number:032}.policy"));
        fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
    }
    machine.write("cache/.x.new", "");
    machine.write("cache/other", "");
    fs::File::options().write(true).open(machine.dir.join("cache/.x.new")).unwrap().set_modified(old).unwrap();
    machine.write(SOURCE, &says("on"));
    machine.ask();
    assert!(kept.exists() && machine.is_kept());
    assert!(machine.dir.join("cache/other").exists(), "what is not ours stays");
    assert!(!machine.dir.join("cache/.x.new").exists());
    let count = || fs::read_dir(machine.dir.join("cache")).unwrap().count();
    assert_eq!(count(), 64 + 1);
    // A sparse file.
    let huge = fs::File::create(machine.dir.join("cache/huge.policy")).unwrap();
    huge.set_len(1 << 30).unwrap();
    huge.set_modified(old + std::time::Duration::from_secs(1)).unwrap();
    drop(huge);
    machine.write(SOURCE, &says("no"));
    machine.ask();
    assert!(machine.is_kept());
    assert_eq!(count(), 1 + 1, "the huge one and all that is older");
}

#[test]
fn the_same_rules_make_the_same_bytes() {
    let one = Machine::kept("no");
    let (_, image) = open(fs::File::open(one.file()).unwrap()).unwrap();
    let other = Machine::kept("no");
    let (_, again) = open(fs::File::open(other.file()).unwrap()).unwrap();
    assert_eq!(image.read_whole(), again.read_whole());
}
