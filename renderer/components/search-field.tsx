import { TextInput, type TextInputProps } from "@mantine/core";

interface SearchFieldProps extends Pick<TextInputProps, "className" | "leftSection"> {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A search field whose label is its placeholder. */
export function SearchField({ label, onChange, className = "grow", ...input }: SearchFieldProps) {
  return (
    <TextInput
      className={className}
      type="search"
      aria-label={label}
      placeholder={label}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...input}
    />
  );
}
