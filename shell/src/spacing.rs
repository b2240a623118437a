//! A text of a shell without the blanks that say nothing, so that two spellings of a call can be compared.

/// What a text has whose blanks may say something outside quotes: bodies of here-documents, tests, arithmetic and parts
/// of expansions.
const KEPT: [&str; 5] = ["<<", "[[", "((", "`", "${"];

/// Returns a text in which words are separated by one blank, and operators by none: `make|tail >log` for
/// `make  |  tail > log`. Any other text that a shell reads alike may still be different.
#[must_use]
pub fn without_idle_blanks(text: &str) -> String {
    let text = text.trim();
    if KEPT.iter().any(|kept| text.contains(kept)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut has_blank = false;
    while let Some(sign) = rest.next() {
        match sign {
            ' ' | '\t' => {
                has_blank = true;
                continue;
            }
            // A line that goes on.
            '\\' if rest.next_if_eq(&'\n').is_some() => continue,
            _ => {}
        }
        let is_idle = match out.chars().next_back() {
            None => true,
            Some('\n' | '|' | '&' | ';' | '(') if sign == '\n' => continue,
            Some(last) if is_operator(last) => !may_join(last, sign),
            // `echo 2 >a` is not `echo 2>a`, and `{a} >b` is not `{a}>b`.
            Some(last) => is_operator(sign) && !(matches!(sign, '<' | '>') && (last.is_ascii_digit() || last == '}')),
        };
        if has_blank && !is_idle {
            out.push(' ');
        }
        has_blank = false;
        out.push(sign);
        match sign {
            '\\' => out.extend(rest.next()),
            '\'' | '"' => push_quoted(&mut out, &mut rest, sign),
            _ => {}
        }
    }
    out
}

/// Whether a character is an operator of the shell, or a part of one.
fn is_operator(sign: char) -> bool {
    matches!(sign, '|' | '&' | ';' | '<' | '>' | '(' | ')' | '\n')
}

/// Whether two operators are another one without a blank between them: `> >(a)` is not `>>(a)`.
fn may_join(last: char, sign: char) -> bool {
    match last {
        '<' | '>' => is_operator(sign),
        '&' => matches!(sign, '&' | '>'),
        '|' | ';' => sign == last || sign == '&',
        '(' | ')' => sign == last,
        _ => false,
    }
}

/// Copies a text up to the quote that ends it. The quote `'` after `$` may be escaped, which a copy up to an earlier
/// one does not change.
fn push_quoted(out: &mut String, rest: &mut std::iter::Peekable<std::str::Chars<'_>>, quote: char) {
    let escapes = quote == '"' || out.ends_with("$'");
    while let Some(sign) = rest.next() {
        out.push(sign);
        match sign {
            '\\' if escapes => out.extend(rest.next()),
            _ if sign == quote => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_idle_blanks;

    #[test]
    fn blanks_between_words_and_around_operators_say_nothing() {
        for (one, other) in [
            ("npm test | tail -20", "npm  test|tail\t-20"),
            ("cd web && make", "cd web&&make"),
            ("make a; make b", "make a ;  make b"),
            ("make >log", "make > log"),
            ("make 2>&1", "make 2>&1 "),
            ("A=1 make x", "A=1   make x"),
            ("make \"$X\"", "make   \"$X\""),
            ("(a; b) | c", "( a;b )|c"),
            ("a &&\n  b", "a && b"),
            ("a \\\n  b", "a b"),
            ("a\n\n b", "a\nb"),
            ("a $(b  c)", "a $(b c)"),
        ] {
            assert_eq!(without_idle_blanks(one), without_idle_blanks(other));
        }
    }

    #[test]
    fn what_differs_stays_different() {
        for (one, other) in [
            ("echo 2 >a", "echo 2>a"),
            ("a > >(b)", "a >>(b)"),
            ("echo 'a  b'", "echo 'a b'"),
            ("echo \"a  b\"", "echo \"a b\""),
            ("echo $'a\\'  b'", "echo $'a\\' b'"),
            ("echo a\\ \\ b", "echo a\\ b"),
            ("cat <<E\na  b\nE", "cat <<E\na b\nE"),
            ("[[ $a =~ x  ]]", "[[ $a =~ x ]]"),
            ("echo ${a:-b  c}", "echo ${a:-b c}"),
            ("( (a) )", "((a))"),
            ("a & b", "a && b"),
            ("ab", "a b"),
            ("a\nb", "a b"),
        ] {
            assert_ne!(without_idle_blanks(one), without_idle_blanks(other));
        }
    }
}
