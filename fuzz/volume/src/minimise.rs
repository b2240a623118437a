//! Minimises a failing input: removes parts while it fails the same way, halves first.

use std::time::{Duration, Instant};

/// The time limit; each attempt is a process, and a slow one takes as long as it may.
const PATIENCE: Duration = Duration::from_secs(15);

/// Returns the smallest input that was found.
///
/// # Errors
/// An attempt could not be made.
pub fn minimise(input: &[u8], mut fails: impl FnMut(&[u8]) -> Result<bool, String>) -> Result<Vec<u8>, String> {
    let mut least = input.to_vec();
    let mut size = least.len().div_ceil(2);
    let start = Instant::now();
    while size > 0 {
        let mut at = 0;
        let mut shrunk = false;
        while at < least.len() {
            if start.elapsed() > PATIENCE {
                return Ok(least);
            }
            let end = (at + size).min(least.len());
            let candidate = [least.get(..at).unwrap_or_default(), least.get(end..).unwrap_or_default()].concat();
            if fails(&candidate)? {
                least = candidate;
                shrunk = true;
            } else {
                at = end;
            }
        }
        if !shrunk || size > 1 {
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
    }
    Ok(least)
}
