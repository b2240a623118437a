//! The words of a command as its program reads them: subcommands, options, operands.
//!
//! By the table where the program is in it, else as written.

use super::table::{Arity, Opt, Program, Reading, program};
use super::{Part, Why, Word};

/// The words of a command, read.
#[derive(Clone, Debug)]
pub struct Argv<'a> {
    /// The program's base name, if it is known.
    pub name: Option<String>,
    /// Its entries in the table, from the program to the innermost subcommand.
    pub tables: Vec<&'static Program>,
    /// The subcommands. The last may lack in the table.
    pub commands: Vec<&'a Word>,
    /// The options, in order.
    pub options: Vec<Given>,
    /// The words that are none of these.
    pub operands: Vec<&'a Word>,
    /// Where in [`Argv::operands`] those begin that stand behind a `--`.
    pub behind_dashes: Option<usize>,
    /// Words that may turn out to be options.
    pub maybe_options: Vec<Why>,
}

/// An option as it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// Its entry, if there is one.
    pub option: Option<&'static Opt>,
    /// The name that it is known by; without an entry, as written.
    pub name: String,
    /// Its value.
    pub value: Option<Word>,
    /// It stands before the subcommand.
    pub is_global: bool,
    /// The index of the word that it stands in.
    pub at: usize,
}

/// Reads the words of a command.
#[must_use]
pub fn read(words: &[Word]) -> Argv<'_> {
    let name = words.first().and_then(Word::known).map(base_name).map(str::to_owned);
    let table = name.as_deref().and_then(program);
    let argv = Argv {
        name,
        tables: table.into_iter().collect(),
        commands: Vec::new(),
        options: Vec::new(),
        operands: Vec::new(),
        behind_dashes: None,
        maybe_options: Vec::new(),
    };
    let mut reader = Reader { words, at: 1, argv };
    while let Some(word) = words.get(reader.at) {
        reader.at += 1;
        reader.word(word);
    }
    reader.argv
}

/// Returns the last component of a program's path.
fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl Argv<'_> {
    /// Returns the innermost entry in the table.
    #[must_use]
    pub fn table(&self) -> Option<&'static Program> {
        self.tables.last().copied()
    }

    /// Returns the options of a name that no later one takes back.
    pub fn given<'g>(&'g self, name: &'g str) -> impl Iterator<Item = &'g Given> {
        let undone = |given: &&Given| given.option.and_then(|option| option.undoes) == Some(name);
        let from = self.options.iter().rposition(|given| undone(&given)).map_or(0, |at| at + 1);
        self.options.iter().skip(from).filter(move |given| given.name == name)
    }
}

struct Reader<'a> {
    words: &'a [Word],
    at: usize,
    argv: Argv<'a>,
}

impl<'a> Reader<'a> {
    fn reading(&self) -> Reading {
        self.argv.table().map_or(Reading::Gnu, |table| table.reading)
    }

    fn word(&mut self, word: &'a Word) {
        let reading = self.reading();
        let is_over = match reading {
            Reading::Operands => true,
            Reading::Leading => !self.argv.operands.is_empty(),
            _ => false,
        };
        if is_over || self.argv.behind_dashes.is_some() {
            return self.operand(word);
        }
        let start = word.prefix();
        match reading {
            Reading::Pairs => self.pair(word),
            Reading::Bundled if self.at == 2 && !start.starts_with('-') && !start.is_empty() => {
                self.cluster(word, start)
            }
            _ if word.known() == Some("--") => self.argv.behind_dashes = Some(self.argv.operands.len()),
            // Whatever begins with a hole may turn out to begin with a dash. Of a glob, only a file of a strange name
            // would.
            _ if start.is_empty() && matches!(word.parts.first(), Some(Part::Hole(_))) => {
                self.argv.maybe_options.extend(word.why());
                self.operand(word);
            }
            _ if word.known() == Some("-") || !start.starts_with('-') => self.operand(word),
            Reading::Words => self.long(word, start),
            _ if start.starts_with("--") => self.long(word, start),
            // As written: a program that is not known may take a cluster for one option.
            _ if self.argv.tables.is_empty() => self.long(word, start),
            _ => self.cluster(word, start.get(1..).unwrap_or_default()),
        }
    }

    fn operand(&mut self, word: &'a Word) {
        let may_have_commands = self.argv.table().is_some_and(|table| !table.commands.is_empty());
        let is_command = may_have_commands && self.argv.operands.is_empty() && self.argv.behind_dashes.is_none();
        if !is_command || self.argv.commands.len() >= self.argv.tables.len() {
            self.argv.operands.push(word);
            return;
        }
        self.argv.commands.push(word);
        let command = word.known().and_then(|name| self.argv.table().and_then(|table| table.command(name)));
        self.argv.tables.extend(command);
    }

    /// `--name`, `--name=value`, `--name value`.
    fn long(&mut self, word: &'a Word, start: &str) {
        let (spelling, has_value) = match start.split_once('=') {
            Some((spelling, _)) => (spelling, true),
            None => (start, false),
        };
        if !has_value && word.known().is_none() {
            // What the rest of the name is decides what it does.
            self.argv.maybe_options.extend(word.why());
            return;
        }
        let option = self.option(spelling);
        let value = match option.map(|option| option.arity) {
            _ if has_value => word.after(&format!("{spelling}=")),
            Some(Arity::Value) => self.next(),
            _ => None,
        };
        self.give(option, spelling, value);
    }

    /// `-abc`, `-ovalue`, `-o value`.
    fn cluster(&mut self, word: &'a Word, letters: &str) {
        let mut done = word.prefix().len() - letters.len();
        for letter in letters.chars() {
            done += letter.len_utf8();
            let spelling = format!("-{letter}");
            let option = self.option(&spelling);
            let rest =
                || word.after(word.prefix().get(..done).unwrap_or_default()).filter(|rest| !rest.parts.is_empty());
            match option.map(|option| option.arity) {
                Some(Arity::Value) => {
                    let value = rest().or_else(|| self.next());
                    return self.give(option, &spelling, value);
                }
                Some(Arity::Attached) => {
                    let value = rest();
                    return self.give(option, &spelling, value);
                }
                _ => self.give(option, &spelling, None),
            }
        }
        // Further letters.
        if word.known().is_none() {
            self.argv.maybe_options.extend(word.why());
        }
    }

    fn pair(&mut self, word: &'a Word) {
        match word.prefix().split_once('=') {
            Some((name, _)) => {
                let value = word.after(&format!("{name}="));
                self.give(self.option(name), name, value);
            }
            None => self.argv.operands.push(word),
        }
    }

    /// Looks an option up, from the innermost subcommand outwards.
    fn option(&self, spelling: &str) -> Option<&'static Opt> {
        let tables = || self.argv.tables.iter().rev();
        let exact = tables().find_map(|table| table.option(spelling));
        let long = spelling.len() > 2 && spelling.starts_with("--");
        let abbreviated = || self.argv.table().filter(|_| long).and_then(|table| table.abbreviated(spelling));
        exact.or_else(abbreviated)
    }

    fn next(&mut self) -> Option<Word> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word.clone())
    }

    fn give(&mut self, option: Option<&'static Opt>, spelling: &str, value: Option<Word>) {
        let name = option.map_or_else(|| spelling.to_owned(), |option| option.name().to_owned());
        let is_global = self.argv.commands.is_empty();
        self.argv.options.push(Given { option, name, value, is_global, at: self.at.saturating_sub(1) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Cause;

    fn words(text: &str) -> Vec<Word> {
        let hole = |word: &str| Word::hole(Why::new(Cause::Variable, word), true);
        text.split(' ').map(|word| if word.starts_with('$') { hole(word) } else { Word::text(word) }).collect()
    }

    /// Holds a command to `commands | options | operands | maybe`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let words = words(text);
        let argv = read(&words);
        let shown = |words: &[&Word]| words.iter().map(|word| word.shown()).collect::<Vec<_>>().join(" ");
        let options: Vec<String> = argv
            .options
            .iter()
            .map(|given| match &given.value {
                Some(value) => format!("{}={}", given.name, value.shown()),
                None => given.name.clone(),
            })
            .collect();
        let maybe: Vec<&str> = argv.maybe_options.iter().map(|why| why.word.as_str()).collect();
        let is = format!(
            "{} | {} | {} | {}",
            shown(&argv.commands),
            options.join(" "),
            shown(&argv.operands),
            maybe.join(" ")
        );
        assert_eq!(is, expected, "{text}");
    }

    #[test]
    fn options_are_known_by_one_name() {
        check("git push -f origin", "push | --force | origin | ");
        check("git -C dir -c a=b push -nf", "push | -C=dir -c=a=b --dry-run --force |  | ");
        check("git push -o x --force-with-lease=a:b", "push | --push-option=x --force-with-lease=a:b |  | ");
        check("git push --mirr -- -f", "push | --mirror | -f | ");
    }

    #[test]
    fn an_abbreviation_of_several_is_none() {
        check("git push --forc", "push | --forc |  | ");
    }

    #[test]
    fn what_a_table_lacks_is_as_written() {
        check("prog -rf --x=1 a -o b", " | -rf --x=1 -o | a b | ");
        check("git fp --force", "fp | --force |  | ");
    }

    #[test]
    fn a_word_that_is_not_known_may_be_an_option() {
        check("git push $X", "push |  | $X | $X");
        check("git push -- $X", "push |  | $X | ");
        check("git $X --force", "$X | --force |  | $X");
    }
}
