//! `torture planted`.

use super::options::{Options, program};
use crate::report;
use monotable_torture::planted::Bug;
use monotable_torture::preload::Shim;
use std::io;

pub(super) fn run(mut options: Options) -> io::Result<()> {
    let folder = options.folder()?;
    let shim = Shim::build()?;
    let mut missed = Vec::new();
    for bug in Bug::ALL {
        let folder = folder.join(format!("{bug:?}"));
        let found = bug.hunt(&program()?, &folder, &shim, options.seed, options.rounds)?;
        let rounds = found.rounds;
        match found.violations.first() {
            Some(first) => report(&format!("{bug:?}: found in round {rounds}: {first}")),
            None => {
                report(&format!("{bug:?}: NOT found in {rounds} rounds"));
                missed.push(bug);
            }
        }
    }
    if missed.is_empty() {
        Ok(())
    } else {
        Err(io::Error::other(format!("the torture missed {missed:?}")))
    }
}
