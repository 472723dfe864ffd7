//! Requests to the REST API: a line with method and address, lines with headers, an empty line, and a body.
//!
//! Each goes to two APIs of the same two models. One serves programs of this machine, as a server without tokens does; the other
//! demands proofs that no input has.

use crate::flaw::{Flaw, demand};
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_rest::{
    Authentication, AuthenticationFile, Body, FetchedKeys, Request, Response, Rest,
};
use monotable_store::Store;
use serde::de::IgnoredAny;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Runtime;

const MODELS: [&str; 2] = [
    include_str!("../../../../models/values/model.toml"),
    include_str!("../../../../models/yggdrasil/model.toml"),
];

/// What only the row of a stranger says. No answer to a caller without a proof has it.
const TREASURE: &str = "marigold";

const CALLERS: &str = r#"
[[issuer]]
issuer      = "https://issuer.example.com/"
audience    = ["fuzz"]
algorithms  = ["HS256"]
secret_file = "secret"

[model.values]
principal = { userId = "sub" }

[model.yggdrasil]
principal = { UserId = "sub" }

[[key]]
name    = "program"
sha256  = "abababababababababababababababababababababababababababababababab"
program = true
"#;

/// After so many inputs the stores are made anew, so that what was written does not pile up.
const LIFETIME: u32 = 2_000;

/// Whatever is asked, nothing fails inside, every answer is what its type says, and nobody without a proof is served.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    let Some(request) = read_request(input) else {
        return Ok(());
    };
    World::with(|world| {
        let answer = world.runtime.block_on(world.open.answer(request.clone()));
        world.demand_sound(answer)?;
        let locked = world.runtime.block_on(world.locked.answer(request));
        let status = locked.status;
        demand(status.is_client_error(), || {
            format!("without a proof the answer is {status}")
        })?;
        let text = world.demand_sound(locked)?;
        demand(!text.contains(TREASURE), || {
            format!("without a proof the answer is {text}")
        })
    })
}

/// The request that an input says; none if it has no method or header of HTTP.
fn read_request(input: &[u8]) -> Option<Request> {
    let head_end = input.windows(2).position(|pair| pair == b"\n\n");
    let (head, body) = match head_end {
        Some(place) => (input.get(..place)?, input.get(place + 2..)?),
        None => (input, [].as_slice()),
    };
    let mut lines = head.split(|byte| *byte == b'\n');
    let first = lines.next()?;
    let space = first.iter().position(|byte| *byte == b' ')?;
    let method = http::Method::from_bytes(first.get(..space)?).ok()?;
    // The server has parsed the address already.
    let address: http::Uri = std::str::from_utf8(first.get(space + 1..)?)
        .ok()?
        .parse()
        .ok()?;
    let mut headers = http::HeaderMap::new();
    for line in lines {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = http::HeaderName::from_bytes(line.get(..colon)?).ok()?;
        let value = line.get(colon + 1..)?.trim_ascii();
        headers.append(name, http::HeaderValue::from_bytes(value).ok()?);
    }
    Some(Request {
        method,
        path: address.path().to_owned(),
        query: address.query().unwrap_or_default().to_owned(),
        headers,
        body: Bytes::copy_from_slice(body),
        client: IpAddr::from([127, 0, 0, 1]),
    })
}

/// The two APIs.
struct World {
    runtime: Runtime,
    open: Rest,
    locked: Rest,
    /// How many inputs it has seen.
    age: u32,
}

impl World {
    fn with(check: impl FnOnce(&mut Self) -> Result<(), Flaw>) -> Result<(), Flaw> {
        static WORLD: Mutex<Option<World>> = Mutex::new(None);
        let mut slot = WORLD.lock().unwrap_or_else(PoisonError::into_inner);
        let world = match slot.take().filter(|world| world.age < LIFETIME) {
            Some(world) => slot.insert(world),
            None => slot.insert(Self::make()?),
        };
        world.age += 1;
        check(world)
    }

    fn make() -> Result<Self, Flaw> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let file = AuthenticationFile::parse(CALLERS)?;
        let authentication = Authentication::new(file, &|_| {
            Arc::new(|| -> BoxFuture<'static, FetchedKeys> {
                Box::pin(std::future::ready(Ok(b"0123456789abcdef".repeat(4))))
            })
        });
        let mut locked = Rest::new().with_authentication(authentication);
        let mut open = Rest::new();
        for text in MODELS {
            open = open.with_store(runtime.block_on(open_store(text))?);
            locked = locked.with_store(runtime.block_on(open_store(text))?);
        }
        Ok(Self {
            runtime,
            open,
            locked,
            age: 0,
        })
    }

    /// Demands that an answer is no failure of the server, and is what its type says. Its text.
    fn demand_sound(&self, answer: Response) -> Result<String, Flaw> {
        let status = answer.status;
        let kind = answer.headers.get(http::header::CONTENT_TYPE).cloned();
        let bytes = match answer.body {
            Body::Whole(bytes) => bytes.to_vec(),
            Body::Lines(lines) => self.runtime.block_on(collect(lines)),
            Body::Events(_) => return Err(Flaw::new("the REST API has no events")),
        };
        let text = String::from_utf8(bytes)?;
        demand(!status.is_server_error(), || format!("{status}: {text}"))?;
        let kind = kind.as_ref().and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| kind.ends_with("json")) && !text.is_empty() {
            serde_json::from_str::<IgnoredAny>(&text)
                .map_err(|error| Flaw::new(format!("{error}: {text}")))?;
        }
        if kind == Some("application/jsonl") {
            for line in text.lines() {
                serde_json::from_str::<IgnoredAny>(line)
                    .map_err(|error| Flaw::new(format!("{error}: {line}")))?;
            }
        }
        Ok(text)
    }
}

async fn collect(mut lines: BoxStream<'static, Bytes>) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(line) = lines.next().await {
        bytes.extend_from_slice(&line);
    }
    bytes
}

/// The store of a model in memory, with a row that requests can be about.
async fn open_store(text: &str) -> Result<Store, Flaw> {
    let reading = monotable_model::read(text);
    let model = reading
        .model
        .ok_or_else(|| Flaw::new(format!("{:?}", reading.diagnostics)))?;
    let store = Store::new(model, Engine::in_memory()?);
    store.setup().await?;
    if store.model().name == "yggdrasil" {
        // A hash as it is stored, because making one takes longer than all else here.
        let hash = "$2b$04$abcdefghijklmnopqrstuuM1ZqBqk4u9mVd3zYfQ8m0yZq0b3r7lK";
        let user = Item::new()
            .with("UserId", "ann")
            .with("Email", "ann@example.com")
            .with("PasswordHash", Item::new().with("bcrypt", hash));
        store.create("User", user).await?;
        let tree = Item::new()
            .with("UserId", "ann")
            .with("TreeId", "oak")
            .with("TreeName", TREASURE);
        store.create("Tree", tree).await?;
    }
    Ok(store)
}

/// Requests of every kind, for the corpus.
pub(crate) fn samples() -> Vec<Vec<u8>> {
    let json = "content-type: application/json";
    let requests = [
        "GET /v1".to_owned(),
        "GET /v1/yggdrasil/openapi.json".to_owned(),
        "GET /v1/yggdrasil/entities/Tree/ann/oak?consistent=true\nmonotable-principal: {\"UserId\": \"ann\"}".to_owned(),
        "GET /v1/yggdrasil/entities/Tree/ann/oak\nif-none-match: \"abc\", W/\"d\"\nmonotable-trace: requests, changes".to_owned(),
        "GET /v1/yggdrasil/patterns/trees_of_user?UserId=ann&limit=2&descending=true\naccept: application/jsonl".to_owned(),
        format!("POST /v1/yggdrasil/entities/Tree?dry-run=true\n{json}\nidempotency-key: k1\n\n{{\"UserId\": \"ann\", \"TreeName\": \"Elm\"}}"),
        format!("POST /v1/yggdrasil/entities/Person\n{json}\n\n{{\"UserId\": \"ann\", \"TreeId\": \"oak\", \"FirstName\": \"a\", \"LastName\": \"b\", \"Gender\": \"Male\"}}"),
        format!("PUT /v1/yggdrasil/entities/Tree/ann/oak\n{json}\nif-match: *\n\n{{\"TreeName\": \"Ash\", \"$entity\": \"Tree\"}}"),
        "PATCH /v1/yggdrasil/entities/Tree/ann/oak?expecting=%7B%22TreeName%22%3A%22Oak%22%7D\ncontent-type: application/merge-patch+json\n\n{\"Description\": null, \"TreeName\": \"x\"}".to_owned(),
        format!("PATCH /v1/yggdrasil/entities/Tree/ann/oak\n{json}\n\n{{\"set\": {{\"TreeName\": \"y\"}}, \"unset\": [\"Description\"]}}"),
        "DELETE /v1/yggdrasil/entities/Tree/ann/oak?explain=true".to_owned(),
        format!("POST /v1/yggdrasil/entities/User/ann/secrets/PasswordHash\n{json}\n\n{{\"text\": \"x\"}}"),
        format!("POST /v1/yggdrasil/moves/transfer_tree\n{json}\n\n{{\"key\": {{\"UserId\": \"ann\", \"TreeId\": \"oak\"}}, \"set\": {{\"UserId\": \"ben\"}}}}"),
        format!("POST /v1/yggdrasil/transactions\n{json}\n\n{{\"operations\": [{{\"delete\": \"Tree\", \"key\": {{\"UserId\": \"ann\", \"TreeId\": \"oak\"}}}}]}}"),
        format!("POST /v1/yggdrasil/operations\n{json}\n\n{{\"query\": \"trees_of_user\", \"parameters\": {{\"UserId\": \"ann\"}}}}"),
        format!("POST /v1/values/repositories/values/ann/commits\n{json}\n\n{{\"values\": {{\"message\": \"m\", \"source\": \"manual\"}}, \"changes\": [{{\"create\": \"ValuesNode\", \"values\": {{\"nodeId\": \"d\", \"nodeType\": \"DRIVER\", \"title\": \"t\"}}}}]}}"),
        "GET /v1/values/repositories/values/ann/log?limit=3&oldest-first=true".to_owned(),
        "GET /v1/values/repositories/values/ann/rows?time=2026-01-01T00:00:00Z".to_owned(),
        "GET /v1/values/repositories/values/ann/diff?from=head&to-time=2026-01-01T00:00:00Z".to_owned(),
        format!("POST /v1/values/repositories/values/ann/rollback\n{json}\n\n{{\"to\": \"x\"}}"),
        format!("POST /v1/values/carries/rollover\n{json}\n\n{{\"key\": {{\"userId\": \"ann\", \"date\": \"2025-11-17\"}}}}"),
        format!("POST /v1/values/purges\n{json}\n\n{{\"owner\": {{\"userId\": \"ann\"}}}}"),
        "GET /v1/yggdrasil/entities/Tree/ann/oak\nauthorization: Bearer eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlLmNvbS8iLCJzdWIiOiJhbm4ifQ.".to_owned(),
        "OPTIONS /v1/yggdrasil/entities/Tree/ann/oak\nx-api-key: marigolds".to_owned(),
    ];
    requests.into_iter().map(String::into_bytes).collect()
}
