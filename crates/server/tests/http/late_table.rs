//! A table that is made between the moment at which a request is judged and the one at which it would be carried out.

use crate::policies::{EVE, OWN_ROWS, ask, credentials};
use crate::running::{Running, engine};
use crate::signed::now;
use monotable_api::{
    BoxFuture, CreateTableInput, Dynamo, DynamoExt, Error, Request, Response, ScalarAttributeType,
    ScanInput,
};
use monotable_engine::Engine;
use monotable_server::ServerOptions;
use serde_json::json;
use std::sync::Arc;

/// Makes the table right after it was said not to be there.
struct LateTable {
    engine: Arc<Engine>,
}

impl Dynamo for LateTable {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let is_question = matches!(request, Request::DescribeTable(_));
            let answer = self.engine.call(request).await;
            if is_question && answer.is_err() {
                let table = CreateTableInput::new("Games", "User", ScalarAttributeType::S);
                DynamoExt::create_table(&*self.engine, table).await?;
            }
            answer
        })
    }
}

#[test]
fn a_request_judged_without_its_table_is_not_carried_out() {
    let open = OWN_ROWS.replace(r#", "Null": {"dynamodb:LeadingKeys": "false"}"#, "");
    let engine = engine();
    let late = LateTable {
        engine: Arc::clone(&engine),
    };
    let options = ServerOptions::new().credentials(credentials(OWN_ROWS, &open));
    let server = Running::start(options.clock(now), Arc::new(late));
    let put = json!({"TableName": "Games", "Item": {"User": {"S": "ada"}}});
    let reply = ask(&server, EVE, "PutItem", &put);
    assert_eq!(
        reply.exception(),
        "ResourceNotFoundException",
        "{}",
        reply.text()
    );
    let found = Engine::scan(&engine, ScanInput::new("Games")).unwrap();
    assert_eq!(found.count, 0, "{found:?}");
    let reply = ask(&server, EVE, "PutItem", &put);
    assert_eq!(
        reply.exception(),
        "AccessDeniedException",
        "{}",
        reply.text()
    );
}
