//! Measures one evaluation in a process with a loaded policy: `inside [RULES…]`.
//!
//! For each number of rules over ten events, and for calls with and without a match, it prints the median and the 95th
//! percentile in microseconds, of the evaluation alone and including the decoding of the payload. The result of each
//! evaluation is checked against the rules.

#![expect(clippy::disallowed_methods, reason = "it takes the time")]

use std::error::Error;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use hookrules::context::Context;
use hookrules::eval::{RuleOutcome, TraceDetail, decide};
use hookrules::facts::StatedFacts;
use hookrules::host::{DecodedPayload, Host, decode};
use hookrules::policy::Policy;
use hookrules_benches::plain::{self, Call, Rule};
use hookrules_inside::policy_of;

/// The number of evaluations of each call.
const ROUNDS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let mut counts: Vec<usize> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    if counts.is_empty() {
        counts = vec![100, 1_000, 10_000];
    }
    let mut out = io::stdout().lock();
    writeln!(out, "rules\tcalls\tmedian\tp95\twith decoding\tp95")?;
    for count in counts {
        let rules = plain::rules(count);
        let policy = policy_of(&rules)?;
        let calls = plain::calls(&rules);
        let (matching, quiet): (Vec<&Call>, Vec<&Call>) = calls.iter().partition(|call| fired(&rules, call) > 0);
        for (name, calls) in [("no match", &quiet), ("match", &matching)] {
            let mut times = (Vec::new(), Vec::new());
            for call in calls.iter() {
                measure(&policy, &rules, call, &mut times)?;
            }
            let [a, b] = [times.0, times.1].map(quantiles);
            writeln!(out, "{count}\t{name}\t{:.2}\t{:.2}\t{:.2}\t{:.2}", a.0, a.1, b.0, b.1)?;
        }
    }
    Ok(())
}

fn fired(rules: &[Rule], call: &Call) -> usize {
    rules.iter().filter(|rule| plain::fires(rule, call)).count()
}

type Times = (Vec<Duration>, Vec<Duration>);

fn measure(policy: &Policy, rules: &[Rule], call: &Call, times: &mut Times) -> Result<(), Box<dyn Error>> {
    let bytes = plain::payload(call);
    let facts = StatedFacts::from_json(&stated())?;
    let expected = fired(rules, call);
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let DecodedPayload::Event { payload, damage: None } = decode(Host::CLAUDE_CODE, bytes.as_bytes()) else {
            return Err(format!("not a payload: {bytes}").into());
        };
        let decoded = Instant::now();
        let context = Context::new(&payload, Host::CLAUDE_CODE.name(), &facts, &policy.settings.shell_tools);
        let Ok(evaluation) = decide(&policy.rules, &context, TraceDetail::Outcomes);
        let end = Instant::now();
        times.0.push(end - decoded);
        times.1.push(end - begin);
        let matched = evaluation.trace.rules.iter().filter(|judged| judged.outcome == RuleOutcome::Match).count();
        if matched != expected || evaluation.verdict.warnings.len() != expected {
            return Err(format!("{matched} rules instead of {expected} match {bytes}").into());
        }
    }
    Ok(())
}

/// The facts of the calls: the directory of their project.
fn stated() -> serde_json::Map<String, serde_json::Value> {
    [("project".to_owned(), plain::PROJECT.into())].into_iter().collect()
}

/// Returns the median and the 95th percentile in microseconds.
fn quantiles(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).map_or(f64::NAN, |time| time.as_secs_f64() * 1e6);
    (at(50), at(95))
}
