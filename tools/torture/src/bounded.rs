//! Waiting for processes, but not for ever.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Runs a command and returns what it wrote to standard output; kills it after `limit`.
///
/// # Errors
///
/// When the command cannot be started, fails, or takes longer.
pub fn output(command: &mut Command, limit: Duration) -> io::Result<Vec<u8>> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let stdout = child.stdout.take();
    // Read beside waiting: a child that fills the pipe would never end.
    let reader = thread::spawn(move || read_all(stdout));
    let status = wait(&mut child, limit)?;
    let written = reader
        .join()
        .map_err(|_| io::Error::other("the reader panicked"))??;
    if !status.success() {
        return Err(io::Error::other(format!("{command:?} ended with {status}")));
    }
    Ok(written)
}

/// Waits for a child; kills it after `limit`.
///
/// # Errors
///
/// When the child cannot be waited for, or takes longer.
pub fn wait(child: &mut Child, limit: Duration) -> io::Result<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            let message = format!("killed after {limit:?}");
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn read_all(stream: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        stream.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_a_command_comes_back() {
        let written = output(Command::new("echo").arg("hello"), Duration::from_secs(60));
        assert_eq!(written.unwrap(), b"hello\n");
    }

    #[test]
    fn a_failing_command_is_an_error() {
        let failed = output(&mut Command::new("false"), Duration::from_secs(60));
        assert!(failed.unwrap_err().to_string().contains("exit status: 1"));
    }

    #[test]
    fn a_command_that_hangs_is_killed() {
        let hung = output(Command::new("sleep").arg("600"), Duration::from_millis(50));
        assert_eq!(hung.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
