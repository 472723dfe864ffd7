//! Items in a file, one on each line.

use crate::exit::Failure;
use crate::model_file::is_stdin;
use monotable_item::{GivenItem, Item};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Items by the name of their table.
pub(super) type Tables = Vec<(String, Vec<Item>)>;

/// A line that `backup` has written.
#[derive(Deserialize)]
struct BackedUp {
    table: String,
    item: GivenItem,
}

/// A line of an export.
#[derive(Deserialize)]
struct ExportLine {
    #[serde(rename = "Item")]
    item: GivenItem,
}

/// Reads up to so many items of each table.
pub(super) fn read(path: &Path, name: &str, limit: usize) -> Result<Tables, Failure> {
    let shown = path.display().to_string();
    let reader: Box<dyn BufRead> = if is_stdin(path) {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let file = File::open(path).map_err(|error| cannot_read(&shown, &error))?;
        Box::new(BufReader::new(file))
    };
    let mut tables = Tables::new();
    for (number, line) in (1..).zip(reader.lines()) {
        let line = line.map_err(|error| cannot_read(&shown, &error))?;
        if line.trim().is_empty() {
            continue;
        }
        // Some programs put a mark before a text.
        let line = if number == 1 {
            line.trim_start_matches('\u{feff}')
        } else {
            line.as_str()
        };
        let (table, item) = read_line(line).map_err(|problem| {
            Failure::configuration(format_args!("{shown} has a line that is no item"))
                .at_line(number)
                .because(problem)
                .help("a line is an item in DynamoDB's JSON: {\"PK\": {\"S\": \"USER#1\"}}")
        })?;
        let table = table.unwrap_or_else(|| name.to_owned());
        let known = tables.iter_mut().find(|(known, _)| *known == table);
        match known {
            Some((_, items)) if items.len() < limit => items.push(item),
            Some(_) => {}
            None => tables.push((table, vec![item])),
        }
    }
    Ok(tables)
}

fn read_line(line: &str) -> Result<(Option<String>, Item), String> {
    let (table, given) = if let Ok(line) = serde_json::from_str::<BackedUp>(line) {
        (Some(line.table), line.item)
    } else if let Ok(line) = serde_json::from_str::<ExportLine>(line) {
        (None, line.item)
    } else {
        let item = serde_json::from_str::<GivenItem>(line).map_err(|error| error.to_string())?;
        (None, item)
    };
    let item = given
        .into_checked()
        .map_err(|problem| problem.to_string())?;
    Ok((table, item.to_item()))
}

fn cannot_read(name: &str, error: &io::Error) -> Failure {
    Failure::other(format_args!("cannot read {name}")).caused_by(error)
}
