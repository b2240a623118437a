//! Records to programs: what is like another, sets of options, shared subcommands. It holds every record to the shape.

use std::collections::{BTreeMap, BTreeSet};

use super::{Mistake, Opt, Place, Program, Record, Reference, report};

/// A record behind those that it is a subcommand of, the program first.
type Chain<'r> = Vec<&'r Record>;

/// Resolves the records of all programs.
pub(super) fn resolve(records: &[Record], mistakes: &mut Vec<Mistake>) -> Vec<Program> {
    let mut resolver = Resolver { records, open: Vec::new(), mistakes };
    let programs = records.iter().map(|record| resolver.program(&vec![record])).collect();
    resolver.names(records.iter().flat_map(|record| record.names.iter().map(move |name| (name, &record.place))));
    programs
}

struct Resolver<'r, 'm> {
    records: &'r [Record],
    /// The records that are being resolved: one that leads to itself would have no end.
    open: Vec<&'r Record>,
    mistakes: &'m mut Vec<Mistake>,
}

impl<'r> Resolver<'r, '_> {
    fn program(&mut self, chain: &Chain<'r>) -> Program {
        let Some(record) = chain.last() else { return Program::default() };
        self.open.push(record);
        let kin = self.kin(chain);
        let of_kin = |value: fn(&Record) -> Option<&'static str>| {
            value(record).or_else(|| kin.iter().filter_map(|chain| chain.last()).find_map(|record| value(record)))
        };
        let mut program = Program {
            names: record.names.clone(),
            versioned: record.versioned.clone(),
            is_interpreter: record.is_interpreter,
            reading: of_kin(|record| record.reading).unwrap_or("Gnu"),
            unlisted: of_kin(|record| record.unlisted).unwrap_or("Other"),
            operands: of_kin(|record| record.operands).unwrap_or("Nothing"),
            is_as_written: record.is_as_written,
            options: record.options.clone(),
            shared: Vec::new(),
            files: record.files.clone(),
            runs: record.runs.clone(),
            variables: record.variables.clone(),
            commands: Vec::new(),
        };
        program.shared.extend(self.sets(chain, &record.with));
        for chain in &kin {
            let Some(record) = chain.last() else { continue };
            program.files = program.files.or_else(|| record.files.clone());
            program.runs = program.runs.or_else(|| record.runs.clone());
            program.variables = program.variables.or_else(|| record.variables.clone());
            program.shared.push(record.options.clone());
            program.shared.extend(self.sets(chain, &record.with));
        }
        for above in chain.iter().rev().skip(1) {
            program.shared.extend(self.sets(chain, &above.each));
        }
        program.shared.retain(|options| !options.is_empty());
        program.commands = self.commands(chain);
        self.check(record, &program);
        self.open.pop();
        program
    }

    /// Returns the records that one is like, from the nearest on.
    fn kin(&mut self, chain: &Chain<'r>) -> Vec<Chain<'r>> {
        let mut found: Vec<Chain<'r>> = Vec::new();
        let mut at = chain.clone();
        while let Some(like) = at.last().and_then(|record| record.like.as_ref()) {
            let Some(next) = self.sibling(&at, like) else {
                self.bad(like, "`like` names no record");
                break;
            };
            if std::iter::once(chain).chain(&found).any(|seen| is_same(seen.last(), next.last())) {
                self.bad(like, "`like` leads back to where it began");
                break;
            }
            found.push(next.clone());
            at = next;
        }
        found
    }

    /// Returns a record by its name: a sibling, else the words of a command from the program on.
    fn sibling(&self, chain: &Chain<'r>, reference: &Reference) -> Option<Chain<'r>> {
        let mut above = chain.clone();
        above.pop();
        let siblings = above.last().map_or(self.records, |record| &record.commands);
        if let Some(record) = named(siblings, &reference.name) {
            above.push(record);
            return Some(above);
        }
        self.command(&reference.name)
    }

    /// Returns a record by the words of a command.
    fn command(&self, words: &str) -> Option<Chain<'r>> {
        let (mut chain, mut records) = (Chain::new(), self.records);
        for word in words.split(' ') {
            let record = named(records, word)?;
            chain.push(record);
            records = &record.commands;
        }
        Some(chain)
    }

    /// Returns the sets of options of some names: those of a record or of one above it.
    fn sets(&mut self, chain: &Chain<'r>, names: &[Reference]) -> Vec<Vec<Opt>> {
        let mut found = Vec::new();
        for reference in names {
            let mut sets = chain.iter().rev().flat_map(|record| &record.sets);
            match sets.find(|(name, _)| *name == reference.name) {
                Some((_, options)) => found.push(options.clone()),
                None => self.bad(reference, "it is no `set` of this record or of one above it"),
            }
        }
        found
    }

    fn commands(&mut self, chain: &Chain<'r>) -> Vec<Program> {
        let Some(record) = chain.last() else { return Vec::new() };
        let below = |above: &Chain<'r>, record| above.iter().copied().chain([record]).collect::<Chain<'r>>();
        let mut chains: Vec<Chain<'r>> = record.commands.iter().map(|command| below(chain, command)).collect();
        for reference in &record.shares {
            let (words, all) = match reference.name.strip_suffix(" *") {
                Some(words) => (words, true),
                None => (reference.name.as_str(), false),
            };
            match self.command(words) {
                None => self.bad(reference, "`shares` names no record"),
                Some(kin) if all => {
                    chains.extend(kin.last().iter().flat_map(|of| &of.commands).map(|command| below(&kin, command)));
                }
                Some(kin) => chains.push(kin),
            }
            if chains.iter().any(|chain| self.open.iter().any(|open| is_same(chain.last(), Some(open)))) {
                self.bad(reference, "`shares` leads back to where it began");
                return Vec::new();
            }
        }
        let records = chains.iter().filter_map(|chain| chain.last());
        self.names(records.flat_map(|record| record.names.iter().map(move |name| (name, &record.place))));
        chains.iter().map(|chain| self.program(chain)).collect()
    }

    /// Reports names that stand more than once.
    fn names<'n>(&mut self, names: impl Iterator<Item = (&'n String, &'n Place)>) {
        let mut seen: BTreeMap<&str, &Place> = BTreeMap::new();
        for (name, place) in names {
            if let Some(other) = seen.insert(name, place) {
                let message = format!("the name `{name}` stands in {}:{} too", other.file, other.line);
                report(self.mistakes, place, message);
            }
        }
    }

    /// Holds a record to the shape.
    fn check(&mut self, record: &Record, program: &Program) {
        for name in record.versioned.iter().filter(|name| !record.names.contains(name)) {
            report(self.mistakes, &record.place, format!("`versioned` has `{name}`, and `names` lacks it"));
        }
        for options in std::iter::once(&record.options).chain(record.sets.iter().map(|(_, options)| options)) {
            self.spellings(options, program.reading);
        }
        for option in program.all_options() {
            for name in option.means.iter().chain(&option.undoes) {
                let meant = program.all_options().find(|other| other.names.contains(name));
                let message = match meant {
                    None => format!("there is no option `{name}`"),
                    Some(meant) if !meant.means.is_empty() => format!("`{name}` stands for others itself"),
                    Some(meant) if option.undoes.is_some() && meant.names.first() != Some(name) => {
                        format!("`{name}` is known as `{}`: write that", meant.names.first().map_or("", String::as_str))
                    }
                    Some(_) => continue,
                };
                report(self.mistakes, &option.place, message);
            }
        }
    }

    /// Checks how options are spelled, and that each spelling stands once.
    fn spellings(&mut self, options: &[Opt], reading: &str) {
        let mut seen = BTreeSet::new();
        for option in options {
            for name in &option.names {
                let letters = name.trim_start_matches('-');
                let dashes = name.len() - letters.len();
                let message = if letters.is_empty() {
                    "the name of an option is empty; spellings are parted by one blank".to_owned()
                } else if name.contains('=') {
                    format!("`{name}` has a `=`: the kind of an option says whether it takes a value")
                } else if reading == "Pairs" && dashes > 0 {
                    format!("`{name}` has a dash, and `pairs` have none")
                } else if reading != "Pairs" && !matches!(dashes, 1 | 2) {
                    format!("`{name}` needs one dash or two")
                } else if !seen.insert(name) {
                    format!("the option `{name}` stands twice")
                } else {
                    continue;
                };
                report(self.mistakes, &option.place, message);
            }
        }
    }

    fn bad(&mut self, reference: &Reference, message: &str) {
        report(self.mistakes, &reference.place, format!("`{}`: {message}", reference.name));
    }
}

/// Tells whether two records are one: the same lines of the same file.
fn is_same(one: Option<&&Record>, other: Option<&&Record>) -> bool {
    one.zip(other).is_some_and(|(one, other)| std::ptr::eq(*one, *other))
}

fn named<'r>(records: &'r [Record], name: &str) -> Option<&'r Record> {
    records.iter().find(|record| record.names.iter().any(|other| other == name))
}

impl Program {
    /// Returns its options, its own first.
    pub(super) fn all_options(&self) -> impl Iterator<Item = &Opt> {
        self.options.iter().chain(self.shared.iter().flatten())
    }
}
