//! The clocks of time zones, from the zone files of the system.

use std::path::Path;

use tz::TimeZone;

use crate::files;
use crate::platform::places::ZONES as DIRECTORIES;
use crate::time::LocalTime;

/// The maximum number of bytes that are read of a zone file, some hundred times the size of the largest one.
const MAX_ZONE: u64 = 256 * 1024;

/// Returns the local time in a zone at a time in seconds since 1970. The zone UTC has the empty name.
///
/// # Errors
/// The system has no readable file of the zone.
pub(super) fn local_time(zone: &str, seconds: u64) -> Result<LocalTime, String> {
    if zone.is_empty() {
        return Ok(LocalTime::at(seconds, 0));
    }
    local_time_in(DIRECTORIES, zone, seconds)
}

/// Does what [`local_time`] does for a zone other than UTC, with the zone files in these directories.
fn local_time_in(directories: &[&str], zone: &str, seconds: u64) -> Result<LocalTime, String> {
    let bytes = read_zone_file(directories, zone)?;
    let unreadable = |_| format!("the zone file of {zone} cannot be read");
    let zone = TimeZone::from_tz_data(&bytes).map_err(unreadable)?;
    let offset = zone.find_local_time_type(i64::try_from(seconds).unwrap_or(i64::MAX)).map_err(unreadable)?;
    Ok(LocalTime::at(seconds, offset.ut_offset()))
}

/// Whether the system has a file of a time zone.
#[must_use]
pub fn is_zone_known(zone: &str) -> bool {
    read_zone_file(DIRECTORIES, zone).is_ok()
}

/// Reads the zone file of a zone from the first directory that has one.
fn read_zone_file(directories: &[&str], zone: &str) -> Result<Vec<u8>, String> {
    let read = |directory: &&str| files::read(&Path::new(directory).join(zone), MAX_ZONE).ok();
    directories.iter().find_map(read).ok_or_else(|| format!("this machine has no zone file of {zone}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Weekday;

    const ZONES: &[&str] = &[concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/zones")];

    #[test]
    fn clocks_of_zones_know_daylight_saving_time() {
        let shown = |zone, seconds| {
            let LocalTime { weekday, time } = local_time_in(ZONES, zone, seconds).unwrap();
            (weekday, time.to_string())
        };
        // 2026-07-01 and 2026-12-01, both at 22:30 UTC.
        assert_eq!(shown("Europe/Berlin", 1_782_945_000), (Weekday::Thursday, "00:30".to_owned()));
        assert_eq!(shown("Europe/Berlin", 1_796_164_200), (Weekday::Tuesday, "23:30".to_owned()));
        assert_eq!(shown("Asia/Kathmandu", 1_796_164_200), (Weekday::Wednesday, "04:15".to_owned()));
        // Long after the last change that is in the file.
        assert_eq!(shown("Europe/Berlin", 4_118_133_600).1, "16:00".to_owned());
    }

    #[test]
    fn a_zone_without_a_file_is_unknown() {
        assert!(local_time("Europe/Nowhere", 0).unwrap_err().contains("no zone file of Europe/Nowhere"));
        assert!(!is_zone_known("Europe/Nowhere"));
        assert!(
            local_time_in(&[concat!(env!("CARGO_MANIFEST_DIR"), "/src")], "lib.rs", 0)
                .unwrap_err()
                .contains("cannot be read")
        );
    }

    #[test]
    fn utc_needs_no_file() {
        let LocalTime { weekday, time } = local_time("", 1_796_164_200).unwrap();
        assert_eq!((weekday, time.to_string()), (Weekday::Tuesday, "22:30".to_owned()));
    }
}
