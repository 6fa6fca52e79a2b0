/** Formats a time as stored in tables: UTC, `YYYY-MM-DD HH:MM:SS`, truncated to seconds. */
export function toGmt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}

/** Converts a stored time to ISO 8601 with `Z`, as used by APIs. */
export function fromGmt(gmt: string): string {
  return `${gmt.replace(' ', 'T')}Z`
}

const DAY = 86_400_000

/** The UTC day of a time, by which statistics are grouped: `2026-11-21`. */
export function dayOf(milliseconds: number): string {
  return toGmt(milliseconds).slice(0, 10)
}

/** The last days including today, oldest first. */
export function lastDays(count: number): string[] {
  const today = Date.now()
  return Array.from({ length: count }, (_, at) => dayOf(today - (count - 1 - at) * DAY))
}
