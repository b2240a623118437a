//! Redacted secrets, and texts that only look like one.

use super::*;

#[track_caller]
fn check(input: &str, expected: &str) {
    assert_eq!(redact_text(input), expected);
}

#[test]
fn assignments_lose_their_values() {
    check("API_KEY=abc make", "API_KEY=[redacted] make");
    check("export DB_PASSWORD='a b' X=1", "export DB_PASSWORD='[redacted]' X=1");
    check("TOKEN=\"a\\\"b\" x", "TOKEN=\"[redacted]\" x");
    check("DB_PASS=abc X=1", "DB_PASS=[redacted] X=1");
    check("gpg --passphrase abc x", "gpg --passphrase [redacted] x");
    check("3 passed: 1 failed", "3 passed: 1 failed");
    check("PASSWD=a\"b c\"d e", "PASSWD=[redacted] e");
    check("PASSWD='a'b c", "PASSWD=[redacted] c");
    check("client_secret = abc", "client_secret = [redacted]");
    check("https://x.y/?a=1&access_token=abc&b=2", "https://x.y/?a=1&access_token=[redacted]&b=2");
    check("`API_KEY=abc`", "`API_KEY=[redacted]`");
    check("(TOKEN=abc)", "(TOKEN=[redacted])");
    check("TOKEN= cmd", "TOKEN= cmd");
    check("token == other", "token == other");
    check("secret := \"x\"", "secret := \"[redacted]\"");
    check("PASSWORD='never closed", "PASSWORD='[redacted]");
}

#[test]
fn options_lose_their_values() {
    check("curl --oauth2-bearer abc -v", "curl --oauth2-bearer [redacted] -v");
    check("x --token=abc y", "x --token=[redacted] y");
    check("x --password 'a b' y", "x --password '[redacted]' y");
    check("ssh-keygen -key-file --yes", "ssh-keygen -key-file --yes");
    check("git commit -m 'a key thing'", "git commit -m 'a key thing'");
}

#[test]
fn members_lose_their_values() {
    check(r#"{"token": "abc", "a": 1}"#, r#"{"token": "[redacted]", "a": 1}"#);
    check(r#"{"apiKey":"a\"b","a":1}"#, r#"{"apiKey":"[redacted]","a":1}"#);
    check(r#"{\"secret\":\"abc\",\"a\":1}"#, r#"{\"secret\":\"[redacted]\",\"a\":1}"#);
    check("password: hunter2\nuser: me", "password: [redacted]\nuser: me");
    check("{'token': 12345, 'a': 1}", "{'token': [redacted], 'a': 1}");
    check("auth::login()", "auth::login()");
}

#[test]
fn headers_lose_their_line() {
    check("curl -H 'Authorization: Basic abc=' x", "curl -H 'Authorization: [redacted]' x");
    check("Cookie: a=b; c=d\nHost: x", "Cookie: [redacted]\nHost: x");
    check("curl -H \"X-Api-Key: abc\" x", "curl -H \"X-Api-Key: [redacted]\" x");
    check("use Bearer abc.def/+= now", "use Bearer [redacted] now");
}

#[test]
fn urls_lose_their_user() {
    check("git clone https://me:p@ss@host/x.git", "git clone https://[redacted]@host/x.git");
    check("https://host/a@b", "https://host/a@b");
    check("git@host:x.git", "git@host:x.git");
}

#[test]
fn known_shapes_go() {
    for token in [
        "sk-abcdefghijklmnopqrstuv",
        "ghp_0123456789abcdefghij",
        "github_pat_0123456789abcdefghij_x",
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-12345-abcdefgh",
        "glpat-0123456789abcdef",
        "AIzaSyA0123456789abcdefghijklmnopqrst",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig-nature",
    ] {
        check(&format!("echo {token}."), "echo [redacted]");
        check(&format!("(“{token}”)"), "(“[redacted]”)");
    }
    check("sk-short eyJhbGciOiJIUzI1NiJ9 and task-force", "sk-short eyJhbGciOiJIUzI1NiJ9 and task-force");
}

#[test]
fn pem_bodies_go() {
    check(
        "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nb",
        "a\n-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\nb",
    );
    check("-----BEGIN X-----\nMIIE cut", "-----BEGIN X-----[redacted]");
}

#[test]
fn a_text_without_secrets_is_not_copied() {
    assert!(matches!(redact_text("git push origin main # größer"), Cow::Borrowed(_)));
}

#[test]
fn every_text_is_redacted_without_a_panic_and_in_bounds() {
    // The scanner's delimiters in every order, with multi-byte characters between them.
    let parts = ["token", "=", ":", "\"", "'", "\\", "é", "://", "@", "-----BEGIN ", "-----", " ", "--", "eyJ", "\n"];
    let mut seed = 7_u64;
    for _ in 0..20_000 {
        let mut input = String::new();
        for _ in 0..8 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            input.push_str(parts[usize::try_from(seed >> 33).unwrap() % parts.len()]);
        }
        let once = redact_text(&input).into_owned();
        assert!(once.len() <= input.len() * 11 + 10, "{input}");
    }
}

#[test]
fn long_texts_take_linear_time() {
    let input = "token token=\\\" -----BEGIN ://@ 'é ".repeat(20_000);
    assert!(redact_text(&input).contains(MARK));
}

#[test]
fn what_is_looked_for_first_is_true_of_all() {
    assert!(SECRET_NAMES.iter().all(|name| name.len() >= MIN_NAME_LEN));
    assert!(TOKEN_PREFIXES.iter().all(|(_, least)| *least >= MIN_TOKEN_LEN));
    for name in SECRET_NAMES {
        for name in [name.to_owned(), name.to_uppercase(), format!("my_{name}_1")] {
            assert!(is_secret_name(&name), "{name}");
        }
    }
}

/// The tests of std/secrets have a text for each kind of key that it recognises.
#[test]
fn what_the_pack_takes_for_a_key_is_never_written() {
    let cases = include_str!("../../../rules/secrets.rules").split("\n  given ");
    let mut count = 0;
    for case in cases.filter(|case| case.contains("expect deny by no-keys-in-files")) {
        let Some((_, quoted)) = case.split_once("tool_input.content: ") else { continue };
        let content = serde_json::Deserializer::from_str(quoted).into_iter::<String>().next().unwrap().unwrap();
        assert!(redact_text(&content).contains(MARK), "{content}");
        count += 1;
    }
    assert!(count > 100, "{count}");
}
