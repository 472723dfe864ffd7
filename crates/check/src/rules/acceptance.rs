//! Findings that the model accepts, and acceptances that nothing needed.

use super::{Finding, Owner, Report};
use monotable_model::diagnostic::{Code, Diagnostic, Findings};
use monotable_model::model::{Accept, Model};

/// Hands on what is not accepted.
pub(super) fn settle(model: &Model, report: Report, findings: &mut Findings) {
    let mut used: Vec<&Accept> = Vec::new();
    for finding in report.findings {
        let Finding { diagnostic, owner } = finding;
        match accepted(model, owner, diagnostic.code) {
            Some(accept) => used.push(accept),
            None => findings.push(diagnostic),
        }
    }
    if !model.layout.is_empty() {
        // They are for the keys as they are declared too.
        return;
    }
    let of_entities = model.entities.iter().flat_map(|entity| &entity.accepts);
    let of_access = model.access.iter().flat_map(|access| &access.accepts);
    for accept in of_entities.chain(of_access) {
        if !used.iter().any(|known| known.span == accept.span) {
            let message = format!(
                "nothing here breaks the rule `{}`, so there is nothing to accept",
                accept.code.name()
            );
            findings.push(
                Diagnostic::new(Code::UnusedAccept, accept.span, message)
                    .help("remove the acceptance: it would hide a mistake made later"),
            );
        }
    }
}

fn accepted(model: &Model, owner: Owner, code: Code) -> Option<&Accept> {
    let accepts = match owner {
        Owner::Entity(id) => &model.entity(id).accepts,
        Owner::Access(id) => &model.pattern(id).accepts,
        Owner::Model => return None,
    };
    accepts.iter().find(|accept| accept.code == code)
}
