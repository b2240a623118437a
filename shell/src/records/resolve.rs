//! Resolves the references between records (`like`, `shares`, `with`, `each`), and validates every record.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    AdditionContext, LongOptionSyntax, MAX_COMMANDS, MAX_LEVELS, MAX_OPTIONS, OperandEffect, OptionRecord,
    ProgramRecord, Record, RecordMistake, RecordReference, ResolvedRecord, ShortOptionSyntax, SourcePlace,
    SubcommandSyntax, UnlistedSubcommand, WordSyntax, WrittenOption, report,
};

/// A record with the records around it: first that of the program, then those of subcommands, and last the record
/// itself.
type RecordChain<'r> = Vec<&'r Record>;

/// Resolves the records of all programs. If a limit is exceeded, that is reported, and the remaining programs are left
/// out.
pub(super) fn resolve(
    records: &[Record],
    additions: Option<AdditionContext<'_>>,
    mistakes: &mut Vec<RecordMistake>,
) -> Vec<ResolvedRecord> {
    let others = additions.map(|additions| referenced_records(records, additions.known)).unwrap_or_default();
    let work_limit = additions.map_or(usize::MAX, |additions| additions.work);
    let is_bounded = additions.is_some();
    let name_count = count_names(records) + count_names(&others);
    let mut resolver = Resolver {
        records,
        others: &others,
        open: Vec::new(),
        is_bounded,
        name_count,
        remaining_work: work_limit,
        mistakes,
    };
    let programs = records.iter().map_while(|record| resolver.program(&vec![record])).collect();
    resolver.report_duplicate_names(
        records.iter().flat_map(|record| record.names.iter().map(move |name| (name, &record.place))),
    );
    programs
}

/// Returns the existing records to which these records refer. If a record refers to its own name, that means the
/// existing record that it replaces.
fn referenced_records(records: &[Record], known: &dyn Fn(&str) -> Option<Record>) -> Vec<Record> {
    let added_names: BTreeSet<&str> = records.iter().flat_map(|record| &record.names).map(String::as_str).collect();
    let mut program_words = BTreeSet::new();
    for program in records {
        let program_names: BTreeSet<&str> = program.names.iter().map(String::as_str).collect();
        let mut pending = vec![program];
        while let Some(record) = pending.pop() {
            let references = record.like.iter().chain(&record.shares);
            let first_words = references.filter_map(|reference| reference.name.split(' ').next());
            program_words
                .extend(first_words.filter(|word| !added_names.contains(word) || program_names.contains(word)));
            pending.extend(&record.commands);
        }
    }
    program_words.into_iter().filter_map(known).collect()
}

/// Resolves records, and reports their mistakes.
struct Resolver<'r, 'm> {
    records: &'r [Record],
    /// The existing records to which some of the records refer.
    others: &'r [Record],
    /// The records that are being resolved, each inside the one before it. Used to find cycles.
    open: Vec<&'r Record>,
    /// Whether the records are added by a policy, so that their size is limited.
    is_bounded: bool,
    /// The number of names with which a search for a program compares.
    name_count: usize,
    /// The remaining work budget.
    remaining_work: usize,
    mistakes: &'m mut Vec<RecordMistake>,
}

/// A record, and the records that its key `like` names, the nearest first. A property is taken from the first of these
/// records that has it.
struct Nearest<'r, 'k> {
    record: &'r Record,
    /// The records that `like` names, directly or indirectly.
    kin: &'k [RecordChain<'r>],
}

impl<'r> Nearest<'r, '_> {
    /// Returns the record itself, and then those that `like` names.
    fn records(&self) -> impl Iterator<Item = &'r Record> {
        std::iter::once(self.record).chain(self.kin.iter().filter_map(|chain| chain.last().copied()))
    }

    /// Returns a property from the first of these records that has it.
    fn find<T>(&self, property: impl FnMut(&'r Record) -> Option<T>) -> Option<T> {
        self.records().find_map(property)
    }

    /// Returns the part of the resolved record that defines how words are parsed, without the subcommands.
    fn words(&self, chain: &RecordChain<'r>, reading: WordSyntax, shared: &[Vec<WrittenOption>]) -> ProgramRecord {
        let record = self.record;
        // A subcommand that does not set these properties has those of the record around it.
        let outward = || self.records().chain(chain.iter().rev().skip(1).copied());
        ProgramRecord {
            names: record.names.clone(),
            versioned: record.versioned.clone(),
            is_interpreter: record.is_interpreter,
            reading,
            long_options: outward().find_map(|record| record.long_options).unwrap_or(LongOptionSyntax::Shortened),
            short_options: outward().find_map(|record| record.short_options).unwrap_or(ShortOptionSyntax::Attached),
            subcommands: self.find(|record| record.subcommands).unwrap_or(SubcommandSyntax::Whole),
            aliases: record.aliases.iter().map(|(_, names)| names.clone()).collect(),
            tracks: record.tracks.clone(),
            unlisted: self.find(|record| record.unlisted).unwrap_or(UnlistedSubcommand::Other),
            operands: self.find(|record| record.operands).unwrap_or(OperandEffect::Nothing),
            options: without_places(&record.options),
            shared: shared.iter().map(|options| without_places(options)).collect(),
            commands: Vec::new(),
        }
    }
}

impl<'r> Resolver<'r, '_> {
    /// Resolves the last record of a chain, with its subcommands. `None` if the work or the nesting would exceed its
    /// limit.
    fn program(&mut self, chain: &RecordChain<'r>) -> Option<ResolvedRecord> {
        let record = *chain.last()?;
        if self.open.len() == MAX_LEVELS {
            let message = format!("more than {MAX_LEVELS} subcommands within each other");
            report(self.mistakes, &record.place, message, "take fewer by `shares`");
            return None;
        }
        self.open.push(record);
        let kin = self.like_chain(chain)?;
        let shared = self.shared(chain, &kin)?;
        let nearest = Nearest { record, kin: &kin };
        let reading = nearest.find(|record| record.reading).unwrap_or(WordSyntax::Gnu);
        let sets = record.sets.iter().map(|(_, options)| option_cost(options)).sum::<usize>();
        let names = record.names.len() * (1 + record.versioned.len());
        self.charge(&record.place, 1 + names + option_cost(&record.options) + sets)?;
        self.check(record, reading, &shared);
        let commands = self.commands(chain)?;
        self.aliases(record, &commands);
        self.open.pop();
        Some(ResolvedRecord {
            record: nearest.words(chain, reading, &shared),
            is_as_written: record.is_as_written,
            files: nearest.find(|record| record.files.clone()),
            network: nearest.find(|record| record.network.clone()),
            runs: nearest.find(|record| record.runs.clone()),
            variables: nearest.find(|record| record.variables.clone()),
            prints: record.prints.clone(),
            project: nearest.find(|record| record.project.clone()),
            looks: record.looks.clone(),
            asks: record.asks.clone(),
            behind_dashes: nearest.find(|record| record.behind_dashes.clone()).unwrap_or_default(),
            plain_values: nearest.find(|record| record.plain_values.clone()).unwrap_or_default(),
            incidental: nearest.find(|record| record.incidental.clone()).unwrap_or_default(),
            incidental_call: record.incidental_call,
            reads_input: record.reads_input.unwrap_or(true),
            language: record.language,
            dialect: record.dialect,
            startup: record.startup.clone(),
            commands,
        })
    }

    /// Returns the groups of options that a record has in addition to its own: those of sets, of the records that
    /// `like` names, and of the key `each` of the records around it.
    fn shared(&mut self, chain: &RecordChain<'r>, kin: &[RecordChain<'r>]) -> Option<Vec<Vec<WrittenOption>>> {
        let record = chain.last()?;
        let mut shared = self.sets(chain, &record.with)?;
        for chain in kin {
            let Some(record) = chain.last() else { continue };
            self.charge(&record.place, 1 + option_cost(&record.options))?;
            shared.push(record.options.clone());
            shared.extend(self.sets(chain, &record.with)?);
        }
        for above in chain.iter().rev().skip(1) {
            shared.extend(self.sets(chain, &above.each)?);
        }
        shared.retain(|options| !options.is_empty());
        Some(shared)
    }

    /// Charges work to the budget. If that does not suffice, reports it and returns `None`.
    fn charge(&mut self, place: &SourcePlace, work: usize) -> Option<()> {
        match self.remaining_work.checked_sub(work) {
            Some(left) => self.remaining_work = left,
            None => {
                let message = "with this record, the records take too many options from others";
                report(self.mistakes, place, message, "take fewer by `like`, `shares`, `with` and `each`");
                return None;
            }
        }
        Some(())
    }

    /// Returns the records that the `like` of a record names, directly and through others, the nearest first.
    fn like_chain(&mut self, chain: &RecordChain<'r>) -> Option<Vec<RecordChain<'r>>> {
        let mut found: Vec<RecordChain<'r>> = Vec::new();
        let mut current = chain.clone();
        while let Some(like) = current.last().and_then(|record| record.like.as_ref()) {
            self.charge(&like.place, 1 + found.len())?;
            self.charge_lookup(&current, like)?;
            let Some(next) = self.sibling(&current, like) else {
                self.report_reference(
                    like,
                    "`like` names no record",
                    "name a record beside it, or the words of a command: `\"git push\"`",
                );
                break;
            };
            if std::iter::once(chain).chain(&found).any(|previous| is_same_record(previous.last(), next.last())) {
                self.report_reference(like, "`like` leads back to where it began", "remove one of the `like`");
                break;
            }
            found.push(next.clone());
            current = next;
        }
        Some(found)
    }

    /// Charges the work of finding a record by its name.
    fn charge_lookup(&mut self, chain: &RecordChain<'r>, reference: &RecordReference) -> Option<()> {
        let above = chain.len().checked_sub(2).and_then(|at| chain.get(at));
        let siblings = above.map_or(0, |record| count_names(&record.commands));
        self.charge(&reference.place, siblings + self.name_count)
    }

    /// Returns the record that a reference names: one at the same level as the last record of the chain or, if there is
    /// none, the record of a command such as `git push`.
    fn sibling(&self, chain: &RecordChain<'r>, reference: &RecordReference) -> Option<RecordChain<'r>> {
        let mut above = chain.clone();
        above.pop();
        let sibling = match above.last() {
            Some(record) => record_named(&record.commands, &reference.name),
            None => self.find_program(&reference.name),
        };
        if let Some(record) = sibling {
            above.push(record);
            return Some(above);
        }
        self.command(&reference.name)
    }

    /// Returns the record of a program. For a record that refers to its own name, that is the existing record which it
    /// replaces.
    fn find_program(&self, name: &str) -> Option<&'r Record> {
        let other = record_named(self.others, name);
        let is_open = |record: &&Record| self.open.first().is_some_and(|open| is_same_record(Some(open), Some(record)));
        record_named(self.records, name).filter(|record| other.is_none() || !is_open(record)).or(other)
    }

    /// Returns the record of a command, given its words: `git push`.
    fn command(&self, words: &str) -> Option<RecordChain<'r>> {
        let mut words = words.split(' ');
        let first = words.next()?;
        let mut chain = vec![self.find_program(first)?];
        for word in words {
            let record = record_named(&chain.last()?.commands, word)?;
            chain.push(record);
        }
        Some(chain)
    }

    /// Returns the sets of options with these names. The last record of the chain, or one around it, has to define
    /// them.
    fn sets(&mut self, chain: &RecordChain<'r>, names: &[RecordReference]) -> Option<Vec<Vec<WrittenOption>>> {
        let mut found = Vec::new();
        for reference in names {
            self.charge(&reference.place, 1 + chain.iter().map(|record| record.sets.len()).sum::<usize>())?;
            let mut sets = chain.iter().rev().flat_map(|record| &record.sets);
            match sets.find(|(name, _)| *name == reference.name) {
                Some((_, options)) => {
                    self.charge(&reference.place, option_cost(options))?;
                    found.push(options.clone());
                }
                None => self.report_reference(
                    reference,
                    "it is no `set` of this record or of one above it",
                    "write `[set.NAME]`, or name another",
                ),
            }
        }
        Some(found)
    }

    /// Resolves the subcommands of a record: its own ones, and those that it shares with other records.
    fn commands(&mut self, chain: &RecordChain<'r>) -> Option<Vec<ResolvedRecord>> {
        let record = *chain.last()?;
        let extend_chain =
            |above: &RecordChain<'r>, record| above.iter().copied().chain([record]).collect::<RecordChain<'r>>();
        let mut chains: Vec<RecordChain<'r>> =
            record.commands.iter().map(|command| extend_chain(chain, command)).collect();
        for reference in &record.shares {
            self.charge(&reference.place, 1 + self.name_count + chains.len())?;
            // This is the work of comparing the names of all shared subcommands with those that the record has.
            if self.is_bounded && reference.name.ends_with(" *") {
                self.charge(&reference.place, chains.len() * MAX_COMMANDS / 16)?;
            }
            let (words, shares_all) = match reference.name.strip_suffix(" *") {
                Some(words) => (words, true),
                None => (reference.name.as_str(), false),
            };
            match self.command(words) {
                None => self.report_reference(
                    reference,
                    "`shares` names no record",
                    "name the words of a command: `\"git push\"`, `\"git *\"`",
                ),
                Some(kin) if shares_all => {
                    // In a record that a policy adds, its own subcommands replace shared ones with the same name. Of
                    // several shared ones with the same name, the first is used.
                    let is_new = |command: &&Record| {
                        let mut existing_names =
                            chains.iter().filter_map(|chain| chain.last()).flat_map(|record| &record.names);
                        !self.is_bounded || !existing_names.any(|name| command.names.contains(name))
                    };
                    let commands = kin.last().into_iter().flat_map(|outer| &outer.commands).filter(is_new);
                    let new_chains: Vec<_> = commands.map(|command| extend_chain(&kin, command)).collect();
                    chains.extend(new_chains);
                }
                Some(kin) => chains.push(kin),
            }
            if chains.iter().any(|chain| self.open.iter().any(|open| is_same_record(chain.last(), Some(open)))) {
                self.report_reference(reference, "`shares` leads back to where it began", "name another command");
                return Some(Vec::new());
            }
        }
        if chains.len() > MAX_COMMANDS && self.is_bounded {
            let message = format!("it has {} subcommands: more than {MAX_COMMANDS}", chains.len());
            report(self.mistakes, &record.place, message, "leave out those that no rule names");
            return Some(Vec::new());
        }
        let records = chains.iter().filter_map(|chain| chain.last());
        self.report_duplicate_names(
            records.flat_map(|record| record.names.iter().map(move |name| (name, &record.place))),
        );
        chains.iter().map(|chain| self.program(chain)).collect()
    }

    /// Reports names in `aliases` that no subcommand at any level has, and names that are in two groups.
    fn aliases(&mut self, record: &Record, commands: &[ResolvedRecord]) {
        let mut seen = BTreeSet::new();
        for (place, names) in &record.aliases {
            for name in names {
                if !has_command(commands, name) {
                    let message = format!("`aliases`: there is no subcommand `{name}`");
                    report(self.mistakes, place, message, "add it to the `names` of one");
                } else if !seen.insert(name) {
                    let message = format!("`aliases`: the name `{name}` stands twice");
                    report(self.mistakes, place, message, "keep it where it is right");
                }
            }
        }
    }

    /// Reports names that occur twice.
    fn report_duplicate_names<'n>(&mut self, names: impl Iterator<Item = (&'n String, &'n SourcePlace)>) {
        let mut seen: BTreeMap<&str, &SourcePlace> = BTreeMap::new();
        for (name, place) in names {
            if let Some(other) = seen.insert(name, place) {
                report(self.mistakes, place, format!("the name `{name}` stands in {other} too"), "remove one of them");
            }
        }
    }

    /// Checks the versioned names and the options of a record.
    fn check(&mut self, record: &Record, reading: WordSyntax, shared: &[Vec<WrittenOption>]) {
        for name in record.versioned.iter().filter(|name| !record.names.contains(name)) {
            let message = format!("`versioned` has `{name}`, and `names` lacks it");
            report(self.mistakes, &record.place, message, "add it to `names`");
        }
        for options in std::iter::once(&record.options).chain(record.sets.iter().map(|(_, options)| options)) {
            self.spellings(options, reading);
        }
        let all_options = || record.options.iter().chain(shared.iter().flatten());
        let count = all_options().count();
        if count > MAX_OPTIONS && self.is_bounded {
            let message = format!("it has {count} options: more than {MAX_OPTIONS}");
            return report(self.mistakes, &record.place, message, "leave out those that no rule names");
        }
        let mut by_spelling: BTreeMap<&str, &OptionRecord> = BTreeMap::new();
        for WrittenOption { option, .. } in all_options() {
            for name in &option.names {
                by_spelling.entry(name).or_insert(option);
            }
        }
        for WrittenOption { place, option } in all_options() {
            for name in option.means.iter().chain(&option.undoes) {
                let (message, help) = match by_spelling.get(name.as_str()) {
                    None => (format!("there is no option `{name}`"), "name an option of this record".to_owned()),
                    Some(named_option) if !named_option.means.is_empty() => {
                        (format!("`{name}` stands for others itself"), "name those".to_owned())
                    }
                    Some(named_option) if option.undoes.is_some() && named_option.names.first() != Some(name) => {
                        let known = named_option.names.first().map_or("", String::as_str);
                        (format!("`{name}` is known as `{known}`"), format!("write `{known}`"))
                    }
                    Some(_) => continue,
                };
                report(self.mistakes, place, message, help);
            }
        }
    }

    /// Reports spellings of options that are malformed, or that occur twice in a list.
    fn spellings(&mut self, options: &[WrittenOption], reading: WordSyntax) {
        let mut seen = BTreeSet::new();
        for WrittenOption { place, option } in options {
            for name in &option.names {
                let letters = name.trim_start_matches('-');
                let dashes = name.len() - letters.len();
                let (message, help) = if letters.is_empty() {
                    ("the name of an option is empty".to_owned(), "part spellings by one blank: \"--force -f\"")
                } else if name.contains('=') {
                    (format!("`{name}` has a `=`"), "write the name alone: its kind says whether it takes a value")
                } else if name.contains(',') {
                    (format!("`{name}` has a comma"), "part spellings by one blank: \"--force -f\"")
                } else if reading == WordSyntax::Pairs && dashes > 0 {
                    (format!("`{name}` has a dash, and `pairs` have none"), "write the name alone")
                } else if reading != WordSyntax::Pairs && !matches!(dashes, 1 | 2) {
                    (format!("`{name}` needs one dash or two"), "write the option as it is given: \"--force -f\"")
                } else if !seen.insert(name) {
                    (format!("the option `{name}` stands twice"), "keep the kind that is right")
                } else {
                    continue;
                };
                report(self.mistakes, place, message, help);
            }
        }
    }

    /// Reports a mistake at a reference.
    fn report_reference(&mut self, reference: &RecordReference, message: &str, help: &str) {
        report(self.mistakes, &reference.place, format!("`{}`: {message}", reference.name), help);
    }
}

/// Whether two records are the same object.
fn is_same_record(one: Option<&&Record>, other: Option<&&Record>) -> bool {
    one.zip(other).is_some_and(|(one, other)| std::ptr::eq(*one, *other))
}

/// Returns the first of the records that has this name.
fn record_named<'r>(records: &'r [Record], name: &str) -> Option<&'r Record> {
    records.iter().find(|record| record.names.iter().any(|other| other == name))
}

/// Returns the number of names of all records.
fn count_names(records: &[Record]) -> usize {
    records.iter().map(|record| record.names.len()).sum()
}

/// Returns how much work it takes to visit these options: the number of their spellings, and of the options that they
/// mean.
fn option_cost(options: &[WrittenOption]) -> usize {
    options.iter().map(|written| written.option.names.len() + written.option.means.len()).sum()
}

/// Returns the options without their positions.
fn without_places(options: &[WrittenOption]) -> Vec<OptionRecord> {
    options.iter().map(|written| written.option.clone()).collect()
}

/// Whether words such as `rm` or `container run` name a subcommand.
fn has_command(commands: &[ResolvedRecord], words: &str) -> bool {
    let (first, rest) = words.split_once(' ').map_or((words, None), |(first, rest)| (first, Some(rest)));
    let mut named = commands.iter().filter(|command| command.record.has_name(first));
    named.any(|command| rest.is_none_or(|rest| has_command(&command.commands, rest)))
}
