//! Finds globs and directories in the notation of another program, which match nothing here: `/src/**`, `$PWD/x`,
//! `*.(jpg|png)`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::comparison::{SourceComparison, visit_tests};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    Condition, ConditionExpr, DerivedField, DirOperand, FactName, Globs, Rule, TouchTest, ValueReference, ValueTest,
    WhereField,
};
use crate::syntax::{format_one_or_list, string_literal};

pub(super) const LINT: Lint = Lint { codes: &[Code::GLOB_CANNOT_MATCH, Code::DOUBLE_WILDCARD], check };

/// Reports globs and directories in another program's notation, in tests of paths and files.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let test = seen.test;
        match &test.kind {
            ConditionExpr::Compare { source: ValueReference::Fact(FactName::File(_, file)), .. }
            | ConditionExpr::Truth(ValueReference::Fact(FactName::File(_, file))) => {
                let path = file.as_text().unwrap_or_default();
                let variable = path.strip_prefix('$').map(|rest| rest.split('/').next().unwrap_or(rest));
                findings.extend(
                    variable
                        .filter(|name| *name != "HOME")
                        .map(|name| unfilled_variable(written, test, path, name.trim_matches(['{', '}']))),
                );
            }
            ConditionExpr::Compare { source, test: ValueTest::LikePath(globs), .. }
                if let Some(finding) = root_as_name(written, test, source, globs) =>
            {
                findings.push(finding);
            }
            ConditionExpr::Compare { source, test: ValueTest::LikePath(globs), .. }
                if let Some(finding) = directory_as_glob(written, rule, test, source, globs) =>
            {
                findings.push(finding);
            }
            ConditionExpr::Compare { test: ValueTest::LikePath(globs), .. }
            | ConditionExpr::Touches { test: TouchTest::Like(globs), .. } => {
                // If the list also has a glob for the contents of a directory, the author means the directory itself.
                let with_contents: BTreeSet<&str> =
                    globs.patterns().filter_map(|glob| glob.strip_suffix("/**")).collect();
                let alone = globs.patterns().filter(|glob| !with_contents.contains(glob));
                alone.for_each(|glob| findings.extend(glob_finding(written, test, glob)));
            }
            ConditionExpr::Compare { test: ValueTest::Under(dirs) | ValueTest::Outside(dirs), .. }
            | ConditionExpr::Touches { test: TouchTest::Under(dirs) | TouchTest::Outside(dirs), .. } => {
                let dirs = dirs.iter().filter_map(|dir| match dir {
                    DirOperand::Literal(path) => path.to_str(),
                    _ => None,
                });
                dirs.for_each(|dir| findings.extend(directory_finding(written, test, dir)));
            }
            _ => {}
        }
    });
}

/// Returns the finding about names of directories that a field is compared with whose value may be a directory: `cwd
/// like "infra"`, `path like "node_modules"` for `Grep`. A glob for its contents, `infra/**`, would not match it.
fn directory_as_glob(
    written: &SourceTexts<'_>,
    rule: &Rule,
    test: &Condition,
    source: &ValueReference,
    globs: &Globs,
) -> Option<Diagnostic> {
    let is_cwd = match source {
        ValueReference::Where(WhereField::Cwd) => true,
        ValueReference::Raw { path, .. } => path.iter().any(|name| name == "cwd"),
        _ => false,
    };
    let is_search = matches!(source, ValueReference::Derived(DerivedField::Path)) && selects_searches(rule);
    if !is_cwd && !is_search {
        return None;
    }
    let is_name = |glob: &str| {
        is_directory(glob)
            || is_cwd && !glob.is_empty() && !glob.contains(['*', '?', '[', '{', '!', '/', '.', '~', '$'])
    };
    let names: Vec<String> = globs.patterns().map(str::to_owned).collect();
    if names.is_empty() || !names.iter().all(|name| is_name(name)) {
        return None;
    }
    let comparison = written.comparison(test)?;
    let operator = if comparison.negated { "outside" } else { "under" };
    let instead = format!("{operator} {}", format_one_or_list(&names));
    let first = names.first()?;
    let finding = Diagnostic::new(Code::GLOB_CANNOT_MATCH, shortened("`", first, "` does not match what is in it"))
        .label(comparison.text_span(first).unwrap_or(test.span), "matches the directory itself, and nothing in it")
        .help(format!("write `{} {instead}`, for the directory and what is in it", comparison.operand));
    Some(match comparison.all {
        true => finding,
        false => finding.fix_that_changes(comparison.operator_and_value_span(), instead),
    })
}

/// Returns the finding about the name of a project that its directory is compared with, `project like "acme"`: a glob
/// begins in that directory.
fn root_as_name(
    written: &SourceTexts<'_>,
    test: &Condition,
    source: &ValueReference,
    globs: &Globs,
) -> Option<Diagnostic> {
    if !matches!(source, ValueReference::Derived(DerivedField::Project) | ValueReference::Fact(FactName::GitRoot)) {
        return None;
    }
    let name =
        globs.patterns().find(|glob| !glob.starts_with(['/', '~', '*', '!', '$', '.']) && !glob.contains(':'))?;
    let name = name.trim_end_matches("/**").to_owned();
    let comparison = written.comparison(test)?;
    let instead = format!("/**/{name}");
    Some(
        Diagnostic::new(Code::GLOB_CANNOT_MATCH, shortened("`", &name, "` is no directory around the project"))
            .label(comparison.text_span(&name).unwrap_or(test.span), "begins in the project, as every relative glob")
            .help(format!("write `{} like {}`", comparison.operand, string_literal(&instead, ""))),
    )
}

/// Whether a rule selects tools whose path is a directory.
fn selects_searches(rule: &Rule) -> bool {
    let mut names =
        rule.head.events.iter().filter_map(|selector| selector.subjects.as_ref()).flat_map(|list| &list.includes);
    names.any(|name| matches!(name.as_str(), "Grep" | "Glob" | "LS"))
}

/// Returns the finding about a glob in another notation; `None` if the glob can match.
fn glob_finding(written: &SourceTexts<'_>, test: &Condition, glob: &str) -> Option<Diagnostic> {
    let (exclusion, plain) = glob.strip_prefix('!').map_or(("", glob), |plain| ("!", plain));
    let parts = split_globs(plain).filter(|_| with_braces(plain).is_none());
    if let Some(parts) = parts {
        return Some(joined_list_finding(written, test, glob, &parts));
    }
    if let Some(name) = unknown_variable(plain) {
        return Some(unfilled_variable(written, test, glob, name));
    }
    let parsed = WrittenGlob { exclusion, plain };
    let intended = parsed
        .as_foreign_notation()
        .or_else(|| parsed.as_glob_outside_project())
        .or_else(|| parsed.as_directory_alone())
        .or_else(|| parsed.as_too_many_asterisks())?;
    let instead = format!("{exclusion}{}", intended.instead);
    Some(finding(written, test, (intended.code, glob), &intended.label, &instead, intended.help))
}

/// A glob as it is in the source, without the mark of an exclusion.
struct WrittenGlob<'g> {
    /// `!` for an exclusion, else empty.
    exclusion: &'static str,
    /// The glob without the `!`.
    plain: &'g str,
}

/// The glob that the author probably means, and the texts of the finding about the original.
struct IntendedGlob {
    code: &'static Code,
    /// What is wrong with the original, as a label.
    label: Cow<'static, str>,
    /// The glob to write instead, without a `!`.
    instead: String,
    help: String,
}

impl WrittenGlob<'_> {
    /// Returns how messages show a replacement for this glob.
    fn shown(&self, instead: &str) -> String {
        shortened_glob(self.exclusion, instead)
    }

    /// Returns what a glob in another program's notation means; `None` if it has no such notation.
    fn as_foreign_notation(&self) -> Option<IntendedGlob> {
        let plain = self.plain;
        let (instead, label, reason) = if let Some(instead) = with_braces(plain) {
            (instead, "parentheses belong to the name here: alternatives stand in braces", "")
        } else if let Some((instead, label)) = foreign_glob(plain) {
            (instead, label, "")
        } else if let Some(instead) = without_escapes(plain) {
            (instead, "a backslash before it makes `*` a letter of the name", ": `*` needs no backslash")
        } else {
            let label = match plain.contains('\\') {
                true => "a backslash makes the next character stand for itself",
                false => "`\\n` and `\\t` in it are a line break and a tab",
            };
            (with_slashes(plain)?, label, ": a path has slashes on every system")
        };
        let help = format!("write {}{reason}", self.shown(&instead));
        Some(IntendedGlob { code: Code::GLOB_CANNOT_MATCH, label: label.into(), instead, help })
    }

    /// Returns what is meant by a glob that begins at the root of the file system or with a variable, although its
    /// author means the project; `None` for any other glob.
    fn as_glob_outside_project(&self) -> Option<IntendedGlob> {
        let plain = self.plain;
        let write = |instead: &str| format!("write {}", self.shown(instead));
        let (instead, help, problem) = if let Some(instead) = with_contents(plain) {
            let help = write(&instead);
            (instead, help, "it begins at `/`")
        } else if let Some(instead) = project_relative_glob(plain) {
            let help = format!("{}, from the project's root", write(&instead));
            (instead, help, "it begins at `/`")
        } else {
            let instead = without_variable(plain)?;
            let help = format!("a glob begins at the project's root: {}", write(&instead));
            (instead, help, "no variable is filled in here")
        };
        let label = match self.exclusion {
            "" => format!("matches nothing in the project: {problem}"),
            _ => format!("excludes nothing in the project: {problem}"),
        };
        Some(IntendedGlob { code: Code::GLOB_CANNOT_MATCH, label: label.into(), instead, help })
    }

    /// Returns the glob for everything in a directory if this glob matches only the directory itself; else `None`.
    fn as_directory_alone(&self) -> Option<IntendedGlob> {
        if !is_directory(self.plain) {
            return None;
        }
        let instead = format!("{}/**", self.plain);
        let write = format!("write {}", self.shown(&instead));
        let help = match self.plain.contains('/') {
            true => write,
            false => {
                format!("{write} for what is in the project's, {} for any", self.shown(&format!("**/{instead}")))
            }
        };
        let label = match self.exclusion {
            "" => "matches the directory itself, and nothing in it",
            _ => "excludes the directory itself, and nothing in it",
        };
        Some(IntendedGlob { code: Code::GLOB_CANNOT_MATCH, label: label.into(), instead, help })
    }

    /// Returns what is meant by a glob with `***`, or with `**` next to other characters; `None` for any other glob.
    fn as_too_many_asterisks(&self) -> Option<IntendedGlob> {
        let (instead, label, reason) = if self.plain.contains("***") {
            let two = collapse_asterisks(self.plain);
            (with_any_depth(&two).unwrap_or(two), "three asterisks are no more than two", "")
        } else {
            let label = "`**` beside other characters matches no slash";
            (with_any_depth(self.plain)?, label, " for any depth, or a single `*`")
        };
        let help = format!("write {}{reason}", self.shown(&instead));
        Some(IntendedGlob { code: Code::DOUBLE_WILDCARD, label: label.into(), instead, help })
    }
}

/// Returns a glob with braces instead of parentheses: `*.{jpg,png}` for `*.(jpg|png)`. `None` if it has no such
/// alternatives.
fn with_braces(glob: &str) -> Option<String> {
    let (before, rest) = glob.split_once('(')?;
    let (inner, after) = rest.split_once(')')?;
    let is_plain = !inner.contains(['(', '{', ',', '[']) && !before.contains(['{', '[']) && !after.contains(['(', '|']);
    let are_several = inner.contains('|') && inner.split('|').all(|part| !part.is_empty());
    (is_plain && are_several).then(|| format!("{before}{{{}}}{after}", inner.replace('|', ",")))
}

/// Returns the glob for the contents of a directory that is written as in .gitignore: `build/**` for `/build/`. `None`
/// for any other notation.
fn with_contents(glob: &str) -> Option<String> {
    let bare = glob.strip_prefix('/')?.strip_suffix('/')?;
    let first = bare.split('/').next()?;
    let is_of_project =
        first == "build" || PROJECT_DIRECTORIES.contains(&first) && !CONTAINER_DIRECTORIES.contains(&first);
    is_of_project.then(|| format!("{bare}/**"))
}

/// Returns a glob with at most two asterisks in a row.
fn collapse_asterisks(glob: &str) -> String {
    let mut glob = glob.to_owned();
    while glob.contains("***") {
        glob = glob.replace("***", "**");
    }
    glob
}

/// Returns the glob for a regex, a SQL pattern, or a glob with `not ` before it, and the problem with the original;
/// `None` for any other notation.
fn foreign_glob(glob: &str) -> Option<(String, &'static str)> {
    if let Some(path) = glob.strip_prefix("file://") {
        return path.starts_with(['/', '~']).then(|| (path.to_owned(), "a URL, and files are named by their paths"));
    }
    if let Some(excluded) = glob.strip_prefix("not ") {
        return Some((format!("!{}", excluded.trim()), "`not` belongs to the name here"));
    }
    let is_regex = glob.starts_with('^') || glob.contains("/.*") || glob.ends_with(".*$");
    if is_regex && !glob.contains(['(', '[', '+', '\\']) {
        let inner = glob.trim_start_matches('^').trim_end_matches('$');
        let inner = match inner.strip_suffix("/.*") {
            Some(directory) => format!("{directory}/**"),
            None => inner.replace(".*", "*"),
        };
        let is_name = inner.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '*'));
        // `src/.*` may well mean the hidden files in a directory.
        return (is_name && (glob.starts_with('^') || glob.ends_with('$')))
            .then_some((inner, "a glob is no regex: `^`, `$` and the dot are letters here"));
    }
    let is_of_sql = glob.starts_with('%') && glob.get(1..).is_some_and(|rest| rest.starts_with(['.', '/', '%']));
    is_of_sql.then(|| (glob.replace('%', "*"), "`%` is a letter here"))
}

/// Returns a glob without the backslashes before its asterisks; `None` if it has none. A backslash after a name is a
/// separator of Windows, so it is not removed.
fn without_escapes(glob: &str) -> Option<String> {
    let bare = glob.replace("\\*", "*");
    let mut texts_before = glob.match_indices("\\*").filter_map(|(at, _)| glob.get(..at));
    let are_escapes = texts_before.all(|before| before.is_empty() || before.ends_with(['/', '*']));
    (bare != glob && !bare.contains('\\') && are_escapes).then_some(bare)
}

/// Splits a string that contains several globs, at white space, commas or `|`; `None` if it is a single glob.
fn split_globs(glob: &str) -> Option<Vec<String>> {
    let words: Vec<String> = glob.split_whitespace().map(str::to_owned).collect();
    let is_glob = |part: &String| part.contains('*') && !part.contains(['{', '[', ',', '|']);
    if words.len() > 1 && words.iter().all(is_glob) {
        return Some(words);
    }
    let is_list = glob.contains(", ") || (glob.contains('|') && !glob.contains('['));
    if !is_list {
        // `.env .env.local`: each part looks like the name of a file, or like a glob.
        let parts: Vec<String> = glob.split_whitespace().map(str::to_owned).collect();
        let name = |part: &str| part.rsplit('/').next().unwrap_or_default().to_owned();
        let is_path = |part: &String| part.contains('*') || name(part).contains('.');
        let are_several = parts.len() > 1 && parts.iter().all(is_path) && !glob.contains(['{', '\\']);
        return are_several.then_some(parts);
    }
    // `*.{env, pem}`: the blank would be part of the second alternative.
    if glob.contains('{') {
        return (!glob.contains('|') && glob.contains('}')).then(|| vec![glob.replace(", ", ",")]);
    }
    let parts: Vec<String> = glob.split([',', '|']).map(|part| part.trim().to_owned()).collect();
    parts.iter().all(|part| !part.is_empty() && !part.contains(' ')).then_some(parts)
}

/// Returns the finding about several globs in one string, or about a space in braces.
fn joined_list_finding(written: &SourceTexts<'_>, test: &Condition, glob: &str, parts: &[String]) -> Diagnostic {
    let comparison = written.comparison(test);
    let literal_span = comparison.as_ref().and_then(|it| it.text_span(glob));
    let right = format_one_or_list(parts);
    let label = match parts.len() {
        1 => "a space belongs to the name",
        _ if glob.contains([',', '|']) => "one glob: these marks belong to the name",
        _ => "one glob: blanks belong to the name",
    };
    let finding = Diagnostic::new(Code::GLOB_CANNOT_MATCH, shortened("`", glob, "` is one name here"))
        .label(literal_span.unwrap_or(test.span), label)
        .help(format!("write `{right}`"));
    let is_alone = comparison.and_then(|it| it.texts).is_some_and(|all| all.len() == 1);
    match literal_span.filter(|_| is_alone || parts.len() == 1) {
        Some(literal_span) => finding.fix_that_changes(literal_span, right),
        None => finding,
    }
}

/// Returns the finding about a directory after `under` or `outside` in another program's notation; `None` if the
/// directory is written correctly.
fn directory_finding(written: &SourceTexts<'_>, test: &Condition, dir: &str) -> Option<Diagnostic> {
    if let Some(instead) = with_slashes(dir) {
        let help = format!("write {}: a path has slashes on every system", shortened_glob("", &instead));
        let why = "a backslash belongs to the name here";
        return Some(finding(written, test, (Code::GLOB_CANNOT_MATCH, dir), why, &instead, help));
    }
    if let Some(parts) = split_directories(dir) {
        return Some(joined_list_finding(written, test, dir, &parts));
    }
    if let Some(name) = unknown_variable(dir) {
        return Some(unfilled_variable(written, test, dir, name));
    }
    let (instead, why) = match (project_relative_glob(dir), without_variable(dir)) {
        (Some(instead), _) => (instead, "nothing of the project is there: it begins at `/`"),
        (_, Some(instead)) => (instead, "no variable is filled in here"),
        _ => return None,
    };
    let instead = instead.strip_prefix("./").unwrap_or(&instead);
    let help = format!("a directory begins at the project's root: write {}", shortened_glob("", instead));
    Some(finding(written, test, (Code::GLOB_CANNOT_MATCH, dir), why, instead, help))
}

/// Returns the directories in one text, which `|`, `;` or a comma separates, or a space between names that are common
/// in projects; `None` for a single directory.
fn split_directories(dir: &str) -> Option<Vec<String>> {
    let split = |signs: &[char]| dir.split(signs).map(|part| part.trim().to_owned()).collect::<Vec<_>>();
    let by_sign = split(&['|', ';', ',']);
    let is_path = |part: &String| !part.is_empty() && !part.contains(' ');
    if by_sign.len() > 1 {
        return by_sign.iter().all(is_path).then_some(by_sign);
    }
    let by_space = split(&[' ']);
    let is_common = |part: &String| {
        let first = part.split('/').next().unwrap_or_default();
        PROJECT_DIRECTORIES.contains(&first) || matches!(first, "lib" | "libs" | "bin" | "e2e")
    };
    (by_space.len() > 1 && by_space.iter().all(is_common)).then_some(by_space)
}

/// Returns the name of the variable with which a path begins, unless it is one that has a value here or that another
/// finding leaves out.
fn unknown_variable(path: &str) -> Option<&str> {
    let rest = path.strip_prefix('$')?;
    let name = rest.trim_start_matches('{').split(['/', '}']).next()?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit());
    (is_name && !name.is_empty() && name != "HOME" && without_variable(path).is_none()).then_some(name)
}

/// Returns the finding about a path that begins with a variable.
fn unfilled_variable(written: &SourceTexts<'_>, test: &Condition, path: &str, name: &str) -> Diagnostic {
    let literal_span = written.comparison(test).and_then(|it: SourceComparison| it.text_span(path));
    let help = match name.contains("PROJECT") || name == "PWD" || name.contains("WORKSPACE") {
        true => "a path begins at the project's root: leave the variable out, or write `under project`".to_owned(),
        false => format!("write the path itself; the value of the variable is `env.{name}`"),
    };
    Diagnostic::new(Code::GLOB_CANNOT_MATCH, shortened("`", path, "` matches no file of the project"))
        .label(literal_span.unwrap_or(test.span), "no variable is filled in here")
        .help(help)
}

fn shortened_glob(not: &str, glob: &str) -> String {
    format!("`{}`", string_literal(&format!("{not}{glob}"), ""))
}

/// Returns the finding about a glob or directory, with its replacement if the position of the glob is known.
fn finding(
    written: &SourceTexts<'_>,
    test: &Condition,
    (code, glob): (&'static Code, &str),
    label: &str,
    instead: &str,
    help: String,
) -> Diagnostic {
    let literal_span = written.comparison(test).and_then(|it: SourceComparison| it.text_span(glob));
    let what = if *code == *Code::DOUBLE_WILDCARD {
        "` does not look into directories"
    } else {
        "` matches no file of the project"
    };
    let message = match code.name {
        _ if glob.contains(['\n', '\t']) => "a line break or a tab in the name of a file".to_owned(),
        _ if is_directory(glob.trim_start_matches('!')) => shortened("`", glob, "` does not match what is in it"),
        _ => shortened("`", glob, what),
    };
    let finding = Diagnostic::new(code, message).label(literal_span.unwrap_or(test.span), label).help(help);
    match literal_span {
        Some(literal_span) => finding.fix_that_changes(literal_span, string_literal(instead, "")),
        None => finding,
    }
}

/// Directories that are common in projects, but hardly ever at the root of a file system.
pub(super) const PROJECT_DIRECTORIES: &[&str] = &[
    "__tests__",
    "app",
    "apps",
    "assets",
    "build",
    "client",
    "cmd",
    "components",
    "config",
    "deploy",
    "dist",
    "doc",
    "docs",
    "examples",
    "fixtures",
    "frontend",
    "backend",
    "generated",
    "infra",
    "internal",
    "migrations",
    "node_modules",
    "out",
    "packages",
    "pages",
    "pkg",
    "prisma",
    "public",
    "scripts",
    "server",
    "spec",
    "specs",
    "src",
    "static",
    "styles",
    "target",
    "templates",
    "terraform",
    "test",
    "tests",
    "third_party",
    "tools",
    "vendor",
];

/// Directories of that list that may also be at the root of a machine or a container.
const CONTAINER_DIRECTORIES: &[&str] = &["app", "build", "config", "data", "server"];

/// Returns a glob that begins at the root of the file system, changed to begin at the project's root. `None` if the
/// root may contain such a name.
fn project_relative_glob(glob: &str) -> Option<String> {
    let rest = glob.strip_prefix('/')?;
    let (first, is_alone) = rest.split_once('/').map_or((rest, true), |(first, _)| (first, false));
    let is_hidden = first.len() > 1 && first.starts_with('.') && first != "..";
    let is_project = PROJECT_DIRECTORIES.contains(&first) && !CONTAINER_DIRECTORIES.contains(&first);
    // `/package.json`: a file at the root of a machine has no extension.
    let extension = first.rsplit_once('.').map(|(name, extension)| !name.is_empty() && is_extension(extension));
    let is_file = is_alone && extension == Some(true);
    (is_hidden || is_project || is_file).then(|| if is_alone { format!("./{rest}") } else { rest.to_owned() })
}

/// Whether the text after a dot can be the extension of a file in a project.
fn is_extension(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric()) && text != "img"
}

/// Returns a glob or directory with slashes in place of Windows separators (`src\*.rs`), or of the escapes that such
/// separators have become (`"src\new"`, where `\n` is a line break). `None` if there are none.
fn with_slashes(text: &str) -> Option<String> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut chars = text.char_indices();
    let has_separator = chars.any(|(at, c)| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        let follows_name = before.ends_with(is_name) || before.ends_with(['*', ':', '.']);
        match c {
            '\n' | '\t' => follows_name && after.starts_with(is_name),
            // Before an asterisk, the backslash may escape it, unless a name precedes the backslash.
            '\\' => after.starts_with(is_name) || after.starts_with(['*', '\\']) && follows_name && !text.contains('/'),
            _ => false,
        }
    });
    has_separator.then(|| {
        let text = text.replace('\n', "/n").replace('\t', "/t").replace("\\\\", "/");
        text.replace('\\', "/")
    })
}

/// Variables that name the project, or the working directory of the agent.
const VARIABLES: &[&str] =
    &["CLAUDE_PROJECT_DIR", "PWD", "PROJECT_DIR", "PROJECT_ROOT", "workspaceFolder", "GITHUB_WORKSPACE"];

/// Returns a glob without the variable at its beginning; `None` if there is none. `$HOME` is not removed, because it is
/// the only one that has a value here.
pub(super) fn without_variable(glob: &str) -> Option<String> {
    let rest = glob.strip_prefix('$')?;
    VARIABLES.iter().find_map(|name| {
        let after = rest.strip_prefix(name).or_else(|| rest.strip_prefix(&format!("{{{name}}}")))?;
        let below = after.strip_prefix('/')?;
        Some(if below.contains('/') { below.to_owned() } else { format!("./{below}") })
    })
}

/// Whether a glob is, or ends with, a name that only directories have: `node_modules`. After `./` or `~/`, the author
/// probably means the directory itself.
fn is_directory(glob: &str) -> bool {
    const FILES_TOO: &[&str] = &["build", "config", "deploy", "out", "server", "test", "cmd", "app", "spec"];
    let (front, name) = glob.rsplit_once('/').map_or((None, glob), |(front, name)| (Some(front), name));
    let is_within = front.is_none_or(|front| !front.is_empty() && !front.starts_with(['.', '~', '$']));
    is_within && PROJECT_DIRECTORIES.contains(&name) && !FILES_TOO.contains(&name)
        || [".git", ".github", ".ssh", ".claude", ".rules"].contains(&glob)
}

/// Returns a glob with slashes around each `**` that is next to other characters, so that it matches at any depth:
/// `src/**/*.rs` for `src/**.rs`. `None` if there is no such `**`.
fn with_any_depth(glob: &str) -> Option<String> {
    // A glob without a slash already matches at any depth.
    if !glob.contains("**") || glob.contains(['[', '\\']) || (!glob.contains('/') && glob.starts_with("**")) {
        return None;
    }
    // A slash in braces belongs to an alternative: `{src/a,lib}`.
    let mut depth = 0_usize;
    let is_end = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '/' && depth == 0
    };
    let names: Vec<String> = glob.split(is_end).map(component_with_any_depth).collect::<Option<_>>()?;
    let instead = names.join("/");
    (instead != glob).then_some(instead)
}

/// Returns a component of a glob with slashes around its `**`; `None` if a `**` is in the middle.
fn component_with_any_depth(name: &str) -> Option<String> {
    let is_plain = |rest: &&str| !rest.is_empty() && !rest.contains('*');
    match (name.strip_prefix("**").filter(is_plain), name.strip_suffix("**").filter(is_plain)) {
        _ if name == "**" || !name.contains("**") => Some(name.to_owned()),
        (Some(rest), _) => Some(format!("**/*{rest}")),
        (_, Some(start)) => Some(format!("{start}/**")),
        _ => None,
    }
}
