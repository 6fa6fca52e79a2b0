/** The largest id of PostgreSQL's `integer`; asking for a larger one would be an error there. */
const LARGEST = 2_147_483_647

/** Whether a number can be the id of a row. */
export function isRowId(id: number): boolean {
  return id > 0 && isReference(id)
}

/** Whether a number can stand in a column that refers to a row: its id, or 0 for none. */
export function isReference(id: number): boolean {
  return Number.isInteger(id) && id >= 0 && id <= LARGEST
}
