//! Removes secrets from texts before they are written anywhere.
//!
//! It takes linear time, has no side effects, and uses no regexes, which a hook has no time to compile. It rather
//! removes too much than too little of the formats that it knows. Secrets in other formats remain.

use std::borrow::Cow;
use std::ops::Range;

/// The text that replaces a secret.
pub(super) const MARK: &str = "[redacted]";

/// Parts of a name that mark its value as secret: `API_KEY`.
const SECRET_NAMES: [&str; 8] = ["token", "key", "secret", "passw", "passphr", "auth", "cred", "cookie"];

/// A suffix of a name that also marks its value as secret: `DB_PASS`.
const SECRET_SUFFIX: &[u8] = b"pass";

/// The length of the shortest name in [`SECRET_NAMES`], in bytes.
const MIN_NAME_LEN: usize = 3;

/// Headers whose whole value is secret, up to the end of the line.
const SECRET_HEADERS: [&str; 4] = ["authorization", "proxy-authorization", "cookie", "set-cookie"];

/// The smallest of the minimum lengths in [`TOKEN_PREFIXES`], in bytes.
const MIN_TOKEN_LEN: usize = 14;

/// Prefixes of the tokens of well-known services, each with the minimum length of such a token. They cover all tokens
/// of `std/secrets`, and also placeholders for tokens.
const TOKEN_PREFIXES: &[(&str, usize)] = &[
    ("sk-", 20),
    ("sk_live_", 20),
    ("sk_test_", 20),
    ("rk_live_", 20),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 24),
    ("glpat-", 16),
    ("gldt-", 16),
    ("glrt-", 16),
    ("glptt-", 16),
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 30),
    ("xoxa-", 14),
    ("xoxb-", 14),
    ("xoxe-", 14),
    ("xoxp-", 14),
    ("xoxr-", 14),
    ("xoxs-", 14),
    ("xapp-", 20),
    ("npm_", 24),
    ("pypi-", 24),
    ("hf_", 24),
    ("ya29.", 20),
    ("eyJ", 24),
    ("shpat_", 24),
    ("shpca_", 24),
    ("shppa_", 24),
    ("shpss_", 24),
    ("doo_v1_", 24),
    ("dop_v1_", 24),
    ("dor_v1_", 24),
    ("rubygems_", 24),
    ("sntryu_", 24),
    ("sntrys_", 24),
    ("pul-", 24),
    ("xkeysib-", 24),
    ("xsmtpsib-", 24),
    ("gsk_", 24),
    ("lin_api_", 24),
    ("lin_oauth_", 24),
    ("pplx-", 24),
    ("glsa_", 24),
    ("glc_", 24),
    ("api_org_", 24),
    ("ntn_", 24),
    ("dckr_pat_", 24),
    ("figd_", 24),
    ("ATATT3", 24),
    ("HRKU-", 24),
    ("pscale_", 24),
    ("SG.", 24),
    ("hvs.", 20),
    ("hvb.", 20),
    ("PMAK-", 24),
    ("AGE-SECRET-KEY-1", 24),
    ("dapi", 36),
    ("sq0atp-", 24),
    ("sq0csp-", 24),
    ("GOCSPX-", 24),
    ("NRAK-", 24),
    ("NRRA-", 24),
    ("dp.", 40),
    ("duffel_", 24),
    ("EZAK", 40),
    ("EZTK", 40),
    ("fo1_", 24),
    ("FLWSECK", 24),
    ("dt0c0", 40),
    ("dt0s0", 40),
    ("nfp_", 24),
    ("pnu_", 24),
    ("sbp_", 24),
    ("sb_secret_", 24),
    ("shippo_", 24),
    ("bkua_", 24),
    ("squ_", 24),
    ("sqa_", 24),
    ("sqp_", 24),
    ("r8_", 24),
    ("CLOJARS_", 24),
    ("rdme_", 24),
    ("tk-us-", 24),
    ("whsec_", 24),
    ("CFPAT-", 24),
    ("LTAI", 20),
    ("AKID", 36),
    ("p8e-", 24),
    ("AKCp", 40),
    ("CCIPAT_", 24),
    ("pat-", 24),
    ("ico-", 24),
    ("sgp_", 40),
    ("xai-", 24),
    ("lsv2_", 24),
    ("tvly-", 24),
    ("nvapi-", 24),
    ("phx_", 24),
    ("tskey-", 24),
    ("key-", 36),
    ("EAA", 60),
    ("v1.0-", 40),
    ("ops_eyJ", 40),
    ("tfp_", 24),
    ("access-", 40),
    ("oy2", 40),
    ("sk.eyJ", 24),
    ("secret_", 40),
    ("fm1", 24),
    ("fm2", 24),
];

/// Texts inside a word that mark it as a token.
const TOKEN_INFIXES: [&str; 1] = [".atlasv1."];
/// Suffixes of tokens, each with the minimum length of such a token.
const TOKEN_SUFFIXES: [(&str, usize); 1] = [("_mmk", 30)];

/// Replaces all secrets in a text by [`MARK`].
pub(super) fn redact_text(text: &str) -> Cow<'_, str> {
    let scan = SecretScan(text.as_bytes());
    let mut secrets = scan.words();
    // The searches below look for `://` and `-----BEGIN`. Few texts contain their first byte, and searching for one
    // byte costs next to nothing.
    if scan.0.contains(&b':') {
        secrets.extend(scan.user_infos());
    }
    if scan.0.contains(&b'-') {
        secrets.extend(scan.pem_bodies());
    }
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    secrets.sort_by_key(|range| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut copied_up_to = 0;
    for secret in secrets {
        if secret.start >= copied_up_to {
            out.push_str(text.get(copied_up_to..secret.start).unwrap_or_default());
            out.push_str(MARK);
        }
        copied_up_to = copied_up_to.max(secret.end);
    }
    out.push_str(text.get(copied_up_to..).unwrap_or_default());
    Cow::Owned(out)
}

/// Whether a name marks its value as secret: `api_key`, `PGPASS`.
pub(super) fn is_secret_name(name: &str) -> bool {
    contains_word(name.as_bytes())
}

/// Whether a name contains one of [`SECRET_NAMES`] or ends with [`SECRET_SUFFIX`], ignoring case.
fn contains_word(name: &[u8]) -> bool {
    // A fast rejection: few bytes begin one of these parts, and every word of every text is checked here.
    let may_begin = |byte: u8| matches!(byte | 0x20, b't' | b'k' | b's' | b'p' | b'a' | b'c');
    let is_at =
        |rest: &[u8], word: &str| rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()));
    let has_part_at = |at: usize| name.get(at..).is_some_and(|rest| SECRET_NAMES.iter().any(|word| is_at(rest, word)));
    let has_secret_suffix = || {
        let end = name.len().checked_sub(SECRET_SUFFIX.len()).and_then(|at| name.get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(SECRET_SUFFIX))
    };
    name.len() >= MIN_NAME_LEN
        && (has_secret_suffix() || name.iter().enumerate().any(|(at, byte)| may_begin(*byte) && has_part_at(at)))
}

/// The bytes of a text in which secrets are searched for. Every returned offset is next to an ASCII byte, so no
/// character is cut.
struct SecretScan<'a>(&'a [u8]);

impl SecretScan<'_> {
    /// Returns the byte at an offset, or 0 outside the text.
    fn byte_at(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    fn slice(&self, range: Range<usize>) -> &[u8] {
        self.0.get(range).unwrap_or_default()
    }

    fn has_prefix_at(&self, at: usize, with: &[u8]) -> bool {
        self.0.get(at..).is_some_and(|rest| rest.starts_with(with))
    }

    /// Returns the offset of the first byte from `at` on that satisfies the test, or the end of the text if there is
    /// none.
    fn find_byte(&self, at: usize, test: impl Fn(u8) -> bool) -> usize {
        let rest = self.0.get(at..).unwrap_or_default();
        rest.iter().position(|byte| test(*byte)).map_or(self.0.len(), |found| at + found)
    }

    /// Returns the secrets that are words: tokens, and values after a name in an assignment, an option, a member or a
    /// header.
    fn words(&self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.0.len() {
            let start = self.find_byte(at, is_word_byte);
            let end = self.find_byte(start, |byte| !is_word_byte(byte));
            found.extend(self.secret_in_word(start, end));
            at = end.max(start + 1);
        }
        found.retain(|range| !range.is_empty());
        found
    }

    /// Returns the range of the word if it is a token, or of the secret that follows it: `x` in `TOKEN=x` and `Bearer
    /// x`.
    fn secret_in_word(&self, start: usize, end: usize) -> Option<Range<usize>> {
        if let Some(token) = self.token(start, end) {
            return Some(token);
        }
        let word = self.slice(start..end);
        if word.eq_ignore_ascii_case(b"bearer") && self.byte_at(end) == b' ' {
            let value = self.skip_blanks(end);
            return Some(
                value..self.find_byte(value, |byte| !is_word_byte(byte) && !matches!(byte, b'/' | b'+' | b'=' | b'~')),
            );
        }
        // Few words are followed by a value, and that is faster to check than the word itself.
        let separator = self.separator_after(end);
        let has_value = matches!(self.byte_at(separator), b':' | b'=') || self.byte_at(start) == b'-';
        if has_value && contains_word(word) { self.value_of_name(start, end, separator) } else { None }
    }

    /// Returns the offset at which a `=` or `:` would be, after a name that ends at `end`, its closing quote and
    /// blanks.
    fn separator_after(&self, end: usize) -> usize {
        self.skip_blanks(end + self.quote_length_at(end))
    }

    /// Returns the length of the quotation mark at an offset, which is 2 for `\"`; 0 if there is none.
    fn quote_length_at(&self, end: usize) -> usize {
        match (self.byte_at(end), self.byte_at(end + 1)) {
            (b'"' | b'\'', _) => 1,
            (b'\\', b'"') => 2,
            _ => 0,
        }
    }

    /// Returns the range of a word if it is a token of a known form.
    fn token(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let word = self.slice(start..end);
        if word.len() < MIN_TOKEN_LEN {
            return None;
        }
        let Some(shape) =
            TOKEN_PREFIXES.iter().find(|(prefix, least)| word.starts_with(prefix.as_bytes()) && word.len() >= *least)
        else {
            return self.is_marked_token(start, end).then_some(start..end);
        };
        // Base64 of JSON often begins like a JWT, but only a JWT has dots.
        let is_token = shape.0 != "eyJ" || word.contains(&b'.');
        is_token.then_some(start..end)
    }

    /// Whether a word is a token judging by a text inside it, its suffix, or the text before it.
    fn is_marked_token(&self, start: usize, end: usize) -> bool {
        let word = self.slice(start..end);
        let before = |mark: &[u8]| start.checked_sub(mark.len()).is_some_and(|at| self.has_prefix_at(at, mark));
        let holds = |mark: &&str| word.windows(mark.len()).any(|window| window == mark.as_bytes());
        // A Mailchimp key ends with its region: `…-us14`.
        let is_of_region = || {
            let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            word.len() >= 35 && word.get(..word.len() - digits).is_some_and(|rest| digits > 0 && rest.ends_with(b"-us"))
        };
        // A Telegram token follows the number of a bot: `123:AA…`.
        let is_of_bot = || {
            let number = start.checked_sub(2).map_or(0, |at| self.byte_at(at));
            word.len() >= 35 && word.starts_with(b"AA") && before(b":") && number.is_ascii_digit()
        };
        TOKEN_INFIXES.iter().any(holds)
            || TOKEN_SUFFIXES.iter().any(|(mark, least)| word.len() >= *least && word.ends_with(mark.as_bytes()))
            || word.len() >= 40 && before(b"sha256~")
            || is_of_region()
            || is_of_bot()
    }

    /// Returns the range of the value after a name that marks it as secret; `separator` is the offset of the `=` or `:`
    /// after the name. `None` if no value follows.
    fn value_of_name(&self, start: usize, end: usize, separator: usize) -> Option<Range<usize>> {
        let name = self.slice(start..end);
        match self.byte_at(separator) {
            b':' if is_header(name) && self.quote_length_at(end) == 0 => {
                let value = self.skip_blanks(separator + 1);
                Some(value..self.find_byte(value, |byte| matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'\\')))
            }
            b':' if self.byte_at(separator + 1) == b'=' => {
                Some(self.value(self.skip_blanks(separator + 2), ValueEnd::Word))
            }
            b':' if matches!(
                self.byte_at(separator + 1),
                b' ' | b'\t' | b'"' | b'\'' | b'\\' | b'0'..=b'9' | b'[' | b'{'
            ) =>
            {
                Some(self.value(self.skip_blanks(separator + 1), ValueEnd::Member))
            }
            b'=' if self.byte_at(separator + 1) == b'=' => None,
            b'=' => {
                let value = if self.byte_at(separator + 1) == b'>' { separator + 2 } else { separator + 1 };
                // In `NAME= command`, the value is empty; blanks are skipped only if there are some before the `=` too.
                let value = if separator == end { value } else { self.skip_blanks(value) };
                Some(self.value(value, ValueEnd::Word))
            }
            _ if self.byte_at(start) == b'-' && separator > end && self.byte_at(separator) != b'-' => {
                Some(self.value(separator, ValueEnd::Word))
            }
            _ => None,
        }
    }

    fn skip_blanks(&self, at: usize) -> usize {
        self.find_byte(at, |byte| !matches!(byte, b' ' | b'\t'))
    }

    /// Returns the range of the value that begins at `start`. Quotes around it are not part of the range.
    fn value(&self, start: usize, ends: ValueEnd) -> Range<usize> {
        if self.has_prefix_at(start, b"\\\"") {
            let inside = start + 2;
            let mut end = inside;
            while end < self.0.len() && !self.has_prefix_at(end, b"\\\"") {
                end += 1;
            }
            return inside..end;
        }
        let quote = self.byte_at(start);
        if matches!(quote, b'"' | b'\'') {
            let close = self.quote_end(start + 1, quote);
            // A shell word may continue after its quotes.
            if ends == ValueEnd::Member || !self.is_word_continued(close + 1) {
                return start + 1..close;
            }
        }
        let mut end = start;
        while end < self.0.len() && !ends.is_end(self.byte_at(end)) {
            end = match self.byte_at(end) {
                quote @ (b'"' | b'\'') if ends == ValueEnd::Word => self.quote_end(end + 1, quote) + 1,
                _ => end + 1,
            };
        }
        start..end.min(self.0.len())
    }

    /// Whether a shell word continues at this offset, which is after a closing quote.
    fn is_word_continued(&self, at: usize) -> bool {
        at < self.0.len()
            && !ValueEnd::Word.is_end(self.byte_at(at))
            && !matches!(self.byte_at(at), b',' | b'}' | b']' | b':')
    }

    /// Returns the offset of the closing quote, or the end of the text.
    fn quote_end(&self, start: usize, quote: u8) -> usize {
        let mut at = start;
        while at < self.0.len() && self.byte_at(at) != quote {
            at += if self.byte_at(at) == b'\\' && quote == b'"' { 2 } else { 1 };
        }
        at.min(self.0.len())
    }

    /// Returns the `user:password` parts of URLs.
    fn user_infos(&self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut at = 0;
        loop {
            let colon = self.find_byte(at, |byte| byte == b':');
            if colon == self.0.len() {
                return found;
            }
            at = colon + 1;
            if self.has_prefix_at(colon, b"://") {
                let start = colon + 3;
                let is_end =
                    |byte: u8| byte <= b' ' || matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'<' | b'>');
                let end = self.find_byte(start, is_end);
                if let Some(before) = self.slice(start..end).iter().rposition(|byte| *byte == b'@') {
                    found.push(start..start + before);
                }
                at = end;
            }
        }
    }

    /// Returns the bodies of PEM blocks and PuTTY keys. An unfinished one extends to the end of the text.
    fn pem_bodies(&self) -> Vec<Range<usize>> {
        const BEGIN: &[u8] = b"-----BEGIN ";
        const END: &[u8] = b"-----END ";
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(begin) = self.position(from, BEGIN) {
            let header = begin + BEGIN.len();
            let body = self.position(header, b"-----").map_or(self.0.len(), |dashes| dashes + 5);
            let end = self.position(body, END).unwrap_or(self.0.len());
            found.push(body..end);
            from = end;
        }
        // In a PuTTY key, the secret lines are between the line with their count and the one with the checksum.
        let mut from = 0;
        while let Some(lines) = self.position(from, b"Private-Lines:") {
            let body = self.find_byte(lines, |byte| matches!(byte, b'\n' | b'\r' | b'\\'));
            let end = self.position(body, b"Private-").unwrap_or(self.0.len());
            found.push(body..end);
            from = end.max(lines + 1);
        }
        found.retain(|range| !range.is_empty());
        found
    }

    /// Returns the offset of the first occurrence of `what` from `from` on.
    fn position(&self, from: usize, what: &[u8]) -> Option<usize> {
        let rest = self.0.get(from..)?;
        rest.windows(what.len()).position(|window| window.first() == what.first() && window == what).map(|at| from + at)
    }
}

/// What an unquoted value is part of, which determines where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueEnd {
    /// A shell word.
    Word,
    /// A member of JSON or YAML.
    Member,
}

impl ValueEnd {
    /// Whether a byte ends an unquoted value.
    fn is_end(self, byte: u8) -> bool {
        match self {
            Self::Word => byte <= b' ' || matches!(byte, b'&' | b';' | b'|' | b')' | b'<' | b'>' | b'`'),
            Self::Member => byte <= b' ' || matches!(byte, b',' | b'}' | b']' | b'"' | b'\'' | b'`' | b';' | b')'),
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Whether a name is that of a header whose whole value is secret.
fn is_header(name: &[u8]) -> bool {
    SECRET_HEADERS.iter().any(|header| name.eq_ignore_ascii_case(header.as_bytes()))
}

#[cfg(test)]
mod tests;
