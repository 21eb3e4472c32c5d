import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";

/** How long ago something was, kept up to date; the exact time is its title. */
export function Ago({ at }: { at: string }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time className="num" dateTime={at} title={format.dateTime(at)}>
      {format.ago(at, now)}
    </time>
  );
}

/** How long something has lasted by now: "12 min". */
export function Lasting({ since }: { since: string }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time className="num" dateTime={since} title={format.dateTime(since)}>
      {format.age(now - Date.parse(since))}
    </time>
  );
}
