//! Programs in Python.

use super::table;

#[test]
fn one_thing_each() {
    table(
        "python3 -c",
        r#"
        import shutil; shutil.rmtree("victim") => deletes victim
        print(1) =>
        # os.remove("x") =>
        print("do not touch .env") =>
        "#,
    );
}
