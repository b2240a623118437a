//! Answers the index's questions about a call with the values that conditions would see.

use super::{At, Context, Form, Reach, Scalar, ShellRole, Touches, Values};
use crate::ruleset::index::Call;
use crate::ruleset::{Derived, Source};
use crate::schema::Type;
use crate::syntax::ast::FileVerb;
use hookrules_shell::pattern::Coverage;

/// The forms in which paths are compared.
const FORMS: &[Form] = &[Form::Lexical, Form::Physical];

impl Call for Context<'_> {
    fn subject(&self, see: &mut dyn FnMut(&str)) {
        let others = self.call.payload.other_names.iter().map(String::as_str);
        self.head_subject().into_iter().chain(others).for_each(see);
    }

    fn agent(&self, see: &mut dyn FnMut(&str)) -> Coverage {
        if self.call.payload.leaves_open_who_acts() {
            return Coverage::NotAll;
        }
        let main = !self.call.payload.is_by_subagent();
        if main {
            see("main");
        }
        match self.call.payload.agent_type() {
            Some(agent) => see(agent),
            None if main => {}
            None => return Coverage::NotAll,
        }
        Coverage::All
    }

    fn programs(&self, see: &mut dyn FnMut(&str)) -> Coverage {
        if self.call.has_unreadable_command() {
            return Coverage::NotAll;
        }
        self.shell_text().map_or(Coverage::All, |shell| shell.analysis.programs_named(see))
    }

    fn words(&self, see: &mut dyn FnMut(&str)) -> Coverage {
        if self.call.has_unreadable_command() {
            return Coverage::NotAll;
        }
        self.shell_text().map_or(Coverage::All, |shell| shell.analysis.words_named(see))
    }

    fn leading_program(&self, see: &mut dyn FnMut(&str)) -> Coverage {
        if self.call.has_unreadable_command() {
            return Coverage::NotAll;
        }
        self.shell_text().map_or(Coverage::All, |shell| shell.analysis.leading_program(see))
    }

    fn is_guessed(&self) -> bool {
        self.shell_text().is_some_and(|shell| shell.role == ShellRole::Likely)
    }

    fn texts(&self, source: &Source, see: &mut dyn FnMut(&str)) -> Coverage {
        // The stopped agent may be named only in the transcript, which is read only when a condition asks.
        if matches!(source, Source::Derived(Derived::Agent | Derived::AgentType)) && self.would_read_transcript() {
            return Coverage::NotAll;
        }
        let is_path = match source {
            Source::Raw { ty, .. } => matches!(ty, Type::Path | Type::List(Type::Path)),
            Source::Derived(derived) => *derived == Derived::Path,
            _ => false,
        };
        self.unless_cut(|| {
            let mut lexical = Values::new();
            for form in if is_path { FORMS } else { &[Form::Lexical] } {
                let Ok(values) = self.lookup(source, *form) else { return Coverage::NotAll };
                for (at, value) in values.iter().enumerate() {
                    match value {
                        Scalar::Partly(_) => return Coverage::NotAll,
                        // Most paths pass through no link, and examining a text takes longer than comparing two.
                        value if lexical.get(at) == Some(value) => {}
                        value => value.as_text().into_iter().for_each(&mut *see),
                    }
                }
                lexical = values;
            }
            Coverage::All
        })
    }

    fn touched(&self, verb: FileVerb, see: &mut dyn FnMut(&str)) -> Coverage {
        // An allow sees a call with a record differently from a denial.
        let is_recorded = self.call.has_tool_record();
        self.unless_cut(|| {
            let mut lexical = Touches::default();
            for form in FORMS {
                if is_recorded && !self.touched_for_allow(verb, *form).files.is_empty() {
                    return Coverage::NotAll;
                }
                let touches = self.touched(verb, *form);
                if touches.unknown.is_some() {
                    return Coverage::NotAll;
                }
                for (at, file) in touches.files.iter().enumerate() {
                    match (&file.at, &file.reach) {
                        (At::Path(path), Reach::Alone) => {
                            let is_told = lexical.files.get(at).is_some_and(|before| before.at == file.at);
                            if !is_told {
                                see(&path.to_string_lossy());
                            }
                        }
                        // Below a directory there may be any file, and a partly known path may be any.
                        _ => return Coverage::NotAll,
                    }
                }
                for path in touches.mentioned.iter().flat_map(|said| &said.paths) {
                    see(&self.absolute(path, *form).to_string_lossy());
                }
                lexical = touches;
            }
            Coverage::All
        })
    }

    fn connected(&self, see: &mut dyn FnMut(&str)) -> Coverage {
        self.unless_cut(|| {
            let contacts = self.contacts();
            if contacts.unknown.is_some() {
                return Coverage::NotAll;
            }
            for contact in &contacts.hosts {
                see(contact.host.as_ref().map_or("", |host| host.host.as_str()));
            }
            Coverage::All
        })
    }

    fn links(&self, directory: &str, see: &mut dyn FnMut(&str)) -> Coverage {
        let Some(project) = self.machine.project() else { return Coverage::NotAll };
        match self.machine.links_in(&project.join(directory)) {
            Ok(names) => names.unwrap_or_default().iter().for_each(|name| see(name)),
            Err(_) => return Coverage::NotAll,
        }
        Coverage::All
    }
}

impl Context<'_> {
    /// Runs a lookup; `NotAll` if the event's budget cut it short.
    fn unless_cut(&self, tell: impl FnOnce() -> Coverage) -> Coverage {
        self.machine.whole(tell).unwrap_or(Coverage::NotAll)
    }
}
