//! Texts of other shells than bash: from the fixtures and the executed texts, and mutations of them.

use crate::mutate::{self, pick, repeat};
use crate::random::Random;

/// The sources of texts.
pub struct Texts {
    texts: Vec<String>,
    words: Vec<String>,
}

/// Constructs with an opening and a closing part, in one of these languages.
const NESTS: &[(&str, &str, &str)] = &[
    ("(", "ls", ")"),
    ("$(", "ls", ")"),
    ("{ ", "ls", " }"),
    ("& { ", "ls", " }"),
    ("@(", "1", ")"),
    ("begin; ", "ls", "; end"),
    ("if true; ", "ls", "; end"),
    ("function f; ", "ls", "; end; f"),
    ("eval ", "ls", ""),
    ("not ", "ls", ""),
    ("() { ", "ls", " }"),
    ("${${", "x", "}}"),
    ("ls (a|", "b", ")"),
    ("if exist a (", "del b", ")"),
    ("\"$(", "ls", ")\""),
    ("[string]", "1", ""),
];

impl Texts {
    pub fn new() -> Self {
        let files = [
            "shell/fixtures/powershell.txt",
            "shell/fixtures/batch.txt",
            "tests/differential/texts/fish.txt",
            "tests/differential/texts/zsh.txt",
        ];
        let read = |file: &&str| std::fs::read_to_string(super::root().join(file)).expect("the texts can be read");
        let all: Vec<String> = files.iter().map(read).collect();
        let is_text = |line: &&str| !line.is_empty() && !line.starts_with(['#', '\t']);
        let lines = all.iter().flat_map(|text| text.lines().filter(is_text));
        let texts: Vec<String> =
            lines.map(|line| line.replace('⏎', "\n").replace("\\n", "\n").replace('%', "rm -rf x")).collect();
        let words = super::words(&texts);
        Self { texts, words }
    }

    pub fn text(&self, random: &mut Random) -> String {
        let mut text = match random.below(6) {
            0 => {
                let (open, core, close) = *pick(random, NESTS);
                let depth = 1 << random.below(14);
                format!("{}{core}{}", repeat(open, depth), repeat(close, depth))
            }
            1 => format!("{}; {}", pick(random, &self.texts), pick(random, &self.texts)),
            _ => pick(random, &self.texts).clone(),
        };
        for _ in 0..random.below(6) {
            mutate::text(random, &mut text, &self.words, &self.texts);
        }
        text
    }
}
