//! Walks directories: what is below one, as far as a search goes there, within a limit.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{Context, Reason};
use crate::facts::DirectoryEntry;
use hookrules_shell::path::Ignores;
use hookrules_shell::{Filter, Skipped};

/// How many files the conditions of one event list, all in all.
const ENTRY_LIMIT: usize = 100_000;

/// What looking at one file of a walk takes.
const FILE: u64 = 250;

/// What going into a directory takes, listed or not.
const DIRECTORY: u64 = 250;

/// The longest glob of a command that is read, in bytes.
const GLOB_BYTES: usize = 1_024;

/// What a directory holds; nothing where there is none.
type Listing = Result<Option<Rc<[DirectoryEntry]>>, Reason>;

/// The directories that were listed for an event, each once.
#[derive(Default)]
pub(super) struct Looked {
    listings: RefCell<BTreeMap<PathBuf, Listing>>,
    lists: RefCell<BTreeMap<PathBuf, Rc<Ignores>>>,
    /// The sieves that were made, with what they are of: several rules ask about the same search, in both forms.
    sieves: RefCell<Vec<(Filter, Rc<Sieve>)>>,
    entries: Cell<usize>,
}

/// How many sieves are kept: a call hardly ever has more searches that differ.
const SIEVES: usize = 8;

/// Which files a search takes.
#[derive(Clone, Default)]
pub struct Sieve {
    /// One of these has to name it.
    only: Option<Ignores>,
    /// None of these may.
    except: Ignores,
    hidden: Skipped,
    ignored: Skipped,
}

/// A file or directory that a walk came to.
pub struct Found<'f> {
    /// The directory that it is in, from where the walk began.
    pub directory: &'f Path,
    /// Its name there.
    pub name: &'f str,
    /// It is a directory.
    pub is_directory: bool,
    /// The walk's filter picks its name: it does so of every file that a test is asked about.
    pub is_picked: bool,
}

impl Found<'_> {
    /// Returns its path, from where the walk began.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.join(self.name)
    }
}

impl Sieve {
    /// Makes a sieve of what a program lets through. A glob that cannot be read exactly takes everything in, and leaves
    /// nothing out.
    fn new(filter: &Filter) -> Self {
        let is_readable = |glob: &String| {
            let name = glob.strip_prefix("**/").or_else(|| glob.strip_prefix('/')).unwrap_or(glob);
            glob.len() <= GLOB_BYTES && !name.trim_end_matches("/**").trim_end_matches('/').contains('/')
        };
        let except: Vec<String> = filter.except.iter().filter(|glob| is_readable(glob)).cloned().collect();
        let only = Ignores::of_globs(&filter.only);
        let is_whole = !filter.only.is_empty() && filter.only.iter().all(is_readable) && !only.is_empty();
        Self {
            only: is_whole.then_some(only),
            except: Ignores::of_globs(&except),
            hidden: filter.hidden,
            ignored: filter.ignored,
        }
    }

    /// Tells whether a file that is named by itself passes: by its own name alone.
    #[must_use]
    pub fn passes_by_name(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return self.only.is_none() };
        self.takes(&[name]) && self.except.names_file(&[name]) != Some(true)
    }

    fn takes(&self, names: &[&str]) -> bool {
        self.only.as_ref().is_none_or(|only| only.names_file(names) == Some(true))
    }
}

/// The lists of what is ignored at a directory, and those of the directories above it.
struct Chain {
    /// How many names the directory has, from `/`.
    depth: usize,
    /// What searches read beside git's, before git's own.
    own: Rc<Ignores>,
    git: Rc<Ignores>,
    above: Option<Rc<Self>>,
}

impl Chain {
    /// Tells whether something below the directory is ignored, or taken back, by all its names.
    fn decide(&self, names: &[&str], is_directory: bool) -> Option<bool> {
        let first = |list: fn(&Self) -> &Ignores| {
            let chains = std::iter::successors(Some(self), |chain| chain.above.as_deref());
            let mut lists = chains.map(|chain| (chain.depth, list(chain))).filter(|(_, list)| !list.is_empty());
            lists.find_map(|(depth, list)| says(list, names.get(depth..).unwrap_or_default(), is_directory))
        };
        first(|chain| &chain.own).or_else(|| first(|chain| &chain.git))
    }
}

/// Tells what a list says of a file or a directory, by its names from the list's own directory.
fn says(list: &Ignores, names: &[&str], is_directory: bool) -> Option<bool> {
    if is_directory { list.names_directory(names) } else { list.names_file(names) }
}

fn names(path: &Path) -> Vec<&str> {
    path.iter().filter_map(|name| name.to_str()).collect()
}

impl Context<'_> {
    /// Returns what a directory holds, links on the way followed.
    ///
    /// # Errors
    /// It cannot be listed, or too much was listed already.
    pub(super) fn entries(&self, directory: &Path) -> Listing {
        self.charge(DIRECTORY)?;
        if let Some(known) = self.looked.listings.borrow().get(directory) {
            return known.clone();
        }
        if self.looked.entries.get() > ENTRY_LIMIT {
            return Err(Reason::too_many_files(ENTRY_LIMIT));
        }
        let listed = self.whole(|| self.listed(directory))?;
        let listed: Listing = listed.map(|entries| entries.map(Rc::from)).map_err(Reason::unlisted);
        let count = listed.as_ref().ok().and_then(Option::as_ref).map_or(1, |entries| entries.len() + 1);
        self.looked.entries.set(self.looked.entries.get() + count);
        self.looked.listings.borrow_mut().insert(directory.to_owned(), listed.clone());
        listed
    }

    /// Returns the sieve of what a program lets through.
    #[must_use]
    pub fn sieve(&self, filter: &Filter) -> Rc<Sieve> {
        let mut sieves = self.looked.sieves.borrow_mut();
        if let Some((_, known)) = sieves.iter().find(|(of, _)| of == filter) {
            return Rc::clone(known);
        }
        let sieve = Rc::new(Sieve::new(filter));
        if sieves.len() < SIEVES {
            sieves.push((filter.clone(), Rc::clone(&sieve)));
        }
        sieve
    }

    /// Returns the first below a directory that exists, that the sieve takes and of which a test holds, nearest first.
    /// Only directories that may hold such are entered.
    ///
    /// # Errors
    /// None was found among those that could be looked at, and there are others.
    pub fn find_below(
        &self,
        start: &Path,
        sieve: &Sieve,
        enters: &dyn Fn(&Path) -> bool,
        holds: &dyn Fn(&Found<'_>) -> bool,
    ) -> Result<Option<PathBuf>, Reason> {
        let real = self.resolve(start);
        let chain = if sieve.ignored == Skipped::Yes { self.chain_above(&real) } else { None };
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
            // There are very many files: nothing is made for one that no test asks about.
            let mut names = names(&directory);
            let above = names.len();
            for entry in entries.iter() {
                let is_directory = entry.is_directory;
                names.truncate(above);
                names.push(&entry.name);
                let said = chain.as_ref().and_then(|chain| chain.decide(&names, is_directory));
                let is_hidden = sieve.hidden == Skipped::Yes && entry.name.starts_with('.') && said != Some(false);
                if said == Some(true) || is_hidden {
                    continue;
                }
                let below = names.get(depth..).unwrap_or_default();
                if says(&sieve.except, below, is_directory) == Some(true) {
                    continue;
                }
                let is_picked = sieve.takes(below);
                let found = Found { directory: &shown, name: &entry.name, is_directory, is_picked };
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
        match left_out {
            Some(reason) => Err(reason.about(start.to_string_lossy())),
            None => Ok(None),
        }
    }

    /// Returns the lists that hold at a directory from above; none outside of a repository.
    fn chain_above(&self, directory: &Path) -> Option<Rc<Chain>> {
        let root = self.git_of_directory(directory).ok().flatten()?.root?;
        let below = directory.strip_prefix(&root).ok()?;
        let exclude = self.list(&root.join(".git/info/exclude"));
        let mut chain = Chain { depth: names(&root).len(), own: Rc::default(), git: exclude, above: None };
        let mut at = root;
        for name in below {
            let above = Some(Rc::new(chain));
            chain = Chain { depth: names(&at).len(), own: self.own_list(&at), git: self.git_list(&at), above };
            at.push(name);
        }
        Some(Rc::new(chain))
    }

    /// Adds the lists of a directory itself. Where another repository begins, git's lists from above end.
    fn chain_at(&self, directory: &Path, entries: &[DirectoryEntry], above: Option<Rc<Chain>>) -> Option<Rc<Chain>> {
        let above = above?;
        let has = |name: &str| entries.iter().any(|entry| entry.name == name);
        let depth = names(directory).len();
        let begins = has(".git") && above.depth != depth;
        let is_listed = has(".gitignore") || has(".ignore") || has(".rgignore") || has(".fdignore");
        if !is_listed && !begins {
            return Some(above);
        }
        let (own, git) = (self.own_list(directory), self.git_list(directory));
        Some(Rc::new(Chain { depth, own, git, above: (!begins).then_some(above) }))
    }

    fn git_list(&self, directory: &Path) -> Rc<Ignores> {
        self.list(&directory.join(".gitignore"))
    }

    /// What searches read beside git's lists only takes back here: whose list it is differs from search to search.
    fn own_list(&self, directory: &Path) -> Rc<Ignores> {
        let lists = [".ignore", ".rgignore", ".fdignore"].map(|name| self.list(&directory.join(name)));
        let given = lists.iter().filter(|list| !list.is_empty());
        Rc::new(Ignores::taking_back(given.map(|list| &**list)))
    }

    /// Reads a list. One that cannot be read ignores nothing.
    fn list(&self, file: &Path) -> Rc<Ignores> {
        if let Some(known) = self.looked.lists.borrow().get(file) {
            return Rc::clone(known);
        }
        let text = self.ignores(file).ok().flatten().unwrap_or_default();
        let list = Rc::new(Ignores::parse(&text));
        self.looked.lists.borrow_mut().insert(file.to_owned(), Rc::clone(&list));
        list
    }
}
