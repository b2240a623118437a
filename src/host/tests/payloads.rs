//! Payloads of real hosts, and some built by hand, against the schema.
