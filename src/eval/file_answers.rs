//! Cached file tests of a call: each list of globs tests each file once, regardless of the number of rules, verbs and
//! forms of paths, and no directory is searched twice.
//!
//! Lists with the same text are equal in any rule: the first one that is compiled answers for all.

use std::cell::RefCell;
use std::sync::Arc;

use crate::context::{At, Form, Reach, Touched};
use crate::ruleset::{Globs, TouchTest};
use hookrules_shell::path::Case;

use super::touches::{Held, Target};

/// The most answers per list, and the most lists: hardly any call has more.
const ANSWERS: usize = 128;
const LISTS: usize = 64;

/// The answers for one call.
#[derive(Default)]
pub(super) struct FileAnswers {
    lists: RefCell<Vec<Answered>>,
}

/// A list, and its answers.
struct Answered {
    globs: Arc<Globs>,
    answers: Vec<Answer>,
}

struct Answer {
    /// A hash of the file's location, compared first.
    place: u64,
    form: Form,
    case: Case,
    at: At,
    reach: Reach,
    held: Held,
}

/// A list with cached answers.
pub(super) struct Listed {
    list: usize,
    /// The test by the list that represents all with the same text.
    pub(super) test: TouchTest,
}

impl FileAnswers {
    /// Returns the list of a test; `None` if its answers are not cached.
    pub(super) fn list(&self, test: &TouchTest) -> Option<Listed> {
        let TouchTest::Like(globs) = test else { return None };
        let mut lists = self.lists.borrow_mut();
        let is_same = |known: &Answered| Arc::ptr_eq(&known.globs, globs) || known.globs.is_written_as(globs);
        let list = match lists.iter().position(is_same) {
            Some(list) => list,
            None if lists.len() < LISTS => {
                lists.push(Answered { globs: Arc::clone(globs), answers: Vec::new() });
                lists.len() - 1
            }
            None => return None,
        };
        lists.get(list).map(|known| Listed { list, test: TouchTest::Like(Arc::clone(&known.globs)) })
    }

    /// Whether the answer about a file is cached, and costs nothing.
    pub(super) fn knows(&self, listed: &Listed, target: &Target<'_>, file: &Touched) -> bool {
        self.known(listed, target, file, |_| ()).is_some()
    }

    /// Tests a file, like [`Target::file`].
    pub(super) fn test(&self, listed: &Listed, target: &Target<'_>, file: &Touched) -> Held {
        if let Some(held) = self.known(listed, target, file, Held::clone) {
            return held;
        }
        let budget = target.context.machine().budget();
        let before = budget.refused();
        let held = target.file(file);
        let mut lists = self.lists.borrow_mut();
        let answers = lists.get_mut(listed.list).map(|known| &mut known.answers);
        // An answer that the budget cut short is not cached, so that each use reports it.
        let is_whole = budget.refused() == before;
        if let Some(answers) = answers.filter(|answers| is_whole && answers.len() < ANSWERS) {
            answers.push(Answer {
                place: place(&file.at),
                form: target.form,
                case: target.case,
                at: file.at.clone(),
                reach: file.reach.clone(),
                held: held.clone(),
            });
        }
        held
    }

    fn known<T>(
        &self,
        listed: &Listed,
        target: &Target<'_>,
        file: &Touched,
        take: impl FnOnce(&Held) -> T,
    ) -> Option<T> {
        let lists = self.lists.borrow();
        let place = place(&file.at);
        let is_same = |answer: &&Answer| {
            answer.place == place
                && answer.case == target.case
                && is_one_place(&answer.at, &file.at)
                && answer.reach == file.reach
                // If no root of globs is a link, the forms are equal.
                && (answer.form == target.form || has_one_form(target))
        };
        lists.get(listed.list)?.answers.iter().find(is_same).map(|answer| take(&answer.held))
    }
}

/// Whether the roots of globs are equal in both forms of paths.
fn has_one_form(target: &Target<'_>) -> bool {
    target.context.machine().roots_in(Form::Lexical) == target.context.machine().roots_in(Form::Physical)
}

fn is_one_place(one: &At, other: &At) -> bool {
    match (one, other) {
        // As bytes: paths are otherwise compared component by component.
        (At::Path(one), At::Path(other)) => one.as_os_str() == other.as_os_str(),
        _ => one == other,
    }
}

/// Returns a cheap hash of a location, its length and its last bytes. On a collision, the rest is compared.
fn place(at: &At) -> u64 {
    let name = match at {
        At::Path(path) => path.as_os_str().as_encoded_bytes(),
        At::Among { word, .. } => word.as_bytes(),
    };
    let end = name.last_chunk().map_or(0, |end| u64::from_le_bytes(*end));
    end.rotate_left(7).wrapping_add(name.len() as u64)
}
