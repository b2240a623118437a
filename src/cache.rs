//! Compiled policies on disk, so that a hook judges without reading any source.
//!
//! The cache is an optimisation that can vanish. A cache that is missing, not private to the account, damaged, or made
//! from other sources or by another binary is ignored silently, and the policy is compiled from its sources. This
//! module knows the origin of a policy and its freshness, but not the meaning of its rules.
#![expect(clippy::disallowed_methods, reason = "this is the module that keeps compiled policies in files")]

mod blocks;
mod directory;
mod header;

use std::borrow::Cow;
use std::fs::File;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::config::{Effective, LayerKind};
use crate::fingerprint::Fingerprint;
use crate::image::Damaged;
use crate::packs;
use crate::place::state_problem;
use crate::policy::Policy;
use crate::project::{self, Discovery, Look, Places, Seen, Stamp, Trust};
use crate::ruleset::Stored;
use crate::trust;
use crate::wire::{from_bytes, to_bytes};

pub use blocks::Blocks;
use blocks::{MAX_IMAGE, digest};
use directory::{Directory, New};
use header::{Header, Key};

/// The rules of a cached policy.
pub type KeptRules = Stored<Blocks>;

/// How to obtain a policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// From the cache, if it is valid.
    Fast,
    /// From its sources; a cache with different contents is reported and replaced.
    Verified,
}

/// A policy that is ready for judging.
#[derive(Debug)]
pub enum Ready {
    /// From the cache; every layer of it loads.
    Kept(Box<Kept>),
    /// Compiled from its sources.
    Compiled(Box<Compiled>),
}

/// A cached policy.
#[derive(Debug)]
pub struct Kept {
    /// Its rules.
    pub rules: KeptRules,
    /// The merged settings of its layers.
    pub settings: Effective,
    /// The cache file to rewrite, because more times of files have become reliable.
    unsaved: Option<Unsaved>,
    seen: Vec<Seen>,
    mark: String,
}

/// The maximum number of attempts to compile sources that change meanwhile.
const LOOKS: u32 = 3;

/// A policy that was compiled from its sources.
#[derive(Debug)]
pub struct Compiled {
    /// The policy.
    pub policy: Policy,
    /// Its identity in the log.
    mark: String,
    /// The cached policy is fresh but differs from the compiled one: something else wrote it.
    pub was_forged: bool,
    unsaved: Option<Unsaved>,
}

/// A cache file that is begun and not yet written.
#[derive(Debug)]
struct Unsaved {
    new: New,
    key: Key,
    seen: Vec<Seen>,
}

/// Returns the reason why nothing is cached in a directory, if it exists and others have access to it.
#[must_use]
pub fn problem(directory: &Path) -> Option<String> {
    let is_there = std::fs::symlink_metadata(directory).is_ok();
    let usable = Directory::open(directory).is_some();
    (is_there && !usable).then(|| "it is a link, or others than this account can write there".to_owned())
}

/// Returns the policy for some places.
#[must_use]
pub fn policy(places: &Places, wanted: Wanted) -> Ready {
    let discovery = project::discover(places);
    let Some(place) = CacheFile::of(places, &discovery) else { return Ready::compiled(&discovery, places, None) };
    match (wanted, place.read()) {
        (Wanted::Fast, Some(kept)) => Ready::Kept(Box::new(kept)),
        (Wanted::Fast, None) => Ready::compiled(&discovery, places, place.begin()),
        (Wanted::Verified, kept) => {
            let mut compiled = Compiled::new(&discovery, places, place.begin());
            if let Some(kept) = kept {
                match kept.is_of(&compiled.policy) {
                    Ok(true) => compiled.unsaved = kept.unsaved,
                    // A source that changes meanwhile is not a forgery. Neither is trust that is ignored because others
                    // have access to the state directory, which is reported separately.
                    Ok(false) => {
                        let reads_state = places.state.as_deref().and_then(state_problem).is_none();
                        compiled.was_forged = reads_state && kept.still_holds();
                    }
                    Err(Damaged) => {}
                }
            }
            Ready::Compiled(Box::new(compiled))
        }
    }
}

impl Ready {
    fn compiled(discovery: &Discovery, places: &Places, new: Option<(New, Key)>) -> Self {
        Self::Compiled(Box::new(Compiled::new(discovery, places, new)))
    }

    /// Returns the merged settings of the layers.
    #[must_use]
    pub fn settings(&self) -> &Effective {
        match self {
            Self::Kept(kept) => &kept.settings,
            Self::Compiled(compiled) => &compiled.policy.settings,
        }
    }

    /// Returns the policy's identity in the log: equal for equal texts.
    #[must_use]
    pub fn mark(&self) -> &str {
        match self {
            Self::Kept(kept) => &kept.mark,
            Self::Compiled(compiled) => &compiled.mark,
        }
    }

    /// Stores the policy in the cache. If that fails, it is not cached; nothing else depends on it.
    pub fn keep(&mut self) {
        let _not_kept = match self {
            Self::Kept(kept) => kept.unsaved.take().and_then(|unsaved| {
                let image = kept.rules.image().bytes().read_whole().ok()?;
                unsaved.save(&image, &kept.settings, &kept.mark)
            }),
            Self::Compiled(compiled) => compiled.unsaved.take().and_then(|unsaved| {
                unsaved.save(&compiled.policy.rules.image(), &compiled.policy.settings, &compiled.mark)
            }),
        };
    }
}

impl Compiled {
    /// Returns the policy's identity in the log: equal for equal texts.
    #[must_use]
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// Compiles the policy for some places from its sources, ignoring the cached one, which is to be replaced.
    #[must_use]
    pub fn from_sources(places: &Places) -> Self {
        let discovery = project::discover(places);
        let new = CacheFile::of(places, &discovery).and_then(|place| place.begin());
        Self::new(&discovery, places, new)
    }

    fn new(discovery: &Discovery, places: &Places, new: Option<(New, Key)>) -> Self {
        let (policy, seen) = Self::unchanged(discovery, places);
        // A policy that does not load completely is reported each time, for which the sources are needed; and caching a
        // policy without rules gains nothing, unless they are left out because they are not trusted.
        let new = new.filter(|_| policy.broken().next().is_none() && !policy.guards_nothing());
        let unsaved = new.map(|(new, key)| Unsaved { new, key, seen });
        let mark = mark(&policy);
        Self { policy, mark, was_forged: false, unsaved }
    }

    /// Compiles the sources, again if one changed meanwhile: a file that is half written is another policy.
    fn unchanged(discovery: &Discovery, places: &Places) -> (Policy, Vec<Seen>) {
        let mut looks = LOOKS;
        loop {
            let (policy, seen) = trust::load_to_judge(discovery, places);
            looks -= 1;
            if looks == 0 || seen.iter().all(Seen::still_holds) {
                return (policy, seen);
            }
        }
    }
}

impl Unsaved {
    fn save(self, image: &[u8], settings: &Effective, mark: &str) -> Option<()> {
        if u64::try_from(image.len()).ok()? > MAX_IMAGE {
            return None;
        }
        let before = self.new.begun();
        let seen = self.seen.into_iter().map(|seen| seen.settled(before)).collect();
        let header = Header { key: self.key, settings: settings.clone(), seen, mark: mark.to_owned() };
        self.new.finish(|out| blocks::write(out, &to_bytes(&header), image)).ok()
    }
}

/// The cache file for the policy of some places.
struct CacheFile<'p> {
    directory: &'p Path,
    name: String,
    key: Key,
}

impl<'p> CacheFile<'p> {
    /// Returns `None` if no policy may be cached.
    ///
    /// With a managed layer none is: whoever can write the cache could remove the administrator's rules, and the
    /// agent's own account can. The rules of the other layers can be changed in the sources by the same account.
    fn of(places: &'p Places, discovery: &Discovery) -> Option<Self> {
        let directory = places.cache.as_deref()?;
        if discovery.is_empty() || discovery.may_hold(LayerKind::Managed) {
            return None;
        }
        let trusts = (places.trust == Trust::Required).then(|| places.state.clone());
        let key = Key { binary: binary()?, discovered: discovery.identity()?, trusts };
        let bytes = to_bytes(&key);
        Some(Self { directory, name: format!("{:016x}{:016x}", digest(1, &bytes), digest(2, &bytes)), key })
    }

    fn begin(&self) -> Option<(New, Key)> {
        Some((Directory::make(self.directory)?.begin(&self.name)?, self.key.clone()))
    }

    /// Returns the cached policy; `None` if there is no valid one.
    fn read(&self) -> Option<Kept> {
        let (file, device) = Directory::open(self.directory)?.file(&self.name)?;
        let (header, image) = open(file).ok()?;
        if header.key != self.key {
            return None;
        }
        let settles = |seen: &[Seen]| {
            let at = seen.iter().filter_map(|seen| seen.settles_at(device)).min();
            at.filter(|at| *at <= now()).and_then(|_| self.begin())
        };
        // Times that were unreliable when it was written may be reliable now. Everything from here on is read later
        // than that.
        let mut new = settles(&header.seen);
        let mut seen = looked_at(&header.seen)?;
        // It is not rewritten for a directory with a very recent change either: more may follow.
        if new.is_none() && matches!(seen, Cow::Owned(_)) {
            new = settles(&seen);
            if new.is_some() {
                seen = looked_at(&header.seen)?;
            }
        }
        let unsaved = new.and_then(|(new, key)| {
            let seen: Vec<Seen> = seen.iter().cloned().map(|seen| seen.settled(new.begun())).collect();
            (seen != header.seen).then_some(Unsaved { new, key, seen })
        });
        let rules = Stored::open(image).ok()?;
        Some(Kept { rules, settings: header.settings, unsaved, seen: header.seen, mark: header.mark })
    }
}

impl Kept {
    /// Whether it equals a policy that was just compiled.
    ///
    /// # Errors
    /// It is damaged, so it is not a deliberate forgery.
    fn is_of(&self, policy: &Policy) -> Result<bool, Damaged> {
        let image = self.rules.image().bytes().read_whole()?;
        Ok(self.settings == policy.settings && image == policy.rules.image())
    }

    /// Returns the sources from which it was compiled.
    pub fn sources(&self) -> impl Iterator<Item = &Path> {
        self.seen.iter().filter_map(Seen::file)
    }

    fn still_holds(&self) -> bool {
        self.seen.iter().all(Seen::still_holds)
    }
}

/// Looks at everything again. Returns the current state; `None` if something may have changed.
fn looked_at(seen: &[Seen]) -> Option<Cow<'_, [Seen]>> {
    let mut known = Cow::Borrowed(seen);
    for (at, look) in seen.iter().map(Seen::look).enumerate() {
        match look {
            Look::Same => {}
            Look::Touched(now) => {
                if let Some(place) = known.to_mut().get_mut(at) {
                    *place = now;
                }
            }
            Look::Other => return None,
        }
    }
    Some(known)
}

/// Opens a cache file: its header, and its image.
fn open(file: File) -> Result<(Header, Blocks), Damaged> {
    let (header, image) = blocks::sections(&file)?;
    let bytes = header.read_whole(&file)?;
    Ok((from_bytes(&bytes)?, Blocks::new(file, image)))
}

/// The number of digits of a fingerprint in a policy's identity.
const MARK: usize = 16;

/// Returns the identity of a policy: a fingerprint of its source texts, with packs by their own fingerprints.
#[must_use]
pub fn mark(policy: &Policy) -> String {
    let texts = policy.sources.iter().map(|source| source.text.as_str());
    let pieces = texts.map(|text| packs::fingerprint(text).map_or(text.as_bytes(), |made| made.as_slice()));
    let mut mark = Fingerprint::of_pieces(pieces).hex();
    mark.truncate(MARK);
    mark
}

/// Returns a stamp that distinguishes this binary from any other.
fn binary() -> Option<Stamp> {
    let metadata =
        std::fs::metadata("/proc/self/exe").or_else(|_| std::env::current_exe().and_then(std::fs::metadata)).ok()?;
    Some(Stamp::of(&metadata))
}

/// Returns the time, in seconds since 1970. It only determines when another look may be worthwhile.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
pub(crate) mod tests;
