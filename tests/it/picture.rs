//! The picture in README.md: a terminal, drawn from a real run of the program. `RULES_BLESS=1` redraws it.

use std::fmt::Write;

use crate::generated::is_current_page;
use crate::machine::{Machine, send};

const PICTURE: &str = "book/src/pictures/first-denial.svg";

/// A typed line.
enum Line {
    /// It is run, and its output is shown.
    Run(&'static str),
    /// It is only shown: it needs the network, or changes the machine.
    Shown(&'static str),
}

/// The lines of the picture, starting with an empty project.
const SESSION: &[Line] = &[
    Line::Shown("cargo install --locked --path ."),
    Line::Run("rules init --yes --with git | grep wrote"),
    Line::Run("rules install claude-code --yes | tail -1"),
    Line::Run("rules doctor | tail -1"),
    Line::Run("rules explain 'cd api && git push --force origin topic'"),
];

/// The name of the project in the picture.
const PROJECT: &str = "~/app";

#[test]
fn the_picture_shows_what_the_program_prints() {
    let machine = Machine::new();
    let mut shown = String::new();
    for line in SESSION {
        match line {
            Line::Shown(text) => writeln!(shown, "{PROMPT} {text}").unwrap(),
            Line::Run(text) => {
                let printed = run(&machine, text);
                write!(shown, "{PROMPT} {text}\n{printed}").unwrap();
            }
        }
    }
    assert!(shown.contains("The hook guards here."), "the picture is about a hook that guards: {shown}");
    assert!(shown.contains("deny"), "the picture is about a denial: {shown}");
    is_current_page(PICTURE, &svg(shown.trim_end()));
}

const PROMPT: &str = "\u{1b}[32m$\u{1b}[0m";

/// Runs a line in the project, in colour, with the program of this build.
fn run(machine: &Machine, line: &str) -> String {
    let program = crate::system::program().replace('\'', r"'\''");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("rules() {{ '{program}' \"$@\" --color always; }}\n{line}")]);
    shell.current_dir(machine.path("project")).env("HOME", machine.path("home"));
    for name in ["CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "WAVE_PROJECT_DIR", "NO_COLOR", "ENV", "BASH_ENV", "TERM"] {
        shell.env_remove(name);
    }
    shell.env("LC_ALL", "C.UTF-8").env("COLUMNS", "80");
    let output = send(shell, b"");
    assert!(output.status.success(), "{line}: {output:?}");
    assert!(output.stderr.is_empty(), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| elsewhere(line) + "\n").collect()
}

/// Moves the project to a typical place: its place in a test and the display of that depend on the machine. So do other
/// warnings.
fn elsewhere(line: &str) -> String {
    const IN: &str = "judged in the project ";
    const GUARDS: &str = "The hook guards here";
    if line.starts_with(GUARDS) {
        return format!("{GUARDS}.");
    }
    let Some((before, place)) = line.split_once(IN) else { return line.to_owned() };
    let style = place.split_once('\u{1b}').map(|(_, style)| format!("\u{1b}{style}"));
    format!("{before}{IN}{PROJECT}{}", style.unwrap_or_default())
}

/// The sizes of a character, a line, and the borders in the picture.
const CHARACTER: f64 = 8.4;
const LINE: f64 = 20.0;
const MARGIN: f64 = 16.0;
const BAR: f64 = 30.0;

/// Draws the contents of a terminal.
fn svg(text: &str) -> String {
    let lines: Vec<Vec<Run>> = text.lines().map(runs).collect();
    let columns = lines.iter().map(|line| line.iter().map(Run::columns).sum::<usize>()).max().unwrap_or(0);
    let width = as_f64(columns) * CHARACTER + 2.0 * MARGIN;
    let height = BAR + as_f64(lines.len()) * LINE + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-labelledby=\"t\">\n\
         <title id=\"t\">A terminal: a project gets a policy and the hook, and a forced push is denied</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16181d\"/>\n\
         <circle cx=\"20\" cy=\"15\" r=\"5\" fill=\"#f0655b\"/><circle cx=\"38\" cy=\"15\" r=\"5\" fill=\"#f2bd42\"/><circle cx=\"56\" cy=\"15\" r=\"5\" fill=\"#5fc454\"/>\n\
         <g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"14\" fill=\"#d5d9e0\" xml:space=\"preserve\">\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let y = BAR + (as_f64(row) + 0.7) * LINE;
        let mut column = 0;
        for run in line {
            // Fixed to its columns for any font; blanks at the ends only affect the position.
            let text = run.text.trim();
            let blank = run.text.chars().take_while(|c| c.is_whitespace()).count();
            let x = MARGIN + as_f64(column + blank) * CHARACTER;
            let length = as_f64(text.chars().count()) * CHARACTER;
            if !text.is_empty() {
                writeln!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\"{}>{}</text>",
                    run.style,
                    escaped(text)
                )
                .unwrap();
            }
            column += run.columns();
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// Text in one style.
struct Run {
    text: String,
    style: &'static str,
}

impl Run {
    fn columns(&self) -> usize {
        self.text.chars().count()
    }
}

/// Splits a line at its changes of style.
fn runs(line: &str) -> Vec<Run> {
    let mut found = Vec::new();
    let mut style = "";
    for (number, part) in line.split("\u{1b}[").enumerate() {
        let text = if number == 0 {
            part
        } else {
            let (code, text) = part.split_once('m').expect("only styles");
            style = style_of(code);
            text
        };
        if !text.is_empty() {
            found.push(Run { text: text.to_owned(), style });
        }
    }
    found
}

/// Returns the attributes for a style of `Printer`.
fn style_of(code: &str) -> &'static str {
    match code {
        "0" => "",
        "1" => " font-weight=\"bold\"",
        "2" => " fill=\"#848c9a\"",
        "31" => " fill=\"#ff7b72\"",
        "32" => " fill=\"#7ee787\"",
        "33" => " fill=\"#e3b341\"",
        "36" => " fill=\"#76d9e6\"",
        other => panic!("the picture has no style for {other:?}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[expect(clippy::cast_precision_loss, reason = "columns and lines are few")]
fn as_f64(count: usize) -> f64 {
    count as f64
}
