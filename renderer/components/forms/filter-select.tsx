import { Select, type SelectProps } from "@mantine/core";

interface FilterSelectProps<T extends string> extends Required<Pick<SelectProps<T>, "value" | "onChange" | "data">> {
  label: string;
  any: string;
}

/** Limits a list to one kind of row. Null means any kind. */
export function FilterSelect<T extends string>({ label, any, ...select }: FilterSelectProps<T>) {
  return <Select aria-label={label} placeholder={any} clearable {...select} />;
}
