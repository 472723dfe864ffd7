//! Buckets, and the keys of objects in them.

use crate::constraint::{Constraints, Path, Quoted};
use crate::structure::structure;

const BUCKET_CHARS: usize = 255;
const PREFIX_CHARS: usize = 1024;

structure! {
    /// Where an import comes from.
    pub struct S3BucketSource {
        /// The account that owns the bucket.
        s3_bucket_owner: String,
        /// The bucket.
        s3_bucket: String,
        /// What the keys of its objects begin with.
        s3_key_prefix: String,
    }
}

/// The name of a bucket, which is also the name of a folder.
pub(crate) fn constrain_bucket(constraints: &mut Constraints, path: Path<'_>, bucket: &str) {
    constraints.text_length(path, bucket, 0..=BUCKET_CHARS);
    let bytes = bucket.as_bytes();
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let fits = bytes.len() >= 2
        && is_end(bytes.first())
        && is_end(bytes.last())
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    if !fits {
        let rule =
            r"Member must satisfy regular expression pattern: ^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$";
        constraints.report(Quoted(bucket), path, rule);
    }
}

pub(crate) fn constrain_prefix(constraints: &mut Constraints, path: Path<'_>, prefix: &str) {
    constraints.text_length(path, prefix, 0..=PREFIX_CHARS);
}

/// An account has twelve digits.
pub(crate) fn constrain_owner(constraints: &mut Constraints, path: Path<'_>, owner: &str) {
    let fits = owner.len() == 12 && owner.bytes().all(|byte| byte.is_ascii_digit());
    if !fits {
        let rule = "Member must satisfy regular expression pattern: [0-9]{12}";
        constraints.report(Quoted(owner), path, rule);
    }
}

/// A token that tells two requests apart.
pub(crate) fn constrain_token(constraints: &mut Constraints, token: &str) {
    if token.is_empty() || token.contains('$') {
        let rule = r"Member must satisfy regular expression pattern: ^[^\$]+$";
        constraints.report(Quoted(token), Path::Root("clientToken"), rule);
    }
}

/// Longest name of a folder, in bytes.
const MAX_NAME_BYTES: usize = 255;

/// Whether every part of a prefix can be the name of a folder.
pub(crate) fn is_path(prefix: &str) -> bool {
    let mut parts = prefix.split('/');
    parts.all(|part| part.len() <= MAX_NAME_BYTES && !part.contains('\0'))
}

/// Whether a prefix names no folder outside of its bucket.
pub(crate) fn stays_inside(prefix: &str) -> bool {
    prefix.split('/').all(|part| !matches!(part, "." | ".."))
}
