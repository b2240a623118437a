//! Work shared among the cores of this machine, with results in the order of the work.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Applies a function to each piece of work on all cores, and returns the results in the order of the work.
///
/// If no thread can be started, the calling thread does all the work.
#[must_use]
pub fn map<T: Sync, R: Send>(work: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let workers = cores.min(work.len());
    if workers < 2 {
        return work.iter().map(apply).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(work.len()));
    let take_work = || {
        let mut results = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = work.get(at) else { break };
            results.push((at, apply(piece)));
        }
        done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(results);
    };
    thread::scope(|scope| {
        for _ in 1..workers {
            // If a thread cannot be started, the others do its work.
            let _not_started = thread::Builder::new().spawn_scoped(scope, take_work);
        }
        take_work();
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_stand_in_the_order_of_the_work() {
        let work: Vec<usize> = (0..1_000).collect();
        let squares: Vec<usize> = work.iter().map(|number| number * number).collect();
        assert_eq!(map(&work, |number| number * number), squares);
        assert!(map(&[] as &[usize], |number| *number).is_empty());
        assert_eq!(map(&[7], |number| number + 1), [8]);
    }
}
