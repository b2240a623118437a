//! The linker of an archive's program (`.ci/link-in-order`): listed functions come first, in the order of the list, and
//! so do the constants that they refer to.

use std::path::Path;
use std::process::Command;

use crate::machine::Machine;
use crate::source::{is_left_out, read};

/// A program of functions with names as rustc gives them, and of one in C. It succeeds if its constants are in place.
const PROGRAM: &str = "
    const int table_of_cold[] = { 0, 1, 2, 3 };
    const int table_of_two[] = { 0, 5, 6, 7 };
    int _ZN1a4cold17h0123456789abcdefE(int at) { return table_of_cold[at]; }
    int _ZN1a3two17h0123456789abcdefE(int at) { return table_of_two[at]; }
    int _RNvCsaz6eC2DG7lh_1a3one(int at) { return at + 1; }
    int plain_name(int at) { return at + 2; }
    int main(int count, char **words) {
        return _ZN1a4cold17h0123456789abcdefE(count) + _ZN1a3two17h0123456789abcdefE(count)
            + _RNvCsaz6eC2DG7lh_1a3one(count) + plain_name(count) - 11;
    }
";

/// The order in which rustc names the functions to the linker.
const COMPILED: &str = "cold two one plain_name";

/// Links the program under a name, runs it, and returns the names of its functions and constants by their addresses.
fn link(machine: &Machine, output: &str) -> String {
    let run = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(machine.path("place")).env_remove("RULES_ORDER").env_remove("RULES_CC");
        let output = command.output().unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let compile =
        "-c -O1 -fno-inline -fno-pie -ffunction-sections -fdata-sections -fno-toplevel-reorder x.c -o x.rcgu.o";
    run("cc", &compile.split(' ').collect::<Vec<_>>());
    let linker = machine.path("place/.ci/link-in-order");
    run(linker.to_str().unwrap(), &["-no-pie", "x.rcgu.o", "-o", output]);
    run(machine.path(&format!("place/{output}")).to_str().unwrap(), &[]);
    let symbols = run("nm", &["--numeric-sort", output]);
    let symbols = symbols.lines().filter_map(|line| line.rsplit(' ').next());
    let ours = ["table_of_cold", "table_of_two", "4cold", "3two", "3one", "plain_name"];
    let found = symbols.filter_map(|symbol| ours.into_iter().find(|name| symbol.contains(name)));
    let found: Vec<&str> = found.map(|name| name.trim_start_matches(|first: char| first.is_ascii_digit())).collect();
    found.join(" ")
}

#[cfg(target_os = "linux")]
#[test]
fn functions_of_the_list_are_linked_first_with_their_constants() {
    if is_left_out(Path::new(".ci")) {
        return;
    }
    let machine = Machine::new();
    machine.write("place/.ci/link-in-order", &read(".ci/link-in-order")).mode("place/.ci/link-in-order", 0o755);
    machine.write("place/x.c", PROGRAM).write("place/target/release/deps/empty", "");
    machine.write("place/benches/order.txt", "# some\nplain_name\na::not_there\n\na::one\na::two\n");
    let ordered = link(&machine, "target/release/deps/rules-0123");
    // The constants are in the segment of the headers, which is first.
    assert_eq!(ordered, "table_of_two plain_name one two cold table_of_cold");
    assert_eq!(
        machine.read("place/target/release/deps/rules.order"),
        "3 of the 4 functions in benches/order.txt are in the program\n"
    );
    // Only the program of a release is worth the time.
    let usual = link(&machine, "target/release/deps/it-0123");
    assert_eq!(usual, format!("{COMPILED} table_of_cold table_of_two"));
}

#[test]
fn an_archive_is_linked_in_order() {
    if is_left_out(Path::new(".ci")) || is_left_out(Path::new(".cargo")) {
        return;
    }
    let linked = "[target.x86_64-unknown-linux-musl]\nrustflags = [\"-C\", \"relocation-model=static\", \"-C\", \
                  \"symbol-mangling-version=v0\"]\nlinker = \".ci/link-in-order\"\n";
    assert!(read(".cargo/config.toml").contains(linked));
    assert!(read(".ci/archive").contains(".ci/ordered \"$rules\" "));
    let list = read("benches/order.txt");
    let names: Vec<&str> = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(names.len() > 1_000 && names.contains(&"hookrules::hooks::judge"), "{}", names.len());
}
