//! Any text as shell text: the analysis terminates, its places and ids are valid, queries about its commands have
//! answers, and the result of an edit can be analysed too.

use std::path::Path;
use std::sync::LazyLock;

use hookrules_shell::files::{FileAccess, Verb};
use hookrules_shell::path::Roots;
use hookrules_shell::repository::RepositoryFact;
use hookrules_shell::{Analysis, Edit, Pattern, StartDirectories, Word, analyse, file_accesses};

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let texts = ["git push (--force|--mirror) !--dry-run", "rm -rf *", "* a* --b=c", "curl|wget !*", "x -- y"];
    texts.map(|text| Pattern::new(text).expect("a pattern")).into()
});

static EDITS: LazyLock<Vec<Edit>> = LazyLock::new(|| {
    let edits = [
        ("git push --force", "git push --force-with-lease"),
        ("rm", "trash"),
        ("git -C a status", "git log -p"),
        ("a", "b c"),
    ];
    edits.map(|(from, to)| Edit::new(from, to).expect("an edit")).into()
});

/// Panics if this does not hold.
pub fn check(text: &str) {
    let start = StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) };
    let analysis = analyse(text, &start);
    holds(text, &analysis);
    ask(&analysis);
    for edit in EDITS.iter() {
        let edited = edit.apply(text, &analysis, &start);
        if let Ok(Some(edited)) = &edited {
            assert_ne!(edited, text);
            holds(edited, &analyse(edited, &start));
        }
        if !edit.can_apply(&analysis) {
            assert_eq!(edited, Ok(None));
        }
    }
}

/// Checks that places are within the text, that ids refer to commands that do not run in themselves, and that adjacent
/// texts of words are merged.
fn holds(text: &str, analysis: &Analysis) {
    let count = analysis.commands.len();
    for (id, command) in analysis.iter() {
        for ids in
            [&command.outer_commands, &command.piped_from, &command.piped_to, &command.stdin_from, &command.code_from]
        {
            assert!(ids.iter().all(|id| id.index() < count), "{command:?}");
        }
        assert!(command.outer_commands.iter().all(|outer| *outer < id), "{command:?}");
        let words = command.words.iter().filter_map(|word| word.span.clone());
        for span in words.chain(command.span.clone()) {
            assert!(text.get(span).is_some(), "{command:?}");
        }
        command.words.iter().for_each(is_normal);
    }
    assert!(analysis.opaque.iter().all(|opaque| opaque.runner.is_none_or(|id| id.index() < count)));
}

/// Checks that a word has no empty text, and no two adjacent texts.
fn is_normal(word: &Word) {
    let text = |at: usize| word.parts.get(at).and_then(|part| part.text());
    assert!((0..word.parts.len()).all(|at| text(at) != Some("") && (text(at).is_none() || text(at + 1).is_none())));
}

/// Queries everything that a policy can ask of each command.
fn ask(analysis: &Analysis) {
    let changes = analysis.repository_changes();
    for (id, command) in analysis.iter() {
        for pattern in PATTERNS.iter() {
            let _ = pattern.runs(command);
            let _ = pattern.runs_only(command, &Roots::default());
        }
        for FileAccess { verb, path, .. } in file_accesses(analysis, command) {
            assert!(matches!(verb, Verb::Reads | Verb::Writes | Verb::Deletes));
            is_normal(&path);
        }
        let _ = (command.program(), command.operands(), command.option("-m"), command.input());
        let _ = (command.push_target(Some("main"), None), command.directory(), command.variable("PATH"));
        for said in RepositoryFact::ALL {
            let _ = changes.earlier_change(analysis, id, said);
        }
    }
}
