//! The properties of a call by which the index finds rules, with the values that conditions see.

use super::{Context, PathForm, Scalar, ScalarValues, ShellRole, TouchLocation, TouchReach, TouchedFiles};
use crate::ruleset::index::IndexedCall;
use crate::ruleset::{DerivedField, ValueReference};
use crate::schema::FieldType;
use crate::syntax::ast::FileVerb;
use hookrules_shell::pattern::NameCoverage;

/// All forms in which paths are compared.
const FORMS: &[PathForm] = &[PathForm::Lexical, PathForm::Physical];

impl IndexedCall for Context<'_> {
    fn visit_subject(&self, see: &mut dyn FnMut(&str)) {
        let others = self.call.payload.other_names.iter().map(String::as_str);
        self.head_subject().into_iter().chain(others).for_each(&mut *see);
        self.visit_names_without_plugin(see);
    }

    /// Calls `see` with `main` or the type of the agent that acts.
    fn visit_agent(&self, see: &mut dyn FnMut(&str)) -> NameCoverage {
        if self.call.payload.is_actor_unclear() {
            return NameCoverage::Partial;
        }
        let main = !self.call.payload.is_by_subagent();
        if main {
            see("main");
        }
        match self.call.payload.agent_type() {
            Some(agent) => see(agent),
            None if main => {}
            None => return NameCoverage::Partial,
        }
        NameCoverage::Complete
    }

    fn visit_programs(&self, see: &mut dyn FnMut(&str)) -> NameCoverage {
        if self.call.has_unreadable_command() {
            return NameCoverage::Partial;
        }
        self.shell_text().map_or(NameCoverage::Complete, |shell| shell.analysis.programs_named(see))
    }

    fn visit_words(&self, see: &mut dyn FnMut(&str)) -> NameCoverage {
        if self.call.has_unreadable_command() {
            return NameCoverage::Partial;
        }
        self.shell_text().map_or(NameCoverage::Complete, |shell| shell.analysis.words_named(see))
    }

    fn visit_leading_program(&self, see: &mut dyn FnMut(&str)) -> NameCoverage {
        if self.call.has_unreadable_command() {
            return NameCoverage::Partial;
        }
        self.shell_text().map_or(NameCoverage::Complete, |shell| shell.analysis.leading_program(see))
    }

    fn is_guessed(&self) -> bool {
        self.shell_text().is_some_and(|shell| shell.role == ShellRole::Likely)
    }

    /// Calls `see` with the texts of a field. Paths are passed in both forms.
    fn visit_texts(&self, source: &ValueReference, see: &mut dyn FnMut(&str)) -> NameCoverage {
        // Only the transcript may name the stopped agent, and it is read only if a condition needs it.
        if matches!(source, ValueReference::Derived(DerivedField::Agent | DerivedField::AgentType))
            && self.is_transcript_needed()
        {
            return NameCoverage::Partial;
        }
        let is_path = match source {
            ValueReference::Raw { ty, .. } => matches!(ty, FieldType::Path | FieldType::List(FieldType::Path)),
            ValueReference::Derived(derived) => *derived == DerivedField::Path,
            _ => false,
        };
        self.complete_coverage(|| {
            let mut lexical_values = ScalarValues::new();
            for form in if is_path { FORMS } else { &[PathForm::Lexical] } {
                let Ok(values) = self.lookup(source, *form) else { return NameCoverage::Partial };
                for (at, value) in values.iter().enumerate() {
                    match value {
                        Scalar::PartlyKnown(_) => return NameCoverage::Partial,
                        // The physical path is mostly the lexical one, and comparing two texts takes less time than
                        // another search of the index.
                        value if lexical_values.get(at) == Some(value) => {}
                        Scalar::Object(json) => {
                            Scalar::texts_of_object(json)
                                .for_each(|text| text.as_text().into_iter().for_each(&mut *see));
                        }
                        value => value.as_text().into_iter().for_each(&mut *see),
                    }
                }
                lexical_values = values;
            }
            NameCoverage::Complete
        })
    }

    /// Calls `see` with the paths that the call touches, in both forms. The result is partial if files below a path,
    /// or a path that is only partly known, may be touched.
    fn visit_touched_files(&self, verb: FileVerb, see: &mut dyn FnMut(&str)) -> NameCoverage {
        // With a record of the tool, an allow sees other files than a denial.
        let is_recorded = self.call.has_tool_record();
        self.complete_coverage(|| {
            let mut lexical_touches = TouchedFiles::default();
            for form in FORMS {
                if is_recorded && !self.touched_files_for_allow(verb, *form).files.is_empty() {
                    return NameCoverage::Partial;
                }
                let touches = self.touched_files(verb, *form);
                if touches.unknown.is_some() {
                    return NameCoverage::Partial;
                }
                for (at, file) in touches.files.iter().enumerate() {
                    match (&file.location, &file.reach) {
                        (TouchLocation::Path(path), TouchReach::PathOnly) => {
                            let was_seen_as_lexical =
                                lexical_touches.files.get(at).is_some_and(|before| before.location == file.location);
                            if !was_seen_as_lexical {
                                see(&path.to_string_lossy());
                            }
                        }
                        // The index cannot list the files below a directory, or those of a partly known path.
                        _ => return NameCoverage::Partial,
                    }
                }
                for path in touches.mentioned.iter().flat_map(|said| &said.paths) {
                    see(&self.absolute(path, *form).to_string_lossy());
                }
                lexical_touches = touches;
            }
            NameCoverage::Complete
        })
    }

    /// Calls `see` with the hosts that the call connects to. An empty text stands for an unknown host.
    fn visit_hosts(&self, see: &mut dyn FnMut(&str)) -> NameCoverage {
        self.complete_coverage(|| {
            let contacts = self.contacts();
            if contacts.unknown.is_some() {
                return NameCoverage::Partial;
            }
            for contact in &contacts.hosts {
                see(contact.host.as_ref().map_or("", |host| host.host.as_str()));
            }
            NameCoverage::Complete
        })
    }

    /// Calls `see` with the names of the symbolic links in a directory of the project.
    fn visit_links(&self, directory: &str, see: &mut dyn FnMut(&str)) -> NameCoverage {
        let Some(project) = self.machine.project() else { return NameCoverage::Partial };
        match self.machine.list_links(&project.join(directory)) {
            Ok(names) => names.unwrap_or_default().iter().for_each(|name| see(name)),
            Err(_) => return NameCoverage::Partial,
        }
        NameCoverage::Complete
    }
}

impl Context<'_> {
    /// Runs `visit`, and returns its result, or [`NameCoverage::Partial`] if the event's budget cut a lookup short.
    fn complete_coverage(&self, visit: impl FnOnce() -> NameCoverage) -> NameCoverage {
        self.machine.complete_lookup(visit).unwrap_or(NameCoverage::Partial)
    }
}
