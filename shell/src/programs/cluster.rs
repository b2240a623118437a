//! The subcommands of kubectl that run nothing in a container.

use super::{Program, attached, flag, gnu, options, reads, value};

pub(super) const KUBECTL: &[Program] = &[
    gnu(
        &["get"],
        options! {
            flag: "--all-namespaces" "-A", "--allow-missing-template-keys", "--ignore-not-found", "--no-headers",
                "--output-watch-events", "--recursive" "-R", "--server-print", "--show-kind", "--show-labels",
                "--show-managed-fields", "--watch" "-w", "--watch-only";
            value: "--chunk-size", "--field-selector", "--label-columns" "-L", "--output" "-o", "--raw",
                "--selector" "-l", "--sort-by", "--subresource", "--template";
            reads: "--filename" "-f", "--kustomize" "-k";
        },
    ),
    gnu(
        &["describe"],
        options! {
            flag: "--all-namespaces" "-A", "--recursive" "-R", "--show-events";
            value: "--chunk-size", "--selector" "-l";
            reads: "--filename" "-f", "--kustomize" "-k";
        },
    ),
    gnu(
        &["logs"],
        options! {
            flag: "--all-containers", "--all-pods", "--follow" "-f", "--ignore-errors",
                "--insecure-skip-tls-verify-backend", "--prefix", "--previous" "-p", "--timestamps";
            value: "--container" "-c", "--limit-bytes", "--max-log-requests", "--pod-running-timeout", "--selector" "-l",
                "--since", "--since-time", "--tail";
        },
    ),
    gnu(
        &["apply"],
        options! {
            flag: "--all", "--allow-missing-template-keys", "--force", "--force-conflicts", "--openapi-patch",
                "--overwrite", "--prune", "--recursive" "-R", "--server-side", "--show-managed-fields", "--wait";
            value: "--field-manager", "--grace-period", "--output" "-o", "--prune-allowlist", "--selector" "-l",
                "--subresource", "--template", "--timeout";
            reads: "--filename" "-f", "--kustomize" "-k";
            attached: "--cascade", "--dry-run", "--validate";
        },
    ),
    gnu(
        &["delete"],
        options! {
            flag: "--all", "--all-namespaces" "-A", "--force", "--ignore-not-found", "--interactive" "-i", "--now",
                "--recursive" "-R", "--wait";
            value: "--field-selector", "--grace-period", "--output" "-o", "--raw", "--selector" "-l", "--timeout";
            reads: "--filename" "-f", "--kustomize" "-k";
            attached: "--cascade", "--dry-run";
        },
    ),
    gnu(
        &["patch"],
        options! {
            flag: "--allow-missing-template-keys", "--local", "--recursive" "-R", "--show-managed-fields";
            value: "--field-manager", "--output" "-o", "--patch" "-p", "--subresource", "--template", "--type";
            reads: "--filename" "-f", "--kustomize" "-k", "--patch-file";
            attached: "--dry-run";
        },
    ),
    gnu(
        &["scale"],
        options! {
            flag: "--all", "--allow-missing-template-keys", "--recursive" "-R", "--show-managed-fields";
            value: "--current-replicas", "--output" "-o", "--replicas", "--resource-version", "--selector" "-l",
                "--template", "--timeout";
            reads: "--filename" "-f", "--kustomize" "-k";
            attached: "--dry-run";
        },
    ),
    gnu(
        &["create"],
        options! {
            flag: "--allow-missing-template-keys", "--edit", "--recursive" "-R", "--save-config", "--show-managed-fields",
                "--windows-line-endings";
            value: "--field-manager", "--output" "-o", "--raw", "--selector" "-l", "--template";
            reads: "--filename" "-f", "--kustomize" "-k";
            attached: "--dry-run", "--validate";
        },
    ),
    gnu(
        &["edit"],
        options! {
            flag: "--allow-missing-template-keys", "--output-patch", "--recursive" "-R", "--save-config",
                "--show-managed-fields", "--windows-line-endings";
            value: "--field-manager", "--output" "-o", "--subresource", "--template";
            reads: "--filename" "-f", "--kustomize" "-k";
            attached: "--validate";
        },
    ),
    gnu(
        &["label", "annotate"],
        options! {
            flag: "--all", "--all-namespaces" "-A", "--allow-missing-template-keys", "--list", "--local", "--overwrite",
                "--recursive" "-R", "--show-managed-fields";
            value: "--field-manager", "--field-selector", "--output" "-o", "--resource-version", "--selector" "-l",
                "--template";
            reads: "--filename" "-f", "--kustomize" "-k";
            attached: "--dry-run";
        },
    ),
    gnu(
        &["replace"],
        options! {
            flag: "--allow-missing-template-keys", "--force", "--recursive" "-R", "--save-config",
                "--show-managed-fields", "--wait";
            value: "--field-manager", "--grace-period", "--output" "-o", "--raw", "--subresource", "--template",
                "--timeout";
            reads: "--filename" "-f", "--kustomize" "-k";
            attached: "--cascade", "--dry-run", "--validate";
        },
    ),
    gnu(
        &["expose"],
        options! {
            flag: "--allow-missing-template-keys", "--recursive" "-R", "--save-config", "--show-managed-fields";
            value: "--cluster-ip", "--external-ip", "--field-manager", "--labels" "-l", "--load-balancer-ip", "--name",
                "--output" "-o", "--override-type", "--overrides", "--port", "--protocol", "--selector",
                "--session-affinity", "--target-port", "--template", "--type";
            reads: "--filename" "-f", "--kustomize" "-k";
            attached: "--dry-run";
        },
    ),
    gnu(
        &["drain"],
        options! {
            flag: "--delete-emptydir-data", "--disable-eviction", "--force", "--ignore-daemonsets";
            value: "--chunk-size", "--grace-period", "--pod-selector", "--selector" "-l",
                "--skip-wait-for-delete-timeout", "--timeout";
            attached: "--dry-run";
        },
    ),
    gnu(
        &["cordon", "uncordon"],
        options! {
            value: "--selector" "-l";
            attached: "--dry-run";
        },
    ),
    gnu(
        &["taint"],
        options! {
            flag: "--all", "--allow-missing-template-keys", "--overwrite", "--show-managed-fields";
            value: "--field-manager", "--output" "-o", "--selector" "-l", "--template";
            attached: "--dry-run", "--validate";
        },
    ),
    gnu(
        &["cp"],
        options! {
            flag: "--no-preserve";
            value: "--container" "-c", "--retries";
        },
    ),
    gnu(
        &["port-forward"],
        options! {
            value: "--address", "--pod-running-timeout";
        },
    ),
    gnu(
        &["explain"],
        options! {
            flag: "--recursive";
            value: "--api-version", "--output" "-o";
        },
    ),
    gnu(
        &["diff"],
        options! {
            flag: "--force-conflicts", "--prune", "--recursive" "-R", "--server-side", "--show-managed-fields";
            value: "--concurrency", "--field-manager", "--prune-allowlist", "--selector" "-l";
            reads: "--filename" "-f", "--kustomize" "-k";
        },
    ),
    gnu(
        &["wait"],
        options! {
            flag: "--all", "--all-namespaces" "-A", "--allow-missing-template-keys", "--local", "--recursive" "-R",
                "--show-managed-fields";
            value: "--field-selector", "--for", "--output" "-o", "--selector" "-l", "--template", "--timeout";
            reads: "--filename" "-f";
        },
    ),
    gnu(
        &["attach"],
        options! {
            flag: "--quiet" "-q", "--stdin" "-i", "--tty" "-t";
            value: "--container" "-c", "--pod-running-timeout";
        },
    ),
    gnu(
        &["autoscale"],
        options! {
            flag: "--allow-missing-template-keys", "--recursive" "-R", "--save-config", "--show-managed-fields";
            value: "--cpu-percent", "--field-manager", "--max", "--min", "--name", "--output" "-o", "--template";
            reads: "--filename" "-f", "--kustomize" "-k";
            attached: "--dry-run";
        },
    ),
    gnu(
        &["api-resources"],
        options! {
            flag: "--cached", "--namespaced", "--no-headers";
            value: "--api-group", "--categories", "--output" "-o", "--sort-by", "--verbs";
        },
    ),
    gnu(
        &["events"],
        options! {
            flag: "--all-namespaces" "-A", "--allow-missing-template-keys", "--no-headers", "--show-managed-fields",
                "--watch" "-w";
            value: "--chunk-size", "--for", "--output" "-o", "--template", "--types";
        },
    ),
    gnu(
        &[
            "rollout",
            "set",
            "auth",
            "config",
            "top",
            "cluster-info",
            "api-versions",
            "version",
            "completion",
            "certificate",
            "proxy",
            "plugin",
            "options",
        ],
        options! {
            flag: "--all-namespaces" "-A", "--watch" "-w", "--recursive" "-R", "--no-headers", "--containers", "--client",
                "--minify", "--raw", "--flatten", "--all";
            value: "--selector" "-l", "--output" "-o", "--revision", "--to-revision", "--timeout", "--container" "-c",
                "--port" "-p", "--sort-by";
            reads: "--filename" "-f", "--kustomize" "-k";
        },
    ),
];
