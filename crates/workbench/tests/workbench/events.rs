//! Live events: what is told, when, and to how many.

use crate::bench::Bench;
use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt};
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue, Method};
use monotable_rest::{Body, Request};
use monotable_workbench::{CallKind, CallRecord, Mode};
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

async fn listen(bench: &Bench) -> Option<BoxStream<'static, Bytes>> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    let request = Request {
        method: Method::GET,
        path: "/ui/events".to_owned(),
        query: String::new(),
        headers,
        body: Bytes::new(),
        client: IpAddr::V4(Ipv4Addr::LOCALHOST),
    };
    match bench.workbench.answer(&bench.rest, &request).await.body {
        Body::Events(events) => Some(events),
        _ => None,
    }
}

async fn hear(events: &mut BoxStream<'static, Bytes>) -> serde_json::Value {
    let piece = events.next().await.unwrap();
    let text = String::from_utf8(piece.to_vec()).unwrap();
    let data = text.strip_prefix("data: ").unwrap();
    serde_json::from_str(data.strip_suffix("\n\n").unwrap()).unwrap()
}

fn call(bench: &Bench, kind: CallKind) {
    let call = CallRecord::new(Some("yggdrasil"), kind);
    bench.workbench.activity().note(call);
}

#[tokio::test]
async fn many_calls_are_told_at_once_and_as_numbers_only() {
    let bench = Bench::of_family(Mode::On).await;
    let mut events = listen(&bench).await.unwrap();
    let before = hear(&mut events).await;
    for _ in 0..1000 {
        call(&bench, CallKind::Write);
    }
    let after = hear(&mut events).await;
    let count = |events: &serde_json::Value, name: &str| events[name].as_u64().unwrap();
    assert_eq!(count(&after, "calls"), count(&before, "calls") + 1000);
    assert_eq!(count(&after, "writes"), count(&before, "writes") + 1000);
}

#[tokio::test]
async fn events_end_with_the_server() {
    let bench = Bench::of_family(Mode::On).await;
    let mut events = listen(&bench).await.unwrap();
    hear(&mut events).await;
    bench.workbench.close();
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn too_many_listeners_ask_by_themselves() {
    let bench = Bench::of_family(Mode::On).await;
    let mut open = Vec::new();
    while let Some(events) = listen(&bench).await {
        open.push(events);
        assert!(open.len() <= 64, "{}", open.len());
    }
    assert_eq!(open.len(), 64);
    let (status, _, text) = bench
        .request(Method::GET, "/ui/events", HeaderMap::new(), "")
        .await;
    assert_eq!(status, 200);
    assert!(text.contains("\"calls\""), "{text}");
    open.pop();
    assert!(
        listen(&bench).await.is_some(),
        "a place that is left is free"
    );
}

#[tokio::test]
async fn a_page_is_told_at_most_ten_times_a_second() {
    let bench = Bench::of_family(Mode::On).await;
    let mut events = listen(&bench).await.unwrap();
    hear(&mut events).await;
    let begin = Instant::now();
    let mut told = 0;
    while begin.elapsed() < Duration::from_secs(1) {
        call(&bench, CallKind::Read);
        let heard = tokio::time::timeout(Duration::from_millis(1), events.next()).await;
        told += u32::from(heard.is_ok());
    }
    let most = 10.0 * begin.elapsed().as_secs_f64();
    assert!(
        told > 0 && f64::from(told) <= most,
        "{told} times, at most {most}"
    );
}
