//! Every call by every caller, held against what the naive evaluator says.

use super::answers::{judge_rows, rows_of};
use super::cells::{self, Cell, CellKind, Subject};
use super::evaluator::{Caller, Evaluator};
use super::expectation::{self, Expectation};
use super::fixture::{Fixture, Variant};
use super::judge;
use super::leaks::Canaries;
use super::plain;
use super::replay;
use super::report::Report;
use super::state::State;
use super::world::{Change, World};
use monotable_store::{AnyOperation, AnyOutput, Clash, Error, Failure, Options, Store};
use std::collections::BTreeSet;

/// Runs the matrix of one model in one variant.
pub(crate) async fn run(fixture: &Fixture, variant: &Variant) -> Report {
    let world = World::open(fixture, variant).await;
    let state = world.state();
    let callers = variant.callers.as_ref().unwrap_or(&fixture.callers);
    let evaluators: Vec<Evaluator<'_>> = callers
        .iter()
        .map(|caller| Evaluator {
            state: &state,
            caller,
            settings: &world.settings,
            written: Vec::new(),
            is_alone: false,
        })
        .collect();
    let text = variant.apply(&fixture.model_text());
    let mut report = Report::new(&fixture.model, &variant.name, fixture.known(&variant.name));
    let cells = cells::list_cells(fixture, &world, &evaluators, &state);
    let mut answered: BTreeSet<&Subject> = BTreeSet::new();
    for evaluator in &evaluators {
        let canaries = Canaries::new(evaluator, &text);
        report.note_canaries(canaries.len());
        for cell in cells::choose(&cells, evaluator.caller.sample) {
            let run = Run {
                revocation: fixture
                    .revocation
                    .as_deref()
                    .filter(|_| evaluator.caller.name == callers[0].name),
                world: &world,
                state: &state,
                evaluator,
                canaries: &canaries,
                cell,
            };
            let problems = run.judge().await;
            if problems.is_answered {
                answered.insert(&cell.subject);
            }
            report.add(&evaluator.caller.name, &cell.call, problems.said);
        }
        world.assert_restored();
    }
    for cell in cells.iter().filter(|cell| cell.kind == CellKind::Possible) {
        let is_empty = fixture.empty.contains_key(&cell.subject.1);
        if !answered.contains(&cell.subject) && !is_empty {
            report.add(
                "nobody",
                &cell.call,
                vec![format!("{:?} is answered to nobody", cell.subject)],
            );
        }
    }
    report
}

/// What was wrong with a cell, and whether the caller was let through.
#[derive(Default)]
pub(crate) struct Problems {
    said: Vec<String>,
    is_answered: bool,
}

/// One call of one caller.
pub(crate) struct Run<'r> {
    /// A call by which the program takes rights from this caller.
    pub(crate) revocation: Option<&'r str>,
    pub(crate) world: &'r World,
    pub(crate) state: &'r State<'r>,
    pub(crate) evaluator: &'r Evaluator<'r>,
    pub(crate) canaries: &'r Canaries,
    pub(crate) cell: &'r Cell,
}

impl Run<'_> {
    /// The store as the caller has it.
    pub(crate) fn store(&self) -> Store {
        let Caller {
            principal, tenant, ..
        } = self.evaluator.caller;
        let mut store = self.world.store.clone();
        if let Some(principal) = principal {
            store = store.as_principal(plain::write_item(principal));
        }
        if let Some(tenant) = tenant {
            store = store.tenant(tenant);
        }
        store
    }

    async fn judge(&self) -> Problems {
        let call = AnyOperation::from_json(&self.cell.call);
        let call = call.unwrap_or_else(|error| panic!("{}: {error}", self.cell.call));
        let expectation = expectation::expect(self.world, self.evaluator, self.cell, &call).await;
        let mut problems = Problems::default();
        // Where the model has no such operation, nothing is sent that could be explained.
        if self.cell.kind == CellKind::Possible {
            self.judge_explanation(&call, &expectation, &mut problems)
                .await;
        }
        self.judge_call(&call, expectation, &mut problems).await;
        problems
    }

    /// What is refused is refused by an explanation too, and nothing hidden is told in it.
    async fn judge_explanation(
        &self,
        call: &AnyOperation,
        expectation: &Expectation,
        problems: &mut Problems,
    ) {
        let explanation = self.store().explain(call.clone(), Options::default()).await;
        let is_open = matches!(expectation, Expectation::Failing(_)) && explanation.outcome.is_ok();
        let problem = held_against(expectation, &explanation.outcome);
        problems.said.extend(
            problem
                .filter(|_| !is_open)
                .map(|problem| format!("explain: {problem}")),
        );
        self.judge_text("explanation", &explanation.to_string(), problems);
        if !self.world.take_changes().is_empty() {
            problems.said.push("explain: items have changed".to_owned());
        }
    }

    fn judge_text(&self, what: &str, text: &str, problems: &mut Problems) {
        if let Some(canary) = self.canaries.find(text, &self.cell.call) {
            problems
                .said
                .push(format!("{what} tells `{canary}` of a hidden row: {text}"));
        }
    }

    async fn judge_call(
        &self,
        call: &AnyOperation,
        expectation: Expectation,
        problems: &mut Problems,
    ) {
        let token = matches!(expectation, Expectation::Done(..)).then(|| "said once".to_owned());
        let options = Options {
            token: token.clone(),
            ..Options::default()
        };
        let answer = self.store().run(call.clone(), options.clone()).await;
        if let Some(problem) = held_against(&expectation, &answer) {
            problems.said.push(problem);
        }
        match &answer {
            Ok(answer) => {
                let is_empty = matches!(call, AnyOperation::Query(_)) && rows_of(answer).is_empty();
                problems.is_answered |= !is_empty;
                let text = serde_json::to_string(answer).unwrap();
                self.judge_text("answer", &text, problems);
            }
            Err(error) => {
                self.judge_text("error", &error.to_string(), problems);
                self.judge_mention(call, error, problems);
            }
        }
        let changes = self.world.changes();
        if let (Ok(answer), Expectation::Done(_, wanted)) = (&answer, &expectation) {
            let answers = (answer, wanted);
            problems
                .said
                .extend(replay::judge(self, call, &options, answers, &changes).await);
            problems
                .said
                .extend(replay::judge_revoked(self, call, &options, answer).await);
        }
        self.world.take_changes();
        problems.said.extend(match (&expectation, &answer) {
            (Expectation::Done(wanted, output), Ok(answer)) => {
                let mut changed = self.judge_changes(wanted, &changes);
                changed.extend(self.judge_tenancy(&changes));
                changed
                    .into_iter()
                    .chain(self.judge_answer(output, answer))
                    .collect()
            }
            (Expectation::Rows(rows, followed), Ok(answer)) => {
                let told = judge_rows(rows, followed, answer);
                told.into_iter()
                    .chain(self.judge_unchanged(&changes))
                    .collect::<Vec<_>>()
            }
            (Expectation::Failing(_), Err(error)) => {
                let changed = self.judge_unchanged(&changes).into_iter();
                changed
                    .map(|said| format!("{said}, although it failed: {error}"))
                    .collect()
            }
            _ => self.judge_unchanged(&changes),
        });
    }

    /// What is in use is named only if the caller may see a row that refers to it.
    fn judge_mention(&self, call: &AnyOperation, error: &Error, problems: &mut Problems) {
        let Failure::Conflict {
            clash: Clash::InUse { by, attribute },
            ..
        } = error.failure()
        else {
            return;
        };
        let model = self.state.model;
        let named = judge::named_rows(call);
        let (Some((_, entity, key)), true) = (named.first(), !by.is_empty()) else {
            return;
        };
        let (target, _) = model.entity_named(entity).unwrap();
        let Some(target) = self
            .state
            .find(target, key)
            .find(|row| self.evaluator.is_of_tenant(row))
        else {
            return;
        };
        let (by, _) = model.entity_named(by).unwrap();
        let refers = self.state.rows.iter().any(|row| {
            row.entity == by
                && self.evaluator.sees(row)
                && self
                    .evaluator
                    .referred(row, attribute)
                    .is_some_and(|found| found.place == target.place)
        });
        if !refers {
            let name = &model.entity(by).name.value;
            problems.said.push(format!(
                "it names {name}, of which the caller sees no row that refers here"
            ));
        }
    }

    /// Nothing changes where nothing may; what was refused or seen may be noted.
    fn judge_unchanged(&self, changes: &[Change]) -> Vec<String> {
        let changed = changes.iter().filter(|change| !self.is_note(change));
        changed
            .map(|change| format!("{:?} has changed", change.place))
            .collect()
    }

    /// Whether an item says what happened, and nothing else.
    pub(crate) fn is_note(&self, change: &Change) -> bool {
        let row = change
            .new
            .as_ref()
            .and_then(|item| self.state.recognise(&change.place, item));
        change.old.is_none() && row.is_some_and(|row| judge::is_note(self.state.model, row.entity))
    }

    /// The same rows as for the program: those that were there by their keys, new ones by their entity.
    fn judge_changes(&self, wanted: &[Change], changes: &[Change]) -> Vec<String> {
        let signs = |changes: &[Change]| {
            let mut signs: Vec<String> = changes
                .iter()
                .filter_map(|change| self.sign(change))
                .collect();
            signs.sort();
            signs
        };
        let (wanted, found) = (signs(wanted), signs(changes));
        if wanted == found {
            return Vec::new();
        }
        let only = |one: &[String], other: &[String]| -> Vec<String> {
            one.iter()
                .filter(|sign| !other.contains(sign))
                .cloned()
                .collect()
        };
        vec![format!(
            "it changes {:?}, and not {:?}",
            only(&found, &wanted),
            only(&wanted, &found)
        )]
    }

    /// Nothing of another tenant changes, whoever calls.
    fn judge_tenancy(&self, changes: &[Change]) -> Vec<String> {
        let Some(tenant) = &self.state.model.tenant else {
            return Vec::new();
        };
        let foreign = changes.iter().filter(|change| {
            let items = change.old.iter().chain(&change.new);
            let rows: Vec<_> = items
                .map(|item| self.state.recognise(&change.place, item))
                .collect();
            rows.iter().any(|row| match row {
                Some(row) => !self.evaluator.is_of_tenant(row),
                // A guard or an item of the store itself.
                None => {
                    let own = self.evaluator.tenant().unwrap_or_default();
                    let is_bare = tenant.bare.as_deref() == Some(own);
                    let others = self.state.tenants.iter();
                    let mut prefixes = others.map(|id| format!("{id}/"));
                    let found = prefixes.find(|prefix| change.place.1.starts_with(prefix.as_str()));
                    found.is_none() != is_bare
                        || found.is_some_and(|found| found != format!("{own}/"))
                }
            })
        });
        foreign
            .map(|change| format!("{:?} of another tenant has changed", change.place))
            .collect()
    }

    fn sign(&self, change: &Change) -> Option<String> {
        let (table, hash, range) = &change.place;
        if hash.contains("monotable#") {
            return None;
        }
        let item = change.new.as_ref().or(change.old.as_ref())?;
        let row = self.state.recognise(&change.place, item);
        let name = row.map_or("guard", |row| {
            self.state.model.entity(row.entity).name.value.as_str()
        });
        Some(match (&change.old, &change.new) {
            (None, _) => format!("{table} + {name}"),
            (Some(_), None) => format!("{table} - {name} {hash} {range}"),
            (Some(_), Some(_)) => format!("{table} ~ {name} {hash} {range}"),
        })
    }
}

/// Whether a call was refused as it should; what is said if not.
fn held_against(expectation: &Expectation, answer: &Result<AnyOutput, Error>) -> Option<String> {
    match (expectation, answer) {
        (Expectation::Refused(kinds) | Expectation::Failing(kinds), Err(error))
            if kinds.contains(&error.kind()) =>
        {
            None
        }
        (Expectation::RefusedSomehow, Err(_)) => None,
        (Expectation::Refused(kinds) | Expectation::Failing(kinds), Err(error)) => {
            Some(format!("{:?}, not one of {kinds:?}: {error}", error.kind()))
        }
        (Expectation::Refused(kinds) | Expectation::Failing(kinds), Ok(_)) => {
            Some(format!("let through, not {kinds:?}"))
        }
        (Expectation::RefusedSomehow, Ok(_)) => {
            Some("let through, and the model has no such operation".to_owned())
        }
        (_, Ok(_)) => None,
        (_, Err(error)) => Some(format!(
            "{:?}, although the rules allow it: {error}",
            error.kind()
        )),
    }
}
