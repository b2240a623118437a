//! The page as a browser receives it.

use sha2::{Digest, Sha256};

use super::*;
use crate::policy::Policy;
use crate::project::load_text;

const HOSTILE: &str = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>\"'&\u{202e}\u{2028}";

fn entry() -> LogEntry {
    serde_json::from_value(json!({
        "number": 1, "time": HOSTILE, "event": HOSTILE, "session_id": HOSTILE, "tool": HOSTILE, "decision": HOSTILE,
        "message": HOSTILE, "agent_id": HOSTILE, "problems": [HOSTILE], "incomplete": [HOSTILE], "microseconds": 5,
        "rules": [{ "rule": HOSTILE, "decision": HOSTILE }], "observed": [{ "rule": HOSTILE, "decision": "deny" }],
        "unknown": [{ "rules": [HOSTILE], "reason": HOSTILE }], "call": { "tool_input": { "command": HOSTILE } },
    }))
    .unwrap()
}

fn made(entries: &[LogEntry], policy: &str) -> String {
    let loaded = load_text("<b>.rules", policy);
    let policy = Policy::new(loaded.sources, &loaded.layers);
    let contents = PageContents {
        project: Some(Path::new(HOSTILE)),
        created: HOSTILE,
        entries,
        endings: &AskOutcomes::from_entries(entries.iter().cloned()),
        stats: &LogStats::from_entries(entries.iter(), &AskOutcomes::from_entries(entries.iter().cloned())),
        policy: &policy,
        finding: Some(HOSTILE.to_owned()),
    };
    page(&contents)
}

#[test]
fn nothing_that_a_log_or_a_policy_says_is_markup() {
    let policy =
        format!("## {}\nrule a {{\n  on Stop\n  deny \"<script>alert(2)</script>\"\n}}\n", "<script>x</script>");
    let page = made(&[entry()], &policy);
    assert_eq!(page.matches("<script").count(), 2, "the data and the page's own");
    assert_eq!(page.matches("</script").count(), 2);
    for wrong in ["<img", "<!--<", "alert(1)</script", "\u{202e}", "\u{2028}", "<b>.rules", "onerror=alert(1)>\""] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    assert!(page.contains("&lt;script&gt;alert(2)"));
}

#[test]
fn the_data_comes_back_as_it_is_visible() {
    let page = made(&[entry()], "");
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    let rows: Json = serde_json::from_str(data).unwrap();
    assert_eq!(rows[0]["c"], crate::escape::line(HOSTILE, 4_000));
}

#[test]
fn the_page_loads_nothing() {
    let page = made(&[entry()], "");
    for wrong in [" src=", " href=", "url(", "@import", "http:", "https:", " style=", " onclick"] {
        assert!(!page.replace(&crate::escape::line(HOSTILE, 4_000), "").contains(wrong) || wrong == " src=", "{wrong}");
    }
    assert!(page.contains("default-src 'none'"));
}

/// A reader looks for a call first, and a pack brings many rules that never fire.
#[test]
fn the_calls_are_first_and_rules_that_never_fired_are_folded() {
    let fired: LogEntry = serde_json::from_value(json!({
        "time": "2026-01-01T00:00:00Z", "event": "Stop", "decision": "deny",
        "rules": [{ "rule": "fired", "decision": "deny" }],
    }))
    .unwrap();
    let rule = |name: &str| format!("rule {name} {{\n  on Stop\n  deny \"No.\"\n}}\n");
    let page = made(&[fired], &["fired", "silent-a", "silent-b"].map(rule).concat());
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is missing"));
    assert!(at("id=\"calls\"") < at("<h2>By day") && at("<h2>By day") < at("<h2>Rules"));
    let fold = at("<summary>2 rules never fired</summary>");
    assert!(at("<span class=\"name\">fired<") < fold);
    assert!(fold < at("<span class=\"name\">silent-a<") && fold < at("<span class=\"name\">silent-b<"));
    assert!(!made(&[], "").contains("never fired"), "an empty fold");
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - three.len()));
        let digit = |at: usize| if at > three.len() { '=' } else { char::from(DIGITS[bits >> (18 - 6 * at) & 63]) };
        (0..4).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

/// The digests let a browser run only the page's own script.
#[test]
fn the_digests_are_of_what_the_page_holds() {
    let digest = |text: &str| base64(&Sha256::digest(text.as_bytes()));
    for (name, text, known) in [("page.css", STYLE, STYLE_DIGEST), ("page.js", SCRIPT, SCRIPT_DIGEST)] {
        assert_eq!(known.trim(), digest(text), "write it to {name}.sha256");
        assert!(!text.contains("</"), "{name} would end its element");
    }
}

#[test]
fn only_so_many_calls_are_kept_and_the_page_says_so() {
    let entries = vec![entry(); MAX_CALLS + 1];
    let page = made(&entries, "");
    assert!(page.contains(&format!("The latest {MAX_CALLS} of {} lines", MAX_CALLS + 1)));
}
