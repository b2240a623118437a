//! Reports a call that ran although a rule denies it, to the user and to the agent.

use crate::context::Context;
use crate::eval::denials_after_run;
use crate::ruleset::Rules;
use crate::verdict::{Additions, Note};

/// The maximum number of rules that are reported.
const MAX_REPORTED: usize = 3;

/// Reports the rules that deny the call in the form in which it ran.
pub(super) fn check<R: Rules>(rules: &R, context: &Context<'_>) -> Result<Additions, R::Error> {
    let mut added = Additions::default();
    for vote in denials_after_run(rules, context)?.into_iter().take(MAX_REPORTED) {
        let text = format!(
            "This call ran although `{}` denies it: another hook changed it after it was judged, or this hook was not \
             asked. What the rule says: {}",
            vote.author,
            vote.displayed_message(),
        );
        added.contexts.push(Note::from_program(text.clone()));
        added.add_program_warning(text);
    }
    Ok(added)
}
