//! The formats that can be imported: the name, the usual paths and the converter of each.

use super::draft::MappedPolicy;
use super::mapping_reader::ImportFindings;
use super::node::ConfigNotation;
use super::{claude, codex, gemini, hookify, map};
use crate::span::SourceFile;

/// Converts the files of one configuration; `None` if they have mistakes, which are then in the findings.
type Converter = fn(&[&SourceFile], &mut ImportFindings<'_>) -> Option<MappedPolicy>;

/// A format of configurations that can be imported.
#[derive(Clone, Copy, Debug)]
pub struct ImportFormat {
    /// The name of the format on the command line.
    pub name: &'static str,
    /// The program that reads such files.
    pub program: &'static str,
    /// The name of the `.rules` file that is written, without its extension.
    pub stem: &'static str,
    /// The usual paths of the files in a project; a `*` stands for any text within a name.
    pub places: &'static [&'static str],
    /// The maximum number of files that the program reads at these paths.
    pub max_files: usize,
    /// To what the reason in an `@allow` attributes a lint's finding: the file, or the program.
    pub(super) author: &'static str,
    /// The language of the files.
    pub(super) notation: ConfigNotation,
    pub(super) convert: Converter,
}

/// The maximum number of files that are read for a format that may have several.
const MAX_FILES: usize = 256;

/// Every format that can be imported.
pub(super) const FORMATS: &[ImportFormat] = &[
    ImportFormat {
        name: "claude-permissions",
        program: "Claude Code",
        stem: "claude",
        places: &[".claude/settings.json", ".claude/settings.local.json"],
        max_files: MAX_FILES,
        author: "Claude Code",
        notation: ConfigNotation::Json,
        convert: claude::import,
    },
    ImportFormat {
        name: "codex-rules",
        program: "Codex",
        stem: "codex",
        places: &[".codex/rules/*.rules"],
        max_files: MAX_FILES,
        author: "Codex",
        notation: ConfigNotation::Starlark,
        convert: codex::import,
    },
    ImportFormat {
        name: "conclaude",
        program: "conclaude",
        stem: "conclaude",
        places: &[".conclaude.yaml", ".conclaude.yml"],
        max_files: 1,
        author: ".conclaude.yaml",
        notation: ConfigNotation::Yaml,
        convert: map::import,
    },
    ImportFormat {
        name: "gemini-policy",
        program: "Gemini CLI",
        stem: "gemini",
        places: &[".gemini/policies/*.toml"],
        max_files: MAX_FILES,
        author: "Gemini CLI",
        notation: ConfigNotation::Toml,
        convert: gemini::import,
    },
    ImportFormat {
        name: "hookify",
        program: "hookify",
        stem: "hookify",
        places: &[".claude/hookify.*.local.md"],
        max_files: MAX_FILES,
        author: "hookify",
        notation: ConfigNotation::FrontMatter,
        convert: hookify::import,
    },
];

impl ImportFormat {
    /// Returns the format with a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }
}
