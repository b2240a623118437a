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
    while let Some((_, escape)) = rest.split_once('\\') {
        let kind = escape.chars().next();
        rest = escape.get(kind.map_or(0, char::len_utf8)..).unwrap_or_default();
        let max_digits = match kind {
            Some('u') => 4,
            Some('U') => 8,
            _ => continue,
        };
        if digits(rest.chars(), 16, max_digits).0 > 0x7F {
            return true;
        }
    }
    false
}

/// Decodes the escapes in a text. Also returns whether one of them is a `\c` that ends all output.
pub(crate) fn decode(text: &str, decoder: EscapeDecoder) -> (String, bool) {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, from_backslash) = rest.split_at_checked(at).unwrap_or((rest, ""));
        bytes.extend(before.bytes());
        let escape = from_backslash.get(1..).unwrap_or_default();
        let Some(c) = escape.chars().next() else {
            rest = from_backslash;
            break;
        };
        if c == 'c' && decoder.is_argument_of_output() {
            return (String::from_utf8_lossy(&bytes).into_owned(), true);
        }
        rest = decoder.escape(c, escape, &mut bytes);
        // A NUL ends the text of `$'…'`.
        if bytes.last() == Some(&0) && decoder == EscapeDecoder::Quotes {
            bytes.pop();
            rest = "";
            break;
        }
    }
    bytes.extend(rest.bytes());
    (String::from_utf8_lossy(&bytes).into_owned(), false)
}

impl EscapeDecoder {
    /// Whether the text is an argument that is written to the output. In such a text, `\c` ends the output, and octal
    /// numbers begin with an additional `0`.
    fn is_argument_of_output(self) -> bool {
        matches!(self, Self::Echo | Self::Argument)
    }

    /// Appends the bytes of one escape, and returns the text after it. `escape` is the text after the backslash, and
    /// `c` its first character, which is not the `\c` that ends an output.
    fn escape<'t>(self, c: char, escape: &'t str, bytes: &mut Vec<u8>) -> &'t str {
        let after = escape.get(c.len_utf8()..).unwrap_or_default();
        if let Some(byte) = control(c) {
            bytes.push(byte);
            return after;
        }
        match c {
            '\'' | '"' | '?' if !self.is_argument_of_output() => bytes.extend(c.to_string().bytes()),
            '0'..='7' if c == '0' || self != Self::Echo => {
                let (number, length) =
                    digits(escape.chars(), 8, if self.is_argument_of_output() && c == '0' { 4 } else { 3 });
                bytes.extend(u8::try_from(number & 0xFF));
                return escape.get(length..).unwrap_or_default();
            }
            'x' | 'u' | 'U' => {
                let max_digits = match c {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let (number, length) = digits(after.chars(), 16, max_digits);
                match length {
                    0 => bytes.extend(['\\', c].iter().collect::<String>().bytes()),
                    _ if c == 'x' => bytes.extend(u8::try_from(number)),
                    _ => {
                        bytes.extend(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER).to_string().bytes())
                    }
                }
                return after.get(length..).unwrap_or_default();
            }
            'c' => {
                let key = after.chars().next();
                bytes.extend(key.and_then(|key| u8::try_from(key).ok()).map(|key| key.to_ascii_uppercase() & 0x1F));
                return key.and_then(|key| after.get(key.len_utf8()..)).unwrap_or_default();
            }
            _ => bytes.extend(['\\', c].iter().collect::<String>().bytes()),
        }
        after
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

/// Decodes percent-encoding: `%2F` is `/`. Keeps a `%` that is not followed by two hexadecimal digits, and also returns
/// whether there was no such `%`.
pub(crate) fn percent(text: &str) -> (Vec<u8>, bool) {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut is_valid = true;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let (byte, length) = digits(after.chars(), 16, 2);
        is_valid &= length == 2;
        rest = match u8::try_from(byte) {
            Ok(byte) if length == 2 => {
                bytes.push(byte);
                after.get(length..).unwrap_or_default()
            }
            _ => {
                bytes.push(b'%');
                after
            }
        };
    }
    bytes.extend(rest.bytes());
    (bytes, is_valid)
}

/// Parses up to `max_digits` digits at the start of a text. Returns their value, and how many there are.
pub(crate) fn digits(text: impl Iterator<Item = char>, radix: u32, max_digits: usize) -> (u32, usize) {
    let digits = text.map_while(|c| c.to_digit(radix)).take(max_digits);
    digits.fold((0, 0), |(number, length), digit| (number.wrapping_mul(radix).wrapping_add(digit), length + 1))
}
