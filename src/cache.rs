//! Caches compiled policies on disk, so that a hook can judge without reading the sources.
//!
//! The cache is an optimisation: no result depends on it. A cached policy is ignored silently if it is damaged, not
//! private to the account, or made from other sources or by another binary; the policy is then compiled from its
//! sources. This module knows where a policy comes from and whether it is current, but not what its rules mean.
#![expect(clippy::disallowed_methods, reason = "this is the module that keeps compiled policies in files")]

mod blocks;
mod directory;
mod header;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::config::{EffectiveSettings, LayerKind};
use crate::fingerprint::Fingerprint;
use crate::history::MarkId;
use crate::image::DamagedImage;
use crate::packs;
use crate::place::state_problem;
use crate::platform::process::own_metadata;
use crate::policy::Policy;
use crate::project::{
    self, Discovery, FileStamp, InputCheck, LoadInput, MachinePlaces, NestedDirectory, TrustRequirement,
};
use crate::ruleset::StoredRules;
use crate::trust;
use crate::wire::{from_bytes, to_bytes};

pub use blocks::Blocks;
use blocks::{MAX_IMAGE, digest};
use directory::{CacheDirectory, NewCacheFile};
use header::{CacheKey, Header};

/// The rules of a cached policy, which are read from its file on demand.
pub type CachedRules = StoredRules<Blocks>;

/// Whether a cached policy may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheMode {
    /// The cached policy is used if it is current.
    Cached,
    /// The policy is compiled from its sources. A cached policy with different contents is reported and replaced.
    Recompiled,
}

/// A policy that is ready for judging.
#[derive(Debug)]
pub enum ReadyPolicy {
    /// A policy from the cache. All of its layers loaded without errors.
    Cached(Box<CachedPolicy>),
    /// A policy that was compiled from its sources.
    Compiled(Box<CompiledPolicy>),
}

/// A policy from the cache.
#[derive(Debug)]
pub struct CachedPolicy {
    /// The rules of all layers, read on demand.
    pub rules: CachedRules,
    /// The merged settings of the layers.
    pub settings: EffectiveSettings,
    /// The cache file that should replace this one, because the times of more sources have become reliable; `None` if
    /// nothing would change.
    unsaved: Option<UnsavedCacheFile>,
    /// The files and directories that were read for the policy.
    inputs: Vec<LoadInput>,
    /// The identity of the policy in the log.
    mark: String,
    /// The ids of the marks that the policy defines.
    remembered: Vec<MarkId>,
}

/// How many times the sources are compiled at most, if they keep changing meanwhile.
const MAX_COMPILATIONS: u32 = 3;

/// A policy that was compiled from its sources.
#[derive(Debug)]
pub struct CompiledPolicy {
    /// The compiled policy, with its sources and findings.
    pub policy: Policy,
    /// The identity of the policy in the log.
    mark: String,
    /// Whether the cached policy was current but different from the compiled one, which means that another program
    /// wrote it.
    pub was_forged: bool,
    /// The cache file to write; `None` if the policy must not be cached.
    unsaved: Option<UnsavedCacheFile>,
}

/// A cache file that was created but not written yet, with what it will contain besides the policy.
#[derive(Debug)]
struct UnsavedCacheFile {
    new: NewCacheFile,
    key: CacheKey,
    inputs: Vec<LoadInput>,
}

/// Returns why a directory is not used as a cache: it exists, but other accounts have access. `None` if there is no
/// problem.
#[must_use]
pub fn problem(directory: &Path) -> Option<String> {
    let exists = std::fs::symlink_metadata(directory).is_ok();
    let usable = CacheDirectory::open(directory).is_some();
    (exists && !usable).then(|| "it is a link, or others than this account can write there".to_owned())
}

/// Returns the policy of a machine and project, from the cache or compiled from its sources.
#[must_use]
pub fn policy(places: &MachinePlaces, wanted: CacheMode) -> ReadyPolicy {
    ready_policy(&project::discover(places), places, wanted)
}

/// Returns the policy of a directory in which a call works and the session is not. It only denies and asks.
#[must_use]
pub fn nested_policy(places: &MachinePlaces, directory: &NestedDirectory) -> ReadyPolicy {
    ready_policy(&project::discover_nested(places, directory), places, CacheMode::Cached)
}

/// Compiles the policy that [`nested_policy`] returns, and does not touch the cache.
#[must_use]
pub fn uncached_nested_policy(places: &MachinePlaces, directory: &NestedDirectory) -> CompiledPolicy {
    CompiledPolicy::new(&project::discover_nested(places, directory), places, None)
}

/// Compiles the policy that [`nested_policy`] returns, even if it is cached. It may replace the cached one.
#[must_use]
pub fn nested_policy_from_sources(places: &MachinePlaces, directory: &NestedDirectory) -> CompiledPolicy {
    CompiledPolicy::of_discovery(&project::discover_nested(places, directory), places)
}

/// Returns the policy that was discovered, from the cache or compiled from its sources.
fn ready_policy(discovery: &Discovery, places: &MachinePlaces, mode: CacheMode) -> ReadyPolicy {
    let Some(cache_file) = CacheFile::locate(places, discovery) else {
        return ReadyPolicy::compile(discovery, places, None);
    };
    match (mode, cache_file.read()) {
        (CacheMode::Cached, Some(cached)) => ReadyPolicy::Cached(Box::new(cached)),
        (CacheMode::Cached, None) => {
            // Without any file of a policy, each hook would create a cache file in vain and remove it.
            let new_file = discovery.may_have_policy().then(|| cache_file.create()).flatten();
            ReadyPolicy::compile(discovery, places, new_file)
        }
        (CacheMode::Recompiled, cached) => {
            let mut compiled = CompiledPolicy::new(discovery, places, cache_file.create());
            if let Some(cached) = cached {
                match cached.equals(&compiled.policy) {
                    Ok(true) => compiled.unsaved = cached.unsaved,
                    // A source that changed meanwhile is not a forgery. If other accounts have access to the state
                    // directory, the user's trust is ignored, which also changes the policy; that is reported
                    // separately.
                    Ok(false) => {
                        let reads_state = places.state.as_deref().and_then(state_problem).is_none();
                        compiled.was_forged = reads_state && cached.is_current();
                    }
                    Err(DamagedImage) => {}
                }
            }
            ReadyPolicy::Compiled(Box::new(compiled))
        }
    }
}

impl ReadyPolicy {
    /// Compiles the policy from its sources.
    fn compile(discovery: &Discovery, places: &MachinePlaces, new: Option<(NewCacheFile, CacheKey)>) -> Self {
        Self::Compiled(Box::new(CompiledPolicy::new(discovery, places, new)))
    }

    /// Returns the merged settings of the layers.
    #[must_use]
    pub fn settings(&self) -> &EffectiveSettings {
        match self {
            Self::Cached(kept) => &kept.settings,
            Self::Compiled(compiled) => &compiled.policy.settings,
        }
    }

    /// Returns the policy's identity in the log: equal for equal texts.
    #[must_use]
    pub fn identity(&self) -> &str {
        match self {
            Self::Cached(kept) => &kept.mark,
            Self::Compiled(compiled) => &compiled.mark,
        }
    }

    /// Returns the ids of the marks that the policy defines.
    #[must_use]
    pub fn marks(&self) -> BTreeSet<MarkId> {
        match self {
            Self::Cached(kept) => kept.marks(),
            Self::Compiled(compiled) => compiled.policy.rules.marks(),
        }
    }

    /// Returns the files from which the policy was compiled.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Cached(kept) => kept.sources().map(Path::to_path_buf).collect(),
            Self::Compiled(compiled) => compiled.policy.files(),
        }
    }

    /// Writes the policy to the cache, unless it is there already. A failure is ignored, because nothing depends on
    /// the cache.
    pub fn keep(&mut self) {
        let _not_kept = match self {
            Self::Cached(kept) => kept.unsaved.take().and_then(|unsaved| {
                let image = kept.rules.image().bytes().read_whole().ok()?;
                unsaved.save(&image, (&kept.settings, &kept.mark), kept.remembered.clone())
            }),
            Self::Compiled(compiled) => compiled.unsaved.take().and_then(|unsaved| {
                let (rules, remembered) = (&compiled.policy.rules, compiled.policy.rules.marks());
                let head = (&compiled.policy.settings, compiled.mark.as_str());
                unsaved.save(&rules.image(), head, remembered.into_iter().collect())
            }),
        };
    }
}

impl CachedPolicy {
    /// Returns the ids of the marks that the policy defines.
    #[must_use]
    pub fn marks(&self) -> BTreeSet<MarkId> {
        self.remembered.iter().copied().collect()
    }
}

impl CompiledPolicy {
    /// Returns the policy's identity in the log: equal for equal texts.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.mark
    }

    /// Compiles the policy of a machine and project from its sources, even if it is cached. [`ReadyPolicy::keep`]
    /// then replaces the cached one.
    #[must_use]
    pub fn from_sources(places: &MachinePlaces) -> Self {
        Self::of_discovery(&project::discover(places), places)
    }

    fn of_discovery(discovery: &Discovery, places: &MachinePlaces) -> Self {
        let new_file = CacheFile::locate(places, discovery).and_then(|place| place.create());
        Self::new(discovery, places, new_file)
    }

    /// Compiles the policy. `new` is the cache file to write, if the policy may be cached.
    fn new(discovery: &Discovery, places: &MachinePlaces, new: Option<(NewCacheFile, CacheKey)>) -> Self {
        let (policy, seen) = Self::compile_stable(discovery, places);
        // A policy that does not load completely is not cached: its errors are reported each time, which needs the
        // sources. A policy without rules is not cached either, since that would save nothing. But one whose rules
        // are left out because it is not trusted is cached.
        let new = new.filter(|_| policy.broken_layers().next().is_none() && !policy.is_without_guard());
        let unsaved = new.map(|(new, key)| UnsavedCacheFile { new, key, inputs: seen });
        let mark = policy_identity(&policy);
        Self { policy, mark, was_forged: false, unsaved }
    }

    /// Compiles the sources, and repeats that if one of them changed meanwhile: a source that is only half written is
    /// another policy.
    fn compile_stable(discovery: &Discovery, places: &MachinePlaces) -> (Policy, Vec<LoadInput>) {
        let mut attempts_left = MAX_COMPILATIONS;
        loop {
            let (policy, seen) = trust::load_to_judge(discovery, places);
            attempts_left -= 1;
            if attempts_left == 0 || seen.iter().all(LoadInput::is_unchanged) {
                return (policy, seen);
            }
        }
    }
}

impl UnsavedCacheFile {
    /// Writes the file; `None` if it is too large, or cannot be written.
    fn save(self, image: &[u8], (settings, mark): (&EffectiveSettings, &str), remembered: Vec<MarkId>) -> Option<()> {
        if u64::try_from(image.len()).ok()? > MAX_IMAGE {
            return None;
        }
        let creation_time = self.new.creation_time();
        let seen = self.inputs.into_iter().map(|seen| seen.drop_redundant_contents(creation_time)).collect();
        let header = Header { key: self.key, settings: settings.clone(), seen, mark: mark.to_owned(), remembered };
        self.new.finish(|out| blocks::write(out, &to_bytes(&header), image)).ok()
    }
}

/// The cache file for the policy of a machine and project, and the key that it must contain.
struct CacheFile<'p> {
    directory: &'p Path,
    name: String,
    key: CacheKey,
}

impl<'p> CacheFile<'p> {
    /// Returns the cache file for the policy of a machine and project; `None` if the policy must not be cached.
    ///
    /// A policy with a managed layer is never cached. Whoever can write to the cache, such as the agent with the
    /// user's account, could otherwise remove the administrator's rules. The rules of the other layers can be changed
    /// by the same account in their sources anyway.
    fn locate(places: &'p MachinePlaces, discovery: &Discovery) -> Option<Self> {
        let directory = places.cache.as_deref()?;
        if !discovery.has_directory_of_account() || discovery.has_possible_files(LayerKind::Managed) {
            return None;
        }
        let trust_store = places.state.clone().filter(|_| places.trust != TrustRequirement::NotRequired);
        let (binary, discovered) = (binary_stamp()?, discovery.identity()?);
        let key = CacheKey { binary, discovered, trust: places.trust, trust_store };
        let bytes = to_bytes(&key);
        Some(Self { directory, name: format!("{:016x}{:016x}", digest(1, &bytes), digest(2, &bytes)), key })
    }

    /// Creates a new file to replace the cache file; `None` if that fails.
    fn create(&self) -> Option<(NewCacheFile, CacheKey)> {
        Some((CacheDirectory::make(self.directory)?.create_file(&self.name)?, self.key.clone()))
    }

    /// Returns the cached policy; `None` if there is no current one.
    fn read(&self) -> Option<CachedPolicy> {
        let (file, device) = CacheDirectory::open(self.directory)?.file(&self.name)?;
        let (header, image) = open(file).ok()?;
        if header.key != self.key {
            return None;
        }
        // If the times of an input have become reliable since the file was written, it is worthwhile to write it
        // again.
        let replacement_if_reliable = |seen: &[LoadInput]| {
            let earliest = seen.iter().filter_map(|seen| seen.reliable_from(device)).min();
            earliest.filter(|earliest| *earliest <= unix_seconds()).and_then(|_| self.create())
        };
        // The new file is created before the inputs are checked, so that its time is earlier than everything that is
        // read from here on.
        let mut replacement = replacement_if_reliable(&header.seen);
        let mut seen = check_inputs(&header.seen)?;
        // A directory that changed very recently is not a reason to write the file again, since more changes may
        // follow.
        let has_new_times = matches!(seen, Cow::Owned(_));
        if replacement.is_none() && has_new_times {
            replacement = replacement_if_reliable(&seen);
            if replacement.is_some() {
                seen = check_inputs(&header.seen)?;
            }
        }
        let unsaved = replacement.and_then(|(new, key)| {
            let inputs: Vec<LoadInput> =
                seen.iter().cloned().map(|seen| seen.drop_redundant_contents(new.creation_time())).collect();
            (inputs != header.seen).then_some(UnsavedCacheFile { new, key, inputs })
        });
        let rules = StoredRules::open(image).ok()?;
        let Header { settings, seen: inputs, mark, remembered, .. } = header;
        Some(CachedPolicy { rules, settings, unsaved, inputs, mark, remembered })
    }
}

impl CachedPolicy {
    /// Whether the cached policy equals a policy that was just compiled.
    ///
    /// # Errors
    /// Fails if the cached policy is damaged, and so is not a deliberate forgery.
    fn equals(&self, policy: &Policy) -> Result<bool, DamagedImage> {
        let image = self.rules.image().bytes().read_whole()?;
        Ok(self.settings == policy.settings && image == policy.rules.image())
    }

    /// Returns the files from which the policy was compiled.
    pub fn sources(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().filter_map(LoadInput::file)
    }

    /// Whether all inputs are unchanged since the policy was compiled.
    fn is_current(&self) -> bool {
        self.inputs.iter().all(LoadInput::is_unchanged)
    }
}

/// Checks all inputs of a policy again, and returns their current states; `None` if the content of one may have
/// changed.
fn check_inputs(seen: &[LoadInput]) -> Option<Cow<'_, [LoadInput]>> {
    let mut current = Cow::Borrowed(seen);
    for (at, result) in seen.iter().map(LoadInput::check).enumerate() {
        match result {
            InputCheck::Unchanged => {}
            InputCheck::NewTimes(now) => {
                if let Some(slot) = current.to_mut().get_mut(at) {
                    *slot = now;
                }
            }
            InputCheck::MayDiffer => return None,
        }
    }
    Some(current)
}

/// Opens a cache file, and returns its header and its image.
fn open(file: File) -> Result<(Header, Blocks), DamagedImage> {
    let file = blocks::BlockFile::new(file)?;
    let (header, image) = blocks::sections(&file)?;
    let bytes = header.read_whole(&file)?;
    Ok((from_bytes(&bytes)?, Blocks::new(file, image)))
}

/// The number of hexadecimal digits of a policy's identity.
const IDENTITY_DIGITS: usize = 16;

/// Returns the identity of a policy: a fingerprint of its source texts. The text of a pack is represented by the
/// pack's own fingerprint.
#[must_use]
pub fn policy_identity(policy: &Policy) -> String {
    let texts = policy.sources.iter().map(|source| source.text.as_str());
    let pieces = texts.map(|text| packs::fingerprint(text).map_or(text.as_bytes(), |known| known.as_slice()));
    let mut identity = Fingerprint::digest_pieces(pieces).hex();
    identity.truncate(IDENTITY_DIGITS);
    identity
}

/// Returns the stamp of this binary's file, which identifies the binary.
fn binary_stamp() -> Option<FileStamp> {
    Some(FileStamp::from_metadata(&own_metadata().ok()?))
}

/// Returns the time in seconds since 1970. It only serves to decide whether something is worth checking again.
fn unix_seconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
pub(crate) mod tests;
