//! What calls of the servers of services for teams come to, by the records of tools.

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
