//! Derives file names from other texts: readable, safe, and almost certainly distinct for distinct texts.

/// The maximum number of characters of the readable part. With its mark, a name is shorter than the limit of every
/// file system.
const MAX_READABLE: usize = 80;

/// Converts a text to one component of a path, of the characters `[A-Za-z0-9._-]`. A text that must be changed also
/// gets a mark of eight hexadecimal digits, so that different texts have different names, except by chance.
pub fn file_name_component(text: &str) -> String {
    // Nearly every name needs no change.
    if (1..=MAX_READABLE).contains(&text.len()) && text.chars().all(is_plain) && !text.starts_with(['.', '-']) {
        return text.to_owned();
    }
    let readable: String = text.chars().take(MAX_READABLE).map(|c| if is_plain(c) { c } else { '-' }).collect();
    let readable = readable.trim_start_matches(['.', '-']);
    if readable == text && !readable.is_empty() {
        return readable.to_owned();
    }
    name_with_mark(readable, text)
}

/// Returns a readable name, followed by a hash of the whole text as its mark: `app-0123abcd`.
pub fn name_with_mark(readable: &str, whole: &str) -> String {
    let mark = fnv(whole.as_bytes());
    if readable.is_empty() { format!("{mark:08x}") } else { format!("{readable}-{mark:08x}") }
}

/// Returns a hash of several texts that is the same in every process. Different lists of texts have different hashes,
/// except by chance.
#[must_use]
pub fn digest<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> u64 {
    let each = |hash, text: &[u8]| {
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes();
        hash_bytes(hash_bytes(hash, &length), text)
    };
    texts.into_iter().fold(BASIS, each)
}

/// Whether a file name keeps this character as it is.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// Returns the FNV-1a hash of bytes, folded to 32 bits. Unlike std's hashes, it does not change between versions of
/// the program.
fn fnv(bytes: &[u8]) -> u32 {
    let hash = hash_bytes(BASIS, bytes);
    u32::try_from((hash >> 32) ^ (hash & 0xffff_ffff)).unwrap_or_default()
}

/// The initial value of FNV-1a.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues an FNV-1a hash with some bytes.
fn hash_bytes(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_stay() {
        assert_eq!(file_name_component("tests-before-stop"), "tests-before-stop");
        assert_eq!(file_name_component("a.B_9"), "a.B_9");
    }

    #[test]
    fn other_texts_get_a_mark_and_do_not_meet() {
        let names: Vec<String> =
            ["user/a", "user-a", "user:a", "", ".", "..", "-x", "é"].map(file_name_component).into();
        for (at, name) in names.iter().enumerate() {
            assert!(!name.is_empty() && name.chars().all(is_plain) && !name.starts_with(['.', '-']), "{name}");
            assert!(!names.iter().skip(at + 1).any(|other| other == name), "{name}");
        }
        let long = file_name_component(&"x".repeat(5_000));
        assert!(long.len() < 100);
    }
}
