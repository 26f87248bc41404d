// Tells style sheets how high the bar of a selection is, so that rows and messages stay above it in every width and language.
export function tellSelectionHeight(bar) {
  new ResizeObserver(() => document.documentElement.style.setProperty("--selection-height", `${bar.offsetHeight}px`)).observe(bar)
}
