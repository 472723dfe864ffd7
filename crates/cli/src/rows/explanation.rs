//! The requests of an operation, for people or as JSON, with what each of them costs.

use crate::exit::Failure;
use monotable_store::{Explained, Explanation, Units};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The requests in their rounds with indented bodies, the units of table and indexes, and the sum.
pub(super) fn render_text(explanation: &Explanation) -> Result<Vec<u8>, Failure> {
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

/// One document: `{"requests": [{"round", "operation", "body", "units"}], "read_units", "write_units"}`.
pub(super) fn render_json(explanation: &Explanation) -> Result<Vec<u8>, Failure> {
    let requests: Result<Vec<Value>, _> = explanation.requests.iter().map(request).collect();
    let (read, write) = explanation.total();
    let document = json!({
        "requests": requests.map_err(std::io::Error::from)?,
        "read_units": read,
        "write_units": write,
    });
    let mut text = serde_json::to_vec_pretty(&document).map_err(std::io::Error::from)?;
    text.push(b'\n');
    Ok(text)
}

fn request(explained: &Explained) -> Result<Value, serde_json::Error> {
    let body: &RawValue = serde_json::from_str(&explained.body)?;
    let units = explained.units.iter();
    let units: Vec<_> = units
        .map(|Units { of, read, write }| json!({"of": of, "read": read, "write": write}))
        .collect();
    Ok(json!({
        "round": explained.round,
        "operation": explained.operation.to_string(),
        "body": body,
        "units": units,
    }))
}
