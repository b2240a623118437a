//! Builds the automata of regexes, in the build script and in tests.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::{Input, MatchKind};
use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition,
};

use super::alphabet::{Automaton, CharKind, DEAD, KINDS, MATCHED, NO_CLASS, RegexPart, is_word_byte};
use super::pattern::literal_beginnings;

/// The maximum number of states of an automaton. A regex that needs more is split into its alternatives, or has no
/// automaton.
const MAX_STATES: usize = 1_000;

/// The maximum memory for building an automaton, in bytes.
const MAX_MEMORY: usize = 1 << 19;

/// The byte after which the bytes begin that represent the kinds of non-word characters; it is above all ASCII
/// characters.
const FRESH: u8 = 0x80;

/// The maximum number of alternatives that a regex is split into.
const MAX_PARTS: usize = 64;

/// The maximum number of literals at the beginning of an alternative's matches.
const MAX_LITERALS: usize = 8;

/// Splits a regex into as few alternatives as are needed to build an automaton for each. Returns `None` if there are
/// too many, or one has neither an automaton nor literals at its beginning.
pub(crate) fn parts(parsed: &Hir) -> Option<Vec<RegexPart>> {
    let mut found = Vec::new();
    split(parsed, &mut found);
    // Without an automaton, a part is useful only if texts seldom contain its beginnings.
    let is_useful = |part: &RegexPart| part.automaton.is_some() || !part.beginnings.is_empty();
    (found.len() <= MAX_PARTS && found.iter().all(is_useful)).then_some(found)
}

/// Adds the regex as one part if it has an automaton or no alternatives; else splits each of its alternatives.
fn split(parsed: &Hir, found: &mut Vec<RegexPart>) {
    let automaton = automaton(parsed);
    let alternatives = if automaton.is_some() { Vec::new() } else { alternatives(parsed) };
    if alternatives.is_empty() {
        // Looking for a single character saves nothing.
        let literals =
            Some(literal_beginnings(parsed, MAX_LITERALS)).filter(|all| all.iter().all(|text| text.len() > 1));
        let literals = literals.unwrap_or_default().into_iter().map(Cow::Owned);
        found.push(RegexPart { beginnings: literals.collect(), automaton });
        return;
    }
    for alternative in alternatives {
        if found.len() <= MAX_PARTS {
            split(&alternative, found);
        }
    }
}

/// Returns the alternatives of a regex: `xay` and `xby` for `x(a|b)y`. Empty if there is no alternation.
fn alternatives(parsed: &Hir) -> Vec<Hir> {
    match parsed.kind() {
        HirKind::Alternation(parts) => parts.clone(),
        HirKind::Capture(capture) => alternatives(&capture.sub),
        HirKind::Concat(parts) => {
            let found = parts.iter().enumerate().map(|(at, part)| (at, alternatives(part)));
            let Some((at, found)) = found.into_iter().find(|(_, found)| !found.is_empty()) else { return Vec::new() };
            let with_part = |alternative: Hir| {
                let part_or_alternative =
                    |(number, part): (usize, &Hir)| if number == at { alternative.clone() } else { part.clone() };
                Hir::concat(parts.iter().enumerate().map(part_or_alternative).collect())
            };
            found.into_iter().map(with_part).collect()
        }
        _ => Vec::new(),
    }
}

/// Builds the automaton of a regex; `None` if it would be too big, or cannot be built.
fn automaton(parsed: &Hir) -> Option<Automaton> {
    let alphabet = Alphabet::for_regex(parsed)?;
    let nfa = thompson::Compiler::new()
        .configure(thompson::Config::new().utf8(false).which_captures(thompson::WhichCaptures::None))
        .build_from_hir(&alphabet.rewrite(parsed)?)
        .ok()?;
    let config = dense::Config::new()
        .start_kind(StartKind::Unanchored)
        .match_kind(MatchKind::All)
        .accelerate(false)
        .minimize(true)
        .dfa_size_limit(Some(MAX_MEMORY))
        .determinize_size_limit(Some(MAX_MEMORY));
    let dfa = dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()?;
    States::build_automaton(&dfa, &alphabet)
}

/// The bytes by which the characters of a regex are replaced before its automaton is built. Characters that the regex
/// does not distinguish share a byte.
struct Alphabet {
    /// The byte of each ASCII character: the character itself, or an equivalent one.
    ascii: [u8; 128],
    /// The byte of each kind of other characters; `None` if the regex distinguishes characters of the kind.
    kinds: [Option<u8>; KINDS],
    /// The characters of each kind.
    sets: Sets,
}

/// The non-ASCII characters of each kind.
struct Sets([ClassUnicode; KINDS]);

impl Sets {
    fn new() -> Option<Self> {
        let class = |pattern: &str| match regex_syntax::parse(pattern).ok()?.into_kind() {
            HirKind::Class(Class::Unicode(class)) => Some(class),
            _ => None,
        };
        let single = |c: char| ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
        let wide = || ClassUnicode::new([ClassUnicodeRange::new('\u{80}', char::MAX)]);
        let (kelvin, long_s) = (single('\u{212a}'), single('\u{17f}'));
        let among = |mut all: ClassUnicode| {
            all.intersect(&wide());
            all
        };
        let (mut letter, digit, space) = (among(class(r"\w")?), among(class(r"\d")?), among(class(r"\s")?));
        let mut other = wide();
        [&letter, &space].into_iter().for_each(|set| other.difference(set));
        [&digit, &kelvin, &long_s].into_iter().for_each(|set| letter.difference(set));
        let mut sets: [ClassUnicode; KINDS] = std::array::from_fn(|_| ClassUnicode::empty());
        for (kind, set) in [
            (CharKind::Letter, letter),
            (CharKind::Digit, digit),
            (CharKind::Space, space),
            (CharKind::Other, other),
            (CharKind::Kelvin, kelvin),
            (CharKind::LongS, long_s),
        ] {
            *sets.get_mut(kind as usize)? = set;
        }
        Some(Self(sets))
    }

    /// Whether a class contains all characters of a kind (`Some(true)`), none (`Some(false)`), or only some (`None`).
    fn is_kind_in_class(&self, kind: usize, class: &ClassUnicode) -> Option<bool> {
        let set = self.0.get(kind)?;
        if class.is_ascii() {
            return Some(false);
        }
        let mut common = class.clone();
        common.intersect(set);
        if common.ranges().is_empty() {
            return Some(false);
        }
        (common == *set).then_some(true)
    }
}

/// Whether the characters of a kind are word characters.
fn is_word(kind: usize) -> bool {
    kind != CharKind::Space as usize && kind != CharKind::Other as usize
}

/// Whether a class contains an ASCII character.
fn is_byte_in_class(class: &ClassUnicode, byte: u8) -> bool {
    let c = char::from(byte);
    class.ranges().iter().any(|range| range.start() <= c && c <= range.end())
}

impl Alphabet {
    /// Assigns bytes to the characters that a regex distinguishes.
    fn for_regex(parsed: &Hir) -> Option<Self> {
        let sets = Sets::new()?;
        let mut classes = Vec::new();
        collect_classes(parsed, &mut classes);
        // ASCII characters in the same classes are equivalent, unless an assertion distinguishes them: word
        // characters and line ends.
        let assertion_classes = |byte: u8| (is_word_byte(byte), byte == b'\n', byte == b'\r');
        let signature_of = |byte: u8| {
            (assertion_classes(byte), classes.iter().map(|class| is_byte_in_class(class, byte)).collect::<Vec<bool>>())
        };
        let mut bytes: BTreeMap<_, Vec<u8>> = BTreeMap::new();
        (0..128_u8).for_each(|byte| bytes.entry(signature_of(byte)).or_default().push(byte));
        let mut ascii: [u8; 128] = std::array::from_fn(|byte| u8::try_from(byte).unwrap_or_default());
        let mut kinds = [None; KINDS];
        let mut fresh = FRESH;
        for (kind, byte_of_kind) in kinds.iter_mut().enumerate() {
            let Some(members) =
                classes.iter().map(|class| sets.is_kind_in_class(kind, class)).collect::<Option<Vec<bool>>>()
            else {
                continue;
            };
            let signature = ((is_word(kind), false, false), members);
            if let Some(alike) = bytes.get(&signature) {
                *byte_of_kind = alike.first().copied();
                continue;
            }
            let byte = if is_word(kind) {
                // Only these bytes are word characters to an automaton: one of two equivalent bytes is free.
                let Some(twins) = bytes
                    .values_mut()
                    .find(|alike| alike.len() > 1 && alike.first().is_some_and(|byte| is_word_byte(*byte)))
                else {
                    continue;
                };
                let (freed, kept) = (twins.pop()?, *twins.first()?);
                *ascii.get_mut(usize::from(freed))? = kept;
                freed
            } else {
                fresh += 1;
                fresh
            };
            bytes.insert(signature, vec![byte]);
            *byte_of_kind = Some(byte);
        }
        Some(Self { ascii, kinds, sets })
    }

    /// Replaces the characters of a class by their bytes. A kind of which the class contains only some characters is
    /// omitted, because the automaton has no class for it.
    fn rewrite_class(&self, class: &ClassUnicode) -> Hir {
        let ascii = (0..128_u8).filter(|byte| self.byte_for_ascii(*byte) == *byte && is_byte_in_class(class, *byte));
        let kinds = self
            .kinds
            .iter()
            .enumerate()
            .filter_map(|(kind, byte)| byte.filter(|_| self.sets.is_kind_in_class(kind, class) == Some(true)));
        Hir::class(Class::Bytes(ClassBytes::new(ascii.chain(kinds).map(|byte| ClassBytesRange::new(byte, byte)))))
    }

    /// Returns the byte of an ASCII character.
    fn byte_for_ascii(&self, c: u8) -> u8 {
        self.ascii.get(usize::from(c)).copied().unwrap_or(c)
    }

    /// Replaces the characters of a regex by their bytes; `None` if it has an ASCII-only assertion such as
    /// `(?-u:\b)`, or matches bytes that are not characters.
    fn rewrite(&self, parsed: &Hir) -> Option<Hir> {
        let all = |parts: &[Hir]| parts.iter().map(|part| self.rewrite(part)).collect::<Option<Vec<Hir>>>();
        Some(match parsed.kind() {
            HirKind::Empty => Hir::empty(),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).ok()?;
                Hir::concat(text.chars().map(|c| self.rewrite_class(&single_char_class(c))).collect())
            }
            HirKind::Class(Class::Unicode(class)) => self.rewrite_class(class),
            // It may match bytes that are not characters.
            HirKind::Class(Class::Bytes(_)) => return None,
            HirKind::Look(look) => Hir::look(match look {
                Look::WordUnicode => Look::WordAscii,
                Look::WordUnicodeNegate => Look::WordAsciiNegate,
                Look::WordStartUnicode => Look::WordStartAscii,
                Look::WordEndUnicode => Look::WordEndAscii,
                Look::WordStartHalfUnicode => Look::WordStartHalfAscii,
                Look::WordEndHalfUnicode => Look::WordEndHalfAscii,
                // To these assertions `é` is not a word character, but its byte in the alphabet is one.
                Look::WordAscii
                | Look::WordAsciiNegate
                | Look::WordStartAscii
                | Look::WordEndAscii
                | Look::WordStartHalfAscii
                | Look::WordEndHalfAscii => return None,
                Look::Start | Look::End | Look::StartLF | Look::EndLF | Look::StartCRLF | Look::EndCRLF => *look,
            }),
            HirKind::Repetition(repetition) => {
                let sub = Box::new(self.rewrite(&repetition.sub)?);
                Hir::repetition(Repetition { sub, ..repetition.clone() })
            }
            HirKind::Capture(capture) => self.rewrite(&capture.sub)?,
            HirKind::Concat(parts) => Hir::concat(all(parts)?),
            HirKind::Alternation(parts) => Hir::alternation(all(parts)?),
        })
    }
}

/// Returns the class of one character.
fn single_char_class(c: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(c, c)])
}

/// Collects the classes of a regex, with each character of a literal as a class.
fn collect_classes(parsed: &Hir, classes: &mut Vec<ClassUnicode>) {
    match parsed.kind() {
        HirKind::Literal(literal) => {
            classes.extend(std::str::from_utf8(&literal.0).unwrap_or_default().chars().map(single_char_class));
        }
        HirKind::Class(Class::Unicode(class)) => classes.push(class.clone()),
        HirKind::Repetition(repetition) => collect_classes(&repetition.sub, classes),
        HirKind::Capture(capture) => collect_classes(&capture.sub, classes),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().for_each(|part| collect_classes(part, classes));
        }
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => {}
    }
}

/// The states of an automaton, renumbered in the order in which they are reached.
struct States {
    /// The number of each state that has been reached.
    numbers: BTreeMap<StateID, u16>,
    /// The states in the order in which they were reached; the transitions of the later ones are still to be
    /// computed.
    open: Vec<StateID>,
}

impl States {
    /// Converts a DFA over the bytes of an alphabet to an automaton over characters; `None` if it has too many
    /// states.
    fn build_automaton(dfa: &dense::DFA<Vec<u32>>, alphabet: &Alphabet) -> Option<Automaton> {
        let mut states = Self { numbers: BTreeMap::new(), open: Vec::new() };
        // One text for each variant of `PrecedingChar`, in that order.
        let mut starts = [DEAD; 5];
        for (start, before) in starts.iter_mut().zip(["", "\n", "\r", "a", " "]) {
            let input = Input::new(before).span(before.len()..before.len());
            *start = states.state_number(dfa, dfa.start_state_forward(&input).ok()?)?;
        }
        let symbols: BTreeSet<u8> =
            (0..128).map(|c| alphabet.byte_for_ascii(c)).chain(alphabet.kinds.iter().copied().flatten()).collect();
        let mut columns: BTreeMap<u8, Vec<u16>> = symbols.iter().map(|symbol| (*symbol, Vec::new())).collect();
        let mut ends = Vec::new();
        let mut done = 0;
        while let Some(state) = states.open.get(done).copied() {
            done += 1;
            for (symbol, column) in &mut columns {
                column.push(states.state_number(dfa, dfa.next_state(state, *symbol))?);
            }
            ends.push(states.state_number(dfa, dfa.next_eoi_state(state))?);
        }
        // Characters that lead to the same state from every state form one class.
        let distinct: Vec<&Vec<u16>> = columns.values().collect::<BTreeSet<_>>().into_iter().collect();
        let class = |symbol: u8| {
            let column = columns.get(&symbol)?;
            distinct.iter().position(|other| *other == column).and_then(|at| u8::try_from(at).ok())
        };
        let mut ascii = [NO_CLASS; 128];
        for (c, class_of) in (0..128_u8).zip(&mut ascii) {
            *class_of = class(alphabet.byte_for_ascii(c))?;
        }
        let mut kinds = [NO_CLASS; KINDS];
        for (byte, class_of) in alphabet.kinds.iter().zip(&mut kinds) {
            *class_of = match byte {
                Some(byte) => class(*byte)?,
                None => NO_CLASS,
            };
        }
        let classes = distinct.len() + 1;
        // The first two states (`MATCHED`, `DEAD`) have no transitions.
        let mut table = vec![DEAD; 2 * classes];
        for (row, end) in ends.iter().enumerate() {
            table.extend(distinct.iter().filter_map(|column| column.get(row).copied()));
            table.push(*end);
        }
        Some(Automaton { starts, ascii, kinds, classes: u16::try_from(classes).ok()?, states: table.into() })
    }

    /// Returns the number of a state, which is assigned when the state is first reached; `None` if there are too
    /// many.
    fn state_number(&mut self, dfa: &dense::DFA<Vec<u32>>, state: StateID) -> Option<u16> {
        if dfa.is_match_state(state) {
            return Some(MATCHED);
        }
        if dfa.is_dead_state(state) {
            return Some(DEAD);
        }
        if let Some(number) = self.numbers.get(&state) {
            return Some(*number);
        }
        if self.open.len() >= MAX_STATES {
            return None;
        }
        self.open.push(state);
        let number = u16::try_from(self.open.len() + 1).ok()?;
        self.numbers.insert(state, number);
        Some(number)
    }
}
