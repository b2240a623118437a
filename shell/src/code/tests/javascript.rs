//! Programs in JavaScript.

use super::table;

#[test]
fn one_thing_each() {
    table(
        "node -e",
        r#"
        require("fs").rmSync("victim", {recursive: true}) => deletes victim
        console.log(1) =>
        // fs.rmSync("x") =>
        "#,
    );
}
