import { createTheme, type CSSVariablesResolver } from "@mantine/core";

/** One accent colour; the rest is neutral. The dark greys are bluish, and chosen rather than inverted. */
export const theme = createTheme({
  primaryColor: "petrol",
  primaryShade: { light: 7, dark: 7 },
  colors: {
    petrol: [
      "#e7f6f6",
      "#cfe9ea",
      "#a3d5d7",
      "#72c0c4",
      "#4aabb0",
      "#2b979d",
      "#15838a",
      "#0b6e75",
      "#075a60",
      "#03454a",
    ],
    dark: [
      "#e6ebf0",
      "#c6cfd8",
      "#a1adb9",
      "#75828f",
      "#3d4853",
      "#2b353e",
      "#1b232a",
      "#12181d",
      "#0e1317",
      "#090d10",
    ],
  },
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "0.78rem", sm: "0.875rem", md: "0.94rem", lg: "1.06rem", xl: "1.25rem" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: { InputWrapper: { defaultProps: { withAsterisk: false } } },
});

/** Colours of the page (base.css): the library's own greys are too faint to read (WCAG AA). */
const pageColors = {
  "--mantine-color-body": "var(--page)",
  "--mantine-color-dimmed": "var(--text-soft)",
  "--mantine-color-error": "var(--bad)",
};

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...pageColors, "--mantine-color-placeholder": "#66717d" },
  dark: { ...pageColors, "--mantine-color-placeholder": "#8b98a5", "--mantine-color-anchor": "var(--accent)" },
});
