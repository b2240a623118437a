//! What each form of the language means (sections 3 to 9).

mod bounds;
mod clusters;
mod commands;
mod costs;
mod databases;
mod effects;
mod examples;
mod fields;
mod forges;
mod git_servers;
mod guarded;
mod guards;
mod heads;
mod links;
mod named;
mod names;
mod operators;
mod ordinary;
mod paths;
mod read_only;
mod redaction;
mod rewrites;
mod shell_files;
mod templates;
mod tools;
mod touches;
