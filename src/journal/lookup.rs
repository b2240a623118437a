//! Answers questions about the past from a journal, of which only the lines that may count are parsed.

use std::collections::BTreeSet;

use super::lines::{BLOCK, DigestText, MarkColumn, PlacedLine, has_end, line_at};
use super::{Parser, checked, head_salt, hex};
use crate::history::{Certainty, History, KeyDigest, MarkId, Moment, PastEvent, PastQuery};

/// A journal whose lines about events are parsed when a question needs them.
#[derive(Debug, Default)]
pub struct Journal {
    text: Vec<u8>,
    /// What the other lines state.
    stated: History,
    marks: Vec<MarkLines>,
}

/// The lines about a mark, by the numbers of their blocks.
#[derive(Debug)]
struct MarkLines {
    id: MarkId,
    text: DigestText,
    happened: Vec<u32>,
    begun: Vec<u32>,
}

/// What an event must have to count, as a line has it. An event without it certainly does not count.
struct LineFilter {
    judged: Option<DigestText>,
    /// The moment after which it is reported.
    after: Option<Moment>,
    /// The earliest time.
    since: Option<DigestText>,
    /// The keys; `None` if any may count.
    keys: Option<Vec<DigestText>>,
}

/// A line about an event that fits into one block, by the parts that every such line has.
#[derive(Clone, Copy)]
struct EventLine {
    is_begin: bool,
    id: DigestText,
}

impl EventLine {
    /// Returns the line in a block; `None` for another line, and for one that has no end.
    fn of(text: &[u8], block: usize) -> Option<Self> {
        let bytes: &[u8; BLOCK] = text.as_chunks().0.get(block)?;
        let (kind, rest) = bytes.split_first_chunk::<6>()?;
        let is_begin = kind == b"begin ";
        let id = *rest.first_chunk()?;
        (has_end(bytes) && (is_begin || kind == b"mark  ")).then_some(Self { is_begin, id })
    }

    /// Returns a line of several blocks, which has many keys.
    fn of_long(line: PlacedLine<'_>) -> Option<Self> {
        Some(Self { is_begin: line.bytes.starts_with(b"begin "), id: line.field(MarkColumn::Mark)? })
    }

    /// Adds the line to those of its mark; `false` if the mark is new.
    fn is_known(self, marks: &mut [MarkLines], block: usize) -> bool {
        let id = u128::from_ne_bytes(self.id);
        let known = marks.iter_mut().find(|lines| u128::from_ne_bytes(lines.text) == id);
        let Some((lines, Ok(block))) = known.map(|lines| (lines, u32::try_from(block))) else { return false };
        let list = if self.is_begin { &mut lines.begun } else { &mut lines.happened };
        list.push(block);
        true
    }
}

impl Parser {
    /// Parses a line that is no event of a known mark.
    fn new_line(&mut self, line: PlacedLine<'_>, found: Option<EventLine>, marks: &mut Vec<MarkLines>) {
        let is_event = line.bytes.starts_with(b"begin ") || line.bytes.starts_with(b"mark  ");
        if !is_event {
            return self.line(line);
        }
        // The name of a mark that is damaged is probably a new one.
        let whole = found.or_else(|| EventLine::of_long(line)).filter(|_| checked(line.bytes).is_some());
        let Some((found, id)) = whole.and_then(|found| Some((found, hex(std::str::from_utf8(&found.id).ok()?)?)))
        else {
            self.history.unseen_until.push(moment(line.block));
            return;
        };
        self.history.known_from.entry(MarkId(id)).or_insert(moment(line.block));
        if !found.is_known(marks, line.block) {
            marks.push(MarkLines { id: MarkId(id), text: found.id, happened: Vec::new(), begun: Vec::new() });
            found.is_known(marks, line.block);
        }
    }
}

impl Journal {
    /// Reads the text of a journal.
    pub(super) fn new(text: Vec<u8>) -> Self {
        let mut parser = Parser::default();
        let mut marks: Vec<MarkLines> = Vec::new();
        let Some(head) = line_at(&text, 0) else { return Self::default() };
        parser.head(head_salt(head.bytes));
        let mut block = 1;
        loop {
            let found = EventLine::of(&text, block);
            if found.is_some_and(|found| found.is_known(&mut marks, block)) {
                block += 1;
                continue;
            }
            let Some(line) = line_at(&text, block) else { break };
            block += line.bytes.len().div_ceil(BLOCK);
            parser.new_line(line, found, &mut marks);
        }
        Self { text, stated: parser.history, marks }
    }

    /// Returns what the lines state that are not about events.
    #[must_use]
    pub fn stated(&self) -> &History {
        &self.stated
    }

    /// Returns the number of lines about events.
    #[must_use]
    pub fn size(&self) -> usize {
        self.marks.iter().map(|lines| lines.happened.len()).sum()
    }

    /// Adds the events to a history on which the answer to a question depends.
    pub fn add_events(&self, query: &PastQuery<'_>, history: &mut History) {
        let mut needed = BTreeSet::new();
        let earliest = query.since.and_then(|mark| self.add_last(self.of_mark(mark)?, query, history, &mut needed));
        let is_whole = query.keys.is_none() && query.actor.is_none() && query.since.is_none() && query.within.is_none();
        if let Some(lines) = self.of_mark(query.mark) {
            match is_whole {
                true => self.count_all(lines, query, history, &mut needed),
                false => self.add_counting(lines, &LineFilter::new(query, history.now, earliest), &mut needed),
            }
        }
        if query.within.is_some() {
            // An event after a time of which nothing is known says how long ago that was.
            let ends = history.ends_of_unknown(query.mark);
            needed.extend(ends.into_iter().filter_map(|end| self.first_after(end)));
        }
        for block in needed {
            if let Some(event) = self.event(block, query.since, history) {
                history.events.push(event);
            }
        }
    }

    fn of_mark(&self, mark: MarkId) -> Option<&MarkLines> {
        self.marks.iter().find(|lines| lines.id == mark)
    }

    fn line(&self, block: u32) -> Option<PlacedLine<'_>> {
        line_at(&self.text, usize::try_from(block).ok()?)
    }

    fn field(&self, block: u32, field: MarkColumn) -> Option<DigestText> {
        self.line(block)?.field(field)
    }

    /// Adds the last events of a mark, before which none began later. Returns when the last one certainly began.
    fn add_last(
        &self,
        lines: &MarkLines,
        query: &PastQuery<'_>,
        history: &mut History,
        needed: &mut BTreeSet<u32>,
    ) -> Option<Moment> {
        let mut earliest = None;
        for block in lines.happened.iter().rev() {
            if earliest.is_some_and(|earliest| moment(*block) <= earliest) {
                break;
            }
            let Some(event) = self.event(*block, Some(lines.id), history) else { continue };
            if Some(event.event) == query.judged || self.is_repeated(lines, *block) {
                continue;
            }
            if event.certainty == Certainty::Certain {
                earliest = earliest.max(event.began);
            }
            needed.insert(*block);
        }
        earliest
    }

    /// Adds the events of a mark that may count.
    fn add_counting(&self, lines: &MarkLines, filter: &LineFilter, needed: &mut BTreeSet<u32>) {
        let counts = |block: &&u32| self.line(**block).is_some_and(|line| filter.may_count(line));
        let counting: Vec<u32> = lines.happened.iter().filter(counts).copied().collect();
        if counting.len() <= 2 {
            needed.extend(counting.into_iter().filter(|block| !self.is_repeated(lines, *block)));
            return;
        }
        let first = self.first_lines(lines);
        needed.extend(counting.into_iter().filter(|block| first.contains(block)));
    }

    /// Counts all events of a mark, of which only the last ones are added.
    fn count_all(&self, lines: &MarkLines, query: &PastQuery<'_>, history: &mut History, needed: &mut BTreeSet<u32>) {
        let judged = query.judged.map(|event| text_of(event.0));
        let (mut certain, mut possible) = (0_usize, 0_usize);
        let (mut last_certain, mut last_possible) = (None, None);
        for block in self.first_lines(lines) {
            let Some(line) =
                self.line(block).filter(|line| judged.is_none() || line.field(MarkColumn::Event) != judged)
            else {
                continue;
            };
            match line.is_certain() {
                true => (certain, last_certain) = (certain + 1, Some(block)),
                false => (possible, last_possible) = (possible + 1, Some(block)),
            }
        }
        needed.extend(last_certain.iter().chain(&last_possible));
        let counted = (certain.saturating_sub(1), possible.saturating_sub(1));
        let dropped = history.dropped.entry(query.mark).or_default();
        (dropped.0, dropped.1) = (dropped.0 + counted.0, dropped.1 + counted.1);
    }

    /// Returns the first line about each event of a mark: several registrations may have reported it.
    fn first_lines(&self, lines: &MarkLines) -> BTreeSet<u32> {
        let event = |block: &u32| Some((self.field(*block, MarkColumn::Event)?, *block));
        let mut events: Vec<(DigestText, u32)> = lines.happened.iter().filter_map(event).collect();
        events.sort_unstable();
        events.dedup_by_key(|(event, _)| *event);
        events.into_iter().map(|(_, block)| block).collect()
    }

    /// Whether a line before is about the same event.
    fn is_repeated(&self, lines: &MarkLines, block: u32) -> bool {
        let event = self.field(block, MarkColumn::Event);
        let before = lines.happened.iter().take_while(|before| **before < block);
        before.into_iter().any(|before| self.field(*before, MarkColumn::Event) == event)
    }

    /// Returns the first line about an event after a moment.
    fn first_after(&self, moment_before: Moment) -> Option<u32> {
        let first = |lines: &MarkLines| {
            let at = lines.happened.partition_point(|block| moment(*block) <= moment_before);
            lines.happened.iter().skip(at).copied().find(|block| !self.is_repeated(lines, *block))
        };
        self.marks.iter().filter_map(first).min()
    }

    /// Parses the line about an event, with the beginning of its call for one mark; a line that is damaged may be any entry.
    fn event(&self, block: u32, with_beginning: Option<MarkId>, history: &mut History) -> Option<PastEvent> {
        let line = self.line(block)?;
        let parse = |entry: &str| {
            let mut parser = Parser::default();
            parser.entry(entry, moment(block))?;
            parser.history.events.pop()
        };
        let Some(mut event) = checked(line.bytes).and_then(parse) else {
            history.unseen_until.push(moment(block));
            return None;
        };
        let call = line.field(MarkColumn::Call).filter(|call| call[0] != b'-');
        if let (Some(call), Some(lines)) = (call, with_beginning.and_then(|_| self.of_mark(event.mark))) {
            let mut before = lines.begun.iter().take_while(|begun| **begun < block);
            let begun = before.find(|begun| self.field(**begun, MarkColumn::Time) == Some(call));
            event.began = begun.map(|begun| moment(*begun));
        }
        Some(event)
    }
}

impl LineFilter {
    fn new(query: &PastQuery<'_>, now: Option<u64>, after: Option<Moment>) -> Self {
        let since = query.within.and_then(|within| now?.checked_sub(within));
        let keys = query.keys.filter(|keys| !keys.has_others);
        Self {
            judged: query.judged.map(|event| text_of(event.0)),
            after,
            since: since.map(text_of),
            keys: keys.map(|keys| keys.certain.iter().map(|KeyDigest(key)| text_of(*key)).collect()),
        }
    }

    /// Whether the event of a line may count.
    fn may_count(&self, line: PlacedLine<'_>) -> bool {
        let is_past = self.after.is_some_and(|after| moment(line.block) <= after)
            || self.since.is_some_and(|since| {
                let time = line.field(MarkColumn::Time).map(u128::from_be_bytes);
                time.is_some_and(|time| time < u128::from_be_bytes(since))
            });
        if is_past && !line.may_end_later() || self.judged.is_some() && line.field(MarkColumn::Event) == self.judged {
            return false;
        }
        let Some(keys) = self.keys.as_ref().filter(|_| line.has_one_key()) else { return true };
        let is_key = |key: DigestText| keys.iter().any(|known| u128::from_ne_bytes(*known) == u128::from_ne_bytes(key));
        line.field(MarkColumn::Key).is_none_or(is_key)
    }
}

/// Returns the moment of the line that begins at a block.
pub(super) fn moment(block: impl TryInto<Moment>) -> Moment {
    block.try_into().unwrap_or(Moment::MAX)
}

/// Returns a number as a line has it.
fn text_of(number: u64) -> DigestText {
    let mut text = [b'0'; 16];
    let digits = format!("{number:016x}");
    text.iter_mut().zip(digits.bytes()).for_each(|(to, from)| *to = from);
    text
}
