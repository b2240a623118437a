//! Reads the packs (`build/packs.rs`), their regexes (`build/regexes.rs`), the phrasebook (`build/phrases.rs`), the
//! records of tools (`build/tools.rs`) and of hosts (`build/hosts.rs`), and chooses how `rules` is linked with glibc:
//! statically at a fixed address, if a trial shows that this works.
//!
//! A hook is one process per event, and finding, mapping and relocating shared libraries is most of the cost of
//! starting a small process (benches/README.md has the figures). A program without a dynamic linker also ignores
//! `LD_PRELOAD` and the like, which a project's settings could put into a hook's environment.
//!
//! `RULES_LINK` chooses: `static` (fails if it does not work), `fixed` (shared libraries, a fixed address) or `default`
//! (rustc's own choice). Without it, the first of the three that works is used. What rustc already links statically, as
//! with musl, remains so; cargo then warns of a wish for anything else.
#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment and the packs, and tries the linker"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

#[path = "build/hosts.rs"]
mod hosts;
#[path = "src/limits.rs"]
#[expect(dead_code, unreachable_pub, reason = "the program has more to bound, and for everybody")]
mod limits;
#[path = "build/packs.rs"]
mod packs;
#[path = "build/phrases.rs"]
mod phrases;
#[path = "build/regexes.rs"]
mod regexes;
#[path = "src/syntax/token.rs"]
#[expect(dead_code, reason = "the parser's diagnoses ask more of it")]
mod token;
#[path = "build/tools.rs"]
mod tools;

/// The libraries that rustc names to the linker, and their replacements in a static program.
const LIBRARIES: &[(&str, &str)] = &[
    ("gcc_s", "libgcc_eh.a libgcc.a"),
    ("c", "libc.a"),
    ("m", "libm.a"),
    ("rt", "librt.a"),
    ("pthread", "libpthread.a"),
    ("util", "libutil.a"),
    ("dl", "libdl.a"),
];

/// A program that needs what `rules` needs of its runtime: catching panics, on this thread and on others.
const TRIAL: &str = r#"
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let here = std::panic::catch_unwind(|| panic!("caught")).is_err();
    let there = std::thread::spawn(|| panic!("caught")).join().is_err();
    std::process::exit(if here && there { 0 } else { 1 });
}
"#;

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    // The linker of an archive's program reads it. A package of the crate does not have it.
    if Path::new("benches/order.txt").exists() {
        println!("cargo:rerun-if-changed=benches/order.txt");
    }
    println!("cargo:rerun-if-env-changed=RULES_LINK");
    println!("cargo:rustc-check-cfg=cfg(static_libc)");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let packs = packs::read()?;
    packs::write(&out, &packs)?;
    regexes::write(&out, &packs)?;
    phrases::write(&out)?;
    tools::write(&out)?;
    hosts::write(&out)?;
    link(&out)
}

/// Tells cargo how to link.
fn link(out: &Path) -> io::Result<()> {
    let wish = env::var("RULES_LINK").ok();
    if let Some(wish) = wish.as_deref().filter(|wish| !matches!(*wish, "static" | "fixed" | "default")) {
        return Err(io::Error::other(format!("RULES_LINK={wish}: it is `static`, `fixed` or `default`")));
    }
    let is_static = text("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static");
    if is_static {
        // rustc already links statically. Where the program is, only a flag of rustc decides: .cargo/config.toml has
        // it.
        println!("cargo:rustc-cfg=static_libc");
        if let Some(wish) = wish.as_deref().filter(|wish| *wish != "static") {
            println!("cargo:warning=RULES_LINK={wish} has no effect: rustc links statically for {}", text("TARGET"));
        }
        let is_movable = !text("CARGO_ENCODED_RUSTFLAGS").contains("relocation-model=static");
        if is_movable && matches!(&*text("TARGET"), "x86_64-unknown-linux-musl" | "aarch64-unknown-linux-musl") {
            println!(
                "cargo:warning=this program relocates itself at each start; RUSTFLAGS='-C relocation-model=static' avoids that"
            );
        }
        return Ok(());
    }
    let known = matches!(&*text("CARGO_CFG_TARGET_ARCH"), "x86_64" | "aarch64")
        && text("CARGO_CFG_TARGET_OS") == "linux"
        && text("CARGO_CFG_TARGET_ENV") == "gnu"
        // A program for another machine cannot be tried on this one.
        && text("HOST") == text("TARGET");
    let wants = |name| wish.as_deref().is_none_or(|wish| wish == name);
    if known && wants("static") {
        let args = static_args(out)?;
        if works(out, &args) {
            println!("cargo:rustc-cfg=static_libc");
            return emit(&args);
        }
    }
    if known && wants("fixed") {
        let args = ["-no-pie".to_owned()];
        if works(out, &args) {
            return emit(&args);
        }
    }
    match wish.as_deref() {
        None | Some("default") => Ok(()),
        Some(wish) => Err(io::Error::other(format!("RULES_LINK={wish}: this linker does not do that here"))),
    }
}

fn emit(args: &[String]) -> io::Result<()> {
    for arg in args {
        println!("cargo:rustc-link-arg-bin=rules={arg}");
    }
    Ok(())
}

/// Returns the linker's arguments for a static program. rustc names the libraries after a switch back to shared ones,
/// so these names resolve to linker scripts, in a directory that is searched first, which name the archives.
fn static_args(out: &Path) -> io::Result<Vec<String>> {
    let scripts = out.join("link");
    fs::create_dir_all(&scripts)?;
    for (name, archives) in LIBRARIES {
        fs::write(scripts.join(format!("lib{name}.so")), format!("GROUP ( {archives} )\n"))?;
    }
    Ok(vec!["-static".to_owned(), "-no-pie".to_owned(), format!("-L{}", scripts.display())])
}

/// Whether a small program can be linked with these arguments, and runs.
fn works(out: &Path, args: &[String]) -> bool {
    let (source, program) = (out.join("trial.rs"), out.join("trial"));
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--crate-name", "trial", "--target", &text("TARGET")]);
    let flags = text("CARGO_ENCODED_RUSTFLAGS");
    rustc.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut flag = std::ffi::OsString::from("-Clinker=");
        flag.push(linker);
        rustc.arg(flag);
    }
    rustc.args(args.iter().map(|arg| format!("-Clink-arg={arg}")));
    rustc.arg("-o").arg(&program).arg(&source);
    let quiet = |command: &mut Command| {
        let run = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        run.is_ok_and(|status| status.success())
    };
    fs::write(&source, TRIAL).is_ok() && quiet(&mut rustc) && quiet(&mut Command::new(&program))
}

fn text(variable: &str) -> String {
    env::var(variable).unwrap_or_default()
}
