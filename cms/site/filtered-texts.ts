/**
 * What a plugin says to visitors, as extensions want it: of what its filter answered, the strings under the names that
 * there are. Everything else stays as the plugin has it.
 *
 * @param texts the plugin's own, by name
 * @param filtered what the filter made of them; an extension may answer anything
 */
export function filteredTexts<Name extends string>(
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
