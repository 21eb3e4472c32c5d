import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chainSubjects } from "@comanda/protocol/chain.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import { createUser, fromSeed } from "@nats-io/nkeys";
import { connect, nkeyAuthenticator } from "@nats-io/transport-node";
import { pino } from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isListening } from "../is-listening.ts";
import { findNatsServer } from "../nats/find-server.ts";
import { readOwnKey } from "../nats/own-key.ts";
import { runOwnNats } from "../nats/own-server.ts";
import { runNatsServer } from "../nats/run-server.ts";
import { watchOwn } from "../nats/watch-own.ts";
import { realWorld } from "../world.ts";
import { missingNats } from "./nats-server.ts";
import { startTestHeadquarters } from "./start-test-headquarters.ts";
import { emptyFolder } from "./test-folder.ts";

const repo = path.resolve(import.meta.dirname, "../..");
const PORT = 24_222;

it("an empty key file, as after a full disk, is filled with a new key, and an existing key stays [HQ-6]", async () => {
  const file = path.join(emptyFolder(), "headquarters.nk");
  writeFileSync(file, "");
  const made = await readOwnKey(file);
  expect(fromSeed(made).getPublicKey()).toMatch(/^U/);
  expect(await readOwnKey(file)).toEqual(made);
});

describe.skipIf(missingNats !== null)("the built-in NATS server", () => {
  it("the built-in NATS server chooses a port if its file is empty, and keeps it from then on [HQ-231]", async () => {
    const folder = emptyFolder();
    const usersFile = path.join(folder, "users.conf");
    writeFileSync(usersFile, "users: []\n");
    writeFileSync(path.join(folder, "port"), "");
    const urls: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const own = await runOwnNats({ folder, usersFile }, realWorld(pino({ enabled: false })));
      urls.push(own.url);
      await own.stop();
    }
    expect(Number(new URL(urls[0] ?? "").port)).toBeGreaterThan(0);
    expect(urls[1]).toBe(urls[0]);
  });

  it("the NATS server is restarted less often while that does not help, and soon again after an answer [HQ-239]", async () => {
    const headquarters = await startTestHeadquarters();
    onTestFinished(() => headquarters.stop());
    const pid = Number(readFileSync(path.join(headquarters.folder, "nats/nats.pid"), "utf8"));
    const ends: number[] = [];
    const watch = watchOwn(headquarters.nats.connection, () => void ends.push(performance.now()), {
      everyMs: 30,
      answerMs: 30,
    });
    onTestFinished(() => watch.stop());
    process.kill(pid, "SIGSTOP");
    onTestFinished(() => void process.kill(pid, "SIGCONT"));
    await vi.waitUntil(() => ends.length === 4, { timeout: 20_000 });
    const [first = 0, second = 0, third = 0, fourth = 0] = ends;
    expect((third - second) / (second - first)).toBeGreaterThan(1.5);
    expect((fourth - third) / (second - first)).toBeGreaterThan(3);
    process.kill(pid, "SIGCONT");
    const { connection } = headquarters.nats;
    await (await jetstreamManager(connection)).streams.info(chainSubjects.stream);
    // Answers to earlier requests come too late. Some of the next messages answer the watch.
    const { inMsgs } = connection.stats();
    await vi.waitUntil(() => connection.stats().inMsgs >= inMsgs + 5);
    expect(ends).toHaveLength(4);
    const again = performance.now();
    process.kill(pid, "SIGSTOP");
    await vi.waitUntil(() => ends.length === 5, { timeout: 20_000 });
    expect(ends[4]! - again).toBeLessThan(fourth - third);
  });

  it("the NATS server does not start again if it ended just when headquarters are stopped [HQ-4]", async () => {
    const folder = emptyFolder();
    const usersFile = path.join(folder, "users.conf");
    writeFileSync(usersFile, "users: []\n");
    const restarting = Promise.withResolvers<void>();
    const write = (line: string): void => void (line.includes("is started again") && restarting.resolve());
    const own = await runOwnNats({ folder, usersFile }, realWorld(pino({}, { write })));
    const port = Number(new URL(own.url).port);
    process.kill(Number(readFileSync(path.join(folder, "nats.pid"), "utf8")), "SIGKILL");
    await restarting.promise;
    await own.stop();
    expect(await isListening({ port, host: "127.0.0.1" })).toBe(false);
  });
});

describe.skipIf(missingNats !== null)("the chain's own NATS server", () => {
  it("the configuration in headquarters/deploy works over TLS, with users that are admitted and revoked [HQ-6, HQ-24]", async () => {
    const folder = emptyFolder();
    const file = (name: string): string => path.join(folder, name);
    const selfSigned = path.join(repo, "hub/test/support/self-signed.ts");
    const certificate = (await import(pathToFileURL(selfSigned).href)) as {
      selfSigned: { cert: string; key: string };
    };
    writeFileSync(file("fullchain.pem"), certificate.selfSigned.cert);
    writeFileSync(file("key.pem"), certificate.selfSigned.key);
    mkdirSync(file("users"));
    writeFileSync(file("users/users.conf"), "users: []\n");
    const deployed = readFileSync(path.join(repo, "headquarters/deploy/nats.conf"), "utf8");
    const configuration = deployed
      .replaceAll("/etc/nats/tls/", `${folder}/`)
      .replace("0.0.0.0:4222", `127.0.0.1:${PORT}`)
      .replace("/run/nats/nats.pid", file("nats.pid"))
      .replace("/var/lib/nats", file("store"))
      .replace('http: "127.0.0.1:8222"', "")
      // Debian's server is too old for this option.
      .replace("sync_interval: always", "");
    writeFileSync(file("nats.conf"), configuration);
    const server = await runNatsServer({
      program: await findNatsServer(path.join(repo, ".cache")),
      configFile: file("nats.conf"),
      port: PORT,
      logFile: file("nats.log"),
    });
    onTestFinished(() => server.stop());

    const headquarters = await startTestHeadquarters({
      HQ_NATS_URL: `tls://localhost:${PORT}`,
      HQ_NATS_CA_FILE: file("fullchain.pem"),
      HQ_NATS_USERS_FILE: file("users/users.conf"),
      HQ_NATS_PID_FILE: file("nats.pid"),
    });
    onTestFinished(() => headquarters.stop());
    await headquarters.database.query("INSERT INTO restaurants (id, name, created_at) VALUES ('tls1', 'TLS', now())");
    const { code } = await headquarters.enrolment.createCode("tls1", "Eva");
    const key = createUser();
    const request = { code, publicKey: key.getPublicKey(), hubId: "hub-tls1", hubName: "Caja", version: "0.1.0" };
    const answer = await fetch(`${headquarters.url}/enroll`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    const enrolled = (await answer.json()) as { url: string; ca: string };
    expect(enrolled).toMatchObject({ url: `tls://localhost:${PORT}`, ca: certificate.selfSigned.cert });

    const options = { servers: enrolled.url, authenticator: nkeyAuthenticator(key.getSeed()), reconnect: false };
    const connection = await vi.waitFor(() => connect({ ...options, timeout: 700, tls: { ca: enrolled.ca } }), {
      timeout: 10_000,
    });
    await expect(connect({ ...options, tls: {} })).rejects.toThrow(/certificate/i);
    await headquarters.enrolment.revoke("tls1", "Eva");
    await connection.closed();
    expect(await connect({ ...options, timeout: 2_000, tls: { ca: enrolled.ca } }).catch(() => "refused")).toBe(
      "refused",
    );
  });
});
