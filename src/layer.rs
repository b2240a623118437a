//! Layers of a policy as they were read: plain data that `project` creates and `compile` uses.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{LayerKind, LayerSettings, PolicyBase};
use crate::diagnostic::Diagnostic;
use crate::escape::line;
use crate::span::FileId;
use crate::syntax::ast;

/// A layer as it was read.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The kind of the layer.
    pub kind: LayerKind,
    /// The files in load order: a file precedes every file that uses it.
    pub files: Vec<LoadedFile>,
    /// The directories that the files are from, the outermost first.
    pub directories: Vec<PolicyDirectory>,
    /// The texts that were read for the layer, including its rules.toml and packs, in reading order.
    pub texts: Vec<FileId>,
    /// The settings in its rules.toml.
    pub settings: LayerSettings,
    /// The errors of reading and parsing.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether any file of the layer was found.
    pub exists: bool,
}

impl Layer {
    /// Creates a layer for which nothing was found.
    #[must_use]
    pub fn new(kind: LayerKind) -> Self {
        Self {
            kind,
            files: Vec::new(),
            directories: Vec::new(),
            texts: Vec::new(),
            settings: LayerSettings::default(),
            diagnostics: Vec::new(),
            exists: false,
        }
    }

    /// Returns the directory for which the file with an index was loaded; `None` if the user named the file.
    #[must_use]
    pub fn directory_of(&self, file: usize) -> Option<&PolicyDirectory> {
        self.directories.get(self.files.get(file)?.directory)
    }

    /// Returns the path of a directory as messages show it: relative to the outermost directory, which itself is `.`.
    #[must_use]
    pub fn display_directory(&self, directory: &PolicyDirectory) -> String {
        let Some(path) = &directory.path else { return ".".to_owned() };
        let root = self.directories.first().and_then(|outermost| outermost.path.as_ref());
        match root.and_then(|root| path.strip_prefix(root).ok()) {
            Some(inner) if inner.as_os_str().is_empty() => ".".to_owned(),
            Some(inner) => line(&inner.to_string_lossy(), usize::MAX),
            None => line(&path.to_string_lossy(), usize::MAX),
        }
    }

    /// Creates the project's layer from one parsed file that uses no others.
    #[must_use]
    pub fn from_single_file(id: FileId, (ast, diagnostics): (ast::AstFile, Vec<Diagnostic>)) -> Self {
        let files = vec![LoadedFile {
            id,
            ast: ast.into(),
            directory: 0,
            base: PolicyBase::default(),
            pack: None,
            uses: Vec::new(),
        }];
        Self { files, texts: vec![id], diagnostics, exists: true, ..Self::new(LayerKind::Project) }
    }
}

/// A directory with files of a layer.
#[derive(Clone, Debug)]
pub struct PolicyDirectory {
    /// The directory that contains `.rules`; `None` for a policy outside of any project, such as the user's.
    pub path: Option<PathBuf>,
    /// Whether it may be the `/project` of the examples in it and below it: it has rules, and is in the same repository
    /// as the project.
    pub is_example_root: bool,
    /// The same directory, in the form that rules and the compiled policy contain.
    pub base: PolicyBase,
    /// The records of programs; empty for a directory without records.
    pub programs: Vec<ProgramFile>,
}

impl PolicyDirectory {
    /// Creates the directory of a policy outside of any project.
    #[must_use]
    pub fn without_path(programs: Vec<ProgramFile>) -> Self {
        Self { path: None, is_example_root: false, base: PolicyBase::default(), programs }
    }
}

/// A file that contains the record of a program.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    /// The source of the file.
    pub id: FileId,
    /// The path relative to the directory of records: `tool.toml`, `tool/show.toml`.
    pub path: String,
    /// The contents of the file.
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
    /// The directory to which relative names in the file are relative: the parent of the `.rules` directory that
    /// contains the file, or, for any other file, the directory whose policy uses it.
    pub base: PolicyBase,
    /// The name of the pack; `None` if the file is not a pack.
    pub pack: Option<String>,
    /// For each `use` in order, the index of the file that it names; `None` if that file could not be loaded.
    pub uses: Vec<Option<usize>>,
}

impl LoadedFile {
    /// Returns each `use` of the file whose file could be loaded, with the index of that file.
    pub fn loaded_uses(&self) -> impl Iterator<Item = (&ast::Use, usize)> {
        let uses = self.ast.items.iter().filter_map(|item| match &item.kind {
            ast::ItemKind::Use(used) => Some(used),
            _ => None,
        });
        uses.zip(&self.uses).filter_map(|(used, target)| Some((used, (*target)?)))
    }
}
