import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type IncomingHttpHeaders } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import Koa from "koa";
import { expect, it, onTestFinished } from "vitest";
import { staticFiles } from "../../http/pages/static-files.ts";

const script = `console.log("${"á".repeat(2_000)}");`;
const page = "<!doctype html><title>Comanda Hub</title>";

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Serves a built folder as the hub does. Returns a function that requests its files. */
async function serveScreens() {
  const folder = mkdtempSync(path.join(tmpdir(), "screens-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, "assets"));
  writeFileSync(path.join(folder, "index.html"), page);
  writeFileSync(path.join(folder, "assets/a-1234.js"), script);
  writeFileSync(path.join(folder, "assets/a-1234.js.br"), brotliCompressSync(script));
  writeFileSync(path.join(folder, "assets/a-1234.js.gz"), gzipSync(script));
  const app = new Koa();
  app.use(staticFiles(folder, "/"));
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (file: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: "127.0.0.1", port, path: file, method, headers }, (response) => {
        buffer(response).then(
          (bytes) => resolve({ status: response.statusCode, headers: response.headers, bytes }),
          reject,
        );
      });
      outgoing.on("error", reject).end();
    });
}

it("a file is sent in the smallest encoding that the client accepts [OP-171]", async () => {
  const get = await serveScreens();
  const encodingFor = async (accept?: string) => {
    const answer = await get("/assets/a-1234.js", accept === undefined ? {} : { "Accept-Encoding": accept });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      vary: "Accept-Encoding",
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "content-length": String(answer.bytes.length),
    });
    const encoding = answer.headers["content-encoding"] ?? "none";
    const read = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes }[encoding];
    expect(read?.(answer.bytes).toString()).toBe(script);
    return encoding;
  };
  expect(await encodingFor("gzip, deflate, br, zstd")).toBe("br");
  expect(await encodingFor("gzip, deflate")).toBe("gzip");
  expect(await encodingFor("br;q=0, gzip;q=0.5")).toBe("gzip");
  expect(await encodingFor("*")).toBe("br");
  for (const accept of [undefined, "", "zstd", "identity", "br;q=0, gzip;q=0", ";;,,=", "BROTLI"]) {
    expect(await encodingFor(accept), accept).toBe("none");
  }
});

it("each encoding of a file has its own ETag, which leads to 304 [OP-171]", async () => {
  const get = await serveScreens();
  const forms = ["br", "gzip", "identity"];
  const etags: string[] = [];
  for (const form of forms) {
    const { headers } = await get("/assets/a-1234.js", { "Accept-Encoding": form });
    etags.push(String(headers["etag"]));
  }
  expect(new Set(etags).size).toBe(3);
  for (const [index, form] of forms.entries()) {
    const ask = (etag = "") => get("/assets/a-1234.js", { "Accept-Encoding": form, "If-None-Match": etag });
    const again = await ask(etags[index]);
    expect(again).toMatchObject({ status: 304, headers: { etag: etags[index], vary: "Accept-Encoding" } });
    expect(again.headers).not.toHaveProperty("content-encoding");
    expect(again.bytes).toHaveLength(0);
    expect((await ask(etags[(index + 1) % 3])).status).toBe(200);
  }
});

it("HEAD has the headers of GET without the content, and a file without encodings is sent as it is [OP-171]", async () => {
  const get = await serveScreens();
  const accept = { "Accept-Encoding": "br, gzip" };
  const [whole, head] = [await get("/assets/a-1234.js", accept), await get("/assets/a-1234.js", accept, "HEAD")];
  expect(whole.headers["content-encoding"]).toBe("br");
  expect(head.bytes).toHaveLength(0);
  for (const name of ["content-encoding", "content-length", "content-type", "etag", "vary", "cache-control"]) {
    expect(head.headers[name], name).toBe(whole.headers[name]);
  }
  const index = await get("/", accept);
  expect(index.headers).toMatchObject({ "cache-control": "no-cache", vary: "Accept-Encoding" });
  expect(index.headers).not.toHaveProperty("content-encoding");
  expect(index.bytes.toString()).toBe(page);
  // Compressed files cannot be requested by name.
  expect((await get("/assets/a-1234.js.br")).status).toBe(404);
});

it("a name that no file has returns 404, also a name that every object has [OP-9]", async () => {
  const get = await serveScreens();
  for (const name of ["nothing", "constructor", "toString", "__proto__"]) {
    expect([name, (await get(`/${name}`)).status]).toEqual([name, 404]);
  }
});
