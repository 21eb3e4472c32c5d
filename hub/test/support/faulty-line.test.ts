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
  let heard = "";
  socket.on("data", (bytes: Buffer) => (heard += bytes.toString()));
  socket.on("error", () => {});
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    post: (body: string) =>
      socket.write(`POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    bodies: () => [...heard.matchAll(/<[^>]*>/g)].map(([body]) => body),
    heard: () => heard,
  };
}

const bodyOf = (raw: Buffer): string => raw.toString();

describe("a faulty line", () => {
  it("forwards requests of one connection, and lists them", async () => {
    const { line, carriedOut } = await startEchoLine();
    const one = await openConnection(line);
    one.post("a");
    one.post("b");
    await until("both answers", () => one.bodies().length === 2);
    expect([one.bodies(), carriedOut]).toEqual([
      ["<a>", "<b>"],
      ["a", "b"],
    ]);
    expect(line.requests).toMatchObject([{ connection: 1, method: "POST", path: "/x" }, { connection: 1 }]);
    expect(line.connections()).toEqual({ opened: 1, open: 1 });
  });

  it("answers twice, and out of step over connections", async () => {
    const { line } = await startEchoLine();
    line.faults(() => ({ kind: "twice" }));
    const [one, two] = [await openConnection(line), await openConnection(line)];
    one.post("a");
    await until("the answer twice", () => one.bodies().length === 2);
    line.faults(() => ({ kind: "shift" }));
    one.post("b");
    await until("its own answer", () => one.bodies().at(-1) === "<b>");
    two.post("c");
    await until("an answer", () => two.bodies().length === 1);
    expect(two.bodies()).toEqual(["<b>"]);
  });

  it("loses the request or the answer, or half of the answer", async () => {
    const { line, carriedOut } = await startEchoLine();
    const faults = {
      lost: { kind: "reset" },
      done: { kind: "reset", carriedOut: true },
      hang: { kind: "hang", carriedOut: true },
      half: { kind: "halve" },
    } as const;
    line.faults(({ raw }) => faults[bodyOf(raw) as keyof typeof faults]);
    for (const body of ["lost", "done"]) {
      const one = await openConnection(line);
      one.post(body);
      await until("the reset", () => one.socket.closed);
    }
    const hung = await openConnection(line);
    hung.post("hang");
    await until("it to be carried out", () => carriedOut.length === 2);
    const half = await openConnection(line);
    half.post("half");
    await until("the half", () => half.heard().endsWith("<ha"));
    expect(carriedOut).toEqual(["done", "hang", "half"]);
    expect(hung.heard()).toBe("");
  });

  it("refuses what is too large, connections while it is down, and is good again", async () => {
    const { line, carriedOut } = await startEchoLine();
    line.faults(limitBody(3));
    const one = await openConnection(line);
    one.post("four");
    await until("the refusal", () => one.heard().startsWith("HTTP/1.1 413 "));
    line.heal();
    await line.down();
    await expect(openConnection(line)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await line.up();
    const two = await openConnection(line);
    two.post("four");
    await until("the answer", () => two.bodies().length === 1);
    expect(carriedOut).toEqual(["four"]);
  });
});
