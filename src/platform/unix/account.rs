//! The home directory of the account that this process acts for.
//!
//! `HOME` is ignored, since the settings of a project can change the environment of a hook.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use nix::unistd::geteuid;

use crate::platform::{LinkPolicy, read_bytes};

/// The file that lists the local accounts.
const PASSWD: &str = "/etc/passwd";
/// The maximum number of bytes that are read of [`PASSWD`]. An account after them is looked up by the system.
const MAX_PASSWD: u64 = 1 << 20;

/// Returns the home directory of the account that this process acts for. `None` if it is unknown or relative.
#[must_use]
pub fn account_home() -> Option<PathBuf> {
    // The layers, the cache and the facts all need the home, so it is looked up once.
    static HOME: OnceLock<Option<PathBuf>> = OnceLock::new();
    HOME.get_or_init(|| find_home(geteuid().as_raw()).filter(|home| home.is_absolute())).clone()
}

/// Returns the home directory of a user id. The file is read first: it lists most accounts. The lookup by the system
/// loads its configuration and a library for each source of accounts, which takes longer than judging an event.
fn find_home(uid: u32) -> Option<PathBuf> {
    let listed = read_bytes(Path::new(PASSWD), LinkPolicy::Follow, MAX_PASSWD);
    let listed = listed.filter(|_| cfg!(target_os = "linux")).and_then(|text| home_in_passwd(&text, uid));
    listed.or_else(|| ask_system(uid))
}

/// Returns the home directory in the first entry of a user id. The text has the format of `/etc/passwd`.
fn home_in_passwd(text: &[u8], uid: u32) -> Option<PathBuf> {
    let entry = |line: &[u8]| {
        let mut parts = line.split(|byte| *byte == b':');
        let name = parts.next()?;
        let listed_uid = std::str::from_utf8(parts.nth(1)?).ok()?;
        let home = parts.nth(2)?;
        // A name that begins with `+` or `-` refers to another source, and `#` begins a comment.
        let is_account =
            !name.is_empty() && !name.starts_with(b"+") && !name.starts_with(b"-") && !name.starts_with(b"#");
        let is_digits = listed_uid.bytes().all(|byte| byte.is_ascii_digit());
        (is_account && is_digits && listed_uid.parse() == Ok(uid))
            .then(|| PathBuf::from(OsString::from_vec(home.to_vec())))
    };
    text.split(|byte| *byte == b'\n').find_map(entry)
}

/// Asks the system for a home directory. It also knows accounts that are not in the file.
#[cfg(not(static_libc))]
fn ask_system(uid: u32) -> Option<PathBuf> {
    nix::unistd::User::from_uid(uid.into()).ok().flatten().map(|user| user.dir)
}

/// Asks the system's program `getent` for a home directory, since a static binary cannot load the libraries of the
/// sources of accounts.
#[cfg(static_libc)]
#[expect(clippy::disallowed_methods, reason = "it has an absolute name and an empty environment, and looks only")]
fn ask_system(uid: u32) -> Option<PathBuf> {
    use std::process::{Command, Stdio};

    // `PATH` has no influence: the program has an absolute path.
    let programs = ["/usr/bin/getent", "/bin/getent", "/run/current-system/sw/bin/getent"];
    let program = programs.into_iter().find(|program| Path::new(program).is_file())?;
    let mut command = Command::new(program);
    command.args(["passwd", &uid.to_string()]).env_clear().current_dir("/").stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    home_in_passwd(&output.stdout, uid)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNTS: &[u8] = b"# accounts\n\
        root:x:0:0:root:/root:/bin/bash\n\
        +@staff::7:::/nowhere:\n\
        -bad::7:::/nowhere:\n\
        #off:x:7:7::/nowhere:/bin/sh\n\
        short:x:7\n\
        signed:x:+7:7::/nowhere:/bin/sh\n\
        seven:x:7:7:a, b:/home/seven:/bin/sh\n\
        again:x:7:7::/home/again:/bin/sh\n\
        none:x:8:8:::\n\
        odd:x:9:9::/home/\xff:/bin/sh";

    #[test]
    fn the_first_entry_of_a_user_id_counts() {
        assert_eq!(home_in_passwd(ACCOUNTS, 0), Some(PathBuf::from("/root")));
        assert_eq!(home_in_passwd(ACCOUNTS, 7), Some(PathBuf::from("/home/seven")));
        assert_eq!(home_in_passwd(ACCOUNTS, 8), Some(PathBuf::new()));
        assert_eq!(home_in_passwd(ACCOUNTS, 9), Some(PathBuf::from(OsString::from_vec(b"/home/\xff".to_vec()))));
        assert_eq!(home_in_passwd(ACCOUNTS, 70), None);
        assert_eq!(home_in_passwd(b"", 0), None);
    }

    #[test]
    fn the_file_and_the_system_name_the_same_home() {
        let uid = geteuid().as_raw();
        let system = nix::unistd::User::from_uid(uid.into()).ok().flatten().map(|user| user.dir);
        assert_eq!(find_home(uid), system);
        // Without the system's program the lookup finds nothing.
        assert!([system, None].contains(&ask_system(uid)));
    }

    #[test]
    fn an_account_that_nobody_knows_has_no_home() {
        assert_eq!(find_home(u32::MAX - 7), None);
    }
}
