//! What each form of the language means (sections 3 to 9).

mod bounds;
mod commands;
mod effects;
mod examples;
mod fields;
mod heads;
mod links;
mod names;
mod operators;
mod paths;
mod rewrites;
mod templates;
mod touches;
