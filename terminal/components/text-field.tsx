import { useEffect, useRef, type ComponentProps } from "react";

/** A text field with its label above. Autocomplete is off by default: the browser knows data of other guests. */
export function TextField({
  label,
  isFirst = false,
  onValue,
  ...input
}: {
  label: string;
  /** Whether to focus it at once with a hardware keyboard; on a touch screen the system keyboard would cover the sheet. */
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
