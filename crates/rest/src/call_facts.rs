//! What a log may tell of a call: names of the model, who called, and why it was refused.

use crate::surface::list_moves;
use monotable_model::model::Model;
use monotable_store::AnyOperation;

/// What a log may tell of a call. It has names only: no values, tokens or secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFacts {
    /// What was asked for: the operation and what of the model it is about, such as `create Tree`.
    pub operation: Option<String>,
    /// Who has proved to call: `key nightly`, or `token` with its issuer and subject. None where nothing is proved.
    pub caller: Option<String>,
    /// The code of the problem.
    pub error: Option<&'static str>,
}

/// What a log calls an operation. A name that the model does not know is the caller's own text, and is left out.
pub(crate) fn name_operation(model: &Model, operation: &AnyOperation) -> String {
    let subject = operation.subject();
    let verb = operation.name();
    if subject != verb && is_declared(model, subject) {
        format!("{verb} {subject}")
    } else {
        verb.to_owned()
    }
}

fn is_declared(model: &Model, name: &str) -> bool {
    let mut repositories = model.repositories.iter();
    let mut carries = model.carries.iter();
    model.entity_named(name).is_some()
        || model.pattern_named(name).is_some()
        || repositories.any(|repository| repository.name.value == name)
        || carries.any(|carry| carry.name.value == name)
        || list_moves(model).iter().any(|known| known.name == name)
}
