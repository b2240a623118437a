//! What people are likely to get wrong, what they are told, and that the mended policy has no finding.
//!
//! Every case of `tests/fixtures/check` is a mistake and, behind `--- instead`, what was meant. What is said
//! about the mistakes is in the snapshots beside them.

use std::collections::BTreeSet;

use hookrules::diagnostic::{CODES, Code, Diagnostic, Format, render_all};
use hookrules::examples;
use hookrules::lint::lint;
use hookrules::policy::Policy;
use hookrules::project::{self, Places};

use crate::machine::Machine;
use crate::source::read;

/// A mistake.
struct Case {
    name: String,
    wrong: String,
    instead: String,
}

/// A file of cases.
#[derive(Clone, Copy)]
struct Cases {
    name: &'static str,
    /// Where each text is put; `{}` stands for it.
    frame: &'static str,
    /// The file that holds it.
    file: &'static str,
}

const CLAUSES: Cases = Cases { name: "clauses", frame: "rule a {\n{}\n}\n", file: "project.rules" };
const ITEMS: Cases = Cases { name: "items", frame: "{}\n", file: "project.rules" };
const SETTINGS: Cases = Cases { name: "settings", frame: "{}\n", file: "rules.toml" };
const PROGRAMS: Cases = Cases { name: "programs", frame: "names = [\"mycli\"]\n{}\n", file: "programs/mycli.toml" };
const ALL: [Cases; 4] = [CLAUSES, ITEMS, SETTINGS, PROGRAMS];

impl Cases {
    fn read(self) -> Vec<Case> {
        let text = read(format!("tests/fixtures/check/{}.cases", self.name));
        let cases = text.strip_prefix("=== ").unwrap().split("\n=== ");
        cases
            .map(|case| {
                let (name, text) = case.split_once('\n').unwrap();
                let (wrong, instead) =
                    text.split_once("\n--- instead\n").unwrap_or_else(|| panic!("{name}: no `--- instead`"));
                Case { name: name.to_owned(), wrong: self.framed(wrong), instead: self.framed(instead) }
            })
            .collect()
    }

    fn framed(self, text: &str) -> String {
        let indent = if self.frame.starts_with("rule") { "  " } else { "" };
        let lines: Vec<String> = text.trim_end().lines().map(|line| format!("{indent}{line}")).collect();
        self.frame.replace("{}", &lines.join("\n"))
    }

    /// Returns what `rules check` finds in a text, and how it prints it.
    fn check(self, text: &str) -> (Vec<Diagnostic>, String) {
        let machine = Machine::new();
        machine.write("project/.rules/project.rules", "\n").write(&format!("project/.rules/{}", self.file), text);
        let nowhere = machine.path("nowhere");
        let project = Some(machine.path("project"));
        let loaded =
            project::load(&Places { managed: nowhere.clone(), user: None, project, ..Places::of_machine(None) });
        let policy = Policy::new(loaded.sources, &loaded.layers);
        let mut found: Vec<Diagnostic> = policy.diagnostics().cloned().collect();
        policy.layers.iter().for_each(|layer| found.extend(examples::run(layer).failed));
        found.extend(lint(policy.rules.rules(), &policy.accepted()));
        let printed = render_all(&found, &policy.sources, Format::Plain);
        (found, printed)
    }
}

/// Returns what is wrong with how a finding reads: it is a fragment of at most 72 columns, its labels say
/// something, and something says what to do.
fn reads_ill(found: &Diagnostic) -> Option<&'static str> {
    let message = &found.message;
    if message.chars().count() > 72 || message.contains('\n') {
        Some("too long")
    } else if message.ends_with('.') || message.starts_with(char::is_uppercase) {
        Some("no fragment")
    } else if found.labels.is_empty() || found.labels.iter().any(|label| label.text.is_empty()) {
        Some("a label that says nothing")
    } else if found.help.is_none() && found.labels.len() < 2 {
        Some("nothing says what to do")
    } else {
        None
    }
}

#[test]
fn every_finding_reads_well() {
    let mut ill = Vec::new();
    for cases in ALL {
        for case in cases.read() {
            for found in cases.check(&case.wrong).0 {
                ill.extend(reads_ill(&found).map(|why| format!("{}: {why}: {}", case.name, found.message)));
            }
        }
    }
    assert!(ill.is_empty(), "{ill:#?}");
}

#[track_caller]
fn told(cases: Cases) -> String {
    let mut out = String::new();
    for case in cases.read() {
        let (found, printed) = cases.check(&case.wrong);
        assert!(!found.is_empty(), "{}: nothing is found", case.name);
        out.push_str(&format!("=== {}\n{printed}\n", case.name));
    }
    out
}

macro_rules! snapshot {
    ($cases:expr) => {
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/check"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!($cases.name, told($cases));
        });
    };
}

#[test]
fn mistakes_in_clauses_are_told() {
    snapshot!(CLAUSES);
}

#[test]
fn mistakes_in_items_are_told() {
    snapshot!(ITEMS);
}

#[test]
fn mistakes_in_settings_are_told() {
    snapshot!(SETTINGS);
}

#[test]
fn mistakes_in_records_of_programs_are_told() {
    snapshot!(PROGRAMS);
}

#[test]
fn what_was_meant_has_no_finding() {
    for cases in ALL {
        for case in cases.read() {
            let (_, printed) = cases.check(&case.instead);
            assert_eq!(printed, "", "{}", case.name);
        }
    }
}

#[test]
fn one_mistake_is_told_once() {
    let mut more = Vec::new();
    for cases in ALL {
        for case in cases.read() {
            let found = cases.check(&case.wrong).0;
            if found.len() > 1 {
                more.push((case.name, found.into_iter().map(|found| found.message).collect::<Vec<_>>()));
            }
        }
    }
    assert!(more.is_empty(), "{more:#?}");
}

/// Codes that no text can bring about, and where they are tested instead.
const NOT_BY_TEXT: &[(&Code, &str)] = &[
    (Code::PROGRAM_UNUSED, "about two records: `hook::programs` has it"),
    (Code::LAYER_REFUSED, "about files and directories: `hook::failure` has them"),
    (Code::INTERNAL, "a bug, which nobody can write down"),
    (Code::TOO_DEEP, "a text too large to show: `robust` has it"),
    (Code::TEXT_TOO_LONG, "a text too large to show: `cli` has it"),
    (Code::NOT_CARRIED, "about a host: `cli` has it"),
    (Code::NOT_SENT, "about a host: `cli` has it"),
    (Code::NOT_TOLD, "about a host: `cli` has it"),
    (Code::REGISTRATION, "about a host's settings: `install` has them"),
    (Code::REGISTRATION_RISK, "about a host's settings: `install` has them"),
    (Code::EVENT_UNREGISTERED, "about a host's settings: `install` has them"),
    (Code::YAML_SYNTAX, "about a file that is imported: `import` has them"),
    (Code::YAML_KIND, "about a file that is imported: `import` has them"),
    (Code::YAML_MISSING, "about a file that is imported: `import` has them"),
    (Code::YAML_VALUE, "about a file that is imported: `import` has them"),
    (Code::ENCODING, "no plain text: `tests/fixtures/syntax/encoding.cases` has it"),
];

#[test]
fn every_code_has_a_mistake_that_brings_it_about() {
    let mut fired = BTreeSet::new();
    for cases in ALL {
        for case in cases.read() {
            fired.extend(cases.check(&case.wrong).0.iter().map(|found| found.code.id));
        }
    }
    for (code, why) in NOT_BY_TEXT {
        assert!(!fired.contains(code.id), "{} is brought about by a text after all: {why}", code.id);
    }
    let excepted = |code: &Code| NOT_BY_TEXT.iter().any(|(not, _)| not.id == code.id);
    let missing: Vec<_> =
        CODES.iter().filter(|(code, _)| !fired.contains(code.id) && !excepted(code)).map(|(code, _)| code).collect();
    assert!(missing.is_empty(), "no case for {missing:#?}");
}
