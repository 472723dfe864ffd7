//! Models of schemas that other tools have.
//!
//! [`import`] makes a model of the text of a file: NoSQL Workbench's data models, OneTable's and ElectroDB's schemas as JSON,
//! CloudFormation's tables and the answer of DescribeTable. Keys are rendered as the tool renders them, byte for byte. What the model
//! language cannot say becomes a remark at its place, and nothing is dropped silently.
//!
//! Layout:
//! - `document.rs`: JSON and YAML as one tree with places; `error.rs`: what is wrong, and where;
//! - `source.rs`: whose file it is; one file for each tool: `workbench.rs`, `onetable.rs`, `electrodb.rs`,
//!   `cloudformation.rs`, `describe_table.rs`; `aws_table.rs`: a table in AWS's words;
//! - `words.rs`: types and clauses of the model language.

mod aws_table;
mod cloudformation;
mod describe_table;
mod document;
mod electrodb;
mod error;
mod onetable;
mod source;
mod words;
mod workbench;

pub use error::{ImportError, Spot};
pub use source::Source;

use monotable_sketch::{
    Proof, Remark, Sketch, Table, name_table, prove, separate_keys, suggest_patterns,
};

/// What free text in a key needs, so that the key is read back in one way.
const NO_DELIMITER: &str = "The source allows any text here. In a key a value must not contain {}, or two rows could have one key; such a value is refused.";

/// What to import, and as what.
#[derive(Clone, Debug, Default)]
pub struct Request<'r> {
    /// The text of the file.
    pub text: &'r str,
    /// Whose file it is; without it, what it looks like.
    pub source: Option<Source>,
    /// The name of the model, if the file has none.
    pub name: &'r str,
    /// The name of the table in DynamoDB, if there is one table: some sources do not say it.
    pub table: Option<&'r str>,
}

/// A model that was made.
#[derive(Debug)]
pub struct Imported {
    /// Whose file it was.
    pub source: Source,
    /// Its text, and what the check says about it.
    pub proof: Proof,
    /// What could not be said, and what to know.
    pub remarks: Vec<Remark>,
    /// How many of each.
    pub tables: usize,
    /// Entities of the model.
    pub entities: usize,
    /// Access patterns that hold.
    pub patterns: usize,
}

/// Makes a model of a file.
///
/// # Errors
///
/// If the file cannot be read, or is not what it is said to be.
pub fn import(request: &Request<'_>) -> Result<Imported, ImportError> {
    let document = document::parse(request.text)?;
    let source = match request.source {
        Some(source) => source,
        None => Source::recognise(&document)?,
    };
    let mut sketch = source.import(&document)?;
    complete(&mut sketch, request, source);
    separate_keys(&mut sketch, Some(NO_DELIMITER));
    suggest_patterns(&mut sketch);
    let proof = prove(&mut sketch);
    let held = sketch.patterns.iter();
    Ok(Imported {
        source,
        remarks: sketch.remarks(),
        tables: sketch.tables.len(),
        entities: sketch.entities.len(),
        patterns: held.filter(|pattern| pattern.refused.is_none()).count(),
        proof,
    })
}

/// The table of an answer of DescribeTable.
///
/// # Errors
///
/// If the text is no such answer.
pub fn read_description(text: &str) -> Result<Table, ImportError> {
    describe_table::read(&document::parse(text)?)
}

fn complete(sketch: &mut Sketch, request: &Request<'_>, source: Source) {
    if sketch.name.is_empty() {
        request.name.clone_into(&mut sketch.name);
    }
    if let [table] = sketch.tables.as_mut_slice() {
        name_only_table(table, request.table);
    }
    sketch.origin = Some(format!(
        "Imported from {source} by `monotable import`. Comments say what could not be said, and what to know."
    ));
}

/// Gives the one table of a file the name that is given, or one at all where the source does not say what it is called.
fn name_only_table(table: &mut Table, given: Option<&str>) {
    let is_unnamed = table.name.is_empty();
    if is_unnamed {
        table.name = name_table(given.unwrap_or("Main"));
    }
    if let Some(stored) = given {
        table.stored = (table.name != stored).then(|| stored.to_owned());
    } else if is_unnamed {
        table.remarks.push(
            "The source does not say what its table is called: give it with `name`, or import with --table."
                .to_owned(),
        );
    }
}
