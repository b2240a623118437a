//! The lower bound for `rules eval`: reads payloads as JSON Lines and writes a line for each, on every core and in
//! order.

use std::io::{self, BufRead as _, Write as _};
use std::num::NonZero;
use std::sync::mpsc::sync_channel;
use std::thread;

use hookrules::eval::EvaluationReport;
use hookrules::host::parse_json;

/// The approximate number of bytes that a thread gets at a time.
const CHUNK: usize = 128 << 10;

/// The number of chunks in flight per thread.
const AHEAD: usize = 4;

fn main() -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let (mut gives, mut results) = (Vec::new(), Vec::new());
        for _ in 0..workers {
            let (give, chunks) = sync_channel::<Vec<u8>>(AHEAD);
            let (done, result) = sync_channel(AHEAD);
            scope.spawn(move || chunks.iter().all(|chunk| done.send(written(&chunk)).is_ok()));
            gives.push(give);
            results.push(result);
        }
        scope.spawn(move || {
            let mut out = io::stdout().lock();
            // Chunks are distributed in rotation, and results are collected in the same order.
            results.iter().cycle().map_while(|lane| lane.recv().ok()).all(|text| out.write_all(&text).is_ok())
        });
        let mut input = io::stdin().lock();
        for give in gives.iter().cycle() {
            let mut chunk = Vec::with_capacity(2 * CHUNK);
            while chunk.len() < CHUNK && input.read_until(b'\n', &mut chunk)? > 0 {}
            if chunk.is_empty() || give.send(chunk).is_err() {
                break;
            }
        }
        Ok(())
    })
}

/// Returns the output for some lines: that of `rules eval` if no rule matches.
fn written(chunk: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(chunk.len());
    for line in chunk.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let read = parse_json(line).ok();
        let event = read.as_ref().and_then(|read| read.members.get("hook_event_name")?.as_str()).unwrap_or_default();
        // Writing to memory cannot fail.
        let _written = serde_json::to_writer(&mut text, &EvaluationReport::from_unknown_event(event));
        text.push(b'\n');
    }
    text
}
