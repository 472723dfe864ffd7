//! The generator against servers that do as they are told.

use crate::bare;
use crate::exchange::{Exchange, Scrutiny};
use crate::failure::Failure;
use crate::generator::{Outcome, Pace, drive};
use crate::item::{Item, Kind};
use crate::phase::{Dataset, Phase};
use crate::signer::Signer;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};

const DATASET: Dataset = Dataset { items: 100 };

/// Gets that expect an item, or the one item that the bare server has.
fn send(address: SocketAddr, count: u64, kept: bool) -> Result<Outcome, Failure> {
    let exchanges = Exchange::prepare(&Signer::new(address), count, |number| {
        let mut draft = Phase::Get.draft(DATASET, number);
        if !kept {
            draft.expected.contents = vec![Item::new(Kind::Loaded, 0).tail];
        }
        draft
    });
    let pace = Pace {
        connections: 16,
        scrutiny: Scrutiny::Glance,
        longest: None,
        repeats: false,
    };
    drive(address, &exchanges?, pace)
}

pub(super) fn serve_bare(runtime: &tokio::runtime::Runtime) -> SocketAddr {
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async { bare::accept(listener).await.unwrap() });
    address
}

/// Answers whatever comes with these bytes, in two parts, and then hangs up if told to.
fn answer_all_with(answer: &'static str, hang_up: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            std::thread::spawn(move || {
                let (first, second) = answer.split_at(answer.len() / 2);
                let mut inbox = [0; 16 << 10];
                // A get is far smaller than this, and comes in one piece over loopback.
                while stream.read(&mut inbox).is_ok_and(|count| count > 0) {
                    let sent = stream.write_all(first.as_bytes());
                    std::thread::yield_now();
                    if sent
                        .and_then(|()| stream.write_all(second.as_bytes()))
                        .is_err()
                        || hang_up
                    {
                        break;
                    }
                }
            });
        }
    });
    address
}

#[test]
fn every_request_is_answered_once() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let address = serve_bare(&runtime);
    for count in [0, 1, 15, 16, 17, 500] {
        assert_eq!(send(address, count, false).unwrap().answers(), count);
    }
}

#[test]
fn the_wrong_item_is_noticed() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let failure = send(serve_bare(&runtime), 500, true)
        .unwrap_err()
        .to_string();
    assert!(failure.contains("is missing"), "{failure}");
}

#[test]
fn wrong_answers_end_the_run() {
    let cases = [
        (
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 4\r\n\r\nwhat",
            "its status is not 200",
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "too few"),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "Content-Length",
        ),
    ];
    for (answer, why) in cases {
        let failure = send(answer_all_with(answer, false), 100, true)
            .unwrap_err()
            .to_string();
        assert!(failure.contains(why), "{failure}");
    }
}

#[test]
fn a_server_that_hangs_up_is_noticed() {
    let address = answer_all_with("HTTP/1.1 200 OK\r\n", true);
    let failure = send(address, 100, true).unwrap_err().to_string();
    assert!(
        failure.contains("closed") || failure.contains("reset"),
        "{failure}"
    );
}
