//! Properties of a pattern that do not depend on a command, for lints.

use crate::glob::Glob;
use crate::programs::{Arity, Program, ProgramOption, UnlistedSubcommand, WordSyntax};

use super::{FlagSpelling, Pattern, PatternEnd, PatternFlag, PatternOperand, Presence, ProgramPlace, names};

/// A word of a pattern that none of the records of its programs has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownWord<'p> {
    /// The first program of the pattern.
    pub program: &'p str,
    /// The word in the source, without a value.
    pub word: &'p str,
    /// The words that the record of the first program has instead: subcommands, or options with as many leading
    /// dashes.
    pub known: Vec<&'static str>,
}

/// The records of a program and of the subcommands that a pattern names, and the words of the pattern that they lack.
struct RecordWalk<'p> {
    /// The words that the records lack.
    unknown: Vec<UnknownWord<'p>>,
    /// The records from the program to the innermost subcommands, with those of all alternatives.
    tables: Vec<&'static Program>,
    /// Whether a subcommand is unknown, so that the words after it could mean anything.
    has_unknown_subcommand: bool,
}

impl Pattern {
    /// Whether a command may match both patterns; `false` is certain.
    #[must_use]
    pub fn may_meet(&self, other: &Self) -> bool {
        let may_share_program = self
            .programs
            .iter()
            .any(|one| other.programs.iter().any(|other| may_match_same_text(one, other) || is_alias_pair(one, other)));
        let is_plain = |operand: &&PatternOperand| operand.preceding_flag.is_none();
        let operands = self.front.iter().take_while(is_plain);
        let other_operands = other.front.iter().take_while(is_plain);
        let may_share_operands = operands.zip(other_operands).all(|(one, other)| {
            one.alternatives.iter().any(|one| other.alternatives.iter().any(|other| may_match_same_text(one, other)))
        });
        may_share_program && may_share_operands && !self.has_conflict_with(other) && !other.has_conflict_with(self)
    }

    /// Whether this pattern forbids a flag that the other requires.
    fn has_conflict_with(&self, other: &Self) -> bool {
        let flag_names = |pattern: &'_ Self, presence: Presence| -> Vec<Vec<String>> {
            let flags = pattern.flags.iter().filter(|flag| flag.presence == presence);
            flags.map(|flag| flag.alternatives.iter().map(|spelled| spelled.name.clone()).collect()).collect()
        };
        let absent = flag_names(self, Presence::Absent).concat();
        let given = flag_names(other, Presence::Given);
        given.iter().any(|alternatives| alternatives.iter().all(|name| absent.contains(name)))
    }

    /// Returns a short command that the pattern matches exactly: the first alternative of each word. `None` if a word
    /// is not known, or if a flag or a record decides what the command is.
    #[must_use]
    pub fn shortest_command(&self) -> Option<String> {
        let text = self.text.trim_end();
        let is_plain = |text: &str| !text.contains(['*', '|', '(', '[', '?', '!', '@']);
        if is_plain(text) {
            return Some(text.to_owned());
        }
        let is_flagged = self.flags.iter().any(|flag| flag.presence == Presence::Given);
        if is_flagged || self.after_dashes.is_some() || matches!(self.end, PatternEnd::Looks(_)) {
            return None;
        }
        let place = match self.project_directory() {
            None => String::new(),
            Some("") => "./".to_owned(),
            Some(directory) => format!("./{directory}/"),
        };
        let mut command = format!("{place}{}", self.programs.first()?.literal()?);
        for operand in &self.front {
            command.push(' ');
            command.push_str(operand.alternatives.first()?.literal()?);
        }
        Some(command)
    }

    /// Returns the directory of the project in which a strict test expects the program: `scripts` of
    /// `./scripts/test.sh`, an empty text of `./gradlew`, and `None` of a program by its name.
    #[must_use]
    pub fn project_directory(&self) -> Option<&str> {
        match &self.place {
            ProgramPlace::Installed => None,
            ProgramPlace::Project(directory) => Some(directory),
        }
    }

    /// Returns the program with its directory if a strict test expects it below the project's: `./scripts/x`.
    #[must_use]
    pub fn program_in_directory(&self) -> Option<&str> {
        self.project_directory().filter(|directory| !directory.is_empty())?;
        self.text.split_whitespace().next()
    }

    /// Whether the pattern names every word of the commands that it strictly matches: it has no wildcard, and does not
    /// end in a `*` or in the words of a record.
    #[must_use]
    pub fn is_spelled_out(&self) -> bool {
        let operands = self.front.iter().chain(self.after_dashes.iter().flatten());
        let is_plain = |flag: &FlagSpelling| flag.glob.is_none() && flag.value.as_ref().is_none_or(Glob::is_literal);
        matches!(self.end, PatternEnd::Open | PatternEnd::Nothing)
            && self.programs.iter().chain(operands.flat_map(|operand| &operand.alternatives)).all(Glob::is_literal)
            && self.flags.iter().flat_map(|flag| &flag.alternatives).all(is_plain)
    }

    /// Whether the pattern matches every command.
    #[must_use]
    pub fn is_universal(&self) -> bool {
        let is_any = |operand: &PatternOperand| operand.alternatives.iter().any(Glob::is_any);
        self.programs.iter().any(Glob::is_any)
            && self.front.iter().all(is_any)
            && self.after_dashes.is_none()
            && self.flags.is_empty()
            && !matches!(self.end, PatternEnd::Nothing | PatternEnd::Looks(_))
    }

    /// Returns the alternatives for each subcommand of the programs, the outermost first. The result is empty if an
    /// alternative has wildcards.
    #[must_use]
    pub fn subcommands(&self) -> Vec<Vec<&str>> {
        let words = self.front.iter().take(self.subcommand_count());
        let alternatives = words.map(|operand| operand.alternatives.iter().map(Glob::literal).collect());
        alternatives.collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether the pattern has an operand or a subcommand.
    #[must_use]
    pub fn has_operands(&self) -> bool {
        !self.front.is_empty() || self.after_dashes.is_some()
    }

    /// Whether one of the programs has subcommands, according to its record.
    #[must_use]
    pub fn takes_subcommand(&self) -> bool {
        let names = self.programs.iter().filter_map(Glob::literal);
        names.filter_map(|name| self.added.program(name)).any(|table| !table.commands.is_empty())
    }

    /// Returns the subcommands and options of the pattern that the records of all its programs lack, each once. The
    /// result is empty if a program has no record, or its name has wildcards.
    #[must_use]
    pub fn unknown_words(&self) -> Vec<UnknownWord<'_>> {
        let names = self.programs.iter().map(Glob::literal);
        let walks =
            names.map(|name| Some(self.walk_records(name?, self.added.program(name?)?))).collect::<Option<Vec<_>>>();
        let mut walks = walks.into_iter().flatten();
        let Some(first) = walks.next() else { return Vec::new() };
        walks.fold(first.unknown, |unknown, other| {
            let is_unknown = |word: &UnknownWord<'_>| other.unknown.iter().any(|other| other.word == word.word);
            unknown.into_iter().filter(is_unknown).collect()
        })
    }

    /// Follows the subcommands of the pattern through the records of one program, and collects the words that they
    /// lack.
    fn walk_records<'p>(&'p self, program: &'p str, table: &'static Program) -> RecordWalk<'p> {
        let mut walk = RecordWalk { unknown: Vec::new(), tables: vec![table], has_unknown_subcommand: false };
        let mut level = vec![table];
        for operand in &self.front {
            let inner = || level.iter().flat_map(|table| table.commands);
            if inner().next().is_none() {
                break;
            }
            match operand.preceding_flag.and_then(|at| self.flags.get(at)).map(|flag| walk.takes_value(flag)) {
                // The operand is the value of the flag.
                Some(Some(true)) => continue,
                // The operand may be the value of the flag, or the subcommand.
                Some(None) => {
                    walk.has_unknown_subcommand = true;
                    break;
                }
                Some(Some(false)) | None => {}
            }
            let is_named = |table: &&'static Program| {
                table.names.iter().any(|name| operand.alternatives.iter().any(|glob| glob.matches(name)))
            };
            let next: Vec<&'static Program> = inner().filter(is_named).collect();
            for word in operand.alternatives.iter().filter_map(Glob::literal) {
                let known: Vec<&'static str> = inner().flat_map(|table| table.names).copied().collect();
                if !known.contains(&word) && level.iter().any(|table| table.unlisted == UnlistedSubcommand::Script) {
                    walk.has_unknown_subcommand = true;
                } else if !known.contains(&word) {
                    walk.add(UnknownWord { program, word, known });
                    walk.has_unknown_subcommand = true;
                }
            }
            // A subcommand with wildcards may have any options, so they are not checked.
            if operand.alternatives.iter().any(|glob| !glob.is_literal()) {
                walk.has_unknown_subcommand = true;
            }
            walk.tables.extend(&next);
            level = next;
        }
        if !walk.has_unknown_subcommand {
            // The pattern may stop before a subcommand, so the option may belong to any inner one.
            let mut unvisited = level;
            while let Some(table) = unvisited.pop() {
                walk.tables.extend(table.commands);
                unvisited.extend(table.commands);
            }
            self.flags
                .iter()
                .flat_map(|flag| &flag.alternatives)
                .for_each(|spelled| walk.check_option(program, spelled));
        }
        walk
    }
}

impl<'p> RecordWalk<'p> {
    /// Adds a word that the records lack, once.
    fn add(&mut self, word: UnknownWord<'p>) {
        if !self.unknown.contains(&word) {
            self.unknown.push(word);
        }
    }

    /// Returns the options of all records.
    fn options(&self) -> impl Iterator<Item = &'static ProgramOption> {
        self.tables.iter().flat_map(|table| table.all_options())
    }

    /// Whether a flag takes the next word as its value; `None` if a record lacks one of its spellings, or if they
    /// differ.
    fn takes_value(&self, flag: &PatternFlag) -> Option<bool> {
        let needs_next_word = |spelled: &FlagSpelling| {
            let option = self.options().find(|option| option.names.contains(&spelled.name.as_str()))?;
            Some(spelled.value.is_none() && option.arity == Arity::Value)
        };
        let answers: Vec<bool> = flag.alternatives.iter().map(needs_next_word).collect::<Option<_>>()?;
        answers.first().copied().filter(|first| answers.iter().all(|other| other == first))
    }

    /// Adds an option if no record has it. A cluster of letters is only reported if the record has an option of that
    /// name with two dashes: `-force`.
    fn check_option(&mut self, program: &'p str, spelled: &'p FlagSpelling) {
        let name = spelled.name.as_str();
        let dashes = |name: &str| name.len() - name.trim_start_matches('-').len();
        let reads_words = self.tables.iter().any(|table| table.reading == WordSyntax::Words);
        let with_two_dashes =
            || self.options().flat_map(|option| option.names).find(|recorded| recorded.strip_prefix('-') == Some(name));
        // The record reads `-force` as five letters, some of which are not options.
        if dashes(name) == 1 && !reads_words && spelled.letters().is_some() {
            let is_letter = |letter: char| self.tables.iter().any(|table| table.letter(letter).is_some());
            let known: Vec<&'static str> = with_two_dashes().into_iter().copied().collect();
            if !known.is_empty() && !name.chars().skip(1).all(is_letter) {
                self.add(UnknownWord { program, word: name, known });
            }
            return;
        }
        let is_word = dashes(name) == 2 || reads_words && dashes(name) == 1;
        if !is_word || spelled.glob.is_some() {
            return;
        }
        let undashed = name.trim_start_matches('-');
        let is_recorded =
            |recorded: &&str| recorded.starts_with(name) || reads_words && recorded.trim_start_matches('-') == undashed;
        if self.options().flat_map(|option| option.names).any(is_recorded) {
            return;
        }
        let recorded_names = self.options().flat_map(|option| option.names).copied();
        let known: Vec<&'static str> = recorded_names.filter(|recorded| dashes(recorded) == dashes(name)).collect();
        if !known.is_empty() {
            self.add(UnknownWord { program, word: name, known });
        }
    }
}

/// Whether a text may match both globs; `false` is certain.
fn may_match_same_text(one: &Glob, other: &Glob) -> bool {
    match (one.literal(), other.literal()) {
        (Some(one), Some(other)) => one == other,
        (Some(one), None) => other.matches(one),
        (None, Some(other)) => one.matches(other),
        (None, None) => true,
    }
}

/// Whether two globs are the two names of one builtin: `[` and `test`.
fn is_alias_pair(one: &Glob, other: &Glob) -> bool {
    let second = one.literal().and_then(names::other_name);
    second.is_some_and(|second| other.matches(second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn pattern(text: &str) -> Pattern {
        Pattern::new(text).unwrap()
    }

    #[test]
    fn patterns_of_different_commands_do_not_meet() {
        let check = |one: &str, other: &str, expected: bool| {
            assert_eq!(pattern(one).may_meet(&pattern(other)), expected, "{one} {other}");
            assert_eq!(pattern(other).may_meet(&pattern(one)), expected, "{other} {one}");
        };
        check("kubectl", "kubectl get *", true);
        check("git push", "git push --dry-run", true);
        check("git (push|fetch)", "git fetch", true);
        check("python*", "python3 -m", true);
        check("git -C x push", "git push", true);
        check("source", ". x", true);
        check("*", "ls", true);
        check("git push", "git fetch", false);
        check("git commit", "npm test", false);
        check("git push --dry-run", "git push !--dry-run", false);
    }

    #[test]
    fn words_that_a_program_does_not_know_are_told() {
        let check = |text: &str, expected: &[&str]| {
            let pattern = pattern(text);
            let words: Vec<&str> = pattern.unknown_words().iter().map(|unknown| unknown.word).collect();
            assert_eq!(words, expected, "{text}");
        };
        check("git psuh", &["psuh"]);
        check("git (push|psuh) --froce", &["psuh"]);
        check("git push --froce", &["--froce"]);
        check("git push !--dry-rnu", &["--dry-rnu"]);
        check("git push --forc", &[]);
        check("git --no-verify", &[]);
        check("git -C push psuh", &["psuh"]);
        check("git --unheard push", &[]);
        check("docker run --privilleged", &["--privilleged"]);
        check("docker|podman run --privileged", &[]);
        check("docker container rnu", &["rnu"]);
        check("npm isntall", &[]);
        check("terraform apply -auto-aprove", &["-auto-aprove"]);
        check("terraform apply --auto-approve", &[]);
        check("unheard psuh --froce", &[]);
        check("git|unheard psuh", &[]);
        check("rm -rfx", &[]);
        check("git push -force", &["-force"]);
        check("* --froce", &[]);
    }

    #[test]
    fn a_pattern_of_wildcards_means_any_command() {
        let any = |text: &str| pattern(text).is_universal();
        assert!(any("*") && any("* *") && any("ls|* *"));
        assert!(!any("* push") && !any("* !*") && !any("* --force") && !any("python*"));
    }
}
