//! Finds regexes whose compilation takes longer than everything else that a hook does.

use crate::diagnostic::{Code, Diagnostic};
use crate::lint::SourceTexts;
use crate::lint::comparison::RuleTest;
use crate::ruleset::{CountedText, LazyRegex, regex_size};

/// The size, in states, from which a regex is reported. Compiling it takes about half a millisecond; everything else in
/// a hook takes a fifth of one.
const SLOW_SIZE: u64 = 5_000;

/// Returns the finding about a large regex that a hook compiles; `None` for a regex of a pack, which is compiled when
/// the program is built.
pub(super) fn slow_regex_finding(
    written: &SourceTexts<'_>,
    seen: RuleTest<'_>,
    regex: &LazyRegex,
) -> Option<Diagnostic> {
    let pattern = regex.pattern();
    // Most regexes need no measurement: a regex without classes and repetitions is small.
    if !pattern.contains(['{', '\\', '[']) || regex.is_built_in() {
        return None;
    }
    let size = Some(regex.size()).filter(|size| *size >= SLOW_SIZE)?;
    // The size of a regex often comes from Unicode classes where only ASCII is meant.
    let ascii = pattern.replace("\\w", "[0-9A-Za-z_]").replace("\\d", "[0-9]");
    let help = match (CountedText::of(pattern), regex_size(&ascii)) {
        (Some(counted), _) => counted.help(),
        (None, Ok(smaller)) if smaller < size / 2 => {
            "`\\w` and `\\d` are letters and digits of all scripts: write `[0-9A-Za-z_]` and `[0-9]`".to_owned()
        }
        _ => "write a shorter repetition, such as `{1,20}`, or `+` if any number will do".to_owned(),
    };
    Some(
        Diagnostic::new(Code::SLOW_REGEX, format!("a regex of {size} states"))
            .label(super::regex_span(written, seen), "compiled again by each hook whose text may match")
            .help(help),
    )
}
