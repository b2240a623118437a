//! Reads tests of the clock, and reports parts of the day and of the week in other notations.

use super::ClauseCursor;
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::mistakes::clock::{bare, both_ends, time_in_another_notation};
use crate::syntax::token::{Token, TokenKind};
use crate::time::Weekday;

impl ClauseCursor<'_> {
    /// Reads the part of the day or week that follows `time` or `weekday`. Reports one in another notation, such as
    /// `time between 9am and 5pm`. Returns whether there was one.
    pub(super) fn part_of_time(&mut self, operand: &str) -> bool {
        let Some(field) = self.back(1).filter(|_| matches!(operand, "time" | "weekday")) else { return false };
        let negated = usize::from(self.text() == "not");
        let operator_ahead = usize::from(self.text_at(negated) == "is") + negated;
        let operator = self.text_at(operator_ahead);
        if !matches!(operator, "in" | "between" | "from" | "during" | "within") {
            return false;
        }
        let part_ahead = operator_ahead + 1;
        let Some(length) = self.length_of_part(part_ahead, operator == "between") else { return false };
        let (Some(begin), Some(end)) = (self.nth(part_ahead), self.nth(part_ahead + length - 1)) else { return false };
        let written = self.slice(begin, end);
        let part = match operand {
            "time" => part_of_day(written),
            _ => days(written),
        };
        let Some(part) = part else { return false };
        let not = if negated == 1 { "not " } else { "" };
        let right = format!("{operand} {not}in {part}");
        if self.slice(field, end) != right {
            self.report_with_fix(SyntaxMistake::PartOfTime { right: &right }, self.across(field, end), &right);
        }
        self.at += part_ahead + length;
        true
    }

    /// Returns the number of tokens of a part of the day or week that begins `ahead` tokens ahead; `None` if there is
    /// none. `has_and` is whether an `and` belongs to it, as in `between 9 and 17`.
    fn length_of_part(&self, ahead: usize, has_and: bool) -> Option<usize> {
        let mut ands = usize::from(has_and);
        let mut length = 0;
        while let Some(token) = self.nth(ahead + length) {
            let is_end = match self.text_at(ahead + length) {
                "and" if ands > 0 => {
                    ands -= 1;
                    false
                }
                "and" | "or" | ")" | "}" => true,
                _ => length > 0 && self.first_on_line_ahead(ahead + length),
            };
            if is_end || matches!(token.kind, TokenKind::Newline | TokenKind::Comment) {
                break;
            }
            length += 1;
        }
        (length > 0).then_some(length)
    }

    /// Moves past the second end of a time range, `.."06:00"`. `text` is the token before the cursor, which may be the
    /// first end.
    pub(super) fn end_of_time_range(&mut self, text: Token) {
        let is_text = |token: Option<Token>| token.is_some_and(|token| token.kind == TokenKind::Text);
        if is_text(Some(text)) && self.text() == "." && self.text_at(1) == "." && is_text(self.nth(2)) {
            self.at += 3;
        }
    }
}

/// Returns the part of the day that a text in any notation names.
fn part_of_day(written: &str) -> Option<String> {
    let (from, to) = both_ends(written)?;
    let (from, to) = (time_in_another_notation(from)?, time_in_another_notation(to)?);
    Some(format!("\"{from}\"..\"{to}\""))
}

/// Returns the list of the days that a text without brackets names: `sat, sun`, `mon..fri`.
fn days(written: &str) -> Option<String> {
    let day = |text: &str| {
        let text = bare(text).to_ascii_lowercase();
        Weekday::from_name(text.get(..3)?)
    };
    let days: Vec<Weekday> = match both_ends(written) {
        Some((from, to)) => {
            let (from, to) = (day(from)?, day(to)?);
            from.through(to).collect()
        }
        None => written.trim_matches(['(', ')']).split(',').map(day).collect::<Option<_>>()?,
    };
    let names: Vec<&str> = days.into_iter().map(Weekday::name).collect();
    Some(format!("[{}]", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_day_and_of_the_week_are_understood() {
        for written in
            ["22:00..06:00", "\"22\"...\"6\"", "\"22:00\" and \"06:00\"", "10pm to 6am", "\"22:00-06:00\"", "22-6"]
        {
            assert_eq!(part_of_day(written).as_deref(), Some("\"22:00\"..\"06:00\""), "{written}");
        }
        assert_eq!(part_of_day("\"night\""), None);
        assert_eq!(days("sat, sun").as_deref(), Some("[sat, sun]"));
        assert_eq!(days("Mon..Fri").as_deref(), Some("[mon, tue, wed, thu, fri]"));
        assert_eq!(days("saturday to monday").as_deref(), Some("[sat, sun, mon]"));
        assert_eq!(days("sat..sat").as_deref(), Some("[sat]"));
        assert_eq!(days("weekend"), None);
    }
}
