//! Limits of Amazon DynamoDB, from "Quotas in Amazon DynamoDB" and the API reference of each operation.
//!
//! Sizes are in bytes unless the name says otherwise.

/// Largest item, attribute names included.
pub const MAX_ITEM_BYTES: usize = 400 * 1024;
/// Levels of an item, the attribute itself being the first: so at most 31 lists and maps inside one
/// another.
pub const MAX_NESTING: usize = 32;
/// Longest partition key value.
pub const MAX_PARTITION_KEY_BYTES: usize = 2048;
/// Longest sort key value.
pub const MAX_SORT_KEY_BYTES: usize = 1024;
/// Longest attribute name that is not a key.
pub const MAX_ATTRIBUTE_NAME_BYTES: usize = 65_535;
/// Longest name of a key attribute.
pub const MAX_KEY_NAME_BYTES: usize = 255;
/// Most attributes in the partition key, and in the sort key, of a global index.
pub const MAX_KEY_PART_ATTRIBUTES: usize = 4;

/// Most elements of a vector in a vector index.
pub const MAX_VECTOR_DIMENSIONS: usize = 4096;
/// Most items that one SearchVectors finds.
pub const MAX_SEARCH_RESULTS: usize = 100;

/// Longest expression text.
pub const MAX_EXPRESSION_BYTES: usize = 4096;
/// Most operators and functions in one expression.
pub const MAX_EXPRESSION_OPERATORS: usize = 300;
/// Most operands of `IN`.
pub const MAX_IN_OPERANDS: usize = 100;
/// Longest substitution name or value key, the leading `#` or `:` included.
pub const MAX_PLACEHOLDER_BYTES: usize = 255;
/// Largest sum of all substitution names and values of a request.
pub const MAX_PLACEHOLDERS_BYTES: usize = 2 * 1024 * 1024;

/// Longest PartiQL statement, in characters.
pub const MAX_STATEMENT_CHARS: usize = 8192;
/// Most statements in one BatchExecuteStatement.
pub const MAX_BATCH_STATEMENTS: usize = 25;
/// Most reads that AWS makes of one PartiQL statement.
pub const MAX_STATEMENT_READS: usize = 50;
/// Longest NextToken, in characters.
pub const MAX_NEXT_TOKEN_CHARS: usize = 32_768;

/// Most memory for the structures, lists and maps of a request, beside its texts and items. Not a limit of DynamoDB's own: the largest
/// requests that it takes, transactions of a hundred actions, need a twentieth of it.
pub const MAX_STRUCTURE_BYTES: usize = 4 * 1024 * 1024;

/// Most items in one BatchWriteItem.
pub const MAX_BATCH_WRITE: usize = 25;
/// Most keys in one BatchGetItem.
pub const MAX_BATCH_GET: usize = 100;
/// Most bytes that one BatchGetItem answers; further keys come back as unprocessed.
pub const MAX_BATCH_GET_BYTES: usize = 16 * 1024 * 1024;
/// Most actions in one transaction.
pub const MAX_TRANSACTION_ACTIONS: usize = 100;
/// Most bytes of all items of one transaction.
pub const MAX_TRANSACTION_BYTES: usize = 4 * 1024 * 1024;
/// How long a ClientRequestToken is honoured, in seconds.
pub const TOKEN_SECONDS: u64 = 600;
/// Longest ClientRequestToken, in characters.
pub const MAX_TOKEN_CHARS: usize = 36;

/// A Query or Scan page ends once it has read this much, before filters.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// Most segments of a parallel Scan.
pub const MAX_SEGMENTS: u32 = 1_000_000;

/// Shortest and longest table or index name.
pub const TABLE_NAME_CHARS: std::ops::RangeInclusive<usize> = 3..=255;
/// Most tables that ListTables names in one page.
pub const MAX_LIST_TABLES: usize = 100;
/// Most streams that ListStreams names in one page.
pub const MAX_LIST_STREAMS: usize = 100;
/// Most backups that one ListBackups returns.
pub const MAX_LIST_BACKUPS: usize = 100;
/// Most exports or imports that one ListExports or ListImports returns.
pub const MAX_LIST_TRANSFERS: usize = 25;
/// How many days back a table with point-in-time recovery can be restored, at most.
pub const MAX_RECOVERY_DAYS: u32 = 35;
/// Most shards that DescribeStream names in one page.
pub const MAX_DESCRIBE_SHARDS: usize = 100;
/// Most records that GetRecords returns at once.
pub const MAX_GET_RECORDS: usize = 1000;
/// Most global secondary indexes of a table.
pub const MAX_GLOBAL_INDEXES: usize = 20;
/// Most local secondary indexes of a table.
pub const MAX_LOCAL_INDEXES: usize = 5;
/// Most attributes that all index projections of a table may name.
pub const MAX_PROJECTED_ATTRIBUTES: usize = 100;

/// A write unit covers this much of an item.
pub const WRITE_UNIT_BYTES: usize = 1024;
/// A strongly consistent read unit covers this much.
pub const READ_UNIT_BYTES: usize = 4096;

/// Largest request body.
pub const MAX_REQUEST_BYTES: usize = 16 * 1024 * 1024;
