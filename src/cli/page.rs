//! Formats pages of the book, which are Markdown, for the terminal: headings, paragraphs, lists, tables and code,
//! wrapped to its width.

use super::print::{Printer, Style};
use crate::wrap::{columns, truncate, wrapped};

/// The minimum width to which a table column is narrowed.
const MIN_COLUMN_WIDTH: usize = 10;

/// The indentation of code blocks.
const CODE_INDENT: &str = "    ";

/// Formats a Markdown page for the terminal.
pub(super) fn render(text: &str, printer: &Printer) -> String {
    let mut page = Page { printer, out: String::new(), paragraph: Vec::new(), lead: None, table: Vec::new() };
    let mut is_code = false;
    let text = printer.displayable(text);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            page.flush();
            is_code = !is_code;
            page.blank();
        } else if is_code {
            page.out.push_str(format!("{CODE_INDENT}{line}").trim_end());
            page.out.push('\n');
        } else {
            page.line(line);
        }
    }
    page.flush();
    let end = page.out.trim_end().len();
    page.out.truncate(end);
    page.out.push('\n');
    page.out
}

/// A page during formatting: the output so far, and the paragraph or table that is not yet complete.
struct Page<'p> {
    printer: &'p Printer,
    /// The output so far.
    out: String,
    /// The source lines of the current paragraph or list item; the book has one sentence on each line.
    paragraph: Vec<String>,
    /// The indentation and marker (`• `) of the current list item.
    lead: Option<String>,
    /// The rows of the current table.
    table: Vec<Vec<String>>,
}

impl Page<'_> {
    /// Adds a source line that is not part of a code block.
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            self.flush();
            self.blank();
        } else if trimmed.starts_with("<!--") {
            self.flush();
        } else if let Some(heading) = heading(trimmed) {
            self.flush();
            self.blank();
            self.out.push_str(&format!("{}\n\n", self.printer.paint(Style::Bold, &without_markup(heading))));
        } else if let Some(row) = trimmed.strip_prefix('|') {
            if self.table.is_empty() {
                self.flush();
            }
            self.table.push(cells(row));
        } else if let Some((lead, text)) = list_item(line, self.printer.signs().bullet) {
            self.flush();
            self.lead = Some(lead);
            self.paragraph.push(without_markup(text));
        } else {
            self.paragraph.push(without_markup(trimmed));
        }
    }

    /// Adds the current paragraph or table to the output, and begins a new one.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.paragraph).join(" ");
        let lead = self.lead.take().unwrap_or_default();
        if !text.is_empty() {
            let rest = " ".repeat(columns(&lead));
            self.out.push_str(&wrapped(self.printer.width(), &lead, &rest, &text));
        }
        let table = std::mem::take(&mut self.table);
        if !table.is_empty() {
            self.draw(&table);
        }
    }

    /// Adds a blank line, unless the output is empty or already ends with one.
    fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Adds a table to the output. The first row is its heading; a cell takes as many lines as it needs.
    fn draw(&mut self, table: &[Vec<String>]) {
        // The row `|---|---|` of Markdown.
        let is_separator =
            |row: &&Vec<String>| row.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| "-: ".contains(c)));
        let rows: Vec<&Vec<String>> = table.iter().filter(|row| !is_separator(row)).collect();
        let column_count = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
        let longest_cell = |column: usize| cells(column).map(|cell| columns(cell)).max().unwrap_or(0);
        let longest_word =
            |column: usize| cells(column).flat_map(|cell| cell.split(' ')).map(columns).max().unwrap_or(0);
        let natural = (0..column_count)
            .map(|column| TableColumn { width: longest_cell(column), longest_word: longest_word(column) });
        let widths = fit_widths(natural.collect(), self.printer.width());
        for (index, row) in rows.iter().enumerate() {
            let cells: Vec<Vec<String>> = widths
                .iter()
                .enumerate()
                .map(|(column, width)| {
                    let text = wrapped(*width, "", "", row.get(column).map_or("", String::as_str));
                    text.lines().map(str::to_owned).collect()
                })
                .collect();
            for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let mut text = String::new();
                for (cell, width) in cells.iter().zip(&widths) {
                    let part = cell.get(line).map_or("", String::as_str);
                    text.push_str(part);
                    text.push_str(&" ".repeat(width.saturating_sub(columns(part)).saturating_add(2)));
                }
                let text = text.trim_end();
                let text = if index == 0 { self.printer.paint(Style::Bold, text) } else { text.to_owned() };
                self.out.push_str(&format!("{text}\n"));
            }
            if index == 0 {
                let total = widths.iter().map(|width| width + 2).sum::<usize>().saturating_sub(2);
                let rule = self.printer.signs().rule.repeat(total.min(self.printer.width()));
                self.out.push_str(&format!("{}\n", self.printer.paint(Style::Dim, &rule)));
            }
        }
    }
}

/// A column of a table.
struct TableColumn {
    /// Its width in characters of the terminal.
    width: usize,
    /// The width of its longest word, which is not broken while another column can be narrowed.
    longest_word: usize,
}

/// Returns the widths of columns after narrowing the widest ones until the table fits into `total` characters. Words
/// are broken only if nothing else helps, and no column becomes narrower than [`MIN_COLUMN_WIDTH`].
fn fit_widths(mut columns: Vec<TableColumn>, total: usize) -> Vec<usize> {
    let gaps = columns.len().saturating_sub(1).saturating_mul(2);
    let room = total.saturating_sub(gaps);
    let mut excess = columns.iter().map(|column| column.width).sum::<usize>().saturating_sub(room);
    while excess > 0 {
        let width = |column: &&mut TableColumn| column.width;
        let keeps_words = |column: &&mut TableColumn| column.width > column.longest_word;
        let Some(widest) = columns.iter_mut().filter(keeps_words).max_by_key(width) else { break };
        widest.width -= 1;
        excess -= 1;
    }
    while excess > 0 {
        let wide = columns.iter_mut().filter(|column| column.width > MIN_COLUMN_WIDTH);
        let Some(widest) = wide.max_by_key(|column| column.width) else { break };
        widest.width -= 1;
        excess -= 1;
    }
    columns.into_iter().map(|column| column.width).collect()
}

/// Returns the text of a heading (`## Text`); `None` for any other line.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (1..=6).contains(&level).then(|| text.strip_prefix(' ')).flatten()
}

/// Returns the marker and the text of a list item (`- text`, `1. text`); `None` for any other line.
fn list_item<'l>(line: &'l str, bullet: &str) -> Option<(String, &'l str)> {
    let text = line.trim_start();
    let indent = " ".repeat(line.len() - text.len());
    if let Some(text) = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")) {
        return Some((format!("{indent}{bullet} "), text));
    }
    let (number, text) = text.split_once(". ")?;
    let is_number = !number.is_empty() && number.len() < 3 && number.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| (format!("{indent}{number}. "), text))
}

/// Splits a table row at its bars. A bar after a backslash (`\|`) is a part of a cell, also in code.
fn cells(row: &str) -> Vec<String> {
    let row = row.strip_suffix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&'|') => {
                chars.next();
                if let Some(cell) = cells.last_mut() {
                    cell.push('|');
                }
            }
            '|' => cells.push(String::new()),
            c => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(c);
                }
            }
        }
    }
    cells.iter().map(|cell| without_markup(cell.trim())).collect()
}

/// Removes the Markdown marks of links and bold text. Code keeps its backticks, and its content is not changed.
fn without_markup(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[', '*']) {
        let (before, marked) = rest.split_at(at);
        out.push_str(before);
        let shown_and_rest = match marked.chars().next() {
            Some('`') => code(marked),
            Some('[') => link(marked),
            _ => marked.strip_prefix("**").map(|after| (String::new(), after)),
        };
        match shown_and_rest {
            Some((shown, after)) => {
                out.push_str(&shown);
                rest = after;
            }
            None => {
                let (sign, after) = marked.split_at(1);
                out.push_str(sign);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns the code span at the beginning of a text, with its backticks, and the rest of the text; `None` if it is
/// not closed.
fn code(text: &str) -> Option<(String, &str)> {
    let marks = text.len() - text.trim_start_matches('`').len();
    let (mark, inner) = text.split_at_checked(marks)?;
    let end = inner.find(mark)?;
    let (shown, after) = inner.split_at_checked(end)?;
    Some((format!("{mark}{shown}{mark}"), after.strip_prefix(mark)?))
}

/// Returns the shown text of the link `[text](target)` at the beginning of a text, and the rest; `None` if there is
/// no link.
fn link(text: &str) -> Option<(String, &str)> {
    let (shown, after) = text.strip_prefix('[')?.split_once("](")?;
    let (_, after) = after.split_once(')')?;
    // In `[a] (b) [c](d)`, the first bracket is closed before `](`, so it is no link; a `]` in code does not count.
    let is_closed = shown.split('`').step_by(2).any(|text| text.contains(']'));
    (!is_closed).then(|| (without_markup(shown), after))
}

/// Returns the first heading of a page without Markdown marks; empty if there is none.
pub(super) fn title(text: &str) -> String {
    let title = text.lines().find_map(heading).unwrap_or_default();
    truncate(&without_markup(title), 60, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Color;

    fn shown(text: &str) -> String {
        render(text, &Printer::new(Color::Never).with_width(40))
    }

    #[test]
    fn a_page_is_readable_as_it_is_printed() {
        let page = "# Title\n\nOne sentence of several words.\nAnother, with a [link](a.md#b) and **bold**.\n\n\
                    - first\n- second, which is longer than one line has room for\n  and goes on\n\n\
                    ```rules\nrule a {\n  on Stop\n}\n```\n\nEnd.\n";
        let expected = "Title\n\nOne sentence of several words. Another,\nwith a link and bold.\n\n\
                        • first\n• second, which is longer than one line\n  has room for and goes on\n\n    \
                        rule a {\n      on Stop\n    }\n\nEnd.\n";
        assert_eq!(shown(page), expected);
    }

    #[test]
    fn the_cells_of_a_table_are_wrapped() {
        let page = "| a | means |\n|---|---|\n| `a\\|b` | one of them, whichever comes first in the text |\n| c | |\n";
        let expected = "a      means\n────────────────────────────────────────\n\
                        `a|b`  one of them, whichever comes\n       first in the text\nc\n";
        assert_eq!(shown(page), expected);
    }

    #[test]
    fn code_keeps_what_looks_like_a_mark() {
        assert_eq!(
            without_markup("`[a](b)` and `**/*.pem`, ``a`b``, 2 * 3"),
            "`[a](b)` and `**/*.pem`, ``a`b``, 2 * 3"
        );
        assert_eq!(without_markup("[`x`](y.md), [a]: b"), "`x`, [a]: b");
        assert_eq!(without_markup("[`[shell]`](y.md) and [a] (b)"), "`[shell]` and [a] (b)");
    }
}
