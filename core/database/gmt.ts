/** A moment as the tables keep it: UTC, `YYYY-MM-DD HH:MM:SS`; fractions are dropped. */
export function toGmt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}

/** ISO 8601 with `Z`, as the outside sees it. */
export function fromGmt(gmt: string): string {
  return `${gmt.replace(' ', 'T')}Z`
}

const DAY = 86_400_000

/** A day of UTC, by which things are counted: `2026-11-21`. */
export function dayOf(milliseconds: number): string {
  return toGmt(milliseconds).slice(0, 10)
}

/** So many days up to today, which is one of them, oldest first. */
export function lastDays(count: number): string[] {
  const today = Date.now()
  return Array.from({ length: count }, (_, at) => dayOf(today - (count - 1 - at) * DAY))
}
