//! Standard input, which is waited for, standard output, and pipes.

use std::io::{self, BufRead, PipeReader, Read, Write};
use std::os::windows::io::AsRawHandle;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use crate::platform::WaitReadable;

/// The number of bytes that are read at once.
const PIECE: usize = 64 << 10;

/// An input that a thread reads ahead of its reader. A pipe cannot be waited for, but the thread can.
#[derive(Debug)]
pub struct AwaitedInput {
    pieces: Receiver<io::Result<Vec<u8>>>,
    /// The piece that is being read.
    piece: Vec<u8>,
    /// How many bytes of the piece have been read.
    at: usize,
    /// The error that ended the input, until it is returned.
    error: Option<io::Error>,
    /// Whether no piece follows.
    has_ended: bool,
}

impl AwaitedInput {
    /// Starts reading an input. If there is no thread for it, the first read returns the error.
    fn start(mut input: impl Read + Send + 'static) -> Self {
        let (sender, pieces) = sync_channel(1);
        let started = Builder::new().spawn(move || {
            let mut buffer = vec![0; PIECE];
            loop {
                let piece = match input.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) => Ok(buffer.get(..count).unwrap_or_default().to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let is_last = piece.is_err();
                if sender.send(piece).is_err() || is_last {
                    return;
                }
            }
        });
        let error = started.err();
        Self { pieces, piece: Vec::new(), at: 0, error, has_ended: false }
    }

    /// Returns the unread part of the piece.
    fn rest(&self) -> &[u8] {
        self.piece.get(self.at..).unwrap_or_default()
    }

    /// Takes the next piece, or the end.
    fn take(&mut self, piece: Option<io::Result<Vec<u8>>>) {
        self.at = 0;
        match piece {
            Some(Ok(piece)) => self.piece = piece,
            Some(Err(error)) => (self.piece, self.error, self.has_ended) = (Vec::new(), Some(error), true),
            None => (self.piece, self.has_ended) = (Vec::new(), true),
        }
    }

    /// Whether a read returns at once.
    fn is_ready(&self) -> bool {
        !self.rest().is_empty() || self.has_ended || self.error.is_some()
    }
}

impl WaitReadable for AwaitedInput {
    fn wait_readable(&mut self, timeout: Duration) -> io::Result<bool> {
        if !self.is_ready() {
            match self.pieces.recv_timeout(timeout) {
                Ok(piece) => self.take(Some(piece)),
                Err(RecvTimeoutError::Disconnected) => self.take(None),
                Err(RecvTimeoutError::Timeout) => return Ok(false),
            }
        }
        Ok(true)
    }
}

impl Read for AwaitedInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut rest = self.fill_buf()?;
        let count = rest.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for AwaitedInput {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.is_ready() {
            let piece = self.pieces.recv().ok();
            self.take(piece);
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(self.rest()),
        }
    }

    fn consume(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }
}

/// Returns standard input.
#[must_use]
pub fn stdin() -> AwaitedInput {
    AwaitedInput::start(io::stdin())
}

/// Whether a pipe has unread data, or has reached its end. A pipe does not tell, so it may have: output that is lost
/// could be a denial.
#[must_use]
pub fn is_any_readable(_pipes: &[PipeReader; 2]) -> bool {
    true
}

/// Writes to standard output.
///
/// # Errors
/// Standard output is closed, or the system refuses.
pub fn write_out(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    // std discards what is written to a standard output that does not exist.
    if !bytes.is_empty() && stdout.as_raw_handle().is_null() {
        return Err(io::Error::other("standard output is closed"));
    }
    stdout.write_all(bytes)?;
    stdout.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_waited_for() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut input = AwaitedInput::start(reader);
        assert!(!input.wait_readable(Duration::from_millis(20)).unwrap());
        writer.write_all(b"ab").unwrap();
        assert!(input.wait_readable(Duration::from_secs(10)).unwrap());
        let mut one = [0];
        input.read_exact(&mut one).unwrap();
        assert_eq!(&one, b"a");
        assert!(input.wait_readable(Duration::ZERO).unwrap());
        drop(writer);
        let mut rest = Vec::new();
        input.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, b"b");
        assert!(input.wait_readable(Duration::ZERO).unwrap());
    }
}
