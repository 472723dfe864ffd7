//! Hostile clients against the real server, each kind beside a second client that keeps working, and with the memory of the
//! process bounded: the configured memory for requests and answers, and 100 MB for everything else.
//!
//! Each of these has been seen to fail with the bug that it is there for (tests/planted/server.toml):
//! - clients that do not read their answers: answers that are not counted;
//! - searchers that do not read what was found: a search for which no memory is set aside;
//! - bodies that stand for much more than they are long: elements that are not counted;
//! - slow unsigned bodies: memory that is given before the signature is looked at;
//! - floods of idle connections: idle ones that are not closed first;
//! - compressed bombs: a limit that does not hold for the unpacked body.
//!
//! Not yet tried with a planted bug: clients that send many requests and do not read their answers.
#![cfg(all(feature = "aws", target_os = "linux"))]

mod attack;
mod bystander;
mod rest;
mod ui;

use crate::sandbox::{Sandbox, Served};
use attack::Attacker;
use bystander::Bystander;
use std::time::Duration;

/// The memory for requests and answers that the servers here get, in megabytes.
const MEMORY: u64 = 64;
/// What everything else in the process may take.
const REST: u64 = 100;

/// How long an attack goes on.
const SIEGE: Duration = Duration::from_secs(6);

const KEYS: &str =
    "[alice]\naws_access_key_id = AKIDALICE\naws_secret_access_key = hunter2hunter2\n";

struct Siege {
    served: Served,
    _sandbox: Sandbox,
}

impl Siege {
    fn lay(arguments: &[&str]) -> Self {
        Self::lay_with(&[("keys", KEYS)], arguments)
    }

    /// A server beside which these files stand.
    fn lay_with(files: &[(&str, &str)], arguments: &[&str]) -> Self {
        let sandbox = Sandbox::new();
        for (name, text) in files {
            sandbox.write(name, text);
        }
        let memory = MEMORY.to_string();
        let mut all = vec!["--in-memory", "--log", "error", "--memory", &memory];
        all.extend_from_slice(arguments);
        Self {
            served: Served::start(&sandbox, &all),
            _sandbox: sandbox,
        }
    }

    /// Lets the attack go on beside a second client, and looks at both afterwards.
    #[expect(
        clippy::print_stderr,
        reason = "`--nocapture` shows how much memory an attack takes"
    )]
    fn endure(self, attack: impl Fn(&Attacker) + Send + Sync) {
        let bystander = Bystander::connect(&self.served.url);
        bystander.prepare();
        let attacker = Attacker::new(&self.served.url, SIEGE);
        let worked = std::thread::scope(|scope| {
            let working = scope.spawn(|| bystander.work(&attacker));
            attack(&attacker);
            attacker.stop();
            working.join().unwrap()
        });
        let peak = self.peak_megabytes();
        eprintln!(
            "{peak} MB at the peak; {} rounds of the second client, the longest took {:?}",
            worked.rounds, worked.longest
        );
        assert!(
            peak <= MEMORY + REST,
            "{peak} MB at the peak, {} MB are allowed",
            MEMORY + REST
        );
        assert!(
            worked.rounds >= attack::ROUNDS,
            "the second client did {worked:?}"
        );
        assert_eq!(worked.failures, [] as [String; 0], "{worked:?}");
        self.served.stop();
    }

    /// The most memory that the process has had, resident.
    fn peak_megabytes(&self) -> u64 {
        let path = format!("/proc/{}/status", self.served.child.id());
        let text = std::fs::read_to_string(path).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.unwrap().trim().trim_end_matches(" kB");
        kilobytes.parse::<u64>().unwrap() / 1024
    }
}

#[test]
fn clients_that_do_not_read_their_answers() {
    Siege::lay(&[]).endure(|attacker| {
        attacker.write_large_items();
        attacker.in_parallel(110, |attacker, _| {
            let mut connection = attacker.connect();
            connection.send(&attack::large_batch());
            connection.wait_for_close();
        });
    });
}

#[test]
fn clients_that_send_many_requests_and_do_not_read_their_answers() {
    Siege::lay(&[]).endure(|attacker| {
        attacker.write_large_items();
        // Each answer takes as little as a small request may, and the next request is there already when it is dropped.
        let requests = attack::large_get().repeat(20);
        attacker.in_parallel(200, |attacker, _| {
            let mut connection = attacker.connect();
            connection.send(&requests);
            connection.wait_for_close();
        });
    });
}

#[test]
fn searchers_that_do_not_read_what_was_found() {
    Siege::lay(&[]).endure(|attacker| {
        attacker.write_large_vectors();
        attacker.in_parallel(60, |attacker, _| {
            let mut connection = attacker.connect();
            connection.send(&attack::large_search());
            connection.wait_for_close();
        });
    });
}

#[test]
fn bodies_that_stand_for_much_more_than_they_are_long() {
    let bodies = attack::bloated_bodies();
    Siege::lay(&[]).endure(|attacker| {
        attacker.in_parallel(4, |attacker, number| {
            let mut connection = attacker.connect();
            connection.send(&bodies[number % bodies.len()]);
            let answer = connection.read_some();
            // Too many elements, or no memory for the body at the moment.
            let is_refused = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
            assert!(is_refused, "{answer}");
        });
    });
}

#[test]
fn slow_unsigned_bodies() {
    Siege::lay(&["--credentials", "keys"]).endure(|attacker| {
        attacker.in_parallel(60, |attacker, number| {
            let mut connection = attacker.connect();
            let signature = if number % 2 == 0 {
                ""
            } else {
                attack::ANY_SIGNATURE
            };
            connection.send(attack::head("PutItem", signature, 16 << 20).as_bytes());
            connection.send(&vec![b' '; 200_000]);
            while attacker.goes_on() && connection.send(b" ") {
                std::thread::sleep(Duration::from_millis(50));
            }
        });
    });
}

#[test]
fn slow_bodies_where_no_signature_is_needed() {
    Siege::lay(&[]).endure(|attacker| {
        attacker.in_parallel(60, |attacker, _| {
            let mut connection = attacker.connect();
            connection.send(attack::head("PutItem", attack::ANY_SIGNATURE, 16 << 20).as_bytes());
            connection.send(&vec![b' '; 200_000]);
            while attacker.goes_on() && connection.send(b" ") {
                std::thread::sleep(Duration::from_millis(50));
            }
        });
    });
}

#[test]
fn floods_of_idle_connections() {
    Siege::lay(&["--max-connections", "100"]).endure(|attacker| {
        attacker.in_parallel(4, |attacker, _| {
            let mut idle = Vec::new();
            while attacker.goes_on() && idle.len() < 300 {
                let mut connection = attacker.connect();
                if connection.send(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n") {
                    connection.read_some();
                    idle.push(connection);
                }
            }
            attacker.wait_for_end();
        });
    });
}

#[test]
fn floods_of_new_connections() {
    Siege::lay(&["--max-connections", "500"]).endure(|attacker| {
        attacker.in_parallel(4, |attacker, _| {
            let mut silent = std::collections::VecDeque::new();
            while attacker.goes_on() {
                silent.push_back(attacker.connect());
                if silent.len() > 300 {
                    silent.pop_front();
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        });
    });
}

#[test]
fn compressed_bombs() {
    let bomb = attack::bomb();
    Siege::lay(&[]).endure(|attacker| {
        attacker.in_parallel(40, |attacker, _| {
            let mut connection = attacker.connect();
            let headers = format!("{}content-encoding: gzip\r\n", attack::ANY_SIGNATURE);
            connection.send(attack::head("PutItem", &headers, bomb.len()).as_bytes());
            connection.send(&bomb);
            let answer = connection.read_some();
            // Too long, or no memory for it at the moment.
            let is_refused = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
            assert!(is_refused, "{answer}");
        });
    });
}

#[test]
fn endless_headers() {
    Siege::lay(&[]).endure(|attacker| {
        attacker.in_parallel(40, |attacker, number| {
            let mut connection = attacker.connect();
            connection.send(b"POST / HTTP/1.1\r\nhost: localhost\r\n");
            // Many of them, or one without an end.
            let piece = if number % 2 == 0 {
                "x-header: value\r\n".repeat(1000)
            } else {
                "x".repeat(16_000)
            };
            while attacker.goes_on() && connection.send(piece.as_bytes()) {}
        });
    });
}
