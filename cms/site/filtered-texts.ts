import { deprecate } from 'node:util'
/**
 * Merges the result of a filter into the texts of a plugin: only strings with known names are used.
 * @param texts default texts by name
 * @param filtered result of the filter, which can be anything
 */
export function mergeTexts<Name extends string>(
  texts: Readonly<Record<Name, string>>,
  filtered: Readonly<Record<string, unknown>> | null,
): Readonly<Record<Name, string>> {
  const merged: Record<Name, string> = { ...texts }
  for (const name in texts) {
    const text = filtered?.[name]
    if (typeof text === 'string') merged[name] = text
  }
  return merged
}

/** @deprecated Use `mergeTexts`. */
export const filteredTexts = deprecate(mergeTexts, 'filteredTexts was renamed to mergeTexts.', 'PENTAD_FILTERED_TEXTS')
