//! Calls of MCP servers for containers, clusters and clouds, by the records of tools.

use serde_json::json;

use super::tools::each;
use crate::kit::Comes::{F, T, U};

#[test]
fn what_servers_of_containers_do_is_a_call_of_docker() {
    each(&[
        (
            "mcp__docker__run_container",
            json!({"image": "alpine", "volumes": ["/:/h"], "command": "ls -l", "auto_remove": true}),
            r#"runs "docker run --volume=/:/h""#,
            T,
        ),
        (
            "mcp__docker__create_container",
            json!({"image": "alpine", "command": "rm -rf /data"}),
            r#"runs "rm" where remote == true"#,
            T,
        ),
        (
            "mcp__docker__create-container",
            json!({"image": "alpine", "name": "a"}),
            r#"runs "docker run --name=a alpine""#,
            T,
        ),
        (
            "mcp__docker__run_container",
            json!({"image": "alpine", "volumes": {"/etc": {"bind": "/h"}}}),
            r#"runs "docker run""#,
            U,
        ),
        (
            "mcp__docker__recreate_container",
            json!({"image": "alpine", "container_id": "c"}),
            r#"runs "docker rm -f c""#,
            T,
        ),
        ("mcp__docker__start_container", json!({"container_id": "c"}), r#"runs "docker start c""#, T),
        ("mcp__docker__stop_container", json!({"container_id": "c"}), r#"runs "docker stop c""#, T),
        ("mcp__docker__remove_container", json!({"container_id": "c", "force": true}), r#"runs "docker rm -f c""#, T),
        ("mcp__docker__remove_volume", json!({"volume_name": "v", "force": true}), r#"runs "docker volume rm v""#, T),
        ("mcp__docker__remove_volume", json!({"volume_id": "v"}), r#"runs "docker volume rm v""#, T),
        ("mcp__docker__remove_network", json!({"network_id": "n"}), r#"runs "docker network rm n""#, T),
        ("mcp__docker__remove_image", json!({"image": "i", "force": true}), r#"runs "docker rmi -f i""#, T),
        ("mcp__docker__pull_image", json!({"repository": "r", "tag": "1"}), r#"runs "docker pull r:1""#, T),
        ("mcp__docker__push_image", json!({"repository": "r"}), r#"runs "docker push r""#, T),
        (
            "mcp__docker__build_image",
            json!({"path": ".", "tag": "t", "dockerfile": "D"}),
            r#"runs "docker build --tag=t --file=D""#,
            T,
        ),
        (
            "mcp__docker__deploy-compose",
            json!({"project_name": "p", "compose_yaml": "services: {a: {image: x, privileged: true}}"}),
            r#"runs "docker compose up""#,
            T,
        ),
        (
            "mcp__docker__deploy-compose",
            json!({"project_name": "p", "compose_yaml": "privileged: true"}),
            r#"content contains "privileged""#,
            T,
        ),
    ]);
}

#[test]
fn what_servers_of_clusters_do_is_a_call_of_kubectl() {
    each(&[
        (
            "mcp__k8s__kubectl_apply",
            json!({"manifest": "kind: Secret\nAKIA", "namespace": "n"}),
            r#"runs "kubectl apply --namespace=n""#,
            T,
        ),
        ("mcp__k8s__kubectl_apply", json!({"manifest": "kind: Secret\nAKIA"}), r#"content contains "AKIA""#, T),
        (
            "mcp__k8s__kubectl_apply",
            json!({"filename": "deploy.yaml", "dryRun": true}),
            r#"runs "kubectl apply !--dry-run""#,
            F,
        ),
        (
            "mcp__k8s__kubectl_create",
            json!({"resourceType": "secret", "secretType": "generic", "name": "s", "fromLiteral": ["a=AKIA"]}),
            r#"runs "kubectl create secret generic s""#,
            T,
        ),
        (
            "mcp__k8s__kubectl_create",
            json!({"resourceType": "secret", "secretType": "generic", "name": "s", "fromLiteral": ["a=AKIA"]}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__k8s__kubectl_create",
            json!({"resourceType": "configmap", "name": "c", "fromFile": [".env"]}),
            r#"reads like ".env""#,
            T,
        ),
        (
            "mcp__k8s__kubectl_patch",
            json!({"resourceType": "deployment", "name": "a", "patchData": {"spec": {}}}),
            r#"runs "kubectl patch deployment a""#,
            T,
        ),
        ("mcp__k8s__kubectl_delete", json!({"manifest": "kind: Namespace"}), r#"runs "kubectl delete""#, T),
        (
            "mcp__k8s__kubectl_delete",
            json!({"resourceType": "pods", "labelSelector": "a=b", "allNamespaces": true}),
            r#"runs "kubectl delete --all-namespaces""#,
            T,
        ),
        (
            "mcp__k8s__kubectl_context",
            json!({"operation": "set", "name": "prod"}),
            r#"runs "kubectl config use-context prod""#,
            T,
        ),
        ("mcp__k8s__kubectl_context", json!({"operation": "list"}), r#"runs "kubectl config use-context""#, F),
        (
            "mcp__k8s__node_management",
            json!({"operation": "drain", "nodeName": "n", "force": true}),
            r#"runs "kubectl drain n --force""#,
            T,
        ),
        ("mcp__k8s__exec_in_pod", json!({"name": "p", "command": ["rm", "-rf", "/data"]}), r#"runs "kubectl exec""#, T),
        (
            "mcp__k8s__exec_in_pod",
            json!({"name": "p", "command": ["rm", "-rf", "/data"]}),
            r#"runs "rm" where remote == true"#,
            T,
        ),
        (
            "mcp__k8s__pods_exec",
            json!({"name": "p", "command": ["cat", "/etc/shadow"], "container": "c"}),
            r#"runs "kubectl exec --container=c""#,
            T,
        ),
        (
            "mcp__k8s__port_forward",
            json!({"resourceType": "pod", "resourceName": "a", "localPort": 80, "targetPort": 8080}),
            r#"runs "kubectl port-forward pod/a 80:8080""#,
            T,
        ),
        (
            "mcp__k8s__kubectl_code_mode",
            json!({"args": "delete pods --all -n prod", "code": "print(1)"}),
            r#"runs "kubectl delete --all""#,
            T,
        ),
        (
            "mcp__k8s__kubectl_generic",
            json!({"command": "delete", "resourceType": "pods", "allNamespaces": true}),
            r#"runs "kubectl delete --all-namespaces""#,
            T,
        ),
        (
            "mcp__k8s__kubectl_rollout",
            json!({"subCommand": "undo", "resourceType": "deployment", "name": "a", "revision": 3}),
            r#"runs "kubectl rollout undo --to-revision=3""#,
            T,
        ),
        (
            "mcp__k8s__upgrade_helm_chart",
            json!({"name": "a", "chart": "c", "context": "prod", "valuesFile": ".env"}),
            r#"runs "helm upgrade --kube-context=prod""#,
            T,
        ),
        ("mcp__k8s__pods_run", json!({"image": "alpine", "name": "a"}), r#"runs "kubectl run a --image=alpine""#, T),
        (
            "mcp__k8s__pods_delete",
            json!({"name": "a", "context": "prod"}),
            r#"runs "kubectl delete pod --context=prod""#,
            T,
        ),
        ("mcp__k8s__resources_scale", json!({"kind": "Deployment", "name": "a"}), r#"runs "kubectl scale""#, F),
        (
            "mcp__k8s__resources_list",
            json!({"apiVersion": "v1", "kind": "Secret"}),
            r#"runs "kubectl get Secret --output=yaml""#,
            T,
        ),
        (
            "mcp__k8s__resources_create_or_update",
            json!({"resource": "kind: Secret\nAKIA"}),
            r#"runs "kubectl apply""#,
            T,
        ),
        (
            "mcp__k8s__resources_create_or_update",
            json!({"resource": "kind: Secret\nAKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        ("mcp__k8s__configuration_view", json!({"minified": true}), r#"runs "kubectl config view --raw""#, T),
        (
            "mcp__eks__manage_k8s_resource",
            json!({
                "operation": "delete",
                "cluster_name": "c",
                "kind": "Namespace",
                "api_version": "v1",
                "name": "n"
            }),
            r#"runs "kubectl delete Namespace n""#,
            T,
        ),
        (
            "mcp__eks__manage_k8s_resource",
            json!({"operation": "read", "cluster_name": "c", "kind": "Secret", "api_version": "v1", "name": "n"}),
            r#"runs "kubectl get Secret n --output=yaml""#,
            T,
        ),
        (
            "mcp__eks__apply_yaml",
            json!({"yaml_path": "/srv/app.yaml", "cluster_name": "c", "namespace": "n"}),
            r#"runs "kubectl apply --namespace=n""#,
            T,
        ),
        (
            "mcp__eks__apply_yaml",
            json!({"yaml_path": "/srv/app.yaml", "cluster_name": "c", "namespace": "n"}),
            r#"reads under "/srv""#,
            T,
        ),
        (
            "mcp__eks__manage_eks_stacks",
            json!({"operation": "delete", "cluster_name": "c"}),
            r#"runs "eksctl delete cluster --name=c""#,
            T,
        ),
        (
            "mcp__eks__manage_eks_stacks",
            json!({"operation": "generate", "template_file": "/srv/t.yaml", "cluster_name": "c"}),
            r#"writes under "/srv""#,
            T,
        ),
    ]);
}

#[test]
fn what_servers_of_clouds_do_is_a_call_of_their_command_line() {
    each(&[
        (
            "mcp__aws__call_aws",
            json!({"cli_command": ["aws s3 ls", "aws s3 rm s3://b --recursive"]}),
            r#"runs "aws s3 rm --recursive""#,
            T,
        ),
        (
            "mcp__aws__call_aws",
            json!({"cli_command": "aws iam delete-user --user-name x"}),
            r#"runs "aws iam delete-user""#,
            T,
        ),
        (
            "mcp__gcloud__run_gcloud_command",
            json!({"args": ["projects", "delete", "p", "--quiet"]}),
            r#"runs "gcloud projects delete p""#,
            T,
        ),
        (
            "mcp__cloudflare-bindings__d1_database_query",
            json!({"database_id": "d", "sql": "drop table users"}),
            r#"runs "wrangler d1 execute" where args contains "drop table""#,
            T,
        ),
        ("mcp__cloudflare__d1_database_delete", json!({"database_id": "d"}), r#"runs "wrangler d1 delete d""#, T),
        (
            "mcp__cloudflare__kv_namespace_delete",
            json!({"namespace_id": "n"}),
            r#"runs "wrangler kv namespace delete""#,
            T,
        ),
        (
            "mcp__cloudflare__r2_bucket_delete",
            json!({"account_id": "a", "name": "b"}),
            r#"runs "wrangler r2 bucket delete b""#,
            T,
        ),
        (
            "mcp__heroku__pg_psql",
            json!({"app": "a", "command": "drop table users"}),
            r#"runs "heroku pg:psql" where args contains "drop table""#,
            T,
        ),
        ("mcp__heroku__pg_kill", json!({"app": "a", "pid": 7, "force": true}), r#"runs "heroku pg:kill 7""#, T),
        ("mcp__heroku__ps_scale", json!({"app": "a", "dyno": "web=0"}), r#"runs "heroku ps:scale web=0""#, T),
        ("mcp__heroku__ps_restart", json!({"app": "a", "dyno-name": "web.1"}), r#"runs "heroku ps:restart web.1""#, T),
        (
            "mcp__heroku__transfer_app",
            json!({"app": "a", "recipient": "x@e.example"}),
            r#"runs "heroku apps:transfer""#,
            T,
        ),
        (
            "mcp__terraform__action_run",
            json!({"run_action": "apply", "run_id": "run-1"}),
            r#"runs "terraform apply""#,
            T,
        ),
        (
            "mcp__terraform__action_run",
            json!({"run_action": "discard", "run_id": "run-1"}),
            r#"runs "terraform apply""#,
            F,
        ),
        (
            "mcp__terraform__create_run",
            json!({"terraform_org_name": "o", "workspace_name": "w"}),
            r#"runs "terraform apply""#,
            T,
        ),
        (
            "mcp__terraform__create_run",
            json!({"terraform_org_name": "o", "workspace_name": "w", "run_type": "plan_only"}),
            r#"runs "terraform apply""#,
            F,
        ),
        (
            "mcp__terraform__delete_workspace_safely",
            json!({"workspace_id": "ws-1"}),
            r#"runs "terraform workspace delete ws-1""#,
            T,
        ),
        (
            "mcp__railway__deploy",
            json!({"workspacePath": "/p", "environment": "production"}),
            r#"runs "railway up --environment=production""#,
            T,
        ),
        ("mcp__railway__list-variables", json!({"workspacePath": "/p", "kv": true}), r#"runs "railway variables""#, T),
        (
            "mcp__railway__set-variables",
            json!({"workspacePath": "/p", "variables": ["K=v"]}),
            r#"runs "railway variables --set=K=v""#,
            T,
        ),
        (
            "mcp__railway__set-variables",
            json!({"workspacePath": "/p", "variables": ["K=AKIA"]}),
            r#"content contains "AKIA""#,
            T,
        ),
        ("mcp__railway__list-services", json!({"workspacePath": "/p"}), r#"runs "railway""#, T),
        (
            "mcp__azure__extension_az",
            json!({"command": "group delete --name rg --yes"}),
            r#"runs "az group delete""#,
            T,
        ),
        ("mcp__azure__azmcp_extension_az", json!({"command": "group list"}), r#"runs "az group delete""#, F),
        ("mcp__azure__extension_azd", json!({"command": "down --purge --force"}), r#"runs "azd down""#, T),
        ("mcp__azure__appconfig_kv_delete", json!({"account": "a", "key": "k"}), r#"runs "az appconfig kv delete""#, T),
        (
            "mcp__azure__postgres_database_query",
            json!({"server": "s", "database": "d", "user": "u", "query": "drop table users"}),
            r#"runs "psql" where args contains "drop table""#,
            T,
        ),
        (
            "mcp__azure__keyvault_secret_get",
            json!({"vault": "v", "secret": "s"}),
            r#"runs "az keyvault secret show""#,
            T,
        ),
        ("mcp__azure__keyvault_secret_list", json!({"vault": "v"}), r#"runs "az keyvault secret show""#, F),
        (
            "mcp__azure__storage_blob_upload",
            json!({"account": "a", "container": "c", "blob": "b", "local-file-path": ".env"}),
            r#"reads like ".env""#,
            T,
        ),
        ("mcp__azure__keyvault_secret_get", json!({"vault": "v"}), r#"runs "az keyvault secret show""#, F),
        (
            "mcp__netlify__netlify-deploy-services",
            json!({"selectSchema": {"operation": "deploy-site", "params": {"deployDirectory": "/p", "siteId": "s"}}}),
            r#"runs "netlify deploy --prod""#,
            T,
        ),
        (
            "mcp__netlify__netlify-deploy-services",
            json!({"selectSchema": {"operation": "get-deploy", "params": {"deployId": "d"}}}),
            r#"runs "netlify deploy""#,
            F,
        ),
        ("mcp__netlify__netlify-deploy-site", json!({"siteId": "s"}), r#"runs "netlify deploy --prod""#, T),
        (
            "mcp__netlify__netlify-project-services-updater",
            json!({
                "selectSchema": {
                    "operation": "manage-env-vars",
                    "params": {"siteId": "s", "deleteEnvVar": true, "envVarKey": "K"}
                }
            }),
            r#"runs "netlify env:unset K""#,
            T,
        ),
        (
            "mcp__netlify__netlify-project-services-updater",
            json!({
                "selectSchema": {
                    "operation": "manage-env-vars",
                    "params": {"siteId": "s", "upsertEnvVar": true, "envVarKey": "K", "envVarValue": "v"}
                }
            }),
            r#"runs "netlify env:set K v""#,
            T,
        ),
        (
            "mcp__netlify__netlify-project-services",
            json!({
                "selectSchema": {
                    "operation": "manage-env-vars",
                    "params": {"siteId": "s", "getAllEnvVars": true, "deleteEnvVar": false}
                }
            }),
            r#"runs "netlify env:list --plain""#,
            T,
        ),
        (
            "mcp__netlify__netlify-project-services",
            json!({
                "selectSchema": {
                    "operation": "manage-env-vars",
                    "params": {"siteId": "s", "getAllEnvVars": true, "deleteEnvVar": false}
                }
            }),
            r#"runs "netlify env:unset""#,
            F,
        ),
        (
            "mcp__netlify__netlify-project-services",
            json!({"selectSchema": {"operation": "get-project", "params": {"siteId": "s"}}}),
            r#"runs "netlify env:list""#,
            F,
        ),
        (
            "mcp__netlify__netlify-project-manage-env-vars",
            json!({"siteId": "s", "deleteEnvVar": true, "envVarKey": "K"}),
            r#"runs "netlify env:unset K""#,
            T,
        ),
        ("mcp__netlify__deploy-site", json!({"path": "dist", "prod": true}), r#"runs "netlify deploy --prod""#, T),
        ("mcp__netlify__deploy-site", json!({"path": "dist", "prod": false}), r#"runs "netlify deploy --prod""#, F),
        ("mcp__vercel__vercel-create-deployment", json!({"project": "p"}), r#"runs "vercel deploy --prod""#, T),
        (
            "mcp__vercel__vercel-create-deployment",
            json!({"project": "p", "target": "production"}),
            r#"runs "vercel deploy --prod""#,
            T,
        ),
        (
            "mcp__vercel__vercel-create-deployment",
            json!({"project": "p", "target": "preview"}),
            r#"runs "vercel deploy --prod""#,
            F,
        ),
        (
            "mcp__vercel__vercel-create-environment-variables",
            json!({
                "projectId": "p",
                "environmentVariables": [{"key": "K", "value": "v", "target": ["production"], "type": "encrypted"}]
            }),
            r#"runs "vercel env add K""#,
            T,
        ),
        (
            "mcp__vercel__vercel-create-environment-variables",
            json!({"projectId": "p", "environmentVariables": [{"key": "K", "value": "AKIA"}]}),
            r#"content contains "AKIA""#,
            T,
        ),
    ]);
}
