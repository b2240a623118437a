//! Findings about names in conditions that are not a field, a fact or a definition. For some of them, the phrasebook
//! has what they mean in another language, alone or in a comparison.

use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::phrases::{self, Phrase, PhrasePlace};
use crate::span::Span;
use crate::syntax::ast::{AstComparison, ConditionKind, FieldName, Operand, Operator, RunsCondition, ValueKind};
use crate::syntax::diagnose::{ForeignConstruct, translate};
use crate::syntax::language::draft::format_texts;
use crate::syntax::mistakes::clock::meant_part_of_day;
use crate::syntax::quote::string_literal;

/// Where an unresolved name is in a policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamePlace {
    /// After `where`.
    Where,
    /// In a condition of a rule whose events have no path of a file.
    Event,
    /// In a condition of a rule whose events have the path of a file.
    EventWithPath,
}

/// A name in a condition that is not a field, a fact or a definition.
#[derive(Clone, Copy, Debug)]
pub struct UnresolvedName<'a> {
    /// The dotted name.
    pub name: &'a FieldName,
    /// Where in the policy it is.
    pub place: NamePlace,
}

/// Returns the field, fact or member of the policy language for a name of another language; `None` if the phrasebook
/// has none.
#[must_use]
pub fn field_meant(name: &str) -> Option<&'static str> {
    // Some names mean a whole test, which contains a space and is not a name.
    phrases::meaning(PhrasePlace::Field, name).filter(|means| !means.contains(' '))
}

impl UnresolvedName<'_> {
    /// Returns the finding about a comparison with the name, `content.length > 10` or `cmd contains "rm"`; `None` if
    /// the phrasebook does not help.
    #[must_use]
    pub fn compared(&self, compare: &AstComparison) -> Option<Diagnostic> {
        let verb = self.verb(compare);
        match self.place {
            _ if verb.is_some() => verb,
            NamePlace::Where => self.number_of_words().or_else(|| self.words_after_subcommand(compare)),
            NamePlace::Event | NamePlace::EventWithPath => self
                .time_of_day(compare)
                .or_else(|| self.size_of_file(compare))
                .or_else(|| self.part_of_path(compare))
                .or_else(|| self.translated(compare)),
        }
    }

    /// Returns the finding about the name without its comparison; `None` if the phrasebook does not have it.
    /// `resolves` returns whether a dotted name has a value here.
    #[must_use]
    pub fn alone(&self, resolves: &dyn Fn(&[&str]) -> bool) -> Option<Diagnostic> {
        let text = self.name.text();
        if self.place == NamePlace::Where {
            let found = self.unknown_word("not a property of the command");
            let row = phrases::find_name_phrase(PhrasePlace::Where, &text)?;
            return Some(match row.help {
                "" => proposed(found, self.name.span, row.means.to_owned()),
                help => found.help(help),
            });
        }
        let found = self.unknown_field("not a field");
        if let Some(part) = self.row_of_path() {
            return Some(found.help(part.help));
        }
        match phrases::find_name_phrase(PhrasePlace::Field, &text) {
            Some(Phrase { means, .. }) if means.contains(' ') => {
                Some(proposed(found, self.name.span, (*means).to_owned()))
            }
            Some(Phrase { label: "", help, .. }) if !help.is_empty() => Some(found.help(*help)),
            Some(Phrase { label, help, run: "", .. }) if !label.is_empty() => {
                Some(self.unknown_fact(label, (*help).to_owned()))
            }
            // A call that writes a file has its text, while git only knows the files as they were before.
            Some(Phrase { label, help, .. }) if !help.is_empty() && self.place == NamePlace::EventWithPath => {
                Some(self.unknown_fact(label, (*help).to_owned()))
            }
            Some(Phrase { label, run, .. }) if !label.is_empty() => Some(self.unknown_fact(label, delete_and_run(run))),
            _ => self.renamed(resolves).map(|meant| proposed(found, self.name.span, meant)),
        }
    }

    /// Returns the finding about `url.host`; `None` for any other name. A URL is a single text, and its host is the
    /// separate field `domain`.
    #[must_use]
    pub fn url_part_finding(&self) -> Option<Diagnostic> {
        let [.., url, part] = self.name.segments.as_slice() else { return None };
        let finding = self.unknown_field("a URL is a text, without parts");
        (url.text == "url").then(|| match part.text.as_str() {
            "host" | "hostname" | "domain" | "netloc" | "authority" => {
                finding.help("the host of a URL is `domain`").fix(self.name.span, "domain")
            }
            _ => finding.help("test the text: `url starts_with \"…\"`, `url matches /…/`; its host is `domain`"),
        })
    }

    /// Returns the name in the policy language for this name of another language, if the former has a value here:
    /// `command` for `tool_input.cmd`.
    fn renamed(&self, resolves: &dyn Fn(&[&str]) -> bool) -> Option<String> {
        let segments: Vec<&str> = self.name.segments.iter().map(|segment| segment.text.as_str()).collect();
        let whole = match segments.as_slice() {
            // `tool_input.cmd` means a member of the input, or the field that replaces it for every tool.
            ["tool_input", last] if field_meant(&self.name.text()).is_none() => {
                field_meant(last).and_then(|ours| match resolves(&["tool_input", ours]) {
                    true => Some(format!("tool_input.{ours}")),
                    // A name with a similar spelling is the better suggestion, and is made elsewhere.
                    false => nearest_name(last, ["file_path"]).is_none().then(|| ours.to_owned()),
                })
            }
            _ => field_meant(&self.name.text()).map(str::to_owned),
        };
        // In `input.tool_name` and `payload.cwd`, the first segment is another language's name for the whole payload.
        let without_payload = || {
            let (first, rest) = segments.split_first().filter(|(_, rest)| !rest.is_empty())?;
            match rest {
                _ if resolves(&[first]) => None,
                rest if resolves(rest) => Some(rest.join(".")),
                rest => field_meant(&rest.join(".")).map(str::to_owned),
            }
        };
        whole.or_else(without_payload).filter(|meant| resolves(&meant.split('.').collect::<Vec<_>>()))
    }

    /// Returns the finding about another language's name for a test of files, `edits like "src/**"`; `None` if it is
    /// not one.
    fn verb(&self, compare: &AstComparison) -> Option<Diagnostic> {
        let row = phrases::find_phrase(PhrasePlace::Verb, &self.name.as_single_name()?.text)?;
        let not = if compare.negated || compare.operator == Operator::NotEqual { "not " } else { "" };
        let is_ours = matches!(compare.operator, Operator::Like | Operator::Under | Operator::Outside);
        let operator = if is_ours { compare.operator.as_str() } else { "like" };
        let value = match &compare.value.kind {
            ValueKind::Text(text) => string_literal(&text.value, ""),
            ValueKind::Name(name) => name.text(),
            _ => "…".to_owned(),
        };
        if row.means.is_empty() {
            let help = row.help.replace("$not ", not).replace("$operator", operator).replace("$value", &value);
            return Some(self.unknown_field("not a field").help(help));
        }
        let found = self.unknown_field("not a field: a verb of other programs?");
        let found = found.help(format!("write `{not}{} {operator} {value}`", row.means));
        Some(if is_ours && not.is_empty() { found.fix(self.name.span, row.means) } else { found })
    }

    /// Returns the finding about `where image == "*:latest"`: the words after the subcommand have no names here, and
    /// globs need `like`.
    fn words_after_subcommand(&self, compare: &AstComparison) -> Option<Diagnostic> {
        let row = phrases::find_name_phrase(PhrasePlace::Where, &self.name.as_single_name()?.text)?;
        // A row with a help and a plain name describes such a word.
        let is_field = !row.help.is_empty() && !row.means.contains(' ') && !row.means.is_empty();
        let texts = compare.value.texts()?;
        let is_whole = matches!(compare.operator, Operator::Equal | Operator::In | Operator::Like) && !compare.negated;
        if !is_field || !is_whole || compare.all {
            return None;
        }
        let operator = match texts.as_slice() {
            texts if texts.iter().any(|text| text.contains('*')) => "like",
            [_] => "==",
            _ => "in",
        };
        let right = format!("{} {operator} {}", row.means, format_texts(&texts));
        let found = self.unknown_word("not a property of the command: one of the words behind the subcommand?");
        Some(proposed(found, whole(compare), right))
    }

    /// Returns the finding about `now.hour >= 18` or `now > "17:30"`, with the part of the day that it means; `None`
    /// for any other comparison.
    fn time_of_day(&self, compare: &AstComparison) -> Option<Diagnostic> {
        let row = phrases::find_phrase(PhrasePlace::Field, &format!("{} $operator $number", self.name.text()))?;
        let (from, to) = meant_part_of_day(compare.operator, &compare.value)?;
        let not = if compare.negated { "not " } else { "" };
        Some(proposed(self.unknown_field(row.label), whole(compare), format!("time {not}in \"{from}\"..\"{to}\"")))
    }

    /// Returns the finding about `filesize > 1MB`; `None` for any other name.
    fn size_of_file(&self, compare: &AstComparison) -> Option<Diagnostic> {
        let word = self.name.text();
        if word == "content_length" {
            let found = self.unknown_field("not a field: the length of which text?");
            let help = format!("write `length content {} …`", compare.operator.as_str());
            return Some(found.help(help).fix(self.name.span, "length content"));
        }
        // `content.lines` has no equivalent: only bytes are counted.
        if let Some((text, member)) = word.rsplit_once('.')
            && matches!(member, "lines" | "size" | "len" | "words" | "count")
            && matches!(text, "command" | "content" | "prompt" | "url" | "tool_input.content" | "tool_input.command")
        {
            let right = format!("length {text}");
            let found = self.unknown_field("not a field: a text has a length in bytes");
            return Some(match member {
                "size" | "len" => found
                    .help(format!("write `{right} {} …`", compare.operator.as_str()))
                    .fix_that_changes(self.name.span, right),
                _ => found.help(format!("nothing counts {member}: write `{right} > 8KB` for the number of bytes")),
            });
        }
        matches!(word.as_str(), "filesize" | "file.size" | "path.size").then(|| {
            self.unknown_field("not a field: the size of which file?")
                .help(format!("write `file_size path {} …`", compare.operator.as_str()))
                .fix(self.name.span, "file_size path")
        })
    }

    /// Returns the finding about `operands.length` in a `where`; `None` for any other name.
    fn number_of_words(&self) -> Option<Diagnostic> {
        let [words, number] = self.name.segments.as_slice() else { return None };
        let place = match number.text.as_str() {
            "last" => Some("last operand"),
            "first" => Some("operand 1"),
            _ => None,
        };
        if let Some(place) = place.filter(|_| matches!(words.text.as_str(), "operands" | "args")) {
            let found = self.unknown_word("operands are counted from 1").help(format!("write `{place}`"));
            return Some(found.fix_that_changes(self.name.span, place));
        }
        let is_number = matches!(number.text.as_str(), "length" | "len" | "count" | "size");
        let is_several = matches!(words.text.as_str(), "operands" | "args" | "variables" | "via");
        let word = if is_several { "count" } else { "length" };
        (is_number && (is_several || words.text == "input")).then(|| {
            let right = format!("{word} {}", words.text);
            self.unknown_word("not a property of the command")
                .help(format!("write `{right}`"))
                .fix(self.name.span, right)
        })
    }

    /// Returns the row of the phrasebook for a part of a path that the name means (`extension`, `path.suffix`,
    /// `tool_input.file_path.name`), if the events have a path.
    fn row_of_path(&self) -> Option<&'static Phrase> {
        let segments: Vec<&str> = self.name.segments.iter().map(|segment| segment.text.as_str()).collect();
        let (last, front) = segments.split_last()?;
        let is_of_path = matches!(front, ["path" | "file" | "file_path"] | ["tool_input", "file_path"]);
        if !(front.is_empty() || is_of_path) || self.place != NamePlace::EventWithPath {
            return None;
        }
        let with_path =
            || phrases::find_phrase(PhrasePlace::PartOfPath, &format!("path.{last}")).filter(|_| is_of_path);
        phrases::find_phrase(PhrasePlace::PartOfPath, last).or_else(with_path)
    }

    /// Returns the finding about a comparison of a part of a path, `path.extension == "md"`: it proposes `path like
    /// "*.md"`.
    fn part_of_path(&self, compare: &AstComparison) -> Option<Diagnostic> {
        let part = self.row_of_path()?;
        let texts = compare.value.texts().filter(|texts| !texts.is_empty())?;
        if !matches!(compare.operator, Operator::Equal | Operator::NotEqual | Operator::In | Operator::Like) {
            return None;
        }
        let (operator, value) = part.means.strip_prefix("path ")?.split_once(' ')?;
        let shape = value.trim_matches('"');
        let filled_shape = |text: &&str| match operator {
            "under" => shape.replace("$text", text.trim_end_matches(['/', '*'])),
            _ if shape.starts_with("*.") => shape.replace("$text", text.trim_start_matches(['*', '.'])),
            _ => shape.replace("$text", text),
        };
        let value = format_texts(&texts.iter().map(filled_shape).collect::<Vec<_>>());
        let operator = match (operator, compare.is_negated()) {
            (operator, false) => operator,
            ("under", true) => "outside",
            (_, true) => "not like",
        };
        let right = format!("path {operator} {value}");
        let found = self.unknown_field("not a field: a path is tested as a whole").help(format!("write `{right}`"));
        Some(if compare.all { found } else { found.fix(whole(compare), right) })
    }

    /// Returns the finding about `content.length > 10` or `cmd contains "rm"`, translated like the same test in
    /// another language; `None` for any other comparison.
    fn translated(&self, compare: &AstComparison) -> Option<Diagnostic> {
        let text = self.name.text();
        let is_length = self.name.segments.last()?.text == "length";
        let command = field_meant(&text).filter(|meant| *meant == "command");
        let field = command.or(is_length.then_some(text.as_str()))?;
        let value = match &compare.value.kind {
            ValueKind::Text(text) => string_literal(&text.value, ""),
            ValueKind::Number(_, digits) | ValueKind::Size(_, digits) => digits.clone(),
            _ => return None,
        };
        let operator = compare.operator.as_str();
        let is_call = matches!(compare.operator, Operator::Contains | Operator::StartsWith) && field == "command";
        let test = match is_call {
            true => format!("{field}.{operator}({value})"),
            false => format!("{field} {operator} {value}"),
        };
        let translation = translate(&test)?;
        let (found, right) = (self.unknown_field("not a field"), translation.right);
        let not = if compare.negated { "not " } else { "" };
        Some(match translation.what {
            ForeignConstruct::Run => {
                found.help(format!("write `run {right} {{ on_fail: deny }}` as the effect, without this test"))
            }
            _ => proposed(found, whole(compare), format!("{not}{right}")),
        })
    }

    /// Returns the finding that the name is not a field.
    fn unknown_field(&self, label: &str) -> Diagnostic {
        let message = format!("unknown field `{}`", self.name.text());
        Diagnostic::new(Code::UNKNOWN_FIELD, message).label(self.name.span, label)
    }

    /// Returns the finding that the name is not a word that `where` can test.
    fn unknown_word(&self, label: &str) -> Diagnostic {
        let message = format!("unknown word `{}` in `where`", self.name.text());
        Diagnostic::new(Code::UNKNOWN_FIELD, message).label(self.name.span, label)
    }

    /// Returns the finding about a fact that no condition can test.
    fn unknown_fact(&self, why: &str, help: String) -> Diagnostic {
        let message = format!("`{}` is not known to a condition", self.name.text());
        Diagnostic::new(Code::UNKNOWN_FIELD, message).label(self.name.span, why).help(help)
    }
}

/// Returns the finding about a `where` whose test belongs in the command pattern, `runs "git" where subcommand ==
/// "push"`; `None` for any other. `span` is the span of the whole test.
#[must_use]
pub fn part_of_pattern(runs: &RunsCondition, span: Span) -> Option<Diagnostic> {
    let ConditionKind::Compare(compare) = &runs.filter.as_ref()?.kind else { return None };
    let (Operand::Field(name), ValueKind::Text(pattern)) = (&compare.operand, &runs.patterns.kind) else { return None };
    let word = &name.as_single_name()?.text;
    let is_alone = !runs.only && !compare.all && !compare.negated;
    let texts = match (compare.operator, &compare.value.kind) {
        (Operator::Equal, ValueKind::Text(_)) | (Operator::In, ValueKind::List(_)) if is_alone => {
            compare.value.texts()?
        }
        _ => return None,
    };
    let with_words_in_pattern = |found: Diagnostic, label: &str, words: &str| {
        let right = format!("runs {}", string_literal(&format!("{} {words}", pattern.value), ""));
        proposed(found.label(name.span, label), span, right)
    };
    // `remote` exists here with another meaning: whether a command runs on another machine.
    if word == "remote" {
        let is_of_git = matches!(pattern.value.as_str(), "git push" | "git pull" | "git fetch");
        let remote = texts.first().filter(|_| is_of_git && compare.operator == Operator::Equal)?;
        let message = "`remote` is true or false: is the command run on another machine?";
        let found = Diagnostic::new(Code::TYPE_MISMATCH, message);
        return Some(with_words_in_pattern(found, "the pattern names where git pushes", remote));
    }
    let is_plain = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let belongs_there =
        phrases::find_name_phrase(PhrasePlace::Where, word).is_some_and(|row| row.means.starts_with("runs "));
    if !belongs_there || !texts.iter().all(is_plain) || pattern.value.contains(' ') {
        return None;
    }
    let words = match texts.as_slice() {
        [only] => (*only).to_owned(),
        several => format!("({})", several.join("|")),
    };
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown word `{word}` in `where`"));
    Some(with_words_in_pattern(found, "the pattern names it", &words))
}

/// Adds a help and a fix to a finding: the text to write instead of the text at a span.
fn proposed(found: Diagnostic, span: Span, right: String) -> Diagnostic {
    found.help(format!("write `{right}`")).fix(span, right)
}

/// Returns the span of a whole comparison.
fn whole(compare: &AstComparison) -> Span {
    compare.operand.span().joined_with(compare.value.span)
}

/// Returns the advice to replace a test by a command that finds out a fact.
fn delete_and_run(command: &str) -> String {
    format!("delete the test, and write `run {command} {{ on_fail: deny }}` as the effect")
}
