//! Decodes base64.

/// Which characters are accepted for the values 62 and 63.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base64Alphabet {
    /// `+` and `/` only.
    Standard,
    /// `+` and `/`, and also `-` and `_`.
    Any,
}

/// Decodes a text, with or without padding. White space is ignored; `None` if the text contains other characters, or
/// any after the padding.
pub(super) fn decode(text: &str, alphabet: Base64Alphabet) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut bit_count) = (0_u32, 0_u32);
    let mut characters = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    for character in characters.by_ref() {
        let six_bits = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'-' if alphabet == Base64Alphabet::Any => 62,
            b'_' if alphabet == Base64Alphabet::Any => 63,
            b'=' => break,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six_bits)) & 0xff_ffff;
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            bytes.push(u8::try_from(bits >> bit_count & 0xff).ok()?);
        }
    }
    characters.all(|character| character == b'=').then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_to_their_bytes() {
        for (text, alphabet, expected) in [
            ("cm0gLXJmIC8=", Base64Alphabet::Standard, Some(&b"rm -rf /"[..])),
            ("cm0gLXJm\nIC8", Base64Alphabet::Standard, Some(b"rm -rf /")),
            ("YQ==", Base64Alphabet::Standard, Some(b"a")),
            ("", Base64Alphabet::Standard, Some(b"")),
            ("+/8=", Base64Alphabet::Standard, Some(b"\xfb\xff")),
            ("-_8=", Base64Alphabet::Any, Some(b"\xfb\xff")),
            ("-_8=", Base64Alphabet::Standard, None),
            ("YQ==YQ==", Base64Alphabet::Any, None),
            ("Y*==", Base64Alphabet::Any, None),
        ] {
            assert_eq!(decode(text, alphabet).as_deref(), expected, "{text}");
        }
    }
}
