//! Encryption at rest. Monotable accepts and describes what a request says about it; the data of an
//! embedded table is as encrypted as the disk it lies on.

use crate::Timestamp;
use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::structure::structure;

choices! {
    /// Who holds the key.
    pub enum SseType {
        /// DynamoDB.
        Aes256 = "AES256",
        /// The key management service.
        Kms = "KMS",
    }

    /// How far encryption is.
    pub enum SseStatus {
        /// Being turned on.
        Enabling = "ENABLING",
        /// On.
        Enabled = "ENABLED",
        /// Being turned off.
        Disabling = "DISABLING",
        /// Off.
        Disabled = "DISABLED",
        /// Being changed.
        Updating = "UPDATING",
    }
}

structure! {
    /// How a table is to be encrypted.
    pub struct SseSpecification {
        /// With a key of the key management service.
        enabled: bool,
        /// Who holds the key.
        #[serde(rename = "SSEType")]
        sse_type: Chosen<SseType>,
        /// Which key.
        #[serde(rename = "KMSMasterKeyId")]
        kms_master_key_id: String,
    }

    /// How a described table is encrypted.
    pub struct SseDescription {
        /// How far it is.
        status: SseStatus,
        /// Who holds the key.
        #[serde(rename = "SSEType")]
        sse_type: SseType,
        /// Which key.
        #[serde(rename = "KMSMasterKeyArn")]
        kms_master_key_arn: String,
        /// Since when the key cannot be used.
        inaccessible_encryption_date_time: Timestamp,
    }
}

impl SseSpecification {
    pub(crate) fn constrain(given: &Option<Self>, constraints: &mut Constraints) {
        const PATH: Path<'static> = Path::Root("sseSpecification");
        if let Some(given) = given {
            constraints.choice(PATH.field("sseType"), &given.sse_type);
        }
    }
}
