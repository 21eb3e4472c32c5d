import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** Runs the program of `npm start` on a machine without a display. */
function start(env: Record<string, string>, ...args: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), "start-"));
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ELECTRON_OVERRIDE_DIST_PATH: _runtime, ...rest } = process.env;
  const hub = {
    HUB_HTTP_PORT: "0",
    HUB_HOST: "127.0.0.1",
    HUB_MDNS_ENABLED: "false",
    HUB_DB_PATH: path.join(folder, "hub.sqlite"),
  };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "start.ts"), ...args], {
    env: { ...rest, ...hub, ERP_USER: "", ...env },
    cwd: folder,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { out: "", err: "" };
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  const listening = new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output.out += chunk.toString();
      const [, address] = /^listening on (\S+)$/m.exec(output.out) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, output, listening, exit };
}

it.runIf(process.platform === "linux")(
  "npm start without a window says so in one sentence, runs the hub and ends with it [DESK-1]",
  async () => {
    const { child, output, listening, exit } = start({});
    const address = await listening;
    expect((await fetch(`${address}/health`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    expect(output.err).toBe(
      "comanda: no desktop window here (this machine has no display): the hub runs without it, with the same screens at its address.\n",
    );
    expect(output.out.match(/^listening on /gm)).toHaveLength(1);
  },
);

it.runIf(process.platform === "linux")("npm start passes on the hub's refusal and exit code [DESK-1]", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { output, exit } = start({ HUB_HTTP_PORT: String(port) });
  expect(await exit).toBe(1);
  expect(output.err).toContain(`Port ${port} (HUB_HTTP_PORT) is in use`);
});

it.runIf(process.platform === "linux")(
  "npm start passes its arguments on to the hub, which reports unknown ones [DESK-1]",
  async () => {
    const { output, exit } = start({}, "--nonsense");
    expect([await exit, output.out]).toEqual([2, ""]);
    expect(output.err).toContain("Unknown option '--nonsense'");
  },
);
