//! The program `rules`: arguments in, exit code out.

/// The allocator of the archives for Linux, instead of musl's own.
#[cfg(all(target_os = "linux", target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> std::process::ExitCode {
    hookrules::run(std::env::args_os())
}
