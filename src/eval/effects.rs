//! Builds the verdict from the judgements of rules: their votes, and the effects of rules that match.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value as Json};

use crate::context::{Context, LookupPlace, PathForm, Reason, Scalar, Views, path_component};
use crate::escape::line;
use crate::ruleset::{
    ArgvWord, DerivedField, Effect, Literal, RecordSpec, RecordValue, Rule, RuleMode, RunCommand, RunSpec, Template,
    TemplatePart, UnknownClause, ValueReference,
};
use crate::schema::{Event, OUTPUT};
use crate::span::Span;
use crate::types::Payload;
use crate::verdict::{
    Author, Command, Decision, Message, NOTIFICATION_BODY, NOTIFICATION_TITLE, Note, Notification, PlainExit, Record,
    Run, Verdict, Vote,
};

use super::marks::planned_mark;
use super::message::{has_value, quote, render_exact, render_message, render_whole, value_of_match, values};
use super::redact::Redactor;
use super::rewrite::Rewriter;
use super::suspicion::suspicion;
use super::{Matched, RuleJudgement, RuleOutcome, RuleRole, is_allow_withheld, votes};

/// The maximum number of characters of the reason in a message about what could not be judged.
const REASON_LIMIT: usize = 2_000;

/// A verdict under construction.
pub(super) struct VerdictPlan<'r> {
    pub(super) verdict: Verdict,
    /// The votes of `@observe` rules, which do not affect the decision.
    pub(super) observed: Vec<Vote>,
    /// The names of the `@observe` rules that match and cast no vote.
    pub(super) observed_effects: Vec<String>,
    /// The rules that match, but whose rewrites became unknown after the rewrites of earlier rules.
    pub(super) not_rewritten: Vec<RuleJudgement>,
    /// The rewrites of the tool's input.
    rewriter: Rewriter<'r>,
    /// The rewrites of the tool's output.
    redactor: Redactor<'r>,
    /// The matching rules with commands, each with what it matched, and with the place for which it was judged,
    /// before any command of the call runs.
    running: Vec<(&'r Rule, Option<Matched>, Option<LookupPlace>)>,
    /// The positions in the source of the rules whose effects were added. Rules of a pack that two directories
    /// configure differently share one.
    with_effects: Vec<Span>,
    /// Whether an allow also holds for the rewritten call.
    allowed_again: bool,
}

impl<'r> VerdictPlan<'r> {
    pub(super) fn new(event: Event) -> Self {
        Self {
            verdict: Verdict::pass(event),
            observed: Vec::new(),
            observed_effects: Vec::new(),
            not_rewritten: Vec::new(),
            rewriter: Rewriter::default(),
            redactor: Redactor::default(),
            running: Vec::new(),
            with_effects: Vec::new(),
            allowed_again: false,
        }
    }

    /// Adds the votes and effects of a rule on the original call.
    pub(super) fn add(&mut self, rule: &'r Rule, role: RuleRole, judged: &RuleJudgement, context: &Context<'_>) {
        let votes = self.votes_and_warnings(rule, role, judged, context);
        if rule.traits.mode == RuleMode::Observe {
            if votes.0.is_empty() && judged.outcome == RuleOutcome::Match && role != RuleRole::VotesOfPreToolUse {
                self.observed_effects.push(rule.display_name.clone());
            }
            self.observed.extend(votes.0);
            return;
        }
        self.verdict.votes.extend(votes.0);
        self.verdict.warnings.extend(votes.1);
        self.redactor.add(rule, judged);
        if role == RuleRole::Full {
            self.verdict.marks.extend(planned_mark(rule, judged, context));
        }
        if judged.outcome != RuleOutcome::Match || role == RuleRole::VotesOfPreToolUse {
            return;
        }
        self.add_effects(rule, judged, context);
        if role == RuleRole::Full && rule.effects.iter().any(|effect| matches!(effect, Effect::Run(_))) {
            let place = judged.decisive_place(rule, context).map(LookupPlace::before_all);
            self.running.push((rule, judged.matched.clone(), place));
        }
        self.rewriter.add(rule, judged);
    }

    /// Adds the votes of a rule on the rewritten call (law 8), without votes and warnings that are already there. An
    /// allow is only recorded in `allowed_again`.
    pub(super) fn add_rejudged(&mut self, rule: &Rule, role: RuleRole, judged: &RuleJudgement, context: &Context<'_>) {
        let (votes, warnings) = self.votes_and_warnings(rule, role, judged, context);
        for vote in votes {
            match vote.decision {
                Decision::Allow => self.allowed_again = true,
                _ if self.verdict.votes.contains(&vote) => {}
                _ => self.verdict.votes.push(vote),
            }
        }
        for warning in warnings {
            if !self.verdict.warnings.contains(&warning) {
                self.verdict.warnings.push(warning);
            }
        }
    }

    /// Applies the rewrites of the input, and returns the payload with the new input. `None` if nothing changed, or
    /// the call is already denied (law 7). A rule whose rewrite is impossible votes as if it were unknown.
    pub(super) fn rewrite(&mut self, context: &Context<'_>) -> Option<Payload> {
        if self.verdict.decision() >= Decision::Deny {
            return None;
        }
        let rewritten = self.rewriter.apply(context);
        if let Some(rule) = self.rewriter.too_much.clone() {
            let message = format!("`{rule}` cannot rewrite this call: the text is too long for a regex replacement");
            self.verdict.votes.push(Vote::from_rule(&rule, Decision::Ask, message));
        }
        let rewritten_context = rewritten.as_ref().map(|payload| context.with_payload(payload));
        let views = Views::new(rewritten_context.as_ref().unwrap_or(context));
        for (rule, judged) in std::mem::take(&mut self.rewriter.unknown) {
            // Its vote to allow was for its own rewritten call, which does not exist.
            self.verdict
                .votes
                .retain(|vote| vote.decision != Decision::Allow || !vote.author.is_rule(&rule.display_name));
            let (votes, warnings) = self.votes_and_warnings(rule, RuleRole::Full, &judged, views.for_layer(rule.layer));
            self.verdict.votes.extend(votes);
            self.verdict.warnings.extend(warnings);
            self.not_rewritten.push(judged);
        }
        // The rule that last changed the input may allow its own result.
        let last = self.rewriter.last_to_change.as_deref();
        let allows = |vote: &Vote| vote.decision == Decision::Allow && last.is_some() && vote.author.rule() == last;
        self.allowed_again = self.verdict.votes.iter().any(allows);
        rewritten
    }

    /// Rewrites the output of the call, and returns the payload with the new output; `None` if nothing changed. The
    /// output is rewritten even if the event is denied, because it remains in the session.
    pub(super) fn redact(&mut self, context: &Context<'_>) -> Option<Payload> {
        let output = self.redactor.apply(context)?;
        let mut payload = context.payload().clone();
        payload.json.insert(OUTPUT.to_owned(), output.clone());
        self.verdict.updated_output = Some(output);
        Some(payload)
    }

    /// Puts the rewritten input into the verdict, unless the rewritten call is denied. Drops the votes to allow,
    /// unless one holds for the rewritten call.
    pub(super) fn keep_input(&mut self, rewritten: Payload) {
        if !self.allowed_again {
            self.verdict.votes.retain(|vote| vote.decision != Decision::Allow);
        }
        if self.verdict.decision() < Decision::Deny {
            self.verdict.updated_input = rewritten.json.get("tool_input").cloned();
        }
    }

    /// Plans the commands to run, with the values of the rewritten call (`after`). If the call is denied, only the
    /// commands of rules that deny run. On SubagentStart and SubagentStop, which cannot be prevented, all run.
    pub(super) fn finish(&mut self, after: &Context<'_>, before: &Context<'_>) {
        let is_denied = self.verdict.decision() >= Decision::Deny;
        let after = Views::new(after);
        let all_run = before.payload().event.is_about_subagent();
        let mut planned: Vec<(Span, usize)> = Vec::new();
        for (rule, matched, place) in &self.running {
            let denies = votes(rule, self.verdict.event).any(|(decision, ..)| decision >= Decision::Deny);
            if is_denied && !denies && !all_run {
                continue;
            }
            let view = after.for_layer(rule.layer);
            let view_in_place = place.as_ref().map(|place| view.at_place(place));
            let view = view_in_place.as_ref().unwrap_or(view);
            for effect in rule.effects.iter() {
                let Effect::Run(spec) = effect else { continue };
                let run = run(rule, spec, denies, view, matched.as_ref());
                let mut of_same_source = planned.iter().filter(|(span, _)| *span == rule.span);
                if !of_same_source.any(|(_, at)| {
                    self.verdict.runs.get(*at).is_some_and(|known| known.rule != run.rule && known.is_same_as(&run))
                }) {
                    planned.push((rule.span, self.verdict.runs.len()));
                    self.verdict.runs.push(run);
                }
            }
        }
    }

    /// Returns the votes that follow from a judgement. A vote for an unknown condition that the event does not accept
    /// becomes a warning.
    fn votes_and_warnings(
        &self,
        rule: &Rule,
        role: RuleRole,
        judged: &RuleJudgement,
        context: &Context<'_>,
    ) -> (Vec<Vote>, Vec<Note>) {
        let event = self.verdict.event;
        match &judged.outcome {
            RuleOutcome::NoMatch => (Vec::new(), Vec::new()),
            RuleOutcome::Match if role == RuleRole::Full => (matched_votes(rule, event, judged, context), Vec::new()),
            RuleOutcome::Match => (votes_of_pre_tool_use(rule, judged, context), Vec::new()),
            RuleOutcome::Unknown(reason) => unknown_votes(rule, role, event, reason, context),
        }
    }

    /// Adds the effects of a rule that need no further processing: all but votes, rewrites and commands.
    fn add_effects(&mut self, rule: &Rule, judged: &RuleJudgement, context: &Context<'_>) {
        let matched = judged.matched.as_ref();
        let note =
            |template: &Template| Note::from_rule(&rule.display_name, render_message(template, context, matched));
        let event = self.verdict.event;
        let is_repeated = self.with_effects.contains(&rule.span);
        self.with_effects.push(rule.span);
        let is_new = |note: &Note, known: &[Note]| !is_repeated || known.iter().all(|known| known.text != note.text);
        for effect in rule.effects.iter() {
            match effect {
                Effect::Context(template) => {
                    let note = unless_blank(note(template)).filter(|note| is_new(note, &self.verdict.contexts));
                    self.verdict.contexts.extend(note);
                }
                Effect::Warn(template) => {
                    let note = unless_blank(note(template)).filter(|note| is_new(note, &self.verdict.warnings));
                    self.verdict.warnings.extend(note);
                }
                Effect::Exit { code, message } if *code != 2 || !event.spec().answers.deny => {
                    let Note { text, .. } = note(message);
                    self.verdict.exits.push(PlainExit {
                        rule: rule.display_name.clone(),
                        code: *code,
                        message: text.into_string(),
                    });
                }
                Effect::Notify { title, body } => self.verdict.notifications.push(Notification {
                    author: Author::Rule(rule.display_name.clone()),
                    title: render_whole(title, context, matched, NOTIFICATION_TITLE),
                    body: render_whole(body, context, matched, NOTIFICATION_BODY),
                }),
                Effect::Record(spec) => {
                    let record = record(rule, spec, context, matched);
                    let is_same = |known: &Record| known.is_same_as(&record);
                    if !is_repeated || !self.verdict.records.iter().any(is_same) {
                        self.verdict.records.push(record);
                    }
                }
                // A mark is also remembered if the event only may have happened, so `planned_mark` adds it.
                Effect::Mark(_) => {}
                Effect::Vote { .. } | Effect::Exit { .. } | Effect::Rewrite(_) | Effect::Run(_) => {}
            }
        }
    }
}

/// Returns a note; `None` if its text is blank, as one that consists of placeholders may be.
fn unless_blank(note: Note) -> Option<Note> {
    Some(note).filter(|note| !note.text.trim().is_empty())
}

/// Returns the votes of a rule that matches, without an allow that is withheld.
fn matched_votes(rule: &Rule, event: Event, judged: &RuleJudgement, context: &Context<'_>) -> Vec<Vote> {
    let is_withheld = is_allow_withheld(rule, context);
    let cast = votes(rule, event).filter(|(decision, ..)| *decision != Decision::Allow || !is_withheld);
    let vote = |(decision, template, interrupt)| {
        let message = render_message(template, context, judged.matched.as_ref());
        Vote { interrupt, ..Vote::from_rule(&rule.display_name, decision, message) }
    };
    cast.map(vote).collect()
}

/// Returns the votes of a PreToolUse rule on a later event about the same call. The rule's commands do not run, so a
/// rule that could only vote through them asks.
fn votes_of_pre_tool_use(rule: &Rule, judged: &RuleJudgement, context: &Context<'_>) -> Vec<Vote> {
    let mut later_votes = matched_votes(rule, Event::PreToolUse, judged, context);
    later_votes.retain(|vote| vote.decision > Decision::Allow);
    if later_votes.is_empty() && rule.has_command_votes() {
        let message = format!("`{}` checks this call with a command.", rule.display_name);
        later_votes.push(Vote::from_rule(&rule.display_name, Decision::Ask, message));
    }
    later_votes
}

/// Returns the votes of a rule whose condition is unknown, or the warnings that replace votes that the event does not
/// accept.
fn unknown_votes(
    rule: &Rule,
    role: RuleRole,
    event: Event,
    reason: &Reason,
    context: &Context<'_>,
) -> (Vec<Vote>, Vec<Note>) {
    let answers = event.spec().answers;
    // The condition may be unknown only because a permission request lacks a member of PreToolUse. There, the rule
    // may have asked, so it asks again.
    let may_have_asked =
        rule.unknown == UnknownClause::Ignore && role == RuleRole::VotesOfPreToolUse && reason.is_lacking();
    let decision = match rule.vote_on_unknown() {
        Decision::Pass if may_have_asked => Decision::Ask,
        Decision::Pass => return (Vec::new(), Vec::new()),
        decision => decision,
    };
    let vote = Vote::from_rule(&rule.display_name, decision, doubt_message(rule, reason, context));
    let is_not_accepted = match decision {
        Decision::Deny => !answers.deny,
        _ => !answers.ask,
    };
    if is_not_accepted {
        let text = vote.displayed_message().into_owned();
        return (Vec::new(), vec![Note { author: vote.author, text: text.into() }]);
    }
    (vec![vote], Vec::new())
}

/// Returns the message of a vote for an unknown condition: what could not be judged and why, and what the rule guards
/// against. There is no match, so `{match}` becomes `…`. The rule's own message is omitted if another of its values
/// is missing.
fn doubt_message(rule: &Rule, reason: &Reason, context: &Context<'_>) -> Message {
    let subject = context.subject().map_or_else(|| "This event".to_owned(), quote);
    let sentence = line(&reason.sentence(), REASON_LIMIT);
    let unknown = Matched { text: "…".to_owned(), place: None };
    let matched = Some(&unknown);
    let lacks_value = |part: &TemplatePart| matches!(part, TemplatePart::Value(source) | TemplatePart::Component(source) if !has_value(source, context, matched));
    let own_text = own_message(rule).filter(|template| !template.parts.iter().any(lacks_value));
    let own_text = own_text.map(|template| match message_after_match(template) {
        Some(rest) if has_predicate(&rest) => format!("It{}", render_message(&rest, context, matched)),
        _ => render_message(template, context, matched),
    });
    let own_text = own_text.unwrap_or_default();
    let why = format!("{subject} cannot be judged: {sentence}");
    match reason.is_of_past() {
        true => Message::doubt_about_past(&why, &own_text, suspicion(rule, context)),
        false => Message::doubt(&why, &own_text, suspicion(rule, context)),
    }
}

/// Words that do not begin a predicate, as in `{match} on {git.branch}`.
const NO_PREDICATE: &[&str] = &[
    "about", "after", "and", "as", "at", "before", "below", "by", "for", "from", "in", "into", "of", "on", "or",
    "outside", "over", "since", "than", "through", "to", "under", "until", "via", "while", "with", "without",
];

/// Whether the rest of a sentence begins with a word that may be the predicate of a subject in front of it.
fn has_predicate(rest: &Template) -> bool {
    let Some(TemplatePart::Text(text)) = rest.parts.first() else { return false };
    let word = text.split_whitespace().next().unwrap_or_default();
    let begins_word = text.starts_with(' ') && word.starts_with(|c: char| c.is_ascii_lowercase());
    begins_word && !NO_PREDICATE.contains(&word)
}

/// Returns the rest of a message that begins with `{match}`, perhaps in backticks, so that another subject can
/// precede it: ` is protected.` for `` `{match}` is protected. `` `None` for other messages.
fn message_after_match(template: &Template) -> Option<Template> {
    let is_match =
        |part: &TemplatePart| matches!(part, TemplatePart::Value(ValueReference::Derived(DerivedField::Match)));
    let parts = match template.parts.as_slice() {
        [first, rest @ ..] if is_match(first) => rest.to_vec(),
        [TemplatePart::Text(quote), second, TemplatePart::Text(after), rest @ ..]
            if quote == "`" && is_match(second) =>
        {
            let after_quote = TemplatePart::Text(after.strip_prefix('`')?.to_owned());
            std::iter::once(after_quote).chain(rest.iter().cloned()).collect()
        }
        _ => return None,
    };
    Some(Template { parts })
}

/// Returns the message of the rule's first vote or command that has one; `None` if there is none.
fn own_message(rule: &Rule) -> Option<&Template> {
    rule.effects.iter().find_map(|effect| match effect {
        Effect::Vote { message, .. } | Effect::Exit { message, .. } => Some(message),
        Effect::Run(run) => run.message.as_ref(),
        _ => None,
    })
}

/// Plans a `run`: replaces the placeholders of its command by the values of the event.
fn run(rule: &Rule, spec: &RunSpec, denies: bool, context: &Context<'_>, matched: Option<&Matched>) -> Run {
    let command = match &spec.command {
        RunCommand::Shell(template, sources) => {
            let values: Vec<Vec<String>> = sources.iter().map(|source| values(source, context, matched)).collect();
            let (script, parameters) = crate::shell_text::render(template, &values);
            Command::Shell { script, parameters }
        }
        RunCommand::Argv(words) => {
            let word = |word: &ArgvWord| match word {
                ArgvWord::Text(template) => vec![render_exact(template, context, matched)],
                ArgvWord::Values(source) => values(source, context, matched),
            };
            Command::Argv(words.iter().flat_map(word).collect())
        }
    };
    let text = |template: &Template| render_exact(template, context, matched);
    Run {
        rule: rule.display_name.clone(),
        command,
        source_text: spec.shown.clone(),
        // If the event has no default, only the host's own timeout applies.
        timeout: spec.timeout.or(context.payload().event.spec().run_timeout).unwrap_or(Duration::MAX),
        message: spec.message.as_ref().map(|template| render_message(template, context, matched)),
        cwd: spec.cwd.as_ref().map(|cwd| directory_of_files(cwd, context).unwrap_or_else(|| text(cwd))),
        env: spec.env.iter().map(|(name, template)| (name.clone(), text(template))).collect(),
        options: spec.options,
        denies,
    }
}

/// Returns the innermost directory that contains all files of the call, if a `cwd` consists of their paths
/// (`"{path}"`). `None` for any other `cwd`.
fn directory_of_files(cwd: &Template, context: &Context<'_>) -> Option<String> {
    let [TemplatePart::Value(source)] = cwd.parts.as_slice() else { return None };
    let names_files = match source {
        ValueReference::Derived(derived) => *derived == DerivedField::Path,
        ValueReference::Raw { path, .. } => source.is_path() && path.first().is_some_and(|name| name == "tool_input"),
        _ => false,
    };
    let paths = if names_files { context.lookup(source, PathForm::Lexical).ok()? } else { return None };
    let directories = paths.iter().filter_map(Scalar::as_text).map(|text| {
        let path = Path::new(text);
        let parent = path.parent().filter(|_| !context.machine().is_directory(path));
        parent.unwrap_or(path).to_owned()
    });
    let shared = |one: PathBuf, other: PathBuf| {
        one.ancestors().find(|ancestor| other.starts_with(ancestor)).map_or(PathBuf::new(), Path::to_path_buf)
    };
    directories.reduce(shared).map(|directory| directory.to_string_lossy().into_owned())
}

/// Plans a `record`: replaces the placeholders of its file and fields by the values of the event.
fn record(rule: &Rule, spec: &RecordSpec, context: &Context<'_>, matched: Option<&Matched>) -> Record {
    let mut file = String::new();
    for part in &spec.file.parts {
        match part {
            TemplatePart::Text(text) => file.push_str(text),
            TemplatePart::Value(source) | TemplatePart::Component(source) => {
                file.push_str(&path_component(&values(source, context, matched).join("-")))
            }
        }
    }
    let (mut fields, mut times) = (Map::new(), Vec::new());
    for (key, value) in &spec.fields {
        let json = match value {
            RecordValue::Source(ValueReference::Derived(DerivedField::Now)) => {
                times.push(key.clone());
                Json::Null
            }
            RecordValue::Source(source) => json_of(source, context, matched),
            RecordValue::Text(template) => render_exact(template, context, matched).into(),
            RecordValue::Literal(literal) => json_literal(literal),
            RecordValue::Null => Json::Null,
        };
        fields.insert(key.clone(), json);
    }
    Record { rule: rule.display_name.clone(), file, fields, times }
}

/// Converts a literal to JSON; a whole number becomes an integer.
pub(super) fn json_literal(literal: &Literal) -> Json {
    match literal {
        Literal::Text(text) => text.clone().into(),
        Literal::Boolean(truth) => (*truth).into(),
        // In this range, every whole number is represented exactly as `f64`.
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
        Literal::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => (*number as i64).into(),
        Literal::Number(number) => (*number).into(),
    }
}

/// Converts the values of a reference to JSON. A member of the payload is unchanged, several values become a list,
/// and no value becomes `null`.
pub(super) fn json_of(source: &ValueReference, context: &Context<'_>, matched: Option<&Matched>) -> Json {
    if let ValueReference::Raw { path, .. } = source
        && let Some((first, rest)) = path.split_first()
    {
        let member = rest.iter().try_fold(context.payload().json.get(first), |json, name| {
            Some(json.and_then(|json| json.get(name))).filter(Option::is_some)
        });
        if let Some(Some(json)) = member {
            return json.clone();
        }
    }
    if let Some(value) = value_of_match(source, matched) {
        return value.map_or(Json::Null, Json::from);
    }
    let values = context.lookup(source, PathForm::Lexical).unwrap_or_default();
    let one = |value: &Scalar<'_>| match value {
        Scalar::Text(text) => Json::from(text.as_ref()),
        Scalar::Number(number) => json_literal(&Literal::Number(*number)),
        Scalar::Boolean(truth) => (*truth).into(),
        Scalar::Object(json) => (*json).clone(),
        Scalar::Time(_) | Scalar::PartlyKnown(_) | Scalar::AtLeast(..) => value.show().into(),
    };
    match values.as_slice() {
        [] => Json::Null,
        [only] => one(only),
        several => several.iter().map(one).collect(),
    }
}
