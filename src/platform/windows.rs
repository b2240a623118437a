//! The implementation for Windows.
//!
//! Some of what Unix has exists here in another form, and some not at all. What is left out is decided here, once for
//! each, and the book says which of it was tried.
//!
//! - **Owners and modes.** Every file counts as this account's own. std does not tell owners, and access lists say
//!   something else than modes. State, cache and the user's policy are in the profile, whose list gives rights to its
//!   account, administrators and the system only, and is inherited by what is created below it
//!   (<https://learn.microsoft.com/windows/win32/fileio/file-security-and-access-rights>). The administrator's policy
//!   is in `Program Files`, where only administrators write. A project is trusted as what it is: a directory that the
//!   account works in.
//! - **setuid** does not exist.
//! - **Signals** do not exist. Ctrl-C ends the commands of a hook with it, since they share its console. A host that
//!   ends the hook by `TerminateProcess` leaves them to run until their timeout.
//! - **SIGPIPE** does not exist: a write to a closed pipe is an error, as it is on Unix once Rust has started.

pub(super) mod account;
pub mod desktop;
pub(super) mod directory;
pub mod errors;
pub mod file;
pub mod paths;
pub mod places;
pub mod process;
pub mod rights;
pub mod shell;
pub mod stream;
