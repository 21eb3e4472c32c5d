import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { connectDevtools } from "./devtools.ts";
import { type LongestTask, longestTask } from "./trace-tasks.ts";

/** With other programs running, a first start with an empty profile has taken more than 20 s. */
const READY_WITHIN_MS = 60_000;

/** A page of a headless Chromium. */
export interface Page {
  open: (url: string) => Promise<void>;
  /** Evaluates an expression in the page and returns its value. */
  evaluate: <T>(expression: string) => Promise<T>;
  /** Slows the page's CPU down by this factor. */
  slowDown: (times: number) => Promise<void>;
  setSize: (width: number, height: number) => Promise<void>;
  /** Bytes that the page's scripts use after a garbage collection. */
  heapBytes: () => Promise<number>;
  close: () => Promise<void>;
}

export interface Chromium {
  /** Opens a page, in which `script` runs in every document before anything else. */
  newPage: (script: string) => Promise<Page>;
  /** Returns the longest task of any open page while `work` runs. */
  longestTask: (work: () => Promise<void>) => Promise<LongestTask>;
  stop: () => Promise<void>;
}

interface Evaluated<T> {
  result: { value: T };
  exceptionDetails?: { text: string; exception?: { description?: string } };
}

/** Starts the machine's own Chromium with a throw-away profile, or returns null if there is none. */
export async function startChromium(profile: string): Promise<Chromium | null> {
  const program = findChromium();
  if (program === null) return null;
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1280,800"];
  const child = spawn(program, [...flags, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  const address = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on("line", (line) => {
    const url = /^DevTools listening on (ws:\/\/\S+)/.exec(line)?.[1];
    if (url !== undefined) address.resolve(url);
  });
  const timer = setTimeout(() => address.reject(new Error(`${program} opened no inspector`)), READY_WITHIN_MS);
  const devtools = await connectDevtools(await address.promise.finally(() => clearTimeout(timer)));
  return {
    async newPage(script) {
      const { targetId } = await devtools.call<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
      const attach = { targetId, flatten: true };
      const { sessionId } = await devtools.call<{ sessionId: string }>("Target.attachToTarget", attach);
      const page = devtools.session(sessionId);
      await page.call("Page.enable");
      await page.call("Page.addScriptToEvaluateOnNewDocument", { source: script });
      return {
        open: (url) => page.call("Page.navigate", { url }),
        async evaluate<T>(expression: string) {
          const options = { expression, awaitPromise: true, returnByValue: true };
          const answer = await page.call<Evaluated<T>>("Runtime.evaluate", options);
          const { result, exceptionDetails } = answer;
          if (exceptionDetails !== undefined)
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
          return result.value;
        },
        slowDown: (rate) => page.call("Emulation.setCPUThrottlingRate", { rate }),
        setSize: (width, height) =>
          page.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: true }),
        async heapBytes() {
          await page.call("HeapProfiler.collectGarbage");
          const { usedSize } = await page.call<{ usedSize: number }>("Runtime.getHeapUsage");
          return usedSize;
        },
        close: async () => void (await devtools.call("Target.closeTarget", { targetId })),
      };
    },
    longestTask: (work) => longestTask(devtools, work),
    async stop() {
      devtools.close();
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function findChromium(): string | null {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder; the next one may have it.
      }
    }
  }
  return null;
}
