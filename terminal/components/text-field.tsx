import { useEffect, useRef, type ComponentProps } from "react";

/** A line to type, with its name above. Unless it is asked, the browser proposes nothing: what it knows is of other guests. */
export function TextField({
  label,
  isFirst = false,
  onValue,
  ...input
}: {
  label: string;
  /** A keyboard writes in it at once; on a touch screen the system's would cover what it is about. */
  isFirst?: boolean;
  onValue?: (value: string) => void;
} & Omit<ComponentProps<"input">, "onChange" | "ref">) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst && matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [isFirst]);
  return (
    <label className="field">
      <span>{label}</span>
      <input ref={field} autoComplete="off" {...input} onChange={(event) => onValue?.(event.currentTarget.value)} />
    </label>
  );
}
