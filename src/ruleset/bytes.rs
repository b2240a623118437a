//! The binary encoding of a rule. Parts that not every call needs are decoded when they are first used.
//!
//! A field or variant that is missing here does not compile.

use std::sync::Arc;

use crate::config::LayerKind;
use crate::domain::HostRange;
use crate::history::MarkId;
use crate::image::DamagedImage;
use crate::schema::{Event, FieldType};
use crate::shell_text::{ShellTemplate, TemplatePiece};
use crate::span::{FileId, Span};
use crate::syntax::ast::{FileFact, FileVerb, OperandPosition, PastActor};
use crate::time::{TimeOfDay, TimeRange};
use crate::verdict::{Decision, OnFail, OutputKind, RunOptions, Stdin};
use crate::wire::{DamageFlag, Reader, Wire, Writer, read_own, to_bytes, wire_enum, wire_struct};
use hookrules_shell::path::{PathGlobs, TextGlobs};
use hookrules_shell::programs::{
    Arity, LongOptionSyntax, OperandEffect, OptionEffect, OptionRecord, ProgramRecord, ShortOptionSyntax,
    SubcommandSyntax, UnlistedSubcommand, WordSyntax,
};
use hookrules_shell::{Edit, Programs};

use super::{
    AgentSelectors, ArgvWord, CaptureReference, CommandCoverage, CommandTest, Condition, ConditionExpr, DerivedField,
    DirOperand, Effect, EventSelector, FactName, FilledGlob, FilledGlobs, Globs, Head, HostTest, KeySource, LazyRegex,
    Literal, MarkPhase, MarkSpec, MarkedEvents, Measure, NeverCertain, OrderOperator, PastTest, PolicyValue,
    RecordSpec, RecordValue, Rewrite, RewriteTarget, RewriteValue, Rule, RuleLabels, RuleMode, RuleTraits, RunCommand,
    RunSpec, SelectorList, Template, TemplatePart, TouchTest, UnknownClause, ValueReference, ValueTest, WhereField,
    WhereFilter,
};

impl Rule {
    /// Encodes the rule, without its examples.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self)
    }

    /// Encodes what the rule means: without spans, documentation and annotations. The bytes differ only if the meaning
    /// does.
    #[must_use]
    pub fn meaning(&self) -> Vec<u8> {
        let mut out = Writer::without_spans();
        Self { docs: Vec::new().into(), traits: RuleTraits::default(), ..self.clone() }.encode(&mut out);
        out.into_bytes()
    }

    /// Decodes a rule. Damage in a part that is decoded later is reported to `damage` when it is found.
    ///
    /// # Errors
    /// The bytes are not a rule.
    pub fn from_bytes(bytes: Vec<u8>, damage: &DamageFlag) -> Result<Self, DamagedImage> {
        read_own(bytes, damage)
    }

    /// Encodes the flags of the rule, in the order in which they are decoded.
    fn encode_flags(&self, out: &mut Writer) {
        let flags = [
            self.can_allow,
            self.can_deny,
            self.can_block,
            self.names_mode,
            self.looks_at_paths,
            self.looks_at_surroundings,
            self.looks_at_git,
            self.looks_at_relative_files,
            self.depends_on_surroundings,
        ];
        flags.iter().for_each(|flag| flag.encode(out));
    }
}

impl Wire for Rule {
    fn encode(&self, out: &mut Writer) {
        let Self {
            name,
            display_name: shown,
            layer,
            base,
            also_of: _,
            docs,
            traits,
            head,
            when,
            unless,
            unknown,
            effects,
            effect_spans,
            can_allow: _,
            can_deny: _,
            can_block: _,
            names_mode: _,
            looks_at_paths: _,
            looks_at_surroundings: _,
            looks_at_git: _,
            looks_at_relative_files: _,
            depends_on_surroundings: _,
            examples: _,
            name_span,
            span,
        } = self;
        name.encode(out);
        shown.encode(out);
        layer.encode(out);
        base.encode(out);
        docs.encode(out);
        traits.encode(out);
        head.encode(out);
        when.encode(out);
        unless.encode(out);
        unknown.encode(out);
        effects.encode(out);
        effect_spans.encode(out);
        self.encode_flags(out);
        name_span.encode(out);
        span.encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok(Self {
            name: Wire::decode(input)?,
            display_name: Wire::decode(input)?,
            layer: Wire::decode(input)?,
            base: Wire::decode(input)?,
            also_of: Vec::new(),
            docs: Wire::decode(input)?,
            traits: Wire::decode(input)?,
            head: Wire::decode(input)?,
            when: Wire::decode(input)?,
            unless: Wire::decode(input)?,
            unknown: Wire::decode(input)?,
            effects: Wire::decode(input)?,
            effect_spans: Wire::decode(input)?,
            can_allow: Wire::decode(input)?,
            can_deny: Wire::decode(input)?,
            can_block: Wire::decode(input)?,
            names_mode: Wire::decode(input)?,
            looks_at_paths: Wire::decode(input)?,
            looks_at_surroundings: Wire::decode(input)?,
            looks_at_git: Wire::decode(input)?,
            looks_at_relative_files: Wire::decode(input)?,
            depends_on_surroundings: Wire::decode(input)?,
            examples: Vec::new(),
            name_span: Wire::decode(input)?,
            span: Wire::decode(input)?,
        })
    }
}

wire_enum!(LayerKind { 0 = Managed, 1 = User, 2 = Project, 3 = Local });
wire_struct!(RuleTraits { mode, commands, labels });
wire_struct!(RuleLabels { severity, tags, owner, url });
wire_enum!(CommandCoverage { 0 = Call, 1 = CallAndFiles });
wire_enum!(RuleMode { 0 = Active, 1 = Observe, 2 = Off });
wire_enum!(UnknownClause { 0 = Default, 1 = Deny, 2 = Ask, 3 = Ignore });

wire_struct!(Head { events, every_event, agents });
wire_struct!(EventSelector { event, subjects });
wire_struct!(SelectorList { includes, excludes, written });

impl Wire for AgentSelectors {
    fn encode(&self, out: &mut Writer) {
        self.0.encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        SelectorList::decode(input).map(Self)
    }
}

impl Wire for Event {
    fn encode(&self, out: &mut Writer) {
        out.count(*self as usize);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Self::ALL.get(usize::decode(input)?).copied().ok_or(DamagedImage)
    }
}

impl Wire for Condition {
    fn encode(&self, out: &mut Writer) {
        self.kind.encode(out);
        self.span.encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok(Self { kind: Wire::decode(input)?, span: Wire::decode(input)? })
    }
}

wire_enum!(ConditionExpr {
    0 = And(parts),
    1 = Or(parts),
    2 = Not(inner),
    3 = Def(inner),
    4 = Constant(truth),
    5 = Compare { source, all, negated, test },
    6 = Exists(source),
    7 = Truth(source),
    8 = Command(test),
    9 = Touches { verb, test },
    10 = Connects(test),
    11 = TouchesFilled { verb, globs },
    12 = Certain(inner),
    13 = Happened(test),
});

impl Wire for Globs {
    fn encode(&self, out: &mut Writer) {
        self.0.encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok(Self(Wire::decode(input)?))
    }
}

/// A filter without a `def` is decoded on first use. One with a `def` is decoded with the rule, because only then can
/// the `def` be shared with its other uses.
impl Wire for WhereFilter {
    fn encode(&self, out: &mut Writer) {
        let is_lazy = !self.has_def();
        is_lazy.encode(out);
        if is_lazy { self.0.encode(out) } else { Condition::encode(self, out) }
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok(if bool::decode(input)? { Self(Wire::decode(input)?) } else { Condition::decode(input)?.into() })
    }
}

wire_enum!(ValueTest {
    0 = Equal(value),
    1 = Order(order, value),
    2 = In(values),
    3 = Contains(value),
    4 = StartsWith(value),
    5 = EndsWith(value),
    6 = LikeText(globs),
    7 = LikePath(globs),
    8 = Matches(regex),
    9 = Under(dirs),
    10 = Outside(dirs),
    11 = LikeFilled(globs),
    12 = InTime(range),
});
wire_struct!(TimeRange { from, to });

impl Wire for TimeOfDay {
    fn encode(&self, out: &mut Writer) {
        usize::from(self.minutes()).encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        u16::try_from(usize::decode(input)?).ok().and_then(Self::from_minutes).ok_or(DamagedImage)
    }
}

wire_struct!(FilledGlobs { globs, are_paths });
wire_struct!(FilledGlob { pattern, directory });
wire_enum!(OrderOperator { 0 = Less, 1 = LessEqual, 2 = Greater, 3 = GreaterEqual });
wire_enum!(PolicyValue { 0 = Literal(literal), 1 = Source(source), 2 = FileName(name) });
wire_enum!(Literal { 0 = Text(text), 1 = Number(number), 2 = Boolean(truth) });
wire_enum!(DirOperand { 0 = Project, 1 = Tmp, 2 = Home, 3 = Literal(path), 4 = Source(source), 5 = Filled(path) });
wire_enum!(CommandTest { 0 = Runs { patterns, filter }, 1 = OnlyRuns { patterns }, 2 = Pipes { from, into } });
wire_enum!(TouchTest { 0 = Like(globs), 1 = Under(dirs), 2 = Outside(dirs) });
wire_enum!(HostTest { 0 = Any, 1 = Like(globs, names_port), 2 = Under(ranges), 3 = Outside(ranges) });
wire_struct!(HostRange { host, bits, port });
wire_enum!(FileVerb { 0 = Reads, 1 = Writes, 2 = Deletes, 3 = Sends });

wire_enum!(ValueReference {
    0 = Raw { path, ty },
    1 = JsonPath(path),
    2 = Derived(derived),
    3 = Fact(fact),
    4 = Where(field),
    5 = Constant(text),
    6 = Measured(measure),
    7 = Capture(capture),
});
wire_struct!(CaptureReference { values, regex, group });
wire_enum!(Measure { 0 = Length(values), 1 = Count(values), 2 = Files(verb), 3 = Past(test) });
wire_struct!(PastTest { mark, of, by, since, within });
wire_struct!(MarkedEvents {
    id,
    name,
    commands,
    directory,
    is_of_user,
    counts_possible,
    names_commands,
    is_of_ended_calls,
    has_calls_as_keys,
    never_certain
});
wire_enum!(NeverCertain { 0 = Text, 1 = Background, 2 = Failed, 3 = Builtin(name) });
wire_struct!(MarkSpec { id, key, phase, counts_possible });
wire_enum!(MarkPhase { 0 = Happens, 1 = Begins });
wire_enum!(KeySource { 0 = Value(value), 1 = Match, 2 = Call });
wire_enum!(PastActor { 0 = Same, 1 = Another });

impl Wire for MarkId {
    fn encode(&self, out: &mut Writer) {
        self.0.encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        u64::decode(input).map(Self)
    }
}

wire_enum!(DerivedField {
    0 = Event,
    1 = Agent,
    2 = AgentType,
    3 = Host,
    4 = Project,
    5 = Tmp,
    6 = Home,
    7 = ToolName,
    8 = Path,
    9 = Content,
    10 = Command,
    11 = Url,
    12 = Domain,
    13 = Match,
    14 = Now,
    15 = Place,
});
wire_enum!(FactName {
    0 = Env(name),
    1 = GitBranch,
    2 = GitRemote,
    3 = GitWorktree,
    4 = GitRoot,
    5 = Os,
    6 = File(fact, value),
    7 = HostPids,
    8 = Withheld(name),
    9 = OwnFile(fact, base, value),
    10 = Time(zone),
    11 = Weekday(zone),
});
wire_enum!(FileFact { 0 = Exists, 1 = Size });
wire_enum!(WhereField {
    0 = Program,
    1 = Args,
    2 = Operands,
    3 = Option(name),
    4 = Via,
    5 = InLoop,
    6 = PipedFrom,
    7 = PipedTo,
    8 = Remote,
    9 = Cwd,
    10 = PushTarget,
    11 = Env(name),
    12 = InBackground,
    13 = Input,
    14 = SetEnv(name),
    15 = Domain,
    16 = Variables,
    17 = Place,
    18 = Operand(position),
    19 = WritesThere,
    20 = DeletesThere,
});
wire_enum!(OperandPosition { 0 = Nth(number), 1 = Last });
wire_struct!(Template { parts });
wire_enum!(TemplatePart { 0 = Text(text), 1 = Value(source), 2 = Component(source) });

wire_enum!(Effect {
    0 = Vote { decision, message, interrupt },
    1 = Exit { code, message },
    2 = Context(text),
    3 = Warn(text),
    4 = Rewrite(rewrite),
    5 = Notify { title, body },
    6 = Run(run),
    7 = Record(record),
    8 = Mark(mark),
});
wire_enum!(Decision { 0 = Pass, 1 = Allow, 2 = Ask, 3 = Deny, 4 = Halt });
wire_enum!(Rewrite { 0 = Set(target, value), 1 = Replace(target, regex, with), 2 = Runs(edit) });
wire_enum!(RewriteTarget { 0 = Input(path), 1 = Command, 2 = Path, 3 = Content, 4 = Url, 5 = Output });
wire_enum!(RewriteValue { 0 = Text(text), 1 = Literal(literal), 2 = Source(source), 3 = List(values), 4 = Remove });
wire_struct!(RunSpec { command, shown, timeout, message, cwd, env, options });
wire_struct!(RunOptions {
    show_stdout,
    show_stderr,
    max_output_lines,
    on_fail,
    notify,
    background,
    stdin,
    output,
    attempts
});
wire_enum!(RunCommand { 0 = Shell(script, values), 1 = Argv(words) });
wire_enum!(ArgvWord { 0 = Text(text), 1 = Values(source) });
wire_struct!(ShellTemplate { pieces });
wire_enum!(TemplatePiece { 0 = Literal(text), 1 = Value { placeholder, whole_word, quoted } });
wire_enum!(OnFail { 0 = Ignore, 1 = Warn, 2 = Context, 3 = Deny, 4 = Ask });
wire_enum!(Stdin { 0 = Payload, 1 = None });
wire_enum!(OutputKind { 0 = Text, 1 = Context, 2 = Hook });
wire_struct!(RecordSpec { file, fields });
wire_enum!(RecordValue { 0 = Text(text), 1 = Literal(literal), 2 = Null, 3 = Source(source) });

impl Wire for Span {
    fn encode(&self, out: &mut Writer) {
        if out.skips_spans() {
            return;
        }
        self.file.0.encode(out);
        self.start.encode(out);
        // Most spans are short, so the length is encoded.
        self.end.wrapping_sub(self.start).encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        let (file, start) = (FileId(u32::decode(input)?), u32::decode(input)?);
        Ok(Self { file, start, end: start.wrapping_add(u32::decode(input)?) })
    }
}

impl Wire for FieldType {
    fn encode(&self, out: &mut Writer) {
        match self {
            Self::String => out.write_number(0),
            Self::Path => out.write_number(1),
            Self::Number => out.write_number(2),
            Self::Boolean => out.write_number(3),
            Self::Any => out.write_number(4),
            // INVARIANT: the type of a field is one that the schema contains, so it has a number. Any other type is
            // encoded as a number that cannot be decoded.
            Self::Enum(_) | Self::List(_) | Self::Object(_) => {
                out.write_number(self.number().and_then(|number| u64::try_from(number + 5).ok()).unwrap_or(u64::MAX));
            }
        }
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        match input.read_number()? {
            0 => Ok(Self::String),
            1 => Ok(Self::Path),
            2 => Ok(Self::Number),
            3 => Ok(Self::Boolean),
            4 => Ok(Self::Any),
            number => usize::try_from(number - 5).ok().and_then(Self::from_number).ok_or(DamagedImage),
        }
    }
}

impl Wire for LazyRegex {
    fn encode(&self, out: &mut Writer) {
        self.pattern().to_owned().encode(out);
        self.beginnings().to_vec().encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok(Self::from_checked(String::decode(input)?, Vec::decode(input)?))
    }
}

/// Implements `Wire` for types that encode themselves as bytes, with a length prefix.
macro_rules! wire_run {
    ($($type:ty),*) => {$(
        impl Wire for $type {
            fn encode(&self, out: &mut Writer) {
                let mut bytes = Vec::new();
                Self::encode(self, &mut bytes);
                out.run(&bytes);
            }

            fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
                Self::decode(input.run()?).ok_or(DamagedImage)
            }
        }
    )*};
}

wire_run!(PathGlobs, TextGlobs);

/// Encodes the records as shared values: a record that several commands of a rule use is stored once.
impl Wire for Programs {
    fn encode(&self, out: &mut Writer) {
        self.records().cloned().collect::<Vec<Arc<ProgramRecord>>>().encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        let records = Vec::<Arc<ProgramRecord>>::decode(input)?;
        Ok(if records.is_empty() { Self::new() } else { Self::from_records(records) })
    }
}

wire_struct!(ProgramRecord {
    names,
    versioned,
    is_interpreter,
    reading,
    long_options,
    short_options,
    subcommands,
    aliases,
    tracks,
    unlisted,
    operands,
    options,
    shared,
    commands
});
wire_struct!(OptionRecord { names, arity, does, undoes, means, implies });
wire_enum!(WordSyntax { 0 = Gnu, 1 = Leading, 2 = Words, 3 = Pairs, 4 = Bundled, 5 = Operands });
wire_enum!(LongOptionSyntax { 0 = Shortened, 1 = Whole });
wire_enum!(ShortOptionSyntax { 0 = Attached, 1 = Equals });
wire_enum!(SubcommandSyntax { 0 = Whole, 1 = Shortened, 2 = AnyCase });
wire_enum!(UnlistedSubcommand { 0 = Other, 1 = Alias, 2 = Script });
wire_enum!(Arity { 0 = None, 1 = Value, 2 = Attached, 3 = Long, 4 = Command, 5 = Number });
wire_enum!(OperandEffect { 0 = Nothing, 1 = Runs, 2 = FirstRuns, 3 = Expands, 4 = Writes });
wire_enum!(OptionEffect { 0 = Nothing, 1 = Reads, 2 = Writes, 3 = Runs, 4 = Enters, 5 = Explains });

impl Wire for Edit {
    fn encode(&self, out: &mut Writer) {
        let (from, to) = self.texts();
        from.to_owned().encode(out);
        to.encode(out);
        self.programs().encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Self::with_programs(&String::decode(input)?, &String::decode(input)?, &Programs::decode(input)?)
            .map_err(|_| DamagedImage)
    }
}
