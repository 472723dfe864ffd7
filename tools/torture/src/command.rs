//! The commands.

mod calls;
mod enumerate;
mod faults;
mod flips;
mod kill;
mod options;
mod planted;
mod power;
mod progress;

use self::options::Options;
use monotable_engine::Durability;
use monotable_torture::child::{self, WriterSettings};
use monotable_torture::power_loss::{Loss, cut_power};
use monotable_torture::{script, storm};
use std::io;
use std::path::Path;

const USAGE: &str = "\
usage: torture kill    [--rounds 300] [--seed N] [--dir D] [--relaxed]
       torture power   [--rounds 200] [--seed N] [--dir D] [--durability relaxed]
       torture faults  [--rounds 50]  [--seed N] [--dir D]
       torture flips   [--rounds EVERY_BYTES]  [--dir D]
       torture calls   [--rounds EVERY_CALL]   [--dir D]
       torture enumerate [--rounds MOST_STATES] [--dir D]
       torture planted [--rounds 20]  [--seed N] [--dir D]
       torture cut-power DIRECTORY LOG [SEED]";

/// `child`, `script` and `storm` are started by the torture and its tests, and not in the usage.
pub(super) fn run(arguments: &[&str]) -> io::Result<()> {
    match arguments {
        ["kill", options @ ..] => kill::run(Options::parse(options, 300)?),
        ["power", options @ ..] => power::run(Options::parse(options, 200)?),
        ["faults", options @ ..] => faults::run(Options::parse(options, 50)?),
        ["flips", options @ ..] => flips::run(Options::parse(options, 7)?),
        ["calls", options @ ..] => calls::run(Options::parse(options, 1)?),
        ["enumerate", options @ ..] => enumerate::run(Options::parse(options, 120_000)?),
        ["child", "calls", store, notes] => {
            monotable_torture::calls::run_child(store.as_ref(), notes.as_ref())
        }
        ["child", "record", folder, requests] => {
            monotable_torture::enumeration::record_child(folder.as_ref(), number(requests)?)
        }
        ["planted", options @ ..] => planted::run(Options::parse(options, 20)?),
        ["cut-power", directory, log] => cut(directory, log, Loss::Everything),
        ["cut-power", directory, log, seed] => {
            let seed = number(seed)?;
            cut(directory, log, Loss::Some { seed })
        }
        [
            "child",
            "write",
            directory,
            durability,
            threads,
            writer,
            seed,
        ] => child::write(&WriterSettings {
            directory: directory.into(),
            durability: parse_durability(durability)?,
            threads: number(threads)?,
            writer: number(writer)?,
            seed: number(seed)?,
        }),
        ["child", "check", directory, durability, threads] => child::check(
            directory.as_ref(),
            parse_durability(durability)?,
            number(threads)?,
        ),
        ["script", directory] => script::run(directory.into(), io::stdin().lock(), io::stdout()),
        ["storm", directory, threads] => storm::run(directory.as_ref(), number(threads)?),
        _ => Err(io::Error::other(USAGE)),
    }
}

fn cut(directory: &str, log: &str, loss: Loss) -> io::Result<()> {
    let damage = cut_power(directory.as_ref(), &[Path::new(log)], loss)?;
    let (changes, files) = (damage.unsynced_changes, damage.files);
    super::report(&format!("{changes} unsynced change(s) in {files} file(s)"));
    Ok(())
}

fn parse_durability(name: &str) -> io::Result<Durability> {
    match name {
        "sync" => Ok(Durability::Sync),
        "relaxed" => Ok(Durability::Relaxed),
        other => {
            let message = format!("`{other}` is no durability: sync or relaxed");
            Err(io::Error::other(message))
        }
    }
}

fn number<N: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> io::Result<N> {
    text.parse()
        .map_err(|error| io::Error::other(format!("`{text}`: {error}")))
}
