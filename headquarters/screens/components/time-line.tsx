import "./time-line.css";

export interface TimePart {
  /** ms since 1970 */
  start: number;
  end: number;
  /** `ahead`: in the future. */
  tone: "bad" | "warn" | "ahead";
}

/** A drawing of a time span with its parts. Screen readers ignore it: the caller shows `description` as text beside it. */
export function TimeLine({
  from,
  to,
  parts,
  description,
}: {
  from: number;
  to: number;
  parts: readonly TimePart[];
  description: string;
}) {
  const share = (ms: number): string => `${(ms / (to - from)) * 100}%`;
  return (
    <span className="time-line" aria-hidden title={description}>
      {parts.map(({ start, end, tone }) => (
        <span
          key={`${tone} ${start}`}
          data-tone={tone}
          style={{ insetInlineStart: share(start - from), inlineSize: share(end - start) }}
        />
      ))}
    </span>
  );
}

/** Clips a part to the time from `from` to `to`. Returns an empty array if nothing is left. */
export function within(from: number, to: number, part: TimePart): TimePart[] {
  const [start, end] = [Math.max(part.start, from), Math.min(part.end, to)];
  return end > start ? [{ ...part, start, end }] : [];
}
