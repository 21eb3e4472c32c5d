import { jetstream } from "@nats-io/jetstream";
import { connect, nkeyAuthenticator, type NatsConnection } from "@nats-io/transport-node";
import { createUser } from "@nats-io/nkeys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingNats } from "./nats-server.ts";
import { startTestHeadquarters, type TestHeadquarters, type TestRestaurant } from "./start-test-headquarters.ts";

describe.skipIf(missingNats !== null)("permissions of a restaurant at NATS", () => {
  let headquarters: TestHeadquarters;
  let restaurant: TestRestaurant;
  let other: TestRestaurant;
  let connection: NatsConnection;
  let of: NatsConnection;

  beforeAll(async () => {
    headquarters = await startTestHeadquarters();
    restaurant = await headquarters.addRestaurant("own1");
    other = await headquarters.addRestaurant("other1");
    connection = await restaurant.connect();
    of = headquarters.nats.connection;
  });
  afterAll(async () => {
    await connection?.close();
    await headquarters?.stop();
  });

  /** Returns the server's error message for what `act` does. */
  async function refusalOf(act: (asRestaurant: NatsConnection) => unknown): Promise<string> {
    const fresh = await restaurant.connect();
    try {
      const refused = (async () => {
        for await (const status of fresh.status()) if (status.type === "error") return status.error.message;
        return "nothing was refused";
      })();
      act(fresh);
      // The server reports refusals before it answers the flush.
      await fresh.flush();
      await fresh.close();
      return await refused;
    } finally {
      await fresh.close();
    }
  }

  it("a restaurant sends its own data and reads what is sent to it [HQ-10]", async () => {
    const stored = await jetstream(connection).publish("up.own1.sync", "batch");
    expect(stored.stream).toBe("UP");
    const last = await connection.request("$JS.API.DIRECT.GET.UP.up.own1.sync");
    expect(last.string()).toBe("batch");

    const beats = of.subscribe("beat.own1", { max: 1 });
    await of.flush();
    connection.publish("beat.own1", "here");
    for await (const beat of beats) expect(beat.string()).toBe("here");

    const subscription = connection.subscribe("dn.own1.>", {
      callback: (_, message) => void message.respond("answer"),
    });
    await connection.flush();
    expect((await of.request("dn.own1.ask.overview", "")).string()).toBe("answer");
    subscription.unsubscribe();
  });

  it.each([
    ["batches of another", (at: NatsConnection) => at.publish("up.other1.sync", "x")],
    ["a beat of another", (at: NatsConnection) => at.publish("beat.other1", "x")],
    ["a question for another", (at: NatsConnection) => at.publish("ask.other1.cursor", "x")],
    ["sending as headquarters", (at: NatsConnection) => at.publish("dn.own1.cursor", "x")],
    ["an inbox of headquarters without a question", (at: NatsConnection) => at.publish("_INBOX.anything.1", "x")],
    ["its own document", (at: NatsConnection) => at.publish("$KV.desired.own1", "x")],
    ["the stream", (at: NatsConnection) => at.publish("$JS.API.STREAM.INFO.UP", "")],
    ["purging the stream", (at: NatsConnection) => at.publish("$JS.API.STREAM.PURGE.UP", "")],
    ["a consumer", (at: NatsConnection) => at.publish("$JS.API.CONSUMER.CREATE.UP", "{}")],
    ["the account", (at: NatsConnection) => at.publish("$JS.API.ACCOUNT.PURGE.CHAIN", "")],
    ["batches of another, read", (at: NatsConnection) => at.publish("$JS.API.DIRECT.GET.UP.up.other1.sync", "")],
    ["any batch, read", (at: NatsConnection) => at.publish("$JS.API.DIRECT.GET.UP", "{}")],
    [
      "a document of another",
      (at: NatsConnection) => at.publish("$JS.API.DIRECT.GET.KV_desired.$KV.desired.other1", ""),
    ],
    ["messages to another", (at: NatsConnection) => at.subscribe("dn.other1.>")],
    ["inboxes of another", (at: NatsConnection) => at.subscribe("_INBOX.other1.>")],
    ["all inboxes", (at: NatsConnection) => at.subscribe("_INBOX.>")],
    ["everything", (at: NatsConnection) => at.subscribe(">")],
    ["all new batches", (at: NatsConnection) => at.subscribe("up.*.sync")],
  ])("a restaurant is refused access: %s [HQ-10]", async (_, act) => {
    expect(other.id).toBe("other1");
    expect(await refusalOf(act)).toMatch(/permissions violation/i);
  });

  it("a connection without a key, or with one that was not admitted, is refused [HQ-11]", async () => {
    const url = headquarters.nats.publicUrl;
    await expect(connect({ servers: url, maxReconnectAttempts: 0 })).rejects.toThrow(/authorization/i);
    const stranger = nkeyAuthenticator(createUser().getSeed());
    await expect(connect({ servers: url, authenticator: stranger, maxReconnectAttempts: 0 })).rejects.toThrow(
      /authorization/i,
    );
  });
});
