//! Rules about other rows, asked again.

use crate::record::Conditions;
use crate::scope::Scope;
use crate::verify::{
    Ask, Candidate, Confirmation, FactSink, Fields, Findings, LocalRemedy, StatedRow, Subject,
    Topic, ViolationKind, entity_at, state_local,
};
use monotable_expr::predicate::Root;
use monotable_model::model::{Check, CheckRule, Predicate};

/// A check that has to be asked.
const ASKED: u8 = 0;

/// States the checks that the row has to pass. Those about the row itself are decided at once.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    let entity = row.record.entity;
    // Rows of a snapshot are asked together.
    let mut repositories = scope.model().repositories.iter();
    if repositories.any(|repository| repository.entities.contains(&entity)) || !row.says_tenant {
        return;
    }
    let declared = scope.entity(entity);
    for (position, check) in scope.model().checks.iter().enumerate() {
        let is_asked = check.on.create || check.on.update;
        if check.of != entity || !is_asked || speaks_of_old(check) {
            continue;
        }
        let conditions = Conditions::new(scope.model(), &row.record.values, &scope.circumstances);
        let holds = |when: &Predicate| conditions.holds(declared, when);
        if check
            .when
            .as_ref()
            .is_some_and(|when| holds(when) != Some(true))
        {
            continue;
        }
        if let CheckRule::Must(predicate) = &check.demand {
            if holds(predicate) == Some(false) {
                let message = format!("the check `{}` does not hold", check.name.value);
                let kind = ViolationKind::Check;
                state_local(facts, Topic::Checks, row, kind, &message, LocalRemedy::None);
            }
            continue;
        }
        let fields = Fields::new()
            .number(position as u64)
            .number(entity.index() as u64)
            .address(row.address);
        facts.state(
            Topic::Checks,
            Fields::new().address(row.address),
            ASKED,
            fields,
        );
    }
}

fn speaks_of_old(check: &Check) -> bool {
    let must = match &check.demand {
        CheckRule::Must(predicate) => Some(&**predicate),
        CheckRule::Among { .. } | CheckRule::Absent(_) => None,
    };
    let mut predicates = check.when.iter().chain(must);
    predicates.any(|predicate| {
        let paths = predicate.parsed().paths();
        paths.into_iter().any(|path| path.root() == Some(Root::Old))
    })
}

/// Has every check asked.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    while let Some(fact) = subject.next_fact() {
        if fact.rank == crate::verify::LOCAL {
            crate::verify::judge_local(subject, fact.fields(), findings);
            continue;
        }
        let scope = findings.scope;
        let mut fields = fact.fields();
        let position = fields
            .number()
            .and_then(|number| usize::try_from(number).ok());
        let entity = fields.number().and_then(|index| entity_at(scope, index));
        let (Some(position), Some(entity), Some(address)) =
            (position, entity, fields.address(scope))
        else {
            continue;
        };
        let name = scope
            .model()
            .checks
            .get(position)
            .map(|check| &check.name.value);
        findings.push(Candidate {
            told: ViolationKind::Check.into(),
            subject: subject.key().clone(),
            entity,
            address,
            message: format!("the check `{}` does not hold", name.map_or("", |name| name)),
            confirmation: Confirmation::Ask(Ask::Check(position)),
            remedy: None,
        });
    }
}
