//! Ctrl-C in the middle of a command, and twice at a server.

use crate::sandbox::{Sandbox, Served, kill, wait};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn a_put_that_waits_for_stdin_can_be_interrupted() {
    let sandbox = Sandbox::with_music();
    let mut command = sandbox.command();
    command
        .args(["table", "put", "Music", "-"])
        .stdin(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // More than a pipe holds: when all of it is taken, the command is reading and catches signals.
    let line = "{\"Artist\":\"a\",\"Song\":\"b\"}\n";
    stdin.write_all(line.repeat(20_000).as_bytes()).unwrap();
    kill("INT", child.id());
    assert_eq!(wait(&mut child), Some(130));
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(stderr, "error: interrupted\n");
    drop(stdin);
    assert!(sandbox.items("Music").is_empty());
}

#[test]
fn an_interrupted_scan_ends_with_a_whole_line() {
    let sandbox = Sandbox::with_music();
    let line = |n: usize| format!("{{\"Artist\":\"{n}\",\"Song\":\"{}\"}}\n", "x".repeat(1000));
    let items: String = (0..4000).map(line).collect();
    sandbox
        .feed(&["table", "put", "Music", "-"], items.as_bytes())
        .succeeded();
    let mut command = sandbox.command();
    command.args(["table", "scan", "Music", "--output", "jsonl"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut text = vec![0; 1024];
    stdout.read_exact(&mut text).unwrap();
    kill("INT", child.id());
    // The signal is taken while the page waits for its reader.
    std::thread::sleep(Duration::from_millis(300));
    stdout.read_to_end(&mut text).unwrap();
    assert_eq!(wait(&mut child), Some(130));
    assert!(text.ends_with(b"\"}\n"));
    assert!(text.len() < items.len());
}

#[test]
fn a_second_signal_ends_a_server_at_once() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &["--in-memory"]);
    // A request that is never finished holds the server for a while.
    let mut socket = TcpStream::connect(served.url.strip_prefix("http://").unwrap()).unwrap();
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\
                X-Amz-Target: DynamoDB_20120810.ListTables\r\nAuthorization: x\r\n\r\n{";
    socket.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    served.signal("TERM");
    std::thread::sleep(Duration::from_millis(500));
    served.signal("TERM");
    let outcome = served.ended();
    assert_eq!(outcome.code, Some(130), "{outcome:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_ends_a_server_that_hangs() {
    let sandbox = Sandbox::new();
    // Whoever opens a pipe that nobody writes to waits for ever, and with it the thread that everything else waits for.
    let pipe = sandbox.path().join("keys.ini");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let mut command = sandbox.command();
    command.args(["serve", "--in-memory", "--port", "0", "--credentials"]);
    let mut child = command.arg(&pipe).stderr(Stdio::null()).spawn().unwrap();
    let catches = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        catches_terminate(child.id())
    });
    assert!(catches);
    kill("TERM", child.id());
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().unwrap(), None);
    // On a busy machine two signals may arrive as one.
    let ended = (0..20).find_map(|_| {
        kill("TERM", child.id());
        std::thread::sleep(Duration::from_millis(500));
        child.try_wait().unwrap()
    });
    let _ = child.kill();
    let _ = child.wait();
    assert_eq!(ended.and_then(|status| status.code()), Some(130));
}

/// Whether a process has a handler for SIGTERM.
#[cfg(target_os = "linux")]
fn catches_terminate(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & (1 << 14) != 0)
}
