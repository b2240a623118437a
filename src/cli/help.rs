//! `rules help`: the pages of the language, what a code means, and the help of a command.

use clap::CommandFactory;

use super::page::{render, title};
use super::print::{Printer, Style, count};
use super::{Cli, Outcome, event_help};
use crate::diagnostic::{CODES, Code, nearest, page};
use crate::escape::line;

/// The reference pages of the book, by their names.
const TOPICS: &[(&str, &str)] = &[
    ("conditions", include_str!("../../book/src/reference/conditions.md")),
    ("decisions", include_str!("../../book/src/reference/decisions.md")),
    ("effects", include_str!("../../book/src/reference/effects.md")),
    ("examples", include_str!("../../book/src/reference/examples.md")),
    ("fields", include_str!("../../book/src/reference/fields.md")),
    ("items", include_str!("../../book/src/reference/items.md")),
    ("laws", include_str!("../../book/src/reference/laws.md")),
    ("lexical", include_str!("../../book/src/reference/lexical.md")),
    ("limits", include_str!("../../book/src/reference/limits.md")),
    ("overview", include_str!("../../book/src/reference/overview.md")),
    ("payloads", include_str!("../../book/src/reference/payloads.md")),
    ("programs", include_str!("../../book/src/reference/programs.md")),
    ("settings", include_str!("../../book/src/reference/settings.md")),
    ("where", include_str!("../../book/src/reference/where.md")),
    ("words", include_str!("../../book/src/reference/words.md")),
    ("codes", include_str!("../../book/src/codes.md")),
];

/// How many characters of a word that names nothing are shown.
const SHOWN: usize = 60;

/// Show a page about the language, a code, or the help of a command
///
/// Without TOPIC, lists the pages.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A page, e.g. conditions; a code, e.g. R0103; or a command
    #[arg(value_name = "TOPIC")]
    words: Vec<String>,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    let [topic, rest @ ..] = args.words.as_slice() else {
        list(printer);
        return Outcome::Clean;
    };
    if rest.is_empty() {
        if let Some((_, text)) = TOPICS.iter().find(|(name, _)| name.eq_ignore_ascii_case(topic)) {
            printer.out(&render(text, printer));
            return Outcome::Clean;
        }
        if let Some(outcome) = explain_code(topic, printer) {
            return outcome;
        }
        if let Some(help) = event_help(topic) {
            printer.out(&help);
            return Outcome::Clean;
        }
    }
    let mut command = Cli::command();
    command.build();
    let mut found = &mut command;
    for word in &args.words {
        match found.find_subcommand_mut(word) {
            Some(inner) => found = inner,
            None => return unknown(word, printer),
        }
    }
    printer.out(&found.render_long_help().to_string());
    Outcome::Clean
}

fn unknown(word: &str, printer: &mut Printer) -> Outcome {
    let command = Cli::command();
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let known = TOPICS.iter().map(|(name, _)| *name).chain(commands).chain(CODES.iter().map(|(code, _)| code.name));
    let near =
        nearest(word, known).map_or("`rules help` lists the pages".to_owned(), |near| format!("`{near}` exists"));
    printer.err(&format!("rules: no page, code or command `{}`; {near}\n", line(word, SHOWN)));
    Outcome::Usage
}

/// Prints the page of a code; nothing where the word is none. What has the form of a code is one, known or not.
pub(super) fn explain_code(word: &str, printer: &mut Printer) -> Option<Outcome> {
    if let Some(code) = Code::of(word) {
        printer.out(&render(page(code), printer));
        return Some(Outcome::Clean);
    }
    let digits = word.strip_prefix(['R', 'r']).filter(|digits| digits.len() == 4)?;
    if !digits.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    printer.err(&format!("rules: unknown code `{}`; `rules help codes` lists them\n", line(word, SHOWN)));
    Some(Outcome::Usage)
}

fn list(printer: &mut Printer) {
    printer.out(&format!("{}\n", printer.paint(Style::Bold, "Pages about the language:")));
    let width = TOPICS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, text) in TOPICS {
        let lead = format!("  {name}{}  ", " ".repeat(width - name.len()));
        let text = match *name {
            "codes" => format!("{}, each with a page: `rules explain R0103`", count(CODES.len(), "code")),
            _ => title(text),
        };
        printer.out(&printer.wrapped(&lead, &" ".repeat(lead.len()), &text));
    }
    let more = "`rules help PAGE` shows one, `rules help COMMAND` the options of a command.";
    printer.out(&format!("\n{}", printer.wrapped("", "", more)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Color;
    use crate::cli::wrap::columns;

    #[test]
    fn every_page_fits_a_terminal_but_for_code_and_long_words() {
        for width in [60, 80, 160] {
            let printer = Printer::new(Color::Never).with_width(width);
            for (name, text) in TOPICS {
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
