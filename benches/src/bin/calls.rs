//! Writes tool calls for `rules eval`, one a line: `calls [N]`, by default a million.

use std::io::{self, BufWriter, Write as _};

fn main() -> io::Result<()> {
    let count = match std::env::args().nth(1).map(|text| text.parse::<usize>()) {
        None => 1_000_000,
        Some(Ok(count)) => count,
        Some(Err(error)) => return Err(io::Error::new(io::ErrorKind::InvalidInput, error)),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for n in 0..count {
        writeln!(out, "{}", hookrules_benches::mixed::call(n))?;
    }
    out.flush()
}
