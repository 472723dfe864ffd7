//! The requests of both sides, made of the same calls.

use super::server::{RestServer, write_request};
use crate::exchange::{Exchange, Expected};
use crate::failure::Failure;
use crate::signer::Signer;
use fastrand::Rng;
use serde_json::{Value, json};

/// How many users there are, each with a token of its own.
const USERS: u64 = 8;
/// The id of the row that requests of DynamoDB are copied from; others are as long.
const SAMPLE: &str = "t-0000000000";
/// The token of the copied transaction is replaced by one that no other has.
const TOKEN_DIGITS: usize = 32;
/// What is between the name of a row and its end: the text of about a kilobyte.
const FILLING: usize = 600;

/// One side of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Dynamo,
    Rest,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// `GetItem`, and `GET` of a row.
    Get,
    /// `TransactWriteItems`, and `POST` of a new row.
    Create,
}

impl Work {
    pub(super) const ALL: [Self; 2] = [Self::Get, Self::Create];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Create => "create",
        }
    }
}

/// What requests are made of.
pub(super) struct Samples {
    signer: Signer,
    /// The header with the token of each user.
    bearers: Vec<String>,
    /// The bodies of the DynamoDB requests that the server itself sends for the sample row.
    get_item: String,
    transaction: String,
}

impl Samples {
    /// Makes the users, and asks the server what a get and a create send.
    pub(super) fn take(server: &RestServer) -> Result<Self, Failure> {
        let mut bearers = Vec::new();
        for user in 0..USERS {
            let body = json!({
                "UserId": name_user(user), "Email": format!("user{user}@example.com"), "PasswordHash": "correct horse",
            });
            server.call_as_program("POST", "entities/User", "", &body.to_string())?;
            let token = server.token_key.sign(&name_user(user))?;
            bearers.push(format!("authorization: Bearer {token}\r\n"));
        }
        let trace = "monotable-trace: requests\r\n";
        let created =
            server.call_as_program("POST", "entities/Tree", trace, &write_tree(0, SAMPLE))?;
        let path = format!("entities/Tree/{}/{SAMPLE}", name_user(0));
        let read = server.call_as_program("GET", &path, trace, "")?;
        Ok(Self {
            signer: Signer::new(server.address()),
            bearers,
            get_item: find_request(&read, "GetItem")?,
            transaction: find_request(&created, "TransactWriteItems")?,
        })
    }

    /// Requests of one side. `first` is the number of the first row that they create; reads are of any of `first` rows.
    pub(super) fn prepare(
        &self,
        (side, work): (Side, Work),
        server: &RestServer,
        first: u64,
        count: u64,
    ) -> Result<Vec<Exchange>, Failure> {
        let numbers = 0..count;
        let exchanges = numbers.map(|number| {
            let row = match work {
                Work::Get => Rng::with_seed(number).u64(..first.max(1)),
                Work::Create => first + number,
            };
            match side {
                Side::Dynamo => self.prepare_dynamo(work, row),
                Side::Rest => Ok(self.prepare_rest(work, row, server)),
            }
        });
        exchanges.collect()
    }

    fn prepare_dynamo(&self, work: Work, row: u64) -> Result<Exchange, Failure> {
        let (operation, sample) = match work {
            Work::Get => ("GetItem", &self.get_item),
            Work::Create => ("TransactWriteItems", &self.transaction),
        };
        let (id, user) = (name_tree(row), name_user(row % USERS));
        let body = sample
            .replace(SAMPLE, &id)
            .replace(&name_user(0), &user)
            .replace(
                &"0".repeat(TOKEN_DIGITS),
                &format!("{row:0width$}", width = TOKEN_DIGITS),
            );
        Ok(Exchange {
            request: self.signer.request(operation, &body)?,
            expected: expect(work, 200, &id),
        })
    }

    fn prepare_rest(&self, work: Work, row: u64, server: &RestServer) -> Exchange {
        let (id, user) = (name_tree(row), row % USERS);
        let address = server.address();
        let place = usize::try_from(user).unwrap_or_default();
        let bearer = self.bearers.get(place).map_or("", String::as_str);
        match work {
            Work::Get => {
                let path = format!("entities/Tree/{}/{id}", name_user(user));
                Exchange {
                    request: write_request(address, "GET", &path, bearer, ""),
                    expected: expect(work, 200, &id),
                }
            }
            Work::Create => {
                let body = write_tree(user, &id);
                Exchange {
                    request: write_request(address, "POST", "entities/Tree", bearer, &body),
                    expected: expect(Work::Get, 201, &id),
                }
            }
        }
    }
}

/// What a right answer has. A transaction answers with nothing.
fn expect(work: Work, status: u16, id: &str) -> Expected {
    match work {
        Work::Get => Expected {
            status,
            least_bytes: FILLING,
            contents: vec![id.to_owned()],
        },
        Work::Create => Expected {
            status,
            least_bytes: 2,
            contents: Vec::new(),
        },
    }
}

fn name_user(number: u64) -> String {
    format!("u-{number:010}")
}

fn name_tree(number: u64) -> String {
    // The sample has the number 0.
    format!("t-{:010}", number + 1)
}

fn write_tree(user: u64, id: &str) -> String {
    let tree = json!({
        "UserId": name_user(user), "TreeId": id, "TreeName": "The Smith Family", "Description": "x".repeat(FILLING),
    });
    tree.to_string()
}

/// The only request of this operation that a trace tells of, with a token that can be replaced.
fn find_request(traced: &Value, operation: &str) -> Result<String, Failure> {
    let requests = traced
        .pointer("/trace/requests")
        .and_then(Value::as_array)
        .ok_or_else(|| format!("no requests in {traced}"))?;
    let [request] = requests.as_slice() else {
        return Err(format!("the call sends other requests than one: {traced}").into());
    };
    if request.get("operation").and_then(Value::as_str) != Some(operation) {
        return Err(format!("the call does not send {operation}: {traced}").into());
    }
    let mut body = request.get("body").cloned().unwrap_or_default();
    if let Some(token) = body.get_mut("ClientRequestToken") {
        *token = json!("0".repeat(TOKEN_DIGITS));
    }
    Ok(body.to_string())
}
