//! Calls of MCP servers for databases, by the records of tools.

use serde_json::json;

use super::tools::each;
use crate::kit::Comes::{F, T};

#[test]
fn what_servers_of_databases_do_is_a_call_of_their_client() {
    each(&[
        (
            "mcp__supabase__apply_migration",
            json!({"project_id": "p", "name": "n", "query": "drop table users"}),
            r#"runs "psql" where option "-c" contains "drop""#,
            T,
        ),
        (
            "mcp__postgres__query",
            json!({"sql": "drop table users"}),
            r#"runs "psql" where option "-c" contains "drop""#,
            T,
        ),
        ("mcp__other__query", json!({"sql": "drop table users"}), r#"runs "psql""#, F),
        (
            "mcp__neon__run_sql",
            json!({"projectId": "p", "sql": "drop table users"}),
            r#"runs "psql" where option "-c" contains "drop""#,
            T,
        ),
        (
            "mcp__neon__run_sql_transaction",
            json!({"projectId": "p", "sqlStatements": ["select 1", "drop table users"]}),
            r#"runs "psql" where args contains "drop table""#,
            T,
        ),
        (
            "mcp__neon__run_sql_transaction",
            json!({"project_id": "p", "sql_statements": ["select 1", "drop table users"]}),
            r#"runs "psql" where args contains "drop table""#,
            T,
        ),
        (
            "mcp__neon__delete_branch",
            json!({"projectId": "p", "branchId": "b"}),
            r#"runs "neonctl branches delete b""#,
            T,
        ),
        ("mcp__neon__delete_project", json!({"projectId": "p"}), r#"runs "neonctl projects delete p""#, T),
        ("mcp__other__delete_project", json!({"projectId": "p"}), r#"runs "neonctl""#, F),
        ("mcp__mysql__execute_sql", json!({"query": "drop table users"}), r#"runs "mysql -e""#, T),
        ("mcp__mysql__execute_sql", json!({"query": "drop table users"}), r#"runs "psql""#, F),
        (
            "mcp__mysql__mysql_query",
            json!({"sql": "drop table users"}),
            r#"runs "mysql" where args contains "drop""#,
            T,
        ),
        (
            "mcp__bigquery__execute_sql",
            json!({"sql": "drop table d.users"}),
            r#"runs "bq query" where args contains "drop""#,
            T,
        ),
        (
            "mcp__sqlite__write_query",
            json!({"query": "delete from users"}),
            r#"runs "sqlite3" where args contains "delete from""#,
            T,
        ),
        ("mcp__sqlite__write_query", json!({"query": "delete from users"}), r#"writes like "**""#, F),
        (
            "mcp__snowflake__write_query",
            json!({"query": "drop table users"}),
            r#"runs "snow sql" where args contains "drop table""#,
            T,
        ),
        (
            "mcp__clickhouse__run_query",
            json!({"query": "drop table users"}),
            r#"runs "clickhouse-client" where args contains "drop table""#,
            T,
        ),
        (
            "mcp__mongodb__rename-collection",
            json!({"database": "d", "collection": "a", "newName": "b", "dropTarget": true}),
            r#"runs "mongosh d" where args contains "db.b.drop()""#,
            T,
        ),
        (
            "mcp__mongodb__rename-collection",
            json!({"database": "d", "collection": "a", "newName": "b"}),
            r#"runs "mongosh" where args contains "drop""#,
            F,
        ),
        (
            "mcp__mongodb__drop-index",
            json!({"database": "d", "collection": "a", "indexName": "i"}),
            r#"runs "mongosh" where args contains "dropIndex""#,
            T,
        ),
        (
            "mcp__mongodb__update-many",
            json!({"database": "d", "collection": "a", "update": {"$set": {"x": 1}}}),
            r#"runs "mongosh" where args contains "updateMany""#,
            T,
        ),
        (
            "mcp__mongodb__atlas-local-delete-deployment",
            json!({"deploymentName": "x"}),
            r#"runs "atlas deployments delete x""#,
            T,
        ),
        ("mcp__redis__delete", json!({"key": "k"}), r#"runs "redis-cli del k""#, T),
        ("mcp__other__delete", json!({"key": "k"}), r#"runs "redis-cli""#, F),
        ("mcp__redis__rename", json!({"old_key": "a", "new_key": "b"}), r#"runs "redis-cli rename a b""#, T),
        ("mcp__supabase__reset_branch", json!({"branch_id": "b"}), r#"runs "supabase db reset""#, T),
        (
            "mcp__supabase__deploy_edge_function",
            json!({"name": "f", "files": [{"name": "index.ts", "content": "AKIA"}]}),
            r#"content contains "AKIA""#,
            T,
        ),
    ]);
}
