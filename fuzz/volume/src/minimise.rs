//! Makes a failing input small: parts are left out as long as it fails the same way, halves first.

/// How often is tried; each try is a process.
const TRIES: usize = 400;

/// Returns the smallest input that was found.
///
/// # Errors
/// A try could not be made.
pub fn minimise(input: &[u8], mut fails: impl FnMut(&[u8]) -> Result<bool, String>) -> Result<Vec<u8>, String> {
    let mut least = input.to_vec();
    let mut size = least.len().div_ceil(2);
    let mut tries = 0;
    while size > 0 {
        let mut at = 0;
        let mut shrunk = false;
        while at < least.len() {
            if tries == TRIES {
                return Ok(least);
            }
            tries += 1;
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
