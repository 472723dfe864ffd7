//! CancelBulkOperation.

use super::describe_bulk_operation::find;
use super::start_bulk_put_items::store;
use super::{Execute, bulk_description};
use crate::catalog::{BulkDefinition, BulkState};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    CancelBulkOperation, CancelBulkOperationInput, CancelBulkOperationOutput, Error,
};
use std::sync::Arc;

impl Execute for CancelBulkOperation {
    /// The background ends the operation behind the piece that it is at.
    fn start(
        core: &Arc<Core>,
        input: CancelBulkOperationInput,
    ) -> Result<Step<CancelBulkOperationOutput>, Error> {
        let arn = input.validate()?.operation;
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let operation = match find(group.catalog(), &arn) {
                Ok(operation) => BulkDefinition::clone(operation),
                Err(error) => return Ok(Err(error)),
            };
            if !operation.is_in_progress() {
                return Ok(Err(wording::bulk_operation_has_ended(arn.as_str())));
            }
            let operation = BulkDefinition {
                state: BulkState::Cancelling,
                ..operation
            };
            let answer = CancelBulkOperationOutput {
                bulk_operation_arn: Some(arn.as_str().to_owned()),
                bulk_operation_status: Some(bulk_description::status(&operation)),
            };
            store(group, operation)?;
            housekeeper.wake();
            Ok(Ok(answer))
        });
        Ok(Step::Table(pending))
    }
}
