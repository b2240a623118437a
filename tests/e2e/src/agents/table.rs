//! The table of what happened: a row for each case, a column for each agent.

use std::collections::BTreeMap;
use std::fmt;

use super::cases::{CASES, Case, Outcome};
use super::{AGENTS, Agent};

/// The outcomes of the sessions that were played, by agent and case.
#[derive(Default)]
pub(crate) struct Table(BTreeMap<(String, &'static str), Outcome>);

impl Table {
    pub(crate) fn add(&mut self, agent: &Agent, case: &Case, outcome: Outcome) {
        self.0.insert((agent.title(), case.name), outcome);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let was_played = |agent: &String| self.0.keys().any(|(name, _)| name == agent);
        let agents: Vec<String> = AGENTS.iter().map(Agent::title).filter(was_played).collect();
        write!(f, "| | {} |\n|---{}|", agents.join(" | "), "|---".repeat(agents.len()))?;
        for case in CASES.iter().filter(|case| self.0.keys().any(|(_, name)| *name == case.name)) {
            let cell = |agent: &String| self.0.get(&(agent.clone(), case.name)).map(Outcome::to_string);
            let cells: Vec<String> = agents.iter().map(|agent| cell(agent).unwrap_or_default()).collect();
            write!(f, "\n| {} | {} |", case.title, cells.join(" | "))?;
        }
        Ok(())
    }
}
