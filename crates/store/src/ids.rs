//! Ids from the time and from randomness, both of which come in from outside.

use crate::host::NoEntropy;
use monotable_model::model::Generator;

/// Crockford's digits.
const ULID_DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TOKEN_DIGITS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Makes an id. `random` gives 128 fresh bits with each call.
pub(crate) fn generate(
    generator: Generator,
    now_micros: i64,
    random: impl FnMut() -> Result<u128, NoEntropy>,
) -> Result<String, NoEntropy> {
    let mut random = random;
    Ok(match generator {
        Generator::Uuid => uuid(random()?, 4),
        Generator::UuidV7 => uuid_v7(millis(now_micros), within(now_micros, random()?, 64)),
        Generator::Ulid => ulid(millis(now_micros), within(now_micros, random()?, 68)),
        Generator::Token(length) => token(length, random)?,
    })
}

/// The first or the last id of a millisecond, for ids that are made of times.
pub(crate) fn bound(generator: Generator, micros: i64, bits: u128) -> String {
    match generator {
        Generator::Ulid => ulid(millis(micros), bits),
        _ => uuid_v7(millis(micros), bits),
    }
}

fn millis(micros: i64) -> u64 {
    u64::try_from(micros.div_euclid(1_000)).unwrap_or(0)
}

/// The milliseconds since 1970 that an id was made of; none if it does not tell.
pub(crate) fn made_at(generator: Generator, id: &str) -> Option<i64> {
    let bits = match generator {
        Generator::Ulid => {
            let digits = id.get(..10).filter(|_| id.len() == 26)?.bytes();
            digits.into_iter().try_fold(0_u64, |bits, digit| {
                let value = ULID_DIGITS.iter().position(|known| *known == digit)?;
                Some((bits << 5) | value as u64)
            })?
        }
        Generator::UuidV7 => {
            let hex: String = id.get(..13)?.chars().filter(|c| *c != '-').collect();
            u64::from_str_radix(&hex, 16).ok()?
        }
        _ => return None,
    };
    i64::try_from(bits).ok()
}

/// Random bits below the twelve that say when within the millisecond: ids of one clock sort by time, also there.
fn within(micros: i64, random: u128, below: u32) -> u128 {
    let part = u128::try_from(micros.rem_euclid(1_000) * 4_096 / 1_000).unwrap_or(0);
    (part << below) | (random & ((1 << below) - 1))
}

fn uuid_v7(millis: u64, low: u128) -> String {
    let time = u128::from(millis & 0xFFFF_FFFF_FFFF) << 80;
    uuid(time | (low & ((1 << 80) - 1)), 7)
}

fn uuid(bits: u128, version: u128) -> String {
    let bits = (bits & !(0xF << 76) & !(0x3 << 62)) | (version << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    let part = |start: usize, end: usize| hex.get(start..end).unwrap_or_default();
    format!(
        "{}-{}-{}-{}-{}",
        part(0, 8),
        part(8, 12),
        part(12, 16),
        part(16, 20),
        part(20, 32)
    )
}

fn ulid(millis: u64, random: u128) -> String {
    let bits = (u128::from(millis & 0xFFFF_FFFF_FFFF) << 80) | (random & ((1 << 80) - 1));
    let digit = |address: u32| {
        let index = (bits >> (address * 5)) as usize & 0x1F;
        ULID_DIGITS.get(index).copied().map_or('0', char::from)
    };
    (0..26).rev().map(digit).collect()
}

/// So many letters and digits, each as likely as any other: draws that would favour some are thrown away.
fn token(
    length: usize,
    mut random: impl FnMut() -> Result<u128, NoEntropy>,
) -> Result<String, NoEntropy> {
    let mut token = String::with_capacity(length);
    while token.len() < length {
        let bits = random()?;
        let bytes = bits.to_be_bytes();
        let fair = bytes.into_iter().filter(|byte| *byte < 248);
        let letters = fair.filter_map(|byte| TOKEN_DIGITS.get(usize::from(byte) % 62));
        token.extend(
            letters
                .map(|letter| char::from(*letter))
                .take(length - token.len()),
        );
    }
    Ok(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_model::language::Language;

    #[test]
    fn ids_have_their_form() {
        let mut seed = 1_u128;
        for _ in 0..200 {
            let mut random = || {
                seed = seed
                    .wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645)
                    .wrapping_add(99);
                Ok(seed)
            };
            let now = 1_763_467_200_123_456;
            let four = generate(Generator::Uuid, now, &mut random).unwrap();
            assert!(
                Language::uuid().accepts(&four) && four.as_bytes().get(14) == Some(&b'4'),
                "{four}"
            );
            let seven = generate(Generator::UuidV7, now, &mut random).unwrap();
            assert!(
                Language::uuid().accepts(&seven) && seven.as_bytes().get(14) == Some(&b'7'),
                "{seven}"
            );
            assert!(seven.starts_with("019a96d6-067b-7"), "{seven}");
            let ulid = generate(Generator::Ulid, now, &mut random).unwrap();
            assert!(Language::ulid().accepts(&ulid), "{ulid}");
            let token = generate(Generator::Token(51), now, &mut random).unwrap();
            assert!(
                token.len() == 51 && token.bytes().all(|byte| byte.is_ascii_alphanumeric()),
                "{token}"
            );
        }
    }

    #[test]
    fn ids_with_a_time_sort_by_it() {
        for generator in [Generator::UuidV7, Generator::Ulid] {
            for step in [1, 1_000, 60_000_000] {
                let earlier = generate(generator, 1_000_000_700, || Ok(u128::MAX)).unwrap();
                let later = generate(generator, 1_000_000_700 + step, || Ok(0)).unwrap();
                assert!(earlier < later, "{earlier} {later}");
                assert!(bound(generator, 1_000_000_700, 0) <= earlier);
                assert!(bound(generator, 1_000_000_700, u128::MAX) >= earlier);
            }
        }
    }
}
