//! Layers of policy and what was read of them: plain data between `project` and `compile`.

use std::sync::Arc;

use crate::config::{LayerKind, Settings};
use crate::diagnostic::Diagnostic;
use crate::span::FileId;
use crate::syntax::ast;

/// A layer as it was read.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Which one.
    pub kind: LayerKind,
    /// Its files in load order: a file that is used stands before the one that uses it first.
    pub files: Vec<LoadedFile>,
    /// Its records of programs: of each of its directories, the outermost first, those of a directory without any too.
    pub programs: Vec<Vec<ProgramFile>>,
    /// Every text that was read of it, its rules.toml and packs included, in the order in which they were read.
    pub texts: Vec<FileId>,
    /// Its rules.toml.
    pub settings: Settings,
    /// What went wrong while reading and parsing.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether there is such a layer at all.
    pub found: bool,
}

impl Layer {
    /// Makes a layer that nothing was found of.
    #[must_use]
    pub fn new(kind: LayerKind) -> Self {
        Self {
            kind,
            files: Vec::new(),
            programs: Vec::new(),
            texts: Vec::new(),
            settings: Settings::default(),
            diagnostics: Vec::new(),
            found: false,
        }
    }

    /// Makes the project's layer of one file that uses no other, as it was parsed.
    #[must_use]
    pub fn of_file(id: FileId, (ast, diagnostics): (ast::File, Vec<Diagnostic>)) -> Self {
        let files = vec![LoadedFile { id, ast: ast.into(), directory: 0, pack: None, uses: Vec::new() }];
        Self { files, texts: vec![id], diagnostics, found: true, ..Self::new(LayerKind::Project) }
    }
}

/// A file with the record of a program.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    /// Its text.
    pub id: FileId,
    /// Its path from the directory of the records on: `tool.toml`, `tool/show.toml`.
    pub path: String,
    /// The text itself.
    pub text: String,
}

/// A file of a layer, parsed.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// Its text.
    pub id: FileId,
    /// Its tree, as far as it could be parsed.
    pub ast: Arc<ast::File>,
    /// In which of the layer's directories it was found, or is used first.
    pub directory: usize,
    /// The pack that it is, if it is one.
    pub pack: Option<String>,
    /// For each `use` item in order, the file it names; `None` where that failed.
    pub uses: Vec<Option<usize>>,
}
