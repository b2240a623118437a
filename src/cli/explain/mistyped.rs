//! Words that `rules explain` would take for a shell command, although the user probably meant a call, a rule or a
//! code.

use std::path::Path;

use super::input::is_known;
use crate::cli::help;
use crate::cli::load::load;
use crate::diagnostic::{CODES, nearest_name};
use crate::escape::line;
use crate::packs::pack;
use crate::platform::rights::is_executable;
use crate::ruleset::RuleNames;
use crate::schema::{Event, OTHER_TOOLS, Subject, TOOLS};
use crate::syntax::{escape_double_quoted, string_literal};
use hookrules_shell::programs::program;
use hookrules_shell::quote::quote;

/// The maximum number of characters of a typed word that a message shows.
const MAX_WORD_CHARS: usize = 60;

/// The minimum length of a word that may be a misspelled name; a shorter one is similar to too many names.
const MIN_NAME_LENGTH: usize = 5;

/// Shell builtins without a record that could be taken for a tool or an event in another case: `read` for `Read`.
const SHELL_WORDS: &[&str] = &["read", "exec", "stop", "wait", "bg", "fg", "jobs", "kill"];

/// Returns the message that the typed words are probably no shell command, and what to write instead; `None` if they
/// are a command, or a call in the language.
///
/// A known program is always a command: `ls`, `make`, `grep "x"`. Any other first word probably means an event or a
/// tool if it is one in another case (`edit "x"`), and a single word a rule or a code if it is similar to its name.
pub(super) fn problem(call: &[String], policy: Option<&Path>) -> Option<String> {
    let (head, rest) = split_head(call)?;
    if head.is_empty() && rest.is_none() {
        return Some("the call is empty: write `rules explain git push`, or a payload with `--event FILE`".to_owned());
    }
    if is_json(call) {
        let text = "this is a payload, not a call: put it into a file and write `rules explain --event FILE`, or give \
                    it on standard input to `rules explain`";
        return Some(text.to_owned());
    }
    if let Some(problem) = bare_event(head, rest.as_deref()) {
        return Some(problem);
    }
    if let Some(problem) = tool_like_program(head, rest.as_deref(), call) {
        return Some(problem);
    }
    if is_known(head) || is_program(head, rest.is_some()) {
        return None;
    }
    if let Some(name) = other_case(head) {
        let meant = selected_call(name, head, call).unwrap_or_else(|| {
            let text = rest.as_deref().map(|text| format!(" {}", written_text(text))).unwrap_or_default();
            format!("{name}{text}")
        });
        return Some(message(
            &format!("`{}` is no known program, but `{name}` is {}", shown(head), kind(name)),
            &meant,
            call,
        ));
    }
    if let Some(problem) =
        word_of_language(head, rest.as_deref(), call).or_else(|| operand(head, rest.as_deref(), call))
    {
        return Some(problem);
    }
    if rest.is_some() || !is_name(head) {
        return None;
    }
    let (what, name, command) = named_rule(head, policy).or_else(|| named_code(head)).or_else(|| named_word(head))?;
    let is = match name == head {
        true => format!("is a {what}"),
        false => format!("is no known program, but similar to the {what} `{}`", shown(&name)),
    };
    Some(format!("`{}` {is}: `{command}` shows it; {}", shown(head), as_command(call)))
}

/// Returns the message that a tool is meant, whose name in small letters is also that of a program: `read ".env"`. `None`
/// if the words may well be a command.
fn tool_like_program(head: &str, rest: Option<&str>, call: &[String]) -> Option<String> {
    let text = rest?.strip_prefix('"')?.strip_suffix('"').filter(|text| !text.contains('"'))?;
    let is_tool = match head {
        // The operand of the builtin is the name of a variable.
        "read" => !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
        // A shell runs the file with this name.
        "bash" => text.contains(' '),
        // Without a file, the program waits for its input.
        "grep" => true,
        _ => false,
    };
    let name = other_case(head).filter(|_| is_tool && call.len() == 1)?;
    let meant = format!("{name} \"{text}\"");
    Some(message(&format!("`{}` is probably the tool `{name}`", shown(head)), &meant, call))
}

/// Whether the typed words are a JSON object: the payload of an event.
fn is_json(call: &[String]) -> bool {
    let text = call.join(" ");
    text.trim_start().starts_with('{')
        && serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&text).is_ok()
}

/// Returns the message that an event about a tool is no call without one: `PreToolUse`. `None` for anything else.
fn bare_event(head: &str, rest: Option<&str>) -> Option<String> {
    let event = Event::from_name(head).filter(|event| event.spec().subject == Subject::Tool && rest.is_none())?;
    let name = event.name();
    let meant = quote(&format!("{name}(Bash) \"git push\""));
    Some(format!(
        "`{name}` alone is no call: write its tool, as in `rules explain {meant}`; `rules list --event {name}` shows its rules"
    ))
}

/// Returns the message that a word belongs to the language and is no call: `push_target`, `std/git`, `prompt "x"`. `None`
/// for any other word, and before words that the program would get.
fn word_of_language(head: &str, rest: Option<&str>, call: &[String]) -> Option<String> {
    if rest.is_some_and(|rest| !rest.starts_with('"')) {
        return None;
    }
    if pack(head).is_some() && rest.is_none() {
        return Some(format!("`{head}` is a pack: `rules list --pack {head}` shows its rules; {}", as_command(call)));
    }
    if !help::is_word(head) {
        return None;
    }
    let call_form = match rest {
        Some(_) => "a call begins with a tool or an event, as in `Write \"a\"`",
        None => &as_command(call),
    };
    Some(format!("`{head}` is a word of the language: `rules help {head}` explains it; {call_form}"))
}

/// Returns the message that a URL or the path of a file is no program. `None` for any other word, and for the path of a
/// program.
fn operand(word: &str, rest: Option<&str>, call: &[String]) -> Option<String> {
    if rest.is_some() {
        return None;
    }
    let (what, tool) = match word.split_once("://") {
        Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric()) => ("a URL", "WebFetch"),
        _ if word.contains('/') && !word.starts_with(['.', '/', '~', '$']) && !is_program_file(Path::new(word)) => {
            ("no known program", "Read")
        }
        _ => return None,
    };
    let meant = format!("{tool} {}", string_literal(word, ""));
    Some(message(&format!("`{}` is {what}", shown(word)), &meant, call))
}

/// Returns the call of an event with a tool, `PreToolUse(Bash) "ls"`, if the typed words are one in another case, or
/// with a blank in place of the parentheses. `None` for any other words.
fn selected_call(event: &str, head: &str, call: &[String]) -> Option<String> {
    Event::from_name(event)?;
    let typed = call.join(" ");
    let rest = typed.trim().strip_prefix(head)?;
    if let Some((subject, text)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        let text = text.trim();
        let text = if text.is_empty() { String::new() } else { format!(" {}", written_text(text)) };
        return is_name_of_subject(subject).then(|| format!("{event}({subject}){text}"));
    }
    let (word, text) = rest.trim().split_once(' ')?;
    let tool = TOOLS.iter().map(|tool| tool.name).find(|name| name.eq_ignore_ascii_case(word))?;
    Some(format!("{event}({tool}) {}", written_text(text.trim())))
}

/// Whether a text may be the subject of an event: a name without blanks and quotes.
fn is_name_of_subject(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '*'))
}

/// Splits the typed words into the first word and the text after it, if there is any.
fn split_head(call: &[String]) -> Option<(&str, Option<String>)> {
    let (first, others) = call.split_first()?;
    let first = first.trim();
    if others.is_empty() {
        return Some(match first.split_once([' ', '\t', '(']) {
            Some((head, rest)) => (head, Some(rest.trim().trim_end_matches(')').to_owned())),
            None => (first, None),
        });
    }
    Some((first, Some(others.join(" "))))
}

/// Whether a word is a program with a record, or a word of the shell. `stop` alone is more likely the event.
fn is_program(word: &str, has_operands: bool) -> bool {
    program(word).is_some() || SHELL_WORDS.contains(&word) && (has_operands || word != "stop")
}

/// Whether a word may be the name of a rule, a code or a field: no path, no option, no text of a shell.
fn is_name(word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '.');
    word.len() >= MIN_NAME_LENGTH && word.chars().all(is_part) && !word.starts_with('.')
}

/// Returns the event or tool whose name is this word in another case.
fn other_case(word: &str) -> Option<&'static str> {
    let tools = TOOLS.iter().map(|tool| tool.name).chain(OTHER_TOOLS.iter().copied());
    let mut known = tools.chain(Event::ALL.iter().map(|event| event.name()));
    known.find(|name| name.eq_ignore_ascii_case(word))
}

/// Whether a path is that of a file that can be run.
fn is_program_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && is_executable(path, &metadata))
}

fn kind(name: &str) -> &'static str {
    if Event::from_name(name).is_some() { "an event" } else { "a tool" }
}

/// Returns the text after the first word as an example spells it: in quotes, unless it begins with a quote or a brace.
fn written_text(text: &str) -> String {
    if text.starts_with(['"', '{']) { text.to_owned() } else { string_literal(text, "") }
}

/// Returns the rule with this name or a similar one: what it is, its name, and the command that shows it.
fn named_rule(word: &str, policy: Option<&Path>) -> Option<(&'static str, String, String)> {
    let policy = load(policy.map(Path::to_path_buf).as_slice());
    let names: RuleNames = policy.rule_names(None);
    let known: Vec<String> = policy.rules.rules().iter().map(|rule| names.unique_name(rule)).collect();
    let short = known.iter().filter_map(|name| name.rsplit('/').next());
    let near = nearest_name(word, known.iter().map(String::as_str).chain(short))?.to_owned();
    let command = format!("rules list -v {near}");
    Some(("rule", near, command))
}

/// Returns the code with a similar name.
fn named_code(word: &str) -> Option<(&'static str, String, String)> {
    let near = nearest_name(word, CODES.iter().map(|(code, _)| code.name))?;
    Some(("code", near.to_owned(), format!("rules explain {near}")))
}

/// Returns the word of the language with a similar name.
fn named_word(word: &str) -> Option<(&'static str, String, String)> {
    let near = help::near_word(word)?;
    let command = format!("rules help {near}");
    Some(("word", near, command))
}

/// Returns a message with what was meant, and how to explain the words as a command.
fn message(what: &str, meant: &str, call: &[String]) -> String {
    format!("{what}: write `rules explain {}`; {}", quote(meant), as_command(call))
}

/// Returns the advice on how to have the words explained as a command.
fn as_command(call: &[String]) -> String {
    let command = format!("Bash \"{}\"", escape_double_quoted(&line(&call.join(" "), usize::MAX)));
    format!("for a command of that name, write `rules explain {}`", quote(&command))
}

fn shown(word: &str) -> String {
    line(word, MAX_WORD_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[&str]) -> Option<String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        // A policy that is not there has no rules.
        problem(&words, Some(Path::new("/nowhere/none.rules")))
    }

    #[test]
    fn what_a_shell_can_run_is_a_command() {
        for words in [
            &["ls"][..],
            &["make"],
            &["git push -f"],
            &["grep \"x\" a"],
            &["read", "x"],
            &["bash", "x.sh"],
            &["./unknown-field"],
            &["my-own-tool"],
            &["Edit \"x\""],
            &["Stop"],
            &["unknown-fild", "x"],
            &["stop", "3"],
            &["src", "a"],
            &["./src/a"],
            &["{ ls; }"],
            &["PreToolUse(Bash) \"ls\""],
            &["push_target", "x"],
        ] {
            assert_eq!(said(words), None, "{words:?}");
        }
    }

    #[test]
    fn another_case_of_a_tool_or_an_event_is_a_call() {
        for (words, meant) in [
            (&["edit \"x\""][..], "rules explain 'Edit \"x\"'"),
            (&["write \"x\""], "rules explain 'Write \"x\"'"),
            (&["edit", "x"], "rules explain 'Edit \"x\"'"),
            (&["EDIT"], "rules explain 'Edit'`"),
            (&["pretooluse"], "rules explain 'PreToolUse'`"),
            (&["multiedit \"a\""], "rules explain 'MultiEdit \"a\"'"),
        ] {
            let said = said(words).unwrap_or_else(|| panic!("{words:?} is taken for a command"));
            assert!(said.contains(meant), "{words:?}: {said}");
        }
        let said = said(&["edit \"x\""]).unwrap();
        assert!(said.contains("`rules explain 'Bash \"edit \\\"x\\\"\"'`"), "what is to be typed is not: {said}");
    }

    #[test]
    fn what_is_no_command_is_not_judged_as_one() {
        for (words, told) in [
            (&[""][..], "the call is empty"),
            (&["stop"], "rules explain 'Stop'`"),
            (&["PreToolUse"], "write its tool, as in `rules explain 'PreToolUse(Bash) \"git push\"'`"),
            (&["push_target"], "`rules help push_target` explains it; for a command of that name"),
            (&["prompt \"x\""], "`rules help prompt` explains it; a call begins with a tool or an event"),
            (&["std/git"], "`rules list --pack std/git` shows its rules"),
            (&["{\"tool_name\":\"Bash\"}"], "`rules explain --event FILE`"),
            (&["https://x.y"], "`rules explain 'WebFetch \"https://x.y\"'`"),
            (&["src/a"], "`rules explain 'Read \"src/a\"'`"),
        ] {
            let said = said(words).unwrap_or_else(|| panic!("{words:?} is taken for a command"));
            assert!(said.contains(told), "{words:?}: {said}");
        }
    }

    #[test]
    fn a_tool_in_small_letters_with_a_quoted_text_is_no_program() {
        for (words, meant) in [
            ("read \".env\"", "rules explain 'Read \".env\"'"),
            ("bash \"npm test\"", "rules explain 'Bash \"npm test\"'"),
            ("grep \"main\"", "rules explain 'Grep \"main\"'"),
        ] {
            let said = said(&[words]).unwrap_or_else(|| panic!("{words} is taken for a command"));
            assert!(said.contains(meant), "{words}: {said}");
        }
        for words in ["read \"line\"", "bash \"x.sh\"", "grep \"x\" \"a b\"", "read x"] {
            assert_eq!(said(&[words]), None, "{words}");
        }
    }

    #[test]
    fn one_word_near_a_word_of_the_language_is_that_word() {
        for (typed, meant) in [
            ("permisson_mode", "permission_mode"),
            ("lenght", "length"),
            ("tool_imput", "tool_input"),
            ("git.brnch", "git.branch"),
            ("happend", "happened"),
        ] {
            let said = said(&[typed]).unwrap_or_else(|| panic!("{typed} is taken for a command"));
            assert!(said.contains(&format!("`rules help {meant}`")), "{typed}: {said}");
        }
    }

    #[test]
    fn one_word_near_a_code_is_that_code() {
        let said = said(&["unknown-fild"]).unwrap();
        assert!(said.contains("`rules explain unknown-field`") && said.contains("'Bash \"unknown-fild\"'"), "{said}");
    }
}
