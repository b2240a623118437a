//! Walks through directories: the files below a directory that a search visits, up to a limit.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{Machine, Reason};
use crate::facts::{DirectoryEntry, Fact, GitState};
use hookrules_shell::files::{FileFilter, FileSkipping};
use hookrules_shell::path::IgnoreList;

/// The most files that the conditions of one event may list in total.
const ENTRY_LIMIT: usize = 100_000;

/// The cost of examining one file in a walk.
const FILE: u64 = 250;

/// The cost of entering a directory, whether it is listed or cached.
const DIRECTORY: u64 = 250;

/// The longest glob of a command, in bytes, that is compiled.
const GLOB_BYTES: usize = 1_024;

/// The entries of a directory; `None` if there is no such directory.
type WalkListing = Result<Option<Rc<[DirectoryEntry]>>, Reason>;

/// The listings of directories and the ignore files that were read for one event.
#[derive(Default)]
pub(super) struct WalkCache {
    /// The entries of each directory.
    listings: RefCell<BTreeMap<PathBuf, WalkListing>>,
    /// The globs of each ignore file.
    lists: RefCell<BTreeMap<PathBuf, Rc<IgnoreList>>>,
    /// The compiled filters, since several rules need the same search, in both forms of paths.
    sieves: RefCell<Vec<(FileFilter, Rc<Sieve>)>>,
    /// The number of entries that were listed.
    entries: Cell<usize>,
    /// The git state of each directory that was asked about: a rule asks when its places are found, and again in each.
    pub(super) git: RefCell<BTreeMap<PathBuf, Fact<GitState>>>,
}

/// The most compiled filters that are cached; a call rarely has more different searches.
const SIEVES: usize = 8;

/// The compiled filter of a search, which selects the files that it visits.
#[derive(Clone, Default)]
pub struct Sieve {
    /// The globs of which a file must match one; `None` if there are none.
    only: Option<IgnoreList>,
    /// The globs that no file may match.
    except: IgnoreList,
    /// Whether hidden files are skipped.
    hidden: FileSkipping,
    /// Whether ignored files are skipped.
    ignored: FileSkipping,
}

impl Sieve {
    /// Whether an entry is skipped because it is ignored or hidden. `ignored` is the decision of the ignore files,
    /// which also decides for hidden files.
    fn excludes(&self, entry: &DirectoryEntry, ignored: Option<bool>) -> bool {
        let is_hidden = self.hidden == FileSkipping::Yes && entry.name.starts_with('.');
        ignored.unwrap_or(is_hidden)
    }
}

/// A file or directory that a walk visits.
pub struct WalkEntry<'f> {
    /// The directory of the entry, as a path that begins with the start of the walk.
    pub directory: &'f Path,
    /// The name of the entry.
    pub name: &'f str,
    /// Whether the entry is a directory.
    pub is_directory: bool,
    /// Whether the filter of the walk accepts the name. Always true for a file that `holds` gets.
    pub is_picked: bool,
}

impl WalkEntry<'_> {
    /// Returns the path of the entry, which begins with the start of the walk.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.join(self.name)
    }
}

impl Sieve {
    /// Compiles the filter of a program. A glob with a slash in the middle cannot be represented: one that selects
    /// files selects all, and one that excludes files is dropped.
    fn new(filter: &FileFilter) -> Self {
        let is_readable = |glob: &String| {
            let name = glob.strip_prefix("**/").or_else(|| glob.strip_prefix('/')).unwrap_or(glob);
            glob.len() <= GLOB_BYTES && !name.trim_end_matches("/**").trim_end_matches('/').contains('/')
        };
        let except: Vec<String> = filter.except.iter().filter(|glob| is_readable(glob)).cloned().collect();
        let only = IgnoreList::from_globs(&filter.only);
        let is_whole = !filter.only.is_empty() && filter.only.iter().all(is_readable) && !only.is_empty();
        Self {
            only: is_whole.then_some(only),
            except: IgnoreList::from_globs(&except),
            hidden: filter.hidden,
            ignored: filter.ignored,
        }
    }

    /// Whether a file that a command names explicitly passes the filter, judged by its name only.
    #[must_use]
    pub fn is_match_by_name(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return self.only.is_none() };
        self.is_name_match(&[name]) && self.except.names_file(&[name]) != Some(true)
    }

    /// Whether the names of a path match one of the globs that select files.
    fn is_name_match(&self, names: &[&str]) -> bool {
        self.only.as_ref().is_none_or(|only| only.names_file(names) == Some(true))
    }
}

/// The ignore files of a directory, and those of the directories above it.
struct IgnoreChain {
    /// The number of names in the path of the directory.
    depth: usize,
    /// The ignore files of search tools, such as `.rgignore`, which take precedence over those of git.
    own: Rc<IgnoreList>,
    /// The `.gitignore` of the directory.
    git: Rc<IgnoreList>,
    /// The ignore files of the directory above; `None` at the root of the repository.
    above: Option<Rc<Self>>,
}

impl IgnoreChain {
    /// Returns whether an entry below the directory is ignored (`true`) or re-included (`false`), given all names of
    /// its path; `None` if no ignore file matches.
    fn decide(&self, names: &[&str], is_directory: bool) -> Option<bool> {
        let first = |list: fn(&Self) -> &IgnoreList| {
            let chains = std::iter::successors(Some(self), |chain| chain.above.as_deref());
            let mut lists = chains.map(|chain| (chain.depth, list(chain))).filter(|(_, list)| !list.is_empty());
            lists.find_map(|(depth, list)| ignore_decision(list, names.get(depth..).unwrap_or_default(), is_directory))
        };
        first(|chain| &chain.own).or_else(|| first(|chain| &chain.git))
    }
}

/// Returns the decision of an ignore file about a file or directory, given the names of its path below the directory
/// of the ignore file.
fn ignore_decision(list: &IgnoreList, names: &[&str], is_directory: bool) -> Option<bool> {
    if is_directory { list.names_directory(names) } else { list.names_file(names) }
}

/// Returns the names of a path.
fn names(path: &Path) -> Vec<&str> {
    path.iter().filter_map(|name| name.to_str()).collect()
}

impl Machine<'_> {
    /// Returns the entries of a directory, cached. Links in its path are followed.
    ///
    /// # Errors
    /// The directory cannot be listed, or the limit of entries or of the budget is exceeded.
    pub(super) fn entries(&self, directory: &Path) -> WalkListing {
        self.charge(DIRECTORY)?;
        if let Some(known) = self.walk_cache.listings.borrow().get(directory) {
            return known.clone();
        }
        if self.walk_cache.entries.get() > ENTRY_LIMIT {
            return Err(Reason::too_many_files(ENTRY_LIMIT));
        }
        let listed = self.complete_lookup(|| self.list_directory(directory))?;
        let listed: WalkListing = listed.map(|entries| entries.map(Rc::from)).map_err(Reason::unlisted);
        let count = listed.as_ref().ok().and_then(Option::as_ref).map_or(1, |entries| entries.len() + 1);
        self.walk_cache.entries.set(self.walk_cache.entries.get() + count);
        self.walk_cache.listings.borrow_mut().insert(directory.to_owned(), listed.clone());
        listed
    }

    /// Returns the compiled filter of a program, cached.
    #[must_use]
    pub fn sieve(&self, filter: &FileFilter) -> Rc<Sieve> {
        let mut sieves = self.walk_cache.sieves.borrow_mut();
        if let Some((_, known)) = sieves.iter().find(|(of, _)| of == filter) {
            return Rc::clone(known);
        }
        let sieve = Rc::new(Sieve::new(filter));
        if sieves.len() < SIEVES {
            sieves.push((filter.clone(), Rc::clone(&sieve)));
        }
        sieve
    }

    /// Returns the path of the first entry below a directory, in breadth-first order, for which `holds` is true,
    /// among the files that pass the filter and the directories that it does not exclude. Only directories for which
    /// `enters` is true are walked.
    ///
    /// # Errors
    /// No such entry was found, and some entries could not be examined.
    pub fn find_below(
        &self,
        start: &Path,
        sieve: &Sieve,
        enters: &dyn Fn(&Path) -> bool,
        holds: &dyn Fn(&WalkEntry<'_>) -> bool,
    ) -> Result<Option<PathBuf>, Reason> {
        let real = self.resolve(start);
        let chain = if sieve.ignored == FileSkipping::Yes { self.chain_above(&real) } else { None };
        let depth = names(&real).len();
        let mut left_out = None;
        let mut queue = VecDeque::from([(real.clone(), start.to_owned(), chain)]);
        while let Some((directory, shown, chain)) = queue.pop_front() {
            let entries = match self.entries(&directory) {
                Ok(Some(entries)) => entries,
                Ok(None) => continue,
                Err(reason) => {
                    left_out.get_or_insert(reason);
                    continue;
                }
            };
            self.charge_each(FILE, entries.len())?;
            let chain = self.chain_at(&directory, &entries, chain);
            // There may be very many files, so no memory is allocated for a file that `holds` does not get.
            let mut names = names(&directory);
            let above = names.len();
            for entry in entries.iter() {
                let is_directory = entry.is_directory;
                names.truncate(above);
                names.push(&entry.name);
                let ignored = chain.as_ref().and_then(|chain| chain.decide(&names, is_directory));
                let below = names.get(depth..).unwrap_or_default();
                if sieve.excludes(entry, ignored) || ignore_decision(&sieve.except, below, is_directory) == Some(true) {
                    continue;
                }
                let is_picked = sieve.is_name_match(below);
                let found = WalkEntry { directory: &shown, name: &entry.name, is_directory, is_picked };
                if (is_directory || is_picked) && holds(&found) {
                    return Ok(Some(found.path()));
                }
                if is_directory {
                    let shown = found.path();
                    if enters(&shown) {
                        queue.push_back((directory.join(&entry.name), shown, chain.clone()));
                    }
                }
            }
        }
        left_out.map_or(Ok(None), |reason| Err(reason.about_word(start.to_string_lossy())))
    }

    /// Returns the ignore files that apply to a directory from above it; `None` outside a repository.
    fn chain_above(&self, directory: &Path) -> Option<Rc<IgnoreChain>> {
        let root = self.git_of_directory(directory).ok().flatten()?.root?;
        let below = directory.strip_prefix(&root).ok()?;
        let exclude = self.list(&root.join(".git/info/exclude"));
        let mut chain = IgnoreChain { depth: names(&root).len(), own: Rc::default(), git: exclude, above: None };
        let mut at = root;
        for name in below {
            let above = Some(Rc::new(chain));
            chain = IgnoreChain { depth: names(&at).len(), own: self.own_list(&at), git: self.git_list(&at), above };
            at.push(name);
        }
        Some(Rc::new(chain))
    }

    /// Adds the ignore files of a directory to those above it. At the root of a nested repository, those above no
    /// longer apply.
    fn chain_at(
        &self,
        directory: &Path,
        entries: &[DirectoryEntry],
        above: Option<Rc<IgnoreChain>>,
    ) -> Option<Rc<IgnoreChain>> {
        let above = above?;
        let has = |name: &str| entries.iter().any(|entry| entry.name == name);
        let depth = names(directory).len();
        let begins = has(".git") && above.depth != depth;
        let is_listed = has(".gitignore") || has(".ignore") || has(".rgignore") || has(".fdignore");
        if !is_listed && !begins {
            return Some(above);
        }
        let (own, git) = (self.own_list(directory), self.git_list(directory));
        Some(Rc::new(IgnoreChain { depth, own, git, above: (!begins).then_some(above) }))
    }

    /// Returns the globs of the `.gitignore` of a directory.
    fn git_list(&self, directory: &Path) -> Rc<IgnoreList> {
        self.list(&directory.join(".gitignore"))
    }

    /// Returns the globs in the ignore files of search tools that re-include files. Only these count, since each file
    /// is read by only some of the tools.
    fn own_list(&self, directory: &Path) -> Rc<IgnoreList> {
        let lists = [".ignore", ".rgignore", ".fdignore"].map(|name| self.list(&directory.join(name)));
        let given = lists.iter().filter(|list| !list.is_empty());
        Rc::new(IgnoreList::from_negated(given.map(|list| &**list)))
    }

    /// Returns the globs of an ignore file, cached; none if the file cannot be read.
    fn list(&self, file: &Path) -> Rc<IgnoreList> {
        if let Some(known) = self.walk_cache.lists.borrow().get(file) {
            return Rc::clone(known);
        }
        let text = self.ignores(file).ok().flatten().unwrap_or_default();
        let list = Rc::new(IgnoreList::parse(&text));
        self.walk_cache.lists.borrow_mut().insert(file.to_owned(), Rc::clone(&list));
        list
    }
}
