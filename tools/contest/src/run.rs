//! The contest: one server after another.

use crate::arguments::Arguments;
use crate::contestant::Contestant;
use crate::exchange::Draft;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::phase::{Dataset, Phase};
use crate::process::Process;
use crate::progress::say;
use crate::report::{Report, ServerFigures, ServerReport, ServerResult};
use crate::running::{Running, Started};
use crate::target;
use crate::trial::{Plan, Trial};
use std::time::Duration;

/// How long an index may lag behind its table.
const LONGEST_LAG: Duration = Duration::from_secs(30);

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let machine = Machine::inspect()?;
    let mut servers = Vec::new();
    for contestant in &arguments.contestants {
        servers.push(ServerReport {
            server: *contestant,
            keeps: contestant.keeps().name(),
            result: take_turn(*contestant, arguments)?,
        });
    }
    Ok(Report {
        machine,
        items: arguments.items,
        connections: arguments.connections,
        verdicts: target::judge(&servers),
        servers,
    })
}

/// What this server is asked: all but the phases that it does not offer.
fn plan(contestant: Contestant, arguments: &Arguments) -> Plan {
    let offered = arguments
        .phases
        .iter()
        .copied()
        .filter(|phase| contestant.offers(*phase));
    Plan {
        dataset: Dataset {
            items: arguments.items,
        },
        phases: offered.collect(),
        connections: arguments.connections,
        requests: arguments.requests,
        longest: arguments.longest,
        longest_lag: LONGEST_LAG,
    }
}

fn take_turn(contestant: Contestant, arguments: &Arguments) -> Result<ServerResult, Failure> {
    let name = contestant.name();
    say(&format!("{name}: starting"));
    let named = |failure: Failure| -> Failure { format!("{name}: {failure}").into() };
    let running = match Running::start(contestant, arguments).map_err(named)? {
        Started::Running(running) => running,
        Started::NotInstalled(program) => {
            let why = format!("no {}; {}", program.display(), contestant.remedy());
            return Ok(ServerResult::NotInstalled(why));
        }
    };
    let trial = Trial {
        name,
        address: running.address,
        process: running.process(),
        plan: &plan(contestant, arguments),
    };
    let measured = match contestant {
        Contestant::Bare => measure_bare(&running, &trial),
        _ => measure(&running, &trial),
    };
    let figures = measured.map_err(|failure| named(running.explain(&failure)))?;
    Ok(ServerResult::Measured(figures))
}

fn measure(running: &Running, trial: &Trial<'_>) -> Result<ServerFigures, Failure> {
    let idle_mb = resident_mb(trial.process)?;
    trial.create_tables()?;
    let load = trial.load()?;
    trial.process.await_rest()?;
    let loaded_mb = resident_mb(trial.process)?;
    let phases: Result<Vec<_>, _> = trial
        .plan
        .phases
        .iter()
        .map(|phase| trial.measure(*phase))
        .collect();
    Ok(ServerFigures {
        first_answer_millis: running.first_answer.as_secs_f64() * 1e3,
        idle_mb,
        load_seconds: Some(load.as_secs_f64()),
        loaded_mb: Some(loaded_mb),
        phases: phases?,
        end_mb: resident_mb(trial.process)?,
    })
}

/// The bare server has no tables, and an answer for gets only: that of one item.
fn measure_bare(running: &Running, trial: &Trial<'_>) -> Result<ServerFigures, Failure> {
    let idle_mb = resident_mb(trial.process)?;
    let gets = trial.plan.phases.iter();
    let phases: Result<Vec<_>, _> = gets
        .map(|phase| trial.measure_drafts(*phase, |number| bare_get(trial.plan, number)))
        .collect();
    Ok(ServerFigures {
        first_answer_millis: running.first_answer.as_secs_f64() * 1e3,
        idle_mb,
        load_seconds: None,
        loaded_mb: None,
        phases: phases?,
        end_mb: resident_mb(trial.process)?,
    })
}

/// The same requests as to all others, with the one answer expected that there is.
fn bare_get(plan: &Plan, number: u64) -> Draft {
    let mut draft = Phase::Get.draft(plan.dataset, number);
    draft.expected.contents.clear();
    draft
}

fn resident_mb(process: Process) -> Result<f64, Failure> {
    Ok(process.resident_bytes()? as f64 / f64::from(1 << 20))
}
