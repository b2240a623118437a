//! Cached analyses of shell texts, for processes that judge many calls: sessions often run the same commands again.
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
const TEXT: usize = 1_024;
/// The most steps of an analysis that is cached, which limits its memory.
const STEPS: usize = 8_192;

/// The most analyses in the cache. When it is full, all are dropped.
const MOST: usize = 1_024;

/// The number of slots for the hashes of texts. The analysis of a text is cached when the text is seen for the second
/// time.
const MET: usize = 4_096;

/// A cache of analyses of shell texts, for one thread.
#[derive(Debug, Default)]
pub struct Analyses {
    /// The analyses, by the hash of their text, so that each text is hashed only once.
    known: RefCell<BTreeMap<u64, Vec<KnownAnalysis>>>,
    /// The number of analyses.
    count: Cell<usize>,
    hasher: RandomState,
    /// The hashes of texts that were seen before, each in the slot that the hash determines.
    met: RefCell<Vec<u64>>,
}

/// The analysis of a text that starts in one directory.
#[derive(Debug)]
struct KnownAnalysis {
    text: String,
    shell: ToolShell,
    cwd: PathBuf,
    home: Option<PathBuf>,
    analysis: Rc<Analysis>,
}

impl KnownAnalysis {
    /// Whether this is the analysis of a text with this language and these directories.
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
        if text.len() > TEXT {
            return Rc::new(analyse());
        }
        let of_text = |known: &Vec<KnownAnalysis>| {
            known.iter().find(|known| known.is_of(text, shell, start)).map(|known| Rc::clone(&known.analysis))
        };
        let hash = self.hasher.hash_one(text);
        if let Some(analysis) = self.known.borrow().get(&hash).and_then(of_text) {
            return analysis;
        }
        let analysis = Rc::new(analyse());
        if self.record_text(hash) && analysis.steps <= STEPS {
            let (cwd, home) = (start.cwd.to_owned(), start.home.map(ToOwned::to_owned));
            self.keep(hash, KnownAnalysis { text: text.to_owned(), shell, cwd, home, analysis: Rc::clone(&analysis) });
        }
        analysis
    }

    /// Whether a text with this hash was seen before; also records the text as seen. Most texts occur only once, and
    /// caching them would use memory that stays in the processor's caches if it is reused.
    fn record_text(&self, hash: u64) -> bool {
        let mut met = self.met.borrow_mut();
        if met.is_empty() {
            met.resize(MET, 0);
        }
        let place = usize::try_from(hash % MET as u64).unwrap_or_default();
        met.get_mut(place).is_some_and(|known| std::mem::replace(known, hash) == hash)
    }

    /// Adds an analysis to the cache, and empties the cache before if it is full.
    fn keep(&self, hash: u64, new: KnownAnalysis) {
        let mut known = self.known.borrow_mut();
        if self.count.get() >= MOST {
            known.clear();
            self.count.set(0);
        }
        known.entry(hash).or_default().push(new);
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
        for number in 0..3 * MOST {
            for _ in 0..2 {
                analysed(&analyses, &format!("rm {number}"), ToolShell::Bash, "/");
            }
            analysed(&analyses, "rm a", ToolShell::Bash, &format!("/{number}"));
            assert!(analyses.known.borrow().values().map(Vec::len).sum::<usize>() <= MOST);
        }
        for text in ["x".repeat(TEXT + 1), "for a in 1 2 3 4 5 6 7 8 9; do : ${a//?/b}; done; ".repeat(20)] {
            for _ in 0..2 {
                let (analysis, is_new) = analysed(&analyses, &text, ToolShell::Bash, "/");
                assert!(is_new && (text.len() > TEXT || analysis.steps > STEPS), "{} steps", analysis.steps);
            }
        }
    }
}
