//! Names that the packs already know: the lists in their `let`s, which are used to find files of a project.

use std::path::{Path, PathBuf};

use crate::packs::pack;
use crate::span::Sources;
use crate::syntax::ast::{AstElement, ItemKind, ValueKind};
use crate::syntax::{self};
use hookrules_shell::path::{NameCase, PathGlobs, Roots};

/// An arbitrary project: only names below it are compared.
const PROJECT: &str = "/project";

/// Globs on the paths of a project.
pub(super) struct KnownPaths(Option<PathGlobs>);

/// Returns the strings of a list in a pack.
pub(super) fn pack_list(name: &str, of: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let id = sources.add(name, None, pack(name).unwrap_or_default());
    let (file, _) = sources.file_by_id(id).map(syntax::parse).unwrap_or_default();
    let lists = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Let(one) if one.name.text == of => Some(&one.value.kind),
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
    /// Compiles the list of a pack.
    pub(super) fn from_pack(name: &str, of: &str) -> Self {
        Self::from_globs(&pack_list(name, of))
    }

    /// Compiles globs; invalid ones match nothing.
    pub(super) fn from_globs(globs: &[String]) -> Self {
        Self(PathGlobs::new(globs).ok())
    }

    /// Whether a path of the project matches.
    pub(super) fn matches(&self, path: &str) -> bool {
        let roots = Roots { project: Some(PathBuf::from(PROJECT)), ..Roots::default() };
        let matches = |globs: &PathGlobs| globs.matches(&Path::new(PROJECT).join(path), &roots, NameCase::Exact);
        self.0.as_ref().is_some_and(matches)
    }
}
