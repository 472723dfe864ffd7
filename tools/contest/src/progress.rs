//! What is going on, for those who wait.

/// Says it beside the report, which goes to standard output.
#[expect(clippy::print_stderr, reason = "printing is what this command is for")]
pub(crate) fn say(line: &str) {
    eprintln!("{line}");
}
