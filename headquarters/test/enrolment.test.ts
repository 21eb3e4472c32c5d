import { Enrolled } from "@comanda/protocol/chain.ts";
import { createUser } from "@nats-io/nkeys";
import { connect, nkeyAuthenticator } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chainUsers } from "../db/chain-users.ts";
import { missingNats } from "./nats-server.ts";
import { connectAs, startTestHeadquarters, type TestHeadquarters } from "./start-test-headquarters.ts";
import { createBrowser, signInOwner } from "./start-test-api.ts";

describe.skipIf(missingNats !== null)("enrolling a hub", () => {
  let headquarters: TestHeadquarters;
  let made = 0;

  beforeAll(async () => {
    headquarters = await startTestHeadquarters({ HQ_CHAIN_NAME: "Prueba", HQ_BEHIND_PROXY: "true" });
  });
  afterAll(async () => headquarters?.stop());

  async function restaurant(): Promise<string> {
    const id = `enrol${++made}`;
    await headquarters.database.query("INSERT INTO restaurants (id, name, created_at) VALUES ($1, $2, now())", [
      id,
      `Casa ${id}`,
    ]);
    return id;
  }

  const codeFor = async (id: string) => (await headquarters.enrolment.createCode(id, "Eva")).code;

  interface Attempt {
    code: string;
    key?: ReturnType<typeof createUser>;
    hubId?: string;
    address?: string;
    body?: string;
  }

  /** Enrols a hub, by default from a new address. */
  async function enrol({
    code,
    key = createUser(),
    hubId = `hub-${++made}`,
    address = `10.0.0.${++made}`,
    body,
  }: Attempt) {
    const request = { code, publicKey: key.getPublicKey(), hubId, hubName: "Caja", version: "0.1.0" };
    const answer = await fetch(`${headquarters.url}/enroll`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": `6.6.6.6, ${address}` },
      body: body ?? JSON.stringify(request),
    });
    return { status: answer.status, body: (await answer.json()) as { errorCode?: string } };
  }

  const refusal = (status: number, errorCode: string) =>
    expect.objectContaining({ status, body: expect.objectContaining({ errorCode }) as unknown });

  async function isAdmitted(key: ReturnType<typeof createUser>): Promise<boolean> {
    const authenticator = nkeyAuthenticator(key.getSeed());
    const servers = headquarters.nats.publicUrl;
    const refused = await connect({ servers, authenticator, timeout: 2_000, reconnect: false }).catch(() => null);
    await refused?.close();
    return refused !== null;
  }

  /** Waits until a key is refused: the server reloads its users with a short delay. */
  const untilOut = (key: ReturnType<typeof createUser>) =>
    vi.waitUntil(async () => !(await isAdmitted(key)), { timeout: 5_000 });

  it("an enrolled hub can connect, and gets the same answer if it repeats its request [HQ-20, HQ-21]", async () => {
    const id = await restaurant();
    const key = createUser();
    const code = await codeFor(id);
    const answer = await enrol({ code: `${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`, key });
    const url = headquarters.nats.publicUrl;
    expect(answer).toEqual({
      status: 200,
      body: { restaurantId: id, restaurantName: `Casa ${id}`, chainName: "Prueba", url },
    });
    expect(Enrolled.safeParse(answer.body).success).toBe(true);
    await (await connectAs(url, id, key.getSeed())).close();
    expect(await enrol({ code, key })).toEqual(answer);

    const [row] = await headquarters.database.query("SELECT * FROM enrolment_codes WHERE restaurant_id = $1", [id]);
    expect(JSON.stringify(row)).not.toContain(code);
  });

  it("a used, expired, replaced or wrong code is refused [HQ-20, HQ-22]", async () => {
    const id = await restaurant();
    const used = await codeFor(id);
    await enrol({ code: used });
    expect(await enrol({ code: used })).toEqual(refusal(409, "ENROLMENT_CODE_USED"));
    const replaced = await codeFor(id);
    const old = await codeFor(id);
    expect(await enrol({ code: replaced })).toEqual(refusal(403, "ENROLMENT_CODE_WRONG"));
    headquarters.clock.ahead += 10 * 60_000;
    expect(await enrol({ code: old })).toEqual(refusal(410, "ENROLMENT_CODE_EXPIRED"));
  });

  it("the key of another restaurant, and a body that is no request, are refused [HQ-22]", async () => {
    const key = createUser();
    await enrol({ code: await codeFor(await restaurant()), key });
    const code = await codeFor(await restaurant());
    expect(await enrol({ code, key })).toEqual(refusal(409, "KEY_IN_USE"));
    expect(await enrol({ code, body: "{" })).toEqual(refusal(400, "VALIDATION_ERROR"));
    expect(await enrol({ code: "1" })).toEqual(refusal(400, "VALIDATION_ERROR"));
    expect(await enrol({ code, body: " ".repeat(5_000) })).toEqual(refusal(413, "PAYLOAD_TOO_LARGE"));
    expect((await enrol({ code })).status).toBe(200);
  });

  it("the hub of another restaurant is refused until it is cut there [HQ-22]", async () => {
    const hubId = "hub-moved";
    const first = await restaurant();
    await enrol({ code: await codeFor(first), hubId });
    expect((await enrol({ code: await codeFor(first), hubId })).status).toBe(200);
    const code = await codeFor(await restaurant());
    expect(await enrol({ code, hubId })).toEqual(refusal(409, "HUB_IN_USE"));
    await headquarters.enrolment.revoke(first, "Eva");
    expect((await enrol({ code, hubId })).status).toBe(200);
  });

  it("cutting a hub cuts only the hub that the screen showed, and keeps the code for the next one [HQ-183]", async () => {
    const { enrolment, database } = headquarters;
    const id = await restaurant();
    const [former, key] = [createUser(), createUser()];
    const enrolledAt = async (): Promise<string> => {
      const [row] = await database.query<{ at: Date }>('SELECT enrolled_at AS "at" FROM restaurants WHERE id = $1', [
        id,
      ]);
      return row?.at.toISOString() ?? "";
    };
    // Both hubs have the same data: the PC was stolen, and its backup was restored on the next one.
    await enrol({ code: await codeFor(id), key: former, hubId: "hub-same" });
    const before = await enrolledAt();
    headquarters.clock.ahead += 60_000;
    await enrol({ code: await codeFor(id), key, hubId: "hub-same" });
    await expect(enrolment.revoke(id, "Eva", before)).rejects.toMatchObject({ code: "CONFLICT" });
    await vi.waitUntil(() => isAdmitted(key), { timeout: 5_000 });
    await enrolment.revoke(id, "Eva", await enrolledAt());
    await untilOut(key);
    const code = await codeFor(id);
    await enrolment.revoke(id, "Eva", await enrolledAt());
    expect((await enrol({ code })).status).toBe(200);
  });

  it("a network that guesses codes is locked out, and no other network is [HQ-23]", async () => {
    const code = await codeFor(await restaurant());
    const address = "10.9.9.9";
    for (let n = 0; n < 5; n += 1) {
      expect(await enrol({ code: "AAAAAAAA", address })).toEqual(refusal(403, "ENROLMENT_CODE_WRONG"));
    }
    expect(await enrol({ code, address })).toEqual(refusal(429, "TOO_MANY_TRIES"));
    expect((await enrol({ code })).status).toBe(200);
    headquarters.clock.ahead += 10 * 60_000;
    expect((await enrol({ code: await codeFor(await restaurant()), address })).status).toBe(200);
  });

  it("enrolling a restaurant again replaces its key [HQ-21]", async () => {
    const id = await restaurant();
    const [first, second] = [createUser(), createUser()];
    await enrol({ code: await codeFor(id), key: first });
    await (await connectAs(headquarters.nats.publicUrl, id, first.getSeed())).close();
    await enrol({ code: await codeFor(id), key: second });
    await (await connectAs(headquarters.nats.publicUrl, id, second.getSeed())).close();
    expect(await isAdmitted(first)).toBe(false);
  });

  it("a revoked key is disconnected within a second and refused, and others stay connected [HQ-24]", async () => {
    const [id, stays] = [await restaurant(), await restaurant()];
    const [key, other] = [createUser(), createUser()];
    await enrol({ code: await codeFor(id), key });
    await enrol({ code: await codeFor(stays), key: other });
    const url = headquarters.nats.publicUrl;
    const connection = await connectAs(url, id, key.getSeed());
    const staying = await connectAs(url, stays, other.getSeed());
    const cut = (async () => {
      for await (const { type } of connection.status()) if (type === "disconnect") return performance.now();
      return performance.now();
    })();

    const lost: string[] = [];
    void (async () => {
      for await (const { type } of staying.status()) lost.push(type);
    })();

    const before = performance.now();
    await headquarters.enrolment.revoke(id, "Eva");
    expect((await cut) - before).toBeLessThan(1_000);
    await connection.close();
    expect(await isAdmitted(key)).toBe(false);
    await staying.flush();
    expect(lost).not.toContain("disconnect");
    await staying.close();
  });

  it("a revoked key is not admitted by another list of keys that is being written at the same time [HQ-221]", async () => {
    const { database, nats } = headquarters;
    const id = await restaurant();
    const key = createUser();
    await enrol({ code: await codeFor(id), key });
    const [hasRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = nats.admit(async () => {
      const users = await chainUsers(database);
      hasRead.resolve();
      await mayGoOn.promise;
      return users;
    });
    await hasRead.promise;
    const revoked = headquarters.enrolment.revoke(id, "Eva");
    await vi.waitFor(async () =>
      expect((await chainUsers(database)).map((each) => each.restaurantId)).not.toContain(id),
    );
    mayGoOn.resolve();
    await Promise.all([slow, revoked]);
    await untilOut(key);
  });

  it("closing a restaurant and cutting its hub succeed or fail together [HQ-192]", async () => {
    const id = await restaurant();
    const key = createUser();
    await enrol({ code: await codeFor(id), key });
    const setupCode = /"setupCode":"([^"]+)"/.exec(headquarters.logged.join(""))?.[1] ?? "";
    const owner = await signInOwner({ browser: () => createBrowser(headquarters.url), setupCode });
    const close = () => owner.patch(`/restaurants/${id}`, { isClosed: true });
    const readState = async () => {
      const [row] = await headquarters.database.query(
        `SELECT is_closed AS "isClosed", public_key IS NOT NULL AS "hasKey" FROM restaurants WHERE id = $1`,
        [id],
      );
      return row;
    };
    // Makes the database fail halfway.
    await headquarters.database.query("ALTER TABLE enrolment_codes RENAME TO away");
    expect((await close()).status).toBe(503);
    await headquarters.database.query("ALTER TABLE away RENAME TO enrolment_codes");
    expect(await readState()).toEqual({ isClosed: false, hasKey: true });
    expect((await close()).status).toBe(200);
    expect(await readState()).toEqual({ isClosed: true, hasKey: false });
    await untilOut(key);
  });
});
