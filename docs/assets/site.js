// Let the keyboard scroll code and tables that are wider than the page. The theme does so for code
// only, and takes it back where a pointer cannot hover.

function reachable(region) {
  if (region.scrollWidth > region.clientWidth && !region.hasAttribute("tabindex")) {
    region.tabIndex = 0;
  }
}

addEventListener("load", () => {
  for (const region of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) {
    const check = () => reachable(region);
    new ResizeObserver(check).observe(region);
    new MutationObserver(check).observe(region, { attributeFilter: ["tabindex"] });
  }
});

// The theme puts the copy button of each block into a landmark, and none of them has a name.
new MutationObserver(() => {
  for (const group of document.querySelectorAll("nav.md-code__nav:not([role])")) {
    group.setAttribute("role", "presentation");
  }
}).observe(document.documentElement, { childList: true, subtree: true });
