#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| monotable_fuzz_targets::run("rest", input));
