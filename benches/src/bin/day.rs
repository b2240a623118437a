//! Writes the events of a day, one a line: `day DIR [EVERY]`, in the project DIR, only every EVERY-th of them (default
//! 1).

use std::io::{self, BufWriter, Write as _};

use hookrules_benches::day;

fn main() -> io::Result<()> {
    let usage = || io::Error::new(io::ErrorKind::InvalidInput, "usage: day DIR [EVERY]");
    let mut args = std::env::args().skip(1);
    let project = args.next().ok_or_else(usage)?;
    let every = args.next().map_or(Ok(1), |text| text.parse::<usize>()).map_err(|_| usage())?;
    if every == 0 {
        return Err(usage());
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for event in day::events(&project).iter().step_by(every) {
        writeln!(out, "{event}")?;
    }
    out.flush()
}
