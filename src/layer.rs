//! Layers of policy and what was read of them; plain data between `project` and `compile`.

use crate::config::Settings;
use crate::diagnostic::Diagnostic;
use crate::span::FileId;
use crate::syntax::ast;
