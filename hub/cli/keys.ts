import { CreateKey, firstOrderCommand, KeyPurpose, scopesFor } from "@comanda/protocol";
import { z } from "zod";
import { describeIssues } from "../platform/describe-issues.ts";
import { type Command, type CommandContext, CommandError, exitCode, type Report, usageError } from "./command.ts";
import { type HubApi, hubApi } from "./hub-api.ts";

export const keys: Command = {
  usage: `keys list | create LABEL [--for ${KeyPurpose.options.join(",")}] | disable KEYID  [--login NAME --password PASSWORD]`,
  summary:
    "lists, creates or disables API keys of the running hub; a key is for orders unless --for or --scopes (read,orders:write,…) says more",
  maxPositionals: 2,
  async run(context) {
    const [action, target] = context.positionals;
    if (action === "list" && target === undefined) return list(context);
    if (action === "create" && target !== undefined) return create(context, target);
    if (action === "disable" && target !== undefined) return disable(context, target);
    throw usageError(keys);
  },
};

async function list(context: CommandContext): Promise<Report> {
  const answer = await hubApi(context).call("keys");
  const lines = answer.keys.map(({ keyId, enabled, label, scopes, lastUsedAt }) =>
    [keyId, enabled ? "enabled" : "disabled", `last used ${lastUsedAt ?? "never"}`, scopes.join(","), label].join("  "),
  );
  return { json: answer, lines: lines.length === 0 ? ["There are no API keys."] : lines };
}

async function create(context: CommandContext, label: string): Promise<Report> {
  const body = CreateKey.safeParse({ label, scopes: scopesOf(context.options) });
  if (!body.success) throw new CommandError(exitCode.usage, `${describeIssues(body.error)}.`);
  const { scopes } = body.data;
  const hub = hubApi(context);
  const { keyId, token } = await hub.call("createKey", { body: body.data });
  const firstOrder = scopes.includes("orders:write") ? await firstOrderFor(hub, token) : null;
  return {
    json: { keyId, token, ...(firstOrder !== null && { firstOrder: firstOrder.command }) },
    lines: [
      `Key ${keyId} created. Its token is shown only once:`,
      token,
      ...(firstOrder === null ? firstCall(hub, { token, scopes }) : ["", `${firstOrder.about}:`, firstOrder.command]),
    ],
  };
}

/** Returns a first call that shows a key works, if no sample order is possible: missing scope, or no known dish. */
function firstCall({ address }: HubApi, { token, scopes }: Pick<CreateKey, "scopes"> & { token: string }): string[] {
  if (!scopes.includes("read")) return [];
  const reason = scopes.includes("orders:write")
    ? "The hub knows no dish with a price yet, to make a first order of. "
    : "";
  return ["", `${reason}A first call:`, `curl -sS "${address}/external/v1/session" -H "X-Api-Key: ${token}"`];
}

function scopesOf(options: CommandContext["options"]): string[] {
  if (options.scopes !== undefined) return options.scopes.split(",");
  const purposes = z.array(KeyPurpose).safeParse((options.for ?? "orders").split(","));
  if (purposes.success) return scopesFor(purposes.data);
  throw new CommandError(exitCode.usage, `--for takes ${KeyPurpose.options.join(", ")}.`);
}

/** Returns a first order, or null. Never throws, because the key already exists and its token must be shown. */
async function firstOrderFor(hub: HubApi, token: string): Promise<{ about: string; command: string } | null> {
  const { sample } = await hub.call("sampleOrder").catch(() => ({ sample: null }));
  if (sample === null) return null;
  const { order, dishName, tableName } = sample;
  const place = tableName === null ? "for takeout" : `on table "${tableName}"`;
  const command = firstOrderCommand({ url: hub.address, token, order });
  return { about: `A first order, ${dishName} ${place} (a real check, which a cashier can discard)`, command };
}

async function disable(context: CommandContext, keyId: string): Promise<Report> {
  const answer = await hubApi(context).call("updateKey", { params: { keyId }, body: { enabled: false } });
  return { json: answer, lines: [`Key ${keyId} is disabled.`] };
}
