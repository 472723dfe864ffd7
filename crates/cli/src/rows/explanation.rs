//! An explanation as text: each request with its body indented, and what it costs.

use crate::exit::Failure;
use monotable_store::{Explanation, Units};
use serde_json::Value;

/// The requests in their rounds, with the units of table and indexes, and the sum.
pub(super) fn shown(explanation: &Explanation) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let mut round = 0;
    for explained in &explanation.requests {
        if explained.round != round {
            round = explained.round;
            let between = if round > 1 { "\n" } else { "" };
            text.extend(format!("{between}# round {round}\n").into_bytes());
        }
        text.extend(format!("{} ", explained.operation).into_bytes());
        let body: Value = serde_json::from_str(&explained.body).map_err(std::io::Error::from)?;
        serde_json::to_writer_pretty(&mut text, &body).map_err(std::io::Error::from)?;
        text.push(b'\n');
        for Units { of, read, write } in &explained.units {
            let line = if *read > 0.0 {
                format!("# {of}: {read} read\n")
            } else {
                format!("# {of}: {write} written\n")
            };
            text.extend(line.into_bytes());
        }
    }
    let (read, write) = explanation.total();
    let count = explanation.requests.len();
    let requests = if count == 1 { "request" } else { "requests" };
    let sum = format!("\n# {count} {requests}, {read} read units, {write} write units\n");
    text.extend(sum.into_bytes());
    Ok(text)
}
