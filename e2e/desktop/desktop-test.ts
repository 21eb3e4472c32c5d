import type { ChildProcess } from "node:child_process";
import { _electron, test as base, type ElectronApplication, type Page } from "@playwright/test";
import type { DesktopBridge } from "@comanda/protocol";
import { freePort } from "../../hub/test/support/free-port.ts";
import { newFolder } from "./programs.ts";
import { chooseRuntime, root } from "./runtime.ts";

chooseRuntime();

export interface LaunchOptions {
  profile?: string;
  env?: Record<string, string>;
  args?: string[];
}

export interface Desktop {
  app: ElectronApplication;
  page: Page;
  profile: string;
  /** The exit code, once the process has ended; null if a signal ended it. */
  exit: Promise<number | null>;
  /** Console errors and violations of the Content-Security-Policy on any page so far. */
  complaints: string[];
}

export type Launch = (options?: LaunchOptions) => Promise<Desktop>;

/** `launch` starts the app on a new profile and kills processes that still run after the test. */
export const test = base.extend<{ launch: Launch }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures wanted from this pattern
  launch: async ({}, use) => {
    const processes: ChildProcess[] = [];
    await use(async (options) => {
      const desktop = await launchDesktop(options);
      processes.push(desktop.app.process());
      return desktop;
    });
    await Promise.all(processes.map(end));
  },
});
export { expect } from "@playwright/test";

async function launchDesktop({
  profile = newFolder("profile"),
  env = {},
  args = [],
}: LaunchOptions = {}): Promise<Desktop> {
  const fixed = {
    HUB_HTTP_PORT: String(await freePort()),
    HUB_HOST: "127.0.0.1",
    HUB_MDNS_ENABLED: "false",
    LANG: "en_US.UTF-8",
  };
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...process.env, ...fixed, ...env })) {
    if (value !== undefined && value !== "") environment[name] = value;
  }
  const app = await _electron.launch({
    args: [root, `--profile-dir=${profile}`, ...args],
    env: environment,
    cwd: newFolder("cwd"),
  });
  const child = app.process();
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const complaints: string[] = [];
  const watch = (page: Page) => {
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
  };
  app.on("window", watch);
  const page = await app.firstWindow();
  watch(page);
  await page.waitForURL(/^(https?|app):/);
  return { app, page, profile, exit, complaints };
}

/** Quits the app as its menu does. */
export async function quit({ app }: Desktop): Promise<void> {
  await app.evaluate((electron) => electron.app.quit());
}

/** Calls the desktop bridge as the page's own code does. */
export function bridge<M extends keyof DesktopBridge>(
  page: Page,
  method: M,
  ...args: Parameters<DesktopBridge[M]>
): Promise<Awaited<ReturnType<DesktopBridge[M]>>> {
  const call = { method, args: args as unknown[] };
  return page.evaluate((request) => {
    const { desktop } = globalThis as unknown as { desktop: Record<string, (...args: unknown[]) => unknown> };
    return desktop[request.method]?.(...request.args);
  }, call) as Promise<Awaited<ReturnType<DesktopBridge[M]>>>;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
