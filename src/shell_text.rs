//! placeholder until merge
use crate::syntax::ast;
use crate::span::Span;
/// x
#[derive(Clone, Debug)]
pub struct ShellTemplate;
/// x
pub struct Problem { /// x
 pub span: Span }
/// x
pub fn analyse(_text: &ast::Text) -> Result<ShellTemplate, Vec<Problem>> { Ok(ShellTemplate) }
/// x
pub fn render(_t: &ShellTemplate, _v: &[Vec<String>]) -> (String, Vec<String>) { (String::new(), vec![]) }
/// x
pub fn check_argv(_w: &[ast::Text]) -> Vec<Problem> { vec![] }
