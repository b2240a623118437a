//! Arguments in, exit code out.

fn main() -> std::process::ExitCode {
    hookrules::cli::run(std::env::args_os())
}
