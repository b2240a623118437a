//! Tree to text, in one canonical layout: two spaces, one clause on a line, parentheses where `and` and `or` nest.
//!
//! What is printed parses to the same tree. Comments are not in the tree, so they are not here either.

mod condition;
mod value;

use super::ast::{
    Annotation, AnnotationArg, Case, Clause, ClauseKind, Effect, EffectKind, EventHead, Example, ExampleKind, Expect,
    File, Item, ItemKind, Map, Name, Rule, Selector, Test, Text, Use,
};

/// Prints a tree as it would be written.
#[must_use]
pub fn print(file: &File) -> String {
    let mut printer = Printer { out: String::new() };
    let mut previous: Option<&Item> = None;
    for item in &file.items {
        if previous.is_some_and(|previous| !belong_together(previous, item)) {
            printer.out.push('\n');
        }
        printer.item(item);
        previous = Some(item);
    }
    printer.out
}

/// One-line items of a kind stand in one block.
fn belong_together(before: &Item, item: &Item) -> bool {
    let bare = |item: &Item| item.docs.is_empty() && item.annotations.is_empty();
    let same = matches!(
        (&before.kind, &item.kind),
        (ItemKind::Use(_), ItemKind::Use(_))
            | (ItemKind::Let(_), ItemKind::Let(_))
            | (ItemKind::Def(_), ItemKind::Def(_))
    );
    same && bare(before) && bare(item)
}

/// The text so far.
struct Printer {
    out: String,
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints elements with a separator between them.
    fn joined<T>(&mut self, elements: &[T], separator: &str, mut print: impl FnMut(&mut Self, &T)) {
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            print(self, element);
        }
    }

    fn item(&mut self, item: &Item) {
        for doc in &item.docs {
            self.push(if doc.is_empty() { "##" } else { "## " });
            self.push(doc);
            self.push("\n");
        }
        for annotation in &item.annotations {
            self.annotation(annotation);
        }
        match &item.kind {
            ItemKind::Use(import) => self.import(import),
            ItemKind::Let(definition) => {
                self.push(&format!("let {} = ", definition.name.text));
                self.value(&definition.value, "");
            }
            ItemKind::Def(definition) => {
                self.push(&format!("def {} = ", definition.name.text));
                self.condition(&definition.condition);
            }
            ItemKind::Rule(rule) => self.rule(rule),
            ItemKind::Test(test) => self.test(test),
        }
        self.push("\n");
    }

    fn annotation(&mut self, annotation: &Annotation) {
        self.push("@");
        self.push(&annotation.name.text);
        if !annotation.args.is_empty() {
            self.push("(");
            self.joined(&annotation.args, ", ", |printer, arg| match arg {
                AnnotationArg::Word(word) => printer.push(&word.text),
                AnnotationArg::Text(text) => printer.text(text, ""),
            });
            self.push(")");
        }
        self.push("\n");
    }

    fn import(&mut self, import: &Use) {
        self.push("use ");
        self.text(&import.source, "");
        if !import.except.is_empty() {
            self.push(" except ");
            self.names(&import.except);
        }
        if let Some(with) = &import.with {
            self.push(" with ");
            self.map(with, "");
        }
    }

    fn names(&mut self, names: &[Name]) {
        self.joined(names, ", ", |printer, name| printer.push(&name.text));
    }

    fn rule(&mut self, rule: &Rule) {
        self.push(&format!("rule {} {{\n", rule.name.text));
        for clause in &rule.clauses {
            self.push("  ");
            self.clause(clause);
            self.push("\n");
        }
        self.push("}");
    }

    fn clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::On(heads) => {
                self.push("on ");
                self.joined(heads, ", ", Self::head);
            }
            ClauseKind::By(selectors) => {
                self.push("by ");
                self.joined(selectors, "|", Self::selector);
            }
            ClauseKind::When(condition) => {
                self.push("when ");
                self.condition(condition);
            }
            ClauseKind::Unless(condition) => {
                self.push("unless ");
                self.condition(condition);
            }
            ClauseKind::Unknown(vote) => self.push(&format!("unknown {}", vote.text)),
            ClauseKind::Effect(effect) => self.effect(effect),
            ClauseKind::Examples(kind, examples) => {
                self.push(match kind {
                    ExampleKind::Fires => "fires on ",
                    ExampleKind::Quiet => "quiet on ",
                    ExampleKind::Unknown => "unknown on ",
                });
                self.joined(examples, ", ", Self::example);
            }
        }
    }

    fn head(&mut self, head: &EventHead) {
        self.push(&head.event.text);
        if let Some(selectors) = &head.selectors {
            self.push("(");
            self.joined(selectors, "|", Self::selector);
            self.push(")");
        }
    }

    fn selector(&mut self, selector: &Selector) {
        if selector.excludes {
            self.push("!");
        }
        self.glob(&selector.glob);
    }

    fn example(&mut self, example: &Example) {
        let mut space = "";
        if let Some(head) = &example.head {
            self.push(&head.name.text);
            if let Some(subject) = &head.subject {
                self.push("(");
                self.glob(&subject.text);
                self.push(")");
            }
            space = " ";
        }
        if let Some(text) = &example.text {
            self.push(space);
            self.text(text, "  ");
            space = " ";
        }
        if let Some(by) = &example.by {
            self.push(space);
            self.push("by ");
            self.quoted(&by.text);
            space = " ";
        }
        if let Some(with) = &example.with {
            self.push(space);
            self.push("with ");
            self.map(with, "  ");
            space = " ";
        }
        if let Some(fields) = &example.fields {
            self.push(space);
            self.map(fields, "  ");
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match &effect.kind {
            EffectKind::Deny(message) => self.message("deny", message.as_ref()),
            EffectKind::Ask(message) => self.message("ask", message.as_ref()),
            EffectKind::Allow(message) => self.message("allow", message.as_ref()),
            EffectKind::Halt(message) => self.message("halt", message.as_ref()),
            EffectKind::Context(message) => self.message("context", message.as_ref()),
            EffectKind::Warn(message) => self.message("warn", message.as_ref()),
            EffectKind::Exit(code, _, message) => {
                let verb = code.map_or_else(|| "exit".to_owned(), |code| format!("exit {code}"));
                self.message(&verb, message.as_ref());
            }
            EffectKind::RewriteSet(field, value) => {
                self.push(&format!("rewrite {} = ", field.text()));
                self.value(value, "  ");
            }
            EffectKind::RewriteReplace(field, pattern, text) => {
                self.push(&format!("rewrite {} replace ", field.text()));
                self.value(pattern, "  ");
                self.push(" with ");
                self.text(text, "  ");
            }
            EffectKind::RewriteRuns(from, to) => {
                self.push("rewrite runs ");
                self.text(from, "  ");
                self.push(" to ");
                self.text(to, "  ");
            }
            EffectKind::Notify(title, body) => {
                self.push("notify ");
                self.text(title, "  ");
                if let Some(body) = body {
                    self.push(" ");
                    self.text(body, "  ");
                }
            }
            EffectKind::RunShell(command) => {
                self.push("run ");
                self.text(command, "  ");
            }
            EffectKind::RunArgv(words, _) => {
                self.push("run [");
                self.joined(words, ", ", |printer, word| printer.text(word, "  "));
                self.push("]");
            }
            EffectKind::Record(file) => {
                self.push("record ");
                self.text(file, "  ");
            }
        }
        self.options(effect.options.as_ref());
    }

    fn message(&mut self, verb: &str, message: Option<&Text>) {
        self.push(verb);
        if let Some(message) = message {
            self.push(" ");
            self.text(message, "  ");
        }
    }

    fn options(&mut self, options: Option<&Map>) {
        if let Some(options) = options {
            self.push(" ");
            self.map(options, "  ");
        }
    }

    fn test(&mut self, test: &Test) {
        self.push("test ");
        self.text(&test.name, "");
        self.push(" {\n");
        for case in &test.cases {
            self.case(case);
        }
        self.push("}");
    }

    fn case(&mut self, case: &Case) {
        self.push("  given ");
        self.example(&case.given);
        self.push("\n  expect ");
        self.expect(&case.expect);
        self.push("\n");
    }

    fn expect(&mut self, expect: &Expect) {
        self.push(&expect.decision.text);
        if !expect.by.is_empty() {
            self.push(" by ");
            self.names(&expect.by);
        }
        for (word, texts) in
            [("message contains", &expect.message), ("context contains", &expect.context), ("run", &expect.run)]
        {
            for text in texts {
                self.push(&format!(" {word} "));
                self.text(text, "  ");
            }
        }
        for (field, value) in &expect.rewrites {
            self.push(&format!(" rewrites {} to ", field.text()));
            self.value(value, "  ");
        }
    }
}
