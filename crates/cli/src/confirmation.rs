//! Typed confirmation of what cannot be undone, for anything but a store of this machine.

use crate::exit::Failure;
use crate::rows::Opened;
use crate::target::Place;
use monotable_api::{DynamoExt, ScanInput};
use std::io::{self, BufRead, IsTerminal, Write};

/// Has the user type a word before something is destroyed. A folder of this machine is the user's own: there nothing is asked.
pub(crate) fn confirm(
    place: &Place,
    what: &str,
    word: &str,
    given: Option<&str>,
) -> Result<(), Failure> {
    if matches!(place, Place::Store(_) | Place::Memory) {
        return Ok(());
    }
    let typed = match given {
        Some(given) => given.to_owned(),
        None if io::stdin().is_terminal() && io::stderr().is_terminal() => ask(what, word)?,
        None => {
            return Err(Failure::usage(format_args!(
                "{what} {}, which cannot be undone",
                place.locate()
            ))
            .because("nothing was changed")
            .help(format_args!("say that you mean it: --confirm {word}")));
        }
    };
    if typed == word {
        return Ok(());
    }
    Err(Failure::usage(format_args!(
        "`{typed}` is not `{word}`; nothing was changed"
    ))
    .help(format_args!("say that you mean it: --confirm {word}")))
}

/// Has the user confirm that items of tables that have some may be replaced.
pub(crate) async fn confirm_full(
    to: &Opened,
    what: &str,
    given: Option<&str>,
) -> Result<(), Failure> {
    let model = to.store.model();
    for id in model.stored_tables() {
        let table = &model.table(id).physical;
        let scan = ScanInput {
            limit: Some(2),
            ..ScanInput::new(table)
        };
        let found = to.store.sender().scan(scan).await?.items;
        let mut found = found.unwrap_or_default().into_iter();
        if found.any(|item| !to.store.is_own_item(id, &item.to_item())) {
            let what = format!("{what} replaces items of {table}");
            confirm(&to.place, &what, table, given)?;
        }
    }
    Ok(())
}

fn ask(what: &str, word: &str) -> Result<String, Failure> {
    let mut stderr = io::stderr();
    write!(
        stderr,
        "{what}, which cannot be undone. Type {word} to go on: "
    )?;
    stderr.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}
