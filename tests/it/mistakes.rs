//! Likely mistakes of users and their messages; the corrected policy has no finding.
//!
//! Every case of `tests/fixtures/check` is a mistake and, after `--- instead`, what was meant. The messages about the
//! mistakes are in the snapshots next to them.

use std::collections::BTreeSet;

use hookrules::diagnostic::{
    CODES, Code, Diagnostic, DiagnosticFormat, DisplayOptions, Fix, Levels, apply, page, render_all,
};
use hookrules::examples;
use hookrules::lint;
use hookrules::policy::Policy;
use hookrules::project::{self, MachinePlaces};

use crate::book::fences;
use crate::machine::Machine;
use crate::source::read;

/// A mistake.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) wrong: String,
    pub(crate) instead: String,
}

/// A file of cases.
#[derive(Clone, Copy)]
pub(crate) struct Cases {
    pub(crate) name: &'static str,
    /// The frame for each text; `{}` is its place.
    pub(crate) frame: &'static str,
    /// The file that contains it.
    pub(crate) file: &'static str,
}

const CLAUSES: Cases = Cases { name: "clauses", frame: "rule a {\n{}\n}\n", file: "project.rules" };
pub(crate) const ITEMS: Cases = Cases { name: "items", frame: "{}\n", file: "project.rules" };
const SETTINGS: Cases = Cases { name: "settings", frame: "{}\n", file: "rules.toml" };
const PROGRAMS: Cases = Cases { name: "programs", frame: "names = [\"mycli\"]\n{}\n", file: "programs/mycli.toml" };
/// Tests that load, but have a constant result or leak.
const TEXTS: Cases = Cases { name: "texts", frame: "rule a {\n{}\n}\n", file: "project.rules" };
/// Rules that never fire, do nothing, or contradict each other.
const LOGIC: Cases = Cases { name: "logic", frame: "{}\n", file: "project.rules" };
/// Texts of users who know another language; their first finding alone leads to the text after `--- instead`.
const FOREIGN: Cases = Cases { name: "foreign", frame: "{}\n", file: "project.rules" };
/// Values, paths, hosts, names of tools and agents that never match or leak.
const VALUES: Cases = Cases { name: "values", frame: "rule a {\n{}\n}\n", file: "project.rules" };
pub(crate) const ALL: [Cases; 8] = [CLAUSES, ITEMS, SETTINGS, PROGRAMS, TEXTS, LOGIC, FOREIGN, VALUES];

impl Cases {
    pub(crate) fn read(self) -> Vec<Case> {
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

    pub(crate) fn framed(self, text: &str) -> String {
        let indent = if self.frame.starts_with("rule") { "  " } else { "" };
        let lines: Vec<String> = text.trim_end().lines().map(|line| format!("{indent}{line}")).collect();
        self.frame.replace("{}", &lines.join("\n"))
    }

    /// Returns the findings of `rules check` about a text, and their output.
    pub(crate) fn check(self, text: &str) -> (Vec<Diagnostic>, String) {
        let (policy, found) = self.found(text);
        let printed = render_all(&found, &policy.sources, DiagnosticFormat::PLAIN);
        (found, printed)
    }

    fn found(self, text: &str) -> (Policy, Vec<Diagnostic>) {
        let machine = Machine::new();
        machine.write("project/.rules/project.rules", "\n").write(&format!("project/.rules/{}", self.file), text);
        let nowhere = machine.path("nowhere");
        let project = Some(machine.path("project"));
        let loaded = project::load(&MachinePlaces {
            managed: nowhere.clone(),
            user: None,
            project,
            ..MachinePlaces::on_this_machine(None)
        });
        let policy = Policy::new(loaded.sources, &loaded.layers);
        let mut found = lint::check_policy(&policy, &[], &Levels::default());
        policy.layers.iter().for_each(|layer| found.extend(examples::judge_layer(layer).failed));
        (policy, found)
    }
}

/// Returns the stylistic defect of a finding: it must be a fragment of at most 72 columns, its labels must have text,
/// and it must suggest what to do.
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

/// The output for all mistakes, for a width and the signs of a terminal, is no wider than that except where it names a
/// file or must be copied, and is ASCII except for the policy's own text.
#[test]
fn findings_fit_the_terminal() {
    for cases in ALL {
        for case in cases.read() {
            let (policy, found) = cases.found(&case.wrong);
            for (width, unicode) in [(40, true), (60, false), (80, true), (100, false)] {
                let look = DisplayOptions { color: false, unicode, width };
                let printed = render_all(&found, &policy.sources, DiagnosticFormat::Human(look));
                for line in printed.lines() {
                    let is_copied = line.starts_with("        ") || line.contains(if unicode { "─[" } else { "-[" });
                    let has_long_word = line.split_whitespace().any(|word| word.chars().count() > width / 2 - 10);
                    let fits = line.chars().count() <= width;
                    assert!(fits || is_copied || has_long_word, "{} at {width}: {line}", case.name);
                    let foreign = |c: char| !c.is_ascii() && !case.wrong.contains(c);
                    assert!(unicode || !line.contains(foreign), "{} at {width}: {line}", case.name);
                }
            }
        }
    }
}

/// Returns the output for each mistake, under its name and whether `rules check --fix` mends it.
#[track_caller]
fn told(cases: Cases) -> String {
    let mut out = String::new();
    for case in cases.read() {
        let (found, printed) = cases.check(&case.wrong);
        assert!(!found.is_empty(), "{}: nothing is found", case.name);
        let fixes = match found.iter().filter(|found| found.fix.is_some()).count() {
            0 => String::new(),
            all if all == found.len() => " (fixed)".to_owned(),
            some => format!(" ({some} of {} fixed)", found.len()),
        };
        out.push_str(&format!("=== {}{fixes}\n{printed}\n", case.name));
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
fn mistakes_in_what_rules_say_are_told() {
    snapshot!(LOGIC);
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
fn tests_of_texts_that_are_dead_or_leak_are_told() {
    snapshot!(TEXTS);
}

#[test]
fn values_that_are_dead_or_leak_are_told() {
    snapshot!(VALUES);
}

#[test]
fn a_fix_leaves_a_policy_without_the_finding() {
    let mut wrong = Vec::new();
    let mut mended = 0;
    for case in TEXTS.read() {
        let (found, _) = TEXTS.check(&case.wrong);
        if found.iter().any(|found| found.fix.is_some()) {
            let text = apply(&case.wrong, found.iter().filter_map(|found| found.fix.as_deref())).0;
            let (left, printed) = TEXTS.check(&text);
            mended += 1;
            if !left.is_empty() {
                wrong.push(format!("{}: {printed}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(mended > 30, "only {mended}");
}

/// Tests that look like those of `texts.cases`, but are intended.
const MEANT: &[&str] = &[
    "on PreToolUse(Bash)\nwhen command == \"make\"\nallow",
    "on PreToolUse(Bash)\nwhen command != \"make\"\ndeny \"No.\"",
    "on PreToolUse\nwhen runs \"git add\" where operands in [\"*\", \".\"]\ndeny \"No.\"",
    "on PreToolUse(Write)\nwhen content contains \"/*\"\nask \"Go on?\"",
    "on PreToolUse(WebFetch)\nwhen url == \"https://example.com/?q\"\nask \"Go on?\"",
    "on PreToolUse\nby \"coder\"\nwhen agent_type like \"coder\"\nask \"Go on?\"",
    "on UserPromptSubmit\nwhen prompt == \"continue\"\ncontext \"Go on.\"",
    "on PreToolUse(Edit)\nwhen path like [\"/etc/**\", \"/home/*/.ssh/**\", \"/app/**\", \"../x\", \"$HOME/.ssh/**\", \"src/\"]\nask \"Go on?\"",
    "on PreToolUse(Edit)\nwhen path like [\"Makefile\", \"test\", \"**.rs\", \"**/*.lock\"]\nask \"Go on?\"",
    "on PreToolUse(Edit)\nwhen path ends_with \"src/a.rs\" or path starts_with \"/etc/\" or path matches /^\\/src\\//\nask \"Go on?\"",
    "on PreToolUse(Bash|Read)\nwhen path like \"*.pem\"\ncontext \"A key.\"",
    "on PreToolUse(mcp__files__*)\nwhen path like \"*.pem\"\nask \"Go on?\"",
    "on PreToolUse\nwhen tool_name like [\"mcp__*\", \"m*\", \"*search*\"] or tool_name in [\"Task\", \"mcp__a__b\"]\nask \"Go on?\"",
    "on PreToolUse\nwhen runs \"rm\" where operands in [\".\", \"..\"]\ndeny \"No.\"",
    "on PreToolUse\nwhen runs \"rm !*\" where operands not in [\"build\", \"dist\"]\ndeny \"No.\"",
    "on PreToolUse\nwhen runs \"sleep\" where via not in [\"timeout\", \"gtimeout\"]\ndeny \"No.\"",
    "on PreToolUse\nwhen writes under \"src\" and not reads under \"src/generated\"\ndeny \"No.\"",
    "on PreToolUse(Write)\nwhen content matches /^/ or content matches /a\\.b|^$/\nask \"Go on?\"",
    "on PreToolUse\nwhen tool_name matches /^mcp__.*(read|list)/\nask \"Go on?\"",
    "on PreToolUse(Write)\nwhen content matches /a.b|x.*y/ or content matches /^\\s*$/\nask \"Go on?\"",
    "on PreToolUse(Read)\nwhen path like [\"*.env\", \"!.e*\", \".env\"]\nask \"Go on?\"",
    "on Stop\nwhen not stop_hook_active\nwarn \"Again.\"",
    "on PreToolUse(Read)\nwhen path not like \".env\"\nallow",
    "on PreToolUse(Grep)\nwhen exists path and path not like \".env\"\nallow",
    // Other commands of the call, on purpose.
    "on PreToolUse\nwhen runs \"git commit\"\nunless runs \"npm test\"\ndeny \"No.\"",
    "on PreToolUse\nwhen runs \"git push\" and not runs \"git fetch\"\ndeny \"No.\"",
    "on PreToolUse\nwhen runs \"git push !--dry-run\" and not runs \"git push --dry-run\"\ndeny \"No.\"",
    "on PreToolUse\nwhen path like \".env\" and not runs \"*\"\ndeny \"No.\"",
    "on PreToolUse(Bash)\nwhen only runs [\"git (log|config) *\", \"ls *\"] and not runs \"git config --unset\"\nallow",
    "on PreToolUse\nwhen reads like \".env\"\nunless runs \"wc\" and not runs \"*\" where (reads like \".env\" and program != \"wc\")\ndeny \"No.\"",
    "on PreToolUse\nwhen runs \"git commit\" where (exists option \"-m\" and option \"-m\" not matches /^x/)\ndeny \"No.\"",
    // Names, branches and files that are a single word.
    "on PreToolUse\nwhen runs [\"git push upstream\", \"git push origin v1.2\", \"git push origin HEAD\"]\ndeny \"No.\"",
    "on PreToolUse\nwhen runs \"git push\" where operands == \"origin\"\ndeny \"No.\"",
    "on PreToolUse(Bash)\nwhen runs \"cat .env\"\nwarn \"Careful.\"",
    "on PreToolUse\nwhen runs [\"cmake build\", \"npm run test:unit\", \"curl https://example.com/x\", \"mkfs.*\"]\ndeny \"No.\"",
    // Aliases, extensions, and names that a program has itself.
    "on PreToolUse\nwhen runs [\"git lg\", \"git pushf\", \"git unstage\", \"npm isntall\", \"cargo nextest\", \"kubectl ctx\", \"act push\"]\ndeny \"No.\"",
    "on PreToolUse(Bash)\nwhen only runs [\"git log *\", \"make (test|lint)\", \"npm run build\", \"cargo test *\", \"find *\"]\nallow",
    "on PreToolUse(WebFetch)\nwhen url starts_with \"https://github.com/acme/\"\nallow",
    "on PreToolUse(WebFetch)\nwhen url starts_with \"http://\"\ndeny \"No.\"",
    "on PreToolUse(WebFetch)\nwhen url ends_with \".md\"\nallow",
    "on PreToolUse(WebFetch)\nwhen url contains \"token=\"\ndeny \"No.\"",
    "on PreToolUse(WebFetch)\nunless url matches /^https:\\/\\/docs\\.example\\.org\\//\ndeny \"No.\"",
    "on PreToolUse(WebFetch)\nwhen url matches /^https:\\/\\/(www\\.)?example\\.(org|com)(\\/|$)/\nallow",
    "on PreToolUse(WebFetch)\nwhen domain like \"*.example.org\"\nallow",
    "on PreToolUse(WebFetch)\nwhen domain like \"*paste*\"\ndeny \"No.\"",
    "on PreToolUse(Write)\nwhen content matches /^#!\\/bin\\/sh/\ndeny \"No.\"",
    "on PreToolUse(Write)\nunless content matches /^use strict/\ndeny \"No.\"",
    "on UserPromptSubmit\nwhen prompt matches /^\\/deploy/\ncontext \"Deployments need a ticket.\"",
    "on PreToolUse(Edit|Write)\nwhen path under \"src\" and path like \"*.md\"\ndeny \"No.\"",
    "on PreToolUse(Edit|Write)\nwhen path under \"src\" and path under \"src/gen\"\ndeny \"No.\"",
    "on PreToolUse(mcp__files__*)\nwhen path under \"src\" and path under \"lib\"\ndeny \"No.\"",
    "on PreToolUse(Edit)\nwhen path like [\"src/**\", \"!src/gen/**\", \"src/gen/own/**\"]\ndeny \"No.\"",
    "on PreToolUse\nwhen path like \".env\" and tool_name != \"Bash\"\ndeny \"No.\"",
    "on PreToolUse(!Bash)\nwhen path like \".env\"\ndeny \"No.\"",
    "on PreToolUse\nwhen path like \".env\" or reads like \".env\"\ndeny \"No.\"",
    "on PostToolUse\nwhen path like \"*.rs\"\ncontext \"Run cargo fmt.\"",
    "on PreToolUse(Read)\nwhen path like \".env\"\ndeny \"Set $PATH in `import { path } from`.\"",
    "on PreToolUse\nby main\nwhen runs \"git push\"\ndeny \"No.\"",
    "on PreToolUse(Read|Bash)\nwhen writes under \"src\"\ndeny \"No.\"",
    "on *\nwhen runs \"git push\"\nwarn \"A push.\"",
    // Signs, words and numbers that are intended as written.
    "on PreToolUse(Bash)\nwhen tool_input.timeout > 1000\nask \"Go on?\"",
    "on PreToolUse(mcp__jobs__start)\nwhen tool_input.timeout > 60\nask \"Go on?\"",
    "on PreToolUse\nwhen tool_input.environment == \"prod\" or tool_input.title == \"x\" or tool_input.repo_path == \"y\"\nask \"Go on?\"",
    "on PreToolUse\nwhen runs \"psql\" where args contains \"drop table\"\ndeny \"No.\"",
    "on PreToolUse\nwhen runs \"git commit\" where args == \"- first line\"\ndeny \"No.\"",
    "on PreToolUse(Write)\nwhen content contains \"—\"\ndeny \"No.\"",
    "on PreToolUse(Read)\nwhen path like [\"Don’t*.md\", \"a–b.md\"]\ndeny \"No.\"",
    "on PreToolUse(Read)\nwhen path like 'app/\\[id\\]/*.tsx'\ndeny \"No.\"",
    "on PreToolUse(Read)\nwhen path like \"*.pem\"\ndeny \"Write `fn {ident}` — or \\{ident}, and leave {path} alone.\"",
    "on PostToolUse(Edit)\nrun \"git diff --stat | awk '{print $1}' | sort > $HOME/x\"",
    "on PostToolUse(Edit)\nrun \"for FILE in a b; do git add $FILE; done\"",
    "on PostToolUse(Edit)\nrun [\"bash\", \"-c\", \"git add $HOME/x\"]",
];

#[test]
fn what_is_meant_so_has_no_finding() {
    for rule in MEANT {
        let (_, printed) = TEXTS.check(&TEXTS.framed(rule));
        assert_eq!(printed, "", "{rule}");
    }
}

/// A whole condition proposed by a finding has no finding itself.
#[test]
fn what_a_help_proposes_has_no_finding() {
    let mut texts: Vec<(String, Cases, String)> = Vec::new();
    for cases in ALL.into_iter().filter(|cases| cases.file == "project.rules") {
        texts.extend(cases.read().into_iter().map(|case| (case.name, cases, case.wrong)));
    }
    for (code, _) in CODES {
        let blocks = fences(page(code)).into_iter().filter(|(_, info, _)| info == "rules,fires");
        texts.extend(blocks.map(|(.., text)| (code.name.to_owned(), ITEMS, text)));
    }
    // The value of a condition depends on the selector.
    let head = |text: &str| {
        let on = text
            .lines()
            .map(str::trim)
            .find(|line| line.starts_with("on PreToolUse") && !line.contains("(("))
            .map(str::to_owned);
        on.unwrap_or_else(|| "on PreToolUse".to_owned())
    };
    let proposals: BTreeSet<(String, String, String)> = texts
        .iter()
        .flat_map(|(name, cases, text)| {
            let helps = cases.check(text).0.into_iter().filter_map(|found| found.help);
            helps
                .flat_map(|help| proposed(&help))
                .map(|condition| (condition, head(text), name.clone()))
                .collect::<Vec<_>>()
        })
        .collect();
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for (condition, head, name) in proposals {
        let judge =
            |condition: &str| ITEMS.check(&format!("rule a {{\n  {head}\n  when {condition}\n  deny \"No.\"\n}}\n"));
        let loads = |(found, _): &(Vec<Diagnostic>, String)| !found.iter().any(Diagnostic::is_error);
        // A text that is not a condition on a call may be one on a command.
        let whole = Some(judge(&condition)).filter(loads);
        let Some((found, printed)) =
            whole.or_else(|| Some(judge(&format!("runs \"curl\" where ({condition})"))).filter(loads))
        else {
            continue;
        };
        judged += 1;
        if !found.is_empty() {
            wrong.push(format!("{name}: {printed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > 40, "only {judged}");
}

/// Whole rules shown by a help are a policy without findings.
#[test]
fn the_rules_that_a_help_shows_have_no_finding() {
    let files = read("tests/fixtures/syntax/languages.cases");
    let files = files.strip_prefix("=== ").unwrap().split("\n=== ").map(|case| case.split_once('\n').unwrap());
    let mut texts: Vec<(String, String)> = files.map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    for cases in ALL.into_iter().filter(|cases| cases.file == "project.rules") {
        texts.extend(cases.read().into_iter().map(|case| (case.name, case.wrong)));
    }
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for (name, text) in texts {
        for help in ITEMS.check(&text).0.into_iter().filter_map(|found| found.help) {
            let Some((_, rules)) = help.split_once("\n\n") else { continue };
            let printed = ITEMS.check(&format!("{rules}\n")).1;
            judged += 1;
            if !printed.is_empty() {
                wrong.push(format!("{name}: {printed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > 30, "only {judged}");
}

/// Returns the texts in backticks of a help, some of which are whole conditions; texts with a gap are left out.
fn proposed(help: &str) -> Vec<String> {
    let parts = help.split('`').skip(1).step_by(2);
    let whole = parts.map(|part| part.strip_prefix("when ").or(part.strip_prefix("unless ")).unwrap_or(part));
    whole.filter(|part| part.contains(' ') && !part.contains('…') && !part.contains('\n')).map(str::to_owned).collect()
}

#[test]
fn mistakes_of_those_who_know_another_language_are_told() {
    snapshot!(FOREIGN);
}

/// Texts with several findings that are separate mistakes.
const SEVERAL: &[&str] =
    &["trailing comma fires", "trailing comma everything", "CEL, has and startswith", "a definition of Terraform"];

/// Applies fixes until there are none left, which takes at most a few rounds.
pub(crate) fn mended(cases: Cases, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..6 {
        let found = cases.check(&text).0;
        let fixes: Vec<&Fix> = found.iter().filter_map(|found| found.fix.as_deref()).collect();
        let (next, applied) = apply(&text, fixes);
        if applied == 0 {
            return text;
        }
        text = next;
    }
    panic!("fixes without end: {text}");
}

/// Checks that edits leave no gap.
pub(crate) fn leaves_no_gap(name: &str, before: &str, after: &str) {
    assert_eq!(gap(before, after), None, "{name}");
}

/// Returns what edits leave of what they removed: blanks at the end of a line, two blanks between words, or two empty
/// lines, unless they were there before.
pub(crate) fn gap(before: &str, after: &str) -> Option<String> {
    let has_gap = |line: &str| line.ends_with([' ', '\t']) || line.trim_start().contains("  ");
    let is_known = |line: &str| before.lines().any(|known| known == line || has_gap(known));
    let gap = after.lines().find(|line| has_gap(line) && !is_known(line));
    let is_parted = after.contains("\n\n\n") && !before.contains("\n\n\n");
    let is_first = after.starts_with('\n') && !before.starts_with('\n');
    match gap {
        Some(line) => Some(format!("a gap in {line:?} of:\n{after}")),
        None => (is_parted || is_first).then(|| format!("an empty line of:\n{after}")),
    }
}

#[test]
fn a_fix_takes_its_finding_away_and_then_changes_nothing() {
    let mut count = 0;
    for cases in ALL {
        for case in cases.read() {
            let before = cases.check(&case.wrong).0;
            if before.iter().any(|found| found.fix.is_none()) {
                continue;
            }
            let once = mended(cases, &case.wrong);
            let left: Vec<String> = cases.check(&once).0.into_iter().map(|found| found.message).collect();
            for found in &before {
                assert!(!left.contains(&found.message), "{}: {} is still found in:\n{once}", case.name, found.message);
            }
            assert_eq!(mended(cases, &once), once, "{}", case.name);
            leaves_no_gap(&case.name, &case.wrong, &once);
            count += 1;
        }
    }
    assert!(count > 90, "{count}");
}

#[test]
fn a_fix_leads_to_what_the_help_says() {
    for case in FOREIGN.read() {
        let found = FOREIGN.check(&case.wrong).0;
        let fixes: Vec<&Fix> = found.iter().filter_map(|found| found.fix.as_deref()).collect();
        if fixes.len() == found.len() {
            assert_eq!(apply(&case.wrong, fixes).0, case.instead, "{}", case.name);
        }
    }
}

#[test]
fn what_was_meant_has_no_finding() {
    let cases = ALL.into_iter().flat_map(|cases| cases.read().into_iter().map(move |case| (cases, case)));
    let wrong: Vec<String> = cases
        .map(|(cases, case)| (case.name, cases.check(&case.instead).1))
        .filter(|(_, printed)| !printed.is_empty())
        .map(|(name, printed)| format!("{name}: {printed}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_mistake_is_told_once() {
    let mut more = Vec::new();
    for cases in ALL {
        for case in cases.read() {
            let found = cases.check(&case.wrong).0;
            if found.len() > 1 && !SEVERAL.contains(&case.name.as_str()) {
                more.push((case.name, found.into_iter().map(|found| found.message).collect::<Vec<_>>()));
            }
        }
    }
    assert!(more.is_empty(), "{more:#?}");
}

/// Codes that no text can cause, and the tests that cover them instead.
pub(crate) const NOT_BY_TEXT: &[(&Code, &str)] = &[
    (Code::PROGRAM_UNUSED, "about two records: `hook::programs` has it"),
    (Code::UNKNOWN_AGENT, "about a project's agents: `cli` has it"),
    (Code::PROGRAM_NOT_FOUND, "about a machine: `cli` has it"),
    (Code::SCRIPT_MISSING, "about a machine: `cli` has it"),
    (Code::UNKNOWN_ZONE, "about a machine: `cli` has it"),
    (Code::PATH_IN_SUBDIRECTORY, "about the directories of a project: `nested` has it"),
    (Code::RULE_UNTESTED, "reported where a setting asks for it: `reasoning` has it"),
    (Code::RULE_TESTED_ONE_SIDED, "reported where a setting asks for it: `reasoning` has it"),
    (Code::VAGUE_MESSAGE, "reported where a setting asks for it: `reasoning` has it"),
    (Code::DUPLICATED_GUARD, "reported where a setting asks for it: `reasoning` has it"),
    (Code::FAIL_OPEN_GUARD, "about a rule and a setting: `codes` has it"),
    (Code::LAYER_REFUSED, "about files and directories: `hook::failure` has them"),
    (Code::FILE_NOT_READ, "about the name of a file: `cli` has it"),
    (Code::INTERNAL, "a bug, which nobody can write down"),
    (Code::TOO_DEEP, "a text too large to show: `robust` has it"),
    (Code::TEXT_TOO_LONG, "a text too large to show: `cli` has it"),
    (Code::NOT_CARRIED, "about a host: `cli` has it"),
    (Code::NOT_SENT, "about a host: `cli` has it"),
    (Code::NOT_TOLD, "about a host: `cli` has it"),
    (Code::REGISTRATION, "about a host's settings: `install` has them"),
    (Code::BAD_HOST, "about the record of a host: `added_hosts` has it"),
    (Code::REGISTRATION_RISK, "about a host's settings: `install` has them"),
    (Code::EVENT_UNREGISTERED, "about a host's settings: `install` has them"),
    (Code::IMPORT_SYNTAX, "about a file that is imported: `import` has them"),
    (Code::IMPORT_KIND, "about a file that is imported: `import` has them"),
    (Code::IMPORT_MISSING, "about a file that is imported: `import` has them"),
    (Code::IMPORT_VALUE, "about a file that is imported: `import` has them"),
    (Code::ENCODING, "no plain text: `tests/fixtures/syntax/encoding.cases` has it"),
];

/// Codes that are off by default are covered by their pages.
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
    let missing: Vec<_> = CODES
        .iter()
        .filter(|(code, _)| code.is_on && !fired.contains(code.id) && !excepted(code))
        .map(|(code, _)| code)
        .collect();
    assert!(missing.is_empty(), "no case for {missing:#?}");
}
