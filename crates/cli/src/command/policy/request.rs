//! The request that is tried.

use crate::exit::Failure;
use monotable_api::{OperationName, Request, TableDescription};
use monotable_policy::{Circumstances, Demand, TableKeys, Transport};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A request, who makes it, and what must be known of tables to judge it.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct TestRequest {
    pub(super) access_key: String,
    pub(super) operation: String,
    #[serde(default = "empty")]
    body: Value,
    #[serde(default)]
    tables: Vec<GivenTable>,
    source_ip: Option<IpAddr>,
    /// `aws:SecureTransport`
    #[serde(default)]
    secure_transport: bool,
    epoch_time: Option<u64>,
}

/// A table by itself, or as the answer of DescribeTable.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum GivenTable {
    Described {
        #[serde(rename = "Table")]
        table: Box<TableDescription>,
    },
    Plain(Box<TableDescription>),
}

fn empty() -> Value {
    Value::Object(serde_json::Map::new())
}

impl TestRequest {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| {
            let name = path.display();
            Failure::other(format_args!("cannot read the request {name}")).caused_by(&error)
        };
        let mut text = String::new();
        if path == Path::new("-") {
            std::io::stdin().read_to_string(&mut text).map_err(failed)?;
        } else {
            text = std::fs::read_to_string(path).map_err(failed)?;
        }
        serde_json::from_str(&text).map_err(|error| {
            Failure::other(format_args!("the request {}: {error}", path.display())).help(
                "a request is {\"AccessKey\": \"AKID...\", \"Operation\": \"GetItem\", \"Body\": {...}, \"Tables\": [...]}; \
                 `monotable policy test --help` has an example",
            )
        })
    }

    /// What it asks for.
    pub(super) fn demand(&self) -> Result<Demand, Failure> {
        let operation: OperationName = self.operation.parse()?;
        let request = Request::decode(operation, self.body.to_string().as_bytes())?;
        Ok(Demand::new(&request)?)
    }

    /// The keys of the tables, of which all that are needed must be there.
    pub(super) fn tables(&self, demand: &Demand) -> Result<BTreeMap<String, TableKeys>, Failure> {
        let mut tables = BTreeMap::new();
        for given in &self.tables {
            let table = match given {
                GivenTable::Described { table } | GivenTable::Plain(table) => table,
            };
            let name = table.table_name.clone().unwrap_or_default();
            tables.insert(name, TableKeys::from_description(table));
        }
        match demand.tables().into_iter().find(|name| !tables.contains_key(*name)) {
            None => Ok(tables),
            Some(missing) => Err(Failure::other(format_args!(
                "the request is about items of {missing}, and does not say which attribute is its partition key"
            ))
            .help(format_args!(
                "add \"Tables\": [{{\"TableName\": \"{missing}\", \"KeySchema\": [{{\"AttributeName\": ..., \"KeyType\": \
                 \"HASH\"}}]}}], or what `aws dynamodb describe-table` prints"
            ))),
        }
    }

    pub(super) fn circumstances(&self) -> Circumstances {
        let given = self.epoch_time.map(Duration::from_secs);
        let time = given.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        let transport = if self.secure_transport {
            Transport::Tls
        } else {
            Transport::Plain
        };
        Circumstances {
            transport,
            time: time.unwrap_or_else(SystemTime::now),
            source: Some(self.source_ip.unwrap_or(Ipv4Addr::LOCALHOST.into())),
        }
    }
}
