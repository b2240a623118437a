//! Tests the translations of tests in other languages.

use super::*;

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    for (foreign, ours) in rows {
        let translated = translate(foreign).map(|translated| translated.right);
        assert_eq!(translated.as_deref(), Some(*ours), "{foreign}");
        // The translation itself is not foreign any more.
        assert_eq!(translate(ours), None, "{ours}");
    }
}

#[test]
fn calls_are_translated() {
    check(&[
        (r#"path.endsWith(".pem")"#, r#"path ends_with ".pem""#),
        (r#"path.endswith((".key", ".pem"))"#, r#"(path ends_with ".key" or path ends_with ".pem")"#),
        (r#"startswith(path, "src/")"#, r#"path under "src""#),
        (r#"command.startswith("git push")"#, r#"runs "git push""#),
        (r#"tool_input["command"].contains("rm")"#, r#"runs "rm""#),
        (r#"command.includes("--force")"#, r#"command contains "--force""#),
        (r#"contains(prompt, "deploy")"#, r#"prompt contains "deploy""#),
        (r#"prompt.indexOf("deploy") != -1"#, r#"prompt contains "deploy""#),
        (r#"prompt.indexOf("deploy") === -1"#, r#"not prompt contains "deploy""#),
        (r#"re.search(r"\bdrop\b", tool_input.query)"#, r"tool_input.query matches /\bdrop\b/"),
        (r#"regex.match("^src/", path)"#, r"path matches /^src\//"),
        (r"path.match(/\.pem$/)", r"path matches /\.pem$/"),
        (r#"fnmatch(path, "*.pem")"#, r#"path like "*.pem""#),
        (r#"tool_input.get("timeout") > 600000"#, "tool_input.timeout > 600000"),
        (r#"env.get("CI") == "true""#, r#"env.CI == "true""#),
        (r#"os.environ["CI"] == "true""#, r#"env.CI == "true""#),
        (r#"process.env.CI === "true""#, r#"env.CI == "true""#),
        (r#"os.getenv("CI") is not None"#, "exists env.CI"),
        ("has(tool_input.url)", "exists tool_input.url"),
        (r#"os.path.exists("go.mod")"#, r#"file_exists "go.mod""#),
        (r#"lower(tool_name) == "bash""#, "tool_name matches /^bash$/i"),
        (r#"path.toLowerCase() == "readme.md""#, r#"path like "readme.md""#),
        (r#"any(p.endswith(".pem") for p in path)"#, r#"path ends_with ".pem""#),
        (r#"path.exists(p, p.endsWith(".pem"))"#, r#"path ends_with ".pem""#),
        (r#"path.every(p => p.startsWith("src/"))"#, r#"all path under "src""#),
        (r#"["Edit", "Write"].includes(tool_name)"#, r#"tool_name in ["Edit", "Write"]"#),
        (r#"tool_input.url?.includes("evil.com")"#, r#"tool_input.url contains "evil.com""#),
    ]);
}

#[test]
fn lengths_and_counts_are_numbers() {
    check(&[
        ("len(prompt) == 0", "length prompt == 0"),
        ("prompt.length >= 300", "length prompt >= 300"),
        ("size(prompt) < 10", "length prompt < 10"),
        ("len(content) > 1000", "length content > 1000"),
        ("len(content) > 8K", "length content > 8KB"),
        ("len(operands) > 20", "count operands > 20"),
        ("count(tool_input.files) > 2", "count tool_input.files > 2"),
    ]);
}

#[test]
fn operators_and_values_are_translated() {
    check(&[
        ("tool_input.url is not None", "exists tool_input.url"),
        ("agent_id is None", "not exists agent_id"),
        ("tool_input.url IS NOT NULL", "exists tool_input.url"),
        ("tool_input.url != undefined", "exists tool_input.url"),
        ("path LIKE '%.env%'", r#"path like "*.env*""#),
        ("tool_name IN ('Edit', 'Write')", "tool_name in ['Edit', 'Write']"),
        ("tool_name NOT IN ('Edit', 'Write')", "tool_name not in ['Edit', 'Write']"),
        ("tool_input.timeout BETWEEN 1 AND 1000", "(tool_input.timeout >= 1 and tool_input.timeout <= 1000)"),
        ("tool_input has url", "exists tool_input.url"),
        (r#"principal == Agent::"reviewer""#, r#"agent == "reviewer""#),
        (r#"prompt|contains: "push""#, r#"prompt contains "push""#),
        (r#"prompt|contains|all: ["a", "b"]"#, r#"(prompt contains "a" and prompt contains "b")"#),
        (r#""DROP TABLE" in tool_input.query"#, r#"tool_input.query contains "DROP TABLE""#),
        (r#""rm -rf" in command"#, r#"runs "rm -rf""#),
        (r#"path matches r"\.env$""#, r"path matches /\.env$/"),
        ("some p in path", "exists path"),
        ("path matches m/secret/i", "path matches /secret/i"),
        ("path matches ^src/", r#"path under "src""#),
        ("path !~ ^src/", r#"path outside "src""#),
        ("${{ git.branch == 'main' }}", r#"git.branch == "main""#),
        (r#"echo "$command" | grep -q 'rm -rf'"#, r#"runs "rm -rf""#),
        (r#"[[ "$path" == *.env ]]"#, r#"path like "*.env""#),
        (r"[[ $path =~ \.env$ ]]", r"path matches /\.env$/"),
        ("typeof tool_input.url", "exists tool_input.url"),
        ("1 < tool_input.timeout < 9", "(tool_input.timeout > 1 and tool_input.timeout < 9)"),
        (r#"some p in path; endswith(p, ".pem")"#, r#"path ends_with ".pem""#),
        ("$tool_name == \"Bash\"", "tool_name == \"Bash\""),
        ("$CI == \"true\"", "env.CI == \"true\""),
        ("${CI} == \"true\"", "env.CI == \"true\""),
        ("[ -f package.json ]", r#"file_exists "package.json""#),
        ("[[ $tool_name == Bash ]]", r#"tool_name == "Bash""#),
        (r#"command "npm test" fails"#, r#""npm test""#),
    ]);
}

#[test]
fn tests_of_this_language_are_left_alone() {
    for test in [
        r#"runs "git push""#,
        r#"tool_name == "Bash""#,
        r#"tool_name in ["Edit", "Write"]"#,
        "tool_name in names",
        "path like secrets",
        r#"path not like ["**", "!docs/**"]"#,
        "path matches /^src/",
        "path matches pattern",
        "tool_input.timeout > 1000",
        r#"`$.a[0]` == "b""#,
        r#"option "-m" == "x""#,
        "stop_hook_active",
        "exists agent_id",
        "agent_id == null",
        r#"all path like "*.rs""#,
        r#"file_exists "a""#,
        r#"tool_input.items[0].env == "prod""#,
        "mystery(tool_name)",
    ] {
        assert_eq!(translate(test), None, "{test}");
    }
}

#[test]
fn permissions_of_the_host_are_translated() {
    for (tool, inner, ours) in [
        ("Bash", "npm run test:*", r#"runs "npm run test""#),
        ("Bash", "git push *", r#"runs "git push""#),
        ("Read", "./.env", r#"path like "./.env""#),
        ("Edit", "/src/**", r#"path like "src/**""#),
        ("Read", "//etc/passwd", r#"path like "/etc/passwd""#),
        ("WebFetch", "domain:docs.rs", r#"domain == "docs.rs""#),
    ] {
        assert_eq!(test_for_permission(tool, inner), ours, "{tool}({inner})");
    }
}
