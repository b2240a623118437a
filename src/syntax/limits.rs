//! The limits of a file, which bound the time that a hostile or broken text can take.

pub(super) use crate::limits::{
    ELEMENTS as MAX_ELEMENTS, FILE_BYTES as MAX_BYTES, FINDINGS as MAX_DIAGNOSTICS, NESTING as MAX_DEPTH,
    NESTING as MAX_NOTS,
};
