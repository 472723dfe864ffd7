//! Hostile clients of the workbench.

use super::attack::Attacker;
use super::rest::{lay, write_notes};
use std::time::Duration;

/// Screens that show rows of 390 KB, or count them.
const SCREENS: [&str; 6] = [
    "",
    "notes/patterns/notes_of_book?p.book=log&run=1",
    "notes/patterns/notes_of_book?p.book=log&run=1&view=json",
    "notes/items/Notes/table?partition=BOOK%23log",
    "notes/entities/Note?from=scan",
    "activity",
];

fn ask(path: &str) -> String {
    format!("GET /ui/{path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

#[test]
fn readers_that_take_nothing_of_their_pages() {
    lay(&[]).endure(|attacker| {
        write_notes(attacker);
        attacker.in_parallel(60, |attacker, number| {
            let mut connection = attacker.connect();
            connection.send(ask(SCREENS[number % SCREENS.len()]).as_bytes());
            connection.wait_for_close();
        });
    });
}

#[test]
fn slow_forms() {
    lay(&[]).endure(|attacker| {
        attacker.in_parallel(60, |attacker, _| {
            let mut connection = attacker.connect();
            let head =
                "POST /ui/notes/write HTTP/1.1\r\nhost: localhost\r\nmonotable-workbench: 1\r\n";
            connection.send(format!("{head}content-length: {}\r\n\r\n", 16 << 20).as_bytes());
            connection.send(&vec![b'&'; 200_000]);
            while attacker.goes_on() && connection.send(b"&") {
                std::thread::sleep(Duration::from_millis(50));
            }
        });
    });
}

/// Everything that the page keeps of callers is bounded: calls with long names, keys and addresses leave little behind.
#[test]
fn floods_of_long_calls() {
    lay(&[]).endure(|attacker| {
        attacker.in_parallel(20, flood);
    });
}

fn flood(attacker: &Attacker, number: usize) {
    let mut connection = attacker.connect();
    let long = "x".repeat(6000);
    let mut round = 0;
    while attacker.goes_on() {
        round += 1;
        let request = match number % 3 {
            0 => ask(&format!("notes/find?q={long}{round}")),
            1 => format!(
                "GET /v1/notes/entities/Note/{round}/{long} HTTP/1.1\r\nhost: localhost\r\nuser-agent: {long}\r\n\r\n"
            ),
            _ => ask(&format!("notes/items/Notes/table?partition={round}{long}")),
        };
        if !connection.send(request.as_bytes()) || connection.read_some().is_empty() {
            return;
        }
    }
}
