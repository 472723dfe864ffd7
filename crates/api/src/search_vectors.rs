//! SearchVectors: finds the items whose vectors are nearest to one.

use crate::capacity::VectorCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::expression_values::ExpressionValues;
use crate::expressions::{self, ExpressionNames, Substitutions, with_names_and_values};
use crate::structure::structure;
use crate::{Error, IndexName, ReturnConsumedCapacity, TableName, wording};
use monotable_expr::tree::{Comparator, Operand, Predicate};
use monotable_expr::{Condition, ExpressionKind, Projection};
use monotable_item::{AttributeValue, EncodedItem, EncodedValue, GivenValue, Number, limits};

structure! {
    /// A SearchVectors request.
    pub struct SearchVectorsInput {
        /// The table, by name or ARN.
        table_name: String,
        /// The vector index.
        index_name: String,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
        /// Which attributes to return.
        projection_expression: String,
        /// The vector: numbers.
        search_vector: Vec<GivenValue>,
        /// Which values the attributes of the search schema have.
        search_condition_expression: String,
        /// How many items to return at most.
        top_k: i64,
    }

    /// A SearchVectors answer.
    pub struct SearchVectorsOutput {
        /// The consumed capacity.
        consumed_capacity: VectorCapacity,
        /// The items, the nearest first.
        search_results: Vec<SearchResultItem>,
    }

    /// An item that was found.
    pub struct SearchResultItem {
        /// What the index holds of it, or what was asked for.
        item: EncodedItem,
        /// How near it is.
        score: f64,
    }
}

with_names_and_values!(SearchVectorsInput);

/// A SearchVectors request, checked.
#[derive(Clone, Debug)]
pub struct ValidSearchVectors {
    /// The table.
    pub table: TableName,
    /// The vector index.
    pub index: IndexName,
    /// The vector, as exact as indexes keep vectors.
    pub vector: Vec<f32>,
    /// How many items to return at most.
    pub most: usize,
    /// Which values the attributes of the search schema have; none if the request has no condition.
    pub condition: Option<Vec<SearchEquality>>,
    /// Which attributes to return.
    pub projection: Option<Projection>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
}

/// An attribute that must have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchEquality {
    /// The attribute.
    pub attribute: String,
    /// Its value.
    pub value: EncodedValue,
}

impl SearchVectorsInput {
    /// Finds so many items that are nearest to a vector.
    pub fn new(
        table: impl Into<String>,
        index: impl Into<String>,
        vector: impl IntoIterator<Item = Number>,
        most: u32,
    ) -> Self {
        let vector = vector.into_iter();
        let vector = vector.map(|number| GivenValue::from(AttributeValue::N(number)));
        Self {
            table_name: Some(table.into()),
            index_name: Some(index.into()),
            search_vector: Some(vector.collect()),
            top_k: Some(most.into()),
            ..Self::default()
        }
    }

    /// Only items whose attributes have these values.
    pub fn condition(mut self, expression: impl Into<String>) -> Self {
        self.search_condition_expression = Some(expression.into());
        self
    }

    /// Returns only these attributes.
    pub fn projection(mut self, expression: impl Into<String>) -> Self {
        self.projection_expression = Some(expression.into());
        self
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidSearchVectors, Error> {
        let mut constraints = Constraints::default();
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        let index = IndexName::require(&mut constraints, Path::Root("indexName"), &self.index_name);
        let path = Path::Root("returnConsumedCapacity");
        let capacity = constraints.choice(path, &self.return_consumed_capacity);
        let path = Path::Root("searchVector");
        let vector = constraints.required(path, &self.search_vector);
        if let Some(vector) = vector {
            constraints.list_length(path, vector, 1..=limits::MAX_VECTOR_DIMENSIONS);
        }
        let path = Path::Root("topK");
        let most = constraints.required(path, &self.top_k);
        if let Some(most) = most {
            constraints.range(path, *most, 1..=i64::MAX);
        }
        let ((table, index), (vector, most)) =
            constraints.finish(table.zip(index).zip(vector.zip(most)))?;
        let most = usize::try_from(*most).unwrap_or(usize::MAX);
        if most > limits::MAX_SEARCH_RESULTS {
            return Err(Error::validation(wording::TOO_MANY_SEARCH_RESULTS));
        }
        let substitutions = Substitutions::new(
            &self.expression_attribute_names,
            &self.expression_attribute_values,
        );
        let condition = &self.search_condition_expression;
        substitutions.check_needed(&[
            (ExpressionKind::Projection, &self.projection_expression),
            (ExpressionKind::SearchCondition, condition),
        ])?;
        let vector = read_vector(vector)?;
        let (condition, projection) = substitutions.parse(|placeholders| {
            let condition = expressions::search_condition(condition, placeholders)?;
            let projection = expressions::projection(&self.projection_expression, placeholders)?;
            Ok((condition, projection))
        })?;
        Ok(ValidSearchVectors {
            table,
            index,
            vector,
            most,
            condition: condition.as_ref().map(equalities).transpose()?,
            projection,
            capacity: capacity.unwrap_or_default(),
        })
    }
}

/// The vector, once its length is known to be one of a vector.
fn read_vector(given: &[GivenValue]) -> Result<Vec<f32>, Error> {
    let mut vector = Vec::with_capacity(given.len());
    for (place, value) in given.iter().enumerate() {
        let value = value
            .checked()
            .map_err(|problem| Error::validation(problem.clone()))?;
        let element = value.view().to_f32();
        let element = element.ok_or_else(|| {
            Error::validation(wording::search_vector_element(place, value.view()))
        })?;
        vector.push(element);
    }
    Ok(vector)
}

/// The equalities that a condition consists of.
fn equalities(condition: &Condition) -> Result<Vec<SearchEquality>, Error> {
    let clauses = match condition.predicate() {
        Predicate::All(clauses) => clauses.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut equalities: Vec<SearchEquality> = Vec::new();
    for clause in clauses {
        let Predicate::Compare {
            comparator: Comparator::Equal,
            left,
            right,
        } = clause
        else {
            return Err(Error::validation(wording::SEARCH_BY_OTHER_THAN_EQUALITY));
        };
        let ((Operand::Path(path), Operand::Value(value))
        | (Operand::Value(value), Operand::Path(path))) = (left, right)
        else {
            return Err(Error::validation(wording::SEARCH_BY_OTHER_THAN_EQUALITY));
        };
        let attribute = path.attribute().to_owned();
        if path.is_nested() {
            return Err(Error::validation(wording::search_by_nested_attribute(
                &attribute,
            )));
        }
        if equalities.iter().any(|known| known.attribute == attribute) {
            return Err(Error::validation(wording::search_names_twice(&attribute)));
        }
        equalities.push(SearchEquality {
            attribute,
            value: value.clone(),
        });
    }
    Ok(equalities)
}
