//! Nested policies: those of directories in which a call works, but not the session. They only restrict: each can deny
//! or ask about what is below its directory.

mod memory;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::action::JournalAdditions;
use crate::cache::{self, ReadyPolicy};
use crate::context::{Context, WorkPlaces};
use crate::escape::line;
use crate::eval::{Evaluation, TraceDetail, decide, evaluate};
use crate::image::DamagedImage;
use crate::policy::Policy;
use crate::project::{MachinePlaces, NestedDirectory, NestedSearch};
use crate::ruleset::RuleSet;
use crate::schema::Event;
use crate::types::Payload;
use crate::verdict::{Additions, Author, Decision, Verdict, Vote};

use super::{FailurePolicy, Fuse};
use memory::{NestedMemory, remembers};

/// The maximum number of nested policies that judge one call.
const MAX_POLICIES: usize = 16;

/// The maximum number of characters of a directory's name in messages.
const MAX_NAME_CHARS: usize = 80;

/// The judgements of a call by all nested policies.
#[derive(Debug, Default)]
pub struct NestedJudgements {
    judged: Vec<NestedJudgement>,
    /// Whether there may be further policies that have not judged the call.
    is_cut: bool,
    memory: NestedMemory,
}

/// The judgement of a call by one nested policy.
#[derive(Debug)]
pub struct NestedJudgement {
    path: PathBuf,
    /// The name of the directory for messages, relative to the project if it is below it.
    pub directory: String,
    policy: Arc<ReadyPolicy>,
    /// The judgement of the call as the agent sent it.
    pub evaluation: Evaluation,
    /// The judgement of the call as the session's policy rewrites it; `None` if that does not rewrite it.
    after_rewrites: Option<Evaluation>,
}

/// How nested policies are loaded, and in how much detail they judge.
#[derive(Clone, Copy)]
pub struct NestedPolicySource<'p> {
    /// Returns the policy of a directory.
    pub load: &'p dyn Fn(&MachinePlaces, &NestedDirectory) -> Arc<ReadyPolicy>,
    /// How much detail the judgements keep.
    pub detail: TraceDetail,
}

impl NestedPolicySource<'static> {
    /// For an answer: policies from the cache if possible, and only outcomes.
    pub(super) const FOR_ANSWER: Self = Self {
        load: &|places, directory| Arc::new(cache::nested_policy(places, directory)),
        detail: TraceDetail::Outcomes,
    };
    /// For an explanation: policies compiled from their sources, and all conditions.
    pub const FOR_EXPLANATION: Self = Self { load: &load_without_cache, detail: TraceDetail::Conditions };
}

/// Compiles the policy of a directory from its sources, without reading or writing the cache.
pub fn load_without_cache(places: &MachinePlaces, directory: &NestedDirectory) -> Arc<ReadyPolicy> {
    Arc::new(ReadyPolicy::Compiled(Box::new(cache::uncached_nested_policy(places, directory))))
}

/// A call, and the same call as the session's policy rewrites it, if it does.
struct Call<'c> {
    context: &'c Context<'c>,
    rewritten: Option<&'c Context<'c>>,
}

impl Call<'_> {
    /// Judges the call with `by`, and also its rewritten form.
    fn judge<E>(
        &self,
        by: impl Fn(&Context<'_>) -> Result<Evaluation, E>,
    ) -> Result<(Evaluation, Option<Evaluation>), E> {
        Ok((by(self.context)?, self.rewritten.map(by).transpose()?))
    }

    /// Returns the directories whose nested policies apply: those between the root of the working tree and the paths on
    /// which the call works, and those below a directory that the call changes as a whole. Also returns whether there
    /// may be more.
    fn directories(&self, project: &Path) -> (Vec<NestedDirectory>, bool) {
        let worktrees = || self.context.machine().roots().worktrees.clone();
        let mut search = NestedSearch::new(project, &worktrees);
        for context in std::iter::once(self.context).chain(self.rewritten) {
            let WorkPlaces { paths, changed_directories, workspaces } = context.work_places();
            paths.iter().for_each(|path| search.look_above(path));
            workspaces.iter().for_each(|directory| search.look_in_packages(directory));
            changed_directories.iter().for_each(|directory| search.look_below(directory));
        }
        search.into_directories()
    }

    /// Returns at most [`MAX_POLICIES`] directories whose policies judge the call, and whether there are or may be
    /// more. Notes in `memory` if a policy may miss the call.
    fn judged_directories(
        &self,
        (project, places): (&Path, &MachinePlaces),
        memory: &mut NestedMemory,
    ) -> (Vec<NestedDirectory>, bool) {
        let lookup = self.context.machine().complete_lookup(|| self.directories(project));
        let is_over_budget = lookup.is_err();
        let (mut directories, is_incomplete) = lookup.unwrap_or_default();
        let is_cut = is_incomplete || directories.len() > MAX_POLICIES;
        directories.truncate(MAX_POLICIES);
        if is_cut || is_over_budget {
            memory.note_gap(self.context, places);
        }
        (directories, is_cut)
    }

    /// Judges both forms of the call by rules in memory. If the detail includes conditions, as for an explanation, the
    /// rules that the index would skip are judged too.
    fn decide_by_all(&self, rules: &RuleSet, detail: TraceDetail) -> (Evaluation, Option<Evaluation>) {
        let Ok(judged) = self.judge(|context| match detail {
            TraceDetail::Outcomes => decide(rules, context, detail),
            TraceDetail::Conditions => Ok(evaluate(rules, context, detail)),
        });
        judged
    }
}

/// Whether nested policies judge an event: only those before a call begins.
pub(super) fn judges_nested(event: Event) -> bool {
    matches!(event, Event::PreToolUse | Event::PermissionRequest | Event::PreSkillShellCommand)
}

impl NestedJudgements {
    /// Finds the nested policies that apply to a call, and judges the call by each. Other events are not judged.
    pub(super) fn judge(
        context: &Context<'_>,
        places: &MachinePlaces,
        verdict: &Verdict,
        policies: NestedPolicySource<'_>,
    ) -> Self {
        if !judges_nested(verdict.event) {
            return Self::default();
        }
        let Some(project) = places.project.as_deref() else { return Self::default() };
        let rewritten = rewritten_payload(context.payload(), verdict);
        let rewritten = rewritten.as_ref().map(|payload| context.with_payload(payload));
        let call = Call { context, rewritten: rewritten.as_ref() };
        let mut memory = NestedMemory::default();
        let (directories, is_cut) = call.judged_directories((project, places), &mut memory);
        let judged = directories.iter();
        let judged = judged.map(|directory| NestedJudgement::new(&call, places, directory, policies, &mut memory));
        Self { judged: judged.collect(), is_cut, memory }
    }

    /// Returns what the nested policies remember of the end of a call, without any votes: they judge only its
    /// beginning.
    pub(super) fn remember_end(context: &Context<'_>, places: &MachinePlaces) -> Self {
        let event = context.payload().event;
        let is_end = event.ends_call() || event == Event::PermissionDenied;
        let mut memory = NestedMemory::default();
        // A mark of such an event refers to the beginning of the call in the journal, so without a journal there is
        // nothing to remember.
        if let Some(project) = places.project.as_deref().filter(|_| is_end && remembers(context, places)) {
            let call = Call { context, rewritten: None };
            let (directories, _) = call.judged_directories((project, places), &mut memory);
            for directory in &directories {
                let _votes =
                    NestedJudgement::new(&call, places, directory, NestedPolicySource::FOR_ANSWER, &mut memory);
            }
        }
        Self { memory, ..Self::default() }
    }

    /// Adds what the nested policies remember to the lines that the event adds to the journal.
    pub(super) fn add_memory(&self, added: &mut JournalAdditions) {
        self.memory.add_to(added);
    }

    /// Returns the judgements, the outermost directory first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &NestedJudgement> {
        self.judged.iter()
    }

    /// Returns the directories of the policies that judged the call.
    pub(super) fn directories(&self) -> Vec<PathBuf> {
        self.judged.iter().map(|judged| judged.path.clone()).collect()
    }

    /// Adds the votes of the nested policies to the verdict of the session's policy.
    pub(super) fn restrict(&self, verdict: Verdict) -> Verdict {
        let mut added = Additions::default();
        for judged in &self.judged {
            judged.add_votes(&verdict, &mut added);
        }
        if self.is_cut {
            let message = "This call works in so many directories that not all policies in them have judged it.";
            added.vote(Decision::Ask, message);
        }
        if let Some(fuse) = Fuse::for_process().filter(|_| !added.votes.is_empty()) {
            fuse.add_votes(&added.votes);
        }
        verdict.restricted_by(added)
    }

    /// Adds votes or warnings for the policies that do not load.
    pub(super) fn report_broken(&self, failures: &mut FailurePolicy<'_>) {
        for judged in &self.judged {
            if let Some(policy) = judged.policy() {
                failures.vote_for_broken_layers(policy, Some(&judged.directory));
            }
        }
    }

    /// Writes those policies to the cache that are not in it yet.
    pub(super) fn keep(&mut self) {
        for judged in &mut self.judged {
            Arc::get_mut(&mut judged.policy).into_iter().for_each(ReadyPolicy::keep);
        }
    }
}

impl NestedJudgement {
    fn new(
        call: &Call<'_>,
        places: &MachinePlaces,
        directory: &NestedDirectory,
        policies: NestedPolicySource<'_>,
        memory: &mut NestedMemory,
    ) -> Self {
        let note = |policy: &ReadyPolicy| memory.note_policy(call.context, places, directory, policy);
        let (policy, (evaluation, after_rewrites)) = decide_by_policy_of(directory, call, places, policies, note);
        std::iter::once(&evaluation).chain(&after_rewrites).for_each(|judged| memory.add_marks(judged));
        let shown = call.context.machine().display_path(&directory.path.to_string_lossy());
        let (path, directory) = (directory.path.clone(), line(&shown, MAX_NAME_CHARS));
        Self { path, directory, policy, evaluation, after_rewrites }
    }

    /// Returns the policy with its layers; `None` for one from the cache, none of whose layers is broken.
    #[must_use]
    pub fn policy(&self) -> Option<&Policy> {
        match &*self.policy {
            ReadyPolicy::Cached(_) => None,
            ReadyPolicy::Compiled(compiled) => Some(&compiled.policy),
        }
    }

    /// Adds the votes of this policy to `added`, except those that the session's policy has cast with the same text,
    /// and those that are already in `added`.
    fn add_votes(&self, verdict: &Verdict, added: &mut Additions) {
        for judged in std::iter::once(&self.evaluation).chain(&self.after_rewrites) {
            for vote in &judged.verdict.votes {
                let named = Vote { author: self.name_with_directory(&vote.author), ..vote.clone() };
                if !verdict.votes.contains(vote) && !added.votes.contains(&named) {
                    added.votes.push(named);
                }
            }
        }
    }

    /// Appends the directory to the author of a vote, if it is a rule: `no-force-push (api)`.
    fn name_with_directory(&self, author: &Author) -> Author {
        match author {
            Author::Rule(name) => Author::Rule(format!("{name} ({})", self.directory)),
            Author::Settings | Author::Program => author.clone(),
        }
    }
}

/// Loads the policy of a directory, passes it to `see`, and then judges the call by it. If the cached policy is
/// damaged, it is compiled again from its sources.
fn decide_by_policy_of(
    directory: &NestedDirectory,
    call: &Call<'_>,
    places: &MachinePlaces,
    NestedPolicySource { load, detail }: NestedPolicySource<'_>,
    see: impl FnOnce(&ReadyPolicy),
) -> (Arc<ReadyPolicy>, (Evaluation, Option<Evaluation>)) {
    let policy = load(places, directory);
    see(&policy);
    let judged = match &*policy {
        ReadyPolicy::Compiled(compiled) => Ok(call.decide_by_all(&compiled.policy.rules, detail)),
        ReadyPolicy::Cached(kept) => call.judge(|context| decide(&kept.rules, context, detail)),
    };
    match judged {
        Ok(judged) => (policy, judged),
        Err(DamagedImage) => {
            let compiled = cache::nested_policy_from_sources(places, directory);
            let judged = call.decide_by_all(&compiled.policy.rules, detail);
            (Arc::new(ReadyPolicy::Compiled(Box::new(compiled))), judged)
        }
    }
}

/// Returns the payload with the tool's input as the session's policy rewrites it; `None` if that does not rewrite it.
fn rewritten_payload(payload: &Payload, verdict: &Verdict) -> Option<Payload> {
    let input = verdict.updated_input.as_ref()?;
    let mut rewritten = payload.clone();
    rewritten.json.insert("tool_input".to_owned(), input.clone());
    Some(rewritten)
}
