/** Detects the browser and the display mode. */
const DISPLAY_MODES = ['window-controls-overlay', 'fullscreen', 'standalone', 'minimal-ui', 'tabbed']

/** Display mode of the app; `browser` in an ordinary tab. */
export function displayMode() {
  if (navigator.standalone) return 'standalone'
  return DISPLAY_MODES.find((mode) => matchMedia(`(display-mode: ${mode})`).matches) ?? 'browser'
}

export const isApp = () => displayMode() !== 'browser'

/** iPads identify as Macs. */
export const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

export const wantsLessMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches
