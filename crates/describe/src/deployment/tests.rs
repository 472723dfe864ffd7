//! What the other tools are told.

mod alarms;
mod forms;
mod tables;

use super::{AlarmOptions, Deployment, Encryption};
use monotable_model::model::Model;

/// A model that says everything about its tables.
const FULL: &str = r##"
monotable = 1
model     = "shop"
about     = "Orders of a shop"

[table.Orders]
key                 = ["PK", "SK"]
GSI1                = ["GSI1PK", "GSI1SK"]
by_day              = { key = ["day", "total"], project = ["state"] }
by_place            = { key = [["country", "city"], ["street", "SK"]], project = "keys" }
LSI1                = { key = ["PK", "total"], local = true }
ttl                 = "expiresAt"
stream              = "new_and_old"
pitr                = true
deletion_protection = true
billing             = { read = 5, write = 7 }
tags                = { team = "shop", cost = "${x} \"q\"" }

[entity.Order]
key  = ["ORDER#{id}", "ORDER"]
GSI1 = ["DAY#{day}", "{id}"]

[entity.Order.attributes]
id        = "text, matches = /[0-9]{1,12}/"
day       = "date"
total     = "integer"
state     = "text"
country   = "text"
city      = "text"
street    = "text"
expiresAt = "epoch?"

[access.order]
key     = ["ORDER#{id}", "ORDER"]
returns = ["Order"]
"##;

fn full() -> Model {
    let reading = monotable_model::read(FULL);
    let problems = reading.diagnostics;
    reading.model.unwrap_or_else(|| panic!("{problems:?}"))
}

fn everything() -> Deployment {
    Deployment {
        tables: Some(Encryption::Owned),
        alarms: Some(AlarmOptions::default()),
    }
}
