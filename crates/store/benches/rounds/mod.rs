//! Two ways of doing the same, held against each other in rounds that alternate.

use std::time::Instant;

/// By how much one side is slower than the other: the median of rounds that alternate.
pub(crate) fn ratio(
    (rounds, calls): (usize, usize),
    mut model: impl FnMut(usize),
    mut hand: impl FnMut(usize),
) -> (f64, f64, f64) {
    let mut ratios = Vec::new();
    let mut times = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let time = |run: &mut dyn FnMut(usize)| {
            let start = Instant::now();
            for call in 0..calls {
                run(round * calls + call);
            }
            start.elapsed().as_secs_f64() / calls as f64 * 1e6
        };
        let (first, second) = match round % 2 {
            0 => {
                let model = time(&mut model);
                (model, time(&mut hand))
            }
            _ => {
                let hand = time(&mut hand);
                (time(&mut model), hand)
            }
        };
        ratios.push(first / second);
        times.0.push(first);
        times.1.push(second);
    }
    let middle = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    (
        middle(&mut ratios),
        middle(&mut times.0),
        middle(&mut times.1),
    )
}
