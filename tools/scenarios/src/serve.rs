//! A server for scripts that another language runs: its clock stands still long before them.
//!
//! `monotable serve` goes by the clock of the machine, by which items that expire soon after the time of a script are gone.
//! Here nothing has expired, and whether a row is shown is up to the store alone.

use crate::target::Target;
use monotable_server::ServerOptions;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

/// Serves an empty DynamoDB on a free port and writes its address, until the input ends.
pub async fn serve_until_input_ends(out: &mut impl Write) -> Result<(), String> {
    let clock = Arc::new(AtomicI64::new(0));
    let opened = Target::Memory.open(&clock).await?;
    let bound = ServerOptions::new()
        .port(0)
        .bind(Arc::clone(&opened.dynamo))
        .await;
    let server = bound.map_err(|error| error.to_string())?;
    let address = server.address();
    let told = writeln!(out, "export AWS_ENDPOINT_URL_DYNAMODB=http://{address}");
    told.and_then(|()| out.flush())
        .map_err(|error| error.to_string())?;
    let ended = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
    server
        .run(async {
            let _ = ended.await;
        })
        .await;
    Ok(())
}
