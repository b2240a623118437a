//! Finds the valid name that is most similar to a mistyped one.

/// The maximum number of candidates that are compared with a name.
const MAX_CANDIDATES: usize = 2_000;

/// The maximum length of a name that is compared, in bytes. A longer one is not a typing error.
const MAX_NAME_BYTES: usize = 128;

/// The maximum number of names that a help lists.
const MAX_LISTED: usize = 12;

/// Returns the candidate that is most similar to `name`; `None` if none is similar enough.
///
/// The measure is the number of edits: insertions, deletions, substitutions, and swaps of neighbours. Case, `-` and
/// `_` are ignored. Of equally similar candidates, the first is returned.
#[must_use]
pub fn nearest_name<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let wanted = fold_name(name);
    let limit = (wanted.len() / 3).clamp(1, 3);
    let candidates = candidates.into_iter().take(MAX_CANDIDATES).filter(|candidate| candidate.len() <= MAX_NAME_BYTES);
    let folded = candidates.map(|candidate| (fold_name(candidate), candidate));
    // The edit distance is at least the difference of the lengths.
    let near = folded.filter(|(folded, _)| folded.len().abs_diff(wanted.len()) <= limit);
    let scored = near.map(|(folded, candidate)| (distance(&wanted, &folded), candidate));
    let best = scored.fold(None, |best: Option<(usize, &str)>, next| match best {
        Some(best) if best.0 <= next.0 => Some(best),
        _ => Some(next),
    });
    best.filter(|(distance, _)| *distance <= limit).map(|(_, candidate)| candidate)
}

/// Returns all candidates that are as similar to a name as the most similar one; empty if none is similar enough.
pub(super) fn all_nearest_names<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let Some(best) = nearest_name(name, candidates.iter().copied()) else { return Vec::new() };
    let wanted = fold_name(name);
    let least_distance = distance(&wanted, &fold_name(best));
    candidates.into_iter().filter(|candidate| distance(&wanted, &fold_name(candidate)) == least_distance).collect()
}

/// A suggestion for an unknown name.
pub(super) struct Suggestion<'a> {
    /// The most similar valid name; `None` if none is similar enough.
    pub(super) near: Option<&'a str>,
    /// A help sentence with the most similar name, or with all valid names if they are few.
    pub(super) help: Option<String>,
}

/// Returns a suggestion for an unknown name. `what` is the noun for such a name, such as "event".
pub(super) fn suggestion<'a>(what: &str, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Suggestion<'a> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let near = nearest_name(name, candidates.iter().copied());
    let valid =
        || format!("valid: {}", candidates.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "));
    let help = match near {
        Some(near) => {
            let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            Some(format!("{article} {what} named `{near}` exists"))
        }
        None => (1..=MAX_LISTED).contains(&candidates.len()).then(valid),
    };
    Suggestion { near, help }
}

/// Returns a help sentence with the name most similar to an unknown one, or with all valid names if they are few;
/// `None` if none is similar and there are many. `what` is the noun for a name, such as "event".
#[must_use]
pub fn suggest<'a>(what: &str, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggestion(what, name, candidates).help
}

/// Returns the characters of a name in lower case, without `_` and `-`.
fn fold_name(name: &str) -> Vec<char> {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// Returns the number of edits between two names (optimal string alignment distance). Only the last three rows of the
/// table are kept.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row_before_previous: Vec<usize> = Vec::new();
    let mut previous_row: Vec<usize> = (0..=b.len()).collect();
    let mut previous_a = None;
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        let mut previous_b = None;
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
            let substitution = at(&previous_row, j) + usize::from(x != y);
            let mut best = substitution.min(at(&previous_row, j + 1) + 1).min(at(&row, j) + 1);
            if previous_a == Some(*y) && previous_b == Some(*x) && j > 0 {
                best = best.min(at(&row_before_previous, j - 1) + 1);
            }
            row.push(best);
            previous_b = Some(*y);
        }
        previous_a = Some(*x);
        row_before_previous = std::mem::replace(&mut previous_row, row);
    }
    previous_row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(nearest_name("whne", ["when", "where"]), Some("when"));
    }

    #[test]
    fn case_and_separators_do_not_count() {
        assert_eq!(nearest_name("toolName", ["tool_input", "tool_name"]), Some("tool_name"));
    }

    #[test]
    fn far_names_are_not_suggested() {
        assert_eq!(nearest_name("banana", ["when", "unless"]), None);
    }
}
