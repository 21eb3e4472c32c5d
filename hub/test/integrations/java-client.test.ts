// @module-tag long
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { takeoutOrder } from "../support/builders.ts";
import { hasJava } from "../support/has-java.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

/** The default request of `java.net.http.HttpClient`, which offers HTTP/2 with the first request of a connection. */
function javaRequest(hub: TestHub, token: string, body: string): string {
  return [
    "POST /external/v1/orders HTTP/1.1",
    "Connection: Upgrade, HTTP2-Settings",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Host: 127.0.0.1:${hub.port}`,
    "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
    "Upgrade: h2c",
    "User-Agent: Java-http-client/17.0.15",
    "Content-Type: application/json",
    `X-Api-Key: ${token}`,
    "",
    "",
  ].join("\r\n");
}

describe("Java's HTTP client ", () => {
  it("requests that offer h2c get ordinary answers, with their bodies, on one connection [EXT-95]", async () => {
    const hub = await startTestHub();
    const { token } = await hub.createKey();
    const socket = connect({ port: hub.port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    socket.setNoDelay(true);
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString()));
    for (const [index, ref] of ["java-1", "java-2"].entries()) {
      const body = JSON.stringify(takeoutOrder({ externalRef: ref }));
      // Like the client, sends head and body separately and waits for the answer before the next request.
      await new Promise((sent) => socket.write(javaRequest(hub, token, body), sent));
      await new Promise((sent) => socket.write(body, sent));
      await until(`an answer to ${ref}`, () => received.includes(`/${ref}"`));
      expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(Array.from({ length: index + 1 }, () => "HTTP/1.1 201"));
    }
    expect(received).not.toMatch(/upgrade/i);
    expect((await hub.external(token).get("/orders")).body.orders).toHaveLength(2);
  });

  it.runIf(hasJava())("Java's default client creates an order [EXT-95]", async () => {
    const hub = await startTestHub();
    const { token } = await hub.createKey();
    const folder = mkdtempSync(path.join(tmpdir(), "java-client-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "FirstOrder.java");
    writeFileSync(file, program);
    const body = JSON.stringify(takeoutOrder({ externalRef: "java-1" }));
    const { stdout } = await promisify(execFile)("java", [file, `${hub.url}/external/v1/orders`, token, body]);
    expect(stdout).toMatch(/^HTTP_1_1 201 .*\nHTTP_1_1 200 /);
    expect((await hub.external(token).get("/orders")).body.orders).toHaveLength(1);
  });
});

/** Sends the same order twice with a client in its default configuration. */
const program = `
import java.net.URI;
import java.net.http.*;

public class FirstOrder {
    public static void main(String[] args) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(args[0]))
            .header("X-Api-Key", args[1]).header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(args[2])).build();
        for (int attempt = 0; attempt < 2; attempt++) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            System.out.println(answer.version() + " " + answer.statusCode() + " " + answer.body());
        }
    }
}
`;
