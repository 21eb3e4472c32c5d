import { Select } from "@mantine/core";

/** Narrows a list to one of its kinds; null is any of them. */
export function FilterSelect({
  label,
  any,
  value,
  onChange,
  data,
}: {
  label: string;
  any: string;
  value: string | null;
  onChange: (value: string | null) => void;
  data: { value: string; label: string }[];
}) {
  return <Select aria-label={label} placeholder={any} value={value} onChange={onChange} clearable data={data} />;
}
