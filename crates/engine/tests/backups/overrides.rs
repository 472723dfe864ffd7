//! Restored tables that are other than their source.

use crate::{GLOBAL, LOCAL, RESTORED, await_backup, await_table, begin_backup, load, stores};
use monotable_api::{
    BillingMode, DescribeTableInput, GlobalSecondaryIndex, IndexProjection, LocalSecondaryIndex,
    ProvisionedThroughput, RestoreTableFromBackupInput, TableDescription,
};
use monotable_engine::Engine;

fn described(engine: &Engine) -> TableDescription {
    let described = engine.describe_table(DescribeTableInput::new(RESTORED));
    described.unwrap().table.unwrap()
}

fn source() -> (Engine, String) {
    let engine = Engine::in_memory().unwrap();
    load(&engine, 10);
    let arn = begin_backup(&engine, "first");
    await_backup(&engine, &arn);
    (engine, arn)
}

#[test]
fn empty_lists_of_indexes_leave_them_out() {
    let (engine, arn) = source();
    let input = RestoreTableFromBackupInput {
        global_secondary_index_override: Some(vec![]),
        local_secondary_index_override: Some(vec![]),
        ..RestoreTableFromBackupInput::new(RESTORED, &arn)
    };
    engine.restore_table_from_backup(input).unwrap();
    await_table(&engine, RESTORED);
    let table = described(&engine);
    assert_eq!(table.global_secondary_indexes, None);
    assert_eq!(table.local_secondary_indexes, None);
    stores::assert_sound(&engine);
}

#[test]
fn units_go_with_the_billing_mode() {
    let (engine, arn) = source();
    let base = || RestoreTableFromBackupInput::new(RESTORED, &arn);
    let refusal = |input| {
        let error = engine.restore_table_from_backup(input).unwrap_err();
        error.message().into_owned()
    };
    let units = Some(ProvisionedThroughput::new(5, 6));
    assert_eq!(
        refusal(RestoreTableFromBackupInput {
            provisioned_throughput_override: units.clone(),
            ..base()
        }),
        "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED"
    );
    assert_eq!(
        refusal(RestoreTableFromBackupInput {
            billing_mode_override: Some(BillingMode::Provisioned.into()),
            ..base()
        }),
        "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED"
    );
    let provisioned = RestoreTableFromBackupInput {
        billing_mode_override: Some(BillingMode::Provisioned.into()),
        provisioned_throughput_override: units,
        ..base()
    };
    assert!(refusal(provisioned.clone()).ends_with("must be specified for index: byState"));
    let index = GlobalSecondaryIndex::new(GLOBAL, "state").provisioned(7, 8);
    let provisioned = RestoreTableFromBackupInput {
        global_secondary_index_override: Some(vec![index]),
        ..provisioned
    };
    engine.restore_table_from_backup(provisioned).unwrap();
    await_table(&engine, RESTORED);
    let table = described(&engine);
    let units = |description: monotable_api::ProvisionedThroughputDescription| {
        (
            description.read_capacity_units.unwrap(),
            description.write_capacity_units.unwrap(),
        )
    };
    assert_eq!(units(table.provisioned_throughput.unwrap()), (5, 6));
    let index = table.global_secondary_indexes.unwrap().remove(0);
    assert_eq!(units(index.provisioned_throughput.unwrap()), (7, 8));
    assert_eq!(table.local_secondary_indexes.unwrap().len(), 1);
}

#[test]
fn an_index_that_the_source_lacked_is_refused() {
    let (engine, arn) = source();
    let new = GlobalSecondaryIndex::new("byOther", "state");
    let narrower =
        GlobalSecondaryIndex::new(GLOBAL, "state").projection(IndexProjection::keys_only());
    let local = LocalSecondaryIndex::new(LOCAL, "id", "state");
    for input in [
        RestoreTableFromBackupInput {
            global_secondary_index_override: Some(vec![new]),
            ..RestoreTableFromBackupInput::new(RESTORED, &arn)
        },
        RestoreTableFromBackupInput {
            global_secondary_index_override: Some(vec![narrower]),
            ..RestoreTableFromBackupInput::new(RESTORED, &arn)
        },
        RestoreTableFromBackupInput {
            local_secondary_index_override: Some(vec![local]),
            ..RestoreTableFromBackupInput::new(RESTORED, &arn)
        },
    ] {
        let error = engine.restore_table_from_backup(input).unwrap_err();
        let message = error.message().into_owned();
        assert!(
            message.ends_with("does not match a secondary index that existed in the source table and cannot be created during the restore operation"),
            "{message}"
        );
    }
    assert!(
        engine
            .describe_table(DescribeTableInput::new(RESTORED))
            .is_err()
    );
}
