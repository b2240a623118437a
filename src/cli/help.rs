//! `rules help`: shows pages of the book, explanations of words and codes, and the help of commands.

mod topics;

use clap::CommandFactory;

use super::page::{render, title};
use super::print::{Printer, Style, count};
use super::{Cli, CommandOutcome, event_help, reflow};
use crate::diagnostic::{CODES, Code, nearest_name, page};
use crate::escape::line;
use crate::packs::pack;
use crate::schema::Event;
use topics::{GUIDES, LANGUAGE, Page, all_pages, find};

/// The maximum number of characters of an unknown topic that are shown.
const MAX_TOPIC_CHARS: usize = 60;

/// Show a page, or explain a word, a code or a command
///
/// Without TOPIC, lists the pages.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct HelpArgs {
    /// A page, e.g. conditions; a word, e.g. runs or on_fail; a code, e.g. R0103; or
    /// a command
    #[arg(value_name = "TOPIC")]
    words: Vec<String>,
}

/// Runs the command.
pub(super) fn run(args: &HelpArgs, printer: &mut Printer) -> CommandOutcome {
    let [topic, rest @ ..] = args.words.as_slice() else {
        list(printer);
        return CommandOutcome::Clean;
    };
    if rest.is_empty() {
        if let Some(page) = all_pages().find(|page| page.name.eq_ignore_ascii_case(topic)) {
            printer.out(&render(page.text, printer));
            return CommandOutcome::Clean;
        }
        if let Some(outcome) = explain_code(topic, printer) {
            return outcome;
        }
        // For the name of an event, its meaning is shown rather than the help of the command that answers it.
        if event_help(topic).is_some() && print_explanations(topic, printer) {
            let more =
                printer.wrapped("", "  ", &format!("`rules {topic} --help` is about the command that answers it."));
            printer.out(&printer.paint(Style::Dim, &more));
            return CommandOutcome::Clean;
        }
        if pack(topic).is_some() {
            printer.out(&format!("`{topic}` is a pack: `rules list --pack {topic}` shows its rules\n"));
            return CommandOutcome::Clean;
        }
    }
    let mut command = reflow::for_terminal(Cli::command());
    command.build();
    let mut innermost = &mut command;
    for word in &args.words {
        match innermost.find_subcommand_mut(word) {
            Some(subcommand) => innermost = subcommand,
            None => {
                let words = args.words.join(" ");
                return if print_explanations(&words, printer) {
                    CommandOutcome::Clean
                } else {
                    report_unknown_topic(&words, printer)
                };
            }
        }
    }
    let help = innermost.render_long_help().to_string();
    printer.out(&printer.displayable(&help));
    CommandOutcome::Clean
}

/// Prints the parts of the book that explain a word, and the commands that show their pages. Returns whether there are
/// any.
fn print_explanations(word: &str, printer: &mut Printer) -> bool {
    let places = find(word);
    for (index, place) in places.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        printer.out(&format!("{gap}{}", render(&place.text, printer)));
    }
    let mut pages: Vec<&str> = Vec::new();
    for place in &places {
        if !pages.contains(&place.page) {
            pages.push(place.page);
        }
    }
    let commands: Vec<String> = pages.iter().map(|page| format!("`rules help {page}`")).collect();
    if !commands.is_empty() {
        let more = printer.wrapped("", "", &format!("More about this: {}", commands.join(", ")));
        printer.out(&format!("\n{}\n", printer.paint(Style::Dim, more.trim_end())));
    }
    !places.is_empty()
}

/// Prints that no topic has this name, with the most similar one, and returns the outcome of a usage error.
fn report_unknown_topic(word: &str, printer: &mut Printer) -> CommandOutcome {
    let command = Cli::command();
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let words = topics::words();
    let known = all_pages().map(|page| page.name).chain(commands).chain(CODES.iter().map(|(code, _)| code.name));
    // A similar page, command or code is suggested rather than a similar word of a table.
    let near = nearest_name(word, known).or_else(|| nearest_name(word, words.iter().map(String::as_str)));
    let near = near.or_else(|| all_pages().find(|page| has_word(&title(page.text), word)).map(|page| page.name));
    let near = near.map_or("`rules help` lists the pages".to_owned(), |near| format!("`rules help {near}` exists"));
    printer.err(&format!("rules: nothing is called `{}`; {near}\n", line(word, MAX_TOPIC_CHARS)));
    CommandOutcome::Usage
}

/// Returns the names of the pages, events and codes that `rules help` explains.
pub(super) fn topic_names() -> impl Iterator<Item = &'static str> {
    let codes = CODES.iter().flat_map(|(code, _)| [code.name, code.id]);
    all_pages().map(|page| page.name).chain(Event::ALL.iter().map(|event| event.name())).chain(codes)
}

/// Whether a word is one that the reference explains: a field, an operator, a keyword.
pub(super) fn is_word(word: &str) -> bool {
    topics::words().iter().any(|known| known == word)
}

/// Returns the word of the reference that a similar one means; `None` if none is near.
pub(super) fn near_word(word: &str) -> Option<String> {
    let words = topics::words();
    nearest_name(word, words.iter().map(String::as_str)).map(str::to_owned)
}

/// Whether a title contains a word, in any case.
fn has_word(title: &str, word: &str) -> bool {
    title.split(' ').any(|part| part.eq_ignore_ascii_case(word))
}

/// Prints the page of a finding's code. For a word that looks like a code but is none (`R9999`), prints an error; for
/// any other word, returns `None`.
pub(super) fn explain_code(word: &str, printer: &mut Printer) -> Option<CommandOutcome> {
    if let Some(code) = Code::find(word) {
        printer.out(&render(page(code), printer));
        return Some(CommandOutcome::Clean);
    }
    if !Code::is_id(word) {
        return None;
    }
    let near = Code::suggest_codes(word).unwrap_or_else(|| "`rules help codes` lists them".to_owned());
    printer.err(&format!("rules: unknown code `{}`; {near}\n", line(word, MAX_TOPIC_CHARS)));
    Some(CommandOutcome::Usage)
}

/// Prints the names of all pages with their titles.
fn list(printer: &mut Printer) {
    let width = all_pages().map(|page| page.name.len()).max().unwrap_or(0);
    let mut print_group = |heading: &str, pages: &[Page]| {
        printer.out(&format!("{}\n", printer.paint(Style::Bold, heading)));
        for Page { name, text } in pages {
            let lead = format!("  {name}{}  ", " ".repeat(width - name.len()));
            let text = match *name {
                "codes" => format!("{}, each with a page: `rules explain R0103`", count(CODES.len(), "code")),
                _ => title(text),
            };
            printer.out(&printer.wrapped(&lead, &" ".repeat(lead.len()), &text));
        }
    };
    print_group("The language:", LANGUAGE);
    print_group("\nWorking with it:", GUIDES);
    let more = "`rules help PAGE` shows one, `rules help WORD` what a word means, such as `runs`, `on_fail` or `PreToolUse`, \
                and `rules help COMMAND` the options of a command.";
    printer.out(&format!("\n{}", printer.wrapped("", "", more)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Color;
    use crate::wrap::columns;

    #[test]
    fn a_word_of_a_title_leads_to_its_page() {
        assert!(has_word("The language at a glance", "Language"));
        assert!(!has_word("The language at a glance", "lang"));
    }

    #[test]
    fn every_page_fits_a_terminal_but_for_code_and_long_words() {
        for width in [60, 80, 160] {
            let printer = Printer::new(Color::Never).with_width(width);
            for Page { name, text } in all_pages() {
                let shown = render(text, &printer);
                let too_wide = shown.lines().find(|line| {
                    let is_code = line.starts_with("    ");
                    let is_word = line.split_whitespace().any(|word| columns(word) > width / 4);
                    columns(line) > width && !is_code && !is_word
                });
                assert_eq!(too_wide, None, "{name} at {width}");
                assert!(!shown.contains("](") && !shown.contains("<!--") && !shown.contains("|---"), "{name}: {shown}");
            }
        }
    }
}
