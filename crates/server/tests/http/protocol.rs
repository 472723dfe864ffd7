//! The protocol, as scripts of raw requests and answers in `golden/*.txt`.
//!
//! A case is `=== title`, the request, `---`, the answer. `{signed}` stands for the headers of a whole
//! signature, `{length}` for the length of the body. In answers the request's id and the date are
//! masked, after a look at their form. `MONOTABLE_BLESS=1` writes the answers anew.

use crate::client::{Client, Reply, SIGNED_BY_ANYONE, create_table, get_item, put, request};
use crate::running::Running;
use monotable_server::ServerOptions;
use std::path::{Path, PathBuf};

struct Case {
    title: String,
    request: String,
    answer: String,
}

fn parse(text: &str) -> Vec<Case> {
    let cases = text.split("=== ").skip(1);
    cases
        .map(|case| {
            let (title, rest) = case.split_once('\n').unwrap();
            let (request, answer) = rest.split_once("---\n").unwrap_or((rest, ""));
            Case {
                title: title.to_owned(),
                request: request.trim_end_matches('\n').to_owned(),
                answer: answer.trim_end_matches('\n').to_owned(),
            }
        })
        .collect()
}

fn raw(request: &str) -> String {
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    let head = head
        .replace("{signed}", SIGNED_BY_ANYONE.trim_end())
        .replace("{length}", &body.len().to_string());
    let lines: Vec<&str> = head.lines().map(str::trim_end).collect();
    format!("{}\r\n\r\n{body}", lines.join("\r\n"))
}

fn masked(reply: &Reply) -> String {
    let mut text = String::new();
    for line in reply.head.trim_end().split("\r\n") {
        let line = match line.split_once(": ") {
            Some(("x-amzn-requestid", id)) => {
                assert_eq!(id.len(), 52);
                assert!(
                    id.bytes()
                        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
                );
                "x-amzn-requestid: <id>".to_owned()
            }
            Some(("x-amz-crc32", sum)) if !reply.body.is_empty() => {
                assert_eq!(sum, crc32fast::hash(&reply.body).to_string());
                line.to_owned()
            }
            Some(("date", date)) => {
                assert!(date.ends_with(" GMT"));
                "date: <date>".to_owned()
            }
            _ => line.to_owned(),
        };
        text += &line;
        text.push('\n');
    }
    text.push('\n');
    text += &String::from_utf8_lossy(&reply.body);
    text.trim_end_matches('\n').to_owned()
}

fn answer(server: &Running, case: &Case) -> String {
    let mut client = Client::connect(server.address);
    client.send(raw(&case.request));
    let method = case.request.split(' ').next().unwrap();
    let reply = client.reply_to(method).expect("an answer");
    masked(&reply)
}

fn write(path: &Path, cases: &[Case], answers: &[String]) {
    let text: Vec<String> = cases
        .iter()
        .zip(answers)
        .map(|(case, answer)| format!("=== {}\n{}\n---\n{answer}\n", case.title, case.request))
        .collect();
    std::fs::write(path, text.join("\n")).unwrap();
}

fn check(name: &str, options: ServerOptions) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/http/golden")
        .join(name);
    let cases = parse(&std::fs::read_to_string(&path).unwrap());
    assert!(!cases.is_empty());
    let server = Running::with(options);
    let answers: Vec<String> = cases.iter().map(|case| answer(&server, case)).collect();
    if std::env::var_os("MONOTABLE_BLESS").is_some() {
        write(&path, &cases, &answers);
        return;
    }
    for (case, answer) in cases.iter().zip(&answers) {
        assert_eq!(answer, &case.answer, "{name}: {}", case.title);
    }
}

#[test]
fn requests_and_answers() {
    check("requests.txt", ServerOptions::new());
}

#[test]
fn pages_and_methods() {
    check("pages.txt", ServerOptions::new());
}

#[test]
fn an_allowed_origin() {
    check(
        "cors.txt",
        ServerOptions::new().allow_origin("https://app.example"),
    );
}

#[test]
fn a_connection_serves_many_requests_in_order() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    create_table(&mut client);
    // All are sent before the first answer is read.
    let mut all = Vec::new();
    for key in 0..50 {
        all.extend(put(&key.to_string()));
        all.extend(get_item(&key.to_string()));
    }
    client.send(all);
    for key in 0..50 {
        assert_eq!(client.reply().unwrap().text(), "{}");
        let got = client.reply().unwrap();
        assert_eq!(got.json()["Item"]["pk"]["S"], key.to_string());
    }
}

#[test]
fn a_body_in_pieces_is_one_body() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    create_table(&mut client);
    let whole = put("pieces");
    for piece in whole.chunks(7) {
        client.send(piece);
    }
    assert_eq!(client.reply().unwrap().status, 200);
    client.send(format!(
        "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-amz-json-1.0\r\n\
         x-amz-target: DynamoDB_20120810.GetItem\r\n{SIGNED_BY_ANYONE}\
         transfer-encoding: chunked\r\n\r\n"
    ));
    let body = r#"{"TableName":"Songs","Key":{"pk":{"S":"pieces"}}}"#;
    for piece in body.as_bytes().chunks(9) {
        client.send(format!("{:x}\r\n", piece.len()));
        client.send(piece);
        client.send("\r\n");
    }
    client.send("0\r\n\r\n");
    let reply = client.reply().unwrap();
    assert_eq!(reply.text(), r#"{"Item":{"pk":{"S":"pieces"}}}"#);
}

#[test]
fn a_client_that_has_closed_its_side_gets_its_answer() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    client.send(crate::client::request("ListTables", "{}"));
    client.close_writing();
    assert_eq!(client.reply().unwrap().text(), r#"{"TableNames":[]}"#);
    assert!(client.is_closed());
}

#[test]
fn connections_work_side_by_side() {
    let server = Running::with(ServerOptions::new());
    create_table(&mut Client::connect(server.address));
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let address = server.address;
            scope.spawn(move || {
                let mut client = Client::connect(address);
                for round in 0..50 {
                    let key = format!("{worker}-{round}");
                    assert_eq!(client.ask(put(&key)).status, 200);
                    let got = client.ask(get_item(&key));
                    assert_eq!(got.json()["Item"]["pk"]["S"], key);
                }
            });
        }
    });
}

#[test]
fn an_answer_does_not_wait_for_the_rest_of_the_next_request() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    let one = crate::client::request("ListTables", "{}");
    client.send([&one[..], &one[..30]].concat());
    assert_eq!(client.reply().unwrap().status, 200);
    client.send(&one[30..]);
    assert_eq!(client.reply().unwrap().status, 200);
}

#[test]
fn an_operation_that_is_not_there_is_answered_in_words() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    for (operation, words) in [
        (
            "DropEverything",
            "does not have the operation DropEverything",
        ),
        ("EnableKinesisStreamingDestination", "GetRecords"),
    ] {
        let reply = client.ask(request(operation, "{}"));
        assert_eq!(reply.exception(), "UnknownOperationException");
        let message = reply.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn describe_endpoints_names_the_address_that_was_asked() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    for host in ["localhost:8000", "127.0.0.1:1234"] {
        let whole = String::from_utf8(request("DescribeEndpoints", "{}")).unwrap();
        let reply = client.ask(whole.replace("host: localhost", &format!("host: {host}")));
        assert_eq!(reply.json()["Endpoints"][0]["Address"], host);
    }
}
