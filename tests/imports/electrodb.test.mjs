// ElectroDB and a model that was imported from its schemas, on one table.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Entity, Service } from "electrodb";
import { documents, importSchema, items, sample } from "./monotable.mjs";

const TABLE = "fleet";
const { entities } = JSON.parse(readFileSync(sample("electrodb.json"), "utf8"));
const make = (name) => new Entity(entities[name], { table: TABLE, client: documents });
const [driver, trip, vehicle] = ["driver", "trip", "vehicle"].map(make);
const fleet = new Service({ driver, trip }, { table: TABLE, client: documents });
const model = importSchema("electrodb.json", TABLE);

const ANN = { driverId: "D-1", depot: "North Side", name: "Ann", licence: "C", grade: 7, active: true, languages: ["en", "sv"], home: { city: "Luleå" } };
const TRIP = { tripId: "T9", driverId: "D-1", depot: "North Side", startedAt: "2026-01-05T10:00:00Z", kilometres: 5.5, state: "planned" };
const VAN = { plate: "AB 12", depot: "North Side", seats: 4, boughtAt: "2024" };

/** What ElectroDB would store. */
const stored = (entity, values) => entity.put(values).params().Item;

test("rows that ElectroDB wrote are read by the model", async () => {
  await driver.put({ ...ANN, badges: ["night", "ice"] }).go();
  await trip.put(TRIP).go();
  await vehicle.put(VAN).go();
  const { badges, ...ann } = model.get("Driver", { driverId: "D-1" });
  assert.deepEqual(ann, ANN);
  assert.deepEqual([...badges].sort(), ["ice", "night"]);
  assert.deepEqual(model.get("Trip", { driverId: "D-1", startedAt: TRIP.startedAt, tripId: "T9" }), TRIP);
  assert.deepEqual(model.get("Vehicle", { plate: "AB 12" }), VAN);
  assert.deepEqual(model.query("trip_of_driver", { driverId: "D-1" }), [TRIP]);
  const together = model.query("depot_work", { depot: "North Side" });
  assert.deepEqual(together.map((row) => row.tripId ?? row.name), ["Ann", "T9"]);
  assert.match(model.verify(), /^$/m);
});

test("rows that the model wrote have ElectroDB's bytes and are read by it", async () => {
  const written = [
    [driver, "Driver", { ...ANN, driverId: "D-Two", name: "Bo", grade: 12 }],
    [trip, "Trip", { ...TRIP, tripId: "TÅ", driverId: "D-Two", state: "done", endedAt: "2026-01-05T12:00:00Z" }],
    [vehicle, "Vehicle", { ...VAN, plate: "xy-9" }],
  ];
  for (const [entity, name, values] of written) {
    model.create(name, values);
    const wanted = stored(entity, values);
    const found = (await items(TABLE)).find((item) => item.pk === wanted.pk && item.sk === wanted.sk);
    assert.deepEqual(found, wanted);
  }
  assert.deepEqual((await driver.get({ driverId: "D-Two" }).go()).data, written[0][2]);
  assert.deepEqual((await trip.query.ofDriver({ driverId: "D-Two" }).go()).data, [written[1][2]]);
  assert.equal((await vehicle.get({ plate: "xy-9" }).go()).data.seats, 4);
  const work = (await fleet.collections.depotWork({ depot: "north side" }).go()).data;
  assert.deepEqual([work.driver.length, work.trip.length], [2, 2]);
  model.verify();
});

test("the model refuses what ElectroDB refuses", () => {
  assert.throws(() => model.create("Driver", { ...ANN, driverId: "D-3", licence: "Z" }), /licence/);
  assert.throws(() => model.create("Driver", { driverId: "D-3" }), /depot/);
});
