//! Translates pipelines: the data that a command passes to the next one, including objects for files.

use super::arguments::{CommandArgument, CommandArguments};
use super::statement::{Statement, make_unknown, output_command};
use super::value::{PowerShellValue, PowerShellValueKind, WildcardMode, paths};
use super::{LimitedTranslator, PowerShellTranslator, TranslationResult};

/// A pipeline, up to one of its commands.
#[derive(Clone, Debug, Default)]
pub(super) struct PowerShellPipeline {
    /// The translation of its commands.
    pub(super) text: String,
    /// Whether the translation is more than one command.
    pub(super) is_compound: bool,
    /// The value of an expression that is the whole pipeline so far, and is not in the translation.
    pub(super) value: Option<PowerShellValue>,
    /// The objects that it passes on, if they are known.
    pub(super) objects: Option<PowerShellValue>,
    /// Whether the objects may be files where they are not known.
    pub(super) may_be_files: bool,
}

impl PowerShellPipeline {
    /// Returns the translation as one command of bash.
    pub(super) fn into_group(self) -> String {
        let text = match &self.value {
            Some(value) => output_command(value),
            None => self.text,
        };
        match self.is_compound || text.contains('\n') {
            true => format!("{{\n{text}\n}}"),
            false => text,
        }
    }

    /// Returns the translation with its output piped into a command.
    pub(super) fn into_command(self, command: &str) -> String {
        let text = self.into_group();
        if text.is_empty() { command.to_owned() } else { format!("{text} | {command}") }
    }

    /// Returns the objects as paths in bash; `None` if they are not known.
    pub(super) fn object_paths(&self) -> Option<Vec<String>> {
        let objects = self.objects.as_ref()?;
        let wildcards =
            if objects.kind == PowerShellValueKind::Files { WildcardMode::Expanded } else { WildcardMode::Literal };
        match objects.items.is_empty() {
            true => None,
            false => Some(objects.items.iter().flat_map(|item| paths(item, wildcards)).collect()),
        }
    }
}

impl PowerShellTranslator {
    /// Translates pipelines joined by `&&` and `||`, possibly in the background.
    pub(super) fn chain(&mut self) -> TranslationResult<Statement> {
        let mut statement = self.pipeline()?;
        loop {
            self.cursor.skip_blanks();
            let operator = ["&&", "||"].into_iter().find(|operator| self.cursor.take_text(operator));
            let Some(operator) = operator else { break };
            self.cursor.skip_lines();
            let next = self.pipeline()?;
            let text =
                format!("{{\n{}\n}} {operator} {{\n{}\n}}", statement_or_no_op(statement), statement_or_no_op(next));
            statement = Statement::Commands { text, files: None };
        }
        if self.cursor.peek() == Some('&') {
            self.cursor.next();
            let text = format!("{{\n{}\n}} &", statement_or_no_op(statement));
            statement = Statement::Commands { text, files: None };
        }
        Ok(statement)
    }

    /// Translates a pipeline.
    fn pipeline(&mut self) -> TranslationResult<Statement> {
        let outer = std::mem::take(&mut self.assigned);
        let mut flow = self.first_element()?;
        let mut is_piped = false;
        loop {
            self.cursor.skip_blanks();
            if !self.next_element()? {
                break;
            }
            is_piped = true;
            flow = self.read_deeper(|translator| translator.command(flow))?;
            self.charge(&flow.text)?;
        }
        let inner = std::mem::replace(&mut self.assigned, outer);
        if is_piped && !inner.is_empty() {
            // bash runs these parts in subshells, PowerShell in the shell itself: the variables that they assign are
            // unknown.
            flow.text.push('\n');
            inner.iter().for_each(|name| flow.text.push_str(&make_unknown(name)));
            flow.is_compound = true;
        }
        self.assigned.extend(inner);
        Ok(match flow.value {
            Some(value) => Statement::Value(value),
            None => Statement::Commands {
                text: flow.text,
                files: flow.objects.filter(|files| files.kind == PowerShellValueKind::Files),
            },
        })
    }

    /// Consumes a `|`, which may also begin the next line. Returns whether there was one.
    fn next_element(&mut self) -> TranslationResult<bool> {
        let from = self.cursor.position();
        if matches!(self.cursor.peek(), Some('\n' | '\r')) {
            self.cursor.skip_lines();
            if self.cursor.peek() != Some('|') || self.cursor.peek_at(1) == Some('|') {
                self.cursor.seek(from);
                return Ok(false);
            }
        }
        if self.cursor.peek() != Some('|') || self.cursor.peek_at(1) == Some('|') {
            return Ok(false);
        }
        self.cursor.next();
        self.cursor.skip_lines();
        Ok(true)
    }

    /// Translates the first element of a pipeline: an expression or a command.
    fn first_element(&mut self) -> TranslationResult<PowerShellPipeline> {
        if !self.begins_expression() {
            return self.command(PowerShellPipeline::default());
        }
        let value = self.expression()?;
        let mut redirects = String::new();
        loop {
            self.cursor.skip_blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push_str(&redirect),
                None => break,
            }
        }
        if redirects.is_empty() {
            let objects = Some(value.clone()).filter(|value| !value.items.is_empty());
            return Ok(PowerShellPipeline { value: Some(value), objects, ..PowerShellPipeline::default() });
        }
        let text = output_command(&value);
        let text = if text.is_empty() { "Write-Output".to_owned() } else { text };
        Ok(PowerShellPipeline {
            text: format!("{{\n{text}\n}}{redirects}"),
            is_compound: true,
            ..PowerShellPipeline::default()
        })
    }

    /// Whether an expression begins here, and not a command.
    fn begins_expression(&self) -> bool {
        match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (Some('$' | '\'' | '"' | '@' | '(' | '[' | '{' | '!' | ','), _) => true,
            (Some(c), _) if c.is_ascii_digit() => self.is_number(),
            (Some('-' | '+'), Some(c)) => c.is_ascii_digit() || matches!(c, '$' | '(' | '-' | '+') || self.is_unary(),
            _ => false,
        }
    }

    /// Whether an operator such as `-not` is next.
    fn is_unary(&self) -> bool {
        ["-not", "-bnot", "-join", "-split"].into_iter().any(|operator| self.cursor.is_at_text(operator))
    }

    /// Whether the word that begins here with a digit is a number: `7z` is a program.
    fn is_number(&self) -> bool {
        let word = (0..).map_while(|at| self.cursor.peek_at(at)).take_while(|c| c.is_alphanumeric() || *c == '.');
        let word: String = word.take(40).collect();
        let word = word.trim_end_matches(|c: char| matches!(c.to_ascii_lowercase(), 'k' | 'm' | 'g' | 'b' | 'l' | 'd'));
        word.chars().all(|c| c.is_ascii_digit() || c == '.') || word.starts_with("0x")
    }
}

impl PowerShellPipeline {
    /// Adds the commands in the arguments of the last command that its translation has left out: they run before it.
    pub(super) fn with_commands_of(self, arguments: &CommandArguments) -> Self {
        let mut translated = self.value.as_ref().map_or_else(String::new, PowerShellValue::commands);
        translated.push_str(&self.text);
        translated.push('\n');
        let values = arguments.items.iter().filter_map(CommandArgument::value);
        let scripts: Vec<String> =
            values.flat_map(|value| value.scripts().map(str::to_owned).collect::<Vec<_>>()).collect();
        let missing: Vec<String> = scripts.into_iter().filter(|script| !runs(&translated, script)).collect();
        if missing.is_empty() {
            return self;
        }
        let Self { objects, may_be_files, .. } = self;
        let text = Self { objects: None, ..self }.into_group();
        Self { text: format!("{}\n{text}", missing.join("\n")), is_compound: true, value: None, objects, may_be_files }
    }

    /// Returns the objects as words in bash; `None` if they are not known.
    pub(super) fn object_words(&self) -> Option<String> {
        let objects = self.objects.as_ref()?;
        match objects.kind {
            PowerShellValueKind::Files => self.object_paths().map(|words| words.join(" ")),
            PowerShellValueKind::Commands => None,
            _ => Some(objects.words().join(" ")),
        }
    }
}

/// Whether the translation of a block has commands that do more than compute a value.
pub(super) fn has_commands(body: &str) -> bool {
    let is_computed = |line: &str| line.is_empty() || line.starts_with("Write-Output ") && !line.contains("$(");
    !body.lines().all(is_computed)
}

/// Whether a translation runs these commands: in a substitution, or as statements.
pub(super) fn runs(translation: &str, script: &str) -> bool {
    let whole = format!("{script}\n");
    translation.match_indices(&whole).any(|(at, _)| {
        let before = translation.get(..at).unwrap_or_default();
        before.is_empty() || before.ends_with('\n') || before.ends_with("$(")
    })
}

/// Returns a statement in bash. An empty one becomes an assignment without effect, since bash does not permit it.
fn statement_or_no_op(statement: Statement) -> String {
    let text = match statement {
        Statement::Value(value) => output_command(&value),
        Statement::Commands { text, .. } => text,
    };
    if text.trim().is_empty() { "psloop=".to_owned() } else { text }
}
