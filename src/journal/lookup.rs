//! Answers questions about the past of a session from its journal. Parses only the lines on which an answer depends.

use std::collections::BTreeSet;

use super::lines::{BLOCK, DigestText, MarkColumn, PlacedLine, has_end, line_at};
use super::{JournalEnd, Parser, checked, directory_of, head_salt, hex, input_text};
use crate::history::{CallDigest, EventDigest, History, InputDigest, KeyDigest, MarkId, Moment, PastEvent, PastQuery};

/// A journal whose lines about events are parsed when a question needs them.
#[derive(Debug, Default)]
pub struct Journal {
    text: Vec<u8>,
    /// What all lines state that are not about events.
    stated: History,
    /// The lines about events, for each mark.
    marks: Vec<MarkLines>,
}

/// The lines about the events of a mark, by the numbers of their blocks in ascending order.
#[derive(Debug)]
struct MarkLines {
    id: MarkId,
    /// The id as the lines have it.
    text: DigestText,
    /// The `mark` lines.
    happened: Vec<u32>,
    /// The `begin` lines.
    begun: Vec<u32>,
}

/// Criteria of a question that can be compared with the text of a `mark` line. An event that does not meet them
/// certainly does not count; one that does may count.
struct LineFilter {
    /// The judged event, which is not in its own past.
    judged: Option<DigestText>,
    /// The moment after which the event must be reported, unless it may end later.
    after: Option<Moment>,
    /// The earliest time of the event, unless it may end later.
    since: Option<DigestText>,
    /// The event must have one of these keys; `None` if its keys do not matter.
    keys: Option<Vec<DigestText>>,
}

/// The parts that every line about an event has.
#[derive(Clone, Copy)]
struct EventLine {
    /// Whether it is a `begin` line; otherwise it is a `mark` line.
    is_begin: bool,
    /// The id of the mark.
    id: DigestText,
}

impl EventLine {
    /// Returns the line about an event that is in exactly this block; `None` for any other line, and for one whose end
    /// is missing.
    fn of(text: &[u8], block: usize) -> Option<Self> {
        let bytes: &[u8; BLOCK] = text.as_chunks().0.get(block)?;
        let (kind, rest) = bytes.split_first_chunk::<6>()?;
        let is_begin = kind == b"begin ";
        let id = *rest.first_chunk()?;
        (has_end(bytes) && (is_begin || kind == b"mark  ")).then_some(Self { is_begin, id })
    }

    /// Returns a line about an event that needs several blocks because it has many keys.
    fn of_long(line: PlacedLine<'_>) -> Option<Self> {
        Some(Self { is_begin: line.bytes.starts_with(b"begin "), id: line.field(MarkColumn::Mark)? })
    }

    /// Adds the line to those of its mark. Returns `false`, and adds nothing, if the mark is new.
    fn add_to_mark(self, marks: &mut [MarkLines], block: usize) -> bool {
        let id = u128::from_ne_bytes(self.id);
        let mark = marks.iter_mut().find(|lines| u128::from_ne_bytes(lines.text) == id);
        let Some((lines, Ok(block))) = mark.map(|lines| (lines, u32::try_from(block))) else { return false };
        let list = if self.is_begin { &mut lines.begun } else { &mut lines.happened };
        list.push(block);
        true
    }
}

impl Parser {
    /// Parses a line that is about no event or about an event of a new mark, which is added to `marks`.
    fn new_line(&mut self, line: PlacedLine<'_>, event_line: Option<EventLine>, marks: &mut Vec<MarkLines>) {
        let is_event = line.bytes.starts_with(b"begin ") || line.bytes.starts_with(b"mark  ");
        if !is_event {
            return self.line(line);
        }
        // A damaged id looks like that of a new mark.
        let undamaged = event_line.or_else(|| EventLine::of_long(line)).filter(|_| checked(line.bytes).is_some());
        let Some((event_line, id)) =
            undamaged.and_then(|event_line| Some((event_line, hex(std::str::from_utf8(&event_line.id).ok()?)?)))
        else {
            self.history.unseen_until.push(moment(line.block));
            return;
        };
        self.history.known_from.entry(MarkId(id)).or_insert(moment(line.block));
        if !event_line.add_to_mark(marks, line.block) {
            marks.push(MarkLines { id: MarkId(id), text: event_line.id, happened: Vec::new(), begun: Vec::new() });
            event_line.add_to_mark(marks, line.block);
        }
    }
}

impl Parser {
    /// Records from which line on a mark is known that the last policy lacks: the first that names it after that
    /// policy.
    fn watch_again(&mut self, lines: &MarkLines) {
        let Some(from) = self.unwatched_from.get(&lines.id) else { return };
        let later = lines.happened.iter().chain(&lines.begun).map(|block| moment(*block)).filter(|at| at > from);
        if let Some(first) = later.chain(self.history.known_from.get(&lines.id).copied()).min() {
            self.history.known_from.insert(lines.id, first);
        }
    }
}

impl Journal {
    /// Indexes the text of a journal: collects the lines about events by mark, and parses all others.
    pub(super) fn new(text: Vec<u8>) -> Self {
        let mut parser = Parser::default();
        let mut marks: Vec<MarkLines> = Vec::new();
        let Some(head) = line_at(&text, 0) else { return Self::default() };
        parser.head(head_salt(head.bytes));
        let mut block = 1;
        loop {
            let event_line = EventLine::of(&text, block);
            if event_line.is_some_and(|event_line| event_line.add_to_mark(&mut marks, block)) {
                block += 1;
                continue;
            }
            let Some(line) = line_at(&text, block) else { break };
            block += line.bytes.len().div_ceil(BLOCK);
            parser.new_line(line, event_line, &mut marks);
        }
        for lines in &marks {
            parser.watch_again(lines);
        }
        Self { text, stated: parser.history, marks }
    }

    /// Returns the end of the journal.
    #[must_use]
    pub fn end(&self) -> JournalEnd {
        JournalEnd::of(&self.text)
    }

    /// Returns what all lines state that are not about events.
    #[must_use]
    pub fn stated(&self) -> &History {
        &self.stated
    }

    /// Returns the number of lines about events.
    #[must_use]
    pub fn size(&self) -> usize {
        self.marks.iter().map(|lines| lines.happened.len()).sum()
    }

    /// Returns the last event before a call with this tool and input.
    #[must_use]
    pub fn last_before_call(&self, input: InputDigest) -> Option<EventDigest> {
        let text = input_text(Some(input));
        let is_before =
            |block: &u32| self.field(*block, MarkColumn::Call).is_some_and(|field| field.as_slice() == text.as_bytes());
        let last = |lines: &MarkLines| lines.happened.iter().rev().copied().find(is_before);
        let block = self.marks.iter().filter_map(last).max()?;
        let event = self.field(block, MarkColumn::Event)?;
        Some(EventDigest(hex(std::str::from_utf8(&event).ok()?)?))
    }

    /// Returns the directory in which a call began; `None` if no line says it.
    #[must_use]
    pub fn directory(&self, call: CallDigest) -> Option<String> {
        let text = text_of(call.0);
        let is_of_call = |block: &&u32| self.field(**block, MarkColumn::Time) == Some(text);
        let first = self.marks.iter().find_map(|lines| lines.begun.iter().find(is_of_call))?;
        let entry = checked(self.line(*first)?.bytes)?;
        directory_of(entry.split_ascii_whitespace().nth(3)?)
    }

    /// Adds to a history the events on which the answer to a question depends.
    pub fn add_events(&self, query: &PastQuery<'_>, history: &mut History) {
        let mut needed = BTreeSet::new();
        let earliest = query.since.and_then(|mark| self.add_last(self.of_mark(mark)?, query, history, &mut needed));
        let is_unrestricted =
            query.keys.is_none() && query.actor.is_none() && query.since.is_none() && query.within.is_none();
        if let Some(lines) = self.of_mark(query.mark) {
            match is_unrestricted {
                true => self.count_all(lines, query, history, &mut needed),
                false => self.add_counting(lines, &LineFilter::new(query, history.now, earliest), &mut needed),
            }
        }
        if query.within.is_some() {
            // The first event after an unknown period shows how long ago that period was.
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

    /// Adds the last events of a mark: all that may have begun after the last certain one. Returns when that one began.
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
            if event.certainty.counts() {
                earliest = earliest.max(event.began);
            }
            needed.insert(*block);
        }
        earliest
    }

    /// Adds the events of a mark that may count.
    fn add_counting(&self, lines: &MarkLines, filter: &LineFilter, needed: &mut BTreeSet<u32>) {
        let may_count = |block: &&u32| self.line(**block).is_some_and(|line| filter.may_count(line));
        let counting: Vec<u32> = lines.happened.iter().filter(may_count).copied().collect();
        // For a few lines, comparing each with those before it is cheaper than sorting all.
        if counting.len() <= 2 {
            needed.extend(counting.into_iter().filter(|block| !self.is_repeated(lines, *block)));
            return;
        }
        let first_lines = self.first_lines(lines);
        needed.extend(counting.into_iter().filter(|block| first_lines.contains(block)));
    }

    /// Adds the last certain and the last possible event of a mark, and counts the others as dropped events.
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
            match line.counts() {
                true => (certain, last_certain) = (certain + 1, Some(block)),
                false => (possible, last_possible) = (possible + 1, Some(block)),
            }
        }
        needed.extend(last_certain.iter().chain(&last_possible));
        let others = (certain.saturating_sub(1), possible.saturating_sub(1));
        let dropped = history.dropped.entry(query.mark).or_default();
        (dropped.0, dropped.1) = (dropped.0 + others.0, dropped.1 + others.1);
    }

    /// Returns the first line about each event of a mark, because several registrations may have reported it.
    fn first_lines(&self, lines: &MarkLines) -> BTreeSet<u32> {
        let event = |block: &u32| Some((self.field(*block, MarkColumn::Event)?, *block));
        let mut events: Vec<(DigestText, u32)> = lines.happened.iter().filter_map(event).collect();
        events.sort_unstable();
        events.dedup_by_key(|(event, _)| *event);
        events.into_iter().map(|(_, block)| block).collect()
    }

    /// Whether an earlier line is about the same event.
    fn is_repeated(&self, lines: &MarkLines, block: u32) -> bool {
        let event = self.field(block, MarkColumn::Event);
        let before = lines.happened.iter().take_while(|before| **before < block);
        before.into_iter().any(|before| self.field(*before, MarkColumn::Event) == event)
    }

    /// Returns the first line, of any mark, about an event that was reported after a moment.
    fn first_after(&self, moment_before: Moment) -> Option<u32> {
        let first = |lines: &MarkLines| {
            let until = lines.happened.partition_point(|block| moment(*block) <= moment_before);
            lines.happened.iter().skip(until).copied().find(|block| !self.is_repeated(lines, *block))
        };
        self.marks.iter().filter_map(first).min()
    }

    /// Parses the line about an event. If `with_beginning` is given, also finds when the event's call began. For a
    /// damaged line, adds to the history that it may have been any entry.
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
        let call = line.field(MarkColumn::Call).filter(|call| !matches!(call[0], b'-' | b'?'));
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

/// Returns a number as a line has it, in 16 hexadecimal digits.
fn text_of(number: u64) -> DigestText {
    let mut text = [b'0'; 16];
    let digits = format!("{number:016x}");
    text.iter_mut().zip(digits.bytes()).for_each(|(to, from)| *to = from);
    text
}
