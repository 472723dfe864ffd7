//! The methods of a target.

use crate::surface::EntitySurface;
use crate::target::{RepositoryPart, Target};
use http::Method;

/// The methods that a target has, without those that every resource has: `HEAD` where there is `GET`, and `OPTIONS`.
pub(crate) fn list_methods(target: &Target<'_>) -> Vec<Method> {
    match target {
        Target::Page | Target::Document | Target::Pattern(_) => vec![Method::GET],
        Target::Operations
        | Target::Transactions
        | Target::Commits
        | Target::Purges
        | Target::Secret(..)
        | Target::Move(_)
        | Target::Carry(_) => vec![Method::POST],
        Target::Relations(surface) if surface.creates => vec![Method::POST],
        Target::Relation(surface, _) if surface.deletes => vec![Method::DELETE],
        Target::Relations(_) | Target::Relation(..) => Vec::new(),
        Target::Row(surface, _) => list_row_methods(surface),
        Target::Rows(surface) => {
            let mut methods = Vec::new();
            if surface.key().is_empty() {
                methods = list_row_methods(surface);
            }
            if surface.creates {
                methods.push(Method::POST);
            }
            methods
        }
        Target::Repository(_, _, part) => match part {
            RepositoryPart::Log | RepositoryPart::Rows | RepositoryPart::Diff => vec![Method::GET],
            RepositoryPart::Commits
            | RepositoryPart::Rollback
            | RepositoryPart::Revert
            | RepositoryPart::Sweep => vec![Method::POST],
        },
    }
}

fn list_row_methods(surface: &EntitySurface<'_>) -> Vec<Method> {
    let offered = [
        (Method::GET, true),
        (Method::PUT, surface.puts()),
        (Method::PATCH, surface.updates),
        (Method::DELETE, surface.deletes),
    ];
    let offered = offered.into_iter().filter(|(_, is_offered)| *is_offered);
    offered.map(|(method, _)| method).collect()
}
