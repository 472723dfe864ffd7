//! `/metrics`.

use crate::client::{Client, create_table, get, get_item, put, request};
use crate::running::Running;
use monotable_server::{Gauge, GaugeKind, ServerOptions};

fn scrape(client: &mut Client) -> String {
    let reply = client.ask(get("/metrics"));
    assert_eq!(reply.status, 200);
    assert!(
        reply
            .header("content-type")
            .unwrap()
            .starts_with("text/plain; version=0.0.4")
    );
    reply.text().to_owned()
}

#[test]
fn requests_are_counted_by_operation_and_outcome() {
    let server = Running::with(ServerOptions::new());
    let mut client = Client::connect(server.address);
    create_table(&mut client);
    for key in ["a", "b", "c"] {
        assert_eq!(client.ask(put(key)).status, 200);
    }
    assert_eq!(client.ask(get_item("a")).status, 200);
    assert_eq!(client.ask(request("GetItem", "{}")).status, 400);
    assert_eq!(client.ask(request("Nonsense", "{}")).status, 400);
    let text = scrape(&mut client);
    for line in [
        r#"monotable_requests_total{operation="PutItem",code="OK"} 3"#,
        r#"monotable_requests_total{operation="GetItem",code="OK"} 1"#,
        r#"monotable_requests_total{operation="GetItem",code="ValidationException"} 1"#,
        r#"monotable_request_duration_seconds_bucket{operation="PutItem",le="+Inf"} 3"#,
        r#"monotable_request_duration_seconds_count{operation="GetItem"} 2"#,
        r#"monotable_refused_total{reason="UnknownOperationException"} 1"#,
        "monotable_connections_open 1",
        "monotable_connections_total 1",
        "monotable_requests_in_flight 1",
    ] {
        assert!(
            text.lines().any(|found| found == line),
            "{line} is missing in\n{text}"
        );
    }
    assert!(!text.contains("DeleteItem"), "{text}");
}

#[test]
fn the_text_is_of_prometheus_form() {
    let gauges = || {
        vec![
            Gauge::new("store_bytes", "Size\nof \\ it", GaugeKind::Gauge).value(12.5),
            Gauge::new("rows_total", "Rows", GaugeKind::Counter).labelled(
                "table",
                "a\"b\\c\nd",
                3.0,
            ),
            Gauge::new("group_size", "Sizes", GaugeKind::Histogram)
                .histogram([(1.0, 5), (4.0, 2), (f64::INFINITY, 1)], 33.0),
        ]
    };
    let server = Running::with(ServerOptions::new().gauges(gauges));
    let mut client = Client::connect(server.address);
    assert_eq!(client.ask(request("ListTables", "{}")).status, 200);
    let text = scrape(&mut client);
    let added = "# HELP store_bytes Size\\nof \\\\ it\n# TYPE store_bytes gauge\nstore_bytes 12.5\n\
        # HELP rows_total Rows\n# TYPE rows_total counter\nrows_total{table=\"a\\\"b\\\\c\\nd\"} 3\n\
        # HELP group_size Sizes\n# TYPE group_size histogram\n\
        group_size_bucket{le=\"1\"} 5\ngroup_size_bucket{le=\"4\"} 7\n\
        group_size_bucket{le=\"+Inf\"} 8\ngroup_size_sum 33\ngroup_size_count 8\n";
    assert!(text.ends_with(added), "{text}");
    // Every line is a comment or `name{labels} value`, and no bucket is below the one before.
    let mut before = 0.0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        let value: f64 = value.parse().unwrap();
        assert!(name.starts_with(|c: char| c.is_ascii_lowercase()), "{line}");
        if name.starts_with("monotable_request_duration_seconds_bucket") {
            assert!(value >= before, "{line}");
            before = value;
        }
    }
    assert!(before >= 1.0);
}

#[test]
fn measurements_are_for_owners_of_keys_where_requests_are() {
    let server = crate::signed::server();
    let ask = |headers: &str| {
        let request = format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        Client::connect(server.address).ask(request)
    };
    let basic = |name: &str, password: &str| {
        use base64::Engine as _;
        let text = base64::engine::general_purpose::STANDARD.encode(format!("{name}:{password}"));
        format!("Authorization: Basic {text}\r\n")
    };
    let (alice, bob) = (crate::signed::ALICE, crate::signed::BOB);
    assert_eq!(ask(&basic(alice.0, alice.1)).status, 200);
    for wrong in [
        String::new(),
        basic(alice.0, "wrong"),
        basic(alice.0, ""),
        basic("AKIDNOBODY", alice.1),
        basic("", ""),
        // A temporary key is good only with its token.
        basic(bob.0, bob.1),
        "Authorization: Basic !\r\n".to_owned(),
    ] {
        let reply = ask(&wrong);
        assert_eq!(reply.status, 401, "{wrong}");
        assert_eq!(
            reply.header("www-authenticate"),
            Some("Basic realm=\"monotable\"")
        );
        assert!(
            !reply.text().contains("monotable_requests"),
            "{}",
            reply.text()
        );
    }
    let unsigned = ask("Authorization: AWS4-HMAC-SHA256 Credential=x\r\n");
    assert_eq!(unsigned.status, 400, "{}", unsigned.text());
    // A signature covers the path.
    let mut signed = crate::signed::Signed::by(alice);
    (signed.method, signed.path, signed.body) = ("GET", "/metrics", "");
    signed.headers = vec![("host", "127.0.0.1".to_owned())];
    assert_eq!(signed.sign().send(&server).status, 200);
    // Probes learn nothing, and need no key.
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assert_eq!(Client::connect(server.address).ask(request).status, 200);
}
