//! Tests of questions about the past.
