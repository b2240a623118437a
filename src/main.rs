//! The program `rules`: arguments in, exit code out.

/// The allocator of the archives for Linux, instead of musl's own.
#[cfg(all(target_os = "linux", target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// How much memory is taken from the system at the start: more than a hook needs. The allocator otherwise takes pieces
/// of 64 KiB, and touches the first and the last page of each. Less than a huge page, which would be cleared as a whole.
#[cfg(all(target_os = "linux", target_env = "musl"))]
const FIRST_BYTES: usize = 960 << 10;

fn main() -> std::process::ExitCode {
    // The allocator keeps what is freed.
    #[cfg(all(target_os = "linux", target_env = "musl"))]
    drop(std::hint::black_box(Vec::<u8>::with_capacity(FIRST_BYTES)));
    hookrules::run(std::env::args_os())
}
