// Draws the diagrams of a page in the colours of its theme, and again when that changes.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const boxes = [...document.querySelectorAll("pre.mermaid")];
const sources = boxes.map((box) => box.textContent);

const isDark = () => {
  const chosen = document.body.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && dark.matches);
};

async function draw() {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: isDark() ? "dark" : "neutral",
    flowchart: { nodeSpacing: 24, rankSpacing: 36, padding: 8 },
    fontFamily: getComputedStyle(document.body).fontFamily,
  });
  for (const [at, box] of boxes.entries()) {
    try {
      const { svg } = await mermaid.render(`diagram-${at}`, sources[at]);
      box.innerHTML = svg;
      // A wide diagram shrinks to three quarters, and then scrolls: its words stay readable.
      const drawn = box.querySelector("svg");
      drawn.style.minWidth = `${0.75 * drawn.viewBox.baseVal.width}px`;
      box.tabIndex = 0;
      box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
    } catch (error) {
      console.error(`diagram ${at + 1}: ${error.message}`);
    }
  }
  document.body.dataset.diagrams = "drawn";
}

let queue = draw();
const again = () => (queue = queue.then(draw));
dark.addEventListener("change", again);
new MutationObserver(again).observe(document.body, { attributeFilter: ["data-theme"] });
