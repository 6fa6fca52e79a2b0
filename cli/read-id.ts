/** The largest id that the databases take. */
const MOST = 2_147_483_647

/** @throws Error if it is not a whole number from 1 on */
export function readId(given: string): number {
  const id = Number(given)
  if (/^\d+$/.test(given) && id >= 1 && id <= MOST) return id
  throw new Error(`"${given}" is not a positive integer.`)
}
