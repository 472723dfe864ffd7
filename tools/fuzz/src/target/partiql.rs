//! PartiQL statements.

use crate::flaw::{Flaw, demand};
use monotable_api::{
    CreateTableInput, Error, ExecuteStatementInput, GlobalSecondaryIndex, PutItemInput,
    ScalarAttributeType,
};
use monotable_engine::Engine;
use monotable_expr::partiql::{ReadPlan, Statement};
use monotable_item::{AttributeValue, EncodedValue, Item};
use std::sync::OnceLock;

/// What parses can be planned, and is carried out or refused, and never fails inside of the engine. What only reads says the
/// same twice.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    let Ok(statement) = Statement::parse(text) else {
        return Ok(());
    };
    let parameters: Vec<EncodedValue> = (0..4).map(|_| AttributeValue::from("x").into()).collect();
    lower(&statement, &parameters);
    // The sample table, whichever the statement names.
    let table = &statement.target().table;
    let text = text.replace(table.as_str(), "Music");
    if statement.is_read() {
        let engine = shared_engine()?;
        let (first, second) = (run(engine, &text)?, run(engine, &text)?);
        demand(first == second, || {
            format!("{text:?} answers {first} and then {second}")
        })
    } else {
        run(&new_engine()?, &text).map(drop)
    }
}

fn lower(statement: &Statement, parameters: &[EncodedValue]) {
    match statement {
        Statement::Select(select) | Statement::Exists(select) => {
            let _ = (select.columns(), select.order());
            if let Ok(Some(condition)) = select.condition(parameters) {
                let plan = ReadPlan::new(condition, "pk", Some("sk"));
                let _ = plan.reads(50);
            }
        }
        Statement::Insert(insert) => drop(insert.item(parameters)),
        Statement::Update(update) => {
            let _ = (update.update(parameters), update.condition(parameters));
        }
        Statement::Delete(delete) => drop(delete.condition(parameters)),
    }
}

/// The answer as a text.
fn run(engine: &Engine, statement: &str) -> Result<String, Flaw> {
    let answer = engine.execute_statement(ExecuteStatementInput::new(statement));
    if let Err(Error::InternalServerError { message }) = &answer {
        return Err(Flaw::new(format!("{statement:?} fails inside: {message}")));
    }
    Ok(format!("{answer:?}"))
}

fn shared_engine() -> Result<&'static Engine, Flaw> {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    match ENGINE.get() {
        Some(engine) => Ok(engine),
        None => {
            let engine = new_engine()?;
            Ok(ENGINE.get_or_init(|| engine))
        }
    }
}

fn new_engine() -> Result<Engine, Flaw> {
    let engine = Engine::in_memory()?;
    engine.create_table(
        CreateTableInput::new("Music", "pk", ScalarAttributeType::S)
            .range("sk", ScalarAttributeType::N)
            .attribute("year", ScalarAttributeType::N)
            .global_index(GlobalSecondaryIndex::new("byYear", "year")),
    )?;
    for number in 0..8 {
        let item = Item::new()
            .with("pk", if number % 2 == 0 { "a" } else { "x" })
            .with("sk", number)
            .with("year", 1960 + number)
            .with("title", format!("song {number}"));
        engine.put_item(PutItemInput::new("Music", item))?;
    }
    Ok(engine)
}
