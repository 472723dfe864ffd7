//! DescribeBulkOperation.

use super::{Execute, bulk_description};
use crate::catalog::{BulkDefinition, Catalog};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    DescribeBulkOperation, DescribeBulkOperationInput, DescribeBulkOperationOutput, Error,
    TransferArn,
};
use std::sync::Arc;

impl Execute for DescribeBulkOperation {
    fn start(
        core: &Arc<Core>,
        input: DescribeBulkOperationInput,
    ) -> Result<Step<DescribeBulkOperationOutput>, Error> {
        let arn = input.validate()?.operation;
        let catalog = core.published.catalog.load();
        let operation = find(&catalog, &arn)?;
        Ok(Step::Done(DescribeBulkOperationOutput {
            bulk_operation_description: Some(bulk_description::describe(
                operation,
                &catalog,
                &core.region,
            )),
        }))
    }
}

/// The operation that an ARN names.
pub(super) fn find<'a>(
    catalog: &'a Catalog,
    arn: &TransferArn,
) -> Result<&'a Arc<BulkDefinition>, Error> {
    let mut operations = catalog.bulk_operations();
    let found =
        operations.find(|known| known.label == arn.id() && known.request.table == arn.table());
    found.ok_or_else(|| wording::bulk_operation_not_found(arn.as_str()))
}
