//! Calls that are named by a token: said again within a day, nothing happens again.
//!
//! The transaction that completes such a call also puts a *token row*, on the condition that there is none. It holds what
//! was called (the operation and a fingerprint of its parameters) and where the rows of the answer stand. A call that
//! finds the row changes nothing: the rows are read again, as any read of the caller would show them, and are the answer.
//!
//! The key of the row is a hash of the tenant, the caller and the token, so that a token of somebody else is another
//! token. Nothing else follows from a token: ids and secrets are as random as those of any other call.
//!
//! Layout: `fingerprint.rs` is what makes two calls the same; `../replay.rs` answers a call that was made before.

mod fingerprint;

use crate::address;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::operation::{AnyOperation, Options};
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::{CallToken, Scope};
use crate::spread;
use crate::template;
use crate::writer;
use fingerprint::Fingerprint;
use monotable_item::{AttributeValue, EncodedItem, Item, Number};
use monotable_model::model::Table;
use sha2::{Digest, Sha256};

pub(crate) const OPERATION: &str = "monotable#operation";
pub(crate) const FINGERPRINT: &str = "monotable#fingerprint";
pub(crate) const ROWS: &str = "monotable#rows";
const EXPIRES: &str = "monotable#expires";

/// How long a token names its call, in seconds.
const LIFETIME: i64 = 24 * 60 * 60;

/// The token of a call; an operation that changes nothing has none.
pub(crate) fn name_call(
    scope: &Scope,
    token: &str,
    operation: &AnyOperation,
    options: &Options,
) -> Result<CallToken, Error> {
    if token.is_empty() {
        return Err(Error::usage("a token is a text that is not empty"));
    }
    let name = operation.name();
    if !operation.writes_rows() {
        return Err(Error::usage(format!(
            "`{name}` takes no token: said again it does no harm"
        )));
    }
    let before = partition(scope)?;
    let address = scope
        .addressing()
        .locate_token(&before, &digest(scope, token));
    let address = address.ok_or_else(|| Error::usage("the model has no table for a token"))?;
    let mut fingerprint = Fingerprint::new(scope);
    let name = match &options.identity {
        Some(identity) => {
            fingerprint.add_identity(identity);
            identity.operation.name()
        }
        None => {
            fingerprint.add_operation(operation);
            fingerprint.add_expected(operation, &options.expected);
            name
        }
    };
    Ok(CallToken {
        address,
        operation: name,
        fingerprint: fingerprint.finish(),
    })
}

/// Whether the row of a token names no call any more.
pub(crate) fn is_expired(scope: &Scope, item: &Item) -> bool {
    let now = Number::from(seconds(scope));
    matches!(item.get(EXPIRES), Some(AttributeValue::N(expires)) if *expires < now)
}

/// The row that says what the call has answered.
fn token_row(token: &CallToken, scope: &Scope, rows: Vec<AttributeValue>) -> Item {
    let model = scope.model();
    let expires = Number::from(seconds(scope).saturating_add(LIFETIME));
    let mut row = token
        .address
        .key(model)
        .with(OPERATION, token.operation)
        .with(FINGERPRINT, token.fingerprint.as_str())
        .with(ROWS, AttributeValue::L(rows))
        .with(EXPIRES, expires);
    if let Some(ttl) = &model.table(token.address.table()).ttl {
        row.insert(ttl.value.clone(), expires);
    }
    row
}

/// Adds the row of the call's token to the transaction that completes it. These rows are its answer; those that are
/// deleted are as they were.
pub(crate) fn note_answer<'r>(
    scope: &Scope,
    draft: &mut Draft,
    rows: impl IntoIterator<Item = &'r Record>,
) -> Result<(), Interrupt> {
    let Some(token) = &scope.token else {
        return Ok(());
    };
    let mut addresses = Vec::new();
    for row in rows {
        addresses.extend(address(scope, row)?);
    }
    let over = Demand::AtMost {
        attribute: EXPIRES.to_owned(),
        most: Number::from(seconds(scope)),
    };
    let put = Action::new(Write::Put(token_row(token, scope, addresses)))
        .demand(Demand::NoneOr(vec![over]), Blame::Changed);
    draft.add(token.address.clone(), put)
}

/// Completes a call that has nothing else to write.
pub(crate) async fn complete_unchanged(
    reader: &Reader<'_>,
    rows: &[Record],
) -> Result<(), Interrupt> {
    let mut draft = Draft::default();
    note_answer(reader, &mut draft, rows)?;
    writer::commit(reader, &mut draft).await
}

/// Whether an item of a table is the row of a token that no longer names its call, so that it can go.
pub(crate) fn is_expired_token_row(table: &Table, item: &Item, now_micros: i64) -> bool {
    let is_token = match item.get(&table.hash.value) {
        Some(AttributeValue::S(hash)) => address::is_token(hash),
        _ => false,
    };
    let now = Number::from(now_micros.div_euclid(1_000_000));
    is_token && matches!(item.get(EXPIRES), Some(AttributeValue::N(expires)) if *expires <= now)
}

fn seconds(scope: &Scope) -> i64 {
    scope.circumstances.now_micros.div_euclid(1_000_000)
}

/// Where a row of an answer stands; none for an item that is stored as no row at all.
fn address(scope: &Scope, row: &Record) -> Result<Option<AttributeValue>, Error> {
    let Some(address) = spread::locate_first(scope, row)? else {
        return Ok(None);
    };
    let table = &scope.model().table(address.table()).name.value;
    let address = Item::new()
        .with("entity", scope.name(row.entity))
        .with("table", table.as_str())
        .with("key", AttributeValue::M(address.key(scope.model())));
    Ok(Some(AttributeValue::M(address)))
}

/// What stands before the names of tokens: the prefix of the tenant, or the beginning of a partition that is the
/// caller's alone.
fn partition(scope: &Scope) -> Result<String, Error> {
    let isolation = scope.model().isolation.as_ref();
    let Some(isolation) = isolation.filter(|_| scope.asks_rights()) else {
        return Ok(scope.addressing().prefix().to_owned());
    };
    let mut partitions = isolation.partitions.iter();
    let Some(open) = partitions.find(|template| template.open_end) else {
        return Err(Error::usage(
            "the partitions of [isolation] are all whole keys, and the row of a token needs one of its own: leave the \
             token out, or let [isolation] list a pattern that ends in `*`",
        ));
    };
    let text = template::render(scope.model(), &Item::new(), open, &scope.circumstances);
    let text = text.ok_or_else(|| {
        let open = &open.text;
        Error::usage(format!(
            "a token needs the caller's partition `{open}` of [isolation], and the principal lacks what it shows"
        ))
    })?;
    Ok(scope.addressing().add_prefix(text, false))
}

/// The name of a token: a hash of tenant, caller and token, each with its length.
fn digest(scope: &Scope, token: &str) -> String {
    let circumstances = &scope.circumstances;
    let bare = || scope.model().tenant.as_ref()?.bare.as_deref();
    let tenant = circumstances
        .tenant
        .as_deref()
        .or_else(bare)
        .unwrap_or_default();
    let principal = EncodedItem::from(&circumstances.principal);
    let caller: &[u8] = if scope.asks_rights() {
        b"caller"
    } else {
        b"program"
    };
    let mut hash = Sha256::new();
    for part in [
        tenant.as_bytes(),
        caller,
        principal.as_bytes(),
        token.as_bytes(),
    ] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hexadecimal(&hash.finalize())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
