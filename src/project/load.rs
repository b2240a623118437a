//! Reads the files of one layer, and the files that they use, in load order: each file comes after the files that it
//! uses.

mod ahead;
mod read;
mod zone;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::find::{self, LayerDirectory, LayerListing, ListedTree, PermittedOwners, ReadRefusal};
use super::seen::LoadInput;
use super::{FileEdit, PROGRAMS, SETTINGS, SourceNaming, holder_of, is_host_record, is_possible_source, is_record};
use crate::config::{self, LayerKind, LayerSettings, PolicyBase};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::facts::resolve;
use crate::layer::{Layer, LoadedFile, PolicyDirectory, ProgramFile};
use crate::limits::{
    FILE_BYTES, FILE_PARTS, POLICY_PARTS, PROGRAM_BYTES, PROGRAM_FILES, PROGRAMS_BYTES, SETTINGS_BYTES,
};
use crate::packs::{self, PACKS, pack};
use crate::span::{FileId, SourceFile, Sources};
use crate::syntax::{self, ExampleParsing, ast};
use hookrules_shell::path::normalise;

/// The maximum size of one source, in bytes.
pub(super) const MAX_FILE: u64 = FILE_BYTES as u64;
/// The number of parts as which a `use` counts, because its file must be found.
const USE_PARTS: u64 = 16;
/// The maximum length of a chain of files that use each other.
const MAX_USES: usize = 64;

/// The target of a `use`: a pack, or a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum UseTarget {
    Pack(&'static str),
    /// The path with all links resolved.
    File(PathBuf),
}

/// The progress of loading the target of a `use`.
#[derive(Clone, Copy)]
enum LoadProgress {
    /// The files that the target uses are being loaded. Another `use` of the target would be a cycle.
    Open,
    /// The target is loaded, with its index in the layer; `None` if it could not be read.
    Done(Option<usize>),
}

/// A file or pack that is parsed.
#[derive(Clone)]
struct ParsedFile {
    id: FileId,
    ast: Arc<ast::AstFile>,
    /// The name of the pack, if it is one.
    pack: Option<&'static str>,
}

/// Loads the files of one layer.
///
/// Each directory of a layer loads what it uses separately, so a `use … with` in one directory does not change what
/// another one uses.
pub(super) struct Loader<'l> {
    layer: Layer,
    /// The directories, with all links resolved, outside of which no `use` may lead.
    bases: Vec<PathBuf>,
    /// The directories of the files outside of `bases` that the user's policy uses by absolute paths. The files that
    /// such a file uses must be in these directories.
    outside_directories: Vec<PathBuf>,
    /// The accounts that may own or change the files.
    owners: PermittedOwners,
    naming: &'l SourceNaming,
    /// The texts that replace those of some files.
    edits: &'l [FileEdit],
    sources: &'l mut Sources,
    /// The files and directories that were read.
    seen: &'l mut Vec<LoadInput>,
    /// The targets that have been loaded for the current directory, or are being loaded.
    states: BTreeMap<UseTarget, LoadProgress>,
    /// The base of the directory that is being loaded; `None` for a file that the user names.
    current_base: Option<PolicyBase>,
    /// The files of all directories, each parsed once.
    parsed: BTreeMap<UseTarget, ParsedFile>,
    /// The number of bytes that the layer may still have.
    bytes_left: u64,
    /// The number of parts that the layer may still have, by its own limit and by the one for all layers.
    parts_left: u64,
    /// Whether a file was rejected because the layer would have too many parts (see `limits::POLICY_PARTS`).
    is_full: bool,
    /// The number of files that are being loaded, each used by the previous one.
    depth: usize,
    /// Whether the examples of packs are parsed.
    examples: ExampleParsing,
    /// The directories of the layer.
    directories: &'l [LayerDirectory],
    /// The root of the repository that the project is in.
    repository: Option<PathBuf>,
    /// Whether a text that is already among the sources is used again instead of being added.
    shares_texts: bool,
    /// The kind of the next directory that is loaded.
    tree: ListedTree,
    /// Whether the files of a directory are parsed on all cores.
    uses_all_cores: bool,
}

impl<'l> Loader<'l> {
    /// Creates the loader of a layer. `bases` are the directories outside of which no `use` may lead, and
    /// `parts_left` is the number of parts that the layers above have left.
    pub(super) fn new(
        kind: LayerKind,
        parts_left: u64,
        (bases, owners): (Vec<PathBuf>, PermittedOwners),
        naming: &'l SourceNaming,
        edits: &'l [FileEdit],
        sources: &'l mut Sources,
        seen: &'l mut Vec<LoadInput>,
    ) -> Self {
        let limits = kind.limits();
        Self {
            layer: Layer::new(kind),
            bases,
            outside_directories: Vec::new(),
            owners,
            naming,
            edits,
            sources,
            seen,
            states: BTreeMap::new(),
            current_base: None,
            parsed: BTreeMap::new(),
            bytes_left: limits.bytes,
            parts_left: limits.parts.min(parts_left),
            is_full: false,
            depth: 0,
            examples: ExampleParsing::Enabled,
            directories: &[],
            repository: None,
            shares_texts: false,
            tree: ListedTree::Policy,
            uses_all_cores: false,
        }
    }

    /// Sets whether the examples of packs are parsed.
    pub(super) fn with_examples(self, examples: ExampleParsing) -> Self {
        Self { examples, ..self }
    }

    /// Sets whether a text that is already among the sources is used again instead of being added.
    pub(super) fn sharing_texts(self, shares_texts: bool) -> Self {
        Self { shares_texts, ..self }
    }

    /// Sets the directories of the layer, and the root of the repository that contains the project.
    pub(super) fn in_project(self, directories: &'l [LayerDirectory], repository: Option<PathBuf>) -> Self {
        Self { directories, repository, ..self }
    }

    /// Sets what the next directory is in.
    pub(super) fn in_tree(self, tree: ListedTree) -> Self {
        Self { tree, ..self }
    }

    /// Returns the loaded layer. A layer with a finding counts as existing.
    pub(super) fn finish(mut self) -> Layer {
        self.layer.exists |= !self.layer.diagnostics.is_empty();
        self.layer
    }

    /// Loads all files in a directory of the layer.
    pub(super) fn load_directory(&mut self, directory: &LayerDirectory) {
        self.current_base = directory.base.clone();
        let physical = match &directory.physical {
            Ok(Some(physical)) => physical,
            Ok(None) => {
                self.load_new_directory(directory);
                return;
            }
            Err(refusal) => {
                self.refuse_path(&directory.path, refusal.clone());
                return;
            }
        };
        let LayerListing { mut files, mut programs, refused, inputs: seen } =
            find::list(physical, self.owners, std::mem::take(&mut self.tree));
        self.seen.extend(seen);
        for (path, refusal) in refused {
            self.refuse_path(&path, refusal);
        }
        self.add_edited(physical, &mut files, &mut programs);
        self.load_files(&files);
        self.finish_directory(directory, &physical.join(PROGRAMS), &programs);
        self.load_settings(&physical.join(SETTINGS));
    }

    /// Adds a directory, whose files have been loaded, to the layer.
    fn finish_directory(&mut self, directory: &LayerDirectory, programs: &Path, records: &[PathBuf]) {
        self.states.clear();
        let programs = self.read_program_files(programs, records);
        let index = self.layer.directories.len();
        let has_rules = self.layer.files.iter().any(|file| file.directory == index);
        let (Some(path), Some(base)) = (directory.holder(), directory.base.clone()) else {
            self.layer.directories.push(PolicyDirectory::without_path(programs));
            return;
        };
        let is_in_repository = self.repository.as_ref().is_none_or(|root| path.starts_with(root));
        let is_example_root = has_rules && is_in_repository;
        let path = Some(path.to_path_buf());
        self.layer.directories.push(PolicyDirectory { path, base, programs, is_example_root });
    }

    /// Loads a file that the user names. A file that is neither settings nor a record is loaded as rules, even with
    /// another extension. The record of a host belongs to no layer.
    pub(super) fn load_named_file(&mut self, path: &Path) {
        if path.file_name().is_some_and(|name| name == SETTINGS) {
            self.load_settings(path);
        } else if is_possible_source(path) && is_record(path) {
            let directory = path.ancestors().find(|dir| dir.file_name().is_some_and(|name| name == PROGRAMS));
            let programs = self.read_program_files(directory.unwrap_or(path), &[path.to_path_buf()]);
            self.layer.directories.push(PolicyDirectory::without_path(programs));
        } else if !is_host_record(path) {
            self.load_file(path);
        }
    }

    /// Loads a text without a file; an empty text is ignored.
    pub(super) fn load_text(&mut self, name: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        self.layer.exists = true;
        if text.len() > FILE_BYTES {
            self.layer.diagnostics.push(too_large(name));
            return;
        }
        let id = self.add(name, None, text);
        let target = UseTarget::File(PathBuf::from(name));
        if let Some(parsed) = self.parse(&target, id, None) {
            self.add_file(target, parsed);
        }
    }

    /// Adds a text to the sources, and to those of the layer.
    fn add(&mut self, name: impl Into<String>, path: Option<PathBuf>, text: impl Into<String>) -> FileId {
        let (name, text) = (name.into(), text.into());
        let is_same = |known: &&SourceFile| known.path == path && known.name == name && known.text == text;
        let known = if self.shares_texts { self.sources.iter().find(is_same).map(|known| known.id) } else { None };
        let id = known.unwrap_or_else(|| self.sources.add(name, path, text));
        self.layer.texts.push(id);
        id
    }

    /// Reports a problem with the layer that is not about a position in one of its texts.
    pub(super) fn refuse(&mut self, message: String, help: Option<String>) {
        self.layer.diagnostics.push(Diagnostic::new(Code::LAYER_REFUSED, message).help_if_any(help));
    }

    /// Reports that a file or directory is not read.
    fn refuse_path(&mut self, path: &Path, ReadRefusal { problem, help }: ReadRefusal) {
        self.refuse(format!("`{}` is not read: {problem}", self.naming.name(path)), help);
    }

    /// Loads the edited files of a directory that does not exist.
    fn load_new_directory(&mut self, directory: &LayerDirectory) {
        let path = directory.path.as_path();
        if !self.edits.iter().any(|edit| edit.path.starts_with(path)) {
            return;
        }
        let (mut files, mut programs) = (Vec::new(), Vec::new());
        self.add_edited(path, &mut files, &mut programs);
        for path in files {
            self.load_file(&path);
        }
        self.finish_directory(directory, &path.join(PROGRAMS), &programs);
        self.load_settings(&path.join(SETTINGS));
    }

    /// Adds the edited files that belong to a directory and do not exist in it yet.
    fn add_edited(&self, directory: &Path, files: &mut Vec<PathBuf>, programs: &mut Vec<PathBuf>) {
        for edit in self.edits {
            add_edited(edit, directory, files, programs);
        }
    }

    /// Reads records of programs. A file that cannot be read is reported and skipped. If the files are too many or
    /// too large, none is returned.
    fn read_program_files(&mut self, directory: &Path, paths: &[PathBuf]) -> Vec<ProgramFile> {
        if paths.is_empty() {
            return Vec::new();
        }
        self.layer.exists = true;
        let too_much = |message: String| Diagnostic::new(Code::TOO_DEEP, message);
        let name = self.naming.name(directory);
        if paths.len() > PROGRAM_FILES {
            self.layer.diagnostics.push(too_much(format!("`{name}` has more than {PROGRAM_FILES} files")));
            return Vec::new();
        }
        let (mut files, mut bytes) = (Vec::new(), 0);
        for path in paths {
            let text = match self.read(path) {
                Ok(text) => text,
                Err(problem) => {
                    self.layer.diagnostics.push(problem);
                    continue;
                }
            };
            bytes += text.len();
            if text.len() > PROGRAM_BYTES || bytes > PROGRAMS_BYTES {
                let (name, most) = match text.len() > PROGRAM_BYTES {
                    true => (self.naming.name(path), PROGRAM_BYTES),
                    false => (name, PROGRAMS_BYTES),
                };
                self.layer.diagnostics.push(too_much(format!("`{name}` is larger than {} KiB", most >> 10)));
                return Vec::new();
            }
            let relative_path = path.strip_prefix(directory).unwrap_or(path);
            let relative_path = relative_path.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/");
            let id = self.add(self.naming.name(path), Some(path.clone()), text.clone());
            files.push(ProgramFile { id, path: relative_path, text });
        }
        files
    }

    /// Loads a file of rules, unless it is loaded already.
    fn load_file(&mut self, path: &Path) {
        let target = UseTarget::File(path.to_path_buf());
        if self.states.contains_key(&target) {
            return;
        }
        self.layer.exists = true;
        match self.parsed_file(&target) {
            Ok(Some(parsed)) => {
                self.add_file(target, parsed);
            }
            Ok(None) => {}
            Err(problem) => {
                self.states.insert(target, LoadProgress::Done(None));
                self.layer.diagnostics.push(problem);
            }
        }
    }

    /// Loads the settings of the layer, if the file exists.
    fn load_settings(&mut self, path: &Path) {
        let text = match self.read_text(path) {
            Ok(Some(text)) => text,
            Ok(None) => return,
            Err(problem) => {
                self.layer.diagnostics.push(problem);
                return;
            }
        };
        self.layer.exists = true;
        if text.len() > SETTINGS_BYTES {
            let message = format!("`{}` is larger than {} KiB", self.naming.name(path), SETTINGS_BYTES >> 10);
            self.layer.diagnostics.push(Diagnostic::new(Code::TOO_DEEP, message));
            return;
        }
        let Some((settings, diagnostics)) = self.parse_settings(path, text) else { return };
        self.layer.diagnostics.extend(diagnostics);
        self.layer.settings = std::mem::take(&mut self.layer.settings).merged_with(settings);
    }

    /// Parses the text of a settings file, and adds it to the sources of the layer.
    fn parse_settings(&mut self, path: &Path, text: String) -> Option<(LayerSettings, Vec<Diagnostic>)> {
        let id = self.add(self.naming.name(path), Some(path.to_path_buf()), text);
        Some(config::parse(self.sources.file_by_id(id)?, self.layer.kind))
    }

    /// Reads and parses a file or pack, unless it is parsed already. `None` if its text is not among the sources.
    fn parsed_file(&mut self, target: &UseTarget) -> Result<Option<ParsedFile>, Diagnostic> {
        if let Some(parsed) = self.parsed.get(target) {
            return Ok(Some(parsed.clone()));
        }
        let (id, pack) = match target {
            UseTarget::Pack(known) => (self.add(*known, None, pack(known).unwrap_or_default()), Some(*known)),
            UseTarget::File(path) => {
                let text = self.read(path)?;
                (self.add(self.naming.name(path), Some(path.clone()), text), None)
            }
        };
        Ok(self.parse(target, id, pack))
    }

    /// Parses the text of a file or pack, and stores the result.
    fn parse(&mut self, target: &UseTarget, id: FileId, pack: Option<&'static str>) -> Option<ParsedFile> {
        let source = self.sources.file_by_id(id)?;
        let (ast, diagnostics) = match pack.and_then(packs::pack_outline) {
            Some(outline) => syntax::parse_with_outline(source, outline, self.examples, self.parts_left),
            None => syntax::parse_with_limit(source, self.parts_left),
        };
        Some(self.keep_parsed(target, ParsedFile { id, ast: ast.into(), pack }, diagnostics))
    }

    /// Stores a file that is parsed, with what the parser found in it.
    fn keep_parsed(&mut self, target: &UseTarget, parsed: ParsedFile, diagnostics: Vec<Diagnostic>) -> ParsedFile {
        self.layer.diagnostics.extend(diagnostics);
        self.parsed.insert(target.clone(), parsed.clone());
        parsed
    }

    /// Adds a file to the layer, after the files that it uses. Returns its index; `None` if the layer has too many
    /// parts.
    fn add_file(&mut self, target: UseTarget, ParsedFile { id, ast, pack }: ParsedFile) -> Option<usize> {
        let source = self.sources.file_by_id(id)?;
        let (path, name) = (source.path.clone(), source.name.clone());
        // A text that another directory also uses is parsed, and counted, only once.
        let is_known = self.layer.files.iter().any(|file| file.id == id);
        let parts = if is_known { FILE_PARTS } else { ast.parts.saturating_add(FILE_PARTS) };
        if !self.charge_parts(parts, &name) {
            self.states.insert(target, LoadProgress::Done(None));
            return None;
        }
        self.states.insert(target.clone(), LoadProgress::Open);
        self.depth += 1;
        let mut uses = Vec::new();
        for item in &ast.items {
            if let ast::ItemKind::Use(used) = &item.kind {
                if !self.charge_parts(USE_PARTS, &name) {
                    break;
                }
                let loaded = self.load_use(used, path.as_deref());
                uses.push(loaded.unwrap_or_else(|problem| {
                    self.layer.diagnostics.push(problem);
                    None
                }));
            }
        }
        self.depth -= 1;
        let index = self.layer.files.len();
        let directory = self.layer.directories.len();
        let pack = pack.map(str::to_owned);
        let base = self.base_of(path.as_deref());
        self.layer.files.push(LoadedFile { id, ast, directory, base, pack, uses });
        self.states.insert(target, LoadProgress::Done(Some(index)));
        Some(index)
    }

    /// Returns the base of relative names in a file: the directory whose `.rules` contains the file or, if that does
    /// not belong to the layer, the directory that is being loaded.
    fn base_of(&self, file: Option<&Path>) -> PolicyBase {
        let Some(current) = &self.current_base else { return PolicyBase::default() };
        let holder = file.and_then(holder_of);
        let directory = self.directories.iter().find(|directory| holder.is_some() && directory.holder() == holder);
        directory.and_then(|directory| directory.base.clone()).unwrap_or_else(|| current.clone())
    }

    /// Loads the target of a `use`, and returns its index in the layer; `None` if it could not be read. An error gets
    /// the position of the `use`.
    fn load_use(&mut self, used: &ast::Use, user: Option<&Path>) -> Result<Option<usize>, Diagnostic> {
        let loaded = self.load_target(&used.source.value, user);
        loaded.map_err(|found| found.label(used.source.span, "used here"))
    }

    /// Loads the target of a `use`, unless it is loaded already, and returns its index in the layer. `user` is the
    /// file that contains the `use`; `None` if a pack or a mere text does.
    fn load_target(&mut self, name: &str, user: Option<&Path>) -> Result<Option<usize>, Diagnostic> {
        if self.depth > MAX_USES {
            let message = format!("more than {MAX_USES} files use each other in a row");
            return Err(Diagnostic::new(Code::TOO_DEEP, message));
        }
        let target = self.resolve_use(name, user)?;
        match self.states.get(&target) {
            Some(LoadProgress::Done(index)) => return Ok(*index),
            Some(LoadProgress::Open) => {
                let found = Diagnostic::new(Code::CIRCULAR, format!("`{name}` leads back to this `use`"));
                return Err(found.help("move what both need to a third file"));
            }
            None => {}
        }
        let parsed = self.parsed_file(&target).map_err(|problem| {
            self.states.insert(target.clone(), LoadProgress::Done(None));
            let help = "the path is relative to this file; a built-in pack has a name like `std/git`";
            let found = Diagnostic { code: Code::BAD_USE, ..problem };
            if found.help.is_none() { found.help(help) } else { found }
        })?;
        Ok(parsed.and_then(|parsed| self.add_file(target, parsed)))
    }

    /// Returns the pack or the file to which the name in a `use` refers.
    fn resolve_use(&mut self, name: &str, user: Option<&Path>) -> Result<UseTarget, Diagnostic> {
        if let Some((pack, _)) = PACKS.iter().find(|(pack, _)| *pack == name) {
            return Ok(UseTarget::Pack(pack));
        }
        let names_file = is_policy(Path::new(name));
        if name.starts_with("std/") && !names_file {
            let found = Diagnostic::new(Code::UNKNOWN_NAME, format!("unknown pack `{name}`"));
            return Err(found.help_if_any(suggest("pack", name, PACKS.iter().map(|(pack, _)| *pack))));
        }
        let Some(user) = user else {
            let message = "a pack, or a text that is not a file, can use only packs";
            return Err(bad_use(message, "write `use \"std/NAME\"`"));
        };
        if names_file {
            return self.resolve_used_file(name, user).map(UseTarget::File);
        }
        let pack = PACKS.iter().find(|(pack, _)| pack.strip_prefix("std/") == Some(name));
        let help = pack.map(|(pack, _)| format!("a pack named `{pack}` exists"));
        let help = help.unwrap_or_else(|| "name a pack (`std/…`) or a `.rules` file".to_owned());
        Err(bad_use(format!("`{name}` does not name a `.rules` file"), help))
    }

    /// Returns the file to which a `use` refers, with all links resolved, if it may be used there. The user's policy
    /// can use a file anywhere. The files of a repository can only use other files of the repository.
    fn resolve_used_file(&mut self, name: &str, user: &Path) -> Result<PathBuf, Diagnostic> {
        let is_absolute = name.starts_with('/') || name.starts_with("~/");
        let may_be_absolute = self.layer.kind == LayerKind::User && self.is_in_bases(user);
        if name.starts_with(['/', '~', '$']) && !(is_absolute && may_be_absolute) {
            let help = match may_be_absolute {
                true => "write `use \"./FILE.rules\"`, `use \"/PATH/FILE.rules\"` or `use \"~/FILE.rules\"`",
                false => "write `use \"./FILE.rules\"`",
            };
            return Err(bad_use("a `use` is relative to its own file", help));
        }
        let named = normalise(name, user.parent().unwrap_or(Path::new("/")), self.naming.home.as_deref());
        let path = resolve(&named);
        self.seen.push(LoadInput::from_link(&named, &path));
        if is_absolute {
            self.outside_directories.extend(path.parent().map(Path::to_path_buf));
        }
        let bases = if self.is_in_bases(user) && !is_absolute { &self.bases } else { &self.outside_directories };
        if !bases.iter().any(|base| path.starts_with(base)) {
            let help = "copy the file into it; files beside a `.rules` directory further up can be used too";
            return Err(bad_use(format!("`{name}` is outside the policy's directory"), help));
        }
        if !is_policy(&path) {
            return Err(bad_use(format!("`{name}` links to another kind of file"), "name a `.rules` file"));
        }
        Ok(path)
    }

    /// Whether a file is in one of the directories of the layer, as opposed to being only used by a file of the
    /// layer.
    fn is_in_bases(&self, file: &Path) -> bool {
        self.bases.iter().any(|base| file.starts_with(base))
    }

    /// Deducts the parts of a file from those that the layer may still have. Returns false if there are too few,
    /// which is reported once.
    fn charge_parts(&mut self, parts: u64, name: &str) -> bool {
        let parts_left = self.parts_left.checked_sub(parts).filter(|_| !self.is_full);
        if let Some(parts_left) = parts_left {
            self.parts_left = parts_left;
            return true;
        }
        if !self.is_full {
            let message = format!("`{name}` takes the {} policy over its limit of parts", self.layer.kind.name());
            let help = format!(
                "a {} policy has at most {} words, marks and elements, all layers together {POLICY_PARTS}: write fewer \
                 rules",
                self.layer.kind.name(),
                self.layer.kind.limits().parts
            );
            self.layer.diagnostics.push(Diagnostic::new(Code::TOO_DEEP, message).help(help));
        }
        self.is_full = true;
        false
    }
}

/// Adds an edited file to the files of a directory, if it belongs there and does not exist yet.
fn add_edited(edit: &FileEdit, directory: &Path, files: &mut Vec<PathBuf>, programs: &mut Vec<PathBuf>) {
    let Ok(inner) = edit.path.strip_prefix(directory) else { return };
    let mut names = inner.iter().map(|name| name.to_string_lossy());
    let hidden = names.clone().any(|name| name.starts_with('.'));
    let kept_apart = names.next().is_some_and(|name| matches!(name.as_ref(), "local" | "log"));
    let files = match is_record(inner) && inner.starts_with(PROGRAMS) {
        true => programs,
        false if is_policy(inner) => files,
        false => return,
    };
    if !hidden && !kept_apart && !files.contains(&edit.path) {
        files.push(edit.path.clone());
        files.sort();
    }
}

/// Returns the finding about a `use` whose target cannot be used.
fn bad_use(message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::BAD_USE, message).help(help)
}

/// Whether a file has the extension of a file of rules.
fn is_policy(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "rules")
}

/// Returns the finding about a file that is too large.
fn too_large(name: &str) -> Diagnostic {
    Diagnostic::new(Code::TOO_DEEP, format!("`{name}` is larger than 1 MiB"))
}
