//! The cases. A word in capitals in a policy is the text that a case looks for: it occurs nowhere else.

mod calls;
mod installations;
mod marks;
mod monorepo;
mod policies;
mod registrations;
mod settings;
mod skills;
mod turns;
mod windows;

pub(crate) use marks::GATE;

use crate::case::Case;

/// Returns every case.
pub(crate) fn all() -> Vec<Case> {
    [
        calls::cases(),
        turns::cases(),
        marks::cases(),
        policies::cases(),
        registrations::cases(),
        installations::cases(),
        monorepo::cases(),
        settings::cases(),
        skills::cases(),
        windows::cases(),
    ]
    .concat()
}
