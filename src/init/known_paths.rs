//! The lists of names in the packs, such as lock files and secrets, which are also used to find files in a project.

use std::path::{Path, PathBuf};

use crate::packs::pack;
use crate::span::Sources;
use crate::syntax::ast::{AstElement, ItemKind, ValueKind};
use crate::syntax::{self};
use hookrules_shell::path::{NameCase, PathGlobs, Roots};

/// An arbitrary directory as the project: only the names below it are compared.
const PROJECT: &str = "/project";

/// Globs on paths of a project; `None` if one of the globs is invalid, so that no path matches.
pub(super) struct KnownPaths(Option<PathGlobs>);

/// Returns the texts of the `let` named `list` in the pack `name`; empty if there is none.
pub(super) fn pack_list(name: &str, list: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let id = sources.add(name, None, pack(name).unwrap_or_default());
    let (file, _) = sources.file_by_id(id).map(syntax::parse).unwrap_or_default();
    let lists = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Let(definition) if definition.name.text == list => Some(&definition.value.kind),
        _ => None,
    });
    let elements = lists.filter_map(|value| if let ValueKind::List(elements) = value { Some(elements) } else { None });
    let texts = elements.flatten().filter_map(|element| match element {
        AstElement::Value(value) => match &value.kind {
            ValueKind::Text(text) => Some(text.value.clone()),
            _ => None,
        },
        AstElement::Spread(_) => None,
    });
    texts.collect()
}

impl KnownPaths {
    /// Compiles the globs of the `let` named `list` in the pack `name`.
    pub(super) fn from_pack(name: &str, list: &str) -> Self {
        Self::from_globs(&pack_list(name, list))
    }

    /// Compiles globs; if one is invalid, no path matches.
    pub(super) fn from_globs(globs: &[String]) -> Self {
        Self(PathGlobs::new(globs).ok())
    }

    /// Whether a path, relative to the project, matches one of the globs.
    pub(super) fn matches(&self, path: &str) -> bool {
        let roots = Roots { project: Some(PathBuf::from(PROJECT)), ..Roots::default() };
        let matches = |globs: &PathGlobs| globs.matches(&Path::new(PROJECT).join(path), &roots, NameCase::Exact);
        self.0.as_ref().is_some_and(matches)
    }
}
