//! Tests of translated globs: by examples, and by random comparison with the matching of conclaude.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use hookrules_shell::path::{NameCase, PathGlobs, Roots, TextGlobs};

#[test]
fn globs_on_paths_are_written_as_ours() {
    let table: &[(&str, &[&str])] = &[
        ("Cargo.lock", &["./Cargo.lock"]),
        ("./package.json", &["./package.json"]),
        ("./*.md", &["./*.md"]),
        ("./src/*.md", &["src/*.md"]),
        ("*.lock", &["*.lock"]),
        (".env*", &["./.env*", ".env*/**"]),
        ("*secret*", &["*secret*", "**/*secret*/**"]),
        ("src/**/*.ts", &["src/**/*.ts"]),
        ("src/*.ts", &["src/**/*.ts"]),
        ("src/gen*.ts", &["src/gen*.ts", "src/gen*/**/*.ts"]),
        ("src/gen*/x.ts", &["src/gen*/**/x.ts"]),
        ("*/x.ts", &["x.ts"]),
        ("docs/**", &["docs/**"]),
        ("docs/*", &["docs/**"]),
        ("**/dist/*", &["**/dist/**"]),
        ("dist/", &["dist/"]),
        ("*", &["**"]),
        ("/etc/*", &["/etc/**"]),
        ("~/.ssh/**", &["~/.ssh/**"]),
        ("{package,tsconfig}.json", &["./{package,tsconfig}.json"]),
        ("a{b", &["./a\\{b"]),
        ("!a", &["./!a"]),
        ("*/!a", &["\\!a"]),
        ("[^a]b", &["./[a^]b"]),
        ("[!a-c]?", &["./[!a-c]?"]),
        ("[*]", &["./\\*"]),
        ("a\\b", &["./a\\\\b"]),
    ];
    for (glob, expected) in table {
        check_glob(glob, GlobSubject::Path).unwrap_or_else(|problem| panic!("{glob}: {problem:?}"));
        assert_eq!(path_globs(glob), *expected, "{glob}");
        PathGlobs::new(&path_globs(glob)).unwrap_or_else(|problem| panic!("{glob}: {problem:?}"));
    }
}

#[test]
fn groups_are_written_out_where_our_globs_have_none() {
    for (glob, expected) in [
        ("{coder,tester}", &["coder", "tester"][..]),
        ("{test*,*coder}-{a,b}", &["test*-a", "test*-b", "*coder-a", "*coder-b"]),
        ("a{b,{c,d}}", &["ab", "ac", "ad"]),
        ("{,a}", &["a"]),
        ("x{,y}", &["x", "xy"]),
        ("[{,]x}", &["[{,]x}"]),
        ("{a}", &["[{]a}"]),
        ("{{a,b}}", &["[{]a}", "[{]b}"]),
    ] {
        assert_eq!(glob_selectors(glob), expected, "{glob}");
        assert_eq!(check_glob(glob, GlobSubject::Agent), Ok(()), "{glob}");
    }
    assert_eq!(path_globs("{src,lib}/*.{ts,js}"), ["{src,lib}/**/*.{ts,js}"]);
    assert_eq!(path_globs("{*.lock,docs/**}"), ["*.lock", "docs/**"]);
    assert_eq!(name_globs("{a,b}*"), ["a*", "b*"]);
    // In a command, braces belong to the shell and are no alternatives.
    assert_eq!(super::text_glob("rm {a,b}*"), "rm \\{a,b\\}*");
    assert_eq!(directory_globs("{dist,build/out}"), ["dist/**", "build/out/**"]);
    // Too many alternatives, and too many groups.
    assert!(check_glob(&"{a,b}".repeat(7), GlobSubject::Agent).is_err());
    assert!(check_glob(&"{".repeat(10_000), GlobSubject::Agent).is_err());
    assert!(check_glob(&"{a,".repeat(2_000), GlobSubject::Path).is_err());
}

#[test]
fn a_pattern_that_no_name_can_match_is_remarked_on() {
    for (glob, of, expected) in [
        ("coder", GlobSubject::Agent, 0),
        ("coder.*", GlobSubject::Agent, 0),
        ("my agent", GlobSubject::Agent, 0),
        ("{coder,tester}", GlobSubject::Agent, 1),
        ("coder,tester", GlobSubject::Agent, 1),
        ("coder|tester", GlobSubject::Agent, 1),
        ("^coder$", GlobSubject::Agent, 1),
        ("mcp__*", GlobSubject::Tool, 0),
        ("mcp__.*", GlobSubject::Tool, 1),
        ("Bash(git push:*)", GlobSubject::Tool, 1),
        ("{Read,W.*}", GlobSubject::Tool, 2),
        ("a,b", GlobSubject::Text, 0),
        ("{a,b}", GlobSubject::Text, 1),
        ("^git push", GlobSubject::Text, 1),
        ("a,b", GlobSubject::Path, 0),
        ("{a.rs,b.rs}", GlobSubject::Path, 1),
        ("*.lock,.env*", GlobSubject::Path, 1),
        ("^src/.*\\.ts$", GlobSubject::Path, 1),
        ("[,]", GlobSubject::Agent, 1),
        ("[,a]", GlobSubject::Agent, 0),
    ] {
        assert_eq!(remarks(glob, of).len(), expected, "{glob}: {:?}", remarks(glob, of));
    }
    assert!(["*", "Bash", "mcp__a__b-c"].iter().all(|name| remark_on_tool(name).is_none()));
    assert!(["Write|Edit", "mcp__*", "Bash(ls)", "{Read,Write}"].iter().all(|name| remark_on_tool(name).is_some()));
}

#[test]
fn a_directory_without_a_wildcard_means_what_is_below_it() {
    assert_eq!(directory_globs("dist"), ["dist/**"]);
    assert_eq!(directory_globs("dist/"), ["dist/**"]);
    assert_eq!(directory_globs("dist/*.js"), ["dist/**/*.js"]);
}

#[test]
fn what_conclaude_cannot_read_is_refused() {
    for glob in ["", " ", "a**", "***", "[a", "[", "[]", "[z-a]", "[^!]"] {
        assert!(check_glob(glob, GlobSubject::Path).is_err(), "{glob}");
        assert!(check_glob(glob, GlobSubject::Text).is_err(), "{glob}");
    }
}

#[test]
fn a_glob_on_paths_whose_stars_cover_too_much_is_refused_at_once() {
    for (stars, is_ok) in [(6, true), (7, false), (10_000, false)] {
        let glob = format!("{}x", "a*".repeat(stars));
        assert_eq!(check_glob(&glob, GlobSubject::Path).is_ok(), is_ok, "{stars}");
        // A command is one text.
        assert_eq!(check_glob(&format!("{}x", "a*".repeat(stars.min(100))), GlobSubject::Text), Ok(()));
    }
    assert!(check_glob(&["a*b*c"; 4].join("/"), GlobSubject::Path).is_err());
    assert!(path_globs("*a*b*c*").contains(&"**/*a*/**/*b*/**/*c*/**".to_owned()));
}

#[test]
fn a_selector_never_looks_like_a_regex() {
    for (glob, expected) in
        [("test.*", "test[.]*"), ("a$", "a[$]"), ("^a", "\\^a"), ("a{b}", "a[{]b}"), ("a|b", "a[|]b"), ("a,b", "a[,]b")]
    {
        assert_eq!(glob_selectors(glob), [expected], "{glob}");
        hookrules_shell::path::check_glob(expected).unwrap();
    }
    assert!(is_match("test.*", "test.a") && !is_match("test.*", "testa"));
}

/// Matches as conclaude does: `*` also matches slashes, and `**` between slashes matches whole names.
fn original(glob: &str, text: &str) -> bool {
    if glob == "**" {
        return true;
    }
    if let Some(rest) = glob.strip_prefix("**/") {
        let tails = text.match_indices('/').filter_map(|(at, _)| text.get(at + 1..));
        return std::iter::once(text).chain(tails).any(|tail| original(rest, tail));
    }
    let mut rest = glob.chars();
    match rest.next() {
        None => text.is_empty(),
        Some('*') => (0..=text.len()).filter_map(|at| text.get(at..)).any(|tail| original(rest.as_str(), tail)),
        Some(c) => text.strip_prefix(c).is_some_and(|tail| original(rest.as_str(), tail)),
    }
}

fn ours(globs: &[String], path: &str) -> bool {
    let project = PathBuf::from("/p");
    let roots = Roots { project: Some(project.clone()), ..Roots::default() };
    PathGlobs::new(globs).unwrap().matches(&project.join(path), &roots, NameCase::Exact)
}

fn name() -> impl Strategy<Value = String> {
    "[ab.*]{1,4}"
        .prop_filter("names that are no names", |name| !name.contains("**") && ![".", ".."].contains(&name.as_str()))
}

fn component() -> impl Strategy<Value = String> {
    prop_oneof![4 => name(), 1 => Just("**".to_owned())]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn a_translation_matches_what_the_original_matches(
        parts in prop::collection::vec(component(), 1..4),
        names in prop::collection::vec("[ab.]{1,3}".prop_filter("a name", |name| !name.starts_with('.')), 1..4),
    ) {
        let (glob, path) = (parts.join("/"), names.join("/"));
        let before = original(&glob, &path) || original(&glob, &format!("/p/{path}"));
        let after = ours(&path_globs(&glob), &path);
        prop_assert_eq!(before, after, "{} on {}: {:?}", glob, path, path_globs(&glob));
    }

    #[test]
    fn a_text_glob_matches_what_the_original_matches(glob in "[ab *]{1,6}", text in "[ab ]{0,6}") {
        prop_assume!(check_glob(&glob, GlobSubject::Text).is_ok());
        let ours = TextGlobs::new(&[super::text_glob(&glob)]).unwrap();
        prop_assert_eq!(original(&glob, &text), ours.matches(&text));
    }

    #[test]
    fn any_text_is_a_glob_of_ours_or_refused(glob in "\\PC{0,12}") {
        if check_glob(&glob, GlobSubject::Path).is_ok() {
            prop_assert!(PathGlobs::new(&path_globs(&glob)).is_ok(), "{:?}", path_globs(&glob));
            prop_assert!(TextGlobs::new(&name_globs(&glob)).is_ok());
            for selector in glob_selectors(&glob) {
                prop_assert!(hookrules_shell::path::check_glob(&selector).is_ok(), "{}", selector);
            }
        }
    }

    #[test]
    fn a_glob_without_wildcards_is_itself(text in "[a-z!{},\\\\ ]{1,8}") {
        prop_assume!(check_glob(&text, GlobSubject::Path).is_ok());
        let is_group = text.contains('{') && text.contains(',');
        prop_assert!(is_group || is_match(&text, &text));
        prop_assert!(TextGlobs::new(&[super::text_glob(&text)]).unwrap().matches(&text));
    }
}

#[test]
fn a_path_outside_of_the_project_is_met_by_a_glob_for_any_depth() {
    let roots = Roots { project: Some(PathBuf::from("/p")), ..Roots::default() };
    let globs = PathGlobs::new(&path_globs("*.lock")).unwrap();
    assert!(globs.matches(Path::new("/elsewhere/a.lock"), &roots, NameCase::Exact));
}
