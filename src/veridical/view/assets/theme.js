// Before the first paint: the theme that was chosen in this tab.
const chosen = sessionStorage.getItem("veridical-theme");
if (chosen) document.documentElement.dataset.theme = chosen;
