//! Tests of the hosts that a call connects to: `connects`.

use crate::domain::{Endpoint, HostRange};
use crate::wire::Lazy;
use hookrules_shell::path::TextGlobs;

/// A test of one host that a call connects to.
#[derive(Clone, Debug)]
pub enum HostTest {
    /// `connects` alone: every host matches.
    Any,
    /// `like`: globs on `HOST:PORT`, and whether one of them has a port other than `*`.
    Like(Lazy<TextGlobs>, bool),
    /// `under`: the host is in one of the ranges.
    Under(Lazy<Vec<HostRange>>),
    /// `outside`: the host is in none of the ranges.
    Outside(Lazy<Vec<HostRange>>),
}

impl HostTest {
    /// Whether a host satisfies the test; `None` if that depends on an unknown port.
    #[must_use]
    pub fn match_endpoint(&self, endpoint: &Endpoint) -> Option<bool> {
        match self {
            Self::Any => Some(true),
            Self::Like(globs, names_port) => match endpoint.port {
                Some(port) => Some(globs.matches(&format!("{}:{port}", endpoint.host))),
                None if *names_port => None,
                // No glob has a port, so any number represents the unknown one.
                None => Some(globs.matches(&format!("{}:0", endpoint.host))),
            },
            Self::Under(ranges) => match_ranges(ranges, endpoint),
            Self::Outside(ranges) => match_ranges(ranges, endpoint).map(|is_inside| !is_inside),
        }
    }

    /// Whether the domains in the two tests, with their subdomains, have no host in common. False if one of them is
    /// not `under` or `outside`, or contains a network.
    #[must_use]
    pub fn is_disjoint_from(&self, other: &Self) -> bool {
        let (Self::Under(ours) | Self::Outside(ours), Self::Under(others) | Self::Outside(others)) = (self, other)
        else {
            return false;
        };
        ours.iter().all(|range| others.iter().all(|other| is_apart(range, other)))
    }

    /// Returns the number of globs or ranges in the test; at least 1.
    #[must_use]
    pub fn host_count(&self) -> usize {
        match self {
            Self::Any => 1,
            Self::Like(globs, _) => globs.patterns().len().max(1),
            Self::Under(ranges) | Self::Outside(ranges) => ranges.len().max(1),
        }
    }
}

/// Whether neither of two domains contains the other. False if one of them is a network.
fn is_apart(one: &HostRange, other: &HostRange) -> bool {
    let is_below = |host: &str, domain: &str| {
        host.strip_suffix(domain).is_some_and(|front| front.is_empty() || front.ends_with('.'))
    };
    one.bits.is_none() && other.bits.is_none() && !is_below(&one.host, &other.host) && !is_below(&other.host, &one.host)
}

/// Whether a host is in one of the ranges; `None` if that depends on an unknown port.
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
