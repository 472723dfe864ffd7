//! What belongs to one owner.

use super::{VALUES, Versions};

#[test]
fn a_purge_wants_to_be_sure() {
    let (versions, _) = Versions::begun();
    let before = versions.sandbox.items("App");
    let unsure = versions
        .run("purge userId=u1")
        .failed(2, "nothing was deleted");
    assert!(
        unsure.stderr.contains("this would delete 10 items"),
        "{unsure:?}"
    );
    assert!(unsure.stderr.contains("add --yes"), "{unsure:?}");
    assert_eq!(unsure.stdout, "");
    let dry = versions.json("purge userId=u1 --dry-run");
    assert_eq!((&dry["items"], &dry["partitions"]), (&10.into(), &2.into()));
    assert_eq!(versions.sandbox.items("App"), before);
    versions
        .run("purge name=u1 --yes")
        .failed(2, "`name` is not in the principal");
    versions
        .run("purge userId=u1 --yes --as userId=u1")
        .failed(254, "Forbidden");
    let other = versions.json("purge userId=u2 --yes");
    assert_eq!(other["items"], 0);
    let gone = versions.json("purge userId=u1 --yes");
    assert_eq!(gone["items"], 10);
    // The store's own item is nobody's.
    let left = versions.sandbox.items("App");
    assert!(
        left.iter().all(|item| item.contains("monotable#store")),
        "{left:?}"
    );
}

#[test]
fn a_caller_reaches_its_own_only() {
    let (versions, _) = Versions::begun();
    versions
        .run(&format!("log {VALUES} --as userId=u1"))
        .succeeded();
    for line in ["log", "show"] {
        versions
            .run(&format!("{line} {VALUES} --as userId=u2"))
            .failed(254, "Forbidden");
    }
}
