//! Files and directories before and after changes.

use super::*;

fn file(dir: &tempfile::TempDir, text: &str) -> LoadInput {
    let path = dir.path().join("a");
    fs::write(&path, text).unwrap();
    LoadInput::start_reading(&path).with_text(text.as_bytes())
}

fn stamp(seen: &LoadInput) -> &FileStamp {
    let InputState::File(stamp, _) = &seen.state else { panic!("{seen:?}") };
    stamp
}

fn device(seen: &LoadInput) -> u64 {
    stamp(seen).device
}

fn later(seen: &LoadInput, seconds: i64) -> FileSystemMoment {
    let time = FileTime { seconds: stamp(seen).changed.seconds + seconds, nanos: 0 };
    FileSystemMoment { time, device: device(seen) }
}

/// A moment later than all changes.
fn at_last() -> FileSystemMoment {
    FileSystemMoment { time: FileTime { seconds: i64::MAX, nanos: 0 }, device: 0 }
}

#[test]
fn what_changed_in_the_grain_of_the_clock_is_told_by_content() {
    let dir = tempfile::tempdir().unwrap();
    let seen = file(&dir, "one");
    for (seconds, is_unsettled) in [(-3600, true), (0, true), (60, true), (61, false), (3600, false)] {
        let settled = seen.clone().drop_redundant_contents(later(&seen, seconds));
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
        assert!(settled.is_unchanged());
    }
    // The same size, and times as if at the same moment: only the stored content shows the change.
    fs::write(dir.path().join("a"), "two").unwrap();
    let now = LoadInput::start_reading(&dir.path().join("a"));
    let InputState::File(stamp, _) = now.state else { panic!() };
    let same_moment = LoadInput { state: InputState::File(stamp, Some(b"one".to_vec())), ..seen };
    assert!(!same_moment.is_unchanged());
}

#[test]
fn a_change_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    let seen = file(&dir, "one").drop_redundant_contents(at_last());
    assert!(seen.is_unchanged());
    fs::write(dir.path().join("b"), "one").unwrap();
    fs::rename(dir.path().join("b"), &path).unwrap();
    assert!(!seen.is_unchanged(), "another inode");
    let seen = file(&dir, "one").drop_redundant_contents(at_last());
    fs::write(&path, "longer").unwrap();
    assert!(!seen.is_unchanged());
    fs::remove_file(&path).unwrap();
    assert!(!seen.is_unchanged());
    let absent = LoadInput::start_reading(&path);
    assert!(absent.is_unchanged());
    fs::create_dir(&path).unwrap();
    assert!(!absent.is_unchanged());
}

#[test]
fn a_time_that_is_set_back_hides_no_change() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    let seen = file(&dir, "one").drop_redundant_contents(at_last());
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, "two").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    assert!(!seen.is_unchanged());
}

/// Lists a directory in the same way as loading.
fn listed(path: &Path, level: DirectoryLevel) -> LoadInput {
    let mut entries = DirectoryLister::start(path, level);
    for entry in fs::read_dir(path).unwrap().map(Result::unwrap) {
        entries.add(&entry.file_name(), entry.file_type().unwrap());
    }
    entries.into_input()
}

#[test]
fn what_is_in_a_directory_is_told_by_its_time_or_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let seen = listed(dir.path(), DirectoryLevel::Top);
    assert_eq!(seen.check(), InputCheck::Unchanged);
    fs::write(dir.path().join("a.rules"), "").unwrap();
    assert_eq!(seen.check(), InputCheck::MayDiffer);
    let InputState::Directory(old) = seen.state else { panic!() };
    let InputState::Directory(now) = listed(dir.path(), DirectoryLevel::Top).state else { panic!() };
    // As if both were made at the same moment.
    let same_moment =
        LoadInput { path: seen.path, state: InputState::Directory(ListedDirectory { stamp: now.stamp, ..old }) };
    assert_eq!(same_moment.check(), InputCheck::MayDiffer);
}

#[test]
#[cfg(unix)]
fn what_lies_beside_the_sources_only_touches_a_directory() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    type Change = fn(&Path);
    let directory = |dir: &Path, name: &str| fs::create_dir(dir.join(name)).unwrap();
    let touching: [(&str, DirectoryLevel, Change); 5] = [
        ("the records", DirectoryLevel::Top, |dir| fs::create_dir(dir.join("log")).unwrap()),
        ("the local layer", DirectoryLevel::Top, |dir| fs::create_dir(dir.join("local")).unwrap()),
        ("what an editor writes", DirectoryLevel::Top, |dir| fs::write(dir.join(".a.rules.swp"), "x").unwrap()),
        ("a text", DirectoryLevel::Below, |dir| fs::write(dir.join("README.md"), "x").unwrap()),
        ("what is gone again", DirectoryLevel::Below, |dir| {
            fs::write(dir.join("b.rules"), "x").unwrap();
            fs::remove_file(dir.join("b.rules")).unwrap();
        }),
    ];
    let changing: [(&str, DirectoryLevel, Change); 8] = [
        ("a source", DirectoryLevel::Top, |dir| fs::write(dir.join("b.rules"), "x").unwrap()),
        ("settings", DirectoryLevel::Top, |dir| fs::write(dir.join("rules.toml"), "x").unwrap()),
        ("a directory", DirectoryLevel::Top, |dir| fs::create_dir(dir.join("sub")).unwrap()),
        ("one called like the records' further down", DirectoryLevel::Below, |dir| {
            fs::create_dir(dir.join("log")).unwrap()
        }),
        ("a link", DirectoryLevel::Top, |dir| symlink("nowhere", dir.join("link")).unwrap()),
        ("a source that is gone", DirectoryLevel::Top, |dir| fs::remove_file(dir.join("a.rules")).unwrap()),
        ("a directory in place of a file", DirectoryLevel::Top, |dir| {
            fs::remove_file(dir.join("a.rules")).unwrap();
            fs::create_dir(dir.join("a.rules")).unwrap();
        }),
        ("who may write it", DirectoryLevel::Top, |dir| {
            fs::set_permissions(dir, fs::Permissions::from_mode(0o757)).unwrap();
        }),
    ];
    let cases = touching.map(|case| (case, true)).into_iter().chain(changing.map(|case| (case, false)));
    for ((what, level, change), is_touched) in cases {
        let base = tempfile::tempdir().unwrap();
        directory(base.path(), "policy");
        let dir = base.path().join("policy");
        fs::write(dir.join("a.rules"), "x").unwrap();
        let seen = listed(&dir, level).drop_redundant_contents(at_last());
        assert_eq!(seen.check(), InputCheck::Unchanged, "{what}");
        change(&dir);
        match seen.check() {
            InputCheck::NewTimes(now) if is_touched => {
                assert!(now.is_unsettled() && now.is_unchanged(), "{what}");
                assert_eq!(now.drop_redundant_contents(at_last()).check(), InputCheck::Unchanged, "{what}");
                assert!(seen.is_unchanged(), "{what}");
            }
            InputCheck::MayDiffer if !is_touched => assert!(!seen.is_unchanged(), "{what}"),
            other => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn a_directory_with_too_many_other_files_is_not_compared() {
    let dir = tempfile::tempdir().unwrap();
    let seen = listed(dir.path(), DirectoryLevel::Top).drop_redundant_contents(at_last());
    for number in 0..=1_000 {
        assert!(seen.is_unchanged(), "{number}");
        fs::write(dir.path().join(format!("{number}.md")), "").unwrap();
    }
    assert!(!seen.is_unchanged());
}

#[test]
#[cfg(unix)]
fn links_are_followed_again() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("link");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    let (none, led) = (LoadInput::no_directory(&link), LoadInput::from_link(&link, &resolve(&link)));
    assert!(none.is_unchanged() && led.is_unchanged());
    fs::create_dir(dir.path().join("nowhere")).unwrap();
    assert!(!none.is_unchanged() && led.is_unchanged());
    std::os::unix::fs::symlink("elsewhere", dir.path().join("new")).unwrap();
    fs::rename(dir.path().join("new"), &link).unwrap();
    assert!(!led.is_unchanged());
}

#[test]
fn a_time_in_the_future_settles() {
    let dir = tempfile::tempdir().unwrap();
    let _made = file(&dir, "one");
    let future = std::time::SystemTime::now() + std::time::Duration::from_secs(3600 * 24 * 365 * 5);
    fs::File::options().write(true).open(dir.path().join("a")).unwrap().set_modified(future).unwrap();
    let seen = LoadInput::start_reading(&dir.path().join("a")).with_text(b"one");
    let at = later(&seen, 0).time.seconds;
    assert_eq!(seen.reliable_from(device(&seen)), Some(at + 61));
    for (seconds, is_unsettled) in [(0, true), (60, true), (61, false)] {
        let settled = seen.clone().drop_redundant_contents(later(&seen, seconds));
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
    }
    // A time close to it could be the time of a change at that moment.
    let InputState::File(stamp, text) = &seen.state else { panic!() };
    let near = FileStamp { modified: FileTime { seconds: at + 65, nanos: 0 }, ..stamp.clone() };
    let near = LoadInput { state: InputState::File(near, text.clone()), ..seen.clone() };
    assert_eq!(near.reliable_from(device(&near)), Some(at + 126));
    for (seconds, is_unsettled) in [(60, true), (61, true), (125, true), (126, false)] {
        let settled = near.clone().drop_redundant_contents(later(&seen, seconds));
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
    }
}

#[test]
fn what_lies_on_another_device_settles_later() {
    let dir = tempfile::tempdir().unwrap();
    let seen = file(&dir, "one");
    let elsewhere = device(&seen) + 1;
    assert_eq!(seen.reliable_from(elsewhere), Some(later(&seen, 61).time.seconds));
    for (seconds, is_unsettled) in [(-3600, true), (3, true), (60, true), (61, false)] {
        let settled =
            seen.clone().drop_redundant_contents(FileSystemMoment { device: elsewhere, ..later(&seen, seconds) });
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
        assert!(settled.is_unchanged());
    }
}

#[test]
fn a_directory_settles_as_soon_as_its_times_tell() {
    let dir = tempfile::tempdir().unwrap();
    let seen = listed(dir.path(), DirectoryLevel::Top);
    let InputState::Directory(ListedDirectory { stamp, .. }) = &seen.state else { panic!() };
    let at = stamp.changed.seconds;
    assert_eq!(seen.reliable_from(stamp.device), Some(at + 3));
    // On Windows the times do not tell every change.
    for (seconds, is_unsettled) in [(2, true), (3, !file::HAS_CHANGE_TIMES)] {
        let before = FileSystemMoment { time: FileTime { seconds: at + seconds, nanos: 0 }, device: stamp.device };
        assert_eq!(seen.clone().drop_redundant_contents(before).is_unsettled(), is_unsettled, "{seconds}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_of_a_file_system_in_memory_is_always_compared_by_its_text() {
    let Ok(dir) = tempfile::tempdir_in("/dev/shm") else { return };
    if file::writes_back(dir.path()) {
        return;
    }
    let seen = file(&dir, "one").drop_redundant_contents(at_last());
    assert!(seen.is_unchanged() && seen.reliable_from(device_of(&seen)).is_none());
    // Writing to a mapped page again does not set a time.
    let now = LoadInput::start_reading(&dir.path().join("a"));
    let InputState::File(stamp, _) = now.state else { panic!() };
    let written = LoadInput { state: InputState::InMemory(stamp, b"two".to_vec()), ..seen };
    assert!(!written.is_unchanged());
}

#[cfg(target_os = "linux")]
fn device_of(seen: &LoadInput) -> u64 {
    let InputState::InMemory(stamp, _) = &seen.state else { panic!("{seen:?}") };
    stamp.device
}

#[test]
fn a_pinned_file_is_told_by_its_fingerprint_as_another_is_by_its_text() {
    let dir = tempfile::tempdir().unwrap();
    let read = file(&dir, "one");
    let path = dir.path().join("a");
    let one = Fingerprint::digest(b"one");
    let pinned = LoadInput::start_reading(&path).with_fingerprint(one);
    for (seconds, is_unsettled) in [(0, true), (60, true), (61, false), (3600, false)] {
        let settled = pinned.clone().drop_redundant_contents(later(&read, seconds));
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
        assert_eq!(settled.reliable_from(device(&read)).is_some(), is_unsettled, "{seconds}");
        assert!(settled.is_unchanged());
        let bytes = crate::wire::to_bytes(&settled);
        assert_eq!(crate::wire::from_bytes::<LoadInput>(&bytes).unwrap(), settled, "as it is kept");
    }
    let settled = pinned.drop_redundant_contents(at_last());
    fs::write(&path, "two").unwrap();
    assert!(!settled.is_unchanged());
    // The same size, and times as if at the same moment.
    let InputState::File(stamp, _) = LoadInput::start_reading(&path).state else { panic!() };
    for state in [
        InputState::FileByFingerprint(stamp.clone(), Some(one.hex())),
        InputState::InMemoryByFingerprint(stamp, one.hex()),
    ] {
        assert!(!LoadInput { path: path.clone(), state }.is_unchanged());
    }
}
