/** Values in ascending order. */
export type Sorted = Float64Array

/** The median; for an even count the mean of the two middle values; `null` if empty. */
export function median(values: Sorted): number | null {
  const { length } = values
  const upper = values[length >> 1]
  if (upper === undefined) return null
  const lower = values[(length - 1) >> 1] ?? upper
  return lower + (upper - lower) / 2
}

/**
 * The percentile by nearest rank; `null` if empty.
 * @param share above 0, up to 1
 */
export function percentile(values: Sorted, share: number): number | null {
  return values[Math.ceil(values.length * share) - 1] ?? null
}

/** Number of values up to a limit. */
export function countUpTo(values: Sorted, limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? limit) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
