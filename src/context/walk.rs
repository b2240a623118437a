//! Walks directories to find the files that a search visits, up to a limit.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{Machine, Reason};
use crate::facts::{DirectoryEntry, Fact, GitState};
use hookrules_shell::files::{FileFilter, FileSkipping};
use hookrules_shell::path::{IgnoreList, join};

/// The maximum number of entries that the conditions of one event may list in total.
const ENTRY_LIMIT: usize = 100_000;

/// The cost of examining one file in a walk, in units of the budget.
const FILE_UNITS: u64 = 250;

/// The cost of entering a directory, whether its listing is cached or not, in units of the budget.
const DIRECTORY_UNITS: u64 = 250;

/// The maximum length of a command's glob that is compiled, in bytes.
const MAX_GLOB_BYTES: usize = 1_024;

/// The entries of a directory; `None` if there is no such directory.
type WalkListing = Result<Option<Rc<[DirectoryEntry]>>, Reason>;

/// The directories and ignore files that were read for one event.
#[derive(Default)]
pub(super) struct WalkCache {
    /// The entries of each directory.
    listings: RefCell<BTreeMap<PathBuf, WalkListing>>,
    /// The compiled globs of each ignore file.
    lists: RefCell<BTreeMap<PathBuf, Rc<IgnoreList>>>,
    /// The compiled filters. Several rules need the same search, in both forms of paths.
    sieves: RefCell<Vec<(FileFilter, Rc<Sieve>)>>,
    /// The number of entries that were listed.
    entries: Cell<usize>,
    /// The directories below which there are too many entries. Another walk from there would use up the budget.
    too_large: RefCell<BTreeSet<PathBuf>>,
    /// The git state of each directory for which it was looked up. A rule needs it to find its places, and again for
    /// each place.
    pub(super) git: RefCell<BTreeMap<PathBuf, Fact<GitState>>>,
}

/// The maximum number of cached filters; a call rarely has more different searches.
const MAX_SIEVES: usize = 8;

/// The compiled filter of a search, which selects the files that it visits.
#[derive(Clone, Default)]
pub struct Sieve {
    /// The globs of which a file must match at least one; `None` if every file is selected.
    only: Option<IgnoreList>,
    /// The globs of the files that are skipped.
    except: IgnoreList,
    /// Whether files whose names begin with a dot are skipped.
    hidden: FileSkipping,
    /// Whether files that `.gitignore` and the like list are skipped.
    ignored: FileSkipping,
}

impl Sieve {
    /// Whether an entry is skipped because it is ignored or hidden. `ignored` is the decision of the ignore files,
    /// which overrides the one about hidden files.
    fn excludes(&self, entry: &DirectoryEntry, ignored: Option<bool>) -> bool {
        let is_hidden = self.hidden == FileSkipping::Yes && entry.name.starts_with('.');
        ignored.unwrap_or(is_hidden)
    }
}

/// A file or directory that a walk visits.
pub struct WalkEntry<'f> {
    /// The directory of the entry: a path that begins as the caller gave the start of the walk.
    pub directory: &'f Path,
    /// The name of the entry.
    pub name: &'f str,
    /// Whether the entry is a directory.
    pub is_directory: bool,
    /// Whether the filter's globs select the entry by its name. Always true for a file that `holds` sees; a directory
    /// is walked even if not.
    pub is_picked: bool,
}

impl WalkEntry<'_> {
    /// Returns the path of the entry, which begins as the caller gave the start of the walk.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        join(self.directory, self.name.as_ref())
    }
}

impl Sieve {
    /// Compiles the filter of a program. A glob with a slash in the middle cannot be represented. If it selects
    /// files, all files are selected; if it excludes files, it is dropped.
    fn new(filter: &FileFilter) -> Self {
        let is_representable = |glob: &String| {
            let name = glob.strip_prefix("**/").or_else(|| glob.strip_prefix('/')).unwrap_or(glob);
            glob.len() <= MAX_GLOB_BYTES && !name.trim_end_matches("/**").trim_end_matches('/').contains('/')
        };
        let except: Vec<String> = filter.except.iter().filter(|glob| is_representable(glob)).cloned().collect();
        let only = IgnoreList::from_globs(&filter.only);
        let can_select = !filter.only.is_empty() && filter.only.iter().all(is_representable) && !only.is_empty();
        Self {
            only: can_select.then_some(only),
            except: IgnoreList::from_globs(&except),
            hidden: filter.hidden,
            ignored: filter.ignored,
        }
    }

    /// Whether a file that a command names explicitly passes the filter, by its name alone.
    #[must_use]
    pub fn is_match_by_name(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return self.only.is_none() };
        self.is_name_match(&[name]) && self.except.names_file(&[name]) != Some(true)
    }

    /// Whether a path, given as its names, matches one of the globs that select files.
    fn is_name_match(&self, names: &[&str]) -> bool {
        self.only.as_ref().is_none_or(|only| only.names_file(names) == Some(true))
    }
}

/// The ignore files of a directory, linked with those of the directories above it.
struct IgnoreChain {
    /// The number of names in the path of the directory.
    depth: usize,
    /// The ignore files of search tools, such as `.rgignore`, which override those of git.
    search_tools: Rc<IgnoreList>,
    /// The `.gitignore` of the directory.
    git: Rc<IgnoreList>,
    /// The ignore files of the directory above; `None` at the root of the repository.
    above: Option<Rc<Self>>,
}

impl IgnoreChain {
    /// Returns whether an entry below the directory is ignored (`true`) or re-included (`false`). `names` are all
    /// names of its path. `None` if no ignore file matches it.
    fn decide(&self, names: &[&str], is_directory: bool) -> Option<bool> {
        let decision_of = |list: fn(&Self) -> &IgnoreList| {
            let chains = std::iter::successors(Some(self), |chain| chain.above.as_deref());
            let mut lists = chains.map(|chain| (chain.depth, list(chain))).filter(|(_, list)| !list.is_empty());
            lists.find_map(|(depth, list)| ignore_decision(list, names.get(depth..).unwrap_or_default(), is_directory))
        };
        decision_of(|chain| &chain.search_tools).or_else(|| decision_of(|chain| &chain.git))
    }
}

/// Returns the decision of an ignore file about a file or directory. `names` are the names of its path below the
/// ignore file's directory.
fn ignore_decision(list: &IgnoreList, names: &[&str], is_directory: bool) -> Option<bool> {
    if is_directory { list.names_directory(names) } else { list.names_file(names) }
}

/// Splits a path into its names.
fn names(path: &Path) -> Vec<&str> {
    path.iter().filter_map(|name| name.to_str()).collect()
}

impl Machine<'_> {
    /// Returns the entries of a directory, cached. Links in its path are followed.
    ///
    /// # Errors
    /// The directory cannot be listed, or the limit of entries or of the budget is exceeded.
    pub(super) fn entries(&self, directory: &Path) -> WalkListing {
        self.charge(DIRECTORY_UNITS)?;
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
        if sieves.len() < MAX_SIEVES {
            sieves.push((filter.clone(), Rc::clone(&sieve)));
        }
        sieve
    }

    /// Returns the path of the first entry below a directory for which `holds` is true, in breadth-first order. It
    /// sees the files that pass the filter, and the directories that the filter does not exclude; only directories
    /// for which `enters` is true are walked.
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
        if self.walk_cache.too_large.borrow().contains(&real) {
            return Err(Reason::too_many_files(ENTRY_LIMIT).about_word(start.to_string_lossy()));
        }
        let chain = if sieve.ignored == FileSkipping::Yes { self.chain_above(&real) } else { None };
        let start_depth = names(&real).len();
        let mut failure = None;
        let mut queue = VecDeque::from([(real.clone(), start.to_owned(), chain)]);
        while let Some((directory, shown, chain)) = queue.pop_front() {
            let entries = match self.entries(&directory) {
                Ok(Some(entries)) => entries,
                Ok(None) => continue,
                Err(reason) => {
                    failure.get_or_insert(reason);
                    continue;
                }
            };
            self.charge_each(FILE_UNITS, entries.len())?;
            let chain = self.chain_at(&directory, &entries, chain);
            // There may be very many files, so nothing is allocated for a file that `holds` does not see.
            let mut names = names(&directory);
            let directory_depth = names.len();
            for entry in entries.iter() {
                let is_directory = entry.is_directory;
                names.truncate(directory_depth);
                names.push(&entry.name);
                let ignored = chain.as_ref().and_then(|chain| chain.decide(&names, is_directory));
                let names_below_start = names.get(start_depth..).unwrap_or_default();
                if sieve.excludes(entry, ignored)
                    || ignore_decision(&sieve.except, names_below_start, is_directory) == Some(true)
                {
                    continue;
                }
                let is_picked = sieve.is_name_match(names_below_start);
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
        if self.walk_cache.entries.get() > ENTRY_LIMIT {
            self.walk_cache.too_large.borrow_mut().insert(real);
        }
        failure.map_or(Ok(None), |reason| Err(reason.about_word(start.to_string_lossy())))
    }

    /// Returns the ignore files above a directory that apply to it; `None` outside of a repository.
    fn chain_above(&self, directory: &Path) -> Option<Rc<IgnoreChain>> {
        let root = self.git_of_directory(directory).ok().flatten()?.root?;
        let below = directory.strip_prefix(&root).ok()?;
        let exclude = self.ignore_list(&root.join(".git/info/exclude"));
        let mut chain =
            IgnoreChain { depth: names(&root).len(), search_tools: Rc::default(), git: exclude, above: None };
        let mut at = root;
        for name in below {
            let above = Some(Rc::new(chain));
            chain = IgnoreChain {
                depth: names(&at).len(),
                search_tools: self.search_tool_list(&at),
                git: self.git_list(&at),
                above,
            };
            at.push(name);
        }
        Some(Rc::new(chain))
    }

    /// Adds the ignore files of a directory to those above it, which no longer apply if it is the root of a nested
    /// repository.
    fn chain_at(
        &self,
        directory: &Path,
        entries: &[DirectoryEntry],
        above: Option<Rc<IgnoreChain>>,
    ) -> Option<Rc<IgnoreChain>> {
        let above = above?;
        let has = |name: &str| entries.iter().any(|entry| entry.name == name);
        let depth = names(directory).len();
        let is_nested_root = has(".git") && above.depth != depth;
        let has_ignore_file = has(".gitignore") || has(".ignore") || has(".rgignore") || has(".fdignore");
        if !has_ignore_file && !is_nested_root {
            return Some(above);
        }
        let (search_tools, git) = (self.search_tool_list(directory), self.git_list(directory));
        Some(Rc::new(IgnoreChain { depth, search_tools, git, above: (!is_nested_root).then_some(above) }))
    }

    /// Returns the globs of the `.gitignore` of a directory.
    fn git_list(&self, directory: &Path) -> Rc<IgnoreList> {
        self.ignore_list(&directory.join(".gitignore"))
    }

    /// Returns the globs in a directory's ignore files of search tools that re-include files. The other globs do not
    /// count, since each of these files is read by only some of the tools.
    fn search_tool_list(&self, directory: &Path) -> Rc<IgnoreList> {
        let lists = [".ignore", ".rgignore", ".fdignore"].map(|name| self.ignore_list(&directory.join(name)));
        let nonempty = lists.iter().filter(|list| !list.is_empty());
        Rc::new(IgnoreList::from_negated(nonempty.map(|list| &**list)))
    }

    /// Returns the globs of an ignore file, cached; none if the file cannot be read.
    fn ignore_list(&self, file: &Path) -> Rc<IgnoreList> {
        if let Some(known) = self.walk_cache.lists.borrow().get(file) {
            return Rc::clone(known);
        }
        let text = self.ignores(file).ok().flatten().unwrap_or_default();
        let list = Rc::new(IgnoreList::parse(&text));
        self.walk_cache.lists.borrow_mut().insert(file.to_owned(), Rc::clone(&list));
        list
    }
}
