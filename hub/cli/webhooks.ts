import { type Command, type CommandContext, exitCode, type Report, usageError } from "./command.ts";
import { hubApi } from "./hub-api.ts";

export const webhooks: Command = {
  usage: "webhooks list | test ID | replay [ID] [--since TIME]  [--login NAME --password PASSWORD]",
  summary: "lists webhooks of the running hub, sends a test, or sends dead letters again",
  maxPositionals: 2,
  async run(context) {
    const [action, target] = context.positionals;
    if (action === "list" && target === undefined) return list(context);
    if (action === "test" && target !== undefined) return test(context, target);
    if (action === "replay") return replay(context, target);
    throw usageError(webhooks);
  },
};

async function list(context: CommandContext): Promise<Report> {
  const answer = await hubApi(context).call("webhooks");
  const lines = answer.webhooks.map(({ id, enabled, needsSecret, pausedUntil, pending, deadLettered, url }) =>
    [
      id,
      needsSecret === true
        ? "needs a secret"
        : !enabled
          ? "disabled"
          : pausedUntil === undefined
            ? "enabled"
            : "does not answer",
      `${pending} waiting`,
      `${deadLettered} failed for good`,
      url,
    ].join("  "),
  );
  return { json: answer, lines: lines.length === 0 ? ["There are no webhooks."] : lines };
}

async function test(context: CommandContext, webhookId: string): Promise<Report> {
  const answer = await hubApi(context).call("testWebhook", { params: { webhookId } });
  if (!answer.sent) return { json: answer, lines: [`Not delivered: ${answer.error}.`], exitCode: exitCode.failed };
  const isGood = answer.status >= 200 && answer.status < 300;
  const lines = [`The receiver answered ${answer.status} in ${answer.durationMs} ms.`];
  return { json: answer, lines, exitCode: isGood ? exitCode.done : exitCode.failed };
}

async function replay(context: CommandContext, webhookId: string | undefined): Promise<Report> {
  const { since } = context.options;
  const body = { ...(webhookId !== undefined && { webhookId }), ...(since !== undefined && { since }) };
  const answer = await hubApi(context).call("replayDeliveries", { body });
  const deliveries = answer.replayed === 1 ? "delivery" : "deliveries";
  return { json: answer, lines: [`${answer.replayed} ${deliveries} will be sent again.`] };
}
