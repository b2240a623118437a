//! Measures the analysis of shell commands: each fixture of the tests is analysed and matched against patterns.
//!
//! For one-line texts, for all texts, and for one-line programs in each supported language it prints the median, the
//! 95th percentile and the maximum, in microseconds: of the analysis, of the first pattern, which reads the words, and
//! of each further one.

#![expect(clippy::disallowed_methods, reason = "it reads the fixtures and takes the time")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use hookrules_shell::{Pattern, StartDirectories, analyse, quote};

/// The number of measurements of each command; the least counts, because other load only adds to the time.
const ROUNDS: usize = 50;

const PATTERNS: &[&str] = &[
    "git push (--force|--mirror)",
    "git reset --hard",
    "rm -r -f *",
    "curl|wget",
    "npm install !--save",
    "docker run !*",
    "kubectl delete * --all",
    "* --force",
];

fn main() -> Result<(), Box<dyn Error>> {
    let start = StartDirectories { cwd: Path::new("/project"), home: Some(Path::new("/home/user")) };
    let patterns = PATTERNS.iter().map(|pattern| Pattern::new(pattern)).collect::<Result<Vec<_>, _>>();
    let patterns = patterns.map_err(|_| "a pattern does not load")?;
    let texts = texts()?;
    let mut out = io::stdout().lock();
    writeln!(out, "texts\tcount\tmedian\tp95\tmost\tfirst patterns: median\tp95\tagain: median\tp95")?;
    let one_line: Vec<&String> = texts.iter().filter(|text| !text.contains('\n')).collect();
    let (python, javascript) = (programs("python", "python3 -c")?, programs("javascript", "node -e")?);
    let (ruby, php, perl) = (programs("ruby", "ruby -e")?, programs("php", "php -r")?, programs("perl", "perl -e")?);
    let groups = [
        ("one line", one_line),
        ("all", texts.iter().collect()),
        ("Python", python.iter().collect()),
        ("JavaScript", javascript.iter().collect()),
        ("Ruby", ruby.iter().collect()),
        ("PHP", php.iter().collect()),
        ("Perl", perl.iter().collect()),
    ];
    for (name, texts) in groups {
        let (mut analysed, mut first, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for text in &texts {
            let mut least = [f64::INFINITY; 3];
            for _ in 0..ROUNDS {
                let begin = Instant::now();
                let analysis = black_box(analyse(text, &start));
                let ends = [begin.elapsed(), hold(&analysis, &patterns), hold(&analysis, &patterns)];
                for (least, end) in least.iter_mut().zip(ends) {
                    *least = least.min(end.as_secs_f64() * 1e6);
                }
            }
            let [one, two, three] = least;
            analysed.push(one);
            first.push(two);
            again.push(three);
        }
        let [a, b, c] = [analysed, first, again].map(quantiles);
        let most = a.2;
        let (first, again) = ((b.0, b.1), (c.0, c.1));
        writeln!(
            out,
            "{name}\t{}\t{:.1}\t{:.1}\t{most:.1}\t{:.2}\t{:.2}\t{:.2}\t{:.2}",
            texts.len(),
            a.0,
            a.1,
            first.0,
            first.1,
            again.0,
            again.1
        )?;
    }
    Ok(())
}

/// Matches every command against every pattern.
fn hold(analysis: &hookrules_shell::Analysis, patterns: &[Pattern]) -> std::time::Duration {
    let begin = Instant::now();
    for command in &analysis.commands {
        for pattern in patterns {
            black_box(pattern.runs(command));
        }
    }
    begin.elapsed()
}

fn texts() -> Result<Vec<String>, Box<dyn Error>> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/shell");
    let ordinary = fs::read_to_string(fixtures.join("ordinary.txt"))?;
    let ordinary = ordinary.lines().filter(|line| !line.starts_with('#')).map(|line| line.replace('⏎', "\n"));
    let mut texts: Vec<String> = ordinary.collect();
    for row in fs::read_to_string(fixtures.join("corpus.jsonl"))?.lines() {
        let row: serde_json::Value = serde_json::from_str(row)?;
        texts.extend(row.get("command").and_then(|command| command.as_str()).map(str::to_owned));
    }
    Ok(texts)
}

/// Returns the one-line programs in a language, among those that are executed for their effects, as commands.
fn programs(language: &str, interpreter: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/differential/texts/code.txt");
    let text = fs::read_to_string(file)?;
    let title = format!("= {language}\n");
    let behind = text.split(&title).skip(1);
    let own = behind.map(|part| part.split("\n= ").next().unwrap_or(part));
    let lines =
        own.flat_map(str::lines).filter(|line| !line.is_empty() && !line.starts_with('#') && !line.contains('⏎'));
    let program = |line: &str| format!("{interpreter} {}", quote(line.split(" #").next().unwrap_or(line)));
    Ok(lines.map(program).collect())
}

/// Returns the median, the 95th percentile and the maximum.
fn quantiles(mut times: Vec<f64>) -> (f64, f64, f64) {
    times.sort_by(f64::total_cmp);
    let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1))).copied();
    (at(50).unwrap_or(f64::NAN), at(95).unwrap_or(f64::NAN), times.last().copied().unwrap_or(f64::NAN))
}
