//! Projections keep exactly what they name.

use crate::ast::Printer;
use crate::{naive, strategies};
use monotable_expr::{Placeholders, Projection};
use monotable_item::EncodedItem;
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_projection_agrees_with_the_naive_one(
        paths in vec(strategies::path(), 1..5),
        item in strategies::item(),
        choices in vec(any::<bool>(), 0..24),
    ) {
        let mut printer = Printer::new(choices);
        let text = printer.projection(&paths);
        let values = printer.values();
        let parsed = Projection::parse(&text, &mut Placeholders::new(&printer.names, &values));
        let paths: Vec<_> = paths.iter().collect();
        prop_assert_eq!(parsed.is_ok(), naive::are_apart(&paths), "{}", text);
        if let Ok(parsed) = parsed {
            let projected = parsed.project(EncodedItem::from(&item).view());
            prop_assert!(projected.is_well_formed());
            prop_assert_eq!(projected.to_item(), naive::project(&item, &paths), "{}", text);
        }
    }
}
