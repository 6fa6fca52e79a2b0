/** Number of characters of all strings in a value and everything that it contains, plus one for each value: what a memory of it takes. */
export function charactersIn(value: unknown): number {
  const seen = new Set<object>()
  const count = (some: unknown): number => {
    if (typeof some === 'string') return some.length + 1
    if (typeof some !== 'object' || some === null || seen.has(some)) return 1
    seen.add(some)
    const parts = some instanceof Map ? [...some].flat() : Object.values(some)
    return parts.reduce<number>((sum, part) => sum + count(part), 1)
  }
  return count(value)
}
