//! Directory walks: the files below a directory that a search visits, within a limit.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{Machine, Reason};
use crate::facts::DirectoryEntry;
use hookrules_shell::files::{FileFilter, FileSkipping};
use hookrules_shell::path::IgnoreList;

/// The most files that the conditions of one event list in total.
const ENTRY_LIMIT: usize = 100_000;

/// The cost of examining one file of a walk.
const FILE: u64 = 250;

/// The cost of entering a directory, whether it is listed or cached.
const DIRECTORY: u64 = 250;

/// The longest glob of a command that is compiled, in bytes.
const GLOB_BYTES: usize = 1_024;

/// The entries of a directory; `None` if it does not exist.
type WalkListing = Result<Option<Rc<[DirectoryEntry]>>, Reason>;

/// Cached listings of directories, and ignore files, for one event.
#[derive(Default)]
pub(super) struct WalkCache {
    listings: RefCell<BTreeMap<PathBuf, WalkListing>>,
    lists: RefCell<BTreeMap<PathBuf, Rc<IgnoreList>>>,
    /// Compiled sieves with their filters: several rules ask about the same search, in both forms.
    sieves: RefCell<Vec<(FileFilter, Rc<Sieve>)>>,
    entries: Cell<usize>,
}

/// The most sieves that are cached: a call hardly ever has more different searches.
const SIEVES: usize = 8;

/// The files that a search visits.
#[derive(Clone, Default)]
pub struct Sieve {
    /// If given, one of these must match.
    only: Option<IgnoreList>,
    /// None of these may match.
    except: IgnoreList,
    hidden: FileSkipping,
    ignored: FileSkipping,
}

impl Sieve {
    /// Whether an entry is not visited because it is ignored or hidden; `ignored` is the answer of the ignore files.
    fn excludes(&self, entry: &DirectoryEntry, ignored: Option<bool>) -> bool {
        let is_hidden = self.hidden == FileSkipping::Yes && entry.name.starts_with('.');
        ignored.unwrap_or(is_hidden)
    }
}

/// A file or directory that a walk visits.
pub struct WalkEntry<'f> {
    /// Its directory, prefixed with the start of the walk.
    pub directory: &'f Path,
    /// Its file name.
    pub name: &'f str,
    /// Whether it is a directory.
    pub is_directory: bool,
    /// Whether the walk's filter accepts its name. Always true of a file that a test sees.
    pub is_picked: bool,
}

impl WalkEntry<'_> {
    /// Returns its path, prefixed with the start of the walk.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.join(self.name)
    }
}

impl Sieve {
    /// Compiles a program's filter. A glob that cannot be read exactly includes everything and excludes nothing.
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

    /// Whether a file that is named explicitly passes: only its own name counts.
    #[must_use]
    pub fn is_match_by_name(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return self.only.is_none() };
        self.is_name_match(&[name]) && self.except.names_file(&[name]) != Some(true)
    }

    fn is_name_match(&self, names: &[&str]) -> bool {
        self.only.as_ref().is_none_or(|only| only.names_file(names) == Some(true))
    }
}

/// The ignore files of a directory and of its ancestors.
struct IgnoreChain {
    /// The number of components in the directory's path.
    depth: usize,
    /// The search tools' own ignore files, which take precedence over git's.
    own: Rc<IgnoreList>,
    git: Rc<IgnoreList>,
    above: Option<Rc<Self>>,
}

impl IgnoreChain {
    /// Whether an entry below the directory is ignored (`true`) or re-included (`false`), given all components of its
    /// path.
    fn decide(&self, names: &[&str], is_directory: bool) -> Option<bool> {
        let first = |list: fn(&Self) -> &IgnoreList| {
            let chains = std::iter::successors(Some(self), |chain| chain.above.as_deref());
            let mut lists = chains.map(|chain| (chain.depth, list(chain))).filter(|(_, list)| !list.is_empty());
            lists.find_map(|(depth, list)| ignore_decision(list, names.get(depth..).unwrap_or_default(), is_directory))
        };
        first(|chain| &chain.own).or_else(|| first(|chain| &chain.git))
    }
}

/// Returns an ignore file's decision on a file or a directory, by its components below the ignore file's directory.
fn ignore_decision(list: &IgnoreList, names: &[&str], is_directory: bool) -> Option<bool> {
    if is_directory { list.names_directory(names) } else { list.names_file(names) }
}

fn names(path: &Path) -> Vec<&str> {
    path.iter().filter_map(|name| name.to_str()).collect()
}

impl Machine<'_> {
    /// Returns the entries of a directory, following links on the way.
    ///
    /// # Errors
    /// It cannot be listed, or the limit was exceeded before.
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

    /// Returns the compiled filter of a program.
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

    /// Returns the first entry below a directory, breadth first, for which a test holds, among the files that pass the
    /// sieve and the directories that it does not exclude. Only directories that may contain one are entered.
    ///
    /// # Errors
    /// No entry was found, and some could not be examined.
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
            // There may be very many files: allocate nothing for one that no test sees.
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

    /// Returns the ignore files that apply to a directory from above; `None` outside a repository.
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

    /// Adds the ignore files of a directory itself. At the root of a nested repository, the ignore files from above
    /// end.
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

    fn git_list(&self, directory: &Path) -> Rc<IgnoreList> {
        self.list(&directory.join(".gitignore"))
    }

    /// The search tools' own ignore files only re-include here: which of them applies depends on the tool.
    fn own_list(&self, directory: &Path) -> Rc<IgnoreList> {
        let lists = [".ignore", ".rgignore", ".fdignore"].map(|name| self.list(&directory.join(name)));
        let given = lists.iter().filter(|list| !list.is_empty());
        Rc::new(IgnoreList::from_negated(given.map(|list| &**list)))
    }

    /// Reads an ignore file. An unreadable one ignores nothing.
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
