import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "./run-cli.ts";

it.each([["text", []] as const, ["JSON", ["--json"]] as const])(
  "a refusal of another program at --url reaches the terminal without control characters, as %s [ORDER-65]",
  async (_, options) => {
    const server = createServer((_request, response) => {
      response.writeHead(403, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "no\u001b]0;owned\u0007 \u009b2J", errorCode: "\u001b[31mFORBIDDEN" }));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    let shown = "";
    const show = (text: string): void => void (shown += text);
    const code = await runCli(["status", "--url", url, ...options], {}, "none.env", { out: show, err: show });
    expect(code).not.toBe(0);
    expect(shown).toMatch(/no.+]0;owned/);
    expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
  },
);
