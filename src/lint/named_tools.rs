//! A guard on files that leaves a way to them: by the tools that it does not name, or by what it does not look for.

use super::calls::{Call, selected};
use super::comparison::{Aim, Seen, each_test};
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Derived, Kind, Rule, Source, Test};
use crate::schema::Event;
use crate::syntax::ast::FileVerb;

pub(super) const LINT: Lint = Lint { codes: &[Code::OTHER_WAY_TO_FILE], check };

fn check(written: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    if !rule.can_deny || !rule.head.events.iter().all(|selector| selector.event == Event::PreToolUse) {
        return;
    }
    let mut of_path: Option<Seen<'_>> = None;
    let mut of_writing: Option<Seen<'_>> = None;
    let (mut has_other, mut deletes) = (false, false);
    each_test(rule, &mut |seen| match &seen.test.kind {
        Kind::Compare { source: Source::Derived(Derived::Path), all: false, test, .. }
            if seen.aim(rule) == Some(Aim::Stops) && names_files(test) =>
        {
            of_path = of_path.or(Some(seen));
        }
        Kind::Touches { verb: FileVerb::Writes, .. } if !seen.is_exception && seen.commands.is_none() => {
            of_writing = of_writing.or(Some(seen));
        }
        Kind::Touches { verb: FileVerb::Deletes, .. } => deletes = true,
        // What is asked beside it says that one tool is meant.
        _ => has_other = true,
    });
    if has_other {
        return;
    }
    if let Some(seen) = of_path {
        found.extend(by_commands(written, rule, seen));
    } else if let Some(seen) = of_writing.filter(|_| !deletes) {
        let test = written.text(seen.test.span);
        let help = match test.strip_prefix("writes ").filter(|test| !test.contains('\n') && test.len() < 40) {
            Some(test) => format!("add `or deletes {test}`, if it must not be removed either"),
            None => "add `deletes` with the same files, if they must not be removed either".to_owned(),
        };
        found.push(
            Diagnostic::new(Code::OTHER_WAY_TO_FILE, format!("`{}` lets its files be deleted", rule.name))
                .label(seen.test.span, "a file that is removed, or moved away, is not written")
                .help(help),
        );
    }
}

fn names_files(test: &Test) -> bool {
    matches!(test, Test::LikePath(_) | Test::Under(_) | Test::Outside(_) | Test::Equal(_) | Test::In(_))
}

/// Reports a guard on the path of some tools: a command does the same to the file.
fn by_commands(written: &Written<'_>, rule: &Rule, seen: Seen<'_>) -> Option<Diagnostic> {
    let calls: Vec<Call> =
        selected(rule)?.into_iter().map(|tool| Call { event: Event::PreToolUse, tool: Some(tool) }).collect();
    let touch = |verb| !calls.is_empty() && calls.iter().all(|call| !call.runs() && call.touches(verb));
    let verb = [FileVerb::Writes, FileVerb::Reads].into_iter().find(|verb| touch(*verb))?;
    let (word, other) = match verb {
        FileVerb::Reads => (verb.word(), "cat"),
        _ => (verb.word(), "tee"),
    };
    let finding =
        Diagnostic::new(Code::OTHER_WAY_TO_FILE, format!("`{}` does not see the files of commands", rule.name))
            .label(seen.test.span, format!("`{other} FILE` does the same, and passes this"));
    let is_of_files = matches!(
        &seen.test.kind,
        Kind::Compare { test: Test::LikePath(_) | Test::Under(_) | Test::Outside(_), negated: false, .. }
    );
    let test = written.comparison(seen.test).filter(|_| is_of_files).map(|it| written.text(it.behind_operand()));
    Some(finding.help(match test.filter(|test| test.len() < 40 && !test.contains('\n')) {
        Some(test) => format!("write `on PreToolUse` and `when {word} {test}`, if the file is meant and not the tool"),
        None => format!("write `on PreToolUse` and `{word} like …`, if the file is meant and not the tool"),
    }))
}
