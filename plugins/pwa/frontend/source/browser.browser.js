/** What kind of browser and window this is. */
const DISPLAY_MODES = ['window-controls-overlay', 'fullscreen', 'standalone', 'minimal-ui', 'tabbed']

/** How the app shows: `browser` in an ordinary tab. */
export function displayMode() {
  if (navigator.standalone) return 'standalone'
  return DISPLAY_MODES.find((mode) => matchMedia(`(display-mode: ${mode})`).matches) ?? 'browser'
}

export const isApp = () => displayMode() !== 'browser'

/** iPads say that they are Macs. */
export const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

export const wantsLessMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches
