//! Writes the policy with which the hook is measured: `policy DIR [N [FROM]]`, with N rules for PreToolUse (100),
//! numbered from FROM (0), and 20 for other events if FROM is 0.

use std::io;
use std::path::Path;

use hookrules_benches::{files, mixed};

fn main() -> io::Result<()> {
    let usage =
        |what: &str| io::Error::new(io::ErrorKind::InvalidInput, format!("usage: policy DIR [N [FROM]]: {what}"));
    let mut args = std::env::args().skip(1);
    let directory = args.next().ok_or_else(|| usage("no DIR"))?;
    let mut number = |default| {
        args.next().map_or(Ok(default), |text| text.parse::<usize>()).map_err(|error| usage(&error.to_string()))
    };
    let (count, from) = (number(100)?, number(0)?);
    files::write(Path::new(&directory), &mixed::policy(from..from.saturating_add(count)))
}
