//! Only `src/platform` names an operating system; the crate `hookrules-shell`, which only reads texts, names none at
//! all.

use std::path::Path;

use crate::source::{code, files, is_test_file, read, sources};

/// What code names only if it is about one system: modules of std, crates, and conditions for the compiler.
const NAMES: &[&str] = &[
    "std::os::",
    "os::unix",
    "os::windows",
    "nix::",
    "libc::",
    "rustix::",
    "sigchld::",
    "signal_hook::",
    "winapi_util::",
    "windows_sys::",
    "known_folders::",
    "cfg(unix",
    "cfg(windows",
    "cfg!(unix",
    "cfg!(windows",
    "target_os",
    "MAIN_SEPARATOR",
    "target_family",
];

/// The files that name a system although they are elsewhere, with the reason.
const ELSEWHERE: &[(&str, &str)] = &[
    ("src/main.rs", "only the program itself can choose its allocator"),
    ("shell/src/path/drives.rs", "a stated project may be on a drive, and then the machine has none"),
    ("shell/src/path.rs", "`std::path` joins with the separator of the machine, and policies are written with slashes"),
];

#[test]
fn only_the_seam_names_an_operating_system() {
    let mut found = Vec::new();
    let (mut seam, mut elsewhere) = (0, Vec::new());
    for path in sources().iter().filter(|path| !is_test_file(path)) {
        let names = names_in(&code(&read(path)));
        if path.starts_with("src/platform") || path.as_path() == Path::new("src/platform.rs") {
            seam += names.len();
        } else if let Some((path, _)) = ELSEWHERE.iter().find(|(file, _)| path == Path::new(file)) {
            elsewhere.extend((!names.is_empty()).then_some(*path));
        } else {
            found.extend(names.iter().map(|(line, name)| format!("{}:{line}: `{name}`", path.display())));
        }
    }
    assert!(found.is_empty(), "call `platform`, and add there what it lacks: {found:#?}");
    assert!(seam > 20, "the seam names only {seam}");
    let exceptions: Vec<&str> = ELSEWHERE.iter().map(|(path, _)| *path).collect();
    assert_eq!(elsewhere, exceptions, "an exception is no longer needed");
}

/// Both systems have the same modules, so that a module that is missing is noticed without a compiler for the other.
#[test]
fn both_systems_have_the_same_public_modules() {
    let modules = |system: &str| {
        let text = code(&read(format!("src/platform/{system}.rs")));
        let modules = text.lines().filter(|line| line.starts_with("pub")).map(str::to_owned);
        modules.collect::<Vec<_>>()
    };
    assert_eq!(modules("unix"), modules("windows"));
    assert!(modules("unix").len() > 8);
}

/// The list of `.ci/windows tests` names each test that is compiled on Unix only, so that it says what Windows lacks.
#[test]
fn tests_that_windows_lacks_are_listed() {
    let list = read("tests/windows.txt");
    let listed: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("absent ")).collect();
    let mut seen = 0;
    let files = sources().into_iter().chain(files("tests/it", &["rs"]));
    for path in files.filter(|path| !path.starts_with("src/platform") && path != Path::new("src/platform.rs")) {
        for name in of_unix_only(&read(&path)) {
            seen += 1;
            let is_listed =
                listed.iter().any(|line| line.ends_with(&format!("::{name}")) || line.contains(&format!("{name}::")));
            assert!(is_listed, "`{name}` of {} is not in tests/windows.txt", path.display());
        }
    }
    assert!(seen > 50, "only {seen} are found");
}

/// Returns the names of the tests, and of the modules of their own, that a file compiles on Unix only.
fn of_unix_only(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut is_of_unix, mut is_test) = (false, false);
    for line in text.lines().map(str::trim) {
        match line {
            "#[cfg(unix)]" | "#[cfg(target_os = \"linux\")]" => is_of_unix = true,
            "#[test]" => is_test = true,
            line if line.starts_with("#[") => {}
            line => {
                let function = line.strip_prefix("fn ").filter(|_| is_test).and_then(|rest| rest.split_once('('));
                let module = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')).map(|name| (name, ""));
                names.extend(function.or(module).filter(|_| is_of_unix).map(|(name, _)| name.to_owned()));
                (is_of_unix, is_test) = (false, false);
            }
        }
    }
    names
}

/// Returns the names of systems in code, with their lines.
fn names_in(code: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for (number, line) in code.lines().enumerate() {
        found.extend(NAMES.iter().filter(|name| is_named(line, name)).map(|name| (number + 1, *name)));
    }
    found
}

/// Whether a line has a name, not as the end of a longer word.
fn is_named(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line.split_at(at).0.chars().next_back();
        !before.is_some_and(|before| before.is_alphanumeric() || before == '_')
    })
}

#[test]
fn names_of_systems_are_found() {
    let text = "use std::os::fd::AsFd;\n#[cfg(windows)]\nfn x() { unix::y() }\nuse super::nix::z;\nphoenix::a();\n";
    let found: Vec<usize> = names_in(text).into_iter().map(|(line, _)| line).collect();
    assert_eq!(found, [1, 2, 4]);
}
