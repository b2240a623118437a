//! Builds the page of `rules report`: its sections, and the data that its script searches.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::cli::print::count;
use crate::cli::stats::{judging_rules, sort_by_count, time};
use crate::decision_log::{AskOutcome, AskOutcomes, DecisionCounts, DecisionKind, LogEntry, LogStats, RuleVote};
use crate::policy::Policy;
use crate::ruleset::{Rule, RuleMode};

use super::chart::{bar, columns, css_class, histogram};
use super::html::{data, escape_html, lines};

/// The style of the page. The Content-Security-Policy of the page allows it and the script by their digests.
const STYLE: &str = include_str!("page.css");
/// The script of the page, which searches the calls.
const SCRIPT: &str = include_str!("page.js");

/// The SHA-256 digest of the style in base64; a test compares the two.
const STYLE_DIGEST: &str = include_str!("page.css.sha256");
/// The SHA-256 digest of the script in base64; a test compares the two.
const SCRIPT_DIGEST: &str = include_str!("page.js.sha256");

/// The maximum number of calls in the page; these are the latest ones.
const MAX_CALLS: usize = 5_000;

/// The maximum number of days in the chart; these are the latest ones.
const MAX_DAYS: usize = 60;

/// The maximum number of agents in the chart; these have the most decisions.
const MAX_AGENTS: usize = 20;

/// Everything that a page shows.
pub(super) struct PageContents<'c> {
    pub(super) project: Option<&'c Path>,
    /// The time at which the page is created, in UTC.
    pub(super) created: &'c str,
    /// The selected log entries.
    pub(super) entries: &'c [LogEntry],
    /// How the questions (`ask`) of the whole log ended, not only of the selected entries.
    pub(super) endings: &'c AskOutcomes,
    pub(super) stats: &'c LogStats,
    /// The present policy, which may differ from the one that decided.
    pub(super) policy: &'c Policy,
    /// The first sign that the log was changed, if there is any.
    pub(super) finding: Option<String>,
}

/// The beginning of every page, by which the command recognises a report that it may replace.
pub(super) const MARK: &str =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta name=\"generator\" content=\"rules report\">";

/// Returns the page as HTML.
pub(super) fn page(contents: &PageContents<'_>) -> String {
    let name =
        contents.project.and_then(Path::file_name).map_or_else(|| "no project".into(), |name| name.to_string_lossy());
    let mut out = format!(
        "{MARK}\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; script-src \
         'sha256-{}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Decisions: {}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        STYLE_DIGEST.trim(),
        SCRIPT_DIGEST.trim(),
        escape_html(&name)
    );
    header(contents, &name, &mut out);
    out.push_str("<main>\n");
    numbers(contents.stats, &mut out);
    calls(contents.entries, &mut out);
    out.push_str("<div class=\"beside\">\n");
    days(contents.stats, &mut out);
    agents(contents.stats, &mut out);
    out.push_str("</div>\n");
    rules(contents, &mut out);
    duration_section(contents.stats, &mut out);
    out.push_str("</main>\n");
    let _ = write!(
        out,
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        data(&search_data(contents.entries, contents.endings))
    );
    out
}

/// Appends the heading, the legend of colours, and whether the log was changed.
fn header(contents: &PageContents<'_>, name: &str, out: &mut String) {
    let place = contents.project.map(|project| escape_html(&project.to_string_lossy())).unwrap_or_default();
    let day = |time: &str| escape_html(time.get(..10).unwrap_or(time));
    let span = contents.stats.span.as_ref().map(|(first, last)| match (day(first), day(last)) {
        (first, last) if first == last => first,
        (first, last) => format!("{first} to {last}"),
    });
    let _ = write!(
        out,
        "<header><h1>{}</h1><p class=\"where\"><code>{place}</code></p><p>{} · made {} UTC</p>\
         <p class=\"legend\">",
        escape_html(name),
        span.unwrap_or_else(|| "no decisions".to_owned()),
        escape_html(contents.created.get(..16).unwrap_or(contents.created)).replace('T', " ")
    );
    for kind in DecisionKind::ALL {
        let _ = write!(out, "<span class=\"key\"><i class=\"{}\"></i>{}</span>", css_class(kind), kind.display_word());
    }
    out.push_str("</p>");
    match &contents.finding {
        Some(finding) => {
            let _ = write!(out, "<p class=\"warning\">The log is not as it was written: {}</p>", escape_html(finding));
        }
        None => out.push_str("<p class=\"quiet\">The log's chain is whole.</p>"),
    }
    out.push_str("</header>\n");
}

/// Appends the section with the most important numbers.
fn numbers(stats: &LogStats, out: &mut String) {
    let all = &stats.all;
    let asks = &stats.asks;
    let ran = if asks.all > 0 { format!("{} of {} ran", asks.ran, asks.all) } else { String::new() };
    let median = stats.percentile(50).map_or_else(|| "–".to_owned(), time);
    let p99 = stats.percentile(99).map(|p99| format!("99 % within {}", time(p99))).unwrap_or_default();
    out.push_str("<section class=\"numbers\" aria-label=\"Numbers\">");
    for (class, value, label, note) in [
        ("", all.all.to_string(), "decisions", count(usize::try_from(stats.sessions).unwrap_or(usize::MAX), "session")),
        ("deny", all.denied.to_string(), "denied", String::new()),
        ("ask", all.asked.to_string(), "asked", ran),
        ("allow", all.allowed.to_string(), "allowed", String::new()),
        ("observe", all.observed.to_string(), "on trial", "rules under @observe".to_owned()),
        ("", all.unknown.to_string(), "unknown", "a rule could not be judged".to_owned()),
        ("", median, "median hook", p99),
    ] {
        let _ =
            write!(out, "<div class=\"number {class}\"><b>{value}</b><span>{label}</span><small>{note}</small></div>");
    }
    out.push_str("</section>\n");
}

/// Appends the chart by day.
fn days(stats: &LogStats, out: &mut String) {
    let from = stats.days.len().saturating_sub(MAX_DAYS);
    let days: Vec<(&str, DecisionCounts)> =
        stats.days.iter().skip(from).map(|(day, count)| (day.as_str(), *count)).collect();
    let _ = writeln!(out, "<section><h2>By day</h2><div class=\"scroll\">{}</div></section>", columns(&days));
}

/// Appends the chart by agent.
fn agents(stats: &LogStats, out: &mut String) {
    let agents = sort_by_count(&stats.agents);
    let most = agents.iter().map(|(_, count)| count.total()).max().unwrap_or(1);
    out.push_str("<section><h2>By agent</h2><ul class=\"bars\">");
    for (name, count) in agents.iter().take(MAX_AGENTS) {
        let _ = write!(
            out,
            "<li><span class=\"name\">{}</span>{}<small>{}</small></li>",
            escape_html(name),
            bar(count, most),
            count.words()
        );
    }
    out.push_str("</ul></section>\n");
}

/// Appends all rules: first those that fired, by count, then the others of the policy in a folded section.
fn rules(contents: &PageContents<'_>, out: &mut String) {
    let counts = sort_by_count(&contents.stats.rules);
    let most = counts.iter().map(|(_, count)| count.total()).max().unwrap_or(1);
    let all: Vec<&Rule> = judging_rules(contents.policy).collect();
    let rule_named = |name: &str| all.iter().find(|rule| rule.display_name == name);
    let is_in_log = |name: &str| counts.iter().any(|(fired, _)| *fired == name);
    out.push_str("<section><h2>Rules</h2><div class=\"rules\">");
    for (name, count) in &counts {
        rule(name, Some(count), most, rule_named(name).map(|rule| (*rule, contents.policy)), out);
    }
    let mut unfired: Vec<&Rule> = all.iter().copied().filter(|rule| !is_in_log(&rule.display_name)).collect();
    unfired.sort_by(|one, other| one.display_name.cmp(&other.display_name));
    if !unfired.is_empty() {
        let number = count(unfired.len(), "rule");
        let _ = write!(out, "<details class=\"unfired\"><summary>{number} never fired</summary>");
        for unfired_rule in unfired {
            rule(&unfired_rule.display_name, None, most, Some((unfired_rule, contents.policy)), out);
        }
        out.push_str("</details>");
    }
    out.push_str("</div></section>\n");
}

/// Appends a rule, which the reader can unfold. `most` is the highest count of any rule; `known` is `None` if the
/// present policy lacks the rule.
fn rule(name: &str, count: Option<&DecisionCounts>, most: u64, known: Option<(&Rule, &Policy)>, out: &mut String) {
    let _ = write!(out, "<details class=\"rule\"><summary><span class=\"name\">{}</span>", escape_html(name));
    let mut tags = Vec::new();
    match known {
        // The author of the votes that the hook adds itself.
        None if name == "rules" => tags.push("rules itself".to_owned()),
        None => tags.push("not in the present policy".to_owned()),
        Some((rule, _)) => {
            match rule.traits.mode {
                RuleMode::Active => {}
                RuleMode::Observe => tags.push("@observe".to_owned()),
                RuleMode::Off => tags.push("@off".to_owned()),
            }
            tags.extend(rule.traits.labels.severity.clone());
        }
    }
    for tag in tags {
        let _ = write!(out, "<span class=\"tag\">{}</span>", escape_html(&tag));
    }
    if let Some(count) = count {
        let unknown = if count.unknown > 0 { format!(", {} unknown", count.unknown) } else { String::new() };
        let words = count.words();
        let words = if words.is_empty() { unknown.trim_start_matches(", ").to_owned() } else { words + &unknown };
        let _ = write!(out, "{}<small>{words}</small>", bar(count, most));
    } else {
        out.push_str("<small>never fired</small>");
    }
    out.push_str("</summary>");
    if let Some((rule, policy)) = known {
        if !rule.docs.is_empty() {
            let _ = write!(out, "<p>{}</p>", escape_html(&rule.docs.join(" ")));
        }
        let owner =
            rule.traits.labels.owner.as_ref().map(|owner| format!(" · {}", escape_html(owner))).unwrap_or_default();
        let _ = write!(out, "<p class=\"where\">{}{owner}</p>", escape_html(&policy.sources.location(rule.name_span)));
        let source = policy.sources.file(rule.span).map(|file| file.slice(rule.span)).unwrap_or_default();
        let _ = write!(out, "<pre tabindex=\"0\">{}</pre>", lines(source));
    }
    if count.is_some() {
        let _ = write!(
            out,
            "<p><button type=\"button\" class=\"find\" data-rule=\"{}\">Show its calls</button></p>",
            escape_html(name)
        );
    }
    out.push_str("</details>");
}

/// Appends the section on the times of hooks; nothing if no times are logged.
fn duration_section(stats: &LogStats, out: &mut String) {
    if stats.times.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<section><h2>Time of the hooks</h2><p class=\"quiet\">From the start of the process to its answer, in \
         milliseconds; commands that rules run count.</p>{}<table><caption>The slowest</caption><tbody>",
        histogram(&stats.times)
    );
    for slow in &stats.slowest {
        let _ = write!(
            out,
            "<tr><td class=\"right\">{}</td><td>{}</td><td><code>{}</code></td></tr>",
            time(slow.microseconds),
            escape_html(&slow.what),
            escape_html(&slow.call)
        );
    }
    out.push_str("</tbody></table></section>\n");
}

/// Appends the section in which the script shows and searches calls.
fn calls(entries: &[LogEntry], out: &mut String) {
    let note = match entries.len() > MAX_CALLS {
        true => format!("<p class=\"quiet\">The latest {MAX_CALLS} of {} lines.</p>", entries.len()),
        false => String::new(),
    };
    let _ = writeln!(
        out,
        "<section id=\"calls\"><h2>Calls</h2>{note}<div class=\"search\">\
         <input id=\"text\" type=\"search\" placeholder=\"Search calls, messages, rules, sessions\" \
         aria-label=\"Search\" autocomplete=\"off\" spellcheck=\"false\">\
         <select id=\"decision\" aria-label=\"Decision\"><option value=\"\">every decision</option></select>\
         <select id=\"rule\" aria-label=\"Rule\"><option value=\"\">every rule</option></select></div>\
         <p id=\"found\" class=\"quiet\" aria-live=\"polite\">Searching needs scripts.</p><div id=\"list\"></div>\
         <button type=\"button\" id=\"more\" hidden>Show more</button></section>"
    );
}

/// Returns the data that the script searches: a row for each decision, the latest first. Entries that only record how
/// a question ended are left out.
fn search_data(entries: &[LogEntry], endings: &AskOutcomes) -> Json {
    let shown = entries.iter().rev().take(MAX_CALLS).filter(|entry| entry.ask.is_none() || !entry.rules.is_empty());
    let visible = |text: &str| crate::escape::line(text, 4_000);
    let rows: Vec<Json> = shown
        .map(|entry| {
            let names = |votes: &[RuleVote]| votes.iter().map(|vote| visible(&vote.rule)).collect::<Vec<_>>();
            let unknown: Vec<String> = entry
                .unknown
                .iter()
                .map(|unknown| visible(&format!("{}: {}", unknown.rules.join(", "), unknown.reason)))
                .collect();
            json!({
                "n": entry.number, "t": visible(&entry.time), "d": visible(&entry.decision),
                "e": endings.outcome(entry).map(AskOutcome::display_word), "v": visible(&entry.event),
                "o": entry.tool.as_deref().map(visible), "c": visible(&entry.call_line()), "r": names(&entry.rules),
                "w": names(&entry.observed), "m": entry.message.lines().map(visible).collect::<Vec<_>>(),
                "u": unknown, "s": entry.session_id.as_deref().map(visible), "a": visible(entry.agent()),
                "h": visible(&entry.host),
                "i": entry.incomplete.iter().map(|name| visible(name)).collect::<Vec<_>>(),
                "p": entry.problems.iter().map(|problem| visible(problem)).collect::<Vec<_>>(),
                "x": entry.microseconds.map(time),
            })
        })
        .collect();
    Json::Array(rows)
}

#[cfg(test)]
mod tests;
