//! Source locations: files, byte spans, lines and columns.
//!
//! A span is a pair of byte offsets into one file. Lines and columns are computed for display only, from one table for
//! each file.

use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The identity of a source file within one [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The file that contains the bytes.
    pub file: FileId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates a span from byte offsets. Offsets past 4 GiB saturate: sources are at most 1 MiB.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end) }
    }

    /// Returns the smallest span that contains both, which must be in the same file.
    #[must_use]
    pub fn joined_with(self, other: Self) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether another span is within this one.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// Returns the empty span at this span's end.
    #[must_use]
    pub fn end_position(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// Returns the byte range.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A source text, with the name under which findings show it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The identity of the file.
    pub id: FileId,
    /// The name in diagnostics; a relative path where the user would write one.
    pub name: String,
    /// The path of the file; `None` for packs, and for texts that were never in a file.
    pub path: Option<PathBuf>,
    /// The whole text.
    pub text: String,
    /// The offset of the first byte of each line, computed when it is first needed: a file without diagnostics needs
    /// none.
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// Returns the text of a span, or an empty text if the span is outside of the file.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Returns the line and column (in characters) of a byte offset, both from 1.
    #[must_use]
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let line_starts = self.line_starts.get_or_init(|| line_starts(&self.text));
        let line = line_starts.partition_point(|start| *start <= offset).max(1);
        let start = line_starts.get(line - 1).copied().unwrap_or(0);
        let column = self.text.get(start as usize..offset as usize).map_or(0, |text| text.chars().count());
        (line, column + 1)
    }

    /// Returns the lines of a span, with `context` lines above and below: the byte offset of the first line, its
    /// number counted from 0, and the text.
    #[must_use]
    pub fn lines_around(&self, span: Span, context: usize) -> (usize, usize, &str) {
        let line_starts = self.line_starts.get_or_init(|| line_starts(&self.text));
        let line_of = |offset: u32| line_starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let first = line_of(span.start).saturating_sub(context);
        let line_after = line_of(span.end).saturating_add(context + 1);
        let start = line_starts.get(first).map_or(0, |start| *start as usize);
        let end = line_starts.get(line_after).map_or(self.text.len(), |end| *end as usize);
        (start, first, self.text.get(start..end).unwrap_or_default())
    }

    /// Returns the text of a line, counted from 1, without its newline.
    #[must_use]
    pub fn line(&self, number: usize) -> &str {
        let line_starts = self.line_starts.get_or_init(|| line_starts(&self.text));
        let Some(start) = number.checked_sub(1).and_then(|index| line_starts.get(index)) else { return "" };
        let end = line_starts.get(number).map_or(self.text.len(), |end| *end as usize);
        let line = self.text.get(*start as usize..end).unwrap_or_default();
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    }
}

/// Returns the offset of the first byte of each line.
fn line_starts(text: &str) -> Vec<u32> {
    let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    let after = newlines.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX));
    std::iter::once(0).chain(after).collect()
}

/// All source texts of one run; each span refers to one of them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a text and returns its identity.
    pub fn add(&mut self, name: impl Into<String>, path: Option<PathBuf>, text: impl Into<String>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile { id, name: name.into(), path, text: text.into(), line_starts: OnceLock::new() });
        id
    }

    /// Returns a file by its identity; `None` if it is not one of these sources.
    #[must_use]
    pub fn file_by_id(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Returns the file that contains a span; `None` if it is not one of these sources.
    #[must_use]
    pub fn file(&self, span: Span) -> Option<&SourceFile> {
        self.file_by_id(span.file)
    }

    /// Returns every file, in the order of addition.
    pub fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// Returns `name:line:column` for the start of a span; empty if its file is not one of these sources.
    #[must_use]
    pub fn location(&self, span: Span) -> String {
        self.file(span).map_or_else(String::new, |file| {
            let (line, column) = file.line_column(span.start);
            format!("{}:{line}:{column}", file.name)
        })
    }
}
