//! Findings that the model accepts, and acceptances that nothing needed.

use super::{Finding, Owner, Report};
use monotable_model::diagnostic::{Acceptor, Code, Diagnostic, Edit, Findings};
use monotable_model::model::{Accept, Model};

/// Hands on what is not accepted.
pub(super) fn settle(model: &Model, report: Report, findings: &mut Findings) {
    let mut used: Vec<&Accept> = Vec::new();
    for finding in report.findings {
        let Finding { diagnostic, owner } = finding;
        match accepted(model, owner, diagnostic.code) {
            Some(accept) => used.push(accept),
            None => findings.push(Diagnostic {
                acceptor: find_acceptor(model, owner).filter(|_| diagnostic.code.is_acceptable()),
                ..diagnostic
            }),
        }
    }
    if !model.layout.is_empty() {
        // They are for the keys as they are declared too.
        return;
    }
    let of_entities = model.entities.iter().flat_map(|entity| {
        let acceptor = Acceptor::Entity(entity.name.value.clone());
        (entity.accepts.iter()).map(move |accept| (acceptor.clone(), accept))
    });
    let of_access = model.access.iter().flat_map(|access| {
        let acceptor = Acceptor::Pattern(access.name.value.clone());
        (access.accepts.iter()).map(move |accept| (acceptor.clone(), accept))
    });
    for (acceptor, accept) in of_entities.chain(of_access) {
        if !used.iter().any(|known| known.span == accept.span) {
            let message = format!(
                "nothing here breaks the rule `{}`, so there is nothing to accept",
                accept.code.name()
            );
            let path = acceptor.path(accept.code);
            findings.push(
                Diagnostic::new(Code::UnusedAccept, accept.span, message)
                    .help("remove the acceptance: it would hide a mistake made later")
                    .fix("Remove the acceptance", Edit::Remove { path }),
            );
        }
    }
}

fn find_acceptor(model: &Model, owner: Owner) -> Option<Acceptor> {
    match owner {
        Owner::Entity(id) => Some(Acceptor::Entity(model.entity(id).name.value.clone())),
        Owner::Access(id) => Some(Acceptor::Pattern(model.pattern(id).name.value.clone())),
        Owner::Model => None,
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
