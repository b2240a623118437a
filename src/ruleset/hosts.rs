//! The hosts that `connects` looks for.

use crate::domain::{Endpoint, HostRange};
use crate::wire::Lazy;
use hookrules_shell::path::TextGlobs;

/// A test of the hosts that a call talks to.
#[derive(Clone, Debug)]
pub enum HostTest {
    /// Any host.
    Any,
    /// `like`: globs that include ports, and whether one of them names a port.
    Like(Lazy<TextGlobs>, bool),
    /// `under`
    Under(Lazy<Vec<HostRange>>),
    /// `outside`
    Outside(Lazy<Vec<HostRange>>),
}

impl HostTest {
    /// Whether a host matches; `None` if that depends on an unknown port.
    #[must_use]
    pub fn match_endpoint(&self, endpoint: &Endpoint) -> Option<bool> {
        match self {
            Self::Any => Some(true),
            Self::Like(globs, names_port) => match endpoint.port {
                Some(port) => Some(globs.matches(&format!("{}:{port}", endpoint.host))),
                None if *names_port => None,
                None => Some(globs.matches(&format!("{}:0", endpoint.host))),
            },
            Self::Under(ranges) => match_ranges(ranges, endpoint),
            Self::Outside(ranges) => match_ranges(ranges, endpoint).map(|lies| !lies),
        }
    }

    /// Whether the domains of two tests, each with its subdomains, have no host in common.
    #[must_use]
    pub fn is_disjoint_from(&self, other: &Self) -> bool {
        let (Self::Under(own) | Self::Outside(own), Self::Under(others) | Self::Outside(others)) = (self, other) else {
            return false;
        };
        own.iter().all(|own| others.iter().all(|other| is_apart(own, other)))
    }

    /// Returns the number of hosts that it names, at least one.
    #[must_use]
    pub fn host_count(&self) -> usize {
        match self {
            Self::Any => 1,
            Self::Like(globs, _) => globs.patterns().len().max(1),
            Self::Under(ranges) | Self::Outside(ranges) => ranges.len().max(1),
        }
    }
}

/// Whether neither of two domains contains the other. Always false for networks.
fn is_apart(one: &HostRange, other: &HostRange) -> bool {
    let is_below = |host: &str, domain: &str| {
        host.strip_suffix(domain).is_some_and(|front| front.is_empty() || front.ends_with('.'))
    };
    one.bits.is_none() && other.bits.is_none() && !is_below(&one.host, &other.host) && !is_below(&other.host, &one.host)
}

fn match_ranges(ranges: &[HostRange], endpoint: &Endpoint) -> Option<bool> {
    let mut result = Some(false);
    for range in ranges {
        match range.contains(endpoint) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => result = None,
        }
    }
    result
}
