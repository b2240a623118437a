//! Mutations of texts, bytes and JSON, one at a time.

use serde_json::{Map, Value as Json};

use crate::random::Random;

/// The length that texts rarely exceed.
const LONG: usize = 16 << 10;

/// Returns a random element.
pub fn pick<'t, T>(random: &mut Random, of: &'t [T]) -> &'t T {
    &of[random.below(of.len())]
}

/// Returns a random length: mostly small, sometimes large.
pub fn amount(random: &mut Random) -> usize {
    match random.below(64) {
        0 => 1 << (10 + random.below(8)),
        1..=7 => 16 << random.below(6),
        _ => 1 + random.below(8),
    }
}

/// Repeats a text, up to a limit of size.
pub fn repeat(text: &str, times: usize) -> String {
    text.repeat(times.min((256 << 10) / text.len().max(1)).max(1))
}

/// Returns a random position between two characters.
fn place(random: &mut Random, text: &str) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns a random part of a text, more often short than long.
fn part(random: &mut Random, text: &str) -> std::ops::Range<usize> {
    let start = place(random, text);
    let most = if random.below(4) == 0 { text.len() } else { 24 };
    let mut end = (start + random.below(most + 1)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Mutates a text in one place. `words` are components of such texts, `others` are complete ones.
pub fn text(random: &mut Random, text: &mut String, words: &[String], others: &[String]) {
    match random.below(10) {
        0 | 1 => {
            let at = place(random, text);
            let word: &String = pick(random, words);
            text.insert_str(at, word);
        }
        2 => {
            let part = part(random, text);
            text.replace_range(part, "");
        }
        3 | 4 => {
            let part = part(random, text);
            let word = pick(random, words).clone();
            text.replace_range(part, &word);
        }
        5 => {
            let part = part(random, text);
            let times = amount(random);
            let repeated = repeat(&text[part.clone()], times);
            text.insert_str(part.end, &repeated);
        }
        6 => {
            let other = pick(random, others);
            let (here, there) = (part(random, text), part(random, other));
            text.replace_range(here, &other[there]);
        }
        7 => {
            // The head of one text and the tail of another.
            let other = pick(random, others);
            let (cut, from) = (place(random, text), place(random, other));
            text.truncate(cut);
            text.push_str(&other[from..]);
        }
        8 => {
            let (from, to) = (part(random, text), place(random, text));
            let moved = text[from].to_owned();
            text.insert_str(to, &moved);
        }
        _ => {
            let at = place(random, text);
            const ODD: &[&str] = &[
                "\0",
                "\u{feff}",
                "\u{2028}",
                "\r\n",
                "\u{202e}",
                "é",
                "\u{1f600}",
                "\u{7f}",
                "\\",
                "\"",
                "'",
                "`",
                "\n",
                "\t",
                "\u{a0}",
                "0",
                "-1",
                "9223372036854775808",
                "1e400",
                "%s",
                "{",
                "}",
                "[",
                "]",
                "(",
                ")",
                "$",
                "*",
            ];
            text.insert_str(at, random.one(ODD));
        }
    }
    if text.len() > LONG && random.below(16) > 0 {
        let mut end = LONG;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}

/// Mutates bytes in one place.
pub fn bytes(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(16)).min(bytes.len());
    match random.below(7) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 => bytes.truncate(at),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let times = amount(random).min(64 << 10);
            let repeated = bytes[at..end].repeat(times.min((256 << 10) / (end - at).max(1)));
            bytes.splice(end..end, repeated);
        }
        4 => {
            const ODD: &[&[u8]] = &[
                b"\xff",
                b"\xc0\x80",
                b"\xed\xa0\x80",
                b"\0",
                b"\xef\xbb\xbf",
                b"\\ud800",
                b"\\udc00\\ud800",
                b"\\u0000",
                b"{\"a\":",
                b"[",
                b"]",
                b"}",
                b",",
                b"\"",
                b"1e999",
                b"-0",
                b"NaN",
                b"//",
                b"\r",
                b"\xf4\x90\x80\x80",
            ];
            let odd = *pick(random, ODD);
            bytes.splice(at..at, odd.iter().copied());
        }
        5 => bytes.splice(at..end, (0..random.below(8)).map(|_| 0x20).collect::<Vec<u8>>()).for_each(drop),
        _ => {
            let moved = bytes[at..end].to_vec();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, moved);
        }
    }
}

/// Mutates one value somewhere in a tree. `leaf` creates values; `names` are names of members.
pub fn json(random: &mut Random, tree: &mut Json, names: &[String], leaf: &mut dyn FnMut(&mut Random) -> Json) {
    let count = nodes(tree);
    let mut left = random.below(count);
    let Some(node) = find(tree, &mut left) else { return };
    match random.below(9) {
        0 | 1 => *node = leaf(random),
        2 => {
            let inner = node.take();
            *node = if random.below(2) == 0 {
                Json::Array(vec![inner])
            } else {
                Json::Object(Map::from_iter([(pick(random, names).clone(), inner)]))
            };
        }
        3 => match node {
            Json::Object(members) if !members.is_empty() => {
                let name = members.keys().nth(random.below(members.len())).cloned();
                name.map(|name| members.shift_remove(&name));
            }
            Json::Array(values) if !values.is_empty() => drop(values.remove(random.below(values.len()))),
            other => *other = Json::Null,
        },
        4 | 5 => match node {
            Json::Object(members) => drop(members.insert(pick(random, names).clone(), leaf(random))),
            Json::Array(values) => values.push(leaf(random)),
            other => *other = leaf(random),
        },
        6 => {
            let copy = node.clone();
            match node {
                Json::Object(members) => drop(members.insert(pick(random, names).clone(), copy)),
                Json::Array(values) => values.extend((0..amount(random).min(2_000)).map(|_| copy.clone())),
                Json::String(text) if text.len() < LONG => *text = repeat(text, amount(random)),
                other => *other = Json::Array(vec![copy.clone(), copy]),
            }
        }
        7 => {
            // The same name with other letter case.
            if let Json::Object(members) = node
                && !members.is_empty()
                && let Some((name, value)) = members.iter().nth(random.below(members.len()))
            {
                let (other, value) = (name.to_uppercase(), value.clone());
                members.insert(other, value);
            }
        }
        _ => {
            let mut deep = node.take();
            for _ in 0..amount(random).min(100) {
                deep = Json::Array(vec![deep]);
            }
            *node = deep;
        }
    }
}

fn nodes(tree: &Json) -> usize {
    1 + match tree {
        Json::Object(members) => members.values().map(nodes).sum(),
        Json::Array(values) => values.iter().map(nodes).sum::<usize>(),
        _ => 0,
    }
}

fn find<'j>(tree: &'j mut Json, left: &mut usize) -> Option<&'j mut Json> {
    if *left == 0 {
        return Some(tree);
    }
    *left -= 1;
    match tree {
        Json::Object(members) => members.values_mut().find_map(|value| find(value, left)),
        Json::Array(values) => values.iter_mut().find_map(|value| find(value, left)),
        _ => None,
    }
}
