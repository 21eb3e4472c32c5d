import { useFormat } from "@comanda/ui/format.ts";
import { useTextAt } from "../../lib/hub-time.ts";

/** How long ago something happened, kept up to date. The exact time is the title. */
export function TimeAgo({ at }: { at: string }) {
  const format = useFormat();
  return <LiveTime at={at} text={(now) => format.ago(at, now)} />;
}

/** How long something has lasted, such as "12 min". */
export function Elapsed({ since }: { since: string }) {
  const format = useFormat();
  return <LiveTime at={since} text={(now) => format.age(now - Date.parse(since))} />;
}

function LiveTime({ at, text }: { at: string; text: (now: number) => string }) {
  const format = useFormat();
  const shown = useTextAt(text);
  return (
    <time className="num" dateTime={at} title={format.dateTime(at)}>
      {shown}
    </time>
  );
}
