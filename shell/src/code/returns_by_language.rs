//! Return values of calls that only some languages have: `pop`, `sprintf`, `pack`.

use super::Language;
use super::call::{Given, any_of};
use super::commands::{is_url, origin_of};
use super::decode::{base64, decoded, hex};
use super::evaluate::{At, Elements, Evaluator};
use super::library::{At as Place, Gives};
use super::returns::parent_word;
use super::state::joined;
use super::value::{Held, Origin, Value};
use crate::word::Word;

impl Evaluator<'_> {
    /// Evaluates the return value of a call.
    pub(super) fn results(&mut self, at: At, gives: Gives, this: Option<&Value>, given: &Given) -> Value {
        let argument = |place| self.given(place, this, given);
        match gives {
            Gives::ExpandedIn(path, directory) => {
                let (path, directory) = (argument(path), argument(directory));
                let path = self.expanded(at, path);
                match directory {
                    Some(directory @ (Value::Text(..) | Value::Path(_))) => {
                        let word = joined(&self.word(&directory, at), &self.word(&path, at));
                        Value::Text(word, Origin::Computed)
                    }
                    _ => path,
                }
            }
            Gives::ParentPath => match this {
                Some(Value::Path(path)) => Value::Path(parent_word(path)),
                _ => Value::Data(Origin::Computed),
            },
            Gives::PathOf(file) => match argument(file) {
                Some(Value::File(path)) => Value::Text(path, Origin::Computed),
                _ => Value::Data(Origin::Computed),
            },
            Gives::One(list) => match argument(list).map(|list| self.elements(&list)) {
                Some(Elements::Known(values)) if !values.is_empty() => any_of(values),
                Some(Elements::Some(value)) => value,
                _ => Value::Data(Origin::Computed),
            },
            Gives::Shifted | Gives::Popped => self.taken(gives, this),
            Gives::Opened | Gives::OpenedMode => self.opened_handle(at, gives, given),
            Gives::Flattened(keys) => {
                let items = argument(keys).map(|keys| match keys {
                    Value::Keys(_) => self.gives(at, Gives::Items, Some(&keys), &Given::default()),
                    other => other,
                });
                match items.map(|items| self.elements(&items)) {
                    Some(Elements::Known(pairs)) => {
                        let values = pairs.iter().flat_map(|pair| self.listed(pair)).collect();
                        self.new_list(values)
                    }
                    Some(Elements::Some(value)) => Value::each(value),
                    None => self.new_list(Vec::new()),
                }
            }
            Gives::KeysOf(list) => {
                let values = argument(list).map(|list| self.listed(&list)).unwrap_or_default();
                let is_known = values.len() % 2 == 0 && !values.iter().any(|value| matches!(value, Value::Each(_)));
                let pairs = values.chunks(2).filter_map(|pair| match pair {
                    [key, value] => Some((self.key(key)?, value.clone())),
                    _ => None,
                });
                let keys: std::collections::BTreeMap<_, _> = pairs.collect();
                let held = match is_known && keys.len() * 2 == values.len() {
                    true => Held::Keys(keys),
                    false => Held::Any(any_of(values)),
                };
                Value::Keys(self.state.hold(held))
            }
            Gives::Spliced => {
                let own = this.map(|list| self.listed(list)).unwrap_or_default();
                let any = any_of(own);
                let more = any_of(given.plain.iter().skip(2).cloned().collect());
                if let Some(Value::List(place)) = this {
                    self.state.forget_held(*place, &more);
                }
                Value::each(any)
            }
            Gives::ShiftedOf(list) => {
                let list = argument(list);
                self.taken(Gives::Shifted, list.as_ref())
            }
            Gives::PoppedOf(list) => {
                let list = argument(list);
                self.taken(Gives::Popped, list.as_ref())
            }
            Gives::EachValue(list) => match argument(list) {
                Some(list @ Value::Keys(_)) => self.gives(at, Gives::Values, Some(&list), &Given::default()),
                Some(list) => match self.elements(&list) {
                    Elements::Known(mut values) => {
                        // `array_merge($a, $b)`
                        for more in given.plain.iter().skip(1).filter(|more| more.is_several()) {
                            values.extend(self.listed(more));
                        }
                        self.new_list(values)
                    }
                    Elements::Some(value) => Value::each(value),
                },
                None => Value::each(Value::Data(Origin::Computed)),
            },
            Gives::EachItem(list) => match argument(list) {
                Some(list @ Value::Keys(_)) => self.gives(at, Gives::Items, Some(&list), &Given::default()),
                Some(list) => match self.elements(&list) {
                    Elements::Known(values) => {
                        let numbered = (0_i64..).zip(values);
                        let pairs = numbered.map(|(at, value)| self.new_list(vec![Value::Number(at), value])).collect();
                        self.new_list(pairs)
                    }
                    Elements::Some(value) => {
                        let pair = self.new_list(vec![Value::Data(Origin::Computed), value]);
                        Value::each(pair)
                    }
                },
                None => Value::each(Value::Data(Origin::Computed)),
            },
            Gives::OfArguments => {
                let words = self.words_of_program();
                let is_input = matches!(self.elements(&words), Elements::Known(values) if values.is_empty());
                match self.outside.input().filter(|_| is_input) {
                    Some(word) if word.known().is_some() => self.lines_of(&word),
                    _ => Value::each(Value::Data(if is_input { Origin::Input } else { Origin::File })),
                }
            }
            Gives::Filled(format) => {
                let (format, rest) = match format {
                    Place::This => (this.cloned(), given.plain.first().cloned()),
                    place => {
                        let rest = given.plain.iter().skip(1).cloned().collect();
                        (argument(place), Some(self.new_list(rest)))
                    }
                };
                let nothing = Value::Data(Origin::Computed);
                self.remainder(at, &format.unwrap_or(nothing.clone()), &rest.unwrap_or(nothing))
            }
            Gives::Packed(list, format) => {
                let format = argument(format).and_then(|format| format.known().map(str::to_owned));
                let first = match argument(list).map(|list| self.elements(&list)) {
                    Some(Elements::Known(values)) => values.into_iter().next(),
                    _ => None,
                };
                match format.as_deref().map(|format| format.trim_end_matches(['*', '0', '1', '2'])) {
                    Some("H") => decoded(first, hex),
                    Some("m") => decoded(first, base64),
                    Some("a" | "A") => first.unwrap_or(Value::Data(Origin::Computed)),
                    _ => Value::Data(Origin::Computed),
                }
            }
            _ => Value::Data(Origin::Computed),
        }
    }

    /// Returns the arguments of the program, including its changes to them.
    pub(super) fn words_of_program(&mut self) -> Value {
        self.named(if self.language == Language::Perl { "@ARGV" } else { "ARGV" })
    }

    /// Removes the first or the last value of a list.
    fn taken(&mut self, gives: Gives, list: Option<&Value>) -> Value {
        let Some(Value::List(place)) = list else {
            return list.map_or(Value::Data(Origin::Computed), |list| match self.elements(list) {
                Elements::Known(values) => any_of(values),
                Elements::Some(value) => value,
            });
        };
        match self.state.held_mut(*place) {
            Some(Held::List(values)) if values.iter().all(|value| !matches!(value, Value::Each(_))) => match gives {
                _ if values.is_empty() => Value::Nothing,
                Gives::Shifted => values.remove(0),
                _ => values.pop().unwrap_or(Value::Nothing),
            },
            Some(Held::List(values)) => {
                let any = any_of(values.clone());
                self.state.forget_held(*place, &Value::Nothing);
                any
            }
            Some(Held::Any(any)) => any.clone(),
            _ => Value::Data(Origin::Computed),
        }
    }

    /// Returns the lines of a text. A text with a single line is that line.
    fn lines_of(&mut self, text: &Word) -> Value {
        let known = text.known().unwrap_or_default();
        match known.trim_end_matches('\n') {
            line if line.contains('\n') => Value::each(Value::Data(Origin::Input)),
            line => Value::Text(Word::text(line), Origin::Input),
        }
    }

    /// Returns an opened file, or the data of a command or URL.
    pub(super) fn opened(&self, path: Word) -> Value {
        match path.prefix().trim_start() {
            start if start.starts_with('|') => Value::Data(Origin::Computed),
            start if is_url(start) => Value::Data(origin_of(&path)),
            _ => Value::File(path),
        }
    }
}
