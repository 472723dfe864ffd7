//! What to do about the findings of each rule.

use monotable_model::diagnostic::Code;

/// In a sentence or two; a diagnostic's own help knows the case at hand better.
pub(super) const fn advice(code: Code) -> &'static str {
    match code {
        Code::StrangerInQuery => {
            "Name in `returns` what the pattern really meets, put what it should skip in `drops`, or make \
             its key condition narrower."
        }
        Code::OpenPrefix => {
            "Close the prefix with the delimiter that follows the identifier: `ORDER#{id}#*`. If it is to be \
             open, write `{id*}`."
        }
        Code::UnguardedClaim => {
            "Declare the claim, so that a guard row holds it: `unique.email = \"USER_EMAIL#{email}\"`; or make \
             the value the primary key."
        }
        Code::NeverInIndex => {
            "Give the entity the other key attribute, or take it out of the index: `GSI1 = []`."
        }
        Code::UnpaddedNumber => "Pad it to a fixed width: `{number:05}`.",
        Code::TimeTie => {
            "Let something unique follow the time: `{createdAt}#{id}`; or write `on_exists = \"fraction\"`."
        }
        Code::AmbiguousKey => {
            "Keep the delimiter out of the values, with `without = #` or `matches = /.../`, or use another \
             delimiter."
        }
        Code::MutableKey => {
            "Say `immutable` if it never changes, `movable` if a change is a delete and a put, or declare a \
             [move] that changes it."
        }
        Code::HotPartition => {
            "Put something with many values into the partition key, or spread it: `{id:shard(8)}`."
        }
        Code::MissingTenant => "Take the key out of the entity's `global`.",
        Code::LeftBehind => {
            "Let the rows go along: `owns` on the entity, `on_delete = cascade` on the reference, or `carries` \
             and `removes` on the [move]."
        }
        Code::IndexDecides => {
            "Decide by the table: a guard (`unique`), or a pattern on the primary key with `consistent = true`."
        }
        Code::ExposedSecret => {
            "Take it out of the key, or put a digest there: `{token:sha256}`; let the index project only what \
             is read from it."
        }
        Code::SameKey => "Give each entity a literal of its own in the partition or the sort key.",
        Code::EmptyKey => {
            "Give the value at least one character, `text(1..)`, or keep rows without it out of the index: \
             `when.GSI1`."
        }
        Code::GeneratedKey => {
            "Make the key of what the caller knows, so that the same write finds the same row."
        }
        Code::LongKey => {
            "Bound the values, `text(1..100)`, or shorten them in the key: `{name:fit(900)}`. DynamoDB takes \
             2048 bytes of partition key and 1024 of sort key."
        }
        Code::LargeTransaction => {
            "Bound what the write touches, such as the length of a list: `[text](0..20)`."
        }
        Code::NoPath => {
            "Declare an access pattern that finds the referring rows and name it with `via`, or write \
             `on_delete = keep`."
        }
        Code::OutsideIsolation => {
            "Begin the partition key with what [isolation] allows, or add its form to `partitions` there."
        }
        Code::NeverSet => {
            "Give the attribute a default or a template, let callers set it, or make it optional."
        }
        Code::RefusedName => {
            "Choose a name that DynamoDB takes: tables and indexes have 3 to 255 letters, digits, `_`, `-` and `.`."
        }
        Code::NotCarriedOut => "Remove the declaration, or say what the message asks for.",
        Code::BadToml => {
            "Correct the TOML at the place that is underlined; toml.io has the grammar."
        }
        Code::UnknownKey => "Correct the spelling, or remove the key; nothing is ignored.",
        Code::WrongKind => "Write a value of the kind that the message names.",
        Code::MissingKey => "Add what the message names.",
        Code::UnknownName => "Correct the spelling, or declare what the name stands for.",
        Code::BadTemplate => {
            "Correct the template: literals and `{placeholders}`; a brace itself is written twice."
        }
        Code::BadAttribute => {
            "Correct the attribute: a type, then clauses with commas between: `text(1..100)?, immutable`."
        }
        Code::BadPredicate => {
            "Correct the condition: it is DynamoDB's, with literals in it: `status = 'open' AND size(tags) > 0`."
        }
        Code::Cycle => "Remove one of the references that make the circle.",
        Code::Contradiction => "Decide for one of the two.",
        Code::UnusedAccept => "Remove the `accept`: what it accepted is not found any more.",
        Code::UnknownVersion => "Write `monotable = 1`, or use a release that knows the version.",
        Code::TooLarge => "Divide the model, or remove what it does not need.",
        Code::ReservedKey => "Let the partition key begin with another text than `monotable#`.",
    }
}
