import type { StoredOrder } from "@comanda/protocol";
import { type ChainAnswer, chainSubjects } from "@comanda/protocol/chain.ts";
import type { NatsConnection } from "@nats-io/transport-node";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { signInAs } from "../test/start-test-api.ts";
import { startTestProposals } from "../test/start-test-proposals.ts";
import { connectAs } from "../test/start-test-headquarters.ts";

let chain: Awaited<ReturnType<typeof startTestProposals>>;

beforeAll(async () => {
  chain = await startTestProposals(3);
  return () => chain.headquarters.stop();
});

/** Runs a hub with these answers until the test is over, and records the questions. */
async function answering(id: string, answers: Readonly<Record<string, ChainAnswer | string>>) {
  const connection: NatsConnection = await connectAs(chain.headquarters.nats.publicUrl, id, chain.seedOf(id));
  const questions: unknown[] = [];
  for (const [question, answer] of Object.entries(answers)) {
    connection.subscribe(chainSubjects.question(id, question as "check"), {
      callback(_, message) {
        questions.push([question, message.json()]);
        message.respond(typeof answer === "string" ? answer : JSON.stringify(answer));
      },
    });
  }
  await connection.flush();
  onTestFinished(() => connection.close());
  return questions;
}

const line = {
  at: "2026-11-20T20:00:00.000Z",
  level: "warn",
  component: "printing",
  event: null,
  message: "no paper",
  facts: "{}",
};

it("a question to a restaurant's hub carries the person's name and is in the audit log [HQ-180]", async () => {
  const [id = ""] = chain.restaurants;
  const questions = await answering(id, { logs: { ok: true, body: [line] } });
  const { status, body } = await chain.owner.get(`/restaurants/${id}/logs`);
  expect([status, body]).toEqual([200, { lines: [line] }]);
  expect(questions).toEqual([["logs", { by: "Rosa Peña" }]]);
  const { body: audit } = await chain.owner.get("/audit");
  expect(audit.entries[0]).toMatchObject({ action: "restaurant.asked", restaurantId: id, detail: { what: "logs" } });

  const region = await signInAs(chain.api, chain.owner, { login: "sur", role: "region", groups: ["Nada"] });
  expect((await region.get(`/restaurants/${id}/logs`)).body.errorCode).toBe("NOT_FOUND");
  expect(questions).toHaveLength(1);
});

it("a hub that does not answer, or not readably, is UNREACHABLE, and a refused question has its own code [HQ-181]", async () => {
  const [id = "", other = ""] = chain.restaurants;
  const codeOf = async (restaurant: string, what: string): Promise<unknown> =>
    (await chain.owner.get(`/restaurants/${restaurant}/${what}`)).body.errorCode;
  expect(await codeOf(other, "logs")).toBe("UNREACHABLE");
  await answering(id, {
    doctor: { ok: false, code: "FORBIDDEN", error: "the restaurant does not let headquarters read its diagnosis" },
    logs: "no JSON",
  });
  expect(await codeOf(id, "doctor")).toBe("REFUSED_BY_RESTAURANT");
  expect(await codeOf(id, "logs")).toBe("UNREACHABLE");
});

it("a check is shown as its hub has it, or as headquarters' copy with its time if the hub does not answer [HQ-182]", async () => {
  const [, id = ""] = chain.restaurants;
  const hub = await chain.hub(id);
  hub.simulated.steps(20);
  await hub.say();
  const [posReference = "", there] = [...hub.simulated.history.orders].at(-1) ?? [];
  const path = `/restaurants/${id}/check?posReference=${encodeURIComponent(posReference)}`;
  const copy = await chain.owner.get(path);
  expect(copy).toMatchObject({ status: 200, body: { order: { posReference, version: there?.order.version } } });
  expect(Date.parse(copy.body.copyOf)).toBeGreaterThan(0);

  const newer = { ...(there?.order as StoredOrder), version: 99 };
  const questions = await answering(id, { check: { ok: true, body: newer } });
  expect(await chain.owner.get(path)).toMatchObject({ status: 200, body: { order: { version: 99 }, copyOf: null } });
  expect(questions).toEqual([["check", { by: "Rosa Peña", posReference }]]);
  expect((await chain.owner.get(`/restaurants/${id}/check?posReference=`)).status).toBe(400);
});

it("cutting a restaurant's hub takes effect at once and keeps the data that it had sent [HQ-183]", async () => {
  // The other tests ask the first two.
  const [, , id = ""] = chain.restaurants;
  const connection = await connectAs(chain.headquarters.nats.publicUrl, id, chain.seedOf(id));
  const cut = (enrolmentTime: string) =>
    chain.owner.call("DELETE", `/restaurants/${id}/hub?enrolledAt=${enrolmentTime}`);
  expect((await cut("2026-01-01T00:00:00.000Z")).body).toMatchObject({ errorCode: "CONFLICT" });
  const { enrolledAt } = (await chain.owner.get(`/restaurants/${id}`)).body;
  expect((await cut(enrolledAt)).status).toBe(200);
  expect(await connection.closed()).toBeInstanceOf(Error);
  const { body } = await chain.owner.get(`/restaurants/${id}`);
  expect(body).toMatchObject({ id, hubId: null });
  const support = await signInAs(chain.api, chain.owner, {
    login: "ayuda",
    role: "support",
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect((await support.call("DELETE", `/restaurants/${id}/hub`)).status).toBe(403);
});
