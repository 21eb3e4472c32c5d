import { hostname, homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface CliOptions {
  /** Null: look for a hub on the local network. */
  hub: string | null;
  backOffice: string;
  db: string;
  /** Null with `--no-login`, for a hub with HUB_DEV_AUTH. */
  login: { login: string; password: string } | null;
  deviceId: string;
  outbox: string;
}

export const cliHelp = `npm run terminal -- [options]

  --hub ws://HOST:PORT     the hub; by default the first one found on the local network
  --login NAME             the user (waiter, cashier, manager …)               default waiter
  --password WORD          default: the same as the login, as in the demonstration database
  --no-login               send no session, for a hub with HUB_DEV_AUTH
  --backoffice URL         where the login and the menu come from              default http://127.0.0.1:8069
  --db NAME                the back-office's database                          default demo
  --device NAME            the name of this terminal                           default cli-LOGIN
  --outbox FILE            file of the changes that wait for the hub           default ~/.comanda/DEVICE.sqlite
`;

/** Throws a plain sentence for a bad option. */
export function readCliOptions(args: string[]): CliOptions {
  const { values } = parseArgs({
    args,
    options: {
      hub: { type: "string" },
      login: { type: "string", default: "waiter" },
      password: { type: "string" },
      "no-login": { type: "boolean", default: false },
      backoffice: { type: "string", default: "http://127.0.0.1:8069" },
      db: { type: "string", default: "demo" },
      device: { type: "string" },
      outbox: { type: "string" },
    },
  });
  const hub = values.hub ?? null;
  if (hub !== null && !/^wss?:\/\/./.test(hub)) {
    throw new Error(`--hub is "${hub}", but must be an address like ws://127.0.0.1:8766`);
  }
  const user = values["no-login"] ? hostname() : values.login;
  const deviceId = values.device ?? `cli-${user.replaceAll(/[^A-Za-z0-9._-]/g, "-")}`.slice(0, 64);
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(deviceId) || deviceId === "hub") {
    throw new Error(`--device is "${deviceId}", but must be 1 to 64 of A-Z a-z 0-9 . _ - and not "hub"`);
  }
  return {
    hub,
    backOffice: values.backoffice,
    db: values.db,
    login: values["no-login"] ? null : { login: values.login, password: values.password ?? values.login },
    deviceId,
    outbox: values.outbox ?? join(homedir(), ".comanda", `${deviceId}.sqlite`),
  };
}
