//! Words that made-up values consist of.

/// Words by what the name of an attribute suggests.
pub(super) fn words_for(attribute: &str) -> &'static [&'static str] {
    let name = attribute.to_ascii_lowercase();
    let lists: [(&[&str], &'static [&'static str]); 7] = [
        (&["firstname", "givenname"], &FIRST_NAMES),
        (&["lastname", "surname", "familyname"], &LAST_NAMES),
        (
            &["user", "author", "owner", "person", "createdby"],
            &FIRST_NAMES,
        ),
        (&["city", "place", "location", "birthplace"], &CITIES),
        (&["country"], &COUNTRIES),
        (&["title", "name", "label", "subject"], &THINGS),
        (
            &[
                "description",
                "biography",
                "comment",
                "note",
                "text",
                "body",
            ],
            &SENTENCES,
        ),
    ];
    let found = lists
        .iter()
        .find(|(parts, _)| parts.iter().any(|part| name.contains(part)));
    found.map_or(&THINGS, |(_, words)| words)
}

const FIRST_NAMES: [&str; 12] = [
    "Ada", "Ines", "Jonas", "Mira", "Tomás", "Yuki", "Omar", "Lena", "Kofi", "Freya", "Anil", "Zoe",
];
const LAST_NAMES: [&str; 12] = [
    "Holm",
    "Carvalho",
    "Byron",
    "Nakamura",
    "Okafor",
    "Lindqvist",
    "Moreau",
    "Rossi",
    "Novak",
    "Haddad",
    "Svensson",
    "Iyer",
];
const CITIES: [&str; 10] = [
    "Porto", "Bollnäs", "Nagoya", "Accra", "Lyon", "Tartu", "Quito", "Leiden", "Pune", "Bergen",
];
const COUNTRIES: [&str; 8] = [
    "Portugal", "Sweden", "Japan", "Ghana", "France", "Estonia", "Ecuador", "India",
];
const THINGS: [&str; 14] = [
    "Harbor", "Orchard", "Lantern", "Meadow", "Compass", "Granite", "Violet", "Copper", "Willow",
    "Summit", "Ember", "Delta", "Juniper", "Quartz",
];
const SENTENCES: [&str; 6] = [
    "Checked twice and filed.",
    "Waiting for the second delivery.",
    "Moved here from the old archive.",
    "Agreed in the meeting on Monday.",
    "Needs a better photograph.",
    "The first of three parts.",
];
