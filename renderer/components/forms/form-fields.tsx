import {
  Checkbox,
  PasswordInput,
  Select,
  Switch,
  TextInput,
  type CheckboxProps,
  type PasswordInputProps,
  type SelectProps,
  type SwitchProps,
  type TextInputProps,
} from "@mantine/core";
import { createContext, useContext, useEffect } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { asFailure } from "../../lib/hub-failure.ts";
import { useIssueText } from "../failures/use-failure-texts.ts";

interface FormErrors {
  error: unknown;
  /** The fields that show their own issues. */
  fields: Set<string>;
}

/** The error of the surrounding form. Its `error` is null if there is none. */
export const FormErrorContext = createContext<FormErrors>({ error: null, fields: new Set() });

/** Props of a library field, except that `onChange` gets the value. */
type FieldOf<Props, Value> = Omit<Props, "onChange"> & { onChange: (value: Value) => void };

interface TextFieldProps extends FieldOf<TextInputProps, string> {
  /** Its name in the request. The field shows its own issues, whether the page or the hub found them. */
  field?: string;
}

export function TextField({ field, onChange, ...props }: TextFieldProps) {
  const issue = useIssueOf(field);
  return (
    <TextInput {...props} error={issue ?? props.error} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}

export function PasswordField({ onChange, ...props }: FieldOf<PasswordInputProps, string>) {
  const { t } = useTranslation("common");
  return (
    <PasswordInput
      {...props}
      visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function CheckField({ onChange, ...props }: FieldOf<CheckboxProps, boolean>) {
  return <Checkbox {...props} onChange={(event) => onChange(event.currentTarget.checked)} />;
}

export function SwitchField({ onChange, ...props }: FieldOf<SwitchProps, boolean>) {
  return <Switch {...props} onChange={(event) => onChange(event.currentTarget.checked)} />;
}

/** A select that always has a value. */
export function SelectField<Value extends string | number>({ onChange, ...props }: FieldOf<SelectProps<Value>, Value>) {
  return <Select {...props} allowDeselect={false} onChange={(value) => value !== null && onChange(value)} />;
}

function useIssueOf(name: string | undefined): string | undefined {
  const { error, fields } = useContext(FormErrorContext);
  const issueText = useIssueText();
  useEffect(() => {
    if (name === undefined) return;
    fields.add(name);
    return () => void fields.delete(name);
  }, [fields, name]);
  if (name === undefined || error === null) return undefined;
  const issue = asFailure(error).explanation.issues?.find(({ path }) => path[0] === name);
  return issue && issueText(issue, false);
}
