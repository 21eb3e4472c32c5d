import { spawn } from "node:child_process";
import { signIn } from "@comanda/terminal/node";
import { WebSocket } from "ws";
import { bridge, expect, quit, test, type Desktop } from "./desktop-test.ts";
import { startBackOffice } from "./programs.ts";
import { savedProfile } from "./saved-profile.ts";
import { root } from "./runtime.ts";
import { createRequire } from "node:module";

const isShown = ({ app }: Desktop) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());

test("the window shows the page of the hub that runs in the app [DESK-3]", async ({ launch }) => {
  const desktop = await launch();
  const state = await bridge(desktop.page, "getHubState");
  if (state.state !== "running") throw new Error("the hub does not run");
  expect(new URL(desktop.page.url()).origin).toBe(new URL(state.url).origin);
  await expect(desktop.page.locator("body")).not.toBeEmpty();
  const health = await fetch(new URL("health", state.url));
  expect(health.status).toBe(200);
});

test("the screens cause no console error and no policy violation in the app [DESK-3]", async ({ launch }) => {
  const backOffice = await startBackOffice();
  const env = { ERP_URL: backOffice.url, ERP_USER: "hub", ERP_PASSWORD: "hub" };
  const { page, complaints } = await launch({ profile: savedProfile(), env });
  for (const screen of [
    "/",
    "/orders",
    "/terminals",
    "/kitchen",
    "/back-office",
    "/integrations",
    "/reservations",
    "/system",
  ]) {
    await page.evaluate((hash) => void (location.hash = hash), screen);
    await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
  }
  expect(complaints).toEqual([]);
  await backOffice.stop();
});

test("the page has the bridge and no access to Node [DESK-10] [DESK-14]", async ({ launch }) => {
  const { app, page } = await launch();
  const found = await page.evaluate(() => {
    const world = globalThis as unknown as Record<string, object | undefined>;
    return {
      node: ["require", "process", "module", "Buffer"].filter((name) => name in world),
      bridge: Object.keys(world["desktop"] ?? {}),
    };
  });
  expect(found.node).toEqual([]);
  expect(found.bridge).toContain("getSettings");
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): object };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webviewTag: false,
  });
});

test("the page can neither navigate away nor open a window, and links open in the system's browser [DESK-11]", async ({
  launch,
}) => {
  const { app, page } = await launch();
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (address) => Promise.resolve(void opened.push(address));
  });
  const before = page.url();
  await page.evaluate(() => {
    for (const [href, target] of [
      ["http://127.0.0.1:9/elsewhere", "_self"],
      ["https://example.org/help", "_blank"],
    ]) {
      const link = Object.assign(document.createElement("a"), {
        href,
        target,
        textContent: `to ${target}`,
        id: target,
      });
      link.setAttribute("style", "position: fixed; z-index: 9999; inset: 0 auto auto 0");
      document.body.prepend(link);
    }
  });
  for (const target of ["_self", "_blank"]) await page.locator(`#${target}`).dispatchEvent("click");
  const opened = () => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  await expect.poll(opened).toEqual(["https://example.org/help"]);
  await expect.poll(() => app.windows().length).toBe(1);
  expect(page.url()).toBe(before);
  expect(await bridge(page, "getHubState")).toMatchObject({ state: "running" });
});

test("closing hides the window, and the hub keeps running [DESK-5]", async ({ launch }) => {
  const desktop = await launch();
  await expect.poll(() => isShown(desktop)).toBe(true);
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => isShown(desktop)).toBe(false);
  expect(await bridge(desktop.page, "getHubState")).toMatchObject({ state: "running" });
  await desktop.app.evaluate(({ app }) => app.emit("activate"));
  await expect.poll(() => isShown(desktop)).toBe(true);
});

test("a second start shows the first one's window and exits [DESK-2]", async ({ launch }) => {
  const desktop = await launch();
  await expect.poll(() => isShown(desktop)).toBe(true);
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => isShown(desktop)).toBe(false);
  const program = createRequire(import.meta.url)("electron") as unknown as string;
  const second = spawn(program, [root, `--profile-dir=${desktop.profile}`], { stdio: "ignore" });
  expect(await new Promise((resolve) => second.once("exit", resolve))).toBe(0);
  await expect.poll(() => isShown(desktop)).toBe(true);
});

test("an app started with --hidden prints its address and stays in the tray [DESK-3] [DESK-4]", async ({ launch }) => {
  const desktop = await launch();
  await quit(desktop);
  await desktop.exit;
  const { profile } = desktop;
  const program = createRequire(import.meta.url)("electron") as unknown as string;
  const env = { ...process.env, HUB_HTTP_PORT: "0", HUB_MDNS_ENABLED: "false" };
  const hidden = spawn(program, [root, `--profile-dir=${profile}`, "--hidden"], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const listening = new Promise<string>((resolve) =>
    hidden.stdout.on("data", (chunk: Buffer) => {
      const [line] = /^listening on .*$/m.exec(chunk.toString()) ?? [];
      if (line !== undefined) resolve(line);
    }),
  );
  expect(await listening).toMatch(/^listening on http:/);
  hidden.kill("SIGTERM");
  expect(await new Promise((resolve) => hidden.once("exit", resolve))).toBe(0);
});

test("quitting asks for confirmation while a terminal is connected [DESK-6]", async ({ launch }) => {
  const backOffice = await startBackOffice();
  const desktop = await launch({ env: { ERP_URL: backOffice.url, ERP_USER: "hub", ERP_PASSWORD: "hub" } });
  const terminal = await connectTerminal(
    desktop,
    await signIn(backOffice.url, { login: "waiter", password: "waiter" }),
  );
  await desktop.app.evaluate(({ dialog }) => {
    const questions: string[] = [];
    Object.assign(globalThis, { questions, answer: 0 });
    dialog.showMessageBox = ((options: { message: string }) => {
      questions.push(options.message);
      return Promise.resolve({
        response: (globalThis as unknown as { answer: number }).answer,
        checkboxChecked: false,
      });
    }) as typeof dialog.showMessageBox;
  });
  const questions = () => desktop.app.evaluate(() => (globalThis as unknown as { questions: string[] }).questions);
  await quit(desktop);
  await expect.poll(questions).toEqual(["1 connected terminal will lose its hub."]);
  expect(await bridge(desktop.page, "getHubState")).toMatchObject({ state: "running" });
  expect(terminal.readyState).toBe(WebSocket.OPEN);

  const closed = new Promise((resolve) => terminal.once("close", resolve));
  await desktop.app.evaluate(() => void Object.assign(globalThis, { answer: 1 }));
  await quit(desktop);
  expect(await desktop.exit).toBe(0);
  expect(await closed).toBe(1001);
  await backOffice.stop();
});

test("a signal stops hub and app cleanly, without a question [DESK-7]", async ({ launch }) => {
  const desktop = await launch();
  desktop.app.process().kill("SIGTERM");
  expect(await desktop.exit).toBe(0);
});

test("quitting from the window's menu stops hub and app cleanly [DESK-7] [DESK-15]", async ({ launch }) => {
  const desktop = await launch();
  await desktop.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById("quit")?.click());
  expect(await desktop.exit).toBe(0);
});

test("a crashed page is replaced while the hub keeps running [DESK-8]", async ({ launch }) => {
  const desktop = await launch();
  const state = await bridge(desktop.page, "getHubState");
  if (state.state !== "running") throw new Error("the hub does not run");
  const uptime = async () => ((await (await fetch(new URL("health", state.url))).json()) as { uptime: number }).uptime;
  const before = await uptime();
  const replaced = desktop.app.waitForEvent("window");
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  const page = await replaced;
  await expect(page.locator("body")).not.toBeEmpty();
  expect(new URL(page.url()).origin).toBe(new URL(state.url).origin);
  expect(await bridge(page, "getHubState")).toEqual(state);
  expect(await uptime()).toBeGreaterThanOrEqual(before);
});

async function connectTerminal({ page }: Desktop, token: string): Promise<WebSocket> {
  const state = await bridge(page, "getHubState");
  if (state.state !== "running") throw new Error("the hub does not run");
  const socket = new WebSocket(state.url.replace("http", "ws"));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const admitted = new Promise<void>((resolve) => {
    socket.on("message", (data: Buffer) => {
      if (data.includes("AUTH_OK")) resolve();
    });
  });
  socket.send(JSON.stringify({ type: "AUTH", token, deviceId: "bar-1" }));
  await admitted;
  return socket;
}
