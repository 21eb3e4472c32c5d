import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../headquarters/db/open.ts";
import { endProgram, startProgram } from "../../headquarters/test/headquarters-program.ts";
import { missingNats } from "../../headquarters/test/nats-server.ts";
import { prepareRestaurants } from "../../headquarters/test/prepare-restaurants.ts";
import { randomFrom } from "../../headquarters/test/simulated-restaurant.ts";
import { testFolder } from "../../headquarters/test/test-folder.ts";
import { compareFleet, simulateChanges, startFleet } from "./simulated-fleet.ts";

describe.skipIf(missingNats !== null)("chain", () => {
  it("fifty restaurants lose and duplicate nothing on an evening [HQ-41]", { timeout: 120_000 }, async () => {
    const dataDir = await testFolder();
    const location = { url: null, dataDir };
    const prepared = await prepareRestaurants(location, 50);
    const program = startProgram({ HQ_DATA_DIR: dataDir });
    onTestFinished(() => endProgram(program));
    await program.url();
    const url = `nats://127.0.0.1:${readFileSync(path.join(dataDir, "nats/port"), "utf8")}`;

    const members = await startFleet(prepared, { seed: 1, url, kbps: 5_000, history: 20 });
    const stop = () => Promise.all(members.map((member) => member.stop()));
    onTestFinished(async () => void (await stop()));
    // Starts while the last restaurants still send their history, as a real evening would.
    await simulateChanges(members, { seconds: 6, rate: 0.28, random: randomFrom(1) });
    await vi.waitUntil(() => members.every((member) => member.isDone()), { timeout: 80_000, interval: 50 });
    await stop();
    await endProgram(program);

    const database = await openDatabase(location);
    onTestFinished(() => database.close());
    expect(await compareFleet(database, members)).toEqual({ lost: 0, doubled: 0, sums: 0 });
    const cursors = await database.query(
      `SELECT restaurant_id AS id, epoch, seq::int AS seq, fact_id::int AS "factId", is_full_done AS "isFullDone"
       FROM cursors ORDER BY restaurant_id`,
    );
    expect(cursors).toEqual(
      members.map(({ restaurant: { id, history } }) => {
        const { epoch, seq, factId } = history;
        return { id, epoch, seq, factId, isFullDone: true };
      }),
    );
    expect(members.flatMap((member) => member.lags).length).toBeGreaterThan(50);
  });
});
