/** Colors whose contrast can be calculated; others depend on what is behind them, or on the browser. */
export function isOpaqueHex(color: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(color)
}

/** Relative luminance of `#rrggbb`, from 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5

/** Contrast ratio of two colors in `#rrggbb`, from 1 to 21 (WCAG 2.2). */
export function contrastOf(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/** White or almost black: the one that is easier to read on a color. */
export function textOn(color: string): string {
  return contrastOf(color, '#ffffff') >= contrastOf(color, '#111111') ? '#ffffff' : '#111111'
}

/** Steps in which a color is mixed with white or almost black. */
const STEPS = 20

/** The color, mixed with as little white or almost black as makes it readable on a background. All are `#rrggbb`. */
export function readableOn(background: string, color: string): string {
  const end = textOn(background)
  const mixed = Array.from({ length: STEPS }, (_, step) => mix(color, end, step / STEPS))
  return mixed.find((candidate) => contrastOf(background, candidate) >= READABLE) ?? end
}

/** @param share of the second color, from 0 to 1 */
function mix(color: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [from, to] = [color, other].map((one) => Number.parseInt(one.slice(at, at + 2), 16))
    return Math.round((from ?? 0) * (1 - share) + (to ?? 0) * share)
  })
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
