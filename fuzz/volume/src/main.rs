//! Tries generated inputs by the million, each within the stack, the time and the memory of a real hook.
//!
//! One process chooses the inputs, watches and reports; others, started from the same binary, try them, so that a crash
//! identifies its input. Everything is derived from a seed: every reported input can be tried again.
#![expect(clippy::disallowed_methods, reason = "it reads the tree, and starts and watches processes")]

#[path = "../../../tests/differential/src/random.rs"]
mod random;
#[path = "../../../tests/differential/src/texts.rs"]
mod texts;

// Not all of it is used here.
#[allow(dead_code)]
#[path = "../../../tests/it/kit.rs"]
mod kit;

mod checks;
mod input;
mod kind;
mod laws;
mod machine;
mod minimise;
mod mutate;
mod options;
mod session;
mod work;

use std::process::ExitCode;

use options::{Options, Task};

fn main() -> ExitCode {
    let done = match Options::of(std::env::args().skip(1)) {
        Ok(Task::Help) => {
            print!("{}", options::HELP);
            Ok(true)
        }
        Ok(Task::Work(work)) => return work::run(&work),
        Ok(Task::Search(options)) => session::search(&options),
        Ok(Task::Again(options, number)) => session::again(&options, number),
        Ok(Task::Show(options, number)) => session::show(&options, number),
        Ok(Task::List(options, count)) => session::list(&options, count),
        Err(problem) => Err(problem),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("volume: {problem}");
            ExitCode::from(2)
        }
    }
}
