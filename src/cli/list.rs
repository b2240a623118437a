//! `rules list`: the rules in evaluation order, all or a selection; or the events of the schema, the packs, or the
//! records of tools.

mod hosts;
mod tools;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::load::{current_directory, directory, load_whole};
use super::print::{Printer, Style, count};
use super::{CommandOutcome, below};
use crate::config::LayerKind;
use crate::diagnostic::nearest_name;
use crate::escape::{line, same_length};
use crate::eval::effect_words;
use crate::packs::{PACKS, pack, pack_purpose};
use crate::policy::Policy;
use crate::project::{self, is_directory, is_regular_file};
use crate::ruleset::{CommandCoverage, Head, HeadMatch, Rule, RuleMode, RuleNames};
use crate::schema::{Event, OTHER_TOOLS, Subject, TOOLS};
use crate::syntax::ast::ExceptionNarrowing;
use crate::types::Payload;
use crate::verdict::first_sentence;
use crate::wrap::{columns, wrapped};

/// The maximum width of the column of rule summaries. After a longer summary, the location is not aligned.
const MAX_SUMMARY_WIDTH: usize = 48;

/// The maximum number of characters of an unknown name that are shown.
const MAX_NAME_CHARS: usize = 60;

/// The indentation of the lines below a rule's name.
const INDENT: usize = 4;

/// List the rules in evaluation order
///
/// Lists all rules around the current directory, or those of some files, of a
/// pack, or by name. The options leave out what cannot apply.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct ListArgs {
    /// Files or directories, a pack, e.g. std/git, or the name of a rule
    #[arg(value_name = "WHAT")]
    names: Vec<String>,

    /// Only rules on this event, e.g. PreToolUse
    #[arg(long, value_name = "EVENT", value_parser = parse_event)]
    event: Option<Event>,

    /// Only rules that a call of this tool can select, e.g. Bash
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,

    /// Only rules of this layer: managed, user, project or local
    #[arg(long, value_name = "LAYER", value_parser = layers(), hide_possible_values = true)]
    layer: Option<LayerKind>,

    /// How to print them: for people, or as one JSON object
    #[arg(long, value_enum, default_value_t = Output::Human, value_name = "FORMAT", hide_possible_values = true)]
    format: Output,

    /// Print the names alone
    #[arg(long, short)]
    quiet: bool,

    /// Print each rule with all of its documentation, and as it is written
    #[arg(long, short, conflicts_with = "quiet")]
    verbose: bool,

    /// List the events that a rule can name, and what each can answer
    #[arg(long)]
    events: bool,

    /// List the packs that a policy can `use`
    #[arg(long, conflicts_with = "events")]
    packs: bool,

    /// List the tools of MCP servers of which it is known what they do
    #[arg(long, conflicts_with_all = ["events", "packs"])]
    tools: bool,

    /// List the hosts, and how many rules each carries as they are written
    #[arg(long, conflicts_with_all = ["events", "packs", "tools", "names"])]
    hosts: bool,

    /// Print the source of a pack, e.g. std/git
    #[arg(long, value_name = "NAME", conflicts_with_all = ["events", "packs", "tools", "hosts", "names"])]
    pack: Option<String>,
}

/// The value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Output {
    /// For people
    Human,
    /// One JSON object
    Json,
}

/// Parses the value of `--event`, and suggests the nearest name for an unknown one.
fn parse_event(name: &str) -> Result<Event, String> {
    Event::from_name(name).ok_or_else(|| {
        let near = nearest_name(name, Event::ALL.iter().map(|event| event.name()));
        near.map_or("`rules list --events` lists them".to_owned(), |near| format!("`{near}` exists"))
    })
}

/// Returns the clap parser of a layer's name.
fn layers() -> impl TypedValueParser<Value = LayerKind> {
    PossibleValuesParser::new(LayerKind::ALL.map(LayerKind::name))
        .try_map(|word| LayerKind::ALL.into_iter().find(|kind| kind.name() == word).ok_or("unknown layer"))
}

/// Runs the command.
pub(super) fn run(args: &ListArgs, printer: &mut Printer) -> CommandOutcome {
    if args.events {
        events(args, printer);
    } else if args.packs {
        list_packs(args, printer);
    } else if args.tools {
        tools::list(args, printer);
    } else if args.hosts {
        return hosts::list(args, printer);
    } else if let Some(name) = &args.pack {
        return print_pack(name, printer);
    } else {
        return list_rules(args, printer).unwrap_or_else(|outcome| outcome);
    }
    CommandOutcome::Clean
}

/// Prints the rules that the arguments select. If the only argument is a pack that the policy does not use, prints the
/// rules of the pack as shipped.
fn list_rules(args: &ListArgs, printer: &mut Printer) -> Result<CommandOutcome, CommandOutcome> {
    let (paths, names): (Vec<&String>, Vec<&String>) = args.names.iter().partition(|name| is_path(name));
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let mut policy = load(&paths, &names, printer)?;
    if let Some(unknown) = names.iter().find(|name| !is_known(&policy, name)) {
        // A pack that the policy does not use is listed as shipped.
        let pack = shipped_pack(unknown).filter(|_| names.len() == 1 && paths.is_empty());
        policy = pack.ok_or_else(|| report_unknown(&policy, unknown, printer))?;
        if args.format == Output::Human && !args.quiet {
            let note = format!("the policy here does not use `{}`; its rules as shipped:", full_pack_name(unknown));
            let note = printer.wrapped("", "  ", &note);
            printer.out(&format!("{}\n", printer.paint(Style::Dim, note.trim_end())));
        }
    }
    if let Some(near) = args.tool.as_deref().and_then(misspelled_tool) {
        printer.err(&format!("rules: no built-in tool has this name; `{near}` exists\n"));
    }
    let rule_names = policy.rule_names(None);
    let is_named = |rule: &Rule| names.is_empty() || names.iter().any(|name| is_denoted_by(rule, name, &rule_names));
    let rules = policy.rules.rules().iter();
    let wanted: Vec<&Arc<Rule>> = rules.filter(|rule| is_named(rule) && is_listed(rule, args)).collect();
    print_rules(&wanted, &policy, args, printer);
    if args.names.is_empty() && args.format == Output::Human && !args.quiet {
        let below = below::sentence(current_directory().as_deref());
        below.into_iter().for_each(|below| printer.hint(&printer.wrapped("", "  ", &below)));
    }
    Ok(CommandOutcome::Clean)
}

/// Prints rules: only their names, as JSON, or as a table with their documentation.
fn print_rules(wanted: &[&Arc<Rule>], policy: &Policy, args: &ListArgs, printer: &mut Printer) {
    if args.quiet {
        wanted.iter().for_each(|rule| printer.out(&format!("{}\n", rule.display_name)));
        return;
    }
    if args.format == Output::Json {
        let rules: Vec<ListedRule<'_>> = wanted.iter().map(|rule| ListedRule::from_rule(rule, policy)).collect();
        printer.out(&format!("{}\n", json!({ "rules": rules })));
        return;
    }
    let docs = match wanted.len() {
        _ if args.verbose => Docs::Text,
        // A single rule is shown with all of its documentation.
        1 => Docs::All,
        _ => Docs::Sentence,
    };
    let table = RuleTable::from_rules(wanted, policy, printer);
    wanted.iter().for_each(|rule| table.print(rule, policy, docs, printer));
    let rules_and_marks = policy.rules.rules().iter().filter(|rule| !rule.is_generated()).count();
    let rules = policy.rules.count_without_marks();
    let total = match rules_and_marks.saturating_sub(rules) {
        0 => count(rules, "rule"),
        marks => format!("{} and {}", count(rules, "rule"), count(marks, "mark")),
    };
    let line = if wanted.len() == rules_and_marks { total } else { format!("{} of {total}", wanted.len()) };
    printer.out(&format!("{line}\n"));
}

/// Returns the built-in tool that a misspelled name probably means; `None` for a known name, or if none is similar.
/// It is only a hint: a rule without a selector applies to any tool.
fn misspelled_tool(name: &str) -> Option<&'static str> {
    let known = || TOOLS.iter().map(|tool| tool.name).chain(OTHER_TOOLS.iter().copied());
    let is_known = name.starts_with("mcp__") || known().any(|tool| tool == name);
    nearest_name(name, known()).filter(|_| !is_known)
}

/// Loads the given files, or the layers around the current directory if there are none. If there is no policy either,
/// and the only name is that of a pack, returns the pack.
fn load(paths: &[PathBuf], names: &[&String], printer: &mut Printer) -> Result<Policy, CommandOutcome> {
    if let ([], [name]) = (paths, names)
        && let Some(pack) = shipped_pack(name)
        && !super::load::load(paths).is_found()
    {
        return Ok(pack);
    }
    load_whole(paths, printer)
}

/// Returns a policy that consists of one pack as shipped; `None` if there is no such pack.
fn shipped_pack(name: &str) -> Option<Policy> {
    pack(&full_pack_name(name))?;
    let loaded = project::load_text("pack", &format!("use \"{}\"\n", full_pack_name(name)));
    Some(Policy::new(loaded.sources, &loaded.layers))
}

/// Returns the full name of a pack: `git` is `std/git`.
fn full_pack_name(name: &str) -> String {
    if name.contains('/') { name.to_owned() } else { format!("std/{name}") }
}

/// Whether an argument is a path and not a name: it looks like one (`./x`, `a.rules`), or it exists and no pack has
/// this name.
fn is_path(name: &str) -> bool {
    let looks_like_path =
        name.starts_with(['.', '/', '~']) || Path::new(name).extension().is_some_and(|extension| extension == "rules");
    let exists = || directory(Some(Path::new(name))).is_some_and(|path| is_regular_file(&path) || is_directory(&path));
    looks_like_path || (pack(name).is_none() && exists())
}

/// Whether a name denotes this rule or the pack that contains it. The full name or its last part may be given.
fn is_denoted_by(rule: &Rule, name: &str, names: &RuleNames) -> bool {
    names.may_be(rule, name)
        || rule.name.rsplit_once('/').is_some_and(|(pack, _)| pack == name || pack == full_pack_name(name))
}

/// Whether a name denotes any rule of the policy.
fn is_known(policy: &Policy, name: &str) -> bool {
    let names = policy.rule_names(None);
    policy.rules.rules().iter().any(|rule| is_denoted_by(rule, name, &names))
}

/// Prints that a name is unknown, with the nearest known one, and returns the outcome of a usage error.
fn report_unknown(policy: &Policy, name: &str, printer: &mut Printer) -> CommandOutcome {
    let rules = policy
        .rules
        .rules()
        .iter()
        .flat_map(|rule| [rule.display_name.as_str(), rule.display_name.rsplit('/').next().unwrap_or_default()]);
    let near = nearest_name(name, rules.chain(PACKS.iter().map(|(name, _)| *name)));
    let near = near.map_or("`rules list` lists the rules".to_owned(), |near| format!("`{near}` exists"));
    printer.err(&format!("rules: no file, pack or rule `{}`; {near}\n", line(name, MAX_NAME_CHARS)));
    CommandOutcome::Usage
}

/// Whether `--layer`, `--event` and `--tool` select a rule.
fn is_listed(rule: &Rule, args: &ListArgs) -> bool {
    if rule.is_generated() || args.layer.is_some_and(|layer| rule.layer != layer) {
        return false;
    }
    let is_selected = |event: &Event| args.event.is_none_or(|selected| selected == *event);
    let events: Vec<Event> = rule.head.event_set().into_iter().filter(is_selected).collect();
    let Some(tool) = &args.tool else { return !events.is_empty() };
    // There is no filter for the agent, so `by` is ignored.
    let head = Head { agents: None, ..rule.head.clone() };
    events.iter().filter(|event| event.spec().subject == Subject::Tool).any(|event| {
        let mut json = Map::new();
        json.insert("tool_name".to_owned(), Json::from(tool.as_str()));
        head.select(&Payload::new(*event, json), || Some(tool)) == HeadMatch::Yes
    })
}

/// The column widths of the table of rules.
struct RuleTable {
    /// The width of the column for names.
    name: usize,
    /// The width of the column for summaries.
    what: usize,
    /// Whether the terminal is too narrow for all columns; the summary is then below the name.
    is_narrow: bool,
}

impl RuleTable {
    /// Computes the widths for these rules.
    fn from_rules(rules: &[&Arc<Rule>], policy: &Policy, printer: &Printer) -> Self {
        let name = rules.iter().map(|rule| columns(&rule.display_name)).max().unwrap_or(0);
        let what =
            rules.iter().map(|rule| columns(&rule_summary(rule, printer))).max().unwrap_or(0).min(MAX_SUMMARY_WIDTH);
        let place = rules.iter().map(|rule| columns(&policy.sources.location(rule.name_span))).max().unwrap_or(0);
        let is_narrow = name.saturating_add(what).saturating_add(place).saturating_add(4) > printer.width();
        Self { name, what, is_narrow }
    }

    /// Prints a rule: its name, summary and location on one line if they fit, otherwise on several; below them its
    /// documentation.
    fn print(&self, rule: &Rule, policy: &Policy, docs: Docs, printer: &mut Printer) {
        let width = printer.width();
        let place = policy.sources.location(rule.name_span);
        let name = printer.paint(Style::Bold, &rule.display_name);
        let what = rule_summary(rule, printer);
        let is_narrow = self.is_narrow;
        let indent = if is_narrow { INDENT } else { self.name.saturating_add(2) };
        let below = " ".repeat(indent);
        let gap = " ".repeat(self.what.saturating_sub(columns(&what)).saturating_add(2));
        let is_one_line =
            indent.saturating_add(columns(&what)).saturating_add(columns(&gap)).saturating_add(columns(&place))
                <= width;
        if is_narrow {
            printer.out(&format!("{name}\n"));
        } else {
            printer.out(&format!("{name}{}", " ".repeat(indent.saturating_sub(columns(&rule.display_name)))));
        }
        let text = wrapped(width, &below, &format!("{below}  "), &what);
        let text = text.trim_end();
        let text = if is_narrow { text } else { text.strip_prefix(&below).unwrap_or(text) };
        let place = printer.paint(Style::Dim, &place);
        if is_one_line {
            printer.out(&format!("{text}{gap}{place}\n"));
        } else {
            printer.out(&format!("{text}\n{below}{place}\n"));
        }
        let lines = match docs {
            Docs::All | Docs::Text => rule.docs.to_vec(),
            Docs::Sentence => summary_sentence(&rule.docs).into_iter().collect(),
        };
        for line in &lines {
            printer.out(&wrapped(width, &below, &below, line));
        }
        for exception in exceptions(rule, policy) {
            let text = format!("except {} ({})", exception.text, exception.place);
            printer.out(&wrapped(width, &below, &format!("{below}  "), &text));
        }
        if let (Docs::Text, Some(file)) = (docs, policy.sources.file(rule.span)) {
            let lines = file.slice(rule.span).lines();
            let lines: Vec<String> =
                lines.map(|line| format!("    {}", same_length(line)).trim_end().to_owned()).collect();
            printer.out(&format!("\n{}\n\n", printer.paint(Style::Dim, &lines.join("\n"))));
        }
    }
}

/// An exception to a rule, stated by a `use` of the rule's file.
#[derive(Serialize)]
struct ListedException {
    /// `where C` or `when C`, on one line.
    text: String,
    /// The file and line of the exception.
    place: String,
}

/// Returns the exceptions to a rule that the `use`s of a policy state.
fn exceptions(rule: &Rule, policy: &Policy) -> Vec<ListedException> {
    let mut found = Vec::new();
    for layer in &policy.layers {
        for file in &layer.files {
            for (used, target) in file.loaded_uses() {
                let is_rule_in_target = layer.files.get(target).is_some_and(|file| file.id == rule.span.file);
                let of_rule = used.except.iter().filter(|exception| {
                    is_rule_in_target && rule.name.rsplit('/').next() == Some(&exception.rule.text)
                });
                found.extend(of_rule.filter_map(|exception| {
                    let (word, condition) = match exception.narrowing.as_ref()? {
                        ExceptionNarrowing::Where(condition) => ("where", condition),
                        ExceptionNarrowing::When(condition) => ("when", condition),
                    };
                    let text = policy.sources.file(condition.span)?.slice(condition.span);
                    Some(ListedException {
                        text: format!("{word} {}", text.split_whitespace().collect::<Vec<_>>().join(" ")),
                        place: policy.sources.location(condition.span),
                    })
                }));
            }
        }
    }
    found
}

/// The part of a rule's documentation that is shown.
#[derive(Clone, Copy)]
enum Docs {
    /// All lines.
    All,
    /// The first sentence, even if it spans several lines.
    Sentence,
    /// All lines, and the source of the rule.
    Text,
}

/// Returns the first sentence of a rule's documentation; `None` without documentation.
fn summary_sentence(docs: &[String]) -> Option<String> {
    let lines: Vec<&str> = docs.iter().map(|line| line.trim()).skip_while(|line| line.is_empty()).collect();
    let paragraph: Vec<&str> = lines.into_iter().take_while(|line| !line.is_empty()).collect();
    Some(first_sentence(&paragraph.join(" "))).filter(|sentence| !sentence.is_empty())
}

/// Returns the summary of a rule: its annotations, events and effects (`@observe PreToolUse → deny`).
fn rule_summary(rule: &Rule, printer: &Printer) -> String {
    let mut words = Vec::new();
    match rule.traits.mode {
        RuleMode::Active => {}
        RuleMode::Observe => words.push("@observe".to_owned()),
        RuleMode::Off => words.push("@off".to_owned()),
    }
    words.extend((rule.traits.commands == CommandCoverage::CallAndFiles).then(|| "@in_files".to_owned()));
    words.extend(rule.traits.labels.severity.iter().map(|severity| format!("@{severity}")));
    words.push(event_names(rule).join(", "));
    words.push(format!("{} {}", printer.signs().arrow, effect_words(rule).join(", ")));
    words.join(" ")
}

/// Returns the events of a rule, or `*` for `on *`.
fn event_names(rule: &Rule) -> Vec<&'static str> {
    match rule.head.every_event {
        true => vec!["*"],
        false => rule.head.event_set().into_iter().map(Event::name).collect(),
    }
}

/// A rule in the JSON output.
#[derive(Serialize)]
struct ListedRule<'r> {
    rule: &'r str,
    layer: &'static str,
    /// The file and line of the rule.
    place: String,
    /// `active`, `observe` or `off`.
    mode: &'static str,
    events: Vec<&'static str>,
    effects: Vec<&'static str>,
    docs: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'r str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'r str>,
    /// The number of examples.
    examples: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    except: Vec<ListedException>,
}

impl<'r> ListedRule<'r> {
    fn from_rule(rule: &'r Rule, policy: &Policy) -> Self {
        let labels = &rule.traits.labels;
        Self {
            rule: &rule.display_name,
            layer: rule.layer.name(),
            place: policy.sources.location(rule.name_span),
            mode: match rule.traits.mode {
                RuleMode::Active => "active",
                RuleMode::Observe => "observe",
                RuleMode::Off => "off",
            },
            events: event_names(rule),
            effects: effect_words(rule),
            docs: &rule.docs,
            severity: labels.severity.as_deref(),
            tags: &labels.tags,
            owner: labels.owner.as_deref(),
            url: labels.url.as_deref(),
            examples: rule.examples.iter().map(|(_, examples)| examples.len()).sum(),
            except: exceptions(rule, policy),
        }
    }
}

/// Prints the packs with their purpose.
fn list_packs(args: &ListArgs, printer: &mut Printer) {
    if args.format == Output::Json {
        let packs: Vec<Json> =
            PACKS.iter().map(|(name, text)| json!({ "pack": name, "purpose": pack_purpose(text) })).collect();
        printer.out(&format!("{}\n", json!({ "packs": packs })));
        return;
    }
    let width = PACKS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, text) in PACKS {
        if args.quiet {
            printer.out(&format!("{name}\n"));
            continue;
        }
        let padding = " ".repeat(width - name.len());
        let below = " ".repeat(width + 2);
        let text = printer.wrapped(&below, &below, &pack_purpose(text));
        let name = printer.paint(Style::Bold, name);
        printer.out(&format!("{name}{padding}  {}", text.trim_start()));
    }
}

/// Prints the source of a pack.
fn print_pack(name: &str, printer: &mut Printer) -> CommandOutcome {
    match pack(name).or_else(|| pack(&format!("std/{name}"))) {
        Some(text) => {
            printer.out(text);
            CommandOutcome::Clean
        }
        None => {
            let near = nearest_name(name, PACKS.iter().map(|(name, _)| *name));
            let near = near.map_or("`rules list --packs` lists them".to_owned(), |near| format!("`{near}` exists"));
            printer.err(&format!("rules: unknown pack `{}`; {near}\n", line(name, MAX_NAME_CHARS)));
            CommandOutcome::Usage
        }
    }
}

/// Prints the events of the schema, with what each is about and the answers that it can have.
fn events(args: &ListArgs, printer: &mut Printer) {
    let subject = |event: &Event| match event.spec().subject {
        Subject::None => String::new(),
        Subject::Tool => "(tool_name)".to_owned(),
        Subject::Field(name) => format!("({name})"),
        Subject::BaseName(name) => format!("(name of {name})"),
    };
    let answers = |event: &Event| event.spec().answers.keywords().collect::<Vec<&str>>();
    if args.format == Output::Json {
        let events: Vec<Json> = Event::ALL
            .iter()
            .map(|event| {
                let subject = subject(event);
                let subject = subject.trim_matches(['(', ')']);
                json!({ "event": event.name(), "subject": Some(subject).filter(|it| !it.is_empty()), "answers": answers(event) })
            })
            .collect();
        printer.out(&format!("{}\n", json!({ "events": events })));
        return;
    }
    let heads: Vec<String> = Event::ALL.iter().map(|event| format!("{}{}", event.name(), subject(event))).collect();
    let width = heads.iter().map(|head| columns(head)).max().unwrap_or(0);
    for (event, head) in Event::ALL.iter().zip(&heads) {
        if args.quiet {
            printer.out(&format!("{}\n", event.name()));
            continue;
        }
        let padding = " ".repeat(width - columns(head));
        let below = " ".repeat(width + 2);
        let text = printer.wrapped(&below, &below, &answers(event).join(" "));
        let name = printer.paint(Style::Bold, event.name());
        printer.out(&format!("{name}{}{padding}  {}", subject(event), text.trim_start()));
    }
}
