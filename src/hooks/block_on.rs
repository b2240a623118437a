//! Runs a future on the current thread. A hook waits for one thing at a time, so it needs no async runtime.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// A waker that unparks the waiting thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to completion and returns its output.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use super::*;

    /// A future that is ready after the given number of polls; until then, each poll wakes its thread from another one.
    struct After(u8);

    impl Future for After {
        type Output = &'static str;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
            let Some(left) = self.0.checked_sub(1) else { return Poll::Ready("done") };
            self.0 = left;
            let waker = context.waker().clone();
            thread::spawn(move || waker.wake());
            Poll::Pending
        }
    }

    #[test]
    fn a_future_is_polled_whenever_it_is_woken() {
        assert_eq!(block_on(async { (After(0).await, After(3).await) }), ("done", "done"));
    }
}
