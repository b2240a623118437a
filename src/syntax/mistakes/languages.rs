//! The languages in which whole files are recognised: their names for messages, and an equivalent rule of a policy.

use crate::diagnostic::{Code, Diagnostic};
use crate::escape::{line, shell_word};
use crate::span::Span;
use crate::syntax::language::draft::TranslatedRules;

/// A language in which files with the extension `.rules` are sometimes written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::syntax) struct ForeignLanguage {
    /// The description of such a file, after "the whole file is".
    pub(in crate::syntax) name: &'static str,
    pub(in crate::syntax) remedy: LanguageRemedy,
}

/// What the author of a file in another language can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::syntax) enum LanguageRemedy {
    /// `rules import` converts files of this format, better than a translation in a help could.
    Import(&'static str),
    Rewrite {
        /// The advice that is shown before the rule; empty if the file can only be rewritten.
        note: &'static str,
        /// A sample rule in the policy language: a complete policy.
        rule: &'static str,
    },
}

impl ForeignLanguage {
    /// Returns the finding about a file in this language, with the command that converts it, its rules translated as
    /// far as possible, or a sample rule. `file` is the name of the file.
    pub(in crate::syntax) fn report(&self, draft: Option<&TranslatedRules>, file: &str, span: Span) -> Diagnostic {
        let help = match self.remedy {
            LanguageRemedy::Import(format) => {
                format!("convert it with `rules import {format} {}`", shell_word(&line(file, usize::MAX)))
            }
            LanguageRemedy::Rewrite { note, rule } => {
                let separator = if note.is_empty() { "" } else { "; " };
                let (introduction, rules) = match draft {
                    Some(draft) => (draft.introduction(), draft.rules.as_str()),
                    None => (NOTHING_TRANSLATED.to_owned(), rule.trim_end()),
                };
                format!("{note}{separator}{introduction}\n\n{rules}")
            }
        };
        Diagnostic::new(Code::FOREIGN_OPERATOR, format!("the whole file is {}", self.name))
            .label(span, "not a policy of ours: nothing in it can be read")
            .help(help)
    }
}

/// The sentence before a sample rule.
const NOTHING_TRANSLATED: &str = "nothing of the file is translated; a rule looks like this one:";

impl TranslatedRules {
    /// Returns the sentence before the translated rules, with a list of the parts that could not be translated.
    fn introduction(&self) -> String {
        let more = (self.omitted_count > 0).then(|| format!("{} more", self.omitted_count));
        let untranslated: Vec<String> = self.untranslated.iter().cloned().chain(more).collect();
        let untranslated = if untranslated.is_empty() {
            String::new()
        } else {
            format!("; not translated: {}", untranslated.join(", "))
        };
        format!("write what it says as rules{untranslated}:")
    }
}

/// The sample rule about commands.
const NO_FORCE_PUSH: &str = "\
rule no-force-push {
  on PreToolUse
  when runs \"git push --force\"
  deny \"Push without `--force`.\"
}
";

/// The sample rule about an agent and files.
const REVIEWERS_READ: &str = "\
rule reviewers-only-read {
  on PreToolUse
  by reviewer
  when writes like \"**\"
  deny \"Reviewers do not change files.\"
}
";

macro_rules! languages {
    ($($name:ident $what:literal, $remedy:expr;)*) => {
        $(pub(in crate::syntax) const $name: &ForeignLanguage = &ForeignLanguage { name: $what, remedy: $remedy };)*

        /// Every language that is recognised.
        #[cfg(test)]
        pub(in crate::syntax) const LANGUAGES: &[&ForeignLanguage] = &[$($name),*];
    };
}

languages! {
    SETTINGS "a settings file of Claude Code", LanguageRemedy::Rewrite {
        note: "keep it as `.claude/settings.json`; `rules import claude-permissions` converts its permissions",
        rule: NO_FORCE_PUSH,
    };
    JSON "JSON", rewritten_like(NO_FORCE_PUSH);
    CONCLAUDE "a configuration of conclaude", LanguageRemedy::Import("conclaude");
    YAML "YAML", rewritten_like(NO_FORCE_PUSH);
    REGO "a Rego policy", rewritten_like(NO_FORCE_PUSH);
    CEDAR "a Cedar policy", rewritten_like(REVIEWERS_READ);
    HOOKIFY "Markdown with front matter, as hookify has it", LanguageRemedy::Import("hookify");
    CODEX "a set of rules of Codex", LanguageRemedy::Import("codex-rules");
    GEMINI "a policy of Gemini CLI", LanguageRemedy::Import("gemini-policy");
    OTHER "in another language", rewritten_like(NO_FORCE_PUSH);
}

/// The remedy for a language whose files can only be rewritten.
const fn rewritten_like(rule: &'static str) -> LanguageRemedy {
    LanguageRemedy::Rewrite { note: "", rule }
}
