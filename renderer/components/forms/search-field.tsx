import { MAX_SEARCH } from "@comanda/protocol/bounds.ts";
import type { TextInputProps } from "@mantine/core";
import { TextField } from "./form-fields.tsx";

interface SearchFieldProps extends Pick<TextInputProps, "className" | "leftSection"> {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A search field whose label is its placeholder. */
export function SearchField({ label, className = "grow", ...input }: SearchFieldProps) {
  return (
    <TextField
      className={className}
      type="search"
      maxLength={MAX_SEARCH}
      aria-label={label}
      placeholder={label}
      {...input}
    />
  );
}
