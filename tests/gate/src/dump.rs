//! What this version of the engine does with each case: one JSON object a line, in the order of the inputs.
//!
//! # The contract
//!
//! The keys below, their order and the words among their values are what two versions are compared by. They are written
//! out in this module, never derived from the names of the engine's types: a type, a variant or a field that is renamed
//! changes a line of this module, and nothing in its output. A key may be added; for that, the commit that adds it
//! becomes the base.
//!
//! Every line begins with `case`. What follows depends on the kind of case:
//!
//! - `check`: `found`, `rules` (names in evaluation order), `findings`, `passed` (examples and tests), `formatted`,
//!   `fixed`. A finding has `code`, `name`, `severity`, `place`, `message`, `labels` (`place`, `open`, `label`), `help`,
//!   `fix` (`place`, `replacement`, `meaning`). A place is `FILE:LINE:COLUMN-LINE:COLUMN`.
//! - `import`: `policy`, `settings`, `notes` (`place`, `note`), or `findings`.
//! - `judge`: `event`, `decision`, `message`, `votes` (`rule`, `decision`, `prevails`, `message`), `rules` and
//!   `again` (`rule`, `outcome`, `why`, `matched`, `conditions`), `effects` (`effect`, …), `observed`,
//!   `explained_decision`. A condition has `condition` (its source text), `outcome`, `why`, `note`, `parts`. An event
//!   that is not judged has `unread` and `message`, a policy that does not load `unloaded`.
//! - `answer`: `exit`, `stdout` (as JSON if it is an object), `stderr`, `held`.
//! - `shell`: `commands`, `scripts`, `opaque`, `written`, `edits`; see [`shell`].
//!
//! Values of the keys in [`PROSE`] are sentences, which `reworded.tsv` may change; everything else is compared byte for
//! byte. The work that an analysis took is left out: it is bounded by tests of its own.

mod answer;
mod check;
mod judge;
mod shell;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use serde_json::{Map, Value as Json, json};

use crate::case::Case;

/// The keys whose values are sentences for people. Those after the first line are members of hosts' answers.
pub const PROSE: &[&str] = &[
    "message",
    "label",
    "help",
    "why",
    "note",
    "text",
    "title",
    "body",
    "obstacle",
    "stderr",
    "held",
    "permissionDecisionReason",
    "reason",
    "stopReason",
    "systemMessage",
    "additionalContext",
];

/// The stack of a thread: the debug build of any version has frames that are larger than those of a hook.
const STACK: usize = 256 << 20;

/// Dumps the cases of a file into another one, on all cores.
pub fn run(inputs: &Path, output: &Path) -> Result<(), String> {
    let text = fs::read_to_string(inputs).map_err(|error| format!("{}: {error}", inputs.display()))?;
    let cases = text.lines().map(Case::read).collect::<Result<Vec<Case>, String>>()?;
    let (policies, cases): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| case.is("policy"));
    let policies = judge::Policies::new(&policies);
    if let Some(case) = cases.iter().find(|case| case.is("answer")) {
        answer::keep(case);
    }
    let next = AtomicUsize::new(0);
    // A case that panics says so in its own line.
    std::panic::set_hook(Box::new(|_| {}));
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let file = fs::File::create(output).map_err(|error| format!("{}: {error}", output.display()))?;
    let mut writer = BufWriter::new(file);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel::<(usize, String)>(4_096);
        for _ in 0..workers {
            let (sender, cases, policies, next) = (sender.clone(), &cases, &policies, &next);
            let work = move || {
                while let Some((at, case)) = take(cases, next) {
                    if sender.send((at, line(case, policies))).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).map_err(|error| error.to_string())?;
        }
        drop(sender);
        let (mut waiting, mut due) = (BTreeMap::new(), 0);
        for (at, line) in receiver {
            waiting.insert(at, line);
            while let Some(line) = waiting.remove(&due) {
                writeln!(writer, "{line}").map_err(|error| error.to_string())?;
                due += 1;
            }
        }
        writer.flush().map_err(|error| error.to_string())
    })
}

/// Takes the next case.
fn take<'c>(cases: &'c [Case], next: &AtomicUsize) -> Option<(usize, &'c Case)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    cases.get(at).map(|case| (at, case))
}

fn line(case: &Case, policies: &judge::Policies) -> String {
    let dumped = catch_unwind(AssertUnwindSafe(|| match case.text("kind") {
        "check" => check::dump(case),
        "import" => check::imported(case),
        "judge" => judge::dump(case, policies),
        "answer" => answer::dump(case),
        "shell" => shell::dump(case),
        other => json!({ "unknown_kind": other }),
    }));
    let dumped = dumped.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        json!({ "panic": text.or_else(|| panic.downcast_ref::<&str>().copied()) })
    });
    let mut all = Map::new();
    all.insert("case".to_owned(), json!(case.name()));
    if let Json::Object(members) = dumped {
        all.extend(members);
    }
    Json::Object(all).to_string()
}
