/** A line to type, with its name above. The browser proposes nothing: what it knows is of other guests. */
export function TextField({
  label,
  value,
  maxLength,
  type = "text",
  onValue,
}: {
  label: string;
  value: string;
  maxLength: number;
  type?: "text" | "tel";
  onValue: (value: string) => void;
}) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type={type}
        value={value}
        maxLength={maxLength}
        autoComplete="off"
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  );
}
