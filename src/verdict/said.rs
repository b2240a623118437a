//! What several rules say together: each text once, and what cannot be judged, and why, once for all of them.
//!
//! Pure text. It does not know why a rule cannot judge something.

use std::collections::BTreeSet;

/// How many rules a message names; the rest is counted.
const NAMED_RULES: usize = 3;

/// How many characters are shown of what a rule guards against.
const OWN: usize = 120;

/// What stands around the name of the rule in the last line of a doubt.
const MAY_BE: &str = "It may be what `";
const GUARDS: &str = "` guards against";

/// Says that a rule cannot judge something: first what and why, then the rule, and in short what it guards against.
///
/// What the rule itself says is no statement about this call, so it stands in quotes.
#[must_use]
pub fn doubt(rule: &str, why: &str, own: &str) -> String {
    let own = short(own);
    let own = if own.is_empty() { ".".to_owned() } else { format!(": \"{own}\"") };
    format!("{}\n{MAY_BE}{rule}{GUARDS}{own}", why.replace('\n', " "))
}

/// Returns the first sentence of a text, on one line.
fn short(own: &str) -> String {
    let line = own.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = line.match_indices(['.', '?', '!']).map(|(at, end)| at.saturating_add(end.len()));
    let mut ends = ends.filter(|end| line.get(*end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')));
    let sentence = ends.next().and_then(|end| line.get(..end)).unwrap_or(&line);
    match sentence.char_indices().nth(OWN) {
        None => sentence.to_owned(),
        Some((at, _)) => format!("{}…", sentence.get(..at).unwrap_or_default().trim_end()),
    }
}

/// What one rule says, or what several cannot judge for one reason.
struct Said<'a> {
    /// What is said; of a doubt, what cannot be judged and why.
    text: &'a str,
    doubts: bool,
    /// The first rules that say so, with what they guard against.
    named: Vec<(&'a str, &'a str)>,
    rules: BTreeSet<&'a str>,
}

impl<'a> Said<'a> {
    fn new(rule: &'a str, text: &'a str) -> Self {
        let doubt = text.split_once('\n').and_then(|(why, guards)| {
            let own = guards.strip_prefix(MAY_BE)?.strip_prefix(rule)?.strip_prefix(GUARDS)?;
            Some((why, own.strip_prefix(": ").unwrap_or_default()))
        });
        let (text, own) = doubt.unwrap_or((text, ""));
        Self { text, doubts: doubt.is_some(), named: vec![(rule, own)], rules: BTreeSet::from([rule]) }
    }

    fn add(&mut self, other: Self) {
        for (rule, own) in other.named {
            if self.rules.insert(rule) && self.named.len() < NAMED_RULES {
                self.named.push((rule, own));
            }
        }
    }

    fn show(&self) -> String {
        let mut out = self.text.to_owned();
        match self.named.as_slice() {
            _ if !self.doubts => {}
            [(rule, "")] => out.push_str(&format!("\n{MAY_BE}{rule}{GUARDS}.")),
            [(rule, own)] => out.push_str(&format!("\n{MAY_BE}{rule}{GUARDS}: {own}")),
            several => {
                out.push_str("\nIt may be what one of these rules guards against:");
                for (rule, own) in several {
                    let own = if own.is_empty() { String::new() } else { format!(": {own}") };
                    out.push_str(&format!("\n- `{rule}`{own}"));
                }
                match self.rules.len().saturating_sub(several.len()) {
                    0 => {}
                    1 => out.push_str("\n- and 1 more rule"),
                    more => out.push_str(&format!("\n- and {more} more rules")),
                }
            }
        }
        out
    }
}

/// Joins messages: each text once; past three the rest is counted. What several rules cannot judge, and why, is said
/// once for all of them.
#[must_use]
pub fn join_messages<'a>(messages: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut texts: Vec<Said<'a>> = Vec::new();
    let mut more = BTreeSet::new();
    for (rule, text) in messages.filter(|(_, text)| !text.is_empty()) {
        let said = Said::new(rule, text);
        if let Some(known) = texts.iter_mut().find(|known| known.doubts == said.doubts && known.text == said.text) {
            known.add(said);
        } else if texts.len() < NAMED_RULES {
            texts.push(said);
        } else {
            more.insert(rule);
        }
    }
    let mut out = texts.iter().map(Said::show).collect::<Vec<_>>().join("\n");
    if !more.is_empty() {
        let rules = if more.len() == 1 { "rule says" } else { "rules say" };
        out.push_str(&format!("\n(and {} more {rules} so)", more.len()));
    }
    out
}
