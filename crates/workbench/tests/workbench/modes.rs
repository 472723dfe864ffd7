//! What the page may do, and what it refuses.

use crate::bench::Bench;
use http::{HeaderMap, Method};
use monotable_workbench::Mode;

const RENAME: &str = "do=update&of=Tree&key=%7B%22UserId%22%3A%22ada%22%2C%22TreeId%22%3A%22byron%22%7D&set.TreeName=Milbanke";

#[tokio::test]
async fn without_a_page_there_is_no_address() {
    let bench = Bench::of_family(Mode::Off).await;
    assert!(!bench.workbench.handles("/ui/"));
    assert_eq!(bench.workbench.home(), None);
    let bench = Bench::of_family(Mode::On).await;
    assert!(bench.workbench.handles("/ui") && bench.workbench.handles("/ui/yggdrasil"));
    assert!(!bench.workbench.handles("/uix") && !bench.workbench.handles("/v1/ui"));
}

#[tokio::test]
async fn a_page_that_only_reads_offers_and_does_no_write() {
    let bench = Bench::of_family(Mode::ReadOnly).await;
    let page = bench.page("/ui/yggdrasil/entities/Tree").await;
    assert!(
        page.contains("read only")
            && !page.contains("New Tree")
            && !page.contains("data-attribute"),
        "{page}"
    );
    let (status, text) = bench.send("/ui/yggdrasil/write", RENAME).await;
    assert_eq!(status, 403);
    assert!(text.contains("read only"), "{text}");
    assert!(
        bench
            .page("/ui/yggdrasil/entities/Tree")
            .await
            .contains(">Byron<")
    );
}

#[tokio::test]
async fn a_form_of_a_foreign_page_is_refused() {
    let bench = Bench::of_family(Mode::On).await;
    let (status, _, text) = bench
        .request(
            Method::POST,
            "/ui/yggdrasil/write",
            HeaderMap::new(),
            RENAME,
        )
        .await;
    assert_eq!(status, 403, "{text}");
    assert!(
        bench
            .page("/ui/yggdrasil/entities/Tree")
            .await
            .contains(">Byron<")
    );
}

#[tokio::test]
async fn what_is_not_there_is_said() {
    let bench = Bench::of_family(Mode::On).await;
    for address in [
        "/ui/nothing/patterns",
        "/ui/yggdrasil/patterns/nothing",
        "/ui/yggdrasil/entities/Nobody",
        "/ui/yggdrasil/items/Other/table",
        "/ui/yggdrasil/repositories/nothing",
        "/ui/yggdrasil/else",
    ] {
        let (status, _, page) = bench
            .request(Method::GET, address, HeaderMap::new(), "")
            .await;
        assert_eq!(status, 404, "{address}");
        assert!(page.contains("There is no such"), "{page}");
    }
    let row = "%7B%22UserId%22%3A%22ada%22%2C%22PersonId%22%3A%22nobody%22%7D";
    let page = bench
        .page(&format!("/ui/yggdrasil/entities/Person?row={row}"))
        .await;
    assert!(page.contains("There is no such Person any more"), "{page}");
}
