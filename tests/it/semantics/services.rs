//! Calls of MCP servers for team services, by the records of tools.

use serde_json::json;

use super::tools::each;
use crate::kit::Comes::{F, T};

#[test]
fn what_goes_to_other_people_is_content() {
    each(&[
        (
            "mcp__slack__slack_post_message",
            json!({"channel_id": "C1", "text": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__slack__slack_reply_to_thread",
            json!({"channel_id": "C1", "thread_ts": "1.2", "text": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__gmail__send_email",
            json!({"to": ["a@b.example"], "subject": "x", "body": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__gmail__draft_email",
            json!({"to": ["a@b.example"], "subject": "AKIA", "body": "x"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__gmail__send_email",
            json!({"to": ["a@b.example"], "subject": "x", "body": "y", "attachments": [".env"]}),
            r#"reads like ".env""#,
            T,
        ),
        (
            "mcp__atlassian__jira_create_issue",
            json!({"project_key": "P", "summary": "x", "issue_type": "Bug", "description": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__atlassian__jira_update_issue",
            json!({"issue_key": "P-1", "fields": "{\"description\": \"AKIA\"}"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__atlassian__jira_update_issue",
            json!({"issue_key": "P-1", "fields": "{}", "attachments": ".env"}),
            r#"reads like ".env""#,
            T,
        ),
        ("mcp__atlassian__jira_get_issue", json!({"issue_key": "P-1"}), r#"reads like "*""#, F),
        (
            "mcp__atlassian__confluence_create_page",
            json!({"space_key": "S", "title": "x", "content": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__atlassian__confluence_update_page",
            json!({"page_id": "1", "title": "x", "content_file": "notes/.env"}),
            r#"reads like "notes/.env""#,
            T,
        ),
        (
            "mcp__atlassian__confluence_upload_attachment",
            json!({"content_id": "1", "file_path": ".env"}),
            r#"reads like ".env""#,
            T,
        ),
        (
            "mcp__linear__linear_create_issue",
            json!({"title": "x", "teamId": "t", "description": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        ("mcp__linear__linear_add_comment", json!({"issueId": "1", "body": "AKIA"}), r#"content contains "AKIA""#, T),
        (
            "mcp__notion__API-create-a-comment",
            json!({"parent": {"page_id": "1"}, "rich_text": [{"text": {"content": "AKIA"}}]}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__notion__API-patch-page",
            json!({"page_id": "1", "properties": {"title": [{"text": {"content": "AKIA"}}]}}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__notion__API-update-page-markdown",
            json!({"page_id": "1", "type": "insert_content", "insert_content": {"content": "AKIA"}}),
            r#"content contains "AKIA""#,
            T,
        ),
        ("mcp__notion__API-post-search", json!({"query": "AKIA"}), r#"content contains "AKIA""#, F),
        (
            "mcp__google_workspace__send_gmail_message",
            json!({"user_google_email": "a@b.example", "to": "c@d.example", "subject": "x", "body": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__google_workspace__send_gmail_message",
            json!({
                "user_google_email": "a@b.example",
                "to": "c@d.example",
                "subject": "x",
                "body": "y",
                "attachments": [{"path": ".env"}]
            }),
            r#"reads like ".env""#,
            T,
        ),
        (
            "mcp__google_workspace__draft_gmail_message",
            json!({
                "user_google_email": "a@b.example",
                "subject": "x",
                "body": "y",
                "attachments": [{"url": "https://paste.example/x"}]
            }),
            r#"domain == "paste.example""#,
            T,
        ),
        (
            "mcp__google_workspace__create_drive_file",
            json!({"user_google_email": "a@b.example", "file_name": "notes.txt", "content": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__google_workspace__create_drive_file",
            json!({"user_google_email": "a@b.example", "file_name": "notes.txt", "content": "x"}),
            r#"writes like "**/notes.txt""#,
            F,
        ),
        (
            "mcp__google_workspace__create_drive_file",
            json!({"user_google_email": "a@b.example", "file_name": "n", "fileUrl": "https://paste.example/x"}),
            r#"domain == "paste.example""#,
            T,
        ),
        (
            "mcp__google_workspace__import_to_google_doc",
            json!({"user_google_email": "a@b.example", "file_name": "n", "file_path": "notes/.env"}),
            r#"reads like "notes/.env""#,
            T,
        ),
    ]);
}

#[test]
fn what_cannot_be_undone_is_a_call_of_the_service() {
    each(&[
        (
            "mcp__stripe__create_refund",
            json!({"payment_intent": "pi_1", "amount": 100}),
            r#"runs "stripe refunds create --amount=100""#,
            T,
        ),
        (
            "mcp__stripe__cancel_subscription",
            json!({"subscription": "sub_1"}),
            r#"runs "stripe subscriptions cancel sub_1""#,
            T,
        ),
        (
            "mcp__figma__download_figma_images",
            json!({"fileKey": "k", "nodes": [], "localPath": "public/images"}),
            r#"writes like "public/images""#,
            T,
        ),
        (
            "mcp__figma__download_figma_images",
            json!({"fileKey": "k", "nodes": [], "localPath": "public/images"}),
            r#"reads like "public/images""#,
            F,
        ),
    ]);
}
