//! Verifies that an edited text is the old text with the intended commands changed, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{Analysis, Assignment, OpaqueCode, Redirect, SimpleCommand};
use crate::stream::CommandId;
use crate::word::Word;

use super::change::CommandChange;

/// Whether the analysis of an edited text is the expected one.
///
/// The commands that a changed command runs may differ: `uv run python` runs `python`. All other commands are the
/// same, in the same order.
pub(super) fn is_as_expected(
    old: &Analysis,
    changes: &[Option<CommandChange>],
    expected: &[Vec<Word>],
    new: &Analysis,
) -> bool {
    EditComparison { old, expected, new, changes, inner: InnerCommands::Same }.holds()
        || EditComparison { old, expected, new, changes, inner: InnerCommands::Others }.holds()
}

/// Which commands a changed command is expected to run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InnerCommands {
    /// The same commands as before the change.
    Same,
    /// Any commands: these are not compared.
    Others,
}

/// A comparison of the analyses of the old and the edited text.
struct EditComparison<'a> {
    old: &'a Analysis,
    /// The change of each old command; `None` if it stays.
    changes: &'a [Option<CommandChange>],
    /// The words that each old command should have after the edit.
    expected: &'a [Vec<Word>],
    new: &'a Analysis,
    inner: InnerCommands,
}

/// The correspondence between the commands of both texts.
struct CommandMapping {
    /// The new command for each old command.
    new_of: BTreeMap<CommandId, CommandId>,
    /// The new commands that have an old one.
    paired_new: BTreeSet<CommandId>,
}

impl EditComparison<'_> {
    /// Whether the comparison finds no unexpected difference.
    fn holds(&self) -> bool {
        let Some(pairs) = self.pairs() else { return false };
        let ids = CommandMapping {
            new_of: pairs.iter().copied().collect(),
            paired_new: pairs.iter().map(|(_, new_id)| *new_id).collect(),
        };
        pairs.iter().all(|(old_id, new_id)| self.is_expected(*old_id, *new_id, &ids)) && self.same_opaque(&ids)
    }

    /// Pairs each old command with the new one; `None` if their numbers differ, or if a command that changes would
    /// not be compared.
    fn pairs(&self) -> Option<Vec<(CommandId, CommandId)>> {
        let changed = |id: &CommandId| self.changes.get(id.0).is_some_and(Option::is_some);
        let skips_inner = self.inner == InnerCommands::Others;
        let mut old =
            self.old.iter().filter(|(_, command)| !(skips_inner && command.outer_commands.iter().any(changed)));
        let mut new_changed = BTreeSet::new();
        let mut pairs = Vec::new();
        for (new_id, command) in self.new.iter() {
            if skips_inner && command.outer_commands.iter().any(|id| new_changed.contains(id)) {
                continue;
            }
            let (old_id, _) = old.next()?;
            if changed(&old_id) {
                new_changed.insert(new_id);
            }
            pairs.push((old_id, new_id));
        }
        // A command that changes inside another one that changes must be compared, so it must not be skipped.
        let is_inside_changed =
            |(id, command): (CommandId, &SimpleCommand)| changed(&id) && command.outer_commands.iter().any(changed);
        let skips_a_change = skips_inner && self.old.iter().any(is_inside_changed);
        (old.next().is_none() && !skips_a_change).then_some(pairs)
    }

    /// Whether a new command is the old one with the expected words, in the same context.
    fn is_expected(&self, old_id: CommandId, new_id: CommandId, ids: &CommandMapping) -> bool {
        let (Some(old), Some(new)) = (self.old.command(old_id), self.new.command(new_id)) else { return false };
        let has_expected_words = self.expected.get(old_id.0).is_some_and(|expected| same_words(expected, &new.words));
        let same_ids = |old: &[CommandId], new: &[CommandId]| {
            // Commands that are skipped in both texts have no counterpart.
            let partners = old.iter().filter_map(|id| ids.new_of.get(id));
            partners.eq(new.iter().filter(|id| ids.paired_new.contains(id)))
        };
        has_expected_words
            && same_assignments(&old.assignments, &new.assignments)
            && same_assignments(&old.environment, &new.environment)
            && old.redirects.len() == new.redirects.len()
            && old.redirects.iter().zip(&new.redirects).all(|(old, new)| same_redirect(old, new))
            && same_ids(&old.outer_commands, &new.outer_commands)
            && same_ids(&old.piped_from, &new.piped_from)
            && same_ids(&old.piped_to, &new.piped_to)
            && (old.doubt.is_some(), old.scope, &old.cwd) == (new.doubt.is_some(), new.scope, &new.cwd)
            && (old.in_loop, old.in_background) == (new.in_loop, new.in_background)
            && (old.in_substitution, old.is_shadowed) == (new.in_substitution, new.is_shadowed)
    }

    /// Whether the unanalysed code is the same in both texts, except for code that a changed command runs.
    fn same_opaque(&self, ids: &CommandMapping) -> bool {
        let changed = |id: CommandId| self.changes.get(id.0).is_some_and(Option::is_some);
        let new_changed: BTreeSet<CommandId> =
            ids.new_of.iter().filter(|(old_id, _)| changed(**old_id)).map(|(_, new_id)| *new_id).collect();
        let is_run_by_changed = |analysis: &Analysis, opaque: &OpaqueCode, changed: &dyn Fn(CommandId) -> bool| {
            let outer_commands =
                opaque.runner.and_then(|id| analysis.command(id)).map(|command| command.outer_commands.clone());
            opaque.runner.into_iter().chain(outer_commands.unwrap_or_default()).any(changed)
        };
        let old = self.old.opaque.iter().filter(|opaque| !is_run_by_changed(self.old, opaque, &changed));
        let new = self
            .new
            .opaque
            .iter()
            .filter(|opaque| !is_run_by_changed(self.new, opaque, &|id| new_changed.contains(&id)));
        let (old, new): (Vec<&OpaqueCode>, Vec<&OpaqueCode>) = (old.collect(), new.collect());
        let same = |(old, new): (&&OpaqueCode, &&OpaqueCode)| {
            old.reason.cause == new.reason.cause && old.text.is_some() == new.text.is_some() && old.scope == new.scope
        };
        old.len() == new.len() && old.iter().zip(&new).all(same)
    }
}

fn same_words(one: &[Word], other: &[Word]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.parts == other.parts)
}

fn same_assignments(one: &[Assignment], other: &[Assignment]) -> bool {
    let parts = |assignment: &Assignment| assignment.value.as_ref().map(|word| word.parts.clone());
    let same = |(one, other): (&Assignment, &Assignment)| one.name == other.name && parts(one) == parts(other);
    one.len() == other.len() && one.iter().zip(other).all(same)
}

fn same_redirect(one: &Redirect, other: &Redirect) -> bool {
    one.kind == other.kind && one.target.parts == other.target.parts
}
