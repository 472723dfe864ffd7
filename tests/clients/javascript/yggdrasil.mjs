// A family in the single table of Yggdrasil: its definition (YG.1) and its entities (YG-E1 to YG-E6).
//
// The keys are written by hand, as programs without a model do it.

const key = (hash, range) => [
  { AttributeName: hash, KeyType: "HASH" },
  { AttributeName: range, KeyType: "RANGE" },
];
const INDEXES = ["GSI1", "GSI2", "GSI3"];

export const YGGDRASIL = {
  KeySchema: key("PK", "SK"),
  AttributeDefinitions: ["PK", "SK", ...INDEXES.flatMap((index) => [`${index}PK`, `${index}SK`])].map(
    (AttributeName) => ({ AttributeName, AttributeType: "S" }),
  ),
  GlobalSecondaryIndexes: INDEXES.map((IndexName) => ({
    IndexName,
    KeySchema: key(`${IndexName}PK`, `${IndexName}SK`),
    Projection: { ProjectionType: "ALL" },
  })),
  BillingMode: "PAY_PER_REQUEST",
};

const stamps = (CreatedAt) => ({ CreatedAt, UpdatedAt: CreatedAt });

/** YG-E1 */
export const user = (UserId, Email) => ({
  PK: `USER#${UserId}`,
  SK: "PROFILE",
  GSI3PK: `USER#${UserId}`,
  GSI3SK: "PROFILE",
  EntityType: "User",
  UserId,
  Email,
  CognitoUsername: `sub-${UserId}`,
  ...stamps("2030-01-01T08:00:00.000Z"),
});

/** YG-E6 */
export const emailGuard = ({ UserId, Email }) => {
  const name = `USER_EMAIL#${Email.trim().toLowerCase()}`;
  return { PK: name, SK: name, EntityType: "UserEmail", Email, UserId };
};

/** YG-E2 */
export const tree = (UserId, TreeId, TreeName, CreatedAt) => ({
  PK: `USER#${UserId}`,
  SK: `TREE#${TreeId}`,
  GSI1PK: `TREE#${TreeId}`,
  GSI1SK: `USER#${UserId}`,
  GSI2PK: `TREE#${TreeId}`,
  GSI2SK: "TREE#METADATA",
  GSI3PK: `USER#${UserId}`,
  GSI3SK: `TREE#${CreatedAt}`,
  EntityType: "Tree",
  TreeId,
  UserId,
  TreeName,
  IsPublic: false,
  PersonCount: 0,
  ...stamps(CreatedAt),
});

/** YG-E3 */
export const person = (UserId, TreeId, PersonId, FirstName, n) => {
  const CreatedAt = `2030-03-01T09:00:${String(n).padStart(2, "0")}.000Z`;
  return {
    PK: `USER#${UserId}`,
    SK: `PERSON#${PersonId}`,
    GSI1PK: `PERSON#${PersonId}`,
    GSI1SK: `TREE#${TreeId}`,
    GSI2PK: `TREE#${TreeId}`,
    GSI2SK: `PERSON#${PersonId}`,
    GSI3PK: `USER#${UserId}`,
    GSI3SK: `PERSON#${CreatedAt}#${n}`,
    EntityType: "Person",
    PersonId,
    TreeId,
    UserId,
    FirstName,
    LastName: "Lindqvist",
    Gender: "Unknown",
    ...stamps(CreatedAt),
  };
};

/** YG-E4 */
export const parentChild = (UserId, TreeId, ParentId, ChildId) => ({
  PK: `USER#${UserId}`,
  SK: `PERSON#${ParentId}#CHILD#${ChildId}`,
  GSI1PK: `PERSON#${ChildId}`,
  GSI1SK: `PARENT#${ParentId}`,
  GSI2PK: `TREE#${TreeId}`,
  GSI2SK: `RELATIONSHIP#PARENT#${ParentId}#${ChildId}`,
  EntityType: "Relationship",
  RelationshipType: "ParentChild",
  ParentId,
  ChildId,
  TreeId,
  UserId,
  Type: "Biological",
  ...stamps("2030-04-01T10:00:00.000Z"),
});

/** YG-E5 */
export const spousal = (UserId, TreeId, Person1Id, Person2Id) => ({
  PK: `USER#${UserId}`,
  SK: `PERSON#${Person1Id}#SPOUSE#${Person2Id}`,
  GSI1PK: `PERSON#${Person2Id}`,
  GSI1SK: `SPOUSE#${Person1Id}`,
  GSI2PK: `TREE#${TreeId}`,
  GSI2SK: `RELATIONSHIP#SPOUSE#${Person1Id}#${Person2Id}`,
  EntityType: "Relationship",
  RelationshipType: "Spousal",
  Person1Id,
  Person2Id,
  TreeId,
  UserId,
  Status: "Married",
  ...stamps("2030-04-02T10:00:00.000Z"),
});
