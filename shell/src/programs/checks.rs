//! Programs that check, format and test code.
//!
//! Most read a configuration of the project that is code itself: to run one at all is to run the project's code. An
//! option that names other code, or a file to write, is marked as everywhere.

use super::{
    Program, attached, attached_writes, changes, enters, flag, gnu, group, options, reads, runs, value, words, writes,
};

pub(super) const PROGRAMS: &[Program] = &[
    gnu(
        &["pytest", "py.test"],
        options! {
            flag: "--exitfirst" "-x", "--quiet" "-q", "--verbose" "-v", "-s", "--last-failed" "--lf", "--failed-first" "--ff",
                "--new-first" "--nf", "--stepwise" "--sw", "--stepwise-skip" "--sw-skip", "--collect-only" "--co",
                "--showlocals" "-l", "--no-showlocals", "--no-header", "--no-summary", "--strict-markers", "--strict-config",
                "--disable-warnings", "--doctest-modules", "--fixtures" "--funcargs", "--fixtures-per-test", "--markers",
                "--setup-only", "--setup-show", "--setup-plan", "--cache-clear", "--full-trace", "--version" "-V", "--help"
                "-h", "--no-cov", "--continue-on-collection-errors";
            value: "-k", "-m", "-r", "--maxfail", "--tb", "--color", "--capture", "--durations", "--durations-min",
                "--deselect", "--ignore", "--ignore-glob", "--import-mode", "--show-capture", "--numprocesses" "-n", "--dist",
                "--timeout", "--last-failed-no-failures" "--lfnf", "--pythonwarnings" "-W", "--code-highlight", "--log-level",
                "--log-cli-level", "--reruns", "--count";
            runs: "-p", "--config-file" "-c", "--override-ini" "-o", "--confcutdir", "--pyargs", "--cov-config", "--pdbcls";
            enters: "--rootdir";
            writes: "--basetemp", "--junit-xml" "--junitxml", "--log-file", "--result-log", "--html";
            attached: "--cov", "--cov-fail-under", "--cov-branch";
            attached_writes: "--cov-report", "--debug";
        },
    ),
    words(
        &["tsc"],
        options! {
            flag: "--noEmit", "--watch" "-w", "--strict", "--pretty", "--skipLibCheck", "--listFiles", "--listFilesOnly",
                "--showConfig", "--version" "-v", "--help" "-h", "--all", "--incremental", "--allowJs", "--checkJs",
                "--esModuleInterop", "--noUnusedLocals", "--noUnusedParameters", "--noImplicitAny", "--diagnostics",
                "--extendedDiagnostics", "--traceResolution", "--explainFiles", "--noErrorTruncation",
                "--preserveWatchOutput", "--dry" "-d", "--verbose", "--force" "-f", "--stopBuildOnErrors", "--isolatedModules";
            changes: "--init", "--clean", "--declaration", "--emitDeclarationOnly", "--sourceMap", "--build" "-b";
            value: "--project" "-p", "--target" "-t", "--module" "-m", "--lib", "--jsx", "--moduleResolution", "--types", "--locale";
            runs: "--plugins";
            reads: "--baseUrl", "--typeRoots";
            writes: "--outDir", "--outFile", "--declarationDir", "--tsBuildInfoFile", "--generateTrace",
                "--generateCpuProfile", "--rootDir";
        },
    ),
    gnu(
        &["eslint", "oxlint"],
        options! {
            flag: "--quiet", "--no-eslintrc", "--no-config-lookup", "--no-ignore", "--no-inline-config", "--cache", "--color",
                "--no-color", "--debug", "--fix-dry-run", "--no-error-on-unmatched-pattern", "--exit-on-fatal-error",
                "--no-warn-ignored", "--pass-on-no-patterns", "--report-unused-disable-directives", "--stats", "--version" "-v",
                "--help" "-h";
            changes: "--fix", "--init";
            value: "--ext", "--env", "--global", "--rule", "--ignore-pattern", "--max-warnings", "--fix-type",
                "--cache-strategy", "--flag";
            reads: "--ignore-path";
            runs: "--config" "-c", "--rulesdir", "--plugin", "--parser", "--parser-options", "--format" "-f",
                "--resolve-plugins-relative-to";
            writes: "--output-file" "-o", "--cache-location", "--cache-file";
        },
    ),
    gnu(
        &["prettier"],
        options! {
            flag: "--check" "-c", "--list-different" "-l", "--no-config", "--no-editorconfig", "--no-plugin-search",
                "--ignore-unknown" "-u", "--no-error-on-unmatched-pattern", "--with-node-modules", "--no-color", "--color",
                "--cache", "--single-quote", "--no-semi", "--use-tabs", "--version" "-v", "--help" "-h";
            changes: "--write" "-w";
            value: "--parser", "--print-width", "--tab-width", "--trailing-comma", "--prose-wrap", "--end-of-line",
                "--log-level", "--config-precedence", "--stdin-filepath", "--cache-strategy", "--find-config-path",
                "--file-info", "--arrow-parens", "--quote-props";
            reads: "--ignore-path";
            runs: "--config", "--plugin";
            writes: "--cache-location";
        },
    ),
    gnu(
        &["biome"],
        options! {
            flag: "--staged", "--changed", "--verbose", "--no-errors-on-unmatched", "--error-on-warnings", "--json", "--version"
                "-V", "--help" "-h";
            changes: "--write", "--fix", "--unsafe", "--apply", "--apply-unsafe";
            value: "--max-diagnostics", "--diagnostic-level", "--reporter", "--colors", "--only", "--skip", "--since",
                "--log-level";
            runs: "--config-path";
            writes: "--log-file";
        },
    ),
    gnu(
        &["jest", "vitest"],
        options! {
            flag: "--watch" "-w", "--watchAll", "--no-watch", "--ci", "--coverage", "--bail" "-b", "--verbose", "--silent",
                "--runInBand" "-i", "--onlyChanged" "-o", "--onlyFailures" "-f", "--listTests", "--passWithNoTests",
                "--no-coverage", "--detectOpenHandles", "--forceExit", "--expand" "-e", "--colors", "--color", "--no-color",
                "--errorOnDeprecation", "--json", "--logHeapUsage", "--showConfig", "--clearMocks", "--run", "--ui", "--globals",
                "--no-file-parallelism", "--no-cache", "--version" "-v", "--help" "-h";
            changes: "--updateSnapshot" "--update" "-u", "--clearCache", "--init";
            value: "--testNamePattern" "-t", "--testPathPattern", "--testPathPatterns", "--testPathIgnorePatterns",
                "--maxWorkers", "--testTimeout", "--hookTimeout", "--shard", "--changedSince", "--selectProjects", "--project",
                "--retry", "--seed", "--mode", "--maxConcurrency";
            reads: "--findRelatedTests";
            runs: "--config" "-c", "--globalSetup", "--globalTeardown", "--setupFiles", "--setupFilesAfterEnv", "--env"
                "--environment", "--testEnvironment", "--runner", "--testRunner", "--transform", "--reporters", "--reporter",
                "--resolver", "--preset", "--moduleNameMapper", "--filter";
            enters: "--rootDir" "--root", "--dir", "--roots";
            writes: "--coverageDirectory", "--outputFile", "--cacheDirectory";
        },
    ),
    gnu(
        &["ruff"],
        options! {
            flag: "--quiet" "-q", "--verbose" "-v", "--silent" "-s", "--exit-zero" "-e", "--exit-non-zero-on-fix", "--diff",
                "--statistics", "--show-files", "--show-settings", "--no-cache" "-n", "--isolated", "--preview", "--no-preview",
                "--no-fix", "--unsafe-fixes", "--no-unsafe-fixes", "--show-fixes", "--check", "--watch" "-w",
                "--respect-gitignore", "--force-exclude", "--ignore-noqa", "--all", "--version" "-V", "--help" "-h";
            changes: "--fix", "--fix-only", "--add-noqa";
            value: "--select", "--ignore", "--extend-select", "--extend-ignore", "--fixable", "--unfixable", "--line-length",
                "--target-version", "--output-format", "--exclude", "--extend-exclude", "--per-file-ignores", "--range",
                "--stdin-filename", "--extension";
            reads: "--config";
            writes: "--output-file" "-o", "--cache-dir";
        },
    ),
    gnu(
        &["black"],
        options! {
            flag: "--check", "--diff", "--color", "--no-color", "--quiet" "-q", "--verbose" "-v", "--fast", "--safe",
                "--skip-string-normalization" "-S", "--skip-magic-trailing-comma" "-C", "--preview", "--pyi", "--ipynb",
                "--version", "--help" "-h";
            value: "--line-length" "-l", "--target-version" "-t", "--include", "--exclude", "--extend-exclude",
                "--force-exclude", "--code" "-c", "--workers" "-W", "--line-ranges", "--stdin-filename", "--required-version";
            reads: "--config";
        },
    ),
    gnu(
        &["isort"],
        options! {
            flag: "--check-only" "--check" "-c", "--diff" "-d", "--quiet" "-q", "--verbose" "-v", "--show-files",
                "--show-settings", "--atomic", "--version" "-V", "--help" "-h";
            value: "--profile", "--line-length" "-l", "--multi-line" "-m", "--skip" "-s", "--skip-glob" "--sg", "--jobs" "-j";
            reads: "--settings-path" "--sp";
        },
    ),
    gnu(
        &["mypy"],
        options! {
            flag: "--strict", "--ignore-missing-imports", "--show-error-codes", "--hide-error-codes", "--show-error-context",
                "--show-column-numbers", "--pretty", "--no-error-summary", "--check-untyped-defs", "--disallow-untyped-defs",
                "--disallow-any-generics", "--warn-unused-ignores", "--warn-return-any", "--warn-unreachable",
                "--no-implicit-optional", "--no-incremental", "--namespace-packages", "--explicit-package-bases",
                "--verbose" "-v", "--version" "-V", "--help" "-h";
            value: "--package" "-p", "--module" "-m", "--exclude", "--python-version", "--platform", "--follow-imports",
                "--enable-error-code", "--disable-error-code", "--always-true", "--always-false";
            runs: "--config-file", "--python-executable", "--custom-typing-module", "--command" "-c";
            writes: "--cache-dir", "--junit-xml", "--html-report", "--txt-report", "--xml-report", "--any-exprs-report",
                "--linecount-report", "--cobertura-xml-report";
        },
    ),
    gnu(
        &["pyright", "basedpyright"],
        options! {
            flag: "--outputjson", "--stats", "--warnings", "--verbose", "--watch" "-w", "--lib", "--dependencies", "--version",
                "--help" "-h";
            value: "--level", "--pythonversion", "--pythonplatform", "--threads";
            reads: "--project" "-p";
            runs: "--pythonpath", "--typeshedpath" "-t", "--venvpath" "-v";
            changes: "--createstub", "--writebaseline";
        },
    ),
    gnu(
        &["flake8"],
        options! {
            flag: "--quiet" "-q", "--verbose" "-v", "--count", "--statistics", "--show-source", "--no-show-source",
                "--exit-zero", "--disable-noqa", "--benchmark", "--isolated", "--version", "--help" "-h";
            value: "--select", "--ignore", "--extend-ignore", "--extend-select", "--exclude", "--extend-exclude",
                "--max-line-length", "--max-complexity", "--format", "--filename", "--per-file-ignores", "--jobs" "-j",
                "--color", "--indent-size";
            runs: "--config", "--append-config", "--require-plugins", "--enable-extensions";
            writes: "--output-file", "--tee";
        },
    ),
    gnu(
        &["shellcheck"],
        options! {
            flag: "--check-sourced" "-a", "--external-sources" "-x", "--list-optional", "--norc", "--version" "-V", "--help";
            value: "--format" "-f", "--shell" "-s", "--exclude" "-e", "--include" "-i", "--severity" "-S",
                "--wiki-link-count" "-W", "--source-path" "-P", "--enable" "-o";
            reads: "--rcfile";
            attached: "--color" "-C";
        },
    ),
    words(
        &["shfmt"],
        options! {
            flag: "-d" "--diff", "-l" "--list", "-s" "--simplify", "-mn" "--minify", "-bn" "--binary-next-line", "-ci"
                "--case-indent", "-sr" "--space-redirects", "-kp" "--keep-padding", "-fn" "--func-next-line", "-f" "--find",
                "-version" "--version", "-help" "--help" "-h";
            changes: "-w" "--write";
            value: "-i" "--indent", "-ln" "--language-dialect", "-filename" "--filename";
        },
    ),
    words(
        &["gofmt"],
        options! {
            flag: "-l", "-d", "-s", "-e";
            changes: "-w";
            value: "-r";
            writes: "-cpuprofile";
        },
    ),
    group(
        &["golangci-lint"],
        options! {
            flag: "--verbose" "-v", "--help" "-h", "--version";
            value: "--color";
        },
        &[gnu(
            &["run", "linters", "help", "version"],
            options! {
                flag: "--verbose" "-v", "--fast", "--no-config", "--new", "--tests", "--show-stats", "--allow-parallel-runners",
                    "--help" "-h";
                changes: "--fix";
                value: "--enable" "-E", "--disable" "-D", "--timeout", "--concurrency" "-j", "--max-issues-per-linter",
                    "--max-same-issues", "--new-from-rev", "--build-tags", "--color", "--issues-exit-code";
                runs: "--config" "-c";
                writes: "--cpu-profile-path", "--mem-profile-path", "--trace-path";
            },
        )],
    ),
    gnu(
        &["rubocop"],
        options! {
            flag: "--lint" "-l", "--parallel" "-P", "--no-parallel", "--display-cop-names" "-D", "--extra-details" "-E",
                "--fail-fast" "-F", "--list-target-files" "-L", "--force-exclusion", "--no-color", "--color", "--debug" "-d",
                "--version" "-v", "-V", "--help" "-h";
            changes: "--autocorrect" "--auto-correct" "-a", "--autocorrect-all" "--auto-correct-all" "-A", "--fix-layout" "-x",
                "--auto-gen-config", "--init";
            value: "--only", "--except", "--fail-level";
            runs: "--config" "-c", "--require" "-r", "--format" "-f", "--plugin";
            writes: "--out" "-o", "--cache-root";
        },
    ),
    gnu(
        &["rspec"],
        options! {
            flag: "--backtrace" "-b", "--color" "-c", "--no-color", "--only-failures", "--next-failure" "-n", "--dry-run",
                "--warnings" "-w", "--version" "-v", "--help" "-h";
            value: "--example" "-e", "--tag" "-t", "--order", "--seed", "--pattern" "-P", "--failure-exit-code";
            attached: "--fail-fast", "--profile" "-p", "--bisect";
            runs: "--require" "-r", "-I", "--format" "-f", "--options" "-O";
            writes: "--out" "-o", "--deprecation-out";
        },
    ),
];
