//! Translates a class `[…]`. In conclaude, a leading `^` does not negate, and a backslash is an ordinary character.

use super::GlobUnit;

/// Parses the class at the start of a text. Returns it in our syntax, and its length in the text in bytes. A class with
/// a single member becomes a plain character.
pub(super) fn parse_class(rest: &str) -> Result<(GlobUnit, usize), (&'static str, &'static str)> {
    const HELP: &str = "close the class, or write `[[]` for the character";
    let body = rest.get(1..).unwrap_or_default();
    let (negated, body) = body.strip_prefix('!').map_or((false, body), |body| (true, body));
    // A `]` at the beginning is a member, and does not close the class.
    let first_member_length = body.chars().next().map_or(0, char::len_utf8);
    let end = body.get(first_member_length..).and_then(|body| body.find(']')).ok_or(("a `[` without its `]`", HELP))?
        + first_member_length;
    let members = body.get(..end).unwrap_or_default();
    let mut chars = members.chars();
    let (mut plain, mut marks, mut bracket, mut dash) = (String::new(), String::new(), "", "");
    while let Some(low) = chars.next() {
        let mut lookahead = chars.clone();
        if let (Some('-'), Some(high)) = (lookahead.next(), lookahead.next()) {
            if low > high {
                return Err(("a range in reverse order", "write the smaller character first"));
            }
            plain.extend([low, '-', high]);
            chars = lookahead;
            continue;
        }
        match low {
            ']' => bracket = "]",
            '-' => dash = "-",
            '!' | '^' => marks.push(low),
            other => plain.push(other),
        }
    }
    let length = rest.len() - body.len() + end + 1;
    // In our syntax, a leading `!` or `^` would negate and a `-` between members would make a range, so they come
    // last.
    let inside = format!("{bracket}{plain}{marks}{dash}");
    // The first two characters show whether the class has a single member, or only `!` and `^`.
    let mut single = inside.chars();
    match (negated, single.next(), single.next()) {
        (true, ..) => Ok((GlobUnit::Class(format!("[!{inside}]")), length)),
        (false, Some(only), None) => Ok((GlobUnit::Char(only), length)),
        (false, Some('!' | '^'), _) => Err(("a class of `!` and `^` alone", "write two entries")),
        (false, ..) => Ok((GlobUnit::Class(format!("[{inside}]")), length)),
    }
}
