//! The differences of two dumps of one case, by key.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};

use super::SHOWN;
use super::reworded::Reworded;
use crate::dump::PROSE;

/// The most characters of a value that are shown.
const MOST: usize = 400;

/// A value that differs.
pub struct Difference {
    pub case: String,
    /// The keys that lead to it, with positions in lists.
    pub key: String,
    pub old: String,
    pub new: String,
}

/// All differences: the first ones, and how many there are.
pub struct Differences<'r> {
    reworded: &'r Reworded,
    pub first: Vec<Difference>,
    /// The number by key, without positions.
    pub by_key: BTreeMap<String, usize>,
    /// The number of cases with differences.
    pub cases: usize,
    /// The sentences that differ, and are not reviewed.
    pub unreviewed: BTreeSet<(String, String)>,
}

impl<'r> Differences<'r> {
    pub fn new(reworded: &'r Reworded) -> Self {
        Self { reworded, first: Vec::new(), by_key: BTreeMap::new(), cases: 0, unreviewed: BTreeSet::new() }
    }

    pub fn count(&self) -> usize {
        self.by_key.values().sum()
    }

    /// Compares two lines.
    pub fn lines(&mut self, old: &str, new: &str) -> Result<(), String> {
        if old == new {
            return Ok(());
        }
        let read = |line: &str| serde_json::from_str::<Json>(line).map_err(|error| format!("{error}: {}", short(line)));
        let (old, new) = (read(old)?, read(new)?);
        let case = |line: &Json| line.get("case").and_then(Json::as_str).unwrap_or_default().to_owned();
        let name = case(&old);
        if name != case(&new) {
            return Err(format!("the versions dump other cases: `{name}`, `{}`", case(&new)));
        }
        let before = self.count();
        let reworded = self.reworded.count();
        self.values(&name, "", &old, &new);
        let is_reworded = self.reworded.count() > reworded;
        if self.count() == before && !is_reworded {
            self.add(&name, "(the order of keys)", &old, &new);
        }
        self.cases += usize::from(self.count() > before);
        Ok(())
    }

    fn values(&mut self, case: &str, key: &str, old: &Json, new: &Json) {
        match (old, new) {
            _ if old == new => {}
            (Json::Object(old), Json::Object(new)) => self.objects(case, key, old, new),
            (Json::Array(old), Json::Array(new)) => self.lists(case, key, old, new),
            (Json::String(from), Json::String(to)) if is_prose(key) => {
                if !self.reworded.explains(from, to) {
                    self.unreviewed.insert((from.clone(), to.clone()));
                    self.add(case, key, old, new);
                }
            }
            _ => self.add(case, key, old, new),
        }
    }

    fn objects(&mut self, case: &str, key: &str, old: &Map<String, Json>, new: &Map<String, Json>) {
        let added = new.keys().filter(|name| !old.contains_key(*name));
        for name in old.keys().chain(added) {
            let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
            let value = |of: &Map<String, Json>| of.get(name).cloned().unwrap_or(Json::from("(absent)"));
            self.values(case, &key, &value(old), &value(new));
        }
    }

    /// Compares lists. Findings belong together by code and place, and so do not differ only because one before them
    /// was added; other lists of different lengths differ as a whole.
    fn lists(&mut self, case: &str, key: &str, old: &[Json], new: &[Json]) {
        if key == "findings" && !old.iter().map(identity).eq(new.iter().map(identity)) {
            let mut left: Vec<&Json> = new.iter().collect();
            for finding in old {
                match left.iter().position(|other| identity(other) == identity(finding)) {
                    Some(at) => self.values(case, key, finding, left.remove(at)),
                    None => self.add(case, key, finding, &Json::Null),
                }
            }
            left.iter().for_each(|finding| self.add(case, key, &Json::Null, finding));
            let known = |all: &[Json], of: &[Json]| {
                let of: Vec<_> = of.iter().map(identity).collect();
                all.iter().map(identity).filter(|one| of.contains(one)).collect::<Vec<_>>()
            };
            if known(old, new) != known(new, old) {
                self.add(case, "findings (their order)", &Json::from(old.to_vec()), &Json::from(new.to_vec()));
            }
            return;
        }
        if old.len() != new.len() {
            return self.add(case, key, &Json::from(old.to_vec()), &Json::from(new.to_vec()));
        }
        for (at, (old, new)) in old.iter().zip(new).enumerate() {
            self.values(case, &format!("{key}[{at}]"), old, new);
        }
    }

    fn add(&mut self, case: &str, key: &str, old: &Json, new: &Json) {
        *self.by_key.entry(without_positions(key)).or_default() += 1;
        if self.first.len() < SHOWN {
            let (old, new) = around(&old.to_string(), &new.to_string());
            self.first.push(Difference { case: case.to_owned(), key: key.to_owned(), old, new });
        }
    }
}

/// Returns what a finding is known by: its code and its place.
fn identity(finding: &Json) -> (String, String) {
    let text = |key: &str| finding.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    (text("code"), text("place"))
}

/// Whether the last key is that of a sentence.
fn is_prose(key: &str) -> bool {
    let last = key.rsplit('.').next().unwrap_or(key);
    PROSE.contains(&last.split('[').next().unwrap_or(last))
}

fn without_positions(key: &str) -> String {
    let mut out = String::new();
    let mut is_inside = false;
    for c in key.chars() {
        is_inside = (is_inside || c == '[') && c != ']';
        if !is_inside && c != ']' {
            out.push(c);
        }
    }
    out
}

/// Shortens a text for display.
pub fn short(text: &str) -> String {
    let mut out: String = text.chars().take(MOST).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// Shortens two texts to where they differ.
fn around(old: &str, new: &str) -> (String, String) {
    let same = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    let skipped = if old.chars().count().max(new.chars().count()) > MOST { same.saturating_sub(60) } else { 0 };
    let cut = |text: &str| {
        let rest: String = text.chars().skip(skipped).collect();
        format!("{}{}", if skipped > 0 { "…" } else { "" }, short(&rest))
    };
    (cut(old), cut(new))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns the keys that differ.
    fn keys(old: &Json, new: &Json, reworded: &str) -> Vec<String> {
        let reworded = Reworded::of(reworded).unwrap();
        let mut found = Differences::new(&reworded);
        found.lines(&old.to_string(), &new.to_string()).unwrap();
        found.by_key.into_keys().collect()
    }

    fn line(members: Json) -> Json {
        let Json::Object(mut all) = json!({ "case": "x" }) else { unreachable!() };
        let Json::Object(members) = members else { unreachable!() };
        all.extend(members);
        Json::Object(all)
    }

    #[test]
    fn every_kind_of_change_is_noticed() {
        let rows = [
            (json!({ "decision": "deny" }), json!({ "decision": "ask" }), "decision"),
            (json!({ "votes": [{ "rule": "a" }] }), json!({ "votes": [{ "rule": "b" }] }), "votes.rule"),
            (json!({ "votes": [{ "rule": "a" }] }), json!({ "votes": [] }), "votes"),
            (json!({ "findings": [{ "code": "R0001" }] }), json!({ "findings": [{ "code": "R0002" }] }), "findings"),
            (
                json!({ "findings": [{ "code": "R0001", "fix": { "replacement": "a" } }] }),
                json!({ "findings": [{ "code": "R0001", "fix": null }] }),
                "findings.fix",
            ),
            (json!({ "fixed": "a" }), json!({ "fixed": null }), "fixed"),
            (
                json!({ "commands": [{ "accesses": [{ "verb": "reads" }] }] }),
                json!({ "commands": [{ "accesses": [{ "verb": "writes" }] }] }),
                "commands.accesses.verb",
            ),
            (json!({ "message": "a" }), json!({ "message": "b" }), "message"),
            (json!({ "a": 1 }), json!({ "a": 1, "b": 2 }), "b"),
            (json!({ "a": 1, "b": 2 }), json!({ "b": 2, "a": 1 }), "(the order of keys)"),
        ];
        for (old, new, key) in rows {
            let found = keys(&line(old.clone()), &line(new), "");
            assert!(found.iter().all(|found| found == key) && !found.is_empty(), "{found:?}, not {key}");
            assert!(keys(&line(old.clone()), &line(old), "").is_empty());
        }
    }

    #[test]
    fn a_reviewed_sentence_may_differ_and_nothing_else() {
        let reworded = "not a fact\tno fact\n";
        let old = line(json!({ "findings": [{ "code": "R1", "place": "a:1", "message": "`x`: not a fact" }] }));
        let new = line(json!({ "findings": [{ "code": "R1", "place": "a:1", "message": "`x`: no fact" }] }));
        assert!(keys(&old, &new, reworded).is_empty());
        assert_eq!(keys(&old, &new, ""), ["findings.message"]);
        let (old, new) = (line(json!({ "fixed": "not a fact" })), line(json!({ "fixed": "no fact" })));
        assert_eq!(keys(&old, &new, reworded), ["fixed"]);
    }

    #[test]
    fn a_finding_more_does_not_hide_the_others() {
        let finding = |code: &str, message: &str| json!({ "code": code, "place": "a:1", "message": message });
        let old = line(json!({ "findings": [finding("R2", "b")] }));
        let new = line(json!({ "findings": [finding("R1", "a"), finding("R2", "c")] }));
        assert_eq!(keys(&old, &new, ""), ["findings", "findings.message"]);
        let old = line(json!({ "findings": [finding("R2", "b"), finding("R1", "a")] }));
        let new = line(json!({ "findings": [finding("R1", "a"), finding("R2", "b")] }));
        assert_eq!(keys(&old, &new, ""), ["findings (their order)"]);
    }
}
