//! A command that is rewritten as a text, where the command itself can be: `rewrite command = "pnpm install"`.

use super::comparison::each_test;
use super::glob_as_text::shortened;
use super::sources::plain;
use super::{Lint, Written, as_pattern};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Effect, Kind, Rewrite, RewriteValue, Rule, Target};
use crate::syntax::literal;
use hookrules_shell::Edit;

pub(super) const LINT: Lint = Lint { codes: &[Code::COMMAND_AS_TEXT], check };

fn check(_: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let (message, label, edit) = match effect {
            Effect::Rewrite(Rewrite::Set(Target::Command, RewriteValue::Text(text))) => {
                let Some(text) = plain(text) else { continue };
                // Who compares the whole text means the whole.
                let patterns = patterns(rule);
                let Some(first) = patterns.first() else { continue };
                let edit = (patterns.len() == 1).then(|| (first.clone(), text));
                let message = shortened("the whole command becomes `", text, "`");
                (message, "its other words and commands are thrown away", edit)
            }
            Effect::Rewrite(Rewrite::Replace(Target::Command, regex, text)) => {
                let Some(text) = plain(text) else { continue };
                let Some(from) = as_pattern::pattern(regex.pattern()) else { continue };
                let message = shortened("every `", &from, "` in the text of a command is replaced");
                (message, "in quoted texts and in names that have it in them, too", Some((from, text.trim())))
            }
            _ => continue,
        };
        let edit = edit.filter(|(from, to)| Edit::new(from, to).is_ok());
        let help = match edit {
            Some((from, to)) => format!(
                "write `rewrite runs {} to {}`: it edits the command, and the rest stays as it is",
                literal(&from, ""),
                literal(to, "")
            ),
            None => "write `rewrite runs \"…\" to \"…\"`: it edits the command, and the rest stays as it is".to_owned(),
        };
        found.push(Diagnostic::new(Code::COMMAND_AS_TEXT, message).label(*span, label).help(help));
    }
}

/// Returns the patterns of the commands that a rule is about.
fn patterns(rule: &Rule) -> Vec<String> {
    let mut patterns: Vec<String> = Vec::new();
    each_test(rule, &mut |seen| {
        if let Kind::Command(CommandTest::Runs { patterns: list, .. }) = &seen.test.kind
            && !seen.is_exception
        {
            patterns.extend(list.iter().map(|pattern| pattern.text().to_owned()));
        }
    });
    patterns
}
