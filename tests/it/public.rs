//! What the crates make public, without `internals`: tests/fixtures/public.txt and public-shell.txt list it, so that no
//! change of it goes unnoticed. `RULES_BLESS=1` writes the lists.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::generated::is_current_page;
use crate::source::{code, files, is_left_out, is_test_file, read};

/// A crate with a list of what it makes public.
struct Crate {
    name: &'static str,
    /// The directory of its sources.
    root: &'static str,
    page: &'static str,
}

const ENGINE: Crate = Crate { name: "hookrules", root: "src", page: "tests/fixtures/public.txt" };
const SHELL: Crate = Crate { name: "hookrules_shell", root: "shell/src", page: "tests/fixtures/public-shell.txt" };

/// An exported name.
#[derive(Debug)]
struct Export {
    /// Its path for users: `hookrules::payloads::ToolCall`.
    path: String,
    /// The module that defines it.
    module: String,
    name: String,
}

#[test]
fn the_list_of_what_is_public_is_current() {
    let exports = exports(&ENGINE, &read("src/lib.rs"));
    assert!(exports.len() > 60, "{exports:?}");
    is_current_page(ENGINE.page, &page(&ENGINE, &exports));
}

#[test]
fn the_list_of_what_the_shell_crate_makes_public_is_current() {
    if is_left_out(Path::new(SHELL.root)) {
        return;
    }
    let exports = shell_exports();
    assert!(exports.len() > 100, "{exports:?}");
    is_current_page(SHELL.page, &page(&SHELL, &exports));
}

/// The names of std in the signatures of the shell crate.
const OF_STD: &[&str] = &[
    "Arc",
    "BTreeMap",
    "Box",
    "Cow",
    "Display",
    "Error",
    "ExactSizeIterator",
    "Fn",
    "FnMut",
    "Formatter",
    "FromIterator",
    "Into",
    "IntoIterator",
    "Item",
    "Iter",
    "Iterator",
    "None",
    "Option",
    "Path",
    "PathBuf",
    "Range",
    "Rc",
    "Result",
    "Self",
    "Some",
    "String",
    "Target",
    "Vec",
];

/// A type of a dependency in a signature would make its version part of the interface; a private type has no name for
/// users.
#[test]
fn signatures_of_the_shell_crate_name_only_what_it_exports() {
    if is_left_out(Path::new(SHELL.root)) {
        return;
    }
    let exports = shell_exports();
    let is_known = |name: &str| {
        // A single letter is a parameter, and capitals are a constant.
        name.chars().skip(1).all(|c| !c.is_lowercase())
            || OF_STD.contains(&name)
            || exports.iter().any(|export| export.name == name)
    };
    let mut wrong = Vec::new();
    for export in &exports {
        let item = item(&SHELL, export);
        let members = item.members.iter().map(|member| match item.is_enum && !member.contains(" fn ") {
            // The name of a variant, or the value of a constant.
            true => member.trim_start_matches(|c: char| c.is_alphanumeric()).split(" = ").next().unwrap_or_default(),
            false => member,
        });
        for signature in members.chain(item.heads.iter().chain(&item.kind).map(String::as_str)) {
            let names = signature.split(|c: char| !c.is_alphanumeric() && c != '_');
            let unknown = names.filter(|name| name.starts_with(char::is_uppercase) && !is_known(name));
            wrong.extend(unknown.map(|name| format!("{}: {name} in `{signature}`", export.path)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the exports of the shell crate: those of its root, and the public items of its public modules.
fn shell_exports() -> Vec<Export> {
    let root = read("shell/src/lib.rs");
    let mut found = exports(&SHELL, &root);
    let modules = code(&root);
    for module in modules.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')) {
        let text = read(format!("{}/{module}.rs", SHELL.root));
        let inside = Crate { name: "", ..SHELL };
        found.extend(exports(&inside, &text).into_iter().map(|export| Export {
            path: format!("{}::{module}{}", SHELL.name, export.path),
            // Of a private part of the module, unless it is another module.
            module: if text.contains(&format!("pub use crate::{}::", export.module)) {
                export.module
            } else {
                module.to_owned()
            },
            name: export.name,
        }));
        let items = code(&text);
        let items = items.lines().filter_map(|line| {
            let rest = line.strip_prefix("pub ")?;
            KINDS.iter().find_map(|kind| rest.strip_prefix(kind)?.strip_prefix(' ')).map(word)
        });
        found.extend(items.map(|name| Export {
            path: format!("{}::{module}::{name}", SHELL.name),
            module: module.to_owned(),
            name: name.to_owned(),
        }));
    }
    found
}

/// Returns the list of what a crate exports.
fn page(of: &Crate, exports: &[Export]) -> String {
    let mut page = String::new();
    for (at, export) in exports.iter().enumerate() {
        let is_same = |other: &&Export| other.module == export.module && other.name == export.name;
        if let Some(other) = exports.iter().skip(at + 1).find(is_same) {
            writeln!(page, "{} = {}", export.path, other.path).unwrap();
            continue;
        }
        let item = item(of, export);
        writeln!(page, "{}{}", export.path, item.kind.map(|kind| format!(": {kind}")).unwrap_or_default()).unwrap();
        for member in item.members {
            writeln!(page, "    {member}").unwrap();
        }
    }
    page
}

/// Returns the re-exports of a root, in its order.
fn exports(of: &Crate, root: &str) -> Vec<Export> {
    let text = code(root);
    let listed = text.split("cfg_if::cfg_if!").next().unwrap_or_default();
    let mut exports = Vec::new();
    let mut module = of.name.to_owned();
    let mut rest = listed;
    while let Some((_, behind)) = rest.split_once("pub ") {
        rest = behind;
        if let Some(name) =
            rest.strip_prefix("mod ").and_then(|rest| rest.split_once(" {")).filter(|(name, _)| word(name) == *name)
        {
            module = format!("{}::{}", of.name, name.0);
            rest = name.1;
        } else if let Some((path, after)) = rest.strip_prefix("use ").and_then(|rest| rest.split_once(';')) {
            let (from, names) = path.split_once("::{").or_else(|| path.rsplit_once("::")).unwrap();
            let from = from.trim_start_matches("crate::").split("::").next().unwrap();
            for name in names.split([',', '{', '}']).map(str::trim).filter(|name| !name.is_empty()) {
                exports.push(Export {
                    path: format!("{module}::{name}"),
                    module: from.to_owned(),
                    name: name.to_owned(),
                });
            }
            rest = after;
        }
        // A module's end is a brace at the beginning of a line.
        let next = rest.split("pub ").next().unwrap_or_default();
        if next.lines().any(|line| line == "}") {
            module = of.name.to_owned();
        }
    }
    exports
}

const KINDS: [&str; 6] = ["struct", "enum", "trait", "type", "fn", "const"];

/// A public item.
#[derive(Default)]
struct Item {
    /// Its kind, or the signature of a function; `None` if a macro defines it.
    kind: Option<String>,
    is_enum: bool,
    /// The public members.
    members: BTreeSet<String>,
    /// The arguments of implemented traits, and their types.
    heads: Vec<String>,
}

/// Returns an item of a crate.
fn item(of: &Crate, export: &Export) -> Item {
    let mut item = Item::default();
    for (path, text) in texts(of) {
        let is_defining = is_of_module(of, path, &export.module);
        if !is_defining && !imports(text, export) {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let defined = KINDS.into_iter().filter(|_| is_defining).find(|kind| {
                let rest = line.strip_prefix("pub ").and_then(|rest| rest.strip_prefix(kind)?.strip_prefix(' '));
                rest.is_some_and(|rest| word(rest) == export.name)
            });
            if let Some(kind) = defined {
                let attributes =
                    lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.trim().is_empty());
                let is_open = attributes.into_iter().any(|line| line.contains("non_exhaustive"));
                item.kind = Some(match kind {
                    "fn" => whole(&lines[at..]),
                    _ => format!("{kind}{}", if is_open { ", non-exhaustive" } else { "" }),
                });
                item.is_enum |= kind == "enum";
            }
            let implementation = Implementation::read(line);
            let is_impl = line.starts_with("impl") && implementation.of == export.name;
            if (defined.is_some() || is_impl) && line.ends_with('{') {
                let body: Vec<&str> = lines[at + 1..].iter().copied().take_while(|line| *line != "}").collect();
                if let Some(arguments) = implementation.arguments.filter(|_| is_impl) {
                    let types = body.iter().filter_map(|line| line.strip_prefix("    type ")?.split(" = ").nth(1));
                    item.heads.extend(types.chain([arguments]).map(str::to_owned));
                    continue;
                }
                let is_trait_or_enum = matches!(defined, Some("trait" | "enum"));
                item.members.extend(public_in(&body, is_trait_or_enum));
            }
        }
    }
    item
}

/// Returns the code of each file of a crate, read once.
fn texts(of: &Crate) -> &'static [(PathBuf, String)] {
    static ALL: Mutex<BTreeMap<&str, &[(PathBuf, String)]>> = Mutex::new(BTreeMap::new());
    let read_all = || {
        let files = files(of.root, &["rs"]).into_iter().filter(|path| !is_test_file(path));
        &*files.map(|path| (path.clone(), code(&read(path)))).collect::<Vec<_>>().leak()
    };
    ALL.lock().unwrap().entry(of.root).or_insert_with(read_all)
}

/// Whether a file is one of a module at a crate's root.
fn is_of_module(of: &Crate, path: &Path, module: &str) -> bool {
    let below = path.strip_prefix(of.root).unwrap();
    below.iter().next().is_some_and(|part| Path::new(part).file_stem() == Some(module.as_ref()))
}

/// Whether the code of another module imports an item, whose methods it may define.
fn imports(text: &str, export: &Export) -> bool {
    let from = format!("use crate::{}::", export.module);
    text.split(&from).skip(1).any(|rest| {
        let names = rest.split(';').next().unwrap_or_default();
        names.split([',', '{', '}']).any(|name| name.trim() == export.name)
    })
}

/// The head of an implementation.
struct Implementation<'l> {
    /// The arguments of the trait, if it is one of a trait.
    arguments: Option<&'l str>,
    of: &'l str,
}

impl<'l> Implementation<'l> {
    fn read(line: &'l str) -> Self {
        let rest = line.trim_start_matches("impl");
        let rest = if rest.starts_with('<') { rest.split_once("> ").map_or("", |(_, rest)| rest) } else { rest };
        let (of_trait, of) = rest.split_once(" for ").map_or((None, rest), |(of_trait, of)| (Some(of_trait), of));
        let arguments = of_trait.map(|name| name.split_once('<').map_or("", |(_, arguments)| arguments));
        let of = of.trim().trim_start_matches('&');
        let of = of.strip_prefix('\'').and_then(|of| of.split_once(' ')).map_or(of, |(_, of)| of);
        Self { arguments, of: word(of) }
    }
}

/// Returns the public members among the lines of a body; all of a trait's and an enum's are.
fn public_in(body: &[&str], all: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_hidden = false;
    for (at, line) in body.iter().enumerate() {
        let Some(rest) = line.strip_prefix("    ").filter(|rest| !rest.starts_with([' ', '}', ')'])) else { continue };
        if rest.starts_with("#[") {
            is_hidden |= rest.starts_with("#[cfg(feature");
            continue;
        }
        let is_public = rest.starts_with("pub ") || (all && !rest.trim().is_empty());
        if is_public && !is_hidden {
            found.push(whole(&body[at..]));
        }
        if !rest.trim().is_empty() {
            is_hidden = false;
        }
    }
    found
}

/// Returns the signature or the variant that lines begin with.
fn whole(lines: &[&str]) -> String {
    let mut whole = String::new();
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        whole.push_str(line.trim());
        whole.push(' ');
        if line.trim_end().ends_with(['{', ';', ',']) && !is_inside(&whole) {
            break;
        }
    }
    let whole = whole.trim().trim_end_matches(['{', ';', ',']).trim().trim_start_matches("pub ");
    without_attributes(whole).replace("( ", "(").replace(", )", ")").replace(", }", " }").replace("(mut self", "(self")
}

/// Returns a member without the attributes of its parts.
fn without_attributes(member: &str) -> String {
    let mut text = member.to_owned();
    while let Some((before, (_, after))) = text.split_once("#[").and_then(|(a, b)| Some((a, b.split_once(']')?))) {
        text = format!("{before}{}", after.trim_start());
    }
    text
}

/// Whether a text ends within parentheses, or within a variant; the brace of a function begins its body.
fn is_inside(text: &str) -> bool {
    let is_open = |open, close| text.matches(open).count() > text.matches(close).count();
    is_open('(', ')') || !text.contains("fn ") && is_open('{', '}')
}

/// Returns the identifier that a text begins with.
fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}
