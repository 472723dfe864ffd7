//! The golden scripts over HTTP: this client, the server, the engine, with the answers unchanged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_aws::{Remote, RemoteOptions};
use monotable_engine::{EngineOptions, ManualClock, SeededEntropy};
use monotable_server::ServerOptions;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden");

/// A client of a new server with a new engine, in which time and table ids are those of the scripts.
async fn served() -> Remote {
    let engine = EngineOptions::new()
        .clock(Arc::new(ManualClock::at(Duration::from_millis(
            1_700_000_000_123,
        ))))
        .entropy(Arc::new(SeededEntropy::new(7)))
        .in_memory()
        .unwrap();
    let server = ServerOptions::new()
        .port(0)
        .bind(Arc::new(engine))
        .await
        .unwrap();
    let url = format!("http://{}", server.address());
    tokio::spawn(server.run(std::future::pending()));
    let options = RemoteOptions::new().endpoint_url(url).region("us-east-1");
    options.credentials("a", "b", None).connect().await.unwrap()
}

#[test]
fn all_scripts_over_http() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    // Scripts wait for answers on this thread; the client's timers and sockets are the runtime's.
    let _inside = runtime.enter();
    let checked = monotable_golden::check_folder(Path::new(SCRIPTS), || runtime.block_on(served()));
    match checked {
        Ok(count) => assert!(count >= 4, "only {count} scripts"),
        Err(failures) => {
            let texts: Vec<String> = failures.iter().map(ToString::to_string).collect();
            panic!("{}", texts.join("\n"));
        }
    }
}
