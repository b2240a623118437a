//! The same policy in other engines: `peers [RULES…]`.
//!
//! Every engine loads its policy and prepares its input before the clock starts. For each call, all must name the rules
//! that fire according to the content itself; only then are times printed, in microseconds per call.

#![expect(clippy::disallowed_methods, reason = "it takes the time")]

mod cedar;
mod cel;
mod ours;
mod rego;

use std::error::Error;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use hookrules_benches::plain::{self, Call, Rule, Test};

/// The most evaluations of each call, and the time limit for all calls of an engine.
const ROUNDS: usize = 500;
const PATIENCE: Duration = Duration::from_secs(10);

type Failure = Box<dyn Error>;

/// An engine with a policy loaded.
trait Engine {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Converts the calls to the engine's input.
    fn prepare(&mut self, calls: &[Call]) -> Result<(), Failure>;
    /// Evaluates one of them, and returns the names of the rules that fire, in any order.
    fn evaluate(&mut self, call: usize) -> Result<Vec<String>, Failure>;
}

fn main() -> Result<(), Failure> {
    let mut counts: Vec<usize> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    if counts.is_empty() {
        counts = vec![100, 1_000, 10_000];
    }
    let mut out = io::stdout().lock();
    writeln!(out, "rules\tengine\tmedian\tp95\ttimes ours")?;
    for count in counts {
        let rules = plain::rules(count);
        let calls = plain::calls(&rules);
        let mut engines: Vec<Box<dyn Engine>> = vec![
            Box::new(ours::Ours::new(&rules)?),
            Box::new(cedar::Cedar::new(&rules)?),
            Box::new(rego::Rego::new(&rules)?),
            Box::new(cel::Cel::new(&rules)?),
        ];
        for engine in &mut engines {
            engine.prepare(&calls)?;
            agree(engine.as_mut(), &rules, &calls)?;
        }
        let mut base = None;
        for engine in &mut engines {
            let mut times = Vec::new();
            let begin = Instant::now();
            for _ in 0..ROUNDS {
                for call in 0..calls.len() {
                    let begin = Instant::now();
                    let fired = engine.evaluate(call)?;
                    times.push(begin.elapsed());
                    drop(fired);
                }
                if begin.elapsed() > PATIENCE {
                    break;
                }
            }
            times.sort();
            let at =
                |part: usize| times.get(times.len() * part / 100).map_or(f64::NAN, |time| time.as_secs_f64() * 1e6);
            let base = *base.get_or_insert(at(50));
            writeln!(out, "{count}\t{}\t{:.1}\t{:.1}\t{:.1}", engine.name(), at(50), at(95), at(50) / base)?;
        }
    }
    Ok(())
}

/// Fails if an engine names other rules than the content requires.
fn agree(engine: &mut dyn Engine, rules: &[Rule], calls: &[Call]) -> Result<(), Failure> {
    for (at, call) in calls.iter().enumerate() {
        let mut expected: Vec<&str> =
            rules.iter().filter(|rule| plain::fires(rule, call)).map(|rule| rule.name.as_str()).collect();
        let mut fired = engine.evaluate(at)?;
        expected.sort_unstable();
        fired.sort_unstable();
        if fired != expected {
            return Err(format!("{} says {fired:?} instead of {expected:?} for {call:?}", engine.name()).into());
        }
    }
    Ok(())
}

/// Writes a rule's condition as a conjunction, for engines whose expressions differ only in their spelling.
fn conjunction(rule: &Rule, words: &Words) -> Vec<String> {
    let mut parts = Vec::new();
    if !rule.tools.is_empty() {
        let tools: Vec<String> = rule.tools.iter().map(|tool| format!("\"{tool}\"")).collect();
        parts.extend((words.has)("tool_name"));
        parts.push((words.one_of)("tool_name", &tools.join(", ")));
    }
    let (member, word, text) = match &rule.test {
        Test::Equals(member, text) => (*member, words.equals, text.clone()),
        Test::Below(directory) => (plain::PATH, words.starts, format!("{}/{directory}/", plain::PROJECT)),
        Test::EndsWith(end) => (plain::PATH, words.ends, end.clone()),
        Test::StartsWith(member, text) => (*member, words.starts, text.clone()),
        Test::Contains(member, text) => (*member, words.contains, text.clone()),
    };
    parts.extend((words.has)(member));
    parts.push(word(member, &text));
    parts
}

/// An engine's spelling of tests of a member.
struct Words {
    has: fn(&str) -> Option<String>,
    one_of: fn(&str, &str) -> String,
    equals: fn(&str, &str) -> String,
    starts: fn(&str, &str) -> String,
    ends: fn(&str, &str) -> String,
    contains: fn(&str, &str) -> String,
}
