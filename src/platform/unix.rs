//! The implementation for Linux, macOS and other Unix systems.

pub(super) mod account;
mod ancestors;
pub mod desktop;
pub(super) mod directory;
pub mod errors;
pub mod file;
pub mod paths;
pub mod places;
pub mod process;
pub mod rights;
pub mod shell;
mod signals;
pub mod stream;
