import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "./desktop-test.ts";
import { newFolder } from "./programs.ts";
import { root } from "./runtime.ts";

test("npm start runs the app and passes on signals and the exit code [DESK-1]", async () => {
  const env = { ...process.env, HUB_HTTP_PORT: "0", HUB_HOST: "127.0.0.1", HUB_MDNS_ENABLED: "false", ERP_USER: "" };
  const script = path.join(root, "build/start.ts");
  const started = spawn(process.execPath, [script, `--profile-dir=${newFolder("profile")}`], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface(started.stdout)) if (line.startsWith("listening on ")) break;
  started.kill("SIGTERM");
  expect(await new Promise((resolve) => started.once("exit", resolve))).toBe(0);
});
