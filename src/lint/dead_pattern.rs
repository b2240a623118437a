//! Finds command patterns that do not match the very command that they spell out: `curl -XPOST`, `time make`.
//!
//! The command is built from the words of the pattern. If the pattern does not match it, the pattern is written in a
//! wrong notation.

use super::alternatives::dead_patterns;
use super::comparison::{names_commands_of_runner, pattern_of_inner, plainest_command, visit_patterns};
use super::glob_as_text::shortened;
use super::never_fires::analysis;
use super::patterns::unrecorded_program;
use super::task_runners::{task_help, task_words};
use super::{FindingSink, Lint, SourceTexts, never_fires, star_for_nothing};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::is_plain_runner;
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Patterns, Rule};
use crate::span::Span;
use crate::syntax::{format_one_or_list, string_literal};
use hookrules_shell::analysis::OpaqueCode;
use hookrules_shell::glob::Fit;
use hookrules_shell::programs::{Program, program};
use hookrules_shell::word::Cause;
use hookrules_shell::{Analysis, Pattern};

pub(super) const LINT: Lint = Lint { codes: &[Code::DEAD_PATTERN], check };

/// Reports each command pattern that does not match its own words.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let mut reported: Vec<Span> = Vec::new();
    visit_patterns(rule, &mut |seen, pattern| {
        // The test is parsed again to find the pattern in it, and few patterns have a finding.
        let span = || written.pattern_span(seen.test, pattern.text()).unwrap_or(seen.test.span);
        // Patterns that are not literal in the test all have the span of the whole test: report one of them.
        let is_reported = |span: Span| reported.iter().any(|other| other.contains(span) || span.contains(*other));
        if !reported.is_empty() && is_reported(span()) {
            return;
        }
        let found = match &seen.test.kind {
            ConditionExpr::Command(CommandTest::OnlyRuns { patterns }) => {
                approval_findings(written, seen.test, patterns, pattern)
            }
            _ if is_dead(pattern, false) => vec![finding(written, seen.test, pattern)],
            _ => Vec::new(),
        };
        if !found.is_empty() {
            reported.push(span());
            findings.extend(found);
        }
    });
}

/// Returns the findings about a pattern of `only runs`, one for each alternative that no command matches.
fn approval_findings(
    written: &SourceTexts<'_>,
    test: &Condition,
    patterns: &Patterns,
    pattern: &Pattern,
) -> Vec<Diagnostic> {
    let span = written.pattern_span(test, pattern.text()).unwrap_or(test.span);
    let find = |single: &Pattern| {
        let dead = dead_finding(written, test, patterns, single, span);
        dead.or_else(|| unspelled_finding(patterns, single, span))
    };
    let at_pattern = |mut found: Diagnostic| {
        found.labels.iter_mut().for_each(|label| label.span = span);
        found
    };
    let dead = dead_patterns(pattern, |single| find(single).is_some());
    dead.iter().filter_map(find).map(at_pattern).collect()
}

/// Returns the finding about a pattern of `only runs` that no command matches, with a help that holds for the command
/// that it spells out.
fn dead_finding(
    written: &SourceTexts<'_>,
    test: &Condition,
    patterns: &Patterns,
    pattern: &Pattern,
    span: Span,
) -> Option<Diagnostic> {
    if !is_dead(pattern, true) {
        return None;
    }
    let command = plainest_command(pattern.text());
    let holds = |instead: &String| never_fires::approves(&[instead], pattern, &command);
    let is_translated = translated_pattern(pattern.text()).is_some();
    if is_translated || !pattern.is_spelled_out() || intended_pattern(pattern).is_some_and(|instead| holds(&instead)) {
        return Some(finding(written, test, pattern));
    }
    let dead = Diagnostic::new(Code::DEAD_PATTERN, shortened("no command matches the pattern `", pattern.text(), "`"));
    match detached_value(pattern).filter(holds) {
        Some(instead) => Some(
            dead.label(span, "the value of an option is a word of its own in a pattern")
                .help(format!("write `{instead}`"))
                .fix_that_changes(span, string_literal(&instead, "")),
        ),
        None => {
            never_fires::finding(patterns, pattern, &command, span).or_else(|| Some(finding(written, test, pattern)))
        }
    }
}

/// Returns a pattern with the value of an option as a word of its own: `stdbuf -o L make` for `stdbuf -oL make`.
fn detached_value(pattern: &Pattern) -> Option<String> {
    let words: Vec<&str> = pattern.text().split_whitespace().collect();
    let AttachedValue { word: attached, option, value } = attached_value(&words)?;
    let detached = format!("{option} {value}");
    Some(
        words.iter().map(|word| if *word == attached { detached.as_str() } else { word }).collect::<Vec<_>>().join(" "),
    )
}

/// A word that is an option and its value.
struct AttachedValue<'p> {
    word: &'p str,
    option: &'p str,
    value: &'p str,
}

/// Returns the only word with a letter after one dash and a value behind it, `-XPOST`; `None` without one, or with
/// several.
fn attached_value<'p>(words: &[&'p str]) -> Option<AttachedValue<'p>> {
    let is_glued = |word: &&&str| {
        let name = word.trim_start_matches('-');
        word.len() == name.len() + 1 && name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    let [word] = words.iter().filter(is_glued).collect::<Vec<_>>().try_into().ok()?;
    let (option, value) = word.split_at_checked(2)?;
    Some(AttachedValue { word, option, value })
}

/// Returns the finding about a pattern of `only runs` that holds for no command, although one of this name exists.
fn unspelled_finding(patterns: &Patterns, pattern: &Pattern, span: Span) -> Option<Diagnostic> {
    let text = pattern.text();
    // A pattern that begins with an assignment is reported by another lint.
    if text.split_whitespace().next().is_some_and(|first| first.contains('=')) {
        return None;
    }
    let program = fits_no_words(patterns, pattern);
    program
        .map(|program| unfit_star_finding(pattern, &program, span))
        .or_else(|| unnamed_script_finding(patterns, pattern, span))
        .or_else(|| never_fires::finding(patterns, pattern, &plainest_command(text), span))
}

/// Whether a pattern matches one of the commands of an analysis.
fn is_match(pattern: &Pattern, analysis: &Analysis) -> bool {
    analysis.iter().chain(analysis.scripts()).any(|(_, command)| pattern.runs(command) != Fit::No)
}

/// Whether a pattern does not match the command that its words describe; with `is_strict`, it is a pattern of `only
/// runs`. Patterns that begin with an assignment or a wildcard are not examined.
fn is_dead(pattern: &Pattern, is_strict: bool) -> bool {
    let text = &*pattern.text_of_look();
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    // A pattern that begins with an assignment is reported by another lint.
    if first.contains('=') || pattern.is_universal() || first.contains(['*', '?']) {
        return false;
    }
    if translated_pattern(text).is_some() {
        return true;
    }
    let analysis = analysis(&plainest_command(text));
    let is_alive = is_match(pattern, &analysis) || is_strict && names_commands_of_runner(pattern, &analysis);
    !analysis.commands.is_empty() && !is_alive && !looks_by_subcommand(pattern)
}

/// Whether a pattern that ends in `@looks` or `@reads` matches a subcommand of its program: `git status` for `git @looks`.
fn looks_by_subcommand(pattern: &Pattern) -> bool {
    let text = pattern.text();
    let Some(front) = text.strip_suffix(" @looks").or_else(|| text.strip_suffix(" @reads")) else { return false };
    let front = plainest_command(front);
    let mut words = front.split(' ').filter(|word| !word.starts_with('-'));
    let mut record = words.next().and_then(program);
    for word in words {
        record = record.and_then(|record| record.command(word));
    }
    let matches = |words: &str| is_match(pattern, &analysis(&format!("{front} {words}")));
    let names = |record: &Program| record.commands.iter().filter_map(|command| command.names.first().copied());
    record.is_some_and(|record| {
        let inner = record.commands.iter().flat_map(|command| {
            let name = command.names.first().copied().unwrap_or_default();
            names(command).map(move |inner| format!("{name} {inner}"))
        });
        matches("") || names(record).any(matches) || inner.into_iter().any(|words| matches(&words))
    })
}

/// Returns the program that keeps a pattern of `only runs` that ends in a `*` from matching any command at all, with
/// further words or without, although the program runs none of them. `None` for any other pattern.
fn fits_no_words(patterns: &Patterns, pattern: &Pattern) -> Option<String> {
    const SAMPLES: &[&str] = &["", "x", "1p", "a.txt", "x a.txt"];
    let written = pattern.text().strip_suffix(" *").filter(|front| !front.is_empty() && !front.contains(['*', '!']))?;
    let front = plainest_command(written);
    let is_plain = front.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" -_./=:@+#".contains(&byte));
    let words: Vec<&str> = written.split_whitespace().collect();
    // Other lints report programs that have no record, tasks of a project, and programs that run their operands.
    let is_unrecorded = |pattern: &Pattern| pattern.unrecorded().is_some() || unrecorded_program(pattern).is_some();
    let is_reported = is_unrecorded(pattern)
        || pattern_of_inner(pattern).is_some_and(|inner| is_unrecorded(&inner))
        || task_words(&words).is_some()
        || star_for_nothing::has_useless_star(pattern);
    if !is_plain || is_reported {
        return None;
    }
    let runs_any = words.first().is_some_and(|name| is_plain_runner(name));
    let mut program = None;
    for sample in SAMPLES {
        let analysis = never_fires::analysis(&format!("{front} {sample}"));
        let (fit, misfit) = never_fires::fit(patterns, &analysis);
        let name = misfit.and_then(|id| analysis.command(id)?.words.first()?.known_text());
        // What a program such as `timeout` runs needs a pattern of its own.
        let is_sample = runs_any && name.is_some_and(|name| sample.split(' ').any(|word| word == name));
        if fit == Fit::Yes || is_sample {
            return None;
        }
        program = program.or(name.map(str::to_owned));
    }
    program.or_else(|| words.first().map(|name| (*name).to_owned()))
}

/// Returns the finding about a pattern of `only runs` that has a wildcard in the name of a script that a shell reads:
/// `bash scripts/*.sh`. Such a script is approved by its name only.
fn unnamed_script_finding(patterns: &Patterns, pattern: &Pattern, span: Span) -> Option<Diagnostic> {
    let text = pattern.text();
    let command = plainest_command(text);
    let analysis = analysis(&command);
    let is_script = |code: &OpaqueCode| code.reason.cause == Cause::ScriptFile;
    let has_unnamed_script = text.trim_end_matches(" *").contains(['*', '?'])
        && analysis.opaque.iter().any(is_script)
        && never_fires::fit(patterns, &analysis).0 != Fit::Yes;
    let named = text.trim_end_matches(" *").replace('*', "check").replace('?', "1");
    let help = match never_fires::approves(&[&named], pattern, &plainest_command(&named)) {
        true => format!("name each script, as in `\"{named}\"`"),
        false => never_fires::script_help(pattern),
    };
    has_unnamed_script.then(|| {
        Diagnostic::new(Code::DEAD_PATTERN, shortened("`only runs \"", text, "\"` never holds"))
            .label(span, "a `*` is no name of a script that a shell reads")
            .help(help)
    })
}

/// Returns the finding about a pattern of `only runs` whose `*` matches no words, because of a program.
fn unfit_star_finding(pattern: &Pattern, program: &str, place: Span) -> Diagnostic {
    let text = pattern.text();
    let front = text.trim_end_matches(" *");
    let name = program.rsplit('/').next().unwrap_or(program);
    let is_own = front.split_whitespace().next() == Some(program) && !pattern.programs().has(name);
    let holds = never_fires::approves(&[front], pattern, &plainest_command(front));
    let help = task_help(pattern, front).unwrap_or_else(|| match (holds, is_own) {
        (false, _) => apart_help(pattern).unwrap_or_else(|| never_fires::script_help(pattern)),
        (true, false) => format!("write out the words, as in `\"{front}\"`"),
        // A record that says nothing but the name would make the `*` stand for any operands.
        (true, true) => format!("write out each call that is meant, as in `[\"{front}\", \"{front} test\"]`"),
    });
    Diagnostic::new(Code::DEAD_PATTERN, shortened("`only runs \"", text, "\"` never holds"))
        .label(place, "a `*` stands for no word of which it is not known what becomes of it")
        .help(help)
}

/// Returns the help to name a runner and what it runs apart, `["xargs *", "grep *"]`, if these patterns hold.
fn apart_help(pattern: &Pattern) -> Option<String> {
    let words: Vec<&str> = pattern.text().split_whitespace().collect();
    let (name, rest) = words.split_first().filter(|(name, _)| is_plain_runner(name))?;
    let start = rest.iter().position(|word| !word.starts_with(['-', '!']))?;
    let apart = [format!("{name} *"), rest.get(start..)?.join(" ")];
    let known: Vec<&str> = apart.iter().map(String::as_str).collect();
    // A runner such as `xargs` gets words from another command.
    let command = format!("echo a.txt | {} x", plainest_command(pattern.text().trim_end_matches(" *")));
    let holds = never_fires::approves(&[known.as_slice(), &["echo *"]].concat(), pattern, &command);
    holds.then(|| format!("name each in a pattern of its own: `only runs {}`", format_one_or_list(&apart)))
}

/// Translates notations of other languages to a pattern: `[-f]` for an optional word, `[a|b]` for alternatives,
/// `not -f` and `^-f` for forbidden words, and a leading `NOPASSWD:`. `None` if there is nothing to translate.
fn translated_pattern(text: &str) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.split_whitespace().peekable();
    while let Some(word) = rest.next() {
        let bracketed = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let next_is_flag = rest.peek().is_some_and(|next| next.starts_with('-'));
        match (word, bracketed) {
            // `[-f]`: an optional word is left out, because a pattern allows further words anyway.
            (_, Some(inner)) if inner.starts_with('-') => {}
            (_, Some(inner)) if inner.contains('|') => words.push(format!("({inner})")),
            ("not" | "no" | "without", _) if !words.is_empty() && next_is_flag => {
                words.extend(rest.next().map(|flag| format!("!{flag}")));
            }
            (word, _) if word.starts_with("^-") => words.push(format!("!{}", word.trim_start_matches('^'))),
            // `NOPASSWD: ls` is the notation of sudoers.
            (word, _) if words.is_empty() && word.len() > 1 && word.ends_with(':') => {}
            (word, _) => words.push(word.to_owned()),
        }
    }
    let translated = words.join(" ");
    (translated != text && Pattern::new(&translated).is_ok()).then_some(translated)
}

/// Returns the finding about a dead pattern, with the intended pattern or test if it can be derived.
fn finding(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern) -> Diagnostic {
    let text = pattern.text();
    let literal_span = written.pattern_span(test, text);
    let plain_command = plainest_command(text);
    let finding = Diagnostic::new(Code::DEAD_PATTERN, shortened("no command matches the pattern `", text, "`")).label(
        literal_span.unwrap_or(test.span),
        if plain_command == text { "not even this command itself" } else { "none is read so" },
    );
    if let Some(where_) = option_value_test(pattern) {
        let finding = finding.help(format!("test the value behind `where`: `{where_}`"));
        let is_alone = match &test.kind {
            ConditionExpr::Command(CommandTest::Runs { patterns, filter: None }) => {
                patterns.count() == 1 && literal_span.is_some()
            }
            _ => false,
        };
        return if is_alone { finding.fix_that_changes(test.span, where_) } else { finding };
    }
    let instead = intended_pattern(pattern);
    let front = plainest_command(text.trim_end_matches('*'));
    let is_any = |instead: &String| Pattern::new(instead).is_ok_and(|pattern| pattern.is_universal());
    if instead.as_ref().is_some_and(is_any)
        && never_fires::approves(&["make test"], pattern, &format!("{front} make test"))
    {
        return finding
            .help(format!("write what may run: `\"make test\"`, for example, also approves `{front} make test`"));
    }
    match instead {
        Some(instead) => {
            let finding = finding.help(format!("write `{instead}`"));
            match literal_span {
                Some(literal_span) => finding.fix_that_changes(literal_span, string_literal(&instead, "")),
                None => finding,
            }
        }
        None => finding.help("write the words that the program itself gets, and show one: `fires on \"…\"`"),
    }
}

/// Returns the `where` test to replace an option that its value is attached to: `curl -XPOST` becomes `runs "curl"
/// where option "-X" == "POST"`.
fn option_value_test(pattern: &Pattern) -> Option<String> {
    let words: Vec<&str> = pattern.text().split_whitespace().collect();
    let AttachedValue { word: attached, option, value } = attached_value(&words)?;
    let rest: Vec<&str> = words.iter().filter(|word| **word != attached).copied().collect();
    let rest = rest.join(" ");
    // Only if the option takes a value: then the pattern with the bare option matches the command.
    let option_pattern = Pattern::with_programs(&format!("{rest} {option}"), pattern.programs()).ok()?;
    let takes_value = is_match(&option_pattern, &analysis(&plainest_command(pattern.text())));
    takes_value.then(|| {
        format!(
            "runs {} where option {} == {}",
            string_literal(&rest, ""),
            string_literal(option, ""),
            string_literal(value, "")
        )
    })
}

/// Returns the pattern that is probably meant: the first of several corrections that matches the command, or `None`.
fn intended_pattern(pattern: &Pattern) -> Option<String> {
    let text = pattern.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().copied()?;
    let command_analysis = analysis(&plainest_command(text));
    if let Some(translated) = translated_pattern(text) {
        return Some(translated);
    }
    // Tries the program without its file extension, the second word with a dash, and the pattern without its first
    // words.
    let program = [".exe", ".cmd", ".bat"].iter().find_map(|end| first.strip_suffix(end));
    let without_extension = program.map(|program| text.replacen(first, program, 1));
    let dashed = words.get(1).map(|options| text.replacen(options, &format!("-{options}"), 1));
    let without_first_words = (1..words.len()).filter_map(|from| words.get(from..)).map(|rest| rest.join(" "));
    without_extension.into_iter().chain(dashed).chain(without_first_words).find(|text| {
        Pattern::with_programs(text, pattern.programs()).is_ok_and(|corrected| is_match(&corrected, &command_analysis))
    })
}
