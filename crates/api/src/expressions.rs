//! The expressions of a request and the substitutions they share.

use crate::expression_values::ExpressionValues;
use crate::{Error, wording};
use monotable_expr::{
    Condition, ExpressionError, ExpressionKind, KeyCondition, Placeholders, Projection, Update,
};
use monotable_item::EncodedItem;
use monotable_item::limits::MAX_ATTRIBUTE_NAME_BYTES;
use std::collections::BTreeMap;

/// What stands for the `#name`s of a request's expressions.
pub type ExpressionNames = BTreeMap<String, String>;

/// An expression's parameter, and the expression if there is one.
pub(crate) type Given<'a> = (ExpressionKind, &'a Option<String>);

/// The substitutions of one request.
pub(crate) struct Substitutions<'a> {
    names: Option<&'a ExpressionNames>,
    values: Option<&'a ExpressionValues>,
}

impl<'a> Substitutions<'a> {
    pub(crate) const fn new(
        names: &'a Option<ExpressionNames>,
        values: &'a Option<ExpressionValues>,
    ) -> Self {
        Self {
            names: names.as_ref(),
            values: values.as_ref(),
        }
    }

    /// For requests that can only project, and so have no values.
    pub(crate) const fn names_only(names: &'a Option<ExpressionNames>) -> Self {
        Self {
            names: names.as_ref(),
            values: None,
        }
    }

    /// Names that are too long, and substitutions without an expression that could use them, are refused. AWS does this
    /// before it looks at the request's items and keys.
    pub(crate) fn check_needed(&self, expressions: &[Given<'_>]) -> Result<(), Error> {
        let mut names = self.names.iter().flat_map(|names| names.values());
        if names.any(|name| name.len() > MAX_ATTRIBUTE_NAME_BYTES) {
            return Err(Error::validation(wording::LONG_NAME));
        }
        let is_given = |(_, text): &&Given<'_>| text.is_some();
        if self.names.is_some() && !expressions.iter().any(|given| is_given(&given)) {
            return Err(Error::validation(wording::NAMES_WITHOUT_EXPRESSION));
        }
        let mut with_values = expressions
            .iter()
            .filter(|(kind, _)| *kind != ExpressionKind::Projection);
        if self.values.is_some() && !with_values.clone().any(|given| is_given(&given)) {
            let parameters: Vec<_> = with_values.by_ref().map(|(kind, _)| kind.name()).collect();
            return Err(Error::validation(wording::values_without_expression(
                &parameters,
            )));
        }
        Ok(())
    }

    /// Parses the request's expressions, in the order in which `parse` does, and checks that
    /// together they use every substitution. AWS does this after it has looked at the request's
    /// items and keys.
    pub(crate) fn parse<T>(
        &self,
        parse: impl FnOnce(&mut Placeholders<'_>) -> Result<T, ExpressionError>,
    ) -> Result<T, Error> {
        static NO_NAMES: ExpressionNames = BTreeMap::new();
        let no_values = EncodedItem::default();
        let names = match self.names {
            Some(names) if names.is_empty() => return Err(Error::validation(wording::EMPTY_NAMES)),
            Some(names) => names,
            None => &NO_NAMES,
        };
        let values = match self.values {
            Some(values) => checked(values)?,
            None => &no_values,
        };
        let mut placeholders = Placeholders::new(names, values);
        parse_all(&mut placeholders, parse).map_err(Error::validation)
    }
}

fn parse_all<'p, T>(
    placeholders: &mut Placeholders<'p>,
    parse: impl FnOnce(&mut Placeholders<'p>) -> Result<T, ExpressionError>,
) -> Result<T, ExpressionError> {
    placeholders.check_keys()?;
    let parsed = parse(placeholders)?;
    placeholders.check_all_used()?;
    Ok(parsed)
}

fn checked(values: &ExpressionValues) -> Result<&EncodedItem, Error> {
    match values.checked() {
        Ok(values) if values.is_empty() => Err(Error::validation(wording::EMPTY_VALUES)),
        Ok(values) => Ok(values),
        Err(broken) => Err(Error::validation(wording::invalid_value(broken))),
    }
}

pub(crate) fn condition(
    text: &Option<String>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Option<Condition>, ExpressionError> {
    let parse = |text: &String| Condition::parse(ExpressionKind::Condition, text, placeholders);
    text.as_ref().map(parse).transpose()
}

pub(crate) fn filter(
    text: &Option<String>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Option<Condition>, ExpressionError> {
    let parse = |text: &String| Condition::parse(ExpressionKind::Filter, text, placeholders);
    text.as_ref().map(parse).transpose()
}

pub(crate) fn search_condition(
    text: &Option<String>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Option<Condition>, ExpressionError> {
    let kind = ExpressionKind::SearchCondition;
    let parse = |text: &String| Condition::parse(kind, text, placeholders);
    text.as_ref().map(parse).transpose()
}

pub(crate) fn key_condition(
    text: &Option<String>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Option<KeyCondition>, ExpressionError> {
    text.as_ref()
        .map(|text| KeyCondition::parse(text, placeholders))
        .transpose()
}

pub(crate) fn projection(
    text: &Option<String>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Option<Projection>, ExpressionError> {
    text.as_ref()
        .map(|text| Projection::parse(text, placeholders))
        .transpose()
}

pub(crate) fn update(
    text: &Option<String>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Option<Update>, ExpressionError> {
    text.as_ref()
        .map(|text| Update::parse(text, placeholders))
        .transpose()
}

/// Gives requests with expressions the builder methods for substituted names.
macro_rules! with_names {
    ($($request:ty),* $(,)?) => {$(
        impl $request {
            /// Lets `placeholder`, for example `#year`, stand for an attribute's name.
            pub fn name(mut self, placeholder: impl Into<String>, attribute: impl Into<String>) -> Self {
                let names = self.expression_attribute_names.get_or_insert_default();
                names.insert(placeholder.into(), attribute.into());
                self
            }
        }
    )*};
}

/// Gives requests with expressions the builder methods for substituted names and values.
macro_rules! with_names_and_values {
    ($($request:ty),* $(,)?) => {$(
        $crate::expressions::with_names!($request);

        impl $request {
            /// Lets `placeholder`, for example `:year`, stand for a value.
            pub fn value(
                mut self,
                placeholder: &str,
                value: impl Into<monotable_item::AttributeValue>,
            ) -> Self {
                self.expression_attribute_values.get_or_insert_default().insert(placeholder, value);
                self
            }
        }
    )*};
}

pub(crate) use {with_names, with_names_and_values};
