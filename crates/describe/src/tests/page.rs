use super::super::{html, markdown, relations_svg};
use super::{models, read};
use monotable_model::model::Model;
use std::collections::BTreeSet;

fn between<'t>(text: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    let pieces = text.split(start).skip(1);
    pieces.filter_map(|piece| piece.split(end).next()).collect()
}

#[test]
fn every_entity_and_pattern_has_an_anchor_and_every_link_resolves() {
    for model in models() {
        let pages = [
            (markdown(&model), "<a id=\"", "\"", "](#", ")"),
            (html(&model), " id=\"", "\"", "href=\"#", "\""),
        ];
        for (page, id, id_end, link, link_end) in pages {
            let anchors = between(&page, id, id_end);
            let known: BTreeSet<_> = anchors.iter().copied().collect();
            assert_eq!(
                known.len(),
                anchors.len(),
                "{}: an anchor twice",
                model.name
            );
            for (_, entity) in model.entities() {
                let anchor = format!("entity-{}", entity.name.value);
                assert!(known.contains(anchor.as_str()), "{anchor}");
            }
            for (_, access) in model.patterns() {
                let anchor = format!("access-{}", access.name.value);
                assert!(known.contains(anchor.as_str()), "{anchor}");
            }
            for link in between(&page, link, link_end) {
                assert!(known.contains(link), "{}: {link}", model.name);
            }
        }
    }
}

#[test]
fn every_covered_id_is_in_the_index_of_ids() {
    for model in models() {
        let page = markdown(&model);
        let index = page.rsplit("## Requirements covered").next().unwrap();
        let entities = model
            .entities
            .iter()
            .flat_map(|entity| &entity.notes.covers);
        let patterns = model.access.iter().flat_map(|access| &access.notes.covers);
        for id in entities.chain(patterns) {
            assert!(
                index.contains(&format!("| `{}` |", id.value)),
                "{}",
                id.value
            );
        }
    }
}

#[test]
fn output_is_the_same_every_time() {
    for (one, other) in models().iter().zip(models()) {
        assert_eq!(markdown(one), markdown(&other));
        assert_eq!(html(one), html(&other));
        assert_eq!(relations_svg(one), relations_svg(&other));
    }
}

fn odd() -> Model {
    read(
        r##"
        monotable = 1
        model = "odd"
        about = "a <b> & \"c\" | d * e"
        [table.T]
        key = ["PK", "SK"]
        [entity.E]
        about = "x <script>alert(1)</script> | y"
        key = ["E#{a|'<&>'}", "E#{id}"]
        must.small = "a < 'x|y'"
        [entity.E.attributes]
        id = "uuid, generated"
        a = "text?, default = '<i>|</i>'"
        [access.e]
        key = ["E#{a|'<&>'}", "E#*"]
        returns = ["E"]
        "##,
    )
}

#[test]
fn html_shows_text_as_text() {
    let page = html(&odd());
    assert!(page.contains("a &lt;b&gt; &amp; &quot;c&quot; | d * e"));
    assert!(page.contains("x &lt;script&gt;alert(1)&lt;/script&gt; | y"));
    assert!(!page.contains("<script>alert"));
    assert!(!page.contains("<i>|"));
}

#[test]
fn markdown_shows_text_as_text_and_keeps_tables_whole() {
    let page = markdown(&odd());
    assert!(page.contains("a &lt;b&gt; &amp; \"c\" \\| d \\* e"));
    assert!(!page.contains("<script>"));
    assert!(page.contains("`'<i>\\|</i>'`"));
    let bars = |line: &str| line.replace("\\|", "").matches('|').count();
    let mut head = None;
    for line in page.lines() {
        match (line.starts_with('|'), head) {
            (true, None) => head = Some(bars(line)),
            (true, Some(count)) => assert_eq!(bars(line), count, "{line}"),
            (false, _) => head = None,
        }
    }
}

#[test]
fn headings_go_down_one_level_at_a_time() {
    for model in models() {
        let page = html(&model);
        let mut last = 0;
        for piece in page.split("<h").skip(1) {
            let Some(level) = piece.chars().next().and_then(|c| c.to_digit(10)) else {
                continue;
            };
            assert!(level <= last + 1, "{}: {}", model.name, &piece[..60]);
            last = level;
        }
    }
}
