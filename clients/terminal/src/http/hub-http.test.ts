import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { HubUnreachableError } from "../refusal.ts";
import { trustingSchemas } from "../trusting-schemas.ts";
import { createHubHttpWith } from "./hub-http.ts";

it("an answer that breaks off is an error [CLIENT-208]", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"people":[', () => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const http = createHubHttpWith(trustingSchemas, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  await expect(http.people("a device")).rejects.toThrow(HubUnreachableError);
});
