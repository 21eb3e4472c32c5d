import { createServer, type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { findFreePort, findPortHolder, parseLsof, parseNetstat, parseProcNetTcp, testPort } from "./port-holder.ts";

async function listen(): Promise<number> {
  const server = createServer().listen(0, "0.0.0.0");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it("a port in use is distinguished from a free one, and the next free one is found [DESK-25]", async () => {
  const port = await listen();
  expect(await testPort(port)).toBe("EADDRINUSE");
  const free = await findFreePort(port);
  expect(free).toBeGreaterThan(port);
  expect(await testPort(free ?? 0)).toBeUndefined();
});

it.runIf(process.platform === "linux")("the program and process that hold a port are named [DESK-25]", async () => {
  const port = await listen();
  expect(await findPortHolder(port)).toMatch(new RegExp(`^.+ \\(process ${process.pid}\\)$`));
});

it("listening sockets are found in Linux's table [DESK-25]", () => {
  const table = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    "   0: 00000000:223E 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0",
    "   1: 0100007F:223E 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 20 4 30 10 -1",
    "   2: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100 0 0 10 0",
  ].join("\n");
  expect(parseProcNetTcp(table, 8766)).toEqual(["4711"]);
});

it("the output of the tools of macOS and Windows is parsed [DESK-25]", () => {
  expect(parseLsof("p812\ncnginx\nf6\n")).toBe("nginx (process 812)");
  expect(parseLsof("")).toBeUndefined();
  const netstat = [
    "  Proto  Local Address          Foreign Address        State           PID",
    "  TCP    0.0.0.0:8766           0.0.0.0:0              LISTENING       5120",
    "  TCP    192.168.1.9:8766       192.168.1.20:50311     ESTABLISHED     6000",
  ].join("\r\n");
  expect(parseNetstat(netstat, 8766)).toBe("5120");
  expect(parseNetstat(netstat, 80)).toBeUndefined();
});
