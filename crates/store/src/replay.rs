//! The answer of a call that was made before: its rows as they are now, shown as any read of the caller shows them.

use crate::address::Address;
use crate::error::{Clash, Error, ErrorKind};
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::operation::Committed;
use crate::operation::{AnyOperation, AnyOutput, MoveRow, Transact};
use crate::read::{self, Sight};
use crate::reader::Reader;
use crate::record;
use crate::rights::Gate;
use crate::row::Row;
use crate::scope::{CallToken, Scope};
use crate::spread;
use crate::token::{FINGERPRINT, OPERATION, ROWS, is_expired_token_row};
use crate::write;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::EntityId;

/// A row of an answer.
struct AnswerRow {
    entity: EntityId,
    address: Address,
}

/// The answer of the call that the token has named before; none if there was no such call.
pub(crate) async fn find_answer(
    reader: &Reader<'_>,
    operation: &AnyOperation,
) -> Result<Option<AnyOutput>, Interrupt> {
    let Some(token) = &reader.token else {
        return Ok(None);
    };
    let row = reader.get(&token.address, true).await?;
    let Some(row) = row.map(|row| row.to_item()) else {
        return Ok(None);
    };
    let table = reader.model().table(token.address.table());
    if is_expired_token_row(table, &row, reader.circumstances.now_micros) {
        return Ok(None);
    }
    refuse_other_call(token, operation, &row)?;
    replay(reader, operation, &row).await.map(Some)
}

/// A call that fails may have lost a race to itself, sent twice: then the answer of the winner is also its own.
pub(crate) async fn answer_again(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    error: Error,
) -> Result<AnyOutput, Interrupt> {
    let final_word = matches!(error.kind(), ErrorKind::Retryable | ErrorKind::Fatal);
    if reader.token.is_none() || !reader.mode.writes() || final_word {
        return Err(error.into());
    }
    match find_answer(reader, operation).await {
        Ok(Some(outcome)) => Ok(outcome),
        Ok(None) | Err(_) => Err(error.into()),
    }
}

/// Another call of the same caller cannot have the same token.
fn refuse_other_call(token: &CallToken, operation: &AnyOperation, row: &Item) -> Result<(), Error> {
    let said = |name: &str| match row.get(name) {
        Some(AttributeValue::S(text)) => text.as_str(),
        _ => "",
    };
    if said(OPERATION) == token.operation && said(FINGERPRINT) == token.fingerprint {
        return Ok(());
    }
    let clash = Clash::TokenMismatch {
        earlier: said(OPERATION).to_owned(),
        now: token.operation,
    };
    Err(Error::conflict(operation.subject(), clash))
}

async fn replay(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    row: &Item,
) -> Result<AnyOutput, Interrupt> {
    let answer = read_answer(reader, row)?;
    let addresses: Vec<Address> = answer.iter().map(|one| one.address.clone()).collect();
    let items = reader.get_many_or_none(&addresses).await?;
    let mut rows = Vec::new();
    for (row, item) in answer.iter().zip(items) {
        rows.push(show(reader, row, item).await?);
    }
    finish(reader, operation, &answer).await?;
    match operation {
        AnyOperation::Transact(_) => Ok(AnyOutput::Rows(rows)),
        AnyOperation::Commit(_)
        | AnyOperation::CommitAll(_)
        | AnyOperation::Carry(_)
        | AnyOperation::Revert(_) => Ok(AnyOutput::Committed(Committed {
            revisions: rows,
            warnings: Vec::new(),
        })),
        _ => match rows.into_iter().next() {
            Some(row) => Ok(AnyOutput::Row(row)),
            None => {
                let mention = Mention::new("that the call answered with");
                Err(Error::not_found(operation.subject(), mention).into())
            }
        },
    }
}

/// What the caller may see of a row now; of one that is gone, the key.
async fn show(reader: &Reader<'_>, row: &AnswerRow, item: Option<Item>) -> Result<Row, Interrupt> {
    let AnswerRow { entity, address } = row;
    let item = item.map(EncodedItem::from);
    let record = match read::look(reader, *entity, address, item).await? {
        Sight::Row(record) => record.map(|record| spread::join(reader, record)),
        Sight::Gone => {
            let key = address.key(reader.model());
            let record = record::read_key(
                reader.compiled(),
                *entity,
                reader.addressing().prefix(),
                &key,
            );
            Gate::new(reader).answer_key(record)
        }
        Sight::Hidden => {
            let mention = reader.mention(*entity, address);
            return Err(Error::not_found(reader.name(*entity), mention).into());
        }
    };
    Ok(Row::reveal(reader.compiled(), record))
}

/// A delete or a move that broke off after its last transaction has not looked for rows that came meanwhile: this call does.
async fn finish(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    answer: &[AnswerRow],
) -> Result<(), Interrupt> {
    let operations = match operation {
        AnyOperation::Transact(Transact { operations }) => operations.as_slice(),
        one => std::slice::from_ref(one),
    };
    for (operation, row) in operations.iter().zip(answer) {
        match operation {
            AnyOperation::Delete(_) | AnyOperation::Detach(_) => {
                write::finish_delete(reader, row.entity, &row.address).await?;
            }
            AnyOperation::MoveRow(MoveRow { name, key, set }) => {
                write::finish_move(reader, name, key, set).await?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Where the rows of the answer stand.
fn read_answer(scope: &Scope, row: &Item) -> Result<Vec<AnswerRow>, Error> {
    let Some(AttributeValue::L(rows)) = row.get(ROWS) else {
        return Err(unreadable());
    };
    let read = |row: &AttributeValue| read_answer_row(scope, row).ok_or_else(unreadable);
    rows.iter().map(read).collect()
}

fn read_answer_row(scope: &Scope, row: &AttributeValue) -> Option<AnswerRow> {
    let AttributeValue::M(row) = row else {
        return None;
    };
    let text = |name: &str| match row.get(name) {
        Some(AttributeValue::S(text)) => Some(text.as_str()),
        _ => None,
    };
    let Some(AttributeValue::M(key)) = row.get("key") else {
        return None;
    };
    let model = scope.model();
    let (entity, _) = model.entity_named(text("entity")?)?;
    let named = text("table")?;
    let (table, _) = model
        .tables()
        .find(|(_, known)| known.name.value == named)?;
    let address = scope.addressing().locate_item(table, key)?;
    Some(AnswerRow { entity, address })
}

fn unreadable() -> Error {
    Error::integrity(
        "the row of this token names rows that the model does not know: the call was made with another model; make it \
         again with a new token if it is still wanted",
    )
}
