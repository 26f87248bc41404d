// Tells style sheets how high the bar of a selection is, so that rows and messages stay above it in every width and language.
export function tellBarHeight(bar) {
  new ResizeObserver(() => document.documentElement.style.setProperty("--bar-height", `${bar.offsetHeight}px`)).observe(bar)
}
