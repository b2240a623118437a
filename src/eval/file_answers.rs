//! Caches the results of a call's tests of files: each list of globs is compared with each file once, however many
//! rules and verbs use it, and no directory is searched twice.
//!
//! Lists with the same text have equal results, so the first one represents all of them.

use std::cell::RefCell;
use std::sync::Arc;

use crate::context::{PathForm, TouchLocation, TouchReach, TouchedFile};
use crate::ruleset::{Globs, TouchTest};
use hookrules_shell::path::NameCase;

use super::touches::{TouchJudge, TouchResult};

/// The maximum number of cached results of one list, and the maximum number of lists. Hardly any call has more.
const MAX_ANSWERS: usize = 128;
const MAX_LISTS: usize = 64;

/// The cached results of one call.
#[derive(Default)]
pub(super) struct FileAnswers {
    lists: RefCell<Vec<AnsweredList>>,
}

/// A list of globs, and its cached results.
struct AnsweredList {
    globs: Arc<Globs>,
    answers: Vec<CachedAnswer>,
}

/// The cached result for one file and one list.
struct CachedAnswer {
    /// A hash of the file's location, which is compared first.
    place: u64,
    form: PathForm,
    case: NameCase,
    location: TouchLocation,
    reach: TouchReach,
    result: TouchResult,
}

/// A list of globs whose results are cached.
pub(super) struct CachedList {
    /// The position of the list in `FileAnswers::lists`.
    list: usize,
    /// The test by the list that represents all lists with the same text.
    pub(super) test: TouchTest,
}

impl FileAnswers {
    /// Returns the cached list of a test; `None` if its results are not cached.
    pub(super) fn list(&self, test: &TouchTest) -> Option<CachedList> {
        let TouchTest::Like(globs) = test else { return None };
        let mut lists = self.lists.borrow_mut();
        let is_same = |known: &AnsweredList| Arc::ptr_eq(&known.globs, globs) || known.globs.is_same_list(globs);
        let list = match lists.iter().position(is_same) {
            Some(list) => list,
            None if lists.len() < MAX_LISTS => {
                lists.push(AnsweredList { globs: Arc::clone(globs), answers: Vec::new() });
                lists.len() - 1
            }
            None => return None,
        };
        lists.get(list).map(|known| CachedList { list, test: TouchTest::Like(Arc::clone(&known.globs)) })
    }

    /// Whether the result for a file is cached. It then costs nothing.
    pub(super) fn is_cached(&self, listed: &CachedList, target: &TouchJudge<'_>, file: &TouchedFile) -> bool {
        self.cached_answer(listed, target, file, |_| ()).is_some()
    }

    /// Tests a file like [`TouchJudge::judge_file`], from the cache if possible.
    pub(super) fn test(&self, listed: &CachedList, target: &TouchJudge<'_>, file: &TouchedFile) -> TouchResult {
        if let Some(result) = self.cached_answer(listed, target, file, TouchResult::clone) {
            return result;
        }
        let budget = target.context.machine().budget();
        let before = budget.refused();
        let result = target.judge_file(file);
        let mut lists = self.lists.borrow_mut();
        let answers = lists.get_mut(listed.list).map(|known| &mut known.answers);
        // A result that the budget cut short is not cached, so that each use reports it.
        let is_complete = budget.refused() == before;
        if let Some(answers) = answers.filter(|answers| is_complete && answers.len() < MAX_ANSWERS) {
            answers.push(CachedAnswer {
                place: location_hash(&file.location),
                form: target.form,
                case: target.case,
                location: file.location.clone(),
                reach: file.reach.clone(),
                result: result.clone(),
            });
        }
        result
    }

    /// Passes the cached result for a file to `take`, and returns what that returns; `None` if there is no such
    /// result.
    fn cached_answer<T>(
        &self,
        listed: &CachedList,
        target: &TouchJudge<'_>,
        file: &TouchedFile,
        take: impl FnOnce(&TouchResult) -> T,
    ) -> Option<T> {
        let lists = self.lists.borrow();
        let place = location_hash(&file.location);
        let is_same = |answer: &&CachedAnswer| {
            answer.place == place
                && answer.case == target.case
                && is_same_location(&answer.location, &file.location)
                && answer.reach == file.reach
                // If no root is a symbolic link, globs have the same result in both forms.
                && (answer.form == target.form || has_one_form(target))
        };
        lists.get(listed.list)?.answers.iter().find(is_same).map(|answer| take(&answer.result))
    }
}

/// Whether the directories to which globs are relative have the same paths in both forms.
fn has_one_form(target: &TouchJudge<'_>) -> bool {
    target.context.machine().roots_in(PathForm::Lexical) == target.context.machine().roots_in(PathForm::Physical)
}

/// Whether two locations are equal.
fn is_same_location(one: &TouchLocation, other: &TouchLocation) -> bool {
    match (one, other) {
        // A comparison of bytes is faster than one of components.
        (TouchLocation::Path(one), TouchLocation::Path(other)) => one.as_os_str() == other.as_os_str(),
        _ => one == other,
    }
}

/// Returns a cheap hash of a location: of its length and its last eight bytes. Locations with equal hashes are
/// compared.
fn location_hash(at: &TouchLocation) -> u64 {
    let name = match at {
        TouchLocation::Path(path) => path.as_os_str().as_encoded_bytes(),
        TouchLocation::OneOf { word, .. } => word.as_bytes(),
    };
    let end = name.last_chunk().map_or(0, |end| u64::from_le_bytes(*end));
    end.rotate_left(7).wrapping_add(name.len() as u64)
}
