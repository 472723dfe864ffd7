//! Words about operations that are not there. They are ours: AWS has all of its operations, and says nothing
//! about names that are none.

/// The longest name that is repeated: a header can be long, and is somebody else's text.
const LONGEST_NAME: usize = 64;

/// Nothing says which operation is asked for, or something that is none of DynamoDB's.
pub(crate) fn no_operation(target: &str, prefix: &str) -> String {
    let example = format!("DynamoDB's are named like {prefix}ListTables");
    if target.is_empty() {
        format!("The header X-Amz-Target, which names the operation, is missing: {example}")
    } else {
        format!(
            "The header X-Amz-Target names {}, which is no operation of DynamoDB: {example}",
            shown(target)
        )
    }
}

/// The operation is one of the other service: items and streams have a prefix each.
pub(crate) fn operation_of_other_service(target: &str, right: &str) -> String {
    format!("The header X-Amz-Target names {target}; the operation is {right}")
}

/// DynamoDB may have the operation; Monotable does not.
pub(crate) fn unknown_operation(name: &str, known: &[&str]) -> String {
    format!(
        "Monotable does not have the operation {}: {}",
        shown(name),
        remedy(name).map_or_else(
            || format!("its operations are {}", known.join(", ")),
            str::to_owned
        )
    )
}

fn shown(name: &str) -> &str {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    if name.len() <= LONGEST_NAME && name.bytes().all(is_plain) {
        name
    } else {
        "something else"
    }
}

/// What serves instead of an operation that AWS has.
fn remedy(name: &str) -> Option<&'static str> {
    Some(match name {
        "CreateGlobalTable"
        | "UpdateGlobalTable"
        | "UpdateGlobalTableSettings"
        | "UpdateTableReplicaAutoScaling" => {
            "tables are in one region; run a server for each region, and copy with Scan and \
             BatchWriteItem"
        }
        "EnableKinesisStreamingDestination"
        | "DisableKinesisStreamingDestination"
        | "UpdateKinesisStreamingDestination" => {
            "there is no Kinesis beside it; read the table's stream with GetRecords"
        }
        "StartBulkPutItems"
        | "DescribeBulkOperation"
        | "ListBulkOperations"
        | "CancelBulkOperation" => "write many items with BatchWriteItem",
        "SearchVectors" => "find items with Query and Scan",
        _ => return None,
    })
}
