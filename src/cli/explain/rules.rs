//! How rules are shown: those that decide in full, with the parts of their conditions; the rest in a few lines.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{WIDTH, window, wrapped};
use crate::cli::list;
use crate::cli::print::{Printer, Style, count};
use crate::context::Reason;
use crate::eval::{Judged, Node, Outcome, Role, Truth};
use crate::policy::Policy;
use crate::ruleset::{Mode, Rule};
use crate::span::{FileId, Span};
use crate::verdict::{Speaker, Verdict};

/// How many lines of each end of a list are shown.
const ENDS: usize = 3;

/// How many rules that are unknown for one reason are shown in full.
const IN_FULL: usize = 3;

/// What stands in front of a line of a policy and of what is said below it.
const MARGIN: &str = "       │ ";

/// How many characters of a line of a policy are shown.
const SHOWN: usize = WIDTH - 9;

/// Explains rules, each definition and each reason once.
pub(super) struct Explainer<'t> {
    policy: &'t Policy,
    /// The rules whose votes or warnings are what is said.
    counted: BTreeSet<&'t str>,
    /// Every rule, in full.
    all: bool,
    /// Why something is unknown, each reason once: what a text hides is often hidden from many rules.
    reasons: BTreeSet<String>,
    /// The definitions that were unfolded, and what they came to.
    defs: BTreeMap<Span, Truth>,
}

/// A part of a condition that was judged by itself, as it is shown.
struct Leaf {
    span: Span,
    truth: Truth,
    note: Option<String>,
}

/// Rules that are unknown for one reason.
struct Alike<'r> {
    reason: String,
    rules: Vec<&'r str>,
}

impl<'t> Explainer<'t> {
    pub(super) fn new(policy: &'t Policy, verdict: &'t Verdict, all: bool) -> Self {
        let votes = verdict.winners().map(|vote| &vote.by);
        let counted = votes.chain(verdict.warnings.iter().map(|note| &note.by)).filter_map(Speaker::rule).collect();
        Self { policy, counted, all, reasons: BTreeSet::new(), defs: BTreeMap::new() }
    }

    /// Explains rules: what matches, what is unknown and votes, and in short what is unknown and does not matter and
    /// what does not match. Where it is known which of them a hook looks at, the others are marked.
    pub(super) fn rules(&mut self, rules: &[Judged], looked_at: Option<BTreeSet<usize>>, printer: &mut Printer) {
        self.defs.clear();
        let is_left_out = |judged: &Judged| looked_at.as_ref().is_some_and(|looked| !looked.contains(&judged.index));
        let mut sorted: Vec<&Judged> = rules.iter().collect();
        sorted.sort_by_key(|judged| match judged.outcome {
            Outcome::Match => 0,
            Outcome::Unknown(_) => 1,
            Outcome::NoMatch => 2,
        });
        let (mut alike, mut idle, mut quiet) = (Vec::new(), Vec::new(), Vec::new());
        let mut in_full: BTreeMap<String, usize> = BTreeMap::new();
        for judged in sorted {
            match &judged.outcome {
                Outcome::NoMatch if !self.all => quiet.push(judged),
                Outcome::Unknown(reason) if !self.all => {
                    let reason = reason.sentence();
                    let shown = in_full.entry(reason.clone()).or_default();
                    if !self.counted.contains(judged.shown.as_str()) {
                        add(&mut idle, reason, &judged.shown);
                    } else if *shown < IN_FULL {
                        *shown = shown.saturating_add(1);
                        self.rule(judged, is_left_out(judged), printer);
                    } else {
                        add(&mut alike, reason, &judged.shown);
                    }
                }
                _ => self.rule(judged, is_left_out(judged), printer),
            }
        }
        self.named("unknown for a reason given above, with the same vote", &alike, printer);
        self.named("unknown, which changes nothing here", &idle, printer);
        let left_out = match quiet.iter().filter(|judged| is_left_out(judged)).count() {
            0 => String::new(),
            left_out => format!(", {left_out} of them left out by the index"),
        };
        let line = match quiet.len() {
            0 => return,
            1 => format!("1 rule does not match{left_out}; `--all` shows it"),
            several => format!("{several} rules do not match{left_out}; `--all` shows them"),
        };
        printer.out(&format!("\n{}\n", printer.paint(Style::Dim, &line)));
    }

    /// Names rules that are unknown, a line for each reason, as many as the line takes.
    fn named(&mut self, title: &str, groups: &[Alike<'_>], printer: &mut Printer) {
        let total: usize = groups.iter().map(|group| group.rules.len()).sum();
        if total == 0 {
            return;
        }
        let verb = if total == 1 { "is" } else { "are" };
        let noun = if self.reasons.is_empty() { "rule" } else { "more rule" };
        let title = format!("{} {verb} {title}; `--all` shows why", count(total, noun));
        printer.out(&format!("\n{}\n", printer.paint(Style::Yellow, &title)));
        for group in groups {
            if self.reasons.insert(group.reason.clone()) {
                printer.out(&wrapped("  ", "  ", &format!("{}:", group.reason)));
            }
            let mut line = String::new();
            let mut left = group.rules.len();
            for rule in &group.rules {
                let next = if line.is_empty() { (*rule).to_owned() } else { format!("{line}, {rule}") };
                if !line.is_empty() && next.chars().count() > WIDTH - 20 {
                    break;
                }
                (line, left) = (next, left.saturating_sub(1));
            }
            let more = if left == 0 { String::new() } else { format!(" and {left} more") };
            printer.out(&format!("    {}\n", printer.paint(Style::Dim, &format!("{line}{more}"))));
        }
    }

    fn rule(&mut self, judged: &Judged, is_left_out: bool, printer: &mut Printer) {
        let policy = self.policy;
        let Some(rule) = policy.rules.rules().get(judged.index) else { return };
        let mut leaves = Vec::new();
        judged.parts.iter().for_each(|part| self.collect(part, &mut leaves));
        // Where a part says why, the rule need not.
        let all_accesses_known =
            |reason: &Reason| leaves.iter().any(|leaf| leaf.truth == Truth::unknown(reason.clone()));
        let (style, outcome, why) = match &judged.outcome {
            Outcome::Match => (Style::Cyan, format!("matches → {}", effects(rule)), None),
            Outcome::NoMatch => (Style::Dim, "does not match".to_owned(), None),
            Outcome::Unknown(reason) if all_accesses_known(reason) => (Style::Yellow, "is unknown".to_owned(), None),
            Outcome::Unknown(reason) => (Style::Yellow, "is unknown".to_owned(), Some(self.reason(reason))),
        };
        let notes: Vec<&str> = [
            (is_left_out, "left out by the index"),
            (rule.traits.mode == Mode::Observe, "only observed"),
            (judged.role == Role::VotesOfPreToolUse, "for its votes on PreToolUse"),
            (judged.through_link, "through a symbolic link"),
        ]
        .into_iter()
        .filter_map(|(holds, note)| holds.then_some(note))
        .collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        let place = printer.paint(Style::Dim, &policy.sources.place(rule.name_span));
        let name = printer.paint(Style::Bold, &rule.shown);
        printer.out(&format!("\n{name} {}{notes}  {place}\n", printer.paint(style, &outcome)));
        if let Some(why) = why {
            printer.out(&wrapped("    ", "    ", &why));
        } else if judged.parts.is_empty() {
            let unconditional = rule.when.is_none() && rule.unless.is_none();
            let why = if unconditional { "it has no condition" } else { "`on` and `by` decide" };
            printer.out(&format!("    {}\n", printer.paint(Style::Dim, why)));
        }
        self.underline(&leaves, printer);
    }

    /// Collects the parts that were judged by themselves, in the order in which they were. A definition is unfolded
    /// once; what stands for it after that is its name.
    fn collect(&mut self, node: &Node, leaves: &mut Vec<Leaf>) {
        let leaf = |note: Option<&str>| Leaf {
            span: node.span,
            truth: node.truth.clone(),
            note: note.map(str::to_owned).or_else(|| node.note.clone()),
        };
        // Of a test that is unknown although all of its parts are known, the parts are not what matters.
        let is_unknown = |node: &Node| matches!(node.truth, Truth::Unknown(_));
        if node.parts.is_empty() || (is_unknown(node) && !node.parts.iter().any(is_unknown)) {
            leaves.push(leaf(None));
            return;
        }
        if let [definition] = node.parts.as_slice()
            && !is_within(definition.span, node.span)
        {
            if self.defs.get(&definition.span) == Some(&definition.truth) {
                leaves.push(leaf(Some("as above")));
                return;
            }
            self.defs.insert(definition.span, definition.truth.clone());
        }
        node.parts.iter().for_each(|part| self.collect(part, leaves));
    }

    /// Returns a reason where it is new.
    fn reason(&mut self, reason: &Reason) -> String {
        let sentence = reason.sentence();
        if self.reasons.insert(sentence.clone()) { sentence } else { "for the same reason as above".to_owned() }
    }

    /// Prints the lines that the parts stand on, each once, and under them what each part came to.
    fn underline(&mut self, leaves: &[Leaf], printer: &mut Printer) {
        let mut shown: Option<(FileId, usize, usize)> = None;
        for leaf in leaves {
            let Some(file) = self.policy.sources.file(leaf.span) else { continue };
            let (first, column) = file.line_column(leaf.span.start);
            let (last, end) = file.line_column(leaf.span.end);
            let text = file.line(last);
            let blank = text.chars().take_while(|c| c.is_whitespace()).count();
            let from = if first == last { column.saturating_sub(1) } else { blank };
            let width = end.saturating_sub(1).saturating_sub(from).max(1);
            // Of a long line the part is shown that it is about.
            let is_long = text.chars().count() > SHOWN && from.saturating_add(width) > SHOWN;
            let start = if is_long { from.saturating_sub(SHOWN / 4) } else { 0 };
            let known = shown.filter(|(id, ..)| *id == leaf.span.file);
            if known != Some((leaf.span.file, last, start)) {
                let before = known.map_or(0, |(_, line, _)| line);
                // Of a long list its ends are shown.
                let (head, tail) = (first.saturating_add(ENDS), last.saturating_sub(ENDS));
                let mut is_cut = false;
                for number in (first..=last).filter(|number| *number > before || before >= last) {
                    let offset = if number == last { start } else { 0 };
                    if number < head || number > tail {
                        printer.out(&format!("  {number:>4} │ {}\n", window(file.line(number), offset, SHOWN)));
                    } else if !std::mem::replace(&mut is_cut, true) {
                        printer.out(&format!("{MARGIN}…\n"));
                    }
                }
            }
            shown = Some((leaf.span.file, last, start));
            // A tab before the part is as wide under it as in the line above.
            let lead = text.chars().skip(start).take(from.saturating_sub(start));
            let lead: String = lead.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            // Room is left for what it came to.
            let room = SHOWN.saturating_sub(from.saturating_sub(start)).saturating_sub(10);
            let width = width.min(room.max(1));
            self.mark(leaf, &lead, width, printer);
        }
    }

    /// Prints the mark under a part, and what it came to: behind it, or below it where it is too long for that.
    fn mark(&mut self, leaf: &Leaf, lead: &str, width: usize, printer: &mut Printer) {
        let (style, mark) = match leaf.truth {
            Truth::True => (Style::Green, '━'),
            Truth::False => (Style::Red, '━'),
            Truth::Unknown(_) => (Style::Yellow, '┅'),
        };
        let bar = printer.paint(style, &mark.to_string().repeat(width));
        let note = match (&leaf.truth, &leaf.note) {
            (Truth::Unknown(reason), note) => match note.as_deref() {
                Some("as above") => "as above".to_owned(),
                _ => self.reason(reason),
            },
            (_, Some(note)) => note.clone(),
            (_, None) => String::new(),
        };
        let word = leaf.truth.word();
        let shown = printer.paint(style, word);
        let used = [MARGIN, lead, word].iter().map(|text| text.chars().count()).sum::<usize>();
        let note_width = note.chars().count().saturating_add(3);
        if note.is_empty() {
            printer.out(&format!("{MARGIN}{lead}{bar} {shown}\n"));
        } else if used.saturating_add(width).saturating_add(note_width) <= WIDTH {
            printer.out(&format!("{MARGIN}{lead}{bar} {shown}: {note}\n"));
        } else {
            let margin = format!("{MARGIN}  ");
            printer.out(&format!("{MARGIN}{lead}{bar} {shown}:\n{}", wrapped(&margin, &margin, &note)));
        }
    }
}

fn add<'r>(groups: &mut Vec<Alike<'r>>, reason: String, rule: &'r str) {
    match groups.iter_mut().find(|group| group.reason == reason) {
        Some(group) => group.rules.push(rule),
        None => groups.push(Alike { reason, rules: vec![rule] }),
    }
}

fn is_within(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

fn effects(rule: &Rule) -> String {
    let mut words: Vec<&str> = rule.effects.iter().map(list::effect).collect();
    words.dedup();
    words.join(", ")
}
