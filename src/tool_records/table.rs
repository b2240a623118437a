//! The built-in records, which the build script writes from `tools/*.toml`, and an index of their names.

use std::borrow::Cow;

use super::kinds::{MemberUsage, RecordMember, ToolRecord};

include!(concat!(env!("OUT_DIR"), "/tool_records.rs"));
