import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startBackOffice } from "../test/start-back-office.ts";
import { findBackOffices } from "./find-back-offices.ts";

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (body: unknown): RequestListener => {
  return (_request, response) => void response.end(JSON.stringify(body));
};

it("the stand-in and an Odoo are found as back-offices, each once and in order [DESK-75]", async () => {
  const standIn = await startBackOffice();
  const odoo = await serve((request, response) => {
    const isVersion = request.url === "/web/webclient/version_info" && request.method === "POST";
    json(isVersion ? { jsonrpc: "2.0", id: 1, result: { server_version: "18.0" } } : {})(request, response);
  });
  expect(await findBackOffices([odoo, `${odoo}/web?x=1`, standIn, "no address"])).toEqual([odoo, standIn]);
});

it("other servers are not listed as back-offices, and a silent one is not waited for [DESK-75]", async () => {
  const elsewhere = await serve(json({ jsonrpc: "2.0", id: 1, result: { server_version: "18.0" } }));
  const others = [
    await serve((_request, response) => void response.end("<html>a router</html>")),
    await serve(json({ result: { server_version: "18.0" } })),
    await serve(json({ jsonrpc: "2.0", id: 1, error: { code: 404 } })),
    await serve(json(null)),
    await serve((_request, response) => void response.writeHead(307, { location: elsewhere }).end()),
    await serve(() => undefined),
    "http://127.0.0.1:9",
  ];
  expect(await findBackOffices(others, 300)).toEqual([]);
});
