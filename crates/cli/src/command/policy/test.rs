//! `monotable policy test`: which statement decides about a request.

use super::form::{Form, Report};
use super::request::TestRequest;
use crate::access_keys;
use crate::exit::Failure;
use crate::output::print;
use clap::{Args, ValueHint};
use monotable_policy::Scope;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = r#"Examples:
  $ monotable policy test keys.ini request.json
  $ echo '{"AccessKey": "AKIDALICE", "Operation": "ListTables"}' | monotable policy test keys.ini -
  $ monotable policy test keys.ini request.json --output json

A request has the id of an access key, the operation and its body as an SDK sends it. If the operation is on items, it also
has the keys of the tables, as `aws dynamodb describe-table` prints them or `create-table` takes them:
  {"AccessKey": "AKIDALICE", "Operation": "GetItem",
   "Body": {"TableName": "Games", "Key": {"UserId": {"S": "alice"}}},
   "Tables": [{"TableName": "Games", "KeySchema": [{"AttributeName": "UserId", "KeyType": "HASH"}]}]}
It may have a SourceIp and an EpochTime, in seconds since 1970; without one it is made now, from 127.0.0.1.
With "SecureTransport": true it comes through TLS.

The exit code is 0 if the request is allowed, 1 if it is not, 253 if the credentials or policies have errors, 254 if DynamoDB
refuses the request whatever policies say, 255 if the request cannot be read."#;

/// Say whether an access key may make a request, and which statement decides
///
/// Nothing is sent and no store is opened.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Test {
    /// The file of access keys, as `serve --credentials` takes it
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    credentials: PathBuf,

    /// The request, in JSON; - is stdin
    #[arg(value_name = "REQUEST", value_hint = ValueHint::FilePath)]
    request: PathBuf,

    /// The region that the request is signed for, on a server with --regions
    #[arg(long, value_name = "REGION")]
    region: Option<String>,

    /// Form of the answer
    #[arg(long, value_name = "FORM", default_value = "text")]
    output: Form,
}

impl Test {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut scope = Scope::default();
        if let Some(region) = &self.region {
            scope.region.clone_from(region);
        }
        let credentials = access_keys::read(&self.credentials, &scope)?;
        let request = TestRequest::read(&self.request)?;
        let identity = credentials.identity(&request.access_key).ok_or_else(|| {
            Failure::configuration(format_args!(
                "{} has no access key {:?}",
                self.credentials.display(),
                request.access_key
            ))
        })?;
        let demand = request.demand()?;
        let tables = request.tables(&demand)?;
        let accesses = demand.accesses(&scope, |name| tables.get(name));
        let judgement = identity.judge(&accesses, &request.circumstances());
        let report = Report::new(&request, identity, &judgement);
        print(&self.output.render(&report)?)?;
        if judgement.is_allowed() {
            Ok(())
        } else {
            Err(Failure::no())
        }
    }
}
