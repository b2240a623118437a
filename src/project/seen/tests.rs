//! Files and directories before and after changes.

use super::*;

fn file(dir: &tempfile::TempDir, text: &str) -> Seen {
    let path = dir.path().join("a");
    fs::write(&path, text).unwrap();
    Seen::before_reading(&path).with_text(text.as_bytes())
}

fn stamp(seen: &Seen) -> &Stamp {
    let What::File(stamp, _) = &seen.what else { panic!("{seen:?}") };
    stamp
}

fn device(seen: &Seen) -> u64 {
    stamp(seen).device
}

fn later(seen: &Seen, seconds: i64) -> Moment {
    let time = Time { seconds: stamp(seen).changed.seconds + seconds, nanos: 0 };
    Moment { time, device: device(seen) }
}

/// A moment later than all changes.
fn at_last() -> Moment {
    Moment { time: Time { seconds: i64::MAX, nanos: 0 }, device: 0 }
}

#[test]
fn what_changed_in_the_grain_of_the_clock_is_told_by_content() {
    let dir = tempfile::tempdir().unwrap();
    let seen = file(&dir, "one");
    for (seconds, is_unsettled) in [(-3600, true), (0, true), (60, true), (61, false), (3600, false)] {
        let settled = seen.clone().settled(later(&seen, seconds));
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
        assert!(settled.still_holds());
    }
    // The same size, and times as if at the same moment: only the stored content shows the change.
    fs::write(dir.path().join("a"), "two").unwrap();
    let now = Seen::before_reading(&dir.path().join("a"));
    let What::File(stamp, _) = now.what else { panic!() };
    let same_moment = Seen { what: What::File(stamp, Some(b"one".to_vec())), ..seen };
    assert!(!same_moment.still_holds());
}

#[test]
fn a_change_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    let seen = file(&dir, "one").settled(at_last());
    assert!(seen.still_holds());
    fs::write(dir.path().join("b"), "one").unwrap();
    fs::rename(dir.path().join("b"), &path).unwrap();
    assert!(!seen.still_holds(), "another inode");
    let seen = file(&dir, "one").settled(at_last());
    fs::write(&path, "longer").unwrap();
    assert!(!seen.still_holds());
    fs::remove_file(&path).unwrap();
    assert!(!seen.still_holds());
    let absent = Seen::before_reading(&path);
    assert!(absent.still_holds());
    fs::create_dir(&path).unwrap();
    assert!(!absent.still_holds());
}

#[test]
fn a_time_that_is_set_back_hides_no_change() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    let seen = file(&dir, "one").settled(at_last());
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, "two").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    assert!(!seen.still_holds());
}

/// Lists a directory in the same way as loading.
fn listed(path: &Path, level: Level) -> Seen {
    let mut entries = Entries::before_listing(path, level);
    for entry in fs::read_dir(path).unwrap().map(Result::unwrap) {
        entries.add(&entry.file_name(), entry.file_type().unwrap());
    }
    entries.seen()
}

#[test]
fn what_is_in_a_directory_is_told_by_its_time_or_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let seen = listed(dir.path(), Level::Top);
    assert_eq!(seen.look(), Look::Same);
    fs::write(dir.path().join("a.rules"), "").unwrap();
    assert_eq!(seen.look(), Look::Other);
    let What::Directory(old) = seen.what else { panic!() };
    let What::Directory(now) = listed(dir.path(), Level::Top).what else { panic!() };
    // As if both were made at the same moment.
    let same_moment = Seen { path: seen.path, what: What::Directory(Listed { stamp: now.stamp, ..old }) };
    assert_eq!(same_moment.look(), Look::Other);
}

#[test]
fn what_lies_beside_the_sources_only_touches_a_directory() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    type Change = fn(&Path);
    let directory = |dir: &Path, name: &str| fs::create_dir(dir.join(name)).unwrap();
    let touching: [(&str, Level, Change); 5] = [
        ("the records", Level::Top, |dir| fs::create_dir(dir.join("log")).unwrap()),
        ("the local layer", Level::Top, |dir| fs::create_dir(dir.join("local")).unwrap()),
        ("what an editor writes", Level::Top, |dir| fs::write(dir.join(".a.rules.swp"), "x").unwrap()),
        ("a text", Level::Below, |dir| fs::write(dir.join("README.md"), "x").unwrap()),
        ("what is gone again", Level::Below, |dir| {
            fs::write(dir.join("b.rules"), "x").unwrap();
            fs::remove_file(dir.join("b.rules")).unwrap();
        }),
    ];
    let changing: [(&str, Level, Change); 8] = [
        ("a source", Level::Top, |dir| fs::write(dir.join("b.rules"), "x").unwrap()),
        ("settings", Level::Top, |dir| fs::write(dir.join("rules.toml"), "x").unwrap()),
        ("a directory", Level::Top, |dir| fs::create_dir(dir.join("sub")).unwrap()),
        ("one called like the records' further down", Level::Below, |dir| fs::create_dir(dir.join("log")).unwrap()),
        ("a link", Level::Top, |dir| symlink("nowhere", dir.join("link")).unwrap()),
        ("a source that is gone", Level::Top, |dir| fs::remove_file(dir.join("a.rules")).unwrap()),
        ("a directory in place of a file", Level::Top, |dir| {
            fs::remove_file(dir.join("a.rules")).unwrap();
            fs::create_dir(dir.join("a.rules")).unwrap();
        }),
        ("who may write it", Level::Top, |dir| {
            fs::set_permissions(dir, fs::Permissions::from_mode(0o757)).unwrap();
        }),
    ];
    let cases = touching.map(|case| (case, true)).into_iter().chain(changing.map(|case| (case, false)));
    for ((what, level, change), is_touched) in cases {
        let base = tempfile::tempdir().unwrap();
        directory(base.path(), "policy");
        let dir = base.path().join("policy");
        fs::write(dir.join("a.rules"), "x").unwrap();
        let seen = listed(&dir, level).settled(at_last());
        assert_eq!(seen.look(), Look::Same, "{what}");
        change(&dir);
        match seen.look() {
            Look::Touched(now) if is_touched => {
                assert!(now.is_unsettled() && now.still_holds(), "{what}");
                assert_eq!(now.settled(at_last()).look(), Look::Same, "{what}");
                assert!(seen.still_holds(), "{what}");
            }
            Look::Other if !is_touched => assert!(!seen.still_holds(), "{what}"),
            other => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn a_directory_with_too_many_other_files_is_not_compared() {
    let dir = tempfile::tempdir().unwrap();
    let seen = listed(dir.path(), Level::Top).settled(at_last());
    for number in 0..=1_000 {
        assert!(seen.still_holds(), "{number}");
        fs::write(dir.path().join(format!("{number}.md")), "").unwrap();
    }
    assert!(!seen.still_holds());
}

#[test]
fn links_are_followed_again() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("link");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    let (none, led) = (Seen::no_directory(&link), Seen::led_to(&link, &resolve(&link)));
    assert!(none.still_holds() && led.still_holds());
    fs::create_dir(dir.path().join("nowhere")).unwrap();
    assert!(!none.still_holds() && led.still_holds());
    std::os::unix::fs::symlink("elsewhere", dir.path().join("new")).unwrap();
    fs::rename(dir.path().join("new"), &link).unwrap();
    assert!(!led.still_holds());
}

#[test]
fn a_time_in_the_future_settles() {
    let dir = tempfile::tempdir().unwrap();
    let _made = file(&dir, "one");
    let future = std::time::SystemTime::now() + std::time::Duration::from_secs(3600 * 24 * 365 * 5);
    fs::File::options().write(true).open(dir.path().join("a")).unwrap().set_modified(future).unwrap();
    let seen = Seen::before_reading(&dir.path().join("a")).with_text(b"one");
    let at = later(&seen, 0).time.seconds;
    assert_eq!(seen.settles_at(device(&seen)), Some(at + 61));
    for (seconds, is_unsettled) in [(0, true), (60, true), (61, false)] {
        let settled = seen.clone().settled(later(&seen, seconds));
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
    }
    // A time close to it could be the time of a change at that moment.
    let What::File(stamp, text) = &seen.what else { panic!() };
    let near = Stamp { modified: Time { seconds: at + 65, nanos: 0 }, ..stamp.clone() };
    let near = Seen { what: What::File(near, text.clone()), ..seen.clone() };
    assert_eq!(near.settles_at(device(&near)), Some(at + 126));
    for (seconds, is_unsettled) in [(60, true), (61, true), (125, true), (126, false)] {
        let settled = near.clone().settled(later(&seen, seconds));
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
    }
}

#[test]
fn what_lies_on_another_device_settles_later() {
    let dir = tempfile::tempdir().unwrap();
    let seen = file(&dir, "one");
    let elsewhere = device(&seen) + 1;
    assert_eq!(seen.settles_at(elsewhere), Some(later(&seen, 61).time.seconds));
    for (seconds, is_unsettled) in [(-3600, true), (3, true), (60, true), (61, false)] {
        let settled = seen.clone().settled(Moment { device: elsewhere, ..later(&seen, seconds) });
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
        assert!(settled.still_holds());
    }
}

#[test]
fn a_directory_settles_as_soon_as_its_times_tell() {
    let dir = tempfile::tempdir().unwrap();
    let seen = listed(dir.path(), Level::Top);
    let What::Directory(Listed { stamp, .. }) = &seen.what else { panic!() };
    let at = stamp.changed.seconds;
    assert_eq!(seen.settles_at(stamp.device), Some(at + 3));
    for (seconds, is_unsettled) in [(2, true), (3, false)] {
        let before = Moment { time: Time { seconds: at + seconds, nanos: 0 }, device: stamp.device };
        assert_eq!(seen.clone().settled(before).is_unsettled(), is_unsettled, "{seconds}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_of_a_file_system_in_memory_is_always_compared_by_its_text() {
    let Ok(dir) = tempfile::tempdir_in("/dev/shm") else { return };
    if writes_back(dir.path()) {
        return;
    }
    let seen = file(&dir, "one").settled(at_last());
    assert!(seen.still_holds() && seen.settles_at(device_of(&seen)).is_none());
    // Writing to a mapped page again does not set a time.
    let now = Seen::before_reading(&dir.path().join("a"));
    let What::File(stamp, _) = now.what else { panic!() };
    let written = Seen { what: What::InMemory(stamp, b"two".to_vec()), ..seen };
    assert!(!written.still_holds());
}

#[cfg(target_os = "linux")]
fn device_of(seen: &Seen) -> u64 {
    let What::InMemory(stamp, _) = &seen.what else { panic!("{seen:?}") };
    stamp.device
}

#[test]
fn a_pinned_file_is_told_by_its_fingerprint_as_another_is_by_its_text() {
    let dir = tempfile::tempdir().unwrap();
    let read = file(&dir, "one");
    let path = dir.path().join("a");
    let one = Fingerprint::of(b"one");
    let pinned = Seen::before_reading(&path).with_fingerprint(one);
    for (seconds, is_unsettled) in [(0, true), (60, true), (61, false), (3600, false)] {
        let settled = pinned.clone().settled(later(&read, seconds));
        assert_eq!(settled.is_unsettled(), is_unsettled, "{seconds}");
        assert_eq!(settled.settles_at(device(&read)).is_some(), is_unsettled, "{seconds}");
        assert!(settled.still_holds());
        let bytes = crate::wire::to_bytes(&settled);
        assert_eq!(crate::wire::from_bytes::<Seen>(&bytes).unwrap(), settled, "as it is kept");
    }
    let settled = pinned.settled(at_last());
    fs::write(&path, "two").unwrap();
    assert!(!settled.still_holds());
    // The same size, and times as if at the same moment.
    let What::File(stamp, _) = Seen::before_reading(&path).what else { panic!() };
    for what in [What::Pinned(stamp.clone(), Some(one.hex())), What::PinnedInMemory(stamp, one.hex())] {
        assert!(!Seen { path: path.clone(), what }.still_holds());
    }
}
