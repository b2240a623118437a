//! Regexes for decimal numbers in a range: `[6-9]\d` for those of two digits from 60 on. A text is no number, so a
//! test of a text needs one.

use crate::syntax::ast::Operator;

/// The largest number for which a regex is short enough to show.
const LARGEST: f64 = 999_999_999.0;

/// Returns the regex for the texts of whole numbers that an ordering operator accepts, such as
/// `/^(6[1-9]|[7-9]\d|\d{3,})$/` for `> 60`. `None` for a fraction, a negative or a large number, and if no number is
/// accepted.
pub(super) fn number_regex(operator: Operator, number: f64) -> Option<String> {
    if number.fract() != 0.0 || !(0.0..=LARGEST).contains(&number) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number below 10^9")]
    let number = number as u64;
    let alternatives = match operator {
        Operator::Greater => numbers_from(number.checked_add(1)?),
        Operator::GreaterEqual => numbers_from(number),
        Operator::Less => numbers_up_to(number.checked_sub(1)?),
        Operator::LessEqual => numbers_up_to(number),
        _ => return None,
    };
    Some(match alternatives.as_slice() {
        [one] => format!("/^{one}$/"),
        several => format!("/^({})$/", several.join("|")),
    })
}

/// Returns regexes for the numbers from this one on.
fn numbers_from(least: u64) -> Vec<String> {
    let digits = digits(least);
    let count = digits.len();
    // A power of ten is the first number with its digits.
    if least <= 1 || digits.first() == Some(&1) && digits.iter().skip(1).all(|digit| *digit == 0) {
        return vec![match (least, count) {
            (0, _) => r"\d+".to_owned(),
            (1, _) => r"[1-9]\d*".to_owned(),
            _ => format!(r"\d{{{count},}}"),
        }];
    }
    let mut alternatives = Vec::new();
    let last = digits.iter().rposition(|digit| *digit != 0).unwrap_or_default();
    for (at, digit) in digits.iter().enumerate().take(last + 1).rev() {
        // The digit where a number is first greater, or the last that is not zero.
        let lowest = if at == last { *digit } else { digit + 1 };
        if lowest <= 9 {
            alternatives.push(with_digit(&digits, at, (lowest, 9)));
        }
    }
    alternatives.push(format!(r"\d{{{},}}", count + 1));
    alternatives
}

/// Returns regexes for the numbers up to this one.
fn numbers_up_to(greatest: u64) -> Vec<String> {
    let digits = digits(greatest);
    let count = digits.len();
    let mut alternatives = match count {
        1 => Vec::new(),
        2 => vec![r"\d".to_owned()],
        _ => vec![format!(r"\d{{1,{}}}", count - 1)],
    };
    let last = digits.iter().rposition(|digit| *digit != 9).unwrap_or_default();
    for (at, digit) in digits.iter().enumerate().take(last + 1) {
        let lowest = u64::from(at == 0 && count > 1);
        let highest = if at == last { Some(*digit) } else { digit.checked_sub(1) };
        if let Some(highest) = highest.filter(|highest| *highest >= lowest) {
            alternatives.push(with_digit(&digits, at, (lowest, highest)));
        }
    }
    alternatives
}

/// Returns the regex for numbers that have the digits in front of `at`, a digit in a range there, and any further ones.
fn with_digit(digits: &[u64], at: usize, (lowest, highest): (u64, u64)) -> String {
    let front: String = digits.iter().take(at).map(u64::to_string).collect();
    let digit = match (lowest, highest) {
        (0, 9) => r"\d".to_owned(),
        (lowest, highest) if lowest == highest => lowest.to_string(),
        (lowest, highest) => format!("[{lowest}-{highest}]"),
    };
    let behind = match digits.len().saturating_sub(at + 1) {
        0 => String::new(),
        1 => r"\d".to_owned(),
        several => format!(r"\d{{{several}}}"),
    };
    format!("{front}{digit}{behind}")
}

fn digits(number: u64) -> Vec<u64> {
    number.to_string().bytes().map(|byte| u64::from(byte - b'0')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regex_accepts_the_numbers_that_its_operator_accepts() {
        for bound in [0_u32, 1, 5, 8, 9, 10, 19, 20, 59, 60, 61, 89, 99, 100, 101, 199, 500, 999, 1000, 1099, 2010] {
            for operator in [Operator::Greater, Operator::GreaterEqual, Operator::Less, Operator::LessEqual] {
                let Some(written) = number_regex(operator, f64::from(bound)) else {
                    assert!((operator, bound) == (Operator::Less, 0), "{operator:?} {bound}");
                    continue;
                };
                let regex = regex::Regex::new(written.trim_matches('/')).unwrap();
                for number in 0..12_000_u32 {
                    let accepts = match operator {
                        Operator::Greater => number > bound,
                        Operator::GreaterEqual => number >= bound,
                        Operator::Less => number < bound,
                        _ => number <= bound,
                    };
                    let matches = regex.is_match(&number.to_string());
                    assert_eq!(matches, accepts, "{number} {operator:?} {bound}: {written}");
                }
            }
        }
    }

    #[test]
    fn no_whole_number_has_no_regex() {
        assert_eq!(number_regex(Operator::Greater, 2.5), None);
        assert_eq!(number_regex(Operator::Greater, -1.0), None);
        assert_eq!(number_regex(Operator::Greater, 1e12), None);
    }

    #[test]
    fn regexes_are_short() {
        assert_eq!(number_regex(Operator::Greater, 60.0).unwrap(), r"/^(6[1-9]|[7-9]\d|\d{3,})$/");
        assert_eq!(number_regex(Operator::GreaterEqual, 100.0).unwrap(), r"/^\d{3,}$/");
        assert_eq!(number_regex(Operator::GreaterEqual, 60.0).unwrap(), r"/^([6-9]\d|\d{3,})$/");
        assert_eq!(number_regex(Operator::LessEqual, 99.0).unwrap(), r"/^(\d|[1-9]\d)$/");
    }
}
