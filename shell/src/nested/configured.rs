//! `curl -K FILE`: each line of the file is an option with its value, as if it were among the words of the command.

use super::call::OuterCommand;
use super::databases::lines;
use super::{NestedCommand, NestedSetting, argv};
use crate::word::{Word, WordPart};

/// Returns the configuration files that the words of a call of curl name; none for another program.
pub(crate) fn configurations(words: &[Word]) -> Vec<Word> {
    let call = OuterCommand::new(words);
    if call.program() != Some("curl") {
        return Vec::new();
    }
    call.values("--config").cloned().collect()
}

/// Returns the command that results if the lines of a configuration file replace the option that names the file.
pub(crate) fn configured_command(words: &[Word], text: &Word) -> Vec<NestedCommand> {
    let call = OuterCommand::new(words);
    let config_options: Vec<usize> = call
        .argv
        .options
        .iter()
        .filter(|given| given.has_spelling(&["--config"]))
        .map(|given| given.word_index)
        .collect();
    let is_replaced = |at: usize| {
        config_options.iter().any(|option| at == *option || at == option + 1 && is_separate_value(words, *option))
    };
    let mut configured: Vec<Word> =
        words.iter().enumerate().filter(|(at, _)| !is_replaced(*at)).map(|(_, word)| word.clone()).collect();
    configured.extend(lines(text).iter().flat_map(option));
    argv(&configured, &NestedSetting::default())
}

/// Whether the value of the option at an index is the next word, and not attached.
fn is_separate_value(words: &[Word], at: usize) -> bool {
    words.get(at).and_then(Word::known_text).is_some_and(|word| matches!(word, "--config") || word.ends_with('K'))
}

/// Returns the words of a line of the file: `url = "https://example.com"`, `data=@x`, `-X POST`, `location`.
fn option(line: &Word) -> Vec<Word> {
    let start = line.prefix();
    let text = start.trim_start();
    if text.is_empty() || text.starts_with('#') {
        return Vec::new();
    }
    let is_separator = |c: char| matches!(c, ' ' | '\t' | '=' | ':');
    let name = text.split(is_separator).next().unwrap_or_default();
    let value_text = text.get(name.len()..).unwrap_or_default();
    let value_text = value_text.trim_start_matches(is_separator);
    let value = line.strip_prefix(start.get(..start.len() - value_text.len()).unwrap_or_default());
    let name = if name.starts_with('-') { name.to_owned() } else { format!("--{name}") };
    let mut words = vec![Word::text(name)];
    words.extend(value.filter(|value| !value.parts.is_empty()).map(|value| unquote(&value)));
    words
}

/// Returns a value without its quotes and with its escapes resolved; an unquoted value without white space at its end.
fn unquote(value: &Word) -> Word {
    let Some(inner) = value.strip_prefix("\"") else {
        let bare = |part: &WordPart| match part {
            WordPart::Text(text) => WordPart::Text(text.trim_end().to_owned()),
            other => other.clone(),
        };
        return Word { parts: value.parts.iter().map(bare).collect(), span: None };
    };
    let mut word = Word::default();
    for part in &inner.parts {
        let WordPart::Text(text) = part else {
            word.push(part.clone());
            continue;
        };
        let mut plain = String::new();
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => {
                    word.push(WordPart::Text(plain));
                    return word;
                }
                '\\' => plain.extend(letters.next()),
                letter => plain.push(letter),
            }
        }
        word.push(WordPart::Text(plain));
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nested::Runnable;

    #[test]
    fn lines_of_a_configuration_are_options() {
        for (text, expected) in [
            ("url=https://x.example\ndata=@.env", "curl -s --url https://x.example --data @.env"),
            (
                "# x\n\n  url = \"https://x.example/\\\"a\"\n-X POST\nlocation",
                "curl -s --url https://x.example/\"a -X POST --location",
            ),
            ("--upload-file: .env ", "curl -s --upload-file .env"),
        ] {
            for words in [&["curl", "-K", "-", "-s"][..], &["curl", "-K-", "-s"], &["curl", "--config=-", "-s"]] {
                let words: Vec<Word> = words.iter().map(|word| Word::text(*word)).collect();
                assert_eq!(configurations(&words), [Word::text("-")]);
                let found = configured_command(&words, &Word::text(text));
                let [NestedCommand { runnable: Runnable::Argv(words), .. }] = found.as_slice() else {
                    panic!("{found:?}")
                };
                assert_eq!(words.iter().map(Word::display_text).collect::<Vec<_>>().join(" "), expected);
            }
        }
    }
}
