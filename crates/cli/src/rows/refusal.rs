//! Why the model refuses values, with the declaration that says so and its place in the model's text.

use super::caller::CallerArguments;
use super::model::LoadedModel;
use super::opened::Opened;
use super::row_command::Prepared;
use crate::exit::Failure;
use crate::output::visible;
use monotable_model::model::Model;
use monotable_model::span::Span;
use monotable_model::suggest::nearest;
use monotable_store::{Error, Failure as Refusal, FieldError, Options, Problem};

/// Everything that is wrong with the words of a command. What the words alone do not tell, the store says of an empty
/// store in memory, so that nothing is opened or made for a command that cannot be carried out.
pub(super) async fn refuse_words(
    prepared: Prepared,
    model: &LoadedModel,
    caller: &CallerArguments,
) -> Failure {
    let Prepared {
        operation,
        problems,
        ..
    } = prepared;
    let mut lines = problems.lines(Some(model));
    let subject = match Opened::in_memory((**model).clone()).await {
        Ok(opened) => {
            let options = Options {
                dry_run: true,
                ..Options::default()
            };
            let outcome = match caller.applied(opened.store) {
                Ok(store) => store.run(operation, options).await.err(),
                Err(failure) => return failure,
            };
            match outcome.as_ref().map(Error::failure) {
                Some(Refusal::Validation { entity, errors }) => {
                    let others = errors
                        .iter()
                        .filter(|error| !problems.has(&error.attribute));
                    lines.extend(others.map(|error| describe_error(error, entity, model)));
                    Some(entity.clone())
                }
                _ => None,
            }
        }
        Err(_) => None,
    };
    let what = match subject {
        Some(subject) => format!("Validation: {subject} is refused"),
        None => "the values cannot be read".to_owned(),
    };
    lines
        .into_iter()
        .fold(Failure::usage(what), Failure::because)
}

/// The refusal of an operation. Values that the model refuses are told with the declarations that say so.
pub(crate) fn refuse_values(error: Error, model: &LoadedModel) -> Failure {
    let Refusal::Validation { entity, errors } = error.failure() else {
        return Failure::from(error);
    };
    let name = error.kind().name();
    let lines = errors
        .iter()
        .map(|error| describe_error(error, entity, model));
    lines.fold(
        Failure::usage(format_args!("{name}: {entity} is refused")),
        Failure::because,
    )
}

fn describe_error(error: &FieldError, subject: &str, model: &LoadedModel) -> String {
    let mut line = visible(&error.to_string());
    if matches!(error.problem, Problem::Unknown | Problem::UnknownParameter)
        && let Some(near) = nearest(&error.attribute, list_names(model, subject))
    {
        line.push_str(&format!("; did you mean `{near}`?"));
    }
    let span = find_span(model, subject, error);
    if let Some(place) = span.and_then(|span| model.place(span)) {
        line.push_str(&format!(" ({place})"));
    }
    line
}

/// The names that an entity or an access pattern knows.
fn list_names<'m>(model: &'m Model, subject: &str) -> Vec<&'m str> {
    if let Some((_, entity)) = model.entity_named(subject) {
        let attributes = entity.attributes.iter();
        return attributes
            .map(|attribute| attribute.name.value.as_str())
            .collect();
    }
    let access = model.pattern_named(subject).map(|(_, access)| access);
    let parameters = access.into_iter().flat_map(|access| &access.parameters);
    parameters
        .map(|parameter| parameter.name.as_str())
        .collect()
}

/// The declaration that an error is about: the attribute, the rule, or the whole entity or pattern.
fn find_span(model: &Model, subject: &str, error: &FieldError) -> Option<Span> {
    if let Some((_, entity)) = model.entity_named(subject) {
        if let Problem::Rule { name, .. } = &error.problem {
            let mut rules = entity.must.iter();
            let rule = rules.find(|rule| rule.name.value == *name);
            return Some(rule.map_or(entity.span, |rule| rule.name.span));
        }
        let attribute = entity.attribute(&error.attribute);
        let family = || entity.family(&error.attribute);
        let declared = attribute.or_else(|| family().map(|family| &family.attribute));
        return Some(declared.map_or(entity.span, |attribute| attribute.span));
    }
    let (_, access) = model.pattern_named(subject)?;
    Some(access.span)
}
