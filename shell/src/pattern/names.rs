//! The names of programs in patterns and texts: for an index, which looks before a pattern does.

use crate::analysis::{Analysis, Simple};
use crate::argv::program_name;

use super::{Pattern, words_in};

/// Whether what was told is all that there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// It is.
    All,
    /// There may be any other.
    NotAll,
}

/// What the program of a command may be called: which patterns may speak of it, before any of them is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Called<'c> {
    /// There is no program: no pattern speaks of it.
    Nothing,
    /// A name, and the one that it begins with: `git-push` is `git push`.
    Name(&'c str, Option<&'c str>),
    /// It may be any.
    Anything,
}

impl Called<'_> {
    /// Tells whether it may be a program that a pattern names, by [`Pattern::program_names`].
    #[must_use]
    pub fn may_be(self, name: &[u8]) -> bool {
        match self {
            Self::Nothing => false,
            Self::Name(own, outer) => own.as_bytes() == name || outer.map(str::as_bytes) == Some(name),
            Self::Anything => true,
        }
    }
}

impl Simple {
    /// Returns what its program is called for [`Pattern::runs`]: a pattern that names no such program says no.
    #[must_use]
    pub fn called(&self) -> Called<'_> {
        let Some(first) = self.words.first() else { return Called::Nothing };
        match program_name(first) {
            Some(name) => Called::Name(name, name.split_once('-').map(|(program, _)| program)),
            None => Called::Anything,
        }
    }

    /// Returns what its program is called for [`Pattern::only`]: a pattern that names no such program says no.
    #[must_use]
    pub fn called_to_the_letter(&self) -> Called<'_> {
        let Some(first) = self.words.first() else { return Called::Nothing };
        match first.known() {
            Some(path) => Called::Name(path.rsplit('/').next().unwrap_or(path), None),
            None => Called::Anything,
        }
    }
}

/// What the name of a program must be, or have in it, for a pattern to match or to be unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProgramName<'p> {
    /// This.
    Whole(&'p str),
    /// This, somewhere.
    Part(String),
    /// Anything.
    Any,
}

impl Pattern {
    /// Returns what the programs are called of which one must be run, or named in a text that is not parsed, for the
    /// pattern to match or to be unknown.
    pub fn programs_required(&self) -> impl Iterator<Item = ProgramName<'_>> {
        self.programs.iter().flat_map(|glob| {
            let name = match glob.literal() {
                Some(name) => ProgramName::Whole(name),
                None => glob.longest_text().map_or(ProgramName::Any, ProgramName::Part),
            };
            let is_any = name == ProgramName::Any;
            let meant_by_other = TWO_NAMES.iter().filter(move |(_, other)| !is_any && glob.matches(other));
            std::iter::once(name).chain(meant_by_other.map(|(own, _)| ProgramName::Whole(own)))
        })
    }

    /// Returns the names of programs of which one must be run, or named in a text that is not parsed, for the pattern
    /// to match or to be unknown; nothing where a program is no plain name.
    #[must_use]
    pub fn program_names(&self) -> Option<Vec<&str>> {
        let name = |required| match required {
            ProgramName::Whole(name) => Some(name),
            ProgramName::Part(_) | ProgramName::Any => None,
        };
        self.programs_required().map(name).collect()
    }
}

/// The builtins that have two names, each with the other.
const TWO_NAMES: &[(&str, &str)] = &[(".", "source"), ("source", "."), ("[", "test"), ("test", "[")];

/// Returns the second name of a builtin that has two.
pub(super) fn other_name(name: &str) -> Option<&'static str> {
    TWO_NAMES.iter().find(|(own, _)| *own == name).map(|(_, other)| *other)
}

impl Analysis {
    /// Tells the names of the programs that `runs` and `pipes` look for: those of all commands, and the words of what
    /// is not parsed.
    pub fn programs_named(&self, see: &mut dyn FnMut(&str)) -> Coverage {
        let mut told = Coverage::All;
        for command in &self.commands {
            match command.called() {
                Called::Nothing => {}
                Called::Name(name, outer) => [Some(name), outer].into_iter().flatten().for_each(&mut *see),
                Called::Anything => told = Coverage::NotAll,
            }
        }
        for opaque in &self.opaque {
            match &opaque.text {
                Some(text) => words_in(text).for_each(&mut *see),
                None => told = Coverage::NotAll,
            }
        }
        told
    }

    /// Tells the name of one program that `only runs` has to name, because it is run for certain.
    pub fn leading_program(&self, see: &mut dyn FnMut(&str)) -> Coverage {
        let certain = self.commands.iter().filter(|command| command.doubt.is_none());
        let known = |word: Option<&crate::word::Word>| match word {
            None => Some(None),
            Some(word) => word.known().map(|name| Some(name.rsplit('/').next().unwrap_or(name).to_owned())),
        };
        match certain.map(|command| command.words.first()).find_map(known) {
            Some(name) => {
                // A command without a program is none that could be named.
                name.iter().for_each(|name| see(name));
                Coverage::All
            }
            None if self.commands.is_empty() && self.opaque.is_empty() => Coverage::All,
            None => Coverage::NotAll,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Start;
    use crate::glob::Fit;
    use crate::interpret::analyse;

    type Tell = fn(&Analysis, &mut dyn FnMut(&str)) -> Coverage;

    /// Returns what is told of a text: names, and `…` where there may be others.
    fn told(text: &str, tell: Tell) -> String {
        let analysis = analyse(text, &Start { cwd: std::path::Path::new("/project"), home: None });
        let mut names = Vec::new();
        let told = tell(&analysis, &mut |name| names.push(name.to_owned()));
        names.extend((told == Coverage::NotAll).then(|| "…".to_owned()));
        names.join(" ")
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
            assert_eq!(told(text, Analysis::programs_named), expected, "{text}");
        }
        assert_eq!(told("python3 -c 'import zap'", Analysis::programs_named), "python3 import zap");
    }

    #[test]
    fn one_program_that_is_run_for_certain_is_told() {
        for (text, expected) in
            [("/bin/ls x; rm y", "ls"), ("$P x; rm y", "rm"), ("$P x", "…"), ("X=1; rm y", ""), ("", "")]
        {
            assert_eq!(told(text, Analysis::leading_program), expected, "{text}");
        }
    }

    #[test]
    fn a_pattern_names_its_programs_or_none() {
        let names = |pattern: &str| Pattern::new(pattern).unwrap().program_names().map(|names| names.join(" "));
        assert_eq!(names("git push").as_deref(), Some("git"));
        assert_eq!(names("(curl|wget) x").as_deref(), Some("curl wget"));
        assert_eq!(names("source x").as_deref(), Some("source ."));
        assert_eq!(names("python* x"), None);
        let required = |pattern: &str| Pattern::new(pattern).unwrap().programs_required().collect::<Vec<_>>();
        let whole = |name: &str| ProgramName::Whole(name.to_owned());
        assert_eq!(required("python*|. x"), [ProgramName::Part("python".to_owned()), whole("."), whole("source")]);
        assert_eq!(required("*"), [ProgramName::Any]);
        assert_eq!(required("test*"), [ProgramName::Part("test".to_owned()), whole("[")]);
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
        for (pattern, text) in patterns.iter().flat_map(|pattern| texts.iter().map(move |text| (*pattern, *text))) {
            let read = Pattern::new(pattern).unwrap();
            let analysis = analyse(text, &Start { cwd: std::path::Path::new("/project"), home: None });
            if analysis.commands.iter().all(|command| read.runs(command) == Fit::No) {
                continue;
            }
            let mut names = Vec::new();
            let told = analysis.programs_named(&mut |name| names.push(name.to_owned()));
            let is_met = |required: ProgramName| match required {
                ProgramName::Whole(name) => names.contains(&name),
                ProgramName::Part(part) => names.iter().any(|name| name.contains(&part)),
                ProgramName::Any => !names.is_empty(),
            };
            assert!(told == Coverage::NotAll || read.programs_required().any(is_met), "{pattern} on {text}");
            matched += 1;
        }
        assert!(matched > 40, "{matched}");
    }
}
