//! A changed call, its differences from the original call, and measures of how large and how natural a change is.

use std::path::Path;

use hookrules_shell::{StartDirectories, analyse};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::schema::Event;
use crate::types::Payload;

/// A call that may make the rule match: a payload, and the facts given with it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Candidate {
    pub(super) payload: Payload,
    /// The facts given with the call, by their names (`git.branch`).
    pub(super) facts: Map<String, Json>,
}

/// One difference between the original call and a changed one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Difference {
    /// The path of a member (`tool_input.command`), or the name of a fact (`git.branch`).
    pub(super) what: String,
    /// The value in the original call; `None` if it is absent there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<Json>,
    /// The value in the changed call; `None` if it is absent there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<Json>,
}

/// How a changed call was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChangeOrigin {
    /// The call was derived from the failing parts of the rule.
    Requirement,
    /// The call is the example of the rule at this index. An author's first examples show best what the rule is for,
    /// so a low index is preferred.
    Example(usize),
}

/// Members that differ between any two calls, and so are never part of a change.
const IGNORED_MEMBERS: &[&str] = &["session_id", "transcript_path", "tool_use_id", "prompt_id"];

impl Candidate {
    /// Returns a copy whose member at a path has the given value, or is removed if the value is `None`.
    pub(super) fn with_member(&self, path: &[&str], value: Option<Json>) -> Self {
        let mut changed = self.clone();
        set(&mut changed.payload.json, path, value);
        changed
    }

    /// Returns a copy whose fact has the given value.
    pub(super) fn with_fact(&self, name: &str, value: Json) -> Self {
        let mut changed = self.clone();
        changed.facts.insert(name.to_owned(), value);
        changed
    }

    /// Returns a copy for another event; the other members stay the same.
    pub(super) fn with_event(&self, event: Event) -> Self {
        let mut changed = self.with_member(&["hook_event_name"], Some(event.name().into()));
        changed.payload.event = event;
        changed
    }

    /// Returns the member of the payload at a path.
    pub(super) fn member(&self, path: &[&str]) -> Option<&Json> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.payload.json.get(*first)?, |value, name| value.get(*name))
    }

    /// Returns the member of the payload at a path if it is a text.
    pub(super) fn text_member(&self, path: &[&str]) -> Option<&str> {
        self.member(path)?.as_str()
    }

    /// Whether the command of this call runs another one (`ssh host ls`), and that of a changed call does not (`ssh`).
    /// Whoever asks about such a call means the command in it.
    pub(super) fn loses_a_command(&self, changed: &Self) -> bool {
        const COMMAND: &[&str] = &["tool_input", "command"];
        let (Some(from), Some(to)) = (self.text_member(COMMAND), changed.text_member(COMMAND)) else { return false };
        let runs_another = |text: &str| {
            let start = StartDirectories { cwd: Path::new("/"), home: None };
            !text.contains(['&', '|', ';', '\n']) && analyse(text, &start).commands.len() > 1
        };
        from != to && !runs_another(to) && runs_another(from)
    }

    /// Returns the differences between this call and a changed one, in the order of the members, then those of the
    /// facts.
    pub(super) fn differences(&self, changed: &Self) -> Vec<Difference> {
        let mut out = Vec::new();
        for (name, from, to) in pair_members(&self.payload.json, &changed.payload.json) {
            if IGNORED_MEMBERS.contains(&name) {
                continue;
            }
            match (from, to) {
                // The members of an input are compared individually.
                (Some(Json::Object(before)), Some(Json::Object(after))) => {
                    let inner = pair_members(before, after).into_iter().filter(|(_, from, to)| from != to);
                    out.extend(inner.map(|(inner, from, to)| difference(format!("{name}.{inner}"), from, to)));
                }
                (from, to) if from != to => out.push(difference(name.to_owned(), from, to)),
                _ => {}
            }
        }
        let facts = pair_members(&self.facts, &changed.facts).into_iter().filter(|(_, from, to)| from != to);
        out.extend(facts.map(|(name, from, to)| difference(name.to_owned(), from, to)));
        out
    }

    /// Returns the sort key of a change; the lowest is the most natural. A change of fewer members comes first, then an
    /// edit of the same command or text, then the rule's examples in order, then calls that the search composed.
    pub(super) fn naturalness_rank(&self, changed: &Self, origin: ChangeOrigin) -> (usize, usize, usize) {
        let differences = self.differences(changed);
        let is_edited = |difference: &Difference| match (&difference.from, &difference.to) {
            (Some(Json::String(from)), Some(Json::String(to))) => {
                // `git push && rm x` was composed by the search, although it begins like the original.
                let is_chained = to.strip_prefix(from.as_str()).is_some_and(|rest| rest.trim_start().starts_with("&&"));
                let first = |text: &str| text.split([' ', '/']).find(|part| !part.is_empty()).map(str::to_owned);
                difference.what != "tool_name" && first(from) == first(to) && !is_chained
            }
            // A different object is a different call, not an edited one.
            (Some(Json::Object(_)), _) | (_, Some(Json::Object(_))) => false,
            // Adding a fact, a number or an agent is an edit; adding a command or a path replaces the call.
            (None, Some(_)) => difference.what != "tool_input.command" && !difference.what.ends_with("path"),
            _ => true,
        };
        let words = || differences.iter().map(differing_words).sum();
        let (kind, rank) = match origin {
            _ if differences.iter().all(is_edited) => (0, words()),
            ChangeOrigin::Example(index) => (1, index),
            ChangeOrigin::Requirement => (2, words()),
        };
        // One more differing member weighs as much as two steps of `kind`, from an edited text to a composed call.
        (2 * differences.len() + kind, rank, self.cost(changed).1)
    }

    /// Returns the distance of a changed call from this one: the number of members that differ, and the number of
    /// characters removed or added in them between the common beginning and the common end.
    pub(super) fn cost(&self, changed: &Self) -> (usize, usize) {
        let differences = self.differences(changed);
        let distance = |difference: &Difference| {
            let text = |value: &Option<Json>| match value {
                None => String::new(),
                Some(Json::String(text)) => text.clone(),
                Some(value) => value.to_string(),
            };
            let (from, to) = (text(&difference.from), text(&difference.to));
            let front = from.chars().zip(to.chars()).take_while(|(a, b)| a == b).count();
            let (from, to) = (from.chars().skip(front).collect::<Vec<_>>(), to.chars().skip(front).collect::<Vec<_>>());
            let back = from.iter().rev().zip(to.iter().rev()).take_while(|(a, b)| a == b).count();
            // Removed characters count as much as added ones.
            (from.len() - back).saturating_add(to.len() - back)
        };
        (differences.len(), differences.iter().map(distance).sum())
    }
}

/// Returns how many words of a text differ between the common beginning and the common end. An added or removed word
/// counts twice as much as a replaced one. Returns 0 if the member is not a text.
fn differing_words(difference: &Difference) -> usize {
    let (Some(Json::String(from)), Some(Json::String(to))) = (&difference.from, &difference.to) else { return 0 };
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split(' ').collect(), to.split(' ').collect());
    let front = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let (from, to) = (from.get(front..).unwrap_or_default(), to.get(front..).unwrap_or_default());
    let back = from.iter().rev().zip(to.iter().rev()).take_while(|(a, b)| a == b).count();
    let (gone, new) = (from.len() - back, to.len() - back);
    gone.min(new) + 2 * gone.abs_diff(new)
}

/// Builds a difference from borrowed values.
fn difference(what: String, from: Option<&Json>, to: Option<&Json>) -> Difference {
    Difference { what, from: from.cloned(), to: to.cloned() }
}

/// Pairs the members of two objects by name: first those of `before` in order, then those that only `after` has.
fn pair_members<'a>(
    before: &'a Map<String, Json>,
    after: &'a Map<String, Json>,
) -> Vec<(&'a str, Option<&'a Json>, Option<&'a Json>)> {
    let known = before.iter().map(|(name, value)| (name.as_str(), Some(value), after.get(name)));
    let added = after.iter().filter(|(name, _)| !before.contains_key(*name));
    known.chain(added.map(|(name, value)| (name.as_str(), None, Some(value)))).collect()
}

/// Sets or removes the member at a path. Missing objects on the path are created.
fn set(json: &mut Map<String, Json>, path: &[&str], value: Option<Json>) {
    let Some((first, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        match value {
            Some(value) => {
                json.insert((*first).to_owned(), value);
            }
            None => {
                json.shift_remove(*first);
            }
        }
        return;
    }
    if !json.get(*first).is_some_and(Json::is_object) {
        json.insert((*first).to_owned(), Json::Object(Map::new()));
    }
    if let Some(Json::Object(inner)) = json.get_mut(*first) {
        set(inner, rest, value);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(input: Json) -> Candidate {
        let json = json!({ "session_id": "s", "tool_name": "Bash", "tool_input": input });
        let Json::Object(json) = json else { panic!() };
        Candidate { payload: Payload::new(Event::PreToolUse, json), facts: Map::new() }
    }

    #[test]
    fn a_change_is_told_by_the_member_and_the_smaller_one_costs_less() {
        let now = call(json!({ "command": "git push", "timeout": 5 }));
        let longer = now.with_member(&["tool_input", "command"], Some("git push -f".into()));
        let other = now.with_member(&["tool_input", "command"], Some("rm -rf /".into()));
        let differences = now.differences(&longer);
        assert_eq!(differences.len(), 1);
        assert_eq!(differences[0].what, "tool_input.command");
        assert!(now.cost(&longer) < now.cost(&other));
        assert!(now.cost(&other) < now.cost(&other.with_fact("git.branch", "main".into())));
        assert_eq!(now.differences(&now.with_member(&["session_id"], None)), []);
    }

    #[test]
    fn a_word_more_is_more_natural_than_an_example_and_that_than_what_is_made_up() {
        let now = call(json!({ "command": "git push origin topic" }));
        let to = |text: &str| now.with_member(&["tool_input", "command"], Some(text.into()));
        let mut all = [
            (to("terraform destroy"), ChangeOrigin::Requirement),
            (to("git push origin topic && git push -f"), ChangeOrigin::Requirement),
            (to("rm x"), ChangeOrigin::Example(1)),
            (to("rm -rf /srv/app"), ChangeOrigin::Example(0)),
            (to("git push origin topic +x"), ChangeOrigin::Requirement),
            (to("git push origin +topic"), ChangeOrigin::Requirement),
        ];
        all.sort_by_key(|(changed, origin)| now.naturalness_rank(changed, *origin));
        let sorted: Vec<&str> =
            all.iter().map(|(changed, _)| changed.text_member(&["tool_input", "command"]).unwrap()).collect();
        let expected = [
            "git push origin +topic",
            "git push origin topic +x",
            "rm -rf /srv/app",
            "rm x",
            "terraform destroy",
            "git push origin topic && git push -f",
        ];
        assert_eq!(sorted, expected);
    }
}
