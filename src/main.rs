//! The program `rules`: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    hookrules::run(std::env::args_os())
}
