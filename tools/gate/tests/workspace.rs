//! The rules applied to this workspace, so that `cargo test --workspace` enforces them.

use monotable_gate::{Metadata, check};

#[test]
fn the_workspace_keeps_every_rule() {
    let metadata = Metadata::of_workspace().expect("cargo metadata");
    let problems: Vec<_> = check(&metadata).iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "\n- {}", problems.join("\n- "));
}
