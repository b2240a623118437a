//! A cache of analyses of shell texts, for processes that judge many calls: sessions often run the same commands
//! again.
//!
//! An analysis depends only on the text, its language and the directories at its start, so the cache changes no
//! verdict. The size of the cache is limited.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::rc::Rc;

use crate::schema::ToolShell;
use hookrules_shell::{Analysis, StartDirectories};

/// The longest text, in bytes, whose analysis is cached.
const MAX_TEXT_BYTES: usize = 1_024;
/// The most steps of an analysis that is cached, which limits its memory.
const MAX_STEPS: usize = 8_192;

/// The most analyses in the cache. When it is full, it is emptied.
const MAX_ANALYSES: usize = 1_024;

/// The number of slots for the hashes of texts that were seen once. An analysis is cached only when its text is seen
/// for the second time.
const SEEN_SLOTS: usize = 4_096;

/// A cache of analyses of shell texts, for one thread.
#[derive(Debug, Default)]
pub struct Analyses {
    /// The cached analyses, by the hash of their text, so that each text is hashed only once.
    cached: RefCell<BTreeMap<u64, Vec<CachedAnalysis>>>,
    /// The number of cached analyses.
    count: Cell<usize>,
    hasher: RandomState,
    /// The hashes of texts that were seen before. The hash determines the slot, and a new hash replaces the one in
    /// its slot.
    seen: RefCell<Vec<u64>>,
}

/// A cached analysis, with the text, language and directories that it depends on.
#[derive(Debug)]
struct CachedAnalysis {
    text: String,
    shell: ToolShell,
    cwd: PathBuf,
    home: Option<PathBuf>,
    analysis: Rc<Analysis>,
}

impl CachedAnalysis {
    /// Whether this is the analysis of this text, in this language and with these directories.
    fn is_of(&self, text: &str, shell: ToolShell, start: &StartDirectories<'_>) -> bool {
        self.text == text && self.shell == shell && self.cwd == start.cwd && self.home.as_deref() == start.home
    }
}

impl Analyses {
    /// Returns the analysis of a text: the cached one, or the result of `analyse`.
    pub(super) fn analysis(
        &self,
        text: &str,
        shell: ToolShell,
        start: &StartDirectories<'_>,
        analyse: impl FnOnce() -> Analysis,
    ) -> Rc<Analysis> {
        if text.len() > MAX_TEXT_BYTES {
            return Rc::new(analyse());
        }
        let of_text = |cached: &Vec<CachedAnalysis>| {
            cached.iter().find(|cached| cached.is_of(text, shell, start)).map(|cached| Rc::clone(&cached.analysis))
        };
        let hash = self.hasher.hash_one(text);
        if let Some(analysis) = self.cached.borrow().get(&hash).and_then(of_text) {
            return analysis;
        }
        let analysis = Rc::new(analyse());
        if self.record_text(hash) && analysis.steps <= MAX_STEPS {
            let (cwd, home) = (start.cwd.to_owned(), start.home.map(ToOwned::to_owned));
            self.keep(hash, CachedAnalysis { text: text.to_owned(), shell, cwd, home, analysis: Rc::clone(&analysis) });
        }
        analysis
    }

    /// Records that a text with this hash was seen, and returns whether it had been seen before. Most texts occur
    /// only once; to cache these, too, would only displace useful memory from the processor's caches.
    fn record_text(&self, hash: u64) -> bool {
        let mut seen = self.seen.borrow_mut();
        if seen.is_empty() {
            seen.resize(SEEN_SLOTS, 0);
        }
        let slot = usize::try_from(hash % SEEN_SLOTS as u64).unwrap_or_default();
        seen.get_mut(slot).is_some_and(|last| std::mem::replace(last, hash) == hash)
    }

    /// Adds an analysis to the cache. A full cache is emptied first.
    fn keep(&self, hash: u64, analysis: CachedAnalysis) {
        let mut cached = self.cached.borrow_mut();
        if self.count.get() >= MAX_ANALYSES {
            cached.clear();
            self.count.set(0);
        }
        cached.entry(hash).or_default().push(analysis);
        self.count.set(self.count.get() + 1);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn start(cwd: &str) -> StartDirectories<'_> {
        StartDirectories { cwd: Path::new(cwd), home: None }
    }

    fn analysed(analyses: &Analyses, text: &str, shell: ToolShell, cwd: &str) -> (Rc<Analysis>, bool) {
        let mut is_new = false;
        let analysis = analyses.analysis(text, shell, &start(cwd), || {
            is_new = true;
            hookrules_shell::analyse(text, &start(cwd))
        });
        (analysis, is_new)
    }

    #[test]
    fn a_text_that_comes_again_is_kept_for_where_it_begins() {
        let analyses = Analyses::default();
        let cases = [
            ("rm a", ToolShell::Bash, "/one", true),
            ("rm a", ToolShell::Bash, "/one", true),
            ("rm a", ToolShell::Bash, "/one", false),
            ("rm a", ToolShell::Bash, "/two", true),
            ("rm a", ToolShell::PowerShell, "/one", true),
            ("rm b", ToolShell::Bash, "/one", true),
            ("rm a", ToolShell::Bash, "/two", false),
            ("rm a", ToolShell::Bash, "/one", false),
        ];
        for (text, shell, cwd, expected) in cases {
            let (analysis, is_new) = analysed(&analyses, text, shell, cwd);
            assert_eq!(is_new, expected, "{text} {shell:?} {cwd}");
            assert_eq!(*analysis, hookrules_shell::analyse(text, &start(cwd)));
        }
        let home = StartDirectories { cwd: Path::new("/one"), home: Some(Path::new("/home/me")) };
        let mut is_new = false;
        let analysis = analyses.analysis("rm a", ToolShell::Bash, &home, || {
            is_new = true;
            Analysis::default()
        });
        assert!(is_new && *analysis == Analysis::default());
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let analyses = Analyses::default();
        for number in 0..3 * MAX_ANALYSES {
            for _ in 0..2 {
                analysed(&analyses, &format!("rm {number}"), ToolShell::Bash, "/");
            }
            analysed(&analyses, "rm a", ToolShell::Bash, &format!("/{number}"));
            assert!(analyses.cached.borrow().values().map(Vec::len).sum::<usize>() <= MAX_ANALYSES);
        }
        for text in ["x".repeat(MAX_TEXT_BYTES + 1), "for a in 1 2 3 4 5 6 7 8 9; do : ${a//?/b}; done; ".repeat(20)] {
            for _ in 0..2 {
                let (analysis, is_new) = analysed(&analyses, &text, ToolShell::Bash, "/");
                assert!(
                    is_new && (text.len() > MAX_TEXT_BYTES || analysis.steps > MAX_STEPS),
                    "{} steps",
                    analysis.steps
                );
            }
        }
    }
}
