//! Errors of the system.

use std::io;

use nix::errno::Errno;

/// Returns the text of a system error, in words that depend neither on the account nor on the C library or its
/// language.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match error.raw_os_error().map(Errno::from_raw) {
        None | Some(Errno::UnknownErrno) => error.to_string(),
        Some(Errno::ENOENT) => "does not exist".to_owned(),
        Some(known) => {
            let words = known.desc();
            let (first, rest) = words.split_at_checked(1).unwrap_or_default();
            // `I/O error` stays unchanged.
            let is_word = rest.starts_with(|next: char| next.is_ascii_lowercase());
            if is_word { first.to_ascii_lowercase() + rest } else { words.to_owned() }
        }
    }
}

/// Whether an error is that a link was not followed. The system reports it as a loop.
#[must_use]
pub fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::ELOOP as i32)
}

/// Whether an error is that a link was not followed, or that a path is not a directory.
#[must_use]
pub fn is_no_directory(error: &io::Error) -> bool {
    is_link(error) || error.raw_os_error() == Some(Errno::ENOTDIR as i32)
}

/// Whether an error is that another process has a file or directory open: never, since nobody has to wait for that.
#[must_use]
pub fn is_busy(_error: &io::Error) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_refuses_is_said_in_the_same_words_everywhere() {
        let said = |error: Errno| reason(&io::Error::from(error));
        assert_eq!(said(Errno::EACCES), "permission denied");
        assert_eq!(said(Errno::ENOENT), "does not exist");
        assert_eq!(said(Errno::ENOSPC), "no space left on device");
        assert_eq!(said(Errno::EIO), "I/O error");
        assert_eq!(reason(&io::Error::other("in our own words")), "in our own words");
    }
}
