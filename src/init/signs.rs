//! The table of signs: which names of files and directories show that a project uses what.
//!
//! Names that the packs have lists of (lock files, secrets, migrations, CI) are not repeated here: `known_paths`
//! reads those lists.

use super::tree::{ProjectTree, name};

/// The topic of a finding about a project.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingTopic {
    /// The git repository.
    Git,
    /// A programming language.
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
    CommitConvention,
    /// Existing instructions and permissions for an agent.
    Agent,
}

impl FindingTopic {
    /// Returns the topic's name in `--json` output.
    #[must_use]
    pub fn json_name(self) -> &'static str {
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
            Self::CommitConvention => "commit-form",
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
            Self::CommitConvention => "commits",
            Self::Agent => "agents",
        }
    }
}

/// The names of files and directories that show that a project uses something.
pub(super) struct FileSign {
    /// The topic of a finding that the sign leads to.
    pub(super) topic: FindingTopic,
    /// The thing that the project uses, for display.
    pub(super) name: &'static str,
    /// Names of files, in which `*` matches any text without `/`. `db/schema.rb` is the end of a path, `k8s/` is a
    /// directory, and `./release.toml` is in the root.
    names: &'static [&'static str],
}

const fn new_sign(topic: FindingTopic, name: &'static str, names: &'static [&'static str]) -> FileSign {
    FileSign { topic, name, names }
}

use FindingTopic::{Agent, CommitConvention, Container, Database, Infrastructure, Language, PackageManager, Release};

/// Every sign.
pub(super) const SIGNS: &[FileSign] = &[
    new_sign(Language, "Rust", &["Cargo.toml"]),
    new_sign(Language, "TypeScript", &["tsconfig.json"]),
    new_sign(Language, "JavaScript", &["package.json"]),
    new_sign(Language, "Python", &["pyproject.toml", "setup.py", "requirements.txt", "Pipfile"]),
    new_sign(Language, "Go", &["go.mod"]),
    new_sign(Language, "Java", &["pom.xml", "build.gradle"]),
    new_sign(Language, "Kotlin", &["build.gradle.kts"]),
    new_sign(Language, "Ruby", &["Gemfile"]),
    new_sign(Language, "PHP", &["composer.json"]),
    new_sign(Language, "Elixir", &["mix.exs"]),
    new_sign(Language, "C#", &["*.csproj", "*.sln"]),
    new_sign(Language, "Swift", &["Package.swift"]),
    new_sign(Language, "Dart", &["pubspec.yaml"]),
    new_sign(Language, "C or C++", &["CMakeLists.txt", "meson.build"]),
    new_sign(PackageManager, "Cargo", &["Cargo.toml"]),
    new_sign(PackageManager, "pnpm", &["pnpm-lock.yaml", "pnpm-workspace.yaml"]),
    new_sign(PackageManager, "Yarn", &["yarn.lock"]),
    new_sign(PackageManager, "Bun", &["bun.lock", "bun.lockb"]),
    new_sign(PackageManager, "npm", &["package-lock.json", "npm-shrinkwrap.json"]),
    new_sign(PackageManager, "uv", &["uv.lock"]),
    new_sign(PackageManager, "Poetry", &["poetry.lock"]),
    new_sign(PackageManager, "pip", &["requirements.txt"]),
    new_sign(PackageManager, "Bundler", &["Gemfile.lock"]),
    new_sign(Container, "Docker", &["Dockerfile", "*.Dockerfile", "Containerfile"]),
    new_sign(Container, "Compose", &["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"]),
    new_sign(Container, "dev container", &[".devcontainer/devcontainer.json", ".devcontainer.json"]),
    new_sign(Infrastructure, "Terraform", &["*.tf", "terragrunt.hcl"]),
    new_sign(Infrastructure, "Pulumi", &["Pulumi.yaml"]),
    new_sign(Infrastructure, "AWS CDK", &["cdk.json"]),
    new_sign(Infrastructure, "AWS SAM", &["samconfig.toml"]),
    new_sign(Infrastructure, "Serverless", &["serverless.yml", "serverless.yaml"]),
    new_sign(Infrastructure, "Helm", &["Chart.yaml", "helmfile.yaml"]),
    new_sign(
        Infrastructure,
        "Kubernetes",
        &["kustomization.yaml", "kustomization.yml", "skaffold.yaml", "k8s/", "kubernetes/"],
    ),
    new_sign(Infrastructure, "Fly", &["fly.toml"]),
    new_sign(Infrastructure, "Heroku", &["./Procfile"]),
    new_sign(Infrastructure, "Cloudflare", &["wrangler.toml", "wrangler.jsonc"]),
    new_sign(Infrastructure, "Vercel", &["vercel.json"]),
    new_sign(Infrastructure, "Netlify", &["netlify.toml"]),
    new_sign(Infrastructure, "Firebase", &["firebase.json"]),
    new_sign(Infrastructure, "App Engine", &["./app.yaml"]),
    new_sign(Database, "Prisma", &["schema.prisma"]),
    new_sign(Database, "Alembic", &["alembic.ini"]),
    new_sign(Database, "Rails", &["db/schema.rb", "db/structure.sql"]),
    new_sign(Database, "Django", &["manage.py"]),
    new_sign(Database, "Diesel", &["diesel.toml"]),
    new_sign(Database, "sqlc", &["sqlc.yaml", "sqlc.yml"]),
    new_sign(Database, "Flyway", &["flyway.conf", "flyway.toml"]),
    new_sign(Database, "Supabase", &["supabase/config.toml"]),
    new_sign(Database, "Drizzle", &["drizzle.config.ts"]),
    new_sign(Database, "SQL", &["*.sql"]),
    new_sign(Release, "GoReleaser", &[".goreleaser.yml", ".goreleaser.yaml"]),
    new_sign(
        Release,
        "semantic-release",
        &["./.releaserc", "./.releaserc.json", "./.releaserc.yml", "./release.config.js"],
    ),
    new_sign(Release, "Changesets", &[".changeset/config.json"]),
    new_sign(Release, "release-please", &["./release-please-config.json"]),
    new_sign(Release, "cargo-release", &["./release.toml", "./release-plz.toml", "./dist-workspace.toml"]),
    new_sign(Release, "a release workflow", &[".github/workflows/release*.y*ml", ".github/workflows/publish*.y*ml"]),
    new_sign(Release, "a gem", &["*.gemspec"]),
    new_sign(CommitConvention, "commitlint", &["commitlint.config.*", ".commitlintrc", ".commitlintrc.*"]),
    new_sign(CommitConvention, "Commitizen", &[".czrc", ".cz.toml", ".cz.json"]),
    new_sign(CommitConvention, "cocogitto", &["./cog.toml"]),
    new_sign(Agent, "Codex", &[".codex/"]),
    new_sign(Agent, "Gemini CLI", &[".gemini/"]),
    new_sign(Agent, "Cursor", &[".cursor/", ".cursorrules"]),
    new_sign(Agent, "OpenCode", &[".opencode/", "opencode.json"]),
    new_sign(Agent, "Copilot", &[".github/copilot-instructions.md"]),
    new_sign(Agent, "Wave Agent", &[".wave/"]),
];

impl FileSign {
    /// Returns the paths in a project that match one of the names.
    pub(super) fn paths<'t>(&self, tree: &'t ProjectTree) -> Vec<&'t str> {
        let files = tree.files.iter().filter(|path| self.names.iter().any(|sign| is_sign(sign, path)));
        let directories = self.names.iter().filter_map(|sign| sign.strip_suffix('/'));
        let directories = directories.flat_map(|sign| tree.directories.iter().filter(move |path| is_sign(sign, path)));
        // A language or package manager of the tests belongs to the project too; any other sign among test data does
        // not.
        let is_evidence =
            |path: &&String| matches!(self.topic, Language | PackageManager) || !is_in_aside_directory(path);
        files.chain(directories).filter(is_evidence).map(String::as_str).collect()
    }
}

/// Returns the name of each package manager, with the names of files that show it.
pub(super) fn package_managers() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    SIGNS.iter().filter(|sign| sign.topic == PackageManager).map(|sign| (sign.name, sign.names))
}

/// Names of directories whose files do not belong to the project itself: data of tests, examples.
const ASIDE_DIRECTORIES: &[&str] = &[
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

/// Whether a path is in a directory named in `ASIDE_DIRECTORIES`.
pub(super) fn is_in_aside_directory(path: &str) -> bool {
    path.rsplit('/').skip(1).any(|name| ASIDE_DIRECTORIES.contains(&name))
}

/// Whether a path is, or ends with, a name from the table of signs.
fn is_sign(sign: &str, path: &str) -> bool {
    if let Some(sign) = sign.strip_prefix("./") {
        return is_match(sign, path);
    }
    if sign.contains('/') {
        // Compares the end of the path, with as many names as the sign has.
        let levels = sign.matches('/').count() + 1;
        let start = path.rmatch_indices('/').nth(levels - 1).map_or(0, |(at, _)| at + 1);
        return path.get(start..).is_some_and(|end| is_match(sign, end));
    }
    is_match(sign, name(path))
}

/// Whether a text matches a pattern in which `*` matches any text without `/`.
fn is_match(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            // Tries every text that `*` can match, up to the next slash.
            let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            let slash = rest.find('/').unwrap_or(rest.len());
            ends.filter(|end| *end <= slash).any(|end| rest.get(end..).is_some_and(|rest| is_match(after, rest)))
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
            assert_eq!(is_sign(sign, path), is_it, "{sign} {path}");
        }
    }
}
