//! Journals: the bytes of a store's last journal.

use crate::flaw::{Flaw, demand};
use crate::template::{Template, open, scan};
use monotable_engine::OpenError;
use std::path::Path;
use tempfile::TempDir;

/// Longer journals cost time and say nothing more.
const LONGEST: usize = 64_000;

/// Whatever a journal is, the store is refused with a reason, or opens and is sound: every item is whole, and the table
/// agrees with its index. What was noted as acknowledged is left out, so that a shorter journal opens.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    if input.len() > LONGEST {
        return Ok(());
    }
    let template = Template::get()?;
    let last = last_journal(template)
        .ok_or_else(|| Flaw::new("the store of the template has no journal"))?;
    let folder = TempDir::new()?;
    template.write(folder.path(), |name, bytes| {
        if name == last {
            Some(input.to_vec())
        } else {
            (name != Path::new("NOTED")).then(|| bytes.to_vec())
        }
    })?;
    let engine = match open(folder.path()) {
        Ok(engine) => engine,
        Err(error) => return demand_reason(&error),
    };
    let sound = engine.verify().map(|found| found.problems);
    let items = scan(&engine, None);
    engine.close();
    if let Ok(problems) = sound {
        demand(problems.is_empty(), || {
            format!("it opens with {problems:?}")
        })?;
    }
    for item in items.iter().flatten() {
        demand(item.is_well_formed(), || {
            format!("it has a damaged item {item:?}")
        })?;
    }
    Ok(())
}

fn last_journal(template: &Template) -> Option<&Path> {
    let names = template.files.iter().map(|(name, _)| name.as_path());
    names
        .filter(|name| name.extension().is_some_and(|kind| kind == "jnl"))
        .max()
}

fn demand_reason(error: &OpenError) -> Result<(), Flaw> {
    demand(!error.to_string().is_empty(), || {
        "it is refused without a word".to_owned()
    })
}

/// The journal of the template, without the zeros that are reserved behind it.
pub(crate) fn sample() -> Result<Vec<u8>, Flaw> {
    let template = Template::get()?;
    let last = last_journal(template);
    let mut files = template.files.iter();
    let file = files.find(|(name, _)| Some(name.as_path()) == last);
    let bytes = file.map(|(_, bytes)| bytes.clone()).unwrap_or_default();
    let end = bytes
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(0, |last| last + 1);
    Ok(bytes.into_iter().take(end).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn the_journal_of_the_template_opens_with_all_items() {
        let template = Template::get().unwrap();
        let journal = sample().unwrap();
        assert!(journal.len() > 1_000, "{}", journal.len());
        let folder = TempDir::new().unwrap();
        let last = last_journal(template).unwrap();
        let choose = |name: &Path, bytes: &[u8]| {
            let is_last = name == last;
            Some(if is_last {
                journal.clone()
            } else {
                bytes.to_vec()
            })
        };
        template.write(folder.path(), choose).unwrap();
        let engine = open(folder.path()).unwrap();
        template.demand_same(&engine).unwrap();
        assert_eq!(scan(&engine, None).unwrap().len(), 40);
        engine.close();
    }
}
