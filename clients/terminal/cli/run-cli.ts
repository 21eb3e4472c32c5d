import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { withoutControlCharacters } from "@comanda/protocol";
import { openTerminal, type Terminal } from "@comanda/terminal";
import { discoverHubs, openSqliteStorage, openWsSocket, readMenu, signIn, type Menu } from "@comanda/terminal/node";
import { runLine } from "./commands.ts";
import type { CliOptions } from "./options.ts";

/** Signs in, connects, and runs what is typed until `quit` or the end of the input. */
export async function runCli(options: CliOptions): Promise<void> {
  const url = options.hub ?? (await findHub());
  const token = await logIn(options);
  const menu = token === "" ? null : await readMenu(options.backOffice, token).catch(() => null);
  mkdirSync(dirname(options.outbox), { recursive: true });
  const terminal = await openTerminal({
    url,
    deviceId: options.deviceId,
    token,
    renewToken: () => logIn(options).catch(() => null),
    storage: openSqliteStorage(options.outbox),
    openSocket: openWsSocket,
  });
  let lines: Interface | null = null;
  const print = (text: string) => printAbove(lines, text);
  printEvents(terminal, print);
  print(`${options.deviceId} on ${url}; outbox ${options.outbox}; help lists the commands`);
  terminal.start();
  await hasAnswered(terminal);
  // Only now, because lines that arrive before the loop listens would be lost.
  lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: "> ",
    terminal: process.stdout.isTTY,
  });
  await runLines(lines, terminal, menu, print);
  await terminal.stop();
}

async function findHub(): Promise<string> {
  const [hub] = await discoverHubs();
  const [url] = hub?.urls ?? [];
  if (url === undefined) throw new Error("No hub was found on this network: name one with --hub ws://HOST:PORT");
  return url;
}

async function logIn({ login, backOffice, db }: CliOptions): Promise<string> {
  if (login === null) return "";
  try {
    return await signIn(backOffice, { db, ...login });
  } catch (error) {
    const problem = error instanceof TypeError ? "cannot be reached" : `says: ${String((error as Error).message)}`;
    throw new Error(`The back-office at ${backOffice} ${problem}`, { cause: error });
  }
}

/** Waits until the hub has answered or cannot be reached, so that the first command sees its state. */
async function hasAnswered(terminal: Terminal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const off = terminal.on("connection", ({ name }) => {
    if (name === "online" || name === "waiting" || name === "ended") resolve();
  });
  await promise;
  off();
}

/** Runs the lines one by one; at the end of a piped input it still waits for the answers. */
async function runLines(
  lines: Interface,
  terminal: Terminal,
  menu: Menu | null,
  print: (text: string) => void,
): Promise<void> {
  const prompt = () => {
    if (process.stdout.isTTY) lines.prompt();
  };
  prompt();
  for await (const line of lines) {
    if (line.trim() === "quit") return lines.close();
    await runLine({ terminal, menu, print }, line);
    if (!process.stdin.isTTY && terminal.connection().name === "online") await terminal.idle();
    prompt();
  }
}

function printEvents(terminal: Terminal, print: (text: string) => void): void {
  terminal.on("connection", (state) => {
    if (state.name === "online") print("-- online");
    if (state.name === "waiting")
      print(`-- ${state.reason}; trying again in ${(state.retryInMs / 1_000).toFixed(1)} s`);
    if (state.name === "ended") print(`-- ended: ${state.reason}, ${state.error}`);
  });
  terminal.on("signedIn", ({ user, offline }) => {
    print(
      `-- ${user.name}, ${user.role}${offline ? " (the back-office is unreachable; identity from the hub's cache)" : ""}`,
    );
  });
  terminal.on("session", ({ active, name }) =>
    print(active ? `-- session ${name ?? ""} is open` : "-- no session is open"),
  );
  terminal.on("leaseLost", ({ posReference, by }) =>
    print(`-- ${posReference} is no longer yours (${by?.userName ?? "nobody's"})`),
  );
  terminal.on("trouble", ({ error }) => print(`-- ${error instanceof Error ? error.message : String(error)}`));
}

/** Keeps the line that is being typed intact. */
function printAbove(lines: Interface | null, text: string): void {
  const plain = withoutControlCharacters(text);
  if (!process.stdout.isTTY || lines === null) return console.log(plain);
  process.stdout.write("\r\u001b[K");
  console.log(plain);
  lines.prompt(true);
}
