//! The table of signs: what the names of files in a project reveal about it.
//!
//! Names that the packs have lists of (lock files, secrets, migrations, CI) are not repeated here; `known` reads those
//! lists.

use super::tree::{Tree, name};

/// The topic of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// The repository.
    Git,
    /// A language.
    Language,
    /// A program that installs packages.
    PackageManager,
    /// A lock file of a package manager.
    LockFile,
    /// Pipelines of CI.
    Pipeline,
    /// A file that may hold secrets.
    Secret,
    /// Generated code.
    Generated,
    /// Changes to a database's schema.
    Migration,
    /// Tools and files for a database.
    Database,
    /// Files for building or starting containers.
    Container,
    /// Clusters, clouds and platforms.
    Infrastructure,
    /// Publishing of releases.
    Release,
    /// A convention for commit messages.
    CommitForm,
    /// Existing instructions and permissions for an agent.
    Agent,
}

impl Topic {
    /// Returns the topic's name in `--json` output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Git => "git",
            Self::Language => "language",
            Self::PackageManager => "package-manager",
            Self::LockFile => "lock-file",
            Self::Pipeline => "pipeline",
            Self::Secret => "secret",
            Self::Generated => "generated",
            Self::Migration => "migration",
            Self::Database => "database",
            Self::Container => "container",
            Self::Infrastructure => "infrastructure",
            Self::Release => "release",
            Self::CommitForm => "commit-form",
            Self::Agent => "agent",
        }
    }

    /// Returns the topic's title, for display.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Git => "repository",
            Self::Language => "languages",
            Self::PackageManager => "packages",
            Self::LockFile => "lock files",
            Self::Pipeline => "CI",
            Self::Secret => "secrets",
            Self::Generated => "generated",
            Self::Migration => "migrations",
            Self::Database => "databases",
            Self::Container => "containers",
            Self::Infrastructure => "infrastructure",
            Self::Release => "releases",
            Self::CommitForm => "commits",
            Self::Agent => "agents",
        }
    }
}

/// A sign of something.
pub(super) struct Sign {
    pub(super) topic: Topic,
    /// The thing that it indicates, for display.
    pub(super) name: &'static str,
    /// Names of files, in which `*` is any text. A name with a `/` in it is the end of a path; one with a trailing `/`
    /// is a directory; one that begins with `./` is only looked for in the root.
    names: &'static [&'static str],
}

const fn sign(topic: Topic, name: &'static str, names: &'static [&'static str]) -> Sign {
    Sign { topic, name, names }
}

use Topic::{Agent, CommitForm, Container, Database, Infrastructure, Language, PackageManager, Release};

/// Every sign.
pub(super) const SIGNS: &[Sign] = &[
    sign(Language, "Rust", &["Cargo.toml"]),
    sign(Language, "TypeScript", &["tsconfig.json"]),
    sign(Language, "JavaScript", &["package.json"]),
    sign(Language, "Python", &["pyproject.toml", "setup.py", "requirements.txt", "Pipfile"]),
    sign(Language, "Go", &["go.mod"]),
    sign(Language, "Java", &["pom.xml", "build.gradle"]),
    sign(Language, "Kotlin", &["build.gradle.kts"]),
    sign(Language, "Ruby", &["Gemfile"]),
    sign(Language, "PHP", &["composer.json"]),
    sign(Language, "Elixir", &["mix.exs"]),
    sign(Language, "C#", &["*.csproj", "*.sln"]),
    sign(Language, "Swift", &["Package.swift"]),
    sign(Language, "Dart", &["pubspec.yaml"]),
    sign(Language, "C or C++", &["CMakeLists.txt", "meson.build"]),
    sign(PackageManager, "Cargo", &["Cargo.toml"]),
    sign(PackageManager, "pnpm", &["pnpm-lock.yaml"]),
    sign(PackageManager, "Yarn", &["yarn.lock"]),
    sign(PackageManager, "Bun", &["bun.lock", "bun.lockb"]),
    sign(PackageManager, "npm", &["package-lock.json", "npm-shrinkwrap.json"]),
    sign(PackageManager, "uv", &["uv.lock"]),
    sign(PackageManager, "Poetry", &["poetry.lock"]),
    sign(PackageManager, "pip", &["requirements.txt"]),
    sign(PackageManager, "Bundler", &["Gemfile.lock"]),
    sign(Container, "Docker", &["Dockerfile", "*.Dockerfile", "Containerfile"]),
    sign(Container, "Compose", &["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"]),
    sign(Container, "dev container", &[".devcontainer/devcontainer.json", ".devcontainer.json"]),
    sign(Infrastructure, "Terraform", &["*.tf", "terragrunt.hcl"]),
    sign(Infrastructure, "Pulumi", &["Pulumi.yaml"]),
    sign(Infrastructure, "AWS CDK", &["cdk.json"]),
    sign(Infrastructure, "AWS SAM", &["samconfig.toml"]),
    sign(Infrastructure, "Serverless", &["serverless.yml", "serverless.yaml"]),
    sign(Infrastructure, "Helm", &["Chart.yaml", "helmfile.yaml"]),
    sign(
        Infrastructure,
        "Kubernetes",
        &["kustomization.yaml", "kustomization.yml", "skaffold.yaml", "k8s/", "kubernetes/"],
    ),
    sign(Infrastructure, "Fly", &["fly.toml"]),
    sign(Infrastructure, "Heroku", &["./Procfile"]),
    sign(Infrastructure, "Cloudflare", &["wrangler.toml", "wrangler.jsonc"]),
    sign(Infrastructure, "Vercel", &["vercel.json"]),
    sign(Infrastructure, "Netlify", &["netlify.toml"]),
    sign(Infrastructure, "Firebase", &["firebase.json"]),
    sign(Infrastructure, "App Engine", &["./app.yaml"]),
    sign(Database, "Prisma", &["schema.prisma"]),
    sign(Database, "Alembic", &["alembic.ini"]),
    sign(Database, "Rails", &["db/schema.rb", "db/structure.sql"]),
    sign(Database, "Django", &["manage.py"]),
    sign(Database, "Diesel", &["diesel.toml"]),
    sign(Database, "sqlc", &["sqlc.yaml", "sqlc.yml"]),
    sign(Database, "Flyway", &["flyway.conf", "flyway.toml"]),
    sign(Database, "Supabase", &["supabase/config.toml"]),
    sign(Database, "Drizzle", &["drizzle.config.ts"]),
    sign(Database, "SQL", &["*.sql"]),
    sign(Release, "GoReleaser", &[".goreleaser.yml", ".goreleaser.yaml"]),
    sign(
        Release,
        "semantic-release",
        &["./.releaserc", "./.releaserc.json", "./.releaserc.yml", "./release.config.js"],
    ),
    sign(Release, "Changesets", &[".changeset/config.json"]),
    sign(Release, "release-please", &["./release-please-config.json"]),
    sign(Release, "cargo-release", &["./release.toml", "./release-plz.toml", "./dist-workspace.toml"]),
    sign(Release, "a release workflow", &[".github/workflows/release*.y*ml", ".github/workflows/publish*.y*ml"]),
    sign(Release, "a gem", &["*.gemspec"]),
    sign(CommitForm, "commitlint", &["commitlint.config.*", ".commitlintrc", ".commitlintrc.*"]),
    sign(CommitForm, "Commitizen", &[".czrc", ".cz.toml", ".cz.json"]),
    sign(CommitForm, "cocogitto", &["./cog.toml"]),
    sign(Agent, "Codex", &[".codex/"]),
    sign(Agent, "Gemini CLI", &[".gemini/"]),
    sign(Agent, "Cursor", &[".cursor/", ".cursorrules"]),
    sign(Agent, "OpenCode", &[".opencode/", "opencode.json"]),
    sign(Agent, "Copilot", &[".github/copilot-instructions.md"]),
    sign(Agent, "Wave Agent", &[".wave/"]),
];

impl Sign {
    /// Returns the paths that match this sign.
    pub(super) fn paths<'t>(&self, tree: &'t Tree) -> Vec<&'t str> {
        let files = tree.files.iter().filter(|path| self.names.iter().any(|sign| is(sign, path)));
        let directories = self.names.iter().filter_map(|sign| sign.strip_suffix('/'));
        let directories = directories.flat_map(|sign| tree.directories.iter().filter(move |path| is(sign, path)));
        // Tools that build the tests belong to the project, but the input of tests does not.
        let counts = |path: &&String| matches!(self.topic, Language | PackageManager) || !is_aside(path);
        files.chain(directories).filter(counts).map(String::as_str).collect()
    }
}

/// Directories whose files are not about the project itself: input of tests, examples.
const ASIDE: &[&str] = &[
    "__fixtures__",
    "benches",
    "e2e",
    "example",
    "examples",
    "fixtures",
    "samples",
    "spec",
    "test",
    "testdata",
    "tests",
];

/// Whether a path is in one of these directories.
pub(super) fn is_aside(path: &str) -> bool {
    path.rsplit('/').skip(1).any(|name| ASIDE.contains(&name))
}

/// Whether a path ends with a sign.
fn is(sign: &str, path: &str) -> bool {
    if let Some(sign) = sign.strip_prefix("./") {
        return matches(sign, path);
    }
    if sign.contains('/') {
        let levels = sign.matches('/').count() + 1;
        let start = path.rmatch_indices('/').nth(levels - 1).map_or(0, |(at, _)| at + 1);
        return path.get(start..).is_some_and(|end| matches(sign, end));
    }
    matches(sign, name(path))
}

/// Matches a text with a pattern in which `*` is any text without a `/`.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            let open = rest.find('/').unwrap_or(rest.len());
            ends.filter(|at| *at <= open).any(|at| rest.get(at..).is_some_and(|rest| matches(after, rest)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_a_name_or_the_end_of_a_path() {
        for (sign, path, is_it) in [
            ("Cargo.toml", "Cargo.toml", true),
            ("Cargo.toml", "crates/a/Cargo.toml", true),
            ("Cargo.toml", "NotCargo.toml", false),
            ("*.tf", "infra/main.tf", true),
            ("*.tf", "infra/main.tfvars", false),
            (".github/workflows/release*.y*ml", ".github/workflows/release-all.yml", true),
            (".github/workflows/release*.y*ml", ".github/workflows/ci.yml", false),
            ("db/schema.rb", "app/db/schema.rb", true),
            ("db/schema.rb", "olddb/schema.rb", false),
            ("db/schema.rb", "schema.rb", false),
            ("./release.toml", "release.toml", true),
            ("./release.toml", "programs/release.toml", false),
        ] {
            assert_eq!(is(sign, path), is_it, "{sign} {path}");
        }
    }
}
