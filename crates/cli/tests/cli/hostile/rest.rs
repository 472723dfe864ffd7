//! Hostile clients of the REST API.
//!
//! `tests/planted/server.toml` has bugs that these tests are there for, such as rows in lines whose memory is not counted.

use super::attack::{self, Attacker};
use super::{KEYS, Siege};
use std::time::Duration;

const MODEL: &str = r#"
monotable = 1
model     = "notes"

[table.Notes]
key = ["PK", "SK"]

[entity.Note]
key = ["BOOK#{book}", "NOTE#{note}"]
[entity.Note.attributes]
book = "text, matches = /[a-z]{1,20}/"
note = "text, matches = /[0-9]{1,9}/"
text = "text?"

[access.notes_of_book]
key     = ["BOOK#{book}", "NOTE#*"]
returns = ["Note"]
"#;

/// A secret of 32 bytes, for tokens that nobody here can sign.
const AUTH: &str = r#"
[[issuer]]
issuer      = "https://issuer.example.com/"
audience    = ["notes"]
algorithms  = ["HS256"]
secret_file = "secret"
"#;

/// Notes of 390 KB: ten pages of them.
const NOTES: usize = 30;

pub(super) fn lay(arguments: &[&str]) -> Siege {
    Siege::lay_with(
        &[
            ("keys", KEYS),
            ("notes.toml", MODEL),
            ("auth.toml", AUTH),
            ("secret", "0123456789abcdef0123456789abcdef"),
        ],
        &[&["notes.toml"], arguments].concat(),
    )
}

fn request(method: &str, path: &str, headers: &str, body: &str) -> String {
    format!(
        "{method} /v1/notes/{path} HTTP/1.1\r\nhost: localhost\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

pub(super) fn write_notes(attacker: &Attacker) {
    let text = "x".repeat(390_000);
    for number in 0..NOTES {
        let body = format!(r#"{{"book": "log", "note": "{number}", "text": "{text}"}}"#);
        let mut connection = attacker.connect();
        let json = "content-type: application/json\r\n";
        connection.send(request("POST", "entities/Note", json, &body).as_bytes());
        let answer = connection.read_some();
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    }
}

#[test]
fn readers_that_take_nothing_of_their_rows() {
    lay(&[]).endure(|attacker| {
        write_notes(attacker);
        attacker.in_parallel(110, |attacker, number| {
            let form = if number % 2 == 0 {
                "accept: application/jsonl\r\n"
            } else {
                ""
            };
            let mut connection = attacker.connect();
            let query = request("GET", "patterns/notes_of_book?book=log", form, "");
            connection.send(query.as_bytes());
            connection.wait_for_close();
        });
    });
}

fn send_slowly(attacker: &Attacker) {
    let mut connection = attacker.connect();
    let head = "POST /v1/notes/entities/Note HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    connection.send(format!("{head}content-length: {}\r\n\r\n", 16 << 20).as_bytes());
    connection.send(&vec![b' '; 200_000]);
    while attacker.goes_on() && connection.send(b" ") {
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn slow_bodies_of_rows() {
    lay(&[]).endure(|attacker| attacker.in_parallel(60, |attacker, _| send_slowly(attacker)));
}

#[test]
fn slow_bodies_without_a_token() {
    let siege = lay(&["--credentials", "keys", "--auth", "auth.toml"]);
    siege.endure(|attacker| attacker.in_parallel(60, |attacker, _| send_slowly(attacker)));
}

#[test]
fn compressed_bombs_as_rows() {
    let bomb = attack::bomb();
    lay(&[]).endure(|attacker| {
        attacker.in_parallel(40, |attacker, _| {
            let mut connection = attacker.connect();
            let head = "POST /v1/notes/entities/Note HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n";
            connection.send(format!("{head}content-length: {}\r\n\r\n", bomb.len()).as_bytes());
            connection.send(&bomb);
            let answer = connection.read_some();
            // Too long, or no memory for it at the moment.
            let is_refused = ["", "HTTP/1.1 413", "HTTP/1.1 503", "HTTP/1.1 400"]
                .iter()
                .any(|begin| answer.starts_with(begin) && (!begin.is_empty() || answer.is_empty()));
            assert!(is_refused, "{answer}");
        });
    });
}

#[test]
fn floods_of_wrong_tokens() {
    lay(&["--credentials", "keys", "--auth", "auth.toml"]).endure(|attacker| {
        attacker.in_parallel(40, |attacker, number| {
            let mut connection = attacker.connect();
            let token = if number % 2 == 0 {
                "e30.".repeat(3_000)
            } else {
                // {"alg":"HS256"} and {"iss":"https://issuer.example.com/","aud":"notes","exp":4102444800}
                format!(
                    "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlLmNvbS8iLCJhdWQiOiJub3RlcyIsImV4cCI6NDEwMjQ0NDgwMH0.{number:043}"
                )
            };
            let bearer = format!("authorization: Bearer {token}\r\n");
            while attacker.goes_on()
                && connection.send(request("GET", "entities/Note/log/1", &bearer, "").as_bytes())
            {
                let answer = connection.read_some();
                let is_refused = answer.is_empty()
                    || answer.starts_with("HTTP/1.1 401")
                    || answer.starts_with("HTTP/1.1 431");
                assert!(is_refused, "{answer}");
                if answer.is_empty() {
                    break;
                }
            }
        });
    });
}

#[test]
fn bodies_that_stand_for_much_more_than_they_are_long() {
    // Names that no entity has, each of which is a mistake of its own, and a list of as many values as there is room for.
    let names = (0..90_000).map(|number| format!(r#""{number}":0"#));
    let names = format!("{{{}}}", names.collect::<Vec<_>>().join(","));
    let list = format!(r#"{{"text":[{}0]}}"#, "0,".repeat(8_000_000));
    let bodies = [names, list].map(|body| {
        let headers = "content-type: application/json\r\n";
        request("POST", "entities/Note", headers, &body)
    });
    lay(&[]).endure(|attacker| {
        attacker.in_parallel(8, |attacker, number| {
            let mut connection = attacker.connect();
            connection.send(bodies[number % bodies.len()].as_bytes());
            let answer = connection.read_some();
            let is_refused = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
            assert!(is_refused, "{answer}");
        });
    });
}
