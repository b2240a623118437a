//! Compiles a whole rule: its clauses, its annotations, and the combination of its effects.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::layer::Layer;
use crate::limits::RULE_PARTS;
use crate::ruleset::{
    CommandCoverage, Condition, Effect, Head, KeySource, Rule, RuleLabels, RuleMode, RuleTraits, UnknownClause,
};
use crate::schema::Event;
use crate::span::Span;
use crate::syntax::annotation_meant;
use crate::syntax::ast::{self, AnnotationArg, ClauseKind, EffectKind, ExampleKind, RuleItemKind};
use crate::verdict::Decision;

use super::account::ChargeReason;
use super::captures::CaptureEnd;
use super::condition::{ConditionCompiler, ExceptedRule, ExceptionStrictness, RuleConditions, let_of_files};
use super::marks::{COUNTS, compile_mark_effect};
use super::names::LayerNames;
use super::template::TextScope;
use super::tested_names::fill_as_tested;
use super::{effect, head};

/// The clauses of a rule, by kind. Of a repeated clause, the last one counts.
#[derive(Default)]
struct ClauseGroups<'a> {
    on: Option<&'a [ast::EventHead]>,
    /// The selectors of `by`, with the span of the clause.
    by: Option<(&'a [ast::Selector], Span)>,
    when: Option<&'a ast::AstCondition>,
    unless: Option<&'a ast::AstCondition>,
    unknown: Option<&'a ast::Name>,
    /// The conditions of repeated clauses, which are checked but not used.
    repeated_conditions: Vec<&'a ast::AstCondition>,
    /// The key of a mark, with the span of the clause.
    key: Option<(&'a ast::Operand, Span)>,
    effects: Vec<&'a ast::AstEffect>,
    examples: Vec<(ExampleKind, Arc<[ast::Example]>)>,
}

/// The compiled conditions of a rule, and properties of their tests, which [`Rule`] explains.
struct RuleTests {
    when: Option<Condition>,
    unless: Option<Condition>,
    names_mode: bool,
    looks_at_paths: bool,
    looks_at_surroundings: bool,
    looks_at_git: bool,
    looks_at_relative_files: bool,
    depends_on_surroundings: bool,
}

/// Compiles the conditions of a rule; `None` for a condition with a mistake.
fn compile_conditions<'a>(
    names: &LayerNames<'a>,
    (file, rule): (usize, &'a ast::Name),
    head: &Head,
    clauses: &ClauseGroups<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> RuleTests {
    names.captures.begin(clauses.when.into_iter().chain(clauses.unless));
    let mut conditions = ConditionCompiler::new(names, head, diagnostics);
    let when = clauses.when.and_then(|condition| conditions.condition(file, condition));
    let captures_of_when = names.captures.count();
    let unless = clauses.unless.and_then(|condition| conditions.condition(file, condition));
    names.captures.end_after(captures_of_when, CaptureEnd::Negation);
    let mut rule_conditions = RuleConditions { when, unless };
    let strictness = match clauses.effects.iter().any(|effect| matches!(effect.kind, EffectKind::Allow(_))) {
        true => ExceptionStrictness::MayHold,
        false => ExceptionStrictness::MustBeCertain,
    };
    for exception in names.narrowings(file, &rule.text) {
        let files = clauses.when.and_then(|when| let_of_files(names, file, when));
        let excepted = ExceptedRule { name: rule, files };
        conditions.add_exception(*exception, excepted, strictness, &mut rule_conditions);
    }
    let RuleConditions { when, unless } = rule_conditions;
    for condition in &clauses.repeated_conditions {
        let _reported = conditions.condition(file, condition);
    }
    RuleTests {
        when,
        unless,
        names_mode: conditions.tests_permission_mode,
        looks_at_paths: conditions.tests_paths,
        looks_at_surroundings: conditions.tests_commands && conditions.tests_surroundings,
        looks_at_git: conditions.looks_at_git,
        looks_at_relative_files: conditions.looks_at_relative_files,
        depends_on_surroundings: conditions.depends_on_surroundings,
    }
}

/// Compiles the effects of a rule, or the effect of a mark, each with the span of its keyword.
fn compile_effects<'a>(
    texts: &TextScope<'_, 'a>,
    rule: &'a ast::AstRule,
    clauses: &ClauseGroups<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Effect>, Vec<Span>) {
    match rule.kind {
        RuleItemKind::Rule => clauses
            .effects
            .iter()
            .filter_map(|it| Some((effect::compile_effect(texts, it, diagnostics)?, it.verb)))
            .unzip(),
        RuleItemKind::Mark => {
            let key = clauses.key.map(|(key, _)| key);
            let parts = (key, clauses.unknown);
            let effect = compile_mark_effect(texts.names, (texts.file, texts.head), parts, diagnostics);
            (vec![effect], vec![rule.name.span])
        }
    }
}

/// Compiles a rule. If a mistake is reported, the layer does not load, so the incomplete rule that is returned is
/// never used.
pub(super) fn compile_rule<'a>(
    names: &LayerNames<'a>,
    file: usize,
    layer: &Layer,
    item: &'a ast::Item,
    rule: &'a ast::AstRule,
    diagnostics: &mut Vec<Diagnostic>,
) -> Rule {
    let parts_before = names.account.parts();
    names.account.set_item(&rule.name.text);
    let _is_left = names.account.charge(RULE_PARTS, ChargeReason::Rule, rule.name.span);
    let clauses = group_clauses(rule, diagnostics);
    let head = head::compile_head(clauses.on.unwrap_or_default(), clauses.by, &names.account, diagnostics);
    check_complete(rule, &clauses, diagnostics);
    let tests = compile_conditions(names, (file, &rule.name), &head, &clauses, diagnostics);
    // The rule is in the index of each of its events, and its condition is traversed for each index.
    let further_events = u64::try_from(head.events.len().saturating_sub(1)).unwrap_or(u64::MAX);
    let parts = names.account.parts().saturating_sub(parts_before).saturating_add(1);
    let _is_left = names.account.charge(further_events.saturating_mul(parts), ChargeReason::Events, rule.name.span);
    let texts = TextScope { names, file, head: &head };
    let (mut effects, effect_spans) = compile_effects(&texts, rule, &clauses, diagnostics);
    fill_as_tested([tests.when.as_ref(), tests.unless.as_ref()], &names.base(file).prefix(), &mut effects);
    check_combination(rule, &clauses, &effects, &head, diagnostics);
    check_match_keys(rule, &effects, &tests, diagnostics);
    let unknown = compile_unknown(clauses.unknown, &head, diagnostics);
    check_file_effects(item, &effects, diagnostics);
    let pack = layer.files.get(file).and_then(|file| file.pack.as_deref());
    let name = pack.map_or_else(|| rule.name.text.clone(), |pack| format!("{pack}/{}", rule.name.text));
    Rule {
        display_name: format!("{}{name}", layer.kind.prefix()),
        name,
        layer: layer.kind,
        also_of: Vec::new(),
        base: layer.directory_of(file).map(|directory| directory.base.clone()).unwrap_or_default(),
        docs: item.docs.clone().into(),
        traits: rule_traits(item),
        head,
        when: tests.when,
        unless: tests.unless,
        unknown,
        can_allow: effects.iter().any(|effect| effect.decision() == Some(Decision::Allow)),
        can_deny: effects.iter().any(|effect| effect.decision() >= Some(Decision::Deny)),
        can_block: effects.iter().any(can_block),
        effects: effects.into(),
        effect_spans: effect_spans.into(),
        names_mode: tests.names_mode,
        looks_at_paths: tests.looks_at_paths,
        looks_at_surroundings: tests.looks_at_surroundings,
        depends_on_surroundings: tests.depends_on_surroundings,
        looks_at_git: tests.looks_at_git,
        looks_at_relative_files: tests.looks_at_relative_files,
        examples: clauses.examples,
        name_span: rule.name.span,
        span: item.span,
    }
}

/// Whether an effect can block the call (law 4). A `run` can do so only if its options explicitly make it a gate.
fn can_block(effect: &Effect) -> bool {
    match effect {
        Effect::Run(run) => run.is_gate(),
        effect => effect.decision() > Some(Decision::Allow),
    }
}

/// Groups the clauses of a rule by kind, and reports repeated ones.
fn group_clauses<'a>(rule: &'a ast::AstRule, diagnostics: &mut Vec<Diagnostic>) -> ClauseGroups<'a> {
    let mut clauses = ClauseGroups::default();
    let mut spans: std::collections::BTreeMap<&str, Span> = std::collections::BTreeMap::new();
    for clause in &rule.clauses {
        let word = match &clause.kind {
            ClauseKind::On(_) => "on",
            ClauseKind::By(_) => "by",
            ClauseKind::When(_) => "when",
            ClauseKind::Unless(_) => "unless",
            ClauseKind::Unknown(_) => "unknown",
            ClauseKind::Key(_) => "key",
            ClauseKind::Effect(_) | ClauseKind::Examples(..) => "",
        };
        if !word.is_empty()
            && let Some(earlier) = spans.insert(word, clause.span)
        {
            diagnostics.push(duplicate_clause(word, clause.span, earlier));
        }
        match &clause.kind {
            ClauseKind::On(events) => clauses.on = Some(events),
            ClauseKind::By(selectors) => {
                if let Some((earlier, _)) = clauses.by.replace((selectors, clause.span)) {
                    // The mistakes in the earlier clause are reported all the same.
                    let _reported = head::compile_agents(earlier, diagnostics);
                }
            }
            ClauseKind::When(condition) => clauses.repeated_conditions.extend(clauses.when.replace(condition)),
            ClauseKind::Unless(condition) => clauses.repeated_conditions.extend(clauses.unless.replace(condition)),
            ClauseKind::Unknown(word) => clauses.unknown = Some(word),
            ClauseKind::Key(key) => clauses.key = Some((key, clause.span)),
            ClauseKind::Effect(effect) => clauses.effects.push(effect),
            ClauseKind::Examples(kind, examples) => {
                clauses.examples.push((*kind, Arc::clone(examples)));
            }
        }
    }
    clauses
}

/// Returns the finding about a repeated clause.
fn duplicate_clause(word: &str, span: Span, earlier: Span) -> Diagnostic {
    let help = match word {
        "on" => "join the events with a comma: `on A, B`",
        "by" => "join the agents with a bar: `by a|b`",
        "when" => "join the conditions with `and` or `or`",
        "unless" => "join the exceptions with `or`",
        _ => "keep one of them",
    };
    Diagnostic::new(Code::DUPLICATE_CLAUSE, format!("a second `{word}`"))
        .label(span, "the second")
        .label(earlier, "the first")
        .help(help)
}

/// Reports a rule without `on` or without an effect, unless a clause could not be parsed.
fn check_complete(rule: &ast::AstRule, clauses: &ClauseGroups<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if rule.has_unparsed_clause {
        return;
    }
    check_kind(rule, clauses, diagnostics);
    if clauses.on.is_none() {
        diagnostics.push(
            Diagnostic::new(Code::INCOMPLETE_RULE, format!("`{}` has no `on` clause", rule.name.text))
                .label(rule.name.span, "no event")
                .help("write `on PreToolUse`, or another event"),
        );
    }
    if clauses.effects.is_empty() && rule.kind == RuleItemKind::Rule {
        diagnostics.push(
            Diagnostic::new(Code::INCOMPLETE_RULE, format!("`{}` has no effect", rule.name.text))
                .label(rule.name.span, "no effect")
                .help("write an effect: `deny \"…\"`, `ask \"…\"`, `allow`, `context \"…\"`, `run \"…\"`, …"),
        );
    }
}

/// Reports clauses that belong to the other kind of item: the effects of a mark, and the key of a rule.
fn check_kind(rule: &ast::AstRule, clauses: &ClauseGroups<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let name = &rule.name.text;
    match (rule.kind, clauses.effects.first(), clauses.unknown, clauses.key) {
        (RuleItemKind::Mark, Some(effect), ..) => diagnostics.push(
            Diagnostic::new(Code::CONTRADICTORY, format!("the mark `{name}` has an effect"))
                .label(effect.verb, "a mark only remembers")
                .help(format!("write a rule that asks about it: `when happened {name}`")),
        ),
        (RuleItemKind::Mark, None, Some(word), _) if word.text != COUNTS => diagnostics.push(
            Diagnostic::new(Code::CONTRADICTORY, format!("the mark `{name}` says `unknown {}`", word.text))
                .label(word.span, "a mark does not vote")
                .help("move it to the rule that asks about the mark; a mark can only say `unknown counts`"),
        ),
        (RuleItemKind::Rule, _, Some(word), None) if word.text == COUNTS => diagnostics.push(
            Diagnostic::new(Code::CONTRADICTORY, format!("the rule `{name}` says `unknown counts`"))
                .label(word.span, "only a mark counts events")
                .help("move it to the mark, or write `unknown deny`, `unknown ask` or `unknown ignore`"),
        ),
        (RuleItemKind::Rule, _, _, Some((_, span))) => diagnostics.push(
            Diagnostic::new(Code::CONTRADICTORY, format!("the rule `{name}` has a key"))
                .label(span, "only a mark has a key")
                .help("delete it, or write a mark: `mark NAME { on …; key … }`"),
        ),
        _ => {}
    }
}

/// Reports the key `match` in a rule or mark without a test of files, where no file can match.
fn check_match_keys(rule: &ast::AstRule, effects: &[Effect], tests: &RuleTests, diagnostics: &mut Vec<Diagnostic>) {
    if tests.looks_at_paths || rule.has_unparsed_clause {
        return;
    }
    let is_match = |key: Option<&KeySource>| matches!(key, Some(KeySource::Match));
    let mut uses_match =
        effects.iter().any(|effect| matches!(effect, Effect::Mark(mark) if is_match(mark.key.as_ref())));
    for condition in [&tests.when, &tests.unless].into_iter().flatten() {
        condition.visit_tests(&mut |test, _| uses_match |= test.past().is_some_and(|past| is_match(past.of.as_ref())));
    }
    if uses_match {
        diagnostics.push(
            Diagnostic::new(Code::BAD_VALUE, "`match` without a test of files")
                .label(rule.name.span, "nothing matches here")
                .help("add a test such as `writes like \"src/**\"`, or take another key: `path`, `call`"),
        );
    }
}

/// Reports effects that contradict each other: several different votes, or a rewrite of a call that is denied. Also
/// reports a rule on `WorktreeCreate` without a `run`.
fn check_combination(
    rule: &ast::AstRule,
    clauses: &ClauseGroups<'_>,
    effects: &[Effect],
    head: &Head,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let vote = |effect: &Effect| match effect {
        Effect::Vote { decision, .. } => Some(*decision),
        Effect::Exit { code: 2, .. } => Some(Decision::Deny),
        _ => None,
    };
    let votes: BTreeSet<Decision> = effects.iter().filter_map(vote).collect();
    // If a clause could not be parsed, it may show which of the votes is meant.
    if votes.len() > 1 && !rule.has_unparsed_clause {
        let words: Vec<String> = votes.iter().map(|decision| format!("`{}`", decision.keyword())).collect();
        diagnostics.push(
            Diagnostic::new(Code::CONTRADICTORY, format!("one rule says {}", words.join(" and ")))
                .label(rule.name.span, "the strictest always wins")
                .help("keep one, or split the rule in two"),
        );
    }
    // A rewrite of the output is no contradiction: the output remains in the session even after a denial.
    let rewrites = effects.iter().any(|effect| matches!(effect, Effect::Rewrite(rewrite) if !rewrite.is_of_output()));
    if rewrites && votes.iter().any(|decision| *decision >= Decision::Deny) {
        let mut written = clauses.effects.iter();
        let span = written.find(|effect| is_rewrite(&effect.kind)).map_or(rule.name.span, |effect| effect.verb);
        diagnostics.push(
            Diagnostic::new(Code::CONTRADICTORY, "a rewrite of a call that is denied")
                .label(span, "no call with this input follows")
                .help("keep either the denial or the rewrite"),
        );
    }
    let names_worktree = head.events.iter().any(|selector| selector.event == Event::WorktreeCreate);
    if names_worktree && !clauses.effects.iter().any(|effect| is_run(&effect.kind)) {
        diagnostics.push(
            Diagnostic::new(Code::INCOMPLETE_RULE, "a rule on `WorktreeCreate` without a `run`")
                .label(rule.name.span, "the host gets the path of the worktree from this hook")
                .help("add a `run` that makes the worktree and prints its path"),
        );
    }
}

/// Whether an effect is a rewrite.
fn is_rewrite(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::RewriteSet(..) | EffectKind::RewriteReplace(..) | EffectKind::RewriteRuns(..))
}

fn is_run(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::RunShell(_) | EffectKind::RunArgv(..))
}

/// Reports `@in_files` on a rule that allows or rewrites. A command in a file can be a reason against a call, but not
/// for it, and a rewrite would change the call's own command instead.
fn check_file_effects(item: &ast::Item, effects: &[Effect], diagnostics: &mut Vec<Diagnostic>) {
    let Some(annotation) = item.annotations.iter().find(|annotation| annotation.name.text == "in_files") else {
        return;
    };
    if !effects.is_empty() && !Rule::can_apply_to_files(effects) {
        diagnostics.push(
            Diagnostic::new(Code::CONTRADICTORY, "`@in_files` on a rule that allows or rewrites")
                .label(annotation.span, "what stands in a file is no reason for that")
                .help("delete it, or write a rule of its own with `deny` or `ask`"),
        );
    }
}

/// Compiles the clause `unknown …`, and reports a vote that one of the events does not accept.
fn compile_unknown(word: Option<&ast::Name>, head: &Head, diagnostics: &mut Vec<Diagnostic>) -> UnknownClause {
    let Some(word) = word else { return UnknownClause::Default };
    let (unknown, is_supported): (UnknownClause, fn(Event) -> bool) = match word.text.as_str() {
        "deny" => (UnknownClause::Deny, |event| event.spec().answers.deny),
        "ask" => (UnknownClause::Ask, |event| event.spec().answers.ask),
        "ignore" => return UnknownClause::Ignore,
        // The clause of a mark, which does not vote.
        COUNTS => return UnknownClause::Default,
        other => {
            diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, format!("`unknown {other}` is not a vote"))
                    .label(word.span, "not one of its values")
                    .help("write `unknown deny`, `unknown ask` or `unknown ignore`"),
            );
            return UnknownClause::Default;
        }
    };
    for event in head.event_set().into_iter().filter(|event| !is_supported(*event)) {
        diagnostics.push(
            Diagnostic::new(Code::UNKNOWN_CANNOT_ASK, format!("`{}` cannot carry `{}`", event.name(), word.text))
                .label(word.span, "the event cannot carry this vote")
                .help("write `unknown ignore`, or remove the clause: the user is then warned"),
        );
    }
    unknown
}

/// The names of all annotations.
const RULE_ANNOTATIONS: &[&str] = &["severity", "tags", "owner", "url", "off", "observe", "in_files", "allow"];

/// Reports mistakes in the annotations of an item: unknown, repeated and contradictory ones, invalid arguments, and
/// annotations that the kind of item does not have.
pub(super) fn check_annotations(item: &ast::Item, diagnostics: &mut Vec<Diagnostic>) {
    let is_rule = matches!(&item.kind, ast::ItemKind::Rule(rule) if rule.kind == ast::RuleItemKind::Rule);
    let mut seen: Vec<&str> = Vec::new();
    for annotation in &item.annotations {
        let name = annotation.name.text.as_str();
        if !RULE_ANNOTATIONS.contains(&name) {
            diagnostics.push(unknown_annotation(annotation, name));
            continue;
        }
        let is_use = matches!(item.kind, ast::ItemKind::Use(_));
        let is_for_uses = matches!(name, "observe" | "in_files");
        if !(is_rule || name == "allow" || (is_for_uses && is_use)) {
            let (items, what, above) = match name {
                _ if is_for_uses => ("rules and `use`", "neither a rule nor a `use`", "a rule or a `use`"),
                _ => ("rules", "not a rule", "a rule"),
            };
            diagnostics.push(
                Diagnostic::new(Code::UNKNOWN_OPTION, format!("`@{name}` is for {items} only"))
                    .label(annotation.span, format!("this item is {what}"))
                    .help(format!("move it above {above}")),
            );
        }
        if seen.contains(&name) && name != "allow" {
            diagnostics.push(
                Diagnostic::new(Code::DUPLICATE_CLAUSE, format!("a second `@{name}`"))
                    .label(annotation.span, "the second")
                    .help("keep one of them"),
            );
        }
        seen.push(name);
        check_arguments(annotation, name, diagnostics);
    }
    if seen.contains(&"off") && seen.contains(&"observe") {
        diagnostics.push(
            Diagnostic::new(Code::CONTRADICTORY, "`@off` and `@observe` on one rule")
                .label(item.span, "a rule that is off does not observe")
                .help("keep one of them"),
        );
    }
}

/// Returns the finding about an unknown annotation, with a suggestion.
fn unknown_annotation(annotation: &ast::Annotation, name: &str) -> Diagnostic {
    let found = Diagnostic::new(Code::UNKNOWN_OPTION, format!("unknown annotation `@{name}`"))
        .label(annotation.name.span, "not an annotation");
    match annotation_meant(name) {
        Some(instead) => instead.add_to(found, "@", annotation.name.span),
        None => found.suggest_name(annotation.name.span, "annotation", name, RULE_ANNOTATIONS.iter().copied()),
    }
}

/// Reports invalid arguments of an annotation.
fn check_arguments(annotation: &ast::Annotation, name: &str, diagnostics: &mut Vec<Diagnostic>) {
    let args = annotation.args.as_slice();
    let help = match (name, args) {
        ("off" | "observe" | "in_files", []) => return,
        ("off" | "observe" | "in_files", _) => format!("write `@{name}` alone"),
        ("severity", [AnnotationArg::Word(word)])
            if matches!(word.text.as_str(), "low" | "medium" | "high" | "critical") =>
        {
            return;
        }
        ("severity", _) => "write `@severity(low)`, `medium`, `high` or `critical`".to_owned(),
        ("tags", [_, ..]) if args.iter().all(|arg| matches!(arg, AnnotationArg::Word(_))) => return,
        ("tags", _) => "write `@tags(one, another)`".to_owned(),
        ("owner" | "url", [AnnotationArg::Text(_)]) => return,
        ("owner" | "url", _) => format!("write `@{name}(\"…\")`"),
        ("allow", [AnnotationArg::Word(word), AnnotationArg::Text(reason)]) if !reason.value.trim().is_empty() => {
            let codes = crate::diagnostic::CODES.iter().map(|(code, _)| code.name);
            if codes.clone().any(|code| code == word.text) {
                return;
            }
            let by_id = Code::find(&word.text).map(|code| format!("write its name: `@allow({}, \"…\")`", code.name));
            let near = || Code::suggest_codes(&word.text).filter(|_| Code::is_id(&word.text));
            by_id
                .or_else(near)
                .or_else(|| suggest("finding", &word.text, codes))
                .unwrap_or_else(|| "write the name of a finding as `rules check` prints it".to_owned())
        }
        ("allow", [AnnotationArg::Word(word), ..]) => {
            let named = crate::diagnostic::CODES.iter().map(|(code, _)| code.name).find(|name| *name == word.text);
            let finding = Code::find(&word.text).map(|code| code.name).or(named).unwrap_or("finding");
            format!("write `@allow({finding}, \"the reason\")`")
        }
        _ => "write `@allow(finding, \"the reason\")`".to_owned(),
    };
    diagnostics.push(
        Diagnostic::new(Code::BAD_VALUE, format!("invalid argument of `@{name}`"))
            .label(annotation.span, "not expected here")
            .help(help),
    );
}

/// Collects a rule's traits from its annotations, whose validity has already been checked.
fn rule_traits(item: &ast::Item) -> RuleTraits {
    let (mut mode, mut labels, mut coverage) = (RuleMode::default(), RuleLabels::default(), CommandCoverage::default());
    for annotation in &item.annotations {
        let words = annotation.args.iter().filter_map(|arg| match arg {
            AnnotationArg::Word(word) => Some(word.text.clone()),
            AnnotationArg::Text(_) => None,
        });
        let text = annotation.args.iter().find_map(|arg| match arg {
            AnnotationArg::Text(text) => Some(text.value.clone()),
            AnnotationArg::Word(_) => None,
        });
        match annotation.name.text.as_str() {
            "off" => mode = RuleMode::Off,
            "observe" => mode = RuleMode::Observe,
            "in_files" => coverage = CommandCoverage::CallAndFiles,
            "severity" => labels.severity = words.into_iter().next(),
            "tags" => labels.tags.extend(words),
            "owner" => labels.owner = text,
            "url" => labels.url = text,
            _ => {}
        }
    }
    RuleTraits { mode, commands: coverage, labels: labels.into() }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;
    use crate::diagnostic::Diagnostic;
    use crate::layer::Layer;
    use crate::span::Sources;
    use crate::syntax;

    /// Returns the findings about a policy of one file.
    fn findings(text: &str) -> Vec<Diagnostic> {
        let mut sources = Sources::default();
        let id = sources.add("a.rules", None, text);
        compile(&Layer::from_single_file(id, syntax::parse(sources.file_by_id(id).unwrap()))).diagnostics
    }

    /// Returns the messages of the findings.
    fn messages(text: &str) -> Vec<String> {
        findings(text).into_iter().map(|found| found.message).collect()
    }

    #[test]
    fn the_contents_of_a_doubled_clause_are_checked_too() {
        let told = messages(
            "rule a {\n  on PreToolUse\n  when tol_name == 1\n  when exists cmmand\n  by a[\n  by b[\n  unless exists xxx\n  \
             unless exists yyy\n  deny \"no\"\n}\n",
        );
        for part in ["tol_name", "cmmand", "xxx", "yyy", "a second `when`", "a second `by`", "a second `unless`"] {
            assert!(told.iter().any(|message| message.contains(part)), "{part}: {told:?}");
        }
        assert_eq!(told.iter().filter(|message| message.contains("selector")).count(), 2, "{told:?}");
    }

    #[test]
    fn a_rule_that_is_not_closed_lacks_nothing_else() {
        assert_eq!(messages("rule a {\n"), ["the rule is not closed"]);
        assert_eq!(messages("rule a {\n  on PreToolUse\n"), ["the rule is not closed"]);
        assert_eq!(messages("rule a {\n  on PreToolUse\n  deny “no”\n}\n"), ["typographic quotes"]);
        assert_eq!(messages("rule a {\n  on PreToolUse\n  block \"no\"\n}\n"), ["`block` is not a clause"]);
        assert_eq!(messages("rule No_Env {\n  on: PreToolUse\n  deny \"x\"\n}\n").len(), 2);
    }

    #[test]
    fn a_replacement_names_groups_that_the_regex_has() {
        let rule = |with: &str| {
            messages(&format!(
                "rule a {{\n  on PreToolUse(Bash)\n  rewrite command replace /npm (?P<verb>\\w+)/ with \"{with}\"\n}}\n"
            ))
        };
        for good in ["pnpm $1", "pnpm ${1}x", "pnpm $verb", "$0", "cost $$2", "a $ b"] {
            assert_eq!(rule(good), [""; 0], "{good}");
        }
        for (bad, group) in [("pnpm $2", "2"), ("pnpm ${2}x", "2"), ("$1x", "1x"), ("$name", "name")] {
            assert_eq!(rule(bad), [format!("the regex has no group `{group}`")], "{bad}");
        }
    }

    #[test]
    fn tool_alone_is_said_to_be_tool_name() {
        let found = findings("rule a {\n  on PreToolUse\n  when tool == \"Bash\"\n  deny \"no\"\n}\n");
        let help = found.first().and_then(|found| found.help.clone()).unwrap();
        assert!(help.contains("`tool_name`"), "{help}");
    }

    #[test]
    fn a_clause_that_cannot_be_read_is_not_said_to_be_lacking_as_well() {
        assert_eq!(messages("rule a {\n  on PreToolUse\n  dney \"no\"\n}\n"), ["unknown clause `dney`"]);
        assert_eq!(messages("rule a {\n  on PreToolUse\n}\n"), ["`a` has no effect"]);
        assert_eq!(messages("rule a {\n  deny \"no\"\n}\n"), ["`a` has no `on` clause"]);
    }
}
