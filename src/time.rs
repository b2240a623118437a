//! The current time in RFC 3339 format.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the current time in UTC, to the millisecond.
#[must_use]
pub fn rfc3339_now() -> String {
    rfc3339(unix_time())
}

/// Returns the time since the beginning of 1970; zero if the clock is before that.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "records and the log say when")]
pub fn unix_time() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Returns the milliseconds since the beginning of 1970.
#[must_use]
pub fn unix_milliseconds() -> u64 {
    u64::try_from(unix_time().as_millis()).unwrap_or(u64::MAX)
}

/// Formats a time since 1970 as `2026-11-21T08:05:09.123Z`.
#[must_use]
pub fn rfc3339(since: Duration) -> String {
    let seconds = since.as_secs();
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    let millis = since.subsec_millis().into();
    // Formatted without `format!`: each line of the log has a time, and `format!` would take longer than the rest of
    // the line.
    let mut text = String::with_capacity(24);
    let parts = [(year, 4, '-'), (month, 2, '-'), (day, 2, 'T'), (hour, 2, ':'), (minute, 2, ':'), (second, 2, '.')];
    for (number, digits, end) in parts.into_iter().chain([(millis, 3, 'Z')]) {
        push_digits(number, digits, &mut text);
        text.push(end);
    }
    text
}

/// Parses a time such as `2026-11-21T08:05:09.123Z`, as [`rfc3339`] formats it; the fraction may be missing. `None` for
/// another format, and for a time before 1970.
#[must_use]
pub fn parse_rfc3339(text: &str) -> Option<Duration> {
    let is_shaped = |pattern: &str| {
        let fits = |(own, wanted): (u8, u8)| if wanted == b'0' { own.is_ascii_digit() } else { own == wanted };
        text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
    };
    if !is_shaped("0000-00-00T00:00:00.000Z") && !is_shaped("0000-00-00T00:00:00Z") {
        return None;
    }
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let milliseconds = if text.len() > 20 { number(20, 23)? } else { 0 };
    if year < 1970 || !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // As in `civil`, years begin in March.
    let (from_march, year) = ((month + 9) % 12, year - u64::from(month <= 2));
    let (era, of_era) = (year / 400, year % 400);
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * from_march + 2) / 5 + day;
    let days = days.checked_sub(719_469)?;
    let is_date = civil(days) == (year + u64::from(month <= 2), month, day);
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second;
    is_date.then(|| Duration::from_secs(seconds) + Duration::from_millis(milliseconds))
}

/// Appends a number with leading zeros to at least `least` digits.
fn push_digits(number: u64, least: u32, text: &mut String) {
    if number >= 10 || least > 1 {
        push_digits(number / 10, least.saturating_sub(1), text);
    }
    text.extend(char::from_digit(u32::try_from(number % 10).unwrap_or_default(), 10));
}

/// Converts a number of days since 1970-01-01 to year, month and day of the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last of its year, and in eras of 400 years,
/// after which the calendar repeats.
fn civil(days: u64) -> (u64, u64, u64) {
    // 0000-03-01 is 719,468 days before 1970-01-01.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_civil() {
        let at = |seconds| rfc3339(Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59.000Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59.000Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00.000Z");
        assert_eq!(at(253_402_300_800), "10000-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(Duration::from_millis(1_795_248_309_042)), "2026-11-21T08:05:09.042Z");
    }

    #[test]
    fn what_is_formatted_is_parsed() {
        for seconds in (0..4_000_000_000).step_by(77_777_777) {
            let time = Duration::from_secs(seconds) + Duration::from_millis(seconds % 1_000);
            assert_eq!(parse_rfc3339(&rfc3339(time)), Some(time));
        }
        assert_eq!(parse_rfc3339("2000-02-29T00:00:00Z"), Some(Duration::from_secs(951_782_400)));
        for other in [
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "1969-12-31T23:59:59Z",
            "2026-01-01",
            "",
        ] {
            assert_eq!(parse_rfc3339(other), None, "{other}");
        }
    }

    #[test]
    fn days_follow_each_other() {
        let length = |year: u64, month| match month {
            2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let mut expected = (1970, 1, 1);
        for days in 0..200_000 {
            assert_eq!(civil(days), expected);
            let (year, month, day) = expected;
            expected = match (month, day == length(year, month)) {
                (12, true) => (year + 1, 1, 1),
                (_, true) => (year, month + 1, 1),
                (..) => (year, month, day + 1),
            };
        }
    }
}
