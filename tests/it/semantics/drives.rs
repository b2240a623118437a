//! A project of Windows that is stated on a machine without drives: what a team tests of its policy in CI.
#![cfg(unix)]

use hookrules::facts::StatedFacts;
use serde_json::json;

use crate::kit::Comes::{F, T, U};
use crate::kit::{Given, call, check, conditions};

/// Returns a call in the session of a project on drive C.
fn on_windows(tool: &str, text: &str) -> Given {
    let input = match tool {
        "Bash" | "PowerShell" => json!({"command": text}),
        "Write" => json!({"file_path": text, "content": "x"}),
        _ => json!({"file_path": text}),
    };
    let facts = StatedFacts::default().with_project("C:/proj").with_home("C:\\Users\\dev");
    call(tool, input).set(json!({"cwd": "C:\\proj"})).with(facts)
}

/// Checks a condition for each call.
#[track_caller]
fn each(condition: &str, cases: &[(&str, &str, crate::kit::Comes)]) {
    for (tool, text, comes) in cases {
        conditions(&on_windows(tool, text), &[(condition, *comes)]);
    }
}

#[test]
fn a_file_is_the_same_in_every_spelling_of_its_drive() {
    each(
        r#"path under "src""#,
        &[
            ("Write", "C:/proj/src/a.ts", T),
            ("Write", r"C:\proj\src\a.ts", T),
            ("Edit", r"c:\PROJ\Src\a.ts", T),
            ("Edit", r"src\a.ts", T),
            ("Read", r"\\?\C:\proj\src\a.ts", T),
            ("Read", "/c/proj/src/a.ts", T),
            ("Write", r"C:\proj\src\..\a.ts", F),
            ("Write", r"D:\proj\src\a.ts", F),
            ("Write", r"C:\proj2\src\a.ts", F),
            ("Write", r"\\server\proj\src\a.ts", F),
        ],
    );
    each(
        r#"path like "C:/Windows/**" or path like "**/.env""#,
        &[
            ("Write", r"C:\Windows\System32\a.dll", T),
            ("Write", r"c:\windows\a.dll", T),
            ("Write", r"C:\proj\api\.ENV", T),
            ("Write", r"D:\Windows\a.dll", F),
            ("Write", r"C:\proj\env", F),
        ],
    );
}

#[test]
fn commands_of_both_shells_touch_files_on_drives() {
    each(
        r#"writes under "src" or deletes under "src""#,
        &[
            ("Bash", "rm src/a.ts", T),
            ("Bash", "rm /c/proj/src/a.ts", T),
            ("Bash", "rm C:/proj/src/a.ts", T),
            ("Bash", r"rm 'C:\proj\src\a.ts'", T),
            ("Bash", r"rm src\\a.ts", T),
            ("Bash", "cd /c/proj/src && rm a.ts", T),
            ("Bash", "cd C:/proj && rm src/*.ts", T),
            ("Bash", "echo x > SRC/a.ts", T),
            ("Bash", "rm /d/proj/src/a.ts", F),
            ("Bash", "rm /proj/src/a.ts", F),
            ("Bash", "rm src/$x.ts", U),
            ("Bash", "rm /c/proj/$x", U),
            ("PowerShell", r"Remove-Item src\a.ts", T),
            ("PowerShell", r"Remove-Item C:\proj\src\a.ts", T),
            ("PowerShell", r"Remove-Item -Recurse C:\proj\src", T),
            ("PowerShell", r"Set-Content -Path src\a.ts -Value x", T),
            ("PowerShell", r"Set-Location src; Remove-Item a.ts", T),
            ("PowerShell", r"Set-Location C:\proj\src; Remove-Item a.ts", T),
            ("PowerShell", r"'x' > src\a.ts", T),
            ("PowerShell", r"Remove-Item src\*.ts", T),
            ("PowerShell", r"Remove-Item D:\proj\src\a.ts", F),
            ("PowerShell", r"Get-Content src\a.ts", F),
        ],
    );
}

#[test]
fn home_and_the_temporary_directory_are_those_of_windows() {
    each(
        "reads under home or writes under tmp",
        &[
            ("PowerShell", r"Get-Content ~\.ssh\id_rsa", T),
            ("PowerShell", r"Get-Content $HOME\.ssh\id_rsa", T),
            ("PowerShell", r"Get-Content $env:USERPROFILE\.ssh\id_rsa", T),
            ("Bash", "cat ~/.ssh/id_rsa", T),
            ("Bash", "cat /c/Users/dev/.ssh/id_rsa", T),
            ("Read", r"C:\Users\dev\.ssh\id_rsa", T),
            ("PowerShell", r"Set-Content $env:TEMP\x y", T),
            ("PowerShell", r"Set-Content $env:tmp\x y", T),
            ("Bash", "echo x > /tmp/x", T),
            ("Read", r"C:\Users\other\.ssh\id_rsa", F),
            ("PowerShell", r"Set-Content x y", F),
        ],
    );
    each(r#"os == "windows""#, &[("Read", "a", T)]);
    // What a test states itself holds.
    let facts = || StatedFacts::default().with_project("C:/proj").with_home("C:/Users/dev");
    let call = || on_windows("PowerShell", r"Set-Content $env:TEMP\x y");
    conditions(&call().with(facts().with_env("TEMP", r"D:\temp")), &[("writes under tmp", F)]);
    conditions(&call().with(facts().with_env("Temp", r"D:\temp").with_tmp(["D:/temp"])), &[("writes under tmp", T)]);
}

#[test]
fn a_message_names_a_file_as_windows_does() {
    let rule = "rule r {\n  on PreToolUse\n  when writes like \"**\"\n  deny \"No {match}.\"\n}\n";
    check(rule, &on_windows("Write", r"C:\proj\src\a.ts"), "deny by r: No src/a.ts.");
    check(rule, &on_windows("Write", r"d:\other\a.ts"), "deny by r: No D:/other/a.ts.");
}

/// Without a drive in the facts, a text with one is an ordinary name.
#[test]
fn a_project_of_this_machine_has_no_drives() {
    let facts = || StatedFacts::default().with_project("/project");
    for (text, comes) in [(r"src\a.ts", F), ("C:/project/src/a.ts", F), ("/project/src/a.ts", T)] {
        let given = call("Write", json!({"file_path": text, "content": "x"})).with(facts());
        conditions(&given, &[(r#"path under "src""#, comes)]);
    }
}
