//! The built-in records, which the build script generates from `tools/*.toml`, and the index of their names.

use std::borrow::Cow;

use super::kinds::{MemberUsage, RecordMember, ToolRecord};

include!(concat!(env!("OUT_DIR"), "/tool_records.rs"));
