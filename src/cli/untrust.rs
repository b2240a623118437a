//! `rules untrust`: revokes the user's trust in the policy of a project.

use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::print::{Printer, count};
use super::trust::{DirectoryArgs, refused};
use crate::escape::line;
use crate::files::reason;
use crate::platform::paths::shown;
use crate::project::discover;
use crate::trust::TrustStore;

/// Trust the policy of a project no longer, in none of its states
///
/// It needs no confirmation: `rules trust` shows the policy again and asks.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct UntrustArgs {
    /// The directory that the agent works in. Default: the current directory
    #[arg(value_name = "DIR")]
    project: Option<PathBuf>,

    /// Trust no project at all
    #[arg(long, conflicts_with = "project")]
    all: bool,

    #[command(flatten)]
    directories: DirectoryArgs,
}

/// Runs the command.
pub(super) fn run(args: &UntrustArgs, printer: &mut Printer) -> CommandOutcome {
    let places = args.directories.places(args.project.as_deref());
    let Some(state_dir) = places.state.as_deref() else {
        return refused("this account has no home; name a `--state-dir`", printer);
    };
    let store = TrustStore::open(state_dir);
    // The policy may be deleted already, so the states are found by its directory alone.
    let discovery = discover(&places);
    let root = discovery.root().or(places.project.as_deref()).unwrap_or(Path::new("/"));
    let revoked = if args.all { store.revoke_all() } else { store.revoke(root) };
    let whose = if args.all { String::new() } else { format!(" of {}", line(&shown(&root).to_string(), usize::MAX)) };
    match revoked {
        Ok(0) => printer.out(&format!("nothing{whose} was trusted\n")),
        Ok(number) => printer.out(&format!("{}{whose} trusted no longer\n", count(number, "state"))),
        Err(error) => return refused(&format!("the state directory: {}", reason(&error)), printer),
    }
    CommandOutcome::Clean
}
