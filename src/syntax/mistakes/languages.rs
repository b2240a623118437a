//! The languages in which whole files are recognised: their names for messages, and an equivalent rule of a policy.

use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::language::draft::TranslatedRules;

/// A language in which files with the extension `.rules` are sometimes written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::syntax) struct ForeignLanguage {
    /// The description of such a file, after "the whole file is".
    pub(in crate::syntax) name: &'static str,
    /// The advice that is shown before the rule; empty if the file can only be rewritten.
    pub(in crate::syntax) note: &'static str,
    /// A sample rule in the policy language: a complete policy.
    pub(in crate::syntax) rule: &'static str,
}

impl ForeignLanguage {
    /// Returns the finding about a file in this language, with a sample rule.
    pub(in crate::syntax) fn report_with_sample(&self, span: Span) -> Diagnostic {
        let says = "nothing of the file is translated; a rule looks like this one:";
        self.report_with_rules(span, says, self.rule.trim_end())
    }

    /// Returns the finding about a file in this language, with its rules translated, and with a list of the parts
    /// that could not be translated.
    pub(in crate::syntax) fn report_with_translation(&self, draft: &TranslatedRules, span: Span) -> Diagnostic {
        let more = (draft.omitted_count > 0).then(|| format!("{} more", draft.omitted_count));
        let untranslated: Vec<String> = draft.untranslated.iter().cloned().chain(more).collect();
        let untranslated = if untranslated.is_empty() {
            String::new()
        } else {
            format!("; not translated: {}", untranslated.join(", "))
        };
        self.report_with_rules(span, &format!("write what it says as rules{untranslated}:"), &draft.rules)
    }

    /// Returns the finding; `introduction` is the sentence before the rules.
    fn report_with_rules(&self, span: Span, introduction: &str, rules: &str) -> Diagnostic {
        let Self { name, note, .. } = self;
        let separator = if note.is_empty() { "" } else { "; " };
        Diagnostic::new(Code::FOREIGN_OPERATOR, format!("the whole file is {name}"))
            .label(span, "not a policy of ours: nothing in it can be read")
            .help(format!("{note}{separator}{introduction}\n\n{rules}"))
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

/// The sample rule that runs a command.
const TESTS_FIRST: &str = "\
rule tests-before-stop {
  on Stop
  run \"npm test\" { on_fail: deny }
}
";

macro_rules! languages {
    ($($name:ident $what:literal, $note:literal, $rule:ident;)*) => {
        $(pub(in crate::syntax) const $name: &ForeignLanguage =
            &ForeignLanguage { name: $what, note: $note, rule: $rule };)*

        /// Every language that is recognised.
        #[cfg(test)]
        pub(in crate::syntax) const LANGUAGES: &[&ForeignLanguage] = &[$($name),*];
    };
}

languages! {
    SETTINGS "a settings file of Claude Code",
        "keep it as `.claude/settings.json`; `rules import claude-permissions` converts its permissions", NO_FORCE_PUSH;
    JSON "JSON", "", NO_FORCE_PUSH;
    CONCLAUDE "a configuration of conclaude", "convert it with `rules import conclaude FILE`", TESTS_FIRST;
    YAML "YAML", "", NO_FORCE_PUSH;
    REGO "a Rego policy", "", NO_FORCE_PUSH;
    CEDAR "a Cedar policy", "", REVIEWERS_READ;
    HOOKIFY "Markdown with front matter, as hookify has it", "convert it with `rules import hookify FILE`",
        NO_FORCE_PUSH;
    CODEX "a set of rules of Codex", "convert it with `rules import codex-rules FILE`", NO_FORCE_PUSH;
    GEMINI "a policy of Gemini CLI", "convert it with `rules import gemini-policy FILE`", NO_FORCE_PUSH;
    OTHER "in another language", "", NO_FORCE_PUSH;
}
