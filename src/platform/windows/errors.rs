//! Errors of the system.

use std::io::{self, ErrorKind};

/// The code for a name that cannot be resolved, which is used for a link that is not followed.
const CANNOT_RESOLVE: i32 = 1921;
/// The code for a directory that is none.
const NO_DIRECTORY: i32 = 267;

/// The code for a file or directory that is open in a way that excludes others.
const IN_USE: i32 = 32;

/// Returns the text of a system error in English, whatever the language of the system is.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match (error.raw_os_error(), error.kind()) {
        (None, _) => error.to_string(),
        (Some(_), ErrorKind::NotFound) => "does not exist".to_owned(),
        (Some(_), ErrorKind::AlreadyExists) => "file exists".to_owned(),
        (Some(_), ErrorKind::PermissionDenied) => "permission denied".to_owned(),
        (Some(_), ErrorKind::StorageFull) => "no space left on device".to_owned(),
        (Some(IN_USE), _) => "another program has it open".to_owned(),
        (Some(33), _) => "another program has locked a part of it".to_owned(),
        (Some(CANNOT_RESOLVE), _) => "a link that is not followed".to_owned(),
        (Some(code), _) => format!("{} (error {code} of Windows)", error.kind()),
    }
}

/// Returns the error for a link that is not followed.
pub(super) fn link_refused() -> io::Error {
    io::Error::from_raw_os_error(CANNOT_RESOLVE)
}

/// Returns the error for a path that is not a directory.
pub(super) fn no_directory() -> io::Error {
    io::Error::from_raw_os_error(NO_DIRECTORY)
}

/// Whether an error is that a link was not followed.
#[must_use]
pub fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(CANNOT_RESOLVE)
}

/// Whether an error is that a link was not followed, or that a path is not a directory.
#[must_use]
pub fn is_no_directory(error: &io::Error) -> bool {
    is_link(error) || error.raw_os_error() == Some(NO_DIRECTORY)
}

/// Whether an error is that another process has a file or directory open, perhaps in order to remove it.
#[must_use]
pub fn is_busy(error: &io::Error) -> bool {
    error.raw_os_error() == Some(IN_USE)
}
