//! Translations by example, and by random comparison with conclaude's own matching.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use hookrules_shell::path::{Case, PathGlobs, Roots, TextGlobs};

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
        check(glob, Of::Path).unwrap_or_else(|problem| panic!("{glob}: {problem:?}"));
        assert_eq!(paths(glob), *expected, "{glob}");
        PathGlobs::new(&paths(glob)).unwrap_or_else(|problem| panic!("{glob}: {problem:?}"));
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
        assert_eq!(selectors(glob), expected, "{glob}");
        assert_eq!(check(glob, Of::Agent), Ok(()), "{glob}");
    }
    assert_eq!(paths("{src,lib}/*.{ts,js}"), ["{src,lib}/**/*.{ts,js}"]);
    assert_eq!(paths("{*.lock,docs/**}"), ["*.lock", "docs/**"]);
    assert_eq!(names("{a,b}*"), ["a*", "b*"]);
    // In a command, braces are the shell's.
    assert_eq!(super::text("rm {a,b}*"), "rm \\{a,b\\}*");
    assert_eq!(directories("{dist,build/out}"), ["dist/**", "build/out/**"]);
    // Too many alternatives, and too many groups.
    assert!(check(&"{a,b}".repeat(7), Of::Agent).is_err());
    assert!(check(&"{".repeat(10_000), Of::Agent).is_err());
    assert!(check(&"{a,".repeat(2_000), Of::Path).is_err());
}

#[test]
fn a_pattern_that_no_name_can_match_is_remarked_on() {
    for (glob, of, expected) in [
        ("coder", Of::Agent, 0),
        ("coder.*", Of::Agent, 0),
        ("my agent", Of::Agent, 0),
        ("{coder,tester}", Of::Agent, 1),
        ("coder,tester", Of::Agent, 1),
        ("coder|tester", Of::Agent, 1),
        ("^coder$", Of::Agent, 1),
        ("mcp__*", Of::Tool, 0),
        ("mcp__.*", Of::Tool, 1),
        ("Bash(git push:*)", Of::Tool, 1),
        ("{Read,W.*}", Of::Tool, 2),
        ("a,b", Of::Text, 0),
        ("{a,b}", Of::Text, 1),
        ("^git push", Of::Text, 1),
        ("a,b", Of::Path, 0),
        ("{a.rs,b.rs}", Of::Path, 1),
        ("*.lock,.env*", Of::Path, 1),
        ("^src/.*\\.ts$", Of::Path, 1),
        ("[,]", Of::Agent, 1),
        ("[,a]", Of::Agent, 0),
    ] {
        assert_eq!(remarks(glob, of).len(), expected, "{glob}: {:?}", remarks(glob, of));
    }
    assert!(["*", "Bash", "mcp__a__b-c"].iter().all(|name| remark_on_tool(name).is_none()));
    assert!(["Write|Edit", "mcp__*", "Bash(ls)", "{Read,Write}"].iter().all(|name| remark_on_tool(name).is_some()));
}

#[test]
fn a_directory_without_a_wildcard_means_what_is_below_it() {
    assert_eq!(directories("dist"), ["dist/**"]);
    assert_eq!(directories("dist/"), ["dist/**"]);
    assert_eq!(directories("dist/*.js"), ["dist/**/*.js"]);
}

#[test]
fn what_conclaude_cannot_read_is_refused() {
    for glob in ["", " ", "a**", "***", "[a", "[", "[]", "[z-a]", "[^!]"] {
        assert!(check(glob, Of::Path).is_err(), "{glob}");
        assert!(check(glob, Of::Text).is_err(), "{glob}");
    }
}

#[test]
fn a_glob_on_paths_whose_stars_cover_too_much_is_refused_at_once() {
    for (stars, is_ok) in [(6, true), (7, false), (10_000, false)] {
        let glob = format!("{}x", "a*".repeat(stars));
        assert_eq!(check(&glob, Of::Path).is_ok(), is_ok, "{stars}");
        // A command is one text.
        assert_eq!(check(&format!("{}x", "a*".repeat(stars.min(100))), Of::Text), Ok(()));
    }
    assert!(check(&["a*b*c"; 4].join("/"), Of::Path).is_err());
    assert!(paths("*a*b*c*").contains(&"**/*a*/**/*b*/**/*c*/**".to_owned()));
}

#[test]
fn a_selector_never_looks_like_a_regex() {
    for (glob, expected) in
        [("test.*", "test[.]*"), ("a$", "a[$]"), ("^a", "\\^a"), ("a{b}", "a[{]b}"), ("a|b", "a[|]b"), ("a,b", "a[,]b")]
    {
        assert_eq!(selectors(glob), [expected], "{glob}");
        hookrules_shell::path::check_glob(expected).unwrap();
    }
    assert!(matches("test.*", "test.a") && !matches("test.*", "testa"));
}

/// Matches as conclaude does: `*` matches slashes too, `**` between slashes matches whole names.
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
    PathGlobs::new(globs).unwrap().matches(&project.join(path), &roots, Case::Exact)
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
        let after = ours(&paths(&glob), &path);
        prop_assert_eq!(before, after, "{} on {}: {:?}", glob, path, paths(&glob));
    }

    #[test]
    fn a_text_glob_matches_what_the_original_matches(glob in "[ab *]{1,6}", text in "[ab ]{0,6}") {
        prop_assume!(check(&glob, Of::Text).is_ok());
        let ours = TextGlobs::new(&[super::text(&glob)]).unwrap();
        prop_assert_eq!(original(&glob, &text), ours.matches(&text));
    }

    #[test]
    fn any_text_is_a_glob_of_ours_or_refused(glob in "\\PC{0,12}") {
        if check(&glob, Of::Path).is_ok() {
            prop_assert!(PathGlobs::new(&paths(&glob)).is_ok(), "{:?}", paths(&glob));
            prop_assert!(TextGlobs::new(&names(&glob)).is_ok());
            for selector in selectors(&glob) {
                prop_assert!(hookrules_shell::path::check_glob(&selector).is_ok(), "{}", selector);
            }
        }
    }

    #[test]
    fn a_glob_without_wildcards_is_itself(text in "[a-z!{},\\\\ ]{1,8}") {
        prop_assume!(check(&text, Of::Path).is_ok());
        let is_group = text.contains('{') && text.contains(',');
        prop_assert!(is_group || matches(&text, &text));
        prop_assert!(TextGlobs::new(&[super::text(&text)]).unwrap().matches(&text));
    }
}

#[test]
fn a_path_outside_of_the_project_is_met_by_a_glob_for_any_depth() {
    let roots = Roots { project: Some(PathBuf::from("/p")), ..Roots::default() };
    let globs = PathGlobs::new(&paths("*.lock")).unwrap();
    assert!(globs.matches(Path::new("/elsewhere/a.lock"), &roots, Case::Exact));
}
