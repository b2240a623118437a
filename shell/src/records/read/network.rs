//! Reads the table `[network]` of a record.

use super::super::network::{NOTATIONS, Network, Operands, VALUE_NOTATIONS, VARIABLE_NOTATIONS};
use super::{Key, RecordReader, Value, sorted};

impl RecordReader<'_> {
    /// Reads which machines a program connects to, and what it sends.
    pub(super) fn network(&mut self, key: &Key<'_>, value: &Value<'_>) -> Network {
        let mut network = Network { place: self.place(&key.span()), ..Network::default() };
        for (key, value) in self.table(key, value).into_iter().flat_map(sorted) {
            match &**key.get_ref() {
                "idle" => network.idle = self.names(key, value),
                "only" => network.only = self.names(key, value),
                "configured" => network.is_configured = self.is_true(key, value),
                "sends" => network.sends = self.is_true(key, value),
                "input" => network.input = self.is_true(key, value),
                "port" => network.port = self.port(key, value),
                "values" => network.values = self.by_kind(key, value, VALUE_NOTATIONS),
                "variables" => network.variables = self.by_kind(key, value, VARIABLE_NOTATIONS),
                "by" => {
                    let function = self.function(key, value, "src/network").map(Operands::By);
                    self.named_machines(&mut network, key, function);
                }
                word => match NOTATIONS.iter().find(|(name, _)| *name == word) {
                    Some((_, notation)) => {
                        let operands = self.string(key, value).and_then(|word| match &*word {
                            "operands" => Some(Operands::Each(notation)),
                            "first" => Some(Operands::First(notation)),
                            _ => {
                                let help = "write one of operands, first, and options under `[network.values]`";
                                self.bad(&value.span(), format!("unknown operands `{word}`"), help);
                                None
                            }
                        });
                        self.named_machines(&mut network, key, operands);
                    }
                    None => self.bad(&key.span(), format!("unknown key `{word}`"), KEYS),
                },
            }
        }
        network
    }

    /// Sets which operands name machines, which may be set once.
    fn named_machines(&mut self, network: &mut Network, key: &Key<'_>, operands: Option<Operands>) {
        if network.operands != Operands::None {
            self.said_above(key, "what the operands name");
        }
        network.operands = operands.unwrap_or_default();
    }

    fn port(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<u16> {
        let text = self.string(key, value)?;
        let port = text.parse().ok();
        if port.is_none() {
            self.bad(&value.span(), format!("`{text}` is no port"), "write a number from 0 to 65535 in quotes");
        }
        port
    }
}

/// The keys of the table.
const KEYS: &str =
    "`network` has urls, hosts, remotes, by, port, only, idle, configured, sends, input, values, variables";
