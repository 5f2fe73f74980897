// Light and dark: the system's choice until the reader presses the button.
export function connectTheme(button) {
  const root = document.documentElement;
  const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : systemIsDark.matches);
  const label = () => {
    button.textContent = isDark() ? "Light theme" : "Dark theme";
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  systemIsDark.addEventListener("change", label);
  label();
}
