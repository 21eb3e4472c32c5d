import { once } from "node:events";
import type { Server } from "node:http";

/** Listens on loopback, prints the address, and ends at SIGTERM. */
export async function serve(server: Server, onStop: () => void): Promise<void> {
  await once(server.listen(Number(process.env["PORT"] ?? 0), "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  console.log(`listening on http://127.0.0.1:${address.port}`);
  process.once("SIGTERM", () => {
    onStop();
    process.exit(0);
  });
}

/** Returns a competitor's setting, which the harness always sets; throws if it is missing. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
