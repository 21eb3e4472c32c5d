import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { limitBody, startFaultyLine, type FaultyLine } from "./faulty-line.ts";
import { until } from "./until.ts";

/** Starts a line to an echo server. `carriedOut` lists the requests that reached the server. */
async function startEchoLine(): Promise<{ line: FaultyLine; carriedOut: string[] }> {
  const carriedOut: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      carriedOut.push(body);
      response.end(`<${body}>`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const line = await startFaultyLine(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    await line.stop();
    server.close();
  });
  return { line, carriedOut };
}

/** Opens one client connection and collects everything received on it. */
async function openConnection(line: FaultyLine) {
  const socket = connect(Number(new URL(line.url).port), "127.0.0.1");
  let received = "";
  socket.on("data", (bytes: Buffer) => (received += bytes.toString()));
  socket.on("error", () => {});
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    post: (body: string) =>
      socket.write(`POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    bodies: () => [...received.matchAll(/<[^>]*>/g)].map(([body]) => body),
    received: () => received,
  };
}

const bodyOf = (raw: Buffer): string => raw.toString();

describe("a faulty line", () => {
  it("a faulty line forwards the requests of one connection and lists them ", async () => {
    const { line, carriedOut } = await startEchoLine();
    const client = await openConnection(line);
    client.post("a");
    client.post("b");
    await until("both answers", () => client.bodies().length === 2);
    expect([client.bodies(), carriedOut]).toEqual([
      ["<a>", "<b>"],
      ["a", "b"],
    ]);
    expect(line.requests).toMatchObject([{ connection: 1, method: "POST", path: "/x" }, { connection: 1 }]);
    expect(line.connections()).toEqual({ opened: 1, open: 1 });
  });

  it("a faulty line answers twice, and out of step across connections ", async () => {
    const { line } = await startEchoLine();
    line.faults(() => ({ kind: "twice" }));
    const [first, second] = [await openConnection(line), await openConnection(line)];
    first.post("a");
    await until("the answer twice", () => first.bodies().length === 2);
    line.faults(() => ({ kind: "shift" }));
    first.post("b");
    await until("its own answer", () => first.bodies().at(-1) === "<b>");
    second.post("c");
    await until("an answer", () => second.bodies().length === 1);
    expect(second.bodies()).toEqual(["<b>"]);
  });

  it("a faulty line loses the request, the answer or half of the answer ", async () => {
    const { line, carriedOut } = await startEchoLine();
    const faults = {
      lost: { kind: "reset" },
      done: { kind: "reset", carriedOut: true },
      hang: { kind: "hang", carriedOut: true },
      half: { kind: "halve" },
    } as const;
    line.faults(({ raw }) => faults[bodyOf(raw) as keyof typeof faults]);
    for (const body of ["lost", "done"]) {
      const client = await openConnection(line);
      client.post(body);
      await until("the reset", () => client.socket.closed);
    }
    const hung = await openConnection(line);
    hung.post("hang");
    await until("it to be carried out", () => carriedOut.length === 2);
    const half = await openConnection(line);
    half.post("half");
    await until("the half", () => half.received().endsWith("<ha"));
    expect(carriedOut).toEqual(["done", "hang", "half"]);
    expect(hung.received()).toBe("");
  });

  it("a faulty line refuses large bodies, and connections while it is down, until it is healed ", async () => {
    const { line, carriedOut } = await startEchoLine();
    line.faults(limitBody(3));
    const first = await openConnection(line);
    first.post("four");
    await until("the refusal", () => first.received().startsWith("HTTP/1.1 413 "));
    line.heal();
    await line.down();
    await expect(openConnection(line)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await line.up();
    const second = await openConnection(line);
    second.post("four");
    await until("the answer", () => second.bodies().length === 1);
    expect(carriedOut).toEqual(["four"]);
  });
});
