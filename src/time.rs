//! The current time: in RFC 3339 format, and as clocks show it.

use std::fmt;
use std::str::FromStr;
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
    whole_milliseconds(unix_time())
}

/// Formats a time since 1970 as `2026-11-21T08:05:09.123Z`.
#[must_use]
pub fn rfc3339(since: Duration) -> String {
    let seconds = since.as_secs();
    let (days, second_of_day) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second_of_day / 3_600, second_of_day / 60 % 60, second_of_day % 60);
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

/// Returns the milliseconds of a duration, rounded down.
#[must_use]
pub fn whole_milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Parses a time such as `2026-11-21T08:05:09.123Z`, as [`rfc3339`] formats it; the fraction may be missing. `None` for
/// another format, and for a time before 1970.
#[must_use]
pub fn parse_rfc3339(text: &str) -> Option<Duration> {
    let is_shaped = |pattern: &str| {
        let fits = |(byte, wanted): (u8, u8)| if wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted };
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
    let (era, year_of_era) = (year / 400, year % 400);
    let days =
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + (153 * from_march + 2) / 5 + day;
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
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

/// The number of minutes of a day.
const MINUTES_OF_DAY: u16 = 24 * 60;

/// A time of day, to the minute. 24:00 is the end of a day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TimeOfDay(u16);

impl TimeOfDay {
    /// Returns the time this many minutes after midnight; `None` if that is after the end of the day.
    #[must_use]
    pub fn from_minutes(minutes: u16) -> Option<Self> {
        (minutes <= MINUTES_OF_DAY).then_some(Self(minutes))
    }

    /// Returns the time as clocks show it: 00:00 at the end of a day.
    #[must_use]
    pub fn on_a_clock(self) -> Self {
        Self(self.0 % MINUTES_OF_DAY)
    }

    /// Returns the time one minute before it, which may be on the day before.
    #[must_use]
    pub fn one_minute_before(self) -> Self {
        Self((self.0 + MINUTES_OF_DAY - 1) % MINUTES_OF_DAY)
    }

    /// Returns the minutes since midnight.
    #[must_use]
    pub fn minutes(self) -> u16 {
        self.0
    }
}

impl FromStr for TimeOfDay {
    type Err = ();

    /// Reads `HH:MM`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = |part: &str| match part.as_bytes() {
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => Ok(u16::from(tens - b'0') * 10 + u16::from(ones - b'0')),
            _ => Err(()),
        };
        let (hour, minute) = text.split_once(':').ok_or(())?;
        let (hour, minute) = (digits(hour)?, digits(minute)?);
        if minute < 60 { Self::from_minutes(hour * 60 + minute).ok_or(()) } else { Err(()) }
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

/// A part of the day, which contains its beginning and not its end: `"22:00".."06:00"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeRange {
    /// The beginning.
    pub from: TimeOfDay,
    /// The end; before the beginning if midnight is between them.
    pub to: TimeOfDay,
}

impl TimeRange {
    /// Whether a time is in the range.
    #[must_use]
    pub fn contains(&self, time: TimeOfDay) -> bool {
        if self.from <= self.to { self.from <= time && time < self.to } else { self.from <= time || time < self.to }
    }
}

/// A day of the week.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the days")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Weekday {
    /// All days, from Monday on.
    pub const ALL: [Self; 7] =
        [Self::Monday, Self::Tuesday, Self::Wednesday, Self::Thursday, Self::Friday, Self::Saturday, Self::Sunday];

    /// The names of all days in the language, from Monday on.
    pub const NAMES: &[&str] = &["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

    /// Returns the name of the day in the language: `mon`.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.get(self as usize).copied().unwrap_or_default()
    }

    /// Returns the day with a name of the language.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|day| day.name() == name)
    }

    /// Returns the days from this one to the next `last`, both included.
    pub(crate) fn through(self, last: Self) -> impl Iterator<Item = Self> {
        let week = Self::ALL.into_iter().chain(Self::ALL).skip_while(move |day| *day != self);
        let before_last = week.clone().position(|day| day == last).unwrap_or_default();
        week.take(before_last + 1)
    }

    /// Returns the day this many days later.
    fn later_by(self, days: i64) -> Self {
        let number = (self as i64).saturating_add(days).rem_euclid(7);
        Self::ALL.into_iter().find(|day| *day as i64 == number).unwrap_or(self)
    }
}

/// A moment as a clock shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalTime {
    /// The day.
    pub weekday: Weekday,
    /// The time of the day.
    pub time: TimeOfDay,
}

impl LocalTime {
    /// Returns what a clock that is `offset` seconds ahead of UTC shows, `seconds` after the beginning of 1970.
    #[must_use]
    pub fn at(seconds: u64, offset: i32) -> Self {
        // The first day of 1970 was a Thursday.
        let first = Self { weekday: Weekday::Thursday, time: TimeOfDay(0) };
        first.later_by(i64::try_from(seconds).unwrap_or(i64::MAX).saturating_add(i64::from(offset)).div_euclid(60))
    }

    /// Returns the time this many minutes later.
    #[must_use]
    pub fn later_by(self, minutes: i64) -> Self {
        let minutes_of_day = i64::from(MINUTES_OF_DAY);
        let sum = i64::from(self.time.0).saturating_add(minutes);
        let time = TimeOfDay(u16::try_from(sum.rem_euclid(minutes_of_day)).unwrap_or_default());
        Self { weekday: self.weekday.later_by(sum.div_euclid(minutes_of_day)), time }
    }
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
    #[test]
    fn times_of_day_have_two_digits_each() {
        for written in ["00:00", "09:05", "23:59", "24:00"] {
            assert_eq!(written.parse::<TimeOfDay>().unwrap().to_string(), written);
        }
        for other in ["", "9:00", "22", "24:01", "25:00", "12:60", "+1:00", "12:00:00", "12.00"] {
            assert!(other.parse::<TimeOfDay>().is_err(), "{other}");
        }
    }

    #[test]
    fn clocks_show_the_day_and_the_minute() {
        let shown = |seconds, offset| {
            let LocalTime { weekday, time } = LocalTime::at(seconds, offset);
            format!("{} {time}", weekday.name())
        };
        assert_eq!(shown(0, 0), "thu 00:00");
        assert_eq!(shown(0, -1), "wed 23:59");
        assert_eq!(shown(59, 3_600), "thu 01:00");
        // 2026-11-29 was a Sunday.
        assert_eq!(shown(1_795_910_640, 0), "sun 00:04");
        assert_eq!(shown(1_795_910_640, -5 * 3_600), "sat 19:04");
        assert_eq!(shown(1_795_910_640, 14 * 3_600), "sun 14:04");
        let friday = LocalTime { weekday: Weekday::Friday, time: "23:30".parse().unwrap() };
        assert_eq!(friday.later_by(31), LocalTime { weekday: Weekday::Saturday, time: "00:01".parse().unwrap() });
        assert_eq!(friday.later_by(7 * 24 * 60), friday);
    }
}
