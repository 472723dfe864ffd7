//! Icons, drawn with lines of the text's colour.

use maud::{Markup, html};

/// An icon of 16 by 16, which says nothing to a reader who does not see it.
pub(crate) fn icon(name: &str) -> Markup {
    html! {
        svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"
            stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" {
            path d=(path(name)) {}
        }
    }
}

fn path(name: &str) -> &'static str {
    match name {
        "search" => "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM14 14l-3.4-3.4",
        "down" => "M4 6l4 4 4-4",
        "right" => "M6 4l4 4-4 4",
        "check" => "M3 8.5l3.2 3.2L13 5",
        "warning" => "M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1",
        "error" => "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.6M8 11v.1",
        "theme" => "M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7z",
        "copy" => "M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3",
        "plus" => "M8 3v10M3 8h10",
        "trash" => "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9M6.8 7v4M9.2 7v4",
        "home" => "M2.5 7.5L8 2.5l5.5 5M4 6.5v7h8v-7",
        "play" => "M5 3l8 5-8 5z",
        "rows" => "M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11",
        "grid" => "M2.5 2.5h11v11h-11zM2.5 6.5h11M6.5 2.5v11",
        "file" => "M4 1.5h5l3 3v10H4zM6 9.5l1.5 1.5L10 8",
        "pulse" => "M1.5 8h3l2-5 3 10 2-5h3",
        "branch" => {
            "M4 4.5v7M4 4.5a1.5 1.5 0 1 0 0-.1M4 12.5a1.5 1.5 0 1 0 0-.1M12 4.5a1.5 1.5 0 1 0 0-.1M12 5c0 4-8 2-8 6"
        }
        "back" => "M6 4L2.5 7.5 6 11M2.5 7.5H10a3.5 3.5 0 0 1 0 7H8",
        "panel" => "M2.5 3.5h11v9h-11zM9.5 3.5v9",
        "pause" => "M5.5 4v8M10.5 4v8",
        _ => "M3 8h10",
    }
}
