//! What a command is does not depend on how it is written, nor on its surroundings.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::select;

use super::JOINED;
use crate::analysis::{Analysis, StartDirectories};
use crate::edit::Edit;
use crate::glob::Fit;
use crate::interpret::analyse;
use crate::path::Roots;
use crate::pattern::Pattern;

fn start() -> StartDirectories<'static> {
    StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) }
}

const PATTERN: &str = "git push --force";

/// Commands that [`PATTERN`] matches.
const MATCHES: &[&[&str]] = &[
    &["git", "push", "--force"],
    &["git", "push", "-f", "origin", "main"],
    &["git", "-C", "a b", "push", "-uf", "origin"],
    &["git", "-c", "x.y=$(z)", "push", "origin", "--force"],
    &["/usr/bin/git", "push", "--force", "a'b", "c\"d", "e\\f", "g*h", "ü", "~", "{i,j}", "#k", ""],
];

/// Commands that it does not match.
const OTHERS: &[&[&str]] = &[
    &["git", "push", "--force-with-lease"],
    &["git", "push"],
    &["git", "pull", "--force"],
    &["echo", "git", "push", "--force"],
    &["git", "commit", "-m", "git push --force"],
    &["git push --force"],
    &["rm", "-f", "git", "push"],
    &["printf", "%s;%s\n", "git push -f", "$(git push -f)"],
];

/// How a part of a word is written.
#[derive(Clone, Copy, Debug)]
enum Style {
    Bare,
    Single,
    Double,
    Hex,
    Octal,
    Unicode,
}

const STYLES: &[Style] = &[Style::Bare, Style::Single, Style::Double, Style::Hex, Style::Octal, Style::Unicode];

/// Texts between two parts of a word that expand to nothing.
const NOTHING: &[&str] = &["", "", "", "''", "\"\"", "$''", "\\\n", "\"\"''"];

/// Texts between two words.
const BLANKS: &[&str] = &[" ", " ", "  ", "\t", " \\\n  ", "${IFS}", " ${IFS} "];

fn part(text: &str, style: Style) -> String {
    let each = |start: &str, one: fn(char) -> String| format!("{start}{}'", text.chars().map(one).collect::<String>());
    match style {
        Style::Bare => {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c) || !c.is_ascii();
            text.chars()
                .map(|c| {
                    if plain(c) {
                        c.to_string()
                    } else if c == '\n' {
                        "'\n'".to_owned()
                    } else {
                        format!("\\{c}")
                    }
                })
                .collect()
        }
        Style::Single => format!("'{}'", text.replace('\'', "'\\''")),
        Style::Double => {
            let escaped = |c: char| if "\"\\$`".contains(c) { format!("\\{c}") } else { c.to_string() };
            format!("\"{}\"", text.chars().map(escaped).collect::<String>())
        }
        Style::Hex => format!("$'{}'", text.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>()),
        Style::Octal => format!("$'{}'", text.bytes().map(|byte| format!("\\{byte:03o}")).collect::<String>()),
        Style::Unicode => each("$'", |c| format!("\\U{:08x}", u32::from(c))),
    }
}

/// Choices for one word: where it is cut, how each part is written, the text between, and the form of the whole.
type Choices = Vec<(usize, u8, u8, u8)>;

/// Writes a word, and what has to stand before the command for that.
fn word(text: &str, choices: &Choices, name: &str) -> (String, String) {
    let mut written = String::new();
    let mut rest = text;
    for (cut, style, nothing, _) in choices {
        let at = rest.char_indices().nth(1 + cut % 4).map_or(rest.len(), |(at, _)| at);
        let (one, behind) = rest.split_at(at);
        written.push_str(&part(one, STYLES[usize::from(*style) % STYLES.len()]));
        written.push_str(NOTHING[usize::from(*nothing) % NOTHING.len()]);
        rest = behind;
    }
    if !rest.is_empty() || text.is_empty() {
        written.push_str(&part(rest, Style::Single));
    }
    match choices.first().map_or(0, |choice| choice.3) % 12 {
        0 => (format!("{name}={written}; "), format!("\"${name}\"")),
        1 => (format!("{name}={written}\n"), format!("\"${{{name}}}\"")),
        // Bash 5.2 wants a second quote.
        2 if !text.contains('\'') => {
            (format!("{name}=; "), format!("\"${{{name}:-{}}}\"", part(text, Style::Double).trim_matches('"')))
        }
        3 => (format!("{name}=xyz{written} && "), format!("\"${{{name}#xyz}}\"")),
        4 => (format!("{name}=({written}); "), format!("\"${{{name}[@]}}\"")),
        5 if !text.is_empty() => (format!("printf -v {name} %s {written}; "), format!("\"${name}\"")),
        6 if !text.is_empty() => (String::new(), format!("{{{written},}}")),
        _ => (String::new(), written),
    }
}

/// Writes a command in a random spelling that expands to the same words.
fn command(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    let choices = prop::collection::vec((0_usize..4, any::<u8>(), any::<u8>(), any::<u8>()), 1..4);
    prop::collection::vec((choices, select(BLANKS)), words.len()).prop_map(move |all| {
        let (mut before, mut line) = (String::new(), String::new());
        for (at, (text, (choices, blank))) in words.iter().zip(&all).enumerate() {
            let (set, written) = word(text, choices, &format!("v{at}"));
            before.push_str(&set);
            // Braces are expanded before all else: they would take in what `${IFS}` joins to them.
            let is_joined = blank.contains("IFS") && (line.ends_with('}') || written.starts_with('{'));
            if at > 0 {
                line.push_str(if is_joined { " " } else { blank });
            }
            line.push_str(&written);
        }
        before + &line
    })
}

fn of(commands: &'static [&'static [&'static str]]) -> impl Strategy<Value = String> {
    select(commands).prop_flat_map(command)
}

/// The result of a pattern on a whole text, as `runs` evaluates it.
fn runs(analysis: &Analysis) -> Fit {
    let pattern = Pattern::new(PATTERN).unwrap();
    let doubt = |why: &Option<crate::word::Unknown>| why.clone().map_or(Fit::Yes, Fit::Maybe);
    let commands = analysis.commands.iter().map(|command| pattern.runs(command).and(doubt(&command.doubt)));
    let is_named = |text: &crate::UnseenText| pattern.is_named_in(text);
    let opaque = analysis.opaque.iter().filter(|opaque| opaque.text.as_ref().is_none_or(is_named));
    commands.chain(opaque.map(|opaque| Fit::Maybe(opaque.reason.clone()))).fold(Fit::No, Fit::or)
}

/// Whether every command certainly matches, as `only runs` evaluates it.
fn only_runs(analysis: &Analysis, pattern: &Pattern) -> bool {
    let roots = Roots {
        project: Some(PathBuf::from("/w")),
        worktrees: Vec::new(),
        home: Some(PathBuf::from("/home/dev")),
        tmp: vec![PathBuf::from("/tmp")],
    };
    !analysis.commands.is_empty()
        && analysis.opaque.is_empty()
        && analysis
            .commands
            .iter()
            .all(|command| command.doubt.is_none() && pattern.runs_only(command, &roots) == Fit::Yes)
}

/// Texts in which a command is only text.
const EMBEDDED: &[&str] = &[
    "echo '{q}'",
    "git commit -m '{q}'",
    "git commit -am \"fix\" -m '{q}' && git log",
    "x='{q}'",
    "x='{q}' ls",
    "printf '%s\\n' '{q}' > notes.txt",
    "cat <<'END'\n{1}\nEND",
    "cat > f <<\\END\n{1}\nEND\nls",
    "tee f <<'END' | wc -l\n{1}\nEND",
    ": <<'END'\n{1}\nEND",
    "cat <<< '{q}'",
    "# {l}",
    "ls # {l}",
    "[[ $x == '{q}' ]] && ls",
    "case x in '{q}') ls;; esac",
    "grep -rn -- '{q}' src",
    "f() { {1}\n}",
];

fn embedded(template: &str, text: &str) -> String {
    let quoted = text.replace('\'', "'\\''");
    template.replace("{q}", &quoted).replace("{l}", &text.replace('\n', " ")).replace("{1}", text)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_match_stays_one_however_it_is_written(text in of(MATCHES)) {
        prop_assert_eq!(runs(&analyse(&text, &start())), Fit::Yes, "{}", text);
    }

    #[test]
    fn what_is_none_stays_none_however_it_is_written(text in of(OTHERS)) {
        prop_assert_eq!(runs(&analyse(&text, &start())), Fit::No, "{}", text);
    }

    #[test]
    fn what_is_only_text_is_no_match(template in select(EMBEDDED), text in of(MATCHES)) {
        let text = embedded(template, &text);
        prop_assert_eq!(runs(&analyse(&text, &start())), Fit::No, "{}", text);
    }

    #[test]
    fn what_stands_beside_a_command_does_not_change_it(
        template in select(JOINED), outer in select(JOINED),
        matching in of(MATCHES), other in of(OTHERS), third in of(OTHERS), first in any::<bool>(),
    ) {
        let join = |template: &str, one: &str, two: &str| template.replace("{1}", one).replace("{2}", two);
        let [matching, other, third] = [matching, other, third].map(|text| format!("{{ {text}\n}}"));
        let (one, two) = if first { (&matching, &other) } else { (&other, &matching) };
        let with = join(outer, &join(template, one, two), &third);
        prop_assert_eq!(runs(&analyse(&with, &start())), Fit::Yes, "{}", with);
        let without = join(outer, &join(template, &third, &other), &other);
        prop_assert_eq!(runs(&analyse(&without, &start())), Fit::No, "{}", without);
    }

    /// No way of writing a command makes it one that is allowed, and none of joining it to one that is.
    #[test]
    fn what_is_not_allowed_alone_is_not_allowed_beside_another(
        template in select(JOINED), other in of(MATCHES), first in any::<bool>(), allowed in select(&["git status", "git log -3", "git diff a b"][..]),
    ) {
        let pattern = Pattern::new("git (status|log|diff) *").unwrap();
        prop_assert!(only_runs(&analyse(allowed, &start()), &pattern), "{}", allowed);
        prop_assert!(!only_runs(&analyse(&other, &start()), &pattern), "{}", other);
        let (one, two) = if first { (allowed, other.as_str()) } else { (other.as_str(), allowed) };
        let text = template.replace("{1}", one).replace("{2}", two);
        prop_assert!(!only_runs(&analyse(&text, &start()), &pattern), "{}", text);
    }

    /// Whatever becomes of a text, everything that is asked of it has an answer.
    #[test]
    fn no_damage_makes_anything_fail(
        template in select(JOINED), one in of(MATCHES), two in of(OTHERS),
        damage in prop::collection::vec((any::<prop::sample::Index>(), select(&["", "'", "\"", "`", "$(", ")", "\\", "\n", "<<E\n", ";", "&", "|", "{", "}", "\0", "é", "\r", "${", "$'"][..]), 0_usize..4), 1..6),
    ) {
        let mut chars: Vec<char> = template.replace("{1}", &one).replace("{2}", &two).chars().collect();
        for (index, sign, cut) in damage {
            let at = index.index(chars.len() + 1);
            let end = (at + cut).min(chars.len());
            chars.splice(at..end, sign.chars());
        }
        let text: String = chars.into_iter().collect();
        let analysis = analyse(&text, &start());
        runs(&analysis);
        only_runs(&analysis, &Pattern::new("git push *").unwrap());
        let edit = Edit::new(PATTERN, "git push --force-with-lease").unwrap();
        let _ = edit.apply(&text, &analysis, &start());
    }
}
