//! Reads the sources of a layer within its limits.

use std::path::Path;

use super::{Loader, MAX_FILE, too_large};
use crate::diagnostic::{Code, Diagnostic};
use crate::files::{self, ReadError};
use crate::project::SETTINGS;
use crate::project::find::{self, LayerDirectory, LayerListing, ReadRefusal};
use crate::project::seen::LoadInput;

impl Loader<'_> {
    /// Whether a directory of the layer has a file that would be loaded, or that is refused.
    pub(in crate::project) fn has_sources(&mut self, directory: &LayerDirectory) -> bool {
        let physical = match &directory.physical {
            Ok(Some(physical)) => physical,
            Ok(None) => return false,
            Err(_) => return true,
        };
        let LayerListing { files, programs, refused, .. } =
            find::list(physical, self.owners, std::mem::take(&mut self.tree));
        let is_listed = !files.is_empty() || !programs.is_empty() || !refused.is_empty();
        is_listed || !matches!(self.read_text(&physical.join(SETTINGS)), Ok(None))
    }

    /// Reads a source, which must not be empty. A program that rewrites a file empties it first, and an event at that
    /// moment must not be judged by a policy without rules.
    pub(super) fn read(&mut self, path: &Path) -> Result<String, Diagnostic> {
        let (problem, help) = match self.read_text(path)? {
            Some(text) if !text.is_empty() => return Ok(text),
            Some(_) => ("is empty, or is being written", Some("put a rule or a comment into it, or remove it")),
            None => ("does not exist", None),
        };
        let message = format!("`{}` {problem}", self.naming.name(path));
        Err(Diagnostic::new(Code::LAYER_REFUSED, message).help_if_any(help.map(str::to_owned)))
    }

    /// Reads a source, within the limits and only if its owner is permitted. `None` if the file does not exist.
    pub(super) fn read_text(&mut self, path: &Path) -> Result<Option<String>, Diagnostic> {
        let name = self.naming.name(path);
        let edited = self.edits.iter().find(|edit| edit.path == path).map(|edit| edit.text.clone().into_bytes());
        let seen = LoadInput::start_reading(path);
        let read = || files::read_with_metadata(path, MAX_FILE).map(|(bytes, metadata)| (bytes, Some(metadata)));
        let bytes = match edited.map_or_else(read, |text| Ok((text, None))) {
            Ok((bytes, metadata)) => {
                let checked = metadata.map_or(Ok(()), |metadata| self.owners.check(path, &metadata));
                if let Err(ReadRefusal { problem, help }) = checked {
                    let message = format!("`{name}` is not read: {problem}");
                    return Err(Diagnostic::new(Code::LAYER_REFUSED, message).help_if_any(help));
                }
                self.seen.push(seen.with_text(&bytes));
                bytes
            }
            Err(ReadError::NotFound) => {
                self.seen.push(seen);
                return Ok(None);
            }
            Err(ReadError::TooBig(_)) => {
                return Err(too_large(&name));
            }
            Err(problem) => return Err(Diagnostic::new(Code::LAYER_REFUSED, format!("`{name}` {problem}"))),
        };
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > MAX_FILE {
            return Err(too_large(&name));
        }
        let Some(left) = self.bytes_left.checked_sub(length) else {
            let kind = self.layer.kind;
            let message = format!("`{name}` takes the {} layer over {} MiB", kind.name(), kind.limits().bytes >> 20);
            return Err(Diagnostic::new(Code::TOO_DEEP, message));
        };
        self.bytes_left = left;
        let text = String::from_utf8(bytes);
        text.map(Some).map_err(|_| Diagnostic::new(Code::ENCODING, format!("`{name}` is not UTF-8")))
    }
}
