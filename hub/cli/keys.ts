import { CreateKey } from "@comanda/protocol";
import { describeIssues } from "../platform/describe-issues.ts";
import { type Command, type CommandContext, CommandError, exitCode, type Report, usageError } from "./command.ts";
import { hubApi } from "./hub-api.ts";

export const keys: Command = {
  usage: "keys list | create LABEL --scopes read,orders:write | disable KEYID  [--login NAME --password PASSWORD]",
  summary: "lists, creates or disables API keys of the running hub",
  async run(context) {
    const [action, target] = context.words;
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
  const body = CreateKey.safeParse({ label, scopes: (context.options.scopes ?? "read").split(",") });
  if (!body.success) throw new CommandError(exitCode.usage, `${describeIssues(body.error)}.`);
  const answer = await hubApi(context).call("createKey", { body: body.data });
  return { json: answer, lines: [`Key ${answer.keyId} created. Its token is shown only once:`, answer.token] };
}

async function disable(context: CommandContext, keyId: string): Promise<Report> {
  const answer = await hubApi(context).call("updateKey", { params: { keyId }, body: { enabled: false } });
  return { json: answer, lines: [`Key ${keyId} is disabled.`] };
}
