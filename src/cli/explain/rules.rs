//! Explains rules: those that decide in full, with the result of each part of their conditions; the other rules in a
//! few lines.

use std::collections::{BTreeMap, BTreeSet};

use super::ExplainDetail;
use crate::cli::print::{Printer, Style, count};
use crate::context::{Context, Reason};
use crate::escape::line;
use crate::eval::{ConditionTrace, Evaluation, RuleJudgement, RuleOutcome, RuleRole, Truth, effect_words};
use crate::platform::paths::shown;
use crate::policy::Policy;
use crate::ruleset::{Head, HeadMatch, Rule, RuleMode};
use crate::span::{FileId, Span};
use crate::verdict::{Author, Verdict};
use crate::wrap::{Signs, columns, window};

/// The number of lines shown at each end of a condition with many lines.
const ENDS: usize = 3;

/// The number of unknown rules with the same reason that are shown in full; the others are only listed.
const IN_FULL: usize = 2;

/// The columns before the text of a policy line: its number and a bar.
const MARGIN: usize = 9;

/// The length of ` where ` between a pattern and its filter.
const WHERE: u32 = 7;

/// The columns kept free after a mark, for the word `unknown` or another result.
const ROOM: usize = 10;

/// Explains rules one after another, and does not repeat a reason or a definition that it has already explained.
pub(super) struct Explainer<'t> {
    policy: &'t Policy,
    /// The rules whose votes or warnings make up the verdict.
    deciding_rules: BTreeSet<&'t str>,
    /// Which rules are shown in full.
    shown: ExplainDetail,
    /// The number of columns of the terminal.
    width: usize,
    signs: &'static Signs,
    /// The reasons that are already printed: one unknown text often makes many rules unknown.
    reasons: BTreeSet<String>,
    /// The definitions (`def`) that are already expanded, with their results.
    defs: BTreeMap<Span, Truth>,
}

/// A part of a condition that gets a mark and its result below the line of the policy.
struct JudgedLeaf {
    span: Span,
    /// The result of the part.
    truth: Truth,
    /// A remark after the result, such as the value that was compared.
    note: Option<String>,
}

/// The names of rules that are unknown for the same reason.
struct RulesWithReason<'r> {
    reason: String,
    rules: Vec<&'r str>,
}

impl<'t> Explainer<'t> {
    pub(super) fn new(policy: &'t Policy, verdict: &'t Verdict, shown: ExplainDetail, printer: &Printer) -> Self {
        let votes = verdict.winning_votes().map(|vote| &vote.author);
        let authors = votes.chain(verdict.warnings.iter().map(|note| &note.author));
        let deciding_rules = authors.filter_map(Author::rule).collect();
        let (width, signs) = (printer.width(), printer.signs());
        Self { policy, deciding_rules, shown, width, signs, reasons: BTreeSet::new(), defs: BTreeMap::new() }
    }

    /// Remembers the reason that the headline has already printed, so that it is not repeated. Does nothing if the
    /// rules that decide are unknown for several reasons.
    pub(super) fn skip_reason_of_headline(&mut self, judged: &[RuleJudgement]) {
        let deciding = judged.iter().filter(|judged| self.deciding_rules.contains(judged.display_name.as_str()));
        let reasons: BTreeSet<String> = deciding
            .filter_map(|judged| match &judged.outcome {
                RuleOutcome::Unknown(reason) => Some(reason.sentence()),
                _ => None,
            })
            .collect();
        if reasons.len() == 1 {
            self.reasons.extend(reasons);
        }
    }

    /// Explains the rule of `--rule` or `--why-not` in full; if the head of the rule excludes the call, explains only
    /// that.
    pub(super) fn print_single_rule(
        &mut self,
        (index, rule): (usize, &Rule),
        evaluation: &Evaluation,
        context: &Context<'_>,
        printer: &mut Printer,
    ) {
        let is_it = |judged: &&RuleJudgement| judged.index == index;
        let Some(judged) = evaluation.trace.rules.iter().find(is_it) else {
            self.print_title(rule, ("is not asked", &printer.paint(Style::Dim, "is not asked")), printer);
            self.print_head_mismatch(rule, context, printer);
            return;
        };
        self.print_rule(judged, false, printer);
        if let Some(again) = evaluation.trace.rejudged.iter().find(is_it) {
            printer.out("\nagain, on the input after the rewrites:\n");
            self.print_rule(again, false, printer);
        }
    }

    /// Explains rules: in full those that match and the unknown ones that vote; the rest by name or number, unless
    /// `--all` is given. With `looked_at`, the indexes of the rules that a hook would judge, the other rules are marked
    /// as left out.
    pub(super) fn print_rules(
        &mut self,
        rules: &[RuleJudgement],
        looked_at: Option<BTreeSet<usize>>,
        printer: &mut Printer,
    ) {
        self.defs.clear();
        let is_left_out = |judged: &RuleJudgement| looked_at.as_ref().is_some_and(|set| !set.contains(&judged.index));
        // Rules not shown in full: unknown for a reason that was already shown; unknown without a vote; no match.
        let (mut same_reason, mut voteless, mut unmatched) = (Vec::new(), Vec::new(), Vec::new());
        let mut shown_in_full = BTreeMap::new();
        let (marks, other_rules) = self.separate_marks(rules);
        for judged in other_rules {
            match &judged.outcome {
                RuleOutcome::NoMatch if self.shown == ExplainDetail::Decisive => unmatched.push(judged),
                RuleOutcome::Unknown(reason) if self.shown == ExplainDetail::Decisive => {
                    let reason = reason.sentence();
                    let shown: &mut usize = shown_in_full.entry(reason.clone()).or_default();
                    if !self.deciding_rules.contains(judged.display_name.as_str()) {
                        add_to_group(&mut voteless, reason, &judged.display_name);
                    } else if *shown < IN_FULL {
                        *shown = shown.saturating_add(1);
                        self.print_rule(judged, is_left_out(judged), printer);
                    } else {
                        add_to_group(&mut same_reason, reason, &judged.display_name);
                    }
                }
                _ => self.print_rule(judged, is_left_out(judged), printer),
            }
        }
        self.print_unknown_rules(
            "unknown for a reason given above, with the same vote; `--all` shows why",
            &same_reason,
            printer,
        );
        self.print_remembered(&marks, printer);
        let mut rest = Vec::new();
        if self.deciding_rules.is_empty() {
            self.print_unknown_rules("unknown, which changes nothing here; `--all` shows why", &voteless, printer);
        } else if !voteless.is_empty() {
            // If other rules decide, the reasons of these would distract from the reasons for the decision.
            let total: usize = voteless.iter().map(|group| group.rules.len()).sum();
            let verb = if total == 1 { "is" } else { "are" };
            rest.push(format!("{} {verb} unknown, which changes nothing here", count(total, "more rule")));
        }
        if !unmatched.is_empty() {
            let who = match (rest.is_empty(), unmatched.len() < rules.len()) {
                (true, true) => format!("{} looked at this call and", count(unmatched.len(), "more rule")),
                (true, false) => format!("{} looked at this call and", count(unmatched.len(), "rule")),
                (false, _) => unmatched.len().to_string(),
            };
            let left_out = unmatched.iter().filter(|judged| is_left_out(judged)).count();
            rest.push(format!("{who} did not match{}", left_out_note(left_out)));
        }
        if !rest.is_empty() {
            let line = printer.wrapped("", "  ", &format!("{}: --all", rest.join("; ")));
            printer.out(&format!("\n{}\n", printer.paint(Style::Dim, line.trim_end())));
        }
    }

    /// Separates the marks that are shown by name only from the other rules. Both lists are sorted by outcome.
    fn separate_marks<'r>(&self, rules: &'r [RuleJudgement]) -> (Vec<&'r RuleJudgement>, Vec<&'r RuleJudgement>) {
        by_outcome(rules).into_iter().partition(|judged| self.is_folded_mark(judged))
    }

    /// Whether a rule is a mark that is shown by name only, because `--all` is not given.
    fn is_folded_mark(&self, judged: &RuleJudgement) -> bool {
        let rule = self.policy.rules.rules().get(judged.index);
        self.shown == ExplainDetail::Decisive && rule.is_some_and(|rule| rule.mark().is_some())
    }

    /// Names the marks that remember the event.
    fn print_remembered(&self, marks: &[&RuleJudgement], printer: &mut Printer) {
        let is_written = |index: usize| self.policy.rules.rules().get(index).is_some_and(|rule| !rule.is_generated());
        let remembers = |judged: &&&RuleJudgement| judged.outcome == RuleOutcome::Match && is_written(judged.index);
        let names: Vec<&str> = marks.iter().filter(remembers).map(|judged| judged.display_name.as_str()).collect();
        if !names.is_empty() {
            let line = printer.wrapped("", "  ", &format!("remembered as {}", names.join(", ")));
            printer.out(&format!("\n{}\n", printer.paint(Style::Dim, line.trim_end())));
        }
    }

    /// Lists unknown rules under their reason, as many names as fit on one line, then the number of the rest.
    fn print_unknown_rules(&mut self, title: &str, groups: &[RulesWithReason<'_>], printer: &mut Printer) {
        let total: usize = groups.iter().map(|group| group.rules.len()).sum();
        if total == 0 {
            return;
        }
        let verb = if total == 1 { "is" } else { "are" };
        let noun = if self.reasons.is_empty() { "rule" } else { "more rule" };
        let title = format!("{} {verb} {title}", count(total, noun));
        let title = printer.wrapped("", "  ", &title);
        printer.out(&format!("\n{}\n", printer.paint(Style::Yellow, title.trim_end())));
        for group in groups {
            if self.reasons.insert(group.reason.clone()) {
                printer.out(&printer.wrapped("  ", "  ", &format!("{}:", group.reason)));
            }
            let mut line = String::new();
            let mut remaining = group.rules.len();
            for rule in &group.rules {
                let next = if line.is_empty() { (*rule).to_owned() } else { format!("{line}, {rule}") };
                if !line.is_empty() && columns(&next) > self.width.saturating_sub(20) {
                    break;
                }
                (line, remaining) = (next, remaining.saturating_sub(1));
            }
            let more = if remaining == 0 { String::new() } else { format!(" and {remaining} more") };
            printer.out(&format!("    {}\n", printer.paint(Style::Dim, &format!("{line}{more}"))));
        }
    }

    /// Prints a rule in full: its name and result, the reason if it is unknown, and the parts of its condition.
    fn print_rule(&mut self, judged: &RuleJudgement, is_left_out: bool, printer: &mut Printer) {
        let policy = self.policy;
        let Some(rule) = policy.rules.rules().get(judged.index) else { return };
        let mut leaves = Vec::new();
        judged.parts.iter().for_each(|part| self.collect_leaves(part, &mut leaves));
        // Whether a part of the condition shows the same reason, so that the rule need not repeat it.
        let is_shown_by_part = |reason: &Reason| leaves.iter().any(|leaf| leaf.truth == Truth::unknown(reason.clone()));
        let (style, outcome, why) = match &judged.outcome {
            RuleOutcome::Match => (Style::Cyan, format!("matches {} {}", self.signs.arrow, effects(rule)), None),
            RuleOutcome::NoMatch => (Style::Dim, "does not match".to_owned(), None),
            RuleOutcome::Unknown(reason) if is_shown_by_part(reason) => (Style::Yellow, "is unknown".to_owned(), None),
            RuleOutcome::Unknown(reason) => (Style::Yellow, "is unknown".to_owned(), Some(self.reason_once(reason))),
        };
        let tree = judged.tree.as_ref().map(|tree| format!("in {}", shown(&tree)));
        let notes: Vec<&str> = [
            (is_left_out, "left out by the index"),
            (rule.traits.mode == RuleMode::Observe, "only observed"),
            (judged.role == RuleRole::VotesOfPreToolUse, "for its votes on PreToolUse"),
            (judged.role == RuleRole::PreToolUseWithoutCommands, "as on PreToolUse, without its commands"),
            (judged.through_link, "through a symbolic link"),
        ]
        .into_iter()
        .filter_map(|(holds, note)| holds.then_some(note))
        .chain(tree.as_deref())
        .collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        let plain = format!("{outcome}{notes}");
        let painted = format!("{}{notes}", printer.paint(style, &outcome));
        self.print_title(rule, (&plain, &painted), printer);
        if let Some(why) = why {
            printer.out(&printer.wrapped("    ", "    ", &why));
        } else if judged.parts.is_empty() {
            let unconditional = rule.when.is_none() && rule.unless.is_none();
            let why = if unconditional { "it has no condition" } else { "`on` and `by` decide" };
            printer.out(&format!("    {}\n", printer.paint(Style::Dim, why)));
        }
        self.print_underlined(&leaves, printer);
    }

    /// Prints the name, the result and the location of a rule; the location is on the next line if the first line is
    /// full.
    fn print_title(&self, rule: &Rule, (plain, painted): (&str, &str), printer: &mut Printer) {
        let place = self.policy.sources.location(rule.name_span);
        let name = printer.paint(Style::Bold, &rule.display_name);
        let head = columns(&rule.display_name).saturating_add(columns(plain)).saturating_add(1);
        let whole = head.saturating_add(columns(&place)).saturating_add(2);
        let gap = if whole <= self.width { "  " } else { "\n    " };
        let outcome = if head <= self.width {
            format!(" {painted}")
        } else {
            format!("\n{}", printer.wrapped("    ", "    ", plain).trim_end())
        };
        printer.out(&format!("\n{name}{outcome}{gap}{}\n", printer.paint(Style::Dim, &place)));
    }

    /// Returns the margin before a mark or remark below a line of a policy.
    fn remark_margin(&self) -> String {
        format!("       {} ", self.signs.bar)
    }

    /// Collects the parts of a condition that get a mark, in the order in which they were judged. A definition is
    /// expanded once; later uses only get "as above".
    fn collect_leaves(&mut self, node: &ConditionTrace, leaves: &mut Vec<JudgedLeaf>) {
        let leaf = |note: Option<&str>| JudgedLeaf {
            span: node.span,
            truth: node.truth.clone(),
            note: note.map(str::to_owned).or_else(|| node.note.clone()),
        };
        // The parts explain nothing if the whole is unknown although each of them is known.
        let is_unknown = |node: &ConditionTrace| matches!(node.truth, Truth::Unknown(_));
        if node.parts.is_empty() || (is_unknown(node) && !node.parts.iter().any(is_unknown)) {
            leaves.push(leaf(None));
            return;
        }
        // A single part at another position in the source is the body of a definition.
        if let [definition] = node.parts.as_slice()
            && !is_within(definition.span, node.span)
        {
            if self.defs.get(&definition.span) == Some(&definition.truth) {
                leaves.push(leaf(Some("as above")));
                return;
            }
            self.defs.insert(definition.span, definition.truth.clone());
        }
        // For `not X`, the result of `X` alone would mislead: the mark shows the result of the whole.
        if let [inner] = node.parts.as_slice()
            && is_within(inner.span, node.span)
            && is_opposite(&inner.truth, &node.truth)
        {
            match inner.parts.is_empty() {
                true => leaves.push(JudgedLeaf { note: inner.note.clone(), ..leaf(None) }),
                false => {
                    self.collect_leaves(inner, leaves);
                    leaves.push(leaf(None));
                }
            }
            return;
        }
        // For `runs "a" where …`, the pattern before `where` gets a mark too.
        if let ([filter], Truth::True, Some(_)) = (node.parts.as_slice(), &node.truth, &node.note)
            && is_within(filter.span, node.span)
        {
            // The end of the pattern, but never before its start.
            let min_end = node.span.start.saturating_add(WHERE);
            let end = filter.span.start.saturating_sub(WHERE).max(min_end);
            leaves.push(JudgedLeaf { span: Span { end, ..node.span }, ..leaf(None) });
        }
        node.parts.iter().for_each(|part| self.collect_leaves(part, leaves));
    }

    /// Returns the text of a reason the first time, and then "for the same reason as above".
    fn reason_once(&mut self, reason: &Reason) -> String {
        let sentence = reason.sentence();
        if self.reasons.insert(sentence.clone()) { sentence } else { "for the same reason as above".to_owned() }
    }

    /// Explains why a rule's head excludes the call: the rule is off, or `on` or `by` selects other events, subjects
    /// or agents. Also prints the clause of the source.
    fn print_head_mismatch(&self, rule: &Rule, context: &Context<'_>, printer: &mut Printer) {
        let payload = context.payload();
        let subject = context.head_subject();
        // The head without `by`, to see whether `on` alone excludes the call.
        let without_by = Head { agents: None, ..rule.head.clone() };
        let (clause, why) = if rule.traits.mode == RuleMode::Off {
            ("@off", "`@off` keeps it from taking part".to_owned())
        } else if !rule.head.event_set().contains(&payload.event) {
            ("on", format!("`on` does not name {}", payload.event.name()))
        } else if without_by.select(payload, || subject) == HeadMatch::No {
            ("on", format!("`on` does not select `{}`", line(subject.unwrap_or_default(), 80)))
        } else {
            let agent = if payload.is_by_subagent() { payload.agent_type().unwrap_or("a subagent") } else { "main" };
            ("by", format!("`by` does not select `{}`", line(agent, 80)))
        };
        printer.out(&printer.wrapped("    ", "    ", &why));
        let Some(file) = self.policy.sources.file(rule.span) else { return };
        let (first, _) = file.line_column(rule.span.start);
        let (last, _) = file.line_column(rule.span.end);
        for number in first..=last {
            let text = file.line(number);
            if text.split_whitespace().next() == Some(clause) {
                self.print_source_line(number, text, 0, printer);
            }
        }
    }

    /// Prints a line of a policy with its number; a long line is cut before the character at `from`.
    fn print_source_line(&self, number: usize, text: &str, from: usize, printer: &mut Printer) {
        let from = columns(&text.chars().take(from).collect::<String>());
        let text = window(text, from, self.line_width(), self.signs.more);
        printer.out(&format!("  {number:>4} {} {text}\n", self.signs.bar));
    }

    /// Returns the number of columns for the text of a policy line.
    fn line_width(&self) -> usize {
        self.width.saturating_sub(MARGIN)
    }

    /// Prints the lines of a policy that contain marked parts, each line once, with a mark and a result below it for
    /// each part.
    fn print_underlined(&mut self, leaves: &[JudgedLeaf], printer: &mut Printer) {
        let width = self.line_width();
        // The file, the line and the first column of the line that was printed last.
        let mut last_printed: Option<(FileId, usize, usize)> = None;
        for leaf in leaves {
            let Some(file) = self.policy.sources.file(leaf.span) else { continue };
            let (first, column) = file.line_column(leaf.span.start);
            let (last, end) = file.line_column(leaf.span.end);
            let text = file.line(last);
            // A part over several lines is marked on its last line, from the indentation on.
            let blank = text.chars().take_while(|c| c.is_whitespace()).count();
            let from = if first == last { column.saturating_sub(1) } else { blank };
            let length = end.saturating_sub(1).saturating_sub(from).max(1);
            // Of a long line, only the text around the part is shown: from a quarter of the width before it.
            let is_long = columns(text) > width && from.saturating_add(length) > width;
            let start = if is_long { from.saturating_sub(width / 4) } else { 0 };
            // A further part on the line that was printed last needs no second copy of the line.
            let printed = last_printed.filter(|(id, ..)| *id == leaf.span.file);
            if printed != Some((leaf.span.file, last, start)) {
                let before = printed.map_or(0, |(_, line, _)| line);
                // Of a part over many lines, only the first and last lines are shown.
                let (head, tail) = (first.saturating_add(ENDS), last.saturating_sub(ENDS));
                let mut is_cut = false;
                for number in (first..=last).filter(|number| *number > before || before >= last) {
                    let offset = if number == last { start } else { 0 };
                    if number < head || number > tail {
                        self.print_source_line(number, file.line(number), offset, printer);
                    } else if !std::mem::replace(&mut is_cut, true) {
                        printer.out(&format!("{}{}\n", self.remark_margin(), self.signs.more));
                    }
                }
            }
            last_printed = Some((leaf.span.file, last, start));
            let part: String = text.chars().skip(from).take(length).collect();
            let before: String = text.chars().skip(start).take(from.saturating_sub(start)).collect();
            // A tab or a wide character before the part takes the same width in the line below.
            let lead: String =
                before.chars().map(|c| if c == '\t' { "\t".to_owned() } else { " ".repeat(char_width(c)) }).collect();
            // The result needs room after the mark.
            let room = width.saturating_sub(columns(&lead)).saturating_sub(ROOM);
            self.print_mark(leaf, &lead, columns(&part).clamp(1, room.max(1)), printer);
        }
    }

    /// Prints the mark under a part, and its result: after the mark if there is room, otherwise below it.
    fn print_mark(&mut self, leaf: &JudgedLeaf, lead: &str, width: usize, printer: &mut Printer) {
        let (style, mark) = match leaf.truth {
            Truth::True => (Style::Green, self.signs.known),
            Truth::False => (Style::Red, self.signs.known),
            Truth::Unknown(_) => (Style::Yellow, self.signs.unknown),
        };
        let bar = printer.paint(style, &mark.repeat(width));
        let note = match (&leaf.truth, &leaf.note) {
            (Truth::Unknown(reason), note) => match note.as_deref() {
                Some("as above") => "as above".to_owned(),
                _ => self.reason_once(reason),
            },
            (_, Some(note)) => note.clone(),
            (_, None) => String::new(),
        };
        let word = leaf.truth.display_word();
        let shown = printer.paint(style, word);
        let margin = self.remark_margin();
        let used = [&margin, lead, word].iter().map(|text| columns(text)).sum::<usize>();
        let note_width = columns(&note).saturating_add(3);
        if note.is_empty() {
            printer.out(&format!("{margin}{lead}{bar} {shown}\n"));
        } else if used.saturating_add(width).saturating_add(note_width) <= self.width {
            printer.out(&format!("{margin}{lead}{bar} {shown}: {note}\n"));
        } else {
            let below = format!("{margin}  ");
            printer.out(&format!("{margin}{lead}{bar} {shown}:\n{}", printer.wrapped(&below, &below, &note)));
        }
    }
}

/// Whether one of the results is true and the other false; an unknown result has no opposite.
fn is_opposite(one: &Truth, other: &Truth) -> bool {
    matches!((one, other), (Truth::True, Truth::False) | (Truth::False, Truth::True))
}

/// Returns the number of columns of a character.
fn char_width(c: char) -> usize {
    columns(c.encode_utf8(&mut [0; 4]))
}

/// Returns the rules that match, then the unknown ones, then those that do not match.
fn by_outcome(rules: &[RuleJudgement]) -> Vec<&RuleJudgement> {
    let mut sorted: Vec<&RuleJudgement> = rules.iter().collect();
    sorted.sort_by_key(|judged| match judged.outcome {
        RuleOutcome::Match => 0,
        RuleOutcome::Unknown(_) => 1,
        RuleOutcome::NoMatch => 2,
    });
    sorted
}

/// Adds a rule to the group of its reason.
fn add_to_group<'r>(groups: &mut Vec<RulesWithReason<'r>>, reason: String, rule: &'r str) {
    match groups.iter_mut().find(|group| group.reason == reason) {
        Some(group) => group.rules.push(rule),
        None => groups.push(RulesWithReason { reason, rules: vec![rule] }),
    }
}

/// Whether a span is inside another in the same file.
fn is_within(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

/// Returns the effects of a rule as a list for the title: `deny, warn`.
fn effects(rule: &Rule) -> String {
    effect_words(rule).join(", ")
}

/// Returns the end of a sentence with the number of rules that the index left out; empty if there are none.
fn left_out_note(left_out: usize) -> String {
    if left_out == 0 { String::new() } else { format!(", {left_out} of them left out by the index") }
}
