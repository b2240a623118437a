//! Pairs the words of a command that match a pattern with the new words of a rewrite.

use crate::pattern::NamedWord;

/// The number of words that change between a pair of indices, one in the old and one in the new words, and the end.
type EditDistance = usize;

/// Returns, for each new word, the index in `named` of the word that it replaces or equals; `None` if the word is
/// inserted.
///
/// As few words as possible change. Of equally good results, the one that pairs earlier words is chosen, so that the
/// programs are paired.
pub(super) fn align(named: &[NamedWord<'_>], new: &[&str]) -> Vec<Option<usize>> {
    let costs = costs(named, new);
    let cost =
        |at: usize, to: usize| costs.get(at).and_then(|row| row.get(to)).copied().unwrap_or(EditDistance::MAX / 2);
    let mut aligned = vec![None; new.len()];
    let (mut at, mut to) = (0, 0);
    while let (Some(word), Some(text)) = (named.get(at), new.get(to)) {
        let best = cost(at, to);
        if best == cost(at + 1, to + 1) + EditDistance::from(!word.has_exact(text)) {
            if let Some(slot) = aligned.get_mut(to) {
                *slot = Some(at);
            }
            at += 1;
            to += 1;
        } else if best == cost(at, to + 1) + 1 {
            to += 1;
        } else {
            at += 1;
        }
    }
    aligned
}

/// Returns the table of an edit distance: for each pair of indices, the least number of changes up to the end.
fn costs(named: &[NamedWord<'_>], new: &[&str]) -> Vec<Vec<EditDistance>> {
    let mut rows: Vec<Vec<EditDistance>> = vec![(0..=new.len()).rev().collect()];
    for (distance, word) in named.iter().rev().enumerate() {
        let below = rows.last().cloned().unwrap_or_default();
        let mut row = vec![distance + 1];
        for (text, pair) in new.iter().rev().zip(below.windows(2).rev()) {
            let [diagonal_before, diagonal] = pair else { continue };
            let right = row.last().copied().unwrap_or_default();
            let changed = diagonal + EditDistance::from(!word.has_exact(text));
            row.push(changed.min(right + 1).min(diagonal_before + 1));
        }
        row.reverse();
        rows.push(row);
    }
    rows.reverse();
    rows
}
