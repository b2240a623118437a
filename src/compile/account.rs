//! The account of a layer while it is compiled: how much of its limits is used. Limits are needed because a small
//! policy can become large: a thousand rules that test the same list compile it a thousand times.

use std::cell::{Cell, OnceCell};

use crate::diagnostic::{Code, Diagnostic};
use crate::layer::Layer;
use crate::limits::{FILE_PARTS, LayerLimits, POLICY_PARTS, UNKNOWN_NAME_PARTS};
use crate::span::Span;

/// What parts are charged for: everything in a policy that can multiply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChargeReason {
    /// A rule itself.
    Rule,
    /// The elements of a list.
    Elements,
    /// The alternatives of globs, expanded.
    Globs,
    /// The words of command patterns.
    Patterns,
    /// The tests of a definition.
    Definition,
    /// The values that names refer to.
    Names,
    /// The events of a head, each of which repeats the rule's condition.
    Events,
    /// A name that refers to nothing: the search for a similar name takes time.
    Unknown,
}

impl ChargeReason {
    /// Returns the label of the finding that the limit is exceeded by such parts.
    fn label(self) -> &'static str {
        match self {
            Self::Rule => "each rule on its own",
            Self::Elements => "the elements of this list",
            Self::Globs => "the alternatives of these globs",
            Self::Patterns => "the words of these patterns",
            Self::Definition => "the tests of this definition",
            Self::Names => "what these names lead to",
            Self::Events => "the events, each with the rule's condition",
            Self::Unknown => "a name that leads nowhere",
        }
    }

    /// Returns the help of the finding that the limit is exceeded.
    fn help(self) -> &'static str {
        match self {
            Self::Rule => "write fewer rules: one rule can test a list of names",
            Self::Elements => "test a long list in one rule instead of many, or name what its elements have in common",
            Self::Globs => "write `*` for what differs: each `{a,b}` doubles what is in the glob",
            Self::Patterns => "write `*` for words that differ, or test a long list in one rule instead of many",
            Self::Definition => "test a long definition in one rule instead of many",
            Self::Names => "name the value itself, and use it in fewer places",
            Self::Events => "name the events of the rule instead of `*`",
            Self::Unknown => "there are many: fix these first",
        }
    }
}

/// The limits of a layer, and how much of them is used.
pub(super) struct LayerAccount<'a> {
    /// The name of the layer's kind.
    layer: &'static str,
    limits: LayerLimits,
    /// Whether the layers above have left fewer parts than the limit of this layer, so that the limit for all layers
    /// applies.
    is_shared: bool,
    /// The maximum number of parts.
    max_parts: u64,
    /// The number of parts charged so far. A part is the unit in which the size of a policy is measured.
    parts: Cell<u64>,
    /// The total size of the regexes so far.
    regexes: Cell<u64>,
    /// The name of the rule or definition that is being compiled.
    item: Cell<Option<&'a str>>,
    /// The finding that a limit is exceeded, if one is.
    exceeded: OnceCell<Diagnostic>,
}

impl<'a> LayerAccount<'a> {
    /// Creates the account of a layer, and charges its files. `parts_left` is the number of parts that the layers above
    /// have left.
    pub(super) fn new(layer: &Layer, parts_left: u64) -> Self {
        let limits = layer.kind.limits();
        let file_parts = layer.files.iter().map(|file| file.ast.parts.saturating_add(FILE_PARTS));
        let account = Self {
            layer: layer.kind.name(),
            limits,
            is_shared: parts_left < limits.parts,
            max_parts: limits.parts.min(parts_left),
            parts: Cell::new(0),
            regexes: Cell::new(0),
            item: Cell::new(None),
            exceeded: OnceCell::new(),
        };
        let parts = file_parts.fold(0, u64::saturating_add);
        if account.add(&account.parts, parts, account.max_parts).is_none() {
            let help = "write fewer rules, or merge those that belong together";
            account.record_exceeded(Diagnostic::new(Code::TOO_DEEP, account.limit_message("it")).help(help));
        }
        account
    }

    /// Sets the name of the rule or definition that is being compiled.
    pub(super) fn set_item(&self, item: &'a str) {
        self.item.set(Some(item));
    }

    /// Returns the number of parts counted so far.
    pub(super) fn parts(&self) -> u64 {
        self.parts.get()
    }

    /// Returns the finding that a limit is exceeded, if one is.
    pub(super) fn exceeded_limit(&self) -> Option<&Diagnostic> {
        self.exceeded.get()
    }

    /// Charges parts for the source at a span. `None` if the limit is exceeded: the caller should stop compiling.
    pub(super) fn charge(&self, parts: u64, reason: ChargeReason, span: Span) -> Option<()> {
        if self.add(&self.parts, parts, self.max_parts).is_some() {
            return Some(());
        }
        let name = format!("`{}`", self.item.get().unwrap_or_default());
        let found = Diagnostic::new(Code::TOO_DEEP, self.limit_message(&name))
            .label(span, format!("{}: {} parts", reason.label(), with_thousands_separators(parts)))
            .help(reason.help());
        self.record_exceeded(found);
        None
    }

    /// Charges parts for a value that was charged before and is used again. If that would exceed the limit, charges
    /// nothing and returns `None`.
    pub(super) fn charge_again(&self, parts: u64) -> Option<()> {
        let sum = self.parts.get().saturating_add(parts);
        (sum <= self.max_parts && self.exceeded.get().is_none()).then(|| self.parts.set(sum))
    }

    /// Charges the search for a name that resembles an unknown one. `None` if there were too many unknown names.
    pub(super) fn charge_unknown(&self, span: Span) -> Option<()> {
        self.charge(UNKNOWN_NAME_PARTS, ChargeReason::Unknown, span)
    }

    /// Reports an unknown name with `error`, unless there were too many such names.
    pub(super) fn report_unknown(&self, span: Span, error: Diagnostic, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.extend(self.charge_unknown(span).map(|()| error));
    }

    /// Checks that a regex of this size would fit the limit for all regexes, without charging it. `None` if it would
    /// not: the limit then counts as exceeded.
    pub(super) fn check_regex_fits(&self, size: u64, span: Span) -> Option<()> {
        let before = self.regexes.get();
        self.charge_regex(size, span)?;
        self.regexes.set(before);
        Some(())
    }

    /// Returns the finding about a regex that is too big on its own; `None` if it is not.
    pub(super) fn oversized_regex(&self, size: u64, span: Span) -> Option<Diagnostic> {
        let found = || {
            let (size, limit) = (with_thousands_separators(size), with_thousands_separators(self.limits.regex));
            Diagnostic::new(Code::BAD_PATTERN, "a regex that is too big once compiled")
                .label(
                    span,
                    format!("its repetitions multiply: its size is {size}, of {limit} in a {} policy", self.layer),
                )
                .help("repeat fewer times, or without a limit: `+` and `*` cost nothing")
        };
        (size > self.limits.regex).then(found)
    }

    /// Charges a regex of this size. `None` if all regexes together are too big.
    pub(super) fn charge_regex(&self, size: u64, span: Span) -> Option<()> {
        if self.add(&self.regexes, size, self.limits.regexes).is_some() {
            return Some(());
        }
        let sized = format!("its size is {}", with_thousands_separators(size));
        let name = self.item.get().unwrap_or_default();
        let most = with_thousands_separators(self.limits.regexes);
        let message = format!("the regex of `{name}` exceeds the limit of the {} policy", self.layer);
        self.record_exceeded(
            Diagnostic::new(Code::TOO_DEEP, message)
                .label(span, format!("{sized}; all regexes together may have {most}"))
                .help("use `contains`, `starts_with` or `like`, `[0-9]` for `\\d` and `[A-Za-z0-9_]` for `\\w`"),
        );
        None
    }

    /// Adds `more` to a sum. `None` if the sum is then over its limit `most`, or if any limit was exceeded before.
    fn add(&self, sum: &Cell<u64>, more: u64, most: u64) -> Option<()> {
        sum.set(sum.get().saturating_add(more));
        (sum.get() <= most && self.exceeded.get().is_none()).then_some(())
    }

    /// Records the finding that a limit is exceeded. Only the first one is kept, because later ones are consequences.
    fn record_exceeded(&self, diagnostic: Diagnostic) {
        let _told_before = self.exceeded.set(diagnostic);
    }

    /// Returns the message that `what` exceeds the limit for parts.
    fn limit_message(&self, what: &str) -> String {
        match self.is_shared {
            true => format!("{what} takes all policies over {} parts", with_thousands_separators(POLICY_PARTS)),
            false => format!(
                "{what} takes the {} policy over {} parts",
                self.layer,
                with_thousands_separators(self.limits.parts)
            ),
        }
    }
}

/// Formats a number with thousands separators.
fn with_thousands_separators(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
