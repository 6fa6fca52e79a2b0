/** A moment as the tables keep it: UTC, `YYYY-MM-DD HH:MM:SS`; fractions are dropped. */
export function toGmt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}

/** ISO 8601 with `Z`, as the outside sees it. */
export function fromGmt(gmt: string): string {
  return `${gmt.replace(' ', 'T')}Z`
}
