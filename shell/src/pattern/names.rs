//! The names of programs and words in patterns and texts: the keys of an index that selects patterns before they are
//! compared.

use crate::analysis::{Analysis, SimpleCommand};
use crate::argv::{base_name, program_name};
use crate::glob::Glob;
use crate::programs::{Program, UnlistedSubcommand, program};

use super::incidental::other_script_call;
use super::sequence::Strictness;
use super::{FlagSpelling, Pattern, PatternFlag, Presence, possible_program_names};

/// Whether the reported names are all names that occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameCoverage {
    /// There are no other names.
    Complete,
    /// There may be other names.
    Partial,
}

/// The possible names of a command's program, by which patterns are selected before they are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PossibleProgram<'c> {
    /// There is no program, so no pattern matches.
    Nothing,
    /// This name, and the program that the name begins with: `git-push`, and `git`.
    Name(&'c str, Option<&'c str>),
    /// The program is unknown, and may have any name.
    Anything,
}

impl PossibleProgram<'_> {
    /// Whether the program may be one that a pattern names; `name` is one of [`Pattern::program_names`].
    #[must_use]
    pub fn may_be_named(self, name: &[u8]) -> bool {
        match self {
            Self::Nothing => false,
            Self::Name(own, outer) => own.as_bytes() == name || outer.map(str::as_bytes) == Some(name),
            Self::Anything => true,
        }
    }
}

impl SimpleCommand {
    /// Returns the possible names of the program for [`Pattern::runs`]: a pattern without such a program does not
    /// match.
    #[must_use]
    pub fn possible_program(&self) -> PossibleProgram<'_> {
        let Some(first) = self.words.first() else { return PossibleProgram::Nothing };
        match program_name(first) {
            Some(name) => {
                let dash = name.as_bytes().iter().position(|byte| *byte == b'-');
                PossibleProgram::Name(name, dash.and_then(|at| name.get(..at)))
            }
            None => PossibleProgram::Anything,
        }
    }

    /// Returns the possible names of the program for [`Pattern::runs_only`]: a pattern without such a program does
    /// not match.
    #[must_use]
    pub fn exact_program(&self) -> PossibleProgram<'_> {
        let Some(first) = self.words.first() else {
            // A pattern of looks matches a command that only sets variables.
            return if self.assignments.is_empty() { PossibleProgram::Nothing } else { PossibleProgram::Anything };
        };
        match first.known_text() {
            Some(path) => PossibleProgram::Name(base_name(path), None),
            None => PossibleProgram::Anything,
        }
    }
}

/// A condition on the name of a program that must hold for a pattern to match, or for the result to be unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProgramName<'p> {
    /// The name is exactly this.
    Whole(&'p str),
    /// The name contains this text.
    Part(String),
    /// The name may be anything.
    Any,
}

impl Pattern {
    /// Returns conditions on program names. The pattern can match, or be unknown, only if the name of a command's
    /// program, or a word of an unparsed text, meets one of them.
    pub fn programs_required(&self) -> impl Iterator<Item = ProgramName<'_>> {
        self.programs.iter().flat_map(|glob| {
            let name = match glob.literal() {
                Some(name) => ProgramName::Whole(name),
                None => glob.longest_text().map_or(ProgramName::Any, ProgramName::Part),
            };
            let is_any = name == ProgramName::Any;
            let alias_names = TWO_NAMES.iter().filter(move |(_, other)| !is_any && glob.matches(other));
            std::iter::once(name).chain(alias_names.map(|(own, _)| ProgramName::Whole(own)))
        })
    }

    /// Returns names of programs. The pattern can match, or be unknown, only if a command runs one of them, or an
    /// unparsed text names one. `None` if a program name has wildcards.
    #[must_use]
    pub fn program_names(&self) -> Option<Vec<&str>> {
        let name = |required| match required {
            ProgramName::Whole(name) => Some(name),
            ProgramName::Part(_) | ProgramName::Any => None,
        };
        self.programs_required().map(name).collect()
    }
}

impl Pattern {
    /// Whether another pattern has the same [`Pattern::program_names`]. Patterns with wildcards in the names of
    /// programs count as the same.
    #[must_use]
    pub fn names_as(&self, other: &Self) -> bool {
        let are_plain = |pattern: &Self| pattern.programs.iter().all(Glob::is_literal);
        match (are_plain(self), are_plain(other)) {
            (true, true) => self.programs == other.programs,
            (is_plain, is_other_plain) => is_plain == is_other_plain,
        }
    }
}

/// The maximum length of an operand that is reported, in bytes.
const MAX_WORD_BYTES: usize = 64;
/// The maximum number of words of a command that are reported individually.
const MAX_WORDS: usize = 32;

impl Pattern {
    /// Returns words of which a command must have at least one for the pattern to match or to be unknown; `None` if
    /// they depend on how the command parses its words.
    #[must_use]
    pub fn words_required(&self) -> Option<RequiredWords<'_>> {
        // An added record may make a program parse its words in any way.
        let is_plain = |name: &str| other_name(name).is_none() && self.added.added(name).is_none();
        let are_plain = self.programs.iter().all(|glob| glob.literal().is_some_and(is_plain));
        let words = || self.operand_required().or_else(|| self.flag_required());
        are_plain.then(words)?.map(|words| RequiredWords { programs: &self.programs, words })
    }

    /// Returns the first operand, if each of its alternatives is a plain word, by which the index can find the pattern.
    fn operand_required(&self) -> Option<FirstWord<'_>> {
        // A word right after a flag may be its value, and in a command be attached to it.
        let operand = self.front.first().filter(|operand| operand.preceding_flag.is_none())?;
        let is_plain = |text: &str| text.len() <= MAX_WORD_BYTES && !text.starts_with('-');
        let are_plain = operand.alternatives.iter().all(|glob| glob.literal().is_some_and(is_plain));
        are_plain.then_some(FirstWord::Operand(&operand.alternatives))
    }

    /// Returns a flag that the pattern requires, if each alternative is a plain word and a single option of all its
    /// programs.
    fn flag_required(&self) -> Option<FirstWord<'_>> {
        // This check is faster than looking up the records, and most patterns have no flag.
        if self.flags.iter().all(|flag| flag.presence == Presence::Absent) {
            return None;
        }
        let record = |glob: &Glob| glob.literal().and_then(program);
        let tables: Vec<&Program> = self.programs.iter().map(record).collect::<Option<_>>()?;
        let is_single_option = |name: &str| tables.iter().all(|table| table.is_single_option(name));
        let is_plain = |spelled: &FlagSpelling| {
            let is_number = spelled.name.bytes().any(|byte| byte.is_ascii_digit());
            let is_word = spelled.glob.is_none() && spelled.letters().is_none() && !is_number;
            is_word && spelled.name.len() <= MAX_WORD_BYTES && is_single_option(&spelled.name)
        };
        let is_usable =
            |flag: &&PatternFlag| flag.presence == Presence::Given && flag.alternatives.iter().all(is_plain);
        self.flags.iter().find(is_usable).map(|flag| FirstWord::Flag(&flag.alternatives))
    }
}

/// The words of which a command must have at least one, for a pattern to match or to be unknown.
#[derive(Clone, Copy, Debug)]
pub struct RequiredWords<'p> {
    programs: &'p [Glob],
    words: FirstWord<'p>,
}

/// A word of a pattern by its alternatives, none of which has wildcards.
#[derive(Clone, Copy, Debug)]
enum FirstWord<'p> {
    Operand(&'p [Glob]),
    Flag(&'p [FlagSpelling]),
}

impl RequiredWords<'_> {
    /// Returns the number of keys that [`Self::for_each`] reports.
    #[must_use]
    pub fn count(&self) -> usize {
        let words = match self.words {
            FirstWord::Operand(globs) => globs.len(),
            FirstWord::Flag(spelled) => spelled.len(),
        };
        self.programs.len().saturating_mul(words.saturating_add(1))
    }

    /// Calls `see` with each key in the form of [`Analysis::words_named`]: `git push`, and `git ` for a command with
    /// any word.
    pub fn for_each(&self, mut see: impl FnMut(&str)) {
        for program in self.programs.iter().filter_map(Glob::literal) {
            let mut keys = WordKeys::new(program, &mut see);
            match self.words {
                FirstWord::Operand(globs) => {
                    globs.iter().filter_map(Glob::literal).for_each(|word| keys.report(word));
                    keys.report("");
                }
                FirstWord::Flag(spelled) => {
                    spelled.iter().for_each(|spelled| keys.report(&spelled.name));
                    keys.report(ANY_OPTION);
                }
            }
        }
    }
}

/// The word of the key for any option: `git -`.
const ANY_OPTION: &str = "-";

/// Writes the keys of a program, each of which has one word of a command: `git push`. The key for any word ends after
/// the blank.
struct WordKeys<'s> {
    text: String,
    /// The length of the start that all keys share: the program and a blank.
    start: usize,
    see: &'s mut dyn FnMut(&str),
}

impl<'s> WordKeys<'s> {
    fn new(program: &str, see: &'s mut dyn FnMut(&str)) -> Self {
        let mut text = String::with_capacity(program.len() + 1 + MAX_WORD_BYTES);
        text.push_str(program);
        text.push(' ');
        Self { start: text.len(), text, see }
    }

    /// Calls `see` with the key of a word.
    fn report(&mut self, word: &str) {
        self.text.truncate(self.start);
        self.text.push_str(word);
        (self.see)(&self.text);
    }
}

/// The builtins with two names, each followed by the other name.
const TWO_NAMES: &[(&str, &str)] = &[(".", "source"), ("source", "."), ("[", "test"), ("test", "[")];

/// Returns the other name of a builtin that has two names.
pub(super) fn other_name(name: &str) -> Option<&'static str> {
    TWO_NAMES.iter().find(|(own, _)| *own == name).map(|(_, other)| *other)
}

impl SimpleCommand {
    /// Calls `see` with the keys of the words of the command, each beginning with `program`, one of the names of its
    /// program.
    pub(super) fn report_words(&self, program: &str, see: &mut dyn FnMut(&str)) {
        let argv = self.argv();
        let mut keys = WordKeys::new(program, see);
        let is_alias =
            argv.is_unlisted() && argv.table().is_some_and(|table| table.unlisted == UnlistedSubcommand::Alias);
        let arguments = self.words.get(1..).unwrap_or_default();
        let is_unknown = argv.maybe_subcommand.is_some() || arguments.iter().any(|word| word.known_text().is_none());
        let may_have_any_word = is_alias || is_unknown || arguments.len() > MAX_WORDS;
        if may_have_any_word {
            keys.report("");
        }
        let may_be_several_options = argv.options.iter().any(|given| given.is_abbreviated && given.option.is_none());
        if may_have_any_word
            || may_be_several_options
            || argv.has_words_alone()
            || argv.has_pairs()
            || argv.is_as_written()
        {
            keys.report(ANY_OPTION);
        }
        // The words in the source, the options in all spellings, and the synonyms of subcommands.
        let written = arguments.iter().take(MAX_WORDS).filter_map(|word| word.known_text());
        let is_reported = |word: &&str| word.len() <= MAX_WORD_BYTES && !word.starts_with('-');
        let options = argv.options.iter().flat_map(|given| {
            let as_written = given.option.is_none().then_some(&*given.name);
            given.option.into_iter().flat_map(|option| option.names).copied().chain(as_written)
        });
        let synonyms = argv.subcommands.iter().flat_map(|word| argv.subcommand_synonyms(word));
        let nested = argv.nested_synonyms().filter_map(|words| words.split(' ').next());
        let others = synonyms.chain(nested).map(|name| -> &str { name });
        let script_call = other_script_call(&argv, Strictness::Generous).unwrap_or_default();
        let script_call = script_call.iter().filter_map(|word| word.known_text());
        let is_interpreter = argv.table().is_some_and(Program::is_interpreter);
        // The two ways to write the path of a script.
        let paths = written.clone().filter(|_| is_interpreter);
        let short_paths = paths.filter_map(|word| word.strip_prefix("./"));
        let written = argv.subcommand_in_name.into_iter().chain(written).chain(short_paths).filter(is_reported);
        for word in written.chain(options).chain(others).chain(script_call) {
            keys.report(word);
        }
        let paths = arguments.iter().take(MAX_WORDS).filter(|_| is_interpreter).filter_map(|word| word.known_text());
        for path in paths.filter(is_reported).filter(|path| !path.starts_with(['.', '/'])) {
            keys.report(&format!("./{path}"));
        }
    }
}

/// A mention of a program that may be run.
enum ProgramMention<'c> {
    /// A command, and the possible names of the program that it runs: `git-push`, and `git`.
    Command(&'c SimpleCommand, [Option<&'c str>; 2]),
    /// An unparsed text: it contains this word.
    Text(&'c str),
}

impl Analysis {
    /// Calls `see` with the program names that the tests `runs` and `pipes` compare: those of all commands, and the
    /// words of unparsed texts. Returns whether there may be others.
    pub fn programs_named(&self, see: &mut dyn FnMut(&str)) -> NameCoverage {
        self.report_programs(|named| match named {
            ProgramMention::Command(_, names) => names.into_iter().flatten().for_each(&mut *see),
            ProgramMention::Text(name) => see(name),
        })
    }

    /// Calls `see` with the keys of the words that the tests `runs` and `pipes` compare, such as `git push`; an
    /// option is reported in every spelling. The key `"git "` is reported for a program that may have any word, or a
    /// word with another meaning, and `"git -"` for one that may have any option.
    pub fn words_named(&self, see: &mut dyn FnMut(&str)) -> NameCoverage {
        self.report_programs(|named| match named {
            ProgramMention::Command(command, names) => command.report_all_words(names, see),
            ProgramMention::Text(name) => {
                let mut keys = WordKeys::new(name, see);
                ["", ANY_OPTION].into_iter().for_each(|any| keys.report(any));
            }
        })
    }

    /// Calls `see` with each mention of a program. Returns whether there may be others.
    fn report_programs(&self, mut see: impl FnMut(ProgramMention<'_>)) -> NameCoverage {
        let mut coverage = NameCoverage::Complete;
        for command in self.commands.iter().chain(&self.scripts) {
            match command.possible_program() {
                PossibleProgram::Nothing => {}
                PossibleProgram::Name(name, outer) => see(ProgramMention::Command(command, [Some(name), outer])),
                PossibleProgram::Anything => coverage = NameCoverage::Partial,
            }
        }
        for opaque in &self.opaque {
            match &opaque.text {
                Some(text) => possible_program_names(text.as_str()).for_each(|word| see(ProgramMention::Text(word))),
                None => coverage = NameCoverage::Partial,
            }
        }
        coverage
    }

    /// Calls `see` with the name of a program that certainly runs: the test `only runs` does not match unless it
    /// names this program.
    pub fn leading_program(&self, see: &mut dyn FnMut(&str)) -> NameCoverage {
        // A command without a program, such as `X=1`, has no name.
        let certain =
            || self.commands.iter().filter(|command| command.doubt.is_none() && known_name(command).is_some());
        // What may need no pattern does so only among other commands.
        let leading = match self.commands.as_slice() {
            [_] => certain().next(),
            _ => certain().find(|command| !command.may_be_incidental()),
        };
        match leading.and_then(known_name) {
            Some(name) => {
                see(name);
                NameCoverage::Complete
            }
            None if self.commands.is_empty() && self.opaque.is_empty() => NameCoverage::Complete,
            None => NameCoverage::Partial,
        }
    }
}

/// Returns the base name of a command's program; `None` if there is no program, or if it is not known.
fn known_name(command: &SimpleCommand) -> Option<&str> {
    command.words.first()?.known_text().map(base_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::StartDirectories;
    use crate::glob::Fit;
    use crate::interpret::analyse;
    use crate::unseen::UnseenText;

    type Tell = fn(&Analysis, &mut dyn FnMut(&str)) -> NameCoverage;

    fn analysed(text: &str) -> Analysis {
        analyse(text, &StartDirectories { cwd: std::path::Path::new("/project"), home: None })
    }

    /// Returns what is reported for a text: names, and `…` if there may be others.
    fn told(text: &str, tell: Tell) -> Vec<String> {
        let mut names = Vec::new();
        let told = tell(&analysed(text), &mut |name| names.push(name.to_owned()));
        names.extend((told == NameCoverage::Partial).then(|| "…".to_owned()));
        names
    }

    /// Returns the words that a pattern requires.
    fn required(pattern: &Pattern) -> Option<Vec<String>> {
        let required = pattern.words_required()?;
        let mut words = Vec::new();
        required.for_each(|word| words.push(word.to_owned()));
        assert_eq!(required.count(), words.len(), "{}", pattern.text());
        Some(words)
    }

    /// Calls `see` for each pattern with each text that it may match.
    fn for_each_meant(patterns: &[&str], texts: &[&str], mut see: impl FnMut(&Pattern, &Analysis, &str)) {
        for (pattern, text) in patterns.iter().flat_map(|pattern| texts.iter().map(move |text| (*pattern, *text))) {
            let (read, analysis) = (Pattern::new(pattern).unwrap(), analysed(text));
            let is_named = |text: &UnseenText| read.is_named_in(text);
            if analysis.commands.iter().any(|command| read.runs(command) != Fit::No)
                || analysis.opaque.iter().any(|opaque| opaque.text.as_ref().is_none_or(is_named))
            {
                see(&read, &analysis, &format!("{pattern} on {text}"));
            }
        }
    }

    #[test]
    fn the_programs_of_a_text_are_told() {
        for (text, expected) in [
            ("cd x && sudo /usr/bin/git push", "cd sudo git"),
            ("git-push origin", "git-push git"),
            ("X=1; > f", ""),
            ("$P x", "x …"),
            ("eval \"$X\"", "eval …"),
        ] {
            assert_eq!(told(text, Analysis::programs_named).join(" "), expected, "{text}");
        }
        assert_eq!(told("lua -e 'require zap'", Analysis::programs_named).join(" "), "lua require zap");
    }

    #[test]
    fn one_program_that_is_run_for_certain_is_told() {
        for (text, expected) in [
            ("/bin/ls x; rm y", "ls"),
            ("$P x; rm y", "rm"),
            ("$P x", "…"),
            ("X=1; rm y", "rm"),
            ("X=1", "…"),
            ("", ""),
        ] {
            assert_eq!(told(text, Analysis::leading_program).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn patterns_name_the_same_programs_or_others() {
        let patterns = ["git push", "git pull", "(curl|wget) x", "wget|curl", "source x", ". x", "python* x", "[a]"];
        let patterns = patterns.map(|pattern| Pattern::new(pattern).unwrap());
        for (one, other) in patterns.iter().flat_map(|one| patterns.iter().map(move |other| (one, other))) {
            let are_same = one.program_names() == other.program_names();
            assert_eq!(one.names_as(other), are_same, "{} and {}", one.text(), other.text());
        }
    }

    #[test]
    fn a_pattern_names_its_programs_or_none() {
        let names = |pattern: &str| Pattern::new(pattern).unwrap().program_names().map(|names| names.join(" "));
        assert_eq!(names("git push").as_deref(), Some("git"));
        assert_eq!(names("(curl|wget) x").as_deref(), Some("curl wget"));
        assert_eq!(names("source x").as_deref(), Some("source ."));
        assert_eq!(names("python* x"), None);
        let part = |text: &str| ProgramName::Part(text.to_owned());
        for (pattern, expected) in [
            ("python*|. x", vec![part("python"), ProgramName::Whole("."), ProgramName::Whole("source")]),
            ("*", vec![ProgramName::Any]),
            ("test*", vec![part("test"), ProgramName::Whole("[")]),
        ] {
            let pattern = Pattern::new(pattern).unwrap();
            assert_eq!(pattern.programs_required().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn the_words_of_programs_are_told() {
        for (text, expected) in [
            ("cd x && git -C y push -f origin", "cd x,git y,git push,git origin,git -C,git --force,git -f"),
            ("git-push origin", "git-push push,git-push origin,git push,git origin"),
            // A name that git does not know may be an alias.
            ("git pl", "git ,git -,git pl"),
            ("git $X origin", "git ,git -,git origin"),
            ("git add *", "git ,git -,git add,git stage"),
            ("npm pub", "npm pub,npm publish"),
            ("docker rmi x", "docker rmi,docker x,docker image,docker image"),
            ("docker image rm x", "docker image,docker rm,docker x,docker remove,docker rmi"),
            ("git push --forc", "git -,git push,git --forc"),
            (
                "grep -rn x y",
                "grep x,grep y,grep --recursive,grep --dereference-recursive,grep -r,grep -R,grep --line-number,grep -n",
            ),
            ("unheard-of -xy", "unheard-of -,unheard-of -xy,unheard -,unheard -xy"),
            ("$P push", "push -,…"),
        ] {
            assert_eq!(told(text, Analysis::words_named).join(","), expected, "{text}");
        }
        let required = |pattern: &str| required(&Pattern::new(pattern).unwrap()).map(|words| words.join(","));
        assert_eq!(required("git push (-f|--force) origin").as_deref(), Some("git push,git "));
        assert_eq!(
            required("(npm|pnpm) (i|install)").as_deref(),
            Some("npm i,npm install,npm ,pnpm i,pnpm install,pnpm ")
        );
        assert_eq!(required("grep|egrep -r").as_deref(), Some("grep -r,grep -,egrep -r,egrep -"));
        for pattern in ["git", "git p*", "g* push", "test -f x", "cp -a", "rm -rf", "head -5", "tool -x", "git !-f"] {
            assert_eq!(required(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn what_matches_has_a_word_that_is_required() {
        let patterns = [
            "grep --recursive",
            "egrep|grep -R",
            "curl --insecure",
            "wget --no-check-certificate",
            "rm -r",
            "rm -rf",
            "rm --force",
            "cp --recursive",
            "cp -a",
            "git -c",
            "git --force",
            "git push -f",
            "tar -c",
            "tar --create",
            "find -delete",
            "x -r",
            "docker run --privileged",
            "docker -v",
            "kubectl -n",
            "git push",
            "git push origin",
            "git (push|fetch)",
            "git commit -m",
            "git -C push",
            "git push --force",
            "npm run",
            "npm (i|install)",
            "docker run",
            "docker container rm",
            "cargo publish",
            "git push -- x",
            "git -- push",
            "sudo git push",
            "dd if=a",
            "test push",
            "*",
            "git",
            "(ls|uptime)",
        ];
        let texts = [
            "ls",
            "ssh $HOST uptime",
            "sudo uptime",
            "grep -rn x y",
            "grep --recursive x",
            "grep --recurs x",
            "grep -n -r",
            "egrep -R x",
            "grep $F x",
            "grep -$F x",
            "curl -k u",
            "curl -sk u",
            "curl --insecure u",
            "wget --no-check-cert u",
            "rm -r a",
            "rm -rf a",
            "rm -f -r a",
            "cp -a x y",
            "cp -dR x y",
            "git -c a=b push",
            "git --no-pager push",
            "gi\\t push -f",
            "git push -fu",
            "git push --force --no-force",
            "tar czf x y",
            "tar -czf x",
            "chmod -R x",
            "find . -delete",
            "x -rf",
            "docker run --privileged x",
            "docker run -v a:b x",
            "kubectl -n prod delete pod",
            "git push",
            "git -C push status",
            "git -C x push",
            "git --git-dir push push",
            "git pu",
            "git p",
            "git $X",
            "git \"$X\"",
            "git -$X push",
            "git --foo push",
            "git-push",
            "/usr/bin/git-push -f",
            "git --push",
            "git commit -m push",
            "git commit -mpush",
            "sudo git push",
            "xargs git push",
            "git {push,pull}",
            "git pus*",
            "git 'push'",
            "eval \"git $X\"",
            "ssh h git push",
            "python -c 'git push'",
            "npm i",
            "npm run push",
            "npm in",
            "docker rm x",
            "docker container rm x",
            "docker -H x run y",
            "cargo +nightly publish",
            "cargo pub",
            "git push.exe",
            "git.exe push",
            "env -S 'git push'",
            "git -- push",
            "git fetch -- x",
            "dd if=a",
            "git help push",
            "git push --help",
            "test push = push",
            "[ push ]",
            "git $(echo push)",
            "git `x`push",
            "git \"$@\"",
            "git $X push",
        ];
        let mut matched = 0;
        for_each_meant(&patterns, &texts, |read, analysis, which| {
            // The same holds for each command alone, even if the pattern requires no words.
            for command in analysis.commands.iter().filter(|command| read.runs(command) != Fit::No) {
                assert!(read.word_bits().may_share(command.word_bits()), "{which}");
                assert_eq!(command.word_bits(), command.clone().word_bits(), "{which}");
            }
            let Some(required) = required(read) else { return };
            let mut words = Vec::new();
            let told = analysis.words_named(&mut |word| words.push(word.to_owned()));
            let is_told = required.iter().any(|word| words.contains(word));
            assert!(told == NameCoverage::Partial || is_told, "{which}: {words:?}");
            matched += 1;
        });
        assert!(matched > 100, "{matched}");
    }

    #[test]
    fn what_matches_has_a_name_that_is_required() {
        let patterns = [
            "python*", "py?hon*", "test*", "*est", "t?st", "sour*", "*", "?", "git-*", "gi*", ".", "source", "[ab]*",
            "*push", "(rm|te*)", "\\[",
        ];
        let texts = [
            ". x",
            "source x",
            "[ -f a ]",
            "test -f a",
            "python3 a",
            "/usr/bin/python3.11 a",
            "git-push",
            "git push",
            "rm a",
            "sudo test -f a",
            "bash -c '[ -f a ]'",
            "$P x",
            "a; b",
        ];
        let mut matched = 0;
        for_each_meant(&patterns, &texts, |read, analysis, which| {
            let mut names = Vec::new();
            let told = analysis.programs_named(&mut |name| names.push(name.to_owned()));
            let is_met = |required: ProgramName| match required {
                ProgramName::Whole(name) => names.iter().any(|own| own == name),
                ProgramName::Part(part) => names.iter().any(|name| name.contains(&part)),
                ProgramName::Any => !names.is_empty(),
            };
            assert!(told == NameCoverage::Partial || read.programs_required().any(is_met), "{which}");
            matched += 1;
        });
        assert!(matched > 40, "{matched}");
    }
}
