//! Transcripts read from the end: kinds of lines, invalid lines, and the amount that is read.

use std::fs::File;
use std::io::{self, Cursor, Write};

use proptest::prelude::*;

use super::*;

const CODER: &str = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Task","input":{"subagent_type":"coder","prompt":"p"}}]}}"#;
const TESTER: &str = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"now"},{"type":"tool_use","id":"t","name":"Agent","input":{"prompt":"p","subagent_type":"tester"}}]}}"#;
const RESULT: &str = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"done"}]}]}}"#;
const TALK: &str = r#"{"type":"user","message":{"role":"user","content":"who is the \"subagent_type\" here?"}}"#;
const BROKEN: &str = r#"{"type":"assistant","message":{"content":[{"type":"#;

fn read(text: &str) -> Fact<String> {
    last_called_agent(&mut Cursor::new(text), TranscriptReach::default())
}

/// Checks the name found in the lines of a transcript.
#[track_caller]
fn names(lines: &[&str], expected: Option<&str>) {
    let text = format!("{}\n", lines.join("\n"));
    assert_eq!(read(&text), Ok(expected.map(str::to_owned)), "{text}");
}

#[test]
fn the_most_recent_call_counts() {
    names(&[CODER], Some("coder"));
    names(&[CODER, RESULT, TESTER, RESULT, TALK], Some("tester"));
    names(&[TESTER, CODER, "", "  ", RESULT], Some("coder"));
    names(&[&CODER.replace("coder", "Code Reviewer")], Some("Code Reviewer"));
    let both = r#"{"message":{"content":[{"type":"tool_use","name":"Task","input":{"subagent_type":"a"}},{"type":"tool_use","name":"Task","input":{"subagent_type":"b"}},{"type":"text"}]}}"#;
    names(&[both], Some("b"));
}

#[test]
fn a_call_may_stand_outside_of_an_envelope() {
    names(&[r#"{"type":"tool_use","name":"Task","input":{"subagent_type":"bare"}}"#], Some("bare"));
    names(
        &[r#"{"role":"assistant","content":[{"type":"tool_use","name":"Task","input":{"subagent_type":"in"}}]}"#],
        Some("in"),
    );
}

#[test]
fn what_is_no_call_is_skipped() {
    names(&[], None);
    for other in [
        TALK,
        RESULT,
        "5",
        "[]",
        "null",
        r#""subagent_type""#,
        r#"["subagent_type"]"#,
        // Another tool, another kind of block, no type, a type that is not a text.
        r#"{"type":"tool_use","name":"Bash","input":{"subagent_type":"x"}}"#,
        r#"{"type":"tool_result","name":"Task","input":{"subagent_type":"x"}}"#,
        r#"{"type":"tool_use","name":"Task","input":{"prompt":"subagent_type"}}"#,
        r#"{"type":"tool_use","name":"Task","input":{"subagent_type":""}}"#,
        r#"{"type":"tool_use","name":"Task","input":{"subagent_type":" "}}"#,
        r#"{"type":"tool_use","name":"Task","input":{"subagent_type":["x"]}}"#,
        r#"{"type":"tool_use","name":"Task","input":{"subagent_type":{"subagent_type":"x"}}}"#,
        r#"{"type":"tool_use","name":"Task","input":"subagent_type"}"#,
        r#"{"type":1,"name":true,"input":null,"message":1.5,"content":{"subagent_type":-1}}"#,
        // The output of a tool is not a call of the agent.
        r#"{"message":{"content":[{"type":"tool_result","content":[{"type":"tool_use","name":"Task","input":{"subagent_type":"x"}}]}]}}"#,
        r#"{"toolUseResult":{"type":"tool_use","name":"Task","input":{"subagent_type":"x"}}}"#,
    ] {
        names(&[other], None);
        names(&[CODER, other], Some("coder"));
    }
}

#[test]
fn what_a_prompt_holds_does_not_matter() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for prompt in [r#""\ud800""#, r#""\\\"}]}""#, "1e999", &deep] {
        names(&[&CODER.replace(r#""p""#, prompt)], Some("coder"));
        names(&[CODER, &format!(r#"{{"type":"user","message":{{"content":{prompt}}}}}"#)], Some("coder"));
    }
}

#[test]
fn a_line_that_is_not_json_hides_what_stands_before_it() {
    let hidden = Err("a line of the transcript is not JSON".to_owned());
    for broken in [
        BROKEN,
        "nonsense",
        "{} {}",
        r#"{"subagent_type":"#,
        "\0\0\0",
        CODER.strip_prefix('{').unwrap(),
        &format!("{CODER}]"),
    ] {
        assert_eq!(read(&format!("{CODER}\n{broken}\n{RESULT}\n")), hidden, "{broken}");
        assert_eq!(read(&format!("{broken}\n")), hidden, "{broken}");
        names(&[broken, CODER], Some("coder"));
    }
    let bytes = [CODER.as_bytes(), b"\n\"\xff\"\n"].concat();
    assert_eq!(last_called_agent(&mut Cursor::new(bytes), TranscriptReach::default()), hidden);
}

#[test]
fn a_last_line_that_is_still_written_is_not_waited_for() {
    assert_eq!(read(&format!("{CODER}\n{BROKEN}")), Ok(Some("coder".to_owned())));
    assert_eq!(read(&format!("{BROKEN}\n{CODER}\n{BROKEN}")), Ok(Some("coder".to_owned())));
    assert_eq!(read(&format!("{CODER}\n{TESTER}")), Ok(Some("tester".to_owned())), "it is whole already");
}

/// It might have been the call.
#[test]
fn a_last_line_that_is_not_json_is_an_error_where_no_call_stands_before_it() {
    let unread = Err("the last line of the transcript is not JSON".to_owned());
    for text in [BROKEN, "nonsense", "\0", &format!("{TALK}\n{BROKEN}"), &format!("{RESULT}\n\n{{")] {
        assert_eq!(read(text), unread, "{text}");
    }
    let reach = TranscriptReach { first: 1, most: 1 << 20 };
    let text = format!("{}{BROKEN}", format!("{TALK}\n").repeat(50));
    assert_eq!(last_called_agent(&mut Cursor::new(text), reach), unread, "however many steps it takes");
    assert_eq!(read(TALK), Ok(None), "it is whole already");
}

#[test]
fn a_name_of_any_length_is_none() {
    let line = CODER.replace("coder", &"x".repeat(1_025));
    let problem = "line of the transcript asks for a subagent with too long a name";
    assert_eq!(read(&line), Err(format!("the last {problem}")));
    assert_eq!(read(&format!("{TESTER}\n{line}")), Ok(Some("tester".to_owned())), "it may go on");
    assert_eq!(read(&format!("{line}\n")), Err(format!("a {problem}")));
}

/// Counts the bytes that are read.
struct Counting<R> {
    inner: R,
    read: u64,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read += u64::try_from(count).unwrap();
        Ok(count)
    }
}

impl<R: Seek> Seek for Counting<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// Finds the last call, and returns the number of bytes read for it.
fn counted(file: &File) -> (Fact<String>, u64) {
    let mut counting = Counting { inner: file, read: 0 };
    let found = last_called_agent(&mut counting, TranscriptReach::default());
    (found, counting.read)
}

#[test]
fn of_a_large_file_only_the_end_is_read() {
    let file = tempfile::tempfile().unwrap();
    let append = |mut file: &File, text: &str| {
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    append(&file, &format!("{CODER}\n"));
    // A hole in the file: a hundred megabytes of a single invalid line.
    file.set_len(100 << 20).unwrap();
    let far = "there is no call in the last 8 MiB of the transcript".to_owned();
    assert_eq!(counted(&file), (Err(far), 8 << 20));

    append(&file, &format!("\n{TESTER}\n{RESULT}\n"));
    assert_eq!(counted(&file), (Ok(Some("tester".to_owned())), 64 << 10));

    append(&file, &format!("{TALK}\n").repeat(10_000));
    let (found, read) = counted(&file);
    assert_eq!(found, Ok(Some("tester".to_owned())));
    assert!(read < 2 << 20, "twice what is needed at most: {read}");
}

#[test]
fn a_line_is_read_whole_up_to_the_bound() {
    let long = |length: usize| format!("{}\n{TALK}\n", CODER.replace("\"p\"", &format!("\"{}\"", "p".repeat(length))));
    let reach = TranscriptReach { first: 16, most: 1 << 20 };
    assert_eq!(last_called_agent(&mut Cursor::new(long(1_000_000)), reach), Ok(Some("coder".to_owned())));
    assert!(last_called_agent(&mut Cursor::new(long(1_100_000)), reach).unwrap_err().contains("the last 1 MiB"));
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    impl Seek for Failing {
        fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
            Ok(9)
        }
    }
    let expected = "the transcript cannot be read: the disk is gone";
    assert_eq!(last_called_agent(&mut Failing, TranscriptReach::default()), Err(expected.to_owned()));
}

/// The equivalent of [`last_called`] on the whole text.
fn at_once(text: &str) -> Fact<String> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let unfinished = lines.pop().unwrap();
    let unfinished = line::last_call_in_line(unfinished.as_bytes());
    if let Ok(Some(_)) = unfinished {
        return unfinished.map_err(str::to_owned);
    }
    for line in lines.iter().rev() {
        match line::last_call_in_line(line.as_bytes()) {
            Ok(None) => {}
            Ok(found) => return Ok(found),
            Err(error) => return Err(format!("a line of the transcript {error}")),
        }
    }
    unfinished.map_err(|error| format!("the last line of the transcript {error}"))
}

proptest! {
    #[test]
    fn where_the_steps_fall_does_not_matter(
        lines in prop::collection::vec(prop::sample::select(&[CODER, TESTER, RESULT, TALK, BROKEN, "", "[1, 2]"][..]), 0..8),
        cut in 0_usize..60,
        first in 1_u64..400,
    ) {
        let mut text = lines.join("\n");
        text.truncate(text.len().saturating_sub(cut));
        let reach = TranscriptReach { first, most: 1 << 20 };
        prop_assert_eq!(last_called_agent(&mut Cursor::new(&text), reach), at_once(&text));
    }

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..300), first in 1_u64..50) {
        let _answer = last_called_agent(&mut Cursor::new(bytes), TranscriptReach { first, most: 100 });
    }
}
