//! Quantiles.

/// The value that this share of the values does not exceed; 0 of nothing. Sorts the values.
pub(crate) fn quantile(values: &mut [u32], share: f64) -> u32 {
    values.sort_unstable();
    let place = (values.len().saturating_sub(1) as f64 * share).round() as usize;
    values.get(place).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occur() {
        let mut values: Vec<u32> = (0..=100).rev().collect();
        assert_eq!(quantile(&mut values, 0.5), 50);
        assert_eq!(quantile(&mut values, 0.99), 99);
        assert_eq!(quantile(&mut [], 0.99), 0);
    }
}
