import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStream } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const SERVICE = "_comanda-hub._tcp.local";
const LOOPBACK = "127.0.0.1";
const MDNS = { address: "224.0.0.251", port: 5353 };

/** Builds an mDNS question by hand: an independent client shares no code with the hub. */
function question(): Buffer {
  const labels = SERVICE.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  const head = Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  // PTR, class IN, unicast answer requested.
  return Buffer.concat([head, ...labels, Buffer.from([0, 0, 12, 0x80, 1])]);
}

interface Found {
  port: number;
  txt: Record<string, string>;
  ttl: number;
}

/** Parses an answer. Returns null if it is not about our service. */
function readAnswer(packet: Buffer, instance: string): Found | null {
  if (((packet[2] ?? 0) & 0x80) === 0) return null;
  let at = 12;
  const counts = [4, 6, 8, 10].map((offset) => packet.readUInt16BE(offset));
  const readName = (from: number): { name: string; next: number } => {
    const parts: string[] = [];
    let next = -1;
    for (let place = from; ;) {
      const length = packet[place] ?? 0;
      if (length === 0) return { name: parts.join("."), next: next === -1 ? place + 1 : next };
      if ((length & 0xc0) === 0xc0) {
        if (next === -1) next = place + 2;
        place = packet.readUInt16BE(place) & 0x3fff;
        continue;
      }
      parts.push(packet.toString("utf8", place + 1, place + 1 + length));
      place += 1 + length;
    }
  };
  for (let i = 0; i < (counts[0] ?? 0); i += 1) at = readName(at).next + 4;
  const found: Partial<Found> = {};
  const records = (counts[1] ?? 0) + (counts[2] ?? 0) + (counts[3] ?? 0);
  for (let i = 0; i < records; i += 1) {
    const { name, next } = readName(at);
    const type = packet.readUInt16BE(next);
    const ttl = packet.readUInt32BE(next + 4);
    const length = packet.readUInt16BE(next + 8);
    const data = next + 10;
    at = data + length;
    const isOurs = name === `${instance}.${SERVICE}`;
    if (isOurs && type === 33) found.port = packet.readUInt16BE(data + 4);
    if (isOurs && type === 16) found.txt = readTxt(packet.subarray(data, at));
    if (type === 12 && name === SERVICE && readName(data).name === `${instance}.${SERVICE}`) found.ttl = ttl;
  }
  return found.ttl === undefined ? null : { port: 0, txt: {}, ...found, ttl: found.ttl };
}

function readTxt(data: Buffer): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0)) {
    const [name = "", ...value] = data.toString("utf8", at + 1, at + 1 + (data[at] ?? 0)).split("=");
    pairs.push([name, value.join("=")]);
  }
  return Object.fromEntries(pairs);
}

/** Listens for announcements and goodbyes on loopback. */
async function listen(instance: string): Promise<{ announcements: Found[]; ask(): void }> {
  const announcements: Found[] = [];
  const group = createSocket({ type: "udp4", reuseAddr: true });
  const asker = createSocket({ type: "udp4" });
  onTestFinished(() => {
    group.close();
    asker.close();
  });
  for (const socket of [group, asker]) {
    socket.on("message", (packet) => {
      const found = readAnswer(packet, instance);
      if (found !== null) announcements.push(found);
    });
  }
  await new Promise<void>((resolve) => group.bind(MDNS.port, resolve));
  group.addMembership(MDNS.address, LOOPBACK);
  await new Promise<void>((resolve) => asker.bind(0, LOOPBACK, resolve));
  asker.setMulticastInterface(LOOPBACK);
  return { announcements, ask: () => asker.send(question(), MDNS.port, MDNS.address, () => {}) };
}

const instanceName = (): string => `Hub ${crypto.randomUUID().slice(0, 8)}`;

describe("discovery", () => {
  it("an independent client finds the hub by mDNS, and sees it withdrawn when it stops [DISC-1, DISC-2]", async () => {
    const name = instanceName();
    const client = await listen(name);
    const hub = await startTestHub({ env: { HUB_MDNS_ENABLED: "true", HUB_NAME: name } });
    const found = await until(
      "the hub to be found",
      () => {
        client.ask();
        return client.announcements.find((each) => each.ttl > 0 && each.port > 0 && each.txt["id"] !== undefined);
      },
      20_000,
    );
    // The screens are also served under the announced name.
    const headers = { Host: `${name.replaceAll(" ", "-")}.local:${hub.port}` };
    expect((await hub.send("GET", "/", { headers })).status).toBe(200);
    const { hello } = await hub.terminal();
    expect(found).toMatchObject({
      port: hub.port,
      txt: { id: hello.hubId, name, ver: expect.stringMatching(/^\d+\.\d+\.\d+/), proto: "1", path: "/" },
    });
    await hub.stop();
    await until("the goodbye", () => client.announcements.some((each) => each.ttl === 0));
  });

  it("discovery is starting until the hub is announced, and screens are notified [HUB-170]", async () => {
    const hub = await startTestHub({ env: { HUB_MDNS_ENABLED: "true", HUB_NAME: instanceName() } });
    const stream = await openStream(hub);
    const states = [hub.hub.pairing().discovery.state];
    for (; states.at(-1) === "starting"; states.push(hub.hub.pairing().discovery.state))
      await stream.changed("pairing");
    expect(states).toEqual(["starting", "announced"]);
  });

  it.each([
    ["é".repeat(60), "é".repeat(28)],
    ["🍽️".repeat(20), "🍽️".repeat(8)],
    ["x".repeat(60), "x".repeat(57)],
    ["Casa S.A.", "Casa S.A"],
    ["...", "Comanda Hub"],
  ])("a hub named %s is announced with its name shortened to fit a label [DISC-5]", async (name, label) => {
    const client = await listen(label);
    await startTestHub({ env: { HUB_MDNS_ENABLED: "true", HUB_NAME: name } });
    const found = await until(
      "the hub to be found",
      () => {
        client.ask();
        return client.announcements.find((each) => each.ttl > 0 && each.txt["name"] !== undefined);
      },
      20_000,
    );
    expect(found.txt["name"]).toBe(name);
  });

  it("nothing is announced while discovery is off [DISC-3]", async () => {
    const name = instanceName();
    const other = instanceName();
    const client = await listen(name);
    const control = await listen(other);
    await startTestHub({ env: { HUB_NAME: name } });
    await startTestHub({ env: { HUB_NAME: other, HUB_MDNS_ENABLED: "true" } });
    await until("the other hub", () => (control.ask(), control.announcements.length > 0), 20_000);
    expect(client.announcements).toEqual([]);
  });

  it("the hub serves and stops in any state of discovery [DISC-4]", async () => {
    const hub = await startTestHub({ env: { HUB_MDNS_ENABLED: "true", HUB_NAME: "x".repeat(60) } });
    expect((await hub.send("GET", "/health")).status).toBe(200);
    await hub.stop();
  });

  const avahi = ["dbus-daemon", "avahi-daemon", "avahi-browse"].map(findProgram);
  // A machine already running avahi cannot run a second daemon.
  if (avahi.every((program) => program !== undefined) && spawnSync(avahi[1] ?? "", ["--check"]).status !== 0) {
    it("avahi finds the hub [DISC-1]", async () => {
      const name = instanceName();
      const browse = await startAvahi();
      const hub = await startTestHub({ env: { HUB_MDNS_ENABLED: "true", HUB_NAME: name } });
      const line = await until(
        "the hub to be found",
        () => browse.lines().find((each) => each.startsWith("=") && each.includes(name.replace(" ", "\\032"))),
        20_000,
      );
      expect(line).toContain(`;${hub.port};`);
      expect(line).toContain('"path=/"');
    });
  }
});

function findProgram(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin"];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Starts Debian's mDNS responder and its browser on a private bus and loopback only. */
async function startAvahi(): Promise<{ lines(): string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-avahi-"));
  const bus = `unix:path=${path.join(folder, "bus")}`;
  writeFileSync(
    path.join(folder, "bus.conf"),
    `<busconfig><type>session</type><listen>${bus}</listen><auth>EXTERNAL</auth><policy context="default">
      <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
  );
  writeFileSync(
    path.join(folder, "avahi.conf"),
    "[server]\nuse-ipv6=no\nallow-interfaces=lo\n[publish]\npublish-workstation=no\n",
  );
  const env = { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin`, DBUS_SYSTEM_BUS_ADDRESS: bus };
  const start = (program: string, args: string[]): ChildProcess => {
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  start("dbus-daemon", ["--nofork", `--config-file=${path.join(folder, "bus.conf")}`]);
  await until("the bus", () => existsSync(path.join(folder, "bus")));
  const daemon = start("avahi-daemon", [
    "--no-drop-root",
    "--no-chroot",
    "--no-rlimits",
    `--file=${path.join(folder, "avahi.conf")}`,
  ]);
  let log = "";
  for (const stream of [daemon.stdout, daemon.stderr])
    stream?.on("data", (data: Buffer) => (log += data.toString("utf8")));
  await until("avahi", () => log.includes("Server startup complete"));
  let output = "";
  const browse = start("avahi-browse", ["--resolve", "--parsable", "_comanda-hub._tcp"]);
  browse.stdout?.on("data", (data: Buffer) => (output += data.toString("utf8")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Drops the incomplete last line.
  return { lines: () => output.split("\n").slice(0, -1) };
}
