//! How much a random test does.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "tests")]

/// `MONOTABLE_CASES`, scaled: a test whose usual number is not 100 does in proportion more or fewer.
pub fn cases(usual: u32) -> u32 {
    let asked = std::env::var("MONOTABLE_CASES").ok();
    match asked.and_then(|asked| asked.parse::<u32>().ok()) {
        Some(asked) => (asked * usual).div_ceil(100),
        None => usual,
    }
}
