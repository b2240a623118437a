//! The matches of paths, globs and selectors, also compared with globset as an oracle.

use globset::GlobBuilder;
use proptest::prelude::*;

use super::braces::are_paired;
use super::*;

fn roots() -> Roots {
    Roots {
        project: Some("/project".into()),
        worktrees: vec!["/trees/one".into()],
        home: Some("/home/user".into()),
        tmp: vec!["/tmp".into()],
    }
}

fn globs(patterns: &[&str]) -> PathGlobs {
    PathGlobs::new(&patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>()).unwrap()
}

fn problem(patterns: &[&str]) -> PatternError {
    PathGlobs::new(&patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>()).unwrap_err()
}

#[track_caller]
fn check(patterns: &[&str], matching: &[&str], other: &[&str]) {
    let list = globs(patterns);
    for path in matching {
        assert!(list.matches(Path::new(path), &roots(), NameCase::Exact), "{patterns:?} matches {path}");
        for dir in Path::new(path).ancestors() {
            assert!(list.may_match_below(dir, &roots(), NameCase::Exact), "{patterns:?} reaches below {dir:?}");
        }
    }
    for path in other {
        assert!(!list.matches(Path::new(path), &roots(), NameCase::Exact), "{patterns:?} does not match {path}");
    }
}

#[track_caller]
fn check_below(patterns: &[&str], reached: &[&str], other: &[&str]) {
    let list = globs(patterns);
    for dir in reached {
        assert!(list.may_match_below(Path::new(dir), &roots(), NameCase::Exact), "{patterns:?} reaches below {dir}");
    }
    for dir in other {
        assert!(!list.may_match_below(Path::new(dir), &roots(), NameCase::Exact), "{patterns:?} stays out of {dir}");
    }
}

#[track_caller]
fn check_normal(text: &str, wanted: &str) {
    let path = normalise(text, Path::new("/project/sub"), Some(Path::new("/home/user")));
    assert_eq!(path.to_str(), Some(wanted), "{text}");
}

#[test]
fn texts_become_absolute_paths() {
    check_normal("a.rs", "/project/sub/a.rs");
    check_normal("./a//b/./c/", "/project/sub/a/b/c");
    check_normal("../a", "/project/a");
    check_normal("../../../../etc/x", "/etc/x");
    check_normal("/a/../../b", "/b");
    check_normal("//etc///passwd", "/etc/passwd");
    check_normal("", "/project/sub");
    check_normal("/", "/");
    check_normal("a\0b", "/project/sub/a\0b");
}

#[test]
fn home_is_written_in_four_ways() {
    check_normal("~", "/home/user");
    check_normal("~/.ssh/id", "/home/user/.ssh/id");
    check_normal("$HOME/x", "/home/user/x");
    check_normal("${HOME}//x/..", "/home/user");
    check_normal("~/../other", "/home/other");
    check_normal("~other/x", "/project/sub/~other/x");
    check_normal("$HOMER/x", "/project/sub/$HOMER/x");
    check_normal("a/~/x", "/project/sub/a/~/x");
    assert_eq!(normalise("~/x", Path::new("/w"), None), Path::new("/w/~/x"));
}

#[test]
fn containment_is_component_wise() {
    let inside = |dir: &str, path: &str| contains(Path::new(dir), Path::new(path));
    assert!(inside("/a/b", "/a/b"));
    assert!(inside("/a/b", "/a/b/c"));
    assert!(!inside("/a/b", "/a/bc"));
    assert!(!inside("/a/b/c", "/a/b"));
    assert!(!contains_by_case(Path::new("/A/b"), Path::new("/a/B/c"), NameCase::Exact));
    assert!(contains_by_case(Path::new("/A/b"), Path::new("/a/B/c"), NameCase::Folded));
}

#[test]
fn a_glob_without_a_slash_matches_at_any_depth_and_anywhere() {
    check(&[".env"], &["/project/.env", "/project/a/.env", "/elsewhere/.env"], &["/project/.envrc", "/project/.env/x"]);
    check(&["*.pem"], &["/project/a.pem", "/etc/ssl/.hidden.pem"], &["/project/a.pem.txt", "/project/a.pem/x"]);
    check(&["*"], &["/x", "/a/b"], &["/"]);
    check(&["**"], &["/x", "/a/b", "/"], &[]);
}

#[test]
fn a_leading_double_star_matches_at_any_depth_and_anywhere() {
    check(&["**/*.pem"], &["/a.pem", "/project/x/a.pem"], &["/project/a.txt"]);
    check(&["**/gen/*.rs"], &["/gen/a.rs", "/project/x/gen/a.rs"], &["/project/gen/x/a.rs"]);
    check(&["**/gen/**"], &["/project/gen/a", "/gen/x/y"], &["/project/gen"]);
}

#[test]
fn a_leading_slash_or_tilde_is_absolute() {
    check(&["/etc/*"], &["/etc/passwd"], &["/etc", "/etc/a/b", "/project/etc/passwd"]);
    check(&["~/.ssh/**"], &["/home/user/.ssh/id", "/home/user/.ssh/a/b"], &["/home/user/.ssh", "/home/other/.ssh/id"]);
    check(&["$HOME/.netrc"], &["/home/user/.netrc"], &["/project/.netrc"]);
    check(&["~"], &["/home/user"], &["/home/user/x"]);
    check(&["/**"], &["/a", "/a/b"], &["/"]);
}

#[test]
fn any_other_glob_begins_at_the_project_and_its_worktrees() {
    check(
        &["src/**"],
        &["/project/src/a", "/trees/one/src/a/b"],
        &["/project/x/src/a", "/elsewhere/src/a", "/project/src"],
    );
    check(&["./*"], &["/project/a", "/project/.a", "/trees/one/a"], &["/project/a/b", "/a"]);
    check(&["src/**/*.rs"], &["/project/src/a.rs", "/project/src/x/y/a.rs"], &["/project/a.rs"]);
    check(&["build/"], &["/project/build/x"], &["/project/build", "/project/x/build/y"]);
    check(&["../shared/*"], &["/shared/a"], &["/project/shared/a"]);
    assert!(!globs(&["src/**"]).matches(Path::new("/src/a"), &Roots::default(), NameCase::Exact));
}

#[test]
fn stars_stay_within_a_component_and_double_stars_do_not() {
    check(&["a/*/c"], &["/project/a/b/c"], &["/project/a/c", "/project/a/b/b/c"]);
    check(&["a/**/c"], &["/project/a/c", "/project/a/b/c", "/project/a/b/b/c"], &["/project/a/b", "/project/a/bc"]);
    check(&["a/**/b/**/c"], &["/project/a/b/c", "/project/a/b/b/x/c"], &["/project/a/c"]);
    check(&["a?.rs"], &["/ab.rs", "/aé.rs"], &["/a.rs", "/abc.rs"]);
    check(&["a**b"], &["/ab", "/axxb"], &["/a/b"]);
}

#[test]
fn classes_hold_characters_and_ranges() {
    check(&["[ab]x"], &["/ax", "/bx"], &["/cx"]);
    check(&["[!a-c]x"], &["/dx", "/éx"], &["/ax", "/bx"]);
    check(&["[]x]y"], &["/]y", "/xy"], &["/ay"]);
    check(&["[a-]y"], &["/-y", "/ay"], &["/by"]);
    check(&["[*]"], &["/*"], &["/a"]);
    check(&["a\\*"], &["/a*"], &["/ab"]);
}

#[test]
fn alternatives_stand_for_a_list() {
    check(&["{src,crates}/**/*.{rs,toml}"], &["/project/src/a.rs", "/project/crates/x/y.toml"], &["/project/src/a.md"]);
    check(&["{.env,~/.ssh/**}"], &["/x/.env", "/home/user/.ssh/a"], &["/project/.ssh/a"]);
    check(&["a{,b{c,d}}"], &["/a", "/abc", "/abd"], &["/ab"]);
    check(&["[{]x", "\\{y"], &["/{x", "/{y"], &["/x"]);
}

#[test]
fn the_last_entry_that_matches_decides() {
    check(&[".env*", "!.env.example"], &["/.env", "/a/.env.local"], &["/.env.example", "/x"]);
    check(&["*", "!a", "a"], &["/a"], &[]);
    check(&["!a", "*"], &["/a", "/b"], &[]);
    check(
        &["src/**", "!src/gen/**", "src/gen/keep"],
        &["/project/src/a", "/project/src/gen/keep"],
        &["/project/src/gen/x"],
    );
}

#[test]
fn a_recursive_effect_is_seen_from_above_and_from_within() {
    check_below(
        &["~/.ssh/**"],
        &["/", "/home", "/home/user", "/home/user/.ssh", "/home/user/.ssh/x"],
        &["/project", "/home/other"],
    );
    check_below(
        &["src/**"],
        &["/project", "/project/src", "/project/src/a", "/trees", "/"],
        &["/elsewhere", "/project/doc", "/project/srcs"],
    );
    check_below(&["src/*.rs"], &["/project/src", "/project/src/a.rs"], &["/project/src/a", "/project/src/a.rs/x"]);
    check_below(&["a/**/b"], &["/project/a/x/y"], &["/project/b"]);
    check_below(&[".env"], &["/anywhere"], &[]);
}

#[test]
fn an_exclusion_that_covers_a_directory_ends_the_search() {
    check_below(&["src/**", "!src/gen/**"], &["/project/src"], &["/project/src/gen", "/project/src/gen/x"]);
    check_below(&["src/**", "!src/gen/**", "src/gen/keep"], &["/project/src/gen"], &["/project/src/gen/x"]);
    check_below(&["**", "!**/target/**"], &["/project"], &["/project/target", "/x/target/debug"]);
    check_below(&[".env", "!.env.example"], &["/project"], &[]);
}

#[test]
fn folded_names_compare_without_case_and_normal_form() {
    let folded = |pattern: &str, path: &str| globs(&[pattern]).matches(Path::new(path), &roots(), NameCase::Folded);
    assert!(folded(".ENV", "/project/.env"));
    assert!(folded("caf\u{e9}", "/Cafe\u{301}"));
    assert!(folded("[A-C]x?Z", "/bXyz"));
    assert!(!folded("[!A-C]x", "/bX"));
    assert!(folded("SRC/**", "/PROJECT/src/A"));
    assert!(folded(".\u{17f}sh", "/.SSH"));
    assert!(!globs(&[".ENV"]).matches(Path::new("/project/.env"), &roots(), NameCase::Exact));
    assert!(globs(&["SRC/**"]).may_match_below(Path::new("/Project"), &roots(), NameCase::Folded));
}

#[test]
fn mistakes_name_the_entry() {
    assert_eq!(problem(&["a", "[b"]).index, 1);
    assert_eq!(problem(&["a", "{b"]).problem, PatternProblem::Syntax);
    assert_eq!(problem(&["a", "b}"]).index, 1);
    assert_eq!(problem(&["[z-a]"]).problem, PatternProblem::Syntax);
    assert_eq!(problem(&["a\\"]).problem, PatternProblem::Syntax);
    assert_eq!(problem(&[""]).problem, PatternProblem::Syntax);
    assert_eq!(problem(&["!a", "!b"]).problem, PatternProblem::ExclusionsOnly);
    assert_eq!(problem(&[]).problem, PatternProblem::Empty);
    assert!(problem(&["{a,b}".repeat(9).as_str()]).message.contains("256"));
}

#[test]
fn text_globs_cross_everything() {
    let list =
        |patterns: &[&str]| TextGlobs::new(&patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>()).unwrap();
    assert!(list(&["https://*.example.com/*"]).matches("https://a.b.example.com/x/y"));
    assert!(list(&["release/*", "!release/old*"]).matches("release/1/2"));
    assert!(!list(&["release/*", "!release/old*"]).matches("release/old/2"));
    assert!(list(&["*\nb?"]).matches("a\nb\n"));
    assert!(list(&["{main,master}"]).matches("master"));
    assert!(!list(&["Main"]).matches("main"));
    assert!(list(&["a*b*c*d"]).matches("a b c b c x d"));
    assert!(!list(&["a*bc"]).matches("abcb"));
}

#[test]
fn text_globs_stay_fast_on_long_texts() {
    let list = TextGlobs::new(&["*a*a*a*a*a*a*b".to_owned()]).unwrap();
    assert!(!list.matches(&"a".repeat(20_000)));
}

#[test]
fn a_plain_glob_takes_braces_as_text() {
    assert!(glob_matches("Web[FS]e*", "WebFetch"));
    assert!(glob_matches("{a}*", "{a}b"));
    assert!(!glob_matches("Bash", "bash"));
    assert!(check_glob("mcp__*").is_ok());
    assert!(check_glob("[a").is_err());
    assert!(check_glob("").is_err());
}

proptest! {
    #[test]
    fn absolute_globs_match_what_globset_matches(
        pattern in "(/(\\*\\*|[ab*?]{1,3}|\\[ab\\]|\\{a,b\\*\\})){1,4}",
        path in "(/[ab]{1,3}){1,5}",
    ) {
        // Within a component, both treat `**` as `*`; globset also reads `a**/` so.
        let oracle = GlobBuilder::new(&pattern).literal_separator(true).build().unwrap().compile_matcher();
        let ours = globs(&[&pattern]).matches(Path::new(&path), &roots(), NameCase::Exact);
        prop_assert_eq!(ours, oracle.is_match(&path), "{} on {}", pattern, path);
    }

    #[test]
    fn braces_are_right_where_globset_says_so(pattern in "[a,{}*?!/-]{1,12}") {
        let is_glob = GlobBuilder::new(&pattern).literal_separator(true).empty_alternates(true).build().is_ok();
        prop_assert_eq!(are_paired(&pattern), is_glob, "{}", pattern);
    }

    #[test]
    fn whatever_matches_is_reached_from_every_directory_above(
        patterns in proptest::collection::vec("!?(/?(\\*\\*|[ab*?]{1,2})){1,4}", 1..4),
        path in "(/[ab]{1,2}){1,4}",
    ) {
        if let Ok(list) = PathGlobs::new(&patterns) {
            let path = Path::new(&path);
            if list.matches(path, &roots(), NameCase::Exact) {
                // `!D/**` counts D itself, with respect to D and everything below it.
                let own = usize::from(patterns.iter().any(|pattern| pattern.starts_with('!')));
                for dir in path.ancestors().skip(own) {
                    prop_assert!(list.may_match_below(dir, &roots(), NameCase::Exact), "{:?} below {:?}", patterns, dir);
                }
            }
        }
    }

    #[test]
    fn whatever_matches_may_match_by_its_last_name(
        patterns in proptest::collection::vec("!?(/?(\\*\\*|[abB*?]{1,3})){1,4}", 1..4),
        path in "(/[abB]{1,2}){1,4}",
    ) {
        if let Ok(list) = PathGlobs::new(&patterns) {
            let (path, roots) = (Path::new(&path), roots());
            let directory = path.parent().expect("the path has a name");
            let name = path.file_name().and_then(|name| name.to_str()).expect("it is text");
            for case in [NameCase::Exact, NameCase::Folded] {
                if list.matches(path, &roots, case) {
                    let names = list.last_names(&roots, case);
                    prop_assert!(names.may_match(directory, name), "{:?} has {:?}", patterns, path);
                    // Knowledge about one directory is not used for another.
                    let _ = names.may_match(Path::new("/other"), name);
                    prop_assert!(names.may_match(directory, name), "{:?} has {:?}", patterns, path);
                }
            }
        }
    }

    #[test]
    fn what_a_path_may_be_is_what_its_unknown_parts_can_make_of_it(
        pattern in "/?(\\*\\*/)?([ab*?]{1,4}/){0,2}[ab*?]{1,4}",
        // Each part, with its kind.
        parts in proptest::collection::vec((0..6_usize, "[ab]{0,3}"), 1..7),
    ) {
        let mut path = String::from("/project/");
        let mut pieces = vec![PathPiece::Text("/project/")];
        for (kind, text) in &parts {
            let (piece, text) = match kind {
                0 | 1 => (PathPiece::Text(text), text.as_str()),
                2 => (PathPiece::Text("/"), "/"),
                3 => (PathPiece::Name, text.as_str()),
                4 => (PathPiece::Plain, text.as_str()),
                _ => (PathPiece::One, "b"),
            };
            pieces.push(piece);
            path.push_str(text);
        }
        // No glob matches an empty name.
        let has_names = !path.contains("//") && !path.ends_with('/');
        let shape = PathShape::new(None, pieces);
        let path = normalise(&path, Path::new("/"), None);
        if let (Ok(list), true) = (PathGlobs::new(std::slice::from_ref(&pattern)), has_names) {
            let mut steps = 0;
            let fit = list.test_shape(&shape, &roots(), NameCase::Exact, &mut steps);
            let impossible = if list.matches(&path, &roots(), NameCase::Exact) { Possibility::Never } else { Possibility::Always };
            prop_assert_ne!(fit, impossible, "{} on {:?}, which may be {:?}", pattern, shape, path);
            prop_assert!(steps > 0);
            prop_assert_eq!(list.test_shape(&shape, &roots(), NameCase::Folded, &mut steps), fit);
        }
    }

    #[test]
    fn any_text_is_a_pattern_or_a_mistake(pattern in "\\PC{0,12}", path in "(/\\PC{0,4}){1,3}") {
        if let Ok(list) = PathGlobs::new(std::slice::from_ref(&pattern)) {
            let _ = list.matches(Path::new(&path), &roots(), NameCase::Folded);
            let _ = list.may_match_below(Path::new(&path), &roots(), NameCase::Exact);
        }
        let _ = glob_matches(&pattern, &path);
    }

    // The path that it is compared with has the separators of the machine.
    #[test]
    #[cfg(unix)]
    fn a_path_is_what_its_names_make_of_the_directory(
        text in "(/|~/)?([.a~]{0,2}/?){0,4}",
        cwd in "/|/w|/w/v|/w/../v|/w//v/?|/w/[.]|w",
    ) {
        let home = Path::new("/h");
        let (start, rest) = match text.strip_prefix("~/").or_else(|| (text == "~").then_some("")) {
            Some(rest) => (home, rest.trim_start_matches('/')),
            None => (Path::new(&cwd), text.as_str()),
        };
        let mut expected = PathBuf::from("/");
        for component in start.components().chain(Path::new(rest).components()) {
            match component {
                std::path::Component::ParentDir => drop(expected.pop()),
                std::path::Component::CurDir => {}
                other => expected.push(other),
            }
        }
        prop_assert_eq!(normalise(&text, Path::new(&cwd), Some(home)).into_os_string(), expected.into_os_string());
    }

    #[test]
    fn normal_paths_are_absolute_and_stay_as_they_are(text in "[a./~$ ]{0,16}") {
        let once = normalise(&text, Path::new("/w"), Some(Path::new("/h")));
        prop_assert!(once.has_root());
        prop_assert_eq!(normalise(&once.to_string_lossy(), Path::new("/other"), None), once);
    }

    #[test]
    fn a_list_that_was_kept_is_the_list(
        patterns in proptest::collection::vec("!?(~/|/|\\.\\./)?[ab*?/\\[\\]{},é\\\\.]{1,8}/?", 1..4),
        path in "(/[abé.]{1,3}){1,4}",
    ) {
        if let Ok(list) = PathGlobs::new(&patterns) {
            let mut bytes = Vec::new();
            list.encode(&mut bytes);
            let kept = PathGlobs::decode(&bytes).unwrap();
            prop_assert_eq!(&kept, &list);
            let (path, roots) = (Path::new(&path), roots());
            for case in [NameCase::Exact, NameCase::Folded] {
                prop_assert_eq!(kept.matches(path, &roots, case), list.matches(path, &roots, case));
                prop_assert_eq!(kept.may_match_below(path, &roots, case), list.may_match_below(path, &roots, case));
            }
            prop_assert_eq!(kept.required(), list.required());
            for end in 0..bytes.len() {
                prop_assert!(PathGlobs::decode(bytes.get(..end).unwrap()).is_none(), "cut at {end}");
            }
        }
        if let Ok(list) = TextGlobs::new(&patterns) {
            let mut bytes = Vec::new();
            list.encode(&mut bytes);
            let kept = TextGlobs::decode(&bytes).unwrap();
            prop_assert_eq!(&kept, &list);
            prop_assert_eq!(kept.matches(&path), list.matches(&path));
        }
    }

    #[test]
    fn bytes_that_nobody_wrote_make_no_trouble(bytes: Vec<u8>) {
        let _ = PathGlobs::decode(&bytes).map(|list| list.matches(Path::new("/a/b"), &roots(), NameCase::Folded));
        let _ = TextGlobs::decode(&bytes).map(|list| list.matches("a"));
    }
}

#[test]
fn what_two_dots_take_back_is_not_kept() {
    let list = globs(&["a-name-of-some-length/../../b*/x", "!b?/../c"]);
    let mut bytes = Vec::new();
    list.encode(&mut bytes);
    let kept = PathGlobs::decode(&bytes).unwrap();
    assert_eq!(kept, list);
    assert!(kept.matches(Path::new("/bc/x"), &roots(), NameCase::Exact));
}
