import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { discoverHubs } from "./discover-hubs.ts";

const MDNS = { address: "224.0.0.251", port: 5353 };
const LOOPBACK = "127.0.0.1";
const SERVICE = "_comanda-hub._tcp.local";
const HOST = "caja.local";
const [A, PTR, TXT, SRV] = [1, 12, 16, 33];

/** Builds DNS by hand: no library of ours would send what a broken or hostile device does. */
const name = (text: string): Buffer => Buffer.concat([...text.split(".").map(counted), Buffer.of(0)]);
const counted = (text: string): Buffer => Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);

function record(of: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(120, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([name(of), head, data]);
}

/** Returns an answer that announces a hub; `txt` null leaves its TXT record out. */
function announcement(instance: string, txt: string[] | null): Buffer {
  const full = `${instance}.${SERVICE}`;
  const records = [
    record(SERVICE, PTR, name(full)),
    record(full, SRV, Buffer.concat([Buffer.of(0, 0, 0, 0, 0x22, 0x3e), name(HOST)])),
    ...(txt === null ? [] : [record(full, TXT, Buffer.concat(txt.map(counted)))]),
    record(HOST, A, Buffer.of(192, 168, 1, 10)),
  ];
  return Buffer.concat([Buffer.of(0, 0, 0x84, 0, 0, 0, 0, records.length, 0, 0, 0, 0), ...records]);
}

/** Answers every question on this machine's loopback network for our service with these packets. */
async function answerWith(packets: readonly Buffer[]): Promise<void> {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  onTestFinished(() => void socket.close());
  socket.bind(MDNS.port);
  await once(socket, "listening");
  socket.addMembership(MDNS.address, LOOPBACK);
  socket.setMulticastInterface(LOOPBACK);
  socket.on("message", (message) => {
    const isQuestion = ((message[2] ?? 0x80) & 0x80) === 0 && message.includes(name(SERVICE));
    if (isQuestion) for (const packet of packets) socket.send(packet, MDNS.port, MDNS.address);
  });
}

const find = () => discoverHubs({ withinMs: 1_000, interface: LOOPBACK });

it("a device that announces itself as a hub without saying which one hides no hub [CLIENT-727]", async () => {
  await answerWith([
    announcement("mute", null),
    announcement("mute", null),
    announcement("nameless", ["path=/"]),
    announcement("caja", ["id=7f", "name=Caja", "ver=1.2.0", "proto=1"]),
  ]);
  const found = await find();
  expect(found).toContainEqual({
    id: "7f",
    name: "Caja",
    version: "1.2.0",
    protocol: 1,
    urls: ["ws://192.168.1.10:8766"],
  });
  expect(found.filter(({ id }) => id === "mute" || id === "nameless")).toEqual([]);
});

it("an announced name is shown as one line in one direction [CLIENT-727]", async () => {
  await answerWith([announcement("odd", ["id=odd", `name=\u001b[2J\u202eajaC${"x".repeat(200)}`, "proto=1"])]);
  const [odd] = (await find()).filter(({ id }) => id === "odd");
  expect(odd?.name).toBe(`[2J ajaC${"x".repeat(111)}`);
});

it("a device that announces hubs by the hundred gets a hundred shown at most [CLIENT-728]", async () => {
  await answerWith(Array.from({ length: 130 }, (_, n) => announcement(`h${n}`, [`id=h${n}`, "proto=1"])));
  expect(await find()).toHaveLength(100);
});
