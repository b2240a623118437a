//! Layers of a policy as they were read: plain data that `project` makes and `compile` uses.

use std::sync::Arc;

use crate::config::{LayerKind, LayerSettings};
use crate::diagnostic::Diagnostic;
use crate::span::FileId;
use crate::syntax::ast;

/// A layer as it was read.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The kind of the layer.
    pub kind: LayerKind,
    /// The files in load order: a file precedes every file that uses it.
    pub files: Vec<LoadedFile>,
    /// The records of programs, for each directory of the layer, the outermost first; empty for a directory without
    /// records.
    pub programs: Vec<Vec<ProgramFile>>,
    /// The texts that were read for the layer, including its rules.toml and packs, in reading order.
    pub texts: Vec<FileId>,
    /// The settings in its rules.toml.
    pub settings: LayerSettings,
    /// The errors of reading and parsing.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the layer exists.
    pub exists: bool,
}

impl Layer {
    /// Creates a layer for which nothing was found.
    #[must_use]
    pub fn new(kind: LayerKind) -> Self {
        Self {
            kind,
            files: Vec::new(),
            programs: Vec::new(),
            texts: Vec::new(),
            settings: LayerSettings::default(),
            diagnostics: Vec::new(),
            exists: false,
        }
    }

    /// Creates the project's layer from one parsed file that uses no others.
    #[must_use]
    pub fn from_single_file(id: FileId, (ast, diagnostics): (ast::AstFile, Vec<Diagnostic>)) -> Self {
        let files = vec![LoadedFile { id, ast: ast.into(), directory: 0, pack: None, uses: Vec::new() }];
        Self { files, texts: vec![id], diagnostics, exists: true, ..Self::new(LayerKind::Project) }
    }
}

/// A file that contains the record of a program.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    /// The source of the file.
    pub id: FileId,
    /// The path relative to the directory of records: `tool.toml`, `tool/show.toml`.
    pub path: String,
    /// The text itself.
    pub text: String,
}

/// A file of a layer, parsed.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// The source of the file.
    pub id: FileId,
    /// The syntax tree of the parts that could be parsed.
    pub ast: Arc<ast::AstFile>,
    /// The index of the layer's directory in which the file was found, or first used.
    pub directory: usize,
    /// The name of the pack, if the file is one.
    pub pack: Option<String>,
    /// For each `use` in order, the index of the file that it names; `None` if that file could not be loaded.
    pub uses: Vec<Option<usize>>,
}
