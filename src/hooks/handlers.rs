//! A handler for each event, which the command `rules EVENT` calls.
//!
//! Each calls [`handle`] for its event, with the payload and the registration of this process.

use super::Registration;
use super::process::Input;
use super::strict::{HookError, HookResult, Result, handle};
use crate::schema::Event;

macro_rules! handlers {
    ($($handler:ident $event:ident,)*) => {
        $(
            #[doc = concat!("Handles the ", stringify!($event), " event on standard input, as [`handle`] does.")]
            ///
            /// # Errors
            ///
            /// Fails if the payload is not a complete one of this event; the error says what is wrong with it.
            async fn $handler() -> Result<HookResult> {
                of_process(Event::$event)
            }
        )*

        /// Handles the event on standard input with the handler of an event.
        ///
        /// # Errors
        ///
        /// Fails if the payload is not a complete one of this event; the error says what is wrong with it.
        pub async fn handle_event(event: Event) -> Result<HookResult> {
            match event {
                $(Event::$event => $handler().await,)*
            }
        }
    };
}

handlers! {
    handle_pre_tool_use PreToolUse,
    handle_post_tool_use PostToolUse,
    handle_post_tool_use_failure PostToolUseFailure,
    handle_post_tool_batch PostToolBatch,
    handle_notification Notification,
    handle_user_prompt_submit UserPromptSubmit,
    handle_user_prompt_expansion UserPromptExpansion,
    handle_session_start SessionStart,
    handle_session_end SessionEnd,
    handle_stop Stop,
    handle_stop_failure StopFailure,
    handle_subagent_start SubagentStart,
    handle_subagent_stop SubagentStop,
    handle_pre_compact PreCompact,
    handle_post_compact PostCompact,
    handle_pre_model_switch PreModelSwitch,
    handle_post_model_switch PostModelSwitch,
    handle_permission_request PermissionRequest,
    handle_permission_denied PermissionDenied,
    handle_pre_skill_shell_command PreSkillShellCommand,
    handle_setup Setup,
    handle_teammate_idle TeammateIdle,
    handle_task_created TaskCreated,
    handle_task_completed TaskCompleted,
    handle_elicitation Elicitation,
    handle_elicitation_result ElicitationResult,
    handle_config_change ConfigChange,
    handle_worktree_create WorktreeCreate,
    handle_worktree_remove WorktreeRemove,
    handle_instructions_loaded InstructionsLoaded,
    handle_cwd_changed CwdChanged,
    handle_file_changed FileChanged,
    handle_directory_added DirectoryAdded,
    handle_message_display MessageDisplay,
}

fn of_process(event: Event) -> Result<HookResult> {
    let input = Input::of_process();
    match &input.problem {
        Some(problem) => Err(HookError::Unreadable(problem.clone())),
        None => handle(event, &input.bytes, Registration::of_process()),
    }
}
