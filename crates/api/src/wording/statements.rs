//! Words about requests with PartiQL statements. Those about statements themselves are in
//! `monotable_expr::partiql`.

pub(crate) const MIXED_TRANSACTION: &str =
    "ExecuteTransaction API does not support both read and write operations in the same request.";
/// AWS documents the rule; the sentence is made after that of transactions.
pub(crate) const MIXED_BATCH: &str = "BatchExecuteStatement API does not support both read and write operations in the same request.";

pub(crate) fn refused_statement(position: usize, message: &str) -> String {
    format!("Validation failed in TransactStatements[{position}]: {message}")
}
