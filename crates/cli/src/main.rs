//! The command line of Monotable: the binary `monotable`.
//!
//! Layout:
//! - `main.rs`: the commands in one flat match; `command/`: a file for each, with its arguments, its
//!   help and what it does; `spelling.rs`: command lines of earlier releases;
//! - `access_keys.rs`: the file of access keys, with policies;
//! - `target.rs`: which DynamoDB a command works on; `table_keys.rs`: its tables' keys;
//! - `notation.rs`, `plain_json.rs`: items as text; `reading.rs`, `pages.rs`: items page by page;
//! - `rows.rs`: the rows of a model, what the commands with `-m` have in common;
//! - `versions.rs`: versioned repositories of a model; `input.rs`: items and changes that are read;
//! - `sample.rs`: operations that fill a store; `mounted_models.rs`: the REST API as a part of the server;
//! - `confirmation.rs`: what is typed before something is destroyed;
//! - `destination.rs`: files that are written whole or not at all;
//! - `model_file.rs`, `demo_models.rs`: the text of a model; `findings.rs`: what is wrong with it, for people and programs;
//! - `output.rs`: what is printed; `exit.rs`: errors and exit codes; `interrupt.rs`: Ctrl-C;
//!   `progress.rs`: how far it is.
//!
//! This is the only crate that prints.

mod access_keys;
mod command;
mod confirmation;
mod demo_models;
mod destination;
mod exit;
mod findings;
mod input;
mod interrupt;
mod model_file;
mod mounted_models;
mod notation;
mod output;
mod pages;
mod plain_json;
mod progress;
mod reading;
mod rows;
mod sample;
mod spelling;
mod table_keys;
mod target;
mod versions;
mod workbench_argument;

use clap::{CommandFactory, Parser, Subcommand};
use command::adopt::Adopt;
use command::attach::Attach;
use command::backup::Backup;
use command::carry::Carry;
use command::check::Check;
use command::check_secret::CheckSecret;
use command::commit::Commit;
use command::completions::Completions;
use command::copy::Copy;
use command::create::Create;
use command::delete::Delete;
use command::demo::Demo;
use command::describe::Describe;
use command::detach::Detach;
use command::dev::Dev;
use command::diff::Diff;
use command::doctor::DoctorCommand;
use command::dump::Dump;
use command::export::Export;
use command::generate::Generate;
use command::get::Get;
use command::import::Import;
use command::infer::Infer;
use command::init::Init;
use command::load::Load;
use command::log::Log;
use command::migrate::Migrate;
use command::move_row::MoveRow;
use command::patterns::Patterns;
use command::policy::PolicyCommand;
use command::purge::Purge;
use command::put::Put;
use command::query::Query;
use command::restore::Restore;
use command::revert::Revert;
use command::rollback::Rollback;
use command::seed::Seed;
use command::serve::Serve;
use command::setup::Setup;
use command::show::Show;
use command::sweep::Sweep;
use command::table::TableCommand;
use command::transact::Transact;
use command::update::Update;
use command::verify::Verify;
use exit::Failure;
use interrupt::interruptible;
use spelling::{DefaultModel, Spelling};
use std::process::ExitCode;

const CODES: &str = "\
Examples:
  $ monotable demo                     # five filled stores on port 8000, and a tour to paste
  $ monotable init                     # a small commented model, to begin your own with
  $ monotable patterns -m yggdrasil    # what can be asked of a model
  $ monotable query --help             # what a command takes, with examples

Exit codes:
  0    done
  1    violations (verify, adopt), damage (doctor), a difference (generate --check), or the answer is no (check-secret,
       policy test)
  2    wrong usage, or values that the model refuses
  130  interrupted
  253  configuration, or a model with errors
  254  the service answered with an error, or what is stored is in the way: a conflict, not found, forbidden
  255  anything else

The variables NO_COLOR and CLICOLOR_FORCE are respected.";

/// Single-table designs for DynamoDB as models: proved, run and served; and a durable DynamoDB of your own
#[derive(Parser, Debug)]
#[command(name = "monotable", version, after_help = CODES, subcommand_required = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Demo(Demo),
    Init(Init),
    Dev(Dev),
    Check(Check),
    Describe(Describe),
    Export(Export),
    Import(Import),
    Infer(Infer),
    Generate(Generate),
    Serve(Serve),
    #[command(name = "policy")]
    Policy(PolicyCommand),
    #[command(name = "table")]
    Table(TableCommand),
    Get(Get),
    Put(Put),
    Query(Query),
    Patterns(Patterns),
    Setup(Setup),
    Create(Create),
    Update(Update),
    Delete(Delete),
    Transact(Transact),
    CheckSecret(CheckSecret),
    Attach(Attach),
    Detach(Detach),
    #[command(name = "move")]
    MoveRow(MoveRow),
    Commit(Commit),
    Log(Log),
    Show(Show),
    Diff(Diff),
    Rollback(Rollback),
    Revert(Revert),
    Carry(Carry),
    Sweep(Sweep),
    Purge(Purge),
    Verify(Verify),
    Adopt(Adopt),
    #[command(name = "doctor")]
    Doctor(DoctorCommand),
    Seed(Seed),
    Load(Load),
    Dump(Dump),
    Backup(Backup),
    Restore(Restore),
    Copy(Copy),
    Migrate(Migrate),
    Completions(Completions),
}

fn main() -> ExitCode {
    let default_model = if rows::find_default().is_some() {
        DefaultModel::Found
    } else {
        DefaultModel::None
    };
    let Spelling { arguments, note } =
        spelling::modernize(std::env::args_os().collect(), default_model);
    if let Some(note) = note {
        exit::note(note);
    }
    exit::report(run(CommandLine::parse_from(arguments).command))
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Demo(demo) => demo.run(),
        Command::Init(init) => init.run(),
        Command::Dev(dev) => dev.run(),
        Command::Check(check) => check.run(),
        Command::Describe(describe) => describe.run(),
        Command::Export(export) => export.run(),
        Command::Import(import) => import.run(),
        Command::Infer(infer) => interruptible(infer.run()),
        Command::Generate(generate) => generate.run(),
        Command::Serve(serve) => serve.run(),
        Command::Policy(policy) => policy.run(),
        Command::Table(table) => interruptible(table.run()),
        Command::Get(get) => interruptible(get.run()),
        Command::Put(put) => interruptible(put.run()),
        Command::Query(query) => interruptible(query.run()),
        Command::Patterns(patterns) => patterns.run(),
        Command::Setup(setup) => interruptible(setup.run()),
        Command::Create(create) => interruptible(create.run()),
        Command::Update(update) => interruptible(update.run()),
        Command::Delete(delete) => interruptible(delete.run()),
        Command::Transact(transact) => interruptible(transact.run()),
        Command::CheckSecret(check) => interruptible(check.run()),
        Command::Attach(attach) => interruptible(attach.run()),
        Command::Detach(detach) => interruptible(detach.run()),
        Command::MoveRow(moving) => interruptible(moving.run()),
        Command::Commit(commit) => interruptible(commit.run()),
        Command::Log(log) => interruptible(log.run()),
        Command::Show(show) => interruptible(show.run()),
        Command::Diff(diff) => interruptible(diff.run()),
        Command::Rollback(rollback) => interruptible(rollback.run()),
        Command::Revert(revert) => interruptible(revert.run()),
        Command::Carry(carry) => interruptible(carry.run()),
        Command::Sweep(sweep) => interruptible(sweep.run()),
        Command::Purge(purge) => interruptible(purge.run()),
        Command::Verify(verify) => interruptible(verify.run()),
        Command::Adopt(adopt) => interruptible(adopt.run()),
        Command::Doctor(doctor) => doctor.run(),
        Command::Seed(seed) => interruptible(seed.run()),
        Command::Load(load) => interruptible(load.run()),
        Command::Dump(dump) => interruptible(dump.run()),
        Command::Backup(backup) => interruptible(backup.run()),
        Command::Restore(restore) => interruptible(restore.run()),
        Command::Copy(copy) => interruptible(copy.run()),
        Command::Migrate(migrate) => interruptible(migrate.run()),
        Command::Completions(completions) => completions.run(CommandLine::command()),
    }
}
