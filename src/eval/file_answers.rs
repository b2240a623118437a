//! What lists of globs say of the files of a call: each list is asked of each file once, however many rules, verbs and
//! forms of paths ask, and no directory is searched twice.
//!
//! Lists that are written alike are one, whichever rules they stand in: the first that was read answers for all.

use std::cell::RefCell;
use std::sync::Arc;

use crate::context::{At, Form, Reach, Touched};
use crate::ruleset::{Globs, TouchTest};
use hookrules_shell::path::Case;

use super::touches::{Held, Target};

/// How many answers are kept of a list, and of how many lists: hardly any call has more.
const ANSWERS: usize = 128;
const LISTS: usize = 64;

/// The answers for one call.
#[derive(Default)]
pub(super) struct FileAnswers {
    lists: RefCell<Vec<Answered>>,
}

/// A list, and what it says.
struct Answered {
    globs: Arc<Globs>,
    answers: Vec<Answer>,
}

struct Answer {
    /// Where the file lies, as a number: it is compared first.
    place: u64,
    form: Form,
    case: Case,
    at: At,
    reach: Reach,
    held: Held,
}

/// A list that answers are kept of.
pub(super) struct Listed {
    list: usize,
    /// The test by the list that stands for all that are written alike.
    pub(super) test: TouchTest,
}

impl FileAnswers {
    /// Returns the list of a test; nothing where no answers are kept.
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

    /// Tells whether the answer about a file is known, so that it costs nothing.
    pub(super) fn knows(&self, listed: &Listed, target: &Target<'_>, file: &Touched) -> bool {
        self.known(listed, target, file, |_| ()).is_some()
    }

    /// Tests a file, as [`Target::file`] does.
    pub(super) fn test(&self, listed: &Listed, target: &Target<'_>, file: &Touched) -> Held {
        if let Some(held) = self.known(listed, target, file, Held::clone) {
            return held;
        }
        let budget = target.context.budget();
        let before = budget.refused();
        let held = target.file(file);
        let mut lists = self.lists.borrow_mut();
        let answers = lists.get_mut(listed.list).map(|known| &mut known.answers);
        // What was left out for want of work is told to whoever asks again: it is not kept.
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
                // Where no link leads elsewhere, both forms are one.
                && (answer.form == target.form || has_one_form(target))
        };
        lists.get(listed.list)?.answers.iter().find(is_same).map(|answer| take(&answer.held))
    }
}

/// Tells whether globs begin at the same directories in both forms of paths.
fn has_one_form(target: &Target<'_>) -> bool {
    target.context.roots_in(Form::Lexical) == target.context.roots_in(Form::Physical)
}

fn is_one_place(one: &At, other: &At) -> bool {
    match (one, other) {
        // As bytes: the names are compared one by one otherwise.
        (At::Path(one), At::Path(other)) => one.as_os_str() == other.as_os_str(),
        _ => one == other,
    }
}

/// Returns a number that places hardly ever share: how long the name is, and what it ends in. One of two that share it is
/// asked about anew.
fn place(at: &At) -> u64 {
    let name = match at {
        At::Path(path) => path.as_os_str().as_encoded_bytes(),
        At::Among { word, .. } => word.as_bytes(),
    };
    let end = name.last_chunk().map_or(0, |end| u64::from_le_bytes(*end));
    end.rotate_left(7).wrapping_add(name.len() as u64)
}
