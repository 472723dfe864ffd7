//! `ExclusiveStartKey`: where Query and Scan go on reading.

use crate::{Error, wording};
use monotable_item::{EncodedItem, GivenItem, ValueProblem};

/// The key, if its values are DynamoDB's. Whether it is a key of the table or index is for the
/// engine to say.
pub(crate) fn checked(given: Option<GivenItem>) -> Result<Option<EncodedItem>, Error> {
    given
        .map(|key| key.into_checked().map_err(refusal))
        .transpose()
}

/// AWS says that the starting key is invalid for some of the rules only.
fn refusal(problem: ValueProblem) -> Error {
    match problem {
        ValueProblem::EmptyNumberSet
        | ValueProblem::DuplicateStrings(_)
        | ValueProblem::DuplicateNumbers
        | ValueProblem::DuplicateBinaries(_)
        | ValueProblem::Number(_) => Error::validation(problem),
        ValueProblem::NoType
        | ValueProblem::ManyTypes
        | ValueProblem::NullIsFalse
        | ValueProblem::EmptyStringSet
        | ValueProblem::EmptyBinarySet
        | ValueProblem::TooDeep
        | ValueProblem::EmptyName
        | ValueProblem::NameTooLong => Error::validation(wording::invalid_start_key(&problem)),
    }
}
