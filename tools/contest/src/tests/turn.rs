//! One whole turn against our server.

use super::answering::serve_bare;
use crate::client::Client;
use crate::exchange::{Draft, Expected};
use crate::phase::{Dataset, Phase};
use crate::process::Process;
use crate::table::Table;
use crate::trial::{Plan, Trial};
use monotable_engine::Engine;
use monotable_server::ServerOptions;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

const ITEMS: u64 = 110;
const REQUESTS: u64 = 200;

fn plan() -> Plan {
    Plan {
        dataset: Dataset { items: ITEMS },
        phases: Phase::ALL.to_vec(),
        connections: 16,
        requests: REQUESTS,
        longest: Duration::from_secs(600),
        longest_lag: Duration::ZERO,
    }
}

/// Our server with an empty store, for as long as the runtime lives.
fn serve(runtime: &tokio::runtime::Runtime) -> SocketAddr {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let server = runtime
        .block_on(ServerOptions::new().port(0).bind(engine))
        .unwrap();
    let address = server.address();
    runtime.spawn(server.run(std::future::pending()));
    address
}

fn trial(address: SocketAddr, plan: &Plan) -> Trial<'_> {
    Trial {
        name: "test",
        address,
        process: Process::own(),
        plan,
    }
}

fn count(address: SocketAddr, table: Table) -> u64 {
    let body = format!(
        "{{\"TableName\":\"{}\",\"Select\":\"COUNT\"}}",
        table.name()
    );
    let expected = Expected::default();
    let operation = "Scan";
    let scan = Draft {
        operation,
        body,
        expected,
    };
    let answer = Client::new(address).call(scan).unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
    answer["Count"].as_u64().unwrap()
}

#[test]
fn a_turn_sends_every_request_once_and_finds_what_it_wrote() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let address = serve(&runtime);
    let plan = plan();
    let trial = trial(address, &plan);
    trial.create_tables().unwrap();
    trial.load().unwrap();
    let loaded = ITEMS + plan.dataset.rows();
    assert_eq!(count(address, Table::Plain), loaded);

    for phase in [Phase::Put, Phase::Indexed, Phase::Transaction] {
        let figures = trial.measure(phase).unwrap();
        assert_eq!(figures.requests, phase.share(REQUESTS), "{phase:?}");
    }
    // Each item of 200 puts and of 50 transactions of 4.
    assert_eq!(count(address, Table::Plain), loaded + 200 + 200);
    assert_eq!(count(address, Table::Indexed), 200);
}

#[test]
fn reads_are_repeated_until_the_time_is_over() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let address = serve(&runtime);
    let plan = Plan {
        requests: 4,
        longest: Duration::from_secs(1),
        ..plan()
    };
    let trial = trial(address, &plan);
    trial.create_tables().unwrap();
    trial.load().unwrap();
    for phase in [Phase::Get, Phase::Query] {
        let figures = trial.measure(phase).unwrap();
        assert!(figures.requests > 4, "{figures:?}");
    }
}

#[test]
fn a_get_of_what_is_not_there_is_a_wrong_answer() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let address = serve(&runtime);
    let plan = Plan {
        longest: Duration::from_secs(1),
        ..plan()
    };
    let trial = trial(address, &plan);
    trial.create_tables().unwrap();
    let failure = trial.measure(Phase::Get).unwrap_err().to_string();
    assert!(
        failure.contains("2 bytes are too few: status 200, {}"),
        "{failure}"
    );
}

#[test]
fn an_exception_is_a_wrong_answer() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let address = serve(&runtime);
    let plan = plan();
    let failure = trial(address, &plan)
        .measure(Phase::Put)
        .unwrap_err()
        .to_string();
    assert!(failure.contains("ResourceNotFoundException"), "{failure}");
}

#[test]
fn writes_that_are_acknowledged_and_lost_are_noticed() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    // It acknowledges everything and keeps nothing.
    let address = serve_bare(&runtime);
    let plan = plan();
    for phase in [Phase::Put, Phase::Indexed, Phase::Transaction] {
        let failure = trial(address, &plan)
            .measure(phase)
            .unwrap_err()
            .to_string();
        assert!(failure.contains("wrote is not all there"), "{failure}");
    }
}
