/** Light or dark: as the system says, unless the person chose. */

export type Theme = "system" | "light" | "dark";

const KEY = "turntile-theme";

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system"; // storage may be forbidden
  }
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // It holds for this visit only.
  }
  showTheme(theme);
}

export function showTheme(theme: Theme = chosenTheme()): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
}

export function isDark(): boolean {
  const theme = chosenTheme();
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}
