/** A key figure that can be read from afar. */
export function Tile({
  name,
  value,
  more,
  tone,
}: {
  name: string;
  value: string;
  more?: string;
  tone?: "warn" | "bad" | undefined;
}) {
  return (
    <div className="tile" data-tone={tone}>
      <span className="tile-name">{name}</span>
      <strong className="tile-value">{value}</strong>
      {more !== undefined && <span className="soft">{more}</span>}
    </div>
  );
}
