//! `rules init`: examines a project, and writes a first policy for it.

mod place;
mod show;

use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::print::{Printer, Style, count};
use super::{install, prompt};
use crate::diagnostic::nearest_name;
use crate::escape::line;
use crate::files::reason;
use crate::init::{
    InitProposal, ProjectFindings, ProposalInput, find_in_project, policy_problems, proposal_text, propose,
    read_project,
};
use crate::packs::PACKS;
use crate::platform::paths::{canonicalize, shown};

use place::PolicyPlace;

/// Propose a first policy for a project, and write it
///
/// Looks at the project: languages, package managers, CI, containers, migrations,
/// secrets, generated code, the branches of git, what agents are allowed already.
/// Shows what it found and the policy that fits, asks, and writes
/// `.rules/project.rules`. What is written checks clean, and no file is changed.
///
/// Exits with 0 if it was written or there is nothing to add, 1 if nothing was
/// written, 2 on a usage error, and 3 if the project or its policy cannot be read.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct InitArgs {
    /// The project. Default: the current directory
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,

    /// Write without asking
    #[arg(long)]
    yes: bool,

    /// Show what would be written, and write nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,

    /// Add this pack, e.g. `read-only`; may be repeated
    #[arg(long, value_name = "PACK", value_parser = pack_name)]
    with: Vec<&'static str>,

    /// Leave this pack out; may be repeated
    #[arg(long, value_name = "PACK", value_parser = pack_name)]
    without: Vec<&'static str>,

    /// Print findings and proposal as one JSON object; writes only with `--yes`
    #[arg(long)]
    json: bool,
}

/// Parses the name of a pack, with or without `std/`.
fn pack_name(word: &str) -> Result<&'static str, String> {
    let names = || PACKS.iter().map(|(name, _)| *name);
    let wanted = if word.starts_with("std/") { word.to_owned() } else { format!("std/{word}") };
    names().find(|name| *name == wanted).ok_or_else(|| match nearest_name(&wanted, names()) {
        Some(near) => format!("there is no such pack; there is `{near}`"),
        None => "there is no such pack; `rules list --packs` lists them".to_owned(),
    })
}

/// A project, what was found in it, and the policy proposed for it.
pub(super) struct InitDraft {
    /// The file to write.
    place: PolicyPlace,
    findings: ProjectFindings,
    /// The packs that the user asked for or excluded, and the packs and rule names of the existing policy.
    given: ProposalInput,
    proposal: InitProposal,
}

/// Runs the command.
pub(super) fn run(args: &InitArgs, printer: &mut Printer) -> CommandOutcome {
    if let Some(both) = args.with.iter().find(|pack| args.without.contains(pack)) {
        printer.err(&format!("rules: `{both}` is both in `--with` and in `--without`\n"));
        return CommandOutcome::Usage;
    }
    match InitDraft::new(args) {
        Ok(draft) => draft.propose(args, printer),
        Err((problem, outcome)) => {
            printer.err(&format!("rules: {problem}\n"));
            outcome
        }
    }
}

impl InitArgs {
    /// Whether the user is asked what to write: at a terminal, without `--yes`, `--dry-run` or `--json`.
    fn asks(&self) -> bool {
        !self.yes && !self.dry_run && !self.json && prompt::is_possible()
    }
}

impl InitDraft {
    /// Examines the project of the arguments.
    ///
    /// # Errors
    /// A message and the outcome if the project or its policy cannot be read, or the new file could not be written.
    fn new(args: &InitArgs) -> Result<Self, (String, CommandOutcome)> {
        let named = args.directory.clone().unwrap_or_else(|| PathBuf::from("."));
        let directory = canonicalize(&named).map_err(|error| {
            (format!("`{}` cannot be opened: {}", display_path(&named), reason(&error)), CommandOutcome::Unreadable)
        })?;
        if !directory.is_dir() {
            return Err((format!("`{}` is not a directory", display_path(&named)), CommandOutcome::Unreadable));
        }
        let (place, existing) = PolicyPlace::examine(&directory)?;
        let given = ProposalInput {
            requested: args.with.clone(),
            excluded: args.without.clone(),
            used_packs: existing.used_packs,
            existing_rules: existing.rule_names,
        };
        let findings = find_in_project(&read_project(&directory));
        let proposal = propose(&findings, &given);
        Ok(Self { place, findings, given, proposal })
    }

    /// Shows the findings and the proposed policy, checks it, and writes it if the user agrees.
    fn propose(mut self, args: &InitArgs, printer: &mut Printer) -> CommandOutcome {
        if !args.json {
            printer.out(&show::findings(&self, printer));
        }
        if args.asks() && !self.choose_packs(printer) {
            printer.err("rules: nothing was written\n");
            return CommandOutcome::Findings;
        }
        if self.proposal.chosen().next().is_none() && self.proposal.rules.is_empty() {
            match args.json {
                true => printer.out(&show::draft_as_json(&self, None)),
                false => printer.out("There is nothing to add: the policy has all of that already.\n"),
            }
            return CommandOutcome::Clean;
        }
        let text = proposal_text(&self.proposal);
        if let Err(found) = self.check(&text) {
            let found = found.trim_end();
            printer.err(&format!("{found}\nrules: nothing was written: the policy would not check clean\n"));
            return CommandOutcome::Findings;
        }
        if !args.json {
            // A text to be confirmed is shown in full; otherwise a few words suffice.
            let shown =
                if args.yes { show::proposal(&self, printer) } else { show::policy_text(&self, &text, printer) };
            printer.out(&shown);
            if !args.asks() {
                printer.out(&show::unproposed_packs(&self, printer));
            }
        }
        let is_agreed = if args.asks() { self.confirm() } else { args.yes };
        if is_agreed { self.write(&text, args, printer) } else { self.decline(&text, args, printer) }
    }

    /// Writes the policy and prints the next steps. `--yes` does not add to an existing policy.
    fn write(&self, text: &str, args: &InitArgs, printer: &mut Printer) -> CommandOutcome {
        let file = self.place.display_path();
        if args.yes && self.place.has_policy {
            let message = format!(
                "rules: nothing was written: there is a policy already, and `--yes` adds nothing to it; run `rules init` \
                 in a terminal, or copy what you want from `rules init --dry-run` into `{file}`"
            );
            printer.err(&printer.wrapped("", "  ", &message));
            return CommandOutcome::Findings;
        }
        if let Err(problem) = self.place.write(text) {
            printer.err(&format!("rules: {problem}\n"));
            return CommandOutcome::Findings;
        }
        if args.json {
            printer.out(&show::draft_as_json(self, Some((text, true))));
            return CommandOutcome::Clean;
        }
        let packs = count(self.proposal.chosen().count(), "pack");
        let rules = count(self.proposal.rules.len(), "rule");
        let written = format!("wrote {file}: {packs}, and {rules} of your own\n");
        printer.out(&printer.paint(Style::Green, &written));
        printer.out(&show::next_steps_text(args.directory.as_deref(), printer));
        // An installation changes the settings around the current directory.
        if args.asks() && args.directory.is_none() {
            printer.out("\n");
            return install::offer_registration(printer);
        }
        let last = show::next_step("rules install claude-code", "register the hook: then it is in force", printer);
        printer.out(&last);
        CommandOutcome::Clean
    }

    /// Ends the command without writing: prints the draft with `--json`, otherwise why nothing was written.
    fn decline(&self, text: &str, args: &InitArgs, printer: &mut Printer) -> CommandOutcome {
        if args.json {
            printer.out(&show::draft_as_json(self, Some((text, false))));
        }
        if args.dry_run || args.json {
            return CommandOutcome::Clean;
        }
        let why = if args.asks() { "" } else { ": there is no terminal to ask in; `--yes` writes without asking" };
        printer.err(&printer.wrapped("", "  ", &format!("rules: nothing was written{why}")));
        CommandOutcome::Findings
    }

    /// Lets the user choose among the packs. Returns `false` if the user cancelled.
    fn choose_packs(&mut self, printer: &mut Printer) -> bool {
        if self.proposal.packs.is_empty() {
            return true;
        }
        let entries: Vec<prompt::Choice> = self.proposal.packs.iter().map(show::entry).collect();
        let question = "Which packs? Space chooses, Enter goes on";
        let Some(chosen) = prompt::choose(question, "pack", &entries, printer) else { return false };
        self.proposal.choose(&chosen, &self.findings, &self.given);
        true
    }

    /// Asks whether the file should be written.
    fn confirm(&self) -> bool {
        let file = self.place.display_path();
        let question = match self.place.has_policy {
            true => format!("Add {file} to the policy that is there?"),
            false => format!("Write {file}?"),
        };
        prompt::ask_yes_or_no(&question, true)
    }

    /// Checks the proposed text, alone and together with the existing policy, and returns the findings as the error.
    fn check(&self, text: &str) -> Result<(), String> {
        let alone = policy_problems(&self.place.display_path(), text);
        if !alone.is_empty() {
            return Err(format!("{alone}\nthis is a bug in rules"));
        }
        self.place.check(text)
    }
}

/// Returns a path as text that is safe to print.
fn display_path(path: &Path) -> String {
    line(&shown(&path).to_string(), 200)
}
