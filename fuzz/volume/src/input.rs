//! Generates an input from a number, and tries it with the functions of the real binary, in the hook's order.

mod grammar;
mod others;
mod payload;
mod policy;
mod shell;

use std::path::{Path, PathBuf};

use hookrules::hooks;
use hookrules::host::{Host, HostOutput, parse_json};
use serde_json::json;

use crate::kind::Kind;
use crate::laws::Laws;
use crate::machine::Machine;
use crate::random::Random;
use crate::{checks, mutate};

/// The sources of inputs: the fixtures of the tree, and grammars.
pub struct Generator {
    shell: shell::Texts,
    others: others::Texts,
    payload: payload::Payloads,
    policy: policy::Policies,
    laws: Laws,
    import: Vec<String>,
    words: Vec<String>,
    code: Vec<String>,
    code_words: Vec<String>,
}

impl Generator {
    pub fn new() -> Self {
        let import = read_all("tests/fixtures/import", &["yaml", "cases"]);
        let code = programs();
        let (words, code_words) = (words(&import), words(&code));
        Self {
            shell: shell::Texts::new(),
            others: others::Texts::new(),
            payload: payload::Payloads::new(),
            policy: policy::Policies::new(),
            laws: Laws::new(),
            import,
            words,
            code,
            code_words,
        }
    }

    /// Returns the input with a number; the same for the same seed and the same tree.
    pub fn input(&self, kind: Kind, seed: u64, number: u64) -> Vec<u8> {
        let mut random = random_of(kind, seed, number);
        match kind {
            Kind::Others => self.others.text(&mut random).into_bytes(),
            Kind::Shell | Kind::Text => self.shell.text(&mut random).into_bytes(),
            Kind::Payload => self.payload.bytes(&mut random, &self.shell),
            Kind::Policy => self.policy.text(&mut random).into_bytes(),
            Kind::Index => self.laws.rules(&mut random).into_bytes(),
            Kind::Layers => self.laws.layers(&mut random).into_bytes(),
            Kind::Import => mutated(&mut random, &self.import, &self.words),
            Kind::Code => mutated(&mut random, &self.code, &self.code_words),
        }
    }

    /// Tries an input.
    ///
    /// # Errors
    /// The result is wrong. Worse failures end the process.
    pub fn attempt(&self, kind: Kind, input: &[u8], seed: u64, number: u64, machine: &Machine) -> Result<(), String> {
        let text = || String::from_utf8_lossy(input);
        // The calls of a law depend only on the number, even if minimisation removes some of its rules.
        let random = || random_of(kind, seed, number);
        match kind {
            Kind::Shell => answer(&bash(&text(), machine), machine, Host::CLAUDE_CODE)?,
            Kind::Text => checks::shell::check(&text()),
            Kind::Code => checks::code::commands(&text()).iter().for_each(|text| checks::shell::check(text)),
            Kind::Others => checks::powershell::check(&text()),
            Kind::Payload => {
                let host = Host::all().nth(number as usize % Host::names().count()).unwrap_or(Host::CLAUDE_CODE);
                answer(input, machine, host)?;
                if number.is_multiple_of(8) {
                    checks::payload::check(input);
                }
            }
            Kind::Policy => policy::attempt(&text(), number, machine)?,
            Kind::Import => checks::import::check(&text()),
            Kind::Index => self.laws.hold_index(&text(), &mut random())?,
            Kind::Layers => self.laws.hold_layers(&text(), &mut random())?,
        }
        Ok(())
    }
}

/// Returns the random numbers for an input.
fn random_of(kind: Kind, seed: u64, number: u64) -> Random {
    let mut mixed = Random::new(seed ^ (kind as u64) << 56);
    Random::new(mixed.next() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Returns the call of a shell command.
fn bash(text: &str, machine: &Machine) -> Vec<u8> {
    let payload = json!({
        "session_id": "s", "transcript_path": machine.project().join("t.jsonl"), "cwd": machine.project(),
        "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t1",
        "tool_input": {"command": text, "description": "d"},
    });
    payload.to_string().into_bytes()
}

/// Answers an event like the hook, and checks that a host can read the answer.
fn answer(bytes: &[u8], machine: &Machine, host: Host) -> Result<(), String> {
    let mut answer = hooks::answer_event(bytes, &machine.registration(host));
    let HostOutput { stdout, stderr, exit, .. } = answer.output.clone();
    answer.settle();
    if host != Host::CLAUDE_CODE {
        return Ok(());
    }
    match exit {
        0 | 2 => {}
        other => return Err(format!("exit {other}")),
    }
    if exit == 2 && stderr.is_empty() {
        return Err("a block without a reason".to_owned());
    }
    if stdout.starts_with('{') {
        let read = parse_json(stdout.as_bytes()).map_err(|error| format!("{error:?}: {stdout}"))?;
        if let Some(damage) = read.damage {
            return Err(format!("{damage}: {stdout}"));
        }
    }
    Ok(())
}

/// Returns the repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the paths of the files below a directory with one of these extensions, in a stable order.
fn files(directory: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![root().join(directory)]);
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).expect("the tree can be read").flatten() {
            let path = entry.path();
            let ends = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_owned();
            if path.is_dir() && entry.file_name() != "target" {
                open.push(path);
            } else if extensions.contains(&ends.as_str()) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read_all(directory: &str, extensions: &[&str]) -> Vec<String> {
    files(directory, extensions).iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// Returns the programs among the texts that are executed for their effects.
fn programs() -> Vec<String> {
    let texts = read_all("tests/differential/texts", &["txt"]);
    let lines = texts.iter().flat_map(|text| text.lines());
    let programs = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '=']));
    programs.map(|line| line.split(" #needs").next().unwrap_or(line).replace('⏎', "\n")).collect()
}

/// Returns a text with a few mutations.
fn mutated(random: &mut Random, texts: &[String], words: &[String]) -> Vec<u8> {
    let mut text = mutate::pick(random, texts).clone();
    for _ in 0..random.below(6) {
        mutate::text(random, &mut text, words, texts);
    }
    text.into_bytes()
}

/// Returns the components of texts: every word and every run of punctuation, without duplicates.
fn words(texts: &[String]) -> Vec<String> {
    let mut words = std::collections::BTreeSet::new();
    for text in texts {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        for word in text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty() && word.len() < 40) {
            words.insert(word.to_owned());
        }
        for sign in text.split(|c: char| is_word(c) || c.is_whitespace()).filter(|sign| !sign.is_empty()) {
            words.insert(sign.chars().take(4).collect());
        }
    }
    words.into_iter().collect()
}
