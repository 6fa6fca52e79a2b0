/** Formats a time as stored in tables: UTC, `YYYY-MM-DD HH:MM:SS`, truncated to seconds. */
export function toGmt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}

/** Converts a stored time to ISO 8601 with `Z`, as used by APIs. */
export function fromGmt(gmt: string): string {
  return `${gmt.replace(' ', 'T')}Z`
}
