//! Parses the files of a directory on all cores, before the layer gets one after the other.

use std::path::PathBuf;

use super::{LoadProgress, Loader, ParsedFile, UseTarget};
use crate::diagnostic::Diagnostic;
use crate::parallel;
use crate::span::FileId;
use crate::syntax::{self, ast};

/// A file whose text is read, and that the layer does not have yet.
enum ReadFile {
    /// It is among the sources, and was parsed for another directory.
    Parsed(ParsedFile),
    /// It is among the sources, but not parsed.
    Text(FileId),
    /// It could not be read.
    Failed(Diagnostic),
}

impl Loader<'_> {
    /// Lets the loader parse the files of a directory on all cores. A hook does without, since it starts no threads.
    pub(in crate::project) fn on_all_cores(self) -> Self {
        Self { uses_all_cores: true, ..self }
    }

    /// Loads the files of a directory in their order.
    pub(super) fn load_files(&mut self, files: &[PathBuf]) {
        if !self.uses_all_cores {
            files.iter().for_each(|path| self.load_file(path));
            return;
        }
        let mut files = files.iter();
        loop {
            let batch = self.read_batch(&mut files);
            if batch.is_empty() {
                return;
            }
            self.load_batch(batch);
        }
    }

    /// Reads files up to the first one that may use another: what that one uses is read before the file behind it.
    fn read_batch<'p>(&mut self, files: &mut impl Iterator<Item = &'p PathBuf>) -> Vec<(UseTarget, ReadFile)> {
        let mut batch = Vec::new();
        for path in files {
            let target = UseTarget::File(path.clone());
            if self.states.contains_key(&target) {
                continue;
            }
            self.layer.exists = true;
            let (file, is_last) = match self.parsed.get(&target).cloned() {
                Some(parsed) => (ReadFile::Parsed(parsed), true),
                None => match self.read(path) {
                    Ok(text) => {
                        let is_last = may_use_files(&text);
                        (ReadFile::Text(self.add(self.naming.name(path), Some(path.clone()), text)), is_last)
                    }
                    Err(problem) => (ReadFile::Failed(problem), false),
                },
            };
            batch.push((target, file));
            if is_last {
                break;
            }
        }
        batch
    }

    /// Adds files to the layer in their order, and parses them first.
    fn load_batch(&mut self, batch: Vec<(UseTarget, ReadFile)>) {
        let texts: Vec<FileId> = batch
            .iter()
            .filter_map(|(_, file)| match file {
                ReadFile::Text(id) => Some(*id),
                ReadFile::Parsed(_) | ReadFile::Failed(_) => None,
            })
            .collect();
        let (sources, limit) = (&*self.sources, self.parts_left);
        let parse = |id: &FileId| sources.file_by_id(*id).map(|source| syntax::parse_with_limit(source, limit));
        let mut parsed = parallel::map(&texts, parse).into_iter();
        for (target, file) in batch {
            let file = match file {
                ReadFile::Parsed(parsed) => Some(parsed),
                ReadFile::Text(id) => self.checked_parse(&target, id, parsed.next().flatten()),
                ReadFile::Failed(problem) => {
                    self.states.insert(target, LoadProgress::Done(None));
                    self.layer.diagnostics.push(problem);
                    continue;
                }
            };
            if let Some(file) = file {
                self.add_file(target, file);
            }
        }
    }

    /// Stores a parsed file. One that is larger than what the files before it have left is parsed again by that limit.
    fn checked_parse(
        &mut self,
        target: &UseTarget,
        id: FileId,
        parsed: Option<(ast::AstFile, Vec<Diagnostic>)>,
    ) -> Option<ParsedFile> {
        let (ast, diagnostics) = parsed?;
        if ast.parts > self.parts_left {
            return self.parse(target, id, None);
        }
        Some(self.keep_parsed(target, ParsedFile { id, ast: ast.into(), pack: None }, diagnostics))
    }
}

/// Whether a text may have a `use "…"`, which is on one line. A line that begins with `#` is a comment, or in a text.
fn may_use_files(text: &str) -> bool {
    let is_after_word = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
    let has_use = |line: &str| {
        line.match_indices("use").any(|(at, word)| {
            let (before, rest) = line.split_at_checked(at).unwrap_or_default();
            let rest = rest.get(word.len()..).unwrap_or_default();
            !is_after_word(before) && rest.trim_start().starts_with(['"', '\''])
        })
    };
    text.lines().any(|line| !line.trim_start().starts_with('#') && has_use(line))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::PermittedOwners;
    use super::*;
    use crate::config::LayerKind;
    use crate::project::SourceNaming;
    use crate::span::Sources;

    const FILES: &[(&str, &[u8])] = &[
        ("a.rules", b"rule a {\n  on Stop\n  warn \"use this\"\n}\n"),
        ("b.rules", b"rule b {\n  on Stop\n  wern \"w\"\n}\n"),
        ("c.rules", b"use \"./z.rules\"\nrule c {\n  on Stop\n  warn \"w\"\n}\n"),
        ("d.rules", b"# \xe9\n"),
        ("e.rules", b""),
        ("f.rules", b"rule f {\n  on Stop\n  warn \"w\"\n}\n# one more part\n"),
        ("g.rules", b"use 'std/git'\n"),
        ("h.rules", b"rule h {\n  on Stop\n  warn \"w\"\n}\n"),
        ("z.rules", b"rule z {\n  on Stop\n  warn \"w\"\n}\n"),
    ];

    /// Loads the files of a directory, and describes the result.
    fn loaded(directory: &Path, parts: u64, uses_all_cores: bool) -> Vec<String> {
        let naming = SourceNaming { project: Some(directory.to_path_buf()), root: None, home: None };
        let (mut sources, mut seen) = (Sources::default(), Vec::new());
        let bases = (vec![directory.to_path_buf()], PermittedOwners::Any);
        let loader = Loader::new(LayerKind::Project, parts, bases, &naming, &[], &mut sources, &mut seen);
        let mut loader = Loader { uses_all_cores, ..loader };
        let paths: Vec<PathBuf> = FILES.iter().map(|(name, _)| directory.join(name)).collect();
        loader.load_files(&paths);
        let layer = loader.finish();
        let texts = sources.iter().map(|source| format!("{:?} {}", source.id, source.name));
        let files = layer.files.iter().map(|file| format!("{:?} {} {:?}", file.id, file.ast.parts, file.uses));
        let trees = layer.files.iter().map(|file| format!("{:?}", file.ast.items));
        let problems = layer.diagnostics.iter().map(|problem| format!("{problem:?}"));
        texts.chain(files).chain(trees).chain(problems).chain([format!("{} read", seen.len())]).collect()
    }

    #[test]
    fn files_are_loaded_alike_on_one_core_and_on_all() {
        let guard = tempfile::tempdir().unwrap();
        let directory = crate::platform::paths::canonicalize(guard.path()).unwrap();
        for (name, text) in FILES {
            fs::write(directory.join(name), text).unwrap();
        }
        let whole = loaded(&directory, u64::MAX, false);
        assert!(whole.len() > 20 && whole.iter().any(|line| line.contains("std/git")), "{whole:#?}");
        // With fewer parts, a file in the middle is the first that is too large.
        for parts in (0..200).step_by(3).chain([100_000, u64::MAX]) {
            assert_eq!(loaded(&directory, parts, true), loaded(&directory, parts, false), "{parts} parts");
        }
    }

    #[test]
    fn a_use_is_told_from_the_word() {
        for text in ["use \"./a.rules\"", "@off\nuse   'std/git'\n", "let a = 1\nuse\"x\""] {
            assert!(may_use_files(text), "{text}");
        }
        for text in ["", "# use it", "  # use \"std/git\"", "deny \"use pnpm\"", "reuse \"a\"", "let use-it = \"a\""] {
            assert!(!may_use_files(text), "{text}");
        }
    }
}
