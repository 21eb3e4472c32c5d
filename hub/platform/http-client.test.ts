import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpClient, readBody } from "./http-client.ts";

const never = (): AbortSignal => new AbortController().signal;

async function listen(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

async function serve(answer: RequestListener): Promise<{ url: URL; connections(): number }> {
  let connections = 0;
  const server = createServer(answer).on("connection", () => (connections += 1));
  onTestFinished(() => server.closeAllConnections());
  const port = await listen(server);
  return { url: new URL(`http://127.0.0.1:${port}/`), connections: () => connections };
}

function client(options: Partial<Parameters<typeof createHttpClient>[0]> = {}) {
  const made = createHttpClient({ connectTimeoutMs: 5_000, ...options });
  onTestFinished(made.stop);
  return made;
}

describe("the HTTP client", () => {
  it("the HTTP client posts over one kept connection", async () => {
    const { url, connections } = await serve((requested, answer) => void requested.pipe(answer));
    const http = client();
    for (const body of ["one", "ñandú"]) {
      const answer = await http.post(url, { headers: {}, body, signal: never() });
      expect(await text(answer)).toBe(body);
    }
    expect(connections()).toBe(1);
  });

  it("each request has its own connection without keep-alive, also with a maximum of one [FWD-21]", async () => {
    const { url, connections } = await serve((requested, answer) => void requested.pipe(answer));
    const http = client({ keepAlive: false, connections: 1 });
    const bodies = ["one", "two", "three"];
    const answers = bodies.map(async (body) => text(await http.post(url, { headers: {}, body, signal: never() })));
    expect(await Promise.all(answers)).toEqual(bodies);
    expect(connections()).toBe(3);
  });

  it("a connection that got bytes while idle is not reused [FWD-21]", async () => {
    const sockets: Socket[] = [];
    let requested = 0;
    const write = (socket: Socket, body: string): void =>
      void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const server = createTcpServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      socket.on("data", () => write(socket, `answer ${(requested += 1)}`));
    });
    const url = new URL(`http://127.0.0.1:${await listen(server)}/`);
    const http = client();
    const post = async () => text(await http.post(url, { headers: {}, body: "x", signal: never() }));
    expect(await post()).toBe("answer 1");
    const [first] = sockets;
    if (first === undefined) throw new Error("no connection");
    const closed = once(first, "close");
    write(first, "late");
    await closed;
    expect(await post()).toBe("answer 2");
    expect(sockets).toHaveLength(2);
  });

  it("an aborted call throws the signal's reason, before and after the head", async () => {
    const { url } = await serve((_, answer) => void answer.write("half "));
    const http = client();
    const unanswered = await serve(() => {});
    await expect(http.post(unanswered.url, { headers: {}, body: "", signal: AbortSignal.timeout(50) })).rejects.toThrow(
      expect.objectContaining({ name: "TimeoutError" }),
    );
    const cut = new AbortController();
    const answer = await http.post(url, { headers: {}, body: "", signal: cut.signal });
    cut.abort();
    await expect(text(answer)).rejects.toThrow();
    await expect(http.post(url, { headers: {}, body: "", signal: cut.signal })).rejects.toThrow("aborted");
  });

  it("a body is read to its end, to the limit, or to where it breaks off", async () => {
    const { url } = await serve((requested, answer) => {
      if (requested.headers["x-how"] !== "broken") return void requested.pipe(answer);
      answer.write("half ", () => answer.destroy());
    });
    const http = client();
    const read = async (mode: string, limit: number) => {
      const answer = await http.post(url, { headers: { "x-how": mode }, body: "12345", signal: never() });
      const { bytes, end } = await readBody(answer, limit);
      return [bytes.toString(), end];
    };
    expect(await read("whole", 5)).toEqual(["12345", "whole"]);
    expect(await read("whole", 4)).toEqual(["12345", "too large"]);
    expect(await read("broken", 5)).toEqual(["half ", "broken off"]);
  });

  it("a connection whose handshake is never finished times out", async () => {
    const port = await listen(createTcpServer((socket) => void socket.on("error", () => {})));
    const requested = client({ connectTimeoutMs: 100 }).post(new URL(`https://127.0.0.1:${port}/`), {
      headers: {},
      body: "",
      signal: never(),
    });
    await expect(requested).rejects.toThrow("no connection within 0.1 s");
  });

  it("stopping the HTTP client cuts off calls under way and refuses new ones", async () => {
    const { url, connections } = await serve(() => {});
    const http = client();
    const requested = http.post(url, { headers: {}, body: "", signal: never() });
    const failed = expect(requested).rejects.toThrow();
    await expect.poll(() => connections()).toBe(1);
    http.stop();
    await failed;
    await expect(http.post(url, { headers: {}, body: "", signal: never() })).rejects.toThrow("stopped");
  });
});
