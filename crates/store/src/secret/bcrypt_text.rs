//! bcrypt hashes as texts: `$2b$10$`, 22 characters of salt, 31 of hash.
//!
//! The bcrypt crate can do this too, but only together with a source of chance of its own, which a store does not want:
//! salts come from its host. So only the crate's core is used.

use base64::engine::general_purpose::NO_PAD;
use base64::{Engine as _, alphabet, engine::GeneralPurpose};
use subtle::ConstantTimeEq;

const BASE64: GeneralPurpose = GeneralPurpose::new(&alphabet::BCRYPT, NO_PAD);

/// What bcrypt reads of a text; the rest would be ignored without a word.
pub(crate) const MOST_BYTES: usize = 72;

/// How many characters of a hash are not its salt.
const DIGEST_LENGTH: usize = 31;

/// The costs that bcrypt knows, as powers of two.
const COSTS: std::ops::RangeInclusive<u32> = 4..=31;

/// The hash of a text; none if the text is too long or bcrypt knows no such cost.
pub(super) fn hash(text: &str, cost: u32, salt: [u8; 16]) -> Option<String> {
    let made = digest(text.as_bytes(), cost, salt)?;
    Some(beginning(cost, salt)? + &BASE64.encode(made))
}

/// How hashes begin that are made with a cost and a salt; none if bcrypt knows no such cost.
pub(super) fn beginning(cost: u32, salt: [u8; 16]) -> Option<String> {
    let is_known = COSTS.contains(&cost);
    is_known.then(|| format!("$2b${cost:02}${}", BASE64.encode(salt)))
}

/// How a hash begins: what a text is hashed with that is held against it.
pub(super) fn beginning_of(hash: &str) -> Option<&str> {
    let digest = is_hash(hash).then(|| hash.len().checked_sub(DIGEST_LENGTH))??;
    hash.get(..digest)
}

/// Whether two hashes are the same but for their versions, found out in a time that tells nothing about them.
pub(super) fn are_same(one: &str, other: &str) -> bool {
    let (Some(one), Some(other)) = (parse(one), parse(other)) else {
        return false;
    };
    let is_same: bool = one.digest.ct_eq(&other.digest).into();
    is_same && one.cost == other.cost && one.salt == other.salt
}

/// Whether a text is the one that was hashed. Of a longer text only what bcrypt reads counts.
pub(super) fn verify(text: &str, hash: &str) -> bool {
    let bytes = text.as_bytes();
    let bytes = bytes.get(..MOST_BYTES).unwrap_or(bytes);
    let matches = parse(hash).and_then(|known| {
        let made = digest(bytes, known.cost, known.salt)?;
        Some(known.digest.ct_eq(&made).into())
    });
    matches.unwrap_or(false)
}

/// Whether a text is a whole hash of a cost that bcrypt knows.
pub(super) fn is_hash(text: &str) -> bool {
    parse(text).is_some_and(|parts| COSTS.contains(&parts.cost))
}

/// A hash that was taken apart.
struct Parts {
    cost: u32,
    salt: [u8; 16],
    digest: [u8; 23],
}

fn parse(hash: &str) -> Option<Parts> {
    let rest = ["$2a$", "$2b$", "$2x$", "$2y$"]
        .iter()
        .find_map(|version| hash.strip_prefix(version))?;
    let (cost, rest) = rest.split_once('$')?;
    let (salt, digest) = rest.split_at_checked(22)?;
    Some(Parts {
        cost: cost.parse().ok().filter(|_| cost.len() == 2)?,
        salt: BASE64.decode(salt).ok()?.try_into().ok()?,
        digest: BASE64.decode(digest).ok()?.try_into().ok()?,
    })
}

fn digest(text: &[u8], cost: u32, salt: [u8; 16]) -> Option<[u8; 23]> {
    if !COSTS.contains(&cost) || text.len() > MOST_BYTES {
        return None;
    }
    // The text ends with a zero, as in C, unless it fills everything.
    let mut bytes = text.to_vec();
    bytes.push(0);
    bytes.truncate(MOST_BYTES);
    let whole = bcrypt::bcrypt(cost, salt, &bytes);
    whole.get(..23)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes that other programs have made.
    #[test]
    fn hashes_of_other_programs_are_verified() {
        let known = [
            (
                "U*U",
                "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            ),
            (
                "U*U*",
                "$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK",
            ),
            (
                "",
                "$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
            ),
        ];
        for (text, hash) in known {
            assert!(verify(text, hash), "{text}");
            assert!(!verify("something else", hash), "{text}");
            assert!(is_hash(hash), "{text}");
        }
    }

    #[test]
    fn a_text_is_verified_by_its_own_hash_only() {
        let hash = hash("correct horse", 4, [7; 16]).unwrap();
        assert_eq!(hash.len(), 60);
        assert!(hash.starts_with("$2b$04$"));
        assert!(verify("correct horse", &hash));
        assert!(!verify("correct horse ", &hash));
    }

    #[test]
    fn a_hash_says_what_it_was_made_with() {
        let hash = hash("correct horse", 4, [7; 16]).unwrap();
        let beginning = beginning(4, [7; 16]).unwrap();
        assert_eq!(beginning.len(), 29);
        assert_eq!(beginning_of(&hash), Some(beginning.as_str()));
        assert_eq!(beginning_of("plain text"), None);
        assert!(are_same(&hash, &hash.replace("$2b$", "$2a$")));
        assert!(!are_same(&hash, &format!("{beginning}{}", ".".repeat(31))));
        assert!(!are_same("plain text", "plain text"));
    }

    #[test]
    fn texts_that_bcrypt_would_cut_off_and_broken_hashes_are_refused() {
        assert!(hash(&"x".repeat(73), 4, [0; 16]).is_none());
        assert!(hash("x", 3, [0; 16]).is_none());
        for broken in [
            "",
            "$2b$04$",
            "plain text",
            "$2b$99$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$2b$0ä$",
        ] {
            assert!(!verify("x", broken), "{broken}");
            assert!(!is_hash(broken), "{broken}");
        }
    }
}
