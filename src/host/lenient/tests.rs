//! Tests of what is read of a payload that is not proper JSON, and what is reported as lost.

use super::*;
use serde_json::json;

/// Parses a text of which nothing may be lost.
#[track_caller]
fn whole(text: impl AsRef<[u8]>) -> Json {
    let lenient = parse_json(text.as_ref()).unwrap();
    assert_eq!(lenient.damage, None);
    Json::Object(lenient.members)
}

/// Parses a text of which something must be lost; returns the object and the damage.
#[track_caller]
fn damaged(text: impl AsRef<[u8]>) -> (Json, String) {
    let lenient = parse_json(text.as_ref()).unwrap();
    (Json::Object(lenient.members), lenient.damage.expect("something was lost"))
}

fn nested(depth: usize) -> String {
    // The outer object is one level.
    format!("{{\"a\":{}{},\"b\":1}}", "[".repeat(depth - 1), "]".repeat(depth - 1))
}

#[test]
fn a_lone_surrogate_is_a_replacement_character() {
    assert_eq!(whole(r#"{"a":"rm -rf ~ # \ud800"}"#), json!({"a": "rm -rf ~ # \u{fffd}"}));
    assert_eq!(whole(r#"{"a":"\udc00x\ud800\ud800\udc01"}"#), json!({"a": "\u{fffd}x\u{fffd}\u{10001}"}));
    assert_eq!(whole(r#"{"a":"\ud800\n\ud83d\ude00"}"#), json!({"a": "\u{fffd}\n\u{1f600}"}));
    assert_eq!(whole(r#"{"\ud800":1}"#), json!({"\u{fffd}": 1}));
}

#[test]
fn invalid_utf8_is_a_replacement_character() {
    assert_eq!(whole(b"{\"a\":\"x\xffy\"}"), json!({"a": "x\u{fffd}y"}));
    assert_eq!(whole(b"{\"a\":\"\xed\xa0\x80\"}").get("a").unwrap().as_str().unwrap().trim_matches('\u{fffd}'), "");
}

#[test]
fn control_characters_in_strings_are_themselves() {
    assert_eq!(whole(b"{\"a\":\"x\ny\0z\t\"}"), json!({"a": "x\ny\0z\t"}));
    assert_eq!(whole(r#"{"a":"\u0000"}"#), json!({"a": "\0"}));
}

#[test]
fn an_escape_that_is_none_is_the_text_that_it_looks_like() {
    assert_eq!(whole(r#"{"a":"C:\dir \u12 \uzzzz"}"#), json!({"a": r"C:\dir \u12 \uzzzz"}));
}

#[test]
fn a_byte_order_mark_and_white_space_are_dropped() {
    assert_eq!(whole("\u{feff}  {\"a\":1}\r\n"), json!({"a": 1}));
}

#[test]
fn a_number_out_of_range_is_null() {
    assert_eq!(whole(r#"{"a":1e999,"b":[-1E+4000,2],"c":1e-999}"#), json!({"a": null, "b": [null, 2], "c": 0.0}));
    assert!(whole(format!("{{\"a\":{}}}", "9".repeat(400))).get("a").unwrap().is_null());
}

#[test]
fn numbers_in_strings_are_text() {
    assert_eq!(whole("{\"a\":\"1e999\n\"}"), json!({"a": "1e999\n"}));
}

#[test]
fn of_a_key_that_stands_twice_the_last_one_counts() {
    assert_eq!(whole(r#"{"a":1,"b":2,"a":3}"#), json!({"a": 3, "b": 2}));
    assert_eq!(whole(r#"{"a":1,"b":"\ud800","a":3}"#), json!({"a": 3, "b": "\u{fffd}"}));
}

#[test]
fn nesting_to_the_limit_is_read() {
    for depth in [127, 128, 129, MAX_DEPTH] {
        let text = nested(depth);
        let read = whole(&text);
        assert_eq!(read.to_string(), text, "{depth}");
    }
}

#[test]
fn deeper_nesting_is_null_and_damage() {
    for depth in [MAX_DEPTH + 1, 100_000] {
        let (read, damage) = damaged(nested(depth));
        assert_eq!(read["b"], json!(1), "what follows is read");
        assert!(read.to_string().contains("[null]"));
        assert_eq!(damage, "values nested deeper than 200 levels");
    }
}

#[test]
fn brackets_and_quotes_in_deep_strings_do_not_count() {
    let deep = format!("{}{}{}", "[".repeat(1_200), r#""]\"]\\","{""#, "]".repeat(1_200));
    let (read, _) = damaged(format!("{{\"a\":{deep},\"b\":1}}"));
    assert_eq!(read["b"], json!(1));
}

#[test]
fn truncated_text_keeps_its_complete_members() {
    let (read, damage) = damaged(r#"{"a":1,"b":{"c":[1,2]},"d":"rm -rf"#);
    assert_eq!(read, json!({"a": 1, "b": {"c": [1, 2]}}));
    assert!(damage.contains("ends early"), "{damage}");
    assert_eq!(damaged("{").0, json!({}));
    assert_eq!(damaged(r#"{"a""#).0, json!({}));
    assert_eq!(damaged(r#"{"a":"\"#).0, json!({}));
    assert_eq!(damaged(r#"{"a":"\ud8"#).0, json!({}));
}

#[test]
fn what_follows_the_object_is_damage() {
    for rest in ["x", "{}", "]", "\"", "\0", "}"] {
        let (read, damage) = damaged(format!("{{\"a\":1}}{rest}"));
        assert_eq!(read, json!({"a": 1}));
        assert_eq!(damage, "not JSON from byte 7 on");
    }
}

#[test]
fn garbage_in_the_middle_keeps_what_stands_before_it() {
    for rest in ["tru}", "+1}", "01}", "[1,]}", "{\"x\" 1}}", "[}]", "'x'}", "NaN}", "1e999e}", "{,}}", "}"] {
        let (read, _) = damaged(format!("{{\"a\":1,\"b\":{rest}"));
        assert_eq!(read, json!({"a": 1}), "{rest}");
    }
    assert_eq!(damaged(r#"{"a":1 2}"#).0, json!({"a": 1}), "the value was complete");
    assert_eq!(damaged(r#"{"a":1,}"#).0, json!({"a": 1}));
    assert_eq!(damaged(r#"{"a":1]"#).0, json!({"a": 1}));
}

#[test]
fn what_is_no_object_is_refused() {
    for text in ["[1]", "\"x\"", "1", "null", "x", "\u{feff}[", "\0{}"] {
        assert_eq!(parse_json(text.as_bytes()), Err(DecodeFailure("not a JSON object".to_owned())), "{text:?}");
    }
    for text in ["", " \n", "\u{feff}"] {
        assert_eq!(parse_json(text.as_bytes()), Err(DecodeFailure("no input".to_owned())), "{text:?}");
    }
}

#[test]
fn a_string_of_ten_megabytes_is_read() {
    let long = "x".repeat(10_000_000);
    assert_eq!(whole(format!("{{\"a\":\"{long}\"}}"))["a"], json!(long));
    let read = whole(format!("{{\"a\":\"{long}\\ud800\"}}"));
    assert_eq!(read["a"].as_str().map(str::len), Some(long.len() + '\u{fffd}'.len_utf8()));
}

proptest::proptest! {
    #[test]
    fn what_a_strict_parser_reads_is_read_the_same(text in r#"\{("[a-c]":("[a-z\\\\nu0-9"]{0,6}"|[0-9]{1,3}|null|\[\]),?){0,4}\}"#) {
        if let Ok(strict) = serde_json::from_str::<Json>(&text) {
            proptest::prop_assert_eq!(whole(&text), strict);
        }
    }

    #[test]
    fn the_repair_leaves_valid_text_as_it_is(numbers in proptest::collection::vec(proptest::num::f64::NORMAL, 0..4), text in ".*") {
        let value = json!({"n": numbers, "t": text});
        // The lone surrogate forces the repairing reader.
        let mut sent = value.to_string();
        sent.insert_str(1, r#""x":"\ud800","#);
        let mut read = whole(&sent);
        read.as_object_mut().unwrap().shift_remove("x");
        proptest::prop_assert_eq!(read["t"].clone(), value["t"].clone());
        proptest::prop_assert_eq!(read.to_string(), value.to_string());
    }

    #[test]
    fn any_bytes_end_in_an_answer(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
        let _ = parse_json(&bytes);
        let mut object = b"{\"a\":".to_vec();
        object.extend(&bytes);
        proptest::prop_assert!(parse_json(&object).is_ok());
    }
}

#[test]
fn what_would_take_too_much_memory_is_lost_and_the_rest_is_read() {
    let many = |element: &str| vec![element; 1_000_000].join(",");
    let members: String = (0..1_000_000).map(|number| format!("\"m{number}\":0,")).collect();
    for (what, inner) in [
        ("values", format!("{{\"list\":[{}],\"z\":1}}", many("0"))),
        ("objects", format!("{{\"list\":[{}],\"z\":1}}", many("{\"\":0}"))),
        ("texts", format!("{{\"list\":[{}],\"z\":1}}", many("\"\""))),
        ("members", format!("{{\"list\":[0],{members}\"z\":1}}")),
        ("lists", format!("{{\"list\":[{}],\"z\":1}}", many("[[0]]"))),
    ] {
        let text = format!("{{\"first\":\"a\",\"input\":{inner},\"name\":\"b\",\"more\":[1],\"last\":2}}");
        let (read, damage) = damaged(text);
        assert!(damage.contains("MiB of memory"), "{what}: {damage}");
        assert_eq!(read.get("first"), Some(&json!("a")), "{what}");
        assert_eq!((read.get("name"), read.get("last")), (Some(&json!("b")), Some(&json!(2))), "{what}");
        // A later container would be read only in part and taken for complete.
        assert_eq!(read.get("more"), Some(&Json::Null), "{what}");
        let list = read.get("input").and_then(|input| input.get("list")).and_then(Json::as_array).unwrap();
        let kept = read.get("input").and_then(Json::as_object).unwrap().len() + list.len();
        assert!(kept > 5_000 && kept < 900_000, "{what}: {kept}");
    }
}

#[test]
fn a_long_text_that_fits_is_read_whole() {
    let long = "x\\n\u{e9}".repeat(1 << 20);
    let text = format!("{{\"a\":\"{long}\",\"b\":[1,{{\"c\":null}}]}}");
    let read = whole(&text);
    assert_eq!(read.get("a").and_then(Json::as_str).map(str::len), Some(4 << 20));
    assert_eq!(read.get("b"), Some(&json!([1, {"c": null}])));
    let mut bytes = text.into_bytes();
    let at = bytes.len() / 2 / 5 * 5 + 6;
    bytes[at] = 0xff;
    assert!(whole(&bytes).get("a").and_then(Json::as_str).unwrap().contains('\u{fffd}'));
}

#[test]
fn members_of_the_payload_itself_are_lost_from_where_they_are_too_many() {
    let members: String = (0..1_000_000).map(|number| format!("\"m{number}\":0,")).collect();
    let (read, damage) = damaged(format!("{{\"hook_event_name\":\"Stop\",{members}\"last\":1}}"));
    assert_eq!(read.get("hook_event_name"), Some(&json!("Stop")));
    assert!(read.get("last").is_none() && damage.contains("MiB of memory"), "{damage}");
}

#[test]
fn a_value_is_too_deep_where_its_text_is() {
    for depth in [1, 2, MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, MAX_DEPTH + 2] {
        let value = (1..depth).fold(serde_json::json!([]), |inner, _| serde_json::json!([inner, 1]));
        let text = format!("{{\"a\":{value}}}");
        let damage = parse_json(text.as_bytes()).unwrap().damage;
        assert_eq!(is_too_deep(&serde_json::json!({ "a": value })), damage.is_some(), "{depth}: {damage:?}");
    }
}
