//! Policies: packs, examples, fixtures, the book, with the examples and tests that are written in them.

use std::fs;
use std::path::{Path, PathBuf};

use hookrules::examples::{ExampleCircumstances, ExampleHost, example_contents};
use hookrules::packs::PACKS;
use hookrules::policy::Policy;
use hookrules::project;
use hookrules::ruleset::Head;
use hookrules::span::Sources;
use hookrules::syntax;
use hookrules::syntax::ast::Example;
use hookrules::syntax::ast::{ClauseKind, EffectKind, ItemKind};
use serde_json::{Value as Json, json};

use super::{Inputs, files, read, write};

/// Documents outside of the book.
const DOCUMENTS: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "examples/README.md"];

/// The frames of the files of cases in `tests/fixtures/check`, and the file that each text is in.
const CHECKED: &[(&str, &str, &str)] = &[
    ("clauses", "rule a {\n{}\n}\n", "project.rules"),
    ("texts", "rule a {\n{}\n}\n", "project.rules"),
    ("values", "rule a {\n{}\n}\n", "project.rules"),
    ("items", "{}\n", "project.rules"),
    ("logic", "{}\n", "project.rules"),
    ("foreign", "{}\n", "project.rules"),
    ("settings", "{}\n", "rules.toml"),
    ("programs", "names = [\"mycli\"]\n{}\n", "programs/mycli.toml"),
];

/// The policies that judge events besides those that are written in them.
pub struct Judging {
    /// Those of people: of the examples and the book.
    pub whole: Vec<String>,
    /// Those that show one mistake, or what was meant.
    pub small: Vec<String>,
}

/// Adds the policies, and the payloads that are written in them.
pub fn add(inputs: &mut Inputs, scratch: &Path) -> Result<Judging, String> {
    let _absent = fs::remove_dir_all(scratch);
    let judging = Judging { whole: Vec::new(), small: Vec::new() };
    let mut all = Policies { inputs, scratch, judging };
    let uses: String = PACKS.iter().map(|(name, _)| format!("use \"{name}\"\n")).collect();
    all.judges(super::PACKS, &uses);
    for path in files("rules/std", &["rules"])? {
        all.inputs.check(&path, "project.rules", &read(&path)?);
    }
    // The tests of packs use files beside them.
    for path in ["rules", "tests/fixtures/language"].map(|path| files(path, &["rules"])) {
        path?.iter().filter(|path| !path.contains("/std/")).for_each(|path| all.on_path(path));
    }
    all.policy("tests/fixtures/shell/corpus.rules", &read("tests/fixtures/shell/corpus.rules")?);
    for directory in files("examples", &["rules"])?.iter().filter_map(|path| Path::new(path).parent()) {
        all.on_path(&directory.to_string_lossy());
    }
    // These are judged by what their tests give.
    all.judging.whole.retain(|name| !name.starts_with("rules/"));
    let whole = all.judging.whole.len();
    all.cases()?;
    all.judging.small = all.judging.whole.split_off(whole);
    all.book()?;
    for path in files("tests/fixtures/import", &["yaml"])? {
        let text = read(&path)?;
        all.inputs.add("import", &format!("import {path}"), json!({ "file": ".conclaude.yaml", "text": text }));
    }
    Ok(all.judging)
}

struct Policies<'i> {
    inputs: &'i mut Inputs,
    scratch: &'i Path,
    judging: Judging,
}

impl Policies<'_> {
    /// Adds a policy of one file: its findings, and the payloads of its examples if it loads.
    fn policy(&mut self, name: &str, text: &str) {
        self.inputs.check(name, "project.rules", text);
        self.judges(name, text);
    }

    fn judges(&mut self, name: &str, text: &str) {
        let loaded = project::load_text("project.rules", text);
        let policy = Policy::new(loaded.sources, &loaded.layers);
        self.written(name, &policy, json!({ "text": text }));
    }

    /// Adds the policy of a file or a directory of the tree.
    fn on_path(&mut self, path: &str) {
        if self.judging.whole.iter().any(|name| name == path) {
            return;
        }
        let loaded = project::load_paths(&[crate::root().join(path)]);
        let policy = Policy::new(loaded.sources, &loaded.layers);
        self.inputs.add("check", &format!("check {path}"), json!({ "paths": [path] }));
        self.written(path, &policy, json!({ "paths": [path] }));
    }

    /// Adds a policy, and the payloads that are written in it, to be judged by it; nothing if it does not load.
    fn written(&mut self, name: &str, policy: &Policy, members: Json) {
        if policy.errors().next().is_some() || policy.rules.rules().is_empty() {
            return;
        }
        self.inputs.cases.push(crate::case::Case::new("policy", name, members));
        self.judging.whole.push(name.to_owned());
        for rule in policy.rules.rules() {
            let written = rule.examples.iter().flat_map(|(_, examples)| examples.iter());
            for example in written {
                self.example(name, &rule.display_name, example, Some(&rule.head));
            }
        }
        for test in policy.layers.iter().flat_map(|layer| &layer.tests) {
            for case in &test.cases {
                self.example(name, &format!("test {}", test.name.value), &case.given, None);
            }
        }
    }

    /// Adds the payload of an example to be judged by its policy.
    fn example(&mut self, policy: &str, name: &str, example: &Example, head: Option<&Head>) {
        let transcript = Some("/home/user/.claude/projects/-project/example.jsonl");
        let (cwd, home) = (Path::new("/project"), Some(Path::new("/home/user")));
        let host = ExampleHost::Default;
        let around = ExampleCircumstances { cwd, home, transcript, host };
        let Ok(written) = example_contents(example, head, around) else { return };
        let payload = Json::Object(written.payload.json).to_string();
        let facts = (!written.facts.is_empty()).then_some(Json::Object(written.facts));
        self.inputs.judge(name, policy, "claude-code", payload.as_bytes(), facts.as_ref());
    }

    /// Adds the mistakes of the fixtures.
    fn cases(&mut self) -> Result<(), String> {
        for path in files("tests/fixtures/syntax", &["cases"])? {
            for (name, text) in cases(&read(&path)?) {
                self.inputs.check(&format!("{path}: {name}"), "project.rules", &format!("rule a {{\n{text}\n}}\n"));
                self.inputs.check(&format!("{path}: {name}, alone"), "project.rules", &format!("{text}\n"));
            }
        }
        for (file, frame, place) in CHECKED {
            let path = format!("tests/fixtures/check/{file}.cases");
            for (name, text) in cases(&read(&path)?) {
                let (wrong, instead) = text.split_once("\n--- instead\n").unwrap_or((text.as_str(), ""));
                for (what, text) in [("", wrong), (", instead", instead)] {
                    let (name, text) = (format!("{path}: {name}{what}"), frame.replace("{}", text));
                    match *place {
                        "project.rules" => self.policy(&name, &text),
                        place => self.on_disk(&name, &[(".rules/project.rules", "\n"), (place, &text)])?,
                    }
                }
            }
        }
        for (name, text) in cases(&read("tests/fixtures/import/mistakes.cases")?) {
            let members = json!({ "file": ".conclaude.yaml", "text": format!("{text}\n") });
            self.inputs.add("import", &format!("import mistakes.cases: {name}"), members);
        }
        Ok(())
    }

    /// Adds a policy of several files.
    fn on_disk(&mut self, name: &str, files: &[(&str, &str)]) -> Result<(), String> {
        let project = self.scratch.join(self.inputs.cases.len().to_string());
        for (path, text) in files {
            let path = if path.starts_with('.') { PathBuf::from(path) } else { Path::new(".rules").join(path) };
            write(&project.join(path), text)?;
        }
        self.inputs.add("check", &format!("check {name}"), json!({ "paths": [project.to_string_lossy()] }));
        Ok(())
    }

    /// Adds the blocks of the book and of other documents.
    fn book(&mut self) -> Result<(), String> {
        let mut pages = files("book/src", &["md"])?;
        pages.extend(DOCUMENTS.iter().map(|page| (*page).to_owned()));
        for page in pages {
            for (line, info, text) in fences(&read(&page)?) {
                let name = format!("{page}:{line}");
                let language = info.split(',').next().unwrap_or_default();
                let file = text.lines().next().and_then(|line| line.strip_prefix("# .rules/"));
                match (language, file) {
                    ("rules", _) => self.policy(&name, &text),
                    ("toml", Some(file)) => self.on_disk(&name, &[(".rules/project.rules", "\n"), (file, &text)])?,
                    ("yaml", _) => {
                        let members = json!({ "file": ".conclaude.yaml", "text": text });
                        self.inputs.add("import", &format!("import {name}"), members);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Returns the names and texts of a file of cases.
fn cases(file: &str) -> Vec<(String, String)> {
    let text = format!("\n{file}");
    let cases = text.split("\n=== ").skip(1).filter_map(|case| case.split_once('\n'));
    cases.map(|(name, text)| (name.to_owned(), text.trim_end_matches('\n').to_owned())).collect()
}

/// Returns the fenced blocks of a page: the line of each, its info string and its text.
fn fences(text: &str) -> Vec<(usize, String, String)> {
    let (mut found, mut open) = (Vec::new(), None::<(usize, String, String)>);
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((number + 1, info.to_owned(), String::new())),
            (Some(_), Some("")) => found.extend(open.take()),
            (Some((_, _, text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

/// Returns the `use` of a pack, without the rules that would start commands or notify.
pub fn without_commands(name: &str, text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add(name, None, text);
    let Some(source) = sources.file_by_id(id) else { return String::new() };
    let (file, _) = syntax::parse(source);
    let acts = |clause: &ClauseKind| match clause {
        ClauseKind::Effect(effect) => {
            matches!(effect.kind, EffectKind::RunShell(_) | EffectKind::RunArgv(..) | EffectKind::Notify(..))
        }
        _ => false,
    };
    let acting = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Rule(rule) if rule.clauses.iter().any(|clause| acts(&clause.kind)) => Some(rule.name.text.as_str()),
        _ => None,
    });
    let acting: Vec<&str> = acting.collect();
    let except = if acting.is_empty() { String::new() } else { format!(" except {}", acting.join(", ")) };
    format!("use \"{name}\"{except}\n")
}
