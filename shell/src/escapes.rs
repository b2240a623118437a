//! Backslash escapes, as in `$'…'`, `echo -e` and `printf`.

/// The construct that decodes the escapes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decoder {
    /// `$'…'`
    Quotes,
    /// `echo -e`
    Echo,
    /// The `%b` of `printf`.
    Argument,
    /// The format of `printf`.
    Format,
}

/// Decodes the content of `$'…'`. Bytes that are not valid text are lost.
pub(crate) fn ansi(text: &str) -> String {
    decoded(text, Decoder::Quotes).0
}

/// Whether the value of an escape depends on the locale: `\u00e9` stays as it is under `LC_ALL=C`.
pub(crate) fn are_of_locale(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('\\') {
        let kind = behind.chars().next();
        rest = behind.get(kind.map_or(0, char::len_utf8)..).unwrap_or_default();
        let most = match kind {
            Some('u') => 4,
            Some('U') => 8,
            _ => continue,
        };
        if digits(rest, 16, most).0 > 0x7F {
            return true;
        }
    }
    false
}

/// Decodes escapes. Also returns whether one of them ends all output.
pub(crate) fn decoded(text: &str, reader: Decoder) -> (String, bool) {
    let says = matches!(reader, Decoder::Echo | Decoder::Argument);
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        bytes.extend(before.bytes());
        let escape = behind.get(1..).unwrap_or_default();
        let Some(c) = escape.chars().next() else {
            bytes.push(b'\\');
            return (String::from_utf8_lossy(&bytes).into_owned(), false);
        };
        rest = escape.get(c.len_utf8()..).unwrap_or_default();
        match c {
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'e' | 'E' => bytes.push(27),
            'f' => bytes.push(12),
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'v' => bytes.push(11),
            '\\' => bytes.push(b'\\'),
            '\'' | '"' | '?' if !says => bytes.extend(c.to_string().bytes()),
            'c' if says => return (String::from_utf8_lossy(&bytes).into_owned(), true),
            '0'..='7' if c == '0' || reader != Decoder::Echo => {
                let (number, length) = digits(escape, 8, if says && c == '0' { 4 } else { 3 });
                rest = escape.get(length..).unwrap_or_default();
                bytes.extend(u8::try_from(number & 0xFF));
            }
            'x' => {
                let (number, length) = digits(rest, 16, 2);
                rest = rest.get(length..).unwrap_or_default();
                match length {
                    0 => bytes.extend(b"\\x"),
                    _ => bytes.extend(u8::try_from(number)),
                }
            }
            'u' | 'U' => {
                let (number, length) = digits(rest, 16, if c == 'u' { 4 } else { 8 });
                rest = rest.get(length..).unwrap_or_default();
                match length {
                    0 => bytes.extend(['\\', c].iter().collect::<String>().bytes()),
                    _ => {
                        bytes.extend(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER).to_string().bytes())
                    }
                }
            }
            'c' => {
                let control = rest.chars().next();
                rest = control.and_then(|c| rest.get(c.len_utf8()..)).unwrap_or_default();
                bytes.extend(control.and_then(|c| u8::try_from(c).ok()).map(|c| c.to_ascii_uppercase() & 0x1F));
            }
            _ => bytes.extend(['\\', c].iter().collect::<String>().bytes()),
        }
        // A NUL ends a string; one in output is dropped, as no program is executed with it.
        if bytes.last() == Some(&0) {
            bytes.pop();
            if reader == Decoder::Quotes {
                return (String::from_utf8_lossy(&bytes).into_owned(), false);
            }
        }
    }
    bytes.extend(rest.bytes());
    (String::from_utf8_lossy(&bytes).into_owned(), false)
}

/// Parses at most `most` digits, and returns their value and their number.
fn digits(text: &str, radix: u32, most: usize) -> (u32, usize) {
    let digits = text.chars().map_while(|c| c.to_digit(radix)).take(most);
    digits.fold((0, 0), |(number, length), digit| (number.wrapping_mul(radix).wrapping_add(digit), length + 1))
}
