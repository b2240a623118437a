//! Files for editors agree with the language: the grammar for highlighting, and the schemas of rules.toml and of
//! records.

use std::collections::BTreeSet;

use hookrules::host::AddedHost;
use hookrules::policy::Policy;
use hookrules::project;
use hookrules::schema::{EVENTS, TOOLS};
use regex::Regex;
use serde_json::Value as Json;

use crate::book::{blocks, fenced};
use crate::machine::{Machine, Printed, send};
use crate::source::{files, is_left_out, read};

const GRAMMAR: &str = "editors/vscode/syntaxes/rules.tmLanguage.json";
const SETTINGS: &str = "editors/vscode/schemas/rules.toml.schema.json";
const PROGRAM: &str = "editors/vscode/schemas/program.schema.json";
const HOST: &str = "editors/vscode/schemas/host.schema.json";

fn json(path: &str) -> Json {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A pattern of a TextMate grammar, with its includes resolved.
struct Pattern {
    begin: Regex,
    end: Option<Regex>,
    scope: String,
    captures: Vec<(usize, String)>,
    inner: Vec<Pattern>,
}

/// A part of a line and its scope.
type Token = (usize, usize, String);

/// Parses patterns. Only what editors and `regex` interpret alike is allowed: no look-around, no back-references.
fn patterns(list: &Json, repository: &Json) -> Vec<Pattern> {
    let mut found = Vec::new();
    for pattern in list.as_array().unwrap() {
        if let Some(name) = pattern["include"].as_str() {
            let included = &repository[name.strip_prefix('#').unwrap()];
            assert!(included.is_object(), "{name} is not in the repository");
            let list = match included.get("patterns") {
                Some(patterns) if included.get("begin").is_none() => patterns.clone(),
                _ => Json::Array(vec![included.clone()]),
            };
            found.extend(patterns(&list, repository));
            continue;
        }
        let compile = |key: &str| pattern[key].as_str().map(|text| Regex::new(text).expect(text));
        let captures = pattern["captures"].as_object().into_iter().flatten();
        let captures =
            captures.map(|(group, value)| (group.parse().unwrap(), value["name"].as_str().unwrap().to_owned()));
        let inner = pattern.get("patterns").filter(|_| pattern.get("begin").is_some());
        found.push(Pattern {
            begin: compile("match").or_else(|| compile("begin")).expect("a pattern matches or begins"),
            end: compile("end"),
            scope: pattern["name"].as_str().unwrap_or_default().to_owned(),
            captures: captures.collect(),
            inner: inner.map(|inner| patterns(inner, repository)).unwrap_or_default(),
        });
    }
    found
}

fn grammar() -> Vec<Pattern> {
    let grammar = json(GRAMMAR);
    patterns(&grammar["patterns"], &grammar["repository"])
}

/// Splits a text like an editor: at each place by the pattern that matches first, and among several by the first in the
/// list.
fn tokens(text: &str, grammar: &[Pattern]) -> Vec<Vec<Token>> {
    let mut open: Option<&Pattern> = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut found: Vec<Token> = Vec::new();
        let mut at = 0;
        loop {
            let inner = open.map_or(grammar, |open| &open.inner);
            let first = inner.iter().filter_map(|pattern| Some((pattern, pattern.begin.captures_at(line, at)?)));
            let first = first.min_by_key(|(_, captures)| captures.get(0).unwrap().start());
            let end = open.and_then(|open| open.end.as_ref()?.find_at(line, at));
            let start = first.as_ref().map(|(_, captures)| captures.get(0).unwrap().start());
            if let (Some(end), Some(pattern)) = (end, open)
                && start.is_none_or(|start| end.start() <= start)
            {
                found.push((at, end.end(), pattern.scope.clone()));
                (at, open) = (end.end(), None);
                continue;
            }
            let Some((pattern, captures)) = first else { break };
            let whole = captures.get(0).unwrap();
            if let Some(open) = open {
                found.push((at, whole.start(), open.scope.clone()));
            }
            assert!(!whole.is_empty(), "`{}` matches nothing", pattern.begin);
            if !pattern.scope.is_empty() {
                found.push((whole.start(), whole.end(), pattern.scope.clone()));
            }
            let groups = pattern.captures.iter().filter_map(|(group, scope)| Some((captures.get(*group)?, scope)));
            found.extend(groups.map(|(group, scope)| (group.start(), group.end(), scope.clone())));
            at = whole.end();
            if pattern.end.is_some() {
                open = Some(pattern);
            }
        }
        if let Some(open) = open {
            found.push((at, line.len(), open.scope.clone()));
        }
        lines.push(found);
    }
    lines
}

/// Returns the scope of the first token that is exactly this part of a line.
fn scope(line: &str, part: &str, grammar: &[Pattern]) -> String {
    let lines = tokens(line, grammar);
    let found = lines.iter().flatten().find(|(start, end, _)| line.get(*start..*end) == Some(part));
    found.map(|(.., scope)| scope.clone()).unwrap_or_default()
}

#[test]
fn every_word_of_the_language_has_a_colour() {
    let grammar = grammar();
    let literal = Regex::new(r#""([a-z_]{2,})""#).unwrap();
    let mut words: Vec<String> = Vec::new();
    let source = read("grammar/lexical.pest");
    // The list of reserved words is made of pieces of words, each of which belongs to another rule.
    let (before, reserved) = source.split_once("\nreserved = ").unwrap();
    let (_, after) = reserved.split_once("\n}").unwrap();
    for rule in [before, after] {
        let rules = rule.lines().filter(|line| !line.starts_with('/'));
        words.extend(rules.flat_map(|line| literal.captures_iter(line)).map(|word| word[1].to_owned()));
    }
    assert!(words.len() > 60, "{words:?}");
    for word in words {
        let scope = scope(&word, &word, &grammar);
        let is_word =
            ["keyword.", "support.", "constant.language", "storage."].iter().any(|kind| scope.starts_with(kind));
        assert!(is_word, "`{word}` is `{scope}`");
    }
    for name in EVENTS.iter().map(|spec| spec.name).chain(TOOLS.iter().map(|spec| spec.name)) {
        let line = format!("  on PreToolUse({name}), {name}");
        assert!(scope(&line, name, &grammar).starts_with("entity.name.type"), "{name}");
    }
    let options = read("src/compile/run.rs");
    let (_, options) = options.split_once("const OPTIONS: &[&str] = &[").unwrap();
    let (options, _) = options.split_once("];").unwrap();
    let options: Vec<&str> = literal.captures_iter(options).map(|option| option.get(1).unwrap().as_str()).collect();
    assert!(options.len() > 5, "{options:?}");
    for option in options {
        let line = format!("  run \"x\" {{ {option}: 1 }}");
        assert!(scope(&line, option, &grammar).starts_with("variable.other.property"), "{option}");
    }
}

#[test]
fn each_construct_has_its_colour() {
    let grammar = grammar();
    for (line, part, expected) in [
        ("rule no-push-on-main {", "no-push-on-main", "entity.name.function.rule"),
        ("let a_b = 1", "a_b", "entity.name.constant"),
        ("## Why.", "## Why.", "comment.line.documentation"),
        ("  ## no doc", "## no doc", "comment.line.number-sign"),
        ("  deny \"a # b\"", "a # b\"", "string.quoted.double"),
        ("  deny \"a {path}\"", "{path}", "variable.other.placeholder"),
        ("  deny \"a \\q\"", "\\q", "invalid.illegal.escape"),
        ("  deny 'a # \\q {path}'", "'a # \\q {path}'", "string.quoted.single"),
        ("  when a matches /a#b\\/c/i and b", "/a#b\\/c/i", "string.regexp"),
        ("  when `$.a[*]['b c']` == 1", "`$.a[*]['b c']`", "string.other.json-path"),
        ("  expect deny by std/git/no-push", "std/git/no-push", "entity.name.function.rule"),
        ("  when tool_input.on == 1", "tool_input.on", "variable.other.field"),
        ("  when secrets_on == 30s", "30s", "constant.numeric"),
        ("  when a && b", "&&", "invalid.illegal.operator"),
        ("  by review*|!main", "!", "keyword.operator.glob"),
        ("  on PreToolUse(mcp__*__write*)", "mcp__*__write*", "entity.name.type.tool"),
        ("@severity(high) @off", "@severity", "storage.modifier.annotation"),
        ("  when x in [...others]", "others", "variable.other.constant"),
    ] {
        let found = scope(line, part, &grammar);
        assert!(found.starts_with(expected), "`{part}` in `{line}` is `{found}`: {:?}", tokens(line, &grammar));
    }
}

#[test]
fn every_policy_is_coloured_as_a_whole() {
    let grammar = grammar();
    let mut policies: Vec<(String, String)> =
        ["rules/std", "examples", "tests/fixtures/language", "tests/fixtures/shell"]
            .iter()
            .flat_map(|directory| files(directory, &["rules"]))
            .map(|path| (path.display().to_string(), read(&path)))
            .collect();
    policies.extend(blocks().into_iter().map(|block| (format!("{}:{}", block.page.display(), block.line), block.text)));
    assert!(policies.len() > 50);
    for (name, text) in policies {
        for (line, found) in text.lines().zip(tokens(&text, &grammar)) {
            let invalid = found.iter().find(|(.., scope)| scope.starts_with("invalid"));
            assert_eq!(invalid, None, "{name}: {line}");
            let uncovered = line
                .char_indices()
                .find(|(at, c)| !c.is_whitespace() && !found.iter().any(|(start, end, _)| (*start..*end).contains(at)));
            assert_eq!(uncovered, None, "{name}: {line}: {found:?}");
        }
    }
}

/// Returns the violation of a schema by a value. Supports only the parts of JSON Schema that our schemas use, and
/// refuses others.
pub(crate) fn problem(value: &Json, schema: &Json, root: &Json) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return problem(value, root.pointer(reference.strip_prefix('#').unwrap()).unwrap(), root);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let problems: Vec<Option<String>> = choices.iter().map(|choice| problem(value, choice, root)).collect();
        let is_one = problems.iter().any(Option::is_none);
        return if is_one { None } else { problems.into_iter().next_back().flatten() };
    }
    for (key, rule) in schema.as_object().unwrap() {
        let is_met = match key.as_str() {
            "$schema" | "title" | "description" | "definitions" => true,
            "type" => match rule.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_i64() || value.is_u64(),
                other => panic!("type {other}"),
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "required" => rule.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
            "minimum" => value.as_i64().is_none_or(|number| number >= rule.as_i64().unwrap()),
            "uniqueItems" => value.as_array().is_none_or(|items| {
                items.iter().enumerate().all(|(at, item)| !items.iter().skip(at + 1).any(|other| other == item))
            }),
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
            "minLength" => value.as_str().is_none_or(|text| text.len() as u64 >= rule.as_u64().unwrap()),
            "pattern" => value.as_str().is_none_or(|text| Regex::new(rule.as_str().unwrap()).unwrap().is_match(text)),
            "items" => match value.as_array().into_iter().flatten().find_map(|item| problem(item, rule, root)) {
                Some(problem) => return Some(problem),
                None => true,
            },
            "properties" | "additionalProperties" => true,
            other => panic!("the schema uses `{other}`"),
        };
        if !is_met {
            return Some(format!("{value} is not {key} {rule}"));
        }
    }
    for (key, inner) in value.as_object().into_iter().flatten() {
        let found = match (schema["properties"].get(key), schema.get("additionalProperties")) {
            (Some(schema), _) => problem(inner, schema, root),
            (None, Some(Json::Bool(false))) => Some(format!("no key `{key}`")),
            (None, Some(schema)) => problem(inner, schema, root),
            (None, None) => panic!("the schema leaves open what else there may be"),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn toml(text: &str) -> Json {
    toml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns every key of a schema, including those of nested tables.
fn keys(schema: &Json) -> Vec<String> {
    let own = schema["properties"].as_object().into_iter().flatten();
    own.flat_map(|(key, inner)| std::iter::once(key.clone()).chain(keys(inner))).collect()
}

/// Returns the findings in a project with these files.
fn findings(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let machine = Machine::with("rule a {\n  on Stop\n  warn \"x\"\n}\n");
    for (path, text) in files {
        machine.write(&format!("project/.rules/{path}"), text);
    }
    let loaded = project::load_paths(&[machine.path("project")]);
    let policy = Policy::new(loaded.sources, &loaded.layers);
    policy.diagnostics().map(|found| (found.message.clone(), found.help.clone().unwrap_or_default())).collect()
}

#[test]
fn the_schema_of_settings_is_what_the_program_reads() {
    let schema = json(SETTINGS);
    let mut texts = fenced("book/src/reference/settings.md", "toml");
    texts.extend(files("examples", &["toml"]).iter().map(read));
    assert!(texts.len() > 1);
    for text in texts {
        assert_eq!(problem(&toml(&text), &schema, &schema), None, "{text}");
    }
    // Keys are read where the source compares a text with them.
    let source = read("src/config/read.rs");
    let read = Regex::new(r#"(?m)^\s+"([a-z_]+)" =>"#).unwrap();
    let mut read: Vec<String> = read.captures_iter(&source).map(|key| key[1].to_owned()).collect();
    let mut known = keys(&schema);
    read.sort();
    known.sort();
    assert_eq!(known, read, "the schema on the left, what is read on the right");
    for wrong in ["editon = 1", "edition = 2", "log = 1", "[log]\nlevel = \"none\"", "[notifications]\nhooks = \"*\""] {
        assert!(problem(&toml(wrong), &schema, &schema).is_some(), "{wrong}");
        assert!(!findings(&[("rules.toml", wrong)]).is_empty(), "{wrong}");
    }
    for enumerated in [&schema["properties"]["on_error"], &schema["properties"]["log"]["properties"]["level"]] {
        assert!(enumerated["enum"].as_array().unwrap().len() > 2);
    }
    for word in schema["properties"]["on_error"]["enum"].as_array().unwrap() {
        assert_eq!(findings(&[("rules.toml", &format!("on_error = {word}"))]), []);
    }
    for word in schema["properties"]["log"]["properties"]["level"]["enum"].as_array().unwrap() {
        assert_eq!(findings(&[("rules.toml", &format!("[log]\nlevel = {word}"))]), []);
    }
}

/// Returns the names in a list of a help text, after certain words.
fn listed(help: &str, behind: &str) -> Vec<String> {
    let (_, list) = help.split_once(behind).unwrap_or_else(|| panic!("{help}"));
    let mut names: Vec<String> = list.split(", ").map(str::to_owned).collect();
    names.sort();
    names
}

fn sorted_keys(object: &Json) -> Vec<String> {
    let mut keys: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
    keys.sort();
    keys
}

#[test]
fn the_schema_of_records_is_what_the_program_reads() {
    let schema = json(PROGRAM);
    let help_of = |text: &str| {
        let found = findings(&[("programs/tool.toml", &format!("names = [\"tool\"]\n{text}"))]);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found[0].1.clone()
    };
    assert_eq!(sorted_keys(&schema["properties"]), listed(&help_of("nokey = 1"), "a record has "));
    let mut of_a_command = sorted_keys(&schema["properties"]);
    of_a_command.retain(|key| key != "versioned");
    assert_eq!(sorted_keys(&schema["definitions"]["command"]["properties"]), of_a_command);
    let options = &schema["definitions"]["options"]["properties"];
    assert_eq!(sorted_keys(options), listed(&help_of("[options]\nnokind = []"), "the kinds are "));
    for key in ["reading", "unlisted", "operands"] {
        let mut words: Vec<String> = schema["properties"][key]["enum"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect();
        words.sort();
        assert_eq!(words, listed(&help_of(&format!("{key} = \"noword\"")), "write one of "), "{key}");
        assert_eq!(schema["definitions"]["command"]["properties"][key], schema["properties"][key]);
    }
    for wrong in
        ["names = []", "names = [\"-a\"]", "names = [\"a b\"]", "names = [\"tool\"]\nfrom = \"\"", "reading = \"gnu\""]
    {
        assert!(problem(&toml(wrong), &schema, &schema).is_some(), "{wrong}");
        assert!(!findings(&[("programs/tool.toml", wrong)]).is_empty(), "{wrong}");
    }
}

/// Removes what only a built-in record may set.
fn without_built_in(record: &mut Json) {
    let record = record.as_object_mut().unwrap();
    let keys = ["interpreter", "as-written", "files", "network", "runs", "variables", "prints", "project"];
    for key in keys.into_iter().chain([
        "input",
        "looks",
        "asks",
        "behind-dashes",
        "plain-values",
        "incidental",
        "incidental-call",
        "language",
        "dialect",
        "startup",
    ]) {
        record.shift_remove(key);
    }
    for command in record.get_mut("command").and_then(Json::as_array_mut).into_iter().flatten() {
        without_built_in(command);
    }
}

#[test]
fn every_record_is_one_by_its_schema() {
    let schema = json(PROGRAM);
    let mut seen = 0;
    for page in files("book/src", &["md"]) {
        for text in fenced(&page.display().to_string(), "toml,program") {
            assert_eq!(problem(&toml(&text), &schema, &schema), None, "{}", page.display());
            seen += 1;
        }
    }
    assert!(seen > 0);
    if is_left_out(std::path::Path::new("shell")) {
        return;
    }
    for path in files("shell/programs", &["toml"]) {
        let mut record = toml(&read(&path));
        without_built_in(&mut record);
        assert_eq!(problem(&record, &schema, &schema), None, "{}", path.display());
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

/// Returns the mistakes in the record of a host.
fn host_mistakes(text: &str) -> Vec<String> {
    AddedHost::read("acme", text).mistakes().map(|(_, message)| message.to_owned()).collect()
}

#[test]
fn the_schema_of_hosts_is_what_the_program_reads() {
    let schema = json(HOST);
    // Keys are read where the source compares a text with them.
    let line = Regex::new(r#"(?m)^\s+("[a-z0-9_]+"(?: \| "[a-z0-9_]+")*) =>"#).unwrap();
    let key = Regex::new("[a-z0-9_]+").unwrap();
    let mut read_keys = BTreeSet::new();
    for file in ["read.rs", "read_settings.rs"] {
        let source = read(format!("src/host/record/{file}"));
        for found in line.captures_iter(&source) {
            read_keys.extend(key.find_iter(&found[1]).map(|key| key.as_str().to_owned()));
        }
    }
    let definitions = schema["definitions"].as_object().unwrap().values();
    let answers = &schema["properties"]["answers"]["additionalProperties"];
    let known: BTreeSet<String> = definitions.chain([&schema, answers]).flat_map(keys).collect();
    assert_eq!(known, read_keys, "the schema on the left, what is read on the right");
    // The reference has a row for each key.
    let page = read("book/src/reference/hosts.md");
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let rows: String = cells.collect();
    for key in known.iter().filter(|key| !IN_TEXT.contains(&key.as_str())) {
        let is_there = [format!("`{key}`"), format!("`[{key}]`"), format!("`[{key}.NAME]`")];
        assert!(is_there.iter().any(|key| rows.contains(key)), "the reference has no row for `{key}`");
    }
    assert!(IN_TEXT.iter().all(|key| known.contains(*key) && page.contains(key)));
    for wrong in [
        "titel = \"A\"",
        "events = {}",
        "title = \"A\"\nevents = { Stop = { deny = true } }",
        "title = \"A\"\nevents = { Stop = { deny = { exit = \"2\" } } }",
        "title = \"A\"\nevents = { Stop = { warn = { stderr = \"$text\" } } }",
        "title = \"A\"\nencoding = \"lines\"\nevents = {}",
        "title = \"A\"\nevents = {}\nsettings = { form = \"yaml\", entry = { a = \"$command\" } }",
        "title = \"A\"\nevents = {}\nsettings.entry = { a = \"$command\", b = true }",
        "title = \"A\"\nevents = {}\ntools = { Bash = { name = [\"sh\"] } }",
    ] {
        assert!(problem(&toml(wrong), &schema, &schema).is_some(), "{wrong}");
        assert!(!host_mistakes(wrong).is_empty(), "{wrong}");
    }
}

/// The keys that the reference of hosts describes in its text instead of a table.
const IN_TEXT: &[&str] = &["signs", "read_by_others", "has", "lacks", "directory", "variable", "file", "trust"];

#[test]
fn every_host_is_one_by_its_schema() {
    let schema = json(HOST);
    let mut texts: Vec<String> = files("hosts", &["toml"]).iter().map(read).collect();
    assert!(texts.len() > 10);
    texts.extend(fenced("book/src/reference/hosts.md", "toml,host"));
    for text in texts {
        assert_eq!(problem(&toml(&text), &schema, &schema), None, "{text}");
    }
}

#[test]
fn check_reads_standard_input_in_the_place_of_a_file() {
    let machine = Machine::with("use \"./names.rules\"\n\nrule a {\n  on Stop\n  warn \"x\"\n}\n");
    machine.write("project/.rules/names.rules", "let names = [\"a\"]\n");
    let check = |file: &str, text: &str| machine.rules(&["check", "--format", "short", "--stdin-filename", file], text);
    let uses = "rule b {\n  on PreToolUse(Read)\n  when path in names\n  deny \"x\"\n}\n";
    // It replaces the file, and definitions of other files count.
    let printed = check(".rules/project.rules", &format!("use \"./names.rules\"\n\n{uses}"));
    assert_eq!((printed.exit, printed.stdout.as_str(), printed.stderr.as_str()), (0, "", ""));
    let printed = check(".rules/names.rules", "let names = \n");
    assert_eq!(printed.exit, 1);
    assert!(printed.stdout.starts_with(".rules/names.rules:1:"), "{}", printed.stdout);
    // A file that does not exist yet belongs to the policy.
    let printed = check(".rules/new.rules", "rule a {\n  on Stop\n  warn \"x\"\n}\n");
    assert!(printed.stdout.contains("duplicate-name"), "{}", printed.stdout);
    // A file that belongs to no policy is checked on its own.
    let printed = check("elsewhere/x.rules", uses);
    assert!(printed.stdout.starts_with("elsewhere/x.rules:3:"), "{}", printed.stdout);
    assert!(printed.stdout.contains("unknown field `names`"), "{}", printed.stdout);
    assert_eq!(machine.read("project/.rules/names.rules"), "let names = [\"a\"]\n");
    // An editor may run in another directory.
    let path = machine.path("project/.rules/names.rules");
    let mut command = machine.command(&["check", "--format", "short", "--stdin-filename", path.to_str().unwrap()]);
    command.current_dir(machine.path("."));
    let printed = Printed::of(&send(command, b"let names = [\"a\", 1\n"));
    assert_eq!(printed.exit, 1);
    assert!(printed.stdout.starts_with(".rules/names.rules:"), "{}", printed.stdout);
    assert_eq!(machine.rules(&["check", "--stdin-filename", "a.rules", "b.rules"], "").exit, 2);
}

#[test]
fn the_extension_is_complete() {
    let manifest = json("editors/vscode/package.json");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let language = &manifest["contributes"]["languages"][0];
    assert_eq!(language["filenamePatterns"][0], "**/.rules/**/*.rules");
    // Other programs use the extension too.
    assert!(language["extensions"].is_null());
    let grammar = &manifest["contributes"]["grammars"][0];
    assert_eq!(grammar["language"], language["id"]);
    assert_eq!(grammar["scopeName"], json(GRAMMAR)["scopeName"]);
    for path in [&grammar["path"], &language["configuration"]] {
        json(&format!("editors/vscode/{}", path.as_str().unwrap().trim_start_matches("./")));
    }
    for file in manifest["files"].as_array().unwrap() {
        assert!(crate::source::root().join("editors/vscode").join(file.as_str().unwrap()).exists(), "{file}");
    }
    assert_eq!(read("editors/vscode/LICENSE"), read("LICENSE-MIT"));
    assert!(manifest["files"].as_array().unwrap().iter().any(|file| file == "schemas"));
    if is_left_out(std::path::Path::new("packaging")) {
        return;
    }
    // The packed extension names each schema to other extensions.
    let packer = read("packaging/extension");
    for schema in [SETTINGS, PROGRAM, HOST] {
        let name = schema.rsplit('/').next().unwrap();
        assert!(packer.contains(&format!("url: \"\\($schemas)/{name}\"")), "{name}");
    }
    assert!(packer.contains("/editors/vscode/schemas\"") && SETTINGS.starts_with("editors/vscode/schemas/"));
    assert_eq!(files("editors/vscode/schemas", &["json"]).len(), 3);
}
