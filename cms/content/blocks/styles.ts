import type { JsonValue } from '../../../core/options/types.ts'

/** Allowed values of styles: nothing that loads resources, runs code, or ends the declaration. */
const SAFE = /^(?!.*(?:url|expression|attr|image-set|element)\s*\()[^\\<>{}&;@"]*$/i
const LONGEST = 200
const PRESET = /^var:preset\|([a-z-]+)\|(.+)$/

/** Converts a slug for use in a class or custom property, like `_wp_to_kebab_case`: `myColor2` becomes `my-color-2`. */
export function kebabCase(text: string): string {
  return text
    .replace(/([a-z])([A-Z0-9])/g, '$1-$2')
    .replace(/([0-9])([A-Za-z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
}

/**
 * A value that an editor chose, as a style may have it; `var:preset|color|pale-pink` is the variable of the theme.
 * @returns empty for an invalid or unsafe value
 */
export function cssValue(value: JsonValue | undefined): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value.length > LONGEST) return ''
  const [, kind, slug] = PRESET.exec(value) ?? []
  if (kind !== undefined && slug !== undefined) return `var(--wp--preset--${kind}--${kebabCase(slug)})`
  const trimmed = value.trim()
  return SAFE.test(trimmed) ? trimmed : ''
}

/** Declarations for the `style` attribute: `color:#fff;margin-top:1em;`. Those without a safe value are omitted. */
export function stylesOf(declarations: Readonly<Record<string, JsonValue | undefined>>): string {
  return Object.entries(declarations)
    .map(([property, value]) => [property, cssValue(value)] as const)
    .filter(([, value]) => value !== '')
    .map(([property, value]) => `${property}:${value};`)
    .join('')
}
