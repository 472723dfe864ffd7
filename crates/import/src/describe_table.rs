//! The answer of DescribeTable, as the AWS CLI prints it.

use crate::aws_table::{self, Literal};
use crate::document::Node;
use crate::error::ImportError;
use monotable_sketch::{Names, Sketch, Table, name_table};

/// The description in a file, with or without the word around it.
pub(crate) fn find(document: &Node) -> Option<&Node> {
    let inner = document
        .get("Table")
        .or_else(|| document.get("TableDescription"));
    let table = inner.unwrap_or(document);
    table.get("KeySchema").map(|_| table)
}

/// The table alone.
pub(crate) fn read(document: &Node) -> Result<Table, ImportError> {
    let table = find(document)
        .ok_or_else(|| document.error("there is no `Table` with a `KeySchema` here"))?;
    let stored = table.need_text("TableName")?;
    Ok(aws_table::read(table, name_table(stored), &Literal)?.table)
}

pub(crate) fn import(document: &Node) -> Result<Sketch, ImportError> {
    let table = find(document)
        .ok_or_else(|| document.error("there is no `Table` with a `KeySchema` here"))?;
    let stored = table.need_text("TableName")?;
    let aws = aws_table::read(table, name_table(stored), &Literal)?;
    let mut sketch = Sketch {
        name: stored.to_owned(),
        ..Sketch::default()
    };
    aws_table::sketch_rows(&mut sketch, aws, &mut Names::default());
    Ok(sketch)
}
