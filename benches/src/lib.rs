//! Data for the benches: policies of any size and calls, created the same way every time.
//!
//! [`mixed`] is the policy of a project that uses all of the language. [`plain`] only uses what every policy engine can
//! express, so that engines can be compared. [`day`] has the events of an agent's day, for real policies.

pub mod day;
pub mod files;
pub mod mixed;
pub mod plain;
