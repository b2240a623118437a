//! What the benches measure on: policies of any size and calls, made the same way every time.
//!
//! [`mixed`] is the policy of a project that uses all the language has. [`plain`] is made of what every policy engine
//! can say, so that engines can be compared. [`day`] is what agents do all day, for the policies that people have.

pub mod day;
pub mod files;
pub mod mixed;
pub mod plain;
