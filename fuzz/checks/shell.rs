//! Any text as shell text: the analysis ends, its places and ids are valid, who asks about its commands gets answers, and
//! what an edit makes of it is a text again.

use std::path::Path;
use std::sync::LazyLock;

use hookrules_shell::path::Roots;
use hookrules_shell::{Analysis, Edit, FileAccess, Pattern, RepositoryFact, Start, Verb, Word, analyse, file_accesses};

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

/// Panics where that is not so.
pub fn check(text: &str) {
    let start = Start { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) };
    let analysis = analyse(text, &start);
    holds(text, &analysis);
    ask(&analysis);
    for edit in EDITS.iter() {
        let edited = edit.apply(text, &analysis, &start);
        if let Ok(Some(edited)) = &edited {
            assert_ne!(edited, text);
            holds(edited, &analyse(edited, &start));
        }
        if !edit.concerns(&analysis) {
            assert_eq!(edited, Ok(None));
        }
    }
}

/// Places are within the text, ids are commands' that do not run in themselves, and the same text is the same analysis.
fn holds(text: &str, analysis: &Analysis) {
    let count = analysis.commands.len();
    for (id, command) in analysis.iter() {
        for ids in [&command.via, &command.piped_from, &command.piped_to, &command.stdin_from, &command.code_from] {
            assert!(ids.iter().all(|id| id.index() < count), "{command:?}");
        }
        assert!(command.via.iter().all(|outer| *outer < id), "{command:?}");
        let words = command.words.iter().filter_map(|word| word.span.clone());
        for span in words.chain(command.span.clone()) {
            assert!(text.get(span).is_some(), "{command:?}");
        }
        command.words.iter().for_each(is_normal);
    }
    assert!(analysis.opaque.iter().all(|opaque| opaque.by.is_none_or(|id| id.index() < count)));
}

/// Two texts of a word are one, and an empty one is none.
fn is_normal(word: &Word) {
    let text = |at: usize| word.parts.get(at).and_then(|part| part.text());
    assert!((0..word.parts.len()).all(|at| text(at) != Some("") && (text(at).is_none() || text(at + 1).is_none())));
}

/// Asks what a policy can ask of each command.
fn ask(analysis: &Analysis) {
    let changes = analysis.repository_changes();
    for (id, command) in analysis.iter() {
        for pattern in PATTERNS.iter() {
            let _ = pattern.runs(command);
            let _ = pattern.only(command, &Roots::default());
        }
        for FileAccess { verb, path, .. } in file_accesses(analysis, command) {
            assert!(matches!(verb, Verb::Reads | Verb::Writes | Verb::Deletes));
            is_normal(&path);
        }
        let _ = (command.program(), command.operands(), command.option("-m"), command.input());
        let _ = (command.push_target(Some("main"), None), command.directory(), command.variable("PATH"));
        for said in RepositoryFact::ALL {
            let _ = changes.before(id, command, said);
        }
    }
}
