//! The pages of the book that `rules help` shows, and the search for what explains a word: a section, or rows of a
//! table.

/// A page of the book, and its name in `rules help NAME`.
pub(super) struct Page {
    pub(super) name: &'static str,
    /// The page as Markdown.
    pub(super) text: &'static str,
}

macro_rules! pages {
    ($($name:literal $file:literal),* $(,)?) => {
        &[$(Page { name: $name, text: include_str!(concat!("../../../book/src/", $file, ".md")) }),*]
    };
}

/// The reference of the language. The order is that of the search: earlier pages come first in the results.
pub(super) const LANGUAGE: &[Page] = pages![
    "conditions" "reference/conditions",
    "where" "reference/where",
    "effects" "reference/effects",
    "items" "reference/items",
    "fields" "reference/fields",
    "examples" "reference/examples",
    "decisions" "reference/decisions",
    "lexical" "reference/lexical",
    "shell" "reference/shell",
    "programs" "reference/programs",
    "mcp-tools" "reference/mcp-tools",
    "hosts" "reference/hosts",
    "settings" "reference/settings",
    "limits" "reference/limits",
    "laws" "reference/laws",
    "payloads" "reference/payloads",
    "claude-code" "claude-code",
    "wave" "wave",
    "overview" "reference/overview",
    "words" "reference/words",
    "codes" "codes",
];

/// The guides to the use of the program.
pub(super) const GUIDES: &[Page] = pages![
    "quick-start" "quick-start",
    "writing-rules" "writing-rules",
    "cookbook" "cookbook",
    "cookbook-commands" "cookbook/commands",
    "cookbook-files" "cookbook/files",
    "cookbook-git" "cookbook/git",
    "cookbook-secrets" "cookbook/secrets",
    "cookbook-agents" "cookbook/agents",
    "cookbook-automation" "cookbook/automation",
    "shell-commands" "shell-commands",
    "guards" "guards",
    "commands" "commands",
    "subagents" "subagents",
    "testing" "testing",
    "troubleshooting" "troubleshooting",
    "cannot" "cannot",
    "packs" "packs",
    "layers" "layers",
    "monorepos" "monorepos",
    "agents" "agents",
    "trusting" "trust",
    "rolling-out" "rolling-out",
    "failures" "failures",
    "log-format" "log",
    "threat-model" "threat-model",
    "installing" "install",
    "registering" "registering",
    "editors" "editors",
    "importing" "importing",
    "migrating" "migrating",
];

/// Returns every page.
pub(super) fn all_pages() -> impl Iterator<Item = &'static Page> {
    LANGUAGE.iter().chain(GUIDES)
}

/// A part of a page that explains a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TopicPlace {
    /// The name of the page.
    pub(super) page: &'static str,
    /// The part as Markdown: a section, or the heading of a section with some rows of its table.
    pub(super) text: String,
}

/// A part of a page, from a heading to the next heading of any level.
struct PageSection {
    page: &'static str,
    /// The number of `#` of the heading.
    level: usize,
    /// The text of the heading, as Markdown.
    title: &'static str,
    /// All lines; the first is the heading.
    lines: Vec<&'static str>,
}

/// Returns the best explanations of a word or phrase: sections whose heading is the word, and table rows that begin
/// with it; if there are none, the first section that has the word in code.
pub(super) fn find(word: &str) -> Vec<TopicPlace> {
    let word = word.trim_matches('`').trim_start_matches('@');
    let sections: Vec<PageSection> = all_pages().flat_map(sections).collect();
    let by_heading: Vec<TopicPlace> = sections
        .iter()
        .enumerate()
        .filter(|(_, section)| section.level > 1 && is_about(section.title, word))
        .map(|(index, section)| section_with_subsections(&sections, index, section))
        .collect();
    let by_row: Vec<TopicPlace> = sections.iter().filter_map(|section| matching_rows(section, word)).collect();
    match (by_heading.is_empty(), by_row.is_empty()) {
        // Rows that begin with the word often explain more than the section, so up to two are added.
        (false, true) => by_heading,
        (false, false) => by_heading.into_iter().chain(by_row.into_iter().take(2)).take(3).collect(),
        (true, false) => by_row.into_iter().take(2).collect(),
        (true, true) => {
            let in_code = sections.iter().enumerate().filter(|(_, section)| has_in_code(section, word));
            in_code.map(|(index, section)| section_with_subsections(&sections, index, section)).take(1).collect()
        }
    }
}

/// Returns all words that can be looked up, to suggest a similar one: names of pages, headings of one word, and code
/// in the first cells of tables.
pub(super) fn words() -> Vec<String> {
    let mut out: Vec<String> = all_pages().map(|page| page.name.to_owned()).collect();
    for section in all_pages().flat_map(sections) {
        if section.level > 1 && !section.title.contains(' ') {
            out.push(section.title.trim_matches('`').to_lowercase());
        }
        for cell in section.lines.iter().filter_map(|line| first_cell(line)) {
            out.extend(backticked_texts(cell).flat_map(tokens).filter(|token| token.len() > 2).map(str::to_owned));
        }
    }
    out
}

/// Splits a page at its headings; `#` in a code block is no heading.
fn sections(page: &'static Page) -> Vec<PageSection> {
    let mut out: Vec<PageSection> = Vec::new();
    let mut is_code = false;
    for line in page.text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if !is_code && (1..=6).contains(&level) && title.starts_with(' ') {
            out.push(PageSection { page: page.name, level, title: title.trim(), lines: vec![line] });
        } else if let Some(section) = out.last_mut() {
            section.lines.push(line);
        }
    }
    out
}

/// Returns the section at an index with its subsections.
fn section_with_subsections(sections: &[PageSection], index: usize, section: &PageSection) -> TopicPlace {
    let following = sections.iter().skip(index + 1);
    let subsections = following.take_while(|next| next.page == section.page && next.level > section.level);
    let lines = section.lines.iter().chain(subsections.flat_map(|next| &next.lines));
    TopicPlace { page: section.page, text: lines.copied().collect::<Vec<_>>().join("\n") }
}

/// Whether a heading is the word, or a list of words with commas that contains it: `reads, writes`.
fn is_about(title: &str, word: &str) -> bool {
    let plain = title.replace('`', "");
    plain.eq_ignore_ascii_case(word) || plain.split(", ").any(|part| part.eq_ignore_ascii_case(word))
}

/// Returns the rows of a section's tables whose first cell has the word in code, after the section's heading and the
/// table's head; `None` if there are no such rows.
fn matching_rows(section: &PageSection, word: &str) -> Option<TopicPlace> {
    let begins_with_word =
        |code: &str| code.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '(']));
    let has_word = |code: &str| begins_with_word(code) || tokens(code).any(|token| token == word);
    let is_about_word = |line: &&&str| first_cell(line).is_some_and(|cell| backticked_texts(cell).any(has_word));
    let rows: Vec<&str> = section.lines.iter().filter(is_about_word).copied().collect();
    let first_row = section.lines.iter().position(|line| rows.first() == Some(line))?;
    // The table begins after the last line above that is not a row; its first two lines are its head.
    let before = section.lines.get(..first_row)?;
    let table = before.iter().rposition(|line| !line.starts_with('|')).map_or(0, |index| index + 1);
    let mut text = vec![*section.lines.first()?, ""];
    text.extend(section.lines.get(table..table + 2)?.iter().filter(|_| table < first_row));
    text.extend(rows);
    Some(TopicPlace { page: section.page, text: text.join("\n") })
}

/// Whether a section has a word in code (in backticks), alone or as a part.
fn has_in_code(section: &PageSection, word: &str) -> bool {
    section
        .lines
        .iter()
        .any(|line| backticked_texts(line).any(|code| code == word || tokens(code).any(|token| token == word)))
}

/// Returns the first cell of a table row; `None` for any other line, and for the line below the head.
fn first_cell(line: &str) -> Option<&str> {
    line.strip_prefix('|')?.split(" |").next().filter(|cell| !cell.starts_with("--"))
}

/// Returns the texts between backticks.
fn backticked_texts(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the words in a piece of code, then its operators: `a <= b` has `a`, `b` and `<=`.
fn tokens(code: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let words = code.split(move |c| !is_part(c)).filter(|word| !word.is_empty());
    words.chain(code.split_whitespace().filter(move |word| !word.contains(is_part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Event;

    #[track_caller]
    fn leads_to(word: &str, page: &str, text: &str) {
        let found = find(word);
        let place = found.iter().find(|place| place.page == page);
        let place = place.unwrap_or_else(|| panic!("{word}: {found:#?}"));
        assert!(place.text.contains(text), "{word}: {}", place.text);
    }

    #[test]
    fn a_word_of_the_language_leads_to_what_explains_it() {
        leads_to("runs", "conditions", "`runs P");
        leads_to("only runs", "conditions", "`only runs P`");
        leads_to("push_target", "where", "git push");
        leads_to("deny", "effects", "## deny");
        leads_to("globs", "fields", "## Globs");
        leads_to("severity", "items", "@severity(low)");
        leads_to("@observe", "items", "@observe");
        leads_to("starts_with", "conditions", "starts_with");
        leads_to("on_fail", "effects", "on_fail");
        leads_to("git.branch", "fields", "git.branch");
        assert_eq!(find("there-is-nothing-of-this-name"), []);
    }

    #[test]
    fn every_word_that_can_be_written_leads_somewhere() {
        let words = "rule let def use test on by when unless unknown fires quiet and or not in contains starts_with \
                     ends_with like matches under outside exists all only runs pipes reads writes deletes sends connects where \
                     file_exists file_size deny ask allow halt exit context warn rewrite notify run record severity \
                     tags owner url off observe timeout background stdin output cwd env given expect";
        let events = Event::ALL.iter().map(|event| event.name());
        let missing: Vec<&str> = words.split_whitespace().chain(events).filter(|word| find(word).is_empty()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
