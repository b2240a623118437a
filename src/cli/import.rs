//! `rules import`: converts the configuration of another program into a policy.

mod places;
mod written;

use std::path::PathBuf;

use clap::Subcommand;

use super::CommandOutcome;
use super::print::Printer;
use crate::diagnostic::render_all;
use crate::files::read_following;
use crate::import::{ImportFormat, import};
use crate::platform::paths::shown;
use crate::span::Sources;
use places::{policy_directory, usual_files};
use written::write;

/// The maximum size of a configuration file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Convert the configuration of another program into a policy
///
/// The result checks clean, its examples hold, and no existing file is overwritten.
/// What has no equivalent is listed at the top of the policy: first denials, then
/// questions, then permissions, then all else.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct ImportArgs {
    #[command(subcommand)]
    source: Source,
}

#[derive(Subcommand, Debug)]
enum Source {
    /// Convert the permissions of Claude Code, `.claude/settings.json` and
    /// `settings.local.json`
    ///
    /// `allow`, `ask` and `deny` become rules about commands, files and tools. Writes
    /// `claude.rules` and `rules.toml` into `.rules` next to `.claude`. Exits with 0 if
    /// they were written, 1 if a file has mistakes or would be overwritten, 2 on a usage
    /// error, and 3 if there is no file or it cannot be read.
    #[command(verbatim_doc_comment)]
    ClaudePermissions(ImportedFiles),

    /// Convert the rules of Codex CLI, `.codex/rules/*.rules`
    ///
    /// A `prefix_rule` becomes a rule with `runs` or `only runs`, its `match` and
    /// `not_match` become examples. Writes `codex.rules` and `rules.toml` into `.rules`
    /// next to `.codex`. Exits with 0 if they were written, 1 if a file has mistakes or
    /// would be overwritten, 2 on a usage error, and 3 if there is no file or it cannot
    /// be read.
    #[command(verbatim_doc_comment)]
    CodexRules(ImportedFiles),

    /// Convert a `.conclaude.yaml` into a policy
    ///
    /// Writes `conclaude.rules` and `rules.toml` into the directory `.rules` next to it.
    /// What has no equivalent is listed at the top of the policy. Exits with 0 if it
    /// was written, 1 if the file has mistakes or would be overwritten, 2 on a usage
    /// error, and 3 if the file does not exist or cannot be read.
    #[command(verbatim_doc_comment)]
    Conclaude(ImportedFiles),

    /// Convert the policies of Gemini CLI, `.gemini/policies/*.toml`
    ///
    /// A `[[rule]]` becomes a rule, with exceptions for milder rules of a higher priority.
    /// Writes `gemini.rules` and `rules.toml` into `.rules` next to `.gemini`. Exits with 0
    /// if they were written, 1 if a file has mistakes or would be overwritten, 2 on a usage
    /// error, and 3 if there is no file or it cannot be read.
    #[command(verbatim_doc_comment)]
    GeminiPolicy(ImportedFiles),

    /// Convert the rules of the plugin hookify, `.claude/hookify.*.local.md`
    ///
    /// Each file becomes a rule. Writes `hookify.rules` and `rules.toml` into `.rules` next
    /// to `.claude`. Exits with 0 if they were written, 1 if a file has mistakes or would
    /// be overwritten, 2 on a usage error, and 3 if there is no file or it cannot be read.
    #[command(verbatim_doc_comment)]
    Hookify(ImportedFiles),
}

impl Source {
    /// Returns the name of the format, and the files.
    fn named(&self) -> (&'static str, &ImportedFiles) {
        match self {
            Self::ClaudePermissions(files) => ("claude-permissions", files),
            Self::CodexRules(files) => ("codex-rules", files),
            Self::Conclaude(files) => ("conclaude", files),
            Self::GeminiPolicy(files) => ("gemini-policy", files),
            Self::Hookify(files) => ("hookify", files),
        }
    }
}

#[derive(clap::Args, Debug)]
struct ImportedFiles {
    /// The files, which become one policy. Default: those at the usual places here or
    /// in a directory above
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write into this directory
    #[arg(long, value_name = "DIR", conflicts_with = "print")]
    to: Option<PathBuf>,

    /// Print the policy and, as comments, the settings, instead of writing them
    #[arg(long)]
    print: bool,
}

/// Runs the command.
pub(super) fn run(args: &ImportArgs, printer: &mut Printer) -> CommandOutcome {
    let (name, args) = args.source.named();
    let Some(format) = ImportFormat::by_name(name) else { return CommandOutcome::Findings };
    let named = args.files.clone();
    let files = if named.is_empty() { usual_files(format) } else { Ok(named) };
    let read = files.and_then(|files| read_all(&files).map(|sources| (files, sources)));
    let (files, sources) = match read {
        Ok(read) => read,
        Err(problem) => return refused(&problem, CommandOutcome::Unreadable, printer),
    };
    let imported = match import(format, &sources) {
        Ok(imported) => imported,
        Err(found) => {
            printer.err(&render_all(&found, &sources, printer.format()));
            let problem = format!("nothing was imported from {}", quoted(&files));
            return refused(&problem, CommandOutcome::Findings, printer);
        }
    };
    if args.print {
        let settings = imported.settings.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n");
        let settings: String = settings.collect();
        printer.out(&format!("{}\n# rules.toml:\n#\n{settings}", imported.policy));
        return CommandOutcome::Clean;
    }
    let directory = args.to.clone().unwrap_or_else(|| policy_directory(format, &files));
    write(format, &files, &imported, &directory, printer)
}

/// Returns paths in backquotes, with commas between them.
fn quoted(files: &[PathBuf]) -> String {
    files.iter().map(|file| format!("`{}`", shown(&file))).collect::<Vec<_>>().join(", ")
}

/// Reads the files.
///
/// # Errors
/// The first file that cannot be read, and why.
fn read_all(files: &[PathBuf]) -> Result<Sources, String> {
    let mut sources = Sources::default();
    for file in files {
        let bytes = read_following(file, MAX_BYTES).map_err(|error| format!("`{}` {error}", shown(&file)))?;
        let text = String::from_utf8(bytes).map_err(|_| format!("`{}` is not UTF-8", shown(&file)))?;
        sources.add(shown(&file).to_string(), Some(file.clone()), text);
    }
    Ok(sources)
}

/// Prints a problem, and returns the given outcome.
fn refused(problem: &str, outcome: CommandOutcome, printer: &mut Printer) -> CommandOutcome {
    printer.err(&format!("rules: {problem}\n"));
    outcome
}
