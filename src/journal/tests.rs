//! Tests of journals.
