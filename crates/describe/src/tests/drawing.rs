use super::super::diagram::{Frame, frames};
use super::super::relations_svg;
use super::{models, read, xml};

fn overlap(one: &Frame, other: &Frame) -> bool {
    one.1 < other.1 + other.3
        && other.1 < one.1 + one.3
        && one.2 < other.2 + other.4
        && other.2 < one.2 + one.4
}

#[test]
fn no_two_boxes_overlap() {
    for model in models() {
        let frames = frames(&model);
        assert_eq!(frames.len(), model.stored().count(), "{}", model.name);
        for (position, one) in frames.iter().enumerate() {
            for other in &frames[position + 1..] {
                assert!(!overlap(one, other), "{one:?} {other:?}");
            }
        }
    }
}

#[test]
fn the_drawing_is_well_formed_and_names_every_entity() {
    for model in models() {
        let svg = relations_svg(&model);
        xml::check(&svg).unwrap_or_else(|problem| panic!("{}: {problem}", model.name));
        for (_, entity) in model.stored() {
            let name = format!(">{}</text>", entity.name.value);
            assert!(svg.contains(&name), "{name}");
        }
    }
}

#[test]
fn what_is_referred_to_stands_left_and_a_weak_circle_points_right() {
    let model = read(
        r#"
        monotable = 1
        model = "m"
        [table.T]
        key = ["PK", "SK"]
        [entity.Tree]
        key = ["TREE#{treeId}", "TREE"]
        [entity.Tree.attributes]
        treeId = "uuid, generated"
        root = "-> Person?, on_delete = clear"
        [entity.Person]
        key = ["TREE#{treeId}", "PERSON#{personId}"]
        [entity.Person.attributes]
        treeId = "-> Tree, on_delete = cascade"
        personId = "uuid, generated"
        [access.tree]
        key = ["TREE#{treeId}"]
        returns = ["Tree", "Person"]
        "#,
    );
    let frames = frames(&model);
    let left = |name: &str| frames.iter().find(|frame| frame.0 == name).unwrap().1;
    assert!(left("Tree") < left("Person"));
    let svg = relations_svg(&model);
    assert!(svg.contains("class=\"arrow cascade\"") && svg.contains("class=\"arrow clear\""));
}
