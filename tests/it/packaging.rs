//! Everything shipped with the program agrees with it and with itself: crates, archives, plugin, action.

use std::path::Path;

use hookrules::schema::{Event, HostVersion};
use serde_json::Value as Json;

use crate::source::{is_left_out, read};

fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

fn json(path: &str) -> Json {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns every text between two delimiters.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|rest| rest.split_once(close)).map(|(inner, _)| inner).collect()
}

#[test]
fn each_crate_brings_its_licences() {
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(read(licence).len() > 500, "{licence}");
        let of_shell = Path::new("shell").join(licence);
        if !is_left_out(&of_shell) {
            assert_eq!(read(of_shell), read(licence), "{licence}");
        }
    }
}

/// Pages of registries show a README without the files around it.
#[test]
fn a_packed_readme_has_no_relative_link() {
    let relative = |text: &str| {
        let links = between(text, "](", ")");
        let relative = links.iter().filter(|link| !link.contains("://") && !link.starts_with('#'));
        relative.map(|link| (*link).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(relative("[a](b/c.md), ![d](e.svg), [f](#g), [h](https://i)"), ["b/c.md", "e.svg"]);
    assert!(relative(&read("README.md")).len() > 10, "the repository's own has links to the book");
    let none: &[String] = &[];
    assert_eq!(relative(&read("editors/vscode/README.md")), none);
    if is_left_out(Path::new("packaging")) {
        return;
    }
    assert_eq!(relative(&read("shell/README.md")), none);
    let made = std::process::Command::new(crate::source::root().join("packaging/readme")).arg("https://r").output();
    let made = String::from_utf8(made.unwrap().stdout).unwrap();
    assert_eq!(relative(&made), none);
    for kept in ["](https://r/blob/v", "](https://r/raw/v", "/book/src/packs.md)", "/LICENSE-MIT)"] {
        assert!(made.contains(kept), "{kept}: {made}");
    }
    for packer in ["packaging/build", ".ci/archive"] {
        assert!(read(packer).contains("packaging/readme "), "{packer}");
    }
}

/// Whoever publishes a release looks for names that are not ours yet in one list.
#[test]
fn placeholders_are_where_the_list_says() {
    if is_left_out(Path::new("packaging")) {
        return;
    }
    let list = read("packaging/README.md");
    let table = list.split("## Placeholders").nth(1).unwrap();
    let scripts = ["build", "check", "readme", "extension", "npm.js", "pre-commit", "PKGBUILD.in", "rules.rb.in"];
    let mut places = crate::source::files("book/src", &["md"]);
    places.extend(crate::source::files("editors", &["md", "json"]));
    places.extend(["README.md", "SECURITY.md", "CONTRIBUTING.md", "Cargo.toml", "shell/README.md"].map(Into::into));
    places.extend(["action.yml", "flake.nix", ".ci/archive", "plugin/.claude-plugin/plugin.json"].map(Into::into));
    places.extend(scripts.map(|script| Path::new("packaging").join(script)));
    let mut found = 0;
    for place in places {
        let text = read(&place);
        for name in ["OWNER/REPOSITORY", "crates.io/crates/hookrules", "\"publisher\": \"hookrules\"", "@hookrules/"] {
            if text.contains(name) {
                found += 1;
                assert!(table.contains(&format!("`{}`", place.display())), "{}: {name}", place.display());
            }
        }
    }
    assert!(found >= 8, "only {found}");
    assert!(table.contains("`hookrules-shell`") && read("shell/Cargo.toml").contains("name = \"hookrules-shell\""));
}

/// The program is compiled with the pages of codes, the grammar and the phrasebook.
#[test]
fn the_crate_brings_what_it_is_compiled_with() {
    let manifest = read("Cargo.toml");
    let left_out = between(&manifest, "exclude = [\n", "]");
    // Without a slash at its start, a pattern is about a name anywhere.
    let anchored: Vec<&str> = left_out.iter().flat_map(|list| between(list, "    \"", "\",")).collect();
    assert!(anchored.iter().all(|path| path.starts_with('/')), "{anchored:?}");
    let paths: Vec<&str> = anchored.iter().map(|path| path.trim_start_matches('/')).collect();
    assert!(paths.contains(&"book/book") && paths.contains(&".gitignore"), "{paths:?}");
    let kept = |page: &str| paths.iter().all(|path| !Path::new(page).starts_with(path));
    let compiled = [
        "book/src/codes/syntax.md",
        "grammar/rules.pest",
        "grammar/phrases/english.toml",
        "examples/monorepo/.gitignore",
    ];
    assert!(compiled.iter().all(|page| kept(page)) && !manifest.contains("\ninclude = "), "{paths:?}");
}

#[test]
fn the_plugin_registers_every_event_that_needs_no_rule() {
    if is_left_out(Path::new("plugin")) {
        return;
    }
    let manifest = json("plugin/.claude-plugin/plugin.json");
    assert_eq!(manifest["version"], version());
    let listed = json(".claude-plugin/marketplace.json");
    assert_eq!(listed["plugins"][0]["name"], manifest["name"]);
    assert_eq!(listed["plugins"][0]["source"], "./plugin");

    let hooks = json("plugin/hooks/hooks.json");
    let registered: Vec<&str> = hooks["hooks"].as_object().unwrap().keys().map(String::as_str).collect();
    // A host without an event would warn about it at every start.
    let is_meant = |event: &&Event| event.spec().in_wildcard && HostVersion::first_with_event(**event).is_none();
    let mut expected: Vec<&str> = Event::ALL.iter().filter(is_meant).map(|event| event.name()).collect();
    let mut sorted = registered.clone();
    sorted.sort_unstable();
    expected.sort_unstable();
    assert_eq!(sorted, expected);
    for event in registered {
        let groups = hooks["hooks"][event].as_array().unwrap();
        assert_eq!(groups.len(), 1, "{event}");
        assert_eq!(groups[0]["matcher"], "*", "{event}");
        let handler = &groups[0]["hooks"][0];
        let answers = Event::from_name(event).unwrap().spec().answers;
        if answers.deny || answers.ask || answers.halt || answers.rewrite {
            // Hosts that do not know `onFailure` treat a missing or failing hook as agreement.
            assert_eq!(handler["command"], "rules hook claude-code || exit 2", "{event}");
            assert_eq!(handler["onFailure"], "block", "{event}");
        } else {
            // There a rule only watches, which never blocks.
            assert_eq!(handler["command"], "rules hook claude-code", "{event}");
            assert!(handler["onFailure"].is_null(), "{event}");
        }
        assert!(handler["timeout"].is_null() && handler["async"].is_null(), "{event}");
    }
}

/// A host shows the description of a skill to the agent, which reads the rest when it fits.
#[test]
fn the_skill_is_short_and_its_policies_check_clean() {
    if is_left_out(Path::new("plugin")) {
        return;
    }
    let skill = read("plugin/skills/writing-rules/SKILL.md");
    let (front, text) = skill.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    let keys: Vec<&str> = front.lines().filter_map(|line| line.split_once(": ")).map(|(key, _)| key).collect();
    assert_eq!(keys, ["name", "description"]);
    assert!(front.starts_with("name: writing-rules\n") && front.len() < 1_024, "{front}");
    assert!(skill.lines().count() <= 80);
    for command in ["list", "check", "test", "mutate", "explain", "import"] {
        assert!(text.contains(&format!("`rules {command}")), "{command}");
    }
    let policies = between(text, "   ```rules\n", "   ```\n");
    assert!(!policies.is_empty());
    let machine = crate::machine::Machine::new();
    for policy in policies {
        let policy: String =
            policy.lines().map(|line| format!("{}\n", line.strip_prefix("   ").unwrap_or(line))).collect();
        machine.write("project/.rules/project.rules", &policy);
        let printed = machine.rules(&["check"], "");
        assert!(printed.exit == 0 && printed.stdout.contains("no findings"), "{printed:?}");
    }
}

#[test]
fn archives_are_where_everybody_looks_for_them() {
    let manifest = read("Cargo.toml");
    let name = "hookrules-v{ version }-{ target }";
    let binstall = manifest.split("[package.metadata.binstall]").nth(1).unwrap();
    assert!(binstall.contains(&format!("/releases/download/v{{ version }}/{name}.tar.gz\"")), "{binstall}");
    assert!(binstall.contains(&format!("bin-dir = \"{name}/{{ bin }}{{ binary-ext }}\"")), "{binstall}");
    let page = read("book/src/install.md");
    assert!(page.contains(&format!("hookrules-v{}-x86_64-unknown-linux-musl.tar.gz", version())), "the book's version");
    if is_left_out(Path::new(".ci")) {
        return;
    }
    assert!(read(".ci/archive").contains("name=hookrules-v$version-$target\n"));
    let action = read("action.yml");
    assert!(action.contains("name=\"hookrules-$VERSION-$target\""));

    let workflow = read(".github/workflows/release.yml");
    let mut built = between(&workflow, "{ target: ", ",");
    let mut taken: Vec<&str> = between(&action, ") target=", " ;;");
    built.sort_unstable();
    taken.sort_unstable();
    assert_eq!(built, taken, "what a release has is what the action takes");
    let checksums = format!("$(grep -c '\\.tar\\.gz$' SHA256SUMS) == {}", built.len());
    assert!(workflow.contains(&checksums), "one checksum an archive");
    for target in built {
        assert!(page.contains(&format!("`{target}`")), "the book does not name {target}");
    }
    let rust = between(&manifest, "rust-version = \"", "\"")[0];
    let others = [".github/workflows/ci.yml", ".github/workflows/advisories.yml"].map(read);
    for workflow in others.into_iter().chain([workflow]) {
        // Releases and their checks must not depend on anything that others can change.
        for action in between(&workflow, "uses: ", " ") {
            let commit = action.strip_prefix("actions/attest-build-provenance@").unwrap_or_else(|| panic!("{action}"));
            assert!(commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{action}");
        }
        assert!(workflow.contains(&format!("rustup toolchain install {rust} ")), "{rust}");
        // Build scripts of crates see the environment.
        let steps: Vec<&str> = workflow.split("\n      - name: ").collect();
        assert!(steps.len() > 3 && !steps[0].contains("github.token"), "{}", steps[0]);
        for step in steps.iter().filter(|step| step.contains("github.token")) {
            let step = step.split("\n\n").next().unwrap();
            for builder in ["cargo ", ".ci/run", ".ci/archive", ".ci/reproducible", ".ci/windows", "packaging/"] {
                assert!(!step.contains(builder), "a token is given to: {step}");
            }
        }
    }
}

#[test]
fn the_hooks_of_pre_commit_are_commands() {
    if is_left_out(Path::new(".pre-commit-hooks.yaml")) {
        return;
    }
    let hooks = read(".pre-commit-hooks.yaml");
    assert_eq!(between(&hooks, "  entry: packaging/pre-commit ", "\n  language: script\n"), ["check", "test", "fmt"]);
    assert_eq!(between(&hooks, "  entry: rules ", "\n  language: system\n"), ["check", "test", "fmt"]);
    assert!(read("packaging/pre-commit").contains(" --locked "));
    let ids = between(&hooks, "- id: ", "\n");
    let page = read("book/src/install.md");
    for id in ids {
        assert!(page.contains(&format!("`{id}`")) || page.contains(&format!("- id: {id}\n")), "{id}");
    }
}

/// A program `cargo` that writes down where and with which settings it was started, and builds a program that says
/// where it is run.
const CARGO: &str = r#"#!/bin/sh
echo "in $(basename "$PWD"): $* flags=$RUSTFLAGS$CARGO_ENCODED_RUSTFLAGS$CARGO_BUILD_TARGET$RUSTUP_TOOLCHAIN"
mkdir -p "$CARGO_TARGET_DIR/release"
printf '#!/bin/sh\necho "ran $* in $(basename "$PWD")"\n' >"$CARGO_TARGET_DIR/release/rules"
chmod 755 "$CARGO_TARGET_DIR/release/rules"
"#;

#[cfg(target_os = "linux")]
#[test]
fn pre_commit_builds_in_the_checkout_and_runs_in_the_project() {
    if is_left_out(Path::new("packaging")) {
        return;
    }
    let machine = crate::machine::Machine::new();
    machine.write("bin/cargo", CARGO).mode("bin/cargo", 0o755);
    machine.write("a checkout/packaging/pre-commit", &read("packaging/pre-commit"));
    machine.write("project/rust-toolchain", "1.0");
    let path = format!("{}:{}", machine.path("bin").display(), std::env::var("PATH").unwrap());
    let run = || {
        std::process::Command::new("sh")
            .args([machine.path("a checkout/packaging/pre-commit").as_os_str(), "check".as_ref()])
            .current_dir(machine.path("project"))
            .env("PATH", &path)
            .envs([("RUSTFLAGS", "-D warnings"), ("CARGO_BUILD_TARGET", "other"), ("RUSTUP_TOOLCHAIN", "1.0")])
            .env("CARGO_TARGET_DIR", machine.path("project/target"))
            .output()
            .unwrap()
    };
    let output = run();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        said, "in a checkout: build --quiet --release --locked --bin rules flags=\nran check in project\n",
        "{output:?}"
    );
    assert!(!machine.exists("project/target"));

    // A build that the account's cargo configuration leads elsewhere.
    std::fs::remove_dir_all(machine.path("a checkout/target")).unwrap();
    machine.write("bin/cargo", "#!/bin/sh\n").mode("bin/cargo", 0o755);
    let output = run();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("use rules-check-installed"), "{output:?}");
}

/// The check of archives accepts the program that these tests run, and refuses what they name.
#[cfg(all(target_os = "linux", static_libc))]
#[test]
fn an_archive_with_a_soft_program_is_refused() {
    if is_left_out(Path::new(".ci")) {
        return;
    }
    let check = |program: &Path, prefixes: &[&str]| {
        let mut command = std::process::Command::new(crate::source::root().join(".ci/hardened"));
        // Bash itself warns of a locale that the machine does not have, and sources what `BASH_ENV` names.
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        let output = command.arg(program).args(prefixes).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let machine = crate::machine::Machine::new();
    assert_eq!(check(Path::new(&crate::system::program()), &[]), (true, String::new()));
    let (passed, said) = check(Path::new(&crate::system::program()), &["rules hook"]);
    assert!(!passed && said.contains("contains rules hook"), "{said}");

    machine.write("soft.c", "int main(void) { return 0; }\n");
    let soft = machine.path("soft");
    let compiler = std::process::Command::new("cc")
        .args(["-pie", "-fPIE", "-z", "execstack", "-z", "norelro", "-o"])
        .args([&soft, &machine.path("soft.c")])
        .status();
    assert!(compiler.unwrap().success());
    let (passed, said) = check(&soft, &[]);
    for fault in ["is position-independent", "needs shared libraries", "writable and executable", "read-only after"] {
        assert!(said.contains(fault), "{said}");
    }
    assert!(!passed);

    // Constants in the segment of the code, before and after it, and in one of their own.
    machine.write(
        "constants.c",
        "__attribute__((section(\".rodata.hook\"))) const int of[4] = {1};\nint main(int n) { return of[n & 3]; }\n",
    );
    for (place, flag, is_refused) in [
        ("AFTER .text", "-Wl,-z,noseparate-code", true),
        ("BEFORE .text", "-Wl,-z,noseparate-code", true),
        ("AFTER .interp", "-Wl,-z,separate-code", false),
    ] {
        machine.write("order.ld", &format!("SECTIONS {{ .rodata.hook : {{ *(.rodata.hook) }} }} INSERT {place};\n"));
        let linked = std::process::Command::new("cc")
            .args(["-static", "-no-pie", flag, "-Xlinker", "-T", "-Xlinker"])
            .args([&machine.path("order.ld"), Path::new("-o"), &soft, &machine.path("constants.c")])
            .status();
        assert!(linked.unwrap().success());
        let (_, said) = check(&soft, &[]);
        assert_eq!(said.contains("has constants in the segment of its code"), is_refused, "{place}: {said}");
    }
}

/// Every crate of the lock file that is linked comes with its licence: the script fails for one that has none.
#[test]
fn the_lists_of_an_archive_are_made_where_it_is_made() {
    if is_left_out(Path::new(".ci")) {
        return;
    }
    let archive = read(".ci/archive");
    for made in [".ci/third-party \"$target\"", ".ci/notices ", ".ci/sbom \"$target\"", ".ci/hardened \"$rules\""] {
        assert!(archive.contains(made), "{made}");
    }
    for (target, licences) in [("*-linux-musl)", "musl.txt"), ("*-windows-gnu)", "mingw-w64.txt")] {
        let of_target = between(&read(".ci/third-party"), target, ";;").join("\n");
        assert!(of_target.contains(&format!("cat packaging/licences/{licences}")), "{target}: {of_target}");
        assert!(read(format!("packaging/licences/{licences}")).len() > 5_000, "{licences}");
    }
    for named in ["PKGBUILD.in", "rules.rb.in"] {
        let template = read(format!("packaging/{named}"));
        assert!(template.contains("hookrules-v"), "{named}");
        for placeholder in between(&template, "\"@", "@") {
            assert!(read("packaging/build").contains(&format!("@{placeholder}@")), "{placeholder}");
        }
    }
}

/// A program `gh` of which the only release is v0.1.0, of a commit of 40 times `a`. It knows which workflow signed an
/// archive, and for which tag, unless a file `unsigned` is there.
const GH: &str = r#"#!/bin/sh
case "$1 $*" in
  api*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa*) printf 'v0\nv0.1.0\n' ;;
  release*\ v0.1.0\ *)
    for target in x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-apple-darwin x86_64-pc-windows-gnu; do
      program=rules
      case $target in *-windows-*) program=rules.exe ;; esac
      mkdir "hookrules-v0.1.0-$target" && echo program >"hookrules-v0.1.0-$target/$program" &&
        tar -czf "hookrules-v0.1.0-$target.tar.gz" "hookrules-v0.1.0-$target"
    done
    sha256sum hookrules-*.tar.gz >SHA256SUMS ;;
  release*) exit 1 ;;
  attestation*\ verify\ hookrules-v0.1.0-x86_64-*.tar.gz\ --repo\ o/r\
\ --signer-workflow\ o/r/.github/workflows/release.yml\ --source-ref\ refs/tags/v0.1.0) [ ! -e unsigned ] ;;
  *) exit 1 ;;
esac
"#;

#[cfg(target_os = "linux")]
#[test]
fn the_action_takes_the_release_of_a_tag_or_of_a_commit() {
    if is_left_out(Path::new("action.yml")) {
        return;
    }
    let action = read("action.yml");
    let step: Vec<&str> = between(&action, "      run: |\n", "    - name:")[0].lines().map(str::trim_start).collect();
    let taken_on = |system: &str, version: &str, own_file: Option<&str>| {
        let machine = crate::machine::Machine::new();
        if let Some(name) = own_file {
            machine.write(&format!("work/{name}"), "");
        }
        machine.write("bin/gh", GH).mode("bin/gh", 0o755).write("work/step.sh", &step.join("\n"));
        let path = format!("{}:{}", machine.path("bin").display(), std::env::var("PATH").unwrap());
        let output = std::process::Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail"])
            .arg(machine.path("work/step.sh"))
            .env("PATH", path)
            .envs([("RUNNER_OS", system), ("RUNNER_ARCH", "X64"), ("REPOSITORY", "o/r"), ("VERSION", version)])
            .env("RUNNER_TEMP", machine.path("work"))
            .env("GITHUB_PATH", machine.path("work/path"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let bin = machine.exists("work/path").then(|| machine.read("work/path"));
        let programs = bin.as_deref().map(|bin| std::fs::read_dir(bin.trim_end()).unwrap());
        let programs = programs.map(|found| found.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>());
        (output.status.success(), said, bin, programs.unwrap_or_default())
    };
    let taken = |version: &str, own_file: Option<&str>| {
        let (passed, said, path, _) = taken_on("Linux", version, own_file);
        (passed, said, path)
    };
    for (system, program) in [("Linux", "rules"), ("Windows", "rules.exe")] {
        let (passed, said, _, programs) = taken_on(system, "v0.1.0", None);
        assert!(passed && programs == [program], "{system}: {programs:?} {said}");
    }
    for version in ["v0.1.0", &"a".repeat(40)] {
        let (passed, said, path) = taken(version, None);
        assert!(
            passed && path.is_some_and(|path| path.ends_with("/hookrules-v0.1.0-x86_64-unknown-linux-musl/bin\n")),
            "{said}"
        );
    }
    let (passed, said, path) = taken(&"b".repeat(40), None);
    assert!(!passed && path.is_none() && said.contains("is not the commit of a release of o/r"), "{said}");
    let (passed, said, path) = taken("v0.1.0", Some("unsigned"));
    assert!(!passed && path.is_none() && said.contains("is not what the release workflow of o/r built"), "{said}");
    let (passed, said, _) = taken("main", None);
    assert!(!passed && said.contains("'main' is no release of o/r; name one with 'version'"), "{said}");
}

/// Runs a script of the repository where only some programs are found, and the given stand-ins. Returns its exit code
/// and what it wrote.
#[cfg(target_os = "linux")]
fn run_with(
    machine: &crate::machine::Machine,
    programs: &[&str],
    script: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (Option<i32>, String) {
    let real = |program: &str| {
        let places = ["/usr/bin", "/bin"].map(|place| Path::new(place).join(program));
        places.into_iter().find(|path| path.exists()).unwrap_or_else(|| panic!("no {program}"))
    };
    for program in programs {
        let place = format!("bin/{program}");
        if !machine.exists(&place) {
            machine.link(real(program), &place);
        }
    }
    let output = std::process::Command::new(real("bash"))
        .arg(crate::source::root().join(script))
        .args(arguments)
        .env_clear()
        .env("PATH", machine.path("bin"))
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (output.status.code(), said)
}

/// What a machine cannot check is said, and fails where a release depends on it.
#[cfg(target_os = "linux")]
#[test]
fn a_check_without_its_tools_is_skipped_or_fails() {
    if is_left_out(Path::new(".ci")) {
        return;
    }
    let machine = crate::machine::Machine::new();
    let skipped = machine.path("skipped");
    let skipped = skipped.to_str().unwrap();
    for (required, exit) in [("", 0), ("1", 1)] {
        let variables = [("RULES_REQUIRE", required), ("RULES_SKIPPED", skipped)];
        let (code, said) = run_with(&machine, &["dirname"], ".ci/windows", &["check"], &variables);
        assert_eq!(code, Some(exit), "{said}");
        assert!(said.contains("skipped: no x86_64-w64-mingw32-gcc"), "{said}");
    }
    assert_eq!(machine.read("skipped").lines().count(), 2);
    let workflow = read(".github/workflows/release.yml");
    for step in ["run: .ci/windows\n", "run: .ci/archive ", ".ci/windows \"$RUNNER_TEMP/installed/rules.exe\""] {
        let before = workflow.split(step).next().unwrap();
        let named = before.rsplit("      - name: ").next().unwrap();
        assert!(named.len() < before.len() && named.contains("RULES_REQUIRE: 1"), "{step}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_attached_to_a_published_release() {
    if is_left_out(Path::new(".ci")) {
        return;
    }
    let machine = crate::machine::Machine::new();
    for (is_draft, exit, expected) in [("true", 0, "release upload v1 a b --clobber"), ("false", 1, "v1 is published")]
    {
        let gh = format!("#!/bin/sh\ncase $2 in view) echo {is_draft} ;; *) echo \"$@\" ;; esac\n");
        machine.write("bin/gh", &gh).mode("bin/gh", 0o755);
        let (code, said) =
            run_with(&machine, &[], ".ci/attach", &["a", "b"], &[("TAG", "v1"), ("GITHUB_REPOSITORY", "o/r")]);
        assert_eq!(code, Some(exit), "{said}");
        assert!(said.contains(expected), "{said}");
    }
    let workflow = read(".github/workflows/release.yml");
    assert!(workflow.contains("run: .ci/attach ") && !workflow.contains("gh release upload"));
}

/// A package with the checksum `SKIP` would be installed without a check.
#[cfg(target_os = "linux")]
#[test]
fn no_package_is_made_without_each_archive() {
    if is_left_out(Path::new("packaging")) {
        return;
    }
    let machine = crate::machine::Machine::new();
    std::fs::create_dir_all(machine.path("archives")).unwrap();
    let (archives, made) = (machine.path("archives"), machine.path("made"));
    let arguments = [archives.to_str().unwrap(), made.to_str().unwrap()];
    let programs = ["dirname", "realpath", "mkdir", "sed", "head", "mktemp", "rm"];
    let (code, said) = run_with(&machine, &programs, "packaging/build", &arguments, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("there is no ") && said.contains("x86_64-unknown-linux-musl.tar.gz"), "{said}");
    assert_eq!(std::fs::read_dir(&made).unwrap().count(), 0);
}
