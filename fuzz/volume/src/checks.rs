//! The checks of the libFuzzer targets.

#[path = "../../checks/code.rs"]
pub mod code;
#[path = "../../checks/import.rs"]
pub mod import;
#[path = "../../checks/parse.rs"]
pub mod parse;
#[path = "../../checks/payload.rs"]
pub mod payload;
#[path = "../../checks/policy.rs"]
pub mod policy;
#[path = "../../checks/powershell.rs"]
pub mod powershell;
#[path = "../../checks/shell.rs"]
pub mod shell;
