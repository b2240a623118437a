//! Which members of a payload a rule may read.

use super::{
    CommandTest, Condition, ConditionExpr, Effect, FactName, KeySource, Measure, PolicyValue, Rule, TouchTest,
    ValueReference,
};

impl Rule {
    /// Whether the rule's conditions, or the key of its mark, may read the payload's member of this name. A JSONPath
    /// may read any member.
    #[must_use]
    pub fn may_read_member(&self, name: &str) -> bool {
        let reads = |reference: &ValueReference| reference.may_read_member(name);
        let in_effect = |effect: &Effect| match effect {
            Effect::Mark(spec) => matches!(&spec.key, Some(KeySource::Value(source)) if reads(source)),
            _ => true,
        };
        [&self.when, &self.unless].into_iter().flatten().any(|condition| condition.may_read(&reads))
            || self.effects.iter().any(in_effect)
    }
}

impl Condition {
    /// Whether a reference in the condition, or in a `where` of it, satisfies `reads`. A question about the past does.
    fn may_read(&self, reads: &dyn Fn(&ValueReference) -> bool) -> bool {
        let mut found = false;
        self.visit_tests(&mut |test, _| found |= found || test.test_may_read(reads));
        found
    }

    /// Like [`Self::may_read`], for a single test.
    fn test_may_read(&self, reads: &dyn Fn(&ValueReference) -> bool) -> bool {
        match &self.kind {
            ConditionExpr::Compare { source, test, .. } => reads(source) || test.references().into_iter().any(reads),
            ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => reads(source),
            ConditionExpr::Command(CommandTest::Runs { filter: Some(filter), .. }) => filter.may_read(reads),
            ConditionExpr::Touches { test: TouchTest::Under(dirs) | TouchTest::Outside(dirs), .. } => {
                dirs.iter().flat_map(|dir| dir.references()).any(reads)
            }
            ConditionExpr::TouchesFilled { globs, .. } => globs.references().any(reads),
            ConditionExpr::Happened(_) => true,
            ConditionExpr::Constant(_)
            | ConditionExpr::Command(_)
            | ConditionExpr::Touches { test: TouchTest::Like(_), .. }
            | ConditionExpr::Connects(_) => false,
            // The parts of these are visited.
            ConditionExpr::And(_)
            | ConditionExpr::Or(_)
            | ConditionExpr::Not(_)
            | ConditionExpr::Certain(_)
            | ConditionExpr::Def(_) => false,
        }
    }
}

impl ValueReference {
    /// Whether the value may depend on the payload's member of this name.
    fn may_read_member(&self, name: &str) -> bool {
        let in_value = |value: &PolicyValue| value.references().into_iter().any(|inner| inner.may_read_member(name));
        match self {
            Self::Raw { path, .. } => path.first().is_none_or(|first| first == name),
            Self::JsonPath(_) | Self::Measured(Measure::Past(_)) => true,
            Self::Fact(FactName::File(_, value) | FactName::OwnFile(_, _, value)) => in_value(value),
            Self::Measured(Measure::Length(values) | Measure::Count(values)) => values.may_read_member(name),
            Self::Capture(capture) => capture.values.may_read_member(name),
            Self::Derived(_)
            | Self::Fact(_)
            | Self::Where(_)
            | Self::Constant(_)
            | Self::Measured(Measure::Files(_)) => false,
        }
    }
}
