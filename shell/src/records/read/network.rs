//! Reads the table `[network]` of a record.

use super::super::network::{NOTATIONS, NetworkTable, NetworkTableOperands, VALUE_NOTATIONS, VARIABLE_NOTATIONS};
use super::{RecordReader, TomlKey, TomlValue, sorted};

impl RecordReader<'_> {
    /// Reads the table `[network]`: to which machines a program connects, and what it sends.
    pub(super) fn network(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> NetworkTable {
        let mut network = NetworkTable { place: self.source_place(&key.span()), ..NetworkTable::default() };
        for (key, value) in self.table(key, value).into_iter().flat_map(sorted) {
            match &**key.get_ref() {
                "idle" => network.idle = self.names(key, value),
                "only" => network.only = self.names(key, value),
                "configured" => network.is_configured = self.is_true(key, value),
                "sends" => network.sends = self.is_true(key, value),
                "input" => network.input = self.is_true(key, value),
                "port" => network.port = self.port(key, value),
                "values" => network.values = self.names_by_keyword(key, value, VALUE_NOTATIONS),
                "variables" => network.variables = self.names_by_keyword(key, value, VARIABLE_NOTATIONS),
                "by" => {
                    let function = self.function(key, value, "src/network").map(NetworkTableOperands::By);
                    self.set_operands(&mut network, key, function);
                }
                word => match NOTATIONS.iter().find(|(name, _)| *name == word) {
                    Some((_, notation)) => {
                        let operands = self.string(key, value).and_then(|word| match &*word {
                            "operands" => Some(NetworkTableOperands::Each(notation)),
                            "first" => Some(NetworkTableOperands::First(notation)),
                            _ => {
                                let help = "write one of operands, first, and options under `[network.values]`";
                                self.report_at(&value.span(), format!("unknown operands `{word}`"), help);
                                None
                            }
                        });
                        self.set_operands(&mut network, key, operands);
                    }
                    None => self.report_at(&key.span(), format!("unknown key `{word}`"), KEYS),
                },
            }
        }
        network
    }

    /// Sets which operands name machines, and reports a second definition.
    fn set_operands(&mut self, network: &mut NetworkTable, key: &TomlKey<'_>, operands: Option<NetworkTableOperands>) {
        if network.operands != NetworkTableOperands::None {
            self.report_duplicate(key, "what the operands name");
        }
        network.operands = operands.unwrap_or_default();
    }

    /// Reads a port number in quotes. Any other value is reported, and results in `None`.
    fn port(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Option<u16> {
        let text = self.string(key, value)?;
        let port = text.parse().ok();
        if port.is_none() {
            self.report_at(&value.span(), format!("`{text}` is no port"), "write a number from 0 to 65535 in quotes");
        }
        port
    }
}

/// The keys of the table `[network]`, for the advice about an unknown key.
const KEYS: &str =
    "`network` has urls, hosts, remotes, by, port, only, idle, configured, sends, input, values, variables";
