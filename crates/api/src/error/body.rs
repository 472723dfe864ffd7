//! The JSON body of an answer that is an exception, and the way back from it.

use super::{CancellationReason, Error};
use monotable_item::EncodedItem;
use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap, Serializer};

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut body = serializer.serialize_map(None)?;
        body.serialize_entry("__type", &self.type_name())?;
        let message = self.message();
        if !message.is_empty() {
            body.serialize_entry(self.message_member(), &message)?;
        }
        if let Self::ConditionalCheckFailedException {
            item: Some(item), ..
        } = self
        {
            body.serialize_entry("Item", item)?;
        }
        if let Self::TransactionCanceledException { reasons } = self {
            body.serialize_entry("CancellationReasons", reasons)?;
        }
        body.end()
    }
}

impl Error {
    /// The body of the HTTP answer.
    pub fn to_body(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The exception that an HTTP answer carries. An answer that is not one of AWS's bodies, for
    /// example from a proxy, becomes an exception that fits its status.
    pub fn from_body(status: u16, body: &[u8]) -> Self {
        Self::read_body(status, body)
            .unwrap_or_else(|| Self::of_status(status, String::from_utf8_lossy(body).into_owned()))
    }

    /// The exception that an HTTP answer carries; none if it is not one of AWS's bodies.
    #[must_use]
    pub fn read_body(status: u16, body: &[u8]) -> Option<Self> {
        let body: Body = serde_json::from_slice(body).ok()?;
        Some(body.into_error(status))
    }

    /// AWS's own frameworks disagree about the capital: what coral raises, and the three exceptions
    /// that came with transactions, write `Message`.
    const fn message_member(&self) -> &'static str {
        let capital = matches!(
            self,
            Self::TransactionCanceledException { .. }
                | Self::TransactionInProgressException { .. }
                | Self::IdempotentParameterMismatchException { .. }
                | Self::SerializationException { .. }
                | Self::AccessDeniedException { .. }
        );
        if capital { "Message" } else { "message" }
    }

    fn of_status(status: u16, message: String) -> Self {
        match status {
            503 => Self::ServiceUnavailable { message },
            500..=599 => Self::InternalServerError { message },
            403 => Self::AccessDeniedException { message },
            429 => Self::ThrottlingException { message },
            _ => Self::ValidationException { message },
        }
    }
}

/// Any of the bodies.
#[derive(Deserialize)]
struct Body {
    #[serde(rename = "__type")]
    type_name: String,
    #[serde(default, alias = "Message")]
    message: Option<String>,
    #[serde(default, rename = "Item")]
    item: Option<EncodedItem>,
    #[serde(default, rename = "CancellationReasons")]
    cancellation_reasons: Option<Vec<CancellationReason>>,
}

impl Body {
    fn into_error(self, status: u16) -> Error {
        let code = self.type_name.rsplit('#').next().unwrap_or_default();
        let message = self.message.unwrap_or_default();
        match code {
            "ConditionalCheckFailedException" => Error::ConditionalCheckFailedException {
                message,
                item: self.item,
            },
            "TransactionCanceledException" => Error::TransactionCanceledException {
                reasons: self.cancellation_reasons.unwrap_or_default(),
            },
            "ServiceUnavailableException" => Error::ServiceUnavailable { message },
            "InternalFailure" => Error::InternalServerError { message },
            plain => Error::plain(plain, &message)
                .unwrap_or_else(|| Error::of_status(status, format!("{plain}: {message}"))),
        }
    }
}
