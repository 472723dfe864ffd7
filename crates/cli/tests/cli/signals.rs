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
