//! Packed requests and answers.

use crate::client::{Client, create_table, request, request_with};
use crate::running::Running;
use flate2::Compression;
use flate2::read::{DeflateEncoder, GzDecoder, GzEncoder, ZlibDecoder, ZlibEncoder};
use monotable_server::{Limits, ServerOptions};
use std::io::Read;

fn read_all(mut reader: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    bytes
}

fn gzip(body: &[u8]) -> Vec<u8> {
    read_all(GzEncoder::new(body, Compression::best()))
}

#[test]
fn packed_requests_are_unpacked() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    let body = b"{\"Limit\":1}".as_slice();
    let packed = [
        ("gzip", gzip(body)),
        ("GZIP", gzip(body)),
        (
            "deflate",
            read_all(ZlibEncoder::new(body, Compression::fast())),
        ),
        (
            "deflate",
            read_all(DeflateEncoder::new(body, Compression::fast())),
        ),
        ("identity", body.to_vec()),
    ];
    for (coding, packed) in packed {
        let header = format!("content-encoding: {coding}\r\n");
        let reply = client.ask(request_with("ListTables", &header, &packed));
        assert_eq!(reply.text(), r#"{"TableNames":[]}"#, "{coding}");
    }
}

#[test]
fn what_cannot_be_unpacked_is_refused() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    let mut ask = |coding: &str, body: &[u8]| {
        let header = format!("content-encoding: {coding}\r\n");
        let reply = client.ask(request_with("ListTables", &header, body));
        (reply.status, reply.exception())
    };
    let serialization = "SerializationException".to_owned();
    assert_eq!(ask("br", b"{}"), (415, serialization.clone()));
    assert_eq!(ask("gzip, gzip", b"{}"), (415, serialization.clone()));
    assert_eq!(ask("gzip", b"{}"), (400, serialization.clone()));
    assert_eq!(ask("deflate", b"{}"), (400, serialization.clone()));
    let whole = gzip(b"{}");
    assert_eq!(ask("gzip", &whole[..whole.len() - 4]), (400, serialization));
}

#[test]
fn a_bomb_is_refused_before_it_is_large() {
    let limits = Limits {
        body_bytes: 100_000,
        ..Limits::default()
    };
    let server = Running::limited(limits);
    let mut client = Client::connect(server.address);
    // A thousandth of what it becomes.
    let bomb = gzip(&vec![b' '; 50_000_000]);
    assert!(bomb.len() < 100_000);
    let reply = client.ask(request_with(
        "ListTables",
        "content-encoding: gzip\r\n",
        &bomb,
    ));
    assert_eq!(reply.status, 413);
    let largest = [b"{}".as_slice(), &vec![b' '; 99_998]].concat();
    let header = "content-encoding: gzip\r\n";
    let fits = client.ask(request_with("ListTables", header, &gzip(&largest)));
    assert_eq!(fits.status, 200, "{}", fits.text());
}

#[test]
fn answers_are_packed_when_asked_and_worth_it() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    create_table(&mut client);
    let long = "x".repeat(500_000 / 2);
    for value in ["short", &long[..4000], &long[..4100], &long] {
        let item =
            format!(r#"{{"TableName":"Songs","Item":{{"pk":{{"S":"a"}},"v":{{"S":"{value}"}}}}}}"#);
        assert_eq!(client.ask(request("PutItem", &item)).status, 200);
        let get = br#"{"TableName":"Songs","Key":{"pk":{"S":"a"}}}"#;
        let plain = client.ask(request_with(
            "GetItem",
            "accept-encoding: identity\r\n",
            get,
        ));
        assert_eq!(plain.header("content-encoding"), None);
        for (wish, coding) in [
            ("gzip", "gzip"),
            ("deflate, gzip", "gzip"),
            ("br, x-gzip", "gzip"),
            ("deflate", "deflate"),
            ("deflate, GZIP;q=0.5", "deflate"),
            ("gzip;q=0, Deflate;q=0.1", "deflate"),
        ] {
            let header = format!("accept-encoding: {wish}\r\n");
            let reply = client.ask(request_with("GetItem", &header, get));
            // The checksum is of what is sent.
            let sum = crc32fast::hash(&reply.body).to_string();
            assert_eq!(reply.header("x-amz-crc32"), Some(sum.as_str()));
            if plain.body.len() < 4096 {
                assert_eq!(reply.header("content-encoding"), None, "{wish}");
                assert_eq!(reply.body, plain.body);
                continue;
            }
            assert_eq!(reply.header("content-encoding"), Some(coding), "{wish}");
            assert!(reply.body.len() < plain.body.len());
            let unpacked = match coding {
                "gzip" => read_all(GzDecoder::new(&*reply.body)),
                _ => read_all(ZlibDecoder::new(&*reply.body)),
            };
            assert_eq!(unpacked, plain.body);
        }
        for never in ["gzip;q=0", "br", "gzip;q=0, deflate;q=0"] {
            let header = format!("accept-encoding: {never}\r\n");
            let reply = client.ask(request_with("GetItem", &header, get));
            assert_eq!(reply.body, plain.body, "{never}");
        }
    }
}
