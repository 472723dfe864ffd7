//! Items of the store itself, which stand in the tables of a model beside its rows.
//!
//! Their partition keys cannot be those of rows: the checker refuses templates that begin as they do, and a row whose
//! values would give such a key is refused when its key is rendered.

use super::{Address, Owner};
use monotable_model::model::{Model, TableId};

/// How partition keys of the store's own items begin, behind whatever keeps tenants and callers apart.
const PREFIX: &str = "monotable#";

/// The beginning of the partition keys of token rows.
const TOKEN: &str = "monotable#token#";

/// The sort key of token rows, where the table has one.
const TOKEN_SORT: &str = "monotable#token";

/// How many hexadecimal digits the name of a token has.
const DIGITS: usize = 64;

/// The partition key of the store's own item, and its sort key, where the table has one.
const STORE: &str = "monotable#store";

/// The table that holds the store's own items.
pub(crate) fn table(model: &Model) -> Option<TableId> {
    model.tables().next().map(|(id, _)| id)
}

/// Where the row of a token stands. `before` is the tenant's prefix, or the beginning of a partition of the caller.
pub(super) fn locate_token(model: &Model, before: &str, digest: &str) -> Option<Address> {
    locate(model, format!("{before}{TOKEN}{digest}"), TOKEN_SORT)
}

/// Where the store's own item stands.
pub(super) fn locate_store_item(model: &Model) -> Option<Address> {
    locate(model, STORE.to_owned(), STORE)
}

fn locate(model: &Model, partition: String, sort: &str) -> Option<Address> {
    let table = table(model)?;
    let declared = model.table(table);
    Some(Address {
        table,
        partition,
        sort: declared.range.as_ref().map(|_| sort.to_owned()),
        owner: Owner::Reserved,
    })
}

/// Whether a partition key is one of the store's own.
pub(crate) fn is_reserved(partition: &str) -> bool {
    is_store(partition) || is_token(partition)
}

/// Whether a partition key is that of the store's own item.
pub(crate) fn is_store(partition: &str) -> bool {
    partition == STORE
}

/// Whether a partition key is that of a token row: whatever stands before it, it ends in a token's name.
pub(crate) fn is_token(partition: &str) -> bool {
    let Some(start) = partition.len().checked_sub(TOKEN.len() + DIGITS) else {
        return false;
    };
    let own = partition.get(start..);
    let digits = own.and_then(|own| own.strip_prefix(TOKEN));
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether a row may not have a partition key: `own` as its template gives it, `partition` as it is stored.
pub(super) fn is_refused(own: &str, partition: &str) -> bool {
    own.starts_with(PREFIX) || is_reserved(partition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_told_by_their_end() {
        let digest = "0123456789abcdef".repeat(4);
        for before in ["", "blue/", "U#abc#", "é"] {
            assert!(is_token(&format!("{before}monotable#token#{digest}")));
        }
        for other in [
            String::new(),
            "é".repeat(40),
            digest.clone(),
            format!("monotable#token#{digest}0"),
            format!("monotable#token#{}", "g".repeat(64)),
            format!("monotable#store#{digest}"),
        ] {
            assert!(!is_reserved(&other), "{other}");
        }
    }
}
