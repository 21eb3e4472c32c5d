import { spawn } from "node:child_process";
import type { World } from "../platform/world.ts";
import { type Line, PrintFailure } from "./line.ts";

const ANSWER_MS = 10_000;
const TAKE_MS = 30_000;

/**
 * Opens a queue of the PC's print system, for USB printers. The queue takes documents unchanged and does not report whether the
 * printer printed them.
 */
export async function openQueue(world: World, name: string): Promise<Line> {
  const commands = process.platform === "win32" ? windows(name) : cups(name);
  try {
    await run(world, commands.check, null, ANSWER_MS);
  } catch (error) {
    throw new PrintFailure("unreachable", false, error);
  }
  const ended = new AbortController();
  return {
    state: "unknown",
    // The queue is already known to exist.
    endEmpty: () => Promise.resolve(),
    async print(document) {
      try {
        await run(world, commands.print, document, TAKE_MS, ended.signal);
      } catch (error) {
        // A queue takes a document whole, so only a command that did not finish may have passed it on.
        throw new PrintFailure(
          error instanceof Refused ? "refused" : "not_confirmed",
          !(error instanceof Refused),
          error,
        );
      }
      return "unknown";
    },
    close: () => ended.abort(),
  };
}

interface Command {
  program: string;
  args: string[];
  env?: Record<string, string>;
}

/** Commands for Linux and macOS. */
function cups(name: string): { check: Command; print: Command } {
  return {
    check: { program: "lpstat", args: ["-p", name] },
    print: { program: "lp", args: ["-d", name, "-o", "raw", "-s"] },
  };
}

/** Calls the spooler's own functions: no Windows command sends a document to a printer unchanged. */
const RAW_PRINT = `
$ErrorActionPreference = 'Stop'
Add-Type -TypeDefinition @'
using System; using System.Runtime.InteropServices;
public static class Raw {
  [StructLayout(LayoutKind.Sequential, CharSet = CharSet.Unicode)]
  public class Info { public string Name = "Comanda"; public string File; public string Type = "RAW"; }
  [DllImport("winspool.drv", CharSet = CharSet.Unicode, SetLastError = true)] static extern bool OpenPrinter(string name, out IntPtr printer, IntPtr d);
  [DllImport("winspool.drv", CharSet = CharSet.Unicode, SetLastError = true)] static extern int StartDocPrinter(IntPtr printer, int level, [In] Info info);
  [DllImport("winspool.drv", SetLastError = true)] static extern bool WritePrinter(IntPtr printer, byte[] bytes, int count, out int written);
  [DllImport("winspool.drv", SetLastError = true)] static extern bool EndDocPrinter(IntPtr printer);
  [DllImport("winspool.drv", SetLastError = true)] static extern bool ClosePrinter(IntPtr printer);
  public static bool Print(string name, byte[] bytes) {
    IntPtr printer; int written;
    if (!OpenPrinter(name, out printer, IntPtr.Zero)) return false;
    try {
      if (StartDocPrinter(printer, 1, new Info()) == 0) return false;
      return WritePrinter(printer, bytes, bytes.Length, out written) && written == bytes.Length && EndDocPrinter(printer);
    } finally { ClosePrinter(printer); }
  }
}
'@
$copy = New-Object IO.MemoryStream
[Console]::OpenStandardInput().CopyTo($copy)
if (-not [Raw]::Print($env:COMANDA_QUEUE, $copy.ToArray())) { exit 1 }`;

/** Passes the name in the environment: in the script, PowerShell would read some of its characters as quotes. */
function windows(name: string): { check: Command; print: Command } {
  const shell = (script: string): Command => ({
    program: "powershell.exe",
    args: ["-NoProfile", "-NonInteractive", "-EncodedCommand", Buffer.from(script, "utf16le").toString("base64")],
    env: { COMANDA_QUEUE: name },
  });
  return { check: shell("$null = Get-Printer -Name $env:COMANDA_QUEUE -ErrorAction Stop"), print: shell(RAW_PRINT) };
}

/** The program ended with an error code. */
class Refused extends Error {}

function run(
  world: World,
  { program, args, env }: Command,
  input: Uint8Array | null,
  withinMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(program, args, {
    stdio: ["pipe", "ignore", "pipe"],
    windowsHide: true,
    ...(env && { env: { ...process.env, ...env } }),
    ...(signal && { signal }),
  });
  const timer = world.timers.setTimeout(() => {
    child.kill();
    reject(new Error(`${program} took too long`));
  }, withinMs);
  let output = "";
  child.stderr.on("data", (data: Buffer) => (output = (output + data.toString()).slice(0, 500)));
  child.on("error", reject);
  child.on("close", (code) => (code === 0 ? resolve() : reject(new Refused(`${program}: ${output.trim()}`))));
  // A program that has ended reads no input. Its exit code says more than this error.
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? undefined);
  return promise.finally(() => world.timers.clearTimeout(timer));
}
