//! Backslash escapes, in `$'…'`, `echo -e` and `printf`, and percent-encoding.

/// The construct in which escapes occur: it determines which escapes exist.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EscapeDecoder {
    /// `$'…'`
    Quotes,
    /// `echo -e`
    Echo,
    /// The value of a `%b` of `printf`.
    Argument,
    /// The format of `printf`.
    Format,
}

/// Decodes the content of `$'…'`. Bytes that are not valid UTF-8 are lost.
pub(crate) fn ansi(text: &str) -> String {
    decode(text, EscapeDecoder::Quotes).0
}

/// Whether a text has an escape whose result depends on the locale: `\u00e9` stays as it is under `LC_ALL=C`.
pub(crate) fn has_locale_escapes(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('\\') {
        let kind = behind.chars().next();
        rest = behind.get(kind.map_or(0, char::len_utf8)..).unwrap_or_default();
        let most = match kind {
            Some('u') => 4,
            Some('U') => 8,
            _ => continue,
        };
        if digits(rest.chars(), 16, most).0 > 0x7F {
            return true;
        }
    }
    false
}

/// Decodes the escapes in a text. Also returns whether one of them, `\c`, ends all output.
pub(crate) fn decode(text: &str, reader: EscapeDecoder) -> (String, bool) {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        bytes.extend(before.bytes());
        let escape = behind.get(1..).unwrap_or_default();
        let Some(c) = escape.chars().next() else {
            rest = behind;
            break;
        };
        if c == 'c' && reader.writes() {
            return (String::from_utf8_lossy(&bytes).into_owned(), true);
        }
        rest = reader.escape(c, escape, &mut bytes);
        // A NUL ends the text of `$'…'`. In an output, it is dropped: no program is executed with one.
        if bytes.last() == Some(&0) {
            bytes.pop();
            if reader == EscapeDecoder::Quotes {
                rest = "";
                break;
            }
        }
    }
    bytes.extend(rest.bytes());
    (String::from_utf8_lossy(&bytes).into_owned(), false)
}

impl EscapeDecoder {
    /// Whether `\c` ends the output, and octal numbers begin with an additional `0`: in arguments that are written to
    /// the output.
    fn writes(self) -> bool {
        matches!(self, Self::Echo | Self::Argument)
    }

    /// Appends the bytes of one escape, and returns the text after it. `escape` is the text after the backslash, and
    /// `c` its first character.
    fn escape<'t>(self, c: char, escape: &'t str, bytes: &mut Vec<u8>) -> &'t str {
        let behind = escape.get(c.len_utf8()..).unwrap_or_default();
        if let Some(byte) = control(c) {
            bytes.push(byte);
            return behind;
        }
        match c {
            '\'' | '"' | '?' if !self.writes() => bytes.extend(c.to_string().bytes()),
            '0'..='7' if c == '0' || self != Self::Echo => {
                let (number, length) = digits(escape.chars(), 8, if self.writes() && c == '0' { 4 } else { 3 });
                bytes.extend(u8::try_from(number & 0xFF));
                return escape.get(length..).unwrap_or_default();
            }
            'x' | 'u' | 'U' => {
                let most = match c {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let (number, length) = digits(behind.chars(), 16, most);
                match length {
                    0 => bytes.extend(['\\', c].iter().collect::<String>().bytes()),
                    _ if c == 'x' => bytes.extend(u8::try_from(number)),
                    _ => {
                        bytes.extend(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER).to_string().bytes())
                    }
                }
                return behind.get(length..).unwrap_or_default();
            }
            'c' => {
                let key = behind.chars().next();
                bytes.extend(key.and_then(|key| u8::try_from(key).ok()).map(|key| key.to_ascii_uppercase() & 0x1F));
                return key.and_then(|key| behind.get(key.len_utf8()..)).unwrap_or_default();
            }
            _ => bytes.extend(['\\', c].iter().collect::<String>().bytes()),
        }
        behind
    }
}

/// Returns the byte of an escape with a single letter; `None` for other characters.
fn control(letter: char) -> Option<u8> {
    Some(match letter {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' => b'\\',
        _ => return None,
    })
}

/// Decodes percent-encoding: `%2F` is `/`. A `%` that is not followed by two hexadecimal digits is kept; also returns
/// whether there is none.
pub(crate) fn percent(text: &str) -> (Vec<u8>, bool) {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut is_valid = true;
    while let Some((before, behind)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let (byte, length) = digits(behind.chars(), 16, 2);
        is_valid &= length == 2;
        rest = match u8::try_from(byte) {
            Ok(byte) if length == 2 => {
                bytes.push(byte);
                behind.get(length..).unwrap_or_default()
            }
            _ => {
                bytes.push(b'%');
                behind
            }
        };
    }
    bytes.extend(rest.bytes());
    (bytes, is_valid)
}

/// Parses at most `most` digits at the start of a text, and returns their value and their number.
pub(crate) fn digits(text: impl Iterator<Item = char>, radix: u32, most: usize) -> (u32, usize) {
    let digits = text.map_while(|c| c.to_digit(radix)).take(most);
    digits.fold((0, 0), |(number, length), digit| (number.wrapping_mul(radix).wrapping_add(digit), length + 1))
}
