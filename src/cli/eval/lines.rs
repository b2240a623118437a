//! Processes the lines of a stream on all cores, and returns the results in the order of the lines.
//!
//! Threads exchange chunks of lines, which is cheaper than single lines. A chunk ends where a read ended, so that a
//! sender that waits for an answer before it sends more does get the answer. The number of chunks in progress is
//! limited, and with it how far the input is read ahead.

use std::io::{self, BufRead as _, ErrorKind, Read};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The maximum number of bytes in one read.
const READ_BYTES: usize = 128 << 10;
/// The number of chunks per worker that may be read before their results are passed on.
const CHUNKS_AHEAD: usize = 4;

/// Consecutive whole lines; the last line of a stream may lack its newline.
#[derive(Debug)]
pub(super) struct Chunk {
    /// The number of the first line, counted from 1.
    pub(super) first: usize,
    /// The lines.
    pub(super) bytes: Vec<u8>,
}

impl Chunk {
    /// Returns the lines with their numbers, without their newlines.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let mut rest = self.bytes.as_slice();
        let line = move || {
            let before = rest;
            // `skip_until` compares many bytes at once, and reading memory cannot fail.
            let length = rest.skip_until(b'\n').ok().filter(|length| *length > 0)?;
            let line = before.get(..length)?;
            Some(line.strip_suffix(b"\n").unwrap_or(line))
        };
        (self.first..).zip(std::iter::from_fn(line))
    }
}

/// Processes the lines of a stream with several workers, and passes the results of the chunks to `take` in the order
/// of the input.
///
/// `worker` is called once on each thread, and returns the function that processes chunks there. If `take` breaks,
/// the chunks that were already read are lost, and no more are read.
///
/// # Errors
/// An error of the stream, after the results of all whole lines before it were passed to `take`; or the system cannot
/// start threads.
pub(super) fn process_in_order<R, W>(
    input: impl Read + Send,
    workers: usize,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(R) -> ControlFlow<()>,
) -> io::Result<()>
where
    R: Send,
    W: FnMut(Chunk) -> R,
{
    let workers = workers.max(1);
    let ahead = workers.saturating_mul(CHUNKS_AHEAD);
    let (jobs, queue) = sync_channel::<(Chunk, SyncSender<R>)>(ahead);
    // For each chunk, in order, the receiving end of the channel for its result.
    let (promises, promised) = sync_channel::<Receiver<R>>(ahead);
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        let reader = thread::Builder::new().spawn_scoped(scope, move || {
            read(input, |chunk| {
                let (result, promise) = sync_channel(1);
                // A send fails if the receiver was dropped: the results are no longer wanted.
                let is_unwanted = promises.send(promise).is_err() || jobs.send((chunk, result)).is_err();
                if is_unwanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        })?;
        for _ in 0..workers {
            thread::Builder::new().spawn_scoped(scope, || {
                let mut work = worker();
                loop {
                    // One worker waits for the next chunk, and the others for the lock.
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((chunk, result)) = next else { break };
                    // There is no receiver if the results are no longer wanted.
                    let _unwanted = result.send(work(chunk));
                }
            })?;
        }
        // A worker that panicked has dropped its promise; the scope passes the panic on.
        for result in promised.iter().filter_map(|promise| promise.recv().ok()) {
            if take(result).is_break() {
                break;
            }
        }
        drop(promised);
        reader.join().unwrap_or(Ok(()))
    })
}

/// Splits a stream into chunks of whole lines, and passes each to `give` as soon as it is read. Stops without an
/// error if `give` breaks.
fn read(mut input: impl Read, mut give: impl FnMut(Chunk) -> ControlFlow<()>) -> io::Result<()> {
    let mut buffer = vec![0; READ_BYTES];
    let mut incomplete_line = Vec::new();
    let mut first = 1;
    loop {
        let length = match input.read(&mut buffer) {
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let read = buffer.get(..length).unwrap_or_default();
        // How many of the bytes belong to this chunk: those up to the last newline, or none at the end of the stream.
        let in_chunk = match read.iter().rposition(|byte| *byte == b'\n') {
            _ if length == 0 => 0,
            Some(at) => at.saturating_add(1),
            // The line is longer than a read; only the new bytes were searched.
            None => {
                incomplete_line.extend_from_slice(read);
                continue;
            }
        };
        let (lines, begun) = read.split_at_checked(in_chunk).unwrap_or((read, &[]));
        let mut bytes = std::mem::take(&mut incomplete_line);
        bytes.extend_from_slice(lines);
        incomplete_line.extend_from_slice(begun);
        let count = newlines(&bytes);
        if !bytes.is_empty() && give(Chunk { first, bytes }).is_break() {
            return Ok(());
        }
        if length == 0 {
            return Ok(());
        }
        first = first.saturating_add(count);
    }
}

/// Returns the number of newlines. Each piece is short enough for a `u8` counter, which lets the compiler compare
/// many bytes at once.
fn newlines(bytes: &[u8]) -> usize {
    let count = |piece: &[u8]| piece.iter().map(|byte| u8::from(*byte == b'\n')).fold(0, u8::wrapping_add);
    bytes.chunks(usize::from(u8::MAX)).map(|piece| usize::from(count(piece))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that yields at most `step` bytes at each read, and at its end the given error, if any.
    struct Dribble<'a> {
        bytes: &'a [u8],
        step: usize,
        end: Option<ErrorKind>,
    }

    impl Read for Dribble<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.step.min(self.bytes.len()).min(buffer.len());
            let (now, later) = self.bytes.split_at(length);
            buffer[..length].copy_from_slice(now);
            self.bytes = later;
            match self.end {
                Some(kind) if length == 0 => Err(kind.into()),
                _ => Ok(length),
            }
        }
    }

    fn numbered(input: impl Read + Send, workers: usize) -> (Vec<(usize, String)>, io::Result<()>) {
        let mut all = Vec::new();
        let worker = || {
            |chunk: Chunk| {
                let line = |(number, line): (usize, &[u8])| (number, String::from_utf8_lossy(line).into_owned());
                chunk.lines().map(line).collect::<Vec<_>>()
            }
        };
        let end = process_in_order(input, workers, worker, |lines| {
            all.extend(lines);
            ControlFlow::Continue(())
        });
        (all, end)
    }

    #[test]
    fn lines_come_back_in_order_with_their_numbers() {
        let text: String = (1..=2_000).map(|number| format!("line {number}\n")).collect();
        for (step, workers) in [(1, 1), (7, 3), (100, 8), (READ_BYTES, 2)] {
            let (lines, end) = numbered(Dribble { bytes: text.as_bytes(), step, end: None }, workers);
            assert!(end.is_ok());
            assert_eq!(lines.len(), 2_000, "{step} {workers}");
            for (at, (number, line)) in lines.iter().enumerate() {
                assert_eq!((*number, line.as_str()), (at + 1, format!("line {}", at + 1).as_str()));
            }
        }
    }

    #[test]
    fn the_last_line_needs_no_newline_and_empty_lines_count() {
        let cases = [
            ("", &[][..]),
            ("\n", &[(1, "")]),
            ("a", &[(1, "a")]),
            ("a\n\nb", &[(1, "a"), (2, ""), (3, "b")]),
            ("\n\n", &[(1, ""), (2, "")]),
        ];
        for (text, expected) in cases {
            for step in [1, 2, 100] {
                let (lines, _) = numbered(Dribble { bytes: text.as_bytes(), step, end: None }, 2);
                let lines: Vec<(usize, &str)> = lines.iter().map(|(number, line)| (*number, line.as_str())).collect();
                assert_eq!(lines, expected, "{text:?} {step}");
            }
        }
    }

    #[test]
    fn newlines_are_counted_wherever_they_stand() {
        for length in [0, 1, 254, 255, 256, 510, 511, 2_000] {
            assert_eq!(newlines(&vec![b'\n'; length]), length);
            assert_eq!(newlines(&vec![b'x'; length]), 0);
            let mixed: Vec<u8> = (0..length).map(|at| if at % 7 == 3 { b'\n' } else { b'a' }).collect();
            assert_eq!(newlines(&mixed), mixed.split(|byte| *byte == b'\n').count() - 1, "{length}");
        }
    }

    #[test]
    fn a_line_may_be_longer_than_a_read() {
        let long = "x".repeat(3 * READ_BYTES + 1);
        let text = format!("{long}\nshort\n");
        let (lines, _) = numbered(text.as_bytes(), 2);
        assert_eq!(
            lines.iter().map(|(number, line)| (*number, line.len())).collect::<Vec<_>>(),
            [(1, 3 * READ_BYTES + 1), (2, 5)]
        );
    }

    #[test]
    fn what_stands_before_an_error_is_worked_on() {
        let input = Dribble { bytes: b"a\nb\n", step: 100, end: Some(ErrorKind::ConnectionReset) };
        let (lines, end) = numbered(input, 2);
        assert_eq!(lines.len(), 2);
        assert_eq!(end.unwrap_err().kind(), ErrorKind::ConnectionReset);
    }

    #[test]
    fn nothing_is_read_for_nobody() {
        struct Endless(usize);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                assert!(self.0 < 1_000, "it reads on");
                buffer.fill(b'\n');
                Ok(buffer.len())
            }
        }
        let end = process_in_order(Endless(0), 2, || |_: Chunk| (), |()| ControlFlow::Break(()));
        assert!(end.is_ok());
    }

    #[test]
    fn a_waiting_sender_gets_its_answer() {
        // Each read returns only after the answer to the previous one is out.
        let (answered, wait) = sync_channel::<()>(8);
        struct Polite {
            wait: Receiver<()>,
            left: usize,
        }
        impl Read for Polite {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if self.left == 0 {
                    return Ok(0);
                }
                self.left -= 1;
                self.wait.recv().unwrap();
                buffer[..2].copy_from_slice(b"q\n");
                Ok(2)
            }
        }
        answered.send(()).unwrap();
        let mut answers = 0;
        let worker = || |chunk: Chunk| chunk.first;
        let end = process_in_order(Polite { wait, left: 5 }, 2, worker, |first| {
            answers += 1;
            assert_eq!(first, answers);
            // After the last answer the receiver is gone.
            let _gone = answered.send(());
            ControlFlow::Continue(())
        });
        assert!(end.is_ok());
        assert_eq!(answers, 5);
    }
}
