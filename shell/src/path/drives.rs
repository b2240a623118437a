//! Paths of Windows on a machine without drives, where a test may state that its project is `C:/proj`.
//!
//! Such a path is `/C:/proj` here: absolute as every other path, and in no directory of this machine.

use std::borrow::Cow;
use std::path::{Component, MAIN_SEPARATOR, Path};

/// The name that contains the shared directories of other machines: `\\server\share` is `/UNC:/server/share`.
const SHARES: &str = "/UNC:/";

/// Returns the form of an absolute path of Windows on a machine without drives: `/C:/proj` for `C:\proj` and `c:/proj`.
/// `None` for every other text, and on Windows itself, where paths have drives.
#[must_use]
pub fn absolute_on_drive(text: &str) -> Option<String> {
    let (drive, rest) = split_drive(text)?;
    (rest.is_empty() || rest.starts_with(['/', '\\'])).then(|| below(drive, rest))
}

/// Returns a path in the form in which Windows shows it: `C:/proj` for `/C:/proj`, and on Windows itself for `C:/proj`;
/// `None` for every other path.
#[must_use]
pub fn shown_on_drive(path: &str) -> Option<&str> {
    if has_own_drive(path) {
        return Some(path);
    }
    let shown = path.strip_prefix('/')?;
    let (_, rest) = split_drive(shown)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(shown)
}

/// Whether a path begins with a drive of this machine, which is Windows then.
pub(super) fn has_own_drive(path: &str) -> bool {
    MAIN_SEPARATOR != '/' && matches!(Path::new(path).components().next(), Some(Component::Prefix(_)))
}

/// Whether a glob begins with a drive of this machine, which is Windows then: `C:/proj/**`. The colon may be escaped.
pub(super) fn begins_with_own_drive(glob: &str) -> bool {
    let mut characters = glob.chars();
    let is_letter = characters.next().is_some_and(|letter| letter.is_ascii_alphabetic());
    let rest = characters.as_str();
    MAIN_SEPARATOR != '/' && is_letter && rest.strip_prefix('\\').unwrap_or(rest).starts_with(":/")
}

/// Returns the letter of the drive that contains a directory; `None` for a directory of this machine.
#[must_use]
pub fn drive_of(directory: &Path) -> Option<char> {
    // Most directories are looked at, and few have a colon there.
    if directory.as_os_str().as_encoded_bytes().get(2) != Some(&b':') {
        return None;
    }
    shown_on_drive(directory.to_str()?).and_then(split_drive).map(|(drive, _)| drive)
}

/// Returns a text that names a file for a program on the given drive, in the form of this module: with slashes, and
/// with the drive in front of an absolute path. `/c/proj`, as the bash of Git for Windows writes it, is on a drive too;
/// any other text with a slash in front remains, because it may name a file of that bash (`/tmp`).
///
/// The caller decides that the text is one of Windows: on this machine, `c:` is an ordinary name.
#[must_use]
pub fn text_on_drive(text: &str, drive: char) -> Cow<'_, str> {
    let is_from_root = text.starts_with('\\') && !text.starts_with("\\\\");
    let slashed = match text.contains('\\') {
        true => Cow::Owned(text.replace('\\', "/")),
        false => Cow::Borrowed(text),
    };
    // `\\?\C:\proj` is `C:\proj` without the limits of its length.
    let plain = ["//?/", "//./"].iter().find_map(|front| slashed.strip_prefix(front)).unwrap_or(&slashed);
    if let Some((letter, rest)) = last_drive(plain) {
        return Cow::Owned(match rest.is_empty() || rest.starts_with('/') {
            true => below(letter, rest),
            // A path of a drive without a slash is relative to the directory there, which is known for one drive only.
            false if letter == drive => rest.to_owned(),
            false => below(letter, &format!("/{rest}")),
        });
    }
    if let Some(share) = plain.strip_prefix("//").filter(|share| !share.starts_with('/')) {
        return Cow::Owned([SHARES, share].concat());
    }
    if is_from_root {
        return Cow::Owned(below(drive, plain));
    }
    match drive_of_bash(plain) {
        Some((letter, rest)) => Cow::Owned(below(letter, rest)),
        None => slashed,
    }
}

/// Returns the last drive in a path with slashes, and the rest after it: no name has a colon there, so `/C:/proj/D:/a`
/// is what became of `D:/a` in a directory.
fn last_drive(text: &str) -> Option<(char, &str)> {
    let starts = text.match_indices('/').map(|(at, _)| at + 1);
    let names = std::iter::once(0).chain(starts).filter_map(|at| text.get(at..));
    names.filter_map(split_drive).next_back()
}

/// Splits `c:rest` into its drive, in capitals, and the rest; `None` without a drive.
fn split_drive(text: &str) -> Option<(char, &str)> {
    let mut letters = text.chars();
    let drive = letters.next().filter(char::is_ascii_alphabetic)?;
    let rest = letters.as_str().strip_prefix(':')?;
    (MAIN_SEPARATOR == '/').then_some((drive.to_ascii_uppercase(), rest))
}

/// Splits `/c/rest` into its drive, in capitals, and `/rest`; `None` for any other path.
fn drive_of_bash(text: &str) -> Option<(char, &str)> {
    let mut letters = text.strip_prefix('/')?.chars();
    let drive = letters.next().filter(char::is_ascii_alphabetic)?;
    let rest = letters.as_str();
    (rest.is_empty() || rest.starts_with('/')).then_some((drive.to_ascii_uppercase(), rest))
}

/// Returns the path below a drive; `rest` is empty or begins with a separator.
fn below(drive: char, rest: &str) -> String {
    format!("/{drive}:{}", rest.replace('\\', "/"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::path::normalise;

    #[test]
    fn a_text_on_a_drive_is_one_of_windows() {
        for (text, expected) in [
            ("C:\\proj\\src\\a.ts", "/C:/proj/src/a.ts"),
            ("c:/proj/src/a.ts", "/C:/proj/src/a.ts"),
            ("/c/proj/src/a.ts", "/C:/proj/src/a.ts"),
            ("/C:/proj/src/a.ts", "/C:/proj/src/a.ts"),
            ("/d", "/D:"),
            ("C:", "/C:"),
            ("src\\a.ts", "/C:/proj/src/a.ts"),
            ("src\\..\\..\\a.ts", "/C:/a.ts"),
            ("C:src\\a.ts", "/C:/proj/src/a.ts"),
            ("D:a.ts", "/D:/a.ts"),
            ("\\Windows\\win.ini", "/C:/Windows/win.ini"),
            ("\\\\?\\C:\\proj\\a.ts", "/C:/proj/a.ts"),
            ("\\\\server\\share\\a.ts", "/UNC:/server/share/a.ts"),
            ("//server/share/a.ts", "/UNC:/server/share/a.ts"),
            ("/tmp/a.ts", "/tmp/a.ts"),
            ("~\\a.ts", "/C:/Users/dev/a.ts"),
            ("/C:/proj/D:/a.ts", "/D:/a.ts"),
            ("/C:/proj/c:/src\\a.ts", "/C:/src/a.ts"),
            ("cd", "/C:/proj/cd"),
            ("", "/C:/proj"),
        ] {
            let text = text_on_drive(text, 'C');
            let path = normalise(&text, Path::new("/C:/proj"), Some(Path::new("/C:/Users/dev")));
            assert_eq!(path, Path::new(expected), "{text}");
        }
    }

    #[test]
    fn a_stated_path_has_a_drive_and_is_shown_with_it() {
        assert_eq!(absolute_on_drive("c:\\Users\\dev").as_deref(), Some("/C:/Users/dev"));
        assert_eq!(absolute_on_drive("c:Users"), None);
        assert_eq!(absolute_on_drive("/work"), None);
        assert_eq!(shown_on_drive("/C:/Users/dev"), Some("C:/Users/dev"));
        assert_eq!(shown_on_drive("/work"), None);
        let drives = ["/work", "/C:x", "/c:/proj", "/C:"].map(|directory| drive_of(Path::new(directory)));
        assert_eq!(drives, [None, None, Some('C'), Some('C')]);
    }
}
