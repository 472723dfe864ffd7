//! The closed enum of exceptions.

use super::CancellationReason;
use crate::wording;
use monotable_item::EncodedItem;
use std::borrow::Cow;
use std::fmt;

/// Declares the enum from the exceptions that carry a payload and those that carry only a message,
/// together with what depends on nothing but that distinction.
macro_rules! exceptions {
    ($( $(#[$meta:meta])* $plain:ident, )*) => {
        /// Everything a DynamoDB operation can fail with, named as AWS names it.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Error {
            /// A condition did not hold.
            ConditionalCheckFailedException {
                /// AWS's words.
                message: String,
                /// The stored item, when the request asked for it.
                item: Option<EncodedItem>,
            },
            /// A transaction was given up; nothing of it was written.
            TransactionCanceledException {
                /// One reason per action, in the order of the request.
                reasons: Vec<CancellationReason>,
            },
            $(
                $(#[$meta])*
                $plain {
                    /// AWS's words.
                    message: String,
                },
            )*
        }

        impl Error {
            /// The exception's name.
            pub const fn code(&self) -> &'static str {
                match self {
                    Self::ConditionalCheckFailedException { .. } => "ConditionalCheckFailedException",
                    Self::TransactionCanceledException { .. } => "TransactionCanceledException",
                    $( Self::$plain { .. } => stringify!($plain), )*
                }
            }

            /// What went wrong, in AWS's words.
            pub fn message(&self) -> Cow<'_, str> {
                match self {
                    Self::ConditionalCheckFailedException { message, .. } => Cow::Borrowed(message),
                    Self::TransactionCanceledException { reasons } => {
                        Cow::Owned(wording::transaction_cancelled(reasons))
                    }
                    $( Self::$plain { message } => Cow::Borrowed(message), )*
                }
            }

            /// The exception with this name, if it is one that carries nothing but a message.
            pub(super) fn plain(code: &str, message: &str) -> Option<Self> {
                match code {
                    $( stringify!($plain) => Some(Self::$plain { message: message.to_owned() }), )*
                    _ => None,
                }
            }
        }
    };
}

exceptions! {
    /// The request breaks a rule that can be judged from the request and the table's schema.
    ValidationException,
    /// The table or index does not exist.
    ResourceNotFoundException,
    /// The table is in a state that does not allow the operation, or exists already.
    ResourceInUseException,
    /// Another transaction is at work on the item.
    TransactionConflictException,
    /// A transaction with the same token is still running.
    TransactionInProgressException,
    /// The same token came with another request.
    IdempotentParameterMismatchException,
    /// An item collection of a table with a local secondary index is full.
    ItemCollectionSizeLimitExceededException,
    /// The table's provisioned throughput is used up for the moment.
    ProvisionedThroughputExceededException,
    /// The account's throughput is used up for the moment.
    RequestLimitExceeded,
    /// Too many requests for the moment.
    ThrottlingException,
    /// Too many table operations at once.
    LimitExceededException,
    /// A global table replica is being written by another region.
    ReplicatedWriteConflictException,
    /// The table to back up or restore does not exist.
    TableNotFoundException,
    /// The table to restore into exists.
    TableAlreadyExistsException,
    /// The table to restore into is being created or deleted.
    TableInUseException,
    /// The index does not exist.
    IndexNotFoundException,
    /// No table of that name has replicas.
    GlobalTableNotFoundException,
    /// A PartiQL INSERT met an item with the same key.
    DuplicateItemException,
    /// The backup does not exist.
    BackupNotFoundException,
    /// The backup is in use by another operation.
    BackupInUseException,
    /// Continuous backups are off for the table.
    ContinuousBackupsUnavailableException,
    /// Point-in-time recovery is off for the table.
    PointInTimeRecoveryUnavailableException,
    /// The table cannot be restored to that time.
    InvalidRestoreTimeException,
    /// The export does not exist.
    ExportNotFoundException,
    /// The export's token came with another request.
    ExportConflictException,
    /// The table cannot be exported as it was at that time.
    InvalidExportTimeException,
    /// The import does not exist.
    ImportNotFoundException,
    /// The import's token came with another request.
    ImportConflictException,
    /// A stream's records have gone that were asked for: they are kept for 24 hours.
    TrimmedDataAccessException,
    /// The iterator of a shard is older than 15 minutes.
    ExpiredIteratorException,
    /// The resource has no policy.
    PolicyNotFoundException,
    /// A policy does not allow the operation.
    AccessDeniedException,
    /// The access key is unknown.
    UnrecognizedClientException,
    /// The request is not signed.
    MissingAuthenticationTokenException,
    /// The signature lacks a part.
    IncompleteSignatureException,
    /// The signature does not match the request.
    InvalidSignatureException,
    /// The session token has expired.
    ExpiredTokenException,
    /// The body is not JSON of the operation's shape.
    SerializationException,
    /// The service has no such operation.
    UnknownOperationException,
    /// The service failed.
    InternalServerError,
    /// The service cannot answer for the moment.
    ServiceUnavailable,
}

impl Error {
    /// A [`ValidationException`](Self::ValidationException) in these words.
    pub fn validation(message: impl fmt::Display) -> Self {
        Self::ValidationException {
            message: message.to_string(),
        }
    }

    /// A [`SerializationException`](Self::SerializationException) in these words.
    pub fn serialization(message: impl fmt::Display) -> Self {
        Self::SerializationException {
            message: message.to_string(),
        }
    }

    /// A [`ResourceNotFoundException`](Self::ResourceNotFoundException) in these words.
    pub fn not_found(message: impl fmt::Display) -> Self {
        Self::ResourceNotFoundException {
            message: message.to_string(),
        }
    }

    /// A [`ResourceInUseException`](Self::ResourceInUseException) in these words.
    pub fn in_use(message: impl fmt::Display) -> Self {
        Self::ResourceInUseException {
            message: message.to_string(),
        }
    }

    /// An [`InternalServerError`](Self::InternalServerError) in these words.
    pub fn internal(message: impl fmt::Display) -> Self {
        Self::InternalServerError {
            message: message.to_string(),
        }
    }

    /// A [`ConditionalCheckFailedException`](Self::ConditionalCheckFailedException), with the stored
    /// item when the request asked for it.
    pub fn condition_failed(item: Option<EncodedItem>) -> Self {
        Self::ConditionalCheckFailedException {
            message: wording::CONDITION_FAILED.to_owned(),
            item,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code(), self.message())
    }
}

impl std::error::Error for Error {}
